/** The bodies that a variant gets: those of the pair, or simplified ones (alg_variant.simplify). */
#ifndef SUITE_OWN_BODY_H
#define SUITE_OWN_BODY_H

#include "algorithms/registry.h"
#include "geometry/mesh.h"

typedef struct bench_own_body {
    alg_mesh view;     /* for the algorithm; borrows the full body, or `mesh` */
    geo_mesh mesh;     /* simplified; zeroed for a variant that gets the full body */
    uint64_t build_ns; /* time for simplifying and checking; 0 for the full body */
} bench_own_body;

/**
 * Simplifies the body if the variant asks for it. The vertices of the result are some of those of
 * the full body, in the same frame. Its centroid is that of the full body, so that torques are
 * about the same point; its volume and `solid` are its own.
 *
 * Errors   ALG_UNSUPPORTED if the algorithm needs solids and the body that it gets is not one, or
 *          if the body cannot be simplified (geo_mesh_simplify); ALG_OUT_OF_MEMORY. *own then needs
 *          no close.
 */
alg_status bench_own_body_open(const alg_variant *variant, const alg_mesh *full, alg_role role,
                               bench_own_body *own, alg_message *message);
void bench_own_body_close(bench_own_body *own);

#endif
