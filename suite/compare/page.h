/** RUN/index.html: the tables and figures of a run on one page, plain HTML without a script. */
#ifndef SUITE_PAGE_H
#define SUITE_PAGE_H

#include "suite/compare/digest.h"

/**
 * Writes RUN/index.html. It shows the digest, then for each scenario the time ratios and errors of
 * all variants and every SVG of RUN/figures for that scenario. Then each folder in RUN with a
 * simulations.csv follows with its table and its SVGs. Pictures are linked, not copied.
 *
 * The record must have its facts and launches; list: its comparisons with the baselines.
 * Errors   BASE_ERR_MEMORY; BASE_ERR_SYSTEM if it cannot be written; BASE_ERR_INPUT for a
 *          simulations.csv that cannot be read.
 */
base_status bench_page_write(const bench_record *record, const bench_comparisons *list,
                             const bench_front *front, bench_digest *digest,
                             base_error *err) BASE_MUST_CHECK;

/**
 * Appends a header and a row for each simulation of a folder of `simulate`, for people: 6 columns.
 * Errors: BASE_ERR_MEMORY; BASE_ERR_SYSTEM, BASE_ERR_INPUT for a file that cannot be read.
 */
base_status bench_page_simulations(const char *folder, bench_rows *rows,
                                   base_error *err) BASE_MUST_CHECK;

/**
 * Lists the folders in the run that hold a simulations.csv, sorted by name, in the arena,
 * NULL-terminated. Errors: BASE_ERR_MEMORY.
 */
base_status bench_page_find_simulations(const char *run, base_arena *arena, const char ***folders,
                                        base_error *err) BASE_MUST_CHECK;

#endif
