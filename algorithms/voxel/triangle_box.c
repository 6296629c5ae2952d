#include "algorithms/voxel/triangle_box.h"

#include "geometry/predicates.h"

/*
 * Bounds of errors, with e = 2^-53 and the sizes of exact differences that they are relative to.
 *
 * A component of the normal is a difference of two products of two differences: each term has three
 * roundings, their difference has one more that it shares, (3 + 16 e) e (|left| + |right|) in all
 * (Shewchuk1997), where |left| + |right| are the computed ones.
 *
 * The value of a half plane at a corner q of a box is such a number as well, with differences of q
 * that are at most reach = the extent of the triangle's box + the box's in size, if the two boxes
 * meet. With |u| reach_u + |v| reach_v, whose own roundings take less than 6 e of it, in place of
 * the products the error is below 4 e times it.
 *
 * The distance from the plane times the length of the normal is a sum of three products of a
 * component (3 e of |left| + |right|, more than the component's own size) and a difference (e), each
 * rounded (e), and two sums (2 e): below 8 e times the sum of (|left| + |right|) reach.
 */
#define EPSILON      0x1p-53
#define NORMAL_BOUND ((3 + 16 * EPSILON) * EPSILON)
#define EDGE_BOUND   (4 * EPSILON)
#define PLANE_BOUND  (8 * EPSILON)

/** The two axes of a coordinate plane: those that follow axis w. */
static int first_axis(int w)
{
    return w == 2 ? 0 : w + 1;
}

static int second_axis(int w)
{
    return w == 0 ? 2 : w - 1;
}

/** The corners of a triangle on the coordinate plane across axis w. */
typedef struct shadow {
    int w;
    double at[3][2];
} shadow;

/** The half plane to the left of the line between two corners. */
static void set_edge(alg_half_plane *e, const shadow *s, const double reach[3], int from, int to)
{
    const int u = first_axis(s->w), v = second_axis(s->w);
    const double *const a = s->at[from], *const b = s->at[to];
    const double du = b[0] - a[0], dv = b[1] - a[1];
    /* A line along an axis separates no box that the coordinates do not. */
    const bool used = du != 0 && dv != 0;
    *e = (alg_half_plane){
        .u = used ? -dv : 0,
        .v = used ? du : 0,
        .from_u = a[0],
        .from_v = a[1],
        .bound = used ? EDGE_BOUND * (fabs(dv) * reach[u] + fabs(du) * reach[v]) : 0,
        .at_u = (uint8_t)(dv < 0 ? u + 3 : u),
        .at_v = (uint8_t)(du > 0 ? v + 3 : v),
        .from = (uint8_t)from,
        .to = (uint8_t)to,
    };
}

/** The half planes of a shadow that is a segment: both sides of its line. */
static void set_segment(alg_half_plane edges[3], const shadow *s, const double reach[3])
{
    int longest = 0;
    double length = -1;
    for (int i = 0; i < 3; i++) {
        const double *const a = s->at[i], *const b = s->at[i == 2 ? 0 : i + 1];
        const double l = fabs(b[0] - a[0]) + fabs(b[1] - a[1]);
        longest = l > length ? i : longest;
        length = l > length ? l : length;
    }
    const int to = longest == 2 ? 0 : longest + 1;
    set_edge(&edges[0], s, reach, longest, to);
    set_edge(&edges[1], s, reach, to, longest);
    set_edge(&edges[2], s, reach, to, to);
}

/** What belongs to one coordinate plane: a component of the normal, and three half planes. */
static void prepare_plane(alg_triangle_box *p, int w, const double reach[3])
{
    const int u = first_axis(w), v = second_axis(w);
    shadow s = {.w = w};
    for (int i = 0; i < 3; i++) {
        s.at[i][0] = vec3_get(p->triangle.p[i], u);
        s.at[i][1] = vec3_get(p->triangle.p[i], v);
    }
    const double left = (s.at[1][0] - s.at[0][0]) * (s.at[2][1] - s.at[0][1]);
    const double right = (s.at[1][1] - s.at[0][1]) * (s.at[2][0] - s.at[0][0]);
    const double n = left - right, size = fabs(left) + fabs(right);
    const int sign =
        fabs(n) > NORMAL_BOUND * size ? (n > 0) - (n < 0) : geo_orient2d(s.at[0], s.at[1], s.at[2]);
    p->sign[w] = sign;
    p->size[w] = sign == 0 ? 0 : size;
    p->component[w] = p->normal[w] = sign == 0 ? 0 : n;
    p->upper[w] = (uint8_t)(sign > 0 ? w + 3 : w);
    p->lower[w] = (uint8_t)(sign > 0 ? w : w + 3);
    if (sign == 0) {
        set_segment(p->edges[w], &s, reach);
        return;
    }
    for (int i = 0; i < 3; i++) {
        const int j = i == 2 ? 0 : i + 1;
        set_edge(&p->edges[w][i], &s, reach, sign < 0 ? j : i, sign < 0 ? i : j);
    }
}

void alg_triangle_box_prepare(geo_triangle t, double size, alg_triangle_box *p)
{
    p->triangle = t;
    p->box = geo_box_of_triangle(t);
    const vec3 extent = vec3_sub(p->box.hi, p->box.lo);
    const double reach[3] = {extent.x + size, extent.y + size, extent.z + size};
    int components = 0;
    p->bound = 0;
    for (int w = 0; w < 3; w++) {
        prepare_plane(p, w, reach);
        components += p->sign[w] != 0;
        p->bound += PLANE_BOUND * (p->size[w] * reach[w]);
    }
    if (components <= 1) {
        /* A plane across an axis, or none. */
        p->normal[0] = p->normal[1] = p->normal[2] = p->bound = 0;
    }
}

/** Is the whole box outside of a half plane? Exact. */
static bool edge_separates(const alg_triangle_box *p, const alg_half_plane *e, int w,
                           const double box[6])
{
    const vec3 from = p->triangle.p[e->from], to = p->triangle.p[e->to];
    const int u = first_axis(w), v = second_axis(w);
    const double a[2] = {vec3_get(from, u), vec3_get(from, v)};
    const double b[2] = {vec3_get(to, u), vec3_get(to, v)};
    const double q[2] = {box[e->at_u], box[e->at_v]};
    return geo_orient2d(a, b, q) < 0;
}

/** The exact side of one corner against the plane: +1 where the normal points to. */
static int plane_side(const geo_triangle *t, double x, double y, double z)
{
    return -geo_orient3d(t->p[0], t->p[1], t->p[2], (vec3){x, y, z});
}

static bool plane_separates(const alg_triangle_box *p, const double box[6])
{
    const vec3 from = p->triangle.p[0];
    const double *const n = p->normal;
    const int ux = p->upper[0], uy = p->upper[1], uz = p->upper[2];
    const int lx = p->lower[0], ly = p->lower[1], lz = p->lower[2];
    const double upper =
        n[0] * (box[ux] - from.x) + n[1] * (box[uy] - from.y) + n[2] * (box[uz] - from.z);
    const double lower =
        n[0] * (box[lx] - from.x) + n[1] * (box[ly] - from.y) + n[2] * (box[lz] - from.z);
    if (upper >= p->bound && -lower >= p->bound) {
        return false;
    }
    if (upper < -p->bound || -lower < -p->bound) {
        return true;
    }
    return (upper < p->bound && plane_side(&p->triangle, box[ux], box[uy], box[uz]) < 0) ||
           (-lower < p->bound && plane_side(&p->triangle, box[lx], box[ly], box[lz]) > 0);
}

bool alg_triangle_box_crosses(const alg_triangle_box *p, const double box[6])
{
    if (plane_separates(p, box)) {
        return false;
    }
    for (int w = 0; w < 3; w++) {
        for (int i = 0; i < 3; i++) {
            const alg_half_plane *const e = &p->edges[w][i];
            const double value =
                e->u * (box[e->at_u] - e->from_u) + e->v * (box[e->at_v] - e->from_v);
            if (value < e->bound && (value < -e->bound || edge_separates(p, e, w, box))) {
                return false;
            }
        }
    }
    return true;
}

bool alg_triangle_box_meets(const alg_triangle_box *p, geo_box box)
{
    if (!geo_box_overlap(p->box, box) || !geo_box_overlap(box, box)) {
        return false;
    }
    const double corners[6] = {box.lo.x, box.lo.y, box.lo.z, box.hi.x, box.hi.y, box.hi.z};
    return alg_triangle_box_crosses(p, corners);
}

bool alg_triangle_box_once(geo_triangle t, geo_box box)
{
    const geo_box around = geo_box_of_triangle(t);
    if (!geo_box_overlap(around, box) || !geo_box_overlap(box, box)) {
        return false;
    }
    const vec3 size = vec3_sub(box.hi, box.lo);
    alg_triangle_box p;
    alg_triangle_box_prepare(t, fmax(size.x, fmax(size.y, size.z)), &p);
    return alg_triangle_box_meets(&p, box);
}
