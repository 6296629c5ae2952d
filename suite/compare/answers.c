#include "suite/compare/answers.h"

#include "base/memory.h"
#include "suite/message.h"

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

/**
 * True if a fact identifies the machine. Facts that change from minute to minute (load) or do not
 * affect times (tetgen) do not.
 */
static bool tells_machine(const bench_fact *f)
{
    return strcmp(f->section, "machine") == 0 && strncmp(f->key, "load", 4) != 0 &&
           strncmp(f->key, "tetgen", 6) != 0;
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
            if (tells_machine(f) && !seen && strcmp(one, two) != 0 && count++ < NAMED_FACTS &&
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

/**
 * Warns if the inputs of a scenario differ between the runs, because then different answers are
 * expected.
 */
static void warn_of_inputs(const bench_record records[2], const char *scenario)
{
    static const char *const keys[] = {"a_hash", "b_hash", "poses_hash"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *const one = fact(&records[0], scenario, keys[i]);
        const char *const two = fact(&records[1], scenario, keys[i]);
        if (*one && *two && strcmp(one, two) != 0) {
            bench_warn("'%s' was run on other inputs: %s differs", scenario, keys[i]);
        }
    }
}

/* --- Cells ------------------------------------------------------------------------------------ */

static bool takes_part(const bench_cell_row *cell)
{
    return !cell->twin && !cell->left_out;
}

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
            if (!takes_part(c) || (side == 1 && other)) {
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

static void match_manifests(const bench_record records[2], bench_answers *answers)
{
    list_differences(records, answers->differing, sizeof answers->differing);
    answers->times = !answers->differing[0];
    for (size_t first = 0; first < records[0].cell_count;
         first = bench_record_scenario_end(&records[0], first)) {
        warn_of_inputs(records, records[0].cells[first].scenario);
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
    match_manifests(records, answers);
    return BASE_OK;
}

void bench_answers_release(bench_answers *answers)
{
    base_free(answers->pairs);
    *answers = (bench_answers){0};
}
