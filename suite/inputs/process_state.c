#include "suite/inputs/process_state.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bench_file_identity identity(int known, const struct stat *info)
{
    return known == 0 ? (bench_file_identity){info->st_dev, info->st_ino, info->st_mode}
                      : (bench_file_identity){0};
}

static bool same_file(const bench_file_identity *a, const bench_file_identity *b)
{
    return a->device == b->device && a->inode == b->inode && a->mode == b->mode;
}

void bench_process_state_take(bench_process_state *state)
{
    struct stat info;
    memset(state, 0, sizeof *state);
    for (int i = 0; i < BENCH_STREAMS; i++) {
        state->streams[i] = identity(fstat(i, &info), &info);
    }
    state->folder = identity(stat(".", &info), &info);
    state->mask = umask(0);
    umask(state->mask);
    const char *const locale = setlocale(LC_ALL, NULL);
    snprintf(state->locale, sizeof state->locale, "%s", locale ? locale : "");
    for (int i = 0; i < RLIM_NLIMITS; i++) {
        getrlimit((__rlimit_resource_t)i, &state->limits[i]);
    }
    for (int i = 1; i < BENCH_SIGNALS; i++) {
        sigaction(i, NULL, &state->signals[i]);
    }
    sigprocmask(SIG_BLOCK, NULL, &state->blocked);
}

/* Compares the members one by one, because padding may differ. */
static bool same_signals(const bench_process_state *a, const bench_process_state *b)
{
    for (int i = 1; i < BENCH_SIGNALS; i++) {
        const struct sigaction *const x = &a->signals[i], *const y = &b->signals[i];
        const bool same_handler = (x->sa_flags & SA_SIGINFO) ? x->sa_sigaction == y->sa_sigaction
                                                             : x->sa_handler == y->sa_handler;
        if (x->sa_flags != y->sa_flags || !same_handler ||
            sigismember(&a->blocked, i) != sigismember(&b->blocked, i)) {
            return false;
        }
    }
    return true;
}

const char *bench_process_state_change(const bench_process_state *before)
{
    bench_process_state now;
    bench_process_state_take(&now);
    for (int i = 0; i < BENCH_STREAMS; i++) {
        if (!same_file(&before->streams[i], &now.streams[i])) {
            return "a standard stream";
        }
    }
    if (!same_file(&before->folder, &now.folder)) {
        return "the working folder";
    }
    if (before->mask != now.mask) {
        return "the umask";
    }
    if (strcmp(before->locale, now.locale) != 0) {
        return "the locale";
    }
    for (int i = 0; i < RLIM_NLIMITS; i++) {
        if (before->limits[i].rlim_cur != now.limits[i].rlim_cur ||
            before->limits[i].rlim_max != now.limits[i].rlim_max) {
            return "a resource limit";
        }
    }
    return same_signals(before, &now) ? NULL : "what a signal does";
}
