#include "suite/output.h"

#include "base/csv.h"
#include "base/memory.h"
#include "base/text.h"
#include "suite/message.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

base_status bench_output_open(const char *path, bench_output *output, base_error *err)
{
    if (!path || strcmp(path, "-") == 0) {
        *output = (bench_output){.file = stdout, .path = "standard output"};
        return BASE_OK;
    }
    return base_output_open(path, output, err);
}

/** True if standard output is a pipe without a reader. May be called in signal handlers. */
static bool reader_gone(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) > 0 && (output.revents & POLLERR);
}

static void on_closed_pipe(int number)
{
    (void)number;
    const int before = errno;
    if (reader_gone()) {
        bench_leave(BENCH_READER_GONE);
    }
    errno = before;
}

void bench_output_follow_reader(void)
{
    const struct sigaction action = {.sa_handler = on_closed_pipe, .sa_flags = SA_RESTART};
    sigaction(SIGPIPE, &action, NULL);
}

void bench_output_outlive_reader(void)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignore, NULL);
}

base_status bench_output_close(bench_output *output, base_status written, base_error *err)
{
    if (output->file != stdout) {
        return base_output_close(output, written, err);
    }
    const bool good = base_stream_flush(stdout, false) || reader_gone();
    const int reason = errno;
    /* Discards the output: a loss is reported once, and nothing can fail again at the end. */
    __fpurge(stdout);
    clearerr(stdout);
    *output = (bench_output){.path = output->path};
    if (written == BASE_OK && !good) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot write %s: %s", output->path,
                         reason ? strerror(reason) : "output was lost");
    }
    return written;
}

/* --- Formats ---------------------------------------------------------------------------------- */

const char *const bench_format_names[] = {
    [BENCH_FORMAT_TABLE] = "table",
    [BENCH_FORMAT_CSV] = "csv",
    [BENCH_FORMAT_MARKDOWN] = "markdown",
    [BENCH_FORMAT_JSON] = "json",
    NULL,
};

base_status bench_format_parse(const char *text, bench_format *format, base_error *err)
{
    for (size_t i = 0; bench_format_names[i]; i++) {
        if (strcmp(text, bench_format_names[i]) == 0) {
            *format = (bench_format)i;
            return BASE_OK;
        }
    }
    char near[64];
    base_text_near(text, bench_format_names, near, sizeof near);
    return base_fail(err, BASE_ERR_ARGUMENT, "unknown format '%s': it is " BENCH_FORMAT_HELP "%s",
                     text, near);
}

bool bench_format_is_for_scripts(bench_format format)
{
    return format == BENCH_FORMAT_CSV || format == BENCH_FORMAT_JSON;
}

size_t bench_output_width(FILE *file)
{
    struct winsize size;
    if (ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return size.ws_col;
    }
    const char *const columns = getenv("COLUMNS");
    double asked;
    const double least = 100, most = 10000;
    return columns && base_text_number(columns, &asked) && asked > least && asked <= most
               ? (size_t)asked
               : (size_t)least;
}

/* --- Rows ------------------------------------------------------------------------------------- */

/** Adds a field. text: in the arena; NULL if memory was exhausted. */
static void add_field(bench_rows *rows, const char *text, bool is_number)
{
    if (!text || base_reserve(rows->fields, rows->capacity, rows->count + 1, NULL) != BASE_OK) {
        rows->failed = true;
        return;
    }
    rows->fields[rows->count++] = (bench_row_field){text, is_number};
}

void bench_rows_put(bench_rows *rows, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t size = (size_t)vsnprintf(NULL, 0, format, arguments) + 1;
    va_end(arguments);
    char *const text = base_arena_alloc(&rows->arena, size, 1);
    if (text) {
        va_start(arguments, format);
        vsnprintf(text, size, format, arguments);
        va_end(arguments);
    }
    add_field(rows, text, false);
}

void bench_rows_put_names(bench_rows *rows, const char *const *names)
{
    for (size_t i = 0; i < rows->columns && names[i]; i++) {
        bench_rows_put(rows, "%s", names[i]);
    }
}

void bench_rows_put_number(bench_rows *rows, double value)
{
    char digits[32] = "";
    if (!isnan(value)) {
        snprintf(digits, sizeof digits, "%.17g", value);
    }
    bench_rows_put_digits(rows, digits);
}

void bench_rows_put_count(bench_rows *rows, uint64_t value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRIu64, value);
    bench_rows_put_digits(rows, digits);
}

void bench_rows_put_digits(bench_rows *rows, const char *digits)
{
    add_field(rows, base_arena_text(&rows->arena, digits), true);
}

/** Returns the width of UTF-8 text in characters. */
static size_t text_width(const char *text, size_t bytes)
{
    size_t width = 0;
    for (size_t i = 0; i < bytes; i++) {
        width += ((unsigned char)text[i] & 0xc0) != 0x80;
    }
    return width;
}

static void print_blanks(FILE *file, size_t count)
{
    while (count-- > 0) {
        fputc(' ', file);
    }
}

/** True if all non-empty fields of the column are numbers; such columns are right-aligned. */
static bool column_is_numeric(const bench_rows *rows, size_t column)
{
    bool any = false;
    for (size_t i = rows->columns + column; i < rows->count; i += rows->columns) {
        double number;
        if (*rows->fields[i].text) {
            any = true;
            if (!base_text_number(rows->fields[i].text, &number)) {
                return false;
            }
        }
    }
    return any;
}

/**
 * Narrows columns, the widest first, until the table has the requested width or a word would be
 * cut.
 */
static void narrow(const bench_rows *rows, size_t *widths)
{
    size_t words[BENCH_COLUMNS_MAX], total = 2 * (rows->columns - 1);
    for (size_t i = 0; i < rows->columns; i++) {
        total += widths[i];
        words[i] = 0; /* the widest word of the column */
        for (size_t k = i; k < rows->count; k += rows->columns) {
            for (const char *word = rows->fields[k].text; *word; word += *word == ' ') {
                const size_t bytes = strcspn(word, " ");
                const size_t width = text_width(word, bytes);
                words[i] = width > words[i] ? width : words[i];
                word += bytes;
            }
        }
    }
    for (; total > rows->width; total--) {
        size_t widest = rows->columns;
        for (size_t i = 0; i < rows->columns; i++) {
            const bool larger = widest == rows->columns || widths[i] > widths[widest];
            widest = widths[i] > words[i] && larger ? i : widest;
        }
        if (widest == rows->columns) {
            return;
        }
        widths[widest]--;
    }
}

/**
 * Prints the next line of each field, and moves the texts past it. Returns true if text is left.
 */
static bool print_line(const bench_rows *rows, const char **texts, const size_t *widths,
                       const bool *numeric, FILE *file)
{
    bool left = false;
    for (size_t c = 0; c < rows->columns; c++) {
        size_t bytes = strcspn(texts[c], " "); /* as many whole words as fit */
        while (texts[c][bytes]) {
            const size_t more = bytes + 1 + strcspn(texts[c] + bytes + 1, " ");
            if (text_width(texts[c], more) > widths[c]) {
                break;
            }
            bytes = more;
        }
        const size_t padding = widths[c] - text_width(texts[c], bytes);
        const bool last = c + 1 == rows->columns;
        print_blanks(file, numeric[c] ? padding : 0);
        fwrite(texts[c], 1, bytes, file);
        print_blanks(file, numeric[c] || last ? 0 : padding);
        fputs(last ? "\n" : "  ", file);
        texts[c] += bytes + strspn(texts[c] + bytes, " ");
        left = left || *texts[c];
    }
    return left;
}

static void print_table(const bench_rows *rows, FILE *file)
{
    size_t widths[BENCH_COLUMNS_MAX];
    bool numeric[BENCH_COLUMNS_MAX];
    base_assert(rows->columns <= BENCH_COLUMNS_MAX);
    for (size_t i = 0; i < rows->columns; i++) {
        numeric[i] = column_is_numeric(rows, i);
        widths[i] = 0;
        for (size_t k = i; k < rows->count; k += rows->columns) {
            const char *const text = rows->fields[k].text;
            const size_t width = text_width(text, strlen(text));
            widths[i] = width > widths[i] ? width : widths[i];
        }
    }
    if (rows->width > 0) {
        narrow(rows, widths);
    }
    for (size_t i = 0; i < rows->count; i += rows->columns) {
        const char *texts[BENCH_COLUMNS_MAX];
        for (size_t c = 0; c < rows->columns; c++) {
            texts[c] = rows->fields[i + c].text;
        }
        while (print_line(rows, texts, widths, numeric, file)) {
        }
    }
}

/**
 * Escapes bars, which would end the field, and characters that are markup. Line breaks, which would
 * end the row, become blanks.
 */
void bench_markdown_put(FILE *file, const char *text)
{
    for (; *text; text++) {
        if (*text == '<' || *text == '&') {
            fputs(*text == '<' ? "&lt;" : "&amp;", file);
        } else {
            fputs(strchr("|`[", *text) ? "\\" : "", file);
            fputc((unsigned char)*text < 0x20 ? ' ' : *text, file);
        }
    }
}

static void print_markdown(const bench_rows *rows, FILE *file)
{
    for (size_t i = 0; i < rows->count; i++) {
        const size_t column = i % rows->columns;
        fputs(column == 0 ? "|" : "", file);
        fputs(" ", file);
        bench_markdown_put(file, rows->fields[i].text);
        fputs(" |", file);
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

void bench_html_put(FILE *file, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '&':
            fputs("&amp;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        default:
            fputc(*text, file);
        }
    }
}

static void print_csv(const bench_rows *rows, FILE *file)
{
    base_csv_writer writer = {.file = file};
    for (size_t i = 0; i < rows->count; i++) {
        if (*rows->fields[i].text) {
            base_csv_put_text(&writer, rows->fields[i].text);
        } else {
            base_csv_put_empty(&writer);
        }
        if ((i + 1) % rows->columns == 0) {
            base_csv_end(&writer);
        }
    }
}

void bench_json_put(FILE *file, const char *text)
{
    fputc('"', file);
    for (size_t bytes; *text; text += bytes > 0 ? bytes : 1) {
        bytes = base_text_utf8(text);
        const unsigned char byte = (unsigned char)*text;
        if (bytes == 0) {
            fputs("\\ufffd", file);
        } else if (byte == '"' || byte == '\\') {
            fprintf(file, "\\%c", byte);
        } else if (byte < 0x20 || byte == '<') {
            fprintf(file, "\\u%04x", byte);
        } else {
            fwrite(text, 1, bytes, file);
        }
    }
    fputc('"', file);
}

static void print_json(const bench_rows *rows, FILE *file)
{
    fputs("[", file);
    for (size_t i = rows->columns; i < rows->count; i++) {
        const size_t column = i % rows->columns;
        fputs(column > 0 ? ", " : i > rows->columns ? ",\n  {" : "\n  {", file);
        bench_json_put(file, rows->fields[column].text);
        fputs(": ", file);
        const bench_row_field *const field = &rows->fields[i];
        const size_t length = strlen(field->text);
        const unsigned char last = length > 0 ? (unsigned char)field->text[length - 1] : 0;
        /* A number that ends in a letter is an infinity, which JSON lacks. */
        if (length == 0 || (field->is_number && !isdigit(last))) {
            fputs("null", file);
        } else if (field->is_number) {
            fputs(field->text, file);
        } else {
            bench_json_put(file, field->text);
        }
        fputs(column + 1 == rows->columns ? "}" : "", file);
    }
    fputs("\n]\n", file);
}

base_status bench_rows_print(const bench_rows *rows, bench_format format, FILE *file,
                             base_error *err)
{
    static void (*const printers[])(const bench_rows *, FILE *) = {
        [BENCH_FORMAT_TABLE] = print_table,
        [BENCH_FORMAT_CSV] = print_csv,
        [BENCH_FORMAT_MARKDOWN] = print_markdown,
        [BENCH_FORMAT_JSON] = print_json,
    };
    if (rows->failed) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    base_assert(rows->columns > 0);
    base_assert(rows->count % rows->columns == 0);
    printers[format](rows, file);
    return BASE_OK;
}

void bench_rows_release(bench_rows *rows)
{
    base_arena_release(&rows->arena);
    base_free(rows->fields);
    *rows = (bench_rows){.columns = rows->columns};
}

base_status bench_rows_finish(bench_rows *rows, bench_format format, FILE *file, base_error *err)
{
    const base_status status = bench_rows_print(rows, format, file, err);
    bench_rows_release(rows);
    return status;
}
