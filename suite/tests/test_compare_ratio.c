/** Ratios of made-up runs: every interval is known by hand or by its probability. */
#include "base/random.h"
#include "base/tests/support.h"
#include "suite/compare/ratio.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { VARIANTS_MAX = 8, LAUNCHES_MAX = 256 };

/** A run in memory: launches are added cell by cell, in order. */
typedef struct made_up {
    bench_record record;
    bench_cell_row cells[VARIANTS_MAX];
    bench_launch_row launches[LAUNCHES_MAX];
} made_up;

static bench_cell_row *put_cell(made_up *m, const char *variant, const char *baseline)
{
    m->record.cells = m->cells;
    m->record.launches = m->launches;
    bench_cell_row *const c = &m->cells[m->record.cell_count++];
    const char *const label = strchr(variant, '@');
    *c = (bench_cell_row){.scenario = "s",
                          .variant = variant,
                          .status = "ok",
                          .baseline = baseline,
                          .contract = "",
                          .twin = label && strcmp(label, "@twin") == 0};
    return c;
}

/** Launches from number 100 on belong to the next block. */
static void put_launch(made_up *m, bench_cell_row *cell, size_t launch, double ns)
{
    if (cell->launch_count[0]++ == 0) {
        cell->first_launch[0] = m->record.launch_count;
    }
    m->launches[m->record.launch_count++] = (bench_launch_row){.cell = cell,
                                                               .block = launch / 100,
                                                               .launch = launch % 100,
                                                               .query_ns = ns,
                                                               .p99_ns = 10 * ns};
}

static bench_comparison measure(const made_up *m, const bench_cell_row *variant,
                                const bench_cell_row *baseline, double alpha)
{
    bench_comparison c = {.variant = variant, .baseline = baseline, .alpha = alpha};
    assert_ok(bench_comparison_measure(&m->record, &c, ERR));
    return c;
}

static void expect_near(double value, double expected, const char *what)
{
    cr_assert(fabs(value - expected) <= 1e-12 * expected, "%s: %.17g, not %.17g", what, value,
              expected);
}

/** The times of all contestants drift by the same factor from launch to launch. */
Test(compare_ratio, six_launches_by_hand)
{
    static made_up m;
    const double of_launch[] = {1.10, 1.05, 1.20, 1.07, 1.01, 1.08};
    const double of_twin[] = {1.00, 0.99, 1.02, 1.01, 0.98, 1.00};
    bench_cell_row *const base = put_cell(&m, "b", "");
    bench_cell_row *const twin = put_cell(&m, "b@twin", "b");
    bench_cell_row *const slow = put_cell(&m, "v", "b");
    for (size_t i = 0; i < 6; i++) {
        put_launch(&m, base, i, 100.0 * (double)(i + 1));
    }
    for (size_t i = 0; i < 6; i++) {
        put_launch(&m, twin, i, 100.0 * (double)(i + 1) * of_twin[i]);
    }
    for (size_t i = 0; i < 6; i++) {
        put_launch(&m, slow, i, 100.0 * (double)(i + 1) * of_launch[i]);
    }
    bench_comparison c = measure(&m, slow, base, 0.05);
    cr_assert_eq(c.ratio.launches_count, 6u);
    cr_assert_eq(c.ratio.level, 0.96875);
    expect_near(c.ratio.ratio, sqrt(1.07 * 1.08), "median");
    expect_near(c.ratio.lo, 1.01, "lo");
    expect_near(c.ratio.hi, 1.20, "hi");
    expect_near(c.twin.lo, 0.98, "A/A lo");
    expect_near(c.twin.hi, 1.02, "A/A hi");
    cr_assert_eq(c.claim, BENCH_CLAIM_SLOWER);
    c = measure(&m, slow, base, 0.025);
    cr_assert_eq(c.claim, BENCH_CLAIM_TOO_FEW);
    cr_assert(isnan(c.ratio.lo) && isnan(c.ratio.hi));
    cr_assert_eq(c.ratio.level, 0.96875, "the level that six reach: %g", c.ratio.level);
    expect_near(c.ratio.ratio, sqrt(1.07 * 1.08), "median without an interval");
    c = measure(&m, base, slow, 0.05);
    cr_assert_eq(c.claim, BENCH_CLAIM_FASTER);
}

/** With twelve launches the interval is from rank 3 to rank 10: two are excluded at either end. */
Test(compare_ratio, twelve_launches_in_two_blocks)
{
    static made_up m;
    bench_cell_row *const base = put_cell(&m, "b", "");
    bench_cell_row *const other = put_cell(&m, "v", "b");
    for (size_t i = 0; i < 18; i++) { /* the baseline is also in a block without the other
                                         variant */
        put_launch(&m, base, 100 * (i / 6) + i % 6, i < 6 ? 5 : 1000);
    }
    for (size_t i = 0; i < 12; i++) {
        put_launch(&m, other, 100 * (1 + i / 6) + i % 6, 1000 * (1 + (double)(i * 5 % 12) / 100));
    }
    const bench_comparison c = measure(&m, other, base, 0.05);
    cr_assert_eq(c.ratio.launches_count, 12u, "launch 3 of another block is another launch");
    expect_near(c.ratio.lo, 1.02, "lo");
    expect_near(c.ratio.hi, 1.09, "hi");
    cr_assert(isnan(c.twin.ratio), "there is no twin");
    cr_assert_eq(c.claim, BENCH_CLAIM_NO_AA);
}

/**
 * Launches that only one of the two has, or whose time is missing, give no ratio, also not for A/A.
 */
Test(compare_ratio, only_shared_launches_count)
{
    static made_up m;
    bench_cell_row *const base = put_cell(&m, "b", "");
    bench_cell_row *const twin = put_cell(&m, "b@twin", "b");
    bench_cell_row *const other = put_cell(&m, "v", "b");
    const size_t base_launches[] = {0, 1, 2, 5, 6, 101}, other_launches[] = {1, 2, 3, 4, 5, 100};
    for (size_t i = 0; i < 6; i++) {
        put_launch(&m, base, base_launches[i], 10);
    }
    for (size_t i = 0; i < 6; i++) {
        put_launch(&m, twin, base_launches[i], base_launches[i] % 5 == 0 ? 10 : 20);
    }
    for (size_t i = 0; i < 6; i++) {
        put_launch(&m, other, other_launches[i], 10 * (double)(other_launches[i] + 1));
    }
    put_launch(&m, other, 101, NAN);
    const bench_comparison c = measure(&m, other, base, 0.05);
    cr_assert_eq(c.ratio.launches_count, 3u);
    expect_near(c.ratio.ratio, 3, "median of launches 1, 2 and 5");
    cr_assert_eq(c.ratio.level, 0.75);
    cr_assert_eq(c.twin.launches_count, 3u);
    expect_near(c.twin.ratio, 2, "A/A of launches 1, 2 and 5");
}

/**
 * If there are two twins, a baseline is compared with its own; a baseline without a twin uses that
 * of another one.
 */
Test(compare_ratio, each_baseline_has_its_own_twin)
{
    static made_up m;
    bench_cell_row *const one = put_cell(&m, "one", "");
    bench_cell_row *const one_twin = put_cell(&m, "one@twin", "one");
    bench_cell_row *const two = put_cell(&m, "two", "");
    bench_cell_row *const two_twin = put_cell(&m, "two@twin", "two");
    bench_cell_row *const other = put_cell(&m, "v", "one");
    bench_cell_row *const cells[] = {one, one_twin, two, two_twin, other};
    const double ns[] = {100, 101, 100, 150, 120};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        for (size_t l = 0; l < 6; l++) {
            put_launch(&m, cells[i], l, ns[i]);
        }
    }
    bench_comparison c = measure(&m, other, one, 0.05);
    expect_near(c.twin.ratio, 1.01, "the twin of one");
    cr_assert_eq(c.claim, BENCH_CLAIM_SLOWER);
    c = measure(&m, other, two, 0.05);
    expect_near(c.twin.ratio, 1.5, "the twin of two");
    c = measure(&m, one, other, 0.05);
    cr_assert_gt(c.twin.launches_count, 0, "a twin of the scenario");
}

/* --- Simulated runs --------------------------------------------------------------------------- */

/** Approximately normal: mean 0, standard deviation 1. */
static double noise(base_random *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        sum += base_random_unit(random);
    }
    return sum;
}

typedef struct simulation {
    size_t launches;
    double slowdown, deviation; /* per launch; all contestants drift together by 10 % */
    uint64_t seed;
} simulation;

/** Simulates baseline, twin and variant, interleaved; the variant is cell 2. */
static void simulate(const simulation *s, made_up *m)
{
    static const char *const names[] = {"b", "b@twin", "v"};
    base_random random = base_random_seed(s->seed);
    m->record = (bench_record){0};
    double drift[LAUNCHES_MAX];
    for (size_t l = 0; l < s->launches; l++) {
        drift[l] = exp(0.1 * noise(&random));
    }
    for (size_t v = 0; v < 3; v++) {
        bench_cell_row *const cell = put_cell(m, names[v], v == 0 ? "" : "b");
        for (size_t l = 0; l < s->launches; l++) {
            const double own = exp(s->deviation * noise(&random));
            put_launch(m, cell, l, 1e6 * drift[l] * own * (v == 2 ? s->slowdown : 1));
        }
    }
}

/**
 * The level is a probability: intervals exclude equal variants as often as the level says, neither
 * more nor less often.
 */
Test(compare_ratio, level_is_kept)
{
    static made_up m;
    const struct {
        size_t launches;
        double alpha, excluded; /* the exact probability */
    } cases[] = {
        {6, 0.05, 2 / 64.0},
        {11, 0.05, 24 / 2048.0},
        {12, 0.05, 158 / 4096.0},
        {12, 0.05 / 7, 26 / 4096.0},
    };
    enum { RUNS = 2000 };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        size_t excluded = 0, claimed = 0;
        for (uint64_t seed = 1; seed <= RUNS; seed++) {
            simulate(&(simulation){cases[k].launches, 1, 0.01, seed}, &m);
            const bench_comparison c = measure(&m, &m.cells[2], &m.cells[0], cases[k].alpha);
            cr_assert(fabs(1 - c.ratio.level - cases[k].excluded) < 1e-12, "level %g of %zu",
                      c.ratio.level, cases[k].launches);
            excluded += c.ratio.lo > 1 || c.ratio.hi < 1;
            claimed += c.claim != BENCH_CLAIM_EQUAL;
        }
        const double expected = RUNS * cases[k].excluded;
        const double slack = 4 * sqrt(expected); /* four standard deviations */
        cr_assert(fabs((double)excluded - expected) <= slack,
                  "%zu launches, alpha %g: %zu of %d exclude 1, %g expected", cases[k].launches,
                  cases[k].alpha, excluded, RUNS, expected);
        cr_assert(claimed <= excluded, "A/A only takes claims back: %zu", claimed);
    }
}

Test(compare_ratio, five_per_cent_are_found)
{
    static made_up m;
    enum { RUNS = 500 };
    const struct {
        double slowdown;
        bench_claim claim;
    } cases[] = {{1.05, BENCH_CLAIM_SLOWER}, {1 / 1.05, BENCH_CLAIM_FASTER}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        size_t right = 0;
        for (uint64_t seed = 1; seed <= RUNS; seed++) {
            simulate(&(simulation){6, cases[k].slowdown, 0.01, seed}, &m);
            right += measure(&m, &m.cells[2], &m.cells[0], 0.05).claim == cases[k].claim;
        }
        cr_assert(right >= RUNS * 95 / 100, "%g: found in %zu of %d", cases[k].slowdown, right,
                  RUNS);
    }
}

/** If the variant becomes the baseline, the interval is the inverse of the first one. */
Test(compare_ratio, changing_places_inverts_the_interval)
{
    static made_up m;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        const simulation s = {6 + seed % 9, 1 + (double)(seed % 5) / 50, 0.02, seed};
        simulate(&s, &m);
        const bench_comparison a = measure(&m, &m.cells[2], &m.cells[0], 0.05);
        const bench_comparison b = measure(&m, &m.cells[0], &m.cells[2], 0.05);
        expect_near(a.ratio.lo * b.ratio.hi, 1, "lo");
        expect_near(a.ratio.hi * b.ratio.lo, 1, "hi");
        expect_near(a.ratio.ratio * b.ratio.ratio, 1, "ratio");
        cr_assert(a.ratio.lo <= a.ratio.ratio && a.ratio.ratio <= a.ratio.hi, "seed %llu",
                  (unsigned long long)seed);
    }
}

/* --- Claims ----------------------------------------------------------------------------------- */

/** Adds seven launches with the same ratio to the baseline. */
static void put_steady(made_up *m, const char *variant, const char *baseline, double ratio)
{
    bench_cell_row *const cell = put_cell(m, variant, baseline);
    for (size_t l = 0; l < 7; l++) {
        put_launch(m, cell, l, 1000 * ratio);
    }
}

static void expect_claim(const bench_comparison *c, const char *expected)
{
    char text[64];
    bench_claim_text(c, text, sizeof text);
    cr_assert_str_eq(text, expected, "'%s' for %s of '%s'", text, bench_metric_name(c->metric),
                     c->variant->variant);
}

/** A precise ratio gives no claim if a second copy of the baseline differs as much. */
Test(compare_ratio, nothing_is_finer_than_the_twin)
{
    static made_up m;
    put_steady(&m, "b", "", 1);
    put_steady(&m, "b@twin", "b", 1.02);
    put_steady(&m, "near", "b", 1.02);
    put_steady(&m, "far", "b", 1.03);
    bench_comparison c = measure(&m, &m.cells[2], &m.cells[0], 0.05);
    expect_claim(&c, "within noise");
    c = measure(&m, &m.cells[3], &m.cells[0], 0.05);
    expect_claim(&c, "slower");
}

Test(compare_ratio, what_cannot_be_claimed)
{
    static made_up m;
    put_steady(&m, "b", "", 1);
    put_steady(&m, "v", "b", 0.5);
    put_steady(&m, "b@twin", "b", 1);
    bench_cell_row *const v = &m.cells[1], *const b = &m.cells[0];
    bench_comparison c = measure(&m, v, b, 0.05);
    expect_claim(&c, "faster");
    v->below_resolution = true;
    c = measure(&m, v, b, 0.05);
    expect_claim(&c, "faster"); /* warm totals are timed as one loop */
    c.metric = BENCH_METRIC_P99;
    assert_ok(bench_comparison_measure(&m.record, &c, ERR));
    expect_claim(&c, "below resolution");
    v->below_resolution = false;
    b->below_resolution = true;
    assert_ok(bench_comparison_measure(&m.record, &c, ERR));
    expect_claim(&c, "below resolution");
    b->status = "crash";
    c = measure(&m, v, b, 0.05);
    expect_claim(&c, "baseline crash");
    v->status = "wrong";
    c = measure(&m, v, b, 0.05);
    expect_claim(&c, "wrong");
    v->status = b->status = "ok";
    v->launch_count[0] = 0;
    c = measure(&m, v, b, 0.05);
    expect_claim(&c, "not interleaved");
}

/**
 * Without a second copy of the baseline the noise of the machine is unknown, so there is no claim.
 */
Test(compare_ratio, without_a_twin_there_is_no_verdict)
{
    static made_up m;
    put_steady(&m, "b", "", 1);
    put_steady(&m, "v", "b", 0.5);
    put_steady(&m, "w", "b", 1);
    bench_comparison c = measure(&m, &m.cells[1], &m.cells[0], 0.05);
    expect_claim(&c, "not told (no A/A)");
    expect_near(c.ratio.hi, 0.5, "the interval stays");
    c = measure(&m, &m.cells[2], &m.cells[0], 0.05);
    expect_claim(&c, "not told (no A/A)");
    bench_cell_row *const twin = put_cell(&m, "b@twin", "b");
    for (size_t l = 0; l < 5; l++) {
        put_launch(&m, twin, l, 1000);
    }
    c = measure(&m, &m.cells[1], &m.cells[0], 0.05);
    expect_claim(&c, "too few launches"); /* seven launches of v, five of A/A */
}

/**
 * A variant that promises no answer is a floor, independent of its name; but not in comparison with
 * another one.
 */
Test(compare_ratio, a_variant_without_answers_is_the_floor)
{
    static made_up m;
    put_steady(&m, "b", "", 1);
    put_steady(&m, "b@twin", "b", 1);
    put_steady(&m, "idle", "b", 0.01);
    put_steady(&m, "idle:n=2", "b", 0.001);
    m.cells[0].contract = m.cells[1].contract = "distance=exact volume=none";
    m.cells[2].contract = m.cells[3].contract = "distance=none volume=none";
    bench_comparison c = measure(&m, &m.cells[2], &m.cells[0], 0.05);
    expect_claim(&c, "floor");
    expect_near(c.ratio.ratio, 0.01, "its ratio is shown");
    c = measure(&m, &m.cells[0], &m.cells[2], 0.05);
    expect_claim(&c, "slower");
    c = measure(&m, &m.cells[3], &m.cells[2], 0.05);
    expect_claim(&c, "faster");
    m.cells[2].contract = "distance=none volume=lower-bound";
    c = measure(&m, &m.cells[2], &m.cells[0], 0.05);
    expect_claim(&c, "faster");
    m.cells[2].status = "crash";
    m.cells[2].contract = "distance=none volume=none";
    c = measure(&m, &m.cells[2], &m.cells[0], 0.05);
    expect_claim(&c, "crash");
}

/* --- All comparisons of a run ----------------------------------------------------------------- */

Test(compare_ratio, every_variant_shares_the_doubt)
{
    static made_up m;
    put_steady(&m, "b", "", 1);
    put_steady(&m, "b@twin", "b", 1);
    put_steady(&m, "v", "b", 2);
    put_steady(&m, "w", "b", 3);
    bench_comparisons list;
    base_error err = {0};
    assert_ok(bench_comparisons_make(&m.record, NULL, &list, ERR));
    cr_assert_eq(list.count, 3u * BENCH_METRICS, "twin, v and w; nothing was evicted: %zu",
                 list.count);
    for (size_t i = 0; i < list.count; i++) {
        cr_assert_eq(list.items[i].alpha, 0.025, "two variants: %g", list.items[i].alpha);
        cr_assert_eq(list.items[i].baseline, &m.cells[0]);
        cr_assert_eq(list.items[i].metric, i % BENCH_METRICS);
    }
    bench_comparisons_release(&list);
    assert_ok(bench_comparisons_make(&m.record, "v", &list, ERR));
    cr_assert_eq(list.count, 3u * BENCH_METRICS);
    cr_assert_eq(list.items[0].variant, &m.cells[0], "the old baseline is a variant now");
    expect_near(list.items[0].ratio.ratio, 0.5, "b / v");
    cr_assert_eq(list.items[2].baseline, &m.cells[0], "the twin stays with its own");
    expect_near(list.items[4].ratio.ratio, 1.5, "w / v");
    expect_near(list.items[4].twin.ratio, 1, "and shows the noise of others as well");
    bench_comparisons_release(&list);
    cr_assert_eq(bench_comparisons_make(&m.record, "vv", &list, &err), BASE_ERR_ARGUMENT);
    cr_assert(strstr(err.text, "did you mean 'v'"), "%s", err.text);
}
