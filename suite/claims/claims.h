/**
 * Claims: statements of experiments about their runs (scn_claim), judged by numbers of the runs.
 *
 * A claim is measured for each cell that it selects, or for groups of cells (`together`), and holds
 * if it holds for all of them. The row of a claim shows the cell that is worst for it. A number
 * holds if its whole interval is within the limits, and does not hold if the whole interval is
 * outside of one of them. Everything else is "cannot tell": a limit inside of the interval, too few
 * launches, times without an interval in modes smoke and ci, a missing or interrupted run, a failed
 * cell, a missing value.
 *
 * `of` of a claim selects the rows for statistics:
 *   cells (default)  cells.csv: the cells that are measured together
 *   frames           the frames of these cells
 *   regions          their regions of penetration, also with the columns of their frames
 *   fixed, moving    builds.csv: the bodies of this role; `bodies` selects them
 * Outside of a statistic a name is a column of cells.csv, or of builds.csv.
 *
 * `together` is "none" (default), "scenarios" (all cells of one variant), "variants" (all cells of
 * one scenario, or all builds of one body) or "all".
 *
 * `against` is a variant, or settings that replace those of the variant itself ("walk=tree"), or
 * "baseline": the baseline of the scenario.
 *
 * Intervals of ratio(TIME) of queries are those of `compare`, widened so that they also contain all
 * ratios that the A/A comparison shows to be noise: ratio / hi to ratio / lo of the twin. So a
 * limit of 1 is judged as in `compare`.
 */
#ifndef SUITE_CLAIMS_H
#define SUITE_CLAIMS_H

#include "suite/claims/formula.h"
#include "suite/compare/builds.h"
#include "suite/inputs/experiment.h"
#include "suite/results/reference.h"

/** A run and the experiment that makes claims about it. Simulations have no experiment. */
typedef struct bench_claims_run {
    bench_record record;
    scn_experiment experiment;
    base_csv builds;                 /* without columns if the run has no builds.csv */
    bench_build_ratios build_ratios; /* empty if builds were not timed */
    char cut_off[64];                /* the reason why the run is incomplete; "" if it is
                                        complete */
} bench_claims_run;

/**
 * Opens a run by folder or name, or a folder of `proxbench simulate`: each simulation is a cell
 * with the columns of simulations.csv.
 *
 * experiment  file or name of the experiment; NULL: the experiment named in the run's manifest
 * Errors      those of bench_run_find, bench_record_open, bench_experiment_open and
 *             bench_build_ratios_make; BASE_ERR_INPUT if the experiment's name differs from that in
 *             the manifest. *run then needs no release.
 */
base_status bench_claims_open(const char *folder, const char *experiment, bench_claims_run *run,
                              base_error *err) BASE_MUST_CHECK;
void bench_claims_close(bench_claims_run *run);

/**
 * Opens several runs. experiment: for all of them.
 * Errors: those of bench_claims_open, BASE_ERR_MEMORY; *runs is then NULL.
 *
 * Memory   owned: *runs, for bench_claims_close_all.
 */
base_status bench_claims_open_all(char *const *folders, size_t count, const char *experiment,
                                  bench_claims_run **runs, base_error *err) BASE_MUST_CHECK;
void bench_claims_close_all(bench_claims_run *runs, size_t count);

/** A row of the file, and further data for printed tables. */
typedef struct bench_judged_claim {
    bench_claims_row row;
    bench_unit unit;
    bool expected;
} bench_judged_claim;

typedef struct bench_claims {
    bench_judged_claim *items; /* run by run, in the order of the experiments */
    size_t count, capacity;
    base_arena arena;
} bench_claims;

/** The verdicts of rows: "holds", "does not hold", "cannot tell". */
extern const char bench_claim_holds[], bench_claim_fails[], bench_claim_unknown[];

/**
 * Judges the claims of all runs.
 *
 * Cost     Files of frames are read once for each claim about them.
 * Errors   BASE_ERR_INPUT "'experiment' line n: reason" for a claim with an invalid formula or an
 *          unknown word; for simulations; for a file that no run has written. BASE_ERR_MEMORY.
 *          Call bench_claims_release also after an error.
 */
base_status bench_claims_judge(const bench_claims_run *runs, size_t count, bench_claims *list,
                               base_error *err) BASE_MUST_CHECK;
void bench_claims_release(bench_claims *list);

/**
 * Checks formula, condition and words of a claim. path: of the experiment. Errors: BASE_ERR_INPUT.
 */
base_status bench_claim_check(const scn_claim *claim, const char *path,
                              base_error *err) BASE_MUST_CHECK;

/** Writes the rows of one experiment as claims.csv. Errors: BASE_ERR_SYSTEM. */
base_status bench_claims_write(const bench_claims *list, const char *experiment, FILE *file,
                               base_error *err) BASE_MUST_CHECK;

/**
 * Prints the rows of all experiments. Formats for people have one table for the claims of papers
 * and one for the claims of this suite.
 * Errors: BASE_ERR_MEMORY.
 */
base_status bench_claims_print(const bench_claims *list, bench_format format, FILE *file,
                               base_error *err) BASE_MUST_CHECK;

/** Formats a number for people: about three digits, integers in full; "-" for NaN. */
bench_number_text bench_unit_text(double x, bench_unit unit);

/** True if an expected claim does not hold. */
bool bench_claims_disappoint(const bench_claims *list);

#endif
