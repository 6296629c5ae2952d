#include "geometry/triangle_extended.h"

#include "geometry/triangle.h"

/* The plain formulas in long double: the oracle shares no code with what it judges. */

typedef struct wide3 {
    long double x, y, z;
} wide3;

static wide3 widen(vec3 a)
{
    return (wide3){(long double)a.x, (long double)a.y, (long double)a.z};
}

static wide3 sub(wide3 a, wide3 b)
{
    return (wide3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static wide3 madd(wide3 a, long double s, wide3 b)
{
    return (wide3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static long double dot(wide3 a, wide3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static wide3 cross(wide3 a, wide3 b)
{
    return (wide3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static long double clamp01(long double x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

static long double point_segment2(wide3 p, wide3 q0, wide3 q1)
{
    const wide3 v = sub(q1, q0), d = sub(p, q0);
    const long double v2 = dot(v, v);
    const wide3 r = madd(d, v2 > 0 ? -clamp01(dot(d, v) / v2) : 0, v);
    return dot(r, r);
}

/**
 * What is left of d after taking away its part in the plane of u and v. The coefficients must be in
 * [0, 1], or in a triangle; else infinity. Repeated, since one pass leaves an error of
 * epsilon / sin(u, v).
 */
static long double across2(wide3 d, wide3 u, wide3 v, bool triangle)
{
    const wide3 n = cross(u, v);
    const long double n2 = dot(n, n);
    if (!(n2 > 0)) {
        return (long double)INFINITY;
    }
    long double on_u = 0, on_v = 0;
    wide3 r = d;
    for (int pass = 0; pass < 8; pass++) {
        on_u += dot(cross(r, v), n) / n2;
        on_v += dot(cross(u, r), n) / n2;
        r = madd(madd(d, -on_u, u), -on_v, v);
    }
    const bool inside =
        on_u >= 0 && on_v >= 0 && (triangle ? on_u + on_v <= 1 : on_u <= 1 && on_v <= 1);
    return inside ? dot(r, r) : (long double)INFINITY;
}

/** Inside of both segments only; the ends are tried as points. */
static long double lines2(wide3 p0, wide3 p1, wide3 q0, wide3 q1)
{
    return across2(sub(q0, p0), sub(p1, p0), sub(q0, q1), false);
}

/** The foot inside the triangle only. */
static long double point_plane2(wide3 p, wide3 a, wide3 b, wide3 c)
{
    return across2(sub(p, a), sub(b, a), sub(c, a), true);
}

static long double least(long double a, long double b)
{
    return b < a ? b : a;
}

long double geo_triangle_distance2_extended(geo_triangle s, geo_triangle t)
{
    if (geo_triangle_intersect(s, t)) {
        return 0;
    }
    const wide3 p[3] = {widen(s.p[0]), widen(s.p[1]), widen(s.p[2])};
    const wide3 q[3] = {widen(t.p[0]), widen(t.p[1]), widen(t.p[2])};
    long double best = (long double)INFINITY;
    for (int i = 0; i < 3; i++) {
        const wide3 p1 = p[(i + 1) % 3];
        for (int j = 0; j < 3; j++) {
            const wide3 q1 = q[(j + 1) % 3];
            best = least(best, lines2(p[i], p1, q[j], q1));
            best = least(best, point_segment2(p[i], q[j], q1));
            best = least(best, point_segment2(q[j], p[i], p1));
        }
        best = least(best, point_plane2(p[i], q[0], q[1], q[2]));
        best = least(best, point_plane2(q[i], p[0], p[1], p[2]));
    }
    return best;
}
