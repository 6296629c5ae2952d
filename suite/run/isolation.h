/**
 * Isolation of the measurement, as far as the machine grants it, and counts of what disturbed it.
 *
 * Nothing here fails: containers forbid one thing or the other, and a run says so instead of
 * stopping. Outcomes are texts: "ok", "denied: Operation not permitted", "not asked".
 */
#ifndef SUITE_ISOLATION_H
#define SUITE_ISOLATION_H

#include <stdbool.h>
#include <stdint.h>

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
 * Binds the calling thread to one CPU (bench_pin) and, where asked, keeps the process's pages in
 * memory: those it has, from when they are first touched; not those it maps later, so that a limit
 * on locked memory makes nothing fail that would not fail without. For a worker that has built all
 * it needs.
 */
void bench_isolation_apply(bool lock_memory, bench_isolation *out);

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
