/** The clock of all measured times. */
#ifndef SUITE_CLOCK_H
#define SUITE_CLOCK_H

#include <stdint.h>
#include <time.h>

/** The clock of this process: set by bench_clock_set, else CLOCK_MONOTONIC_RAW. */
extern clockid_t bench_clock_id;

/**
 * Returns the time in ns. Inline, so that the timed region contains only two reads and the query.
 */
static inline uint64_t bench_clock_ns(void)
{
    struct timespec t;
    clock_gettime(bench_clock_id, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/** Sets the clock. The supervisor chooses it (timing.h) and passes the id to its workers. */
void bench_clock_set(clockid_t id);

/** Returns "CLOCK_MONOTONIC_RAW", "CLOCK_MONOTONIC", or "unknown" for another clock. */
const char *bench_clock_name(clockid_t id);

/**
 * Returns the time of CLOCK_MONOTONIC_RAW in ns, whatever bench_clock_id is: for progress and time
 * limits.
 */
uint64_t bench_now_ns(void);

#endif
