/*
 * The search of distance_search.h, included once per instruction set: depth first through both
 * trees at once, nearest children first. Two pieces are bounded by their disks.
 */
#include "groundtruth/distance/distance_pairs.h"

/* --- Pairs of pieces -------------------------------------------------------------------------- */

/** The node that has the disk of a piece, in lane index % WIDTH. */
static const geo_disk_node *node_of(const walk *w, int side, piece p)
{
    return &w->task->tree[side]->nodes[level_of(p) + 1][index_of(p) / WIDTH];
}

/** The order of floats as that of unsigned integers. */
static uint32_t order_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 31 != 0 ? ~bits : bits | 1u << 31;
}

static uint64_t make_key(float gap, float order)
{
    uint32_t bits;
    memcpy(&bits, &gap, sizeof bits);
    return (uint64_t)order_bits(order) << 32 | bits;
}

/** Into the stack, which is sorted from `base` on, so that the nearest is on top. */
static void push(walk *w, uint64_t of, uint64_t key, size_t base)
{
    size_t at = w->depth++;
    for (; at > base && w->stack_key[at - 1] < key; at--) {
        w->stack_of[at] = w->stack_of[at - 1];
        w->stack_key[at] = w->stack_key[at - 1];
    }
    w->stack_of[at] = of;
    w->stack_key[at] = key;
}

/** Bounds between children of a node and one piece of the other body. */
typedef struct row {
    float gap[WIDTH], order[WIDTH];
    unsigned near; /* lanes within the limit */
} row;

/** `fixed` is in the frame of the node, which is that of the piece `parent`. */
static void bound_row(const walk *w, int side, piece parent, const gt_disk *fixed, row *r)
{
    const geo_tree *const tree = w->task->tree[side];
    const uint32_t level = level_of(parent), index = index_of(parent);
    f32x8 order;
    const f32x8 gap = gt_bound_disks(&tree->nodes[level][index], fixed, &order);
    f32x8_store(r->gap, gap);
    f32x8_store(r->order, order);
    r->near = ~m32x8_bits(f32x8_lt(f32x8_set(w->limit), gap)) &
              lanes_of(tree->level_size[level - 1], index);
}

static piece child_of(piece parent, uint32_t lane)
{
    return make_piece(level_of(parent) - 1, index_of(parent) * WIDTH + lane);
}

/** Pushes the near children of `parent`, of body `side`, with a piece of the other one. */
static void push_row(walk *w, int side, piece parent, piece other, const row *r, size_t base)
{
    for (unsigned near = r->near; near != 0; near &= near - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(near);
        const piece child = child_of(parent, lane);
        const uint64_t of =
            side == 0 ? (uint64_t)other << 32 | child : (uint64_t)child << 32 | other;
        push(w, of, make_key(r->gap[lane], r->order[lane]), base);
    }
}

/** Pairs a piece of the other body with the children of `parent`. */
static void expand(walk *w, int side, piece parent, piece other, size_t base)
{
    gt_disk fixed;
    row r;
    gt_disk_move(&w->to_other[1 - side], node_of(w, 1 - side, other), index_of(other) % WIDTH,
                 &fixed);
    bound_row(w, side, parent, &fixed, &r);
    push_row(w, side, parent, other, &r, base);
}

/**
 * The same, and at once the near children with those of `other`: rows do not wait for each other's
 * branches and cache misses.
 */
static void expand_both(walk *w, int side, piece parent, piece other, size_t base)
{
    gt_disk fixed;
    row first, rows[WIDTH];
    gt_disk_move(&w->to_other[1 - side], node_of(w, 1 - side, other), index_of(other) % WIDTH,
                 &fixed);
    bound_row(w, side, parent, &fixed, &first);
    const geo_disk_node *const node =
        &w->task->tree[side]->nodes[level_of(parent)][index_of(parent)];
    uint32_t lanes[WIDTH], count = 0;
    for (unsigned near = first.near; near != 0; near &= near - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(near);
        lanes[count] = lane;
        gt_disk_move(&w->to_other[side], node, lane, &fixed);
        bound_row(w, 1 - side, other, &fixed, &rows[count++]);
    }
    for (uint32_t i = 0; i < count; i++) {
        push_row(w, 1 - side, other, child_of(parent, lanes[i]), &rows[i], base);
    }
}

static float radius_of(const walk *w, int side, piece p)
{
    return node_of(w, side, p)->radius[index_of(p) % WIDTH];
}

/** Whose piece has children and is the larger one of two that are not both leaves. */
static int larger_side(const walk *w, const piece p[2])
{
    return level_of(p[0]) == 0 ||
           (level_of(p[1]) != 0 && radius_of(w, 1, p[1]) > radius_of(w, 0, p[0]));
}

/** The children of one piece with the other one: a beam keeps few of them. */
static void visit_one(walk *w, uint64_t of, size_t base)
{
    const piece p[2] = {piece_of(of, 0), piece_of(of, 1)};
    const int side = larger_side(w, p);
    expand(w, side, p[side], p[1 - side], base);
}

static void visit(walk *w, uint64_t of, size_t base)
{
    const piece p[2] = {piece_of(of, 0), piece_of(of, 1)};
    if (both_leaves(of)) {
        test_leaves(w, index_of(p[0]), index_of(p[1]));
        return;
    }
    const int side = larger_side(w, p);
    if (level_of(p[1 - side]) != 0 &&
        2 * radius_of(w, 1 - side, p[1 - side]) > radius_of(w, side, p[side])) {
        expand_both(w, side, p[side], p[1 - side], base);
    } else {
        expand(w, side, p[side], p[1 - side], base);
    }
}

static void descend(walk *w)
{
    while (w->depth > 0 && !w->intersect) {
        const size_t top = --w->depth;
        if (!(gap_of(w->stack_key[top]) > w->limit)) {
            visit(w, w->stack_of[top], top);
        }
    }
    if (!w->intersect) {
        flush(w);
    }
}

static void push_roots(walk *w)
{
    const geo_tree *const a = w->task->tree[0], *const b = w->task->tree[1];
    const piece root_b = make_piece(b->level_count - 1, 0);
    w->depth = 0;
    for (uint32_t i = 0; i < a->level_size[a->level_count - 2]; i++) {
        expand(w, 1, root_b, make_piece(a->level_count - 2, i), 0);
    }
}

/* --- Where to start --------------------------------------------------------------------------- */

/** The pairs on top of the stack, the nearest first; returns their number. */
static size_t take_beam(walk *w, pair beam[BEAM], bool *ends)
{
    const size_t count = w->depth < BEAM ? w->depth : BEAM;
    *ends = true;
    for (size_t i = 0; i < count; i++) {
        const size_t at = w->depth - 1 - i;
        beam[i] = (pair){w->stack_of[at], w->stack_key[at]};
        *ends = *ends && both_leaves(beam[i].of);
    }
    w->depth = 0;
    return count;
}

/** Goes down with the most promising pairs alone, level by level, and tests where they end. */
static void start_from_roots(walk *w)
{
    pair beam[BEAM];
    bool ends;
    w->limit = INFINITY;
    push_roots(w);
    size_t count = take_beam(w, beam, &ends);
    while (!ends) {
        for (size_t i = 0; i < count; i++) {
            if (both_leaves(beam[i].of)) {
                push(w, beam[i].of, beam[i].key, 0);
            } else {
                visit_one(w, beam[i].of, 0);
            }
        }
        count = take_beam(w, beam, &ends);
    }
    /* Any pair of triangles, for an axis. */
    add_pair(w, index_of(piece_of(beam[0].of, 0)) * WIDTH,
             index_of(piece_of(beam[0].of, 1)) * WIDTH);
    flush(w);
    for (size_t i = 0; i < count && !w->intersect; i++) {
        test_leaves(w, index_of(piece_of(beam[i].of, 0)), index_of(piece_of(beam[i].of, 1)));
    }
    if (!w->intersect) {
        flush(w);
    }
}

static void start_from_hint(walk *w)
{
    const uint32_t *const face = w->task->start_face;
    const geo_triangle a = geo_mesh_triangle(w->task->mesh[0], face[0]);
    const geo_triangle b =
        geo_pose_apply_triangle(w->task->pose, geo_mesh_triangle(w->task->mesh[1], face[1]));
    w->tests++;
    w->face[0] = face[0];
    w->face[1] = face[1];
    w->intersect = geo_triangle_intersect(a, b);
    w->best2 = geo_triangle_distance2(a, b, NULL, NULL);
    aim(w, &a, &b);
}

static void search(const gt_search_task *task, gt_search_result *result)
{
    const double apart = vec3_norm(task->to_other[1].translation);
    walk w;
    w.task = task;
    w.to_other[0] = geo_motion_make(&task->to_other[0]);
    w.to_other[1] = geo_motion_make(&task->to_other[1]);
    w.margin = (double)geo_motion_margin(task->span[0], task->span[1], apart, task->error);
    w.axis_margin = 24 * (double)FLT_EPSILON * (task->span[0] + task->span[1]) + task->error;
    w.best2 = INFINITY;
    w.face[0] = w.face[1] = GT_NOWHERE;
    w.intersect = false;
    w.tests = 0;
    w.batch_size = 0;
    if (task->start_face[0] == GT_NOWHERE || task->start_face[1] == GT_NOWHERE) {
        start_from_roots(&w);
    } else {
        start_from_hint(&w);
    }
    if (!w.intersect) {
        push_roots(&w);
        descend(&w);
    }
    *result = (gt_search_result){
        w.intersect, {w.face[0], w.face[1]},
         w.tests
    };
}
