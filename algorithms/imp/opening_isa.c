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

static const int32_t lane_bits[ALG_IMP_LANES] = {1, 2, 4, 8, 16, 32, 64, 128};
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

/** Centres and radii of an octet of a level, whose numbers and cells are there. */
static inline void place_eight(const alg_imp_view *view, int side, uint32_t level, uint32_t stored,
                               alg_imp_eight *e)
{
    const alg_imp_tree *const tree = view->trees[side];
    const f32x8 half = f32x8_set(half_edge(tree, level));
    f32x8 own[3], radius = f32x8_set(view->cube_radius[side][level]);
    for (int i = 0; i < 3; i++) {
        const i32x8 cell = i32x8_load(e->cell[i]);
        own[i] = f32x8_mul(f32x8_of(i32x8_add(i32x8_add(cell, cell), i32x8_set(1))), half);
    }
    if (level > 0 && tree->sphere_kind != ALG_IMP_CUBES) {
        float offset[3][ALG_IMP_LANES] = {{0}}, radii[ALG_IMP_LANES];
        f32x8_store(radii, radius);
        for (uint32_t bits = stored; bits; bits &= bits - 1) {
            const int lane = __builtin_ctz(bits);
            const alg_imp_sphere sphere = sphere_of(view, side, level, e->number[lane]);
            for (int i = 0; i < 3; i++) {
                offset[i][lane] = sphere.offset[i];
            }
            radii[lane] = sphere.radius;
        }
        radius = f32x8_load(radii);
        for (int i = 0; i < 3; i++) {
            own[i] = f32x8_add(own[i], f32x8_load(offset[i]));
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
        e->cell[i][0] = cell[i];
    }
    e->radius[0] = fan->radius;
    e->number[0] = number;
    fan->there[0] = 1;
    fan->count = fan->children = 1;
}

/** An octet of a node; *next is the number of the first child that is stored, and of the next octet's then. */
static inline void make_eight(const alg_imp_view *view, int side, uint32_t level,
                              const uint16_t cell[3], uint32_t octet, uint32_t full,
                              uint32_t stored, uint32_t *next, alg_imp_eight *e)
{
    const uint32_t bits = alg_imp_bits(view->trees[side]->children);
    /* Bits 3 j of an octet's number are bits j of its place along x, as of children. */
    const uint32_t place[3] = {(octet & 1) | (octet >> 2 & 2), (octet >> 1 & 1) | (octet >> 3 & 2),
                               (octet >> 2 & 1) | (octet >> 4 & 2)};
    for (int i = 0; i < 3; i++) {
        const i32x8 corner = i32x8_set((int32_t)(((uint32_t)cell[i] << bits) + 2 * place[i]));
        i32x8_store(e->cell[i], i32x8_add(corner, i32x8_load(lane_cells[i])));
    }
    const i32x8 lanes = i32x8_load(lane_bits);
    const m32x8 are_full = i32x8_equal(i32x8_and(i32x8_set((int32_t)full), lanes), lanes);
    const i32x8 numbers = i32x8_add(i32x8_set((int32_t)*next), i32x8_load_u16(view->ranks[stored]));
    /* ALG_IMP_FULL has all bits. */
    i32x8_store(e->number, m32x8_or(numbers, are_full));
    *next += count_bits(view, stored);
    place_eight(view, side, level, stored, e);
}

static inline void make_children(const alg_imp_view *view, int side, uint32_t level,
                                 uint32_t number, const uint16_t cell[3], alg_imp_fan *fan)
{
    const alg_imp_tree *const tree = view->trees[side];
    const alg_imp_level *const nodes = &tree->levels[level];
    const uint32_t octets = alg_imp_octets(tree->children);
    const bool whole = number == ALG_IMP_FULL;
    uint32_t next = whole ? 0 : nodes->first[number];
    fan->count = fan->children = 0;
    for (uint32_t octet = 0; octet < octets; octet++) {
        const size_t at = (size_t)number * octets + octet;
        const uint8_t there = whole ? 0xff : nodes->present[at];
        if (there) {
            const uint8_t full = whole ? 0xff : nodes->full ? nodes->full[at] : 0;
            make_eight(view, side, level - 1, cell, octet, full, there & (uint8_t)~full, &next,
                       &fan->eights[fan->count]);
            fan->there[fan->count++] = there;
            fan->children += count_bits(view, there);
        }
    }
}

static inline void make_fan(const alg_imp_opening *o, int side, uint32_t number,
                            const uint16_t cell[3], alg_imp_fan *fan)
{
    const alg_imp_step *const step = o->step;
    if (fan->made && memcmp(fan->cell, cell, sizeof fan->cell) == 0) {
        return;
    }
    fan->made = true;
    memcpy(fan->cell, cell, sizeof fan->cell);
    place_node(o->view, side, step->level[side], number, cell, fan->at, &fan->radius);
    if (step->open[side]) {
        make_children(o->view, side, step->level[side], number, cell, fan);
    } else {
        make_alone(fan, number, cell);
    }
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
static inline bool filter(alg_imp_opening *o, alg_imp_fan *fan, const alg_imp_fan *node)
{
    const f32x8 x = f32x8_set(node->at[0]), y = f32x8_set(node->at[1]), z = f32x8_set(node->at[2]);
    const f32x8 radius = f32x8_set(node->radius + o->step->margin);
    uint32_t any = 0;
    for (uint32_t i = 0; i < fan->count; i++) {
        const alg_imp_eight *const e = &fan->eights[i];
        fan->left[i] = fan->there[i] & (uint8_t)meets(distances2(e, x, y, z), e, radius);
        any |= fan->left[i];
    }
    o->counters[ALG_IMP_COUNT_TESTS] += fan->children;
    return any != 0;
}

static inline void leave_all(alg_imp_fan *fan)
{
    memcpy(fan->left, fan->there, fan->count);
}

void BASE_ISA(alg_imp_opening_begin)(alg_imp_opening *o, const alg_imp_hit *pair)
{
    const alg_imp_step *const step = o->step;
    const bool both = step->open[A] && step->open[B];
    alg_imp_fan *const a = &o->fans[A], *const b = &o->fans[B];
    make_fan(o, A, pair->a, pair->cell_a, a);
    make_fan(o, B, pair->b, pair->cell_b, b);
    const bool only[2] = {o->view->one_child && step->open[A] && a->children == 1,
                          o->view->one_child && step->open[B] && b->children == 1};
    o->counters[ALG_IMP_COUNT_NODES]++;
    o->single = step->open[A] ? B : A;
    o->cross = step->last || !(only[A] || only[B]);
    o->eight = UINT32_MAX;
    o->bits = 0;
    o->done = false;
    if (!both || only[A]) {
        leave_all(a);
    } else {
        o->done = !filter(o, a, b);
    }
    if (!both || only[B]) {
        leave_all(b);
    } else if (!o->done) {
        o->done = !filter(o, b, a);
    }
}

/** Writes the pairs of child `lane` of e, and those of `bits` in f. */
static inline uint32_t write_pairs(int single, const alg_imp_eight *e, int lane,
                                   const alg_imp_eight *f, uint32_t bits, alg_imp_hit *hits)
{
    const alg_imp_eight *const a = single == A ? e : f, *const b = single == A ? f : e;
    uint32_t n = 0;
    for (; bits; bits &= bits - 1) {
        const int other = __builtin_ctz(bits);
        const int i = single == A ? lane : other, j = single == A ? other : lane;
        hits[n++] = (alg_imp_hit){
            .a = a->number[i],
            .b = b->number[j],
            .cell_a = {(uint16_t)a->cell[0][i], (uint16_t)a->cell[1][i], (uint16_t)a->cell[2][i]},
            .cell_b = {(uint16_t)b->cell[0][j], (uint16_t)b->cell[1][j], (uint16_t)b->cell[2][j]},
        };
    }
    return n;
}

/** A child of the fan `single`, against all of the other one. */
static inline uint32_t meet_all(alg_imp_opening *o, int single, int lane, alg_imp_hit *hits)
{
    const alg_imp_eight *const e = &o->fans[single].eights[o->eight];
    const alg_imp_fan *const others = &o->fans[1 - single];
    const f32x8 x = f32x8_set(e->at[0][lane]), y = f32x8_set(e->at[1][lane]),
                z = f32x8_set(e->at[2][lane]);
    const f32x8 radius = f32x8_set(e->radius[lane] + o->step->margin);
    const float reach = o->view->pair->reach;
    const f32x8 reach2 = f32x8_set(reach * reach);
    uint32_t n = 0, tests = 0;
    for (uint32_t i = 0; i < others->count; i++) {
        const alg_imp_eight *const f = &others->eights[i];
        uint32_t bits = others->left[i];
        if (bits == 0) {
            continue;
        }
        if (o->cross) {
            const f32x8 d2 = distances2(f, x, y, z);
            tests += count_bits(o->view, bits);
            bits &= o->step->exact ? m32x8_bits(f32x8_le(d2, reach2)) : meets(d2, f, radius);
        }
        n += write_pairs(single, e, lane, f, bits, hits + n);
    }
    o->counters[ALG_IMP_COUNT_TESTS] += tests;
    return n;
}

static inline uint32_t go_on(alg_imp_opening *o, int single, alg_imp_hit *hits, uint32_t room)
{
    const alg_imp_fan *const fan = &o->fans[single];
    const uint32_t needed = alg_imp_opening_room(o);
    uint32_t n = 0;
    while (!o->done && room - n >= needed) {
        if (o->bits == 0) {
            o->done = ++o->eight == fan->count;
            o->bits = o->done ? 0 : fan->left[o->eight];
        } else {
            n += meet_all(o, single, __builtin_ctz(o->bits), hits + n);
            o->bits &= o->bits - 1;
        }
    }
    return n;
}

uint32_t BASE_ISA(alg_imp_opening_go)(alg_imp_opening *o, alg_imp_hit *hits, uint32_t room)
{
    return o->single == B ? go_on(o, B, hits, room) : go_on(o, A, hits, room);
}
