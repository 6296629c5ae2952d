/** State of this process that a plug-in must not change. */
#ifndef SUITE_PROCESS_STATE_H
#define SUITE_PROCESS_STATE_H

#include <locale.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

enum { BENCH_STREAMS = 3, BENCH_SIGNALS = 65, BENCH_LOCALE_BYTES = 512 };

/** An open file or a folder; all zero if there is none. */
typedef struct bench_file_identity {
    dev_t device;
    ino_t inode;
    mode_t mode;
} bench_file_identity;

typedef struct bench_process_state {
    bench_file_identity streams[BENCH_STREAMS], folder;
    mode_t mask;
    char locale[BENCH_LOCALE_BYTES];
    struct rlimit limits[RLIM_NLIMITS];
    struct sigaction signals[BENCH_SIGNALS]; /* [0] is not used */
    sigset_t blocked;
} bench_process_state;

void bench_process_state_take(bench_process_state *state);

/**
 * Returns the first kind of state that has changed: "a standard stream", "the working folder", "the
 * umask", "the locale", "a resource limit", "what a signal does". Returns NULL if nothing has
 * changed.
 */
const char *bench_process_state_change(const bench_process_state *before);

#endif
