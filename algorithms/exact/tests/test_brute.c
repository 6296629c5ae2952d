#include "algorithms/tests/pair.h"
#include "geometry/surface.h"
#include "geometry/triangle.h"

#include <string.h>

static alg_answer ask_once(const geo_mesh *a, const geo_mesh *b, geo_pose pose)
{
    pair p = pair_open("brute", a, b, ALG_WANT_DISTANCE);
    const alg_answer answer = pair_ask(&p, &pose);
    cr_assert_eq(answer.answered, ALG_HAS_DISTANCE | ALG_HAS_WITNESS | ALG_HAS_CONTACT);
    cr_assert_eq(answer.outcome, ALG_CONVERGED);
    cr_assert_eq(answer.colliding, answer.distance_m == 0);
    cr_assert_float_eq(vec3_distance(answer.witness_a, answer.witness_b), answer.distance_m, 1e-12);
    pair_close(&p);
    return answer;
}

Test(brute, cubes_by_hand)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1);
    /* Distances between faces, edges and corners. */
    cr_assert_eq(ask_once(&cube, &cube, shape_shift(5, 0.3, -0.2)).distance_m, 3);
    cr_assert_eq(ask_once(&cube, &cube, shape_shift(5, 6, 0.1)).distance_m, 5);
    cr_assert_eq(ask_once(&cube, &cube, shape_shift(-3, -4, 4)).distance_m, 3);
    /* An edge of the turned cube faces a face of the other: an eighth of a turn about z. */
    const double h = sqrt(0.5);
    const geo_pose turned = geo_pose_make(
        (geo_quat){0, 0, sin(3.14159265358979323846 / 8), cos(3.14159265358979323846 / 8)},
        (vec3){4, 0, 0});
    const alg_answer x = ask_once(&cube, &cube, turned);
    cr_assert_float_eq(x.distance_m, 3 - 2 * h, 1e-14);
    cr_assert_float_eq(x.witness_a.x, 1, 1e-14);
    cr_assert_eq(x.counters[0], 144);
}

Test(brute, overlap_is_0)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1), ball = shape_ball((vec3){0, 0, 0}, 0.5, 3);
    /* Touching, crossing, identical, and one inside the other in both ways. */
    cr_assert_eq(ask_once(&cube, &cube, shape_shift(2, 0.5, 0.5)).distance_m, 0);
    cr_assert_eq(ask_once(&cube, &cube, shape_shift(2, 2, 2)).distance_m, 0);
    cr_assert_eq(ask_once(&cube, &cube, geo_pose_identity()).distance_m, 0);
    const alg_answer crossing = ask_once(&cube, &ball, shape_shift(1.2, 0.1, 0.2));
    cr_assert_eq(crossing.distance_m, 0);
    cr_assert_leq(fabs(crossing.witness_a.x), 1 + 1e-15);
    const alg_answer inside = ask_once(&cube, &ball, shape_shift(0.2, 0.1, 0.2));
    cr_assert_eq(inside.distance_m, 0);
    cr_assert_lt(fabs(inside.witness_a.x), 1);
    cr_assert_eq(ask_once(&ball, &cube, shape_shift(0.2, 0.1, 0.2)).distance_m, 0);
}

static double distance_to(const geo_mesh *mesh, vec3 p)
{
    double least = INFINITY;
    for (size_t f = 0; f < mesh->face_count; f++) {
        least = fmin(least, vec3_distance(p, geo_triangle_closest(geo_mesh_triangle(mesh, f), p)));
    }
    return least;
}

Test(brute, crossing_surfaces_have_a_common_point)
{
    /* Edges of the needle cross faces of the cube, and no edge of the cube crosses the needle's
     * faces. Then two edges cross, and two faces share a plane. */
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1);
    SCOPED_MESH needle = shape_box((vec3){-3, 0.125, 0.2}, (vec3){3, 0.25, 0.22});
    const geo_pose poses[] = {geo_pose_identity(), shape_shift(0.3, 0.2, 0.1),
                              shape_shift(0, 0.875, 0.1), shape_shift(0, -1.25, 0.4),
                              geo_pose_make((geo_quat){0.1, 0.3, -0.2, 0.9}, (vec3){0, 0, 0})};
    for (size_t i = 0; i < sizeof poses / sizeof *poses; i++) {
        const alg_answer x = ask_once(&cube, &needle, poses[i]);
        cr_assert_eq(x.distance_m, 0, "pose %zu", i);
        cr_assert_leq(distance_to(&cube, x.witness_a), 1e-14, "pose %zu", i);
        const geo_pose back = geo_pose_inverse(&poses[i]);
        const alg_answer y = ask_once(&needle, &cube, back);
        cr_assert_eq(y.distance_m, 0, "pose %zu", i);
        cr_assert_leq(distance_to(&needle, y.witness_a), 1e-14, "pose %zu", i);
        cr_assert_leq(distance_to(&needle, geo_pose_apply(&back, x.witness_a)), 1e-14);
        cr_assert_leq(distance_to(&cube, geo_pose_apply(&poses[i], y.witness_a)), 1e-14);
    }
}

Test(brute, every_part_counts)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1);
    SCOPED_MESH parts = shape_join(
        shape_cube((vec3){10, 0, 0}, 0.1),
        shape_join(shape_cube((vec3){20, 0, 0}, 0.1), shape_cube((vec3){30, 0, 0}, 0.1)));
    for (int part = 0; part < 3; part++) {
        const double x = -10 * (part + 1);
        cr_assert_eq(ask_once(&cube, &parts, shape_shift(x, 0.2, 0)).distance_m, 0, "%d", part);
        cr_assert_eq(ask_once(&parts, &cube, shape_shift(-x, 0.2, 0)).distance_m, 0, "%d", part);
    }
    cr_assert_float_eq(ask_once(&cube, &parts, shape_shift(-15, 0, 0)).distance_m, 3.9, 1e-14);
}

Test(brute, a_cavity_is_outside)
{
    SCOPED_MESH shell =
        shape_join(shape_cube((vec3){0, 0, 0}, 2), shape_reverse(shape_cube((vec3){0, 0, 0}, 1)));
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 0.25);
    cr_assert_eq(ask_once(&shell, &cube, geo_pose_identity()).distance_m, 0.75);
    cr_assert_eq(ask_once(&shell, &cube, shape_shift(0, 1.5, 0)).distance_m, 0);
}

Test(brute, surfaces_have_no_inside)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1), small = shape_cube((vec3){0, 0, 0}, 0.25);
    SCOPED_PAIR p = pair_open("brute", &cube, &small, ALG_WANT_DISTANCE);
    const alg_algorithm *const g = p.variant.algorithm;
    g->dispose(p.fixed);
    const alg_mesh surface = shape_body(&cube, false);
    alg_message message;
    g->release(p.state);
    cr_assert_eq(
        g->prepare(&p.variant.settings, &surface, ALG_FIXED, &p.fixed, &p.info_a, &message),
        ALG_OK);
    cr_assert_eq(g->bind(&p.variant.settings, p.fixed, p.moving, PAIR_REQUEST(ALG_WANT_DISTANCE),
                         &p.state, &message),
                 ALG_OK);
    const geo_pose pose = geo_pose_identity();
    cr_assert_eq(pair_ask(&p, &pose).distance_m, 0.75);
}

Test(brute, agrees_with_extended_precision)
{
    SCOPED_MESH a = shape_ball((vec3){0, 0, 0}, 1, 3), b = shape_cube((vec3){0.2, 0, 0}, 0.8);
    pair p = pair_open("brute", &a, &b, ALG_WANT_DISTANCE), q = pair_open("brute", &b, &a, 1);
    size_t apart = 0, overlapping = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        base_random random = base_random_seed(seed);
        const geo_pose pose = shape_pose(&random, 2), back = geo_pose_inverse(&pose);
        const alg_answer x = pair_ask(&p, &pose), y = pair_ask(&q, &back);
        cr_assert_float_eq(x.distance_m, y.distance_m, 1e-14, "seed %lu", seed);
        overlapping += x.distance_m == 0;
        if (x.distance_m > 0) {
            long double least = INFINITY;
            for (size_t i = 0; i < a.face_count; i++) {
                for (size_t j = 0; j < b.face_count; j++) {
                    const geo_triangle moved =
                        geo_pose_apply_triangle(&pose, geo_mesh_triangle(&b, j));
                    const long double d2 =
                        geo_triangle_distance2_extended(geo_mesh_triangle(&a, i), moved);
                    least = d2 < least ? d2 : least;
                }
            }
            const double expected = (double)sqrtl(least);
            cr_assert_float_eq(x.distance_m, expected, 1e-13 * expected, "seed %lu: %g, %g", seed,
                               x.distance_m, expected);
            apart++;
        }
    }
    cr_assert(apart > 15 && overlapping > 15, "%zu apart, %zu overlapping", apart, overlapping);
    pair_close(&p);
    pair_close(&q);
}

Test(brute, answers_no_volume)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1);
    SCOPED_PAIR p = pair_open("brute", &cube, &cube, ALG_WANT_DISTANCE);
    const alg_algorithm *const g = p.variant.algorithm;
    cr_assert_eq(g->contract(&p.variant.settings, ALG_DISTANCE), ALG_EXACT);
    cr_assert_eq(g->contract(&p.variant.settings, ALG_VOLUME), ALG_NOT_ANSWERED);
    cr_assert_eq(g->contract(&p.variant.settings, ALG_CONTACT), ALG_EXACT);
    alg_message message = {""};
    cr_assert_eq(alg_variant_may_answer(&p.variant, ALG_WANT_DISTANCE, &message), ALG_OK);
    cr_assert_eq(alg_variant_may_answer(&p.variant, ALG_WANT_DISTANCE | ALG_WANT_VOLUME, &message),
                 ALG_UNSUPPORTED);
    cr_assert_str_eq(message.text, "brute does not answer volume");
    cr_assert_eq(p.info_a.primitives, 12);
    cr_assert_gt(p.info_a.bytes, 12 * sizeof(geo_triangle));
}
