#include "geometry/triangle.h"

#include "base/elementary.h"
#include "base/error.h"
#include "geometry/predicates.h"

#include <stddef.h>

/* --- Distances -------------------------------------------------------------------------------- */

/*
 * Barycentric coordinates are computed from cross products and not from dot products of edges.
 * Their error is then epsilon / sin(angle) instead of epsilon / sin(angle)^2. This error hardly
 * affects the distance.
 */

/* A triangle is called a sliver if the squared sine of its angle at p[0] is not above this. Its
 * projections need more passes. */
#define SLIVER_SINE2 1e-2
/* If a barycentric coordinate of a foot is below 0 by more than this, the foot is outside. In a
 * triangle that is not a sliver, a further pass cannot move it back inside. */
#define FOOT_SLACK 1e-6

static double clamp01(double x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

static bool vec3_less(vec3 a, vec3 b)
{
    return a.x < b.x || (a.x == b.x && (a.y < b.y || (a.y == b.y && a.z < b.z)));
}

bool geo_triangle_less(const geo_triangle *s, const geo_triangle *t)
{
    int i = 0;
    while (i < 2 && vec3_equal(s->p[i], t->p[i])) {
        i++;
    }
    return vec3_less(s->p[i], t->p[i]);
}

/**
 * Returns the point of the segment that is nearest to p. It has the same bits for [a, b] and [b,
 * a], so that two faces with this edge have exactly equal distances.
 */
static vec3 segment_closest(vec3 a, vec3 b, vec3 p)
{
    const bool swap = vec3_less(b, a);
    const vec3 from = swap ? b : a, to = swap ? a : b;
    const vec3 d = vec3_sub(to, from);
    const double along = vec3_dot(d, vec3_sub(p, from)), length2 = vec3_norm2(d);
    if (along <= 0) {
        return from;
    }
    if (along >= length2) {
        return to;
    }
    return vec3_madd(from, along / length2, d);
}

static vec3 nearer(vec3 a, vec3 b, vec3 p)
{
    return vec3_distance2(b, p) < vec3_distance2(a, p) ? b : a;
}

/** The plane of a triangle: edges u, v from p[0], and the data for projection onto it. */
typedef struct frame {
    vec3 u, v, n; /* two edges and their cross product */
    double n2;
} frame;

static frame make_frame(const geo_triangle *t)
{
    frame f = {.u = vec3_sub(t->p[1], t->p[0]), .v = vec3_sub(t->p[2], t->p[0])};
    f.n = vec3_cross(f.u, f.v);
    f.n2 = vec3_norm2(f.n);
    return f;
}

/**
 * True if the foot of p (its projection onto the plane) is in the triangle. *foot is then the foot,
 * and *offset is p - foot, computed from differences to `origin`, so that the rounding of large
 * coordinates does not affect it. Each pass projects what the pass before left over, and multiplies
 * the error by epsilon / sin(angle). This factor is large for slivers, so they need more passes.
 */
static bool frame_foot(const frame *f, vec3 origin, vec3 p, vec3 *foot, vec3 *offset)
{
    if (!(f->n2 > 0)) {
        return false;
    }
    const bool sliver = !(f->n2 > SLIVER_SINE2 * vec3_norm2(f->u) * vec3_norm2(f->v));
    const int passes = sliver ? 6 : 2;
    const vec3 d = vec3_sub(p, origin);
    double u = 0, v = 0;
    *offset = d;
    for (int pass = 0; pass < passes; pass++) {
        u += vec3_dot(vec3_cross(*offset, f->v), f->n) / f->n2;
        v += vec3_dot(vec3_cross(f->u, *offset), f->n) / f->n2;
        if (!sliver && (u < -FOOT_SLACK || v < -FOOT_SLACK || u + v > 1 + FOOT_SLACK)) {
            return false;
        }
        *offset = vec3_madd(vec3_madd(d, -u, f->u), -v, f->v);
    }
    *foot = vec3_madd(vec3_madd(origin, u, f->u), v, f->v);
    return u >= 0 && v >= 0 && u + v <= 1;
}

vec3 geo_triangle_closest(geo_triangle t, vec3 p)
{
    const frame f = make_frame(&t);
    if (!(f.n2 > SLIVER_SINE2 * vec3_norm2(f.u) * vec3_norm2(f.v))) {
        /* For a sliver, the nearest of four candidates is taken. All are points of the triangle. */
        vec3 best = segment_closest(t.p[0], t.p[1], p), foot, offset;
        best = nearer(best, segment_closest(t.p[1], t.p[2], p), p);
        best = nearer(best, segment_closest(t.p[2], t.p[0], p), p);
        return frame_foot(&f, t.p[0], p, &foot, &offset) ? nearer(best, foot, p) : best;
    }
    const vec3 d = vec3_sub(p, t.p[0]);
    const double w1 = vec3_dot(vec3_cross(d, f.v), f.n);
    const double w2 = vec3_dot(vec3_cross(f.u, d), f.n);
    const double w0 = f.n2 - w1 - w2;
    if (w0 >= 0 && w1 >= 0 && w2 >= 0) {
        return vec3_madd(vec3_madd(t.p[0], w1 / f.n2, f.u), w2 / f.n2, f.v);
    }
    /* p is outside of one edge or of two edges. The nearest point is on one of these. */
    const int first = w2 < 0 ? 0 : w0 < 0 ? 1 : 2, last = w1 < 0 ? 2 : w0 < 0 ? 1 : 0;
    const vec3 on_first = segment_closest(t.p[first], t.p[first == 2 ? 0 : first + 1], p);
    if (first == last) {
        return on_first;
    }
    return nearer(on_first, segment_closest(t.p[last], t.p[last == 2 ? 0 : last + 1], p), p);
}

typedef struct segment {
    vec3 from, to, d; /* d = to - from */
    double length2;
} segment;

static segment make_segment(vec3 from, vec3 to)
{
    const vec3 d = vec3_sub(to, from);
    return (segment){from, to, d, vec3_norm2(d)};
}

static vec3 segment_at(const segment *p, double s)
{
    return s == 1 ? p->to : vec3_madd(p->from, s, p->d);
}

/**
 * Returns the squared distance of two segments and the parameters of their nearest points. The
 * parameter on p starts at the nearest points of the two lines, clamped to the segment. The
 * parameter on q is computed from it. If that is outside of q, it is clamped, and the parameter on
 * p is computed from it once more. If the segments are parallel, the start does not matter.
 */
static double segments_distance2(const segment *p, const segment *q, double *on_p, double *on_q)
{
    const vec3 w = vec3_sub(q->from, p->from), n = vec3_cross(p->d, q->d);
    const double n2 = vec3_norm2(n);
    double s = n2 > 0 ? clamp01(vec3_dot(vec3_cross(w, q->d), n) / n2) : 0;
    double t = 0;
    if (q->length2 > 0) {
        t = vec3_dot(q->d, vec3_sub(vec3_scale(s, p->d), w)) / q->length2;
    }
    if (!(q->length2 > 0) || t < 0 || t > 1) {
        t = clamp01(t);
        s = p->length2 > 0 ? clamp01(vec3_dot(p->d, vec3_madd(w, t, q->d)) / p->length2) : 0;
    }
    *on_p = s;
    *on_q = t;
    /* At parameter 1 the vector starts from `to` itself. So all pairs of segments whose nearest
     * points are the same two vertices have exactly the same distance. */
    const vec3 r = vec3_sub(s == 1 ? p->to : p->from, t == 1 ? q->to : q->from);
    return vec3_norm2(vec3_madd(vec3_madd(r, s == 1 ? 0 : s, p->d), t == 1 ? 0 : -t, q->d));
}

double geo_segment_distance2(vec3 p0, vec3 p1, vec3 q0, vec3 q1, vec3 *on_p, vec3 *on_q)
{
    const segment p = make_segment(p0, p1), q = make_segment(q0, q1);
    double s, t;
    const double distance2 = segments_distance2(&p, &q, &s, &t);
    if (on_p) {
        *on_p = segment_at(&p, s);
    }
    if (on_q) {
        *on_q = segment_at(&q, t);
    }
    return distance2;
}

typedef struct nearest {
    double distance2;
    vec3 on_s, on_t;
} nearest;

static void try_edges(const geo_triangle *s, const geo_triangle *t, nearest *best)
{
    segment edges_t[3];
    for (int j = 0; j < 3; j++) {
        edges_t[j] = make_segment(t->p[j], t->p[j == 2 ? 0 : j + 1]);
    }
    for (int i = 0; i < 3; i++) {
        const segment edge_s = make_segment(s->p[i], s->p[i == 2 ? 0 : i + 1]);
        for (int j = 0; j < 3; j++) {
            double on_s, on_t;
            const double d2 = segments_distance2(&edge_s, &edges_t[j], &on_s, &on_t);
            if (d2 < best->distance2) {
                *best = (nearest){d2, segment_at(&edge_s, on_s), segment_at(&edges_t[j], on_t)};
            }
        }
    }
}

/**
 * Tries the corners of s whose foot is in t. For other corners the nearest point of t is on an
 * edge, and try_edges finds it.
 */
static void try_corners(const geo_triangle *s, const geo_triangle *t, nearest *best)
{
    const frame f = make_frame(t);
    for (int i = 0; i < 3; i++) {
        vec3 foot, offset;
        if (frame_foot(&f, t->p[0], s->p[i], &foot, &offset)) {
            const double d2 = vec3_norm2(offset);
            if (d2 < best->distance2) {
                *best = (nearest){d2, s->p[i], foot};
            }
        }
    }
}

double geo_triangle_distance2(geo_triangle s, geo_triangle t, vec3 *on_s, vec3 *on_t)
{
    /* Sorts the arguments, so that both orders give the same bits. */
    const bool swap = geo_triangle_less(&t, &s);
    const geo_triangle *const first = swap ? &t : &s, *const second = swap ? &s : &t;
    nearest best = {.distance2 = INFINITY};
    try_edges(first, second, &best);
    try_corners(first, second, &best);
    nearest reverse = {best.distance2, best.on_t, best.on_s};
    try_corners(second, first, &reverse);
    if (on_s) {
        *on_s = swap ? reverse.on_s : reverse.on_t;
    }
    if (on_t) {
        *on_t = swap ? reverse.on_t : reverse.on_s;
    }
    return reverse.distance2;
}

/* --- Intersection ----------------------------------------------------------------------------- */

/* All decisions are signs of geo_orient3d and geo_orient2d and comparisons of coordinates. */

typedef struct point2 {
    double c[2];
} point2;

/** Drops coordinate `axis`; the other two keep the orientation as seen from +axis. */
static point2 flatten(vec3 p, int axis)
{
    return axis == 0   ? (point2){{p.y, p.z}}
           : axis == 1 ? (point2){{p.z, p.x}}
                       : (point2){{p.x, p.y}};
}

static int turn(const point2 *a, const point2 *b, const point2 *c)
{
    return geo_orient2d(a->c, b->c, c->c);
}

/** True if p, which must be on the line through a and b, is between them. */
static bool between(const point2 *a, const point2 *b, const point2 *p)
{
    for (int i = 0; i < 2; i++) {
        const double lo = a->c[i] < b->c[i] ? a->c[i] : b->c[i];
        const double hi = a->c[i] < b->c[i] ? b->c[i] : a->c[i];
        if (p->c[i] < lo || p->c[i] > hi) {
            return false;
        }
    }
    return true;
}

static bool segments_meet(const point2 *p, const point2 *q, const point2 *a, const point2 *b)
{
    const int pqa = turn(p, q, a), pqb = turn(p, q, b);
    const int abp = turn(a, b, p), abq = turn(a, b, q);
    if (pqa * pqb < 0 && abp * abq < 0) {
        return true;
    }
    return (pqa == 0 && between(p, q, a)) || (pqb == 0 && between(p, q, b)) ||
           (abp == 0 && between(a, b, p)) || (abq == 0 && between(a, b, q));
}

/** True if t contains p; t must not be degenerate. */
static bool contains(const point2 t[3], const point2 *p)
{
    const int s0 = turn(&t[0], &t[1], p), s1 = turn(&t[1], &t[2], p), s2 = turn(&t[2], &t[0], p);
    return (s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0);
}

/** Returns a coordinate whose removal keeps t a triangle; -1 if t is degenerate. */
static int projection_axis(const geo_triangle *t)
{
    for (int axis = 2; axis >= 0; axis--) {
        const point2 a = flatten(t->p[0], axis), b = flatten(t->p[1], axis),
                     c = flatten(t->p[2], axis);
        if (turn(&a, &b, &c) != 0) {
            return axis;
        }
    }
    return -1;
}

/** True if the segment p, q in the plane of t meets t, which must not be degenerate. */
static bool segment_meets_coplanar(vec3 p, vec3 q, const geo_triangle *t)
{
    const int axis = projection_axis(t);
    const point2 flat[3] = {flatten(t->p[0], axis), flatten(t->p[1], axis), flatten(t->p[2], axis)};
    const point2 p2 = flatten(p, axis), q2 = flatten(q, axis);
    return contains(flat, &p2) || segments_meet(&p2, &q2, &flat[0], &flat[1]) ||
           segments_meet(&p2, &q2, &flat[1], &flat[2]) ||
           segments_meet(&p2, &q2, &flat[2], &flat[0]);
}

/** True if the segment p, q meets t, which must not be degenerate. side_p and side_q tell on which
 * side of the plane of t the points p and q are, as returned by geo_orient3d. */
static bool segment_meets_triangle(vec3 p, vec3 q, int side_p, int side_q, const geo_triangle *t)
{
    if (side_p * side_q > 0) {
        return false;
    }
    if (side_p == 0 && side_q == 0) {
        return segment_meets_coplanar(p, q, t);
    }
    /* The line through p and q crosses the plane in one point, which is between p and q. This point
     * is in t if the line passes all three edges on the same side. */
    const int s0 = geo_orient3d(p, q, t->p[0], t->p[1]);
    const int s1 = geo_orient3d(p, q, t->p[1], t->p[2]);
    if (s0 * s1 < 0) {
        return false;
    }
    const int s2 = geo_orient3d(p, q, t->p[2], t->p[0]);
    return s0 * s2 >= 0 && s1 * s2 >= 0;
}

/**
 * Finds the two of three collinear corners that are farthest apart. They are the first and the last
 * one in lexicographic order.
 */
static void ends_of_degenerate(const geo_triangle *t, vec3 ends[2])
{
    ends[0] = ends[1] = t->p[0];
    for (int i = 1; i < 3; i++) {
        const vec3 p = t->p[i];
        for (int end = 0; end < 2; end++) {
            const vec3 e = ends[end];
            if (vec3_less(p, e) == (end == 0)) {
                ends[end] = p;
            }
        }
    }
}

/**
 * True if two degenerate triangles meet. They are segments. If these are coplanar, they meet if and
 * only if their projections along all three axes meet, because one of these projections is
 * injective on their plane.
 */
static bool degenerates_meet(const geo_triangle *s, const geo_triangle *t)
{
    vec3 p[2], q[2];
    ends_of_degenerate(s, p);
    ends_of_degenerate(t, q);
    if (geo_orient3d(p[0], p[1], q[0], q[1]) != 0) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        const point2 p0 = flatten(p[0], axis), p1 = flatten(p[1], axis);
        const point2 q0 = flatten(q[0], axis), q1 = flatten(q[1], axis);
        if (!segments_meet(&p0, &p1, &q0, &q1)) {
            return false;
        }
    }
    return true;
}

/**
 * True if the triangles meet. All six corners must be in one plane, or both triangles must be
 * degenerate.
 */
static bool coplanar_meet(const geo_triangle *s, const geo_triangle *t)
{
    if (projection_axis(s) < 0) {
        const geo_triangle *const swap = s;
        s = t;
        t = swap;
    }
    const int axis = projection_axis(s);
    if (axis < 0) {
        return degenerates_meet(s, t);
    }
    for (int i = 0; i < 3; i++) {
        if (segment_meets_coplanar(t->p[i], t->p[(i + 1) % 3], s)) {
            return true;
        }
    }
    /* No edge of t meets s; the remaining case is s inside t. */
    const point2 flat[3] = {flatten(t->p[0], axis), flatten(t->p[1], axis), flatten(t->p[2], axis)};
    const point2 corner = flatten(s->p[0], axis);
    return turn(&flat[0], &flat[1], &flat[2]) != 0 && contains(flat, &corner);
}

/**
 * Computes the signs of the corners of t against the plane of s. Returns true if all are strictly
 * on one side.
 */
static bool find_sides(const geo_triangle *s, const geo_triangle *t, int side[3])
{
    for (int i = 0; i < 3; i++) {
        side[i] = geo_orient3d(s->p[0], s->p[1], s->p[2], t->p[i]);
    }
    return side[0] != 0 && side[0] == side[1] && side[1] == side[2];
}

static bool all_zero(const int side[3])
{
    return side[0] == 0 && side[1] == 0 && side[2] == 0;
}

static bool edges_meet(const geo_triangle *s, const int side[3], const geo_triangle *t)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        if (segment_meets_triangle(s->p[i], s->p[j], side[i], side[j], t)) {
            return true;
        }
    }
    return false;
}

bool geo_triangle_intersect(geo_triangle s, geo_triangle t)
{
    int side_t[3], side_s[3];
    if (find_sides(&s, &t, side_t) || find_sides(&t, &s, side_s)) {
        return false;
    }
    const bool s_flat = all_zero(side_t), t_flat = all_zero(side_s);
    if (s_flat && t_flat) {
        return coplanar_meet(&s, &t);
    }
    /* If triangles in different planes meet, they share a segment or a point. The ends of the
     * segment are on edges. If only one of s_flat and t_flat is true, this triangle is degenerate
     * and has no plane. So no edges are tested against it. */
    return (!t_flat && edges_meet(&s, side_s, &t)) || (!s_flat && edges_meet(&t, side_t, &s));
}

/** True if the edge p[1] p[2] of s meets t. */
static bool far_edge_meets(const geo_triangle *s, const geo_triangle *t)
{
    const int side1 = geo_orient3d(t->p[0], t->p[1], t->p[2], s->p[1]);
    const int side2 = geo_orient3d(t->p[0], t->p[1], t->p[2], s->p[2]);
    return segment_meets_triangle(s->p[1], s->p[2], side1, side2, t);
}

/** True if faces with the common edge p[0] p[1] overlap: one is folded onto the other. */
static bool folded(const geo_triangle *s, const geo_triangle *t)
{
    if (geo_orient3d(s->p[0], s->p[1], s->p[2], t->p[2]) != 0) {
        return false;
    }
    const int axis = projection_axis(s);
    const point2 a = flatten(s->p[0], axis), b = flatten(s->p[1], axis);
    const point2 c = flatten(s->p[2], axis), d = flatten(t->p[2], axis);
    return turn(&a, &b, &c) == turn(&a, &b, &d);
}

bool geo_triangle_intersect_beyond(geo_triangle s, geo_triangle t, int shared)
{
    switch (shared) {
    case 0:
        return geo_triangle_intersect(s, t);
    case 1:
        /* The intersection is convex and contains the shared corner. If it contains more, it
         * reaches from there to an edge opposite the corner. */
        return far_edge_meets(&s, &t) || far_edge_meets(&t, &s);
    case 2:
        return folded(&s, &t);
    default:
        return true;
    }
}

/* --- Plain formulas in long double, independent except for the intersection test -------------- */

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

static long double point_segment2(wide3 p, wide3 q0, wide3 q1)
{
    const wide3 v = sub(q1, q0), d = sub(p, q0);
    const long double v2 = dot(v, v);
    const long double at = v2 > 0 ? dot(d, v) / v2 : 0;
    const wide3 r = madd(d, at < 0 ? 0 : at > 1 ? -1 : -at, v);
    return dot(r, r);
}

/**
 * Splits d into a combination of u and v and a remainder that is perpendicular to both. Returns the
 * squared length of the remainder. Returns infinity if a coefficient of u or v is not in [0, 1] or,
 * if `triangle`, the sum of both is above 1. The projection is repeated, since one pass leaves an
 * error of epsilon / sin(u, v).
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
            /* Tries points inside of both edges, then the start of each with the other edge. */
            best = least(best, across2(sub(q[j], p[i]), sub(p1, p[i]), sub(q[j], q1), false));
            best = least(best, point_segment2(p[i], q[j], q1));
            best = least(best, point_segment2(q[j], p[i], p1));
        }
        /* Tries corners whose foot is in the other triangle. */
        best = least(best, across2(sub(p[i], q[0]), sub(q[1], q[0]), sub(q[2], q[0]), true));
        best = least(best, across2(sub(q[i], p[0]), sub(p[1], p[0]), sub(p[2], p[0]), true));
    }
    return best;
}

/* --- The intersection of two triangles -------------------------------------------------------- */

static double greatest(vec3 a)
{
    return base_larger(base_larger(fabs(a.x), fabs(a.y)), fabs(a.z));
}

/* --- Points on edges -------------------------------------------------------------------------- */

typedef struct edge {
    vec3 p, q; /* in a fixed order, so that an edge gives the same bits in both directions */
} edge;

static edge make_edge(vec3 p, vec3 q)
{
    return vec3_less(q, p) ? (edge){q, p} : (edge){p, q};
}

static edge edge_of(const geo_triangle *t, int i)
{
    return make_edge(t->p[i], t->p[i == 2 ? 0 : i + 1]);
}

/**
 * Returns the point between p and q that divides the edge in the ratio of the given distances of p
 * and q from a plane or line, in any unit.
 */
static vec3 divide(const edge *e, double from_p, double from_q)
{
    return vec3_madd(e->p, from_p / (from_p + from_q), vec3_sub(e->q, e->p));
}

/**
 * Returns the point where the edge pierces the plane of t; the ends of the edge are on both sides.
 */
static vec3 pierce(const edge *e, const geo_triangle *t)
{
    const vec3 u = vec3_sub(t->p[1], t->p[0]), v = vec3_sub(t->p[2], t->p[0]);
    const vec3 normal = vec3_cross(u, v);
    const vec3 a = vec3_abs(u), b = vec3_abs(v);
    const vec3 terms = {a.y * b.z + a.z * b.y, a.z * b.x + a.x * b.z, a.x * b.y + a.y * b.x};
    const vec3 p = vec3_sub(e->p, t->p[0]), q = vec3_sub(e->q, t->p[0]);
    const double from_p = fabs(vec3_dot(normal, p)), from_q = fabs(vec3_dot(normal, q));
    const double error = GEO_DETERMINANT_ERROR *
                         base_larger(vec3_dot(terms, vec3_abs(p)), vec3_dot(terms, vec3_abs(q)));
    const double length = greatest(vec3_sub(e->q, e->p));
    const double reach = base_larger(greatest(e->p), greatest(e->q));
    if (error * length < GEO_PIERCE_SHARE * reach * (from_p + from_q)) {
        return divide(e, from_p, from_q);
    }
    return divide(e, fabs(geo_orient3d_value(t->p[0], t->p[1], t->p[2], e->p)),
                  fabs(geo_orient3d_value(t->p[0], t->p[1], t->p[2], e->q)));
}

/* --- Triangles that cross, with no corner in the plane of the other --------------------------- */

/** A triangle that straddles a plane. */
typedef struct straddling {
    vec3 apex;      /* the corner that is alone on its side */
    vec3 low, high; /* the other ends of the two edges at the apex. The line in which the planes
                     * meet is directed along the cross product of the normals of s and t. It
                     * crosses the edge to `low` first and the edge to `high` second. */
    bool front;     /* true if the apex is in front of the plane */
} straddling;

/**
 * Finds the apex of t and its edges. side[i] is the side of corner i against the other plane, as
 * returned by geo_orient3d: 1 is behind. first: true for s, false for t of cross_triangles.
 */
static straddling straddle(const geo_triangle *t, const int side[3], bool first)
{
    const int apex = side[1] == side[2] ? 0 : side[0] == side[2] ? 1 : 2;
    const vec3 next = t->p[apex == 2 ? 0 : apex + 1], previous = t->p[apex == 0 ? 2 : apex - 1];
    straddling r = {.apex = t->p[apex], .front = side[apex] < 0};
    /* Look at the triangle s from its front, with the front of the plane of t upwards. The line
     * then runs to the left. If the apex is in front of t, the line crosses the edge to the
     * previous corner first. If the apex is behind t, it crosses the edge to the next corner first.
     * For the triangle t the line runs to the right, so the two edges are exchanged once more. */
    const bool exchanged = r.front != first;
    r.low = exchanged ? next : previous;
    r.high = exchanged ? previous : next;
    return r;
}

/**
 * Compares where the line of both planes crosses two edges: that from the apex of s to end_s, and
 * that from the apex of t to end_t. Returns 1 if it crosses the edge of s first, -1 if it crosses
 * the edge of t first, 0 if it crosses both in one point.
 */
static int compare(const straddling *s, vec3 end_s, const straddling *t, vec3 end_t)
{
    const int sign = geo_orient3d(end_s, t->apex, end_t, s->apex);
    return s->front == t->front ? sign : -sign;
}

typedef enum verdict {
    APART,
    CROSSING,
    TOUCHING, /* not decided: the lines of two edges meet, or a corner is in the other plane */
} verdict;

/** Decides triangles that cross each other's planes and have no corner in them. */
static verdict cross_triangles(const geo_triangle *s, const int side_s[3], const geo_triangle *t,
                               const int side_t[3], geo_common *common)
{
    const straddling a = straddle(s, side_s, true), b = straddle(t, side_t, false);
    const int low_high = compare(&a, a.low, &b, b.high), high_low = compare(&a, a.high, &b, b.low);
    if (low_high < 0 || high_low > 0) {
        return APART;
    }
    if (low_high == 0 || high_low == 0) {
        return TOUCHING;
    }
    const int low_low = compare(&a, a.low, &b, b.low), high_high = compare(&a, a.high, &b, b.high);
    const edge from = low_low > 0 ? make_edge(b.apex, b.low) : make_edge(a.apex, a.low);
    const edge to = high_high < 0 ? make_edge(b.apex, b.high) : make_edge(a.apex, a.high);
    *common = (geo_common){pierce(&from, low_low > 0 ? s : t), pierce(&to, high_high < 0 ? s : t)};
    return CROSSING;
}

/* --- All other cases: the intersection is convex, and its corners are of three kinds ---------- */

typedef struct corners {
    vec3 at[6 + 9 + 6];
    int count;
} corners;

static void add(corners *c, vec3 p)
{
    c->at[c->count++] = p;
}

/** Adds corners of the first kind: corners of one triangle in the other. */
static void add_shared(corners *c, const geo_triangle *s, const geo_triangle *t)
{
    for (int i = 0; i < 3; i++) {
        const vec3 p = s->p[i];
        if (geo_triangle_intersect((geo_triangle){{p, p, p}}, *t)) {
            add(c, p);
        }
    }
}

/** Adds corners of the second kind: points where an edge of s crosses the interior of t. */
static void add_pierced(corners *c, const geo_triangle *s, const int side[3], const geo_triangle *t)
{
    for (int i = 0; i < 3; i++) {
        const edge e = edge_of(s, i);
        int sum = 0;
        for (int k = 0; k < 3; k++) {
            sum += geo_orient3d(e.p, e.q, t->p[k], t->p[k == 2 ? 0 : k + 1]);
        }
        if (side[i] * side[i == 2 ? 0 : i + 1] < 0 && (sum == 3 || sum == -3)) {
            add(c, pierce(&e, t));
        }
    }
}

/** Drops coordinate `axis`. */
static void without_axis(vec3 p, int axis, double out[2])
{
    out[0] = axis == 0 ? p.y : p.x;
    out[1] = axis == 2 ? p.y : p.z;
}

/**
 * True if the interiors of two coplanar edges cross as seen along an axis; *at is then the
 * crossing.
 */
static bool cross_seen_along(int axis, const edge *e, const edge *f, vec3 *at)
{
    double ep[2], eq[2], fp[2], fq[2];
    without_axis(e->p, axis, ep);
    without_axis(e->q, axis, eq);
    without_axis(f->p, axis, fp);
    without_axis(f->q, axis, fq);
    if (geo_orient2d(ep, eq, fp) * geo_orient2d(ep, eq, fq) >= 0 ||
        geo_orient2d(fp, fq, ep) * geo_orient2d(fp, fq, eq) >= 0) {
        return false;
    }
    *at = divide(e, fabs(geo_orient2d_value(fp, fq, ep)), fabs(geo_orient2d_value(fp, fq, eq)));
    return true;
}

/** Adds corners of the third kind: points where an edge of s crosses an edge of t. */
static void add_crossed(corners *c, const geo_triangle *s, const geo_triangle *t)
{
    for (int i = 0; i < 9; i++) {
        const edge e = edge_of(s, i / 3), f = edge_of(t, i % 3);
        if (geo_orient3d(e.p, e.q, f.p, f.q) != 0) {
            continue;
        }
        vec3 at;
        for (int axis = 0; axis < 3; axis++) {
            if (cross_seen_along(axis, &e, &f, &at)) {
                add(c, at);
                break;
            }
        }
    }
}

/** Returns the two corners that are farthest apart. */
static geo_common farthest(const corners *c)
{
    geo_common best = {c->at[0], c->at[0]};
    double best2 = 0;
    for (int i = 0; i < c->count; i++) {
        for (int j = i + 1; j < c->count; j++) {
            const double d2 = vec3_distance2(c->at[i], c->at[j]);
            if (d2 > best2) {
                best2 = d2;
                best = (geo_common){c->at[i], c->at[j]};
            }
        }
    }
    return best;
}

/**
 * Returns a triangle that is not degenerate unchanged. A degenerate triangle is a segment. Returns
 * it with only the ends of the segment as corners, so that two of its edges are the whole segment,
 * with the same bits, and the third one is a point.
 */
static geo_triangle straighten(geo_triangle t)
{
    if (projection_axis(&t) >= 0) {
        return t;
    }
    vec3 least = t.p[0], most = t.p[0];
    for (int i = 1; i < 3; i++) {
        least = vec3_less(t.p[i], least) ? t.p[i] : least;
        most = vec3_less(most, t.p[i]) ? t.p[i] : most;
    }
    return (geo_triangle){{least, most, most}};
}

static geo_common enumerate(geo_triangle s, geo_triangle t)
{
    s = straighten(s);
    t = straighten(t);
    int side_s[3], side_t[3];
    find_sides(&t, &s, side_s);
    find_sides(&s, &t, side_t);
    corners c = {.count = 0};
    add_shared(&c, &s, &t);
    add_shared(&c, &t, &s);
    add_pierced(&c, &s, side_s, &t);
    add_pierced(&c, &t, side_t, &s);
    add_crossed(&c, &s, &t);
    return farthest(&c);
}

bool geo_triangle_common(geo_triangle s, geo_triangle t, geo_common *common)
{
    int side_s[3], side_t[3];
    if (find_sides(&s, &t, side_t) || find_sides(&t, &s, side_s)) {
        return false;
    }
    const int sides = side_s[0] * side_s[1] * side_s[2] * side_t[0] * side_t[1] * side_t[2];
    const verdict decided = sides != 0 ? cross_triangles(&s, side_s, &t, side_t, common) : TOUCHING;
    if (decided == TOUCHING && geo_triangle_intersect(s, t)) {
        *common = enumerate(s, t);
        return true;
    }
    return decided == CROSSING;
}

vec3 geo_triangle_common_point(geo_triangle s, geo_triangle t)
{
    geo_common common = {s.p[0], s.p[0]};
    const bool meet = geo_triangle_common(s, t, &common);
    (void)meet;
    base_assert(meet);
    return vec3_scale(0.5, vec3_add(common.from, common.to));
}
