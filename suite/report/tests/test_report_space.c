#include "base/tests/support.h"
#include "geometry/mesh.h"
#include "scenarios/models/models.h"
#include "suite/report/space.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static geo_mesh model(const char *reference)
{
    geo_mesh mesh;
    assert_ok(scn_mesh_open(reference, &mesh, ERR));
    return mesh;
}

static geo_mesh reduce(const geo_mesh *mesh, size_t most)
{
    geo_mesh reduced;
    assert_ok(bench_mesh_reduce(mesh, most, &reduced, ERR));
    return reduced;
}

Test(report_space, a_small_mesh_keeps_all_its_triangles)
{
    geo_mesh mesh = model("torus:triangles=400"), copy = reduce(&mesh, mesh.face_count);
    cr_assert_eq(copy.face_count, mesh.face_count);
    cr_assert_eq(copy.vertex_count, mesh.vertex_count);
    for (size_t i = 0; i < 3 * mesh.face_count; i++) {
        const vec3 a = mesh.vertices[mesh.faces[i / 3].v[i % 3]];
        const vec3 b = copy.vertices[copy.faces[i / 3].v[i % 3]];
        cr_assert_eq(memcmp(&a, &b, sizeof a), 0);
    }
    geo_mesh_release(&copy);
    geo_mesh_release(&mesh);
}

Test(report_space, a_large_mesh_is_reduced_in_shape)
{
    geo_mesh mesh = model("torus:triangles=20000"), small = reduce(&mesh, 3000);
    cr_expect_leq(small.face_count, 3000);
    cr_expect_gt(small.face_count, 1000);
    for (size_t f = 0; f < small.face_count; f++) {
        const uint32_t *const v = small.faces[f].v;
        cr_assert(v[0] != v[1] && v[1] != v[2] && v[2] != v[0]);
        cr_assert_lt(v[0], small.vertex_count);
        cr_assert_lt(v[1], small.vertex_count);
        cr_assert_lt(v[2], small.vertex_count);
    }
    const double before = geo_mesh_measures(&mesh).area_m2;
    const double after = geo_mesh_measures(&small).area_m2;
    cr_expect_lt(fabs(after / before - 1), 0.1, "%g %g", before, after);
    geo_mesh_release(&small);
    geo_mesh_release(&mesh);
}

Test(report_space, positions_have_one_step_for_all_axes)
{
    static const vec3 vertices[] = {{1, 2, 3}, {3, 2, 3}, {1, 3, 3}};
    static const geo_face faces[] = {{{0, 1, 2}}};
    const geo_mesh mesh = {vertices, 3, faces, 1};
    bench_arrays arrays = {0};
    char *text = NULL;
    size_t size;
    bench_json json = {.file = open_memstream(&text, &size), .lines = true};
    assert_ok(bench_space_put_body("a", "mine.off", &mesh, &arrays, &json, ERR));
    assert_ok(bench_arrays_finish(&arrays, "arrays", &json, ERR));
    cr_assert_eq(fclose(json.file), 0);
    char step[64];
    snprintf(step, sizeof step, "\"step\":%.17g,\"corner\":[1,2,3]", 2.0 / 65535);
    cr_expect_not_null(strstr(text, step), "%s", text);
    cr_expect_not_null(strstr(text, "\"triangles\":1,\"shown\":1"), "%s", text);
    /* 0 0 0, ffff 0 0, 0 8000 0; then 0 1 2 */
    cr_expect_not_null(strstr(text, "[\"u16\",\"AAAAAAAA//8AAAAAAAAAgAAA\"]"), "%s", text);
    cr_expect_not_null(strstr(text, "[\"u16\",\"AAABAAIA\"]"), "%s", text);
    bench_arrays_release(&arrays);
    free(text);
}
