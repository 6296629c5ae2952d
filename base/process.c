#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

bool base_process_find(const char *name, char path[PATH_MAX])
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

/**
 * Replaces the child process by the program. Makes only calls that are safe between fork and exec.
 */
static _Noreturn void execute(const base_process *process, char *arguments[BASE_PROCESS_ARGUMENTS],
                              pid_t parent)
{
    const struct rlimit no_core = {0, 0};
    const struct rlimit memory = {process->memory_bytes, process->memory_bytes};
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &no_core);
    if (process->memory_bytes > 0) {
        setrlimit(RLIMIT_AS, &memory);
    }
    const int in = open("/dev/null", O_RDONLY);
    if (getppid() == parent && in >= 0 && dup2(in, STDIN_FILENO) >= 0 &&
        dup2(process->out, STDOUT_FILENO) >= 0 && dup2(process->err, STDERR_FILENO) >= 0 &&
        (!process->directory || chdir(process->directory) == 0)) {
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
 * Waits until the child has ended. Kills its process group if the time limit is exceeded or the
 * caller interrupts. Returns which of the two happened, or BASE_PROCESS_EXITED. The pause between
 * two checks grows from 1 ms to 23 ms, so that a short program is not delayed. The child is not
 * reaped here. As long as it is a zombie, no other process can get its id or the id of its group.
 */
static base_process_end wait_for_end(pid_t child, const base_process *process)
{
    const double limit_s = seconds_now() + process->seconds;
    base_process_end end = BASE_PROCESS_EXITED;
    long pause_ns = 1000000;
    for (;;) {
        siginfo_t info = {.si_pid = 0};
        const int answer = waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT);
        if (info.si_pid == child || (answer != 0 && errno != EINTR)) {
            return end;
        }
        if (end == BASE_PROCESS_EXITED && process->interrupted && process->interrupted()) {
            end = BASE_PROCESS_INTERRUPTED;
        } else if (end == BASE_PROCESS_EXITED && process->seconds > 0 && seconds_now() > limit_s) {
            end = BASE_PROCESS_TIMED_OUT;
        }
        if (end != BASE_PROCESS_EXITED) {
            kill(-child, SIGKILL);
        }
        const struct timespec pause = {.tv_nsec = pause_ns};
        nanosleep(&pause, NULL);
        pause_ns = pause_ns < 20000000 ? pause_ns + pause_ns / 4 : pause_ns;
    }
}

base_status base_process_run(const base_process *process, base_process_outcome *outcome,
                             base_error *err)
{
    /* execv does not write to its arguments, although their type is not const. */
    char *arguments[BASE_PROCESS_ARGUMENTS] = {NULL};
    for (size_t i = 0; process->arguments[i]; i++) {
        base_assert(i + 1 < BASE_PROCESS_ARGUMENTS);
        memcpy(&arguments[i], &process->arguments[i], sizeof arguments[i]);
    }
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot start '%s': %s", arguments[0],
                         strerror(errno));
    }
    if (child == 0) {
        execute(process, arguments, parent);
    }
    setpgid(child, child); /* parent and child both do it, so that the group exists before a kill */
    if (process->child) {
        atomic_store(process->child, child);
    }
    const base_process_end end = wait_for_end(child, process);
    kill(-child, SIGKILL); /* processes that the program left behind */
    if (process->child) {
        atomic_store(process->child, 0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) != child) {
        if (errno != EINTR) {
            return base_fail(err, BASE_ERR_SYSTEM, "cannot wait for '%s': %s", arguments[0],
                             strerror(errno));
        }
    }
    if (end != BASE_PROCESS_EXITED) {
        *outcome = (base_process_outcome){end, 0};
    } else if (WIFSIGNALED(status)) {
        *outcome = (base_process_outcome){BASE_PROCESS_SIGNALLED, WTERMSIG(status)};
    } else {
        *outcome = (base_process_outcome){BASE_PROCESS_EXITED, WEXITSTATUS(status)};
    }
    return BASE_OK;
}
