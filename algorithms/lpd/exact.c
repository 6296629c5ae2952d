/*
 * Both hierarchies at once, depth first, the pair of boxes that may reach farthest first. Only pairs matter whose
 * interval holds the end that is known so far; those that begin behind it are passed over, and all is done once more
 * if the end has come to where the first of them may begin.
 */
#include "algorithms/lpd/exact.h"

#include "algorithms/lpd/parting.h"
#include "base/simd.h"
#include "geometry/box.h"
#include "geometry/pose.h"

#include <float.h>

/* Of what doubles are in the window, relative to the largest coordinate. */
#define ROUNDING (32 * DBL_EPSILON)

/** Of a node, seen in the window. */
typedef struct view {
    float lo[3], hi[3];
} view;

/** Two nodes, A's first: of a level, by number. */
typedef struct node_pair {
    uint32_t level[2], index[2];
    view of[2];
    float from, to; /* translations outside of which they do not meet */
} node_pair;

/** One of the two bodies as it is seen in the window. */
typedef struct body_view {
    const geo_tree *tree;
    float axis[3][3],
        size[3][3];  /* the window's axes in the tree's frame, and their absolute values */
    float origin[3]; /* of the tree, in the window */
} body_view;

struct alg_lpd_column {
    node_pair *stack;
    size_t depth;

    /* The window. */
    const geo_pose *pose;
    vec3 centre;
    mat3 axes;
    double half[2];
    double margin; /* of doubles */
    float blur;    /* of floats */
    body_view body[2];

    /* The stretch. */
    double reached; /* its end */
    double slack;   /* what rounding may make of it */
    double out;     /* the last end of those pairs beyond which B is out of A */
    double next;    /* where the first pair may begin that has been passed over */
    vec3 normal, normal_out;
    uint64_t tests;
};

base_status alg_lpd_column_create(const alg_lpd_pair *pair, base_arena *arena,
                                  alg_lpd_column **column, base_error *err)
{
    /* A pair that is split leaves at most seven behind. */
    const size_t levels = pair->a->tree.level_count + pair->b->tree.level_count;
    alg_lpd_column *const c = base_arena_alloc(arena, 1, sizeof *c);
    node_pair *const stack = base_arena_alloc(arena, levels * GEO_TREE_WIDTH, sizeof *stack);
    if (c == NULL || stack == NULL) {
        return base_fail(err, BASE_ERR_MEMORY, "no memory for a column of pairs");
    }
    c->stack = stack;
    *column = c;
    return BASE_OK;
}

/* --- The window ------------------------------------------------------------------------------- */

static vec3 in_window(const alg_lpd_column *c, vec3 p)
{
    return mat3_mul_vec3(c->axes, vec3_sub(p, c->centre));
}

static void view_body(alg_lpd_column *c, int side, const geo_tree *tree, const geo_pose *pose)
{
    body_view *const body = &c->body[side];
    body->tree = tree;
    const vec3 origin = in_window(c, geo_pose_apply(pose, tree->origin));
    for (int i = 0; i < 3; i++) {
        const vec3 axis = mat3_tmul_vec3(pose->rotation, c->axes.row[i]);
        body->origin[i] = (float)vec3_get(origin, i);
        for (int k = 0; k < 3; k++) {
            body->axis[i][k] = (float)vec3_get(axis, k);
            body->size[i][k] = fabsf(body->axis[i][k]);
        }
    }
}

static void open_window(alg_lpd_column *c, const alg_lpd_pair *pair, const geo_pose *pose,
                        const alg_lpd_box *box)
{
    const geo_pose stay = geo_pose_identity();
    const geo_tree *const a = &pair->a->tree, *const b = &pair->b->tree;
    c->pose = pose;
    c->centre = box->centre;
    c->axes = (mat3){
        {box->axis[0], box->axis[1], box->axis[2]}
    };
    view_body(c, 0, a, &stay);
    view_body(c, 1, b, pose);
    const double far = vec3_norm(box->centre) + vec3_norm(a->origin) + a->span +
                       vec3_norm(pose->translation) + vec3_norm(b->origin) + b->span;
    c->margin = ROUNDING * far;
    c->blur = geo_motion_margin(a->span, b->span, far, c->margin);
    for (int k = 0; k < 2; k++) {
        c->half[k] = box->half[k] + c->margin;
    }
}

/* --- The stretch ------------------------------------------------------------------------------ */

static void open_stretch(alg_lpd_column *c)
{
    c->reached = 0;
    c->slack = 0;
    c->out = -(double)INFINITY;
    c->normal = c->normal_out = (vec3){0, 0, 1};
    c->tests = 0;
}

/** The least end that is news: more than where B is known to be out, or as far as any. */
static double news(const alg_lpd_column *c)
{
    const double end = c->reached - c->slack;
    return c->out > end ? c->out : end;
}

/** May two that meet from one translation to the other matter? */
static bool matters(alg_lpd_column *c, double from, double to)
{
    if (!(to > c->out && to >= c->reached - c->slack)) {
        return false;
    }
    if (from > c->reached) {
        c->next = from < c->next ? from : c->next;
        return false;
    }
    return true;
}

/** Is B above A beyond where two faces part: is A's seen from above, and B's from below? */
static bool leads_out(const alg_lpd_piece *a, const alg_lpd_piece *b)
{
    return a->normal.z >= 0 && b->normal.z <= 0;
}

static void test_pieces(alg_lpd_column *c, const alg_lpd_piece *a, const alg_lpd_piece *b)
{
    c->tests++;
    const alg_lpd_meeting m = alg_lpd_meeting_make(a, b, c->margin, news(c));
    if (!(m.from <= m.to) || !matters(c, m.from, m.to)) {
        return;
    }
    if (m.to > c->reached) {
        c->reached = m.to;
        c->normal = m.normal;
        c->slack = 4 * c->margin * (vec3_norm(m.normal) / m.normal.z);
    }
    if (m.to > c->out && leads_out(a, b)) {
        c->out = m.to;
        c->normal_out = m.normal;
    }
}

/* --- Leaves ----------------------------------------------------------------------------------- */

/** Pieces of a leaf's triangles; returns how many are inside of the column. */
static uint32_t load_leaf(const alg_lpd_column *c, int side, uint32_t leaf,
                          alg_lpd_piece pieces[GEO_TREE_WIDTH])
{
    const geo_tree *const tree = c->body[side].tree;
    const uint32_t first = leaf * GEO_TREE_WIDTH, left = tree->count - first;
    uint32_t count = 0;
    for (uint32_t i = 0; i < GEO_TREE_WIDTH && i < left; i++) {
        geo_triangle t = tree->triangles[first + i];
        for (int k = 0; k < 3; k++) {
            t.p[k] = in_window(c, side == 0 ? t.p[k] : geo_pose_apply(c->pose, t.p[k]));
        }
        pieces[count] = alg_lpd_piece_make(t, c->half);
        count += pieces[count].count > 0;
    }
    return count;
}

/** May two pieces meet, now and as they are seen? */
static bool boxes_meet(alg_lpd_column *c, const geo_box *a, const geo_box *b)
{
    const double m = c->margin;
    return a->lo.x <= b->hi.x + m && b->lo.x <= a->hi.x + m && a->lo.y <= b->hi.y + m &&
           b->lo.y <= a->hi.y + m && matters(c, a->lo.z - b->hi.z - m, a->hi.z - b->lo.z + m);
}

static void test_leaves(alg_lpd_column *c, const node_pair *p)
{
    alg_lpd_piece a[GEO_TREE_WIDTH], b[GEO_TREE_WIDTH];
    const uint32_t count_a = load_leaf(c, 0, p->index[0], a);
    const uint32_t count_b = load_leaf(c, 1, p->index[1], b);
    for (uint32_t j = 0; j < count_b; j++) {
        for (uint32_t i = 0; i < count_a; i++) {
            if (boxes_meet(c, &a[i].box, &b[j].box)) {
                test_pieces(c, &a[i], &b[j]);
            }
        }
    }
}

/* --- Nodes ------------------------------------------------------------------------------------ */

typedef struct view8 {
    f32x8 lo, hi;
} view8;

/** The children of a node along axis i of the window. */
static view8 view_children(const alg_lpd_column *c, int side, const geo_slab_node *node, int i)
{
    const body_view *const body = &c->body[side];
    const f32x8 half = f32x8_set(0.5F);
    f32x8 centre = f32x8_set(body->origin[i]), reach = f32x8_set(c->blur);
    for (int k = 0; k < 3; k++) {
        const f32x8 lo = f32x8_load(node->lo[k]), hi = f32x8_load(node->hi[k]);
        const f32x8 middle = f32x8_mul(half, f32x8_add(lo, hi));
        const f32x8 edge = f32x8_mul(half, f32x8_sub(hi, lo));
        centre = f32x8_add(centre, f32x8_mul(f32x8_set(body->axis[i][k]), middle));
        reach = f32x8_add(reach, f32x8_mul(f32x8_set(body->size[i][k]), edge));
    }
    return (view8){f32x8_sub(centre, reach), f32x8_add(centre, reach)};
}

/** Those children of the node that overlap the other one of the pair in the window. */
static unsigned children_seen(const alg_lpd_column *c, const geo_slab_node *node,
                              const view8 seen[3], const view *other)
{
    /* Lanes without triangles have no number for a centre. */
    m32x8 hit = f32x8_le(f32x8_load(node->lo[0]), f32x8_load(node->hi[0]));
    for (int i = 0; i < 2; i++) {
        const float half = (float)c->half[i] + c->blur;
        const float lo = other->lo[i] > -half ? other->lo[i] : -half;
        const float hi = other->hi[i] < half ? other->hi[i] : half;
        hit = m32x8_and(hit, f32x8_le(seen[i].lo, f32x8_set(hi)));
        hit = m32x8_and(hit, f32x8_le(f32x8_set(lo), seen[i].hi));
    }
    return m32x8_bits(hit);
}

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
    const geo_slab_node *const node = &c->body[side].tree->slabs[level][index];
    view8 seen[3];
    float lo[3][GEO_TREE_WIDTH], hi[3][GEO_TREE_WIDTH];
    for (int i = 0; i < 3; i++) {
        seen[i] = view_children(c, side, node, i);
        f32x8_store(lo[i], seen[i].lo);
        f32x8_store(hi[i], seen[i].hi);
    }
    const size_t base = c->depth;
    unsigned left = children_seen(c, node, seen, &parent->of[1 - side]);
    for (; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        node_pair next = *parent;
        next.level[side] = level - 1;
        next.index[side] = index * GEO_TREE_WIDTH + (uint32_t)lane;
        for (int i = 0; i < 3; i++) {
            next.of[side].lo[i] = lo[i][lane];
            next.of[side].hi[i] = hi[i][lane];
        }
        next.from = next.of[0].lo[2] - next.of[1].hi[2];
        next.to = next.of[0].hi[2] - next.of[1].lo[2];
        if (matters(c, (double)next.from, (double)next.to)) {
            push(c, &next, base);
        }
    }
}

static float size_of(const view *v)
{
    return (v->hi[0] - v->lo[0]) + (v->hi[1] - v->lo[1]) + (v->hi[2] - v->lo[2]);
}

static void visit(alg_lpd_column *c, const node_pair *p)
{
    const bool leaf_a = p->level[0] == 0, leaf_b = p->level[1] == 0;
    if (leaf_a && leaf_b) {
        test_leaves(c, p);
    } else {
        split(c, p, leaf_a || (!leaf_b && size_of(&p->of[1]) > size_of(&p->of[0])));
    }
}

static node_pair roots(const alg_lpd_column *c)
{
    node_pair pair = {.from = -INFINITY, .to = INFINITY};
    for (int side = 0; side < 2; side++) {
        const body_view *const body = &c->body[side];
        const float span = base_float_above(body->tree->span) + c->blur;
        pair.level[side] = body->tree->level_count - 1;
        for (int i = 0; i < 3; i++) {
            pair.of[side].lo[i] = body->origin[i] - span;
            pair.of[side].hi[i] = body->origin[i] + span;
        }
    }
    return pair;
}

/* --- Directions ------------------------------------------------------------------------------- */

/** All pairs that hold the end of the stretch; returns false when it is above the limit. */
static bool follow(alg_lpd_column *c, double limit_m)
{
    c->next = (double)INFINITY;
    c->depth = 1;
    c->stack[0] = roots(c);
    while (c->depth > 0) {
        const node_pair p = c->stack[--c->depth];
        if (matters(c, (double)p.from, (double)p.to)) {
            visit(c, &p);
        }
        if (c->reached > limit_m) {
            return false;
        }
    }
    return true;
}

alg_lpd_height alg_lpd_depth_along(const alg_lpd_pair *pair, const geo_pose *pose,
                                   const alg_lpd_box *box, double limit_m, alg_lpd_column *column,
                                   uint64_t *tests)
{
    open_window(column, pair, pose, box);
    open_stretch(column);
    bool below = true;
    do {
        below = follow(column, limit_m);
    } while (below && column->next <= column->reached);
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

bool alg_lpd_height_less(const alg_lpd_height *x, const alg_lpd_height *y)
{
    return x->inside == y->inside ? x->depth_m < y->depth_m : y->inside;
}

alg_lpd_box alg_lpd_box_turned(const alg_lpd_box *box)
{
    alg_lpd_box turned = *box;
    turned.axis[1] = vec3_scale(-1, box->axis[1]);
    turned.axis[2] = vec3_scale(-1, box->axis[2]);
    return turned;
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
