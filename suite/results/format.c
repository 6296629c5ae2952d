#include "suite/results/format.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

bench_number_text bench_time_text(double ns)
{
    static const struct {
        double scale;
        const char *unit;
    } units[] = {
        {1,   "ns"},
        {1e3, "us"},
        {1e6, "ms"},
        {1e9, "s" }
    };
    bench_number_text t = {"-"};
    if (isnan(ns)) {
        return t;
    }
    size_t u = 0;
    while (u + 1 < sizeof units / sizeof *units && ns >= 999.5 * units[u].scale) {
        u++;
    }
    const double value = ns / units[u].scale;
    snprintf(t.text, sizeof t.text, "%.*f %s",
             value < 9.995   ? 2
             : value < 99.95 ? 1
                             : 0,
             value, units[u].unit);
    return t;
}

bench_number_text bench_percent_text(double share)
{
    bench_number_text t = {"-"};
    if (!isnan(share)) {
        snprintf(t.text, sizeof t.text, share != 0 && share < 1e-5 ? "%.1e %%" : "%.3f %%",
                 100 * share);
    }
    return t;
}
