/**
 * The hierarchy that the exact distance walks: eight triangles a leaf, eight children a node, all
 * full but the last of each level, so that everything is found by counting.
 *
 * Level 0 is the leaves; leaf l holds the places [8 l, 8 l + 8) of the order. A node of level k >=
 * 1 has the children 8 i to 8 i + 7 of level k - 1; the highest level has one node. Only disks
 * bound: a node is four cache lines.
 */
#ifndef GROUNDTRUTH_DISTANCE_TREE_H
#define GROUNDTRUTH_DISTANCE_TREE_H

#include "geometry/disk.h"
#include "geometry/geometry.h"
#include "geometry/mesh.h"

enum {
    GT_TREE_WIDTH = GEO_BVH_WIDTH,
    GT_TREE_LEVELS_MAX = 11, /* 2^31 triangles */
};

/** Corners less the origin, rounded to float: corner[k][axis] of eight triangles. Lanes without a
 * triangle repeat the last one. */
typedef struct gt_tree_leaf {
    float corner[3][3][GT_TREE_WIDTH];
} gt_tree_leaf;

typedef struct gt_distance_tree {
    uint32_t count;                           /* of triangles */
    uint32_t level_count;                     /* leaves included: at least 2 */
    uint32_t level_size[GT_TREE_LEVELS_MAX];  /* level_size[0] leaves, then nodes */
    geo_disk_node *nodes[GT_TREE_LEVELS_MAX]; /* arena; [0] is NULL; disks less the origin */
    gt_tree_leaf *leaves;                     /* arena */
    geo_triangle *triangles;                  /* arena; by place, as they are in the mesh */
    uint32_t *faces;                          /* arena; by place */
} gt_distance_tree;

/**
 * Splits in halves (up to what fills nodes) across the direction in which centroids spread most.
 * The same for any number of threads.
 *
 * Shapes   the mesh has at least one face; origin: near to the mesh for its size, so that floats
 *          keep digits.
 * Errors   GEO_ERR_MEMORY.
 * Memory   arena: 150 bytes a triangle.
 */
geo_status gt_distance_tree_build(const geo_mesh *mesh, vec3 origin, geo_arena *arena,
                                  gt_distance_tree *tree, geo_error *err) GEO_MUST_CHECK;

#endif
