#include "algorithms/pst/tree.h"
#include "algorithms/tests/shapes.h"
#include "geometry/surface.h"
#include "geometry/triangle.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const kind_names[3] = {"mesh", "two-phase", "blue-noise"};

/** A mesh, its surface, and its points. */
typedef struct fixture {
    geo_mesh mesh;
    base_arena arena;
    geo_surface surface;
    alg_pst_points points;
} fixture;

/** Takes ownership of the mesh. The fixture must not be moved afterwards. */
static void set_up(fixture *f, geo_mesh mesh, alg_pst_shell kind, uint32_t voxels)
{
    *f = (fixture){.mesh = mesh};
    const alg_pst_points_options options = {
        .kind = kind, .voxels = voxels, .seed = 3, .weigh = true};
    assert_ok(geo_surface_build(&f->mesh, &f->arena, &f->surface, ERR));
    assert_ok(alg_pst_points_build(&f->surface, &options, &f->arena, &f->points, ERR));
}

static void tear_down(fixture *f)
{
    geo_mesh_release(&f->mesh);
    base_arena_release(&f->arena);
}

#define SCOPED_FIXTURE RELEASED_BY(tear_down) fixture

/* --- Bodies ----------------------------------------------------------------------------------- */

typedef enum body { BOX, BALL, TORUS, SOUP, OPEN, FAR, SMALL, BODIES } body;

static const char *const body_names[BODIES] = {"box",  "ball", "torus", "soup",
                                               "open", "far",  "small"};

/** Returns a ball without the faces on one side. */
static geo_mesh open_ball(void)
{
    geo_mesh_builder ball = shape_edit(shape_ball((vec3){0, 0, 0}, 1, 6));
    size_t kept = 0;
    for (size_t f = 0; f < ball.face_count; f++) {
        if (ball.vertices[ball.faces[f].v[0]].z < 0.5) {
            ball.faces[kept++] = ball.faces[f];
        }
    }
    ball.face_count = kept;
    return geo_mesh_builder_finish(&ball);
}

static geo_mesh make_body(body kind)
{
    base_random random = base_random_seed(5);
    const vec3 zero = {0, 0, 0};
    switch (kind) {
    case BALL:
        return shape_ball(zero, 1, 8);
    case TORUS:
        return shape_torus(12, 1, 0.3);
    case SOUP:
        return shape_soup(&random, 40, false);
    case OPEN:
        return open_ball();
    case FAR:
        return shape_move(shape_torus(12, 1, 0.3), shape_shift(900, -700, 800), 1);
    case SMALL:
        return shape_move(shape_box(zero, (vec3){1, 0.3, 0.1}), shape_pose(&random, 1), 1e-3);
    default:
        return shape_box((vec3){-1, -0.5, -0.02}, (vec3){1, 0.5, 0.02});
    }
}

static double longest_side(const geo_mesh *mesh)
{
    const geo_box box = geo_mesh_box(mesh);
    const vec3 size = vec3_sub(box.hi, box.lo);
    return fmax(size.x, fmax(size.y, size.z));
}

static double reach_of(const geo_mesh *mesh)
{
    return geo_box_reach(geo_mesh_box(mesh));
}

static vec3 random_in_face(const geo_mesh *mesh, base_random *random)
{
    const geo_triangle t = geo_mesh_triangle(mesh, base_random_below(random, mesh->face_count));
    double u = base_random_unit(random), v = base_random_unit(random);
    if (u + v > 1) {
        u = 1 - u;
        v = 1 - v;
    }
    const vec3 p = vec3_madd(t.p[0], u, vec3_sub(t.p[1], t.p[0]));
    return vec3_madd(p, v, vec3_sub(t.p[2], t.p[0]));
}

static int compare_places(const void *a, const void *b)
{
    const vec3 *const p = a, *const q = b;
    for (int axis = 0; axis < 3; axis++) {
        const double x = vec3_get(*p, axis), y = vec3_get(*q, axis);
        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    return 0;
}

/** Returns the number of distinct positions. */
static uint32_t distinct_places(const alg_pst_points *points)
{
    vec3 *const sorted = base_alloc(points->count, sizeof *sorted);
    memcpy(sorted, points->points, points->count * sizeof *sorted);
    qsort(sorted, points->count, sizeof *sorted, compare_places);
    uint32_t count = 1;
    for (uint32_t i = 1; i < points->count; i++) {
        count += compare_places(&sorted[i - 1], &sorted[i]) != 0;
    }
    base_free(sorted);
    return count;
}

/* --- By hand ---------------------------------------------------------------------------------- */

Test(points, cube_by_hand)
{
    /* With one voxel: corners, and the middle of each side's diagonal. With two: 26 points of a
     * grid of half edges on the surface, and on each side the middles of its four shorter
     * diagonals. */
    static const uint32_t voxels[3] = {1, 2, 4}, wanted[3] = {8 + 6, 26 + 24, 98 + 96};
    for (int i = 0; i < 3; i++) {
        SCOPED_FIXTURE f;
        set_up(&f, shape_cube((vec3){0, 0, 0}, 1), ALG_PST_MESH, voxels[i]);
        cr_assert_eq(f.points.count, wanted[i], "%u voxels: %u", voxels[i], f.points.count);
        cr_assert_eq(distinct_places(&f.points), wanted[i]);
        /* After halving, all triangles have a right angle opposite an edge of one spacing. */
        const double edge = 2. / voxels[i];
        for (uint32_t p = 0; p < f.points.count; p++) {
            cr_assert_float_eq((double)f.points.patch2[p], edge * edge / 4, 1e-6 * edge * edge);
            const vec3 at = f.points.points[p], n = f.points.normals[p];
            cr_assert_float_eq(vec3_norm(n), 1, 1e-14);
            cr_assert_lt(vec3_dot(n, at), 0, "the normal of point %u is outwards", p);
            const int sides = (fabs(at.x) == 1) + (fabs(at.y) == 1) + (fabs(at.z) == 1);
            for (int axis = 0; axis < 3; axis++) {
                const double x = vec3_get(at, axis);
                const double exact = fabs(x) == 1 ? -x / sqrt(sides) : 0;
                cr_assert_float_eq(vec3_get(n, axis), exact, 1e-12, "normal of %g %g %g", at.x,
                                   at.y, at.z);
            }
        }
        cr_assert_float_eq(f.points.spacing_least, edge / sqrt(2), 1e-12);
        cr_assert_eq(f.points.reach, 0);
    }
}

Test(points, patch_of_a_triangle)
{
    /* The smallest enclosing circle of an equilateral triangle is its circumcircle, that of an
     * obtuse one has its longest edge as diameter. */
    const double heights[3] = {sqrt(3) / 2, 0.1, 0.5}, squares[3] = {1. / 3, 0.25, 0.25};
    for (int i = 0; i < 3; i++) {
        geo_mesh_builder one = shape_new(3, 1);
        one.vertices[1] = (vec3){1, 0, 0};
        one.vertices[2] = (vec3){0.5, 0, heights[i]};
        one.faces[0] = (geo_face){{2, 0, 1}};
        SCOPED_FIXTURE f;
        set_up(&f, geo_mesh_builder_finish(&one), ALG_PST_MESH, 1);
        cr_assert_eq(f.points.count, 3);
        for (uint32_t p = 0; p < 3; p++) {
            cr_assert_geq((double)f.points.patch2[p], squares[i]);
            cr_assert_float_eq((double)f.points.patch2[p], squares[i], 1e-6, "height %g",
                               heights[i]);
            cr_assert_float_eq(fabs(f.points.normals[p].y), 1, 1e-14);
        }
    }
}

/** A point has the greatest patch of its triangles, in either order. */
Test(points, patch_of_two_triangles)
{
    for (uint32_t large = 0; large < 2; large++) {
        geo_mesh_builder two = shape_new(4, 2);
        two.vertices[1] = (vec3){1, 0, 0};
        two.vertices[2] = (vec3){0.5, 0, sqrt(3) / 2};
        two.vertices[3] = (vec3){0.5, 0.1, 0};
        two.faces[large] = (geo_face){{0, 1, 2}};
        two.faces[1 - large] = (geo_face){{1, 0, 3}};
        SCOPED_FIXTURE f;
        set_up(&f, geo_mesh_builder_finish(&two), ALG_PST_MESH, 1);
        cr_assert_eq(f.points.count, 4);
        for (uint32_t p = 0; p < 4; p++) {
            const bool of_small = vec3_equal(f.points.points[p], (vec3){0.5, 0.1, 0});
            cr_assert_float_eq((double)f.points.patch2[p], of_small ? 0.25 : 1. / 3, 1e-6,
                               "point %u, large one %u", p, large);
        }
    }
}

Test(points, unused_equal_and_degenerate)
{
    /* A square with a corner given twice, a vertex that no face uses, a face that is a point, and a
     * face that is an edge of the square. */
    static const vec3 corners[6] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0},
                                    {0, 1, 0}, {9, 9, 9}, {1, 1, 0}};
    static const geo_face faces[4] = {{{1, 1, 1}}, {{0, 1, 1}}, {{0, 1, 2}}, {{0, 5, 3}}};
    geo_mesh_builder square = shape_copy(&(geo_mesh){corners, 6, faces, 4});
    SCOPED_FIXTURE f;
    set_up(&f, geo_mesh_builder_finish(&square), ALG_PST_MESH, 1);
    cr_assert_eq(f.points.count, 5, "%u: four corners and the middle", f.points.count);
    cr_assert_eq(distinct_places(&f.points), 5);
    for (uint32_t p = 0; p < f.points.count; p++) {
        cr_assert(vec3_equal(f.points.normals[p], (vec3){0, 0, -1}), "point %u", p);
        cr_assert(isfinite(f.points.patch2[p]) && f.points.patch2[p] >= 0.25F);
    }
}

Test(points, nothing_but_a_point)
{
    geo_mesh_builder one = shape_new(3, 1);
    for (uint32_t k = 0; k < 3; k++) {
        one.vertices[k] = (vec3){1, 2, 3};
        one.faces[0].v[k] = k;
    }
    SCOPED_FIXTURE f;
    set_up(&f, geo_mesh_builder_finish(&one), ALG_PST_MESH, 8);
    cr_assert_eq(f.points.count, 1);
    cr_assert_eq(f.points.patch2[0], 0);
    cr_assert_float_eq(vec3_norm(f.points.normals[0]), 1, 1e-14);
}

Test(points, sliver)
{
    /* A thousand times as long as wide: halving ends after six rounds, each of which replaces a
     * triangle with two long edges by three. */
    SCOPED_FIXTURE f;
    set_up(&f, shape_box((vec3){0, 0, 0}, (vec3){1, 1e-3, 1e-3}), ALG_PST_MESH, 64);
    cr_assert_eq(distinct_places(&f.points), f.points.count);
    cr_assert_lt(f.points.count, 12 * 729, "%u points", f.points.count);
}

/* --- Tests over all bodies -------------------------------------------------------------------- */

/** Each point is on its face, and has a unit normal. */
static void check_faces(const fixture *f, const char *name)
{
    const alg_pst_points *const points = &f->points;
    for (uint32_t i = 0; i < points->count; i++) {
        const vec3 p = points->points[i];
        cr_assert_lt(points->faces[i], f->mesh.face_count, "%s: %u", name, i);
        const vec3 q = geo_triangle_closest(geo_mesh_triangle(&f->mesh, points->faces[i]), p);
        const double off = vec3_distance(p, q);
        cr_assert_leq(off, points->slack + 0x1p-48 * reach_of(&f->mesh), "%s: point %u is %g off",
                      name, i, off);
        cr_assert_float_eq(vec3_norm(points->normals[i]), 1, 1e-9, "%s: normal %u", name, i);
    }
    cr_assert_leq(points->slack, 1e-9 * reach_of(&f->mesh), "%s: %g", name, points->slack);
}

/** Each point of the surface is within this distance of a point. */
static void check_reach(const fixture *f, double reach, base_random *random, const char *name)
{
    for (int i = 0; i < 2000; i++) {
        const vec3 x = random_in_face(&f->mesh, random);
        double near = INFINITY;
        for (uint32_t p = 0; p < f->points.count; p++) {
            near = fmin(near, vec3_distance(x, f->points.points[p]));
        }
        cr_assert_leq(near, reach, "%s: %g of %g", name, near, reach);
    }
}

/** Points of a mesh are distinct, and every vertex that a face uses is a point. */
static void check_vertices(const fixture *f, const char *name)
{
    cr_assert_eq(distinct_places(&f->points), f->points.count, "%s", name);
    for (size_t i = 0; i < 3 * f->mesh.face_count; i++) {
        const vec3 v = f->mesh.vertices[f->mesh.faces[i / 3].v[i % 3]];
        uint32_t p = 0;
        while (p < f->points.count && !vec3_equal(f->points.points[p], v)) {
            p++;
        }
        cr_assert_lt(p, f->points.count, "%s: corner %zu", name, i);
    }
}

/**
 * Points of a shell are within its reach. Points of a mesh: a triangle with edges of at most L lies
 * in a circle of radius L / sqrt(3) (Jung), and each of its points is at most that far from the
 * nearest corner.
 */
Test(points, cover_the_surface)
{
    for (int n = 0; n < 3 * BODIES; n++) {
        const alg_pst_shell kind = (alg_pst_shell)(n % 3);
        const bool of_mesh = kind == ALG_PST_MESH;
        char name[40];
        snprintf(name, sizeof name, "%s, %s", body_names[n / 3], kind_names[kind]);
        SCOPED_FIXTURE f;
        set_up(&f, make_body((body)(n / 3)), kind, 16);
        base_random random = base_random_seed(of_mesh ? 11 : 17);
        const double edge = longest_side(&f.mesh) / 16;
        const double most = of_mesh ? edge / sqrt(3) : 0;
        check_faces(&f, name);
        if (of_mesh) {
            check_vertices(&f, name);
        } else {
            cr_assert(f.points.reach > 0 && f.points.reach < 4 * edge, "%s: reach %g of %g", name,
                      f.points.reach, edge);
        }
        check_reach(&f, of_mesh ? most + f.points.slack : f.points.reach, &random, name);
        for (uint32_t i = 0; i < f.points.count; i++) {
            cr_assert_leq((double)f.points.patch2[i], most * most * (1 + 1e-6), "%s: patch %u",
                          name, i);
        }
    }
}

/** A point y exists, at most a spacing away from x, with d^2(x) >= d^2(y) - patch2 of y. */
static void check_patches(const fixture *f, const geo_surface *other, vec3 x, const char *name)
{
    const alg_pst_points *const points = &f->points;
    const double longest = longest_side(&f->mesh) / 8;
    const double square = geo_surface_closest(other, x, UINT32_MAX).distance2;
    double least = INFINITY;
    for (uint32_t p = 0; p < points->count; p++) {
        if (vec3_distance(x, points->points[p]) <= longest * (1 + 1e-9)) {
            const double at = geo_surface_closest(other, points->points[p], UINT32_MAX).distance2;
            least = fmin(least, at - (double)points->patch2[p]);
        }
    }
    const double reach = reach_of(&f->mesh);
    cr_assert_geq(square + 1e-12 * reach * reach, least, "%s: %g is less than %g", name, square,
                  least);
}

Test(points, patches_bound_distances)
{
    base_random random = base_random_seed(13);
    for (int b = 0; b < BODIES; b++) {
        SCOPED_FIXTURE f;
        set_up(&f, make_body((body)b), ALG_PST_MESH, 8);
        for (int round = 0; round < 4; round++) {
            /* A small body near the surface, smaller than a patch. */
            const double size = longest_side(&f.mesh) * (round < 2 ? 1e-3 : 0.1);
            const vec3 near =
                vec3_add(random_in_face(&f.mesh, &random), shape_point(&random, size));
            const geo_mesh needle = shape_cube(near, size / 8);
            base_arena arena = {0};
            geo_surface other;
            assert_ok(geo_surface_build(&needle, &arena, &other, ERR));
            for (int i = 0; i < 100; i++) {
                check_patches(&f, &other, random_in_face(&f.mesh, &random), body_names[b]);
            }
            /* At the point nearest to the small body, the bound is tightest. */
            check_patches(&f, &other, geo_surface_closest(&f.surface, near, UINT32_MAX).point,
                          body_names[b]);
            base_arena_release(&arena);
            SCOPED_MESH released = needle;
        }
    }
}

/** Returns the sum over all shares of the components along `sign` times an axis, where these are
 * positive. */
static double sum_along(const alg_pst_points *points, int axis, double sign)
{
    double sum = 0;
    for (uint32_t i = 0; i < points->count; i++) {
        sum += fmax(0, sign * vec3_get(points->shares[i], axis));
    }
    return sum;
}

/** Each face of a box is distributed to its own points, also if another face is nearer than the
 * next point. */
Test(points, shares_of_a_face_add_up_to_its_area)
{
    static const vec3 sizes[] = {{1, 1, 1}, {1, 0.7, 0.004}, {1, 0.02, 0.02}};
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        const vec3 d = sizes[n];
        const double areas[] = {d.y * d.z, d.z * d.x, d.x * d.y};
        const double all = 2 * (areas[0] + areas[1] + areas[2]);
        for (int kind = 0; kind < 3; kind++) {
            SCOPED_FIXTURE f;
            set_up(&f, shape_box((vec3){0, 0, 0}, d), (alg_pst_shell)kind, 16);
            /* The points of a mesh on an edge belong to both faces of the edge, and so do the few
             * pieces of a face that are nearest to a point of the adjacent face. */
            for (int side = 0; side < 6; side++) {
                const double sum = sum_along(&f.points, side / 2, side % 2 ? 1 : -1);
                const double expected = areas[side / 2] / all;
                cr_assert_float_eq(sum, expected, 1e-9, "box %zu, %s, side %d: %.9g for %.9g", n,
                                   kind_names[kind], side, sum, expected);
            }
            for (uint32_t i = 0; i < f.points.count && n == 0; i++) {
                const double share = f.points.count * vec3_norm(f.points.shares[i]);
                cr_assert_lt(share, 4, "%s, %u: %g of the mean", kind_names[kind], i, share);
            }
        }
    }
}

/** Shares are small where points are dense, and have the directions of the surface. */
Test(points, shares_are_those_of_the_surface_around_a_point)
{
    for (int kind = 0; kind < 3; kind++) {
        SCOPED_FIXTURE f;
        set_up(&f, shape_ball((vec3){0, 0, 0}, 1, 16), (alg_pst_shell)kind, 16);
        double sum = 0, most = 0;
        for (uint32_t i = 0; i < f.points.count; i++) {
            const double share = vec3_norm(f.points.shares[i]);
            const vec3 inward = vec3_scale(-1 / vec3_norm(f.points.points[i]), f.points.points[i]);
            const double along = vec3_dot(f.points.shares[i], inward);
            cr_assert(along >= 0.9 * share, "%s, %u: %g of %g", kind_names[kind], i, along, share);
            sum += share;
            most = fmax(most, share);
        }
        /* Curvature makes the sum slightly less than the area. */
        cr_assert(sum > 0.98 && sum <= 1, "%s: %g", kind_names[kind], sum);
        most *= f.points.count;
        cr_assert(most > 1.1 && most < 4, "%s: %g of the mean", kind_names[kind], most);
    }
}

Test(points, normals_are_inwards)
{
    for (int kind = 0; kind < 3; kind++) {
        SCOPED_FIXTURE f;
        set_up(&f, shape_ball((vec3){0, 0, 0}, 1, 8), (alg_pst_shell)kind, 24);
        for (uint32_t p = 0; p < f.points.count; p++) {
            cr_assert_lt(vec3_dot(f.points.normals[p], f.points.points[p]), -0.8, "%s: %u",
                         kind_names[kind], p);
        }
    }
}

/** Without a number of voxels, a mesh of few triangles gets fewer points than by 64 voxels; a mesh
 * of many triangles and the other kinds get the same. */
Test(points, a_mesh_of_few_triangles_gets_few_points)
{
    fixture coarse, divided;
    set_up(&coarse, make_body(BOX), ALG_PST_MESH, 0);
    set_up(&divided, make_body(BOX), ALG_PST_MESH, 64);
    const size_t most = 4096 + 16 * coarse.mesh.face_count;
    cr_assert(divided.points.count > most && coarse.points.count <= most &&
                  coarse.points.count > most / 3,
              "%u and %u points", coarse.points.count, divided.points.count);
    tear_down(&coarse);
    tear_down(&divided);
    for (int kind = 0; kind < 3; kind++) {
        SCOPED_FIXTURE f, g;
        const bool fine = kind == ALG_PST_MESH;
        set_up(&f, fine ? shape_ball((vec3){0, 0, 0}, 1, 40) : make_body(TORUS),
               (alg_pst_shell)kind, 0);
        set_up(&g, fine ? shape_ball((vec3){0, 0, 0}, 1, 40) : make_body(TORUS),
               (alg_pst_shell)kind, 64);
        cr_assert(f.points.count == g.points.count && f.points.count > 3000, "%s: %u and %u",
                  kind_names[kind], f.points.count, g.points.count);
    }
}
