/** Rows of claims.csv: verdicts that were given. They are written, read, printed and compared. */
#ifndef SUITE_CLAIMS_ROWS_H
#define SUITE_CLAIMS_ROWS_H

#include "base/csv.h"
#include "base/memory.h"
#include "suite/claims/formula.h"
#include "suite/results/cells.h"
#include "suite/output.h"
#include "suite/results/reference.h"

/** Ordered: a worse verdict is larger. NOT_YET is that of claims without a measure. */
typedef enum bench_claim_verdict {
    BENCH_HOLDS,
    BENCH_CANNOT_TELL,
    BENCH_FAILS,
    BENCH_NOT_YET,
    BENCH_CLAIM_VERDICTS
} bench_claim_verdict;

/** "holds", "cannot tell", "does not hold", "not yet", NULL */
extern const char *const bench_claim_verdict_names[BENCH_CLAIM_VERDICTS + 1];

/** A row of the file, and further data for printed tables. */
typedef struct bench_judged_claim {
    bench_claims_row row;
    bench_claim_verdict verdict;
    bench_unit unit;
    bool timed;    /* the number depends on a clock */
    bool expected; /* false if the row was read from a file */
} bench_judged_claim;

typedef struct bench_claims {
    bench_judged_claim *items; /* run by run, in the order of the experiments */
    size_t count, capacity;
    base_arena arena;
    base_csv *tables; /* files that have been read, with the texts of their rows */
    size_t table_count, table_capacity;
} bench_claims;

void bench_claims_release(bench_claims *list);

/** Adds a row; its texts must live as long as the list. Errors: BASE_ERR_MEMORY. */
base_status bench_claims_add(bench_claims *list, const bench_judged_claim *claim,
                             base_error *err) BASE_MUST_CHECK;

/**
 * Adds the rows of a file that bench_claims_write has written. A row replaces an earlier one of the
 * same experiment, mode and id.
 * Errors: those of base_csv_read and bench_columns_check; BASE_ERR_INPUT for an unknown verdict and
 * for a measure that is no formula; BASE_ERR_MEMORY.
 */
base_status bench_claims_read(bench_claims *list, const char *path,
                              base_error *err) BASE_MUST_CHECK;

/** Writes the rows of one experiment as claims.csv. Errors: BASE_ERR_SYSTEM. */
base_status bench_claims_write(const bench_claims *list, const char *experiment, FILE *file,
                               base_error *err) BASE_MUST_CHECK;

/** Markdown: more claims of an item are not one row, except those with the same words. */
enum { BENCH_CLAIMS_ROW = 8 };
/** Markdown: the sign of a verdict that a run in mode smoke gave (U+2020). */
#define BENCH_CLAIMS_REDUCED "\xe2\x80\xa0"

/** The rows that are printed. */
typedef struct bench_claims_choice {
    const char *paper; /* key of a paper; NULL: all rows */
    const char *whose; /* "paper" or "ours"; NULL: both */
    /** Markdown: claims of an item are one row, with all their numbers, if they are more than
     * this. */
    uint64_t combined;
} bench_claims_choice;

/**
 * Prints the rows of all experiments. Formats for people have one table for the claims of papers
 * and one for the claims of this suite. The tables of Markdown are those of a page: claims that do
 * not hold come first, and if runs of several modes judged a claim, the one with the most
 * repetitions counts (modes paper, bench, ci, smoke).
 * Errors: BASE_ERR_MEMORY.
 */
base_status bench_claims_print(const bench_claims *list, const bench_claims_choice *choice,
                               bench_format format, FILE *file, base_error *err) BASE_MUST_CHECK;

/**
 * Compares the rows with earlier ones of the same id and mode, and prints those that differ:
 *   - a claim that is missing;
 *   - a number without a clock that differs by more than 1e-9 of itself, or its verdict;
 *   - a number with a clock but without a unit of time (a ratio, an exponent, a share) whose
 *     interval is more than a factor of BENCH_CLAIMS_FACTOR away from the earlier interval.
 * Times themselves are those of a machine, and are not compared, nor are ratios of modes that do
 * not judge times. Earlier claims of a mode that no row has now, and ratios without an interval,
 * are skipped.
 *
 * compared, different  numbers of rows
 * Errors               BASE_ERR_MEMORY.
 */
enum { BENCH_CLAIMS_FACTOR = 2 };
base_status bench_claims_compare(const bench_claims *list, const bench_claims *earlier,
                                 const bench_claims_choice *choice, bench_format format, FILE *file,
                                 size_t *compared, size_t *different,
                                 base_error *err) BASE_MUST_CHECK;

/** Formats a number for people: about three digits, integers in full; "-" for NaN. */
bench_number_text bench_unit_text(double x, bench_unit unit);
/** Puts the value, with its interval if that is known and wider than the value itself. */
void bench_unit_put(bench_rows *rows, bench_interval x, bench_unit unit);

/** True if an expected claim does not hold. */
bool bench_claims_disappoint(const bench_claims *list);

#endif
