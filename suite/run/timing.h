/**
 * The clock, cache eviction, and the isolation of a measurement (such as binding to one CPU) as far
 * as the machine permits it. Also counts of disturbances, processor events and memory allocations.
 */
#ifndef SUITE_TIMING_H
#define SUITE_TIMING_H

#include "suite/clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- Clock and caches ------------------------------------------------------------------------- */

/** Time between two successive clock reads. Every measured time includes this cost. */
typedef struct bench_clock_cost {
    uint64_t min_ns, median_ns, p99_ns, p9999_ns;
    uint64_t step_ns; /* smallest gap above 0: the resolution of the clock */
} bench_clock_cost;

/**
 * Chooses the clock of this process. CLOCK_MONOTONIC_RAW is preferred, because its rate is not
 * adjusted, but it is chosen only if it is read in user space, which its cost shows. Otherwise
 * CLOCK_MONOTONIC is chosen. CLOCK_REALTIME is never used, because it can be set. Sets *cost to the
 * cost of the chosen clock.
 *
 * Before the call the clock is CLOCK_MONOTONIC_RAW. The supervisor calls it once and sends the id
 * to its workers, so that the whole run uses one clock.
 */
clockid_t bench_clock_choose(bench_clock_cost *cost);

/**
 * Returns true if bench_clock_choose prefers CLOCK_MONOTONIC_RAW, given the costs of both clocks.
 */
bool bench_clock_prefers_raw(const bench_clock_cost *raw, const bench_clock_cost *monotonic);

/**
 * True if frames are too short to be timed one by one: the median frame takes less than 50 clock
 * reads (or 50 steps of a coarse clock).
 */
bool bench_below_resolution(uint64_t median_frame_ns, const bench_clock_cost *cost);

/**
 * Writes to every cache line of a buffer of BENCH_EVICT_BYTES, which must be larger than the
 * private caches.
 */
void bench_evict_caches(void *buffer);
enum { BENCH_EVICT_BYTES = 8 << 20 };

/* --- Isolation and disturbances --------------------------------------------------------------- */

/* These functions do not fail. Containers forbid some measures of isolation; the run then reports
 * this and goes on. Outcomes are texts: "ok", "denied: Operation not permitted", "not asked". */

enum { BENCH_OUTCOME_BYTES = 64 };

/**
 * Outcome of each measure of isolation. It has a fixed size and no pointers, so it can be sent as
 * bytes.
 */
typedef struct bench_isolation {
    int cpu; /* CPU that the thread is bound to; -1: not bound */
    char affinity[BENCH_OUTCOME_BYTES];
    char memory_lock[BENCH_OUTCOME_BYTES];
    char scheduler[BENCH_OUTCOME_BYTES]; /* current state: "SCHED_OTHER, nice 0" */
    char aslr[BENCH_OUTCOME_BYTES];      /* current state: "on", "off", "off for this process" */
} bench_isolation;

/**
 * Isolates a worker after it has built its data. Binds the calling thread, and threads that it
 * starts later, to the highest CPU that it may use. CPU 0 is avoided if possible, because it serves
 * interrupts on many machines. If lock_memory, locks all present mappings; each of their pages is
 * locked when it is first touched. Memory that is mapped later is not locked, because its
 * allocation could then fail at the limit of locked memory.
 */
void bench_isolation_apply(bool lock_memory, bench_isolation *out);

/**
 * CPU time in nanoseconds: own_ns of the calling thread; others_ns of all other threads of the
 * process and of ended child processes that were waited for. A read takes some microseconds.
 */
typedef struct bench_cpu_time {
    uint64_t own_ns, others_ns;
} bench_cpu_time;

bench_cpu_time bench_cpu_read(void);
/** Returns the CPU time used since `start`. */
bench_cpu_time bench_cpu_since(bench_cpu_time start);

/** Returns the number of threads of this process, or 0 without /proc. Allocates no memory. */
uint64_t bench_threads_count(void);

/** Context switches and page faults of a thread since its start. */
typedef struct bench_usage_counts {
    uint64_t involuntary_switches, voluntary_switches, major_faults, minor_faults;
} bench_usage_counts;

/**
 * Returns the counts of the calling thread, which is the timed one. Other threads are excluded:
 * their switches do not disturb this thread, and the start and end of a contestant's helper threads
 * would look like disturbances.
 */
bench_usage_counts bench_usage_read(void);
bench_usage_counts bench_usage_since(bench_usage_counts start);

/**
 * True if a pass of `frames` frames was disturbed: a page was read from a disk, or there was more
 * than one involuntary switch per 1000 frames.
 */
bool bench_contaminated(bench_usage_counts pass, uint64_t frames);

/**
 * Returns the resident memory of this process, or 0 without /proc. Allocates no memory. The kernel
 * collects counts per CPU, so the value may differ by some pages.
 */
uint64_t bench_rss_bytes(void);

/* --- Hardware counters ------------------------------------------------------------------------ */

/* The hardware performance counters of the processor (perf_event_open), if kernel and machine have
 * them. They count the calling thread in user space. They exclude the kernel, other threads and
 * other processes. */

enum {
    BENCH_INSTRUCTIONS,
    BENCH_CYCLES,
    BENCH_CACHE_MISSES, /* misses of the last-level cache */
    BENCH_COUNTER_COUNT
};

/** Type and config of a perf event to be counted. */
typedef struct bench_counter_event {
    uint32_t type;
    uint64_t config;
} bench_counter_event;

/** The events in the order of the enumeration above. */
extern const bench_counter_event bench_hardware_events[BENCH_COUNTER_COUNT];

/** The value of a counter that is not available. */
#define BENCH_COUNTER_NONE UINT64_MAX

/** Counts between start and stop; BENCH_COUNTER_NONE if not available. */
typedef struct bench_counter_values {
    uint64_t values[BENCH_COUNTER_COUNT];
} bench_counter_values;

typedef struct bench_counters {
    int fds[BENCH_COUNTER_COUNT]; /* -1: not available */
    int leader;                   /* file descriptor of the group leader (one of fds), or -1 */
    struct bench_counter_reading {
        uint64_t enabled_ns, running_ns;
        uint64_t values[BENCH_COUNTER_COUNT];
    } start;
} bench_counters;

/**
 * Opens one group of counters for the calling thread. events: BENCH_COUNTER_COUNT entries;
 * bench_hardware_events outside of tests.
 *
 * It cannot fail. If the kernel refuses an event, its counter is not available. `reason` gives the
 * cause of the last refusal ("not available: ..."), or "ok" if all events are available.
 */
void bench_counters_open(bench_counters *counters, const bench_counter_event *events, char *reason,
                         size_t reason_size);

/** Reads the start values of the counters. */
void bench_counters_start(bench_counters *counters);
/**
 * Sets *out to the counts since the start. If the kernel shared the counters with other users, it
 * has counted only part of the time. All values are then BENCH_COUNTER_NONE, because an
 * extrapolated count is not exact.
 */
void bench_counters_stop(bench_counters *counters, bench_counter_values *out);

/* --- Allocations ------------------------------------------------------------------------------ */

/* The program replaces malloc and its relatives by wrappers that count each call and then call the
 * C library. The dynamic linker searches the program first, so calls from every shared library and
 * plug-in are counted too. C++'s new is counted because it calls malloc. Memory that a program
 * takes directly from the kernel (mmap, brk) is not counted. A program gets these wrappers if it
 * links any function of this header. */

/**
 * Returns the number of calls so far, over all threads, of malloc, calloc, realloc, reallocarray,
 * aligned_alloc, posix_memalign, memalign, valloc and pvalloc. Failed calls are included. A call of
 * realloc counts even if it frees the block or does not move it.
 *
 * Returns UINT64_MAX if this build cannot count: under sanitizers, which replace the same
 * functions, and without glibc. Under valgrind's memcheck, which replaces them by its own while the
 * program runs, the count stays 0.
 */
uint64_t bench_allocations_count(void);

/**
 * After this call, each failed allocation (out of memory, or invalid arguments) writes the number
 * of all failures so far to *count. The memory must stay valid until the last allocation of the
 * process. A worker gives memory that it shares with the supervisor, which reads the number after
 * the worker has died. NULL stops the reports.
 */
void bench_allocations_report_failures(uint64_t *count);

#endif
