/**
 * Spheres and points into a field, eight at a time.
 *
 * What is found of a point depends on the point and the pose alone, whatever is looked up beside it,
 * so that a walk of the tree finds of the points that it visits what a walk of all points does.
 */
#include "algorithms/pst/field_lanes.h"
#include "algorithms/pst/penetration.h"
#include "base/simd.h"

/** Eight places in the field's frame, less its corner. */
typedef struct places {
    f32x8 x, y, z;
} places;

static inline f32x8 turn(const geo_motion *m, int axis, f32x8 x, f32x8 y, f32x8 z)
{
    const f32x8 a = f32x8_mul(f32x8_set(m->column[0][axis]), x);
    const f32x8 b = f32x8_mul(f32x8_set(m->column[1][axis]), y);
    const f32x8 c = f32x8_mul(f32x8_set(m->column[2][axis]), z);
    return f32x8_add(f32x8_add(f32x8_add(a, b), c), f32x8_set(m->t[axis]));
}

static inline places place(const geo_motion *m, const float *xs, const float *ys, const float *zs)
{
    const f32x8 x = f32x8_load(xs), y = f32x8_load(ys), z = f32x8_load(zs);
    return (places){turn(m, 0, x, y, z), turn(m, 1, x, y, z), turn(m, 2, x, y, z)};
}

/** The field's values at eight places. */
static inline f32x8 look_up(const alg_pst_queue *q, places p, f32x8 *below)
{
    const f32x8 at[3] = {p.x, p.y, p.z};
    const alg_pst_places found = alg_pst_find_places(q->field, at);
    return alg_pst_read_bricks(q->field, &found, below);
}

/* --- Points --------------------------------------------------------------------------------------- */

/** Which of eight places are in a surface voxel or an inner one? */
static inline unsigned find_voxels(const alg_pst_queue *q, places p, unsigned asked)
{
    const alg_voxel_map *const map = q->map;
    const f32x8 per = f32x8_set(q->per_voxel);
    const f32x8 at[3] = {f32x8_mul(f32x8_sub(p.x, f32x8_set(q->voxel_corner[0])), per),
                         f32x8_mul(f32x8_sub(p.y, f32x8_set(q->voxel_corner[1])), per),
                         f32x8_mul(f32x8_sub(p.z, f32x8_set(q->voxel_corner[2])), per)};
    float t[3][ALG_PST_WIDTH];
    unsigned bits = asked;
    for (int axis = 0; axis < 3; axis++) {
        bits &= m32x8_bits(m32x8_and(f32x8_le(f32x8_set(0), at[axis]),
                                     f32x8_lt(at[axis], f32x8_set((float)map->grid.size[axis]))));
        f32x8_store(t[axis], at[axis]);
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

/** Which of eight points may push? asked: a bit for each. */
static inline unsigned find_hits(const alg_pst_queue *q, places p, unsigned asked)
{
    if (q->map) {
        return find_voxels(q, p, asked);
    }
    f32x8 below;
    const f32x8 value = look_up(q, p, &below);
    return m32x8_bits(f32x8_lt(value, f32x8_set(0))) & asked;
}

/** Notes hits among eight points from `first` on. */
static inline void note_hits(alg_pst_queue *q, uint32_t first, unsigned found)
{
    const uint32_t word = first / 64, shift = first % 64;
    const uint64_t over = shift > 0 ? (uint64_t)found >> (64 - shift) : 0;
    q->hits[word] |= (uint64_t)found << shift;
    q->hit_begin = word < q->hit_begin ? word : q->hit_begin;
    q->hit_end = word + 1 > q->hit_end ? word + 1 : q->hit_end;
    if (over != 0) {
        q->hits[word + 1] |= over;
        q->hit_end = word + 2 > q->hit_end ? word + 2 : q->hit_end;
    }
}

static inline void look_up_points(alg_pst_queue *q, uint32_t first, uint32_t count)
{
    const alg_pst_tree *const tree = q->tree;
    for (uint32_t i = 0; i < count; i += ALG_PST_WIDTH) {
        const uint32_t at = first + i, left = count - i;
        const unsigned asked = left < ALG_PST_WIDTH ? (1u << left) - 1 : 0xffu;
        const places p = place(&q->motion, tree->x + at, tree->y + at, tree->z + at);
        const unsigned found = find_hits(q, p, asked);
        if (found != 0) {
            note_hits(q, at, found);
        }
    }
    q->points += count;
}

/** The first points of up to eight clusters. */
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
    const unsigned found = find_hits(q, place(&q->motion, x, y, z), asked);
    for (unsigned left = found; left != 0; left &= left - 1) {
        note_hits(q, node->first[__builtin_ctz(left)], 1);
    }
    q->points += (uint64_t)__builtin_popcount(asked);
}

/* --- Clusters ------------------------------------------------------------------------------------- */

static inline uint32_t count_children(const alg_pst_node *node)
{
    const m32x8 there = f32x8_le(f32x8_set(0), f32x8_load(node->radius));
    return (uint32_t)__builtin_popcount(m32x8_bits(there));
}

static inline void open_node(alg_pst_queue *q, const alg_pst_item *parent, uint32_t children)
{
    const alg_pst_node *const node = &q->tree->nodes[parent->child];
    const places p = place(&q->motion, node->centre[0], node->centre[1], node->centre[2]);
    f32x8 below;
    const f32x8 value = look_up(q, p, &below);
    const f32x8 around = f32x8_add(f32x8_load(node->radius), f32x8_set(q->margin));
    const f32x8 bound = f32x8_sub(f32x8_sub(value, below), around);
    const unsigned near = m32x8_bits(f32x8_le(bound, f32x8_set(q->reach)));
    float bounds[ALG_PST_WIDTH];
    f32x8_store(bounds, bound);
    q->spheres += children;
    unsigned fresh = near;
    for (unsigned left = near; left != 0; left &= left - 1) {
        const int i = __builtin_ctz(left);
        q->items[q->tail++] =
            (alg_pst_item){node->first[i], node->count[i], node->child[i], bounds[i]};
        fresh &= ~((unsigned)(node->first[i] == parent->first) << i);
    }
    if (q->representatives && fresh != 0) {
        look_up_representatives(q, node, fresh);
    }
}

/** The next one is a leaf: looks up its points, and those of leaves that go on where it ends. */
static inline void open_leaf(alg_pst_queue *q)
{
    const alg_pst_item leaf = q->items[q->head++];
    uint32_t count = leaf.count;
    if (q->representatives) {
        look_up_points(q, leaf.first + 1, count - 1);
        return;
    }
    while (q->head < q->tail && q->items[q->head].child == ALG_PST_LEAF &&
           q->items[q->head].first == leaf.first + count) {
        count += q->items[q->head++].count;
    }
    look_up_points(q, leaf.first, count);
}

/** How many lookups the next one may take. */
static inline uint64_t cost_of(const alg_pst_queue *q, const alg_pst_item *next, uint32_t children)
{
    const bool leaf = next->child == ALG_PST_LEAF;
    return leaf ? next->count - q->representatives : (uint64_t)children << q->representatives;
}

void BASE_ISA(alg_pst_walk_tree)(alg_pst_queue *queue)
{
    while (queue->head < queue->tail && !(queue->once && queue->hit_begin < queue->hit_end)) {
        const alg_pst_item *const next = &queue->items[queue->head];
        const bool leaf = next->child == ALG_PST_LEAF;
        const uint32_t children = leaf ? 0 : count_children(&queue->tree->nodes[next->child]);
        if (cost_of(queue, next, children) > queue->most - queue->spheres - queue->points) {
            return;
        }
        if (leaf) {
            open_leaf(queue);
        } else {
            queue->head++;
            open_node(queue, next, children);
        }
    }
}

void BASE_ISA(alg_pst_walk_points)(alg_pst_queue *queue, uint32_t first, uint32_t count)
{
    look_up_points(queue, first, count);
}
