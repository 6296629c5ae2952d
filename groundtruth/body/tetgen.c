#include "groundtruth/body/tetgen.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "geometry/vec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- Scratch folders and the processes in them ------------------------------------------------ */

/** A call in progress, as the signal handler reads it. */
typedef struct running {
    atomic_bool taken;
    atomic_bool named;   /* the directory exists */
    _Atomic pid_t child; /* leader of its process group; 0: not running */
    char directory[PATH_MAX];
} running;

/* The largest number of calls whose files an interrupt can remove. A pair has two bodies. */
enum { RUNNING_MAX = 16 };
static running calls_running[RUNNING_MAX];

/** Returns NULL if all entries are in use. An interrupt then leaves the files of this call
 * behind. */
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

/** A directory entry as the kernel returns it. */
typedef struct kernel_entry {
    uint64_t inode;
    int64_t next;
    unsigned short size;
    unsigned char type;
    char name[];
} kernel_entry;

/** Does the work of base_folder_remove with calls that are safe in a signal handler. readdir is
 * not: it allocates. */
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
            waitpid(child, NULL, 0); /* from now on the child writes no file */
        }
        remove_folder_in_handler(r->directory);
    }
}

/* Name of the folder of a call, before the id of the process. */
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

/* --- TetGen's messages ------------------------------------------------------------------------ */

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

/**
 * True for lines that are not an error message: progress, statistics, and the line that the C++
 * run-time prints about an abort.
 */
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

/* --- Cavities --------------------------------------------------------------------------------- */

/** Returns six times the signed volume of the tetrahedron of the origin and a triangle. */
static double under(geo_triangle t, vec3 origin)
{
    return vec3_dot(vec3_sub(t.p[0], origin),
                    vec3_cross(vec3_sub(t.p[1], origin), vec3_sub(t.p[2], origin)));
}

static vec3 normal_of(geo_triangle t)
{
    return vec3_cross(vec3_sub(t.p[1], t.p[0]), vec3_sub(t.p[2], t.p[0]));
}

/**
 * Returns the length of the ray from `from` to the triangle, in multiples of `direction`. Infinity
 * if it does not meet the triangle.
 */
static double hit(geo_triangle t, vec3 from, vec3 direction)
{
    const vec3 n = normal_of(t);
    const double fall = vec3_dot(n, direction);
    if (fall == 0) {
        return INFINITY;
    }
    const double at = vec3_dot(n, vec3_sub(t.p[0], from)) / fall;
    const vec3 p = vec3_madd(from, at, direction);
    for (int i = 0; i < 3; i++) {
        const vec3 edge = vec3_sub(t.p[(i + 1) % 3], t.p[i]);
        if (vec3_dot(n, vec3_cross(edge, vec3_sub(p, t.p[i]))) < 0) {
            return INFINITY;
        }
    }
    return at > 0 ? at : (double)INFINITY;
}

/**
 * Returns a point inside a cavity. The normal of the face points out of the material. The point is
 * on the ray along it from the middle of the face, halfway to the next face.
 */
static vec3 cavity_point(const geo_mesh *mesh, size_t face)
{
    const geo_triangle own = geo_mesh_triangle(mesh, face);
    const vec3 middle = vec3_scale(1.0 / 3, vec3_add(vec3_add(own.p[0], own.p[1]), own.p[2]));
    const vec3 direction = vec3_normalize(normal_of(own));
    double nearest = INFINITY;
    for (size_t f = 0; f < mesh->face_count; f++) {
        if (f != face) {
            const double at = hit(geo_mesh_triangle(mesh, f), middle, direction);
            nearest = at < nearest ? at : nearest;
        }
    }
    return vec3_madd(middle, isfinite(nearest) ? 0.5 * nearest : 0, direction);
}

base_status gt_tetgen_cavities(const geo_mesh *mesh, vec3 **points, size_t *count, base_error *err)
{
    *points = NULL;
    *count = 0;
    base_arena arena = {0};
    uint32_t components = 0;
    uint32_t *const label = base_arena_alloc(&arena, mesh->face_count, sizeof *label);
    if (!label) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the components");
    }
    base_status status = geo_mesh_components(mesh, label, &components, err);
    if (status != BASE_OK) {
        goto done;
    }
    double *const volume = base_arena_alloc(&arena, components, sizeof *volume);
    double *const largest = base_arena_alloc(&arena, components, sizeof *largest);
    size_t *const face = base_arena_alloc(&arena, components, sizeof *face);
    *points = base_alloc(components, sizeof **points);
    if (!volume || !largest || !face || !*points) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for the components");
        goto done;
    }
    const vec3 centre = geo_box_centre(geo_mesh_box(mesh));
    for (size_t f = 0; f < mesh->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        const double area2 = vec3_norm2(normal_of(t));
        volume[label[f]] += under(t, centre);
        if (area2 > largest[label[f]]) {
            largest[label[f]] = area2;
            face[label[f]] = f;
        }
    }
    for (uint32_t c = 0; c < components; c++) {
        if (volume[c] < 0) {
            (*points)[(*count)++] = cavity_point(mesh, face[c]);
        }
    }
done:
    if (status != BASE_OK) {
        base_free(*points);
        *points = NULL;
    }
    base_arena_release(&arena);
    return status;
}

/* --- Files ------------------------------------------------------------------------------------ */

vec3 gt_tetgen_turn(vec3 p, int turn)
{
    const vec3 q = turn % 3 == 0   ? p
                   : turn % 3 == 1 ? (vec3){p.y, p.z, p.x}
                                   : (vec3){p.z, p.x, p.y};
    return turn < 3 ? q : (vec3){-q.x, -q.y, q.z};
}

vec3 gt_tetgen_turn_back(vec3 p, int turn)
{
    const vec3 q = turn < 3 ? p : (vec3){-p.x, -p.y, p.z};
    return turn % 3 == 0 ? q : turn % 3 == 1 ? (vec3){q.z, q.x, q.y} : (vec3){q.y, q.z, q.x};
}

static void write_point(FILE *file, size_t i, vec3 p)
{
    fprintf(file, "%zu %.17g %.17g %.17g\n", i, p.x, p.y, p.z);
}

/** Numbers the vertices that faces use; returns their number. */
static uint32_t number_vertices(const geo_mesh *mesh, uint32_t *number)
{
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        number[v] = UINT32_MAX;
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        for (int k = 0; k < 3; k++) {
            number[mesh->faces[f].v[k]] = 0;
        }
    }
    uint32_t used = 0;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        number[v] = number[v] == 0 ? used++ : UINT32_MAX;
    }
    return used;
}

/**
 * Writes the turned mesh as .smesh with 17 digits. number[v] becomes the index of vertex v in the
 * file. It is UINT32_MAX for a vertex that no face uses; such a vertex is left out.
 */
static base_status write_mesh(const geo_mesh *mesh, int turn, FILE *file, uint32_t *number,
                              base_error *err)
{
    vec3 *holes = NULL;
    size_t hole_count = 0;
    const base_status status = gt_tetgen_cavities(mesh, &holes, &hole_count, err);
    if (status != BASE_OK) {
        return status;
    }
    fprintf(file, "%u 3 0 0\n", number_vertices(mesh, number));
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        if (number[v] != UINT32_MAX) {
            write_point(file, number[v], gt_tetgen_turn(mesh->vertices[v], turn));
        }
    }
    fprintf(file, "%zu 0\n", mesh->face_count);
    for (size_t f = 0; f < mesh->face_count; f++) {
        const uint32_t *const v = mesh->faces[f].v;
        fprintf(file, "3 %u %u %u\n", number[v[0]], number[v[1]], number[v[2]]);
    }
    fprintf(file, "%zu\n", hole_count);
    for (size_t h = 0; h < hole_count; h++) {
        write_point(file, h, gt_tetgen_turn(holes[h], turn));
    }
    fprintf(file, "0\n");
    base_free(holes);
    return ferror(file) ? base_fail(err, BASE_ERR_SYSTEM, "cannot write the input of tetgen")
                        : BASE_OK;
}

/** Reads the numbers of a file one after the other; skips lines that start with '#'. */
typedef struct scanner {
    const char *next;
    bool good;
} scanner;

static double scan(scanner *s)
{
    while (*s->next == ' ' || *s->next == '\t' || *s->next == '\n' || *s->next == '\r' ||
           *s->next == '#') {
        s->next += *s->next == '#' ? strcspn(s->next, "\n") : 1;
    }
    char *end;
    const double value = strtod(s->next, &end);
    s->good = s->good && end != s->next && isfinite(value);
    s->next = end;
    return value;
}

/** Reads an item's number and then a point. */
static vec3 scan_point(scanner *s, int turn, double *number)
{
    vec3 p;
    *number = scan(s);
    p.x = scan(s);
    p.y = scan(s);
    p.z = scan(s);
    return gt_tetgen_turn_back(p, turn);
}

/** Reads an integer in [0, limit). */
static uint32_t scan_index(scanner *s, double limit)
{
    const double value = scan(s);
    s->good = s->good && value >= 0 && value < limit && value == floor(value);
    return s->good ? (uint32_t)value : 0;
}

static const double numbers_max = 2147483648.0;

/* Bytes of the shortest lines, "0 0 0 0" and "0 0 1 2 3". The size of a file divided by them bounds
 * its number of items. */
enum { POINT_BYTES = 7, TETRAHEDRON_BYTES = 9 };

/**
 * Reads the points. The first ones must be the used vertices of the mesh, in their order and
 * unchanged. New points follow.
 */
static bool scan_nodes(scanner *s, const geo_mesh *mesh, int turn, const uint32_t *number,
                       gt_tetrahedra *tetrahedra)
{
    double item;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        tetrahedra->vertices[v] = mesh->vertices[v];
    }
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        if (number[v] != UINT32_MAX) {
            const vec3 p = scan_point(s, turn, &item);
            s->good = s->good && item == number[v] && vec3_equal(p, mesh->vertices[v]);
        }
    }
    for (size_t v = mesh->vertex_count; v < tetrahedra->vertex_count; v++) {
        tetrahedra->vertices[v] = scan_point(s, turn, &item);
    }
    return s->good;
}

static base_status read_nodes(const char *text, size_t size, const geo_mesh *mesh, int turn,
                              const uint32_t *number, gt_tetrahedra *tetrahedra, base_error *err)
{
    size_t used = 0;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        used += number[v] != UINT32_MAX;
    }
    scanner s = {text, true};
    const uint32_t count = scan_index(&s, numbers_max);
    const bool header = scan(&s) == 3 && scan(&s) == 0 && scan(&s) == 0 && s.good && count >= used;
    if (!header || count > size / POINT_BYTES) {
        return base_fail(err, BASE_ERR_SYSTEM, "tetgen wrote a strange list of %u points", count);
    }
    tetrahedra->vertex_count = mesh->vertex_count + (count - used);
    tetrahedra->vertices = base_alloc(tetrahedra->vertex_count, sizeof *tetrahedra->vertices);
    if (!tetrahedra->vertices) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %u points", count);
    }
    return scan_nodes(&s, mesh, turn, number, tetrahedra)
               ? BASE_OK
               : base_fail(err, BASE_ERR_SYSTEM, "tetgen moved a vertex or wrote half a list");
}

static base_status read_elements(const char *text, size_t size, const geo_mesh *mesh,
                                 const uint32_t *number, gt_tetrahedra *tetrahedra, base_error *err)
{
    scanner s = {text, true};
    tetrahedra->count = scan_index(&s, numbers_max);
    const bool header = scan(&s) == 4 && scan(&s) == 0 && s.good && tetrahedra->count > 0;
    if (!header) {
        return base_fail(err, BASE_ERR_SYSTEM, "tetgen made no tetrahedra");
    }
    if (tetrahedra->count > size / TETRAHEDRON_BYTES) {
        return base_fail(err, BASE_ERR_SYSTEM, "tetgen wrote half a list of %zu tetrahedra",
                         tetrahedra->count);
    }
    tetrahedra->corners = base_alloc(tetrahedra->count, sizeof *tetrahedra->corners);
    uint32_t *const original = base_alloc(tetrahedra->vertex_count, sizeof *original);
    if (!tetrahedra->corners || !original) {
        base_free(original);
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu tetrahedra",
                         tetrahedra->count);
    }
    size_t used = 0;
    for (size_t v = 0; v < tetrahedra->vertex_count; v++) {
        if (v >= mesh->vertex_count || number[v] != UINT32_MAX) {
            original[used++] = (uint32_t)v;
        }
    }
    for (size_t i = 0; i < tetrahedra->count && s.good; i++) {
        scan(&s);
        for (int k = 0; k < 4; k++) {
            tetrahedra->corners[i].v[k] = original[scan_index(&s, (double)used)];
        }
    }
    base_free(original);
    return s.good ? BASE_OK
                  : base_fail(err, BASE_ERR_SYSTEM, "tetgen wrote a broken list of tetrahedra");
}

/**
 * Reads .node and .ele, and undoes `number` and the turn. It is an error if a vertex has moved or
 * if a list has more items than the size of its file allows.
 * Errors   BASE_ERR_SYSTEM, BASE_ERR_MEMORY.
 */
static base_status read_tetrahedra(const char *node_path, const char *ele_path,
                                   const geo_mesh *mesh, int turn, const uint32_t *number,
                                   gt_tetrahedra *tetrahedra, base_error *err)
{
    *tetrahedra = (gt_tetrahedra){0};
    char *nodes = NULL, *elements = NULL;
    size_t node_bytes, element_bytes;
    base_status status = base_file_read(node_path, &nodes, &node_bytes, err);
    if (status != BASE_OK) {
        return status;
    }
    status = base_file_read(ele_path, &elements, &element_bytes, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = read_nodes(nodes, node_bytes, mesh, turn, number, tetrahedra, err);
    if (status == BASE_OK) {
        status = read_elements(elements, element_bytes, mesh, number, tetrahedra, err);
    }
done:
    base_free(nodes);
    base_free(elements);
    if (status != BASE_OK) {
        gt_tetrahedra_release(tetrahedra);
    }
    return status;
}

/* --- A run ------------------------------------------------------------------------------------ */

/** The state that all attempts of one call share. */
typedef struct call {
    const geo_mesh *mesh;
    unsigned seconds;
    bool (*interrupted)(void);
    running *running;
    char directory[1024];
    char input[1100], node[1100], ele[1100], log[1100];
    uint32_t *number; /* index of each vertex in the files */
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
    const base_status status = write_mesh(c->mesh, turn, file, c->number, err);
    if (fclose(file) != 0 && status == BASE_OK) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", c->input, strerror(errno));
    }
    return status;
}

/** Reports why TetGen produced no result. */
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

/** Settings of one run of TetGen. */
typedef struct attempt {
    const char *switches;
    int turn;
} attempt;

/** Runs TetGen once. *again: true if another attempt may succeed. */
static base_status run_child(const call *c, const char *switches, bool *again, base_error *err)
{
    char tetgen[PATH_MAX], stdbuf[PATH_MAX];
    if (!base_process_find("tetgen", tetgen)) {
        return base_fail(err, BASE_ERR_SYSTEM, "tetgen is not installed: run make deps");
    }
    /* If TetGen aborts, messages in its output buffer are lost, unless the buffer is flushed after
     * each line. */
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
        /* Ten times the memory that TetGen needs, which is 2 kB a face. */
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

/** Reads TetGen's result and proves that it is right. */
static base_status take_result(const call *c, int turn, gt_tetrahedra *tetrahedra, base_error *err)
{
    base_status status =
        read_tetrahedra(c->node, c->ele, c->mesh, turn, c->number, tetrahedra, err);
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
    base_error told = {0}; /* the first failure, which is reported even if later attempts fail
                            * differently */
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
