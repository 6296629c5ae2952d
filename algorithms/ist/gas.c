#include "algorithms/ist/gas.h"

#include "base/cpu.h"
#include "base/elementary.h"
#include "base/parallel.h"
#include "base/random.h"
#include "geometry/box.h"

#include <stddef.h>
#include <stdint.h>

/** Chunks of points whose sums are added up in order: the same for any number of threads. */
enum { CHUNKS_MAX = 64, CHUNK_LEAST = 4096 };

/** The movement (in diagonals of the points' box) that ends a run. */
static const double movement_least = 1e-5;

/** A smaller influence is lost in the sums and counts as 0, before its powers become subnormal. */
static const double influence_least = 0x1p-60;

double alg_ist_gas_influence(uint32_t branching, uint32_t step)
{
    const double first = 0.5 * branching, last = 0.01;
    return base_exp(-1 / (first * base_pow(last / first, (double)step / ALG_IST_GAS_STEPS)));
}

alg_ist_gas alg_ist_gas_make(uint32_t branching, bool fixed)
{
    alg_ist_gas gas = {.branching = branching, .fixed = fixed, .avx2 = base_cpu_avx2()};
    for (uint32_t t = 0; t < ALG_IST_GAS_STEPS; t++) {
        gas.influence[t] = alg_ist_gas_influence(branching, t);
    }
    return gas;
}

/** As many different points as there are prototypes, each set as likely as any other (Floyd's
 * sampling). */
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
        /* A prototype that is far from all points may have no weight: it stays. */
        if (h > 0) {
            const vec3 to = {sum.x / h, sum.y / h, sum.z / h};
            moved2 = fmax(moved2, vec3_distance2(prototypes[i], to));
            prototypes[i] = to;
        }
    }
    return sqrt(moved2);
}

void alg_ist_gas_run(const alg_ist_gas *gas, const alg_ist_points *points, uint64_t seed,
                     unsigned threads, vec3 *prototypes)
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
