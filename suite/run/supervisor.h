/**
 * Runs one contestant in a process of its own.
 *
 * The supervisor starts `PROGRAM worker` for each contestant and sends requests to it over a
 * socket: prepare, make a pass, answer a query. If a contestant crashes, hangs, exits or writes out
 * of bounds, only its own process fails. The worker is a new program and not a fork, so that each
 * launch has its own random address layout, and so that an older build of this program can compete
 * with this one. The inputs are read-only memory. The answer of a query ends at the end of a page,
 * and the next page is inaccessible.
 *
 * A worker leads its own process group. When the worker ends, the group is killed, and so are its
 * descendants outside of the group (bench_orphans_adopt). Lines that a worker prints to stderr are
 * shown with its name. One danger remains: processes of the same user may send signals to each
 * other, so a worker can kill the supervisor.
 */
#ifndef SUITE_SUPERVISOR_H
#define SUITE_SUPERVISOR_H

#include "suite/results/run_folder.h"
#include "suite/run/exchange.h"

#include <sys/types.h>

/**
 * Counts the instructions of a worker's passes with valgrind's callgrind. The count is exact on any
 * machine, but the passes are about fifty times as slow. Callgrind counts while
 * bench_worker_queries runs, and writes a file at the end of each call.
 */
enum { BENCH_CALLGRIND_FILE_BYTES = 4096 + 32 };
typedef struct bench_callgrind {
    char file[BENCH_CALLGRIND_FILE_BYTES]; /* path of the files without their ending, which is "."
                                              and the number of the pass; "": closed */
} bench_callgrind;

/** A variant and the origin of its code. */
typedef struct bench_contestant {
    alg_variant variant;
    char name[BENCH_CONTESTANT_NAME_BYTES]; /* name of the variant; copies have "@LABEL" appended */
    const char *program;   /* executable that contains its code, borrowed; NULL: this executable */
    const char *plugin;    /* argument of --plugin, borrowed; NULL: the variant is built in */
    uint32_t contacts_max; /* maximum number of contacts of a single query; 0 if there are only
                              passes */
    bool counted; /* it runs under valgrind: cost.instructions of a pass is callgrind's count, and
                     times are not valid */
} bench_contestant;

typedef enum bench_phase {
    BENCH_PHASE_START,
    BENCH_PHASE_BUILD,
    BENCH_PHASE_SETTLE,
    BENCH_PHASE_PASS,
    BENCH_PHASE_DETAILS,
    BENCH_PHASE_QUERY,
} bench_phase;

/** The supervisor's view of a worker. */
typedef struct bench_worker {
    const char *name; /* of the contestant; borrowed */
    pid_t pid;        /* also the id of its process group; 0: not running */
    bench_phase phase;
    int socket;        /* -1: closed */
    int errors;        /* descriptor of the file with its output to stderr; 0: closed */
    off_t errors_told; /* number of bytes of this file that were already printed */
    bench_outputs outputs;
    bench_status status;
    char detail[640];     /* reason, if status is not ok */
    bench_built build[2]; /* by role */
    uint64_t rss_bytes;   /* resident memory after preparation */
    bench_isolation isolation;
    char counters[96];         /* "ok", or the reason why the performance counters are not
                                  available */
    bench_pass_cost cost;      /* of the last pass */
    bench_callgrind callgrind; /* open if the contestant is counted */
    unsigned passes;           /* number of passes made */
    /** Called about ten times a second while the supervisor waits for a reply; may be NULL. */
    void (*watch)(void *context);
    void *watch_context;
} bench_worker;

/**
 * Makes this process the parent of all orphans among its descendants. So it finds the processes
 * that have left the group of their worker: when the worker ends, they become its children, and it
 * kills them. Also protects this process's memory: other processes of the same user cannot read or
 * write it; a process of root can. Errors are ignored, because both features need Linux.
 */
void bench_orphans_adopt(void);

/**
 * Sets the members of a task that name its code: variant, seed and plug-in (NULL: built in). Also
 * sets the cache folder of prepared bodies. If the folder is NULL or its name is too long, bodies
 * are not cached.
 */
void bench_task_name(const alg_variant *variant, const char *plugin, const char *cache_directory,
                     bench_task *task);

/**
 * Returns the default memory limit of a worker and of a block in bytes: three quarters of the
 * machine's memory.
 */
uint64_t bench_memory_budget(void);

/**
 * Starts the process. The contestant must outlive the worker. Overwrites *worker except for `watch`
 * and its context, so *worker must be zeroed before its first start.
 *
 * inputs    descriptor of bench_inputs_create, for frame_count frames.
 * padding   bytes added to the environment. They shift the stack, so that the positions of data in
 *           cache lines differ between launches.
 * Errors    BASE_ERR_SYSTEM, BASE_ERR_MEMORY. Call bench_worker_stop also after an error.
 */
base_status bench_worker_start(const bench_contestant *contestant, int inputs, size_t frame_count,
                               size_t padding, bench_worker *worker,
                               base_error *err) BASE_MUST_CHECK;

/**
 * Waits for the start of the worker. Then it builds both bodies and binds the pair, judges the
 * voxels if the task asks for it, and isolates itself. Sets build, rss_bytes, isolation and
 * counters. timeout_s: limit of each of the three steps (start, build, settle).
 * Returns  true if the worker is ready for passes; otherwise status and detail give the failure.
 */
bool bench_worker_prepare(bench_worker *worker, const bench_task *task, double timeout_s);

/**
 * Makes one pass over all frames from the reset state. Sets outputs and cost. Returns false if the
 * worker has ended or broken its contract; then status and detail are set. `batch` is for queries
 * that are too short to be timed one by one: all frames are then repeated without clock reads
 * between them, and cost.query_ns is the duration of this repetition.
 */
bool bench_worker_pass(bench_worker *worker, bench_protocol protocol, bool batch, double timeout_s);

/**
 * Makes the details pass, for which the worker must have been prepared (bench_task.details). Sets
 * outputs, including regions and contacts. fault: the first fault of the details, with its frame;
 * "" if there is no fault. Returns as bench_worker_pass.
 */
bool bench_worker_details(bench_worker *worker, double timeout_s, alg_message *fault);

/**
 * Makes one query of the first pose (bench_live_inputs). Sets the first answer and its time;
 * without details also outputs.step_contacts. how: mask BENCH_QUERY_*. fault: the fault of the
 * lists, or "". The worker must be running. Returns as bench_worker_pass.
 */
bool bench_worker_ask(bench_worker *worker, unsigned how, double timeout_s, alg_message *fault);

/**
 * Sets status and detail of a worker that has ended by itself, from its wait status (waitpid), its
 * phase and the numbers that it shares with the supervisor: outputs.frame and outputs.refused. A
 * worker with a failed allocation counts as out of memory. A worker that has overwritten one of the
 * two numbers counts as crashed, because neither number can then be trusted.
 */
void bench_worker_explain_end(bench_worker *worker, int wait_status);

/** Ends the process if it is running, closes all descriptors and frees the shared memory. */
void bench_worker_stop(bench_worker *worker);

#endif
