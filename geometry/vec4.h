/** Four vectors at a time, component by component; each lane has the same bits as in vec.h. */
#ifndef GEOMETRY_VEC4_H
#define GEOMETRY_VEC4_H

#include "base/simd.h"

typedef struct vec4 {
    f64x4 x, y, z;
} vec4;

/** Loads x[4], y[4], z[4], stored one after the other. */
static inline vec4 vec4_load(const double *xyz)
{
    return (vec4){f64x4_load(xyz), f64x4_load(xyz + 4), f64x4_load(xyz + 8)};
}

static inline vec4 vec4_sub(vec4 a, vec4 b)
{
    return (vec4){f64x4_sub(a.x, b.x), f64x4_sub(a.y, b.y), f64x4_sub(a.z, b.z)};
}

/** Returns a + s b. */
static inline vec4 vec4_madd(vec4 a, f64x4 s, vec4 b)
{
    return (vec4){f64x4_add(a.x, f64x4_mul(s, b.x)), f64x4_add(a.y, f64x4_mul(s, b.y)),
                  f64x4_add(a.z, f64x4_mul(s, b.z))};
}

static inline vec4 vec4_abs(vec4 a)
{
    return (vec4){f64x4_abs(a.x), f64x4_abs(a.y), f64x4_abs(a.z)};
}

static inline f64x4 vec4_dot(vec4 a, vec4 b)
{
    return f64x4_add(f64x4_add(f64x4_mul(a.x, b.x), f64x4_mul(a.y, b.y)), f64x4_mul(a.z, b.z));
}

static inline vec4 vec4_cross(vec4 a, vec4 b)
{
    return (vec4){f64x4_sub(f64x4_mul(a.y, b.z), f64x4_mul(a.z, b.y)),
                  f64x4_sub(f64x4_mul(a.z, b.x), f64x4_mul(a.x, b.z)),
                  f64x4_sub(f64x4_mul(a.x, b.y), f64x4_mul(a.y, b.x))};
}

/** Returns vec4_cross with all products added, for values that are not negative. */
static inline vec4 vec4_cross_terms(vec4 a, vec4 b)
{
    return (vec4){f64x4_add(f64x4_mul(a.y, b.z), f64x4_mul(a.z, b.y)),
                  f64x4_add(f64x4_mul(a.z, b.x), f64x4_mul(a.x, b.z)),
                  f64x4_add(f64x4_mul(a.x, b.y), f64x4_mul(a.y, b.x))};
}

static inline vec4 vec4_select(m64x4 mask, vec4 a, vec4 b)
{
    return (vec4){f64x4_select(mask, a.x, b.x), f64x4_select(mask, a.y, b.y),
                  f64x4_select(mask, a.z, b.z)};
}

#endif
