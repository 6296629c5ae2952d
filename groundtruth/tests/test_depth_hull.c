#include "base/memory.h"
#include "base/tests/sweep.h"
#include "geometry/pose.h"
#include "geometry/predicates.h"
#include "groundtruth/depth/depth.h"

#include "hulls.h"

#include <string.h>

static void check_refused(shape *s, const char *reason)
{
    base_error err = {0};
    cr_assert_eq(gt_body_make_hull(s->body, &err), BASE_ERR_INPUT);
    cr_assert(strstr(err.text, reason), "'%s', not '%s'", err.text, reason);
    cr_assert(!s->body->hull);
    base_error again = {0};
    const size_t bytes = gt_body_bytes(s->body);
    cr_assert_eq(gt_body_make_hull(s->body, &again), BASE_ERR_INPUT);
    cr_assert_str_eq(again.text, err.text);
    cr_assert_eq(gt_body_bytes(s->body), bytes, "decided once");
    shape_release(s);
}

Test(depth_hull, box_has_six_facets)
{
    shape s = shape_box((vec3){-1, -2, -3}, (vec3){1, 2, 3});
    cr_assert(!s.body->hull);
    shape_make_hull(&s);
    const gt_hull *const hull = s.body->hull;
    cr_assert(s.body->hull && hull->error_m == 0);
    cr_assert(hull->facet_count == 6 && hull->arc_count == 12 && hull->point_count == 8);
    for (uint32_t i = 0; i < hull->arc_count; i++) {
        const gt_arc *const arc = &hull->arcs[i];
        const vec3 turn = vec3_cross(arc->from, arc->to);
        cr_assert(vec3_equal(turn, arc->along), "arc %u: %g %g %g", i, turn.x, turn.y, turn.z);
    }
    shape_make_hull(&s);
    cr_assert(s.body->hull == hull);
    shape_release(&s);
}

/**
 * Makes an octahedron with each face cut into k^2, so that most vertices and edges are inside
 * facets.
 */
static shape cut_octahedron(uint32_t k)
{
    shape s = {0};
    vec3 *const v = base_alloc(8 * (size_t)(k + 1) * (k + 1), sizeof *v);
    geo_face *const f = base_alloc(8 * (size_t)k * k, sizeof *f);
    uint32_t nv = 0;
    size_t nf = 0;
    for (int octant = 0; octant < 8; octant++) {
        uint32_t at[32][32];
        for (uint32_t i = 0; i <= k; i++) {
            for (uint32_t j = 0; i + j <= k; j++) {
                const vec3 p = {octant & 1 ? -(double)i : i, octant & 2 ? -(double)j : j,
                                octant & 4 ? -(double)(k - i - j) : (double)(k - i - j)};
                for (at[i][j] = 0; at[i][j] < nv && !vec3_equal(v[at[i][j]], p); at[i][j]++) {
                }
                v[at[i][j]] = p;
                nv += at[i][j] == nv;
            }
        }
        const bool flip = (octant & 1) ^ (octant >> 1 & 1) ^ (octant >> 2);
        for (uint32_t i = 0; i < k; i++) {
            for (uint32_t j = 0; i + j < k; j++) {
                const uint32_t p = at[i][j], q = at[i + 1][j], r = at[i][j + 1];
                f[nf++] = (geo_face){{p, flip ? r : q, flip ? q : r}};
                if (i + j + 1 < k) {
                    const uint32_t t = at[i + 1][j + 1];
                    f[nf++] = (geo_face){{q, flip ? r : t, flip ? t : r}};
                }
            }
        }
    }
    shape_add(&s, v, nv, f, nf, false);
    base_free(v);
    base_free(f);
    shape_finish(&s);
    cr_assert(s.report.solid);
    return s;
}

Test(depth_hull, coplanar_faces_are_one_facet)
{
    shape s = cut_octahedron(8);
    shape_make_hull(&s);
    const gt_hull *const hull = s.body->hull;
    cr_assert(hull->facet_count == 8 && hull->arc_count == 12, "%u facets, %u arcs",
              hull->facet_count, hull->arc_count);
    for (uint32_t f = 0; f < 8; f++) {
        const vec3 n = vec3_abs(hull->facets[f].normal);
        cr_assert(vec3_distance(n, vec3_scale(sqrt(1.0 / 3), (vec3){1, 1, 1})) < 1e-15);
    }
    gt_depth d;
    const geo_pose here = geo_pose_identity();
    gt_depth_query(s.body, s.body, &here, &d);
    cr_assert(within(d.depth_m, 16 / sqrt(3)), "%.17g", d.depth_m.lo);
    shape_release(&s);
}

Test(depth_hull, turned_flat_faces_are_rounding)
{
    /* A subdivided face that is rotated is flat up to rounding: some of its edges become
     * notches. */
    base_random random = base_random_seed(61);
    int rounded = 0;
    for (int trial = 0; trial < 20; trial++) {
        shape s = {0}, cut = cut_octahedron(6);
        const geo_pose pose = random_pose(&random, 3);
        shape_add(&s, cut.mesh.vertices, cut.mesh.vertex_count, cut.mesh.faces, cut.mesh.face_count,
                  false);
        shape_move(&s, &pose);
        shape_finish(&s);
        shape_make_hull(&s);
        rounded += s.body->hull->error_m > 0;
        cr_assert(s.body->hull->error_m < 1e-14, "%g", s.body->hull->error_m);
        gt_depth d, e;
        const geo_pose back = geo_pose_inverse(&pose);
        shape_make_hull(&cut);
        const geo_pose there = random_pose(&random, 4);
        const geo_pose composed = geo_pose_compose(&there, &back);
        gt_depth_query(cut.body, s.body, &composed, &d);
        gt_depth_query(cut.body, cut.body, &there, &e);
        cr_assert(fabs(middle(d.depth_m) - middle(e.depth_m)) < 1e-13, "%d: %.17g, not %.17g",
                  trial, middle(d.depth_m), middle(e.depth_m));
        shape_release(&s);
        shape_release(&cut);
    }
    cr_assert(rounded > 10, "%d were rounded", rounded);
}

Test(depth_hull, what_is_not_convex_is_refused)
{
    shape torus = {0};
    shape_add_torus(&torus, 12, 8, 1, 0.25);
    shape_finish(&torus);
    check_refused(&torus, "make a notch");

    shape two = {0};
    shape_add_box(&two, (vec3){0, 0, 0}, (vec3){1, 1, 1}, false);
    shape_add_box(&two, (vec3){2, 0, 0}, (vec3){3, 1, 1}, false);
    shape_finish(&two);
    check_refused(&two, "2 components");

    shape hollow = {0};
    shape_add_box(&hollow, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, false);
    shape_add_box(&hollow, (vec3){-0.5, -0.5, -0.5}, (vec3){0.5, 0.5, 0.5}, true);
    shape_finish(&hollow);
    check_refused(&hollow, "2 components");

    shape open = {0};
    shape_add_box(&open, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, false);
    open.parts.face_count--;
    shape_finish(&open);
    check_refused(&open, "not a solid: 3 open edges");

    /* Two tetrahedra that share a vertex. */
    shape bow = {0};
    const vec3 v[] = {{0, 0, 0},  {1, 0, 0},  {0, 1, 0}, {0, 0, 1},
                      {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    const geo_face f[] = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}},
                          {{0, 4, 5}}, {{0, 6, 4}}, {{0, 5, 6}}, {{4, 6, 5}}};
    shape_add(&bow, v, 7, f, 8, false);
    shape_finish(&bow);
    check_refused(&bow, "meet in a vertex");
}

/** True if each vertex is behind each face. */
static bool convex_by_all(const geo_mesh *mesh)
{
    for (size_t i = 0; i < mesh->face_count; i++) {
        const geo_triangle t = geo_mesh_triangle(mesh, i);
        for (size_t k = 0; k < mesh->vertex_count; k++) {
            if (geo_orient3d(t.p[0], t.p[1], t.p[2], mesh->vertices[k]) < 0) {
                return false;
            }
        }
    }
    return true;
}

Test(depth_hull, decides_like_all_vertices_against_all_faces)
{
    base_random random = base_random_seed(62);
    const int part = (int)sweep_step(4);
    int convex = 0, refused = 0;
    for (int trial = 0; trial < 400 / part; trial++) {
        shape s = {0}, ball = random_hull(&random, 40, (vec3){1, 1, 1});
        shape_add(&s, ball.mesh.vertices, 40, ball.mesh.faces, ball.mesh.face_count, false);
        const uint64_t dent = base_random_below(&random, 40);
        const double depth = 1 - pow(2, -1 - (double)base_random_below(&random, 8));
        s.parts.vertices[dent] = vec3_scale(trial % 2 ? depth : 2 - depth, s.parts.vertices[dent]);
        shape_finish(&s);
        base_error err = {0};
        const base_status status = gt_body_make_hull(s.body, &err);
        const bool expected = s.report.solid && convex_by_all(&s.mesh);
        cr_assert_eq(status == BASE_OK, expected, "%d: %s", trial, err.text);
        convex += expected;
        refused += !expected;
        shape_release(&s);
        shape_release(&ball);
    }
    cr_assert(convex > 50 / part && refused > 50 / part, "%d convex, %d not", convex, refused);
}

Test(depth_hull, climbing_ends_where_scanning_does)
{
    base_random random = base_random_seed(63);
    shape s = random_hull(&random, 2000, (vec3){1, 0.5, 2});
    uint32_t at = 0;
    for (int trial = 0; trial < 1000; trial++) {
        const vec3 n = geo_random_direction(&random);
        at = gt_hull_climb(s.body->hull, n, at);
        cr_assert_eq(at, gt_hull_scan(s.body->hull, n), "%d", trial);
    }
    shape_release(&s);
}

Test(depth_hull, out_of_memory_at_every_allocation)
{
    shape s = shape_box((vec3){-1, -2, -3}, (vec3){1, 2, 3});
    base_error err = {0};
    size_t n = 0;
    for (; n < 100; n++) {
        base_memory_fail_after(n);
        const base_status status = gt_body_make_hull(s.body, &err);
        base_memory_fail_after(SIZE_MAX);
        if (status == BASE_OK) {
            break;
        }
        cr_assert_eq(status, BASE_ERR_MEMORY);
        cr_assert(!s.body->hull);
    }
    cr_assert(n > 2 && n < 100, "%zu allocations", n);
    shape_release(&s);
}
