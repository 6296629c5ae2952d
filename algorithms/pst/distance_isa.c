/** The traversal of distance.h. It looks up the clusters of a node, or the points of a leaf, in a
 * field, eight at a time. */
#include "algorithms/life.h"
#include "algorithms/pst/distance.h"
#include "algorithms/pst/field_lanes.h"
#include "base/simd.h"

#include <math.h>
#include <string.h>

enum {
    CLOCK_EVERY = 4, /* number of clusters per reading of the clock, a power of two */
    /* Number of clusters that are opened together. While one is looked up, the bricks of the others
     * are fetched. */
    BATCH = 8,
};

/** The spheres or points of an opened cluster, eight at a time. Points have radius 0. */
typedef struct group {
    alg_pst_cluster cluster; /* the opened cluster; lane 0 for the root */
    uint32_t child;          /* its node or leaf, as in alg_pst_packed_node.child */
    f32x8 radius, patch2;
    m32x8 unused; /* mask of unused lanes */
    f32x8 at[3];  /* in the field's frame, relative to its corner */
    alg_pst_positions positions;
} group;

/** Results of a lookup. value: in the field. reach: value + radius, about an upper bound of the
 * distance of a point of the cluster. bound: lower bound of the distance of the surface that the
 * cluster represents. Unused lanes have reach and bound INFINITY. */
typedef struct looked_up {
    f32x8 value, reach, bound;
} looked_up;

/* --- Unpack ----------------------------------------------------------------------------------- */

static inline f32x8 load_halves(const uint16_t *p)
{
    return f32x8_bits_of(i32x8_left(i32x8_load_u16(p), 16));
}

/** Unpacks the points of a leaf, relative to the centre of the sphere in its node's lane. */
static inline void unpack_leaf(const alg_pst_packed_node *node, uint32_t lane,
                               const alg_pst_packed_leaf *leaf, group *g)
{
    const float radius = node->step * (float)node->radius[lane];
    const f32x8 unit = f32x8_set(radius / ALG_PST_LEAF_STEPS);
    g->radius = f32x8_set(0);
    g->patch2 = load_halves(leaf->patch2);
    g->unused = i32x8_equal(i32x8_load_i16(leaf->at[0]), i32x8_set(INT16_MIN));
    for (int axis = 0; axis < 3; axis++) {
        const float centre = node->corner[axis] + node->step * (float)node->centre[axis][lane];
        const f32x8 steps = f32x8_of(i32x8_load_i16(leaf->at[axis]));
        g->at[axis] = f32x8_add(f32x8_set(centre), f32x8_mul(unit, steps));
    }
}

static inline void unpack_node(const alg_pst_packed_node *node, group *g)
{
    const f32x8 step = f32x8_set(node->step);
    g->radius = f32x8_mul(step, f32x8_of(i32x8_load_u16(node->radius)));
    g->patch2 = load_halves(node->patch2);
    g->unused = i32x8_equal(i32x8_load(node->child), i32x8_set(0));
    for (int axis = 0; axis < 3; axis++) {
        const f32x8 steps = f32x8_of(i32x8_load_u16(node->centre[axis]));
        g->at[axis] = f32x8_add(f32x8_set(node->corner[axis]), f32x8_mul(step, steps));
    }
}

/** Returns the number of the group's lanes that the budget allows. The other lanes become unused,
 * and `rest` then includes the bound of the cluster. */
static inline uint32_t allow(alg_pst_traversal *w, group *g)
{
    static const float number[ALG_PST_WIDTH] = {0, 1, 2, 3, 4, 5, 6, 7};
    const uint32_t wanted = ALG_PST_WIDTH - (uint32_t)__builtin_popcount(m32x8_bits(g->unused));
    const uint64_t used = w->spheres + w->points;
    if (w->budget == 0 || w->budget - used >= wanted) {
        return wanted;
    }
    const uint32_t left = (uint32_t)(w->budget - used);
    g->unused = m32x8_or(g->unused, f32x8_le(f32x8_set((float)left), f32x8_load(number)));
    w->rest = fminf(w->rest, g->cluster.bound);
    w->ended = false;
    return left;
}

/** Opens a cluster: computes the positions of its clusters or points, prefetches their bricks. */
static inline void open_cluster(alg_pst_traversal *w, alg_pst_cluster cluster, uint32_t child,
                                group *g)
{
    const alg_pst_tree *const tree = w->tree;
    g->cluster = cluster;
    g->child = child;
    if (child >= ALG_PST_PACKED_LEAF) {
        unpack_leaf(&tree->packed[cluster.lane / ALG_PST_WIDTH], cluster.lane % ALG_PST_WIDTH,
                    &tree->leaves[child - ALG_PST_PACKED_LEAF], g);
        w->points += allow(w, g);
    } else {
        unpack_node(&tree->packed[child], g);
        w->spheres += allow(w, g);
    }
    f32x8 at[3];
    memcpy(at, g->at, sizeof at);
    alg_pst_move_eight(&w->motion, at, g->at);
    g->positions = alg_pst_find_positions(w->field, g->at);
    alg_pst_prefetch_packed(w->field, &g->positions);
}

/** If the least reach of the group is the least so far, records its lane as the nearest lookup and
 * lowers the limit to it. Of several equal lanes, the first is taken. */
static inline void note_nearest(alg_pst_traversal *w, const group *g, const looked_up *found)
{
    const float least = f32x8_least(found->reach);
    if (least >= w->nearest_value + w->nearest_radius) {
        return;
    }
    const unsigned lane =
        (unsigned)__builtin_ctz(m32x8_bits(f32x8_le(found->reach, f32x8_set(least))));
    const alg_pst_node *const nodes = w->tree->nodes;
    const uint32_t own = g->cluster.lane;
    float lanes[ALG_PST_WIDTH];
    f32x8_store(lanes, found->value);
    w->nearest = g->child >= ALG_PST_PACKED_LEAF
                     ? nodes[own / ALG_PST_WIDTH].first[own % ALG_PST_WIDTH] + lane
                     : nodes[g->child].first[lane];
    w->nearest_value = lanes[lane];
    f32x8_store(lanes, g->radius);
    w->nearest_radius = lanes[lane];
    for (int axis = 0; axis < 3; axis++) {
        f32x8_store(lanes, g->at[axis]);
        w->nearest_at[axis] = lanes[lane];
    }
    /* Prefetches the data of a point, which will probably be measured. */
    if (g->child >= ALG_PST_PACKED_LEAF) {
        int32_t brick[ALG_PST_WIDTH];
        i32x8_store(brick, g->positions.brick);
        __builtin_prefetch(&w->tree->points.points[w->nearest]);
        __builtin_prefetch(&w->tree->points.faces[w->nearest]);
        __builtin_prefetch(&w->field->bricks[brick[lane]].bend);
        __builtin_prefetch(&w->field->bricks[brick[lane]]);
    }
    if (!w->fixed) {
        w->limit = fminf(w->limit, fmaxf(least, 0));
    }
    if (least < 0) {
        const alg_pst_sample s = alg_pst_traversal_sample(w);
        w->inside = s.value + s.above + w->nearest_radius + w->margin < 0;
    }
}

/* --- Lookups ---------------------------------------------------------------------------------- */

/** Stores points as candidates. */
static inline void keep_points(alg_pst_traversal *w, const group *g, const looked_up *found,
                               unsigned kept)
{
    const uint32_t own = g->cluster.lane;
    const uint32_t first = w->tree->nodes[own / ALG_PST_WIDTH].first[own % ALG_PST_WIDTH];
    float bounds[ALG_PST_WIDTH], values[ALG_PST_WIDTH];
    f32x8_store(bounds, found->bound);
    f32x8_store(values, found->value);
    for (; kept != 0; kept &= kept - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(kept);
        if (w->count == w->capacity && !alg_pst_make_room(w, bounds[lane])) {
            w->rest = fminf(w->rest, bounds[lane]);
            continue;
        }
        w->candidates[w->count++] = (alg_pst_candidate){first + lane, bounds[lane], values[lane]};
    }
}

static inline void push(alg_pst_traversal *w, uint32_t node, uint32_t lane, float bound)
{
    const alg_pst_tree *const tree = w->tree;
    const uint32_t child = tree->packed[node].child[lane];
    if (child >= ALG_PST_PACKED_LEAF) {
        __builtin_prefetch(&tree->leaves[child - ALG_PST_PACKED_LEAF]);
    } else {
        __builtin_prefetch(&tree->packed[child]);
        __builtin_prefetch(&tree->packed[child].radius);
    }
    w->open[w->open_count++] = (alg_pst_cluster){bound, ALG_PST_WIDTH * node + lane};
}

/** Pushes clusters on the stack, the nearest on top. */
static inline void keep_clusters(alg_pst_traversal *w, const group *g, const looked_up *found,
                                 unsigned kept)
{
    const f32x8 least = f32x8_set(f32x8_least(found->bound));
    const uint32_t top = (uint32_t)__builtin_ctz(m32x8_bits(f32x8_le(found->bound, least)) & kept);
    float bounds[ALG_PST_WIDTH];
    f32x8_store(bounds, found->bound);
    for (unsigned left = kept & ~(1u << top); left != 0; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        push(w, g->child, lane, bounds[lane]);
    }
    push(w, g->child, top, bounds[top]);
}

/** Looks up a group, and stores the points or clusters that may be nearest. Lowers *rest to the
 * bounds of those that are left out. */
static inline void visit(alg_pst_traversal *w, const group *g, f32x8 *rest)
{
    const f32x8 zero = f32x8_set(0), far = f32x8_set(INFINITY);
    const f32x8 slack = f32x8_set(ALG_PST_BOUND_SLACK);
    f32x8 below;
    const f32x8 value = alg_pst_read_packed(w->field, &g->positions, &below);
    const f32x8 around = f32x8_add(g->radius, f32x8_set(w->margin));
    const f32x8 near = f32x8_max(f32x8_sub(f32x8_sub(value, below), around), zero);
    const f32x8 square = f32x8_mul(f32x8_mul(near, near), slack);
    const f32x8 left = f32x8_max(f32x8_sub(square, g->patch2), zero);
    const f32x8 own = f32x8_mul(f32x8_sqrt(left), slack);
    const f32x8 bound = f32x8_max(own, f32x8_set(g->cluster.bound));
    const looked_up found = {value, f32x8_select(g->unused, far, f32x8_add(value, g->radius)),
                             f32x8_select(g->unused, far, bound)};
    note_nearest(w, g, &found);
    const m32x8 within = f32x8_le(found.bound, f32x8_set(w->limit));
    *rest = f32x8_min(*rest, f32x8_select(within, far, found.bound));
    const unsigned kept = m32x8_bits(within) & ~m32x8_bits(g->unused);
    if (kept != 0 && g->child >= ALG_PST_PACKED_LEAF) {
        keep_points(w, g, &found, kept);
    } else if (kept != 0) {
        keep_clusters(w, g, &found, kept);
    }
}

/* --- Traversal -------------------------------------------------------------------------------- */

/** Pops the top of the stack or, if best_first is set, removes the cluster with the least bound. */
static inline alg_pst_cluster take_next(alg_pst_traversal *w, bool best_first)
{
    const uint32_t last = --w->open_count;
    if (!best_first) {
        return w->open[last];
    }
    uint32_t at = last;
    for (uint32_t i = 0; i < last; i++) {
        at = w->open[i].bound < w->open[at].bound ? i : at;
    }
    const alg_pst_cluster next = w->open[at];
    memmove(w->open + at, w->open + at + 1, (last - at) * sizeof *w->open);
    return next;
}

static inline bool may_go_on(alg_pst_traversal *w)
{
    if (w->budget > 0 && w->spheres + w->points >= w->budget) {
        return false;
    }
    return w->deadline_ns == 0 || w->opened++ % CLOCK_EVERY != 0 || alg_clock_ns() < w->deadline_ns;
}

/**
 * Opens the next clusters, at most `most`. Returns their number, which is 0 at the end of the
 * traversal.
 */
static inline uint32_t open_next(alg_pst_traversal *w, uint32_t most, group groups[BATCH])
{
    const bool limited = w->budget > 0 || w->deadline_ns > 0;
    uint32_t count = 0;
    while (count < most && w->open_count > 0 && w->ended) {
        const alg_pst_cluster next = take_next(w, limited && w->points > 0);
        if (next.bound > w->limit) {
            w->rest = next.bound < w->rest ? next.bound : w->rest;
        } else if (limited && !may_go_on(w)) {
            w->rest = fminf(w->rest, next.bound);
            w->ended = false;
        } else {
            const uint32_t node = next.lane / ALG_PST_WIDTH, lane = next.lane % ALG_PST_WIDTH;
            open_cluster(w, next, w->tree->packed[node].child[lane], &groups[count++]);
        }
    }
    return count;
}

void BASE_ISA(alg_pst_traverse)(alg_pst_traversal *w)
{
    const bool limited = w->budget > 0 || w->deadline_ns > 0;
    group groups[BATCH];
    f32x8 rest = f32x8_set(INFINITY);
    uint32_t count = 1;
    open_cluster(w, (alg_pst_cluster){0, 0}, 0, &groups[0]);
    while (count > 0) {
        for (uint32_t i = 0; i < count; i++) {
            visit(w, &groups[i], &rest);
        }
        if (w->inside) {
            break;
        }
        /* Until the first points give a limit, clusters are opened one at a time. */
        count = open_next(w, limited || w->points == 0 ? 1 : BATCH, groups);
    }
    w->rest = fminf(w->rest, f32x8_least(rest));
}
