/**
 * A hierarchy of axis-aligned boxes with eight children per node, over any items that have a box
 * (triangles, tetrahedra).
 *
 * Boxes are float, rounded outwards. A test may therefore accept a box that is slightly too far
 * away, but never misses one. The build is deterministic. The primitives of a leaf are consecutive
 * in `order`.
 */
#ifndef GEOMETRY_BVH_H
#define GEOMETRY_BVH_H

#include "base/error.h"
#include "base/memory.h"
#include "geometry/vec.h"

enum { GEO_BVH_WIDTH = 8, GEO_BVH_LEAF_MAX = 8, GEO_BVH_DEPTH_MAX = 64 };

/** Limit of absolute coordinates, so that squares and sums of floats stay finite. */
#define GEO_BVH_COORDINATE_MAX 1e18

/** Structure of arrays: lane i is child i. Unused lanes have lo = +inf, hi = -inf, count = 0. */
typedef struct geo_bvh_node {
    float lo[3][GEO_BVH_WIDTH], hi[3][GEO_BVH_WIDTH];
    uint32_t first[GEO_BVH_WIDTH]; /* inner child: index of its node; leaf: first index in order */
    uint32_t count[GEO_BVH_WIDTH]; /* inner child: 0; leaf: number of primitives */
} geo_bvh_node;

/** True if lane i is used: lo <= hi there. */
static inline bool geo_bvh_lane_used(const geo_bvh_node *node, int lane)
{
    return node->lo[0][lane] <= node->hi[0][lane];
}

typedef struct geo_bvh {
    geo_bvh_node *nodes; /* arena; nodes[0] is the root, depth first; at least one node */
    uint32_t node_count;
    uint32_t *order; /* arena; permutation of [0, primitive_count) */
    uint32_t primitive_count;
    geo_box box; /* box of all primitives, in double */
} geo_bvh;

/**
 * Builds the hierarchy top-down by the surface area heuristic over centroid bins. A node splits its
 * child of largest area until it has eight children. A range that cannot be split that way, or that
 * is below a certain depth, is halved without reordering. No path is longer than GEO_BVH_DEPTH_MAX
 * nodes.
 *
 * Shapes   boxes[count], 1 <= count < 2^31, absolute coordinates up to GEO_BVH_COORDINATE_MAX.
 *          leaf_size in [1, GEO_BVH_LEAF_MAX]: a child with more primitives becomes a node. If a
 *          node would have fewer than eight children, its leaves are split further, so leaves are
 *          often smaller.
 * Errors   BASE_ERR_MEMORY; *bvh is then zeroed.
 * Memory   arena: 256 bytes a node, about one node per 4 leaf_size primitives. Scratch memory is
 *          outside of the arena.
 * Cost     O(n log n): about 1 us a primitive.
 */
base_status geo_bvh_build(const geo_box *boxes, size_t count, uint32_t leaf_size, base_arena *arena,
                          geo_bvh *bvh, base_error *err) BASE_MUST_CHECK;

/**
 * Called for each pair of leaves whose boxes may overlap: entries [a, a + na) and [b, b + nb) of
 * the two `order` arrays. Returns false to stop the traversal.
 */
typedef bool geo_bvh_pair_visitor(void *context, uint32_t a, uint32_t na, uint32_t b, uint32_t nb);

/**
 * Visits all pairs of a leaf of a and a leaf of b, moved by `pose`, whose boxes may overlap. Boxes
 * are compared along the three axes of both frames. The order is deterministic. pose NULL: same
 * frame. For a == b with NULL pose every unordered pair of such leaves is visited once, and also
 * each leaf with itself.
 *
 * Returns  false if the visitor stopped it.
 */
bool geo_bvh_pairs(const geo_bvh *a, const geo_bvh *b, const geo_pose *pose,
                   geo_bvh_pair_visitor *visit, void *context);

/* --- Bounding cylinders of triangles ---------------------------------------------------------- */

/*
 * A BVH over triangles may have flat cylinders as a second kind of bound. The axis of a cylinder is
 * the mean normal of its triangles. A box is tight around a large part of a surface. A cylinder is
 * tight around a small part, which is nearly flat and usually not parallel to an axis of the frame.
 */

/**
 * The cylinders of a node's eight children. For every point y of child i let e = y - centre. Then
 * |dot(normal, e)| <= thickness, and the distance of y from the axis is at most radius. |normal| is
 * in (1 - 1e-6, 1], so that |dot(normal, v)| <= |v| holds for any v. Unused lanes are zero.
 */
typedef struct geo_cylinder_node {
    float centre[3][GEO_BVH_WIDTH], normal[3][GEO_BVH_WIDTH];
    float thickness[GEO_BVH_WIDTH]; /* half the height, from the centre to either side */
    float radius[GEO_BVH_WIDTH];
} geo_cylinder_node;

/**
 * Stores a cylinder around triangles[count], count >= 1, as child `lane` of the node. Cost: O(n).
 */
void geo_cylinder_fit(const geo_triangle *triangles, size_t count, geo_cylinder_node *node,
                      int lane);

/**
 * Builds one cylinder node per node of bvh, with the same index.
 *
 * Shapes   triangles: in leaf order; triangles[i] belongs to primitive bvh->order[i].
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 256 bytes a node.
 * Cost     O(n log n).
 */
base_status geo_cylinders_build(const geo_bvh *bvh, const geo_triangle *triangles,
                                base_arena *arena, geo_cylinder_node **cylinders,
                                base_error *err) BASE_MUST_CHECK;

/* --- The ball nearest to a point -------------------------------------------------------------- */

/** Balls and a hierarchy over their boxes. */
typedef struct geo_nearest {
    const vec3 *centres;
    const double *radii;
    geo_bvh bvh;
} geo_nearest;

/** Index for a search without a hint. */
#define GEO_NEAREST_NONE UINT32_MAX

/**
 * Builds the hierarchy over the balls.
 *
 * Shapes   centres, radii: at least one ball; borrowed.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena.
 */
base_status geo_nearest_build(const vec3 *centres, const double *radii, size_t count,
                              base_arena *arena, geo_nearest *nearest,
                              base_error *err) BASE_MUST_CHECK;

/**
 * Returns the index of the ball with the smallest |p - c| - r, the smallest index if several are
 * equal. *gap is that value, negative for a point inside.
 *
 * hint: any ball, or GEO_NEAREST_NONE; it changes only the time.
 * Cost     O(log n): about 1 us.
 */
uint32_t geo_nearest_find(const geo_nearest *nearest, vec3 p, uint32_t hint, double *gap);

/**
 * Does the same for the centre of a ball and all other balls. Returns GEO_NEAREST_NONE and sets
 * *gap to infinity if there is no other ball.
 */
uint32_t geo_nearest_other(const geo_nearest *nearest, uint32_t ball, uint32_t hint, double *gap);

#endif
