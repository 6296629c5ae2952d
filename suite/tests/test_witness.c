/** Tests the errors of witness points and contacts in cases that are computed by hand, and the
 * judgement of these errors. */
#include "groundtruth/tests/shapes.h"
#include "suite/results/judge.h"

#include <float.h>
#include <math.h>

/** Two cubes of edge 2. A is around the origin of its frame, B around (centre, 0, 0) of its own. */
typedef struct cubes {
    shape a, b;
} cubes;

static cubes cubes_make(double centre)
{
    const vec3 lo = {centre - 1, -1, -1}, hi = {centre + 1, 1, 1};
    return (cubes){.a = shape_box((vec3){-1, -1, -1}, (vec3){1, 1, 1}), .b = shape_box(lo, hi)};
}

static void cubes_release(cubes *c)
{
    shape_release(&c->a);
    shape_release(&c->b);
}

#define SCOPED_CUBES RELEASED_BY(cubes_release) cubes

static alg_answer answer_of(double distance_m, vec3 on_a, vec3 on_b)
{
    return (alg_answer){.size = sizeof(alg_answer),
                        .answered = ALG_HAS_DISTANCE | ALG_HAS_WITNESS,
                        .outcome = ALG_CONVERGED,
                        .distance_m = distance_m,
                        .witness_a = on_a,
                        .witness_b = on_b};
}

static bench_witness measure(const cubes *c, const geo_pose *pose, alg_answer answer)
{
    return bench_witness_measure(c->a.body, c->b.body, pose, &answer);
}

/** B is 1 m away along x. The errors of each pair of points are known. */
Test(witness, cubes_along_an_axis)
{
    const geo_pose pose = {geo_pose_identity().rotation, {3, 0, 0}};
    const struct {
        vec3 on_a, on_b;
        double length_m, off_m;
    } cases[] = {
        {{1, 0, 0}, {2, 0, 0}, 0, 0},             /* correct */
        {{1, 0.5, 1}, {2, 0.5, 1}, 0, 0},         /* another pair of nearest points */
        {{1.25, 0, 0}, {2, 0, 0}, 0.25, 0.25},    /* A's point is outside of A */
        {{1, 0, 0}, {2.125, 0, 0}, 0.125, 0.125}, /* B's point is inside of B */
        {{1, 7, 0}, {2, 7, 0}, 0, 6},             /* both are beside the bodies */
        {{1, 0, 0}, {4, 0, 0}, 2, 0},             /* B's point is on its far side */
        {{2, 0, 0}, {1, 0, 0}, 0, 1},             /* each is on the other body */
        {{0, 0, 0}, {3, 0, 0}, 2, 1},             /* the centres */
    };
    SCOPED_CUBES c = cubes_make(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bench_witness w = measure(&c, &pose, answer_of(1, cases[i].on_a, cases[i].on_b));
        cr_assert_eq(w.length_m, cases[i].length_m, "case %zu: %g", i, w.length_m);
        cr_assert_eq(w.off_m, cases[i].off_m, "case %zu: %g", i, w.off_m);
        cr_assert(w.slack_m > 0 && w.slack_m < 1e-12, "case %zu: %g", i, w.slack_m);
    }
}

/**
 * B's point is compared with B as the pose moves it. B is rotated. In the second case it is also
 * 1e6 m away from the origin of its own frame.
 */
Test(witness, the_pose_moves_b)
{
    const double far[] = {0, 1e6};
    for (size_t i = 0; i < 2; i++) {
        SCOPED_CUBES c = cubes_make(far[i]);
        /* A quarter turn about z moves B's centre to (0, far), and the translation moves it to y
         * = 3. */
        const geo_pose pose = {{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}, {0, 3 - far[i], 0}};
        const bench_witness good =
            measure(&c, &pose, answer_of(1, (vec3){0, 1, 0}, (vec3){0, 2, 0}));
        cr_assert_eq(good.length_m, 0);
        cr_assert_leq(good.off_m, good.slack_m);
        const bench_witness bad =
            measure(&c, &pose, answer_of(1, (vec3){0, 1, 0}, (vec3){0, 2, 1.5}));
        cr_assert_float_eq(bad.off_m, 0.5, good.slack_m + DBL_EPSILON);
        /* The slack covers the rounding of coordinates of 1e6 m, but it is below 1e-6 m. */
        cr_assert_lt(good.slack_m, 1e-6);
    }
}

/**
 * Moves each corner p of B to R p + t. The moved corner is on the moved surface up to rounding. R p
 * is about 1e6 m long before t is added, so its rounding error is large, and the slack covers it.
 */
Test(witness, the_slack_knows_how_far_b_is_from_its_origin)
{
    SCOPED_CUBES c = cubes_make(1e6);
    const geo_pose pose = {{{{0.6, -0.8, 0}, {0.8, 0.6, 0}, {0, 0, 1}}}, {-0.6e6, 4 - 0.8e6, 0}};
    double largest = 0;
    for (size_t i = 0; i < c.b.mesh.vertex_count; i++) {
        const vec3 corner = geo_pose_apply(&pose, c.b.mesh.vertices[i]);
        const bench_witness w = measure(&c, &pose, answer_of(1, (vec3){0, 1, 0}, corner));
        cr_assert_leq(w.off_m, w.slack_m, "corner %zu", i);
        largest = fmax(largest, w.off_m);
    }
    cr_assert_gt(largest, 64 * DBL_EPSILON * 10,
                 "it is more than coordinates in A's frame explain");
}

Test(witness, nothing_is_said_without_points_or_a_distance)
{
    const geo_pose pose = {geo_pose_identity().rotation, {3, 0, 0}};
    SCOPED_CUBES c = cubes_make(0);
    alg_answer answers[] = {answer_of(0, (vec3){0, 0, 0}, (vec3){9, 9, 9}),
                            answer_of(1, (vec3){0, 0, 0}, (vec3){9, 9, 9}),
                            answer_of(1, (vec3){0, 0, 0}, (vec3){9, 9, 9})};
    answers[1].answered &= ~(uint32_t)ALG_HAS_WITNESS;
    answers[2].answered &= ~(uint32_t)ALG_HAS_DISTANCE;
    for (size_t i = 0; i < 3; i++) {
        const bench_witness w = measure(&c, &pose, answers[i]);
        cr_assert(isnan(w.length_m) && isnan(w.off_m), "case %zu", i);
    }
}

/** B reaches 0.5 m into A, along x. */
Test(witness, contacts_of_cubes)
{
    const geo_pose pose = {geo_pose_identity().rotation, {1.5, 0, 0}};
    const alg_contact good = {.point = {0.75, 0, 0}, .normal = {1, 0, 0}};
    const alg_contact back = {.point = {1, 0.5, 0}, .normal = {-1, 0, 0}};
    const alg_contact far = {.point = {0.75, 0, 7}, .normal = {1, 0, 0}};
    const alg_contact bare = {.point = {0.625, 0, 0}};
    const alg_contact nan = {.point = {NAN, 0, 0}, .normal = {1, 0, 0}};
    const struct {
        alg_contact contacts[2];
        size_t count;
        double off_m, normal_deg;
    } cases[] = {
        {{good}, 1, 0.25, 0},       /* in the middle of the overlap */
        {{back}, 1, 0.5, 180},      /* on A; the normal points into A */
        {{good, back}, 2, 0.5, 90}, /* the largest distance, the mean angle */
        {{far}, 1, 6, 90},          /* above A, whose nearest face is the upper one */
        {{bare}, 1, 0.375, NAN},    /* has no normal */
        {{bare, good}, 2, 0.375, 0}, {{nan, good}, 2, 0.25, 0},
        {{nan}, 1, NAN, NAN},        {{good}, 0, NAN, NAN},
    };
    SCOPED_CUBES c = cubes_make(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bench_contacts x =
            bench_contacts_measure(c.a.body, c.b.body, &pose, cases[i].contacts, cases[i].count);
        const double off_m = cases[i].off_m, deg = cases[i].normal_deg;
        cr_assert(isnan(off_m) ? isnan(x.off_m) : x.off_m == off_m, "case %zu: %g", i, x.off_m);
        cr_assert(isnan(deg) ? isnan(x.normal_deg) : fabs(x.normal_deg - deg) < 1e-12,
                  "case %zu: %g", i, x.normal_deg);
    }
}

/** A contact's point is in A's frame, so it is compared with B's surface as moved by the pose. */
Test(witness, contacts_are_held_against_b_as_it_is_moved)
{
    const geo_pose pose = {{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}, {3, 0, 0}};
    SCOPED_SHAPE a = shape_box((vec3){-1, -1, -1}, (vec3){1, 1, 1});
    SCOPED_SHAPE b =
        shape_box((vec3){-1, -2, -1}, (vec3){1, 2, 1}); /* from x = 1 to 5 when moved */
    const alg_contact contact = {.point = {1, 0.5, 0}, .normal = {1, 0, 0}};
    const alg_contact on_top = {.point = {0.25, 1, 0}, .normal = {0, 1, 0}}; /* on A only */
    const bench_contacts x = bench_contacts_measure(a.body, b.body, &pose, &contact, 1);
    const bench_contacts y = bench_contacts_measure(a.body, b.body, &pose, &on_top, 1);
    cr_assert_eq(x.off_m, 0, "%g", x.off_m);
    cr_assert_eq(y.off_m, 0.75, "%g", y.off_m);
    cr_assert_lt(y.normal_deg, 1e-12, "%g", y.normal_deg);
}

/* --- Judge ------------------------------------------------------------------------------------ */

static alg_contract contract_of_setting(const alg_settings *settings, alg_quantity quantity)
{
    return quantity == ALG_DISTANCE ? (alg_contract)settings->values[0] : ALG_NOT_ANSWERED;
}

static bench_judgement judge(alg_contract contract, uint32_t tolerance_ulp, bench_witness witness)
{
    const alg_algorithm fake = {
        .name = "fake", .contract = contract_of_setting, .tolerance_ulp = tolerance_ulp};
    const alg_variant variant = {.algorithm = &fake, .settings.values = {(double)contract}};
    const bench_scale scale = {.diagonal_a_m = 2, .smaller_volume_m3 = 1};
    const gt_truth truth = {.distance_m = {1, 1}, .distance_certified = 1};
    const alg_answer answer = answer_of(1, (vec3){0, 0, 0}, (vec3){0, 0, 0});
    return bench_judge(&(bench_case){&variant, &scale, &truth, &answer, NULL, &witness, NULL, 1});
}

Test(witness, only_an_exact_distance_promises_them)
{
    const bench_witness far = {.length_m = 0.5, .off_m = 0.25, .slack_m = 1e-15};
    for (int contract = ALG_EXACT; contract <= ALG_APPROXIMATE; contract++) {
        const bench_judgement j = judge((alg_contract)contract, 0, far);
        cr_assert_eq(j.broken, contract == ALG_EXACT ? 1u << BENCH_PROMISE_WITNESS : 0,
                     "contract %d", contract);
        cr_assert_eq(j.violation, contract == ALG_EXACT);
        cr_assert_eq(j.errors[BENCH_WITNESS_LENGTH_SIZE], 0.25);
        cr_assert_eq(j.errors[BENCH_WITNESS_OFF_SIZE], 0.125);
    }
    char name[BENCH_PROMISE_NAME_BYTES];
    bench_promise_name(BENCH_PROMISE_WITNESS, name);
    cr_assert_str_eq(name, "witness points");
}

/**
 * The limit of length_m and of off_m is the slack plus the rounding that the variant declares. The
 * promise is broken only if one of them is above the limit.
 */
Test(witness, rounding_is_allowed)
{
    const double slack = 0x1p-40, declared = 100 * DBL_EPSILON;
    for (int declares = 0; declares < 2; declares++) {
        const uint32_t ulp = declares ? 100 : 0;
        const double limit = slack + (declares ? declared : 0);
        const double above = nextafter(limit, 1);
        cr_assert_not(judge(ALG_EXACT, ulp, (bench_witness){limit, limit, slack}).violation);
        cr_assert(judge(ALG_EXACT, ulp, (bench_witness){above, 0, slack}).violation);
        cr_assert(judge(ALG_EXACT, ulp, (bench_witness){0, above, slack}).violation);
    }
    const bench_judgement none = judge(ALG_EXACT, 0, (bench_witness){NAN, NAN, NAN});
    cr_assert_not(none.violation);
    cr_assert(isnan(none.errors[BENCH_WITNESS_OFF_SIZE]));
}

/** Errors of contacts are in diagonals of A's box and in degrees. They break no promise. */
Test(witness, contacts_break_no_promise)
{
    const alg_algorithm fake = {.name = "fake", .contract = contract_of_setting};
    const alg_variant variant = {.algorithm = &fake, .settings.values = {ALG_EXACT}};
    const bench_scale scale = {.diagonal_a_m = 2, .smaller_volume_m3 = 1};
    const gt_truth truth = {.distance_m = {1, 1}, .distance_certified = 1};
    const alg_answer answer = answer_of(1, (vec3){0, 0, 0}, (vec3){0, 0, 0});
    const bench_contacts contacts = {.off_m = 7, .normal_deg = 120};
    const bench_judgement j = bench_judge(&(bench_case){.variant = &variant,
                                                        .scale = &scale,
                                                        .truth = &truth,
                                                        .answer = &answer,
                                                        .contacts = &contacts});
    cr_assert_eq(j.errors[BENCH_CONTACT_OFF_SIZE], 3.5);
    cr_assert_eq(j.errors[BENCH_CONTACT_NORMAL_DEG], 120);
    cr_assert_not(j.violation);
}
