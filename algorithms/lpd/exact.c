/*
 * Traverses both hierarchies at once, depth first, the pair of boxes that may reach farthest first.
 * Only pairs matter whose interval contains the current end of the stretch. Pairs that begin behind
 * it wait until the end has advanced to them. Pairs that found no room in the list are found again
 * by a new traversal from the roots.
 */
#include "algorithms/lpd/exact.h"

#include "algorithms/lpd/parting.h"
#include "algorithms/lpd/bounds.h"
#include "geometry/vec.h"
#include "geometry/pose.h"

#include <float.h>

/* Rounding error of doubles in the window, relative to the largest coordinate. */
#define ROUNDING (32 * DBL_EPSILON)

/** Two nodes or leaves, A's first: levels and numbers within the level. */
typedef struct node_pair {
    uint32_t level[2], index[2];
    alg_lpd_bounds of[2];
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
    alg_lpd_viewer viewer[2];

    /* The stretch of translations at which pairs meet. */
    bool through;   /* does it continue behind gaps? */
    double reached; /* current end of the stretch */
    double slack;   /* rounding error of `reached` */
    double out;     /* the last end among the pairs beyond which B is out of A */
    double next;    /* the least begin of a pair that found no room in `waiting` */
    double late;    /* the least begin among triangle pairs of the current leaves that wait */
    vec3 normal, normal_out;
    uint64_t tests;
};

base_status alg_lpd_column_create(const alg_lpd_pair *pair, bool grows, base_arena *arena,
                                  alg_lpd_column **column, base_error *err)
{
    /* Splitting a pair leaves at most seven others behind. */
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
    c->viewer[0] = alg_lpd_viewer_make(&stay, in_window(c, a->origin), c->axes, c->half, blur);
    c->viewer[1] = alg_lpd_viewer_make(pose, in_window(c, geo_pose_apply(pose, b->origin)), c->axes,
                                       c->half, blur);
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
 * Returns the least end of an interval that would extend the result. Of pairs that end together, as
 * those of parallel faces do, one that leads out is enough. Each interval is wider by a margin on
 * either side, so no pair begins within the two margins that this skips.
 */
static double news(const alg_lpd_column *c, bool leads_out)
{
    const double same = 2 * c->margin, near = c->reached - c->slack, out = c->out + same;
    return !leads_out ? c->reached + same : out > near ? out : near;
}

/** Returns true if pairs that end at `to` might extend the result. */
static bool may_be_news(const alg_lpd_column *c, double to)
{
    return to > news(c, true);
}

/** Returns the translation up to which intervals may begin. Pairs that begin behind it wait until
 * the end of the stretch has advanced to their begin. */
static double horizon(const alg_lpd_column *c)
{
    return c->through ? (double)INFINITY : c->reached;
}

/** Returns true if B is above A beyond the translation at which two faces part: A's face looks up
 * and B's looks down. */
static bool leads_out(const alg_lpd_piece *a, const alg_lpd_piece *b)
{
    return a->normal.z >= 0 && b->normal.z <= 0;
}

/** Returns true if the projections of two boxes along z overlap. */
static bool boxes_meet(const alg_lpd_column *c, const geo_box *a, const geo_box *b)
{
    const double m = c->margin;
    return a->lo.x <= b->hi.x + m && b->lo.x <= a->hi.x + m && a->lo.y <= b->hi.y + m &&
           b->lo.y <= a->hi.y + m;
}

static void test_pieces(alg_lpd_column *c, const alg_lpd_piece *a, const alg_lpd_piece *b)
{
    const bool out = leads_out(a, b);
    const double enough = news(c, out);
    if (!boxes_meet(c, &a->box, &b->box) || a->box.hi.z - b->box.lo.z + c->margin <= enough) {
        return;
    }
    c->tests++;
    const alg_lpd_meeting m = alg_lpd_meeting_make(a, b, c->margin, enough);
    if (!(m.from <= m.to && m.to > enough)) {
        return;
    }
    if (m.from > horizon(c)) {
        c->late = m.from < c->late ? m.from : c->late;
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

/** Stores a pair that begins to meet only behind the current end. */
static void wait_for(alg_lpd_column *c, const node_pair *pair, double from)
{
    if (c->waiting_count == WAITING_MAX) {
        size_t left = 0;
        for (size_t k = 0; k < WAITING_MAX; k++) {
            if (may_be_news(c, c->waiting[k].to)) {
                c->waiting[left++] = c->waiting[k];
            }
        }
        c->waiting_count = left;
    }
    if (c->waiting_count == WAITING_MAX) {
        c->next = from < c->next ? from : c->next;
        return;
    }
    node_pair *const place = &c->waiting[c->waiting_count++];
    *place = *pair;
    place->from = from;
}

/* --- Leaves ----------------------------------------------------------------------------------- */

static unsigned lanes_of(const geo_tree *tree, uint32_t leaf)
{
    const uint32_t left = tree->count - leaf * GEO_TREE_WIDTH;
    return left < GEO_TREE_WIDTH ? (1U << left) - 1 : 0xFF;
}

static alg_lpd_piece piece_of(const alg_lpd_column *c, int side, uint32_t place)
{
    geo_triangle t = c->tree[side]->triangles[place];
    for (int k = 0; k < 3; k++) {
        t.p[k] = in_window(c, side == 0 ? t.p[k] : geo_pose_apply(c->pose, t.p[k]));
    }
    return alg_lpd_piece_make(t, c->half);
}

/** Tests triangles of A, given as bits, with one triangle of B. */
static void test_triangles(alg_lpd_column *c, uint32_t first, unsigned hits, uint32_t place)
{
    const alg_lpd_piece b = piece_of(c, 1, place);
    for (; hits != 0 && b.count > 0; hits &= hits - 1) {
        const alg_lpd_piece a = piece_of(c, 0, first + (uint32_t)__builtin_ctz(hits));
        if (a.count > 0) {
            test_pieces(c, &a, &b);
        }
    }
}

static void test_leaves(alg_lpd_column *c, const node_pair *p)
{
    const geo_tree *const a = c->tree[0], *const b = c->tree[1];
    const alg_lpd_bounds8 of_a = alg_lpd_bounds_triangles(&c->viewer[0], &a->leaves[p->index[0]]);
    const alg_lpd_bounds8 of_b = alg_lpd_bounds_triangles(&c->viewer[1], &b->leaves[p->index[1]]);
    const unsigned used = lanes_of(a, p->index[0]);
    unsigned left = lanes_of(b, p->index[1]);
    left &= m32x8_bits(alg_lpd_seen_together(&c->viewer[1], &of_b, &p->of[0]));
    c->late = (double)INFINITY;
    for (; left != 0; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const alg_lpd_bounds v = alg_lpd_bounds_lane(&of_b, lane);
        const f32x8 from = f32x8_sub(of_a.lo[2], f32x8_set(v.hi[2]));
        const f32x8 to = f32x8_sub(of_a.hi[2], f32x8_set(v.lo[2]));
        const f32x8 reached = f32x8_set(base_float_above(horizon(c)));
        const f32x8 end = f32x8_set(base_float_below(news(c, true)));
        const m32x8 near =
            m32x8_and(alg_lpd_seen_together(&c->viewer[0], &of_a, &v), f32x8_le(end, to));
        const unsigned hits = m32x8_bits(near) & used;
        const unsigned now = hits & m32x8_bits(f32x8_le(from, reached));
        if (hits != now) {
            const f32x8 later = f32x8_select(near, from, f32x8_set(INFINITY));
            const f32x8 first = f32x8_select(f32x8_le(from, reached), f32x8_set(INFINITY), later);
            const double least = (double)f32x8_least(first);
            c->late = least < c->late ? least : c->late;
        }
        test_triangles(c, p->index[0] * GEO_TREE_WIDTH, now, p->index[1] * GEO_TREE_WIDTH + lane);
    }
    if (c->late < (double)INFINITY) {
        wait_for(c, p, c->late);
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

/** Replaces the node on `side` by its children. */
static void split(alg_lpd_column *c, const node_pair *parent, int side)
{
    const uint32_t level = parent->level[side], index = parent->index[side];
    const geo_slab_node *const node = &c->tree[side]->slabs[level][index];
    const alg_lpd_bounds8 seen = alg_lpd_bounds_children(&c->viewer[side], node);
    /* Bounds of children without triangles are NaN. */
    const m32x8 used = f32x8_le(f32x8_load(node->lo[0]), f32x8_load(node->hi[0]));
    unsigned left = m32x8_bits(
        m32x8_and(used, alg_lpd_seen_together(&c->viewer[side], &seen, &parent->of[1 - side])));
    const size_t base = c->depth;
    for (; left != 0; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        node_pair next = *parent;
        next.level[side] = level - 1;
        next.index[side] = index * GEO_TREE_WIDTH + lane;
        next.of[side] = alg_lpd_bounds_lane(&seen, lane);
        next.from = (double)(next.of[0].lo[2] - next.of[1].hi[2]);
        next.to = (double)(next.of[0].hi[2] - next.of[1].lo[2]);
        if (may_be_news(c, next.to)) {
            push(c, &next, base);
        }
    }
}

static float size_of(const alg_lpd_bounds *v)
{
    return (v->hi[0] - v->lo[0]) + (v->hi[1] - v->lo[1]) + (v->hi[2] - v->lo[2]);
}

static void visit(alg_lpd_column *c, const node_pair *p)
{
    const bool leaf_a = p->level[0] == 0, leaf_b = p->level[1] == 0;
    if (!may_be_news(c, p->to)) {
        return;
    }
    if (p->from > horizon(c)) {
        wait_for(c, p, p->from);
    } else if (leaf_a && leaf_b) {
        test_leaves(c, p);
    } else {
        split(c, p, leaf_a || (!leaf_b && size_of(&p->of[1]) > size_of(&p->of[0])));
    }
}

static node_pair roots(const alg_lpd_column *c)
{
    node_pair pair = {.from = -(double)INFINITY, .to = (double)INFINITY};
    for (int side = 0; side < 2; side++) {
        pair.level[side] = c->tree[side]->level_count - 1;
        pair.of[side] = alg_lpd_bounds_ball(&c->viewer[side], c->tree[side]->span);
    }
    return pair;
}

/* --- Directions ------------------------------------------------------------------------------- */

/** Traverses a pair and its descendants. Returns false if the end is above the limit. */
static bool follow(alg_lpd_column *c, const node_pair *pair, double limit_m)
{
    c->stack[0] = *pair;
    for (c->depth = 1; c->depth > 0 && c->reached <= limit_m;) {
        const node_pair p = c->stack[--c->depth];
        visit(c, &p);
    }
    return c->reached <= limit_m;
}

/** Takes out a waiting pair that begins before the current end. Returns false if there is no such
 * pair. */
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
        c->next = (double)INFINITY;
        c->waiting_count = 0;
        node_pair pair = roots(c);
        do {
            if (!follow(c, &pair, limit_m)) {
                return false;
            }
        } while (take_waiting(c, &pair));
    } while (c->next <= c->reached);
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

alg_lpd_height alg_lpd_depth_through(const alg_lpd_pair *pair, const geo_pose *pose,
                                     const alg_lpd_box *box, double limit_m, alg_lpd_column *column,
                                     uint64_t *tests)
{
    open_window(column, pair, pose, box);
    open_stretch(column, true);
    return height_of(column, box, find_end(column, limit_m), tests);
}

bool alg_lpd_height_less(const alg_lpd_height *x, const alg_lpd_height *y)
{
    return x->inside == y->inside ? x->depth_m < y->depth_m : y->inside;
}

alg_lpd_way alg_lpd_depth_exact(const alg_lpd_pair *pair, const geo_pose *pose,
                                const alg_lpd_box *box, alg_lpd_column *column, uint64_t *tests)
{
    const alg_lpd_box back = alg_lpd_box_turned(box);
    const alg_lpd_height up = alg_lpd_depth_along(pair, pose, box, (double)INFINITY, column, tests);
    const double limit = up.inside ? (double)INFINITY : up.depth_m;
    const alg_lpd_height down = alg_lpd_depth_along(pair, pose, &back, limit, column, tests);
    return alg_lpd_height_less(&down, &up) ? (alg_lpd_way){back.axis[2], down.depth_m}
                                           : (alg_lpd_way){box->axis[2], up.depth_m};
}
