/** Small random polyhedra and poses for the oracle. */
#ifndef GROUNDTRUTH_TESTS_ORACLE_BODIES_H
#define GROUNDTRUTH_TESTS_ORACLE_BODIES_H

#include "geometry/mesh_check.h"
#include "geometry/pose.h"
#include "groundtruth/body/body.h"

/** A body with pointers into itself: it must not be copied. */
typedef struct oracle_body {
    char name[64]; /* "plate 1e-9, 3e+05 sizes off" */
    geo_mesh mesh;
    geo_mesh_report report;
    gt_body *body;
    bool convex;
    bool far; /* true if it is far from its own origin */
} oracle_body;

/**
 * Draws a solid of about the size `scale`: a box, a tetrahedron, a wedge, an octahedron, an L, a
 * shell, a plate down to 1e-9 thick, or several components: two apart, two welded at a vertex, an
 * island in a cavity. Three in ten are 10 to 1e8 sizes from their origin. If the rounding there
 * leaves no solid, the body is drawn again. Aborts if memory is short. Memory: oracle_body_release.
 */
void oracle_body_draw(base_random *random, double scale, oracle_body *body);
void oracle_body_release(oracle_body *body);

/**
 * Draws a pose: in general position; with a vertex, edge or face of B in one of A; the same an ulp
 * apart; or rotated by 1e-16 to 1e-9 from there. Quaternions are not of unit length.
 */
geo_pose oracle_pose_draw(base_random *random, const oracle_body *a, const oracle_body *b);

#endif
