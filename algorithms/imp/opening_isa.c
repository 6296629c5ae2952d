/**
 * Octets of both trees, in lanes.
 *
 * An octet's centres are whole numbers: its corner, and 0 or 1 child more. The fan of a node is kept for the next
 * pair with that node, as pairs with one node of B follow each other.
 */
#include "algorithms/imp/opening.h"
#include "base/simd.h"

#include <string.h>

enum { A, B };

/* Places of the children of an octet. */
static const int32_t lane_cells[3][ALG_IMP_LANES] = {
    {0, 1, 0, 1, 0, 1, 0, 1},
    {0, 0, 1, 1, 0, 0, 1, 1},
    {0, 0, 0, 0, 1, 1, 1, 1},
};

/* --- Balls ------------------------------------------------------------------------------------ */

static inline alg_imp_sphere sphere_of(const alg_imp_view *view, int side, uint32_t level,
                                       uint32_t number)
{
    const alg_imp_tree *const tree = view->trees[side];
    const alg_imp_level *const nodes = &tree->levels[level];
    if (level == 0 || number == ALG_IMP_FULL || tree->sphere_kind == ALG_IMP_CUBES) {
        return (alg_imp_sphere){.radius = view->cube_radius[side][level]};
    }
    if (tree->sphere_kind == ALG_IMP_STORED) {
        return nodes->spheres[number];
    }
    return tree
        ->tables[level][tree->children == ALG_IMP_8 ? nodes->present[number] : nodes->box[number]];
}

/** Half the edge of a node, own units. */
static inline float half_edge(const alg_imp_tree *tree, uint32_t level)
{
    return (float)(1u << (alg_imp_bits(tree->children) * level));
}

static inline void place_node(const alg_imp_view *view, int side, uint32_t level, uint32_t number,
                              const uint16_t cell[3], float at[3], float *radius)
{
    const alg_imp_sphere sphere = sphere_of(view, side, level, number);
    const float half = half_edge(view->trees[side], level);
    float own[3];
    for (int i = 0; i < 3; i++) {
        own[i] = (float)(2 * cell[i] + 1) * half + sphere.offset[i];
    }
    *radius = sphere.radius;
    if (side == A) {
        memcpy(at, own, sizeof own);
    } else {
        alg_imp_centre_b(view->pair, own[0], own[1], own[2], at);
        *radius *= view->pair->ratio;
    }
}

/** The ball of each child of an octet. */
static inline void gather_spheres(const alg_imp_tree *tree, uint32_t level, uint32_t first,
                                  uint32_t stored, const uint16_t ranks[ALG_IMP_LANES],
                                  float cube_radius, f32x8 offset[3], f32x8 *radius)
{
    const alg_imp_level *const nodes = &tree->levels[level];
    const bool is_stored = tree->sphere_kind == ALG_IMP_STORED;
    const alg_imp_sphere *const from = is_stored ? nodes->spheres + first : tree->tables[level];
    int32_t place[ALG_IMP_LANES] = {0}, mask[ALG_IMP_LANES] = {0};
    for (uint32_t bits = stored; bits; bits &= bits - 1) {
        const int lane = __builtin_ctz(bits);
        const uint32_t number = first + ranks[lane];
        place[lane] = is_stored                     ? (int32_t)ranks[lane]
                      : tree->children == ALG_IMP_8 ? nodes->present[number]
                                                    : nodes->box[number];
        mask[lane] = -1;
    }
    const i32x8 at = i32x8_left(i32x8_load(place), 2);
    const m32x8 of = i32x8_load(mask);
    const f32x8 zero = f32x8_set(0);
    for (int i = 0; i < 3; i++) {
        offset[i] = f32x8_select(of, f32x8_gather(from->offset + i, at), zero);
    }
    *radius = f32x8_select(of, f32x8_gather(&from->radius, at), f32x8_set(cube_radius));
}

/** Centres and radii of an octet of a level, whose corner and numbers are there. */
static inline void place_eight(const alg_imp_view *view, int side, uint32_t level, alg_imp_eight *e)
{
    const alg_imp_tree *const tree = view->trees[side];
    const f32x8 half = f32x8_set(half_edge(tree, level));
    f32x8 own[3], radius = f32x8_set(view->cube_radius[side][level]);
    for (int i = 0; i < 3; i++) {
        const i32x8 cell = i32x8_add(i32x8_set(e->corner[i]), i32x8_load(lane_cells[i]));
        own[i] = f32x8_mul(f32x8_of(i32x8_add(i32x8_add(cell, cell), i32x8_set(1))), half);
    }
    if (level > 0 && tree->sphere_kind != ALG_IMP_CUBES && e->stored != 0) {
        f32x8 offset[3];
        gather_spheres(tree, level, e->first, e->stored, view->ranks[e->stored],
                       view->cube_radius[side][level], offset, &radius);
        for (int i = 0; i < 3; i++) {
            own[i] = f32x8_add(own[i], offset[i]);
        }
    }
    if (side == B) {
        const alg_imp_pair *const pair = view->pair;
        f32x8 moved[3];
        for (int i = 0; i < 3; i++) {
            const f32x8 x = f32x8_mul(own[0], f32x8_set(pair->axes[0][i]));
            const f32x8 y = f32x8_mul(own[1], f32x8_set(pair->axes[1][i]));
            const f32x8 z = f32x8_mul(own[2], f32x8_set(pair->axes[2][i]));
            moved[i] = f32x8_add(f32x8_add(f32x8_add(x, y), z), f32x8_set(pair->origin[i]));
        }
        memcpy(own, moved, sizeof own);
        radius = f32x8_mul(radius, f32x8_set(pair->ratio));
    }
    for (int i = 0; i < 3; i++) {
        f32x8_store(e->at[i], own[i]);
    }
    f32x8_store(e->radius, radius);
}

/* --- Fans ------------------------------------------------------------------------------------- */

static inline uint32_t count_bits(const alg_imp_view *view, uint32_t byte)
{
    return view->ranks[byte][ALG_IMP_LANES - 1] + (byte >> (ALG_IMP_LANES - 1));
}

/** A node that stays. */
static inline void make_alone(alg_imp_fan *fan, uint32_t number, const uint16_t cell[3])
{
    alg_imp_eight *const e = fan->eights;
    for (int i = 0; i < 3; i++) {
        e->at[i][0] = fan->at[i];
        e->corner[i] = cell[i];
    }
    e->radius[0] = fan->radius;
    e->first = number;
    e->stored = number != ALG_IMP_FULL;
    fan->there[0] = 1;
    fan->count = fan->children = 1;
}

static inline void make_children(const alg_imp_view *view, int side, uint32_t level,
                                 uint32_t number, const uint16_t cell[3], alg_imp_fan *fan)
{
    const alg_imp_tree *const tree = view->trees[side];
    const alg_imp_level *const nodes = &tree->levels[level];
    const uint32_t octets = alg_imp_octets(tree->children), k = alg_imp_bits(tree->children);
    const bool whole = number == ALG_IMP_FULL;
    uint32_t next = whole ? 0 : nodes->first[number];
    fan->count = fan->children = 0;
    for (uint32_t octet = 0; octet < octets; octet++) {
        const size_t at = (size_t)number * octets + octet;
        const uint8_t there = whole ? 0xff : nodes->present[at];
        const uint8_t full = whole ? 0xff : nodes->full ? nodes->full[at] : 0;
        if (there == 0) {
            continue;
        }
        alg_imp_eight *const e = &fan->eights[fan->count];
        /* Bits 3 j of an octet's number are bits j of its place along x, as of children. */
        const uint32_t x = (octet & 1) | (octet >> 2 & 2), y = (octet >> 1 & 1) | (octet >> 3 & 2),
                       z = (octet >> 2 & 1) | (octet >> 4 & 2);
        e->corner[0] = (uint16_t)((cell[0] << k) + 2 * x);
        e->corner[1] = (uint16_t)((cell[1] << k) + 2 * y);
        e->corner[2] = (uint16_t)((cell[2] << k) + 2 * z);
        e->stored = there & (uint8_t)~full;
        e->first = next;
        next += count_bits(view, e->stored);
        place_eight(view, side, level - 1, e);
        fan->children += count_bits(view, there);
        fan->there[fan->count++] = there;
    }
}

/** The fan of a node, which may be known from a pair before. */
static inline const alg_imp_fan *find_fan(const alg_imp_opening *o, int side, uint32_t number,
                                          const uint16_t cell[3])
{
    const alg_imp_step *const step = o->step;
    const uint32_t bits = o->kept_bits[side], mask = (1u << bits) - 1;
    const uint64_t key = cell[0] | (uint64_t)cell[1] << 16 | (uint64_t)cell[2] << 32;
    alg_imp_fan *const fan =
        &o->kept[side][(cell[0] & mask) | (cell[1] & mask) << bits | (cell[2] & mask) << 2 * bits];
    if (fan->key == key) {
        return fan;
    }
    fan->key = key;
    place_node(o->view, side, step->level[side], number, cell, fan->at, &fan->radius);
    if (step->open[side]) {
        make_children(o->view, side, step->level[side], number, cell, fan);
    } else {
        make_alone(fan, number, cell);
    }
    return fan;
}

/* --- Tests ------------------------------------------------------------------------------------ */

/** Squared distances, as alg_imp_distance2 has them. */
static inline f32x8 distances2(const alg_imp_eight *e, f32x8 x, f32x8 y, f32x8 z)
{
    const f32x8 dx = f32x8_sub(f32x8_load(e->at[0]), x);
    const f32x8 dy = f32x8_sub(f32x8_load(e->at[1]), y);
    const f32x8 dz = f32x8_sub(f32x8_load(e->at[2]), z);
    return f32x8_add(f32x8_add(f32x8_mul(dx, dx), f32x8_mul(dy, dy)), f32x8_mul(dz, dz));
}

static inline uint32_t meets(f32x8 distance2, const alg_imp_eight *e, f32x8 radius)
{
    const f32x8 reach = f32x8_add(f32x8_load(e->radius), radius);
    return m32x8_bits(f32x8_le(distance2, f32x8_mul(reach, reach)));
}

/** Leaves of a fan what the ball of the other node meets. Returns whether there is anything. */
static inline bool filter(alg_imp_opening *o, int side)
{
    const alg_imp_fan *const fan = o->fans[side], *const node = o->fans[1 - side];
    const f32x8 x = f32x8_set(node->at[0]), y = f32x8_set(node->at[1]), z = f32x8_set(node->at[2]);
    const f32x8 radius = f32x8_set(node->radius + o->step->margin);
    uint32_t any = 0;
    for (uint32_t i = 0; i < fan->count; i++) {
        const alg_imp_eight *const e = &fan->eights[i];
        const uint32_t left = fan->there[i] & meets(distances2(e, x, y, z), e, radius);
        o->left[side][i] = (uint8_t)left;
        any |= left;
    }
    o->counters[ALG_IMP_COUNT_TESTS] += fan->children;
    return any != 0;
}

void BASE_ISA(alg_imp_opening_begin)(alg_imp_opening *o, const alg_imp_hit *pair)
{
    const alg_imp_step *const step = o->step;
    const alg_imp_fan *const a = find_fan(o, A, pair->a, pair->cell_a);
    const alg_imp_fan *const b = find_fan(o, B, pair->b, pair->cell_b);
    const bool both = step->open[A] && step->open[B], one_child = o->view->one_child;
    const bool only_a = one_child && step->open[A] && a->children == 1;
    const bool only_b = one_child && step->open[B] && b->children == 1;
    o->fans[A] = a;
    o->fans[B] = b;
    o->counters[ALG_IMP_COUNT_NODES]++;
    o->single = step->open[A] ? B : A;
    o->cross = step->last || !(only_a || only_b);
    o->eight = UINT32_MAX;
    o->bits = 0;
    o->done = false;
    if (!both || only_a) {
        memcpy(o->left[A], a->there, a->count);
    } else {
        o->done = !filter(o, A);
    }
    if (!both || only_b) {
        memcpy(o->left[B], b->there, b->count);
    } else if (!o->done) {
        o->done = !filter(o, B);
    }
}

static inline uint32_t number_of(const alg_imp_view *view, const alg_imp_eight *e, uint32_t lane)
{
    return e->stored >> lane & 1 ? e->first + view->ranks[e->stored][lane] : ALG_IMP_FULL;
}

static inline void cell_of(const alg_imp_eight *e, uint32_t lane, uint16_t cell[3])
{
    cell[0] = (uint16_t)(e->corner[0] + (lane & 1));
    cell[1] = (uint16_t)(e->corner[1] + (lane >> 1 & 1));
    cell[2] = (uint16_t)(e->corner[2] + (lane >> 2));
}

/** Writes the pairs of child `lane` of e, and those of `bits` in f. */
static inline uint32_t write_pairs(const alg_imp_view *view, int single, const alg_imp_eight *e,
                                   uint32_t lane, const alg_imp_eight *f, uint32_t bits,
                                   alg_imp_hit *hits)
{
    const uint32_t number = number_of(view, e, lane);
    uint32_t n = 0;
    for (; bits; bits &= bits - 1) {
        const uint32_t other = (uint32_t)__builtin_ctz(bits);
        alg_imp_hit *const hit = &hits[n++];
        hit->a = single == A ? number : number_of(view, f, other);
        hit->b = single == A ? number_of(view, f, other) : number;
        cell_of(single == A ? e : f, single == A ? lane : other, hit->cell_a);
        cell_of(single == A ? f : e, single == A ? other : lane, hit->cell_b);
    }
    return n;
}

/** A child of the fan `single`, against all of the other one. */
static inline uint32_t meet_all(alg_imp_opening *o, int single, uint32_t lane, alg_imp_hit *hits)
{
    const alg_imp_eight *const e = &o->fans[single]->eights[o->eight];
    const alg_imp_fan *const others = o->fans[1 - single];
    const f32x8 x = f32x8_set(e->at[0][lane]), y = f32x8_set(e->at[1][lane]),
                z = f32x8_set(e->at[2][lane]);
    const f32x8 radius = f32x8_set(e->radius[lane] + o->step->margin);
    const float reach = o->view->pair->reach;
    const f32x8 reach2 = f32x8_set(reach * reach);
    uint32_t n = 0, tests = 0;
    for (uint32_t i = 0; i < others->count; i++) {
        const alg_imp_eight *const f = &others->eights[i];
        uint32_t bits = o->left[1 - single][i];
        if (bits == 0) {
            continue;
        }
        if (o->cross) {
            const f32x8 d2 = distances2(f, x, y, z);
            tests += count_bits(o->view, bits);
            bits &= o->step->exact ? m32x8_bits(f32x8_le(d2, reach2)) : meets(d2, f, radius);
        }
        n += write_pairs(o->view, single, e, lane, f, bits, hits + n);
    }
    o->counters[ALG_IMP_COUNT_TESTS] += tests;
    return n;
}

static inline uint32_t go_on(alg_imp_opening *o, int single, alg_imp_hit *hits, uint32_t room)
{
    const alg_imp_fan *const fan = o->fans[single];
    const uint32_t needed = alg_imp_opening_room(o);
    uint32_t n = 0;
    while (!o->done && room - n >= needed) {
        if (o->bits == 0) {
            o->done = ++o->eight == fan->count;
            o->bits = o->done ? 0 : o->left[single][o->eight];
        } else {
            n += meet_all(o, single, (uint32_t)__builtin_ctz(o->bits), hits + n);
            o->bits &= o->bits - 1;
        }
    }
    return n;
}

uint32_t BASE_ISA(alg_imp_opening_go)(alg_imp_opening *o, alg_imp_hit *hits, uint32_t room)
{
    return o->single == B ? go_on(o, B, hits, room) : go_on(o, A, hits, room);
}
