#include "algorithms/ist/tree.h"
#include "algorithms/tests/shapes.h"
#include "base/elementary.h"
#include "base/tests/support.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 400, K = 4, K_MAX = ALG_IST_BRANCHING_MAX };

static const uint32_t branchings[] = {2, 4, 8, 16};
enum { BRANCHINGS = sizeof branchings / sizeof *branchings };

typedef struct cloud {
    double x[COUNT], y[COUNT], z[COUNT];
    double weights[COUNT];
    uint8_t cluster[COUNT];
    alg_ist_points points;
} cloud;

static void place(cloud *c, size_t i, vec3 at)
{
    c->x[i] = at.x;
    c->y[i] = at.y;
    c->z[i] = at.z;
}

static void fill(cloud *c, uint64_t seed)
{
    base_random random = base_random_seed(seed);
    for (size_t i = 0; i < COUNT; i++) {
        const double r = base_random_range(&random, 0.01, 0.2);
        place(c, i, shape_point(&random, 1));
        c->weights[i] = r * r * r;
    }
    c->points = (alg_ist_points){c->x, c->y, c->z, c->weights, COUNT};
}

/** Returns the number of prototypes that are nearer to a point than the i-th. */
static uint32_t rank_of(vec3 point, const vec3 *prototypes, uint32_t k, uint32_t i)
{
    uint32_t rank = 0;
    for (uint32_t other = 0; other < k; other++) {
        rank += vec3_distance2(point, prototypes[other]) < vec3_distance2(point, prototypes[i]);
    }
    return rank;
}

/**
 * Returns the cost that a batch step lowers: the sum over points and prototypes of h(rank) weight
 * |x - w|^2.
 */
static double cost(const alg_ist_points *points, double lambda, const vec3 *prototypes, uint32_t k)
{
    double sum = 0;
    for (size_t j = 0; j < points->count; j++) {
        const vec3 p = alg_ist_point(points, j);
        for (uint32_t i = 0; i < k; i++) {
            const double h = base_exp(-(double)rank_of(p, prototypes, k, i) / lambda);
            sum += h * points->weights[j] * vec3_distance2(p, prototypes[i]);
        }
    }
    return sum;
}

Test(clustering, a_batch_lowers_the_cost)
{
    SCOPED_FREE cloud *const c = base_alloc(1, sizeof *c);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        fill(c, seed);
        const uint32_t k = branchings[seed % BRANCHINGS];
        const alg_ist_gas with = alg_ist_gas_make(k, false);
        const double lambda = 2.0 / (double)seed;
        vec3 w[K_MAX];
        for (uint32_t i = 0; i < k; i++) {
            w[i] = alg_ist_point(&c->points, i);
        }
        double before = cost(&c->points, lambda, w, k);
        bool moved = false;
        for (int step = 0; step < 20; step++) {
            moved |= alg_ist_gas_step(&with, &c->points, base_exp(-1 / lambda), 0, w) > 0.01;
            const double after = cost(&c->points, lambda, w, k);
            cr_assert_leq(after, before * (1 + 1e-12), "seed %lu, step %d: %.17g after %.17g", seed,
                          step, after, before);
            before = after;
        }
        cr_assert(moved, "seed %lu", seed);
    }
}

/** Tests equation 3, point by point. */
Test(clustering, a_batch_is_the_mean_of_the_paper)
{
    SCOPED_FREE cloud *const c = base_alloc(1, sizeof *c);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        fill(c, seed);
        c->points.count = COUNT - seed;
        const uint32_t k = branchings[seed % BRANCHINGS];
        const alg_ist_gas with = alg_ist_gas_make(k, false);
        const double lambda = 0.05 * (double)seed;
        vec3 before[K_MAX], after[K_MAX];
        for (uint32_t i = 0; i < k; i++) {
            before[i] = after[i] = alg_ist_point(&c->points, 10 * i);
        }
        const double moved = alg_ist_gas_step(&with, &c->points, base_exp(-1 / lambda), 1, after);
        double farthest = 0;
        for (uint32_t i = 0; i < k; i++) {
            double weight = 0;
            vec3 sum = {0, 0, 0};
            for (size_t j = 0; j < c->points.count; j++) {
                const vec3 p = alg_ist_point(&c->points, j);
                const double h =
                    c->weights[j] * base_exp(-(double)rank_of(p, before, k, i) / lambda);
                weight += h;
                sum = vec3_madd(sum, h, p);
            }
            const vec3 mean = vec3_scale(1 / weight, sum);
            cr_assert_lt(vec3_distance(mean, after[i]), 1e-13, "seed %lu, prototype %u", seed, i);
            farthest = fmax(farthest, vec3_distance(before[i], after[i]));
        }
        cr_assert_eq(moved, farthest);
    }
}

/**
 * Tests enough points for several chunks of sums, with a remainder that does not fill a SIMD
 * register.
 */
Test(clustering, threads_and_instructions_change_no_bit)
{
    const size_t count = 20003;
    SCOPED_FREE double *const numbers = base_alloc(4 * count, sizeof *numbers);
    base_random random = base_random_seed(5);
    for (size_t i = 0; i < 4 * count; i++) {
        numbers[i] = base_random_unit(&random);
    }
    const alg_ist_points points = {numbers, numbers + count, numbers + 2 * count,
                                   numbers + 3 * count, count};
    for (int i = 0; i < BRANCHINGS; i++) {
        const uint32_t k = branchings[i];
        vec3 w[3][K_MAX] = {0};
        for (int run = 0; run < 3; run++) {
            if (run == 2) {
                setenv("PROXBENCH_SIMD", "sse2", 1);
            }
            const alg_ist_gas with = alg_ist_gas_make(k, false);
            cr_assert(run != 2 || !with.avx2);
            unsetenv("PROXBENCH_SIMD");
            for (uint32_t p = 0; p < k; p++) {
                w[run][p] = alg_ist_point(&points, p);
            }
            for (int step = 0; step < 5; step++) {
                alg_ist_gas_step(&with, &points, 0.3, run == 1 ? 3 : 1, w[run]);
            }
            cr_assert_eq(memcmp(w[run], w[0], sizeof w[0]), 0, "branching %u, run %d", k, run);
        }
        cr_assert_neq(w[0][0].x, points.x[0]);
    }
}

Test(clustering, a_step_by_hand)
{
    /* Two points at 0 and 1 on the x axis, the first with weight 3; prototypes at 0, 1, 2, 3. Ranks
     * from 0: 0 1 2 3; from 1: 1 0 1 3 (prototypes 0 and 2 are equally far). */
    const double x[2] = {0, 1}, zero[2] = {0, 0}, weights[2] = {3, 1};
    const alg_ist_points points = {x, zero, zero, weights, 2};
    const alg_ist_gas with = alg_ist_gas_make(K, false);
    vec3 w[K] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
    const double h1 = base_exp(-1), h2 = base_exp(-2), h3 = base_exp(-3);
    const double moved = alg_ist_gas_step(&with, &points, h1, 1, w);
    cr_assert_float_eq(w[0].x, h1 / (3 + h1), 1e-15);
    cr_assert_float_eq(w[1].x, 1 / (3 * h1 + 1), 1e-15);
    cr_assert_float_eq(w[2].x, h1 / (3 * h2 + h1), 1e-15);
    cr_assert_float_eq(w[3].x, h3 / (3 * h3 + h3), 1e-15);
    cr_assert_float_eq(moved, 3 - w[3].x, 1e-15);
}

Test(clustering, influence_falls_as_the_paper_says)
{
    for (int i = 0; i < BRANCHINGS; i++) {
        const alg_ist_gas with = alg_ist_gas_make(branchings[i], false);
        const double first = branchings[i] / 2.0;
        for (int t = 0; t < ALG_IST_GAS_STEPS; t++) {
            const double lambda = first * pow(0.01 / first, t / (double)ALG_IST_GAS_STEPS);
            cr_assert_float_eq(with.influence[t] / exp(-1 / lambda), 1, 1e-11, "step %d", t);
        }
    }
}

/** Counts the members of each cluster, and checks that no cluster is empty. */
static void count_members(const cloud *c, uint32_t k, size_t members[K_MAX])
{
    memset(members, 0, K_MAX * sizeof *members);
    for (size_t j = 0; j < c->points.count; j++) {
        cr_assert_lt(c->cluster[j], k);
        members[c->cluster[j]]++;
    }
    for (uint32_t i = 0; i < k; i++) {
        cr_assert_gt(members[i], 0, "cluster %u of %u is empty", i, k);
    }
}

Test(clustering, separate_groups_are_found)
{
    const alg_ist_gas four = alg_ist_gas_make(K, false);
    static const vec3 middles[K] = {{0, 0, 0}, {10, 0, 0}, {0, 10, 0}, {7, 7, 7}};
    SCOPED_FREE cloud *const c = base_alloc(1, sizeof *c);
    for (uint64_t seed = 1; seed <= 50; seed++) {
        fill(c, seed);
        for (size_t j = 0; j < COUNT; j++) {
            place(c, j, vec3_add(alg_ist_point(&c->points, j), middles[j % K]));
        }
        alg_ist_cluster(&four, ALG_IST_GAS, &c->points, seed, 1, c->cluster);
        size_t members[K_MAX];
        count_members(c, K, members);
        for (size_t j = 0; j < COUNT; j++) {
            cr_assert_eq(c->cluster[j], c->cluster[j % K], "seed %lu, point %zu", seed, j);
            cr_assert_eq(members[j % K], COUNT / K, "seed %lu", seed);
        }
    }
}

Test(clustering, few_points_are_clustered_too)
{
    const alg_ist_gas four = alg_ist_gas_make(K, false);
    /* Medians would separate the two points that are close. */
    static const double x[5] = {0, 10, 10.1, 20, 30};
    SCOPED_FREE cloud *const c = base_alloc(1, sizeof *c);
    for (uint64_t seed = 1; seed <= 100; seed++) {
        fill(c, seed);
        c->points.count = 5;
        for (size_t j = 0; j < 5; j++) {
            place(c, j, (vec3){x[j], 0, 0});
            c->weights[j] = 1;
        }
        alg_ist_cluster(&four, ALG_IST_GAS, &c->points, seed, 1, c->cluster);
        cr_assert_eq(c->cluster[1], c->cluster[2], "seed %lu", seed);
    }
}

Test(clustering, heavy_points_attract_prototypes)
{
    const alg_ist_gas four = alg_ist_gas_make(K, false);
    /* One ball has a thousand times the weight of all others. The prototype of its cluster ends on
     * it, so it is the nearest to the cluster's mean; without weights it counts like any other
     * point. */
    SCOPED_FREE cloud *const c = base_alloc(1, sizeof *c);
    fill(c, 3);
    c->weights[0] = 1000;
    vec3 w[K];
    for (size_t i = 0; i < K; i++) {
        w[i] = alg_ist_point(&c->points, i + 1);
    }
    for (int step = 0; step < 50; step++) {
        alg_ist_gas_step(&four, &c->points, base_exp(-100), 1, w);
    }
    double nearest = INFINITY;
    for (int i = 0; i < K; i++) {
        nearest = fmin(nearest, vec3_distance(w[i], alg_ist_point(&c->points, 0)));
    }
    cr_assert_lt(nearest, 1e-3, "%g", nearest);
}

Test(clustering, same_seed_same_clusters)
{
    const alg_ist_gas four = alg_ist_gas_make(K, false);
    SCOPED_FREE cloud *const a = base_alloc(1, sizeof *a), *const b = base_alloc(1, sizeof *b);
    size_t differing = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        fill(a, seed);
        fill(b, seed);
        alg_ist_cluster(&four, ALG_IST_GAS, &a->points, seed, 1, a->cluster);
        alg_ist_cluster(&four, ALG_IST_GAS, &b->points, seed, 3, b->cluster);
        cr_assert_eq(memcmp(a->cluster, b->cluster, COUNT), 0, "seed %lu", seed);
        alg_ist_cluster(&four, ALG_IST_GAS, &b->points, seed + 100, 1, b->cluster);
        differing += memcmp(a->cluster, b->cluster, COUNT) != 0;
    }
    cr_assert_gt(differing, 0, "the seed matters");
}

Test(clustering, plain_gas_weighs_all_the_same)
{
    SCOPED_FREE cloud *const a = base_alloc(1, sizeof *a), *const b = base_alloc(1, sizeof *b);
    const alg_ist_gas four = alg_ist_gas_make(K, false);
    size_t differing = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        fill(a, seed);
        fill(b, seed);
        for (size_t j = 0; j < COUNT; j++) {
            b->weights[j] = 1;
        }
        alg_ist_cluster(&four, ALG_IST_GAS_PLAIN, &a->points, seed, 1, a->cluster);
        alg_ist_cluster(&four, ALG_IST_GAS, &b->points, seed, 1, b->cluster);
        cr_assert_eq(memcmp(a->cluster, b->cluster, COUNT), 0, "seed %lu", seed);
        alg_ist_cluster(&four, ALG_IST_GAS, &a->points, seed, 1, b->cluster);
        differing += memcmp(a->cluster, b->cluster, COUNT) != 0;
    }
    cr_assert_gt(differing, 0, "weights matter");
}

Test(clustering, the_largest_spheres_gather_their_neighbours)
{
    /* On a line: 20 and 21 are the heaviest, but 21 is at the same position as 20. */
    static const double x[8] = {0, 1, 2, 10, 11, 20, 20, 23};
    static const double weights[8] = {5, 1, 1, 6, 1, 9, 8, 1};
    SCOPED_FREE cloud *const c = base_alloc(1, sizeof *c);
    fill(c, 1);
    c->points.count = 8;
    for (size_t j = 0; j < 8; j++) {
        place(c, j, (vec3){x[j], 0, 0});
        c->weights[j] = weights[j];
    }
    const alg_ist_gas two = alg_ist_gas_make(2, false), four = alg_ist_gas_make(4, false);
    alg_ist_cluster(&two, ALG_IST_BIGGEST, &c->points, 1, 1, c->cluster);
    const uint8_t around_two[8] = {1, 1, 1, 1, 1, 0, 0, 0}; /* seeds 20 and 10 */
    cr_assert_eq(memcmp(c->cluster, around_two, 8), 0);
    alg_ist_cluster(&four, ALG_IST_BIGGEST, &c->points, 1, 1, c->cluster);
    const uint8_t around_four[8] = {2, 3, 3, 1, 1,
                                    0, 0, 0}; /* seeds 20, 10, 0 and the first point of weight 1 */
    cr_assert_eq(memcmp(c->cluster, around_four, 8), 0);
}

Test(clustering, spheres_with_most_neighbours_gather_them)
{
    /* Groups of 6, 5, 4 and 3 at the corners of a square; the grid has 3 cells along each side. */
    static const vec3 corner[4] = {{9, 9, 0}, {0, 9, 0}, {9, 0, 0}, {0, 0, 0}};
    SCOPED_FREE cloud *const c = base_alloc(1, sizeof *c);
    fill(c, 1);
    const alg_ist_gas two = alg_ist_gas_make(2, false), four = alg_ist_gas_make(4, false);
    size_t count = 0;
    uint8_t group[18];
    for (uint8_t i = 0; i < 4; i++) {
        for (int j = 0; j < 6 - i; j++) {
            group[count] = i;
            place(c, count++, vec3_madd(corner[i], 0.1 * j, (vec3){0, 0, 1}));
        }
    }
    c->points.count = count;
    alg_ist_cluster(&four, ALG_IST_NEIGHBOURS, &c->points, 1, 1, c->cluster);
    cr_assert_eq(memcmp(c->cluster, group, count), 0);
    alg_ist_cluster(&two, ALG_IST_NEIGHBOURS, &c->points, 1, 1, c->cluster);
    for (size_t j = 0; j < count; j++) {
        cr_assert(group[j] > 1 || c->cluster[j] == group[j], "point %zu", j);
    }
}

/** Checks that no cluster is empty or larger than its share rounded up. */
static void assert_even(const cloud *c, uint32_t k, const char *what)
{
    size_t members[K_MAX];
    count_members(c, k, members);
    for (uint32_t i = 0; i < k; i++) {
        cr_assert(members[i] >= c->points.count / k && members[i] <= (c->points.count + k - 1) / k,
                  "%s: %zu of %zu in cluster %u of %u", what, members[i], c->points.count, i, k);
    }
}

Test(clustering, degenerate_points_are_split_evenly)
{
    SCOPED_FREE cloud *const c = base_alloc(1, sizeof *c);
    for (size_t i = 0; i < BRANCHINGS; i++) {
        const uint32_t k = branchings[i];
        const alg_ist_gas with = alg_ist_gas_make(k, false);
        for (size_t count = k + 1; count <= 50; count++) {
            fill(c, count);
            c->points.count = count;
            for (size_t j = 0; j < count; j++) {
                place(c, j, (vec3){0.1, -0.2, 0.3});
            }
            for (int kind = 0; kind < ALG_IST_CLUSTERINGS; kind++) {
                alg_ist_cluster(&with, (alg_ist_clustering)kind, &c->points, 1, 1, c->cluster);
                assert_even(c, k, "coincident");
            }
            for (size_t j = 0; j < count; j++) {
                c->x[j] = j % 2 ? 0.1 : 0.7;
            }
            for (int kind = 0; kind < ALG_IST_CLUSTERINGS; kind++) {
                alg_ist_cluster(&with, (alg_ist_clustering)kind, &c->points, 1, 1, c->cluster);
                size_t members[K_MAX];
                count_members(c, k, members);
            }
        }
    }
}

Test(clustering, even_means_medians)
{
    SCOPED_FREE cloud *const c = base_alloc(1, sizeof *c);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        fill(c, seed);
        const uint32_t k = branchings[seed % BRANCHINGS];
        c->points.count = COUNT - seed;
        for (size_t j = 0; j < COUNT; j++) {
            c->y[j] *= 5;
        }
        alg_ist_cluster_evenly(&c->points, k, c->cluster);
        assert_even(c, k, "even");
        /* The first cut is across y, the longest axis: half of the clusters are below it. */
        double lo[K_MAX], hi[K_MAX];
        for (uint32_t i = 0; i < k; i++) {
            lo[i] = INFINITY;
            hi[i] = -INFINITY;
        }
        for (size_t j = 0; j < c->points.count; j++) {
            const uint32_t i = c->cluster[j];
            lo[i] = fmin(lo[i], c->y[j]);
            hi[i] = fmax(hi[i], c->y[j]);
        }
        bool cut = false;
        for (uint32_t i = 0; i < k; i++) {
            uint32_t below = 0, above = 0;
            for (uint32_t other = 0; other < k; other++) {
                below += hi[other] <= hi[i];
                above += lo[other] > hi[i];
            }
            cut |= below == k / 2 && above == k / 2;
        }
        cr_assert(cut, "seed %lu", seed);
    }
}

Test(clustering, a_point_between_two_goes_to_the_first)
{
    static const double x[5] = {0, 4, 2, 1, 3};
    static const double weights[5] = {5, 4, 1, 1, 1};
    SCOPED_FREE cloud *const c = base_alloc(1, sizeof *c);
    fill(c, 1);
    c->points.count = 5;
    for (size_t j = 0; j < 5; j++) {
        place(c, j, (vec3){x[j], 0, 0});
        c->weights[j] = weights[j];
    }
    const alg_ist_gas two = alg_ist_gas_make(2, false);
    alg_ist_cluster(&two, ALG_IST_BIGGEST, &c->points, 1, 1, c->cluster);
    const uint8_t expected[5] = {0, 1, 0, 0, 1};
    cr_assert_eq(memcmp(c->cluster, expected, 5), 0);
}

Test(clustering, a_prototype_without_points_stays)
{
    SCOPED_FREE cloud *const c = base_alloc(1, sizeof *c);
    fill(c, 7);
    const alg_ist_gas two = alg_ist_gas_make(2, false);
    const vec3 away = {100, 0, 0};
    vec3 w[2] = {{0, 0, 0}, away};
    const double moved = alg_ist_gas_step(&two, &c->points, 0, 1, w);
    cr_assert(vec3_equal(w[1], away), "%g %g %g", w[1].x, w[1].y, w[1].z);
    cr_assert(moved > 0 && moved < 1, "%g", moved);
}

/**
 * Tests that a run that ends when the prototypes stop moving assigns nearly all points to the
 * clusters of a full run.
 */
Test(clustering, resting_is_as_good_as_all_steps)
{
    SCOPED_FREE cloud *const c = base_alloc(1, sizeof *c);
    size_t differing = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        const uint32_t k = branchings[seed % BRANCHINGS];
        const alg_ist_gas adaptive = alg_ist_gas_make(k, false), fixed = alg_ist_gas_make(k, true);
        uint8_t expected[COUNT];
        fill(c, seed);
        alg_ist_cluster(&fixed, ALG_IST_GAS, &c->points, seed, 1, expected);
        alg_ist_cluster(&adaptive, ALG_IST_GAS, &c->points, seed, 1, c->cluster);
        for (size_t j = 0; j < COUNT; j++) {
            differing += c->cluster[j] != expected[j];
        }
    }
    cr_assert_leq(differing, 4, "%zu of %d points", differing, 40 * COUNT);
}

Test(clustering, neighbours_count_on_all_sides)
{
    /* Four cells along each side. From left to right there are 5, 1, 5 and 4 points. The point of
     * the second cell and its neighbours are the largest group, 11. Next are the points of the last
     * cell, which are not neighbours of these. */
    static const struct {
        double x, y;
        int count;
        uint8_t cluster;
    } groups[6] = {{0, 0, 5, 0}, {1.5, 0, 1, 0}, {2.5, 0, 5, 0},
                   {4, 0, 4, 1}, {0, 4, 7, 0},   {4, 4, 7, 1}};
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        SCOPED_FREE cloud *const c = base_alloc(1, sizeof *c);
        size_t count = 0;
        uint8_t expected[29];
        fill(c, 1);
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < groups[i].count; j++) {
                expected[count] = groups[i].cluster;
                place(c, count++, (vec3){mirrored ? -groups[i].x : groups[i].x, groups[i].y, 0});
            }
        }
        c->points.count = count;
        const alg_ist_gas two = alg_ist_gas_make(2, false);
        alg_ist_cluster(&two, ALG_IST_NEIGHBOURS, &c->points, 1, 1, c->cluster);
        cr_assert_eq(memcmp(c->cluster, expected, count), 0, "mirrored %d", mirrored);
    }
}
