/** Small polyhedra and poses that the oracle draws. */
#ifndef GROUNDTRUTH_TESTS_ORACLE_BODIES_H
#define GROUNDTRUTH_TESTS_ORACLE_BODIES_H

#include "geometry/mesh_check.h"
#include "geometry/random.h"
#include "groundtruth/body/body.h"

/** Borrows from itself: it must not be copied. */
typedef struct oracle_body {
    char name[64]; /* "plate 1e-9, 3e+05 sizes off" */
    geo_mesh mesh;
    geo_mesh_report report;
    gt_body *body;
    bool convex;
    bool far; /* from its own origin */
} oracle_body;

/**
 * Draws a solid about as large as `scale`: a box, a tetrahedron, a wedge, an octahedron, an L, a
 * shell, a plate down to 1e-9 thick, or several components: two apart, two welded at a vertex, an
 * island in a cavity. Three in ten are 10 to 1e8 sizes off their origin. What rounding there leaves
 * no solid is drawn again. Aborts without memory. Memory: oracle_body_release.
 */
void oracle_body_draw(base_random *random, double scale, oracle_body *body);
void oracle_body_release(oracle_body *body);

/**
 * Draws a pose: in general position, a vertex, edge or face of B in one of A, the same an ulp
 * apart, or turned by 1e-16 to 1e-9 from there. Quaternions are not of unit length.
 */
geo_pose oracle_pose_draw(base_random *random, const oracle_body *a, const oracle_body *b);

#endif
