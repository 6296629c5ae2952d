/**
 * The messages between a supervisor and its workers, and the memory that they share. This memory
 * survives a worker's crash.
 *
 * The supervisor writes the inputs (both meshes and all poses) and seals them, so that no worker
 * can write to them. A query gets a copy of its pose at another address (worker.c). Each worker has
 * its own outputs (the answers and times of a pass). Inputs and outputs are anonymous files that
 * worker processes inherit. No process can change their size.
 */
#ifndef SUITE_EXCHANGE_H
#define SUITE_EXCHANGE_H

#include "suite/inputs/prepared.h"
#include "suite/results/cells.h"
#include "suite/results/judge.h"
#include "suite/run/timing.h"

/** The descriptors that a worker inherits. */
enum { BENCH_WORKER_SOCKET = 3, BENCH_WORKER_INPUTS = 4, BENCH_WORKER_OUTPUTS = 5 };

/**
 * Moves an open file to a descriptor above those of a worker, with close-on-exec. Closes `low`.
 * Returns the new descriptor, or -1 with errno, also for low < 0.
 */
int bench_descriptor_move(int low);

/* --- Memory ----------------------------------------------------------------------------------- */

/** Inputs as seen by supervisor and worker. The pointers are borrowed from the mapping. */
typedef struct bench_inputs {
    alg_mesh fixed, moving;
    const geo_pose *poses; /* frame_count */
    size_t frame_count;
} bench_inputs;

/**
 * Puts the inputs into a sealed anonymous file. The caller closes *descriptor, which is -1 after an
 * error.
 * Errors: BASE_ERR_SYSTEM.
 */
base_status bench_inputs_create(const alg_mesh *fixed, const alg_mesh *moving,
                                const geo_pose *poses, size_t frame_count, int *descriptor,
                                base_error *err) BASE_MUST_CHECK;

/**
 * Inputs with a single pose. Only this process can write the pose. It writes a new pose before each
 * query.
 */
typedef struct bench_live_inputs {
    int descriptor; /* for workers; -1: closed */
    geo_pose *pose; /* in the mapping */
    void *mapping;  /* owned */
    size_t mapped_bytes;
} bench_live_inputs;

/**
 * Like bench_inputs_create, but for one pose, and this process keeps a writable mapping. The seal
 * forbids new writable mappings, so that no other process can write.
 * Errors: BASE_ERR_SYSTEM; *inputs then needs no close.
 */
base_status bench_live_inputs_open(const alg_mesh *fixed, const alg_mesh *moving,
                                   bench_live_inputs *inputs, base_error *err) BASE_MUST_CHECK;
void bench_live_inputs_close(bench_live_inputs *inputs);

/**
 * Maps inputs read-only until the process ends.
 * Errors: BASE_ERR_SYSTEM; BASE_ERR_INPUT if the file has no valid header of inputs.
 */
base_status bench_inputs_map(int descriptor, bench_inputs *inputs, base_error *err) BASE_MUST_CHECK;

/** Results of a worker. They remain readable after the worker has died. */
typedef struct bench_outputs {
    alg_answer *answers;      /* frame_count entries, of the last pass */
    uint64_t *times_ns;       /* frame_count entries, of the last pass */
    volatile uint64_t *frame; /* index of the current frame of the pass */
    uint64_t *refused;        /* number of failed allocations: beyond the memory limit, or with
                                 invalid arguments */
    /**
     * Lists of the details pass, and of the last single query. They take no memory before they are
     * written.
     */
    alg_region *regions;        /* frame_count * BENCH_REGIONS_MAX entries */
    alg_contact *contacts;      /* frame_count * BENCH_CONTACTS_KEPT entries */
    alg_contact *step_contacts; /* contacts_max entries: contacts of the last single query */
    uint32_t contacts_max;
    size_t frame_count;
    void *mapping;
    size_t bytes;
} bench_outputs;

/**
 * Creates zeroed outputs of frame_count frames in an anonymous file. The caller closes *descriptor.
 * contacts_max: largest number of contacts that a single query can return.
 * Errors: BASE_ERR_SYSTEM; *descriptor is then -1.
 */
base_status bench_outputs_create(size_t frame_count, uint32_t contacts_max, int *descriptor,
                                 base_error *err) BASE_MUST_CHECK;
/** Maps outputs for reading and writing. Errors: BASE_ERR_SYSTEM; *outputs is then zeroed. */
base_status bench_outputs_map(int descriptor, size_t frame_count, bench_outputs *outputs,
                              base_error *err) BASE_MUST_CHECK;
/** Releases the pages that this process has mapped; the contents of the file stay. */
void bench_outputs_forget(const bench_outputs *outputs);
void bench_outputs_unmap(bench_outputs *outputs);

/* --- Messages --------------------------------------------------------------------------------- */

enum { BENCH_PLUGIN_BYTES = 1024 };

/** The task of a worker. */
typedef struct bench_task {
    char variant[sizeof((alg_variant *)NULL)->name];
    char plugin[BENCH_PLUGIN_BYTES]; /* "" if the variant is built in */
    uint64_t seed;
    uint32_t quantities;   /* mask ALG_WANT_* */
    bool details;          /* the worker binds with all lists and stages: it makes the details pass
                              and no other pass */
    bool judge_voxels;     /* compare surface voxels with the exact ones */
    int32_t clock;         /* for bench_clock_set */
    uint64_t memory_bytes; /* limit of its allocations; 0: no limit */
    bool lock_memory;
    char cache_directory[BENCH_PLUGIN_BYTES]; /* folder of the cache of prepared bodies; "": not
                                                 cached */
} bench_task;

/**
 * Increase this number whenever a message or a shared structure changes. A supervisor refuses a
 * worker of another version with a message.
 */
enum { BENCH_WORKER_VERSION = 7 };

/** The worker's first message: its version and the sizes of its structures. */
typedef struct bench_hello {
    uint32_t version, request_size, reply_size, answer_size, region_size, contact_size;
} bench_hello;

typedef enum bench_request_kind {
    BENCH_REQUEST_PREPARE,
    BENCH_REQUEST_SETTLE, /* after prepare, before passes: judge the voxels, then bind to one CPU */
    BENCH_REQUEST_PASS,
    BENCH_REQUEST_DETAILS,
    BENCH_REQUEST_QUERY, /* a query of the first pose */
} bench_request_kind;

/** Options of a single query (bit mask). */
enum {
    BENCH_QUERY_ANEW = 1u << 0,    /* from the reset state */
    BENCH_QUERY_DETAILS = 1u << 1, /* with details; all later queries then have details too */
};

typedef struct bench_request {
    bench_request_kind kind;
    bench_protocol protocol; /* of a pass */
    bool batch;
    unsigned how;    /* options of a query: mask BENCH_QUERY_* */
    bench_task task; /* for prepare and settle */
} bench_request;

typedef struct bench_reply {
    alg_status status;
    alg_message message;  /* after details and queries with ALG_OK: the fault of the lists, or "" */
    bench_built build[2]; /* by role; after settle: the voxel counts only */
    uint64_t rss_bytes;
    bench_isolation isolation;
    char counters[96];
    bench_pass_cost cost;
} bench_reply;

#endif
