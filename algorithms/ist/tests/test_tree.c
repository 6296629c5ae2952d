#include "algorithms/ist/tests/spheres.h"
#include "base/elementary.h"
#include "base/tests/support.h"
#include "geometry/sphere.h"

#include <stdlib.h>
#include <string.h>

/** Leaves [first, last) below a child. check_child checks that the child's ball encloses them. */
typedef struct span {
    uint32_t first, last;
} span;

static span check_child(const alg_ist_solid *t, uint32_t node, uint32_t lane, uint32_t level,
                        uint32_t *visited);

static span check_node(const alg_ist_solid *t, uint32_t node, uint32_t level, uint32_t *visited)
{
    cr_assert_eq(node, *visited, "nodes are numbered depth first");
    cr_assert_lt(level, t->tree.depth);
    *visited += 1;
    span all = {0, 0};
    for (uint32_t i = 0; i < t->tree.width; i++) {
        if (alg_ist_children(&t->tree, node)[i] == ALG_IST_NONE) {
            for (uint32_t kind = 0; kind < ALG_IST_LANE_KINDS; kind++) {
                cr_assert(isnan(alg_ist_lanes(&t->tree, node, kind)[i]), "lane %u is not used", i);
            }
            continue;
        }
        const span s = check_child(t, node, i, level, visited);
        cr_assert(i == 0 || s.first == all.last, "leaves are numbered in order");
        all = (span){i == 0 ? s.first : all.first, s.last};
    }
    cr_assert_lt(all.first, all.last, "node %u is empty", node);
    return all;
}

static span check_child(const alg_ist_solid *t, uint32_t node, uint32_t lane, uint32_t level,
                        uint32_t *visited)
{
    const uint32_t child = alg_ist_children(&t->tree, node)[lane];
    span s = {child & ~ALG_IST_LEAF, (child & ~ALG_IST_LEAF) + 1};
    if (!(child & ALG_IST_LEAF)) {
        s = check_node(t, child, level + 1, visited);
        cr_assert_gt(s.last - s.first, 1, "an inner node has several leaves");
    }
    const vec3 in_lanes = {(double)alg_ist_lanes(&t->tree, node, ALG_IST_X)[lane],
                           (double)alg_ist_lanes(&t->tree, node, ALG_IST_Y)[lane],
                           (double)alg_ist_lanes(&t->tree, node, ALG_IST_Z)[lane]};
    const vec3 c = vec3_add(t->tree.origin, in_lanes);
    const double near = (double)alg_ist_lanes(&t->tree, node, ALG_IST_NEAR)[lane];
    const double far = (double)alg_ist_lanes(&t->tree, node, ALG_IST_FAR)[lane];
    for (uint32_t i = s.first; i < s.last; i++) {
        const alg_ist_sphere *const leaf = &t->spheres[i];
        const double apart = vec3_distance(c, leaf->centre);
        const double r = fmax(leaf->primary, alg_ist_outer(t, i));
        const double to_middle = vec3_distance(c, alg_ist_middle(t, i));
        cr_assert(to_middle + leaf->secondary <= far,
                  "leaf %u: its secondary ball sticks out by %g", i,
                  to_middle + leaf->secondary - far);
        cr_assert(apart + leaf->primary <= near, "leaf %u sticks out of a ball by %g", i,
                  apart + leaf->primary - near);
        cr_assert(apart + r <= far, "leaf %u sticks out of a ball by %g", i, apart + r - far);
    }
    return s;
}

static void check_tree(const alg_ist_solid *t, const alg_ist_packing *p)
{
    uint32_t visited = 0;
    const span all = check_node(t, 0, 0, &visited);
    cr_assert(all.first == 0 && all.last == p->count);
    cr_assert_eq(visited, t->tree.node_count);
    cr_assert_leq(t->tree.depth, ALG_IST_DEPTH_MAX);
    /* Every sphere occurs once: centres of a packing are different. */
    SCOPED_FREE bool *const seen = base_alloc(p->count, sizeof *seen);
    for (uint32_t i = 0; i < t->tree.leaf_count; i++) {
        const alg_ist_sphere *const s = &t->spheres[i];
        size_t match = p->count;
        for (size_t j = 0; j < p->count; j++) {
            if (!seen[j] && vec3_equal(s->centre, p->centres[j]) && s->primary == p->radii[j] &&
                s->secondary == p->secondary[j]) {
                match = j;
                break;
            }
        }
        cr_assert_lt(match, p->count, "leaf %u is no sphere of the packing, or there twice", i);
        seen[match] = true;
        const vec3 reach = vec3_abs(vec3_sub(s->centre, t->tree.origin));
        const double far = fmax(reach.x, fmax(reach.y, reach.z)) + fmax(s->primary, s->secondary);
        cr_assert_leq(far, t->tree.reach);
    }
}

static const uint32_t branchings[] = {2, 4, 8, 16};
enum { BRANCHINGS = sizeof branchings / sizeof *branchings };

static alg_ist_tree_options options_of(uint32_t branching, uint64_t seed)
{
    return (alg_ist_tree_options){.branching = branching, .seed = seed};
}

/** Returns one of all combinations of options. */
static alg_ist_tree_options combination(uint32_t i)
{
    return (alg_ist_tree_options){
        .branching = branchings[i % BRANCHINGS],
        .clustering = (alg_ist_clustering)(i / 4 % ALG_IST_CLUSTERINGS),
        .criterion = (alg_ist_criterion)(i / 16 % 3),
        .fixed = i / 48 % 2 == 1,
        .layered = i / 96 % 2 == 1,
        .seed = 1,
    };
}
enum { COMBINATIONS = 192 };

Test(tree, balls_hold_all_their_leaves)
{
    const size_t counts[] = {1, 2, 3, 5, 9, 17, 64, 300};
    const size_t step = sweep_step(5);
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
        SCOPED_PACKING p = spheres_random(counts[n], n + 1);
        for (uint32_t i = (uint32_t)(n % step); i < COMBINATIONS; i += (uint32_t)step) {
            const alg_ist_tree_options options = combination(i);
            SCOPED_ARENA arena = {0};
            const alg_ist_solid t = spheres_solid_with(&p, &options, &arena);
            check_tree(&t, &p);
            cr_assert_eq(t.tree.branching, options.branching);
        }
    }
}

/** Returns the sum over all nodes of the volumes of their children's balls. */
static double volume_of_balls(const alg_ist_solid *t)
{
    double sum = 0;
    for (uint32_t n = 0; n < t->tree.node_count; n++) {
        for (uint32_t i = 0; i < t->tree.width && alg_ist_children(&t->tree, n)[i] != ALG_IST_NONE;
             i++) {
            sum += pow((double)alg_ist_lanes(&t->tree, n, ALG_IST_FAR)[i], 3);
        }
    }
    return sum;
}

Test(tree, wrapped_balls_are_smaller_than_layered_ones)
{
    SCOPED_PACKING p = spheres_random(2000, 1);
    for (size_t k = 0; k < BRANCHINGS; k++) {
        alg_ist_tree_options options = options_of(branchings[k], 1);
        SCOPED_ARENA arena = {0};
        const alg_ist_solid wrapped = spheres_solid_with(&p, &options, &arena);
        options.layered = true;
        const alg_ist_solid layered = spheres_solid_with(&p, &options, &arena);
        check_tree(&layered, &p);
        cr_assert_eq(wrapped.tree.node_count, layered.tree.node_count);
        const size_t children = (size_t)wrapped.tree.node_count * wrapped.tree.width;
        cr_assert_eq(memcmp(wrapped.tree.children, layered.tree.children, children * 4), 0);
        cr_assert_lt(volume_of_balls(&wrapped), 0.99 * volume_of_balls(&layered));
        for (size_t i = 0; i < children; i++) {
            const uint32_t node = (uint32_t)(i / wrapped.tree.width);
            const size_t lane = i % wrapped.tree.width;
            if (wrapped.tree.children[i] != ALG_IST_NONE) {
                cr_assert_leq(alg_ist_lanes(&wrapped.tree, node, ALG_IST_FAR)[lane],
                              alg_ist_lanes(&layered.tree, node, ALG_IST_FAR)[lane] * (1 + 1e-6F));
            }
        }
    }
}

Test(tree, a_criterion_chooses_small_balls)
{
    /* The root, with 5 to 16 leaves, chooses one clustering, by the cost that is compared here. */
    for (uint64_t seed = 1; seed <= 20; seed++) {
        SCOPED_PACKING p = spheres_random(16, seed);
        for (int clustering = 0; clustering < ALG_IST_CLUSTERINGS; clustering++) {
            alg_ist_tree_options options = {.branching = 4,
                                            .clustering = (alg_ist_clustering)clustering};
            SCOPED_ARENA arena = {0};
            const alg_ist_solid alone = spheres_solid_with(&p, &options, &arena);
            options.criterion = ALG_IST_VOLUME;
            const alg_ist_solid chosen = spheres_solid_with(&p, &options, &arena);
            double sum[2] = {0, 0};
            for (int i = 0; i < 4; i++) {
                sum[0] += pow((double)alg_ist_lanes(&alone.tree, 0, ALG_IST_FAR)[i], 3);
                sum[1] += pow((double)alg_ist_lanes(&chosen.tree, 0, ALG_IST_FAR)[i], 3);
            }
            cr_assert_leq(sum[1], sum[0] * (1 + 1e-5), "seed %lu", seed);
        }
    }
}

Test(tree, quality_by_hand)
{
    /* Spheres of radius 1 at 0, 2, 10, 12 on the x axis: two nodes around (1 0 0) and (11 0 0), of
     * radius 2. */
    SCOPED_PACKING p = spheres_new(4);
    const double x[4] = {0, 2, 10, 12};
    for (size_t i = 0; i < 4; i++) {
        p.centres[i] = (vec3){x[i], 0, 0};
        p.radii[i] = p.secondary[i] = 1;
        p.middles[i] = p.centres[i];
    }
    const alg_ist_tree_options options = options_of(2, 1);
    SCOPED_ARENA arena = {0};
    const alg_ist_solid t = spheres_solid_with(&p, &options, &arena);
    const double body = 4 * 4 * BASE_PI / 3;
    const alg_ist_quality q = alg_ist_tree_quality(&t.tree, body);
    cr_assert_eq(q.levels, 2);
    cr_assert_eq(q.children_mean, 2);
    cr_assert_eq(q.leaf_depth_mean, 2);
    cr_assert_float_eq(q.node_volume[0], 2 * 8 / 4.0, 1e-5);
    cr_assert_eq(q.node_volume[1], 0);
}

Test(tree, depth_is_bounded)
{
    /* Distances decrease geometrically, so that on each level only a few points are far from the
     * rest. */
    SCOPED_PACKING line = spheres_new(400);
    for (size_t k = 0; k < BRANCHINGS; k++) {
        for (size_t i = 0; i < line.count; i++) {
            line.centres[i] = line.middles[i] = (vec3){ldexp(1, -(int)i), 0, 0};
            line.radii[i] = line.secondary[i] = 1e-3;
        }
        const alg_ist_tree_options options = options_of(branchings[k], 1);
        SCOPED_ARENA arena = {0};
        alg_ist_solid t = spheres_solid_with(&line, &options, &arena);
        check_tree(&t, &line);
        cr_assert(t.tree.depth > ALG_IST_DEPTH_EVEN || branchings[k] > 8,
                  "%u levels do not reach the bound", t.tree.depth);
        base_arena_release(&arena);
        for (size_t i = 0; i < line.count; i++) {
            line.centres[i] = line.middles[i] = (vec3){1, 2, 3};
            line.radii[i] = (double)(i + 1);
        }
        t = spheres_solid_with(&line, &options, &arena);
        check_tree(&t, &line);
        uint32_t levels = 1;
        for (size_t room = branchings[k]; room < line.count; room *= branchings[k]) {
            levels++;
        }
        cr_assert_leq(t.tree.depth, levels + 1, "%u levels for 400 concentric spheres",
                      t.tree.depth);
    }
}

Test(tree, threads_change_nothing_but_the_seed_does)
{
    SCOPED_PACKING p = spheres_random(1500, 3);
    base_arena arenas[3] = {{0}, {0}, {0}};
    alg_ist_solid t[3];
    for (int i = 0; i < 3; i++) {
        setenv("PROXBENCH_THREADS", i == 0 ? "1" : "5", 1);
        t[i] = spheres_solid(&p, i < 2 ? 1 : 2, &arenas[i]);
        check_tree(&t[i], &p);
    }
    const size_t bytes = t[0].tree.leaf_count * sizeof *t[0].spheres;
    cr_assert_eq(t[0].tree.node_count, t[1].tree.node_count);
    cr_assert_eq(memcmp(t[0].spheres, t[1].spheres, bytes), 0);
    const size_t lanes = (size_t)t[0].tree.node_count * t[0].tree.width;
    cr_assert_eq(memcmp(t[0].tree.children, t[1].tree.children, lanes * sizeof *t[0].tree.children),
                 0);
    cr_assert_eq(memcmp(t[0].tree.lanes, t[1].tree.lanes,
                        lanes * ALG_IST_LANE_KINDS * sizeof *t[0].tree.lanes),
                 0);
    cr_assert_neq(memcmp(t[0].spheres, t[2].spheres, bytes), 0);
    for (int i = 0; i < 3; i++) {
        base_arena_release(&arenas[i]);
    }
}

/** Tests so many spheres that the upper nodes are split by all threads together. */
Test(tree, threads_share_large_nodes)
{
    enum { SIDE = 30 };
    SCOPED_PACKING p = spheres_new(SIDE * SIDE * SIDE);
    base_random random = base_random_seed(1);
    for (size_t i = 0; i < p.count; i++) {
        const vec3 cell = {(double)(i % SIDE), (double)(i / SIDE % SIDE),
                           (double)(i / SIDE / SIDE)};
        p.centres[i] = p.middles[i] = vec3_madd(cell, 0.2, shape_point(&random, 1));
        p.radii[i] = base_random_range(&random, 0.01, 0.3);
    }
    for (size_t k = 0; k < BRANCHINGS; k += sweep_step(3)) {
        const alg_ist_tree_options options = options_of(branchings[k], 1);
        base_arena arenas[2] = {{0}, {0}};
        alg_ist_solid t[2];
        for (int i = 0; i < 2; i++) {
            setenv("PROXBENCH_THREADS", i == 0 ? "1" : "4", 1);
            t[i] = spheres_solid_with(&p, &options, &arenas[i]);
        }
        const size_t lanes = (size_t)t[0].tree.node_count * t[0].tree.width * ALG_IST_LANE_KINDS;
        cr_assert_eq(t[0].tree.node_count, t[1].tree.node_count);
        cr_assert_eq(memcmp(t[0].tree.lanes, t[1].tree.lanes, lanes * sizeof *t[0].tree.lanes), 0);
        cr_assert_eq(memcmp(t[0].spheres, t[1].spheres, p.count * sizeof *t[0].spheres), 0);
        base_arena_release(&arenas[0]);
        base_arena_release(&arenas[1]);
    }
}

Test(tree, failing_allocations_are_reported)
{
    SCOPED_PACKING p = spheres_random(100, 3);
    const alg_ist_tree_options options = {.branching = 4, .criterion = ALG_IST_OUTSIDE};
    base_arena arena = {0};
    alg_ist_solid t;
    uint32_t places[100];
    cr_assert_geq(COUNT_FAILURES(alg_ist_solid_build(&p, &options, &arena, &t, places, ERR),
                                 base_arena_release(&arena)),
                  10);
}

/* --- Criteria --------------------------------------------------------------------------------- */

/*
 * Tests the choice of a criterion in a node against the costs of all clusterings, which the test
 * computes independently.
 */

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

Test(tree, the_least_cost_is_chosen)
{
    const alg_ist_criterion criteria[] = {ALG_IST_VOLUME, ALG_IST_OUTSIDE};
    for (size_t n = 0; n < 2; n++) {
        size_t lower = 0, by_medians = 0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            SCOPED_PACKING p = bare_spheres(seed);
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
        }
        /* Additional seeds and medians improve on the clustering methods. */
        cr_assert(lower > 5 && by_medians > 0, "criterion %zu: %zu of %d, %zu by medians", n, lower,
                  SEEDS, by_medians);
    }
}

Test(tree, quality_counts_all_its_levels)
{
    SCOPED_PACKING p = spheres_random(1000, 1);
    SCOPED_ARENA arena = {0};
    const alg_ist_solid solid = spheres_solid(&p, 1, &arena);
    const alg_ist_quality quality = alg_ist_tree_quality(&solid.tree, 1);
    cr_assert_gt(quality.levels, ALG_IST_QUALITY_LEVELS);
    cr_assert(quality.leaf_depth_mean > 2 && quality.leaf_depth_volume_mean > 1);
    cr_assert_lt(quality.leaf_depth_volume_mean, 0.95 * quality.leaf_depth_mean,
                 "large spheres are not above small ones: %g, %g", quality.leaf_depth_volume_mean,
                 quality.leaf_depth_mean);
    for (int level = 0; level < ALG_IST_QUALITY_LEVELS; level++) {
        cr_assert_gt(quality.node_volume[level], 0.1, "level %d: %g", level,
                     quality.node_volume[level]);
    }
}
