#include "geometry/mesh_check.h"
#include "geometry/simplify.h"
#include "geometry/tests/shapes.h"

#include <criterion/criterion.h>
#include <math.h>

/** Simplifies a mesh without an error. */
static geo_mesh simplified(const geo_mesh *mesh, double share, bool solid)
{
    geo_mesh_builder result;
    base_error err = {0};
    cr_assert_eq(geo_mesh_simplify(mesh, share, solid, &result, &err), BASE_OK, "%s", err.text);
    return geo_mesh_builder_finish(&result);
}

static geo_mesh_report check(const geo_mesh *mesh)
{
    geo_mesh_report report;
    base_error err = {0};
    cr_assert_eq(geo_mesh_check(mesh, &report, &err), BASE_OK, "%s", err.text);
    return report;
}

/** Asserts that the vertices are some of those of the full mesh, in their order, to the bit. */
static void assert_chosen(const geo_mesh *full, const geo_mesh *some)
{
    size_t next = 0;
    for (size_t i = 0; i < some->vertex_count; i++) {
        while (next < full->vertex_count &&
               memcmp(&full->vertices[next], &some->vertices[i], sizeof(vec3)) != 0) {
            next++;
        }
        cr_assert_lt(next++, full->vertex_count, "vertex %zu is no vertex of the full mesh", i);
    }
}

static void assert_same(const geo_mesh *a, const geo_mesh *b)
{
    const base_hash x = geo_mesh_hash(a), y = geo_mesh_hash(b);
    cr_assert(x.hi == y.hi && x.lo == y.lo, "%zu and %zu faces", a->face_count, b->face_count);
}

Test(simplify, solids)
{
    geo_mesh shapes[] = {shape_ball(vec3_make(3, 1, 4), 1, 40), shape_torus(60, 2, 0.7)};
    const double shares[] = {0.9, 0.5, 0.1, 0.02};
    for (size_t k = 0; k < 2; k++) {
        for (size_t s = 0; s < 4; s++) {
            const size_t faces = shapes[k].face_count;
            const double target = shares[s] * (double)faces;
            geo_mesh mesh = simplified(&shapes[k], shares[s], true);
            geo_mesh again = simplified(&shapes[k], shares[s], true);
            geo_mesh_report report = check(&mesh), before = check(&shapes[k]);
            cr_assert(report.solid, "shape %zu, share %g", k, shares[s]);
            cr_assert_eq(report.unused_vertices, 0);
            cr_assert_leq((double)mesh.face_count, target + 1, "%zu faces of %g", mesh.face_count,
                          target);
            cr_assert_geq((double)mesh.face_count, 0.9 * target - 4, "%zu faces of %g",
                          mesh.face_count, target);
            cr_assert_float_eq(report.measure.volume_m3 / before.measure.volume_m3, 1,
                               30.0 / (double)mesh.face_count, "share %g", shares[s]);
            assert_chosen(&shapes[k], &mesh);
            assert_same(&mesh, &again);
            geo_mesh_report_release(&before);
            geo_mesh_report_release(&report);
            geo_mesh_release(&again);
            geo_mesh_release(&mesh);
        }
    }
    geo_mesh_release(&shapes[0]);
    geo_mesh_release(&shapes[1]);
}

/** Share 1 changes nothing except that unused vertices are left out. */
Test(simplify, all)
{
    geo_mesh_builder built = shape_edit(shape_ball(vec3_make(0, 0, 0), 1, 8));
    base_error err = {0};
    geo_mesh full = simplified(
        &(geo_mesh){built.vertices, built.vertex_count, built.faces, built.face_count}, 1, true);
    cr_assert_eq(full.face_count, built.face_count);
    cr_assert_eq(full.vertex_count, built.vertex_count);
    cr_assert_eq(geo_mesh_builder_add_vertex(&built, vec3_make(1e14, 0, 0), &err), BASE_OK);
    const geo_mesh more = geo_mesh_builder_view(&built);
    geo_mesh without = simplified(&more, 1, true);
    assert_same(&full, &without);
    /* An unused vertex far away does not matter either. */
    geo_mesh half = simplified(&full, 0.5, true), half_without = simplified(&more, 0.5, true);
    assert_same(&half, &half_without);
    geo_mesh_release(&half);
    geo_mesh_release(&half_without);
    geo_mesh_release(&without);
    geo_mesh_release(&full);
    geo_mesh_builder_release(&built);
}

/** The size and the place of a body do not matter: meshoptimizer's floats see the same numbers. */
Test(simplify, any_size_and_place)
{
    const geo_mesh here = shape_torus(40, 2, 0.7);
    const double scales[] = {0x1p-150, 0x1p-20, 0x1p40};
    geo_mesh expected = simplified(&here, 0.1, true);
    for (size_t s = 0; s < 3; s++) {
        geo_mesh_builder built = shape_copy(&here);
        for (size_t i = 0; i < built.vertex_count; i++) {
            built.vertices[i] = vec3_scale(scales[s], built.vertices[i]);
        }
        geo_mesh scaled = geo_mesh_builder_finish(&built);
        geo_mesh mesh = simplified(&scaled, 0.1, true);
        cr_assert_eq(mesh.face_count, expected.face_count);
        cr_assert_eq(memcmp(mesh.faces, expected.faces, mesh.face_count * sizeof *mesh.faces), 0,
                     "scale %g", scales[s]);
        geo_mesh_release(&mesh);
        geo_mesh_release(&scaled);
    }
    geo_mesh far = shape_move(shape_torus(40, 2, 0.7), shape_shift(1e9, -1e9, 0), 1);
    geo_mesh mesh = simplified(&far, 0.1, true);
    geo_mesh_report report = check(&mesh);
    cr_assert(report.solid);
    geo_mesh_report_release(&report);
    geo_mesh_release(&mesh);
    geo_mesh_release(&far);
    geo_mesh_release(&expected);
    geo_mesh copy = here;
    geo_mesh_release(&copy);
}

/** A small part becomes flat beside a large one. Its two equal faces are left out. */
Test(simplify, opposite_faces)
{
    geo_mesh both = shape_join(shape_ball(vec3_make(0, 0, 0), 1, 20),
                               shape_box(vec3_make(3, 0, 0), vec3_make(3.2, 0.2, 0.2)));
    for (size_t percent = 2; percent < 40; percent += 2) {
        geo_mesh mesh = simplified(&both, (double)percent / 100, false);
        geo_mesh_report report = check(&mesh);
        cr_assert_eq(report.counts[GEO_DEFECT_DUPLICATE_FACE], 0, "%zu percent", percent);
        cr_assert_eq(report.counts[GEO_DEFECT_NONMANIFOLD_EDGE], 0, "%zu percent", percent);
        geo_mesh_report_release(&report);
        geo_mesh_release(&mesh);
    }
    geo_mesh_release(&both);
    geo_mesh cube = shape_cube(vec3_make(0, 0, 0), 1);
    geo_mesh_builder flat = {.face_count = 1};
    base_error err = {0};
    cr_assert_eq(geo_mesh_simplify(&cube, 0.1, true, &flat, &err), BASE_ERR_INPUT);
    cr_assert(strstr(err.text, "becomes flat if it is simplified to 4 triangles"), "%s", err.text);
    cr_assert_eq(flat.face_count, 0);
    geo_mesh_release(&cube);
}

/** Triangles that share no vertices cannot be simplified; an open mesh can. */
Test(simplify, soups_and_sheets)
{
    geo_mesh ball = shape_ball(vec3_make(0, 0, 0), 1, 20);
    geo_mesh_builder soup = shape_new(3 * ball.face_count, ball.face_count);
    for (size_t i = 0; i < 3 * ball.face_count; i++) {
        soup.vertices[i] = ball.vertices[ball.faces[i / 3].v[i % 3]];
        soup.faces[i / 3].v[i % 3] = (uint32_t)i;
    }
    geo_mesh_builder result = {.face_count = 1};
    const geo_mesh view = geo_mesh_builder_view(&soup);
    base_error err = {0};
    cr_assert_eq(geo_mesh_simplify(&view, 0.1, false, &result, &err), BASE_ERR_INPUT);
    cr_assert(strstr(err.text, "remain (triangles that share no vertices must be welded first)"),
              "%s", err.text);
    cr_assert_eq(result.face_count, 0);
    geo_mesh_builder_release(&soup);

    const geo_mesh open = {ball.vertices, ball.vertex_count, ball.faces, ball.face_count / 2};
    geo_mesh mesh = simplified(&open, 0.25, false);
    cr_assert_leq(mesh.face_count, open.face_count / 4 + 1);
    cr_assert_geq(mesh.face_count, open.face_count / 5);
    assert_chosen(&ball, &mesh);
    geo_mesh_release(&mesh);
    geo_mesh_release(&ball);
}

Test(simplify, out_of_memory)
{
    geo_mesh ball = shape_ball(vec3_make(0, 0, 0), 1, 6);
    size_t failures = 0;
    for (base_status status = BASE_ERR_MEMORY; status != BASE_OK; failures++) {
        geo_mesh_builder result = {.face_count = 1};
        base_error err = {0};
        base_memory_fail_after(failures);
        status = geo_mesh_simplify(&ball, 0.5, true, &result, &err);
        base_memory_fail_after(SIZE_MAX);
        cr_assert(status == BASE_OK || (status == BASE_ERR_MEMORY && result.face_count == 0));
        geo_mesh_builder_release(&result);
    }
    cr_assert_gt(failures, 6);
    geo_mesh_release(&ball);
}
