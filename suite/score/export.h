/**
 * Exported sets: scenarios as plain files that other programs read, with their certified truth.
 *
 *   README.md                 datasheet: what, how made, how certain, licence, hash, how to cite
 *   set.cfg                   the scenarios as an experiment, for `run` and `score`
 *   check_truth.py            judges answers without this program
 *   hashes.txt                hash and path of each other file, as `xxh128sum -c` reads it
 *   SCENARIO/a.off, b.off     the meshes
 *   SCENARIO/trajectory.csv   the poses
 *   SCENARIO/truth.csv        the truth of each frame, as `proxbench truth` prints it
 *   SCENARIO/facts.csv        references, hashes, sizes and centroids of the bodies
 */
#ifndef SUITE_SCORE_EXPORT_H
#define SUITE_SCORE_EXPORT_H

#include "suite/results/columns.h"
#include "suite/run/run.h"
#include "suite/run/scenario.h"

/** Files of a set. */
#define BENCH_SET_EXPERIMENT "set.cfg"
#define BENCH_SET_HASHES     "hashes.txt"
#define BENCH_SET_TRUTH      "truth.csv"
#define BENCH_SET_FACTS      "facts.csv"

/** A row of facts.csv. */
typedef struct bench_set_fact {
    const char *key, *value;
} bench_set_fact;

extern const bench_columns bench_set_fact_columns;

/** A set while it is being written. */
typedef struct bench_export bench_export;

/**
 * Begins a set in a new or empty folder. licence: a sentence for the datasheet; NULL: that of
 * generated bodies, or of the authors of mesh files.
 * Errors: those of bench_run_folder; BASE_ERR_MEMORY.
 */
base_status bench_export_begin(const char *folder, const char *licence, bench_export **set,
                               base_error *err) BASE_MUST_CHECK;

/**
 * Adds a scenario: loads it, computes its truth and writes its files. quantities: mask ALG_WANT_*;
 * 0: all that the bodies have. Forces have the ideals of all laws.
 * Errors: those of bench_scenario_load; BASE_ERR_ARGUMENT if the set has a scenario of this name.
 */
base_status bench_export_add(bench_export *set, const bench_run_options *options,
                             const scn_scenario *scenario, unsigned quantities,
                             base_error *err) BASE_MUST_CHECK;

/** Writes the other files. Errors: BASE_ERR_SYSTEM; those of bench_share_path. */
base_status bench_export_end(bench_export *set, base_error *err) BASE_MUST_CHECK;
void bench_export_destroy(bench_export *set);

#endif
