/**
 * Messages on stderr: errors, warnings, progress of long jobs. Also exit statuses and interrupts.
 */
#ifndef SUITE_MESSAGE_H
#define SUITE_MESSAGE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Exit statuses. */
enum {
    BENCH_GOOD = 0,
    BENCH_WRONG = 1, /* a wrong answer, or a regression in answers */
    BENCH_USAGE = 2,
    BENCH_INPUT = 3,         /* input or system */
    BENCH_SLOWER = 4,        /* a performance regression */
    BENCH_CELL_DIED = 5,     /* a cell crashed, failed or timed out */
    BENCH_UNDECIDED = 6,     /* the machine is too noisy to decide (check --strict) */
    BENCH_INTERRUPTED = 130, /* by Ctrl-C or SIGTERM */
    BENCH_READER_GONE = 141, /* standard output has lost its reader; a shell's status for SIGPIPE */
};

/**
 * Prints "proxbench: error: TEXT". Returns the exit status that belongs to err->status, or
 * BENCH_INTERRUPTED after an interrupt.
 */
int bench_error(const base_error *err);
/** Prints a usage error in the same form. Returns BENCH_USAGE. */
int bench_usage_error(const char *format, ...) BASE_PRINTF(1, 2);
/** Prints "proxbench: warning: ...". */
void bench_warn(const char *format, ...) BASE_PRINTF(1, 2);
/** Prints "proxbench: ...": where results are, or which command to type next. */
void bench_note(const char *format, ...) BASE_PRINTF(1, 2);
/** Writes a duration: "42 s", "3 min", "2 h 5 min". */
void bench_duration_format(double seconds, char *text, size_t size);

/**
 * A line with the share done, the rate and the time left. On a terminal it is updated, starting
 * after half a second; elsewhere a line is printed every ten seconds. Nothing is printed if `quiet`
 * is set.
 */
typedef struct bench_progress {
    const char *label; /* borrowed */
    char work[96];     /* the current work, printed after the numbers; or "" */
    double left_s;     /* time left if the caller knows it better than from the rate; else NaN */
    uint64_t start_ns, last_ns;
    bool quiet, live, shown;
} bench_progress;

bench_progress bench_progress_start(const char *label, bool quiet);
/** Sets the current work, which the line names from the next update on. A long name is cut. */
void bench_progress_work(bench_progress *progress, const char *what);
void bench_progress_update(bench_progress *progress, size_t done, size_t total);
void bench_progress_end(bench_progress *progress);

/**
 * For signal handlers: ends the program and TetGen at once. Removes the files of TetGen and
 * bench_scratch_file.
 */
_Noreturn void bench_leave(int exit_status);

/**
 * Path of a temporary file that bench_leave removes; NULL: there is no such file. The code that
 * makes the file sets this variable, and sets it to NULL after it has removed the file.
 */
extern const char *volatile bench_scratch_file;

/**
 * Makes Ctrl-C and SIGTERM end the program by bench_leave(BENCH_INTERRUPTED). A signal is ignored
 * if it was sent by a process in the process group of a child.
 */
void bench_leave_at_interrupts(void);

/**
 * Makes the first Ctrl-C or SIGTERM set a flag, which the command polls by bench_interrupted. A
 * second signal ends the program as above, unless it comes within 0.1 s of the first one:
 * `timeout` sends two signals at once.
 */
void bench_catch_interrupts(void);
bool bench_interrupted(void);

#endif
