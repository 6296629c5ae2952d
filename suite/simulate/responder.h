/**
 * A variant as the response of a simulation. It is asked in a worker (run/supervisor.h). Each
 * answer is checked and converted from the frame of the pair to that of A's file.
 */
#ifndef SUITE_RESPONDER_H
#define SUITE_RESPONDER_H

#include "scenarios/simulation/simulation.h"
#include "suite/inputs/pair.h"
#include "suite/run/supervisor.h"

/** The output of the variant that drives the body. */
typedef enum bench_response {
    BENCH_BY_FORCE,
    BENCH_BY_IMPULSES,
} bench_response;

/** Returns "force" or "impulses". */
const char *bench_response_name(bench_response response);

/**
 * Chooses the response. asked: "force", "impulses" or "auto". "auto" chooses the force if the
 * variant answers one, else impulses at its contacts. Variants with ALG_BY_CONTACTS are also driven
 * by impulses, as in their papers.
 *
 * Errors   BASE_ERR_ARGUMENT for another word.
 */
base_status bench_response_choose(const char *asked, const alg_variant *variant,
                                  bench_response *response, base_error *err) BASE_MUST_CHECK;

/** Room for the contacts of a step. Further contacts are counted and left out. */
enum { BENCH_STEP_CONTACTS_MAX = 65536 };

/** Must not be copied or moved once open. */
typedef struct bench_responder {
    const bench_pair *pair; /* borrowed */
    bench_response response;
    double timeout_s; /* limit of the build and of each query */
    double newtons;   /* newtons per unit of the variant's force; 1 at first */
    bench_contestant contestant;
    bench_live_inputs inputs;
    bench_worker worker;
    bool anew;             /* the next query starts from the state in which it was opened */
    scn_contact *contacts; /* owned */
    uint32_t *order;       /* owned; of the same size, for the solver of impulses */
    bool has_normals;      /* a contact with a normal has occurred */

    /* Results of the last query. */
    alg_answer answer;
    size_t count;    /* of contacts, limited by the room */
    uint64_t beyond; /* contacts that did not fit */
    uint64_t query_ns;
    uint64_t away_ns; /* from the request to the reply of the worker */
    /**
     * If not OK, the last error was caused by the variant, not by files or by the machine.
     * UNSUPPORTED also means that there are no usable contacts, WRONG that an answer is invalid.
     */
    bench_status fault;
} bench_responder;

/**
 * Starts a worker that prepares the variant for the pair, with bodies from cache_directory (or
 * NULL).
 * Errors: BASE_ERR_INPUT with `fault` set; BASE_ERR_SYSTEM, BASE_ERR_MEMORY. The caller must call
 * bench_responder_close either way.
 */
base_status bench_responder_open(const alg_variant *variant, const bench_pair *pair,
                                 bench_response response, const char *cache_directory,
                                 double timeout_s, bench_responder *responder,
                                 base_error *err) BASE_MUST_CHECK;
void bench_responder_close(bench_responder *responder);

/** Asks the variant and checks its answer. Errors: BASE_ERR_INPUT with `fault` set. */
base_status bench_responder_ask(bench_responder *responder, const geo_pose *pose,
                                base_error *err) BASE_MUST_CHECK;

/**
 * Asks the pose once more after the last step, with buffers for all lists, and checks the lists, as
 * the pass for details of a run does. Errors: BASE_ERR_INPUT with `fault` set.
 */
base_status bench_responder_check_lists(bench_responder *responder, const geo_pose *pose,
                                        base_error *err) BASE_MUST_CHECK;

/** Returns the argument of scn_simulation_step; it borrows the responder. */
scn_response bench_responder_response(bench_responder *responder);

#endif
