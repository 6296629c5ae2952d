/** Trees over any voxels: nothing is lost, all is in its order, and balls hold what is below. */
#include "algorithms/imp/tree.h"

#include "algorithms/imp/tests/voxel_sets.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

TestSuite(imp_tree, .timeout = 60);

static const char *const kinds[] = {"cubes", "patterns", "stored"};
enum { CHILDREN = 3, SPHERES = 3 };

typedef struct built {
    base_arena arena;
    alg_imp_tree tree;
    alg_imp_cell *cells;
} built;

static built build(const voxel_set *set, bool full, alg_imp_tree_options options)
{
    built b = {0};
    base_error err;
    cr_assert_eq(alg_imp_tree_build(&set->surface, full ? &set->full : NULL, &options, &b.arena,
                                    &b.tree, &b.cells, &err),
                 BASE_OK, "%s", err.text);
    return b;
}

/* --- Descending ------------------------------------------------------------------------------- */

typedef struct place {
    uint32_t level, number;
    alg_imp_cell cell;
} place;

/** A descent through all nodes. */
typedef struct descent {
    const built *b;
    const voxel_set *set;
    const char *name;
    voxel_set found;
    uint32_t next[ALG_IMP_LEVELS_MAX + 1]; /* number that a stored node of a level has to have */
    place path[ALG_IMP_LEVELS_MAX + 1];
    uint32_t depth;
} descent;

static alg_imp_cell cell_below(alg_imp_cell cell, uint32_t child, uint32_t bits)
{
    alg_imp_cell at = {cell.x << bits, cell.y << bits, cell.z << bits};
    for (uint32_t j = 0; j < bits; j++) {
        at.x += (child >> 3 * j & 1) << j;
        at.y += (child >> (3 * j + 1) & 1) << j;
        at.z += (child >> (3 * j + 2) & 1) << j;
    }
    return at;
}

/** Is a voxel's ball in those of all nodes on the way to it? */
static void check_balls(descent *d, alg_imp_cell v)
{
    const double voxel[3] = {2.0 * v.x + 1, 2.0 * v.y + 1, 2.0 * v.z + 1};
    for (uint32_t i = 0; i < d->depth; i++) {
        const place *const p = &d->path[i];
        const double halves = (double)(1u << p->level * alg_imp_bits(d->b->tree.children));
        const uint32_t cell[3] = {p->cell.x, p->cell.y, p->cell.z};
        const alg_imp_sphere s = alg_imp_sphere_of(&d->b->tree, p->level, p->number);
        double d2 = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double c = (2.0 * cell[axis] + 1) * halves + (double)s.offset[axis];
            cr_assert_eq((double)(float)c, c, "%s: a centre of level %u is no float", d->name,
                         p->level);
            d2 += (voxel[axis] - c) * (voxel[axis] - c);
        }
        const double room = (double)s.radius - (sqrt(d2) + sqrt(3));
        cr_assert(room > 0, "%s: voxel %u %u %u sticks out of level %u by %g", d->name, v.x, v.y,
                  v.z, p->level, -room);
    }
}

static void check_voxel(descent *d, uint32_t number, alg_imp_cell v)
{
    const bool full = number == ALG_IMP_FULL;
    cr_assert(v.x < d->set->surface.size[0] && v.y < d->set->surface.size[1] &&
              v.z < d->set->surface.size[2]);
    alg_voxel_bits *const found = full ? &d->found.full : &d->found.surface;
    cr_assert(!alg_voxel_bit(found, v.x, v.y, v.z), "%s: a voxel twice", d->name);
    set_voxel(found, v.x, v.y, v.z);
    if (!full) {
        const alg_imp_cell told = d->b->cells[number];
        cr_assert(told.x == v.x && told.y == v.y && told.z == v.z, "%s: voxel %u", d->name, number);
    }
    check_balls(d, v);
}

/** Are all voxels of a cube full? Beyond the grid there are none. */
static bool is_full(const voxel_set *set, uint32_t edge, alg_imp_cell cell)
{
    const alg_voxel_bits *const full = &set->full;
    const uint64_t end[3] = {(uint64_t)(cell.x + 1) * edge, (uint64_t)(cell.y + 1) * edge,
                             (uint64_t)(cell.z + 1) * edge};
    bool all = end[0] <= full->size[0] && end[1] <= full->size[1] && end[2] <= full->size[2];
    for (uint32_t z = cell.z * edge; z < end[2] && all; z++) {
        for (uint32_t y = cell.y * edge; y < end[1] && all; y++) {
            for (uint32_t x = cell.x * edge; x < end[0] && all; x++) {
                all = alg_voxel_bit(full, x, y, z);
            }
        }
    }
    return all;
}

static void descend(descent *d, place at)
{
    const alg_imp_tree *const tree = &d->b->tree;
    const bool full = at.number == ALG_IMP_FULL;
    if (!full) {
        cr_assert_eq(at.number, d->next[at.level]++, "%s: level %u is not in order", d->name,
                     at.level);
    }
    d->path[d->depth++] = at;
    if (at.level == 0) {
        check_voxel(d, at.number, at.cell);
    } else {
        const uint32_t bits = alg_imp_bits(tree->children), octets = alg_imp_octets(tree->children);
        const alg_imp_level *const level = &tree->levels[at.level];
        if (tree->full_count > 0) {
            cr_assert_eq(full, is_full(d->set, 1u << bits * at.level, at.cell),
                         "%s: level %u, full %d", d->name, at.level, full);
        }
        uint32_t stored = full ? 0 : level->first[at.number], children = 0;
        for (uint32_t c = 0; c < 8 * octets; c++) {
            const size_t octet = (size_t)at.number * octets + c / 8;
            const bool there = full || level->present[octet] >> c % 8 & 1;
            const bool solid = full || (level->full && level->full[octet] >> c % 8 & 1);
            cr_assert(there || !solid, "%s: a full child that is not there", d->name);
            if (there) {
                descend(d, (place){at.level - 1, solid ? ALG_IMP_FULL : stored++,
                                   cell_below(at.cell, c, bits)});
                children++;
            }
        }
        cr_assert(children > 0, "%s: a node without children", d->name);
    }
    d->depth--;
}

static bool same_bits(const alg_voxel_bits *a, const alg_voxel_bits *b)
{
    return memcmp(a->words, b->words, alg_voxel_bits_words(a) * sizeof *a->words) == 0;
}

static void check_tree(const built *b, const voxel_set *set, bool full, const char *name)
{
    const uint32_t *const n = set->surface.size;
    descent d = {.b = b, .set = set, .name = name, .found = make_set(n[0], n[1], n[2])};
    descend(&d, (place){
                    b->tree.root_level, 0, {0, 0, 0}
    });
    cr_assert(same_bits(&d.found.surface, &set->surface), "%s: surface voxels", name);
    cr_assert_eq(alg_voxel_bits_count(&d.found.full), full ? b->tree.full_count : 0, "%s", name);
    cr_assert(!full || same_bits(&d.found.full, &set->full), "%s: full voxels", name);
    cr_assert_eq(d.next[0], b->tree.voxel_count, "%s", name);
    for (uint32_t l = 1; l <= b->tree.root_level; l++) {
        cr_assert_eq(d.next[l], b->tree.levels[l].count, "%s: level %u", name, l);
        cr_assert_eq(b->tree.levels[l].full != NULL, full, "%s: level %u", name, l);
    }
    release_set(&d.found);
}

Test(imp_tree, descending_finds_each_voxel_once_and_in_all_balls)
{
    voxel_set sets[] = {
        random_set(1, 1, 1, 1, 1),      random_set(3, 5, 2, 0.5, 2),
        random_set(8, 8, 8, 0.2, 3),    random_set(33, 17, 9, 0.02, 4),
        random_set(70, 5, 66, 0.01, 5), ball_set(32, 32, 32, 0, 6),
        ball_set(41, 37, 35, 0.01, 7),  ball_set(80, 20, 24, 0.0005, 8),
    };
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        for (int kind = 0; kind < CHILDREN * SPHERES * 2; kind++) {
            const bool full = kind % 2 == 1;
            const alg_imp_tree_options o = {(alg_imp_children)(kind / 2 % 3),
                                            (alg_imp_spheres)(kind / 6), 1};
            if (full && alg_voxel_bits_count(&sets[i].full) == 0) {
                continue;
            }
            char name[64];
            snprintf(name, sizeof name, "set %zu, %d children, %s%s", i, 8 << 3 * o.children,
                     kinds[o.spheres], full ? ", full" : "");
            built b = build(&sets[i], full, o);
            check_tree(&b, &sets[i], full, name);
            base_arena_release(&b.arena);
        }
        release_set(&sets[i]);
    }
}
