/**
 * A session of `proxbench record`: the pose of B, the variant that answers it, the simulated hand,
 * and the takes.
 *
 * A page moves B by posts to the server. The thread of the server calls the functions below, which
 * return at once: they record poses, and leave queries to the thread that runs
 * bench_session_run. Each variant answers in a worker, so a variant that crashes or hangs ends its
 * own queries only. A session has two workers: one for the answers that are shown, and one for the
 * hand.
 *
 * Several pages may be open. The page that has grabbed B last moves it; poses of other pages
 * are refused until they grab B. A number, the epoch, tells them apart.
 *
 * Poses are those of B in A's frame, as in trajectory files.
 */
#ifndef SUITE_SESSION_H
#define SUITE_SESSION_H

#include "suite/inputs/pair.h"
#include "suite/record/takes.h"
#include "suite/simulate/responder.h"

/** All borrowed. */
typedef struct bench_session_options {
    const bench_pair *pair;
    const alg_variant *variant; /* answers first */
    unsigned wanted;            /* its quantities: mask ALG_WANT_* */
    const alg_variant *hand;    /* pushes B out */
    const char *out;            /* file of the first take */
    const char *cache_directory;
    double timeout_s;       /* limit of a query */
    double build_timeout_s; /* limit of the build of a variant */
    uint64_t seed;          /* of variants that a page chooses */
    vec3 position;          /* first pose */
    geo_quat orientation;
} bench_session_options;

typedef struct bench_session bench_session;

/**
 * Opens the takes. Starts no worker. The options must outlive the session; *session is NULL after
 * an error.
 * Errors: those of bench_takes_open; BASE_ERR_MEMORY.
 */
base_status bench_session_open(const bench_session_options *options, bench_session **session,
                               base_error *err) BASE_MUST_CHECK;
void bench_session_close(bench_session *session);

/**
 * Calls `changed` after each change of the state, from any thread. It must not call functions of
 * the session. Must be set before other threads use the session.
 */
void bench_session_watch(bench_session *session, void (*changed)(void *context), void *context);

/**
 * Answers poses and moves the hand until an interrupt or bench_session_finish. Then writes all
 * takes that are not written, and prints their files.
 * Errors: those of bench_takes_finish.
 */
base_status bench_session_run(bench_session *session, base_error *err) BASE_MUST_CHECK;

/* --- Requests, from any thread ---------------------------------------------------------------- */

/** Lets the calling page move B from now on. Returns the new epoch. */
unsigned bench_session_grab(bench_session *session);

/**
 * Moves B through poses, whose times are in the page's clock. They are recorded if the hand does
 * not move B. With the hand, the last pose is the target of the device. If the epoch is not the
 * last one, nothing changes.
 */
void bench_session_move(bench_session *session, unsigned epoch, const bench_timed_pose *poses,
                        size_t count);

/** Begins or ends a take. Errors: those of bench_takes_begin. */
base_status bench_session_record(bench_session *session, bool on, base_error *err) BASE_MUST_CHECK;

/** Starts or stops the hand, which begins at the pose of B. Returns the new epoch. */
unsigned bench_session_hand(bench_session *session, bool on);

/**
 * Lets another variant answer, or the same one anew. quantity: as for bench_quantities_choose.
 * Errors: BASE_ERR_ARGUMENT for unknown names, and for a quantity that it does not answer.
 */
base_status bench_session_ask(bench_session *session, const char *variant, const char *quantity,
                              base_error *err) BASE_MUST_CHECK;

/** Writes a take, from 0 on (bench_takes_write). Errors: BASE_ERR_ARGUMENT if there is none. */
base_status bench_session_write(bench_session *session, size_t take, double from_s, double to_s,
                                base_error *err) BASE_MUST_CHECK;

/** Ends bench_session_run. */
void bench_session_finish(bench_session *session);

/* --- State, from any thread ------------------------------------------------------------------- */

/** Returns a number that grows with each change. */
uint64_t bench_session_version(bench_session *session);

/**
 * Writes the state as one line of JSON: the epoch, the pose of B, the question with the status of
 * its worker, the last answer with its pose (fields as in a file of frames, points in the frame of
 * A's file), the hand, and all takes.
 */
void bench_session_put_state(bench_session *session, FILE *json);

/** Writes the poses of a take as JSON: [[t,x,y,z,qx,qy,qz,qw],...]. Returns false without it. */
bool bench_session_put_take(bench_session *session, size_t take, FILE *json);

/**
 * Chooses the response of the hand. A live hand has no path from which a gain could be found: the
 * force must be exact or in N, else contacts drive B.
 * Errors: BASE_ERR_ARGUMENT if the variant answers neither.
 */
base_status bench_session_response(const alg_variant *variant, bench_response *response,
                                   base_error *err) BASE_MUST_CHECK;

#endif
