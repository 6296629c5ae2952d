/** A cell in numbers. */
#include "base/memory.h"
#include "suite/results/stats.h"
#include "suite/run/run.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

const uint64_t bench_deadlines_ns[BENCH_DEADLINE_COUNT] = {5000000, 1000000, 200000, 100000};

bench_frame_time bench_cell_frame_time(const uint64_t *passes_ns, size_t passes, size_t frame_count,
                                       size_t frame)
{
    uint64_t times[BENCH_PASSES_MAX];
    base_assert(passes > 0 && passes <= BENCH_PASSES_MAX);
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

/** The longest run of frames beyond 1 ms in one pass. */
static uint64_t longest_miss_run(const bench_cell *cell)
{
    const uint64_t limit_ns = 1000000;
    uint64_t longest = 0;
    for (size_t p = 0; p < cell->warm_count; p++) {
        uint64_t run = 0;
        for (size_t f = 0; f < cell->frame_count; f++) {
            run = cell->warm_ns[p * cell->frame_count + f] > limit_ns ? run + 1 : 0;
            longest = run > longest ? run : longest;
        }
    }
    return longest;
}

/** 99.9 % of fewer frames is the maximum under another name. */
enum { FRAMES_FOR_P999 = 10000 };

static void summarize_times(const bench_cell *cell, uint64_t *medians, bench_summary *s)
{
    const size_t n = cell->frame_count, first = n > 1 ? 1 : 0;
    uint64_t max = 0, intrinsic = 0;
    for (size_t f = 0; f < n; f++) {
        const bench_frame_time t = bench_cell_frame_time(cell->warm_ns, cell->warm_count, n, f);
        medians[f] = t.median_ns;
        if (f >= first) {
            max = t.max_ns > max ? t.max_ns : max;
            s->slowest_frame = t.min_ns > intrinsic ? f : s->slowest_frame;
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
    s->time_p90_ns = (double)bench_stats_percentile(medians + first, n - first, 90);
    if (n >= FRAMES_FOR_P999) {
        s->time_p999_ns = (double)bench_stats_percentile(medians + first, n - first, 99.9);
    }
    s->miss_run_1ms = longest_miss_run(cell);
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

/** A sum of counts of which some may not be available; NaN then. */
static void add_count(double *sum, uint64_t count)
{
    *sum += count != UINT64_MAX ? (double)count : (double)NAN;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/** Resident memory that a launch gained between the end of its first pass and any later one. */
static uint64_t rss_growth(const bench_cell *cell)
{
    uint64_t growth = 0, begin = 0;
    for (size_t i = 0; i < cell->pass_count; i++) {
        const bench_pass *const pass = &cell->passes[i].pass;
        const bench_pass *const before = i > 0 ? &cell->passes[i - 1].pass : NULL;
        if (!before || before->block != pass->block || before->launch != pass->launch) {
            begin = pass->cost.rss_bytes;
        }
        growth = larger(growth, pass->cost.rss_bytes > begin ? pass->cost.rss_bytes - begin : 0);
    }
    return growth;
}

static void summarize_costs(const bench_cell *cell, bench_summary *s)
{
    const double frames = (double)(cell->warm_count * cell->frame_count);
    double instructions = 0, cycles = 0, cache_misses = 0, allocations = 0, max_clean = NAN;
    for (size_t i = 0; i < cell->pass_count; i++) {
        const bench_pass_row *const row = &cell->passes[i];
        const bench_pass_cost *const cost = &row->pass.cost;
        s->rss_bytes = larger(s->rss_bytes, cost->rss_bytes);
        s->output_bytes = larger(s->output_bytes, cost->output_bytes);
        if (row->pass.protocol != BENCH_WARM_UP) {
            add_count(&allocations, cost->allocations);
            s->contaminated += row->contaminated;
        }
        if (row->pass.protocol == BENCH_WARM) {
            add_count(&instructions, cost->instructions);
            add_count(&cycles, cost->cycles);
            add_count(&cache_misses, cost->cache_misses);
            max_clean = row->contaminated ? max_clean : fmax(max_clean, (double)row->max_ns);
        }
    }
    s->rss_growth_bytes = rss_growth(cell);
    s->allocations = allocations;
    s->time_max_clean_ns = max_clean;
    s->instructions_mean = instructions / frames;
    s->cycles_mean = cycles / frames;
    s->cache_misses_mean = cache_misses / frames;
}

/**
 * Frames too short for the clock: the mean comes from passes that were timed as a whole. Other
 * times of single frames stay, with what reading the clock adds to them.
 */
static double batch_mean_ns(const bench_cell *cell)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < cell->pass_count; i++) {
        const bench_pass *const pass = &cell->passes[i].pass;
        if (pass->batch && pass->protocol == BENCH_WARM) {
            sum += (double)pass->cost.query_ns;
            count += (double)cell->frame_count;
        }
    }
    return sum / count;
}

base_status bench_cell_percentile(const bench_cell *cell, size_t member, double percent,
                                  double *value, base_error *err)
{
    size_t count = 0;
    double *const values = base_alloc(cell->frame_count, sizeof *values);
    *value = NAN;
    if (!values) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the errors of %zu frames",
                         cell->frame_count);
    }
    for (size_t f = 0; f < cell->frame_count; f++) {
        double number;
        memcpy(&number, (const char *)&cell->judgements[f] + member, sizeof number);
        if (!isnan(number)) {
            values[count++] = fabs(number);
        }
    }
    if (count > 0) {
        bench_stats_sort_numbers(values, count);
        *value = bench_stats_percentile_number(values, count, percent);
    }
    base_free(values);
    return BASE_OK;
}

static base_status summarize_percentiles(const bench_cell *cell, bench_summary *s, base_error *err)
{
    const struct {
        size_t member;
        double percent;
        double *value;
    } rows[] = {
        {offsetof(bench_judgement, distance_error_size),         99,  &s->distance_error_size_p99     },
        {offsetof(bench_judgement, volume_error_rel),            99,  &s->volume_error_rel_p99        },
        {offsetof(bench_judgement, distance_bracket_width_size), 50,
         &s->distance_bracket_width_size_p50                                                          },
        {offsetof(bench_judgement, distance_bracket_width_size), 100,
         &s->distance_bracket_width_size_max                                                          },
        {offsetof(bench_judgement, volume_bracket_width_rel),    50,  &s->volume_bracket_width_rel_p50},
        {offsetof(bench_judgement, volume_bracket_width_rel),    100,
         &s->volume_bracket_width_rel_max                                                             },
    };
    base_status status = BASE_OK;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && status == BASE_OK; i++) {
        status = bench_cell_percentile(cell, rows[i].member, rows[i].percent, rows[i].value, err);
    }
    return status;
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
        s->budget_reached += cell->answers[f].outcome == ALG_BUDGET_REACHED;
        for (int c = 0; c < ALG_COUNTERS_MAX; c++) {
            s->counter_means[c] += (double)cell->answers[f].counters[c] / (double)cell->frame_count;
        }
    }
    tally_end(&relative, &s->distance_error_rel_mean, &s->distance_error_rel_max);
    tally_end(&size, &s->distance_error_size_mean, &s->distance_error_size_max);
    tally_end(&volume, &s->volume_error_rel_mean, &s->volume_error_rel_max);
}

base_status bench_summarize(const bench_cell *cell, bench_summary *summary, base_error *err)
{
    *summary = (bench_summary){
        .time_mean_ns = NAN,
        .time_p50_ns = NAN,
        .time_p95_ns = NAN,
        .time_p99_ns = NAN,
        .time_max_ns = NAN,
        .time_intrinsic_max_ns = NAN,
        .time_cold_ns = NAN,
        .time_p90_ns = NAN,
        .time_p999_ns = NAN,
        .time_max_clean_ns = NAN,
        .allocations = NAN,
        .instructions_mean = NAN,
        .cycles_mean = NAN,
        .cache_misses_mean = NAN,
        .time_evicted_p50_ns = NAN,
        .distance_error_rel_mean = NAN,
        .distance_error_rel_max = NAN,
        .distance_error_size_mean = NAN,
        .distance_error_size_max = NAN,
        .volume_error_rel_mean = NAN,
        .volume_error_rel_max = NAN,
        .distance_error_size_p99 = NAN,
        .volume_error_rel_p99 = NAN,
        .distance_bracket_width_size_p50 = NAN,
        .distance_bracket_width_size_max = NAN,
        .volume_bracket_width_rel_p50 = NAN,
        .volume_bracket_width_rel_max = NAN,
    };
    if (cell->pass_count > 0) {
        summarize_errors(cell, summary);
        summarize_costs(cell, summary);
        const base_status status = summarize_percentiles(cell, summary, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    if (cell->warm_count > 0) {
        uint64_t *const medians = base_alloc(cell->frame_count, sizeof *medians);
        if (!medians) {
            return base_fail(err, BASE_ERR_MEMORY, "out of memory for the times of %zu frames",
                             cell->frame_count);
        }
        summarize_times(cell, medians, summary);
        if (cell->below_resolution) {
            summary->time_mean_ns = batch_mean_ns(cell);
        }
        base_free(medians);
    }
    return BASE_OK;
}
