/** What the program says on stderr: errors, warnings, how far a long job is; and how it ends. */
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
    BENCH_CELL_DIED = 5,     /* a cell crashed or timed out */
    BENCH_UNDECIDED = 6,     /* the machine is too noisy for what was asked (check --strict) */
    BENCH_INTERRUPTED = 130, /* by Ctrl-C or SIGTERM */
    BENCH_READER_GONE =
        141, /* of standard output: what a shell says of programs that SIGPIPE ends */
};

/** Prints "proxbench: error: TEXT" and returns the exit status that belongs to err->status. */
int bench_error(const base_error *err);
/** The same for a message of the caller: usage errors. Returns BENCH_USAGE. */
int bench_usage_error(const char *format, ...) BASE_PRINTF(1, 2);
/** Prints "proxbench: warning: ...". */
void bench_warn(const char *format, ...) BASE_PRINTF(1, 2);
/** Prints "proxbench: ...": where results are, what to type next. */
void bench_note(const char *format, ...) BASE_PRINTF(1, 2);
/** "42 s", "3 min", "2 h 5 min". */
void bench_duration_format(double seconds, char *text, size_t size);

/**
 * A line with share done, rate and time left: live on a terminal from the first half second on;
 * elsewhere a line every ten seconds. Silent when quiet.
 */
typedef struct bench_progress {
    const char *label; /* borrowed */
    char work[96];     /* behind the numbers: what is in work; "" */
    double left_s;     /* time left, where the caller knows better than by the rate; else NaN */
    uint64_t start_ns, last_ns;
    bool quiet, live, shown;
} bench_progress;

bench_progress bench_progress_start(const char *label, bool quiet);
/** From the next update on the line names it; a long name is cut short. */
void bench_progress_work(bench_progress *progress, const char *what);
void bench_progress_update(bench_progress *progress, size_t done, size_t total);
void bench_progress_end(bench_progress *progress);

/** For signal handlers: ends the program at once; TetGen ends with it, and its files are removed.
 */
_Noreturn void bench_leave(int exit_status);

/** A file that is removed then, too: whoever makes one sets and clears it. NULL: none. */
extern const char *volatile bench_scratch_file;

/**
 * From here on Ctrl-C and SIGTERM end the program by bench_leave(BENCH_INTERRUPTED). Signals
 * that a child sends are not heard, nor those of what it has forked.
 */
void bench_leave_at_interrupts(void);

/**
 * From here on the first of them sets a flag that the command looks at, and one that comes later
 * ends the program as above. Two that come together, as `timeout` sends them, are one.
 */
void bench_catch_interrupts(void);
bool bench_interrupted(void);

#endif
