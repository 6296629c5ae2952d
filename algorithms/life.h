/**
 * The life of a contestant: code that prepare, bind and query of all families have in common.
 * archive.h has that of save and load.
 */
#ifndef ALGORITHMS_LIFE_H
#define ALGORITHMS_LIFE_H

#include "algorithms/algorithms.h"
#include "base/arena.h"
#include "base/error.h"
#include "geometry/surface.h"

/* --- Messages --------------------------------------------------------------------------------- */

/** Fills message (which may be NULL) and returns status, so that a function fails in one line. */
alg_status alg_fail(alg_message *message, alg_status status, const char *format, ...)
    BASE_PRINTF(3, 4);

/** The same for an error of geometry/: out of memory keeps its kind, all else is ALG_FAILED. */
alg_status alg_fail_geo(alg_message *message, const base_error *err);

/* --- Bodies and states that own their memory -------------------------------------------------- */

/**
 * Makes a prepared body or a bound state: `size` zeroed bytes, at the beginning of which is a
 * base_arena. They lie in that arena, and so does all that is allocated from it later.
 *
 * Errors   ALG_OUT_OF_MEMORY; *object is NULL then.
 */
alg_status alg_create(size_t size, void **object, alg_message *message);

/** alg_algorithm.dispose and alg_algorithm.release of such an object. NULL is none. */
void alg_destroy(void *object);

/** How prepare, bind and load fail: destroys *object, which becomes NULL, and returns status. */
alg_status alg_abandon(void **object, alg_status status);

/* --- Surfaces --------------------------------------------------------------------------------- */

/** The mesh of a body, borrowed: valid as long as that of the contract, until dispose. */
geo_mesh alg_mesh_view(const alg_mesh *mesh);

/* --- Time ------------------------------------------------------------------------------------- */

/** Nanoseconds of a clock that never goes back. */
uint64_t alg_clock_ns(void);

/** Of a build: adds the time since *last_ns to a stage, and begins the next one. */
void alg_end_stage(uint64_t *last_ns, double *stage_ns);

/** The stages of one query, in the order of alg_algorithm.stages. */
typedef struct alg_stages {
    bool asked;
    size_t ended;
    uint64_t begin_ns;
} alg_stages;

/** Begins a query. asked: as alg_request.stages was; without it no clock is ever read. */
alg_stages alg_stages_begin(bool asked);

/** The next stage has ended: tells the answer when. */
void alg_stages_end(alg_stages *stages, alg_answer *answer);

#endif
