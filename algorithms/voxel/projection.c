/**
 * The nearest point of a triangle: seven cases, distinguished by signs. The two methods differ in
 * how the signs are found.
 */
#include "algorithms/voxel/projection.h"

/* The squared length of the triangle's normal is a c - b^2. If it is below this share of a c, it is
 * only a rounding error. Then only the edges of the triangle are considered. */
#define DETERMINANT_NOISE 1e-12
/* If the squared sine of the angle at corner 0 is below this, the triangle is a sliver. Rounding
 * may then have selected a wrong case. */
#define SLIVER_SINE2 1e-2

/* --- The seven points ------------------------------------------------------------------------- */

static alg_projection at_corner(const geo_triangle *t, int corner)
{
    return (alg_projection){t->p[corner], corner == 1, corner == 2, false};
}

/** Returns the point of edge 01 with the given s. Constraint g2 is active on it: t = 0. */
static alg_projection on_edge01(const geo_triangle *t, vec3 e0, double s)
{
    return (alg_projection){vec3_madd(t->p[0], s, e0), s, 0, false};
}

/** Returns the point of edge 02 with t = `on`. Constraint g1 is active on it: s = 0. */
static alg_projection on_edge02(const geo_triangle *t, vec3 e1, double on)
{
    return (alg_projection){vec3_madd(t->p[0], on, e1), 0, on, false};
}

/** Returns the point of edge 12 with t = `on`. Constraint g3 is active on it: s + t = 1. */
static alg_projection on_edge12(const geo_triangle *t, double on)
{
    return (alg_projection){vec3_madd(t->p[1], on, vec3_sub(t->p[2], t->p[1])), 1 - on, on, false};
}

/** Returns the nearest point of edge 0 (from p[0] to p[1]), 1 or 2 (from p[2] to p[0]). */
static alg_projection nearest_on_edge(const geo_triangle *t, int edge, vec3 p)
{
    const int next = edge == 2 ? 0 : edge + 1;
    const vec3 f = vec3_sub(t->p[next], t->p[edge]);
    const double length2 = vec3_norm2(f);
    const double along = vec3_dot(f, vec3_sub(p, t->p[edge]));
    if (!(along > 0)) {
        return at_corner(t, edge);
    }
    if (!(along < length2)) {
        return at_corner(t, next);
    }
    const double on = along / length2;
    return edge == 0   ? on_edge01(t, f, on)
           : edge == 1 ? on_edge12(t, on)
                       : on_edge02(t, vec3_sub(t->p[2], t->p[0]), 1 - on);
}

static alg_projection nearer(alg_projection a, alg_projection b, vec3 p)
{
    return vec3_distance2(b.point, p) < vec3_distance2(a.point, p) ? b : a;
}

static alg_projection nearest_on_boundary(const geo_triangle *t, vec3 p)
{
    alg_projection best = nearest_on_edge(t, 0, p);
    best = nearer(best, nearest_on_edge(t, 1, p), p);
    return nearer(best, nearest_on_edge(t, 2, p), p);
}

/* --- Karush-Kuhn-Tucker conditions ------------------------------------------------------------ */

/*
 * The squared distance from p to the point (s, t) of the plane is Q(s, t) = a s^2 + 2 b s t + c t^2
 * + 2 d s + 2 e t + f. Each case is a solution of equation 3. It is a minimum if it is in the
 * triangle and its multipliers are not negative, because Q is convex. So the search ends at the
 * first such case. The tests use only the sign of a multiplier. They leave out its positive
 * denominator, so that only the selected case divides.
 */
alg_projection alg_project_kkt(geo_triangle triangle, vec3 p)
{
    const vec3 e0 = vec3_sub(triangle.p[1], triangle.p[0]);
    const vec3 e1 = vec3_sub(triangle.p[2], triangle.p[0]);
    const vec3 from = vec3_sub(triangle.p[0], p);
    const double a = vec3_dot(e0, e0), b = vec3_dot(e0, e1), c = vec3_dot(e1, e1);
    const double d = vec3_dot(e0, from), e = vec3_dot(e1, from);
    const double determinant = a * c - b * b;
    if (!(determinant > DETERMINANT_NOISE * (a * c))) {
        return nearest_on_boundary(&triangle, p);
    }
    /* No constraint is active: grad Q = 0 at (s, t) / determinant. */
    const double s = b * e - c * d, t = b * d - a * e;
    if (s > 0 && t > 0 && s + t < determinant) {
        const double scale = 1 / determinant;
        const double on_e0 = scale * s, on_e1 = scale * t;
        return (alg_projection){vec3_madd(vec3_madd(triangle.p[0], on_e0, e0), on_e1, e1), on_e0,
                                on_e1, true};
    }
    /* One constraint is active. g2: lambda_2 = -2 t / a; g1: lambda_1 = -2 s / c. */
    if (t <= 0 && -d > 0 && -d < a) {
        return on_edge01(&triangle, e0, -d / a);
    }
    if (s <= 0 && -e > 0 && -e < c) {
        return on_edge02(&triangle, e1, -e / c);
    }
    /* g3: t = along / length2, lambda_3 = 2 (s + t - determinant) / length2. */
    const double length2 = a - 2 * b + c, along = a + d - b - e;
    if (s + t >= determinant && along > 0 && along < length2) {
        return on_edge12(&triangle, along / length2);
    }
    /* Two constraints are active. g1 and g2: lambda = 2 d, 2 e. */
    if (d >= 0 && e >= 0) {
        return at_corner(&triangle, 0);
    }
    /* g2 and g3: lambda_2 = -2 along, lambda_3 = -2 (a + d); g1 and g3 are analogous. */
    if (a + d <= 0 && along <= 0) {
        return at_corner(&triangle, 1);
    }
    if (c + e <= 0 && along >= length2) {
        return at_corner(&triangle, 2);
    }
    return nearest_on_boundary(&triangle, p); /* rounding has excluded all seven cases */
}

/* --- Voronoi regions -------------------------------------------------------------------------- */

alg_projection alg_project_voronoi(geo_triangle triangle, vec3 p)
{
    const vec3 e0 = vec3_sub(triangle.p[1], triangle.p[0]);
    const vec3 e1 = vec3_sub(triangle.p[2], triangle.p[0]);
    const vec3 normal = vec3_cross(e0, e1), d = vec3_sub(p, triangle.p[0]);
    const double a = vec3_dot(e0, e0), b = vec3_dot(e0, e1), c = vec3_dot(e1, e1);
    const double normal2 = vec3_norm2(normal);
    if (!(normal2 > DETERMINANT_NOISE * (a * c))) {
        return nearest_on_boundary(&triangle, p);
    }
    const vec3 foot = vec3_madd(p, -(vec3_dot(normal, d) / normal2), normal);

    /* u and v are the dot products of e0 and e1 with the vector from a corner to the foot. */
    const vec3 from0 = vec3_sub(foot, triangle.p[0]);
    const double u0 = vec3_dot(e0, from0), v0 = vec3_dot(e1, from0);
    if (u0 <= 0 && v0 <= 0) {
        return at_corner(&triangle, 0);
    }
    const double u1 = u0 - a, v1 = v0 - b;
    if (u1 >= 0 && v1 <= u1) {
        return at_corner(&triangle, 1);
    }
    /* The signed area of the triangle of edge 01 and the foot, times a factor. The factor is the
     * same for area02 and area12: 4 times the area of the whole triangle. */
    const double area01 = u0 * v1 - u1 * v0;
    if (area01 <= 0 && u0 > 0 && u1 < 0) {
        return on_edge01(&triangle, e0, u0 / a);
    }
    const double u2 = u0 - b, v2 = v0 - c;
    if (v2 >= 0 && u2 <= v2) {
        return at_corner(&triangle, 2);
    }
    const double area02 = u2 * v0 - u0 * v2;
    if (area02 <= 0 && v0 > 0 && v2 < 0) {
        return on_edge02(&triangle, e1, v0 / c);
    }
    const double area12 = u1 * v2 - u2 * v1;
    const double along = v1 - u1, back = u2 - v2;
    if (area12 <= 0 && along > 0 && back > 0) {
        return on_edge12(&triangle, along / (along + back));
    }
    if (area01 > 0 && area02 > 0 && area12 > 0) {
        const double scale = 1 / (area01 + area02 + area12);
        return (alg_projection){foot, scale * area02, scale * area01, true};
    }
    return nearest_on_boundary(&triangle, p); /* rounding has excluded all seven cases */
}

/* --- Refinement ------------------------------------------------------------------------------- */

alg_projection alg_project_refine(geo_triangle triangle, vec3 p, alg_projection found)
{
    const vec3 e0 = vec3_sub(triangle.p[1], triangle.p[0]);
    const vec3 e1 = vec3_sub(triangle.p[2], triangle.p[0]);
    const vec3 normal = vec3_cross(e0, e1);
    const double normal2 = vec3_norm2(normal);
    const bool sliver = !(normal2 > SLIVER_SINE2 * vec3_norm2(e0) * vec3_norm2(e1));
    if (!found.interior && !sliver) {
        return nearest_on_boundary(&triangle, p);
    }
    const vec3 left = vec3_madd(vec3_madd(vec3_sub(p, triangle.p[0]), -found.s, e0), -found.t, e1);
    if (normal2 > 0) {
        const double s = found.s + vec3_dot(vec3_cross(left, e1), normal) / normal2;
        const double t = found.t + vec3_dot(vec3_cross(e0, left), normal) / normal2;
        if (s > 0 && t > 0 && s + t < 1) {
            return (alg_projection){vec3_madd(vec3_madd(triangle.p[0], s, e0), t, e1), s, t, true};
        }
    }
    return nearest_on_boundary(&triangle, p);
}
