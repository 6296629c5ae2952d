/**
 * The hardware performance counters of the processor (perf_event_open), if kernel and machine have
 * them.
 *
 * They count the calling thread in user space only. They exclude other threads, the kernel and
 * other processes.
 */
#ifndef SUITE_COUNTERS_H
#define SUITE_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

enum {
    BENCH_INSTRUCTIONS,
    BENCH_CYCLES,
    BENCH_CACHE_MISSES, /* misses of the last-level cache */
    BENCH_COUNTER_COUNT
};

/** Type and config of a perf event to be counted. */
typedef struct bench_counter_event {
    uint32_t type;
    uint64_t config;
} bench_counter_event;

/** The events in the order of the enumeration above. */
extern const bench_counter_event bench_hardware_events[BENCH_COUNTER_COUNT];

/** The value of a counter that is not available. */
#define BENCH_COUNTER_NONE UINT64_MAX

/** Counts between start and stop; BENCH_COUNTER_NONE if not available. */
typedef struct bench_counter_values {
    uint64_t values[BENCH_COUNTER_COUNT];
} bench_counter_values;

typedef struct bench_counters {
    int fds[BENCH_COUNTER_COUNT]; /* -1: not available */
    int leader;                   /* file descriptor of the group leader (one of fds), or -1 */
    struct bench_counter_reading {
        uint64_t enabled_ns, running_ns;
        uint64_t values[BENCH_COUNTER_COUNT];
    } start;
} bench_counters;

/**
 * Opens one group of counters for the calling thread. events: BENCH_COUNTER_COUNT entries;
 * bench_hardware_events outside of tests.
 *
 * It cannot fail. Each event that the kernel refuses is not available, and `reason` gives the cause
 * ("not available: ..."). `reason` is "ok" if all events are available.
 */
void bench_counters_open(bench_counters *counters, const bench_counter_event *events, char *reason,
                         size_t reason_size);

/** Reads the start values of the counters. */
void bench_counters_start(bench_counters *counters);
/**
 * Sets *out to the counts since the start. If the kernel multiplexed the counters with other users,
 * all values are BENCH_COUNTER_NONE, because an extrapolated count is not exact.
 */
void bench_counters_stop(bench_counters *counters, bench_counter_values *out);

void bench_counters_close(bench_counters *counters);

#endif
