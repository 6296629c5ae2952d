/** A pair from the command line: its scenarios, and the variants that take part. */
#include "base/tests/support.h"
#include "suite/inputs/experiment.h"

#include "algorithms/registry.h"
#include "suite/inputs/truth_entries.h"

#include <criterion/criterion.h>

#include <string.h>

static scn_experiment e; /* made by `make`; released at the end of the test */

static void leave(void)
{
    scn_experiment_release(&e);
}

TestSuite(own, .init = bench_truth_entries_register, .fini = leave);

static bench_own make_own(const char *quantities, const char *algorithms)
{
    return (bench_own){
        .bodies = {"torus:triangles=200", "sphere:triangles=180", 1, 1},
        .trajectory = "t.csv",
        .quantities = quantities,
        .algorithms = algorithms,
    };
}

/** Makes the experiment anew. */
static void make(const bench_own *own)
{
    scn_experiment_release(&e);
    assert_ok(bench_own_experiment(own, &e, ERR));
}

static void expect_error(const bench_own *own, const char *reason)
{
    base_error err;
    scn_experiment_release(&e);
    cr_assert_eq(bench_own_experiment(own, &e, &err), BASE_ERR_ARGUMENT, "%s", own->quantities);
    cr_assert(strstr(err.text, reason), "%s", err.text);
}

static bool has_variant(const char *name)
{
    bool found = false;
    for (size_t v = 0; v < e.variant_count; v++) {
        found = found || strcmp(e.variants[v], name) == 0;
    }
    return found;
}

Test(own, each_quantity_is_a_scenario)
{
    const bench_own own = make_own("distance,volume+force,unified", "ist,exact-distance");
    make(&own);
    cr_assert_eq(e.scenario_count, 3);
    cr_assert_str_eq(e.scenarios[0].name, "pair/distance");
    cr_assert_str_eq(e.scenarios[1].name, "pair/volume-force");
    cr_assert_eq(e.scenarios[1].quantities, ALG_WANT_VOLUME | ALG_WANT_FORCE);
    cr_assert_str_eq(e.scenarios[2].name, "pair/unified");
    cr_assert_str_eq(e.scenarios[2].motion.path, "t.csv");
    cr_assert_str_eq(e.mode, "bench");
}

/** Its tolerances are those of the experiment `bench`, unless the user gives others. */
Test(own, tolerances_mean_something_for_each_quantity)
{
    static const struct {
        const char *asked, *expected[4]; /* expected: of distance, volume, force and depth */
    } cases[] = {
        {NULL,
         {"distance_error_rel=0.01", "volume_error_rel=0.01", "force_direction_deg=10",
          "depth_outside_rel=0.10000000000000001 depth_left_rel=0.01"}},
        {"force_direction_deg=5 distance_error_size=0.5",
         {"distance_error_size=0.5", "volume_error_rel=0.01", "force_direction_deg=5",
          "depth_outside_rel=0.10000000000000001 depth_left_rel=0.01"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench_own own = make_own("distance,volume,force,depth", "ist,lpd");
        own.tolerance = cases[i].asked;
        make(&own);
        for (size_t s = 0; s < 4; s++) {
            cr_assert_str_eq(e.scenarios[s].tolerance, cases[i].expected[s]);
        }
    }
    bench_own own = make_own("distance", "ist");
    own.tolerance = "distance_eror_rel=1";
    expect_error(&own, "distance_eror_rel");
}

Test(own, one_quantity_is_called_pair)
{
    const bench_own own = make_own("volume+force", "ist");
    make(&own);
    cr_assert_eq(e.scenario_count, 1);
    cr_assert_str_eq(e.scenarios[0].name, "pair");
}

/**
 * Without a list, all algorithms take part that answer the quantities, except those that are bad on
 * purpose or need their name.
 */
Test(own, all_that_answer_take_part)
{
    static const char *const asked[] = {"distance", "volume,force", "distance,volume,depth,force"};
    static const unsigned masks[] = {ALG_WANT_DISTANCE, ALG_WANT_VOLUME | ALG_WANT_FORCE,
                                     ALG_WANT_DISTANCE | ALG_WANT_VOLUME | ALG_WANT_DEPTH |
                                         ALG_WANT_FORCE};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        const bench_own own = make_own(asked[i], NULL);
        size_t count = 0;
        make(&own);
        for (size_t r = 0; alg_registry[r]; r++) {
            alg_variant variant;
            alg_message message;
            cr_assert_eq(alg_variant_parse(alg_registry[r]->name, 1, &variant, &message), ALG_OK);
            const bool expected = (alg_variant_answers(&variant) & masks[i]) &&
                                  !(alg_registry[r]->flags & (ALG_KNOWN_BAD | ALG_BY_NAME));
            cr_assert_eq(has_variant(alg_registry[r]->name), expected, "%s: %s", asked[i],
                         alg_registry[r]->name);
            count += expected;
        }
        cr_assert_eq(e.variant_count, count);
    }
}

/** A glob selects brute for up to 1000 triangles only; its full name selects it always. */
Test(own, slow_ones_are_left_out_of_large_pairs)
{
    static const struct {
        const char *b, *algorithms;
        bool there;
    } cases[] = {
        {"sphere:triangles=180", "*", true},
        {"sphere:triangles=980", "*", false},
        {"sphere:triangles=980", "brute,*", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench_own own = make_own("distance", cases[i].algorithms);
        own.bodies.b = cases[i].b;
        make(&own);
        cr_assert_eq(has_variant("brute"), cases[i].there, "%s", cases[i].b);
        cr_assert(has_variant("ist"));
        cr_assert(has_variant("exact-distance"));
    }
}

Test(own, what_cannot_be_answered_is_an_error)
{
    static const struct {
        const char *quantities, *algorithms, *reason;
    } cases[] = {
        {"volume", "brute",
         "'brute' does not answer volume: it answers "
         "distance, contact"},
        {"volume,depth", "exact-volume", "no variant here answers depth"},
        {"volume+depth", "ist", "with ',' one each"},
        {"volume+depth+force", NULL, "no algorithm that matches '*' answers"},
        {"distance,distance", "brute", "'distance' is given twice"},
        {"unified,volume+distance", "ist", "given twice"},
        {"distance,", "brute", "unknown quantity ''"},
        {"distance", "brutal", "unknown algorithm 'brutal'"},
        {"distance", "x*", "no algorithm matches 'x*'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bench_own own = make_own(cases[i].quantities, cases[i].algorithms);
        expect_error(&own, cases[i].reason);
    }
}

/** The cost of the harness itself can be measured for any quantity. */
Test(own, floor_takes_part_when_named)
{
    const bench_own own = make_own("depth,force", "floor");
    make(&own);
    cr_assert_eq(e.variant_count, 1);
}
