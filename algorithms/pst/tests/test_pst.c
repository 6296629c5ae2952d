/** Contestant pst: all choices, several quantities at once, budgets, declined requests,
 * facts, drawings. */
#include "algorithms/pst/pst.h"
#include "algorithms/pst/penetration.h"
#include "algorithms/tests/pair.h"
#include "base/random.h"
#include "base/tests/support.h"
#include "geometry/pose.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum {
    PUSH = ALG_WANT_CONTACT | ALG_WANT_DEPTH | ALG_WANT_FORCE,
    ALL = PUSH | ALG_WANT_DISTANCE,
    HAS_PUSH = ALG_HAS_CONTACT | ALG_HAS_DEPTH | ALG_HAS_FORCE,
    HAS_APART = ALG_HAS_DISTANCE | ALG_HAS_DISTANCE_BRACKET,
    HAS_ALL = HAS_PUSH | HAS_APART,
    NAME_ROOM = 160,
};

/** Settings that follow the contestant's name; in the order of names. */
static const char *const choices[] = {
    "shell-voxels=8,voxels=12",
    "clusters=balanced,shell-voxels=8,voxels=12",
    "depth=layers,shell-voxels=8,voxels=12",
    "field=moving,shell-voxels=8,voxels=12",
    "depth=layers,field=moving,layers=3,shell=two-phase,shell-voxels=8,voxels=12",
    "clusters=balanced,shell=blue-noise,shell-voxels=8,voxels=12",
    "rounds=0,shell-voxels=8,voxels=12",
    "candidates=1,rounds=3,shell-voxels=8,start=last,voxels=12",
    "shell-voxels=8,tolerance=0.1,voxels=12,walk=flat",
    "normals=field,shell-voxels=8,voxels=12,weights=area",
    "field=moving,normals=field,shell=mesh,shell-voxels=8,voxels=12,weights=area",
};
enum { CHOICES = sizeof choices / sizeof *choices };

static alg_variant parse(const char *settings)
{
    char name[NAME_ROOM];
    alg_variant v;
    alg_message message = {""};
    snprintf(name, sizeof name, "pst%s%s", *settings ? ":" : "", settings);
    cr_assert_eq(alg_variant_parse(name, 1, &v, &message), ALG_OK, "%s: %s", name, message.text);
    return v;
}

static pair open_pair(const char *settings, const geo_mesh *a, const geo_mesh *b, unsigned wanted)
{
    char name[NAME_ROOM];
    snprintf(name, sizeof name, "pst:%s", settings);
    return pair_open(name, a, b, wanted);
}

static uint64_t lookups(const alg_answer *a)
{
    return a->counters[ALG_PST_COUNT_SPHERES] + a->counters[ALG_PST_COUNT_POINTS];
}

/* --- Choices ---------------------------------------------------------------------------------- */

/** A bracket contains the distance for every choice, so the brackets of all choices overlap. */
Test(pst, brackets_of_all_choices_agree)
{
    enum { POSES = 60 };
    SCOPED_MESH a = shape_ball((vec3){0.1, 0, 0}, 1, 4), b = shape_torus(8, 0.7, 0.3);
    double lo[POSES] = {0}, hi[POSES];
    size_t apart = 0, pushing = 0;
    for (int k = 0; k < POSES; k++) {
        hi[k] = INFINITY;
    }
    for (int i = 0; i < CHOICES; i++) {
        SCOPED_PAIR p = open_pair(choices[i], &a, &b, ALL);
        const alg_algorithm *const g = p.variant.algorithm;
        const bool bound = g->contract(&p.variant.settings, ALG_DISTANCE) == ALG_UPPER_BOUND;
        base_random random = base_random_seed(3);
        cr_assert_eq(bound, i != 6, "%s", choices[i]);
        for (int k = 0; k < POSES; k++) {
            const geo_pose pose = shape_pose(&random, 2.5);
            const alg_answer x = pair_ask(&p, &pose);
            const double l = x.distance_lo_m, h = x.distance_hi_m;
            cr_assert_eq(x.outcome, ALG_CONVERGED, "%s, %d", choices[i], k);
            cr_assert((x.answered & HAS_ALL) == HAS_ALL);
            cr_assert(l >= 0 && l <= h && isfinite(h) && (!bound || x.distance_m >= l),
                      "%s, %d: %g in [%g, %g]", choices[i], k, x.distance_m, l, h);
            cr_assert(x.depth_m >= 0 && vec3_isfinite(x.force) && vec3_isfinite(x.torque));
            cr_assert(x.colliding || x.depth_m == 0, "%s, %d", choices[i], k);
            lo[k] = fmax(lo[k], l);
            hi[k] = fmin(hi[k], h);
            apart += x.distance_m > 0;
            pushing += x.depth_m > 0;
        }
    }
    for (int k = 0; k < POSES; k++) {
        cr_assert_leq(lo[k], hi[k], "pose %d: %.17g > %.17g", k, lo[k], hi[k]);
    }
    cr_assert(apart > 100 && pushing > 50, "%zu %zu", apart, pushing);
}

/** The kind of a body follows from its role and from `field`. */
Test(pst, roles)
{
    SCOPED_MESH a = shape_ball((vec3){0, 0, 0}, 1, 2);
    for (int moving = 0; moving < 2; moving++) {
        SCOPED_PAIR p = open_pair(choices[moving ? 3 : 0], &a, &a, ALL);
        const alg_pst_body *const fixed = p.fixed, *const other = p.moving;
        cr_assert(fixed->is_field == !moving && other->is_field == moving);
    }
}

/* --- Several quantities ----------------------------------------------------------------------- */

/** A query for both has the parts of the separate queries, and the sums of their counters. */
Test(pst, several_quantities_in_one_query)
{
    SCOPED_MESH a = shape_ball((vec3){0.1, 0, 0}, 1, 4), b = shape_torus(8, 0.7, 0.3);
    for (int i = 0; i < CHOICES; i += (int)sweep_step(3)) {
        pair both = open_pair(choices[i], &a, &b, ALL), push = open_pair(choices[i], &a, &b, PUSH),
             apart = open_pair(choices[i], &a, &b, ALG_WANT_DISTANCE);
        base_random random = base_random_seed(7);
        for (int k = 0; k < 40; k++) {
            const geo_pose pose = shape_pose(&random, 1.6);
            const alg_answer x = pair_ask(&both, &pose), y = pair_ask(&push, &pose),
                             z = pair_ask(&apart, &pose);
            cr_assert_eq(x.answered, y.answered | z.answered, "%s, %d", choices[i], k);
            cr_assert(!(y.answered & HAS_APART) && !(z.answered & HAS_PUSH));
            cr_assert_eq(x.colliding, y.colliding || z.colliding);
            cr_assert(x.depth_m == y.depth_m && vec3_equal(x.direction, y.direction) &&
                          vec3_equal(x.force, y.force) && vec3_equal(x.torque, y.torque),
                      "%s, %d", choices[i], k);
            cr_assert(x.distance_m == z.distance_m && x.distance_lo_m == z.distance_lo_m &&
                          x.distance_hi_m == z.distance_hi_m &&
                          vec3_equal(x.witness_a, z.witness_a) &&
                          vec3_equal(x.witness_b, z.witness_b),
                      "%s, %d: %.17g, alone %.17g", choices[i], k, x.distance_m, z.distance_m);
            for (int c = 0; c < ALG_PST_COUNT; c++) {
                cr_assert_eq(x.counters[c], y.counters[c] + z.counters[c], "%s, %d: counter %d",
                             choices[i], k, c);
            }
        }
        pair_close(&both);
        pair_close(&push);
        pair_close(&apart);
    }
}

/* --- Budgets ---------------------------------------------------------------------------------- */

/** Binds the bodies of p, which has no budget, with a budget for `wanted`. With `deadline` there is
 * also a time limit of a second, which must not lift the budget. */
static pair limit(const pair *p, const char *settings, uint64_t budget, bool deadline,
                  unsigned wanted)
{
    char more[NAME_ROOM];
    alg_message message = {""};
    pair q = *p;
    snprintf(more, sizeof more, "budget=%d,%s%s", (int)budget, deadline ? "deadline-us=1e6," : "",
             settings);
    q.variant = parse(more);
    cr_assert_eq(q.variant.algorithm->bind(&q.variant.settings, p->fixed, p->moving,
                                           PAIR_REQUEST(wanted), &q.state, &message),
                 ALG_OK, "%s: %s", more, message.text);
    return q;
}

/** Lookups never exceed the budget, whatever is wanted, and brackets overlap those without a
 * budget. */
Test(pst, budgets_are_kept)
{
    static const unsigned wanted[] = {PUSH, ALG_WANT_CONTACT, ALG_WANT_DISTANCE, ALL};
    static const uint64_t budgets[] = {1, 2, 3, 7, 20, 50, 1000};
    SCOPED_MESH a = shape_ball((vec3){0.1, 0, 0}, 1, 4), b = shape_torus(12, 0.7, 0.3);
    for (int i = 0; i < CHOICES; i++) {
        SCOPED_PAIR free = open_pair(choices[i], &a, &b, ALG_WANT_DISTANCE);
        size_t reached = 0;
        for (size_t n = 0; n < 4 * sizeof budgets / sizeof *budgets; n++) {
            const uint64_t budget = budgets[n / 4];
            const unsigned w = wanted[n % 4];
            if (budget == 1 && w == ALL) {
                continue; /* declined */
            }
            pair p = limit(&free, choices[i], budget, i % 2 == 1, w);
            base_random random = base_random_seed(n);
            for (int k = 0; k < 12; k++) {
                const geo_pose pose = shape_pose(&random, 1.8);
                const alg_answer x = pair_ask(&p, &pose), y = pair_ask(&free, &pose);
                cr_assert_leq(lookups(&x), budget, "%s, %d, %u", choices[i], k, w);
                cr_assert_eq((x.answered & ALG_HAS_DISTANCE) > 0, (w & ALG_WANT_DISTANCE) > 0);
                cr_assert_eq((x.answered & ALG_HAS_CONTACT) > 0, (w & ALG_WANT_CONTACT) > 0);
                reached += x.outcome == ALG_BUDGET_REACHED;
                cr_assert(!(w & ALG_WANT_DISTANCE) || (x.distance_lo_m <= y.distance_hi_m &&
                                                       y.distance_lo_m <= x.distance_hi_m),
                          "%s, budget %d, %d: [%g, %g] and [%g, %g]", choices[i], (int)budget, k,
                          x.distance_lo_m, x.distance_hi_m, y.distance_lo_m, y.distance_hi_m);
            }
            p.variant.algorithm->release(p.state);
        }
        cr_assert_gt(reached, 50, "%s: %zu", choices[i], reached);
    }
}

/* --- Points of forces ----------------------------------------------------------------------- */

/** shell=auto answers a query with a force like shell=blue-noise, and any other query like
 * shell=mesh, with the same bits. If a query wants both, each part has its own points. */
Test(pst, forces_have_their_own_points)
{
    static const unsigned wanted[] = {PUSH, ALG_WANT_FORCE, ALG_WANT_CONTACT | ALG_WANT_DEPTH,
                                      ALG_WANT_CONTACT, ALG_WANT_DISTANCE};
    SCOPED_MESH a = shape_ball((vec3){0.1, 0, 0}, 1, 4), b = shape_torus(8, 0.7, 0.3);
    for (int weighed = 0; weighed < 2; weighed++) {
        const char *const tail =
            weighed ? ",shell-voxels=12,voxels=12,weights=area" : ",shell-voxels=12,voxels=12";
        pair p[3];
        for (int i = 0; i < 3; i++) {
            static const char *const shells[] = {"auto", "blue-noise", "mesh"};
            char name[NAME_ROOM];
            snprintf(name, sizeof name, "shell=%s%s", shells[i], tail);
            p[i] = open_pair(name, &a, &b, ALL);
        }
        const alg_pst_body *const body = p[0].moving;
        const double *const facts = p[0].info_b.facts;
        cr_assert(body->tree.points.kind == ALG_PST_MESH &&
                  (body->tree.points.shares != NULL) == weighed);
        cr_assert(body->forces->points.kind == ALG_PST_BLUE_NOISE &&
                  (body->forces->points.shares != NULL) == weighed);
        cr_assert(facts[ALG_PST_FACT_POINTS] == body->tree.points.count &&
                  facts[ALG_PST_FACT_FORCE_POINTS] == body->forces->points.count);
        for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++) {
            const pair *const same = &p[wanted[w] & ALG_WANT_FORCE ? 1 : 2];
            pair x = p[0], y = *same;
            pair_bind(&x, wanted[w]);
            pair_bind(&y, wanted[w]);
            base_random random = base_random_seed(5);
            for (int k = 0; k < 20; k++) {
                const geo_pose pose = shape_pose(&random, 1.6);
                const alg_answer u = pair_ask(&x, &pose), v = pair_ask(&y, &pose);
                cr_assert_eq(memcmp(&u, &v, sizeof u), 0, "%d, wanted %x, %d", weighed, wanted[w],
                             k);
                const alg_answer all = pair_ask(&p[0], &pose), noise = pair_ask(&p[1], &pose);
                const alg_answer mesh = pair_ask(&p[2], &pose);
                cr_assert(vec3_equal(all.force, noise.force) && all.depth_m == noise.depth_m &&
                          all.distance_m == mesh.distance_m);
            }
            x.variant.algorithm->release(x.state);
            y.variant.algorithm->release(y.state);
        }
        for (int i = 0; i < 3; i++) {
            pair_close(&p[i]);
        }
    }
}

/* --- Flat faces ----------------------------------------------------------------------------- */

/** Returns the normal of a cube's face. */
static vec3 side_of_cube(int side)
{
    const double sign = side % 2 ? -1 : 1;
    return (vec3){side / 2 == 0 ? sign : 0, side / 2 == 1 ? sign : 0, side / 2 == 2 ? sign : 0};
}

/** Returns a pose at which a cube of edge 1 has a gap to another one, with a sideways offset. */
static geo_pose place_cube(int side, double gap)
{
    const vec3 out = side_of_cube(side), beside = {0.3, 0.3, 0.3};
    const vec3 across =
        vec3_madd(beside, -vec3_dot(beside, out), vec3_scale(vec3_dot(out, out), out));
    geo_pose pose = geo_pose_identity();
    pose.translation = vec3_madd(across, 1 + gap, out);
    return pose;
}

/** A cube is pressed on a cube by its face, in each direction, from a gap of 20 % of the edge to a
 * depth of 20 %. The force is 0 while they are apart, and then increases with the depth along the
 * axis. */
Test(pst, the_force_on_a_flat_face_grows_with_the_depth)
{
    enum { STEPS = 100 };
    static const char *const settings[] = {
        "shell-voxels=24,voxels=32",
        "shell-voxels=24,voxels=32,weights=area",
        "field=moving,shell-voxels=24,voxels=32",
        "shell=mesh,shell-voxels=24,voxels=32",
    };
    /* Points of a mesh are distributed equally on all faces, those of blue noise nearly so. */
    static const double slack[] = {0.05, 0.005, 0.05, 1e-6};
    SCOPED_MESH a = shape_cube((vec3){0, 0, 0}, 0.5), b = shape_cube((vec3){0, 0, 0}, 0.5);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        SCOPED_PAIR p = open_pair(settings[i], &a, &b, ALG_WANT_FORCE);
        double deep[6];
        for (int side = 0; side < 6; side++) {
            double before = 0;
            for (int k = 0; k <= STEPS; k++) {
                const double gap = 0.2 - 0.4 * k / STEPS + (k == STEPS / 2 ? -1e-4 : 0);
                const geo_pose pose = place_cube(side, gap);
                const vec3 force = pair_ask(&p, &pose).force;
                const double along = vec3_dot(force, side_of_cube(side));
                cr_assert(gap > 0 ? vec3_norm(force) == 0 : along > before,
                          "%s, side %d, gap %g: %g after %g", settings[i], side, gap, along,
                          before);
                before = along;
            }
            deep[side] = before;
        }
        /* Equal faces push equally, up to the positions of their points. */
        for (int side = 1; side < 6; side++) {
            cr_assert_float_eq(deep[side] / deep[0], 1, slack[i], "%s, side %d: %g and %g",
                               settings[i], side, deep[side], deep[0]);
        }
    }
}

/** Returns the largest difference between a force and that of both bodies rotated, relative to the
 * force. Without weights, a force is divided by the number of points, which depends on the grid's
 * rotation. */
static double measure_spread(const char *settings)
{
    double spread = 0;
    base_random random = base_random_seed(11);
    geo_mesh a = shape_box((vec3){-1, -0.8, -0.6}, (vec3){1, 0.8, 0.6}),
             b = shape_ball((vec3){0, 0, 0}, 0.6, 12);
    pair p = open_pair(settings, &a, &b, ALG_WANT_FORCE);
    for (int turn = 0; turn < 3; turn++) {
        const geo_pose q = shape_pose(&random, 0);
        SCOPED_MESH c = shape_move(shape_box((vec3){-1, -0.8, -0.6}, (vec3){1, 0.8, 0.6}), q, 1);
        SCOPED_MESH d = shape_move(shape_ball((vec3){0, 0, 0}, 0.6, 12), q, 1);
        SCOPED_PAIR turned = open_pair(settings, &c, &d, ALG_WANT_FORCE);
        const double more = strstr(settings, "weights")
                                ? 1
                                : p.info_b.facts[ALG_PST_FACT_FORCE_POINTS] /
                                      turned.info_b.facts[ALG_PST_FACT_FORCE_POINTS];
        for (int k = 0; k < 6; k++) {
            const geo_pose pose = shape_shift(0.1 * k, k % 2 ? 1.2 : 0.1, k % 2 ? -0.2 : 0.9);
            geo_pose moved = geo_pose_identity();
            moved.translation = geo_pose_rotate(&q, pose.translation);
            const vec3 force = geo_pose_rotate(&q, pair_ask(&p, &pose).force);
            const vec3 other = vec3_scale(more, pair_ask(&turned, &moved).force);
            spread = fmax(spread, vec3_distance(force, other) / vec3_norm(force));
        }
    }
    pair_close(&p);
    geo_mesh_release(&a);
    geo_mesh_release(&b);
    return spread;
}

/** Rotating both bodies rotates the force; the remaining difference comes from the grids of points
 * and field. */
Test(pst, a_turn_of_both_bodies_turns_the_force)
{
    const double count = measure_spread("shell-voxels=24,voxels=32");
    const double area = measure_spread("shell-voxels=24,voxels=32,weights=area");
    /* The differences are 3.1 % and 1.1 %. */
    cr_assert(count < 0.05 && area < 0.02, "%g by count, %g by area", count, area);
}

/* --- Bodies ----------------------------------------------------------------------------------- */

Test(pst, what_is_declined)
{
    static const struct {
        const char *settings;
        unsigned wanted;
        bool open_a, open_b, good;
    } rows[] = {
        {"shell-voxels=4,voxels=6", PUSH, true, false, false},
        {"shell-voxels=4,voxels=6", ALG_WANT_CONTACT, true, false, false},
        {"shell-voxels=4,voxels=6", ALL, true, false, false},
        {"shell-voxels=4,voxels=6", ALG_WANT_DISTANCE, true, true, true},
        {"shell-voxels=4,voxels=6", PUSH, false, true, true},
        {"field=moving,shell-voxels=4,voxels=6", PUSH, true, false, true},
        {"field=moving,shell-voxels=4,voxels=6", PUSH, false, true, false},
        {"budget=1,shell-voxels=4,voxels=6", ALL, false, false, false},
        {"budget=1,shell-voxels=4,voxels=6", PUSH, false, false, true},
        {"budget=2,shell-voxels=4,voxels=6", ALL, false, false, true},
    };
    SCOPED_MESH ball = shape_ball((vec3){0, 0, 0}, 1, 2);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const alg_variant v = parse(rows[i].settings);
        const alg_algorithm *const g = v.algorithm;
        const alg_mesh a = shape_body(&ball, !rows[i].open_a),
                       b = shape_body(&ball, !rows[i].open_b);
        alg_build_info info = {0};
        alg_message message = {""};
        void *fixed, *moving, *state;
        cr_assert_eq(g->prepare(&v.settings, &a, ALG_FIXED, &fixed, &info, &message), ALG_OK);
        cr_assert_eq(g->prepare(&v.settings, &b, ALG_MOVING, &moving, &info, &message), ALG_OK);
        const alg_status status =
            g->bind(&v.settings, fixed, moving, PAIR_REQUEST(rows[i].wanted), &state, &message);
        cr_assert_eq(status, rows[i].good ? ALG_OK : ALG_UNSUPPORTED, "row %zu: %s", i,
                     message.text);
        cr_assert(rows[i].good == (message.text[0] == '\0') && rows[i].good == (state != NULL));
        g->release(state);
        g->dispose(moving);
        g->dispose(fixed);
    }
}

/* --- Facts and drawings ----------------------------------------------------------------------- */

/** Facts of the other role keep the values that the caller has set. */
Test(pst, facts_are_of_a_role)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1);
    const alg_mesh body = shape_body(&cube, true);
    const alg_variant v = parse("shell-voxels=4,voxels=8");
    for (int role = 0; role < 2; role++) {
        alg_build_info info = {0};
        alg_message message;
        void *prepared;
        for (int i = 0; i < ALG_FACTS_MAX; i++) {
            info.facts[i] = NAN;
        }
        cr_assert_eq(
            v.algorithm->prepare(&v.settings, &body, (alg_role)role, &prepared, &info, &message),
            ALG_OK);
        for (int i = 0; i < ALG_PST_FACT_COUNT; i++) {
            const bool of_field = i < ALG_PST_FACT_POINTS || i == ALG_PST_FACT_FIELD_NS;
            cr_assert_eq(isnan(info.facts[i]), of_field == (role == ALG_MOVING), "%s, role %d",
                         alg_pst_facts[i], role);
        }
        const alg_pst_body *const b = prepared;
        if (role == ALG_FIXED) {
            cr_assert_eq(info.facts[ALG_PST_FACT_CELLS], 8. * b->field.brick_count);
            cr_assert_eq(info.primitives, b->field.brick_count);
        } else {
            /* A length of 2 on 4 voxels: edges of 0.5, so 5 x 5 points a face, and diagonals, which
             * are halved, too. */
            cr_assert(info.facts[ALG_PST_FACT_POINTS] >= 98 && info.primitives >= 98);
            cr_assert_leq(info.facts[ALG_PST_FACT_SPACING_MEAN], 0.5 + 1e-12);
        }
        cr_assert_gt(info.bytes, 128 * info.primitives / 4);
        v.algorithm->dispose(prepared);
    }
}

/**
 * Depths in a cube of 8 finest cells. Interpolation of a linear function is exact, so errors of the
 * field are only at ridges. Depths by layers are whole edges, and end at the greatest layer. An
 * open surface has no depths.
 */
Test(pst, facts_of_depths)
{
    static const struct {
        const char *settings;
        bool solid;
        double median[2], most[2], deep[2]; /* ranges */
    } rows[] = {
        {"shell-voxels=4,voxels=8", true, {0, 1e-5}, {0.05, 1}, {0.05, 1}},
        {"depth=layers,shell-voxels=4,voxels=8", true, {0.2, 0.3}, {0.4, 0.51}, {0.4, 0.51}},
        {"depth=layers,layers=1,shell-voxels=4,voxels=8", true, {0.2, 0.6}, {0.4, 1.1}, {2, 3}},
        {"shell-voxels=4,voxels=8", false, {NAN, NAN}, {NAN, NAN}, {NAN, NAN}},
    };
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const alg_variant v = parse(rows[i].settings);
        const alg_mesh body = shape_body(&cube, rows[i].solid);
        alg_build_info info = {0};
        alg_message message;
        void *prepared;
        for (int k = 0; k < ALG_FACTS_MAX; k++) {
            info.facts[k] = NAN;
        }
        cr_assert_eq(
            v.algorithm->prepare(&v.settings, &body, ALG_FIXED, &prepared, &info, &message),
            ALG_OK);
        const double median = info.facts[ALG_PST_FACT_DEPTH_ERROR_P50],
                     p99 = info.facts[ALG_PST_FACT_DEPTH_ERROR_P99],
                     most = info.facts[ALG_PST_FACT_DEPTH_ERROR_MAX],
                     deep = info.facts[ALG_PST_FACT_DEEP_ERROR_P99];
        if (rows[i].solid) {
            cr_assert(median >= rows[i].median[0] && median <= rows[i].median[1], "%zu: %g", i,
                      median);
            cr_assert(most >= rows[i].most[0] && most <= rows[i].most[1], "%zu: %g", i, most);
            cr_assert(deep >= rows[i].deep[0] && deep <= rows[i].deep[1], "%zu: %g", i, deep);
            cr_assert(median < p99 && p99 <= most, "%zu: %g %g %g", i, median, p99, most);
        } else {
            cr_assert(isnan(median) && isnan(p99) && isnan(most) && isnan(deep));
        }
        v.algorithm->dispose(prepared);
    }
}

typedef struct drawn {
    const alg_pst_tree *tree;
    size_t spheres;
    uint8_t held[4096];
} drawn;

static void hold_points(void *context, const geo_ball *ball)
{
    drawn *const d = context;
    d->spheres++;
    for (uint32_t i = 0; i < d->tree->points.count; i++) {
        const double apart = vec3_distance(d->tree->points.points[i], ball->centre);
        d->held[i] |= apart <= ball->radius * (1 + 1e-6) + 1e-12;
    }
}

/** The drawn spheres contain all points. Fields draw no spheres, and callers without the function
 * get none. */
Test(pst, draws_the_lowest_spheres)
{
    static drawn d;
    SCOPED_MESH ball = shape_ball((vec3){3, 0, 0}, 1, 3);
    SCOPED_PAIR p = open_pair("shell-voxels=12,voxels=6", &ball, &ball, ALL);
    const alg_algorithm *const g = p.variant.algorithm;
    const alg_pst_tree *const tree = &((const alg_pst_body *)p.moving)->tree;
    alg_sink sink = {.size = sizeof sink, .context = &d, .sphere = hold_points};
    d.tree = tree;
    cr_assert_leq(tree->points.count, 4096);
    g->draw(p.fixed, &sink);
    cr_assert_eq(d.spheres, 0);
    g->draw(p.moving, &sink);
    cr_assert(d.spheres > tree->points.count / 8 && d.spheres <= tree->points.count);
    for (uint32_t i = 0; i < tree->points.count; i++) {
        cr_assert(d.held[i], "point %u", i);
    }
    d.spheres = 0;
    sink.size = offsetof(alg_sink, sphere);
    g->draw(p.moving, &sink);
    sink = (alg_sink){.size = sizeof sink, .context = &d};
    g->draw(p.moving, &sink);
    cr_assert_eq(d.spheres, 0);
}
