/**
 * Computes the sums of a batch of neural gas, four points at a time. The result is bit-identical
 * for all instruction sets.
 */
#include "algorithms/ist/tree.h"
#include "base/simd.h"

#include <stddef.h>

#define K_MAX  ALG_IST_BRANCHING_MAX
#define INLINE inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 16")
enum { POINTS = 4 };

typedef struct wide_sums {
    f64x4 h[K_MAX], x[K_MAX], y[K_MAX], z[K_MAX];
} wide_sums;

/** Adds four points; k is a constant at each inlined call. */
static INLINE void add_points(const f64x4 *wx, const f64x4 *wy, const f64x4 *wz, f64x4 influence,
                              const double *px, const double *py, const double *pz, f64x4 weight,
                              const int k, wide_sums *sums)
{
    const f64x4 x = f64x4_load(px), y = f64x4_load(py), z = f64x4_load(pz), one = f64x4_set(1);
    f64x4 d2[K_MAX], h[K_MAX];
    UNROLL for (int i = 0; i < k; i++)
    {
        const f64x4 dx = f64x4_sub(x, wx[i]), dy = f64x4_sub(y, wy[i]), dz = f64x4_sub(z, wz[i]);
        d2[i] = f64x4_add(f64x4_add(f64x4_mul(dx, dx), f64x4_mul(dy, dy)), f64x4_mul(dz, dz));
        h[i] = weight;
    }
    /* The rank of a prototype is the number of nearer prototypes. So its weight is multiplied by
     * `influence` once for each of them. */
    UNROLL for (int i = 0; i < k; i++)
    {
        UNROLL for (int j = i + 1; j < k; j++)
        {
            h[i] = f64x4_mul(h[i], f64x4_select(f64x4_lt(d2[j], d2[i]), influence, one));
            h[j] = f64x4_mul(h[j], f64x4_select(f64x4_lt(d2[i], d2[j]), influence, one));
        }
    }
    UNROLL for (int i = 0; i < k; i++)
    {
        sums->h[i] = f64x4_add(sums->h[i], h[i]);
        sums->x[i] = f64x4_add(sums->x[i], f64x4_mul(h[i], x));
        sums->y[i] = f64x4_add(sums->y[i], f64x4_mul(h[i], y));
        sums->z[i] = f64x4_add(sums->z[i], f64x4_mul(h[i], z));
    }
}

static INLINE double sum_lanes(f64x4 wide)
{
    double lane[POINTS];
    f64x4_store(lane, wide);
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

static INLINE void sum_points(const alg_ist_gas_batch *batch, size_t begin, size_t end, const int k)
{
    const alg_ist_points *const p = batch->points;
    const f64x4 influence = f64x4_set(batch->influence), zero = f64x4_set(0);
    f64x4 wx[K_MAX], wy[K_MAX], wz[K_MAX];
    wide_sums sums;
    for (int i = 0; i < k; i++) {
        wx[i] = f64x4_set(batch->prototypes[i].x);
        wy[i] = f64x4_set(batch->prototypes[i].y);
        wz[i] = f64x4_set(batch->prototypes[i].z);
        sums.h[i] = sums.x[i] = sums.y[i] = sums.z[i] = zero;
    }
    size_t j = begin;
    for (; j + POINTS <= end; j += POINTS) {
        const f64x4 weight = p->weights ? f64x4_load(p->weights + j) : f64x4_set(1);
        add_points(wx, wy, wz, influence, p->x + j, p->y + j, p->z + j, weight, k, &sums);
    }
    if (j < end) {
        /* Lanes behind the last point have the weight 0. */
        double x[POINTS] = {0}, y[POINTS] = {0}, z[POINTS] = {0}, weights[POINTS] = {0};
        for (size_t i = 0; j + i < end; i++) {
            x[i] = p->x[j + i];
            y[i] = p->y[j + i];
            z[i] = p->z[j + i];
            weights[i] = p->weights ? p->weights[j + i] : 1;
        }
        add_points(wx, wy, wz, influence, x, y, z, f64x4_load(weights), k, &sums);
    }
    alg_ist_gas_sums *const to = &batch->sums[begin / batch->chunk];
    for (int i = 0; i < k; i++) {
        to->h[i] = sum_lanes(sums.h[i]);
        to->x[i] = sum_lanes(sums.x[i]);
        to->y[i] = sum_lanes(sums.y[i]);
        to->z[i] = sum_lanes(sums.z[i]);
    }
}

void BASE_ISA(alg_ist_gas_sum)(const alg_ist_gas_batch *batch, size_t begin, size_t end)
{
    switch (batch->branching) {
    case 2:
        sum_points(batch, begin, end, 2);
        break;
    case 4:
        sum_points(batch, begin, end, 4);
        break;
    case 8:
        sum_points(batch, begin, end, 8);
        break;
    default:
        sum_points(batch, begin, end, 16);
        break;
    }
}
