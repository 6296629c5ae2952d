/**
 * Prepares a variant's own form of a body, which is built or loaded from a cache; and prepares the
 * answer that a query fills.
 *
 * A body is kept in CACHE/bodies, beside truth and trajectories. The file is named by the hash of
 * all inputs, including the code, so it is never out of date. Its content is protected by a hash. A
 * launch after the first, a resumed run and a replay load existing files. So does a variant whose
 * body was built by another variant with the same alg_algorithm.body_settings. The least recently
 * used files are removed to make room for new bodies. Removing the folder costs only time.
 */
#ifndef SUITE_PREPARED_H
#define SUITE_PREPARED_H

#include "algorithms/algorithms.h"
#include "algorithms/registry.h"

/** Times are of the clock in use (clock.h). */
typedef struct bench_built {
    alg_build_info info;
    uint64_t build_ns; /* time of prepare; of a loaded body: of the prepare that made it */
    uint64_t load_ns;  /* of load, with reading and checking the file; UINT64_MAX: not loaded */
    uint64_t anew;     /* 1: built just now; 0: built earlier */
    /**
     * Comparison of its surface voxels with the exact ones (run/worker.h). UINT64_MAX if it does
     * not provide voxels, or if they were not compared.
     */
    uint64_t missing_voxels, excess_voxels;
} bench_built;

/** Larger bodies are not kept: a worker must not write files of more than 1 GiB. */
#define BENCH_BODY_BYTES_MAX ((size_t)512 << 20)

/** The largest total size of all kept bodies. */
#define BENCH_BODIES_BYTES_MAX ((uint64_t)4 << 30)

/**
 * Removes files *.body of the directory, least recently used first, until the remaining files take
 * at most bytes_most. Also removes incomplete files of killed processes after an hour. Several
 * processes may call it at once.
 */
void bench_bodies_prune(const char *directory, uint64_t bytes_most);

/**
 * Prepares a body in a role. On failure *prepared is NULL and message gives the reason, as in
 * prepare.
 *
 * cache_directory  NULL or "": always built. Otherwise, if the algorithm has `save` and `load`, the
 *                  body is loaded from there; or it is built, kept, and loaded in place of the one
 *                  that was built, so that all launches use bodies with the same layout in memory.
 *                  A damaged file, or a folder that cannot be written, gives a warning.
 * built            facts that the algorithm leaves out are NaN.
 */
alg_status bench_prepare(const alg_variant *variant, const alg_mesh *mesh, alg_role role,
                         const char *cache_directory, void **prepared, bench_built *built,
                         alg_message *message);

/**
 * Prepares an answer for a query: sets its size, NaN in the witness points, and zeros elsewhere.
 * NaN reveals a query that claims witness points but does not set them.
 */
void bench_answer_clear(alg_answer *answer);

/** Sets unclaimed witness points that the query has not changed to zero. */
void bench_answer_settle(alg_answer *answer);

#endif
