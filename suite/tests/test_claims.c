/**
 * Claims about made-up runs: each measure is computed by hand, and each reason for "cannot tell"
 * occurs.
 */
#include "base/file.h"
#include "base/memory.h"
#include "base/tests/support.h"
#include "suite/claims/claims.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Runs in a folder of their own. */
typedef struct scene {
    char folder[64];
    bench_claims_run runs[3];
    size_t run_count;
    bench_claims list;
} scene;

static void put_file(const scene *s, const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", s->folder, name);
    assert_ok(base_folder_make_parents(path, ERR));
    assert_ok(base_file_replace(path, text, strlen(text), ERR));
}

/** Writes cells.csv: the columns of the text, followed by the columns that every reader needs. */
static void put_cells(const scene *s, const char *run, const char *text)
{
    char all[8000] = "", name[100];
    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n"), used = strlen(all);
        snprintf(all + used, sizeof all - used, "%.*s%s\n", (int)length, line,
                 line == text ? ",time_p99_ns,time_intrinsic_max_ns,distance_error_size_mean,"
                                "distance_error_size_max,volume_error_rel_mean,"
                                "volume_error_rel_max,tp_count,tn_count,fp_count,fn_count,"
                                "answers_hash"
                              : ",1,1,,,,,0,0,0,0,");
        line += length + 1;
    }
    snprintf(name, sizeof name, "%s/cells.csv", run);
    put_file(s, name, all);
}

static scene begin(void)
{
    scene s = {.folder = "/tmp/claims-XXXXXX"};
    cr_assert_not_null(mkdtemp(s.folder));
    return s;
}

static void end(scene *s)
{
    char command[100];
    bench_claims_release(&s->list);
    for (size_t i = 0; i < s->run_count; i++) {
        bench_claims_close(&s->runs[i]);
    }
    snprintf(command, sizeof command, "rm -rf %s", s->folder);
    cr_assert_eq(system(command), 0);
}

#define SCOPED_CLAIMS_SCENE RELEASED_BY(end) scene

#define MANIFEST(experiment, mode)                                                                 \
    "section,key,value\nrun,experiment," experiment "\nrun,mode," mode "\nrun,exit_status,0\n"
#define CELLS                                                                                      \
    "scenario,variant,quantity,status,frames_count,violations_count,file,baseline,"                \
    "below_resolution,bv_tests_count_mean\n"
#define LAUNCHES "scenario,variant,block,launch,protocol,query_ns,p99_ns\n"

/** Writes an experiment with the scenarios one and two. claims: NULL-terminated. */
static void put_experiment(const scene *s, const char *name, const char *const *claims)
{
    char text[6000], file[100];
    snprintf(file, sizeof file, "%s.cfg", name);
    snprintf(text, sizeof text,
             "name = \"%s\"; paper = \"PST\"; item = \"x\"; variants = ( \"pst\" );\n"
             "scenarios = (\n"
             "  { name = \"one\"; a = \"box\"; b = \"sphere\"; quantities = \"distance\";\n"
             "    trajectory = { kind = \"tumble\"; frames = 3; }; },\n"
             "  { name = \"two\"; a = \"box\"; b = \"sphere\"; quantities = \"distance\";\n"
             "    trajectory = { kind = \"tumble\"; frames = 3; }; } );\n"
             "claims = ( ",
             name);
    for (size_t i = 0; claims[i]; i++) {
        strcat(strcat(text, i > 0 ? ", " : ""), claims[i]);
    }
    strcat(text, " );\n");
    put_file(s, file, text);
}

/** Opens the run NAME, whose experiment is NAME.cfg. */
static void open_run(scene *s, const char *name)
{
    char run[100], experiment[100];
    snprintf(run, sizeof run, "%s/%s", s->folder, name);
    snprintf(experiment, sizeof experiment, "%s/%s.cfg", s->folder, name);
    assert_ok(bench_claims_open(run, experiment, &s->runs[s->run_count], ERR));
    s->run_count++;
}

static void judge(scene *s)
{
    assert_ok(bench_claims_judge(s->runs, s->run_count, &s->list, ERR));
}

static const bench_claims_row *row_of(const scene *s, const char *id)
{
    char full[100];
    snprintf(full, sizeof full, "PST-%s", id);
    for (size_t i = 0; i < s->list.count; i++) {
        if (strcmp(s->list.items[i].row.id, full) == 0) {
            return &s->list.items[i].row;
        }
    }
    cr_assert(false, "no claim %s", id);
    return NULL;
}

static void expect(const scene *s, const char *id, const char *verdict, double ours,
                   const char *reason)
{
    const bench_claims_row *const r = row_of(s, id);
    cr_expect_str_eq(r->verdict, verdict, "%s: %s, %s", id, r->verdict, r->reason);
    cr_expect(isnan(ours) ? isnan(r->ours) : fabs(r->ours - ours) <= 1e-12 * fabs(ours),
              "%s: %.17g", id, r->ours);
    cr_expect_str_eq(r->reason, reason, "%s: %s", id, r->reason);
}

#define AT_LEAST(x)    "at_least = " x "; "
#define AT_MOST(x)     "at_most = " x "; "
#define PAPER(x)       "paper = " x "; "
#define EXPECTED(x)    "expected = " x "; "
#define OF(x)          "of = \"" x "\"; "
#define WHERE(x)       "where = \"" x "\"; "
#define EXPERIMENTS(x) "experiments = \"" x "\"; "
#define SCENARIOS(x)   "scenarios = \"" x "\"; "
#define BODIES(x)      "bodies = \"" x "\"; "
#define VARIANTS(x)    "variants = \"" x "\"; "
#define AGAINST(x)     "against = \"" x "\"; "
#define TOGETHER(x)    "together = \"" x "\"; "

/** A claim of this suite. more: its other keys. */
#define CLAIM(id, measure, more)                                                                   \
    "{ id = \"" id "\"; claim = \"c\"; whose = \"ours\"; measure = \"" measure "\"; " more " }"
#define CLAIMS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* --- Cells ------------------------------------------------------------------------------------ */

Test(claims, values_of_cells)
{
    SCOPED_CLAIMS_SCENE s = begin();
    put_experiment(
        &s, "a",
        CLAIMS(
            CLAIM("most", "bv_tests_count_mean", AT_MOST("40.0") VARIANTS("pst,pst:*")),
            CLAIM("least", "bv_tests_count_mean", AT_LEAST("10.0") VARIANTS("pst,pst:*")),
            CLAIM("fails", "bv_tests_count_mean", AT_MOST("25.0") VARIANTS("pst,pst:*")),
            CLAIM("one", "bv_tests_count_mean", AT_MOST("19.0") VARIANTS("pst") SCENARIOS("two")),
            CLAIM("range", "bv_tests_count_mean",
                  AT_LEAST("15.0") AT_MOST("28.0") VARIANTS("pst,pst:*")),
            CLAIM("between", "bv_tests_count_mean / 10",
                  AT_LEAST("3.0") AT_MOST("3.0") VARIANTS("pst") SCENARIOS("two")),
            CLAIM("other", "bv_tests_count_mean / other.bv_tests_count_mean",
                  AT_LEAST("2.0") VARIANTS("pst:*") AGAINST("pst") SCENARIOS("one")),
            CLAIM("replaced", "bv_tests_count_mean / other.bv_tests_count_mean",
                  AT_LEAST("2.0") AGAINST("walk=tree") SCENARIOS("one") VARIANTS("pst*")),
            CLAIM("by-variant", "sum(bv_tests_count_mean)",
                  AT_MOST("49.0") TOGETHER("scenarios") VARIANTS("pst*")),
            CLAIM("by-scenario", "sum(bv_tests_count_mean)",
                  AT_MOST("49.0") TOGETHER("variants") VARIANTS("pst*")),
            CLAIM("all", "sum(bv_tests_count_mean)",
                  AT_MOST("79.0") TOGETHER("all") VARIANTS("pst*")),
            CLAIM("where", "max(bv_tests_count_mean)",
                  AT_MOST("29.0") TOGETHER("all") VARIANTS("pst*")
                      WHERE("bv_tests_count_mean < 30")),
            CLAIM("paper", "bv_tests_count_mean / paper",
                  PAPER("10.0") AT_MOST("\"paper\"") VARIANTS("pst") SCENARIOS("one")),
            "{ id = \"whose\"; claim = \"said\"; "
            "whose = \"paper\"; measure = "
            "\"frames_count\"; " AT_LEAST("4.0") VARIANTS("pst") EXPECTED("true") "}"));
    put_file(&s, "a/manifest.csv", MANIFEST("a", "smoke"));
    put_cells(&s, "a",
              CELLS "one,pst,distance,ok,3,0,pst,,0,10\n"
                    "one,pst@twin,distance,ok,3,0,pst_twin,pst,0,99\n"
                    "one,pst:walk=flat,distance,uninformative,3,0,pst_walk=flat,pst,0,20\n"
                    "two,pst,distance,ok,3,0,pst,,0,30\n"
                    "two,pst:walk=flat,distance,unsupported,3,0,pst_walk=flat,pst,0,\n"
                    "two,pst:voxels=32,distance,ok,3,0,pst_voxels=32,pst,0,20\n");
    put_file(&s, "a/launches.csv", LAUNCHES "one,pst,0,0,warm,30,10\n");
    open_run(&s, "a");
    judge(&s);
    expect(&s, "most", "holds", 30, "worst of 4: two, pst");
    expect(&s, "least", "holds", 10, "worst of 4: one, pst");
    expect(&s, "fails", "does not hold", 30, "1 of 4, worst: two, pst");
    expect(&s, "one", "does not hold", 30, "two, pst");
    expect(&s, "range", "does not hold", 10, "2 of 4, worst: one, pst");
    expect(&s, "between", "holds", 3, "two, pst");
    expect(&s, "other", "holds", 2, "one, pst:walk=flat");
    expect(&s, "replaced", "holds", 2, "one, pst:walk=flat");
    expect(&s, "by-variant", "holds", 40, "worst of 3: pst");
    expect(&s, "by-scenario", "does not hold", 50, "1 of 2, worst: two");
    expect(&s, "all", "does not hold", 80, "");
    expect(&s, "where", "holds", 20, "");
    expect(&s, "paper", "holds", 1, "one, pst");
    cr_expect_eq(row_of(&s, "paper")->at_most, 10);
    cr_expect_str_eq(row_of(&s, "whose")->whose, "paper");
    cr_expect_str_eq(row_of(&s, "all")->whose, "ours");
    cr_expect_str_eq(row_of(&s, "other")->command,
                     "proxbench run a --scenario one --algorithm pst:walk=flat,pst");
    cr_expect_str_eq(row_of(&s, "by-variant")->command, "proxbench run a --algorithm pst");
    cr_expect(bench_claims_disappoint(&s.list), "whose is expected, and does not hold");
}

Test(claims, reasons_not_to_judge)
{
    SCOPED_CLAIMS_SCENE s = begin();
    put_experiment(
        &s, "a",
        CLAIMS(CLAIM("missing", "bv_tests_count_mean",
                     AT_MOST("40.0") VARIANTS("pst") SCENARIOS("one") EXPECTED("true")),
               CLAIM("timed", "time_mean_ns", AT_MOST("40.0") VARIANTS("ist") SCENARIOS("one")),
               CLAIM("crashed", "bv_tests_count_mean",
                     AT_MOST("40.0") VARIANTS("brute") SCENARIOS("one")),
               CLAIM("no-variant", "bv_tests_count_mean",
                     AT_MOST("40.0") VARIANTS("pst,fcl") SCENARIOS("one")),
               CLAIM("no-scenario", "bv_tests_count_mean", AT_MOST("40.0") VARIANTS("pst")),
               CLAIM("no-column", "nodes", AT_MOST("40.0") VARIANTS("ist") SCENARIOS("one")),
               CLAIM("no-row", "sum(bv_tests_count_mean)",
                     WHERE("bv_tests_count_mean > 99") AT_MOST("40.0") VARIANTS("ist")
                         SCENARIOS("one")),
               CLAIM("no-run", "bv_tests_count_mean",
                     AT_MOST("40.0") EXPERIMENTS("a,b") SCENARIOS("one") VARIANTS("ist")),
               CLAIM("alone", "ratio(warm)", AT_MOST("40.0") VARIANTS("ist") SCENARIOS("one")),
               CLAIM("no-other", "bv_tests_count_mean",
                     AT_MOST("40.0") VARIANTS("ist") SCENARIOS("one") AGAINST("fcl")),
               CLAIM("no-other-value", "other.bv_tests_count_mean",
                     AT_MOST("40.0") VARIANTS("ist") SCENARIOS("one") AGAINST("fcl")),
               CLAIM("cannot-be", "other.bv_tests_count_mean",
                     AT_MOST("40.0") VARIANTS("ist") SCENARIOS("one") AGAINST("walk=tree")),
               CLAIM("several", "bv_tests_count_mean",
                     AT_MOST("40.0") VARIANTS("ist,pst") SCENARIOS("one") TOGETHER("all")),
               CLAIM("no-number", "$packing", AT_MOST("40.0") VARIANTS("ist") SCENARIOS("one")),
               CLAIM("no-frames", "differs(distance_m)",
                     AT_MOST("0.0") VARIANTS("ist") SCENARIOS("one") AGAINST("pst")),
               CLAIM("no-build", "bytes", OF("fixed") AT_MOST("40.0") SCENARIOS("one"))));
    put_file(&s, "a/manifest.csv", MANIFEST("a", "smoke"));
    put_cells(&s, "a",
              CELLS "one,pst,distance,ok,3,0,pst,,0,\n"
                    "one,ist,distance,ok,3,0,ist,pst,0,7\n"
                    "one,brute,distance,crash,3,0,brute,pst,0,7\n");
    put_file(&s, "a/launches.csv", LAUNCHES "one,pst,0,0,warm,30,10\n");
    open_run(&s, "a");
    judge(&s);
    const char *const unknown = "cannot tell";
    expect(&s, "missing", unknown, NAN, "one, pst: a value is missing");
    expect(&s, "timed", unknown, NAN, "one, ist: times of mode smoke are not judged");
    expect(&s, "crashed", unknown, 7, "one, brute: one, brute: crash");
    expect(&s, "no-variant", unknown, NAN, "the run has no 'fcl'");
    expect(&s, "no-scenario", unknown, NAN, "the run has no scenario 'two'");
    cr_expect(strstr(row_of(&s, "no-column")->reason, "one, ist: no column 'nodes' in '"));
    expect(&s, "no-row", unknown, NAN, "one, ist: no row meets the condition");
    expect(&s, "no-run", unknown, NAN, "no run of 'b' is given");
    expect(&s, "alone", unknown, NAN, "one, ist: the claim has no key 'against'");
    expect(&s, "no-other", "holds", 7, "one, ist");
    expect(&s, "no-other-value", unknown, NAN, "one, ist: 'one' has no 'fcl'");
    expect(&s, "cannot-be", unknown, NAN, "'ist' cannot have 'walk=tree'");
    expect(&s, "several", unknown, NAN, "2 cells are measured together, without a statistic");
    expect(&s, "no-number", unknown, NAN, "one, ist: 'ist' has no number 'packing'");
    expect(&s, "no-frames", unknown, NAN, "one, ist: a cell has no frames");
    expect(&s, "no-build", unknown, NAN, "the run has no such build");
    cr_expect_not(bench_claims_disappoint(&s.list), "no verdict is no failure");
}

Test(claims, one_without_a_measure_is_not_judged)
{
    SCOPED_CLAIMS_SCENE s = begin();
    put_experiment(&s, "a",
                   CLAIMS("{ id = \"later\"; claim = \"c\"; whose = \"paper\"; not_yet = \"the "
                          "rest is missing\"; }"));
    put_file(&s, "a/manifest.csv", MANIFEST("a", "bench"));
    put_cells(&s, "a", CELLS "one,pst,distance,ok,3,0,pst,,0,7\n");
    put_file(&s, "a/launches.csv", LAUNCHES "one,pst,0,0,warm,30,10\n");
    open_run(&s, "a");
    judge(&s);
    expect(&s, "later", "not yet", NAN, "the rest is missing");
    cr_expect_str_eq(row_of(&s, "later")->measure, "");
    cr_expect_str_eq(row_of(&s, "later")->command, "");
    cr_expect_not(bench_claims_disappoint(&s.list));
}

Test(claims, a_run_that_was_cut_off_proves_nothing)
{
    static const char *const cases[][2] = {
        {"section,key,value\nrun,experiment,a\nrun,mode,bench\n", "a: the run has not ended"},
        {"section,key,value\nrun,experiment,a\nrun,mode,bench\nrun,exit_status,130\n",
         "a: the run was interrupted"},
    };
    for (size_t i = 0; i < 2; i++) {
        SCOPED_CLAIMS_SCENE s = begin();
        put_experiment(&s, "a",
                       CLAIMS(CLAIM("x", "bv_tests_count_mean", AT_MOST("9.0") SCENARIOS("one"))));
        put_file(&s, "a/manifest.csv", cases[i][0]);
        put_cells(&s, "a", CELLS "one,pst,distance,ok,3,0,pst,,0,7\n");
        put_file(&s, "a/launches.csv", LAUNCHES "one,pst,0,0,warm,30,10\n");
        open_run(&s, "a");
        judge(&s);
        expect(&s, "x", "cannot tell", NAN, cases[i][1]);
    }
}

Test(claims, promises_count_cells_that_died)
{
    SCOPED_CLAIMS_SCENE s = begin();
    put_experiment(
        &s, "a",
        CLAIMS(CLAIM("all", "sum(promises())", AT_MOST("0.0") EXPERIMENTS("a,b") TOGETHER("all")),
               CLAIM("each", "promises()", AT_MOST("0.0"))));
    put_experiment(
        &s, "b",
        CLAIMS(CLAIM("own", "sum(promises())", AT_MOST("0.0") TOGETHER("all") VARIANTS("i*"))));
    put_file(&s, "a/manifest.csv", MANIFEST("a", "smoke"));
    put_file(&s, "b/manifest.csv", MANIFEST("b", "smoke"));
    put_cells(&s, "a",
              CELLS "one,pst,distance,ok,3,0,pst,,0,7\n"
                    "one,ist,distance,wrong,3,4,ist,pst,0,7\n"
                    "two,pst,distance,unsupported,3,9,pst,,0,7\n"
                    "two,ist,distance,timeout,3,0,ist,pst,0,7\n");
    put_cells(&s, "b",
              CELLS "one,pst,distance,wrong,3,8,pst,,0,7\n"
                    "one,ist,distance,ok,3,0,ist,pst,0,7\n"
                    "two,ist,distance,uninformative,3,0,ist,pst,0,7\n");
    put_file(&s, "a/launches.csv", LAUNCHES "one,pst,0,0,warm,30,10\n");
    put_file(&s, "b/launches.csv", LAUNCHES "one,pst,0,0,warm,30,10\n");
    open_run(&s, "a");
    open_run(&s, "b");
    judge(&s);
    expect(&s, "all", "does not hold", 4 + 1 + 8, "");
    expect(&s, "each", "does not hold", 4, "2 of 3, worst: one, ist");
    expect(&s, "own", "holds", 0, "");
    cr_expect_str_eq(row_of(&s, "own")->experiment, "b");
}

/* --- Times ------------------------------------------------------------------------------------ */

/**
 * Writes eight launches of scenario one: pst takes 200 ns per pass, and its twin the same times a
 * noise factor.
 */
static void put_launches(const scene *s, const double flat[8], const double noise[8], size_t count)
{
    char text[4000] = LAUNCHES;
    for (size_t l = 0; l < count; l++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used,
                 "one,pst,0,%zu,warm,200,1\none,pst@twin,0,%zu,warm,%.17g,1\n"
                 "one,pst:walk=flat,0,%zu,warm,%.17g,1\none,pst,0,%zu,evicted,100,1\n"
                 "one,pst@twin,0,%zu,evicted,%.17g,1\none,pst:walk=flat,0,%zu,evicted,%.17g,1\n",
                 l, l, 200 * noise[l], l, flat[l], l, l, 100 * noise[l], l, 3 * flat[l]);
    }
    put_file(s, "a/launches.csv", text);
}

static scene timed(const double flat[8], const double noise[8], size_t launches)
{
    scene s = begin();
    put_experiment(
        &s, "a",
        CLAIMS(CLAIM("slower", "ratio(warm)",
                     AT_LEAST("1.0") SCENARIOS("one") VARIANTS("pst:*") AGAINST("pst")),
               CLAIM("faster", "1 / ratio(warm)",
                     AT_LEAST("1.0") SCENARIOS("one") VARIANTS("pst:*") AGAINST("pst")),
               CLAIM("by-1.5", "ratio(warm)",
                     AT_LEAST("1.5") SCENARIOS("one") VARIANTS("pst:*") AGAINST("pst")),
               CLAIM("evicted", "ratio(evicted)",
                     AT_LEAST("8.0") SCENARIOS("one") VARIANTS("pst:*") AGAINST("pst")),
               CLAIM("back", "ratio(warm)",
                     AT_MOST("1.0") SCENARIOS("one") VARIANTS("pst") AGAINST("pst:walk=flat")),
               CLAIM("baseline", "ratio(warm)",
                     AT_LEAST("1.0") SCENARIOS("one") VARIANTS("pst*") AGAINST("baseline")),
               CLAIM("time", "time(warm)", AT_MOST("202.0") SCENARIOS("one") VARIANTS("pst:*")),
               CLAIM("column", "time_mean_ns", AT_MOST("202.0") SCENARIOS("one") VARIANTS("pst"))));
    put_file(&s, "a/manifest.csv", MANIFEST("a", "bench"));
    put_cells(&s, "a",
              "scenario,variant,quantity,status,frames_count,violations_count,file,baseline,"
              "below_resolution,time_mean_ns,contract\n"
              "one,pst,distance,ok,3,0,pst,,0,100,distance=exact\n"
              "one,pst@twin,distance,ok,3,0,pst_twin,pst,0,100,distance=exact\n"
              "one,pst:walk=flat,distance,ok,3,0,pst_walk=flat,pst,0,100,distance=exact\n");
    put_launches(&s, flat, noise, launches);
    open_run(&s, "a");
    judge(&s);
    return s;
}

static const double quiet[8] = {1, 1.01, 1, 0.99, 1, 1, 1, 1};

/**
 * The interval of eight launches at 95 % is from the smallest to the largest value: 1.98 to 2.02.
 */
Test(claims, ratios_have_the_intervals_of_compare)
{
    const double flat[8] = {400, 404, 396, 400, 400, 400, 400, 400};
    SCOPED_CLAIMS_SCENE s = timed(flat, quiet, 8);
    expect(&s, "slower", "holds", 2, "one, pst:walk=flat");
    cr_expect_float_eq(row_of(&s, "slower")->lo, 1.98, 1e-12);
    cr_expect_float_eq(row_of(&s, "slower")->hi, 2 / 0.99, 1e-12, "A/A is wider than 2.02");
    expect(&s, "faster", "does not hold", 0.5, "one, pst:walk=flat");
    expect(&s, "by-1.5", "holds", 2, "one, pst:walk=flat");
    expect(&s, "evicted", "holds", 12, "one, pst:walk=flat");
    expect(&s, "back", "holds", 0.5, "one, pst");
    expect(&s, "baseline", "holds", 2, "one, pst:walk=flat"); /* without the baseline itself */
    expect(&s, "time", "holds", 200, "one, pst:walk=flat");
    cr_expect_eq(row_of(&s, "time")->lo, 198);
    cr_expect_eq(row_of(&s, "time")->hi, 202);
    expect(&s, "column", "holds", 100, "one, pst");
}

/** All launches show a difference of 3 %, but two copies of the same code differ by as much. */
Test(claims, noise_is_no_difference)
{
    const double flat[8] = {206, 206, 206, 206, 206, 206, 206, 206};
    const double loud[8] = {1.04, 0.97, 1.04, 0.97, 1, 1, 1.04, 0.97};
    scene s = timed(flat, loud, 8);
    expect(&s, "slower", "cannot tell", 1.03,
           "one, pst:walk=flat: the limit is inside of the interval");
    cr_expect_float_eq(row_of(&s, "slower")->lo, 1.03 / 1.04, 1e-12);
    cr_expect_float_eq(row_of(&s, "slower")->hi, 1.03 / 0.97, 1e-12);
    expect(&s, "by-1.5", "does not hold", 1.03, "one, pst:walk=flat");
    end(&s);
    SCOPED_CLAIMS_SCENE t = timed(flat, quiet, 8);
    expect(&t, "slower", "holds", 1.03, "one, pst:walk=flat");
}

Test(claims, few_launches_have_no_interval)
{
    const double flat[8] = {400, 400, 400, 400, 400};
    SCOPED_CLAIMS_SCENE s = timed(flat, quiet, 5);
    expect(&s, "slower", "cannot tell", 2, "one, pst:walk=flat: too few launches");
    expect(&s, "time", "cannot tell", 200, "one, pst:walk=flat: too few launches");
}

/* --- Frames, regions, builds ------------------------------------------------------------------ */

Test(claims, frames_and_regions)
{
    SCOPED_CLAIMS_SCENE s = begin();
    put_experiment(&s, "a",
                   CLAIMS(CLAIM("share", "share(depth_m < 3)",
                                OF("frames") AT_LEAST("0.5") SCENARIOS("one") VARIANTS("lpd")
                                    WHERE("regions_count >= 1")),
                          CLAIM("condition", "sum(1)",
                                OF("frames") AT_MOST("9.0") SCENARIOS("one") VARIANTS("lpd")
                                    WHERE("depth_m < 3")),
                          CLAIM("turn", "max(depth_m - prev(depth_m))",
                                OF("frames") AT_MOST("2.0") TOGETHER("scenarios") VARIANTS("lpd")),
                          CLAIM("whole", "sum(depth_m) / frames_count",
                                OF("frames") AT_MOST("9.0") SCENARIOS("one") VARIANTS("lpd")),
                          CLAIM("two", "sum(at('one', depth_m)) / sum(at('two', depth_m))",
                                OF("frames") AT_MOST("9.0") TOGETHER("scenarios") VARIANTS("lpd")),
                          CLAIM("parameter", "max(depth_m * $pixels)",
                                OF("frames") AT_MOST("400.0") SCENARIOS("one") VARIANTS("lpd")),
                          CLAIM("regions", "sum(left_rel * regions_count)",
                                OF("regions") AT_MOST("9.0") SCENARIOS("one") VARIANTS("lpd")),
                          CLAIM("join", "sum(depth_m)",
                                OF("regions") AT_MOST("999.0") SCENARIOS("one") VARIANTS("lpd")
                                    WHERE("verdict_depth == 1")),
                          CLAIM("differs", "differs(depth_m, regions_count)",
                                AT_MOST("1.0") SCENARIOS("one") VARIANTS("lpd:*") AGAINST("lpd")),
                          CLAIM("same", "differs(regions_count)",
                                AT_MOST("1.0") SCENARIOS("one") VARIANTS("lpd:*") AGAINST("lpd")),
                          CLAIM("column", "differs(contacts_count)",
                                AT_MOST("1.0") SCENARIOS("one") VARIANTS("lpd:*") AGAINST("lpd"))));
    put_file(&s, "a/manifest.csv", MANIFEST("a", "smoke"));
    put_cells(&s, "a",
              CELLS "one,lpd,depth,ok,4,0,lpd,,0,7\n"
                    "one,lpd:chain=adjacency,depth,ok,4,0,lpd_chain=adjacency,lpd,0,7\n"
                    "two,lpd,depth,ok,4,0,lpd,,0,7\n");
    put_file(&s, "a/launches.csv", LAUNCHES "one,lpd,0,0,warm,30,10\n");
    put_file(&s, "a/one/lpd.csv",
             "frame,depth_m,regions_count,verdict_depth\n"
             "0,1,1,1\n1,2,2,0\n2,4,1,1\n3,,0,\n");
    put_file(&s, "a/one/lpd.regions.csv",
             "frame,region,depth_m,left_rel\n"
             "0,0,10,0.5\n1,0,20,0.25\n1,1,30,\n2,0,40,0\n7,0,1,1\n");
    put_file(&s, "a/one/lpd_chain=adjacency.csv",
             "frame,depth_m,regions_count,verdict_depth\n"
             "0,1,1,1\n1,2.5,2,0\n2,4,1,1\n");
    put_file(&s, "a/two/lpd.csv", "frame,depth_m,regions_count\n0,9,1\n1,10,1\n");
    open_run(&s, "a");
    judge(&s);
    expect(&s, "share", "holds", 2.0 / 3, "one, lpd");
    expect(&s, "condition", "holds", 2, "one, lpd");
    expect(&s, "turn", "holds", 2, "lpd"); /* there is no step from one scenario to the next */
    expect(&s, "whole", "holds", 1.75, "one, lpd");
    expect(&s, "two", "holds", 7.0 / 19, "lpd");
    expect(&s, "parameter", "holds", 256, "one, lpd");
    expect(&s, "regions", "holds", 0.5 + 0.25 * 2, "one, lpd");
    expect(&s, "join", "holds", 50, "one, lpd"); /* the region's column has priority over the
                                                    frame's */
    expect(&s, "differs", "does not hold", 2, "one, lpd:chain=adjacency");
    expect(&s, "same", "holds", 1, "one, lpd:chain=adjacency");
    cr_expect(strstr(row_of(&s, "column")->reason, "no column 'contacts_count' in '"));
}

Test(claims, builds)
{
    SCOPED_CLAIMS_SCENE s = begin();
    char launches[4000] =
        "variant,body,role,launch,build_ns,scenario,block,parameters,stage_a_ns\n";
    put_experiment(
        &s, "a",
        CLAIMS(CLAIM("value", "points_count / other.points_count",
                     OF("moving") AT_LEAST("2.0") VARIANTS("vps:*") AGAINST("generator=paper")),
               CLAIM("ratio", "ratio(stage_a_ns)",
                     OF("moving") AT_LEAST("3.0") BODIES("ball*") VARIANTS("vps:generator=old")
                         AGAINST("generator=paper")),
               CLAIM("inside", "ratio(stage_a_ns)",
                     OF("moving") AT_LEAST("3.5") BODIES("ball*") VARIANTS("vps:generator=old")
                         AGAINST("generator=paper")),
               CLAIM("time", "time(build_ns)",
                     OF("moving") AT_MOST("106.0") VARIANTS("vps:generator=old")
                         BODIES("ball:size=1")),
               CLAIM("body", "points_count", OF("fixed") AT_MOST("5.0") BODIES("cube")),
               CLAIM("none", "ratio(stage_b_ns)",
                     OF("moving") AT_LEAST("3.0") BODIES("ball*") VARIANTS("vps:generator=old")
                         AGAINST("generator=paper"))));
    put_file(&s, "a/manifest.csv", MANIFEST("a", "bench"));
    put_cells(&s, "a", CELLS "one,vps,force,ok,3,0,vps,,0,7\ntwo,vps,force,ok,3,0,vps,,0,7\n");
    put_file(&s, "a/launches.csv", LAUNCHES "one,vps,0,0,warm,30,10\n");
    put_file(&s, "a/builds.csv",
             "variant,body,role,status,points_count\n"
             "vps:generator=old,ball:size=1,moving,ok,30\n"
             "vps:generator=old,ball:size=1,fixed,ok,1\n"
             "vps:generator=paper,ball:size=1,moving,ok,10\n"
             "vps,cube,fixed,ok,5\n"
             "vps,cube,moving,unsupported,50\n");
    for (int l = 0; l < 6; l++) {
        const size_t used = strlen(launches);
        snprintf(launches + used, sizeof launches - used,
                 "vps:generator=old,ball:size=1,moving,%d,%d,one,0,generator=old,%d\n"
                 "vps:generator=paper,ball:size=1,moving,%d,50,one,0,generator=paper,10\n",
                 l, 100 + l, 30 + l, l);
    }
    put_file(&s, "a/build_launches.csv", launches);
    open_run(&s, "a");
    judge(&s);
    expect(&s, "value", "holds", 3, "ball:size=1, vps:generator=old");
    expect(&s, "ratio", "holds", sqrt(3.2 * 3.3), "ball:size=1, vps:generator=old");
    cr_expect_float_eq(row_of(&s, "ratio")->lo, 3, 1e-12);
    cr_expect_float_eq(row_of(&s, "ratio")->hi, 3.5, 1e-12);
    expect(&s, "inside", "cannot tell", sqrt(3.2 * 3.3),
           "ball:size=1, vps:generator=old: the limit is inside of the interval");
    expect(&s, "time", "holds", 102.5, "ball:size=1, vps:generator=old");
    cr_expect_eq(row_of(&s, "time")->lo, 100);
    cr_expect_eq(row_of(&s, "time")->hi, 105);
    expect(&s, "body", "holds", 5, "cube, vps");
    expect(&s, "none", "cannot tell", NAN,
           "ball:size=1, vps:generator=old: no launch has built 'vps:generator=old' and "
           "'vps:generator=paper'");
}

/* --- Errors, files ---------------------------------------------------------------------------- */

static void expect_error(const char *claim, const char *message)
{
    SCOPED_CLAIMS_SCENE s = begin();
    base_error err = {0};
    put_experiment(&s, "a", CLAIMS(claim));
    put_file(&s, "a/manifest.csv", MANIFEST("a", "smoke"));
    put_cells(&s, "a", CELLS "one,pst,distance,ok,3,0,pst,,0,7\n");
    put_file(&s, "a/launches.csv", LAUNCHES "one,pst,0,0,warm,30,10\n");
    open_run(&s, "a");
    cr_expect_eq(bench_claims_judge(s.runs, 1, &s.list, &err), BASE_ERR_INPUT, "%s", claim);
    cr_expect(strstr(err.text, message), "%s: %s", claim, err.text);
}

Test(claims, errors_name_the_line)
{
    expect_error(CLAIM("x", "sum(", AT_MOST("1.0")),
                 "a.cfg' line 7: claim 'x': 'measure': no name at the end");
    expect_error(CLAIM("x", "1", AT_MOST("1.0") WHERE("zzzz(")),
                 "line 7: claim 'x': 'where': unknown function 'zzzz' at 'zzzz('");
    expect_error(CLAIM("x", "1", AT_MOST("1.0") OF("cell")),
                 "line 7: claim 'x': unknown word 'cell' of 'of'; did you mean 'cells'?");
    expect_error(CLAIM("x", "1", AT_MOST("1.0") TOGETHER("each")),
                 "line 7: claim 'x': unknown word 'each' of 'together'");
}

Test(claims, a_run_of_another_experiment_is_refused)
{
    SCOPED_CLAIMS_SCENE s = begin();
    char run[100], experiment[100];
    base_error err = {0};
    put_experiment(&s, "b", CLAIMS(CLAIM("x", "1", AT_MOST("1.0"))));
    put_file(&s, "a/manifest.csv", MANIFEST("a", "smoke"));
    put_cells(&s, "a", CELLS "one,pst,distance,ok,3,0,pst,,0,7\n");
    put_file(&s, "a/launches.csv", LAUNCHES "one,pst,0,0,warm,30,10\n");
    snprintf(run, sizeof run, "%s/a", s.folder);
    snprintf(experiment, sizeof experiment, "%s/b.cfg", s.folder);
    cr_expect_eq(bench_claims_open(run, experiment, &s.runs[0], &err), BASE_ERR_INPUT);
    cr_expect(strstr(err.text, "the run is of the experiment 'a', not 'b'"), "%s", err.text);
}

Test(claims, out_of_memory_is_an_error)
{
    SCOPED_CLAIMS_SCENE s = begin();
    put_experiment(&s, "a",
                   CLAIMS(CLAIM("x", "sum(depth_m)", OF("frames") AT_MOST("9.0") SCENARIOS("one")),
                          CLAIM("y", "time(warm)", AT_MOST("9.0") SCENARIOS("one"))));
    put_file(&s, "a/manifest.csv", MANIFEST("a", "bench"));
    put_cells(&s, "a", CELLS "one,lpd,depth,ok,2,0,lpd,,0,7\n");
    put_file(&s, "a/launches.csv", LAUNCHES "one,lpd,0,0,warm,30,10\n");
    put_file(&s, "a/one/lpd.csv", "frame,depth_m\n0,1\n1,2\n");
    open_run(&s, "a");
    const size_t failures = COUNT_FAILURES(bench_claims_judge(s.runs, 1, &s.list, ERR), {
        if (failed) {
            bench_claims_release(&s.list);
        }
    });
    cr_expect_gt(failures, 4);
    cr_expect_eq(s.list.count, 2);
}

Test(claims, numbers_for_people)
{
    static const struct {
        double x;
        bench_unit unit;
        const char *text;
    } cases[] = {
        {NAN, BENCH_UNIT_BYTES, "-"},
        {1.664, BENCH_UNIT_BYTES, "1.66 B"},
        {999, BENCH_UNIT_BYTES, "999 B"},
        {49664, BENCH_UNIT_BYTES, "49.7 kB"},
        {999499, BENCH_UNIT_BYTES, "999 kB"},
        {999501, BENCH_UNIT_BYTES, "1.00 MB"},
        {1234567890, BENCH_UNIT_BYTES, "1234.57 MB"},
        {0.99996, BENCH_UNIT_SHARE, "99.99 %"}, /* not all of them */
        {0.00123, BENCH_UNIT_SHARE, "0.1230 %"},
        {6e-7, BENCH_UNIT_SHARE, "0.0001 %"},
        {7.5e-16, BENCH_UNIT_SHARE, "7.5e-14 %"},
        {-4e-7, BENCH_UNIT_SHARE, "-4.0e-05 %"},
        {0, BENCH_UNIT_SHARE, "0.0000 %"},
        {12345.6, BENCH_UNIT_NUMBER, "12346"},
        {0.012345, BENCH_UNIT_NUMBER, "0.0123"},
        {-0.0, BENCH_UNIT_NUMBER, "0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bench_number_text text = bench_unit_text(cases[i].x, cases[i].unit);
        cr_expect_str_eq(text.text, cases[i].text, "%s, not %s", text.text, cases[i].text);
    }
}
