/*
 * The search of distance.h. It goes depth first through both trees at once, the nearest children
 * first. The distance of two pieces is bounded by their cylinders.
 *
 * Two tests reject pairs of triangles of two leaves. The first one is by their gap along the
 * direction between the nearest points so far, which rejects nearly all. The second one is by their
 * gap along the line of their centroids. The distances of the remaining pairs are computed four at
 * a time.
 */
#include "geometry/lanes.h"
#include "groundtruth/distance/bounds.h"
#include "groundtruth/distance/distance.h"

enum {
    WIDTH = GEO_TREE_WIDTH,
    BEAM = 4,
    TESTED = 256,
    /* At first the stack has all pairs of children of the roots. Each step replaces one entry by
     * all pairs of children of two pieces, one level down in both trees, or by the children of one
     * piece. */
    STACK_MAX = (GEO_TREE_LEVELS_MAX + 1) * WIDTH * WIDTH + GEO_TREE_LEVELS_MAX * WIDTH,
};

/** A piece of a tree. The upper bits are its level, the lower bits its index in the level. */
typedef uint32_t piece;

enum { INDEX_BITS = 28 };

static uint32_t level_of(piece p)
{
    return p >> INDEX_BITS;
}

static uint32_t index_of(piece p)
{
    return p & ((1u << INDEX_BITS) - 1);
}

static piece make_piece(uint32_t level, uint32_t index)
{
    return level << INDEX_BITS | index;
}

/** Two pieces in two words, which are cheap to move. */
typedef struct pair {
    uint64_t of;  /* a piece of A in the lower half, one of B in the upper half */
    uint64_t key; /* lower half: the bits of a lower bound of the distance; upper half: the bits of
                   * the estimated distance, by which pairs are sorted */
} pair;

static piece piece_of(uint64_t of, int side)
{
    return side == 0 ? (piece)of : (piece)(of >> 32);
}

static bool both_leaves(uint64_t of)
{
    return ((of >> 32 | of) & UINT32_MAX) >> INDEX_BITS == 0;
}

static float gap_of(uint64_t key)
{
    const uint32_t bits = (uint32_t)key;
    float gap;
    memcpy(&gap, &bits, sizeof gap);
    return gap;
}

typedef struct traversal {
    const gt_search_task *task;
    geo_motion to_other[2];
    double margin;      /* bound of the error of a gap between cylinders: the rounding of all float
                         * operations, and task->error */
    double axis_margin; /* the same for a gap along the axis */

    double best2;
    uint32_t face[2]; /* faces of the best pair */
    float limit;      /* two pieces farther apart than this are farther apart than the best pair */
    float axis[2][3]; /* the direction from A to B between the nearest points so far, in the frames
                       * of both trees */
    float axis_limit; /* two triangles are rejected if their values along the axis, each in its
                       * own frame, are farther apart than this */
    bool intersect;
    uint64_t tests;
    bool divided;            /* a tree has parts of triangles, so a pair may be found repeatedly */
    uint64_t tested[TESTED]; /* tested pairs of faces, by hash; a pair replaces another one with the
                              * same hash, so some are tested again */

    geo_distance_batch batch;
    uint32_t batch_index[GEO_DISTANCE_LANES][2];
    int batch_size;

    uint64_t stack_of[STACK_MAX], stack_key[STACK_MAX]; /* two arrays, because single words are the
                                                         * fastest to move */
    size_t depth;
} traversal;

/* --- Pairs of triangles ----------------------------------------------------------------------- */

static geo_triangle triangle_at(const traversal *w, int side, uint32_t index)
{
    const geo_triangle t = w->task->tree[side]->triangles[index];
    return side == 0 ? t : geo_pose_apply_triangle(w->task->pose, t);
}

/** Sets the axis and the limits for a new best pair. */
static void aim(traversal *w, const geo_triangle *a, const geo_triangle *b)
{
    vec3 on_a, on_b;
    const double best = sqrt(geo_triangle_distance2(*a, *b, &on_a, &on_b));
    const vec3 axis = vec3_normalize(vec3_sub(on_b, on_a));
    const geo_pose *const there = &w->task->to_other[1];
    const vec3 in_b = mat3_tmul_vec3(there->rotation, axis);
    for (int k = 0; k < 3; k++) {
        w->axis[0][k] = (float)vec3_get(axis, k);
        w->axis[1][k] = (float)vec3_get(in_b, k);
    }
    const double offset = vec3_dot(axis, there->translation);
    w->limit = base_float_above(best + w->margin);
    w->axis_limit =
        base_float_above(best - offset + w->axis_margin + 2 * (double)FLT_EPSILON * fabs(offset));
}

/** True if the triangles of a pair of the batch intersect. */
static bool pair_intersects(const traversal *w, const geo_distance_answer *answer, int i)
{
    return (answer->overlap >> i & 1) != 0 &&
           geo_triangle_intersect(triangle_at(w, 0, w->batch_index[i][0]),
                                  triangle_at(w, 1, w->batch_index[i][1]));
}

/** True if a pair is better than the best one. Of equally near pairs the one with the smallest
 * faces is the best, in any order of visits. */
static bool is_best(const traversal *w, double distance2, uint32_t face_a, uint32_t face_b)
{
    if (distance2 != w->best2 || w->intersect) {
        return distance2 < w->best2 || w->intersect;
    }
    return face_a < w->face[0] || (face_a == w->face[0] && face_b < w->face[1]);
}

/** Computes the pairs in the batch. */
static void flush(traversal *w)
{
    const int size = w->batch_size;
    if (size == 0) {
        return;
    }
    geo_distance_batch_pad(&w->batch, w->batch_size);
    geo_distance_answer answer;
    geo_distance_batch_measure(&w->batch, &answer);
    w->batch_size = 0;
    w->tests += (uint64_t)size;
    const double before = w->best2;
    int best = 0;
    for (int i = 0; i < size && !w->intersect; i++) {
        const uint32_t face_a = w->task->tree[0]->faces[w->batch_index[i][0]];
        const uint32_t face_b = w->task->tree[1]->faces[w->batch_index[i][1]];
        const double distance2 = answer.distance2[i];
        w->intersect = pair_intersects(w, &answer, i);
        if (is_best(w, distance2, face_a, face_b)) {
            best = i;
            w->best2 = distance2;
            w->face[0] = face_a;
            w->face[1] = face_b;
        }
    }
    if (w->best2 < before && !w->intersect) {
        const geo_triangle a = triangle_at(w, 0, w->batch_index[best][0]);
        const geo_triangle b = triangle_at(w, 1, w->batch_index[best][1]);
        aim(w, &a, &b);
    }
}

/** True if the table says that the pair of faces was tested. Adds the pair to the table. */
static bool was_tested(traversal *w, uint32_t face_a, uint32_t face_b)
{
    const uint64_t pair_of_faces = (uint64_t)face_a << 32 | face_b;
    uint64_t *const entry = &w->tested[pair_of_faces * 0x9e3779b97f4a7c15u >> 56];
    _Static_assert(TESTED == 1 << (64 - 56), "one entry for each hash");
    const bool tested = *entry == pair_of_faces;
    *entry = pair_of_faces;
    return tested;
}

static void add_pair(traversal *w, uint32_t index_a, uint32_t index_b)
{
    if (w->divided &&
        was_tested(w, w->task->tree[0]->faces[index_a], w->task->tree[1]->faces[index_b])) {
        return;
    }
    const geo_triangle a = triangle_at(w, 0, index_a), b = triangle_at(w, 1, index_b);
    const int at = w->batch_size++;
    w->batch_index[at][0] = index_a;
    w->batch_index[at][1] = index_b;
    geo_distance_batch_put(&w->batch, at, &a, &b);
    if (w->batch_size == GEO_DISTANCE_LANES) {
        flush(w);
    }
}

/** Eight triangles in A's frame. */
typedef struct leaf_corners {
    vec8 corner[3], centre;
} leaf_corners;

static vec8 move_corner(const geo_motion *m, const float corner[3][WIDTH])
{
    const vec8 p = vec8_load(corner);
    const vec8 row[3] = {
        {f32x8_set(m->column[0][0]), f32x8_set(m->column[1][0]), f32x8_set(m->column[2][0])},
        {f32x8_set(m->column[0][1]), f32x8_set(m->column[1][1]), f32x8_set(m->column[2][1])},
        {f32x8_set(m->column[0][2]), f32x8_set(m->column[1][2]), f32x8_set(m->column[2][2])},
    };
    const vec8 turned = {vec8_dot(p, row[0]), vec8_dot(p, row[1]), vec8_dot(p, row[2])};
    return vec8_add(turned, vec8_set(m->t));
}

static void move_leaf(const geo_motion *m, const geo_tree_leaf *leaf, leaf_corners *o)
{
    o->corner[0] = move_corner(m, leaf->corner[0]);
    o->corner[1] = move_corner(m, leaf->corner[1]);
    o->corner[2] = move_corner(m, leaf->corner[2]);
    const vec8 sum = vec8_add(vec8_add(o->corner[0], o->corner[1]), o->corner[2]);
    const f32x8 third = f32x8_set(1.0F / 3);
    o->centre = (vec8){f32x8_mul(sum.x, third), f32x8_mul(sum.y, third), f32x8_mul(sum.z, third)};
}

static vec8 same_corner(const float corner[3][WIDTH], uint32_t lane)
{
    return (vec8){f32x8_set(corner[0][lane]), f32x8_set(corner[1][lane]),
                  f32x8_set(corner[2][lane])};
}

/**
 * Returns a mask of the triangles of b. A triangle is left out if the line of centroids proves that
 * it is farther than the limit from the triangle of a in this lane.
 */
static unsigned near_triangles(const traversal *w, const geo_tree_leaf *a, uint32_t lane,
                               const leaf_corners *b)
{
    const vec8 p0 = same_corner(a->corner[0], lane), p1 = same_corner(a->corner[1], lane),
               p2 = same_corner(a->corner[2], lane);
    const vec8 sum = vec8_add(vec8_add(p0, p1), p2);
    const f32x8 third = f32x8_set(1.0F / 3);
    const vec8 centre = {f32x8_mul(sum.x, third), f32x8_mul(sum.y, third), f32x8_mul(sum.z, third)};
    const vec8 line = vec8_sub(b->centre, centre);
    const f32x8 end_a =
        f32x8_max(f32x8_max(vec8_dot(line, p0), vec8_dot(line, p1)), vec8_dot(line, p2));
    const f32x8 end_b =
        f32x8_min(f32x8_min(vec8_dot(line, b->corner[0]), vec8_dot(line, b->corner[1])),
                  vec8_dot(line, b->corner[2]));
    const f32x8 length = f32x8_sqrt(vec8_dot(line, line));
    const f32x8 far = f32x8_mul(length, f32x8_set(w->limit));
    return ~m32x8_bits(f32x8_lt(far, f32x8_sub(end_b, end_a)));
}

static unsigned lanes_of(uint32_t size, uint32_t parent)
{
    const uint32_t left = size - parent * WIDTH;
    return left < WIDTH ? (1u << left) - 1 : (1u << WIDTH) - 1;
}

/**
 * Return the least and the greatest value of the corners of each triangle of a leaf along the axis.
 */
static f32x8 least_along(const geo_tree_leaf *leaf, const float axis[3])
{
    const vec8 u = vec8_set(axis);
    const f32x8 p0 = vec8_dot(u, vec8_load(leaf->corner[0]));
    const f32x8 p1 = vec8_dot(u, vec8_load(leaf->corner[1]));
    return f32x8_min(f32x8_min(p0, p1), vec8_dot(u, vec8_load(leaf->corner[2])));
}

static f32x8 greatest_along(const geo_tree_leaf *leaf, const float axis[3])
{
    const vec8 u = vec8_set(axis);
    const f32x8 p0 = vec8_dot(u, vec8_load(leaf->corner[0]));
    const f32x8 p1 = vec8_dot(u, vec8_load(leaf->corner[1]));
    return f32x8_max(f32x8_max(p0, p1), vec8_dot(u, vec8_load(leaf->corner[2])));
}

static void test_leaves(traversal *w, uint32_t leaf_a, uint32_t leaf_b)
{
    const geo_tree *const tree_a = w->task->tree[0], *const tree_b = w->task->tree[1];
    const geo_tree_leaf *const a = &tree_a->leaves[leaf_a], *const b = &tree_b->leaves[leaf_b];
    const f32x8 end_b = least_along(b, w->axis[1]);
    const unsigned used = lanes_of(tree_b->count, leaf_b);
    float ends[WIDTH];
    f32x8_store(ends, f32x8_add(greatest_along(a, w->axis[0]), f32x8_set(w->axis_limit)));
    unsigned near[WIDTH], rows = 0;
    for (uint32_t i = 0; i < WIDTH; i++) {
        near[i] = ~m32x8_bits(f32x8_lt(f32x8_set(ends[i]), end_b)) & used;
        rows |= (unsigned)(near[i] != 0) << i;
    }
    rows &= lanes_of(tree_a->count, leaf_a);
    if (rows == 0) {
        return;
    }
    leaf_corners in_a;
    move_leaf(&w->to_other[1], b, &in_a);
    for (; rows != 0; rows &= rows - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(rows);
        unsigned left = near[i] & near_triangles(w, a, i, &in_a);
        for (; left != 0 && !w->intersect; left &= left - 1) {
            add_pair(w, leaf_a * WIDTH + i, leaf_b * WIDTH + (uint32_t)__builtin_ctz(left));
        }
    }
}

/* --- Pairs of pieces -------------------------------------------------------------------------- */

/** Returns the node that has the cylinder of a piece, in the lane index % WIDTH. */
static const geo_cylinder_node *node_of(const traversal *w, int side, piece p)
{
    return &w->task->tree[side]->nodes[level_of(p) + 1][index_of(p) / WIDTH];
}

/** Maps floats to unsigned integers of the same order. */
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

/** Inserts a pair into the stack. The stack is sorted from `base` on, and the nearest pair is on
 * top. */
static void push(traversal *w, uint64_t of, uint64_t key, size_t base)
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

/**
 * Bounds the distances of the children of `parent` from `fixed`, which is in the frame of their
 * tree.
 */
static void bound_row(const traversal *w, int side, piece parent, const gt_cylinder *fixed, row *r)
{
    const geo_tree *const tree = w->task->tree[side];
    const uint32_t level = level_of(parent), index = index_of(parent);
    f32x8 order;
    const f32x8 gap = gt_bound_cylinders(&tree->nodes[level][index], fixed, &order);
    f32x8_store(r->gap, gap);
    f32x8_store(r->order, order);
    r->near = ~m32x8_bits(f32x8_lt(f32x8_set(w->limit), gap)) &
              lanes_of(tree->level_size[level - 1], index);
}

static piece child_of(piece parent, uint32_t lane)
{
    return make_piece(level_of(parent) - 1, index_of(parent) * WIDTH + lane);
}

/** Pushes the near children of `parent`, of body `side`, each with a piece of the other body. */
static void push_row(traversal *w, int side, piece parent, piece other, const row *r, size_t base)
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
static void expand(traversal *w, int side, piece parent, piece other, size_t base)
{
    gt_cylinder fixed;
    row r;
    gt_cylinder_move(&w->to_other[1 - side], node_of(w, 1 - side, other), index_of(other) % WIDTH,
                     &fixed);
    bound_row(w, side, parent, &fixed, &r);
    push_row(w, side, parent, other, &r, base);
}

/**
 * Does the same, and then pairs each near child with the children of `other`. All rows are computed
 * before any is pushed, so that they do not wait for each other's branches and cache misses.
 */
static void expand_both(traversal *w, int side, piece parent, piece other, size_t base)
{
    gt_cylinder fixed;
    row first, rows[WIDTH];
    gt_cylinder_move(&w->to_other[1 - side], node_of(w, 1 - side, other), index_of(other) % WIDTH,
                     &fixed);
    bound_row(w, side, parent, &fixed, &first);
    const geo_cylinder_node *const node =
        &w->task->tree[side]->nodes[level_of(parent)][index_of(parent)];
    uint32_t lanes[WIDTH], count = 0;
    for (unsigned near = first.near; near != 0; near &= near - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(near);
        lanes[count] = lane;
        gt_cylinder_move(&w->to_other[side], node, lane, &fixed);
        bound_row(w, 1 - side, other, &fixed, &rows[count++]);
    }
    for (uint32_t i = 0; i < count; i++) {
        push_row(w, 1 - side, other, child_of(parent, lanes[i]), &rows[i], base);
    }
}

static float radius_of(const traversal *w, int side, piece p)
{
    return node_of(w, side, p)->radius[index_of(p) % WIDTH];
}

/** Returns the side of the larger one of the pieces that have children. At least one of them must
 * have children. */
static int larger_side(const traversal *w, const piece p[2])
{
    return level_of(p[0]) == 0 ||
           (level_of(p[1]) != 0 && radius_of(w, 1, p[1]) > radius_of(w, 0, p[0]));
}

/** Pairs the children of one piece with the other piece. A beam keeps only few of these pairs. */
static void visit_one(traversal *w, uint64_t of, size_t base)
{
    const piece p[2] = {piece_of(of, 0), piece_of(of, 1)};
    const int side = larger_side(w, p);
    expand(w, side, p[side], p[1 - side], base);
}

static void visit(traversal *w, uint64_t of, size_t base)
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

static void descend(traversal *w)
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

static void push_roots(traversal *w)
{
    const geo_tree *const a = w->task->tree[0], *const b = w->task->tree[1];
    const piece root_b = make_piece(b->level_count - 1, 0);
    w->depth = 0;
    for (uint32_t i = 0; i < a->level_size[a->level_count - 2]; i++) {
        expand(w, 1, root_b, make_piece(a->level_count - 2, i), 0);
    }
}

/* --- The start of the search ------------------------------------------------------------------ */

/** Takes the nearest pairs from the top of the stack, empties it, and returns their number. *ends:
 * true if all are pairs of leaves. */
static size_t take_beam(traversal *w, pair beam[BEAM], bool *ends)
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

/**
 * Descends level by level with only the most promising pairs, and tests the leaves that they reach.
 */
static void start_from_roots(traversal *w)
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
    /* Any pair of triangles provides an axis. */
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

static void start_from_hint(traversal *w)
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

void BASE_ISA(gt_search)(const gt_search_task *task, gt_search_result *result)
{
    const double apart = vec3_norm(task->to_other[1].translation);
    traversal w;
    w.task = task;
    w.to_other[0] = geo_motion_make(&task->to_other[0]);
    w.to_other[1] = geo_motion_make(&task->to_other[1]);
    w.margin = (double)geo_motion_margin(task->span[0], task->span[1], apart, task->error);
    w.axis_margin = 24 * (double)FLT_EPSILON * (task->span[0] + task->span[1]) + task->error;
    w.best2 = INFINITY;
    w.face[0] = w.face[1] = GT_NOWHERE;
    w.intersect = false;
    w.tests = 0;
    w.divided = task->tree[0]->divided || task->tree[1]->divided;
    memset(w.tested, 0xFF, w.divided ? sizeof w.tested : 0);
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
    *result = (gt_search_result){w.intersect, {w.face[0], w.face[1]}, w.tests};
}
