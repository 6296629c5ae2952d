#include "algorithms/tests/shapes.h"
#include "algorithms/voxel/field.h"

#include <stdlib.h>
#include <string.h>

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
    for (size_t n = 0; n < 2; n++) {
        base_arena arena = {0};
        alg_voxel_field field;
        base_error err = {0};
        base_memory_fail_after(n);
        const base_status status =
            alg_voxel_field_build(&f->grid, &f->surface, &arena, &field, &err);
        base_memory_fail_after(SIZE_MAX);
        cr_assert(status == BASE_ERR_MEMORY || n > 0, "allocation %zu: %s", n, err.text);
        base_arena_release(&arena);
    }
    tear_down(f);
}
