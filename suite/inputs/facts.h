/** Facts of a scenario that need its bodies, its poses and their exact answers. */
#ifndef SUITE_INPUTS_FACTS_H
#define SUITE_INPUTS_FACTS_H

#include "base/hash.h"
#include "scenarios/experiment.h"

/** Facts of one body. */
typedef struct bench_body_facts {
    size_t triangles;
    bool solid;
    base_hash hash;      /* as in the manifest of a run */
    const char *licence; /* of a generated model; NULL: a file, which may have any licence */
} bench_body_facts;

/** Facts of a scenario. Its distances and volumes are the middles of the truth's intervals. */
typedef struct bench_scenario_facts {
    bench_body_facts a, b;
    size_t frames;
    base_hash poses;               /* as in the manifest of a run */
    double distance_m[2];          /* least and greatest */
    double volume_m3[2];           /* least and greatest; NaN if a body is not a solid */
    double diagonal_m, smaller_m3; /* diagonal of A's box; volume of the smaller body, or NaN */
} bench_scenario_facts;

/**
 * Opens the bodies, makes the poses and finds the truth of all frames by one method for each
 * quantity. Both are read from the cache, and added to it if missing.
 *
 * cache_directory: NULL for no cache.
 * picture: path of a small PNG of both bodies, in the frame with the greatest volume or, if that
 * is 0, with the least distance. A is transparent. NULL: no picture.
 * Errors   those of bench_pair_open, bench_pair_trajectory, gt_trajectory_truth and
 *          bench_canvas_write; BASE_ERR_MEMORY.
 */
base_status bench_scenario_facts_find(const scn_scenario *scenario, const char *cache_directory,
                                      const char *picture, bench_scenario_facts *facts,
                                      base_error *err) BASE_MUST_CHECK;

#endif
