#include "suite/compare/answers.h"

#include "base/memory.h"
#include "suite/message.h"
#include "suite/results/cells.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- Manifests -------------------------------------------------------------------------------- */

/** Returns the value of a fact, or "" if the manifest lacks it. */
static const char *fact(const bench_record *r, const char *section, const char *key)
{
    const char *const value = bench_record_fact(r, section, key);
    return value ? value : "";
}

enum { NAMED_FACTS = 6 };

/**
 * Lists the facts of the machines that differ as "key ('x' and 'y'), ...". Only the first
 * NAMED_FACTS are named; the others are counted.
 */
static void list_differences(const bench_record records[2], char *text, size_t size)
{
    size_t count = 0, used = 0;
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < records[side].fact_count; i++) {
            const bench_fact *const f = &records[side].facts[i];
            const char *const one = fact(&records[0], "machine", f->key);
            const char *const two = fact(&records[1], "machine", f->key);
            const bool seen = side == 1 && *one;
            /* Facts that change from minute to minute (load) or do not affect times (tetgen) do not
             * identify the machine. */
            const bool of_machine = strcmp(f->section, "machine") == 0 &&
                                    strncmp(f->key, "load", 4) != 0 &&
                                    strncmp(f->key, "tetgen", 6) != 0;
            if (of_machine && !seen && strcmp(one, two) != 0 && count++ < NAMED_FACTS &&
                used < size) {
                used += (size_t)snprintf(text + used, size - used, "%s%s ('%s' and '%s')",
                                         used ? ", " : "", f->key, one, two);
            }
        }
    }
    if (count > NAMED_FACTS && used < size) {
        snprintf(text + used, size - used, " and %zu more", count - NAMED_FACTS);
    }
}

/* --- Cells ------------------------------------------------------------------------------------ */

static bench_answer_match match_of(const bench_cell_row *one, const bench_cell_row *two)
{
    if (!two) {
        return BENCH_ANSWER_MISSING_2;
    }
    if (!one) {
        return BENCH_ANSWER_MISSING_1;
    }
    if (strcmp(one->status, two->status) != 0) {
        return BENCH_ANSWER_STATUS;
    }
    return strcmp(one->answers_hash, two->answers_hash) == 0 ? BENCH_ANSWER_SAME
                                                             : BENCH_ANSWER_DIFFERS;
}

static void match_cells(const bench_record records[2], bench_answers *answers)
{
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < records[side].cell_count; i++) {
            const bench_cell_row *const c = &records[side].cells[i];
            const bench_cell_row *const other =
                bench_record_find(&records[1 - side], c->scenario, c->variant);
            if (c->twin || c->left_out || (side == 1 && other)) {
                continue;
            }
            bench_answer_pair *const p = &answers->pairs[answers->count++];
            p->cells[side] = c;
            p->cells[1 - side] = other;
            p->match = match_of(p->cells[0], p->cells[1]);
            answers->unlike += p->match != BENCH_ANSWER_SAME;
        }
    }
}

base_status bench_answers_make(const bench_record records[2], bench_answers *answers,
                               base_error *err)
{
    *answers = (bench_answers){
        .pairs = base_alloc(records[0].cell_count + records[1].cell_count, sizeof *answers->pairs)};
    if (!answers->pairs) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    match_cells(records, answers);
    list_differences(records, answers->differing, sizeof answers->differing);
    answers->times = !answers->differing[0];
    for (size_t first = 0; first < records[0].cell_count;
         first = bench_record_scenario_end(&records[0], first)) {
        /* Different answers are expected if the inputs differ. */
        static const char *const keys[] = {"a_hash", "b_hash", "poses_hash"};
        const char *const scenario = records[0].cells[first].scenario;
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            const char *const one = fact(&records[0], scenario, keys[i]);
            const char *const two = fact(&records[1], scenario, keys[i]);
            if (*one && *two && strcmp(one, two) != 0) {
                bench_warn("'%s' was run on other inputs: %s differs", scenario, keys[i]);
            }
        }
    }
    return BASE_OK;
}

void bench_answers_release(bench_answers *answers)
{
    base_free(answers->pairs);
    *answers = (bench_answers){0};
}

/* --- The table -------------------------------------------------------------------------------- */

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
    static const char *const matches[] = {
        [BENCH_ANSWER_SAME] = "same",
        [BENCH_ANSWER_DIFFERS] = "differs",
        [BENCH_ANSWER_MISSING_1] = "missing in 1",
        [BENCH_ANSWER_MISSING_2] = "missing in 2",
    };
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
        if (p->match == BENCH_ANSWER_STATUS) {
            bench_rows_put(rows, "%s -> %s", p->cells[0]->status, p->cells[1]->status);
        } else {
            bench_rows_put(rows, "%s", matches[p->match]);
        }
        scripts ? put_pair_for_scripts(rows, p, quantity, times)
                : put_pair_for_people(rows, p, quantity, times);
    }
}

base_status bench_answers_print(const bench_answers *answers, bench_format format, FILE *file,
                                base_error *err)
{
    static const char *const for_scripts[] = {
        "scenario",     "variant",     "quantity",    "answers",       "error_mean_1",
        "error_mean_2", "error_max_1", "error_max_2", "time_p99_1_ns", "time_p99_2_ns"};
    static const char *const for_people[] = {"scenario",  "variant",   "error of", "answers",
                                             "  error 1", "  error 2", "   p99 1", "   p99 2"};
    const bool scripts = bench_format_is_for_scripts(format);
    bench_rows rows = {.columns = scripts ? 10 : answers->times ? 8 : 6};
    bench_rows_put_names(&rows, scripts ? for_scripts : for_people);
    for (size_t i = 0; i < answers->count; i++) {
        put_pair(&rows, &answers->pairs[i], scripts, answers->times);
    }
    return bench_rows_finish(&rows, format, file, err);
}
