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
 * From here on the program ends, with BENCH_READER_GONE and without a word, when it writes to a
 * standard output whose reader has gone: `proxbench list | head`. Other closed pipes are errors of
 * whoever writes to them.
 */
void bench_output_follow_reader(void);

/** No longer: what is printed is not the work, which goes on and ends with its own status. */
void bench_output_outlive_reader(void);

/* --- Formats ---------------------------------------------------------------------------------- */

/**
 * What rows are printed as. A table and Markdown are for people, and may have other columns than
 * CSV and JSON, which are for scripts and have the same.
 */
typedef enum bench_format {
    BENCH_FORMAT_TABLE, /* columns padded to their widest cell */
    BENCH_FORMAT_CSV,
    BENCH_FORMAT_MARKDOWN,
    BENCH_FORMAT_JSON, /* an array of objects, one a row: {"column": value, ...} */
    BENCH_FORMAT_HTML, /* a <table>, for pages; no option asks for it */
} bench_format;

/** Of the option that chooses one. */
/** Those that options accept, by bench_format; then NULL. */
extern const char *const bench_format_names[];
#define BENCH_FORMAT_HELP "table, csv, markdown or json"

/** A format by its name. Errors: BASE_ERR_ARGUMENT, with the near names. */
base_status bench_format_parse(const char *text, bench_format *format,
                               base_error *err) BASE_MUST_CHECK;
/** CSV or JSON? */
bool bench_format_is_for_scripts(bench_format format);

/* --- Rows ------------------------------------------------------------------------------------- */

/** One field of a row. */
typedef struct bench_row_field {
    const char *text; /* "": empty, in JSON null */
    bool is_number;   /* in JSON: no string */
} bench_row_field;

/**
 * Rows for people or for scripts. Fields are put one after another, the header first. Out of
 * memory is told by bench_rows_print. A zeroed one with `columns` set is empty.
 */
typedef struct bench_rows {
    size_t columns; /* of a table at most BENCH_COLUMNS_MAX */
    size_t width;   /* of a table: texts are broken between words so that its lines are no longer,
                       if no word is too long for that; 0: every row is a line */
    bench_row_field *fields;
    size_t count, capacity;
    base_arena arena;
    bool failed;
} bench_rows;

enum { BENCH_COLUMNS_MAX = 16 };

void bench_rows_put(bench_rows *rows, const char *format, ...) BASE_PRINTF(2, 3);
/** With 17 digits; empty for NaN. */
void bench_rows_put_number(bench_rows *rows, double value);
void bench_rows_put_count(bench_rows *rows, uint64_t value);
/** A number that is a text already, in decimal digits; or "". */
void bench_rows_put_digits(bench_rows *rows, const char *digits);

/**
 * JSON is that of RFC 8259: counts keep all their digits, infinities are null, and of text that is
 * no UTF-8 each byte becomes U+FFFD.
 *
 * Errors   BASE_ERR_MEMORY. What the stream lost is found when it is closed.
 */
base_status bench_rows_print(const bench_rows *rows, bench_format format, FILE *file,
                             base_error *err) BASE_MUST_CHECK;
void bench_rows_release(bench_rows *rows);

/** Columns of the terminal that a stream is; otherwise 100, or COLUMNS of the environment if that
 * is greater. */
size_t bench_output_width(FILE *file);

/** Plain text on an HTML page, also between quotes of an attribute. */
void bench_html_put(FILE *file, const char *text);
/** Plain text in a cell of a Markdown table, or beside one: none of it is markup or ends the row.
 */
void bench_markdown_put(FILE *file, const char *text);

#endif
