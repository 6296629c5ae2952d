/** Variants with a fault in time need the time that they promise. This needs a real clock. */
#include "algorithms/faulty/faulty.h"
#include "algorithms/tests/pair.h"

#include <stdio.h>
#include <stdlib.h>

enum { TRIES = 3 };

/** CPU time of a query in nanoseconds, without the cost of reading the clock. */
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

/** Median of (time with the fault) / (time without) over pairs of neighbouring queries. */
static double slowdown(const geo_mesh *a, const geo_mesh *b, const geo_pose *pose,
                       const char *fault)
{
    enum { REPEATS = 201 };
    pair good = pair_open("faulty", a, b, ALG_WANT_DISTANCE);
    pair slow = pair_open(fault, a, b, ALG_WANT_DISTANCE);
    double ratios[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        const double first_ns = i % 2 ? time_query(&good, pose) : 0;
        const double slow_ns = time_query(&slow, pose);
        ratios[i] = slow_ns / (first_ns > 0 ? first_ns : time_query(&good, pose));
    }
    qsort(ratios, REPEATS, sizeof *ratios, compare_ratios);
    pair_close(&good);
    pair_close(&slow);
    return ratios[REPEATS / 2];
}

/** The largest error of a measured ratio: 2 %, and a tenth of what the fault adds. */
static double slack(double share)
{
    return 0.02 + 0.1 * share;
}

Test(slow_faulty, slow_ones_are_slow_by_what_they_say)
{
    /* A large ball: reading the clock is short beside the query. */
    geo_mesh cube = shape_cube((vec3){0, 0, 0}, 1), ball = shape_ball((vec3){0, 0, 0}, 0.5, 2);
    const geo_pose pose = shape_shift(2.4, 0.1, 0.2);
    static const unsigned percents[] = {5, 10, 25, 50};
    double noise = 0;
    bool right = false;
    for (int attempt = 0; attempt < TRIES && !right; attempt++) {
        right = true;
        for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
            char fault[32];
            snprintf(fault, sizeof fault, "faulty:fault=slow-%u", percents[i]);
            const double ratio = slowdown(&cube, &ball, &pose, fault), share = percents[i] / 100.0;
            right = right && fabs(ratio - 1 - share) <= slack(share);
        }
        noise = fmax(noise, fabs(slowdown(&cube, &ball, &pose, "faulty") - 1));
    }
    geo_mesh_release(&cube);
    geo_mesh_release(&ball);
    if (!right && noise > slack(0)) {
        cr_skip_test("skipped: cannot tell: noise %.1f %%", 100 * noise);
    }
    cr_assert(right, "wrong in %d tries, although the noise is %.1f %%", TRIES, 100 * noise);
}

Test(slow_faulty, one_frame_takes_long)
{
    enum { FRAMES = 12, FRAME = 5 };
    geo_mesh cube = shape_cube((vec3){0, 0, 0}, 1), ball = shape_ball((vec3){0, 0, 0}, 0.5, 1);
    pair once = pair_open("faulty:fault=slow-once,frame=5", &cube, &ball, ALG_WANT_DISTANCE);
    for (int pass = 0; pass < 2; pass++) {
        alg_faulty.reset(once.state);
        for (int f = 0; f < FRAMES; f++) {
            const geo_pose pose = shape_shift(2.4 - 0.1 * f, 0.1, 0.2);
            const double took_ns = time_query(&once, &pose);
            cr_expect_eq(took_ns >= 49e6, f == FRAME, "frame %d: %g ns", f, took_ns);
        }
    }
    pair_close(&once);
    geo_mesh_release(&cube);
    geo_mesh_release(&ball);
}
