/**
 * First, two bits are computed for each node, from the voxels upwards: the node has voxels, and the
 * node is full. Then the stored nodes are listed from the root downwards, level by level. Each
 * level is in Morton order without sorting, since the children of a sorted list are sorted.
 */
#include "algorithms/imp/tree.h"

#include "algorithms/imp/spheres.h"
#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

/* --- Bits of nodes ---------------------------------------------------------------------------- */

enum { ROWS_CHUNK = 64, WORDS_CHUNK = 1 << 14 };

/**
 * Two bits for each node of each level, computed from the voxels upwards. There are no voxels
 * beyond the grid, so a node that reaches out of it is not full. The cost is O(words of the grid).
 */
typedef struct pyramid {
    uint32_t bits; /* k: a node has 2^k children along an edge */
    uint32_t root_level;
    alg_voxel_bits some[ALG_IMP_LEVELS_MAX + 1]; /* [l]: nodes of level l that have voxels;
                                                    owned, but [0] only if `joined` */
    alg_voxel_bits all[ALG_IMP_LEVELS_MAX + 1];  /* [l]: full nodes of level l; words are NULL if
                                                    there are no full voxels; owned, except [0] */
    bool joined; /* true: some[0] is owned; false: it is the caller's surface voxels */
} pyramid;

/** Returns every second bit, from bit 0 on, packed into the lower half. */
static uint64_t even_bits(uint64_t word)
{
    word &= 0x5555555555555555u;
    word = (word | word >> 1) & 0x3333333333333333u;
    word = (word | word >> 2) & 0x0f0f0f0f0f0f0f0fu;
    word = (word | word >> 4) & 0x00ff00ff00ff00ffu;
    word = (word | word >> 8) & 0x0000ffff0000ffffu;
    return (word | word >> 16) & 0x00000000ffffffffu;
}

/** The reduction of one level to the next one above. */
typedef struct reduction {
    const alg_voxel_bits *below;
    alg_voxel_bits *above;
    uint32_t bits;
    bool all; /* true: a bit is set if all bits below are set; false: if any is set */
} reduction;

/**
 * Combines word `word` of all rows of the level below that lie in row (y, z) of the level above. In
 * the result, the bits along x are still those of the level below.
 */
static uint64_t join_rows(const reduction *r, uint32_t y, uint32_t z, size_t word)
{
    const uint32_t edge = 1u << r->bits, *const size = r->below->size;
    uint64_t joined = r->all ? UINT64_MAX : 0;
    for (uint32_t k = 0; k < edge; k++) {
        for (uint32_t j = 0; j < edge; j++) {
            const uint32_t row_y = y * edge + j, row_z = z * edge + k;
            const bool inside = row_y < size[1] && row_z < size[2];
            const uint64_t row = inside ? alg_voxel_bits_row(r->below, row_y, row_z)[word] : 0;
            joined = r->all ? joined & row : joined | row;
        }
    }
    return joined;
}

static void reduce_rows(void *context, size_t begin, size_t end)
{
    const reduction *const r = context;
    const uint32_t count = r->above->size[1];
    const uint32_t parts = 1u << r->bits; /* number of words of the level below in one word above */
    for (size_t i = begin; i < end; i++) {
        const uint32_t y = (uint32_t)(i % count), z = (uint32_t)(i / count);
        uint64_t *const row = alg_voxel_bits_row(r->above, y, z);
        for (size_t w = 0; w < r->below->row_words; w++) {
            uint64_t word = join_rows(r, y, z, w);
            for (uint32_t halving = 0; halving < r->bits; halving++) {
                word = even_bits(r->all ? word & word >> 1 : word | word >> 1);
            }
            row[w / parts] |= word << w % parts * (64 / parts);
        }
    }
}

static base_status reduce(const alg_voxel_bits *below, uint32_t bits, bool all, unsigned threads,
                          alg_voxel_bits *above, base_error *err)
{
    uint32_t size[3];
    for (int axis = 0; axis < 3; axis++) {
        size[axis] = (below->size[axis] + (1u << bits) - 1) >> bits;
    }
    const base_status status = alg_voxel_bits_create(size, above, err);
    if (status == BASE_OK) {
        reduction r = {below, above, bits, all};
        base_parallel_for((size_t)size[1] * size[2], ROWS_CHUNK, threads, reduce_rows, &r);
    }
    return status;
}

typedef struct joining {
    const uint64_t *a, *b;
    uint64_t *joined;
} joining;

static void join_words(void *context, size_t begin, size_t end)
{
    const joining *const j = context;
    for (size_t w = begin; w < end; w++) {
        j->joined[w] = j->a[w] | j->b[w];
    }
}

static base_status join_voxels(const alg_voxel_bits *surface, const alg_voxel_bits *full,
                               unsigned threads, pyramid *p, base_error *err)
{
    p->some[0] = *surface;
    if (!full) {
        return BASE_OK;
    }
    p->all[0] = *full;
    p->joined = true;
    const base_status status = alg_voxel_bits_create(surface->size, &p->some[0], err);
    if (status == BASE_OK) {
        joining j = {surface->words, full->words, p->some[0].words};
        base_parallel_for(alg_voxel_bits_words(surface), WORDS_CHUNK, threads, join_words, &j);
    }
    return status;
}

static base_status pyramid_build(const alg_voxel_bits *surface, const alg_voxel_bits *full,
                                 const alg_imp_tree_options *options, pyramid *p, base_error *err)
{
    const uint32_t bits = alg_imp_bits(options->children);
    /* The root is the smallest cube that holds the grid and is larger than a voxel. */
    *p = (pyramid){.bits = bits, .root_level = 1};
    for (int axis = 0; axis < 3; axis++) {
        while ((uint64_t)1 << p->root_level * bits < surface->size[axis]) {
            p->root_level++;
        }
    }
    base_assert(p->root_level <= ALG_IMP_LEVELS_MAX);
    base_status status = join_voxels(surface, full, options->threads, p, err);
    for (uint32_t l = 1; l <= p->root_level && status == BASE_OK; l++) {
        status = reduce(&p->some[l - 1], bits, false, options->threads, &p->some[l], err);
        if (status == BASE_OK && full) {
            status = reduce(&p->all[l - 1], bits, true, options->threads, &p->all[l], err);
        }
    }
    return status;
}

/* --- Nodes ------------------------------------------------------------------------------------ */

enum { NODES_CHUNK = 2048, VOXELS_MAX = INT32_MAX };

/** State of a tree under construction. */
typedef struct builder {
    const pyramid *pyramid;
    alg_imp_tree *tree;
    unsigned threads;
    base_arena *arena;
    /* The level that is being listed: cells of its stored nodes and of their stored children. */
    uint32_t level;
    const alg_imp_cell *cells;
    alg_imp_cell *below;
    /* For ALG_IMP_STORED: the voxels and full nodes of the tree in one list, depth first. Voxels
     * that no ball needs are left out. Owned. */
    alg_imp_item *items;
    size_t item_count, item_capacity;
    alg_imp_cell *level_cells[ALG_IMP_LEVELS_MAX + 1]; /* [l]: cells of the stored nodes of level l;
                                                          owned */
    size_t *ranges[ALG_IMP_LEVELS_MAX + 1];            /* the items below node i of level l begin at
                                               [l][2 i] and end before [l][2 i + 1]; owned */
} builder;

/* --- Listing a level -------------------------------------------------------------------------- */

/**
 * Returns a byte of a child mask: the bits of 2 x 2 x 2 cells in Morton order. `at` is the first of
 * these cells and has even coordinates. Cells beyond the grid have bit 0.
 */
static uint8_t read_mask_byte(const alg_voxel_bits *bits, alg_imp_cell at)
{
    uint32_t mask = 0;
    if (at.x >= bits->size[0]) {
        return 0;
    }
    for (uint32_t row = 0; row < 4; row++) {
        const uint32_t y = at.y + (row & 1), z = at.z + (row >> 1);
        if (y < bits->size[1] && z < bits->size[2]) {
            const uint64_t word = alg_voxel_bits_row(bits, y, z)[at.x / 64];
            mask |= (uint32_t)(word >> at.x % 64 & 3) << 2 * row;
        }
    }
    return (uint8_t)mask;
}

/**
 * Fills the child masks of nodes, and the index of each node's box if the level has boxes. Sets
 * first[i] to how many stored children node i has; list_level replaces it.
 */
static void list_patterns(void *context, size_t begin, size_t end)
{
    const builder *const b = context;
    alg_imp_level *const level = &b->tree->levels[b->level];
    const alg_voxel_bits *const some = &b->pyramid->some[b->level - 1];
    const alg_voxel_bits *const all = &b->pyramid->all[b->level - 1];
    const uint32_t bits = b->pyramid->bits, mask_bytes = alg_imp_mask_bytes(b->tree->children);
    for (size_t i = begin; i < end; i++) {
        uint32_t stored = 0;
        for (uint32_t o = 0; o < mask_bytes; o++) {
            const alg_imp_cell at = alg_imp_child_cell(b->cells[i], 8 * o, bits);
            const uint8_t present = read_mask_byte(some, at);
            const uint8_t full = level->full ? read_mask_byte(all, at) : 0;
            level->present[i * mask_bytes + o] = present;
            if (level->full) {
                level->full[i * mask_bytes + o] = full;
            }
            stored += (uint32_t)__builtin_popcount(present & ~full);
        }
        level->first[i] = stored;
        if (level->box) {
            level->box[i] = alg_imp_box_of(b->tree->children, level->present + i * mask_bytes);
        }
    }
}

/** Returns a byte of the mask of stored children. */
static uint8_t stored_children(const alg_imp_level *level, size_t byte)
{
    return level->full ? level->present[byte] & (uint8_t)~level->full[byte] : level->present[byte];
}

static void list_children(void *context, size_t begin, size_t end)
{
    const builder *const b = context;
    const alg_imp_level *const level = &b->tree->levels[b->level];
    const uint32_t mask_bytes = alg_imp_mask_bytes(b->tree->children);
    for (size_t i = begin; i < end; i++) {
        alg_imp_cell *next = b->below + level->first[i];
        for (uint32_t o = 0; o < mask_bytes; o++) {
            for (uint32_t left = stored_children(level, i * mask_bytes + o); left;
                 left &= left - 1) {
                const uint32_t child = 8 * o + (uint32_t)__builtin_ctz(left);
                *next++ = alg_imp_child_cell(b->cells[i], child, b->pyramid->bits);
            }
        }
    }
}

static base_status out_of_memory(base_error *err)
{
    return base_fail(err, BASE_ERR_MEMORY, "out of memory for an implicit sphere tree");
}

static base_status allocate_level(builder *b, uint32_t count, base_error *err)
{
    const alg_imp_tree *const tree = b->tree;
    const size_t mask_bytes = alg_imp_mask_bytes(tree->children);
    const bool has_full = tree->full_count > 0, stored = tree->sphere_kind == ALG_IMP_STORED;
    const bool boxes = tree->sphere_kind == ALG_IMP_PATTERNS && tree->children != ALG_IMP_8;
    alg_imp_level *const level = &b->tree->levels[b->level];
    level->count = count;
    level->first = base_arena_alloc(b->arena, count, sizeof *level->first);
    level->present = base_arena_alloc(b->arena, count * mask_bytes, 1);
    level->full = has_full ? base_arena_alloc(b->arena, count * mask_bytes, 1) : NULL;
    level->box = boxes ? base_arena_alloc(b->arena, count, sizeof *level->box) : NULL;
    level->spheres = stored ? base_arena_alloc(b->arena, count, sizeof *level->spheres) : NULL;
    return level->first && level->present && (level->full || !has_full) && (level->box || !boxes) &&
                   (level->spheres || !stored)
               ? BASE_OK
               : out_of_memory(err);
}

/**
 * Lists the nodes of a level, whose cells are known. Above level 1, also lists the cells of their
 * stored children.
 */
static base_status list_level(builder *b, uint32_t count, uint32_t *children_count, base_error *err)
{
    const base_status status = allocate_level(b, count, err);
    if (status != BASE_OK) {
        return status;
    }
    base_parallel_for(count, NODES_CHUNK, b->threads, list_patterns, b);
    /* So far, first[i] is how many stored children node i has. The loop replaces it by the sum of
     * these counts over all nodes before i. This is the number of node i's first stored child in
     * the level below. */
    uint32_t *const first = b->tree->levels[b->level].first;
    *children_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t stored = first[i];
        first[i] = *children_count;
        *children_count += stored;
    }
    if (b->level == 1) {
        return BASE_OK;
    }
    b->below = base_alloc(*children_count, sizeof *b->below);
    if (!b->below) {
        return out_of_memory(err);
    }
    b->level_cells[b->level - 1] = b->below;
    base_parallel_for(count, NODES_CHUNK, b->threads, list_children, b);
    return BASE_OK;
}

static base_status list_levels(builder *b, base_error *err)
{
    alg_imp_tree *const tree = b->tree;
    uint32_t count = 1;
    b->level_cells[tree->root_level] = base_alloc(1, sizeof **b->level_cells);
    if (!b->level_cells[tree->root_level]) {
        return out_of_memory(err);
    }
    for (b->level = tree->root_level; b->level >= 1; b->level--) {
        b->cells = b->level_cells[b->level];
        const base_status status = list_level(b, count, &count, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    tree->voxel_count = count;
    return BASE_OK;
}

/* --- Balls ------------------------------------------------------------------------------------ */

/** Computes the centre of a node, in the units of tree.h. */
static void centre_of(uint32_t bits, uint32_t level, alg_imp_cell cell, float centre[3])
{
    const float halves = (float)((uint64_t)1 << bits * level);
    centre[0] = (float)(2 * cell.x + 1) * halves;
    centre[1] = (float)(2 * cell.y + 1) * halves;
    centre[2] = (float)(2 * cell.z + 1) * halves;
}

static base_status add_item(builder *b, uint32_t level, alg_imp_cell cell, base_error *err)
{
    const base_status status = base_reserve(b->items, b->item_capacity, b->item_count + 1, err);
    if (status == BASE_OK) {
        alg_imp_item *const item = &b->items[b->item_count++];
        centre_of(b->pyramid->bits, level, cell, item->centre);
        item->reach = (float)(((uint64_t)1 << b->pyramid->bits * level) - 1);
    }
    return status;
}

/**
 * Returns k: nodes with an edge of 2^k voxels or more get a ball that is computed from the items
 * below them. Nodes of 2 x 2 x 2 voxels take theirs from the table, which has the smallest ball for
 * each pattern of such voxels.
 */
static uint32_t measured_bits(alg_imp_children children)
{
    return children == ALG_IMP_8 ? 2 : alg_imp_bits(children);
}

/**
 * True if a voxel lies between two neighbours along some axis: both exist, and all three belong to
 * the same node of 2^measured_bits voxels along an edge. From any point, one of the two neighbours
 * is farther away than the voxel. So the voxel is never the farthest one of the node.
 */
static bool is_between(const builder *b, alg_imp_cell cell)
{
    const alg_voxel_bits *const some = &b->pyramid->some[0];
    const uint32_t last = (1u << measured_bits(b->tree->children)) - 1;
    const uint32_t at[3] = {cell.x, cell.y, cell.z};
    bool between = false;
    for (int axis = 0; axis < 3 && !between; axis++) {
        const uint32_t offset = at[axis] & last;
        if (offset > 0 && offset < last && at[axis] + 1 < some->size[axis]) {
            uint32_t lo[3] = {at[0], at[1], at[2]}, hi[3] = {at[0], at[1], at[2]};
            lo[axis]--;
            hi[axis]++;
            between = alg_voxel_bit(some, lo[0], lo[1], lo[2]) &&
                      alg_voxel_bit(some, hi[0], hi[1], hi[2]);
        }
    }
    return between;
}

/**
 * Adds the items below a stored node, depth first. Leaves out voxels that cannot be the farthest
 * ones from any point.
 */
static base_status add_items(builder *b, uint32_t level, uint32_t number, base_error *err)
{
    const alg_imp_level *const at = &b->tree->levels[level];
    const uint32_t mask_bytes = alg_imp_mask_bytes(b->tree->children), bits = b->pyramid->bits;
    const alg_imp_cell cell = b->level_cells[level][number];
    uint32_t next = at->first[number];
    base_status status = BASE_OK;
    b->ranges[level][2 * (size_t)number] = b->item_count;
    for (uint32_t o = 0; o < mask_bytes && status == BASE_OK; o++) {
        const size_t byte = (size_t)number * mask_bytes + o;
        const uint32_t stored = stored_children(at, byte);
        for (uint32_t left = at->present[byte]; left && status == BASE_OK; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(left);
            if (level > 1 && stored >> lane & 1) {
                status = add_items(b, level - 1, next++, err);
                continue;
            }
            const alg_imp_cell below = alg_imp_child_cell(cell, 8 * o + lane, bits);
            if (level > 1 || !is_between(b, below)) {
                status = add_item(b, level - 1, below, err);
            }
        }
    }
    b->ranges[level][2 * (size_t)number + 1] = b->item_count;
    return status;
}

static void store_spheres(void *context, size_t begin, size_t end)
{
    const builder *const b = context;
    const alg_imp_level *const level = &b->tree->levels[b->level];
    const alg_imp_sphere *const table = b->tree->tables[b->level];
    const alg_imp_children children = b->tree->children;
    const bool measured = b->level * b->pyramid->bits >= measured_bits(children);
    for (size_t i = begin; i < end; i++) {
        float centre[3];
        centre_of(b->pyramid->bits, b->level, b->level_cells[b->level][i], centre);
        const size_t *const range = b->ranges[b->level] + 2 * i;
        const uint8_t *const present = level->present + i * alg_imp_mask_bytes(children);
        const alg_imp_sphere known =
            table[children == ALG_IMP_8 ? *present : alg_imp_box_of(children, present)];
        level->spheres[i] = measured ? alg_imp_sphere_around(b->items + range[0],
                                                             range[1] - range[0], centre, known)
                                     : known;
    }
}

/**
 * Computes the balls to be stored. The ball of a node is that of the table of ALG_IMP_PATTERNS, or
 * a smaller one around the items below the node. The tables are not kept.
 */
static base_status store_all_spheres(builder *b, base_error *err)
{
    alg_imp_tree *const tree = b->tree;
    for (uint32_t l = 1; l <= tree->root_level; l++) {
        b->ranges[l] = base_alloc(tree->levels[l].count, 2 * sizeof **b->ranges);
        if (!b->ranges[l]) {
            return out_of_memory(err);
        }
    }
    const base_status status = add_items(b, tree->root_level, 0, err);
    for (b->level = 1; b->level <= tree->root_level && status == BASE_OK; b->level++) {
        base_parallel_for(tree->levels[b->level].count, NODES_CHUNK, b->threads, store_spheres, b);
        tree->tables[b->level] = NULL;
    }
    return status;
}

static base_status make_spheres(builder *b, base_error *err)
{
    alg_imp_tree *const tree = b->tree;
    const bool stored = tree->sphere_kind == ALG_IMP_STORED;
    const uint32_t count = alg_imp_table_count(tree->children);
    base_arena scratch = {0};
    base_status status = BASE_OK;
    for (uint32_t l = 1; l <= tree->root_level && tree->sphere_kind != ALG_IMP_CUBES; l++) {
        tree->tables[l] =
            base_arena_alloc(stored ? &scratch : b->arena, count, sizeof **tree->tables);
        if (!tree->tables[l]) {
            status = out_of_memory(err);
            break;
        }
        alg_imp_table_fill(tree->children, l, tree->tables[l]);
    }
    if (status == BASE_OK && stored) {
        status = store_all_spheres(b, err);
    }
    base_arena_release(&scratch);
    return status;
}

/* --- The whole tree --------------------------------------------------------------------------- */

base_status alg_imp_tree_build(const alg_voxel_bits *surface, const alg_voxel_bits *full,
                               const alg_imp_tree_options *options, base_arena *arena,
                               alg_imp_tree *tree, base_error *err)
{
    const uint64_t surface_count = alg_voxel_bits_count(surface);
    *tree = (alg_imp_tree){
        .children = options->children,
        .sphere_kind = options->spheres,
        .full_count = full ? alg_voxel_bits_count(full) : 0,
        .size = {surface->size[0], surface->size[1], surface->size[2]},
    };
    if (surface_count == 0 || surface_count > VOXELS_MAX) {
        return base_fail(err, BASE_ERR_INPUT, "a tree needs 1 to %d surface voxels, not %llu",
                         (int)VOXELS_MAX, (unsigned long long)surface_count);
    }
    pyramid p;
    base_status status =
        pyramid_build(surface, tree->full_count > 0 ? full : NULL, options, &p, err);
    tree->root_level = p.root_level;
    builder b = {.pyramid = &p, .tree = tree, .threads = options->threads, .arena = arena};
    if (status == BASE_OK) {
        status = list_levels(&b, err);
    }
    if (status == BASE_OK) {
        status = make_spheres(&b, err);
    }
    for (uint32_t l = 1; l <= ALG_IMP_LEVELS_MAX; l++) {
        base_free(b.level_cells[l]);
        base_free(b.ranges[l]);
        alg_voxel_bits_release(&p.some[l]);
        alg_voxel_bits_release(&p.all[l]);
    }
    if (p.joined) {
        alg_voxel_bits_release(&p.some[0]);
    }
    base_free(b.items);
    return status;
}

/* --- Reading ---------------------------------------------------------------------------------- */

/** Returns the number of the child that is at this offset in its parent, in cells. */
static uint32_t child_at(alg_imp_cell offset, uint32_t bits)
{
    uint32_t child = 0;
    for (uint32_t j = 0; j < bits; j++) {
        child |= (offset.x >> j & 1) << (3 * j) | (offset.y >> j & 1) << (3 * j + 1) |
                 (offset.z >> j & 1) << (3 * j + 2);
    }
    return child;
}

/**
 * Returns how many stored children of a node come before its child number `child`. byte: where the
 * masks of the node begin.
 */
static uint32_t stored_before(const alg_imp_level *level, size_t byte, uint32_t child)
{
    uint32_t count = 0;
    for (uint32_t o = 0; o < child / 8; o++) {
        count += (uint32_t)__builtin_popcount(stored_children(level, byte + o));
    }
    const uint32_t before = (1u << child % 8) - 1;
    return count + (uint32_t)__builtin_popcount(stored_children(level, byte + child / 8) & before);
}

bool alg_imp_tree_find(const alg_imp_tree *tree, alg_imp_cell cell, uint32_t *number)
{
    const uint32_t bits = alg_imp_bits(tree->children),
                   mask_bytes = alg_imp_mask_bytes(tree->children);
    const uint32_t mask = (1u << bits) - 1;
    uint32_t node = 0;
    for (uint32_t l = tree->root_level; l >= 1; l--) {
        const alg_imp_level *const level = &tree->levels[l];
        const uint32_t shift = bits * (l - 1);
        const alg_imp_cell offset = {cell.x >> shift & mask, cell.y >> shift & mask,
                                     cell.z >> shift & mask};
        const uint32_t child = child_at(offset, bits);
        const size_t byte = (size_t)node * mask_bytes;
        if (!(level->present[byte + child / 8] >> child % 8 & 1)) {
            return false;
        }
        if (!(stored_children(level, byte + child / 8) >> child % 8 & 1)) {
            *number = ALG_IMP_FULL;
            return true;
        }
        node = level->first[node] + stored_before(level, byte, child);
    }
    *number = node;
    return true;
}

uint32_t alg_imp_tree_open(const alg_imp_tree *tree, uint32_t level, const alg_imp_child *node,
                           alg_imp_child children[ALG_IMP_CHILDREN_MAX])
{
    const alg_imp_level *const nodes = &tree->levels[level];
    const uint32_t bits = alg_imp_bits(tree->children),
                   mask_bytes = alg_imp_mask_bytes(tree->children);
    uint32_t next = nodes->first[node->number], count = 0;
    for (uint32_t o = 0; o < mask_bytes; o++) {
        uint32_t left = stored_children(nodes, (size_t)node->number * mask_bytes + o);
        for (; left; left &= left - 1) {
            const uint32_t child = 8 * o + (uint32_t)__builtin_ctz(left);
            children[count++] =
                (alg_imp_child){next++, alg_imp_child_cell(node->cell, child, bits)};
        }
    }
    return count;
}

static void visit_below(const alg_imp_tree *tree, uint32_t level, const alg_imp_child *node,
                        alg_imp_visitor *visit, void *context)
{
    if (level == 0) {
        visit(context, node->number, node->cell);
        return;
    }
    alg_imp_child children[ALG_IMP_CHILDREN_MAX];
    const uint32_t count = alg_imp_tree_open(tree, level, node, children);
    for (uint32_t i = 0; i < count; i++) {
        visit_below(tree, level - 1, &children[i], visit, context);
    }
}

void alg_imp_tree_visit(const alg_imp_tree *tree, alg_imp_visitor *visit, void *context)
{
    const alg_imp_child root = {0};
    visit_below(tree, tree->root_level, &root, visit, context);
}

alg_imp_sphere alg_imp_sphere_of(const alg_imp_tree *tree, uint32_t level, uint32_t number)
{
    if (level == 0 || number == ALG_IMP_FULL || tree->sphere_kind == ALG_IMP_CUBES) {
        return alg_imp_sphere_of_cube(tree->children, level);
    }
    const alg_imp_level *const at = &tree->levels[level];
    if (tree->sphere_kind == ALG_IMP_STORED) {
        return at->spheres[number];
    }
    return tree->tables[level][tree->children == ALG_IMP_8 ? at->present[number] : at->box[number]];
}

uint64_t alg_imp_tree_bytes(const alg_imp_tree *tree)
{
    const uint64_t mask_bytes = alg_imp_mask_bytes(tree->children);
    uint64_t bytes = 0;
    for (uint32_t l = 1; l <= tree->root_level; l++) {
        const alg_imp_level *const level = &tree->levels[l];
        const uint64_t node = sizeof *level->first + mask_bytes + (level->full ? mask_bytes : 0) +
                              (level->box ? sizeof *level->box : 0) +
                              (level->spheres ? sizeof *level->spheres : 0);
        bytes += level->count * node;
        if (tree->tables[l]) {
            bytes += alg_imp_table_count(tree->children) * sizeof **tree->tables;
        }
    }
    return bytes;
}
