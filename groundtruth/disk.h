/**
 * Thick disks: a second bounding volume for distance.
 *
 * A disk has a centre, an axis, half a thickness and a radius. Along a direction u it reaches
 * |u axis| thickness + sqrt(1 - (u axis)^2) radius from its centre, whatever the rotation, and for
 * a patch of a smooth surface that is far less than its box does.
 */
#ifndef GROUNDTRUTH_DISK_H
#define GROUNDTRUTH_DISK_H

#include "geometry/bvh.h"

typedef struct gt_disk {
    float centre[3], axis[3], thickness, radius;
} gt_disk;

/** Of the eight children of a node, lane by lane. */
typedef struct gt_disks {
    float centre[3][GEO_BVH_WIDTH], axis[3][GEO_BVH_WIDTH];
    float thickness[GEO_BVH_WIDTH], radius[GEO_BVH_WIDTH];
} gt_disks;

/**
 * Disks around everything below each child of each node.
 *
 * The axis is the mean normal of the triangles there. Sizes are rounded up, for the centre and the
 * axis as rounded to float.
 * Shapes   triangles: in the order of bvh, relative to `origin` once it is subtracted.
 *          *disks: bvh->node_count entries, arena.
 * Errors   GEO_ERR_MEMORY.
 * Cost     O(n depth).
 */
geo_status gt_disks_build(const geo_bvh *bvh, const geo_triangle *triangles, vec3 origin,
                          geo_arena *arena, gt_disks **disks, geo_error *err) GEO_MUST_CHECK;

static inline gt_disk gt_disk_get(const gt_disks *disks, uint32_t lane)
{
    gt_disk disk = {.thickness = disks->thickness[lane], .radius = disks->radius[lane]};
    for (int k = 0; k < 3; k++) {
        disk.centre[k] = disks->centre[k][lane];
        disk.axis[k] = disks->axis[k][lane];
    }
    return disk;
}

#endif
