/**
 * Vectors, 3x3 matrices and axis-aligned boxes by value.
 *
 * Every function is a fixed sequence of double operations without contraction, so it has the same
 * bits in every build. Sums run x, y, z from left to right.
 */
#ifndef GEOMETRY_VEC_H
#define GEOMETRY_VEC_H

#include "geometry/types.h"

#include <math.h>
#include <stdbool.h>

/* Short names for the vectors of the plug-in header, for use in this tree only; a library that
 * includes that header may define these names itself. */
typedef geo_vec3 vec3;
typedef geo_vec3f vec3f;
typedef geo_mat3 mat3;

static inline vec3 vec3_make(double x, double y, double z)
{
    return (vec3){x, y, z};
}

static inline vec3 vec3_add(vec3 a, vec3 b)
{
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vec3 vec3_sub(vec3 a, vec3 b)
{
    return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline vec3 vec3_scale(double s, vec3 a)
{
    return (vec3){s * a.x, s * a.y, s * a.z};
}

/** Returns a + s b. */
static inline vec3 vec3_madd(vec3 a, double s, vec3 b)
{
    return (vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double vec3_dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3 vec3_cross(vec3 a, vec3 b)
{
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double vec3_norm2(vec3 a)
{
    return vec3_dot(a, a);
}

static inline double vec3_norm(vec3 a)
{
    return sqrt(vec3_norm2(a));
}

static inline double vec3_distance2(vec3 a, vec3 b)
{
    return vec3_norm2(vec3_sub(a, b));
}

static inline double vec3_distance(vec3 a, vec3 b)
{
    return vec3_norm(vec3_sub(a, b));
}

/** Returns a / |a|; the zero vector stays zero. */
static inline vec3 vec3_normalize(vec3 a)
{
    const double n = vec3_norm(a);
    return n > 0 ? (vec3){a.x / n, a.y / n, a.z / n} : (vec3){0, 0, 0};
}

static inline vec3 vec3_min(vec3 a, vec3 b)
{
    return (vec3){a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}

static inline vec3 vec3_max(vec3 a, vec3 b)
{
    return (vec3){a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}

static inline vec3 vec3_abs(vec3 a)
{
    return (vec3){fabs(a.x), fabs(a.y), fabs(a.z)};
}

static inline bool vec3_equal(vec3 a, vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline bool vec3_isfinite(vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

/** Returns component 0, 1 or 2. */
static inline double vec3_get(vec3 a, int axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

static inline vec3 mat3_mul_vec3(mat3 m, vec3 v)
{
    return (vec3){vec3_dot(m.row[0], v), vec3_dot(m.row[1], v), vec3_dot(m.row[2], v)};
}

/** Returns transpose(m) v; for a rotation, this is the inverse. */
static inline vec3 mat3_tmul_vec3(mat3 m, vec3 v)
{
    return (vec3){m.row[0].x * v.x + m.row[1].x * v.y + m.row[2].x * v.z,
                  m.row[0].y * v.x + m.row[1].y * v.y + m.row[2].y * v.z,
                  m.row[0].z * v.x + m.row[1].z * v.y + m.row[2].z * v.z};
}

static inline mat3 mat3_transpose(mat3 m)
{
    return (mat3){{{m.row[0].x, m.row[1].x, m.row[2].x},
                   {m.row[0].y, m.row[1].y, m.row[2].y},
                   {m.row[0].z, m.row[1].z, m.row[2].z}}};
}

static inline mat3 mat3_mul(mat3 a, mat3 b)
{
    const mat3 bt = mat3_transpose(b);
    return (mat3){
        {mat3_mul_vec3(bt, a.row[0]), mat3_mul_vec3(bt, a.row[1]), mat3_mul_vec3(bt, a.row[2])}};
}

/* --- Boxes ------------------------------------------------------------------------------------ */

static inline geo_box geo_box_empty(void)
{
    return (geo_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static inline geo_box geo_box_add(geo_box box, vec3 p)
{
    return (geo_box){vec3_min(box.lo, p), vec3_max(box.hi, p)};
}

static inline geo_box geo_box_join(geo_box a, geo_box b)
{
    return (geo_box){vec3_min(a.lo, b.lo), vec3_max(a.hi, b.hi)};
}

static inline vec3 geo_box_centre(geo_box box)
{
    return vec3_scale(0.5, vec3_add(box.lo, box.hi));
}

static inline double geo_box_diagonal(geo_box box)
{
    return vec3_distance(box.lo, box.hi);
}

/** Returns the largest absolute coordinate of the box. */
static inline double geo_box_reach(geo_box box)
{
    const vec3 r = vec3_max(vec3_abs(box.lo), vec3_abs(box.hi));
    const double xy = r.x > r.y ? r.x : r.y;
    return xy > r.z ? xy : r.z;
}

static inline geo_box geo_box_of_triangle(geo_triangle t)
{
    return (geo_box){vec3_min(vec3_min(t.p[0], t.p[1]), t.p[2]),
                     vec3_max(vec3_max(t.p[0], t.p[1]), t.p[2])};
}

/** True if the closed boxes overlap; touching counts. */
static inline bool geo_box_overlap(geo_box a, geo_box b)
{
    return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y &&
           a.lo.z <= b.hi.z && b.lo.z <= a.hi.z;
}

#endif
