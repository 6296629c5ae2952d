/**
 * A hierarchy of axis-aligned boxes, eight children a node, over any items that have a box
 * (triangles, tetrahedra).
 *
 * Boxes are float, rounded outwards, so a test errs only towards "may overlap" or "may be nearer".
 * The build is deterministic. The primitives of a leaf are consecutive in `order`.
 */
#ifndef GEOMETRY_BVH_H
#define GEOMETRY_BVH_H

#include "base/arena.h"
#include "base/error.h"
#include "geometry/box.h"

enum { GEO_BVH_WIDTH = 8, GEO_BVH_LEAF_MAX = 8, GEO_BVH_DEPTH_MAX = 64 };

#define GEO_BVH_COORDINATE_MAX 1e18

/** Structure of arrays: lane i is child i. Unused lanes have lo = +inf, hi = -inf, count = 0. */
typedef struct geo_bvh_node {
    float lo[3][GEO_BVH_WIDTH], hi[3][GEO_BVH_WIDTH];
    uint32_t first[GEO_BVH_WIDTH]; /* inner child: index of its node; leaf: first place in order */
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
 * Builds the hierarchy top-down by the surface area heuristic over centroid bins: a node splits its
 * child of largest area until it has eight children. If a range cannot be split that way, or below
 * a certain depth, it is halved without reordering, so no path is longer than GEO_BVH_DEPTH_MAX
 * nodes.
 *
 * Shapes   boxes[count], 1 <= count < 2^31, absolute coordinates up to GEO_BVH_COORDINATE_MAX, so
 * that sums and squares of floats stay finite. leaf_size in [1, GEO_BVH_LEAF_MAX]: a child with
 * more primitives becomes a node. Lanes that would stay empty take parts of such leaves, so leaves
 * are often smaller.
 * Errors   BASE_ERR_MEMORY; *bvh is then zeroed.
 * Memory   arena: 256 bytes a node, about one node per 4 leaf_size primitives; also scratch memory
 *          outside of it.
 * Cost     O(n log n): about 1 us a primitive.
 */
base_status geo_bvh_build(const geo_box *boxes, size_t count, uint32_t leaf_size, base_arena *arena,
                          geo_bvh *bvh, base_error *err) BASE_MUST_CHECK;

/**
 * Called for each pair of leaves whose boxes may overlap: places [a, a + na) and [b, b + nb) of
 * the two `order` arrays. Returns false to stop the traversal.
 */
typedef bool geo_bvh_pair_visitor(void *context, uint32_t a, uint32_t na, uint32_t b, uint32_t nb);

/**
 * Visits all leaf pairs of a and of b moved by `pose` whose boxes may overlap; boxes are compared
 * along the three axes of both frames. The order is deterministic. pose NULL: same frame. For a ==
 * b with NULL pose every unordered pair of leaves is visited once, including a leaf with itself.
 *
 * Returns  false if the visitor stopped it.
 */
bool geo_bvh_pairs(const geo_bvh *a, const geo_bvh *b, const geo_pose *pose,
                   geo_bvh_pair_visitor *visit, void *context);

#endif
