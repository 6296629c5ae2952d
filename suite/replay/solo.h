/** Asks one variant in this process, so that a debugger can be used. For `query` and `replay`. */
#ifndef SUITE_SOLO_H
#define SUITE_SOLO_H

#include "algorithms/registry.h"
#include "suite/inputs/own_body.h"
#include "suite/inputs/pair.h"
#include "suite/results/judge.h"

/**
 * A variant that is bound to a pair, without a worker, without limits and without other
 * contestants.
 */
typedef struct bench_solo {
    const alg_variant *variant; /* borrowed */
    bench_own_body bodies[2];   /* by role */
    void *prepared[2];          /* by role */
    void *state;
    bench_buffers buffers; /* for the lists that the request has room for */
} bench_solo;

/**
 * Prepares both bodies, or loads them from cache_directory (NULL: no cache), binds them and resets
 * the state, as at the start of a pass.
 *
 * request  the quantities that will be asked; with room for lists, bench_solo_ask_details returns
 *          them.
 * Errors   BASE_ERR_INPUT for a body that the variant cannot take, BASE_ERR_ARGUMENT for quantities
 *          that it does not answer and for too much room, BASE_ERR_MEMORY, BASE_ERR_SYSTEM. Then
 *          *solo needs no close.
 */
base_status bench_solo_open(const alg_variant *variant, const bench_pair *pair,
                            const alg_request *request, const char *cache_directory,
                            bench_solo *solo, base_error *err) BASE_MUST_CHECK;
void bench_solo_close(bench_solo *solo);

/** Asks a pose as a run does when it measures time: without buffers. */
void bench_solo_ask(const bench_solo *solo, const geo_pose *pose, alg_answer *answer);

/**
 * Asks a pose as the pass for details of a run does, with buffers. The lists are in solo->buffers
 * until the next query.
 * Returns true if the details are consistent in themselves; otherwise `fault` describes the error.
 */
bool bench_solo_ask_details(const bench_solo *solo, const geo_pose *pose, alg_answer *answer,
                            char fault[BENCH_FAULT_BYTES]);

const char *bench_outcome_name(alg_outcome outcome);

#endif
