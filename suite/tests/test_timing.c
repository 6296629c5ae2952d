#include "suite/run/timing.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
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

/* --- Hardware counters ------------------------------------------------------------------------ */

/* The tests use software events, which every kernel counts; hardware events may be missing. */

enum { TASK_CLOCK, PAGE_FAULTS, THIRD };

static const bench_counter_event software_events[BENCH_COUNTER_COUNT] = {
    [TASK_CLOCK] = {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    [PAGE_FAULTS] = {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    [THIRD] = {PERF_TYPE_SOFTWARE, UINT32_MAX}, /* no such event */
};

static uint64_t thread_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void touch_new_pages(size_t pages)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *const map =
        mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(map, MAP_FAILED);
    volatile char *const p = map;
    madvise(map, pages * page, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < pages; i++) {
        p[i * page] = 1;
    }
    munmap(map, pages * page);
}

static void spin(uint64_t ns)
{
    for (const uint64_t end = thread_ns() + ns; thread_ns() < end;) {
    }
}

Test(counters, software_events_count_what_happens_between_start_and_stop)
{
    bench_counters counters;
    bench_counter_values values;
    char reason[160];
    bench_counters_open(&counters, software_events, reason, sizeof reason);
    if (counters.leader < 0) {
        cr_skip_test("skipped: this kernel counts nothing");
    }
    for (int round = 0; round < 3; round++) {
        touch_new_pages(500); /* outside of start and stop: not counted */
        spin(3000000);
        const uint64_t before = thread_ns();
        bench_counters_start(&counters);
        touch_new_pages(100);
        spin(2000000);
        bench_counters_stop(&counters, &values);
        const uint64_t all = thread_ns() - before;
        cr_assert_geq(values.values[PAGE_FAULTS], 100, "round %d: %lu", round,
                      values.values[PAGE_FAULTS]);
        cr_assert_lt(values.values[PAGE_FAULTS], 200, "round %d: %lu", round,
                     values.values[PAGE_FAULTS]);
        /* The kernel keeps two clocks of a thread. They differ on a busy machine. */
        cr_assert(values.values[TASK_CLOCK] >= 1000000 &&
                      values.values[TASK_CLOCK] < 2 * all + 1000000,
                  "round %d: %lu of %lu", round, values.values[TASK_CLOCK], all);
    }
}

Test(counters, an_event_that_is_refused_is_not_available_alone)
{
    for (int refused = 0; refused < BENCH_COUNTER_COUNT; refused++) {
        bench_counter_event events[BENCH_COUNTER_COUNT];
        bench_counters counters;
        bench_counter_values values;
        char reason[160];
        for (int i = 0; i < BENCH_COUNTER_COUNT; i++) {
            events[i] = software_events[i == refused ? THIRD : PAGE_FAULTS];
        }
        bench_counters_open(&counters, events, reason, sizeof reason);
        if (counters.leader < 0) {
            cr_skip_test("skipped: this kernel counts nothing");
        }
        cr_assert_eq(strncmp(reason, "not available: ", 15), 0, "%s", reason);
        bench_counters_start(&counters);
        touch_new_pages(10);
        bench_counters_stop(&counters, &values);
        for (int i = 0; i < BENCH_COUNTER_COUNT; i++) {
            cr_assert(i == refused ? values.values[i] == BENCH_COUNTER_NONE
                                   : values.values[i] >= 10 && values.values[i] < 100,
                      "event %d of those without %d: %lu", i, refused, values.values[i]);
        }
    }
}

/** Executes at least one instruction per turn, at most a few dozen. */
static void turn(size_t turns)
{
    for (volatile size_t i = 0; i < turns; i++) {
    }
}

static bool is_none(uint64_t value)
{
    return value == BENCH_COUNTER_NONE;
}

Test(counters, hardware_events_are_counted_or_a_reason_is_given)
{
    bench_counters counters;
    char reason[160];
    bench_counters_open(&counters, bench_hardware_events, reason, sizeof reason);
    const bool all = strcmp(reason, "ok") == 0;
    cr_assert(all || strncmp(reason, "not available: ", 15) == 0, "%s", reason);
    cr_log_info("%s", reason);
    for (size_t turns = 1000000; turns <= 4000000; turns *= 2) {
        bench_counter_values values;
        bench_counters_start(&counters);
        turn(turns);
        bench_counters_stop(&counters, &values);
        const uint64_t instructions = values.values[BENCH_INSTRUCTIONS];
        const uint64_t cycles = values.values[BENCH_CYCLES];
        cr_assert(is_none(instructions) || (instructions >= turns && instructions < 50 * turns),
                  "%zu turns: %lu instructions", turns, instructions);
        cr_assert(is_none(cycles) || (cycles >= turns / 8 && cycles < 200 * turns),
                  "%zu turns: %lu cycles", turns, cycles);
        cr_assert(all || is_none(instructions) || is_none(cycles) ||
                  is_none(values.values[BENCH_CACHE_MISSES]));
    }
}

/* --- Allocations ------------------------------------------------------------------------------ */

static uint64_t failed; /* number of failures, if bench_allocations_report_failures has it */

/** Skips the test with sanitizers, which replace the counting functions. */
static void skip_where_nothing_counts(void)
{
    if (bench_allocations_count() == UINT64_MAX) {
        cr_skip_test("skipped: this build cannot count");
    }
}

/* Volatile, so that the compiler cannot remove allocations of unused blocks. */
static void *volatile block;

static void keep(void *allocated)
{
    block = allocated;
    cr_assert_not_null(allocated);
}

static void take_malloc(size_t size)
{
    keep(malloc(size));
}

static void take_calloc(size_t size)
{
    keep(calloc(3, size));
}

static void take_realloc(size_t size)
{
    keep(realloc(NULL, size));
}

static void take_reallocarray(size_t size)
{
    keep(reallocarray(NULL, 3, size));
}

static void take_aligned_alloc(size_t size)
{
    keep(aligned_alloc(64, size * 64));
    cr_assert_eq((uintptr_t)block % 64, 0);
}

static void take_posix_memalign(size_t size)
{
    void *allocated = NULL;
    cr_assert_eq(posix_memalign(&allocated, 4096, size), 0);
    cr_assert_eq((uintptr_t)allocated % 4096, 0);
    keep(allocated);
}

static void take_memalign(size_t size)
{
    keep(memalign(128, size));
    cr_assert_eq((uintptr_t)block % 128, 0);
}

static void take_valloc(size_t size)
{
    keep(valloc(size));
    cr_assert_eq((uintptr_t)block % (uintptr_t)sysconf(_SC_PAGESIZE), 0);
}

static void take_pvalloc(size_t size)
{
    keep(pvalloc(size));
    cr_assert_geq(malloc_usable_size(block), (size_t)sysconf(_SC_PAGESIZE));
}

/** Functions of the C library also allocate. */
static void take_strdup(size_t size)
{
    static char text[1024];
    memset(text, 'x', size);
    text[size] = '\0';
    keep(strdup(text));
}

static const struct {
    const char *name;
    void (*take)(size_t size);
} ways[] = {
    {"malloc", take_malloc},
    {"calloc", take_calloc},
    {"realloc", take_realloc},
    {"reallocarray", take_reallocarray},
    {"aligned_alloc", take_aligned_alloc},
    {"posix_memalign", take_posix_memalign},
    {"memalign", take_memalign},
    {"valloc", take_valloc},
    {"pvalloc", take_pvalloc},
    {"strdup", take_strdup},
};

Test(allocations, each_way_to_allocate_counts_once)
{
    skip_where_nothing_counts();
    bench_allocations_report_failures(&failed);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        for (size_t size = 1; size <= 1000; size += 333) {
            const uint64_t before = bench_allocations_count();
            ways[w].take(size);
            const uint64_t count = bench_allocations_count() - before;
            cr_assert_eq(count, 1, "%s of %zu: %lu", ways[w].name, size, count);
            memset(block, 0x55, size);
            free(block);
            cr_assert_eq(bench_allocations_count() - before, 1, "free after %s", ways[w].name);
            cr_assert_eq(failed, 0, "%s", ways[w].name);
        }
    }
}

Test(allocations, a_block_keeps_its_content_when_it_grows)
{
    skip_where_nothing_counts();
    unsigned char *grown = malloc(16);
    const uint64_t before = bench_allocations_count();
    memset(grown, 7, 16);
    for (size_t size = 32; size <= 1 << 20; size *= 2) {
        grown = realloc(grown, size);
        cr_assert_not_null(grown, "%zu", size);
        for (size_t i = 0; i < 16; i++) {
            cr_assert_eq(grown[i], 7, "byte %zu of %zu", i, size);
        }
    }
    cr_assert_eq(bench_allocations_count() - before, 16);
    free(grown);
}

Test(allocations, a_library_opened_later_is_counted)
{
    skip_where_nothing_counts();
    void *const library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        cr_skip_test("skipped: no C++ library here");
    }
    void *(*new_bytes)(size_t);
    void (*delete_bytes)(void *);
    *(void **)&new_bytes = dlsym(library, "_Znwm"); /* operator new(size_t) */
    *(void **)&delete_bytes = dlsym(library, "_ZdlPv");
    cr_assert(new_bytes && delete_bytes);
    delete_bytes(new_bytes(1));
    const uint64_t before = bench_allocations_count();
    for (int i = 0; i < 1000; i++) {
        delete_bytes(new_bytes(100));
    }
    cr_assert_eq(bench_allocations_count() - before, 1000);
}

static void *allocate_often(void *unused)
{
    for (int i = 0; i < 100000; i++) {
        void *volatile mine = malloc(8);
        free(mine);
    }
    return unused;
}

Test(allocations, all_threads_are_counted)
{
    skip_where_nothing_counts();
    pthread_t threads[4];
    allocate_often(NULL);
    const uint64_t before = bench_allocations_count();
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(pthread_create(&threads[i], NULL, allocate_often, NULL), 0);
    }
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(pthread_join(threads[i], NULL), 0);
    }
    const uint64_t count = bench_allocations_count() - before;
    cr_assert_geq(count, 400000);
    cr_assert_lt(count, 400100, "%lu: a thread's own set-up takes a few", count);
}

/** Runs in a child process. Returns the number of failed checks as exit status. */
static int failures_of_a_limited_process(void)
{
    const struct rlimit none = {1 << 20, 1 << 20};
    const size_t size = (size_t)1 << 28;
    if (setrlimit(RLIMIT_DATA, &none) != 0) {
        return 1;
    }
    /* The compiler assumes (-fno-math-errno) that malloc does not change errno. Volatile hides
     * malloc from it. */
    void *(*volatile allocate)(size_t) = malloc;
    const uint64_t count = bench_allocations_count();
    bench_allocations_report_failures(&failed);
    errno = 0;
    block = allocate(size);
    if (block || errno != ENOMEM || failed == 0) {
        return 2;
    }
    const uint64_t first = failed;
    block = calloc(2, size);
    block = block ? block : realloc(NULL, size);
    block = block ? block : aligned_alloc(64, size);
    block = block ? block : memalign(64, size);
    void *aligned = &errno;
    errno = EDOM;
    if (block || posix_memalign(&aligned, 64, size) != ENOMEM || aligned != &errno ||
        errno != EDOM) {
        return 3;
    }
    if (bench_allocations_count() - count != 6 || failed - first != 5) {
        return 4;
    }
    return 0;
}

Test(allocations, one_that_fails_is_counted_and_says_so)
{
    skip_where_nothing_counts();
    const pid_t child = fork();
    if (child == 0) {
        _exit(failures_of_a_limited_process());
    }
    int status = -1;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status 0x%x", (unsigned)status);
}

Test(allocations, arguments_that_cannot_be_met_are_refused)
{
    skip_where_nothing_counts();
    volatile size_t huge = SIZE_MAX / 2, three = 3, zero = 0;
    void *aligned = &errno;
    bench_allocations_report_failures(&failed);
    errno = 0;
    cr_assert_null(reallocarray(NULL, huge, three));
    cr_assert_eq(errno, ENOMEM);
    const uint64_t first = failed;
    errno = 0;
    cr_assert_null(pvalloc(huge * 2 + 1));
    cr_assert_eq(errno, ENOMEM);
    cr_assert_eq(posix_memalign(&aligned, three * 8, 1), EINVAL);
    cr_assert_eq(posix_memalign(&aligned, zero, 1), EINVAL);
    cr_assert_eq(posix_memalign(&aligned, three + 1, 1), EINVAL, "less than a pointer");
    cr_assert_eq(aligned, (void *)&errno);
    cr_assert_eq(failed - first, 4);
    void *(*volatile allocate)(size_t) = malloc;
    errno = EDOM;
    block = allocate(10);
    cr_assert_eq(errno, EDOM, "a success leaves errno alone");
    cr_assert_null(realloc(block, zero), "glibc frees");
    cr_assert_eq(failed - first, 4);
}
