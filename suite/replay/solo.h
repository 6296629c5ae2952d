/** One question to one variant in this process, where a debugger finds everything in place: for
 * `query` and `replay`. */
#ifndef SUITE_SOLO_H
#define SUITE_SOLO_H

#include "algorithms/registry.h"
#include "suite/inputs/pair.h"
#include "suite/results/details.h"

/** A variant that is bound to a pair: no worker, no limit, nobody beside it. */
typedef struct bench_solo {
    const alg_variant *variant; /* borrowed */
    void *prepared[2];          /* by role */
    void *state;
    bench_buffers buffers; /* for what the request has room for */
    size_t face_counts[2];
} bench_solo;

/**
 * Prepares both bodies, or loads them from cache_directory (NULL: never), binds them and resets the
 * state, as the start of a pass has it.
 *
 * request  what will be asked; with room for lists, bench_solo_ask_details hands them out.
 * Errors   BASE_ERR_INPUT for a body that the variant cannot take, BASE_ERR_ARGUMENT for quantities
 *          that it does not answer and for too much room, BASE_ERR_MEMORY, BASE_ERR_SYSTEM. *solo
 *          needs no close then.
 */
base_status bench_solo_open(const alg_variant *variant, const bench_pair *pair,
                            const alg_request *request, const char *cache_directory,
                            bench_solo *solo, base_error *err) BASE_MUST_CHECK;
void bench_solo_close(bench_solo *solo);

/** As a run asks where time is taken: without buffers. */
void bench_solo_ask(const bench_solo *solo, const geo_pose *pose, alg_answer *answer);

/**
 * As its pass for details does, with buffers: until the next question, solo->buffers has the lists.
 * Returns  whether the details are right by themselves; otherwise fault says what is wrong.
 */
bool bench_solo_ask_details(const bench_solo *solo, const geo_pose *pose, alg_answer *answer,
                            char fault[BENCH_FAULT_BYTES]);

const char *bench_outcome_name(alg_outcome outcome);

#endif
