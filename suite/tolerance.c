#include "suite/tolerance.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Default limit of bench_quantity.error, or of the share of wrong verdicts. */
static const double default_limit = 0.01;

/** Adds "NAME=NUMBER". given: mask of the quantities that already have limits of their own. */
static base_status add_limit(char *item, unsigned *given, bench_tolerances *tolerances,
                             base_error *err)
{
    char *const equals = strchr(item, '=');
    double most = NAN;
    if (!equals) {
        return base_fail(err, BASE_ERR_ARGUMENT, "the tolerance '%.60s' is not NAME=NUMBER", item);
    }
    *equals = '\0';
    const char *names[BENCH_ERROR_COUNT + 1] = {NULL};
    bench_error_kind error = BENCH_NO_ERROR;
    for (int e = 0; e < BENCH_ERROR_COUNT; e++) {
        names[e] = bench_errors[e].name;
        error = strcmp(names[e], item) == 0 ? (bench_error_kind)e : error;
    }
    if (error == BENCH_NO_ERROR) {
        char near[256];
        base_text_near(item, names, near, sizeof near);
        return base_fail(err, BASE_ERR_ARGUMENT, "no column of errors has the name '%.60s'%s", item,
                         near);
    }
    if (!base_text_number(equals + 1, &most) || !(most >= 0)) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "the tolerance %s='%.60s' is not a number of at least 0", item,
                         equals + 1);
    }
    const alg_quantity quantity = bench_errors[error].quantity;
    bench_tolerance *const t = &tolerances->of[quantity];
    if (!(*given & 1u << quantity)) {
        *given |= 1u << quantity;
        t->count = 0;
    }
    for (size_t i = 0; i < t->count; i++) {
        if (t->limits[i].error == error) {
            return base_fail(err, BASE_ERR_ARGUMENT, "the tolerance %s is given twice", item);
        }
    }
    if (t->count == BENCH_LIMITS_MAX) {
        return base_fail(err, BASE_ERR_ARGUMENT, "more than %d tolerances of %s", BENCH_LIMITS_MAX,
                         alg_quantity_names[quantity]);
    }
    t->limits[t->count++] = (bench_limit){error, most};
    return BASE_OK;
}

base_status bench_tolerances_change(const char *text, bench_tolerances *tolerances, base_error *err)
{
    char copy[BENCH_TOLERANCE_BYTES], *state = NULL;
    unsigned given = 0;
    if ((size_t)snprintf(copy, sizeof copy, "%s", text) >= sizeof copy) {
        return base_fail(err, BASE_ERR_ARGUMENT, "the tolerance '%.40s...' is too long", text);
    }
    for (char *item = strtok_r(copy, " ,", &state); item; item = strtok_r(NULL, " ,", &state)) {
        const base_status status = add_limit(item, &given, tolerances, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

base_status bench_tolerances_parse(const char *text, bench_tolerances *tolerances, base_error *err)
{
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        tolerances->of[q] = (bench_tolerance){
            .limits = {{bench_quantities[q].error, default_limit}},
            .count = 1,
        };
    }
    return bench_tolerances_change(text, tolerances, err);
}

void bench_tolerances_format(const bench_tolerances *tolerances, unsigned quantities,
                             char text[BENCH_TOLERANCE_BYTES])
{
    size_t used = 0;
    text[0] = '\0';
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        const bench_tolerance *const t = &tolerances->of[q];
        for (size_t i = 0; i < t->count && (quantities & 1u << q); i++) {
            if (t->limits[i].error != BENCH_NO_ERROR && used < BENCH_TOLERANCE_BYTES) {
                used += (size_t)snprintf(text + used, BENCH_TOLERANCE_BYTES - used, "%s%s=%.17g",
                                         used ? " " : "", bench_errors[t->limits[i].error].name,
                                         t->limits[i].most);
            }
        }
    }
}

/**
 * Writes a limit: "1 % of the truth", "10 deg (direction)". The unit is the end of the column's
 * name, and the words in parentheses are its middle part.
 */
static int describe_limit(const bench_limit *limit, char *text, size_t size)
{
    const bench_error_row *const row = &bench_errors[limit->error];
    const char *const unit = strrchr(row->name, '_') + 1;
    const char *const words = strchr(row->name, '_') + 1;
    char what[64];
    const bool degrees = strcmp(unit, "deg") == 0;
    const double number = degrees ? limit->most : 100 * limit->most;
    snprintf(what, sizeof what, "%.*s", (int)(strlen(words) - strlen(unit) - 1), words);
    if (strcmp(what, "error") == 0) {
        return snprintf(text, size, "%g %% of the %s", number,
                        strcmp(unit, "size") == 0 ? "size" : "truth");
    }
    if (limit->error == BENCH_DEPTH_OUTSIDE_REL || limit->error == BENCH_DEPTH_LEFT_REL) {
        return snprintf(text, size, "%g %% %s", number, what);
    }
    return snprintf(text, size, "%g %s (%s)", number, degrees ? "deg" : "%", what);
}

void bench_tolerance_describe(const bench_tolerance *tolerance, char text[BENCH_TOLERANCE_BYTES])
{
    size_t used = 0;
    snprintf(text, BENCH_TOLERANCE_BYTES, "%g %% (wrong verdicts)",
             100 * tolerance->limits[0].most);
    for (size_t i = 0; i < tolerance->count && used < BENCH_TOLERANCE_BYTES; i++) {
        if (tolerance->limits[i].error == BENCH_NO_ERROR) {
            continue;
        }
        used += (size_t)snprintf(text + used, BENCH_TOLERANCE_BYTES - used, "%s", used ? ", " : "");
        used += (size_t)describe_limit(&tolerance->limits[i], text + used,
                                       BENCH_TOLERANCE_BYTES - used);
    }
}

double bench_tolerance_holds(const bench_tolerance *tolerance,
                             const double errors[BENCH_ERROR_COUNT], double wrong_verdict)
{
    bool holds = true;
    for (size_t i = 0; i < tolerance->count; i++) {
        const bench_error_kind e = tolerance->limits[i].error;
        const bool is_error = e != BENCH_NO_ERROR;
        const double value = is_error ? fabs(errors[e]) : wrong_verdict;
        if (i == 0 && isnan(value)) {
            return NAN;
        }
        holds = holds && !(value > (is_error ? tolerance->limits[i].most : 0));
    }
    return holds;
}
