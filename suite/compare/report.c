#include "suite/compare/report.h"

#include "base/memory.h"
#include "suite/compare/builds.h"
#include "suite/message.h"
#include "suite/results/cells.h"
#include "suite/results/reference.h"
#include "suite/results/stats.h"

#include <math.h>
#include <string.h>

/* --- Files of a run --------------------------------------------------------------------------- */

base_status bench_report_ratios(const bench_comparisons *list, bool all, bench_format format,
                                FILE *file, base_error *err)
{
    bench_rows rows;
    bench_columns_begin(bench_compare_columns, &rows);
    for (size_t i = 0; i < list->count; i++) {
        const bench_comparison *const c = &list->items[i];
        if (c->variant->left_out && !all) {
            continue;
        }
        char claim[64];
        bench_claim_text(c, claim, sizeof claim);
        const bench_compare_row row = {
            .scenario = c->variant->scenario,
            .variant = c->variant->variant,
            .baseline = c->baseline->variant,
            .metric = bench_metric_name(c->metric),
            .protocol = bench_protocol_name(c->evicted ? BENCH_EVICTED : BENCH_WARM),
            .verdict = claim,
            .file = c->variant->file,
            .ratio = c->ratio.ratio,
            .lo = c->ratio.lo,
            .hi = c->ratio.hi,
            .level = c->ratio.level,
            .aa_lo = c->twin.lo,
            .aa_hi = c->twin.hi,
            .launches = c->ratio.launches_count};
        bench_columns_add(bench_compare_columns, &row, &rows);
    }
    return bench_rows_finish(&rows, format, file, err);
}

/**
 * Sets a 95 % interval of the launches' own 99th percentiles, widened so that it contains that of
 * the cell. A launch has fewer rounds than the cell, so its percentile is larger if the machine was
 * disturbed. Both ends are measured times.
 */
static base_status find_interval(const bench_record *record, const bench_cell_row *cell,
                                 bench_pareto_row *row, base_error *err)
{
    const size_t count = cell->launch_count[0];
    double *const values = base_alloc(count + 1, sizeof *values);
    if (!values) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        values[i] = record->launches[cell->first_launch[0] + i].p99_ns;
    }
    bench_stats_sort_numbers(values, count);
    const size_t rank = bench_stats_sign_interval(count, BENCH_JOINT_ALPHA).rank;
    row->time_p99_lo_ns = rank > 0 ? fmin(values[rank - 1], row->time_p99_ns) : (double)NAN;
    row->time_p99_hi_ns = rank > 0 ? fmax(values[count - rank], row->time_p99_ns) : (double)NAN;
    base_free(values);
    return BASE_OK;
}

/**
 * Prints pareto.csv: all points except those whose truth is 0 in every frame. The record must have
 * its launches.
 */
static base_status print_pareto(const bench_record *record, const bench_front *front, FILE *file,
                                base_error *err)
{
    bench_rows rows;
    bench_columns_begin(bench_pareto_columns, &rows);
    for (size_t i = 0; i < front->count; i++) {
        const bench_point *const p = &front->points[i];
        char tolerance[BENCH_TOLERANCE_BYTES];
        const bench_limit *const limit = &p->tolerance.limits[0];
        if (p->state == BENCH_POINT_TRUTH_ZERO) {
            continue;
        }
        bench_tolerance_describe(&p->tolerance, tolerance);
        bench_pareto_row row = {
            .scenario = p->cell->scenario,
            .quantity = alg_quantity_names[p->quantity],
            .variant = p->cell->variant,
            .file = p->cell->file,
            .time_p99_ns = p->time_ns,
            .error_mean = bench_cell_row_limited(p->cell, p->quantity, limit, BENCH_MEAN),
            .error_max = bench_cell_row_limited(p->cell, p->quantity, limit, BENCH_MAX),
            .on_front = p->on_front,
            .fastest_within = p->fastest_within,
            .fastest_exact = p->fastest_exact,
            .below_resolution = p->cell->below_resolution,
            .unjudged_faster = p->unjudged_faster,
            .judged = p->state == BENCH_POINT_JUDGED,
            .error = limit->error != BENCH_NO_ERROR ? bench_errors[limit->error].name : "verdict",
            .tolerance = tolerance,
            .within = p->within,
            .within_share = p->cell->within[p->quantity],
            .best_ratio = p->best_ratio,
            .best_share = p->best_share,
        };
        const base_status status = find_interval(record, p->cell, &row, err);
        if (status != BASE_OK) {
            bench_rows_release(&rows);
            return status;
        }
        bench_columns_add(bench_pareto_columns, &row, &rows);
    }
    return bench_rows_finish(&rows, BENCH_FORMAT_CSV, file, err);
}

/** The content of a file; exactly one of ratios, front and builds is set. */
typedef struct contents {
    const bench_record *record;
    const bench_comparisons *ratios;
    const bench_front *front;
    const bench_build_ratios *builds;
} contents;

/** Writes RUN/compare.csv, RUN/pareto.csv or RUN/build_ratios.csv. */
static void keep(const char *run, const char *name, const contents *c)
{
    char path[BENCH_RUN_PATH_BYTES];
    base_error err = {0};
    bench_output output;
    base_status status = bench_run_file(run, path, &err, "%s", name);
    if (status == BASE_OK) {
        status = bench_output_open(path, &output, &err);
    }
    if (status == BASE_OK) {
        status = c->ratios
                     ? bench_report_ratios(c->ratios, true, BENCH_FORMAT_CSV, output.file, &err)
                 : c->front ? print_pareto(c->record, c->front, output.file, &err)
                            : bench_build_ratios_write(c->builds, output.file, &err);
        status = bench_output_close(&output, status, &err);
    }
    if (status != BASE_OK) {
        bench_warn("%s", err.text);
    }
}

base_status bench_comparison_keep(const char *run, const bench_record *record, double tolerance,
                                  const bench_comparisons *list, base_error *err)
{
    bench_front front;
    const base_status status = bench_front_make(record, tolerance, &front, err);
    if (status == BASE_OK) {
        keep(run, "compare.csv", &(contents){.ratios = list});
        keep(run, "pareto.csv", &(contents){.record = record, .front = &front});
        bench_build_ratios builds;
        base_error invalid = {0};
        /* Runs of older versions have no build_launches.csv. */
        if (bench_build_ratios_make(run, &builds, &invalid) != BASE_OK) {
            bench_warn("%s", invalid.text);
        } else if (builds.launches.columns > 0) {
            keep(run, "build_ratios.csv", &(contents){.builds = &builds});
        }
        bench_build_ratios_release(&builds);
        bench_front_release(&front);
    }
    return status;
}

/* --- The cells of a run ----------------------------------------------------------------------- */

/**
 * True for a column of numbers in cells.csv. Columns that only this run has are means of counters.
 */
static bool is_number(const char *column)
{
    const bench_columns cells = bench_cells_columns();
    for (size_t i = 0; i < cells.count; i++) {
        if (strcmp(column, cells.items[i].name) == 0) {
            return cells.items[i].kind >= BENCH_KIND_FLAG;
        }
    }
    return true;
}

static base_status print_table(const bench_record *record, FILE *file, base_error *err)
{
    bench_table table;
    bench_table_begin(&table);
    for (size_t i = 0; i < record->cell_count; i++) {
        if (!record->cells[i].left_out) {
            bench_table_scenario(&table, record->cells[i].scenario);
            bench_table_variant(&table, record->cells[i].variant, false);
        }
    }
    for (size_t i = 0; i < record->cell_count; i++) {
        unsigned quantities = 0;
        const base_status status =
            bench_quantities_parse(record->cells[i].quantity, &quantities, err);
        if (status != BASE_OK) {
            return status;
        }
        if (!record->cells[i].left_out) {
            bench_table_print(file, &table, quantities, &record->cells[i]);
        }
    }
    return BASE_OK;
}

base_status bench_report_cells(const bench_record *record, bench_format format, FILE *file,
                               base_error *err)
{
    if (!bench_format_is_for_scripts(format)) {
        return print_table(record, file, err);
    }
    const base_csv *const table = &record->cell_table;
    bench_rows rows = {.columns = table->columns};
    for (size_t c = 0; c < table->columns; c++) {
        bench_rows_put(&rows, "%s", table->cells[c]);
    }
    for (size_t r = 0; r < table->rows; r++) {
        for (size_t c = 0; c < table->columns && !record->cells[r].left_out; c++) {
            const char *const text = base_csv_text(table, r, (int)c);
            if (is_number(table->cells[c])) {
                bench_rows_put_digits(&rows, text ? text : "");
            } else {
                bench_rows_put(&rows, "%s", text ? text : "");
            }
        }
    }
    return bench_rows_finish(&rows, format, file, err);
}

/* --- One run, for people ---------------------------------------------------------------------- */

/** The output file and its format. */
typedef struct page {
    FILE *file;
    bench_format format; /* a table or Markdown */
} page;

static bool is_markdown(const page *out)
{
    return out->format == BENCH_FORMAT_MARKDOWN;
}

static void put_interval(bench_rows *rows, const bench_ratio *r)
{
    if (isnan(r->lo)) {
        bench_rows_put(rows, "-");
    } else {
        bench_rows_put(rows, "%s..%s", bench_ratio_text(r->lo).text, bench_ratio_text(r->hi).text);
    }
}

/** Puts a ratio such as "1.203 slower". Only a certain verdict is appended. */
static void put_short(bench_rows *rows, const bench_comparison *c)
{
    const bench_number_text ratio = bench_ratio_text(c ? c->ratio.ratio : (double)NAN);
    const char *const word = !c                               ? ""
                             : c->claim == BENCH_CLAIM_FASTER ? " faster"
                             : c->claim == BENCH_CLAIM_SLOWER ? " slower"
                             : c->claim == BENCH_CLAIM_EQUAL  ? " within noise"
                                                              : "";
    bench_rows_put(rows, "%7s%s", ratio.text, word);
}

/** Returns the comparison of the variant of items[0] in another metric or protocol, or NULL. */
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

/**
 * Returns the comparison with the most launches; one of a variant is preferred to one of a twin.
 */
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

/** Prints the scenario, the baseline and the number of launches on which its intervals rest. */
static void print_launches(const char *scenario, const bench_comparison *items, size_t count,
                           const page *out)
{
    FILE *const file = out->file;
    fprintf(file, "%s%s", is_markdown(out) ? "### " : "", scenario);
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
        fprintf(file, "too few for intervals (%zu are needed)",
                bench_stats_launches_needed(fullest->alpha));
    } else {
        fprintf(file, "each interval at %.4g %%", 100 * fullest->ratio.level);
    }
    fputs(is_markdown(out) ? "\n\n" : "\n", file);
}

/** Puts a variant's row. launches: the number in the heading. */
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
    bench_rows_put(rows, "%7s", bench_ratio_text(c->ratio.ratio).text);
    put_interval(rows, &c->ratio);
    put_interval(rows, &c->twin);
    bench_rows_put(rows, "%s%s", claim, fewer);
    put_short(rows, find_metric(c, count, BENCH_METRIC_P99, false));
    put_short(rows, find_metric(c, count, BENCH_METRIC_QUERY, true));
}

static base_status print_ratios(const char *scenario, const bench_comparison *items, size_t count,
                                const page *out, base_error *err)
{
    static const char *const header[] = {"variant", "   warm", "interval", "A/A",
                                         "verdict", "    p99", "evicted"};
    bench_rows rows = {.columns = sizeof header / sizeof *header};
    bench_rows_put_names(&rows, header);
    bool only_twins = true; /* the A/A column shows a twin otherwise */
    for (size_t i = 0; i < count; i++) {
        only_twins = only_twins && (items[i].variant->twin || items[i].variant->left_out);
    }
    for (size_t i = 0; i < count; i++) {
        const bench_cell_row *const v = items[i].variant;
        if (!v->left_out && (!v->twin || only_twins) && !items[i].evicted &&
            items[i].metric == BENCH_METRIC_QUERY) {
            put_variant(&rows, &items[i], count - i,
                        find_fullest(items, count)->ratio.launches_count);
        }
    }
    print_launches(scenario, items, count, out);
    if (rows.count == rows.columns) {
        bench_rows_release(&rows);
        return BASE_OK;
    }
    return bench_rows_finish(&rows, out->format, out->file, err);
}

/* --- Fronts of a run -------------------------------------------------------------------------- */

/** Puts a note such as "on the front, fastest within 1 % of the size". */
static void put_note(bench_rows *rows, const bench_point *p, const char *tolerance)
{
    char within[BENCH_TOLERANCE_BYTES + 32] = "";
    if (p->state == BENCH_POINT_NOT_JUDGED) {
        bench_rows_put(rows, "exact by its contract, not judged");
        return;
    }
    if (p->fastest_within) {
        snprintf(within, sizeof within, ", fastest within %s", tolerance);
    }
    bench_rows_put(rows, "%s%s%s%s%s", p->on_front ? "on the front" : "not on it", within,
                   p->fastest_exact ? ", fastest exact" : "",
                   p->unjudged_faster ? ", of those judged" : "",
                   p->cell->below_resolution ? " (below resolution)" : "");
}

/** Prints the points of one scenario and quantity that are on the front, win, or are not judged. */
static base_status print_points(const bench_point *points, size_t count, const page *out,
                                base_error *err)
{
    bench_rows rows = {.columns = 5};
    char tolerance[BENCH_TOLERANCE_BYTES];
    const bench_error_kind error = points[0].tolerance.limits[0].error;
    bench_tolerance_describe(&points[0].tolerance, tolerance);
    bench_rows_put(&rows, "variant");
    bench_rows_put(&rows, "%8s", "p99");
    bench_rows_put(&rows, "mean error");
    bench_rows_put(&rows, "largest error");
    const char *const unit = error != BENCH_NO_ERROR ? strrchr(bench_errors[error].name, '_') : "";
    bench_rows_put(&rows, "%s (%s)", alg_quantity_names[points[0].quantity],
                   strcmp(unit, "_deg") == 0   ? "angle"
                   : strcmp(unit, "_rel") == 0 ? "of the truth"
                                               : bench_quantities[points[0].quantity].error_of);
    bool any_within = false, any_judged = false;
    for (size_t i = 0; i < count; i++) {
        const bench_point *const p = &points[i];
        any_within = any_within || p->fastest_within;
        any_judged = any_judged || p->state == BENCH_POINT_JUDGED;
        if (p->on_front || p->fastest_within || p->fastest_exact ||
            p->state == BENCH_POINT_NOT_JUDGED) {
            bench_rows_put(&rows, "%s", p->cell->variant);
            bench_rows_put(&rows, "%8s", bench_time_text(p->time_ns).text);
            bench_rows_put(&rows, "%10s", bench_limit_text(error, p->error_mean).text);
            bench_rows_put(&rows, "%13s", bench_limit_text(error, p->error_max).text);
            put_note(&rows, p, tolerance);
        }
    }
    const base_status status = bench_rows_finish(&rows, out->format, out->file, err);
    if (any_judged && !any_within) {
        fprintf(out->file, "%sno variant is within %s in every frame\n",
                is_markdown(out) ? "\n" : "", tolerance);
    }
    return status;
}

/* --- The whole report of a run ---------------------------------------------------------------- */

/**
 * Prints a line for a quantity that some contestant promises to answer but for which no error is
 * known.
 */
static void print_unknown(const bench_cell_row *cells, size_t count, alg_quantity quantity,
                          FILE *file)
{
    const bench_quantity *const q = &bench_quantities[quantity];
    bool answered = false;
    for (size_t i = 0; i < count; i++) {
        alg_contract contract;
        if (!isnan(bench_cell_row_error(&cells[i], quantity, false))) {
            return; /* an error is known, perhaps of a cell that is left out */
        }
        answered =
            answered || (!cells[i].left_out && !cells[i].twin && bench_cell_row_is_ok(&cells[i]) &&
                         bench_cell_row_contract(&cells[i], quantity, &contract) &&
                         contract != ALG_NOT_ANSWERED);
    }
    char small[64] = "";
    if (q->floor > 0 && q->error == q->printed) {
        snprintf(small, sizeof small, " and at least %g %% of the %s", 100 * q->floor,
                 q->size_name);
    }
    if (answered) {
        fprintf(file, "\n%s: left out: in no frame is the truth certified%s\n",
                alg_quantity_names[quantity], small);
    }
}

/**
 * Prints the fronts of the scenario whose cells are [first, end), one for each quantity. Its points
 * begin at *at, which moves past them.
 */
static base_status print_fronts(const bench_record *record, size_t first, size_t end,
                                const bench_front *front, size_t *at, const page *out,
                                base_error *err)
{
    const char *const scenario = record->cells[first].scenario;
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        const size_t begin = *at;
        if (begin == front->count || front->points[begin].quantity != (alg_quantity)q ||
            strcmp(front->points[begin].cell->scenario, scenario) != 0) {
            print_unknown(record->cells + first, end - first, (alg_quantity)q, out->file);
            continue;
        }
        *at = bench_front_group_end(front, begin);
        size_t zeros = 0, judged = 0;
        for (size_t i = begin; i < *at; i++) {
            zeros += front->points[i].state == BENCH_POINT_TRUTH_ZERO;
            judged += front->points[i].state == BENCH_POINT_JUDGED;
        }
        if (judged == 0 && zeros > 0) {
            fprintf(out->file, "\n%s: left out: the truth is 0 in every frame\n",
                    alg_quantity_names[q]);
            continue;
        }
        fputs("\n", out->file);
        const base_status status = print_points(front->points + begin, *at - begin, out, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

/** True if a cell of [first, end) is selected. */
static bool is_shown(const bench_record *r, size_t first, size_t end)
{
    bool shown = false;
    for (size_t i = first; i < end; i++) {
        shown = shown || !r->cells[i].left_out;
    }
    return shown;
}

base_status bench_report_run(const bench_record *record, const bench_comparisons *list,
                             const bench_front *front, bench_format format, FILE *file,
                             base_error *err)
{
    const page out = {file, format};
    fputs(
        "Time of variant / time of baseline, in one launch: below 1 is faster. Each frame counts "
        "with its\nmedian over the launch's rounds. warm, evicted: sum of these medians; p99: 99th "
        "percentile of them.\nA/A is the baseline against itself. The intervals of a scenario hold "
        "together with 95 %.\n",
        file);
    base_status status = BASE_OK;
    size_t compared = 0, pointed = 0;
    for (size_t first = 0, end; first < record->cell_count && status == BASE_OK; first = end) {
        const char *const scenario = record->cells[first].scenario;
        end = bench_record_scenario_end(record, first);
        const bench_comparison *const items = list->items + compared;
        size_t count = 0;
        while (compared + count < list->count &&
               strcmp(items[count].variant->scenario, scenario) == 0) {
            count++;
        }
        compared += count;
        if (!is_shown(record, first, end)) {
            continue;
        }
        fputs("\n", file);
        status = print_ratios(scenario, items, count, &out, err);
        if (status == BASE_OK) {
            status = print_fronts(record, first, end, front, &pointed, &out, err);
        }
    }
    return status;
}

/* --- Winners ---------------------------------------------------------------------------------- */

/** The result of one scenario in one quantity. All members except `claim` describe the winner. */
typedef struct victory {
    const bench_point *point; /* the fastest one within the tolerance; NULL if there is none */
    const bench_point *equal; /* one that is as fast within noise; NULL if there is none */
    size_t equals, others;    /* number of points like `equal`; number of all points within the
                                 tolerance except the winner */
    bench_comparison against; /* p99 against its baseline; no variant: it is the baseline itself */
    bench_claim claim; /* BENCH_CLAIM_FASTER: a winner is named, because each other point is slower
                         or as fast within noise; else the reason why no winner is named */
} victory;

static base_status measure(const bench_record *record, const bench_cell_row *variant,
                           const bench_cell_row *baseline, double alpha, bench_comparison *c,
                           base_error *err)
{
    *c = (bench_comparison){
        .variant = variant, .baseline = baseline, .metric = BENCH_METRIC_P99, .alpha = alpha};
    return bench_comparison_measure(record, c, err);
}

/** Compares the other points within the tolerance with the winner. */
static base_status measure_others(const bench_record *record, const bench_point *points,
                                  size_t count, double alpha, victory *win, base_error *err)
{
    for (size_t i = 0; i < count; i++) {
        bench_comparison c;
        if (&points[i] == win->point || !points[i].within) {
            continue;
        }
        const base_status status =
            measure(record, points[i].cell, win->point->cell, alpha, &c, err);
        if (status != BASE_OK) {
            return status;
        }
        if (c.claim == BENCH_CLAIM_EQUAL) {
            win->equal = win->equals++ == 0 ? &points[i] : win->equal;
        } else if (c.claim != BENCH_CLAIM_SLOWER && win->claim == BENCH_CLAIM_FASTER) {
            /* Another point that is faster launch by launch but slower overall leaves the result
             * open. */
            win->claim = c.claim == BENCH_CLAIM_FASTER ? BENCH_CLAIM_EQUAL : c.claim;
        }
    }
    return BASE_OK;
}

/**
 * Finds the winner among the points of one scenario and quantity. Every other point within the
 * tolerance is compared with the winner in the launches that both were in.
 */
static base_status find_win(const bench_record *record, const bench_point *points, size_t count,
                            victory *win, base_error *err)
{
    *win = (victory){.claim = BENCH_CLAIM_FASTER};
    for (size_t i = 0; i < count && !win->point; i++) {
        win->point = points[i].fastest_within ? &points[i] : NULL;
    }
    if (!win->point) {
        return BASE_OK;
    }
    const bench_cell_row *const winner = win->point->cell;
    const bench_cell_row *const baseline =
        *winner->baseline ? bench_record_find(record, winner->scenario, winner->baseline) : NULL;
    size_t comparisons = baseline != NULL;
    for (size_t i = 0; i < count; i++) {
        const bool other = &points[i] != win->point && points[i].within;
        win->others += other;
        comparisons += other && points[i].cell != baseline;
    }
    const double alpha = BENCH_JOINT_ALPHA / (double)(comparisons > 0 ? comparisons : 1);
    const base_status status = measure_others(record, points, count, alpha, win, err);
    if (status != BASE_OK || !baseline) {
        return status;
    }
    return measure(record, winner, baseline, alpha, &win->against, err);
}

/* --- Output ----------------------------------------------------------------------------------- */

/**
 * Prints ", 3.33 times as fast as brute (p99; A/A 0.98..1.03)" or ", the baseline". Prints nothing
 * if the comparison is not certain.
 */
static void print_against(const bench_comparison *c, FILE *file)
{
    if (!c->variant) {
        fputs(", the baseline", file);
        return;
    }
    if (c->claim == BENCH_CLAIM_FASTER) {
        fprintf(file, ", %s times as fast as", bench_ratio_text(1 / c->ratio.ratio).text);
    } else if (c->claim == BENCH_CLAIM_SLOWER) {
        fprintf(file, ", %s times the time of", bench_ratio_text(c->ratio.ratio).text);
    } else if (c->claim == BENCH_CLAIM_EQUAL) {
        fputs(", within noise as fast as", file);
    } else {
        return;
    }
    fprintf(file, " %s (p99; A/A %s..%s)", c->baseline->variant, bench_ratio_text(c->twin.lo).text,
            bench_ratio_text(c->twin.hi).text);
}

/** Prints "fastest within 1 %: ist:voxels=32, ...". */
static void print_win(const victory *win, const bench_tolerance *tolerance, FILE *file)
{
    char limit[BENCH_TOLERANCE_BYTES];
    bench_tolerance_describe(tolerance, limit);
    if (!win->point) {
        fprintf(file, "no variant is within %s in every frame\n", limit);
        return;
    }
    fputs(win->point->unjudged_faster ? "of those judged, " : "", file);
    if (win->others > 0) {
        fprintf(file, "fastest within %s: %s", limit, win->point->cell->variant);
    } else {
        fprintf(file, "only %s is within %s", win->point->cell->variant, limit);
    }
    if (win->equals > 0) {
        fprintf(file, " (within noise as fast: %s", win->equal->cell->variant);
        if (win->equals > 1) {
            fprintf(file, " and %zu more", win->equals - 1);
        }
        fputs(")", file);
    }
    print_against(&win->against, file);
    fputs("\n", file);
}

/** The number of lines printed and left out. */
typedef struct tally {
    size_t groups, named, unnamed; /* groups with and without a named winner */
    bench_claim reason;            /* of the first group without a named winner */
} tally;

/** Prints the line of the group that begins at `first`. */
static base_status print_group(const bench_record *record, const bench_front *front, size_t first,
                               tally *t, FILE *file, base_error *err)
{
    const size_t end = bench_front_group_end(front, first);
    victory win;
    bool judged = false;
    for (size_t i = first; i < end; i++) {
        judged = judged || front->points[i].state == BENCH_POINT_JUDGED;
    }
    if (!judged || !bench_point_is_asked(&front->points[first])) {
        return BASE_OK;
    }
    const base_status status = find_win(record, front->points + first, end - first, &win, err);
    if (status != BASE_OK) {
        return status;
    }
    t->groups++;
    if (win.claim != BENCH_CLAIM_FASTER) {
        t->reason = t->unnamed++ == 0 ? win.claim : t->reason;
    } else if (t->named++ < BENCH_SUMMARY_LINES) {
        fputs("proxbench: ", file);
        /* The parts that distinguish the lines: "small/sphere, distance: ". */
        const bench_point *const p = &front->points[first];
        const bool scenarios = bench_record_scenario_end(record, 0) < record->cell_count;
        bool quantities = false;
        for (size_t i = 0; i < front->count; i++) {
            quantities = quantities || front->points[i].quantity != p->quantity;
        }
        fprintf(file, "%s%s%s%s", scenarios ? p->cell->scenario : "",
                scenarios && quantities ? ", " : "",
                quantities ? alg_quantity_names[p->quantity] : "",
                scenarios || quantities ? ": " : "");
        print_win(&win, &front->points[first].tolerance, file);
    }
    return BASE_OK;
}

base_status bench_summary_print(const bench_record *record, double tolerance, FILE *file,
                                base_error *err)
{
    bench_front front;
    base_status status = bench_front_make(record, tolerance, &front, err);
    if (status != BASE_OK) {
        return status;
    }
    tally t = {0};
    for (size_t i = 0; i < front.count && status == BASE_OK; i = bench_front_group_end(&front, i)) {
        status = print_group(record, &front, i, &t, file, err);
    }
    bench_front_release(&front);
    if (status != BASE_OK) {
        return status;
    }
    if (t.named > BENCH_SUMMARY_LINES) {
        fprintf(file, "proxbench: ... and %zu more like these\n", t.named - BENCH_SUMMARY_LINES);
    }
    if (t.unnamed > 0) {
        char reason[64];
        bench_claim_text(&(bench_comparison){.claim = t.reason}, reason, sizeof reason);
        fprintf(file, "proxbench: no fastest variant is named for %zu of %zu: %s\n", t.unnamed,
                t.groups, reason);
    }
    if (t.groups == 0) {
        fputs("proxbench: no error is known, so no fastest variant is named\n", file);
    }
    fprintf(file, "proxbench: 'proxbench compare %s' prints more\n", record->folder);
    return BASE_OK;
}
