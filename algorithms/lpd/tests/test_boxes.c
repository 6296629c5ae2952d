/** Boxes around curves: their axes and extents, distances, merging, vector areas. */
#include "algorithms/lpd/tests/drawing.h"
#include "base/tests/support.h"
#include "geometry/triangle.h"
#include "geometry/vec.h"

#include <string.h>

static const vec3 X = {1, 0, 0}, Y = {0, 1, 0}, Z = {0, 0, 1};

/* --- One curve -------------------------------------------------------------------------------- */

/** Checks that the axes are orthonormal and right-handed, and that no half side is negative or
 * NaN. */
static void check_axes(const alg_lpd_box *box, const char *what, int round)
{
    for (int i = 0; i < 3; i++) {
        const vec3 next = vec3_cross(box->axis[i], box->axis[(i + 1) % 3]);
        cr_assert_float_eq(vec3_norm(box->axis[i]), 1, 1e-15, "%s %d: axis %d", what, round, i);
        cr_assert_leq(vec3_distance(next, box->axis[(i + 2) % 3]), 2e-15, "%s %d: axis %d", what,
                      round, i);
        cr_assert(box->half[i] >= 0, "%s %d: half[%d] = %g", what, round, i, box->half[i]);
    }
}

/** Checks that in the first and the third axis the component with the largest absolute value is
 * positive. */
static void check_signs(const alg_lpd_box *box, const char *what, int round)
{
    for (int i = 0; i < 3; i += 2) {
        const vec3 a = box->axis[i], size = vec3_abs(a);
        const double most = fmax(size.x, fmax(size.y, size.z));
        cr_assert(a.x == most || a.y == most || a.z == most, "%s %d: axis %d", what, round, i);
    }
}

/** All endpoints of a group are in its box, and each face of the box has an endpoint on it. */
static void check_extents(const drawing *d, const alg_lpd_group *group, const alg_lpd_box *box,
                          int round)
{
    double reach[6] = {0};
    for (int k = 0; k < 6; k++) {
        reach[k] = -INFINITY;
    }
    for (uint32_t i = 0; i < group->count; i++) {
        const alg_lpd_curve c = d->curves.curves[d->groups.curves[group->first + i]];
        for (uint32_t l = 0; l < 2 * c.count; l++) {
            const vec3 p = alg_lpd_link_end(&d->segments, d->curves.links[c.first + l / 2], l & 1);
            for (int k = 0; k < 6; k++) {
                const double along = vec3_dot(box->axis[k / 2], vec3_sub(p, box->centre));
                reach[k] = fmax(reach[k], k & 1 ? along : -along);
            }
        }
    }
    for (int k = 0; k < 6; k++) {
        cr_assert_float_eq(reach[k], box->half[k / 2], 1e-14,
                           "round %d: reach %g, half side %g, side %d", round, reach[k],
                           box->half[k / 2], k);
    }
}

Test(boxes, of_a_rectangle)
{
    SCOPED_DRAWING d = drawing_begin(8);
    drawing_rectangle(&d, (vec3){1, 2, 3}, (vec3){0, 4, 0}, (vec3){0, 0, 2}, false);
    const alg_lpd_groups *const g = drawing_merge(&d, 1);
    const alg_lpd_group *const only = &g->items[0];
    cr_assert(g->count == 1 && only->first == 0 && only->count == 1 && g->curves[0] == 0);
    cr_assert(vec3_equal(only->box.centre, (vec3){1, 2, 3}));
    cr_assert(vec3_equal(only->box.axis[0], Y) && vec3_equal(only->box.axis[1], Z) &&
              vec3_equal(only->box.axis[2], X));
    cr_assert(only->box.half[0] == 4 && only->box.half[1] == 2 && only->box.half[2] == 0);
    cr_assert(vec3_equal(only->patch.area, (vec3){32, 0, 0}));
    cr_assert(only->closed && !only->longer && g->merge_count == 0 && g->tests == 0);
    cr_assert_eq(alg_lpd_mean_length(&d.segments), 6);
}

Test(boxes, of_nothing)
{
    SCOPED_DRAWING d = drawing_begin(0);
    cr_assert_eq(drawing_merge(&d, 1)->count, 0);
    cr_assert_eq(alg_lpd_mean_length(&d.segments), 0);
}

/** Checks that the axes are the eigenvectors of the covariance of all segments' ends, in descending
 * order of the eigenvalues. */
static void check_components(const drawing *d, const alg_lpd_box *box, int round)
{
    const uint32_t count = 2 * d->segments.count;
    vec3 mean = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        mean = vec3_madd(mean, 1.0 / count, d->segments.items[i / 2].end[i & 1]);
    }
    double value[3], last = INFINITY;
    for (int k = 0; k < 3; k++) {
        vec3 turned = {0, 0, 0};
        for (uint32_t i = 0; i < count; i++) {
            const vec3 p = vec3_sub(d->segments.items[i / 2].end[i & 1], mean);
            turned = vec3_madd(turned, vec3_dot(p, box->axis[k]) / count, p);
        }
        value[k] = vec3_dot(turned, box->axis[k]);
        cr_assert_leq(vec3_distance(turned, vec3_scale(value[k], box->axis[k])), 1e-14,
                      "round %d: axis %d is no eigenvector", round, k);
        cr_assert_leq(value[k], last + 1e-14, "round %d: axis %d", round, k);
        last = value[k];
    }
}

Test(boxes, have_the_principal_components_of_all_ends_as_axes)
{
    base_random random = base_random_seed(1);
    for (int round = 0; round < 500; round++) {
        SCOPED_DRAWING d = drawing_begin(64);
        vec3 p[64];
        const uint32_t count = 2 + (uint32_t)base_random_below(&random, 60);
        const vec3 away = drawing_point(&random, round % 2 ? 1 : 0);
        for (uint32_t i = 0; i < count; i++) {
            p[i] = drawing_point(&random, 1);
            p[i].y *= 0.5; /* makes the eigenvalues well separated */
            p[i].z *= 0.2;
            p[i] = vec3_add(p[i], away);
        }
        drawing_curve(&d, p, count, round % 3 == 0, round % 5 == 0);
        const alg_lpd_group *const g = drawing_merge(&d, 0)->items;
        check_axes(&g->box, "round", round);
        check_signs(&g->box, "round", round);
        check_components(&d, &g->box, round);
        check_extents(&d, g, &g->box, round);
        cr_assert_eq(g->closed, round % 3 == 0, "round %d", round);
    }
}

/** The box of a curve far from the origin is as accurate as that of the same curve near the origin.
 * The coordinates of both curves are exact. */
Test(boxes, of_a_small_curve_far_away_are_the_same)
{
    const vec3 small[4] = {
        {0, 0x1p-20, 0},
        {0x3p-20, 0x1p-21, 0},
        {0x1p-21, 0x3p-21, 0x1p-22},
        {-0x1p-19, -0x1p-20, 0},
    };
    SCOPED_DRAWING near = drawing_begin(4), far = drawing_begin(4);
    vec3 moved[4];
    for (int i = 0; i < 4; i++) {
        moved[i] = vec3_add(small[i], (vec3){16, -32, 8});
    }
    drawing_curve(&near, small, 4, true, false);
    drawing_curve(&far, moved, 4, true, false);
    const alg_lpd_box a = drawing_merge(&near, 0)->items->box,
                      b = drawing_merge(&far, 0)->items->box;
    for (int k = 0; k < 3; k++) {
        cr_assert_leq(vec3_distance(a.axis[k], b.axis[k]), 1e-8, "axis %d", k);
        cr_assert_float_eq(a.half[k], b.half[k], 0x1p-46, "half[%d]", k);
    }
}

/** If the points do not determine all axes, any valid axes may be returned. The box contains the
 * points, and a second run returns the same axes. */
Test(boxes, of_points_that_do_not_determine_all_axes)
{
    base_random random = base_random_seed(2);
    for (int round = 0; round < 600; round++) {
        SCOPED_DRAWING d = drawing_begin(64);
        const int kind = round % 6;
        const mat3 turn = round < 6 ? geo_pose_identity().rotation
                                    : geo_quat_matrix(geo_random_rotation(&random));
        const vec3 away = round < 12 ? (vec3){0, 0, 0} : drawing_point(&random, 1);
        vec3 p[48];
        uint32_t count = 48;
        for (int i = 0; i < 48; i++) {
            const double angle = i * BASE_PI / 24;
            const vec3 corner = {i / 2 == 0 ? i % 2 * 2 - 1 : 0, i / 2 == 1 ? i % 2 * 2 - 1 : 0,
                                 i / 2 == 2 ? i % 2 * 2 - 1 : 0};
            p[i] = kind == 0   ? (vec3){0, 0, 0}                         /* one point */
                   : kind == 1 ? (vec3){i, 0, 0}                         /* two points */
                   : kind == 2 ? (vec3){base_random_unit(&random), 0, 0} /* a line */
                   : kind == 3 ? (vec3){base_cos(angle), base_sin(angle), 0}
                   : kind == 4 ? corner /* corners of an octahedron */
                               : (vec3){i == 0, i == 1, 0};
            p[i] = vec3_add(away, mat3_mul_vec3(turn, p[i]));
        }
        count = kind < 2 ? 2 : kind == 4 ? 6 : kind == 5 ? 3 : count;
        drawing_curve(&d, p, count, kind > 2, false);
        const alg_lpd_group g = drawing_merge(&d, 1)->items[0];
        check_axes(&g.box, "round", round);
        check_signs(&g.box, "round", round);
        check_extents(&d, &g, &g.box, round);
        const alg_lpd_group again = drawing_merge(&d, 1)->items[0];
        cr_assert_eq(memcmp(&again.box, &g.box, sizeof g.box), 0, "round %d", round);
        if (kind == 3) {
            const vec3 n = mat3_mul_vec3(turn, Z);
            cr_assert_geq(fabs(vec3_dot(g.box.axis[2], n)), 1 - 1e-15, "round %d", round);
            cr_assert_float_eq(fabs(vec3_dot(g.patch.area, n)), 24 * base_sin(BASE_PI / 24), 1e-13,
                               "round %d: %g", round, vec3_dot(g.patch.area, n));
        }
    }
}

/** Twelve equal rectangles, and one segment that crosses their plane in the middle. The variance of
 * the ends is least along this segment, so it is the third axis. The third side of the box is not
 * always the shortest one. */
Test(boxes, know_whether_their_third_side_is_the_shortest)
{
    static const double heights[] = {0.5, 0.95, 1.5}; /* the other half sides are 1 and 0.9 */
    for (int i = 0; i < 3; i++) {
        SCOPED_DRAWING d = drawing_begin(64);
        for (int k = 0; k < 12; k++) {
            drawing_rectangle(&d, (vec3){0, 0, 0}, X, (vec3){0, 0.9, 0}, false);
        }
        drawing_link(&d, (vec3){0, 0, heights[i]}, (vec3){0, 0, -heights[i]}, false);
        drawing_finish(&d, false);
        const alg_lpd_groups *const g = drawing_merge(&d, 1);
        cr_assert(g->count == 1 && g->merge_count == 12);
        cr_assert(vec3_equal(vec3_abs(g->items->box.axis[2]), Z), "%g", heights[i]);
        cr_assert_eq(g->items->longer, heights[i] > 0.9, "%g", heights[i]);
    }
}

/* --- Along a direction ------------------------------------------------------------------------ */

Test(boxes, along_a_direction_have_the_components_of_the_projected_ends)
{
    base_random random = base_random_seed(3);
    for (int round = 0; round < 500; round++) {
        SCOPED_DRAWING d = drawing_begin(64);
        for (int c = 0; c < 3; c++) {
            vec3 p[12];
            for (int i = 0; i < 12; i++) {
                p[i] = drawing_point(&random, 0.2);
                p[i].x *= 3;
            }
            drawing_curve(&d, p, 12, c == 1, false);
        }
        const alg_lpd_group *const g = drawing_merge(&d, 1)->items;
        cr_assert_eq(g->count, 3);
        const vec3 n = round < 6 ? vec3_scale(round & 1 ? -1 : 1, round < 2   ? X
                                                                  : round < 4 ? Y
                                                                              : Z)
                                 : geo_random_direction(&random);
        const alg_lpd_box box = alg_lpd_box_along(&d.segments, &d.curves, &d.groups, g, n);
        check_axes(&box, "round", round);
        check_extents(&d, g, &box, round);
        cr_assert(vec3_equal(box.axis[2], n), "round %d", round);
        /* The two coordinates are not correlated, and the first one has the larger variance. */
        vec3 mean = {0, 0, 0};
        double uu = 0, uv = 0, vv = 0;
        for (uint32_t i = 0; i < 2 * d.segments.count; i++) {
            mean = vec3_madd(mean, 0.5 / d.segments.count, d.segments.items[i / 2].end[i & 1]);
        }
        for (uint32_t i = 0; i < 2 * d.segments.count; i++) {
            const vec3 p = vec3_sub(d.segments.items[i / 2].end[i & 1], mean);
            const double u = vec3_dot(p, box.axis[0]), v = vec3_dot(p, box.axis[1]);
            uu += u * u;
            uv += u * v;
            vv += v * v;
        }
        cr_assert_leq(fabs(uv), 1e-13, "round %d: %g", round, uv);
        cr_assert_geq(uu, vv, "round %d", round);
    }
}

Test(boxes, along_their_own_third_axis_are_the_same)
{
    base_random random = base_random_seed(4);
    for (int round = 0; round < 200; round++) {
        SCOPED_DRAWING d = drawing_begin(64);
        const mat3 turn = geo_quat_matrix(geo_random_rotation(&random));
        for (int c = 0; c < 2; c++) {
            vec3 p[10];
            for (int i = 0; i < 10; i++) {
                p[i] = drawing_point(&random, 1);
                p[i] = mat3_mul_vec3(turn, (vec3){p[i].x, 0.6 * p[i].y, 0.2 * p[i].z});
            }
            drawing_curve(&d, p, 10, true, false);
        }
        const alg_lpd_group *const g = drawing_merge(&d, 9)->items;
        const alg_lpd_box box =
            alg_lpd_box_along(&d.segments, &d.curves, &d.groups, g, g->box.axis[2]);
        cr_assert_leq(vec3_distance(box.centre, g->box.centre), 1e-13, "round %d", round);
        for (int k = 0; k < 3; k++) {
            cr_assert_leq(vec3_distance(box.axis[k], g->box.axis[k]), 1e-13, "round %d", round);
            cr_assert_float_eq(box.half[k], g->box.half[k], 1e-13, "round %d", round);
        }
    }
}

/** All points of a line are projected to one point if the direction is that of the line. */
Test(boxes, along_the_direction_of_a_straight_curve)
{
    SCOPED_DRAWING d = drawing_begin(8);
    drawing_curve(&d, (vec3[]){{1, 1, 1}, {3, 3, 3}}, 2, false, false);
    const alg_lpd_group *const g = drawing_merge(&d, 1)->items;
    const vec3 diagonal = vec3_normalize((vec3){1, 1, 1});
    const alg_lpd_box box = alg_lpd_box_along(&d.segments, &d.curves, &d.groups, g, diagonal);
    check_axes(&box, "line", 0);
    cr_assert(box.half[0] <= 1e-15 && box.half[1] <= 1e-15);
    cr_assert_float_eq(box.half[2], sqrt(3), 1e-15);
    cr_assert_leq(vec3_distance(box.centre, (vec3){2, 2, 2}), 1e-15);
}

/* --- Distances -------------------------------------------------------------------------------- */

static alg_lpd_box box_at(vec3 centre, mat3 rotation, vec3 half)
{
    const mat3 t = mat3_transpose(rotation);
    return (alg_lpd_box){centre, {t.row[0], t.row[1], t.row[2]}, {half.x, half.y, half.z}};
}

static geo_box unturned(vec3 centre, vec3 half)
{
    return (geo_box){vec3_sub(centre, half), vec3_add(centre, half)};
}

/** The distance of boxes that are not rotated follows from their intervals along x, y and z. */
Test(boxes, that_are_not_turned_have_the_distance_of_their_intervals)
{
    base_random random = base_random_seed(5);
    int apart = 0, together = 0;
    for (int round = 0; round < 5000; round++) {
        vec3 centre[2], half[2];
        for (int i = 0; i < 2; i++) {
            const vec3 c = drawing_point(&random, 4.5), h = drawing_point(&random, 2.5);
            centre[i] = (vec3){nearbyint(c.x), nearbyint(c.y), nearbyint(c.z)};
            half[i] = vec3_abs((vec3){nearbyint(h.x), nearbyint(h.y), nearbyint(h.z)});
        }
        const mat3 one = geo_pose_identity().rotation;
        /* If the axes of a box and its half sides are permuted alike, the box is the same. */
        const mat3 other = {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
        const alg_lpd_box a = box_at(centre[0], one, half[0]);
        const alg_lpd_box b = box_at(centre[1], round & 1 ? one : other,
                                     round & 1 ? half[1] : (vec3){half[1].y, half[1].z, half[1].x});
        const geo_box p = unturned(centre[0], half[0]), q = unturned(centre[1], half[1]);
        const vec3 gap =
            vec3_max((vec3){0, 0, 0}, vec3_max(vec3_sub(q.lo, p.hi), vec3_sub(p.lo, q.hi)));
        const double distance = alg_lpd_box_distance(&a, &b);
        cr_assert_float_eq(distance, vec3_norm(gap), 1e-15, "round %d: %g, not %g", round, distance,
                           vec3_norm(gap));
        cr_assert(vec3_norm2(gap) > 0 || distance == 0, "round %d", round);
        *(vec3_norm2(gap) > 0 ? &apart : &together) += 1;
    }
    cr_assert(apart > 500 && together > 500, "%d, %d", apart, together);
}

/** Returns the twelve triangles of a box. */
static void cut(const alg_lpd_box *box, geo_triangle faces[12])
{
    int count = 0;
    for (int side = 0; side < 6; side++) {
        const int i = side / 2, j = (i + 1) % 3, k = (i + 2) % 3;
        const vec3 middle =
            vec3_madd(box->centre, side & 1 ? box->half[i] : -box->half[i], box->axis[i]);
        vec3 p[4];
        for (int c = 0; c < 4; c++) {
            const double u = c == 1 || c == 2 ? box->half[j] : -box->half[j];
            p[c] = vec3_madd(vec3_madd(middle, u, box->axis[j]),
                             c > 1 ? box->half[k] : -box->half[k], box->axis[k]);
        }
        faces[count++] = (geo_triangle){{p[0], p[1], p[2]}};
        faces[count++] = (geo_triangle){{p[0], p[2], p[3]}};
    }
}

static bool holds(const alg_lpd_box *box, vec3 p)
{
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        inside &= fabs(vec3_dot(box->axis[k], vec3_sub(p, box->centre))) <= box->half[k];
    }
    return inside;
}

/** Returns the least distance over all pairs of triangles of the faces, in extended precision; 0 if
 * one box is inside the other. */
static double brute_distance(const alg_lpd_box *a, const alg_lpd_box *b)
{
    geo_triangle s[12], t[12];
    cut(a, s);
    cut(b, t);
    long double least = holds(a, b->centre) || holds(b, a->centre) ? 0 : INFINITY;
    for (int i = 0; i < 12 && least > 0; i++) {
        for (int k = 0; k < 12; k++) {
            const long double distance2 = geo_triangle_distance2_extended(s[i], t[k]);
            least = distance2 < least ? distance2 : least;
        }
    }
    return sqrt((double)least);
}

/** Some of the half sides are 0 or nearly 0. */
static vec3 any_half(base_random *random)
{
    double half[3];
    for (int k = 0; k < 3; k++) {
        const uint64_t kind = base_random_below(random, 8);
        half[k] = kind < 3 ? 0 : kind == 3 ? 1e-9 : base_random_range(random, 0, 0.8);
    }
    return (vec3){half[0], half[1], half[2]};
}

static mat3 any_rotation(base_random *random)
{
    const uint64_t kind = base_random_below(random, 4);
    const geo_quat tiny = {1e-9 * base_random_unit(random), 0, 1e-7, 1};
    return kind == 0   ? geo_pose_identity().rotation
           : kind == 1 ? geo_quat_matrix(tiny)
                       : geo_quat_matrix(geo_random_rotation(random));
}

Test(boxes, are_as_far_apart_as_the_triangles_of_their_faces)
{
    const int step = (int)sweep_step(7);
    base_random random = base_random_seed(6);
    int apart = 0, together = 0;
    for (int round = 0; round < 4000; round += step) {
        const geo_pose pose = {any_rotation(&random), drawing_point(&random, 1)};
        const mat3 turn = any_rotation(&random);
        const vec3 half_a = any_half(&random), half_b = any_half(&random);
        const vec3 away = drawing_point(&random, round % 2 ? 0.5 : 2);
        const alg_lpd_box a = box_at(pose.translation, pose.rotation, half_a);
        const alg_lpd_box b =
            box_at(geo_pose_apply(&pose, away), mat3_mul(pose.rotation, turn), half_b);
        const double distance = alg_lpd_box_distance(&a, &b), brute = brute_distance(&a, &b);
        cr_assert_float_eq(distance, brute, 1e-14, "round %d: %.17g, not %.17g", round, distance,
                           brute);
        cr_assert_eq(alg_lpd_box_distance(&b, &a), distance, "round %d: swapped", round);
        /* The distance before both were moved is the same. */
        const alg_lpd_box c = box_at((vec3){0, 0, 0}, geo_pose_identity().rotation, half_a);
        const alg_lpd_box e = box_at(away, turn, half_b);
        cr_assert_float_eq(alg_lpd_box_distance(&c, &e), distance, 1e-14, "round %d", round);
        *(brute > 0 ? &apart : &together) += 1;
    }
    cr_assert(apart > 1000 / step && together > 200 / step, "%d, %d", apart, together);
}

/** Boxes whose nearest points are in the interior of an edge of each. */
Test(boxes, with_edges_across)
{
    const mat3 one = geo_pose_identity().rotation;
    const mat3 eighth =
        geo_quat_matrix((geo_quat){0, 0, base_sin(BASE_PI / 8), base_cos(BASE_PI / 8)});
    const mat3 other =
        geo_quat_matrix((geo_quat){base_sin(BASE_PI / 8), 0, 0, base_cos(BASE_PI / 8)});
    /* The nearest edge of A runs along z, at y = sqrt 2. That of B runs along x, 0.5 farther along
     * y. */
    const alg_lpd_box a = box_at((vec3){0, 0, 0}, eighth, (vec3){1, 1, 1});
    const alg_lpd_box b = box_at((vec3){0.2, 2 * sqrt(2) + 0.5, 0.1}, other, (vec3){1, 1, 1});
    cr_assert_float_eq(alg_lpd_box_distance(&a, &b), 0.5, 1e-15);
    /* Two needles, and a needle that passes through a sheet. */
    const alg_lpd_box p = box_at((vec3){0, 0, 0}, one, (vec3){1, 0, 0});
    const alg_lpd_box q = box_at((vec3){0.5, 0.25, 0.125}, one, (vec3){0, 1, 0});
    cr_assert_eq(alg_lpd_box_distance(&p, &q), 0.125);
    const alg_lpd_box sheet = box_at((vec3){0.25, 0.125, 0.5}, one, (vec3){0, 1, 1});
    cr_assert_eq(alg_lpd_box_distance(&p, &sheet), 0);
}

/* --- Merging ---------------------------------------------------------------------------------- */

/** Two squares whose gap is 1 are merged only if the threshold is greater than 1. */
Test(boxes, are_merged_below_the_threshold)
{
    static const double eps[] = {-1, 0, 1, 1.0000001, 5};
    for (int i = 0; i < 5; i++) {
        SCOPED_DRAWING d = drawing_begin(8);
        drawing_rectangle(&d, (vec3){0, 0, 0}, X, Y, false);
        drawing_rectangle(&d, (vec3){3, 0, 0}, X, Y, false);
        const alg_lpd_groups *const g = drawing_merge(&d, eps[i]);
        const bool one = eps[i] > 1;
        cr_assert_eq(g->count, one ? 1 : 2, "%g: %u", eps[i], g->count);
        cr_assert_eq(g->merge_count, one, "%g", eps[i]);
        if (one) {
            cr_assert(g->items->first == 0 && g->items->count == 2 && g->curves[1] == 1);
            cr_assert(vec3_equal(g->items->box.centre, (vec3){1.5, 0, 0}));
            cr_assert(g->items->box.half[0] == 2.5 && g->items->box.half[1] == 1);
            cr_assert(vec3_equal(g->items->patch.area, (vec3){0, 0, 8}), "%g",
                      g->items->patch.area.z);
        }
    }
}

Test(boxes, that_share_points_are_not_merged_with_the_threshold_0)
{
    SCOPED_DRAWING d = drawing_begin(8);
    drawing_rectangle(&d, (vec3){0, 0, 0}, X, Y, false);
    drawing_rectangle(&d, (vec3){0, 0, 0}, X, Y, false);
    cr_assert_eq(drawing_merge(&d, 0)->count, 2);
    cr_assert_eq(drawing_merge(&d, 1e-9)->count, 1);
}

/** The first three lines are not near each other. The fourth line is near the second and the third
 * line, and is merged with both. The box of the merged lines contains the first line, which was
 * near no other line. */
Test(boxes, that_are_merged_are_compared_with_the_others_again)
{
    SCOPED_DRAWING d = drawing_begin(16);
    drawing_curve(&d, (vec3[]){{0.3, 0.9, 0}, {0.3, 1.1, 0}}, 2, false, false);
    drawing_curve(&d, (vec3[]){{-2, 2, 0}, {2, 2, 0}}, 2, false, false);
    drawing_curve(&d, (vec3[]){{-2, 0, 0}, {2, 0, 0}}, 2, false, false);
    cr_assert_eq(drawing_merge(&d, 0.5)->count, 3);
    drawing_curve(&d, (vec3[]){{2.2, 0, 0}, {2.2, 2, 0}}, 2, false, false);
    const alg_lpd_groups *const g = drawing_merge(&d, 0.5);
    cr_assert(g->count == 1 && g->merge_count == 3, "%u", g->count);
    for (uint32_t i = 0; i < 4; i++) {
        cr_assert_eq(g->curves[i], i);
    }
    cr_assert(!g->items->closed);
}

/** Reference implementation of the algorithm that boxes.h describes. It does not test bounds before
 * it computes the distance of two boxes. It fits each box to the endpoints of all curves of the
 * group, instead of adding the moments of two groups. */
typedef struct plain {
    uint32_t group[64]; /* for each curve the least curve number of its group */
    alg_lpd_box box[64];
    uint64_t merges;
} plain;

/** Fits a box to the curves of a group. For this, all their links are put into a single curve. */
static alg_lpd_box plain_fit(const drawing *d, const plain *p, uint32_t group)
{
    drawing one = drawing_begin(d->segments.count);
    for (uint32_t c = 0; c < 64; c++) {
        const alg_lpd_curve curve = d->curves.curves[c];
        for (uint32_t i = 0; i < curve.count && p->group[c] == group; i++) {
            const uint32_t link = d->curves.links[curve.first + i];
            drawing_link(&one, alg_lpd_link_end(&d->segments, link, 0),
                         alg_lpd_link_end(&d->segments, link, 1), false);
        }
    }
    drawing_finish(&one, false);
    const alg_lpd_box box = drawing_merge(&one, 0)->items->box;
    drawing_end(&one);
    return box;
}

static plain plain_merge(const drawing *d, double eps)
{
    plain p = {.merges = 0};
    for (uint32_t c = 0; c < 64; c++) {
        p.group[c] = UINT32_MAX;
    }
    for (uint32_t c = 0; c < 64; c++) {
        uint32_t at = c;
        p.group[c] = c;
        p.box[c] = plain_fit(d, &p, c);
        for (uint32_t i = 0; i <= c; i++) {
            if (p.group[i] == i && i != at && alg_lpd_box_distance(&p.box[at], &p.box[i]) < eps) {
                const uint32_t least = i < at ? i : at;
                for (uint32_t k = 0; k <= c; k++) {
                    p.group[k] = p.group[k] == i || p.group[k] == at ? least : p.group[k];
                }
                at = least;
                p.box[at] = plain_fit(d, &p, at);
                p.merges++;
                i = UINT32_MAX; /* start again at the first */
            }
        }
    }
    return p;
}

/** Two rows of short curves. The curves of a row are far from each other. Each curve of the second
 * row is near one curve of the first row. The first row has more curves than a block of bounds
 * (boxes.c). So at each position in a block there is a curve that the search has to find. */
Test(boxes, of_short_curves_in_two_rows_are_merged_in_pairs)
{
    enum { SLIVERS = 100 };
    SCOPED_DRAWING d = drawing_begin(SLIVERS);
    for (int c = 0; c < SLIVERS; c++) {
        const double x = 10.0 * (c % (SLIVERS / 2)), y = c < SLIVERS / 2 ? 0 : 0.5;
        drawing_link(&d, (vec3){x, y, 0}, (vec3){x, y, 0.001}, false);
        drawing_finish(&d, false);
    }
    const alg_lpd_groups *const g = drawing_merge(&d, 1);
    cr_assert_eq(g->count, SLIVERS / 2, "%u groups", g->count);
    for (uint32_t i = 0; i < g->count; i++) {
        const alg_lpd_group *const group = &g->items[i];
        cr_assert(group->count == 2 && g->curves[group->first] == i &&
                      g->curves[group->first + 1] == i + SLIVERS / 2,
                  "group %u", i);
    }
}

Test(boxes, are_merged_as_the_plain_algorithm_does)
{
    base_random random = base_random_seed(7);
    uint64_t merges = 0, kept = 0;
    for (int round = 0; round < 150; round++) {
        SCOPED_DRAWING d = drawing_begin(64 * 3);
        for (int c = 0; c < 64; c++) {
            const vec3 middle = drawing_point(&random, 1);
            vec3 p[3];
            for (int i = 0; i < 3; i++) {
                p[i] = vec3_add(middle, drawing_point(&random, 0.1));
            }
            drawing_curve(&d, p, 3, true, c & 1);
        }
        const double eps = base_random_range(&random, 0.01, 0.2);
        const plain expected = plain_merge(&d, eps);
        const alg_lpd_groups *const g = drawing_merge(&d, eps);
        cr_assert_eq(g->merge_count, expected.merges, "round %d", round);
        uint32_t first = 0, last = 0;
        for (uint32_t i = 0; i < g->count; i++) {
            const alg_lpd_group *const group = &g->items[i];
            const uint32_t least = g->curves[group->first];
            cr_assert(group->first == first && group->count > 0 && (i == 0 || least > last),
                      "round %d: group %u", round, i);
            for (uint32_t k = 0; k < group->count; k++) {
                const uint32_t curve = g->curves[first + k];
                cr_assert_eq(expected.group[curve], least, "round %d: curve %u", round, curve);
                cr_assert(k == 0 || curve > g->curves[first + k - 1], "round %d", round);
            }
            const alg_lpd_box *const box = &expected.box[least];
            cr_assert_leq(vec3_distance(group->box.centre, box->centre), 1e-13, "round %d", round);
            cr_assert_leq(vec3_distance(group->box.axis[2], box->axis[2]), 1e-12, "round %d",
                          round);
            check_extents(&d, group, &group->box, round);
            first += group->count;
            last = least;
        }
        cr_assert_eq(first, 64, "round %d: %u curves", round, first);
        merges += g->merge_count;
        kept += g->count;
    }
    cr_assert(merges > 1000 && kept > 1000, "%lu merges, %lu groups", merges, kept);
}

/** Scaling by a power of two changes only the exponents. */
Test(boxes, powers_of_two_change_only_exponents)
{
    base_random random = base_random_seed(8);
    for (int round = 0; round < 50; round++) {
        SCOPED_DRAWING d = drawing_begin(96), e = drawing_begin(96);
        for (int c = 0; c < 32; c++) {
            const vec3 middle = drawing_point(&random, 1);
            vec3 p[3], q[3];
            for (int i = 0; i < 3; i++) {
                p[i] = vec3_add(middle, drawing_point(&random, 0.1));
                q[i] = vec3_scale(0x1p-20, p[i]);
            }
            drawing_curve(&d, p, 3, true, false);
            drawing_curve(&e, q, 3, true, false);
        }
        const alg_lpd_groups *const g = drawing_merge(&d, 0.15), *const h = drawing_merge(
                                                                     &e, 0x1p-20 * 0.15);
        cr_assert(g->count == h->count && g->tests == h->tests, "round %d", round);
        for (uint32_t i = 0; i < g->count; i++) {
            const alg_lpd_box *const a = &g->items[i].box, *const b = &h->items[i].box;
            cr_assert_eq(memcmp(a->axis, b->axis, sizeof a->axis), 0, "round %d", round);
            cr_assert(vec3_equal(vec3_scale(0x1p-20, a->centre), b->centre), "round %d", round);
        }
    }
}

/** Thousands of curves of one segment each. Dense curves are nearly all merged into one group. Of
 * sparse curves, only a few are merged. */
Test(boxes, of_thousands_of_curves_are_merged_with_few_tests)
{
    enum { COUNT = 3000 };
    base_random random = base_random_seed(9);
    for (int dense = 0; dense < 2; dense++) {
        SCOPED_DRAWING d = drawing_begin(COUNT);
        for (int c = 0; c < COUNT; c++) {
            const vec3 p = drawing_point(&random, dense ? 1 : 100);
            drawing_link(&d, p, vec3_add(p, drawing_point(&random, 0.1)), c & 1);
            drawing_finish(&d, false);
        }
        const alg_lpd_groups *const g = drawing_merge(&d, 0.1);
        cr_assert(dense ? g->count < 3 : g->count > COUNT - 20, "%u groups", g->count);
        cr_assert_eq(g->merge_count, COUNT - g->count);
        cr_assert_leq(g->tests, 4 * COUNT, "%lu tests", g->tests);
    }
}

/* --- Areas ------------------------------------------------------------------------------------ */

/**
 * A is a cube from -1 to 1. B is a bar along z, 1 m thick, that penetrates A's upper or lower face.
 * A segment runs in the direction of the cross product of the normals of this face and of a side of
 * B. If B moves out by 1 m, the common volume decreases by 1 m3. The vector area is minus the
 * derivative of the common volume.
 */
Test(boxes, areas_point_to_where_b_gets_out)
{
    static const vec3 normals[4] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
    for (int above = 0; above < 2; above++) {
        SCOPED_DRAWING d = drawing_begin(4);
        const vec3 upper = {0, 0, above ? 1 : -1};
        for (int i = 0; i < 4; i++) {
            const vec3 n = normals[i], along = vec3_cross(upper, n);
            const vec3 middle = vec3_madd(upper, 0.5, n);
            const vec3 from = vec3_madd(middle, -0.5, along), to = vec3_madd(middle, 0.5, along);
            /* The curve passes the sides of B in the order of `normals`. At the lower face, the
             * segments run in the opposite direction. */
            drawing_link(&d, above ? from : to, above ? to : from, !above);
        }
        drawing_finish(&d, true);
        const alg_lpd_group *const g = drawing_merge(&d, 1)->items;
        cr_assert(vec3_equal(g->patch.area, upper), "%g %g %g", g->patch.area.x, g->patch.area.y,
                  g->patch.area.z);
    }
}

/** Returns the common volume of two balls whose centres are d apart. */
static double lens(double r, double s, double d)
{
    return BASE_PI * (r + s - d) * (r + s - d) * (d * d + 2 * d * (r + s) - 3 * (r - s) * (r - s)) /
           (12 * d);
}

/** The vector area is minus the derivative of the common volume of two balls, which is a lens. This
 * holds along the line of the centres and along any other direction. */
Test(boxes, areas_are_derivatives_of_the_volume)
{
    enum { COUNT = 5000 };
    base_random random = base_random_seed(10);
    for (int round = 0; round < 5; round++) {
        const double r = 1, s = base_random_range(&random, 0.5, 1.5), away = 0.8 * (r + s);
        const double height = (away * away + r * r - s * s) / (2 * away);
        const double radius = sqrt(r * r - height * height);
        const mat3 turn = geo_quat_matrix(geo_random_rotation(&random));
        const vec3 to_b = mat3_mul_vec3(turn, Z), centre_b = vec3_scale(away, to_b);
        SCOPED_DRAWING d = drawing_begin(COUNT);
        vec3 p[COUNT];
        for (int i = 0; i < COUNT; i++) {
            const double angle = 2 * BASE_PI * i / COUNT;
            p[i] = mat3_mul_vec3(
                turn, (vec3){radius * base_cos(angle), radius * base_sin(angle), height});
        }
        for (int i = 0; i < COUNT; i++) {
            const vec3 q = p[(i + 1) % COUNT];
            /* A segment runs in the direction of the cross product of the normals of A and B. */
            const vec3 runs = vec3_cross(p[i], vec3_sub(p[i], centre_b));
            drawing_link(&d, p[i], q, vec3_dot(runs, vec3_sub(q, p[i])) < 0);
        }
        drawing_finish(&d, true);
        const vec3 area = drawing_merge(&d, 0)->items->patch.area;
        const double step = 1e-5;
        for (int k = 0; k < 4; k++) {
            const vec3 n = k == 0 ? to_b : geo_random_direction(&random);
            const double more = lens(r, s, vec3_norm(vec3_madd(centre_b, step, n)));
            const double less = lens(r, s, vec3_norm(vec3_madd(centre_b, -step, n)));
            cr_assert_float_eq(vec3_dot(area, n), (less - more) / (2 * step), 1e-5,
                               "round %d, direction %d: %g", round, k, vec3_dot(area, n));
        }
    }
}

/** An open curve is closed by its chord, in whichever direction it was chained. */
Test(boxes, areas_of_open_curves_are_closed_by_chords)
{
    const vec3 p[3] = {{10, 0, 5}, {12, 0, 5}, {12, 3, 5}};
    for (int kind = 0; kind < 4; kind++) {
        /* kind & 1: segments run from p[2] to p[0]; kind & 2: so does the curve. */
        SCOPED_DRAWING d = drawing_begin(2);
        const vec3 back[3] = {p[2], p[1], p[0]};
        drawing_curve(&d, kind & 2 ? back : p, 3, false, (kind & 1) != kind >> 1);
        const alg_lpd_group *const g = drawing_merge(&d, 1)->items;
        const vec3 expected = {0, 0, kind & 1 ? -3 : 3};
        cr_assert_leq(vec3_distance(g->patch.area, expected), 1e-14, "kind %d: %g", kind,
                      g->patch.area.z);
        cr_assert(!g->closed);
    }
}

/** If segments in the middle of a curve are missing, a chord closes the gap between the
 * adjacent segments. Another chord joins the curve's ends. */
Test(boxes, areas_have_chords_over_gaps)
{
    for (int against = 0; against < 2; against++) {
        SCOPED_DRAWING d = drawing_begin(3);
        drawing_link(&d, (vec3){7, 0, 0}, (vec3){9, 0, 0}, against);
        drawing_link(&d, (vec3){9, 2, 0}, (vec3){7, 2, 0}, against);
        drawing_finish(&d, false);
        const vec3 area = drawing_merge(&d, 9)->items->patch.area;
        cr_assert_leq(vec3_distance(area, (vec3){0, 0, against ? -4 : 4}), 1e-14, "%g", area.z);
    }
}

/** Two triangles share a point and are chained into one curve. The curve passes the second triangle
 * in the opposite direction of its segments. */
Test(boxes, areas_of_closed_curves_do_not_depend_on_chaining)
{
    SCOPED_DRAWING d = drawing_begin(6);
    const vec3 o = {1, 1, 1};
    drawing_link(&d, o, (vec3){3, 1, 1}, false);
    drawing_link(&d, (vec3){3, 1, 1}, (vec3){3, 2, 1}, false);
    drawing_link(&d, (vec3){3, 2, 1}, o, false);
    drawing_link(&d, o, (vec3){-1, 0, 1}, true);
    drawing_link(&d, (vec3){-1, 0, 1}, (vec3){-1, 1, 1}, true);
    drawing_link(&d, (vec3){-1, 1, 1}, o, true);
    drawing_finish(&d, true);
    /* The curve passes the second triangle clockwise; its segments run counter-clockwise, as those
     * of the first one. Each triangle has the area 1. */
    const vec3 area = drawing_merge(&d, 1)->items->patch.area;
    cr_assert_leq(vec3_distance(area, (vec3){0, 0, 2}), 1e-14, "%g", area.z);
}

/** One open curve makes the group open. */
Test(boxes, are_closed_if_all_of_their_curves_are)
{
    for (int kind = 0; kind < 4; kind++) {
        SCOPED_DRAWING d = drawing_begin(16);
        for (int c = 0; c < 2; c++) {
            drawing_curve(&d, (vec3[]){{0, 0, c}, {1, 0, c}, {1, 1, c}}, 3, !(kind >> c & 1),
                          false);
        }
        cr_assert_eq(drawing_merge(&d, 2)->count, 1);
        cr_assert_eq(d.groups.items->closed, kind == 0, "kind %d", kind);
    }
}
