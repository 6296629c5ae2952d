/** How far a long job is, on stderr. */
#ifndef SUITE_PROGRESS_H
#define SUITE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * A line with share done, rate and time left: live on a terminal after one second; elsewhere a
 * line every ten seconds. Silent when quiet.
 */
typedef struct bench_progress {
    const char *label; /* borrowed */
    uint64_t start_ns, last_ns;
    bool quiet, live, shown;
} bench_progress;

bench_progress bench_progress_start(const char *label, bool quiet);
void bench_progress_update(bench_progress *progress, size_t done, size_t total);
void bench_progress_end(bench_progress *progress);

/** CLOCK_MONOTONIC_RAW. */
uint64_t bench_now_ns(void);

#endif
