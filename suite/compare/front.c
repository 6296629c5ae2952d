#include "suite/compare/front.h"

#include "base/memory.h"
#include "base/text.h"
#include "suite/figures/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double rounded(double error)
{
    return error <= BENCH_EXACT_ERROR ? 0 : error;
}

bool bench_point_is_asked(const bench_point *point)
{
    unsigned asked = 0;
    return bench_quantities_parse(point->cell->quantity, &asked, NULL) == BASE_OK &&
           (asked & 1u << point->quantity);
}

bool bench_point_is_exact(const bench_point *point)
{
    return point->state == BENCH_POINT_JUDGED && point->error_max <= 0;
}

bench_number_text bench_limit_text(bench_error_kind error, double value)
{
    const char *const name = error != BENCH_NO_ERROR ? bench_errors[error].name : "";
    const size_t length = strlen(name), unit = strlen("_deg");
    bench_number_text text = bench_error_text(value);
    const bool degrees = length > unit && strcmp(name + length - unit, "_deg") == 0;
    if (degrees && value > BENCH_EXACT_ERROR) {
        snprintf(text.text, sizeof text.text, "%.3g deg", value);
    }
    return text;
}

static bool may_have_point(const bench_cell_row *cell)
{
    return !cell->twin && !cell->left_out && bench_cell_row_is_ok(cell) &&
           !isnan(cell->time_p99_ns);
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

static base_status add_point(const bench_cell_row *cell, alg_quantity quantity,
                             const bench_tolerance *tolerance, bench_point_state state,
                             bench_front *front, base_error *err)
{
    const base_status status = base_reserve(front->points, front->capacity, front->count + 1, err);
    if (status != BASE_OK) {
        return status;
    }
    front->points[front->count++] = (bench_point){
        .cell = cell,
        .quantity = quantity,
        .state = state,
        .tolerance = *tolerance,
        .time_ns = cell->time_p99_ns,
        .error_mean = rounded(error_of(cell, quantity, tolerance, BENCH_MEAN)),
        .error_max = rounded(error_of(cell, quantity, tolerance, BENCH_MAX)),
        .within = state == BENCH_POINT_JUDGED && is_within(cell, quantity, tolerance),
    };
    return BASE_OK;
}

/** Adds the points of one scenario, whose cells are given, in one quantity. */
static base_status add_group(const bench_cell_row *cells, size_t count, alg_quantity quantity,
                             const bench_tolerance *tolerance, bench_front *front, base_error *err)
{
    bool judged = false;
    for (size_t i = 0; i < count; i++) { /* cells that are left out count as well */
        judged = judged || !isnan(error_of(&cells[i], quantity, tolerance, BENCH_MEAN));
    }
    for (size_t i = 0; i < count; i++) {
        bench_point_state state;
        if (may_have_point(&cells[i]) &&
            find_state(&cells[i], quantity, tolerance, judged, &state)) {
            const base_status status = add_point(&cells[i], quantity, tolerance, state, front, err);
            if (status != BASE_OK) {
                return status;
            }
        }
    }
    return BASE_OK;
}

/** Sets the limits of the scenario that begins at a cell, or the same share for all quantities. */
static base_status find_tolerances(const bench_cell_row *cell, double share,
                                   bench_tolerances *tolerances, base_error *err)
{
    const bool own = isnan(share);
    const base_status status =
        bench_tolerances_parse(own && cell->tolerance ? cell->tolerance : "", tolerances, err);
    for (int q = 0; q < ALG_QUANTITY_COUNT && status == BASE_OK && !own; q++) {
        tolerances->of[q].limits[0].most = share;
    }
    return status;
}

static base_status add_points(const bench_record *r, double share, bench_front *front,
                              base_error *err)
{
    for (size_t first = 0, end; first < r->cell_count; first = end) {
        bench_tolerances tolerances;
        base_status status = find_tolerances(&r->cells[first], share, &tolerances, err);
        end = bench_record_scenario_end(r, first);
        for (int q = 0; q < ALG_QUANTITY_COUNT && status == BASE_OK; q++) {
            status = add_group(r->cells + first, end - first, (alg_quantity)q, &tolerances.of[q],
                               front, err);
        }
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

static bool beats(const bench_point *a, const bench_point *b)
{
    return a->time_ns <= b->time_ns && a->error_mean <= b->error_mean &&
           (a->time_ns < b->time_ns || a->error_mean < b->error_mean);
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
        if (exact ? bench_point_is_exact(&points[i]) : points[i].within) {
            fastest = fmin(fastest, points[i].time_ns);
        }
    }
    return fastest;
}

static bool is_on_front(const bench_point *points, size_t count, const bench_point *p)
{
    for (size_t i = 0; i < count; i++) {
        if (points[i].state == BENCH_POINT_JUDGED && beats(&points[i], p)) {
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
            p->fastest_exact = bench_point_is_exact(p) && p->time_ns <= exact_ns;
            p->unjudged_faster = /* points are in order of time: faster ones came before */
                (p->fastest_within || p->fastest_exact) && unjudged_ns < p->time_ns;
        }
    }
}

base_status bench_front_looks(const bench_record *record, const bench_point *points, size_t count,
                              base_arena *arena, bench_looks *looks, base_error *err)
{
    const char **const names = base_arena_alloc(arena, count, sizeof *names);
    if (!names) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        names[i] = points[i].cell->variant;
    }
    return bench_figures_looks(record, points[0].cell->scenario, names, count, arena, looks, err);
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

base_status bench_front_make(const bench_record *record, double tolerance, bench_front *front,
                             base_error *err)
{
    *front = (bench_front){0};
    const base_status status = add_points(record, tolerance, front, err);
    if (status != BASE_OK) {
        bench_front_release(front);
        return status;
    }
    for (size_t first = 0, end; first < front->count; first = end) {
        end = bench_front_group_end(front, first);
        judge_group(front->points + first, end - first);
    }
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

static bench_fit measure_fit(const bench_cell_row *cell, const bench_need *need)
{
    const double error = largest_error(cell);
    bench_fit fit = {
        .cell = cell,
        .error = error <= BENCH_EXACT_ERROR ? 0 : error,
        .deadline_part = cell->time_intrinsic_max_ns / need->deadline_ns,
        .error_part = isnan(error) ? 0 : error / fmax(need->error, BENCH_EXACT_ERROR),
    };
    fit.fits = fit.deadline_part <= 1 && fit.error_part <= 1;
    return fit;
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
                own[count++] = measure_fit(c, need);
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
