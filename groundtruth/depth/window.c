/*
 * In a frame whose third axis is the direction of the window, the column is a rectangle. All
 * results are computed from pairs of triangles that lie above each other there.
 *
 * Volume: let "up" be the third axis. The winding number of a point in A is the number of faces of
 * A above it that look up, minus the number of those above it that look down. In B it is the number
 * of faces of B below it that look down, minus the number of those below it that look up. So the
 * volume of the intersection is a sum over pairs of faces: the volume below the face of A and above
 * that of B, times the product of their signs. Faces parallel to the direction have nothing above
 * or below them.
 *
 * A face of A that is below all of B in the column changes neither the volume nor the translation,
 * and neither does a face of B that is above all of A. Few faces remain if the bodies overlap
 * little.
 */
#include "groundtruth/depth/window.h"

#include "base/memory.h"
#include "geometry/pose.h"
#include "groundtruth/body/body.h"
#include "groundtruth/depth/separation.h"

#include <float.h>
#include <math.h>

/* --- The part of a body in the column --------------------------------------------------------- */

/** Triangles in the window's frame, and a hierarchy over their projections along the third axis. */
typedef struct pieces {
    geo_triangle *items;
    size_t count, capacity;
    double area_m2; /* area of all triangles in the column */
    geo_bvh seen;
} pieces;

typedef struct column {
    const gt_window *window;
    vec3 axes[3];
    double half[2];
    pieces of[2];
    base_arena arena;
} column;

/**
 * A line that cuts a convex polygon adds at most one corner. If rounding has made the polygon
 * concave, it adds at most half the number of corners. After four such cuts, a triangle has no more
 * corners than this.
 */
enum { POLYGON_MAX = 13 };

typedef struct polygon {
    vec3 p[POLYGON_MAX];
    size_t count;
} polygon;

/**
 * Returns the point where an edge crosses the bound. It is computed from the inner end, so that the
 * two triangles at an edge get the same point.
 */
static vec3 meet(vec3 in, vec3 out, int axis, double bound)
{
    const double from = vec3_get(in, axis), to = vec3_get(out, axis);
    const vec3 at = vec3_madd(in, (bound - from) / (to - from), vec3_sub(out, in));
    return (vec3){axis == 0 ? bound : at.x, axis == 1 ? bound : at.y, at.z};
}

/** Keeps the part where sign times the coordinate is at most sign times the bound. */
static void cut(polygon *g, int axis, double sign, double bound)
{
    const polygon whole = *g;
    g->count = 0;
    for (size_t i = 0; i < whole.count; i++) {
        const vec3 p = whole.p[i], q = whole.p[(i + 1) % whole.count];
        const bool p_in = sign * vec3_get(p, axis) <= sign * bound;
        const bool q_in = sign * vec3_get(q, axis) <= sign * bound;
        if (p_in) {
            g->p[g->count++] = p;
        }
        if (p_in != q_in) {
            g->p[g->count++] = p_in ? meet(p, q, axis, bound) : meet(q, p, axis, bound);
        }
    }
}

static double area_of(const geo_triangle *t)
{
    return 0.5 * vec3_norm(vec3_cross(vec3_sub(t->p[1], t->p[0]), vec3_sub(t->p[2], t->p[0])));
}

static base_status add_piece(pieces *to, geo_triangle t, base_error *err)
{
    const base_status status = base_reserve(to->items, to->capacity, to->count + 1, err);
    if (status != BASE_OK) {
        return status;
    }
    to->items[to->count++] = t;
    to->area_m2 += area_of(&t);
    return BASE_OK;
}

/** Adds the part of a triangle that is in the column. A triangle that has to be cut is added as
 * several triangles, without those that have no area. */
static base_status add_triangle(column *c, pieces *to, const geo_triangle *t, base_error *err)
{
    polygon g = {.count = 3};
    bool inside = true;
    for (size_t i = 0; i < 3; i++) {
        const vec3 from = vec3_sub(t->p[i], c->window->point);
        g.p[i] = (vec3){vec3_dot(c->axes[0], from), vec3_dot(c->axes[1], from),
                        vec3_dot(c->axes[2], from)};
        inside &= fabs(g.p[i].x) <= c->half[0] && fabs(g.p[i].y) <= c->half[1];
    }
    if (inside) {
        return add_piece(to, (geo_triangle){{g.p[0], g.p[1], g.p[2]}}, err);
    }
    for (int side = 0; side < 4 && g.count > 0; side++) {
        const double sign = side % 2 == 0 ? 1 : -1;
        cut(&g, side / 2, sign, sign * c->half[side / 2]);
    }
    base_status status = BASE_OK;
    for (size_t i = 2; i < g.count && status == BASE_OK; i++) {
        const geo_triangle piece = {{g.p[0], g.p[i - 1], g.p[i]}};
        status = area_of(&piece) > 0 ? add_piece(to, piece, err) : BASE_OK;
    }
    return status;
}

static double low(const geo_triangle *t)
{
    return fmin(t->p[0].z, fmin(t->p[1].z, t->p[2].z));
}

static double high(const geo_triangle *t)
{
    return fmax(t->p[0].z, fmax(t->p[1].z, t->p[2].z));
}

/**
 * Keeps the parts of A that are not below all of B when B is moved by `lift`, and the parts of B
 * that are then not above all of A.
 */
static void leave_facing(pieces *a, pieces *b, double lift)
{
    double lowest = INFINITY, highest = -INFINITY;
    for (size_t i = 0; i < b->count; i++) {
        lowest = fmin(lowest, low(&b->items[i]) + lift);
    }
    for (size_t i = 0; i < a->count; i++) {
        highest = fmax(highest, high(&a->items[i]));
    }
    const size_t counts[2] = {a->count, b->count};
    a->count = b->count = 0;
    for (size_t i = 0; i < counts[0]; i++) {
        a->items[a->count] = a->items[i];
        a->count += high(&a->items[i]) >= lowest;
    }
    for (size_t i = 0; i < counts[1]; i++) {
        b->items[b->count] = b->items[i];
        b->count += low(&b->items[i]) + lift <= highest;
    }
}

/**
 * Builds the hierarchy over the projections. widen: margin of the boxes, as in gt_contact_interval.
 */
static base_status look_along(pieces *all, double widen, base_arena *arena, base_error *err)
{
    if (all->count == 0) {
        return BASE_OK;
    }
    geo_box *const boxes = base_alloc(all->count, sizeof *boxes);
    if (!boxes) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu triangles in a window",
                         all->count);
    }
    const vec3 margin = {fabs(widen), fabs(widen), 0};
    for (size_t i = 0; i < all->count; i++) {
        geo_box box = geo_box_of_triangle(all->items[i]);
        box.lo.z = box.hi.z = 0;
        boxes[i] = (geo_box){vec3_sub(box.lo, margin), vec3_add(box.hi, margin)};
    }
    const base_status status = geo_bvh_build(boxes, all->count, 4, arena, &all->seen, err);
    base_free(boxes);
    return status;
}

static void close_column(column *c)
{
    for (int side = 0; side < 2; side++) {
        base_free(c->of[side].items);
    }
    base_arena_release(&c->arena);
}

/**
 * Collects the pieces of both bodies. widen: margin of the rectangle and of the boxes in it. lift:
 * the lowest translation of B that will be queried; not above 0. Memory: close_column, also after
 * an error.
 */
static base_status open_column(column *c, const gt_body *a, const gt_body *b, const geo_pose *pose,
                               const gt_window *window, double widen, double lift, base_error *err)
{
    const vec3 n = vec3_normalize(window->direction), u = window->side_u;
    const vec3 across = vec3_normalize(vec3_madd(u, -vec3_dot(u, n), n));
    *c = (column){.window = window,
                  .axes = {across, vec3_cross(n, across), n},
                  .half = {window->half_u_m + widen, window->half_v_m + widen}};
    const gt_body *const bodies[2] = {a, b};
    base_status status = BASE_OK;
    for (int side = 0; side < 2 && status == BASE_OK; side++) {
        const gt_body *const body = bodies[side];
        for (size_t i = 0; i < body->mesh->face_count && status == BASE_OK; i++) {
            const geo_triangle t = body->triangles[i];
            const geo_triangle moved = side == 0 ? t : geo_pose_apply_triangle(pose, t);
            status = add_triangle(c, &c->of[side], &moved, err);
        }
    }
    leave_facing(&c->of[0], &c->of[1], lift);
    for (int side = 0; side < 2 && status == BASE_OK; side++) {
        status = look_along(&c->of[side], widen, &c->arena, err);
    }
    return status;
}

/* --- Pairs of pieces -------------------------------------------------------------------------- */

typedef struct walk {
    const column *c;
    void (*take)(void *context, const geo_triangle *a, const geo_triangle *b);
    void *context;
} walk;

static bool visit(void *context, uint32_t a, uint32_t na, uint32_t b, uint32_t nb)
{
    const walk *const w = context;
    const pieces *const of_a = &w->c->of[0], *const of_b = &w->c->of[1];
    for (uint32_t i = a; i < a + na; i++) {
        for (uint32_t j = b; j < b + nb; j++) {
            w->take(w->context, &of_a->items[of_a->seen.order[i]],
                    &of_b->items[of_b->seen.order[j]]);
        }
    }
    return true;
}

/** Visits all pairs that may lie above each other, in an order that depends on the input alone. */
static void for_pairs(const column *c,
                      void (*take)(void *context, const geo_triangle *a, const geo_triangle *b),
                      void *context)
{
    walk w = {c, take, context};
    if (c->of[0].count > 0 && c->of[1].count > 0) {
        geo_bvh_pairs(&c->of[0].seen, &c->of[1].seen, NULL, visit, &w);
    }
}

/* --- Volume ----------------------------------------------------------------------------------- */

/**
 * A triangle projected from above. Its corners are counter-clockwise there. sign: 1 if the triangle
 * looks up, -1 if it looks down, 0 if it is seen edge-on.
 */
typedef struct shadow {
    double x[3], y[3], z[3];
    double lowest, highest, sign;
} shadow;

/** A corner of the region where a face of A is above one of B, and the height difference there. */
typedef struct corner {
    double x, y, z;
} corner;

/** Three corners, which are cut by the three edges of the other triangle and by the line of equal
 * heights. */
enum { CORNERS_MAX = POLYGON_MAX };

typedef struct overlay {
    corner at[CORNERS_MAX];
    size_t count;
} overlay;

static shadow make_shadow(const geo_triangle *t, double lift)
{
    const vec3 *const p = t->p;
    const double twice =
        (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y);
    shadow s = {.sign = (twice > 0) - (twice < 0)};
    for (int i = 0; i < 3; i++) {
        const vec3 q = p[twice < 0 ? 2 - i : i];
        s.x[i] = q.x, s.y[i] = q.y, s.z[i] = q.z + lift;
    }
    s.lowest = low(t) + lift;
    s.highest = high(t) + lift;
    return s;
}

/** Returns twice the area of the triangle that an edge and a point make; it is positive inside. */
static double beside(const shadow *s, int edge, double x, double y)
{
    const int next = (edge + 1) % 3;
    return (s->x[next] - s->x[edge]) * (y - s->y[edge]) -
           (s->y[next] - s->y[edge]) * (x - s->x[edge]);
}

/** Returns the height of the triangle at a point. It is limited to the heights of the corners. */
static double height(const shadow *s, double x, double y)
{
    const double w0 = beside(s, 1, x, y), w1 = beside(s, 2, x, y), w2 = beside(s, 0, x, y);
    const double total = w0 + w1 + w2;
    const double z = total > 0 ? (w0 * s->z[0] + w1 * s->z[1] + w2 * s->z[2]) / total : s->lowest;
    return fmin(fmax(z, s->lowest), s->highest);
}

static corner between(const corner *p, const corner *q, double part)
{
    return (corner){p->x + part * (q->x - p->x), p->y + part * (q->y - p->y),
                    p->z + part * (q->z - p->z)};
}

/** Keeps the part where a linear function is not below 0; value: the function at each corner. */
static void keep(overlay *o, const double value[CORNERS_MAX])
{
    const overlay whole = *o;
    o->count = 0;
    for (size_t i = 0; i < whole.count; i++) {
        const size_t next = (i + 1) % whole.count;
        if (value[i] >= 0) {
            o->at[o->count++] = whole.at[i];
        }
        if ((value[i] >= 0) != (value[next] >= 0)) {
            o->at[o->count++] =
                between(&whole.at[i], &whole.at[next], value[i] / (value[i] - value[next]));
        }
    }
}

/** Returns the region in which triangle a is above triangle b. */
static overlay overlay_of(const shadow *a, const shadow *b)
{
    overlay o = {.count = 3};
    double value[CORNERS_MAX];
    for (int i = 0; i < 3; i++) {
        o.at[i] = (corner){a->x[i], a->y[i], 0};
    }
    for (int edge = 0; edge < 3 && o.count > 0; edge++) {
        for (size_t i = 0; i < o.count; i++) {
            value[i] = beside(b, edge, o.at[i].x, o.at[i].y);
        }
        keep(&o, value);
    }
    for (size_t i = 0; i < o.count; i++) {
        o.at[i].z = height(a, o.at[i].x, o.at[i].y) - height(b, o.at[i].x, o.at[i].y);
        value[i] = o.at[i].z;
    }
    keep(&o, value);
    return o;
}

typedef struct volume {
    double lift;
    double sum, lost; /* lost: the part of the sum that rounding removed (Neumaier) */
} volume;

static void add(volume *v, double value)
{
    const double sum = v->sum + value;
    v->lost += fabs(v->sum) >= fabs(value) ? (v->sum - sum) + value : (value - sum) + v->sum;
    v->sum = sum;
}

static void add_pair(void *context, const geo_triangle *a, const geo_triangle *b)
{
    volume *const v = context;
    if (high(a) <= low(b) + v->lift) {
        return;
    }
    const shadow s = make_shadow(a, 0), t = make_shadow(b, v->lift);
    if (s.sign == 0 || t.sign == 0) {
        return;
    }
    const overlay o = overlay_of(&s, &t);
    for (size_t i = 2; i < o.count; i++) {
        const corner *const p = &o.at[0], *const q = &o.at[i - 1], *const r = &o.at[i];
        const double twice = (q->x - p->x) * (r->y - p->y) - (r->x - p->x) * (q->y - p->y);
        add(v, -s.sign * t.sign * twice * (p->z + q->z + r->z) / 6);
    }
}

/** Returns the volume in the column. lift: translation of B. span: the largest coordinate. */
static gt_bracket volume_in(const column *c, double lift, double span)
{
    volume v = {.lift = lift};
    for_pairs(c, add_pair, &v);
    const double value = v.sum + v.lost, area = fmin(c->of[0].area_m2, c->of[1].area_m2);
    return gt_bracket_around(fmax(value, 0), 1e-11 * fabs(value) + 64 * DBL_EPSILON * span * area);
}

/* --- The translation -------------------------------------------------------------------------- */

typedef struct reach {
    double widen, to;
} reach;

static void reach_farther(void *context, const geo_triangle *a, const geo_triangle *b)
{
    reach *const r = context;
    if (low(a) - high(b) - r->widen > r->to || high(a) - low(b) + r->widen <= r->to) {
        return;
    }
    const gt_interval met = gt_contact_interval(a, b, (vec3){0, 0, 1}, r->widen);
    if (met.from <= r->to && met.to > r->to) {
        r->to = met.to;
    }
}

/**
 * Finds the end of the first stretch of contact from 0 on. The contacts at a translation tell how
 * far the stretch extends. This is repeated until no contact extends it.
 */
static base_status end_of_contact(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                  const gt_window *window, double widen, double *end,
                                  base_error *err)
{
    column c;
    const base_status status = open_column(&c, a, b, pose, window, widen, -fabs(widen), err);
    reach r = {widen, 0};
    for (double at = -1; status == BASE_OK && r.to > at;) {
        at = r.to;
        for_pairs(&c, reach_farther, &r);
    }
    *end = r.to;
    close_column(&c);
    return status;
}

/* --- The query -------------------------------------------------------------------------------- */

static base_status find_volumes(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                const gt_window *window, double depth_m, gt_window_truth *result,
                                base_error *err)
{
    const double in_a = gt_pair_reach(a, b, pose);
    const double span = fmax(in_a, b->reach) + vec3_norm(window->point) + fabs(depth_m);
    column c;
    const base_status status = open_column(&c, a, b, pose, window, 0, fmin(0, depth_m), err);
    if (status == BASE_OK) {
        result->before_m3 = volume_in(&c, 0, span);
        result->after_m3 = volume_in(&c, depth_m, span);
    }
    close_column(&c);
    return status;
}

base_status gt_window_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                            const gt_window *window, double depth_m, gt_window_truth *result,
                            base_error *err)
{
    const double slack = 64 * DBL_EPSILON * (gt_pair_reach(a, b, pose) + vec3_norm(window->point));
    *result = (gt_window_truth){GT_NONE, GT_NONE, GT_NONE};
    base_status status = BASE_OK;
    if (a->report->solid && b->report->solid) {
        status = find_volumes(a, b, pose, window, depth_m, result, err);
    }
    gt_bracket needed;
    if (status == BASE_OK) {
        status = end_of_contact(a, b, pose, window, -slack, &needed.lo, err);
    }
    if (status == BASE_OK) {
        status = end_of_contact(a, b, pose, window, slack, &needed.hi, err);
    }
    if (status == BASE_OK) {
        result->needed_m = (gt_bracket){needed.lo * (1 - 1e-12), needed.hi * (1 + 1e-12)};
    }
    return status;
}
