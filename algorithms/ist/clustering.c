/**
 * How the leaves of a node are divided among its children.
 */
#include "algorithms/ist/gas.h"
#include "algorithms/ist/seeds.h"
#include "base/cpu.h"
#include "geometry/box.h"

#define K_MAX ALG_IST_BRANCHING_MAX

alg_ist_clusterer alg_ist_clusterer_make(const alg_ist_tree_options *options)
{
    alg_ist_clusterer c = {.options = *options, .avx2 = base_cpu_avx2()};
    for (uint32_t t = 0; t < ALG_IST_GAS_STEPS; t++) {
        c.influence[t] = alg_ist_gas_influence(options->branching, t);
    }
    return c;
}

/** Gives each point to its nearest prototype (of equal ones the first). */
static void assign_points(const alg_ist_points *points, const vec3 *prototypes, uint32_t k,
                          uint8_t *cluster)
{
    for (size_t j = 0; j < points->count; j++) {
        const vec3 p = alg_ist_point(points, j);
        double least = INFINITY;
        cluster[j] = 0;
        for (uint32_t i = 0; i < k; i++) {
            const double d2 = vec3_distance2(p, prototypes[i]);
            if (d2 < least) {
                least = d2;
                cluster[j] = (uint8_t)i;
            }
        }
    }
}

/**
 * Halves the points of cluster `id` along the longest axis of their box; the upper half goes to
 * `other`. The median is bracketed by bisection; what lies between the brackets goes by index.
 * Returns how many stay.
 */
static size_t halve(const alg_ist_points *points, uint8_t *cluster, uint8_t id, uint8_t other)
{
    geo_box box = geo_box_empty();
    size_t members = 0;
    for (size_t j = 0; j < points->count; j++) {
        if (cluster[j] == id) {
            box = geo_box_add(box, alg_ist_point(points, j));
            members++;
        }
    }
    const vec3 size = vec3_sub(box.hi, box.lo);
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const double *const along = axis == 0 ? points->x : axis == 1 ? points->y : points->z;
    const size_t stay = members - members / 2;
    double lo = vec3_get(box.lo, axis), hi = vec3_get(box.hi, axis);
    size_t below = 0;
    for (int bisection = 0; bisection < 64 && below < stay; bisection++) {
        const double middle = lo + 0.5 * (hi - lo);
        size_t count = 0;
        for (size_t j = 0; j < points->count; j++) {
            count += cluster[j] == id && along[j] < middle;
        }
        const bool low = count <= stay;
        lo = low ? middle : lo;
        hi = low ? hi : middle;
        below = low ? count : below;
    }
    size_t room = stay - below;
    for (size_t j = 0; j < points->count; j++) {
        if (cluster[j] == id && along[j] >= lo) {
            const bool stays = along[j] <= hi && room > 0;
            room -= stays;
            cluster[j] = stays ? id : other;
        }
    }
    return stay;
}

/** Halves the largest cluster for each that is empty. */
static void fill_clusters(const alg_ist_points *points, uint32_t k, uint8_t *cluster)
{
    size_t members[K_MAX] = {0};
    for (size_t j = 0; j < points->count; j++) {
        members[cluster[j]]++;
    }
    for (uint32_t i = 0; i < k; i++) {
        if (members[i] == 0) {
            uint32_t largest = 0;
            for (uint32_t other = 1; other < k; other++) {
                largest = members[other] > members[largest] ? other : largest;
            }
            const size_t stay = halve(points, cluster, (uint8_t)largest, (uint8_t)i);
            members[i] = members[largest] - stay;
            members[largest] = stay;
        }
    }
}

/** Places prototypes; returns how many. */
static uint32_t place_prototypes(const alg_ist_clusterer *clusterer, alg_ist_clustering kind,
                                 const alg_ist_points *points, uint64_t seed, unsigned threads,
                                 vec3 *prototypes)
{
    const uint32_t k = clusterer->options.branching;
    if (kind == ALG_IST_BIGGEST) {
        return alg_ist_seeds_biggest(points, k, prototypes);
    }
    if (kind == ALG_IST_NEIGHBOURS) {
        return alg_ist_seeds_neighbours(points, k, prototypes);
    }
    alg_ist_points weighted = *points;
    if (kind == ALG_IST_GAS_PLAIN) {
        weighted.weights = NULL;
    }
    alg_ist_gas_run(clusterer, &weighted, seed, threads, prototypes);
    return k;
}

void alg_ist_cluster(const alg_ist_clusterer *clusterer, alg_ist_clustering kind,
                     const alg_ist_points *points, uint64_t seed, unsigned threads,
                     uint8_t *cluster)
{
    const uint32_t k = clusterer->options.branching;
    base_assert(points->count > k);
    vec3 prototypes[K_MAX];
    const uint32_t placed = place_prototypes(clusterer, kind, points, seed, threads, prototypes);
    assign_points(points, prototypes, placed, cluster);
    fill_clusters(points, k, cluster);
}

void alg_ist_cluster_evenly(const alg_ist_points *points, uint32_t branching, uint8_t *cluster)
{
    for (size_t j = 0; j < points->count; j++) {
        cluster[j] = 0;
    }
    fill_clusters(points, branching, cluster);
}
