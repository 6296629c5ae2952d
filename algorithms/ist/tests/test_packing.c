#include "algorithms/ist/query.h"
#include "algorithms/ist/spheres.h"
#include "algorithms/tests/shapes.h"
#include "base/elementary.h"
#include "base/tests/support.h"

#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    geo_mesh mesh;
    base_arena arena;
    geo_surface surface;
    alg_voxel_runs grid;
    alg_voxel_field field;
    alg_ist_packing packing;
} fixture;

static fixture *voxelise(geo_mesh mesh, uint32_t resolution)
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

static fixture *pack_spheres(geo_mesh mesh, uint32_t resolution, double least, size_t most,
                             bool refined)
{
    fixture *const f = voxelise(mesh, resolution);
    const alg_ist_limits limits = {least, most};
    assert_ok(alg_ist_pack(&f->field, &limits, refined, &f->packing, ERR));
    return f;
}

static fixture *pack_refined(geo_mesh mesh, uint32_t resolution, double least, size_t most)
{
    return pack_spheres(mesh, resolution, least, most, true);
}

static fixture *pack(geo_mesh mesh, uint32_t resolution, double least, size_t most)
{
    return pack_spheres(mesh, resolution, least, most, false);
}

static void share(fixture *f)
{
    assert_ok(alg_ist_share_rest(&f->field, &f->packing, ERR));
    const double volume = geo_mesh_measures(&f->mesh).volume_m3;
    assert_ok(alg_ist_secondary_radii(&f->grid, volume, false, &f->packing, ERR));
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

/**
 * Returns a body of two parts, one with a cavity; rotated, so that no two voxels are alike by
 * symmetry.
 */
static geo_mesh odd_body(uint64_t seed)
{
    base_random random = base_random_seed(seed);
    geo_mesh mesh = shape_join(shape_ball((vec3){0, 0, 0}, 1, 6),
                               shape_reverse(shape_ball((vec3){0.3, 0, 0.2}, 0.4, 4)));
    mesh = shape_join(mesh, shape_box((vec3){1.1, -0.2, -0.8}, (vec3){1.6, 0.4, 0.9}));
    return shape_move(mesh, shape_pose(&random, 3), 1);
}

static void assert_same(const alg_ist_packing *a, const alg_ist_packing *b, size_t count,
                        const char *what)
{
    for (size_t i = 0; i < count; i++) {
        cr_assert(vec3_equal(a->centres[i], b->centres[i]) && a->radii[i] == b->radii[i] &&
                      memcmp(&a->shares[i], &b->shares[i], sizeof a->shares[i]) == 0,
                  "%s: sphere %zu, radius %.17g or %.17g", what, i, a->radii[i], b->radii[i]);
    }
}

/* --- Naive implementation of the greedy rule -------------------------------------------------- */

/** Implements section III-A of the paper on a field that is measured everywhere. */
static alg_ist_packing pack_naively(fixture *f, double least)
{
    alg_voxel_field_measure(&f->field, NULL, f->grid.voxel_count);
    alg_ist_packing p = {0};
    float *const radius = f->field.radius;
    p.centres = base_alloc(f->grid.voxel_count, sizeof *p.centres);
    p.radii = base_alloc(f->grid.voxel_count, sizeof *p.radii);
    p.shares = base_alloc(f->grid.voxel_count, sizeof *p.shares);
    for (;;) {
        uint32_t best = 0;
        for (uint32_t v = 0; v < f->grid.voxel_count; v++) {
            best = radius[v] > radius[best] ? v : best;
        }
        const double r = (double)radius[best];
        if (!(r > 0) || r < least * f->grid.edge) {
            return p;
        }
        const alg_voxel_run *const at = alg_voxel_find(&f->grid, best);
        const double best_z = at->z0 + (best - at->first);
        for (uint32_t v = 0; v < f->grid.voxel_count; v++) {
            const alg_voxel_run *const run = alg_voxel_find(&f->grid, v);
            const double dx = run->x - (double)at->x, dy = run->y - (double)at->y;
            const double dz = run->z0 + (v - run->first) - best_z;
            const double n2 = dx * dx + dy * dy + dz * dz;
            const double gap = f->grid.edge * sqrt(n2) - (r + f->field.slack);
            if (n2 <= (r / f->grid.edge) * (r / f->grid.edge)) {
                if (radius[v] >= 0) {
                    alg_ist_share_add(&p.shares[p.count], run->x, run->y,
                                      (uint32_t)(run->z0 + (v - run->first)));
                }
                radius[v] = ALG_IST_TAKEN;
            } else if (gap < (double)radius[v]) {
                radius[v] = alg_voxel_round_down(gap);
            }
        }
        p.centres[p.count] = alg_voxel_position(&f->grid, best);
        p.radii[p.count++] = r;
    }
}

Test(packing, follows_the_greedy_rule)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const double least = seed % 2 ? 0 : 0.5;
        SCOPED_FIXTURE f = pack(odd_body(seed), 14, least, 0);
        SCOPED_FIXTURE naive = voxelise(odd_body(seed), 14);
        SCOPED_PACKING expected = pack_naively(naive, least);
        cr_assert_eq(f->packing.count, expected.count, "seed %lu: %zu or %zu spheres", seed,
                     f->packing.count, expected.count);
        cr_assert_gt(expected.count, 30);
        assert_same(&f->packing, &expected, expected.count, "naive");
    }
}

Test(packing, ties_go_by_number)
{
    /* A cube of 4^3 voxels has eight equal innermost voxels; the one with the smallest number
     * wins. */
    SCOPED_FIXTURE f = pack(shape_cube((vec3){0, 0, 0}, 2), 4, 0, 0);
    cr_assert(vec3_equal(f->packing.centres[0], (vec3){-0.5, -0.5, -0.5}));
    cr_assert_float_eq(f->packing.radii[0], 1.5, 1e-6);
    SCOPED_FIXTURE naive = voxelise(shape_cube((vec3){0, 0, 0}, 2), 4);
    SCOPED_PACKING expected = pack_naively(naive, 0);
    cr_assert_eq(f->packing.count, expected.count);
    assert_same(&f->packing, &expected, expected.count, "cube");
}

Test(packing, one_voxel_is_one_sphere)
{
    SCOPED_FIXTURE f = pack(shape_cube((vec3){1, 2, 3}, 2), 1, 0, 0);
    cr_assert_eq(f->packing.count, 1);
    cr_assert(vec3_equal(f->packing.centres[0], (vec3){1, 2, 3}));
    cr_assert_float_eq(f->packing.radii[0], 2, 1e-6);
    share(f);
    cr_assert_eq(f->packing.shares[0].voxels, 1);
    cr_assert_float_eq(f->packing.secondary[0], base_cbrt(64 * 3 / (4 * BASE_PI)), 1e-14);
}

/* --- Properties of all packings --------------------------------------------------------------- */

static void assert_invariants(fixture *f, double least)
{
    const alg_ist_packing *const p = &f->packing;
    for (size_t i = 0; i < p->count; i++) {
        const geo_closest c = geo_surface_closest(&f->surface, p->centres[i], UINT32_MAX);
        cr_assert(geo_surface_contains(&f->surface, p->centres[i]), "sphere %zu", i);
        cr_assert(p->radii[i] <= sqrt(c.distance2), "sphere %zu sticks out", i);
        cr_assert(p->radii[i] > 0 && p->radii[i] >= least * f->grid.edge, "sphere %zu", i);
        cr_assert(i == 0 || p->radii[i] <= p->radii[i - 1], "sphere %zu is larger", i);
        for (size_t j = 0; j < i; j++) {
            const double d = vec3_distance(p->centres[i], p->centres[j]);
            cr_assert(d >= p->radii[i] + p->radii[j], "spheres %zu and %zu overlap by %g", i, j,
                      p->radii[i] + p->radii[j] - d);
        }
    }
    uint32_t free_voxels = 0;
    uint64_t taken = 0;
    for (uint32_t v = 0; v < f->grid.voxel_count; v++) {
        free_voxels += f->field.radius[v] >= 0;
    }
    for (size_t i = 0; i < p->count; i++) {
        taken += p->shares[i].voxels;
        cr_assert_geq(p->shares[i].voxels, 1, "its own voxel belongs to sphere %zu", i);
    }
    cr_assert_eq(taken + free_voxels, f->grid.voxel_count);
}

Test(packing, spheres_are_disjoint_and_inside)
{
    const double limits[] = {0, 0.3, 1};
    for (size_t i = 0; i < 3; i++) {
        SCOPED_FIXTURE f = pack(odd_body(20 + i), 24, limits[i], 0);
        cr_assert_gt(f->packing.count, 20);
        assert_invariants(f, limits[i]);
        if (limits[i] == 0) {
            for (uint32_t v = 0; v < f->grid.voxel_count; v++) {
                cr_assert_leq(f->field.radius[v], 0, "voxel %u is still free", v);
            }
        }
    }
}

Test(packing, refined_spheres_are_disjoint_and_inside)
{
    const double limits[] = {0, 0.3, 1};
    for (size_t i = 0; i < 3; i++) {
        SCOPED_FIXTURE f = pack_refined(odd_body(20 + i), 24, limits[i], 0);
        cr_assert_gt(f->packing.count, 20);
        assert_invariants(f, limits[i]);
    }
    SCOPED_FIXTURE cube = pack_refined(shape_cube((vec3){0, 0, 0}, 1), 16, 0, 0);
    assert_invariants(cube, 0);
    SCOPED_FIXTURE far = pack_refined(shape_cube((vec3){1e5, -1e5, 1e4}, 1), 12, 0, 0);
    assert_invariants(far, 0);
}

Test(packing, refined_is_denser_with_fewer_spheres)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        SCOPED_FIXTURE grid = pack(odd_body(seed), 30, 0, 0);
        SCOPED_FIXTURE refined = pack_refined(odd_body(seed), 30, 0, 0);
        double on = 0, off = 0;
        for (size_t i = 0; i < grid->packing.count; i++) {
            on += grid->packing.radii[i] * grid->packing.radii[i] * grid->packing.radii[i];
        }
        for (size_t i = 0; i < refined->packing.count; i++) {
            off +=
                refined->packing.radii[i] * refined->packing.radii[i] * refined->packing.radii[i];
        }
        cr_assert_lt(refined->packing.count, grid->packing.count, "%zu and %zu",
                     refined->packing.count, grid->packing.count);
        cr_assert_gt(off, 1.02 * on, "%g and %g", off, on);
    }
}

Test(packing, a_ball_between_voxels_is_found)
{
    /* No voxel of 4^3 has the cube's centre; refinement ends at the inscribed ball. */
    SCOPED_FIXTURE f = pack_refined(shape_cube((vec3){0, 0, 0}, 2), 4, 0, 1);
    cr_assert_gt(f->packing.radii[0], 1.9, "%g", f->packing.radii[0]);
}

Test(packing, limits_cut_the_same_sequence_short)
{
    SCOPED_FIXTURE all = pack(odd_body(5), 20, 0, 0);
    SCOPED_FIXTURE large = pack(odd_body(5), 20, 0.7, 0);
    SCOPED_FIXTURE few = pack(odd_body(5), 20, 0, 17);
    cr_assert(large->packing.count > 17 && large->packing.count < all->packing.count);
    cr_assert_lt(all->packing.radii[large->packing.count], 0.7 * all->grid.edge);
    assert_same(&all->packing, &large->packing, large->packing.count, "least radius");
    cr_assert_eq(few->packing.count, 17);
    assert_same(&all->packing, &few->packing, 17, "most spheres");
}

/* --- Shares ----------------------------------------------------------------------------------- */

Test(packing, free_voxels_go_to_the_nearest_sphere)
{
    size_t shared = 0;
    for (uint64_t seed = 30; seed < 34; seed++) {
        /* The last body is a cube, whose free voxels are often equally near to several spheres. */
        geo_mesh mesh = seed < 33 ? odd_body(seed) : shape_cube((vec3){0, 0, 0}, 1);
        SCOPED_FIXTURE f = pack(mesh, seed < 33 ? 20 : 16, 0.8, 0);
        const alg_ist_packing *const p = &f->packing;
        SCOPED_FREE alg_ist_share *const expected = base_alloc(p->count, sizeof *expected);
        memcpy(expected, p->shares, p->count * sizeof *expected);
        for (uint32_t v = 0; v < f->grid.voxel_count; v++) {
            double least = INFINITY;
            size_t owner = 0;
            for (size_t i = 0; i < p->count && f->field.radius[v] >= 0; i++) {
                const vec3 x = alg_voxel_position(&f->grid, v);
                const double gap = vec3_distance(x, p->centres[i]) - p->radii[i];
                owner = gap < least ? i : owner;
                least = fmin(least, gap);
            }
            if (f->field.radius[v] >= 0) {
                const alg_voxel_run *const run = alg_voxel_find(&f->grid, v);
                alg_ist_share_add(&expected[owner], run->x, run->y, run->z0 + (v - run->first));
            }
            shared += f->field.radius[v] >= 0;
        }
        share(f);
        uint64_t sum = 0;
        for (size_t i = 0; i < p->count; i++) {
            cr_assert_eq(memcmp(&p->shares[i], &expected[i], sizeof *expected), 0,
                         "seed %lu, sphere %zu: %u or %u voxels", seed, i, p->shares[i].voxels,
                         expected[i].voxels);
            sum += p->shares[i].voxels;
        }
        cr_assert_eq(sum, f->grid.voxel_count);
    }
    cr_assert_gt(shared, 1000, "%zu", shared);
}

Test(packing, secondary_spheres_fill_the_mesh)
{
    SCOPED_FIXTURE f = pack(odd_body(40), 24, 0.5, 0);
    share(f);
    const double volume = geo_mesh_measures(&f->mesh).volume_m3;
    const alg_ist_packing *const p = &f->packing;
    double sum = 0;
    for (size_t i = 0; i < p->count; i++) {
        const double cube = p->secondary[i] * p->secondary[i] * p->secondary[i];
        const double expected = volume * p->shares[i].voxels / f->grid.voxel_count;
        cr_assert_float_eq(4.0 / 3 * BASE_PI * cube, expected, 1e-13 * expected, "sphere %zu", i);
        sum += 4.0 / 3 * BASE_PI * cube;
    }
    cr_assert_float_eq(sum, volume, 1e-12 * volume);
}

Test(packing, centroids_balance_as_the_voxels_do)
{
    SCOPED_FIXTURE f = pack(odd_body(41), 24, 0.5, 0);
    share(f);
    const alg_ist_packing *const p = &f->packing;
    cr_assert_null(p->middles, "the paper's balls stay");
    const double volume = geo_mesh_measures(&f->mesh).volume_m3;
    assert_ok(alg_ist_secondary_radii(&f->grid, volume, true, &f->packing, ERR));
    vec3 moment = {0, 0, 0}, expected = {0, 0, 0};
    size_t moved = 0;
    for (size_t i = 0; i < p->count; i++) {
        const double cube = p->secondary[i] * p->secondary[i] * p->secondary[i];
        moment = vec3_madd(moment, 4.0 / 3 * BASE_PI * cube, p->middles[i]);
        moved += vec3_distance(p->middles[i], p->centres[i]) > 0.05 * f->grid.edge;
    }
    for (uint32_t v = 0; v < f->grid.voxel_count; v++) {
        expected =
            vec3_madd(expected, volume / f->grid.voxel_count, alg_voxel_position(&f->grid, v));
    }
    cr_assert_lt(vec3_distance(moment, expected), 1e-12 * (volume + vec3_norm(expected)));
    cr_assert_gt(moved, p->count / 4, "%zu of %zu are not in the middle", moved, p->count);
}

/** Builds finer voxels of a fixture's mesh, and the shares from them. */
static alg_voxel_runs share_fine(fixture *f, uint32_t resolution)
{
    alg_voxel_runs fine;
    base_error err = {0};
    cr_assert(alg_voxel_runs_build(&f->mesh, resolution, &f->arena, &fine, &err) == BASE_OK &&
                  alg_ist_share_fine(&f->field, &fine, &f->packing, &err) == BASE_OK,
              "%s", err.text);
    return fine;
}

static uint32_t nearest_sphere(const alg_ist_packing *p, vec3 x)
{
    double least = INFINITY;
    uint32_t owner = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const double gap = vec3_distance(x, p->centres[i]) - p->radii[i];
        owner = gap < least ? i : owner;
        least = fmin(least, gap);
    }
    return owner;
}

/** Returns the interior voxel of a grid that a point lies in, or UINT32_MAX. */
static uint32_t voxel_around(const alg_voxel_runs *grid, vec3 x)
{
    for (uint32_t v = 0; v < grid->voxel_count; v++) {
        const vec3 d = vec3_sub(x, alg_voxel_position(grid, v));
        if (fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z))) < 0.5 * grid->edge) {
            return v;
        }
    }
    return UINT32_MAX;
}

Test(packing, finer_voxels_go_where_their_voxel_goes)
{
    /* With three times the voxels, no centre of a fine voxel is on the boundary between two voxels
     * of the packing. The box's other edges are not multiples of a voxel, so that the grids do not
     * coincide. */
    const uint32_t resolutions[] = {9, 12, 10};
    size_t outside = 0, inside = 0;
    for (size_t k = 0; k < 3; k++) {
        geo_mesh mesh =
            k < 2 ? odd_body(50 + k) : shape_box((vec3){0, 0, 0}, (vec3){1, 0.77, 0.53});
        SCOPED_FIXTURE f = pack(mesh, resolutions[k], 0.7, 0);
        const alg_ist_packing *const p = &f->packing;
        const alg_voxel_runs fine = share_fine(f, 3 * resolutions[k]);
        SCOPED_FREE alg_ist_share *const expected = base_alloc(p->count, sizeof *expected);
        memset(expected, 0, p->count * sizeof *expected);
        for (uint32_t v = 0; v < fine.voxel_count; v++) {
            const vec3 x = alg_voxel_position(&fine, v);
            const uint32_t around = voxel_around(&f->grid, x);
            const bool in = around != UINT32_MAX;
            const uint32_t owner = nearest_sphere(p, in ? alg_voxel_position(&f->grid, around) : x);
            const alg_voxel_run *const run = alg_voxel_find(&fine, v);
            alg_ist_share_add(&expected[owner], run->x, run->y, run->z0 + (v - run->first));
            inside += in;
            outside += !in;
        }
        for (size_t i = 0; i < p->count; i++) {
            cr_assert_eq(memcmp(&p->shares[i], &expected[i], sizeof *expected), 0,
                         "body %zu, sphere %zu: %u or %u voxels", k, i, p->shares[i].voxels,
                         expected[i].voxels);
        }
    }
    cr_assert(inside > 10000 && outside > 1000, "%zu inside, %zu outside", inside, outside);
}

/** Returns the volume of the balls below a height. */
static double volume_below(const alg_ist_packing *p, double y)
{
    double sum = 0;
    for (size_t i = 0; i < p->count; i++) {
        const double r = p->secondary[i];
        const double h = fmin(fmax(y - p->middles[i].y + r, 0), 2 * r);
        sum += BASE_PI / 3 * h * h * (3 * r - h);
    }
    return sum;
}

Test(packing, finer_shares_know_better_where_a_face_is)
{
    /* 7.3 voxels along y: the outer voxels of a grid of 8 have their centres inside, so that a face
     * of the voxels lies 0.35 edges too far out, and with voxels of a quarter of the edge 0.1. */
    SCOPED_FIXTURE f = pack(shape_box((vec3){0, 0, 0}, (vec3){1, 0.73, 0.4}), 10, 0.9, 0);
    assert_ok(alg_ist_share_rest(&f->field, &f->packing, ERR));
    double mean[2] = {0, 0};
    for (int finer = 0; finer < 2; finer++) {
        const alg_voxel_runs grid = finer ? share_fine(f, 40) : f->grid;
        assert_ok(alg_ist_secondary_radii(&grid, 0.292, true, &f->packing, ERR));
        cr_assert_float_eq(volume_below(&f->packing, 2), 0.292, 1e-12);
        for (int depth = 10; depth <= 30; depth++) {
            const double y = 0.01 * depth;
            mean[finer] += (volume_below(&f->packing, y) / (0.4 * y) - 1) / 21;
        }
    }
    cr_assert(mean[0] > 0.02 && fabs(mean[1]) < 0.3 * mean[0], "%g, %g", mean[0], mean[1]);
}

Test(packing, an_empty_share_is_a_ball_of_no_size)
{
    SCOPED_FIXTURE f = pack(shape_ball((vec3){0, 0, 0}, 1, 4), 12, 0.5, 0);
    share(f);
    memset(&f->packing.shares[2], 0, sizeof f->packing.shares[2]);
    assert_ok(alg_ist_secondary_radii(&f->grid, 3, true, &f->packing, ERR));
    cr_assert_eq(f->packing.secondary[2], 0);
    cr_assert(vec3_equal(f->packing.middles[2], f->packing.centres[2]));
}

/** Packs the field; if `refined` is false, also shares the rest of the voxels. */
static base_status pack_and_share(fixture *f, const float *fresh, bool refined)
{
    const alg_ist_limits limits = {0.3, 0};
    memcpy(f->field.radius, fresh, f->grid.voxel_count * sizeof *fresh);
    base_status status = alg_ist_pack(&f->field, &limits, refined, &f->packing, ERR);
    if (status == BASE_OK && !refined) {
        status = alg_ist_share_rest(&f->field, &f->packing, ERR);
    }
    if (status == BASE_OK && !refined) {
        status = alg_ist_share_fine(&f->field, &f->grid, &f->packing, ERR);
    }
    return status;
}

Test(packing, failing_allocations_are_reported)
{
    SCOPED_FIXTURE f = voxelise(shape_ball((vec3){0, 0, 0}, 1, 3), 12);
    SCOPED_FREE float *const fresh = base_alloc(f->grid.voxel_count, sizeof *fresh);
    memcpy(fresh, f->field.radius, f->grid.voxel_count * sizeof *fresh);
    for (int refined = 0; refined < 2; refined++) {
        const size_t failures = COUNT_FAILURES(pack_and_share(f, fresh, refined != 0),
                                               alg_ist_packing_release(&f->packing));
        cr_assert_geq(failures, refined ? 11 : 10, "%zu", failures);
    }
}

/** Returns the distance with 11 bits more than a double has. */
static long double distance_exactly(vec3 p, vec3 q)
{
    long double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        const long double d = (long double)vec3_get(p, axis) - (long double)vec3_get(q, axis);
        sum += d * d;
    }
    return sqrtl(sum);
}

Test(packing, rounding_makes_spheres_smaller)
{
    /* Here a unit in the last place of a coordinate is larger than that of a radius. */
    const vec3 away = {0x1p27 + 0.3, -0x1p27 + 0.7, 0x1p26};
    for (int refined = 0; refined < 2; refined++) {
        SCOPED_FIXTURE f = (refined ? pack_refined : pack)(shape_ball(away, 1, 4), 14, 0, 0);
        const alg_ist_packing *const p = &f->packing;
        cr_assert_gt(p->count, 100);
        assert_invariants(f, 0);
        for (size_t i = 0; i < p->count * p->count; i++) {
            const size_t a = i / p->count, b = i % p->count;
            const long double radii = (long double)p->radii[a] + (long double)p->radii[b];
            cr_assert(a == b || distance_exactly(p->centres[a], p->centres[b]) >= radii,
                      "spheres %zu and %zu overlap", a, b);
        }
    }
}

/**
 * Tests voxels whose centres lie on the surface, the top of the small box: they have no room for a
 * sphere.
 */
Test(packing, a_voxel_on_the_surface_has_an_owner)
{
    geo_mesh mesh = shape_join(shape_box((vec3){0, 0, 0}, (vec3){4, 4, 4}),
                               shape_box((vec3){6, 0, 0}, (vec3){8, 2, 3.5}));
    SCOPED_FIXTURE f = pack(mesh, 8, 0.4, 0);
    size_t on_surface = 0, around = 0;
    for (uint32_t v = 0; v < f->grid.voxel_count; v++) {
        on_surface += f->field.radius[v] == 0 && alg_voxel_position(&f->grid, v).x > 5;
    }
    cr_assert_eq(on_surface, 4);
    share(f);
    for (size_t i = 0; i < f->packing.count; i++) {
        around += f->packing.centres[i].x > 5 ? f->packing.shares[i].voxels : 0;
    }
    cr_assert_eq(around, 16, "%zu", around);
}
