/** Slabs and cells that were saved and loaded: the same to the last bit; and bytes nobody saved. */
#include "algorithms/bounds/saved.h"
#include "algorithms/tests/saved.h"
#include "base/tests/sweep.h"

#include <stdlib.h>
#include <string.h>

enum { BOTH = ALG_WANT_DISTANCE | ALG_WANT_VOLUME };

/** The pair with other bodies. */
static pair rebind(const pair *p, void *fixed, void *moving)
{
    pair again = *p;
    alg_message message;
    again.fixed = fixed;
    again.moving = moving;
    cr_assert_eq(p->variant.algorithm->bind(&p->variant.settings, fixed, moving, PAIR_REQUEST(BOTH),
                                            &again.state, &message),
                 ALG_OK);
    return again;
}

/** The same pair with both bodies loaded from what the first pair's were saved to. */
static pair reopen(const pair *p)
{
    void *fixed, *moving;
    bytes a = save(p, p->fixed), b = save(p, p->moving);
    cr_assert_eq(load(p, ALG_FIXED, &a, &fixed), ALG_OK);
    cr_assert_eq(load(p, ALG_MOVING, &b, &moving), ALG_OK);
    base_free(a.items);
    base_free(b.items);
    return rebind(p, fixed, moving);
}

typedef struct shapes {
    geo_mesh a, b;
} shapes;

/** A ball with a cube beside it, and a ball with cubes inside that are whole. */
static shapes make_shapes(void)
{
    return (shapes){shape_join(shape_ball((vec3){0, 0, 0}, 1, 2), shape_cube((vec3){2, 0, 0}, 0.5)),
                    shape_ball((vec3){0.1, 0, 0}, 0.6, 2)};
}

static void release_shapes(shapes *s)
{
    geo_mesh_release(&s->a);
    geo_mesh_release(&s->b);
}

static const char *const variants[] = {
    "bounds-budget:cells=16,voxels=12",
    "bounds-budget:budget=200,cells=24,voxels=12",
    "bounds-budget:cells=3,voxels=8",
    "bounds-deadline:budget-us=0,cells=16,voxels=12",
};

Test(saved, answers_are_the_same_to_the_last_bit)
{
    shapes s = make_shapes();
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        pair built = pair_open(variants[i], &s.a, &s.b, BOTH);
        pair loaded = reopen(&built);
        base_random random = base_random_seed(i);
        size_t apart = 0, overlapping = 0;
        for (int k = 0; k < 60; k++) {
            const geo_pose pose = shape_pose(&random, 2.5);
            const alg_answer x = pair_ask(&built, &pose), y = pair_ask(&loaded, &pose);
            cr_assert_eq(memcmp(&x, &y, sizeof x), 0, "%s, pose %d", variants[i], k);
            apart += x.distance_m > 0;
            overlapping += x.volume_m3 > 0;
        }
        cr_assert(apart > 10 && overlapping > 10, "%s: %zu %zu", variants[i], apart, overlapping);
        pair_close(&built);
        pair_close(&loaded);
    }
    release_shapes(&s);
}

Test(saved, a_loaded_body_is_saved_as_the_same_bytes)
{
    shapes s = make_shapes();
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        pair built = pair_open(variants[i], &s.a, &s.b, BOTH);
        pair loaded = reopen(&built);
        const void *const bodies[2][2] = {
            {built.fixed,  loaded.fixed },
            {built.moving, loaded.moving}
        };
        for (int role = 0; role < 2; role++) {
            bytes first = save(&built, bodies[role][0]), second = save(&built, bodies[role][1]);
            cr_assert(first.count == second.count &&
                          memcmp(first.items, second.items, first.count) == 0,
                      "%s, role %d", variants[i], role);
            base_free(first.items);
            base_free(second.items);
        }
        pair_close(&built);
        pair_close(&loaded);
    }
    release_shapes(&s);
}

/** Asks a body that may be another than was saved: whatever it answers, it must come back. */
static void ask_whatever_it_is(const pair *p, alg_role role, void *prepared)
{
    pair q = role == ALG_FIXED ? rebind(p, prepared, p->moving) : rebind(p, p->fixed, prepared);
    base_random random = base_random_seed(1);
    for (int k = 0; k < 2; k++) {
        const geo_pose pose = shape_pose(&random, 2);
        pair_ask(&q, &pose);
    }
    p->variant.algorithm->release(q.state);
    p->variant.algorithm->dispose(prepared);
}

/** Bits of both headers, and of slabs, voxels and cells behind them. */
Test(saved, damage_is_refused_or_harmless)
{
    shapes s = make_shapes();
    const size_t step = sweep_step(7);
    pair p = pair_open("bounds-budget:budget=2000,cells=6,voxels=8", &s.a, &s.b, BOTH);
    for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
        size_t refused = 0, taken = 0;
        bytes b = save(&p, role == ALG_FIXED ? p.fixed : p.moving);
        base_random random = base_random_seed((uint64_t)role);
        for (size_t k = 0; k < 3000; k += step) {
            const size_t at = k < 512 ? k / 8 : (size_t)base_random_below(&random, b.count);
            const int bit = 1 << (k < 512 ? k % 8 : base_random_below(&random, 8));
            void *prepared = NULL;
            b.items[at] = (char)(b.items[at] ^ bit);
            if (load(&p, (alg_role)role, &b, &prepared) == ALG_OK) {
                taken++;
                ask_whatever_it_is(&p, (alg_role)role, prepared);
            } else {
                refused++;
            }
            b.items[at] = (char)(b.items[at] ^ bit);
        }
        cr_assert(refused > 100 / step && taken > 100 / step, "role %d: %zu refused, %zu taken",
                  role, refused, taken);
        base_free(b.items);
    }
    pair_close(&p);
    release_shapes(&s);
}

Test(saved, another_length_or_role_is_refused)
{
    shapes s = make_shapes();
    pair p = pair_open("bounds-budget:cells=6,voxels=8", &s.a, &s.b, BOTH);
    refuse_lengths_and_roles(&p);
    pair_close(&p);
    release_shapes(&s);
}

/* --- Slabs and cells that nobody has built ---------------------------------------------------- */

/** Both of one body. */
typedef struct parts {
    base_arena arena;
    alg_bounds_slabs slabs;
    alg_bounds_cells cells;
} parts;

static parts build_parts(const geo_mesh *mesh)
{
    parts p = {0};
    base_arena scratch = {0};
    geo_surface surface;
    base_error err;
    cr_assert_eq(geo_surface_build(mesh, &scratch, &surface, &err), BASE_OK);
    cr_assert_eq(alg_bounds_slabs_build(&surface, 12, &p.arena, &p.slabs, &err), BASE_OK);
    cr_assert_eq(alg_bounds_cells_build(mesh, 12, &p.arena, &p.cells, &err), BASE_OK);
    base_arena_release(&scratch);
    return p;
}

/** Holds that both can be loaded from what they save, or which of them cannot. */
static void expect_loads(const parts *p, bool slabs, bool cells, const char *what)
{
    bytes b = {0};
    parts again = {0};
    base_error err;
    const alg_writer to = {.size = sizeof to, .context = &b, .write = append};
    cr_assert(alg_bounds_slabs_save(&p->slabs, &to));
    alg_reader from = {b.items, b.count};
    const bool has_slabs =
        alg_bounds_slabs_load(&from, &again.arena, &again.slabs, &err) == BASE_OK;
    cr_assert_eq(has_slabs, slabs, "slabs: %s", what);
    cr_assert(!slabs || from.left == 0);
    b.count = 0;
    cr_assert(alg_bounds_cells_save(&p->cells, &to));
    from = (alg_reader){b.items, b.count};
    const bool has_cells =
        alg_bounds_cells_load(&from, &again.arena, &again.cells, &err) == BASE_OK;
    cr_assert_eq(has_cells, cells, "cells: %s", what);
    cr_assert(!cells || from.left == 0);
    base_free(b.items);
    base_arena_release(&again.arena);
}

/** The first child of cell 0 of a kind: one that is a cell, or one of the words. */
static int find_child(const alg_bounds_cell *cell, bool node, uint32_t word)
{
    int i = 0;
    while (i < 8 && (node ? cell->child[i] == 0 || cell->child[i] >= ALG_BOUNDS_CELL_LEAF
                          : cell->child[i] != word)) {
        i++;
    }
    cr_assert_lt(i, 8);
    return i;
}

#define EXPECT_REFUSED(place, value, slabs, cells, what)                                           \
    do {                                                                                           \
        const __typeof__(place) before = (place);                                                  \
        (place) = (value);                                                                         \
        expect_loads(&p, slabs, cells, what);                                                      \
        (place) = before;                                                                          \
    } while (0)

Test(saved, cells_that_are_no_octree_are_refused)
{
    geo_mesh ball = shape_ball((vec3){0, 0, 0}, 1, 3);
    parts p = build_parts(&ball);
    expect_loads(&p, true, true, "as they are");
    alg_bounds_cell *const root = &p.cells.cells[0];
    const int node = find_child(root, true, 0);
    const uint32_t child = root->child[node];
    alg_bounds_cell *const below = &p.cells.cells[child];
    EXPECT_REFUSED(root->child[node], child + 1, true, false, "a cell that nobody reaches");
    EXPECT_REFUSED(root->child[node], p.cells.cell_count, true, false, "a cell behind the last");
    EXPECT_REFUSED(root->child[node], ALG_BOUNDS_CELL_LEAF, true, false, "a leaf too high");
    EXPECT_REFUSED(root->child[node], ALG_BOUNDS_CELL_WHOLE, true, false, "whole, but less");
    EXPECT_REFUSED(root->child[node], ALG_BOUNDS_CELL_EMPTY, true, false, "empty, but more");
    EXPECT_REFUSED(below->child[find_child(below, true, 0)], child, true, false, "a cycle");
    EXPECT_REFUSED(root->volume[node], nextafter(root->volume[node], 0), true, false,
                   "a volume that is not the sum");
    EXPECT_REFUSED(root->volume[node], NAN, true, false, "no volume");
    EXPECT_REFUSED(p.cells.levels, p.cells.levels + 1, true, false, "a level more");
    EXPECT_REFUSED(p.cells.levels, p.cells.levels - 1, true, false, "a level less");
    EXPECT_REFUSED(p.cells.levels, 0, true, false, "no level");
    EXPECT_REFUSED(p.cells.levels, 40, true, false, "levels without end");
    EXPECT_REFUSED(p.cells.cell_count, p.cells.cell_count - 1, true, false, "a cell less");
    EXPECT_REFUSED(p.cells.finest, 0.75 * p.cells.finest, true, false, "no power of two");
    EXPECT_REFUSED(p.cells.origin.y, INFINITY, true, false, "nowhere");
    geo_mesh_release(&ball);
    base_arena_release(&p.arena);
}

Test(saved, slabs_that_are_not_there_are_refused)
{
    geo_mesh ball = shape_ball((vec3){0, 0, 0}, 1, 3);
    parts p = build_parts(&ball);
    alg_voxel_blocks *const grid = &p.slabs.levels[0].grid;
    alg_bounds_slab *const slab = &p.slabs.slabs[p.slabs.slab_count / 2];
    const uint32_t end = ALG_BOUNDS_SLABS_FIRST + p.slabs.slab_count;
    const size_t blocks = (size_t)grid->count[0] * grid->count[1] * grid->count[2];
    EXPECT_REFUSED(grid->voxels[77], end, false, true, "a slab behind the last");
    EXPECT_REFUSED(grid->voxels[77], ALG_VOXEL_OPEN, false, true, "a block in a block");
    EXPECT_REFUSED(grid->blocks[blocks - 1], end, false, true, "a slab behind the last, whole");
    EXPECT_REFUSED(grid->blocks[0], ALG_VOXEL_OPEN | grid->open_count, false, true,
                   "a block behind the last");
    EXPECT_REFUSED(slab->lower, (int16_t)(slab->middle + 1), false, true, "the middle is below");
    EXPECT_REFUSED(slab->upper, (int16_t)(slab->middle - 1), false, true, "the middle is above");
    EXPECT_REFUSED(slab->inside, 4, false, true, "a third side");
    EXPECT_REFUSED(slab->unused, 1, false, true, "a use for the unused");
    EXPECT_REFUSED(p.slabs.level_count, 0, false, true, "no level");
    EXPECT_REFUSED(p.slabs.levels[0].edge, 3, false, true, "no power of two");
    EXPECT_REFUSED(p.slabs.levels[1].origin.z, NAN, false, true, "nowhere");
    EXPECT_REFUSED(p.slabs.volume, 0, false, true, "no volume");
    EXPECT_REFUSED(p.slabs.reach, INFINITY, false, true, "without end");
    geo_mesh_release(&ball);
    base_arena_release(&p.arena);
}

Test(saved, memory_that_runs_out_is_told)
{
    shapes s = make_shapes();
    pair p = pair_open("bounds-budget:cells=6,voxels=8", &s.a, &s.b, BOTH);
    for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
        bytes b = save(&p, role == ALG_FIXED ? p.fixed : p.moving);
        void *prepared = NULL;
        alg_status status = ALG_OUT_OF_MEMORY;
        size_t n = 0;
        for (; status == ALG_OUT_OF_MEMORY && n < 100; n++) {
            base_memory_fail_after(n);
            status = load(&p, (alg_role)role, &b, &prepared);
            base_memory_fail_after(SIZE_MAX);
        }
        cr_assert_eq(status, ALG_OK);
        cr_assert_gt(n, 3);
        p.variant.algorithm->dispose(prepared);
        base_free(b.items);
    }
    pair_close(&p);
    release_shapes(&s);
}

Test(saved, a_writer_that_wants_no_more_ends_it)
{
    shapes s = make_shapes();
    pair p = pair_open("bounds-budget:cells=4,voxels=8", &s.a, &s.b, BOTH);
    for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
        for (size_t most = 0; most < 7; most++) {
            size_t calls = most;
            const alg_writer to = {.size = sizeof to, .context = &calls, .write = refuse};
            alg_message message = {""};
            cr_assert_eq(
                p.variant.algorithm->save(role == ALG_FIXED ? p.fixed : p.moving, &to, &message),
                ALG_FAILED, "role %d, %zu calls", role, most);
            cr_assert_neq(*message.text, '\0');
        }
    }
    pair_close(&p);
    release_shapes(&s);
}
