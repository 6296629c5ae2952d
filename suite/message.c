#include "suite/message.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

/** The one way out of a signal handler. */
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

static void on_interrupt(int number)
{
    (void)number;
    if (interrupted) {
        _exit(BENCH_INTERRUPTED);
    }
    interrupted = 1;
}

void bench_catch_interrupts(void)
{
    /* Without SA_RESTART, so that waiting calls return and the flag is seen. */
    const struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool bench_interrupted(void)
{
    return interrupted != 0;
}
