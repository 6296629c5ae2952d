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
#include "geometry/adjacency.h"

/** Of fields: the blocks reach this far beyond the body's box, in its diagonals. */
#define ALG_PST_MARGIN 0.3

/** On the longest edge of a body's box. */
enum { ALG_PST_VOXELS_MAX = 2048 };

/*
 * Rows that entries share: name, type, default, range, choices, help.
 */
/* clang-format off */
#define ALG_PST_ROW_FIELD \
    {"field", ALG_CHOICE, 0, 0, 1, "fixed|moving", \
     "which body is the field; the other one has the points"}
#define ALG_PST_ROW_SHELL_VOXELS \
    {"shell-voxels", ALG_INTEGER, 64, 2, ALG_PST_VOXELS_MAX, NULL, \
     "of points, on the longest edge of their body's box"}
#define ALG_PST_ROW_START {"start", ALG_CHOICE, 0, 0, 1, "cold|last", "where a distance begins"}
#define ALG_PST_ROW_TOLERANCE \
    {"tolerance", ALG_REAL, 0.002, 0, 1, NULL, "of a field's cells, in parts of the distance"}
#define ALG_PST_ROW_VOXELS \
    {"voxels", ALG_INTEGER, 128, 2, ALG_PST_VOXELS_MAX, NULL, \
     "finest cells of a field, on the longest edge of its body's box"}
/* clang-format on */

typedef struct alg_pst_options {
    bool is_field; /* the role: a field; or a tree of points */
    alg_pst_field_options field;
    bool map; /* a field's body has its voxmap, for layers */
    uint32_t layers;
    alg_pst_points_options points;
    /** Are there points of their own for forces, of the kind ALG_PST_BLUE_NOISE? */
    bool forces_apart;
    alg_pst_clusters clusters;
} alg_pst_options;

/** A prepared body; it lives in its own arena. */
typedef struct alg_pst_body {
    base_arena arena;
    bool is_field;
    alg_pst_field field; /* of a field */
    bool has_map;
    alg_voxel_map map;       /* where layers are asked for */
    alg_pst_tree tree;       /* of points */
    alg_pst_tree *forces;    /* arena; of points for forces alone; NULL: forces use `tree` */
    alg_shell *skin;         /* arena; the surface: closest points, containment */
    geo_adjacency adjacency; /* of the faces of the skin */
    vec3 centroid;
} alg_pst_body;

/** alg_algorithm.facts. NaN where a role has none of it. */
enum {
    ALG_PST_FACT_BLOCKS,
    ALG_PST_FACT_CELLS,
    ALG_PST_FACT_ERROR_P50, /* of cells: the greater of below and above / edge of the finest */
    ALG_PST_FACT_ERROR_MAX,
    ALG_PST_FACT_POINTS,       /* these facts of points and clusters are of `tree`, */
    ALG_PST_FACT_FORCE_POINTS, /* and this one of the tree of forces */
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

/** alg_algorithm.save and alg_algorithm.load. */
alg_status alg_pst_body_save(const void *body, const alg_writer *to, alg_message *message);
alg_status alg_pst_body_load(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                             const void *bytes, size_t size, void **body, alg_build_info *info,
                             alg_message *message);

/** Returns the explanation of a word of ALG_PST_ROW_FIELD by its index. */
const char *alg_pst_explain_field(size_t choice);

/** alg_algorithm.draw: the spheres of the lowest clusters of `tree`. A field has nothing to
 * show. */
void alg_pst_body_draw(const void *body, const alg_sink *sink);

#endif
