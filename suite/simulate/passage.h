/**
 * Finds out if one of two bodies went through the other one: by the paths of points, and not by
 * depths, so that the answer does not depend on how the surfaces are divided into triangles.
 *
 * Points    512 points of each body's surface, evenly spread over its area, always the same ones;
 *           and the centroid of each body that has it inside.
 * Paths     From step to step a point moves on a straight line, in the frame of the other body.
 *           Crossings of the other body's faces are exact; points on faces, edges and corners are
 *           treated as if they were moved by the infinitely small (e, e^2, e^3).
 * Passing   A point has passed through a solid if its path enters it at a face with normal n1 and
 *           leaves it at a face with normal n2, n1 . n2 < 0; both may be in one step. So a point
 *           that goes back has not passed, nor one that clips an edge between faces that are at
 *           right angles. A surface that is no solid has no inside: a point that crosses it has
 *           passed, until it crosses it back.
 * Through   A body went through the other one if its centroid has passed, or at any step more than
 *           half of the points of its surface.
 */
#ifndef SUITE_PASSAGE_H
#define SUITE_PASSAGE_H

#include "suite/inputs/pair.h"

typedef struct bench_passage bench_passage;

typedef struct bench_passed {
    bool through;
    double
        share; /* of a body's surface points that had passed: the largest, of any step and body */
} bench_passed;

/** The pair is borrowed; B is a solid. Errors: BASE_ERR_MEMORY, *passage is NULL then. */
base_status bench_passage_create(const bench_pair *pair, bench_passage **passage,
                                 base_error *err) BASE_MUST_CHECK;
void bench_passage_destroy(bench_passage *passage);

/**
 * poses   of bench_pair_pose, in order of time
 * Cost    On all threads: about 0.05 ms a step for bodies that touch, of any number of triangles.
 *         The result does not depend on the number of threads.
 * Errors  BASE_ERR_MEMORY.
 */
base_status bench_passage_find(const bench_passage *passage, const geo_pose *poses, size_t count,
                               bench_passed *passed, base_error *err) BASE_MUST_CHECK;

#endif
