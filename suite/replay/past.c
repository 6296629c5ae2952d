/** What a run has recorded of a cell, read back from its folder. */
#include "base/memory.h"
#include "base/text.h"
#include "suite/quantities.h"
#include "suite/replay/replay.h"
#include "suite/run/run.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

static const char *text_of(const base_csv *table, size_t row, int column)
{
    const char *const text = column >= 0 ? base_csv_text(table, row, column) : NULL;
    return text ? text : "";
}

/* --- manifest.csv ----------------------------------------------------------------------------- */

const char *bench_past_fact(const bench_past *past, const char *section, const char *key)
{
    const base_csv *const m = &past->manifest;
    const int sections = base_csv_find(m, "section"), keys = base_csv_find(m, "key");
    for (size_t row = 0; row < m->rows; row++) {
        if (strcmp(text_of(m, row, sections), section) == 0 &&
            strcmp(text_of(m, row, keys), key) == 0) {
            return base_csv_text(m, row, base_csv_find(m, "value"));
        }
    }
    return NULL;
}

static base_status need_fact(const bench_past *past, const char *section, const char *key,
                             const char **value, base_error *err)
{
    *value = bench_past_fact(past, section, key);
    return *value ? BASE_OK
                  : base_fail(err, BASE_ERR_INPUT, "'%s' says nothing of '%s' in section '%s'",
                              past->manifest.path, key, section);
}

static base_status read_facts(bench_past *r, base_error *err)
{
    const char *seed;
    base_status status = need_fact(r, r->scenario, "a", &r->a, err);
    if (status == BASE_OK) {
        status = need_fact(r, r->scenario, "b", &r->b, err);
    }
    if (status == BASE_OK) {
        status = need_fact(r, "run", "seed", &seed, err);
    }
    if (status == BASE_OK && sscanf(seed, "%" SCNu64, &r->seed) != 1) {
        status = base_fail(err, BASE_ERR_INPUT, "'%s': the seed is '%s'", r->manifest.path, seed);
    }
    return status;
}

/* --- cells.csv -------------------------------------------------------------------------------- */

/** The different texts of a column in rows where `only`, if not NULL, stands in column `where`. */
static base_status list_texts(const base_csv *table, int column, int where, const char *only,
                              const char ***names, size_t *count, base_error *err)
{
    *count = 0;
    *names = base_alloc(table->rows + 1, sizeof **names);
    if (!*names) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t row = 0; row < table->rows; row++) {
        const char *const text = text_of(table, row, column);
        bool known = only && strcmp(text_of(table, row, where), only) != 0;
        for (size_t i = 0; i < *count && !known; i++) {
            known = strcmp((*names)[i], text) == 0;
        }
        if (!known) {
            (*names)[(*count)++] = text;
        }
    }
    return BASE_OK;
}

/** The one of `names` that is meant: `wanted`, or the only one there is. */
static base_status choose(const char *kind, const char *place, const char *wanted,
                          const char *const *names, const char **chosen, base_error *err)
{
    *chosen = NULL;
    for (size_t i = 0; wanted && names[i]; i++) {
        if (strcmp(names[i], wanted) == 0) {
            *chosen = names[i];
        }
    }
    if (!wanted && names[0] && !names[1]) {
        *chosen = names[0];
    }
    if (*chosen) {
        return BASE_OK;
    }
    char near[512];
    if (!wanted) {
        return base_fail(err, BASE_ERR_ARGUMENT, "'%s' has several: --%s is needed", place, kind);
    }
    base_text_near(wanted, names, near, sizeof near);
    return base_fail(err, BASE_ERR_ARGUMENT, "'%s' has no %s '%s'%s", place, kind, wanted, near);
}

/** Finds scenario and variant among the cells; *row: of the cell. */
static base_status find_cell(bench_past *r, const char *scenario, const char *variant, size_t *row,
                             base_error *err)
{
    const base_csv *const cells = &r->cells;
    const int scenarios = base_csv_find(cells, "scenario"),
              variants = base_csv_find(cells, "variant");
    const char **names = NULL;
    size_t count;
    base_status status = list_texts(cells, scenarios, -1, NULL, &names, &count, err);
    if (status == BASE_OK) {
        status = choose("scenario", cells->path, scenario, names, &r->scenario, err);
    }
    base_free(names);
    names = NULL;
    if (status == BASE_OK) {
        status = list_texts(cells, variants, scenarios, r->scenario, &names, &count, err);
    }
    if (status == BASE_OK) {
        status = choose("variant", r->scenario, variant, names, &r->variant, err);
    }
    base_free(names);
    for (*row = 0; status == BASE_OK; (*row)++) {
        if (strcmp(text_of(cells, *row, scenarios), r->scenario) == 0 &&
            strcmp(text_of(cells, *row, variants), r->variant) == 0) {
            break;
        }
    }
    return status;
}

static base_status read_cells(bench_past *r, const char *folder, const char *scenario,
                              const char *variant, size_t *row, base_error *err)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/cells.csv", folder);
    base_status status = base_csv_read(path, NULL, &r->cells, err);
    static const char *const columns[] = {"scenario", "variant", "quantity", "file"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns && status == BASE_OK; i++) {
        int column;
        status = base_csv_column(&r->cells, columns[i], &column, err);
    }
    if (status == BASE_OK) {
        status = find_cell(r, scenario, variant, row, err);
    }
    if (status == BASE_OK) {
        const int quantity = base_csv_find(&r->cells, "quantity");
        status = bench_quantities_parse(text_of(&r->cells, *row, quantity), &r->quantities, err);
    }
    return status;
}

/* --- Frames ----------------------------------------------------------------------------------- */

/** A cell that crashed has none. */
static base_status read_frames(bench_past *r, const char *folder, size_t cell, base_error *err)
{
    char path[PATH_BYTES];
    const char *const file = text_of(&r->cells, cell, base_csv_find(&r->cells, "file"));
    snprintf(path, sizeof path, "%s/trajectories/%s.csv", folder, r->scenario);
    base_status status = scn_trajectory_read(path, &r->trajectory, err);
    snprintf(path, sizeof path, "%s/%s/%s.csv", folder, r->scenario, file);
    if (status != BASE_OK || access(path, F_OK) != 0) {
        return status;
    }
    status = base_csv_read(path, NULL, &r->frames, err);
    if (status == BASE_OK && r->frames.rows != r->trajectory.frame_count) {
        status = base_fail(err, BASE_ERR_INPUT, "'%s' has %zu frames, and its trajectory %zu", path,
                           r->frames.rows, r->trajectory.frame_count);
    }
    return status;
}

base_status bench_past_open(const char *run, const char *scenario, const char *variant,
                            bench_past *past, base_error *err)
{
    *past = (bench_past){0};
    char folder[BENCH_RUN_FOLDER_BYTES], path[PATH_BYTES];
    size_t cell;
    base_status status = bench_run_find(run, folder, err);
    if (status == BASE_OK) {
        snprintf(path, sizeof path, "%s/manifest.csv", folder);
        status = base_csv_read(path, NULL, &past->manifest, err);
    }
    static const char *const columns[] = {"section", "key", "value"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns && status == BASE_OK; i++) {
        int column;
        status = base_csv_column(&past->manifest, columns[i], &column, err);
    }
    if (status == BASE_OK) {
        status = read_cells(past, folder, scenario, variant, &cell, err);
    }
    if (status == BASE_OK) {
        status = read_facts(past, err);
    }
    if (status == BASE_OK) {
        status = read_frames(past, folder, cell, err);
    }
    if (status != BASE_OK) {
        bench_past_close(past);
    }
    return status;
}

void bench_past_close(bench_past *past)
{
    scn_trajectory_release(&past->trajectory);
    base_csv_release(&past->manifest);
    base_csv_release(&past->cells);
    base_csv_release(&past->frames);
    *past = (bench_past){0};
}

const char *bench_past_text(const bench_past *past, size_t frame, const char *column)
{
    const int index = past->frames.columns > 0 ? base_csv_find(&past->frames, column) : -1;
    return index >= 0 ? text_of(&past->frames, frame, index) : NULL;
}

/** A recorded number's magnitude; NaN where there is none. */
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

/** NaN: not judged. A wrong verdict counts where there is no number. */
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
        if (bad > worst) { /* never for NaN */
            worst = bad;
            *frame = f;
        }
    }
    return worst >= 0 ? BASE_OK
                      : base_fail(err, BASE_ERR_ARGUMENT,
                                  "--frame %s: '%s' on '%s' has recorded nothing to choose by",
                                  text, past->variant, past->scenario);
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
                         past->scenario, count - 1);
    }
    *frame = (size_t)number;
    return BASE_OK;
}

/* --- Is it the same question? ----------------------------------------------------------------- */

static base_status check_hash(const bench_past *past, const char *key, base_hash hash,
                              const char *what, base_error *err)
{
    const char *recorded;
    const base_status status = need_fact(past, past->scenario, key, &recorded, err);
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
    if (status == BASE_OK) {
        snprintf(what, sizeof what, "body B, '%s', is", past->b);
        status = check_hash(past, "b_hash", pair->b.hash, what, err);
    }
    if (status == BASE_OK) {
        base_hasher *const hasher = base_hasher_create();
        if (!hasher) {
            return base_fail(err, BASE_ERR_MEMORY, "out of memory");
        }
        base_hasher_add(hasher, poses, past->trajectory.frame_count * sizeof *poses);
        snprintf(what, sizeof what, "the poses of '%s' are", past->scenario);
        status = check_hash(past, "poses_hash", base_hasher_finish(hasher), what, err);
    }
    return status;
}
