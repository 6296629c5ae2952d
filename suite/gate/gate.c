#include "suite/gate/gate.h"

#include "base/memory.h"
#include "base/text.h"
#include "suite/quantity.h"
#include "suite/results/frames.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Frames of one cell, old beside new ------------------------------------------------------- */

/** A column of the expected side, and its index on the other side. */
typedef struct paired_column {
    const char *name;
    int expected, got;      /* indices of the column; -1: missing */
    int truth_lo, truth_hi; /* indices in `got`; -1: no truth */
    int quantity;           /* quantity whose contract judges the column; -1: it belongs to no
                               single one */
    bool judged_by_error;   /* the contract of this quantity is "approximate" */
} paired_column;

/** The columns of one role and the frames of a cell, old and new. */
typedef struct pairing {
    const bench_gate_frames *expected, *got; /* borrowed */
    paired_column *columns;
    size_t column_count;
    size_t frame_count;     /* frames that both sides have */
    uint64_t tolerance_ulp; /* tolerance of answers; set by the caller */
    bench_gate_report *report;
} pairing;

/** Returns the number in a text, or NaN if the text is not a number. */
static double number_of(const char *text)
{
    double number;
    return base_text_number(text, &number) ? number : (double)NAN;
}

static const char *text_at(const bench_gate_frames *frames, size_t row, int index)
{
    const char *const text =
        index >= 0 ? base_csv_text(frames->table, frames->first + row, index) : NULL;
    return text ? text : "";
}

/**
 * Returns the text in a frame, or "" if it is empty. frame: index among the frames of the cell,
 * from 0, which may differ from the frame's number.
 */
static const char *old_text(const pairing *p, const paired_column *column, size_t frame)
{
    return text_at(p->expected, frame, column->expected);
}

static const char *new_text(const pairing *p, const paired_column *column, size_t frame)
{
    return text_at(p->got, frame, column->got);
}

static double old_number(const pairing *p, const paired_column *column, size_t frame)
{
    return number_of(old_text(p, column, frame));
}

static double new_number(const pairing *p, const paired_column *column, size_t frame)
{
    return number_of(new_text(p, column, frame));
}

/**
 * Returns the promise for a quantity in the text of a contract; ALG_NOT_ANSWERED if it is missing
 * there.
 */
static alg_contract promise_of(const char *contract, alg_quantity quantity)
{
    alg_contract promise = ALG_NOT_ANSWERED;
    const bench_cell_row row = {.contract = contract};
    return bench_cell_row_contract(&row, quantity, &promise) ? promise : ALG_NOT_ANSWERED;
}

/**
 * Returns the quantity whose contract judges an answer. This is its own quantity if it was asked.
 * Otherwise contact is judged by the contract of the distance, if it was asked, or else by that of
 * the volume. Depth and force are then judged by that of the volume.
 */
static alg_quantity quantity_for(const char *contract, alg_quantity quantity)
{
    const bool by_distance = quantity == ALG_CONTACT && promise_of(contract, ALG_DISTANCE);
    const bool alone = quantity == ALG_DISTANCE || quantity == ALG_VOLUME;
    return alone || promise_of(contract, quantity) ? quantity
           : by_distance                           ? ALG_DISTANCE
                                                   : ALG_VOLUME;
}

static paired_column share_column(const pairing *p, int index, const bench_column *column,
                                  const char *contract)
{
    const char *const name = p->expected->table->cells[index];
    const base_csv *const got = p->got->table;
    paired_column pair = {name, index, base_csv_find(got, name), -1, -1, -1, false};
    const bool contact = strcmp(column->name, "colliding") == 0;
    const alg_quantity told = contact ? ALG_CONTACT : bench_quantity_of(column->has);
    if (told == ALG_QUANTITY_COUNT) { /* the column belongs to no single quantity */
        return pair;
    }
    pair.quantity = (int)quantity_for(contract, told);
    pair.judged_by_error = promise_of(contract, (alg_quantity)pair.quantity) == ALG_APPROXIMATE;
    const bench_quantity *const q = &bench_quantities[told];
    /* The truth's columns are not a bracket for every column of a quantity, for example not for
     * witness points. */
    const bool bracketed =
        contact || column->has == q->has || (q->number && column->has == q->number->bracket);
    if (q->truth_columns[0] && bracketed) {
        pair.truth_lo = base_csv_find(got, q->truth_columns[0]);
        pair.truth_hi = base_csv_find(got, q->truth_columns[1]);
    }
    return pair;
}

/**
 * Finds the columns of one role on the expected side, and their indices on the other side.
 * contract: as in bench_cell_row; it determines which columns are judged by their error. The caller
 * frees p->columns. Returns false if memory is exhausted.
 */
static bool make_pairing(const bench_gate_frames *expected, const bench_gate_frames *got,
                         bench_role role, const char *contract, bench_gate_report *report,
                         pairing *p)
{
    bench_frame_columns any;
    const base_csv *const table = expected->table;
    *p = (pairing){
        .expected = expected,
        .got = got,
        .columns = base_alloc(table->columns, sizeof *p->columns),
        .frame_count = expected->count < got->count ? expected->count : got->count,
        .report = report,
    };
    bench_frame_columns_list_any(&any);
    for (size_t i = 0; p->columns && i < table->columns; i++) {
        const char *const name = table->cells[i];
        const bench_column *const column = bench_frame_columns_find(&any, name);
        if (column && column->role == role && !bench_baseline_is_of_cell(name)) {
            p->columns[p->column_count++] = share_column(p, (int)i, column, contract);
        }
    }
    return p->columns;
}

/** Adds a finding about a frame. */
static void tell_frame(const pairing *p, const paired_column *column, size_t frame, bool failed,
                       const char *note)
{
    const int index = base_csv_find(p->expected->table, "frame");
    const int64_t number = strtoll(text_at(p->expected, frame, index), NULL, 10);
    bench_gate_add(p->report, &(bench_gate_finding){.frame = number,
                                                    .column = column->name,
                                                    .expected = old_text(p, column, frame),
                                                    .got = new_text(p, column, frame),
                                                    .note = note,
                                                    .failed = failed});
}

/** Adds a failure of the whole cell. */
static void add_change(bench_gate_report *report, const char *column, const char *expected,
                       const char *got, const char *note)
{
    bench_gate_add(report, &(bench_gate_finding){.frame = -1,
                                                 .column = column,
                                                 .expected = expected,
                                                 .got = got,
                                                 .note = note,
                                                 .failed = true});
}

/**
 * Adds the finding "... and 7 more frames", followed by `what`, if more frames were found than are
 * listed.
 */
static void tell_more(const pairing *p, size_t found, bool failed, const char *what)
{
    if (found > BENCH_FINDINGS_MAX) {
        const size_t more = found - BENCH_FINDINGS_MAX;
        bench_gate_note(p->report, failed, "... and %zu more frame%s%s", more, more > 1 ? "s" : "",
                        what);
    }
}

/**
 * Returns the interval of the truth for a column in a frame; both ends are NaN if it is not known.
 */
static gt_bracket truth_at(const pairing *p, const paired_column *column, size_t frame)
{
    gt_bracket t = {number_of(text_at(p->got, frame, column->truth_lo)),
                    number_of(text_at(p->got, frame, column->truth_hi))};
    if (isnan(t.lo) || isnan(t.hi)) {
        return (gt_bracket){NAN, NAN};
    }
    if (strcmp(column->name, "colliding") == 0) { /* t is the interval of the distance */
        t = (gt_bracket){t.hi <= 0, t.lo <= 0};
    }
    return t;
}

/** Adds a note for each column of the role that the expected side lacks and that has values. */
static void tell_new_columns(const pairing *p, bench_role role)
{
    const bench_gate_frames *const got = p->got;
    bench_frame_columns any;
    bench_frame_columns_list_any(&any);
    for (size_t i = 0; i < got->table->columns; i++) {
        const char *const name = got->table->cells[i];
        const bench_column *const column = bench_frame_columns_find(&any, name);
        if (!column || column->role != role || base_csv_find(p->expected->table, name) >= 0) {
            continue;
        }
        for (size_t row = 0; row < got->count; row++) {
            if (*text_at(got, row, (int)i)) {
                bench_gate_add(
                    p->report,
                    &(bench_gate_finding){.frame = -1,
                                          .column = name,
                                          .note = role == BENCH_ROLE_COUNTER
                                                      ? "a new counter: nothing to compare with"
                                                      : "a new column: nothing to compare with"});
                break;
            }
        }
    }
}

/* --- Numbers ---------------------------------------------------------------------------------- */

/** Maps doubles to integers in the same order: neighbours differ by one, both zeros map to 0. */
static int64_t ordinal(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >= 0 ? bits : INT64_MIN - bits;
}

uint64_t bench_ulps_apart(double a, double b)
{
    if (isnan(a) || isnan(b)) {
        return isnan(a) && isnan(b) ? 0 : UINT64_MAX;
    }
    const int64_t x = ordinal(a), y = ordinal(b);
    /* The unsigned difference modulo 2^64 is also correct where a signed one would overflow. */
    return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}

/* --- Comparison with the truth ---------------------------------------------------------------- */

/** Returns the distance from a number to the truth interval, 0 inside it. */
static double error_of(gt_bracket truth, double number)
{
    return fmax(0, fmax(truth.lo - number, number - truth.hi));
}

/**
 * Writes "1 ulp off" or "0.00012 off (1.3 %)"; writes "" if one of the two is NaN. Returns the
 * length.
 */
static size_t format_distance(double a, double b, char *text, size_t size)
{
    static const uint64_t rounding_ulps = UINT64_C(1) << 32;
    const uint64_t ulps = bench_ulps_apart(a, b);
    text[0] = '\0';
    if (isnan(a) || isnan(b)) {
        return 0;
    }
    if (ulps == 0) {
        snprintf(text, size, "a zero of the other sign");
    } else if (ulps < rounding_ulps) {
        snprintf(text, size, "%llu ulp%s off", (unsigned long long)ulps, ulps > 1 ? "s" : "");
    } else if (a != 0) {
        snprintf(text, size, "%.3g off (%.3g %%)", fabs(b - a), 100 * fabs((b - a) / a));
    } else {
        snprintf(text, size, "%.3g off", fabs(b - a));
    }
    return strlen(text);
}

/**
 * Writes the errors of the old and the new answer. The text does not call a change better or worse,
 * because a smaller error may be a failure too.
 */
static size_t format_errors(double old, double new, char *text, size_t size)
{
    char before[32], after[32];
    snprintf(before, sizeof before, "%.3g", old);
    snprintf(after, sizeof after, "%.3g", new);
    if (old == new) {
        snprintf(text, size, "%s",
                 old > 0 ? "; both have the same error" : "; both inside the truth's interval");
    } else if (strcmp(before, after) == 0) {
        snprintf(text, size, "; error: about %s in both, %s in the new", after,
                 new < old ? "less" : "more");
    } else {
        snprintf(text, size, "; error: old %s, new %s", before, after);
    }
    return strlen(text);
}

/**
 * Appends the number of other columns that differ in the frame, if there are any. used: length of
 * the text so far.
 */
static void add_more_columns(size_t more, size_t used, char *text, size_t size)
{
    if (more > 0) {
        snprintf(text + used, size - used, "%s%zu more column%s", used > 0 ? "; " : "", more,
                 more > 1 ? "s" : "");
    }
}

/** Writes the difference between the old and the new answer, and the error of each. */
static void format_answer_note(const pairing *p, const paired_column *column, size_t frame,
                               size_t more, char *text, size_t size)
{
    const double old = old_number(p, column, frame);
    const double new = new_number(p, column, frame);
    const gt_bracket truth = truth_at(p, column, frame);
    size_t used = format_distance(old, new, text, size);
    if (used > 0 && isnan(truth.lo)) {
        used += (size_t)snprintf(text + used, size - used, "; no truth to tell which is nearer");
    } else if (used > 0) {
        used += format_errors(error_of(truth, old), error_of(truth, new), text + used, size - used);
    }
    add_more_columns(more, used, text, size);
}

/* --- Answers that must be the same ------------------------------------------------------------ */

/** True if the texts of a frame are equal, or are numbers within the tolerance. */
static bool agree(const pairing *p, const paired_column *column, size_t frame)
{
    if (strcmp(old_text(p, column, frame), new_text(p, column, frame)) == 0) {
        return true;
    }
    /* Without a tolerance the texts must be equal, so the sign of a zero must agree, too. */
    const double old = old_number(p, column, frame);
    const double new = new_number(p, column, frame);
    return !isnan(old) && !isnan(new) && p->tolerance_ulp > 0 &&
           bench_ulps_apart(old, new) <= p->tolerance_ulp;
}

/** Compares the columns i with mask[i] == true, frame by frame. */
static void compare_bits(const pairing *p, const bool *mask)
{
    size_t differing = 0;
    for (size_t f = 0; f < p->frame_count; f++) {
        const paired_column *first = NULL;
        size_t columns = 0;
        for (size_t i = 0; i < p->column_count; i++) {
            if (mask[i] && !agree(p, &p->columns[i], f)) {
                first = first ? first : &p->columns[i];
                columns++;
            }
        }
        if (first && differing++ < BENCH_FINDINGS_MAX) {
            char note[320];
            format_answer_note(p, first, f, columns - 1, note, sizeof note);
            tell_frame(p, first, f, true, note);
        }
    }
    tell_more(p, differing, true, "");
}

/* --- Answers of approximate methods ----------------------------------------------------------- */

/** Errors of one column, old and new, over all frames of a cell. */
typedef struct error_change {
    size_t frames;                     /* frames that both sides answer and whose truth is known */
    size_t differing, nearer, farther; /* number of `frames` whose answers differ, whose error is
                                          smaller, whose error is larger */
    size_t unjudged;                   /* frames that differ and whose truth is not known */
    size_t unanswered;                 /* frames for which only one side has a number */
    double sum_old, sum_new, max_old, max_new;
    double magnitude; /* largest absolute value of an old or new answer or of the truth's upper
                         end */
} error_change;

static void add_frame_error(const pairing *p, const paired_column *column, size_t frame,
                            error_change *e)
{
    const double old = old_number(p, column, frame);
    const double new = new_number(p, column, frame);
    const gt_bracket truth = truth_at(p, column, frame);
    const bool differs = !agree(p, column, frame);
    if (isnan(old) || isnan(new)) {
        e->unanswered += differs;
        return;
    }
    if (isnan(truth.lo)) {
        e->unjudged += differs;
        return;
    }
    const double before = error_of(truth, old), after = error_of(truth, new);
    e->frames++;
    e->differing += differs;
    e->nearer += differs && after < before;
    e->farther += differs && after > before;
    e->sum_old += before;
    e->sum_new += after;
    e->max_old = fmax(e->max_old, before);
    e->max_new = fmax(e->max_new, after);
    e->magnitude = fmax(e->magnitude, fmax(fabs(old), fmax(fabs(new), fabs(truth.hi))));
}

static double mean(double sum, const error_change *e)
{
    return e->frames > 0 ? sum / (double)e->frames : 0;
}

/**
 * Accepted growth of an approximate method's error, relative to error_change.magnitude: 4096 ulp.
 * If some thousand terms are summed in another order, the sum differs by up to that much. The error
 * of an approximation is much larger.
 */
#define APPROXIMATE_ROUNDING 0x1p-40

static double rounding_of(const error_change *e)
{
    return APPROXIMATE_ROUNDING * e->magnitude;
}

/** True if the mean or the largest error of the cell grows by more than rounding. */
static bool is_farther(const error_change *e)
{
    return mean(e->sum_new, e) > mean(e->sum_old, e) + rounding_of(e) ||
           e->max_new > e->max_old + rounding_of(e);
}

/** Returns a phrase that describes the change of the error. */
static const char *describe_change(const error_change *e)
{
    const double before = mean(e->sum_old, e), after = mean(e->sum_new, e);
    return after > before + rounding_of(e)   ? "farther from the truth"
           : is_farther(e)                   ? "farther from the truth at its worst"
           : after < before - rounding_of(e) ? "nearer to the truth"
                                             : "as near to the truth, within rounding";
}

/**
 * Reports the frames whose error has grown. They are notes, because the gate judges the cell as a
 * whole (is_farther).
 */
static void tell_farther_frames(const pairing *p, const paired_column *column)
{
    size_t farther = 0;
    for (size_t f = 0; f < p->frame_count; f++) {
        error_change e = {0};
        add_frame_error(p, column, f, &e);
        if (e.farther > 0 && farther++ < BENCH_FINDINGS_MAX) {
            char note[320];
            format_answer_note(p, column, f, 0, note, sizeof note);
            tell_frame(p, column, f, false, note);
        }
    }
    tell_more(p, farther, false, " farther from the truth");
}

static void tell_error_change(const pairing *p, const paired_column *column, const error_change *e)
{
    const bool blind = e->differing == 0 && e->unjudged > 0;
    char expected[96], got[96], note[256];
    snprintf(expected, sizeof expected, "error: mean %.4g, max %.4g", mean(e->sum_old, e),
             e->max_old);
    snprintf(got, sizeof got, "error: mean %.4g, max %.4g", mean(e->sum_new, e), e->max_new);
    size_t used =
        (size_t)snprintf(note, sizeof note, "%s: %zu of %zu frames differ, %zu nearer, %zu farther",
                         blind ? "no truth to tell which is nearer" : describe_change(e),
                         e->differing + e->unjudged, p->frame_count, e->nearer, e->farther);
    if (e->unjudged > 0) {
        snprintf(note + used, sizeof note - used, ", %zu without a truth", e->unjudged);
    }
    bench_gate_add(p->report, &(bench_gate_finding){.frame = -1,
                                                    .column = column->name,
                                                    .expected = blind ? "" : expected,
                                                    .got = blind ? "" : got,
                                                    .note = note,
                                                    .failed = blind || is_farther(e)});
}

/**
 * Reports a column without a truth, if it has changed. The change is a note, because a column of
 * its quantity with a truth has changed, too.
 */
static void tell_follower(const pairing *p, const paired_column *column)
{
    size_t differing = 0, first = 0;
    for (size_t f = 0; f < p->frame_count; f++) {
        if (!agree(p, column, f)) {
            first = differing++ == 0 ? f : first;
        }
    }
    if (differing > 0) {
        char note[96];
        snprintf(note, sizeof note, "changes with the %s: %zu of %zu frames differ",
                 alg_quantity_names[column->quantity], differing, p->frame_count);
        tell_frame(p, column, first, false, note);
    }
}

/**
 * Judges the columns of a quantity that are judged by their error. mask: true for the columns that
 * must be the same; this function sets it to false for the others. Columns with a truth are judged
 * by their errors, unless only one side answers in some frame. If one of them has changed, columns
 * without a truth may change as well. Otherwise they must be the same.
 */
static void compare_errors(const pairing *p, int quantity, bool *mask)
{
    bool changed = false;
    for (size_t i = 0; i < p->column_count; i++) {
        const paired_column *const column = &p->columns[i];
        if (!column->judged_by_error || column->quantity != quantity || column->truth_lo < 0) {
            continue;
        }
        error_change e = {0};
        for (size_t f = 0; f < p->frame_count; f++) {
            add_frame_error(p, column, f, &e);
        }
        mask[i] = e.unanswered > 0;
        if (e.differing + e.unjudged > 0 && !mask[i]) {
            changed = true;
            tell_error_change(p, column, &e);
            tell_farther_frames(p, column);
        }
    }
    for (size_t i = 0; i < p->column_count; i++) {
        const paired_column *const column = &p->columns[i];
        if (changed && column->judged_by_error && column->quantity == quantity &&
            column->truth_lo < 0) {
            mask[i] = false;
            tell_follower(p, column);
        }
    }
}

static void compare_numbers(const pairing *p)
{
    bool *const mask = base_alloc(p->column_count + 1, sizeof *mask);
    if (!mask) {
        p->report->out_of_memory = true;
        return;
    }
    memset(mask, true, p->column_count);
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        compare_errors(p, q, mask);
    }
    compare_bits(p, mask);
    base_free(mask);
}

/* --- All answers of a cell -------------------------------------------------------------------- */

/**
 * Asks the gate about a cell's answers. A different number of frames is a failure. A column that
 * only the new side has is a note. old: its contract and its tolerance apply.
 */
static void compare_answers(const bench_gate_cell *old, const bench_gate_frames *expected,
                            const bench_gate_frames *got, bench_gate_report *report)
{
    pairing p;
    bench_gate_ask(report, BENCH_GATE_ANSWERS, old->row.scenario, old->row.variant);
    const char *const contract = report->same ? "" : old->row.contract; /* "": exact comparison */
    if (!make_pairing(expected, got, BENCH_ROLE_ANSWER, contract, report, &p)) {
        report->out_of_memory = true;
        return;
    }
    p.tolerance_ulp = old->row.tolerance_ulp;
    if (expected->count != got->count) {
        char counts[2][24];
        snprintf(counts[0], sizeof counts[0], "%zu", expected->count);
        snprintf(counts[1], sizeof counts[1], "%zu", got->count);
        add_change(report, "frames", counts[0], counts[1], "");
    }
    compare_numbers(&p);
    tell_new_columns(&p, BENCH_ROLE_ANSWER);
    base_free(p.columns);
}

/* --- Counters --------------------------------------------------------------------------------- */

/**
 * Returns 0 if the texts of a counter are the same, -1 if the new number is smaller, and 1
 * otherwise.
 */
static int compare_counter(const pairing *p, const paired_column *column, size_t frame)
{
    if (strcmp(old_text(p, column, frame), new_text(p, column, frame)) == 0) {
        return 0;
    }
    return new_number(p, column, frame) < old_number(p, column, frame) ? -1 : 1;
}

/** Writes "256000 fewer (50 %)"; writes "" if one of the two is NaN. Returns the length. */
static size_t format_difference(double old, double new, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    if (!isnan(old) && !isnan(new)) {
        used +=
            (size_t)snprintf(text, size, "%.15g %s", fabs(new - old), new > old ? "more" : "fewer");
        if (old > 0) {
            used +=
                (size_t)snprintf(text + used, size - used, " (%.3g %%)", 100 * fabs(new / old - 1));
        }
    }
    return used;
}

/** Reports the frames in which a counter changed in `direction`, a result of compare_counter. */
static void tell_counters(const pairing *p, int direction, bool failed)
{
    size_t found = 0;
    for (size_t f = 0; f < p->frame_count; f++) {
        const paired_column *first = NULL;
        size_t columns = 0;
        for (size_t i = 0; i < p->column_count; i++) {
            if (compare_counter(p, &p->columns[i], f) == direction) {
                first = first ? first : &p->columns[i];
                columns++;
            }
        }
        if (first && found++ < BENCH_FINDINGS_MAX) {
            char note[96];
            const size_t used = format_difference(old_number(p, first, f), new_number(p, first, f),
                                                  note, sizeof note);
            add_more_columns(columns - 1, used, note, sizeof note);
            tell_frame(p, first, f, failed, note);
        }
    }
    tell_more(p, found, failed, direction > 0 ? "" : " with fewer");
}

/**
 * Compares the memory of both prepared bodies. It is judged like a counter, because it does not
 * depend on the machine.
 */
static void compare_build_bytes(uint64_t old, uint64_t new, bench_gate_report *report)
{
    if (old == new || old == UINT64_MAX || new == UINT64_MAX) {
        return;
    }
    char bytes[2][24], note[96];
    snprintf(bytes[0], sizeof bytes[0], "%llu", (unsigned long long)old);
    snprintf(bytes[1], sizeof bytes[1], "%llu", (unsigned long long)new);
    format_difference((double)old, (double)new, note, sizeof note);
    bench_gate_add(report, &(bench_gate_finding){.frame = -1,
                                                 .column = "build_bytes",
                                                 .expected = bytes[0],
                                                 .got = bytes[1],
                                                 .note = note,
                                                 .failed = new > old || report->same});
}

/**
 * Asks the gate about the counters of a cell's frames, and about build_bytes if both sides have it.
 * A counter that only the new side has is a note.
 */
static void compare_counters(const bench_gate_cell *old, const bench_gate_frames *expected,
                             const bench_gate_cell *new, const bench_gate_frames *got,
                             bench_gate_report *report)
{
    pairing p;
    bench_gate_ask(report, BENCH_GATE_COUNTERS, old->row.scenario, old->row.variant);
    if (!make_pairing(expected, got, BENCH_ROLE_COUNTER, "", report, &p)) {
        report->out_of_memory = true;
        return;
    }
    tell_counters(&p, 1, true);
    tell_counters(&p, -1, report->same);
    compare_build_bytes(old->row.build_bytes, new->row.build_bytes, report);
    tell_new_columns(&p, BENCH_ROLE_COUNTER);
    base_free(p.columns);
}

/* --- The gates of one cell, in their order ---------------------------------------------------- */

/**
 * True if the expected side has the same status, and at least as many violations as the run. (A
 * baseline has such faults only if it was blessed by force.)
 */
static bool is_blessed_fault(const bench_gate_cell *expected, const bench_gate_cell *got)
{
    return strcmp(expected->row.status, got->row.status) == 0 &&
           got->row.violations <= expected->row.violations;
}

static void check_contract(const bench_gate_cell *expected, const bench_gate_cell *got,
                           bench_gate_report *report)
{
    bench_gate_ask(report, BENCH_GATE_CONTRACT, got->row.scenario, got->row.variant);
    if (got->row.violations > (expected ? expected->row.violations : 0)) {
        char counts[2][24];
        snprintf(counts[0], sizeof counts[0], "%llu",
                 (unsigned long long)(expected ? expected->row.violations : 0));
        snprintf(counts[1], sizeof counts[1], "%llu", (unsigned long long)got->row.violations);
        add_change(report, "violations_count", counts[0], counts[1], got->row.detail);
    } else if (strcmp(got->row.status, "wrong") == 0 &&
               !(expected && is_blessed_fault(expected, got))) {
        add_change(report, "status", expected ? expected->row.status : "ok", got->row.status,
                   got->row.detail);
    }
    if (expected && *expected->row.contract &&
        strcmp(expected->row.contract, got->row.contract) != 0) {
        add_change(report, "contract", expected->row.contract, got->row.contract, "");
    }
    if (expected && got->row.tolerance_ulp > expected->row.tolerance_ulp) {
        char ulps[2][24];
        snprintf(ulps[0], sizeof ulps[0], "%llu", (unsigned long long)expected->row.tolerance_ulp);
        snprintf(ulps[1], sizeof ulps[1], "%llu", (unsigned long long)got->row.tolerance_ulp);
        add_change(report, "tolerance_ulp", ulps[0], ulps[1], "");
    }
}

static void check_ending(const bench_gate_cell *expected, const bench_gate_cell *got,
                         bench_gate_report *report)
{
    bench_gate_ask(report, BENCH_GATE_ENDING, got->row.scenario, got->row.variant);
    if (bench_gate_died(got->row.status) && !(expected && is_blessed_fault(expected, got))) {
        add_change(report, "status", expected ? expected->row.status : "ok", got->row.status,
                   got->row.detail);
    }
}

static void check_allocations(const bench_gate_cell *got, bench_gate_report *report)
{
    if (got->own) {
        bench_gate_ask(report, BENCH_GATE_ALLOCATIONS, got->row.scenario, got->row.variant);
        if (got->row.allocations > 0) { /* NaN, and so not above 0, if they were not counted */
            char count[24];
            snprintf(count, sizeof count, "%.17g", got->row.allocations);
            add_change(report, "alloc_count", "0", count, "allocations in queries");
        }
    }
}

/**
 * Checks that the run has the cell, that it answered the same quantity, and that its status is the
 * expected one.
 */
static void check_presence(const bench_gate_cell *expected, const bench_gate_cell *got,
                           bench_gate_report *report)
{
    bench_gate_ask(report, BENCH_GATE_CELLS, expected->row.scenario, expected->row.variant);
    if (!got) {
        bench_gate_note(report, true, "missing: the run has no such cell");
        return;
    }
    if (strcmp(expected->row.quantity, got->row.quantity) != 0) {
        add_change(report, "quantity", expected->row.quantity, got->row.quantity, "");
    }
    /* The gates of contract and ending report a cell that is wrong or died. */
    if (strcmp(expected->row.status, got->row.status) != 0 &&
        strcmp(got->row.status, "wrong") != 0 && !bench_gate_died(got->row.status)) {
        add_change(report, "status", expected->row.status, got->row.status, got->row.detail);
    }
}

/** Compares answers and counters if both sides have answers to compare (bench_gate_has_frames). */
static base_status check_frames(const bench_gate_cells *baseline, const bench_gate_cell *expected,
                                const bench_gate_cells *run, const bench_gate_cell *got,
                                bench_gate_report *report, base_error *err)
{
    if (!bench_gate_has_frames(baseline, expected) || !bench_gate_has_frames(run, got)) {
        return BASE_OK;
    }
    bench_gate_frames wanted = {0}, there = {0};
    base_status status = bench_gate_frames_open(baseline, expected, &wanted, err);
    if (status == BASE_OK) {
        status = bench_gate_frames_open(run, got, &there, err);
    }
    if (status == BASE_OK) {
        const size_t asked = report->case_count;
        compare_answers(expected, &wanted, &there, report);
        compare_counters(expected, &wanted, got, &there, report);
        if (report->case_count > asked) {
            const bench_cell_row *const row = &got->row;
            report->cases[asked].time_s = /* 0 if the time is not known */
                row->time_mean_ns > 0 ? row->time_mean_ns * (double)row->frames * 1e-9 : 0;
        }
    }
    bench_gate_frames_close(&wanted);
    bench_gate_frames_close(&there);
    return status;
}

base_status bench_gate_check(const bench_gate_cells *baseline, const bench_gate_cells *run,
                             bench_gate_report *report, base_error *err)
{
    for (size_t i = 0; i < baseline->count; i++) {
        const bench_gate_cell *const expected = &baseline->items[i];
        const bench_gate_cell *const got =
            bench_gate_cell_find(run, expected->row.scenario, expected->row.variant);
        check_presence(expected, got, report);
        if (got) {
            const base_status status = check_frames(baseline, expected, run, got, report, err);
            if (status != BASE_OK) {
                return status;
            }
            check_contract(expected, got, report);
            check_ending(expected, got, report);
            check_allocations(got, report);
        }
    }
    for (size_t i = 0; i < run->count; i++) {
        const bench_gate_cell *const got = &run->items[i];
        if (!bench_gate_cell_find(baseline, got->row.scenario, got->row.variant)) {
            bench_gate_ask(report, BENCH_GATE_CELLS, got->row.scenario, got->row.variant);
            if (!baseline->folder) {
                bench_gate_note(report, false, "not in the baseline: bless to add");
            }
            check_contract(NULL, got, report);
            check_ending(NULL, got, report);
            check_allocations(got, report);
        }
    }
    return report->out_of_memory ? base_fail(err, BASE_ERR_MEMORY, "out of memory") : BASE_OK;
}
