/**
 * Tests the traversal of two trees: its guarantees for every start and stop, in trees of all
 * widths, and its number of tests, in cases with narrow margins.
 */
#include "algorithms/ist/tests/spheres.h"
#include "geometry/sphere.h"

typedef struct fixture {
    base_arena arena;
    alg_ist_solid a, b;
    alg_ist_pair pair;
} fixture;

/** Binds two packings, which are released. */
static fixture *bind(alg_ist_packing a, alg_ist_packing b, const alg_ist_tree_options *options)
{
    fixture *const f = base_alloc(1, sizeof *f);
    f->a = spheres_solid_with(&a, options, &f->arena);
    f->b = spheres_solid_with(&b, options, &f->arena);
    assert_ok(alg_ist_pair_bind(&f->a, &f->b, &f->arena, &f->pair, ERR));
    alg_ist_packing_release(&a);
    alg_ist_packing_release(&b);
    return f;
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
    return answer;
}

static uint64_t tests_of(const alg_answer *answer)
{
    return answer->counters[ALG_IST_COUNT_BALLS];
}

/** Returns a sphere of radius 1 at each position, with an outer radius of 1.5. */
static alg_ist_packing spheres_at(const vec3 *places, size_t count)
{
    alg_ist_packing p = spheres_new(count);
    for (size_t i = 0; i < count; i++) {
        p.centres[i] = p.middles[i] = places[i];
        p.radii[i] = p.secondary[i] = 1;
        p.outer[i] = 1.5;
    }
    return p;
}

/* --- Answers ---------------------------------------------------------------------------------- */

Test(traversal, of_equally_near_pairs_the_first_wins_wherever_it_starts)
{
    /* Two parallel rows of spheres: 16 pairs with a gap of exactly 3. */
    enum { ROW = 16 };
    vec3 places[ROW];
    for (int i = 0; i < ROW; i++) {
        places[i] = (vec3){4 * i, 0, 0};
    }
    const alg_ist_tree_options options = {.branching = 4, .seed = 1};
    SCOPED_FIXTURE f = bind(spheres_at(places, ROW), spheres_at(places, ROW), &options);
    const geo_pose beside = shape_shift(0, 5, 0);
    f->pair.coherent = true;
    for (uint32_t a = 0; a < ROW; a++) {
        /* Both rows are sorted alike by equal trees: opposite spheres have the same number. */
        const geo_pose moved =
            shape_shift(f->a.spheres[a].centre.x - f->b.spheres[a].centre.x, 5, 0);
        alg_ist_pair_reset(&f->pair);
        cr_assert_eq(ask(f, ALG_WANT_DISTANCE, &moved).distance_m, 3);
        f->pair.last[0] = f->pair.last[1] = a;
        const alg_answer x = ask(f, ALG_WANT_DISTANCE, &beside);
        cr_assert_eq(x.distance_m, 3);
        cr_assert(f->pair.last[0] == 0 && f->pair.last[1] == 0, "from %u: %u and %u", a,
                  f->pair.last[0], f->pair.last[1]);
        cr_assert_eq(x.witness_a.x, f->a.spheres[0].centre.x, "from %u", a);
    }
}

Test(traversal, a_bracket_contains_the_pairs_not_expanded)
{
    /* Pairs of spheres one behind the other, as seen from B: the nearest point of each node's ball
     * is that of its front sphere. All numbers are exact in float, so that only the outward
     * rounding of radii changes the gap of the nearest node from 7. */
    vec3 places[8];
    for (int i = 0; i < 8; i++) {
        places[i] = (vec3){i % 2 ? -3 : 0, 100.0 * (i / 2), 0};
    }
    const vec3 origin = {0, 0, 0};
    const alg_ist_tree_options options = {.branching = 4, .criterion = ALG_IST_VOLUME, .seed = 1};
    SCOPED_FIXTURE f = bind(spheres_at(places, 8), spheres_at(&origin, 1), &options);
    const geo_pose pose = shape_shift(10, 0, 0);
    for (uint32_t i = 0; i < 4; i++) {
        cr_assert(!(alg_ist_children(&f->a.tree, 0)[i] & ALG_IST_LEAF), "four pairs");
    }
    f->pair.bounded = f->pair.coherent = true;
    const alg_answer whole = ask(f, ALG_WANT_DISTANCE, &pose);
    cr_assert(whole.outcome == ALG_CONVERGED && whole.distance_m == 8);
    cr_assert_float_eq(whole.distance_lo_m, 7, 1e-11);
    f->pair.budget = 16; /* enough for the root only */
    const alg_answer x = ask(f, ALG_WANT_DISTANCE, &pose);
    cr_assert(x.outcome == ALG_BUDGET_REACHED && tests_of(&x) == 4, "%lu tests", tests_of(&x));
    cr_assert_eq(x.distance_hi_m, 8);
    cr_assert(x.distance_lo_m <= 7 && x.distance_lo_m > 7 - 1e-2, "%.17g", x.distance_lo_m);
}

Test(traversal, trees_of_all_widths_give_the_answer_of_all_pairs)
{
    static const uint32_t branchings[] = {2, 4, 8, 16};
    for (uint64_t seed = 1; seed <= 80; seed++) {
        base_random random = base_random_seed(seed);
        const alg_ist_tree_options options = {.branching = branchings[seed % 4], .seed = seed};
        SCOPED_FIXTURE f =
            bind(spheres_random(200, seed), spheres_random(150, seed + 100), &options);
        geo_pose pose = shape_pose(&random, 1);
        const double apart = seed % 16 < 4 ? 100 : base_random_range(&random, 0.5, 3);
        pose.translation = vec3_scale(apart, geo_random_direction(&random));
        f->pair.secondary = true;
        double distance = INFINITY, volume = 0;
        for (uint32_t i = 0; i < f->a.tree.leaf_count; i++) {
            const alg_ist_sphere *const a = &f->a.spheres[i];
            for (uint32_t j = 0; j < f->b.tree.leaf_count; j++) {
                const alg_ist_sphere *const b = &f->b.spheres[j];
                const double d = vec3_distance(a->centre, geo_pose_apply(&pose, b->centre));
                distance = fmin(distance, fmax(d - a->primary - b->primary, 0));
                volume += geo_ball_overlap_volume(
                    (geo_ball){alg_ist_middle(&f->a, i), a->secondary},
                    (geo_ball){geo_pose_apply(&pose, alg_ist_middle(&f->b, j)), b->secondary});
            }
        }
        const alg_answer x = ask(f, ALG_WANT_DISTANCE, &pose), y = ask(f, ALG_WANT_VOLUME, &pose);
        const alg_answer z = ask(f, ALG_WANT_DISTANCE | ALG_WANT_VOLUME, &pose);
        cr_assert(x.distance_m == distance && z.distance_m == distance,
                  "seed %lu: %.17g and %.17g for %.17g", seed, x.distance_m, z.distance_m,
                  distance);
        cr_assert_float_eq(y.volume_m3, volume, 1e-13 * volume, "seed %lu", seed);
        cr_assert_float_eq(z.volume_m3, volume, 1e-13 * volume, "seed %lu", seed);
    }
}

Test(traversal, rounding_of_a_pose_prunes_nothing)
{
    /* B is so far from its origin that the rounding of poses exceeds that of floats. This rounding
     * decides which of the pairs in two parallel rows is nearest. */
    enum { ROW = 64 };
    const vec3 away = {3e11, -1e11, 2e11};
    const alg_ist_tree_options options = {.branching = 4, .seed = 1};
    base_random random = base_random_seed(2);
    for (int turn = 0; turn < 30; turn++) {
        geo_pose pose = shape_pose(&random, 1);
        vec3 of_a[ROW], of_b[ROW];
        for (int i = 0; i < ROW; i++) {
            of_a[i] = geo_pose_rotate(&pose, (vec3){4 * i, 0, 0});
            of_b[i] = vec3_add(away, (vec3){4 * i, 0, 0});
        }
        SCOPED_FIXTURE f = bind(spheres_at(of_a, ROW), spheres_at(of_b, ROW), &options);
        pose.translation = geo_pose_rotate(&pose, vec3_sub((vec3){0, 5, 0}, away));
        double least = INFINITY, most = 0;
        for (uint32_t a = 0; a < ROW; a++) {
            double nearest = INFINITY;
            for (uint32_t b = 0; b < ROW; b++) {
                const vec3 moved = geo_pose_apply(&pose, f->b.spheres[b].centre);
                nearest = fmin(nearest, vec3_distance(f->a.spheres[a].centre, moved) - 1 - 1);
            }
            least = fmin(least, nearest);
            most = fmax(most, nearest);
        }
        cr_assert(most - least > 1e-5, "turn %d: by %g", turn, most - least);
        const double distance = ask(f, ALG_WANT_DISTANCE, &pose).distance_m;
        cr_assert_eq(distance, least, "turn %d: %.17g for %.17g", turn, distance, least);
    }
}

Test(traversal, a_lens_by_hand)
{
    /* Radii 1 and 1 at (1.5, 0, 0): the lens extends from 0.5 to 1 on the line of centres. */
    const vec3 origin = {0, 0, 0};
    const alg_ist_tree_options options = {.branching = 4};
    SCOPED_FIXTURE f = bind(spheres_at(&origin, 1), spheres_at(&origin, 1), &options);
    const geo_pose pose = shape_shift(1.5, 0, 0);
    alg_contact contact;
    alg_answer x = {.size = sizeof x, .contacts = &contact, .contact_capacity = 1};
    f->pair.wanted = ALG_WANT_VOLUME;
    alg_ist_query(&f->pair, &pose, &x);
    cr_assert_eq(x.contact_count, 1);
    cr_assert(vec3_equal(contact.point, (vec3){0.75, 0, 0}) && contact.depth_m == 0.5);
    cr_assert(vec3_equal(contact.normal, (vec3){1, 0, 0}), "from A to B");
    /* Cones turn the push away from the line of centres: the lever is measured from the middle of
     * the lens. */
    f->a.outward[0] = (vec3){0, 1, 0};
    f->pair.cones = true;
    const geo_pose low = shape_shift(1.2, -0.9, 0);
    const alg_answer y = ask(f, ALG_WANT_VOLUME, &low);
    const vec3 lever = vec3_sub((vec3){0.6, -0.45, 0}, low.translation);
    cr_assert(y.force.x > 0 && y.force.y > 0 && y.volume_m3 > 0);
    cr_assert_float_eq(y.torque.z, vec3_cross(lever, y.force).z, 1e-15, "%g", y.torque.z);
}

/* --- Number of tests -------------------------------------------------------------------------- */

/** Returns the number of tests of 40 queries, with B in a shell of radii lo to hi around A. */
static uint64_t work(fixture *f, unsigned wanted, double lo, double hi)
{
    base_random random = base_random_seed(1);
    uint64_t tests = 0;
    for (int i = 0; i < 40; i++) {
        geo_pose pose = shape_pose(&random, 1);
        pose.translation =
            vec3_scale(base_random_range(&random, lo, hi), geo_random_direction(&random));
        const alg_answer x = ask(f, wanted, &pose);
        tests += tests_of(&x);
    }
    return tests;
}

/* A number of tests that differs by more than this share comes from another order or other
 * bounds. */
static const double give_or_take = 0.03;

Test(traversal, takes_as_many_tests_as_it_has_to)
{
    const alg_ist_tree_options options = {.branching = 4, .seed = 1};
    SCOPED_FIXTURE f = bind(spheres_random(1000, 1), spheres_random(1000, 2), &options);
    const struct {
        const char *what;
        unsigned wanted;
        bool coherent;
        double lo, hi;
        double tests;
    } cases[] = {
        {"near", ALG_WANT_DISTANCE, false, 2, 2.5, 21582},
        {"apart", ALG_WANT_DISTANCE, false, 3, 10, 32992},
        {"far", ALG_WANT_DISTANCE, false, 20, 40, 37679},
        {"very far", ALG_WANT_DISTANCE, false, 1e6, 2e6, 38640},
        {"from the last of other poses", ALG_WANT_DISTANCE, true, 2, 2.5, 21554},
        {"contact", ALG_WANT_CONTACT, false, 2, 2.5, 5998},
        {"volume", ALG_WANT_VOLUME, false, 1.5, 2.5, 64475},
        {"distance and volume", ALG_WANT_DISTANCE | ALG_WANT_VOLUME, false, 1.5, 2.5, 70690},
    };
    f->pair.secondary = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        f->pair.coherent = cases[i].coherent;
        const double tests = (double)work(f, cases[i].wanted, cases[i].lo, cases[i].hi);
        cr_expect(fabs(tests - cases[i].tests) <= give_or_take * cases[i].tests,
                  "%s: %g tests for %g", cases[i].what, tests, cases[i].tests);
    }
}
