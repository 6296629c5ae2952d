/** What the program prints: files and standard output, and rows for people or for scripts. */
#ifndef SUITE_OUTPUT_H
#define SUITE_OUTPUT_H

#include "base/arena.h"
#include "base/file.h"

/** Where rows go: a file that gets its name only when it is complete, or standard output. */
typedef base_output bench_output;

/** As base_output_open; path NULL or "-": standard output. */
base_status bench_output_open(const char *path, bench_output *output,
                              base_error *err) BASE_MUST_CHECK;
/** As base_output_close. */
base_status bench_output_close(bench_output *output, base_status written,
                               base_error *err) BASE_MUST_CHECK;

/**
 * Rows for people or for scripts: columns padded to their widest cell, or CSV. Cells are put one
 * after another, the header first. Out of memory is told by bench_rows_print. A zeroed one with
 * `columns` set is empty.
 */
typedef struct bench_rows {
    size_t columns; /* at most BENCH_COLUMNS_MAX */
    char **cells;
    size_t cell_count, cell_capacity;
    base_arena arena;
    bool failed;
} bench_rows;

enum { BENCH_COLUMNS_MAX = 16 };

void bench_rows_put(bench_rows *rows, const char *format, ...) BASE_PRINTF(2, 3);
/** Errors: BASE_ERR_MEMORY. What the stream lost is found when it is closed. */
base_status bench_rows_print(const bench_rows *rows, bool csv, FILE *file,
                             base_error *err) BASE_MUST_CHECK;
/** The same as a Markdown table. */
base_status bench_rows_print_markdown(const bench_rows *rows, FILE *file,
                                      base_error *err) BASE_MUST_CHECK;
void bench_rows_release(bench_rows *rows);

#endif
