#include "algorithms/ist/body.h"
#include "algorithms/ist/spheres.h"
#include "algorithms/ist/tests/spheres.h"
#include "algorithms/tests/pair.h"
#include "base/elementary.h"
#include "base/tests/support.h"

#include <stdio.h>
#include <string.h>

static double setting(const alg_variant *variant, const char *name)
{
    const alg_algorithm *const a = variant->algorithm;
    size_t i = 0;
    while (i < a->parameter_count && strcmp(a->parameters[i].name, name) != 0) {
        i++;
    }
    cr_assert_lt(i, a->parameter_count, "no parameter '%s'", name);
    return variant->settings.values[i];
}

/** Returns the packing options of an ist variant. */
static alg_ist_options options_of(const char *name)
{
    alg_variant variant;
    alg_message message = {""};
    cr_assert_eq(alg_variant_parse(name, 1, &variant, &message), ALG_OK, "%s", message.text);
    return (alg_ist_options){
        .packing = (alg_ist_kind)setting(&variant, "packing"),
        .error = 0.01 * setting(&variant, "error"),
        .voxels = (uint32_t)setting(&variant, "voxels"),
        .limits = {setting(&variant, "min-radius"), (size_t)setting(&variant, "spheres")},
    };
}

/** Returns the largest gap as a share of the body's size, by the same measure as the search. */
static double largest_gap(const geo_mesh *mesh, const alg_ist_packing *packing)
{
    alg_ist_gap gap;
    assert_ok(alg_ist_measure_gap(packing, mesh, &gap, ERR));
    return gap.most_m / geo_box_diagonal(geo_mesh_box(mesh));
}

static geo_mesh body_of_case(int number)
{
    base_random random = base_random_seed((uint64_t)number);
    geo_mesh hole = shape_reverse(shape_ball((vec3){0.2, 0, 0.1}, 0.4, 4));
    switch (number) {
    case 0:
        return shape_box((vec3){-1, -0.5, 0}, (vec3){1, 0.5, 0.3});
    case 1:
        return shape_ball((vec3){1, 2, 3}, 0.01, 12);
    default:
        return shape_move(shape_join(shape_ball((vec3){0, 0, 0}, 1, 6), hole),
                          shape_pose(&random, 3), 100);
    }
}

Test(building, an_error_is_reached_and_no_more)
{
    const char *const rest[] = {"packing=cover", "packing=grid", "min-radius=0.7"};
    const int step = (int)sweep_step(3);
    for (int number = 0; number < 3; number++) {
        SCOPED_MESH mesh = body_of_case(number);
        const alg_mesh body = shape_body(&mesh, true);
        for (int n = number % step; n < 3; n += step) {
            uint32_t last = 0;
            for (double error = 20; error > 3; error *= 0.5) {
                char name[64];
                snprintf(name, sizeof name, "ist:error=%g,%s", error, rest[n]);
                const alg_ist_options options = options_of(name);
                SCOPED_PACKING packing = {0};
                alg_ist_building building;
                alg_message message = {""};
                cr_assert_eq(alg_ist_pack_body(&options, &body, &packing, &building, &message),
                             ALG_OK, "case %d, %s: %s", number, name, message.text);
                const double gap = largest_gap(&mesh, &packing);
                cr_assert_leq(gap, 0.005 * error, "case %d, %s: %g", number, name, gap);
                cr_assert_geq(gap, 0.005 * error / 4, "case %d, %s is wasteful: %g", number, name,
                              gap);
                cr_assert_geq(building.voxels, last, "case %d, %s: %u voxels", number, name,
                              building.voxels);
                last = building.voxels;
            }
        }
    }
}

Test(building, the_promise_holds_for_a_pair)
{
    SCOPED_MESH a = shape_box((vec3){-1, -1, -1}, (vec3){1, 1, 1});
    SCOPED_PAIR p = pair_open("ist:error=2,packing=cover", &a, &a, ALG_WANT_DISTANCE);
    size_t apart = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        base_random random = base_random_seed(seed);
        geo_pose pose = geo_pose_identity();
        pose.translation = shape_point(&random, 4);
        const vec3 gap = vec3_sub(vec3_abs(pose.translation), (vec3){2, 2, 2});
        const double d = vec3_norm(vec3_max(gap, (vec3){0, 0, 0}));
        const alg_answer x = pair_ask(&p, &pose);
        cr_assert(x.distance_m >= d - 1e-13 && x.distance_m <= d + 0.02 * sqrt(12),
                  "seed %lu: %g for %g", seed, x.distance_m, d);
        apart += d > 0;
    }
    cr_assert_gt(apart, 100);
}

/**
 * Tests an error that is out of reach. The body is a bar, because its finest grid has few voxels.
 */
Test(building, an_unreachable_error_is_reported)
{
    SCOPED_MESH mesh = shape_box((vec3){0, 0, 0}, (vec3){1, 0.06, 0.05});
    const alg_mesh body = shape_body(&mesh, true);
    const char *const names[] = {"ist:error=1e-6,packing=cover", "ist:error=1e-6",
                                 "ist:error=2,spheres=3", "ist:error=2,packing=cover,spheres=3"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const alg_ist_options options = options_of(names[i]);
        SCOPED_PACKING packing = {0};
        alg_ist_building building;
        alg_message message = {""};
        cr_assert_eq(alg_ist_pack_body(&options, &body, &packing, &building, &message),
                     ALG_UNSUPPORTED, "%s", names[i]);
        cr_assert(strstr(message.text, "out of reach"), "%s: %s", names[i], message.text);
    }
}

Test(building, a_leaf_too_thin_for_the_first_voxels_is_built)
{
    SCOPED_MESH mesh = shape_box((vec3){0, 0, 0}, (vec3){1, 0.6, 0.011});
    const alg_mesh body = shape_body(&mesh, true);
    SCOPED_PACKING packing = {0};
    alg_ist_building building;
    alg_message message = {""};
    const alg_ist_options options = options_of("ist:error=10");
    cr_assert_eq(alg_ist_pack_body(&options, &body, &packing, &building, &message), ALG_OK, "%s",
                 message.text);
    cr_assert_leq(largest_gap(&mesh, &packing), 0.05);
}

Test(building, a_leaf_carries_the_triangle_that_is_nearest)
{
    static const char *const names[] = {"ist:voxels=24", "ist:packing=refined,voxels=20",
                                        "ist:packing=cover,voxels=24", "ist-exact:voxels=16"};
    SCOPED_MESH mesh = body_of_case(2);
    SCOPED_ARENA arena = {0};
    geo_surface surface;
    assert_ok(geo_surface_build(&mesh, &arena, &surface, ERR));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        SCOPED_PAIR p = pair_open(names[i], &mesh, &mesh, ALG_WANT_DISTANCE);
        const alg_ist_solid *const solid = &((const alg_ist_body *)p.fixed)->solid;
        for (uint32_t k = 0; k < solid->tree.leaf_count; k++) {
            const vec3 c = solid->spheres[k].centre;
            const uint32_t nearest = geo_surface_closest(&surface, c, UINT32_MAX).face;
            cr_assert_eq(solid->faces[k], nearest, "%s, leaf %u: %u, not %u", names[i], k,
                         solid->faces[k], nearest);
        }
    }
}

Test(building, facts_are_those_of_the_packing)
{
    SCOPED_MESH mesh = body_of_case(2);
    for (int covers = 0; covers < 2; covers++) {
        const char *const name = covers ? "ist:packing=cover,voxels=30" : "ist:voxels=30";
        const alg_ist_options options = options_of(name);
        SCOPED_PAIR p = pair_open(name, &mesh, &mesh, ALG_WANT_DISTANCE);
        const double *const facts = p.info_a.facts;
        SCOPED_PACKING packing = {0};
        alg_ist_building building;
        alg_message message = {""};
        cr_assert_eq(alg_ist_pack_body(&options, &p.a, &packing, &building, &message), ALG_OK);
        double primary = 0;
        size_t smaller = 0;
        for (size_t i = 0; i < packing.count; i++) {
            primary += 4.0 / 3 * BASE_PI * packing.radii[i] * packing.radii[i] * packing.radii[i];
            smaller += packing.secondary[i] < packing.radii[i];
        }
        cr_assert_eq(facts[ALG_IST_FACT_VOXELS], 30);
        cr_assert_float_eq(facts[ALG_IST_FACT_GAP] / geo_box_diagonal(geo_mesh_box(&mesh)),
                           largest_gap(&mesh, &packing), 1e-15);
        if (!covers) {
            cr_assert_float_eq(facts[ALG_IST_FACT_DENSITY], primary / p.a.volume_m3, 1e-12);
            cr_assert(facts[ALG_IST_FACT_DENSITY] > 0.5 && facts[ALG_IST_FACT_DENSITY] < 1);
            cr_assert_float_eq(facts[ALG_IST_FACT_SECONDARY], p.a.volume_m3, 1e-11 * p.a.volume_m3);
            cr_assert_float_eq(facts[ALG_IST_FACT_SMALLER] * (double)packing.count, (double)smaller,
                               1e-9);
            cr_assert(smaller > 0 && smaller < packing.count);
            cr_assert_float_eq(facts[ALG_IST_FACT_GRID], 1, 0.05);
            cr_assert_neq(facts[ALG_IST_FACT_GRID], 1);
            cr_assert_eq(facts[ALG_IST_FACT_OWNED], 1);
        }
        cr_assert_eq(facts[ALG_IST_FACT_OUTSIDE], 0);
        cr_assert_eq(facts[ALG_IST_FACT_OVERLAP], 0);
        for (int i = ALG_IST_FACT_FIELD_NS; i <= ALG_IST_FACT_TREE_NS; i++) {
            cr_assert(facts[i] > 0 && isfinite(facts[i]), "%s", alg_ist_facts[i]);
        }
    }
}

Test(building, a_sphere_that_leaves_the_body_is_found)
{
    SCOPED_MESH mesh = shape_cube((vec3){0, 0, 0}, 1);
    SCOPED_ARENA arena = {0};
    geo_surface surface;
    assert_ok(geo_surface_build(&mesh, &arena, &surface, ERR));
    SCOPED_PACKING p = spheres_new(100);
    for (size_t i = 0; i < p.count; i++) {
        p.centres[i] = (vec3){0, 0, 0};
        p.radii[i] = 0.5;
        p.faces[i] = 0;
    }
    cr_assert_eq(alg_ist_measure_outside(&p, &surface), 0);
    /* The cube reaches from -1 to 1. */
    p.radii[99] = 1.25;
    cr_assert_float_eq(alg_ist_measure_outside(&p, &surface), 0.25, 1e-12);
    p.centres[40] = (vec3){1.5, 0, 0};
    cr_assert_float_eq(alg_ist_measure_outside(&p, &surface), 1, 1e-12);
}

Test(building, spheres_that_overlap_are_found)
{
    SCOPED_PACKING p = spheres_random(300, 4);
    SCOPED_ARENA arena = {0};
    double most;
    alg_ist_solid solid = spheres_solid(&p, 1, &arena);
    assert_ok(alg_ist_measure_overlap(&solid, &most, ERR));
    cr_assert_leq(most, 1e-15, "%g", most);
    p.radii[7] += 0.2;
    p.secondary[7] = p.radii[7];
    double expected = 0;
    for (size_t i = 0; i < p.count; i++) {
        if (i != 7) {
            expected =
                fmax(expected, p.radii[7] + p.radii[i] - vec3_distance(p.centres[7], p.centres[i]));
        }
    }
    solid = spheres_solid(&p, 1, &arena);
    assert_ok(alg_ist_measure_overlap(&solid, &most, ERR));
    cr_assert(expected > 0 && fabs(most - expected) <= 1e-15, "%g, not %g", most, expected);
}
