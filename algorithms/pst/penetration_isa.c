/**
 * Lookups of spheres and points in a field, eight at a time.
 *
 * The result of a point depends only on the point and the pose, not on the other lanes. So each
 * point has the same result in a traversal of the tree and in a loop over all points.
 */
#include "algorithms/pst/field_lanes.h"
#include "algorithms/pst/penetration.h"
#include "base/simd.h"

/** Number of groups that are started together. While the bricks of one group are read, those of the
 * other groups are fetched. */
enum { BATCH = 8 };

/** Eight lookups with known positions in their bricks: points, or the spheres of a node. */
typedef struct group {
    alg_pst_positions positions;
    uint32_t first; /* points: index of the first point; spheres: index of their node */
    uint32_t item;  /* spheres: index of the parent cluster in the queue */
    unsigned asked; /* points: mask of the lanes in use */
} group;

typedef struct batch {
    group groups[BATCH];
    uint32_t count;
} batch;

/** Moves eight points. at: positions in the field's frame, relative to its corner. */
static inline void move_eight(const geo_motion *m, const float *xs, const float *ys,
                              const float *zs, f32x8 at[3])
{
    const f32x8 p[3] = {f32x8_load(xs), f32x8_load(ys), f32x8_load(zs)};
    alg_pst_move_eight(m, p, at);
}

/* --- Points ----------------------------------------------------------------------------------- */

/** Returns the mask of the lanes whose points are in a surface voxel or in an inner voxel. */
static inline unsigned find_voxels(const alg_pst_queue *q, const f32x8 p[3], unsigned asked)
{
    const alg_voxel_map *const map = q->map;
    const f32x8 per = f32x8_set(q->per_voxel);
    float t[3][ALG_PST_WIDTH];
    unsigned bits = asked;
    for (int axis = 0; axis < 3; axis++) {
        const f32x8 at = f32x8_mul(f32x8_sub(p[axis], f32x8_set(q->voxel_corner[axis])), per);
        bits &= m32x8_bits(m32x8_and(f32x8_le(f32x8_set(0), at),
                                     f32x8_lt(at, f32x8_set((float)map->grid.size[axis]))));
        f32x8_store(t[axis], at);
    }
    unsigned found = 0;
    for (unsigned left = bits; left != 0; left &= left - 1) {
        const int i = __builtin_ctz(left);
        const int layer =
            alg_voxel_layer(map, (uint32_t)t[0][i], (uint32_t)t[1][i], (uint32_t)t[2][i]);
        found |= (unsigned)(layer >= 0) << i;
    }
    return found;
}

/** Returns the mask of the lanes whose value in the field is negative. */
static inline unsigned find_inner(const alg_pst_queue *q, const alg_pst_positions *positions,
                                  unsigned asked)
{
    f32x8 below;
    const f32x8 value = alg_pst_read_bricks(q->field, positions, &below);
    return m32x8_bits(f32x8_lt(value, f32x8_set(0))) & asked;
}

/** Records hits among eight points from `first` on, and prefetches the data for their reactions. */
static inline void note_hits(alg_pst_queue *q, uint32_t first, unsigned found)
{
    const uint32_t word = first / 64, shift = first % 64;
    const uint64_t over = shift > 0 ? (uint64_t)found >> (64 - shift) : 0;
    if (found == 0) {
        return;
    }
    const alg_pst_points *const points = &q->tree->points;
    for (unsigned left = found; left != 0; left &= left - 1) {
        const uint32_t i = first + (uint32_t)__builtin_ctz(left);
        __builtin_prefetch(&points->points[i]);
        __builtin_prefetch(points->shares ? &points->shares[i] : &points->normals[i]);
    }
    q->hits[word] |= (uint64_t)found << shift;
    q->hit_begin = word < q->hit_begin ? word : q->hit_begin;
    q->hit_end = word + 1 > q->hit_end ? word + 1 : q->hit_end;
    if (over != 0) {
        q->hits[word + 1] |= over;
        q->hit_end = word + 2 > q->hit_end ? word + 2 : q->hit_end;
    }
}

static inline void read_points(alg_pst_queue *q, batch *b)
{
    for (uint32_t i = 0; i < b->count; i++) {
        const group *const g = &b->groups[i];
        note_hits(q, g->first, find_inner(q, &g->positions, g->asked));
    }
    b->count = 0;
}

/** Starts lookups of points. Whenever the batch is full, completes its lookups. */
static inline void look_up_points(alg_pst_queue *q, uint32_t first, uint32_t count, batch *b)
{
    const alg_pst_tree *const tree = q->tree;
    for (uint32_t i = 0; i < count; i += ALG_PST_WIDTH) {
        const uint32_t at = first + i, left = count - i;
        const unsigned asked = left < ALG_PST_WIDTH ? (1u << left) - 1 : 0xffu;
        f32x8 p[3];
        move_eight(&q->motion, tree->x + at, tree->y + at, tree->z + at, p);
        if (q->map) {
            note_hits(q, at, find_voxels(q, p, asked));
            continue;
        }
        group *const g = &b->groups[b->count++];
        *g = (group){alg_pst_find_positions(q->field, p), at, 0, asked};
        alg_pst_prefetch_bricks(q->field, &g->positions);
        if (b->count == BATCH) {
            read_points(q, b);
        }
    }
    q->points += count;
}

/** Looks up the first points of up to eight clusters. */
static inline void look_up_representatives(alg_pst_queue *q, const alg_pst_node *node,
                                           unsigned asked)
{
    float x[ALG_PST_WIDTH] = {0}, y[ALG_PST_WIDTH] = {0}, z[ALG_PST_WIDTH] = {0};
    for (unsigned left = asked; left != 0; left &= left - 1) {
        const int i = __builtin_ctz(left);
        const uint32_t point = node->first[i];
        x[i] = q->tree->x[point];
        y[i] = q->tree->y[point];
        z[i] = q->tree->z[point];
    }
    f32x8 p[3];
    move_eight(&q->motion, x, y, z, p);
    unsigned found;
    if (q->map) {
        found = find_voxels(q, p, asked);
    } else {
        const alg_pst_positions positions = alg_pst_find_positions(q->field, p);
        found = find_inner(q, &positions, asked);
    }
    for (unsigned left = found; left != 0; left &= left - 1) {
        note_hits(q, node->first[__builtin_ctz(left)], 1);
    }
    q->points += (uint64_t)__builtin_popcount(asked);
}

/* --- Clusters --------------------------------------------------------------------------------- */

static inline uint32_t count_children(const alg_pst_node *node)
{
    const m32x8 there = f32x8_le(f32x8_set(0), f32x8_load(node->radius));
    return (uint32_t)__builtin_popcount(m32x8_bits(there));
}

/** Appends a cluster to the queue, and prefetches the data for opening it. */
static inline void push(alg_pst_queue *q, const alg_pst_node *node, int lane, float bound)
{
    const alg_pst_tree *const tree = q->tree;
    const uint32_t child = node->child[lane], first = node->first[lane];
    q->items[q->tail++] = (alg_pst_item){first, node->count[lane], child, bound};
    if (child == ALG_PST_LEAF) {
        __builtin_prefetch(tree->x + first);
        __builtin_prefetch(tree->y + first);
        __builtin_prefetch(tree->z + first);
    } else {
        __builtin_prefetch(tree->nodes[child].centre[0]);
        __builtin_prefetch(tree->nodes[child].centre[2]);
        __builtin_prefetch(tree->nodes[child].first);
        __builtin_prefetch(tree->nodes[child].count);
    }
}

/** Completes the lookups of a node, and queues the clusters that may contain a pushing point. */
static inline void read_node(alg_pst_queue *q, const group *g)
{
    const alg_pst_node *const node = &q->tree->nodes[g->first];
    const uint32_t parent_first = q->items[g->item].first;
    f32x8 below;
    const f32x8 value = alg_pst_read_bricks(q->field, &g->positions, &below);
    const f32x8 around = f32x8_add(f32x8_load(node->radius), f32x8_set(q->margin));
    const f32x8 bound = f32x8_sub(f32x8_sub(value, below), around);
    const unsigned near = m32x8_bits(f32x8_le(bound, f32x8_set(q->reach)));
    float bounds[ALG_PST_WIDTH];
    f32x8_store(bounds, bound);
    q->spheres += count_children(node);
    unsigned fresh = near;
    for (unsigned left = near; left != 0; left &= left - 1) {
        const int i = __builtin_ctz(left);
        push(q, node, i, bounds[i]);
        fresh &= ~((unsigned)(node->first[i] == parent_first) << i);
    }
    if (q->representatives && fresh != 0) {
        look_up_representatives(q, node, fresh);
    }
}

/** Looks up the points of the next cluster, which is a leaf. If following clusters in the queue are
 * leaves with consecutive points, their points are looked up together with these. */
static inline void open_leaf(alg_pst_queue *q, batch *b)
{
    const alg_pst_item leaf = q->items[q->head++];
    uint32_t count = leaf.count;
    if (q->representatives) {
        look_up_points(q, leaf.first + 1, count - 1, b);
        return;
    }
    while (q->head < q->tail && q->items[q->head].child == ALG_PST_LEAF &&
           q->items[q->head].first == leaf.first + count) {
        count += q->items[q->head++].count;
    }
    look_up_points(q, leaf.first, count, b);
}

/** Returns true if the limit of lookups allows opening the next cluster. */
static inline bool may_open(const alg_pst_queue *q)
{
    const alg_pst_item *const next = &q->items[q->head];
    const uint64_t left = q->most - q->spheres - q->points;
    if (!q->representatives) {
        return true; /* queries without representatives have no limit */
    }
    return next->child == ALG_PST_LEAF
               ? next->count - 1 <= left
               : 2 * (uint64_t)count_children(&q->tree->nodes[next->child]) <= left;
}

static inline bool is_next(const alg_pst_queue *q, bool leaf)
{
    return q->head < q->tail && (q->items[q->head].child == ALG_PST_LEAF) == leaf;
}

void BASE_ISA(alg_pst_open_clusters)(alg_pst_queue *queue)
{
    /* In queries that may end early, nodes are opened one at a time. */
    const uint32_t most = queue->representatives ? 1 : BATCH;
    batch b = {.count = 0};
    while (queue->head < queue->tail && !(queue->once && queue->hit_begin < queue->hit_end) &&
           may_open(queue)) {
        if (is_next(queue, true)) {
            do {
                open_leaf(queue, &b);
            } while (!queue->representatives && is_next(queue, true));
            read_points(queue, &b);
        } else {
            for (; b.count < most && is_next(queue, false); queue->head++) {
                const uint32_t child = queue->items[queue->head].child;
                const alg_pst_node *const node = &queue->tree->nodes[child];
                group *const g = &b.groups[b.count++];
                f32x8 p[3];
                move_eight(&queue->motion, node->centre[0], node->centre[1], node->centre[2], p);
                *g = (group){alg_pst_find_positions(queue->field, p), child, queue->head, 0};
                alg_pst_prefetch_bricks(queue->field, &g->positions);
            }
            for (uint32_t i = 0; i < b.count; i++) {
                read_node(queue, &b.groups[i]);
            }
            b.count = 0;
        }
    }
}

void BASE_ISA(alg_pst_look_up_points)(alg_pst_queue *queue, uint32_t first, uint32_t count)
{
    batch b = {.count = 0};
    look_up_points(queue, first, count, &b);
    read_points(queue, &b);
}

/* --- Reactions -------------------------------------------------------------------------------- */

/** Rotates four vectors. Each lane has the bits of geo_pose_rotate. */
static inline vec4 rotate_four(const geo_pose *pose, vec4 v)
{
    f64x4 turned[3];
    for (int axis = 0; axis < 3; axis++) {
        const vec3 row = pose->rotation.row[axis];
        turned[axis] = vec4_dot((vec4){f64x4_set(row.x), f64x4_set(row.y), f64x4_set(row.z)}, v);
    }
    return (vec4){turned[0], turned[1], turned[2]};
}

/** Moves four points. Each lane has the bits of geo_pose_apply. */
static inline vec4 move_four(const geo_pose *pose, vec4 p)
{
    const vec4 turned = rotate_four(pose, p);
    const vec3 t = pose->translation;
    return (vec4){f64x4_add(turned.x, f64x4_set(t.x)), f64x4_add(turned.y, f64x4_set(t.y)),
                  f64x4_add(turned.z, f64x4_set(t.z))};
}

static inline vec4 gather_vectors(const vec3 *v, const uint32_t at[4])
{
    const vec3 a = v[at[0]], b = v[at[1]], c = v[at[2]], d = v[at[3]];
    return (vec4){f64x4_lanes(a.x, b.x, c.x, d.x), f64x4_lanes(a.y, b.y, c.y, d.y),
                  f64x4_lanes(a.z, b.z, c.z, d.z)};
}

static inline void store_vectors(double to[3][ALG_PST_REACTIONS], uint32_t at, vec4 v)
{
    f64x4_store(to[0] + at, v.x);
    f64x4_store(to[1] + at, v.y);
    f64x4_store(to[2] + at, v.z);
}

/** Returns the directions of the shares of four points, and their lengths as weights. Without
 * shares it returns normals, with weights of 1. Where a share is 0, it returns the normal. */
static inline vec4 find_own(const alg_pst_points *points, const uint32_t at[4], f64x4 *weight)
{
    const f64x4 zero = f64x4_set(0), one = f64x4_set(1);
    const vec4 normal = gather_vectors(points->normals, at);
    *weight = one;
    if (!points->shares) {
        return normal;
    }
    const vec4 share = gather_vectors(points->shares, at);
    *weight = f64x4_sqrt(vec4_dot(share, share));
    const f64x4 inverse = f64x4_div(one, *weight);
    const vec4 direction = {f64x4_mul(inverse, share.x), f64x4_mul(inverse, share.y),
                            f64x4_mul(inverse, share.z)};
    return vec4_select(f64x4_lt(zero, *weight), direction, normal);
}

void BASE_ISA(alg_pst_react)(const alg_pst_queue *queue, const geo_pose *into, bool turn,
                             alg_pst_reactions *reactions)
{
    const alg_pst_points *const points = &queue->tree->points;
    for (uint32_t i = reactions->count; i % 4 != 0; i++) {
        reactions->point[i] = reactions->point[0];
    }
    for (uint32_t i = 0; i < reactions->count; i += 4) {
        const uint32_t *const four = reactions->point + i;
        f64x4 weight;
        const vec4 own = find_own(points, four, &weight);
        const vec4 at = move_four(into, gather_vectors(points->points, four));
        store_vectors(reactions->at, i, at);
        store_vectors(reactions->own, i, turn ? rotate_four(into, own) : own);
        f64x4_store(reactions->weight + i, weight);
        double values[4];
        f64x4_store(values, alg_pst_read_four(queue->field, at));
        for (int k = 0; k < 4; k++) {
            reactions->depth[i + (uint32_t)k] = -(float)values[k];
        }
    }
}
