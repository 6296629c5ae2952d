/**
 * One question to one variant, in this process: without a run.
 *
 * solo.c asks, fields.c puts an answer under the column names of a run.
 */
#ifndef SUITE_REPLAY_H
#define SUITE_REPLAY_H

#include "geometry/csv.h"
#include "suite/suite.h"

/* --- Asking (solo.c) ---------------------------------------------------------------------------
 */

/** A variant that is bound to a pair: no worker, no limit, nobody beside it. */
typedef struct bench_solo {
    const alg_variant *variant; /* borrowed */
    void *prepared[2];          /* by role */
    void *state;
} bench_solo;

/**
 * Prepares both bodies, binds them and resets the state, as the start of a pass has it.
 *
 * Errors   GEO_ERR_INPUT for a body that the variant cannot take, GEO_ERR_ARGUMENT for quantities
 *          that it does not answer, GEO_ERR_MEMORY, GEO_ERR_SYSTEM. *solo needs no close then.
 */
geo_status bench_solo_open(const alg_variant *variant, const bench_pair *pair, unsigned quantities,
                           bench_solo *solo, geo_error *err) GEO_MUST_CHECK;
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

/** Asks with room for `most` contacts. Errors: GEO_ERR_ARGUMENT beyond 2^31, GEO_ERR_MEMORY. */
geo_status bench_solo_contacts(const bench_solo *solo, const geo_pose *pose, uint64_t most,
                               bench_contacts *contacts, geo_error *err) GEO_MUST_CHECK;
void bench_contacts_release(bench_contacts *contacts);

/* --- An answer in columns (fields.c) -----------------------------------------------------------
 */

/** One number of an answer, as the frames of a run have it. */
typedef struct bench_field {
    char name[72]; /* of the column */
    char text[32]; /* the cell; "" where nothing was answered, and for NaN */
    bool answered;
} bench_field;

enum { BENCH_FIELDS_MAX = 19 + ALG_COUNTERS_MAX };

/**
 * All that an algorithm's answers have columns for, counters last; points in A's frame as it is in
 * its file. Returns how many.
 */
size_t bench_answer_fields(const alg *algorithm, vec3 centre_a, const alg_answer *answer,
                           bench_field fields[BENCH_FIELDS_MAX]);
const char *bench_outcome_name(alg_outcome outcome);

#endif
