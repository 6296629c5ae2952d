#include "geometry/predicates.h"
#include "geometry/triangle.h"

/* All decisions are signs of geo_orient3d and geo_orient2d and comparisons of coordinates. */

typedef struct point2 {
    double c[2];
} point2;

/** Drops coordinate `axis`; the other two keep the orientation seen from +axis. */
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

/** p, known to be on the line through a and b: between them? */
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

/** t is not degenerate. */
static bool contains(const point2 t[3], const point2 *p)
{
    const int s0 = turn(&t[0], &t[1], p), s1 = turn(&t[1], &t[2], p), s2 = turn(&t[2], &t[0], p);
    return (s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0);
}

static bool segment_meets_flat(const point2 *p, const point2 *q, const point2 t[3])
{
    return contains(t, p) || segments_meet(p, q, &t[0], &t[1]) ||
           segments_meet(p, q, &t[1], &t[2]) || segments_meet(p, q, &t[2], &t[0]);
}

/** A coordinate whose removal keeps t a triangle; -1 when t is degenerate. */
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

/** p, q in the plane of t, which is not degenerate. */
static bool segment_meets_coplanar(vec3 p, vec3 q, const geo_triangle *t)
{
    const int axis = projection_axis(t);
    const point2 flat[3] = {flatten(t->p[0], axis), flatten(t->p[1], axis), flatten(t->p[2], axis)};
    const point2 p2 = flatten(p, axis), q2 = flatten(q, axis);
    return segment_meets_flat(&p2, &q2, flat);
}

/** side_p, side_q: signs of p and q against the plane of t, which is not degenerate. */
static bool segment_meets_triangle(vec3 p, vec3 q, int side_p, int side_q, const geo_triangle *t)
{
    if (side_p * side_q > 0) {
        return false;
    }
    if (side_p == 0 && side_q == 0) {
        return segment_meets_coplanar(p, q, t);
    }
    /* The line crosses the plane once, between p and q: does it pass all edges on one side? */
    const int s0 = geo_orient3d(p, q, t->p[0], t->p[1]);
    const int s1 = geo_orient3d(p, q, t->p[1], t->p[2]);
    if (s0 * s1 < 0) {
        return false;
    }
    const int s2 = geo_orient3d(p, q, t->p[2], t->p[0]);
    return s0 * s2 >= 0 && s1 * s2 >= 0;
}

/** Collinear corners: the two that are farthest apart are the first and last in any order. */
static void ends_of_degenerate(const geo_triangle *t, vec3 ends[2])
{
    ends[0] = ends[1] = t->p[0];
    for (int i = 1; i < 3; i++) {
        const vec3 p = t->p[i];
        for (int end = 0; end < 2; end++) {
            const vec3 e = ends[end];
            const bool less = p.x < e.x || (p.x == e.x && (p.y < e.y || (p.y == e.y && p.z < e.z)));
            if (end == 0 ? less : !less) {
                ends[end] = p;
            }
        }
    }
}

/** Coplanar segments meet when their shadows do along all three axes: one of these loses nothing.
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

/** The six are in one plane, or degenerate. */
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
    /* No edge of t meets s; what is left is s inside t. */
    const point2 flat[3] = {flatten(t->p[0], axis), flatten(t->p[1], axis), flatten(t->p[2], axis)};
    const point2 corner = flatten(s->p[0], axis);
    return turn(&flat[0], &flat[1], &flat[2]) != 0 && contains(flat, &corner);
}

/** Signs of the corners of t against the plane of s. */
static void sides_of(const geo_triangle *s, const geo_triangle *t, int side[3])
{
    for (int i = 0; i < 3; i++) {
        side[i] = geo_orient3d(s->p[0], s->p[1], s->p[2], t->p[i]);
    }
}

static bool all_zero(const int side[3])
{
    return side[0] == 0 && side[1] == 0 && side[2] == 0;
}

static bool one_sided(const int side[3])
{
    return side[0] != 0 && side[0] == side[1] && side[1] == side[2];
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
    sides_of(&s, &t, side_t);
    if (one_sided(side_t)) {
        return false;
    }
    sides_of(&t, &s, side_s);
    if (one_sided(side_s)) {
        return false;
    }
    const bool s_flat = all_zero(side_t), t_flat = all_zero(side_s);
    if (s_flat && t_flat) {
        return coplanar_meet(&s, &t);
    }
    /* Triangles in different planes meet in a segment whose ends are on edges. If only one of the
     * two sees the other in its plane, it has no plane: it is degenerate. */
    return (!t_flat && edges_meet(&s, side_s, &t)) || (!s_flat && edges_meet(&t, side_t, &s));
}

/** Edge p[1] p[2] of s against t. */
static bool far_edge_meets(const geo_triangle *s, const geo_triangle *t)
{
    const int side1 = geo_orient3d(t->p[0], t->p[1], t->p[2], s->p[1]);
    const int side2 = geo_orient3d(t->p[0], t->p[1], t->p[2], s->p[2]);
    return segment_meets_triangle(s->p[1], s->p[2], side1, side2, t);
}

/** Faces with the common edge p[0] p[1] overlap when one lies on the other. */
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
        /* What they have in common is convex and holds the shared corner: if there is more, it
         * reaches from there to an edge opposite of the corner. */
        return far_edge_meets(&s, &t) || far_edge_meets(&t, &s);
    case 2:
        return folded(&s, &t);
    default:
        return true;
    }
}
