#include "suite/claims/claims.h"

#include "base/memory.h"
#include "base/text.h"
#include "suite/claims/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- Runs ------------------------------------------------------------------------------------- */

static base_status open_experiment(const char *reference, bench_claims_run *run, base_error *err)
{
    const char *const name = bench_record_fact(&run->record, "run", "experiment");
    if (!name) {
        return base_fail(err, BASE_ERR_INPUT, "'%s': the run is of no experiment",
                         run->record.fact_table.path);
    }
    const base_status status =
        bench_experiment_open(reference ? reference : name, &run->experiment, err);
    if (status != BASE_OK) {
        return status;
    }
    return strcmp(run->experiment.name, name) == 0
               ? BASE_OK
               : base_fail(err, BASE_ERR_INPUT, "'%s': the run is of the experiment '%s', not '%s'",
                           run->record.fact_table.path, name, run->experiment.name);
}

base_status bench_claims_open(const char *folder, const char *experiment, bench_claims_run *run,
                              base_error *err)
{
    char path[BENCH_RUN_FOLDER_BYTES];
    *run = (bench_claims_run){0};
    char simulations[BENCH_RUN_PATH_BYTES], builds[BENCH_RUN_PATH_BYTES];
    unsigned parts = BENCH_RECORD_CELLS | BENCH_RECORD_LAUNCHES;
    base_status status = bench_run_find(folder, path, err);
    if (status == BASE_OK) {
        status = bench_run_file(path, simulations, err, "simulations.csv");
    }
    if (status == BASE_OK) {
        parts = access(simulations, F_OK) == 0 ? BENCH_RECORD_SIMULATED : parts;
        status = bench_record_open(path, BENCH_RECORD_FACTS | parts, &run->record, err);
    }
    if (status == BASE_OK && !run->record.simulated) {
        status = open_experiment(experiment, run, err);
    }
    if (status == BASE_OK) {
        status = bench_run_file(path, builds, err, "builds.csv");
    }
    if (status == BASE_OK) {
        status = bench_claim_table(builds, &run->builds, err);
    }
    if (status == BASE_OK) {
        status = bench_build_ratios_make(path, &run->build_ratios, err);
    }
    if (status != BASE_OK) {
        bench_claims_close(run);
        return status;
    }
    if (run->record.simulated) {
        return BASE_OK;
    }
    const char *const ended = bench_record_fact(&run->record, "run", "exit_status");
    if (!ended || strcmp(ended, "130") == 0) {
        snprintf(run->cut_off, sizeof run->cut_off, "%s",
                 ended ? "the run was interrupted" : "the run has not ended");
    }
    return BASE_OK;
}

void bench_claims_close(bench_claims_run *run)
{
    bench_build_ratios_release(&run->build_ratios);
    base_csv_release(&run->builds);
    scn_experiment_release(&run->experiment);
    bench_record_release(&run->record);
}

void bench_claims_close_all(bench_claims_run *runs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bench_claims_close(&runs[i]);
    }
    base_free(runs);
}

base_status bench_claims_open_all(char *const *folders, size_t count, const char *experiment,
                                  bench_claims_run **runs, base_error *err)
{
    *runs = base_alloc(count, sizeof **runs);
    if (!*runs) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu runs", count);
    }
    for (size_t i = 0; i < count; i++) {
        const base_status status = bench_claims_open(folders[i], experiment, &(*runs)[i], err);
        if (status != BASE_OK) {
            bench_claims_close_all(*runs, i);
            *runs = NULL;
            return status;
        }
    }
    return BASE_OK;
}

/* --- Parsing of claims ------------------------------------------------------------------------ */

/** Finds the index of a word; index 0 (the default) for NULL. */
static base_status find_word(const char *word, const char *const *words, const char *key,
                             int *index, base_error *err)
{
    char near[200];
    *index = 0;
    while (word && words[*index] && strcmp(words[*index], word) != 0) {
        ++*index;
    }
    if (!word || words[*index]) {
        return BASE_OK;
    }
    base_text_near(word, words, near, sizeof near);
    return base_fail(err, BASE_ERR_ARGUMENT, "unknown word '%s' of '%s'%s", word, key, near);
}

static base_status parse_formula(const char *text, const char *key, bench_formula *formula,
                                 base_error *err)
{
    base_error reason = {0};
    return !text || bench_formula_parse(text, formula, &reason) == BASE_OK
               ? BASE_OK
               : base_fail(err, BASE_ERR_ARGUMENT, "'%s': %s", key, reason.text);
}

base_status bench_claim_parse(const scn_claim *claim, bench_checked_claim *checked, base_error *err)
{
    int of, together = 0;
    *checked = (bench_checked_claim){.claim = claim};
    base_status status = parse_formula(claim->measure, "measure", &checked->measure, err);
    if (status == BASE_OK) {
        status = parse_formula(claim->where, "where", &checked->where, err);
    }
    if (status == BASE_OK) {
        status = find_word(claim->of, bench_claim_rows_names, "of", &of, err);
    }
    if (status == BASE_OK) {
        status = find_word(claim->together, bench_claim_group_names, "together", &together, err);
    }
    if (status == BASE_OK) {
        checked->of = (bench_claim_rows)of;
        checked->together = (bench_claim_group)together;
        checked->promises = bench_formula_has_promises(&checked->measure);
    }
    return status;
}

/* --- Verdicts --------------------------------------------------------------------------------- */

static bench_claim_verdict judge(const scn_claim *c, bench_interval x, const char *reason)
{
    if (*reason || isnan(x.lo) || isnan(x.hi)) {
        return BENCH_CANNOT_TELL;
    }
    if (x.hi < c->at_least || x.lo > c->at_most) {
        return BENCH_FAILS;
    }
    return x.lo < c->at_least || x.hi > c->at_most ? BENCH_CANNOT_TELL : BENCH_HOLDS;
}

/** Returns the distance of the value beyond a limit; negative inside of the limits. */
static double excess(const scn_claim *c, bench_interval x)
{
    /* fmax ignores a limit that is NaN. */
    return fmax(c->at_least - x.value, x.value - c->at_most);
}

/** The worst group so far, and the number of groups. */
typedef struct outcome {
    bench_claim_verdict verdict;
    bench_interval measured;
    char reason[200];
    const bench_claim_subject *subject; /* the first of the group */
    size_t groups, failed;
} outcome;

static base_status take_group(void *context, const bench_measuring *j,
                              const bench_interval *measured_values)
{
    outcome *const o = context;
    const bench_interval measured = *measured_values;
    const scn_claim *const c = j->claim->claim;
    const bench_claim_verdict v = judge(c, measured, j->reason);
    const bool first = o->groups == 0;
    o->groups++;
    o->failed += v == BENCH_FAILS;
    if (first || v > o->verdict ||
        (v == o->verdict && excess(c, measured) > excess(c, o->measured))) {
        o->verdict = v;
        o->measured = measured;
        o->subject = j->group[0];
        snprintf(o->reason, sizeof o->reason, "%s", j->reason);
    }
    return BASE_OK;
}

/* --- Rows ------------------------------------------------------------------------------------- */

/** Formats the group that the row shows, the number of groups, and why a verdict is unknown. */
static void format_reason(const bench_measuring *j, const outcome *o, char *text, size_t size)
{
    char group[2 * BENCH_CONTESTANT_NAME_BYTES] = ""; /* "" if the claim has a single group */
    if (o->subject) {
        const bench_claim_group by = j->claim->together;
        const bool named = by == BENCH_BY_CELL || by == BENCH_BY_SCENARIO;
        const bool variant = by == BENCH_BY_CELL || by == BENCH_BY_VARIANT;
        snprintf(group, sizeof group, "%s%s%s", named ? o->subject->name : "",
                 named && variant ? ", " : "", variant ? o->subject->variant : "");
    }
    const bool limit_inside = o->verdict == BENCH_CANNOT_TELL && !*o->reason;
    const char *const what = limit_inside ? "the limit is inside of the interval" : o->reason;
    if (o->groups <= 1) {
        snprintf(text, size, "%s%s%s", group, *group && *what ? ": " : "", what);
    } else if (o->verdict == BENCH_FAILS) {
        snprintf(text, size, "%zu of %zu, worst: %s", o->failed, o->groups, group);
    } else {
        snprintf(text, size, "worst of %zu: %s%s%s", o->groups, group, *what ? ": " : "", what);
    }
}

/** Appends a word of a command line, in quotes if a shell would change it. */
static void append_word(char *text, size_t size, const char *option, const char *word)
{
    const bool plain = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                    "0123456789_./:=,+-@") == strlen(word);
    const size_t used = strlen(text);
    snprintf(text + used, size - used, plain ? " %s %s" : " %s '%s'", option, word);
}

/** Formats the command of a run that measures the number of the row again. */
static void format_command(bench_measuring *j, const bench_claims_run *own, const outcome *o,
                           char *text, size_t size)
{
    const scn_claim *const c = j->claim->claim;
    const bench_claim_subject *const s = o->subject;
    const bench_claim_group by = j->claim->together;
    char variants[3 * BENCH_CONTESTANT_NAME_BYTES], other[BENCH_CONTESTANT_NAME_BYTES];
    const char *const experiment = s                ? s->run->experiment.name
                                   : c->experiments ? c->experiments
                                                    : own->experiment.name;
    snprintf(text, size, "proxbench run %.*s", (int)strcspn(experiment, ","), experiment);
    if (s && s->cell && (by == BENCH_BY_CELL || by == BENCH_BY_SCENARIO)) {
        append_word(text, size, "--scenario", s->name);
    } else if (c->scenarios) {
        append_word(text, size, "--scenario", c->scenarios);
    }
    if (s && (by == BENCH_BY_CELL || by == BENCH_BY_VARIANT)) {
        const bool has_other = c->against && bench_measuring_other(j, s, other);
        snprintf(variants, sizeof variants, "%s%s%s", s->variant, has_other ? "," : "",
                 has_other ? other : "");
        append_word(text, size, "--algorithm", variants);
    }
}

/** Returns the id with the key of the paper, "IST-F7a", in the arena of the list. */
static const char *full_id(bench_claims *list, const scn_experiment *experiment, const char *id)
{
    char text[200];
    snprintf(text, sizeof text, "%s%s%s", experiment->paper ? experiment->paper : "",
             experiment->paper ? "-" : "", id);
    return base_arena_text(&list->arena, text);
}

static base_status add_claim_row(bench_claims *list, bench_measuring *j,
                                 const bench_claims_run *own, const outcome *o)
{
    const scn_claim *const c = j->claim->claim;
    const char *const mode = bench_record_fact(&own->record, "run", "mode");
    const char *const commit = bench_record_fact(&own->record, "suite", "commit");
    char reason[2 * BENCH_CONTESTANT_NAME_BYTES + 300], command[1500];
    snprintf(reason, sizeof reason, "%s", c->not_yet ? c->not_yet : "");
    command[0] = '\0';
    if (!c->not_yet) {
        format_reason(j, o, reason, sizeof reason);
        format_command(j, own, o, command, sizeof command);
    }
    base_arena *const arena = &list->arena;
    const bench_claims_row row = {.experiment = base_arena_text(arena, own->experiment.name),
                                  .mode = base_arena_text(arena, mode ? mode : ""),
                                  .commit = base_arena_text(arena, commit ? commit : ""),
                                  .id = full_id(list, &own->experiment, c->id),
                                  .claim = base_arena_text(arena, c->claim),
                                  .whose = c->of_paper ? "paper" : "ours",
                                  .measure = c->measure ? base_arena_text(arena, c->measure) : "",
                                  .verdict = bench_claim_verdict_names[o->verdict],
                                  .reason = base_arena_text(arena, reason),
                                  .command = base_arena_text(arena, command),
                                  .paper = c->paper,
                                  .at_least = c->at_least,
                                  .at_most = c->at_most,
                                  .ours = o->measured.value,
                                  .lo = o->measured.lo,
                                  .hi = o->measured.hi};
    const bench_formula *const measure = &j->claim->measure;
    const bench_judged_claim judged = {
        .row = row,
        .verdict = o->verdict,
        .unit = c->measure ? bench_formula_unit(measure) : BENCH_UNIT_NUMBER,
        .timed = c->measure && bench_formula_reads_clock(measure),
        .expected = c->expected,
    };
    return row.experiment && row.mode && row.commit && row.id && row.claim && row.measure &&
                   row.reason && row.command
               ? bench_claims_add(list, &judged, j->err)
               : base_fail(j->err, BASE_ERR_MEMORY, "out of memory for a claim");
}

static base_status judge_claim(const bench_claims_run *runs, size_t count,
                               const bench_claims_run *own, const scn_claim *claim,
                               bench_claims *list, base_error *err)
{
    bench_checked_claim checked;
    bench_measuring j = {.claim = &checked, .err = err};
    outcome o = {.verdict = BENCH_CANNOT_TELL, .measured = {NAN, NAN, NAN}};
    base_error reason = {0};
    if (bench_claim_parse(claim, &checked, &reason) != BASE_OK) {
        return base_fail(err, BASE_ERR_INPUT, "'%s' line %u: claim '%s': %s", own->experiment.path,
                         claim->line, claim->id, reason.text);
    }
    if (claim->not_yet) {
        o.verdict = BENCH_NOT_YET;
        return add_claim_row(list, &j, own, &o);
    }
    base_status status = bench_measuring_select(&j, runs, count, own);
    if (status == BASE_OK && *j.reason) {
        snprintf(o.reason, sizeof o.reason, "%s", j.reason);
    } else if (status == BASE_OK) {
        status = bench_measuring_groups(&j, &checked.measure, 1, take_group, &o);
    }
    if (status == BASE_OK) {
        status = add_claim_row(list, &j, own, &o);
    }
    bench_measuring_release(&j);
    return status;
}

base_status bench_claims_judge(const bench_claims_run *runs, size_t count, bench_claims *list,
                               base_error *err)
{
    *list = (bench_claims){0};
    base_status status = BASE_OK;
    for (size_t r = 0; r < count; r++) {
        if (runs[r].record.simulated) {
            return base_fail(err, BASE_ERR_INPUT, "'%s': simulations have no claims",
                             runs[r].record.folder);
        }
    }
    for (size_t r = 0; r < count; r++) {
        for (size_t i = 0; i < runs[r].experiment.claim_count && status == BASE_OK; i++) {
            status = judge_claim(runs, count, &runs[r], &runs[r].experiment.claims[i], list, err);
        }
    }
    return status;
}

/* --- Tables of formulas: columns -------------------------------------------------------------- */

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

/* --- Tables of formulas: rows ----------------------------------------------------------------- */

typedef struct printing {
    const bench_listing *listing;
    bench_rows rows;
    bool for_scripts;
} printing;

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
    bench_rows_put(&p->rows, "%s", by == BENCH_BY_CELL || by == BENCH_BY_SCENARIO ? s->name : "");
    bench_rows_put(&p->rows, "%s", by == BENCH_BY_CELL || by == BENCH_BY_VARIANT ? s->variant : "");
    for (size_t i = 0; i < p->listing->count; i++) {
        const bench_interval x = measured[i];
        const char *const column = bench_formula_column(&p->listing->columns[i]);
        const char *const text = column ? bench_measuring_text(m, column) : "";
        double number;
        if (*text && !base_text_number(text, &number)) { /* a column of words */
            bench_rows_put(&p->rows, "%s", text);
            if (p->for_scripts) {
                bench_rows_put(&p->rows, "%s", "");
                bench_rows_put(&p->rows, "%s", "");
            }
        } else if (p->for_scripts) {
            bench_rows_put_number(&p->rows, x.value);
            bench_rows_put_number(&p->rows, x.lo);
            bench_rows_put_number(&p->rows, x.hi);
        } else {
            bench_unit_put(&p->rows, x, bench_formula_unit(&p->listing->columns[i]));
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
    const bool builds = selection.of == BENCH_OF_FIXED || selection.of == BENCH_OF_MOVING;
    bench_rows_put(&p.rows, builds ? "body" : "scenario");
    bench_rows_put(&p.rows, "variant");
    for (size_t i = 0; i < listing->count; i++) {
        bench_rows_put(&p.rows, "%s", listing->names[i]);
        if (p.for_scripts) {
            bench_rows_put(&p.rows, "%s lo", listing->names[i]);
            bench_rows_put(&p.rows, "%s hi", listing->names[i]);
        }
    }
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        status = put_run(&p, &selection, &runs[i], err);
    }
    if (status == BASE_OK) {
        status = bench_rows_print(&p.rows, format, file, err);
    }
    bench_rows_release(&p.rows);
    return status;
}
