/** Segments in which the triangles of two bodies cross: the input of the method. */
#ifndef ALGORITHMS_LPD_SEGMENTS_H
#define ALGORITHMS_LPD_SEGMENTS_H

#include "algorithms/lpd/body.h"

/** A segment. It runs along the normal of A's face times that of B's; both normals point
 * outwards. */
typedef struct alg_lpd_segment {
    vec3 end[2];
    uint32_t face_a, face_b; /* face numbers in the meshes */
    /**
     * Its weight in an area: 1, halved for each of the two faces of which the segment lies on an
     * edge. An edge belongs to two faces, which have the same segment if both cross the other face.
     * If both only touch it, their segments run in opposite directions and cancel. If one of them
     * lies in its plane, half an area is the mean of the areas on both sides of the touching pose.
     */
    double share;
} alg_lpd_segment;

typedef struct alg_lpd_segments {
    alg_lpd_segment *items; /* arena */
    uint32_t count, capacity;
    uint64_t pair_count; /* pairs of triangles that share a point, including those below */
    uint64_t point_count,
        area_count;      /* pairs that share only a point, or that are coplanar: no segments */
    uint64_t left_count; /* segments for which there was no room */
    uint64_t tests;
} alg_lpd_segments;

/** Allocates room for capacity segments. Errors: BASE_ERR_MEMORY. Memory: arena. */
base_status alg_lpd_segments_create(uint32_t capacity, base_arena *arena,
                                    alg_lpd_segments *segments, base_error *err) BASE_MUST_CHECK;

/**
 * Finds all non-degenerate intersections of two triangles that are not coplanar, in a deterministic
 * order.
 *
 * Source   LPD 2: "each segment corresponds to a non-degenerate intersection between two
 *          non-coplanar triangles".
 * Memory   no allocation.
 * Cost     that of geo_tree_intersections.
 */
void alg_lpd_segments_find(const alg_lpd_pair *pair, const geo_pose *pose,
                           alg_lpd_segments *segments);

#endif
