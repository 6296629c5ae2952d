#include "suite/run/estimate.h"

#include <math.h>

/** Seconds of a pass of this kind, from the contestant's own passes; NaN if it has no pass. */
static double own_pass(const bench_effort *e, int kind)
{
    if (e->made[kind] > 0) {
        return e->spent_s[kind] / (double)e->made[kind];
    }
    if (e->made[!kind] > 0) {
        return e->spent_s[!kind] / (double)e->made[!kind];
    }
    return e->begun_share > 0 ? e->begun_s / e->begun_share : (double)NAN;
}

/** Mean over the contestants that have passes; NaN if no contestant has a pass. */
static double mean_pass(const bench_effort *efforts, size_t count, int kind)
{
    double sum = 0, known = 0;
    for (size_t i = 0; i < count; i++) {
        const double pass = own_pass(&efforts[i], kind);
        sum += isnan(pass) ? 0 : pass;
        known += isnan(pass) ? 0 : 1;
    }
    return sum / known;
}

double bench_estimate_left(const bench_effort *efforts, size_t count)
{
    double left_s = 0;
    for (size_t i = 0; i < count; i++) {
        const bench_effort *const e = &efforts[i];
        for (int kind = 0; kind < 2; kind++) {
            const double own = own_pass(e, kind);
            const double pass = isnan(own) ? mean_pass(efforts, count, kind) : own;
            left_s += e->left[kind] > 0 ? pass * (double)e->left[kind] : 0;
        }
        if (e->prepared > 0) {
            left_s += e->prepare_s / (double)e->prepared * (double)e->launches_left;
        }
        left_s -= e->begun_s;
    }
    return left_s < 0 ? 0 : left_s;
}
