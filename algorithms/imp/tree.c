/**
 * The bits of nodes that have voxels, and of nodes that are full, are computed from the voxels
 * upwards. Then the stored nodes are listed from the root downwards, level by level. Each level is
 * in Morton order without sorting, since the children of a sorted list are sorted.
 */
#include "algorithms/imp/tree.h"

#include "algorithms/imp/pyramid.h"
#include "algorithms/imp/spheres.h"
#include "base/memory.h"
#include "base/parallel.h"

enum { NODES_CHUNK = 2048, VOXELS_MAX = INT32_MAX };

/** State of a tree under construction. */
typedef struct builder {
    const alg_imp_pyramid *pyramid;
    alg_imp_tree *tree;
    unsigned threads;
    base_arena *arena;
    /* The level that is being listed: cells of its stored nodes and of their stored children. */
    uint32_t level;
    bool voxel_cells; /* the caller wants the cells of voxels */
    const alg_imp_cell *cells;
    alg_imp_cell *below;
    /* ALG_IMP_STORED: the items below nodes, and where those of each node begin and end. Owned. */
    alg_imp_item *items;
    size_t item_count, item_capacity;
    alg_imp_cell *level_cells[ALG_IMP_LEVELS_MAX + 1];
    size_t *ranges[ALG_IMP_LEVELS_MAX + 1]; /* [l][2 i] and [2 i + 1]: begin and end for node i
                                               of level l */
} builder;

/** Returns the offset of a child or octet in its parent: bits 3 j + axis of its number. */
static alg_imp_cell place_of(uint32_t number, uint32_t bits)
{
    alg_imp_cell at = {0, 0, 0};
    for (uint32_t j = 0; j < bits; j++) {
        at.x |= (number >> (3 * j) & 1) << j;
        at.y |= (number >> (3 * j + 1) & 1) << j;
        at.z |= (number >> (3 * j + 2) & 1) << j;
    }
    return at;
}

/** Returns the cell of a child of a cell. */
static alg_imp_cell child_cell(alg_imp_cell cell, uint32_t child, uint32_t bits)
{
    const alg_imp_cell at = place_of(child, bits);
    return (alg_imp_cell){(cell.x << bits) + at.x, (cell.y << bits) + at.y,
                          (cell.z << bits) + at.z};
}

/* --- Listing a level -------------------------------------------------------------------------- */

/** Fills the patterns of nodes, and `first` with the number of stored children of each. */
static void list_patterns(void *context, size_t begin, size_t end)
{
    const builder *const b = context;
    alg_imp_level *const level = &b->tree->levels[b->level];
    const alg_voxel_bits *const some = &b->pyramid->some[b->level - 1];
    const alg_voxel_bits *const all = &b->pyramid->all[b->level - 1];
    const uint32_t bits = b->pyramid->bits, octets = alg_imp_octets(b->tree->children);
    for (size_t i = begin; i < end; i++) {
        uint32_t stored = 0;
        for (uint32_t o = 0; o < octets; o++) {
            const alg_imp_cell at = child_cell(b->cells[i], 8 * o, bits);
            const uint8_t present = alg_imp_octet(some, at);
            const uint8_t full = level->full ? alg_imp_octet(all, at) : 0;
            level->present[i * octets + o] = present;
            if (level->full) {
                level->full[i * octets + o] = full;
            }
            stored += (uint32_t)__builtin_popcount(present & ~full);
        }
        level->first[i] = stored;
        if (level->box) {
            level->box[i] = alg_imp_box_of(b->tree->children, level->present + i * octets);
        }
    }
}

/** Turns the numbers of stored children into the index of the first child. Returns their sum. */
static uint32_t number_children(alg_imp_level *level)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < level->count; i++) {
        const uint32_t stored = level->first[i];
        level->first[i] = next;
        next += stored;
    }
    return next;
}

static uint8_t stored_children(const alg_imp_level *level, size_t octet)
{
    return level->full ? level->present[octet] & (uint8_t)~level->full[octet]
                       : level->present[octet];
}

static void list_children(void *context, size_t begin, size_t end)
{
    const builder *const b = context;
    const alg_imp_level *const level = &b->tree->levels[b->level];
    const uint32_t octets = alg_imp_octets(b->tree->children);
    for (size_t i = begin; i < end; i++) {
        alg_imp_cell *next = b->below + level->first[i];
        for (uint32_t o = 0; o < octets; o++) {
            for (uint32_t left = stored_children(level, i * octets + o); left; left &= left - 1) {
                const uint32_t child = 8 * o + (uint32_t)__builtin_ctz(left);
                *next++ = child_cell(b->cells[i], child, b->pyramid->bits);
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
    const size_t octets = alg_imp_octets(tree->children);
    const bool has_full = tree->full_count > 0, stored = tree->sphere_kind == ALG_IMP_STORED;
    const bool boxes = tree->sphere_kind == ALG_IMP_PATTERNS && tree->children != ALG_IMP_8;
    alg_imp_level *const level = &b->tree->levels[b->level];
    level->count = count;
    level->first = base_arena_alloc(b->arena, count, sizeof *level->first);
    level->present = base_arena_alloc(b->arena, count * octets, 1);
    level->full = has_full ? base_arena_alloc(b->arena, count * octets, 1) : NULL;
    level->box = boxes ? base_arena_alloc(b->arena, count, sizeof *level->box) : NULL;
    level->spheres = stored ? base_arena_alloc(b->arena, count, sizeof *level->spheres) : NULL;
    return level->first && level->present && (level->full || !has_full) && (level->box || !boxes) &&
                   (level->spheres || !stored)
               ? BASE_OK
               : out_of_memory(err);
}

/** Lists the nodes of a level, whose cells are known, and the cells of their stored children. */
static base_status list_level(builder *b, uint32_t count, uint32_t *children_count, base_error *err)
{
    const base_status status = allocate_level(b, count, err);
    if (status != BASE_OK) {
        return status;
    }
    base_parallel_for(count, NODES_CHUNK, b->threads, list_patterns, b);
    *children_count = number_children(&b->tree->levels[b->level]);
    if (b->level == 1 && !b->voxel_cells) {
        return BASE_OK;
    }
    b->below = b->level == 1 ? base_arena_alloc(b->arena, *children_count, sizeof *b->below)
                             : base_alloc(*children_count, sizeof *b->below);
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
 * Returns the bits along an edge of the smallest nodes whose balls are measured. For eight voxels
 * the table already has the smallest balls.
 */
static uint32_t measured_bits(alg_imp_children children)
{
    return children == ALG_IMP_8 ? 2 : alg_imp_bits(children);
}

/**
 * True if there is a voxel on both sides of a cell, along an axis and in the same node. Such a
 * voxel is never the farthest from a point.
 */
static bool is_between(const builder *b, alg_imp_cell cell)
{
    const alg_voxel_bits *const some = &b->pyramid->some[0];
    const uint32_t last = (1u << measured_bits(b->tree->children)) - 1;
    const uint32_t at[3] = {cell.x, cell.y, cell.z};
    bool between = false;
    for (int axis = 0; axis < 3 && !between; axis++) {
        const uint32_t place = at[axis] & last;
        if (place > 0 && place < last && at[axis] + 1 < some->size[axis]) {
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
 * Adds the items below a stored node, depth first, except voxels that cannot be the farthest from
 * any point.
 */
static base_status add_items(builder *b, uint32_t level, uint32_t number, base_error *err)
{
    const alg_imp_level *const at = &b->tree->levels[level];
    const uint32_t octets = alg_imp_octets(b->tree->children), bits = b->pyramid->bits;
    const alg_imp_cell cell = b->level_cells[level][number];
    uint32_t next = at->first[number];
    base_status status = BASE_OK;
    b->ranges[level][2 * (size_t)number] = b->item_count;
    for (uint32_t o = 0; o < octets && status == BASE_OK; o++) {
        const size_t octet = (size_t)number * octets + o;
        const uint32_t stored = stored_children(at, octet);
        for (uint32_t left = at->present[octet]; left && status == BASE_OK; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(left);
            if (level > 1 && stored >> lane & 1) {
                status = add_items(b, level - 1, next++, err);
                continue;
            }
            const alg_imp_cell below = child_cell(cell, 8 * o + lane, bits);
            if (level > 1 || !is_between(b, below)) {
                status = add_item(b, level - 1, below, err);
            }
        }
    }
    b->ranges[level][2 * (size_t)number + 1] = b->item_count;
    return status;
}

/** Returns the ball from the table of the level, for any kind of spheres. */
static alg_imp_sphere known_sphere(const builder *b, const alg_imp_sphere *table, size_t i)
{
    const alg_imp_level *const level = &b->tree->levels[b->level];
    const alg_imp_children children = b->tree->children;
    const uint8_t *const present = level->present + i * alg_imp_octets(children);
    return table[children == ALG_IMP_8 ? *present : alg_imp_box_of(children, present)];
}

static void store_spheres(void *context, size_t begin, size_t end)
{
    const builder *const b = context;
    const alg_imp_level *const level = &b->tree->levels[b->level];
    const alg_imp_sphere *const table = b->tree->tables[b->level];
    const bool measured = b->level * b->pyramid->bits >= measured_bits(b->tree->children);
    for (size_t i = begin; i < end; i++) {
        float centre[3];
        centre_of(b->pyramid->bits, b->level, b->level_cells[b->level][i], centre);
        const size_t *const range = b->ranges[b->level] + 2 * i;
        const alg_imp_sphere known = known_sphere(b, table, i);
        level->spheres[i] = measured ? alg_imp_sphere_around(b->items + range[0],
                                                             range[1] - range[0], centre, known)
                                     : known;
    }
}

/**
 * Computes the stored balls with the help of the tables of the pattern kind, which are not kept.
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

static base_status fill_tables(alg_imp_tree *tree, base_arena *arena, base_error *err)
{
    for (uint32_t l = 1; l <= tree->root_level; l++) {
        tree->tables[l] =
            base_arena_alloc(arena, alg_imp_table_count(tree->children), sizeof **tree->tables);
        if (!tree->tables[l]) {
            return out_of_memory(err);
        }
        alg_imp_table_fill(tree->children, l, tree->tables[l]);
    }
    return BASE_OK;
}

static base_status make_spheres(builder *b, base_error *err)
{
    const alg_imp_spheres kind = b->tree->sphere_kind;
    base_arena scratch = {0};
    base_status status = BASE_OK;
    if (kind != ALG_IMP_CUBES) {
        status = fill_tables(b->tree, kind == ALG_IMP_STORED ? &scratch : b->arena, err);
    }
    if (status == BASE_OK && kind == ALG_IMP_STORED) {
        status = store_all_spheres(b, err);
    }
    base_arena_release(&scratch);
    return status;
}

/* --- The whole tree --------------------------------------------------------------------------- */

static void release_builder(builder *b)
{
    for (uint32_t l = 1; l <= ALG_IMP_LEVELS_MAX; l++) {
        base_free(b->level_cells[l]);
        base_free(b->ranges[l]);
    }
    base_free(b->items);
}

static base_status build(builder *b, alg_imp_cell **cells, base_error *err)
{
    base_status status = list_levels(b, err);
    if (status == BASE_OK) {
        if (cells) {
            *cells = b->level_cells[0];
        }
        status = make_spheres(b, err);
    }
    return status;
}

base_status alg_imp_tree_build(const alg_voxel_bits *surface, const alg_voxel_bits *full,
                               const alg_imp_tree_options *options, base_arena *arena,
                               alg_imp_tree *tree, alg_imp_cell **cells, base_error *err)
{
    const uint64_t surface_count = alg_voxel_bits_count(surface);
    *tree = (alg_imp_tree){
        .children = options->children,
        .sphere_kind = options->spheres,
        .full_count = full ? alg_voxel_bits_count(full) : 0,
        .size = {surface->size[0], surface->size[1], surface->size[2]},
    };
    if (surface_count == 0 || surface_count > VOXELS_MAX) {
        return base_fail(err, BASE_ERR_INPUT, "a tree of %llu surface voxels",
                         (unsigned long long)surface_count);
    }
    alg_imp_pyramid pyramid;
    base_status status =
        alg_imp_pyramid_build(surface, tree->full_count > 0 ? full : NULL, options, &pyramid, err);
    tree->root_level = pyramid.root_level;
    builder b = {.pyramid = &pyramid,
                 .tree = tree,
                 .threads = options->threads,
                 .arena = arena,
                 .voxel_cells = cells != NULL};
    if (status == BASE_OK) {
        status = build(&b, cells, err);
    }
    release_builder(&b);
    alg_imp_pyramid_release(&pyramid);
    return status;
}

/* --- Reading ---------------------------------------------------------------------------------- */

/** Returns the number of a child in its parent, by its offset. */
static uint32_t child_at(alg_imp_cell place, uint32_t bits)
{
    uint32_t child = 0;
    for (uint32_t j = 0; j < bits; j++) {
        child |= (place.x >> j & 1) << (3 * j) | (place.y >> j & 1) << (3 * j + 1) |
                 (place.z >> j & 1) << (3 * j + 2);
    }
    return child;
}

/** Returns the number of stored children of a node before `child`. */
static uint32_t stored_before(const alg_imp_level *level, size_t octet, uint32_t child)
{
    uint32_t count = 0;
    for (uint32_t o = 0; o < child / 8; o++) {
        count += (uint32_t)__builtin_popcount(stored_children(level, octet + o));
    }
    const uint32_t before = (1u << child % 8) - 1;
    return count + (uint32_t)__builtin_popcount(stored_children(level, octet + child / 8) & before);
}

bool alg_imp_tree_find(const alg_imp_tree *tree, alg_imp_cell cell, uint32_t *number)
{
    const uint32_t bits = alg_imp_bits(tree->children), octets = alg_imp_octets(tree->children);
    const uint32_t mask = (1u << bits) - 1;
    uint32_t node = 0;
    for (uint32_t l = tree->root_level; l >= 1; l--) {
        const alg_imp_level *const level = &tree->levels[l];
        const uint32_t shift = bits * (l - 1);
        const alg_imp_cell place = {cell.x >> shift & mask, cell.y >> shift & mask,
                                    cell.z >> shift & mask};
        const uint32_t child = child_at(place, bits);
        const size_t octet = (size_t)node * octets;
        if (!(level->present[octet + child / 8] >> child % 8 & 1)) {
            return false;
        }
        if (!(stored_children(level, octet + child / 8) >> child % 8 & 1)) {
            *number = ALG_IMP_FULL;
            return true;
        }
        node = level->first[node] + stored_before(level, octet, child);
    }
    *number = node;
    return true;
}

uint32_t alg_imp_tree_open(const alg_imp_tree *tree, uint32_t level, const alg_imp_child *node,
                           alg_imp_child children[ALG_IMP_CHILDREN_MAX])
{
    const alg_imp_level *const nodes = &tree->levels[level];
    const uint32_t bits = alg_imp_bits(tree->children), octets = alg_imp_octets(tree->children);
    uint32_t next = nodes->first[node->number], count = 0;
    for (uint32_t o = 0; o < octets; o++) {
        uint32_t left = stored_children(nodes, (size_t)node->number * octets + o);
        for (; left; left &= left - 1) {
            const uint32_t child = 8 * o + (uint32_t)__builtin_ctz(left);
            children[count++] = (alg_imp_child){next++, child_cell(node->cell, child, bits)};
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
    const uint64_t octets = alg_imp_octets(tree->children);
    uint64_t bytes = 0;
    for (uint32_t l = 1; l <= tree->root_level; l++) {
        const alg_imp_level *const level = &tree->levels[l];
        const uint64_t node = sizeof *level->first + octets + (level->full ? octets : 0) +
                              (level->box ? sizeof *level->box : 0) +
                              (level->spheres ? sizeof *level->spheres : 0);
        bytes += level->count * node;
        if (tree->tables[l]) {
            bytes += alg_imp_table_count(tree->children) * sizeof **tree->tables;
        }
    }
    return bytes;
}
