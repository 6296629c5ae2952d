#include "suite/run/counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

const bench_counter_event bench_hardware_events[BENCH_COUNTER_COUNT] = {
    [BENCH_INSTRUCTIONS] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    [BENCH_CYCLES] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    [BENCH_CACHE_MISSES] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
};

static int open_event(const bench_counter_event *event, int leader)
{
    struct perf_event_attr attributes = {
        .type = event->type,
        .size = sizeof attributes,
        .config = event->config,
        .read_format =
            PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
        .disabled = leader < 0, /* the other members are enabled with their leader */
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

/**
 * Reads perf_event_paranoid, the most frequent cause of a refusal; "unknown" if it cannot be read.
 */
static void read_paranoid(char *text, int size)
{
    FILE *const file = fopen("/proc/sys/kernel/perf_event_paranoid", "r");
    if (!file || !fgets(text, size, file)) {
        snprintf(text, (size_t)size, "unknown");
    }
    text[strcspn(text, "\n")] = '\0';
    if (file) {
        fclose(file);
    }
}

static void explain(int error, char *reason, size_t size)
{
    char paranoid[16];
    read_paranoid(paranoid, sizeof paranoid);
    const char *const what = error == ENOENT || error == EOPNOTSUPP || error == ENODEV
                                 ? "this machine has no such counter"
                             : error == ENOSYS                   ? "this kernel has no perf events"
                             : error == EACCES || error == EPERM ? "not permitted"
                                                                 : "refused";
    snprintf(reason, size, "not available: %s (%s; perf_event_paranoid %s)", what, strerror(error),
             paranoid);
}

void bench_counters_open(bench_counters *counters, const bench_counter_event *events, char *reason,
                         size_t reason_size)
{
    snprintf(reason, reason_size, "ok");
    memset(counters, 0, sizeof *counters);
    counters->leader = -1;
    for (int i = 0; i < BENCH_COUNTER_COUNT; i++) {
        counters->fds[i] = open_event(&events[i], counters->leader);
        if (counters->fds[i] < 0) {
            explain(errno, reason, reason_size);
        } else if (counters->leader < 0) {
            counters->leader = counters->fds[i];
        }
    }
    if (counters->leader >= 0) {
        /* Enabled once; start and stop take the difference of two readings. Some kernels lose
         * members of a group that is switched off and on, or that is enabled while members join. */
        ioctl(counters->leader, PERF_EVENT_IOC_ENABLE, 0);
    }
}

static bool read_group(const bench_counters *counters, struct bench_counter_reading *reading)
{
    /* The layout given by read_format, with the members in the order in which they were opened. */
    struct {
        uint64_t count, enabled_ns, running_ns, values[BENCH_COUNTER_COUNT];
    } group = {0};
    if (counters->leader < 0 || read(counters->leader, &group, sizeof group) <= 0) {
        return false;
    }
    reading->enabled_ns = group.enabled_ns;
    reading->running_ns = group.running_ns;
    for (int i = 0, member = 0; i < BENCH_COUNTER_COUNT; i++) {
        reading->values[i] = counters->fds[i] < 0 ? 0 : group.values[member++];
    }
    return true;
}

void bench_counters_start(bench_counters *counters)
{
    (void)read_group(counters, &counters->start);
}

void bench_counters_stop(bench_counters *counters, bench_counter_values *out)
{
    struct bench_counter_reading stop;
    memset(out, 0xff, sizeof *out);
    if (!read_group(counters, &stop)) {
        return;
    }
    const uint64_t running = stop.running_ns - counters->start.running_ns;
    const uint64_t enabled = stop.enabled_ns - counters->start.enabled_ns;
    for (int i = 0; i < BENCH_COUNTER_COUNT; i++) {
        if (counters->fds[i] >= 0 && running > 0 && running == enabled) {
            out->values[i] = stop.values[i] - counters->start.values[i];
        }
    }
}

void bench_counters_close(bench_counters *counters)
{
    for (int i = 0; i < BENCH_COUNTER_COUNT; i++) {
        if (counters->fds[i] >= 0) {
            close(counters->fds[i]);
        }
        counters->fds[i] = -1;
    }
    counters->leader = -1;
}
