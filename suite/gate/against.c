/** The job of old code against new, its gates, and the second job. */
#include "suite/gate/against.h"

#include "base/memory.h"
#include "suite/message.h"

#include <string.h>

/* --- Answers, contract, counters, endings ----------------------------------------------------- */

/**
 * Takes the cells in which the old code came to no end out of what is expected: it answered
 * nothing. Where the new one does better that is a note.
 */
static base_status drop_dead(bench_gate_cells *base, const char *folder, bench_gate_report *report,
                             base_error *err)
{
    size_t left = 0, dead = 0;
    const char *detail = "";
    for (size_t i = 0; i < base->count; i++) {
        const bench_gate_cell *const cell = &base->items[i];
        if (bench_gate_died(cell->status)) {
            bench_gate_ask(report, BENCH_GATE_CELLS, cell->scenario, cell->variant);
            bench_gate_note(report, false, "nothing to compare with: of the old code %s: %s",
                            cell->status, cell->detail);
            detail = cell->detail;
            dead++;
        } else {
            base->items[left++] = *cell;
        }
    }
    base->count = left;
    return left > 0 || dead == 0
               ? BASE_OK
               : base_fail(err, BASE_ERR_INPUT, "'%s': nothing of the old code came to an end: %s",
                           folder, detail);
}

/** More instructions: told where both were counted, on the same machine. */
static void ask_instructions(const bench_gate_cells *base, const bench_gate_cells *head,
                             bench_gate_report *report)
{
    const double most = 1.01;
    const double harness = 50; /* of a frame: what the loop around a query may differ by */
    for (size_t i = 0; i < base->count; i++) {
        const bench_gate_cell *const old = &base->items[i];
        const bench_gate_cell *const new = bench_gate_cell_find(head, old->scenario, old->variant);
        if (!new || !(old->instructions > 0) || !(new->instructions > 0)) {
            continue;
        }
        bench_gate_ask(report, BENCH_GATE_INSTRUCTIONS, old->scenario, old->variant);
        if (new->instructions > most * old->instructions &&new->instructions >
            old->instructions + harness) {
            char counts[2][32], note[48];
            snprintf(counts[0], sizeof counts[0], "%.6g", old->instructions);
            snprintf(counts[1], sizeof counts[1], "%.6g", new->instructions);
            snprintf(note, sizeof note, "%.3g %% more in a frame",
                     100 * (new->instructions / old->instructions - 1));
            bench_gate_add(report, &(bench_gate_finding){.frame = -1,
                                                         .column = "instructions",
                                                         .expected = counts[0],
                                                         .got = counts[1],
                                                         .note = note,
                                                         .failed = true});
        }
    }
}

static base_status ask_answers(const char *folder, bench_gate_report *report, base_error *err)
{
    bench_gate_cells base = {0}, head = {0};
    base_status status = bench_gate_read_run(folder, "base", &base, err);
    if (status == BASE_OK) {
        status = bench_gate_read_run(folder, "head", &head, err);
    }
    if (status == BASE_OK) {
        status = drop_dead(&base, folder, report, err);
    }
    if (status == BASE_OK) {
        status = bench_gate_check(&base, &head, report, err);
    }
    if (status == BASE_OK) {
        ask_instructions(&base, &head, report);
    }
    bench_gate_cells_release(&base);
    bench_gate_cells_release(&head);
    return status;
}

/* --- The second job --------------------------------------------------------------------------- */

/** Names of what looks slower, each once, NULL-terminated. */
typedef struct suspects {
    const char **variants, **scenarios;
    size_t variant_count, scenario_count;
} suspects;

static void add_name(const char **names, size_t *count, const char *name)
{
    for (size_t i = 0; i < *count; i++) {
        if (strcmp(names[i], name) == 0) {
            return;
        }
    }
    names[(*count)++] = name;
}

static base_status find_suspects(const bench_against_cells *cells, suspects *s, base_error *err)
{
    *s = (suspects){.variants = base_alloc(cells->count + 1, sizeof *s->variants),
                    .scenarios = base_alloc(cells->count + 1, sizeof *s->scenarios)};
    if (!s->variants || !s->scenarios) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < cells->count; i++) {
        if (cells->items[i].pace == BENCH_PACE_SLOWER) {
            add_name(s->variants, &s->variant_count, cells->items[i].variant);
            add_name(s->scenarios, &s->scenario_count, cells->items[i].scenario);
        }
    }
    return BASE_OK;
}

static base_status repeat(const bench_run_options *run, const suspects *s, double tolerance,
                          bench_against_cells *cells, bool *interrupted, base_error *err)
{
    char out[BENCH_RUN_FOLDER_BYTES], folder[BENCH_RUN_FOLDER_BYTES];
    if ((size_t)snprintf(out, sizeof out, "%s/again", run->directory) >= sizeof out) {
        return base_fail(err, BASE_ERR_ARGUMENT, "the path of the folder is too long");
    }
    base_status status = bench_run_folder(out, "", folder, err);
    if (status != BASE_OK) {
        return status;
    }
    bench_run_options second = *run;
    second.directory = folder;
    second.algorithms = s->variants;
    second.scenarios = s->scenarios;
    int exit_status = BENCH_GOOD;
    status = bench_run(&second, &exit_status, err);
    *interrupted = exit_status == BENCH_INTERRUPTED;
    bench_against_cells again = {0};
    if (status == BASE_OK && !*interrupted) {
        status = bench_against_read(folder, tolerance, &again, err);
    }
    if (status == BASE_OK && !*interrupted) {
        bench_against_confirm(cells, &again);
    }
    bench_against_release(&again);
    return status;
}

static base_status repeat_suspects(const bench_run_options *run, double tolerance,
                                   bench_against_cells *cells, bool *interrupted, base_error *err)
{
    suspects s;
    base_status status = find_suspects(cells, &s, err);
    if (status == BASE_OK && s.variant_count > 0) {
        status = repeat(run, &s, tolerance, cells, interrupted, err);
    }
    base_free((void *)s.variants);
    base_free((void *)s.scenarios);
    return status;
}

base_status bench_against(const bench_run_options *run, double tolerance, bench_gate_report *report,
                          bench_against_cells *cells, bool *interrupted, base_error *err)
{
    *cells = (bench_against_cells){0};
    int exit_status = BENCH_GOOD;
    base_status status = bench_run(run, &exit_status, err);
    *interrupted = exit_status == BENCH_INTERRUPTED;
    if (status != BASE_OK || *interrupted) {
        return status;
    }
    if (exit_status == BENCH_INPUT) {
        return base_fail(err, BASE_ERR_INPUT, "nothing was compared: nobody answers what is asked");
    }
    status = ask_answers(run->directory, report, err);
    if (status == BASE_OK) {
        status = bench_against_read(run->directory, tolerance, cells, err);
    }
    if (status == BASE_OK) {
        status = repeat_suspects(run, tolerance, cells, interrupted, err);
    }
    if (status == BASE_OK && !*interrupted) {
        bench_against_ask(cells, tolerance, report);
    }
    return status;
}
