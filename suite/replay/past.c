#include "suite/replay/past.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* --- The cell --------------------------------------------------------------------------------- */

static base_status need_fact(const bench_past *past, const char *section, const char *key,
                             const char **value, base_error *err)
{
    *value = bench_record_fact(&past->record, section, key);
    return *value ? BASE_OK
                  : base_fail(err, BASE_ERR_INPUT, "'%s' says nothing of '%s' in section '%s'",
                              past->record.fact_table.path, key, section);
}

/**
 * Returns `wanted` from `count` names (1 or more, and a NULL), or the only name if `wanted` is
 * NULL. Returns NULL on error, with *err filled: BASE_ERR_ARGUMENT.
 */
static const char *choose(const char *kind, const char *place, const char *wanted,
                          const char *const *names, size_t count, base_error *err)
{
    char near[512];
    if (!wanted && count == 1) {
        return names[0];
    }
    if (!wanted) {
        (void)base_fail(err, BASE_ERR_ARGUMENT, "'%s' has several: --%s is needed", place, kind);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], wanted) == 0) {
            return names[i];
        }
    }
    base_text_near(wanted, names, near, sizeof near);
    (void)base_fail(err, BASE_ERR_ARGUMENT, "'%s' has no %s '%s'%s", place, kind, wanted, near);
    return NULL;
}

/** Finds the cell. names: room for all cells and a NULL. */
static base_status find_cell(bench_past *past, const char *scenario, const char *variant,
                             const char **names, base_error *err)
{
    const bench_record *const r = &past->record;
    size_t count = 0;
    for (size_t first = 0; first < r->cell_count; first = bench_record_scenario_end(r, first)) {
        names[count++] = r->cells[first].scenario;
    }
    names[count] = NULL;
    if (count == 0) {
        return base_fail(err, BASE_ERR_INPUT, "'%s' has no rows", r->cell_table.path);
    }
    scenario = choose("scenario", r->cell_table.path, scenario, names, count, err);
    if (!scenario) {
        return BASE_ERR_ARGUMENT;
    }
    count = 0;
    for (size_t i = 0; i < r->cell_count; i++) {
        if (strcmp(r->cells[i].scenario, scenario) == 0) {
            names[count++] = r->cells[i].variant;
        }
    }
    names[count] = NULL;
    variant = choose("variant", scenario, variant, names, count, err);
    if (!variant) {
        return BASE_ERR_ARGUMENT;
    }
    past->cell = bench_record_find(r, scenario, variant);
    return BASE_OK;
}

static base_status read_cell(bench_past *past, const char *scenario, const char *variant,
                             base_error *err)
{
    const char **const names = base_alloc(past->record.cell_count + 1, sizeof *names);
    if (!names) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    const base_status status = find_cell(past, scenario, variant, names, err);
    base_free((void *)names);
    return status == BASE_OK ? bench_quantities_parse(past->cell->quantity, &past->quantities, err)
                             : status;
}

static base_status read_facts(bench_past *past, base_error *err)
{
    const char *seed;
    const char *const scenario = past->cell->scenario;
    base_status status = need_fact(past, scenario, "a", &past->a, err);
    if (status != BASE_OK) {
        return status;
    }
    status = need_fact(past, scenario, "b", &past->b, err);
    if (status != BASE_OK) {
        return status;
    }
    status = need_fact(past, "run", "seed", &seed, err);
    if (status != BASE_OK) {
        return status;
    }
    return sscanf(seed, "%" SCNu64, &past->seed) == 1
               ? BASE_OK
               : base_fail(err, BASE_ERR_INPUT, "'%s': the seed is '%s'",
                           past->record.fact_table.path, seed);
}

static base_status read_frames(bench_past *past, base_error *err)
{
    base_status status =
        bench_record_trajectory(&past->record, past->cell->scenario, &past->trajectory, err);
    if (status != BASE_OK) {
        return status;
    }
    status = bench_record_frames(&past->record, past->cell, &past->frames, err);
    if (status != BASE_OK) {
        return status;
    }
    if (past->frames.columns > 0 && past->frames.rows != past->trajectory.frame_count) {
        return base_fail(err, BASE_ERR_INPUT, "'%s' has %zu frames, and its trajectory %zu",
                         past->frames.path, past->frames.rows, past->trajectory.frame_count);
    }
    return BASE_OK;
}

static base_status read_past(const char *run, const char *scenario, const char *variant,
                             bench_past *past, base_error *err)
{
    char folder[BENCH_RUN_FOLDER_BYTES];
    base_status status = bench_run_find(run, folder, err);
    if (status != BASE_OK) {
        return status;
    }
    status = bench_record_open(folder, BENCH_RECORD_FACTS | BENCH_RECORD_CELLS, &past->record, err);
    if (status != BASE_OK) {
        return status;
    }
    status = read_cell(past, scenario, variant, err);
    if (status != BASE_OK) {
        return status;
    }
    status = read_facts(past, err);
    return status == BASE_OK ? read_frames(past, err) : status;
}

base_status bench_past_open(const char *run, const char *scenario, const char *variant,
                            bench_past *past, base_error *err)
{
    *past = (bench_past){0};
    const base_status status = read_past(run, scenario, variant, past, err);
    if (status != BASE_OK) {
        bench_past_close(past);
    }
    return status;
}

void bench_past_close(bench_past *past)
{
    scn_trajectory_release(&past->trajectory);
    bench_record_release(&past->record);
    base_csv_release(&past->frames);
    *past = (bench_past){0};
}

/* --- The frames of the cell ------------------------------------------------------------------- */

const char *bench_past_text(const bench_past *past, size_t frame, const char *column)
{
    const int index = past->frames.columns > 0 ? base_csv_find(&past->frames, column) : -1;
    const char *const text = index >= 0 ? base_csv_text(&past->frames, frame, index) : NULL;
    return index >= 0 && !text ? "" : text;
}

/** Returns the absolute value of a recorded number, or NaN if there is no number. */
static double magnitude(const bench_past *past, size_t frame, const char *column)
{
    double value;
    const char *const text = bench_past_text(past, frame, column);
    return text && base_text_number(text, &value) ? fabs(value) : (double)NAN;
}

static double time_of(const bench_past *past, size_t frame)
{
    return magnitude(past, frame, "time_min_ns");
}

/**
 * Returns the error of a frame, or NaN if it is not judged. Without a numeric error, a wrong
 * verdict counts as 1 and a right one as 0.
 */
static double error_of(const bench_past *past, size_t frame)
{
    const double distance = magnitude(past, frame, "distance_error_size");
    const double error = fmax(distance, magnitude(past, frame, "volume_error_rel"));
    const char *const verdict = bench_past_text(past, frame, "verdict");
    if (!isnan(error) || !verdict || !*verdict) {
        return error;
    }
    return strcmp(verdict, "fp") == 0 || strcmp(verdict, "fn") == 0;
}

static base_status find_worst(const bench_past *past, const char *text,
                              double (*badness)(const bench_past *, size_t), size_t *frame,
                              base_error *err)
{
    double worst = -1;
    for (size_t f = 0; f < past->frames.rows; f++) {
        const double bad = badness(past, f);
        if (bad > worst) { /* false for NaN */
            worst = bad;
            *frame = f;
        }
    }
    return worst >= 0 ? BASE_OK
                      : base_fail(err, BASE_ERR_ARGUMENT,
                                  "--frame %s: '%s' on '%s' has recorded nothing to choose by",
                                  text, past->cell->variant, past->cell->scenario);
}

base_status bench_past_frame(const bench_past *past, const char *text, size_t *frame,
                             base_error *err)
{
    static const char *const words[] = {"worst-time", "worst-error", NULL};
    const size_t count = past->trajectory.frame_count;
    double number;
    *frame = 0;
    if (strcmp(text, words[0]) == 0) {
        return find_worst(past, text, time_of, frame, err);
    }
    if (strcmp(text, words[1]) == 0) {
        return find_worst(past, text, error_of, frame, err);
    }
    if (!base_text_number(text, &number)) {
        char near[256];
        base_text_near(text, words, near, sizeof near);
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "--frame '%s' is neither a number nor worst-time nor worst-error%s", text,
                         near);
    }
    if (!(number >= 0 && number < (double)count && number == floor(number))) {
        return base_fail(err, BASE_ERR_ARGUMENT, "--frame %s: '%s' has the frames 0 to %zu", text,
                         past->cell->scenario, count - 1);
    }
    *frame = (size_t)number;
    return BASE_OK;
}

/* --- Check of the inputs ---------------------------------------------------------------------- */

static base_status check_hash(const bench_past *past, const char *key, base_hash hash,
                              const char *what, base_error *err)
{
    const char *recorded;
    const base_status status = need_fact(past, past->cell->scenario, key, &recorded, err);
    if (status != BASE_OK || strcmp(recorded, base_hash_format(hash).hex) == 0) {
        return status;
    }
    return base_fail(err, BASE_ERR_INPUT, "%s not what the run had: hash %s, recorded %s", what,
                     base_hash_format(hash).hex, recorded);
}

base_status bench_past_check(const bench_past *past, const bench_pair *pair, const geo_pose *poses,
                             base_error *err)
{
    char what[1024];
    snprintf(what, sizeof what, "body A, '%s', is", past->a);
    base_status status = check_hash(past, "a_hash", pair->a.hash, what, err);
    if (status != BASE_OK) {
        return status;
    }
    snprintf(what, sizeof what, "body B, '%s', is", past->b);
    status = check_hash(past, "b_hash", pair->b.hash, what, err);
    if (status != BASE_OK) {
        return status;
    }
    base_hasher *const hasher = base_hasher_create();
    if (!hasher) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    base_hasher_add(hasher, poses, past->trajectory.frame_count * sizeof *poses);
    snprintf(what, sizeof what, "the poses of '%s' are", past->cell->scenario);
    return check_hash(past, "poses_hash", base_hasher_finish(hasher), what, err);
}
