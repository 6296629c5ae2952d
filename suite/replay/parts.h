/** The parts that a prepared body consists of, for pictures: spheres, nodes, points, voxels. */
#ifndef SUITE_PARTS_H
#define SUITE_PARTS_H

#include "algorithms/algorithms.h"
#include "base/error.h"
#include "geometry/vec.h"

enum { BENCH_PARTS_LEVELS = 64 }; /* nodes of deeper levels are left out */

typedef struct bench_part_ball {
    geo_ball ball;
    uint32_t level; /* of a node */
    /* Index of the node on the chosen level that contains the sphere, and on the level above;
     * counted from 1 in the order of drawing; 0: none. */
    uint32_t group, branch;
} bench_part_ball;

typedef struct bench_part_point {
    vec3 point;
    uint32_t level; /* the smallest level of a node that the point represents */
    uint32_t group; /* as that of a sphere */
} bench_part_point;

/** All positions are in the frame of the body. Owned: bench_parts_release. */
typedef struct bench_parts {
    bench_part_ball *spheres, *nodes; /* spheres: sorted by size, the largest first */
    bench_part_point *points;
    uint32_t *runs; /* x0, x1, y, z of each run of surface voxels: run_words / 4 runs */
    size_t sphere_count, sphere_capacity, node_count, node_capacity, point_count, point_capacity;
    size_t run_words, run_capacity;
    vec3 corner; /* of the grid */
    double edge;
    uint32_t padding, size[3];

    /* State of the collection. */
    unsigned level;
    uint32_t counted[BENCH_PARTS_LEVELS]; /* nodes of each level so far */
    uint32_t depth;                       /* level of the last node */
    uint32_t represents;                  /* level of the first node since the last point */
    base_status status;
    base_error *err;
} bench_parts;

/**
 * Collects what alg_algorithm.draw shows of a prepared body; no parts if it shows nothing.
 *
 * level   level of the nodes that groups and branches refer to; 0: no groups
 * Errors  BASE_ERR_MEMORY. The caller must call bench_parts_release either way.
 */
base_status bench_parts_collect(const alg_algorithm *algorithm, const void *prepared,
                                unsigned level, bench_parts *parts,
                                base_error *err) BASE_MUST_CHECK;
void bench_parts_release(bench_parts *parts);

/** Returns the point with these coordinates on the grid of voxels, counted in edges. */
vec3 bench_parts_corner(const bench_parts *parts, double x, double y, double z);

#endif
