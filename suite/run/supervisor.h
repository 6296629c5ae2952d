/**
 * One contestant in a process of its own.
 *
 * The supervisor starts `PROGRAM worker` for every contestant and tells it over a socket what to
 * do: prepare, make one pass, answer one query. A contestant that crashes, hangs, exits or writes
 * out of bounds takes only its own process with it. It is a new program and not a fork, so that
 * each launch draws its own address layout, and so that an older build of this program can compete
 * with this one. Inputs are memory that cannot be written; the answer of a query lies at the very
 * end of a page, before one without access.
 *
 * A worker leads a process group of its own, which is killed when it ends. A process that has left
 * the group is killed then, too (bench_orphans_adopt). The lines of a worker on stderr are printed
 * under its name. A worker that kills the supervisor with a signal that cannot be caught ends the
 * run: no process can prevent that another one of the same user does so.
 */
#ifndef SUITE_SUPERVISOR_H
#define SUITE_SUPERVISOR_H

#include "suite/results/run_folder.h"
#include "suite/run/exchange.h"

#include <sys/types.h>

/**
 * Instructions of a worker's passes, counted by valgrind's callgrind: exact, on any machine, and
 * some fifty times as slow. It counts what bench_worker_queries executes, and writes a file at the
 * end of each call.
 */
enum { BENCH_CALLGRIND_FILE_BYTES = 4096 + 32 };
typedef struct bench_callgrind {
    char file[BENCH_CALLGRIND_FILE_BYTES]; /* begin of the files' paths; "." and the number of the
                                              pass follow; "": closed */
} bench_callgrind;

/** A competitor: a variant, and where its code comes from. */
typedef struct bench_contestant {
    alg_variant variant;
    char name[BENCH_CONTESTANT_NAME_BYTES]; /* the variant's; "@LABEL" behind it tells copies apart
                                             */
    const char *program;   /* executable that serves it; borrowed, NULL: this one */
    const char *plugin;    /* as --plugin takes it; borrowed, NULL: none */
    uint32_t contacts_max; /* room for those of a single query; 0 if it only makes passes */
    bool counted; /* under valgrind: cost.instructions of a pass is what that counts; no times */
} bench_contestant;

typedef enum bench_phase {
    BENCH_PHASE_START,
    BENCH_PHASE_BUILD,
    BENCH_PHASE_SETTLE,
    BENCH_PHASE_PASS,
    BENCH_PHASE_DETAILS,
    BENCH_PHASE_QUERY,
} bench_phase;

/** The worker as its supervisor sees it. */
typedef struct bench_worker {
    const char *name; /* of its contestant; borrowed */
    pid_t pid;        /* 0: not running; the number of its process group as well */
    bench_phase phase;
    int socket;        /* -1: closed */
    int errors;        /* file of what it prints on stderr; 0: none */
    off_t errors_told; /* so much of it has been passed on */
    bench_outputs outputs;
    bench_status status;
    char detail[640];     /* why, when status is not ok */
    bench_built build[2]; /* by role */
    uint64_t rss_bytes;   /* resident when prepared */
    bench_isolation isolation;
    char counters[96];         /* "ok", or why the processor's counters are not available */
    bench_pass_cost cost;      /* of the last pass */
    bench_callgrind callgrind; /* open where the contestant is counted */
    unsigned passes;           /* that it has made */
    /** Called about ten times a second while a reply is waited for; NULL: not called. */
    void (*watch)(void *context);
    void *watch_context;
} bench_worker;

/**
 * From now on this process is the parent of all orphans among its descendants. A process that
 * leaves the group of its worker becomes one, and is ended with the worker. No other process of the
 * same user can read or write this process's memory; one of root still can. Errors are ignored:
 * both need Linux.
 */
void bench_orphans_adopt(void);

/**
 * Fills in the code that a worker runs: variant, seed and plug-in (or NULL); and the folder of
 * prepared bodies (NULL, or a name that is too long: bodies are not kept).
 */
void bench_task_name(const alg_variant *variant, const char *plugin, const char *cache_directory,
                     bench_task *task);

/** Memory of a worker, unless the user says otherwise: three quarters of what the machine has. */
uint64_t bench_memory_budget(void);

/**
 * Starts the process. The contestant must outlive the worker. All of *worker but `watch` and its
 * context is overwritten: a first worker is zeroed before.
 *
 * inputs    descriptor of bench_inputs_create, for frame_count frames.
 * padding   bytes by which its environment grows: the place of its stack, and with it what lies
 *           on which cache line, differs from launch to launch.
 * Errors    BASE_ERR_SYSTEM, BASE_ERR_MEMORY. *worker is valid for bench_worker_stop either way.
 */
base_status bench_worker_start(const bench_contestant *contestant, int inputs, size_t frame_count,
                               size_t padding, bench_worker *worker,
                               base_error *err) BASE_MUST_CHECK;

/**
 * Builds both bodies and binds the pair; then, of what is judged in a worker, has it judged; then
 * build and rss_bytes are known. timeout_s: of each of the two.
 * Returns  whether the worker is still good; otherwise status and detail say what happened to it.
 */
bool bench_worker_prepare(bench_worker *worker, const bench_task *task, double timeout_s);

/**
 * One pass over all frames from the reset state; then outputs and cost are filled. With `batch`
 * another one follows without a clock inside, and its duration is cost.query_ns: for queries that
 * are too short to be timed one by one.
 */
bool bench_worker_pass(bench_worker *worker, bench_protocol protocol, bool batch, double timeout_s);

/**
 * The pass for details, of a worker that was prepared for it: fills outputs, regions among them.
 * What is wrong with the details themselves stands in fault, with its first frame; "": nothing.
 */
bool bench_worker_details(bench_worker *worker, double timeout_s, alg_message *fault);

/**
 * One query of the first pose (bench_live_inputs): fills the first answer and its time; without
 * details also outputs.step_contacts. how: mask BENCH_QUERY_*. What is wrong with lists stands in
 * fault, as above. The worker must be running.
 */
bool bench_worker_ask(bench_worker *worker, unsigned how, double timeout_s, alg_message *fault);

/** Ends the process and frees the shared memory. */
void bench_worker_stop(bench_worker *worker);

#endif
