/** Bodies of the local penetration depth, and the segments in which the triangles of two bodies
 * cross: the input of the method. */
#ifndef ALGORITHMS_LPD_SEGMENTS_H
#define ALGORITHMS_LPD_SEGMENTS_H

#include "algorithms/life.h"
#include "geometry/surface.h"
#include "geometry/tree.h"

/** A body: a hierarchy of its triangles, their adjacency, and a shell for tests of containment. */
typedef struct alg_lpd_body {
    base_arena arena;
    geo_tree tree;           /* in the body's frame */
    geo_adjacency adjacency; /* indexed by face number */
    geo_shell shell;         /* zero unless the mesh is a solid */
    geo_box box;             /* of the vertices, in the body's frame */
    vec3 centroid;           /* of the solid; for another mesh the centre of its box */
    double mean_edge_m;      /* mean over the three edges of all triangles */
} alg_lpd_body;

/** Prepares any mesh: closed, open or a triangle soup. Errors: ALG_OUT_OF_MEMORY. */
alg_status alg_lpd_body_prepare(const alg_mesh *mesh, void **prepared, alg_build_info *info,
                                alg_message *message);

/** Two bodies. The pose moves B into A's frame. All results are in A's frame. */
typedef struct alg_lpd_pair {
    const alg_lpd_body *a, *b;
} alg_lpd_pair;

/* --- Segments --------------------------------------------------------------------------------- */

/**
 * A segment. It runs in the direction of the cross product of the normals of A's face and B's face;
 * both normals point outwards.
 */
typedef struct alg_lpd_segment {
    vec3 end[2];
    uint32_t face_a, face_b; /* face numbers in the meshes */
    /**
     * Its weight in a vector area: 1, halved for each of the two faces that has an edge in the
     * plane of the other face. Such an edge belongs to two faces of its body. If these lie on
     * different sides of the plane, they have the same segment, and the halves add up to 1. If they
     * lie on the same side, the bodies only touch there: the two segments run in opposite
     * directions and cancel. If one of them lies in the plane, only the other one has a segment.
     * Then the result is half of an area: the mean of the areas just before and just after the
     * touch.
     */
    double share;
} alg_lpd_segment;

typedef struct alg_lpd_segments {
    alg_lpd_segment *items; /* arena */
    uint32_t count, capacity;
    uint64_t pair_count; /* pairs of triangles that share a point, including those of the next
                            two counts */
    uint64_t point_count,
        area_count;      /* pairs that share only a point, or that are coplanar: no segments */
    uint64_t left_count; /* segments for which there was no room */
    uint64_t tests;
} alg_lpd_segments;

/** Allocates room for capacity segments. Errors: BASE_ERR_MEMORY. Memory: arena. */
base_status alg_lpd_segments_create(uint32_t capacity, base_arena *arena,
                                    alg_lpd_segments *segments, base_error *err) BASE_MUST_CHECK;

/**
 * Finds all segments in which a triangle of A and a triangle of B intersect, in a deterministic
 * order. Coplanar triangles, and triangles that share only a point, give no segment.
 *
 * Source   LPD 2: "each segment corresponds to a non-degenerate intersection between two
 *          non-coplanar triangles".
 * Memory   no allocation.
 * Cost     that of geo_tree_intersections.
 */
void alg_lpd_segments_find(const alg_lpd_pair *pair, const geo_pose *pose,
                           alg_lpd_segments *segments);

/* --- Noise ------------------------------------------------------------------------------------ */

/**
 * Noise that simulates a less robust intersection test: some segments are missing, and ends do not
 * coincide.
 */
typedef struct alg_lpd_noise {
    double drop;   /* share of segments that are left out, from 0 to 1 */
    double move_m; /* each coordinate of an end is moved by at most this, uniformly distributed */
    uint64_t seed;
} alg_lpd_noise;

/**
 * Leaves out segments and moves the ends of the others, each independently. The same list and seed
 * give the same result. With drop and move_m of 0 nothing changes.
 *
 * Source   LPD 2: "two adjacent intersection segments on an intersection curve might not have a
 *          common endpoint", and "some missing intersection segments".
 */
void alg_lpd_noise_add(const alg_lpd_noise *noise, alg_lpd_segments *segments);

#endif
