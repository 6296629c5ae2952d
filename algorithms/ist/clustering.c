#include "algorithms/ist/tree.h"

#include "base/elementary.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/simd.h"
#include "geometry/vec.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define K_MAX ALG_IST_BRANCHING_MAX

/* --- Batch neural gas ------------------------------------------------------------------------- */

/**
 * Largest number of chunks of points, and smallest size of a chunk. The sums of the chunks are
 * added in order, so that the number of threads does not change the result.
 */
enum { CHUNKS_MAX = 64, CHUNK_LEAST = 4096 };

/**
 * A run ends when no prototype moves farther than this share of the diagonal of the points' box.
 */
static const double movement_least = 1e-5;

/**
 * A smaller influence counts as 0: it would be lost in the sums, and its powers would be subnormal.
 */
static const double influence_least = 0x1p-60;

alg_ist_gas alg_ist_gas_make(uint32_t branching, bool fixed)
{
    alg_ist_gas gas = {.branching = branching, .fixed = fixed, .avx2 = base_cpu_avx2()};
    /* At a step t, h(1) = exp(-1 / lambda) with lambda(t) = lambda_0 (0.01 / lambda_0)^(t / t_max),
     * lambda_0 = branching / 2 and t_max = ALG_IST_GAS_STEPS [IST III-B]. h(k) = exp(-k / lambda)
     * is the kth power of h(1). */
    const double first = 0.5 * branching, last = 0.01;
    for (uint32_t t = 0; t < ALG_IST_GAS_STEPS; t++) {
        gas.influence[t] =
            base_exp(-1 / (first * base_pow(last / first, (double)t / ALG_IST_GAS_STEPS)));
    }
    return gas;
}

/**
 * Draws k different points as prototypes. All sets of k points have the same probability (Floyd's
 * sampling).
 */
static void draw_prototypes(const alg_ist_points *points, uint64_t seed, uint32_t k,
                            vec3 *prototypes)
{
    base_random random = base_random_seed(seed);
    size_t drawn[ALG_IST_BRANCHING_MAX];
    for (uint32_t i = 0; i < k; i++) {
        const size_t last = points->count - k + i;
        drawn[i] = (size_t)base_random_below(&random, last + 1);
        bool twice = false;
        for (uint32_t j = 0; j < i; j++) {
            twice |= drawn[j] == drawn[i];
        }
        drawn[i] = twice ? last : drawn[i];
        prototypes[i] = alg_ist_point(points, drawn[i]);
    }
}

static void sum_chunks(void *context, size_t begin, size_t end)
{
    const alg_ist_gas_batch *const batch = context;
    if (batch->avx2) {
        alg_ist_gas_sum_avx2(batch, begin, end);
    } else {
        alg_ist_gas_sum_sse2(batch, begin, end);
    }
}

double alg_ist_gas_step(const alg_ist_gas *gas, const alg_ist_points *points, double influence,
                        unsigned threads, vec3 *prototypes)
{
    const uint32_t k = gas->branching;
    const size_t share = (points->count - 1) / CHUNKS_MAX + 1;
    alg_ist_gas_sums sums[CHUNKS_MAX];
    alg_ist_gas_batch batch = {
        .points = points,
        .prototypes = prototypes,
        .branching = k,
        .avx2 = gas->avx2,
        .influence = influence < influence_least ? 0 : influence,
        .sums = sums,
        .chunk = share > CHUNK_LEAST ? share : CHUNK_LEAST,
    };
    base_parallel_for(points->count, batch.chunk, threads, sum_chunks, &batch);
    const size_t chunks = (points->count - 1) / batch.chunk + 1;
    double moved2 = 0;
    for (uint32_t i = 0; i < k; i++) {
        double h = 0;
        vec3 sum = {0, 0, 0};
        for (size_t c = 0; c < chunks; c++) {
            h += sums[c].h[i];
            sum = vec3_add(sum, (vec3){sums[c].x[i], sums[c].y[i], sums[c].z[i]});
        }
        /* A prototype that is far from all points may have the weight 0. It does not move. */
        if (h > 0) {
            const vec3 to = {sum.x / h, sum.y / h, sum.z / h};
            moved2 = fmax(moved2, vec3_distance2(prototypes[i], to));
            prototypes[i] = to;
        }
    }
    return sqrt(moved2);
}

/**
 * Computes the prototypes. They are drawn from the points, and then steps are run until they stop
 * moving, or all steps if gas->fixed is set.
 */
static void run_batch_neural_gas(const alg_ist_gas *gas, const alg_ist_points *points,
                                 uint64_t seed, unsigned threads, vec3 *prototypes)
{
    const uint32_t k = gas->branching;
    geo_box box = geo_box_empty();
    for (size_t j = 0; j < points->count; j++) {
        box = geo_box_add(box, alg_ist_point(points, j));
    }
    const double still = gas->fixed ? -1 : movement_least * geo_box_diagonal(box);
    draw_prototypes(points, seed, k, prototypes);
    for (uint32_t t = 0; t < ALG_IST_GAS_STEPS; t++) {
        if (alg_ist_gas_step(gas, points, gas->influence[t], threads, prototypes) < still) {
            break;
        }
    }
}

/* --- Seeds ------------------------------------------------------------------------------------ */

enum { SIDE_MAX = 16 };

static bool at_a_seed(vec3 p, const vec3 *seeds, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (vec3_equal(p, seeds[i])) {
            return true;
        }
    }
    return false;
}

/**
 * Selects up to k points with the largest weights, no two of them at one position. The first point
 * wins a tie. Returns the number of points.
 */
static uint32_t seed_biggest(const alg_ist_points *points, uint32_t k, vec3 *seeds)
{
    for (uint32_t found = 0; found < k; found++) {
        double most = 0;
        for (size_t j = 0; j < points->count; j++) {
            const vec3 p = alg_ist_point(points, j);
            if (points->weights[j] > most && !at_a_seed(p, seeds, found)) {
                most = points->weights[j];
                seeds[found] = p;
            }
        }
        if (most == 0) {
            return found;
        }
    }
    return k;
}

/** A grid of cubes over points. */
typedef struct grid {
    vec3 lo;
    double cells_a_metre;
    int side;
    uint32_t members[SIDE_MAX * SIDE_MAX * SIDE_MAX];
    uint32_t around[SIDE_MAX * SIDE_MAX * SIDE_MAX]; /* members of the cell and of its 26
                                                        neighbours */
} grid;

typedef struct cell {
    int x, y, z;
} cell;

static int coordinate(const grid *g, double from)
{
    const double at = from * g->cells_a_metre;
    return at < g->side ? (int)at : g->side - 1;
}

static cell cell_of(const grid *g, vec3 p)
{
    return (cell){coordinate(g, p.x - g->lo.x), coordinate(g, p.y - g->lo.y),
                  coordinate(g, p.z - g->lo.z)};
}

static int number_of(const grid *g, cell c)
{
    return (c.z * g->side + c.y) * g->side + c.x;
}

static uint32_t count_around(const grid *g, cell c)
{
    uint32_t count = 0;
    for (int z = c.z > 0 ? c.z - 1 : 0; z <= c.z + 1 && z < g->side; z++) {
        for (int y = c.y > 0 ? c.y - 1 : 0; y <= c.y + 1 && y < g->side; y++) {
            for (int x = c.x > 0 ? c.x - 1 : 0; x <= c.x + 1 && x < g->side; x++) {
                count += g->members[number_of(g, (cell){x, y, z})];
            }
        }
    }
    return count;
}

static void fill_grid(const alg_ist_points *points, grid *g)
{
    geo_box box = geo_box_empty();
    for (size_t j = 0; j < points->count; j++) {
        box = geo_box_add(box, alg_ist_point(points, j));
    }
    const vec3 size = vec3_sub(box.hi, box.lo);
    const double longest = fmax(size.x, fmax(size.y, size.z));
    g->side = 1;
    while (g->side < SIDE_MAX && (size_t)(g->side * g->side * g->side) < points->count) {
        g->side++;
    }
    g->lo = box.lo;
    g->cells_a_metre = longest > 0 ? g->side / longest : 0;
    const int cells = g->side * g->side * g->side;
    for (int i = 0; i < cells; i++) {
        g->members[i] = 0;
    }
    for (size_t j = 0; j < points->count; j++) {
        g->members[number_of(g, cell_of(g, alg_ist_point(points, j)))]++;
    }
    for (int i = 0; i < cells; i++) {
        const cell c = {i % g->side, i / g->side % g->side, i / g->side / g->side};
        g->around[i] = g->members[i] > 0 ? count_around(g, c) : 0;
    }
}

static bool next_to_a_seed(cell c, const cell *seeds, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (abs(c.x - seeds[i].x) <= 1 && abs(c.y - seeds[i].y) <= 1 &&
            abs(c.z - seeds[i].z) <= 1) {
            return true;
        }
    }
    return false;
}

/**
 * Selects up to k points with the most neighbours, no two of them at one position.
 * ALG_IST_NEIGHBOURS defines neighbours. Returns the number of points.
 */
static uint32_t seed_neighbours(const alg_ist_points *points, uint32_t k, vec3 *seeds)
{
    grid g;
    cell cells[K_MAX];
    fill_grid(points, &g);
    for (uint32_t found = 0; found < k; found++) {
        /* Points that are not neighbours of a seed have precedence. */
        uint32_t most = 0;
        bool apart = false;
        for (size_t j = 0; j < points->count; j++) {
            const vec3 p = alg_ist_point(points, j);
            const cell c = cell_of(&g, p);
            const uint32_t neighbours = g.around[number_of(&g, c)];
            const bool free = !next_to_a_seed(c, cells, found);
            const bool better = free == apart ? neighbours > most : free;
            if (better && (free || !at_a_seed(p, seeds, found))) {
                most = neighbours;
                apart = free;
                seeds[found] = p;
                cells[found] = c;
            }
        }
        if (most == 0) {
            return found;
        }
    }
    return k;
}

/* --- Clusters --------------------------------------------------------------------------------- */

/** Assigns each point to its nearest prototype (the first one wins a tie). */
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
 * Halves the points of cluster `id` along the longest axis of their box. The upper half goes to
 * cluster `other`. Bisection finds a bracket of the median. The points in the bracket are divided
 * by index. Returns the number of points that stay in `id`.
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

/** Fills each empty cluster with half of the largest cluster. */
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

void alg_ist_cluster(const alg_ist_gas *gas, alg_ist_clustering kind, const alg_ist_points *points,
                     uint64_t seed, unsigned threads, uint8_t *cluster)
{
    const uint32_t k = gas->branching;
    base_assert(points->count > k);
    vec3 prototypes[K_MAX];
    uint32_t count = k;
    if (kind == ALG_IST_BIGGEST) {
        count = seed_biggest(points, k, prototypes);
    } else if (kind == ALG_IST_NEIGHBOURS) {
        count = seed_neighbours(points, k, prototypes);
    } else {
        alg_ist_points weighted = *points;
        weighted.weights = kind == ALG_IST_GAS_PLAIN ? NULL : points->weights;
        run_batch_neural_gas(gas, &weighted, seed, threads, prototypes);
    }
    assign_points(points, prototypes, count, cluster);
    fill_clusters(points, k, cluster);
}

void alg_ist_cluster_evenly(const alg_ist_points *points, uint32_t branching, uint8_t *cluster)
{
    for (size_t j = 0; j < points->count; j++) {
        cluster[j] = 0;
    }
    fill_clusters(points, branching, cluster);
}
