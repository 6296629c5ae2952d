/**
 * The frames of one cell, old beside new, column by column, for answers.c and work.c.
 */
#ifndef SUITE_PAIRING_H
#define SUITE_PAIRING_H

#include "suite/gate/baseline.h"
#include "suite/gate/findings.h"

/** A column of the expected side, and its index on the other side. */
typedef struct bench_pair_column {
    const char *name;
    int expected, got;      /* indices of the column; -1: missing */
    int truth_lo, truth_hi; /* indices in got; -1: no truth */
    int quantity;           /* quantity of the column; -1: no single one */
    bool judged_by_error;   /* true if its quantity is approximated */
} bench_pair_column;

/** A cell's columns of one role, and its frames. */
typedef struct bench_pairing {
    const bench_gate_frames *expected, *got; /* borrowed */
    bench_pair_column *columns;
    size_t column_count;
    size_t frame_count;     /* frames that both sides have */
    uint64_t tolerance_ulp; /* tolerance of answers; set by the caller */
    bench_gate_report *report;
} bench_pairing;

/**
 * Fills `pairing` with the expected columns of one role, and with their indices on the other side.
 * contract: as in bench_cell_row; answers are judged by it. The caller must call
 * base_free(pairing->columns). Returns false if memory is exhausted.
 */
bool bench_pairing_make(const bench_gate_frames *expected, const bench_gate_frames *got,
                        bench_role role, const char *contract, bench_gate_report *report,
                        bench_pairing *pairing);

/**
 * Return the text in a frame, or "" if it is empty. `frame` is an index from 0, not the frame's
 * number.
 */
const char *bench_pairing_old(const bench_pairing *p, const bench_pair_column *column,
                              size_t frame);
const char *bench_pairing_new(const bench_pairing *p, const bench_pair_column *column,
                              size_t frame);
/** Return the same as numbers; NaN if the text is not a number. */
double bench_pairing_old_number(const bench_pairing *p, const bench_pair_column *column,
                                size_t frame);
double bench_pairing_new_number(const bench_pairing *p, const bench_pair_column *column,
                                size_t frame);

/** The truth's interval of a column in a frame; both ends are NaN if it is unknown. */
typedef struct bench_truth_bracket {
    double lo, hi;
} bench_truth_bracket;

bench_truth_bracket bench_pairing_truth(const bench_pairing *p, const bench_pair_column *column,
                                        size_t frame);

/** Adds a finding about a frame. */
void bench_pairing_tell(const bench_pairing *p, const bench_pair_column *column, size_t frame,
                        bool failed, const char *note);
/** Adds "... and 7 more frames WHAT" if there are more findings than are listed. */
void bench_pairing_tell_more(const bench_pairing *p, size_t found, bool failed, const char *what);
/** Adds a note for each column of the role that has values and that the expected side lacks. */
void bench_pairing_tell_new_columns(const bench_pairing *p, bench_role role);

#endif
