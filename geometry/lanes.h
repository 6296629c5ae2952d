/**
 * Geometry in SIMD lanes: four vectors, eight boxes and a point, and the distances of four pairs of
 * triangles. Each lane of vectors and of distances has the same bits as the scalar functions of
 * vec.h and triangle.h.
 */
#ifndef GEOMETRY_LANES_H
#define GEOMETRY_LANES_H

#include "base/elementary.h"
#include "base/simd.h"
#include "geometry/triangle.h"

typedef struct vec4 {
    f64x4 x, y, z;
} vec4;

/** Loads x[4], y[4], z[4], stored one after the other. */
static inline vec4 vec4_load(const double *xyz)
{
    return (vec4){f64x4_load(xyz), f64x4_load(xyz + 4), f64x4_load(xyz + 8)};
}

static inline vec4 vec4_sub(vec4 a, vec4 b)
{
    return (vec4){f64x4_sub(a.x, b.x), f64x4_sub(a.y, b.y), f64x4_sub(a.z, b.z)};
}

/** Returns a + s b. */
static inline vec4 vec4_madd(vec4 a, f64x4 s, vec4 b)
{
    return (vec4){f64x4_add(a.x, f64x4_mul(s, b.x)), f64x4_add(a.y, f64x4_mul(s, b.y)),
                  f64x4_add(a.z, f64x4_mul(s, b.z))};
}

static inline vec4 vec4_abs(vec4 a)
{
    return (vec4){f64x4_abs(a.x), f64x4_abs(a.y), f64x4_abs(a.z)};
}

static inline f64x4 vec4_dot(vec4 a, vec4 b)
{
    return f64x4_add(f64x4_add(f64x4_mul(a.x, b.x), f64x4_mul(a.y, b.y)), f64x4_mul(a.z, b.z));
}

static inline vec4 vec4_cross(vec4 a, vec4 b)
{
    return (vec4){f64x4_sub(f64x4_mul(a.y, b.z), f64x4_mul(a.z, b.y)),
                  f64x4_sub(f64x4_mul(a.z, b.x), f64x4_mul(a.x, b.z)),
                  f64x4_sub(f64x4_mul(a.x, b.y), f64x4_mul(a.y, b.x))};
}

/** Like vec4_cross, but adds the two products of each component instead of subtracting them. */
static inline vec4 vec4_cross_terms(vec4 a, vec4 b)
{
    return (vec4){f64x4_add(f64x4_mul(a.y, b.z), f64x4_mul(a.z, b.y)),
                  f64x4_add(f64x4_mul(a.z, b.x), f64x4_mul(a.x, b.z)),
                  f64x4_add(f64x4_mul(a.x, b.y), f64x4_mul(a.y, b.x))};
}

static inline vec4 vec4_select(m64x4 mask, vec4 a, vec4 b)
{
    return (vec4){f64x4_select(mask, a.x, b.x), f64x4_select(mask, a.y, b.y),
                  f64x4_select(mask, a.z, b.z)};
}

/* --- A point and eight boxes ------------------------------------------------------------------ */

/** A point in all lanes, rounded down and rounded up to float. */
typedef struct geo_point8 {
    f32x8 below[3], above[3];
} geo_point8;

static inline geo_point8 geo_point8_of(vec3 p)
{
    geo_point8 r;
    for (int axis = 0; axis < 3; axis++) {
        r.below[axis] = f32x8_set(base_float_below(vec3_get(p, axis)));
        r.above[axis] = f32x8_set(base_float_above(vec3_get(p, axis)));
    }
    return r;
}

/**
 * Returns the squared distances of the point from eight boxes. The rounding of the point makes them
 * lower bounds; the computation adds up to 5 roundings. An unused lane, with lo = infinity and
 * hi = -infinity, gives infinity.
 */
static inline f32x8 geo_point8_distance2(const geo_point8 *p, const float lo[3][8],
                                         const float hi[3][8])
{
    const f32x8 zero = f32x8_set(0);
    f32x8 sum = zero;
    for (int axis = 0; axis < 3; axis++) {
        const f32x8 under = f32x8_sub(f32x8_load(lo[axis]), p->above[axis]);
        const f32x8 over = f32x8_sub(p->below[axis], f32x8_load(hi[axis]));
        const f32x8 gap = f32x8_max(f32x8_max(under, over), zero);
        sum = f32x8_add(sum, f32x8_mul(gap, gap));
    }
    return sum;
}

/* --- Distances of triangles ------------------------------------------------------------------- */

/* These functions use the formulas of geo_triangle_distance2. */

enum { GEO_DISTANCE_LANES = 4 };

/** Four pairs: corner[side][k][axis][pair]. */
typedef struct geo_distance_batch {
    double corner[2][3][3][GEO_DISTANCE_LANES];
} geo_distance_batch;

typedef struct geo_distance_answer {
    double distance2[GEO_DISTANCE_LANES]; /* meaningless for triangles that intersect */
    unsigned overlap;                     /* mask of pairs whose boxes overlap; only these may
                                           * intersect */
} geo_distance_answer;

/** Stores a pair in a lane; side 0 is the first triangle in the order of geo_triangle_less. */
static inline void geo_distance_batch_put(geo_distance_batch *batch, int lane,
                                          const geo_triangle *s, const geo_triangle *t)
{
    const bool swap = geo_triangle_less(t, s);
    for (int k = 0; k < 3; k++) {
        double(*const cs)[GEO_DISTANCE_LANES] = batch->corner[swap][k];
        double(*const ct)[GEO_DISTANCE_LANES] = batch->corner[!swap][k];
        cs[0][lane] = s->p[k].x;
        cs[1][lane] = s->p[k].y;
        cs[2][lane] = s->p[k].z;
        ct[0][lane] = t->p[k].x;
        ct[1][lane] = t->p[k].y;
        ct[2][lane] = t->p[k].z;
    }
}

/** Fills the lanes from `size` on with the first pair. */
static inline void geo_distance_batch_pad(geo_distance_batch *batch, int size)
{
    for (int i = size; i < GEO_DISTANCE_LANES; i++) {
        for (int k = 0; k < 3; k++) {
            for (int axis = 0; axis < 3; axis++) {
                batch->corner[0][k][axis][i] = batch->corner[0][k][axis][0];
                batch->corner[1][k][axis][i] = batch->corner[1][k][axis][0];
            }
        }
    }
}

static inline f64x4 clamp01x4(f64x4 x)
{
    return f64x4_min(f64x4_max(x, f64x4_set(0)), f64x4_set(1));
}

typedef struct segment4 {
    vec4 from, to, d;
    f64x4 length2;
} segment4;

static inline segment4 make_segment4(vec4 from, vec4 to)
{
    const vec4 d = vec4_sub(to, from);
    return (segment4){from, to, d, vec4_dot(d, d)};
}

static inline f64x4 segments_distance2x4(const segment4 *p, const segment4 *q)
{
    const f64x4 zero = f64x4_set(0), one = f64x4_set(1);
    const vec4 w = vec4_sub(q->from, p->from), n = vec4_cross(p->d, q->d);
    const f64x4 n2 = vec4_dot(n, n);
    const f64x4 on_line = clamp01x4(f64x4_div(vec4_dot(vec4_cross(w, q->d), n), n2));
    f64x4 s = f64x4_select(f64x4_lt(zero, n2), on_line, zero);
    const vec4 to_line = {f64x4_sub(f64x4_mul(s, p->d.x), w.x),
                          f64x4_sub(f64x4_mul(s, p->d.y), w.y),
                          f64x4_sub(f64x4_mul(s, p->d.z), w.z)};
    const m64x4 q_long = f64x4_lt(zero, q->length2);
    const f64x4 free = f64x4_select(q_long, f64x4_div(vec4_dot(q->d, to_line), q->length2), zero);
    const f64x4 t = clamp01x4(free);
    /* There is no branch here. Half of the pairs would take it, so the processor would often
     * predict it wrongly, and the following pairs would wait. */
    const m64x4 kept = m64x4_and(q_long, m64x4_and(f64x4_le(zero, free), f64x4_le(free, one)));
    const f64x4 again = clamp01x4(f64x4_div(vec4_dot(p->d, vec4_madd(w, t, q->d)), p->length2));
    s = f64x4_select(kept, s, f64x4_select(f64x4_lt(zero, p->length2), again, zero));
    /* If the nearest point is the end of a segment, the corner itself is used, as in
     * geo_triangle_distance2. */
    const m64x4 p_end = f64x4_le(one, s), q_end = f64x4_le(one, t);
    const vec4 r = vec4_sub(vec4_select(p_end, p->to, p->from), vec4_select(q_end, q->to, q->from));
    const f64x4 back = f64x4_sub(zero, t);
    const vec4 gap = vec4_madd(vec4_madd(r, f64x4_select(p_end, zero, s), p->d),
                               f64x4_select(q_end, zero, back), q->d);
    return vec4_dot(gap, gap);
}

static inline f64x4 least_of_edges(const vec4 a[3], const vec4 b[3])
{
    segment4 edges[3];
    for (int j = 0; j < 3; j++) {
        edges[j] = make_segment4(b[j], b[j == 2 ? 0 : j + 1]);
    }
    f64x4 best = f64x4_set(INFINITY);
    for (int i = 0; i < 3; i++) {
        const segment4 edge = make_segment4(a[i], a[i == 2 ? 0 : i + 1]);
        for (int j = 0; j < 3; j++) {
            best = f64x4_min(segments_distance2x4(&edge, &edges[j]), best);
        }
    }
    return best;
}

/* Thresholds of triangle.c. A triangle is a sliver if the squared sine of its angle at the first
 * corner is not above the first one. A foot that is farther outside of a triangle than the second
 * one is not moved back inside by a further pass, unless the triangle is a sliver. */
#define GEO_SLIVER_SINE2 1e-2
#define GEO_FOOT_SLACK   1e-6

/* The first pass of a foot errs by a few eps |p| / (|u| sin(angle)) in u, and likewise in v. The
 * error is far below GEO_FOOT_SLACK if the squared sine is above the first number, and |p|^2 at
 * most the second one times |u|^2 and |v|^2. A foot that this pass puts farther outside is then
 * outside after all passes. */
#define GEO_THIN_SINE2 1e-10
#define GEO_THIN_FAR2  1e6

enum { GEO_FOOT_PASSES = 2, GEO_SLIVER_PASSES = 6 };

typedef struct frame4 {
    vec4 u, v, n;
    f64x4 n2;
    f64x4 far2;   /* if |p|^2 is above this, the first pass of a sliver may err too much */
    m64x4 sliver; /* all bits of a lane are set if its triangle is a sliver */
    bool slivers; /* one of the lanes is one */
} frame4;

static inline frame4 make_frame4(const vec4 t[3])
{
    frame4 f = {.u = vec4_sub(t[1], t[0]), .v = vec4_sub(t[2], t[0])};
    f.n = vec4_cross(f.u, f.v);
    f.n2 = vec4_dot(f.n, f.n);
    const f64x4 u2 = vec4_dot(f.u, f.u), v2 = vec4_dot(f.v, f.v);
    const f64x4 least = f64x4_mul(f64x4_mul(f64x4_set(GEO_SLIVER_SINE2), u2), v2);
    const f64x4 thin = f64x4_mul(f64x4_mul(f64x4_set(GEO_THIN_SINE2), u2), v2);
    f.sliver = f64x4_le(f.n2, least);
    f.slivers = m64x4_bits(f.sliver) != 0;
    f.far2 = f64x4_select(f64x4_lt(thin, f.n2),
                          f64x4_mul(f64x4_set(GEO_THIN_FAR2), f64x4_min(u2, v2)), f64x4_set(-1));
    return f;
}

/** Adds the barycentric coordinates of the foot of `offset` to *u and *v. */
static inline void add_foot(const frame4 *f, vec4 offset, f64x4 *u, f64x4 *v)
{
    *u = f64x4_add(*u, f64x4_div(vec4_dot(vec4_cross(offset, f->v), f->n), f->n2));
    *v = f64x4_add(*v, f64x4_div(vec4_dot(vec4_cross(f->u, offset), f->n), f->n2));
}

/** Returns the lanes where u and v are in the triangle, or outside by at most the slack. */
static inline m64x4 in_triangle(f64x4 u, f64x4 v, double slack)
{
    const f64x4 least = f64x4_set(-slack), most = f64x4_set(1 + slack);
    return m64x4_and(m64x4_and(f64x4_le(least, u), f64x4_le(least, v)),
                     f64x4_le(f64x4_add(u, v), most));
}

/** True if the foot of p may be in the triangle of any lane. */
static inline bool any_foot(const frame4 *f, vec4 origin, vec4 p)
{
    const vec4 d = vec4_sub(p, origin);
    f64x4 u = f64x4_set(0), v = f64x4_set(0);
    add_foot(f, d, &u, &v);
    m64x4 near = in_triangle(u, v, GEO_FOOT_SLACK);
    if (f->slivers) {
        near = m64x4_or(near, m64x4_and(f->sliver, f64x4_lt(f->far2, vec4_dot(d, d))));
    }
    return m64x4_bits(near) != 0;
}

/** Returns the squared distance of p if its foot is in the triangle, else infinity. */
static inline f64x4 foot_distance2(const frame4 *f, vec4 origin, vec4 p)
{
    const f64x4 zero = f64x4_set(0);
    const vec4 d = vec4_sub(p, origin);
    vec4 offset = d;
    f64x4 u = zero, v = zero;
    m64x4 near = f64x4_lt(zero, f->n2);
    for (int pass = 0; pass < GEO_FOOT_PASSES; pass++) {
        add_foot(f, offset, &u, &v);
        near = m64x4_and(near, m64x4_or(f->sliver, in_triangle(u, v, GEO_FOOT_SLACK)));
        offset = vec4_madd(vec4_madd(d, f64x4_sub(zero, u), f->u), f64x4_sub(zero, v), f->v);
    }
    for (int pass = GEO_FOOT_PASSES; f->slivers && pass < GEO_SLIVER_PASSES; pass++) {
        f64x4 next_u = u, next_v = v;
        add_foot(f, offset, &next_u, &next_v);
        u = f64x4_select(f->sliver, next_u, u);
        v = f64x4_select(f->sliver, next_v, v);
        offset = vec4_madd(vec4_madd(d, f64x4_sub(zero, u), f->u), f64x4_sub(zero, v), f->v);
    }
    return f64x4_select(m64x4_and(near, in_triangle(u, v, 0)), vec4_dot(offset, offset),
                        f64x4_set(INFINITY));
}

/** Returns the lanes whose boxes overlap. */
static inline m64x4 boxes_overlap4(double a[3][3][GEO_DISTANCE_LANES],
                                   double b[3][3][GEO_DISTANCE_LANES])
{
    m64x4 overlap = f64x4_le(f64x4_set(0), f64x4_set(0));
    for (int k = 0; k < 3; k++) {
        const f64x4 a0 = f64x4_load(a[0][k]), a1 = f64x4_load(a[1][k]), a2 = f64x4_load(a[2][k]);
        const f64x4 b0 = f64x4_load(b[0][k]), b1 = f64x4_load(b[1][k]), b2 = f64x4_load(b[2][k]);
        const f64x4 lo_a = f64x4_min(f64x4_min(a0, a1), a2);
        const f64x4 hi_a = f64x4_max(f64x4_max(a0, a1), a2);
        const f64x4 lo_b = f64x4_min(f64x4_min(b0, b1), b2);
        const f64x4 hi_b = f64x4_max(f64x4_max(b0, b1), b2);
        overlap = m64x4_and(overlap, m64x4_and(f64x4_le(lo_a, hi_b), f64x4_le(lo_b, hi_a)));
    }
    return overlap;
}

/**
 * Computes the distances. Every lane must be filled by geo_distance_batch_put or _pad.
 */
static inline void geo_distance_batch_measure(geo_distance_batch *batch,
                                              geo_distance_answer *answer)
{
    vec4 t[2][3];
    for (int k = 0; k < 3; k++) {
        t[0][k] = vec4_load(batch->corner[0][k][0]);
        t[1][k] = vec4_load(batch->corner[1][k][0]);
    }
    const frame4 frame[2] = {make_frame4(t[0]), make_frame4(t[1])};
    f64x4 best = least_of_edges(t[0], t[1]);
    unsigned feet = 0;
    for (unsigned k = 0; k < 3; k++) {
        feet |= (unsigned)any_foot(&frame[1], t[1][0], t[0][k]) << k;
        feet |= (unsigned)any_foot(&frame[0], t[0][0], t[1][k]) << (k + 3);
    }
    for (; feet != 0; feet &= feet - 1) {
        const int k = __builtin_ctz(feet), side = k < 3;
        best = f64x4_min(foot_distance2(&frame[side], t[side][0], t[1 - side][k % 3]), best);
    }
    f64x4_store(answer->distance2, best);
    answer->overlap = m64x4_bits(boxes_overlap4(batch->corner[0], batch->corner[1]));
}

#endif
