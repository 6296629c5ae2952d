#include "suite/simulate/steps.h"

#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* --- Existing files --------------------------------------------------------------------------- */

static base_status fail_file(const char *path, const char *what, base_error *err)
{
    return base_fail(err, BASE_ERR_SYSTEM, "cannot %s '%s': %s", what, path,
                     errno ? strerror(errno) : "some of it was lost");
}

/**
 * Cuts the file after its last complete line, or after `most` lines. Sets *lines to the number of
 * lines left; 0 also if there is no file.
 */
static base_status keep_lines(const char *path, size_t most, size_t *lines, base_error *err)
{
    char *bytes;
    size_t size, end = 0;
    *lines = 0;
    if (access(path, F_OK) != 0) {
        return BASE_OK;
    }
    const base_status status = base_file_read(path, &bytes, &size, err);
    if (status != BASE_OK) {
        return status;
    }
    for (size_t i = 0; i < size && *lines < most; i++) {
        if (bytes[i] == '\n') {
            end = i + 1;
            *lines += 1;
        }
    }
    base_free(bytes);
    return end == size || truncate(path, (off_t)end) == 0 ? BASE_OK
                                                          : fail_file(path, "shorten", err);
}

/** Checks that the header has the columns in their order, then the extra columns, and no others. */
static base_status check_header(const base_csv *table, bench_columns columns,
                                const char *const *extras, base_error *err)
{
    size_t more = 0;
    while (extras && more < ALG_COUNTERS_MAX && extras[more]) {
        more++;
    }
    bool same = table->columns == columns.count + more;
    for (size_t i = 0; same && i < table->columns; i++) {
        const char *const name =
            i < columns.count ? columns.items[i].name : extras[i - columns.count];
        same = strcmp(table->cells[i], name) == 0;
    }
    return same ? BASE_OK
                : base_fail(err, BASE_ERR_INPUT,
                            "'%s' has other columns than this version writes: it cannot be gone on "
                            "with",
                            table->path);
}

/** True if all numbers exist that a step always has. */
static bool is_whole(const bench_step_row *row)
{
    for (size_t i = 0; i < bench_step_columns.count; i++) {
        const bench_column *const column = &bench_step_columns.items[i];
        double number;
        memcpy(&number, (const char *)row + column->offset, sizeof number);
        if (column->kind == BENCH_KIND_NUMBER && !*column->empty && isnan(number)) {
            return false;
        }
    }
    return true;
}

static base_status read_steps(bench_steps *s, const base_csv *table, base_error *err)
{
    base_status status = check_header(table, bench_step_columns, s->counters, err);
    if (status == BASE_OK) {
        status = base_reserve(s->rows, s->capacity, table->rows, err);
    }
    for (size_t i = 0; i < table->rows && status == BASE_OK; i++) {
        status = bench_columns_read(bench_step_columns, table, i, &s->rows[i], err);
        if (status == BASE_OK && (s->rows[i].step.number != i || !is_whole(&s->rows[i]))) {
            status = base_fail(err, BASE_ERR_INPUT, "'%s' line %zu is not step %zu", table->path,
                               table->lines[i + 1], i);
        }
        s->count = i + 1;
    }
    return status;
}

static base_status read_times(bench_steps *s, const base_csv *table, base_error *err)
{
    base_status status = check_header(table, bench_step_time_columns, NULL, err);
    if (status == BASE_OK) {
        status = base_reserve(s->times, s->time_capacity, table->rows, err);
    }
    for (size_t i = 0; i < table->rows && status == BASE_OK; i++) {
        status = bench_columns_read(bench_step_time_columns, table, i, &s->times[i], err);
        s->time_count = i + 1;
    }
    return status;
}

typedef base_status reader(bench_steps *s, const base_csv *table, base_error *err);

/** Reads the remaining rows of a file of `lines` lines. The first line is the header. */
static base_status read_back(bench_steps *s, const char *path, size_t lines, reader *read,
                             base_error *err)
{
    base_csv table;
    if (lines < 2) {
        return BASE_OK;
    }
    base_status status = base_csv_read(path, NULL, &table, err);
    if (status == BASE_OK) {
        status = read(s, &table, err);
        base_csv_release(&table);
    }
    return status;
}

/* --- Opening ---------------------------------------------------------------------------------- */

/** Opens a file: appends if it has rows, else starts a new one. */
static base_status open_file(const char *path, bool goes_on, bench_columns columns,
                             const char *const *extras, FILE **file, base_error *err)
{
    *file = fopen(path, goes_on ? "ae" : "we");
    if (!*file) {
        return fail_file(path, "write", err);
    }
    if (goes_on) {
        return BASE_OK;
    }
    base_csv_writer w = {.file = *file};
    bench_columns_put_names(columns, &w);
    for (size_t i = 0; extras && i < ALG_COUNTERS_MAX && extras[i]; i++) {
        base_csv_put_text(&w, extras[i]);
    }
    base_csv_end(&w);
    return BASE_OK;
}

base_status bench_steps_open(const char *folder, const char *scene, const char *file,
                             const char *const *counters, bench_steps *s, base_error *err)
{
    size_t lines = 0, time_lines = 0;
    *s = (bench_steps){.counters = counters};
    base_status status = bench_run_file(folder, s->path, err, "%s/%s.steps.csv", scene, file);
    if (status == BASE_OK) {
        status = bench_run_file(folder, s->time_path, err, "%s/%s.times.csv", scene, file);
    }
    if (status == BASE_OK) {
        status = base_folder_make_parents(s->path, err);
    }
    if (status == BASE_OK) {
        status = keep_lines(s->path, SIZE_MAX, &lines, err);
    }
    if (status == BASE_OK) {
        status = read_back(s, s->path, lines, read_steps, err);
    }
    if (status == BASE_OK) { /* drop times of steps that are not on disk; step 0 has none */
        status = keep_lines(s->time_path, s->count > 0 ? s->count : 1, &time_lines, err);
    }
    if (status == BASE_OK) {
        status = read_back(s, s->time_path, time_lines, read_times, err);
    }
    if (status == BASE_OK) {
        status = open_file(s->time_path, s->time_count > 0, bench_step_time_columns, NULL,
                           &s->time_file, err);
    }
    if (status == BASE_OK) {
        status = open_file(s->path, s->count > 0, bench_step_columns, counters, &s->file, err);
    }
    return status;
}

void bench_steps_close(bench_steps *s)
{
    FILE *const files[] = {s->file, s->time_file};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i]) {
            fclose(files[i]);
        }
    }
    base_free(s->rows);
    base_free(s->times);
    *s = (bench_steps){0};
}

/* --- Adding steps ----------------------------------------------------------------------------- */

base_status bench_steps_add(bench_steps *s, const bench_step_row *row, const uint64_t *counters,
                            const bench_step_time_row *time, base_error *err)
{
    base_status status = base_reserve(s->rows, s->capacity, s->count + 1, err);
    if (status == BASE_OK && time) {
        status = base_reserve(s->times, s->time_capacity, s->time_count + 1, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    base_csv_writer w = {.file = s->file};
    s->rows[s->count++] = *row;
    bench_columns_put(bench_step_columns, row, &w);
    for (size_t i = 0; s->counters && i < ALG_COUNTERS_MAX && s->counters[i]; i++) {
        if (counters) {
            base_csv_put_count(&w, counters[i]);
        } else {
            base_csv_put_empty(&w);
        }
    }
    base_csv_end(&w);
    if (time) {
        base_csv_writer of_times = {.file = s->time_file};
        s->times[s->time_count++] = *time;
        bench_columns_put(bench_step_time_columns, time, &of_times);
        base_csv_end(&of_times);
    }
    return BASE_OK;
}

base_status bench_steps_sync(bench_steps *s, base_error *err)
{
    errno = 0;
    if (!base_stream_flush(s->time_file, true)) {
        return fail_file(s->time_path, "write", err);
    }
    return base_stream_flush(s->file, true) ? BASE_OK : fail_file(s->path, "write", err);
}
