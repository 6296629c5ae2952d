/**
 * Tests packets of eight children of both trees, one child per lane.
 *
 * The cells of a packet are its corner plus 0 or 1 along each axis. Loops do not branch on the
 * result of a test of two balls, because it is hard to predict. Instead, the nodes that meet are
 * moved to the front of their register, and all lanes are stored. The next nodes are stored behind
 * those that meet, over the other lanes.
 */
#include "algorithms/imp/expansion.h"
#include "base/simd.h"

#include <string.h>

enum { A, B };

static const int32_t lane_bits[ALG_IMP_LANES] = {1, 2, 4, 8, 16, 32, 64, 128};
/* Cells of the children of a packet relative to its corner; lane_xy has x and y in one word. */
static const int32_t lane_cells[3][ALG_IMP_LANES] = {
    {0, 1, 0, 1, 0, 1, 0, 1},
    {0, 0, 1, 1, 0, 0, 1, 1},
    {0, 0, 0, 0, 1, 1, 1, 1},
};
static const int32_t lane_xy[ALG_IMP_LANES] = {0, 1, 0x10000, 0x10001, 0, 1, 0x10000, 0x10001};

/** Returns a mask of the lanes whose bit is set. */
static inline m32x8 has_bits(uint32_t byte)
{
    const i32x8 lanes = i32x8_load(lane_bits);
    return i32x8_equal(i32x8_and(i32x8_set((int32_t)byte), lanes), lanes);
}

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

/** Returns half the edge of a node, in the units of its body. */
static inline float half_edge(const alg_imp_tree *tree, uint32_t level)
{
    return (float)(1u << (alg_imp_bits(tree->children) * level));
}

static inline void place_node(const alg_imp_view *view, int side, uint32_t level, uint32_t number,
                              const uint32_t cell[3], float at[3], float *radius)
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

/** Loads the ball of each child of a packet. */
static inline void gather_spheres(const alg_imp_tree *tree, uint32_t level, uint32_t first,
                                  uint32_t stored, const uint16_t ranks[ALG_IMP_LANES],
                                  float cube_radius, f32x8 offset[3], f32x8 *radius)
{
    const alg_imp_level *const nodes = &tree->levels[level];
    const bool is_stored = tree->sphere_kind == ALG_IMP_STORED;
    const alg_imp_sphere *const from = is_stored ? nodes->spheres + first : tree->tables[level];
    uint16_t index[ALG_IMP_LANES] = {0};
    for (uint32_t bits = is_stored ? 0 : stored; bits; bits &= bits - 1) {
        const int lane = __builtin_ctz(bits);
        const uint32_t number = first + ranks[lane];
        index[lane] = tree->children == ALG_IMP_8 ? nodes->present[number] : nodes->box[number];
    }
    const m32x8 of = has_bits(stored);
    /* Lanes without a stored child read the first ball, which always exists. Their own index could
     * be beyond the last ball. */
    const i32x8 at = i32x8_left(i32x8_and(i32x8_load_u16(is_stored ? ranks : index), of), 2);
    const f32x8 zero = f32x8_set(0);
    for (int i = 0; i < 3; i++) {
        offset[i] = f32x8_select(of, f32x8_gather(from->offset + i, at), zero);
    }
    *radius = f32x8_select(of, f32x8_gather(&from->radius, at), f32x8_set(cube_radius));
}

/**
 * Computes the balls of a packet whose child 0 has the cell `corner`: their centres and radii in
 * A's units.
 */
static inline void place_packet(const alg_imp_view *view, int side, uint32_t level,
                                const uint32_t corner[3], uint32_t first, uint32_t stored,
                                alg_imp_packet *e)
{
    const alg_imp_tree *const tree = view->trees[side];
    const f32x8 half = f32x8_set(half_edge(tree, level));
    f32x8 own[3], radius = f32x8_set(view->cube_radius[side][level]);
    for (int i = 0; i < 3; i++) {
        const i32x8 odd = i32x8_set((int32_t)(2 * corner[i] + 1)),
                    lanes = i32x8_load(lane_cells[i]);
        own[i] = f32x8_mul(f32x8_of(i32x8_add(odd, i32x8_add(lanes, lanes))), half);
    }
    if (level > 0 && tree->sphere_kind != ALG_IMP_CUBES && stored != 0) {
        f32x8 offset[3];
        gather_spheres(tree, level, first, stored, view->ranks[stored],
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

/* --- Nodes and their children ----------------------------------------------------------------- */

static inline uint32_t count_bits(const alg_imp_view *view, uint32_t byte)
{
    return view->counts[byte];
}

/** Sets the numbers and cells of a packet. The number of its first stored child is `first`. */
static inline void name_packet(const alg_imp_view *view, const uint32_t corner[3], uint32_t first,
                               uint32_t stored, uint32_t full, alg_imp_packet *e)
{
    const m32x8 are_full = has_bits(full);
    const i32x8 ranks = i32x8_load_u16(view->ranks[stored]);
    const i32x8 numbers = i32x8_add(i32x8_set((int32_t)first), ranks);
    const i32x8 xy = i32x8_set((int32_t)(corner[0] | corner[1] << 16));
    /* ALG_IMP_FULL has all bits set. */
    i32x8_store(e->number, m32x8_or(numbers, are_full));
    i32x8_store(e->xy, i32x8_add(xy, i32x8_load(lane_xy)));
    i32x8_store(e->z, i32x8_add(i32x8_set((int32_t)corner[2]), i32x8_load(lane_cells[2])));
}

static inline void make_children(const alg_imp_view *view, int side, uint32_t level,
                                 uint32_t number, const uint32_t cell[3], alg_imp_child_list *list)
{
    const alg_imp_tree *const tree = view->trees[side];
    const alg_imp_level *const nodes = &tree->levels[level];
    const uint32_t mask_bytes = alg_imp_mask_bytes(tree->children),
                   k = alg_imp_bits(tree->children);
    const bool whole = number == ALG_IMP_FULL;
    uint32_t first = whole ? 0 : nodes->first[number];
    list->count = list->children = 0;
    for (uint32_t byte = 0; byte < mask_bytes; byte++) {
        const size_t at = (size_t)number * mask_bytes + byte;
        const uint32_t there = whole ? 0xff : nodes->present[at];
        const uint32_t full = whole ? 0xff : nodes->full ? nodes->full[at] : 0;
        if (there == 0) {
            continue;
        }
        /* Bit j of a packet's x offset is bit 3 j of its index, as for children (tree.h). */
        const uint32_t corner[3] = {
            (cell[0] << k) + 2 * ((byte & 1) | (byte >> 2 & 2)),
            (cell[1] << k) + 2 * ((byte >> 1 & 1) | (byte >> 3 & 2)),
            (cell[2] << k) + 2 * ((byte >> 2 & 1) | (byte >> 4 & 2)),
        };
        alg_imp_packet *const e = &list->packets[list->count];
        name_packet(view, corner, first, there & ~full, full, e);
        place_packet(view, side, level - 1, corner, first, there & ~full, e);
        first += count_bits(view, there & ~full);
        list->children += count_bits(view, there);
        list->there[list->count++] = (uint8_t)there;
    }
}

/** Lists a node that is not opened: the node itself. */
static inline void make_alone(const alg_imp_view *view, int side, uint32_t level, uint32_t number,
                              const uint32_t cell[3], alg_imp_child_list *list)
{
    alg_imp_packet *const e = list->packets;
    float at[3];
    place_node(view, side, level, number, cell, at, &e->radius[0]);
    for (int i = 0; i < 3; i++) {
        e->at[i][0] = at[i];
    }
    e->number[0] = number;
    e->xy[0] = cell[0] | cell[1] << 16;
    e->z[0] = cell[2];
    list->there[0] = 1;
    list->count = list->children = 1;
}

static inline void list_children_of(const alg_imp_view *view, const alg_imp_step *step, int side,
                                    uint32_t number, const uint32_t cell[3],
                                    alg_imp_child_list *list)
{
    if (step->open[side]) {
        make_children(view, side, step->level[side], number, cell, list);
    } else {
        make_alone(view, side, step->level[side], number, cell, list);
    }
}

/* --- Tests ------------------------------------------------------------------------------------ */

/** A ball that other balls are tested against. */
typedef struct ball {
    f32x8 at[3];
    f32x8 radius; /* radius plus margin */
    f32x8 reach2; /* squared reach, for the exact test */
    bool exact;
} ball;

static inline ball make_ball(const alg_imp_expansion *o, float x, float y, float z, float radius,
                             bool exact)
{
    const float reach = o->view->pair->reach;
    return (ball){
        .at = {f32x8_set(x), f32x8_set(y), f32x8_set(z)},
        .radius = f32x8_set(radius + o->step->margin),
        .reach2 = f32x8_set(reach * reach),
        .exact = exact,
    };
}

/**
 * Returns a bit for each of eight balls: 1 if it meets the ball. Squared distances are computed as
 * in alg_imp_distance2.
 */
static inline uint32_t meets(const ball *b, f32x8 x, f32x8 y, f32x8 z, f32x8 radius)
{
    const f32x8 dx = f32x8_sub(x, b->at[0]), dy = f32x8_sub(y, b->at[1]),
                dz = f32x8_sub(z, b->at[2]);
    const f32x8 d2 = f32x8_add(f32x8_add(f32x8_mul(dx, dx), f32x8_mul(dy, dy)), f32x8_mul(dz, dz));
    const f32x8 reach = f32x8_add(radius, b->radius);
    return m32x8_bits(f32x8_le(d2, b->exact ? b->reach2 : f32x8_mul(reach, reach)));
}

/** Returns the bits of the valid lanes if `left` items are left. */
static inline uint32_t lanes_left(uint32_t left)
{
    return left < ALG_IMP_LANES ? (1u << left) - 1 : 0xff;
}

/* --- A's nodes -------------------------------------------------------------------------------- */

/**
 * Returns the children of a node of A, from the cache if an earlier pair of this query has put them
 * there.
 */
static inline const alg_imp_child_list *find_children(const alg_imp_expansion *o, uint32_t number,
                                                      uint32_t xy, uint32_t z)
{
    /* The index is x + 4 y + 16 z, so that the nodes of a block of 4 x 4 x 4 have different
     * indices. */
    const uint32_t index = (xy + (xy >> 14) + (z << 4)) % ALG_IMP_CACHE_SIZE;
    const uint64_t key = xy | (uint64_t)z << 32 | (uint64_t)o->view->query << 48;
    alg_imp_child_list *const list = &o->cache[index];
    if (o->cache_keys[index] != key) {
        const uint32_t cell[3] = {xy & 0xffff, xy >> 16, z};
        list_children_of(o->view, o->step, A, number, cell, list);
        o->cache_keys[index] = key;
    }
    return list;
}

/**
 * Appends the children that meet the ball to the first n nodes of `to`; if sure is true, all
 * children. Returns the new number of nodes.
 */
static inline uint32_t add_children(const alg_imp_view *view, const ball *b,
                                    const alg_imp_child_list *list, bool sure, uint32_t n,
                                    alg_imp_nodes *to)
{
    const uint32_t all = sure ? 0xff : 0, count = list->count;
    const alg_imp_packet *e = list->packets;
    for (uint32_t i = 0; i < count; i++, e++) {
        const f32x8 x = f32x8_load(e->at[0]), y = f32x8_load(e->at[1]), z = f32x8_load(e->at[2]);
        const f32x8 radius = f32x8_load(e->radius);
        const uint32_t bits = list->there[i] & (all | meets(b, x, y, z, radius));
        const i32x8 order = i32x8_load_u16(view->orders[bits]);
        f32x8_store(to->at[0] + n, f32x8_permute(x, order));
        f32x8_store(to->at[1] + n, f32x8_permute(y, order));
        f32x8_store(to->at[2] + n, f32x8_permute(z, order));
        f32x8_store(to->radius + n, f32x8_permute(radius, order));
        i32x8_store(to->number + n, i32x8_permute(i32x8_load(e->number), order));
        i32x8_store(to->xy + n, i32x8_permute(i32x8_load(e->xy), order));
        i32x8_store(to->z + n, i32x8_permute(i32x8_load(e->z), order));
        n += count_bits(view, bits);
    }
    return n;
}

/**
 * Tests the children of the next nodes of A against B's node, until the list of those that meet it
 * has ALG_IMP_NODES_MANY. Members that the loop uses are copied to local variables, since the
 * compiler has to assume that stores to arrays change members.
 */
static inline void take_nodes(alg_imp_expansion *o, bool of_pairs, bool exact)
{
    const alg_imp_step *const step = o->step;
    const alg_imp_view *const view = o->view;
    const ball b = make_ball(o, o->b.at[0], o->b.at[1], o->b.at[2], o->b.radius, exact);
    /* If A's nodes are not opened, they meet the ball, since the pairs do. An only child is passed
     * on without a test, unless this test decides whether a pair is a contact. */
    const bool opens = step->open[A], one_child = view->one_child && (step->open[B] || !step->last);
    const alg_imp_nodes *const from = o->from;
    const alg_imp_hit *const pairs = o->pairs;
    const uint32_t *const indices = o->indices;
    alg_imp_nodes *const to = o->nodes;
    const uint32_t begin = o->next, end = o->count;
    uint32_t next = begin, n = 0, tests = 0;
    while (next < end && n < ALG_IMP_NODES_MANY) {
        const uint32_t i = of_pairs ? next : indices[next];
        const uint16_t *const cell = of_pairs ? pairs[i].cell_a : NULL;
        const alg_imp_child_list *const list =
            of_pairs ? find_children(o, pairs[i].a, cell[0] | (uint32_t)cell[1] << 16, cell[2])
                     : find_children(o, from->number[i], from->xy[i], from->z[i]);
        const bool sure = !opens || (one_child && list->children == 1);
        n = add_children(view, &b, list, sure, n, to);
        tests += sure ? 0 : list->children;
        next++;
    }
    to->count = n;
    o->next = next;
    o->counters[ALG_IMP_COUNT_TESTS] += tests;
    o->counters[ALG_IMP_COUNT_NODES] += next - begin;
}

/**
 * Tests the next nodes of A, and restarts with the first child of B's node. Returns false if no
 * nodes of A are left.
 */
static inline bool take_more(alg_imp_expansion *o)
{
    if (o->next == o->count) {
        return false;
    }
    /* If B's node is not opened, this is the last test of a pair of voxels. */
    const bool exact = o->step->exact && !o->step->open[B];
    if (o->pairs) {
        take_nodes(o, true, exact);
    } else if (exact) {
        take_nodes(o, false, true);
    } else {
        take_nodes(o, false, false);
    }
    o->packet = UINT32_MAX;
    o->bits = 0;
    return true;
}

/* --- B's children ----------------------------------------------------------------------------- */

void BASE_ISA(alg_imp_expansion_begin)(alg_imp_expansion *o, const alg_imp_node_b *b)
{
    const alg_imp_step *const step = o->step;
    const uint32_t cell[3] = {b->cell[0], b->cell[1], b->cell[2]};
    o->b = *b;
    if (!b->known) {
        place_node(o->view, B, step->level[B], b->number, cell, o->b.at, &o->b.radius);
    }
    list_children_of(o->view, step, B, b->number, cell, &o->children_b);
    o->next = 0;
    o->nodes->count = 0;
    o->packet = o->children_b.count - 1;
    o->bits = 0;
}

/** Lists in `near` the nodes that meet the ball around a packet of B's children. */
static inline void find_near(alg_imp_expansion *o, const alg_imp_packet *e)
{
    const alg_imp_view *const view = o->view;
    const alg_imp_nodes *const nodes = o->nodes;
    alg_imp_nodes *const near = o->near;
    const uint32_t level = o->step->level[B] - 1;
    const float half = half_edge(view->trees[B], level);
    const uint32_t cell[3] = {e->xy[0] & 0xffff, e->xy[0] >> 16, e->z[0]};
    float at[3];
    alg_imp_centre_b(view->pair, (float)(2 * cell[0] + 2) * half, (float)(2 * cell[1] + 2) * half,
                     (float)(2 * cell[2] + 2) * half, at);
    const float radius = 2 * view->cube_radius[B][level] * view->pair->ratio;
    const ball b = make_ball(o, at[0], at[1], at[2], radius, false);
    const uint32_t count = nodes->count;
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i += ALG_IMP_LANES) {
        const f32x8 x = f32x8_load(nodes->at[0] + i), y = f32x8_load(nodes->at[1] + i),
                    z = f32x8_load(nodes->at[2] + i), r = f32x8_load(nodes->radius + i);
        const uint32_t bits = lanes_left(count - i) & meets(&b, x, y, z, r);
        const i32x8 order = i32x8_load_u16(view->orders[bits]);
        f32x8_store(near->at[0] + n, f32x8_permute(x, order));
        f32x8_store(near->at[1] + n, f32x8_permute(y, order));
        f32x8_store(near->at[2] + n, f32x8_permute(z, order));
        f32x8_store(near->radius + n, f32x8_permute(r, order));
        i32x8_store(near->number + n, i32x8_add(order, i32x8_set((int32_t)i)));
        n += count_bits(view, bits);
    }
    near->count = n;
    o->counters[ALG_IMP_COUNT_TESTS] += count;
}

/** Moves to the next child of B's node. Returns false if all have been tested. */
static inline bool turn_child(alg_imp_expansion *o, const alg_imp_packet **e, uint32_t *lane)
{
    const alg_imp_child_list *const list = &o->children_b;
    while (o->bits == 0) {
        if (o->nodes->count == 0 || o->packet + 1 == list->count) {
            return false;
        }
        o->bits = list->there[++o->packet];
        if (list->count > 1) {
            find_near(o, &list->packets[o->packet]);
            o->bits = o->near->count > 0 ? o->bits : 0;
        }
    }
    *e = &list->packets[o->packet];
    *lane = (uint32_t)__builtin_ctz(o->bits);
    o->bits &= o->bits - 1;
    return true;
}

/** Finds the nodes that meet a child of B's node, among all nodes or those near its packet. */
static inline void meet_nodes(alg_imp_expansion *o, bool near, bool exact, const alg_imp_packet *e,
                              uint32_t lane)
{
    const alg_imp_view *const view = o->view;
    const alg_imp_step *const step = o->step;
    const alg_imp_nodes *const nodes = near ? o->near : o->nodes;
    const ball b =
        make_ball(o, e->at[0][lane], e->at[1][lane], e->at[2][lane], e->radius[lane], exact);
    /* If B's node is not opened, all nodes in the list meet it. An only child is passed on without
     * a test, unless this test decides whether a pair is a contact. */
    const bool sure =
        !step->open[B] || (view->one_child && o->children_b.children == 1 && !step->last);
    const uint32_t all = sure ? 0xff : 0, count = nodes->count;
    uint32_t *const met = o->met;
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i += ALG_IMP_LANES) {
        const f32x8 x = f32x8_load(nodes->at[0] + i), y = f32x8_load(nodes->at[1] + i),
                    z = f32x8_load(nodes->at[2] + i), r = f32x8_load(nodes->radius + i);
        const uint32_t bits = lanes_left(count - i) & (all | meets(&b, x, y, z, r));
        const i32x8 order = i32x8_load_u16(view->orders[bits]);
        i32x8_store(met + n, near ? i32x8_permute(i32x8_load(nodes->number + i), order)
                                  : i32x8_add(order, i32x8_set((int32_t)i)));
        n += count_bits(view, bits);
    }
    o->met_count = n;
    o->counters[ALG_IMP_COUNT_TESTS] += sure ? 0 : count;
}

/** Copies the number, cell and ball of a child of B's node. */
static inline void name_child(const alg_imp_packet *e, uint32_t lane, alg_imp_node_b *b)
{
    *b = (alg_imp_node_b){
        .number = e->number[lane],
        .cell = {(uint16_t)e->xy[lane], (uint16_t)(e->xy[lane] >> 16), (uint16_t)e->z[lane]},
        .known = true,
        .at = {e->at[0][lane], e->at[1][lane], e->at[2][lane]},
        .radius = e->radius[lane],
    };
}

bool BASE_ISA(alg_imp_expansion_next)(alg_imp_expansion *o)
{
    const bool several = o->children_b.count > 1, exact = o->step->exact;
    const alg_imp_packet *e;
    uint32_t lane;
    for (;;) {
        if (!turn_child(o, &e, &lane)) {
            if (!take_more(o)) {
                return false;
            }
            continue;
        }
        if (exact) {
            meet_nodes(o, several, true, e, lane);
        } else {
            meet_nodes(o, several, false, e, lane);
        }
        if (o->met_count > 0) {
            name_child(e, lane, &o->met_b);
            return true;
        }
    }
}
