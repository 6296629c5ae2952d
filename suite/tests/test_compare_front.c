/** Fronts, winners and needs for made-up cells. */
#include "base/random.h"
#include "base/tests/support.h"
#include "suite/compare/front.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static bench_cell_row make_cell(const char *scenario, const char *variant, double p99_ns,
                                double error)
{
    bench_cell_row cell = {
        .scenario = scenario,
        .variant = variant,
        .status = "ok",
        .baseline = "",
        .contract = "",
        .time_p99_ns = p99_ns,
        .time_intrinsic_max_ns = 2 * p99_ns,
        .quantity = "distance",
    };
    for (int e = 0; e < BENCH_ERROR_COUNT; e++) {
        cell.errors[e][BENCH_MEAN] = cell.errors[e][BENCH_MAX] = NAN;
    }
    cell.errors[BENCH_DISTANCE_ERROR_SIZE][BENCH_MEAN] = error / 2;
    cell.errors[BENCH_DISTANCE_ERROR_SIZE][BENCH_MAX] = error;
    return cell;
}

static const bench_point *point_of(const bench_front *front, const char *variant)
{
    for (size_t i = 0; i < front->count; i++) {
        if (strcmp(front->points[i].cell->variant, variant) == 0) {
            return &front->points[i];
        }
    }
    return NULL;
}

Test(compare_front, zeros_and_ties_stay)
{
    bench_cell_row cells[] = {
        make_cell("s", "exact-slow", 900, 0),
        make_cell("s", "exact", 500, 3e-17),
        make_cell("s", "exact-again", 500, 0),
        make_cell("s", "rough", 100, 0.04),
        make_cell("s", "rough-again", 100, 0.04),
        make_cell("s", "middle", 200, 0.008),
        make_cell("s", "beaten", 201, 0.008),
        make_cell("s", "worse", 300, 0.05),
        make_cell("s", "wrong", 1, 0),
        make_cell("s", "twin", 1, 0),
        make_cell("s", "silent", 1, NAN),
    };
    cells[8].status = "wrong";
    cells[9].twin = true;
    const bench_record record = {.cells = cells, .cell_count = sizeof cells / sizeof *cells};
    const struct {
        const char *variant;
        bool on_front, within, exact;
    } expected[] = {
        {"exact-slow", false, false, false}, {"exact", true, false, true},
        {"exact-again", true, false, true},  {"rough", true, false, false},
        {"rough-again", true, false, false}, {"middle", true, true, false},
        {"beaten", false, false, false},     {"worse", false, false, false},
    };
    SCOPED_FRONT front;
    assert_ok(bench_front_make(&record, 0.01, &front, ERR));
    cr_assert_eq(front.count, 8u, "wrong answers, twins and silence are no points: %zu",
                 front.count);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const bench_point *const p = point_of(&front, expected[i].variant);
        cr_assert_not_null(p, "%s", expected[i].variant);
        cr_assert_eq(p->on_front, expected[i].on_front, "front: %s", expected[i].variant);
        cr_assert_eq(p->fastest_within, expected[i].within, "within: %s", expected[i].variant);
        cr_assert_eq(p->fastest_exact, expected[i].exact, "exact: %s", expected[i].variant);
    }
}

/**
 * Checks the definition on random points with many equal values: a point is on the front unless
 * another one beats it.
 */
Test(compare_front, contains_the_variants_that_no_other_beats)
{
    base_random random = base_random_seed(11);
    for (int run = 0; run < 200; run++) {
        bench_cell_row cells[30];
        for (size_t i = 0; i < 30; i++) {
            cells[i] = make_cell(i < 12 ? "s" : "t", "v", 1 + (double)base_random_below(&random, 9),
                                 (double)base_random_below(&random, 9) / 100);
        }
        SCOPED_FRONT front;
        const bench_record record = {.cells = cells, .cell_count = 30};
        assert_ok(bench_front_make(&record, 0.02, &front, ERR));
        cr_assert_eq(front.count, 30u);
        for (size_t i = 0; i < 30; i++) {
            const bench_point *const p = &front.points[i];
            bool beaten = false, within_beaten = p->error_max > 0.02;
            for (size_t j = i < 12 ? 0 : 12; j < (i < 12 ? 12 : 30); j++) {
                const bench_point *const q = &front.points[j];
                const bool no_worse = q->time_ns <= p->time_ns && q->error_mean <= p->error_mean;
                const bool equal = q->time_ns >= p->time_ns && q->error_mean >= p->error_mean;
                beaten = beaten || (no_worse && !equal);
                within_beaten = within_beaten || (q->error_max <= 0.02 && q->time_ns < p->time_ns);
            }
            cr_assert_eq(p->on_front, !beaten, "run %d, point %zu", run, i);
            cr_assert_eq(p->fastest_within, !within_beaten, "run %d, point %zu", run, i);
        }
    }
}

/** A variant that answers both quantities has a point in both fronts. */
Test(compare_front, kinds_of_error_are_apart)
{
    bench_cell_row cells[] = {make_cell("s", "v", 10, 0.1), make_cell("s", "w", 20, 0.05)};
    cells[0].errors[BENCH_VOLUME_ERROR_REL][BENCH_MEAN] = 0;
    cells[1].errors[BENCH_VOLUME_ERROR_REL][BENCH_MEAN] = 0.5;
    const bench_record record = {.cells = cells, .cell_count = 2};
    SCOPED_FRONT front;
    assert_ok(bench_front_make(&record, 1, &front, ERR));
    cr_assert_eq(front.count, 4u);
    cr_assert_eq(bench_front_group_end(&front, 0), 2u);
    cr_assert_eq(bench_front_group_end(&front, 2), 4u);
    cr_assert(front.points[0].on_front && front.points[1].on_front, "distance");
    cr_assert(front.points[2].on_front && !front.points[3].on_front, "volume");
}

Test(compare_front, errors_have_the_unit_of_their_kind)
{
    cr_assert_str_eq(bench_limit_text(BENCH_VOLUME_ERROR_REL, 0.00689).text, "0.689 %");
    cr_assert_str_eq(bench_limit_text(BENCH_VOLUME_ERROR_REL, 0).text, "exact");
    cr_assert_str_eq(bench_limit_text(BENCH_FORCE_DIRECTION_DEG, 6.5).text, "6.5 deg");
    cr_assert_str_eq(bench_limit_text(BENCH_FORCE_DIRECTION_DEG, 0).text, "0 deg");
    cr_assert_str_eq(bench_limit_text(BENCH_FORCE_DIRECTION_DEG, NAN).text, "n/j");
}

/**
 * A variant that promises exact answers and is not judged is no winner. If it is faster than a
 * winner, this is stated.
 */
Test(compare_front, a_variant_without_a_judge_is_named)
{
    bench_cell_row cells[] = {
        make_cell("s", "rough", 100, 0.04),     make_cell("s", "own-truth", 200, NAN),
        make_cell("s", "good", 300, 0.008),     make_cell("s", "exact", 400, 0),
        make_cell("s", "slow-truth", 500, NAN), make_cell("s", "silent", 10, NAN),
        make_cell("t", "good", 300, 0.008),     make_cell("t", "own-truth", 300, NAN),
        make_cell("u", "own-truth", 1, NAN),    make_cell("v", "disjoint", 1, NAN),
    };
    const size_t unjudged[] = {1, 4, 7, 8, 9};
    for (size_t i = 0; i < sizeof unjudged / sizeof *unjudged; i++) {
        cells[unjudged[i]].contract = "distance=exact volume=none";
    }
    cells[5].contract = "distance=upper-bound volume=exact";
    cells[5].frames_judged = cells[9].frames_judged = 9; /* the truth is too small for a relative
                                                            error */
    const bench_record record = {.cells = cells, .cell_count = sizeof cells / sizeof *cells};
    static const struct {
        const char *variant;
        bench_point_state state;
        bool front, within, exact, unjudged_faster;
    } expected[] = {
        {"rough", BENCH_POINT_JUDGED, true, false, false, false},
        {"own-truth", BENCH_POINT_NOT_JUDGED, false, false, false, false},
        {"good", BENCH_POINT_JUDGED, true, true, false, true},
        {"exact", BENCH_POINT_JUDGED, true, false, true, true},
        {"slow-truth", BENCH_POINT_NOT_JUDGED, false, false, false, false},
        {"good", BENCH_POINT_JUDGED, true, true, false, false}, /* equally fast */
        {"own-truth", BENCH_POINT_NOT_JUDGED, false, false, false, false},
        {"own-truth", BENCH_POINT_NOT_JUDGED, false, false, false, false}, /* alone on u */
    };
    SCOPED_FRONT front;
    assert_ok(bench_front_make(&record, 0.01, &front, ERR));
    cr_assert_eq(front.count, sizeof expected / sizeof *expected,
                 "all variants on v are judged: %zu", front.count);
    for (size_t i = 0; i < front.count; i++) {
        const bench_point *const p = &front.points[i];
        cr_assert_str_eq(p->cell->variant, expected[i].variant, "point %zu", i);
        cr_assert_eq(p->state, expected[i].state, "state of point %zu", i);
        cr_assert_eq(p->on_front, expected[i].front, "front: point %zu", i);
        cr_assert_eq(p->fastest_within, expected[i].within, "within: point %zu", i);
        cr_assert_eq(p->fastest_exact, expected[i].exact, "exact: point %zu", i);
        cr_assert_eq(p->unjudged_faster, expected[i].unjudged_faster, "point %zu", i);
    }
}

/**
 * A variant that is left out of the report has no point, but it still proves that there is a truth.
 */
Test(compare_front, a_variant_left_out_of_the_report_counts_as_judged)
{
    bench_cell_row cells[] = {make_cell("s", "own-truth", 200, NAN), make_cell("s", "good", 10, 0),
                              make_cell("s", "other-truth", 300, NAN)};
    for (size_t i = 0; i < 3; i++) {
        cells[i].contract = "distance=exact";
        cells[i].frames_judged = 9;
    }
    cells[1].left_out = true;
    const bench_record record = {.cells = cells, .cell_count = 3};
    SCOPED_FRONT front;
    assert_ok(bench_front_make(&record, 0.01, &front, ERR));
    cr_assert_eq(front.count, 2u, "%zu points", front.count);
    for (size_t i = 0; i < front.count; i++) {
        cr_expect_eq(front.points[i].state, BENCH_POINT_NOT_JUDGED);
        cr_expect(!front.points[i].unjudged_faster);
    }
}

/**
 * A variant that answers only touching frames takes no win from a variant that answers all frames.
 */
Test(compare_front, a_variant_of_touching_frames_alone_takes_no_win)
{
    bench_cell_row cells[] = {make_cell("s", "crude", 10, 0), make_cell("s", "good", 20, 0)};
    cells[0].verdicts[BENCH_TRUE_POSITIVE] = 9;
    cells[1].verdicts[BENCH_TRUE_POSITIVE] = 9;
    cells[1].verdicts[BENCH_TRUE_NEGATIVE] = 9;
    const bench_record record = {.cells = cells, .cell_count = 2};
    SCOPED_FRONT front;
    assert_ok(bench_front_make(&record, 0.01, &front, ERR));
    const bench_point *const crude = point_of(&front, "crude"), *const good =
                                                                    point_of(&front, "good");
    cr_assert(crude && good);
    cr_assert_eq(crude->state, BENCH_POINT_TRUTH_ZERO);
    cr_assert(!crude->fastest_within && !crude->fastest_exact && !crude->on_front);
    cr_assert(good->fastest_within && good->fastest_exact && good->on_front);
}

/**
 * If bodies touch in every frame, the distance is always 0 and a constant answer of 0 is exact. So
 * there is no winner.
 */
Test(compare_front, no_variant_wins_where_the_truth_is_zero)
{
    bench_cell_row cells[] = {make_cell("s", "crude", 10, 0), make_cell("s", "wrong", 5, 0.5),
                              make_cell("t", "crude", 10, 0), make_cell("u", "crude", 10, 0),
                              make_cell("v", "crude", 10, 0)};
    cells[0].verdicts[BENCH_TRUE_POSITIVE] = 9;
    cells[1].verdicts[BENCH_FALSE_NEGATIVE] = 9;
    cells[2].verdicts[BENCH_TRUE_POSITIVE] = 8;
    cells[2].verdicts[BENCH_TRUE_NEGATIVE] = 1;
    cells[3].verdicts[BENCH_TRUE_POSITIVE] = 8;
    cells[3].verdicts[BENCH_AMBIGUOUS] = 1;
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        cells[i].errors[BENCH_VOLUME_ERROR_REL][BENCH_MEAN] = 0.1;
        cells[i].errors[BENCH_VOLUME_ERROR_REL][BENCH_MAX] = 0.2;
    }
    const bench_record record = {.cells = cells, .cell_count = sizeof cells / sizeof *cells};
    SCOPED_FRONT front;
    assert_ok(bench_front_make(&record, 0.01, &front, ERR));
    cr_assert_eq(front.count, 10u);
    for (size_t i = 0; i < front.count; i++) {
        const bench_point *const p = &front.points[i];
        const bool zero = p->cell < &cells[2] && p->quantity == ALG_DISTANCE;
        cr_assert_eq(p->state, zero ? BENCH_POINT_TRUTH_ZERO : BENCH_POINT_JUDGED, "point %zu", i);
        cr_assert_eq(p->on_front, !zero && p->cell != &cells[0], "point %zu", i);
        cr_assert_eq(p->fastest_exact, !zero && p->quantity == ALG_DISTANCE, "point %zu", i);
    }
}

/* --- Needs ------------------------------------------------------------------------------------ */

Test(compare_front, needs_are_read)
{
    const struct {
        const char *text;
        double deadline_ns, error;
    } good[] = {
        {"deadline=1ms,error=1%", 1e6, 0.01}, {"error=0.5 %", INFINITY, 0.005},
        {"deadline=250us", 250e3, INFINITY},  {"deadline=250\xc2\xb5s", 250e3, INFINITY},
        {"deadline=2e3ns,error=0%", 2e3, 0},  {"error=50%,deadline=.5 s", 5e8, 0.5},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        bench_need need;
        base_error err = {0};
        cr_assert_eq(bench_need_parse(good[i].text, &need, &err), BASE_OK, "%s", err.text);
        cr_assert_eq(need.deadline_ns, good[i].deadline_ns, "%s", good[i].text);
        cr_assert(need.error >= good[i].error && need.error <= good[i].error, "%s", good[i].text);
    }
    const char *const bad[] = {
        "",          "deadline",          "deadline=",   "deadline=1",     "deadline=ms",
        "error=1",   "deadline=0ms",      "error=-1%",   "deadline=-1ms",  "deadline=1 min",
        "error=1%%", "error=%",           "dedline=1ms", "deadline=nan s", "deadline=1e999s",
        "error=1%,", "error=1%,error=2%", "error=1ms",   "deadline=1ms1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        bench_need need;
        base_error err = {0};
        cr_assert_eq(bench_need_parse(bad[i], &need, &err), BASE_ERR_ARGUMENT, "'%s'", bad[i]);
        cr_assert(*err.text && !strchr(err.text, '\n'), "'%s': '%s'", bad[i], err.text);
    }
}

static bench_fits fits_of(const bench_record *record, const char *text)
{
    bench_need need;
    bench_fits fits;
    assert_ok(bench_need_parse(text, &need, ERR));
    assert_ok(bench_fits_make(record, &need, &fits, ERR));
    return fits;
}

static void expect_fits(const bench_record *record, const char *need, const char *expected)
{
    bench_fits fits = fits_of(record, need);
    char text[512] = "";
    for (size_t i = 0; i < fits.count; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s/%s%s", i ? " " : "",
                 fits.items[i].cell->scenario, fits.items[i].cell->variant,
                 fits.items[i].fits ? "" : "!");
    }
    cr_assert_str_eq(text, expected, "%s: '%s', not '%s'", need, text, expected);
    bench_fits_release(&fits);
}

static void expect_everywhere(const bench_record *record, const char *need, bool expected)
{
    bench_fits fits = fits_of(record, need);
    cr_assert_eq(fits.everywhere, expected, "%s", need);
    bench_fits_release(&fits);
}

/** The slowest frame takes twice the p99 here. */
Test(compare_front, fits_and_the_nearest)
{
    bench_cell_row cells[] = {
        make_cell("s", "exact", 5e5, 1e-16), make_cell("s", "good", 2e5, 0.01),
        make_cell("s", "rough", 1e5, 0.2),   make_cell("s", "wrong", 1, 0),
        make_cell("t", "exact", 8e5, 0),     make_cell("t", "silent", 3e5, NAN),
        make_cell("u", "silent", 10, NAN),
    };
    cells[3].status = "wrong";
    const bench_record record = {.cells = cells, .cell_count = sizeof cells / sizeof *cells};
    expect_fits(&record, "deadline=1ms,error=1%", "s/good s/exact t/exact!");
    expect_fits(&record, "deadline=999us,error=0%", "s/exact! t/exact!");
    expect_fits(&record, "deadline=1000us,error=0%", "s/exact t/exact!");
    expect_fits(&record, "error=100%", "s/rough s/good s/exact t/exact");
    expect_fits(&record, "deadline=1ms", "s/rough s/good s/exact t/exact! u/silent");
    expect_fits(&record, "deadline=100us,error=1%", "s/good! t/exact!");
    expect_everywhere(&record, "deadline=2ms", true);
    expect_everywhere(&record, "deadline=2ms,error=1%", false); /* no variant on u is judged */
    cells[6].left_out = true;
    expect_everywhere(&record, "deadline=2ms,error=1%", true);
    expect_everywhere(&record, "deadline=1ms,error=1%", false); /* t */
    cells[4].left_out = cells[5].left_out = true;
    expect_everywhere(&record, "deadline=1ms,error=1%", true);
    cells[4].left_out = cells[5].left_out = cells[6].left_out = false;
    bench_fits fits = fits_of(&record, "deadline=100us,error=0.5%");
    cr_assert_str_eq(fits.items[0].cell->variant, "good", "4 and 2 times: the worse is least");
    cr_assert(fabs(fits.items[0].deadline_part - 4) < 1e-12);
    cr_assert(fabs(fits.items[0].error_part - 2) < 1e-12);
    bench_fits_release(&fits);
}

static void expect_profile(const bench_front *front, const char *scenario, const char *variant,
                           double ratio, double share)
{
    const bench_point *found = NULL;
    for (size_t i = 0; i < front->count; i++) {
        const bench_point *const p = &front->points[i];
        found = strcmp(p->cell->variant, variant) == 0 && strcmp(p->cell->scenario, scenario) == 0
                    ? p
                    : found;
    }
    cr_assert_not_null(found, "%s of %s", variant, scenario);
    cr_assert(isnan(ratio) ? isnan(found->best_ratio) : fabs(found->best_ratio - ratio) < 1e-12,
              "%s of %s: %g", variant, scenario, found->best_ratio);
    cr_assert(isnan(share) ? isnan(found->best_share) : fabs(found->best_share - share) < 1e-12,
              "%s of %s: %g", variant, scenario, found->best_share);
}

/**
 * The fastest is that within the tolerance. A variant that fails counts in its scenario, a twin and
 * a scenario of which it is not asked do not, nor does one in which no variant is within.
 */
Test(compare_front, performance_profile)
{
    bench_cell_row cells[] = {
        make_cell("a", "exact", 100, 0),    make_cell("a", "rough", 10, 0.5),
        make_cell("a", "good", 50, 0.005),  make_cell("a", "exact@twin", 1, 0),
        make_cell("b", "exact", 100, 0),    make_cell("b", "rough", 200, 0.01),
        make_cell("b", "good", 500, 0.005), make_cell("c", "exact", 100, 0),
        make_cell("c", "good", 100, 0.005), make_cell("c", "rough", 90, 0.5),
        make_cell("d", "good", 1, 0.4),     make_cell("d", "rough", 1, 0.4),
        make_cell("e", "exact", 40, 0),     make_cell("e", "good", 10, 0),
    };
    cells[3].twin = true;
    cells[8].status = "crash";
    cells[12].quantity = cells[13].quantity = "volume";
    const bench_record record = {.cells = cells, .cell_count = sizeof cells / sizeof *cells};
    SCOPED_FRONT front;
    assert_ok(bench_front_make(&record, 0.01, &front, ERR));
    expect_profile(&front, "a", "good", 1, 1.0 / 3);
    expect_profile(&front, "b", "good", 5, 2.0 / 3);
    expect_profile(&front, "a", "exact", 2, 1);
    expect_profile(&front, "b", "exact", 1, 2.0 / 3);
    expect_profile(&front, "c", "exact", 1, 2.0 / 3);
    expect_profile(&front, "a", "rough", NAN, NAN);
    expect_profile(&front, "b", "rough", 2, 1.0 / 3);
    expect_profile(&front, "d", "good", NAN, NAN);
    expect_profile(&front, "e", "exact", 4, NAN);
}
