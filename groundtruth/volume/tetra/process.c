#include "groundtruth/volume/tetra/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

bool gt_find_program(const char *name, char path[PATH_MAX])
{
    const char *list = getenv("PATH");
    while (list && *list) {
        const size_t length = strcspn(list, ":");
        const int size = snprintf(path, PATH_MAX, "%.*s/%s", (int)length, list, name);
        struct stat info;
        if (length > 0 && size > 0 && size < PATH_MAX && stat(path, &info) == 0 &&
            S_ISREG(info.st_mode) && access(path, X_OK) == 0) {
            return true;
        }
        list += length + (list[length] == ':');
    }
    path[0] = '\0';
    return false;
}

/** Between fork and exec: only calls that are safe there. */
static _Noreturn void become(const gt_process *process, pid_t parent)
{
    const struct rlimit none = {0, 0}, memory = {process->bytes, process->bytes};
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_AS, &memory);
    const int in = open("/dev/null", O_RDONLY);
    const int out = open(process->log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (getppid() == parent && in >= 0 && out >= 0 && dup2(in, STDIN_FILENO) >= 0 &&
        dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0 &&
        chdir(process->directory) == 0) {
        /* exec promises not to write to the arguments; its type is older than const. */
        char *arguments[16] = {NULL};
        for (size_t i = 0; i < 15 && process->arguments[i]; i++) {
            memcpy(&arguments[i], &process->arguments[i], sizeof arguments[i]);
        }
        execv(arguments[0], arguments);
    }
    _exit(127);
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/**
 * Waits for the end, and kills the group of a child that has none: tells why, GT_EXITED if it was
 * not killed. Sleeps from 1 ms on, longer with every turn, so that a short run is not made long.
 * Leaves the child as a zombie: its number, and so its group's, cannot be taken by another process
 * yet.
 */
static gt_ending wait_for(pid_t child, double deadline, bool (*interrupted)(void))
{
    gt_ending ending = GT_EXITED;
    long pause_ns = 1000000;
    for (;;) {
        siginfo_t info = {.si_pid = 0};
        const int answer = waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT);
        if (info.si_pid == child || (answer != 0 && errno != EINTR)) {
            return ending;
        }
        if (ending == GT_EXITED) {
            ending = interrupted && interrupted() ? GT_INTERRUPTED
                     : seconds_now() > deadline   ? GT_TIMED_OUT
                                                  : GT_EXITED;
        }
        if (ending != GT_EXITED) {
            kill(-child, SIGKILL);
        }
        const struct timespec pause = {.tv_nsec = pause_ns};
        nanosleep(&pause, NULL);
        pause_ns = pause_ns < 20000000 ? pause_ns + pause_ns / 4 : pause_ns;
    }
}

base_status gt_process_run(const gt_process *process, gt_outcome *outcome, base_error *err)
{
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot start '%s': %s", process->arguments[0],
                         strerror(errno));
    }
    if (child == 0) {
        become(process, parent);
    }
    setpgid(child, child); /* both do it: whoever comes first, the group exists before a kill */
    const gt_ending ending =
        wait_for(child, seconds_now() + process->seconds, process->interrupted);
    kill(-child, SIGKILL); /* what the program may have left behind */
    int status = 0;
    while (waitpid(child, &status, 0) != child) {
        if (errno != EINTR) {
            return base_fail(err, BASE_ERR_SYSTEM, "cannot wait for '%s': %s",
                             process->arguments[0], strerror(errno));
        }
    }
    *outcome = ending != GT_EXITED   ? (gt_outcome){ending, 0}
               : WIFSIGNALED(status) ? (gt_outcome){GT_SIGNALLED, WTERMSIG(status)}
                                     : (gt_outcome){GT_EXITED, WEXITSTATUS(status)};
    return BASE_OK;
}
