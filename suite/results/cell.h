/** One contestant on one scenario: what was measured, and how its answers were judged. */
#ifndef SUITE_CELL_H
#define SUITE_CELL_H

#include "suite/inputs/prepared.h"
#include "suite/results/judge.h"

/** What becomes of a cell. */
typedef enum bench_status {
    BENCH_CELL_OK,
    BENCH_CELL_UNINFORMATIVE, /* its brackets hold the truth, but are wider than a tenth of the
                                 size; no fault */
    BENCH_CELL_WRONG, /* NaN, an answer that a second pass does not repeat, a broken contract */
    BENCH_CELL_UNSUPPORTED, /* the algorithm declined this body or question */
    BENCH_CELL_FAILED,      /* its prepare or bind failed with a message, or it has left the
                               floating-point environment changed */
    BENCH_CELL_OOM,
    BENCH_CELL_CRASH, /* a signal, or an exit that nobody asked for */
    BENCH_CELL_TIMEOUT,
    BENCH_CELL_INTERRUPTED, /* Ctrl-C before its passes were done */
    BENCH_CELL_STATUS_COUNT
} bench_status;

/** "ok", "wrong", ... */
const char *bench_status_name(bench_status status);

/** What a pass is for, and what the processor's caches hold when a frame's query starts. */
typedef enum bench_protocol {
    BENCH_WARM_UP, /* as warm; kept, and used for no statistics */
    BENCH_WARM,    /* what the variant's own frame before has left there */
    BENCH_EVICTED, /* nothing of it: a buffer larger than the private caches is walked before each
                      frame, outside the clock */
    BENCH_PROTOCOL_COUNT
} bench_protocol;

/** "warm-up", "warm", "evicted" */
const char *bench_protocol_name(bench_protocol protocol);

/** What one pass cost, beside the times of its frames. UINT64_MAX: not available. */
typedef struct bench_pass_cost {
    uint64_t query_ns; /* sum over the frames but the first (unless it is the only one); of a
                          batch: its duration */
    uint64_t involuntary_switches, major_faults, minor_faults;
    uint64_t allocations;                        /* calls of malloc and its kin */
    uint64_t output_bytes;                       /* printed on stdout so far */
    uint64_t rss_bytes;                          /* resident, after the pass */
    uint64_t instructions, cycles, cache_misses; /* in user space, of the pass's whole loop */
} bench_pass_cost;

/** Where a pass stands in its run. A record of journals: of fixed size and without pointers. */
typedef struct bench_pass {
    uint32_t block;    /* contestants of one block were interleaved */
    uint32_t launch;   /* from 0; in a block and a launch a contestant was one process */
    uint32_t round;    /* of the launch, from 0 */
    uint32_t position; /* in its round */
    uint32_t protocol; /* bench_protocol */
    uint32_t batch;    /* cost.query_ns is of a batch */
    bench_pass_cost cost;
    base_hash answers_hash;
} bench_pass;

/** A pass with the nearest-rank percentiles over its frames but the first. */
typedef struct bench_pass_row {
    bench_pass pass;
    uint64_t p50_ns, p99_ns, max_ns;
    bool contaminated; /* the machine got in between */
} bench_pass_row;

typedef struct bench_cell {
    const char *scenario;
    const char *name;     /* the contestant's */
    const char *baseline; /* name of the contestant that it is compared with; "" for that one */
    alg_variant variant;
    unsigned quantities;
    bench_status status;
    char detail[640];
    uint64_t build_ns;    /* of both bodies, median over launches */
    uint64_t load_ns;     /* the same of those that were loaded; UINT64_MAX: none was */
    bench_built build[2]; /* by role; times are medians over launches, as above */
    size_t launch_count;
    size_t frame_count;
    alg_answer *answers; /* frame_count; of the first pass, which every other must repeat */
    base_hash answers_hash;
    uint64_t *warm_ns; /* warm_count * frame_count, pass by pass */
    size_t warm_count;
    uint64_t *evicted_ns; /* evicted_count * frame_count */
    size_t evicted_count;
    bench_pass_row *passes; /* pass_count: all, the warm-up among them */
    size_t pass_count;
    bool below_resolution; /* frames too short for the clock: passes were timed as a whole, too */
    bench_judgement *judgements; /* frame_count */
} bench_cell;

void bench_cell_release(bench_cell *cell);

enum { BENCH_PASSES_MAX = 4096 }; /* of one cell and protocol: times beyond are not kept */

/** Times of one frame over passes. Nearest-rank median. */
typedef struct bench_frame_time {
    uint64_t min_ns, median_ns, max_ns;
} bench_frame_time;

bench_frame_time bench_cell_frame_time(const uint64_t *passes_ns, size_t passes, size_t frame_count,
                                       size_t frame);

#endif
