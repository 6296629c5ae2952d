#include "groundtruth/body/tetgen.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- Scratch folders, and what runs in them ----------------------------------------------------
 */

/** A call in progress, as a signal handler finds it. */
typedef struct running {
    atomic_bool taken;
    atomic_bool named;   /* directory is there */
    _Atomic pid_t child; /* leads its process group; 0: not running */
    char directory[PATH_MAX];
} running;

/* As many calls at once as are cleaned up after an interrupt: a pair has two bodies. */
enum { RUNNING_MAX = 16 };
static running calls_running[RUNNING_MAX];

/** NULL when all are taken: an interrupt leaves the files of such a call behind. */
static running *take_running(const char *directory)
{
    for (size_t i = 0; i < RUNNING_MAX; i++) {
        running *const r = &calls_running[i];
        if (!atomic_exchange(&r->taken, true)) {
            snprintf(r->directory, sizeof r->directory, "%s", directory);
            atomic_store(&r->named, true);
            return r;
        }
    }
    return NULL;
}

static void put_running(running *r)
{
    if (r) {
        atomic_store(&r->named, false);
        atomic_store(&r->taken, false);
    }
}

/** Entries of a directory as the kernel hands them out. */
typedef struct kernel_entry {
    uint64_t inode;
    int64_t next;
    unsigned short size;
    unsigned char type;
    char name[];
} kernel_entry;

/** base_folder_remove by calls that a signal handler may make: readdir allocates. */
static void remove_folder_in_handler(const char *path)
{
    _Alignas(kernel_entry) char entries[4096];
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    long size = folder < 0 ? 0 : syscall(SYS_getdents64, folder, entries, sizeof entries);
    for (; size > 0; size = syscall(SYS_getdents64, folder, entries, sizeof entries)) {
        for (long at = 0; at < size;) {
            const kernel_entry *const e = (const void *)(entries + at);
            unlinkat(folder, e->name, 0); /* "." and ".." are refused */
            at += e->size;
        }
    }
    if (folder >= 0) {
        close(folder);
    }
    rmdir(path);
}

void gt_tetgen_abandon(void)
{
    for (size_t i = 0; i < RUNNING_MAX; i++) {
        running *const r = &calls_running[i];
        const pid_t child = atomic_load(&r->child);
        if (!atomic_load(&r->named)) {
            continue;
        }
        if (child > 0) {
            kill(-child, SIGKILL);
            waitpid(child, NULL, 0); /* it writes no file any more */
        }
        remove_folder_in_handler(r->directory);
    }
}

/* The folder of a call, by the process that asks. */
static const char scratch_name[] = "proxbench-tetgen-";

static const char *scratch_base(void)
{
    const char *const told = getenv("TMPDIR");
    return told && *told ? told : "/tmp";
}

static base_status make_scratch(char *path, size_t size, base_error *err)
{
    char name[64];
    snprintf(name, sizeof name, "%s%ld-XXXXXX", scratch_name, (long)getpid());
    const base_status status = base_path_join(scratch_base(), name, "", path, size, err);
    if (status != BASE_OK) {
        return status;
    }
    return mkdtemp(path)
               ? BASE_OK
               : base_fail(err, BASE_ERR_SYSTEM, "cannot make a scratch directory in '%s': %s",
                           scratch_base(), strerror(errno));
}

void gt_tetgen_sweep(pid_t process)
{
    char beginning[64], path[PATH_MAX];
    snprintf(beginning, sizeof beginning, "%s%ld-", scratch_name, (long)process);
    DIR *const folder = opendir(scratch_base());
    if (!folder) {
        return;
    }
    for (const struct dirent *e = readdir(folder); e; e = readdir(folder)) {
        if (strncmp(e->d_name, beginning, strlen(beginning)) == 0 &&
            base_path_join(scratch_base(), e->d_name, "", path, sizeof path, NULL) == BASE_OK) {
            base_folder_remove(path);
        }
    }
    closedir(folder);
}

/* --- Its words -------------------------------------------------------------------------------- */

static bool starts_with(const char *line, size_t length, const char *beginning)
{
    const size_t n = strlen(beginning);
    return length >= n && memcmp(line, beginning, n) == 0;
}

static bool ends_with(const char *line, size_t length, const char *end)
{
    const size_t n = strlen(end);
    return length >= n && memcmp(line + length - n, end, n) == 0;
}

/** Progress, statistics, and the C++ run-time's line about an abort. */
static bool says_nothing(const char *line, size_t length)
{
    bool blank = true;
    for (size_t i = 0; i < length; i++) {
        blank = blank && (line[i] == ' ' || line[i] == '\t' || line[i] == '\r');
    }
    return blank || ends_with(line, length, "...") || ends_with(line, length, "... ") ||
           memmem(line, length, " seconds:", 9) || starts_with(line, length, "Opening ") ||
           starts_with(line, length, "Writing ") || starts_with(line, length, "terminate called") ||
           starts_with(line, length, "Statistics:") || starts_with(line, length, "  ");
}

void gt_tetgen_sentence(const char *log, char *text, size_t size)
{
    text[0] = '\0';
    for (const char *line = log; *line;) {
        const size_t length = strcspn(line, "\n");
        if (starts_with(line, length, "Statistics:")) {
            return;
        }
        if (!says_nothing(line, length)) {
            size_t n = length;
            while (n > 0 && (line[n - 1] == '.' || line[n - 1] == ' ' || line[n - 1] == '\r')) {
                n--;
            }
            snprintf(text, size, "%.*s", (int)n, line);
            return;
        }
        line += length + (line[length] == '\n');
    }
}

/* --- A run ------------------------------------------------------------------------------------ */

/** All that the attempts of one call have in common. */
typedef struct call {
    const geo_mesh *mesh;
    unsigned seconds;
    bool (*interrupted)(void);
    running *running;
    char directory[1024];
    char input[1100], node[1100], ele[1100], log[1100];
    uint32_t *number; /* of each vertex in the files */
} call;

static base_status name_files(call *c, base_error *err)
{
    const struct {
        char *path;
        const char *ending;
    } files[] = {{c->input, ".smesh"}, {c->node, ".1.node"}, {c->ele, ".1.ele"}, {c->log, ".log"}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const base_status status = base_path_join(c->directory, "body", files[i].ending,
                                                  files[i].path, sizeof c->input, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

static base_status write_input(const call *c, int turn, base_error *err)
{
    FILE *const file = fopen(c->input, "w");
    if (!file) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", c->input, strerror(errno));
    }
    const base_status status = gt_tetgen_write(c->mesh, turn, file, c->number, err);
    if (fclose(file) != 0 && status == BASE_OK) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", c->input, strerror(errno));
    }
    return status;
}

/** Says why TetGen made nothing. */
static base_status explain(const char *log_path, const base_process_outcome *outcome,
                           base_error *err)
{
    char *log = NULL;
    size_t size = 0;
    char text[256] = "";
    if (base_file_read(log_path, &log, &size, NULL) == BASE_OK) {
        gt_tetgen_sentence(log, text, sizeof text);
        base_free(log);
    }
    if (text[0]) {
        return base_fail(err, BASE_ERR_SYSTEM, "tetgen failed: %s", text);
    }
    if (outcome->end == BASE_PROCESS_SIGNALLED) {
        return base_fail(err, BASE_ERR_SYSTEM, "tetgen failed: signal %d (%s)", outcome->code,
                         strsignal(outcome->code));
    }
    return base_fail(err, BASE_ERR_SYSTEM, "tetgen failed: exit status %d and no tetrahedra",
                     outcome->code);
}

/** One way to ask TetGen. */
typedef struct attempt {
    const char *switches;
    int turn;
} attempt;

/** again: may another attempt do better? */
static base_status run_child(const call *c, const char *switches, bool *again, base_error *err)
{
    char tetgen[PATH_MAX], stdbuf[PATH_MAX];
    if (!base_process_find("tetgen", tetgen)) {
        return base_fail(err, BASE_ERR_SYSTEM, "tetgen is not installed: run make deps");
    }
    /* TetGen aborts with its message still in a buffer, unless the buffer ends with each line. */
    const bool lines = base_process_find("stdbuf", stdbuf);
    const char *const whole[] = {stdbuf,   "-oL", tetgen, switches, GT_TETGEN_TOLERANCE,
                                 c->input, NULL};
    const int log = open(c->log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (log < 0) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", c->log, strerror(errno));
    }
    const base_process process = {
        .arguments = lines ? whole : whole + 2,
        .directory = c->directory,
        .out = log,
        .err = log,
        .seconds = c->seconds,
        .interrupted = c->interrupted,
        .child = c->running ? &c->running->child : NULL,
        /* Ten times what TetGen takes, which is 2 kB a face. */
        .memory_bytes = ((uint64_t)1 << 31) + 20000 * (uint64_t)c->mesh->face_count,
    };
    base_process_outcome outcome;
    const base_status status = base_process_run(&process, &outcome, err);
    close(log);
    if (status != BASE_OK) {
        return status;
    }
    if (outcome.end == BASE_PROCESS_INTERRUPTED) {
        return base_fail(err, BASE_ERR_SYSTEM, "interrupted");
    }
    if (outcome.end == BASE_PROCESS_TIMED_OUT) {
        *again = strcmp(switches, GT_TETGEN_COMPACT) == 0;
        return base_fail(err, BASE_ERR_SYSTEM, "tetgen ran longer than %u s and was stopped",
                         c->seconds);
    }
    *again = true;
    if (outcome.end == BASE_PROCESS_SIGNALLED || access(c->ele, R_OK) != 0 ||
        access(c->node, R_OK) != 0) {
        return explain(c->log, &outcome, err);
    }
    return BASE_OK;
}

/** TetGen's result, read and proved. */
static base_status take_result(const call *c, int turn, gt_tetrahedra *tetrahedra, base_error *err)
{
    base_status status = gt_tetgen_read(c->node, c->ele, c->mesh, turn, c->number, tetrahedra, err);
    if (status != BASE_OK) {
        return status;
    }
    status = gt_tetrahedra_orient(tetrahedra, err);
    return status == BASE_OK ? gt_tetrahedra_check(tetrahedra, c->mesh, err) : status;
}

static base_status try(const call *c, attempt how, gt_tetrahedra *tetrahedra, bool *again,
                       base_error *err)
{
    *again = false;
    unlink(c->node);
    unlink(c->ele);
    base_status status = write_input(c, how.turn, err);
    if (status != BASE_OK) {
        return status;
    }
    status = run_child(c, how.switches, again, err);
    if (status == BASE_OK) {
        status = take_result(c, how.turn, tetrahedra, err);
    }
    *again = *again && status == BASE_ERR_SYSTEM;
    if (status != BASE_OK) {
        gt_tetrahedra_release(tetrahedra);
    }
    return status;
}

base_status gt_tetgen_run(const geo_mesh *mesh, unsigned seconds, bool (*interrupted)(void),
                          gt_tetrahedra *tetrahedra, base_error *err)
{
    *tetrahedra = (gt_tetrahedra){0};
    call c = {.mesh = mesh, .seconds = seconds, .interrupted = interrupted};
    base_error told = {0}; /* the first failure, whatever the later ones are */
    bool again = false;
    base_status status = make_scratch(c.directory, sizeof c.directory, err);
    if (status != BASE_OK) {
        return status;
    }
    c.running = take_running(c.directory);
    c.number = base_alloc(mesh->vertex_count, sizeof *c.number);
    if (!c.number) {
        status =
            base_fail(&told, BASE_ERR_MEMORY, "out of memory for %zu vertices", mesh->vertex_count);
        goto done;
    }
    status = name_files(&c, &told);
    if (status != BASE_OK) {
        goto done;
    }
    status = try(&c, (attempt){GT_TETGEN_COMPACT, 0}, tetrahedra, &again, &told);
    for (int turn = 0; turn < GT_TETGEN_TURNS && again; turn++) {
        base_error later;
        status = try(&c, (attempt){GT_TETGEN_PLAIN, turn}, tetrahedra, &again, &later);
    }
done:
    base_free(c.number);
    base_folder_remove(c.directory);
    put_running(c.running);
    return status == BASE_OK ? BASE_OK : base_fail(err, status, "%s", told.text);
}
