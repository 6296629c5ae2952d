/**
 * The processor's own counters (perf_event_open), where kernel and machine have them.
 *
 * They count what the calling thread does in user space: work of other threads, of the kernel and
 * of other processes is not in them.
 */
#ifndef SUITE_COUNTERS_H
#define SUITE_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

enum {
    BENCH_INSTRUCTIONS,
    BENCH_CYCLES,
    BENCH_CACHE_MISSES, /* of the last level */
    BENCH_COUNTER_COUNT
};

/** An event to count: type and config of a perf event. */
typedef struct bench_counter_event {
    uint32_t type;
    uint64_t config;
} bench_counter_event;

/** In the order of the enumeration above. */
extern const bench_counter_event bench_hardware_events[BENCH_COUNTER_COUNT];

/** A value that is not available. */
#define BENCH_COUNTER_NONE UINT64_MAX

/** Counts between start and stop, BENCH_COUNTER_NONE where they are not known. */
typedef struct bench_counter_values {
    uint64_t values[BENCH_COUNTER_COUNT];
} bench_counter_values;

typedef struct bench_counters {
    int fds[BENCH_COUNTER_COUNT]; /* -1: not available */
    int leader;                   /* of the group: one of fds, or -1 */
    struct bench_counter_reading {
        uint64_t enabled_ns, running_ns;
        uint64_t values[BENCH_COUNTER_COUNT];
    } start;
} bench_counters;

/**
 * Opens a group that is counted together, for the calling thread alone.
 * events: BENCH_COUNTER_COUNT of them, bench_hardware_events outside tests.
 *
 * It cannot fail: what the kernel refuses is not available, and `reason` says why ("not available:
 * ..."); "ok" when all are. Each event is refused alone.
 */
void bench_counters_open(bench_counters *counters, const bench_counter_event *events, char *reason,
                         size_t reason_size);

/** Reads the counters: what happens from here on counts. */
void bench_counters_start(bench_counters *counters);
/**
 * Values of a group that the kernel had to share the counters with somebody else for are not
 * available: an extrapolated count is no count.
 */
void bench_counters_stop(bench_counters *counters, bench_counter_values *out);

void bench_counters_close(bench_counters *counters);

#endif
