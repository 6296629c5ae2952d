/**
 * Formulas of claims: arithmetic on columns of a run, with intervals.
 *
 *   0.5  paper  depth_m  other.points_count  $voxels
 *                      a number; the paper's number of the claim; a column; the same column of the
 *                      variant `against`; a parameter of the variant
 *   + - * / < <= > >= == != && || ( )
 *                      conditions are 1 or 0; -x is 0 - x
 *   sqrt(x) abs(x) acos(x) larger(x, y) smaller(x, y)
 *   prev(x)            x in the previous row; missing in the first row of a path
 *   at('GLOB', x)      x in rows with a matching scenario or, for builds, body; missing in others
 *   by('GLOB', x)      x in rows with a matching variant; missing in others
 *   if(condition, x)   x in rows in which the condition is true; missing in others
 *   min(x) max(x) mean(x) sum(x) first(x) last(x) p50(x) p95(x) p99(x)
 *                      statistics over rows in which x is not missing; percentiles by nearest rank
 *   share(condition)   the share of rows in which the condition is true, among those in which it is
 *                      not missing
 *   fit(x, y)          exponent b of y = a x^b, by least squares of logarithms over the rows in
 *                      which both are positive; interval of 95 % from the residuals, with at least
 *                      30 rows
 *   ratio(TIME)        time of the variant / time of `against` in the same launches
 *   time(TIME)         mean time of a query, or median time of a build, over launches
 *   differs(COLUMN, ...)
 *                      the number of frames in which a column differs from that of `against`
 *   promises()         the number of broken promises; a cell that died has broken one
 *
 * TIME is warm or evicted for queries, and a column of build_launches.csv for builds. A missing
 * value (NaN) makes a result missing. But "&&" with a false side is false, and "||" with a true
 * side is true, even if the other side is missing.
 *
 * Intervals come from ratio, time and fit; all other values have lo == value == hi. Operators,
 * functions and statistics combine intervals by interval arithmetic: the result contains all values
 * that are possible with its arguments. Conditions and acos use the values, not the intervals.
 */
#ifndef SUITE_FORMULA_H
#define SUITE_FORMULA_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** NaN: missing. lo and hi are NaN if a measured value has no interval. */
typedef struct bench_interval {
    double value, lo, hi;
} bench_interval;

/** Returns a value without uncertainty. */
bench_interval bench_interval_exact(double value);

/** The kind of a number, for printing. */
typedef enum bench_unit {
    BENCH_UNIT_NUMBER,
    BENCH_UNIT_TIME,  /* ns */
    BENCH_UNIT_SHARE, /* as a fraction of 1 */
    BENCH_UNIT_BYTES,
} bench_unit;

enum { BENCH_FORMULA_NODES = 96, BENCH_FORMULA_NAME = 64, BENCH_FORMULA_NAMES = 16 };

typedef struct bench_formula_node {
    int kind;
    double number;
    char name[BENCH_FORMULA_NAME];
    int first, next; /* nodes: first argument, next argument of the same call; -1: missing */
} bench_formula_node;

typedef struct bench_formula {
    bench_formula_node nodes[BENCH_FORMULA_NODES];
    int count, root;
} bench_formula;

/**
 * Parses a formula.
 *
 * Errors   BASE_ERR_INPUT with the reason and the rest of the text from the error on: syntax, an
 *          unknown function (similar names are listed), a wrong number of arguments, a statistic
 *          inside of a statistic.
 */
base_status bench_formula_parse(const char *text, bench_formula *formula,
                                base_error *err) BASE_MUST_CHECK;

/**
 * True if it uses columns of times. These have no interval; ratio(TIME) and time(TIME) have one.
 */
bool bench_formula_is_timed(const bench_formula *formula);

/** True if its value depends on a clock: it uses times, or ratio or time. */
bool bench_formula_reads_clock(const bench_formula *formula);

/** True if it counts broken promises. */
bool bench_formula_has_promises(const bench_formula *formula);

/** Returns the unit of the result: that of its columns if it only adds them or takes statistics. */
bench_unit bench_formula_unit(const bench_formula *formula);

/** Returns the name of the column if the formula is only a column; otherwise NULL. */
const char *bench_formula_column(const bench_formula *formula);

/** Calls `put` with each name of a column or of a TIME, in the order of the formula. */
void bench_formula_columns(const bench_formula *formula,
                           void (*put)(void *context, const char *name), void *context);

/** The row index outside of all statistics. */
#define BENCH_FORMULA_WHOLE SIZE_MAX

/** The values that a formula reads. Callbacks return NaN for missing values. */
typedef struct bench_formula_rows {
    void *context;
    size_t count; /* number of rows for statistics */
    double paper;
    double *scratch; /* buffer of 3 * count entries */
    double (*column)(void *context, size_t row, bool other, const char *name);
    double (*parameter)(void *context, size_t row, const char *name);
    /** True if the row's scenario, or its variant, matches. */
    bool (*matches)(void *context, size_t row, bool variant, const char *glob);
    bool (*follows)(void *context, size_t row); /* true if the previous row is of the same path */
    bench_interval (*ratio)(void *context, size_t row, const char *time);
    bench_interval (*time)(void *context, size_t row, const char *time);
    /** names: NULL-terminated. */
    double (*differs)(void *context, size_t row, const char *const *names);
    double (*promises)(void *context, size_t row);
} bench_formula_rows;

/** Evaluates the formula in a row, or over all rows with row BENCH_FORMULA_WHOLE. */
bench_interval bench_formula_evaluate(const bench_formula *formula, const bench_formula_rows *rows,
                                      size_t row);

#endif
