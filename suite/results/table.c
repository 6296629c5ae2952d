/** The table of a run, for people. */
#include "suite/results/format.h"
#include "suite/run/run.h"

#include <math.h>

/** One line of the table; both errors are relative to the truth. */
static void print_line(FILE *file, const bench_cell *cell, const bench_summary *s,
                       const char *quantity, double error_mean, double error_max)
{
    fprintf(file, "%-20s %-8s %-28s %8s %8s %8s %10s %10s %10llu  %s%s%s\n", cell->scenario,
            quantity, cell->name, bench_time_text(s->time_mean_ns).text,
            bench_time_text(s->time_intrinsic_max_ns).text, bench_time_text(s->time_max_ns).text,
            bench_percent_text(error_mean).text, bench_percent_text(error_max).text,
            (unsigned long long)(cell->build[0].info.primitives + cell->build[1].info.primitives),
            bench_status_name(cell->status), *cell->detail ? ": " : "", cell->detail);
}

/** Of the frames with a verdict, the share with a wrong one; NaN without any. */
static double wrong_verdicts(const bench_summary *s)
{
    const uint64_t wrong = s->verdicts[BENCH_FALSE_POSITIVE] + s->verdicts[BENCH_FALSE_NEGATIVE];
    const uint64_t right = s->verdicts[BENCH_TRUE_POSITIVE] + s->verdicts[BENCH_TRUE_NEGATIVE];
    return wrong + right > 0 ? (double)wrong / (double)(wrong + right) : (double)NAN;
}

void bench_table_print(FILE *file, const bench_cell *cell, const bench_summary *s, bool first)
{
    if (first) {
        fprintf(file, "%-20s %-8s %-28s %8s %8s %8s %10s %10s %10s  %s\n", "scenario", "quantity",
                "variant", "mean", "max", "raw max", "error mean", "error max", "primitives",
                "status");
    }
    if (cell->quantities & ALG_WANT_DISTANCE) {
        print_line(file, cell, s, "distance", s->distance_error_rel_mean,
                   s->distance_error_rel_max);
    }
    if (cell->quantities & ALG_WANT_VOLUME) {
        print_line(file, cell, s, "volume", s->volume_error_rel_mean, s->volume_error_rel_max);
    }
    if (cell->quantities & ALG_WANT_CONTACT) {
        print_line(file, cell, s, "contact", wrong_verdicts(s), (double)NAN);
    }
}
