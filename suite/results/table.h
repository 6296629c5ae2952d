/** What people read: numbers as text, and the table of a run. */
#ifndef SUITE_TABLE_H
#define SUITE_TABLE_H

#include "suite/results/cells.h"

/** Text of a number; by value, so that several fit into one call of printf. */
typedef struct bench_number_text {
    char text[24];
} bench_number_text;

/** A time with three digits and a unit that suits it: "1.57 ms"; "-" for NaN. */
bench_number_text bench_time_text(double ns);
/** A share as a percentage: "0.707 %", "1.2e-07 %"; "-" for NaN. */
bench_number_text bench_percent_text(double share);

/**
 * A line for each quantity (mask ALG_WANT_*) of a cell; with `first` behind the heading. "max" is
 * the algorithm's worst case (the intrinsic maximum), "raw max" has the machine's in it; errors are
 * relative to the truth, and the mean error of contact is the share of frames whose verdict is
 * wrong.
 */
void bench_table_print(FILE *file, unsigned quantities, const bench_cell_row *row, bool first);

#endif
