/** The worker's side: builds, binds, makes passes. */
#include "suite/run/worker.h"

#include "suite/run/timing.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/** What a worker holds between requests. */
typedef struct contestant {
    const bench_job *job;
    void *prepared[2]; /* by role */
    void *state;
    alg_answer *answer; /* ends where a page without access begins */
    void *evict_buffer;
} contestant;

static alg_answer *map_guarded_answer(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t used = (sizeof(alg_answer) + page - 1) / page * page;
    char *const base =
        mmap(NULL, used + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED || mprotect(base + used, page, PROT_NONE) != 0) {
        return NULL;
    }
    return (alg_answer *)(void *)(base + used - sizeof(alg_answer));
}

static alg_status prepare(contestant *c, bench_reply *reply)
{
    const alg_variant *const variant = c->job->variant;
    const alg *const a = variant->algorithm;
    const alg_mesh *const meshes[2] = {c->job->fixed, c->job->moving};
    for (int i = 0; i < 2; i++) {
        if ((a->flags & ALG_NEEDS_SOLIDS) && !meshes[i]->solid) {
            snprintf(reply->message.text, sizeof reply->message.text,
                     "%s needs solids, and body %s is not one", a->name, i == 0 ? "A" : "B");
            return ALG_UNSUPPORTED;
        }
    }
    unsigned answered = 0;
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        const alg_contract contract = a->contract(&variant->settings, (alg_quantity)q);
        answered |= contract != ALG_NOT_ANSWERED ? 1u << q : 0;
    }
    if (answered && !(answered & c->job->quantities)) { /* null answers nothing, anywhere */
        snprintf(reply->message.text, sizeof reply->message.text, "%s does not answer %s", a->name,
                 bench_quantities_name(c->job->quantities));
        return ALG_UNSUPPORTED;
    }
    const uint64_t start = bench_clock_ns();
    for (int i = 0; i < 2; i++) {
        const alg_status status =
            a->prepare(&variant->settings, meshes[i], i == 0 ? ALG_FIXED : ALG_MOVING,
                       &c->prepared[i], &reply->build[i], &reply->message);
        if (status != ALG_OK) {
            return status;
        }
    }
    reply->build_ns = bench_clock_ns() - start;
    const alg_status status = a->bind(&variant->settings, c->prepared[0], c->prepared[1],
                                      c->job->quantities, &c->state, &reply->message);
    bench_pin(); /* building may use every CPU, timing uses one */
    return status;
}

static void pass(contestant *c, bench_protocol protocol, alg_answer *answers, uint64_t *times_ns)
{
    const alg *const a = c->job->variant->algorithm;
    if (a->reset) {
        a->reset(c->state);
    }
    for (size_t f = 0; f < c->job->frame_count; f++) {
        memset(c->answer, 0, sizeof *c->answer);
        c->answer->size = sizeof *c->answer;
        if (protocol == BENCH_EVICTED) {
            bench_evict_caches(c->evict_buffer);
        }
        const uint64_t start = bench_clock_ns();
        a->query(c->state, &c->job->poses[f], c->answer);
        times_ns[f] = bench_clock_ns() - start;
        answers[f] = *c->answer;
    }
}

_Noreturn void bench_worker_serve(const bench_worker *worker, int socket)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a killed supervisor leaves nobody behind */
    signal(SIGINT, SIG_IGN);          /* Both may reach the whole group: the supervisor decides */
    signal(SIGTERM, SIG_IGN);
    dup2(STDERR_FILENO, STDOUT_FILENO); /* a contestant that prints must not add rows */
    contestant c = {.job = worker->job, .answer = map_guarded_answer()};
    c.evict_buffer = geo_alloc(BENCH_EVICT_BYTES, 1);
    if (!c.answer || !c.evict_buffer) {
        _exit(BENCH_INPUT);
    }
    bench_request request;
    while (recv(socket, &request, sizeof request, 0) == (ssize_t)sizeof request) {
        bench_reply reply = {.status = ALG_OK};
        switch (request.kind) {
        case BENCH_REQUEST_PREPARE:
            reply.status = prepare(&c, &reply);
            break;
        case BENCH_REQUEST_PASS:
            pass(&c, request.protocol, worker->answers, worker->times_ns);
            break;
        }
        if (send(socket, &reply, sizeof reply, 0) != (ssize_t)sizeof reply) {
            break;
        }
    }
    _exit(BENCH_INPUT);
}
