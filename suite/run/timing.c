#include "suite/run/timing.h"

#include "suite/results/stats.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <malloc.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* --- Clock and caches ------------------------------------------------------------------------- */

enum { CLOCK_READS = 100000 };

/** Measures the cost of the current clock. Takes some milliseconds. */
static bench_clock_cost measure_clock(void)
{
    uint64_t gaps[CLOCK_READS];
    memset(gaps, 1, sizeof gaps); /* touch all pages before the loop */
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
    /* A system call costs several times a read in user space; smaller differences are noise. */
    return raw->median_ns <= 2 * monotonic->median_ns;
}

clockid_t bench_clock_choose(bench_clock_cost *cost)
{
    bench_clock_set(CLOCK_MONOTONIC);
    const bench_clock_cost monotonic = measure_clock();
    bench_clock_set(CLOCK_MONOTONIC_RAW);
    *cost = measure_clock();
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

void bench_evict_caches(void *buffer)
{
    volatile char *const bytes = buffer;
    for (int i = 0; i < BENCH_EVICT_BYTES; i += 64) {
        bytes[i]++;
    }
}

/* --- Isolation and disturbances --------------------------------------------------------------- */

/** Reads a small file without heap allocations, because allocations may be counted. */
static bool read_text(const char *path, char *text, size_t size)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = fd < 0 ? -1 : read(fd, text, size - 1);
    text[length > 0 ? length : 0] = '\0';
    if (fd >= 0) {
        close(fd);
    }
    return length > 0;
}

static void tell(char *text, bool granted)
{
    if (granted) {
        snprintf(text, BENCH_OUTCOME_BYTES, "ok");
    } else {
        snprintf(text, BENCH_OUTCOME_BYTES, "denied: %s", strerror(errno));
    }
}

/** Binds the thread to the highest CPU that is allowed. Returns it, or -1 with errno. */
static int pin(void)
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

static const char *scheduler_name(int class)
{
    switch (class & ~SCHED_RESET_ON_FORK) {
    case SCHED_OTHER:
        return "SCHED_OTHER";
    case SCHED_BATCH:
        return "SCHED_BATCH";
    case SCHED_IDLE:
        return "SCHED_IDLE";
    case SCHED_FIFO:
        return "SCHED_FIFO";
    case SCHED_RR:
        return "SCHED_RR";
    default:
        return "unknown";
    }
}

void bench_isolation_apply(bool lock_memory, bench_isolation *out)
{
    memset(out, 0, sizeof *out);
    out->cpu = pin();
    tell(out->affinity, out->cpu >= 0);
#ifdef __SANITIZE_ADDRESS__
    lock_memory = false; /* AddressSanitizer maps terabytes of shadow memory */
#endif
    if (lock_memory) {
        tell(out->memory_lock, mlockall(MCL_CURRENT | MCL_ONFAULT) == 0);
    } else {
        snprintf(out->memory_lock, sizeof out->memory_lock, "not asked");
    }
    snprintf(out->scheduler, sizeof out->scheduler, "%s, nice %d",
             scheduler_name(sched_getscheduler(0)), getpriority(PRIO_PROCESS, 0));
    char setting[16];
    const int persona = personality(0xffffffff); /* this argument only reads the setting */
    const char *aslr = "unknown";
    if (persona != -1 && (persona & ADDR_NO_RANDOMIZE)) {
        aslr = "off for this process";
    } else if (read_text("/proc/sys/kernel/randomize_va_space", setting, sizeof setting)) {
        aslr = setting[0] == '0' ? "off" : "on";
    }
    snprintf(out->aslr, sizeof out->aslr, "%s", aslr);
}

static uint64_t nanoseconds_of(clockid_t clock)
{
    struct timespec t = {0};
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t nanoseconds(struct timeval t)
{
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_usec * 1000u;
}

bench_cpu_time bench_cpu_read(void)
{
    struct rusage children = {0};
    getrusage(RUSAGE_CHILDREN, &children);
    const uint64_t process_ns = nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID);
    const uint64_t own_ns = nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
    /* Without other threads, own_ns may be larger than process_ns, because it is read later. */
    const uint64_t threads_ns = process_ns > own_ns ? process_ns - own_ns : 0;
    return (bench_cpu_time){own_ns, threads_ns + nanoseconds(children.ru_utime) +
                                        nanoseconds(children.ru_stime)};
}

bench_cpu_time bench_cpu_since(bench_cpu_time start)
{
    const bench_cpu_time now = bench_cpu_read();
    return (bench_cpu_time){now.own_ns - start.own_ns,
                            now.others_ns > start.others_ns ? now.others_ns - start.others_ns : 0};
}

uint64_t bench_threads_count(void)
{
    struct stat tasks; /* st_nlink is the number of threads, plus the two links of every folder */
    return stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink > 2 ? tasks.st_nlink - 2 : 0;
}

bench_usage_counts bench_usage_read(void)
{
    struct rusage usage = {0};
    getrusage(RUSAGE_THREAD, &usage);
    return (bench_usage_counts){
        .involuntary_switches = (uint64_t)usage.ru_nivcsw,
        .voluntary_switches = (uint64_t)usage.ru_nvcsw,
        .major_faults = (uint64_t)usage.ru_majflt,
        .minor_faults = (uint64_t)usage.ru_minflt,
    };
}

bench_usage_counts bench_usage_since(bench_usage_counts start)
{
    const bench_usage_counts now = bench_usage_read();
    return (bench_usage_counts){
        .involuntary_switches = now.involuntary_switches - start.involuntary_switches,
        .voluntary_switches = now.voluntary_switches - start.voluntary_switches,
        .major_faults = now.major_faults - start.major_faults,
        .minor_faults = now.minor_faults - start.minor_faults,
    };
}

bool bench_contaminated(bench_usage_counts pass, uint64_t frames)
{
    return pass.major_faults > 0 || pass.involuntary_switches > frames / 1000;
}

uint64_t bench_rss_bytes(void)
{
    char text[128]; /* "size resident shared ...", in pages */
    if (!read_text("/proc/self/statm", text, sizeof text)) {
        return 0;
    }
    const char *const second = strchr(text, ' ');
    return second ? strtoull(second, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

/* --- Hardware counters ------------------------------------------------------------------------ */

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
 * Writes the reason of a refusal, and the value of perf_event_paranoid, which is the most frequent
 * cause.
 */
static void explain(int error, char *reason, size_t size)
{
    char paranoid[16];
    if (!read_text("/proc/sys/kernel/perf_event_paranoid", paranoid, sizeof paranoid)) {
        snprintf(paranoid, sizeof paranoid, "unknown");
    }
    paranoid[strcspn(paranoid, "\n")] = '\0';
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
        /* The group is enabled once, when it is complete; a count is the difference of two
         * readings. Some kernels lose members of a group that is switched off and on, or that is
         * enabled before all members have joined. */
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

/* --- Allocations ------------------------------------------------------------------------------ */

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define COUNTED 1
#else
#define COUNTED 0
#endif

/* Global, because the C library's allocation functions have no context argument. */
static atomic_uint_fast64_t calls;
/* Where to write the number of failures: memory that the supervisor can read after this process has
 * died; or NULL. */
static _Atomic(uint64_t *) report;

uint64_t bench_allocations_count(void)
{
    return COUNTED ? atomic_load_explicit(&calls, memory_order_relaxed) : UINT64_MAX;
}

void bench_allocations_report_failures(uint64_t *count)
{
    atomic_store(&report, count);
}

#if COUNTED

static atomic_uint_fast64_t failures;

/* glibc's internal names, which stay available when a program replaces the public functions. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

/**
 * Counts a call and returns the block. Leaves errno unchanged, so that the caller sees the value of
 * the C library.
 */
static void *counted(void *block, bool succeeded)
{
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    if (!succeeded) {
        const uint64_t now = 1 + atomic_fetch_add_explicit(&failures, 1, memory_order_relaxed);
        uint64_t *const told = atomic_load_explicit(&report, memory_order_relaxed);
        if (told) {
            *told = now;
        }
    }
    return block;
}

void *malloc(size_t size)
{
    void *const block = __libc_malloc(size);
    return counted(block, block);
}

void *calloc(size_t count, size_t size)
{
    void *const block = __libc_calloc(count, size);
    return counted(block, block);
}

void *realloc(void *old, size_t size)
{
    void *const block = __libc_realloc(old, size);
    return counted(block, block || (old && size == 0)); /* glibc frees a block of size 0 */
}

void *reallocarray(void *old, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return counted(NULL, false);
    }
    return realloc(old, bytes);
}

void *memalign(size_t alignment, size_t size)
{
    void *const block = __libc_memalign(alignment, size);
    return counted(block, block);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) {
        (void)counted(NULL, false);
        return EINVAL;
    }
    const int before = errno;
    void *const aligned = memalign(alignment, size);
    errno = before; /* posix_memalign reports errors by its result only */
    if (!aligned) {
        return ENOMEM;
    }
    *block = aligned;
    return 0;
}

void *valloc(size_t size)
{
    return memalign((size_t)sysconf(_SC_PAGESIZE), size);
}

void *pvalloc(size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t padded;
    if (__builtin_add_overflow(size, page - 1, &padded)) {
        errno = ENOMEM;
        return counted(NULL, false);
    }
    return memalign(page, padded / page * page);
}

#endif
