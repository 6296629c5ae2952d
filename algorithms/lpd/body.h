/** A body of the local penetration depth: a hierarchy of its triangles, their adjacency, and a
 * shell for tests of containment. */
#ifndef ALGORITHMS_LPD_BODY_H
#define ALGORITHMS_LPD_BODY_H

#include "algorithms/life.h"
#include "geometry/surface.h"
#include "geometry/tree.h"

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

#endif
