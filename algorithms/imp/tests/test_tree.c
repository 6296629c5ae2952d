/**
 * Tests trees over arbitrary voxels: all voxels are found, everything is in order, and balls
 * enclose the voxels below.
 */
#include "algorithms/imp/tree.h"

#include "algorithms/imp/spheres.h"
#include "algorithms/imp/tests/bodies.h"
#include "base/memory.h"
#include "base/tests/support.h"
#include "geometry/sphere.h"
#include "geometry/vec.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"cubes", "patterns", "stored"};
enum { CHILDREN = 3, SPHERES = 3 };

typedef struct built {
    base_arena arena;
    alg_imp_tree tree;
    alg_imp_cell *cells;
} built;

static void note_cell(void *context, uint32_t number, alg_imp_cell cell)
{
    alg_imp_cell *const cells = context;
    cells[number] = cell;
}

static built build(const voxel_set *set, bool full, alg_imp_tree_options options)
{
    built b = {0};
    assert_ok(alg_imp_tree_build(&set->surface, full ? &set->full : NULL, &options, &b.arena,
                                 &b.tree, ERR));
    b.cells = base_arena_alloc(&b.arena, b.tree.voxel_count, sizeof *b.cells);
    alg_imp_tree_visit(&b.tree, note_cell, b.cells);
    return b;
}

/* --- Descending ------------------------------------------------------------------------------- */

typedef struct place {
    uint32_t level, number;
    alg_imp_cell cell;
} place;

/** State of a descent through all nodes. */
typedef struct descent {
    const built *b;
    const voxel_set *set;
    const char *name;
    voxel_set found;
    uint32_t next[ALG_IMP_LEVELS_MAX + 1]; /* expected number of the next stored node of a level */
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

/** Checks that a voxel's ball is inside the balls of all nodes above it. */
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

/** True if all voxels of a cube are full. There are no voxels beyond the grid. */
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
        const uint32_t bits = alg_imp_bits(tree->children),
                       mask_bytes = alg_imp_mask_bytes(tree->children);
        const alg_imp_level *const level = &tree->levels[at.level];
        if (tree->full_count > 0) {
            cr_assert_eq(full, is_full(d->set, 1u << bits * at.level, at.cell),
                         "%s: level %u, full %d", d->name, at.level, full);
        }
        uint32_t stored = full ? 0 : level->first[at.number], children = 0;
        for (uint32_t c = 0; c < 8 * mask_bytes; c++) {
            const size_t byte = (size_t)at.number * mask_bytes + c / 8;
            const bool there = full || level->present[byte] >> c % 8 & 1;
            const bool solid = full || (level->full && level->full[byte] >> c % 8 & 1);
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
    descend(&d, (place){b->tree.root_level, 0, {0, 0, 0}});
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
        wedge_set(16, 9, 11, 99),       wedge_set(64, 33, 64, 999),
    };
    const size_t step = sweep_step(5);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        for (int kind = (int)(i % step); kind < CHILDREN * SPHERES * 2; kind += (int)step) {
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

/* --- Balls ------------------------------------------------------------------------------------ */

Test(imp_tree, balls_get_smaller_from_kind_to_kind)
{
    SCOPED_SET set = ball_set(70, 66, 50, 0.01, 1);
    for (int k = 0; k < CHILDREN; k++) {
        for (int full = 0; full < 2; full++) {
            built b[SPHERES];
            double sums[SPHERES] = {0};
            for (int kind = 0; kind < SPHERES; kind++) {
                const alg_imp_tree_options o = {(alg_imp_children)k, (alg_imp_spheres)kind, 1};
                b[kind] = build(&set, full, o);
            }
            for (uint32_t l = 1; l <= b[0].tree.root_level; l++) {
                for (uint32_t i = 0; i < b[0].tree.levels[l].count; i++) {
                    float last = INFINITY;
                    for (int kind = 0; kind < SPHERES; kind++) {
                        const float r = alg_imp_sphere_of(&b[kind].tree, l, i).radius;
                        cr_assert(r <= last, "%d children, level %u, node %u, %s", 8 << 3 * k, l, i,
                                  kinds[kind]);
                        sums[kind] += (double)r;
                        last = r;
                    }
                }
            }
            cr_assert(sums[ALG_IMP_PATTERNS] < 0.95 * sums[ALG_IMP_CUBES] &&
                          sums[ALG_IMP_STORED] < 0.99 * sums[ALG_IMP_PATTERNS],
                      "%d children: %g, %g, %g", 8 << 3 * k, sums[0], sums[1], sums[2]);
            for (int kind = 0; kind < SPHERES; kind++) {
                base_arena_release(&b[kind].arena);
            }
        }
    }
}

/** Returns the radius of the smallest ball around the balls of all voxels in a cube. */
static double least_radius(const voxel_set *set, bool full, uint32_t edge, alg_imp_cell cell,
                           geo_ball *balls)
{
    const uint32_t *const n = set->surface.size;
    size_t count = 0;
    for (uint32_t z = cell.z * edge; z < (cell.z + 1) * edge && z < n[2]; z++) {
        for (uint32_t y = cell.y * edge; y < (cell.y + 1) * edge && y < n[1]; y++) {
            for (uint32_t x = cell.x * edge; x < (cell.x + 1) * edge && x < n[0]; x++) {
                if (alg_voxel_bit(&set->surface, x, y, z) ||
                    (full && alg_voxel_bit(&set->full, x, y, z))) {
                    balls[count++] = (geo_ball){{2.0 * x + 1, 2.0 * y + 1, 2.0 * z + 1}, sqrt(3)};
                }
            }
        }
    }
    return geo_ball_enclose(balls, count).radius;
}

/** Sums over a descent of a tree with stored balls. */
typedef struct comparison {
    const built *b;
    const voxel_set *set;
    bool full;
    geo_ball *balls; /* room for all voxels */
    double sum;
    size_t count;
} comparison;

static void compare(comparison *c, place at)
{
    const alg_imp_tree *const tree = &c->b->tree;
    const uint32_t bits = alg_imp_bits(tree->children);
    const double least = least_radius(c->set, c->full, 1u << bits * at.level, at.cell, c->balls);
    const double got = (double)alg_imp_sphere_of(tree, at.level, at.number).radius;
    cr_assert(got < 1.06 * least, "level %u, node %u: %g, %g", at.level, at.number, got, least);
    c->sum += got / least;
    c->count++;
    const alg_imp_level *const level = &tree->levels[at.level];
    uint32_t next = level->first[at.number];
    for (uint32_t child = 0; child < 8 * alg_imp_mask_bytes(tree->children) && at.level > 1;
         child++) {
        const size_t byte = (size_t)at.number * alg_imp_mask_bytes(tree->children) + child / 8;
        const bool full = level->full && level->full[byte] >> child % 8 & 1;
        if (level->present[byte] >> child % 8 & 1 && !full) {
            compare(c, (place){at.level - 1, next++, cell_below(at.cell, child, bits)});
        }
    }
}

Test(imp_tree, stored_balls_are_nearly_the_smallest)
{
    for (int kind = 0; kind < CHILDREN * 6; kind++) {
        SCOPED_SET set = kind < 6    ? ball_set(36, 40, 40, 0.3, 1)
                         : kind < 12 ? random_set(37, 29, 31, 0.03, 2)
                                     : wedge_set(40, 40, 40, 38);
        const alg_imp_children children = (alg_imp_children)(kind / 2 % 3);
        const bool full = kind % 2 == 1;
        built b = build(&set, full, (alg_imp_tree_options){children, ALG_IMP_STORED, 1});
        comparison c = {&b, &set, full, calloc(40 * 40 * 40, sizeof *c.balls), 0, 0};
        cr_assert_not_null(c.balls);
        compare(&c, (place){b.tree.root_level, 0, {0, 0, 0}});
        const double mean = c.sum / (double)c.count;
        cr_assert(mean < 1.005, "%d children, full %d: %g", 8 << 3 * children, full, mean);
        free(c.balls);
        base_arena_release(&b.arena);
    }
}

Test(imp_tree, table_balls_contain_their_cubes_tightly)
{
    for (int k = 0; k < CHILDREN; k++) {
        const alg_imp_children children = (alg_imp_children)k;
        const uint32_t count = alg_imp_table_count(children);
        const uint32_t counts[CHILDREN] = {256, 1000, 46656};
        cr_assert_eq(count, counts[k]);
        alg_imp_sphere *const table = calloc(count, sizeof *table);
        cr_assert_not_null(table);
        for (uint32_t level = 1; level <= 12 / alg_imp_bits(children); level++) {
            const float whole = alg_imp_sphere_of_cube(children, level).radius;
            const double exact = sqrt(3) * (double)(1u << level * alg_imp_bits(children));
            cr_assert((double)whole > exact && (double)whole < exact * (1 + 1e-6));
            alg_imp_table_fill(children, level, table);
            uint32_t smaller = 0;
            for (uint32_t i = 0; i < count; i++) {
                cr_assert(table[i].radius <= whole, "%d children, level %u, %u", 8 << 3 * k, level,
                          i);
                smaller += table[i].radius < whole;
            }
            cr_assert_eq(smaller, children == ALG_IMP_8 ? 78 : count - 1);
        }
        free(table);
    }
}

Test(imp_tree, boxes_are_numbered_by_their_places)
{
    /* Child (x, y, z) of 64 has bits x0 y0 z0 x1 y1 z1 in its number; stretches of 4 are numbered
     * in the order 00 01 02 03 11 12 13 22 23 33. */
    uint8_t present[64] = {0};
    present[0] = 1; /* (0, 0, 0) */
    cr_assert_eq(alg_imp_box_of(ALG_IMP_64, present), 0);
    present[7] = 0x80; /* with (0, 0, 0) and (3, 3, 3) the whole of each axis */
    cr_assert_eq(alg_imp_box_of(ALG_IMP_64, present), 3 + 10 * 3 + 100 * 3);
    present[0] = present[7] = 0;
    present[1] = 0x40 | 0x01; /* (2, 1, 1) and (2, 0, 0) */
    cr_assert_eq(alg_imp_box_of(ALG_IMP_64, present), 7 + 10 * 1 + 100 * 1);
    present[1] = 0;
    /* 512 children: byte 44 has bits z0, x1 and z1, so it is at (2, 0, 3); its child 3 is at (5,
     * 1, 6). A stretch that begins at lo has lo (17 - lo) / 2 stretches before it. */
    present[44] = 0x08;
    cr_assert_eq(alg_imp_box_of(ALG_IMP_512, present), 30 + 36 * (8 + 36 * 33));
}

/* --- Reading ---------------------------------------------------------------------------------- */

static void check_number(void *context, uint32_t number, alg_imp_cell cell)
{
    const built *const b = context;
    const alg_imp_cell told = b->cells[number];
    cr_assert(told.x == cell.x && told.y == cell.y && told.z == cell.z, "voxel %u", number);
}

Test(imp_tree, cells_are_found)
{
    SCOPED_SET set = ball_set(40, 21, 30, 0.1, 3);
    for (int k = 0; k < CHILDREN; k++) {
        built b = build(&set, true, (alg_imp_tree_options){(alg_imp_children)k, ALG_IMP_CUBES, 1});
        for (uint32_t i = 0; i < 40 * 21 * 30; i++) {
            const alg_imp_cell c = {i % 40, i / 40 % 21, i / 40 / 21};
            const bool surface = alg_voxel_bit(&set.surface, c.x, c.y, c.z);
            const bool full = alg_voxel_bit(&set.full, c.x, c.y, c.z);
            uint32_t number = 0;
            cr_assert_eq(alg_imp_tree_find(&b.tree, c, &number), surface || full);
            cr_assert(!full || number == ALG_IMP_FULL);
            if (surface) {
                cr_assert_lt(number, b.tree.voxel_count);
                check_number(&b, number, c);
            }
        }
        alg_imp_tree_visit(&b.tree, check_number, &b);
        base_arena_release(&b.arena);
    }
}

/* --- Builds ----------------------------------------------------------------------------------- */

Test(imp_tree, bytes_are_those_of_the_header)
{
    SCOPED_SET set = ball_set(40, 40, 40, 0.1, 3);
    const uint64_t nodes[CHILDREN][2] = {{5, 6}, {12, 20}, {68, 132}};
    for (int kind = 0; kind < CHILDREN * SPHERES * 2; kind++) {
        const int k = kind / 2 % 3, full = kind % 2;
        const alg_imp_tree_options o = {(alg_imp_children)k, (alg_imp_spheres)(kind / 6), 1};
        built b = build(&set, full, o);
        uint64_t wanted = 0;
        for (uint32_t l = 1; l <= b.tree.root_level; l++) {
            const bool patterns = o.spheres == ALG_IMP_PATTERNS;
            wanted += b.tree.levels[l].count * (nodes[k][full] + (patterns && k > 0 ? 2 : 0) +
                                                (o.spheres == ALG_IMP_STORED ? 16 : 0));
            wanted += patterns ? 16 * alg_imp_table_count(o.children) : 0;
        }
        cr_assert_eq(alg_imp_tree_bytes(&b.tree), wanted, "kind %d", kind);
        base_arena_release(&b.arena);
    }
}

Test(imp_tree, no_surface_voxel_is_no_tree)
{
    SCOPED_SET set = make_set(4, 4, 4);
    for (int i = 0; i < 64; i++) {
        set_voxel(&set.full, (uint32_t)i % 4, (uint32_t)i / 4 % 4, (uint32_t)i / 16);
    }
    built b = {0};
    base_error err;
    const alg_imp_tree_options o = {0};
    cr_assert_eq(alg_imp_tree_build(&set.surface, &set.full, &o, &b.arena, &b.tree, &err),
                 BASE_ERR_INPUT);
}

Test(imp_tree, out_of_memory_is_an_error)
{
    SCOPED_SET set = ball_set(33, 20, 20, 0.1, 3);
    const alg_imp_tree_options o = {ALG_IMP_64, ALG_IMP_STORED, 1};
    built b = {0};
    cr_assert_gt(
        COUNT_FAILURES(alg_imp_tree_build(&set.surface, &set.full, &o, &b.arena, &b.tree, ERR),
                       base_arena_release(&b.arena)),
        19);
}

/* --- Balls of patterns ------------------------------------------------------------------------ */

/** Tests the balls around children: all patterns, against radii that are known analytically. */

enum { PATTERNS = 256, CLASSES = 5 };

static vec3 child_centre(unsigned child)
{
    return (vec3){child & 1 ? 1 : -1, child & 2 ? 1 : -1, child & 4 ? 1 : -1};
}

/**
 * Returns the class of a pattern, by the size of its ball: one child, two along an edge, others in
 * a face, three across faces with or without the child between them, and the rest, which have the
 * ball of the whole node.
 */
static int class_of(unsigned pattern)
{
    int faces = 0;
    for (int axis = 0; axis < 3; axis++) {
        bool sides[2] = {false, false};
        for (unsigned child = 0; child < 8; child++) {
            sides[child >> axis & 1] |= pattern >> child & 1;
        }
        faces += !(sides[0] && sides[1]);
    }
    if (faces > 0) {
        return 3 - faces;
    }
    for (unsigned corner = 0; corner < 8; corner++) {
        const unsigned three = 1u << (corner ^ 1) | 1u << (corner ^ 2) | 1u << (corner ^ 4);
        if ((pattern | 1u << corner) == (three | 1u << corner)) {
            return 3;
        }
    }
    return 4;
}

Test(imp_tree, squares_have_eight_smaller_circles)
{
    int counts[3] = {0};
    for (unsigned pattern = 1; pattern < 16; pattern++) {
        const geo_ball ball = alg_imp_ball_of_squares(pattern);
        const bool one = (pattern & (pattern - 1)) == 0;
        const bool edge = pattern == 3 || pattern == 5 || pattern == 10 || pattern == 12;
        const double wanted = one ? sqrt(2) : edge ? sqrt(5) : 2 * sqrt(2);
        cr_assert(fabs(ball.radius - wanted) < 1e-12, "pattern %u: %.17g", pattern, ball.radius);
        cr_assert(fabs(ball.centre.z) < 1e-15);
        counts[one ? 0 : edge ? 1 : 2]++;
    }
    cr_assert(counts[0] == 4 && counts[1] == 4 && counts[2] == 7);
}

Test(imp_tree, balls_of_voxels_are_held_at_all_sizes)
{
    const int wanted_counts[CLASSES] = {8, 12, 42, 16, 177};
    int counts[CLASSES] = {0};
    for (double halves = 1; halves <= 64; halves *= 2) {
        const double half = halves - 1, longer = 2 * halves - 1;
        /* Boxes of children have the half diagonals of their voxels' centres. Of three children
         * across faces the centre is at -t (1, 1, 1), and (m, -m, -m), m = 2 h - 1, is the farthest
         * voxel: the squared distance 3 m^2 - 2 m t + 3 t^2 is smallest for t = m / 3. */
        const double across = longer * sqrt(8.0 / 3);
        const double radii[CLASSES] = {half * sqrt(3), sqrt(longer * longer + 2 * half * half),
                                       sqrt(2 * longer * longer + half * half), across,
                                       longer * sqrt(3)};
        for (unsigned pattern = 1; pattern < PATTERNS; pattern++) {
            const geo_ball ball = alg_imp_ball_of_voxels(pattern, halves);
            const double wanted = radii[class_of(pattern)] + sqrt(3);
            counts[class_of(pattern)] += halves == 1;
            cr_assert(fabs(ball.radius - wanted) < 1e-12 * wanted,
                      "pattern %u at %g: %.17g, not %.17g", pattern, halves, ball.radius, wanted);
            for (unsigned i = 0; i < 64; i++) {
                const vec3 voxel =
                    vec3_madd(vec3_scale(halves, child_centre(i / 8)), half, child_centre(i % 8));
                const double reach = vec3_distance(voxel, ball.centre) + sqrt(3);
                cr_assert(!(pattern >> i / 8 & 1) || reach <= ball.radius * (1 + 1e-15),
                          "pattern %u at %g, voxel %u", pattern, halves, i);
            }
        }
    }
    cr_assert_arr_eq(counts, wanted_counts, sizeof counts);
}

/** Applies one of the 48 symmetries of a cube: a permutation of the axes and reflections. */
static vec3 transform(int symmetry, vec3 v)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const int *const order = orders[symmetry / 8];
    return (vec3){vec3_get(v, order[0]) * (symmetry & 1 ? -1 : 1),
                  vec3_get(v, order[1]) * (symmetry & 2 ? -1 : 1),
                  vec3_get(v, order[2]) * (symmetry & 4 ? -1 : 1)};
}

static unsigned transform_pattern(int symmetry, unsigned pattern)
{
    unsigned turned = 0;
    for (unsigned child = 0; child < 8; child++) {
        const vec3 at = transform(symmetry, child_centre(child));
        const unsigned to = (at.x > 0 ? 1u : 0u) | (at.y > 0 ? 2u : 0u) | (at.z > 0 ? 4u : 0u);
        turned |= (pattern >> child & 1) << to;
    }
    return turned;
}

Test(imp_tree, symmetric_patterns_have_symmetric_balls)
{
    for (unsigned pattern = 1; pattern < PATTERNS; pattern++) {
        const geo_ball ball = alg_imp_ball_of_voxels(pattern, 2);
        for (int s = 0; s < 48; s++) {
            const geo_ball turned = alg_imp_ball_of_voxels(transform_pattern(s, pattern), 2);
            cr_assert(vec3_distance(turned.centre, transform(s, ball.centre)) < 1e-12,
                      "pattern %u, symmetry %d", pattern, s);
        }
    }
}
