/** The bodies that scenarios name: generated models, and meshes by reference. */
#ifndef SCENARIOS_MODELS_MODELS_H
#define SCENARIOS_MODELS_MODELS_H

#include "base/arena.h"
#include "geometry/mesh.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * A generator. Every model but open ones is a solid with outward faces, free of self-intersections
 * at every resolution (the tests prove it with the mesh checker). Every model is about 0.1 m in
 * size, without degenerate faces, and the same to the last bit on every machine. Models that belong
 * together (bolt and nut, the parts of the pump) share one frame: with the identity pose they are
 * assembled and do not touch.
 *
 * To add one: write a build function in scenarios/models/, declare it in generators.h and list it
 * in models.c.
 */
typedef struct scn_model {
    const char *name;    /* [a-z0-9-]+ */
    const char *summary; /* one line */
    size_t triangles;    /* default; where a paper uses the model, the paper's setting */
    size_t triangles_min;
    /**
     * The resolution whose number of triangles is nearest to `triangles`, as far as whole numbers
     * of rows allow: within 2.5 % from 5000 triangles on; bodies that have n^2 times a number,
     * within 10 %. Below triangles_min its coarsest one.
     *
     * Errors   BASE_ERR_MEMORY; *mesh is zeroed then.
     * Memory   geo_mesh_builder_finish, or geo_mesh_builder_release.
     */
    base_status (*build)(size_t triangles, geo_mesh_builder *mesh, base_error *err);
    /** True for sheets without thickness, and for parts that penetrate each other, some of them
     * with faces that look inwards: such a model is no solid, so it has no volume and no inside. */
    bool open;
} scn_model;

/** All models in a fixed order; terminated by name == NULL. */
extern const scn_model scn_models[];
/** NULL if there is none. */
const scn_model *scn_model_find(const char *name);

/**
 * Is the reference that of a file? Then there is a '/' or a '.' in its name, which ends at the last
 * colon that has a key behind it ("parts/a:1.off:scale=0.001" is parts/a:1.off), or at the end of
 * the text where a file is called just like that. A name that begins like "bolt:" is a model.
 */
bool scn_mesh_is_file(const char *reference);

/** Does the reference name a mesh file that does not exist? False for a generated model. */
bool scn_mesh_is_missing(const char *reference);

/**
 * A mesh by reference: the path of a file, "mine.off" or "mine.off:scale=0.001", or a generated
 * model, "bolt" or "bolt:triangles=20000,scale=1e-6,sz=0.001,x=1e6": scaled by `scale`, stretched
 * along the axes by sx, sy and sz, then moved by x, y and z, in metres: fl(offset + fl(fl(scale s)
 * v)) for each coordinate v. A file's coordinates are taken as metres. Without scale, stretch and
 * offset, and with those that change nothing, the coordinates are those of the file to the bit.
 *
 * Errors   BASE_ERR_ARGUMENT for an unknown model (near names are listed), an unknown option, a bad
 *          number of triangles (below triangles_min or above 20 million), a scale or stretch that
 *          is not positive or coordinates out of range (geo_coordinate_valid); those of the model's
 *          build function or of geo_mesh_load. *mesh is zeroed then.
 * Memory   geo_mesh_release.
 */
base_status scn_mesh_open(const char *reference, geo_mesh *mesh, base_error *err) BASE_MUST_CHECK;

/** Those of its errors that need no mesh to be made and no file to be read. */
base_status scn_mesh_check(const char *reference, base_error *err) BASE_MUST_CHECK;

/**
 * The reference of the mesh `scale` times as large: "mine.off:scale=0.001" of "mine.off". At scale
 * 1 it is the one that was given.
 *
 * Errors   BASE_ERR_ARGUMENT for a scale that is not positive, and for a reference that has one;
 *          BASE_ERR_MEMORY.
 * Memory   arena.
 */
base_status scn_mesh_scaled(const char *reference, double scale, base_arena *arena,
                            const char **scaled, base_error *err) BASE_MUST_CHECK;

#endif
