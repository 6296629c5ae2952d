/**
 * What a supervisor and its workers share: messages, and memory that outlives a worker's crash.
 *
 * Inputs (both meshes and all poses) are written by the supervisor and sealed: no worker can write
 * to them. A query gets a copy of its pose in another place (worker.c). Outputs (answers and times
 * of a pass) belong to one worker each. Both are files without a name that worker processes
 * inherit, and no process can change their size.
 */
#ifndef SUITE_EXCHANGE_H
#define SUITE_EXCHANGE_H

#include "suite/inputs/prepared.h"
#include "suite/results/cells.h"
#include "suite/results/details.h"
#include "suite/run/timing.h"

/** Descriptors that a worker begins with. */
enum { BENCH_WORKER_SOCKET = 3, BENCH_WORKER_INPUTS = 4, BENCH_WORKER_OUTPUTS = 5 };

/**
 * Moves an open file to a descriptor above those that a worker begins with, closed on exec.
 * Returns it, or -1 with errno, also for low < 0; `low` is closed.
 */
int bench_descriptor_move(int low);

/* --- Memory ----------------------------------------------------------------------------------- */

/** Inputs as both sides see them; borrows the mapping. */
typedef struct bench_inputs {
    alg_mesh fixed, moving;
    const geo_pose *poses; /* frame_count */
    size_t frame_count;
} bench_inputs;

/**
 * Puts the inputs into a sealed file without a name.
 * Errors: BASE_ERR_SYSTEM, BASE_ERR_MEMORY. Returns its descriptor in *descriptor, to be closed.
 */
base_status bench_inputs_create(const alg_mesh *fixed, const alg_mesh *moving,
                                const geo_pose *poses, size_t frame_count, int *descriptor,
                                base_error *err) BASE_MUST_CHECK;

/** Inputs of one pose, which is written anew for each query, by this process alone. */
typedef struct bench_live_inputs {
    int descriptor; /* for workers; -1: closed */
    geo_pose *pose; /* in the mapping */
    void *mapping;  /* owned */
    size_t mapped_bytes;
} bench_live_inputs;

/**
 * As bench_inputs_create, but this process keeps a mapping to which it can write. The seal refuses
 * all others.
 * Errors: BASE_ERR_SYSTEM; *inputs needs no close then.
 */
base_status bench_live_inputs_open(const alg_mesh *fixed, const alg_mesh *moving,
                                   bench_live_inputs *inputs, base_error *err) BASE_MUST_CHECK;
void bench_live_inputs_close(bench_live_inputs *inputs);

/** Maps inputs read-only, for the life of the process. Errors: BASE_ERR_SYSTEM, BASE_ERR_INPUT when
 * they are not inputs. */
base_status bench_inputs_map(int descriptor, bench_inputs *inputs, base_error *err) BASE_MUST_CHECK;

/** Results of a worker, which are there also after it has died. */
typedef struct bench_outputs {
    alg_answer *answers;      /* frame_count: those of the last pass */
    uint64_t *times_ns;       /* frame_count: those of the last pass */
    volatile uint64_t *frame; /* that the pass is at */
    uint64_t *refused;        /* allocations that the memory limit refused */
    /** Lists of the pass for details, which take no memory before it. */
    alg_region *regions;        /* frame_count * BENCH_REGIONS_MAX */
    alg_contact *contacts;      /* frame_count * BENCH_CONTACTS_KEPT */
    alg_contact *step_contacts; /* contacts_max: those of the last single query */
    uint32_t contacts_max;
    size_t frame_count;
    void *mapping;
    size_t bytes;
} bench_outputs;

/**
 * Zeroed outputs of frame_count frames in a file without a name, to be closed; contacts_max: room
 * of a single query.
 * Errors: BASE_ERR_SYSTEM; *descriptor is -1 then.
 */
base_status bench_outputs_create(size_t frame_count, uint32_t contacts_max, int *descriptor,
                                 base_error *err) BASE_MUST_CHECK;
base_status bench_outputs_map(int descriptor, size_t frame_count, bench_outputs *outputs,
                              base_error *err) BASE_MUST_CHECK;
/** Gives this process's pages of them back; what is in them stays. */
void bench_outputs_forget(const bench_outputs *outputs);
void bench_outputs_unmap(bench_outputs *outputs);

/* --- Messages --------------------------------------------------------------------------------- */

enum { BENCH_PLUGIN_BYTES = 1024 };

/** How a worker is to work. */
typedef struct bench_task {
    char variant[sizeof((alg_variant *)NULL)->name];
    char plugin[BENCH_PLUGIN_BYTES]; /* "": none */
    uint64_t seed;
    uint32_t quantities;   /* mask ALG_WANT_* */
    bool details;          /* it is there for the pass for details, and for no other */
    bool judge_voxels;     /* are surface voxels counted against the exact ones? */
    int32_t clock;         /* for bench_clock_set */
    uint64_t memory_bytes; /* limit of what it allocates; 0: none */
    bool lock_memory;
    char cache_directory[BENCH_PLUGIN_BYTES]; /* where prepared bodies are kept; "": nowhere */
} bench_task;

/**
 * Raised whenever a message or shared structure changes: programs of two versions then refuse to
 * work together, and say so.
 */
enum { BENCH_WORKER_VERSION = 7 };

/** The worker's first message: what it speaks. */
typedef struct bench_hello {
    uint32_t version, request_size, reply_size, answer_size, region_size, contact_size;
} bench_hello;

typedef enum bench_request_kind {
    BENCH_REQUEST_PREPARE,
    BENCH_REQUEST_SETTLE, /* between building and passes: judge what is prepared, then one CPU */
    BENCH_REQUEST_PASS,
    BENCH_REQUEST_DETAILS,
    BENCH_REQUEST_QUERY, /* the first frame alone */
} bench_request_kind;

/** Bits that say how to ask a single query. */
enum {
    BENCH_QUERY_ANEW = 1u << 0,    /* from the reset state */
    BENCH_QUERY_DETAILS = 1u << 1, /* as the pass for details does; from then on, each query is */
};

typedef struct bench_request {
    bench_request_kind kind;
    bench_protocol protocol; /* of a pass */
    bool batch;
    unsigned how;    /* of a query: mask BENCH_QUERY_* */
    bench_task task; /* of prepare and settle */
} bench_request;

typedef struct bench_reply {
    alg_status status;
    alg_message message;  /* of details and queries with ALG_OK: what is wrong with lists, or "" */
    bench_built build[2]; /* by role; of settle: the voxels alone */
    uint64_t rss_bytes;
    bench_isolation isolation;
    char counters[96];
    bench_pass_cost cost;
} bench_reply;

#endif
