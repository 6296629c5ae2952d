#include "suite/message.h"

#include "groundtruth/body/tetgen.h"
#include "suite/clock.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/** Prints one line, which replaces a progress line on a terminal. kind: "error: ", or "". */
static void print_line(const char *kind, const char *format, va_list arguments)
{
    char text[2048];
    vsnprintf(text, sizeof text, format, arguments);
    fprintf(stderr, "%sproxbench: %s%s\n", isatty(STDERR_FILENO) ? "\r\033[K" : "", kind, text);
}

int bench_error(const base_error *err)
{
    fprintf(stderr, "%sproxbench: error: %s\n", isatty(STDERR_FILENO) ? "\r\033[K" : "", err->text);
    return bench_interrupted()                ? BENCH_INTERRUPTED
           : err->status == BASE_ERR_ARGUMENT ? BENCH_USAGE
                                              : BENCH_INPUT;
}

int bench_usage_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("error: ", format, arguments);
    va_end(arguments);
    return BENCH_USAGE;
}

void bench_warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("warning: ", format, arguments);
    va_end(arguments);
}

void bench_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("", format, arguments);
    va_end(arguments);
}

/* --- Progress --------------------------------------------------------------------------------- */

static const uint64_t second_ns = 1000000000u;

void bench_duration_format(double seconds, char *text, size_t size)
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
                            .left_s = NAN,
                            .start_ns = now,
                            .last_ns = now,
                            .quiet = quiet,
                            .live = isatty(STDERR_FILENO) != 0};
}

void bench_progress_work(bench_progress *progress, const char *what)
{
    static const char cut[] = "...";
    const size_t most = sizeof progress->work - sizeof cut;
    const bool fits = strlen(what) < sizeof progress->work;
    snprintf(progress->work, sizeof progress->work, "%.*s%s", (int)(fits ? strlen(what) : most),
             what, fits ? "" : cut);
}

void bench_progress_update(bench_progress *progress, size_t done, size_t total)
{
    if (progress->quiet) {
        return;
    }
    const uint64_t now = bench_now_ns();
    const uint64_t pause = !progress->live   ? 10 * second_ns
                           : progress->shown ? second_ns / 10
                                             : second_ns / 2;
    if (now - progress->last_ns < pause) {
        return;
    }
    progress->last_ns = now;
    progress->shown = true;
    const double elapsed = (double)(now - progress->start_ns) / (double)second_ns;
    const double rate = (double)done / elapsed;
    char left[64] = "";
    if (!isnan(progress->left_s) || (done > 0 && done <= total)) {
        char duration[48];
        const double by_rate_s = (double)(total - done) / rate;
        bench_duration_format(isnan(progress->left_s) ? by_rate_s : progress->left_s, duration,
                              sizeof duration);
        snprintf(left, sizeof left, ", %s left", duration);
    }
    const double share = total > 0 ? 100.0 * (double)done / (double)total : 0;
    fprintf(stderr, "%s%s: %zu of %zu (%.0f %%), %.3g/s%s%s%s%s", progress->live ? "\r\033[K" : "",
            progress->label, done, total, share, rate, left, *progress->work ? ": " : "",
            progress->work, progress->live ? "" : "\n");
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

/* --- Interrupts ------------------------------------------------------------------------------- */

/** Set by the handler, polled by commands. */
static volatile sig_atomic_t interrupted;

/**
 * True if the signal was sent by a process in the process group of one of our children. Such
 * signals are ignored, because a contestant that signals its parent must not end the run. Calls
 * only functions that a signal handler may call. With WNOWAIT, waitid only checks whether the group
 * contains a child.
 */
static bool is_from_child(const siginfo_t *signal)
{
    const bool from_process = signal->si_code <= 0; /* sent by kill or similar, not by a terminal */
    const pid_t group = from_process ? getpgid(signal->si_pid) : -1;
    siginfo_t ignored;
    return group > 0 && group != getpgrp() &&
           waitid(P_PGID, (id_t)group, &ignored, WEXITED | WNOHANG | WNOWAIT) == 0;
}

const char *volatile bench_scratch_file;

/** The kernel ends all other programs with this process. TetGen would leave files behind. */
void bench_leave(int exit_status)
{
    const char *const file = bench_scratch_file;
    gt_tetgen_abandon();
    if (file) {
        unlink(file);
    }
    _exit(exit_status);
}

static void on_leave(int number, siginfo_t *signal, void *context)
{
    (void)number, (void)context;
    const int before = errno;
    if (!is_from_child(signal)) {
        bench_leave(BENCH_INTERRUPTED);
    }
    errno = before;
}

/* `timeout` sends its signal to the process and then to its group. Two signals within this time
 * count as one. */
static const uint64_t echo_ns = 100000000;
static volatile uint64_t interrupted_ns;

static void on_interrupt(int number, siginfo_t *signal, void *context)
{
    (void)number, (void)context;
    const int before = errno;
    const bool from_child = is_from_child(signal);
    if (!from_child && !interrupted) {
        interrupted = 1;
        interrupted_ns = bench_now_ns();
    } else if (!from_child && bench_now_ns() - interrupted_ns > echo_ns) {
        bench_leave(BENCH_INTERRUPTED);
    }
    errno = before;
}

static void handle_signals(void (*handler)(int, siginfo_t *, void *))
{
    /* Without SA_RESTART, so that blocking calls return and the flag is checked. Each signal blocks
     * the other during the handler. */
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

void bench_leave_at_interrupts(void)
{
    handle_signals(on_leave);
}

void bench_catch_interrupts(void)
{
    handle_signals(on_interrupt);
}

bool bench_interrupted(void)
{
    return interrupted != 0;
}
