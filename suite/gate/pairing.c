#include "suite/gate/pairing.h"

#include "base/memory.h"
#include "base/text.h"
#include "suite/results/frames.h"
#include "suite/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

const char *bench_pairing_old(const bench_pairing *p, const bench_pair_column *column, size_t frame)
{
    return text_at(p->expected, frame, column->expected);
}

const char *bench_pairing_new(const bench_pairing *p, const bench_pair_column *column, size_t frame)
{
    return text_at(p->got, frame, column->got);
}

double bench_pairing_old_number(const bench_pairing *p, const bench_pair_column *column,
                                size_t frame)
{
    return number_of(bench_pairing_old(p, column, frame));
}

double bench_pairing_new_number(const bench_pairing *p, const bench_pair_column *column,
                                size_t frame)
{
    return number_of(bench_pairing_new(p, column, frame));
}

static int64_t number_of_frame(const bench_pairing *p, size_t frame)
{
    const int index = base_csv_find(p->expected->table, "frame");
    return strtoll(text_at(p->expected, frame, index), NULL, 10);
}

/** Returns the promise of a contract for a quantity. */
static alg_contract promise_of(const char *contract, alg_quantity quantity)
{
    alg_contract promise = ALG_NOT_ANSWERED;
    const bench_cell_row row = {.contract = contract};
    return bench_cell_row_contract(&row, quantity, &promise) ? promise : ALG_NOT_ANSWERED;
}

/**
 * Returns the quantity that a column of answers belongs to, or ALG_QUANTITY_COUNT if it belongs to
 * no single quantity.
 */
static alg_quantity quantity_of(const bench_column *column)
{
    return strcmp(column->name, "colliding") == 0 ? ALG_CONTACT : bench_quantity_of(column->has);
}

/**
 * Returns the quantity whose contract judges an answer: its own quantity if it was asked. Otherwise
 * contact follows from the distance or the volume, and depth and force accompany a volume.
 */
static alg_quantity quantity_for(const char *contract, alg_quantity quantity)
{
    const bool by_distance = quantity == ALG_CONTACT && promise_of(contract, ALG_DISTANCE);
    const bool alone = quantity == ALG_DISTANCE || quantity == ALG_VOLUME;
    return alone || promise_of(contract, quantity) ? quantity
           : by_distance                           ? ALG_DISTANCE
                                                   : ALG_VOLUME;
}

/**
 * True if the truth's columns bracket this column. For example, they do not bracket witness points.
 */
static bool is_the_answer(const bench_column *column, const bench_quantity *q)
{
    return strcmp(column->name, "colliding") == 0 || column->has == q->has ||
           (q->number && column->has == q->number->bracket);
}

static bench_pair_column share_column(const bench_pairing *p, int index, const bench_column *column,
                                      const char *contract)
{
    const char *const name = p->expected->table->cells[index];
    const base_csv *const got = p->got->table;
    bench_pair_column pair = {name, index, base_csv_find(got, name), -1, -1, -1, false};
    const alg_quantity told = quantity_of(column);
    if (told == ALG_QUANTITY_COUNT) {
        return pair;
    }
    pair.quantity = (int)quantity_for(contract, told);
    pair.judged_by_error = promise_of(contract, (alg_quantity)pair.quantity) == ALG_APPROXIMATE;
    const bench_quantity *const q = &bench_quantities[told];
    if (q->truth_columns[0] && is_the_answer(column, q)) {
        pair.truth_lo = base_csv_find(got, q->truth_columns[0]);
        pair.truth_hi = base_csv_find(got, q->truth_columns[1]);
    }
    return pair;
}

bool bench_pairing_make(const bench_gate_frames *expected, const bench_gate_frames *got,
                        bench_role role, const char *contract, bench_gate_report *report,
                        bench_pairing *p)
{
    bench_frame_columns any;
    const base_csv *const table = expected->table;
    *p = (bench_pairing){
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

void bench_pairing_tell(const bench_pairing *p, const bench_pair_column *column, size_t frame,
                        bool failed, const char *note)
{
    bench_gate_add(p->report, &(bench_gate_finding){.frame = number_of_frame(p, frame),
                                                    .column = column->name,
                                                    .expected = bench_pairing_old(p, column, frame),
                                                    .got = bench_pairing_new(p, column, frame),
                                                    .note = note,
                                                    .failed = failed});
}

void bench_pairing_tell_more(const bench_pairing *p, size_t found, bool failed, const char *what)
{
    if (found > BENCH_FINDINGS_MAX) {
        const size_t more = found - BENCH_FINDINGS_MAX;
        bench_gate_note(p->report, failed, "... and %zu more frame%s%s", more, more > 1 ? "s" : "",
                        what);
    }
}

bench_truth_bracket bench_pairing_truth(const bench_pairing *p, const bench_pair_column *column,
                                        size_t frame)
{
    bench_truth_bracket t = {number_of(text_at(p->got, frame, column->truth_lo)),
                             number_of(text_at(p->got, frame, column->truth_hi))};
    if (isnan(t.lo) || isnan(t.hi)) {
        return (bench_truth_bracket){NAN, NAN};
    }
    if (strcmp(column->name, "colliding") == 0) { /* the truth is the distance's interval */
        t = (bench_truth_bracket){t.hi <= 0, t.lo <= 0};
    }
    return t;
}

void bench_pairing_tell_new_columns(const bench_pairing *p, bench_role role)
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
