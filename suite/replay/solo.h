/** One question to one variant in this process, where a debugger finds everything in place: for
 * `query` and `replay`. */
#ifndef SUITE_SOLO_H
#define SUITE_SOLO_H

#include "algorithms/registry.h"
#include "suite/inputs/pair.h"

/** A variant that is bound to a pair: no worker, no limit, nobody beside it. */
typedef struct bench_solo {
    const alg_variant *variant; /* borrowed */
    void *prepared[2];          /* by role */
    void *state;
} bench_solo;

/**
 * Prepares both bodies, or loads them from cache_directory (NULL: never), binds them and resets the
 * state, as the start of a pass has it.
 *
 * Errors   BASE_ERR_INPUT for a body that the variant cannot take, BASE_ERR_ARGUMENT for quantities
 *          that it does not answer, BASE_ERR_MEMORY, BASE_ERR_SYSTEM. *solo needs no close then.
 */
base_status bench_solo_open(const alg_variant *variant, const bench_pair *pair, unsigned quantities,
                            const char *cache_directory, bench_solo *solo,
                            base_error *err) BASE_MUST_CHECK;
void bench_solo_close(bench_solo *solo);

/** As a run asks: without a buffer for contacts. */
void bench_solo_ask(const bench_solo *solo, const geo_pose *pose, alg_answer *answer);

/** Places where the bodies touch. */
typedef struct bench_contacts {
    alg_contact *items; /* owned */
    uint32_t count;     /* of items */
    uint32_t found;     /* may be more */
    bool answered;      /* false: the variant hands out none */
} bench_contacts;

/** Asks with room for `most` contacts. Errors: BASE_ERR_ARGUMENT beyond 2^31, BASE_ERR_MEMORY. */
base_status bench_solo_contacts(const bench_solo *solo, const geo_pose *pose, uint64_t most,
                                bench_contacts *contacts, base_error *err) BASE_MUST_CHECK;
void bench_contacts_release(bench_contacts *contacts);

const char *bench_outcome_name(alg_outcome outcome);

#endif
