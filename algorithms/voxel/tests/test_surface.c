#include "algorithms/voxel/surface.h"

#include "algorithms/tests/shapes.h"
#include "algorithms/voxel/tests/triangle_boxes.h"
#include "algorithms/voxel/tests/voxels.h"
#include "base/memory.h"

static const alg_voxel_navigation navigations[] = {ALG_VOXEL_BOX, ALG_VOXEL_FIRST, ALG_VOXEL_SECOND,
                                                   ALG_VOXEL_AUTO};
enum { NAVIGATIONS = 4 };

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
    alg_voxel_bits_row(&v->bits, y, z)[x / 64] |= (uint64_t)1 << x % 64;
    v->count++;
    v->last[0] = x;
    v->last[1] = y;
    v->last[2] = z;
}

static visited visit(geo_triangle t, const alg_voxel_grid *grid, alg_voxel_navigation navigation,
                     uint64_t *tests)
{
    visited v = {.count = 0};
    base_error err = {0};
    cr_assert_eq(alg_voxel_bits_create(grid->size, &v.bits, &err), BASE_OK, "%s", err.text);
    *tests = alg_voxel_surface_visit(t, grid, navigation, take, &v);
    return v;
}

static bool bits_equal(const alg_voxel_bits *a, const alg_voxel_bits *b)
{
    return memcmp(a->words, b->words, alg_voxel_bits_words(a) * sizeof *a->words) == 0;
}

/** Returns all voxels of a triangle, by the oracle. */
static alg_voxel_bits expect(geo_triangle t, const alg_voxel_grid *grid)
{
    alg_voxel_bits bits;
    base_error err = {0};
    cr_assert_eq(alg_voxel_bits_create(grid->size, &bits, &err), BASE_OK, "%s", err.text);
    const geo_box box = geo_box_of_triangle(t);
    for (uint32_t z = 0; z < grid->size[2]; z++) {
        for (uint32_t y = 0; y < grid->size[1]; y++) {
            for (uint32_t x = 0; x < grid->size[0]; x++) {
                const geo_box voxel = alg_voxel_box(grid, x, y, z);
                if (geo_box_overlap(box, voxel) && oracle_meets(t, voxel)) {
                    alg_voxel_bits_row(&bits, y, z)[x / 64] |= (uint64_t)1 << x % 64;
                }
            }
        }
    }
    return bits;
}

/**
 * Checks that all navigations give the oracle's voxels, and that each makes no more tests than the
 * one before.
 */
static void check_triangle(geo_triangle t, const alg_voxel_grid *grid, const char *what, int number)
{
    alg_voxel_bits expected = expect(t, grid);
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
    alg_voxel_bits_release(&expected);
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
    alg_voxel_bits bits;
    base_error err = {0};
    cr_assert_eq(alg_voxel_bits_create(grid->size, &bits, &err), BASE_OK, "%s", err.text);
    cr_assert_eq(alg_voxel_surface_mark(mesh, grid, &options, &bits, tests, &err), BASE_OK, "%s",
                 err.text);
    return bits;
}

/** Returns the mesh's voxels by the oracle, triangle by triangle. */
static alg_voxel_bits expect_mesh(const geo_mesh *mesh, const alg_voxel_grid *grid)
{
    alg_voxel_bits all;
    base_error err = {0};
    cr_assert_eq(alg_voxel_bits_create(grid->size, &all, &err), BASE_OK, "%s", err.text);
    for (size_t f = 0; f < mesh->face_count; f++) {
        alg_voxel_bits one = expect(geo_mesh_triangle(mesh, f), grid);
        for (size_t w = 0; w < alg_voxel_bits_words(&all); w++) {
            all.words[w] |= one.words[w];
        }
        alg_voxel_bits_release(&one);
    }
    return all;
}

/** Checks that every generator and navigation gives the oracle's voxels. Releases the mesh. */
static void check_mesh(geo_mesh mesh, uint32_t resolution, const char *what, int number)
{
    const geo_box box = geo_mesh_box(&mesh);
    const alg_voxel_grid grid = place(box.lo, box.hi, resolution, 1);
    alg_voxel_bits expected = expect_mesh(&mesh, &grid);
    for (int generator = ALG_VOXEL_OURS; generator <= ALG_VOXEL_OLD; generator++) {
        for (int n = 0; n < (generator == ALG_VOXEL_PAPER ? NAVIGATIONS : 1); n++) {
            uint64_t tests;
            const alg_voxel_surface_options options = {.generator = (alg_voxel_generator)generator,
                                                       .navigation = navigations[n]};
            alg_voxel_bits bits = mark(&mesh, &grid, options, &tests);
            cr_assert(bits_equal(&bits, &expected),
                      "%s %d: generator %d, navigation %d give %llu voxels, the oracle %llu", what,
                      number, generator, n, (unsigned long long)alg_voxel_bits_count(&bits),
                      (unsigned long long)alg_voxel_bits_count(&expected));
            alg_voxel_bits_release(&bits);
        }
    }
    alg_voxel_bits_release(&expected);
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
    geo_mesh cube = shape_cube((vec3){0, 0, 0}, 0.5);
    const alg_voxel_grid grid = place((vec3){-0.5, -0.5, -0.5}, (vec3){0.5, 0.5, 0.5}, 1, 1);
    uint64_t tests;
    alg_voxel_bits bits =
        mark(&cube, &grid, (alg_voxel_surface_options){.generator = ALG_VOXEL_PAPER}, &tests);
    cr_assert_eq(alg_voxel_bits_count(&bits), 27);
    alg_voxel_bits_release(&bits);
    geo_mesh_release(&cube);
}

Test(voxel_surface, axes_that_change_places_change_those_of_the_voxels)
{
    base_random random = base_random_seed(5);
    geo_mesh mesh = shape_move(shape_torus(9, 2, 0.75), shape_pose(&random, 0), 1);
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
        alg_voxel_bits a = mark(&mesh, &grid, options, &tests);
        alg_voxel_bits b = mark(&turned, &turned_grid, options, &tests);
        for (uint32_t z = 0; z < grid.size[2]; z++) {
            for (uint32_t y = 0; y < grid.size[1]; y++) {
                for (uint32_t x = 0; x < grid.size[0]; x++) {
                    cr_assert_eq(alg_voxel_bit(&a, x, y, z), alg_voxel_bit(&b, y, z, x),
                                 "navigation %d: %u %u %u", n, x, y, z);
                }
            }
        }
        alg_voxel_bits_release(&a);
        alg_voxel_bits_release(&b);
    }
    geo_mesh_builder_release(&permuted);
    geo_mesh_release(&mesh);
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
    base_error err = {0};
    cr_assert_eq(alg_voxel_bits_create(grid->size, &bits, &err), BASE_OK, "%s", err.text);
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
                    alg_voxel_bits_row(&bits, y, z)[x / 64] |= (uint64_t)1 << x % 64;
                }
            }
        }
    }
    return bits;
}

Test(voxel_surface, a_tolerance_makes_excess_and_holes)
{
    geo_mesh mesh = shape_ball((vec3){0.3, 0, 0}, 1, 2);
    const geo_box box = geo_mesh_box(&mesh);
    const alg_voxel_grid grid = place(box.lo, box.hi, 10, 2);
    static const double tolerances[] = {-0.75, -0.5, -0.25, 0, 0.25, 1};
    uint64_t before = 0;
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++) {
        uint64_t tests;
        const alg_voxel_surface_options options = {.generator = ALG_VOXEL_OLD,
                                                   .tolerance = tolerances[i]};
        alg_voxel_bits bits = mark(&mesh, &grid, options, &tests);
        alg_voxel_bits expected = expect_tolerance(&mesh, &grid, tolerances[i]);
        const uint64_t count = alg_voxel_bits_count(&bits);
        cr_assert(bits_equal(&bits, &expected), "tolerance %g: %llu voxels, the oracle %llu",
                  tolerances[i], (unsigned long long)count,
                  (unsigned long long)alg_voxel_bits_count(&expected));
        cr_assert_eq(tests, (grid.size[0] - 2) * (grid.size[1] - 2) * (grid.size[2] - 2));
        cr_assert(i == 0 ? count == 0 : count >= before);
        before = count;
        alg_voxel_bits_release(&bits);
        alg_voxel_bits_release(&expected);
    }
    geo_mesh_release(&mesh);
}

Test(voxel_surface, out_of_memory_is_an_error)
{
    geo_mesh mesh = shape_cube((vec3){0, 0, 0}, 1);
    const alg_voxel_grid grid = place((vec3){-1, -1, -1}, (vec3){1, 1, 1}, 4, 1);
    for (int generator = ALG_VOXEL_OURS; generator <= ALG_VOXEL_OLD; generator++) {
        const alg_voxel_surface_options options = {.generator = (alg_voxel_generator)generator};
        size_t failures = 0;
        for (base_status status = BASE_ERR_MEMORY; status != BASE_OK; failures++) {
            alg_voxel_bits bits;
            base_error err = {0};
            uint64_t tests;
            cr_assert_eq(alg_voxel_bits_create(grid.size, &bits, &err), BASE_OK);
            base_memory_fail_after(failures);
            status = alg_voxel_surface_mark(&mesh, &grid, &options, &bits, &tests, &err);
            base_memory_fail_after(SIZE_MAX);
            cr_assert(status == BASE_OK || status == BASE_ERR_MEMORY, "%d: %s", generator,
                      err.text);
            alg_voxel_bits_release(&bits);
        }
        cr_assert(failures > (generator == ALG_VOXEL_OLD ? 3 : 0), "generator %d", generator);
    }
    geo_mesh_release(&mesh);
}
