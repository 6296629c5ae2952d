/** Pairs of boxes in any pose, most of them with coplanar faces, compared with a third method
 * for the volume: one box as polygons in long double, cut by the six planes of the other one. */
#include "base/elementary.h"
#include "base/error.h"
#include "base/random.h"
#include "base/tests/support.h"
#include "geometry/pose.h"
#include "geometry/types.h"
#include "groundtruth/distance/distance.h"
#include "groundtruth/volume/flux.h"
#include "groundtruth/volume/volume_tetra.h"

#include "shapes.h"

/* --- The reference ---------------------------------------------------------------------------- */

typedef struct point {
    long double v[3];
} point;

enum { CORNERS_MAX = 16, POLYGONS_MAX = 200 };

typedef struct polygon {
    point p[CORNERS_MAX];
    int count;
} polygon;

/** A convex solid: its faces, counter-clockwise as seen from outside; some may have no area. */
typedef struct solid {
    polygon faces[POLYGONS_MAX];
    int count;
} solid;

static solid box_solid(vec3 half, const geo_pose *pose)
{
    /* Corner i has the higher coordinate k if bit k of i is set. */
    static const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    solid s = {.count = 6};
    for (int f = 0; f < 6; f++) {
        s.faces[f].count = 4;
        for (int k = 0; k < 4; k++) {
            const int i = faces[f][k];
            const vec3 corner = {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                                 i & 4 ? half.z : -half.z};
            const vec3 moved = geo_pose_apply(pose, corner);
            s.faces[f].p[k] =
                (point){{(long double)moved.x, (long double)moved.y, (long double)moved.z}};
        }
    }
    return s;
}

/** Keeps the part with sign * x[axis] <= limit. gap: the edge on the plane that closes the cut. */
static polygon cut_polygon(const polygon *in, int axis, long double sign, long double limit,
                           point gap[2], bool *cut)
{
    polygon out = {.count = 0};
    *cut = false;
    for (int i = 0; i < in->count; i++) {
        const point a = in->p[i], b = in->p[(i + 1) % in->count];
        const long double f = limit - sign * a.v[axis], g = limit - sign * b.v[axis];
        if (f >= 0) {
            out.p[out.count++] = a;
        }
        if ((f >= 0) != (g >= 0)) {
            const long double t = f / (f - g);
            point x;
            for (int k = 0; k < 3; k++) {
                x.v[k] = a.v[k] + t * (b.v[k] - a.v[k]);
            }
            x.v[axis] = sign * limit;
            out.p[out.count++] = x;
            gap[f >= 0 ? 1 : 0] = x;
            *cut = true;
        }
    }
    return out;
}

/** Cuts a solid. The cap is a fan of triangles about one of its points. */
static void cut_solid(solid *s, int axis, long double sign, long double limit)
{
    const solid before = *s;
    s->count = 0;
    point first = {{0}};
    bool any = false;
    for (int f = 0; f < before.count; f++) {
        point gap[2];
        bool cut;
        const polygon rest = cut_polygon(&before.faces[f], axis, sign, limit, gap, &cut);
        if (rest.count >= 3) {
            s->faces[s->count++] = rest;
        }
        if (cut) {
            first = any ? first : gap[0];
            any = true;
            s->faces[s->count++] = (polygon){{first, gap[0], gap[1]}, 3};
        }
        cr_assert_lt(s->count + 2, POLYGONS_MAX);
    }
}

static long double solid_volume(const solid *s)
{
    long double volume = 0;
    for (int f = 0; f < s->count; f++) {
        const polygon *const face = &s->faces[f];
        const long double *const o = s->faces[0].p[0].v;
        for (int i = 1; i + 1 < face->count; i++) {
            long double m[3][3];
            const point *const corners[3] = {&face->p[0], &face->p[i], &face->p[i + 1]};
            for (int r = 0; r < 3; r++) {
                for (int k = 0; k < 3; k++) {
                    m[r][k] = corners[r]->v[k] - o[k];
                }
            }
            volume += m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) +
                      m[0][1] * (m[1][2] * m[2][0] - m[1][0] * m[2][2]) +
                      m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
        }
    }
    return volume / 6;
}

static double expected_volume(vec3 half_a, vec3 half_b, const geo_pose *pose)
{
    solid s = box_solid(half_b, pose);
    for (int axis = 0; axis < 3; axis++) {
        cut_solid(&s, axis, 1, (long double)vec3_get(half_a, axis));
        cut_solid(&s, axis, -1, (long double)vec3_get(half_a, axis));
    }
    return (double)solid_volume(&s);
}

Test(boxes, the_referee_is_right)
{
    const vec3 one = {1, 1, 1}, thin = {2, 0.5, 0.125};
    const double r = sqrt(0.5);
    const struct {
        vec3 a, b;
        geo_pose pose;
        double expected;
    } cases[] = {
        {one, one, shift(0, 0, 0), 8},
        {one, one, shift(2, 0, 0), 0},
        {one, one, shift(1, 1, 1), 1},
        {one, one, shift(3, 0, 0), 0},
        {one, thin, shift(0, 0, 0), 0.5},
        {thin, one, shift(2, 0.25, 0), 0.25},
        /* An octagon: the square minus four corners. */
        {one, one, geo_pose_make((geo_quat){0, 0, sin(BASE_PI / 8), cos(BASE_PI / 8)}, (vec3){0}),
         2 * (4 - 4 * (2 - sqrt(2)) * (2 - sqrt(2)) / 2)},
        /* An edge of B enters by r: a prism over a right isosceles triangle. */
        {one, one,
         geo_pose_make((geo_quat){0, 0, sin(BASE_PI / 8), cos(BASE_PI / 8)},
                       (vec3){1 + sqrt(2) - r, 0, 0}),
         1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double v = expected_volume(cases[i].a, cases[i].b, &cases[i].pose);
        cr_assert_float_eq(v, cases[i].expected, 4e-15, "case %zu: %.17g, not %.17g", i, v,
                           cases[i].expected);
    }
}

/* --- Random pairs ----------------------------------------------------------------------------- */

enum { BOXES = 8, POSES = 24, POSE_KINDS = 4 };

/** Returns a whole number of eighths, 1 to 8; sometimes a tiny number. */
static double random_edge(base_random *random)
{
    const uint64_t k = base_random_below(random, 9);
    return k == 8 ? 0x1p-20 : 0.125 * (double)(k + 1);
}

static geo_quat even_rotation(base_random *random)
{
    const uint64_t k = base_random_below(random, 12);
    if (k < 4) {
        return (geo_quat){k == 0, k == 1, k == 2, k == 3};
    }
    return (geo_quat){k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k >= 8 ? 0.5 : -0.5, 0.5};
}

static vec3 lattice_point(base_random *random)
{
    double p[3];
    for (int k = 0; k < 3; k++) {
        p[k] = 0.125 * ((double)base_random_below(random, 17) - 8);
    }
    return (vec3){p[0], p[1], p[2]};
}

/**
 * Draws a pose of a kind: any; aligned axes; tops that may be coplanar; axes aligned up to
 * rounding.
 */
static geo_pose box_pose(base_random *random, int kind)
{
    const double r = sqrt(0.5), angle = base_random_range(random, -4, 4);
    const geo_quat about_z = {0, 0, base_sin(angle / 2), base_cos(angle / 2)};
    const geo_quat quarter = {0, 0, r, r};
    switch (kind) {
    case 0:
        return random_pose(random, 1.5 * base_random_unit(random));
    case 1:
        return geo_pose_make(even_rotation(random), lattice_point(random));
    case 2:
        return geo_pose_make(about_z, lattice_point(random));
    default:
        return geo_pose_make(geo_quat_mul(even_rotation(random), quarter), lattice_point(random));
    }
}

static void check_pair(const shape *a, const shape *b, const geo_pose *pose, double expected,
                       gt_flux_space *space, const char *where)
{
    gt_volume t;
    gt_flux f;
    gt_distance d;
    gt_volume_query(a->body, b->body, pose, &t);
    gt_distance_query(a->body, b->body, pose, &d);
    assert_ok(gt_flux_query(a->body, b->body, pose, space, &f, ERR));
    cr_assert(within(t.volume_m3, expected), "%s: tetra [%.17g, %.17g], not %.17g", where,
              t.volume_m3.lo, t.volume_m3.hi, expected);
    cr_assert(within(f.volume_m3, expected) && f.flaws == 0,
              "%s: flux [%.17g, %.17g], not %.17g, %llu flaws", where, f.volume_m3.lo,
              f.volume_m3.hi, expected, (unsigned long long)f.flaws);
    cr_assert(expected < 1e-15 || d.distance_m.lo == 0, "%s: %.17g m apart", where,
              d.distance_m.lo);
}

Test(boxes, every_method_and_the_referee)
{
    base_random random = base_random_seed(91);
    vec3 half_a[BOXES], half_b[BOXES];
    shape a[BOXES], b[BOXES];
    for (int i = 0; i < BOXES; i++) {
        half_a[i] = (vec3){random_edge(&random), random_edge(&random), random_edge(&random)};
        half_b[i] = (vec3){random_edge(&random), random_edge(&random), random_edge(&random)};
        a[i] = shape_box(vec3_scale(-1, half_a[i]), half_a[i]);
        b[i] = shape_box(vec3_scale(-1, half_b[i]), half_b[i]);
        shape_tetrahedralise(&a[i]);
        shape_tetrahedralise(&b[i]);
    }
    gt_flux_space *const space = gt_flux_space_create();
    int over[POSE_KINDS] = {0}, none[POSE_KINDS] = {0};
    for (int n = 0; n < BOXES * BOXES * POSES; n++) {
        const int i = n / POSES / BOXES, j = n / POSES % BOXES, kind = n % POSE_KINDS;
        const geo_pose pose = box_pose(&random, kind);
        /* A volume of 0 may be rounded to a negative number. */
        const double expected = fmax(0, expected_volume(half_a[i], half_b[j], &pose));
        char where[80];
        snprintf(where, sizeof where, "seed 91, boxes %d and %d, pose %d", i, j, n % POSES);
        check_pair(&a[i], &b[j], &pose, expected, space, where);
        *(expected > 1e-12 ? &over[kind] : &none[kind]) += 1;
    }
    for (int kind = 0; kind < POSE_KINDS; kind++) {
        cr_assert(over[kind] > 80 && none[kind] > 80, "kind %d: %d over, %d not", kind, over[kind],
                  none[kind]);
    }
    gt_flux_space_destroy(space);
    for (int i = 0; i < BOXES; i++) {
        shape_release(&a[i]);
        shape_release(&b[i]);
    }
}
