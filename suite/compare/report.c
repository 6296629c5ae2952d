#include "suite/compare/report.h"

#include "base/memory.h"
#include "base/text.h"
#include "suite/results/cells.h"
#include "suite/results/record.h"
#include "suite/results/reference.h"
#include "suite/results/stats.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/** Puts as many names as the rows have columns. */
static void put_header(bench_rows *rows, const char *const *names)
{
    for (size_t i = 0; i < rows->columns; i++) {
        bench_rows_put(rows, "%s", names[i]);
    }
}

/** Prints the rows and releases them. */
static base_status print_rows(bench_rows *rows, bench_format format, FILE *file, base_error *err)
{
    const base_status status = bench_rows_print(rows, format, file, err);
    bench_rows_release(rows);
    return status;
}

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
    return print_rows(&rows, format, file, err);
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

base_status bench_report_front(const bench_record *record, const bench_front *front, FILE *file,
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
        };
        const base_status status = find_interval(record, p->cell, &row, err);
        if (status != BASE_OK) {
            bench_rows_release(&rows);
            return status;
        }
        bench_columns_add(bench_pareto_columns, &row, &rows);
    }
    return print_rows(&rows, BENCH_FORMAT_CSV, file, err);
}

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
    return print_rows(&rows, format, file, err);
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
    put_header(&rows, header);
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
    return print_rows(&rows, out->format, out->file, err);
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

/** Returns the reference of an error, for example "of the size". */
static const char *relative_to(alg_quantity quantity, bench_error_kind error)
{
    const char *const name = error != BENCH_NO_ERROR ? bench_errors[error].name : "";
    const char *const unit = *name ? strrchr(name, '_') : "";
    return strcmp(unit, "_deg") == 0   ? "angle"
           : strcmp(unit, "_rel") == 0 ? "of the truth"
                                       : bench_quantities[quantity].error_of;
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
    bench_rows_put(&rows, "%s (%s)", alg_quantity_names[points[0].quantity],
                   relative_to(points[0].quantity, error));
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
    const base_status status = print_rows(&rows, out->format, out->file, err);
    if (any_judged && !any_within) {
        fprintf(out->file, "%sno variant is within %s in every frame\n",
                is_markdown(out) ? "\n" : "", tolerance);
    }
    return status;
}

/* --- The whole report of a run ---------------------------------------------------------------- */

/** Returns the number of comparisons at `items` that belong to the scenario. */
static size_t comparisons_of(const bench_comparison *items, size_t count, const char *scenario)
{
    size_t own = 0;
    while (own < count && strcmp(items[own].variant->scenario, scenario) == 0) {
        own++;
    }
    return own;
}

/**
 * Prints a line for a quantity that some contestant promises to answer but for which no error is
 * known.
 */
static void tell_unknown(const bench_cell_row *cells, size_t count, alg_quantity quantity,
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

/** Prints the points of a scenario in one quantity, or a line that the truth is always 0. */
static base_status print_front(const bench_point *points, size_t count, const page *out,
                               base_error *err)
{
    size_t zeros = 0, judged = 0;
    for (size_t i = 0; i < count; i++) {
        zeros += points[i].state == BENCH_POINT_TRUTH_ZERO;
        judged += points[i].state == BENCH_POINT_JUDGED;
    }
    if (judged > 0 || zeros == 0) {
        fputs("\n", out->file);
        return print_points(points, count, out, err);
    }
    fprintf(out->file, "\n%s: left out: the truth is 0 in every frame\n",
            alg_quantity_names[points[0].quantity]);
    return BASE_OK;
}

/**
 * Prints the fronts of the scenario whose cells are [first, end). Its points begin at *at, which
 * moves past them.
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
            tell_unknown(record->cells + first, end - first, (alg_quantity)q, out->file);
            continue;
        }
        *at = bench_front_group_end(front, begin);
        const base_status status = print_front(front->points + begin, *at - begin, out, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
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
                             const bench_front *front, bench_format format, FILE *file,
                             base_error *err)
{
    const page out = {file, format};
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
        status = print_ratios(scenario, items, count, &out, err);
        if (status == BASE_OK) {
            status = print_fronts(record, first, end, front, &pointed, &out, err);
        }
    }
    return status;
}

/* --- Contestants that fit a need -------------------------------------------------------------- */

/** Writes "32 % over the deadline"; "" if `part` is within the limit. */
static void over_text(double part, const char *what, char *text, size_t size)
{
    if (part <= 1) {
        text[0] = '\0';
    } else if (part < 2) {
        snprintf(text, size, "%.3g %% over the %s", 100 * (part - 1), what);
    } else {
        snprintf(text, size, "%.3g times the %s", part, what);
    }
}

static void put_verdict(bench_rows *rows, const bench_fit *fit)
{
    char time[64], error[64];
    over_text(fit->deadline_part, "deadline", time, sizeof time);
    over_text(fit->error_part, "error", error, sizeof error);
    if (fit->fits) {
        bench_rows_put(rows, "yes");
    } else {
        bench_rows_put(rows, "no, nearest: %s%s%s", time, *time && *error ? ", " : "", error);
    }
}

static void put_fit_for_scripts(bench_rows *rows, const bench_fit *fit)
{
    bench_rows_put_count(rows, fit->fits);
    bench_rows_put_number(rows, fit->cell->time_p99_ns);
    bench_rows_put_number(rows, fit->cell->time_intrinsic_max_ns);
    bench_rows_put_number(rows, fit->error);
    bench_rows_put_number(rows, fit->deadline_part);
    bench_rows_put_number(rows, fit->error_part);
}

static void put_fit_for_people(bench_rows *rows, const bench_fit *fit)
{
    bench_rows_put(rows, "%8s", bench_time_text(fit->cell->time_p99_ns).text);
    bench_rows_put(rows, "%8s", bench_time_text(fit->cell->time_intrinsic_max_ns).text);
    bench_rows_put(rows, "%13s", bench_error_text(fit->error).text);
    put_verdict(rows, fit);
}

static const char *scenario_of(const bench_fits *fits, size_t i)
{
    return fits->items[i].cell->scenario;
}

/** True if the variant of item `i` fits in every scenario of the record that is not left out. */
static bool fits_everywhere(const bench_record *r, const bench_fits *fits, size_t i)
{
    for (size_t c = 0; c < r->cell_count; c++) {
        bool found = r->cells[c].left_out;
        for (size_t f = 0; f < fits->count && !found; f++) {
            found = fits->items[f].fits &&
                    strcmp(scenario_of(fits, f), r->cells[c].scenario) == 0 &&
                    strcmp(fits->items[f].cell->variant, fits->items[i].cell->variant) == 0;
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

/** True if the cell promises exact answers in some quantity, but none of its errors is known. */
static bool is_unjudged(const bench_cell_row *cell)
{
    bool exact = false;
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        alg_contract contract;
        if (!isnan(bench_cell_row_error(cell, (alg_quantity)q, true))) {
            return false;
        }
        exact = exact || (bench_cell_row_contract(cell, (alg_quantity)q, &contract) &&
                          contract == ALG_EXACT);
    }
    return exact && !cell->twin && !cell->left_out && bench_cell_row_is_ok(cell);
}

/** Prints a line that lists, each once, the exact methods whose fit is unknown. */
static void print_unjudged(const bench_record *r, FILE *file)
{
    const char *separator = "\nNot judged, so not said to fit: ";
    for (size_t i = 0; i < r->cell_count; i++) {
        bool told = false;
        for (size_t before = 0; before < i; before++) {
            told = told || (is_unjudged(&r->cells[before]) &&
                            strcmp(r->cells[before].variant, r->cells[i].variant) == 0);
        }
        if (is_unjudged(&r->cells[i]) && !told) {
            fprintf(file, "%s%s", separator, r->cells[i].variant);
            separator = ", ";
        }
    }
    fputs(*separator == ',' ? "\n" : "", file);
}

/**
 * Prints the scenarios without a measurable contestant, the methods that are not judged, and the
 * variants that fit in all scenarios.
 */
static void print_summary(const bench_record *r, const bench_fits *fits, FILE *file)
{
    size_t scenarios = 0;
    for (size_t first = 0, end; first < r->cell_count; first = end) {
        end = bench_record_scenario_end(r, first);
        bool known = false, shown = false;
        for (size_t i = 0; i < fits->count; i++) {
            known = known || strcmp(scenario_of(fits, i), r->cells[first].scenario) == 0;
        }
        for (size_t i = first; i < end; i++) {
            shown = shown || !r->cells[i].left_out;
        }
        scenarios += shown;
        if (shown && !known) {
            fprintf(file, "\n%s: no variant is ok with times and errors that are known\n",
                    r->cells[first].scenario);
        }
    }
    print_unjudged(r, file);
    const char *separator = "";
    for (size_t i = 0; i < fits->count; i++) {
        if (scenarios > 1 && strcmp(scenario_of(fits, i), scenario_of(fits, 0)) == 0 &&
            fits_everywhere(r, fits, i)) {
            fprintf(file, "%s%s",
                    *separator ? separator : "\nIn all scenarios: ", fits->items[i].cell->variant);
            separator = ", ";
        }
    }
    if (scenarios > 1) {
        fputs(*separator ? "\n" : "\nNo variant fits in all scenarios.\n", file);
    }
}

base_status bench_report_fits(const bench_record *record, const bench_fits *fits,
                              bench_format format, FILE *file, base_error *err)
{
    static const char *const for_scripts[] = {
        "scenario",  "variant",       "fits",      "time_p99_ns", "time_intrinsic_max_ns",
        "error_max", "deadline_part", "error_part"};
    static const char *const for_people[] = {"scenario", "variant",       "     p99",
                                             "     max", "largest error", "fits"};
    const bool scripts = bench_format_is_for_scripts(format);
    bench_rows rows = {.columns = scripts ? 8 : 6};
    put_header(&rows, scripts ? for_scripts : for_people);
    for (size_t i = 0; i < fits->count; i++) {
        bench_rows_put(&rows, "%s", scenario_of(fits, i));
        bench_rows_put(&rows, "%s", fits->items[i].cell->variant);
        scripts ? put_fit_for_scripts(&rows, &fits->items[i])
                : put_fit_for_people(&rows, &fits->items[i]);
    }
    const base_status status = print_rows(&rows, format, file, err);
    if (status == BASE_OK && !scripts) {
        print_summary(record, fits, file);
    }
    return status;
}

/* --- Two runs side by side -------------------------------------------------------------------- */

static void put_match(bench_rows *rows, const bench_answer_pair *p)
{
    static const char *const texts[] = {
        [BENCH_ANSWER_SAME] = "same",
        [BENCH_ANSWER_DIFFERS] = "differs",
        [BENCH_ANSWER_MISSING_1] = "missing in 1",
        [BENCH_ANSWER_MISSING_2] = "missing in 2",
    };
    if (p->match == BENCH_ANSWER_STATUS) {
        bench_rows_put(rows, "%s -> %s", p->cells[0]->status, p->cells[1]->status);
    } else {
        bench_rows_put(rows, "%s", texts[p->match]);
    }
}

static double error_of(const bench_cell_row *cell, int quantity, bool largest)
{
    return cell ? bench_cell_row_error(cell, (alg_quantity)quantity, largest) : (double)NAN;
}

static double p99_of(const bench_cell_row *cell, bool shown)
{
    return cell && shown ? cell->time_p99_ns : (double)NAN;
}

/** True if the cell has an error in this quantity in either run. */
static bool has_error(const bench_answer_pair *p, int quantity)
{
    return !isnan(error_of(p->cells[0], quantity, false)) ||
           !isnan(error_of(p->cells[1], quantity, false));
}

static void put_pair_for_people(bench_rows *rows, const bench_answer_pair *p, int quantity,
                                bool times)
{
    for (int side = 0; side < 2; side++) {
        const bench_cell_row *const cell = p->cells[side];
        const double error = error_of(cell, quantity, true);
        bench_rows_put(rows, "%9s",
                       bench_cell_row_error_text(cell, (alg_quantity)quantity, error).text);
    }
    for (int side = 0; times && side < 2; side++) {
        bench_rows_put(rows, "%8s", bench_time_text(p99_of(p->cells[side], times)).text);
    }
}

static void put_pair_for_scripts(bench_rows *rows, const bench_answer_pair *p, int quantity,
                                 bool times)
{
    for (int largest = 0; largest < 2; largest++) {
        for (int side = 0; side < 2; side++) {
            bench_rows_put_number(rows, error_of(p->cells[side], quantity, largest));
        }
    }
    for (int side = 0; side < 2; side++) {
        bench_rows_put_number(rows, p99_of(p->cells[side], times));
    }
}

/** Puts a row for each quantity with an error, or one row if no quantity has an error. */
static void put_pair(bench_rows *rows, const bench_answer_pair *p, bool scripts, bool times)
{
    const bench_cell_row *const cell = p->cells[0] ? p->cells[0] : p->cells[1];
    bool any = false;
    for (int quantity = 0; quantity < ALG_QUANTITY_COUNT; quantity++) {
        if (!has_error(p, quantity) && (any || quantity + 1 < ALG_QUANTITY_COUNT)) {
            continue;
        }
        any = true;
        bench_rows_put(rows, "%s", cell->scenario);
        bench_rows_put(rows, "%s", cell->variant);
        bench_rows_put(rows, "%s",
                       has_error(p, quantity) ? alg_quantity_names[quantity]
                                              : (scripts ? "" : "-"));
        put_match(rows, p);
        scripts ? put_pair_for_scripts(rows, p, quantity, times)
                : put_pair_for_people(rows, p, quantity, times);
    }
}

base_status bench_report_answers(const bench_answers *answers, bench_format format, FILE *file,
                                 base_error *err)
{
    static const char *const for_scripts[] = {
        "scenario",     "variant",     "quantity",    "answers",       "error_mean_1",
        "error_mean_2", "error_max_1", "error_max_2", "time_p99_1_ns", "time_p99_2_ns"};
    static const char *const for_people[] = {"scenario",  "variant",   "error of", "answers",
                                             "  error 1", "  error 2", "   p99 1", "   p99 2"};
    const bool scripts = bench_format_is_for_scripts(format);
    bench_rows rows = {.columns = scripts ? 10 : answers->times ? 8 : 6};
    put_header(&rows, scripts ? for_scripts : for_people);
    for (size_t i = 0; i < answers->count; i++) {
        put_pair(&rows, &answers->pairs[i], scripts, answers->times);
    }
    return print_rows(&rows, format, file, err);
}
