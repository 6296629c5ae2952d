/**
 * A body of the voxmap-pointshell algorithm: a voxmap or a pointshell, depending on its role.
 *
 * Source   VPS 2 to 4.
 */
#ifndef ALGORITHMS_VPS_BODY_H
#define ALGORITHMS_VPS_BODY_H

#include "algorithms/algorithms.h"
#include "algorithms/life.h"
#include "algorithms/voxel/distances.h"
#include "algorithms/voxel/map.h"
#include "algorithms/voxel/pointshell.h"
#include "algorithms/voxel/surface.h"
#include "algorithms/vps/query.h"
#include "base/memory.h"

/** Padding and layers of a pointshell's voxels, which its normals need. */
enum { ALG_VPS_SHELL_PADDING = 3, ALG_VPS_SHELL_LAYERS = 2 };

/** Greatest number of voxels on the longest edge of a body's box. */
enum { ALG_VPS_VOXELS_MAX = 2048 };

typedef struct alg_vps_options {
    bool is_map;     /* the role: true for a voxmap, false for a pointshell */
    uint32_t voxels; /* on the longest edge of the body's box */
    alg_voxel_surface_options surface;
    bool skin; /* keeps the surface of the body, which contact=sure and contact=possible need */

    /* Options of a voxmap. */
    uint32_t layers;
    alg_voxel_storage storage;
    bool field; /* signed distances instead of layers as depths */

    /* Options of a pointshell. */
    alg_pointshell_options shell; /* prepare sets `solid` from the mesh */
} alg_vps_options;

/** A prepared body. It lives in its own arena. */
typedef struct alg_vps_body {
    base_arena arena;
    alg_voxel_map map; /* of a voxmap; of a pointshell the map from which the points were made, for
                          `draw` */
    bool is_map;
    alg_voxel_clearance clearance; /* only of a voxmap */
    bool field;
    alg_voxel_distances distances; /* if field is true */
    alg_vps_points points;         /* only of a pointshell */
    geo_shell *skin;               /* arena; NULL without the option */
    vec3 centroid;
} alg_vps_body;

/** Indices of alg_algorithm.facts. Facts of points are NaN for a voxmap. */
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
    ALG_VPS_FACT_LOAD_NS, /* reading the mesh once, for its box */
    ALG_VPS_FACT_INITIALISE_NS,
    ALG_VPS_FACT_SURFACE_NS,
    ALG_VPS_FACT_FILL_NS,
    ALG_VPS_FACT_PROJECT_NS,
    ALG_VPS_FACT_POINTS_NS,
    ALG_VPS_FACT_COUNT
};
extern const char *const alg_vps_facts[];

/**
 * Implements alg_algorithm.prepare.
 *
 * The padding of a voxmap has room for its layers and one voxel beyond them. With a field, the map
 * has at least two layers; the pair limits the depths.
 *
 * Errors   ALG_UNSUPPORTED for a field of a body that is not a solid; ALG_OUT_OF_MEMORY; ALG_FAILED
 *          if the grid of a body is too large. *body is NULL then.
 * Memory   owned: an alg_vps_body; release it by alg_destroy.
 */
alg_status alg_vps_body_prepare(const alg_vps_options *options, const alg_mesh *mesh, void **body,
                                alg_build_info *info, alg_message *message);

/** Implement alg_algorithm.save and alg_algorithm.load. */
alg_status alg_vps_body_save(const void *body, const alg_writer *to, alg_message *message);
alg_status alg_vps_body_load(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                             const void *bytes, size_t size, void **body, alg_build_info *info,
                             alg_message *message);

/** Implements alg_algorithm.draw: draws the grid and the surface voxels, also for a pointshell. */
void alg_vps_body_draw(const void *body, const alg_sink *sink);

/** Callback that gets surface voxels (x0, y, z) to (x1 - 1, y, z). */
typedef void alg_vps_run_visitor(void *context, uint32_t x0, uint32_t x1, uint32_t y, uint32_t z);

/** Visits the voxels of layer 0 of a map, in runs along x, in the order of their numbers. */
void alg_vps_surface_runs(const alg_voxel_map *map, alg_vps_run_visitor *visit, void *context);

/**
 * Makes a map of the same surface voxels with the given number of layers and at least that padding.
 *
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT if the grid becomes too large.
 * Memory   arena: as alg_voxel_map_build.
 */
base_status alg_vps_widen(const alg_voxel_map *map, uint32_t layers, base_arena *arena,
                          alg_voxel_map *wide, base_error *err) BASE_MUST_CHECK;

#endif
