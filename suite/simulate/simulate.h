/**
 * `proxbench simulate`: variants drive the bodies of scenes, and a folder keeps all results.
 *
 * FOLDER/manifest.csv, simulations.csv, simulation_times.csv; SCENE/VARIANT.steps.csv and
 * .times.csv; trajectories/SCENE_VARIANT.csv, the path of the body as a trajectory file. All
 * results except measured times are the same for any number of threads, and for a simulation that
 * was killed and resumed.
 */
#ifndef SUITE_SIMULATE_H
#define SUITE_SIMULATE_H

#include "suite/results/manifest.h"
#include "suite/simulate/drive.h"

/** All borrowed. */
typedef struct bench_simulate_options {
    const bench_simulated *scenes;
    size_t scene_count;
    const alg_variant *variants;
    size_t variant_count;
    const char *response; /* a word of bench_response_choose */
    uint64_t judge_every, seed;
    uint64_t every;   /* one in `every` steps is a frame of the trajectory files; 1: all */
    double timeout_s; /* limit of a build and of a query */
    const char *folder, *cache_directory; /* the folder must exist */
    const char *command;
    const char *const *arguments; /* for the manifest: --resume begins with them */
    size_t argument_count;
    bool resume, quiet;
} bench_simulate_options;

/**
 * Simulates the variants that are still missing, and prints a table on standard output. The row of
 * a variant is written to disk when the variant has ended, and is not computed again.
 *
 * exit_status  BENCH_GOOD; BENCH_WRONG if a variant has answered wrongly; BENCH_CELL_DIED if one
 *              has failed, crashed, run out of memory or exceeded the timeout; BENCH_INTERRUPTED
 * Errors       BASE_ERR_INPUT for bodies or a device that differ from those that the folder was
 *              begun with; those of bench_pair_open and bench_drive_run.
 */
base_status bench_simulate(const bench_simulate_options *options, int *exit_status,
                           base_error *err) BASE_MUST_CHECK;

/** Default options for a pair of the user's own. The stiffness of the coupling is NaN. */
extern const scn_simulation_options bench_own_hand;

/**
 * Computes the stiffnesses of coupling and penalties that are NaN, from the mass of B and the size
 * of its box.
 */
void bench_simulated_complete(bench_simulated *scene, const bench_pair *pair, const scn_mass *mass);

#endif
