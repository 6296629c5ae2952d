#include "suite/score/answers.h"

#include "base/csv.h"
#include "base/memory.h"
#include "base/text.h"
#include "geometry/vec.h"
#include "suite/quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- Columns ---------------------------------------------------------------------------------- */

/** A column that is a number of alg_answer. The columns with the same bit belong together. */
typedef struct answer_column {
    const char *name;
    size_t offset; /* of a double in alg_answer */
    uint32_t has;
} answer_column;

#define ANSWER(name, member, bit)                                                                  \
    {                                                                                              \
        name, offsetof(alg_answer, member), ALG_HAS_##bit                                          \
    }
static const answer_column number_columns[] = {
    ANSWER("distance_m", distance_m, DISTANCE),
    ANSWER("volume_m3", volume_m3, VOLUME),
    ANSWER("depth_m", depth_m, DEPTH),
    ANSWER("nx", direction.x, DEPTH),
    ANSWER("ny", direction.y, DEPTH),
    ANSWER("nz", direction.z, DEPTH),
    ANSWER("witness_ax_m", witness_a.x, WITNESS),
    ANSWER("witness_ay_m", witness_a.y, WITNESS),
    ANSWER("witness_az_m", witness_a.z, WITNESS),
    ANSWER("witness_bx_m", witness_b.x, WITNESS),
    ANSWER("witness_by_m", witness_b.y, WITNESS),
    ANSWER("witness_bz_m", witness_b.z, WITNESS),
    ANSWER("distance_lo_m", distance_lo_m, DISTANCE_BRACKET),
    ANSWER("distance_hi_m", distance_hi_m, DISTANCE_BRACKET),
    ANSWER("volume_lo_m3", volume_lo_m3, VOLUME_BRACKET),
    ANSWER("volume_hi_m3", volume_hi_m3, VOLUME_BRACKET),
};
enum { NUMBERS = sizeof number_columns / sizeof *number_columns };

/* The unit ends the names of forces and torques: fx_m2, tx_m2_m. */
static const answer_column force_columns[] = {
    ANSWER("fx_", force.x, FORCE),  ANSWER("fy_", force.y, FORCE),  ANSWER("fz_", force.z, FORCE),
    ANSWER("tx_", torque.x, FORCE), ANSWER("ty_", torque.y, FORCE), ANSWER("tz_", torque.z, FORCE),
};
static const char *const force_units[] = {"m2", "m3", "m", "N"};
enum {
    FORCES = sizeof force_columns / sizeof *force_columns,
    UNITS = sizeof force_units / sizeof *force_units,
    NUMBERS_MAX = NUMBERS + FORCES,
    NAME_BYTES = 32,
};

static void name_force(int column, const char *unit, char name[NAME_BYTES])
{
    const bool torque = column >= FORCES / 2;
    snprintf(name, NAME_BYTES, "%s%s%s", force_columns[column].name, unit, torque ? "_m" : "");
}

/** Columns that are not a double of alg_answer. */
static const char *const other_columns[] = {"frame", "colliding", "intersecting_pairs_count",
                                            "time_ns"};
enum { FRAME, COLLIDING, PAIRS, TIME, OTHERS };

/** Every name that a column may have. */
enum { NAMES = NUMBERS + FORCES * UNITS + OTHERS };
static void list_names(char names[NAMES][NAME_BYTES])
{
    size_t count = 0;
    snprintf(names[count++], NAME_BYTES, "%s", other_columns[FRAME]);
    for (int i = 0; i < NUMBERS; i++) {
        snprintf(names[count++], NAME_BYTES, "%s", number_columns[i].name);
    }
    for (int i = 0; i < FORCES * UNITS; i++) {
        name_force(i % FORCES, force_units[i / FORCES], names[count++]);
    }
    for (int i = COLLIDING; i < OTHERS; i++) {
        snprintf(names[count++], NAME_BYTES, "%s", other_columns[i]);
    }
}

void bench_score_answers_columns(char *text, size_t size)
{
    char names[NAMES][NAME_BYTES];
    list_names(names);
    size_t used = 0;
    for (int i = 0; i < NAMES && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", names[i]);
    }
}

/** The columns of a file. */
typedef struct reader {
    const base_csv *table;
    const bench_pair *pair;
    unsigned asked;
    answer_column numbers[NUMBERS_MAX]; /* those that the file has */
    int columns[NUMBERS_MAX];           /* index of each in the table */
    size_t count;
    int others[OTHERS]; /* index in the table; -1: the file does not have it */
    size_t *lines;      /* by frame: line of its answer; 0: none so far */
    bench_score_answers *answers;
} reader;

/** Adds a column if the file has it. */
static bool add_column(reader *r, const char *name, const answer_column *column)
{
    const int index = base_csv_find(r->table, name);
    if (index >= 0) {
        r->numbers[r->count] = *column;
        r->columns[r->count++] = index;
    }
    return index >= 0;
}

/** Refuses a file that has only a part of the columns of a vector. */
static base_status check_group(const reader *r, const char *const *names, size_t count,
                               base_error *err)
{
    const char *first = NULL, *missing = NULL;
    for (size_t i = 0; i < count; i++) {
        const bool there = base_csv_find(r->table, names[i]) >= 0;
        first = there && !first ? names[i] : first;
        missing = !there && !missing ? names[i] : missing;
    }
    return first && missing ? base_fail(err, BASE_ERR_INPUT,
                                        "'%s' line %zu: column '%s' is missing: '%s' needs it",
                                        r->table->path, r->table->lines[0], missing, first)
                            : BASE_OK;
}

static base_status find_numbers(reader *r, base_error *err)
{
    for (size_t i = 0, end; i < NUMBERS; i = end) {
        const char *names[NUMBERS];
        for (end = i; end < NUMBERS && number_columns[end].has == number_columns[i].has; end++) {
            names[end - i] = number_columns[end].name;
            (void)add_column(r, number_columns[end].name, &number_columns[end]);
        }
        const base_status status = check_group(r, names, end - i, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

/** Finds the forces, in one unit. */
static base_status find_forces(reader *r, base_error *err)
{
    for (int u = 0; u < UNITS; u++) {
        char texts[FORCES][NAME_BYTES];
        const char *names[FORCES];
        bool any = false;
        for (int i = 0; i < FORCES; i++) {
            name_force(i, force_units[u], texts[i]);
            names[i] = texts[i];
            any |= base_csv_find(r->table, names[i]) >= 0;
        }
        if (any && *r->answers->force_unit) {
            return base_fail(
                err, BASE_ERR_INPUT, "'%s' line %zu: forces in two units, %s and %s: one is needed",
                r->table->path, r->table->lines[0], r->answers->force_unit, force_units[u]);
        }
        const base_status status = check_group(r, names, FORCES, err);
        if (status != BASE_OK) {
            return status;
        }
        for (int i = 0; i < FORCES && any; i++) {
            (void)add_column(r, names[i], &force_columns[i]);
            snprintf(r->answers->force_unit, sizeof r->answers->force_unit, "%s", force_units[u]);
        }
    }
    return BASE_OK;
}

/** Refuses columns that are not answers: a misspelt one would silently be left out. */
static base_status check_unknown(const reader *r, base_error *err)
{
    char names[NAMES][NAME_BYTES];
    const char *list[NAMES + 1] = {NULL};
    list_names(names);
    for (int i = 0; i < NAMES; i++) {
        list[i] = names[i];
    }
    for (size_t c = 0; c < r->table->columns; c++) {
        bool known = false;
        for (int i = 0; i < NAMES; i++) {
            known |= strcmp(list[i], r->table->cells[c]) == 0;
        }
        if (!known) {
            char near[256];
            base_text_near(r->table->cells[c], list, near, sizeof near);
            return base_fail(err, BASE_ERR_INPUT,
                             "'%s' line %zu: unknown column '%.80s'%s ('proxbench score --help' "
                             "lists all)",
                             r->table->path, r->table->lines[0], r->table->cells[c], near);
        }
    }
    return BASE_OK;
}

static base_status find_columns(reader *r, base_error *err)
{
    base_status status = check_unknown(r, err);
    for (int i = 0; i < OTHERS; i++) {
        r->others[i] = base_csv_find(r->table, other_columns[i]);
    }
    if (status == BASE_OK && r->others[FRAME] < 0) {
        status = base_fail(err, BASE_ERR_INPUT,
                           "'%s' line %zu: column 'frame' is missing: it names the frame of each "
                           "answer, from 0",
                           r->table->path, r->table->lines[0]);
    }
    if (status == BASE_OK) {
        status = find_numbers(r, err);
    }
    if (status == BASE_OK) {
        status = find_forces(r, err);
    }
    if (status == BASE_OK && r->count == 0 && r->others[COLLIDING] < 0 && r->others[PAIRS] < 0) {
        status = base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: no column is an answer",
                           r->table->path, r->table->lines[0]);
    }
    return status;
}

/* --- Rows ------------------------------------------------------------------------------------- */

/** Reads a whole number. The caller has checked that the field is not empty. */
static base_status read_count(const reader *r, size_t row, int other, uint64_t *count,
                              base_error *err)
{
    const double most = 9007199254740992.0; /* 2^53: every whole number up to it is a double */
    double value;
    const base_status status = base_csv_number(r->table, row, r->others[other], &value, err);
    if (status != BASE_OK) {
        return status;
    }
    if (!(value >= 0 && value <= most) || (other != TIME && value != floor(value))) {
        return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: column '%s': '%.80s' is %s",
                         r->table->path, r->table->lines[row + 1], other_columns[other],
                         base_csv_text(r->table, row, r->others[other]),
                         other == TIME ? "no time in nanoseconds" : "no whole number from 0");
    }
    *count = (uint64_t)(value + 0.5);
    return BASE_OK;
}

static bool is_filled(const reader *r, size_t row, int other)
{
    return r->others[other] >= 0 && base_csv_text(r->table, row, r->others[other]);
}

/** Finds the frame of a row. */
static base_status read_frame(reader *r, size_t row, uint64_t *frame, base_error *err)
{
    const size_t line = r->table->lines[row + 1], n = r->answers->frame_count;
    const base_status status = read_count(r, row, FRAME, frame, err);
    if (status != BASE_OK) {
        return status;
    }
    if (*frame >= n) {
        return base_fail(err, BASE_ERR_INPUT,
                         "'%s' line %zu: there is no frame %llu: the scenario has the frames 0 to "
                         "%zu%s",
                         r->table->path, line, (unsigned long long)*frame, n - 1,
                         *frame == n ? " (are yours numbered from 1?)" : "");
    }
    if (r->lines[*frame] > 0) {
        return base_fail(err, BASE_ERR_INPUT,
                         "'%s' line %zu: frame %llu is there twice, first in line %zu",
                         r->table->path, line, (unsigned long long)*frame, r->lines[*frame]);
    }
    r->lines[*frame] = line;
    return BASE_OK;
}

/**
 * Reads the numbers of the columns with one bit, from column `begin` to `end`. All are filled or
 * all are empty; a depth of 0 needs no direction.
 */
static base_status read_group(const reader *r, size_t row, size_t begin, size_t end,
                              alg_answer *answer, base_error *err)
{
    size_t filled = 0;
    for (size_t i = begin; i < end; i++) {
        filled += base_csv_text(r->table, row, r->columns[i]) != NULL;
    }
    if (filled == 0) {
        return BASE_OK;
    }
    const uint32_t has = r->numbers[begin].has;
    for (size_t i = begin; i < end; i++) {
        double value = 0;
        const bool zero_depth = has == ALG_HAS_DEPTH && i > begin && answer->depth_m == 0;
        if (!zero_depth || base_csv_text(r->table, row, r->columns[i])) {
            const base_status status = base_csv_number(r->table, row, r->columns[i], &value, err);
            if (status != BASE_OK) {
                return status;
            }
        }
        memcpy((char *)answer + r->numbers[i].offset, &value, sizeof value);
    }
    answer->answered |= has;
    return BASE_OK;
}

/** True if an answer without the column `colliding` says that the bodies touch or overlap. */
static bool collides(const alg_answer *a)
{
    return a->answered & ALG_HAS_DISTANCE ? a->distance_m <= 0
           : a->answered & ALG_HAS_VOLUME ? a->volume_m3 > 0
           : a->answered & ALG_HAS_DEPTH  ? a->depth_m > 0
           : a->answered & ALG_HAS_PAIRS  ? a->pair_count > 0
                                          : vec3_norm(a->force) > 0;
}

static base_status read_colliding(const reader *r, size_t row, alg_answer *answer, base_error *err)
{
    uint64_t colliding = 0;
    const base_status status = read_count(r, row, COLLIDING, &colliding, err);
    if (status == BASE_OK && colliding > 1) {
        return base_fail(err, BASE_ERR_INPUT,
                         "'%s' line %zu: column 'colliding': %llu is neither 0 nor 1",
                         r->table->path, r->table->lines[row + 1], (unsigned long long)colliding);
    }
    answer->colliding = colliding == 1;
    if ((r->asked & ALG_WANT_CONTACT) || (r->count == 0 && r->others[PAIRS] < 0)) {
        answer->answered |= ALG_HAS_CONTACT;
    }
    return status;
}

static base_status read_row(reader *r, size_t row, base_error *err)
{
    uint64_t frame, count;
    base_status status = read_frame(r, row, &frame, err);
    if (status != BASE_OK) {
        return status;
    }
    alg_answer *const a = &r->answers->items[frame];
    for (size_t i = 0, end; i < r->count && status == BASE_OK; i = end) {
        for (end = i + 1; end < r->count && r->numbers[end].has == r->numbers[i].has;) {
            end++;
        }
        status = read_group(r, row, i, end, a, err);
    }
    if (status == BASE_OK && is_filled(r, row, PAIRS)) {
        status = read_count(r, row, PAIRS, &count, err);
        if (status == BASE_OK && count > UINT32_MAX) {
            status = base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: too many pairs of triangles",
                               r->table->path, r->table->lines[row + 1]);
        }
        a->pair_count = status == BASE_OK ? (uint32_t)count : 0;
        a->answered |= ALG_HAS_PAIRS | ALG_HAS_CONTACT;
    }
    if (status == BASE_OK && is_filled(r, row, TIME)) {
        status = read_count(r, row, TIME, &r->answers->times_ns[frame], err);
    }
    if (status != BASE_OK) {
        return status;
    }
    a->colliding = a->answered && collides(a);
    if (is_filled(r, row, COLLIDING)) {
        status = read_colliding(r, row, a, err);
    }
    if (a->answered & ALG_HAS_WITNESS) {
        a->witness_a = vec3_sub(a->witness_a, r->pair->centre_a);
        a->witness_b = vec3_sub(a->witness_b, r->pair->centre_a);
    }
    a->outcome = ALG_CONVERGED;
    return status;
}

static base_status read_rows(reader *r, base_error *err)
{
    bench_score_answers *const answers = r->answers;
    base_status status = BASE_OK;
    for (size_t row = 0; row < r->table->rows && status == BASE_OK; row++) {
        status = read_row(r, row, err);
    }
    for (size_t f = 0; f < answers->frame_count && status == BASE_OK; f++) {
        const uint32_t has = answers->items[f].answered;
        answers->has |= has;
        answers->first_missing = !has && answers->missing == 0 ? f : answers->first_missing;
        answers->missing += !has;
    }
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        answers->quantities |= answers->has & bench_quantities[q].has ? 1u << q : 0;
    }
    return status == BASE_OK && answers->quantities == 0
               ? base_fail(err, BASE_ERR_INPUT, "'%s': no frame has an answer", r->table->path)
               : status;
}

static base_status make_room(reader *r, base_error *err)
{
    bench_score_answers *const answers = r->answers;
    const size_t n = answers->frame_count;
    answers->items = base_alloc(n, sizeof *answers->items);
    answers->times_ns = r->others[TIME] >= 0 ? base_alloc(n, sizeof *answers->times_ns) : NULL;
    r->lines = base_alloc(n, sizeof *r->lines);
    if (!answers->items || !r->lines || (r->others[TIME] >= 0 && !answers->times_ns)) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu frames", n);
    }
    for (size_t f = 0; f < n; f++) {
        answers->items[f] = (alg_answer){.size = sizeof(alg_answer)};
        r->lines[f] = 0;
        if (answers->times_ns) {
            answers->times_ns[f] = UINT64_MAX;
        }
    }
    return BASE_OK;
}

base_status bench_score_answers_read(const char *path, const bench_pair *pair, size_t frame_count,
                                     unsigned asked, bench_score_answers *answers, base_error *err)
{
    base_csv table;
    *answers = (bench_score_answers){.frame_count = frame_count};
    base_status status = base_csv_read(path, NULL, &table, err);
    if (status != BASE_OK) {
        return status;
    }
    reader r = {.table = &table, .pair = pair, .asked = asked, .answers = answers};
    status = find_columns(&r, err);
    if (status == BASE_OK) {
        status = make_room(&r, err);
    }
    if (status == BASE_OK) {
        status = read_rows(&r, err);
    }
    base_free(r.lines);
    base_csv_release(&table);
    if (status != BASE_OK) {
        bench_score_answers_release(answers);
    }
    return status;
}

void bench_score_answers_release(bench_score_answers *answers)
{
    base_free(answers->items);
    base_free(answers->times_ns);
    *answers = (bench_score_answers){0};
}
