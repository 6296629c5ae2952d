/** The last lines of made-up runs. */
#include "base/tests/support.h"
#include "suite/compare/report.h"
#include "suite/tests/compare_run.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/** Adds a cell whose launches are all equal. */
static bench_cell_row *put_cell(made_up *m, const char *scenario, const char *variant,
                                const char *baseline, double p99_ns, double error)
{
    const bench_cell_row cell = {.scenario = scenario,
                                 .variant = variant,
                                 .baseline = baseline,
                                 .contract = "distance=upper-bound",
                                 .time_p99_ns = p99_ns};
    return put_timed_cell(m, &cell, error, p99_ns);
}

/** Adds a baseline and its twin, with an A/A interval of 0.98 to 0.98. */
static void put_baseline(made_up *m, const char *scenario, double p99_ns, double error)
{
    put_cell(m, scenario, "base", "", p99_ns, error);
    put_cell(m, scenario, "base@twin", "base", p99_ns * 0.98, error);
}

static void expect_summary(const made_up *m, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    bench_record record = m->record;
    snprintf(record.folder, sizeof record.folder, "results/x");
    FILE *const file = open_memstream(&text, &size);
    cr_assert_not_null(file);
    assert_ok(bench_summary_print(&record, 0.01, file, ERR));
    fclose(file);
    cr_assert_str_eq(text, expected, "%s", text);
    free(text);
}

#define MORE "proxbench: 'proxbench compare results/x' prints more\n"

Test(compare_summary, by_how_much_over_the_baseline)
{
    static made_up m;
    put_baseline(&m, "s", 3000, 0);
    put_cell(&m, "s", "rough", "base", 100, 0.02);
    put_cell(&m, "s", "good", "base", 1000, 0.01);
    put_cell(&m, "s", "slow", "base", 4000, 0);
    expect_summary(
        &m,
        "proxbench: fastest within 1 % of the size: good, 3.000 times as fast as base (p99; A/A "
        "0.980..0.980)\n" MORE);
}

Test(compare_summary, the_baseline_may_win)
{
    static made_up m;
    put_baseline(&m, "s", 1000, 0);
    put_cell(&m, "s", "slow", "base", 4000, 0);
    expect_summary(&m, "proxbench: fastest within 1 % of the size: base, the baseline\n" MORE);
}

/** The variants differ as little as the baseline from its twin, so neither is faster. */
Test(compare_summary, equals_are_named)
{
    static made_up m;
    put_baseline(&m, "s", 1000, 0.5);
    put_cell(&m, "s", "one", "base", 500, 0);
    put_cell(&m, "s", "two", "base", 501, 0); /* within the noise: equal in all launches */
    put_cell(&m, "s", "three", "base", 500.5, 0);
    put_cell(&m, "s", "four", "base", 800, 0);
    bench_cell_row *const two = &m.cells[3], *const three = &m.cells[4];
    for (size_t l = 0; l < LAUNCHES; l++) {
        m.launches[two->first_launch[0] + l].p99_ns = 500 * (l % 2 ? 0.9 : 1.1);
        m.launches[three->first_launch[0] + l].p99_ns = 500 * (l % 2 ? 1.1 : 0.9);
    }
    expect_summary(
        &m,
        "proxbench: fastest within 1 % of the size: one (within noise as fast: three and 1 more)"
        ", 2.000 times as fast as base (p99; A/A 0.980..0.980)\n" MORE);
}

/**
 * One variant is the fastest over all launches, another one in single launches: no variant is
 * named.
 */
Test(compare_summary, too_close_to_call)
{
    static made_up m;
    put_baseline(&m, "s", 3000, 0.5);
    put_cell(&m, "s", "one", "base", 1000, 0);
    bench_cell_row *const two = put_cell(&m, "s", "two", "base", 1001, 0);
    for (size_t l = 0; l < LAUNCHES; l++) {
        m.launches[two->first_launch[0] + l].p99_ns = 900;
    }
    expect_summary(&m, "proxbench: no fastest variant is named for 1 of 1: within noise\n" MORE);
}

Test(compare_summary, the_only_one_may_be_slower_than_the_baseline)
{
    static made_up m;
    put_baseline(&m, "s", 1000, 0.5);
    bench_cell_row *const exact = put_cell(&m, "s", "exact", "base", 4000, 0);
    expect_summary(
        &m, "proxbench: only exact is within 1 % of the size, 4.000 times the time of base (p99; "
            "A/A 0.980..0.980)\n" MORE);
    exact->errors[BENCH_DISTANCE_ERROR_SIZE][BENCH_MAX] = 0.02;
    expect_summary(&m, "proxbench: no variant is within 1 % of the size in every frame\n" MORE);
}

/** Mode smoke: without a twin the difference by noise is unknown, so no winner is named. */
Test(compare_summary, no_winner_without_a_twin)
{
    static made_up m;
    put_cell(&m, "s", "base", "", 3000, 0);
    put_cell(&m, "s", "good", "base", 1000, 0);
    expect_summary(&m, "proxbench: no fastest variant is named for 1 of 1: not told (no "
                       "A/A)\n" MORE);
    m.cells[0].errors[BENCH_DISTANCE_ERROR_SIZE][BENCH_MAX] = 0.5;
    expect_summary(&m, "proxbench: only good is within 1 % of the size\n" MORE);
}

/** A variant that is not judged may be the fastest. */
Test(compare_summary, of_those_judged)
{
    static made_up m;
    put_baseline(&m, "s", 3000, 0);
    put_cell(&m, "s", "good", "base", 1000, 0);
    bench_cell_row *const own = put_cell(&m, "s", "own", "base", 900, NAN);
    own->contract = "distance=exact";
    expect_summary(
        &m, "proxbench: of those judged, fastest within 1 % of the size: good, 3.000 times as fast "
            "as base (p99; A/A 0.980..0.980)\n" MORE);
    m.record.cell_count = 0;
    expect_summary(&m, "proxbench: no error is known, so no fastest variant is named\n" MORE);
}

Test(compare_summary, a_few_scenarios_and_a_count)
{
    static made_up m;
    static const char *const scenarios[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        put_baseline(&m, scenarios[i], 1000, 0);
        bench_cell_row *const good = put_cell(&m, scenarios[i], "good", "base", 500, 0);
        good->below_resolution = i == 0;
        good->launch_count[0] = i == 1 ? 3 : LAUNCHES;
    }
    /* c asks for distance and volume; d has a volume in addition to the distance that it asks
     * for. */
    for (size_t i = 6; i < 12; i++) {
        m.cells[i].quantity = i < 9 ? "unified" : "distance";
    }
    for (size_t i = 6; i < 12; i += 3) {
        m.cells[i].errors[BENCH_VOLUME_ERROR_REL][BENCH_MEAN] = 0.1;
        m.cells[i].errors[BENCH_VOLUME_ERROR_REL][BENCH_MAX] = 0.2;
    }
    expect_summary(&m,
                   "proxbench: c, distance: fastest within 1 % of the size: good, 2.000 times as "
                   "fast as base (p99; "
                   "A/A 0.980..0.980)\n"
                   "proxbench: c, volume: no variant is within 1 % of the truth in every frame\n"
                   "proxbench: d, distance: fastest within 1 % of the size: good, 2.000 times as "
                   "fast as base (p99; "
                   "A/A 0.980..0.980)\n"
                   "proxbench: e, distance: fastest within 1 % of the size: good, 2.000 times as "
                   "fast as base (p99; "
                   "A/A 0.980..0.980)\n"
                   "proxbench: f, distance: fastest within 1 % of the size: good, 2.000 times as "
                   "fast as base (p99; "
                   "A/A 0.980..0.980)\n"
                   "proxbench: g, distance: fastest within 1 % of the size: good, 2.000 times as "
                   "fast as base (p99; "
                   "A/A 0.980..0.980)\n"
                   "proxbench: ... and 2 more like these\n"
                   "proxbench: no fastest variant is named for 2 of 10: below resolution\n" MORE);
}

/**
 * The number of launches that gives an interval for every variant also suffices for comparing the
 * winner with the others: the baseline is one of them and counts once.
 */
Test(compare_summary, as_many_comparisons_as_variants)
{
    static made_up m;
    static const char *const slow[] = {"c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"};
    put_baseline(&m, "s", 2000, 0);
    put_cell(&m, "s", "good", "base", 1000, 0);
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) { /* nine launches for twelve */
        put_cell(&m, "s", slow[i], "base", 4000, 0);
    }
    expect_summary(
        &m,
        "proxbench: fastest within 1 % of the size: good, 2.000 times as fast as base (p99; A/A "
        "0.980..0.980)\n" MORE);
    put_cell(&m, "s", "n", "base", 4000, 0);
    expect_summary(&m, "proxbench: no fastest variant is named for 1 of 1: too few "
                       "launches\n" MORE);
}
