/**
 * Detects whether one of two bodies passed through the other. It follows the paths of points and
 * does not use depths, so the answer does not depend on the triangulation of the surfaces.
 *
 * Points    512 points of each body's surface, evenly spread over its area, always the same ones;
 *           and the centroid of each body that contains its centroid.
 * Paths     From step to step a point moves on a straight line, in the frame of the other body.
 *           Crossings of the other body's faces are exact; points on faces, edges and vertices are
 *           treated as if they were moved by the infinitely small (e, e^2, e^3).
 * Passing   A point has passed through a solid if its path enters it at a face with normal n1 and
 *           leaves it at a face with normal n2, n1 . n2 < 0; both may happen in one step. So a
 *           point that goes back has not passed, nor has a point that cuts off an edge between
 *           faces that are at right angles. A surface that is not a solid has no inside: a point
 *           that crosses it has passed, until it crosses it back.
 * Through   A body passed through the other one if its centroid has passed, or if at any step more
 *           than half of the points of its surface have passed.
 */
#ifndef SUITE_PASSAGE_H
#define SUITE_PASSAGE_H

#include "suite/inputs/pair.h"

typedef struct bench_passage bench_passage;

typedef struct bench_passed {
    bool through;
    double share; /* largest share of a body's surface points that had passed at any step */
} bench_passed;

/**
 * Prepares a pair (borrowed); B must be a solid. Errors: BASE_ERR_MEMORY; then *passage is NULL.
 */
base_status bench_passage_create(const bench_pair *pair, bench_passage **passage,
                                 base_error *err) BASE_MUST_CHECK;
void bench_passage_destroy(bench_passage *passage);

/**
 * Follows all points through the poses.
 *
 * poses   of bench_pair_pose, in order of time
 * Cost    On all threads: about 0.05 ms a step for bodies that touch, of any number of triangles.
 *         The result does not depend on the number of threads.
 * Errors  BASE_ERR_MEMORY.
 */
base_status bench_passage_find(const bench_passage *passage, const geo_pose *poses, size_t count,
                               bench_passed *passed, base_error *err) BASE_MUST_CHECK;

#endif
