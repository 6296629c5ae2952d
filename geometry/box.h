/** Axis-aligned boxes in double, by value, and the rounding of their bounds to float. */
#ifndef GEOMETRY_BOX_H
#define GEOMETRY_BOX_H

#include "geometry/vec.h"

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
