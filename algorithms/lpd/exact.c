#include "algorithms/lpd/exact.h"

#include "base/simd.h"
#include "geometry/vec.h"
#include "geometry/pose.h"
#include "geometry/tree.h"

#include <float.h>

/* --- Pieces of triangles ---------------------------------------------------------------------- */

/*
 * Frame    of a window: x and y across the column, z along the motion; the origin is the
 *          rectangle's centre.
 */

enum { PIECE_CORNERS = 7 }; /* three, plus one for each side of the rectangle */

/** The part of a triangle inside a column. */
typedef struct part {
    vec3 corner[PIECE_CORNERS];
    uint32_t count; /* of corners; 0 if the triangle is outside */
    bool flat;      /* true if its projection may be a segment or a point, because it is steep or
                       was clipped */
    vec3 normal;    /* of the triangle; its length is twice the area */
    geo_box box;    /* of the corners */
} part;

/** Clips a piece to the points with sign * coordinate <= limit. */
static void clip(part *piece, int axis, double sign, double limit)
{
    vec3 kept[PIECE_CORNERS + 1];
    uint32_t count = 0;
    for (uint32_t k = 0; k < piece->count; k++) {
        const vec3 p = piece->corner[k], q = piece->corner[(k + 1) % piece->count];
        const double at_p = sign * vec3_get(p, axis), at_q = sign * vec3_get(q, axis);
        if (at_p <= limit) {
            kept[count++] = p;
        }
        if ((at_p <= limit) != (at_q <= limit)) {
            /* The point is always computed from the inner corner, so that it is the same for both
             * directions of an edge. */
            const bool out = at_p <= limit;
            const vec3 from = out ? p : q, along = vec3_sub(out ? q : p, from);
            const double share = (limit - (out ? at_p : at_q)) / fabs(at_q - at_p);
            const vec3 at = vec3_madd(from, share, along);
            kept[count++] =
                axis == 0 ? (vec3){sign * limit, at.y, at.z} : (vec3){at.x, sign * limit, at.z};
        }
    }
    piece->count = count;
    for (uint32_t k = 0; k < count; k++) {
        piece->corner[k] = kept[k];
    }
}

/**
 * Returns the part of a triangle inside |x| <= half[0], |y| <= half[1]. Adjacent triangles have the
 * same corners on their common edge.
 */
static part clip_triangle(geo_triangle t, const double half[2])
{
    const vec3 normal = vec3_cross(vec3_sub(t.p[1], t.p[0]), vec3_sub(t.p[2], t.p[0]));
    part piece = {
        .corner = {t.p[0], t.p[1], t.p[2]},
        .count = 3,
        /* seen almost edge-on, or without an area */
        .flat = fabs(normal.z) <= 1e-3 * (fabs(normal.x) + fabs(normal.y)),
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

/** The translations [from, to] along z at which the moved b shares a point with a; empty if from >
 * to. */
typedef struct meeting {
    double from, to;
    vec3 normal; /* normal of the plane across which they part at `to`; z > 0; of any length */
} meeting;

typedef struct span {
    double lo, hi;
} span;

static span project(const part *piece, vec3 axis)
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
    const part *a, *b;
    double margin, enough;
    meeting left;
} cut;

/**
 * Intersects the interval with the translations at which the projections on the axis overlap.
 * Returns false if nothing remains, or if the interval ends before `enough`.
 */
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

static vec3 edge_of(const part *piece, uint32_t k)
{
    return vec3_sub(piece->corner[k + 1 < piece->count ? k + 1 : 0], piece->corner[k]);
}

/** Cuts by the horizontal normals of the projected edges. */
static bool cut_by_sides(cut *c, const part *piece)
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

/**
 * Cuts by two axes in the vertical plane through each edge. If the Minkowski difference is flat and
 * seen edge-on, these are the normals of its sides.
 */
static bool cut_by_planes(cut *c, const part *piece)
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

/**
 * Returns the translations at which two pieces meet. They form one interval, since both pieces are
 * convex.
 *
 * The interval is where the line of translations is inside of the Minkowski difference of the
 * pieces, which is a convex body. Each of its facets cuts the line; the normals of all facets are
 * among the axes that are tried. An axis removes only translations at which the pieces remain apart
 * even if all points move by margin along each axis of the frame. So rounding errors, or an axis
 * that is not tried, can make the interval longer, but never open a gap between adjacent triangles.
 *
 * enough: if `to` is less than this, the search may stop early; then the result has from > to.
 * Cost     0.2 us for two unclipped triangles.
 */
static meeting meet(const part *a, const part *b, double margin, double enough)
{
    const vec3 up = {0, 0, 1};
    cut c = {.a = a,
             .b = b,
             .margin = margin,
             .enough = enough,
             .left = {a->box.lo.z - b->box.hi.z - margin, a->box.hi.z - b->box.lo.z + margin, up}};
    const bool some = cut_by(&c, a->normal) && cut_by(&c, b->normal) && cut_by_sides(&c, a) &&
                      cut_by_sides(&c, b) && cut_by_edges(&c) &&
                      (!(a->flat && b->flat) || (cut_by_planes(&c, a) && cut_by_planes(&c, b)));
    return some ? c.left : (meeting){1, 0, up};
}

/* --- Bounds ----------------------------------------------------------------------------------- */

/** Bounds that contain a node or a triangle, in the frame of a window, in float. */
typedef struct bounds {
    float lo[3], hi[3];
} bounds;

/** Bounds of the eight children of a node, or of the eight triangles of a leaf. */
typedef struct bounds8 {
    f32x8 lo[3], hi[3];
} bounds8;

/** Transformation of a body into the frame of a window. */
typedef struct viewer {
    float axis[3][3]; /* the window's axes in the tree's frame */
    float size[3][3]; /* their absolute values */
    float origin[3];  /* of the tree, in the window */
    float half[2];    /* half sides of the window */
    float blur;       /* bound of the rounding errors */
} viewer;

/**
 * pose: pose of the body in A's frame. origin: origin of the tree, in the window's frame. blur: a
 * bound from geo_motion_margin.
 */
static viewer make_viewer(const geo_pose *pose, vec3 origin, mat3 axes, const double half[2],
                          float blur)
{
    viewer v = {.half = {base_float_above(half[0]), base_float_above(half[1])}, .blur = blur};
    for (int i = 0; i < 3; i++) {
        const vec3 axis = mat3_tmul_vec3(pose->rotation, axes.row[i]);
        v.origin[i] = (float)vec3_get(origin, i);
        for (int k = 0; k < 3; k++) {
            v.axis[i][k] = (float)vec3_get(axis, k);
            v.size[i][k] = fabsf(v.axis[i][k]);
        }
    }
    return v;
}

/** Returns the bounds of the ball around the tree's origin. */
static bounds bounds_of_ball(const viewer *v, double radius)
{
    bounds ball;
    const float reach = base_float_above(radius) + v->blur;
    for (int i = 0; i < 3; i++) {
        ball.lo[i] = v->origin[i] - reach;
        ball.hi[i] = v->origin[i] + reach;
    }
    return ball;
}

static f32x8 coordinate(const viewer *v, int i, const f32x8 point[3])
{
    f32x8 at = f32x8_set(v->origin[i]);
    for (int k = 0; k < 3; k++) {
        at = f32x8_add(at, f32x8_mul(f32x8_set(v->axis[i][k]), point[k]));
    }
    return at;
}

/** Returns the bounds of a node's children. Bounds of a child without triangles are NaN. */
static bounds8 bounds_of_children(const viewer *v, const geo_slab_node *node)
{
    const f32x8 half = f32x8_set(0.5F);
    f32x8 middle[3], edge[3];
    for (int k = 0; k < 3; k++) {
        const f32x8 lo = f32x8_load(node->lo[k]), hi = f32x8_load(node->hi[k]);
        middle[k] = f32x8_mul(half, f32x8_add(lo, hi));
        edge[k] = f32x8_mul(half, f32x8_sub(hi, lo));
    }
    bounds8 seen;
    for (int i = 0; i < 3; i++) {
        const f32x8 centre = coordinate(v, i, middle);
        f32x8 reach = f32x8_set(v->blur);
        for (int k = 0; k < 3; k++) {
            reach = f32x8_add(reach, f32x8_mul(f32x8_set(v->size[i][k]), edge[k]));
        }
        seen.lo[i] = f32x8_sub(centre, reach);
        seen.hi[i] = f32x8_add(centre, reach);
    }
    return seen;
}

static bounds8 bounds_of_triangles(const viewer *v, const geo_tree_leaf *leaf)
{
    const f32x8 blur = f32x8_set(v->blur);
    f32x8 corner[3][3];
    for (int k = 0; k < 3; k++) {
        for (int axis = 0; axis < 3; axis++) {
            corner[k][axis] = f32x8_load(leaf->corner[k][axis]);
        }
    }
    bounds8 seen;
    for (int i = 0; i < 3; i++) {
        const f32x8 p = coordinate(v, i, corner[0]), q = coordinate(v, i, corner[1]);
        const f32x8 r = coordinate(v, i, corner[2]);
        seen.lo[i] = f32x8_sub(f32x8_min(p, f32x8_min(q, r)), blur);
        seen.hi[i] = f32x8_add(f32x8_max(p, f32x8_max(q, r)), blur);
    }
    return seen;
}

static bounds bounds_of_lane(const bounds8 *seen, unsigned lane)
{
    bounds one;
    for (int i = 0; i < 3; i++) {
        float lo[GEO_TREE_WIDTH], hi[GEO_TREE_WIDTH];
        f32x8_store(lo, seen->lo[i]);
        f32x8_store(hi, seen->hi[i]);
        one.lo[i] = lo[lane];
        one.hi[i] = hi[lane];
    }
    return one;
}

/** Returns the mask of those bounds that overlap `other` inside the window, as seen along z. */
static m32x8 overlap_in_window(const viewer *v, const bounds8 *seen, const bounds *other)
{
    m32x8 hit = f32x8_le(seen->lo[0], seen->hi[0]);
    for (int i = 0; i < 2; i++) {
        const float half = v->half[i];
        const float lo = other->lo[i] > -half ? other->lo[i] : -half;
        const float hi = other->hi[i] < half ? other->hi[i] : half;
        hit = m32x8_and(hit, f32x8_le(seen->lo[i], f32x8_set(hi)));
        hit = m32x8_and(hit, f32x8_le(f32x8_set(lo), seen->hi[i]));
    }
    return hit;
}

/* --- Depth ------------------------------------------------------------------------------------ */

/*
 * Both hierarchies are traversed at once, depth first. Of the pairs of boxes, the one whose
 * interval may end last is visited first. The stretch is the range of translations, from 0 on, at
 * which some pair is known to meet. Only a pair whose interval contains the current end of the
 * stretch can extend it. Pairs whose interval begins later wait in a list until the end has
 * advanced to their begin. If the list is full, further pairs are found again by a new traversal
 * from the roots.
 */

/* Rounding error of doubles in the window, relative to the largest coordinate. */
#define ROUNDING (32 * DBL_EPSILON)

/** Two nodes or leaves, A's first: levels and numbers within the level. */
typedef struct node_pair {
    uint32_t level[2], index[2];
    bounds of[2];
    double from, to; /* they do not meet at translations outside of [from, to] */
} node_pair;

enum { WAITING_MAX = 64, GROWTHS = 64 };

struct alg_lpd_column {
    bool grows;
    node_pair *stack, *waiting;
    size_t depth, waiting_count;

    /* The window. */
    const geo_pose *pose;
    vec3 centre;
    mat3 axes;
    double half[2];
    double margin; /* rounding error of coordinates in the window */
    const geo_tree *tree[2];
    viewer viewer[2];

    /* The stretch of translations at which pairs meet. */
    bool through;     /* true if it continues behind gaps */
    double reached;   /* current end of the stretch */
    double slack;     /* rounding error of `reached` */
    double out;       /* the last end of a pair beyond whose end B is out of A */
    double unstored;  /* the least begin of the pairs that found no room in `waiting` */
    double postponed; /* the least begin of the pairs of triangles, in the current leaves, that
                         have to wait */
    vec3 normal, normal_out;
    uint64_t tests;
};

base_status alg_lpd_column_create(const alg_lpd_pair *pair, bool grows, base_arena *arena,
                                  alg_lpd_column **column, base_error *err)
{
    /* A split replaces a pair by at most eight, so each level adds at most seven. */
    const size_t levels = pair->a->tree.level_count + pair->b->tree.level_count;
    alg_lpd_column *const c = base_arena_alloc(arena, 1, sizeof *c);
    node_pair *const stack = base_arena_alloc(arena, levels * GEO_TREE_WIDTH, sizeof *stack);
    node_pair *const waiting = base_arena_alloc(arena, WAITING_MAX, sizeof *waiting);
    if (c == NULL || stack == NULL || waiting == NULL) {
        return base_fail(err, BASE_ERR_MEMORY, "no memory for a column of pairs");
    }
    c->grows = grows;
    c->stack = stack;
    c->waiting = waiting;
    *column = c;
    return BASE_OK;
}

/* --- The window ------------------------------------------------------------------------------- */

static vec3 in_window(const alg_lpd_column *c, vec3 p)
{
    return mat3_mul_vec3(c->axes, vec3_sub(p, c->centre));
}

static void open_window(alg_lpd_column *c, const alg_lpd_pair *pair, const geo_pose *pose,
                        const alg_lpd_box *box)
{
    const geo_pose stay = geo_pose_identity();
    const geo_tree *const a = &pair->a->tree, *const b = &pair->b->tree;
    c->pose = pose;
    c->centre = box->centre;
    c->axes = (mat3){{box->axis[0], box->axis[1], box->axis[2]}};
    const double far = vec3_norm(box->centre) + vec3_norm(a->origin) + a->span +
                       vec3_norm(pose->translation) + vec3_norm(b->origin) + b->span;
    c->margin = ROUNDING * far;
    for (int k = 0; k < 2; k++) {
        c->half[k] = box->half[k] + c->margin;
    }
    const float blur = geo_motion_margin(a->span, b->span, far, c->margin);
    c->tree[0] = a;
    c->tree[1] = b;
    c->viewer[0] = make_viewer(&stay, in_window(c, a->origin), c->axes, c->half, blur);
    c->viewer[1] =
        make_viewer(pose, in_window(c, geo_pose_apply(pose, b->origin)), c->axes, c->half, blur);
}

/* --- The stretch ------------------------------------------------------------------------------ */

static void open_stretch(alg_lpd_column *c, bool through)
{
    c->through = through;
    c->reached = 0;
    c->slack = 0;
    c->out = -(double)INFINITY;
    c->normal = c->normal_out = (vec3){0, 0, 1};
    c->tests = 0;
}

/**
 * Returns the end that an interval must exceed to change the result. An interval that does not lead
 * out must end more than two margins beyond the current end of the stretch. One that leads out may
 * also end at the current end, within its slack, if no pair that leads out is known to end there.
 * So of many pairs that end together, as those of parallel faces do, only a few are tested. The two
 * margins lose nothing: each interval is longer by a margin at either end, so an interval that
 * continues the stretch begins before its current end.
 */
static double useful_end(const alg_lpd_column *c, bool leads_out)
{
    const double same = 2 * c->margin, near = c->reached - c->slack, out = c->out + same;
    return !leads_out ? c->reached + same : out > near ? out : near;
}

/** Returns true if pairs that end at `to` might extend the result. */
static bool may_extend(const alg_lpd_column *c, double to)
{
    return to > useful_end(c, true);
}

/**
 * Returns the last translation at which an interval may begin. Pairs that begin later wait until
 * the end of the stretch has advanced to their begin.
 */
static double last_begin(const alg_lpd_column *c)
{
    return c->through ? (double)INFINITY : c->reached;
}

static void test_pieces(alg_lpd_column *c, const part *a, const part *b)
{
    /* If A's face is turned up and B's face is turned down, B is above A beyond the translation at
     * which they part. */
    const bool out = a->normal.z >= 0 && b->normal.z <= 0;
    const double enough = useful_end(c, out), margin = c->margin;
    const bool overlap = a->box.lo.x <= b->box.hi.x + margin &&
                         b->box.lo.x <= a->box.hi.x + margin &&
                         a->box.lo.y <= b->box.hi.y + margin && b->box.lo.y <= a->box.hi.y + margin;
    if (!overlap || a->box.hi.z - b->box.lo.z + c->margin <= enough) {
        return;
    }
    c->tests++;
    const meeting m = meet(a, b, c->margin, enough);
    if (!(m.from <= m.to && m.to > enough)) {
        return;
    }
    if (m.from > last_begin(c)) {
        c->postponed = m.from < c->postponed ? m.from : c->postponed;
        return;
    }
    if (m.to > c->reached) {
        c->reached = m.to;
        c->normal = m.normal;
        c->slack = 4 * c->margin * (vec3_norm(m.normal) / m.normal.z);
    }
    if (out && m.to > c->out) {
        c->out = m.to;
        c->normal_out = m.normal;
    }
}

/**
 * Stores a pair whose interval begins beyond the current end. If the list is full, pairs that can
 * no longer change the result are removed first.
 */
static void postpone(alg_lpd_column *c, const node_pair *pair, double from)
{
    if (c->waiting_count == WAITING_MAX) {
        size_t left = 0;
        for (size_t k = 0; k < WAITING_MAX; k++) {
            if (may_extend(c, c->waiting[k].to)) {
                c->waiting[left++] = c->waiting[k];
            }
        }
        c->waiting_count = left;
    }
    if (c->waiting_count == WAITING_MAX) {
        c->unstored = from < c->unstored ? from : c->unstored;
        return;
    }
    c->waiting[c->waiting_count] = *pair;
    c->waiting[c->waiting_count++].from = from;
}

/* --- Leaves ----------------------------------------------------------------------------------- */

static unsigned lanes_of(const geo_tree *tree, uint32_t leaf)
{
    const uint32_t left = tree->count - leaf * GEO_TREE_WIDTH;
    return left < GEO_TREE_WIDTH ? (1U << left) - 1 : 0xFF;
}

static part part_of(const alg_lpd_column *c, int side, uint32_t index)
{
    geo_triangle t = c->tree[side]->triangles[index];
    for (int k = 0; k < 3; k++) {
        t.p[k] = in_window(c, side == 0 ? t.p[k] : geo_pose_apply(c->pose, t.p[k]));
    }
    return clip_triangle(t, c->half);
}

/** Tests triangles of A with triangle `of_b` of B. Bit i of `hits` is A's triangle first + i. */
static void test_triangles(alg_lpd_column *c, uint32_t first, unsigned hits, uint32_t of_b)
{
    const part b = part_of(c, 1, of_b);
    for (; hits != 0 && b.count > 0; hits &= hits - 1) {
        const part a = part_of(c, 0, first + (uint32_t)__builtin_ctz(hits));
        if (a.count > 0) {
            test_pieces(c, &a, &b);
        }
    }
}

static void test_leaves(alg_lpd_column *c, const node_pair *p)
{
    const geo_tree *const a = c->tree[0], *const b = c->tree[1];
    const bounds8 of_a = bounds_of_triangles(&c->viewer[0], &a->leaves[p->index[0]]);
    const bounds8 of_b = bounds_of_triangles(&c->viewer[1], &b->leaves[p->index[1]]);
    const unsigned used = lanes_of(a, p->index[0]);
    unsigned left = lanes_of(b, p->index[1]);
    left &= m32x8_bits(overlap_in_window(&c->viewer[1], &of_b, &p->of[0]));
    c->postponed = (double)INFINITY;
    for (; left != 0; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const bounds v = bounds_of_lane(&of_b, lane);
        const f32x8 from = f32x8_sub(of_a.lo[2], f32x8_set(v.hi[2]));
        const f32x8 to = f32x8_sub(of_a.hi[2], f32x8_set(v.lo[2]));
        const f32x8 reached = f32x8_set(base_float_above(last_begin(c)));
        const f32x8 end = f32x8_set(base_float_below(useful_end(c, true)));
        const m32x8 near =
            m32x8_and(overlap_in_window(&c->viewer[0], &of_a, &v), f32x8_le(end, to));
        const unsigned hits = m32x8_bits(near) & used;
        const unsigned now = hits & m32x8_bits(f32x8_le(from, reached));
        if (hits != now) {
            const f32x8 later = f32x8_select(near, from, f32x8_set(INFINITY));
            const f32x8 first = f32x8_select(f32x8_le(from, reached), f32x8_set(INFINITY), later);
            const double least = (double)f32x8_least(first);
            c->postponed = least < c->postponed ? least : c->postponed;
        }
        test_triangles(c, p->index[0] * GEO_TREE_WIDTH, now, p->index[1] * GEO_TREE_WIDTH + lane);
    }
    if (c->postponed < (double)INFINITY) {
        postpone(c, p, c->postponed);
    }
}

/* --- Nodes ------------------------------------------------------------------------------------ */

static void push(alg_lpd_column *c, const node_pair *pair, size_t base)
{
    size_t at = c->depth++;
    for (; at > base && c->stack[at - 1].to > pair->to; at--) {
        c->stack[at] = c->stack[at - 1];
    }
    c->stack[at] = *pair;
}

/** Pushes the pairs in which the node on `side` is replaced by one of its children. */
static void split(alg_lpd_column *c, const node_pair *parent, int side)
{
    const uint32_t level = parent->level[side], index = parent->index[side];
    const geo_slab_node *const node = &c->tree[side]->slabs[level][index];
    const bounds8 seen = bounds_of_children(&c->viewer[side], node);
    /* Bounds of children without triangles are NaN. */
    const m32x8 used = f32x8_le(f32x8_load(node->lo[0]), f32x8_load(node->hi[0]));
    unsigned left = m32x8_bits(
        m32x8_and(used, overlap_in_window(&c->viewer[side], &seen, &parent->of[1 - side])));
    const size_t base = c->depth;
    for (; left != 0; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        node_pair next = *parent;
        next.level[side] = level - 1;
        next.index[side] = index * GEO_TREE_WIDTH + lane;
        next.of[side] = bounds_of_lane(&seen, lane);
        next.from = (double)(next.of[0].lo[2] - next.of[1].hi[2]);
        next.to = (double)(next.of[0].hi[2] - next.of[1].lo[2]);
        if (may_extend(c, next.to)) {
            push(c, &next, base);
        }
    }
}

static float size_of(const bounds *v)
{
    return (v->hi[0] - v->lo[0]) + (v->hi[1] - v->lo[1]) + (v->hi[2] - v->lo[2]);
}

static void visit(alg_lpd_column *c, const node_pair *p)
{
    const bool leaf_a = p->level[0] == 0, leaf_b = p->level[1] == 0;
    if (!may_extend(c, p->to)) {
        return;
    }
    if (p->from > last_begin(c)) {
        postpone(c, p, p->from);
    } else if (leaf_a && leaf_b) {
        test_leaves(c, p);
    } else {
        split(c, p, leaf_a || (!leaf_b && size_of(&p->of[1]) > size_of(&p->of[0])));
    }
}

/* --- Directions ------------------------------------------------------------------------------- */

/**
 * Removes a pair from the waiting list that begins at or before the current end. Returns false if
 * there is no such pair.
 */
static bool take_waiting(alg_lpd_column *c, node_pair *pair)
{
    for (size_t k = 0; k < c->waiting_count; k++) {
        if (c->waiting[k].from <= c->reached) {
            *pair = c->waiting[k];
            c->waiting[k] = c->waiting[--c->waiting_count];
            return true;
        }
    }
    return false;
}

/** Finds the end of the stretch. Returns false if it is above the limit. */
static bool find_end(alg_lpd_column *c, double limit_m)
{
    do {
        c->unstored = (double)INFINITY;
        c->waiting_count = 0;
        node_pair next = {.from = -(double)INFINITY, .to = (double)INFINITY};
        for (int side = 0; side < 2; side++) {
            next.level[side] = c->tree[side]->level_count - 1;
            next.of[side] = bounds_of_ball(&c->viewer[side], c->tree[side]->span);
        }
        do {
            c->stack[0] = next;
            for (c->depth = 1; c->depth > 0 && c->reached <= limit_m;) {
                const node_pair pair = c->stack[--c->depth];
                visit(c, &pair);
            }
            if (!(c->reached <= limit_m)) {
                return false;
            }
        } while (take_waiting(c, &next));
    } while (c->unstored <= c->reached);
    return true;
}

/** Extends the stretch in growing windows, starting from the current end. Returns false if the end
 * is above the limit. */
static bool grow(alg_lpd_column *c, const alg_lpd_pair *pair, const geo_pose *pose,
                 const alg_lpd_box *box, double limit_m)
{
    double before = 0;
    for (int k = 0; k < GROWTHS && c->reached > before; k++) {
        before = c->reached;
        const alg_lpd_box grown = alg_lpd_box_grown(box, before);
        open_window(c, pair, pose, &grown);
        if (!find_end(c, limit_m)) {
            return false;
        }
    }
    return true;
}

/** Returns the result of a completed search. */
static alg_lpd_height height_of(const alg_lpd_column *column, const alg_lpd_box *box, bool below,
                                uint64_t *tests)
{
    if (tests != NULL) {
        *tests += column->tests;
    }
    if (!below) {
        return (alg_lpd_height){(double)INFINITY, box->axis[2], true};
    }
    const bool out = column->out >= column->reached - column->slack;
    const vec3 normal = out ? column->normal_out : column->normal;
    return (alg_lpd_height){
        .depth_m = column->reached,
        .normal = vec3_normalize(mat3_tmul_vec3(column->axes, normal)),
        .inside = column->reached > 0 && !out,
    };
}

alg_lpd_height alg_lpd_depth_along(const alg_lpd_pair *pair, const geo_pose *pose,
                                   const alg_lpd_box *box, double limit_m, alg_lpd_column *column,
                                   uint64_t *tests)
{
    open_window(column, pair, pose, box);
    open_stretch(column, false);
    const bool below =
        find_end(column, limit_m) && (!column->grows || grow(column, pair, pose, box, limit_m));
    return height_of(column, box, below, tests);
}

alg_lpd_translation alg_lpd_depth_exact(const alg_lpd_pair *pair, const geo_pose *pose,
                                        const alg_lpd_box *box, alg_lpd_column *column,
                                        uint64_t *tests)
{
    const alg_lpd_box back = alg_lpd_box_turned(box);
    const alg_lpd_height up = alg_lpd_depth_along(pair, pose, box, (double)INFINITY, column, tests);
    const double limit = up.inside ? (double)INFINITY : up.depth_m;
    const alg_lpd_height down = alg_lpd_depth_along(pair, pose, &back, limit, column, tests);
    return alg_lpd_height_less(&down, &up) ? (alg_lpd_translation){back.axis[2], down.depth_m}
                                           : (alg_lpd_translation){box->axis[2], up.depth_m};
}

/* --- Solids inside of another one ------------------------------------------------------------- */

bool alg_lpd_nested(const alg_lpd_pair *pair, const geo_pose *pose)
{
    vec3 in_both;
    return pair->a->shell.solid && pair->b->shell.solid &&
           geo_shells_nested(&pair->a->shell, &pair->b->shell, pose, &in_both);
}

/**
 * Returns the box of the smaller body, in A's frame. Its third axis is axis k of the body's frame.
 */
static alg_lpd_box smaller_box(const alg_lpd_pair *pair, const geo_pose *pose, int k)
{
    const vec3 side_a = vec3_sub(pair->a->box.hi, pair->a->box.lo);
    const vec3 side_b = vec3_sub(pair->b->box.hi, pair->b->box.lo);
    const bool of_b = vec3_norm2(side_b) < vec3_norm2(side_a);
    const geo_pose place = of_b ? *pose : geo_pose_identity();
    const vec3 side = of_b ? side_b : side_a;
    const vec3 centre = geo_box_centre(of_b ? pair->b->box : pair->a->box);
    alg_lpd_box box = {.centre = geo_pose_apply(&place, centre)};
    for (int i = 0; i < 3; i++) {
        const int axis = (k + 1 + i) % 3;
        const vec3 unit = {axis == 0, axis == 1, axis == 2};
        box.axis[i] = geo_pose_rotate(&place, unit);
        box.half[i] = 0.5 * vec3_get(side, axis);
    }
    return box;
}

alg_lpd_translation alg_lpd_nested_translation(const alg_lpd_pair *pair, const geo_pose *pose,
                                               alg_lpd_column *column, alg_lpd_box *box,
                                               uint64_t *tests)
{
    alg_lpd_height best = {.depth_m = (double)INFINITY, .inside = true};
    for (int side = 0; side < 6; side++) {
        const alg_lpd_box up = smaller_box(pair, pose, side / 2);
        const alg_lpd_box look = side % 2 ? alg_lpd_box_turned(&up) : up;
        /* The search continues behind gaps, and the window holds the whole projection of the
         * smaller body. So the translation leads this body past everything that is ahead of it. */
        open_window(column, pair, pose, &look);
        open_stretch(column, true);
        const bool below = find_end(column, best.depth_m);
        const alg_lpd_height height = height_of(column, &look, below, tests);
        if (side == 0 || alg_lpd_height_less(&height, &best)) {
            best = height;
            *box = look;
        }
    }
    return (alg_lpd_translation){box->axis[2], best.depth_m};
}

/* --- Refined directions ----------------------------------------------------------------------- */

/* The pattern has six directions on a ring around the best one. The first radius of the ring is the
 * tangent of 20 degrees. */
enum { RING = 6 };
static const double ring_first = 0.36397023426620236;

/* Smaller turns and rings are not tried. */
static const double turn_least = 1e-9;

typedef struct search {
    const alg_lpd_refinement *of;
    uint32_t left; /* number of directions that may still be tried */
} search;

/** The best direction so far. */
typedef struct best {
    alg_lpd_box box;
    alg_lpd_height height;
} best;

static best look_along(const alg_lpd_refinement *r, const alg_lpd_box *box, double limit_m)
{
    return (best){*box, alg_lpd_depth_along(r->pair, r->pose, box, limit_m, r->column, r->tests)};
}

/**
 * Tries a direction, which may have any length. If it is better than the best one so far, it
 * becomes the best one. Returns true then.
 */
static bool try_direction(search *s, vec3 n, best *now)
{
    const alg_lpd_refinement *const r = s->of;
    const alg_lpd_box box =
        alg_lpd_box_along(r->segments, r->curves, r->groups, r->group, vec3_normalize(n));
    const double limit = now->height.inside ? (double)INFINITY : now->height.depth_m;
    const best next = look_along(r, &box, limit);
    s->left--;
    if (!alg_lpd_height_less(&next.height, &now->height)) {
        return false;
    }
    *now = next;
    return true;
}

/**
 * Follows the gradient. Along the normal of the surfaces that part last, the depth is smaller,
 * unless other surfaces part last then. If the direction is not better, the turn is halved.
 */
static void descend(search *s, best *now)
{
    double share = 1;
    while (s->left > 0) {
        const vec3 n = now->box.axis[2];
        const vec3 turn = vec3_scale(share, vec3_sub(now->height.normal, n));
        if (!(vec3_norm(turn) > turn_least)) {
            return;
        }
        share = try_direction(s, vec3_add(n, turn), now) ? 1 : 0.5 * share;
    }
}

/**
 * Tries the directions of a ring around the best one, and moves to the best of them. If none is
 * better, the radius of the ring is halved.
 */
static void close_in(search *s, best *now)
{
    static const double half_root_3 = 0.86602540378443865;
    static const double across[RING][2] = {{1, 0},  {0.5, half_root_3},   {-0.5, half_root_3},
                                           {-1, 0}, {-0.5, -half_root_3}, {0.5, -half_root_3}};
    double size = ring_first;
    while (s->left > 0 && size > turn_least) {
        const alg_lpd_box centre = now->box;
        bool better = false;
        for (int k = 0; k < RING && s->left > 0; k++) {
            const vec3 x = vec3_madd(centre.axis[2], size * across[k][0], centre.axis[0]);
            better |= try_direction(s, vec3_madd(x, size * across[k][1], centre.axis[1]), now);
        }
        size = better ? size : 0.5 * size;
    }
}

alg_lpd_translation alg_lpd_depth_refined(const alg_lpd_refinement *refinement, alg_lpd_box *box)
{
    const alg_lpd_refinement *const r = refinement;
    const alg_lpd_box turned = alg_lpd_box_turned(box);
    best side[2] = {look_along(r, box, (double)INFINITY), look_along(r, &turned, (double)INFINITY)};
    const bool none_out = side[0].height.inside && side[1].height.inside;
    for (int k = 0; k < 2; k++) {
        if (side[k].height.inside && !none_out) {
            continue; /* the reverse direction leads out */
        }
        search s = {r, r->steps};
        if (r->objective == ALG_LPD_GRADIENT) {
            descend(&s, &side[k]);
        } else {
            close_in(&s, &side[k]);
        }
    }
    const best *const least =
        alg_lpd_height_less(&side[1].height, &side[0].height) ? &side[1] : &side[0];
    *box = least->box;
    return (alg_lpd_translation){box->axis[2], least->height.depth_m};
}
