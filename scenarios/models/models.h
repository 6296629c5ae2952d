/** The bodies that scenarios name: generated models, and meshes by reference. */
#ifndef SCENARIOS_MODELS_MODELS_H
#define SCENARIOS_MODELS_MODELS_H

#include "geometry/mesh.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * A generator. Every model is a solid with outward faces, free of self-intersections at every
 * resolution (the tests prove it with the mesh checker), about 0.1 m in size, and the same to the
 * last bit on every machine. Models that belong together (bolt and nut, the parts of the pump)
 * share one frame: with the identity pose they are assembled and do not touch.
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
} scn_model;

/** All models in a fixed order; terminated by name == NULL. */
extern const scn_model scn_models[];
/** NULL if there is none. */
const scn_model *scn_model_find(const char *name);

/** Is the reference the path of a file? Anything with a '/' or a '.', before a ':' if there is one.
 */
bool scn_mesh_is_file(const char *reference);

/**
 * A mesh by reference: the path of a file, or a generated model, "bolt" or
 * "bolt:triangles=20000,scale=1e-6,x=1e6": scaled, then moved by x, y and z, in metres.
 *
 * Errors   BASE_ERR_ARGUMENT for an unknown model (near names are listed), an unknown option, a bad
 *          number of triangles (below triangles_min or above 20 million), a scale that is not
 *          positive or coordinates out of range (geo_coordinate_valid); those of the model's build
 *          function or of geo_mesh_load. *mesh is zeroed then.
 * Memory   geo_mesh_release.
 */
base_status scn_mesh_open(const char *reference, geo_mesh *mesh, base_error *err) BASE_MUST_CHECK;

/** Those of its errors that need no mesh to be made and no file to be read. */
base_status scn_mesh_check(const char *reference, base_error *err) BASE_MUST_CHECK;

#endif
