/**
 * Tests the choice of a criterion in a node against the costs of all clusterings, which the test
 * computes independently.
 */
#include "algorithms/ist/tests/spheres.h"
#include "base/tests/scoped.h"
#include "geometry/sphere.h"

enum { COUNT = 16, K = 4, SEEDS = 100 };

/** Computes the balls of the root's children. */
static uint32_t root_balls(const alg_ist_tree *tree, geo_ball balls[K])
{
    uint32_t count = 0;
    while (count < tree->width && alg_ist_children(tree, 0)[count] != ALG_IST_NONE) {
        const vec3 in_lanes = {(double)alg_ist_lanes(tree, 0, ALG_IST_X)[count],
                               (double)alg_ist_lanes(tree, 0, ALG_IST_Y)[count],
                               (double)alg_ist_lanes(tree, 0, ALG_IST_Z)[count]};
        balls[count] = (geo_ball){vec3_add(tree->origin, in_lanes),
                                  (double)alg_ist_lanes(tree, 0, ALG_IST_FAR)[count]};
        count++;
    }
    return count;
}

/** Returns the cost that the criterion minimises. */
static double cost(alg_ist_criterion criterion, const alg_ist_packing *p, const geo_ball *balls,
                   uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double volume = geo_ball_volume(balls[i].radius);
        double filled = 0;
        for (size_t s = 0; s < p->count; s++) {
            filled += geo_ball_overlap_volume(balls[i], (geo_ball){p->centres[s], p->radii[s]});
        }
        sum += criterion == ALG_IST_OUTSIDE ? volume - fmin(volume, filled) : volume;
    }
    return sum;
}

static double cost_of_tree(alg_ist_criterion criterion, const alg_ist_packing *p,
                           const alg_ist_tree_options *options)
{
    base_arena arena = {0};
    geo_ball balls[K];
    const alg_ist_solid solid = spheres_solid_with(p, options, &arena);
    const double sum = cost(criterion, p, balls, root_balls(&solid.tree, balls));
    base_arena_release(&arena);
    return sum;
}

static double cost_of_medians(alg_ist_criterion criterion, const alg_ist_packing *p)
{
    double x[COUNT], y[COUNT], z[COUNT];
    uint8_t cluster[COUNT];
    geo_ball balls[K], members[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        x[i] = p->centres[i].x;
        y[i] = p->centres[i].y;
        z[i] = p->centres[i].z;
    }
    alg_ist_cluster_evenly(&(alg_ist_points){x, y, z, NULL, COUNT}, K, cluster);
    for (uint32_t k = 0; k < K; k++) {
        size_t count = 0;
        for (size_t i = 0; i < COUNT; i++) {
            if (cluster[i] == k) {
                members[count++] = (geo_ball){p->centres[i], p->radii[i]};
            }
        }
        balls[k] = geo_ball_enclose(members, count);
    }
    return cost(criterion, p, balls, K);
}

/**
 * Returns spheres without secondary and outer balls, so that a leaf's near and far radius are
 * equal. For even seeds they lie in a slightly perturbed grid, which medians divide best, and every
 * second time around a large sphere, so that the overlap of a ball with the spheres of other balls
 * matters.
 */
static alg_ist_packing bare_spheres(uint64_t seed)
{
    alg_ist_packing p = spheres_random(COUNT, seed);
    base_random random = base_random_seed(seed);
    for (size_t i = 0; i < p.count; i++) {
        if (seed % 2 == 0) {
            const vec3 place = {(double)(i % 4), (double)(i / 4), 0};
            p.centres[i] = vec3_madd(place, 0.2, shape_point(&random, 1));
            p.radii[i] = 0.3;
        }
        if (seed % 4 == 0 && i == 0) {
            p.centres[i] = (vec3){1.5, 1.5, 0};
            p.radii[i] = 1.2;
        }
        p.secondary[i] = p.radii[i];
        p.middles[i] = p.centres[i];
        p.outer[i] = 0;
    }
    return p;
}

Test(criteria, the_least_cost_is_chosen)
{
    const alg_ist_criterion criteria[] = {ALG_IST_VOLUME, ALG_IST_OUTSIDE};
    for (size_t n = 0; n < 2; n++) {
        size_t lower = 0, by_medians = 0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            alg_ist_packing p = bare_spheres(seed);
            alg_ist_tree_options options = {.branching = K, .seed = seed};
            double alone = INFINITY;
            for (int kind = 0; kind < ALG_IST_CLUSTERINGS; kind++) {
                options.clustering = (alg_ist_clustering)kind;
                alone = fmin(alone, cost_of_tree(criteria[n], &p, &options));
            }
            const double medians = cost_of_medians(criteria[n], &p);
            options.criterion = criteria[n];
            const double chosen = cost_of_tree(criteria[n], &p, &options);
            /* Balls in the tree are rounded to floats. */
            cr_assert_leq(chosen, fmin(alone, medians) * (1 + 1e-5),
                          "criterion %zu, seed %lu: %g, though there is %g and %g by medians", n,
                          seed, chosen, alone, medians);
            lower += chosen < 0.99 * alone;
            by_medians += medians < 0.99 * alone;
            alg_ist_packing_release(&p);
        }
        /* Additional seeds and medians improve on the clustering methods. */
        cr_assert(lower > 5 && by_medians > 0, "criterion %zu: %zu of %d, %zu by medians", n, lower,
                  SEEDS, by_medians);
    }
}

Test(criteria, quality_counts_all_its_levels)
{
    alg_ist_packing p = spheres_random(1000, 1);
    SCOPED_ARENA arena = {0};
    const alg_ist_solid solid = spheres_solid(&p, 1, &arena);
    const alg_ist_quality quality = alg_ist_tree_quality(&solid.tree, 1);
    cr_assert_gt(quality.levels, ALG_IST_QUALITY_LEVELS);
    for (int level = 0; level < ALG_IST_QUALITY_LEVELS; level++) {
        cr_assert_gt(quality.node_volume[level], 0.1, "level %d: %g", level,
                     quality.node_volume[level]);
    }
    alg_ist_packing_release(&p);
}
