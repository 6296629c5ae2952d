#include "groundtruth/tetra/tetgen.h"

#include "base/file.h"
#include "base/memory.h"
#include "groundtruth/tetra/process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/** Lines of progress, and what the C++ run-time says of an abort. */
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

static base_status make_scratch(char *path, size_t size, base_error *err)
{
    const char *const told = getenv("TMPDIR");
    const char *const base = told && *told ? told : "/tmp";
    const base_status status = base_path_join(base, "proxbench-tetgen-XXXXXX", "", path, size, err);
    if (status != BASE_OK) {
        return status;
    }
    return mkdtemp(path)
               ? BASE_OK
               : base_fail(err, BASE_ERR_SYSTEM, "cannot make a scratch directory in '%s': %s",
                           base, strerror(errno));
}

/** All that the attempts of one call have in common. */
typedef struct call {
    const geo_mesh *mesh;
    unsigned seconds;
    bool (*interrupted)(void);
    char directory[1024];
    char input[1100], node[1100], ele[1100], log[1100];
    uint32_t *number; /* of each vertex in the files */
} call;

static base_status name_files(call *c, base_error *err)
{
    const struct {
        char *path;
        const char *ending;
    } files[] = {
        {c->input, ".smesh" },
        {c->node,  ".1.node"},
        {c->ele,   ".1.ele" },
        {c->log,   ".log"   }
    };
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
static base_status explain(const char *log_path, const gt_outcome *outcome, base_error *err)
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
    if (outcome->ending == GT_SIGNALLED) {
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
    if (!gt_find_program("tetgen", tetgen)) {
        return base_fail(err, BASE_ERR_SYSTEM, "tetgen is not installed: run make deps");
    }
    /* TetGen aborts with its message still in a buffer, unless the buffer ends with each line. */
    const bool lines = gt_find_program("stdbuf", stdbuf);
    const char *const whole[] = {stdbuf,   "-oL", tetgen, switches, GT_TETGEN_TOLERANCE,
                                 c->input, NULL};
    const gt_process process = {
        .arguments = lines ? whole : whole + 2,
        .directory = c->directory,
        .log = c->log,
        .seconds = c->seconds,
        .interrupted = c->interrupted,
        /* Ten times what TetGen takes, which is 2 kB a face. */
        .bytes = ((uint64_t)1 << 31) + 20000 * (uint64_t)c->mesh->face_count,
    };
    gt_outcome outcome;
    const base_status status = gt_process_run(&process, &outcome, err);
    if (status != BASE_OK) {
        return status;
    }
    if (outcome.ending == GT_INTERRUPTED) {
        return base_fail(err, BASE_ERR_SYSTEM, "interrupted");
    }
    if (outcome.ending == GT_TIMED_OUT) {
        *again = strcmp(switches, GT_TETGEN_COMPACT) == 0;
        return base_fail(err, BASE_ERR_SYSTEM, "tetgen ran longer than %u s and was stopped",
                         c->seconds);
    }
    *again = true;
    if (outcome.ending == GT_SIGNALLED || access(c->ele, R_OK) != 0 || access(c->node, R_OK) != 0) {
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
    return status == BASE_OK ? BASE_OK : base_fail(err, status, "%s", told.text);
}
