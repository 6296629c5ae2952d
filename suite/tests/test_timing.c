#include "suite/run/timing.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <string.h>

TestSuite(timing, .timeout = 20);

Test(timing, the_chosen_clock_never_goes_back_and_is_fast)
{
    bench_clock_cost cost;
    const clockid_t id = bench_clock_choose(&cost);
    cr_assert(id == CLOCK_MONOTONIC_RAW || id == CLOCK_MONOTONIC, "%d", (int)id);
    cr_assert_eq(id, bench_clock_id);
    cr_assert_leq(cost.min_ns, cost.median_ns);
    cr_assert_leq(cost.median_ns, cost.p99_ns);
    cr_assert_leq(cost.p99_ns, cost.p9999_ns);
    cr_assert_gt(cost.step_ns, 0);
    cr_assert_lt(cost.median_ns, 20000, "a read takes %lu ns", cost.median_ns);
    uint64_t last = bench_clock_ns();
    for (int i = 0; i < 100000; i++) {
        const uint64_t now = bench_clock_ns();
        cr_assert_geq(now, last, "read %d", i);
        last = now;
    }
}

Test(timing, the_clock_that_is_set_is_the_one_that_is_read)
{
    static const clockid_t ids[] = {CLOCK_MONOTONIC_RAW, CLOCK_MONOTONIC};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        struct timespec before, after;
        bench_clock_set(ids[i]);
        clock_gettime(ids[i], &before);
        const uint64_t now = bench_clock_ns();
        clock_gettime(ids[i], &after);
        cr_assert_geq(now, (uint64_t)before.tv_sec * 1000000000u + (uint64_t)before.tv_nsec, "%zu",
                      i);
        cr_assert_leq(now, (uint64_t)after.tv_sec * 1000000000u + (uint64_t)after.tv_nsec, "%zu",
                      i);
    }
    cr_assert_str_eq(bench_clock_name(CLOCK_MONOTONIC), "CLOCK_MONOTONIC");
    cr_assert_str_eq(bench_clock_name(CLOCK_MONOTONIC_RAW), "CLOCK_MONOTONIC_RAW");
    cr_assert_str_eq(bench_clock_name(CLOCK_REALTIME), "unknown");
}

Test(timing, a_raw_clock_behind_a_system_call_is_not_chosen)
{
    const bench_clock_cost fast = {.median_ns = 20}, faster = {.median_ns = 15},
                           system_call = {.median_ns = 150};
    cr_assert(bench_clock_prefers_raw(&fast, &faster));
    cr_assert(bench_clock_prefers_raw(&faster, &fast));
    cr_assert_not(bench_clock_prefers_raw(&system_call, &fast));
    cr_assert(bench_clock_prefers_raw(&system_call, &system_call), "both: RAW is not slewed");
}

Test(timing, resolution_is_fifty_reads_or_steps)
{
    const bench_clock_cost cost = {.median_ns = 20, .step_ns = 10};
    cr_assert(bench_below_resolution(999, &cost));
    cr_assert_not(bench_below_resolution(1000, &cost));
    const bench_clock_cost coarse = {.median_ns = 0, .step_ns = 1000};
    cr_assert(bench_below_resolution(49999, &coarse));
    cr_assert_not(bench_below_resolution(50000, &coarse));
}

Test(timing, pinned_to_the_highest_cpu_allowed)
{
    cpu_set_t allowed, now;
    cr_assert_eq(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    const int cpu = bench_pin();
    if (cpu < 0) {
        cr_skip_test("skipped: binding to a CPU is denied here");
    }
    cr_assert_eq(sched_getaffinity(0, sizeof now, &now), 0);
    cr_assert_eq(CPU_COUNT(&now), 1);
    cr_assert(CPU_ISSET((size_t)cpu, &now));
    cr_assert(CPU_ISSET((size_t)cpu, &allowed));
    cr_assert(cpu > 0 || CPU_COUNT(&allowed) == 1, "CPU 0, although there are others");
    cr_assert_eq(sched_getcpu(), cpu);
}
