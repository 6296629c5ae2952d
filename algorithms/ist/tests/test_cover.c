#include "algorithms/ist/spheres.h"
#include "algorithms/tests/pair.h"
#include "base/tests/support.h"
#include "geometry/triangle.h"

#include <stdlib.h>
#include <string.h>

/* --- Bodies ----------------------------------------------------------------------------------- */

static geo_mesh tetrahedron(void)
{
    const vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0.2, 0.9, 0}, {0.1, 0.3, 0.7}};
    const geo_face faces[4] = {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{2, 0, 3}}};
    geo_mesh_builder mesh = shape_copy(&(geo_mesh){corners, 4, faces, 4});
    return geo_mesh_builder_finish(&mesh);
}

/** Returns a rotated body of two parts, one with a cavity. */
static geo_mesh odd_body(void)
{
    base_random random = base_random_seed(3);
    geo_mesh mesh = shape_join(shape_ball((vec3){0, 0, 0}, 1, 6),
                               shape_reverse(shape_ball((vec3){0.3, 0, 0.2}, 0.4, 4)));
    mesh = shape_join(mesh, shape_box((vec3){1.1, -0.2, -0.8}, (vec3){1.6, 0.4, 0.9}));
    return shape_move(mesh, shape_pose(&random, 3), 1);
}

/**
 * Returns a ring with a square section: convex and reflex edges, corners with more than one side.
 */
static geo_mesh frame(void)
{
    geo_mesh_builder mesh = shape_new(16, 32);
    for (uint32_t v = 0; v < 16; v++) {
        const double half = v & 4 ? 0.5 : 1;
        mesh.vertices[v] = (vec3){(v & 1 ? half : -half), (v & 2 ? half : -half), v & 8 ? 0.3 : 0};
    }
    static const uint32_t turn[5] = {0, 1, 3, 2, 0};
    size_t faces = 0;
    for (int side = 0; side < 4; side++) {
        const uint32_t a = turn[side], b = turn[side + 1];
        const uint32_t quads[4][4] = {
            {a, b, b + 8, a + 8},           /* outside */
            {b + 4, a + 4, a + 12, b + 12}, /* inside */
            {b, a, a + 4, b + 4},           /* below */
            {a + 8, b + 8, b + 12, a + 12}, /* above */
        };
        for (int q = 0; q < 4; q++) {
            const uint32_t *const c = quads[q];
            mesh.faces[faces++] = (geo_face){{c[0], c[1], c[2]}};
            mesh.faces[faces++] = (geo_face){{c[0], c[2], c[3]}};
        }
    }
    return geo_mesh_builder_finish(&mesh);
}

typedef struct body_case {
    const char *name;
    geo_mesh mesh; /* overwritten */
    double gap;
} body_case;

static size_t make_cases(body_case *cases)
{
    size_t n = 0;
    cases[n++] = (body_case){"tetrahedron", tetrahedron(), 0.01};
    cases[n++] = (body_case){"box", shape_box((vec3){-1, -0.5, 0}, (vec3){1, 0.5, 0.3}), 0.02};
    cases[n++] = (body_case){"frame", frame(), 0.03};
    cases[n++] = (body_case){"plate", shape_box((vec3){0, 0, 0}, (vec3){1, 0.6, 1e-3}), 0.02};
    cases[n++] = (body_case){"leaf", shape_box((vec3){0, 0, 0}, (vec3){1, 0.6, 1e-7}), 0.02};
    cases[n++] = (body_case){"ball", shape_ball((vec3){1, 2, 3}, 1, 10), 0.01};
    cases[n++] = (body_case){"odd", odd_body(), 0.02};
    cases[n++] = (body_case){"far", shape_cube((vec3){1e5, -1e5, 1e4}, 1), 0.03};
    geo_mesh hole = shape_reverse(shape_ball((vec3){0, 0, 0}, 0.93, 8));
    cases[n++] = (body_case){"shell", shape_join(shape_ball((vec3){0, 0, 0}, 1, 8), hole), 0.02};
    return n;
}

enum { CASES_MAX = 16 };

typedef struct fixture {
    geo_mesh mesh;
    base_arena arena;
    geo_surface surface;
    alg_ist_samples samples;
    alg_ist_packing packing;
    size_t uncovered;
} fixture;

static fixture *cover(geo_mesh mesh, double spacing, alg_ist_cover_options options)
{
    fixture *const f = base_alloc(1, sizeof *f);
    base_error err = {0};
    f->mesh = mesh;
    cr_assert(geo_surface_build(&f->mesh, &f->arena, &f->surface, &err) == BASE_OK &&
                  alg_ist_sample(&f->mesh, spacing, &f->arena, &f->samples, &err) == BASE_OK &&
                  alg_ist_cover(&f->surface, &f->samples, &options, &f->packing, &f->uncovered,
                                &err) == BASE_OK,
              "%s", err.text);
    return f;
}

static void tear_down(fixture *const *at)
{
    SCOPED_FREE fixture *const f = *at;
    alg_ist_packing_release(&f->packing);
    geo_mesh_release(&f->mesh);
    base_arena_release(&f->arena);
}

/** Before the name of a fixture that is torn down at the end of its block. */
#define SCOPED_FIXTURE RELEASED_BY(tear_down) fixture *const

/** Returns a random point of a random face, so that small faces count as much as large ones. */
static vec3 surface_point(const geo_mesh *mesh, base_random *random)
{
    const geo_triangle t = geo_mesh_triangle(mesh, base_random_below(random, mesh->face_count));
    double u = base_random_unit(random), v = base_random_unit(random);
    if (u + v > 1) {
        u = 1 - u;
        v = 1 - v;
    }
    return vec3_madd(vec3_madd(t.p[0], u, vec3_sub(t.p[1], t.p[0])), v, vec3_sub(t.p[2], t.p[0]));
}

static double surface_gap(const alg_ist_packing *packing, vec3 p)
{
    double least = INFINITY;
    for (size_t i = 0; i < packing->count; i++) {
        least = fmin(least, vec3_distance(p, packing->centres[i]) - packing->radii[i]);
    }
    return least;
}

/** Returns the distance to the surface, by all triangles. */
static double distance_to_mesh(const geo_mesh *mesh, vec3 p)
{
    double least = INFINITY;
    for (size_t f = 0; f < mesh->face_count; f++) {
        least = fmin(least, vec3_distance(geo_triangle_closest(geo_mesh_triangle(mesh, f), p), p));
    }
    return least;
}

/* --- Samples ---------------------------------------------------------------------------------- */

Test(cover, samples_are_nowhere_farther_than_the_spacing)
{
    body_case cases[CASES_MAX];
    const size_t count = make_cases(cases);
    const double spacings[] = {10, 0.2, 0.05};
    for (size_t i = 0; i < count; i++) {
        for (size_t s = 0; s < 3; s++) {
            SCOPED_ARENA arena = {0};
            alg_ist_samples samples;
            assert_ok(alg_ist_sample(&cases[i].mesh, spacings[s], &arena, &samples, ERR));
            cr_assert_geq(samples.count, cases[i].mesh.vertex_count);
            base_random random = base_random_seed(i);
            for (int n = 0; n < 100; n++) {
                const vec3 p = surface_point(&cases[i].mesh, &random);
                double least = INFINITY;
                for (size_t k = 0; k < samples.count; k++) {
                    least = fmin(least, vec3_distance(p, samples.points[k]));
                }
                cr_assert_leq(least, spacings[s] < 10 ? spacings[s] : 2, "%s, spacing %g: %g",
                              cases[i].name, spacings[s], least);
            }
        }
        geo_mesh_release(&cases[i].mesh);
    }
}

Test(cover, samples_of_a_cube_by_hand)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1);
    SCOPED_ARENA arena = {0};
    alg_ist_samples samples;
    /* Edges have length 2; diagonals have length 2.83, and the height above them is 1.41. Spacing
     * 1.42: one point on an edge, one on a diagonal. Spacing 1: one point on an edge, two on a
     * diagonal, and in each triangle a row of two points at half the height, where it is 1.41 wide.
     */
    assert_ok(alg_ist_sample(&cube, 1.42, &arena, &samples, ERR));
    cr_assert_eq(samples.count, 8 + 12 + 6, "%zu", samples.count);
    assert_ok(alg_ist_sample(&cube, 1.0, &arena, &samples, ERR));
    cr_assert_eq(samples.count, 8 + 12 + 6 * 2 + 12 * 2, "%zu", samples.count);
    for (size_t i = 0; i < samples.count; i++) {
        /* The inward direction is against the coordinates on the boundary, which are those of the
         * surrounding faces. */
        const vec3 p = samples.points[i];
        const vec3 inwards = {fabs(p.x) == 1 ? -p.x : 0, fabs(p.y) == 1 ? -p.y : 0,
                              fabs(p.z) == 1 ? -p.z : 0};
        cr_assert_lt(vec3_distance(samples.inwards[i], vec3_normalize(inwards)), 1e-14,
                     "sample %zu at %g %g %g", i, p.x, p.y, p.z);
    }
}

/* --- Properties of all covers ----------------------------------------------------------------- */

Test(cover, spheres_are_inside_and_come_near_all_of_the_surface)
{
    body_case cases[CASES_MAX];
    const size_t count = make_cases(cases);
    for (size_t i = 0; i < count; i++) {
        const char *const name = cases[i].name;
        const double gap = cases[i].gap, spacing = 1.5 * gap;
        SCOPED_FIXTURE f = cover(cases[i].mesh, spacing, (alg_ist_cover_options){.gap = gap});
        const alg_ist_packing *const p = &f->packing;
        cr_assert_eq(f->uncovered, 0, "%s: %zu of %zu", name, f->uncovered, f->samples.count);
        for (size_t k = 0; k < p->count; k++) {
            cr_assert(p->radii[k] > 0 && p->secondary[k] == p->radii[k], "%s, sphere %zu", name, k);
            cr_assert(k == 0 || p->radii[k] <= p->radii[k - 1], "%s, sphere %zu", name, k);
            cr_assert(geo_surface_contains(&f->surface, p->centres[k]), "%s, sphere %zu", name, k);
            cr_assert_leq(p->radii[k], distance_to_mesh(&f->mesh, p->centres[k]),
                          "%s: sphere %zu sticks out", name, k);
        }
        for (size_t k = 0; k < f->samples.count; k++) {
            cr_assert_leq(surface_gap(p, f->samples.points[k]), gap * (1 + 1e-9), "%s, sample %zu",
                          name, k);
        }
        base_random random = base_random_seed(i);
        for (int k = 0; k < 500; k++) {
            const double found = surface_gap(p, surface_point(&f->mesh, &random));
            cr_assert_leq(found, gap + spacing, "%s: %g", name, found);
        }
    }
}

/** Tests that each sphere is the only one near enough to some sample. */
Test(cover, no_sphere_is_redundant)
{
    SCOPED_FIXTURE f = cover(odd_body(), 0.04, (alg_ist_cover_options){.gap = 0.03});
    const alg_ist_packing *const p = &f->packing;
    SCOPED_FREE bool *const needed = base_alloc(p->count, sizeof *needed);
    for (size_t k = 0; k < f->samples.count; k++) {
        size_t near = 0, last = 0;
        for (size_t i = 0; i < p->count; i++) {
            if (vec3_distance(f->samples.points[k], p->centres[i]) - p->radii[i] <= 0.03) {
                near++;
                last = i;
            }
        }
        if (near == 1) {
            needed[last] = true;
        }
    }
    for (size_t i = 0; i < p->count; i++) {
        cr_assert(needed[i], "sphere %zu of radius %g", i, p->radii[i]);
    }
}

Test(cover, limits_hold)
{
    SCOPED_FIXTURE few =
        cover(odd_body(), 0.04, (alg_ist_cover_options){.gap = 0.03, .count_most = 20});
    cr_assert_eq(few->packing.count, 20);
    cr_assert_gt(few->uncovered, 0);
    SCOPED_FIXTURE large =
        cover(odd_body(), 0.04, (alg_ist_cover_options){.gap = 0.03, .radius_least = 0.12});
    cr_assert_gt(large->packing.count, 10);
    cr_assert_gt(large->uncovered, 0);
    cr_assert_geq(large->packing.radii[large->packing.count - 1], 0.12);
}

Test(cover, failing_allocations_are_reported)
{
    SCOPED_MESH mesh = shape_ball((vec3){0, 0, 0}, 1, 3);
    SCOPED_ARENA arena = {0};
    geo_surface surface;
    assert_ok(geo_surface_build(&mesh, &arena, &surface, ERR));
    const alg_ist_cover_options options = {.gap = 0.05};
    base_arena scratch = {0};
    alg_ist_samples samples;
    alg_ist_packing packing = {0};
    const size_t failures = COUNT_FAILURES(alg_ist_sample(&mesh, 0.1, &scratch, &samples, ERR),
                                           base_arena_release(&scratch));
    assert_ok(alg_ist_sample(&mesh, 0.1, &arena, &samples, ERR));
    cr_assert_geq(
        failures + COUNT_FAILURES(alg_ist_cover(&surface, &samples, &options, &packing, NULL, ERR),
                                  alg_ist_packing_release(&packing)),
        11);
}

/* --- The cover as an algorithm ---------------------------------------------------------------- */

Test(cover, distances_are_upper_bounds_and_near)
{
    SCOPED_MESH a = shape_box((vec3){-1, -1, -1}, (vec3){1, 1, 1});
    SCOPED_MESH b = shape_box((vec3){-0.5, -1, -0.7}, (vec3){0.5, 1, 0.7});
    SCOPED_PAIR p = pair_open("ist:packing=cover,voxels=32", &a, &b, ALG_WANT_DISTANCE);
    size_t apart = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        base_random random = base_random_seed(seed);
        geo_pose pose = geo_pose_identity();
        pose.translation = shape_point(&random, 2.5);
        const vec3 gap = vec3_sub(vec3_abs(pose.translation), (vec3){1.5, 2, 1.7});
        const double d = vec3_norm(vec3_max(gap, (vec3){0, 0, 0}));
        const alg_answer x = pair_ask(&p, &pose);
        /* The gap of each body: half of its voxel edge 2 / 32, and a third more between samples. */
        cr_assert(x.distance_m >= d - 1e-13 && x.distance_m <= d + 2 * 1.34 / 32,
                  "seed %lu: %g for %g", seed, x.distance_m, d);
        apart += d > 0;
    }
    cr_assert_gt(apart, 100);
}

Test(cover, has_no_volume)
{
    alg_variant v;
    alg_message message = {0};
    cr_assert_eq(alg_variant_parse("ist:packing=cover", 1, &v, &message), ALG_OK);
    cr_assert_eq(v.algorithm->contract(&v.settings, ALG_DISTANCE), ALG_UPPER_BOUND);
    cr_assert_eq(v.algorithm->contract(&v.settings, ALG_VOLUME), ALG_NOT_ANSWERED);
}

/** Returns the mean gap of random points of the surface. */
static double mean_gap(const geo_mesh *mesh, const alg_ist_packing *packing)
{
    base_random random = base_random_seed(5);
    double sum = 0;
    for (int i = 0; i < 2000; i++) {
        sum += surface_gap(packing, surface_point(mesh, &random));
    }
    return sum / 2000;
}

Test(cover, is_nearer_with_a_tenth_of_the_spheres_of_a_grid)
{
    SCOPED_FIXTURE f = cover(odd_body(), 0.04, (alg_ist_cover_options){.gap = 0.02});
    alg_voxel_runs grid;
    alg_voxel_field field;
    SCOPED_PACKING packed;
    base_error err = {0};
    cr_assert(alg_voxel_runs_build(&f->mesh, 50, &f->arena, &grid, &err) == BASE_OK &&
              alg_voxel_field_build(&grid, &f->surface, &f->arena, &field, &err) == BASE_OK &&
              alg_ist_pack(&field, &(alg_ist_limits){0, 0}, false, &packed, &err) == BASE_OK);
    cr_assert_leq(10 * f->packing.count, packed.count, "%zu and %zu", f->packing.count,
                  packed.count);
    const double covered = mean_gap(&f->mesh, &f->packing), grid_gap = mean_gap(&f->mesh, &packed);
    cr_assert_leq(covered, grid_gap, "%g and %g", covered, grid_gap);
}

Test(cover, spheres_are_inside_before_rounding)
{
    /* The distance of a centre from an axis-aligned side of the box is the difference of two
     * doubles, which long double represents exactly. */
    const geo_box box = {{0.1, 10.2, -5.3}, {1.3, 11.7, -4.4}};
    SCOPED_FIXTURE f = cover(shape_box(box.lo, box.hi), 0.08, (alg_ist_cover_options){.gap = 0.04});
    cr_assert_gt(f->packing.count, 50, "%zu", f->packing.count);
    for (size_t i = 0; i < f->packing.count; i++) {
        const long double r = (long double)f->packing.radii[i];
        for (int axis = 0; axis < 3; axis++) {
            const long double x = (long double)vec3_get(f->packing.centres[i], axis);
            const long double lo = (long double)vec3_get(box.lo, axis);
            const long double hi = (long double)vec3_get(box.hi, axis);
            cr_assert(x - lo >= r && hi - x >= r, "sphere %zu sticks out along axis %d", i, axis);
        }
    }
}
