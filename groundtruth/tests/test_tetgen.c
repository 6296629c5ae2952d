#include "base/memory.h"
#include "base/random.h"
#include "base/tests/support.h"
#include "geometry/vec.h"
#include "groundtruth/body/tetgen.h"

#include "scratch.h"
#include "shapes.h"

/** Returns the volume of a cube around the mesh: the scale of rounding. */
static double cube_around(const geo_mesh *mesh)
{
    const double size = geo_box_diagonal(geo_mesh_box(mesh));
    return size * size * size;
}

/** Tetrahedralises the mesh and returns the sum of the volumes. */
static double run(const geo_mesh *mesh, gt_tetrahedra *t)
{
    assert_ok(gt_tetgen_run(mesh, 60, NULL, t, ERR));
    double sum = 0;
    const double least = -1e-16 * cube_around(mesh);
    for (size_t i = 0; i < t->count; i++) {
        const gt_tetrahedron cell = gt_tetrahedra_get(t, i);
        const double v = gt_tetrahedron_volume(&cell);
        /* positive by exact signs; the computed value may round to 0 */
        cr_assert(v > least, "tetrahedron %zu has %g", i, v);
        sum += v;
    }
    return sum;
}

Test(tetgen, bodies_of_all_sizes)
{
    const scratch dir = scratch_make();
    const struct {
        const char *name;
        vec3 lo, hi;
        double tolerance; /* relative tolerance of the sum */
    } cases[] = {
        {"cube", {0, 0, 0}, {1, 1, 1}, 1e-15},
        {"tiny", {0, 0, 0}, {1e-12, 1e-12, 1e-12}, 1e-15},
        {"huge", {-1e12, 0, 0}, {1e12, 1e12, 1e12}, 1e-15},
        {"far", {1e9, 1e9, 1e9}, {1e9 + 1, 1e9 + 1, 1e9 + 1}, 1e-9},
        {"slab 1e-6 thick", {0, 0, 0}, {1, 1, 1e-6}, 1e-12},
        {"slab 1e-9 thick", {0, 0, 0}, {1, 1, 1e-9}, 1e-9},
        {"slab 1e-12 thick", {0, 0, 0}, {1, 1, 1e-12}, 1e-6},
        {"needle", {0, 0, 0}, {1e-6, 1e-6, 1}, 1e-12},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        SCOPED_SHAPE s = shape_box(cases[i].lo, cases[i].hi);
        const vec3 edges = vec3_sub(cases[i].hi, cases[i].lo);
        const double expected = edges.x * edges.y * edges.z;
        SCOPED_TETRAHEDRA t;
        const double sum = run(&s.mesh, &t);
        cr_assert(fabs(sum - expected) <= cases[i].tolerance * expected, "%s: %.17g, not %.17g",
                  cases[i].name, sum, expected);
    }
    cr_assert_eq(scratch_count(dir.path, NULL), 0, "files are left");
    scratch_remove(&dir);
}

/** TetGen fails at first on one in ten of these. */
Test(tetgen, turned_slabs)
{
    base_random random = base_random_seed(4);
    for (size_t n = 0; n < 60; n += sweep_step(3)) {
        SCOPED_SHAPE s = {0};
        shape_add_box(&s, (vec3){0, 0, 0}, (vec3){1, 1, n % 2 == 0 ? 1e-3 : 1e-7}, false);
        const geo_pose pose = random_pose(&random, 1);
        shape_move(&s, &pose);
        shape_finish(&s);
        cr_assert(s.report.solid);
        SCOPED_TETRAHEDRA t;
        run(&s.mesh, &t);
    }
}

Test(tetgen, turns)
{
    const vec3 p = {1, 2, 3};
    for (int turn = 0; turn < GT_TETGEN_TURNS; turn++) {
        cr_assert(vec3_equal(p, gt_tetgen_turn_back(gt_tetgen_turn(p, turn), turn)));
        const vec3 x = gt_tetgen_turn((vec3){1, 0, 0}, turn);
        const vec3 y = gt_tetgen_turn((vec3){0, 1, 0}, turn);
        const vec3 z = gt_tetgen_turn((vec3){0, 0, 1}, turn);
        cr_assert(vec3_dot(vec3_cross(x, y), z) == 1, "turn %d mirrors", turn);
    }
}

Test(tetgen, cavities)
{
    SCOPED_SHAPE s = {0};
    shape_add_box(&s, (vec3){0, 0, 0}, (vec3){8, 8, 8}, false);
    shape_add_box(&s, (vec3){1, 1, 1}, (vec3){3, 3, 3}, true);
    shape_add_box(&s, (vec3){4, 4, 4}, (vec3){7, 7, 7}, true);
    shape_add_box(&s, (vec3){5, 5, 5}, (vec3){6, 6, 6}, false); /* an island */
    shape_add_box(&s, (vec3){5.25, 5.25, 5.25}, (vec3){5.75, 5.75, 5.75}, true);
    shape_finish(&s);
    cr_assert(s.report.solid);
    vec3 *points = NULL;
    size_t count = 0;
    cr_assert_eq(gt_tetgen_cavities(&s.mesh, &points, &count, NULL), BASE_OK);
    cr_assert_eq(count, 3);
    const double lo[3] = {1, 4, 5.25}, hi[3] = {3, 7, 5.75};
    for (size_t i = 0; i < count; i++) {
        const vec3 p = points[i];
        cr_assert(p.x > lo[i] && p.y > lo[i] && p.z > lo[i] && p.x < hi[i] && p.y < hi[i] &&
                      p.z < hi[i],
                  "cavity %zu: (%g, %g, %g)", i, p.x, p.y, p.z);
    }
    const vec3 p = points[1];
    cr_assert(p.x < 5 || p.x > 6 || p.y < 5 || p.y > 6 || p.z < 5 || p.z > 6, "in the island");
    base_free(points);
    SCOPED_TETRAHEDRA t;
    cr_assert(fabs(run(&s.mesh, &t) - (512 - 8 - 27 + 1 - 0.125)) < 1e-12);
}

/** Thinner and thinner walls and gaps, five shells deep: a seed is found in every gap. */
Test(tetgen, thin_nested_shells)
{
    for (int exponent = 4; exponent <= 28; exponent += 8) {
        const double thin = ldexp(1, -exponent);
        SCOPED_SHAPE s = {0};
        double expected = 0;
        for (int i = 0; i < 5; i++) {
            const double lo = i * thin, hi = 1 - i * thin, edge = hi - lo;
            shape_add_box(&s, (vec3){lo, lo, lo}, (vec3){hi, hi, hi}, i % 2 == 1);
            expected += (i % 2 == 1 ? -1 : 1) * edge * edge * edge;
        }
        shape_finish(&s);
        cr_assert(s.report.solid, "2^-%d", exponent);
        vec3 *points = NULL;
        size_t count = 0;
        cr_assert_eq(gt_tetgen_cavities(&s.mesh, &points, &count, NULL), BASE_OK);
        cr_assert_eq(count, 2, "2^-%d: %zu cavities", exponent, count);
        base_free(points);
        SCOPED_TETRAHEDRA t;
        const double volume = run(&s.mesh, &t);
        cr_assert(fabs(volume - expected) <= 1e-14, "2^-%d: %.17g, not %.17g", exponent, volume,
                  expected);
    }
}

Test(tetgen, parts_and_unused_vertices)
{
    SCOPED_SHAPE s = {0};
    const vec3 unused[2] = {{0.5, 0.5, 0.5}, {9, -0.1, 0.2}};
    shape_add(&s, unused, 2, NULL, 0, false);
    shape_add_box(&s, (vec3){0, 0, 0}, (vec3){1, 1, 1}, false);
    shape_add(&s, unused, 2, NULL, 0, false);
    shape_add_torus(&s, 12, 8, 4, 0.5);
    shape_finish(&s);
    SCOPED_TETRAHEDRA t;
    const double sum = run(&s.mesh, &t);
    cr_assert(fabs(sum - s.report.measure.volume_m3) <= 1e-13);
    for (size_t i = 0; i < t.count; i++) {
        for (int k = 0; k < 4; k++) {
            const uint32_t v = t.corners[i].v[k];
            cr_assert(v != 0 && v != 1 && v != 10 && v != 11, "unused vertex %u", v);
        }
    }
}

Test(tetgen, a_wrong_filling_is_found)
{
    SCOPED_SHAPE s = {0};
    shape_add_ball(&s, 10, 6, 1);
    shape_finish(&s);
    SCOPED_TETRAHEDRA t;
    base_error err = {0};
    run(&s.mesh, &t);
    /* One tetrahedron missing, one twice, one with a wrong corner: the test of the boundary
     * detects it. */
    t.count--;
    cr_assert_eq(gt_tetrahedra_check(&t, &s.mesh, &err), BASE_ERR_SYSTEM);
    cr_assert_not_null(strstr(err.text, "faces of its boundary differ"), "%s", err.text);
    t.count++;
    const gt_corners keep = t.corners[0];
    t.corners[0] = t.corners[1];
    cr_assert_eq(gt_tetrahedra_check(&t, &s.mesh, &err), BASE_ERR_SYSTEM);
    t.corners[0] = keep;
    t.corners[0].v[3] ^= 1;
    cr_assert_eq(gt_tetrahedra_check(&t, &s.mesh, &err), BASE_ERR_SYSTEM);
    t.corners[0] = keep;
    assert_ok(gt_tetrahedra_check(&t, &s.mesh, ERR));
    /* All corners are right, but one vertex is moved: the test of the volume detects it. */
    const vec3 p = t.vertices[3];
    t.vertices[3] = vec3_scale(1.001, p);
    cr_assert_eq(gt_tetrahedra_check(&t, &s.mesh, &err), BASE_ERR_SYSTEM);
    cr_assert_not_null(strstr(err.text, "m3"), "%s", err.text);
}

Test(tetgen, a_flat_tetrahedron_is_found)
{
    vec3 vertices[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    gt_corners corners[1] = {{{3, 1, 0, 2}}};
    gt_tetrahedra t = {vertices, 4, corners, 1};
    cr_assert_eq(gt_tetrahedra_orient(&t, NULL), BASE_ERR_SYSTEM);
    for (int sign = -1; sign <= 1; sign += 2) {
        vertices[3].z = sign * 1e-300;
        cr_assert_eq(gt_tetrahedra_orient(&t, NULL), BASE_OK);
        cr_assert(corners[0].v[0] == 0 && corners[0].v[1] == 1);
        cr_assert_eq(corners[0].v[2], sign > 0 ? 2 : 3);
    }
}

Test(tetgen, works_without_stdbuf)
{
    const scratch dir = scratch_make();
    char *const real = realpath("/usr/bin/tetgen", NULL);
    if (!real) {
        cr_skip_test("skipped: tetgen is not where this test looks for it");
    }
    char script[512];
    snprintf(script, sizeof script, "exec %s \"$@\"", real);
    scratch_program(&dir, "tetgen", script);
    free(real);
    char bin[512];
    scratch_file(&dir, "bin", bin);
    cr_assert_eq(setenv("PATH", bin, 1), 0);
    shape s = shape_cube(1);
    gt_tetrahedra t;
    cr_assert(fabs(run(&s.mesh, &t) - 1) <= 1e-15);
    gt_tetrahedra_release(&t);
    shape_release(&s);
    scratch_remove(&dir);
}

/* --- Real meshes ------------------------------------------------------------------------------ */

Test(tetgen, real_meshes)
{
    if (!shared_is_there()) {
        cr_skip_test("skipped: ../shared is not there");
    }
    const char *const paths[] = {"../shared/models/c3d-spot.off",
                                 "../shared/models/c3d-rocker-arm.off"};
    for (size_t i = 0; i < 2; i++) {
        SCOPED_SHAPE s = shape_load(paths[i]);
        SCOPED_TETRAHEDRA t;
        const double sum = run(&s.mesh, &t), expected = s.report.measure.volume_m3;
        cr_assert(fabs(sum - expected) <= 1e-14 * expected, "%s: %.17g, not %.17g", paths[i], sum,
                  expected);
    }
}
