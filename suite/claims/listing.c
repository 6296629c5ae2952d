#include "suite/claims/listing.h"

#include "base/text.h"
#include "suite/claims/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- Columns ---------------------------------------------------------------------------------- */

static char *trimmed(char *text)
{
    text += strspn(text, " ");
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ') {
        text[--length] = '\0';
    }
    return text;
}

base_status bench_listing_parse(const char *columns, bench_listing *listing, base_error *err)
{
    listing->count = 0;
    if ((size_t)snprintf(listing->text, sizeof listing->text, "%s", columns) >=
        sizeof listing->text) {
        return base_fail(err, BASE_ERR_ARGUMENT, "--columns is too long");
    }
    char *rest = NULL;
    for (char *part = strtok_r(listing->text, ";", &rest); part;
         part = strtok_r(NULL, ";", &rest)) {
        char *const colon = strchr(part, ':');
        if (listing->count == BENCH_LISTING_COLUMNS) {
            return base_fail(err, BASE_ERR_ARGUMENT, "more than %d columns", BENCH_LISTING_COLUMNS);
        }
        if (colon) {
            *colon = '\0';
        }
        const char *const name = trimmed(part), *const formula = colon ? trimmed(colon + 1) : name;
        base_error reason = {0};
        listing->names[listing->count] = name;
        if (bench_formula_parse(formula, &listing->columns[listing->count], &reason) != BASE_OK) {
            return base_fail(err, BASE_ERR_ARGUMENT, "column '%s': %s", name, reason.text);
        }
        listing->count++;
    }
    return listing->count > 0 ? BASE_OK : base_fail(err, BASE_ERR_ARGUMENT, "--columns is empty");
}

/* --- Rows ------------------------------------------------------------------------------------- */

typedef struct printing {
    const bench_listing *listing;
    bench_rows rows;
    bool for_scripts;
} printing;

/** True if the interval is known and wider than the value itself. */
static bool has_interval(bench_interval x)
{
    return !isnan(x.lo) && !isnan(x.hi) && x.lo != x.hi;
}

static void put_header(printing *p, bench_claim_rows of)
{
    const bool builds = of == BENCH_OF_FIXED || of == BENCH_OF_MOVING;
    bench_rows_put(&p->rows, builds ? "body" : "scenario");
    bench_rows_put(&p->rows, "variant");
    for (size_t i = 0; i < p->listing->count; i++) {
        bench_rows_put(&p->rows, "%s", p->listing->names[i]);
        if (p->for_scripts) {
            bench_rows_put(&p->rows, "%s lo", p->listing->names[i]);
            bench_rows_put(&p->rows, "%s hi", p->listing->names[i]);
        }
    }
}

/** Returns the text of a column of words; NULL for all other formulas. */
static const char *text_of(const bench_measuring *m, const bench_formula *formula)
{
    const char *const column = bench_formula_column(formula);
    const char *const text = column ? bench_measuring_text(m, column) : "";
    double number;
    return *text && !base_text_number(text, &number) ? text : NULL;
}

/** Prints a group, unless the condition has removed all its rows. */
static base_status put_group(void *context, const bench_measuring *m,
                             const bench_interval *measured)
{
    printing *const p = context;
    if (m->claim->claim->where && m->row_count == 0) {
        return BASE_OK;
    }
    const bench_claim_group by = m->claim->together;
    const bench_claim_subject *const s = m->group[0];
    bench_rows_put(&p->rows, "%s", by == BENCH_BY_CELL || by == BENCH_BY_SCENARIO ? s->place : "");
    bench_rows_put(&p->rows, "%s", by == BENCH_BY_CELL || by == BENCH_BY_VARIANT ? s->variant : "");
    for (size_t i = 0; i < p->listing->count; i++) {
        const bench_interval x = measured[i];
        const bench_unit unit = bench_formula_unit(&p->listing->columns[i]);
        const char *const text = text_of(m, &p->listing->columns[i]);
        if (text) {
            bench_rows_put(&p->rows, "%s", text);
            if (p->for_scripts) {
                bench_rows_put(&p->rows, "%s", "");
                bench_rows_put(&p->rows, "%s", "");
            }
        } else if (p->for_scripts) {
            bench_rows_put_number(&p->rows, x.value);
            bench_rows_put_number(&p->rows, x.lo);
            bench_rows_put_number(&p->rows, x.hi);
        } else if (has_interval(x)) {
            bench_rows_put(&p->rows, "%s (%s to %s)", bench_unit_text(x.value, unit).text,
                           bench_unit_text(x.lo, unit).text, bench_unit_text(x.hi, unit).text);
        } else {
            bench_rows_put(&p->rows, "%s", bench_unit_text(x.value, unit).text);
        }
    }
    return BASE_OK;
}

static base_status put_run(printing *p, const bench_checked_claim *selection,
                           const bench_claims_run *run, base_error *err)
{
    bench_measuring m = {.claim = selection, .with_itself = true, .err = err};
    base_status status = bench_measuring_select(&m, run, 1, run);
    if (status == BASE_OK && m.subject_count == 0) {
        status = base_fail(err, BASE_ERR_INPUT, "'%s': %s", run->record.folder, m.reason);
    }
    if (status == BASE_OK) {
        status = bench_measuring_groups(&m, p->listing->columns, p->listing->count, put_group, p);
    }
    bench_measuring_release(&m);
    return status;
}

base_status bench_listing_print(const bench_listing *listing, const bench_claims_run *runs,
                                size_t count, bench_format format, FILE *file, base_error *err)
{
    printing p = {.listing = listing, .for_scripts = bench_format_is_for_scripts(format)};
    bench_checked_claim selection;
    p.rows.columns = 2 + listing->count * (p.for_scripts ? 3 : 1);
    p.rows.width = format == BENCH_FORMAT_TABLE ? bench_output_width(file) : 0;
    base_status status = bench_claim_parse(&listing->selection, &selection, err);
    if (status != BASE_OK) {
        return status;
    }
    put_header(&p, selection.of);
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        status = put_run(&p, &selection, &runs[i], err);
    }
    if (status == BASE_OK) {
        status = bench_rows_print(&p.rows, format, file, err);
    }
    bench_rows_release(&p.rows);
    return status;
}
