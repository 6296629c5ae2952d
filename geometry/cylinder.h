/**
 * Bounding cylinders of the pieces of a surface: the second kind of bound of a BVH over triangles.
 *
 * A box is tight around a large piece. A cylinder (flat, along the mean normal of the piece) is
 * tight around a small piece, which is nearly flat in a direction that is usually not an axis.
 */
#ifndef GEOMETRY_CYLINDER_H
#define GEOMETRY_CYLINDER_H

#include "geometry/bvh.h"

/**
 * The cylinders of a node's eight children. For every point y of child i, e = y - centre satisfies
 * |normal e| <= thickness, and its distance from the axis is at most radius. |normal| is in (1 -
 * 1e-6, 1], so that |normal v| <= |v| holds for any v. Unused lanes are zero.
 */
typedef struct geo_cylinder_node {
    float centre[3][GEO_BVH_WIDTH], normal[3][GEO_BVH_WIDTH];
    float thickness[GEO_BVH_WIDTH]; /* half the thickness: to either side of the centre */
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

#endif
