/** Error against time: which contestants nothing else beats, and which suit what somebody needs. */
#ifndef SUITE_FRONT_H
#define SUITE_FRONT_H

#include "suite/results/looks.h"
#include "suite/results/record.h"

#include <math.h>

/** What is known of a point's error. */
typedef enum bench_point_state {
    BENCH_POINT_JUDGED,
    BENCH_POINT_NOT_JUDGED, /* it promises exact answers, and its error is not known: no frame is
                               certified, or the run asks one method for the truth, which is its
                               own (modes smoke and ci) */
    BENCH_POINT_TRUTH_ZERO, /* the truth is 0 in every frame: who always says 0 is exact */
} bench_point_state;

/** In the place of a share: each scenario's own tolerance. */
#define BENCH_OWN_TOLERANCE ((double)NAN)

/** A contestant on a scenario, in one quantity. Only those that are ok have points. */
typedef struct bench_point {
    const bench_cell_row *cell;
    alg_quantity quantity; /* whose error it is */
    bench_point_state state;
    bench_tolerance tolerance;    /* of the quantity; the error below is that of its first limit */
    double time_ns;               /* 99th percentile of its frames */
    double error_mean, error_max; /* up to BENCH_EXACT_ERROR: 0; NaN: not judged */
    bool within; /* it is judged, and its largest errors are within all limits of the tolerance */

    /* Of those that are judged, and among them. */
    bool on_front;       /* none has less of one of time and mean error, and not more of the other;
                            equals are all on it */
    bool fastest_within; /* none within the tolerance is faster; ties are kept */
    bool fastest_exact;
    bool unjudged_faster; /* it is one of the fastest, and somebody not judged is faster */
} bench_point;

typedef struct bench_front {
    bench_point *points; /* by scenario, then quantity, then time */
    size_t count, capacity;
} bench_front;

/**
 * Points, fronts and winners. tolerance: the largest error of a winner, as a share of what
 * bench_quantity.error is relative to, or BENCH_OWN_TOLERANCE. Twins, cells that are
 * left out and those without a time have no points; nor has, in a quantity, who has no error there
 * and promises no exact answer, or where the truth may be too small for an error.
 *
 * Errors   BASE_ERR_MEMORY. *front needs no release then.
 */
base_status bench_front_make(const bench_record *record, double tolerance, bench_front *front,
                             base_error *err) BASE_MUST_CHECK;
void bench_front_release(bench_front *front);
/** Was the quantity asked? A query for forces may answer a volume, too. */
bool bench_point_is_asked(const bench_point *point);
/** Is it judged, with no error beyond BENCH_EXACT_ERROR in any frame? */
bool bench_point_is_exact(const bench_point *point);
/** "0.689 %", "6.5 deg", "exact": an error of that kind, for people; "-" for NaN. */
bench_number_text bench_limit_text(bench_error_kind error, double value);
/** Labels of the points of a group, as figures have them; in the arena. Errors: BASE_ERR_MEMORY. */
base_status bench_front_looks(const bench_record *record, const bench_point *points, size_t count,
                              base_arena *arena, bench_looks *looks,
                              base_error *err) BASE_MUST_CHECK;
/** Index of the first point behind those of the scenario and quantity of `first`. */
size_t bench_front_group_end(const bench_front *front, size_t first);

/* --- What somebody needs ---------------------------------------------------------------------- */

/** INFINITY: anything will do. */
typedef struct bench_need {
    double deadline_ns, error;
} bench_need;

/**
 * "deadline=1ms,error=1%", or one of both. Units: ns, us, ms, s, and %.
 * Errors: BASE_ERR_ARGUMENT, one line that names the value.
 */
base_status bench_need_parse(const char *text, bench_need *need, base_error *err) BASE_MUST_CHECK;
/** "1%", as a share. The name is that of the option, for messages. */
base_status bench_percent_parse(const char *name, const char *text, double *share,
                                base_error *err) BASE_MUST_CHECK;

/** How a contestant stands to a need. */
typedef struct bench_fit {
    const bench_cell_row *cell;
    double error;                     /* the largest of its quantities; NaN: none is known */
    double deadline_part, error_part; /* of what is allowed: up to 1 is within */
    bool fits;
} bench_fit;

typedef struct bench_fits {
    bench_fit *items; /* by scenario: those that fit, fastest p99 first; where none does, the one
                         that comes nearest */
    size_t count;
    bool everywhere; /* somebody fits in each scenario that is not left out */
} bench_fits;

/**
 * What fits in each scenario. A deadline is held when the algorithm's own worst frame is within it,
 * an error when the largest one is. Nearest is the one that misses the worse of the two by the
 * smaller factor. A scenario where nothing can be said has no item.
 *
 * Errors   BASE_ERR_MEMORY. Else bench_fits_release is due.
 */
base_status bench_fits_make(const bench_record *record, const bench_need *need, bench_fits *fits,
                            base_error *err) BASE_MUST_CHECK;
void bench_fits_release(bench_fits *fits);

#endif
