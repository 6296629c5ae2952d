#include "geometry/triangle.h"

#include <stddef.h>

/*
 * Barycentric coordinates come from cross products, not from dot products of edges: their error
 * is epsilon / sin(angle) instead of epsilon / sin(angle)^2, and the distance hardly feels it.
 */

/* Below this squared sine of the angle at p[0] a triangle is a sliver, and gets the careful way. */
#define SLIVER_SINE2 1e-2
/* No second pass brings a foot back that is as far outside of a triangle that is no sliver. */
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

/** Nearest point of the segment; the same bits for [a, b] and [b, a], so that faces tie exactly. */
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

/** A plane's frame p[0], u, v and what is needed to project onto it. */
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

/** Coordinates of the foot of d = p - p[0] on u and v. */
static void frame_project(const frame *f, vec3 d, double *on_u, double *on_v)
{
    *on_u = vec3_dot(vec3_cross(d, f->v), f->n) / f->n2;
    *on_v = vec3_dot(vec3_cross(f->u, d), f->n) / f->n2;
}

/**
 * Is the foot of p in the triangle? Then *foot is it, and *offset = p - foot without the rounding
 * of absolute coordinates. Each pass projects what the last one left, and multiplies its error by
 * epsilon / sin(angle), which is large for slivers.
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
        double du, dv;
        frame_project(f, *offset, &du, &dv);
        u += du;
        v += dv;
        if (!sliver && (u < -FOOT_SLACK || v < -FOOT_SLACK || u + v > 1 + FOOT_SLACK)) {
            return false;
        }
        *offset = vec3_madd(vec3_madd(d, -u, f->u), -v, f->v);
    }
    *foot = vec3_madd(vec3_madd(origin, u, f->u), v, f->v);
    return u >= 0 && v >= 0 && u + v <= 1;
}

/** All four candidates: any of them is a point of the triangle, so the nearest is right. */
static vec3 sliver_closest(const geo_triangle *t, const frame *f, vec3 p)
{
    vec3 best = segment_closest(t->p[0], t->p[1], p);
    best = nearer(best, segment_closest(t->p[1], t->p[2], p), p);
    best = nearer(best, segment_closest(t->p[2], t->p[0], p), p);
    vec3 foot, offset;
    return frame_foot(f, t->p[0], p, &foot, &offset) ? nearer(best, foot, p) : best;
}

vec3 geo_triangle_closest(geo_triangle t, vec3 p)
{
    const frame f = make_frame(&t);
    if (!(f.n2 > SLIVER_SINE2 * vec3_norm2(f.u) * vec3_norm2(f.v))) {
        return sliver_closest(&t, &f, p);
    }
    const vec3 d = vec3_sub(p, t.p[0]);
    const double w1 = vec3_dot(vec3_cross(d, f.v), f.n);
    const double w2 = vec3_dot(vec3_cross(f.u, d), f.n);
    const double w0 = f.n2 - w1 - w2;
    if (w0 >= 0 && w1 >= 0 && w2 >= 0) {
        return vec3_madd(vec3_madd(t.p[0], w1 / f.n2, f.u), w2 / f.n2, f.v);
    }
    /* The nearest point is on an edge that p is beyond: one, or two of them. */
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
 * Squared distance and where it is found: nearest on the lines, clamped, then each parameter once
 * more for the other. Parallel segments may start anywhere.
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
    /* Measured from the vertex itself at an end, so that equal vertex pairs tie exactly. */
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

/** Corners of s over the inside of t; over its boundary the edges have found them. */
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
    /* One order for both orders of the arguments: the same bits. */
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
