/** The tetrahedra of a body as the sum over all pairs reads them. */
#ifndef GROUNDTRUTH_CELLS_H
#define GROUNDTRUTH_CELLS_H

#include "geometry/bvh.h"
#include "groundtruth/body/tetrahedra.h"

enum { GT_PACKET = 8 };

/** A tetrahedron as the clipping reads it. */
typedef struct gt_cell {
    gt_tetrahedron corners;
    gt_planes planes;
    double volume_m3;
    double size; /* sum of the edges of its box */
} gt_cell;

/**
 * Eight neighbouring cells, lane i for cell i, in float and relative to an origin: rounded to
 * nearest, so that whoever rejects by them has to allow for that. Normals have length 1 and point
 * inward, the plane is dot(normal, p) = offset; a face that is too thin for the direction of its
 * normal to be known has normal 0 and offset 0, which rejects nothing. Unused lanes have
 * lo = +inf, hi = -inf and are 0 otherwise.
 */
typedef struct gt_packet {
    float lo[3][GT_PACKET], hi[3][GT_PACKET];
    float corner[4][3][GT_PACKET];
    float normal[4][3][GT_PACKET], offset[4][GT_PACKET];
} gt_packet;

typedef struct gt_cells {
    gt_cell *cells;     /* arena; those of packet i are GT_PACKET * i and on, zeroed where unused */
    gt_packet *packets; /* arena; in the order of bvh */
    geo_bvh bvh;        /* of the packets, one a leaf */
} gt_cells;

/**
 * Groups tetrahedra into packets by place and fills both views of them. All packets but one are
 * full. boxes relative to origin are widened by `margin`, for the rounding of that and of a pose.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 350 bytes a tetrahedron.
 * Cost     O(n log n): about 1 us a tetrahedron.
 */
base_status gt_cells_build(const gt_tetrahedra *tetrahedra, vec3 origin, double margin,
                           base_arena *arena, gt_cells *cells, base_error *err) BASE_MUST_CHECK;

#endif
