#include "base/random.h"
#include "base/tests/support.h"
#include "groundtruth/body/body.h"
#include "groundtruth/body/tetgen.h"
#include "groundtruth/volume/volume_tetra.h"

#include "scratch.h"
#include "shapes.h"

#include <signal.h>
#include <sys/wait.h>

/**
 * Time limits: for scripts that end, on a machine with any load; and for scripts that never end.
 */
enum { ENOUGH_SECONDS = 300, FEW_SECONDS = 1 };

static base_status fail_within(unsigned seconds, const geo_mesh *mesh, base_error *err)
{
    gt_tetrahedra t;
    *err = (base_error){0};
    const base_status status = gt_tetgen_run(mesh, seconds, NULL, &t, err);
    cr_assert(!t.vertices && !t.corners);
    return status;
}

Test(tetgen_failures, sentences)
{
    const struct {
        const char *log, *sentence;
    } cases[] = {
        {"Opening x.smesh.\nDelaunizing vertices...\nDelaunay seconds:  0.2\nCreating surface mesh "
         "...\nFound two facets intersect each other.\n  1st: [1, 2, 3] #90\nterminate called "
         "after throwing an instance of 'int'\n",
         "Found two facets intersect each other"},
        {"Error:  The point set is trivial.\nterminate called", "Error:  The point set is trivial"},
        {"terminate called after throwing an instance of 'int'\n", ""},
        {"Opening x.\n\nStatistics:\n\n  Input points: 8\n", ""},
        {"", ""},
        {"no newline", "no newline"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        gt_tetgen_sentence(cases[i].log, text, sizeof text);
        cr_assert_str_eq(text, cases[i].sentence, "case %zu: '%s'", i, text);
    }
}

Test(tetgen_failures, messages_of_tetgen_are_passed_on)
{
    const scratch dir = scratch_make();
    shape s = {0}; /* two intersecting cubes: not a solid, so normal callers would not ask */
    shape_add_box(&s, (vec3){0, 0, 0}, (vec3){1, 1, 1}, false);
    shape_add_box(&s, (vec3){0.5, 0.5, 0.5}, (vec3){2, 2, 2}, false);
    shape_finish(&s);
    base_error err;
    cr_assert_eq(fail_within(ENOUGH_SECONDS, &s.mesh, &err), BASE_ERR_SYSTEM);
    cr_assert(strstr(err.text, "tetgen failed: ") == err.text && !strstr(err.text, "terminate"),
              "%s", err.text);
    cr_assert_eq(scratch_count(dir.path, NULL), 0, "files are left");
    shape_release(&s);
    scratch_remove(&dir);
}

/** Runs a script as tetgen and expects the message in the error. */
static void check_failure_within(unsigned seconds, const char *script, const char *message)
{
    const scratch dir = scratch_make();
    shape s = shape_cube(1);
    if (script) {
        scratch_program(&dir, "tetgen", script);
    } else {
        cr_assert_eq(setenv("PATH", dir.path, 1), 0);
    }
    base_error err;
    cr_assert_eq(fail_within(seconds, &s.mesh, &err), BASE_ERR_SYSTEM);
    cr_assert_not_null(strstr(err.text, message), "'%s', not '%s'", err.text, message);
    cr_assert_eq(scratch_count(dir.path, NULL), script != NULL, "files are left");
    shape_release(&s);
    scratch_remove(&dir);
}

static void check_failure(const char *script, const char *message)
{
    check_failure_within(ENOUGH_SECONDS, script, message);
}

Test(tetgen_failures, missing)
{
    check_failure(NULL, "tetgen is not installed: run make deps");
}

Test(tetgen_failures, aborts_with_a_sentence)
{
    check_failure("echo 'Found two duplicated facets.'; kill -ABRT $$",
                  "tetgen failed: Found two duplicated facets");
}

Test(tetgen_failures, aborts_without)
{
    check_failure("kill -ABRT $$", "tetgen failed: signal 6 (Aborted)");
}

Test(tetgen_failures, makes_nothing)
{
    check_failure("exit 0", "tetgen failed: exit status 0 and no tetrahedra");
    check_failure("exit 3", "tetgen failed: exit status 3 and no tetrahedra");
}

Test(tetgen_failures, makes_no_tetrahedra)
{
    check_failure("head -n 9 body.smesh > body.1.node; echo '0 4 0' > body.1.ele",
                  "tetgen made no tetrahedra");
}

Test(tetgen_failures, moves_a_vertex)
{
    check_failure(
        "sed 's/0.5/0.25/' body.smesh | head -n 9 > body.1.node; echo '1 4 0' > body.1.ele",
        "tetgen moved a vertex");
}

Test(tetgen_failures, writes_broken_lists)
{
    const char *const node = "head -n 9 body.smesh > body.1.node; ";
    const char *const lists[] = {"1 4 0\n0 0 1 2",
                                 "1 4 0\n0 0 1 2 8",
                                 "2 4 0\n0 0 1 2 4\n",
                                 "1 4 0\n0 0 1 2 -1",
                                 "1 4 0\n0 0 1 2 nan",
                                 "2000000000 4 0\\n0 0 1 2 4\\n",
                                 "x",
                                 "1 5 0"};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        char script[256];
        snprintf(script, sizeof script, "%s printf '%s' > body.1.ele", node, lists[i]);
        check_failure(script, "tetgen");
    }
    check_failure("printf '4 3 0 0\\n' > body.1.node; echo '1 4 0' > body.1.ele", "strange list");
}

/** Counts are compared with the file's size before memory is allocated for them. */
Test(tetgen_failures, counts_without_a_list)
{
    check_failure("sed 's/^8 3/2000000000 3/' body.smesh > body.1.node; echo '1 4 0' > body.1.ele",
                  "strange list of 2000000000 points");
    check_failure("head -n 9 body.smesh > body.1.node; echo '2000000000 4 0' > body.1.ele",
                  "half a list of 2000000000 tetrahedra");
}

static bool is_interrupted(void)
{
    return true;
}

Test(tetgen_failures, ends_when_interrupted)
{
    const scratch dir = scratch_make();
    shape s = shape_cube(1);
    scratch_program(&dir, "tetgen", "sleep 300");
    gt_tetrahedra t;
    base_error err;
    cr_assert_eq(gt_tetgen_run(&s.mesh, 600, is_interrupted, &t, &err), BASE_ERR_SYSTEM);
    cr_assert_str_eq(err.text, "interrupted");
    shape_release(&s);
    scratch_remove(&dir);
}

Test(tetgen_failures, does_not_fill_the_body)
{
    check_failure("head -n 9 body.smesh > body.1.node; printf '1 4 0\\n0 0 1 2 4\\n' > body.1.ele",
                  "tetgen did not fill the body: ");
}

Test(tetgen_failures, runs_too_long)
{
    check_failure_within(FEW_SECONDS, "sleep 300", "tetgen ran longer than 1 s and was stopped");
}

/**
 * Runs a script that writes process ids to the file $3 ... and expects all of these processes to
 * end.
 */
static void check_processes(unsigned seconds, const char *script_format, int expected)
{
    const scratch dir = scratch_make();
    char list[512], script[700];
    scratch_file(&dir, "pids", list);
    snprintf(script, sizeof script, "exec 3>> %s; %s", list, script_format);
    scratch_program(&dir, "tetgen", script);
    shape s = shape_cube(1);
    base_error err;
    cr_assert_eq(fail_within(seconds, &s.mesh, &err), BASE_ERR_SYSTEM);
    FILE *const file = fopen(list, "r");
    cr_assert_not_null(file);
    int pid = 0, count = 0;
    while (fscanf(file, "%d", &pid) == 1) {
        char path[64], state = 'R';
        /* A grandchild may have no parent that waits for it, so a zombie counts as ended. */
        for (int turn = 0; turn < 30000 && state != 'X' && state != 'Z'; turn++) {
            snprintf(path, sizeof path, "/proc/%d/stat", pid);
            FILE *const info = fopen(path, "r");
            state = 'X';
            if (info) {
                cr_assert(fscanf(info, "%*d %*s %c", &state) == 1 || feof(info) || ferror(info));
                fclose(info);
                usleep(10000);
            }
        }
        cr_assert(state == 'X' || state == 'Z', "process %d is in state %c", pid, state);
        count++;
    }
    fclose(file);
    cr_assert_eq(count, expected, "%d processes", count);
    shape_release(&s);
    scratch_remove(&dir);
}

Test(tetgen_failures, leaves_no_process)
{
    /* Two of the attempts exceed the time limit, each with a child. */
    check_processes(FEW_SECONDS, "echo $$ >&3; sleep 300 & echo $! >&3; wait", 4);
    /* The program ends in each of seven attempts and leaves a child behind. */
    check_processes(ENOUGH_SECONDS, "sleep 300 & echo $! >&3; exit 1", 1 + GT_TETGEN_TURNS);
}

Test(tetgen_failures, is_kept_within_limits)
{
    check_failure("test $(ulimit -v) != unlimited && test $(ulimit -c) = 0 && echo has limits",
                  "tetgen failed: has limits");
    check_failure("read line || echo has no input", "tetgen failed: has no input");
}

Test(tetgen_failures, no_scratch_directory)
{
    SCOPED_SHAPE s = shape_cube(1);
    base_error err;
    cr_assert_eq(setenv("TMPDIR", "/nonexistent", 1), 0);
    cr_assert_eq(fail_within(ENOUGH_SECONDS, &s.mesh, &err), BASE_ERR_SYSTEM);
    cr_assert_not_null(strstr(err.text, "scratch directory in '/nonexistent'"), "%s", err.text);
}

/** Makes a torus beside the origin. */
static shape torus_aside(void)
{
    shape s = {0};
    const geo_pose aside = shift(0.3, -1.1, 7.7);
    shape_add_torus(&s, 14, 9, 1, 0.4);
    shape_move(&s, &aside);
    shape_finish(&s);
    return s;
}

/**
 * Makes the body moved by its box's centre, as a pair moves A; vertex `odd` is moved by an
 * additional rounding error.
 */
static shape centred(const shape *body, size_t odd)
{
    shape s = {0};
    const geo_mesh *const mesh = &body->mesh;
    const vec3 by = vec3_scale(-1, body->body->centre);
    shape_add(&s, mesh->vertices, mesh->vertex_count, mesh->faces, mesh->face_count, false);
    for (size_t v = 0; v < s.parts.vertex_count; v++) {
        s.parts.vertices[v] = vec3_add(s.parts.vertices[v], by);
    }
    if (odd < s.parts.vertex_count) {
        s.parts.vertices[odd].x = nextafter(s.parts.vertices[odd].x, 9);
    }
    shape_finish(&s);
    return s;
}

/** The record of the calls of tetgen. */
typedef struct calls {
    scratch dir;
    char list[512];
} calls;

static calls count_calls_of(const char *script)
{
    calls c = {.dir = scratch_make()};
    char noting[700];
    scratch_file(&c.dir, "calls", c.list);
    snprintf(noting, sizeof noting, "echo call >> %s; %s", c.list, script);
    scratch_program(&c.dir, "tetgen", noting);
    return c;
}

static int end_count(calls *c)
{
    FILE *const file = fopen(c->list, "r");
    cr_assert_not_null(file);
    int count = 0;
    for (int byte = fgetc(file); byte != EOF; byte = fgetc(file)) {
        count += byte == '\n';
    }
    fclose(file);
    scratch_remove(&c->dir);
    return count;
}

/**
 * Tetrahedralises both bodies with a tetgen that records each call; returns the number of calls.
 */
static int count_calls(const char *script, shape *a, shape *b, base_status expected)
{
    calls c = count_calls_of(script);
    base_error err;
    cr_assert_eq(gt_bodies_tetrahedralise(a->body, b->body, NULL, &err), expected);
    const char *const refusals[] = {gt_body_refusal(a->body), gt_body_refusal(b->body)};
    cr_assert(expected == BASE_OK ? !refusals[0] && !refusals[1]
                                  : strcmp(refusals[0], refusals[1]) == 0);
    cr_assert_eq(gt_body_tetrahedron_count(a->body), gt_body_tetrahedron_count(b->body));
    shape_release(a);
    shape_release(b);
    return end_count(&c);
}

static const char *const real_tetgen = "PATH=${PATH#*:} exec tetgen \"$@\"";

Test(tetgen_failures, two_bodies_of_one_mesh_are_asked_for_once)
{
    shape a = shape_cube(1), b = shape_cube(1), c = shape_cube(1), d = shape_cube(1);
    cr_assert_eq(count_calls(real_tetgen, &a, &b, BASE_OK), 1);
    cr_assert_eq(count_calls("exit 1", &c, &d, BASE_ERR_SYSTEM), 1 + GT_TETGEN_TURNS);
}

Test(tetgen_failures, a_body_and_the_same_one_centred_are_asked_for_once)
{
    shape b = torus_aside(), a = centred(&b, SIZE_MAX);
    cr_assert(!vec3_equal(a.mesh.vertices[0], b.mesh.vertices[0]));
    cr_assert_eq(count_calls(real_tetgen, &a, &b, BASE_OK), 1);
    shape d = torus_aside(), c = centred(&d, SIZE_MAX);
    cr_assert_eq(count_calls("exit 1", &c, &d, BASE_ERR_SYSTEM), 1 + GT_TETGEN_TURNS);
    /* The two bodies are not exactly the same, so each is tetrahedralised. */
    SCOPED_SHAPE f = torus_aside(), e = centred(&f, 5);
    calls counted = count_calls_of(real_tetgen);
    assert_ok(gt_bodies_tetrahedralise(e.body, f.body, NULL, ERR));
    cr_assert_eq(end_count(&counted), 2);
}

Test(tetgen_failures, volumes_of_a_centred_body_are_those_of_its_own_tetrahedra)
{
    SCOPED_SHAPE b = torus_aside(), a = centred(&b, SIZE_MAX), own = centred(&b, SIZE_MAX);
    assert_ok(gt_bodies_tetrahedralise(a.body, b.body, NULL, ERR));
    assert_ok(gt_body_tetrahedralise(own.body, NULL, ERR));
    base_random random = base_random_seed(7);
    int over = 0;
    for (int i = 0; i < 20; i++) {
        geo_pose pose = random_pose(&random, 0.5);
        pose.translation = vec3_sub(pose.translation, geo_pose_apply(&pose, b.body->centre));
        pose.translation = vec3_add(pose.translation, random_pose(&random, 0.5).translation);
        gt_volume v, w;
        gt_volume_query(a.body, b.body, &pose, &v);
        gt_volume_query(own.body, b.body, &pose, &w);
        cr_assert(v.volume_m3.lo <= w.volume_m3.hi && w.volume_m3.lo <= v.volume_m3.hi,
                  "%.17g and %.17g", v.volume_m3.lo, w.volume_m3.lo);
        over += v.volume_m3.lo > 0;
    }
    cr_assert(over > 10, "%d overlap", over);
}

/** Runs in a process that is ended by a signal during a query, as in the program. */
static void abandon(int number)
{
    (void)number;
    gt_tetgen_abandon();
    _exit(130);
}

/** Starts a process that runs a tetgen which never ends; returns when it has started. */
static pid_t ask_in_process(const scratch *dir, pid_t *tetgen)
{
    char list[512], script[700];
    scratch_file(dir, "pid", list);
    snprintf(script, sizeof script, "echo $$ > %s; exec sleep 300", list);
    scratch_program(dir, "tetgen", script);
    const pid_t asking = fork();
    if (asking == 0) {
        const struct sigaction leave = {.sa_handler = abandon};
        sigaction(SIGTERM, &leave, NULL);
        shape s = shape_cube(1);
        gt_tetrahedra t;
        _exit(gt_tetgen_run(&s.mesh, 600, NULL, &t, NULL) == BASE_OK);
    }
    *tetgen = 0;
    for (int turn = 0; turn < 30000 && *tetgen == 0; turn++) {
        usleep(10000);
        FILE *const file = fopen(list, "r");
        if (file && fscanf(file, "%d", tetgen) != 1) {
            *tetgen = 0;
        }
        if (file) {
            fclose(file);
        }
    }
    cr_assert_neq(*tetgen, 0);
    unlink(list);
    return asking;
}

Test(tetgen_failures, a_handler_ends_it_and_leaves_nothing)
{
    const scratch dir = scratch_make();
    pid_t tetgen;
    int status = 0;
    const pid_t asking = ask_in_process(&dir, &tetgen);
    cr_assert_eq(scratch_count(dir.path, NULL), 2, "no scratch folder beside bin");
    kill(asking, SIGTERM);
    cr_assert_eq(waitpid(asking, &status, 0), asking);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 130);
    cr_assert_eq(kill(tetgen, 0), -1, "it was waited for, and its files removed after that");
    cr_assert_eq(scratch_count(dir.path, NULL), 1, "files are left");
    scratch_remove(&dir);
}

Test(tetgen_failures, files_of_a_killed_process_are_removed)
{
    const scratch dir = scratch_make();
    pid_t tetgen;
    const pid_t asking = ask_in_process(&dir, &tetgen);
    gt_tetgen_sweep(asking + 1);
    kill(asking, SIGKILL);
    cr_assert_eq(waitpid(asking, NULL, 0), asking);
    cr_assert_eq(scratch_count(dir.path, NULL), 2, "the scratch folder is left");
    gt_tetgen_sweep(asking);
    cr_assert_eq(scratch_count(dir.path, NULL), 1, "it is not swept");
    scratch_remove(&dir);
}
