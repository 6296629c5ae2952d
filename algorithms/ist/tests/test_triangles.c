#include "algorithms/ist/query.h"
#include "algorithms/ist/tests/solids.h"
#include "algorithms/tests/pair.h"
#include "base/tests/support.h"
#include "geometry/pose.h"
#include "geometry/triangle.h"

#include <stdlib.h>
#include <string.h>

/* --- ist-triangles ---------------------------------------------------------------------------- */

enum { BOTH = ALG_WANT_DISTANCE | ALG_WANT_CONTACT };

static const char *const near_variants[] = {
    "ist-triangles:voxels=16", "ist-triangles:band=2,rounds=0,voxels=16",
    "ist-triangles:band=1,packing=cover,voxels=8", "ist-triangles:rounds=0,start=last,voxels=16"};
enum { NEAR_VARIANTS = sizeof near_variants / sizeof *near_variants };

/**
 * Checks that the answer is between the truth and the distance of the spheres. Releases the meshes.
 */
static void check_bounds(const char *what, geo_mesh a, geo_mesh b, double reach, int poses)
{
    const int step = (int)sweep_step(5);
    SCOPED_PAIR truth = pair_open("brute", &a, &b, BOTH);
    for (int v = 0; v < NEAR_VARIANTS; v++) {
        const char *const packing = v == 2 ? "ist:packing=cover,voxels=8" : "ist:voxels=16";
        SCOPED_PAIR p = pair_open(near_variants[v], &a, &b, BOTH);
        SCOPED_PAIR spheres = pair_open(packing, &a, &b, ALG_WANT_DISTANCE);
        base_random random = base_random_seed(11);
        size_t better = 0, apart = 0;
        double error = 0, error_of_spheres = 0;
        for (int i = 0; i < poses; i += step) {
            const geo_pose pose = shape_pose(&random, reach);
            const alg_answer x = pair_ask(&truth, &pose), y = pair_ask(&p, &pose);
            const double s = pair_ask(&spheres, &pose).distance_m;
            cr_assert(y.distance_m >= x.distance_m && y.distance_m <= s,
                      "%s, %s, pose %d: %.17g is not from %.17g to %.17g", what, near_variants[v],
                      i, y.distance_m, x.distance_m, s);
            cr_assert(y.distance_lo_m <= x.distance_m && y.distance_hi_m == y.distance_m,
                      "%s, %s, pose %d: %g for %g", what, near_variants[v], i, y.distance_lo_m,
                      x.distance_m);
            cr_assert(!y.colliding || x.distance_m == 0);
            if (y.distance_m > 0) {
                cr_assert_float_eq(vec3_distance(y.witness_a, y.witness_b), y.distance_m, 1e-13);
            }
            better += y.distance_m < s;
            apart += x.distance_m > 0;
            error += y.distance_m - x.distance_m;
            error_of_spheres += s - x.distance_m;
        }
        cr_assert((int)apart > 8 / step && 10 * better > 8 * apart, "%s, %s: %zu of %zu are nearer",
                  what, near_variants[v], better, apart);
        cr_assert_lt(error, 0.7 * error_of_spheres, "%s, %s: %g after %g", what, near_variants[v],
                     error, error_of_spheres);
    }
    geo_mesh_release(&a);
    geo_mesh_release(&b);
}

Test(ist_triangles, balls)
{
    check_bounds("balls", shape_ball((vec3){0, 0, 0}, 1, 4), shape_ball((vec3){0.3, 0, 0}, 0.7, 4),
                 1.9, 100);
}

Test(ist_triangles, cubes)
{
    check_bounds("cubes", shape_cube((vec3){0, 0, 0}, 1),
                 shape_box((vec3){-0.5, -1, -0.7}, (vec3){0.5, 1, 0.7}), 2.4, 300);
}

Test(ist_triangles, cavity_and_parts)
{
    check_bounds("cavity", solid_with_cavity(), shape_cube((vec3){0, 0, 0}, 0.25), 1.6, 100);
}

/**
 * Tests the definition at the begin of the section ist-triangles of triangles.c, by all pairs of
 * spheres.
 */
Test(ist_triangles, candidates_are_those_of_the_band)
{
    SCOPED_MESH a = solid_with_cavity(), b = shape_ball((vec3){0, 0, 0}, 0.6, 3);
    SCOPED_PAIR none = pair_open("ist-triangles:rounds=0,voxels=16", &a, &b, BOTH);
    size_t improved = 0;
    double last_sum = INFINITY;
    for (int band = 1; band <= 4; band *= 2) {
        char cold[64], warm[64];
        snprintf(cold, sizeof cold, "ist-triangles:band=%d,rounds=0,voxels=16", band);
        snprintf(warm, sizeof warm, "ist-triangles:band=%d,rounds=0,start=last,voxels=16", band);
        SCOPED_PAIR p = pair_open(cold, &a, &b, BOTH), q = pair_open(warm, &a, &b, BOTH);
        base_random random = base_random_seed(3);
        double sum = 0;
        for (int i = 0; i < 60; i++) {
            const geo_pose pose = shape_pose(&random, 2);
            const alg_answer x = pair_ask(&p, &pose), y = pair_ask(&q, &pose);
            const bool same_witnesses =
                vec3_equal(x.witness_a, y.witness_a) && vec3_equal(x.witness_b, y.witness_b);
            cr_assert(x.distance_m == y.distance_m && (same_witnesses || x.distance_m == 0),
                      "band %d, pose %d: the start matters", band, i);
            improved += x.distance_m < pair_ask(&none, &pose).distance_m;
            sum += x.distance_m;
        }
        cr_assert_leq(sum, last_sum, "band %d", band);
        last_sum = sum;
    }
    cr_assert_gt(improved, 10, "%zu", improved);
}

Test(ist_triangles, contracts)
{
    const char *const names[] = {"ist-triangles", "ist-exact"};
    for (int i = 0; i < 2; i++) {
        alg_variant v;
        alg_message message;
        cr_assert_eq(alg_variant_parse(names[i], 1, &v, &message), ALG_OK);
        const alg_algorithm *const g = v.algorithm;
        cr_assert(g->flags & ALG_NEEDS_SOLIDS && g->flags & ALG_KEEPS_STATE);
        cr_assert_eq(g->contract(&v.settings, ALG_DISTANCE), i ? ALG_EXACT : ALG_UPPER_BOUND);
        cr_assert_eq(g->contract(&v.settings, ALG_CONTACT), i ? ALG_EXACT : ALG_LOWER_BOUND);
        cr_assert_eq(g->contract(&v.settings, ALG_VOLUME), ALG_NOT_ANSWERED);
    }
}

/** Checks the reference pairs: nearly all poses are accurate to a thousandth. */
static void check_reference(const char *set, const char *file_a, const char *file_b)
{
    reference r;
    if (!reference_open(set, file_a, file_b, &r)) {
        cr_skip_test("skipped: ../shared is not there");
    }
    SCOPED_PAIR p =
        pair_open("ist-triangles:min-radius=0.5,voxels=64", &r.a, &r.b, ALG_WANT_DISTANCE);
    size_t near = 0;
    for (size_t i = 0; i < r.count; i++) {
        const alg_answer x = pair_ask(&p, &r.poses[i]);
        const double d = r.distances[i], slack = 1e-12 * d + 64 * 0x1p-52;
        cr_assert(x.distance_m >= d - slack && x.distance_lo_m <= d + slack,
                  "%s, frame %zu: %.17g for %.17g", set, i, x.distance_m, d);
        near += x.distance_m <= 1.001 * d;
    }
    cr_assert(10 * near >= 7 * r.count, "%s: %zu of %zu are near", set, near, r.count);
    reference_close(&r);
}

Test(ist_triangles, spot_and_rocker_arm)
{
    check_reference("spot-rocker", "../shared/models/c3d-spot.off",
                    "../shared/models/c3d-rocker-arm.off");
}

Test(ist_triangles, two_bunnies)
{
    check_reference("bunny-bunny", "../shared/models/oded-bunny_hr.off",
                    "../shared/models/oded-bunny_hr.off");
}

Test(ist_triangles, a_round_is_a_round)
{
    /* From zero rounds to one: one round of approach finds a nearer pair in some poses. */
    SCOPED_MESH a = shape_ball((vec3){0, 0, 0}, 1, 6), b = shape_ball((vec3){0.3, 0, 0}, 0.7, 6);
    SCOPED_PAIR none = pair_open("ist-triangles:rounds=0,voxels=8", &a, &b, ALG_WANT_DISTANCE);
    SCOPED_PAIR one = pair_open("ist-triangles:rounds=1,voxels=8", &a, &b, ALG_WANT_DISTANCE);
    base_random random = base_random_seed(3);
    size_t nearer = 0;
    for (int i = 0; i < 100; i++) {
        const geo_pose pose = shape_pose(&random, 2.5);
        const double x = pair_ask(&none, &pose).distance_m, y = pair_ask(&one, &pose).distance_m;
        cr_assert_leq(y, x, "pose %d", i);
        nearer += y < x;
    }
    cr_assert_gt(nearer, 10, "%zu of 100", nearer);
}

/* --- ist-exact -------------------------------------------------------------------------------- */

static const char *const exact_variants[] = {
    "ist-exact:voxels=24", "ist-exact:packing=cover,voxels=12", "ist-exact:start=last,voxels=16"};
enum { EXACT_VARIANTS = sizeof exact_variants / sizeof *exact_variants };

enum { POSES_MAX = 400 };

/** Compares `count` random poses within reach with brute force. Releases the meshes. */
static void compare(const char *what, geo_mesh a, geo_mesh b, double reach, int count)
{
    /* Brute force is slow, so it answers each pose once for all exact_variants. */
    pair brute = pair_open("brute", &a, &b, BOTH);
    geo_pose poses[POSES_MAX];
    double truth[POSES_MAX];
    base_random random = base_random_seed(11);
    const int step = (int)sweep_step(5);
    int overlapping = 0;
    for (int i = 0; i < count; i += step) {
        poses[i] = shape_pose(&random, reach);
        truth[i] = pair_ask(&brute, &poses[i]).distance_m;
        overlapping += truth[i] == 0;
    }
    pair_close(&brute);
    cr_assert(overlapping > 8 / step && count / step - overlapping > 8 / step,
              "%s: %d of %d overlap", what, overlapping, count);
    for (int v = 0; v < EXACT_VARIANTS; v++) {
        SCOPED_PAIR p = pair_open(exact_variants[v], &a, &b, BOTH);
        for (int i = 0; i < count; i += step) {
            const alg_answer y = pair_ask(&p, &poses[i]);
            cr_assert_eq(y.distance_m, truth[i], "%s, %s, pose %d: %.17g for %.17g", what,
                         exact_variants[v], i, y.distance_m, truth[i]);
            cr_assert_eq(y.colliding, truth[i] == 0, "%s, %s, pose %d", what, exact_variants[v], i);
            cr_assert_float_eq(vec3_distance(y.witness_a, y.witness_b), truth[i], 1e-13,
                               "%s, %s, pose %d", what, exact_variants[v], i);
        }
    }
    geo_mesh_release(&a);
    geo_mesh_release(&b);
}

Test(ist_exact, balls)
{
    compare("balls", shape_ball((vec3){0, 0, 0}, 1, 4), shape_ball((vec3){0.3, 0, 0}, 0.7, 4), 1.7,
            120);
}

Test(ist_exact, cubes)
{
    compare("cubes", shape_cube((vec3){0, 0, 0}, 1),
            shape_box((vec3){-0.5, -1, -0.7}, (vec3){0.5, 1, 0.7}), 2.2, 400);
}

Test(ist_exact, needle_and_cube)
{
    compare("needle", shape_box((vec3){-1, -0.07, -0.06}, (vec3){1, 0.07, 0.06}),
            shape_cube((vec3){0.4, 0, 0}, 0.5), 1.4, 200);
}

Test(ist_exact, cavity_and_parts)
{
    compare("cavity", solid_with_cavity(), shape_cube((vec3){0, 0, 0}, 0.1), 1.3, 200);
    compare("two with cavities", solid_with_cavity(), solid_with_cavity(), 2.2, 60);
}

/** Tests a body inside the cavity of the other one, which is apart from it. */
Test(ist_exact, in_the_cavity)
{
    SCOPED_MESH a =
        shape_join(shape_cube((vec3){0, 0, 0}, 1), shape_reverse(shape_cube((vec3){0, 0, 0}, 0.5)));
    SCOPED_MESH b = shape_cube((vec3){0, 0, 0}, 0.125);
    for (int v = 0; v < EXACT_VARIANTS; v++) {
        SCOPED_PAIR p = pair_open(exact_variants[v], &a, &b, BOTH),
                    q = pair_open(exact_variants[v], &b, &a, BOTH);
        const geo_pose in = shape_shift(0.25, 0, 0), wall = shape_shift(0.75, 0, 0);
        const geo_pose touching = shape_shift(0.375, 0, 0), out = shape_shift(2, 0, 0);
        cr_assert_eq(pair_ask(&p, &in).distance_m, 0.125);
        cr_assert_eq(pair_ask(&q, &in).distance_m, 0.125);
        cr_assert_eq(pair_ask(&p, &wall).distance_m, 0);
        cr_assert_eq(pair_ask(&q, &wall).distance_m, 0);
        cr_assert(pair_ask(&p, &touching).colliding);
        cr_assert_eq(pair_ask(&p, &out).distance_m, 0.875);
    }
}

Test(ist_exact, touching_identical_and_nested)
{
    SCOPED_MESH a = shape_cube((vec3){0, 0, 0}, 1), b = shape_cube((vec3){0, 0, 0}, 0.25);
    SCOPED_PAIR p = pair_open("ist-exact:voxels=16", &a, &a, BOTH);
    SCOPED_PAIR q = pair_open("ist-exact:voxels=16", &a, &b, BOTH);
    const geo_pose poses[] = {geo_pose_identity(), shape_shift(2, 0, 0), shape_shift(2, 2, 0),
                              shape_shift(2, 2, 2), shape_shift(0, 0.5, 0)};
    for (size_t i = 0; i < sizeof poses / sizeof *poses; i++) {
        const alg_answer x = pair_ask(&p, &poses[i]);
        cr_assert(x.distance_m == 0 && x.colliding, "pose %zu: %g", i, x.distance_m);
    }
    cr_assert_eq(pair_ask(&p, &(geo_pose){poses[0].rotation, {2.5, 0.3, 0}}).distance_m, 0.5);
    const alg_answer inside = pair_ask(&q, &(geo_pose){poses[0].rotation, {0.7, 0.7, 0.7}});
    cr_assert(inside.distance_m == 0 && inside.colliding);
}

/**
 * Tests that scaling by powers of two changes no digit, and that far bodies keep the digits that
 * doubles allow.
 */
Test(ist_exact, scale_and_place)
{
    SCOPED_MESH a = solid_with_cavity(), b = shape_ball((vec3){0, 0, 0}, 0.5, 3);
    SCOPED_MESH small_a = shape_move(solid_with_cavity(), geo_pose_identity(), 0x1p-20);
    SCOPED_MESH small_b =
        shape_move(shape_ball((vec3){0, 0, 0}, 0.5, 3), geo_pose_identity(), 0x1p-20);
    SCOPED_PAIR p = pair_open(exact_variants[0], &a, &b, BOTH);
    SCOPED_PAIR q = pair_open(exact_variants[0], &small_a, &small_b, BOTH);
    SCOPED_PAIR truth = pair_open("brute", &a, &b, BOTH);
    base_random random = base_random_seed(5);
    for (size_t i = 0; i < 100; i += sweep_step(5)) {
        geo_pose pose = shape_pose(&random, 2);
        const double d = pair_ask(&p, &pose).distance_m;
        geo_pose far = pose, small = pose;
        small.translation = vec3_scale(0x1p-20, pose.translation);
        cr_assert_eq(pair_ask(&q, &small).distance_m, 0x1p-20 * d, "pose %zu", i);
        far.translation = vec3_scale(1e6, geo_random_direction(&random));
        cr_assert_eq(pair_ask(&p, &far).distance_m, pair_ask(&truth, &far).distance_m, "pose %zu",
                     i);
    }
}

static void check_exact_reference(const char *set, const char *file_a, const char *file_b)
{
    reference r;
    if (!reference_open(set, file_a, file_b, &r)) {
        cr_skip_test("skipped: ../shared is not there");
    }
    SCOPED_PAIR p = pair_open("ist-exact:min-radius=0.5,voxels=64", &r.a, &r.b, ALG_WANT_DISTANCE);
    for (size_t i = 0; i < r.count; i++) {
        const double d = pair_ask(&p, &r.poses[i]).distance_m;
        cr_assert_float_eq(d, r.distances[i], 1e-12 * r.distances[i] + 64 * 0x1p-52,
                           "%s, frame %zu: %.17g for %.17g", set, i, d, r.distances[i]);
    }
    reference_close(&r);
}

Test(ist_exact, spot_and_rocker_arm)
{
    check_exact_reference("spot-rocker", "../shared/models/c3d-spot.off",
                          "../shared/models/c3d-rocker-arm.off");
}

Test(ist_exact, two_bunnies)
{
    check_exact_reference("bunny-bunny", "../shared/models/oded-bunny_hr.off",
                          "../shared/models/oded-bunny_hr.off");
}

/**
 * Tests a body so near to a corner that no sphere of the larger cube reaches it: their surfaces are
 * apart.
 */
Test(ist_exact, in_a_corner)
{
    SCOPED_MESH a = shape_cube((vec3){0, 0, 0}, 32), b = shape_cube((vec3){0, 0, 0}, 0.5);
    SCOPED_PAIR p = pair_open("ist-exact:voxels=8", &a, &b, BOTH);
    SCOPED_PAIR q = pair_open("ist-exact:voxels=8", &b, &a, BOTH);
    SCOPED_PAIR spheres = pair_open("ist:voxels=8", &a, &b, ALG_WANT_DISTANCE);
    const geo_pose in = shape_shift(30.25, 30.25, 30.25),
                   around = shape_shift(-30.25, -30.25, -30.25);
    cr_assert_gt(pair_ask(&spheres, &in).distance_m, 0);
    const alg_answer x = pair_ask(&p, &in), y = pair_ask(&q, &around);
    cr_assert(x.distance_m == 0 && x.colliding, "%g", x.distance_m);
    cr_assert(y.distance_m == 0 && y.colliding, "%g", y.distance_m);
}

/* --- Pairs of triangles that intersect -------------------------------------------------------- */

enum { ROOM = 4000 };

/** An answer with its list; the entry behind the list is a guard. */
typedef struct listing {
    alg_face_pair pairs[ROOM + 1];
    alg_answer answer;
} listing;

/** Binds the bodies again, for lists of `room` pairs. */
static void bind(pair *p, unsigned wanted, uint32_t room)
{
    const alg_algorithm *const g = p->variant.algorithm;
    const alg_request request = {.size = sizeof request, .wanted = wanted, .pairs_max = room};
    alg_message message = {""};
    g->release(p->state);
    cr_assert_eq(g->bind(&p->variant.settings, p->fixed, p->moving, &request, &p->state, &message),
                 ALG_OK, "%s", message.text);
}

static void ask(const pair *p, const geo_pose *pose, uint32_t room, listing *l)
{
    const alg_face_pair untouched = {.face_a = UINT32_MAX};
    for (size_t i = 0; i <= ROOM; i++) {
        l->pairs[i] = untouched;
    }
    l->answer = (alg_answer){.size = sizeof l->answer, .pairs = l->pairs, .pair_capacity = room};
    p->variant.algorithm->query(p->state, pose, &l->answer);
    cr_assert_eq((l->answer.answered & ALG_HAS_PAIRS) != 0, room > 0);
    for (size_t i = l->answer.pair_count < room ? l->answer.pair_count : room; i <= ROOM; i++) {
        cr_assert_eq(l->pairs[i].face_a, UINT32_MAX, "entry %zu", i);
    }
}

static pair open_pair(const char *name, const geo_mesh *a, const geo_mesh *b)
{
    pair p = pair_open(name, a, b, ALG_WANT_CONTACT);
    bind(&p, ALG_WANT_CONTACT, ROOM);
    return p;
}

/** Returns the number of intersecting pairs among all pairs. */
static uint32_t count_all(const geo_mesh *a, const geo_mesh *b, const geo_pose *pose)
{
    uint32_t count = 0;
    for (uint32_t j = 0; j < b->face_count; j++) {
        const geo_triangle t = geo_pose_apply_triangle(pose, geo_mesh_triangle(b, j));
        for (uint32_t i = 0; i < a->face_count; i++) {
            count += geo_triangle_intersect(geo_mesh_triangle(a, i), t);
        }
    }
    return count;
}

/** Checks that every pair of the list intersects, has correct end points, and occurs once. */
static void check_list(const listing *l, const geo_mesh *a, const geo_mesh *b, const geo_pose *pose,
                       const char *what)
{
    cr_assert_leq(l->answer.pair_count, ROOM);
    for (uint32_t k = 0; k < l->answer.pair_count; k++) {
        const alg_face_pair *const f = &l->pairs[k];
        const geo_triangle t = geo_pose_apply_triangle(pose, geo_mesh_triangle(b, f->face_b));
        geo_common common;
        cr_assert(geo_triangle_common(geo_mesh_triangle(a, f->face_a), t, &common),
                  "%s: pair %u is apart", what, k);
        cr_assert(vec3_equal(f->from, common.from) && vec3_equal(f->to, common.to), "%s: pair %u",
                  what, k);
        for (uint32_t i = 0; i < k; i++) {
            cr_assert(f->face_a != l->pairs[i].face_a || f->face_b != l->pairs[i].face_b,
                      "%s: pairs %u and %u are the same", what, i, k);
        }
    }
}

Test(ist_pairs, a_bar_through_a_triangle_by_hand)
{
    static listing l, again;
    static const char *const names[] = {"ist:voxels=16", "ist-exact:voxels=16",
                                        "ist-triangles:packing=cover,voxels=16"};
    /* An upright bar, half of it in the cube, ends in one of the two triangles of the upper face,
     * which is crossed in the middle by all eight triangles of the bar's sides. */
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1);
    SCOPED_MESH bar = shape_box((vec3){-0.1, -0.1, -0.5}, (vec3){0.1, 0.1, 0.5});
    const geo_pose pose = shape_shift(0.6, -0.2, 1), away = shape_shift(0.6, -0.2, 1.6);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        SCOPED_PAIR p = open_pair(names[i], &cube, &bar);
        ask(&p, &pose, ROOM, &l);
        check_list(&l, &cube, &bar, &pose, names[i]);
        cr_assert(i == 0 ? l.answer.pair_count > 0 && l.answer.pair_count <= 8
                         : l.answer.pair_count == 8,
                  "%s: %u", names[i], l.answer.pair_count);
        for (uint32_t k = 0; k < l.answer.pair_count; k++) {
            const geo_triangle upper = geo_mesh_triangle(&cube, l.pairs[k].face_a);
            cr_assert(upper.p[0].z == 1 && upper.p[1].z == 1 && upper.p[2].z == 1 &&
                          l.pairs[k].face_a == l.pairs[0].face_a,
                      "%s: pair %u", names[i], k);
            cr_assert(l.pairs[k].from.z == 1 && l.pairs[k].to.z == 1, "%s: pair %u", names[i], k);
        }
        ask(&p, &pose, ROOM, &again);
        cr_assert_eq(memcmp(l.pairs, again.pairs, sizeof l.pairs), 0, "%s", names[i]);
        ask(&p, &away, ROOM, &again);
        cr_assert_eq(again.answer.pair_count, 0, "%s", names[i]);
    }
}

Test(ist_pairs, are_true_and_with_skins_all)
{
    static listing l, turned;
    static const struct {
        const char *name;
        bool all;
    } variants[] = {
        {"ist:voxels=20", false},
        {"ist:packing=refined,voxels=20", false},
        {"ist:branching=16,voxels=12", false},
        {"ist:radius=centroid,voxels=24", false},
        {"ist-exact:voxels=12", true},
        {"ist-triangles:branching=2,voxels=16", true},
    };
    SCOPED_MESH ball = shape_ball((vec3){0, 0, 0}, 1, 3);
    SCOPED_MESH odd =
        shape_join(shape_ball((vec3){0, 0, 0}, 0.7, 2), shape_cube((vec3){2, 0, 0}, 0.5));
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        const char *const name = variants[v].name;
        SCOPED_PAIR p = open_pair(name, &ball, &odd), q = open_pair(name, &odd, &ball);
        base_random random = base_random_seed(v);
        uint32_t listed = 0, all = 0;
        for (int k = 0; k < 20; k++) {
            const geo_pose pose = shape_pose(&random, 1.6), back = geo_pose_inverse(&pose);
            ask(&p, &pose, ROOM, &l);
            check_list(&l, &ball, &odd, &pose, name);
            const uint32_t there = count_all(&ball, &odd, &pose);
            cr_assert(variants[v].all ? l.answer.pair_count == there : l.answer.pair_count <= there,
                      "%s, pose %d: %u of %u", name, k, l.answer.pair_count, there);
            ask(&q, &back, ROOM, &turned);
            cr_assert_eq(turned.answer.pair_count, l.answer.pair_count, "%s, pose %d: %u, not %u",
                         name, k, turned.answer.pair_count, l.answer.pair_count);
            listed += l.answer.pair_count;
            all += there;
        }
        cr_assert(all > 100 && listed > all / 20, "%s: %u of %u", name, listed, all);
    }
}

Test(ist_pairs, buffers_change_no_other_answer)
{
    static listing l, few, none;
    static const char *const names[] = {"ist:voxels=20", "ist-exact:voxels=16"};
    SCOPED_MESH ball = shape_ball((vec3){0, 0, 0}, 1, 3);
    const geo_pose pose = shape_shift(1.1, 0.3, 0.2);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        SCOPED_PAIR p = open_pair(names[i], &ball, &ball);
        ask(&p, &pose, ROOM, &l);
        bind(&p, ALG_WANT_CONTACT, 3);
        ask(&p, &pose, 3, &few);
        cr_assert_gt(l.answer.pair_count, 3);
        cr_assert_eq(few.answer.pair_count, l.answer.pair_count, "%s", names[i]);
        cr_assert_eq(memcmp(l.pairs, few.pairs, 3 * sizeof *l.pairs), 0, "%s", names[i]);
        ask(&p, &pose, 0, &none);
        l.answer.answered &= ~(uint32_t)ALG_HAS_PAIRS;
        l.answer.pair_count = l.answer.pair_capacity = 0;
        l.answer.pairs = none.pairs;
        cr_assert_eq(memcmp(&l.answer, &none.answer, sizeof l.answer), 0, "%s", names[i]);
        /* Pairs are filled only if contact is wanted. */
        bind(&p, ALG_WANT_DISTANCE, 3);
        none.answer =
            (alg_answer){.size = sizeof none.answer, .pairs = none.pairs, .pair_capacity = 3};
        p.variant.algorithm->query(p.state, &pose, &none.answer);
        cr_assert_eq(none.answer.answered & ALG_HAS_PAIRS, 0, "%s", names[i]);
    }
}

/** Tests so many pairs that the table is full: the search ends. */
Test(ist_pairs, no_more_than_can_be_told_apart)
{
    static listing l;
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1);
    pair p = open_pair("ist-exact:voxels=8", &cube, &cube);
    const geo_pose pose = shape_shift(0.5, 0.4, 0.3);
    ask(&p, &pose, ROOM, &l);
    const uint32_t all = l.answer.pair_count;
    cr_assert_gt(all, 10);
    pair_close(&p);
    alg_variant variant;
    alg_message message;
    alg_build_info info;
    void *body = NULL;
    const alg_mesh view = shape_body(&cube, true);
    cr_assert_eq(alg_variant_parse("ist-exact:voxels=8", 1, &variant, &message), ALG_OK);
    cr_assert_eq(
        variant.algorithm->prepare(&variant.settings, &view, ALG_FIXED, &body, &info, &message),
        ALG_OK);
    base_arena arena = {0};
    base_error err = {0};
    const alg_ist_body *const b = body;
    alg_ist_pair spheres = {.wanted = ALG_WANT_DISTANCE};
    alg_ist_pairs pairs;
    const alg_request request = {
        .size = sizeof request, .wanted = ALG_WANT_CONTACT, .pairs_max = 1};
    cr_assert(alg_ist_pair_bind(&b->solid, &b->solid, &arena, &spheres, &err) == BASE_OK &&
              alg_ist_pairs_bind(b, b, &request, &arena, &pairs, &err) == BASE_OK);
    for (uint32_t most = 1; most <= all + 1; most++) {
        pairs.most = most;
        l.answer = (alg_answer){.size = sizeof l.answer, .pairs = l.pairs, .pair_capacity = ROOM};
        alg_ist_list_pairs(&pairs, spheres.stack, &pose, &l.answer);
        cr_assert_eq(l.answer.pair_count, most < all ? most : all, "%u of %u, not %u",
                     l.answer.pair_count, all, most);
        check_list(&l, &cube, &cube, &pose, "a small table");
    }
    base_arena_release(&arena);
    variant.algorithm->dispose(body);
}
