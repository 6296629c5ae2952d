/**
 * A body of the point-sphere trees: a field, or points, by its role.
 */
#ifndef ALGORITHMS_PST_BODY_H
#define ALGORITHMS_PST_BODY_H

#include "algorithms/algorithms.h"
#include "algorithms/life.h"
#include "algorithms/pst/field.h"
#include "algorithms/pst/tree.h"
#include "algorithms/voxel/map.h"

typedef struct alg_pst_options {
    bool is_field; /* the role: a field; or a tree of points */
    alg_pst_field_options field;
    bool map; /* a field's body has its voxmap, for layers */
    uint32_t layers;
    alg_pst_points_options points;
    alg_pst_clusters clusters;
} alg_pst_options;

/** A prepared body; it lives in its own arena. */
typedef struct alg_pst_body {
    base_arena arena;
    bool is_field;
    alg_pst_field field; /* of a field */
    bool has_map;
    alg_voxel_map map; /* where layers are asked for */
    alg_pst_tree tree; /* of points */
    alg_shell *skin;   /* arena; the surface: closest points, containment */
    vec3 centroid;
} alg_pst_body;

/** alg_algorithm.facts. NaN where a role has none of it. */
enum {
    ALG_PST_FACT_BLOCKS,
    ALG_PST_FACT_CELLS,
    ALG_PST_FACT_ERROR_P50, /* of cells: the greater of below and above / edge of the finest */
    ALG_PST_FACT_ERROR_MAX,
    ALG_PST_FACT_POINTS,
    ALG_PST_FACT_SPACING_MEAN,
    ALG_PST_FACT_SPACING_MIN,
    ALG_PST_FACT_SPACING_DEVIATION,
    ALG_PST_FACT_CLUSTER_MEAN,
    ALG_PST_FACT_CLUSTER_DEVIATION,
    ALG_PST_FACT_CLUSTER_RADIUS,
    ALG_PST_FACT_NODES,
    ALG_PST_FACT_FIELD_NS,
    ALG_PST_FACT_POINTS_NS,
    ALG_PST_FACT_TREE_NS,
    ALG_PST_FACT_COUNT
};
extern const char *const alg_pst_facts[];

/**
 * alg_algorithm.prepare.
 *
 * Errors   ALG_OUT_OF_MEMORY; ALG_FAILED for a body that no grid fits. *body is NULL then.
 * Memory   owned: an alg_pst_body, for alg_destroy.
 */
alg_status alg_pst_body_prepare(const alg_pst_options *options, const alg_mesh *mesh, void **body,
                                alg_build_info *info, alg_message *message);

#endif
