#include "suite/message.h"

#include "base/error.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/** Set by the handler, polled by commands. */
static volatile sig_atomic_t interrupted;

/** One line, in place of a progress line that may stand there. */
static void print_line(const char *kind, const char *format, va_list arguments)
{
    char text[2048];
    vsnprintf(text, sizeof text, format, arguments);
    fprintf(stderr, "%sproxbench: %s: %s\n", isatty(STDERR_FILENO) ? "\r\033[K" : "", kind, text);
}

int bench_error(const base_error *err)
{
    fprintf(stderr, "%sproxbench: error: %s\n", isatty(STDERR_FILENO) ? "\r\033[K" : "", err->text);
    return err->status == BASE_ERR_ARGUMENT ? BENCH_USAGE : BENCH_INPUT;
}

int bench_usage_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("error", format, arguments);
    va_end(arguments);
    return BENCH_USAGE;
}

void bench_warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("warning", format, arguments);
    va_end(arguments);
}

/**
 * Is it one of our children, or a process that one of them has left in its group? A contestant that
 * signals its parent is not somebody who wants the run to end. Calls what a handler may call: with
 * WNOWAIT the kernel only looks whether there is such a child.
 */
static bool is_from_child(const siginfo_t *signal)
{
    const bool from_process = signal->si_code <= 0; /* by kill and its kin, not from a terminal */
    const pid_t group = from_process ? getpgid(signal->si_pid) : -1;
    siginfo_t ignored;
    return group > 0 && group != getpgrp() &&
           waitid(P_PGID, (id_t)group, &ignored, WEXITED | WNOHANG | WNOWAIT) == 0;
}

static void on_interrupt(int number, siginfo_t *signal, void *context)
{
    (void)number, (void)context;
    const int before = errno;
    const bool from_child = is_from_child(signal);
    errno = before;
    if (from_child) {
        return;
    }
    if (interrupted) {
        _exit(BENCH_INTERRUPTED);
    }
    interrupted = 1;
}

void bench_catch_interrupts(void)
{
    /* Without SA_RESTART, so that waiting calls return and the flag is seen. */
    const struct sigaction action = {.sa_sigaction = on_interrupt, .sa_flags = SA_SIGINFO};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool bench_interrupted(void)
{
    return interrupted != 0;
}
