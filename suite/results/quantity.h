/**
 * What can be asked of an algorithm: one row of a table each.
 *
 * To add a quantity: its value in alg_quantity, its row in quantity.c, and its columns in cells.c
 * and frames.c. Judging, summing up, deadlines and comparisons loop over the rows.
 */
#ifndef SUITE_QUANTITY_H
#define SUITE_QUANTITY_H

#include "algorithms/algorithms.h"
#include "algorithms/registry.h"
#include "base/error.h"

#include <stddef.h>

/** How the distance of an answer to the truth, and the width of a bracket, are measured. */
typedef enum bench_error_kind {
    BENCH_ERROR_REL,  /* (answer - truth) / truth; where the truth is above the quantity's floor */
    BENCH_ERROR_SIZE, /* (answer - truth) / size */
    BENCH_WIDTH_REL,  /* (hi - lo) / truth; where BENCH_ERROR_REL is known */
    BENCH_WIDTH_SIZE, /* (hi - lo) / size */
    BENCH_ERROR_COUNT
} bench_error_kind;

/** Sizes that errors are relative to. */
typedef struct bench_scale {
    double diagonal_a_m;
    double smaller_volume_m3;
} bench_scale;

typedef struct bench_quantity {
    const char *name;
    unsigned truth;        /* mask GT_WANT_*: what it is judged by */
    uint32_t has;          /* bit of alg_answer.answered */
    size_t certificate_of; /* of the truth: offset of an int in gt_truth */
    bool is_number;   /* otherwise it is judged by verdicts alone, and the members below are 0 */
    size_t answer;    /* offsets of the number and of its truth: in alg_answer and in gt_truth */
    size_t truth_of;  /* the same */
    uint32_t bracket; /* bit of alg_answer.answered */
    size_t lo, hi;    /* offsets of the bracket in alg_answer */
    size_t size;      /* offset of the size in bench_scale */
    const char *size_name;
    double floor;           /* in sizes: below it an error relative to the truth says nothing */
    bench_error_kind error; /* what fronts, deadlines and needs look at */
    const char *error_of;   /* of what that is a share */
} bench_quantity;

/** In the order of alg_quantity. */
extern const bench_quantity bench_quantities[ALG_QUANTITY_COUNT];

/** "distance", "volume", "contact" or "both" (also "distance,volume", "unified") to a mask of
 * ALG_WANT_*. */
base_status bench_quantities_parse(const char *text, unsigned *quantities,
                                   base_error *err) BASE_MUST_CHECK;
/** "distance", "volume", "contact" or "unified" (distance and volume in one query). */
const char *bench_quantities_name(unsigned quantities);
/** The truth (mask of GT_WANT_*) that answers to these quantities are held against. */
unsigned bench_quantities_truth(unsigned quantities);

#endif
