#include "suite/score/score.h"

#include "base/memory.h"
#include "base/text.h"
#include "geometry/vec.h"
#include "suite/output.h"
#include "suite/results/judge.h"
#include "suite/results/run_folder.h"
#include "suite/run/cell.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- The promise ------------------------------------------------------------------------------ */

/* The settings of the algorithm hold its promises, one for each quantity, and then its law. */
enum { LAW = ALG_QUANTITY_COUNT };

static alg_contract contract_of(const alg_settings *settings, alg_quantity quantity)
{
    return quantity < ALG_QUANTITY_COUNT ? (alg_contract)settings->values[quantity]
                                         : ALG_NOT_ANSWERED;
}

static alg_law law_of(const alg_settings *settings)
{
    return (alg_law)settings->values[LAW];
}

base_status bench_score_check_name(const char *name, base_error *err)
{
    const bool plain =
        *name && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(name);
    if (!plain || strlen(name) > ALG_NAME_MAX ||
        bench_name_fault(BENCH_NAME_CONTESTANT, name) != NULL) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "--name '%.100s': a name has lower-case letters, digits and '-'", name);
    }
    return alg_find(name)
               ? base_fail(err, BASE_ERR_ARGUMENT,
                           "--name '%s' is the name of an algorithm of this program", name)
               : BASE_OK;
}

/** Returns the contract of this name; ALG_NOT_ANSWERED if there is none. */
static alg_contract find_contract(const char *name, size_t length)
{
    for (int c = ALG_EXACT; c <= ALG_APPROXIMATE; c++) {
        if (strlen(bench_contract_names[c]) == length &&
            strncmp(bench_contract_names[c], name, length) == 0) {
            return (alg_contract)c;
        }
    }
    return ALG_NOT_ANSWERED;
}

/** Parses "exact", or "distance=exact,volume=upper-bound". */
static base_status parse_contract(const char *text, unsigned quantities, alg_settings *settings,
                                  base_error *err)
{
    for (const char *at = text; *at; at += strspn(at, ", ")) {
        const size_t length = strcspn(at, ", "), key = strcspn(at, "=");
        const bool all = key >= length;
        unsigned mask = quantities;
        const char *const word = all ? at : at + key + 1;
        const alg_contract contract = find_contract(word, length - (size_t)(word - at));
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)key, at);
        if (!all && bench_quantities_parse(name, &mask, err) != BASE_OK) {
            return BASE_ERR_ARGUMENT;
        }
        if (contract == ALG_NOT_ANSWERED) {
            return base_fail(err, BASE_ERR_ARGUMENT,
                             "--contract: '%.*s' is none of exact, upper-bound, lower-bound and "
                             "approximate, or QUANTITY=one of them",
                             (int)(length < 80 ? length : 80), at);
        }
        for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
            if (!(mask & quantities & 1u << q)) {
                continue;
            }
            if (!(bench_quantities[q].contracts & 1u << contract)) {
                return base_fail(err, BASE_ERR_ARGUMENT, "--contract: a %s has no %s",
                                 alg_quantity_names[q], bench_contract_names[contract]);
            }
            settings->values[q] = contract;
        }
        at += length;
    }
    return BASE_OK;
}

static base_status parse_law(const char *text, const char *force_unit, alg_settings *settings,
                             base_error *err)
{
    settings->values[LAW] = strcmp(force_unit, "m2") == 0   ? ALG_LAW_AREA
                            : strcmp(force_unit, "m3") == 0 ? ALG_LAW_DEPTH
                                                            : ALG_LAW_NONE;
    for (int law = 0; text && law < ALG_LAW_COUNT; law++) {
        if (strcmp(alg_law_names[law], text) == 0) {
            settings->values[LAW] = law;
            return BASE_OK;
        }
    }
    return text ? base_fail(err, BASE_ERR_ARGUMENT,
                            "--law '%.80s': the laws are none, area, depth and depth-exchanged",
                            text)
                : BASE_OK;
}

/** Makes the variant as which the answers take part. */
static base_status make_variant(const bench_score_promise *promise, bench_score *s, base_error *err)
{
    alg_variant *const variant = &s->cell.variant;
    s->algorithm = (alg_algorithm){
        .abi_version = ALG_ABI_VERSION,
        .name = promise->name,
        .summary = "answers that another program made",
        .source = "",
        .flags = (promise->surface ? ALG_SURFACE : 0u) |
                 (s->answers.has & ALG_HAS_PAIRS ? ALG_ALL_PAIRS : 0u),
        .force_unit = *s->answers.force_unit ? s->answers.force_unit : NULL,
        .contract = contract_of,
        .law = law_of,
        .tolerance_ulp = (uint32_t)(promise->rounding / DBL_EPSILON),
    };
    *variant = (alg_variant){.algorithm = &s->algorithm};
    snprintf(variant->name, sizeof variant->name, "%s", promise->name);
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        const bool answered = s->answers.quantities & 1u << q;
        variant->settings.values[q] = answered ? ALG_EXACT : ALG_NOT_ANSWERED;
    }
    base_status status =
        promise->contract
            ? parse_contract(promise->contract, s->answers.quantities, &variant->settings, err)
            : BASE_OK;
    if (status == BASE_OK) {
        status = parse_law(promise->law, s->answers.force_unit, &variant->settings, err);
    }
    /* A number of pairs is exact only if the contact is. */
    if (variant->settings.values[ALG_CONTACT] != ALG_EXACT) {
        s->algorithm.flags &= ~(unsigned)ALG_ALL_PAIRS;
    }
    return status;
}

/* --- The judgement ---------------------------------------------------------------------------- */

/** Finds the faults that need no truth, as a run does. The first one makes the cell wrong. */
static base_status find_faults(bench_score *s, base_error *err)
{
    const size_t n = s->cell.frame_count;
    s->faults = base_alloc(n, sizeof *s->faults);
    if (!s->faults) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu frames", n);
    }
    for (size_t f = 0; f < n; f++) {
        const char *const fault =
            bench_answer_fault(&s->cell.variant, s->cell.quantities, &s->cell.answers[f]);
        s->faults[f] = fault;
        if (fault && s->faulty++ == 0) {
            s->cell.status = BENCH_CELL_WRONG;
            snprintf(s->cell.detail, sizeof s->cell.detail, "%s in frame %zu", fault, f);
        }
    }
    return BASE_OK;
}

/** Computes the truth of the quantities that the file answers. */
static base_status load_truth(bench_score *s, base_error *err)
{
    bench_entrant entrant = {.contestant = {.variant = s->cell.variant}};
    const bench_plan plan = {.entrants = &entrant, .count = 1};
    s->answered.quantities = s->answers.quantities;
    return bench_scenario_load_truth(s->options, bench_scenario_needs(&s->scenario, &plan),
                                     &s->scenario, err);
}

base_status bench_score_make(const bench_run_options *options, const scn_scenario *asked,
                             const char *path, const char *machine,
                             const bench_score_promise *promise, bench_score *s, base_error *err)
{
    *s = (bench_score){.options = options, .asked = asked, .answered = *asked};
    s->scenario.inputs = -1;
    base_status status = bench_scenario_load_frames(options, &s->answered, &s->scenario, err);
    if (status == BASE_OK) {
        status =
            bench_score_answers_read(path, &s->scenario.pair, s->scenario.trajectory.frame_count,
                                     asked->quantities, &s->answers, err);
    }
    if (status == BASE_OK) {
        status = make_variant(promise, s, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    status = load_truth(s, err);
    if (status != BASE_OK) {
        return status;
    }
    bench_cell *const cell = &s->cell;
    const size_t n = s->answers.frame_count;
    cell->scenario = asked->name;
    cell->name = promise->name;
    cell->baseline = "";
    cell->quantities = s->answers.quantities;
    cell->status = BENCH_CELL_OK;
    cell->load_ns = UINT64_MAX;
    cell->frame_count = n;
    cell->elsewhere = machine;
    cell->elsewhere_ns = s->answers.times_ns;
    cell->answers = s->answers.items;
    s->answers.items = NULL;
    s->answers.times_ns = NULL;
    cell->truths = base_alloc(n, sizeof *cell->truths);
    cell->judgements = base_alloc(n, sizeof *cell->judgements);
    if (!cell->truths || !cell->judgements) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu frames", n);
    }
    status =
        bench_tolerances_parse(asked->tolerance ? asked->tolerance : "", &cell->tolerances, err);
    if (status == BASE_OK) {
        status = bench_answers_hash(cell->answers, n, &cell->answers_hash, err);
    }
    if (status == BASE_OK) {
        status = find_faults(s, err);
    }
    return status == BASE_OK ? bench_cell_judge(options, &s->scenario, cell, err) : status;
}

void bench_score_release(bench_score *s)
{
    bench_cell_release(&s->cell);
    bench_score_answers_release(&s->answers);
    bench_scenario_release(&s->scenario);
    base_free(s->faults);
    *s = (bench_score){0};
}

size_t bench_score_wrong(const bench_score *s)
{
    size_t wrong = 0;
    for (size_t f = 0; f < s->cell.frame_count; f++) {
        wrong += s->faults[f] || s->cell.judgements[f].violation;
    }
    return wrong;
}

/* --- Printing --------------------------------------------------------------------------------- */

/** Returns the quantity of a promise; witness points belong to the distance. */
static alg_quantity quantity_of(bench_promise promise)
{
    return promise == BENCH_PROMISE_WITNESS ? ALG_DISTANCE
                                            : (alg_quantity)((int)promise % ALG_QUANTITY_COUNT);
}

/** Bits of the promises of a quantity. */
static unsigned promises_of(alg_quantity quantity)
{
    unsigned mask = 0;
    for (int p = 0; p < BENCH_PROMISE_COUNT; p++) {
        mask |= quantity_of((bench_promise)p) == quantity ? 1u << p : 0;
    }
    return mask;
}

static const char *const units[ALG_QUANTITY_COUNT] = {
    [ALG_DISTANCE] = "m", [ALG_VOLUME] = "m3", [ALG_CONTACT] = "", [ALG_DEPTH] = "m"};

/** Prints a row for each quantity. */
static base_status print_summary(const bench_score *s, FILE *file, base_error *err)
{
    static const char *const names[] = {"quantity",   "contract",   "answered", "wrong",
                                        "not judged", "error mean", "error max"};
    bench_rows rows = {.columns = sizeof names / sizeof *names};
    bench_cell_row row;
    base_arena arena = {0};
    base_status status = bench_summarize(&s->cell, &arena, &row, err);
    bench_rows_put_names(&rows, names);
    for (int q = 0; q < ALG_QUANTITY_COUNT && status == BASE_OK; q++) {
        size_t answered = 0, wrong = 0, unknown = 0;
        if (!(s->cell.quantities & 1u << q)) {
            continue;
        }
        for (size_t f = 0; f < s->cell.frame_count; f++) {
            const bool there = s->cell.answers[f].answered & bench_quantities[q].has;
            const uint64_t certificate =
                bench_truth_certificate(&s->cell.truths[f], (alg_quantity)q);
            answered += there;
            wrong += (s->cell.judgements[f].broken & promises_of((alg_quantity)q)) != 0;
            unknown += there && (certificate == UINT64_MAX || certificate == 0 ||
                                 certificate < (uint64_t)s->scenario.certificate);
        }
        bench_rows_put(&rows, "%s", alg_quantity_names[q]);
        bench_rows_put(
            &rows, "%s",
            bench_contract_names[contract_of(&s->cell.variant.settings, (alg_quantity)q)]);
        bench_rows_put_count(&rows, answered);
        bench_rows_put_count(&rows, wrong);
        bench_rows_put_count(&rows, unknown);
        for (int largest = 0; largest < 2; largest++) {
            const double error = bench_cell_row_error(&row, (alg_quantity)q, largest);
            bench_rows_put(&rows, "%s",
                           bench_cell_row_error_text(&row, (alg_quantity)q, error).text);
        }
    }
    base_arena_release(&arena);
    if (status != BASE_OK) {
        bench_rows_release(&rows);
        return status;
    }
    return bench_rows_finish(&rows, BENCH_FORMAT_TABLE, file, err);
}

enum { TEXT_BYTES = 128 };

static void format_bracket(gt_bracket truth, const char *unit, char text[TEXT_BYTES])
{
    const double width = truth.hi - truth.lo;
    if (!gt_known(truth)) {
        snprintf(text, TEXT_BYTES, "not known");
    } else if (width <= 1e-9 * fabs(truth.hi)) {
        snprintf(text, TEXT_BYTES, "%.10g %s", truth.hi, unit);
    } else {
        snprintf(text, TEXT_BYTES, "%.10g to %.10g %s", truth.lo, truth.hi, unit);
    }
}

/** Formats how far a number is outside of a bracket, absolutely and as a share of the truth. */
static void format_off(gt_bracket truth, double number, const char *unit, char text[TEXT_BYTES])
{
    const double off = fmax(0, fmax(truth.lo - number, number - truth.hi));
    const int used = snprintf(text, TEXT_BYTES, "%.3g %s", off, unit);
    if (truth.hi > 0) {
        snprintf(text + used, TEXT_BYTES - (size_t)used, " (%.3g %%)", 100 * off / truth.hi);
    }
}

/** Puts one row of the list of wrong answers: a broken promise of a frame. */
static void put_wrong(const bench_score *s, size_t f, bench_promise promise, bench_rows *rows)
{
    const alg_answer *const a = &s->cell.answers[f];
    const gt_truth *const truth = &s->cell.truths[f];
    const alg_quantity q = quantity_of(promise);
    char name[BENCH_PROMISE_NAME_BYTES], expected[TEXT_BYTES], answered[TEXT_BYTES];
    char off[TEXT_BYTES] = "";
    const gt_bracket bracket = q == ALG_DISTANCE ? truth->distance_m
                               : q == ALG_VOLUME ? truth->volume_m3
                               : q == ALG_DEPTH  ? truth->depth_m
                                                 : truth->pairs_count;
    bench_promise_name(promise, name);
    snprintf(answered, sizeof answered, "%.10g %s",
             q == ALG_DISTANCE ? a->distance_m
             : q == ALG_VOLUME ? a->volume_m3
                               : a->depth_m,
             units[q]);
    if (promise == BENCH_PROMISE_WITNESS) {
        const bench_witness w = bench_witness_measure(
            s->scenario.pair.a.truth, s->scenario.pair.b.truth, &s->scenario.poses[f], a);
        snprintf(expected, sizeof expected, "on A and B, %.6g m apart", a->distance_m);
        snprintf(answered, sizeof answered, "%.6g m apart",
                 vec3_distance(a->witness_a, a->witness_b));
        snprintf(off, sizeof off, "%.3g m from a surface", w.off_m);
    } else if (promise >= BENCH_PROMISE_BRACKET) {
        const double lo = q == ALG_DISTANCE ? a->distance_lo_m : a->volume_lo_m3;
        const double hi = q == ALG_DISTANCE ? a->distance_hi_m : a->volume_hi_m3;
        format_bracket(bracket, units[q], expected);
        format_bracket((gt_bracket){lo, hi}, units[q], answered);
        format_off(bracket, bracket.lo > hi ? hi : lo, units[q], off);
    } else if (q == ALG_CONTACT) {
        const bool pairs = a->answered & ALG_HAS_PAIRS;
        const bool verdict = bench_verdict_wrong(s->cell.judgements[f].verdict) == 1;
        snprintf(expected, sizeof expected, "%s", truth->distance_m.lo <= 0 ? "touching" : "apart");
        snprintf(answered, sizeof answered, "%s", a->colliding ? "touching" : "apart");
        if (pairs && !verdict) {
            snprintf(expected, sizeof expected, "%.0f pairs", bracket.lo);
            snprintf(answered, sizeof answered, "%u pairs", a->pair_count);
            format_off(bracket, a->pair_count, "pairs", off);
        }
    } else if (q == ALG_FORCE) {
        const bench_ideal ideal = bench_ideal_of(truth, bench_ideal_own(&s->cell.variant), 0);
        snprintf(expected, sizeof expected, "%.4g, %.4g, %.4g", ideal.force.x, ideal.force.y,
                 ideal.force.z);
        snprintf(answered, sizeof answered, "%.4g, %.4g, %.4g", a->force.x, a->force.y, a->force.z);
        snprintf(off, sizeof off, "force %.3g, torque %.3g",
                 vec3_norm(vec3_sub(a->force, ideal.force)),
                 vec3_norm(vec3_sub(a->torque, ideal.torque)));
    } else {
        const double left = s->cell.judgements[f].errors[BENCH_DEPTH_LEFT_REL];
        format_bracket(bracket, units[q], expected);
        format_off(bracket,
                   q == ALG_DISTANCE ? a->distance_m
                   : q == ALG_VOLUME ? a->volume_m3
                                     : a->depth_m,
                   units[q], off);
        if (q == ALG_DEPTH && left > 0) {
            snprintf(off, sizeof off, "%.3g %% of the overlap is left", 100 * left);
        }
    }
    bench_rows_put_count(rows, f);
    bench_rows_put(rows, "%s", name);
    bench_rows_put(rows, "%s", expected);
    bench_rows_put(rows, "%s", answered);
    bench_rows_put(rows, "%s", off);
}

/** Puts a row for a fault that needs no truth. */
static void put_fault(const bench_score *s, size_t f, bench_rows *rows)
{
    const alg_answer *const a = &s->cell.answers[f];
    char expected[TEXT_BYTES] = "", answered[TEXT_BYTES] = "";
    if ((a->answered & ALG_HAS_DISTANCE) && a->distance_m < 0) {
        format_bracket(s->cell.truths[f].distance_m, "m", expected);
        snprintf(answered, sizeof answered, "%.10g m", a->distance_m);
    }
    bench_rows_put_count(rows, f);
    bench_rows_put(rows, "%s", s->faults[f]);
    bench_rows_put(rows, "%s", expected);
    bench_rows_put(rows, "%s", answered);
    bench_rows_put(rows, "%s", "");
}

static base_status print_wrong(const bench_score *s, size_t most, FILE *file, base_error *err)
{
    static const char *const names[] = {"frame", "what", "expected", "answered", "off by"};
    bench_rows rows = {.columns = sizeof names / sizeof *names};
    size_t count = 0;
    bench_rows_put_names(&rows, names);
    for (size_t f = 0; f < s->cell.frame_count; f++) {
        if (s->faults[f] && count++ < most) {
            put_fault(s, f, &rows);
        }
        for (int p = 0; p < BENCH_PROMISE_COUNT; p++) {
            if ((s->cell.judgements[f].broken & 1u << p) && count++ < most) {
                put_wrong(s, f, (bench_promise)p, &rows);
            }
        }
    }
    if (count == 0) {
        bench_rows_release(&rows);
        return BASE_OK;
    }
    fputc('\n', file);
    const base_status status = bench_rows_finish(&rows, BENCH_FORMAT_TABLE, file, err);
    if (count > most) {
        fprintf(file, "and %zu more\n", count - most);
    }
    return status;
}

base_status bench_score_print(const bench_score *s, size_t most, FILE *file, base_error *err)
{
    const base_status status = print_summary(s, file, err);
    return status == BASE_OK ? print_wrong(s, most, file, err) : status;
}
