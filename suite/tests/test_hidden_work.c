/** Detection of hidden work, from planted times of launches and passes, at each limit. */
#include "base/tests/support.h"
#include "suite/results/launches.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { LAUNCHES = 3, FRAMES = 10 };

/** Launches of an honest contestant: passes of 20 ms, and one thread. */
static void make_honest(bench_launch_work launches[LAUNCHES])
{
    for (int i = 0; i < LAUNCHES; i++) {
        launches[i] = (bench_launch_work){.first_ns = 24e6,
                                          .later_ns = 20e6,
                                          .first_p50_ns = 110e3,
                                          .later_p50_ns = 100e3,
                                          .reset_ns = 2e3,
                                          .reset_ratio = 1e-4,
                                          .other_ns = 0,
                                          .other_ratio = 0};
    }
}

static void expect(const bench_launch_work *launches, size_t count, bench_hidden verdict,
                   const char *text, const char *what)
{
    const bench_hidden_work work = bench_hidden_work_judge(launches, count, FRAMES, 1);
    cr_assert_eq(work.verdict, verdict, "%s: %d '%s'", what, (int)work.verdict, work.text);
    cr_assert_str_eq(work.text, text, "%s: '%s'", what, work.text);
}

/** Sets the ratio of a launch's first pass to its later passes, for sums and for medians. */
static void set_first(bench_launch_work *l, double first_ns, double sums, double medians)
{
    l->first_ns = first_ns;
    l->later_ns = first_ns / sums;
    l->first_p50_ns = 1e5;
    l->later_p50_ns = 1e5 / medians;
}

static void set_all_first(bench_launch_work *launches, double first_ns, double sums, double medians)
{
    make_honest(launches);
    for (int i = 0; i < LAUNCHES; i++) {
        set_first(&launches[i], first_ns, sums, medians);
    }
}

Test(hidden_work, nothing_is_said_of_honest_times)
{
    bench_launch_work launches[LAUNCHES];
    make_honest(launches);
    expect(launches, LAUNCHES, BENCH_HIDDEN_NOTHING, "", "honest");
    const bench_hidden_work work = bench_hidden_work_judge(launches, LAUNCHES, FRAMES, 5);
    cr_assert_float_eq(work.first_ratio, 1.1, 1e-12);
    cr_assert_eq(work.reset_ns, 2e3);
    cr_assert_eq(work.reset_ratio, 1e-4);
    cr_assert_eq(work.other_ratio, 0);
    cr_assert_eq(work.threads, 5);
    expect(launches, 0, BENCH_HIDDEN_NOTHING, "", "no launch");
    for (int i = 0; i < LAUNCHES; i++) {
        launches[i] = (bench_launch_work){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0};
    }
    expect(launches, LAUNCHES, BENCH_HIDDEN_NOTHING, "", "no pass");
    cr_assert(isnan(bench_hidden_work_judge(launches, 0, FRAMES, 1).first_ratio));
}

Test(hidden_work, remembered_answers)
{
    bench_launch_work launches[LAUNCHES];
    set_all_first(launches, 8e6, 480, 500);
    expect(launches, LAUNCHES, BENCH_HIDDEN_WRONG,
           "answers are remembered or work is left out: later passes are 480 times faster than "
           "the first",
           "480 times");
    set_all_first(launches, 8e6, 60.1, 60.1);
    expect(launches, LAUNCHES, BENCH_HIDDEN_WRONG,
           "answers are remembered or work is left out: later passes are 60.1 times faster than "
           "the first",
           "beyond the limit");
    set_all_first(launches, 8e6, 59.9, 100);
    expect(launches, LAUNCHES, BENCH_HIDDEN_NOTE,
           "later passes are 59.9 times faster than the first", "sums below the limit");
    set_all_first(launches, 8e6, 100, 59.9);
    expect(launches, LAUNCHES, BENCH_HIDDEN_NOTE,
           "later passes are 59.9 times faster than the first", "medians below the limit");
    set_all_first(launches, 8e6, 3.01, 3.01);
    expect(launches, LAUNCHES, BENCH_HIDDEN_NOTE,
           "later passes are 3.01 times faster than the first", "beyond the note");
    set_all_first(launches, 8e6, 2.99, 2.99);
    expect(launches, LAUNCHES, BENCH_HIDDEN_NOTHING, "", "below the note");
}

/** A first pass of less than 1 ms may be long because of cold caches only. */
Test(hidden_work, short_passes_tell_nothing)
{
    bench_launch_work launches[LAUNCHES];
    set_all_first(launches, 0.999e6, 480, 480);
    expect(launches, LAUNCHES, BENCH_HIDDEN_NOTHING, "", "short");
    cr_assert_float_eq(bench_hidden_work_judge(launches, LAUNCHES, FRAMES, 1).first_ratio, 480,
                       1e-9);
    set_all_first(launches, 1e6, 480, 480);
    cr_assert_eq(bench_hidden_work_judge(launches, LAUNCHES, FRAMES, 1).verdict,
                 BENCH_HIDDEN_WRONG);
}

/**
 * One honest launch is enough to clear a contestant. A launch without later passes, from a resumed
 * run, does not count as one.
 */
Test(hidden_work, the_evidence_is_in_every_launch)
{
    for (int honest = 0; honest < LAUNCHES; honest++) {
        bench_launch_work launches[LAUNCHES];
        set_all_first(launches, 8e6, 480, 480);
        set_first(&launches[honest], 8e6, 1.1, 1.1);
        expect(launches, LAUNCHES, BENCH_HIDDEN_NOTHING, "", "one honest launch");
        cr_assert_float_eq(bench_hidden_work_judge(launches, LAUNCHES, FRAMES, 1).first_ratio, 1.1,
                           1e-9);
        set_all_first(launches, 8e6, 480, 480);
        launches[honest].later_ns = NAN;
        cr_assert_eq(bench_hidden_work_judge(launches, LAUNCHES, FRAMES, 1).verdict,
                     BENCH_HIDDEN_WRONG, "a launch without later passes says nothing");
        make_honest(launches);
        for (int i = 0; i < LAUNCHES; i++) {
            launches[i].reset_ns = i == honest ? 2e3 : 1e6;
            launches[i].reset_ratio = i == honest ? 1e-4 : 30;
            launches[i].other_ns = i == honest ? 0 : 1e9;
            launches[i].other_ratio = i == honest ? 0 : 30;
        }
        expect(launches, LAUNCHES, BENCH_HIDDEN_NOTHING, "", "one honest reset");
    }
}

static void set_reset(bench_launch_work *launches, double ns, double ratio)
{
    make_honest(launches);
    for (int i = 0; i < LAUNCHES; i++) {
        launches[i].reset_ns = ns;
        launches[i].reset_ratio = ratio;
    }
}

Test(hidden_work, work_in_reset)
{
    bench_launch_work launches[LAUNCHES];
    set_reset(launches, 2e5, 0.501);
    expect(launches, LAUNCHES, BENCH_HIDDEN_WRONG,
           "work is done in reset: reset takes 0.501 times as long as all queries of its pass",
           "beyond the limit");
    set_reset(launches, 2e5, 0.499);
    expect(launches, LAUNCHES, BENCH_HIDDEN_NOTE,
           "reset takes 0.499 times as long as all queries of its pass", "below the limit");
    set_reset(launches, 2e5, 0.049);
    expect(launches, LAUNCHES, BENCH_HIDDEN_NOTHING, "", "below the note");
    set_reset(launches, 1.99e5, 100);
    expect(launches, LAUNCHES, BENCH_HIDDEN_NOTHING, "", "short");
}

static void set_other(bench_launch_work *launches, double ns, double ratio)
{
    make_honest(launches);
    for (int i = 0; i < LAUNCHES; i++) {
        launches[i].other_ns = ns;
        launches[i].other_ratio = ratio;
    }
}

Test(hidden_work, work_in_other_threads)
{
    bench_launch_work launches[LAUNCHES];
    set_other(launches, 1e6, 10.1);
    expect(launches, LAUNCHES, BENCH_HIDDEN_WRONG,
           "work is done beside the queries: each other thread or process uses 10.1 times the time "
           "of the queries",
           "beyond the limit");
    set_other(launches, 1e6, 9.9);
    expect(launches, LAUNCHES, BENCH_HIDDEN_NOTE,
           "each other thread or process uses 9.9 times the time of the queries",
           "below the limit");
    set_other(launches, 1e6, 0.11);
    expect(launches, LAUNCHES, BENCH_HIDDEN_NOTE,
           "each other thread or process uses 0.11 times the time of the queries",
           "beyond the note");
    set_other(launches, 1e6, 0.09);
    expect(launches, LAUNCHES, BENCH_HIDDEN_NOTHING, "", "below the note");
    set_other(launches, 0.99e6, 100);
    expect(launches, LAUNCHES, BENCH_HIDDEN_NOTHING, "", "short");
}

/**
 * Work in other threads and in reset also makes later passes fast. The message names the cause and
 * not this effect.
 */
Test(hidden_work, the_cause_is_named)
{
    bench_launch_work launches[LAUNCHES];
    set_all_first(launches, 8e6, 480, 480);
    for (int i = 0; i < LAUNCHES; i++) {
        launches[i].reset_ns = 8e6;
        launches[i].reset_ratio = 480;
    }
    expect(launches, LAUNCHES, BENCH_HIDDEN_WRONG,
           "work is done in reset: reset takes 480 times as long as all queries of its pass",
           "reset before first");
    for (int i = 0; i < LAUNCHES; i++) {
        launches[i].other_ns = 8e6;
        launches[i].other_ratio = 480;
    }
    expect(launches, LAUNCHES, BENCH_HIDDEN_WRONG,
           "work is done beside the queries: each other thread or process uses 480 times the time "
           "of the queries",
           "threads before reset");
    set_other(launches, 1e6, 0.9);
    for (int i = 0; i < LAUNCHES; i++) {
        set_first(&launches[i], 8e6, 480, 480);
    }
    cr_assert_eq(bench_hidden_work_judge(launches, LAUNCHES, FRAMES, 1).verdict, BENCH_HIDDEN_WRONG,
                 "a note hides no wrong times");
}

/* --- Passes ----------------------------------------------------------------------------------- */

enum { PASSES = 7 };

static bench_pass_row pass_of(uint32_t launch, bench_protocol protocol, uint64_t frames_ns,
                              uint64_t cpu_ns)
{
    bench_pass_row row = {.frames_ns = frames_ns, .p50_ns = frames_ns / 100};
    row.pass.launch = launch;
    row.pass.protocol = (uint32_t)protocol;
    row.pass.cost.query_ns = frames_ns;
    row.pass.cost.cpu_ns = cpu_ns;
    row.pass.cost.reset_ns = frames_ns / 1000;
    row.pass.cost.threads = 1;
    return row;
}

/**
 * Makes two launches: the first one with all kinds of passes, the second one with warm passes only.
 */
static void make_passes(bench_pass_row passes[PASSES])
{
    passes[0] = pass_of(0, BENCH_WARM_UP, 90000000, 60000000); /* interrupted: CPU time counts */
    passes[1] = pass_of(0, BENCH_WARM, 30000000, 50000000);
    passes[2] = pass_of(0, BENCH_WARM, 20000000, 21000000);
    passes[3] = pass_of(0, BENCH_WARM, 50000000, 51000000);
    passes[4] = pass_of(0, BENCH_EVICTED, 70000000, 25000000);
    passes[5] = pass_of(0, BENCH_SHUFFLED, 1, 1);
    passes[6] = pass_of(1, BENCH_WARM, 40000000, 41000000);
}

static bench_hidden_work judge_passes(bench_pass_row *passes, size_t count, size_t frames)
{
    const bench_cell cell = {.passes = passes, .pass_count = count, .frame_count = frames};
    bench_hidden_work work;
    assert_ok(bench_hidden_work_of(&cell, &work, ERR));
    return work;
}

Test(hidden_work, passes_of_a_launch)
{
    bench_pass_row passes[PASSES];
    make_passes(passes);
    bench_hidden_work work = judge_passes(passes, 6, 100);
    cr_assert_float_eq(work.first_ratio, 2, 1e-12,
                       "%g: CPU time of the first, median of the others", work.first_ratio);
    cr_assert_float_eq(work.reset_ns, 30000, 1e-9, "%g", work.reset_ns);
    cr_assert_float_eq(work.reset_ratio, 1e-3, 1e-15, "%g", work.reset_ratio);
    passes[0].p50_ns = 330000;
    cr_assert_float_eq(judge_passes(passes, 6, 100).first_ratio, 1.1, 1e-12, "median frames");
    work = judge_passes(passes, PASSES, 100);
    cr_assert_eq(work.threads, 1);
    passes[5].pass.cost.threads = 3;
    cr_assert_eq(judge_passes(passes, PASSES, 100).threads, 3);
    cr_assert_eq(judge_passes(passes, 0, 100).threads, UINT64_MAX);
}

/**
 * Cold caches alone make a pass of a few frames long. With one frame, remembering the last answer,
 * which is allowed, means remembering all answers.
 */
Test(hidden_work, few_frames_tell_nothing)
{
    bench_pass_row passes[] = {pass_of(0, BENCH_WARM_UP, 90000000, 90000000),
                               pass_of(0, BENCH_WARM, 300, 300), pass_of(0, BENCH_WARM, 300, 300)};
    cr_assert_eq(judge_passes(passes, 2, FRAMES).verdict, BENCH_HIDDEN_WRONG);
    cr_assert_eq(judge_passes(passes, 2, FRAMES - 1).verdict, BENCH_HIDDEN_NOTHING);
    cr_assert_float_eq(judge_passes(passes, 2, 1).first_ratio, 3e5, 1e-6);
    passes[1].pass.cost.reset_ns = passes[2].pass.cost.reset_ns = 90000000;
    cr_assert_eq(judge_passes(passes, 3, 1).verdict, BENCH_HIDDEN_WRONG, "but a reset does");
    cr_assert_eq(judge_passes(passes, 2, 1).verdict, BENCH_HIDDEN_NOTHING, "not in a single pass");
}

/**
 * CPU time of other threads is taken from the pass with the least of it, per thread, and not from
 * the first pass.
 */
Test(hidden_work, passes_with_other_threads)
{
    bench_pass_row passes[PASSES];
    make_passes(passes);
    passes[0].pass.cost.other_cpu_ns = passes[5].pass.cost.other_cpu_ns = 1000000000000;
    for (int i = 1; i < 4; i++) {
        passes[i].pass.cost.other_cpu_ns = 1000000000000;
    }
    passes[4].pass.cost.other_cpu_ns = 280000000;
    cr_assert_float_eq(judge_passes(passes, 6, 100).other_ratio, 4, 1e-12);
    cr_assert_eq(judge_passes(passes, PASSES, 100).other_ratio, 0, "nothing in the second launch");
    passes[4].pass.cost.threads = 2;
    cr_assert_float_eq(judge_passes(passes, 6, 100).other_ratio, 4, 1e-12, "one other thread");
    passes[4].pass.cost.threads = 5;
    cr_assert_float_eq(judge_passes(passes, 6, 100).other_ratio, 1, 1e-12, "four other threads");
    passes[4].pass.batch = 1;
    passes[4].pass.cost.query_ns = 70000000;
    cr_assert_float_eq(judge_passes(passes, 6, 100).other_ratio, 0.5, 1e-12, "with its batch");
}

/** Launches with the same number in two blocks are different processes. */
Test(hidden_work, a_resumed_launch_is_another_process)
{
    bench_pass_row passes[4] = {
        pass_of(0, BENCH_WARM_UP, 90000000, 90000000), pass_of(0, BENCH_WARM, 90000000, 90000000),
        pass_of(0, BENCH_WARM_UP, 90000000, 90000000), pass_of(0, BENCH_WARM, 30, 30)};
    passes[2].pass.block = passes[3].pass.block = 1;
    cr_assert_float_eq(judge_passes(passes, 4, 100).first_ratio, 1, 1e-12);
    cr_assert_gt(judge_passes(passes + 2, 2, 100).first_ratio, 1e6);
}
