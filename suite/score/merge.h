/** Adds a variant from elsewhere to the folder of a run. */
#ifndef SUITE_SCORE_MERGE_H
#define SUITE_SCORE_MERGE_H

#include "suite/results/record.h"
#include "suite/score/score.h"

/**
 * Checks that the run has this scenario, with the same meshes and poses, and no variant of this
 * name that it measured itself. run: with its facts and cells.
 * Errors: BASE_ERR_INPUT.
 */
base_status bench_merge_check(const bench_record *run, const bench_score *score,
                              base_error *err) BASE_MUST_CHECK;

/**
 * Adds the judged answers to a run: SCENARIO/NAME.csv, then rows of forces.csv and cells.csv, which
 * are replaced as a whole. Rows of an earlier score of this name and scenario are replaced, too. No
 * row of times is added (launches.csv, passes.csv, deadline.csv), so no comparison of times
 * contains the variant. folder: of the run, claimed by this process (bench_run_claim).
 *
 * Errors   BASE_ERR_INPUT if another version of this program wrote the run's files, or if they are
 *          not tables; BASE_ERR_SYSTEM, BASE_ERR_MEMORY.
 */
base_status bench_merge(const char *folder, const bench_score *score,
                        base_error *err) BASE_MUST_CHECK;

#endif
