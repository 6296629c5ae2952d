#include "suite/claims/measure.h"

#include "base/memory.h"
#include "base/text.h"
#include "suite/compare/ratio.h"
#include "suite/results/reference.h"
#include "suite/results/stats.h"

#include <fnmatch.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *const bench_claim_rows_names[] = {"cells", "frames", "regions",
                                              "fixed", "moving", NULL};
const char *const bench_claim_group_names[] = {"none", "scenarios", "variants", "all", NULL};

base_status bench_claim_table(const char *path, base_csv *table, base_error *err)
{
    *table = (base_csv){0};
    return access(path, F_OK) == 0 ? base_csv_read(path, NULL, table, err) : BASE_OK;
}

/* --- Subjects: the cells or builds of a claim ------------------------------------------------- */

/** Stores a reason, unless there is one already. Returns NaN. */
static BASE_PRINTF(2, 3) double without(bench_measuring *j, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!*j->reason) {
        vsnprintf(j->reason, sizeof j->reason, format, arguments);
    }
    va_end(arguments);
    return NAN;
}

static bool matches(const bench_names *globs, const char *name)
{
    bool found = globs->count == 0;
    for (size_t i = 0; i < globs->count && !found; i++) {
        found = fnmatch(globs->items[i], name, 0) == 0;
    }
    return found;
}

static base_status split(const char *text, bench_names *names, base_error *err)
{
    names->count = 0;
    return text ? bench_names_split(text, names, err) : BASE_OK;
}

/** Returns a glob that matches no subject, or NULL. */
static const char *unmatched(const bench_measuring *j, const bench_names *globs, bool variants)
{
    for (size_t g = 0; g < globs->count; g++) {
        bool found = false;
        for (size_t i = 0; i < j->subject_count && !found; i++) {
            const bench_claim_subject *const s = &j->subjects[i];
            found = fnmatch(globs->items[g], variants ? s->variant : s->name, 0) == 0;
        }
        if (!found) {
            return globs->items[g];
        }
    }
    return NULL;
}

/** Adds a subject, unless it would be compared with itself. */
static base_status add_subject(bench_measuring *j, const bench_claim_subject *s)
{
    char other[BENCH_CONTESTANT_NAME_BYTES];
    if (j->claim->claim->against && !j->with_itself && bench_measuring_other(j, s, other) &&
        strcmp(other, s->variant) == 0) {
        return BASE_OK;
    }
    const base_status status =
        base_reserve(j->subjects, j->subject_capacity, j->subject_count + 1, j->err);
    if (status == BASE_OK) {
        j->subjects[j->subject_count++] = *s;
    }
    return status;
}

/** False for twins, and for cells that do not support the question. */
static bool takes_part(const char *variant, const char *status)
{
    return !bench_variant_is_twin(variant) &&
           strcmp(status, bench_status_name(BENCH_CELL_UNSUPPORTED)) != 0;
}

static base_status add_cells(bench_measuring *j, const bench_claims_run *run,
                             const bench_names *names, const bench_names *variants)
{
    const bench_record *const r = &run->record;
    base_status status = BASE_OK;
    for (size_t i = 0; i < r->cell_count && status == BASE_OK; i++) {
        const bench_cell_row *const c = &r->cells[i];
        if (takes_part(c->variant, c->status) && matches(names, c->scenario) &&
            matches(variants, c->variant)) {
            status = add_subject(j, &(bench_claim_subject){.run = run,
                                                           .cell = c,
                                                           .table = &r->cell_table,
                                                           .row = i,
                                                           .name = c->scenario,
                                                           .variant = c->variant});
        }
    }
    return status;
}

/** Returns the text of a field; "" for an empty field or a missing column. */
static const char *text_of(const base_csv *table, size_t row, const char *column)
{
    const int index = table->columns > 0 ? base_csv_find(table, column) : -1;
    const char *const text = index < 0 ? NULL : base_csv_text(table, row, index);
    return text ? text : "";
}

static base_status add_builds(bench_measuring *j, const bench_claims_run *run,
                              const bench_names *names, const bench_names *variants)
{
    const base_csv *const t = &run->builds;
    const char *const role = bench_claim_rows_names[j->claim->of];
    base_status status = BASE_OK;
    for (size_t row = 0; row < t->rows && status == BASE_OK; row++) {
        const char *const body = text_of(t, row, "body"), *const variant =
                                                              text_of(t, row, "variant");
        if (strcmp(text_of(t, row, "role"), role) == 0 &&
            takes_part(variant, text_of(t, row, "status")) && matches(names, body) &&
            matches(variants, variant)) {
            status = add_subject(
                j, &(bench_claim_subject){
                       .run = run, .table = t, .row = row, .name = body, .variant = variant});
        }
    }
    return status;
}

static bool is_of_builds(const bench_checked_claim *claim)
{
    return claim->of == BENCH_OF_FIXED || claim->of == BENCH_OF_MOVING;
}

/** Sets a reason if the run lacks a scenario of its experiment that the claim selects. */
static void check_scenarios(bench_measuring *j, const bench_claims_run *run,
                            const bench_names *globs)
{
    for (size_t i = 0; i < run->experiment.scenario_count; i++) {
        const scn_scenario *const s = &run->experiment.scenarios[i];
        bool found = s->optional || !matches(globs, s->name);
        for (size_t c = 0; c < run->record.cell_count && !found; c++) {
            found = strcmp(run->record.cells[c].scenario, s->name) == 0;
        }
        if (!found) {
            without(j, "the run has no scenario '%s'", s->name);
        }
    }
}

static base_status add_run(bench_measuring *j, const bench_claims_run *run)
{
    const scn_claim *const c = j->claim->claim;
    const bool builds = is_of_builds(j->claim);
    bench_names scenarios, names, variants;
    base_status status = split(c->scenarios, &scenarios, j->err);
    if (status == BASE_OK) {
        status = split(builds ? c->bodies : c->scenarios, &names, j->err);
    }
    if (status == BASE_OK) {
        status = split(c->variants, &variants, j->err);
    }
    if (status != BASE_OK) {
        return status;
    }
    if (*run->cut_off) {
        without(j, "%s: %s", run->experiment.name, run->cut_off);
    }
    check_scenarios(j, run, &scenarios);
    status = builds ? add_builds(j, run, &names, &variants) : add_cells(j, run, &names, &variants);
    if (status == BASE_OK) {
        const char *const glob = unmatched(j, &variants, true);
        const char *const name = unmatched(j, &names, false);
        if (glob || name) {
            without(j, "the run has no '%s'", glob ? glob : name);
        } else if (j->subject_count == 0) {
            without(j, "the run has no such %s", builds ? "build" : "cell");
        }
    }
    return status;
}

base_status bench_measuring_select(bench_measuring *j, const bench_claims_run *runs, size_t count,
                                   const bench_claims_run *own)
{
    bench_names names;
    base_status status = split(j->claim->claim->experiments, &names, j->err);
    if (names.count == 0 && status == BASE_OK) {
        return add_run(j, own);
    }
    for (size_t n = 0; n < names.count && status == BASE_OK; n++) {
        const bench_claims_run *run = NULL;
        for (size_t i = 0; i < count && !run; i++) {
            run = strcmp(runs[i].experiment.name, names.items[n]) == 0 ? &runs[i] : NULL;
        }
        if (run) {
            status = add_run(j, run);
        } else {
            without(j, "no run of '%s' is given", names.items[n]);
        }
    }
    return status;
}

/* --- The other variant ------------------------------------------------------------------------ */

/** Returns the length of the key of "key=value,...". *length: the length of the whole setting. */
static size_t setting_key(const char *setting, size_t *length)
{
    *length = strcspn(setting, ",");
    return strcspn(setting, "=");
}

static bool has_key(const char *settings, const char *key, size_t key_length)
{
    size_t length;
    for (const char *s = settings; *s; s += length + (s[length] == ',')) {
        if (setting_key(s, &length) == key_length && strncmp(s, key, key_length) == 0) {
            return true;
        }
    }
    return false;
}

/**
 * Replaces the values of these settings. Sets the variant in canonical form; false if it is
 * invalid.
 */
static bool replace_settings(const char *variant, const char *settings, alg_variant *replaced)
{
    const size_t family = strcspn(variant, ":");
    char text[2 * BENCH_CONTESTANT_NAME_BYTES];
    int used = snprintf(text, sizeof text, "%.*s:%s", (int)family, variant, settings);
    size_t length = 0;
    for (const char *s = variant + family + (variant[family] == ':'); *s;
         s += length + (s[length] == ',')) {
        const size_t key = setting_key(s, &length);
        if (!has_key(settings, s, key) && used < (int)sizeof text) {
            used += snprintf(text + used, sizeof text - (size_t)used, ",%.*s", (int)length, s);
        }
    }
    return used < (int)sizeof text && alg_variant_parse(text, 0, replaced, NULL) == ALG_OK;
}

bool bench_measuring_other(bench_measuring *j, const bench_claim_subject *s,
                           char name[BENCH_CONTESTANT_NAME_BYTES])
{
    const char *const against = j->claim->claim->against;
    alg_variant replaced;
    if (!against) {
        without(j, "the claim has no key 'against'");
        return false;
    }
    if (strcmp(against, "baseline") == 0) {
        if (!s->cell) {
            without(j, "builds have no baseline");
            return false;
        }
        snprintf(name, BENCH_CONTESTANT_NAME_BYTES, "%s",
                 *s->cell->baseline ? s->cell->baseline : s->variant);
        return true;
    }
    if (strchr(against, ':') || !strchr(against, '=')) {
        snprintf(name, BENCH_CONTESTANT_NAME_BYTES, "%s", against);
        return true;
    }
    if (!replace_settings(s->variant, against, &replaced)) {
        without(j, "'%s' cannot have '%s'", s->variant, against);
        return false;
    }
    snprintf(name, BENCH_CONTESTANT_NAME_BYTES, "%s", replaced.name);
    return true;
}

/**
 * Finds the row of the other variant in the table of the subject; false with a reason if it is
 * missing.
 */
static bool find_other(bench_measuring *j, const bench_claim_subject *s, bench_claim_subject *other)
{
    char name[BENCH_CONTESTANT_NAME_BYTES];
    if (!bench_measuring_other(j, s, name)) {
        return false;
    }
    *other = *s;
    other->variant = NULL;
    for (size_t row = 0; row < s->table->rows && !other->variant; row++) {
        if (strcmp(text_of(s->table, row, "variant"), name) == 0 &&
            strcmp(text_of(s->table, row, s->cell ? "scenario" : "body"), s->name) == 0 &&
            (s->cell ||
             strcmp(text_of(s->table, row, "role"), bench_claim_rows_names[j->claim->of]) == 0)) {
            other->row = row;
            other->variant = text_of(s->table, row, "variant");
            other->cell = s->cell ? &s->run->record.cells[row] : NULL;
        }
    }
    if (!other->variant) {
        without(j, "'%s' has no '%s'", s->name, name);
    }
    return other->variant;
}

/* --- Values of formulas ----------------------------------------------------------------------- */

static double number_of(bench_measuring *j, const base_csv *table, size_t row, const char *name)
{
    const int index = table->columns > 0 ? base_csv_find(table, name) : -1;
    double value;
    if (index < 0) {
        return without(j, "no column '%s' in '%s'", name, table->columns > 0 ? table->path : "-");
    }
    const char *const text = base_csv_text(table, row, index);
    return text && base_text_number(text, &value) ? value : (double)NAN;
}

const char *bench_measuring_text(const bench_measuring *j, const char *column)
{
    const bench_claim_subject *const s = j->group[0];
    return j->group_count == 1 ? text_of(s->table, s->row, column) : "";
}

/** Returns the subject of a row; NULL with a reason if the group has several. */
static const bench_claim_subject *subject_at(bench_measuring *j, size_t row)
{
    if (row != BENCH_FORMULA_WHOLE) {
        return j->rows[row].of;
    }
    if (j->group_count > 1) {
        without(j, "%zu cells are measured together, without a statistic", j->group_count);
        return NULL;
    }
    return j->group[0];
}

static double column(void *context, size_t row, bool other, const char *name)
{
    bench_measuring *const j = context;
    const bench_claim_subject *const s = subject_at(j, row);
    bench_claim_subject the_other;
    if (!s) {
        return NAN;
    }
    if (other) {
        return find_other(j, s, &the_other) ? number_of(j, the_other.table, the_other.row, name)
                                            : (double)NAN;
    }
    const bool of_frames =
        row != BENCH_FORMULA_WHOLE && !is_of_builds(j->claim) && j->claim->of != BENCH_OF_CELLS;
    if (!of_frames) {
        return number_of(j, s->table, s->row, name);
    }
    const bench_measured_row *const r = &j->rows[row];
    return j->claim->of == BENCH_OF_REGIONS && base_csv_find(&s->regions, name) >= 0
               ? number_of(j, &s->regions, r->region, name)
               : number_of(j, &s->frames, r->frame, name);
}

/** Returns NaN for a choice or another word. */
static double parameter(void *context, size_t row, const char *name)
{
    bench_measuring *const j = context;
    const bench_claim_subject *const s = subject_at(j, row);
    alg_variant v;
    if (!s) {
        return NAN;
    }
    if (alg_variant_parse(s->variant, 0, &v, NULL) != ALG_OK) {
        return without(j, "'%s' is no variant of this program", s->variant);
    }
    for (size_t p = 0; p < v.algorithm->parameter_count; p++) {
        const alg_parameter *const q = &v.algorithm->parameters[p];
        if (strcmp(q->name, name) == 0 && !alg_parameter_word(q, v.settings.values[p])) {
            return v.settings.values[p];
        }
    }
    if (strcmp(name, ALG_SIMPLIFY) == 0) {
        return v.simplify > 0 ? v.simplify : 1;
    }
    return without(j, "'%s' has no number '%s'", s->variant, name);
}

static bool is_at(void *context, size_t row, bool variant, const char *glob)
{
    bench_measuring *const j = context;
    const bench_claim_subject *const s = subject_at(j, row);
    return s && fnmatch(glob, variant ? s->variant : s->name, 0) == 0;
}

static bool follows(void *context, size_t row)
{
    const bench_measuring *const j = context;
    return j->claim->of == BENCH_OF_CELLS || is_of_builds(j->claim) ||
           j->rows[row].of == j->rows[row - 1].of;
}

/* --- Times ------------------------------------------------------------------------------------ */

static bench_interval query_ratio(bench_measuring *j, const bench_claim_subject *s,
                                  const bench_claim_subject *other, const char *time)
{
    const bench_record *const r = &s->run->record;
    bench_comparison c = {.variant = s->cell,
                          .baseline = other->cell,
                          .metric = BENCH_METRIC_QUERY,
                          .evicted = strcmp(time, bench_protocol_name(BENCH_EVICTED)) == 0};
    size_t count = 0; /* contestants of the scenario that `compare --baseline` judges together */
    for (size_t i = 0; i < r->cell_count; i++) {
        const bench_cell_row *const cell = &r->cells[i];
        count += !cell->twin && cell != other->cell &&
                 strcmp(cell->scenario, other->cell->scenario) == 0;
    }
    c.alpha = BENCH_JOINT_ALPHA / (double)(count > 0 ? count : 1);
    if (j->status == BASE_OK) {
        j->status = bench_comparison_measure(r, &c, j->err);
    }
    if (j->status != BASE_OK) {
        return bench_interval_exact(NAN);
    }
    if (c.claim != BENCH_CLAIM_EQUAL && c.claim != BENCH_CLAIM_FASTER &&
        c.claim != BENCH_CLAIM_SLOWER) {
        char text[100];
        bench_claim_text(&c, text, sizeof text);
        without(j, "%s", text);
        return (bench_interval){c.ratio.ratio, NAN, NAN};
    }
    return (bench_interval){c.ratio.ratio, fmin(c.ratio.lo, c.ratio.ratio / c.twin.hi),
                            fmax(c.ratio.hi, c.ratio.ratio / c.twin.lo)};
}

static bench_interval build_ratio(bench_measuring *j, const bench_claim_subject *s,
                                  const bench_claim_subject *other, const char *time)
{
    const bench_build_ratios *const list = &s->run->build_ratios;
    for (size_t i = 0; i < list->count; i++) {
        const bench_build_ratio_row *const r = &list->items[i].row;
        if (strcmp(r->variant, s->variant) == 0 && strcmp(r->other, other->variant) == 0 &&
            strcmp(r->body, s->name) == 0 &&
            strcmp(r->role, bench_claim_rows_names[j->claim->of]) == 0 &&
            strcmp(r->measure, time) == 0) {
            if (isnan(r->lo)) {
                without(j, "too few launches");
            }
            return (bench_interval){r->ratio, r->lo, r->hi};
        }
    }
    return bench_interval_exact(
        without(j, "no launch has built '%s' and '%s'", s->variant, other->variant));
}

static bench_interval ratio(void *context, size_t row, const char *time)
{
    bench_measuring *const j = context;
    const bench_claim_subject *const s = subject_at(j, row);
    bench_claim_subject other;
    if (!s || !find_other(j, s, &other)) {
        return bench_interval_exact(NAN);
    }
    return s->cell ? query_ratio(j, s, &other, time) : build_ratio(j, s, &other, time);
}

/** Returns the median over launches of unsorted values, with the interval of the sign test. */
static bench_interval median_of(bench_measuring *j, double *values, size_t count, double alpha)
{
    if (count == 0) {
        return bench_interval_exact(without(j, "no launch has the time"));
    }
    bench_stats_sort_numbers(values, count);
    const bench_sign_interval s = bench_stats_sign_interval(count, alpha);
    if (s.rank == 0) {
        without(j, "too few launches");
    }
    return (bench_interval){bench_stats_median(values, count),
                            s.rank > 0 ? values[s.rank - 1] : (double)NAN,
                            s.rank > 0 ? values[count - s.rank] : (double)NAN};
}

/** Collects the mean time of a query in each launch. Returns the number of launches. */
static size_t query_times(const bench_claim_subject *s, const char *time, double *values)
{
    const bench_cell_row *const c = s->cell;
    const bool evicted = strcmp(time, bench_protocol_name(BENCH_EVICTED)) == 0;
    const double frames =
        (double)(c->frames > 1 && !c->below_resolution ? c->frames - 1 : c->frames);
    size_t count = 0;
    for (size_t i = 0; i < c->launch_count[evicted]; i++) {
        const double ns = s->run->record.launches[c->first_launch[evicted] + i].query_ns;
        if (ns > 0 && frames > 0) {
            values[count++] = ns / frames;
        }
    }
    return count;
}

static size_t build_times(const bench_measuring *j, const bench_claim_subject *s, const char *time,
                          double *values)
{
    const base_csv *const t = &s->run->build_ratios.launches;
    size_t count = 0;
    for (size_t row = 0; row < t->rows; row++) {
        double ns;
        if (strcmp(text_of(t, row, "variant"), s->variant) == 0 &&
            strcmp(text_of(t, row, "body"), s->name) == 0 &&
            strcmp(text_of(t, row, "role"), bench_claim_rows_names[j->claim->of]) == 0 &&
            base_text_number(text_of(t, row, time), &ns)) {
            values[count++] = ns;
        }
    }
    return count;
}

/** The intervals of all rows of a statistic are jointly valid with 95 %. */
static bench_interval time_of(void *context, size_t row, const char *time)
{
    bench_measuring *const j = context;
    const bench_claim_subject *const s = subject_at(j, row);
    if (!s) {
        return bench_interval_exact(NAN);
    }
    const size_t most = s->run->record.launch_count + s->run->build_ratios.launches.rows;
    double *const values = base_alloc(most, sizeof *values);
    if (!values) {
        j->status = base_fail(j->err, BASE_ERR_MEMORY, "out of memory for %zu launches", most);
        return bench_interval_exact(NAN);
    }
    const size_t count = s->cell ? query_times(s, time, values) : build_times(j, s, time, values);
    const size_t together = row == BENCH_FORMULA_WHOLE ? 1 : j->row_count;
    const bench_interval median = median_of(j, values, count, BENCH_JOINT_ALPHA / (double)together);
    base_free(values);
    return median;
}

/* --- Frames ----------------------------------------------------------------------------------- */

/**
 * Counts the rows in which a text differs between the tables. A row that is missing in one table
 * differs. The texts of a column that is missing in one table count as "".
 */
static double count_differing(bench_measuring *j, const base_csv *a, const base_csv *b,
                              const char *const *names)
{
    size_t count = 0;
    for (size_t n = 0; names[n]; n++) {
        if (base_csv_find(a, names[n]) < 0 && base_csv_find(b, names[n]) < 0) {
            return without(j, "no column '%s' in '%s'", names[n], a->path);
        }
    }
    for (size_t row = 0; row < a->rows || row < b->rows; row++) {
        bool differs = false;
        for (size_t n = 0; names[n] && !differs; n++) {
            differs = row >= a->rows || row >= b->rows ||
                      strcmp(text_of(a, row, names[n]), text_of(b, row, names[n])) != 0;
        }
        count += differs;
    }
    return (double)count;
}

static double differs(void *context, size_t row, const char *const *names)
{
    bench_measuring *const j = context;
    const bench_claim_subject *const s = subject_at(j, row);
    bench_claim_subject other;
    if (!s || !s->cell || !find_other(j, s, &other) || j->status != BASE_OK) {
        return NAN;
    }
    base_csv a = {0}, b = {0};
    double count = NAN;
    j->status = bench_record_frames(&s->run->record, s->cell, &a, j->err);
    if (j->status == BASE_OK) {
        j->status = bench_record_frames(&other.run->record, other.cell, &b, j->err);
    }
    if (j->status == BASE_OK) {
        count = a.columns > 0 && b.columns > 0 ? count_differing(j, &a, &b, names)
                                               : without(j, "a cell has no frames");
    }
    base_csv_release(&a);
    base_csv_release(&b);
    return count;
}

/**
 * Returns the number of broken contracts of a cell, plus one if it ended without all of its
 * answers.
 */
static double promises(void *context, size_t row)
{
    bench_measuring *const j = context;
    const bench_claim_subject *const s = subject_at(j, row);
    if (!s || !s->cell) {
        return NAN;
    }
    const char *const answered[] = {bench_status_name(BENCH_CELL_OK),
                                    bench_status_name(BENCH_CELL_WRONG),
                                    bench_status_name(BENCH_CELL_UNINFORMATIVE)};
    bool died = true;
    for (size_t i = 0; i < sizeof answered / sizeof *answered; i++) {
        died = died && strcmp(s->cell->status, answered[i]) != 0;
    }
    return (double)s->cell->violations + died;
}

/* --- Measuring a group ------------------------------------------------------------------------ */

static base_status read_frames(bench_measuring *j, bench_claim_subject *s)
{
    char path[BENCH_RUN_PATH_BYTES];
    base_status status = bench_record_frames(&s->run->record, s->cell, &s->frames, j->err);
    if (status == BASE_OK && j->claim->of == BENCH_OF_REGIONS) {
        status = bench_run_file(s->run->record.folder, path, j->err, "%s/%s.regions.csv",
                                s->cell->scenario, s->cell->file);
        if (status == BASE_OK) {
            status = bench_claim_table(path, &s->regions, j->err);
        }
    }
    return status;
}

static base_status add_row(bench_measuring *j, const bench_claim_subject *s, size_t frame,
                           size_t region)
{
    const base_status status = base_reserve(j->rows, j->row_capacity, j->row_count + 1, j->err);
    if (status == BASE_OK) {
        j->rows[j->row_count++] = (bench_measured_row){s, frame, region};
    }
    return status;
}

static base_status add_rows(bench_measuring *j, const bench_claim_subject *s)
{
    const bool regions = j->claim->of == BENCH_OF_REGIONS;
    if (j->claim->of != BENCH_OF_FRAMES && !regions) {
        return add_row(j, s, 0, 0);
    }
    base_status status = BASE_OK;
    for (size_t row = 0; row < (regions ? s->regions.rows : s->frames.rows) && status == BASE_OK;
         row++) {
        double frame = (double)row;
        if (!regions) {
            status = add_row(j, s, row, 0);
        } else if (base_text_number(text_of(&s->regions, row, "frame"), &frame) && frame >= 0 &&
                   frame < (double)s->frames.rows) {
            status = add_row(j, s, (size_t)frame, row);
        }
    }
    return status;
}

static bench_formula_rows formula_rows(bench_measuring *j, double *scratch)
{
    return (bench_formula_rows){.context = j,
                                .count = j->row_count,
                                .paper = j->claim->claim->paper,
                                .scratch = scratch,
                                .column = column,
                                .parameter = parameter,
                                .matches = is_at,
                                .follows = follows,
                                .ratio = ratio,
                                .time = time_of,
                                .differs = differs,
                                .promises = promises};
}

/** Removes rows in which the condition is not true. */
static void filter_rows(bench_measuring *j)
{
    const bench_formula_rows rows = formula_rows(j, NULL);
    size_t kept = 0;
    for (size_t row = 0; row < j->row_count; row++) {
        const double value = bench_formula_evaluate(&j->claim->where, &rows, row).value;
        if (value != 0 && !isnan(value)) {
            j->rows[kept++] = j->rows[row];
        }
    }
    j->row_count = kept;
}

/** Sets a reason if the group cannot be measured. */
static void check_group(bench_measuring *j)
{
    const bool timed = bench_formula_is_timed(&j->claim->measure);
    for (size_t i = 0; i < j->group_count; i++) {
        const bench_claim_subject *const s = j->group[i];
        const char *const mode = bench_record_fact(&s->run->record, "run", "mode");
        const char *const status = text_of(s->table, s->row, "status");
        if (timed && (!mode || strcmp(mode, "smoke") == 0 || strcmp(mode, "ci") == 0)) {
            without(j, "times of mode %s are not judged", mode ? mode : "?");
        }
        if (!j->claim->promises && strcmp(status, bench_status_name(BENCH_CELL_OK)) != 0 &&
            strcmp(status, bench_status_name(BENCH_CELL_UNINFORMATIVE)) != 0) {
            without(j, "%s, %s: %s", s->name, s->variant, status);
        }
    }
}

static base_status measure_rows(bench_measuring *j, const bench_formula *formulas, size_t count,
                                bench_interval *measured)
{
    if (j->claim->claim->where) {
        filter_rows(j);
    }
    double *const scratch = base_alloc(3 * j->row_count, sizeof *scratch);
    if (!scratch) {
        return base_fail(j->err, BASE_ERR_MEMORY, "out of memory for %zu rows", j->row_count);
    }
    const bench_formula_rows rows = formula_rows(j, scratch);
    for (size_t i = 0; i < count; i++) {
        measured[i] = bench_formula_evaluate(&formulas[i], &rows, BENCH_FORMULA_WHOLE);
        if (isnan(measured[i].value)) {
            without(j, j->row_count == 0 ? "no row meets the condition" : "a value is missing");
        }
    }
    base_free(scratch);
    return j->status;
}

/** members: indices of subjects. */
static base_status measure_group(bench_measuring *j, const size_t *members, size_t member_count,
                                 const bench_formula *formulas, size_t count,
                                 bench_interval *measured)
{
    base_status status = BASE_OK;
    j->group_count = member_count;
    j->row_count = 0;
    *j->reason = '\0';
    for (size_t i = 0; i < member_count; i++) {
        j->group[i] = &j->subjects[members[i]];
    }
    check_group(j);
    for (size_t i = 0; i < member_count && status == BASE_OK; i++) {
        bench_claim_subject *const s = &j->subjects[members[i]];
        if (s->cell && j->claim->of != BENCH_OF_CELLS) {
            status = read_frames(j, s);
        }
        if (status == BASE_OK) {
            status = add_rows(j, s);
        }
    }
    if (status == BASE_OK) {
        status = measure_rows(j, formulas, count, measured);
    }
    for (size_t i = 0; i < member_count; i++) {
        base_csv_release(&j->subjects[members[i]].frames);
        base_csv_release(&j->subjects[members[i]].regions);
    }
    return status;
}

static bool is_same_group(const bench_measuring *j, const bench_claim_subject *a,
                          const bench_claim_subject *b)
{
    switch (j->claim->together) {
    case BENCH_BY_CELL:
        return a == b;
    case BENCH_BY_VARIANT:
        return strcmp(a->variant, b->variant) == 0;
    case BENCH_BY_SCENARIO:
        return a->run == b->run && strcmp(a->name, b->name) == 0;
    default:
        return true;
    }
}

base_status bench_measuring_groups(bench_measuring *j, const bench_formula *formulas, size_t count,
                                   bench_group_taker *take, void *context)
{
    size_t *const members = base_alloc(j->subject_count, sizeof *members);
    bench_interval *const measured = base_alloc(count, sizeof *measured);
    j->group = base_alloc(j->subject_count, sizeof *j->group);
    base_status status =
        members && measured && j->group
            ? BASE_OK
            : base_fail(j->err, BASE_ERR_MEMORY, "out of memory for %zu cells", j->subject_count);
    for (size_t first = 0; first < j->subject_count && status == BASE_OK; first++) {
        size_t member_count = 0;
        bool is_first = true;
        for (size_t i = 0; i < j->subject_count; i++) {
            if (is_same_group(j, &j->subjects[first], &j->subjects[i])) {
                is_first = is_first && i >= first;
                members[member_count++] = i;
            }
        }
        if (is_first) {
            status = measure_group(j, members, member_count, formulas, count, measured);
        }
        if (is_first && status == BASE_OK) {
            status = take(context, j, measured);
        }
    }
    base_free(members);
    base_free(measured);
    base_free(j->group);
    return status;
}

void bench_measuring_release(bench_measuring *j)
{
    base_free(j->subjects);
    base_free(j->rows);
}
