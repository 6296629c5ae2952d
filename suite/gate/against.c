#include "suite/gate/against.h"

#include "base/memory.h"
#include "suite/gate/gate.h"
#include "suite/results/run_folder.h"

#include <math.h>
#include <string.h>

static const char *pace_name(bench_pace pace)
{
    static const char *const names[] = {
        [BENCH_PACE_UNKNOWN] = "not known",
        [BENCH_PACE_SAME] = "the same",
        [BENCH_PACE_WITHIN] = "within the tolerance",
        [BENCH_PACE_CANNOT_TELL] = "cannot tell",
        [BENCH_PACE_SLOWER] = "slower",
        [BENCH_PACE_FASTER] = "faster",
        [BENCH_PACE_NOT_CONFIRMED] = "slower, not confirmed",
    };
    return names[pace];
}

/* --- Result of two intervals ------------------------------------------------------------------ */

static bool has_intervals(const bench_ratio *head, const bench_ratio *twin)
{
    return !isnan(head->lo) && !isnan(head->hi) && !isnan(twin->lo) && !isnan(twin->hi);
}

/** Returns N of bench_pace: the larger of twin.hi and 1 / twin.lo, at least 1. */
static double equal_code(const bench_ratio *twin)
{
    return fmax(1, fmax(twin->hi, 1 / twin->lo));
}

bench_pace bench_pace_of(const bench_ratio *head, const bench_ratio *twin, double tolerance)
{
    if (!has_intervals(head, twin)) {
        return BENCH_PACE_UNKNOWN;
    }
    const double bound = 1 + tolerance, noise = equal_code(twin);
    return head->lo > fmax(bound, noise)       ? BENCH_PACE_SLOWER
           : head->hi < 1 / noise              ? BENCH_PACE_FASTER
           : head->hi > bound || noise > bound ? BENCH_PACE_CANNOT_TELL
           : head->lo > noise                  ? BENCH_PACE_WITHIN
                                               : BENCH_PACE_SAME;
}

double bench_pace_noise(const bench_ratio *head, const bench_ratio *twin)
{
    return has_intervals(head, twin) ? fmax(equal_code(twin), sqrt(head->hi / head->lo)) - 1
                                     : (double)NAN;
}

size_t bench_against_launches(const bench_ratio *head, const bench_ratio *twin, double tolerance)
{
    const size_t there = head->launches_count;
    if (!has_intervals(head, twin)) {
        return there > BENCH_AGAINST_LAUNCHES_MIN ? there : BENCH_AGAINST_LAUNCHES_MIN;
    }
    const double widest = fmax(head->hi / head->lo, twin->hi / twin->lo);
    const double share = log(widest) / log1p(tolerance);
    const double needed = ceil((double)there * share * share);
    const double most = 1e6; /* largest result, far above the launches of any practical job */
    return widest <= 1 + tolerance ? there : (size_t)fmin(fmax(needed, (double)there + 1), most);
}

/** Combines the results of two jobs. "Slower" stays only if both jobs find it. */
static bench_pace confirm_pace(bench_pace first, bench_pace second)
{
    return first == BENCH_PACE_SLOWER && second != BENCH_PACE_SLOWER ? BENCH_PACE_NOT_CONFIRMED
                                                                     : first;
}

/* --- Answers, contract, counters, endings ----------------------------------------------------- */

/**
 * Removes the cells whose old code died from the expected cells, because they have no answers. Each
 * of them is reported as a note.
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
            bench_gate_note(report, false,
                            "nothing to compare with: the old code ended as '%s': %s",
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
               : base_fail(err, BASE_ERR_INPUT, "'%s': no cell of the old code came to its end: %s",
                           folder, detail);
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
done:
    bench_gate_cells_release(&base);
    bench_gate_cells_release(&head);
    return status;
}

/* --- Instructions ----------------------------------------------------------------------------- */

static void compare_instructions(const bench_gate_cell *old, const bench_gate_cell *new,
                                 const char *how, bench_gate_report *report)
{
    const double most = 1.01;
    const double harness = 50; /* accepted additional instructions per frame, for the loop around a
                                  query */
    const double before = old->row.instructions_mean, after = new->row.instructions_mean;
    bench_gate_ask(report, BENCH_GATE_INSTRUCTIONS, old->row.scenario, old->row.variant);
    if (!(before > 0) || !(after > 0)) {
        bench_gate_note(report, false, "not counted: %s does not let valgrind see its queries",
                        before > 0 ? "the new code" : "the old code");
        return;
    }
    const bool failed = after > most * before && after > before + harness;
    if (failed || *how) {
        char counts[2][32], note[80];
        snprintf(counts[0], sizeof counts[0], "%.6g", before);
        snprintf(counts[1], sizeof counts[1], "%.6g", after);
        char sentence[80];
        snprintf(note, sizeof note, "%.3g %% %s in a frame%s", 100 * fabs(after / before - 1),
                 after >= before ? "more" : "fewer", how);
        snprintf(sentence, sizeof sentence, "executes %.3g %% more instructions",
                 100 * (after / before - 1));
        bench_gate_add(report, &(bench_gate_finding){.frame = -1,
                                                     .column = "instructions",
                                                     .expected = counts[0],
                                                     .got = counts[1],
                                                     .note = note,
                                                     .sentence = sentence,
                                                     .failed = failed});
    }
}

base_status bench_against_instructions(const char *folder, bool by_valgrind,
                                       bench_gate_report *report, base_error *err)
{
    bench_gate_cells base = {0}, head = {0};
    base_status status = bench_gate_read_run(folder, "base", &base, err);
    if (status == BASE_OK) {
        status = bench_gate_read_run(folder, "head", &head, err);
    }
    for (size_t i = 0; status == BASE_OK && i < base.count; i++) {
        const bench_gate_cell *const old = &base.items[i];
        const bench_gate_cell *const new =
            bench_gate_cell_find(&head, old->row.scenario, old->row.variant);
        if (!new) {
            continue;
        }
        const bool counted = old->row.instructions_mean > 0 && new->row.instructions_mean > 0;
        const bool complete =
            !bench_gate_died(old->row.status) && !bench_gate_died(new->row.status);
        if (counted || (by_valgrind && complete)) {
            compare_instructions(old, new, by_valgrind ? ", by valgrind" : "", report);
        }
    }
    bench_gate_cells_release(&base);
    bench_gate_cells_release(&head);
    return status;
}

base_status bench_against_counted(const char *folder, bool *counted, base_error *err)
{
    bench_record record;
    *counted = false;
    const base_status status = bench_record_open(folder, BENCH_RECORD_CELLS, &record, err);
    if (status != BASE_OK) {
        return status;
    }
    for (size_t i = 0; i < record.cell_count; i++) {
        *counted |= record.cells[i].instructions_mean > 0;
    }
    bench_record_release(&record);
    return BASE_OK;
}

/* --- Reading the times ------------------------------------------------------------------------ */

/** Shorter builds are not compared, because the first touch of memory takes most of their time. */
static const double least_build_ns = 1e6;

/**
 * Smaller differences of resident memory are not judged: they come from page tables and address
 * layouts.
 */
static const double least_memory_bytes = 256 << 10;

static base_status measure_cost(const bench_record *record, bench_comparison *c,
                                bench_metric metric, double tolerance, bench_against_cost *cost,
                                base_error *err)
{
    c->metric = metric;
    const base_status status = bench_comparison_measure(record, c, err);
    *cost = (bench_against_cost){c->ratio, c->twin, bench_pace_of(&c->ratio, &c->twin, tolerance)};
    return status;
}

static const bench_against_cost unknown_cost = {.head = {.ratio = NAN, .lo = NAN, .hi = NAN},
                                                .twin = {.ratio = NAN, .lo = NAN, .hi = NAN}};

static base_status measure_costs(const bench_record *record, bench_comparison *c, double tolerance,
                                 bench_against_cell *cell, base_error *err)
{
    const bench_cell_row *const head = c->variant, *const base = c->baseline;
    base_status status = measure_cost(record, c, BENCH_METRIC_BUILD, tolerance, &cell->build, err);
    if (status == BASE_OK) {
        status = measure_cost(record, c, BENCH_METRIC_MEMORY, tolerance, &cell->memory, err);
    }
    const bool short_builds = fmax((double)head->build_ns, (double)base->build_ns) < least_build_ns;
    if (short_builds) {
        cell->build = unknown_cost;
    }
    if (cell->memory.pace == BENCH_PACE_SLOWER &&
        (double)head->rss_bytes - (double)base->rss_bytes < least_memory_bytes) {
        cell->memory.pace = BENCH_PACE_SAME;
    }
    return status;
}

static base_status measure(const bench_record *record, const bench_cell_row *head,
                           const bench_cell_row *base, double tolerance, bench_against_cell *cell,
                           base_error *err)
{
    const double alpha = 0.05; /* for each variant alone; the second job guards against the errors
                                  of many tests */
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
    cell->pace = bench_pace_of(&cell->head, &cell->twin, tolerance);
    return status == BASE_OK ? measure_costs(record, &c, tolerance, cell, err) : status;
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
        return BASE_OK; /* other gates report the reason */
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

bool bench_against_is_suspect(const bench_against_cell *cell)
{
    return cell->pace == BENCH_PACE_SLOWER || cell->build.pace == BENCH_PACE_SLOWER ||
           cell->memory.pace == BENCH_PACE_SLOWER;
}

/** Returns the same cell of another job, or NULL. */
static const bench_against_cell *find_cell(const bench_against_cells *cells,
                                           const bench_against_cell *same)
{
    for (size_t i = 0; i < cells->count; i++) {
        const bench_against_cell *const cell = &cells->items[i];
        if (strcmp(cell->scenario, same->scenario) == 0 &&
            strcmp(cell->variant, same->variant) == 0) {
            return cell;
        }
    }
    return NULL;
}

void bench_against_confirm(bench_against_cells *cells, const bench_against_cells *again)
{
    static const bench_against_cell not_repeated = {.pace = BENCH_PACE_UNKNOWN};
    for (size_t i = 0; i < cells->count; i++) {
        bench_against_cell *const cell = &cells->items[i];
        const bench_against_cell *const found = find_cell(again, cell);
        const bench_against_cell *const other = found ? found : &not_repeated;
        if (found && cell->pace == BENCH_PACE_SLOWER) {
            cell->again = other->head;
            cell->again_twin = other->twin;
            cell->repeated = true;
        }
        cell->pace = confirm_pace(cell->pace, other->pace);
        cell->build.pace = confirm_pace(cell->build.pace, other->build.pace);
        cell->memory.pace = confirm_pace(cell->memory.pace, other->memory.pace);
    }
}

/* --- Reports ---------------------------------------------------------------------------------- */

static void format_ratio(const bench_ratio *r, char *text, size_t size)
{
    if (isnan(r->lo)) {
        snprintf(text, size, "%.4g (%zu launches)", r->ratio, r->launches_count);
    } else {
        snprintf(text, size, "%.4g [%.4g, %.4g]", r->ratio, r->lo, r->hi);
    }
}

/** Writes the noise as a percentage: "21 %", "2.4 %"; "not known" without intervals. */
static void format_noise(const bench_against_cell *c, char *text, size_t size)
{
    const double percent = 100 * bench_pace_noise(&c->head, &c->twin);
    if (isnan(percent)) {
        snprintf(text, size, "not known");
    } else {
        snprintf(text, size, "%.*f %%", percent < 9.95 ? 1 : 0, percent);
    }
}

/** Writes the result, for example "cannot tell (noise 21 %)". */
static void format_pace(const bench_against_cell *c, char *text, size_t size)
{
    if (c->pace == BENCH_PACE_CANNOT_TELL) {
        char noise[32];
        format_noise(c, noise, sizeof noise);
        snprintf(text, size, "%s (noise %s)", pace_name(c->pace), noise);
    } else {
        snprintf(text, size, "%s", pace_name(c->pace));
    }
}

static bool is_undecided(const bench_against_cell *c)
{
    return c->pace == BENCH_PACE_CANNOT_TELL || c->pace == BENCH_PACE_UNKNOWN ||
           c->pace == BENCH_PACE_NOT_CONFIRMED;
}

/**
 * Writes a note such as "slower; A/A 0.99 [0.97, 1.01]; again 1.29 [1.27, 1.3]; p99 1.29; TIME
 * LIMIT".
 */
static void format_times(const bench_against_cell *c, const bench_against_question *question,
                         char *note, size_t size)
{
    char pace[64], twin[80], again[80];
    format_pace(c, pace, sizeof pace);
    format_ratio(&c->twin, twin, sizeof twin);
    size_t used = (size_t)snprintf(note, size, "%s; A/A %s", pace, twin);
    if (c->repeated) {
        format_ratio(&c->again, again, sizeof again);
        used += (size_t)snprintf(note + used, size - used, "; again %s", again);
    }
    if (!isnan(c->p99.ratio)) {
        used += (size_t)snprintf(note + used, size - used, "; p99 %.4g", c->p99.ratio);
    }
    if (is_undecided(c) && question->limit) {
        snprintf(note + used, size - used, "; %zu launches, %s", c->head.launches_count,
                 question->limit);
    }
}

/** Writes a sentence such as "is 29.7 % slower (29.6 to 30.2)". */
static void format_sentence(const char *before, const char *after, const bench_ratio *r, char *text,
                            size_t size)
{
    snprintf(text, size, "%s %.3g %% %s (%.3g to %.3g)", before, 100 * (r->ratio - 1), after,
             100 * (r->lo - 1), 100 * (r->hi - 1));
}

static void ask_time(const bench_against_cell *c, const bench_against_question *question,
                     bench_gate_report *report)
{
    char expected[32], got[80], note[400], sentence[120];
    snprintf(expected, sizeof expected, "up to %.4g", 1 + question->tolerance);
    format_ratio(&c->head, got, sizeof got);
    format_times(c, question, note, sizeof note);
    format_sentence("is", "slower", &c->head, sentence, sizeof sentence);
    bench_gate_ask(report, BENCH_GATE_TIME, c->scenario, c->variant);
    bench_gate_add(report, &(bench_gate_finding){.frame = -1,
                                                 .column = "new/old",
                                                 .expected = expected,
                                                 .got = got,
                                                 .note = note,
                                                 .sentence = sentence,
                                                 .failed = c->pace == BENCH_PACE_SLOWER});
}

/**
 * Asks a gate about a cost if the cost is known. The gate fails if the pace is BENCH_PACE_SLOWER,
 * which a second job has then confirmed.
 */
static void ask_cost(const bench_against_cell *c, const bench_against_cost *cost, bench_gate gate,
                     const bench_against_question *question, bench_gate_report *report)
{
    const bool build = gate == BENCH_GATE_BUILD, failed = cost->pace == BENCH_PACE_SLOWER;
    const bool good = cost->pace == BENCH_PACE_SAME || cost->pace == BENCH_PACE_WITHIN ||
                      cost->pace == BENCH_PACE_FASTER;
    if (cost->pace == BENCH_PACE_UNKNOWN) {
        return;
    }
    bench_gate_ask(report, gate, c->scenario, c->variant);
    if (!good) {
        char expected[32], got[80], twin[80], note[160], sentence[120];
        snprintf(expected, sizeof expected, "up to %.4g", 1 + question->tolerance);
        format_ratio(&cost->head, got, sizeof got);
        format_ratio(&cost->twin, twin, sizeof twin);
        const char *const worse = build ? "longer" : "more";
        const char *const pace = cost->pace == BENCH_PACE_CANNOT_TELL ? "cannot tell" : worse;
        snprintf(note, sizeof note, "%s%s; A/A %s", pace,
                 cost->pace == BENCH_PACE_NOT_CONFIRMED ? ", not confirmed" : "", twin);
        format_sentence(build ? "takes" : "needs", build ? "longer to build" : "more memory",
                        &cost->head, sentence, sizeof sentence);
        bench_gate_add(report, &(bench_gate_finding){.frame = -1,
                                                     .column = build ? "build_ns" : "rss_bytes",
                                                     .expected = expected,
                                                     .got = got,
                                                     .note = note,
                                                     .sentence = sentence,
                                                     .failed = failed});
    }
}

static void ask_noise(const bench_against_cell *c, const bench_against_question *question,
                      bench_gate_report *report)
{
    bench_gate_ask(report, BENCH_GATE_NOISE, c->scenario, c->variant);
    if (is_undecided(c)) {
        char expected[32], got[32];
        snprintf(expected, sizeof expected, "up to %.4g %%", 100 * question->tolerance);
        format_noise(c, got, sizeof got);
        bench_gate_add(report, &(bench_gate_finding){.frame = -1,
                                                     .column = "noise",
                                                     .expected = expected,
                                                     .got = got,
                                                     .note = pace_name(c->pace),
                                                     .failed = true});
    }
}

void bench_against_ask(const bench_against_cells *cells, const bench_against_question *question,
                       bench_gate_report *report)
{
    for (size_t i = 0; i < cells->count; i++) {
        const bench_against_cell *const cell = &cells->items[i];
        ask_time(cell, question, report);
        ask_cost(cell, &cell->build, BENCH_GATE_BUILD, question, report);
        ask_cost(cell, &cell->memory, BENCH_GATE_MEMORY, question, report);
    }
    for (size_t i = 0; i < cells->count && question->strict; i++) {
        ask_noise(&cells->items[i], question, report);
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
        char head[80], twin[80], again[80] = "", p99[16] = "", pace[64];
        format_pace(c, pace, sizeof pace);
        format_ratio(&c->head, head, sizeof head);
        format_ratio(&c->twin, twin, sizeof twin);
        if (c->repeated) {
            format_ratio(&c->again, again, sizeof again);
        }
        if (!isnan(c->p99.ratio)) {
            snprintf(p99, sizeof p99, "%.4g", c->p99.ratio);
        }
        fprintf(file, "| %s | %s | %s | %s | %s | %s | %s |\n", c->scenario, c->variant, head, twin,
                p99, again, pace);
    }
}
