/** The supervisor's side of a worker: start, ask, wait with a limit, bury. */
#include "suite/run/worker.h"

#include "suite/run/timing.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/** How often a wait looks at the interrupt flag. */
enum { POLL_MS = 100 };

static const char *const status_names[] = {
    [BENCH_CELL_OK] = "ok",
    [BENCH_CELL_WRONG] = "wrong",
    [BENCH_CELL_UNSUPPORTED] = "unsupported",
    [BENCH_CELL_FAILED] = "failed",
    [BENCH_CELL_OOM] = "oom",
    [BENCH_CELL_CRASH] = "crash",
    [BENCH_CELL_TIMEOUT] = "timeout",
    [BENCH_CELL_INTERRUPTED] = "interrupted",
};
_Static_assert(sizeof status_names / sizeof *status_names == BENCH_CELL_STATUS_COUNT,
               "a name for every status");

const char *bench_status_name(bench_status status)
{
    return status_names[status];
}

void *bench_shared_map(size_t bytes)
{
    void *const memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

geo_status bench_worker_start(const bench_job *job, bench_worker *worker, geo_error *err)
{
    *worker = (bench_worker){.job = job, .socket = -1};
    const size_t answer_bytes = (job->frame_count * sizeof(alg_answer) + 63) / 64 * 64;
    worker->shared_bytes = answer_bytes + job->frame_count * sizeof(uint64_t);
    worker->shared = bench_shared_map(worker->shared_bytes);
    if (!worker->shared) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory for the answers of %zu frames",
                        job->frame_count);
    }
    worker->answers = worker->shared;
    worker->times_ns = (uint64_t *)(void *)((char *)worker->shared + answer_bytes);
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        return geo_fail(err, GEO_ERR_SYSTEM, "cannot make a socket pair: %s", strerror(errno));
    }
    fflush(NULL); /* a contestant that calls exit() must not write our buffers once more */
    worker->pid = fork();
    if (worker->pid == 0) {
        close(ends[0]);
        bench_worker_serve(worker, ends[1]);
    }
    close(ends[1]);
    worker->socket = ends[0];
    /* Workers started later must not be able to write over these answers. */
    madvise(worker->shared, worker->shared_bytes, MADV_DONTFORK);
    if (worker->pid < 0) {
        worker->pid = 0;
        return geo_fail(err, GEO_ERR_SYSTEM, "cannot start a worker: %s", strerror(errno));
    }
    return GEO_OK;
}

/**
 * Reaps a worker and says how it ended. One that is dying already keeps the status that it has; one
 * that only closed its socket, or wrote nonsense into it, would be waited for without end.
 */
static void bury(bench_worker *worker, const char *during)
{
    int status = 0;
    kill(worker->pid, SIGKILL);
    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR) {
    }
    worker->pid = 0;
    if (worker->status != BENCH_CELL_OK) {
        return;
    }
    worker->status = BENCH_CELL_CRASH;
    if (WIFSIGNALED(status)) {
        snprintf(worker->detail, sizeof worker->detail, "killed by signal %d (%s) during %s",
                 WTERMSIG(status), strsignal(WTERMSIG(status)), during);
    } else {
        snprintf(worker->detail, sizeof worker->detail, "exited with status %d during %s",
                 WEXITSTATUS(status), during);
    }
}

static bool give_up(bench_worker *worker, bench_status status, const char *detail)
{
    worker->status = status;
    snprintf(worker->detail, sizeof worker->detail, "%s", detail);
    bury(worker, "");
    return false;
}

/** Sends a request and waits for its reply; false when the worker did not live to send it. */
static bool ask(bench_worker *worker, bench_request request, double timeout_s, bench_reply *reply)
{
    const char *const during = request.kind == BENCH_REQUEST_PREPARE ? "building" : "a pass";
    const uint64_t deadline = bench_clock_ns() + (uint64_t)(timeout_s * 1e9);
    ssize_t got = -1;
    if (send(worker->socket, &request, sizeof request, MSG_NOSIGNAL) == (ssize_t)sizeof request) {
        for (;;) {
            struct pollfd wait = {.fd = worker->socket, .events = POLLIN};
            if (poll(&wait, 1, POLL_MS) > 0) {
                got = recv(worker->socket, reply, sizeof *reply, 0);
                break;
            }
            if (bench_interrupted()) {
                return give_up(worker, BENCH_CELL_INTERRUPTED, "");
            }
            if (bench_clock_ns() > deadline) {
                char text[96];
                snprintf(text, sizeof text, "no reply within %g s during %s", timeout_s, during);
                return give_up(worker, BENCH_CELL_TIMEOUT, text);
            }
        }
    }
    if (got != (ssize_t)sizeof *reply) {
        bury(worker, during);
        return false;
    }
    return true;
}

bool bench_worker_prepare(bench_worker *worker, double timeout_s)
{
    static const bench_status cell_status[] = {
        [ALG_OK] = BENCH_CELL_OK,
        [ALG_UNSUPPORTED] = BENCH_CELL_UNSUPPORTED,
        [ALG_OUT_OF_MEMORY] = BENCH_CELL_OOM,
        [ALG_FAILED] = BENCH_CELL_FAILED,
    };
    bench_reply reply;
    if (!ask(worker, (bench_request){.kind = BENCH_REQUEST_PREPARE}, timeout_s, &reply)) {
        return false;
    }
    worker->build_ns = reply.build_ns;
    memcpy(worker->build, reply.build, sizeof worker->build);
    worker->status = (unsigned)reply.status < sizeof cell_status / sizeof *cell_status
                         ? cell_status[reply.status]
                         : BENCH_CELL_FAILED;
    if (worker->status != BENCH_CELL_OK) {
        snprintf(worker->detail, sizeof worker->detail, "%.*s", (int)sizeof reply.message.text - 1,
                 reply.message.text);
    }
    return worker->status == BENCH_CELL_OK;
}

bool bench_worker_pass(bench_worker *worker, bench_protocol protocol, double timeout_s)
{
    bench_reply reply;
    return ask(worker, (bench_request){BENCH_REQUEST_PASS, protocol}, timeout_s, &reply);
}

void bench_worker_stop(bench_worker *worker)
{
    if (worker->pid > 0) {
        /* An idle worker has nothing to lose; asking it first would only let it hang. */
        kill(worker->pid, SIGKILL);
        while (waitpid(worker->pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    if (worker->socket >= 0) {
        close(worker->socket);
    }
    if (worker->shared) {
        munmap(worker->shared, worker->shared_bytes);
    }
    worker->pid = 0;
    worker->socket = -1;
    worker->shared = NULL;
}
