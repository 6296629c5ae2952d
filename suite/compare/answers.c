#include "suite/compare/answers.h"

#include "base/memory.h"
#include "suite/message.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- Manifests -------------------------------------------------------------------------------- */

typedef struct manifest {
    base_csv table;
    int section, key, value;
} manifest;

static base_status read_manifest(const char *run, manifest *m, base_error *err)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/manifest.csv", run);
    base_status status = base_csv_read(path, NULL, &m->table, err);
    status = status == BASE_OK ? base_csv_column(&m->table, "section", &m->section, err) : status;
    status = status == BASE_OK ? base_csv_column(&m->table, "key", &m->key, err) : status;
    status = status == BASE_OK ? base_csv_column(&m->table, "value", &m->value, err) : status;
    return status;
}

static const char *text_of(const manifest *m, size_t row, int column)
{
    const char *const text = base_csv_text(&m->table, row, column);
    return text ? text : "";
}

/** "" when it has no such fact. */
static const char *fact(const manifest *m, const char *section, const char *key)
{
    for (size_t i = 0; i < m->table.rows; i++) {
        if (strcmp(text_of(m, i, m->section), section) == 0 &&
            strcmp(text_of(m, i, m->key), key) == 0) {
            return text_of(m, i, m->value);
        }
    }
    return "";
}

/** What changes from minute to minute, or has no part in times, says nothing of which machine it
 * is. */
static bool tells_machine(const manifest *m, size_t row)
{
    const char *const key = text_of(m, row, m->key);
    return strcmp(text_of(m, row, m->section), "machine") == 0 && strncmp(key, "load", 4) != 0 &&
           strncmp(key, "tetgen", 6) != 0;
}

enum { NAMED_FACTS = 6 };

/** "key ('x' and 'y'), ...": facts of the machines that differ; the first few by name. */
static void list_differences(const manifest m[2], char *text, size_t size)
{
    size_t count = 0, used = 0;
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < m[side].table.rows; i++) {
            const char *const key = text_of(&m[side], i, m[side].key);
            const char *const one = fact(&m[0], "machine", key);
            const char *const two = fact(&m[1], "machine", key);
            const bool seen = side == 1 && *one;
            if (tells_machine(&m[side], i) && !seen && strcmp(one, two) != 0 &&
                count++ < NAMED_FACTS && used < size) {
                used += (size_t)snprintf(text + used, size - used, "%s%s ('%s' and '%s')",
                                         used ? ", " : "", key, one, two);
            }
        }
    }
    if (count > NAMED_FACTS && used < size) {
        snprintf(text + used, size - used, " and %zu more", count - NAMED_FACTS);
    }
}

/** Other inputs have other answers, and that is no news. */
static void warn_of_inputs(const manifest m[2], const char *scenario)
{
    static const char *const keys[] = {"a_hash", "b_hash", "poses_hash"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *const one = fact(&m[0], scenario, keys[i]);
        const char *const two = fact(&m[1], scenario, keys[i]);
        if (*one && *two && strcmp(one, two) != 0) {
            bench_warn("'%s' was run on other inputs: %s differs", scenario, keys[i]);
        }
    }
}

/* --- Cells ------------------------------------------------------------------------------------ */

static bool takes_part(const bench_record_cell *cell)
{
    return !cell->twin && !cell->left_out;
}

static bench_answer_match match_of(const bench_record_cell *one, const bench_record_cell *two)
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
    return strcmp(one->hash, two->hash) == 0 ? BENCH_ANSWER_SAME : BENCH_ANSWER_DIFFERS;
}

static void match_cells(const bench_record records[2], bench_answers *answers)
{
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < records[side].cell_count; i++) {
            const bench_record_cell *const c = &records[side].cells[i];
            const bench_record_cell *const other =
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

static void match_manifests(const bench_record *record, const manifest m[2], bench_answers *answers)
{
    list_differences(m, answers->differing, sizeof answers->differing);
    answers->times = !answers->differing[0];
    for (size_t first = 0; first < record->cell_count;
         first = bench_record_scenario_end(record, first)) {
        warn_of_inputs(m, record->cells[first].scenario);
    }
}

base_status bench_answers_make(const bench_record records[2], const char *const runs[2],
                               bench_answers *answers, base_error *err)
{
    *answers = (bench_answers){0};
    manifest m[2] = {0};
    base_status status = read_manifest(runs[0], &m[0], err);
    status = status == BASE_OK ? read_manifest(runs[1], &m[1], err) : status;
    if (status == BASE_OK) {
        answers->pairs =
            base_alloc(records[0].cell_count + records[1].cell_count, sizeof *answers->pairs);
        status = answers->pairs ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    if (status == BASE_OK) {
        match_cells(records, answers);
        match_manifests(&records[0], m, answers);
    }
    base_csv_release(&m[0].table);
    base_csv_release(&m[1].table);
    return status;
}

void bench_answers_release(bench_answers *answers)
{
    base_free(answers->pairs);
    *answers = (bench_answers){0};
}
