/** Tests that algorithms that are slow on purpose are slow by the stated percentage. Measures CPU
 * time. */
#include "algorithms/faulty/faulty.h"
#include "algorithms/tests/pair.h"

#include <stdio.h>
#include <stdlib.h>

enum { REPEATS = 201, TRIES = 3 };

/** Returns the CPU time of a query, without that of reading the clock. */
static double time_query(const pair *p, const geo_pose *pose)
{
    const uint64_t start_ns = faulty_cpu_ns();
    pair_ask(p, pose);
    return (double)(faulty_cpu_ns() - start_ns) - (double)faulty_cpu_clock_cost_ns();
}

static int compare_ratios(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/** Two bodies and a pose at which they are disjoint. The ball is fine, so that clock readings are
 * short relative to a query. */
typedef struct bench {
    geo_mesh cube, ball;
    geo_pose pose;
} bench;

static bench bench_open(void)
{
    return (bench){shape_cube((vec3){0, 0, 0}, 1), shape_ball((vec3){0, 0, 0}, 0.5, 2),
                   shape_shift(2.4, 0.1, 0.2)};
}

static void bench_close(bench *b)
{
    geo_mesh_release(&b->cube);
    geo_mesh_release(&b->ball);
}

/** Returns the median ratio of the times of successive queries with and without the fault. */
static double slowdown(const bench *b, const char *fault)
{
    pair good = pair_open("faulty", &b->cube, &b->ball, ALG_WANT_DISTANCE);
    pair slow = pair_open(fault, &b->cube, &b->ball, ALG_WANT_DISTANCE);
    double ratios[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        const double first_ns = i % 2 ? time_query(&good, &b->pose) : 0;
        const double slow_ns = time_query(&slow, &b->pose);
        ratios[i] = slow_ns / (first_ns > 0 ? first_ns : time_query(&good, &b->pose));
    }
    qsort(ratios, REPEATS, sizeof *ratios, compare_ratios);
    pair_close(&good);
    pair_close(&slow);
    return ratios[REPEATS / 2];
}

/** Checks the slowdown. The test has no result on a machine where two equal algorithms differ by
 * more than a quarter of the slack. */
static void check_slow(const bench *b, unsigned percent)
{
    const double share = percent / 100.0, slack = 0.02 + 0.1 * share;
    double noise = 0, ratio = 0;
    char fault[32];
    snprintf(fault, sizeof fault, "faulty:fault=slow-%u", percent);
    for (int i = 0; i < TRIES; i++) {
        noise = fmax(noise, fabs(slowdown(b, "faulty") - 1));
        ratio = slowdown(b, fault);
        if (fabs(ratio - 1 - share) <= slack) {
            return;
        }
        noise = fmax(noise, fabs(slowdown(b, "faulty") - 1));
    }
    if (noise > slack / 4) {
        cr_skip_test("cannot tell: noise %.1f %%", 100 * noise);
    }
    cr_assert_fail("%s: %.4f", fault, ratio);
}

Test(slow_faulty, slow_ones_are_slow_by_what_they_say)
{
    bench b = bench_open();
    static const unsigned percents[] = {5, 10, 25, 50};
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
        check_slow(&b, percents[i]);
    }
    bench_close(&b);
}

/** CPU time of other processes is not counted, so this test does not need an idle machine. */
Test(slow_faulty, slow_once_takes_50_ms_at_its_frame)
{
    enum { FRAMES = 12, FRAME = 5 };
    bench b = bench_open();
    pair once = pair_open("faulty:fault=slow-once,frame=5", &b.cube, &b.ball, ALG_WANT_DISTANCE);
    for (int pass = 0; pass < 2; pass++) {
        alg_faulty.reset(once.state);
        for (int f = 0; f < FRAMES; f++) {
            const double took_ns = time_query(&once, &b.pose);
            cr_expect_eq(took_ns >= 49e6, f == FRAME, "frame %d: %g ns", f, took_ns);
        }
    }
    pair_close(&once);
    bench_close(&b);
}
