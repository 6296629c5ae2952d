#include "suite/clock.h"

#include <stdio.h>
#include <unistd.h>

static const uint64_t second_ns = 1000000000u;

/** "42 s", "3 min", "2 h 5 min". */
static void format_duration(double seconds, char *text, size_t size)
{
    if (seconds < 99.5) {
        snprintf(text, size, "%.0f s", seconds);
    } else if (seconds < 99.5 * 60) {
        snprintf(text, size, "%.0f min", seconds / 60);
    } else {
        const double minutes = seconds / 60;
        snprintf(text, size, "%.0f h %.0f min", (double)(long)(minutes / 60),
                 minutes - 60 * (double)(long)(minutes / 60));
    }
}

bench_progress bench_progress_start(const char *label, bool quiet)
{
    const uint64_t now = bench_now_ns();
    return (bench_progress){.label = label,
                            .start_ns = now,
                            .last_ns = now,
                            .quiet = quiet,
                            .live = isatty(STDERR_FILENO) != 0};
}

void bench_progress_update(bench_progress *progress, size_t done, size_t total)
{
    if (progress->quiet) {
        return;
    }
    const uint64_t now = bench_now_ns();
    const uint64_t pause = !progress->live   ? 10 * second_ns
                           : progress->shown ? second_ns / 10
                                             : second_ns;
    if (now - progress->last_ns < pause) {
        return;
    }
    progress->last_ns = now;
    progress->shown = true;
    const double elapsed = (double)(now - progress->start_ns) / (double)second_ns;
    const double rate = (double)done / elapsed;
    char left[64] = "";
    if (done > 0 && done <= total) {
        char duration[48];
        format_duration((double)(total - done) / rate, duration, sizeof duration);
        snprintf(left, sizeof left, ", %s left", duration);
    }
    const double share = total > 0 ? 100.0 * (double)done / (double)total : 0;
    fprintf(stderr, "%s%s: %zu of %zu (%.0f %%), %.3g/s%s%s", progress->live ? "\r\033[K" : "",
            progress->label, done, total, share, rate, left, progress->live ? "" : "\n");
    fflush(stderr);
}

void bench_progress_end(bench_progress *progress)
{
    if (progress->shown && progress->live) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    progress->shown = false;
}
