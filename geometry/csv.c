#include "geometry/csv.h"

#include <csv.h>
#include <errno.h>
#include <string.h>

/** The file as bytes. */
typedef struct bytes {
    char *at;
    size_t size, capacity;
} bytes;

/** What the parser's callbacks fill. The arrays are long enough for any content of the file. */
typedef struct reader {
    const char *path;
    geo_csv_format format;
    char **cells; /* records one after the other */
    size_t cell_count;
    size_t *lines;
    size_t record_count;
    char *text; /* free rest of the storage of all cells */
    size_t columns;
    size_t fields;      /* of the record at hand */
    size_t line;        /* last one given to the parser */
    size_t record_line; /* on which the record at hand began */
    bool open;          /* a record began and has not ended: a quote spans lines */
    bool ended;         /* a record ended on this line */
    bool quoted;        /* for folding blanks: between quotes */
    geo_status status;  /* of the callbacks, which cannot return one */
    geo_error *err;
} reader;

/* --- libcsv's buffer through geo_alloc: the capacity stands in front, and at least doubles, since
   libcsv grows in fixed steps, which costs quadratic time for a long field. ---------------------
 */

#define BUFFER_HEADER ((size_t)64)

static void buffer_free(void *buffer)
{
    if (buffer != NULL) {
        geo_free((char *)buffer - BUFFER_HEADER);
    }
}

static void *buffer_realloc(void *buffer, size_t size)
{
    size_t capacity = 0;
    if (buffer != NULL) {
        memcpy(&capacity, (char *)buffer - BUFFER_HEADER, sizeof capacity);
        if (size <= capacity) {
            return buffer;
        }
    }
    const size_t target = size / 2 > capacity ? size : 2 * size;
    char *const storage = geo_alloc(1, BUFFER_HEADER + target);
    if (storage == NULL) {
        return NULL;
    }
    memcpy(storage, &target, sizeof target);
    if (buffer != NULL) {
        memcpy(storage + BUFFER_HEADER, buffer, capacity);
        buffer_free(buffer);
    }
    return storage + BUFFER_HEADER;
}

/* --- Callbacks -------------------------------------------------------------------------------- */

static void on_field(void *field, size_t length, void *context)
{
    reader *const r = context;
    if (r->status != GEO_OK) {
        return;
    }
    if (r->ended) {
        r->status = geo_fail(r->err, GEO_ERR_INPUT, "'%s' line %zu: carriage return in a record",
                             r->path, r->line);
        return;
    }
    char *cell = NULL;
    if (length > 0) {
        cell = r->text;
        memcpy(cell, field, length);
        r->text += length + 1; /* the storage is zeroed: the NUL is there */
    }
    r->cells[r->cell_count++] = cell;
    r->fields++;
}

static void on_record(int terminator, void *context)
{
    (void)terminator;
    reader *const r = context;
    if (r->status != GEO_OK) {
        return;
    }
    if (r->record_count == 0) {
        r->columns = r->fields;
    }
    if (r->columns > GEO_CSV_COLUMNS_MAX) {
        r->status = geo_fail(r->err, GEO_ERR_INPUT, "'%s' line %zu: more than %d columns", r->path,
                             r->record_line, GEO_CSV_COLUMNS_MAX);
    } else if (r->fields != r->columns) {
        r->status = geo_fail(r->err, GEO_ERR_INPUT, "'%s' line %zu: %zu fields, but %zu in %s",
                             r->path, r->record_line, r->fields, r->columns,
                             r->format.headerless ? "the first record" : "the header");
    }
    r->lines[r->record_count++] = r->record_line;
    r->fields = 0;
    r->open = false;
    r->ended = true;
}

/* --- Lines ------------------------------------------------------------------------------------ */

/** A line that is no record: blank, or a comment where those are allowed. */
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

/** Runs of blanks outside of quotes become one, those at the ends none. Returns the new size. */
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

static geo_status parser_failed(const reader *r, struct csv_parser *parser)
{
    if (csv_error(parser) != CSV_EPARSE) {
        return geo_fail(r->err, GEO_ERR_MEMORY, "'%s' line %zu: out of memory", r->path, r->line);
    }
    if (r->record_line != r->line) {
        return geo_fail(r->err, GEO_ERR_INPUT,
                        "'%s' line %zu: stray quote, or the quote of line %zu is not closed",
                        r->path, r->line, r->record_line);
    }
    return geo_fail(r->err, GEO_ERR_INPUT, "'%s' line %zu: stray quote", r->path, r->line);
}

/* The parser gets line by line, so that the callbacks know where they are. */
static geo_status parse_lines(reader *r, struct csv_parser *parser, char *text, size_t size)
{
    char *const end = text + size;
    while (text < end) {
        char *const line = text;
        char *const feed = memchr(line, '\n', (size_t)(end - line));
        text = feed == NULL ? end : feed + 1;
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
        if (r->status != GEO_OK) {
            return r->status;
        }
        if (parsed != length) {
            return parser_failed(r, parser);
        }
    }
    /* Ends the last record if its line has no end. Never after an error: it would report the torn
       record as a whole one. */
    if (csv_fini(parser, on_field, on_record, r) != 0) {
        return geo_fail(r->err, GEO_ERR_INPUT, "'%s' line %zu: quote is not closed", r->path,
                        r->record_line);
    }
    return r->status;
}

static geo_status parse(reader *r, char *text, size_t size)
{
    struct csv_parser parser;
    csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL | CSV_EMPTY_IS_NULL);
    csv_set_realloc_func(&parser, buffer_realloc);
    csv_set_free_func(&parser, buffer_free);
    csv_set_blk_size(&parser, 4096);
    csv_set_delim(&parser, (unsigned char)r->format.delimiter);
    const geo_status status = parse_lines(r, &parser, text, size);
    csv_free(&parser);
    return status;
}

/* --- The file --------------------------------------------------------------------------------- */

static geo_status read_bytes(const char *path, bytes *file, geo_error *err)
{
    errno = 0;
    FILE *const stream = fopen(path, "rb");
    if (stream == NULL) {
        return geo_fail(err, GEO_ERR_SYSTEM, "cannot open '%s': %s", path, strerror(errno));
    }
    geo_status status = GEO_OK;
    size_t got;
    do {
        status = geo_grow((void **)&file->at, &file->capacity, file->size + 65536, 1, err);
        if (status != GEO_OK) {
            break;
        }
        got = fread(file->at + file->size, 1, file->capacity - file->size, stream);
        file->size += got;
    } while (got > 0);
    if (status == GEO_OK && ferror(stream)) {
        status = geo_fail(err, GEO_ERR_SYSTEM, "cannot read '%s': %s", path, strerror(errno));
    }
    fclose(stream);
    return status;
}

/** No NUL, which would end a cell early. */
static geo_status check_bytes(const char *path, const bytes *file, geo_error *err)
{
    const char *const nul = memchr(file->at, '\0', file->size);
    if (nul == NULL) {
        return GEO_OK;
    }
    size_t line = 1;
    for (const char *c = file->at; c < nul; c++) {
        line += *c == '\n';
    }
    return geo_fail(err, GEO_ERR_INPUT, "'%s' line %zu: NUL byte, not a text file", path, line);
}

/** Every field but the last ends with a delimiter or a line end. */
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

static geo_status out_of_memory(const char *path, geo_error *err)
{
    return geo_fail(err, GEO_ERR_MEMORY, "'%s': out of memory", path);
}

static bool make_names(geo_csv *table)
{
    enum { NAME = 24 };
    char *const names = geo_arena_alloc(&table->arena, table->columns, NAME);
    if (names == NULL) {
        return false;
    }
    for (size_t i = 0; i < table->columns; i++) {
        table->cells[i] = names + i * NAME;
        snprintf(table->cells[i], NAME, "c%zu", i);
    }
    return true;
}

/** Copies the records behind the header, which is theirs or made up. */
static geo_status fill_table(const reader *r, geo_csv *table, geo_error *err)
{
    const size_t made = r->format.headerless ? 1 : 0;
    const size_t records = r->record_count + made;
    table->columns = r->columns;
    table->rows = records - 1;
    table->path = geo_arena_alloc(&table->arena, strlen(r->path) + 1, 1);
    table->cells = geo_arena_alloc(&table->arena, records * r->columns, sizeof *table->cells);
    table->lines = geo_arena_alloc(&table->arena, records, sizeof *table->lines);
    if (table->path == NULL || table->cells == NULL || table->lines == NULL ||
        (made != 0 && !make_names(table))) {
        return out_of_memory(r->path, err);
    }
    strcpy(table->path, r->path);
    memcpy(table->cells + made * r->columns, r->cells, r->cell_count * sizeof *r->cells);
    memcpy(table->lines + made, r->lines, r->record_count * sizeof *r->lines);
    return GEO_OK;
}

static geo_status check_header(const geo_csv *table, geo_error *err)
{
    for (size_t i = 0; i < table->columns; i++) {
        if (table->cells[i] == NULL) {
            return geo_fail(err, GEO_ERR_INPUT, "'%s' line %zu: column %zu has no name",
                            table->path, table->lines[0], i + 1);
        }
        for (size_t j = 0; j < i; j++) {
            if (strcmp(table->cells[i], table->cells[j]) == 0) {
                return geo_fail(err, GEO_ERR_INPUT, "'%s' line %zu: two columns are named '%s'",
                                table->path, table->lines[0], table->cells[i]);
            }
        }
    }
    return GEO_OK;
}

static geo_status read_table(reader *r, bytes *file, geo_csv *table, geo_error *err)
{
    size_t fields, records;
    count_most(file, r->format.delimiter, &fields, &records);
    r->text = geo_arena_alloc(&table->arena, file->size + 1, 1);
    r->cells = geo_alloc(fields, sizeof *r->cells);
    r->lines = geo_alloc(records, sizeof *r->lines);
    if (r->text == NULL || r->cells == NULL || r->lines == NULL) {
        return out_of_memory(r->path, err);
    }
    const size_t mark = file->size >= 3 && memcmp(file->at, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    geo_status status = parse(r, file->at + mark, file->size - mark);
    if (status == GEO_OK && r->record_count == 0) {
        status = geo_fail(err, GEO_ERR_INPUT, "'%s': no records", r->path);
    }
    if (status == GEO_OK) {
        status = fill_table(r, table, err);
    }
    return status == GEO_OK ? check_header(table, err) : status;
}

geo_status geo_csv_read(const char *path, const geo_csv_format *format, geo_csv *table,
                        geo_error *err)
{
    *table = (geo_csv){0};
    reader r = {.path = path, .format = format == NULL ? (geo_csv_format){0} : *format, .err = err};
    if (r.format.delimiter == '\0') {
        r.format.delimiter = ',';
    }
    geo_assert(strchr("\"\r\n", r.format.delimiter) == NULL);
    bytes file = {0};
    geo_status status = read_bytes(path, &file, err);
    if (status == GEO_OK) {
        status = check_bytes(path, &file, err);
    }
    if (status == GEO_OK) {
        status = read_table(&r, &file, table, err);
    }
    geo_free(file.at);
    geo_free(r.cells);
    geo_free(r.lines);
    if (status != GEO_OK) {
        geo_csv_release(table);
    }
    return status;
}
