#include "suite/results/hidden_work.h"

#include "base/memory.h"
#include "suite/results/stats.h"

#include <math.h>

/* --- Rule ------------------------------------------------------------------------------------- */

/**
 * Returns the ratio as evidence: 0 if the time is too short to be evidence, NaN if the launch has
 * no such ratio.
 */
static double evidence(double ratio, double time_ns, double least_ns)
{
    return time_ns < least_ns ? 0 : ratio;
}

/**
 * Like evidence, for ratios measured in each pass: 0 if there is only one pass, because it may have
 * been disturbed.
 */
static double repeated(const bench_launch_work *l, double ratio, double time_ns, double least_ns)
{
    return l->timed_passes == 1 ? 0 : evidence(ratio, time_ns, least_ns);
}

static double first_ratio(const bench_launch_work *l)
{
    const double sums = l->first_ns / l->later_ns, medians = l->first_p50_ns / l->later_p50_ns;
    return isnan(sums) || isnan(medians) ? (double)NAN : fmin(sums, medians);
}

/** noted: a larger ratio gives a note. honest: the largest honest ratio. */
static bench_hidden grade(double ratio, double noted, double honest)
{
    return ratio > BENCH_HIDDEN_FACTOR * honest ? BENCH_HIDDEN_WRONG
           : ratio > noted                      ? BENCH_HIDDEN_NOTE
                                                : BENCH_HIDDEN_NOTHING;
}

/**
 * Stores a finding if it is worse than the previous one. A note gives the measurement; the text of
 * a wrong cell begins with the conclusion.
 */
static void find(bench_hidden_work *work, bench_hidden verdict, const char *conclusion,
                 const char *before, double ratio, const char *after)
{
    char number[32];
    if (verdict <= work->verdict) {
        return;
    }
    snprintf(number, sizeof number, ratio < 99.5 ? "%.3g" : "%.0f", ratio);
    work->verdict = verdict;
    snprintf(work->text, sizeof work->text, "%s%s%s %s times %s",
             verdict == BENCH_HIDDEN_WRONG ? conclusion : "",
             verdict == BENCH_HIDDEN_WRONG ? ": " : "", before, number, after);
}

bench_hidden_work bench_hidden_work_judge(const bench_launch_work *launches, size_t count,
                                          size_t frames, uint64_t threads)
{
    bench_hidden_work work = {
        .first_ratio = NAN, .reset_ns = NAN, .reset_ratio = NAN, .other_ratio = NAN};
    double first = NAN, reset = NAN, other = NAN; /* minimum over the launches; NaN values are
                                                     ignored */
    const double least_first_ns = frames < BENCH_FIRST_FRAMES ? (double)INFINITY : BENCH_FIRST_NS;
    work.threads = threads;
    for (size_t i = 0; i < count; i++) {
        const bench_launch_work *const l = &launches[i];
        const double ratio = first_ratio(l);
        work.first_ratio = fmin(work.first_ratio, ratio);
        work.reset_ns = fmin(work.reset_ns, l->reset_ns);
        work.reset_ratio = fmin(work.reset_ratio, l->reset_ratio);
        work.other_ratio = fmin(work.other_ratio, l->other_ratio);
        first = fmin(first, evidence(ratio, l->first_ns, least_first_ns));
        reset = fmin(reset, repeated(l, l->reset_ratio, l->reset_ns, BENCH_RESET_NS));
        other = fmin(other, repeated(l, l->other_ratio, l->other_ns, BENCH_OTHER_NS));
    }
    /* Faster later passes accompany both other kinds of work, which are more specific. So they are
     * checked last: a finding of equal severity does not replace an earlier one. */
    find(&work, grade(other, BENCH_OTHER_NOTED, BENCH_OTHER_RATIO),
         "work is done beside the queries", "each other thread or process uses", other,
         "the time of the queries");
    find(&work, grade(reset, BENCH_RESET_NOTED, BENCH_RESET_RATIO), "work is done in reset",
         "reset takes", reset, "as long as all queries of its pass");
    find(&work, grade(first, BENCH_FIRST_NOTED, BENCH_FIRST_RATIO),
         "answers are remembered or work is left out", "later passes are", first,
         "faster than the first");
    return work;
}

/* --- Passes of a cell ------------------------------------------------------------------------- */

/** Returns the smaller of the times of all frames and the CPU time of the querying thread. */
static double busy_ns(const bench_pass_row *row)
{
    return fmin((double)row->frames_ns, (double)row->pass.cost.cpu_ns);
}

/**
 * Returns the time of all queries between the ends of two passes, including a pass timed as a
 * whole.
 */
static double asked_ns(const bench_pass_row *row)
{
    return (double)row->frames_ns + (row->pass.batch ? (double)row->pass.cost.query_ns : 0);
}

static double p50_ns(const bench_pass_row *row)
{
    return (double)row->p50_ns;
}

static double reset_ns(const bench_pass_row *row)
{
    return (double)row->pass.cost.reset_ns;
}

static double reset_ratio(const bench_pass_row *row)
{
    return (double)row->pass.cost.reset_ns / (double)row->frames_ns;
}

/**
 * Returns the nearest-rank median over the passes whose protocol is in the mask; NaN if there is no
 * such pass. values: buffer for `count` numbers.
 */
static double median(const bench_pass_row *rows, size_t count, unsigned protocols,
                     double (*value_of)(const bench_pass_row *), double *values)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (protocols & 1u << rows[i].pass.protocol) {
            values[n++] = value_of(&rows[i]);
        }
    }
    bench_stats_sort_numbers(values, n);
    return n > 0 ? bench_stats_percentile_number(values, n, 50) : (double)NAN;
}

/** Measures the passes of one launch. The first row is its first pass. */
static bench_launch_work look_at(const bench_pass_row *rows, size_t count, uint64_t others,
                                 double *values)
{
    const unsigned warm = 1u << BENCH_WARM, timed = warm | 1u << BENCH_EVICTED;
    bench_launch_work l = {
        .first_ns = busy_ns(rows),
        .later_ns = median(rows + 1, count - 1, warm, busy_ns, values),
        .first_p50_ns = p50_ns(rows),
        .later_p50_ns = median(rows + 1, count - 1, warm, p50_ns, values),
        .reset_ns = median(rows, count, timed, reset_ns, values),
        .reset_ratio = median(rows, count, timed, reset_ratio, values),
        .other_ns = NAN,
        .other_ratio = NAN,
    };
    for (size_t i = 0; i < count; i++) {
        const double used_ns = (double)rows[i].pass.cost.other_cpu_ns;
        const double ratio = used_ns / asked_ns(&rows[i]) / (double)others;
        if (timed & 1u << rows[i].pass.protocol) {
            l.timed_passes++;
            if (!(ratio >= l.other_ratio)) {
                l.other_ns = used_ns;
                l.other_ratio = ratio;
            }
        }
    }
    return l;
}

static bool same_launch(const bench_pass_row *a, const bench_pass_row *b)
{
    return a->pass.block == b->pass.block && a->pass.launch == b->pass.launch;
}

base_status bench_hidden_work_of(const bench_cell *cell, bench_hidden_work *work, base_error *err)
{
    const size_t n = cell->pass_count;
    const bench_pass_row *const rows = cell->passes;
    uint64_t threads = 0;
    size_t launches = 0;
    bench_launch_work *const all = base_alloc(n, sizeof *all);
    double *const values = base_alloc(n, sizeof *values);
    if (!all || !values) {
        base_free(all);
        base_free(values);
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu passes", n);
    }
    for (size_t i = 0; i < n; i++) {
        threads = rows[i].pass.cost.threads > threads ? rows[i].pass.cost.threads : threads;
    }
    for (size_t i = 0, count; i < n; i += count) {
        for (count = 1; i + count < n && same_launch(&rows[i], &rows[i + count]); count++) {
        }
        all[launches++] = look_at(&rows[i], count, threads > 2 ? threads - 1 : 1, values);
    }
    *work = bench_hidden_work_judge(all, launches, cell->frame_count, n > 0 ? threads : UINT64_MAX);
    base_free(all);
    base_free(values);
    return BASE_OK;
}
