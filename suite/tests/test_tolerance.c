/** Tolerances: parsing the text of a scenario, and deciding which frames are within them. */
#include "base/tests/support.h"
#include "suite/tolerance.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static bench_tolerances parse(const char *text)
{
    bench_tolerances t;
    base_error err = {0};
    cr_assert_eq(bench_tolerances_parse(text, &t, &err), BASE_OK, "'%s': %s", text, err.text);
    return t;
}

static void expect_fault(const char *text, const char *part)
{
    bench_tolerances t;
    base_error err = {0};
    cr_assert_eq(bench_tolerances_parse(text, &t, &err), BASE_ERR_ARGUMENT, "'%s'", text);
    cr_assert(strstr(err.text, part), "'%s': %s", text, err.text);
}

/** Judges a frame whose errors are all 0 except for these two. */
static double holds(const bench_tolerance *t, double first, double second)
{
    double errors[BENCH_ERROR_COUNT] = {0};
    errors[t->limits[0].error] = first;
    if (t->count > 1) {
        errors[t->limits[1].error] = second;
    }
    return bench_tolerance_holds(t, errors, NAN);
}

Test(tolerance, defaults_are_one_percent_or_the_right_verdict)
{
    const bench_tolerances t = parse("");
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        cr_assert_eq(t.of[q].count, 1);
        cr_assert_eq(t.of[q].limits[0].error, bench_quantities[q].error);
        cr_assert_eq(t.of[q].limits[0].most, 0.01);
    }
    char text[BENCH_TOLERANCE_BYTES];
    bench_tolerance_describe(&t.of[ALG_CONTACT], text);
    cr_assert_str_eq(text, "1 % (wrong verdicts)");
    bench_tolerance_describe(&t.of[ALG_DISTANCE], text);
    cr_assert_str_eq(text, "1 % of the size");
}

Test(tolerance, a_text_replaces_the_limits_of_its_quantities_alone)
{
    const bench_tolerances t =
        parse("depth_outside_rel=0.1, depth_left_rel=0.01 force_direction_deg=10");
    cr_assert_eq(t.of[ALG_DEPTH].count, 2);
    cr_assert_eq(t.of[ALG_DEPTH].limits[0].error, BENCH_DEPTH_OUTSIDE_REL);
    cr_assert_eq(t.of[ALG_DEPTH].limits[1].most, 0.01);
    cr_assert_eq(t.of[ALG_FORCE].limits[0].error, BENCH_FORCE_DIRECTION_DEG);
    cr_assert_eq(t.of[ALG_VOLUME].limits[0].error, BENCH_VOLUME_ERROR_REL);
    char text[BENCH_TOLERANCE_BYTES];
    bench_tolerance_describe(&t.of[ALG_DEPTH], text);
    cr_assert_str_eq(text, "10 % outside, 1 % left");
    bench_tolerance_describe(&t.of[ALG_FORCE], text);
    cr_assert_str_eq(text, "10 deg (direction)");
    const bench_tolerances distance = parse("distance_error_rel=0.02");
    bench_tolerance_describe(&distance.of[ALG_DISTANCE], text);
    cr_assert_str_eq(text, "2 % of the truth");
}

Test(tolerance, a_change_leaves_other_quantities_alone)
{
    bench_tolerances t = parse("depth_outside_rel=0.1 depth_left_rel=0.01 force_direction_deg=10");
    base_error err = {0};
    assert_ok(bench_tolerances_change("depth_error_rel=0.5", &t, ERR));
    cr_assert_eq(t.of[ALG_DEPTH].count, 1);
    cr_assert_eq(t.of[ALG_DEPTH].limits[0].error, BENCH_DEPTH_ERROR_REL);
    cr_assert_eq(t.of[ALG_FORCE].limits[0].error, BENCH_FORCE_DIRECTION_DEG);
    cr_assert_eq(t.of[ALG_FORCE].limits[0].most, 10);
    cr_assert_eq(bench_tolerances_change("depth_eror_rel=0.5", &t, &err), BASE_ERR_ARGUMENT);
}

Test(tolerance, what_is_written_is_read_again)
{
    const bench_tolerances t = parse("depth_outside_rel=0.1 depth_left_rel=0.3 pairs_error_rel=0");
    char text[BENCH_TOLERANCE_BYTES];
    bench_tolerances_format(&t, ALG_WANT_DEPTH | ALG_WANT_CONTACT, text);
    const bench_tolerances again = parse(text);
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        cr_assert_eq(again.of[q].count, t.of[q].count);
        for (size_t i = 0; i < t.of[q].count; i++) {
            cr_assert_eq(again.of[q].limits[i].error, t.of[q].limits[i].error);
            cr_assert_eq(again.of[q].limits[i].most, t.of[q].limits[i].most);
        }
    }
    bench_tolerances_format(&t, ALG_WANT_VOLUME, text);
    cr_assert_str_eq(text, "volume_error_rel=0.01");
}

Test(tolerance, every_limit_counts_by_its_absolute_value)
{
    const bench_tolerances t = parse("depth_outside_rel=0.1 depth_left_rel=0.01");
    const bench_tolerance *const depth = &t.of[ALG_DEPTH];
    cr_assert_eq(holds(depth, 0.1, 0.01), 1, "limits themselves are within");
    cr_assert_eq(holds(depth, -0.1, 0), 1);
    cr_assert_eq(holds(depth, -0.11, 0), 0);
    cr_assert_eq(holds(depth, 0.11, 0), 0);
    cr_assert_eq(holds(depth, 0, 0.02), 0);
    cr_assert_eq(holds(depth, 0, NAN), 1, "an unknown second error breaks no limit");
    cr_assert(isnan(holds(depth, NAN, 0)), "without its first error a frame is not judged");
}

Test(tolerance, of_contact_the_verdict_counts)
{
    const bench_tolerances t = parse("");
    const double errors[BENCH_ERROR_COUNT] = {0};
    cr_assert_eq(bench_tolerance_holds(&t.of[ALG_CONTACT], errors, 0), 1);
    cr_assert_eq(bench_tolerance_holds(&t.of[ALG_CONTACT], errors, 1), 0);
    cr_assert(isnan(bench_tolerance_holds(&t.of[ALG_CONTACT], errors, NAN)));
}

Test(tolerance, faults_are_named)
{
    expect_fault("force_directon_deg=10", "did you mean 'force_direction_deg'");
    expect_fault("10", "not NAME=NUMBER");
    expect_fault("force_direction_deg=", "not a number");
    expect_fault("force_direction_deg=-1", "at least 0");
    expect_fault("force_direction_deg=nan", "not a number");
    expect_fault("depth_left_rel=0.1 depth_left_rel=0.2", "twice");
    expect_fault("depth_left_rel=1 depth_error_rel=1 depth_local_rel=1 depth_gap_size=1",
                 "more than 3");
}
