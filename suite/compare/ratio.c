#include "suite/compare/ratio.h"

#include "base/memory.h"
#include "base/text.h"
#include "suite/results/stats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *bench_metric_name(bench_metric metric)
{
    static const char *const names[BENCH_METRICS] = {"query_ns", "p99_ns"};
    return names[metric];
}

void bench_claim_text(const bench_comparison *c, char *text, size_t size)
{
    static const char *const texts[] = {
        [BENCH_CLAIM_EQUAL] = "within noise",
        [BENCH_CLAIM_FASTER] = "faster",
        [BENCH_CLAIM_SLOWER] = "slower",
        [BENCH_CLAIM_NO_AA] = "not told (no A/A)",
        [BENCH_CLAIM_TOO_FEW] = "too few launches",
        [BENCH_CLAIM_FLOOR] = "floor",
        [BENCH_CLAIM_BELOW_RESOLUTION] = "below resolution",
        [BENCH_CLAIM_NOT_INTERLEAVED] = "not interleaved",
    };
    if (c->claim == BENCH_CLAIM_NOT_OK) {
        snprintf(text, size, "%s", c->variant->status);
    } else if (c->claim == BENCH_CLAIM_BASELINE_NOT_OK) {
        snprintf(text, size, "baseline %s", c->baseline->status);
    } else {
        snprintf(text, size, "%s", texts[c->claim]);
    }
}

bench_number_text bench_ratio_text(double ratio)
{
    bench_number_text t = {"-"};
    if (ratio < 0.00995) {
        snprintf(t.text, sizeof t.text, "%.2g", ratio);
    } else if (!isnan(ratio)) {
        const int digits = ratio < 9.995 ? 3 : ratio < 99.95 ? 2 : ratio < 999.5 ? 1 : 0;
        snprintf(t.text, sizeof t.text, "%.*f", digits, ratio);
    }
    return t;
}

/* --- One ratio -------------------------------------------------------------------------------- */

/** The value of one launch. */
typedef struct unit {
    uint64_t block, launch;
    double value; /* ln(variant / baseline) */
} unit;

static int order_of(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int launch_order(uint64_t block_a, uint64_t launch_a, uint64_t block_b, uint64_t launch_b)
{
    return block_a != block_b ? order_of(block_a, block_b) : order_of(launch_a, launch_b);
}

static double value_of(const bench_launch_row *launch, bench_metric metric)
{
    switch (metric) {
    case BENCH_METRIC_P99:
        return launch->p99_ns;
    case BENCH_METRIC_BUILD:
        return launch->build_ns;
    case BENCH_METRIC_MEMORY:
        return launch->rss_bytes;
    default:
        return launch->query_ns;
    }
}

/**
 * Stores the launches in which both have a value. Returns their number. units: room for the smaller
 * number of launches.
 */
static size_t match_launches(const bench_record *r, const bench_comparison *c,
                             const bench_cell_row *variant, const bench_cell_row *baseline,
                             unit *units)
{
    const bench_launch_row *v = r->launches + variant->first_launch[c->evicted];
    const bench_launch_row *b = r->launches + baseline->first_launch[c->evicted];
    const bench_launch_row *const v_end = v + variant->launch_count[c->evicted];
    const bench_launch_row *const b_end = b + baseline->launch_count[c->evicted];
    size_t count = 0;
    while (v < v_end && b < b_end) {
        const int order = launch_order(v->block, v->launch, b->block, b->launch);
        const double of_v = value_of(v, c->metric), of_b = value_of(b, c->metric);
        if (order == 0 && of_v > 0 && of_b > 0) {
            units[count++] = (unit){v->block, v->launch, log(of_v / of_b)};
        }
        v += order <= 0;
        b += order >= 0;
    }
    return count;
}

/** Keeps the launches that are also in `kept`; both arrays are sorted. Returns the number left. */
static size_t keep_launches(unit *units, size_t count, const unit *kept, size_t kept_count)
{
    size_t left = 0, k = 0;
    for (size_t i = 0; i < count; i++) {
        while (k < kept_count &&
               launch_order(kept[k].block, kept[k].launch, units[i].block, units[i].launch) < 0) {
            k++;
        }
        if (k < kept_count &&
            launch_order(kept[k].block, kept[k].launch, units[i].block, units[i].launch) == 0) {
            units[left++] = units[i];
        }
    }
    return left;
}

static bench_ratio ratio_of(const unit *units, size_t count, double alpha, double *values)
{
    for (size_t i = 0; i < count; i++) {
        values[i] = units[i].value;
    }
    bench_stats_sort_numbers(values, count);
    const bench_sign_interval s = bench_stats_sign_interval(count, alpha);
    return (bench_ratio){
        .ratio = count > 0 ? exp(bench_stats_median(values, count)) : (double)NAN,
        .lo = s.rank > 0 ? exp(values[s.rank - 1]) : (double)NAN,
        .hi = s.rank > 0 ? exp(values[count - s.rank]) : (double)NAN,
        .level = s.level,
        .launches_count = count,
    };
}

/* --- One comparison --------------------------------------------------------------------------- */

/**
 * Returns the baseline's twin. If it has no twin, returns another twin of the scenario, which shows
 * the noise as well. NULL if the scenario has no twin.
 */
static const bench_cell_row *twin_for(const bench_record *r, const bench_cell_row *baseline)
{
    const bench_cell_row *other = NULL;
    for (size_t i = 0; i < r->cell_count; i++) {
        const bench_cell_row *const c = &r->cells[i];
        if (c->twin && strcmp(c->scenario, baseline->scenario) == 0) {
            if (strcmp(c->baseline, baseline->variant) == 0) {
                return c;
            }
            other = c;
        }
    }
    return other;
}

/** True if the cell promises no answer to any quantity that was asked. */
static bool answers_nothing(const bench_cell_row *cell)
{
    bool asked = false;
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        alg_contract contract;
        if (bench_cell_row_contract(cell, (alg_quantity)q, &contract)) {
            asked = true;
            if (contract != ALG_NOT_ANSWERED) {
                return false;
            }
        }
    }
    return asked;
}

static bench_claim claim_of(const bench_comparison *c)
{
    const bench_ratio *const r = &c->ratio, *const aa = &c->twin;
    if (!bench_cell_row_is_ok(c->variant)) {
        return BENCH_CLAIM_NOT_OK;
    }
    if (!bench_cell_row_is_ok(c->baseline)) {
        return BENCH_CLAIM_BASELINE_NOT_OK;
    }
    if (answers_nothing(c->variant) && !answers_nothing(c->baseline)) {
        return BENCH_CLAIM_FLOOR;
    }
    if (r->launches_count == 0) {
        return BENCH_CLAIM_NOT_INTERLEAVED;
    }
    if ((c->variant->below_resolution || c->baseline->below_resolution) &&
        (c->evicted || c->metric == BENCH_METRIC_P99)) {
        return BENCH_CLAIM_BELOW_RESOLUTION;
    }
    if (aa->launches_count == 0) {
        return BENCH_CLAIM_NO_AA;
    }
    if (isnan(r->lo) || isnan(aa->lo)) {
        return BENCH_CLAIM_TOO_FEW;
    }
    const bool within_noise = r->ratio >= aa->lo && r->ratio <= aa->hi;
    if (within_noise || (r->lo <= 1 && r->hi >= 1)) {
        return BENCH_CLAIM_EQUAL;
    }
    return r->hi < 1 ? BENCH_CLAIM_FASTER : BENCH_CLAIM_SLOWER;
}

base_status bench_comparison_measure(const bench_record *record, bench_comparison *c,
                                     base_error *err)
{
    size_t most = 0;
    for (size_t i = 0; i < record->cell_count; i++) {
        const size_t count = record->cells[i].launch_count[c->evicted];
        most = count > most ? count : most;
    }
    unit *const units = base_alloc(2 * most, sizeof *units);
    double *const values = base_alloc(most, sizeof *values);
    base_status status = BASE_OK;
    if (units && values) {
        const size_t count = match_launches(record, c, c->variant, c->baseline, units);
        c->ratio = ratio_of(units, count, c->alpha, values);
        const bench_cell_row *const twin = twin_for(record, c->baseline);
        const bench_cell_row *const copied =
            twin ? bench_record_find(record, twin->scenario, twin->baseline) : NULL;
        unit *const twin_units = units + most;
        size_t twin_count = 0;
        if (copied) {
            twin_count = match_launches(record, c, twin, copied, twin_units);
            twin_count = keep_launches(twin_units, twin_count, units, count);
        }
        c->twin = ratio_of(twin_units, twin_count, c->alpha, values);
        c->claim = claim_of(c);
    } else {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu launches", most);
    }
    base_free(units);
    base_free(values);
    return status;
}

/* --- All comparisons of a run ----------------------------------------------------------------- */

/**
 * Returns the cell that a cell is compared with: its own baseline, or the baseline that the caller
 * asked for; NULL if there is no such cell. A twin keeps its own baseline if the scenario has the
 * one that was asked for.
 */
static const bench_cell_row *baseline_for(const bench_record *r, const bench_cell_row *cell,
                                          const char *asked)
{
    const bench_cell_row *const other = asked ? bench_record_find(r, cell->scenario, asked) : NULL;
    if (asked && (!other || !cell->twin)) {
        return other != cell ? other : NULL;
    }
    return *cell->baseline ? bench_record_find(r, cell->scenario, cell->baseline) : NULL;
}

/** Adds the comparisons of the scenario whose cells are [first, end). */
static base_status add_scenario(const bench_record *r, size_t first, size_t end, const char *asked,
                                bench_comparisons *list, base_error *err)
{
    size_t variants = 0, evicted = 0;
    for (size_t i = first; i < end; i++) {
        variants += !r->cells[i].twin && baseline_for(r, &r->cells[i], asked);
        evicted += r->cells[i].launch_count[1];
    }
    base_status status = BASE_OK;
    for (size_t i = first; i < end; i++) {
        bench_comparison c = {.variant = &r->cells[i],
                              .baseline = baseline_for(r, &r->cells[i], asked),
                              .alpha = BENCH_JOINT_ALPHA / (double)(variants > 0 ? variants : 1)};
        for (int k = 0; c.baseline && k < 2 * BENCH_METRICS && status == BASE_OK; k++) {
            c.evicted = k >= BENCH_METRICS;
            c.metric = (bench_metric)(k % BENCH_METRICS);
            if (c.evicted && evicted == 0) {
                continue;
            }
            status = base_reserve(list->items, list->capacity, list->count + 1, err);
            if (status == BASE_OK) {
                status = bench_comparison_measure(r, &c, err);
                list->items[list->count++] = c;
            }
        }
    }
    return status;
}

static base_status unknown_baseline(const bench_record *r, const char *name, base_error *err)
{
    char near[512] = "";
    const char **const names = base_alloc(r->cell_count + 1, sizeof *names);
    size_t count = 0;
    for (size_t i = 0; names && i < r->cell_count; i++) {
        size_t same = 0;
        while (same < count && strcmp(names[same], r->cells[i].variant) != 0) {
            same++;
        }
        names[count] = r->cells[i].variant;
        count += same == count;
    }
    if (names) {
        names[count] = NULL;
        base_text_near(name, names, near, sizeof near);
    }
    base_free((void *)names);
    return base_fail(err, BASE_ERR_ARGUMENT, "no contestant '%s' in this run%s", name, near);
}

base_status bench_comparisons_make(const bench_record *record, const char *baseline,
                                   bench_comparisons *list, base_error *err)
{
    *list = (bench_comparisons){0};
    bool known = !baseline;
    for (size_t i = 0; i < record->cell_count && !known; i++) {
        known = strcmp(record->cells[i].variant, baseline) == 0;
    }
    if (!known) {
        return unknown_baseline(record, baseline, err);
    }
    base_status status = BASE_OK;
    for (size_t i = 0; i < record->cell_count && status == BASE_OK;) {
        const size_t end = bench_record_scenario_end(record, i);
        status = add_scenario(record, i, end, baseline, list, err);
        i = end;
    }
    if (status != BASE_OK) {
        bench_comparisons_release(list);
    }
    return status;
}

void bench_comparisons_release(bench_comparisons *list)
{
    base_free(list->items);
    *list = (bench_comparisons){0};
}
