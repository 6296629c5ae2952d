#include "suite/clock.h"

/* One per process, because passing it to every read would be part of the timed region. */
clockid_t bench_clock_id = CLOCK_MONOTONIC_RAW;

void bench_clock_set(clockid_t id)
{
    bench_clock_id = id;
}

const char *bench_clock_name(clockid_t id)
{
    return id == CLOCK_MONOTONIC_RAW ? "CLOCK_MONOTONIC_RAW"
           : id == CLOCK_MONOTONIC   ? "CLOCK_MONOTONIC"
                                     : "unknown";
}

uint64_t bench_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
