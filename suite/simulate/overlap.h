/**
 * The overlap of two solids at the poses of a simulation: its exact volume, and the depth of
 * points.
 */
#ifndef SUITE_OVERLAP_H
#define SUITE_OVERLAP_H

#include "suite/inputs/pair.h"

/** Both bodies prepared, with work space for all threads. */
typedef struct bench_overlap bench_overlap;

/**
 * A pose and its results. depth: true to compute the depth of points, too.
 *
 * volume_m3      by flux (groundtruth/volume/flux.h)
 * point_depth_m  the largest distance to the other body's surface, over all vertices of each body
 *                that are inside the other; 0 if there is no such vertex, NaN if it was not asked.
 *                It is a lower bound of the depth of the bodies: it is 0 where edges cross and no
 *                vertex is inside.
 */
typedef struct bench_overlap_at {
    geo_pose pose; /* in the frame of bench_pair_pose */
    bool depth;
    double volume_m3, point_depth_m;
} bench_overlap_at;

/** Prepares a pair of solids (borrowed). Errors: BASE_ERR_MEMORY; then *overlap is NULL. */
base_status bench_overlap_create(const bench_pair *pair, bench_overlap **overlap,
                                 base_error *err) BASE_MUST_CHECK;
void bench_overlap_destroy(bench_overlap *overlap);

/**
 * Computes the results of all poses, on all threads. The results do not depend on the number of
 * threads.
 * Errors: BASE_ERR_MEMORY; BASE_ERR_INPUT for surfaces that contradict each other.
 */
base_status bench_overlap_find(bench_overlap *overlap, bench_overlap_at *at, size_t count,
                               base_error *err) BASE_MUST_CHECK;

/**
 * Returns minus the gradient of the volume, which is the force of a unit of pressure on B; 0 if the
 * volume is 0.
 * Only one thread at a time may call it. Errors: as above.
 */
base_status bench_overlap_gradient(bench_overlap *overlap, const geo_pose *pose, vec3 *force_m2,
                                   base_error *err) BASE_MUST_CHECK;

#endif
