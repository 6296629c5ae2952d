#include "suite/run/supervisor.h"

#include "base/arena.h"
#include "base/memory.h"
#include "groundtruth/body/tetgen.h"
#include "suite/clock.h"
#include "suite/message.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/** How often a wait looks at the interrupt flag. */
enum { POLL_MS = 100 };

/* --- Orphans ---------------------------------------------------------------------------------- */

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

/** This child is a worker: end_orphans leaves it alone until it has been reaped. */
static void spare_worker(pid_t worker)
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

/**
 * After this worker was reaped: kills and reaps all children of this process that are no workers,
 * and then the children of these. Does nothing unless orphans are adopted. There are no other
 * children meanwhile. Cost: one look at all processes, about a millisecond.
 */
static void end_orphans(pid_t worker)
{
    forget(worker);
    for (int round = 0; adopted && round < ROUNDS_MAX && end_children(); round++) {
    }
}

/* --- Callgrind -------------------------------------------------------------------------------- */

/* Words of the command that run a program under it; the program and its words follow. */
enum { CALLGRIND_WORDS = 7, WORD_BYTES = BENCH_CALLGRIND_FILE_BYTES + 32 };

/** Makes a folder for its files, in $TMPDIR. */
static base_status callgrind_open(bench_callgrind *callgrind, base_error *err)
{
    static const char name[] = "/proxbench-counts-XXXXXX", pass[] = "/pass";
    char *const file = callgrind->file;
    const size_t most = sizeof callgrind->file - sizeof name - sizeof pass;
    const char *const asked = getenv("TMPDIR");
    const char *const folder = asked && *asked && strlen(asked) < most ? asked : "/tmp";
    snprintf(file, sizeof callgrind->file, "%s%s", folder, name);
    if (!mkdtemp(file)) {
        file[0] = '\0';
        return base_fail(err, BASE_ERR_SYSTEM, "cannot make a folder in '%s': %s", folder,
                         strerror(errno));
    }
    strcat(file, pass);
    return BASE_OK;
}

/** Fills in the words of the command, from "valgrind" on. */
static void callgrind_command(const bench_callgrind *callgrind,
                              char words[CALLGRIND_WORDS][WORD_BYTES])
{
    static const char *const options[CALLGRIND_WORDS - 1] = {
        "valgrind",
        "--quiet",
        "--vgdb=no", /* leaves pipes behind where its process is killed */
        "--tool=callgrind",
        "--toggle-collect=bench_worker_queries",
        "--dump-after=bench_worker_queries",
    };
    for (size_t i = 0; i < CALLGRIND_WORDS - 1; i++) {
        snprintf(words[i], WORD_BYTES, "%s", options[i]);
    }
    snprintf(words[CALLGRIND_WORDS - 1], WORD_BYTES, "--callgrind-out-file=%s", callgrind->file);
}

/** FILE.PASS */
static void name_file(const bench_callgrind *callgrind, unsigned pass, char path[WORD_BYTES])
{
    snprintf(path, WORD_BYTES, "%s.%u", callgrind->file, pass);
}

/**
 * Instructions of a pass, from 1, that has ended. UINT64_MAX: the program does not have the
 * function, or was stripped of its name.
 */
static uint64_t callgrind_read(const bench_callgrind *callgrind, unsigned pass)
{
    static const char totals[] = "totals: ";
    char path[WORD_BYTES], line[256];
    uint64_t count = UINT64_MAX;
    name_file(callgrind, pass, path);
    FILE *const file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, totals, sizeof totals - 1) == 0) {
            count = strtoull(line + sizeof totals - 1, NULL, 10);
        }
    }
    if (file) {
        fclose(file);
    }
    return count;
}

/** Removes the files of so many passes and of one that did not end. Callgrind must have ended. */
static void callgrind_close(bench_callgrind *callgrind, unsigned passes)
{
    char path[WORD_BYTES];
    if (!*callgrind->file) {
        return;
    }
    for (unsigned pass = 1; pass <= passes + 1; pass++) {
        name_file(callgrind, pass, path);
        unlink(path);
    }
    unlink(callgrind->file);
    *strrchr(callgrind->file, '/') = '\0';
    rmdir(callgrind->file);
    callgrind->file[0] = '\0';
}

/* --- Starting --------------------------------------------------------------------------------- */

/** The socket, and the file that gets what the worker prints on stderr. */
static base_status make_channels(bench_worker *worker, int *theirs, base_error *err)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot make a socket pair: %s", strerror(errno));
    }
    worker->socket = bench_descriptor_move(ends[0]);
    *theirs = bench_descriptor_move(ends[1]);
    worker->errors = bench_descriptor_move(memfd_create("proxbench-stderr", MFD_CLOEXEC));
    return worker->socket >= 0 && *theirs >= 0 && worker->errors >= 0
               ? BASE_OK
               : base_fail(err, BASE_ERR_SYSTEM, "cannot open descriptors for a worker: %s",
                           strerror(errno));
}

/**
 * This environment and one text of `padding` bytes more; NULL when out of memory. What is counted
 * finds its functions before it begins, so that none is looked up in a query.
 */
static char **pad_environment(size_t padding, bool counted, base_arena *arena)
{
    static char bind_now[] = "LD_BIND_NOW=1";
    static const char name[] = "PROXBENCH_PADDING=";
    size_t count = 0;
    while (environ[count]) {
        count++;
    }
    char **const padded = base_arena_alloc(arena, count + 3, sizeof *padded);
    char *const text = base_arena_alloc(arena, sizeof name + padding, 1);
    if (!padded || !text) {
        return NULL;
    }
    memcpy(padded, environ, count * sizeof *padded);
    memcpy(text, name, sizeof name - 1);
    memset(text + sizeof name - 1, 'x', padding);
    padded[count] = text;
    padded[count + 1] = counted ? bind_now : NULL;
    return padded;
}

/** The descriptors of the new process. */
static void plan_descriptors(posix_spawn_file_actions_t *actions, const bench_worker *worker,
                             int socket, int inputs, int outputs)
{
    posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(actions, worker->errors, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(actions, socket, BENCH_WORKER_SOCKET);
    posix_spawn_file_actions_adddup2(actions, inputs, BENCH_WORKER_INPUTS);
    posix_spawn_file_actions_adddup2(actions, outputs, BENCH_WORKER_OUTPUTS);
}

enum { WORDS_MAX = CALLGRIND_WORDS + 2 };

/** `PROGRAM worker`, or the same under valgrind. */
typedef struct command {
    char words[WORDS_MAX][WORD_BYTES];
    char *arguments[WORDS_MAX + 1];
} command;

/** Callgrind has to be told the program by name: to it /proc/self/exe would be itself. */
static void name_command(const char *program, const bench_callgrind *callgrind, command *c)
{
    size_t count = 0;
    const char *name = "proxbench";
    char *path = NULL;
    if (callgrind) {
        callgrind_command(callgrind, c->words);
        count = CALLGRIND_WORDS;
        path = realpath(program, NULL);
        name = path ? path : program;
    }
    snprintf(c->words[count++], sizeof c->words[0], "%s", name);
    snprintf(c->words[count++], sizeof c->words[0], "worker");
    free(path);
    for (size_t i = 0; i < count; i++) {
        c->arguments[i] = c->words[i];
    }
    c->arguments[count] = NULL;
}

/** As the leader of a process group of its own: what it forks ends with it, and a signal that it
 * sends to its group reaches nobody else. */
static base_status spawn(const char *program, const bench_callgrind *callgrind,
                         const posix_spawn_file_actions_t *actions, size_t padding, pid_t *pid,
                         base_error *err)
{
    base_arena arena = {0};
    char **const environment = pad_environment(padding, callgrind, &arena);
    command *const c = base_arena_alloc(&arena, 1, sizeof *c);
    if (!environment || !c) {
        base_arena_release(&arena);
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    name_command(program, callgrind, c);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    const int reason =
        callgrind
            ? posix_spawnp(pid, c->arguments[0], actions, &attributes, c->arguments, environment)
            : posix_spawn(pid, program, actions, &attributes, c->arguments, environment);
    posix_spawnattr_destroy(&attributes);
    base_arena_release(&arena);
    if (reason != 0) {
        *pid = 0;
        return base_fail(err, BASE_ERR_SYSTEM, "cannot start '%s': %s",
                         callgrind ? "valgrind" : program, strerror(reason));
    }
    return BASE_OK;
}

void bench_task_name(const alg_variant *variant, const char *plugin, const char *cache_directory,
                     bench_task *task)
{
    task->seed = variant->settings.seed;
    snprintf(task->variant, sizeof task->variant, "%s", variant->name);
    snprintf(task->plugin, sizeof task->plugin, "%s", plugin ? plugin : "");
    const int length = snprintf(task->cache_directory, sizeof task->cache_directory, "%s",
                                cache_directory ? cache_directory : "");
    if (length < 0 || (size_t)length >= sizeof task->cache_directory) {
        task->cache_directory[0] = '\0';
    }
}

uint64_t bench_memory_budget(void)
{
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 4 * 3;
}

base_status bench_worker_start(const bench_contestant *contestant, int inputs, size_t frame_count,
                               size_t padding, bench_worker *worker, base_error *err)
{
    *worker = (bench_worker){.name = contestant->name,
                             .socket = -1,
                             .watch = worker->watch,
                             .watch_context = worker->watch_context};
    const char *const program = contestant->program ? contestant->program : "/proc/self/exe";
    int outputs = -1, theirs = -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    base_status status = bench_outputs_create(frame_count, contestant->contacts_max, &outputs, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = bench_outputs_map(outputs, frame_count, &worker->outputs, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = make_channels(worker, &theirs, err);
    if (status != BASE_OK) {
        goto done;
    }
    if (contestant->counted) {
        status = callgrind_open(&worker->callgrind, err);
        if (status != BASE_OK) {
            goto done;
        }
    }
    plan_descriptors(&actions, worker, theirs, inputs, outputs);
    status = spawn(program, contestant->counted ? &worker->callgrind : NULL, &actions, padding,
                   &worker->pid, err);
    if (status == BASE_OK) {
        spare_worker(worker->pid);
    }
done:
    posix_spawn_file_actions_destroy(&actions);
    if (outputs >= 0) {
        close(outputs);
    }
    if (theirs >= 0) {
        close(theirs);
    }
    return status;
}

/* --- What it prints --------------------------------------------------------------------------- */

/** Terminals obey some control characters. keep: one that stays, or 0. */
static void make_printable(char *text, char keep)
{
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        *text = (c < ' ' && *text != keep) || c == 0x7f ? '?' : *text;
    }
}

/**
 * Passes on what the worker has printed on stderr since it was last looked at, line by line under
 * its name, so that nobody takes it for the program's own words; of much the first 4 kB.
 * Warnings of this program in the worker name what they are about.
 */
static void tell_errors(bench_worker *worker)
{
    static const char own[] = "proxbench: warning: ";
    char text[4096];
    struct stat file;
    const ssize_t length = pread(worker->errors, text, sizeof text - 1, worker->errors_told);
    if (length <= 0 || fstat(worker->errors, &file) != 0) {
        return;
    }
    for (ssize_t i = 0; i < length; i++) {
        text[i] = text[i] ? text[i] : '?';
    }
    text[length] = '\0';
    make_printable(text, '\n');
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, own, sizeof own - 1) == 0) {
            bench_warn("%s", line + sizeof own - 1);
        } else {
            bench_warn("%s: %s", worker->name, line);
        }
    }
    if (file.st_size > worker->errors_told + length) {
        bench_warn("%s: %lld bytes more on its standard error", worker->name,
                   (long long)(file.st_size - worker->errors_told - length));
    }
    worker->errors_told = file.st_size;
}

/* --- Requests --------------------------------------------------------------------------------- */

enum { PHASE_BYTES = 80 };

/**
 * Has the worker overwritten the shared numbers that say where it is and why it ended? No process
 * can be refused memory 2^40 times before its time is over.
 */
static bool is_overwritten(const bench_worker *worker)
{
    return *worker->outputs.frame > worker->outputs.frame_count ||
           *worker->outputs.refused > UINT64_C(1) << 40;
}

/** The step that the worker is in, and the frame of a pass. */
static void describe_phase(const bench_worker *worker, char text[PHASE_BYTES])
{
    static const char *const names[] = {
        [BENCH_PHASE_START] = "its start",
        [BENCH_PHASE_BUILD] = "building",
        [BENCH_PHASE_SETTLE] = "counting its surface voxels",
        [BENCH_PHASE_QUERY] = "a query",
    };
    const unsigned long long frame = *worker->outputs.frame;
    if (is_overwritten(worker)) {
        snprintf(text, PHASE_BYTES, "a pass whose shared numbers it has overwritten");
    } else if (worker->phase == BENCH_PHASE_PASS) {
        snprintf(text, PHASE_BYTES, "frame %llu of a pass", frame);
    } else if (worker->phase == BENCH_PHASE_DETAILS) {
        snprintf(text, PHASE_BYTES, "frame %llu of the pass for details", frame);
    } else {
        snprintf(text, PHASE_BYTES, "%s", names[worker->phase]);
    }
}

/**
 * Kills the worker and all that it has forked, passes on its last words, and reaps it. Killed
 * before it is reaped: until then nobody else can have its number. Returns its wait status.
 */
static int end_process(bench_worker *worker)
{
    int status = 0;
    kill(worker->pid, SIGKILL);
    kill(-worker->pid, SIGKILL);
    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR) {
    }
    end_orphans(worker->pid);
    if (worker->phase == BENCH_PHASE_BUILD) {
        gt_tetgen_sweep(worker->pid); /* exact-tetra asks it while it builds */
    }
    worker->pid = 0;
    tell_errors(worker);
    return status;
}

/**
 * Ends the process and says how it ended. One that is dying already keeps the status that it has;
 * one that only closed its socket, or wrote nonsense into it, would be waited for without end.
 */
static void reap(bench_worker *worker)
{
    char during[PHASE_BYTES];
    const int status = end_process(worker);
    if (worker->status != BENCH_CELL_OK) {
        return;
    }
    describe_phase(worker, during);
    if (*worker->outputs.refused > 0 && !is_overwritten(worker)) {
        /* Most libraries end with abort() or at a null pointer when malloc fails. */
        worker->status = BENCH_CELL_OOM;
        snprintf(worker->detail, sizeof worker->detail, "reached its limit of memory during %s",
                 during);
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
    reap(worker);
    return false;
}

static bool time_out(bench_worker *worker, double timeout_s)
{
    char during[PHASE_BYTES], text[128];
    describe_phase(worker, during);
    snprintf(text, sizeof text, "no reply within %g s during %s", timeout_s, during);
    return give_up(worker, BENCH_CELL_TIMEOUT, text);
}

/** Waits for a message of `size` bytes; false when the worker did not live to send it. */
static bool receive(bench_worker *worker, void *message, size_t size, double timeout_s)
{
    const uint64_t deadline = bench_now_ns() + (uint64_t)(timeout_s * 1e9);
    for (;;) {
        struct pollfd wait = {.fd = worker->socket, .events = POLLIN};
        if (poll(&wait, 1, POLL_MS) > 0) {
            if (recv(worker->socket, message, size, 0) == (ssize_t)size) {
                return true;
            }
            reap(worker);
            return false;
        }
        if (bench_interrupted()) {
            return give_up(worker, BENCH_CELL_INTERRUPTED, "");
        }
        if (worker->watch) {
            worker->watch(worker->watch_context);
        }
        if (bench_now_ns() > deadline) {
            return time_out(worker, timeout_s);
        }
    }
}

/** Sends a request and waits for its reply. */
static bool request_reply(bench_worker *worker, const bench_request *request, double timeout_s,
                          bench_reply *reply)
{
    static const bench_phase phases[] = {
        [BENCH_REQUEST_PREPARE] = BENCH_PHASE_BUILD, [BENCH_REQUEST_SETTLE] = BENCH_PHASE_SETTLE,
        [BENCH_REQUEST_PASS] = BENCH_PHASE_PASS,     [BENCH_REQUEST_DETAILS] = BENCH_PHASE_DETAILS,
        [BENCH_REQUEST_QUERY] = BENCH_PHASE_QUERY,
    };
    worker->phase = phases[request->kind];
    *worker->outputs.frame = 0;
    if (send(worker->socket, request, sizeof *request, MSG_NOSIGNAL) != (ssize_t)sizeof *request) {
        reap(worker);
        return false;
    }
    if (!receive(worker, reply, sizeof *reply, timeout_s)) {
        return false;
    }
    reply->message.text[sizeof reply->message.text - 1] = '\0';
    make_printable(reply->message.text, 0);
    return true;
}

/** Waits for the worker's hello and checks that both programs speak the same version. */
static bool greet(bench_worker *worker, double timeout_s)
{
    bench_hello hello;
    if (!receive(worker, &hello, sizeof hello, timeout_s)) {
        return false;
    }
    if (hello.version != BENCH_WORKER_VERSION || hello.request_size != sizeof(bench_request) ||
        hello.reply_size != sizeof(bench_reply) || hello.answer_size != sizeof(alg_answer) ||
        hello.region_size != sizeof(alg_region) || hello.contact_size != sizeof(alg_contact)) {
        char text[96];
        snprintf(text, sizeof text, "its program speaks version %u to its supervisor, this one %d",
                 hello.version, BENCH_WORKER_VERSION);
        return give_up(worker, BENCH_CELL_FAILED, text);
    }
    return true;
}

/** The reason that a reply gives. A worker that writes garbage gives none. */
static const char *reason_of(const bench_reply *reply)
{
    return *reply->message.text ? reply->message.text : "it gives no reason";
}

/** What a reply says of the worker; false where that is its end. */
static bool take_status(bench_worker *worker, bench_reply *reply)
{
    static const bench_status cell_status[] = {
        [ALG_OK] = BENCH_CELL_OK,
        [ALG_UNSUPPORTED] = BENCH_CELL_UNSUPPORTED,
        [ALG_OUT_OF_MEMORY] = BENCH_CELL_OOM,
        [ALG_FAILED] = BENCH_CELL_FAILED,
    };
    worker->isolation = reply->isolation;
    memcpy(worker->counters, reply->counters, sizeof worker->counters);
    tell_errors(worker);
    worker->status = (unsigned)reply->status < sizeof cell_status / sizeof *cell_status
                         ? cell_status[reply->status]
                         : BENCH_CELL_FAILED;
    if (worker->status != BENCH_CELL_OK) {
        snprintf(worker->detail, sizeof worker->detail, "%s", reason_of(reply));
    }
    return worker->status == BENCH_CELL_OK;
}

bool bench_worker_prepare(bench_worker *worker, const bench_task *task, double timeout_s)
{
    bench_request request = {.kind = BENCH_REQUEST_PREPARE, .task = *task};
    bench_reply reply;
    if (!greet(worker, timeout_s) || !request_reply(worker, &request, timeout_s, &reply)) {
        return false;
    }
    memcpy(worker->build, reply.build, sizeof worker->build);
    worker->rss_bytes = reply.rss_bytes;
    if (!take_status(worker, &reply)) {
        return false;
    }
    request.kind = BENCH_REQUEST_SETTLE;
    if (!request_reply(worker, &request, timeout_s, &reply)) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        worker->build[i].missing_voxels = reply.build[i].missing_voxels;
        worker->build[i].excess_voxels = reply.build[i].excess_voxels;
    }
    return take_status(worker, &reply);
}

/** Has a pass made; false when the worker did not live through it, or breaks what it must keep. */
static bool make_pass(bench_worker *worker, const bench_request *request, double timeout_s,
                      bench_reply *reply)
{
    if (!request_reply(worker, request, timeout_s, reply)) {
        return false;
    }
    return reply->status == ALG_OK || give_up(worker, BENCH_CELL_FAILED, reason_of(reply));
}

bool bench_worker_pass(bench_worker *worker, bench_protocol protocol, bool batch, double timeout_s)
{
    const bench_request request = {
        .kind = BENCH_REQUEST_PASS, .protocol = protocol, .batch = batch};
    bench_reply reply;
    if (!make_pass(worker, &request, timeout_s, &reply)) {
        return false;
    }
    worker->cost = reply.cost;
    worker->passes++;
    if (*worker->callgrind.file) {
        worker->cost.instructions = callgrind_read(&worker->callgrind, worker->passes);
    }
    return true;
}

/** Also takes what is wrong with the lists of the answers. */
static bool make_listed_pass(bench_worker *worker, const bench_request *request, double timeout_s,
                             alg_message *fault)
{
    bench_reply reply;
    if (!make_pass(worker, request, timeout_s, &reply)) {
        return false;
    }
    *fault = reply.message;
    return true;
}

bool bench_worker_details(bench_worker *worker, double timeout_s, alg_message *fault)
{
    const bench_request request = {.kind = BENCH_REQUEST_DETAILS};
    return make_listed_pass(worker, &request, timeout_s, fault);
}

bool bench_worker_ask(bench_worker *worker, unsigned how, double timeout_s, alg_message *fault)
{
    const bench_request request = {.kind = BENCH_REQUEST_QUERY, .how = how};
    return make_listed_pass(worker, &request, timeout_s, fault);
}

void bench_worker_stop(bench_worker *worker)
{
    if (worker->pid > 0) {
        /* An idle worker has nothing to lose; asking it first would only let it hang. */
        (void)end_process(worker);
    }
    if (worker->socket >= 0) {
        close(worker->socket);
    }
    if (worker->errors > 0) {
        close(worker->errors);
    }
    callgrind_close(&worker->callgrind, worker->passes);
    bench_outputs_unmap(&worker->outputs);
    worker->socket = -1;
    worker->errors = 0;
}
