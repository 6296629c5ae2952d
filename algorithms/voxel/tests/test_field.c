#include "algorithms/voxel/field.h"

#include "algorithms/tests/shapes.h"
#include "base/tests/support.h"
#include "geometry/predicates.h"
#include "geometry/surface.h"
#include "geometry/triangle.h"

#include <stdlib.h>
#include <string.h>

/* --- Voxels ----------------------------------------------------------------------------------- */

typedef struct voxels {
    geo_mesh mesh;
    base_arena arena;
    alg_voxel_runs grid;
} voxels;

static voxels voxelise(geo_mesh mesh, uint32_t resolution)
{
    voxels f = {.mesh = mesh};
    assert_ok(alg_voxel_runs_build(&f.mesh, resolution, &f.arena, &f.grid, ERR));
    return f;
}

static void release_voxels(voxels *f)
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

Test(runs, box_is_full)
{
    voxels f = voxelise(shape_box((vec3){1, 2, 3}, (vec3){5, 4, 4}), 8);
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
    release_voxels(&f);
}

Test(runs, the_remainder_is_shared_by_both_ends)
{
    /* 2.6 cells of edge 1: three cells, with the box in their middle and its ends 0.2 inside. */
    voxels f = voxelise(shape_box((vec3){0, 0, 0}, (vec3){4, 2.6, 4}), 4);
    cr_assert_eq(f.grid.size[1], 3);
    cr_assert_float_eq(f.grid.origin.y, -0.2, 1e-15);
    cr_assert_eq(f.grid.voxel_count, 48);
    release_voxels(&f);
    /* 2.8 / 0.7 is 4 only up to rounding. */
    f = voxelise(shape_box((vec3){0, 0, 0}, (vec3){2.8, 0.7, 2.1}), 4);
    cr_assert(f.grid.size[0] == 4 && f.grid.size[1] == 1 && f.grid.size[2] == 3);
    release_voxels(&f);
}

Test(runs, thin_bodies_have_no_voxels)
{
    /* Two plates between the centres of the only layer, far apart in x. */
    geo_mesh mesh = shape_join(shape_box((vec3){0, 0, 0}, (vec3){8, 1, 0.4}),
                               shape_box((vec3){0, 0, 0.6}, (vec3){8, 1, 1}));
    voxels f = voxelise(mesh, 8);
    cr_assert_eq(f.grid.voxel_count, 0);
    cr_assert_eq(f.grid.run_count, 0);
    release_voxels(&f);
}

Test(runs, surfaces_through_centres_are_consistent)
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
    voxels f = voxelise(mesh, 16);
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
    release_voxels(&f);
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
    voxels f = voxelise(mesh, resolution);
    geo_surface surface;
    assert_ok(geo_surface_build(&f.mesh, &f.arena, &surface, ERR));
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
    release_voxels(&f);
    return count;
}

Test(runs, agrees_with_the_inside_test)
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

Test(runs, planes_within_rounding_of_centres)
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

Test(runs, volume_converges)
{
    voxels f = voxelise(shape_ball((vec3){0.3, -7, 2}, 1, 16), 60);
    const double edge = f.grid.edge;
    const double volume = f.grid.voxel_count * edge * edge * edge;
    const double expected = geo_mesh_measures(&f.mesh).volume_m3;
    cr_assert_float_eq(volume, expected, 2e-3 * expected, "%g for %g", volume, expected);
    release_voxels(&f);
}

Test(runs, an_open_surface_is_refused)
{
    SCOPED_MESH mesh = shape_cube((vec3){0, 0, 0}, 1);
    mesh.face_count--;
    SCOPED_ARENA arena = {0};
    alg_voxel_runs grid;
    base_error err = {0};
    /* The missing face is one of x = 1 or of another side; since the mesh is rotated, some column
     * must miss it. */
    mesh = shape_move(mesh, geo_pose_make((geo_quat){0.3, 0.5, 0.1, 0.8}, (vec3){0, 0, 0}), 1);
    cr_assert_eq(alg_voxel_runs_build(&mesh, 16, &arena, &grid, &err), BASE_ERR_INPUT);
    cr_assert_not_null(strstr(err.text, "not closed"), "%s", err.text);
}

Test(runs, failing_allocations_are_reported)
{
    SCOPED_MESH mesh = shape_ball((vec3){0, 0, 0}, 1, 3);
    base_arena arena = {0};
    alg_voxel_runs grid;
    cr_assert_geq(COUNT_FAILURES(alg_voxel_runs_build(&mesh, 12, &arena, &grid, ERR),
                                 base_arena_release(&arena)),
                  4);
}

/* --- Distances -------------------------------------------------------------------------------- */

typedef struct fixture {
    geo_mesh mesh;
    base_arena arena;
    geo_surface surface;
    alg_voxel_runs grid;
    alg_voxel_field field;
} fixture;

static fixture *set_up(geo_mesh mesh, uint32_t resolution)
{
    fixture *const f = base_alloc(1, sizeof *f);
    base_error err = {0};
    f->mesh = mesh;
    cr_assert(
        geo_surface_build(&f->mesh, &f->arena, &f->surface, &err) == BASE_OK &&
            alg_voxel_runs_build(&f->mesh, resolution, &f->arena, &f->grid, &err) == BASE_OK &&
            alg_voxel_field_build(&f->grid, &f->surface, &f->arena, &f->field, &err) == BASE_OK,
        "%s", err.text);
    return f;
}

static void tear_down(fixture *f)
{
    geo_mesh_release(&f->mesh);
    base_arena_release(&f->arena);
    base_free(f);
}

static geo_mesh two_parts(void)
{
    const geo_pose pose = geo_pose_make((geo_quat){0.2, -0.4, 0.7, 0.5}, (vec3){3, -1, 2});
    const geo_mesh mesh = shape_join(shape_ball((vec3){0, 0, 0}, 1, 8),
                                     shape_box((vec3){1.2, -0.5, 0}, (vec3){1.9, 0.4, 1}));
    return shape_move(mesh, pose, 1);
}

Test(field, box_by_hand)
{
    fixture *const f = set_up(shape_box((vec3){0, 0, 0}, (vec3){8, 6, 4}), 8);
    alg_voxel_field_measure(&f->field, NULL, f->grid.voxel_count);
    cr_assert_eq(f->grid.voxel_count, 8 * 6 * 4);
    for (uint32_t v = 0; v < f->grid.voxel_count; v++) {
        const vec3 p = alg_voxel_position(&f->grid, v);
        const double x = fmin(p.x, 8 - p.x), y = fmin(p.y, 6 - p.y), z = fmin(p.z, 4 - p.z);
        const double expected = fmin(x, fmin(y, z));
        const double radius = (double)f->field.radius[v];
        /* One float below: the slack is subtracted from a number that is itself a float. */
        cr_assert(radius < expected && radius > expected * (1 - 0x1p-23), "voxel %u: %.9g for %g",
                  v, radius, expected);
    }
    tear_down(f);
}

Test(field, measured_radii_are_distances_rounded_down)
{
    fixture *const f = set_up(two_parts(), 24);
    const uint32_t count = f->grid.voxel_count;
    float *const bounds = base_alloc(count, sizeof *bounds);
    memcpy(bounds, f->field.radius, count * sizeof *bounds);
    size_t unmeasured = 0;
    for (uint32_t v = 0; v < count; v++) {
        unmeasured += f->field.face[v] >= ALG_VOXEL_UNMEASURED;
    }
    cr_assert(unmeasured > count / 2 && unmeasured < count, "%zu of %u", unmeasured, count);
    alg_voxel_field_measure(&f->field, NULL, count);
    size_t tight = 0;
    for (uint32_t v = 0; v < count; v++) {
        const vec3 p = alg_voxel_position(&f->grid, v);
        const geo_closest c = geo_surface_closest(&f->surface, p, UINT32_MAX);
        const double distance = sqrt(c.distance2), radius = (double)f->field.radius[v];
        cr_assert_leq(f->field.radius[v], bounds[v], "voxel %u", v);
        cr_assert(radius <= distance && radius >= distance * (1 - 2e-7) - 1e-13,
                  "voxel %u: %.9g for %.9g", v, radius, distance);
        cr_assert_eq(f->field.face[v], c.face, "voxel %u", v);
        tight += (double)bounds[v] < distance * 1.2;
    }
    cr_assert_gt(tight, count / 5, "%zu of %u bounds are good", tight, count);
    base_free(bounds);
    tear_down(f);
}

Test(field, order_and_threads_change_nothing)
{
    setenv("PROXBENCH_THREADS", "1", 1);
    fixture *const one = set_up(two_parts(), 30);
    alg_voxel_field_measure(&one->field, NULL, one->grid.voxel_count);
    setenv("PROXBENCH_THREADS", "5", 1);
    fixture *const many = set_up(two_parts(), 30);
    const uint32_t count = many->grid.voxel_count;
    uint32_t *const list = base_alloc(count, sizeof *list);
    for (uint32_t i = 0; i < count; i++) {
        list[i] = count - 1 - i;
    }
    const uint32_t half = count / 2;
    alg_voxel_field_measure(&many->field, list, half);
    cr_assert_lt(many->field.face[count - 1], ALG_VOXEL_UNMEASURED);
    alg_voxel_field_measure(&many->field, list + half, count - half);
    cr_assert_eq(one->grid.voxel_count, count);
    cr_assert_eq(memcmp(one->field.radius, many->field.radius, count * sizeof(float)), 0);
    cr_assert_eq(memcmp(one->field.face, many->field.face, count * sizeof(uint32_t)), 0);
    base_free(list);
    tear_down(one);
    tear_down(many);
}

Test(field, lowered_radii_stay_low)
{
    fixture *const f = set_up(shape_ball((vec3){0, 0, 0}, 1, 6), 16);
    const uint32_t count = f->grid.voxel_count;
    for (uint32_t v = 0; v < count; v += 2) {
        f->field.radius[v] = v % 4 == 0 ? -1.0F : 1e-6F;
    }
    alg_voxel_field_measure(&f->field, NULL, count);
    for (uint32_t v = 0; v < count; v += 2) {
        cr_assert_eq(f->field.radius[v], v % 4 == 0 ? -1.0F : 1e-6F, "voxel %u", v);
    }
    tear_down(f);
}

Test(field, centres_on_the_surface_have_radius_0)
{
    /* The box of the small cube begins and ends at centres of voxels. */
    fixture *const f = set_up(shape_join(shape_box((vec3){0, 0, 0}, (vec3){8, 8, 8}),
                                         shape_box((vec3){9.5, 0.5, 0.5}, (vec3){12, 3.5, 3.5})),
                              12);
    alg_voxel_field_measure(&f->field, NULL, f->grid.voxel_count);
    size_t on_surface = 0;
    for (uint32_t v = 0; v < f->grid.voxel_count; v++) {
        cr_assert_geq(f->field.radius[v], 0, "voxel %u", v);
        on_surface += f->field.radius[v] == 0;
    }
    cr_assert_geq(on_surface, 1);
    tear_down(f);
}

Test(field, round_down_is_the_float_below)
{
    const double values[] = {0, 1, 0.1, 0.5, 1e-40, 1e-46, 3.4e38, 16777217, 1 - 0x1p-53};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const float rounded = alg_voxel_round_down(values[i]);
        cr_assert((double)rounded <= values[i] && (double)nextafterf(rounded, INFINITY) > values[i],
                  "%g became %g", values[i], (double)rounded);
    }
    cr_assert_eq(alg_voxel_round_down(-1), 0);
    cr_assert_eq(alg_voxel_round_down(NAN), 0);
}

Test(field, failing_allocations_are_reported)
{
    fixture *const f = set_up(shape_ball((vec3){0, 0, 0}, 1, 3), 12);
    base_arena arena = {0};
    alg_voxel_field field;
    cr_assert_geq(COUNT_FAILURES(alg_voxel_field_build(&f->grid, &f->surface, &arena, &field, ERR),
                                 base_arena_release(&arena)),
                  1);
    tear_down(f);
}
