#include "geometry/mesh.h"
#include "geometry/pose.h"
#include "geometry/tests/mesh_scratch.h"
#include "geometry/tests/shapes.h"

#include <math.h>

TestSuite(mesh, .init = scratch_enter, .fini = scratch_leave);
static bool near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance;
}

Test(mesh, created_zeroed_and_released)
{
    geo_mesh_builder mesh;
    base_error err = {0};
    assert_ok(geo_mesh_builder_init(3, 2, &mesh, ERR));
    cr_assert(mesh.vertex_count == 3 && mesh.face_count == 2);
    cr_assert(vec3_equal(mesh.vertices[2], (vec3){0, 0, 0}) && mesh.faces[1].v[2] == 0);
    geo_mesh_builder_release(&mesh);
    cr_assert(!mesh.vertices && !mesh.faces && mesh.face_count == 0);
    assert_ok(geo_mesh_builder_init(0, 0, &mesh, ERR));
    geo_mesh_builder_release(&mesh);
    for (size_t n = 0; n < 2; n++) {
        base_memory_fail_after(n);
        const base_status status = geo_mesh_builder_init(3, 2, &mesh, &err);
        base_memory_fail_after(SIZE_MAX);
        cr_assert_eq(status, BASE_ERR_MEMORY, "after %zu allocations", n);
        cr_assert(!mesh.vertices && !mesh.faces && mesh.vertex_count == 0);
    }
    no_leak();
}

Test(mesh, finished_owns_its_arrays)
{
    geo_mesh_builder builder = {0};
    for (uint32_t i = 0; i < 100; i++) {
        cr_assert_eq(geo_mesh_builder_add_vertex(&builder, (vec3){i, 0, 0}, NULL), BASE_OK);
        const geo_face face = {{i, 0, 1}};
        cr_assert_eq(geo_mesh_builder_add_face(&builder, face, NULL), BASE_OK);
    }
    const geo_mesh view = geo_mesh_builder_view(&builder);
    geo_mesh mesh = geo_mesh_builder_finish(&builder);
    cr_assert(!builder.vertices && !builder.faces && builder.vertex_capacity == 0);
    cr_assert(mesh.vertices == view.vertices && mesh.faces == view.faces, "handed over, no copy");
    cr_assert(mesh.vertex_count == 100 && mesh.face_count == 100);
    geo_mesh_translate(&mesh, (vec3){1, 2, 3});
    cr_assert(vec3_equal(mesh.vertices[99], (vec3){100, 2, 3}) && mesh.faces[99].v[0] == 99);
    geo_mesh_release(&mesh);
    cr_assert(!mesh.vertices && !mesh.faces && mesh.face_count == 0);
    no_leak();
}

Test(mesh, measures_by_hand)
{
    soup s = {0};
    add_cube(&s, (vec3){0, 0, 0}, 1);
    geo_mesh_measure m = geo_mesh_measures(&s.mesh);
    cr_assert(m.volume_m3 == 1 && m.area_m2 == 6, "%g %g", m.volume_m3, m.area_m2);
    cr_assert(vec3_equal(m.centroid, (vec3){0.5, 0.5, 0.5}));

    /* No digit is lost far from the origin. */
    geo_mesh_translate(&s.mesh, (vec3){0x1p30, -0x1p31, 0x1p32});
    m = geo_mesh_measures(&s.mesh);
    cr_assert(m.volume_m3 == 1 && m.area_m2 == 6, "%g %g", m.volume_m3, m.area_m2);
    cr_assert(vec3_equal(m.centroid, (vec3){0x1p30 + 0.5, -0x1p31 + 0.5, 0x1p32 + 0.5}));

    turn_faces(&s, 0);
    cr_assert_eq(geo_mesh_measures(&s.mesh).volume_m3, -1);

    soup t = {.mesh = {t.v, 0, t.f, 0}};
    for (int i = 0; i < 4; i++) {
        add_vertex(&t, i == 1, i == 2, i == 3);
    }
    add_face(&t, 0, 2, 1);
    add_face(&t, 0, 1, 3);
    add_face(&t, 0, 3, 2);
    add_face(&t, 1, 2, 3);
    m = geo_mesh_measures(&t.mesh);
    cr_assert(near(m.volume_m3, 1.0 / 6, 1e-16), "%.17g", m.volume_m3);
    cr_assert(near(m.area_m2, 1.5 + sqrt(3) / 2, 1e-15), "%.17g", m.area_m2);
    cr_assert(vec3_distance(m.centroid, (vec3){0.25, 0.25, 0.25}) < 1e-15);
}

Test(mesh, measures_without_volume)
{
    soup s = {.mesh = {s.v, 0, s.f, 0}};
    cr_assert_eq(geo_mesh_measures(&s.mesh).volume_m3, 0);
    add_vertex(&s, 0, 0, 0);
    add_vertex(&s, 2, 0, 0);
    add_vertex(&s, 0, 4, 0);
    add_face(&s, 0, 1, 2);
    const geo_mesh_measure m = geo_mesh_measures(&s.mesh);
    cr_assert(m.volume_m3 == 0 && m.area_m2 == 4);
    cr_assert(vec3_equal(m.centroid, (vec3){1, 2, 0}), "the centre of the box");
}

Test(mesh, box_of_used_vertices)
{
    soup s = {0};
    add_cube(&s, (vec3){1, 2, 3}, 2);
    add_vertex(&s, 100, 100, 100);
    const geo_box box = geo_mesh_box(&s.mesh);
    cr_assert(vec3_equal(box.lo, (vec3){1, 2, 3}) && vec3_equal(box.hi, (vec3){3, 4, 5}));
    s.mesh.face_count = 0;
    cr_assert(geo_mesh_box(&s.mesh).lo.x > geo_mesh_box(&s.mesh).hi.x, "empty");
}

Test(mesh, components)
{
    soup s = {0};
    for (int i = 0; i < 3; i++) {
        add_cube(&s, (vec3){2.0 * i, 0, 0}, 1);
    }
    /* The faces alternate between the three cubes: last, second, first, last, ... */
    geo_face mixed[36];
    for (size_t i = 0; i < 36; i++) {
        mixed[i] = s.f[(2 - i % 3) * 12 + i / 3];
    }
    memcpy(s.f, mixed, sizeof mixed);
    uint32_t label[40], count;
    base_error err = {0};
    assert_ok(geo_mesh_components(&s.mesh, label, &count, ERR));
    cr_assert_eq(count, 3);
    for (size_t i = 0; i < 36; i++) {
        cr_assert_eq(label[i], i % 3, "face %zu: %u", i, label[i]);
    }
    add_face(&s, 0, 8, 9); /* joins the first two cubes */
    assert_ok(geo_mesh_components(&s.mesh, label, &count, ERR));
    cr_assert(count == 2 && label[0] == 0 && label[1] == 1 && label[2] == 1 && label[36] == 1);
    /* Two faces share one vertex, which is any corner of the one and any corner of the other. */
    for (uint32_t k = 0; k < 9; k++) {
        soup t = {.mesh = {t.v, 5, t.f, 2}};
        const uint32_t f[3] = {0, 1, 2}, g[3] = {3, 4, 2};
        for (uint32_t i = 0; i < 3; i++) {
            t.f[0].v[(i + k) % 3] = f[i];
            t.f[1].v[(i + k / 3) % 3] = g[i];
        }
        assert_ok(geo_mesh_components(&t.mesh, label, &count, ERR));
        cr_assert_eq(count, 1, "%u", k);
    }
    for (size_t n = 0; n < 2; n++) {
        base_memory_fail_after(n);
        const base_status status = geo_mesh_components(&s.mesh, label, &count, &err);
        base_memory_fail_after(SIZE_MAX);
        cr_assert_eq(status, BASE_ERR_MEMORY);
    }
    no_leak();
}

static bool same_hash(base_hash a, base_hash b)
{
    return a.hi == b.hi && a.lo == b.lo;
}

Test(mesh, hash_sees_every_bit_and_the_order)
{
    soup s = {0}, t = {0};
    add_cube(&s, (vec3){0, 0, 0}, 1);
    add_cube(&t, (vec3){0, 0, 0}, 1);
    const base_hash hash = geo_mesh_hash(&s.mesh);
    cr_assert(same_hash(hash, geo_mesh_hash(&t.mesh)));
    t.v[7].z = nextafter(1, 2);
    cr_assert_not(same_hash(hash, geo_mesh_hash(&t.mesh)), "one bit");
    t.v[7].z = 1;
    t.v[0].x = -0.0;
    cr_assert_not(same_hash(hash, geo_mesh_hash(&t.mesh)), "-0");
    t.v[0].x = 0;
    cr_assert(same_hash(hash, geo_mesh_hash(&t.mesh)));
    t.f[11] = (geo_face){{7, 6, 4}};
    cr_assert_not(same_hash(hash, geo_mesh_hash(&t.mesh)), "rotated face");
    s.mesh.face_count--;
    cr_assert_not(same_hash(hash, geo_mesh_hash(&s.mesh)), "a face less");
    base_memory_fail_after(0);
    const base_hash none = geo_mesh_hash(&s.mesh);
    base_memory_fail_after(SIZE_MAX);
    cr_assert(none.hi == 0 && none.lo == 0, "out of memory");
}

/**
 * Draws a coordinate with random digits: between 2^-199 and 2^49 in size and of either sign, or one
 * time in ten a zero of either sign.
 */
static double random_coordinate(base_random *random)
{
    const double size =
        ldexp(1 + base_random_unit(random), (int)base_random_below(random, 248) - 199);
    const uint64_t choice = base_random_below(random, 20);
    return choice == 0 ? 0.0 : choice == 1 ? -0.0 : choice % 2 == 0 ? size : -size;
}

Test(mesh, off_keeps_every_bit)
{
    base_random random = base_random_seed(7);
    geo_mesh_builder made = shape_new(3000, 5000);
    geo_mesh back;
    for (size_t i = 0; i < made.vertex_count; i++) {
        made.vertices[i].x = random_coordinate(&random);
        made.vertices[i].y = random_coordinate(&random);
        made.vertices[i].z = random_coordinate(&random);
    }
    for (size_t i = 0; i < 3 * made.face_count; i++) {
        made.faces[i / 3].v[i % 3] = (uint32_t)base_random_below(&random, made.vertex_count);
    }
    geo_mesh mesh = geo_mesh_builder_finish(&made);
    FILE *const file = fopen("x.off", "wb");
    assert_ok(geo_mesh_write_off(&mesh, file, ERR));
    fclose(file);
    assert_ok(geo_mesh_load("x.off", &back, ERR));
    assert_same_mesh(&mesh, &back, "seed 7");
    geo_mesh_release(&mesh);
    geo_mesh_release(&back);
    no_leak();
}

Test(mesh, written_off_has_this_text)
{
    soup s = {.mesh = {s.v, 0, s.f, 0}};
    add_vertex(&s, 0.1, -2, 1e-30);
    add_vertex(&s, 1, 0, -0.0);
    add_vertex(&s, 3, 0.5, 1e20);
    add_face(&s, 2, 1, 0);
    char text[200] = "";
    FILE *const file = fmemopen(text, sizeof text, "w");
    assert_ok(geo_mesh_write_off(&s.mesh, file, ERR));
    fclose(file);
    cr_assert_str_eq(text, "OFF\n3 1 0\n"
                           "0.10000000000000001 -2 1.0000000000000001e-30\n1 0 -0\n"
                           "3 0.5 1e+20\n3 2 1 0\n");
}

Test(mesh, off_to_a_full_device)
{
    FILE *const file = fopen("/dev/full", "wb");
    if (!file) {
        scratch_leave();
        cr_skip_test("skipped: /dev/full is not there");
    }
    soup s = {0};
    add_cube(&s, (vec3){0, 0, 0}, 1);
    base_error err = {0};
    cr_assert_eq(geo_mesh_write_off(&s.mesh, file, &err), BASE_ERR_SYSTEM);
    cr_assert_str_eq(err.text, "cannot write a mesh: No space left on device");
    fclose(file);
}

Test(mesh_models, volume_survives_rigid_motion)
{
    SCOPED_MESH mesh;
    if (access("../shared/models/c3d-spot.off", R_OK) != 0) {
        cr_skip_test("skipped: ../shared is not there");
    }
    assert_ok(geo_mesh_load("../shared/models/c3d-spot.off", &mesh, ERR));
    cr_assert(mesh.vertex_count == 2930 && mesh.face_count == 5856);
    const geo_mesh_measure m = geo_mesh_measures(&mesh);
    cr_assert(m.volume_m3 > 0.04 && m.volume_m3 < 0.05, "%g", m.volume_m3);
    base_random random = base_random_seed(3);
    const geo_pose pose = geo_pose_make(geo_random_rotation(&random), (vec3){3, -5, 7});
    mesh = shape_move(mesh, pose, 1);
    const geo_mesh_measure n = geo_mesh_measures(&mesh);
    cr_assert(near(m.volume_m3, n.volume_m3, 1e-14), "%.17g %.17g", m.volume_m3, n.volume_m3);
    cr_assert(near(m.area_m2, n.area_m2, 1e-13), "%.17g %.17g", m.area_m2, n.area_m2);
    const vec3 moved = geo_pose_apply(&pose, m.centroid);
    cr_assert(vec3_distance(moved, n.centroid) < 1e-13);
}
