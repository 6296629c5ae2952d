#include "algorithms/ist/query.h"
#include "algorithms/tests/shapes.h"
#include "geometry/elementary.h"

#include <string.h>

TestSuite(clustering, .timeout = 60);

enum { COUNT = 400, K = 4 };

static const alg_ist_tree_options plain = {.branching = K};

typedef struct cloud {
    geo_ball balls[COUNT];
    double weights[COUNT];
    uint8_t cluster[COUNT];
    alg_ist_points points;
} cloud;

static void fill(cloud *c, uint64_t seed)
{
    geo_random random = geo_random_seed(seed);
    for (size_t i = 0; i < COUNT; i++) {
        const double r = geo_random_range(&random, 0.01, 0.2);
        c->balls[i] = (geo_ball){shape_point(&random, 1), r};
        c->weights[i] = r * r * r;
    }
    c->points = (alg_ist_points){c->balls, c->weights, COUNT};
}

/** Sum over points and prototypes of h(rank) weight |x - w|^2: what a batch step lowers. */
static double cost(const alg_ist_points *points, double lambda, const vec3 prototypes[K])
{
    double sum = 0;
    for (size_t j = 0; j < points->count; j++) {
        for (int i = 0; i < K; i++) {
            const double d2 = vec3_distance2(points->balls[j].centre, prototypes[i]);
            int rank = 0;
            for (int k = 0; k < K; k++) {
                rank += vec3_distance2(points->balls[j].centre, prototypes[k]) < d2;
            }
            sum += geo_exp(-rank / lambda) * points->weights[j] * d2;
        }
    }
    return sum;
}

Test(clustering, a_batch_lowers_the_cost)
{
    cloud *const c = geo_alloc(1, sizeof *c);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        fill(c, seed);
        const double lambda = 2.0 / (double)seed;
        vec3 w[K];
        for (int i = 0; i < K; i++) {
            w[i] = c->balls[i].centre;
        }
        double before = cost(&c->points, lambda, w);
        bool moved = false;
        for (int step = 0; step < 20; step++) {
            moved |= alg_ist_gas_step(&c->points, lambda, K, w) > 0.01;
            const double after = cost(&c->points, lambda, w);
            cr_assert_leq(after, before * (1 + 1e-12), "seed %lu, step %d: %.17g after %.17g", seed,
                          step, after, before);
            before = after;
        }
        cr_assert(moved, "seed %lu", seed);
    }
    geo_free(c);
}

Test(clustering, a_step_by_hand)
{
    /* Two points at 0 and 1 on the x axis, the first with weight 3; prototypes at 0, 1, 2, 3.
     * Ranks from 0: 0 1 2 3; from 1: 1 0 1 3 (0 and 2 are equally far). */
    const geo_ball balls[2] = {
        {{0, 0, 0}, 1},
        {{1, 0, 0}, 1}
    };
    const double weights[2] = {3, 1};
    const alg_ist_points points = {balls, weights, 2};
    vec3 w[K] = {
        {0, 0, 0},
        {1, 0, 0},
        {2, 0, 0},
        {3, 0, 0}
    };
    const double h1 = geo_exp(-1), h2 = geo_exp(-2), h3 = geo_exp(-3);
    const double moved = alg_ist_gas_step(&points, 1, K, w);
    cr_assert_float_eq(w[0].x, h1 / (3 + h1), 1e-15);
    cr_assert_float_eq(w[1].x, 1 / (3 * h1 + 1), 1e-15);
    cr_assert_float_eq(w[2].x, h1 / (3 * h2 + h1), 1e-15);
    cr_assert_float_eq(w[3].x, h3 / (3 * h3 + h3), 1e-15);
    cr_assert_float_eq(moved, 3 - w[3].x, 1e-15);
}

static void count_members(const cloud *c, size_t members[K])
{
    memset(members, 0, K * sizeof *members);
    for (size_t j = 0; j < c->points.count; j++) {
        cr_assert_lt(c->cluster[j], K);
        members[c->cluster[j]]++;
    }
}

Test(clustering, separate_groups_are_found)
{
    static const vec3 middles[K] = {
        {0,  0,  0},
        {10, 0,  0},
        {0,  10, 0},
        {7,  7,  7}
    };
    cloud *const c = geo_alloc(1, sizeof *c);
    for (uint64_t seed = 1; seed <= 50; seed++) {
        fill(c, seed);
        for (size_t j = 0; j < COUNT; j++) {
            c->balls[j].centre = vec3_add(c->balls[j].centre, middles[j % K]);
        }
        alg_ist_cluster(&plain, &c->points, false, seed, c->cluster);
        size_t members[K];
        count_members(c, members);
        for (size_t j = 0; j < COUNT; j++) {
            cr_assert_eq(c->cluster[j], c->cluster[j % K], "seed %lu, point %zu", seed, j);
            cr_assert_eq(members[j % K], COUNT / K, "seed %lu", seed);
        }
    }
    geo_free(c);
}

Test(clustering, few_points_are_clustered_too)
{
    /* Medians would part the two that are close. */
    static const double x[5] = {0, 10, 10.1, 20, 30};
    cloud *const c = geo_alloc(1, sizeof *c);
    for (uint64_t seed = 1; seed <= 100; seed++) {
        fill(c, seed);
        c->points.count = 5;
        for (size_t j = 0; j < 5; j++) {
            c->balls[j].centre = (vec3){x[j], 0, 0};
            c->weights[j] = 1;
        }
        alg_ist_cluster(&plain, &c->points, false, seed, c->cluster);
        cr_assert_eq(c->cluster[1], c->cluster[2], "seed %lu", seed);
    }
    geo_free(c);
}

Test(clustering, heavy_points_attract_prototypes)
{
    /* One ball of a thousand times the weight of all others: its cluster's prototype ends on it,
     * so it is the nearest to the cluster's mean; without weights it is one point of many. */
    cloud *const c = geo_alloc(1, sizeof *c);
    fill(c, 3);
    c->weights[0] = 1000;
    vec3 w[K] = {c->balls[1].centre, c->balls[2].centre, c->balls[3].centre, c->balls[4].centre};
    for (int step = 0; step < 50; step++) {
        alg_ist_gas_step(&c->points, 0.01, K, w);
    }
    double nearest = INFINITY;
    for (int i = 0; i < K; i++) {
        nearest = fmin(nearest, vec3_distance(w[i], c->balls[0].centre));
    }
    cr_assert_lt(nearest, 1e-3, "%g", nearest);
    geo_free(c);
}

Test(clustering, same_seed_same_clusters)
{
    cloud *const a = geo_alloc(1, sizeof *a), *const b = geo_alloc(1, sizeof *b);
    size_t differing = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        fill(a, seed);
        fill(b, seed);
        alg_ist_cluster(&plain, &a->points, false, seed, a->cluster);
        alg_ist_cluster(&plain, &b->points, false, seed, b->cluster);
        cr_assert_eq(memcmp(a->cluster, b->cluster, COUNT), 0, "seed %lu", seed);
        alg_ist_cluster(&plain, &b->points, false, seed + 100, b->cluster);
        differing += memcmp(a->cluster, b->cluster, COUNT) != 0;
    }
    cr_assert_gt(differing, 0, "the seed matters");
    geo_free(a);
    geo_free(b);
}

/** None empty, none larger than a quarter rounded up. */
static void assert_quarters(const cloud *c, const char *what)
{
    size_t members[K];
    count_members(c, members);
    for (int i = 0; i < K; i++) {
        cr_assert(members[i] >= c->points.count / K && members[i] <= (c->points.count + K - 1) / K,
                  "%s: %zu of %zu in cluster %d", what, members[i], c->points.count, i);
    }
}

Test(clustering, degenerate_points_are_split_evenly)
{
    cloud *const c = geo_alloc(1, sizeof *c);
    for (size_t count = 5; count <= 40; count++) {
        fill(c, count);
        c->points.count = count;
        for (size_t j = 0; j < count; j++) {
            c->balls[j].centre = (vec3){0.1, -0.2, 0.3};
        }
        alg_ist_cluster(&plain, &c->points, false, 1, c->cluster);
        assert_quarters(c, "coincident");
        for (size_t j = 0; j < count; j++) {
            c->balls[j].centre.x = j % 2 ? 0.1 : 0.7;
        }
        alg_ist_cluster(&plain, &c->points, false, 1, c->cluster);
        size_t members[K];
        count_members(c, members);
        for (int i = 0; i < K; i++) {
            cr_assert_gt(members[i], 0, "%zu points at two places, cluster %d", count, i);
        }
    }
    geo_free(c);
}

Test(clustering, even_means_medians)
{
    cloud *const c = geo_alloc(1, sizeof *c);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        fill(c, seed);
        c->points.count = COUNT - seed;
        for (size_t j = 0; j < COUNT; j++) {
            c->balls[j].centre.y *= 3;
        }
        alg_ist_cluster(&plain, &c->points, true, seed, c->cluster);
        assert_quarters(c, "even");
        /* The first cut is across y, the longest axis: 0 and 1 below, 2 and 3 above. */
        double below = -INFINITY, above = INFINITY;
        for (size_t j = 0; j < c->points.count; j++) {
            const double y = c->balls[j].centre.y;
            below = c->cluster[j] < 2 ? fmax(below, y) : below;
            above = c->cluster[j] >= 2 ? fmin(above, y) : above;
        }
        cr_assert_leq(below, above, "seed %lu", seed);
    }
    geo_free(c);
}
