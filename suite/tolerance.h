/**
 * Tolerances: limits of the errors of a frame, for each quantity of a scenario.
 *
 * A scenario of an experiment gives limits for columns of errors (bench_errors):
 *   tolerance = "depth_outside_rel=0.1 depth_left_rel=0.01";
 * A frame is within the tolerance of a quantity if all limits of that quantity hold. Fronts and
 * figures show the error of the first limit. A quantity without a limit has a default: its
 * bench_quantity.error is at most 0.01. If that is BENCH_NO_ERROR, the default is a share of at
 * most 1 % of wrong verdicts, and a single frame is within the tolerance if its verdict is right.
 */
#ifndef SUITE_TOLERANCE_H
#define SUITE_TOLERANCE_H

#include "suite/quantity.h"

#include <stdbool.h>

enum { BENCH_LIMITS_MAX = 3, BENCH_TOLERANCE_BYTES = 256 };

/** The error's absolute value is at most `most`, in the unit of the error's column. */
typedef struct bench_limit {
    bench_error_kind error; /* BENCH_NO_ERROR: the share of wrong verdicts */
    double most;
} bench_limit;

/** The limits of one quantity; at least one. */
typedef struct bench_tolerance {
    bench_limit limits[BENCH_LIMITS_MAX];
    size_t count;
} bench_tolerance;

typedef struct bench_tolerances {
    bench_tolerance of[ALG_QUANTITY_COUNT]; /* by alg_quantity */
} bench_tolerances;

/**
 * Sets the defaults, then the limits that `text` names. text: "NAME=NUMBER ...", separated by
 * blanks or commas, or "". Errors: BASE_ERR_ARGUMENT for a text that is too long, an item that is
 * not NAME=NUMBER, an unknown name (similar names are listed), a number that is negative or not
 * finite, a limit that is given twice, or too many limits of a quantity.
 */
base_status bench_tolerances_parse(const char *text, bench_tolerances *tolerances,
                                   base_error *err) BASE_MUST_CHECK;

/** Replaces the limits of the quantities that `text` names in *tolerances. Errors: as above. */
base_status bench_tolerances_change(const char *text, bench_tolerances *tolerances,
                                    base_error *err) BASE_MUST_CHECK;

/** Writes text for bench_tolerances_parse: the limits on errors of the quantities in the mask. */
void bench_tolerances_format(const bench_tolerances *tolerances, unsigned quantities,
                             char text[BENCH_TOLERANCE_BYTES]);

/**
 * Writes a tolerance for people: "1 % of the size", "1 % of the truth", "10 deg (direction)", "10 %
 * outside, 1 % left", "1 % (wrong verdicts)".
 */
void bench_tolerance_describe(const bench_tolerance *tolerance, char text[BENCH_TOLERANCE_BYTES]);

/**
 * Returns 1 if a frame with these errors is within the tolerance, else 0. Returns NaN if the error
 * of the first limit is unknown. Unknown errors of the other limits are ignored. wrong_verdict: 0,
 * 1, or NaN if the frame has no verdict.
 */
double bench_tolerance_holds(const bench_tolerance *tolerance,
                             const double errors[BENCH_ERROR_COUNT], double wrong_verdict);

#endif
