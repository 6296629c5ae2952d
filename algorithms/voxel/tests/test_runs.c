#include "algorithms/tests/shapes.h"
#include "algorithms/voxel/runs.h"
#include "geometry/predicates.h"
#include "geometry/surface.h"
#include "geometry/triangle.h"

#include <string.h>

typedef struct fixture {
    geo_mesh mesh;
    base_arena arena;
    alg_voxel_runs grid;
} fixture;

static fixture voxelise(geo_mesh mesh, uint32_t resolution)
{
    fixture f = {.mesh = mesh};
    base_error err = {0};
    cr_assert_eq(alg_voxel_runs_build(&f.mesh, resolution, &f.arena, &f.grid, &err), BASE_OK, "%s",
                 err.text);
    return f;
}

static void tear_down(fixture *f)
{
    geo_mesh_release(&f->mesh);
    base_arena_release(&f->arena);
}

/** Returns the number of a voxel, or UINT32_MAX outside. */
static uint32_t number_of(const alg_voxel_runs *grid, uint32_t x, uint32_t y, uint32_t z)
{
    const size_t column = (size_t)y * grid->size[0] + x;
    for (uint32_t r = grid->columns[column]; r < grid->columns[column + 1]; r++) {
        const alg_voxel_run *const run = &grid->runs[r];
        cr_assert(run->x == x && run->y == y, "run %u is in column %u, %u", r, x, y);
        if (run->z0 <= z && z < run->z1) {
            return run->first + (z - run->z0);
        }
    }
    return UINT32_MAX;
}

static double distance_to_surface(const geo_mesh *mesh, vec3 p)
{
    double least = INFINITY;
    for (size_t f = 0; f < mesh->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        least = fmin(least, vec3_distance(p, geo_triangle_closest(t, p)));
    }
    return least;
}

Test(grid, box_is_full)
{
    fixture f = voxelise(shape_box((vec3){1, 2, 3}, (vec3){5, 4, 4}), 8);
    const alg_voxel_runs *const g = &f.grid;
    cr_assert(g->size[0] == 8 && g->size[1] == 4 && g->size[2] == 2);
    cr_assert_eq(g->edge, 0.5);
    cr_assert(vec3_equal(g->origin, (vec3){1, 2, 3}));
    cr_assert_eq(g->voxel_count, 64);
    cr_assert_eq(g->run_count, 32);
    cr_assert(vec3_equal(alg_voxel_position(g, 0), (vec3){1.25, 2.25, 3.25}));
    cr_assert(vec3_equal(alg_voxel_position(g, 1), (vec3){1.25, 2.25, 3.75}));
    cr_assert(vec3_equal(alg_voxel_position(g, 2), (vec3){1.75, 2.25, 3.25}));
    cr_assert(vec3_equal(alg_voxel_position(g, 63), (vec3){4.75, 3.75, 3.75}));
    tear_down(&f);
}

Test(grid, what_is_left_over_is_shared_by_both_ends)
{
    /* 2.6 cells of edge 1: three cells, with the box in their middle and its ends 0.2 inside. */
    fixture f = voxelise(shape_box((vec3){0, 0, 0}, (vec3){4, 2.6, 4}), 4);
    cr_assert_eq(f.grid.size[1], 3);
    cr_assert_float_eq(f.grid.origin.y, -0.2, 1e-15);
    cr_assert_eq(f.grid.voxel_count, 48);
    tear_down(&f);
    /* 2.8 / 0.7 is 4 only up to rounding. */
    f = voxelise(shape_box((vec3){0, 0, 0}, (vec3){2.8, 0.7, 2.1}), 4);
    cr_assert(f.grid.size[0] == 4 && f.grid.size[1] == 1 && f.grid.size[2] == 3);
    tear_down(&f);
}

Test(grid, thin_bodies_have_no_voxels)
{
    /* Two plates between the centres of the only layer, far apart in x. */
    geo_mesh mesh = shape_join(shape_box((vec3){0, 0, 0}, (vec3){8, 1, 0.4}),
                               shape_box((vec3){0, 0, 0.6}, (vec3){8, 1, 1}));
    fixture f = voxelise(mesh, 8);
    cr_assert_eq(f.grid.voxel_count, 0);
    cr_assert_eq(f.grid.run_count, 0);
    tear_down(&f);
}

Test(grid, surfaces_through_centres_are_consistent)
{
    /* Centres are at integers + 0.5: the second cube's faces, edges and corners contain centres,
     * and so do the pyramid's apex and ridges. Whichever side these count as, all centres off the
     * surface have a definite side, and every column has an even number of crossings. */
    static const geo_face pyramid_faces[6] = {{{0, 2, 1}}, {{0, 3, 2}}, {{0, 1, 4}},
                                              {{1, 2, 4}}, {{2, 3, 4}}, {{3, 0, 4}}};
    const vec3 corners[5] = {
        {9.5, 0.5, 0.5}, {13.5, 0.5, 0.5}, {13.5, 4.5, 0.5}, {9.5, 4.5, 0.5}, {11.5, 2.5, 2.5}};
    geo_mesh_builder pyramid = shape_copy(&(geo_mesh){corners, 5, pyramid_faces, 6});
    geo_mesh mesh = shape_join(shape_box((vec3){0, 0, 0}, (vec3){3, 3, 3}),
                               shape_box((vec3){4.5, 0.5, 0.5}, (vec3){8.5, 4.5, 4.5}));
    mesh = shape_join(mesh, geo_mesh_builder_finish(&pyramid));
    /* A longest edge of 16 gives cells of edge 1. */
    mesh = shape_join(mesh, shape_box((vec3){15, 0, 0}, (vec3){16, 6, 6}));
    fixture f = voxelise(mesh, 16);
    cr_assert_eq(f.grid.edge, 1);
    cr_assert_eq(f.grid.origin.x, 0);
    size_t on_surface = 0, inside = 0;
    for (uint32_t z = 0; z < f.grid.size[2]; z++) {
        for (uint32_t y = 0; y < f.grid.size[1]; y++) {
            for (uint32_t x = 0; x < f.grid.size[0]; x++) {
                const vec3 p = {x + 0.5, y + 0.5, z + 0.5};
                if (distance_to_surface(&f.mesh, p) == 0) {
                    on_surface++;
                    continue;
                }
                const bool cube = p.x < 3 && p.y < 3 && p.z < 3;
                const bool second =
                    p.x > 4.5 && p.x < 8.5 && p.y > 0.5 && p.y < 4.5 && p.z > 0.5 && p.z < 4.5;
                const double rim = fmax(fabs(p.x - 11.5), fabs(p.y - 2.5));
                const bool peak = p.z > 0.5 && p.z - 0.5 < 2 - rim;
                const bool expected = cube || second || peak || p.x > 15;
                const bool found = number_of(&f.grid, x, y, z) != UINT32_MAX;
                cr_assert_eq(found, expected, "voxel %u %u %u", x, y, z);
                inside += found;
            }
        }
    }
    /* 5^3 - 3^3 centres are on the second cube; 25 are below and 9 + 8 + ... on the pyramid. */
    cr_assert_geq(on_surface, 98 + 25, "%zu", on_surface);
    cr_assert_geq(inside, 27 + 27 + 1 + 36, "%zu", inside);
    tear_down(&f);
}

/** Returns a ball with a cavity and a satellite, randomly rotated. */
static geo_mesh hollow(uint64_t seed)
{
    base_random random = base_random_seed(seed);
    geo_mesh mesh = shape_join(shape_ball((vec3){0, 0, 0}, 1, 6),
                               shape_reverse(shape_ball((vec3){0.1, 0, 0.2}, 0.6, 4)));
    mesh = shape_join(mesh, shape_cube((vec3){1.5, 0.3, 0}, 0.3));
    return shape_move(mesh, shape_pose(&random, 10), 1);
}

/** True if a face's plane contains p exactly, so that the surface may contain it. */
static bool on_a_plane(const geo_mesh *mesh, vec3 p)
{
    for (size_t f = 0; f < mesh->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        if (geo_orient3d(t.p[0], t.p[1], t.p[2], p) == 0) {
            return true;
        }
    }
    return false;
}

/**
 * Compares every voxel with the inside test. Returns the number of voxels inside. Releases the
 * mesh.
 */
static size_t compare_voxels(geo_mesh mesh, uint32_t resolution, uint64_t seed)
{
    fixture f = voxelise(mesh, resolution);
    geo_surface surface;
    base_error err = {0};
    cr_assert_eq(geo_surface_build(&f.mesh, &f.arena, &surface, &err), BASE_OK);
    uint32_t count = 0;
    for (uint32_t y = 0; y < f.grid.size[1]; y++) {
        for (uint32_t x = 0; x < f.grid.size[0]; x++) {
            for (uint32_t z = 0; z < f.grid.size[2]; z++) {
                const vec3 p = alg_voxel_centre(&f.grid, x, y, z);
                const uint32_t number = number_of(&f.grid, x, y, z);
                if (number != UINT32_MAX) {
                    cr_assert_eq(number, count, "numbers run by column, then upwards");
                    cr_assert(vec3_equal(alg_voxel_position(&f.grid, number), p));
                    count++;
                }
                cr_assert((number != UINT32_MAX) == geo_surface_contains(&surface, p) ||
                              on_a_plane(&f.mesh, p),
                          "seed %lu, %u voxels: voxel %u %u %u", seed, resolution, x, y, z);
            }
        }
    }
    cr_assert_eq(count, f.grid.voxel_count);
    tear_down(&f);
    return count;
}

Test(grid, agrees_with_the_inside_test)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        const size_t inside = compare_voxels(hollow(seed), 8 + (uint32_t)seed, seed);
        cr_assert_gt(inside, 50, "seed %lu", seed);
    }
    /* Columns through the corners on the axes, and along edges above them. */
    for (uint32_t resolution = 3; resolution <= 15; resolution += 2) {
        compare_voxels(shape_ball((vec3){0, 0, 0}, 1, 5), resolution, 0);
    }
}

Test(grid, planes_within_rounding_of_centres)
{
    /* Slopes of 1/3 through centres of voxels, up to the rounding of the corners: the sign of a
     * height computed in double is wrong about half of the time. The second part determines the
     * grid. */
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const double unit = 0.1 * (double)seed;
        geo_mesh_builder wedge = shape_edit(shape_box((vec3){0, 0, -7}, (vec3){18, 9, 7}));
        for (uint32_t v = 0; v < 8; v++) {
            const double x = wedge.vertices[v].x;
            const double height = 0.5 + (seed % 2 ? x - 0.5 : 17.5 - x) / 3;
            wedge.vertices[v].z = v < 4 ? -height : height;
        }
        geo_mesh mesh = shape_join(geo_mesh_builder_finish(&wedge),
                                   shape_box((vec3){18.2, 0, -7}, (vec3){20, 9, 7}));
        mesh = shape_move(mesh, shape_shift(1000, 0, 1e5), unit);
        cr_assert_gt(compare_voxels(mesh, 20, seed), 1000, "seed %lu", seed);
    }
}

Test(grid, volume_converges)
{
    fixture f = voxelise(shape_ball((vec3){0.3, -7, 2}, 1, 16), 60);
    const double edge = f.grid.edge;
    const double volume = f.grid.voxel_count * edge * edge * edge;
    const double expected = geo_mesh_measures(&f.mesh).volume_m3;
    cr_assert_float_eq(volume, expected, 2e-3 * expected, "%g for %g", volume, expected);
    tear_down(&f);
}

Test(grid, scales_with_the_body)
{
    fixture small = voxelise(hollow(3), 20);
    fixture large = voxelise(shape_move(hollow(3), geo_pose_identity(), 0x1p20), 20);
    cr_assert_eq(small.grid.voxel_count, large.grid.voxel_count);
    cr_assert_eq(small.grid.run_count, large.grid.run_count);
    cr_assert_eq(
        memcmp(small.grid.runs, large.grid.runs, small.grid.run_count * sizeof *small.grid.runs),
        0);
    tear_down(&small);
    tear_down(&large);
}

Test(grid, an_open_surface_is_refused)
{
    geo_mesh mesh = shape_cube((vec3){0, 0, 0}, 1);
    mesh.face_count--;
    base_arena arena = {0};
    alg_voxel_runs grid;
    base_error err = {0};
    /* The missing face is one of x = 1 or of another side; since the mesh is rotated, some column
     * must miss it. */
    mesh = shape_move(mesh, geo_pose_make((geo_quat){0.3, 0.5, 0.1, 0.8}, (vec3){0, 0, 0}), 1);
    cr_assert_eq(alg_voxel_runs_build(&mesh, 16, &arena, &grid, &err), BASE_ERR_INPUT);
    cr_assert_not_null(strstr(err.text, "not closed"), "%s", err.text);
    base_arena_release(&arena);
    geo_mesh_release(&mesh);
}

Test(grid, failing_allocations_are_reported)
{
    geo_mesh mesh = shape_ball((vec3){0, 0, 0}, 1, 3);
    size_t failures = 0;
    for (size_t n = 0;; n++) {
        base_arena arena = {0};
        alg_voxel_runs grid;
        base_error err = {0};
        base_memory_fail_after(n);
        const base_status status = alg_voxel_runs_build(&mesh, 12, &arena, &grid, &err);
        base_memory_fail_after(SIZE_MAX);
        base_arena_release(&arena);
        if (status == BASE_OK) {
            break;
        }
        cr_assert_eq(status, BASE_ERR_MEMORY, "%s", err.text);
        failures++;
    }
    cr_assert_geq(failures, 4);
    geo_mesh_release(&mesh);
}
