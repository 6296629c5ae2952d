/**
 * Claims: statements of experiments about their runs (scn_claim), judged by numbers of the runs.
 *
 * A claim is measured for each cell that it selects, or for groups of cells (`together`), and holds
 * if it holds for all of them. The row of a claim shows the cell that is worst for it. The claim
 * holds for a cell if the whole interval of the number is within the limits. It does not hold if
 * the whole interval is beyond one limit. In all other cases the verdict is "cannot tell": a limit
 * is inside of the interval, there are too few launches, times have no interval (modes smoke and
 * ci), a run is missing or was interrupted, a cell failed, or a value is missing. The verdict of a
 * claim with the key not_yet is "not yet", and its reason is the text of that key.
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
#include "suite/claims/rows.h"
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
/* --- Tables whose columns are formulas: `proxbench table` ------------------------------------- */

/** The largest number of formulas. The table has two more columns, scenario and variant. */
enum { BENCH_LISTING_COLUMNS = 13 };

/** A table: a row for each cell or group of cells that `selection` selects. */
typedef struct bench_listing {
    scn_claim selection; /* only of, where, scenarios, bodies, variants, against, together */
    char text[2048];     /* contains the names */
    const char *names[BENCH_LISTING_COLUMNS];
    bench_formula columns[BENCH_LISTING_COLUMNS];
    size_t count;
} bench_listing;

/**
 * Parses "NAME: FORMULA; NAME: FORMULA; ...". If the name is missing, the formula is the name.
 * Errors: BASE_ERR_ARGUMENT with the column and the reason; for too many columns.
 */
base_status bench_listing_parse(const char *columns, bench_listing *listing,
                                base_error *err) BASE_MUST_CHECK;

/**
 * Prints the rows of all runs. For people, numbers have units and intervals; a value without an
 * interval is shown alone, and a missing value is "-". Formats for scripts have the value and both
 * ends of the interval. A formula that is only a column of words prints the words. A cell or group
 * is omitted if none of its rows satisfies the condition `where`.
 *
 * Errors   BASE_ERR_ARGUMENT for an unknown word of the selection; BASE_ERR_INPUT with the reason
 *          if nothing is selected, and for files that no run has written; BASE_ERR_MEMORY.
 */
base_status bench_listing_print(const bench_listing *listing, const bench_claims_run *runs,
                                size_t count, bench_format format, FILE *file,
                                base_error *err) BASE_MUST_CHECK;

#endif
