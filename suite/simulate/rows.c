#include "suite/simulate/rows.h"

#include "base/file.h"
#include "base/memory.h"
#include "geometry/vec.h"
#include "suite/results/cells.h"
#include "suite/results/run_folder.h"
#include "suite/results/stats.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* --- Steps: existing files -------------------------------------------------------------------- */

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
                            "'%s' has other columns than this version writes: the simulation "
                            "cannot continue",
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

/* --- Steps: opening --------------------------------------------------------------------------- */

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

/* --- Steps: adding ---------------------------------------------------------------------------- */

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

/* --- Summaries of steps ----------------------------------------------------------------------- */

/** Sums over steps, and the end of the transient. */
typedef struct sums {
    double settled_s; /* infinite before the first touch */
    double force2, contacts, impulses;
    uint64_t touching;
} sums;

/** Raises *largest to `value`. NaN is ignored. */
static void take_largest(double value, double *largest)
{
    *largest = fmax(value, *largest);
}

/** Updates the row with the overlap at the end of a step. */
static void take_overlap(const bench_step_row *r, const sums *s, bench_simulation_row *row)
{
    take_largest(r->volume_m3, &row->volume_m3);
    take_largest(r->point_depth_m, &row->point_depth_m);
    if (r->step.t_s > s->settled_s) {
        take_largest(r->volume_m3, &row->volume_settled_m3);
        take_largest(r->point_depth_m, &row->point_depth_settled_m);
    }
}

/** Updates the sums and the row with the changes from the previous step. */
static void take_step(const scn_step *before, const scn_step *step, sums *s,
                      bench_simulation_row *row)
{
    if (step->touching && isnan(row->first_touch_s)) {
        row->first_touch_s = before->t_s;
        s->settled_s = before->t_s + BENCH_TRANSIENT_S;
    }
    const double force = vec3_norm(step->coupling_force_n);
    s->force2 += force * force;
    take_largest(force, &row->coupling_max_n);
    take_largest(step->contact_work_j, &row->made_j);
    row->moved_j += fabs(step->coupling_work_j - before->coupling_work_j);
    row->toggles += before->number > 0 && before->touching != step->touching;
    row->cut += step->cut;
    if (step->touching) {
        s->touching++;
        s->contacts += (double)step->contact_count;
        s->impulses += (double)step->impulse_count;
    }
}

/**
 * Sets the 99th percentile of the change of the coupling's force between computed steps (from step
 * 1 on).
 */
static base_status find_change(const bench_step_row *steps, size_t count, double *p99_n,
                               base_error *err)
{
    if (count < 3) {
        return BASE_OK;
    }
    double *const changes = base_alloc(count - 2, sizeof *changes);
    if (!changes) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 2; i < count; i++) {
        changes[i - 2] =
            vec3_distance(steps[i - 1].step.coupling_force_n, steps[i].step.coupling_force_n);
    }
    bench_stats_sort_numbers(changes, count - 2);
    *p99_n = bench_stats_percentile_number(changes, count - 2, 99);
    base_free(changes);
    return BASE_OK;
}

static bool has_status(const bench_simulation_row *row, bench_status status)
{
    return strcmp(row->status, bench_status_name(status)) == 0;
}

/** A fault counts at once. Its absence is known only after the whole scene. */
static uint64_t judge(const bench_simulation_row *row, bool fault)
{
    const bool ended = has_status(row, BENCH_CELL_OK) || has_status(row, BENCH_CELL_UNSCALED);
    return fault || ended ? fault : UINT64_MAX;
}

base_status bench_simulation_sum_up(const bench_step_row *steps, size_t count,
                                    const bench_passed *passed, bench_simulation_row *row,
                                    base_error *err)
{
    sums s = {.settled_s = INFINITY};
    row->steps = count > 0 ? count - 1 : 0;
    row->passive = row->through = row->chatter = UINT64_MAX;
    row->toggles = row->cut = row->beyond = 0;
    row->first_touch_s = row->point_depth_m = row->point_depth_settled_m = NAN;
    row->volume_m3 = row->volume_settled_m3 = row->passed_share = NAN;
    row->made_j = row->made_beyond_j = row->contact_work_j = row->moved_j = NAN;
    row->coupling_rms_n = row->coupling_max_n = row->change_p99_n = NAN;
    row->contacts_mean = row->impulses_mean = NAN;
    if (row->steps == 0) {
        return BASE_OK;
    }
    row->made_j = row->moved_j = 0;
    take_overlap(&steps[0], &s, row);
    for (size_t i = 1; i < count; i++) {
        take_step(&steps[i - 1].step, &steps[i].step, &s, row);
        take_overlap(&steps[i], &s, row);
        row->beyond += steps[i].beyond;
    }
    row->contact_work_j = steps[count - 1].step.contact_work_j;
    row->coupling_rms_n = sqrt(s.force2 / (double)row->steps);
    row->passive = judge(row, row->made_j > BENCH_PASSIVE_SHARE * row->moved_j);
    if (row->passive != UINT64_MAX) {
        row->passive = !row->passive;
    }
    row->through = judge(row, passed->through);
    row->passed_share = passed->share;
    if (strcmp(row->response, "impulses") == 0 && s.touching > 0) {
        row->contacts_mean = s.contacts / (double)s.touching;
        row->impulses_mean = s.impulses / (double)s.touching;
    }
    return find_change(steps, count, &row->change_p99_n, err);
}

/** Returns the row of exact-volume on the same scene, or NULL if it did not finish. */
static const bench_simulation_row *find_reference(const bench_simulation_row *rows, size_t count,
                                                  const char *scene)
{
    for (size_t k = 0; k < count; k++) {
        if (strcmp(rows[k].variant, "exact-volume") == 0 && has_status(&rows[k], BENCH_CELL_OK) &&
            strcmp(rows[k].scene, scene) == 0) {
            return &rows[k];
        }
    }
    return NULL;
}

void bench_simulation_compare(bench_simulation_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bench_simulation_row *const row = &rows[i];
        const bench_simulation_row *const reference = find_reference(rows, count, row->scene);
        row->chatter = UINT64_MAX;
        row->made_beyond_j = NAN;
        if (reference && !has_status(row, BENCH_CELL_UNSCALED)) {
            const uint64_t usual = reference->toggles;
            row->chatter = row->toggles > usual ? row->toggles - usual : 0;
            row->made_beyond_j = row->made_j > reference->made_j ? row->made_j - reference->made_j
                                 : isnan(row->made_j)            ? (double)NAN
                                                                 : 0;
        }
    }
}

/* --- Summaries of times ----------------------------------------------------------------------- */

/** Sets the median, the 99th percentile and the maximum. Sorts the values. */
static void take_order(uint64_t *values, size_t count, uint64_t *const to[3])
{
    bench_stats_sort(values, count);
    *to[0] = bench_stats_percentile(values, count, 50);
    *to[1] = bench_stats_percentile(values, count, 99);
    *to[2] = values[count - 1];
}

base_status bench_simulation_sum_up_times(const bench_step_time_row *times, size_t count,
                                          double step_s, bench_simulation_time_row *row,
                                          base_error *err)
{
    if (count == 0) {
        return BASE_OK;
    }
    uint64_t *const values = base_alloc(2 * count, sizeof *values);
    if (!values) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    row->steps = count;
    for (size_t i = 0; i < count; i++) {
        values[i] = times[i].query_ns;
        values[count + i] = times[i].response_ns;
        row->late += (double)(times[i].query_ns + times[i].response_ns) > 1e9 * step_s;
    }
    take_order(values, count,
               (uint64_t *const[]){&row->query_p50_ns, &row->query_p99_ns, &row->query_max_ns});
    take_order(
        values + count, count,
        (uint64_t *const[]){&row->response_p50_ns, &row->response_p99_ns, &row->response_max_ns});
    base_free(values);
    return BASE_OK;
}

static const char rows_file[] = "simulations.csv", times_file[] = "simulation_times.csv";

/* --- Summaries in files: rows of a resumed simulation ----------------------------------------- */

/** Reads a file. A missing file gives a table without rows. */
static base_status read_before(const char *folder, const char *name, bench_columns columns,
                               base_csv *table, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    base_status status = bench_run_file(folder, path, err, "%s", name);
    if (status != BASE_OK || access(path, F_OK) != 0) {
        return status;
    }
    status = base_csv_read(path, NULL, table, err);
    return status == BASE_OK ? bench_columns_check(columns, table, UINT_MAX, err) : status;
}

base_status bench_simulation_rows_open(const char *folder, size_t most, bool read,
                                       bench_simulation_rows *r, base_error *err)
{
    *r = (bench_simulation_rows){.folder = folder,
                                 .rows = base_alloc(most, sizeof *r->rows),
                                 .times = base_alloc(most, sizeof *r->times)};
    if (!r->rows || !r->times) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    if (!read) {
        return BASE_OK;
    }
    const base_status status =
        read_before(folder, rows_file, bench_simulation_columns, &r->before, err);
    return status == BASE_OK ? read_before(folder, times_file, bench_simulation_time_columns,
                                           &r->times_before, err)
                             : status;
}

/**
 * Finds the times of a variant. Returns false if they are missing, or if there is an error in
 * *status.
 */
static bool find_times(bench_simulation_rows *r, const bench_simulation_row *row,
                       base_status *status, base_error *err)
{
    bench_simulation_time_row *const times = &r->times[r->count];
    for (size_t i = 0; i < r->times_before.rows && *status == BASE_OK; i++) {
        *status =
            bench_columns_read(bench_simulation_time_columns, &r->times_before, i, times, err);
        if (*status == BASE_OK && strcmp(times->scene, row->scene) == 0 &&
            strcmp(times->variant, row->variant) == 0) {
            return true;
        }
    }
    return false;
}

bool bench_simulation_rows_keep(bench_simulation_rows *r, const char *scene, const char *variant,
                                base_status *status, base_error *err)
{
    const char *const interrupted = bench_status_name(BENCH_CELL_INTERRUPTED);
    bench_simulation_row *const row = &r->rows[r->count];
    *status = BASE_OK;
    for (size_t i = 0; i < r->before.rows && *status == BASE_OK; i++) {
        *status = bench_columns_read(bench_simulation_columns, &r->before, i, row, err);
        if (*status == BASE_OK && strcmp(row->scene, scene) == 0 &&
            strcmp(row->variant, variant) == 0 && strcmp(row->status, interrupted) != 0 &&
            find_times(r, row, status, err)) {
            r->count++;
            return true;
        }
    }
    return false;
}

/* --- Summaries in files: output --------------------------------------------------------------- */

static base_status write_file(const bench_simulation_rows *r, const char *name,
                              bench_columns columns, const void *rows, size_t row_bytes,
                              base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    bench_output output;
    base_status status = bench_run_file(r->folder, path, err, "%s", name);
    if (status == BASE_OK) {
        status = bench_output_open(path, &output, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    base_csv_writer w = {.file = output.file};
    bench_columns_put_names(columns, &w);
    base_csv_end(&w);
    for (size_t i = 0; i < r->count; i++) {
        bench_columns_put(columns, (const char *)rows + i * row_bytes, &w);
        base_csv_end(&w);
    }
    return bench_output_close(&output, BASE_OK, err);
}

base_status bench_simulation_rows_write(bench_simulation_rows *r, base_error *err)
{
    bench_simulation_compare(r->rows, r->count);
    const base_status status =
        write_file(r, times_file, bench_simulation_time_columns, r->times, sizeof *r->times, err);
    return status == BASE_OK
               ? write_file(r, rows_file, bench_simulation_columns, r->rows, sizeof *r->rows, err)
               : status;
}

void bench_simulation_rows_close(bench_simulation_rows *r)
{
    base_csv_release(&r->before);
    base_csv_release(&r->times_before);
    base_free(r->rows);
    base_free(r->times);
    *r = (bench_simulation_rows){0};
}
