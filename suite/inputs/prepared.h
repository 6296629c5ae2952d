/**
 * A variant's own form of a body, and what it cost.
 */
#ifndef SUITE_PREPARED_H
#define SUITE_PREPARED_H

#include "algorithms/algorithms.h"

/** Times are of the clock in use (timing.h). */
typedef struct bench_built {
    alg_build_info info;
    uint64_t build_ns; /* of prepare */
    uint64_t load_ns;  /* of load, UINT64_MAX: it was not loaded */
} bench_built;

/**
 * Prepares a body in a role. On failure *prepared is NULL and message says why, as of prepare.
 * *built: facts that the algorithm leaves out are NaN.
 */
alg_status bench_prepare(const alg_variant *variant, const alg_mesh *mesh, alg_role role,
                         void **prepared, bench_built *built, alg_message *message);

#endif
