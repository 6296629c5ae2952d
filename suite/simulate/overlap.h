/** The overlap of two solids at the poses of a simulation: its exact volume, and the depth of
 * points. */
#ifndef SUITE_OVERLAP_H
#define SUITE_OVERLAP_H

#include "suite/inputs/pair.h"

/** Both bodies made ready, with room for all threads. */
typedef struct bench_overlap bench_overlap;

/**
 * A pose, and what is found there. depth: is the depth of points asked, too?
 *
 * volume_m3      by flux (groundtruth/volume/flux.h)
 * point_depth_m  of all corners of one body that are inside the other the largest distance to the
 *                other's surface; 0 where there is none. NaN: not asked. Bodies are at least that
 *                deep in each other there: where edges cross and no corner is inside, it is 0.
 */
typedef struct bench_overlap_at {
    geo_pose pose; /* of bench_pair_pose */
    bool depth;
    double volume_m3, point_depth_m;
} bench_overlap_at;

/** The pair is borrowed; both are solids. Errors: BASE_ERR_MEMORY, *overlap is NULL then. */
base_status bench_overlap_create(const bench_pair *pair, bench_overlap **overlap,
                                 base_error *err) BASE_MUST_CHECK;
void bench_overlap_destroy(bench_overlap *overlap);

/**
 * Fills in all of them, on all threads; the result does not depend on how many they are.
 * Errors: BASE_ERR_MEMORY; BASE_ERR_INPUT for surfaces that contradict each other.
 */
base_status bench_overlap_find(bench_overlap *overlap, bench_overlap_at *at, size_t count,
                               base_error *err) BASE_MUST_CHECK;

/**
 * Minus the gradient of the volume, the force of a unit of pressure on B; volume 0: 0.
 * From one thread at a time. Errors: as above.
 */
base_status bench_overlap_gradient(bench_overlap *overlap, const geo_pose *pose, vec3 *force_m2,
                                   base_error *err) BASE_MUST_CHECK;

#endif
