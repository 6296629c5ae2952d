/** The clock, and what is known of it. */
#ifndef SUITE_TIMING_H
#define SUITE_TIMING_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/** Set by bench_clock_choose and bench_clock_set, read by bench_clock_ns; nobody else's. */
extern clockid_t bench_clock_id;

/** Inline, so that the timed region holds the two reads and the query alone. */
static inline uint64_t bench_clock_ns(void)
{
    struct timespec t;
    clock_gettime(bench_clock_id, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/** Gap between two back-to-back reads: the cost that every measured time contains. */
typedef struct bench_clock_cost {
    uint64_t min_ns, median_ns, p99_ns, p9999_ns;
    uint64_t step_ns; /* smallest gap above 0: what the clock can tell apart */
} bench_clock_cost;

/** Of the clock in use, from 100 000 reads; takes some milliseconds. */
bench_clock_cost bench_clock_measure(void);

/**
 * Chooses the clock of this process: CLOCK_MONOTONIC_RAW, which nobody slews, where it is read in
 * user space, else CLOCK_MONOTONIC. Never a clock that can be set. *cost: of the chosen one.
 *
 * Until it is called the clock is CLOCK_MONOTONIC_RAW. The supervisor calls it once and hands the
 * id to its workers, so that all of a run is measured by one clock.
 */
clockid_t bench_clock_choose(bench_clock_cost *cost);
void bench_clock_set(clockid_t id);

/** "CLOCK_MONOTONIC_RAW", "CLOCK_MONOTONIC"; "unknown" for another. */
const char *bench_clock_name(clockid_t id);

/** The choice alone: whether RAW, by what both cost. */
bool bench_clock_prefers_raw(const bench_clock_cost *raw, const bench_clock_cost *monotonic);

/**
 * Whether frames are too short to be timed one by one: the median frame below 50 reads (or steps,
 * of a coarse clock).
 */
bool bench_below_resolution(uint64_t median_frame_ns, const bench_clock_cost *cost);

/**
 * Binds the calling thread, and those it will start, to the highest CPU that it may use: CPU 0
 * serves interrupts on many machines, and is left to the supervisor if there is another one.
 * Returns the CPU, or -1 where it is denied; errno says why.
 */
int bench_pin(void);

/** Writes to every cache line of a buffer (BENCH_EVICT_BYTES) larger than the private caches. */
void bench_evict_caches(void *buffer);
enum { BENCH_EVICT_BYTES = 8 << 20 };

#endif
