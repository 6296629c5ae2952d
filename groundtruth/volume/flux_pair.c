#include "groundtruth/volume/flux_pair.h"

#include "geometry/predicates.h"

#include <float.h>
#include <math.h>

gt_flux_facet gt_flux_facet_make(const geo_triangle *t, unsigned forward)
{
    const vec3 u = vec3_sub(t->p[1], t->p[0]), v = vec3_sub(t->p[2], t->p[0]);
    const vec3 au = vec3_abs(u), av = vec3_abs(v);
    return (gt_flux_facet){
        .t = *t,
        .normal = vec3_cross(u, v),
        .terms = {au.y * av.z + au.z * av.y, au.z * av.x + au.x * av.z, au.x * av.y + au.y * av.x},
        .forward = forward,
    };
}

/* --- Signs that double arithmetic cannot decide ----------------------------------------------- */

static double coordinate(vec3 v, int axis)
{
    return vec3_get(v, axis % 3);
}

/** Returns the sign of the first nonzero component of t's normal; 0 for a degenerate triangle. */
static int first_of_normal(const geo_triangle *t)
{
    for (int k = 0; k < 3; k++) {
        double p[3][2];
        for (int i = 0; i < 3; i++) {
            p[i][0] = coordinate(t->p[i], k + 1);
            p[i][1] = coordinate(t->p[i], k + 2);
        }
        const int sign = geo_orient2d(p[0], p[1], p[2]);
        if (sign != 0) {
            return sign;
        }
    }
    return 0;
}

/**
 * Returns +1 if q is in front of t, and -1 if it is behind. of_b: q belongs to B and t to A;
 * otherwise q belongs to A and t to B.
 */
static int exact_side(const geo_triangle *t, vec3 q, bool of_b)
{
    const int sign = -geo_orient3d(t->p[0], t->p[1], t->p[2], q);
    return sign != 0 ? sign : of_b ? first_of_normal(t) : -first_of_normal(t);
}

/** Returns the sign of the first nonzero component of (b1 - b0) x (a1 - a0). */
static int first_of_cross(vec3 a0, vec3 a1, vec3 b0, vec3 b1)
{
    for (int k = 0; k < 3; k++) {
        const double p0[2] = {coordinate(b0, k + 1), coordinate(b0, k + 2)};
        const double p1[2] = {coordinate(b1, k + 1), coordinate(b1, k + 2)};
        const double q0[2] = {coordinate(a0, k + 1), coordinate(a0, k + 2)};
        const double q1[2] = {coordinate(a1, k + 1), coordinate(a1, k + 2)};
        const int sign = geo_cross2d(p0, p1, q0, q1);
        if (sign != 0) {
            return sign;
        }
    }
    return 0;
}

/** Returns the sign of det (a1 - a0, b0 - a0, b1 - a0). */
static int exact_turn(vec3 a0, vec3 a1, vec3 b0, vec3 b1)
{
    const int sign = geo_orient3d(a1, b0, b1, a0);
    return sign != 0 ? sign : first_of_cross(a0, a1, b0, b1);
}

/* --- Signs ------------------------------------------------------------------------------------ */

static int turn(vec3 a0, vec3 a1, vec3 b0, vec3 b1, uint64_t *exact)
{
    const vec3 u = vec3_sub(a1, a0), v = vec3_sub(b0, a0), w = vec3_sub(b1, a0);
    const vec3 au = vec3_abs(u), av = vec3_abs(v), aw = vec3_abs(w);
    const double det = vec3_dot(u, vec3_cross(v, w));
    const double size = au.x * (av.y * aw.z + av.z * aw.y) + au.y * (av.z * aw.x + av.x * aw.z) +
                        au.z * (av.x * aw.y + av.y * aw.x);
    if (fabs(det) > GEO_DETERMINANT_ERROR * size) {
        return det > 0 ? 1 : -1;
    }
    (*exact)++;
    return exact_turn(a0, a1, b0, b1);
}

/**
 * The corners of a triangle against a plane. A distance is multiplied by the length of the plane's
 * normal.
 */
typedef struct sides {
    double distance[3]; /* with the same sign as side, or 0 */
    double error;       /* bound of the error of each distance */
    int side[3];        /* +1 in front, -1 behind */
} sides;

/** Finds the sides of the corners. Returns true if there are corners on both sides. */
static bool look(const gt_flux_facet *plane, const gt_flux_facet *of, bool of_b, sides *s,
                 uint64_t *exact)
{
    s->error = 0;
    for (int i = 0; i < 3; i++) {
        const vec3 d = vec3_sub(of->t.p[i], plane->t.p[0]);
        const double error = GEO_DETERMINANT_ERROR * vec3_dot(plane->terms, vec3_abs(d));
        s->distance[i] = vec3_dot(plane->normal, d);
        s->error = error > s->error ? error : s->error;
        if (fabs(s->distance[i]) > error) {
            s->side[i] = s->distance[i] > 0 ? 1 : -1;
            continue;
        }
        (*exact)++;
        s->side[i] = exact_side(&plane->t, of->t.p[i], of_b);
        if (!(s->distance[i] * s->side[i] > 0)) {
            s->distance[i] = 0;
        }
    }
    const int sum = s->side[0] + s->side[1] + s->side[2];
    return sum == 1 || sum == -1;
}

/* --- Crossings -------------------------------------------------------------------------------- */

static int next(int corner)
{
    return corner == 2 ? 0 : corner + 1;
}

/** Returns the edge that leads from side `from` to the other side. */
static int edge_from(const sides *s, int from)
{
    for (int k = 0; k < 2; k++) {
        if (s->side[k] == from && s->side[next(k)] == -from) {
            return k;
        }
    }
    return 2;
}

static gt_crossing cross(const gt_flux_facet *of, const sides *s, int edge, bool of_b)
{
    const bool forward = (of->forward >> edge & 1) != 0;
    const int i = forward ? edge : next(edge), j = forward ? next(edge) : edge;
    const double from = fabs(s->distance[i]), to = fabs(s->distance[j]), length = from + to;
    const double at = length > 0 ? from / length : 0.5;
    const vec3 p = of->t.p[i], q = of->t.p[j];
    return (gt_crossing){.point = vec3_madd(p, at, vec3_sub(q, p)), .edge = edge, .of_b = of_b};
}

/** Widens the bounds of the segment to contain the rounding error of the end on this edge. */
static void widen(gt_segment *segment, const gt_flux_facet *plane, const gt_flux_facet *of,
                  const sides *s, int edge)
{
    const vec3 d = vec3_abs(vec3_sub(of->t.p[next(edge)], of->t.p[edge]));
    const vec3 n = vec3_abs(plane->normal), t = plane->terms;
    const double at = 4 * s->error / (fabs(s->distance[edge]) + fabs(s->distance[next(edge)]));
    const double along = (d.x + d.y + d.z) * (at < 1 ? at : 1);
    /* The error of the longest component of the normal is small, except for needles. */
    const double longest = fmax(fmax(n.x, n.y), n.z) - GEO_DETERMINANT_ERROR * (t.x + t.y + t.z);
    const double height = longest > 0 && s->error < along * longest ? s->error / longest : along;
    segment->along = fmax(segment->along, along);
    segment->height = fmax(segment->height, height);
}

bool gt_flux_facets_cross(const gt_flux_facet *a, const gt_flux_facet *b, gt_segment *segment,
                          uint64_t *exact)
{
    sides of_a, of_b;
    if (!look(b, a, false, &of_a, exact) || !look(a, b, true, &of_b, exact)) {
        return false;
    }
    const int a_in = edge_from(&of_a, 1), a_out = edge_from(&of_a, -1);
    const int b_in = edge_from(&of_b, 1), b_out = edge_from(&of_b, -1);
    /* Edges run from the front to the back. turn() is +1 if b's edge crosses the common line
     * farther along than a's edge. */
    const vec3 *const p = a->t.p, *const q = b->t.p;
    const vec3 a_in0 = p[a_in], a_in1 = p[next(a_in)], a_out0 = p[next(a_out)], a_out1 = p[a_out];
    const vec3 b_in0 = q[b_in], b_in1 = q[next(b_in)], b_out0 = q[next(b_out)], b_out1 = q[b_out];
    if (turn(a_out0, a_out1, b_out0, b_out1, exact) != 1 ||
        turn(a_in0, a_in1, b_in0, b_in1, exact) != -1) {
        return false;
    }
    const bool start_of_b = turn(a_out0, a_out1, b_in0, b_in1, exact) == 1;
    const bool end_of_b = turn(a_in0, a_in1, b_out0, b_out1, exact) == -1;
    segment->along = segment->height = 0;
    if (start_of_b) {
        segment->start = cross(b, &of_b, b_in, true);
        widen(segment, a, b, &of_b, b_in);
    } else {
        segment->start = cross(a, &of_a, a_out, false);
        widen(segment, b, a, &of_a, a_out);
    }
    if (end_of_b) {
        segment->end = cross(b, &of_b, b_out, true);
        widen(segment, a, b, &of_b, b_out);
    } else {
        segment->end = cross(a, &of_a, a_in, false);
        widen(segment, b, a, &of_a, a_in);
    }
    return true;
}

/* --- Triangles in one plane ------------------------------------------------------------------- */

/* Bounds the error of the area of a common part, as a share of the squared size of its
 * triangles. */
#define PART_ERROR (64 * DBL_EPSILON)

/** A convex polygon. The intersection of two triangles has at most six corners, or nine if rounding
 * makes it concave. */
typedef struct polygon {
    double p[9][2];
    int count;
} polygon;

/** Keeps the part on the left of the line from u to v. If sign is -1, keeps the part on its
 * right. */
static polygon cut(const polygon *of, const double u[2], const double v[2], double sign)
{
    polygon left = {.count = 0};
    double side[9];
    for (int i = 0; i < of->count; i++) {
        const double *const p = of->p[i];
        side[i] = sign * ((v[0] - u[0]) * (p[1] - u[1]) - (v[1] - u[1]) * (p[0] - u[0]));
    }
    for (int i = 0; i < of->count; i++) {
        const int j = (i + 1) % of->count;
        const double *const p = of->p[i], *const q = of->p[j];
        if (side[i] >= 0) {
            left.p[left.count][0] = p[0];
            left.p[left.count++][1] = p[1];
        }
        if ((side[i] < 0) != (side[j] < 0)) {
            const double at = side[i] / (side[i] - side[j]);
            left.p[left.count][0] = p[0] + at * (q[0] - p[0]);
            left.p[left.count++][1] = p[1] + at * (q[1] - p[1]);
        }
    }
    return left;
}

static double twice_area(const polygon *of)
{
    double sum = 0;
    for (int i = 2; i < of->count; i++) {
        const double *const o = of->p[0], *const p = of->p[i - 1], *const q = of->p[i];
        sum += (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0]);
    }
    return sum;
}

/** Projects a triangle by dropping a coordinate. The corners are relative to a point. */
static polygon flatten(const geo_triangle *t, vec3 origin, int axis)
{
    polygon flat = {.count = 3};
    for (int i = 0; i < 3; i++) {
        const vec3 p = vec3_sub(t->p[i], origin);
        flat.p[i][0] = coordinate(p, axis + 1);
        flat.p[i][1] = coordinate(p, axis + 2);
    }
    return flat;
}

/** True if double arithmetic cannot tell the corners of t from points in the plane. */
static bool in_plane(const gt_flux_facet *plane, const geo_triangle *t)
{
    bool inside = true;
    for (int i = 0; i < 3; i++) {
        const vec3 d = vec3_sub(t->p[i], plane->t.p[0]);
        inside = inside && !(fabs(vec3_dot(plane->normal, d)) >
                             GEO_DETERMINANT_ERROR * vec3_dot(plane->terms, vec3_abs(d)));
    }
    return inside;
}

void gt_flux_add_kink(const gt_flux_facet *a, const gt_flux_facet *b, gt_kinks *kinks)
{
    const geo_box box_a = geo_box_of_triangle(a->t), box_b = geo_box_of_triangle(b->t);
    const vec3 lo = vec3_max(box_a.lo, box_b.lo), hi = vec3_min(box_a.hi, box_b.hi);
    if (!geo_box_overlap(box_a, box_b) || !(in_plane(a, &b->t) || in_plane(b, &a->t))) {
        return;
    }
    const vec3 of_a = vec3_abs(a->normal), of_b = vec3_abs(b->normal);
    const vec3 n = vec3_norm2(of_a) > vec3_norm2(of_b) ? of_a : of_b;
    const int axis = n.x > n.y ? (n.x > n.z ? 0 : 2) : (n.y > n.z ? 1 : 2);
    const vec3 origin = a->t.p[0];
    const polygon clip = flatten(&a->t, origin, axis);
    polygon part = flatten(&b->t, origin, axis);
    const double sign = twice_area(&clip) > 0 ? 1 : -1;
    double size = 0;
    for (int k = 0; k < 3; k++) {
        size = fmax(size, fmax(fabs(part.p[k][0]), fabs(part.p[k][1])));
        size = fmax(size, fmax(fabs(clip.p[k][0]), fabs(clip.p[k][1])));
    }
    for (int k = 0; k < 3; k++) {
        part = cut(&part, clip.p[k], clip.p[next(k)], sign);
    }
    const double flat = 0.5 * fabs(twice_area(&part)) + PART_ERROR * size * size;
    const vec3 jump = vec3_scale(flat / coordinate(n, axis), n);
    kinks->jump_m2 = vec3_add(kinks->jump_m2, jump);
    kinks->area_m2 += vec3_norm(jump);
    kinks->box = geo_box_join(kinks->box, (geo_box){lo, hi});
}
