/**
 * Tables of quantities and of their errors, with one row for each.
 *
 * CONTRIBUTING.md lists the steps that add a quantity. Judging, summaries, deadlines, comparisons,
 * the gate and the lists loop over the rows. The columns of errors in frames and cells are
 * generated from them.
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
 * Kinds of errors of an answer. Errors of distance and volume are relative to the truth, if the
 * truth is above the quantity's floor, or to the size (bench_quantity.size_name). Widths are those
 * of the answer's own bracket.
 */
typedef enum bench_error_kind {
    /* In files of frames, the first three come before the verdict, the others after all other
     * columns. */
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

/**
 * Statistics over frames, of absolute values except for the bias. Each is a column of cells.csv.
 */
typedef enum bench_statistic {
    BENCH_MEAN,
    BENCH_BIAS, /* mean with signs: the part of the errors that does not cancel out */
    BENCH_MAX,
    BENCH_P50, /* nearest rank, as the next one */
    BENCH_P99,
    BENCH_P50_LO, /* interval that contains the median of independent frames in 95 % of cases */
    BENCH_P50_HI,
    BENCH_STATISTIC_COUNT
} bench_statistic;

/** The suffixes of the columns' names: "mean", "bias", "max", "p50", "p99", "p50_lo", "p50_hi". */
extern const char *const bench_statistic_names[BENCH_STATISTIC_COUNT];

typedef struct bench_error_row {
    const char *name; /* name of its column in frames */
    const char *unit; /* as bench_column.unit */
    alg_quantity quantity;
    unsigned statistics;  /* mask 1u << bench_statistic: columns of cells.csv; always with mean and
                             max, because any error may have a tolerance */
    const char *measures; /* for people, as the next one: meaning of the value of a frame */
    const char *empty;
} bench_error_row;

extern const bench_error_row bench_errors[BENCH_ERROR_COUNT];

/* --- Quantities ------------------------------------------------------------------------------- */

/** Sizes that errors are relative to. */
typedef struct bench_scale {
    double diagonal_a_m;
    double smaller_volume_m3;
} bench_scale;

/** A quantity that is one number: its position in alg_answer, and its kinds of errors. */
typedef struct bench_number {
    size_t answer;    /* offset of the number in alg_answer */
    uint32_t bracket; /* bit of alg_answer.answered */
    size_t lo, hi;    /* offsets of the bracket in alg_answer */
    size_t size;      /* offset of the size in bench_scale */
    bench_error_kind error_rel, error_size, width_rel, width_size;
} bench_number;

/** A row for each of alg_quantity_names. */
typedef struct bench_quantity {
    unsigned contracts;           /* mask 1u << alg_contract: valid contracts */
    unsigned truth;               /* mask GT_WANT_*: truth for its judgement */
    gt_quantity certified_by;     /* truth whose certificate applies */
    bool needs_solids;            /* no truth if a body is not a solid */
    uint32_t has;                 /* bit of alg_answer.answered: it is answered */
    uint32_t all;                 /* mask of all bits that belong to it */
    const bench_number *number;   /* NULL: not a single number */
    const char *truth_columns[2]; /* columns of frames: lower and upper end; NULL: no bracket */
    const char *size_name;
    double floor;             /* in sizes: smaller truths give no relative error */
    bench_error_kind error;   /* used by fronts, deadlines and needs; BENCH_NO_ERROR: verdicts */
    bench_error_kind printed; /* printed in the table of a run; BENCH_NO_ERROR: verdicts */
    const char *error_of;     /* reference of `error` */
} bench_quantity;

/** The table of quantities, in the order of alg_quantity. */
extern const bench_quantity bench_quantities[ALG_QUANTITY_COUNT];

/**
 * Names by alg_contract: "none", "exact", "upper-bound", "lower-bound", "approximate"; then
 * NULL.
 */
extern const char *const bench_contract_names[];

/**
 * Parses "distance", "contact,depth", ... as a mask of ALG_WANT_*: names separated by ',' or '+',
 * each once. "unified" and "both" mean distance and volume.
 */
base_status bench_quantities_parse(const char *text, unsigned *quantities,
                                   base_error *err) BASE_MUST_CHECK;

/**
 * Parses the quantities that a variant is asked for. If text is NULL, takes the first quantity that
 * the variant answers, or distance.
 * Errors: those of bench_quantities_parse; BASE_ERR_ARGUMENT for a quantity that it does not
 * answer.
 */
base_status bench_quantities_choose(const char *text, const alg_variant *variant,
                                    unsigned *quantities, base_error *err) BASE_MUST_CHECK;

/** Returns a word of bench_quantities_parse: the names, then "unified"; NULL after the last. */
const char *bench_quantity_word(size_t index);

/** The names of a mask, by value. */
typedef struct bench_quantities_text {
    char text[64];
} bench_quantities_text;

/** Returns "distance", "unified" for distance and volume alone, or else names separated by '+'. */
bench_quantities_text bench_quantities_name(unsigned quantities);

/** Returns the names of a mask, always individually, with a separator between them. */
bench_quantities_text bench_quantities_join(unsigned quantities, const char *separator);

enum { BENCH_ALL_QUANTITIES = (1 << ALG_QUANTITY_COUNT) - 1 };

/** Returns the truth (mask of GT_WANT_*) that answers to these quantities are compared with. */
unsigned bench_quantities_truth(unsigned quantities);

/**
 * Returns the quantity that bits of alg_answer.answered belong to, or ALG_QUANTITY_COUNT if they
 * belong to no single quantity.
 */
alg_quantity bench_quantity_of(uint32_t has);

#endif
