#include "groundtruth/body/body.h"
#include "groundtruth/body/tetgen.h"

#include "scratch.h"
#include "shapes.h"

TestSuite(tetgen_failures, .timeout = 120);

static base_status fail_with(const geo_mesh *mesh, base_error *err)
{
    gt_tetrahedra t;
    *err = (base_error){0};
    const base_status status = gt_tetgen_run(mesh, 1, NULL, &t, err);
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
         "after throwing an instance of 'int'\n",         "Found two facets intersect each other"},
        {"Error:  The point set is trivial.\nterminate called",    "Error:  The point set is trivial"     },
        {"terminate called after throwing an instance of 'int'\n", ""                                     },
        {"Opening x.\n\nStatistics:\n\n  Input points: 8\n",       ""                                     },
        {"",                                                       ""                                     },
        {"no newline",                                             "no newline"                           },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        gt_tetgen_sentence(cases[i].log, text, sizeof text);
        cr_assert_str_eq(text, cases[i].sentence, "case %zu: '%s'", i, text);
    }
}

Test(tetgen_failures, says_what_tetgen_says)
{
    const scratch dir = scratch_make();
    shape s = {0}; /* two cubes through each other: no solid, so nobody would ask */
    shape_add_box(&s, (vec3){0, 0, 0}, (vec3){1, 1, 1}, false);
    shape_add_box(&s, (vec3){0.5, 0.5, 0.5}, (vec3){2, 2, 2}, false);
    shape_finish(&s);
    base_error err;
    cr_assert_eq(fail_with(&s.mesh, &err), BASE_ERR_SYSTEM);
    cr_assert(strstr(err.text, "tetgen failed: ") == err.text && !strstr(err.text, "terminate"),
              "%s", err.text);
    cr_assert_eq(scratch_count(dir.path, NULL), 0, "files are left");
    shape_release(&s);
    scratch_remove(&dir);
}

/** A script as tetgen, and what is said of it. */
static void check_failure(const char *script, const char *message)
{
    const scratch dir = scratch_make();
    shape s = shape_cube(1);
    if (script) {
        scratch_program(&dir, "tetgen", script);
    } else {
        cr_assert_eq(setenv("PATH", dir.path, 1), 0);
    }
    base_error err;
    cr_assert_eq(fail_with(&s.mesh, &err), BASE_ERR_SYSTEM);
    cr_assert_not_null(strstr(err.text, message), "'%s', not '%s'", err.text, message);
    cr_assert_eq(scratch_count(dir.path, NULL), script != NULL, "files are left");
    shape_release(&s);
    scratch_remove(&dir);
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

/** Counts are held against the file's size before anything is allocated for them. */
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
    check_failure("sleep 300", "tetgen ran longer than 1 s and was stopped");
}

/** Runs a script that writes process numbers to the file $3 ... and expects all of them gone. */
static void check_processes(const char *script_format, int expected)
{
    const scratch dir = scratch_make();
    char list[512], script[700];
    scratch_file(&dir, "pids", list);
    snprintf(script, sizeof script, "exec 3>> %s; %s", list, script_format);
    scratch_program(&dir, "tetgen", script);
    shape s = shape_cube(1);
    base_error err;
    cr_assert_eq(fail_with(&s.mesh, &err), BASE_ERR_SYSTEM);
    FILE *const file = fopen(list, "r");
    cr_assert_not_null(file);
    int pid = 0, count = 0;
    while (fscanf(file, "%d", &pid) == 1) {
        char path[64], state = 'R';
        /* Nobody may have waited for a grandchild: a zombie is as good as gone. */
        for (int turn = 0; turn < 200 && state != 'X' && state != 'Z'; turn++) {
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
    /* Two ways of asking run too long, each with a child. */
    check_processes("echo $$ >&3; sleep 300 & echo $! >&3; wait", 4);
    /* One ends, in each of seven ways, and leaves a child behind. */
    check_processes("sleep 300 & echo $! >&3; exit 1", 1 + GT_TETGEN_TURNS);
}

Test(tetgen_failures, is_kept_within_limits)
{
    check_failure("test $(ulimit -v) != unlimited && test $(ulimit -c) = 0 && echo has limits",
                  "tetgen failed: has limits");
    check_failure("read line || echo has no input", "tetgen failed: has no input");
}

Test(tetgen_failures, no_scratch_directory)
{
    shape s = shape_cube(1);
    base_error err;
    cr_assert_eq(setenv("TMPDIR", "/nonexistent", 1), 0);
    cr_assert_eq(fail_with(&s.mesh, &err), BASE_ERR_SYSTEM);
    cr_assert_not_null(strstr(err.text, "scratch directory in '/nonexistent'"), "%s", err.text);
    shape_release(&s);
}

/** Asks for both bodies with a tetgen that notes each call; returns how often it was called. */
static int count_calls(const char *script, base_status expected)
{
    const scratch dir = scratch_make();
    char calls[512], noting[700];
    scratch_file(&dir, "calls", calls);
    snprintf(noting, sizeof noting, "echo call >> %s; %s", calls, script);
    scratch_program(&dir, "tetgen", noting);
    shape a = shape_cube(1), b = shape_cube(1);
    base_error err;
    cr_assert_eq(gt_bodies_tetrahedralise(a.body, b.body, NULL, &err), expected);
    const char *const refusals[] = {gt_body_refusal(a.body), gt_body_refusal(b.body)};
    cr_assert(expected == BASE_OK ? !refusals[0] && !refusals[1]
                                  : strcmp(refusals[0], refusals[1]) == 0);
    cr_assert_eq(gt_body_tetrahedron_count(a.body), gt_body_tetrahedron_count(b.body));
    FILE *const file = fopen(calls, "r");
    cr_assert_not_null(file);
    int count = 0;
    for (int c = fgetc(file); c != EOF; c = fgetc(file)) {
        count += c == '\n';
    }
    fclose(file);
    shape_release(&a);
    shape_release(&b);
    scratch_remove(&dir);
    return count;
}

Test(tetgen_failures, two_bodies_of_one_mesh_are_asked_for_once)
{
    cr_assert_eq(count_calls("PATH=${PATH#*:} exec tetgen \"$@\"", BASE_OK), 1);
    cr_assert_eq(count_calls("exit 1", BASE_ERR_SYSTEM), 1 + GT_TETGEN_TURNS);
}
