/** Does the gate of time fire when it must, and only then? On launches whose times are made up. */
#include "base/random.h"
#include "suite/gate/against.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

TestSuite(gate_time, .timeout = 60);

enum { LAUNCHES = BENCH_AGAINST_LAUNCHES };
static const double tolerance = 0.05;

/** A machine whose launches are off by up to so much. */
typedef struct machine {
    double noise;
    base_random random;
    double twin; /* how long the old code takes in its second copy; 0: as long as in the first */
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
    fputs("scenario,variant,protocol,block,launch,query_ns,p99_ns\n", file);
    for (int launch = 0; launch < launches; launch++) {
        for (int i = 0; i < 3; i++) {
            fprintf(file, "s,%s,warm,0,%d,%.17g,1\n", names[i], launch,
                    1e6 * noisy(m) * factors[i]);
        }
    }
}

/** One job in which the new code takes `slowdown` times as long as the old. */
static bench_against_cells job(machine *m, double slowdown, int launches)
{
    char folder[] = "/tmp/proxbench-time-XXXXXX";
    cr_assert_not_null(mkdtemp(folder));
    FILE *const cells = open_file(folder, "cells.csv");
    fputs("scenario,variant,quantity,status,answers_hash,file,time_p99_ns,time_intrinsic_max_ns,"
          "distance_error_size_mean,distance_error_size_max,volume_error_rel_mean,"
          "volume_error_rel_max,tp_count,tn_count,fp_count,fn_count,violations_count,frames_count,"
          "baseline,below_resolution\n"
          "s,v@base,distance,ok,,v_base,,,,,,,0,0,0,0,0,0,,0\n"
          "s,v@head,distance,ok,,v_head,,,,,,,0,0,0,0,0,0,v@base,0\n"
          "s,v@twin,distance,ok,,v_twin,,,,,,,0,0,0,0,0,0,v@base,0\n",
          cells);
    fclose(cells);
    FILE *const times = open_file(folder, "launches.csv");
    write_launches(m, times, slowdown, launches);
    fclose(times);
    bench_against_cells result;
    base_error err = {0};
    cr_assert_eq(bench_against_read(folder, tolerance, &result, &err), BASE_OK, "%s", err.text);
    cr_assert_eq(result.count, 1);
    static const char *const names[] = {"cells.csv", "launches.csv", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    return result;
}

/** What the gate says after one job, or two where the first looks slower. */
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

static int count(double slowdown, double noise, bench_pace pace)
{
    int found = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        machine m = {noise, base_random_seed(seed), 0};
        found += gate(&m, slowdown) == pace;
    }
    return found;
}

Test(gate_time, fires_beyond_the_tolerance_and_never_within)
{
    static const struct {
        double slowdown, noise;
        bench_pace pace;
        int least, most;
    } cases[] = {
        {1.00, 0.01, BENCH_PACE_SLOWER, 0,   0  },
        {1.00, 0.10, BENCH_PACE_SLOWER, 0,   0  },
        {1.05, 0.01, BENCH_PACE_SLOWER, 0,   2  },
        {1.05, 0.05, BENCH_PACE_SLOWER, 0,   2  },
        {1.10, 0.01, BENCH_PACE_SLOWER, 95,  100},
        {1.25, 0.01, BENCH_PACE_SLOWER, 100, 100},
        {1.25, 0.03, BENCH_PACE_SLOWER, 99,  100},
        {1.50, 0.03, BENCH_PACE_SLOWER, 100, 100},
        {1.25, 0.40, BENCH_PACE_SLOWER, 0,   2  }, /* the twin shows more than that */
        {0.80, 0.01, BENCH_PACE_FASTER, 100, 100},
        {0.98, 0.01, BENCH_PACE_FASTER, 0,   0  },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int found = count(cases[i].slowdown, cases[i].noise, cases[i].pace);
        cr_expect(found >= cases[i].least && found <= cases[i].most,
                  "%g times as long with %g %% of noise: '%s' %d times of 100", cases[i].slowdown,
                  100 * cases[i].noise, bench_pace_name(cases[i].pace), found);
    }
}

Test(gate_time, no_claim_is_finer_than_what_old_shows_against_old)
{
    static const struct {
        double slowdown, twin;
        bench_pace pace;
    } cases[] = {
        {1.15, 1.0,     BENCH_PACE_SLOWER},
        {1.15, 1.2,     BENCH_PACE_SAME  },
        {1.15, 1 / 1.2, BENCH_PACE_SAME  },
        {1.40, 1.2,     BENCH_PACE_SLOWER},
        {0.85, 1.0,     BENCH_PACE_FASTER},
        {0.85, 1.25,    BENCH_PACE_SAME  },
        {0.85, 0.8,     BENCH_PACE_SAME  },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        machine m = {0.01, base_random_seed(i), cases[i].twin};
        const bench_pace pace = gate(&m, cases[i].slowdown);
        cr_expect_eq(pace, cases[i].pace, "%g times as long, twin %g: '%s'", cases[i].slowdown,
                     cases[i].twin, bench_pace_name(pace));
    }
}

Test(gate_time, a_job_that_does_not_agree_confirms_nothing)
{
    machine m = {0.01, base_random_seed(1), 0};
    bench_against_cells first = job(&m, 1.5, LAUNCHES), again = job(&m, 1.0, LAUNCHES);
    cr_assert_eq(first.items[0].pace, BENCH_PACE_SLOWER);
    bench_against_confirm(&first, &again);
    cr_assert_eq(first.items[0].pace, BENCH_PACE_NOT_CONFIRMED);
    cr_assert(first.items[0].repeated);
    bench_gate_report report = {0};
    bench_against_ask(&first, tolerance, &report);
    cr_assert_eq(bench_gate_exit_status(&report), 0, "it is told, and no failure");
    cr_assert_eq(report.finding_count, 1);
    bench_gate_report_release(&report);
    bench_against_release(&first);
    bench_against_release(&again);
}

Test(gate_time, a_job_without_the_cell_confirms_nothing)
{
    machine m = {0.01, base_random_seed(1), 0};
    bench_against_cells first = job(&m, 1.5, LAUNCHES), none = {0};
    bench_against_confirm(&first, &none);
    cr_assert_eq(first.items[0].pace, BENCH_PACE_NOT_CONFIRMED);
    bench_against_release(&first);
}

Test(gate_time, slower_is_exit_status_4)
{
    machine m = {0.01, base_random_seed(1), 0};
    bench_against_cells first = job(&m, 1.5, LAUNCHES), again = job(&m, 1.5, LAUNCHES);
    bench_against_confirm(&first, &again);
    cr_assert_eq(first.items[0].pace, BENCH_PACE_SLOWER);
    bench_gate_report report = {0};
    bench_against_ask(&first, tolerance, &report);
    cr_assert_eq(bench_gate_exit_status(&report), 4);
    bench_gate_report_release(&report);
    bench_against_release(&first);
    bench_against_release(&again);
}

Test(gate_time, too_few_launches_say_nothing)
{
    machine m = {0.01, base_random_seed(1), 0};
    for (int launches = 1; launches <= 6; launches++) {
        bench_against_cells cells = job(&m, 2, launches);
        cr_assert_eq(cells.items[0].pace,
                     launches < BENCH_AGAINST_LAUNCHES_MIN ? BENCH_PACE_UNKNOWN : BENCH_PACE_SLOWER,
                     "%d launches", launches);
        bench_against_release(&cells);
    }
}
