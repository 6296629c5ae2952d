#include "algorithms/voxel/surface.h"

#include "algorithms/tests/shapes.h"
#include "algorithms/voxel/tests/voxels.h"
#include "base/tests/support.h"
#include "base/memory.h"

#include <stdlib.h>

static const alg_voxel_navigation navigations[] = {ALG_VOXEL_BOX, ALG_VOXEL_FIRST, ALG_VOXEL_SECOND,
                                                   ALG_VOXEL_AUTO};
enum { NAVIGATIONS = 4 };

static alg_voxel_bits make_bits(const alg_voxel_grid *grid)
{
    alg_voxel_bits bits;
    assert_ok(alg_voxel_bits_create(grid->size, &bits, ERR));
    return bits;
}

/* --- One triangle ----------------------------------------------------------------------------- */

/** The voxels of a visit; their order is checked when they arrive. */
typedef struct visited {
    alg_voxel_bits bits;
    uint64_t count;
    uint32_t last[3];
} visited;

static void take(void *context, uint32_t x, uint32_t y, uint32_t z)
{
    visited *const v = context;
    const uint32_t *const l = v->last;
    cr_assert(x < v->bits.size[0] && y < v->bits.size[1] && z < v->bits.size[2]);
    cr_assert(v->count == 0 || x > l[0] || (x == l[0] && (y > l[1] || (y == l[1] && z > l[2]))),
              "%u %u %u after %u %u %u", x, y, z, l[0], l[1], l[2]);
    alg_voxel_bit_set(&v->bits, x, y, z);
    v->count++;
    v->last[0] = x;
    v->last[1] = y;
    v->last[2] = z;
}

static visited visit(geo_triangle t, const alg_voxel_grid *grid, alg_voxel_navigation navigation,
                     uint64_t *tests)
{
    visited v = {.bits = make_bits(grid)};
    *tests = alg_voxel_surface_visit(t, grid, navigation, take, &v);
    return v;
}

static bool bits_equal(const alg_voxel_bits *a, const alg_voxel_bits *b)
{
    return memcmp(a->words, b->words, alg_voxel_bits_words(a) * sizeof *a->words) == 0;
}

/** Returns all voxels of a mesh, by the oracle. */
static alg_voxel_bits expect_mesh(const geo_mesh *mesh, const alg_voxel_grid *grid)
{
    alg_voxel_bits bits = make_bits(grid);
    mark_slowly(mesh, grid, &bits);
    return bits;
}

static alg_voxel_bits expect(geo_triangle t, const alg_voxel_grid *grid)
{
    static const geo_face face = {{0, 1, 2}};
    return expect_mesh(&(geo_mesh){t.p, 3, &face, 1}, grid);
}

/**
 * Checks that all navigations give the oracle's voxels, and that each makes no more tests than the
 * one before.
 */
static void check_triangle(geo_triangle t, const alg_voxel_grid *grid, const char *what, int number)
{
    SCOPED_BITS expected = expect(t, grid);
    uint64_t before = UINT64_MAX;
    for (int n = 0; n < NAVIGATIONS; n++) {
        uint64_t tests;
        visited v = visit(t, grid, navigations[n], &tests);
        cr_assert(bits_equal(&v.bits, &expected),
                  "%s %d: navigation %d gives %llu voxels, the oracle %llu", what, number, n,
                  (unsigned long long)v.count, (unsigned long long)alg_voxel_bits_count(&expected));
        cr_assert(navigations[n] == ALG_VOXEL_AUTO || tests <= before,
                  "%s %d: navigation %d tests %llu, the one before %llu", what, number, n,
                  (unsigned long long)tests, (unsigned long long)before);
        before = tests;
        alg_voxel_bits_release(&v.bits);
    }
}

static alg_voxel_grid place(vec3 lo, vec3 hi, uint32_t resolution, uint32_t padding)
{
    return grid_on_planes((geo_box){lo, hi}, resolution, padding);
}

Test(voxel_surface, random_triangles_in_all_navigations)
{
    const alg_voxel_grid grid = place((vec3){0, 0, 0}, (vec3){6, 6, 6}, 6, 1);
    base_random random = base_random_seed(1);
    for (int kind = 0; kind < HARD_KINDS; kind++) {
        for (int i = 0; i < 250; i++) {
            check_triangle(hard_triangle(&random, kind, 6), &grid, "kind", kind);
        }
    }
}

Test(voxel_surface, triangles_of_finer_and_of_uneven_grids)
{
    /* Planes at multiples of 3/7, which rounding displaces slightly; and of 0.3 on a box whose
     * length is not a multiple of 0.3. */
    const alg_voxel_grid grids[] = {place((vec3){0, 0, 0}, (vec3){6, 6, 6}, 14, 1),
                                    place((vec3){-0.1, -0.2, -1}, (vec3){6.2, 6.05, 6}, 21, 2)};
    base_random random = base_random_seed(2);
    for (int g = 0; g < 2; g++) {
        for (int i = 0; i < 140; i++) {
            check_triangle(hard_triangle(&random, i % HARD_KINDS, 6), &grids[g], "grid", g);
        }
    }
}

Test(voxel_surface, far_tiny_and_huge_triangles)
{
    static const struct {
        double offset, scale;
    } placements[] = {
        {1e15, 1}, {-1e15, 4}, {1e6, 1e-9}, {0, 1e-60}, {0, 1e14}, {0.3, 2e-15},
    };
    base_random random = base_random_seed(3);
    for (size_t p = 0; p < sizeof placements / sizeof *placements; p++) {
        const vec3 lo = {placements[p].offset, placements[p].offset, -placements[p].offset};
        const vec3 size = {6, 6, 6};
        const vec3 hi = vec3_madd(lo, placements[p].scale, size);
        const alg_voxel_grid grid = place(lo, hi, 6, 1);
        for (int i = 0; i < 140; i++) {
            geo_triangle t = hard_triangle(&random, i % HARD_KINDS, 6);
            for (int k = 0; k < 3; k++) {
                t.p[k] = vec3_madd(lo, placements[p].scale, t.p[k]);
            }
            check_triangle(t, &grid, "placement", (int)p);
        }
    }
}

Test(voxel_surface, triangles_that_are_partly_beyond_the_grid)
{
    /* No room for the padding: the outermost planes are 2 and 4, 1 and 5. */
    const alg_voxel_grid grids[] = {place((vec3){2.5, 2.5, 2.5}, (vec3){3.5, 3.5, 3.5}, 2, 1),
                                    place((vec3){2, 2, 2}, (vec3){4, 4, 4}, 2, 1)};
    base_random random = base_random_seed(6);
    for (int g = 0; g < 2; g++) {
        for (int i = 0; i < 1400; i++) {
            geo_triangle t = hard_triangle(&random, i % HARD_KINDS, 6);
            if (i % 5 == 0) {
                /* A corner so far away that positions along the grid lose digits. */
                t.p[i % 3] = vec3_scale(0x1p40, vec3_sub(t.p[i % 3], (vec3){3, 3, 3}));
            }
            check_triangle(t, &grids[g], "grid", g);
        }
    }
}

Test(voxel_surface, the_tests_of_a_slanted_triangle)
{
    /* The plane z = x in a cube of 8 voxels, from y = 0.25 to 7.75, with corners inside of voxels:
     * columns of one to three voxels, while the box has 512. */
    const alg_voxel_grid grid = place((vec3){0, 0, 0}, (vec3){8, 8, 8}, 8, 1);
    const geo_triangle t = {{{0.25, 0.25, 0.125}, {7.75, 0.25, 7.625}, {0.25, 7.75, 0.125}}};
    uint64_t tests[NAVIGATIONS];
    for (int n = 0; n < NAVIGATIONS; n++) {
        visited v = visit(t, &grid, navigations[n], &tests[n]);
        alg_voxel_bits_release(&v.bits);
    }
    cr_assert_eq(tests[0], 512);
    cr_assert(tests[1] < 3 * 44 && tests[2] <= tests[1] && tests[3] <= tests[1],
              "%llu, %llu, %llu tests", (unsigned long long)tests[1], (unsigned long long)tests[2],
              (unsigned long long)tests[3]);
}

Test(voxel_surface, a_steep_column_is_tested_at_its_ends)
{
    /* The plane z = 26 x - 6: z is 20 between the two pixels, so both have the voxels on either
     * side. */
    const alg_voxel_grid grid = place((vec3){0, 0, 0}, (vec3){40, 40, 40}, 40, 1);
    const geo_triangle t = {{{0.25, 0.25, 0.5}, {1.75, 0.25, 39.5}, {0.25, 0.75, 0.5}}};
    uint64_t first, second;
    visited a = visit(t, &grid, ALG_VOXEL_FIRST, &first);
    visited b = visit(t, &grid, ALG_VOXEL_SECOND, &second);
    cr_assert_eq(a.count, 42);
    cr_assert_eq(b.count, 42);
    cr_assert(second < 16 && first >= 42, "%llu and %llu tests", (unsigned long long)first,
              (unsigned long long)second);
    alg_voxel_bits_release(&a.bits);
    alg_voxel_bits_release(&b.bits);
}

/* --- Meshes ----------------------------------------------------------------------------------- */

static alg_voxel_bits mark(const geo_mesh *mesh, const alg_voxel_grid *grid,
                           alg_voxel_surface_options options, uint64_t *tests)
{
    alg_voxel_bits bits = make_bits(grid);
    assert_ok(alg_voxel_surface_mark(mesh, grid, &options, &bits, tests, ERR));
    return bits;
}

/** Checks that every generator and navigation gives the oracle's voxels. Releases the mesh. */
static void check_mesh(geo_mesh mesh, uint32_t resolution, const char *what, int number)
{
    const geo_box box = geo_mesh_box(&mesh);
    const alg_voxel_grid grid = place(box.lo, box.hi, resolution, 1);
    SCOPED_BITS expected = expect_mesh(&mesh, &grid);
    for (int generator = ALG_VOXEL_OURS; generator <= ALG_VOXEL_OLD; generator++) {
        for (int n = 0; n < (generator == ALG_VOXEL_PAPER ? NAVIGATIONS : 1); n++) {
            uint64_t tests;
            const alg_voxel_surface_options options = {.generator = (alg_voxel_generator)generator,
                                                       .navigation = navigations[n]};
            SCOPED_BITS bits = mark(&mesh, &grid, options, &tests);
            cr_assert(bits_equal(&bits, &expected),
                      "%s %d: generator %d, navigation %d give %llu voxels, the oracle %llu", what,
                      number, generator, n, (unsigned long long)alg_voxel_bits_count(&bits),
                      (unsigned long long)alg_voxel_bits_count(&expected));
        }
    }
    geo_mesh_release(&mesh);
}

Test(voxel_surface, meshes_in_all_generators)
{
    base_random random = base_random_seed(4);
    check_mesh(shape_box((vec3){1, 2, 3}, (vec3){5, 4, 4}), 8, "a box on planes", 0);
    check_mesh(shape_box((vec3){1, 2, 3}, (vec3){5, 4, 4}), 7, "a box beside planes", 0);
    check_mesh(shape_ball((vec3){0.3, 0, 0}, 1, 3), 16, "a ball", 0);
    check_mesh(shape_torus(8, 2, 0.75), 12, "a torus", 0);
    for (int i = 0; i < 6; i++) {
        check_mesh(shape_soup(&random, 12, i % 2 == 0), 9, "a soup", i);
        check_mesh(shape_cells(&random, base_random_u64(&random)), 4 * (1 + (uint32_t)i % 2),
                   "cells", i);
    }
    check_mesh(shape_move(shape_ball((vec3){0.3, 0, 0}, 1, 3), shape_pose(&random, 1), 1e-3), 11,
               "a turned ball", 0);
}

Test(voxel_surface, a_cube_of_one_voxel_touches_all_around_it)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 0.5);
    const alg_voxel_grid grid = place((vec3){-0.5, -0.5, -0.5}, (vec3){0.5, 0.5, 0.5}, 1, 1);
    uint64_t tests;
    SCOPED_BITS bits =
        mark(&cube, &grid, (alg_voxel_surface_options){.generator = ALG_VOXEL_PAPER}, &tests);
    cr_assert_eq(alg_voxel_bits_count(&bits), 27);
}

Test(voxel_surface, axes_that_change_places_change_those_of_the_voxels)
{
    base_random random = base_random_seed(5);
    SCOPED_MESH mesh = shape_move(shape_torus(9, 2, 0.75), shape_pose(&random, 0), 1);
    geo_mesh_builder permuted = shape_copy(&mesh);
    for (size_t v = 0; v < mesh.vertex_count; v++) {
        const vec3 p = mesh.vertices[v];
        permuted.vertices[v] = (vec3){p.y, p.z, p.x};
    }
    const geo_mesh turned = geo_mesh_builder_view(&permuted);
    const geo_box box = geo_mesh_box(&mesh), turned_box = geo_mesh_box(&turned);
    const alg_voxel_grid grid = place(box.lo, box.hi, 20, 1);
    const alg_voxel_grid turned_grid = place(turned_box.lo, turned_box.hi, 20, 1);
    for (int n = 0; n < NAVIGATIONS; n++) {
        uint64_t tests;
        const alg_voxel_surface_options options = {.generator = ALG_VOXEL_PAPER,
                                                   .navigation = navigations[n]};
        SCOPED_BITS a = mark(&mesh, &grid, options, &tests);
        SCOPED_BITS b = mark(&turned, &turned_grid, options, &tests);
        for (uint32_t z = 0; z < grid.size[2]; z++) {
            for (uint32_t y = 0; y < grid.size[1]; y++) {
                for (uint32_t x = 0; x < grid.size[0]; x++) {
                    cr_assert_eq(alg_voxel_bit(&a, x, y, z), alg_voxel_bit(&b, y, z, x),
                                 "navigation %d: %u %u %u", n, x, y, z);
                }
            }
        }
    }
    geo_mesh_builder_release(&permuted);
}

/* --- The old generator ------------------------------------------------------------------------ */

/**
 * Returns the voxels of the grid, including one ring of padding, whose enlarged boxes meet the mesh
 * by the oracle.
 */
static alg_voxel_bits expect_tolerance(const geo_mesh *mesh, const alg_voxel_grid *grid,
                                       double tolerance)
{
    alg_voxel_bits bits;
    assert_ok(alg_voxel_bits_create(grid->size, &bits, ERR));
    const double d = tolerance * grid->edge;
    const vec3 larger = {d, d, d};
    for (uint32_t z = grid->padding - 1; z <= grid->size[2] - grid->padding; z++) {
        for (uint32_t y = grid->padding - 1; y <= grid->size[1] - grid->padding; y++) {
            for (uint32_t x = grid->padding - 1; x <= grid->size[0] - grid->padding; x++) {
                geo_box box = alg_voxel_box(grid, x, y, z);
                box = (geo_box){vec3_sub(box.lo, larger), vec3_add(box.hi, larger)};
                bool met = false;
                for (size_t f = 0; f < mesh->face_count && geo_box_overlap(box, box); f++) {
                    met = met || oracle_meets(geo_mesh_triangle(mesh, f), box);
                }
                if (met) {
                    alg_voxel_bit_set(&bits, x, y, z);
                }
            }
        }
    }
    return bits;
}

Test(voxel_surface, a_tolerance_makes_excess_and_holes)
{
    SCOPED_MESH mesh = shape_ball((vec3){0.3, 0, 0}, 1, 2);
    const geo_box box = geo_mesh_box(&mesh);
    const alg_voxel_grid grid = place(box.lo, box.hi, 10, 2);
    static const double tolerances[] = {-0.75, -0.5, -0.25, 0, 0.25, 1};
    uint64_t before = 0;
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++) {
        uint64_t tests;
        const alg_voxel_surface_options options = {.generator = ALG_VOXEL_OLD,
                                                   .tolerance = tolerances[i]};
        SCOPED_BITS bits = mark(&mesh, &grid, options, &tests);
        SCOPED_BITS expected = expect_tolerance(&mesh, &grid, tolerances[i]);
        const uint64_t count = alg_voxel_bits_count(&bits);
        cr_assert(bits_equal(&bits, &expected), "tolerance %g: %llu voxels, the oracle %llu",
                  tolerances[i], (unsigned long long)count,
                  (unsigned long long)alg_voxel_bits_count(&expected));
        cr_assert_eq(tests, (grid.size[0] - 2) * (grid.size[1] - 2) * (grid.size[2] - 2));
        cr_assert(i == 0 ? count == 0 : count >= before);
        before = count;
    }
}

Test(voxel_surface, out_of_memory_is_an_error)
{
    SCOPED_MESH mesh = shape_ball((vec3){0, 0, 0}, 1, 5);
    const alg_voxel_grid grid = place((vec3){-1, -1, -1}, (vec3){1, 1, 1}, 4, 1);
    SCOPED_BITS bits = make_bits(&grid);
    for (int generator = ALG_VOXEL_OURS; generator <= ALG_VOXEL_OLD; generator++) {
        const alg_voxel_surface_options options = {.generator = (alg_voxel_generator)generator};
        uint64_t tests;
        const size_t failures = COUNT_FAILURES(
            alg_voxel_surface_mark(&mesh, &grid, &options, &bits, &tests, ERR), (void)0);
        const bool allocates = generator != ALG_VOXEL_PAPER;
        cr_assert_eq(failures >= 3, allocates, "generator %d: %zu", generator, failures);
    }
}

/* --- Rows on all CPUs ------------------------------------------------------------------------- */

static uint64_t mark_rows(const geo_mesh *mesh, const alg_voxel_grid *grid, alg_voxel_bits *bits)
{
    uint64_t tests = 0;
    memset(bits->words, 0, alg_voxel_bits_words(bits) * sizeof *bits->words);
    const alg_voxel_surface_options ours = {.generator = ALG_VOXEL_OURS};
    assert_ok(alg_voxel_surface_mark(mesh, grid, &ours, bits, &tests, ERR));
    return tests;
}

static void compare(const alg_voxel_bits *found, const alg_voxel_bits *expected, const char *what,
                    uint64_t seed)
{
    const uint32_t *const size = found->size;
    for (size_t v = 0; v < (size_t)size[0] * size[1] * size[2]; v++) {
        const uint32_t x = (uint32_t)(v % size[0]), y = (uint32_t)(v / size[0] % size[1]);
        const uint32_t z = (uint32_t)(v / size[0] / size[1]);
        const bool set = alg_voxel_bit(found, x, y, z);
        cr_assert_eq(set, alg_voxel_bit(expected, x, y, z), "%s, seed %lu: voxel %u %u %u is %s",
                     what, seed, x, y, z, set ? "too many" : "missing");
    }
    for (size_t row = 0; row < (size_t)size[1] * size[2]; row++) {
        const uint64_t last = found->words[(row + 1) * found->row_words - 1];
        cr_assert(size[0] % 64 == 0 || last >> size[0] % 64 == 0, "bits beyond the grid");
    }
}

/** Checks the exact voxels of one triangle, and of the two other orders of its corners. */
static void check_rows(geo_triangle t, const alg_voxel_grid *grid, const char *what, uint64_t seed)
{
    static const geo_face faces[3] = {{{0, 1, 2}}, {{1, 2, 0}}, {{2, 1, 0}}};
    SCOPED_BITS found = make_bits(grid), expected = make_bits(grid);
    geo_mesh mesh = {t.p, 3, faces, 1};
    mark_slowly(&mesh, grid, &expected);
    for (int i = 0; i < 3; i++) {
        mesh.faces = &faces[i];
        mark_rows(&mesh, grid, &found);
        compare(&found, &expected, what, seed);
    }
}

/* --- Known values ----------------------------------------------------------------------------- */

Test(surface_rows, voxels_are_closed)
{
    const alg_voxel_grid grid = {.edge = 1, .padding = 1, .size = {6, 6, 6}};
    SCOPED_BITS bits = make_bits(&grid);
    static const geo_face face = {{0, 1, 2}};
    /* A point on a corner of voxels is in eight voxels, on an edge in four, on a side in two. */
    static const vec3 points[4] = {{1, 2, 3}, {1, 2, 2.5}, {1.5, 2, 2.5}, {1.5, 2.5, 2.5}};
    for (int i = 0; i < 4; i++) {
        const vec3 corners[3] = {points[i], points[i], points[i]};
        mark_rows(&(geo_mesh){corners, 3, &face, 1}, &grid, &bits);
        cr_assert_eq(alg_voxel_bits_count(&bits), 8u >> i, "point %d", i);
        cr_assert(alg_voxel_bit(&bits, 2, 3, 3));
    }
    /* Half of a square of 2 x 2 on a plane: of 4 x 4 voxels on either side six lie beyond its long
     * edge, but three of these have corners on it. */
    const vec3 flat[3] = {{1, 1, 2}, {3, 1, 2}, {1, 3, 2}};
    mark_rows(&(geo_mesh){flat, 3, &face, 1}, &grid, &bits);
    cr_assert_eq(alg_voxel_bits_count(&bits), 2 * (16 - 3), "%lu", alg_voxel_bits_count(&bits));
    cr_assert(alg_voxel_bit(&bits, 3, 3, 2), "a corner on the long edge");
    cr_assert(!alg_voxel_bit(&bits, 4, 3, 3));
}

Test(surface_rows, voxels_are_tested_only_within_rounding)
{
    const alg_voxel_grid grid = {.edge = 1, .padding = 1, .size = {80, 9, 9}};
    SCOPED_BITS bits = make_bits(&grid);
    static const geo_face face = {{0, 1, 2}};
    const vec3 along[3] = {{0.5, 3.2, 3.3}, {75.5, 3.4, 3.1}, {20, 3.1, 3.9}};
    cr_assert_eq(mark_rows(&(geo_mesh){along, 3, &face, 1}, &grid, &bits), 0);
    cr_assert_eq(alg_voxel_bits_count(&bits), 76);
    /* No triangle is tested unless it is within rounding of corners and edges of voxels: one
     * through the corners (x, x, 3) is tested where it may touch them. */
    const vec3 across[3] = {{1.1, 1.2, 1.3}, {5.4, 6.3, 6.9}, {6.8, 1.9, 4.2}};
    cr_assert_eq(mark_rows(&(geo_mesh){across, 3, &face, 1}, &grid, &bits), 0);
    cr_assert_gt(alg_voxel_bits_count(&bits), 40);
    const vec3 touching[3] = {{0.5, 0.5, 3}, {6.5, 6.5, 3}, {6.5, 0.5, 3}};
    const uint64_t tests = mark_rows(&(geo_mesh){touching, 3, &face, 1}, &grid, &bits);
    cr_assert(tests >= 12 && tests <= 60, "%lu", tests);
}

Test(surface_rows, parts_beyond_the_grid_are_skipped)
{
    const alg_voxel_grid grid = {.corner = {2, 2, 2}, .edge = 0.5, .padding = 1, .size = {5, 6, 7}};
    base_random random = base_random_seed(4);
    for (uint64_t i = 0; i < 200; i++) {
        geo_triangle t;
        for (int k = 0; k < 3; k++) {
            t.p[k] = vec3_add((vec3){3, 3, 3}, shape_point(&random, 4));
        }
        check_rows(t, &grid, "beyond", i);
    }
}

/* --- Comparison with the slow method ---------------------------------------------------------- */

/** Returns a grid whose planes are exact doubles, or rounded, or far from the origin. */
static alg_voxel_grid grid_of_kind(int kind)
{
    alg_voxel_grid grid = {.edge = 1, .padding = 1, .size = {8, 7, 9}};
    if (kind == 1) {
        grid.corner = (vec3){-0.7, 0.1, 0.3};
        grid.edge = 0.1;
    } else if (kind == 2) {
        grid.corner = (vec3){1e6 + 0.1, -3e5, 7};
        grid.edge = 1.0 / 3;
    } else if (kind == 3) {
        grid.corner = (vec3){1e15, -7e14, 1};
        grid.edge = 4;
    } else if (kind == 4) {
        grid.corner = (vec3){-1e-50, 3e-50, 2e-50};
        grid.edge = 1.1e-50;
    }
    return grid;
}

/**
 * Returns a coordinate in the grid: on a plane, beside one, in the middle between two, or anywhere.
 */
static double coordinate_of_kind(const alg_voxel_grid *grid, int axis, uint64_t kind,
                                 base_random *random)
{
    const uint32_t i = 1 + (uint32_t)base_random_below(random, grid->size[axis] - 2);
    const double plane = alg_voxel_plane(grid, axis, i), next = alg_voxel_plane(grid, axis, i + 1);
    const uint64_t beside = base_random_below(random, 3);
    switch (kind) {
    case 0:
        return plane;
    case 1:
        return plane == 0 ? 1e-17 * grid->edge * ((double)beside - 1)
                          : plane * (1 + 0x1p-52 * ((double)beside - 1));
    case 2:
        return beside == 0 ? 0.5 * plane + 0.5 * next : plane;
    default:
        return base_random_range(random, plane, next);
    }
}

static vec3 point_of_kind(const alg_voxel_grid *grid, uint64_t kind, base_random *random)
{
    const double x = coordinate_of_kind(grid, 0, kind, random);
    const double y = coordinate_of_kind(grid, 1, kind, random);
    return (vec3){x, y, coordinate_of_kind(grid, 2, kind, random)};
}

Test(surface_rows, triangles_on_and_beside_planes)
{
    for (uint64_t i = 0; i < 1500; i++) {
        base_random random = base_random_seed(i);
        const alg_voxel_grid grid = grid_of_kind((int)(i % 5));
        const uint64_t kind = i / 5 % 5;
        geo_triangle t;
        for (int k = 0; k < 3; k++) {
            /* The last kind mixes the others. */
            t.p[k] =
                point_of_kind(&grid, kind == 4 ? base_random_below(&random, 4) : kind, &random);
        }
        check_rows(t, &grid, "lattice", i);
    }
}

Test(surface_rows, slivers_segments_and_points)
{
    for (uint64_t i = 0; i < 1000; i++) {
        base_random random = base_random_seed(i);
        const alg_voxel_grid grid = grid_of_kind((int)(i % 4));
        geo_triangle t;
        t.p[0] = point_of_kind(&grid, i / 4 % 4, &random);
        t.p[1] = i / 16 % 8 == 0 ? t.p[0] : point_of_kind(&grid, i / 4 % 4, &random);
        /* The third corner is on the line of the others, up to rounding, or off it by very
         * little. */
        const double at = 0.25 * (double)base_random_below(&random, 5);
        const vec3 way = vec3_sub(t.p[1], t.p[0]);
        t.p[2] = vec3_madd(t.p[0], i % 3 == 0 ? base_random_unit(&random) : at, way);
        t.p[2] = vec3_madd(t.p[2], i % 5 == 0 ? 1e-9 * grid.edge : 0, shape_point(&random, 1));
        check_rows(t, &grid, "sliver", i);
    }
}

Test(surface_rows, tiny_triangles_at_corners_and_edges_of_voxels)
{
    for (uint64_t i = 0; i < 2000; i++) {
        base_random random = base_random_seed(i);
        const alg_voxel_grid grid = grid_of_kind((int)(i % 5));
        const vec3 corner = point_of_kind(&grid, i / 5 % 4, &random);
        const double size = pow(0.1, (double)base_random_below(&random, 16)) * grid.edge;
        geo_triangle t;
        for (int k = 0; k < 3; k++) {
            t.p[k] = vec3_madd(corner, size, shape_point(&random, 0.6));
        }
        check_rows(t, &grid, "tiny", i);
    }
}

Test(surface_rows, small_triangles_between_two_words)
{
    const alg_voxel_grid grid = {
        .corner = {0.1, 0.2, 0.3}, .edge = 0.7, .padding = 1, .size = {135, 8, 8}};
    for (uint64_t i = 0; i < 800; i++) {
        base_random random = base_random_seed(i);
        /* Positions around the planes between words 0 and 1, and 1 and 2; in one to nine voxels. */
        const vec3 middle = {alg_voxel_plane(&grid, 0, i % 2 ? 64 : 128), 3, 3};
        const double size = 0.3 + 2.5 * base_random_unit(&random);
        geo_triangle t;
        for (int k = 0; k < 3; k++) {
            t.p[k] = vec3_madd(middle, size, shape_point(&random, 1));
            t.p[k].y = fmin(fmax(t.p[k].y, 0), 5);
            t.p[k].z = fmin(fmax(t.p[k].z, 0), 5);
        }
        check_rows(t, &grid, "between words", i);
    }
}

/**
 * Checks a whole mesh against the slow method, and against the paper's generator in a finer grid.
 */
static void check_body(geo_mesh mesh, uint32_t resolution, const char *what)
{
    alg_voxel_grid grid;
    SCOPED_BITS expected;
    voxels_of(&mesh, resolution, 1, &grid, &expected);
    SCOPED_BITS found = make_bits(&grid);
    mark_rows(&mesh, &grid, &found);
    compare(&found, &expected, what, resolution);
    alg_voxel_bits_release(&found);
    alg_voxel_bits_release(&expected);

    grid = grid_on_planes(geo_mesh_box(&mesh), 8 * resolution, 1);
    found = make_bits(&grid);
    expected = make_bits(&grid);
    uint64_t tests;
    const alg_voxel_surface_options options = {ALG_VOXEL_PAPER, ALG_VOXEL_SECOND, 0};
    assert_ok(alg_voxel_surface_mark(&mesh, &grid, &options, &expected, &tests, ERR));
    mark_rows(&mesh, &grid, &found);
    compare(&found, &expected, what, grid.size[0]);
    geo_mesh_release(&mesh);
}

Test(surface_rows, of_bodies)
{
    base_random random = base_random_seed(2);
    const geo_pose turned = shape_pose(&random, 5);
    check_body(shape_cube((vec3){0.1, 0.2, 0.3}, 0.5), 16, "cube");
    check_body(shape_box((vec3){0, 0, 0}, (vec3){20, 0.3, 7}), 20, "plate");
    check_body(shape_move(shape_cube((vec3){0, 0, 0}, 1), turned, 1), 16, "turned cube");
    check_body(shape_ball((vec3){0, 0, 0}, 1, 6), 12, "ball");
    check_body(shape_move(shape_ball((vec3){0, 0, 0}, 1, 6), turned, 1e-3), 12, "small ball");
    check_body(shape_move(shape_torus(12, 1, 0.4), turned, 1), 16, "torus");
    check_body(shape_soup(&random, 40, true), 12, "lattice soup");
    check_body(shape_soup(&random, 100, false), 10, "soup");
    for (uint64_t cells = 1; cells < 6; cells++) {
        check_body(shape_cells(&random, base_random_u64(&random)), 4 * (uint32_t)cells, "cells");
    }
}

Test(surface_rows, planes_within_rounding_of_corners)
{
    /* Slopes of a third, and 45 degrees along each axis, through corners of voxels up to the
     * rounding of the body's corners: the sign of a height computed in double is wrong half of the
     * time. */
    for (uint64_t seed = 1; seed <= 12; seed += sweep_step(5)) {
        const double unit = 0.1 * (double)seed;
        geo_mesh_builder wedge = shape_edit(shape_box((vec3){0, 0, -7}, (vec3){18, 9, 7}));
        for (uint32_t v = 0; v < 8; v++) {
            const vec3 p = wedge.vertices[v];
            const double slope = seed % 2 ? 3 : 1;
            const double height = (seed % 3 ? p.x : p.x + p.y) / slope;
            wedge.vertices[v].z = v < 4 ? -height : height;
        }
        geo_mesh mesh = shape_join(geo_mesh_builder_finish(&wedge),
                                   shape_box((vec3){18.2, 0, -20}, (vec3){40, 9, 20}));
        mesh = shape_move(mesh, shape_shift(1000, 0, seed % 2 ? 1e5 : 0), unit);
        check_body(mesh, 40, "wedge");
    }
}

Test(surface_rows, of_scaled_and_mirrored_bodies)
{
    base_random random = base_random_seed(8);
    SCOPED_MESH mesh = shape_move(shape_torus(16, 1, 0.4), shape_pose(&random, 2), 1);
    alg_voxel_grid grid;
    assert_ok(alg_voxel_grid_place(geo_mesh_box(&mesh), 70, 2, &grid, ERR));
    alg_voxel_bits bits = make_bits(&grid), scaled = make_bits(&grid);
    mark_rows(&mesh, &grid, &bits);
    mesh = shape_move(mesh, geo_pose_identity(), 0x1p-9);
    grid.corner = vec3_scale(0x1p-9, grid.corner);
    grid.edge *= 0x1p-9;
    mark_rows(&mesh, &grid, &scaled);
    compare(&scaled, &bits, "scaled", 0);
    alg_voxel_bits_release(&scaled);

    /* x and z are exchanged, so that rows have another direction relative to the body. */
    geo_mesh_builder swapped = shape_edit(mesh);
    for (size_t v = 0; v < swapped.vertex_count; v++) {
        const vec3 p = swapped.vertices[v];
        swapped.vertices[v] = (vec3){p.z, p.y, p.x};
    }
    mesh = geo_mesh_builder_finish(&swapped);
    const alg_voxel_grid turned = {{grid.corner.z, grid.corner.y, grid.corner.x},
                                   grid.edge,
                                   grid.padding,
                                   {grid.size[2], grid.size[1], grid.size[0]}};
    SCOPED_BITS other = make_bits(&turned);
    mark_rows(&mesh, &turned, &other);
    cr_assert_gt(alg_voxel_bits_count(&bits), 5000);
    for (uint32_t z = 0; z < grid.size[2]; z++) {
        for (uint32_t y = 0; y < grid.size[1]; y++) {
            for (uint32_t x = 0; x < grid.size[0]; x++) {
                cr_assert_eq(alg_voxel_bit(&bits, x, y, z), alg_voxel_bit(&other, z, y, x));
            }
        }
    }
    alg_voxel_bits_release(&bits);
}
