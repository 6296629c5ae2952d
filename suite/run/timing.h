/**
 * What times depend on: the clock, the caches, the CPU and what else isolates a measurement as far
 * as the machine grants it; and counts of what disturbed one.
 */
#ifndef SUITE_TIMING_H
#define SUITE_TIMING_H

#include "suite/clock.h"

#include <stdbool.h>
#include <stdint.h>

/* --- Clock and caches ------------------------------------------------------------------------- */

/** Gap between two back-to-back reads: the cost that every measured time contains. */
typedef struct bench_clock_cost {
    uint64_t min_ns, median_ns, p99_ns, p9999_ns;
    uint64_t step_ns; /* smallest gap above 0: what the clock can tell apart */
} bench_clock_cost;

/**
 * Chooses the clock of this process: CLOCK_MONOTONIC_RAW, which nobody slews, where it is read in
 * user space, else CLOCK_MONOTONIC. Never a clock that can be set. *cost: of the chosen one.
 *
 * Until it is called the clock is CLOCK_MONOTONIC_RAW. The supervisor calls it once and hands the
 * id to its workers, so that all of a run is measured by one clock.
 */
clockid_t bench_clock_choose(bench_clock_cost *cost);

/** The choice alone: whether RAW, by what both cost. */
bool bench_clock_prefers_raw(const bench_clock_cost *raw, const bench_clock_cost *monotonic);

/**
 * Whether frames are too short to be timed one by one: the median frame below 50 reads (or steps,
 * of a coarse clock).
 */
bool bench_below_resolution(uint64_t median_frame_ns, const bench_clock_cost *cost);

/** Writes to every cache line of a buffer (BENCH_EVICT_BYTES) larger than the private caches. */
void bench_evict_caches(void *buffer);
enum { BENCH_EVICT_BYTES = 8 << 20 };

/* --- Isolation, and what disturbed it --------------------------------------------------------- */

/*
 * Nothing here fails: containers forbid one thing or the other, and a run says so instead of
 * stopping. Outcomes are texts: "ok", "denied: Operation not permitted", "not asked".
 */

enum { BENCH_OUTCOME_BYTES = 64 };

/** Outcome of each measure. Fixed size, without pointers: it may be sent as it is. */
typedef struct bench_isolation {
    int cpu; /* that the thread is bound to; -1: to none */
    char affinity[BENCH_OUTCOME_BYTES];
    char memory_lock[BENCH_OUTCOME_BYTES];
    char scheduler[BENCH_OUTCOME_BYTES]; /* as found: "SCHED_OTHER, nice 0" */
    char aslr[BENCH_OUTCOME_BYTES];      /* as found: "on", "off", "off for this process" */
} bench_isolation;

/**
 * For a worker that has built all it needs. Binds the calling thread, and those it will start, to
 * the highest CPU that it may use: CPU 0 serves interrupts on many machines, and is left to the
 * supervisor if there is another one. Where asked, it keeps the process's pages in memory: those it
 * has, from when they are first touched; not those it maps later, so that a limit on locked memory
 * makes nothing fail that would not fail without.
 */
void bench_isolation_apply(bool lock_memory, bench_isolation *out);

/**
 * CPU time in nanoseconds: of the calling thread, and of all other threads of the process and its
 * child processes that have ended and were waited for. A read takes some microseconds.
 */
typedef struct bench_cpu_time {
    uint64_t own_ns, others_ns;
} bench_cpu_time;

bench_cpu_time bench_cpu_read(void);
/** CPU time used since `start`. */
bench_cpu_time bench_cpu_since(bench_cpu_time start);

/** Threads of this process. Allocates nothing. 0 where /proc is missing. */
uint64_t bench_threads_count(void);

/** Interruptions of a thread by the kernel since it began. */
typedef struct bench_usage_counts {
    uint64_t involuntary_switches, voluntary_switches, major_faults, minor_faults;
} bench_usage_counts;

/**
 * Of the calling thread, which is the one that is timed. What happens to others is no disturbance
 * as long as this one runs on, and a contestant's helpers coming and going would look like one.
 */
bench_usage_counts bench_usage_read(void);
bench_usage_counts bench_usage_since(bench_usage_counts start);

/**
 * Whether a pass of so many frames was disturbed: a page that had to be read from a disk, or more
 * than one involuntary switch per 1000 frames.
 */
bool bench_contaminated(bench_usage_counts pass, uint64_t frames);

/**
 * Memory of this process that is resident now. Allocates nothing. 0 where /proc is not there. The
 * kernel keeps it per CPU and may be some pages behind.
 */
uint64_t bench_rss_bytes(void);

#endif
