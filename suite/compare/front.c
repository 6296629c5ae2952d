#include "suite/compare/front.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double rounded(double error)
{
    return error <= BENCH_EXACT_ERROR ? 0 : error;
}

static bool asks(const bench_cell_row *cell, alg_quantity quantity)
{
    unsigned asked = 0;
    return bench_quantities_parse(cell->quantity, &asked, NULL) == BASE_OK &&
           (asked & 1u << quantity);
}

bool bench_point_is_asked(const bench_point *point)
{
    return asks(point->cell, point->quantity);
}

/** True if the point is judged and has no error above BENCH_EXACT_ERROR in any frame. */
static bool is_exact(const bench_point *point)
{
    return point->state == BENCH_POINT_JUDGED && point->error_max <= 0;
}

bench_number_text bench_limit_text(bench_error_kind error, double value)
{
    const char *const name = error != BENCH_NO_ERROR ? bench_errors[error].name : "";
    const size_t length = strlen(name), unit = strlen("_deg");
    bench_number_text text = bench_error_text(value);
    const bool degrees = length > unit && strcmp(name + length - unit, "_deg") == 0;
    if (degrees && !isnan(value)) { /* never "exact": the error of the size is another one */
        snprintf(text.text, sizeof text.text, "%.3g deg", value > BENCH_EXACT_ERROR ? value : 0);
    }
    return text;
}

/** Returns the error that points of the quantity show. */
static double error_of(const bench_cell_row *cell, alg_quantity quantity,
                       const bench_tolerance *tolerance, bench_statistic statistic)
{
    return bench_cell_row_limited(cell, quantity, &tolerance->limits[0], statistic);
}

/**
 * Sets the state of a cell's point. Returns false if the cell has no point. judged: an error of
 * some cell in the scenario is known, so the truth is large enough for an error.
 */
static bool find_state(const bench_cell_row *cell, alg_quantity quantity,
                       const bench_tolerance *tolerance, bool judged, bench_point_state *state)
{
    alg_contract contract;
    if (!isnan(error_of(cell, quantity, tolerance, BENCH_MEAN))) {
        *state = bench_cell_row_truth_is_zero(cell, quantity) ? BENCH_POINT_TRUTH_ZERO
                                                              : BENCH_POINT_JUDGED;
        return true;
    }
    *state = BENCH_POINT_NOT_JUDGED;
    return (judged || cell->frames_judged == 0) &&
           bench_cell_row_contract(cell, quantity, &contract) && contract == ALG_EXACT;
}

/** True if all largest errors are within their limits. */
static bool is_within(const bench_cell_row *cell, alg_quantity quantity,
                      const bench_tolerance *tolerance)
{
    bool within = true;
    for (size_t i = 0; i < tolerance->count; i++) {
        const bench_limit *const limit = &tolerance->limits[i];
        const double error = bench_cell_row_limited(cell, quantity, limit, BENCH_MAX);
        within = within && !(error > limit->most) && !(i == 0 && isnan(error));
    }
    return within;
}

/** Adds the points of one scenario, whose cells are given, in one quantity. */
static base_status add_group(const bench_cell_row *cells, size_t count, alg_quantity quantity,
                             const bench_tolerance *tolerance, bench_front *front, base_error *err)
{
    bool judged = false;
    for (size_t i = 0; i < count; i++) { /* cells that are left out count as well */
        judged = judged || !isnan(error_of(&cells[i], quantity, tolerance, BENCH_MEAN));
    }
    base_status status = base_reserve(front->points, front->capacity, front->count + count, err);
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        const bench_cell_row *const c = &cells[i];
        bench_point_state state;
        if (!c->twin && !c->left_out && bench_cell_row_is_ok(c) && !isnan(c->time_p99_ns) &&
            find_state(c, quantity, tolerance, judged, &state)) {
            front->points[front->count++] = (bench_point){
                .cell = c,
                .quantity = quantity,
                .state = state,
                .tolerance = *tolerance,
                .time_ns = c->time_p99_ns,
                .error_mean = rounded(error_of(c, quantity, tolerance, BENCH_MEAN)),
                .error_max = rounded(error_of(c, quantity, tolerance, BENCH_MAX)),
                .within = state == BENCH_POINT_JUDGED && is_within(c, quantity, tolerance),
            };
        }
    }
    return status;
}

/** Compares by time, then by error; an unknown error comes last. */
static int by_time(const void *a, const void *b)
{
    const bench_point *const x = a, *const y = b;
    const double ex = isnan(x->error_mean) ? (double)INFINITY : x->error_mean;
    const double ey = isnan(y->error_mean) ? (double)INFINITY : y->error_mean;
    if (x->time_ns != y->time_ns) {
        return x->time_ns < y->time_ns ? -1 : 1;
    }
    if (ex != ey) {
        return ex < ey ? -1 : 1;
    }
    return (x->cell > y->cell) - (x->cell < y->cell);
}

/** Returns the smallest time of the points that are exact (`exact`) or within the tolerance. */
static double fastest_of(const bench_point *points, size_t count, bool exact)
{
    double fastest = INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (exact ? is_exact(&points[i]) : points[i].within) {
            fastest = fmin(fastest, points[i].time_ns);
        }
    }
    return fastest;
}

static bool is_on_front(const bench_point *points, size_t count, const bench_point *p)
{
    for (size_t i = 0; i < count; i++) {
        const bench_point *const o = &points[i];
        if (o->state == BENCH_POINT_JUDGED && o->time_ns <= p->time_ns &&
            o->error_mean <= p->error_mean &&
            (o->time_ns < p->time_ns || o->error_mean < p->error_mean)) {
            return false;
        }
    }
    return true;
}

static void judge_group(bench_point *points, size_t count)
{
    qsort(points, count, sizeof *points, by_time);
    const double within_ns = fastest_of(points, count, false);
    const double exact_ns = fastest_of(points, count, true);
    double unjudged_ns = INFINITY;
    for (size_t i = 0; i < count; i++) {
        bench_point *const p = &points[i];
        if (p->state == BENCH_POINT_NOT_JUDGED) {
            unjudged_ns = fmin(unjudged_ns, p->time_ns);
        }
        if (p->state == BENCH_POINT_JUDGED) {
            p->on_front = is_on_front(points, count, p);
            p->fastest_within = p->within && p->time_ns <= within_ns;
            p->fastest_exact = is_exact(p) && p->time_ns <= exact_ns;
            p->unjudged_faster = /* points are in order of time: faster ones came before */
                (p->fastest_within || p->fastest_exact) && unjudged_ns < p->time_ns;
        }
    }
}

size_t bench_front_group_end(const bench_front *front, size_t first)
{
    const bench_point *const p = &front->points[first];
    size_t end = first;
    while (end < front->count && front->points[end].quantity == p->quantity &&
           strcmp(front->points[end].cell->scenario, p->cell->scenario) == 0) {
        end++;
    }
    return end;
}

/* --- Performance profiles --------------------------------------------------------------------- */

/** True if some point is within the tolerance in the scenario. */
static bool has_best(const bench_front *front, const char *scenario, alg_quantity quantity)
{
    for (size_t i = 0; i < front->count; i++) {
        const bench_point *const p = &front->points[i];
        if (p->within && p->quantity == quantity && strcmp(p->cell->scenario, scenario) == 0) {
            return true;
        }
    }
    return false;
}

/**
 * Sets the ratios of all points, then their shares. A contestant that failed in a scenario has a
 * cell there, and no point.
 */
static void profile(const bench_record *record, bench_front *front)
{
    for (size_t first = 0, end; first < front->count; first = end) {
        end = bench_front_group_end(front, first);
        const double best_ns = fastest_of(front->points + first, end - first, false);
        for (size_t i = first; i < end; i++) {
            bench_point *const p = &front->points[i];
            p->best_ratio = p->within ? p->time_ns / best_ns : (double)NAN;
        }
    }
    for (size_t i = 0; i < front->count; i++) {
        bench_point *const p = &front->points[i];
        size_t scenarios = 0, as_good = 0;
        for (size_t c = 0; c < record->cell_count; c++) {
            const bench_cell_row *const cell = &record->cells[c];
            scenarios += strcmp(cell->variant, p->cell->variant) == 0 && !cell->left_out &&
                         asks(cell, p->quantity) && has_best(front, cell->scenario, p->quantity);
        }
        for (size_t k = 0; k < front->count; k++) {
            const bench_point *const o = &front->points[k];
            as_good += o->quantity == p->quantity && asks(o->cell, o->quantity) &&
                       strcmp(o->cell->variant, p->cell->variant) == 0 &&
                       o->best_ratio <= p->best_ratio;
        }
        const bool in = p->within && asks(p->cell, p->quantity);
        p->best_share = in ? (double)as_good / (double)scenarios : (double)NAN;
    }
}

base_status bench_front_make(const bench_record *record, double tolerance, bench_front *front,
                             base_error *err)
{
    *front = (bench_front){0};
    base_status status = BASE_OK;
    for (size_t first = 0, end; first < record->cell_count && status == BASE_OK; first = end) {
        const char *const limits = record->cells[first].tolerance;
        const bool own = isnan(tolerance); /* else the same share for all quantities */
        bench_tolerances tolerances;
        status = bench_tolerances_parse(own && limits ? limits : "", &tolerances, err);
        for (int q = 0; q < ALG_QUANTITY_COUNT && status == BASE_OK && !own; q++) {
            tolerances.of[q].limits[0].most = tolerance;
        }
        end = bench_record_scenario_end(record, first);
        for (int q = 0; q < ALG_QUANTITY_COUNT && status == BASE_OK; q++) {
            status = add_group(record->cells + first, end - first, (alg_quantity)q,
                               &tolerances.of[q], front, err);
        }
    }
    if (status != BASE_OK) {
        bench_front_release(front);
        return status;
    }
    for (size_t first = 0, end; first < front->count; first = end) {
        end = bench_front_group_end(front, first);
        judge_group(front->points + first, end - first);
    }
    profile(record, front);
    return BASE_OK;
}

void bench_front_release(bench_front *front)
{
    base_free(front->points);
    *front = (bench_front){0};
}

/* --- Parsing a need --------------------------------------------------------------------------- */

/** Splits "1.5 ms" into number and unit. Returns false if the text does not begin with a number. */
static bool split_unit(const char *text, double *number, const char **unit)
{
    char digits[64];
    const size_t length = strspn(text, "+-.0123456789eE");
    if (length == 0 || length >= sizeof digits) {
        return false;
    }
    memcpy(digits, text, length);
    digits[length] = '\0';
    *unit = text + length + strspn(text + length, " ");
    return base_text_number(digits, number);
}

static base_status parse_deadline(const char *text, double *ns, base_error *err)
{
    static const struct {
        const char *unit;
        double ns;
    } units[] = {
        {"ns", 1}, {"us", 1e3}, {"\xc2\xb5s", 1e3}, {"ms", 1e6}, {"s", 1e9},
    };
    double number = 0;
    const char *unit = "";
    if (split_unit(text, &number, &unit)) {
        for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
            if (strcmp(unit, units[i].unit) == 0 && number > 0) {
                *ns = number * units[i].ns;
                return BASE_OK;
            }
        }
    }
    return base_fail(err, BASE_ERR_ARGUMENT,
                     "deadline '%s' is not a time above zero with its unit: 250us, 1ms, 0.5s",
                     text);
}

base_status bench_percent_parse(const char *name, const char *text, double *share, base_error *err)
{
    double number = 0;
    const char *unit = "";
    if (!split_unit(text, &number, &unit) || strcmp(unit, "%") != 0 || !(number >= 0)) {
        return base_fail(err, BASE_ERR_ARGUMENT, "%s '%s' is not a percentage: 1%%, 0.1%%, 0%%",
                         name, text);
    }
    *share = number / 100;
    return BASE_OK;
}

static base_status parse_item(char *item, bench_need *need, base_error *err)
{
    static const char *const keys[] = {"deadline", "error", NULL};
    char *const equals = strchr(item, '=');
    if (!equals) {
        return base_fail(err, BASE_ERR_ARGUMENT, "'%s' is not deadline=TIME or error=PERCENT",
                         item);
    }
    *equals = '\0';
    double *const values[] = {&need->deadline_ns, &need->error};
    for (size_t i = 0; keys[i]; i++) {
        if (strcmp(item, keys[i]) == 0) {
            if (isfinite(*values[i])) {
                return base_fail(err, BASE_ERR_ARGUMENT, "%s is given twice", keys[i]);
            }
            return i == 0 ? parse_deadline(equals + 1, values[i], err)
                          : bench_percent_parse(keys[i], equals + 1, values[i], err);
        }
    }
    char near[256];
    base_text_near(item, keys, near, sizeof near);
    return base_fail(err, BASE_ERR_ARGUMENT, "unknown need '%s'; there are deadline and error%s",
                     item, near);
}

base_status bench_need_parse(const char *text, bench_need *need, base_error *err)
{
    *need = (bench_need){INFINITY, INFINITY};
    char copy[256];
    if ((size_t)snprintf(copy, sizeof copy, "%s", text) >= sizeof copy) {
        return base_fail(err, BASE_ERR_ARGUMENT, "need '%.40s...' is too long", text);
    }
    base_status status = BASE_OK;
    for (char *item = copy; item && status == BASE_OK;) {
        char *const comma = strchr(item, ',');
        if (comma) {
            *comma = '\0';
        }
        status = parse_item(item, need, err);
        item = comma ? comma + 1 : NULL;
    }
    return status;
}

/* --- Contestants that fit a need -------------------------------------------------------------- */

/** Returns the largest error of all quantities, or NaN if no error is known. */
static double largest_error(const bench_cell_row *cell)
{
    double error = NAN;
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        error = fmax(error, bench_cell_row_error(cell, (alg_quantity)q, true));
    }
    return error;
}

static bool may_fit(const bench_cell_row *cell)
{
    return !cell->twin && !cell->left_out && bench_cell_row_is_ok(cell) &&
           !isnan(cell->time_intrinsic_max_ns);
}

/**
 * True if contestants without a known error must be ignored: the need limits the error, or other
 * contestants have one. Then a contestant without an error answers nothing, and meeting a deadline
 * does not make it suitable.
 */
static bool needs_errors(const bench_cell_row *cells, size_t count, const bench_need *need)
{
    bool any = isfinite(need->error);
    for (size_t i = 0; i < count; i++) {
        any = any || (may_fit(&cells[i]) && !isnan(largest_error(&cells[i])));
    }
    return any;
}

static int by_p99(const void *a, const void *b)
{
    const bench_fit *const x = a, *const y = b;
    const double tx = x->cell->time_p99_ns, ty = y->cell->time_p99_ns;
    return tx != ty ? (tx > ty) - (tx < ty) : (x->cell > y->cell) - (x->cell < y->cell);
}

/**
 * Keeps the items that fit, sorted by p99, or else only the nearest item. Returns the number of
 * items left.
 */
static size_t choose(bench_fit *fits, size_t count)
{
    size_t fitting = 0, nearest = 0;
    for (size_t i = 0; i < count; i++) {
        const double worst = fmax(fits[i].deadline_part, fits[i].error_part);
        if (worst < fmax(fits[nearest].deadline_part, fits[nearest].error_part)) {
            nearest = i;
        }
    }
    if (count > 0 && !fits[nearest].fits) {
        fits[0] = fits[nearest];
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        if (fits[i].fits) {
            fits[fitting++] = fits[i];
        }
    }
    qsort(fits, fitting, sizeof *fits, by_p99);
    return fitting;
}

base_status bench_fits_make(const bench_record *record, const bench_need *need, bench_fits *fits,
                            base_error *err)
{
    *fits = (bench_fits){.items = base_alloc(record->cell_count, sizeof *fits->items),
                         .everywhere = true};
    if (!fits->items) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t first = 0, end; first < record->cell_count; first = end) {
        end = bench_record_scenario_end(record, first);
        bench_fit *const own = fits->items + fits->count;
        const bool judged = needs_errors(record->cells + first, end - first, need);
        size_t count = 0;
        bool shown = false;
        for (size_t i = first; i < end; i++) {
            const bench_cell_row *const c = &record->cells[i];
            shown = shown || !c->left_out;
            if (may_fit(c) && (!judged || !isnan(largest_error(c)))) {
                const double error = largest_error(c);
                bench_fit *const fit = &own[count++];
                *fit = (bench_fit){
                    .cell = c,
                    .error = error <= BENCH_EXACT_ERROR ? 0 : error,
                    .deadline_part = c->time_intrinsic_max_ns / need->deadline_ns,
                    .error_part = isnan(error) ? 0 : error / fmax(need->error, BENCH_EXACT_ERROR),
                };
                fit->fits = fit->deadline_part <= 1 && fit->error_part <= 1;
            }
        }
        count = choose(own, count);
        fits->everywhere = fits->everywhere && (!shown || (count > 0 && own->fits));
        fits->count += count;
    }
    return BASE_OK;
}

void bench_fits_release(bench_fits *fits)
{
    base_free(fits->items);
    *fits = (bench_fits){0};
}

/* --- The table of fits ------------------------------------------------------------------------ */

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
    const char *separator = "\nNot judged, so their fit is unknown: ";
    for (size_t i = 0; i < r->cell_count; i++) {
        bool listed = false;
        for (size_t before = 0; before < i; before++) {
            listed = listed || (is_unjudged(&r->cells[before]) &&
                                strcmp(r->cells[before].variant, r->cells[i].variant) == 0);
        }
        if (is_unjudged(&r->cells[i]) && !listed) {
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

base_status bench_fits_print(const bench_record *record, const bench_fits *fits,
                             bench_format format, FILE *file, base_error *err)
{
    static const char *const for_scripts[] = {
        "scenario",  "variant",       "fits",      "time_p99_ns", "time_intrinsic_max_ns",
        "error_max", "deadline_part", "error_part"};
    static const char *const for_people[] = {"scenario", "variant",       "     p99",
                                             "     max", "largest error", "fits"};
    const bool scripts = bench_format_is_for_scripts(format);
    bench_rows rows = {.columns = scripts ? 8 : 6};
    bench_rows_put_names(&rows, scripts ? for_scripts : for_people);
    for (size_t i = 0; i < fits->count; i++) {
        bench_rows_put(&rows, "%s", scenario_of(fits, i));
        const bench_fit *const fit = &fits->items[i];
        const bench_cell_row *const cell = fit->cell;
        bench_rows_put(&rows, "%s", cell->variant);
        if (scripts) {
            bench_rows_put_count(&rows, fit->fits);
            bench_rows_put_number(&rows, cell->time_p99_ns);
            bench_rows_put_number(&rows, cell->time_intrinsic_max_ns);
            bench_rows_put_number(&rows, fit->error);
            bench_rows_put_number(&rows, fit->deadline_part);
            bench_rows_put_number(&rows, fit->error_part);
        } else {
            bench_rows_put(&rows, "%8s", bench_time_text(cell->time_p99_ns).text);
            bench_rows_put(&rows, "%8s", bench_time_text(cell->time_intrinsic_max_ns).text);
            bench_rows_put(&rows, "%13s", bench_error_text(fit->error).text);
            put_verdict(&rows, fit);
        }
    }
    const base_status status = bench_rows_finish(&rows, format, file, err);
    if (status == BASE_OK && !scripts) {
        print_summary(record, fits, file);
    }
    return status;
}
