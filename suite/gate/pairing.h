/**
 * The frames of one cell, old beside new, column by column: what answers.c and work.c compare.
 */
#ifndef SUITE_PAIRING_H
#define SUITE_PAIRING_H

#include "suite/gate/baseline.h"
#include "suite/gate/findings.h"

/** A column of what is expected, and where the other side has it. */
typedef struct bench_pair_column {
    const char *name;
    int expected, got;      /* -1: nowhere */
    int truth_lo, truth_hi; /* in got; -1: it has no truth */
    int quantity;           /* that it belongs to; -1: none */
    bool judged_by_error;   /* of a quantity that is approximated */
} bench_pair_column;

/** A cell's columns of one role, and its frames. */
typedef struct bench_pairing {
    const bench_gate_frames *expected, *got; /* borrowed */
    bench_pair_column *columns;
    size_t column_count;
    size_t frame_count;     /* that both have */
    uint64_t tolerance_ulp; /* of answers; the caller's */
    bench_gate_report *report;
} bench_pairing;

/**
 * Columns of one role that both sides, or only what is expected, have. contract: as of
 * bench_cell_row, by which answers are judged. base_free(pairing->columns) is due. False: out of
 * memory.
 */
bool bench_pairing_make(const bench_gate_frames *expected, const bench_gate_frames *got,
                        bench_role role, const char *contract, bench_gate_report *report,
                        bench_pairing *pairing);

/** What is in a frame, "" where there is nothing; frames count from 0, whatever their number. */
const char *bench_pairing_old(const bench_pairing *p, const bench_pair_column *column,
                              size_t frame);
const char *bench_pairing_new(const bench_pairing *p, const bench_pair_column *column,
                              size_t frame);
/** The same as numbers; NaN for what is none. */
double bench_pairing_old_number(const bench_pairing *p, const bench_pair_column *column,
                                size_t frame);
double bench_pairing_new_number(const bench_pairing *p, const bench_pair_column *column,
                                size_t frame);

/** The truth's bracket of a column in a frame; both ends NaN where it is not known. */
typedef struct bench_truth_bracket {
    double lo, hi;
} bench_truth_bracket;

bench_truth_bracket bench_pairing_truth(const bench_pairing *p, const bench_pair_column *column,
                                        size_t frame);

/** Adds a finding about a frame. */
void bench_pairing_tell(const bench_pairing *p, const bench_pair_column *column, size_t frame,
                        bool failed, const char *note);
/** "... and 7 more frames WHAT", when more were found than are told one by one. */
void bench_pairing_tell_more(const bench_pairing *p, size_t found, bool failed, const char *what);
/** Tells of columns of the role with values that are expected nowhere. */
void bench_pairing_tell_new_columns(const bench_pairing *p, bench_role role);

#endif
