/** What the clock costs and can tell apart; and which CPU and caches a measurement has. */
#ifndef SUITE_TIMING_H
#define SUITE_TIMING_H

#include "suite/clock.h"

#include <stdbool.h>

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
