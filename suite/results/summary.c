/** A cell in numbers. */
#include "suite/run/run.h"

#include "suite/results/stats.h"

#include <math.h>
#include <string.h>

const uint64_t bench_deadlines_ns[BENCH_DEADLINE_COUNT] = {5000000, 1000000, 200000, 100000};

bench_frame_time bench_cell_frame_time(const uint64_t *passes_ns, size_t passes, size_t frame_count,
                                       size_t frame)
{
    enum { PASSES_MAX = 256 };
    uint64_t times[PASSES_MAX];
    geo_assert(passes > 0 && passes <= PASSES_MAX);
    for (size_t p = 0; p < passes; p++) {
        times[p] = passes_ns[p * frame_count + frame];
    }
    bench_stats_sort(times, passes);
    return (bench_frame_time){times[0], bench_stats_percentile(times, passes, 50),
                              times[passes - 1]};
}

/** Mean and maximum of absolute values that are not NaN; NaN when there is none. */
typedef struct tally {
    double sum, max;
    size_t count;
} tally;

static void tally_add(tally *t, double value)
{
    if (!isnan(value)) {
        t->sum += fabs(value);
        t->max = fmax(t->max, fabs(value));
        t->count++;
    }
}

static void tally_end(const tally *t, double *mean, double *max)
{
    *mean = t->count ? t->sum / (double)t->count : (double)NAN;
    *max = t->count ? t->max : (double)NAN;
}

static void summarize_times(const bench_cell *cell, uint64_t *medians, bench_summary *s)
{
    const size_t n = cell->frame_count, first = n > 1 ? 1 : 0;
    uint64_t max = 0, intrinsic = 0;
    for (size_t f = 0; f < n; f++) {
        const bench_frame_time t = bench_cell_frame_time(cell->warm_ns, cell->warm_count, n, f);
        medians[f] = t.median_ns;
        if (f >= first) {
            max = t.max_ns > max ? t.max_ns : max;
            intrinsic = t.min_ns > intrinsic ? t.min_ns : intrinsic;
        }
    }
    for (size_t i = 0; i < cell->warm_count * n; i++) {
        for (int d = 0; d < BENCH_DEADLINE_COUNT; d++) {
            s->misses[d] += cell->warm_ns[i] > bench_deadlines_ns[d];
        }
    }
    s->time_cold_ns = (double)medians[0];
    s->time_mean_ns = bench_stats_mean(medians + first, n - first);
    bench_stats_sort(medians + first, n - first);
    s->time_p50_ns = (double)bench_stats_percentile(medians + first, n - first, 50);
    s->time_p95_ns = (double)bench_stats_percentile(medians + first, n - first, 95);
    s->time_p99_ns = (double)bench_stats_percentile(medians + first, n - first, 99);
    s->time_max_ns = (double)max;
    s->time_intrinsic_max_ns = (double)intrinsic;
    if (cell->evicted_count > 0) {
        for (size_t f = 0; f < n; f++) {
            medians[f] =
                bench_cell_frame_time(cell->evicted_ns, cell->evicted_count, n, f).median_ns;
        }
        bench_stats_sort(medians + first, n - first);
        s->time_evicted_p50_ns = (double)bench_stats_percentile(medians + first, n - first, 50);
    }
}

static void summarize_errors(const bench_cell *cell, bench_summary *s)
{
    tally relative = {0}, size = {0}, volume = {0};
    for (size_t f = 0; f < cell->frame_count; f++) {
        const bench_judgement *const j = &cell->judgements[f];
        tally_add(&relative, j->distance_error_rel);
        tally_add(&size, j->distance_error_size);
        tally_add(&volume, j->volume_error_rel);
        s->frames_judged += j->judged;
        s->violations += j->violation;
        s->verdicts[j->verdict]++;
        for (int c = 0; c < ALG_COUNTERS_MAX; c++) {
            s->counter_means[c] += (double)cell->answers[f].counters[c] / (double)cell->frame_count;
        }
    }
    tally_end(&relative, &s->distance_error_rel_mean, &s->distance_error_rel_max);
    tally_end(&size, &s->distance_error_size_mean, &s->distance_error_size_max);
    tally_end(&volume, &s->volume_error_rel_mean, &s->volume_error_rel_max);
}

geo_status bench_summarize(const bench_cell *cell, bench_summary *summary, geo_error *err)
{
    *summary = (bench_summary){
        .time_mean_ns = NAN,
        .time_p50_ns = NAN,
        .time_p95_ns = NAN,
        .time_p99_ns = NAN,
        .time_max_ns = NAN,
        .time_intrinsic_max_ns = NAN,
        .time_cold_ns = NAN,
        .time_evicted_p50_ns = NAN,
        .distance_error_rel_mean = NAN,
        .distance_error_rel_max = NAN,
        .distance_error_size_mean = NAN,
        .distance_error_size_max = NAN,
        .volume_error_rel_mean = NAN,
        .volume_error_rel_max = NAN,
    };
    if (cell->warm_count > 0) {
        uint64_t *const medians = geo_alloc(cell->frame_count, sizeof *medians);
        if (!medians) {
            return geo_fail(err, GEO_ERR_MEMORY, "out of memory for the times of %zu frames",
                            cell->frame_count);
        }
        summarize_times(cell, medians, summary);
        summarize_errors(cell, summary);
        geo_free(medians);
    }
    return GEO_OK;
}
