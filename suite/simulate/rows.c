#include "suite/simulate/rows.h"

#include "base/memory.h"
#include "suite/results/cells.h"
#include "suite/results/run_folder.h"
#include "suite/simulate/summary.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

static const char rows_file[] = "simulations.csv", times_file[] = "simulation_times.csv";

/* --- Rows of a resumed simulation ------------------------------------------------------------- */

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

/* --- Output ----------------------------------------------------------------------------------- */

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
