/** Files of a folder of simulations, and the summaries in them. */
#include "base/file.h"
#include "base/memory.h"
#include "base/tests/support.h"
#include "suite/simulate/rows.h"
#include "suite/tests/simulate.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* --- Steps ------------------------------------------------------------------------------------ */

TestSuite(steps, .init = enter_folder, .fini = leave_folder);

static const char *const counters[] = {"tests_count", "nodes_count", NULL};

/** Makes a step whose numbers are all different and have all digits. */
static bench_step_row make_row(uint64_t number)
{
    bench_step_row row = {.step.number = number, .beyond = number};
    for (size_t i = 0; i < bench_step_columns.count; i++) {
        const bench_column *const column = &bench_step_columns.items[i];
        const double value = (double)(i + 1) / 3 + (double)number * 1e-9;
        if (column->kind == BENCH_KIND_NUMBER) {
            memcpy((char *)&row + column->offset, &value, sizeof value);
        }
    }
    row.step.contact_count = 3 * number;
    row.step.impulse_count = 777;
    row.step.touching = number % 2;
    row.step.cut = number % 3 == 0;
    row.point_depth_m = number % 2 ? (double)NAN : 0.25;
    return row;
}

static void open_steps(bench_steps *steps)
{
    assert_ok(bench_steps_open(folder, "scene", "vps", counters, steps, ERR));
}

enum { ROWS = 4 };

/** Writes the missing rows. */
static void add_missing(bench_steps *steps)
{
    for (size_t i = steps->count; i < ROWS; i++) {
        const bench_step_row row = make_row(i);
        const bench_step_time_row time = {i, 1000 + i, 50 + i};
        const uint64_t values[ALG_COUNTERS_MAX] = {i, 100 * i};
        assert_ok(bench_steps_add(steps, &row, i > 0 ? values : NULL, i > 0 ? &time : NULL, ERR));
    }
    assert_ok(bench_steps_sync(steps, ERR));
}

static void write_all(void)
{
    SCOPED_STEPS steps;
    open_steps(&steps);
    cr_assert_eq(steps.count, 0);
    add_missing(&steps);
}

typedef struct bytes {
    char path[128], *text;
    size_t size;
} bytes;

static bytes read_bytes(const char *name)
{
    bytes b;
    snprintf(b.path, sizeof b.path, "%s/scene/vps.%s.csv", folder, name);
    assert_ok(base_file_read(b.path, &b.text, &b.size, ERR));
    return b;
}

static void write_bytes(const bytes *b, size_t size)
{
    FILE *const file = fopen(b->path, "w");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(b->text, 1, size, file), size);
    fclose(file);
}

static size_t rows_in(const bytes *b, size_t size)
{
    size_t lines = 0;
    for (size_t i = 0; i < size; i++) {
        lines += b->text[i] == '\n';
    }
    return lines > 0 ? lines - 1 : 0;
}

Test(steps, what_is_read_back_is_what_was_written)
{
    SCOPED_STEPS steps;
    write_all();
    open_steps(&steps);
    cr_assert_eq(steps.count, ROWS);
    cr_assert_eq(steps.time_count, ROWS - 1);
    for (size_t i = 0; i < ROWS; i++) {
        const bench_step_row expected = make_row(i), *const row = &steps.rows[i];
        for (size_t c = 0; c < bench_step_columns.count; c++) {
            char room[2][BENCH_FIELD_BYTES];
            const bench_column *const column = &bench_step_columns.items[c];
            cr_expect_str_eq(bench_column_text(column, row, room[0]),
                             bench_column_text(column, &expected, room[1]), "step %zu: %s", i,
                             column->name);
        }
    }
    cr_expect_eq(steps.times[1].step, 2);
    cr_expect_eq(steps.times[1].query_ns, 1002);
    cr_expect_eq(steps.times[1].response_ns, 52);
}

/**
 * Every member of a step that is needed to continue a simulation is in a column: rows that differ
 * in a member are written differently.
 */
Test(steps, every_member_of_a_step_is_written)
{
    enum { SIZE = sizeof(scn_step) };
    unsigned char covered[SIZE] = {0};
    for (size_t c = 0; c < bench_step_columns.count; c++) {
        const bench_column *const column = &bench_step_columns.items[c];
        const size_t begin = column->offset;
        const size_t size = column->kind == BENCH_KIND_FLAG ? sizeof(bool) : sizeof(double);
        for (size_t i = begin; i < begin + size && i < SIZE; i++) {
            covered[i] = 1;
        }
    }
    size_t padding = 0;
    for (size_t i = 0; i < SIZE; i++) {
        padding += !covered[i];
    }
    /* The two flags of one byte each precede members of eight bytes. */
    cr_expect_leq(padding, 14, "%zu bytes of a step are in no column", padding);
}

/**
 * Killed at any byte of either file: complete rows stay, and the remaining rows are the same as
 * before.
 */
Test(steps, a_torn_end_is_cut_off_at_any_byte)
{
    write_all();
    bytes whole = read_bytes("steps"), times = read_bytes("times");
    for (size_t size = 0; size <= whole.size; size += (size < 40 ? 1 : 3) * sweep_step(5)) {
        bench_steps steps;
        write_bytes(&whole, size);
        write_bytes(&times, times.size);
        open_steps(&steps);
        cr_assert_eq(steps.count, rows_in(&whole, size), "%zu bytes: %zu rows", size, steps.count);
        cr_assert_eq(steps.time_count, steps.count > 0 ? steps.count - 1 : 0, "%zu bytes", size);
        add_missing(&steps);
        bench_steps_close(&steps);
        bytes again = read_bytes("steps"), again_times = read_bytes("times");
        cr_assert(again.size == whole.size && memcmp(again.text, whole.text, whole.size) == 0,
                  "%zu bytes", size);
        cr_assert(again_times.size == times.size &&
                      memcmp(again_times.text, times.text, times.size) == 0,
                  "%zu bytes", size);
        base_free(again.text);
        base_free(again_times.text);
    }
    base_free(whole.text);
    base_free(times.text);
}

/** If times are lost, the steps are still continued. */
Test(steps, times_that_are_missing_stay_so)
{
    SCOPED_STEPS steps;
    write_all();
    bytes times = read_bytes("times");
    cr_assert_eq(unlink(times.path), 0);
    base_free(times.text);
    open_steps(&steps);
    cr_expect_eq(steps.count, ROWS);
    cr_expect_eq(steps.time_count, 0);
}

Test(steps, rows_that_no_simulation_writes_are_refused)
{
    static const struct {
        const char *from, *to, *says;
    } cases[] = {
        {"step,t_s", "t_s,step", "has other columns than this version writes"},
        {"tests_count", "test_count", "has other columns than this version writes"},
        {"\n2,", "\n3,", "line 4 is not step 2"},
        {",777,", ",-777,", "is not a count"},
        {"0.66666666666", "", "line 2 is not step 0"},
        {"0.66666666666", "x.66666666666", "t_s"},
    };
    write_all();
    bytes whole = read_bytes("steps");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED_STEPS steps;
        base_error err = {0};
        const char *const at = strstr(whole.text, cases[i].from);
        cr_assert_not_null(at, "%s", cases[i].from);
        const size_t cut = *cases[i].to ? strlen(cases[i].from) : strcspn(at, ",");
        FILE *const file = fopen(whole.path, "w");
        cr_assert_not_null(file);
        fprintf(file, "%.*s%s%s", (int)(at - whole.text), whole.text, cases[i].to, at + cut);
        fclose(file);
        cr_expect_eq(bench_steps_open(folder, "scene", "vps", counters, &steps, &err),
                     BASE_ERR_INPUT, "%s", cases[i].from);
        cr_expect_not_null(strstr(err.text, cases[i].says), "%s: %s", cases[i].from, err.text);
    }
    base_free(whole.text);
}

/* --- Summaries -------------------------------------------------------------------------------- */

enum { STEPS = 400 };

/** Touches from step 101 on (t = 0.1 s), so that the transient ends at 0.2 s. */
static void make_steps(bench_step_row *rows)
{
    memset(rows, 0, (STEPS + 1) * sizeof *rows);
    for (size_t i = 0; i <= STEPS; i++) {
        rows[i] = (bench_step_row){.step = {.number = i, .t_s = 0.001 * (double)i},
                                   .point_depth_m = i % 10 == 0 ? 0 : (double)NAN};
        rows[i].step.touching = i > 100;
        rows[i].step.coupling_force_n.x = i > 100 ? 3 : 0;
        rows[i].step.coupling_work_j = (double)i;
        rows[i].step.contact_work_j = i > 100 ? -1 : 0;
    }
}

/** share: of the points that have passed. */
static bench_simulation_row sum_up_passed(const bench_step_row *rows, size_t count,
                                          const char *response, double share)
{
    bench_simulation_row row = {
        .scene = "peg", .variant = "vps", .response = response, .status = "ok"};
    const bench_passed passed = {.through = share > 0.5, .share = share};
    assert_ok(bench_simulation_sum_up(rows, count, &passed, &row, ERR));
    return row;
}

static bench_simulation_row sum_up(const bench_step_row *rows, size_t count, const char *response)
{
    return sum_up_passed(rows, count, response, 0);
}

Test(simulation_summary, a_quiet_contact)
{
    static bench_step_row rows[STEPS + 1];
    make_steps(rows);
    const bench_simulation_row row = sum_up(rows, STEPS + 1, "force");
    cr_expect_eq(row.steps, STEPS);
    cr_expect_eq(row.first_touch_s, 0.1, "%.17g", row.first_touch_s);
    cr_expect_eq(row.toggles, 1);
    cr_expect_eq(row.point_depth_m, 0);
    cr_expect_eq(row.made_j, 0);
    cr_expect_eq(row.contact_work_j, -1);
    cr_expect_eq(row.moved_j, STEPS);
    cr_expect_eq(row.passive, 1);
    cr_expect_eq(row.through, 0);
    cr_expect_eq(row.chatter, UINT64_MAX);
    cr_expect_eq(row.coupling_max_n, 3);
    cr_expect(fabs(row.coupling_rms_n - 3 * sqrt(0.75)) < 1e-15, "%.17g", row.coupling_rms_n);
    cr_expect_eq(row.change_p99_n, 0, "one jump of 400 is beyond the percentile");
    cr_expect(isnan(row.contacts_mean) && isnan(row.impulses_mean));
}

/** The transient is the time up to 100 ms after the first touch, including its end. */
Test(simulation_summary, what_is_behind_the_transient)
{
    static bench_step_row rows[STEPS + 1];
    static const struct {
        size_t at;
        bool settled;
    } cases[] = {{0, false}, {110, false}, {190, false}, {210, true}, {400, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make_steps(rows);
        rows[cases[i].at].point_depth_m = 0.005;
        rows[cases[i].at].volume_m3 = 2;
        const bench_simulation_row row = sum_up(rows, STEPS + 1, "force");
        cr_expect_eq(row.point_depth_m, 0.005, "step %zu", cases[i].at);
        cr_expect_eq(row.volume_m3, 2, "step %zu", cases[i].at);
        cr_expect_eq(row.point_depth_settled_m, cases[i].settled ? 0.005 : 0, "step %zu",
                     cases[i].at);
        cr_expect_eq(row.volume_settled_m3, cases[i].settled ? 2 : 0, "step %zu", cases[i].at);
    }
}

/** The limit is one per cent of the energy moved by the coupling in either direction. */
Test(simulation_summary, work_that_is_made_of_nothing)
{
    static bench_step_row rows[STEPS + 1];
    for (int k = -1; k <= 1; k++) {
        make_steps(rows);
        for (size_t i = 0; i <= STEPS; i++) {
            rows[i].step.coupling_work_j = i <= 200 ? (double)i : (double)(400 - i);
        }
        rows[300].step.contact_work_j = 4 + 0.001 * k;
        const bench_simulation_row row = sum_up(rows, STEPS + 1, "force");
        cr_expect_eq(row.made_j, 4 + 0.001 * k);
        cr_expect_eq(row.passive, k <= 0, "%.17g J", row.made_j);
    }
}

Test(simulation_summary, a_body_that_went_through)
{
    static bench_step_row rows[STEPS + 1];
    make_steps(rows);
    for (int k = 0; k <= 1; k++) {
        const double share = k ? 0.75 : 0.25;
        const bench_simulation_row row = sum_up_passed(rows, STEPS + 1, "force", share);
        cr_expect_eq(row.through, k);
        cr_expect_eq(row.passed_share, share);
    }
}

/** A fault is certain at once; the absence of faults is known only at the end. */
Test(simulation_summary, what_ended_early_is_not_acquitted)
{
    static bench_step_row rows[STEPS + 1];
    for (int bad = 0; bad <= 1; bad++) {
        bench_simulation_row row = {
            .scene = "peg", .variant = "vps", .response = "force", .status = "interrupted"};
        make_steps(rows);
        if (bad) {
            rows[300].step.contact_work_j = 100;
        }
        const bench_passed passed = {.through = bad, .share = bad};
        assert_ok(bench_simulation_sum_up(rows, STEPS + 1, &passed, &row, ERR));
        cr_expect_eq(row.passive, bad ? 0 : UINT64_MAX);
        cr_expect_eq(row.through, bad ? 1 : UINT64_MAX);
    }
}

Test(simulation_summary, smoothness_and_impulses)
{
    static bench_step_row rows[STEPS + 1];
    make_steps(rows);
    for (size_t i = 101; i <= STEPS; i++) { /* back and forth by 2 */
        rows[i].step.coupling_force_n = vec3_make(3, i % 2 ? 2 : 0, 0);
        rows[i].step.contact_count = 10;
        rows[i].step.impulse_count = i % 2 ? 4 : 2;
        rows[i].step.touching = i % 4 != 0;
        rows[i].step.cut = i % 100 == 50;
        rows[i].beyond = 5;
    }
    const bench_simulation_row row = sum_up(rows, STEPS + 1, "impulses");
    cr_expect_eq(row.change_p99_n, 2, "%.17g", row.change_p99_n);
    cr_expect_eq(row.contacts_mean, 10);
    /* Two of three touching steps have 4 impulses, and one has 2. */
    cr_expect(fabs(row.impulses_mean - 10.0 / 3) < 1e-12, "%.17g", row.impulses_mean);
    cr_expect_eq(row.toggles, 150);
    cr_expect_eq(row.cut, 3);
    cr_expect_eq(row.beyond, 1500);
}

Test(simulation_summary, without_a_step)
{
    static bench_step_row rows[STEPS + 1];
    make_steps(rows);
    for (size_t count = 0; count <= 1; count++) {
        const bench_simulation_row row = sum_up(rows, count, "force");
        cr_expect_eq(row.steps, 0);
        cr_expect_eq(row.passive, UINT64_MAX);
        cr_expect(isnan(row.made_j) && isnan(row.first_touch_s) && isnan(row.coupling_rms_n));
    }
}

Test(simulation_summary, rows_are_compared_with_exact_volume)
{
    bench_simulation_row rows[] = {
        {.scene = "peg", .variant = "vps", .status = "ok", .toggles = 9, .made_j = 3},
        {.scene = "peg", .variant = "exact-volume", .status = "ok", .toggles = 4, .made_j = 2},
        {.scene = "peg", .variant = "pst", .status = "ok", .toggles = 2, .made_j = 1},
        {.scene = "peg", .variant = "ist", .status = "unscaled", .toggles = 9, .made_j = 9},
        {.scene = "peg", .variant = "lpd", .status = "crash", .toggles = 0, .made_j = NAN},
        {.scene = "nut", .variant = "exact-volume", .status = "interrupted", .made_j = 0},
        {.scene = "nut", .variant = "vps", .status = "ok", .toggles = 9, .made_j = 3},
    };
    static const uint64_t chatter[] = {5, 0, 0, UINT64_MAX, 0, UINT64_MAX, UINT64_MAX};
    static const double beyond[] = {1, 0, 0, NAN, NAN, NAN, NAN};
    const size_t count = sizeof rows / sizeof *rows;
    bench_simulation_compare(rows, count);
    for (size_t i = 0; i < count; i++) {
        const double got = rows[i].made_beyond_j;
        cr_expect_eq(rows[i].chatter, chatter[i], "row %zu", i);
        cr_expect(isnan(beyond[i]) ? isnan(got) : got == beyond[i], "row %zu: %g J", i, got);
    }
}

/** An unscaled simulation was completed. */
Test(simulation_summary, what_is_unscaled_is_judged)
{
    static bench_step_row rows[STEPS + 1];
    const bench_passed passed = {0};
    bench_simulation_row row = {
        .scene = "", .variant = "", .response = "force", .status = "unscaled"};
    make_steps(rows);
    assert_ok(bench_simulation_sum_up(rows, STEPS + 1, &passed, &row, ERR));
    cr_expect_eq(row.passive, 1);
    cr_expect_eq(row.through, 0);
}

Test(simulation_summary, times_in_order)
{
    bench_step_time_row times[200];
    bench_simulation_time_row row = {0};
    for (size_t i = 0; i < 200; i++) {
        times[i] = (bench_step_time_row){i + 1, 5000 * ((i * 37) % 200 + 1), 7};
    }
    assert_ok(bench_simulation_sum_up_times(times, 200, 1e-3, &row, ERR));
    cr_expect_eq(row.steps, 200);
    cr_expect_eq(row.query_p50_ns, 5000 * 100);
    cr_expect_eq(row.query_p99_ns, 5000 * 198);
    cr_expect_eq(row.query_max_ns, 5000 * 200);
    cr_expect_eq(row.response_p50_ns, 7);
    cr_expect_eq(row.response_max_ns, 7);
    cr_expect_eq(row.late, 1, "1 ms and 7 ns are late");
    assert_ok(bench_simulation_sum_up_times(NULL, 0, 1e-3, &row, ERR));
}

/* --- Summaries in files ----------------------------------------------------------------------- */

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
    assert_ok(bench_simulation_rows_open(folder, 4, false, &rows, ERR));
    add(&rows, "exact-volume", "ok", 3);
    add(&rows, "vps", "crash", 10);
    add(&rows, "pst", "interrupted", 1);
    assert_ok(bench_simulation_rows_write(&rows, ERR));
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
    assert_ok(bench_simulation_rows_open(folder, 4, read, rows, ERR));
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
