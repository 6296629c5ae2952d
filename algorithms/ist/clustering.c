/**
 * Batch neural gas with magnification control: what splits a node of the hierarchy.
 */
#include "algorithms/ist/tree.h"

#include "geometry/elementary.h"

#define K 4

/** Batches at most, and the movement (in diagonals of the points' box) that ends them earlier. */
enum { STEPS_MAX = 50 };
static const double movement_least = 1e-5;

static const double lambda_first = 0.5 * K, lambda_last = 0.01;

static geo_box box_of_points(const alg_ist_points *points)
{
    geo_box box = geo_box_empty();
    for (size_t i = 0; i < points->count; i++) {
        box = geo_box_add(box, points->balls[i].centre);
    }
    return box;
}

/** K different points, each set as likely as any other (Floyd's sampling). */
static void draw_prototypes(const alg_ist_points *points, uint64_t seed, vec3 prototypes[K])
{
    geo_random random = geo_random_seed(seed);
    size_t drawn[K];
    for (size_t i = 0; i < K; i++) {
        const size_t last = points->count - K + i;
        drawn[i] = (size_t)geo_random_below(&random, last + 1);
        for (size_t j = 0; j < i; j++) {
            drawn[i] = drawn[j] == drawn[i] ? last : drawn[i];
        }
        prototypes[i] = points->balls[drawn[i]].centre;
    }
}

double alg_ist_gas_step(const alg_ist_points *points, double lambda, uint32_t branching,
                        vec3 *prototypes)
{
    geo_assert(branching == K);
    (void)branching;
    double influence[K];
    for (int k = 0; k < K; k++) {
        influence[k] = geo_exp(-k / lambda);
    }
    double wx[K], wy[K], wz[K], sum_w[K] = {0}, sum_x[K] = {0}, sum_y[K] = {0}, sum_z[K] = {0};
    for (int i = 0; i < K; i++) {
        wx[i] = prototypes[i].x;
        wy[i] = prototypes[i].y;
        wz[i] = prototypes[i].z;
    }
    for (size_t j = 0; j < points->count; j++) {
        const vec3 p = points->balls[j].centre;
        double d2[K];
        for (int i = 0; i < K; i++) {
            const double dx = p.x - wx[i], dy = p.y - wy[i], dz = p.z - wz[i];
            d2[i] = dx * dx + dy * dy + dz * dz;
        }
        for (int i = 0; i < K; i++) {
            const int rank = (d2[0] < d2[i]) + (d2[1] < d2[i]) + (d2[2] < d2[i]) + (d2[3] < d2[i]);
            const double w = influence[rank] * points->weights[j];
            sum_w[i] += w;
            sum_x[i] += w * p.x;
            sum_y[i] += w * p.y;
            sum_z[i] += w * p.z;
        }
    }
    double moved2 = 0;
    for (int i = 0; i < K; i++) {
        /* A prototype that no point has near may have no weight left: it stays. */
        if (sum_w[i] > 0) {
            const vec3 to = {sum_x[i] / sum_w[i], sum_y[i] / sum_w[i], sum_z[i] / sum_w[i]};
            moved2 = fmax(moved2, vec3_distance2(prototypes[i], to));
            prototypes[i] = to;
        }
    }
    return sqrt(moved2);
}

static void run_gas(const alg_ist_points *points, uint64_t seed, vec3 prototypes[K])
{
    draw_prototypes(points, seed, prototypes);
    const double still = movement_least * geo_box_diagonal(box_of_points(points));
    for (int t = 0; t < STEPS_MAX; t++) {
        const double cooling = geo_pow(lambda_last / lambda_first, (double)t / STEPS_MAX);
        if (alg_ist_gas_step(points, lambda_first * cooling, K, prototypes) < still) {
            break;
        }
    }
}

/** Gives each point to its nearest prototype; false if one gets none. */
static bool assign_points(const alg_ist_points *points, const vec3 prototypes[K], uint8_t *cluster)
{
    size_t members[K] = {0};
    for (size_t j = 0; j < points->count; j++) {
        double least = INFINITY;
        for (int i = 0; i < K; i++) {
            const double d2 = vec3_distance2(points->balls[j].centre, prototypes[i]);
            if (d2 < least) {
                least = d2;
                cluster[j] = (uint8_t)i;
            }
        }
        members[cluster[j]]++;
    }
    return members[0] > 0 && members[1] > 0 && members[2] > 0 && members[3] > 0;
}

/**
 * Halves the points of cluster `id` along the longest axis of their box; the upper half goes to
 * `other`. The median is bracketed by bisection; what lies between the brackets goes by index.
 */
static void halve(const alg_ist_points *points, uint8_t *cluster, uint8_t id, uint8_t other)
{
    geo_box box = geo_box_empty();
    size_t members = 0;
    for (size_t j = 0; j < points->count; j++) {
        if (cluster[j] == id) {
            box = geo_box_add(box, points->balls[j].centre);
            members++;
        }
    }
    const vec3 size = vec3_sub(box.hi, box.lo);
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    double lo = vec3_get(box.lo, axis), hi = vec3_get(box.hi, axis);
    size_t below = 0;
    for (int bisection = 0; bisection < 64; bisection++) {
        const double middle = lo + 0.5 * (hi - lo);
        size_t count = 0;
        for (size_t j = 0; j < points->count; j++) {
            count += cluster[j] == id && vec3_get(points->balls[j].centre, axis) < middle;
        }
        const bool low = count <= members / 2;
        lo = low ? middle : lo;
        hi = low ? hi : middle;
        below = low ? count : below;
    }
    size_t room = members - members / 2 - below;
    for (size_t j = 0; j < points->count; j++) {
        const double x = vec3_get(points->balls[j].centre, axis);
        if (cluster[j] == id && x >= lo) {
            const bool stays = x <= hi && room > 0;
            room -= stays;
            cluster[j] = stays ? id : other;
        }
    }
}

void alg_ist_cluster(const alg_ist_tree_options *options, const alg_ist_points *points, bool even,
                     uint64_t seed, uint8_t *cluster)
{
    (void)options;
    geo_assert(points->count > K);
    if (!even) {
        vec3 prototypes[K];
        run_gas(points, seed, prototypes);
        if (assign_points(points, prototypes, cluster)) {
            return;
        }
    }
    for (size_t j = 0; j < points->count; j++) {
        cluster[j] = 0;
    }
    halve(points, cluster, 0, 2);
    halve(points, cluster, 0, 1);
    halve(points, cluster, 2, 3);
}
