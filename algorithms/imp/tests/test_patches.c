/**
 * Tests patches of voxels: areas, points and normals of the surface, for any grid; and the search
 * for the nearest patch.
 */
#include "algorithms/imp/patches.h"

#include "algorithms/imp/body.h"
#include "algorithms/tests/pair.h"
#include "base/random.h"
#include "geometry/pose.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static uint32_t count_of(const alg_imp_body *b)
{
    return b->patch_starts[b->tree.voxel_count];
}

static vec3 normal_of(const alg_imp_body *b, uint32_t patch)
{
    const float *const n = b->patches[patch].normal;
    return (vec3){(double)n[0], (double)n[1], (double)n[2]};
}

typedef struct totals {
    double area; /* of all patches, m2 */
    vec3 vector; /* sum of area times normal */
    double flux; /* a third of the sum of area times normal times point, which is the volume */
} totals;

static totals sum_up(const alg_imp_body *b)
{
    totals t = {0};
    for (uint32_t i = 0; i < count_of(b); i++) {
        const double area = (double)b->patches[i].faces * b->grid.edge * b->grid.edge;
        const vec3 normal = normal_of(b, i);
        cr_assert(area > 0 && fabs(vec3_norm(normal) - 1) < 1e-6);
        t.area += area;
        t.vector = vec3_madd(t.vector, area, normal);
        t.flux += area * vec3_dot(normal, alg_imp_patch_point(b, i)) / 3;
    }
    return t;
}

/**
 * Tests a rotated box: its whole area is in patches, each on its face and with the normal of the
 * face.
 */
Test(patches, a_box_has_its_own_faces)
{
    base_random random = base_random_seed(7);
    const vec3 half = {0.5, 0.4, 0.05};
    for (int k = 0; k < 12; k++) {
        const geo_pose pose = k == 0 ? geo_pose_identity() : shape_pose(&random, 3);
        const geo_pose back = geo_pose_inverse(&pose);
        SCOPED_MESH box = shape_move(shape_box(vec3_scale(-1, half), half), pose, 1);
        SCOPED_PAIR p = pair_open(k % 2 ? "imp:probe-voxels=9,voxels=17"
                                        : "imp:children=64,probe=voxels,probe-voxels=9,voxels=17",
                                  &box, &box, ALG_WANT_FORCE);
        const alg_imp_body *const bodies[] = {p.fixed, p.moving};
        for (int i = 0; i < 2; i++) {
            const alg_imp_body *const b = bodies[i];
            const totals t = sum_up(b);
            cr_assert_float_eq(t.area, 8 * (0.2 + 0.025 + 0.02), 1e-5, "%g", t.area);
            cr_assert(vec3_norm(t.vector) < 1e-6);
            for (uint32_t j = 0; j < count_of(b); j++) {
                const vec3 at = geo_pose_apply(&back, alg_imp_patch_point(b, j));
                const vec3 n = geo_pose_rotate(&back, normal_of(b, j));
                int faces = 0;
                for (int axis = 0; axis < 3; axis++) {
                    const double side = vec3_get(n, axis) * vec3_get(half, axis);
                    faces += fabs(fabs(vec3_get(n, axis)) - 1) < 1e-5 &&
                             fabs(vec3_get(at, axis) - side) < 1e-5;
                }
                cr_assert_eq(faces, 1, "patch %u of %u", j, count_of(b));
            }
        }
    }
}

/**
 * Tests a curved body: the normals sum to zero, and its area and volume are those of the mesh
 * except for the rounding of means.
 */
Test(patches, a_torus_is_whole)
{
    SCOPED_MESH torus = shape_torus(48, 1, 0.4);
    const alg_mesh mesh = shape_body(&torus, true);
    double area = 0;
    for (size_t f = 0; f < torus.face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(&torus, f);
        const vec3 u = vec3_sub(t.p[1], t.p[0]), v = vec3_sub(t.p[2], t.p[0]);
        area += 0.5 * vec3_norm(vec3_cross(u, v));
    }
    SCOPED_PAIR p = pair_open("imp:probe-voxels=24,voxels=40", &torus, &torus, ALG_WANT_FORCE);
    const totals a = sum_up(p.fixed), b = sum_up(p.moving);
    cr_assert(vec3_norm(a.vector) < 1e-5 && vec3_norm(b.vector) < 1e-5);
    cr_assert(a.area < area && a.area > 0.99 * area, "%g of %g", a.area, area);
    cr_assert(b.area < area && b.area > 0.98 * area, "%g of %g", b.area, area);
    cr_assert_float_eq(a.flux, mesh.volume_m3, 0.002 * mesh.volume_m3);
    cr_assert_float_eq(b.flux, mesh.volume_m3, 0.005 * mesh.volume_m3);
}

/**
 * Tests that points of patches are in their voxels; if all surface voxels are stored, each one has
 * a patch.
 */
Test(patches, points_are_in_their_voxels)
{
    SCOPED_MESH torus = shape_torus(24, 1, 0.4);
    SCOPED_PAIR p = pair_open("imp:voxels=30", &torus, &torus, ALG_WANT_FORCE);
    const alg_imp_body *const b = p.fixed;
    uint32_t without = 0;
    for (uint32_t v = 0; v < b->tree.voxel_count; v++) {
        without += b->patch_starts[v] == b->patch_starts[v + 1];
        for (uint32_t i = b->patch_starts[v]; i < b->patch_starts[v + 1]; i++) {
            uint32_t voxel;
            const alg_imp_cell at = alg_imp_cell_of(&b->grid, alg_imp_patch_point(b, i));
            cr_assert(alg_imp_tree_find(&b->tree, at, &voxel) && voxel == v, "patch %u", i);
        }
    }
    cr_assert(without == 0, "%u voxels are touched and not passed", without);
}

/** Tests a plate thinner than a voxel: its two sides are two patches. */
Test(patches, both_sides_of_a_plate)
{
    SCOPED_MESH plate = shape_box((vec3){-1, -1, -0.01}, (vec3){1, 1, 0.01});
    SCOPED_PAIR p = pair_open("imp:voxels=16", &plate, &plate, ALG_WANT_FORCE);
    const alg_imp_body *const b = p.fixed;
    uint32_t up = 0, down = 0;
    for (uint32_t i = 0; i < count_of(b); i++) {
        const double z = normal_of(b, i).z;
        up += z > 0.99 && fabs(alg_imp_patch_point(b, i).z - 0.01) < 1e-6;
        down += z < -0.99 && fabs(alg_imp_patch_point(b, i).z + 0.01) < 1e-6;
    }
    cr_assert(up >= 256 && up == down, "%u and %u", up, down);
}

/**
 * Tests that the normals of a mesh that is not a solid are turned to the side of the voxel's
 * normal.
 */
Test(patches, an_open_mesh_may_be_inside_out)
{
    SCOPED_MESH cube = shape_reverse(shape_cube((vec3){0, 0, 0}, 1));
    SCOPED_PAIR p = {.variant = pair_variant("imp:voxels=16"),
                     .a = shape_body(&cube, false),
                     .b = shape_body(&cube, false)};
    pair_prepare(&p, &p.variant.settings);
    const alg_imp_body *const b = p.fixed;
    for (uint32_t i = 0; i < count_of(b); i++) {
        cr_assert(vec3_dot(normal_of(b, i), alg_imp_patch_point(b, i)) > 0, "patch %u", i);
    }
    pair_bind(&p, ALG_WANT_FORCE);
}

/* --- The nearest patch ------------------------------------------------------------------------ */

static uint32_t nearest_of_all(const alg_imp_body *b, vec3 point)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < count_of(b); i++) {
        const double old = vec3_distance2(alg_imp_patch_point(b, best), point);
        best = vec3_distance2(alg_imp_patch_point(b, i), point) < old ? i : best;
    }
    return best;
}

Test(patches, the_nearest_is_found_from_any_hint)
{
    static const char *const variants[] = {"imp:voxels=16",
                                           "imp:children=64,spheres=stored,voxels=16",
                                           "imp:children=512,spheres=cubes,voxels=16"};
    geo_mesh bodies[] = {shape_torus(24, 1, 0.4), shape_cube((vec3){4, 0, 0}, 1)};
    base_random random = base_random_seed(11);
    for (size_t k = 0; k < 6; k++) {
        geo_mesh *const mesh = &bodies[k % 2];
        SCOPED_PAIR p = pair_open(variants[k / 2], mesh, mesh, ALG_WANT_FORCE);
        const alg_imp_body *const b = p.fixed;
        /* The cube's centre is equally near to many patches, bit for bit. */
        const vec3 middle = {k % 2 == 1 ? 4 : 0, 0, 0};
        const uint32_t nearest = nearest_of_all(b, middle);
        for (uint32_t hint = 0; hint < count_of(b); hint++) {
            cr_assert_eq(alg_imp_closest_patch(b, middle, hint), nearest, "hint %u", hint);
        }
        for (int i = 0; i < 200; i++) {
            vec3 point = shape_point(&random, 2);
            point.x += k % 2 == 1 ? 4 : 0;
            const uint32_t hint = (uint32_t)i * 7919 % count_of(b);
            const uint32_t found = alg_imp_closest_patch(b, point, hint);
            cr_assert_eq(found, nearest_of_all(b, point), "%s, point %d: %u", variants[k / 2], i,
                         found);
        }
    }
    geo_mesh_release(&bodies[0]);
    geo_mesh_release(&bodies[1]);
}

/** Groups of a few points near each other, and of points that are far apart or equal. The bodies
 * are scaled, because lists have units of their own. */
Test(patches, the_nearest_of_a_group_are_those_of_its_points)
{
    enum { POINTS = 20 };
    static const char *const variants[] = {"imp:voxels=24", "imp:children=64,voxels=24",
                                           "imp:children=512,voxels=24"};
    static const double scales[] = {1, 1e-30, 1e9};
    alg_imp_near *const near = base_alloc(1, sizeof *near);
    base_random random = base_random_seed(12);
    uint32_t lists = 0;
    for (size_t k = 0; k < 3; k++) {
        const double scale = scales[k];
        geo_mesh mesh = shape_cube((vec3){0, 0, 0}, scale);
        pair p = pair_open(variants[k], &mesh, &mesh, ALG_WANT_FORCE);
        const alg_imp_body *const b = p.fixed;
        for (int i = 0; i < 200; i++) {
            static const double sizes[] = {0, 0.01, 0.1, 0.5, 3};
            const double size = sizes[i % 5];
            const vec3 middle = i % 3 == 0 ? (vec3){0, 0, 0} : shape_point(&random, 0.9);
            vec3 points[POINTS];
            uint32_t found[POINTS];
            const uint32_t count = i % 7 == 0 ? 1 : POINTS;
            for (uint32_t j = 0; j < count; j++) {
                points[j] =
                    vec3_scale(scale, vec3_add(middle, vec3_scale(size, shape_point(&random, 1))));
            }
            const uint32_t hint = (uint32_t)i * 7919 % count_of(b);
            alg_imp_closest_patches(b, points, count, hint, near, found);
            lists += near->count > 0 && near->count < count_of(b);
            for (uint32_t j = 0; j < count; j++) {
                cr_assert_eq(found[j], nearest_of_all(b, points[j]), "%s, group %d, point %u: %u",
                             variants[k], i, j, found[j]);
            }
        }
        pair_close(&p);
        geo_mesh_release(&mesh);
    }
    cr_assert_gt(lists, 100, "only %u groups had a part of the patches on a list", lists);
    base_free(near);
}

/** Points halfway between two patches, up to a billionth: rounding to float makes both distances
 * equal. */
Test(patches, a_group_of_points_that_two_patches_are_nearly_equally_near_to)
{
    geo_mesh cube = shape_cube((vec3){0, 0, 0}, 1);
    pair p = pair_open("imp:voxels=24", &cube, &cube, ALG_WANT_FORCE);
    const alg_imp_body *const b = p.fixed;
    alg_imp_near *const near = base_alloc(1, sizeof *near);
    for (uint32_t i = 0; i + 1 < count_of(b); i += 7) {
        const vec3 one = alg_imp_patch_point(b, i), two = alg_imp_patch_point(b, i + 1);
        const vec3 middle = vec3_scale(0.8 * 0.5, vec3_add(one, two));
        const vec3 points[3] = {middle, vec3_madd(middle, 1e-9, vec3_sub(one, two)),
                                vec3_madd(middle, 1e-9, vec3_sub(two, one))};
        uint32_t found[3];
        alg_imp_closest_patches(b, points, 3, 0, near, found);
        for (int j = 0; j < 3; j++) {
            cr_assert_eq(found[j], nearest_of_all(b, points[j]), "patch %u, point %d: %u", i, j,
                         found[j]);
        }
    }
    base_free(near);
    pair_close(&p);
    geo_mesh_release(&cube);
}

/** The list has too little room for a ball whose patches are all equally far away. */
Test(patches, a_group_with_too_long_a_list)
{
    geo_mesh ball = shape_ball((vec3){0, 0, 0}, 1, 24);
    pair p = pair_open("imp:voxels=48", &ball, &ball, ALG_WANT_FORCE);
    const alg_imp_body *const b = p.fixed;
    alg_imp_near *const near = base_alloc(1, sizeof *near);
    const vec3 points[3] = {{0.01, 0, 0}, {0, 0.02, 0}, {-0.01, 0, 0.03}};
    uint32_t found[3];
    cr_assert_gt(count_of(b), ALG_IMP_NEAR_MAX);
    alg_imp_closest_patches(b, points, 3, 0, near, found);
    cr_assert_eq(near->count, ALG_IMP_NEAR_MAX);
    for (int j = 0; j < 3; j++) {
        cr_assert_eq(found[j], nearest_of_all(b, points[j]), "point %d", j);
    }
    base_free(near);
    pair_close(&p);
    geo_mesh_release(&ball);
}

/* --- Sides ------------------------------------------------------------------------------------ */

/**
 * Tests two patches of one voxel that meet in an edge: if it is convex, A is behind both; if it is
 * concave, behind either.
 */
Test(patches, sides_of_convex_and_concave_edges)
{
    /* The faces x = 0 and z = 0, which extend down and back from the edge, or up and forward from
     * it. */
    static const struct {
        float s;
        vec3 point, normal;
        double depth;
    } rows[] = {
        {-0.5F, {-0.1, 0, -0.3}, {1, 0, 0}, 0.1}, /* inside */
        {-0.5F, {-0.3, 0, 0.1}, {0, 0, 1}, -0.1}, /* behind x = 0 only: outside */
        {-0.5F, {0.2, 0, -0.4}, {1, 0, 0}, -0.2},
        {0.5F, {-0.1, 0, 0.3}, {1, 0, 0}, 0.1}, /* behind x = 0 only: inside */
        {0.5F, {0.1, 0, 0.3}, {1, 0, 0}, -0.1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        alg_imp_patch patches[] = {{{0, 0, rows[i].s}, {1, 0, 0}, 1},
                                   {{rows[i].s, 0, 0}, {0, 0, 1}, 1}};
        uint32_t starts[] = {0, 2};
        const alg_imp_body body = {.grid.edge = 1, .patches = patches, .patch_starts = starts};
        /* Start from the patch that is not the answer if the edge is convex, else from the nearest
         * patch. */
        const uint32_t from = rows[i].s < 0 && rows[i].normal.x > 0 ? 1 : 0;
        const alg_imp_side side = alg_imp_side_of(&body, 0, from, rows[i].point);
        cr_assert_float_eq(side.depth, rows[i].depth, 1e-7, "%zu: %g", i, side.depth);
        cr_assert(vec3_distance(side.normal, rows[i].normal) < 1e-7, "%zu", i);
    }
}
