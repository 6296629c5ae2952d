#include "suite/run/timing.h"

#include "suite/results/stats.h"

#include <sched.h>
#include <string.h>

enum { CLOCK_READS = 100000 };

bench_clock_cost bench_clock_measure(void)
{
    uint64_t gaps[CLOCK_READS];
    memset(gaps, 1, sizeof gaps); /* no page is new to the loop */
    uint64_t last = bench_clock_ns();
    for (int i = 0; i < CLOCK_READS; i++) {
        const uint64_t now = bench_clock_ns();
        gaps[i] = now - last;
        last = now;
    }
    bench_stats_sort(gaps, CLOCK_READS);
    size_t step = 0;
    while (step < CLOCK_READS - 1 && gaps[step] == 0) {
        step++;
    }
    return (bench_clock_cost){
        .min_ns = gaps[0],
        .median_ns = bench_stats_percentile(gaps, CLOCK_READS, 50),
        .p99_ns = bench_stats_percentile(gaps, CLOCK_READS, 99),
        .p9999_ns = bench_stats_percentile(gaps, CLOCK_READS, 99.99),
        .step_ns = gaps[step],
    };
}

bool bench_clock_prefers_raw(const bench_clock_cost *raw, const bench_clock_cost *monotonic)
{
    /* A system call costs several times a read in user space; anything less is noise. */
    return raw->median_ns <= 2 * monotonic->median_ns;
}

clockid_t bench_clock_choose(bench_clock_cost *cost)
{
    bench_clock_set(CLOCK_MONOTONIC);
    const bench_clock_cost monotonic = bench_clock_measure();
    bench_clock_set(CLOCK_MONOTONIC_RAW);
    *cost = bench_clock_measure();
    if (!bench_clock_prefers_raw(cost, &monotonic)) {
        bench_clock_set(CLOCK_MONOTONIC);
        *cost = monotonic;
    }
    return bench_clock_id;
}

bool bench_below_resolution(uint64_t median_frame_ns, const bench_clock_cost *cost)
{
    const uint64_t grain = cost->median_ns > cost->step_ns ? cost->median_ns : cost->step_ns;
    return median_frame_ns < 50 * grain;
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
