/** The clock, and what is known of it. */
#ifndef SUITE_TIMING_H
#define SUITE_TIMING_H

#include <stdint.h>
#include <time.h>

/**
 * CLOCK_MONOTONIC_RAW: monotonic, not slewed, read without a system call where the kernel allows.
 * Inline, so that the timed region holds the two reads and the query alone.
 */
static inline uint64_t bench_clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/** Gap between two back-to-back reads: the cost that every measured time contains. */
typedef struct bench_clock_cost {
    uint64_t min_ns, median_ns, p99_ns;
} bench_clock_cost;

bench_clock_cost bench_clock_measure(void);

/**
 * Binds this process to the highest CPU that it may use (CPU 0 serves interrupts on many machines).
 * Returns the CPU, or -1 where it is denied.
 */
int bench_pin(void);

/** Writes to every cache line of a buffer (BENCH_EVICT_BYTES) larger than the private caches. */
void bench_evict_caches(void *buffer);
enum { BENCH_EVICT_BYTES = 8 << 20 };

#endif
