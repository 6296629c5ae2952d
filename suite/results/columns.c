#include "suite/results/columns.h"

#include "base/memory.h"
#include "suite/results/cells.h"
#include "suite/quantity.h"
#include "suite/results/run_folder.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Writing ---------------------------------------------------------------------------------- */

const char *bench_column_text(const bench_column *column, const void *row,
                              char room[BENCH_FIELD_BYTES])
{
    const void *const at = (const char *)row + column->offset;
    uint64_t count = 0;
    double number = NAN;
    room[0] = '\0';
    switch (column->kind) {
    case BENCH_KIND_FLAG:
        return *(const bool *)at ? "1" : "0";
    case BENCH_KIND_COUNT:
    case BENCH_KIND_COUNT_IF:
        memcpy(&count, at, sizeof count);
        if (column->kind == BENCH_KIND_COUNT || count != UINT64_MAX) {
            snprintf(room, BENCH_FIELD_BYTES, "%" PRIu64, count);
        }
        return room;
    case BENCH_KIND_NUMBER:
        memcpy(&number, at, sizeof number);
        if (!isnan(number)) {
            snprintf(room, BENCH_FIELD_BYTES, "%.17g", number);
        }
        return room;
    default:
        return *(const char *const *)at;
    }
}

void bench_columns_clear(bench_columns columns, void *row)
{
    for (size_t i = 0; i < columns.count; i++) {
        void *const at = (char *)row + columns.items[i].offset;
        switch (columns.items[i].kind) {
        case BENCH_KIND_FLAG:
            *(bool *)at = false;
            break;
        case BENCH_KIND_COUNT:
            *(uint64_t *)at = 0;
            break;
        case BENCH_KIND_COUNT_IF:
            *(uint64_t *)at = UINT64_MAX;
            break;
        case BENCH_KIND_NUMBER:
            *(double *)at = NAN;
            break;
        default:
            *(const char **)at = "";
            break;
        }
    }
}

void bench_columns_put_names(bench_columns columns, base_csv_writer *writer)
{
    for (size_t i = 0; i < columns.count; i++) {
        base_csv_put_text(writer, columns.items[i].name);
    }
}

void bench_columns_put(bench_columns columns, const void *row, base_csv_writer *writer)
{
    char room[BENCH_FIELD_BYTES];
    for (size_t i = 0; i < columns.count; i++) {
        base_csv_put_text(writer, bench_column_text(&columns.items[i], row, room));
    }
}

void bench_columns_begin(bench_columns columns, bench_rows *rows)
{
    *rows = (bench_rows){.columns = columns.count};
    for (size_t i = 0; i < columns.count; i++) {
        bench_rows_put(rows, "%s", columns.items[i].name);
    }
}

void bench_columns_add(bench_columns columns, const void *row, bench_rows *rows)
{
    char room[BENCH_FIELD_BYTES];
    for (size_t i = 0; i < columns.count; i++) {
        const bench_column *const column = &columns.items[i];
        const char *const text = bench_column_text(column, row, room);
        if (column->kind >= BENCH_KIND_FLAG) {
            bench_rows_put_digits(rows, text);
        } else {
            bench_rows_put(rows, "%s", text);
        }
    }
}

/* --- Names of kinds and roles ----------------------------------------------------------------- */

const char *bench_kind_name(bench_kind kind)
{
    switch (kind) {
    case BENCH_KIND_TEXT:
    case BENCH_KIND_WORD:
        return "text";
    case BENCH_KIND_FLAG:
        return "flag";
    case BENCH_KIND_COUNT:
    case BENCH_KIND_COUNT_IF:
        return "count";
    case BENCH_KIND_NUMBER:
        return "number";
    default:
        return "name";
    }
}

const char *bench_role_name(bench_role role)
{
    static const char *const names[] = {
        [BENCH_ROLE_FACT] = "fact",       [BENCH_ROLE_ANSWER] = "answer",
        [BENCH_ROLE_COUNTER] = "counter", [BENCH_ROLE_TRUTH] = "truth",
        [BENCH_ROLE_ERROR] = "error",     [BENCH_ROLE_COST] = "cost",
    };
    _Static_assert(sizeof names / sizeof *names == BENCH_ROLE_COUNT, "a name for every role");
    return names[role];
}

/* --- Columns of variants ---------------------------------------------------------------------- */

static bool has_extra(const bench_extras *extras, const char *name)
{
    for (size_t i = 0; i < extras->count; i++) {
        if (strcmp(extras->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

base_status bench_extras_add(bench_extras *e, const char *const *names, size_t most,
                             base_error *err)
{
    for (size_t i = 0; names && i < most && names[i]; i++) {
        if (has_extra(e, names[i])) {
            continue;
        }
        const base_status status = base_reserve(e->names, e->capacity, e->count + 1, err);
        if (status != BASE_OK) {
            return status;
        }
        e->names[e->count++] = names[i];
    }
    return BASE_OK;
}

void bench_extras_release(bench_extras *extras)
{
    base_free(extras->names);
    *extras = (bench_extras){0};
}

double bench_extras_value(const char *const *names, const double *values, size_t most,
                          const char *name)
{
    for (size_t i = 0; names && i < most && names[i]; i++) {
        if (strcmp(names[i], name) == 0) {
            return values[i];
        }
    }
    return NAN;
}

/* --- Reading ---------------------------------------------------------------------------------- */

base_status bench_columns_check(bench_columns columns, const base_csv *table, unsigned needs,
                                base_error *err)
{
    for (size_t i = 0; i < columns.count; i++) {
        int index;
        if (columns.items[i].needed & needs) {
            const base_status status = base_csv_column(table, columns.items[i].name, &index, err);
            if (status != BASE_OK) {
                return status;
            }
        }
    }
    return BASE_OK;
}

base_status bench_columns_check_names(const base_csv *table, base_error *err)
{
    for (size_t i = 0; i < table->columns; i++) {
        const char *const fault = bench_name_fault(BENCH_NAME_KEY, table->cells[i]);
        if (fault) {
            return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: the name of column %zu is %s",
                             table->path, table->lines[0], i + 1, fault);
        }
    }
    return BASE_OK;
}

static bool is_status(const char *text)
{
    for (int s = 0; s < BENCH_CELL_STATUS_COUNT; s++) {
        if (strcmp(text, bench_status_name((bench_status)s)) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_protocol(const char *text)
{
    for (int p = 0; p < BENCH_PROTOCOL_COUNT; p++) {
        if (strcmp(text, bench_protocol_name((bench_protocol)p)) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_quantity(const char *text)
{
    unsigned quantities;
    return bench_quantities_parse(text, &quantities, NULL) == BASE_OK &&
           strcmp(bench_quantities_name(quantities).text, text) == 0;
}

/**
 * Returns the fault of a text, or NULL if it is valid for its kind. `contestant` is the contestant
 * of the same row.
 */
static const char *fault_of(bench_kind kind, const char *text, const char *contestant)
{
    char file[BENCH_CONTESTANT_NAME_BYTES];
    switch (kind) {
    case BENCH_KIND_SCENARIO:
        return bench_name_fault(BENCH_NAME_SCENARIO, text);
    case BENCH_KIND_CONTESTANT:
        return bench_name_fault(BENCH_NAME_CONTESTANT, text);
    case BENCH_KIND_BASELINE:
        return *text ? bench_name_fault(BENCH_NAME_CONTESTANT, text) : NULL;
    case BENCH_KIND_SECTION:
        return bench_name_fault(BENCH_NAME_SECTION, text);
    case BENCH_KIND_KEY:
        return bench_name_fault(BENCH_NAME_KEY, text);
    case BENCH_KIND_WORD:
        return *text ? bench_name_fault(BENCH_NAME_KEY, text) ? "no hash" : NULL : NULL;
    case BENCH_KIND_QUANTITY:
        return is_quantity(text) ? NULL : "no quantity";
    case BENCH_KIND_STATUS:
        return is_status(text) ? NULL : "no status of a cell";
    case BENCH_KIND_PROTOCOL:
        return is_protocol(text) ? NULL : "warm-up, warm, evicted or shuffled";
    case BENCH_KIND_FILE:
        bench_variant_file(contestant, file, sizeof file);
        return strcmp(text, file) == 0 ? NULL : "the variant's name as a file";
    default:
        return NULL;
    }
}

/**
 * Copies a text of a file so that it fits into a message of one line: replaces control characters
 * by `?` and shortens the text.
 */
static void quote(const char *text, char *shown, size_t size)
{
    size_t used = 0;
    for (; *text && used + 4 < size; text++) {
        shown[used++] = (unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text;
    }
    snprintf(shown + used, size - used, "%s", *text ? "..." : "");
}

static base_status bad_field(const base_csv *table, size_t row, const bench_column *column,
                             const char *text, const char *fault, base_error *err)
{
    char shown[84];
    quote(text, shown, sizeof shown);
    return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: %s '%s' is %s%s", table->path,
                     table->lines[row + 1], column->name, shown,
                     strncmp(fault, "no ", 3) == 0 ? "" : "not ", fault);
}

static bool parse_count(const char *text, uint64_t *count)
{
    char *end = NULL;
    errno = 0;
    *count = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && errno == 0;
}

/** Returns the contestant of a row. The row's column of the file name is checked against it. */
static const char *contestant_of(bench_columns columns, const base_csv *table, size_t row)
{
    for (size_t i = 0; i < columns.count; i++) {
        if (columns.items[i].kind == BENCH_KIND_CONTESTANT) {
            const int index = base_csv_find(table, columns.items[i].name);
            const char *const text = index >= 0 ? base_csv_text(table, row, index) : NULL;
            return text ? text : "";
        }
    }
    return "";
}

static base_status read_field(const bench_column *column, const base_csv *table, size_t row,
                              const char *contestant, void *out, base_error *err)
{
    void *const at = (char *)out + column->offset;
    const int index = base_csv_find(table, column->name);
    const char *text = index >= 0 ? base_csv_text(table, row, index) : NULL;
    text = text ? text : "";
    uint64_t count = UINT64_MAX;
    double number = NAN;
    switch (column->kind) {
    case BENCH_KIND_FLAG:
        if (*text && strcmp(text, "0") != 0 && strcmp(text, "1") != 0) {
            return bad_field(table, row, column, text, "0 or 1", err);
        }
        *(bool *)at = *text == '1';
        return BASE_OK;
    case BENCH_KIND_COUNT:
    case BENCH_KIND_COUNT_IF:
        if ((*text || (column->kind == BENCH_KIND_COUNT && index >= 0)) &&
            !parse_count(text, &count)) {
            return bad_field(table, row, column, text, "a count", err);
        }
        memcpy(at, &count, sizeof count);
        return BASE_OK;
    case BENCH_KIND_NUMBER:
        if (*text && base_csv_number(table, row, index, &number, err) != BASE_OK) {
            return BASE_ERR_INPUT;
        }
        memcpy(at, &number, sizeof number);
        return BASE_OK;
    default: {
        const char *const fault = index >= 0 ? fault_of(column->kind, text, contestant) : NULL;
        memcpy(at, &text, sizeof text);
        return fault ? bad_field(table, row, column, text, fault, err) : BASE_OK;
    }
    }
}

base_status bench_columns_read(bench_columns columns, const base_csv *table, size_t row, void *out,
                               base_error *err)
{
    const char *const contestant = contestant_of(columns, table, row);
    for (size_t i = 0; i < columns.count; i++) {
        const base_status status = read_field(&columns.items[i], table, row, contestant, out, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}
