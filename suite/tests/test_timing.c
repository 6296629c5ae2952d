#include "suite/run/allocations.h"
#include "suite/run/timing.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

Test(timing, the_chosen_clock_never_goes_back)
{
    bench_clock_cost cost;
    const clockid_t id = bench_clock_choose(&cost);
    cr_assert(id == CLOCK_MONOTONIC_RAW || id == CLOCK_MONOTONIC, "%d", (int)id);
    cr_assert_eq(id, bench_clock_id);
    cr_assert_leq(cost.min_ns, cost.median_ns);
    cr_assert_leq(cost.median_ns, cost.p99_ns);
    cr_assert_leq(cost.p99_ns, cost.p9999_ns);
    cr_assert_gt(cost.step_ns, 0);
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
    bench_isolation isolation;
    bench_isolation_apply(false, &isolation);
    const int cpu = isolation.cpu;
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

/* --- Isolation and disturbances --------------------------------------------------------------- */

/** Maps untouched pages. They are never huge pages, so that each one is a fault. */
static volatile char *map_pages(size_t pages, size_t page)
{
    void *const map =
        mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(map, MAP_FAILED);
    madvise(map, pages * page, MADV_NOHUGEPAGE);
    return map;
}

static void touch_pages(volatile char *map, size_t pages, size_t page)
{
    for (size_t i = 0; i < pages; i++) {
        map[i * page] = 1;
    }
}

Test(isolation, page_faults_that_are_provoked_are_seen)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = 1000;
    volatile char *const map = map_pages(pages, page);
    bench_usage_counts start = bench_usage_read();
    touch_pages(map, pages, page);
    const bench_usage_counts cold = bench_usage_since(start);
    start = bench_usage_read();
    touch_pages(map, pages, page);
    const bench_usage_counts warm = bench_usage_since(start);
    cr_assert_geq(cold.minor_faults, pages);
    cr_assert_lt(cold.minor_faults, pages + 500, "%lu", cold.minor_faults);
    cr_assert_lt(warm.minor_faults, 100, "%lu", warm.minor_faults);
    cr_assert_eq(cold.major_faults, 0);
}

/** Reads how often this thread gave up its CPU (voluntary) or lost it. */
static struct rusage thread_usage(void)
{
    struct rusage usage;
    cr_assert_eq(getrusage(RUSAGE_THREAD, &usage), 0);
    return usage;
}

/** The counts are between those of the kernel just inside and just outside of the same interval. */
Test(isolation, switches_are_told_apart)
{
    const struct rusage outer = thread_usage();
    const bench_usage_counts start = bench_usage_read();
    const struct rusage inner = thread_usage();
    for (int i = 0; i < 20; i++) {
        usleep(100);
    }
    const struct rusage inner_end = thread_usage();
    const bench_usage_counts slept = bench_usage_since(start);
    const struct rusage outer_end = thread_usage();
    const long voluntary = (long)slept.voluntary_switches;
    const long involuntary = (long)slept.involuntary_switches;
    cr_assert_gt(voluntary, 0);
    cr_assert(voluntary >= inner_end.ru_nvcsw - inner.ru_nvcsw &&
                  voluntary <= outer_end.ru_nvcsw - outer.ru_nvcsw,
              "%ld voluntary switches", voluntary);
    cr_assert(involuntary >= inner_end.ru_nivcsw - inner.ru_nivcsw &&
                  involuntary <= outer_end.ru_nivcsw - outer.ru_nivcsw,
              "%ld involuntary switches", involuntary);
}

Test(isolation, contamination_is_a_major_fault_or_a_switch_in_a_thousand_frames)
{
    static const struct {
        bench_usage_counts pass;
        uint64_t frames;
        bool contaminated;
    } cases[] = {
        {{.voluntary_switches = 999, .minor_faults = 999999}, 10, false},
        {{.major_faults = 1}, 10000, true},
        {{.involuntary_switches = 1}, 999, true},
        {{.involuntary_switches = 1}, 1000, false},
        {{.involuntary_switches = 1}, 1001, false},
        {{.involuntary_switches = 2}, 1999, true},
        {{.involuntary_switches = 2}, 2000, false},
        {{.involuntary_switches = 0}, 1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_assert_eq(bench_contaminated(cases[i].pass, cases[i].frames), cases[i].contaminated,
                     "case %zu", i);
    }
}

Test(isolation, resident_memory_grows_by_what_is_touched_and_shrinks_again)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = 8192, slack = 512 * page;
    volatile char *const map = map_pages(pages, page);
    const uint64_t allocations = bench_allocations_count(), before = bench_rss_bytes();
    touch_pages(map, pages, page);
    const uint64_t touched = bench_rss_bytes();
    munmap((char *)(uintptr_t)map, pages * page);
    const uint64_t after = bench_rss_bytes();
    cr_assert_eq(bench_allocations_count(), allocations, "reading it allocates");
    cr_assert_gt(before, 0);
    cr_assert_geq(touched, before + pages * page - slack, "%lu, then %lu", before, touched);
    cr_assert_leq(touched, before + pages * page + slack, "%lu, then %lu", before, touched);
    cr_assert_leq(after, before + slack, "%lu, then %lu", before, after);
}

static void assert_outcome(const char *text)
{
    cr_assert(strcmp(text, "ok") == 0 || strncmp(text, "denied: ", 8) == 0, "'%s'", text);
}

Test(isolation, outcomes_are_what_the_kernel_did)
{
    bench_isolation isolation;
    cpu_set_t now;
    bench_isolation_apply(false, &isolation);
    assert_outcome(isolation.affinity);
    cr_assert_eq(strcmp(isolation.affinity, "ok") == 0, isolation.cpu >= 0);
    cr_assert_eq(sched_getaffinity(0, sizeof now, &now), 0);
    cr_assert(isolation.cpu < 0 ||
              (CPU_COUNT(&now) == 1 && CPU_ISSET((size_t)isolation.cpu, &now)));
    cr_assert_str_eq(isolation.memory_lock, "not asked");
    cr_assert_eq(strncmp(isolation.scheduler, "SCHED_", 6), 0, "'%s'", isolation.scheduler);
    cr_assert(strcmp(isolation.aslr, "unknown") == 0 || strncmp(isolation.aslr, "o", 1) == 0,
              "'%s'", isolation.aslr);
}

static uint64_t locked_kilobytes(void)
{
    FILE *const status = fopen("/proc/self/status", "r");
    char line[256];
    unsigned long kilobytes = 0;
    while (status && fgets(line, sizeof line, status)) {
        (void)sscanf(line, "VmLck: %lu", &kilobytes);
    }
    if (status) {
        fclose(status);
    }
    return kilobytes;
}

Test(isolation, pages_are_locked_where_asked)
{
#ifdef __SANITIZE_ADDRESS__
    cr_skip_test("skipped: never under sanitizers");
#endif
    bench_isolation isolation;
    bench_isolation_apply(true, &isolation);
    assert_outcome(isolation.memory_lock);
    cr_assert_eq(locked_kilobytes() > 0, strcmp(isolation.memory_lock, "ok") == 0, "'%s'",
                 isolation.memory_lock);
    /* Pages mapped later do not count against the limit. */
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = 4096;
    const uint64_t locked = locked_kilobytes();
    touch_pages(map_pages(pages, page), pages, page);
    cr_assert_lt(locked_kilobytes(), locked + pages * page / 1024);
}

Test(isolation, a_denial_is_told_with_its_reason)
{
#ifdef __SANITIZE_ADDRESS__
    cr_skip_test("skipped: never under sanitizers");
#endif
    const struct rlimit none = {0, 0};
    bench_isolation isolation;
    cr_assert_eq(setrlimit(RLIMIT_MEMLOCK, &none), 0);
    if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0) {
        cr_skip_test("skipped: nothing is denied to root");
    }
    bench_isolation_apply(true, &isolation);
    cr_assert_str_eq(isolation.memory_lock, "denied: Operation not permitted");
}
