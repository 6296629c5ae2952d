/** Sets of spheres for the tests of trees and queries, without a mesh. */
#ifndef ALGORITHMS_IST_TESTS_SPHERES_H
#define ALGORITHMS_IST_TESTS_SPHERES_H

#include "algorithms/ist/body.h"
#include "algorithms/ist/query.h"
#include "algorithms/tests/shapes.h"
#include "base/memory.h"
#include "geometry/pose.h"

/** Allocates a packing with all columns. */
static inline alg_ist_packing spheres_new(size_t count)
{
    alg_ist_packing p = {.count = count, .capacity = count};
    p.centres = base_alloc(count, sizeof *p.centres);
    p.radii = base_alloc(count, sizeof *p.radii);
    p.secondary = base_alloc(count, sizeof *p.secondary);
    p.faces = base_alloc(count, sizeof *p.faces);
    p.outer = base_alloc(count, sizeof *p.outer);
    p.outward = base_alloc(count, sizeof *p.outward);
    p.middles = base_alloc(count, sizeof *p.middles);
    p.shares = base_alloc(count, sizeof *p.shares);
    return p;
}

/**
 * Returns disjoint spheres near the unit ball. Secondary radii are 0.8 to 1.5 times as large, outer
 * radii up to 1.4 times; every fifth sphere owns no surface.
 */
static inline alg_ist_packing spheres_random(size_t count, uint64_t seed)
{
    alg_ist_packing p = spheres_new(count);
    base_random random = base_random_seed(seed);
    for (size_t i = 0; i < count;) {
        const vec3 c = vec3_scale(cbrt(base_random_unit(&random)), geo_random_direction(&random));
        double r = 0.2 * base_random_unit(&random);
        for (size_t j = 0; j < i; j++) {
            r = fmin(r, vec3_distance(c, p.centres[j]) - p.radii[j]);
        }
        if (r > 1e-4) {
            p.centres[i] = c;
            p.radii[i] = r;
            p.secondary[i] = r * base_random_range(&random, 0.8, 1.5);
            p.middles[i] = vec3_madd(c, 0.3 * r, geo_random_direction(&random));
            p.outer[i] = i % 5 > 0 ? r * base_random_range(&random, 1, 1.4) : 0;
            i++;
        }
    }
    return p;
}

static inline alg_ist_solid spheres_solid_with(const alg_ist_packing *packing,
                                               const alg_ist_tree_options *options,
                                               base_arena *arena)
{
    alg_ist_solid solid;
    uint32_t *const order = base_alloc(packing->count, sizeof *order);
    assert_ok(alg_ist_solid_build(packing, options, arena, &solid, order, ERR));
    base_free(order);
    return solid;
}

static inline alg_ist_solid spheres_solid(const alg_ist_packing *packing, uint64_t seed,
                                          base_arena *arena)
{
    return spheres_solid_with(packing, &(alg_ist_tree_options){.branching = 4, .seed = seed},
                              arena);
}

#endif
