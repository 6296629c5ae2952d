#include "suite/run/orphans.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/** A process that forks faster than it is killed must not keep the supervisor. */
enum { ROUNDS_MAX = 1000 };

static bool adopted;

static struct {
    pid_t *pids;
    size_t count, capacity;
} workers;

void bench_orphans_adopt(void)
{
    adopted = prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
    prctl(PR_SET_DUMPABLE, 0);
}

void bench_orphans_spare(pid_t worker)
{
    if (base_reserve(workers.pids, workers.capacity, workers.count + 1, NULL) == BASE_OK) {
        workers.pids[workers.count++] = worker;
    } else {
        adopted = false; /* better no process is killed than a worker */
    }
}

static void forget(pid_t worker)
{
    for (size_t i = 0; i < workers.count; i++) {
        if (workers.pids[i] == worker) {
            workers.pids[i] = workers.pids[--workers.count];
            return;
        }
    }
}

static bool is_worker(pid_t pid)
{
    for (size_t i = 0; i < workers.count; i++) {
        if (workers.pids[i] == pid) {
            return true;
        }
    }
    return false;
}

/** The parent of a process: the second field behind its name, which may contain anything; or 0. */
static pid_t parent_of(const char *pid)
{
    char path[300], text[512];
    snprintf(path, sizeof path, "/proc/%s/stat", pid);
    FILE *const file = fopen(path, "r");
    if (!file) {
        return 0;
    }
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    const char *const name_end = strrchr(text, ')');
    int parent = 0;
    return name_end && sscanf(name_end + 1, " %*c %d", &parent) == 1 ? parent : 0;
}

/** Kills and reaps the children that there are now; false if there is no such child. */
static bool end_children(void)
{
    DIR *const processes = opendir("/proc");
    const pid_t own = getpid();
    bool any = false;
    for (struct dirent *entry; processes && (entry = readdir(processes));) {
        const pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid > 0 && parent_of(entry->d_name) == own && !is_worker(pid)) {
            kill(pid, SIGKILL);
            while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
            }
            any = true;
        }
    }
    if (processes) {
        closedir(processes);
    }
    return any;
}

void bench_orphans_end(pid_t worker)
{
    forget(worker);
    for (int round = 0; adopted && round < ROUNDS_MAX && end_children(); round++) {
    }
}
