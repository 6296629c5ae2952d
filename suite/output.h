/** Output of the program: files and standard output, and rows for people or for scripts. */
#ifndef SUITE_OUTPUT_H
#define SUITE_OUTPUT_H

#include "base/file.h"
#include "base/memory.h"

/** The target of rows: a file that gets its name only when it is complete, or standard output. */
typedef base_output bench_output;

/** Opens a target as base_output_open does; path NULL or "-": standard output. */
base_status bench_output_open(const char *path, bench_output *output,
                              base_error *err) BASE_MUST_CHECK;
/** Closes a target as base_output_close does. */
base_status bench_output_close(bench_output *output, base_status written,
                               base_error *err) BASE_MUST_CHECK;

/**
 * Makes the program end with BENCH_READER_GONE and without a message when it writes to a standard
 * output whose reader has gone (`proxbench list | head`). For other closed pipes, the write
 * fails.
 */
void bench_output_follow_reader(void);

/**
 * Reverts this: the program continues without a reader and ends with its own status, because its
 * printed output is not its result.
 */
void bench_output_outlive_reader(void);

/* --- Formats ---------------------------------------------------------------------------------- */

/**
 * The format of rows. Tables and Markdown are for people, and may have other columns than CSV and
 * JSON, which are for scripts and have the same columns.
 */
typedef enum bench_format {
    BENCH_FORMAT_TABLE, /* columns padded to their widest field */
    BENCH_FORMAT_CSV,
    BENCH_FORMAT_MARKDOWN,
    BENCH_FORMAT_JSON, /* an array of objects, one per row: {"column": value, ...} */
} bench_format;

/** Names of the formats that options accept, by bench_format; then NULL. */
extern const char *const bench_format_names[];
#define BENCH_FORMAT_HELP "table, csv, markdown or json"

/** Parses the name of a format. Errors: BASE_ERR_ARGUMENT, with similar names. */
base_status bench_format_parse(const char *text, bench_format *format,
                               base_error *err) BASE_MUST_CHECK;
/** True for CSV and JSON. */
bool bench_format_is_for_scripts(bench_format format);

/* --- Rows ------------------------------------------------------------------------------------- */

/** One field of a row. */
typedef struct bench_row_field {
    const char *text; /* "": empty, in JSON null */
    bool is_number;   /* in JSON: not a string */
} bench_row_field;

/**
 * Rows for people or for scripts. Fields are put one after another, the header first. Lack of
 * memory is reported by bench_rows_print. A zeroed struct with `columns` set is empty.
 */
typedef struct bench_rows {
    size_t columns; /* in a table at most BENCH_COLUMNS_MAX */
    size_t width;   /* of a table: texts are broken between words to keep lines within it, unless a
                       word is too long; 0: every row is one line */
    bench_row_field *fields;
    size_t count, capacity;
    base_arena arena;
    bool failed;
} bench_rows;

enum { BENCH_COLUMNS_MAX = 16 };

void bench_rows_put(bench_rows *rows, const char *format, ...) BASE_PRINTF(2, 3);
/** Puts a header: `columns` names, or those before NULL. */
void bench_rows_put_names(bench_rows *rows, const char *const *names);
/** Puts a number with 17 digits; empty for NaN. */
void bench_rows_put_number(bench_rows *rows, double value);
void bench_rows_put_count(bench_rows *rows, uint64_t value);
/** Puts a number that is already a text of decimal digits; or "". */
void bench_rows_put_digits(bench_rows *rows, const char *digits);

/**
 * Prints the rows. JSON follows RFC 8259: counts keep all their digits, infinities are null, and
 * each byte that is not UTF-8 becomes U+FFFD.
 *
 * Errors   BASE_ERR_MEMORY. Errors of the stream are detected when it is closed.
 */
base_status bench_rows_print(const bench_rows *rows, bench_format format, FILE *file,
                             base_error *err) BASE_MUST_CHECK;
void bench_rows_release(bench_rows *rows);
/** Prints the rows as bench_rows_print does, and releases them. */
base_status bench_rows_finish(bench_rows *rows, bench_format format, FILE *file,
                              base_error *err) BASE_MUST_CHECK;

/**
 * Returns the number of columns of the terminal. If the stream is not a terminal, returns 100, or
 * COLUMNS of the environment if that is greater.
 */
size_t bench_output_width(FILE *file);

/**
 * Writes plain text as a string of JSON, with its quotes. Each byte that is not UTF-8 becomes
 * U+FFFD. '<' is escaped, so that a script element of a page can contain the string.
 */
void bench_json_put(FILE *file, const char *text);
/** Writes plain text to an HTML page; also valid between the quotes of an attribute. */
void bench_html_put(FILE *file, const char *text);
/**
 * Writes plain text to a field of a Markdown table, or outside of a table. Characters that would be
 * markup or would end the field or the row are escaped or replaced.
 */
void bench_markdown_put(FILE *file, const char *text);

#endif
