#include "suite/run/timing.h"

#include "suite/results/stats.h"

#include <sched.h>

enum { CLOCK_READS = 20000 };

bench_clock_cost bench_clock_measure(void)
{
    uint64_t gaps[CLOCK_READS];
    uint64_t last = bench_clock_ns();
    for (int i = 0; i < CLOCK_READS; i++) {
        const uint64_t now = bench_clock_ns();
        gaps[i] = now - last;
        last = now;
    }
    bench_stats_sort(gaps, CLOCK_READS);
    return (bench_clock_cost){gaps[0], bench_stats_percentile(gaps, CLOCK_READS, 50),
                              bench_stats_percentile(gaps, CLOCK_READS, 99)};
}

int bench_pin(void)
{
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        return -1;
    }
    for (size_t cpu = CPU_SETSIZE; cpu-- > 0;) {
        if (CPU_ISSET(cpu, &allowed)) {
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            return sched_setaffinity(0, sizeof one, &one) == 0 ? (int)cpu : -1;
        }
    }
    return -1;
}

void bench_evict_caches(void *buffer)
{
    volatile char *const bytes = buffer;
    for (int i = 0; i < BENCH_EVICT_BYTES; i += 64) {
        bytes[i]++;
    }
}
