/**
 * Exact tests of closed triangles against closed boxes. They test one triangle, or all triangles of
 * a mesh by a hierarchy.
 */
#ifndef ALGORITHMS_VOXEL_BOXES_H
#define ALGORITHMS_VOXEL_BOXES_H

#include "base/memory.h"
#include "base/error.h"
#include "geometry/vec.h"
#include "geometry/bvh.h"
#include "geometry/mesh.h"

#include <stdint.h>

/** Returns true if the inner box lies in the closed outer box. */
static inline bool alg_box_within(geo_box inner, geo_box outer)
{
    return outer.lo.x <= inner.lo.x && outer.lo.y <= inner.lo.y && outer.lo.z <= inner.lo.z &&
           outer.hi.x >= inner.hi.x && outer.hi.y >= inner.hi.y && outer.hi.z >= inner.hi.z;
}

/* --- One triangle ----------------------------------------------------------------------------- */

/*
 * The tests use separating axes: the three coordinate axes, the normal of the triangle, and the
 * nine axes that are perpendicular to an edge of the triangle and to an edge of the box. Triangle
 * and box are apart if one axis separates them strictly. The nine axes are represented by half
 * planes that contain the triangle's shadow, which is its projection onto a coordinate plane.
 * Degenerate triangles are treated as the segments or points that they are.
 *
 * An axis is evaluated in double with an error bound. If the result is within the bound, an exact
 * predicate of geometry/predicates.h decides. The range of coordinates of these predicates applies
 * here, too.
 *
 * Source   VPS 3.2, which states the condition the other way round: two bodies are apart if no axis
 *          separates them; half planes of shadows: SchwarzSeidel2010. Own implementation.
 */

/**
 * The half plane of the points q of a coordinate plane with u (q_u - from_u) + v (q_v - from_v) >=
 * 0. It contains the shadow of the triangle. u and v are rounded differences of two corners. If u =
 * v = 0, no point is outside.
 */
typedef struct alg_half_plane {
    double u, v, from_u, from_v;
    double bound; /* bound on the error of the left side, at corners of boxes that meet the
                     triangle's box */
    uint8_t at_u,
        at_v; /* the corner of a box that is farthest inside, as indices into lo x, y, z, hi x,
                 y, z */
    uint8_t from, to; /* corners of the triangle; the border is the line from one to the other */
} alg_half_plane;

/** A triangle that is prepared for tests with many boxes. */
typedef struct alg_triangle_box {
    geo_triangle triangle;
    geo_box box;
    /**
     * component: (p1 - p0) x (p2 - p0). sign: exact sign of each component, which is the
     * orientation of the shadow across that axis. size: sum of the absolute values of the two
     * products whose difference is the component, or 0 if the component is 0.
     */
    double component[3];
    int sign[3];
    double size[3];
    double normal[3]; /* equal to component; 0 for planes perpendicular to an axis, which the
                         coordinates already test */
    double bound;     /* bound on the error of distances from the plane, times the length of the
                         normal */
    uint8_t upper[3]; /* the corner of a box that is farthest along the normal */
    uint8_t lower[3]; /* the corner that is least far along the normal */
    alg_half_plane edges[3][3]; /* [w]: in the plane of axes w + 1 and w + 2, modulo 3 */
} alg_triangle_box;

/**
 * Prepares a triangle for boxes whose edges, computed as differences of doubles, are at most `size`
 * long.
 * Cost     about 100 ns.
 */
void alg_triangle_box_prepare(geo_triangle t, double size, alg_triangle_box *p);

/**
 * Returns true if a triangle and a box that meets the triangle's box share a point. box: lo x, y,
 * z, hi x, y, z. Cost: 2 to 20 ns; about 1 us for each axis that doubles leave undecided.
 */
bool alg_triangle_box_crosses(const alg_triangle_box *p, const double box[6]);

/**
 * Returns true if a triangle shares a point with a box. The triangle need not be prepared, and the
 * box may be anywhere. Returns false for an empty box. Cost: 5 to 120 ns.
 */
bool alg_triangle_box_once(geo_triangle t, geo_box box);

/* --- The triangles of a mesh ------------------------------------------------------------------ */

/**
 * A hierarchy over the triangles of a mesh, which finds the triangles that meet a box. It works
 * like a general collision library: it is asked for one voxel after the other, and has no
 * information about the grid.
 *
 * Source   VPS 2, "Data-structure generation at DLR", where the hierarchy is SOLID's.
 */
typedef struct alg_box_query {
    geo_bvh bvh;
    geo_triangle *triangles; /* arena; triangles[i] = corners of face bvh.order[i] */
    bool avx2;               /* true if the CPU has AVX2 */
} alg_box_query;

/**
 * Builds the hierarchy.
 *
 * Shapes   the mesh has at least one face.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: about 100 bytes per triangle; scratch outside of it.
 * Cost     1.3 us per triangle.
 */
base_status alg_box_query_build(const geo_mesh *mesh, base_arena *arena, alg_box_query *query,
                                base_error *err) BASE_MUST_CHECK;

/** Called for a face that meets the box. Returns false to stop. */
typedef bool alg_box_query_visitor(void *context, uint32_t face);

/**
 * Visits exactly the faces that share a point with the closed box, in a fixed order. An empty box
 * meets no face. If `visit` is NULL, the search stops at the first face. The query is not modified,
 * so any number of threads may use it.
 *
 * Returns  true if a face was visited.
 * Cost     mean over all voxels around 60,000 faces: 0.06 us at a resolution of 192, and 0.3 us at
 *          a resolution of 64, where a larger share of the voxels is near the surface.
 */
bool alg_box_query_run(const alg_box_query *query, geo_box box, alg_box_query_visitor *visit,
                       void *context);

/* --- Shared by boxes.c and boxes_isa.c -------------------------------------------------------- */

bool alg_box_query_descend_sse2(const alg_box_query *query, geo_box box,
                                alg_box_query_visitor *visit, void *context);
bool alg_box_query_descend_avx2(const alg_box_query *query, geo_box box,
                                alg_box_query_visitor *visit, void *context);

#endif
