/** Code that the algorithm families share in their functions prepare, bind and query. archive.h has
 * the shared code of save and load. */
#ifndef ALGORITHMS_LIFE_H
#define ALGORITHMS_LIFE_H

#include "algorithms/algorithms.h"
#include "base/error.h"
#include "base/memory.h"
#include "geometry/surface.h"

/* --- Messages --------------------------------------------------------------------------------- */

/** Fills the message and returns the status, so that a caller can fail in one statement. message
 * may be NULL. */
alg_status alg_fail(alg_message *message, alg_status status, const char *format, ...)
    BASE_PRINTF(3, 4);

/** Like alg_fail, for a base_error: BASE_ERR_MEMORY becomes ALG_OUT_OF_MEMORY, all other errors
 * become ALG_FAILED. */
alg_status alg_fail_geo(alg_message *message, const base_error *err);

/* --- Bodies and states that own their memory -------------------------------------------------- */

/**
 * Makes a prepared body or a bound state: `size` zeroed bytes. Its first member is a base_arena,
 * which contains the object itself. Later allocations from this arena have the same lifetime.
 *
 * Errors   ALG_OUT_OF_MEMORY; *object is NULL then.
 */
alg_status alg_create(size_t size, void **object, alg_message *message);

/** Implements alg_algorithm.dispose and release for an object of alg_create. NULL is allowed. */
void alg_destroy(void *object);

/** Destroys *object, sets it to NULL and returns status. On failure, prepare, bind and load return
 * the result of this function. */
alg_status alg_abandon(void **object, alg_status status);

/* --- Surfaces --------------------------------------------------------------------------------- */

/** Returns the mesh of a body as geo_mesh. It borrows the arrays of the alg_mesh, which stay valid
 * until dispose. */
geo_mesh alg_mesh_view(const alg_mesh *mesh);

/* --- Pictures --------------------------------------------------------------------------------- */

/** True if the caller of alg_algorithm.draw wants parts of a kind: a member of alg_sink. */
#define ALG_SINK_TAKES(sink, member)                                                               \
    ((sink)->size >= offsetof(alg_sink, member) + sizeof(sink)->member && (sink)->member)

/* --- Time ------------------------------------------------------------------------------------- */

/** Returns the nanoseconds of a monotonic clock. */
uint64_t alg_clock_ns(void);

/** Ends a stage of a build: adds the time since *last_ns to *stage_ns, and sets *last_ns to now. */
void alg_end_stage(uint64_t *last_ns, double *stage_ns);

/** The stages of one query, in the order of alg_algorithm.stages. */
typedef struct alg_stages {
    bool asked;   /* true if the answer shall contain the ends of stages */
    size_t ended; /* number of stages that have ended */
    uint64_t begin_ns;
} alg_stages;

/** Begins a query. asked: alg_request.stages; if it is false, no clock is read. */
alg_stages alg_stages_begin(bool asked);

/** Ends the current stage: writes the time since the start of the query into the answer. */
void alg_stages_end(alg_stages *stages, alg_answer *answer);

#endif
