#include "base/tests/support.h"
#include "geometry/tests/shapes.h"
#include "geometry/triangle.h"

/** Relative to the largest coordinate of both triangles. */
#define BOUND 0x1p-49

static double reach_of(const geo_triangle *s, const geo_triangle *t)
{
    geo_box box = geo_box_of_triangle(*s);
    box = geo_box_join(box, geo_box_of_triangle(*t));
    return geo_box_reach(box);
}

static bool same(vec3 a, vec3 b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static geo_triangle turned(geo_triangle t, int by)
{
    return (geo_triangle){{t.p[by % 3], t.p[(by + 1) % 3], t.p[(by + 2) % 3]}};
}

static vec3 normal_of(const geo_triangle *t)
{
    return vec3_cross(vec3_sub(t->p[1], t->p[0]), vec3_sub(t->p[2], t->p[0]));
}

Test(triangle_common, by_hand)
{
    const geo_triangle s = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
    const struct {
        geo_triangle t;
        geo_common want;
        const char *what;
    } cases[] = {
        {{{{1, 1, -1}, {1, 1, 1}, {3, 1, 1}}}, {{1, 1, 0}, {2, 1, 0}}, "through the face"},
        {{{{1, 1, 0}, {1, 1, 1}, {2, 1, 1}}}, {{1, 1, 0}, {1, 1, 0}}, "corner on the face"},
        {{{{4, 0, 0}, {5, 0, 1}, {5, 1, 0}}}, {{4, 0, 0}, {4, 0, 0}}, "corner on corner"},
        {{{{2, 2, -1}, {2, 2, 1}, {5, 5, 0}}}, {{2, 2, 0}, {2, 2, 0}}, "edges cross"},
        {{{{1, 1, 0}, {2, 1, 0}, {2, 1, 7}}}, {{1, 1, 0}, {2, 1, 0}}, "edge on the face"},
        {{{{1, 1, 0}, {7, 1, 0}, {2, 1, 7}}},
         {{1, 1, 0}, {3, 1, 0}},
         "edge on the face and beyond"},
        {{{{-1, 1, 0}, {7, 1, 0}, {2, 1, 7}}}, {{0, 1, 0}, {3, 1, 0}}, "edge across the face"},
        {{{{1, 0, 0}, {7, 0, 0}, {2, 0, 7}}}, {{1, 0, 0}, {4, 0, 0}}, "edge on edge"},
        {{{{0, 0, 0}, {4, 0, 0}, {0, 0, 4}}}, {{0, 0, 0}, {4, 0, 0}}, "common edge"},
        {{{{0, 4, 0}, {0, 0, 0}, {4, 0, 0}}}, {{4, 0, 0}, {0, 4, 0}}, "the same"},
        {{{{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}}, {{2, 1, 0}, {1, 2, 0}}, "inside, coplanar"},
        {{{{-9, -9, 0}, {20, -9, 0}, {-9, 20, 0}}}, {{4, 0, 0}, {0, 4, 0}}, "around, coplanar"},
        {{{{2, 2, 0}, {5, 2, 0}, {2, 5, 0}}}, {{2, 2, 0}, {2, 2, 0}}, "coplanar, corner on edge"},
        {{{{1, -1, 0}, {1, 9, 0}, {1.5, -1, 0}}}, {{1, 3, 0}, {1.45, 0, 0}}, "coplanar, through"},
        {{{{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}}, {{1, 1, 0}, {1, 1, 0}}, "point on the face"},
        {{{{1, 1, -3}, {1, 1, 1}, {1, 1, 0.1}}},
         {{1, 1, 0}, {1, 1, 0}},
         "segment through the face"},
        {{{{-1, 1, 0}, {5, 1, 0}, {9, 1, 0}}},
         {{0, 1, 0}, {3, 1, 0}},
         "segment in the plane, across"},
        {{{{2, 2, -3}, {2, 2, 1}, {2, 2, 0.1}}},
         {{2, 2, 0}, {2, 2, 0}},
         "segment through the edge"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int turn = 0; turn < 18; turn++) {
            const geo_triangle a = turned(s, turn), b = turned(cases[i].t, turn / 3);
            geo_common got, want = cases[i].want;
            cr_assert(turn < 9 ? geo_triangle_common(a, b, &got) : geo_triangle_common(b, a, &got),
                      "%s, turn %d", cases[i].what, turn);
            if (vec3_distance2(got.from, want.from) > vec3_distance2(got.from, want.to)) {
                want = (geo_common){want.to, want.from};
            }
            cr_assert(vec3_distance(got.from, want.from) + vec3_distance(got.to, want.to) <=
                          9 * BOUND,
                      "%s, turn %d: %g %g %g, %g %g %g", cases[i].what, turn, got.from.x,
                      got.from.y, got.from.z, got.to.x, got.to.y, got.to.z);
            cr_assert_eq(vec3_equal(got.from, got.to), vec3_equal(want.from, want.to),
                         "%s, turn %d", cases[i].what, turn);
            const vec3 middle = vec3_scale(0.5, vec3_add(want.from, want.to));
            const vec3 point = geo_triangle_common_point(a, b);
            cr_assert(vec3_distance(point, middle) <= 9 * BOUND &&
                          vec3_equal(point, geo_triangle_common_point(b, a)),
                      "%s, turn %d: %g %g %g", cases[i].what, turn, point.x, point.y, point.z);
        }
    }
}

/* --- Integer triangles: one is clipped by the other in exact rationals ------------------------ */

__extension__ typedef __int128 wide;

/** The point x / w, y / w, z / w; w > 0. */
typedef struct rational {
    wide x[3], w;
} rational;

typedef struct polygon {
    rational p[16];
    int count;
} polygon;

/** The half space n . x <= at. */
typedef struct half_space {
    wide n[3], at;
} half_space;

static wide beyond(const half_space *h, const rational *p)
{
    return h->n[0] * p->x[0] + h->n[1] * p->x[1] + h->n[2] * p->x[2] - h->at * p->w;
}

static wide divisor(wide a, wide b)
{
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b != 0) {
        const wide rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static rational mix(const rational *p, wide p_beyond, const rational *q, wide q_beyond)
{
    rational r;
    const wide a = q_beyond < 0 ? -q_beyond : q_beyond, b = p_beyond < 0 ? -p_beyond : p_beyond;
    r.w = a * p->w + b * q->w;
    wide common = r.w;
    for (int i = 0; i < 3; i++) {
        r.x[i] = a * p->x[i] + b * q->x[i];
        common = divisor(common, r.x[i]);
    }
    for (int i = 0; i < 3; i++) {
        r.x[i] /= common;
    }
    r.w /= common;
    return r;
}

static polygon clip(const polygon *given, const half_space *h)
{
    polygon left = {.count = 0};
    for (int i = 0; i < given->count; i++) {
        const rational *const p = &given->p[i], *const q = &given->p[(i + 1) % given->count];
        const wide p_beyond = beyond(h, p), q_beyond = beyond(h, q);
        if (p_beyond <= 0) {
            left.p[left.count++] = *p;
        }
        if ((p_beyond < 0 && q_beyond > 0) || (p_beyond > 0 && q_beyond < 0)) {
            left.p[left.count++] = mix(p, p_beyond, q, q_beyond);
        }
    }
    return left;
}

static half_space half_space_make(vec3 normal, vec3 on, int sign)
{
    return (half_space){{sign * (wide)normal.x, sign * (wide)normal.y, sign * (wide)normal.z},
                        sign * (wide)vec3_dot(normal, on)};
}

/** Returns s clipped to t, which must not be degenerate. */
static polygon oracle(const geo_triangle *s, const geo_triangle *t)
{
    polygon left = {.count = 3};
    for (int i = 0; i < 3; i++) {
        left.p[i] = (rational){{(wide)s->p[i].x, (wide)s->p[i].y, (wide)s->p[i].z}, 1};
    }
    const vec3 n = normal_of(t);
    for (int sign = -1; sign <= 1; sign += 2) {
        const half_space h = half_space_make(n, t->p[0], sign);
        left = clip(&left, &h);
    }
    for (int i = 0; i < 3; i++) {
        const vec3 out = vec3_cross(vec3_sub(t->p[(i + 1) % 3], t->p[i]), n);
        const half_space h = half_space_make(out, t->p[i], 1);
        left = clip(&left, &h);
    }
    return left;
}

static long double apart(const rational *p, const vec3 *q)
{
    const long double w = (long double)p->w, x = (long double)p->x[0] / w - (long double)q->x,
                      y = (long double)p->x[1] / w - (long double)q->y,
                      z = (long double)p->x[2] / w - (long double)q->z;
    return sqrtl(x * x + y * y + z * z);
}

/** Returns the distance of p from the nearest corner of the polygon. */
static long double off(const polygon *c, vec3 p)
{
    long double least = apart(&c->p[0], &p);
    for (int i = 1; i < c->count; i++) {
        const long double d = apart(&c->p[i], &p);
        least = d < least ? d : least;
    }
    return least;
}

/** Returns the greatest distance of two corners; 0 only if all are the same. */
static long double extent(const polygon *c)
{
    long double most = 0;
    for (int i = 0; i < c->count; i++) {
        for (int j = 0; j < i; j++) {
            const rational *const p = &c->p[i], *const q = &c->p[j];
            long double d2 = 0;
            for (int k = 0; k < 3; k++) {
                const long double d =
                    (long double)(p->x[k] * q->w - q->x[k] * p->w) / (long double)(p->w * q->w);
                d2 += d * d;
            }
            most = d2 > most ? d2 : most;
        }
    }
    return sqrtl(most);
}

static vec3 random_corner(base_random *random, int bound)
{
    const uint64_t n = 2 * (uint64_t)bound + 1;
    const double x = (double)base_random_below(random, n), y = (double)base_random_below(random, n);
    return (vec3){x - bound, y - bound, (double)base_random_below(random, n) - bound};
}

static geo_triangle random_integers(base_random *random, int bound)
{
    const vec3 a = random_corner(random, bound), b = random_corner(random, bound);
    return (geo_triangle){{a, b, random_corner(random, bound)}};
}

/** Most of these triangles touch, share corners or edges, or are coplanar. */
Test(triangle_common, equals_exact_clipping)
{
    const uint64_t seed = 95;
    base_random random = base_random_seed(seed);
    const int step = (int)sweep_step(3);
    int points = 0, segments = 0, none = 0, flat = 0;
    for (int i = 0; i < 40000; i += step) {
        const int bound = 1 + i % 4;
        geo_triangle s = random_integers(&random, bound), t = random_integers(&random, bound);
        if (i % 5 == 0) { /* all coplanar */
            for (int k = 0; k < 3; k++) {
                s.p[k].z = s.p[k].x + 2 * s.p[k].y;
                t.p[k].z = t.p[k].x + 2 * t.p[k].y;
            }
        }
        if (vec3_norm2(normal_of(&t)) == 0) {
            continue;
        }
        const polygon want = oracle(&s, &t);
        for (int swap = 0; swap < 2; swap++) {
            geo_common got;
            const bool meet =
                swap ? geo_triangle_common(t, s, &got) : geo_triangle_common(s, t, &got);
            cr_assert_eq(meet, want.count > 0, "seed %lu case %d swap %d", (unsigned long)seed, i,
                         swap);
            if (!meet) {
                none++;
                continue;
            }
            const long double bound2 = (long double)(2 * BOUND * reach_of(&s, &t));
            const long double length = extent(&want);
            cr_assert(off(&want, got.from) <= bound2 && off(&want, got.to) <= bound2,
                      "seed %lu case %d swap %d: ends are %Lg and %Lg off", (unsigned long)seed, i,
                      swap, off(&want, got.from), off(&want, got.to));
            cr_assert_leq(fabsl((long double)vec3_distance(got.from, got.to) - length), 4 * bound2,
                          "seed %lu case %d swap %d", (unsigned long)seed, i, swap);
            cr_assert_eq(vec3_equal(got.from, got.to), length == 0, "seed %lu case %d swap %d",
                         (unsigned long)seed, i, swap);
            points += length == 0;
            segments += length > 0;
            flat += vec3_norm2(vec3_cross(normal_of(&s), normal_of(&t))) == 0;
        }
    }
    cr_assert(points > 5000 / step && segments > 10000 / step && none > 10000 / step &&
                  flat > 5000 / step,
              "%d %d %d %d", points, segments, none, flat);
}

/* --- General position: lines and planes in 113 bits ------------------------------------------- */

__extension__ typedef __float128 quad;

static quad quad_determinant(vec3 a, vec3 b, vec3 c, vec3 d)
{
    const quad ax = (quad)a.x - (quad)d.x, ay = (quad)a.y - (quad)d.y, az = (quad)a.z - (quad)d.z;
    const quad bx = (quad)b.x - (quad)d.x, by = (quad)b.y - (quad)d.y, bz = (quad)b.z - (quad)d.z;
    const quad cx = (quad)c.x - (quad)d.x, cy = (quad)c.y - (quad)d.y, cz = (quad)c.z - (quad)d.z;
    return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}

/** True if p + u (q - p), the point where the edge pierces the plane of t, is in t. *miss is
 * then the largest coordinate difference of `end` from that point. */
static bool pierces(vec3 p, vec3 q, const geo_triangle *t, vec3 end, double *miss)
{
    const quad at_p = quad_determinant(t->p[0], t->p[1], t->p[2], p);
    const quad at_q = quad_determinant(t->p[0], t->p[1], t->p[2], q);
    if ((at_p < 0) == (at_q < 0)) {
        return false;
    }
    const bool first = quad_determinant(p, q, t->p[0], t->p[1]) < 0;
    if ((quad_determinant(p, q, t->p[1], t->p[2]) < 0) != first ||
        (quad_determinant(p, q, t->p[2], t->p[0]) < 0) != first) {
        return false;
    }
    const quad u = at_p / (at_p - at_q);
    *miss = 0;
    for (int i = 0; i < 3; i++) {
        const quad pi = (quad)vec3_get(p, i), qi = (quad)vec3_get(q, i);
        const double d = fabs((double)(pi + u * (qi - pi) - (quad)vec3_get(end, i)));
        *miss = d > *miss ? d : *miss;
    }
    return true;
}

/**
 * Returns the least miss of a point where an edge of one triangle pierces the other; *count: the
 * number of such points.
 */
static double miss_of(const geo_triangle *s, const geo_triangle *t, vec3 end, int *count)
{
    double least = INFINITY, miss;
    *count = 0;
    for (int i = 0; i < 6; i++) {
        const geo_triangle *const of = i < 3 ? s : t, *const through = i < 3 ? t : s;
        if (pierces(of->p[i % 3], of->p[(i + 1) % 3], through, end, &miss)) {
            *count += 1;
            least = miss < least ? miss : least;
        }
    }
    return least;
}

/** Triangles of all sizes, nearly parallel, far from the origin: the error bound holds. */
Test(triangle_common, ends_are_precise)
{
    const uint64_t seed = 96;
    base_random random = base_random_seed(seed);
    const int step = (int)sweep_step(4);
    int met = 0, none = 0, hard = 0;
    double worst = 0;
    for (int i = 0; i < 30000; i += step) {
        geo_triangle s, t;
        const double size = pow(10, -(i % 7)), tilt = pow(10, -(i / 7 % 15));
        const vec3 at = vec3_scale(i % 3, shape_point(&random, 1));
        for (int k = 0; k < 3; k++) {
            s.p[k] = vec3_madd(at, size, shape_point(&random, 1));
        }
        /* t is s, rotated in its plane and tilted. */
        const vec3 n = vec3_normalize(normal_of(&s));
        for (int k = 0; k < 3; k++) {
            const vec3 p =
                vec3_madd(s.p[k], base_random_unit(&random), vec3_sub(s.p[(k + 1) % 3], s.p[k]));
            t.p[k] = vec3_madd(p, size * tilt * base_random_range(&random, -1, 1), n);
        }
        geo_common got, back;
        int count;
        const bool meet = geo_triangle_common(s, t, &got);
        cr_assert_eq(meet, geo_triangle_common(t, s, &back), "seed %lu case %d",
                     (unsigned long)seed, i);
        const double from = miss_of(&s, &t, got.from, &count), to = miss_of(&s, &t, got.to, &count);
        cr_assert_eq(count, meet ? 2 : 0, "seed %lu case %d", (unsigned long)seed, i);
        none += !meet;
        if (!meet) {
            continue;
        }
        met++;
        hard += tilt < 1e-9;
        cr_assert(same(got.from, back.to) && same(got.to, back.from), "seed %lu case %d",
                  (unsigned long)seed, i);
        worst = fmax(worst, fmax(from, to) / reach_of(&s, &t));
        cr_assert_leq(worst, BOUND, "seed %lu case %d", (unsigned long)seed, i);
        if (tilt > 1e-3 && vec3_distance(got.from, got.to) > 1e-3 * size) {
            const vec3 along = vec3_cross(normal_of(&s), normal_of(&t));
            cr_assert_gt(vec3_dot(vec3_sub(got.to, got.from), along), 0, "seed %lu case %d",
                         (unsigned long)seed, i);
        }
    }
    cr_assert(met > 5000 / step && none > 5000 / step && hard > 1000 / step, "%d %d %d", met, none,
              hard);
}

/** An edge gives the same bits for each of its faces and in both directions. */
Test(triangle_common, an_edge_pierces_a_face_in_one_point)
{
    const uint64_t seed = 97;
    base_random random = base_random_seed(seed);
    int shared = 0;
    for (int i = 0; i < 20000; i++) {
        const vec3 p = shape_point(&random, 1), q = shape_point(&random, 1);
        const geo_triangle t = {
            {shape_point(&random, 1), shape_point(&random, 1), shape_point(&random, 1)}};
        geo_common left, right;
        const geo_triangle first = {{p, q, shape_point(&random, 1)}};
        const geo_triangle second = {{shape_point(&random, 1), q, p}};
        double miss;
        if (pierces(p, q, &t, p, &miss)) {
            cr_assert(geo_triangle_common(first, t, &left) &&
                          geo_triangle_common(t, second, &right),
                      "seed %lu case %d", (unsigned long)seed, i);
            cr_assert(same(left.from, right.from) || same(left.from, right.to) ||
                          same(left.to, right.from) || same(left.to, right.to),
                      "seed %lu case %d", (unsigned long)seed, i);
            shared++;
        }
    }
    cr_assert_gt(shared, 500, "%d", shared);
}
