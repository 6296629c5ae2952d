/** Bodies of the point-sphere trees: a field or a tree of points, depending on the role. A body of
 * pst-exact contains such a body and further data. pst-exact saves, loads and draws it by the
 * functions of alg_pst. */
#ifndef ALGORITHMS_PST_PST_H
#define ALGORITHMS_PST_PST_H

#include "algorithms/algorithms.h"
#include "algorithms/life.h"
#include "algorithms/pst/field.h"
#include "algorithms/pst/tree.h"
#include "algorithms/voxel/map.h"
#include "geometry/surface.h"

/** Margin of the field's blocks around the body's box, divided by the diagonal of the box. */
#define ALG_PST_MARGIN 0.3

/** Greatest number of voxels on the longest edge of a body's box. */
enum { ALG_PST_VOXELS_MAX = 2048 };

/* Rows of parameters that several contestants share. */
/* clang-format off */
#define ALG_PST_ROW_FIELD \
    {"field", ALG_CHOICE, 0, .help = "body that is the field; the other body has the points", \
     .choices = (const alg_choice[]){ \
         {"fixed", "the fixed body, A"}, \
         {"moving", "the moving body, B"}, \
         {0}}}
#define ALG_PST_ROW_SHELL_VOXELS \
    {"shell-voxels", ALG_INTEGER, 0, 0, ALG_PST_VOXELS_MAX, NULL, \
     "voxels of the points, on the longest edge of their body's box; 0: 64, or fewer if a mesh " \
     "has few triangles for its size"}
/** last: data of the previous query from which a distance starts. */
#define ALG_PST_ROW_START(last) \
    {"start", ALG_CHOICE, 0, .help = "start of a distance query", \
     .choices = (const alg_choice[]){{"cold", "each query is independent"}, {"last", last}, {0}}}
#define ALG_PST_ROW_TOLERANCE \
    {"tolerance", ALG_REAL, 0.002, 0, 1, NULL, "error of a field's cells, relative to the distance"}
#define ALG_PST_ROW_VOXELS \
    {"voxels", ALG_INTEGER, 128, 2, ALG_PST_VOXELS_MAX, NULL, \
     "finest cells of a field, on the longest edge of its body's box"}
/* clang-format on */

typedef struct alg_pst_options {
    bool is_field; /* the role: true for a field, false for a tree of points */
    alg_pst_field_options field;
    bool map; /* the field's body has a voxmap, for layers */
    uint32_t layers;
    alg_pst_points_options points;
    /** True if forces have their own points, of kind ALG_PST_BLUE_NOISE. */
    bool forces_apart;
    alg_pst_clusters clusters;
} alg_pst_options;

/** A prepared body. It lies in its own arena. */
typedef struct alg_pst_body {
    base_arena arena;
    bool is_field;
    alg_pst_field field; /* only of a field's body */
    bool has_map;
    alg_voxel_map map;       /* if has_map is true */
    alg_pst_tree tree;       /* only of a body of points */
    alg_pst_tree *forces;    /* arena; points for forces only; NULL if forces use `tree` */
    geo_shell *skin;         /* arena; the surface, for closest points and containment */
    geo_adjacency adjacency; /* of the faces of the skin */
    vec3 centroid;
} alg_pst_body;

/** Depth, in edges of the finest cells, up to which facts call a point near the surface. */
#define ALG_PST_NEAR 2.0

/** Indices of alg_algorithm.facts. Facts that do not apply to a role are NaN. */
enum {
    ALG_PST_FACT_CELLS,
    /** Absolute differences between depths of points (by the field or by layers) and exact depths,
     * divided by the edge of the finest cells: of points inside of the solid and at most
     * ALG_PST_NEAR edges deep. NaN without such points. */
    ALG_PST_FACT_DEPTH_ERROR_P50,
    ALG_PST_FACT_DEPTH_ERROR_P99,
    ALG_PST_FACT_DEPTH_ERROR_MAX,
    ALG_PST_FACT_DEEP_ERROR_P99, /* the same for deeper points */
    ALG_PST_FACT_POINTS,         /* facts of points and clusters are those of `tree` */
    ALG_PST_FACT_FORCE_POINTS, /* number of points for forces: of `forces`, or of `tree` if NULL */
    ALG_PST_FACT_SPACING_MEAN,
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

/** Indices of the counters of alg_pst. pst-exact has its own counters. */
enum {
    ALG_PST_COUNT_SPHERES,   /* spheres looked up in the field */
    ALG_PST_COUNT_POINTS,    /* points looked up in the field or in layers */
    ALG_PST_COUNT_CLOSEST,   /* searches for the nearest point of a surface */
    ALG_PST_COUNT_CONTACTS,  /* pushing points */
    ALG_PST_COUNT_TRIANGLES, /* always 0 */
    ALG_PST_COUNT
};

/**
 * Implements alg_algorithm.prepare.
 *
 * Errors   ALG_OUT_OF_MEMORY; ALG_FAILED if the grid of a body is too large. *body is NULL then.
 * Memory   owned: an alg_pst_body; release it by alg_destroy.
 */
alg_status alg_pst_body_prepare(const alg_pst_options *options, const alg_mesh *mesh, void **body,
                                alg_build_info *info, alg_message *message);

#endif
