/**
 * Tests the mechanism with software events that every kernel counts, because hardware events may be
 * missing.
 */
#include "suite/run/counters.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

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
        cr_assert_lt(values.values[PAGE_FAULTS], 150, "round %d: %lu", round,
                     values.values[PAGE_FAULTS]);
        cr_assert_geq(values.values[TASK_CLOCK], 2000000, "round %d: %lu", round,
                      values.values[TASK_CLOCK]);
        cr_assert_lt(values.values[TASK_CLOCK], all + 1000000, "round %d: %lu of %lu", round,
                     values.values[TASK_CLOCK], all);
    }
    bench_counters_close(&counters);
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
        bench_counters_close(&counters);
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
    bench_counters_close(&counters);
}

Test(counters, a_closed_group_counts_nothing)
{
    bench_counters counters;
    bench_counter_values values;
    char reason[160];
    bench_counters_open(&counters, software_events, reason, sizeof reason);
    bench_counters_close(&counters);
    const int other = open("/dev/null", O_RDONLY); /* gets the number of a descriptor that was
                                                      closed */
    bench_counters_close(&counters);
    cr_assert_neq(fcntl(other, F_GETFD), -1, "a descriptor of another owner is closed");
    close(other);
    bench_counters_start(&counters);
    bench_counters_stop(&counters, &values);
    for (int i = 0; i < BENCH_COUNTER_COUNT; i++) {
        cr_assert_eq(values.values[i], BENCH_COUNTER_NONE, "%d", i);
    }
}
