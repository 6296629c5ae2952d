/**
 * How much of a cube is below a plane, for many cubes at once; for bracket_sse2.c and its twin for
 * AVX2.
 *
 * Source   the volume below a plane as a sum of cubes of distances to the corners: Scardovelli and
 *          Zaleski 2000, equation 8.
 */
#ifndef ALGORITHMS_IST_BRACKET_CUT_H
#define ALGORITHMS_IST_BRACKET_CUT_H

#include "base/simd.h"
#include "geometry/types.h"

enum { ALG_IST_CUTS = 8 };

/** Cubes of one size, all turned alike, each with the slab of its voxel. */
typedef struct alg_ist_cuts {
    double edge; /* of the cubes, in edges of voxels, as all lengths here */
    double pad;  /* what rounding may add to an offset */
    mat3 axes;   /* rows: the axes of the cubes */
    double x[ALG_IST_CUTS], y[ALG_IST_CUTS], z[ALG_IST_CUTS];    /* centre less voxel's centre */
    double nx[ALG_IST_CUTS], ny[ALG_IST_CUTS], nz[ALG_IST_CUTS]; /* the slab's normal */
    double lower[ALG_IST_CUTS], middle[ALG_IST_CUTS], upper[ALG_IST_CUTS];
    /* Filled: the part of each cube that is for certain below the lower plane, the part that may be
     * below the upper one, and the part below the middle; from 0 to 1. */
    double below_lower[ALG_IST_CUTS], below_upper[ALG_IST_CUTS], below_middle[ALG_IST_CUTS];
} alg_ist_cuts;

/** Fills the results of lanes 0 to count - 1 and of those up to the next multiple of 4. */
void alg_ist_cut_sse2(alg_ist_cuts *cuts, uint32_t count);
void alg_ist_cut_avx2(alg_ist_cuts *cuts, uint32_t count);

/* A normal across the axes of a cube would divide by 0: components below this part of their sum are
 * raised to it, and the planes moved apart by what this can add to an offset. */
#define ALG_IST_CUT_LEAST 0x1p-12
/* More than the rounding of a part: 40 roundings of numbers up to 1, 2^-53 each, divided by 6 times
 * the product of components that sum up to 1, two of which may be as small as 2^-12. */
#define ALG_IST_CUT_SLACK 0x1p-25

/** x^3, or 0 where x is negative. */
static inline f64x4 alg_ist_cut_cubed(f64x4 x)
{
    const f64x4 positive = f64x4_max(x, f64x4_set(0));
    return f64x4_mul(f64x4_mul(positive, positive), positive);
}

/** A unit cube and a plane: components of the normal, their sum. */
typedef struct alg_ist_cut_cube {
    f64x4 mx, my, mz, sum, scale;
} alg_ist_cut_cube;

/** The part of a cube below a plane at `offset` above its lowest corner, between 0 and sum. */
static inline f64x4 alg_ist_cut_below(const alg_ist_cut_cube *c, f64x4 offset)
{
    /* From the nearer corner, where fewer terms cancel. */
    const f64x4 other = f64x4_sub(c->sum, offset);
    const m64x4 upper = f64x4_lt(other, offset);
    const f64x4 a = f64x4_max(f64x4_select(upper, other, offset), f64x4_set(0));
    const f64x4 ax = f64x4_sub(a, c->mx), ay = f64x4_sub(a, c->my), az = f64x4_sub(a, c->mz);
    const f64x4 one =
        f64x4_add(f64x4_add(alg_ist_cut_cubed(ax), alg_ist_cut_cubed(ay)), alg_ist_cut_cubed(az));
    const f64x4 two = f64x4_add(
        f64x4_add(alg_ist_cut_cubed(f64x4_sub(ax, c->my)), alg_ist_cut_cubed(f64x4_sub(ax, c->mz))),
        alg_ist_cut_cubed(f64x4_sub(ay, c->mz)));
    const f64x4 part = f64x4_mul(c->scale, f64x4_add(f64x4_sub(alg_ist_cut_cubed(a), one), two));
    return f64x4_select(upper, f64x4_sub(f64x4_set(1), part), part);
}

static inline void alg_ist_cut_lanes(alg_ist_cuts *cuts, uint32_t from)
{
    const f64x4 zero = f64x4_set(0), one = f64x4_set(1), half = f64x4_set(0.5);
    const f64x4 edge = f64x4_set(cuts->edge), slack = f64x4_set(ALG_IST_CUT_SLACK);
    const f64x4 nx = f64x4_load(cuts->nx + from), ny = f64x4_load(cuts->ny + from),
                nz = f64x4_load(cuts->nz + from);
    f64x4 m[3];
    for (int i = 0; i < 3; i++) {
        const vec3 axis = cuts->axes.row[i];
        const f64x4 dot =
            f64x4_add(f64x4_add(f64x4_mul(nx, f64x4_set(axis.x)), f64x4_mul(ny, f64x4_set(axis.y))),
                      f64x4_mul(nz, f64x4_set(axis.z)));
        m[i] = f64x4_mul(edge, f64x4_abs(dot));
    }
    const f64x4 sum = f64x4_add(f64x4_add(m[0], m[1]), m[2]);
    const f64x4 least = f64x4_mul(sum, f64x4_set(ALG_IST_CUT_LEAST));
    alg_ist_cut_cube c = {
        .mx = f64x4_max(m[0], least), .my = f64x4_max(m[1], least), .mz = f64x4_max(m[2], least)};
    c.sum = f64x4_add(f64x4_add(c.mx, c.my), c.mz);
    c.scale = f64x4_div(one, f64x4_mul(f64x4_mul(f64x4_mul(f64x4_set(6), c.mx), c.my), c.mz));
    const f64x4 apart = f64x4_add(f64x4_mul(half, f64x4_sub(c.sum, sum)), f64x4_set(cuts->pad));
    /* The plane through the lowest corner. */
    const f64x4 centre = f64x4_add(f64x4_add(f64x4_mul(nx, f64x4_load(cuts->x + from)),
                                             f64x4_mul(ny, f64x4_load(cuts->y + from))),
                                   f64x4_mul(nz, f64x4_load(cuts->z + from)));
    const f64x4 base = f64x4_sub(centre, f64x4_mul(half, c.sum));
    const f64x4 lower = f64x4_sub(f64x4_sub(f64x4_load(cuts->lower + from), base), apart);
    const f64x4 upper = f64x4_add(f64x4_sub(f64x4_load(cuts->upper + from), base), apart);
    const f64x4 middle = f64x4_sub(f64x4_load(cuts->middle + from), base);
    const f64x4 at = f64x4_min(f64x4_max(middle, lower), upper);
    const f64x4 below = f64x4_max(f64x4_sub(alg_ist_cut_below(&c, lower), slack), zero);
    const f64x4 above = f64x4_min(f64x4_add(alg_ist_cut_below(&c, upper), slack), one);
    const f64x4 between = alg_ist_cut_below(&c, at);
    f64x4_store(cuts->below_lower + from,
                f64x4_select(f64x4_le(c.sum, lower), one,
                             f64x4_select(f64x4_le(lower, zero), zero, below)));
    f64x4_store(cuts->below_upper + from,
                f64x4_select(f64x4_le(c.sum, upper), one,
                             f64x4_select(f64x4_le(upper, zero), zero, above)));
    f64x4_store(
        cuts->below_middle + from,
        f64x4_select(f64x4_le(c.sum, at), one, f64x4_select(f64x4_le(at, zero), zero, between)));
}

static inline void alg_ist_cut_all(alg_ist_cuts *cuts, uint32_t count)
{
    for (uint32_t from = 0; from < count; from += 4) {
        alg_ist_cut_lanes(cuts, from);
    }
}

#endif
