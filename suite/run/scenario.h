/** One scenario of a run: its pair, its poses and their truth. */
#ifndef SUITE_SCENARIO_H
#define SUITE_SCENARIO_H

#include "suite/inputs/pair.h"
#include "suite/message.h"
#include "suite/run/plan.h"

typedef struct bench_scenario {
    const scn_scenario *asked; /* as the experiment has it; borrowed */
    char title[256];           /* "2/7 pump/sphere": its number among those of the run */
    bench_pair pair;
    scn_trajectory trajectory;
    geo_pose *poses;  /* of each frame of the trajectory: B in the frame of the pair; owned */
    gt_truth *truths; /* of each frame; owned */
    int certificate;  /* quantities of frames with less are not judged */
    int inputs;       /* descriptor for workers; -1: none */
} bench_scenario;

/**
 * Loads the pair, makes the frames and finds the truth that the scenario and the ideals of the
 * plan's contestants need. Warns of frames that are not judged.
 *
 * Errors   what stops a run: input, system, memory, an interrupt. bench_scenario_release is due
 *          either way.
 */
base_status bench_scenario_load(const bench_run_options *options, const scn_scenario *asked,
                                const bench_plan *plan, bench_scenario *scenario,
                                base_error *err) BASE_MUST_CHECK;
void bench_scenario_release(bench_scenario *scenario);

/** Options of a question to the truth in a run, by the default methods. progress: borrowed. */
gt_options bench_truth_options(const bench_run_options *options, bench_progress *progress);

#endif
