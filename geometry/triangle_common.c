#include "geometry/triangle_common.h"

#include "base/elementary.h"
#include "base/error.h"
#include "geometry/predicates.h"
#include "geometry/triangle.h"

#include <stddef.h>

static bool vec3_less(vec3 a, vec3 b)
{
    return a.x < b.x || (a.x == b.x && (a.y < b.y || (a.y == b.y && a.z < b.z)));
}

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
    vec3 low, high; /* the far ends of the two edges at the apex: the edge to `low` crosses the
                     * line of both planes first, that to `high` last, along the normal of s
                     * times the normal of t */
    bool front;     /* true if the apex is in front of the plane */
} straddling;

/** side[i]: of corner i, as returned by geo_orient3d: 1 is behind. */
static straddling straddle(const geo_triangle *t, const int side[3], bool first)
{
    const int apex = side[1] == side[2] ? 0 : side[0] == side[2] ? 1 : 2;
    const vec3 next = t->p[apex == 2 ? 0 : apex + 1], previous = t->p[apex == 0 ? 2 : apex - 1];
    straddling r = {.apex = t->p[apex], .front = side[apex] < 0};
    /* As seen from the front of s, with an apex in front of t drawn upward, the line runs to the
     * left and crosses the edge to the previous corner first. Each reversal of one of these
     * three exchanges the two edges. */
    const bool exchanged = r.front != first;
    r.low = exchanged ? next : previous;
    r.high = exchanged ? previous : next;
    return r;
}

/**
 * Compares on the line of both planes where an edge of s is relative to an edge of t: 1 is before
 * it.
 */
static int compare(const straddling *s, vec3 end_s, const straddling *t, vec3 end_t)
{
    const int sign = geo_orient3d(end_s, t->apex, end_t, s->apex);
    return s->front == t->front ? sign : -sign;
}

typedef enum verdict {
    APART,
    CROSSING,
    TOUCHING, /* possibly: an edge meets an edge, or a corner a plane */
} verdict;

/** Decides triangles for which all sides are known and nonzero. */
static verdict cross(const geo_triangle *s, const int side_s[3], const geo_triangle *t,
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

/** Adds corners of the second kind: interiors of edges of s through the interior of t. */
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
static void flatten(vec3 p, int axis, double out[2])
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
    flatten(e->p, axis, ep);
    flatten(e->q, axis, eq);
    flatten(f->p, axis, fp);
    flatten(f->q, axis, fq);
    if (geo_orient2d(ep, eq, fp) * geo_orient2d(ep, eq, fq) >= 0 ||
        geo_orient2d(fp, fq, ep) * geo_orient2d(fp, fq, eq) >= 0) {
        return false;
    }
    *at = divide(e, fabs(geo_orient2d_value(fp, fq, ep)), fabs(geo_orient2d_value(fp, fq, eq)));
    return true;
}

/** Adds corners of the third kind: interiors of edges through interiors of edges. */
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

static bool collinear(const geo_triangle *t)
{
    for (int axis = 0; axis < 3; axis++) {
        double p[3][2];
        for (int i = 0; i < 3; i++) {
            flatten(t->p[i], axis, p[i]);
        }
        if (geo_orient2d(p[0], p[1], p[2]) != 0) {
            return false;
        }
    }
    return true;
}

/**
 * Gives a degenerate triangle, which is a segment, the segment's ends as corners, so that all of
 * its edges are the same.
 */
static geo_triangle straighten(geo_triangle t)
{
    if (!collinear(&t)) {
        return t;
    }
    vec3 least = t.p[0], most = t.p[0];
    for (int i = 1; i < 3; i++) {
        least = vec3_less(t.p[i], least) ? t.p[i] : least;
        most = vec3_less(most, t.p[i]) ? t.p[i] : most;
    }
    return (geo_triangle){{least, most, most}};
}

/**
 * Computes the signs of the corners of t against the plane of s. Returns whether all are strictly
 * on one side.
 */
static bool find_sides(const geo_triangle *s, const geo_triangle *t, int side[3])
{
    for (int i = 0; i < 3; i++) {
        side[i] = geo_orient3d(s->p[0], s->p[1], s->p[2], t->p[i]);
    }
    return side[0] != 0 && side[0] == side[1] && side[1] == side[2];
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
    const verdict known = sides != 0 ? cross(&s, side_s, &t, side_t, common) : TOUCHING;
    if (known == TOUCHING && geo_triangle_intersect(s, t)) {
        *common = enumerate(s, t);
        return true;
    }
    return known == CROSSING;
}

vec3 geo_triangle_common_point(geo_triangle s, geo_triangle t)
{
    geo_common common = {s.p[0], s.p[0]};
    const bool meet = geo_triangle_common(s, t, &common);
    (void)meet;
    base_assert(meet);
    return vec3_scale(0.5, vec3_add(common.from, common.to));
}
