/** One tetrahedron against another: sides of planes, and the part that half-spaces leave. */
#ifndef GROUNDTRUTH_TETRAHEDRON_H
#define GROUNDTRUTH_TETRAHEDRON_H

#include "base/simd.h"
#include "geometry/vec.h"

/**
 * Four corners; positively oriented: dot(cross(p1 - p0, p2 - p0), p3 - p0) > 0. Tetrahedra of one
 * body list their corners in the order of vertex numbers but for the last two, which are swapped
 * where the orientation asks for it.
 */
typedef struct gt_tetrahedron {
    vec3 p[4];
} gt_tetrahedron;

/** The planes of the faces, number i opposite to corner i: inward normals, not normalised. */
typedef struct gt_planes {
    double x[4], y[4], z[4];
} gt_planes;

double gt_tetrahedron_volume(const gt_tetrahedron *t);

static inline geo_box gt_tetrahedron_box(const gt_tetrahedron *t)
{
    return (geo_box){vec3_min(vec3_min(t->p[0], t->p[1]), vec3_min(t->p[2], t->p[3])),
                     vec3_max(vec3_max(t->p[0], t->p[1]), vec3_max(t->p[2], t->p[3]))};
}

gt_planes gt_tetrahedron_planes(const gt_tetrahedron *t);

/** A corner of a tetrahedron by its sides against four planes. */
typedef struct gt_sides {
    double side[4];
} gt_sides;

/**
 * Sides of the corners of `of` against the planes of the faces of `at`: side[i] of a corner is
 * dot(normal i, corner - p), p being corner 1 of `at` for plane 0 and corner 0 for the others;
 * positive inside. inside[c] gets the mask of the positive ones of corner c, bit i for plane i.
 *
 * With the order of corners of gt_tetrahedron the two tetrahedra at a face compute exactly
 * opposite values, so that what one loses by rounding the other gains.
 */
void gt_tetrahedron_sides(const gt_tetrahedron *at, const gt_planes *planes,
                          const gt_tetrahedron *of, gt_sides corners[4], unsigned inside[4]);

/**
 * Part, from 0 to 1, of a tetrahedron that lies on the positive side of four planes, from the
 * sides of its corners and the masks of the positive ones.
 *
 * Cut by one plane after the other; what remains of a cut is split into at most three tetrahedra,
 * whose volumes are products of edge ratios in (0, 1): nothing cancels, so the relative error is
 * that of the sides. A corner in a plane counts as outside.
 * Cost     no allocation; at most 40 cuts, 3 to 6 as a rule.
 */
double gt_tetrahedron_part(const gt_sides corners[4], const unsigned inside[4]);

#endif
