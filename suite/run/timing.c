#include "suite/run/timing.h"

#include "suite/results/stats.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* --- Clock and caches ------------------------------------------------------------------------- */

enum { CLOCK_READS = 100000 };

/** Measures the current clock. Takes some milliseconds. */
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

static void lock(bool asked, char *text)
{
#ifdef __SANITIZE_ADDRESS__
    asked = false; /* AddressSanitizer maps terabytes of shadow memory */
#endif
    if (asked) {
        tell(text, mlockall(MCL_CURRENT | MCL_ONFAULT) == 0);
    } else {
        snprintf(text, BENCH_OUTCOME_BYTES, "not asked");
    }
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

static void find_aslr(char *text)
{
    char setting[16];
    const int persona = personality(0xffffffff); /* this argument reads the setting */
    const char *found = "unknown";
    if (persona != -1 && (persona & ADDR_NO_RANDOMIZE)) {
        found = "off for this process";
    } else if (read_text("/proc/sys/kernel/randomize_va_space", setting, sizeof setting)) {
        found = setting[0] == '0' ? "off" : "on";
    }
    snprintf(text, BENCH_OUTCOME_BYTES, "%s", found);
}

void bench_isolation_apply(bool lock_memory, bench_isolation *out)
{
    memset(out, 0, sizeof *out);
    out->cpu = pin();
    tell(out->affinity, out->cpu >= 0);
    lock(lock_memory, out->memory_lock);
    snprintf(out->scheduler, sizeof out->scheduler, "%s, nice %d",
             scheduler_name(sched_getscheduler(0)), getpriority(PRIO_PROCESS, 0));
    find_aslr(out->aslr);
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
    /* The second clock is read later, so without other threads it may be ahead of the first. */
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
    struct stat tasks; /* st_nlink: one for each thread, and the two of every folder */
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
