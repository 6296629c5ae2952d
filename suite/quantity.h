/**
 * What can be asked of an algorithm, and how its answers are off: one row of a table each.
 *
 * To add a quantity: its value in alg_quantity, its rows in quantity.c, its columns of answers in
 * frames.c, and what it is judged by in judge.c. Judging, summing up, deadlines, comparisons, the
 * gate and the lists loop over the rows; the columns of errors in frames and cells are made of
 * them.
 */
#ifndef SUITE_QUANTITY_H
#define SUITE_QUANTITY_H

#include "algorithms/algorithms.h"
#include "algorithms/registry.h"
#include "base/error.h"
#include "groundtruth/certificate.h"

#include <stddef.h>

/* --- Errors ----------------------------------------------------------------------------------- */

/**
 * How an answer is off. Those of distance and volume are relative to the truth, where that is above
 * the quantity's floor, or to the size (bench_quantity.size_name); widths are those of an answer's
 * own bracket.
 */
typedef enum bench_error_kind {
    /* The first three stand before the verdict in files of frames, the others behind all else. */
    BENCH_DISTANCE_ERROR_REL,
    BENCH_DISTANCE_ERROR_SIZE,
    BENCH_VOLUME_ERROR_REL,
    BENCH_VOLUME_ERROR_SIZE,
    BENCH_DISTANCE_WIDTH_REL,
    BENCH_DISTANCE_WIDTH_SIZE,
    BENCH_VOLUME_WIDTH_REL,
    BENCH_VOLUME_WIDTH_SIZE,
    BENCH_PAIRS_ERROR_REL,
    BENCH_DEPTH_ERROR_REL,
    BENCH_DEPTH_LOCAL_REL,
    BENCH_DEPTH_GLOBAL_REL,
    BENCH_DEPTH_LEFT_REL,
    BENCH_DEPTH_GAP_SIZE,
    BENCH_FORCE_ERROR_REL,
    BENCH_FORCE_DIRECTION_DEG,
    BENCH_TORQUE_DIRECTION_DEG,
    BENCH_FORCE_MAGNITUDE_REL,
    BENCH_TORQUE_MAGNITUDE_REL,
    BENCH_DEPTH_OUTSIDE_REL,
    BENCH_DEPTH_WORSE_REL,
    BENCH_WITNESS_LENGTH_SIZE,
    BENCH_WITNESS_OFF_SIZE,
    BENCH_CONTACT_OFF_SIZE,
    BENCH_CONTACT_NORMAL_DEG,
    BENCH_ERROR_COUNT,
    BENCH_NO_ERROR = BENCH_ERROR_COUNT
} bench_error_kind;

/** Statistics over frames, of absolute values but for the bias: each a column of cells.csv. */
typedef enum bench_statistic {
    BENCH_MEAN,
    BENCH_BIAS, /* mean with signs: what is left of errors that do not cancel out */
    BENCH_MAX,
    BENCH_P50, /* nearest rank, as is the next */
    BENCH_P99,
    BENCH_P50_LO, /* an interval that holds the median of independent frames in 95 % of all cases */
    BENCH_P50_HI,
    BENCH_STATISTIC_COUNT
} bench_statistic;

/** "mean", "bias", "max", "p50", "p99", "p50_lo", "p50_hi": what the column's name ends with. */
extern const char *const bench_statistic_names[BENCH_STATISTIC_COUNT];

typedef struct bench_error_row {
    const char *name; /* of its column in frames */
    const char *unit; /* as bench_column.unit */
    alg_quantity quantity;
    unsigned statistics;  /* mask 1u << bench_statistic: columns of cells.csv; mean and largest
                             always, as a tolerance may be on any error */
    const char *measures; /* for people, as is the next: of a frame */
    const char *empty;
} bench_error_row;

extern const bench_error_row bench_errors[BENCH_ERROR_COUNT];

/* --- Quantities ------------------------------------------------------------------------------- */

/** Sizes that errors are relative to. */
typedef struct bench_scale {
    double diagonal_a_m;
    double smaller_volume_m3;
} bench_scale;

/** A quantity that is one number: where it stands, and how its errors are measured. */
typedef struct bench_number {
    size_t answer;    /* offset of the number in alg_answer */
    uint32_t bracket; /* bit of alg_answer.answered */
    size_t lo, hi;    /* offsets of the bracket in alg_answer */
    size_t size;      /* offset of the size in bench_scale */
    bench_error_kind error_rel, error_size, width_rel, width_size;
} bench_number;

/** A row for each of alg_quantity_names. */
typedef struct bench_quantity {
    unsigned contracts;         /* mask 1u << alg_contract: those that make sense */
    unsigned truth;             /* mask GT_WANT_*: what it is judged by */
    gt_quantity certified_by;   /* the one of these whose certificate it has */
    bool needs_solids;          /* has no truth where a body is none */
    uint32_t has;               /* bit of alg_answer.answered: it is answered */
    uint32_t all;               /* mask of the bits of all that belongs to it */
    const bench_number *number; /* NULL: it is more than one, or none */
    const char
        *truth_columns[2]; /* of frames: lower and upper end; NULL: it has no bracket there */
    const char *size_name;
    double floor;             /* in sizes: below it an error relative to the truth says nothing */
    bench_error_kind error;   /* what fronts, deadlines and needs look at; none: wrong verdicts */
    bench_error_kind printed; /* what the table of a run has; none: wrong verdicts */
    const char *error_of;     /* of what `error` is a share */
} bench_quantity;

/** In the order of alg_quantity. */
extern const bench_quantity bench_quantities[ALG_QUANTITY_COUNT];

/** By alg_contract: "none", "exact", "upper-bound", "lower-bound", "approximate"; then NULL. */
extern const char *const bench_contract_names[];

/**
 * "distance", "contact,depth", ... to a mask of ALG_WANT_*: names with commas between them, each
 * once. "unified" and "both" are distance and volume.
 */
base_status bench_quantities_parse(const char *text, unsigned *quantities,
                                   base_error *err) BASE_MUST_CHECK;

/** Words of bench_quantities_parse: the names, then "unified"; NULL behind the last. */
const char *bench_quantity_word(size_t index);

/** The names of a mask, by value. */
typedef struct bench_quantities_text {
    char text[64];
} bench_quantities_text;

/** "distance", "unified" for distance and volume alone, else names with '+' between them. */
bench_quantities_text bench_quantities_name(unsigned quantities);

/** The names of a mask, always one by one, with a separator between them. */
bench_quantities_text bench_quantities_join(unsigned quantities, const char *separator);

enum { BENCH_ALL_QUANTITIES = (1 << ALG_QUANTITY_COUNT) - 1 };

/** The truth (mask of GT_WANT_*) that answers to these quantities are held against. */
unsigned bench_quantities_truth(unsigned quantities);

/** The quantity that a bit of alg_answer.answered belongs to; ALG_QUANTITY_COUNT: none or several.
 */
alg_quantity bench_quantity_of(uint32_t has);

#endif
