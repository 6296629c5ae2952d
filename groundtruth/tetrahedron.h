/** One tetrahedron against another: sides of planes, and the part that half-spaces leave. */
#ifndef GROUNDTRUTH_TETRAHEDRON_H
#define GROUNDTRUTH_TETRAHEDRON_H

#include "geometry/simd.h"
#include "geometry/vec.h"

/**
 * Four corners; positively oriented: dot(cross(p1 - p0, p2 - p0), p3 - p0) > 0. Tetrahedra of one
 * body list their corners in the order of vertex numbers but for the last two, which are swapped
 * where the orientation asks for it.
 */
typedef struct gt_tetrahedron {
    vec3 p[4];
} gt_tetrahedron;

/**
 * The planes of the faces, number i opposite to corner i: inward normals, not normalised, and a
 * corner in each plane: number 1 in the first, number 0 in the other three.
 */
typedef struct gt_planes {
    double x[4], y[4], z[4];
    double corner_x[2], corner_y[2], corner_z[2]; /* of corners 1 and 0 */
} gt_planes;

double gt_tetrahedron_volume(const gt_tetrahedron *t);

static inline geo_box gt_tetrahedron_box(const gt_tetrahedron *t)
{
    return (geo_box){vec3_min(vec3_min(t->p[0], t->p[1]), vec3_min(t->p[2], t->p[3])),
                     vec3_max(vec3_max(t->p[0], t->p[1]), vec3_max(t->p[2], t->p[3]))};
}

gt_planes gt_tetrahedron_planes(const gt_tetrahedron *t);

/**
 * side[i] = dot(normal i, p - corner of plane i): positive inside. Returns the mask of the
 * positive ones, bit i for plane i.
 *
 * With the order of corners of gt_tetrahedron the two tetrahedra at a face compute exactly
 * opposite values, so that what one loses by rounding the other gains.
 */
static inline unsigned gt_planes_side(const gt_planes *n, vec3 p, double side[4])
{
    const f64x2 x = f64x2_sub(f64x2_set(p.x), f64x2_load(n->corner_x));
    const f64x2 y = f64x2_sub(f64x2_set(p.y), f64x2_load(n->corner_y));
    const f64x2 z = f64x2_sub(f64x2_set(p.z), f64x2_load(n->corner_z));
    f64x2 first = f64x2_mul(f64x2_load(n->x), x);
    first = f64x2_add(first, f64x2_mul(f64x2_load(n->y), y));
    first = f64x2_add(first, f64x2_mul(f64x2_load(n->z), z));
    f64x2 last = f64x2_mul(f64x2_load(n->x + 2), f64x2_set(p.x - n->corner_x[1]));
    last = f64x2_add(last, f64x2_mul(f64x2_load(n->y + 2), f64x2_set(p.y - n->corner_y[1])));
    last = f64x2_add(last, f64x2_mul(f64x2_load(n->z + 2), f64x2_set(p.z - n->corner_z[1])));
    f64x2_store(side, first);
    f64x2_store(side + 2, last);
    return m64x2_bits(f64x2_lt(f64x2_set(0), first)) | m64x2_bits(f64x2_lt(f64x2_set(0), last))
                                                           << 2;
}

/** A corner of a tetrahedron by its sides against four planes. */
typedef struct gt_sides {
    double side[4];
} gt_sides;

/**
 * Part, from 0 to 1, of a tetrahedron that lies on the positive side of those planes whose bit is
 * set in `planes`.
 *
 * Cut by one plane after the other; what remains of a cut is split into at most three tetrahedra,
 * whose volumes are products of edge ratios in (0, 1): nothing cancels, so the relative error is
 * that of the sides. A corner in a plane counts as outside.
 * Cost     no allocation; at most 40 cuts, 3 to 6 as a rule.
 */
double gt_tetrahedron_part(const gt_sides corners[4], unsigned planes);

#endif
