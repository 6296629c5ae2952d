/**
 * Parts of the gate: distances in ulp, columns, the priority of results, and the number of
 * messages.
 */
#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/tests/support.h"
#include "suite/gate/baseline.h"
#include "suite/gate/gate.h"
#include "suite/results/frames.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Ulps ------------------------------------------------------------------------------------- */

Test(gate, ulps_by_hand)
{
    const double least = 4.9406564584124654e-324;
    const struct {
        double a, b;
        uint64_t expected;
    } cases[] = {
        {1, 1, 0},
        {1, 1 + DBL_EPSILON, 1},
        {1, 1 - DBL_EPSILON / 2, 1},
        {-1, -1 - DBL_EPSILON, 1},
        {2, 2 - DBL_EPSILON, 1}, /* across a power of 2 */
        {2, 2 + DBL_EPSILON, 0}, /* rounds to 2 */
        {0.0, -0.0, 0},
        {0.0, least, 1},
        {-0.0, least, 1},
        {-least, least, 2},            /* across both zeros */
        {DBL_MIN, DBL_MIN - least, 1}, /* to denormals */
        {DBL_MAX, INFINITY, 1},
        {-DBL_MAX, -INFINITY, 1},
        {1, 2, UINT64_C(1) << 52},
        {-1, 1, 2 * UINT64_C(0x3ff) << 52},
        {-INFINITY, INFINITY, 2 * (UINT64_C(0x7ff) << 52)},
        {-DBL_MAX, DBL_MAX, 2 * (UINT64_C(0x7ff) << 52) - 2},
        {NAN, NAN, 0},
        {NAN, 1, UINT64_MAX},
        {-INFINITY, NAN, UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint64_t there = bench_ulps_apart(cases[i].a, cases[i].b);
        cr_assert_eq(there, cases[i].expected, "%.17g and %.17g: %llu", cases[i].a, cases[i].b,
                     (unsigned long long)there);
        cr_assert_eq(bench_ulps_apart(cases[i].b, cases[i].a), there, "%.17g and %.17g swapped",
                     cases[i].a, cases[i].b);
    }
}

Test(gate, ulps_count_steps)
{
    base_random random = base_random_seed(7);
    for (int i = 0; i < 1000; i++) {
        const double start = base_random_range(&random, -1e-3, 1e-3) *
                             (i % 3 ? 1 : DBL_MIN); /* a third of them denormal */
        const uint64_t steps = base_random_below(&random, 50);
        double x = start;
        for (uint64_t s = 0; s < steps; s++) {
            x = nextafter(x, i % 2 ? INFINITY : -INFINITY);
        }
        cr_assert_eq(bench_ulps_apart(start, x), steps, "%llu steps from %.17g",
                     (unsigned long long)steps, start);
    }
}

/* --- Columns ---------------------------------------------------------------------------------- */

Test(gate, columns_have_the_role_of_their_table)
{
    static const struct {
        const char *name;
        bench_role role;
    } cases[] = {
        {"frame", BENCH_ROLE_FACT},
        {"centres_m", BENCH_ROLE_FACT},
        {"colliding", BENCH_ROLE_ANSWER},
        {"distance_m", BENCH_ROLE_ANSWER},
        {"fx_m3", BENCH_ROLE_ANSWER},
        {"tz_N_m", BENCH_ROLE_ANSWER},
        {"witness_ax_m", BENCH_ROLE_ANSWER},
        {"distance_lo_m", BENCH_ROLE_ANSWER},
        {"volume_hi_m3", BENCH_ROLE_ANSWER},
        {"intersecting_pairs_count", BENCH_ROLE_ANSWER},
        {"regions_count", BENCH_ROLE_ANSWER},
        {"contacts_count", BENCH_ROLE_ANSWER},
        {"bv_tests_count", BENCH_ROLE_COUNTER},
        {"truth_distance_lo_m", BENCH_ROLE_TRUTH},
        {"certified_distance", BENCH_ROLE_TRUTH},
        {"verdict", BENCH_ROLE_ERROR},
        {"distance_error_rel", BENCH_ROLE_ERROR},
        {"contact_normal_deg", BENCH_ROLE_ERROR},
        {"time_min_ns", BENCH_ROLE_COST},
        {"stage_fill_ns", BENCH_ROLE_COST},
    };
    static const char *const unknown[] = {"",        "fx",          "distance",
                                          "outcome", "of_tomorrow", "fill_ns"};
    bench_frame_columns any;
    bench_frame_columns_list_any(&any);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bench_column *const column = bench_frame_columns_find(&any, cases[i].name);
        cr_assert_not_null(column, "%s", cases[i].name);
        cr_assert_eq(column->role, cases[i].role, "%s", cases[i].name);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        cr_assert_null(bench_frame_columns_find(&any, unknown[i]), "%s", unknown[i]);
    }
}

/** Each column of each algorithm is found by its name, with the role that it is written with. */
Test(gate, every_column_of_every_algorithm_is_known)
{
    bench_frame_columns any, own;
    size_t found = 0;
    bench_frame_columns_list_any(&any);
    for (const alg_algorithm *const *entry = alg_registry; *entry; entry++) {
        bench_frame_columns_list(*entry, &own);
        for (size_t i = 0; i < own.count; i++) {
            const char *const name = own.items[i].name;
            const bench_column *const column = bench_frame_columns_find(&any, name);
            cr_assert_not_null(column, "%s of %s", name, (*entry)->name);
            cr_assert_eq(column->role, own.items[i].role, "%s of %s", name, (*entry)->name);
            cr_assert_eq(column->has, own.items[i].has, "%s of %s", name, (*entry)->name);
            found++;
        }
    }
    cr_assert_gt(found, 1000);
}

/* --- Runs made by hand ------------------------------------------------------------------------ */

typedef struct folder {
    char path[64];
} folder;

static void put(const folder *f, const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    assert_ok(base_folder_make_parents(path, ERR));
    FILE *const file = fopen(path, "w");
    cr_assert_not_null(file, "%s", path);
    fputs(text, file);
    fclose(file);
}

/**
 * cells: rows of cells.csv. frames: the frames of each cell. build_bytes: of all cells, as text.
 */
static folder make_built_run(const char *cells, const char *frames, const char *build_bytes)
{
    folder f = {"/tmp/proxbench-gate-XXXXXX"};
    cr_assert_not_null(mkdtemp(f.path));
    char text[4096];
    size_t used = (size_t)snprintf(
        text, sizeof text,
        "build_bytes,answers_hash,time_p99_ns,time_intrinsic_max_ns,distance_error_size_mean,"
        "distance_error_size_max,volume_error_rel_mean,volume_error_rel_max,tp_count,tn_count,"
        "fp_count,fn_count,scenario,variant,quantity,status,frames_count,violations_count,detail,"
        "file,tolerance_ulp,contract,alloc_count\n");
    for (const char *row = cells; *row; row += strcspn(row, "\n") + 1) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s,,,,,,,,0,0,0,0,%.*s\n",
                                 build_bytes, (int)strcspn(row, "\n"), row);
    }
    put(&f, "cells.csv", text);
    put(&f, "s/v.csv", frames);
    put(&f, "s/other.csv", frames);
    put(&f, "s/theirs.csv", frames);
    put(&f, "manifest.csv",
        "section,key,value\nrun,experiment,e\nplugin theirs,file,x\nrun,exit_status,0\n");
    return f;
}

static folder make_run(const char *cells, const char *frames)
{
    return make_built_run(cells, frames, "1000");
}

static void remove_run(const folder *f)
{
    static const char *const names[] = {"cells.csv",    "manifest.csv", "s/v.csv", "s/other.csv",
                                        "s/theirs.csv", "b.csv",        "s",       ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", f->path, names[i]);
        remove(path);
    }
}

#define SCOPED_FOLDER RELEASED_BY(remove_run) folder

/**
 * Blesses one run and compares another one with it. accept: gates that may fail, or NULL. same:
 * improvements are failures, too.
 */
static bench_gate_report check_accepting(const folder *blessed, const folder *run,
                                         const char *accept, bool same)
{
    bench_gate_report report = {.same = same};
    bench_gate_cells first, baseline, second;
    char path[128];
    if (accept) {
        assert_ok(bench_gate_accept(accept, &report, ERR));
    }
    snprintf(path, sizeof path, "%s/b.csv", blessed->path);
    assert_ok(bench_gate_read_run(blessed->path, NULL, &first, ERR));
    assert_ok(bench_gate_bless(&first, path, true, ERR));
    assert_ok(bench_gate_read_baseline(path, &baseline, ERR));
    assert_ok(bench_gate_read_run(run->path, NULL, &second, ERR));
    assert_ok(bench_gate_check(&baseline, &second, &report, ERR));
    bench_gate_cells_release(&first);
    bench_gate_cells_release(&baseline);
    bench_gate_cells_release(&second);
    return report;
}

static bench_gate_report check(const folder *blessed, const folder *run)
{
    return check_accepting(blessed, run, NULL, false);
}

/** Returns a mask of the gates that have failed. */
static unsigned failed_gates(const bench_gate_report *report)
{
    unsigned mask = 0;
    for (int gate = 0; gate < BENCH_GATE_COUNT; gate++) {
        mask |= bench_gate_count(report, (bench_gate)gate).failed > 0 ? 1u << gate : 0;
    }
    return mask;
}

static void expect_failures(const char *before, const char *frames_before, const char *after,
                            const char *frames_after, unsigned mask, int exit_status)
{
    const folder blessed = make_run(before, frames_before), run = make_run(after, frames_after);
    bench_gate_report report = check(&blessed, &run);
    cr_expect_eq(failed_gates(&report), mask, "%s after %s: gates %x, not %x", after, before,
                 failed_gates(&report), mask);
    cr_expect_eq(bench_gate_exit_status(&report), exit_status, "%s after %s: exit status %d", after,
                 before, bench_gate_exit_status(&report));
    bench_gate_report_release(&report);
    remove_run(&blessed);
    remove_run(&run);
}

enum {
    ANSWERS = 1u << BENCH_GATE_ANSWERS,
    CONTRACT = 1u << BENCH_GATE_CONTRACT,
    COUNTERS = 1u << BENCH_GATE_COUNTERS,
    CELLS = 1u << BENCH_GATE_CELLS,
    ENDING = 1u << BENCH_GATE_ENDING,
    ALLOCATIONS = 1u << BENCH_GATE_ALLOCATIONS,
};

static const char good[] = "s,v,distance,ok,2,0,,v,0,exact,0\n";
static const char frames[] = "frame,distance_m,tests_count,time_min_ns\n0,0.5,3,10\n1,,4,20\n";

Test(gate, a_run_agrees_with_itself_but_for_times)
{
    expect_failures(good, frames, good, frames, 0, 0);
    expect_failures(good, frames, good,
                    "frame,time_min_ns,distance_m,tests_count\n0,7,0.5,3\n1,8,,4\n", 0, 0);
}

/**
 * The pose of a run is not an answer. A number of regions is not work: a smaller one is a different
 * answer.
 */
Test(gate, roles_decide_what_is_compared)
{
    expect_failures(good, "frame,distance_m,centres_m,truth_depth_lo_m\n0,0.5,1,2\n1,,1,2\n", good,
                    "frame,distance_m,centres_m,truth_depth_lo_m\n0,0.5,3,4\n1,,3,4\n", 0, 0);
    expect_failures(good, "frame,distance_m,regions_count\n0,0.5,2\n1,,2\n", good,
                    "frame,distance_m,regions_count\n0,0.5,1\n1,,1\n", ANSWERS, 1);
    expect_failures(good, "frame,distance_m,tests_count\n0,0.5,2\n1,,2\n", good,
                    "frame,distance_m,tests_count\n0,0.5,1\n1,,1\n", 0, 0);
}

/**
 * An unknown column may contain answers, in a baseline or in a run; an empty column contains none.
 */
Test(gate, unknown_columns_are_refused_unless_they_are_empty)
{
    static const char head[] = "scenario,variant,frame,status,quantity,contract,violations,"
                               "frames_count,tolerance_ulp,distance_m,fx\n"
                               "s,v,,ok,distance,distance=exact,0,1,0,,\n";
    static const char *const rows[] = {"s,v,0,,,,,,,0.5,\n", "s,v,0,,,,,,,0.5,7\n"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const SCOPED_FOLDER f = make_run(good, i == 0 ? "frame,distance_m,fx\n0,0.5,\n"
                                                      : "frame,distance_m,fx\n0,0.5,7\n");
        char path[128], text[512], wanted[400];
        bench_gate_cells baseline, run;
        bench_gate_frames frames_of_run;
        base_error err = {0};
        snprintf(path, sizeof path, "%s/b.csv", f.path);
        snprintf(text, sizeof text, "%s%s", head, rows[i]);
        put(&f, "b.csv", text);
        snprintf(wanted, sizeof wanted,
                 "'%s' has answers in a column 'fx', which this version does not know: another "
                 "version wrote it, and it has to be made again",
                 path);
        const base_status status = bench_gate_read_baseline(path, &baseline, &err);
        cr_assert_eq(status, i == 0 ? BASE_OK : BASE_ERR_INPUT, "%s", err.text);
        cr_assert(i == 0 || strcmp(err.text, wanted) == 0, "%s", err.text);
        bench_gate_cells_release(&baseline);
        assert_ok(bench_gate_read_run(f.path, NULL, &run, ERR));
        cr_assert_eq(bench_gate_frames_open(&run, &run.items[0], &frames_of_run, &err), status);
        cr_assert(i == 0 || strstr(err.text, "s/v.csv' has answers in a column 'fx'"), "%s",
                  err.text);
        bench_gate_frames_close(&frames_of_run);
        bench_gate_cells_release(&run);
    }
}

Test(gate, each_change_fails_its_gate)
{
    expect_failures(good, frames, good,
                    "frame,distance_m,tests_count\n0,0.50000000000000011,3\n1,,4\n", ANSWERS, 1);
    expect_failures(good, frames, good, "frame,distance_m,tests_count\n0,0.5,3\n1,0,4\n", ANSWERS,
                    1);
    expect_failures(good, frames, good, "frame,distance_m,tests_count\n0,0.5,4\n1,,4\n", COUNTERS,
                    1);
    expect_failures(good, frames, good, "frame,distance_m,tests_count\n0,0.5,\n1,,4\n", COUNTERS,
                    1);
    expect_failures(good, "frame,distance_m,tests_count\n0,0,3\n1,,4\n", good,
                    "frame,distance_m,tests_count\n0,-0,3\n1,,4\n", ANSWERS, 1);
    expect_failures(good, frames, good, "frame,tests_count\n0,3\n1,4\n", ANSWERS, 1);
    expect_failures(good, frames, good, "frame,distance_m\n0,0.5\n1,\n", COUNTERS, 1);
    expect_failures(good, frames, "s,v,distance,wrong,2,1,,v,0,exact,0\n", frames, CONTRACT, 1);
    expect_failures(good, frames, "s,v,distance,wrong,2,0,nan,v,0,exact,0\n", frames, CONTRACT, 1);
    expect_failures(good, frames, "s,v,distance,ok,2,0,,v,0,approximate,0\n", frames, CONTRACT, 1);
    expect_failures(good, frames, "s,v,distance,ok,2,0,,v,9,exact,0\n", frames, CONTRACT, 1);
    expect_failures(good, frames, "s,v,volume,ok,2,0,,v,0,exact,0\n", frames, CELLS, 1);
    expect_failures(good, frames, "s,v,distance,unsupported,2,0,,v,0,exact,0\n", frames, CELLS, 1);
    expect_failures(good, frames, "s,other,distance,ok,2,0,,other,0,exact,0\n", frames, CELLS, 1);
    expect_failures(good, frames, "s,v,distance,ok,2,0,,v,0,exact,1\n", frames, ALLOCATIONS, 1);
    static const char *const deaths[] = {"crash", "timeout", "oom", "failed"};
    for (size_t i = 0; i < sizeof deaths / sizeof *deaths; i++) {
        char cells[128];
        snprintf(cells, sizeof cells, "s,v,distance,%s,2,0,,v,0,exact,0\n", deaths[i]);
        expect_failures(good, frames, cells, frames, ENDING, 5);
    }
}

/**
 * Compares the messages about a run that is checked against another one: one line for each finding.
 */
static void expect_told(const char *before, const char *frames_before, const char *after,
                        const char *frames_after, const char *accept, int exit_status,
                        const char *expected)
{
    const folder blessed = make_run(before, frames_before), run = make_run(after, frames_after);
    bench_gate_report report = check_accepting(&blessed, &run, accept, false);
    char told[4096] = "";
    for (size_t i = 0; i < report.finding_count; i++) {
        const bench_gate_finding *const f = &report.findings[i];
        const size_t used = strlen(told);
        snprintf(told + used, sizeof told - used, "%s|%lld|%s|%s|%s|%s\n",
                 f->failed ? "failed" : "note", (long long)f->frame, f->column, f->expected, f->got,
                 f->note);
    }
    cr_expect_str_eq(told, expected, "told:\n%s\nwanted:\n%s", told, expected);
    cr_expect_eq(bench_gate_exit_status(&report), exit_status, "exit status %d, not %d:\n%s",
                 bench_gate_exit_status(&report), exit_status, told);
    bench_gate_report_release(&report);
    remove_run(&blessed);
    remove_run(&run);
}

Test(gate, less_work_is_told_and_more_fails)
{
    static const char old[] = "frame,distance_m,tests_count,steps_count\n0,0.5,8,0\n1,,4,0\n";
    expect_told(good, old, good, "frame,distance_m,tests_count,steps_count\n0,0.5,4,0\n1,,4,0\n",
                NULL, 0, "note|0|tests_count|8|4|4 fewer (50 %)\n");
    expect_told(good, old, good, "frame,distance_m,tests_count,steps_count\n0,0.5,12,0\n1,,3,7\n",
                NULL, 1,
                "failed|0|tests_count|8|12|4 more (50 %)\n"
                "failed|1|steps_count|0|7|7 more\n"
                "note|1|tests_count|4|3|1 fewer (25 %)\n");
    /* Contacts are not work: a missing contact is a changed answer. */
    expect_told(good, "frame,distance_m,contacts_count\n0,0.5,8\n1,,4\n", good,
                "frame,distance_m,contacts_count\n0,0.5,8\n1,,3\n", NULL, 1,
                "failed|1|contacts_count|4|3|1 off (25 %); no truth to tell which is nearer\n");
}

/** The memory of built bodies is a counter of the cell. */
Test(gate, built_bytes_may_not_grow)
{
    static const struct {
        const char *old, *new;
        bool same, failed;
        const char *note;
    } cases[] = {
        {"1000", "1000", false, false, NULL},
        {"1000", "1001", false, true, "1 more (0.1 %)"},
        {"1000", "500", false, false, "500 fewer (50 %)"},
        {"1000", "500", true, true, "500 fewer (50 %)"},
        {"0", "8", false, true, "8 more"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const SCOPED_FOLDER old = make_built_run(good, frames, cases[i].old);
        const SCOPED_FOLDER new = make_built_run(good, frames, cases[i].new);
        SCOPED_GATE_REPORT report = check_accepting(&old, &new, NULL, cases[i].same);
        cr_expect_eq(failed_gates(&report), cases[i].failed ? COUNTERS : 0, "case %zu", i);
        cr_expect_eq(report.finding_count, cases[i].note ? 1 : 0, "case %zu", i);
        if (cases[i].note && report.finding_count == 1) {
            cr_expect_str_eq(report.findings[0].column, "build_bytes");
            cr_expect_str_eq(report.findings[0].expected, cases[i].old);
            cr_expect_str_eq(report.findings[0].got, cases[i].new);
            cr_expect_str_eq(report.findings[0].note, cases[i].note);
        }
    }
}

/** A baseline of an older version lacks this column: there is no comparison and no message. */
Test(gate, a_baseline_without_built_bytes_is_read)
{
    const SCOPED_FOLDER run = make_run(good, frames);
    SCOPED_GATE_REPORT report = {0};
    bench_gate_cells baseline, now;
    char path[128];
    put(&run, "b.csv",
        "scenario,variant,frame,status,quantity,contract,violations,frames_count,tolerance_ulp,"
        "distance_m,tests_count\n"
        "s,v,,ok,distance,exact,0,2,0,,\n"
        "s,v,0,,,,,,,0.5,3\n"
        "s,v,1,,,,,,,,4\n");
    snprintf(path, sizeof path, "%s/b.csv", run.path);
    assert_ok(bench_gate_read_baseline(path, &baseline, ERR));
    cr_assert_eq(baseline.items[0].row.build_bytes, UINT64_MAX);
    assert_ok(bench_gate_read_run(run.path, NULL, &now, ERR));
    assert_ok(bench_gate_check(&baseline, &now, &report, ERR));
    cr_expect_eq(report.finding_count, 0, "%s", report.findings[0].note);
    bench_gate_cells_release(&baseline);
    bench_gate_cells_release(&now);
}

Test(gate, a_new_counter_is_named)
{
    expect_told(good, frames, good, "frame,distance_m,tests_count,new_count\n0,0.5,3,9\n1,,4,9\n",
                NULL, 0, "note|-1|new_count|||a new counter: nothing to compare with\n");
}

static void expect_markdown(const bench_gate_report *report, const char *expected)
{
    char *text = NULL;
    size_t size;
    FILE *const file = open_memstream(&text, &size);
    bench_gate_print_markdown(report, "t", file);
    fclose(file);
    cr_expect_not_null(strstr(text, expected), "'%s' is not in:\n%s", expected, text);
    free(text);
}

/** A report for a pull request begins with the sentences for people. */
Test(gate, sentences_come_first)
{
    SCOPED_GATE_REPORT report = {0};
    bench_gate_ask(&report, BENCH_GATE_ANSWERS, "a/b", "pst");
    bench_gate_add(&report, &(bench_gate_finding){.frame = 7, .column = "x", .failed = false});
    bench_gate_add(&report, &(bench_gate_finding){.frame = 9, .column = "y", .failed = true});
    bench_gate_ask(&report, BENCH_GATE_ENDING, "a/b", "ist");
    bench_gate_add(&report, &(bench_gate_finding){
                                .frame = -1, .column = "status", .got = "crash", .failed = true});
    bench_gate_ask(&report, BENCH_GATE_TIME, "a/b", "vps");
    bench_gate_add(&report, &(bench_gate_finding){.frame = -1,
                                                  .sentence = "is 30 % slower (29 to 31)",
                                                  .failed = true});
    bench_gate_ask(&report, BENCH_GATE_MEMORY, "a/b", "imp");
    bench_gate_add(&report, &(bench_gate_finding){.frame = -1, .column = "rss_bytes"});
    expect_markdown(&report, "### t: failed\n\n"
                             "- `pst` on `a/b` gives other answers (`y`, first in frame 9).\n"
                             "- `ist` on `a/b` does not finish: crash.\n"
                             "- `vps` on `a/b` is 30 % slower (29 to 31).\n\n| gate");
    for (int i = 0; i < 9; i++) {
        bench_gate_ask(&report, BENCH_GATE_CELLS, "a/b", "lpd");
        bench_gate_note(&report, true, "missing");
    }
    expect_markdown(&report, "- `lpd` on `a/b` is missing or ends otherwise.\n- ... and 2 more.\n");
}

/** Costs of a run are not compared with its baseline. In a job, gates without a case are named. */
Test(gate, what_is_not_compared_is_named)
{
    SCOPED_GATE_REPORT report = {0};
    char text[256];
    bench_gate_not_compared(&report, false, text, sizeof text);
    cr_expect_str_eq(text, "times, build times and memory (--against compares them)");
    bench_gate_not_compared(&report, true, text, sizeof text);
    cr_expect_str_eq(text, "the slowest frames, queries without caches, instructions "
                           "(--instructions), build times (too short, or bodies were loaded), "
                           "memory (too few launches)");
    bench_gate_ask(&report, BENCH_GATE_BUILD, "a/b", "pst");
    bench_gate_ask(&report, BENCH_GATE_MEMORY, "a/b", "pst");
    bench_gate_not_compared(&report, true, text, sizeof text);
    cr_expect_str_eq(text, "the slowest frames, queries without caches, instructions "
                           "(--instructions)");
}

#define TRUTH "truth_distance_lo_m,truth_distance_hi_m\n"

/** The note of a changed answer contains the difference and both errors. */
Test(gate, an_answer_says_how_far_off_it_is)
{
    static const char old[] = "frame,distance_m," TRUTH "0,0.5,0.5,0.5\n1,0.25,0.125,0.125\n";
    expect_told(good, old, good,
                "frame,distance_m," TRUTH "0,0.50000000000000011,0.5,0.5\n1,0.25,0.125,0.125\n",
                NULL, 1,
                "failed|0|distance_m|0.5|0.50000000000000011|1 ulp off; error: old 0, new "
                "1.11e-16\n");
    expect_told(good, old, good, "frame,distance_m," TRUTH "0,0.5,0.5,0.5\n1,0.1875,0.125,0.125\n",
                NULL, 1,
                "failed|1|distance_m|0.25|0.1875|0.0625 off (25 %); error: old 0.125, new "
                "0.0625\n");
    expect_told(good, old, good,
                "frame,distance_m," TRUTH "0,0.50000000000000011,0.4,0.6\n1,0,0.125,0.125\n", NULL,
                1,
                "failed|0|distance_m|0.5|0.50000000000000011|1 ulp off; both inside the truth's "
                "interval\n"
                "failed|1|distance_m|0.25|0|0.25 off (100 %); both have the same error\n");
    expect_told(good, old, good, "frame,distance_m," TRUTH "0,0.75,,\n1,,0.125,0.125\n", NULL, 1,
                "failed|0|distance_m|0.5|0.75|0.25 off (50 %); no truth to tell which is nearer\n"
                "failed|1|distance_m|0.25||\n");
}

static const char rough[] = "s,v,distance,ok,3,0,,v,0,distance=approximate,0\n";

/** Three frames of an approximate method: distance, a witness point, colliding. */
#define ROUGH "frame,colliding,distance_m,witness_ax_m," TRUTH

Test(gate, an_approximation_is_judged_by_its_error)
{
    static const char old[] = ROUGH "0,0,0.5,1,0.625,0.625\n1,0,1.5,2,1.25,1.25\n2,0,2,3,2,2\n";
    /* All differing distances are more accurate; the witness point changes with them. */
    expect_told(rough, old, rough,
                ROUGH "0,0,0.5625,1.5,0.625,0.625\n1,0,1.375,2,1.25,1.25\n2,0,2,3,2,2\n", NULL, 0,
                "note|-1|distance_m|error: mean 0.125, max 0.25|error: mean 0.0625, max "
                "0.125|nearer to the truth: 2 of 3 frames differ, 2 nearer, 0 farther\n"
                "note|0|witness_ax_m|1|1.5|changes with the distance: 1 of 3 frames differ\n");
    /* One frame is less accurate, the mean is more accurate: this frame is reported. */
    expect_told(rough, old, rough,
                ROUGH "0,0,0.75,1,0.625,0.625\n1,0,1.3125,2,1.25,1.25\n2,0,2.0625,3,2,2\n", NULL, 0,
                "note|-1|distance_m|error: mean 0.125, max 0.25|error: mean 0.08333, max "
                "0.125|nearer to the truth: 3 of 3 frames differ, 1 nearer, 1 farther\n"
                "note|2|distance_m|2|2.0625|0.0625 off (3.12 %); error: old 0, new 0.0625\n");
    /* The mean error is larger. */
    expect_told(rough, old, rough,
                ROUGH "0,0,0.5,1,0.625,0.625\n1,0,1.5,2,1.25,1.25\n2,0,2.125,3,2,2\n", NULL, 1,
                "failed|-1|distance_m|error: mean 0.125, max 0.25|error: mean 0.1667, max "
                "0.25|farther from the truth: 1 of 3 frames differ, 0 nearer, 1 farther\n"
                "note|2|distance_m|2|2.125|0.125 off (6.25 %); error: old 0, new 0.125\n");
    /* The mean error is smaller, the largest error is larger. */
    expect_told(
        rough, old, rough, ROUGH "0,0,0.625,1,0.625,0.625\n1,0,1.5625,2,1.25,1.25\n2,0,2,3,2,2\n",
        NULL, 1,
        "failed|-1|distance_m|error: mean 0.125, max 0.25|error: mean 0.1042, max "
        "0.3125|farther from the truth at its worst: 2 of 3 frames differ, 1 nearer, 1 farther\n"
        "note|1|distance_m|1.5|1.5625|0.0625 off (4.17 %); error: old 0.25, new 0.312\n");
    /* Differences within rounding. */
    expect_told(
        rough, old, rough,
        ROUGH "0,0,0.5,1,0.625,0.625\n1,0,1.5000000000000002,2,1.25,1.25\n2,0,2,3,2,2\n", NULL, 0,
        "note|-1|distance_m|error: mean 0.125, max 0.25|error: mean 0.125, max 0.25|as "
        "near to the truth, within rounding: 1 of 3 frames differ, 0 nearer, 1 farther\n"
        "note|1|distance_m|1.5|1.5000000000000002|1 ulp off; error: about 0.25 in both, more "
        "in the new\n");
    /* Changes of `colliding` are judged likewise. */
    expect_told(rough, old, rough,
                ROUGH "0,0,0.5,1,0.625,0.625\n1,1,1.5,2,1.25,1.25\n2,0,2,3,2,2\n", NULL, 1,
                "failed|-1|colliding|error: mean 0, max 0|error: mean 0.3333, max 1|farther from "
                "the truth: 1 of 3 frames differ, 0 nearer, 1 farther\n"
                "note|1|colliding|0|1|1 off; error: old 0, new 1\n");
}

Test(gate, a_volume_is_judged_by_the_truth_of_volumes)
{
    static const char cells[] = "s,v,volume,ok,1,0,,v,0,volume=approximate,0\n";
    static const char before[] =
        "frame,volume_m3,truth_volume_lo_m3,truth_volume_hi_m3," TRUTH "0,0.5,1,1,0,0\n";
    expect_told(cells, before, cells,
                "frame,volume_m3,truth_volume_lo_m3,truth_volume_hi_m3," TRUTH "0,0.75,1,1,0,0\n",
                NULL, 0,
                "note|-1|volume_m3|error: mean 0.5, max 0.5|error: mean 0.25, max 0.25|nearer to "
                "the truth: 1 of 1 frames differ, 1 nearer, 0 farther\n");
}

/** A force may change with the volume, independent of its unit. */
Test(gate, a_force_may_change_with_its_volume)
{
    static const char cells[] = "s,v,volume,ok,1,0,,v,0,volume=approximate,0\n";
    static const char *const forces[] = {"fx_m2", "fx_m3", "tz_m2_m", "tz_m3_m"};
    for (size_t i = 0; i < sizeof forces / sizeof *forces; i++) {
        char before[160], after[160];
        snprintf(before, sizeof before,
                 "frame,volume_m3,%s,truth_volume_lo_m3,truth_volume_hi_m3\n0,0.5,1,1,1\n",
                 forces[i]);
        snprintf(after, sizeof after,
                 "frame,volume_m3,%s,truth_volume_lo_m3,truth_volume_hi_m3\n0,0.75,2,1,1\n",
                 forces[i]);
        expect_failures(cells, before, cells, after, 0, 0);
    }
}

/** A force that is promised to be exact may not change with the volume. */
Test(gate, a_promised_force_is_its_own)
{
    static const char cells[] = "s,v,volume+force,ok,1,0,,v,0,volume=approximate force=exact,0\n";
    expect_failures(
        cells, "frame,volume_m3,fx_m2,truth_volume_lo_m3,truth_volume_hi_m3\n0,0.5,1,1,1\n", cells,
        "frame,volume_m3,fx_m2,truth_volume_lo_m3,truth_volume_hi_m3\n0,0.75,2,1,1\n", ANSWERS, 1);
}

/** For tiny bodies an error of 1e-18 m3 is not a rounding error. */
Test(gate, rounding_is_that_of_the_numbers)
{
    static const char cells[] = "s,v,volume,ok,1,0,,v,0,volume=approximate,0\n";
    expect_failures(
        cells, "frame,volume_m3,truth_volume_lo_m3,truth_volume_hi_m3\n0,1e-18,1e-18,1e-18\n",
        cells, "frame,volume_m3,truth_volume_lo_m3,truth_volume_hi_m3\n0,2e-18,1e-18,1e-18\n",
        ANSWERS, 1);
}

/** If the true distance may be 0 or positive, neither answer is wrong. */
Test(gate, contact_that_the_truth_leaves_open_may_change)
{
    expect_told(rough, ROUGH "0,0,0.5,1,0,0.5\n", rough, ROUGH "0,1,0.5,1,0,0.5\n", NULL, 0,
                "note|-1|colliding|error: mean 0, max 0|error: mean 0, max 0|as near to the truth, "
                "within rounding: 1 of 1 frames differ, 0 nearer, 0 farther\n");
}

Test(gate, promises_are_whole_words)
{
    static const struct {
        const char *contract;
        unsigned failing;
    } cases[] = {
        {"distances=exact distance=approximate", 0},
        {"distance=approximate volume=exact", 0},
        {"volume=exact distance=approximate", 0},
        {"distance=approximate-bound", ANSWERS},
        {"distance=approx", ANSWERS},
        {"distances=approximate volume=approximate", ANSWERS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char cells[160];
        snprintf(cells, sizeof cells, "s,v,distance,ok,1,0,,v,0,%s,0\n", cases[i].contract);
        expect_failures(cells, ROUGH "0,0,0.5,1,0.625,0.625\n", cells,
                        ROUGH "0,0,0.5625,1,0.625,0.625\n", cases[i].failing,
                        cases[i].failing ? 1 : 0);
    }
}

/** With --same, a more accurate answer and smaller counts are failures, too. */
Test(gate, what_has_to_be_the_same_may_not_get_better)
{
    static const char columns[] = "frame,distance_m,tests_count," TRUTH;
    char before[160], after[160];
    snprintf(before, sizeof before, "%s0,0.5,8,0.625,0.625\n", columns);
    snprintf(after, sizeof after, "%s0,0.5625,4,0.625,0.625\n", columns);
    const folder blessed = make_run(rough, before), run = make_run(rough, after);
    for (int same = 0; same < 2; same++) {
        SCOPED_GATE_REPORT report = check_accepting(&blessed, &run, NULL, same);
        cr_expect_eq(failed_gates(&report), same ? ANSWERS | COUNTERS : 0, "same %d: gates %x",
                     same, failed_gates(&report));
    }
    remove_run(&blessed);
    remove_run(&run);
}

Test(gate, what_the_truth_cannot_judge_must_be_the_same)
{
    static const char old[] = ROUGH "0,0,0.5,1,0.625,0.625\n1,0,1.5,2,1.25,1.25\n2,0,2,3,2,2\n";
    /* Only the witness point changes. */
    expect_told(rough, old, rough,
                ROUGH "0,0,0.5,1.5,0.625,0.625\n1,0,1.5,2,1.25,1.25\n2,0,2,3,2,2\n", NULL, 1,
                "failed|0|witness_ax_m|1|1.5|0.5 off (50 %); no truth to tell which is nearer\n");
    /* A frame without truth. */
    expect_told(rough, old, rough, ROUGH "0,0,0.75,1,,\n1,0,1.5,2,1.25,1.25\n2,0,2,3,2,2\n", NULL,
                1,
                "failed|-1|distance_m|||no truth to tell which is nearer: 1 of 3 frames differ, 0 "
                "nearer, 0 farther, 1 without a truth\n");
    /* A frame without an answer. */
    expect_told(rough, old, rough, ROUGH "0,0,,1,0.625,0.625\n1,0,1.25,2,1.25,1.25\n2,0,2,3,2,2\n",
                NULL, 1,
                "failed|0|distance_m|0.5||\n"
                "failed|1|distance_m|1.5|1.25|0.25 off (16.7 %); error: old 0.25, new 0\n");
    /* A stronger contract must be kept. */
    static const char *const promises[] = {"distance=exact", "distance=upper-bound",
                                           "distance=lower-bound", "volume=approximate", ""};
    for (size_t i = 0; i < sizeof promises / sizeof *promises; i++) {
        char cells[128];
        snprintf(cells, sizeof cells, "s,v,distance,ok,3,0,,v,0,%s,0\n", promises[i]);
        expect_failures(cells, old, cells,
                        ROUGH "0,0,0.5,1,0.625,0.625\n1,0,1.375,2,1.25,1.25\n2,0,2,3,2,2\n",
                        ANSWERS, 1);
    }
}

Test(gate, what_is_accepted_is_told_and_fails_nothing)
{
    static const char after[] = "frame,distance_m,tests_count\n0,0.50000000000000011,4\n1,,4\n";
    expect_told(good, frames, good, after, "answers,counters", 0,
                "note|0|distance_m|0.5|0.50000000000000011|accepted: 1 ulp off; no truth to tell "
                "which is nearer\n"
                "note|0|tests_count|3|4|accepted: 1 more (33.3 %)\n");
    expect_told(good, frames, good, after, "answers", 1,
                "note|0|distance_m|0.5|0.50000000000000011|accepted: 1 ulp off; no truth to tell "
                "which is nearer\n"
                "failed|0|tests_count|3|4|1 more (33.3 %)\n");
    expect_told(good, frames, "s,v,distance,crash,2,0,,v,0,exact,0\n", frames, "ending", 0,
                "note|-1|status|ok|crash|accepted\n");
}

Test(gate, accepted_gates_have_names)
{
    bench_gate_report report = {0};
    base_error err = {0};
    cr_expect_eq(bench_gate_accept("answers,contract,counters,cells,ending,allocations,"
                                   "instructions,time,build,memory,noise",
                                   &report, &err),
                 BASE_OK, "%s", err.text);
    cr_expect_eq(report.accepted, (1u << BENCH_GATE_COUNT) - 1);
    static const char *const wrong[] = {"answer", "answers,", "", ",time", "answers, time"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_expect_eq(bench_gate_accept(wrong[i], &report, &err), BASE_ERR_ARGUMENT, "'%s'",
                     wrong[i]);
    }
    cr_expect_eq(bench_gate_accept("answer", &report, &err), BASE_ERR_ARGUMENT);
    cr_expect_not_null(strstr(err.text, "'answers'"), "%s", err.text);
}

Test(gate, totals_say_what_was_accepted)
{
    SCOPED_GATE_REPORT report = {.accepted = 1u << BENCH_GATE_COUNTERS};
    char totals[256];
    bench_gate_ask(&report, BENCH_GATE_COUNTERS, "s", "v");
    bench_gate_note(&report, true, "more");
    bench_gate_note(&report, false, "fewer");
    bench_gate_totals(&report, totals, sizeof totals);
    cr_expect_str_eq(totals, "1 passed (counters 1); accepted: counters 1");
}

/** Wide brackets give a status, but the answers are compared as usual. */
Test(gate, an_uninformative_cell_is_asked_as_others_are)
{
    static const char vague[] = "s,v,distance,uninformative,2,0,,v,0,exact,0\n";
    static const char brackets[] = "frame,distance_m,distance_lo_m,distance_hi_m\n0,2,0,9\n";
    expect_failures(vague, brackets, vague, brackets, 0, 0);
    expect_failures(vague, brackets, vague,
                    "frame,distance_m,distance_lo_m,distance_hi_m\n0,2,0,8\n", ANSWERS, 1);
    expect_failures(vague, brackets, vague, "frame,distance_m\n0,2\n", ANSWERS, 1);
    expect_failures(good, frames, vague, frames, CELLS, 1);
}

Test(gate, a_plug_in_may_allocate_and_a_tolerance_holds)
{
    static const char theirs[] = "s,theirs,distance,ok,2,0,,theirs,4,exact,7\n";
    expect_failures(theirs, frames, theirs, frames, 0, 0);
    expect_failures(theirs, frames, theirs,
                    "frame,distance_m,tests_count\n0,0.50000000000000044,3\n1,,4\n", 0, 0);
    expect_failures(theirs, frames, theirs,
                    "frame,distance_m,tests_count\n0,0.50000000000000056,3\n1,,4\n", ANSWERS, 1);
    /* A tolerance that the baseline does not have is ignored. */
    expect_failures("s,theirs,distance,ok,2,0,,theirs,0,exact,7\n", frames, theirs,
                    "frame,distance_m,tests_count\n0,0.50000000000000044,3\n1,,4\n",
                    ANSWERS | CONTRACT, 1);
}

Test(gate, what_was_blessed_by_force_is_expected)
{
    static const char crash[] = "s,v,distance,crash,2,0,,v,0,exact,0\n";
    static const char wrong[] = "s,v,distance,wrong,2,3,,v,0,exact,0\n";
    expect_failures(crash, frames, crash, frames, 0, 0);
    expect_failures(wrong, frames, wrong, frames, 0, 0);
    expect_failures(wrong, frames, "s,v,distance,wrong,2,2,,v,0,exact,0\n", frames, 0, 0);
    expect_failures(wrong, frames, "s,v,distance,wrong,2,4,,v,0,exact,0\n", frames, CONTRACT, 1);
    expect_failures(crash, frames, "s,v,distance,timeout,2,0,,v,0,exact,0\n", frames, ENDING, 5);
}

Test(gate, wrong_answers_outrank_deaths_and_both_outrank_times)
{
    SCOPED_GATE_REPORT report = {0};
    cr_assert_eq(bench_gate_exit_status(&report), 0);
    bench_gate_ask(&report, BENCH_GATE_TIME, "s", "v");
    bench_gate_note(&report, false, "told");
    cr_assert_eq(bench_gate_exit_status(&report), 0, "a note is no failure");
    bench_gate_note(&report, true, "slower");
    cr_assert_eq(bench_gate_exit_status(&report), 4);
    bench_gate_ask(&report, BENCH_GATE_ENDING, "s", "v");
    bench_gate_note(&report, true, "crash");
    cr_assert_eq(bench_gate_exit_status(&report), 5);
    bench_gate_ask(&report, BENCH_GATE_ANSWERS, "s", "v");
    bench_gate_note(&report, true, "wrong");
    cr_assert_eq(bench_gate_exit_status(&report), 1);
}

Test(gate, an_unfinished_run_is_never_blessed)
{
    const SCOPED_FOLDER f = make_run(good, frames);
    static const char *const manifests[] = {"section,key,value\nrun,experiment,e\n",
                                            "section,key,value\nrun,exit_status,130\n"};
    for (size_t i = 0; i < sizeof manifests / sizeof *manifests; i++) {
        SCOPED_GATE_CELLS cells;
        base_error err = {0};
        char path[128];
        put(&f, "manifest.csv", manifests[i]);
        snprintf(path, sizeof path, "%s/b.csv", f.path);
        assert_ok(bench_gate_read_run(f.path, NULL, &cells, ERR));
        cr_assert_eq(bench_gate_bless(&cells, path, true, &err), BASE_ERR_INPUT, "manifest %zu", i);
        cr_assert_neq(access(path, F_OK), 0, "manifest %zu: a file was left", i);
    }
}

Test(gate, out_of_memory_is_told)
{
    const SCOPED_FOLDER f = make_run(good, frames);
    char path[128];
    snprintf(path, sizeof path, "%s/b.csv", f.path);
    bench_gate_cells run = {0}, baseline = {0};
    SCOPED_GATE_REPORT report = {0};
    COUNT_FAILURES(bench_gate_read_run(f.path, NULL, &run, ERR),
                   if (failed) bench_gate_cells_release(&run));
    COUNT_FAILURES(bench_gate_bless(&run, path, false, ERR), (void)0);
    COUNT_FAILURES(bench_gate_read_baseline(path, &baseline, ERR),
                   if (failed) bench_gate_cells_release(&baseline));
    COUNT_FAILURES(bench_gate_check(&baseline, &run, &report, ERR),
                   if (failed) bench_gate_report_release(&report));
    bench_gate_cells_release(&run);
    bench_gate_cells_release(&baseline);
}
