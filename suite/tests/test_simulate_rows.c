#include "suite/simulate/rows.h"
#include "suite/tests/simulate.h"

#include <math.h>

TestSuite(simulate_rows, .init = enter_folder, .fini = leave_folder);

static void add(bench_simulation_rows *rows, const char *variant, const char *status,
                uint64_t toggles)
{
    rows->rows[rows->count] = (bench_simulation_row){.scene = "peg",
                                                     .variant = variant,
                                                     .response = "force",
                                                     .status = status,
                                                     .detail = "",
                                                     .unit = "m",
                                                     .hash = "",
                                                     .file = variant,
                                                     .gain = 1.0 / 3,
                                                     .passive = UINT64_MAX,
                                                     .through = UINT64_MAX,
                                                     .chatter = UINT64_MAX,
                                                     .toggles = toggles};
    rows->times[rows->count] = (bench_simulation_time_row){
        .scene = "peg", .variant = variant, .file = variant, .query_p50_ns = 7 * toggles};
    rows->count++;
}

/** Makes a folder in which these variants have a row. */
static void write_rows(void)
{
    bench_simulation_rows rows;
    base_error err = {0};
    cr_assert_eq(bench_simulation_rows_open(folder, 4, false, &rows, &err), BASE_OK);
    add(&rows, "exact-volume", "ok", 3);
    add(&rows, "vps", "crash", 10);
    add(&rows, "pst", "interrupted", 1);
    cr_assert_eq(bench_simulation_rows_write(&rows, &err), BASE_OK, "%s", err.text);
    bench_simulation_rows_close(&rows);
}

static bool keep(bench_simulation_rows *rows, const char *scene, const char *variant)
{
    base_status status;
    base_error err = {0};
    const bool kept = bench_simulation_rows_keep(rows, scene, variant, &status, &err);
    cr_assert_eq(status, BASE_OK, "%s", err.text);
    return kept;
}

static void open_again(bool read, bench_simulation_rows *rows)
{
    base_error err = {0};
    cr_assert_eq(bench_simulation_rows_open(folder, 4, read, rows, &err), BASE_OK, "%s", err.text);
}

Test(simulate_rows, variants_that_have_ended_keep_their_rows)
{
    bench_simulation_rows rows;
    write_rows();
    open_again(true, &rows);
    cr_expect(!keep(&rows, "nut", "vps"), "another scene");
    cr_expect(!keep(&rows, "peg", "ist"), "another variant");
    cr_expect(!keep(&rows, "peg", "pst"), "an interrupted one goes on");
    cr_expect(keep(&rows, "peg", "exact-volume"));
    cr_expect(keep(&rows, "peg", "vps"), "a crashed one is not tried again");
    cr_assert_eq(rows.count, 2);
    cr_expect_str_eq(rows.rows[1].status, "crash");
    cr_expect_eq(rows.rows[1].gain, 1.0 / 3);
    cr_expect_eq(rows.rows[1].chatter, 7, "beyond those of exact-volume");
    cr_expect_eq(rows.times[1].query_p50_ns, 70);
    bench_simulation_rows_close(&rows);
    open_again(false, &rows);
    cr_expect(!keep(&rows, "peg", "vps"), "a command that begins reads none");
    bench_simulation_rows_close(&rows);
}

Test(simulate_rows, a_row_without_times_is_made_again)
{
    char path[128];
    bench_simulation_rows rows;
    write_rows();
    snprintf(path, sizeof path, "%s/simulation_times.csv", folder);
    cr_assert_eq(unlink(path), 0);
    open_again(true, &rows);
    cr_expect(!keep(&rows, "peg", "vps"));
    cr_expect_eq(rows.count, 0);
    bench_simulation_rows_close(&rows);
}

Test(simulate_rows, rows_that_are_never_written_are_an_error)
{
    char path[128];
    bench_simulation_rows rows;
    base_status status;
    base_error err = {0};
    write_rows();
    snprintf(path, sizeof path, "sed -i 's/,crash,/,crushed,/' %s/simulations.csv", folder);
    cr_assert_eq(system(path), 0);
    open_again(true, &rows);
    cr_expect(!bench_simulation_rows_keep(&rows, "peg", "vps", &status, &err));
    cr_expect_eq(status, BASE_ERR_INPUT);
    bench_simulation_rows_close(&rows);
}
