/** A body of the local penetration depth: a hierarchy of its triangles, their neighbours, and what
 * is inside. */
#ifndef ALGORITHMS_LPD_BODY_H
#define ALGORITHMS_LPD_BODY_H

#include "algorithms/life.h"
#include "geometry/adjacency.h"
#include "geometry/tree.h"

typedef struct alg_lpd_body {
    base_arena arena;
    geo_tree tree;           /* its own frame */
    geo_adjacency adjacency; /* of the faces, by number */
    alg_shell shell;         /* of a solid alone; of another mesh all is zero */
    geo_box box;             /* of the vertices, in its own frame */
    vec3 centroid;           /* of the solid; of another mesh the centre of its box */
    double mean_edge_m;      /* over the three edges of all triangles */
} alg_lpd_body;

/** Any mesh will do: closed, open or a mere soup. Errors: ALG_OUT_OF_MEMORY. */
alg_status alg_lpd_body_prepare(const alg_mesh *mesh, void **prepared, alg_build_info *info,
                                alg_message *message);

/** Two bodies; B is moved by the pose into A's frame, in which all that follows is. */
typedef struct alg_lpd_pair {
    const alg_lpd_body *a, *b;
} alg_lpd_pair;

#endif
