#include "algorithms/ist/tests/spheres.h"
#include "base/elementary.h"
#include "base/simd.h"
#include "geometry/sphere.h"

#include <stdlib.h>
#include <string.h>

enum { BOTH = ALG_WANT_DISTANCE | ALG_WANT_VOLUME };

typedef struct fixture {
    base_arena arena;
    alg_ist_solid a, b;
    alg_ist_pair pair;
} fixture;

static fixture *bind_with(const alg_ist_packing *a, const alg_ist_packing *b,
                          const alg_ist_tree_options *options)
{
    fixture *const f = base_alloc(1, sizeof *f);
    f->a = spheres_solid_with(a, options, &f->arena);
    f->b = spheres_solid_with(b, options, &f->arena);
    f->pair = (alg_ist_pair){.secondary = true};
    assert_ok(alg_ist_pair_bind(&f->a, &f->b, &f->arena, &f->pair, ERR));
    return f;
}

static fixture *bind(const alg_ist_packing *a, const alg_ist_packing *b)
{
    return bind_with(a, b, &(alg_ist_tree_options){.branching = 4, .seed = 1});
}

static void tear_down(fixture *const *at)
{
    SCOPED_FREE fixture *const f = *at;
    base_arena_release(&f->arena);
}

/** Before the name of a fixture that is torn down at the end of its block. */
#define SCOPED_FIXTURE RELEASED_BY(tear_down) fixture *const

static alg_answer ask(fixture *f, unsigned wanted, const geo_pose *pose)
{
    alg_answer answer = {.size = sizeof answer};
    f->pair.wanted = wanted;
    alg_ist_query(&f->pair, pose, &answer);
    cr_assert_eq(answer.outcome, ALG_CONVERGED);
    return answer;
}

/* --- All pairs of spheres --------------------------------------------------------------------- */

typedef struct oracle {
    double distance, volume;
    uint64_t contacts;
    double length; /* sum of the lengths of all pushes */
    vec3 push, twist;
} oracle;

static oracle compare_all(const fixture *f, const geo_pose *pose)
{
    oracle o = {.distance = INFINITY};
    const vec3 middle = geo_pose_apply(pose, f->pair.centroid_b);
    for (uint32_t i = 0; i < f->a.tree.leaf_count; i++) {
        const alg_ist_sphere *const a = &f->a.spheres[i];
        for (uint32_t j = 0; j < f->b.tree.leaf_count; j++) {
            const alg_ist_sphere *const b = &f->b.spheres[j];
            const vec3 cb = geo_pose_apply(pose, b->centre);
            const double d = vec3_distance(a->centre, cb);
            o.distance = fmin(o.distance, fmax(d - a->primary - b->primary, 0));
            const geo_ball x = f->pair.secondary ? (geo_ball){f->a.middles[i], a->secondary}
                                                 : (geo_ball){a->centre, a->primary};
            const geo_ball y = f->pair.secondary
                                   ? (geo_ball){geo_pose_apply(pose, f->b.middles[j]), b->secondary}
                                   : (geo_ball){cb, b->primary};
            const double apart = vec3_distance(x.centre, y.centre);
            if (apart >= x.radius + y.radius) {
                continue;
            }
            const double v = geo_ball_overlap_volume(x, y);
            const vec3 push = vec3_scale(v, vec3_sub(y.centre, x.centre));
            /* The middle of the segment of the line of centres that is in both balls. */
            const double from = fmax(-x.radius, apart - y.radius);
            const double to = fmin(x.radius, apart + y.radius);
            const vec3 unit = vec3_normalize(vec3_sub(y.centre, x.centre));
            const vec3 at = vec3_madd(x.centre, 0.5 * (from + to), unit);
            o.volume += v;
            o.contacts++;
            o.push = vec3_add(o.push, push);
            o.length += vec3_norm(push);
            o.twist = vec3_add(o.twist, vec3_cross(vec3_sub(at, middle), push));
        }
    }
    return o;
}

static void assert_near(vec3 x, vec3 y, double tolerance, const char *what, uint64_t seed)
{
    cr_assert(vec3_distance(x, y) <= tolerance, "%s, seed %lu: (%g %g %g) for (%g %g %g)", what,
              seed, x.x, x.y, x.z, y.x, y.y, y.z);
}

static void assert_volume(const oracle *o, const alg_answer *x, uint64_t seed)
{
    cr_assert_float_eq(x->volume_m3, o->volume, 1e-13 * o->volume, "seed %lu: %.17g for %.17g",
                       seed, x->volume_m3, o->volume);
    const double scale = o->length > 0 ? o->volume / o->length : 0;
    const double tolerance = 1e-12 * o->volume;
    assert_near(x->force, vec3_scale(scale, o->push), tolerance, "force", seed);
    assert_near(x->torque, vec3_scale(scale, o->twist), 4 * tolerance, "torque", seed);
    cr_assert_eq(x->counters[ALG_IST_COUNT_CONTACTS], o->contacts, "seed %lu", seed);
}

static void assert_distance(const fixture *f, const oracle *o, const alg_answer *x, uint64_t seed)
{
    cr_assert_eq(x->distance_m, o->distance, "seed %lu: %.17g for %.17g", seed, x->distance_m,
                 o->distance);
    const double gap = vec3_distance(x->witness_a, x->witness_b);
    cr_assert_float_eq(gap, o->distance, 1e-14 * 10, "seed %lu: witnesses %g apart", seed, gap);
    double inside_a = INFINITY;
    for (uint32_t i = 0; i < f->a.tree.leaf_count; i++) {
        const alg_ist_sphere *const s = &f->a.spheres[i];
        inside_a = fmin(inside_a, vec3_distance(x->witness_a, s->centre) - s->primary);
    }
    cr_assert_leq(inside_a, 1e-14, "seed %lu: witness outside of A's spheres", seed);
}

Test(query, equals_all_pairs)
{
    size_t apart = 0, overlapping = 0, between = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        base_random random = base_random_seed(seed);
        SCOPED_PACKING pa = spheres_random(1 + base_random_below(&random, 150), seed);
        SCOPED_PACKING pb = spheres_random(1 + base_random_below(&random, 150), seed + 1000);
        SCOPED_FIXTURE f = bind(&pa, &pb);
        f->pair.secondary = seed % 3 > 0;
        f->pair.centroid_b = shape_point(&random, 0.5);
        geo_pose pose = shape_pose(&random, 1.0);
        if (seed % 4 == 0) {
            pose.translation =
                vec3_scale(base_random_range(&random, 1.5, 2.5), geo_random_direction(&random));
        }
        const oracle o = compare_all(f, &pose);
        const alg_answer distance = ask(f, ALG_WANT_DISTANCE, &pose);
        const alg_answer volume = ask(f, ALG_WANT_VOLUME, &pose);
        const alg_answer both = ask(f, BOTH, &pose);
        cr_assert_eq(distance.answered, ALG_HAS_DISTANCE | ALG_HAS_WITNESS);
        cr_assert_eq(volume.answered, ALG_HAS_VOLUME | ALG_HAS_FORCE);
        cr_assert_eq(both.answered, distance.answered | volume.answered);
        assert_distance(f, &o, &distance, seed);
        assert_distance(f, &o, &both, seed);
        assert_volume(&o, &volume, seed);
        assert_volume(&o, &both, seed);
        cr_assert_eq(distance.colliding, o.distance == 0);
        cr_assert_eq(volume.colliding, o.volume > 0);
        cr_assert_eq(both.colliding, o.distance == 0 || o.volume > 0);
        apart += o.distance > 0 && o.volume == 0;
        overlapping += o.distance == 0 && o.volume > 0;
        between += o.distance > 0 && o.volume > 0;
    }
    cr_assert(apart > 30 && overlapping > 30 && between > 3,
              "%zu apart, %zu overlapping, %zu by secondary radii alone", apart, overlapping,
              between);
}

Test(query, does_not_test_all_pairs)
{
    SCOPED_PACKING p = spheres_random(1000, 1);
    SCOPED_FIXTURE f = bind(&p, &p);
    const geo_pose pose = shape_shift(2.2, 0.3, 0.1);
    const alg_answer x = ask(f, ALG_WANT_DISTANCE, &pose);
    /* The nearest pair is found early, and farther pairs are pruned: measured are 1077 and 19
     * tests. */
    cr_assert_lt(x.counters[ALG_IST_COUNT_LEAVES], 50, "%lu", x.counters[ALG_IST_COUNT_LEAVES]);
    cr_assert_lt(x.counters[ALG_IST_COUNT_BALLS], 1400, "%lu", x.counters[ALG_IST_COUNT_BALLS]);
    const alg_answer again = ask(f, ALG_WANT_DISTANCE, &pose);
    cr_assert_eq(memcmp(&x, &again, sizeof x), 0);
}

Test(query, overlap_ends_a_search_for_distance)
{
    SCOPED_PACKING p = spheres_random(1000, 1);
    SCOPED_FIXTURE f = bind(&p, &p);
    const geo_pose pose = shape_shift(0.6, 0.3, 0.1);
    const alg_answer x = ask(f, ALG_WANT_DISTANCE, &pose), y = ask(f, BOTH, &pose);
    cr_assert_eq(x.distance_m, 0);
    cr_assert_lt(100 * x.counters[ALG_IST_COUNT_BALLS], y.counters[ALG_IST_COUNT_BALLS],
                 "%lu tests, %lu with the volume", x.counters[ALG_IST_COUNT_BALLS],
                 y.counters[ALG_IST_COUNT_BALLS]);
}

/* --- Opened pairs of nodes -------------------------------------------------------------------- */

/** The pairs of nodes that a traversal has expanded, in order. */
typedef struct visits {
    uint64_t *pairs;
    size_t count, capacity;
} visits;

static void note_visit(alg_ist_traversal *traversal, uint32_t a, uint32_t b)
{
    visits *const v = traversal->context;
    assert_ok(base_reserve(v->pairs, v->capacity, v->count + 1, ERR));
    v->pairs[v->count++] = (uint64_t)a << 32 | b;
}

static int compare_visits(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

/**
 * Checks that `watch` is called for each pair that a query expands, and that no pair is expanded
 * twice.
 */
static void assert_visited_once(fixture *f, unsigned wanted, const geo_pose *pose, uint64_t seed)
{
    visits v = {0};
    alg_answer x = {.size = sizeof x};
    f->pair.wanted = wanted;
    f->pair.watch = note_visit;
    f->pair.context = &v;
    alg_ist_query(&f->pair, pose, &x);
    f->pair.watch = NULL;
    cr_assert_eq(v.count, x.counters[ALG_IST_COUNT_NODES], "seed %lu", seed);
    qsort(v.pairs, v.count, sizeof *v.pairs, compare_visits);
    for (size_t i = 1; i < v.count; i++) {
        cr_assert_neq(v.pairs[i], v.pairs[i - 1], "seed %lu: nodes %lu and %lu twice", seed,
                      v.pairs[i] >> 32, v.pairs[i] & UINT32_MAX);
    }
    base_free(v.pairs);
}

/**
 * Tests distance and volume in one query: no pair of nodes is expanded twice, and there are never
 * more tests than in two separate queries.
 */
Test(query, a_unified_query_visits_nothing_twice)
{
    uint64_t tests[3] = {0};
    size_t apart = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        base_random random = base_random_seed(seed);
        const alg_ist_tree_options options = {.branching = 2u << seed % 4, .seed = seed};
        SCOPED_PACKING pa = spheres_random(1 + base_random_below(&random, 400), seed);
        SCOPED_PACKING pb = spheres_random(1 + base_random_below(&random, 400), seed + 1000);
        SCOPED_FIXTURE f = bind_with(&pa, &pb, &options);
        f->pair.bounded = false;
        geo_pose pose = shape_pose(&random, 1.0);
        pose.translation = vec3_scale(base_random_range(&random, 0.5, seed % 10 == 0 ? 100 : 2.5),
                                      geo_random_direction(&random));
        static const unsigned wanted[3] = {ALG_WANT_DISTANCE, ALG_WANT_VOLUME, BOTH};
        uint64_t of[3];
        for (int i = 0; i < 3; i++) {
            assert_visited_once(f, wanted[i], &pose, seed);
            const alg_answer x = ask(f, wanted[i], &pose);
            of[i] = x.counters[ALG_IST_COUNT_BALLS];
            tests[i] += of[i];
            apart += i == 0 && x.distance_m > 0;
        }
        cr_assert_leq(of[2], of[0] + of[1], "seed %lu: %lu tests for both, %lu and %lu apart", seed,
                      of[2], of[0], of[1]);
    }
    cr_assert(apart > 50 && apart < 150, "%zu of 200 are apart", apart);
}

/* --- Starts, bounds and budgets --------------------------------------------------------------- */

Test(query, a_start_changes_no_answer)
{
    SCOPED_PACKING pa = spheres_random(500, 1), pb = spheres_random(400, 2);
    SCOPED_FIXTURE f = bind(&pa, &pb);
    base_random random = base_random_seed(1);
    uint64_t cold_tests = 0, last_tests = 0;
    for (int i = 0; i < 400; i++) {
        /* The poses are small steps, with a jump now and then. */
        const double angle = 0.01 * i + (i % 50 == 0 ? 3 : 0);
        geo_pose pose = shape_shift(2.3 * cos(angle), 2.3 * sin(angle), 0.2);
        if (i % 40 == 0) {
            pose = shape_pose(&random, 1.5);
        }
        f->pair.coherent = false;
        const alg_answer cold = ask(f, ALG_WANT_DISTANCE, &pose);
        cold_tests += cold.counters[ALG_IST_COUNT_BALLS];
        f->pair.coherent = true;
        const alg_answer last = ask(f, ALG_WANT_DISTANCE, &pose);
        last_tests += last.counters[ALG_IST_COUNT_BALLS];
        cr_assert_eq(cold.distance_m, last.distance_m, "step %d", i);
        if (cold.distance_m > 0) {
            cr_assert(vec3_equal(cold.witness_a, last.witness_a), "step %d", i);
            cr_assert(vec3_equal(cold.witness_b, last.witness_b), "step %d", i);
        }
    }
    cr_assert_lt(last_tests, cold_tests, "%lu tests, %lu from scratch", last_tests, cold_tests);
}

Test(query, a_far_start_costs_no_more_than_no_start)
{
    SCOPED_PACKING pa = spheres_random(500, 1), pb = spheres_random(400, 2);
    SCOPED_FIXTURE f = bind(&pa, &pb);
    base_random random = base_random_seed(1);
    uint64_t cold_tests = 0, last_tests = 0;
    for (int i = 0; i < 400; i++) {
        geo_pose pose = shape_pose(&random, 1);
        pose.translation =
            vec3_scale(base_random_range(&random, 2, 2.5), geo_random_direction(&random));
        f->pair.coherent = false;
        cold_tests += ask(f, ALG_WANT_DISTANCE, &pose).counters[ALG_IST_COUNT_BALLS];
        f->pair.coherent = true;
        last_tests += ask(f, ALG_WANT_DISTANCE, &pose).counters[ALG_IST_COUNT_BALLS];
    }
    cr_assert_leq((double)last_tests, 1.01 * (double)cold_tests, "%lu tests, %lu from scratch",
                  last_tests, cold_tests);
}

/** Returns the distance between outer spheres that own surface, by all pairs. */
static double outer_distance(const fixture *f, const geo_pose *pose)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < f->a.tree.leaf_count; i++) {
        const alg_ist_sphere *const a = &f->a.spheres[i];
        for (uint32_t j = 0; j < f->b.tree.leaf_count; j++) {
            const alg_ist_sphere *const b = &f->b.spheres[j];
            const double d = vec3_distance(a->centre, geo_pose_apply(pose, b->centre));
            if (f->a.outer[i] > 0 && f->b.outer[j] > 0) {
                least = fmin(least, d - f->a.outer[i] - f->b.outer[j]);
            }
        }
    }
    return fmax(least, 0);
}

Test(query, brackets_hold_and_close_with_the_budget)
{
    SCOPED_PACKING pa = spheres_random(600, 5), pb = spheres_random(500, 6);
    SCOPED_FIXTURE f = bind(&pa, &pb);
    f->pair.bounded = true;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        base_random random = base_random_seed(seed);
        geo_pose pose = shape_pose(&random, 1.0);
        const double apart = seed % 7 == 0 ? 1000 : base_random_range(&random, 1, 3.5);
        pose.translation = vec3_scale(apart, geo_random_direction(&random));
        const oracle o = compare_all(f, &pose);
        const double outer = fmin(outer_distance(f, &pose), o.distance);
        const uint64_t budgets[] = {1, 100, 300, 600, 1200, 5000, 0};
        for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
            alg_answer x = {.size = sizeof x};
            f->pair.wanted = ALG_WANT_DISTANCE;
            f->pair.budget = budgets[i];
            alg_ist_query(&f->pair, &pose, &x);
            const uint64_t tests = x.counters[ALG_IST_COUNT_BALLS];
            cr_assert(budgets[i] == 0 || tests <= budgets[i], "seed %lu: %lu tests of %lu", seed,
                      tests, budgets[i]);
            cr_assert(x.distance_lo_m <= outer && x.distance_hi_m >= o.distance,
                      "seed %lu, budget %lu: %.17g to %.17g, not %.17g to %.17g", seed, budgets[i],
                      x.distance_lo_m, x.distance_hi_m, outer, o.distance);
            cr_assert_eq(x.distance_hi_m, x.distance_m);
            if (x.outcome == ALG_CONVERGED) {
                cr_assert_eq(x.distance_m, o.distance, "seed %lu, budget %lu", seed, budgets[i]);
                cr_assert_float_eq(x.distance_lo_m, outer, 1e-13 * (1 + apart),
                                   "seed %lu, budget %lu: %.17g for %.17g", seed, budgets[i],
                                   x.distance_lo_m, outer);
            } else {
                cr_assert_eq(x.outcome, ALG_BUDGET_REACHED);
                cr_assert_neq(budgets[i], 0);
            }
        }
    }
}

Test(query, time_ends_a_query)
{
    SCOPED_PACKING p = spheres_random(1500, 5);
    SCOPED_FIXTURE f = bind(&p, &p);
    const geo_pose pose = shape_shift(2.05, 0.3, 0.1);
    f->pair.bounded = true;
    f->pair.wanted = ALG_WANT_DISTANCE;
    f->pair.budget_ns = 1;
    alg_answer x = {.size = sizeof x};
    alg_ist_query(&f->pair, &pose, &x);
    cr_assert_eq(x.outcome, ALG_BUDGET_REACHED);
    cr_assert(x.distance_lo_m == 0 && isfinite(x.distance_hi_m));
    cr_assert_leq(x.counters[ALG_IST_COUNT_NODES], ALG_IST_CLOCK_INTERVAL);
    f->pair.budget_ns = 1000000000;
    alg_answer y = {.size = sizeof y};
    alg_ist_query(&f->pair, &pose, &y);
    cr_assert_eq(y.outcome, ALG_CONVERGED);
    cr_assert_leq(y.distance_m, x.distance_hi_m);
}

Test(query, far_bodies_are_pruned_as_near_ones)
{
    SCOPED_PACKING p = spheres_random(1000, 1);
    SCOPED_FIXTURE f = bind(&p, &p);
    uint64_t most = 0;
    for (double apart = 4; apart < 1e9; apart *= 3) {
        const geo_pose pose = shape_shift(apart, 0.3 * apart, 0.1 * apart);
        const oracle o = compare_all(f, &pose);
        const alg_answer x = ask(f, BOTH, &pose);
        cr_assert_float_eq(x.distance_m, o.distance, 4e-16 * apart, "%g apart: %.17g for %.17g",
                           apart, x.distance_m, o.distance);
        cr_assert_eq(x.volume_m3, 0);
        most = x.counters[ALG_IST_COUNT_BALLS] > most ? x.counters[ALG_IST_COUNT_BALLS] : most;
    }
    cr_assert_lt(most, 4000, "%lu tests", most);
}

Test(query, bodies_far_from_their_origins_are_pruned_as_near_ones)
{
    SCOPED_PACKING p = spheres_random(1000, 1), q = spheres_random(1000, 1);
    const vec3 away = {3e6, -1e6, 2e6};
    for (size_t i = 0; i < q.count; i++) {
        q.centres[i] = vec3_add(q.centres[i], away);
        q.middles[i] = vec3_add(q.middles[i], away);
    }
    SCOPED_FIXTURE f = bind(&p, &q);
    SCOPED_FIXTURE g = bind(&p, &p);
    for (double apart = 0.5; apart < 4; apart += 0.25) {
        const geo_pose near = shape_shift(apart, 0.3, 0.1);
        geo_pose pose = near;
        pose.translation = vec3_sub(near.translation, away);
        const oracle o = compare_all(f, &pose);
        const alg_answer x = ask(f, BOTH, &pose), y = ask(g, BOTH, &near);
        cr_assert_eq(x.distance_m, o.distance, "%g apart: %.17g for %.17g", apart, x.distance_m,
                     o.distance);
        cr_assert_float_eq(x.volume_m3, o.volume, 1e-12 * (1 + o.volume), "%g apart", apart);
        cr_assert_leq(x.counters[ALG_IST_COUNT_BALLS], 2 * y.counters[ALG_IST_COUNT_BALLS] + 100,
                      "%g apart: %lu tests for %lu", apart, x.counters[ALG_IST_COUNT_BALLS],
                      y.counters[ALG_IST_COUNT_BALLS]);
    }
}

Test(query, contact_is_an_early_end)
{
    SCOPED_PACKING p = spheres_random(1000, 1);
    SCOPED_FIXTURE f = bind(&p, &p);
    size_t hits = 0, misses = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        base_random random = base_random_seed(seed);
        geo_pose pose = shape_pose(&random, 1.0);
        pose.translation =
            vec3_scale(base_random_range(&random, 1.6, 2.4), geo_random_direction(&random));
        const alg_answer contact = ask(f, ALG_WANT_CONTACT, &pose);
        const alg_answer distance = ask(f, ALG_WANT_DISTANCE, &pose);
        cr_assert_eq(contact.answered, ALG_HAS_CONTACT);
        cr_assert_eq(contact.colliding, distance.distance_m == 0, "seed %lu", seed);
        hits += contact.colliding;
        misses += !contact.colliding;
    }
    cr_assert(hits > 20 && misses > 20, "%zu of 100 touch", hits);
}

Test(query, lenses_are_contacts)
{
    SCOPED_PACKING p = spheres_random(300, 4);
    SCOPED_FIXTURE f = bind(&p, &p);
    const geo_pose pose = shape_shift(1.2, 0.3, 0.1);
    const alg_answer plain = ask(f, ALG_WANT_VOLUME, &pose);
    static alg_contact contacts[10000];
    alg_answer x = {.size = sizeof x, .contacts = contacts, .contact_capacity = 10000};
    f->pair.wanted = ALG_WANT_VOLUME;
    alg_ist_query(&f->pair, &pose, &x);
    cr_assert_eq(x.volume_m3, plain.volume_m3);
    cr_assert(x.answered & ALG_HAS_CONTACTS);
    cr_assert_eq(x.contact_count, plain.counters[ALG_IST_COUNT_CONTACTS]);
    cr_assert_gt(x.contact_count, 10);
    for (uint32_t i = 0; i < x.contact_count; i++) {
        cr_assert_gt(contacts[i].depth_m, 0);
        cr_assert_float_eq(vec3_norm(contacts[i].normal), 1, 1e-14);
    }
    /* A small buffer contains the first contacts. */
    alg_contact few[3];
    alg_answer y = {.size = sizeof y, .contacts = few, .contact_capacity = 3};
    alg_ist_query(&f->pair, &pose, &y);
    cr_assert_eq(y.contact_count, x.contact_count);
    cr_assert(memcmp(few, contacts, sizeof few) == 0);
}

/* --- Known values ----------------------------------------------------------------------------- */

/**
 * Returns one sphere for each body: A at the origin, of radius 2 (secondary 2.5), B of radius 1
 * (secondary 1).
 */
static fixture *two_spheres(void)
{
    alg_ist_packing a = spheres_new(1), b = spheres_new(1);
    a.radii[0] = 2;
    a.secondary[0] = 2.5;
    b.radii[0] = b.secondary[0] = 1;
    fixture *const f = bind(&a, &b);
    alg_ist_packing_release(&a);
    alg_ist_packing_release(&b);
    return f;
}

Test(query, two_spheres_apart)
{
    SCOPED_FIXTURE f = two_spheres();
    const geo_pose pose = shape_shift(0, 5, 0);
    const alg_answer x = ask(f, BOTH, &pose);
    cr_assert_eq(x.distance_m, 2);
    cr_assert(vec3_equal(x.witness_a, (vec3){0, 2, 0}) && vec3_equal(x.witness_b, (vec3){0, 4, 0}));
    cr_assert(x.volume_m3 == 0 && !x.colliding);
    cr_assert(vec3_equal(x.force, (vec3){0, 0, 0}) && vec3_equal(x.torque, (vec3){0, 0, 0}));
}

Test(query, two_spheres_between_the_radii)
{
    /* At distance 3.2: a gap of 0.2 between the primary spheres, and an overlap of 0.3 with the
     * secondary radius. */
    SCOPED_FIXTURE f = two_spheres();
    const geo_pose pose = shape_shift(3.2, 0, 0);
    const alg_answer x = ask(f, BOTH, &pose);
    cr_assert_float_eq(x.distance_m, 0.2, 1e-15);
    cr_assert(x.colliding && x.volume_m3 > 0);
    f->pair.secondary = false;
    const alg_answer y = ask(f, BOTH, &pose);
    cr_assert(!y.colliding && y.volume_m3 == 0 && y.distance_m == x.distance_m);
}

Test(query, two_spheres_overlapping)
{
    /* Radii 2 and 1 at distance 2.5: the lens by its formula. The force on B is along +x. */
    SCOPED_FIXTURE f = two_spheres();
    f->pair.secondary = false;
    const double d = 2.5, s = 0.5;
    const double lens = BASE_PI * s * s * (d * d + 2 * d * 3 - 3) / (12 * d);
    const geo_pose pose = shape_shift(d, 0, 0);
    f->pair.centroid_b = (vec3){0, -1, 0};
    const alg_answer x = ask(f, BOTH, &pose);
    cr_assert(x.distance_m == 0 && x.colliding);
    cr_assert_float_eq(x.witness_a.x, 1.75, 1e-15);
    cr_assert(vec3_equal(x.witness_a, x.witness_b));
    cr_assert_float_eq(x.volume_m3, lens, 1e-14);
    cr_assert_float_eq(x.force.x, lens, 1e-14);
    cr_assert(x.force.y == 0 && x.force.z == 0);
    /* The lens's middle is at (1.75, 0, 0), a lever of (-0.75, 1, 0) from the centroid. */
    cr_assert_float_eq(x.torque.z, -lens, 1e-14);
    cr_assert(x.torque.x == 0 && x.torque.y == 0);
}

Test(query, sphere_in_sphere)
{
    SCOPED_FIXTURE f = two_spheres();
    f->pair.secondary = false;
    geo_pose pose = shape_shift(0, 0, -0.5);
    alg_answer x = ask(f, BOTH, &pose);
    cr_assert_float_eq(x.volume_m3, 4.0 / 3 * BASE_PI, 1e-14);
    cr_assert_float_eq(x.force.z, -x.volume_m3, 1e-14);
    cr_assert(x.distance_m == 0 && vec3_equal(x.witness_b, (vec3){0, 0, -0.5}));
    /* Concentric spheres: there is no direction, and no NaN. */
    pose = geo_pose_identity();
    x = ask(f, BOTH, &pose);
    cr_assert_float_eq(x.volume_m3, 4.0 / 3 * BASE_PI, 1e-14);
    cr_assert(vec3_equal(x.force, (vec3){0, 0, 0}) && vec3_equal(x.torque, (vec3){0, 0, 0}));
    cr_assert(vec3_equal(x.witness_a, (vec3){0, 0, 0}));
}

Test(query, touching_spheres)
{
    SCOPED_FIXTURE f = two_spheres();
    f->pair.secondary = false;
    const geo_pose pose = shape_shift(3, 0, 0);
    const alg_answer x = ask(f, BOTH, &pose);
    cr_assert(x.distance_m == 0 && x.volume_m3 == 0 && x.colliding);
}

/* --- Gradients of the volume ------------------------------------------------------------------ */

static fixture *bind_gradient(const alg_ist_packing *a, const alg_ist_packing *b, bool secondary)
{
    fixture *const f = bind(a, b);
    f->pair.gradient = true;
    f->pair.secondary = secondary;
    f->pair.centroid_b = (vec3){0.1, -0.2, 0.3};
    return f;
}

/**
 * Returns the volume after B is translated by a step and rotated by an angle about an axis through
 * its centroid.
 */
static double volume_after(fixture *f, const geo_pose *pose, vec3 step, int axis, double angle)
{
    const vec3 centre = geo_pose_apply(pose, f->pair.centroid_b);
    const double c = cos(angle), s = sin(angle);
    geo_pose turn = geo_pose_identity();
    vec3 *const row = turn.rotation.row;
    const int y = (axis + 1) % 3, z = (axis + 2) % 3;
    double m[3][3] = {{0}};
    m[axis][axis] = 1;
    m[y][y] = m[z][z] = c;
    m[y][z] = -s;
    m[z][y] = s;
    for (int i = 0; i < 3; i++) {
        row[i] = (vec3){m[i][0], m[i][1], m[i][2]};
    }
    turn.translation = vec3_add(vec3_sub(centre, geo_pose_rotate(&turn, centre)), step);
    const geo_pose moved = geo_pose_compose(&turn, pose);
    return ask(f, ALG_WANT_VOLUME, &moved).volume_m3;
}

/** Tests that force and torque are minus the central differences of the volume of the same pair. */
Test(query, a_gradient_is_that_of_the_volume)
{
    const double h = 1e-5;
    double most = 0;
    int touching = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        base_random random = base_random_seed(seed);
        SCOPED_PACKING pa = spheres_random(60, seed), pb = spheres_random(60, seed + 500);
        SCOPED_FIXTURE f = bind_gradient(&pa, &pb, seed % 2);
        const geo_pose pose = shape_pose(&random, 1.2);
        const alg_answer x = ask(f, ALG_WANT_FORCE, &pose);
        const double size = vec3_norm(x.force);
        touching += size > 0.01;
        for (int axis = 0; axis < 3; axis++) {
            const vec3 along = {axis == 0 ? h : 0, axis == 1 ? h : 0, axis == 2 ? h : 0};
            const vec3 back = vec3_scale(-1, along), zero = {0, 0, 0};
            const double force =
                (volume_after(f, &pose, back, axis, 0) - volume_after(f, &pose, along, axis, 0)) /
                (2 * h);
            const double torque =
                (volume_after(f, &pose, zero, axis, -h) - volume_after(f, &pose, zero, axis, h)) /
                (2 * h);
            most = fmax(most, fabs(force - vec3_get(x.force, axis)));
            most = fmax(most, fabs(torque - vec3_get(x.torque, axis)));
        }
    }
    cr_assert_gt(touching, 20);
    cr_assert_lt(most, 1e-5, "%g", most);
}

/**
 * Tests two spheres of radii 2 and 1 against the known circle of intersection; there is no force if
 * one contains the other.
 */
Test(query, a_gradient_of_two_spheres)
{
    SCOPED_FIXTURE f = two_spheres();
    f->pair.secondary = false;
    f->pair.gradient = true;
    f->pair.centroid_b = (vec3){0, -1, 0};
    const geo_pose apart = shape_shift(2.5, 0, 0), inside = shape_shift(0, 0, -0.5);
    const geo_pose same = geo_pose_identity();
    const alg_answer x = ask(f, ALG_WANT_FORCE, &apart);
    /* The plane of the circle is at (2.5^2 + 2^2 - 1) / 5 = 1.85. */
    const double area = BASE_PI * (4 - 1.85 * 1.85);
    cr_assert_float_eq(x.force.x, area, 1e-14);
    cr_assert(x.force.y == 0 && x.force.z == 0);
    cr_assert_float_eq(x.torque.z, -area, 1e-14);
    const alg_answer y = ask(f, ALG_WANT_FORCE, &inside), z = ask(f, ALG_WANT_FORCE, &same);
    cr_assert(vec3_norm(y.force) == 0 && vec3_norm(y.torque) == 0 && y.volume_m3 > 4);
    cr_assert(vec3_norm(z.force) == 0 && vec3_norm(z.torque) == 0);
}

Test(query, cones_turn_pushes_that_point_further_in)
{
    /* A's surface is at its right, B's at its left: B gets out to the right, even if its centre has
     * passed A's. */
    SCOPED_PACKING a = spheres_new(1), b = spheres_new(1);
    a.radii[0] = a.secondary[0] = b.radii[0] = b.secondary[0] = 1;
    a.outward[0] = (vec3){1, 0, 0};
    b.outward[0] = (vec3){-1, 0, 0};
    SCOPED_FIXTURE f = bind(&a, &b);
    vec3 last = {0, 0, 0};
    for (int step = 0; step <= 300; step++) {
        const geo_pose pose = shape_shift(1.5 - 0.01 * step, 0.4, 0);
        f->pair.cones = false;
        const alg_answer plain = ask(f, ALG_WANT_VOLUME, &pose);
        f->pair.cones = true;
        const alg_answer x = ask(f, ALG_WANT_VOLUME, &pose);
        cr_assert_eq(x.volume_m3, plain.volume_m3);
        cr_assert_float_eq(vec3_norm(x.force), x.volume_m3, 1e-14);
        cr_assert_geq(x.force.x, 0, "step %d: %g", step, x.force.x);
        cr_assert_eq(x.force.x, fabs(plain.force.x), "step %d", step);
        cr_assert_eq(x.force.y, plain.force.y, "only along the cones, step %d", step);
        cr_assert(step == 0 || vec3_distance(x.force, last) < 0.15, "step %d jumps by %g", step,
                  vec3_distance(x.force, last));
        last = x.force;
    }
    /* B rotated by 180 degrees about z has its surface at the right, as A has: no outward direction
     * is known. */
    geo_pose turned = shape_shift(-0.5, 0.4, 0);
    turned.rotation.row[0] = (vec3){-1, 0, 0};
    turned.rotation.row[1] = (vec3){0, -1, 0};
    const alg_answer x = ask(f, ALG_WANT_VOLUME, &turned);
    cr_assert_lt(x.force.x, 0);
}

/**
 * Returns two spheres of radius 0.6 for each body: A's at (-1, 0, 0) and (1, 0, 0), B's at -`at`
 * and +`at`.
 */
static fixture *dumbbells(vec3 at)
{
    alg_ist_packing a = spheres_new(2), b = spheres_new(2);
    for (size_t i = 0; i < 2; i++) {
        const double sign = i == 0 ? -1 : 1;
        a.centres[i] = a.middles[i] = (vec3){sign, 0, 0};
        b.centres[i] = b.middles[i] = vec3_scale(sign, at);
        a.radii[i] = a.secondary[i] = b.radii[i] = b.secondary[i] = 0.6;
    }
    fixture *const f = bind(&a, &b);
    alg_ist_packing_release(&a);
    alg_ist_packing_release(&b);
    return f;
}

Test(query, a_couple_has_no_force)
{
    /* B's right sphere is pushed up, its left one down, both with a lever of 1 from the middle. */
    SCOPED_FIXTURE f = dumbbells((vec3){1, 0.25, 0});
    const geo_pose pose = geo_pose_identity();
    const alg_answer x = ask(f, ALG_WANT_VOLUME, &pose);
    cr_assert_gt(x.volume_m3, 0.1);
    cr_assert_lt(vec3_norm(x.force), 1e-15);
    assert_near(x.torque, (vec3){0, 0, x.volume_m3}, 1e-14, "torque", 0);
}

Test(query, the_force_fades_where_pushes_cancel)
{
    /* B moves down through the couple: force and torque stay within V and V times the lever, and
     * reverse without a jump. */
    SCOPED_FIXTURE f = dumbbells((vec3){1, 0.25, 0});
    alg_answer last = {0};
    double least = INFINITY;
    for (int step = 0; step <= 1000; step++) {
        const geo_pose pose = shape_shift(0, 0.5 - 0.001 * step, 0);
        const alg_answer x = ask(f, ALG_WANT_VOLUME, &pose);
        const double force = vec3_norm(x.force), torque = vec3_norm(x.torque);
        cr_assert_leq(force, x.volume_m3 * (1 + 1e-14), "step %d", step);
        cr_assert_leq(torque, x.volume_m3 * sqrt(1 + 0.5 * 0.5), "step %d", step);
        cr_assert(step == 0 || vec3_distance(x.force, last.force) < 0.02, "step %d jumps by %g",
                  step, vec3_distance(x.force, last.force));
        cr_assert(step == 0 || vec3_distance(x.torque, last.torque) < 0.02, "step %d jumps by %g",
                  step, vec3_distance(x.torque, last.torque));
        least = fmin(least, force / x.volume_m3);
        last = x;
    }
    cr_assert_lt(least, 0.01);
    cr_assert_lt(last.force.y, -0.9 * last.volume_m3);
}

/* --- Symmetries and random bodies ------------------------------------------------------------- */

Test(query, moving_both_bodies)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        base_random random = base_random_seed(seed);
        SCOPED_PACKING pa = spheres_random(60, seed), pb = spheres_random(60, seed + 500);
        SCOPED_FIXTURE f = bind(&pa, &pb);
        const geo_pose pose = shape_pose(&random, 1.2), motion = shape_pose(&random, 5);
        const geo_pose moved = geo_pose_compose(&motion, &pose);
        const alg_answer x = ask(f, BOTH, &pose);
        for (size_t i = 0; i < pa.count; i++) {
            pa.centres[i] = geo_pose_apply(&motion, pa.centres[i]);
            pa.middles[i] = geo_pose_apply(&motion, pa.middles[i]);
        }
        SCOPED_FIXTURE g = bind(&pa, &pb);
        const alg_answer y = ask(g, BOTH, &moved);
        cr_assert_float_eq(x.distance_m, y.distance_m, 1e-13, "seed %lu", seed);
        cr_assert_float_eq(x.volume_m3, y.volume_m3, 1e-12, "seed %lu", seed);
        if (x.volume_m3 > 0.01) {
            assert_near(geo_pose_rotate(&motion, x.force), y.force, 1e-10, "force", seed);
            assert_near(geo_pose_rotate(&motion, x.torque), y.torque, 1e-10, "torque", seed);
        }
    }
}

Test(query, distance_and_volume_change_continuously)
{
    SCOPED_PACKING p = spheres_random(200, 9);
    SCOPED_FIXTURE f = bind(&p, &p);
    double distance = NAN, volume = NAN;
    size_t apart = 0, overlapping = 0;
    for (int step = 0; step <= 600; step++) {
        const geo_pose pose = shape_shift(2.5 - 0.003 * step, 0.2, 0.1);
        const alg_answer x = ask(f, BOTH, &pose);
        cr_assert(!(fabs(x.distance_m - distance) > 0.003 * (1 + 1e-9)), "step %d: %g after %g",
                  step, x.distance_m, distance);
        cr_assert(!(fabs(x.volume_m3 - volume) > 0.02), "step %d: %g after %g", step, x.volume_m3,
                  volume);
        distance = x.distance_m;
        volume = x.volume_m3;
        apart += distance > 0;
        overlapping += volume > 0;
    }
    cr_assert(apart > 50 && overlapping > 200, "%zu, %zu", apart, overlapping);
}

/**
 * Tests secondary spheres that reach far beyond the primary ones: bodies that are apart and
 * overlap. A unified query keeps the pairs that contain lenses even if other pairs are nearer, and
 * expands no more pairs than the two separate queries.
 */
Test(query, lenses_of_bodies_that_are_apart)
{
    size_t between = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        SCOPED_PACKING pa = spheres_random(300, seed), pb = spheres_random(200, seed + 1000);
        for (size_t i = 0; i < pa.count; i++) {
            pa.secondary[i] = pa.radii[i] + 0.2;
        }
        for (size_t i = 0; i < pb.count; i++) {
            pb.secondary[i] = pb.radii[i] + 0.2;
        }
        SCOPED_FIXTURE f = bind(&pa, &pb);
        const geo_pose pose = shape_shift(2 + 0.02 * (double)seed, 0.1, -0.2);
        const oracle o = compare_all(f, &pose);
        const alg_answer distance = ask(f, ALG_WANT_DISTANCE, &pose);
        const alg_answer volume = ask(f, ALG_WANT_VOLUME, &pose), both = ask(f, BOTH, &pose);
        assert_distance(f, &o, &both, seed);
        assert_volume(&o, &both, seed);
        for (int count = ALG_IST_COUNT_BALLS; count <= ALG_IST_COUNT_NODES; count++) {
            cr_assert_leq(both.counters[count], distance.counters[count] + volume.counters[count],
                          "seed %lu, counter %d: %lu for both, %lu and %lu apart", seed, count,
                          both.counters[count], distance.counters[count], volume.counters[count]);
        }
        between += o.distance > 0 && o.contacts > 20;
    }
    cr_assert_gt(between, 5, "%zu of 40", between);
}

Test(query, spheres_without_a_surface_bound_nothing)
{
    /* B's outer ball is within 2 of A's right sphere, which owns no surface; the left sphere, which
     * owns surface, is 6.9 away. */
    SCOPED_PACKING a = spheres_new(2), b = spheres_new(1);
    a.centres[1] = a.middles[1] = (vec3){-5, 0, 0};
    a.radii[0] = a.radii[1] = a.secondary[0] = a.secondary[1] = a.outer[1] = 0.1;
    b.radii[0] = b.secondary[0] = 1;
    b.outer[0] = 2;
    SCOPED_FIXTURE f = bind(&a, &b);
    f->pair.bounded = true;
    const geo_pose pose = shape_shift(4, 0, 0);
    const alg_answer x = ask(f, ALG_WANT_DISTANCE, &pose);
    cr_assert_float_eq(x.distance_m, 2.9, 1e-14);
    cr_assert_float_eq(x.distance_lo_m, 2.9, 1e-14);
}
