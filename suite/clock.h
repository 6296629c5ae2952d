/** The clock that everything is timed by. */
#ifndef SUITE_CLOCK_H
#define SUITE_CLOCK_H

#include <stdint.h>
#include <time.h>

/** Of this process: set by bench_clock_set, else CLOCK_MONOTONIC_RAW. */
extern clockid_t bench_clock_id;

/** Inline, so that the timed region holds the two reads and the query alone. */
static inline uint64_t bench_clock_ns(void)
{
    struct timespec t;
    clock_gettime(bench_clock_id, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/** The supervisor chooses a clock (timing.h) and hands the id to its workers. */
void bench_clock_set(clockid_t id);

/** "CLOCK_MONOTONIC_RAW", "CLOCK_MONOTONIC"; "unknown" for another. */
const char *bench_clock_name(clockid_t id);

/** CLOCK_MONOTONIC_RAW, whatever bench_clock_id is: for progress and time limits. */
uint64_t bench_now_ns(void);

#endif
