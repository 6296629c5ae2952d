/** The frames of a cell in a report: one array for each column of its file of frames. */
#ifndef SUITE_REPORT_STRIPS_H
#define SUITE_REPORT_STRIPS_H

#include "suite/report/json.h"
#include "suite/results/record.h"

/**
 * Puts "columns", the indices of arrays, and "constants", the values of columns that are equal in
 * all frames; empty columns are in neither. Verdicts are numbers: 0 none, 1 tp, 2 tn, 3 fp, 4 fn, 5
 * ambiguous. The errors that a tolerance may limit keep all their digits, so that a page counts
 * frames as the program does.
 *
 * bytes_most: per frame, about. The median time, the errors of the asked quantities and the verdict
 * are always put, and then answers, truth and all other columns as far as there is room. "left_out"
 * lists the rest.
 * Errors: BASE_ERR_MEMORY; lack of memory for arrays is reported by bench_arrays_finish.
 */
base_status bench_strips_put(const bench_cell_row *cell, const base_csv *frames, size_t bytes_most,
                             bench_arrays *arrays, bench_json *json,
                             base_error *err) BASE_MUST_CHECK;

/**
 * Puts the regions of the frames, 16 numbers each: frame, direction, depth, and the window's
 * middle, sides and half lengths. Nothing is put if the cell has no file of regions. At most 20,000
 * regions are put.
 * Errors: those of base_csv_read and bench_run_file.
 */
base_status bench_strips_put_regions(const bench_record *record, const bench_cell_row *cell,
                                     bench_arrays *arrays, bench_json *json,
                                     base_error *err) BASE_MUST_CHECK;

#endif
