/** Exact depths along a direction: known depths, and a comparison with all pairs of triangles,
 * clipped by a reference implementation; refined directions. */
#include "algorithms/lpd/exact.h"
#include "algorithms/lpd/tests/drawing.h"
#include "algorithms/lpd/tests/windows.h"
#include "base/tests/support.h"
#include "geometry/tree.h"

/* 64 eps of coordinates up to 25. */
static const double HAIR = 4e-13;

/** Checks a known depth, the inside flag, and the normal. */
static void check(const geo_mesh *a, const geo_mesh *b, geo_pose pose, alg_lpd_box box,
                  double depth, bool inside, vec3 normal, const char *what)
{
    SCOPED_BODIES s = open_bodies(a, b);
    const alg_lpd_height h = ask(&s, &pose, &box);
    cr_assert_float_eq(h.depth_m, depth, HAIR * (1 + depth), "%s: %.17g, not %.17g", what,
                       h.depth_m, depth);
    cr_assert_eq(h.inside, inside, "%s: inside is %d", what, h.inside);
    cr_assert(vec3_distance(h.normal, vec3_normalize(normal)) < 1e-9, "%s: (%g, %g, %g)", what,
              h.normal.x, h.normal.y, h.normal.z);
}

/* --- Reference: all pairs --------------------------------------------------------------------- */

enum { CORNERS_MAX = 32 };

typedef long double real;

typedef struct corner {
    real x, y;
} corner;

typedef struct polygon {
    corner corner[CORNERS_MAX];
    int count;
} polygon;

/** Clips to u x + v y <= w. */
static polygon cut_off(const polygon *p, real u, real v, real w)
{
    polygon kept = {.count = 0};
    for (int k = 0; k < p->count; k++) {
        const corner c = p->corner[k], d = p->corner[(k + 1) % p->count];
        const real at_c = u * c.x + v * c.y - w, at_d = u * d.x + v * d.y - w;
        if (at_c <= 0) {
            kept.corner[kept.count++] = c;
        }
        if ((at_c < 0 && at_d > 0) || (at_c > 0 && at_d < 0)) {
            const real share = at_c / (at_c - at_d);
            kept.corner[kept.count++] =
                (corner){c.x + share * (d.x - c.x), c.y + share * (d.y - c.y)};
        }
    }
    return kept;
}

/** A triangle in the window's frame: corners, twice its projected area, and its plane z = p x + q y
 * + r. */
typedef struct seen {
    real x[3], y[3], z[3], area, p, q, r;
} seen;

static seen see(geo_triangle t, const alg_lpd_box *box)
{
    seen s;
    for (int k = 0; k < 3; k++) {
        const vec3 d = vec3_sub(t.p[k], box->centre);
        s.x[k] = (real)vec3_dot(d, box->axis[0]);
        s.y[k] = (real)vec3_dot(d, box->axis[1]);
        s.z[k] = (real)vec3_dot(d, box->axis[2]);
    }
    const real ax = s.x[1] - s.x[0], ay = s.y[1] - s.y[0], az = s.z[1] - s.z[0];
    const real bx = s.x[2] - s.x[0], by = s.y[2] - s.y[0], bz = s.z[2] - s.z[0];
    s.area = ax * by - ay * bx;
    s.p = (az * by - ay * bz) / s.area;
    s.q = (ax * bz - az * bx) / s.area;
    s.r = s.z[0] - s.p * s.x[0] - s.q * s.y[0];
    return s;
}

static polygon inside_of(polygon p, const seen *s)
{
    const real turn = s->area > 0 ? 1 : -1;
    for (int k = 0; k < 3; k++) {
        const real ex = s->x[(k + 1) % 3] - s->x[k], ey = s->y[(k + 1) % 3] - s->y[k];
        const real u = turn * ey, v = -turn * ex;
        p = cut_off(&p, u, v, u * s->x[k] + v * s->y[k]);
    }
    return p;
}

typedef struct interval {
    double from, to;
    bool out;
} interval;

/** Returns the interval of two triangles that are not seen edge-on. */
static interval meet(const seen *a, const seen *b, const alg_lpd_box *box)
{
    const real w = (real)box->half[0], h = (real)box->half[1];
    polygon p = {{{-w, -h}, {w, -h}, {w, h}, {-w, h}}, 4};
    p = inside_of(p, a);
    p = inside_of(p, b);
    interval i = {(double)INFINITY, -(double)INFINITY, a->area > 0 && b->area < 0};
    for (int k = 0; k < p.count; k++) {
        const corner c = p.corner[k];
        const real t = (a->p - b->p) * c.x + (a->q - b->q) * c.y + (a->r - b->r);
        i.from = fmin(i.from, (double)t);
        i.to = fmax(i.to, (double)t);
    }
    return i;
}

typedef struct stretch {
    double depth, gap; /* gap: begin of the next contact, minus the depth */
    bool inside;
} stretch;

static stretch brute(const geo_mesh *a, const geo_mesh *b, const geo_pose *pose,
                     const alg_lpd_box *box, double tie)
{
    const size_t count = a->face_count * b->face_count;
    interval *const all = base_alloc(count, sizeof *all);
    cr_assert_not_null(all);
    size_t met = 0;
    for (size_t j = 0; j < b->face_count; j++) {
        const seen t = see(geo_pose_apply_triangle(pose, geo_mesh_triangle(b, j)), box);
        for (size_t i = 0; i < a->face_count; i++) {
            const seen s = see(geo_mesh_triangle(a, i), box);
            const interval m = meet(&s, &t, box);
            if (m.from <= m.to) {
                all[met++] = m;
            }
        }
    }
    stretch s = {0, (double)INFINITY, false};
    for (bool grown = true; grown;) {
        grown = false;
        for (size_t k = 0; k < met; k++) {
            if (all[k].from <= s.depth && all[k].to > s.depth) {
                s.depth = all[k].to;
                grown = true;
            }
        }
    }
    s.inside = s.depth > 0;
    for (size_t k = 0; k < met; k++) {
        s.gap = all[k].from > s.depth ? fmin(s.gap, all[k].from - s.depth) : s.gap;
        s.inside &= !(all[k].out && all[k].from <= s.depth && all[k].to >= s.depth - tie);
    }
    base_free(all);
    return s;
}

/** Compares an answer with the stretch of all pairs, and returns that stretch. An end within
 * rounding of the next contact is not compared. */
static stretch compare(const geo_mesh *a, const geo_mesh *b, const geo_pose *pose,
                       const alg_lpd_box *box, double size, const char *what, int trial)
{
    bodies s = open_bodies(a, b);
    const stretch expected = brute(a, b, pose, box, 1e-9 * size);
    const alg_lpd_height h = ask(&s, pose, box);
    if (expected.gap > 1e-9 * size) {
        cr_assert_float_eq(h.depth_m, expected.depth, 1e-9 * size, "%s %d: %.17g, not %.17g", what,
                           trial, h.depth_m, expected.depth);
        cr_assert_eq(h.inside, expected.inside, "%s %d: inside is %d, depth %g", what, trial,
                     h.inside, h.depth_m);
    }
    const double limit = 0.99 * expected.depth;
    const alg_lpd_height less = alg_lpd_depth_along(&s.pair, pose, box, limit, s.column, NULL);
    cr_assert(less.depth_m == h.depth_m || (isinf(less.depth_m) && less.inside));
    cr_assert_float_eq(vec3_norm(h.normal), 1, 1e-12, "%s %d: not unit", what, trial);
    cr_assert(vec3_dot(h.normal, box->axis[2]) >= 0, "%s %d: backwards", what, trial);
    close_bodies(&s);
    return expected;
}

static alg_lpd_box any_window(base_random *random, double reach, double size)
{
    const vec3 centre = shape_point(random, reach);
    const vec3 n = geo_random_direction(random);
    return window(centre, n, base_random_range(random, 0, size),
                  base_random_range(random, 0, size));
}

Test(exact, soups_have_the_depth_of_all_their_pairs)
{
    base_random random = base_random_seed(1);
    int deep = 0;
    for (int trial = 0; trial < 400; trial++) {
        const size_t faces = trial % 4 == 0 ? 2 : 30;
        SCOPED_MESH a = shape_soup(&random, faces, false), b = shape_soup(&random, faces, false);
        const geo_pose pose = shape_pose(&random, 0.3);
        const alg_lpd_box box = any_window(&random, 0.5, 1);
        deep += compare(&a, &b, &pose, &box, 1, "soup", trial).depth > 0;
    }
    cr_assert(deep > 40, "%d are deep", deep);
}

Test(exact, balls_have_the_depth_of_all_their_pairs)
{
    const int step = (int)sweep_step(3);
    base_random random = base_random_seed(2);
    int inside = 0, out = 0;
    for (int trial = 0; trial < 120; trial += step) {
        SCOPED_MESH a = shape_ball((vec3){0, 0, 0}, 1, 4), b = shape_ball((vec3){0, 0, 0}, 0.7, 3);
        geo_pose pose = shape_pose(&random, 0);
        const vec3 direction = geo_random_direction(&random);
        pose.translation = vec3_scale(base_random_range(&random, 0.5, 1.5), direction);
        const vec3 n = vec3_madd(direction, 0.5, geo_random_direction(&random));
        const alg_lpd_box box =
            window(vec3_scale(0.9, direction), trial % 2 ? n : vec3_scale(-1, n),
                   base_random_range(&random, 0.1, 0.6), 0.3);
        const stretch s = compare(&a, &b, &pose, &box, 1, "balls", trial);
        inside += s.inside;
        out += s.depth > 0 && !s.inside;
    }
    cr_assert(inside > 10 / step && out > 10 / step, "%d inside, %d out", inside, out);
}

/* --- Known depths ----------------------------------------------------------------------------- */

static geo_mesh box_of(double x, double y, double from, double to)
{
    return shape_box((vec3){-x, -y, from}, (vec3){x, y, to});
}

static const vec3 UP = {0, 0, 1}, DOWN = {0, 0, -1};

Test(exact, a_corner_in_a_face)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1), tip = shape_ball((vec3){0, 0, 0}, 0.5, 1);
    const geo_pose pose = shape_shift(0.11, 0.05, 1.4);
    const vec3 on = {0.11, 0.05, 1};
    check(&cube, &tip, pose, window(on, UP, 0.1, 0.1), 0.1, false, UP, "a corner");
    const vec3 askew = vec3_normalize((vec3){0.2, -0.3, 1});
    check(&cube, &tip, pose, window(on, askew, 0.2, 0.2), 0.1 / askew.z, false, UP, "askew");
    /* A corner of A. */
    check(&tip, &cube, shape_shift(0, 0, -1.4), window((vec3){0, 0, -0.4}, DOWN, 0.1, 0.1), 0.1,
          false, DOWN, "of A's");
    /* Along the reverse direction, the tip's walls reach the corners of the window when B has moved
       by 0.1. */
    SCOPED_BODIES s = open_bodies(&cube, &tip);
    const alg_lpd_box back = window(on, DOWN, 0.1, 0.1);
    const alg_lpd_height h = ask(&s, &pose, &back);
    cr_assert(h.inside, "the wrong way, after %g", h.depth_m);
    cr_assert_float_eq(h.depth_m, 0.1, HAIR, "%g", h.depth_m);
    const alg_lpd_translation translation =
        alg_lpd_depth_exact(&s.pair, &pose, &back, s.column, NULL);
    cr_assert_eq(translation.direction.z, 1);
    cr_assert_float_eq(translation.depth_m, 0.1, HAIR);
    /* In a narrow window they reach them earlier. */
    const alg_lpd_box narrow = window(on, DOWN, 0.1, 0.02);
    cr_assert_float_eq(ask(&s, &pose, &narrow).depth_m, 0.02, HAIR);
    const alg_lpd_translation up = alg_lpd_depth_exact(&s.pair, &pose, &narrow, s.column, NULL);
    cr_assert_eq(up.direction.z, 1);
    cr_assert_float_eq(up.depth_m, 0.1, HAIR);
}

/** Returns a rotation by an eighth of a turn about an axis of the frame, and a shift. */
static geo_pose edge_up(vec3 axis, vec3 shift)
{
    const double half = 3.14159265358979323846 / 8;
    return geo_pose_make((geo_quat){axis.x * sin(half), axis.y * sin(half), 0, cos(half)}, shift);
}

Test(exact, an_edge_on_an_edge)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1);
    const geo_pose roof = edge_up((vec3){1, 0, 0}, (vec3){0, 0, 0});
    SCOPED_MESH a = moved(&cube, &roof);
    const geo_pose pose = edge_up((vec3){0, 1, 0}, (vec3){0.1, 0.2, 2 * sqrt(2) - 0.1});
    const vec3 on = {0.1, 0, sqrt(2) - 0.05}, n = vec3_normalize((vec3){0.1, 0.2, 1});
    check(&a, &cube, pose, window(on, UP, 0.05, 0.05), 0.1, false, UP, "edges");
    check(&a, &cube, pose, window(on, n, 0.1, 0.1), 0.1 / n.z, false, UP, "edges, askew");
}

Test(exact, flush_faces_and_walls)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1), block = box_of(0.5, 0.5, 0, 1);
    const vec3 on = {0, 0, 1};
    check(&cube, &block, shape_shift(0, 0, 0.9), window(on, UP, 0.5, 0.5), 0.1, false, UP,
          "faces that are parallel");
    check(&cube, &block, shape_shift(0, 0, 0.9), window(on, DOWN, 0.5, 0.5), 0.9, true, DOWN,
          "down, the walls pass the face");
    check(&cube, &block, shape_shift(0, 0, 1), window(on, UP, 0.5, 0.5), 0, false, UP, "on it");
    check(&cube, &block, shape_shift(0, 0, 1.01), window(on, UP, 0.5, 0.5), 0, false, UP, "above");
    /* Touching walls meet as long as they pass each other. */
    check(&cube, &block, shape_shift(1.5, 0, 0.25), window((vec3){1, 0, 0.5}, UP, 0.1, 0.4), 0.75,
          false, UP, "walls that touch");
}

Test(exact, the_first_stretch_ends_it)
{
    SCOPED_MESH comb = shape_join(box_of(1, 1, 0, 0.2), box_of(1, 1, 1, 1.2));
    SCOPED_MESH leaf = box_of(0.5, 0.5, 0.15, 0.25);
    check(&comb, &leaf, shape_shift(0, 0, 0), window((vec3){0, 0, 0.2}, UP, 0.5, 0.5), 0.05, false,
          UP, "a comb");
    /* A leaf that is so thick that it meets the second tooth before it has left the first. */
    SCOPED_MESH thick = box_of(0.5, 0.5, 0.15, 0.98);
    check(&comb, &thick, shape_shift(0, 0, 0), window((vec3){0, 0, 0.2}, UP, 0.5, 0.5), 1.05, false,
          UP, "a comb with little room");
}

Test(exact, what_is_outside_of_the_column_does_not_count)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1);
    SCOPED_MESH two = shape_join(shape_ball((vec3){-0.5, 0, 1.4}, 0.5, 1),
                                 shape_ball((vec3){0.6, 0, 1.25}, 0.5, 1));
    const geo_pose stay = shape_shift(0, 0, 0);
    check(&cube, &two, stay, window((vec3){-0.5, 0, 1}, UP, 0.1, 0.1), 0.1, false, UP, "left");
    check(&cube, &two, stay, window((vec3){0.6, 0, 1}, UP, 0.25, 0.25), 0.25, false, UP, "right");
    check(&cube, &two, stay, window((vec3){0.05, 0, 1}, UP, 0.65, 0.1), 0.25, false, UP, "both");
    /* The window covers only a part of the tip, 0.1 beside its end. */
    SCOPED_BODIES s = open_bodies(&cube, &two);
    const alg_lpd_box beside = window((vec3){0.8, 0, 1}, UP, 0.1, 0.01);
    const alg_lpd_height h = ask(&s, &stay, &beside);
    cr_assert_float_eq(h.depth_m, 0.15, HAIR, "%.17g", h.depth_m);
}

/** A bar that leans by 45 degrees and goes 3 deep into a block. In the window of its curve it is
 * only 1 deep. */
Test(exact, windows_grow_with_what_is_found)
{
    SCOPED_MESH block = shape_cube((vec3){0, 0, -10}, 10);
    SCOPED_MESH bar = box_of(0.5, 0.5, -3, 1);
    geo_mesh_builder lean = shape_copy(&bar);
    for (size_t v = 0; v < lean.vertex_count; v++) {
        lean.vertices[v].x -= lean.vertices[v].z;
    }
    SCOPED_MESH leaning = geo_mesh_builder_finish(&lean);
    const geo_pose stay = shape_shift(0, 0, 0);
    const alg_lpd_box curve = window((vec3){0, 0, 0}, UP, 0.5, 0.5);
    for (int grows = 0; grows < 2; grows++) {
        SCOPED_BODIES s = open_bodies_in(&block, &leaning, grows);
        const alg_lpd_height h = ask(&s, &stay, &curve);
        cr_assert_float_eq(h.depth_m, grows ? 3 : 1, 10 * HAIR, "grows %d: %.17g", grows,
                           h.depth_m);
        /* Growing windows exceed the limit, so the search stops. */
        const alg_lpd_height low = alg_lpd_depth_along(&s.pair, &stay, &curve, 1.5, s.column, NULL);
        cr_assert_eq(isinf(low.depth_m), grows, "grows %d: %g", grows, low.depth_m);
    }
    const alg_lpd_box grown = alg_lpd_box_grown(&curve, 0.25);
    cr_assert(grown.half[0] == 0.75 && grown.half[1] == 0.75 && grown.half[2] == 0);
}

/** Plates, segments and points, in windows that are lines and points. */
Test(exact, flat_things)
{
    SCOPED_MESH plate = one_triangle((vec3){-3, -3, 0}, (vec3){3, -3, 0}, (vec3){0, 5, 0});
    SCOPED_MESH wall = one_triangle((vec3){-1, 0, -0.3}, (vec3){1, 0, -0.3}, (vec3){0, 0, 0.5});
    SCOPED_MESH needle = one_triangle((vec3){0, 0, -0.2}, (vec3){0, 0, 0.4}, (vec3){0, 0, 0.1});
    SCOPED_MESH point = one_triangle((vec3){0, 0, 0}, (vec3){0, 0, 0}, (vec3){0, 0, 0});
    const geo_pose stay = shape_shift(0, 0, 0);
    const alg_lpd_box up = window((vec3){0, 0, 0}, UP, 0.625, 0);
    const alg_lpd_box down = window((vec3){0, 0, 0}, DOWN, 0.625, 0);
    check(&plate, &wall, stay, up, 0.3, false, UP, "a wall through a plate");
    bodies s = open_bodies(&plate, &wall);
    cr_assert_float_eq(ask(&s, &stay, &down).depth_m, 0.5, HAIR);
    close_bodies(&s);
    check(&plate, &needle, stay, up, 0.2, false, UP, "a needle");
    /* The plate looks upwards: if it were part of a solid, the needle would be inside. */
    check(&needle, &plate, stay, up, 0.4, true, UP, "a plate on a needle");
    check(&plate, &point, stay, window((vec3){0, 0, 0}, UP, 0, 0), 0, false, UP, "a point");
    check(&needle, &needle, stay, window((vec3){0, 0, 0}, UP, 0, 0), 0.6, false, UP, "needles");
    check(&needle, &point, stay, window((vec3){0, 0, 0}, UP, 0, 0), 0.4, false, UP,
          "a point on a needle");
}

/** Two triangles in one wall: their sides part, also if the wall is rotated. */
Test(exact, within_a_wall)
{
    SCOPED_MESH a = one_triangle((vec3){0, 0, 0}, (vec3){0, 1, 0}, (vec3){0, 0, 1});
    SCOPED_MESH b = one_triangle((vec3){0, 0.5, 0}, (vec3){0, 1.5, 0}, (vec3){0, 0.5, 1});
    for (int turn = 0; turn < 8; turn++) {
        const geo_pose pose = geo_pose_make((geo_quat){0, 0, turn / 8.0, 1}, (vec3){0, 0, 0});
        SCOPED_MESH turned = moved(&a, &pose);
        SCOPED_BODIES s = open_bodies(&turned, &b);
        const alg_lpd_box up = window((vec3){0, 0, 0}, UP, 3, 3),
                          down = window((vec3){0, 0, 0}, DOWN, 3, 3);
        const double rise = ask(&s, &pose, &up).depth_m, fall = ask(&s, &pose, &down).depth_m;
        cr_assert_float_eq(rise, 0.5, HAIR, "%d: up %.17g", turn, rise);
        cr_assert_float_eq(fall, 1, HAIR, "%d: down %.17g", turn, fall);
    }
}

/** Balls of several resolutions, offset along an axis: B's lowest corner is below A's highest one,
 * both on the axis. */
Test(exact, a_lens_of_balls)
{
    for (uint32_t n = 2; n <= 32; n *= 2) {
        SCOPED_MESH ball = shape_ball((vec3){0, 0, 0}, 1, n);
        const double in = 0.1, reach = 1 - in / 2;
        for (int axis = 0; axis < 6; axis++) {
            const double sign = axis < 3 ? 1 : -1;
            const vec3 direction = {sign * (axis % 3 == 0), sign * (axis % 3 == 1),
                                    sign * (axis % 3 == 2)};
            const vec3 to = vec3_scale(2 - in, direction);
            const double radius = sqrt(1 - reach * reach);
            SCOPED_BODIES s = open_bodies(&ball, &ball);
            const geo_pose pose = shape_shift(to.x, to.y, to.z);
            for (int back = 0; back < 2; back++) {
                const alg_lpd_box box =
                    window(vec3_scale(reach, direction), vec3_scale(back ? -1 : 1, direction),
                           radius, radius);
                const alg_lpd_translation out =
                    alg_lpd_depth_exact(&s.pair, &pose, &box, s.column, NULL);
                cr_assert_float_eq(out.depth_m, in, HAIR, "%u, axis %d: %.17g", n, axis,
                                   out.depth_m);
                cr_assert(vec3_distance(out.direction, direction) < 1e-12, "%u, axis %d", n, axis);
            }
        }
    }
}

/* --- Theories --------------------------------------------------------------------------------- */

/**
 * More teeth of a comb than the waiting list can store, with a leaf too thick to fit between them:
 * the leaf meets each tooth while it leaves the previous one. Plates of A are numbered from above,
 * so that the first one to be met is not the first one in the order of numbers.
 */
Test(exact, many_contacts_in_a_row)
{
    for (int teeth = 2; teeth <= 2048; teeth *= 4) {
        geo_mesh_builder mesh = shape_new(4 * (size_t)teeth, 2 * (size_t)teeth);
        for (uint32_t k = 0; k < (uint32_t)teeth; k++) {
            for (uint32_t v = 0; v < 4; v++) {
                mesh.vertices[4 * k + v] =
                    (vec3){v & 1 ? 1 : -1, v & 2 ? 1 : -1, (double)teeth - 1 - k};
            }
            mesh.faces[2 * k] = (geo_face){{4 * k, 4 * k + 1, 4 * k + 3}};
            mesh.faces[2 * k + 1] = (geo_face){{4 * k, 4 * k + 3, 4 * k + 2}};
        }
        SCOPED_MESH comb = geo_mesh_builder_finish(&mesh), leaf = box_of(0.5, 0.5, -0.25, 1);
        check(&comb, &leaf, shape_shift(0, 0, 0), window((vec3){0, 0, 0}, UP, 0.5, 0.5),
              teeth - 0.75, false, UP, "a comb of plates");
    }
}

/** More needles than the waiting list can store. A plate meets them one after the other, in
 * scattered positions. */
Test(exact, a_plate_over_needles)
{
    SCOPED_MESH plate = one_triangle((vec3){-9, -9, 0}, (vec3){0, 18, 0}, (vec3){9, -9, 0});
    const double high = 0x1p-14;
    for (uint32_t count = 1; count <= 1024; count *= 4) {
        geo_mesh_builder mesh = shape_new(3 * (size_t)count, count);
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t place = 379 * k % 1024;
            const double x = place % 32 / 16.0 - 1, y = place / 32 / 16.0 - 1, z = high * k;
            mesh.vertices[3 * k] = (vec3){x, y, z - 0.25 * high};
            mesh.vertices[3 * k + 1] = (vec3){x + 0.01, y, z - 0.25 * high};
            mesh.vertices[3 * k + 2] = (vec3){x, y, z + high};
            mesh.faces[k] = (geo_face){{3 * k, 3 * k + 1, 3 * k + 2}};
        }
        SCOPED_MESH needles = geo_mesh_builder_finish(&mesh);
        check(&needles, &plate, shape_shift(0, 0, 0), window((vec3){0, 0, 0}, UP, 2, 2),
              high * count, false, UP, "needles");
    }
}

Test(exact, bodies_of_all_kinds_have_the_depth_of_all_their_pairs)
{
    base_random random = base_random_seed(3);
    for (int trial = 0; trial < 160; trial += (int)sweep_step(7)) {
        scene s = any_scene(&random, trial);
        (void)compare(&s.a, &s.b, &s.pose, &s.box, 1, "bodies", trial);
        end_scene(&s);
    }
}

/** A cube pressed on a steep face: all pairs at its corner end at the same translation, up to
 * rounding times the slope of the face. */
Test(exact, a_corner_on_a_steep_face_leads_out)
{
    base_random random = base_random_seed(12);
    SCOPED_MESH wall = shape_box((vec3){-1, -40, -40}, (vec3){0, 40, 40});
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 0.5);
    static const double slopes[] = {1e-1, 1e-2, 1e-3, 1e-4};
    for (int trial = 0; trial < 100; trial++) {
        /* The normal of the wall's face leans by this much towards the motion, which is along z. */
        const double lean = slopes[trial % 4], in = 3 * lean;
        const vec3 n = vec3_normalize((vec3){1, 0, lean});
        const mat3 turn = {{{n.x, 0, -n.z}, {0, 1, 0}, {n.z, 0, n.x}}};
        geo_mesh_builder copy = shape_copy(&wall);
        SCOPED_MESH leaning =
            shape_move(geo_mesh_builder_finish(&copy), (geo_pose){turn, {0, 0, 0}}, 1);
        geo_pose pose = shape_pose(&random, 0);
        double low = 0;
        vec3 tip = {0, 0, 0};
        for (size_t v = 0; v < cube.vertex_count; v++) {
            const vec3 p = geo_pose_apply(&pose, cube.vertices[v]);
            tip = vec3_dot(p, n) < low ? p : tip;
            low = fmin(low, vec3_dot(p, n));
        }
        pose.translation = vec3_scale(-low - in, n);
        SCOPED_BODIES s = open_bodies(&leaning, &cube);
        const alg_lpd_box box = window(vec3_add(tip, pose.translation), (vec3){0, 0, 1}, 0.4, 0.4);
        const alg_lpd_height h = ask(&s, &pose, &box);
        cr_assert(!h.inside && fabs(h.depth_m - in / n.z) < 1e-6, "%d: inside %d, %.12g, not %.12g",
                  trial, h.inside, h.depth_m, in / n.z);
    }
}

/* --- One group of all segments ---------------------------------------------------------------- */

enum { ROOM = 4096 };

static bool draw(void *context, uint32_t face_a, uint32_t face_b, const geo_common *common)
{
    (void)face_a, (void)face_b;
    drawing *const d = context;
    drawing_link(d, common->from, common->to, false);
    return true;
}

/** Makes one curve of all segments that two bodies share. */
static drawing curve_of(const bodies *s, const geo_pose *pose)
{
    drawing d = drawing_begin(ROOM);
    geo_tree_intersections(&s->pair.a->tree, &s->pair.b->tree, pose, true, draw, &d, NULL);
    drawing_finish(&d, false);
    drawing_merge(&d, 0);
    return d;
}

static alg_lpd_box along(const drawing *d, vec3 n)
{
    return alg_lpd_box_along(&d->segments, &d->curves, &d->groups, d->groups.items,
                             vec3_normalize(n));
}

static alg_lpd_translation refine(bodies *s, const geo_pose *pose, const drawing *d,
                                  alg_lpd_objective objective, uint32_t steps, alg_lpd_box *box)
{
    const alg_lpd_refinement r = {&s->pair,        pose,      &d->segments, &d->curves, &d->groups,
                                  d->groups.items, objective, steps,        s->column,  NULL};
    return alg_lpd_depth_refined(&r, box);
}

/* --- Known directions ------------------------------------------------------------------------- */

/** A box pressed into the plate z <= 0, or the plate into it: the plate's normal is the way out
 * from any start. */
Test(refine, a_box_pressed_askew_into_a_plate)
{
    base_random random = base_random_seed(1);
    SCOPED_MESH plate = shape_box((vec3){-3, -3, -1}, (vec3){3, 3, 0});
    SCOPED_MESH box = shape_box((vec3){-0.5, -0.4, -0.3}, (vec3){0.5, 0.4, 0.3});
    for (int trial = 0; trial < 100; trial += (int)sweep_step(5)) {
        geo_pose pose = shape_pose(&random, 0);
        double low = 0;
        for (size_t v = 0; v < box.vertex_count; v++) {
            low = fmin(low, geo_pose_apply(&pose, box.vertices[v]).z);
        }
        const double in = 0.05;
        pose.translation.z = -low - in;
        const vec3 begin = vec3_madd(UP, 0.8, geo_random_direction(&random));
        bodies s = open_bodies(&plate, &box);
        drawing d = curve_of(&s, &pose);
        alg_lpd_box window = along(&d, trial % 2 ? begin : vec3_scale(-1, begin));
        const alg_lpd_translation translation = refine(&s, &pose, &d, ALG_LPD_GRADIENT, 8, &window);
        cr_assert_float_eq(translation.depth_m, in, 1e-6 * in, "%d: %.9g deep, not %.9g", trial,
                           translation.depth_m, in);
        cr_assert(vec3_distance(translation.direction, UP) < 1e-3, "%d: (%g, %g, %g)", trial,
                  translation.direction.x, translation.direction.y, translation.direction.z);
        alg_lpd_box other = along(&d, begin);
        const alg_lpd_translation ring = refine(&s, &pose, &d, ALG_LPD_PATTERN, 120, &other);
        cr_assert(ring.depth_m >= in * (1 - 1e-12) && ring.depth_m < in * 1.001,
                  "%d: %.9g deep by the pattern", trial, ring.depth_m);
        drawing_end(&d);
        close_bodies(&s);

        const geo_pose back = geo_pose_inverse(&pose);
        SCOPED_BODIES turned = open_bodies(&box, &plate);
        SCOPED_DRAWING e = curve_of(&turned, &back);
        alg_lpd_box view = along(&e, geo_pose_rotate(&back, begin));
        const alg_lpd_translation down = refine(&turned, &back, &e, ALG_LPD_GRADIENT, 8, &view);
        cr_assert_float_eq(down.depth_m, in, 1e-6 * in, "%d: the plate is %.9g deep", trial,
                           down.depth_m);
    }
}

/** Round bodies: the gradient is that of facets, but the depth is nearly that of the balls. */
Test(refine, a_lens_looked_at_askew)
{
    base_random random = base_random_seed(2);
    SCOPED_MESH ball = shape_ball((vec3){0, 0, 0}, 1, 24);
    SCOPED_BODIES s = open_bodies(&ball, &ball);
    for (int trial = 0; trial < 20; trial++) {
        const vec3 direction = geo_random_direction(&random);
        geo_pose pose = shape_pose(&random, 0);
        pose.translation = vec3_scale(1.9, direction);
        SCOPED_DRAWING d = curve_of(&s, &pose);
        const vec3 begin = vec3_madd(direction, 0.5, geo_random_direction(&random));
        for (int objective = ALG_LPD_GRADIENT; objective <= ALG_LPD_PATTERN; objective++) {
            alg_lpd_box box = along(&d, begin);
            const alg_lpd_translation first =
                alg_lpd_depth_exact(&s.pair, &pose, &box, s.column, NULL);
            const alg_lpd_translation out = refine(&s, &pose, &d, objective, 40, &box);
            cr_assert(out.depth_m < 0.1 * 1.01 && out.depth_m <= first.depth_m,
                      "%d by %d: %g deep, %g at first", trial, objective, out.depth_m,
                      first.depth_m);
        }
    }
}

/* --- Theories --------------------------------------------------------------------------------- */

/** More directions never increase the depth, and the result matches the returned box. */
Test(refine, never_longer_than_without)
{
    const int step = (int)sweep_step(3);
    base_random random = base_random_seed(3);
    int shorter[2] = {0, 0};
    double sum[2] = {0, 0}, all = 0;
    for (int trial = 0; trial < 200; trial += step) {
        scene sc = any_scene(&random, trial);
        bodies s = open_bodies(&sc.a, &sc.b);
        SCOPED_DRAWING d = curve_of(&s, &sc.pose);
        if (d.segments.count == 0) {
            drawing_end(&d);
            close_bodies(&s);
            end_scene(&sc);
            continue;
        }
        const alg_lpd_box begin = along(&d, geo_random_direction(&random));
        const alg_lpd_translation exact =
            alg_lpd_depth_exact(&s.pair, &sc.pose, &begin, s.column, NULL);
        for (int objective = ALG_LPD_GRADIENT; objective <= ALG_LPD_PATTERN; objective++) {
            alg_lpd_height last = ask(&s, &sc.pose, &begin);
            const alg_lpd_box back = alg_lpd_box_turned(&begin);
            const alg_lpd_height down = ask(&s, &sc.pose, &back);
            last = alg_lpd_height_less(&down, &last) ? down : last;
            for (uint32_t steps = 0; steps < 20; steps += 1 + steps) {
                alg_lpd_box box = begin;
                const alg_lpd_translation translation =
                    refine(&s, &sc.pose, &d, objective, steps, &box);
                cr_assert_float_eq(vec3_norm(translation.direction), 1, 1e-12, "%d: not unit",
                                   trial);
                cr_assert(vec3_equal(translation.direction, box.axis[2]), "%d: not the box's",
                          trial);
                const alg_lpd_height h = ask(&s, &sc.pose, &box);
                cr_assert_eq(h.depth_m, translation.depth_m, "%d: not the depth of the box", trial);
                cr_assert(!alg_lpd_height_less(&last, &h), "%d by %d: %g after %u, %g before",
                          trial, objective, h.depth_m, steps, last.depth_m);
                cr_assert(steps > 0 || (translation.depth_m == exact.depth_m &&
                                        vec3_equal(translation.direction, exact.direction)),
                          "%d: no step, but another way", trial);
                last = h;
            }
            shorter[objective] += last.depth_m < 0.9 * exact.depth_m;
            sum[objective] += exact.depth_m > 0 ? last.depth_m / exact.depth_m : 1;
        }
        all++;
        close_bodies(&s);
        end_scene(&sc);
    }
    /* Turns that are too large are halved. */
    cr_assert(sum[0] < 0.82 * all && sum[1] < 0.82 * all, "of %g: %g and %g", all, sum[0], sum[1]);
    cr_assert(shorter[0] > 40 / step && shorter[1] > 40 / step, "%d and %d are shorter", shorter[0],
              shorter[1]);
}

/* --- Against the search without limits -------------------------------------------------------- */

static const double endless = INFINITY;

/** Tries one ring of the pattern from one side. *longer counts ways that lead out and are longer
 * than the best one, which does not. */
static alg_lpd_height plain_ring(bodies *s, const geo_pose *pose, const drawing *d,
                                 const alg_lpd_box *begin, int *longer)
{
    const double size = 0.36397023426620236, half_root_3 = 0.86602540378443865;
    const double across[6][2] = {{1, 0},  {0.5, half_root_3},   {-0.5, half_root_3},
                                 {-1, 0}, {-0.5, -half_root_3}, {0.5, -half_root_3}};
    alg_lpd_height best = alg_lpd_depth_along(&s->pair, pose, begin, endless, s->column, NULL);
    for (int k = 0; k < 6; k++) {
        const vec3 x = vec3_madd(begin->axis[2], size * across[k][0], begin->axis[0]);
        const alg_lpd_box box = along(d, vec3_madd(x, size * across[k][1], begin->axis[1]));
        const alg_lpd_height h =
            alg_lpd_depth_along(&s->pair, pose, &box, endless, s->column, NULL);
        if (alg_lpd_height_less(&h, &best)) {
            *longer += best.inside && h.depth_m > best.depth_m;
            best = h;
        }
    }
    return best;
}

/**
 * A way whose search stopped early because it is too long would not have been taken; a longer one
 * that leads out is taken. Faces of soups look anywhere, so that often neither of two directions
 * leads out.
 */
Test(refine, a_longer_way_that_leads_out_is_taken)
{
    base_random random = base_random_seed(8);
    int longer = 0, searches = 0;
    for (int trial = 0; trial < 2000; trial++) {
        SCOPED_MESH soup_a = shape_soup(&random, 12, false),
                    soup_b = shape_soup(&random, 12, false);
        SCOPED_BODIES s = open_bodies(&soup_a, &soup_b);
        const geo_pose pose = shape_pose(&random, 0.6);
        SCOPED_DRAWING d = curve_of(&s, &pose);
        if (d.segments.count > 0) {
            alg_lpd_box view = along(&d, geo_random_direction(&random));
            const alg_lpd_box side[2] = {view, alg_lpd_box_turned(&view)};
            alg_lpd_height h[2];
            for (int k = 0; k < 2; k++) {
                h[k] = alg_lpd_depth_along(&s.pair, &pose, &side[k], endless, s.column, NULL);
            }
            const bool none_out = h[0].inside && h[1].inside;
            for (int k = 0; k < 2; k++) {
                if (!h[k].inside || none_out) {
                    h[k] = plain_ring(&s, &pose, &d, &side[k], &longer);
                }
            }
            const double best = h[alg_lpd_height_less(&h[1], &h[0])].depth_m;
            const alg_lpd_translation translation =
                refine(&s, &pose, &d, ALG_LPD_PATTERN, 6, &view);
            cr_assert_eq(translation.depth_m, best, "trial %d: %.17g, not %.17g", trial,
                         translation.depth_m, best);
            searches++;
        }
    }
    cr_assert(searches > 100 && longer > 9, "%d searches, %d longer ways out", searches, longer);
}
