/** One scenario of a run: its pair, its poses and their truth. */
#ifndef SUITE_SCENARIO_H
#define SUITE_SCENARIO_H

#include "suite/inputs/pair.h"
#include "suite/message.h"
#include "suite/run/plan.h"

typedef struct bench_scenario {
    const scn_scenario *asked; /* the scenario in the experiment; borrowed */
    char title[256];           /* "2/7 pump/sphere": number among the selected scenarios, their
                                  count, and the name; the name alone if only one is selected */
    bench_pair pair;
    scn_trajectory trajectory;
    geo_pose *poses;  /* trajectory.frame_count entries, owned: poses of B in the frame of the
                         pair */
    gt_truth *truths; /* trajectory.frame_count entries, owned */
    int certificate;  /* a quantity is judged only in the frames in which its truth has this
                         certificate or a higher one */
    int inputs;       /* descriptor of the inputs for workers (exchange.h); -1: closed */
} bench_scenario;

/**
 * Loads the pair, makes the poses and computes the truth. The truth has the quantities of the
 * scenario, and the ideals with which the forces of the contestants are compared
 * (bench_ideals_truth). Warns of frames in which a quantity is not judged.
 *
 * Errors   every error of the inputs, the system or memory, and an interrupt; each stops the run.
 *          Call bench_scenario_release also after an error.
 */
base_status bench_scenario_load(const bench_run_options *options, const scn_scenario *asked,
                                const bench_plan *plan, bench_scenario *scenario,
                                base_error *err) BASE_MUST_CHECK;

/** The first step of bench_scenario_load: the pair and the poses. Errors and release: as there. */
base_status bench_scenario_load_frames(const bench_run_options *options, const scn_scenario *asked,
                                       bench_scenario *scenario, base_error *err) BASE_MUST_CHECK;

/**
 * Returns the truth (mask of GT_WANT_*) that judges these contestants on the loaded frames: the
 * distance, the quantities of the scenario, and the ideals of the forces.
 */
unsigned bench_scenario_needs(const bench_scenario *scenario, const bench_plan *plan);

/**
 * The second step: the truth of these quantities (mask of GT_WANT_*). Errors and release: as
 * there.
 */
base_status bench_scenario_load_truth(const bench_run_options *options, unsigned want,
                                      bench_scenario *scenario, base_error *err) BASE_MUST_CHECK;

void bench_scenario_release(bench_scenario *scenario);

/**
 * Returns the options for computing truth in a run, with the default methods. progress: borrowed.
 */
gt_options bench_truth_options(const bench_run_options *options, bench_progress *progress);

#endif
