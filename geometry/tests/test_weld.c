#include "base/memory.h"
#include "base/random.h"
#include "base/tests/support.h"
#include "geometry/mesh_check.h"
#include "geometry/weld.h"

#include <criterion/criterion.h>
#include <math.h>

/** Welds vertices that a fan of faces uses, so that no vertex is left out. */
static size_t weld_points(const vec3 *points, size_t count, double tolerance, geo_weld *changes,
                          vec3 *left)
{
    geo_face *const faces = base_alloc(count, sizeof *faces);
    for (uint32_t i = 0; i < count; i++) {
        faces[i] = (geo_face){{i, (uint32_t)((i + 1) % count), (uint32_t)((i + 2) % count)}};
    }
    const geo_mesh mesh = {points, count, faces, count};
    geo_mesh_builder welded;
    assert_ok(geo_mesh_weld(&mesh, tolerance, &welded, changes, ERR));
    const size_t vertices = welded.vertex_count;
    for (size_t i = 0; i < vertices; i++) {
        left[i] = welded.vertices[i];
    }
    geo_mesh_builder_release(&welded);
    base_free(faces);
    return vertices;
}

Test(weld, tolerance)
{
    /* Pairs at distances of 1, 2 and 4, far from each other; one pair of equal points. */
    const vec3 points[] = {{0, 0, 0},   {1, 0, 0},    {100, 0, 0},  {100, 2, 0},  {0, 100, 0},
                           {0, 100, 4}, {50, 50, 50}, {50, 50, 50}, {-0.0, 0, 0}, {70, 0, 0}};
    const double tolerances[] = {0, 0.9999, 1, 1.9999, 2, 3.9999, 4};
    const size_t merged[] = {2, 2, 3, 3, 4, 4, 5};
    for (size_t i = 0; i < sizeof merged / sizeof *merged; i++) {
        geo_weld changes;
        vec3 left[10];
        const size_t count = weld_points(points, 10, tolerances[i], &changes, left);
        cr_assert_eq(changes.merged_vertices, merged[i], "%g: %zu", tolerances[i],
                     changes.merged_vertices);
        cr_assert_eq(count + changes.unused_vertices, 10 - merged[i], "%g", tolerances[i]);
        cr_assert_eq(changes.move_m, i < 2 ? 0 : i < 4 ? 1 : i < 6 ? 2 : 4, "%g", tolerances[i]);
    }
}

/** A chain of close vertices is one vertex, at the position of the first one. */
Test(weld, chains)
{
    vec3 points[30], left[30];
    for (int i = 0; i < 29; i++) {
        points[i] = vec3_make(7 + 0.9 * ((i * 17) % 29), 1, -2);
    }
    points[29] = vec3_make(500, 0, 0);
    geo_weld changes;
    cr_assert_eq(weld_points(points, 30, 1, &changes, left), 0, "all faces collapse");
    cr_assert_eq(changes.collapsed_faces, 30);
    cr_assert_eq(changes.merged_vertices, 28);
    cr_assert_eq(changes.unused_vertices, 2);
    cr_assert_float_eq(changes.move_m, 0.9 * 28, 1e-12);
}

/** The same sets as by comparing all pairs. */
Test(weld, random_points)
{
    enum { COUNT = 400 };
    base_random random = base_random_seed(3);
    for (int round = 0; round < 30; round++) {
        vec3 points[COUNT], left[COUNT];
        const double far = round % 3 == 0 ? 1e6 : 0;
        for (int i = 0; i < COUNT; i++) {
            points[i] = vec3_make(far + base_random_range(&random, -1, 1),
                                  base_random_range(&random, -1, 1),
                                  0.1 * base_random_range(&random, -1, 1) - far);
        }
        const double tolerance = 0.01 * (1 + round);
        int set[COUNT];
        size_t sets = COUNT;
        for (int i = 0; i < COUNT; i++) {
            set[i] = i;
        }
        for (int i = 0; i < COUNT; i++) {
            for (int j = 0; j < i; j++) {
                if (set[i] != set[j] && vec3_distance(points[i], points[j]) <= tolerance) {
                    const int from = set[i] > set[j] ? set[i] : set[j],
                              to = set[i] > set[j] ? set[j] : set[i];
                    for (int k = 0; k < COUNT; k++) {
                        set[k] = set[k] == from ? to : set[k];
                    }
                    sets--;
                }
            }
        }
        geo_weld changes;
        const size_t count = weld_points(points, COUNT, tolerance, &changes, left);
        cr_assert_eq(changes.merged_vertices, COUNT - sets, "round %d", round);
        cr_assert_eq(count + changes.unused_vertices, sets, "round %d", round);
        for (size_t i = 0, k = 0; i < COUNT && k < count; i++) {
            k += set[i] == (int)i && vec3_equal(left[k], points[i]);
            cr_assert(i + 1 < COUNT || k == count, "round %d: vertex %zu of %zu", round, k, count);
        }
    }
}

/** Two tetrahedra as a soup whose corners differ by up to 1e-6. */
Test(weld, soup_becomes_solid)
{
    static const vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const uint32_t sides[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    vec3 vertices[25];
    geo_face faces[9];
    for (uint32_t i = 0; i < 24; i++) {
        const vec3 p = corners[sides[i / 3 % 4][i % 3]];
        vertices[i] = vec3_add(p, vec3_make(i < 12 ? 0 : 5, 1e-8 * i, -1e-8 * i));
        faces[i / 3].v[i % 3] = i;
    }
    vertices[24] = vec3_make(5, 1e-6, 0); /* a sliver, which collapses */
    faces[8] = (geo_face){{24, 12, 14}};
    const geo_mesh mesh = {vertices, 25, faces, 9};
    for (int close = 0; close < 2; close++) {
        geo_mesh_builder welded;
        geo_weld changes;
        SCOPED_REPORT report;
        assert_ok(geo_mesh_weld(&mesh, close ? 2e-6 : 1e-9, &welded, &changes, ERR));
        SCOPED_MESH made = geo_mesh_builder_finish(&welded);
        assert_ok(geo_mesh_check(&made, &report, ERR));
        cr_assert_eq(report.solid, close == 1);
        cr_assert_eq(made.vertex_count, close ? 8 : 25, "%zu", made.vertex_count);
        cr_assert_eq(made.face_count, close ? 8 : 9);
        cr_assert_eq(changes.collapsed_faces, close ? 1 : 0);
        cr_assert_eq(report.counts[GEO_DEFECT_OPEN_EDGE], close ? 0 : 25);
        cr_assert(vec3_equal(made.vertices[0], vertices[0]));
    }
}

Test(weld, out_of_memory)
{
    const vec3 vertices[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const geo_face face = {{0, 1, 2}};
    const geo_mesh mesh = {vertices, 3, &face, 1};
    geo_mesh_builder welded = {.face_count = 1};
    geo_weld changes;
    const size_t failures = COUNT_FAILURES(geo_mesh_weld(&mesh, 0, &welded, &changes, ERR), {
        cr_assert(!failed || (!welded.vertices && !welded.faces && welded.face_count == 0));
        geo_mesh_builder_release(&welded);
        welded.face_count = 1;
    });
    cr_assert_geq(failures, 5);
}
