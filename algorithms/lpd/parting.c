#include "algorithms/lpd/parting.h"

#include "geometry/vec.h"

/* --- Clipping --------------------------------------------------------------------------------- */

/** Returns the point with its x (axis 0) or y (axis 1) replaced. */
static vec3 with(vec3 p, int axis, double value)
{
    return axis == 0 ? (vec3){value, p.y, p.z} : (vec3){p.x, value, p.z};
}

/** Clips a piece to sign * coordinate <= limit. */
static void clip(alg_lpd_piece *piece, int axis, double sign, double limit)
{
    vec3 kept[ALG_LPD_PIECE_CORNERS + 1];
    uint32_t count = 0;
    for (uint32_t k = 0; k < piece->count; k++) {
        const vec3 p = piece->corner[k], q = piece->corner[(k + 1) % piece->count];
        const double at_p = sign * vec3_get(p, axis), at_q = sign * vec3_get(q, axis);
        if (at_p <= limit) {
            kept[count++] = p;
        }
        if ((at_p <= limit) != (at_q <= limit)) {
            /* Always computed from the inner corner, so that both directions of an edge give the
               same point. */
            const bool out = at_p <= limit;
            const vec3 from = out ? p : q, along = vec3_sub(out ? q : p, from);
            const double share = (limit - (out ? at_p : at_q)) / fabs(at_q - at_p);
            kept[count++] = with(vec3_madd(from, share, along), axis, sign * limit);
        }
    }
    piece->count = count;
    for (uint32_t k = 0; k < count; k++) {
        piece->corner[k] = kept[k];
    }
}

/** Returns true if a triangle is seen almost edge-on, or has no area. */
static bool is_steep(vec3 normal)
{
    return fabs(normal.z) <= 1e-3 * (fabs(normal.x) + fabs(normal.y));
}

alg_lpd_piece alg_lpd_piece_make(geo_triangle t, const double half[2])
{
    const vec3 normal = vec3_cross(vec3_sub(t.p[1], t.p[0]), vec3_sub(t.p[2], t.p[0]));
    alg_lpd_piece piece = {
        .corner = {t.p[0], t.p[1], t.p[2]},
        .count = 3,
        .flat = is_steep(normal),
        .normal = normal,
        .box = geo_box_of_triangle(t),
    };
    const bool whole = piece.box.lo.x >= -half[0] && piece.box.hi.x <= half[0] &&
                       piece.box.lo.y >= -half[1] && piece.box.hi.y <= half[1];
    if (whole) {
        return piece;
    }
    for (int side = 0; side < 4; side++) {
        clip(&piece, side / 2, side % 2 == 0 ? 1 : -1, half[side / 2]);
    }
    piece.flat = true;
    piece.box = geo_box_empty();
    for (uint32_t k = 0; k < piece.count; k++) {
        piece.box = geo_box_add(piece.box, piece.corner[k]);
    }
    return piece;
}

/* --- Two pieces ------------------------------------------------------------------------------- */

typedef struct span {
    double lo, hi;
} span;

static span project(const alg_lpd_piece *piece, vec3 axis)
{
    const double first = vec3_dot(axis, piece->corner[0]);
    span s = {first, first};
    for (uint32_t k = 1; k < piece->count; k++) {
        const double x = vec3_dot(axis, piece->corner[k]);
        s.lo = x < s.lo ? x : s.lo;
        s.hi = x > s.hi ? x : s.hi;
    }
    return s;
}

typedef struct cut {
    const alg_lpd_piece *a, *b;
    double margin, enough;
    alg_lpd_meeting left;
} cut;

/** Intersects the interval with the translations at which the projections on the axis overlap.
 * Returns false if nothing remains. */
static bool cut_by(cut *c, vec3 axis)
{
    const span a = project(c->a, axis), b = project(c->b, axis);
    const double wide = c->margin * (fabs(axis.x) + fabs(axis.y) + fabs(axis.z));
    const double low = a.lo - b.hi - wide, high = a.hi - b.lo + wide;
    if (axis.z == 0) {
        return low <= 0 && high >= 0;
    }
    const double from = (axis.z > 0 ? low : high) / axis.z;
    const double to = (axis.z > 0 ? high : low) / axis.z;
    c->left.from = from > c->left.from ? from : c->left.from;
    if (to < c->left.to) {
        c->left.to = to;
        c->left.normal = axis.z > 0 ? axis : vec3_scale(-1, axis);
    }
    return c->left.from <= c->left.to && c->left.to >= c->enough;
}

static vec3 edge_of(const alg_lpd_piece *piece, uint32_t k)
{
    return vec3_sub(piece->corner[k + 1 < piece->count ? k + 1 : 0], piece->corner[k]);
}

/** Cuts by the horizontal normals of the projected edges. */
static bool cut_by_sides(cut *c, const alg_lpd_piece *piece)
{
    for (uint32_t k = 0; k < piece->count; k++) {
        const vec3 e = edge_of(piece, k);
        if (!cut_by(c, (vec3){-e.y, e.x, 0})) {
            return false;
        }
    }
    return true;
}

static bool cut_by_edges(cut *c)
{
    for (uint32_t i = 0; i < c->a->count; i++) {
        const vec3 e = edge_of(c->a, i);
        for (uint32_t j = 0; j < c->b->count; j++) {
            if (!cut_by(c, vec3_cross(e, edge_of(c->b, j)))) {
                return false;
            }
        }
    }
    return true;
}

/** Cuts by axes within the vertical plane of each edge. These are the sides of a Minkowski
 * difference that is flat and seen edge-on. */
static bool cut_by_planes(cut *c, const alg_lpd_piece *piece)
{
    for (uint32_t k = 0; k < piece->count; k++) {
        const vec3 e = edge_of(piece, k);
        if (!cut_by(c, (vec3){e.x, e.y, 0}) ||
            !cut_by(c, (vec3){-e.x * e.z, -e.y * e.z, e.x * e.x + e.y * e.y})) {
            return false;
        }
    }
    return true;
}

alg_lpd_meeting alg_lpd_meeting_make(const alg_lpd_piece *a, const alg_lpd_piece *b, double margin,
                                     double enough)
{
    const vec3 up = {0, 0, 1};
    cut c = {.a = a,
             .b = b,
             .margin = margin,
             .enough = enough,
             .left = {a->box.lo.z - b->box.hi.z - margin, a->box.hi.z - b->box.lo.z + margin, up}};
    const bool meet = cut_by(&c, a->normal) && cut_by(&c, b->normal) && cut_by_sides(&c, a) &&
                      cut_by_sides(&c, b) && cut_by_edges(&c) &&
                      (!(a->flat && b->flat) || (cut_by_planes(&c, a) && cut_by_planes(&c, b)));
    return meet ? c.left : (alg_lpd_meeting){1, 0, up};
}
