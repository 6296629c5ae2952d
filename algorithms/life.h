/** Code that the functions prepare, bind and query of all algorithm families share. archive.h has
 * the shared code of save and load. */
#ifndef ALGORITHMS_LIFE_H
#define ALGORITHMS_LIFE_H

#include "algorithms/algorithms.h"
#include "base/error.h"
#include "base/memory.h"
#include "geometry/surface.h"

/* --- Messages --------------------------------------------------------------------------------- */

/** Fills message (which may be NULL) and returns status, so that a caller can fail in one
 * statement. */
alg_status alg_fail(alg_message *message, alg_status status, const char *format, ...)
    BASE_PRINTF(3, 4);

/** The same for an error of geometry/: out of memory stays ALG_OUT_OF_MEMORY, all others become
 * ALG_FAILED. */
alg_status alg_fail_geo(alg_message *message, const base_error *err);

/* --- Bodies and states that own their memory -------------------------------------------------- */

/**
 * Makes a prepared body or a bound state: `size` zeroed bytes that begin with a base_arena. The
 * bytes lie in that arena, as do all later allocations from it.
 *
 * Errors   ALG_OUT_OF_MEMORY; *object is NULL then.
 */
alg_status alg_create(size_t size, void **object, alg_message *message);

/** Implements alg_algorithm.dispose and release for an object of alg_create. NULL is allowed. */
void alg_destroy(void *object);

/** Destroys *object, sets it to NULL and returns status. prepare, bind and load end with it on
 * failure. */
alg_status alg_abandon(void **object, alg_status status);

/* --- Surfaces --------------------------------------------------------------------------------- */

/** Returns the mesh of a body as geo_mesh. Borrowed: valid as long as the alg_mesh, until
 * dispose. */
geo_mesh alg_mesh_view(const alg_mesh *mesh);

/* --- Time ------------------------------------------------------------------------------------- */

/** Returns the nanoseconds of a monotonic clock. */
uint64_t alg_clock_ns(void);

/** Adds the time since *last_ns to a stage of a build and begins the next stage. */
void alg_end_stage(uint64_t *last_ns, double *stage_ns);

/** The stages of one query, in the order of alg_algorithm.stages. */
typedef struct alg_stages {
    bool asked;
    size_t ended;
    uint64_t begin_ns;
} alg_stages;

/** Begins a query. asked: alg_request.stages; if false, no clock is read. */
alg_stages alg_stages_begin(bool asked);

/** Ends the current stage and writes its time into the answer. */
void alg_stages_end(alg_stages *stages, alg_answer *answer);

#endif
