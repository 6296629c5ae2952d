#include "base/tests/support.h"
#include "geometry/triangle.h"
#include "groundtruth/force/simplex.h"

#include "shapes.h"

/*
 * Bounds of the distance on triangles and tetrahedra, compared at random points with the distances
 * to all faces, on random simplices near bodies with flat, convex, reflex and tiny parts.
 */

/** Computes the distance by all faces. */
static double brute_distance(const shape *a, vec3 p)
{
    double least = INFINITY;
    for (size_t f = 0; f < a->mesh.face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(&a->mesh, f);
        least = fmin(least, vec3_distance(geo_triangle_closest(t, p), p));
    }
    return least;
}

static gt_field make_field(const shape *a)
{
    gt_field field = {0};
    const double reach = geo_box_reach(a->body->shell.surface.bvh.box);
    cr_assert_eq(gt_field_begin(&field, &a->body->shell.surface, 0x1p-46 * reach, NULL), BASE_OK);
    return field;
}

static vec3 random_point(base_random *random, vec3 middle, double size)
{
    const double x = base_random_range(random, -size, size);
    const double y = base_random_range(random, -size, size);
    const double z = base_random_range(random, -size, size);
    return vec3_add(middle, (vec3){x, y, z});
}

static gt_simplex make_simplex(gt_field *field, base_random *random, int corners, vec3 middle,
                               double size)
{
    gt_simplex s = {.corners = corners, .measure = 1, .listed = GT_UNLISTED};
    for (int k = 0; k < corners; k++) {
        s.corner[k] = random_point(random, middle, size);
        gt_simplex_measure(field, &s, k, GT_NO_FACE);
    }
    return s;
}

/** Draws random barycentric coordinates; one in four is 0, so that sides are included. */
static void random_shares(base_random *random, int corners, double share[GT_SIMPLEX_CORNERS])
{
    double sum = 0;
    for (int k = 0; k < corners; k++) {
        const bool none = k > 0 && base_random_below(random, 4) == 0;
        share[k] = none ? 0 : base_random_range(random, 0.01, 1);
        sum += share[k];
    }
    for (int k = 0; k < corners; k++) {
        share[k] /= sum;
    }
}

static double value_of(const gt_simplex *s, const gt_linear *linear, const gt_bend *bend,
                       const double share[GT_SIMPLEX_CORNERS])
{
    double value = 0;
    for (int i = 0, side = 0; i < s->corners; i++) {
        value += share[i] * linear->at[i];
        for (int k = 0; k < i; k++, side++) {
            value -= bend->at[side] > 0 ? share[i] * share[k] * bend->at[side] : 0;
        }
    }
    return value;
}

/** Finds the part of a triangle in which a point is, and changes its coordinates to those of the
 * part. */
static int enter_part(double share[GT_SIMPLEX_CORNERS])
{
    int part = 3;
    for (int k = 0; k < 3; k++) {
        part = share[k] > 0.5 ? k : part;
    }
    for (int k = 0; k < 3; k++) {
        share[k] = part == 3 ? 1 - 2 * share[k] : 2 * share[k] - (k == part ? 1 : 0);
    }
    return part;
}

/** Checks the bounds at random points. Returns the mean width at these points. */
static double check_bounds(const char *what, const shape *a, const gt_field *field,
                           const gt_simplex *s, const gt_simplex_bounds b[GT_PARTS], int parts,
                           base_random *random)
{
    enum { POINTS = 12 };
    double width = 0;
    for (int i = 0; i < POINTS; i++) {
        double share[GT_SIMPLEX_CORNERS];
        random_shares(random, s->corners, share);
        vec3 p = {0, 0, 0};
        for (int k = 0; k < s->corners; k++) {
            p = vec3_madd(p, share[k], s->corner[k]);
        }
        const double d = brute_distance(a, p), slack = 2 * field->distance_m;
        const gt_simplex_bounds *const part = &b[parts == 1 ? 0 : enter_part(share)];
        const double upper = value_of(s, &part->upper, &part->dip, share);
        const double lower = value_of(s, &part->lower, &part->sag, share);
        cr_assert(lower - slack <= d && d <= upper + slack, "%s: %.17g not in [%.17g, %.17g]", what,
                  d, lower, upper);
        width += (upper - lower) / POINTS;
    }
    return width;
}

static shape make_body(int kind)
{
    shape a = {0};
    switch (kind) {
    case 0:
        shape_add_box(&a, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, false);
        break;
    case 1: /* a ball as a cavity: reflex everywhere */
        shape_add_box(&a, (vec3){-2, -2, -2}, (vec3){2, 2, 2}, false);
        shape_add_box(&a, (vec3){-0.5, -0.375, -0.25}, (vec3){0.5, 0.375, 0.25}, true);
        break;
    case 2:
        shape_add_torus(&a, 24, 12, 1, 0.5);
        break;
    case 3:
        shape_add_ball(&a, 10, 6, 1);
        break;
    default: /* a tiny cavity */
        shape_add_box(&a, (vec3){-2, -2, -2}, (vec3){2, 2, 2}, false);
        shape_add_box(&a, (vec3){-1e-6, -1e-6, -1e-6}, (vec3){1e-6, 1e-6, 1e-6}, true);
        break;
    }
    return a;
}

/** Checks whole simplices, and their parts with inherited lists. The list must give the same
 * distance as the hierarchy. */
static void check_body(const char *what, shape *a, base_random *random, double scale, vec3 off)
{
    gt_field field = make_field(a);
    for (size_t i = 0; i < 200; i += sweep_step(5)) {
        const int corners = base_random_below(random, 2) == 0 ? 3 : 4;
        const double size = scale * base_exp(base_random_range(random, -5, -0.5));
        const vec3 middle = random_point(random, off, 0.9 * scale);
        gt_simplex s = make_simplex(&field, random, corners, middle, size);
        for (int level = 0; level < 4; level++) {
            gt_simplex_bounds b[GT_PARTS];
            const int count = gt_simplex_bound(&field, &s, level == 3 ? INFINITY : -1, b);
            cr_assert_eq(count,
                         corners == 3 && s.listed != GT_UNLISTED && level < 3 ? GT_PARTS : 1);
            check_bounds(what, a, &field, &s, b, count, random);
            gt_simplex parts[2];
            gt_simplex_cut(&field, &s, parts);
            cr_assert_float_eq(parts[0].measure + parts[1].measure, s.measure, 1e-15);
            s = parts[base_random_below(random, 2)];
            for (int k = 0; k < corners; k++) {
                cr_assert_float_eq(s.distance[k], brute_distance(a, s.corner[k]),
                                   2 * field.distance_m, "%s: corner %d", what, k);
                cr_assert_float_eq(vec3_distance(s.foot[k], s.corner[k]), s.distance[k],
                                   2 * field.distance_m);
            }
        }
    }
    gt_field_release(&field);
}

Test(simplex, bounds_hold_at_random_points)
{
    base_random random = base_random_seed(11);
    for (int kind = 0; kind < 5; kind++) {
        char what[32];
        snprintf(what, sizeof what, "body %d", kind);
        SCOPED_SHAPE a = make_body(kind);
        shape_finish(&a);
        check_body(what, &a, &random, 1, (vec3){0, 0, 0});
    }
}

/** Bodies that are tiny, thin, or 1000 sizes from their own origin. */
Test(simplex, bounds_hold_for_tiny_thin_and_far_bodies)
{
    base_random random = base_random_seed(12);
    for (int kind = 0; kind < 4; kind++) {
        shape a = make_body(kind);
        shape_scale(&a, 1e-6);
        shape_finish(&a);
        check_body("tiny", &a, &random, 1e-6, (vec3){0, 0, 0});
        shape_release(&a);
        const geo_pose away = shift(1000, -2000, 500);
        SCOPED_SHAPE b = make_body(kind);
        shape_move(&b, &away);
        shape_finish(&b);
        check_body("far", &b, &random, 1, away.translation);
    }
    SCOPED_SHAPE plate = shape_box((vec3){-1, -1, 0}, (vec3){1, 1, 1e-6});
    check_body("thin", &plate, &random, 1, (vec3){0, 0, 0});
}

static double width_at(shape *a, const vec3 *corner, double *sag)
{
    base_random random = base_random_seed(3);
    gt_field field = make_field(a);
    gt_simplex s = {.corners = 3, .measure = 1, .listed = GT_UNLISTED};
    for (int k = 0; k < 3; k++) {
        s.corner[k] = corner[k];
        gt_simplex_measure(&field, &s, k, GT_NO_FACE);
    }
    gt_simplex_bounds b[GT_PARTS];
    const int count = gt_simplex_bound(&field, &s, -1, b);
    const double width = check_bounds("exact", a, &field, &s, b, count, &random);
    *sag = gt_bend_sum(&b[0].sag, 3);
    gt_field_release(&field);
    return width;
}

/** Above a face the distance is linear, and both bounds are exact. */
Test(simplex, exact_above_a_face)
{
    SCOPED_SHAPE a = shape_box((vec3){-8, -8, -4}, (vec3){8, 8, 0});
    const vec3 corner[3] = {{4.5, 1, -0.25}, {5.5, 1.3, -0.5}, {5, 2, -0.1}};
    double sag;
    cr_assert_leq(width_at(&a, corner, &sag), 1e-13);
    cr_assert_eq(sag, 0);
}

/** Beyond a reflex edge the distance is that from a line: both bounds differ from it by at most
 * what the change of the distance allows, far less than a tangent does. */
Test(simplex, near_exact_beside_reflex_edges)
{
    SCOPED_SHAPE a = {0};
    shape_add_box(&a, (vec3){-8, -8, -8}, (vec3){8, 8, 8}, false);
    shape_add_box(&a, (vec3){-4, -4, -4}, (vec3){0, 4, 0}, true);
    shape_finish(&a);
    const double d = 0.5, e = 0.05;
    const vec3 corner[3] = {{d, 0, d}, {d + e, 2 * e, d - e}, {d, 0.5 * e, d + e}};
    double sag;
    const double width = width_at(&a, corner, &sag), bend = e * e / (8 * d);
    cr_assert_leq(width, 0.2 * bend, "%g of %g", width, bend);
    cr_assert_gt(sag, 0);
}

/** A list is shortened, and it is made only if it is needed. */
Test(simplex, lists_are_made_where_they_are_needed)
{
    base_random random = base_random_seed(5);
    SCOPED_SHAPE a = make_body(2);
    shape_finish(&a);
    gt_field field = make_field(&a);
    gt_simplex s = make_simplex(&field, &random, 3, (vec3){1.25, 0.1, 0.1}, 0.01), again = s;
    gt_simplex_bounds b[GT_PARTS];
    gt_simplex_bound(&field, &s, INFINITY, b);
    cr_assert_eq(s.listed, GT_UNLISTED);
    gt_simplex_bound(&field, &again, -1, b);
    cr_assert(again.listed > 0 && again.listed <= GT_LIST_MAX);
    for (uint32_t i = 0; i < again.listed; i++) {
        const uint32_t face = field.lists[again.list + i];
        const vec3 foot = gt_face_foot(&field, face, again.corner[0]);
        cr_assert_leq(vec3_distance(foot, again.corner[0]), again.distance[0] + 0.1, "face %u",
                      face);
    }
    gt_field_release(&field);
}

/**
 * A triangle over the diagonal of a side is cut along it, because the nearest face changes there.
 */
Test(simplex, cut_where_the_nearest_face_changes)
{
    SCOPED_SHAPE a = shape_box((vec3){-8, -8, -4}, (vec3){8, 8, 0});
    gt_field field = make_field(&a);
    const vec3 corner[2][3] = {{{5, 4, -0.5}, {4.5, 6, -0.25}, {4.6, 6.5, -0.25}},
                               {{5, -4, -0.5}, {4.5, -6, -0.25}, {4.6, -6.5, -0.25}}};
    int cut = 0;
    for (int i = 0; i < 2; i++) { /* one of them is over the diagonal */
        gt_simplex s = {.corners = 3, .measure = 1, .listed = GT_UNLISTED}, parts[2];
        for (int k = 0; k < 3; k++) {
            s.corner[k] = corner[i][k];
            gt_simplex_measure(&field, &s, k, GT_NO_FACE);
        }
        gt_simplex_bounds b[GT_PARTS];
        gt_simplex_bound(&field, &s, -1, b);
        gt_simplex_cut(&field, &s, parts);
        bool on_diagonal = false;
        for (int k = 0; k < 3; k++) {
            const vec3 p = parts[0].corner[k];
            on_diagonal = on_diagonal || fabs(fabs(p.x) - fabs(p.y)) < 1e-12;
        }
        const bool changes = s.face[0] != s.face[1];
        cr_assert_eq(on_diagonal, changes, "triangle %d", i);
        cr_assert_eq(parts[0].cuts, changes);
        cut += changes;
    }
    cr_assert_eq(cut, 1);
    gt_field_release(&field);
}
