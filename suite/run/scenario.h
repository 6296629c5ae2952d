/** One scenario of a run: its pair, its poses and their truth. */
#ifndef SUITE_SCENARIO_H
#define SUITE_SCENARIO_H

#include "suite/inputs/pair.h"
#include "suite/message.h"
#include "suite/run/plan.h"

typedef struct bench_scenario {
    const scn_scenario *asked; /* the scenario in the experiment; borrowed */
    char title[256];           /* "2/7 pump/sphere": number and count of the selected scenarios,
                                  and the name */
    bench_pair pair;
    scn_trajectory trajectory;
    geo_pose *poses;  /* frame_count entries: pose of B in the frame of the pair; owned */
    gt_truth *truths; /* frame_count entries; owned */
    int certificate;  /* quantities with a lower certificate are not judged */
    int inputs;       /* descriptor for workers; -1: closed */
} bench_scenario;

/**
 * Loads the pair, makes the frames and computes the truth that the scenario and the ideals of the
 * plan's contestants need. Warns of frames that are not judged.
 *
 * Errors   those that stop a run: input, system, memory, interrupt. Call bench_scenario_release
 *          also after an error.
 */
base_status bench_scenario_load(const bench_run_options *options, const scn_scenario *asked,
                                const bench_plan *plan, bench_scenario *scenario,
                                base_error *err) BASE_MUST_CHECK;
void bench_scenario_release(bench_scenario *scenario);

/**
 * Returns the options for computing truth in a run, with the default methods. progress: borrowed.
 */
gt_options bench_truth_options(const bench_run_options *options, bench_progress *progress);

#endif
