/** The tables of one run for people. */
#include "suite/compare/report.h"

#include "suite/results/format.h"

#include <math.h>
#include <string.h>

static bench_report_format style(bool markdown)
{
    return markdown ? BENCH_REPORT_MARKDOWN : BENCH_REPORT_TABLE;
}

/** A ratio with three digits or so, whatever its size. */
static bench_number_text ratio_text(double ratio)
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

static void put_interval(bench_rows *rows, const bench_ratio *r)
{
    if (isnan(r->lo)) {
        bench_rows_put(rows, "-");
    } else {
        bench_rows_put(rows, "%s..%s", ratio_text(r->lo).text, ratio_text(r->hi).text);
    }
}

/** "1.203 slower"; only what is sure has a word behind it. */
static void put_short(bench_rows *rows, const bench_comparison *c)
{
    const bench_number_text ratio = ratio_text(c ? c->ratio.ratio : (double)NAN);
    const char *const word = !c                               ? ""
                             : c->claim == BENCH_CLAIM_FASTER ? " faster"
                             : c->claim == BENCH_CLAIM_SLOWER ? " slower"
                             : c->claim == BENCH_CLAIM_EQUAL  ? " equal"
                                                              : "";
    bench_rows_put(rows, "%7s%s", ratio.text, word);
}

/** The comparison of the same variant at `items` or soon behind it; NULL when there is none. */
static const bench_comparison *find_metric(const bench_comparison *items, size_t count,
                                           bench_metric metric, bool evicted)
{
    for (size_t i = 0; i < count && items[i].variant == items[0].variant; i++) {
        if (items[i].metric == metric && items[i].evicted == evicted) {
            return &items[i];
        }
    }
    return NULL;
}

/** The comparison that the most launches went into; a variant's rather than a twin's. */
static const bench_comparison *find_fullest(const bench_comparison *items, size_t count)
{
    const bench_comparison *fullest = &items[0];
    for (size_t i = 0; i < count; i++) {
        const bool variant = fullest->variant->twin && !items[i].variant->twin;
        const bool twin = items[i].variant->twin && !fullest->variant->twin;
        if (variant || (!twin && items[i].ratio.launches_count > fullest->ratio.launches_count)) {
            fullest = &items[i];
        }
    }
    return fullest;
}

/** What the intervals of a scenario rest on: its comparisons are `items`. */
static void print_launches(const char *scenario, const bench_comparison *items, size_t count,
                           bool markdown, FILE *file)
{
    fprintf(file, "%s%s", markdown ? "### " : "", scenario);
    if (count == 0) {
        fputs(": nothing to compare\n", file);
        return;
    }
    const bench_comparison *const fullest = find_fullest(items, count);
    bool one_baseline = true;
    for (size_t i = 0; i < count; i++) {
        one_baseline =
            one_baseline && (items[i].variant->twin || items[i].baseline == fullest->baseline);
    }
    const size_t launches = fullest->ratio.launches_count;
    if (one_baseline) {
        fprintf(file, ", against '%s'", fullest->baseline->variant);
    }
    fprintf(file, ": %zu launch%s, ", launches, launches == 1 ? "" : "es");
    if (isnan(fullest->ratio.lo)) {
        fprintf(file, "too few for intervals (%.0f are needed)", ceil(log2(2 / fullest->alpha)));
    } else {
        fprintf(file, "each interval at %.4g %%", 100 * fullest->ratio.level);
    }
    fputs(markdown ? "\n\n" : "\n", file);
}

/** A variant's row; `launches`: what the heading says. */
static void put_variant(bench_rows *rows, const bench_comparison *items, size_t count,
                        size_t launches)
{
    const bench_comparison *const c = &items[0];
    const size_t own = c->ratio.launches_count;
    char claim[64], fewer[48] = "";
    bench_claim_text(c, claim, sizeof claim);
    if (own > 0 && own != launches) {
        snprintf(fewer, sizeof fewer, " (%zu launch%s)", own, own == 1 ? "" : "es");
    }
    bench_rows_put(rows, "%s", c->variant->variant);
    bench_rows_put(rows, "%7s", ratio_text(c->ratio.ratio).text);
    put_interval(rows, &c->ratio);
    put_interval(rows, &c->twin);
    bench_rows_put(rows, "%s%s", claim, fewer);
    put_short(rows, find_metric(c, count, BENCH_METRIC_P99, false));
    put_short(rows, find_metric(c, count, BENCH_METRIC_QUERY, true));
}

static base_status print_ratios(const char *scenario, const bench_comparison *items, size_t count,
                                bool markdown, FILE *file, base_error *err)
{
    static const char *const header[] = {"variant", "   warm", "interval", "A/A",
                                         "verdict", "    p99", "evicted"};
    bench_rows rows = {.columns = sizeof header / sizeof *header};
    bench_report_header(&rows, header);
    bool only_twins = true; /* a twin stands beside all others as A/A already */
    for (size_t i = 0; i < count; i++) {
        only_twins = only_twins && (items[i].variant->twin || items[i].variant->left_out);
    }
    for (size_t i = 0; i < count; i++) {
        const bench_record_cell *const v = items[i].variant;
        if (!v->left_out && (!v->twin || only_twins) && !items[i].evicted &&
            items[i].metric == BENCH_METRIC_QUERY) {
            put_variant(&rows, &items[i], count - i,
                        find_fullest(items, count)->ratio.launches_count);
        }
    }
    print_launches(scenario, items, count, markdown, file);
    if (rows.cell_count == rows.columns) {
        bench_rows_release(&rows);
        return BASE_OK;
    }
    return bench_report_print(&rows, style(markdown), file, err);
}

/* --- Fronts ----------------------------------------------------------------------------------- */

static const char *const error_units[BENCH_ERROR_KINDS] = {"of the size", "of the truth",
                                                           "wrong verdicts"};

/** "on the front, fastest within 1 %" */
static void put_note(bench_rows *rows, const bench_point *p, double tolerance)
{
    char within[64] = "";
    if (p->fastest_within) {
        snprintf(within, sizeof within, ", fastest within %g %%", 100 * tolerance);
    }
    bench_rows_put(rows, "%s%s%s%s", p->on_front ? "on the front" : "not on it", within,
                   p->fastest_exact ? ", fastest exact" : "",
                   p->cell->below_resolution ? " (below resolution)" : "");
}

static void put_error(bench_rows *rows, double error)
{
    bench_rows_put(rows, "%9s", error <= 0 ? "exact" : bench_percent_text(error).text);
}

/** The points of one scenario and kind that are on the front or win. */
static base_status print_front(const bench_point *points, size_t count, double tolerance,
                               bool markdown, FILE *file, base_error *err)
{
    bench_rows rows = {.columns = 5};
    bench_rows_put(&rows, "error against p99");
    bench_rows_put(&rows, "%8s", "p99");
    bench_rows_put(&rows, "%9s", "mean");
    bench_rows_put(&rows, "%9s", "largest");
    bench_rows_put(&rows, "%s (%s)", bench_error_kind_name(points[0].kind),
                   error_units[points[0].kind]);
    bool any_within = false;
    for (size_t i = 0; i < count; i++) {
        const bench_point *const p = &points[i];
        any_within = any_within || p->fastest_within;
        if (p->on_front || p->fastest_within || p->fastest_exact) {
            bench_rows_put(&rows, "%s", p->cell->variant);
            bench_rows_put(&rows, "%8s", bench_time_text(p->time_ns).text);
            put_error(&rows, p->error_mean);
            put_error(&rows, p->error_max);
            put_note(&rows, p, tolerance);
        }
    }
    const base_status status = bench_report_print(&rows, style(markdown), file, err);
    if (!any_within) {
        fprintf(file, "%snone is within %g %% in every frame\n", markdown ? "\n" : "",
                100 * tolerance);
    }
    return status;
}

/* --- All of it -------------------------------------------------------------------------------- */

/** How many of the comparisons at `items` belong to the scenario. */
static size_t comparisons_of(const bench_comparison *items, size_t count, const char *scenario)
{
    size_t own = 0;
    while (own < count && strcmp(items[own].variant->scenario, scenario) == 0) {
        own++;
    }
    return own;
}

static base_status print_fronts(const bench_front *front, size_t *at, const char *scenario,
                                double tolerance, bool markdown, FILE *file, base_error *err)
{
    base_status status = BASE_OK;
    while (status == BASE_OK && *at < front->count &&
           strcmp(front->points[*at].cell->scenario, scenario) == 0) {
        const size_t end = bench_front_group_end(front, *at);
        fputs("\n", file);
        status = print_front(front->points + *at, end - *at, tolerance, markdown, file, err);
        *at = end;
    }
    return status;
}

static bool is_shown(const bench_record *r, size_t first, size_t end)
{
    bool shown = false;
    for (size_t i = first; i < end; i++) {
        shown = shown || !r->cells[i].left_out;
    }
    return shown;
}

base_status bench_report_run(const bench_record *record, const bench_comparisons *list,
                             const bench_front *front, double tolerance, bool markdown, FILE *file,
                             base_error *err)
{
    fputs(
        "Time of variant / time of baseline, in one launch: below 1 is faster. Each frame counts "
        "with its\nmedian over the launch's rounds: warm and evicted are their sum, p99 their 99th "
        "percentile.\nA/A is the baseline against itself. The intervals of a scenario hold "
        "together with 95 %.\n",
        file);
    base_status status = BASE_OK;
    size_t compared = 0, pointed = 0;
    for (size_t first = 0, end; first < record->cell_count && status == BASE_OK; first = end) {
        const char *const scenario = record->cells[first].scenario;
        end = bench_record_scenario_end(record, first);
        const bench_comparison *const items = list->items + compared;
        const size_t count = comparisons_of(items, list->count - compared, scenario);
        compared += count;
        if (!is_shown(record, first, end)) {
            continue;
        }
        fputs("\n", file);
        status = print_ratios(scenario, items, count, markdown, file, err);
        if (status == BASE_OK) {
            status = print_fronts(front, &pointed, scenario, tolerance, markdown, file, err);
        }
    }
    return status;
}
