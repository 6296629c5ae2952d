/**
 * The share of a cube below a plane, for many cubes at once.
 *
 * Source   the volume below a plane as a sum of cubes of distances to the corners: Scardovelli and
 *          Zaleski 2000, equation 8.
 */
#include "algorithms/bounds/bracket.h"
#include "base/simd.h"

/* A normal that is perpendicular to an axis of a cube would cause a division by 0. So components
 * are raised to at least this share of their sum, and the planes are moved apart by the greatest
 * change that this causes in an offset. */
static const double component_least = 0x1p-12;
/* More than the rounding of a share: 40 roundings of numbers up to 1, 2^-53 each, divided by 6
 * times the product of components that sum up to 1, two of which may be as small as 2^-12. */
static const double part_slack = 0x1p-25;

/** Returns x^3, or 0 where x is negative. */
static inline f64x4 cubed(f64x4 x)
{
    const f64x4 positive = f64x4_max(x, f64x4_set(0));
    return f64x4_mul(f64x4_mul(positive, positive), positive);
}

/** A unit cube and a plane: components of the normal, their sum, 1 / (6 times their product). */
typedef struct unit_cube {
    f64x4 mx, my, mz, sum, scale;
} unit_cube;

/** Returns the share of a cube below a plane. offset: of the plane from the cube's lowest corner,
 * between 0 and the sum of the components. */
static inline f64x4 part_below(const unit_cube *c, f64x4 offset)
{
    /* The volume is counted from the corner that is nearer to the plane, where less cancels. */
    const f64x4 other = f64x4_sub(c->sum, offset);
    const m64x4 upper = f64x4_lt(other, offset);
    const f64x4 a = f64x4_max(f64x4_select(upper, other, offset), f64x4_set(0));
    const f64x4 ax = f64x4_sub(a, c->mx), ay = f64x4_sub(a, c->my), az = f64x4_sub(a, c->mz);
    const f64x4 one = f64x4_add(f64x4_add(cubed(ax), cubed(ay)), cubed(az));
    const f64x4 two = f64x4_add(f64x4_add(cubed(f64x4_sub(ax, c->my)), cubed(f64x4_sub(ax, c->mz))),
                                cubed(f64x4_sub(ay, c->mz)));
    const f64x4 part = f64x4_mul(c->scale, f64x4_add(f64x4_sub(cubed(a), one), two));
    return f64x4_select(upper, f64x4_sub(f64x4_set(1), part), part);
}

static inline void cut_lanes(alg_bounds_cuts *cuts, uint32_t from)
{
    const f64x4 zero = f64x4_set(0), one = f64x4_set(1), half = f64x4_set(0.5);
    const f64x4 edge = f64x4_set(cuts->edge), slack = f64x4_set(part_slack);
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
    const f64x4 least = f64x4_mul(sum, f64x4_set(component_least));
    unit_cube c = {
        .mx = f64x4_max(m[0], least), .my = f64x4_max(m[1], least), .mz = f64x4_max(m[2], least)};
    c.sum = f64x4_add(f64x4_add(c.mx, c.my), c.mz);
    c.scale = f64x4_div(one, f64x4_mul(f64x4_mul(f64x4_mul(f64x4_set(6), c.mx), c.my), c.mz));
    const f64x4 apart = f64x4_add(f64x4_mul(half, f64x4_sub(c.sum, sum)), f64x4_set(cuts->pad));
    /* Offset of the plane through the lowest corner. */
    const f64x4 centre = f64x4_add(f64x4_add(f64x4_mul(nx, f64x4_load(cuts->x + from)),
                                             f64x4_mul(ny, f64x4_load(cuts->y + from))),
                                   f64x4_mul(nz, f64x4_load(cuts->z + from)));
    const f64x4 base = f64x4_sub(centre, f64x4_mul(half, c.sum));
    const f64x4 lower = f64x4_sub(f64x4_sub(f64x4_load(cuts->lower + from), base), apart);
    const f64x4 upper = f64x4_add(f64x4_sub(f64x4_load(cuts->upper + from), base), apart);
    const f64x4 middle = f64x4_sub(f64x4_load(cuts->middle + from), base);
    const f64x4 at = f64x4_min(f64x4_max(middle, lower), upper);
    const f64x4 below = f64x4_max(f64x4_sub(part_below(&c, lower), slack), zero);
    const f64x4 above = f64x4_min(f64x4_add(part_below(&c, upper), slack), one);
    const f64x4 between = part_below(&c, at);
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

void BASE_ISA(alg_bounds_cut)(alg_bounds_cuts *cuts, uint32_t count)
{
    for (uint32_t from = 0; from < count; from += 4) {
        cut_lanes(cuts, from);
    }
}
