#include "suite/suite.h"

#include "geometry/csv.h"
#include "geometry/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

geo_status bench_make_parents(const char *path, geo_error *err)
{
    char folder[4096];
    if (strlen(path) >= sizeof folder) {
        return geo_fail(err, GEO_ERR_ARGUMENT, "path of %zu bytes is too long", strlen(path));
    }
    strcpy(folder, path);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
            return geo_fail(err, GEO_ERR_SYSTEM, "cannot make folder '%s': %s", folder,
                            strerror(errno));
        }
        *slash = '/';
    }
    return GEO_OK;
}

/** A new file beside `path` that no other process writes. */
static FILE *open_temporary(const char *path, char *temporary, size_t size)
{
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(temporary, size, "%s.%ld-%u.tmp", path, (long)getpid(), i);
        const int descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0) {
            return fdopen(descriptor, "w");
        }
        if (errno != EEXIST) {
            return NULL;
        }
    }
    return NULL;
}

geo_status bench_output_open(const char *path, bench_output *output, geo_error *err)
{
    if (!path || strcmp(path, "-") == 0) {
        *output = (bench_output){.file = stdout, .path = "standard output"};
        return GEO_OK;
    }
    *output = (bench_output){.path = path};
    struct stat existing;
    if (stat(path, &existing) == 0 && !S_ISREG(existing.st_mode)) {
        output->file = fopen(path, "we");
    } else {
        const geo_status status = bench_make_parents(path, err);
        if (status != GEO_OK) {
            return status;
        }
        const size_t size = strlen(path) + 48;
        output->temporary = geo_alloc(size, 1);
        if (!output->temporary) {
            return geo_fail(err, GEO_ERR_MEMORY, "out of memory");
        }
        output->file = open_temporary(path, output->temporary, size);
    }
    if (!output->file) {
        const int reason = errno;
        geo_free(output->temporary);
        output->temporary = NULL;
        return geo_fail(err, GEO_ERR_SYSTEM, "cannot write '%s': %s", path, strerror(reason));
    }
    return GEO_OK;
}

/** Flushes and closes; false with the reason in errno (0: not known) if anything was lost. */
static bool close_stream(FILE *file, bool sync)
{
    errno = 0;
    bool good = fflush(file) == 0 && !ferror(file);
    if (good && sync) {
        good = fsync(fileno(file)) == 0;
    }
    const int reason = errno;
    if (file == stdout) {
        /* What is lost is told once: nothing is left that could fail again at the end. */
        __fpurge(file);
        clearerr(file);
    } else if (fclose(file) != 0 && good) {
        return false;
    }
    errno = reason;
    return good;
}

geo_status bench_output_close(bench_output *output, geo_status written, geo_error *err)
{
    const bool to_stdout = output->file == stdout, wanted = written == GEO_OK;
    bool good = close_stream(output->file, output->temporary && wanted);
    if (output->temporary && wanted && good) {
        good = rename(output->temporary, output->path) == 0;
    }
    const int reason = errno;
    if (output->temporary && !(wanted && good)) {
        remove(output->temporary);
    }
    geo_free(output->temporary);
    output->temporary = NULL;
    output->file = NULL;
    if (wanted && !good) {
        const char *const quote = to_stdout ? "" : "'";
        return geo_fail(err, GEO_ERR_SYSTEM, "cannot write %s%s%s: %s", quote, output->path, quote,
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
    char *const cell = geo_arena_alloc(&rows->arena, size, 1);
    void *cells = rows->cells;
    if (!cell || geo_grow(&cells, &rows->cell_capacity, rows->cell_count + 1, sizeof *rows->cells,
                          NULL) != GEO_OK) {
        rows->failed = true;
        return;
    }
    rows->cells = cells;
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
            if (!geo_text_number(rows->cells[i], &number)) {
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
    geo_csv_writer writer = {.file = file};
    for (size_t i = 0; i < rows->cell_count; i++) {
        if (*rows->cells[i]) {
            geo_csv_put_text(&writer, rows->cells[i]);
        } else {
            geo_csv_put_empty(&writer);
        }
        if ((i + 1) % rows->columns == 0) {
            geo_csv_end(&writer);
        }
    }
}

/** Is there a table that can be printed? */
static geo_status check_rows(const bench_rows *rows, geo_error *err)
{
    if (rows->failed) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory");
    }
    geo_assert(rows->columns > 0 && rows->columns <= BENCH_COLUMNS_MAX);
    geo_assert(rows->cell_count % rows->columns == 0);
    return GEO_OK;
}

geo_status bench_rows_print(const bench_rows *rows, bool csv, FILE *file, geo_error *err)
{
    const geo_status status = check_rows(rows, err);
    if (status != GEO_OK) {
        return status;
    }
    if (csv) {
        print_csv(rows, file);
    } else {
        print_table(rows, file);
    }
    return GEO_OK;
}

geo_status bench_rows_print_markdown(const bench_rows *rows, FILE *file, geo_error *err)
{
    const geo_status status = check_rows(rows, err);
    if (status == GEO_OK) {
        print_markdown(rows, file);
    }
    return status;
}

void bench_rows_release(bench_rows *rows)
{
    geo_arena_release(&rows->arena);
    geo_free(rows->cells);
    *rows = (bench_rows){.columns = rows->columns};
}
