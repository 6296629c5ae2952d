/**
 * A hierarchy over the triangles of a mesh: eight triangles a leaf, eight children a node. All are
 * full except the last one of each level, so that all indices follow from counting.
 * last of each level, so that everything is found by counting.
 *
 * Level 0 is the leaves; leaf l has the places [8 l, 8 l + 8) of the order. Node i of a level k >=
 * 1 has the children 8 i to 8 i + 7 of level k - 1; the highest level has one node. There are two
 * kinds of bounds: cylinders for distances (four cache lines a node), and boxes and slabs for
 * intersections.
 */
#ifndef GEOMETRY_TREE_H
#define GEOMETRY_TREE_H

#include "geometry/cylinder.h"
#include "geometry/mesh.h"

enum {
    GEO_TREE_WIDTH = GEO_BVH_WIDTH,
    GEO_TREE_LEVELS_MAX = 11, /* 2^31 triangles */
};

/**
 * Eight triangles relative to the origin, rounded to float; unused lanes repeat the last triangle.
 * A sliver whose computed normal does not fit its corners has the normal 0.
 */
typedef struct geo_tree_leaf {
    float corner[3][3][GEO_TREE_WIDTH];                      /* [k][axis] */
    float normal[3][GEO_TREE_WIDTH], offset[GEO_TREE_WIDTH]; /* unit; normal . y = offset */
} geo_tree_leaf;

/**
 * A box and a slab (across the mean normal) around each of the eight children of a node, relative
 * to the origin, rounded outwards. A child without triangles has lo > hi.
 */
typedef struct geo_slab_node {
    float lo[3][GEO_TREE_WIDTH], hi[3][GEO_TREE_WIDTH];
    float normal[3][GEO_TREE_WIDTH];                     /* length 1 or slightly less */
    float at[GEO_TREE_WIDTH], thickness[GEO_TREE_WIDTH]; /* |normal . y - at| <= thickness */
} geo_slab_node;

typedef struct geo_tree {
    vec3 origin;
    double span;                              /* upper bound of the greatest distance from origin */
    uint32_t count;                           /* number of triangles */
    uint32_t level_count;                     /* including the leaves: at least 2 */
    uint32_t level_size[GEO_TREE_LEVELS_MAX]; /* level_size[0] leaves, then nodes */
    geo_cylinder_node *nodes[GEO_TREE_LEVELS_MAX]; /* arena; [0] is NULL; relative to origin */
    geo_slab_node *slabs[GEO_TREE_LEVELS_MAX];     /* arena; like nodes */
    geo_tree_leaf *leaves;                         /* arena */
    geo_triangle *triangles;                       /* arena; by place, with the coordinates of the
                                                * mesh */
    uint32_t *faces;                               /* arena; by place */
} geo_tree;

/**
 * Builds the tree by halving (up to multiples that fill nodes) across the direction of largest
 * spread of the centroids. The result is the same for any number of threads.
 *
 * Shapes   the mesh must have at least one face; origin: near the mesh relative to its size, so
 * that floats keep digits.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 220 bytes a triangle.
 */
base_status geo_tree_build(const geo_mesh *mesh, vec3 origin, base_arena *arena, geo_tree *tree,
                           base_error *err) BASE_MUST_CHECK;

#endif
