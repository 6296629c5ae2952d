/** Exact intersection volume and its gradients by boundary flux. */
#ifndef GROUNDTRUTH_FLUX_H
#define GROUNDTRUTH_FLUX_H

#include "groundtruth/body/types.h"

typedef struct gt_flux {
    /** V +- (1e-11 V + 64 eps s (area_m2 + c)), s as gt_distance_query has it. c: what rounding of the points where
     * triangles cross may do, a sum of products of local lengths over s; next to nothing. */
    gt_bracket volume_m3;
    double value_m3; /* V itself, >= 0 */
    double area_m2;  /* of both surfaces inside the other body: the surface of the overlap */
    /** dV / d(translation of B): the area vector of B's surface inside A. Water displacement pushes
     * B along its negative. */
    vec3 gradient_m2;
    /** dV / d(rotation of B about A's origin): integral of x cross n over the same surface. About
     * another point c: torque - c cross gradient. */
    vec3 torque_m3;
    vec3 centroid;  /* of the overlap; A's frame; meaningless when the volume is 0 */
    uint64_t pairs; /* of triangles that intersect */
    uint64_t exact; /* signs that a filter in double could not tell */
    uint64_t inside_tests;
    /** Contradictions met on the way: 0 for solids. Otherwise the volume is not to be trusted. */
    uint64_t flaws;
} gt_flux;

/** What queries of one thread write to. Grows with the largest bodies. */
typedef struct gt_flux_space gt_flux_space;
gt_flux_space *gt_flux_space_create(void);
void gt_flux_space_destroy(gt_flux_space *space);

/**
 * Exact intersection volume, another way: by the divergence theorem the volume, its gradients and
 * its centroid are sums over the parts of each surface inside the other body. Nothing is shared
 * with gt_volume_query but the moved corners. Every decision is that of exact arithmetic for B
 * moved by a further (e, e^2, e^3) with an infinitely small e > 0, so that coplanar faces, shared
 * corners and identical bodies are cases like any other. Both bodies must be solids.
 *
 * Errors   BASE_ERR_MEMORY, when the space cannot grow.
 * Memory   no allocation once the space has met bodies with as many triangles; a few hundred bytes each.
 * Cost     0.6 ms for two meshes of 60,000 triangles that cross in 1,000 pairs.
 */
base_status gt_flux_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                          gt_flux_space *space, gt_flux *result, base_error *err) BASE_MUST_CHECK;

#endif
