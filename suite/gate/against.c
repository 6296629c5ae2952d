#include "suite/gate/against.h"

#include "base/memory.h"
#include "suite/gate/gate.h"
#include "suite/results/run_folder.h"

#include <math.h>
#include <string.h>

const char *bench_pace_name(bench_pace pace)
{
    static const char *const names[] = {
        [BENCH_PACE_UNKNOWN] = "not known",
        [BENCH_PACE_SAME] = "the same",
        [BENCH_PACE_SLOWER] = "slower",
        [BENCH_PACE_FASTER] = "faster",
        [BENCH_PACE_NOT_CONFIRMED] = "slower, not confirmed",
    };
    return names[pace];
}

/**
 * New against old in one job. Slower: the lower bound of new / old is above 1 + tolerance, and
 * above what the twin of the old one shows (A/A), in either direction; faster: likewise from the
 * other side.
 */
static bench_pace decide_pace(const bench_ratio *head, const bench_ratio *twin, double tolerance)
{
    if (isnan(head->lo) || isnan(head->hi) || isnan(twin->lo) || isnan(twin->hi)) {
        return BENCH_PACE_UNKNOWN;
    }
    const double noise = fmax(twin->hi, 1 / twin->lo);
    const double bound = fmax(1 + tolerance, noise);
    return head->lo > bound       ? BENCH_PACE_SLOWER
           : head->hi < 1 / bound ? BENCH_PACE_FASTER
                                  : BENCH_PACE_SAME;
}

/** What two jobs say together: slower only if both do. */
static bench_pace confirm_pace(bench_pace first, bench_pace second)
{
    return first == BENCH_PACE_SLOWER && second != BENCH_PACE_SLOWER ? BENCH_PACE_NOT_CONFIRMED
                                                                     : first;
}

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
        if (bench_gate_died(cell->row.status)) {
            bench_gate_ask(report, BENCH_GATE_CELLS, cell->row.scenario, cell->row.variant);
            bench_gate_note(report, false, "nothing to compare with: of the old code %s: %s",
                            cell->row.status, cell->row.detail);
            detail = cell->row.detail;
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
        const bench_gate_cell *const new =
            bench_gate_cell_find(head, old->row.scenario, old->row.variant);
        const double before = old->row.instructions_mean;
        const double after = new ? new->row.instructions_mean : (double)NAN;
        if (!(before > 0) || !(after > 0)) {
            continue;
        }
        bench_gate_ask(report, BENCH_GATE_INSTRUCTIONS, old->row.scenario, old->row.variant);
        if (after > most * before && after > before + harness) {
            char counts[2][32], note[48];
            snprintf(counts[0], sizeof counts[0], "%.6g", before);
            snprintf(counts[1], sizeof counts[1], "%.6g", after);
            snprintf(note, sizeof note, "%.3g %% more in a frame", 100 * (after / before - 1));
            bench_gate_add(report, &(bench_gate_finding){.frame = -1,
                                                         .column = "instructions",
                                                         .expected = counts[0],
                                                         .got = counts[1],
                                                         .note = note,
                                                         .failed = true});
        }
    }
}

base_status bench_against_answers(const char *folder, bench_gate_report *report, base_error *err)
{
    bench_gate_cells base = {0}, head = {0};
    base_status status = bench_gate_read_run(folder, "base", &base, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = bench_gate_read_run(folder, "head", &head, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = drop_dead(&base, folder, report, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = bench_gate_check(&base, &head, report, err);
    if (status == BASE_OK) {
        ask_instructions(&base, &head, report);
    }
done:
    bench_gate_cells_release(&base);
    bench_gate_cells_release(&head);
    return status;
}

/* --- Reading the times ------------------------------------------------------------------------ */

static base_status measure(const bench_record *record, const bench_cell_row *head,
                           const bench_cell_row *base, double tolerance, bench_against_cell *cell,
                           base_error *err)
{
    const double alpha = 0.05; /* of each variant: the second job is the guard against many */
    bench_comparison c = {
        .variant = head, .baseline = base, .alpha = alpha, .metric = BENCH_METRIC_P99};
    base_status status = bench_comparison_measure(record, &c, err);
    cell->p99 = c.ratio;
    if (c.claim == BENCH_CLAIM_BELOW_RESOLUTION) {
        cell->p99 = (bench_ratio){.ratio = NAN, .lo = NAN, .hi = NAN};
    }
    if (status == BASE_OK) {
        c.metric = BENCH_METRIC_QUERY;
        status = bench_comparison_measure(record, &c, err);
    }
    cell->head = c.ratio;
    cell->twin = c.twin;
    cell->pace = decide_pace(&cell->head, &cell->twin, tolerance);
    return status;
}

static base_status add_cell(const bench_record *record, const bench_cell_row *head,
                            double tolerance, bench_against_cells *cells, base_error *err)
{
    static const char label[] = "@head";
    const size_t length = strlen(head->variant) - strlen(label);
    char name[BENCH_CONTESTANT_NAME_BYTES], base_name[BENCH_CONTESTANT_NAME_BYTES + 8];
    snprintf(name, sizeof name, "%.*s", (int)length, head->variant);
    snprintf(base_name, sizeof base_name, "%s@base", name);
    const bench_cell_row *const base = bench_record_find(record, head->scenario, base_name);
    if (!base || !bench_cell_row_is_ok(base) || !bench_cell_row_is_ok(head)) {
        return BASE_OK; /* other gates tell why */
    }
    const base_status status = base_reserve(cells->items, cells->capacity, cells->count + 1, err);
    if (status != BASE_OK) {
        return status;
    }
    bench_against_cell *const cell = &cells->items[cells->count++];
    cell->scenario = base_arena_text(&cells->arena, head->scenario);
    cell->variant = base_arena_text(&cells->arena, name);
    return cell->scenario && cell->variant ? measure(record, head, base, tolerance, cell, err)
                                           : base_fail(err, BASE_ERR_MEMORY, "out of memory");
}

base_status bench_against_read(const char *folder, double tolerance, bench_against_cells *cells,
                               base_error *err)
{
    *cells = (bench_against_cells){0};
    bench_record record;
    base_status status = bench_record_open(folder, BENCH_RECORD_LAUNCHES, &record, err);
    if (status != BASE_OK) {
        return status;
    }
    for (size_t i = 0; i < record.cell_count && status == BASE_OK; i++) {
        const char *const at = strrchr(record.cells[i].variant, '@');
        if (at && strcmp(at, "@head") == 0) {
            status = add_cell(&record, &record.cells[i], tolerance, cells, err);
        }
    }
    bench_record_release(&record);
    return status;
}

void bench_against_release(bench_against_cells *cells)
{
    base_free(cells->items);
    base_arena_release(&cells->arena);
    *cells = (bench_against_cells){0};
}

void bench_against_confirm(bench_against_cells *cells, const bench_against_cells *again)
{
    for (size_t i = 0; i < cells->count; i++) {
        bench_against_cell *const cell = &cells->items[i];
        bench_pace second = BENCH_PACE_UNKNOWN;
        for (size_t k = 0; cell->pace == BENCH_PACE_SLOWER && k < again->count; k++) {
            const bench_against_cell *const other = &again->items[k];
            if (strcmp(cell->scenario, other->scenario) == 0 &&
                strcmp(cell->variant, other->variant) == 0) {
                cell->again = other->head;
                cell->again_twin = other->twin;
                cell->repeated = true;
                second = other->pace;
            }
        }
        cell->pace = confirm_pace(cell->pace, second);
    }
}

/* --- Telling ---------------------------------------------------------------------------------- */

static void format_ratio(const bench_ratio *r, char *text, size_t size)
{
    if (isnan(r->lo)) {
        snprintf(text, size, "%.4g (%zu launches)", r->ratio, r->launches_count);
    } else {
        snprintf(text, size, "%.4g [%.4g, %.4g]", r->ratio, r->lo, r->hi);
    }
}

void bench_against_ask(const bench_against_cells *cells, double tolerance,
                       bench_gate_report *report)
{
    for (size_t i = 0; i < cells->count; i++) {
        const bench_against_cell *const c = &cells->items[i];
        char expected[32], got[80], twin[80], again[80], note[320];
        snprintf(expected, sizeof expected, "up to %.4g", 1 + tolerance);
        format_ratio(&c->head, got, sizeof got);
        format_ratio(&c->twin, twin, sizeof twin);
        size_t used =
            (size_t)snprintf(note, sizeof note, "%s; A/A %s", bench_pace_name(c->pace), twin);
        if (c->repeated) {
            format_ratio(&c->again, again, sizeof again);
            used += (size_t)snprintf(note + used, sizeof note - used, "; again %s", again);
        }
        if (!isnan(c->p99.ratio)) {
            snprintf(note + used, sizeof note - used, "; p99 %.4g", c->p99.ratio);
        }
        bench_gate_ask(report, BENCH_GATE_TIME, c->scenario, c->variant);
        bench_gate_add(report, &(bench_gate_finding){.frame = -1,
                                                     .column = "new/old",
                                                     .expected = expected,
                                                     .got = got,
                                                     .note = note,
                                                     .failed = c->pace == BENCH_PACE_SLOWER});
    }
}

void bench_against_print_markdown(const bench_against_cells *cells, FILE *file)
{
    if (cells->count == 0) {
        return;
    }
    fputs("\n| scenario | variant | new/old | old/old | p99 new/old | again | |\n"
          "|---|---|---|---|--:|---|---|\n",
          file);
    for (size_t i = 0; i < cells->count; i++) {
        const bench_against_cell *const c = &cells->items[i];
        char head[80], twin[80], again[80] = "", p99[16] = "";
        format_ratio(&c->head, head, sizeof head);
        format_ratio(&c->twin, twin, sizeof twin);
        if (c->repeated) {
            format_ratio(&c->again, again, sizeof again);
        }
        if (!isnan(c->p99.ratio)) {
            snprintf(p99, sizeof p99, "%.4g", c->p99.ratio);
        }
        fprintf(file, "| %s | %s | %s | %s | %s | %s | %s |\n", c->scenario, c->variant, head, twin,
                p99, again, bench_pace_name(c->pace));
    }
}
