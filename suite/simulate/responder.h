/**
 * A variant as the response of a simulation: it is asked in a worker (run/supervisor.h), each of
 * its answers is checked, and brought from the frame of the pair into that of A's file.
 */
#ifndef SUITE_RESPONDER_H
#define SUITE_RESPONDER_H

#include "scenarios/simulation/simulation.h"
#include "suite/inputs/pair.h"
#include "suite/run/supervisor.h"

/** What drives the body. */
typedef enum bench_response {
    BENCH_BY_FORCE,
    BENCH_BY_IMPULSES,
} bench_response;

/** "force", "impulses" */
const char *bench_response_name(bench_response response);

/**
 * asked: "force", "impulses" or "auto": by force, if the variant answers one, else by impulses at
 * its contacts; those with ALG_BY_CONTACTS by impulses, too, as their papers have it.
 *
 * Errors   BASE_ERR_ARGUMENT for another word.
 */
base_status bench_response_choose(const char *asked, const alg_variant *variant,
                                  bench_response *response, base_error *err) BASE_MUST_CHECK;

/** Room for the contacts of a step. What is beyond it is counted, and left out. */
enum { BENCH_STEP_CONTACTS_MAX = 65536 };

/** Must not be copied or moved once open. */
typedef struct bench_responder {
    const bench_pair *pair; /* borrowed */
    bench_response response;
    double timeout_s; /* of the build and of each query */
    double newtons;   /* that a unit of the variant's force means; 1 at first */
    bench_contestant contestant;
    bench_live_inputs inputs;
    bench_worker worker;
    bool anew;             /* the next question is asked from the reset state */
    scn_contact *contacts; /* owned */
    uint32_t *order;       /* owned; as many, for the solver of impulses */
    bool has_normals;      /* there was a contact with one */

    /* Of the last question. */
    alg_answer answer;
    size_t count;    /* of contacts, as far as there is room */
    uint64_t beyond; /* contacts that there was no room for */
    uint64_t query_ns;
    uint64_t away_ns; /* from the request to the reply of the worker */
    /**
     * Not OK: the last error is the variant's, and not one of the files or of the machine.
     * UNSUPPORTED also means that there are no contacts of use, WRONG an answer that is not valid.
     */
    bench_status fault;
} bench_responder;

/**
 * Starts a worker and has it prepare the variant for the pair, with bodies from cache_directory
 * (or NULL).
 * Errors: BASE_ERR_INPUT with `fault` set; BASE_ERR_SYSTEM, BASE_ERR_MEMORY. bench_responder_close
 * is due either way.
 */
base_status bench_responder_open(const alg_variant *variant, const bench_pair *pair,
                                 bench_response response, const char *cache_directory,
                                 double timeout_s, bench_responder *responder,
                                 base_error *err) BASE_MUST_CHECK;
void bench_responder_close(bench_responder *responder);

/** The next question finds the state in which the variant was opened. */
void bench_responder_reset(bench_responder *responder);

/** Asks and checks. Errors: BASE_ERR_INPUT with `fault` set. */
base_status bench_responder_ask(bench_responder *responder, const geo_pose *pose,
                                base_error *err) BASE_MUST_CHECK;

/**
 * Behind the last step: asks the pose once more, with buffers for all lists, and checks these, as
 * the pass for details of a run does. Errors: BASE_ERR_INPUT with `fault` set.
 */
base_status bench_responder_check_lists(bench_responder *responder, const geo_pose *pose,
                                        base_error *err) BASE_MUST_CHECK;

/** What scn_simulation_step takes; borrows the responder. */
scn_response bench_responder_response(bench_responder *responder);

#endif
