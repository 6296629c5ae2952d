/**
 * A variant as the response of a simulation: it is asked in this process, each of its answers is checked
 * and timed, and brought from the frame of the pair into that of A's file.
 */
#ifndef SUITE_RESPONDER_H
#define SUITE_RESPONDER_H

#include "scenarios/simulation/simulation.h"
#include "suite/replay/solo.h"

/** What drives the body. */
typedef enum bench_response {
    BENCH_BY_FORCE,
    BENCH_BY_IMPULSES,
} bench_response;

/** "force", "impulses" */
const char *bench_response_name(bench_response response);

/**
 * asked: "force", "impulses" or "auto": by force, if the variant answers one, else by impulses at its
 * contacts; those with ALG_BY_CONTACTS by impulses, too, as their papers have it.
 *
 * Errors   BASE_ERR_ARGUMENT for another word.
 */
base_status bench_response_choose(const char *asked, const alg_variant *variant,
                                  bench_response *response, base_error *err) BASE_MUST_CHECK;

/** Room for the contacts of a step. What is beyond it is counted, and left out. */
enum { BENCH_STEP_CONTACTS_MAX = 65536 };

typedef struct bench_responder {
    const bench_pair *pair; /* borrowed */
    bench_response response;
    double newtons; /* that a unit of the variant's force means; 1 at first */
    bench_solo solo;
    scn_contact *contacts; /* owned */
    bool has_normals;      /* there was a contact with one */

    /* Of the last question. */
    alg_answer answer;
    size_t count;    /* of contacts, as far as there is room */
    uint64_t beyond; /* contacts that there was no room for */
    uint64_t query_ns;
    /** What is wrong with the answer: the responder's own error is of the variant, and not of the files or of
     * the machine. */
    alg_status fault; /* ALG_OK; ALG_UNSUPPORTED: no contacts of use; ALG_FAILED: a wrong answer */
} bench_responder;

/**
 * Prepares the variant for the pair, with bodies from cache_directory (NULL: none).
 * Errors: those of bench_solo_open. *responder needs no close then.
 */
base_status bench_responder_open(const alg_variant *variant, const bench_pair *pair,
                                 bench_response response, const char *cache_directory,
                                 bench_responder *responder, base_error *err) BASE_MUST_CHECK;
void bench_responder_close(bench_responder *responder);

/** Back to the state in which it was opened, for a variant that keeps one. */
void bench_responder_reset(bench_responder *responder);

/** Asks, checks and times; contacts as the variant has them. Errors: BASE_ERR_INPUT with `fault` set. */
base_status bench_responder_ask(bench_responder *responder, const geo_pose *pose,
                                base_error *err) BASE_MUST_CHECK;

/** What scn_simulation_step takes; borrows the responder. */
scn_response bench_responder_response(bench_responder *responder);

#endif
