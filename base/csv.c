#include "base/csv.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#include <csv.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/** The bytes of the file. */
typedef struct bytes {
    char *at;
    size_t size;
} bytes;

/**
 * State that the parser's callbacks fill. The arrays are long enough for any content of the file.
 */
typedef struct reader {
    const char *path;
    base_csv_format format;
    char **cells; /* records one after the other */
    size_t cell_count;
    size_t *lines;
    size_t record_count;
    char *text; /* the unused rest of the storage for the texts of all cells */
    size_t columns;
    size_t fields;      /* number of fields of the current record */
    size_t line;        /* number of the current line, from 1 */
    size_t record_line; /* line on which the current record began */
    bool open;          /* a record has begun and not ended: a quoted field spans lines */
    bool ended;         /* a record ended on this line */
    bool quoted;        /* for fold_blanks: the line continues inside quotes */
    base_status status; /* status of the callbacks, which cannot return one */
    base_error *err;
} reader;

/* --- The buffer of libcsv --------------------------------------------------------------------- */

/* The buffer is allocated by base_alloc, and its capacity is stored in front of it. The capacity
 * at least doubles: libcsv requests growth in fixed steps, and copying the buffer at each of them
 * would cost quadratic time for a long field. */

#define BUFFER_HEADER ((size_t)64)

static void buffer_free(void *buffer)
{
    if (buffer) {
        base_free((char *)buffer - BUFFER_HEADER);
    }
}

static void *buffer_realloc(void *buffer, size_t size)
{
    size_t capacity = 0;
    if (buffer) {
        memcpy(&capacity, (char *)buffer - BUFFER_HEADER, sizeof capacity);
        if (size <= capacity) {
            return buffer;
        }
    }
    const size_t target = size / 2 > capacity ? size : 2 * size;
    char *const storage = base_alloc(1, BUFFER_HEADER + target);
    if (!storage) {
        return NULL;
    }
    memcpy(storage, &target, sizeof target);
    if (buffer) {
        memcpy(storage + BUFFER_HEADER, buffer, capacity);
        buffer_free(buffer);
    }
    return storage + BUFFER_HEADER;
}

/* --- Callbacks -------------------------------------------------------------------------------- */

static void on_field(void *field, size_t length, void *context)
{
    reader *const r = context;
    if (r->status != BASE_OK) {
        return;
    }
    if (r->ended) {
        r->status = base_fail(r->err, BASE_ERR_INPUT, "'%s' line %zu: carriage return in a record",
                              r->path, r->line);
        return;
    }
    char *cell = NULL;
    if (length > 0) {
        cell = r->text;
        memcpy(cell, field, length);
        r->text += length + 1; /* the storage is zeroed, so the NUL is already there */
    }
    r->cells[r->cell_count++] = cell;
    r->fields++;
}

static void on_record(int terminator, void *context)
{
    (void)terminator;
    reader *const r = context;
    if (r->status != BASE_OK) {
        return;
    }
    if (r->record_count == 0) {
        r->columns = r->fields;
    }
    if (r->columns > BASE_CSV_COLUMNS_MAX) {
        r->status = base_fail(r->err, BASE_ERR_INPUT, "'%s' line %zu: more than %d columns",
                              r->path, r->record_line, BASE_CSV_COLUMNS_MAX);
    } else if (r->fields != r->columns) {
        r->status = base_fail(r->err, BASE_ERR_INPUT, "'%s' line %zu: %zu fields, but %zu in %s",
                              r->path, r->record_line, r->fields, r->columns,
                              r->format.headerless ? "the first record" : "the header");
    }
    r->lines[r->record_count++] = r->record_line;
    r->fields = 0;
    r->open = false;
    r->ended = true;
}

/* --- Lines ------------------------------------------------------------------------------------ */

/** True if a line is not a record: blank, or a comment if the format allows comments. */
static bool is_skipped(const reader *r, const char *line, size_t size)
{
    if (r->format.hash_comments && line[0] == '#') {
        return true;
    }
    for (size_t i = 0; i < size; i++) {
        const bool blank = line[i] == ' ' || (line[i] == '\t' && r->format.delimiter != '\t');
        if (!blank && line[i] != '\r' && line[i] != '\n') {
            return false;
        }
    }
    return true;
}

/**
 * Replaces each run of blanks outside of quotes by one blank, and removes the runs at both ends of
 * the line. Returns the new size.
 */
static size_t fold_blanks(char *line, size_t size, bool *quoted)
{
    size_t kept = 0;
    bool gap = false;
    for (size_t i = 0; i < size; i++) {
        const char c = line[i];
        if (!*quoted && (c == ' ' || c == '\t')) {
            gap = kept > 0;
            continue;
        }
        if (gap && c != '\r' && c != '\n') {
            line[kept++] = ' ';
        }
        gap = false;
        *quoted = *quoted != (c == '"');
        line[kept++] = c;
    }
    return kept;
}

static base_status parser_failed(const reader *r, struct csv_parser *parser)
{
    if (csv_error(parser) != CSV_EPARSE) {
        return base_fail(r->err, BASE_ERR_MEMORY, "'%s' line %zu: out of memory", r->path, r->line);
    }
    if (r->record_line != r->line) {
        return base_fail(r->err, BASE_ERR_INPUT,
                         "'%s' line %zu: stray quote, or the quote of line %zu is not closed",
                         r->path, r->line, r->record_line);
    }
    return base_fail(r->err, BASE_ERR_INPUT, "'%s' line %zu: stray quote", r->path, r->line);
}

/* Gives the parser one line at a time, so that the callbacks know the line number. */
static base_status parse_lines(reader *r, struct csv_parser *parser, char *text, size_t size)
{
    char *const end = text + size;
    while (text < end) {
        char *const line = text;
        char *const feed = memchr(line, '\n', (size_t)(end - line));
        text = !feed ? end : feed + 1;
        size_t length = (size_t)(text - line);
        r->line++;
        if (!r->open) {
            if (is_skipped(r, line, length)) {
                continue;
            }
            r->open = true;
            r->quoted = false;
            r->record_line = r->line;
        }
        if (r->format.delimiter == ' ') {
            length = fold_blanks(line, length, &r->quoted);
        }
        r->ended = false;
        const size_t parsed = csv_parse(parser, line, length, on_field, on_record, r);
        if (r->status != BASE_OK) {
            return r->status;
        }
        if (parsed != length) {
            return parser_failed(r, parser);
        }
    }
    /* csv_fini ends the last record if the file does not end with a line end. It is not called
     * after an error, since it would report the incomplete record as a complete one. */
    if (csv_fini(parser, on_field, on_record, r) != 0) {
        return base_fail(r->err, BASE_ERR_INPUT, "'%s' line %zu: quote is not closed", r->path,
                         r->record_line);
    }
    return r->status;
}

/* --- The file --------------------------------------------------------------------------------- */

/** Checks that the file has no NUL, which would end a cell early. */
static base_status check_bytes(const char *path, const bytes *file, base_error *err)
{
    const char *const nul = memchr(file->at, '\0', file->size);
    if (!nul) {
        return BASE_OK;
    }
    size_t line = 1;
    for (const char *c = file->at; c < nul; c++) {
        line += *c == '\n';
    }
    return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: NUL byte, not a text file", path, line);
}

/**
 * Computes upper bounds of the numbers of fields and records. Every field except the last one ends
 * with a delimiter or a line end.
 */
static void count_most(const bytes *file, char delimiter, size_t *fields, size_t *records)
{
    *records = 1;
    *fields = 1;
    for (size_t i = 0; i < file->size; i++) {
        const char c = file->at[i];
        *records += c == '\n';
        *fields += c == delimiter || c == '\n' || (delimiter == ' ' && c == '\t');
    }
}

/* --- The table -------------------------------------------------------------------------------- */

static base_status out_of_memory(const char *path, base_error *err)
{
    return base_fail(err, BASE_ERR_MEMORY, "'%s': out of memory", path);
}

static bool make_names(base_csv *table)
{
    enum { NAME = 24 };
    char *const names = base_arena_alloc(&table->arena, table->columns, NAME);
    if (!names) {
        return false;
    }
    for (size_t i = 0; i < table->columns; i++) {
        table->cells[i] = names + i * NAME;
        snprintf(table->cells[i], NAME, "c%zu", i);
    }
    return true;
}

/** Copies all records of the file into the table. Puts a generated header first if it has none. */
static base_status fill_table(const reader *r, base_csv *table, base_error *err)
{
    const size_t made = r->format.headerless ? 1 : 0;
    const size_t records = r->record_count + made;
    table->columns = r->columns;
    table->rows = records - 1;
    table->path = base_arena_alloc(&table->arena, strlen(r->path) + 1, 1);
    table->cells = base_arena_alloc(&table->arena, records * r->columns, sizeof *table->cells);
    table->lines = base_arena_alloc(&table->arena, records, sizeof *table->lines);
    if (!table->path || !table->cells || !table->lines || (made != 0 && !make_names(table))) {
        return out_of_memory(r->path, err);
    }
    strcpy(table->path, r->path);
    memcpy(table->cells + made * r->columns, r->cells, r->cell_count * sizeof *r->cells);
    memcpy(table->lines + made, r->lines, r->record_count * sizeof *r->lines);
    return BASE_OK;
}

static base_status check_header(const base_csv *table, base_error *err)
{
    for (size_t i = 0; i < table->columns; i++) {
        if (!table->cells[i]) {
            return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: column %zu has no name",
                             table->path, table->lines[0], i + 1);
        }
        for (size_t j = 0; j < i; j++) {
            if (strcmp(table->cells[i], table->cells[j]) == 0) {
                return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: two columns are named '%s'",
                                 table->path, table->lines[0], table->cells[i]);
            }
        }
    }
    return BASE_OK;
}

static base_status read_table(reader *r, bytes *file, base_csv *table, base_error *err)
{
    size_t fields, records;
    count_most(file, r->format.delimiter, &fields, &records);
    r->text = base_arena_alloc(&table->arena, file->size + 1, 1);
    r->cells = base_alloc(fields, sizeof *r->cells);
    r->lines = base_alloc(records, sizeof *r->lines);
    if (!r->text || !r->cells || !r->lines) {
        return out_of_memory(r->path, err);
    }
    const size_t mark = file->size >= 3 && memcmp(file->at, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    struct csv_parser parser;
    csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL | CSV_EMPTY_IS_NULL);
    csv_set_realloc_func(&parser, buffer_realloc);
    csv_set_free_func(&parser, buffer_free);
    csv_set_blk_size(&parser, 4096);
    csv_set_delim(&parser, (unsigned char)r->format.delimiter);
    base_status status = parse_lines(r, &parser, file->at + mark, file->size - mark);
    csv_free(&parser);
    if (status != BASE_OK) {
        return status;
    }
    if (r->record_count == 0) {
        return base_fail(err, BASE_ERR_INPUT, "'%s': no records", r->path);
    }
    status = fill_table(r, table, err);
    return status == BASE_OK ? check_header(table, err) : status;
}

base_status base_csv_read(const char *path, const base_csv_format *format, base_csv *table,
                          base_error *err)
{
    *table = (base_csv){0};
    reader r = {.path = path, .format = !format ? (base_csv_format){0} : *format, .err = err};
    if (r.format.delimiter == '\0') {
        r.format.delimiter = ',';
    }
    base_assert(!strchr("\"\r\n", r.format.delimiter));
    bytes file = {0};
    base_status status = base_file_read(path, &file.at, &file.size, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = check_bytes(path, &file, err);
    if (status == BASE_OK) {
        status = read_table(&r, &file, table, err);
    }
done:
    base_free(file.at);
    base_free(r.cells);
    base_free(r.lines);
    if (status != BASE_OK) {
        base_csv_release(table);
    }
    return status;
}

/* --- Cells ------------------------------------------------------------------------------------ */

void base_csv_release(base_csv *table)
{
    base_arena_release(&table->arena);
    *table = (base_csv){0};
}

int base_csv_find(const base_csv *table, const char *column)
{
    for (size_t i = 0; i < table->columns; i++) {
        if (strcmp(table->cells[i], column) == 0) {
            return (int)i;
        }
    }
    return -1;
}

base_status base_csv_column(const base_csv *table, const char *column, int *index, base_error *err)
{
    *index = base_csv_find(table, column);
    if (*index < 0) {
        return base_fail(err, BASE_ERR_INPUT, "'%s': there is no column '%s'", table->path, column);
    }
    return BASE_OK;
}

const char *base_csv_text(const base_csv *table, size_t row, int column)
{
    base_assert(row < table->rows && column >= 0 && (size_t)column < table->columns);
    return table->cells[(row + 1) * table->columns + (size_t)column];
}

base_status base_csv_number(const base_csv *table, size_t row, int column, double *value,
                            base_error *err)
{
    const char *const text = base_csv_text(table, row, column);
    const size_t line = table->lines[row + 1];
    if (!text) {
        return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: column '%s' is empty", table->path,
                         line, table->cells[column]);
    }
    if (!base_text_number(text, value)) {
        return base_fail(err, BASE_ERR_INPUT,
                         "'%s' line %zu: column '%s': '%.80s' is not a finite number", table->path,
                         line, table->cells[column], text);
    }
    return BASE_OK;
}

/* --- Writing ---------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void next_field(base_csv_writer *writer, bool empty)
{
    if (writer->started) {
        fputc(',', writer->file);
    }
    writer->blank = empty && !writer->started;
    writer->started = true;
}

void base_csv_put_text(base_csv_writer *writer, const char *text)
{
    const bool empty = !text || text[0] == '\0';
    next_field(writer, empty);
    if (empty) {
        return;
    }
    /* RFC 4180 requires quotes for some characters. Blanks at the ends need quotes, too, because
     * the reader removes them otherwise. */
    if (strpbrk(text, ",\"\r\n") || is_blank(text[0]) || is_blank(text[strlen(text) - 1])) {
        csv_fwrite(writer->file, text, strlen(text));
    } else {
        fputs(text, writer->file);
    }
}

void base_csv_put_number(base_csv_writer *writer, double value)
{
    next_field(writer, isnan(value));
    if (!isnan(value)) {
        fprintf(writer->file, "%.17g", value);
    }
}

void base_csv_put_count(base_csv_writer *writer, uint64_t value)
{
    next_field(writer, false);
    fprintf(writer->file, "%" PRIu64, value);
}

void base_csv_put_empty(base_csv_writer *writer)
{
    next_field(writer, true);
}

void base_csv_end(base_csv_writer *writer)
{
    /* A record of one empty field would be a blank line, which the reader skips. */
    fputs(writer->blank ? "\"\"\n" : "\n", writer->file);
    writer->started = false;
    writer->blank = false;
}

base_status base_csv_check(base_csv_writer *writer, const char *path, base_error *err)
{
    errno = 0;
    const bool flushed = fflush(writer->file) == 0;
    if (flushed && !ferror(writer->file)) {
        return BASE_OK;
    }
    return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", path,
                     flushed || errno == 0 ? "a write failed" : strerror(errno));
}
