#include "base/random.h"
#include "geometry/vec.h"
#include "groundtruth/volume/clip_kernel.h"

#include <criterion/criterion.h>
#include <math.h>

static gt_tetrahedron positive(gt_tetrahedron t)
{
    if (gt_tetrahedron_volume(&t) < 0) {
        const vec3 keep = t.p[2];
        t.p[2] = t.p[3];
        t.p[3] = keep;
    }
    return t;
}

static vec3 random_point(base_random *random)
{
    const double x = base_random_unit(random), y = base_random_unit(random);
    return (vec3){x, y, base_random_unit(random)};
}

static gt_tetrahedron random_tetrahedron(base_random *random)
{
    gt_tetrahedron t;
    for (int i = 0; i < 4; i++) {
        t.p[i] = random_point(random);
    }
    return positive(t);
}

static double common_volume(const gt_tetrahedron *a, const gt_tetrahedron *b)
{
    const gt_planes planes = gt_tetrahedron_planes(a);
    gt_sides sides[4];
    unsigned inside[4];
    clip_sides(a, &planes, b, sides, inside);
    return clip_all(sides, inside) * gt_tetrahedron_volume(b);
}

/* --- Oracle: faces clipped as polygons, volume by the divergence theorem, long double --------- */

typedef struct wide {
    long double x, y, z;
} wide;

static wide widen(vec3 p)
{
    return (wide){(long double)p.x, (long double)p.y, (long double)p.z};
}

static wide minus(wide a, wide b)
{
    return (wide){a.x - b.x, a.y - b.y, a.z - b.z};
}

static long double dot(wide a, wide b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static wide cross(wide a, wide b)
{
    return (wide){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/** Outward faces of a positive tetrahedron. */
static const int outward[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

typedef struct polygon {
    wide p[16];
    int n;
} polygon;

static polygon clip(const polygon *in, wide origin, wide normal)
{
    polygon out = {.n = 0};
    for (int i = 0; i < in->n; i++) {
        const wide p = in->p[i], q = in->p[(i + 1) % in->n];
        const long double f = dot(normal, minus(p, origin)), g = dot(normal, minus(q, origin));
        if (f <= 0) {
            out.p[out.n++] = p;
        }
        if ((f <= 0) != (g <= 0)) {
            const long double t = f / (f - g);
            out.p[out.n++] =
                (wide){p.x + t * (q.x - p.x), p.y + t * (q.y - p.y), p.z + t * (q.z - p.z)};
        }
    }
    return out;
}

/** Returns six times the volume under the faces of a inside b, as seen from `origin`. */
static long double under(const gt_tetrahedron *a, const gt_tetrahedron *b, wide origin)
{
    long double sum = 0;
    for (int f = 0; f < 4; f++) {
        polygon face = {.n = 3};
        for (int k = 0; k < 3; k++) {
            face.p[k] = widen(a->p[outward[f][k]]);
        }
        for (int g = 0; g < 4 && face.n > 0; g++) {
            const wide p0 = widen(b->p[outward[g][0]]);
            const wide u = minus(widen(b->p[outward[g][1]]), p0);
            const wide v = minus(widen(b->p[outward[g][2]]), p0);
            face = clip(&face, p0, cross(u, v));
        }
        for (int k = 1; k + 1 < face.n; k++) {
            sum += dot(minus(face.p[0], origin),
                       cross(minus(face.p[k], origin), minus(face.p[k + 1], origin)));
        }
    }
    return sum;
}

static double oracle(const gt_tetrahedron *a, const gt_tetrahedron *b)
{
    const wide origin = widen(a->p[0]);
    return (double)((under(a, b, origin) + under(b, a, origin)) / 6);
}

/* --- Tests ------------------------------------------------------------------------------------ */

static const gt_tetrahedron corner = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static gt_tetrahedron moved(gt_tetrahedron t, double scale, vec3 by)
{
    for (int i = 0; i < 4; i++) {
        t.p[i] = vec3_madd(by, scale, t.p[i]);
    }
    return t;
}

Test(clip_kernel, hand_cases)
{
    const struct {
        double scale;
        vec3 by;
        double expected; /* in sixths */
    } cases[] = {
        {1, {0, 0, 0}, 1},                       /* itself */
        {0.5, {0, 0, 0}, 0.125},                 /* smaller, at the corner */
        {2, {-0.25, -0.25, -0.25}, 1},           /* enclosing */
        {0.25, {0.125, 0.125, 0.125}, 0.015625}, /* inside */
        {1, {0.5, 0, 0}, 0.125},                 /* three common planes */
        {1, {0.25, 0.25, 0}, 0.125},
        {1, {1, 0, 0}, 0}, /* a common corner */
        {1, {-1, 0, 0}, 0},
        {1, {2, 0, 0}, 0}, /* apart */
        {1, {0, 0, -3}, 0},
        {-1, {0, 0, 0}, 0},         /* mirrored: a common corner */
        {-1, {0.5, 0.5, 0}, 0},     /* mirrored: a common edge */
        {-1, {1, 1, 1}, 0},         /* mirrored: apart */
        {-1, {0.5, 0.5, 0.5}, 0.5}, /* mirrored: the cube of edge 1/2 minus two corners */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const gt_tetrahedron b = positive(moved(corner, cases[i].scale, cases[i].by));
        const double ab = 6 * common_volume(&corner, &b), ba = 6 * common_volume(&b, &corner);
        const double tolerance = 1e-15;
        cr_assert(fabs(ab - cases[i].expected) <= tolerance, "case %zu: %.17g, not %.17g", i, ab,
                  cases[i].expected);
        cr_assert(fabs(ba - cases[i].expected) <= tolerance, "case %zu: %.17g, not %.17g", i, ba,
                  cases[i].expected);
    }
}

Test(clip_kernel, planes)
{
    base_random random = base_random_seed(7);
    for (int n = 0; n < 1000; n++) {
        const gt_tetrahedron t = random_tetrahedron(&random);
        const gt_planes planes = gt_tetrahedron_planes(&t);
        const double six = 6 * gt_tetrahedron_volume(&t);
        gt_sides sides[4];
        unsigned inside[4];
        clip_sides(&t, &planes, &t, sides, inside);
        for (int i = 0; i < 4; i++) {
            for (int k = 0; k < 4; k++) {
                const double expected = i == k ? six : 0, side = sides[i].side[k];
                cr_assert(fabs(side - expected) <= 1e-15, "tetrahedron %d corner %d plane %d: %g",
                          n, i, k, side);
                cr_assert_eq(inside[i] >> k & 1, side > 0);
            }
        }
    }
}

Test(clip_kernel, neighbours_agree_on_their_face)
{
    base_random random = base_random_seed(11);
    for (int n = 0; n < 4000; n++) {
        /* Five points; each of the two tetrahedra leaves out another one of them. */
        vec3 p[5];
        for (int i = 0; i < 5; i++) {
            p[i] = random_point(&random);
        }
        const int left_out[2] = {n % 5, (n % 5 + 1 + n / 5 % 4) % 5};
        double side[2] = {0, 0};
        const vec3 x = random_point(&random);
        for (int t = 0; t < 2; t++) {
            gt_tetrahedron cell;
            int own = 0; /* the corner that the other tetrahedron does not have */
            for (int i = 0, k = 0; i < 5; i++) {
                if (i != left_out[t]) {
                    own = i == left_out[1 - t] ? k : own;
                    cell.p[k++] = p[i];
                }
            }
            const gt_tetrahedron oriented = positive(cell);
            const bool swapped = !vec3_equal(oriented.p[3], cell.p[3]);
            own = swapped && own >= 2 ? 5 - own : own;
            const gt_planes planes = gt_tetrahedron_planes(&oriented);
            const gt_tetrahedron at_x = {{x, x, x, x}};
            gt_sides all[4];
            unsigned inside[4];
            clip_sides(&oriented, &planes, &at_x, all, inside);
            side[t] = all[3].side[own];
        }
        /* Both corners are on one side of the face or on two sides: the values are equal or
         * opposite. */
        cr_assert(side[0] == side[1] || side[0] == -side[1], "case %d: %.17g and %.17g", n, side[0],
                  side[1]);
    }
}

Test(clip_kernel, random_pairs_against_the_oracle)
{
    base_random random = base_random_seed(3);
    int apart = 0, over = 0;
    for (int n = 0; n < 20000; n++) {
        const gt_tetrahedron a = random_tetrahedron(&random);
        gt_tetrahedron b = random_tetrahedron(&random);
        const double scale = n % 3 == 0 ? 0.2 : n % 3 == 1 ? 1 : 5;
        const double offset = 0.5 * (1 - scale) + (n % 7 == 0 ? 1 : 0.1);
        b = moved(b, scale, vec3_madd((vec3){offset, offset, offset}, -0.2, random_point(&random)));
        const double got = common_volume(&a, &b), want = oracle(&a, &b);
        /* A plane has an error of an ulp of its coordinates, so a volume has that times the area
         * of a face. */
        const double tolerance = 1e-13 * want + 1e-14 * scale;
        cr_assert(fabs(got - want) <= tolerance, "pair %d: %.17g, not %.17g", n, got, want);
        const double back = common_volume(&b, &a);
        cr_assert(fabs(back - want) <= tolerance, "pair %d swapped: %.17g, not %.17g", n, back,
                  want);
        apart += want == 0;
        over += want > 1e-6;
    }
    cr_assert(apart > 2000 && over > 5000, "%d apart, %d over", apart, over);
}

Test(clip_kernel, parts_add_up)
{
    base_random random = base_random_seed(5);
    double worst = 0;
    for (int n = 0; n < 5000; n++) {
        const gt_tetrahedron a = random_tetrahedron(&random), b = random_tetrahedron(&random);
        /* splits b into four around one of its points */
        vec3 w[4] = {{0}};
        double weight[4], total = 0;
        for (int i = 0; i < 4; i++) {
            weight[i] = 0.05 + base_random_unit(&random);
            total += weight[i];
        }
        for (int i = 0; i < 4; i++) {
            w[0] = vec3_madd(w[0], weight[i] / total, b.p[i]);
        }
        double sum = 0;
        for (int i = 0; i < 4; i++) {
            gt_tetrahedron cell = b;
            cell.p[i] = w[0];
            sum += common_volume(&a, &cell);
        }
        const double whole = common_volume(&a, &b);
        cr_assert(fabs(sum - whole) <= 1e-13 * whole + 1e-16,
                  "pair %d: %.17g in parts, %.17g whole", n, sum, whole);
        worst = fabs(sum - whole) > worst ? fabs(sum - whole) : worst;
    }
    cr_assert(worst > 0, "rounding is to be seen somewhere");
}

static double part_inside(const gt_sides corners[4])
{
    unsigned inside[4] = {0};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++) {
            inside[i] |= (unsigned)(corners[i].side[k] > 0) << k;
        }
    }
    return clip_all(corners, inside);
}

Test(clip_kernel, a_plane_and_its_other_side_make_the_whole)
{
    base_random random = base_random_seed(9);
    for (int n = 0; n < 5000; n++) {
        gt_sides sides[4], other[4], three[4];
        for (int i = 0; i < 4; i++) {
            for (int k = 0; k < 4; k++) {
                sides[i].side[k] = base_random_range(&random, -1, 1);
            }
            three[i] = other[i] = sides[i];
            other[i].side[3] = -other[i].side[3];
            three[i].side[3] = 1;
        }
        const double expected = part_inside(three), sum = part_inside(sides) + part_inside(other);
        cr_assert(fabs(sum - expected) <= 4e-16, "case %d: %.17g and %.17g", n, sum, expected);
    }
    const gt_sides all = {{1, 1, 1, 1}};
    cr_assert_eq(part_inside((const gt_sides[4]){all, all, all, all}), 1.0);
}
