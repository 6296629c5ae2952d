/**
 * A body of the voxmap-pointshell algorithm: a voxmap, or a pointshell, by its role.
 *
 * Source   VPS 2 to 4.
 */
#ifndef ALGORITHMS_VPS_BODY_H
#define ALGORITHMS_VPS_BODY_H

#include "algorithms/algorithms.h"
#include "algorithms/life.h"
#include "algorithms/voxel/clearance.h"
#include "algorithms/voxel/distances.h"
#include "algorithms/voxel/map.h"
#include "algorithms/voxel/pointshell.h"
#include "algorithms/voxel/surface.h"
#include "algorithms/vps/query.h"
#include "base/arena.h"

/** What the voxels of a pointshell's body have around them, for its normals. */
enum { ALG_VPS_SHELL_PADDING = 3, ALG_VPS_SHELL_LAYERS = 2 };

/** On the longest edge of a body's box. */
enum { ALG_VPS_VOXELS_MAX = 2048 };

typedef struct alg_vps_options {
    bool is_map;     /* the role: a voxmap; or a pointshell */
    uint32_t voxels; /* on the longest edge of the body's box */
    alg_voxel_surface_options surface;
    bool skin; /* keeps the surface of the body, for the promises of contact */

    /* Of a voxmap. */
    uint32_t layers;
    alg_voxel_storage storage;
    bool field; /* signed distances */

    /* Of a pointshell. */
    alg_pointshell_options shell; /* `solid` is the mesh's */
} alg_vps_options;

/** A prepared body; it lives in its own arena. */
typedef struct alg_vps_body {
    base_arena arena;
    alg_voxel_map map; /* of a voxmap; or that which the points were made of, for `draw` */
    bool is_map;
    alg_voxel_clearance clearance; /* of a voxmap */
    bool field;
    alg_voxel_distances distances; /* where there is a field */
    alg_vps_points points;         /* of a pointshell */
    alg_shell *skin;               /* arena; or NULL */
    vec3 centroid;
} alg_vps_body;

/** alg_algorithm.facts. Those of points are NaN for a voxmap. */
enum {
    ALG_VPS_FACT_VOXELS,
    ALG_VPS_FACT_SURFACE_VOXELS,
    ALG_VPS_FACT_INNER_VOXELS,
    ALG_VPS_FACT_BOX_TESTS,
    ALG_VPS_FACT_POINTS,
    ALG_VPS_FACT_RECOVERED,
    ALG_VPS_FACT_SPACING_MEAN,
    ALG_VPS_FACT_SPACING_MIN,
    ALG_VPS_FACT_SPACING_DEVIATION,
    ALG_VPS_FACT_PROJECTION_ERROR,
    ALG_VPS_FACT_LOAD_NS, /* the mesh is read once: its box */
    ALG_VPS_FACT_INITIALISE_NS,
    ALG_VPS_FACT_SURFACE_NS,
    ALG_VPS_FACT_FILL_NS,
    ALG_VPS_FACT_PROJECT_NS,
    ALG_VPS_FACT_POINTS_NS,
    ALG_VPS_FACT_COUNT
};
extern const char *const alg_vps_facts[];

/**
 * alg_algorithm.prepare.
 *
 * The padding of a voxmap has room for its layers and a voxel beyond them. With a field
 * there are two layers at least; depths are cut by the pair.
 *
 * Errors   ALG_UNSUPPORTED for a field of a body that is no solid; ALG_OUT_OF_MEMORY; ALG_FAILED
 *          for a body that no grid fits. *body is NULL then.
 * Memory   owned: an alg_vps_body, for alg_destroy.
 */
alg_status alg_vps_body_prepare(const alg_vps_options *options, const alg_mesh *mesh, void **body,
                                alg_build_info *info, alg_message *message);

/** alg_algorithm.save and alg_algorithm.load. */
alg_status alg_vps_body_save(const void *body, const alg_writer *to, alg_message *message);
alg_status alg_vps_body_load(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                             const void *bytes, size_t size, void **body, alg_build_info *info,
                             alg_message *message);

/** alg_algorithm.draw: the grid and the surface voxels, also of a pointshell's body. */
void alg_vps_body_draw(const void *body, const alg_sink *sink);

/** Is told of surface voxels (x0, y, z) to (x1 - 1, y, z). */
typedef void alg_vps_run_visitor(void *context, uint32_t x0, uint32_t x1, uint32_t y, uint32_t z);

/** The voxels of layer 0 of a map, in runs along x, in the order of their numbers. */
void alg_vps_surface_runs(const alg_voxel_map *map, alg_vps_run_visitor *visit, void *context);

/**
 * The same surface voxels with as many layers, and as much padding.
 *
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT for a grid that gets too large.
 * Memory   arena: as alg_voxel_map_build.
 */
base_status alg_vps_widen(const alg_voxel_map *map, uint32_t layers, base_arena *arena,
                          alg_voxel_map *wide, base_error *err) BASE_MUST_CHECK;

#endif
