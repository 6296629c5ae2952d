/** Takes and their journal (record/takes.h). */
#include "base/memory.h"
#include "geometry/pose.h"
#include "suite/record/takes.h"
#include "suite/tests/simulate.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

static const base_hash pair_hash[2] = {{1, 2}, {3, 4}};
static char out[128];
static bench_takes takes;
static base_error err;

static void enter(void)
{
    enter_folder();
    snprintf(out, sizeof out, "%s/t.csv", folder);
}
TestSuite(takes, .init = enter, .fini = leave_folder);

static void open_takes(void)
{
    cr_assert_eq(bench_takes_open(out, "B in A", pair_hash, &takes, &err), BASE_OK, "%s", err.text);
}

static bench_timed_pose at(double t_s, double x)
{
    return (bench_timed_pose){t_s, {x, 0, 0.1}, {0, 0, 0, 1}};
}

static void add(double t_s, double x)
{
    const bench_timed_pose pose = at(t_s, x);
    cr_assert_eq(bench_takes_add(&takes, &pose, 1, false, &err), BASE_OK, "%s", err.text);
}

static void begin(void)
{
    cr_assert_eq(bench_takes_begin(&takes, &err), BASE_OK, "%s", err.text);
}

/** Returns the content of FOLDER/NAME, or NULL. */
static char *content(const char *name)
{
    char path[256];
    static char text[1 << 16];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "r");
    if (!file) {
        return NULL;
    }
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void append_to_journal(const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/t.csv.journal", folder);
    FILE *const file = fopen(path, "a");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

Test(takes, a_pose_is_in_the_journal_at_once)
{
    open_takes();
    begin();
    add(7, 0.1);
    const bench_timed_pose pushed = at(7.5, 0.25);
    cr_assert_eq(bench_takes_add(&takes, &pushed, 1, true, &err), BASE_OK);
    const char *const text = content("t.csv.journal");
    cr_assert_not_null(strstr(text,
                              "\ntake\nP 0 0.10000000000000001 0 0.10000000000000001 0 0 0 1\n"
                              "H 0.5 0.25 0 0.10000000000000001 0 0 0 1\n"),
                       "%s", text);
    cr_assert_eq(takes.items[0].pushed, 1);
    bench_takes_close(&takes);
}

Test(takes, a_killed_session_is_restored_to_the_bit)
{
    open_takes();
    begin();
    add(1, 1.0 / 3);
    add(1.125, 2.0 / 3);
    begin(); /* a take without a frame does not count */
    begin();
    add(0, 5);
    const bench_timed_pose pushed = at(0.5, 0.25);
    cr_assert_eq(bench_takes_add(&takes, &pushed, 1, true, &err), BASE_OK);
    bench_takes_close(&takes); /* as if it was killed: without finish */
    append_to_journal("P 1 2 3 0 0");
    open_takes();
    cr_assert_eq(takes.count, 2);
    const scn_trajectory *const first = &takes.items[0].path;
    cr_assert_eq(first->frame_count, 2);
    cr_assert_eq(first->frames[1].t_s, 0.125);
    cr_assert_eq(first->frames[1].position.x, 2.0 / 3);
    cr_assert(isnan(first->frames[0].target));
    cr_assert(takes.items[0].restored && takes.items[1].restored);
    cr_assert_eq(takes.items[1].path.frame_count, 2);
    cr_assert_eq(takes.items[1].pushed, 1);
    cr_assert(!takes.open);
    /* The half line is gone, so that the next line is whole. */
    begin();
    add(0, 1);
    cr_assert(!takes.items[2].restored);
    bench_takes_close(&takes);
    open_takes();
    cr_assert_eq(takes.count, 3);
    bench_takes_close(&takes);
}

Test(takes, a_written_take_is_known_as_written_after_a_kill)
{
    open_takes();
    begin();
    add(0, 1);
    bench_takes_end(&takes);
    begin();
    add(0, 2);
    bench_takes_end(&takes);
    cr_assert_eq(bench_takes_write(&takes, 1, 0, 0, &err), BASE_OK, "%s", err.text);
    bench_takes_close(&takes);
    open_takes();
    cr_assert_str_empty(takes.items[0].file);
    cr_assert_str_eq(takes.items[1].file, out);
    bench_takes_close(&takes);
}

Test(takes, every_bad_journal_says_where_and_stays_as_it_is)
{
    static const char *const bad[] = {
        "P 0 1 2 3 0 0 0 1\n",                          /* no take has begun */
        "take\nP 0 1 2 3 0 0 0 2\n",                    /* not a unit quaternion */
        "take\nP 0 1 2 3 0 0 1\n",                      /* a number is missing */
        "take\nP 0 1 2 3 0 0 0 1 0\n",                  /* a number too many */
        "take\nP 0 1 2 nan 0 0 0 1\n",                  /* not finite */
        "take\nQ 0 1 2 3 0 0 0 1\n",                    /* an unknown kind */
        "take\nP 0 1 2 3 0 0 0 1\nP 0 1 2 3 0 0 0 1\n", /* time does not increase */
        "written 1 t.csv\n",                            /* no such take */
        "take\nP 0 1 2 3 0 0 0 1\nwritten 0 t.csv\n",   /* they begin with 1 */
        "anything\n",
    };
    static const int lines[] = {2, 3, 3, 3, 3, 3, 4, 2, 4, 2};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char expected[64], before[1024];
        open_takes();
        begin();
        snprintf(before, sizeof before, "%.*s", (int)strcspn(content("t.csv.journal"), "\n"),
                 content("t.csv.journal"));
        bench_takes_close(&takes);
        char path[256];
        snprintf(path, sizeof path, "%s/t.csv.journal", folder);
        unlink(path);
        append_to_journal(before);
        append_to_journal("\n");
        append_to_journal(bad[i]);
        snprintf(before, sizeof before, "%s", content("t.csv.journal"));
        cr_assert_eq(bench_takes_open(out, "", pair_hash, &takes, &err), BASE_ERR_INPUT, "%zu", i);
        snprintf(expected, sizeof expected, "t.csv.journal' line %d: ", lines[i]);
        cr_assert_not_null(strstr(err.text, expected), "%zu: %s", i, err.text);
        cr_assert_str_eq(content("t.csv.journal"), before);
        unlink(path);
    }
}

Test(takes, a_file_that_is_no_journal_is_refused)
{
    append_to_journal("mine\nall mine\n");
    cr_assert_eq(bench_takes_open(out, "", pair_hash, &takes, &err), BASE_ERR_INPUT);
    cr_assert_not_null(strstr(err.text, "t.csv.journal' line 1: this is no line of a journal"),
                       "%s", err.text);
    cr_assert_str_eq(content("t.csv.journal"), "mine\nall mine\n");
}

Test(takes, a_journal_of_another_pair_and_one_in_use_are_refused)
{
    static const base_hash other[2] = {{1, 2}, {3, 5}};
    bench_takes second;
    open_takes();
    begin();
    add(0, 1);
    cr_assert_eq(bench_takes_open(out, "", pair_hash, &second, &err), BASE_ERR_INPUT);
    cr_assert_not_null(strstr(err.text, "another session"), "%s", err.text);
    bench_takes_close(&takes);
    cr_assert_eq(bench_takes_open(out, "", other, &second, &err), BASE_ERR_INPUT);
    cr_assert_not_null(strstr(err.text, "another pair"), "%s", err.text);
    open_takes();
    cr_assert_eq(takes.count, 1);
    bench_takes_close(&takes);
}

Test(takes, names_that_cannot_be_files_are_refused)
{
    char name[8192];
    cr_assert_eq(bench_takes_open("a\nb", "", pair_hash, &takes, &err), BASE_ERR_ARGUMENT);
    cr_assert_eq(bench_takes_open("", "", pair_hash, &takes, &err), BASE_ERR_ARGUMENT);
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    cr_assert_eq(bench_takes_open(name, "", pair_hash, &takes, &err), BASE_ERR_ARGUMENT);
    snprintf(name, sizeof name, "%s/none/t.csv", folder);
    cr_assert_eq(bench_takes_open(name, "", pair_hash, &takes, &err), BASE_ERR_SYSTEM);
}

Test(takes, without_a_take_no_journal_remains)
{
    open_takes();
    cr_assert_not_null(content("t.csv.journal"));
    bench_takes_close(&takes);
    cr_assert_null(content("t.csv.journal"));
}

Test(takes, times_of_another_clock_follow_by_a_step)
{
    open_takes();
    begin();
    add(100, 0);
    add(100.5, 1);
    add(100.5, 2);  /* left out: time does not increase */
    add(100.25, 3); /* the same */
    bench_takes_new_clock(&takes);
    add(-3, 4);
    add(-2, 5);
    const scn_trajectory *const path = &takes.items[0].path;
    cr_assert_eq(path->frame_count, 4);
    cr_assert_eq(path->frames[1].position.x, 1);
    cr_assert_eq(path->frames[2].t_s, 0.5 + BENCH_TAKE_STEP_S);
    cr_assert_eq(path->frames[3].t_s, 0.5 + BENCH_TAKE_STEP_S + 1);
    bench_takes_close(&takes);
}

Test(takes, a_take_is_trimmed_resampled_and_says_how_it_was_made)
{
    scn_trajectory written;
    open_takes();
    begin();
    add(0, 0);
    add(0.5, 1);
    const bench_timed_pose pushed = at(1.0, 1);
    cr_assert_eq(bench_takes_add(&takes, &pushed, 1, true, &err), BASE_OK);
    bench_takes_end(&takes);
    cr_assert_eq(bench_takes_write(&takes, 0, 0.25, 0.75, &err), BASE_OK, "%s", err.text);
    cr_assert_eq(scn_trajectory_read(out, &written, &err), BASE_OK, "%s", err.text);
    cr_assert_eq(written.frame_count, 501);
    for (size_t i = 0; i < written.frame_count; i++) {
        const double t_s = 0.001 * (double)i, x = fmin(1, 2 * (0.25 + t_s));
        cr_assert_float_eq(written.frames[i].t_s, t_s, 1e-15);
        cr_assert_float_eq(written.frames[i].position.x, x, 1e-12, "%zu", i);
        cr_assert(isnan(written.frames[i].target));
    }
    cr_assert_not_null(strstr(written.source, "recorded by hand 20"), "%s", written.source);
    cr_assert_not_null(strstr(written.source,
                              ": 3 poses in 1 s, 1 by the simulated hand, from 0.25 "
                              "to 0.75 s; resampled to 1000 Hz; B in A"),
                       "%s", written.source);
    scn_trajectory_release(&written);
    /* The same take is written to the same file. */
    cr_assert_eq(bench_takes_write(&takes, 0, 0, 1, &err), BASE_OK, "%s", err.text);
    cr_assert_eq(scn_trajectory_read(out, &written, &err), BASE_OK, "%s", err.text);
    cr_assert_eq(written.frame_count, 1001);
    cr_assert_null(strstr(written.source, ", from"), "%s", written.source);
    scn_trajectory_release(&written);
    /* Other parts than those of the take. */
    const double parts[][2] = {{-1, 1}, {0, 1.5}, {0.75, 0.25}, {(double)NAN, 1}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        cr_assert_eq(bench_takes_write(&takes, 0, parts[i][0], parts[i][1], &err),
                     BASE_ERR_ARGUMENT, "%zu", i);
    }
    bench_takes_close(&takes);
}

Test(takes, finish_writes_what_is_missing_and_replaces_nothing)
{
    char path[256];
    snprintf(path, sizeof path, "%s/t.csv", folder);
    FILE *const file = fopen(path, "w");
    fputs("mine\n", file);
    fclose(file);
    open_takes();
    begin();
    add(0, 1);
    begin();
    add(0, 2);
    add(0.002, 2);
    bench_takes_end(&takes);
    cr_assert_eq(bench_takes_write(&takes, 1, 0.001, 0.002, &err), BASE_OK, "%s", err.text);
    begin();
    add(0, 3);
    cr_assert_eq(bench_takes_finish(&takes, &err), BASE_OK, "%s", err.text);
    cr_assert_str_eq(content("t.csv"), "mine\n");
    cr_assert_null(content("t.csv.journal"));
    cr_assert_not_null(strstr(content("t-2.csv"), "\n0,0,2,0,"));
    cr_assert_not_null(strstr(content("t-3.csv"), "\n0,0,1,0,"));
    cr_assert_not_null(strstr(content("t-4.csv"), "\n0,0,3,0,"));
    bench_takes_close(&takes);
}

Test(takes, a_full_take_ends_and_keeps_its_poses)
{
    open_takes();
    begin();
    add(0, 1);
    add(BENCH_TAKE_SECONDS_MAX, 2);
    const bench_timed_pose late = at(BENCH_TAKE_SECONDS_MAX + 0.001, 3);
    cr_assert_eq(bench_takes_add(&takes, &late, 1, false, &err), BASE_ERR_INPUT);
    cr_assert_not_null(strstr(err.text, "20 minutes"), "%s", err.text);
    cr_assert(!takes.open);
    cr_assert_eq(takes.items[0].path.frame_count, 2);
    bench_takes_close(&takes);
}

Test(takes, a_journal_that_cannot_grow_ends_the_take_and_keeps_its_poses)
{
    open_takes();
    begin();
    add(0, 1);
    signal(SIGXFSZ, SIG_IGN);
    const struct rlimit small = {200, RLIM_INFINITY};
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    base_status status = BASE_OK;
    for (int i = 1; i < 10 && status == BASE_OK; i++) {
        const bench_timed_pose pose = at(i, 1);
        status = bench_takes_add(&takes, &pose, 1, false, &err);
    }
    cr_assert_eq(status, BASE_ERR_SYSTEM);
    cr_assert_not_null(strstr(err.text, "t.csv.journal"), "%s", err.text);
    cr_assert(!takes.open && takes.count == 1);
    const size_t kept = takes.items[0].path.frame_count;
    cr_assert(kept >= 2);
    const struct rlimit large = {RLIM_INFINITY, RLIM_INFINITY};
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &large), 0);
    /* The journal has no half line, so that it can be continued. */
    begin();
    add(0, 7);
    bench_takes_close(&takes);
    open_takes();
    cr_assert_eq(takes.count, 2);
    cr_assert_eq(takes.items[1].path.frames[0].position.x, 7);
    cr_assert_eq(bench_takes_finish(&takes, &err), BASE_OK, "%s", err.text);
    cr_assert_not_null(strstr(content("t.csv"), "\n0,0,1,0,"));
    bench_takes_close(&takes);
}

Test(takes, every_failed_allocation_is_an_error_and_loses_nothing)
{
    open_takes();
    begin();
    add(0, 1);
    bench_takes_close(&takes);
    for (size_t n = 0;; n++) {
        base_memory_fail_after(n);
        const base_status status = bench_takes_open(out, "", pair_hash, &takes, &err);
        base_memory_fail_after(SIZE_MAX);
        if (status == BASE_OK) {
            cr_assert(n > 0);
            break;
        }
        cr_assert_eq(status, BASE_ERR_MEMORY, "%s", err.text);
    }
    cr_assert_eq(takes.items[0].path.frame_count, 1);
    bench_takes_close(&takes);
}
