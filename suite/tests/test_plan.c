/** Contestants, launches and rounds of a scenario, and the order of a round. */
#include "base/tests/support.h"
#include "suite/run/plan.h"

#include <criterion/criterion.h>
#include <string.h>

enum { COUNT_MAX = 13 };

Test(plan, every_row_is_a_permutation)
{
    for (size_t n = 1; n <= COUNT_MAX; n++) {
        for (size_t round = 0; round < 4 * n; round++) {
            size_t order[COUNT_MAX];
            unsigned seen = 0;
            bench_schedule_row(n, round, order);
            for (size_t i = 0; i < n; i++) {
                cr_assert_lt(order[i], n, "n = %zu, round %zu", n, round);
                seen |= 1u << order[i];
            }
            cr_assert_eq(seen, (1u << n) - 1, "n = %zu, round %zu: 0x%x", n, round, seen);
        }
    }
}

/** The property of a Williams square: first-order carry-over is balanced. */
Test(plan, each_follows_each_other_equally_often)
{
    for (size_t n = 2; n <= COUNT_MAX; n++) {
        const size_t rows = n % 2 == 0 ? n : 2 * n, expected = rows / n;
        size_t follows[COUNT_MAX][COUNT_MAX];
        memset(follows, 0, sizeof follows);
        for (size_t round = 0; round < rows; round++) {
            size_t order[COUNT_MAX];
            bench_schedule_row(n, round, order);
            for (size_t i = 0; i + 1 < n; i++) {
                follows[order[i]][order[i + 1]]++;
            }
        }
        for (size_t a = 0; a < n; a++) {
            for (size_t b = 0; b < n; b++) {
                cr_assert_eq(follows[a][b], a == b ? 0 : expected, "n = %zu: %zu then %zu: %zu", n,
                             a, b, follows[a][b]);
            }
        }
    }
}

/**
 * The table of modes has a row for each name, and later modes have at least as many repetitions.
 */
Test(plan, modes_by_name)
{
    bench_mode before = {0}, mode;
    base_error err;
    for (size_t i = 0; scn_mode_names[i]; i++) {
        assert_ok(bench_mode_parse(scn_mode_names[i], &mode, ERR));
        cr_assert_str_eq(mode.name, scn_mode_names[i]);
        cr_assert(mode.launches >= 1 && mode.warm_rounds >= 1 && mode.certificate >= 1);
        cr_assert(mode.launches >= before.launches && mode.warm_rounds >= before.warm_rounds &&
                      mode.certificate >= before.certificate && mode.timed >= before.timed,
                  "%s", mode.name);
        before = mode;
    }
    cr_assert_eq(bench_mode_parse("papr", &mode, &err), BASE_ERR_ARGUMENT);
    cr_assert_str_eq(err.text, "unknown mode 'papr'; it is smoke, ci, bench or paper; did you mean "
                               "'paper'?");
}

/* --- Plans of a scenario ---------------------------------------------------------------------- */

/** An experiment with one scenario, a contact of two boxes. */
typedef struct set_up {
    bench_run_options options;
    bench_mode mode;
    scn_experiment experiment;
    scn_scenario scenario;
    alg_variant variants[3];
    char *names[3];
    size_t limits[3];
} set_up;

static void make_set_up(const char *mode, const char *const *variants, set_up *s)
{
    static char name[] = "s", box[] = "box", path[] = "by hand";
    *s = (set_up){.scenario = {.name = name, .a = box, .b = box, .quantities = ALG_WANT_CONTACT}};
    assert_ok(bench_mode_parse(mode, &s->mode, ERR));
    size_t count = 0;
    for (; variants[count]; count++) {
        cr_assert_eq(alg_variant_parse(variants[count], 1, &s->variants[count], NULL), ALG_OK);
        s->names[count] = s->variants[count].name;
    }
    s->experiment = (scn_experiment){.path = path,
                                     .scenarios = &s->scenario,
                                     .scenario_count = 1,
                                     .variants = s->names,
                                     .variant_count = count,
                                     .triangle_limits = s->limits};
    s->options = (bench_run_options){
        .experiment = &s->experiment, .variants = s->variants, .mode = &s->mode};
}

static bench_plan plan_of(const set_up *s)
{
    bench_plan plan;
    assert_ok(bench_plan_make(&s->options, &s->scenario, &plan, ERR));
    return plan;
}

static const char *const three[] = {"floor", "brute", "lpd", NULL};

/** Checks the names of the plan's contestants, each with that of its baseline. */
static void expect_names(const bench_plan *plan, const char *expected)
{
    char text[512];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < plan->count; i++) {
        const bench_entrant *const e = &plan->entrants[i];
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s/%s%s", used ? " " : "",
                                 e->contestant.name, plan->entrants[e->baseline].contestant.name,
                                 e->twin ? " (twin)" : "");
    }
    cr_expect_str_eq(text, expected);
}

Test(plan, the_baseline_is_the_named_one_or_the_first_that_answers)
{
    set_up s;
    make_set_up("smoke", three, &s);
    SCOPED_PLAN plan = plan_of(&s);
    expect_names(&plan, "floor/brute brute/brute lpd/brute");
    cr_expect(plan.launches == 1 && plan.rounds == 1);
    bench_plan_release(&plan);
    s.experiment.baseline = "lpd";
    plan = plan_of(&s);
    expect_names(&plan, "floor/lpd brute/lpd lpd/lpd");
}

Test(plan, modes_with_intervals_have_a_twin_and_enough_launches)
{
    set_up s;
    make_set_up("bench", three, &s);
    SCOPED_PLAN plan = plan_of(&s);
    expect_names(&plan, "floor/brute brute/brute lpd/brute brute@twin/brute (twin)");
    cr_expect_eq(plan.launches, 12);
    cr_expect_eq(plan.rounds, 5);
    static const bench_protocol order[] = {BENCH_WARM_UP, BENCH_WARM, BENCH_WARM, BENCH_EVICTED,
                                           BENCH_SHUFFLED};
    for (size_t r = 0; r < plan.rounds; r++) {
        cr_expect_eq(bench_plan_protocol(&plan, r), order[r], "round %zu", r);
        /* lpd keeps results of the previous frame. */
        cr_expect_eq(bench_plan_makes(&plan, &plan.entrants[2], r), order[r] != BENCH_SHUFFLED);
        cr_expect(bench_plan_makes(&plan, &plan.entrants[1], r));
    }
    bench_plan_release(&plan);
    s.options.warm_only = true;
    s.options.warm_rounds = 7;
    s.options.launches = 3;
    plan = plan_of(&s);
    cr_expect(plan.rounds == 1 + 7 + 1 && plan.launches == 3);
    base_error err;
    cr_expect_eq(bench_plan_check_launches(&s.options, &err), BASE_ERR_ARGUMENT);
    cr_expect_not_null(strstr(err.text, "--launches 3 gives no interval for 3 variants"), "%s",
                       err.text);
}

Test(plan, old_code_is_timed_against_new)
{
    static const char *const one[] = {"brute", NULL};
    set_up s;
    make_set_up("bench", one, &s);
    s.options.against_program = "/old";
    SCOPED_PLAN plan = plan_of(&s);
    expect_names(&plan, "brute@base/brute@base brute@head/brute@base "
                        "brute@twin/brute@base (twin)");
    cr_expect_str_eq(plan.entrants[0].contestant.program, "/old");
    cr_expect_null(plan.entrants[1].contestant.program);
    cr_expect_str_eq(plan.entrants[2].contestant.program, "/old");
    cr_expect_eq(plan.launches, 12);
    bench_plan_release(&plan);
    s.options.count_instructions = true;
    plan = plan_of(&s);
    expect_names(&plan, "brute@base/brute@base brute@head/brute@base");
}

static size_t nineteen(const void *context, const char *scenario, const char *variant)
{
    (void)context;
    cr_expect_str_eq(scenario, "s");
    return strcmp(variant, "lpd") == 0 ? 19 : 0;
}

/** Two boxes have 24 triangles. */
Test(plan, limits_lists_and_wishes_of_launches)
{
    static char some[] = "br*,lpd";
    set_up s;
    make_set_up("smoke", three, &s);
    s.limits[1] = 23;
    s.options.launches_of = nineteen;
    SCOPED_PLAN plan = plan_of(&s);
    expect_names(&plan, "floor/lpd lpd/lpd");
    cr_expect(plan.entrants[0].launches == 1 && plan.entrants[1].launches == 19);
    bench_plan_release(&plan);
    s.limits[1] = 24;
    s.scenario.variants = some;
    plan = plan_of(&s);
    expect_names(&plan, "brute/brute lpd/brute");
}
