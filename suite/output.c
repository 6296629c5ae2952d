#include "suite/output.h"

#include "base/csv.h"
#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio_ext.h>
#include <string.h>

base_status bench_output_open(const char *path, bench_output *output, base_error *err)
{
    if (!path || strcmp(path, "-") == 0) {
        *output = (bench_output){.file = stdout, .path = "standard output"};
        return BASE_OK;
    }
    return base_output_open(path, output, err);
}

base_status bench_output_close(bench_output *output, base_status written, base_error *err)
{
    if (output->file != stdout) {
        return base_output_close(output, written, err);
    }
    const bool good = base_stream_flush(stdout, false);
    const int reason = errno;
    /* A loss is reported once: nothing is left that could fail again at the end. */
    __fpurge(stdout);
    clearerr(stdout);
    *output = (bench_output){.path = output->path};
    if (written == BASE_OK && !good) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot write %s: %s", output->path,
                         reason ? strerror(reason) : "output was lost");
    }
    return written;
}

/* --- Rows ------------------------------------------------------------------------------------- */

void bench_rows_put(bench_rows *rows, const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const size_t size = strlen(text) + 1;
    char *const cell = base_arena_alloc(&rows->arena, size, 1);
    if (!cell ||
        base_reserve(rows->cells, rows->cell_capacity, rows->cell_count + 1, NULL) != BASE_OK) {
        rows->failed = true;
        return;
    }
    memcpy(cell, text, size);
    rows->cells[rows->cell_count++] = cell;
}

/** Width in characters of UTF-8 text. */
static size_t text_width(const char *text)
{
    size_t width = 0;
    for (; *text; text++) {
        width += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return width;
}

static void print_blanks(FILE *file, size_t count)
{
    while (count-- > 0) {
        fputc(' ', file);
    }
}

/** A column of numbers is aligned on the right. */
static bool column_is_numeric(const bench_rows *rows, size_t column)
{
    bool any = false;
    for (size_t i = rows->columns + column; i < rows->cell_count; i += rows->columns) {
        double number;
        if (*rows->cells[i]) {
            any = true;
            if (!base_text_number(rows->cells[i], &number)) {
                return false;
            }
        }
    }
    return any;
}

static size_t column_width(const bench_rows *rows, size_t column)
{
    size_t widest = 0;
    for (size_t i = column; i < rows->cell_count; i += rows->columns) {
        const size_t width = text_width(rows->cells[i]);
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void print_table(const bench_rows *rows, FILE *file)
{
    size_t widths[BENCH_COLUMNS_MAX];
    bool numeric[BENCH_COLUMNS_MAX];
    for (size_t i = 0; i < rows->columns; i++) {
        widths[i] = column_width(rows, i);
        numeric[i] = column_is_numeric(rows, i);
    }
    for (size_t i = 0; i < rows->cell_count; i++) {
        const size_t column = i % rows->columns;
        const size_t padding = widths[column] - text_width(rows->cells[i]);
        const bool last = column + 1 == rows->columns;
        print_blanks(file, numeric[column] ? padding : 0);
        fputs(rows->cells[i], file);
        print_blanks(file, numeric[column] || last ? 0 : padding);
        fputs(last ? "\n" : "  ", file);
    }
}

/** A cell of a Markdown table: a bar would end it. */
static void print_markdown_cell(FILE *file, const char *text)
{
    fputs(" ", file);
    for (; *text; text++) {
        fputs(*text == '|' ? "\\" : "", file);
        fputc(*text, file);
    }
    fputs(" |", file);
}

static void print_markdown(const bench_rows *rows, FILE *file)
{
    for (size_t i = 0; i < rows->cell_count; i++) {
        const size_t column = i % rows->columns;
        fputs(column == 0 ? "|" : "", file);
        print_markdown_cell(file, rows->cells[i]);
        if (column + 1 < rows->columns) {
            continue;
        }
        fputs("\n", file);
        for (size_t c = 0; i + 1 == rows->columns && c < rows->columns; c++) {
            fprintf(file, "%s%s%s", c == 0 ? "|" : "", column_is_numeric(rows, c) ? "--:|" : ":--|",
                    c + 1 == rows->columns ? "\n" : "");
        }
    }
}

static void print_csv(const bench_rows *rows, FILE *file)
{
    base_csv_writer writer = {.file = file};
    for (size_t i = 0; i < rows->cell_count; i++) {
        if (*rows->cells[i]) {
            base_csv_put_text(&writer, rows->cells[i]);
        } else {
            base_csv_put_empty(&writer);
        }
        if ((i + 1) % rows->columns == 0) {
            base_csv_end(&writer);
        }
    }
}

/** Errors: BASE_ERR_MEMORY. */
static base_status check_rows(const bench_rows *rows, base_error *err)
{
    if (rows->failed) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    base_assert(rows->columns > 0 && rows->columns <= BENCH_COLUMNS_MAX);
    base_assert(rows->cell_count % rows->columns == 0);
    return BASE_OK;
}

base_status bench_rows_print(const bench_rows *rows, bool csv, FILE *file, base_error *err)
{
    const base_status status = check_rows(rows, err);
    if (status != BASE_OK) {
        return status;
    }
    if (csv) {
        print_csv(rows, file);
    } else {
        print_table(rows, file);
    }
    return BASE_OK;
}

base_status bench_rows_print_markdown(const bench_rows *rows, FILE *file, base_error *err)
{
    const base_status status = check_rows(rows, err);
    if (status != BASE_OK) {
        return status;
    }
    print_markdown(rows, file);
    return BASE_OK;
}

void bench_rows_release(bench_rows *rows)
{
    base_arena_release(&rows->arena);
    base_free(rows->cells);
    *rows = (bench_rows){.columns = rows->columns};
}
