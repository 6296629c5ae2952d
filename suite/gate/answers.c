#include "suite/gate/answers.h"

#include "base/memory.h"
#include "suite/gate/pairing.h"
#include "suite/quantity.h"

#include <math.h>
#include <string.h>

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
static double error_of(bench_truth_bracket truth, double number)
{
    return fmax(0, fmax(truth.lo - number, number - truth.hi));
}

/**
 * Writes "1 ulp off" or "0.00012 off (1.3 %)", or "" unless both are numbers. Returns the length.
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
 * Writes the errors of the old and the new answer. The wording is neutral because the frame may be
 * a failure.
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

/** Writes the difference between the old and the new answer, and the error of each. */
static void format_answer_note(const bench_pairing *p, const bench_pair_column *column,
                               size_t frame, size_t more, char *text, size_t size)
{
    const double old = bench_pairing_old_number(p, column, frame);
    const double new = bench_pairing_new_number(p, column, frame);
    const bench_truth_bracket truth = bench_pairing_truth(p, column, frame);
    size_t used = format_distance(old, new, text, size);
    if (used > 0 && isnan(truth.lo)) {
        used += (size_t)snprintf(text + used, size - used, "; no truth to tell which is nearer");
    } else if (used > 0) {
        used += format_errors(error_of(truth, old), error_of(truth, new), text + used, size - used);
    }
    if (more > 0) {
        snprintf(text + used, size - used, "%s%zu more column%s", used > 0 ? "; " : "", more,
                 more > 1 ? "s" : "");
    }
}

/* --- Answers that must be the same ------------------------------------------------------------ */

/** True if the texts of a frame are equal, or are numbers within the tolerance. */
static bool agree(const bench_pairing *p, const bench_pair_column *column, size_t frame)
{
    if (strcmp(bench_pairing_old(p, column, frame), bench_pairing_new(p, column, frame)) == 0) {
        return true;
    }
    /* Without a tolerance, the sign of a zero must also agree. */
    const double old = bench_pairing_old_number(p, column, frame);
    const double new = bench_pairing_new_number(p, column, frame);
    return !isnan(old) && !isnan(new) && p->tolerance_ulp > 0 &&
           bench_ulps_apart(old, new) <= p->tolerance_ulp;
}

/** Compares the columns i with mask[i] == true, frame by frame. */
static void compare_bits(const bench_pairing *p, const bool *mask)
{
    size_t differing = 0;
    for (size_t f = 0; f < p->frame_count; f++) {
        const bench_pair_column *first = NULL;
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
            bench_pairing_tell(p, first, f, true, note);
        }
    }
    bench_pairing_tell_more(p, differing, true, "");
}

/* --- Answers of approximate methods ----------------------------------------------------------- */

/** Errors of one column, old and new, over all frames of a cell. */
typedef struct error_change {
    size_t frames;                     /* frames that both sides answer and whose truth is known */
    size_t differing, nearer, farther; /* counts among `frames` */
    size_t unjudged;                   /* frames that differ and have no truth */
    size_t unanswered;                 /* frames for which only one side has a number */
    double sum_old, sum_new, max_old, max_new;
    double magnitude; /* absolute value of the largest number */
} error_change;

static void add_frame_error(const bench_pairing *p, const bench_pair_column *column, size_t frame,
                            error_change *e)
{
    const double old = bench_pairing_old_number(p, column, frame);
    const double new = bench_pairing_new_number(p, column, frame);
    const bench_truth_bracket truth = bench_pairing_truth(p, column, frame);
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

static error_change measure_errors(const bench_pairing *p, const bench_pair_column *column)
{
    error_change e = {0};
    for (size_t f = 0; f < p->frame_count; f++) {
        add_frame_error(p, column, f, &e);
    }
    return e;
}

static double mean(double sum, const error_change *e)
{
    return e->frames > 0 ? sum / (double)e->frames : 0;
}

static double rounding_of(const error_change *e)
{
    return BENCH_APPROXIMATE_ROUNDING * e->magnitude;
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
 * Reports the frames whose error has grown. They are notes, because the cell as a whole is judged.
 */
static void tell_farther_frames(const bench_pairing *p, const bench_pair_column *column)
{
    size_t farther = 0;
    for (size_t f = 0; f < p->frame_count; f++) {
        error_change e = {0};
        add_frame_error(p, column, f, &e);
        if (e.farther > 0 && farther++ < BENCH_FINDINGS_MAX) {
            char note[320];
            format_answer_note(p, column, f, 0, note, sizeof note);
            bench_pairing_tell(p, column, f, false, note);
        }
    }
    bench_pairing_tell_more(p, farther, false, " farther from the truth");
}

static void tell_error_change(const bench_pairing *p, const bench_pair_column *column,
                              const error_change *e)
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
 * Reports a column without a truth that changed together with the judged column of its quantity.
 * The change is a note.
 */
static void tell_follower(const bench_pairing *p, const bench_pair_column *column)
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
        bench_pairing_tell(p, column, first, false, note);
    }
}

/**
 * Judges the columns of an approximated quantity. Columns with a truth are judged by their errors.
 * If one of them has changed, columns without a truth may change as well; otherwise they stay in
 * `mask`, which means that they must be the same. Columns that only one side answers in some frame
 * also stay in `mask`.
 */
static void compare_errors(const bench_pairing *p, int quantity, bool *mask)
{
    bool changed = false;
    for (size_t i = 0; i < p->column_count; i++) {
        const bench_pair_column *const column = &p->columns[i];
        if (!column->judged_by_error || column->quantity != quantity || column->truth_lo < 0) {
            continue;
        }
        const error_change e = measure_errors(p, column);
        mask[i] = e.unanswered > 0;
        if (e.differing + e.unjudged > 0 && !mask[i]) {
            changed = true;
            tell_error_change(p, column, &e);
            tell_farther_frames(p, column);
        }
    }
    for (size_t i = 0; i < p->column_count; i++) {
        const bench_pair_column *const column = &p->columns[i];
        if (changed && column->judged_by_error && column->quantity == quantity &&
            column->truth_lo < 0) {
            mask[i] = false;
            tell_follower(p, column);
        }
    }
}

static void compare_numbers(const bench_pairing *p)
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

static void compare_frame_counts(const bench_pairing *p)
{
    if (p->expected->count != p->got->count) {
        char counts[2][24];
        snprintf(counts[0], sizeof counts[0], "%zu", p->expected->count);
        snprintf(counts[1], sizeof counts[1], "%zu", p->got->count);
        bench_gate_add(p->report, &(bench_gate_finding){.frame = -1,
                                                        .column = "frames",
                                                        .expected = counts[0],
                                                        .got = counts[1],
                                                        .failed = true});
    }
}

void bench_gate_compare_answers(const bench_gate_cell *old, const bench_gate_frames *expected,
                                const bench_gate_frames *got, bench_gate_report *report)
{
    bench_pairing p;
    bench_gate_ask(report, BENCH_GATE_ANSWERS, old->row.scenario, old->row.variant);
    const char *const contract = report->same ? "" : old->row.contract; /* "": exact comparison */
    if (!bench_pairing_make(expected, got, BENCH_ROLE_ANSWER, contract, report, &p)) {
        report->out_of_memory = true;
        return;
    }
    p.tolerance_ulp = old->row.tolerance_ulp;
    compare_frame_counts(&p);
    compare_numbers(&p);
    bench_pairing_tell_new_columns(&p, BENCH_ROLE_ANSWER);
    base_free(p.columns);
}
