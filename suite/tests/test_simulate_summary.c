#include "suite/simulate/summary.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

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
    base_error err = {0};
    bench_simulation_row row = {
        .scene = "peg", .variant = "vps", .response = response, .status = "ok"};
    const bench_passed passed = {.through = share > 0.5, .share = share};
    cr_assert_eq(bench_simulation_sum_up(rows, count, &passed, &row, &err), BASE_OK, "%s",
                 err.text);
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
    base_error err = {0};
    for (int bad = 0; bad <= 1; bad++) {
        bench_simulation_row row = {
            .scene = "peg", .variant = "vps", .response = "force", .status = "interrupted"};
        make_steps(rows);
        if (bad) {
            rows[300].step.contact_work_j = 100;
        }
        const bench_passed passed = {.through = bad, .share = bad};
        cr_assert_eq(bench_simulation_sum_up(rows, STEPS + 1, &passed, &row, &err), BASE_OK);
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
    base_error err = {0};
    const bench_passed passed = {0};
    bench_simulation_row row = {
        .scene = "", .variant = "", .response = "force", .status = "unscaled"};
    make_steps(rows);
    cr_assert_eq(bench_simulation_sum_up(rows, STEPS + 1, &passed, &row, &err), BASE_OK);
    cr_expect_eq(row.passive, 1);
    cr_expect_eq(row.through, 0);
}

Test(simulation_summary, times_in_order)
{
    bench_step_time_row times[200];
    base_error err = {0};
    bench_simulation_time_row row = {0};
    for (size_t i = 0; i < 200; i++) {
        times[i] = (bench_step_time_row){i + 1, 5000 * ((i * 37) % 200 + 1), 7};
    }
    cr_assert_eq(bench_simulation_sum_up_times(times, 200, 1e-3, &row, &err), BASE_OK);
    cr_expect_eq(row.steps, 200);
    cr_expect_eq(row.query_p50_ns, 5000 * 100);
    cr_expect_eq(row.query_p99_ns, 5000 * 198);
    cr_expect_eq(row.query_max_ns, 5000 * 200);
    cr_expect_eq(row.response_p50_ns, 7);
    cr_expect_eq(row.response_max_ns, 7);
    cr_expect_eq(row.late, 1, "1 ms and 7 ns are late");
    cr_assert_eq(bench_simulation_sum_up_times(NULL, 0, 1e-3, &row, &err), BASE_OK);
}
