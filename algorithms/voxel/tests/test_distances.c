/** Tests signed distances against all triangles, their interpolation, and clearances. */
#include "algorithms/voxel/distances.h"

#include "algorithms/voxel/surface.h"
#include "algorithms/voxel/tests/maps.h"
#include "base/tests/support.h"
#include "base/memory.h"
#include "base/random.h"
#include "geometry/triangle.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* --- Signed distances ------------------------------------------------------------------------- */

/** A body of two parts, one of them hollow, and a map of it by the definition. */
typedef struct solid {
    base_arena arena;
    geo_mesh mesh;
    geo_surface surface;
    alg_voxel_map map;
} solid;

static double distance_to(const geo_mesh *mesh, vec3 p)
{
    double least = INFINITY;
    for (size_t f = 0; f < mesh->face_count; f++) {
        least = fmin(least, vec3_distance2(p, geo_triangle_closest(geo_mesh_triangle(mesh, f), p)));
    }
    return sqrt(least);
}

/**
 * Returns layers by distance: coarse, but negative outside, and 0 in all voxels that the surface
 * may meet.
 */
static int solid_layer(const void *context, uint32_t x, uint32_t y, uint32_t z)
{
    const solid *const s = context;
    const vec3 centre = alg_voxel_middle(&s->map.grid, x, y, z);
    const double d = distance_to(&s->mesh, centre) / s->map.grid.edge;
    const int layer = d < 0.87 ? 0 : d < 1.8 ? 1 : d < 2.7 ? 2 : 3;
    return geo_surface_contains(&s->surface, centre) ? layer : -layer;
}

static void open_solid(solid *s)
{
    *s = (solid){.mesh = shape_join(shape_join(shape_ball((vec3){0, 0, 0}, 1, 3),
                                               shape_reverse(shape_ball((vec3){0, 0, 0}, 0.6, 2))),
                                    shape_box((vec3){1.2, -0.3, -0.4}, (vec3){1.9, 0.5, 0.2}))};
    assert_ok(geo_surface_build(&s->mesh, &s->arena, &s->surface, ERR));
    assert_ok(alg_voxel_grid_place(geo_mesh_box(&s->mesh), 21, 3, &s->map.grid, ERR));
    s->map = map_dense(&s->map.grid, 3, solid_layer, s, &s->arena);
}

static void close_solid(solid *s)
{
    geo_mesh_release(&s->mesh);
    base_arena_release(&s->arena);
}

Test(distances, are_those_of_all_triangles)
{
    solid s;
    open_solid(&s);
    for (int blocked = 0; blocked < 2; blocked++) {
        const alg_voxel_map map = blocked ? map_blocked(&s.map, &s.arena) : s.map;
        for (uint32_t outward = 1; outward < 3; outward++) {
            alg_voxel_distances d;
            assert_ok(alg_voxel_distances_build(&s.surface, &map, outward, &s.arena, &d, ERR));
            size_t inside = 0, outside = 0, unknown = 0;
            const uint32_t *const n = map.grid.size;
            for (uint32_t i = 0; i < alg_voxel_grid_count(&map.grid); i++) {
                const uint32_t x = i % n[0], y = i / n[0] % n[1], z = i / n[0] / n[1];
                const float got = alg_voxel_distance(&d, x, y, z);
                if (alg_voxel_layer(&map, x, y, z) < -(int)outward) {
                    cr_assert(isnan(got), "%u %u %u", x, y, z);
                    unknown++;
                    continue;
                }
                const vec3 centre = alg_voxel_middle(&map.grid, x, y, z);
                const double far = distance_to(&s.mesh, centre);
                const bool in = geo_surface_contains(&s.surface, centre);
                cr_assert_eq(got, (float)(in ? -far : far), "%u %u %u: %g", x, y, z, (double)got);
                inside += in;
                outside += !in;
            }
            cr_assert(inside > 1000 && outside > 1000 && unknown > 1000, "%zu %zu %zu", inside,
                      outside, unknown);
        }
    }
    close_solid(&s);
}

/** Tests a hollow whose layers are all those of the inside: the sign must follow the solid. */
Test(distances, a_hollow_with_layers_of_the_inside_is_outside)
{
    solid s;
    open_solid(&s);
    const uint32_t *const n = s.map.grid.size;
    uint32_t at[3];
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = (uint32_t)alg_voxel_coordinate(&s.map.grid, axis, 0);
    }
    int8_t *const value = &s.map.values[((size_t)at[2] * n[1] + at[1]) * n[0] + at[0]];
    cr_assert_lt(*value, 0);
    *value = (int8_t) - *value;
    alg_voxel_distances d;
    assert_ok(alg_voxel_distances_build(&s.surface, &s.map, 1, &s.arena, &d, ERR));
    cr_assert_gt(alg_voxel_distance(&d, at[0], at[1], at[2]), 0);
    close_solid(&s);
}

/** Tests a cube whose upper corner is in the last block of the grid. */
Test(distances, the_last_block_is_measured)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1);
    SCOPED_ARENA arena = {0};
    geo_surface surface;
    alg_voxel_grid grid;
    SCOPED_BITS bits;
    alg_voxel_map map;
    alg_voxel_distances d;
    uint64_t tests;
    const alg_voxel_surface_options options = {.generator = ALG_VOXEL_OURS};
    assert_ok(geo_surface_build(&cube, &arena, &surface, ERR));
    assert_ok(alg_voxel_grid_place(geo_mesh_box(&cube), 16, 3, &grid, ERR));
    assert_ok(alg_voxel_bits_create(grid.size, &bits, ERR));
    assert_ok(alg_voxel_surface_mark(&cube, &grid, &options, &bits, &tests, ERR));
    assert_ok(alg_voxel_map_build(&grid, &bits,
                                  &(alg_voxel_map_options){.layers = 2, .storage = ALG_VOXEL_DENSE},
                                  &arena, &map, ERR));
    assert_ok(alg_voxel_distances_build(&surface, &map, 1, &arena, &d, ERR));
    /* 17 voxels after 3 of padding: the middle of voxel 19 is in the corner. */
    for (uint32_t i = 16; i <= 20; i++) {
        const double inside = ((double)i - 19) * grid.edge;
        const double want = i <= 19 ? inside : sqrt(3) * inside;
        cr_assert_float_eq((double)alg_voxel_distance(&d, i, i, i), want, 1e-6, "voxel %u", i);
    }
}

Test(distances, interpolation_is_exact_for_products_of_coordinates)
{
    base_random random = base_random_seed(7);
    const alg_voxel_grid grid = {
        .corner = {0.5, -1, 2}, .edge = 0.25, .padding = 2, .size = {12, 9, 17}};
    static float values[2 * 2 * 3 * 512];
    static uint32_t blocks[12];
    const alg_voxel_map map = {.grid = grid};
    const alg_voxel_distances d = {
        .map = &map, .blocks = blocks, .values = values, .block_count = {2, 2, 3}};
    for (uint32_t b = 0; b < 12; b++) {
        blocks[b] = 11 - b; /* not in the order of the blocks */
        for (uint32_t i = 0; i < 512; i++) {
            const vec3 c = alg_voxel_middle(&grid, b % 2 * 8 + i % 8, b / 2 % 2 * 8 + i / 8 % 8,
                                            b / 4 * 8 + i / 64);
            values[blocks[b] * 512 + i] = (float)(1 + c.x - 2 * c.y + 0.5 * c.z + c.x * c.y * c.z);
        }
    }
    for (int k = 0; k < 1000; k++) {
        const vec3 p = {base_random_range(&random, 0.25, 2.6),
                        base_random_range(&random, -1.3, 0.6),
                        base_random_range(&random, 1.7, 5.6)};
        vec3 g;
        const double value = alg_voxel_distances_at(&d, p, &g);
        cr_assert_float_eq(value, 1 + p.x - 2 * p.y + 0.5 * p.z + p.x * p.y * p.z, 1e-5);
        const vec3 want = {1 + p.y * p.z, -2 + p.x * p.z, 0.5 + p.x * p.y};
        cr_assert(vec3_distance(g, want) < 1e-4, "%g %g %g, not %g %g %g", g.x, g.y, g.z, want.x,
                  want.y, want.z);
    }
}

Test(distances, out_of_memory_is_an_error)
{
    solid s;
    open_solid(&s);
    alg_voxel_distances d;
    base_arena arena = {0};
    cr_assert_geq(COUNT_FAILURES(alg_voxel_distances_build(&s.surface, &s.map, 1, &arena, &d, ERR),
                                 base_arena_release(&arena)),
                  1);
    close_solid(&s);
}

/* --- Clearance -------------------------------------------------------------------------------- */

enum { CELL = ALG_VOXEL_CELL };

/** Only the voxel `context` has layer 0. */
static int one_voxel(const void *context, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t *const v = context;
    return x == v[0] && y == v[1] && z == v[2] ? 0 : -1;
}

/** Returns random layers: a few voxels of layers -1 to 2, except in the outermost voxels. */
static int sparse(const void *context, uint32_t x, uint32_t y, uint32_t z)
{
    const alg_voxel_grid *const grid = context;
    const uint32_t *const n = grid->size;
    base_random random = base_random_seed((z * n[1] + y) * n[0] + x + 1000 * n[0]);
    const bool inside = x > 0 && y > 0 && z > 0 && x + 1 < n[0] && y + 1 < n[1] && z + 1 < n[2];
    return inside && base_random_below(&random, 600) == 0 ? (int)base_random_below(&random, 4) - 1
                                                          : -3;
}

static alg_voxel_clearance build(const alg_voxel_map *map, int32_t least, base_arena *arena)
{
    alg_voxel_clearance c;
    assert_ok(alg_voxel_clearance_build(map, least, arena, &c, ERR));
    return c;
}

static int at(const alg_voxel_clearance *c, uint32_t x, uint32_t y, uint32_t z)
{
    return c->cells[((size_t)z * c->count[1] + y) * c->count[0] + x];
}

Test(clearance, of_one_voxel_by_hand)
{
    const alg_voxel_grid grid = {.edge = 1, .padding = 1, .size = {30, 9, 12}};
    SCOPED_ARENA arena = {0};
    const uint32_t voxel[3] = {5, 1, 6};
    const alg_voxel_map map = map_dense(&grid, 1, one_voxel, voxel, &arena);
    const alg_voxel_clearance c = build(&map, 0, &arena);
    cr_assert(c.count[0] == 8 && c.count[1] == 3 && c.count[2] == 3);
    cr_assert_eq(at(&c, 1, 0, 1), 0, "its own cell");
    cr_assert_eq(at(&c, 0, 0, 1), 1 + 16 * 1, "voxel 4 is between");
    cr_assert_eq(at(&c, 2, 0, 1), 1 + 16 * 2, "voxels 6 and 7 are between");
    cr_assert_eq(at(&c, 1, 0, 0), 1 + 16 * 2, "along z");
    cr_assert_eq(at(&c, 1, 2, 1), 1 + 16 * 6, "along y");
    cr_assert_eq(at(&c, 2, 0, 0), 1 + 45, "16 sqrt(8), rounded down");
    cr_assert_eq(at(&c, 5, 0, 1), 1 + 16 * 14);
    cr_assert_eq(at(&c, 6, 0, 1), 1 + 16 * 16, "18 voxels, cut");
}

/**
 * Tests voxels beyond the slabs of a thread: threads take 16 slabs of cells at a time, 64 voxels
 * along z.
 */
Test(clearance, of_voxels_beyond_the_slabs_of_a_thread)
{
    const alg_voxel_grid grid = {.edge = 1, .padding = 1, .size = {9, 9, 80}};
    SCOPED_ARENA arena = {0};
    const uint32_t behind[3] = {4, 4, 66}, before[3] = {4, 4, 61};
    const alg_voxel_map maps[] = {map_dense(&grid, 1, one_voxel, behind, &arena),
                                  map_dense(&grid, 1, one_voxel, before, &arena)};
    const alg_voxel_clearance a = build(&maps[0], 0, &arena), b = build(&maps[1], 0, &arena);
    cr_assert(at(&a, 1, 1, 16) == 0 && at(&a, 1, 1, 15) == 1 + 16 * 2 &&
              at(&a, 1, 1, 14) == 1 + 16 * 6);
    cr_assert(at(&b, 1, 1, 15) == 0 && at(&b, 1, 1, 16) == 1 + 16 * 2 &&
              at(&b, 1, 1, 17) == 1 + 16 * 6);
}

/** Returns the gap between a cell and a voxel along an axis. */
static double gap_along(uint32_t cell, uint32_t i)
{
    const double first = (double)cell * CELL, end = first + CELL;
    return fmax(0, fmax(first - (i + 1.0), i - end));
}

/** Returns the expected value, by all voxels of the map. */
static int expected(const alg_voxel_map *map, int32_t least, const uint32_t cell[3])
{
    double best = 16 * 16;
    bool holds = false;
    for (uint32_t z = 0; z < map->grid.size[2]; z++) {
        for (uint32_t y = 0; y < map->grid.size[1]; y++) {
            for (uint32_t x = 0; x < map->grid.size[0]; x++) {
                if (alg_voxel_layer(map, x, y, z) >= least) {
                    const double a = gap_along(cell[0], x), b = gap_along(cell[1], y),
                                 c = gap_along(cell[2], z);
                    best = fmin(best, a * a + b * b + c * c);
                    holds = holds ||
                            (x / CELL == cell[0] && y / CELL == cell[1] && z / CELL == cell[2]);
                }
            }
        }
    }
    return holds ? 0 : 1 + (int)(16 * sqrt(best));
}

Test(clearance, equals_a_plain_loop)
{
    size_t holding = 0, cut = 0, between = 0;
    for (uint32_t seed = 0; seed < 6; seed++) {
        const alg_voxel_grid grid = {
            .edge = 1, .padding = 1, .size = {21 + seed, 11 + 7 * (seed % 3), 70 - 9 * seed}};
        SCOPED_ARENA arena = {0};
        const alg_voxel_map dense = map_dense(&grid, 3, sparse, &grid, &arena);
        const alg_voxel_map blocked = map_blocked(&dense, &arena);
        const int32_t least = seed % 2 ? 0 : -1;
        const alg_voxel_clearance c = build(&dense, least, &arena);
        const alg_voxel_clearance same = build(&blocked, least, &arena);
        const size_t count = (size_t)c.count[0] * c.count[1] * c.count[2];
        cr_assert_eq(memcmp(c.cells, same.cells, count * sizeof *c.cells), 0);
        for (size_t i = 0; i < count; i++) {
            const uint32_t cell[3] = {(uint32_t)(i % c.count[0]),
                                      (uint32_t)(i / c.count[0] % c.count[1]),
                                      (uint32_t)(i / c.count[0] / c.count[1])};
            const int want = expected(&dense, least, cell);
            cr_assert_eq(c.cells[i], want, "seed %u, cell %zu: %d, not %d", seed, i, c.cells[i],
                         want);
            holding += want == 0;
            cut += want == 257;
            between += want > 0 && want < 257;
        }
    }
    cr_assert(holding > 20 && between > 1000, "%zu %zu %zu", holding, between, cut);
}

static int full(const void *context, uint32_t x, uint32_t y, uint32_t z)
{
    (void)context;
    (void)x;
    (void)y;
    (void)z;
    return 1;
}

Test(clearance, of_a_full_and_an_empty_map)
{
    const alg_voxel_grid grid = {.edge = 1, .padding = 1, .size = {6, 5, 5}};
    SCOPED_ARENA arena = {0};
    const alg_voxel_map map = map_dense(&grid, 1, full, NULL, &arena);
    const alg_voxel_clearance all = build(&map, 1, &arena), none = build(&map, 2, &arena);
    for (int i = 0; i < 8; i++) {
        cr_assert(all.cells[i] == 0 && none.cells[i] == 257, "cell %d", i);
    }
}
