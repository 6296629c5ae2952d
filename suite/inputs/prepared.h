/**
 * A variant's own form of a body: built, or loaded from where it is kept; and the answer that a
 * query is given to fill.
 *
 * A body is kept in CACHE/bodies, beside truth and trajectories, in a file that is named by the
 * hash of all that it was made from, the code among it: nothing there is ever out of date.
 * Everything in a file is under a hash. A launch after the first, a resumed run and a replay load
 * what is there, as does a variant whose body another one has built: one with the same
 * alg_algorithm.body_settings. What was not used for longest makes room for new bodies. Removing
 * the folder loses time and nothing else.
 */
#ifndef SUITE_PREPARED_H
#define SUITE_PREPARED_H

#include "algorithms/algorithms.h"
#include "algorithms/registry.h"

/** Times are of the clock in use (clock.h). */
typedef struct bench_built {
    alg_build_info info;
    uint64_t build_ns; /* of prepare; of a loaded body: of the prepare that it comes from */
    uint64_t load_ns;  /* of load, with reading and checking the file; UINT64_MAX: not loaded */
    uint64_t anew;     /* 1: it was built just now; 0: somebody has built it before */
    /** Of the surface voxels that it hands out, against the exact ones (run/voxels.h); UINT64_MAX:
     * it hands out none, or nobody has looked. */
    uint64_t missing_voxels, excess_voxels;
} bench_built;

/** Larger bodies are not kept: a worker must not write files of more than 1 GiB. */
#define BENCH_BODY_BYTES_MAX ((size_t)512 << 20)

/** What all that are kept may take. */
#define BENCH_BODIES_BYTES_MAX ((uint64_t)4 << 30)

/**
 * Removes files *.body of the directory, the longest unused first, until what is left takes
 * bytes_most at most; and what a killed process has left of one, after an hour. Several processes
 * may do so at once.
 */
void bench_bodies_prune(const char *directory, uint64_t bytes_most);

/**
 * Prepares a body in a role. On failure *prepared is NULL and message says why, as of prepare.
 *
 * cache_directory  NULL or "": always built. Otherwise, of an algorithm with `save` and `load`, the
 *                  body is loaded from there; or built, kept, and loaded in place of the one that
 *                  was built, so that all launches ask bodies of one layout in memory. A file that
 *                  is damaged, and a folder that cannot be written, is a warning.
 * built            facts that the algorithm leaves out are NaN.
 */
alg_status bench_prepare(const alg_variant *variant, const alg_mesh *mesh, alg_role role,
                         const char *cache_directory, void **prepared, bench_built *built,
                         alg_message *message);

/**
 * An answer as a query finds it: its size, and zeros; but NaN in the witness points, so that one
 * who claims them and fills nothing in is found out.
 */
void bench_answer_clear(alg_answer *answer);

/** After the query: witness points that it does not claim and has left as they were are zeros. */
void bench_answer_settle(alg_answer *answer);

#endif
