#include "algorithms/voxel/spacing.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/bvh.h"
#include "base/random.h"
#include "geometry/vec.h"

#include <string.h>

/* --- Selection -------------------------------------------------------------------------------- */

enum { ROUNDS_MAX = 40, NONE = 0 };

/** An accepted point. */
typedef struct disk {
    vec3 centre;
    uint32_t dart;
    uint32_t next; /* the previously accepted one in its bucket, as index + 1, or NONE */
} disk;

/** The accepted points, by their cells in a grid. */
typedef struct disks {
    vec3 *darts; /* owned; the points in the order in which they are tried */
    size_t dart_count;
    vec3 lowest; /* corner of cell (0, 0, 0) */
    double radius;
    double cell;       /* edge of a cell: at least the radius, so that neighbours are in the 27
                          surrounding cells */
    uint64_t mask;     /* number of buckets minus 1 */
    uint32_t *buckets; /* owned; the last disk in the cells of a bucket, as index + 1, or NONE */
    disk *taken;       /* owned */
    size_t taken_count;
} disks;

static uint64_t bucket_of(const disks *d, int64_t x, int64_t y, int64_t z)
{
    uint64_t h = (uint64_t)x * 0x9e3779b97f4a7c15u;
    h = (h ^ (uint64_t)y) * 0xc2b2ae3d27d4eb4fu;
    h = (h ^ (uint64_t)z) * 0x165667b19e3779f9u;
    return (h ^ h >> 32) & d->mask;
}

/** True if a disk of this bucket is nearer to p than the radius. */
static bool bucket_holds(const disks *d, uint64_t bucket, vec3 p)
{
    for (uint32_t i = d->buckets[bucket]; i != NONE; i = d->taken[i - 1].next) {
        if (vec3_distance2(p, d->taken[i - 1].centre) < d->radius * d->radius) {
            return true;
        }
    }
    return false;
}

static void throw_dart(disks *d, uint32_t dart)
{
    const vec3 p = d->darts[dart], at = vec3_sub(p, d->lowest);
    const int64_t x = (int64_t)(at.x / d->cell), y = (int64_t)(at.y / d->cell);
    const int64_t z = (int64_t)(at.z / d->cell);
    const uint64_t own = bucket_of(d, x, y, z);
    if (bucket_holds(d, own, p)) {
        return;
    }
    for (int64_t k = -1; k <= 1; k++) {
        for (int64_t j = -1; j <= 1; j++) {
            for (int64_t i = -1; i <= 1; i++) {
                if (bucket_holds(d, bucket_of(d, x + i, y + j, z + k), p)) {
                    return;
                }
            }
        }
    }
    d->taken[d->taken_count] = (disk){p, dart, d->buckets[own]};
    d->buckets[own] = (uint32_t)++d->taken_count;
}

/** Tries the darts in order, and stops when more than `most` have been accepted. */
static void throw_all(disks *d, double radius, double least_cell, size_t most)
{
    d->radius = radius;
    d->cell = radius > least_cell ? radius : least_cell;
    memset(d->buckets, 0, (d->mask + 1) * sizeof *d->buckets);
    d->taken_count = 0;
    for (size_t i = 0; i < d->dart_count && d->taken_count <= most; i++) {
        throw_dart(d, (uint32_t)i);
    }
}

/**
 * Searches for a radius with which about `target` points are accepted. On a surface, their number
 * is inversely proportional to the square of the radius. This rule gives the radius of the next
 * round. If that radius is outside of the bracket [low, high], the middle of the bracket is used.
 * The search ends if the number is within 1 % of the target, or after ROUNDS_MAX rounds. Then d has
 * the points of the radius whose number is nearest to the target.
 */
static void search_radius(disks *d, size_t target, double guess, double extent)
{
    const double least_cell = 0x1p-20 * extent;
    double low = 0, high = 2 * extent, radius = guess, best = 0;
    size_t best_off = SIZE_MAX;
    for (int round = 0; round < ROUNDS_MAX; round++) {
        /* A radius that gives more than twice the target is too small. The round ends there. */
        throw_all(d, radius, least_cell, 2 * target);
        const size_t found = d->taken_count;
        const size_t off = found > target ? found - target : target - found;
        if (off * 100 <= target) {
            return;
        }
        if (off < best_off) {
            best_off = off;
            best = radius;
        }
        *(found > target ? &low : &high) = radius;
        const double next = radius * sqrt((double)found / (double)target);
        radius = next > low && next < high ? next : 0.5 * (low + high);
    }
    throw_all(d, best, least_cell, d->dart_count);
}

/**
 * Allocates the darts, the buckets, and room for all points that a round may accept. Fills the
 * darts with the points, in the order of `order`.
 */
static base_status create_disks(const vec3 *points, const uint32_t *order, size_t count,
                                size_t target, disks *d, base_error *err)
{
    *d = (disks){.dart_count = count, .mask = 1};
    while (d->mask < 2 * target) {
        d->mask = 2 * d->mask + 1;
    }
    d->darts = base_alloc(count, sizeof *d->darts);
    d->buckets = base_alloc(d->mask + 1, sizeof *d->buckets);
    d->taken = base_alloc(count, sizeof *d->taken);
    if (!d->darts || !d->buckets || !d->taken) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu points", count);
    }
    for (size_t i = 0; i < count; i++) {
        d->darts[i] = points[order[i]];
    }
    return BASE_OK;
}

/** Fills order[begin] to order[end - 1] with the numbers from begin to end - 1, in random order. */
static void shuffle(uint32_t *order, size_t begin, size_t end, base_random *random)
{
    for (size_t i = begin; i < end; i++) {
        const size_t j = begin + (size_t)base_random_below(random, i + 1 - begin);
        order[i] = order[j];
        order[j] = (uint32_t)i;
    }
}

base_status alg_blue_noise_choose(const vec3 *points, size_t first_count, size_t count,
                                  size_t target, double guess, uint64_t seed, uint32_t *chosen,
                                  size_t *chosen_count, double *radius, base_error *err)
{
    base_assert(first_count <= count && count < UINT32_MAX && guess > 0);
    *chosen_count = 0;
    *radius = 0;
    if (count == 0 || target == 0) {
        return BASE_OK;
    }
    uint32_t *const order = base_alloc(count, sizeof *order);
    if (!order) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu points", count);
    }
    base_random random = base_random_seed(seed);
    shuffle(order, 0, first_count, &random);
    shuffle(order, first_count, count, &random);
    disks d;
    const base_status status = create_disks(points, order, count, target, &d, err);
    if (status == BASE_OK) {
        geo_box box = geo_box_empty();
        for (size_t i = 0; i < count; i++) {
            box = geo_box_add(box, points[i]);
        }
        d.lowest = box.lo;
        search_radius(&d, target, guess, geo_box_diagonal(box) + guess);
        *radius = d.radius;
        *chosen_count = d.taken_count;
        for (size_t i = 0; i < d.taken_count; i++) {
            chosen[i] = order[d.taken[i].dart];
        }
    }
    base_free(d.darts);
    base_free(d.buckets);
    base_free(d.taken);
    base_free(order);
    return status;
}

/* --- Measurement ------------------------------------------------------------------------------ */

enum { POINTS_A_CHUNK = 256 };

typedef struct measuring {
    const geo_nearest *points;
    double *distances;
} measuring;

static void measure_points(void *context, size_t from, size_t to)
{
    const measuring *const m = context;
    uint32_t hint = GEO_NEAREST_NONE;
    for (size_t i = from; i < to; i++) {
        hint = geo_nearest_other(m->points, (uint32_t)i, hint, &m->distances[i]);
    }
}

base_status alg_spacing_measure(const vec3 *points, size_t count, alg_spacing *spacing,
                                base_error *err)
{
    *spacing = (alg_spacing){0};
    if (count < 2) {
        return BASE_OK;
    }
    base_arena arena = {0};
    double *const distances = base_arena_alloc(&arena, count, sizeof *distances);
    const double *const radii = base_arena_alloc(&arena, count, sizeof *radii);
    geo_nearest nearest;
    base_status status = BASE_OK;
    if (!distances || !radii) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu points", count);
        goto done;
    }
    status = geo_nearest_build(points, radii, count, &arena, &nearest, err);
    if (status != BASE_OK) {
        goto done;
    }
    base_parallel_for(count, POINTS_A_CHUNK, 0, measure_points, &(measuring){&nearest, distances});
    double sum = 0, least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        sum += distances[i];
        least = distances[i] < least ? distances[i] : least;
    }
    const double mean = sum / (double)count;
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        squares += (distances[i] - mean) * (distances[i] - mean);
    }
    *spacing = (alg_spacing){mean, least, mean > 0 ? sqrt(squares / (double)count) / mean : 0};
done:
    base_arena_release(&arena);
    return status;
}
