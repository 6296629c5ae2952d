/** Tables of runs whose columns are formulas: `proxbench table`. */
#ifndef SUITE_CLAIMS_LISTING_H
#define SUITE_CLAIMS_LISTING_H

#include "suite/claims/claims.h"

enum { BENCH_LISTING_COLUMNS = 13 }; /* with scenario and variant the maximum number of a table */

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
