#include "suite/run/supervisor.h"

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

/** A wait checks the interrupt flag at this interval. */
enum { POLL_MS = 100 };

/* --- Orphans ---------------------------------------------------------------------------------- */

/**
 * Largest number of scans for orphans. Without this limit, a process that forks faster than it is
 * killed could block the supervisor.
 */
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

/** Registers a child as a worker. end_orphans does not kill it until it has been reaped. */
static void spare_worker(pid_t worker)
{
    if (base_reserve(workers.pids, workers.capacity, workers.count + 1, NULL) == BASE_OK) {
        workers.pids[workers.count++] = worker;
    } else {
        adopted = false; /* without the list, a worker could be killed as an orphan */
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

/**
 * Returns the parent of a process, or 0 if it is not known. It is the second field after the name
 * in /proc/PID/stat. The name ends at the last ')', because it may contain any character.
 */
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

/**
 * Kills and reaps the current children that are not workers. Returns false if there is no such
 * child.
 */
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
 * Call it after the worker was reaped. Removes it from the list of workers. Then kills and reaps
 * all children of this process that are not workers, then the orphans that these leave, and so on.
 * Kills nothing unless orphans are adopted. All these children descend from workers, because this
 * process starts no other children while workers run. Cost: a scan of all processes, about a
 * millisecond, and one more for each generation of orphans.
 */
static void end_orphans(pid_t worker)
{
    for (size_t i = 0; i < workers.count; i++) {
        if (workers.pids[i] == worker) {
            workers.pids[i] = workers.pids[--workers.count];
        }
    }
    for (int round = 0; adopted && round < ROUNDS_MAX && end_children(); round++) {
    }
}

/* --- Callgrind -------------------------------------------------------------------------------- */

/* CALLGRIND_WORDS: number of words before the program's own command. */
enum { CALLGRIND_WORDS = 7, WORD_BYTES = BENCH_CALLGRIND_FILE_BYTES + 32 };

/** Creates a folder for the files in $TMPDIR. */
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

/** Sets the words of the command that come before the program, starting with "valgrind". */
static void callgrind_command(const bench_callgrind *callgrind,
                              char words[CALLGRIND_WORDS][WORD_BYTES])
{
    static const char *const options[CALLGRIND_WORDS - 1] = {
        "valgrind",
        "--quiet",
        "--vgdb=no", /* the gdb server would leave pipes behind if its process is killed */
        "--tool=callgrind",
        "--toggle-collect=bench_worker_queries",
        "--dump-after=bench_worker_queries",
    };
    for (size_t i = 0; i < CALLGRIND_WORDS - 1; i++) {
        snprintf(words[i], WORD_BYTES, "%s", options[i]);
    }
    snprintf(words[CALLGRIND_WORDS - 1], WORD_BYTES, "--callgrind-out-file=%s", callgrind->file);
}

/** Formats the path FILE.PASS. */
static void name_file(const bench_callgrind *callgrind, unsigned pass, char path[WORD_BYTES])
{
    snprintf(path, WORD_BYTES, "%s.%u", callgrind->file, pass);
}

/**
 * Returns the number of instructions of a completed pass. Passes are numbered from 1. Returns
 * UINT64_MAX if there is no file, because the program lacks bench_worker_queries or its symbol was
 * stripped.
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

/** Removes the files of `passes` passes and of a last incomplete one. Callgrind must have ended. */
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

/** Creates the socket and the file for the worker's stderr. */
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
 * Returns this environment plus one variable of `padding` bytes; NULL when out of memory. If
 * `counted`, LD_BIND_NOW is added: all functions are bound at the start, so that the counted
 * queries contain no symbol lookup.
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

/** Sets the descriptors of the new process. */
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

/** The command `PROGRAM worker`, optionally under valgrind. */
typedef struct command {
    char words[WORDS_MAX][WORD_BYTES];
    char *arguments[WORDS_MAX + 1];
} command;

/**
 * Sets the command. Callgrind needs the program's real path, because /proc/self/exe would be
 * callgrind itself.
 */
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

/**
 * Starts the program as the leader of a new process group. So its children can be killed with the
 * group, and a signal that it sends to its own group reaches no other process.
 */
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

/* --- Output of the worker --------------------------------------------------------------------- */

/**
 * Replaces control characters by '?', because terminals interpret some of them. keep: a control
 * character that is not replaced, or 0.
 */
static void make_printable(char *text, char keep)
{
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        *text = (c < ' ' && *text != keep) || c == 0x7f ? '?' : *text;
    }
}

/**
 * Prints the worker's new output on stderr. Each line is prefixed by the worker's name, so that it
 * is not taken for a message of this program. At most 4 kB are printed at a time; the number of
 * further bytes is stated. Warnings of this program's own code in the worker name their subject
 * already, so they get no prefix.
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
 * True if the worker has overwritten the shared frame index or the shared count of refused
 * allocations. A count above 2^40 cannot be reached within the time limit.
 */
static bool is_overwritten(const bench_worker *worker)
{
    return *worker->outputs.frame >= worker->outputs.frame_count ||
           *worker->outputs.refused > UINT64_C(1) << 40;
}

/** Describes the worker's current step, with the frame of a pass. */
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
 * Kills the worker and its process group, reaps it, kills its orphans and prints its last output.
 * The kill comes before the reaping: until then the process id belongs to the worker and cannot be
 * reused.
 * Returns its wait status.
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
        gt_tetgen_sweep(worker->pid); /* exact-tetra runs TetGen during the build */
    }
    worker->pid = 0;
    tell_errors(worker);
    return status;
}

void bench_worker_explain_end(bench_worker *worker, int wait_status)
{
    char during[PHASE_BYTES];
    describe_phase(worker, during);
    if (*worker->outputs.refused > 0 && !is_overwritten(worker)) {
        /* Most libraries call abort() or dereference NULL when malloc fails. */
        worker->status = BENCH_CELL_OOM;
        snprintf(worker->detail, sizeof worker->detail, "reached its limit of memory during %s",
                 during);
        return;
    }
    worker->status = BENCH_CELL_CRASH;
    if (WIFSIGNALED(wait_status)) {
        snprintf(worker->detail, sizeof worker->detail, "killed by signal %d (%s) during %s",
                 WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)), during);
    } else {
        snprintf(worker->detail, sizeof worker->detail, "exited with status %d during %s",
                 WEXITSTATUS(wait_status), during);
    }
}

/**
 * Ends the process, and sets status and detail unless a failure was set before. The process is
 * killed, because a worker that only closed its socket or sent an invalid message might never end
 * by itself.
 */
static void reap(bench_worker *worker)
{
    const int wait_status = end_process(worker);
    if (worker->status == BENCH_CELL_OK) {
        bench_worker_explain_end(worker, wait_status);
    }
}

static bool give_up(bench_worker *worker, bench_status status, const char *detail)
{
    worker->status = status;
    snprintf(worker->detail, sizeof worker->detail, "%s", detail);
    reap(worker);
    return false;
}

/**
 * Waits for a message of `size` bytes. Returns false if the worker died, was interrupted, or
 * exceeded its time.
 */
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
            char during[PHASE_BYTES], text[128];
            describe_phase(worker, during);
            snprintf(text, sizeof text, "no reply within %g s during %s", timeout_s, during);
            return give_up(worker, BENCH_CELL_TIMEOUT, text);
        }
    }
}

/**
 * Sends a request and waits for its reply. Returns false if there was no reply; the worker has then
 * ended.
 */
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

/** Waits for the worker's hello and checks that both programs have the same version. */
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

/**
 * Returns the reason given in a reply, or a replacement text if it is empty. A correct worker
 * always gives a reason.
 */
static const char *reason_of(const bench_reply *reply)
{
    return *reply->message.text ? reply->message.text : "it gives no reason";
}

/**
 * Copies status, isolation and counters from a reply to the worker, and prints its output to
 * stderr. Returns false if the status is not ok.
 */
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

/** Requests a pass. Returns false if the worker died in it or broke its contract. */
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

/** Like make_pass, and also returns the fault of the lists. */
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
        /* The worker has no state to save, and it might never exit by itself. */
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
