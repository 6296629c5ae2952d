/*
 * Of the search of distance_walk.h: its state, and what it does with pairs of triangles.
 *
 * Triangles of two leaves have to pass the direction between the nearest points so far, which
 * separates nearly all that are left, and the line of their centroids. What passes is computed
 * four pairs at a time.
 */
#ifndef GROUNDTRUTH_DISTANCE_PAIRS_H
#define GROUNDTRUTH_DISTANCE_PAIRS_H

#include "groundtruth/distance/bounds.h"
#include "groundtruth/distance/distance_kernel.h"
#include "groundtruth/distance/distance_search.h"

enum {
    WIDTH = GEO_TREE_WIDTH,
    BEAM = 4,
    /* All pairs of the roots' children; then a step replaces one entry by the pairs of children of
     * two pieces, one level down in both trees, or by the children of one. */
    STACK_MAX = (GEO_TREE_LEVELS_MAX + 1) * WIDTH * WIDTH + GEO_TREE_LEVELS_MAX * WIDTH,
};

/** A piece of a tree: its level, and its index there in the lower bits. */
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
    uint64_t of;  /* a piece of A below, one of B above */
    uint64_t key; /* bits of a lower bound of the distance below; above, who is likely nearer */
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

typedef struct walk {
    const gt_search_task *task;
    geo_motion to_other[2];
    double margin;      /* of a gap between disks: rounding of everything float, and task->error */
    double axis_margin; /* the same of a gap along the axis */

    double best2;
    uint32_t face[2]; /* of the best pair */
    float limit;      /* pieces farther apart than that are not nearer, nor as near */
    float axis[2][3]; /* from A to B between the nearest points, in the frames of both trees */
    float axis_limit; /* leaves are farther if their gap along the axis, less the offset, is larger
                       */
    bool intersect;
    uint64_t tests;

    gt_batch batch;
    uint32_t batch_place[GT_BATCH][2];
    int batch_size;

    uint64_t stack_of[STACK_MAX], stack_key[STACK_MAX]; /* two arrays: words move fastest alone */
    size_t depth;
} walk;

/* --- Pairs of triangles ----------------------------------------------------------------------- */

static geo_triangle triangle_at(const walk *w, int side, uint32_t place)
{
    const geo_triangle t = w->task->tree[side]->triangles[place];
    return side == 0 ? t : geo_pose_apply_triangle(w->task->pose, t);
}

/** The limits of a new best pair. */
static void aim(walk *w, const geo_triangle *a, const geo_triangle *b)
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

/** What the batch leaves to do for a pair: the exact test where boxes overlap, and slivers. */
static double finish_pair(walk *w, const gt_batch_answer *answer, int i)
{
    if (((answer->overlap | answer->careful) >> i & 1) == 0) {
        return answer->distance2[i];
    }
    const geo_triangle a = triangle_at(w, 0, w->batch_place[i][0]);
    const geo_triangle b = triangle_at(w, 1, w->batch_place[i][1]);
    w->intersect = (answer->overlap >> i & 1) != 0 && geo_triangle_intersect(a, b);
    return geo_triangle_distance2(a, b, NULL, NULL);
}

/** Of equally near pairs the one with the smallest faces is the best, in whatever order. */
static bool is_best(const walk *w, double distance2, uint32_t face_a, uint32_t face_b)
{
    if (distance2 != w->best2 || w->intersect) {
        return distance2 < w->best2 || w->intersect;
    }
    return face_a < w->face[0] || (face_a == w->face[0] && face_b < w->face[1]);
}

/** Fills up the batch with its first pair. */
static void pad_batch(walk *w)
{
    for (int i = w->batch_size; i < GT_BATCH; i++) {
        for (int k = 0; k < 3; k++) {
            for (int axis = 0; axis < 3; axis++) {
                w->batch.corner[0][k][axis][i] = w->batch.corner[0][k][axis][0];
                w->batch.corner[1][k][axis][i] = w->batch.corner[1][k][axis][0];
            }
        }
    }
}

/** Computes what is in the batch. */
static void flush(walk *w)
{
    const int size = w->batch_size;
    if (size == 0) {
        return;
    }
    pad_batch(w);
    gt_batch_answer answer;
    batch_distances(&w->batch, &answer);
    w->batch_size = 0;
    w->tests += (uint64_t)size;
    const double before = w->best2;
    int best = 0;
    for (int i = 0; i < size && !w->intersect; i++) {
        const uint32_t face_a = w->task->tree[0]->faces[w->batch_place[i][0]];
        const uint32_t face_b = w->task->tree[1]->faces[w->batch_place[i][1]];
        const double distance2 = finish_pair(w, &answer, i);
        if (is_best(w, distance2, face_a, face_b)) {
            best = i;
            w->best2 = distance2;
            w->face[0] = face_a;
            w->face[1] = face_b;
        }
    }
    if (w->best2 < before && !w->intersect) {
        const geo_triangle a = triangle_at(w, 0, w->batch_place[best][0]);
        const geo_triangle b = triangle_at(w, 1, w->batch_place[best][1]);
        aim(w, &a, &b);
    }
}

static void add_pair(walk *w, uint32_t place_a, uint32_t place_b)
{
    const geo_triangle a = triangle_at(w, 0, place_a), b = triangle_at(w, 1, place_b);
    const bool swap = geo_triangle_less(&b, &a);
    const int at = w->batch_size++;
    w->batch_place[at][0] = place_a;
    w->batch_place[at][1] = place_b;
    for (int k = 0; k < 3; k++) {
        double(*const ca)[GT_BATCH] = w->batch.corner[swap][k];
        double(*const cb)[GT_BATCH] = w->batch.corner[!swap][k];
        ca[0][at] = a.p[k].x;
        ca[1][at] = a.p[k].y;
        ca[2][at] = a.p[k].z;
        cb[0][at] = b.p[k].x;
        cb[1][at] = b.p[k].y;
        cb[2][at] = b.p[k].z;
    }
    if (w->batch_size == GT_BATCH) {
        flush(w);
    }
}

/** Eight triangles in A's frame. */
typedef struct octet {
    vec8 corner[3], centre;
} octet;

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

static void move_leaf(const geo_motion *m, const geo_tree_leaf *leaf, octet *o)
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

/** Triangles of b that the line of centroids does not show to be farther than the limit. */
static unsigned near_triangles(const walk *w, const geo_tree_leaf *a, uint32_t lane, const octet *b)
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

/** Where the triangles of a leaf end along the axis: the least of the corners, or the greatest. */
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

static void test_leaves(walk *w, uint32_t leaf_a, uint32_t leaf_b)
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
    octet in_a;
    move_leaf(&w->to_other[1], b, &in_a);
    for (; rows != 0; rows &= rows - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(rows);
        unsigned left = near[i] & near_triangles(w, a, i, &in_a);
        for (; left != 0 && !w->intersect; left &= left - 1) {
            add_pair(w, leaf_a * WIDTH + i, leaf_b * WIDTH + (uint32_t)__builtin_ctz(left));
        }
    }
}

#endif
