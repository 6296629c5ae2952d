/**
 * Instructions of a worker's passes, counted by valgrind's callgrind: exact, on any machine, and
 * some fifty times as slow. It counts what bench_worker_queries executes, and writes a file at the
 * end of each call.
 */
#ifndef SUITE_CALLGRIND_H
#define SUITE_CALLGRIND_H

#include "base/error.h"

#include <stdint.h>

/** Words of the command that run a program under it; the program and its words follow. */
enum { BENCH_CALLGRIND_WORDS = 7, BENCH_CALLGRIND_WORD_BYTES = 4096 + 64 };

/** A folder for its files, in $TMPDIR. */
typedef struct bench_callgrind {
    char file[BENCH_CALLGRIND_WORD_BYTES - 32]; /* they are this, ".", and the number of the pass;
                                                   "": closed */
} bench_callgrind;

/** Errors: BASE_ERR_SYSTEM. */
base_status bench_callgrind_open(bench_callgrind *callgrind, base_error *err) BASE_MUST_CHECK;
/** The words of the command, from "valgrind" on. */
void bench_callgrind_command(const bench_callgrind *callgrind,
                             char words[BENCH_CALLGRIND_WORDS][BENCH_CALLGRIND_WORD_BYTES]);
/** Of a pass, from 1, that has ended; UINT64_MAX where nothing was counted: the program does not
 * have the function, or was stripped of its name. */
uint64_t bench_callgrind_read(const bench_callgrind *callgrind, unsigned pass);
/** Removes the files of so many passes and of one that did not end. Callgrind must have ended. */
void bench_callgrind_close(bench_callgrind *callgrind, unsigned passes);

#endif
