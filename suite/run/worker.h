/**
 * One contestant in a process of its own.
 *
 * The supervisor forks a worker per variant of a scenario and tells it what to do over a socket:
 * prepare, make one pass. A contestant that crashes, hangs, exits or writes out of bounds
 * takes only its own process with it. Poses come in memory that the worker cannot write; the
 * answer of a query lies at the very end of a page, before one that nobody can touch.
 */
#ifndef SUITE_WORKER_H
#define SUITE_WORKER_H

#include "suite/suite.h"

#include <sys/types.h>

/** What becomes of a cell. */
typedef enum bench_status {
    BENCH_CELL_OK,
    BENCH_CELL_WRONG, /* NaN, an answer that a second pass does not repeat, a broken contract */
    BENCH_CELL_UNSUPPORTED, /* the algorithm declined this body or question */
    BENCH_CELL_FAILED,      /* its prepare or bind failed with a message */
    BENCH_CELL_OOM,
    BENCH_CELL_CRASH, /* a signal, or an exit that nobody asked for */
    BENCH_CELL_TIMEOUT,
    BENCH_CELL_INTERRUPTED, /* Ctrl-C before its passes were done */
    BENCH_CELL_STATUS_COUNT
} bench_status;

/** "ok", "wrong", ... */
const char *bench_status_name(bench_status status);

/** What the processor's caches hold when a frame's query starts. */
typedef enum bench_protocol {
    BENCH_WARM,    /* what the variant's own frame before has left there */
    BENCH_EVICTED, /* nothing of it: a buffer larger than the private caches is walked before each
                      frame, outside the clock */
} bench_protocol;

/** Everything that a worker works on; lives longer than the worker, and is the same before and
 * after the fork. */
typedef struct bench_job {
    const alg_variant *variant;
    const alg_mesh *fixed, *moving;
    const geo_pose *poses; /* frame_count, in read-only memory */
    size_t frame_count;
    unsigned quantities; /* mask ALG_WANT_* */
} bench_job;

/** The worker as its supervisor sees it. */
typedef struct bench_worker {
    const bench_job *job;
    pid_t pid;  /* 0: not running */
    int socket; /* -1: closed */
    void *shared;
    size_t shared_bytes;
    alg_answer *answers; /* frame_count, shared: those of the last pass */
    uint64_t *times_ns;  /* frame_count, shared: those of the last pass */
    bench_status status;
    char detail[640]; /* why, when status is not ok */
    uint64_t build_ns;
    alg_build_info build[2]; /* by role */
} bench_worker;

/** Errors: GEO_ERR_SYSTEM, GEO_ERR_MEMORY. *worker is valid for bench_worker_stop either way. */
geo_status bench_worker_start(const bench_job *job, bench_worker *worker,
                              geo_error *err) GEO_MUST_CHECK;

/**
 * Builds both bodies and binds the pair; then build_ns and build are known.
 * Returns  whether the worker is still good; otherwise status and detail say what happened to it.
 */
bool bench_worker_prepare(bench_worker *worker, double timeout_s);

/** One pass over all frames from the reset state; then answers and times_ns are filled. */
bool bench_worker_pass(bench_worker *worker, bench_protocol protocol, double timeout_s);

/** Ends the process and frees the shared memory. */
void bench_worker_stop(bench_worker *worker);

/** The worker's side: serves requests on the socket until it is killed. Never returns. */
_Noreturn void bench_worker_serve(const bench_worker *worker, int socket);

/* --- The messages between the two ------------------------------------------------------------- */

typedef enum bench_request_kind {
    BENCH_REQUEST_PREPARE,
    BENCH_REQUEST_PASS,
} bench_request_kind;

typedef struct bench_request {
    bench_request_kind kind;
    bench_protocol protocol;
} bench_request;

typedef struct bench_reply {
    alg_status status;
    uint64_t build_ns;
    alg_build_info build[2];
    alg_message message;
} bench_reply;

/** Memory shared with children that is zeroed, page-aligned; NULL when there is none. */
void *bench_shared_map(size_t bytes);

#endif
