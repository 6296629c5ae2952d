/** The bodies of scenarios: generated models, and meshes by reference. */
#ifndef SCENARIOS_MODELS_MODELS_H
#define SCENARIOS_MODELS_MODELS_H

#include "base/memory.h"
#include "geometry/mesh.h"

#include <stdbool.h>
#include <stddef.h>

/* Licence of the generated meshes: that of the suite. */
#define SCN_MODELS_LICENCE "MIT"

struct scn_loft;
struct scn_grid;

/**
 * A generator. Every model that is not open is a solid with outward faces, free of
 * self-intersections at every resolution (the tests prove it with the mesh checker). Every model is
 * about 0.1 m in size, without degenerate faces, and equal to the last bit on every machine. Models
 * that belong together (bolt and nut, the parts of the pump) share one frame: with the identity
 * pose they are assembled and do not touch.
 *
 * To add a model: write a build function, the design of a loft (loft.h) or a part from prisms
 * (prisms.h) in scenarios/models/, declare it in generators.h and list it in models.c.
 */
typedef struct scn_model {
    const char *name;    /* [a-z0-9-]+ */
    const char *summary; /* one line */
    size_t triangles;    /* default; the setting of the paper if a paper uses the model */
    size_t triangles_min;
    /** Builds the model as scn_model_make does; NULL for a loft. */
    base_status (*build)(size_t triangles, geo_mesh_builder *mesh, base_error *err);
    /** True for sheets without thickness, and for parts that penetrate each other, some of them
     * with inward faces. Such a model is not a solid, so it has no volume and no inside. */
    bool open;
    void (*design)(struct scn_loft *loft, struct scn_grid grid); /* design of a loft, or NULL */
    double edge_max; /* m; of a loft: the largest spacing (scn_grid.edge) of its grid */
} scn_model;

/**
 * Builds the model at the resolution whose number of triangles is nearest to `triangles`. Since
 * the number of rows is whole, the number of triangles differs from `triangles`: from 5000
 * triangles on by at most 2.5 %, or 10 % for bodies that have n^2 times a constant. Below
 * triangles_min the coarsest resolution is built.
 *
 * Errors   BASE_ERR_MEMORY; *mesh is zeroed then.
 * Memory   geo_mesh_builder_finish, or geo_mesh_builder_release.
 */
base_status scn_model_make(const scn_model *model, size_t triangles, geo_mesh_builder *mesh,
                           base_error *err) BASE_MUST_CHECK;

/** All models in a fixed order; terminated by name == NULL. */
extern const scn_model scn_models[];
/** Returns the model of a name; NULL if there is no such model. */
const scn_model *scn_model_find(const char *name);

/**
 * True if the reference names a file, which means that the file name contains a '/' or a '.'. The
 * name ends at the last colon that is followed by a key ("parts/a:1.off:scale=0.001" is
 * parts/a:1.off), or at the end of the text if a file of that whole name exists. A reference that
 * begins with the name of a model and a colon, such as "bolt:", is a model.
 */
bool scn_mesh_is_file(const char *reference);

/** True if the reference names a mesh file that does not exist. False for a generated model. */
bool scn_mesh_is_missing(const char *reference);

/**
 * Opens a mesh by reference: the path of a file, "mine.off" or "mine.off:scale=0.001", or a
 * generated model, "bolt" or "bolt:triangles=20000,scale=1e-6,sz=0.001,x=1e6". The mesh is scaled
 * by `scale`, stretched along the axes by sx, sy and sz, then moved by x, y and z, in metres:
 * fl(offset + fl(fl(scale s) v)) for each coordinate v. Coordinates of a file are taken as metres.
 * Without scale, stretch and offset, or with values that change nothing, the coordinates are those
 * of the file to the bit. With simplify=0.1, the moved mesh is then simplified to about a tenth of
 * its triangles (geo_mesh_simplify); its vertices are some of those of the full mesh. With
 * soup=yes, each triangle has three vertices of its own, as in a file that was never welded, so no
 * mesh is a solid; soup=no is the default. With soup=shuffled, these triangles are also in a random
 * order, and about half of them are turned over: always the same.
 *
 * Errors   BASE_ERR_ARGUMENT for an unknown model (similar names are listed), an unknown option, an
 *          invalid number of triangles (below triangles_min or above 20 million), a scale or
 *          stretch that is not positive, a share that is not positive or above 1, or coordinates
 *          out of range (geo_coordinate_valid); errors of the model's build function, of
 *          geo_mesh_load and of geo_mesh_simplify. *mesh is zeroed then.
 * Memory   geo_mesh_release.
 */
base_status scn_mesh_open(const char *reference, geo_mesh *mesh, base_error *err) BASE_MUST_CHECK;

/** Checks a reference for the errors of scn_mesh_open that need no mesh and no file. */
base_status scn_mesh_check(const char *reference, base_error *err) BASE_MUST_CHECK;

/**
 * Returns the reference of the mesh enlarged by `scale`: "mine.off:scale=0.001" of "mine.off". With
 * scale 1, the reference is unchanged.
 *
 * Errors   BASE_ERR_ARGUMENT for a scale that is not positive, and for a reference that already has
 *          a scale; BASE_ERR_MEMORY.
 * Memory   arena.
 */
base_status scn_mesh_scaled(const char *reference, double scale, base_arena *arena,
                            const char **scaled, base_error *err) BASE_MUST_CHECK;

/**
 * Returns the reference of a generated model with at most `most` triangles, but not fewer than the
 * model's triangles_min: "bolt:triangles=5000" of "bolt", "bolt:triangles=5000,x=1" of
 * "bolt:triangles=20000,x=1". The reference of a file, or of a model that is small enough, is
 * unchanged.
 *
 * Errors   those of scn_mesh_check; BASE_ERR_MEMORY.
 * Memory   arena.
 */
base_status scn_mesh_reduced(const char *reference, size_t most, base_arena *arena,
                             const char **reduced, base_error *err) BASE_MUST_CHECK;

#endif
