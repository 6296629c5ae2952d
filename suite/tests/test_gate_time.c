/** The gate of time must fail exactly when it should: tested on made-up times of launches. */
#include "base/random.h"
#include "base/tests/support.h"
#include "suite/gate/against.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LAUNCHES = BENCH_AGAINST_LAUNCHES };
static const double tolerance = 0.05;

/** A machine whose launches deviate by up to `noise`. */
typedef struct machine {
    double noise;
    base_random random;
    double twin; /* time of the old code's second copy; 0: equal to the first copy */
    double build_ns, build, rss_bytes, memory; /* of the old code, and factors of the new code */
} machine;

static double noisy(machine *m)
{
    return 1 + base_random_range(&m->random, -m->noise, m->noise);
}

static FILE *open_file(const char *folder, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "w");
    cr_assert_not_null(file, "%s", path);
    return file;
}

static void write_launches(machine *m, FILE *file, double slowdown, int launches)
{
    static const char *const names[] = {"v@base", "v@head", "v@twin"};
    const double factors[] = {1, slowdown, m->twin > 0 ? m->twin : 1};
    const double build[] = {1, m->build, 1}, memory[] = {1, m->memory, 1};
    fputs("scenario,variant,protocol,block,launch,query_ns,p99_ns,build_ns,rss_bytes\n", file);
    for (int launch = 0; launch < launches; launch++) {
        for (int i = 0; i < 3; i++) {
            fprintf(file, "s,%s,warm,0,%d,%.17g,1", names[i], launch, 1e6 * noisy(m) * factors[i]);
            if (m->build_ns > 0) {
                fprintf(file, ",%.17g,%.17g\n", m->build_ns * build[i], m->rss_bytes * memory[i]);
            } else {
                fputs(",,\n", file);
            }
        }
    }
}

/** Makes one job in which the new code takes `slowdown` times as long as the old code. */
static bench_against_cells job(machine *m, double slowdown, int launches)
{
    char folder[] = "/tmp/proxbench-time-XXXXXX";
    cr_assert_not_null(mkdtemp(folder));
    FILE *const cells = open_file(folder, "cells.csv");
    fputs("scenario,variant,quantity,status,answers_hash,file,time_p99_ns,time_intrinsic_max_ns,"
          "distance_error_size_mean,distance_error_size_max,volume_error_rel_mean,"
          "volume_error_rel_max,tp_count,tn_count,fp_count,fn_count,violations_count,frames_count,"
          "baseline,below_resolution,build_ns,rss_bytes\n",
          cells);
    for (int i = 0; i < 3; i++) {
        static const char *const labels[] = {"base", "head", "twin"};
        const double build = i == 1 ? m->build : 1, memory = i == 1 ? m->memory : 1;
        fprintf(cells, "s,v@%s,distance,ok,,v_%s,,,,,,,0,0,0,0,0,0,%s,0,%.0f,%.0f\n", labels[i],
                labels[i], i > 0 ? "v@base" : "", m->build_ns * build, m->rss_bytes * memory);
    }
    fclose(cells);
    FILE *const times = open_file(folder, "launches.csv");
    write_launches(m, times, slowdown, launches);
    fclose(times);
    bench_against_cells result;
    assert_ok(bench_against_read(folder, tolerance, &result, ERR));
    cr_assert_eq(result.count, 1);
    static const char *const names[] = {"cells.csv", "launches.csv", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    return result;
}

/** Returns the result of the gate after one job, or after two jobs if the first looks slower. */
static bench_pace gate(machine *m, double slowdown)
{
    bench_against_cells first = job(m, slowdown, LAUNCHES);
    if (first.items[0].pace == BENCH_PACE_SLOWER) {
        bench_against_cells again = job(m, slowdown, LAUNCHES);
        bench_against_confirm(&first, &again);
        bench_against_release(&again);
    }
    const bench_pace pace = first.items[0].pace;
    bench_against_release(&first);
    return pace;
}

/** Counts the machines of 100 with this result. A sweep tries fewer and scales the count to 100. */
static int count(double slowdown, double noise, bench_pace pace)
{
    const size_t step = sweep_step(4);
    int found = 0;
    for (uint64_t seed = 0; seed < 100; seed += step) {
        machine m = {.noise = noise, .random = base_random_seed(seed)};
        found += gate(&m, slowdown) == pace;
    }
    return found * (int)step;
}

Test(gate_time, fires_beyond_the_tolerance_and_never_within)
{
    static const struct {
        double slowdown, noise;
        bench_pace pace;
        int least, most;
    } cases[] = {
        {1.00, 0.01, BENCH_PACE_SLOWER, 0, 0},
        {1.00, 0.10, BENCH_PACE_SLOWER, 0, 0},
        {1.05, 0.01, BENCH_PACE_SLOWER, 0, 2},
        {1.05, 0.05, BENCH_PACE_SLOWER, 0, 2},
        {1.10, 0.01, BENCH_PACE_SLOWER, 95, 100},
        {1.25, 0.01, BENCH_PACE_SLOWER, 100, 100},
        {1.25, 0.03, BENCH_PACE_SLOWER, 99, 100},
        {1.50, 0.03, BENCH_PACE_SLOWER, 100, 100},
        {1.25, 0.40, BENCH_PACE_SLOWER, 0, 2}, /* the twin deviates by more than that */
        {1.25, 0.40, BENCH_PACE_CANNOT_TELL, 90, 100},
        {1.00, 0.40, BENCH_PACE_CANNOT_TELL, 100, 100},
        {1.00, 0.01, BENCH_PACE_SAME, 97, 100},
        {1.03, 0.005, BENCH_PACE_WITHIN, 99, 100},
        {0.80, 0.01, BENCH_PACE_FASTER, 100, 100},
        {0.97, 0.005, BENCH_PACE_FASTER, 99, 100}, /* the tolerance applies only to slower code */
        {1.00, 0.01, BENCH_PACE_FASTER, 0, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int found = count(cases[i].slowdown, cases[i].noise, cases[i].pace);
        cr_expect(found >= cases[i].least && found <= cases[i].most,
                  "%g times as long with %g %% of noise: pace %d, %d times of 100",
                  cases[i].slowdown, 100 * cases[i].noise, (int)cases[i].pace, found);
    }
}

Test(gate_time, no_claim_is_finer_than_what_old_shows_against_old)
{
    static const struct {
        double slowdown, twin;
        bench_pace pace;
    } cases[] = {
        {1.15, 1.0, BENCH_PACE_SLOWER},          {1.15, 1.2, BENCH_PACE_CANNOT_TELL},
        {1.15, 1 / 1.2, BENCH_PACE_CANNOT_TELL}, {1.40, 1.2, BENCH_PACE_SLOWER},
        {0.85, 1.0, BENCH_PACE_FASTER},          {0.85, 1.25, BENCH_PACE_CANNOT_TELL},
        {0.85, 0.8, BENCH_PACE_CANNOT_TELL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        machine m = {.noise = 0.01, .random = base_random_seed(i), .twin = cases[i].twin};
        const bench_pace pace = gate(&m, cases[i].slowdown);
        cr_expect_eq(pace, cases[i].pace, "%g times as long, twin %g: pace %d", cases[i].slowdown,
                     cases[i].twin, (int)pace);
    }
}

/** Every region of the table in against.h, and its borders. */
Test(gate_time, words_from_intervals)
{
    static const double up = 1.05, next_up = 1.0500000000000003, less = 1.0499999999999998;
    const struct {
        double lo, hi, twin_lo, twin_hi;
        bench_pace pace;
    } cases[] = {
        {0.99, 1.01, 0.99, 1.01, BENCH_PACE_SAME},
        {1.157, 1.387, 0.8445, 1.213, BENCH_PACE_CANNOT_TELL}, /* looks 28 % slower */
        {1.033, 1.040, 0.998, 1.002, BENCH_PACE_WITHIN},       /* is 4 % slower */
        {1.06, 1.08, 0.99, 1.01, BENCH_PACE_SLOWER},
        {1.06, 1.08, 0.99, 1.07, BENCH_PACE_CANNOT_TELL},
        {1.06, 1.08, 1 / 1.07, 1.00, BENCH_PACE_CANNOT_TELL}, /* in either direction */
        {1.03, 1.08, 0.99, 1.01, BENCH_PACE_CANNOT_TELL},     /* contains the tolerance */
        {0.90, 1.10, 0.99, 1.01, BENCH_PACE_CANNOT_TELL},
        {0.90, 0.97, 0.99, 1.01, BENCH_PACE_FASTER}, /* no tolerance for faster code */
        {0.90, 0.995, 0.99, 1.01, BENCH_PACE_SAME},
        {0.70, 0.80, 0.80, 1.10, BENCH_PACE_CANNOT_TELL},
        {0.70, 0.79, 0.80, 1.10, BENCH_PACE_FASTER},
        {0.99, 1.01, 0.90, 1.00, BENCH_PACE_CANNOT_TELL}, /* noise larger than the tolerance */
        {0.99, 1.01, 1.02, 1.03, BENCH_PACE_SAME},        /* a biased twin */
        {1.01, 1.02, 0.97, 0.98, BENCH_PACE_SAME},
        /* the limits themselves */
        {up, 1.08, 0.99, 1.01, BENCH_PACE_CANNOT_TELL},
        {next_up, 1.08, 0.99, 1.01, BENCH_PACE_SLOWER},
        {1.08, 1.10, 0.99, 1.08, BENCH_PACE_CANNOT_TELL},
        {0.99, up, 0.99, 1.01, BENCH_PACE_SAME},
        {0.99, next_up, 0.99, 1.01, BENCH_PACE_CANNOT_TELL},
        {0.99, 1.01, 0.99, up, BENCH_PACE_SAME},
        {0.99, 1.01, 0.99, next_up, BENCH_PACE_CANNOT_TELL},
        {1.01, 1.02, 1.00, 1.01, BENCH_PACE_SAME},
        {1.0101, 1.02, 1.00, 1.01, BENCH_PACE_WITHIN},
        {1.02, less, 1.00, 1.01, BENCH_PACE_WITHIN},
        {0.90, 0.5, 0.50, 1.00, BENCH_PACE_CANNOT_TELL},
        {0.90, 1, 1, 1, BENCH_PACE_SAME},
        /* nothing is known */
        {NAN, NAN, 0.99, 1.01, BENCH_PACE_UNKNOWN},
        {1.10, 1.20, NAN, NAN, BENCH_PACE_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bench_ratio head = {.lo = cases[i].lo, .hi = cases[i].hi};
        const bench_ratio twin = {.lo = cases[i].twin_lo, .hi = cases[i].twin_hi};
        const bench_pace pace = bench_pace_of(&head, &twin, tolerance);
        cr_expect_eq(pace, cases[i].pace, "[%g, %g], A/A [%g, %g]: pace %d, not %d", cases[i].lo,
                     cases[i].hi, cases[i].twin_lo, cases[i].twin_hi, (int)pace,
                     (int)cases[i].pace);
    }
}

Test(gate_time, noise_is_told_in_per_cent)
{
    static const struct {
        double lo, hi, twin_lo, twin_hi, noise;
    } cases[] = {
        {1.157, 1.387, 0.8445, 1.213, 0.213},
        {0.99, 1.01, 0.80, 1.00, 0.25}, /* 1 / 0.8 */
        {1.00, 1.21, 0.99, 1.01, 0.10}, /* its own half width */
        {NAN, NAN, 1, 1, (double)NAN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bench_ratio head = {.lo = cases[i].lo, .hi = cases[i].hi};
        const bench_ratio twin = {.lo = cases[i].twin_lo, .hi = cases[i].twin_hi};
        const double noise = bench_pace_noise(&head, &twin);
        cr_expect(isnan(cases[i].noise) ? isnan(noise) : fabs(noise - cases[i].noise) < 1e-12,
                  "case %zu: %.17g", i, noise);
    }
}

/**
 * Launches are added because of the width only, independent of the side of 1 on which an interval
 * lies.
 */
Test(gate_time, launches_are_added_for_width_alone)
{
    static const struct {
        double lo, hi, twin_lo, twin_hi;
        size_t launches;
    } cases[] = {
        {0.99, 1.01, 0.99, 1.01, 12},    /* both are narrow enough */
        {1.00, 1.05, 1.00, 1.05, 12},    /* exactly the limit */
        {1.00, 1.1024, 1, 1.01, 48},     /* twice as wide: four times as many */
        {1.00, 1.01, 1 / 1.1024, 1, 48}, /* likewise for old / old */
        {1.50, 1.6536, 1, 1.01, 48},     /* clearly slower: as many */
        {0.50, 0.5512, 1, 1.01, 48},     /* clearly faster: as many */
        {1.00, 1.0501, 1, 1.01, 13},     /* at least one */
        {0.01, 100, 1, 1, 427630},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bench_ratio head = {.lo = cases[i].lo, .hi = cases[i].hi, .launches_count = 12};
        const bench_ratio twin = {.lo = cases[i].twin_lo, .hi = cases[i].twin_hi};
        const size_t launches = bench_against_launches(&head, &twin, tolerance);
        cr_expect_eq(launches, cases[i].launches, "case %zu: %zu", i, launches);
    }
    const bench_ratio none = {.lo = NAN, .hi = NAN, .launches_count = 3};
    cr_expect_eq(bench_against_launches(&none, &none, tolerance), BENCH_AGAINST_LAUNCHES_MIN);
}

/** Returns the results of the gates of time and of noise for one cell. */
static int ask(const bench_against_cells *cells, bool strict, const char *limit,
               bench_gate_report *report)
{
    *report = (bench_gate_report){0};
    bench_against_ask(
        cells, &(bench_against_question){.tolerance = tolerance, .strict = strict, .limit = limit},
        report);
    return bench_gate_exit_status(report);
}

Test(gate_time, noise_fails_only_a_strict_gate)
{
    machine m = {.noise = 0.4, .random = base_random_seed(1)};
    bench_against_cells cells = job(&m, 1.25, LAUNCHES);
    cr_assert_eq(cells.items[0].pace, BENCH_PACE_CANNOT_TELL);
    bench_gate_report report;
    cr_expect_eq(ask(&cells, false, NULL, &report), 0);
    cr_expect_eq(report.finding_count, 1);
    cr_expect_eq(strncmp(report.findings[0].note, "cannot tell (noise ", 19), 0, "%s",
                 report.findings[0].note);
    bench_gate_report_release(&report);
    cr_expect_eq(ask(&cells, true, "time limit of 7 s reached", &report), 6);
    cr_expect_not_null(strstr(report.findings[0].note, "; 12 launches, time limit of 7 s reached"),
                       "%s", report.findings[0].note);
    bench_gate_report_release(&report);
    bench_against_release(&cells);
    /* Results that can be told are told, also with `strict`. */
    m = (machine){.noise = 0.01, .random = base_random_seed(1)};
    cells = job(&m, 1, LAUNCHES);
    cr_expect_eq(ask(&cells, true, "time limit of 7 s reached", &report), 0);
    cr_expect_null(strstr(report.findings[0].note, "limit"), "%s", report.findings[0].note);
    cr_expect_eq(bench_gate_count(&report, BENCH_GATE_NOISE).cases, 1);
    bench_gate_report_release(&report);
    bench_against_release(&cells);
    m = (machine){.noise = 0.01, .random = base_random_seed(1)};
    cells = job(&m, 1, 3);
    cr_expect_eq(ask(&cells, true, NULL, &report), 6, "too few launches tell nothing");
    bench_gate_report_release(&report);
    bench_against_release(&cells);
}

/** "Slower" has priority over "cannot tell". */
Test(gate_time, slower_outranks_noise)
{
    machine m = {.noise = 0.01, .random = base_random_seed(1)};
    bench_against_cells cells = job(&m, 1.5, LAUNCHES);
    bench_gate_report report;
    cr_expect_eq(ask(&cells, true, NULL, &report), 4);
    bench_gate_ask(&report, BENCH_GATE_NOISE, "s", "v");
    bench_gate_note(&report, true, "cannot tell");
    cr_expect_eq(bench_gate_exit_status(&report), 4);
    bench_gate_report_release(&report);
    bench_against_release(&cells);
}

Test(gate_time, a_job_that_does_not_agree_confirms_nothing)
{
    machine m = {.noise = 0.01, .random = base_random_seed(1)};
    bench_against_cells first = job(&m, 1.5, LAUNCHES), again = job(&m, 1.0, LAUNCHES);
    cr_assert_eq(first.items[0].pace, BENCH_PACE_SLOWER);
    bench_against_confirm(&first, &again);
    cr_assert_eq(first.items[0].pace, BENCH_PACE_NOT_CONFIRMED);
    cr_assert(first.items[0].repeated);
    bench_gate_report report = {0};
    bench_against_ask(&first, &(bench_against_question){.tolerance = tolerance}, &report);
    cr_assert_eq(bench_gate_exit_status(&report), 0, "it is told, and no failure");
    cr_assert_eq(report.finding_count, 1);
    bench_gate_report_release(&report);
    cr_assert_eq(ask(&first, true, NULL, &report), 6, "two jobs that do not agree tell nothing");
    bench_gate_report_release(&report);
    bench_against_release(&first);
    bench_against_release(&again);
}

Test(gate_time, a_job_without_the_cell_confirms_nothing)
{
    machine m = {.noise = 0.01, .random = base_random_seed(1)};
    bench_against_cells first = job(&m, 1.5, LAUNCHES), none = {0};
    bench_against_confirm(&first, &none);
    cr_assert_eq(first.items[0].pace, BENCH_PACE_NOT_CONFIRMED);
    bench_against_release(&first);
}

Test(gate_time, slower_is_exit_status_4)
{
    machine m = {.noise = 0.01, .random = base_random_seed(1)};
    bench_against_cells first = job(&m, 1.5, LAUNCHES), again = job(&m, 1.5, LAUNCHES);
    bench_against_confirm(&first, &again);
    cr_assert_eq(first.items[0].pace, BENCH_PACE_SLOWER);
    bench_gate_report report = {0};
    bench_against_ask(&first, &(bench_against_question){.tolerance = tolerance}, &report);
    cr_assert_eq(bench_gate_exit_status(&report), 4);
    bench_gate_report_release(&report);
    bench_against_release(&first);
    bench_against_release(&again);
}

Test(gate_time, too_few_launches_say_nothing)
{
    machine m = {.noise = 0.01, .random = base_random_seed(1)};
    for (int launches = 1; launches <= 6; launches++) {
        bench_against_cells cells = job(&m, 2, launches);
        cr_assert_eq(cells.items[0].pace,
                     launches < BENCH_AGAINST_LAUNCHES_MIN ? BENCH_PACE_UNKNOWN : BENCH_PACE_SLOWER,
                     "%d launches", launches);
        bench_against_release(&cells);
    }
}

/* --- Build time and memory ------------------------------------------------------------------- */

/** The new code needs so many times as much; confirmed: in the second job, too. */
static bench_gate_report ask_costs(double build_ns, double build, double rss_bytes, double memory,
                                   bool confirmed)
{
    machine m = {.noise = 0.001,
                 .random = base_random_seed(1),
                 .build_ns = build_ns,
                 .build = build,
                 .rss_bytes = rss_bytes,
                 .memory = memory};
    bench_against_cells first = job(&m, 1, LAUNCHES);
    if (bench_against_is_suspect(&first.items[0])) {
        m.build = confirmed ? build : 1;
        m.memory = confirmed ? memory : 1;
        bench_against_cells again = job(&m, 1, LAUNCHES);
        bench_against_confirm(&first, &again);
        bench_against_release(&again);
    }
    bench_gate_report report = {0};
    bench_against_ask(&first, &(bench_against_question){.tolerance = tolerance}, &report);
    bench_against_release(&first);
    return report;
}

Test(gate_time, builds_and_memory_are_judged_as_times_are)
{
    static const struct {
        double build_ns, build, rss_bytes, memory;
        bool confirmed;
        int asked, failed_build, failed_memory, exit_status;
    } cases[] = {
        {2e6, 1, 1e8, 1, true, 2, 0, 0, 0},
        {2e6, 1.04, 1e8, 1.04, true, 2, 0, 0, 0}, /* within the tolerance */
        {2e6, 2, 1e8, 1, true, 2, 1, 0, 4},
        {2e6, 2, 1e8, 1, false, 2, 0, 0, 0}, /* not confirmed */
        {2e6, 1, 1e8, 1.3, true, 2, 0, 1, 4},
        {2e6, 1, 1e8, 1.3, false, 2, 0, 0, 0},
        {2e6, 0.5, 1e8, 0.5, true, 2, 0, 0, 0}, /* better is no failure */
        {4e5, 2, 1e8, 1, true, 1, 0, 0, 0},     /* below a millisecond there is no check */
        {6e5, 2, 1e8, 1, true, 2, 1, 0, 4},     /* the new code exceeds a millisecond */
        {2e6, 1, 1e6, 1.2, true, 2, 0, 0, 0},   /* 200 kB are less than 256 KiB */
        {2e6, 1, 1e6, 1.3, true, 2, 0, 1, 4},
        {0, 1, 0, 1, true, 0, 0, 0, 0}, /* a run without these values */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED_GATE_REPORT report = ask_costs(cases[i].build_ns, cases[i].build, cases[i].rss_bytes,
                                              cases[i].memory, cases[i].confirmed);
        const bench_gate_tally build = bench_gate_count(&report, BENCH_GATE_BUILD);
        const bench_gate_tally memory = bench_gate_count(&report, BENCH_GATE_MEMORY);
        cr_expect_eq(build.cases + memory.cases, (size_t)cases[i].asked, "case %zu: %zu asked", i,
                     build.cases + memory.cases);
        cr_expect_eq(build.failed, (size_t)cases[i].failed_build, "case %zu", i);
        cr_expect_eq(memory.failed, (size_t)cases[i].failed_memory, "case %zu", i);
        cr_expect_eq(bench_gate_exit_status(&report), cases[i].exit_status, "case %zu", i);
    }
}

/**
 * The sentence of a failure contains the ratio in per cent and its interval.
 */
Test(gate_time, a_sentence_says_how_much)
{
    bench_gate_report report = ask_costs(2e6, 2, 1e8, 1.25, true);
    cr_assert_eq(report.finding_count, 3);
    cr_expect_str_eq(report.findings[1].sentence, "takes 100 % longer to build (100 to 100)");
    cr_expect_str_eq(report.findings[2].sentence, "needs 25 % more memory (25 to 25)");
    bench_gate_report_release(&report);
    machine m = {.noise = 0, .random = base_random_seed(1)};
    bench_against_cells cells = job(&m, 1.5, LAUNCHES);
    cr_expect_eq(ask(&cells, false, NULL, &report), 4);
    cr_expect_str_eq(report.findings[0].sentence, "is 50 % slower (50 to 50)");
    bench_gate_report_release(&report);
    bench_against_release(&cells);
}
