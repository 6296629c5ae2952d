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
    double gradient_bound_m2; /* of the length of its error */
    /** dV / d(rotation of B about `point`), a point of the overlap's surface: integral of
     * (x - point) cross n over B's surface inside A. About other points: gt_flux_torque. */
    vec3 moment_m3;
    double moment_bound_m3;
    vec3 point;
    vec3 centroid;  /* of the overlap; A's frame; meaningless when the volume is 0 */
    uint64_t pairs; /* of triangles that intersect */
    uint64_t exact; /* signs that a filter in double could not tell */
    uint64_t inside_tests;
    /** Contradictions met on the way: 0 for solids. Otherwise the volume is not to be trusted. */
    uint64_t flaws;
} gt_flux;

/** dV / d(rotation of B about a point of A's frame), and a bound of the length of its error. What
 * cancels is no longer than the way from the overlap to the point. */
vec3 gt_flux_torque(const gt_flux *flux, vec3 about, double *bound_m3);

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
