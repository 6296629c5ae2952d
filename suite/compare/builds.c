#include "suite/compare/builds.h"

#include "base/memory.h"
#include "suite/compare/ratio.h"
#include "suite/results/launches.h"
#include "suite/results/run_folder.h"
#include "suite/results/stats.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/** The probability that the interval of a row misses its ratio. */
static const double alpha = 0.05;

/** A variant that has built a body in a role. It has several rows of build_launches.csv. */
typedef struct subject {
    const bench_build_launch_row *key; /* its first row */
    size_t *rows;                      /* owned; in the order of the file */
    size_t count, capacity;
    size_t facts; /* row of builds.csv; SIZE_MAX if there is no such row */
} subject;

/** State of the comparison while the list is made. */
typedef struct comparing {
    bench_build_ratios *list;
    bench_build_launch_row *rows; /* rows of list->launches */
    subject *subjects;
    size_t count, capacity;
    size_t (*pairs)[2]; /* rows of two subjects in one launch; room for all rows */
    double *values;     /* room for all rows */
} comparing;

/* --- Which variants are compared -------------------------------------------------------------- */

static bool same_body(const bench_build_launch_row *a, const bench_build_launch_row *b)
{
    return strcmp(a->body, b->body) == 0 && strcmp(a->role, b->role) == 0;
}

/** Returns the setting "key=value" at *text and moves *text past it. Returns NULL at the end. */
static const char *next_setting(const char **text, size_t *key, size_t *length)
{
    const char *const setting = *text;
    if (!*setting) {
        return NULL;
    }
    *length = strcspn(setting, ",");
    *key = strcspn(setting, "=,");
    *text += *length + (setting[*length] == ',');
    return setting;
}

/** Returns the setting with the same key in `settings`, or NULL. */
static const char *find_setting(const char *settings, const char *key, size_t key_length,
                                size_t *length)
{
    size_t own;
    for (const char *s; (s = next_setting(&settings, &own, length));) {
        if (own == key_length && strncmp(s, key, own) == 0) {
            return s;
        }
    }
    return NULL;
}

/**
 * Sets *name to the one difference of a pair: a parameter's name, or "algorithm". The name is
 * allocated in the arena. *name is NULL if there is no difference, or more than one.
 */
static base_status find_difference(const bench_build_launch_row *a, const bench_build_launch_row *b,
                                   base_arena *arena, const char **name, base_error *err)
{
    const char *rest = a->parameters, *only = "algorithm";
    const size_t name_length = strcspn(a->variant, ":@");
    const bool same = name_length == strcspn(b->variant, ":@") &&
                      strncmp(a->variant, b->variant, name_length) == 0;
    size_t key, length, other_length, only_length = strlen(only), differences = same ? 0 : 1;
    *name = NULL;
    for (const char *s; (s = next_setting(&rest, &key, &length));) {
        const char *const other = find_setting(b->parameters, s, key, &other_length);
        if (other && (length != other_length || strncmp(s, other, length) != 0)) {
            differences++;
            only = s;
            only_length = key;
        }
    }
    if (differences != 1) {
        return BASE_OK;
    }
    char *const text = base_arena_alloc(arena, only_length + 1, 1);
    if (!text) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    memcpy(text, only, only_length);
    *name = text;
    return BASE_OK;
}

/* --- One ratio -------------------------------------------------------------------------------- */

/** Stores the row pairs of the launches that built both. Returns their number. */
static size_t match_launches(const comparing *c, const subject *a, const subject *b)
{
    size_t count = 0;
    for (size_t i = 0; i < a->count; i++) {
        const bench_build_launch_row *const x = &c->rows[a->rows[i]];
        for (size_t k = 0; k < b->count; k++) {
            const bench_build_launch_row *const y = &c->rows[b->rows[k]];
            if (x->launch == y->launch && x->block == y->block &&
                strcmp(x->scenario, y->scenario) == 0) {
                c->pairs[count][0] = a->rows[i];
                c->pairs[count++][1] = b->rows[k];
                break;
            }
        }
    }
    return count;
}

/**
 * Stores the logarithms of the ratios of a column in all launches of both, sorted. *count is their
 * number.
 */
static base_status gather(const comparing *c, size_t pairs, int column, size_t *count,
                          base_error *err)
{
    const base_csv *const table = &c->list->launches;
    *count = 0;
    for (size_t i = 0; i < pairs; i++) {
        double of[2] = {0, 0};
        for (int k = 0; k < 2; k++) {
            if (base_csv_text(table, c->pairs[i][k], column)) {
                const base_status status =
                    base_csv_number(table, c->pairs[i][k], column, &of[k], err);
                if (status != BASE_OK) {
                    return status;
                }
            }
        }
        if (of[0] > 0 && of[1] > 0) {
            c->values[(*count)++] = log(of[0] / of[1]);
        }
    }
    bench_stats_sort_numbers(c->values, *count);
    return BASE_OK;
}

static base_status triangles_of(const comparing *c, size_t facts, uint64_t *triangles,
                                base_error *err)
{
    const base_csv *const builds = &c->list->builds;
    const int column = base_csv_find(builds, "triangles_count");
    double number = 0;
    *triangles = UINT64_MAX;
    if (facts == SIZE_MAX || column < 0 || !base_csv_text(builds, facts, column)) {
        return BASE_OK;
    }
    const base_status status = base_csv_number(builds, facts, column, &number, err);
    *triangles = number >= 0 && number < 0x1p53 ? (uint64_t)number : UINT64_MAX;
    return status;
}

/**
 * Returns the variant's name as a part of file names, allocated in the arena; NULL if memory is
 * exhausted.
 */
static const char *file_of(const comparing *c, const subject *s)
{
    char file[BENCH_CONTESTANT_NAME_BYTES];
    bench_variant_file(s->key->variant, file, sizeof file);
    return base_arena_text(&c->list->launches.arena, file);
}

/** Adds the ratios of all measures of a pair. */
static base_status compare(comparing *c, size_t variant, size_t other, base_error *err)
{
    const subject *const a = &c->subjects[variant], *const b = &c->subjects[other];
    bench_build_ratios *const list = c->list;
    const base_csv *const table = &list->launches;
    bench_build_ratio ratio = {.row = {.variant = a->key->variant,
                                       .other = b->key->variant,
                                       .body = a->key->body,
                                       .role = a->key->role},
                               .facts = a->facts,
                               .backward = other > variant};
    base_status status =
        find_difference(a->key, b->key, &c->list->launches.arena, &ratio.row.parameter, err);
    if (status != BASE_OK || !ratio.row.parameter) {
        return status;
    }
    ratio.row.file = file_of(c, a);
    ratio.row.other_file = file_of(c, b);
    if (!ratio.row.file || !ratio.row.other_file) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    status = triangles_of(c, a->facts, &ratio.row.triangles, err);
    const size_t pairs = match_launches(c, a, b);
    for (size_t column = 0; column < table->columns && status == BASE_OK; column++) {
        ratio.row.measure = table->cells[column];
        size_t count = 0;
        if (bench_is_build_time(ratio.row.measure)) {
            status = gather(c, pairs, (int)column, &count, err);
        }
        if (status == BASE_OK && count > 0) {
            const bench_sign_interval s = bench_stats_sign_interval(count, alpha);
            ratio.row.ratio = exp(bench_stats_median(c->values, count));
            ratio.row.lo = s.rank > 0 ? exp(c->values[s.rank - 1]) : (double)NAN;
            ratio.row.hi = s.rank > 0 ? exp(c->values[count - s.rank]) : (double)NAN;
            ratio.row.launches = count;
            status = base_reserve(list->items, list->capacity, list->count + 1, err);
            if (status == BASE_OK) {
                list->items[list->count++] = ratio;
            }
        }
    }
    return status;
}

/* --- Files of a run --------------------------------------------------------------------------- */

bool bench_builds_are_timed(const char *folder)
{
    bench_record record;
    if (bench_record_open(folder, BENCH_RECORD_FACTS, &record, NULL) != BASE_OK) {
        return false;
    }
    const char *const builds = bench_record_fact(&record, "run", "builds");
    const bool timed = builds && strcmp(builds, "timed") == 0;
    bench_record_release(&record);
    return timed;
}

/**
 * Reads a file of a run. Sets *exists to whether the run has the file. Rejects columns that the
 * suite cannot have written.
 */
static base_status read_file(const char *folder, const char *name, base_csv *table, bool *exists,
                             base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    base_status status = bench_run_file(folder, path, err, "%s", name);
    *exists = status == BASE_OK && access(path, F_OK) == 0;
    if (status == BASE_OK && *exists) {
        status = base_csv_read(path, NULL, table, err);
        *exists = status == BASE_OK;
    }
    return *exists ? bench_columns_check_names(table, err) : status;
}

/** Returns the subject's row of builds.csv, or SIZE_MAX if it has no row. */
static size_t find_facts(const base_csv *builds, const bench_build_launch_row *key)
{
    static const char *const names[] = {"variant", "body", "role"};
    const char *const values[] = {key->variant, key->body, key->role};
    for (size_t row = 0; row < builds->rows; row++) {
        size_t same = 0;
        for (size_t k = 0; k < 3; k++) {
            const int column = base_csv_find(builds, names[k]);
            const char *const text = column < 0 ? NULL : base_csv_text(builds, row, column);
            same += text && strcmp(text, values[k]) == 0;
        }
        if (same == 3) {
            return row;
        }
    }
    return SIZE_MAX;
}

/** Collects the rows of each variant, body and role. */
static base_status find_subjects(comparing *c, base_error *err)
{
    base_status status = BASE_OK;
    for (size_t row = 0; row < c->list->launches.rows && status == BASE_OK; row++) {
        const bench_build_launch_row *const key = &c->rows[row];
        size_t i = 0;
        while (i < c->count && !(same_body(c->subjects[i].key, key) &&
                                 strcmp(c->subjects[i].key->variant, key->variant) == 0)) {
            i++;
        }
        if (i == c->count) {
            status = base_reserve(c->subjects, c->capacity, c->count + 1, err);
            if (status == BASE_OK) {
                c->subjects[c->count++] =
                    (subject){.key = key, .facts = find_facts(&c->list->builds, key)};
            }
        }
        if (status == BASE_OK) {
            subject *const s = &c->subjects[i];
            status = base_reserve(s->rows, s->capacity, s->count + 1, err);
            if (status == BASE_OK) {
                s->rows[s->count++] = row;
            }
        }
    }
    return status;
}

/** Compares all pairs that built the body of a subject. */
static base_status compare_body(comparing *c, size_t first, base_error *err)
{
    const bench_build_launch_row *const body = c->subjects[first].key;
    base_status status = BASE_OK;
    for (size_t i = first; i < c->count; i++) {
        for (size_t k = first; k < c->count && status == BASE_OK; k++) {
            if (k != i && same_body(c->subjects[i].key, body) &&
                same_body(c->subjects[k].key, body)) {
                status = compare(c, i, k, err);
            }
        }
    }
    return status;
}

static base_status compare_all(comparing *c, base_error *err)
{
    const base_csv *const table = &c->list->launches;
    c->rows = base_alloc(table->rows, sizeof *c->rows);
    c->pairs = base_alloc(table->rows, sizeof *c->pairs);
    c->values = base_alloc(table->rows, sizeof *c->values);
    base_status status = c->rows && c->pairs && c->values
                             ? BASE_OK
                             : base_fail(err, BASE_ERR_MEMORY, "'%s': out of memory", table->path);
    for (size_t i = 0; i < table->rows && status == BASE_OK; i++) {
        status = bench_columns_read(bench_build_launches_columns, table, i, &c->rows[i], err);
    }
    if (status == BASE_OK) {
        status = find_subjects(c, err);
    }
    for (size_t i = 0; i < c->count; i++) {
        bool first = true;
        for (size_t k = 0; k < i; k++) {
            first = first && !same_body(c->subjects[k].key, c->subjects[i].key);
        }
        if (first && status == BASE_OK) {
            status = compare_body(c, i, err);
        }
    }
    for (size_t i = 0; i < c->count; i++) {
        base_free(c->subjects[i].rows);
    }
    base_free(c->subjects);
    base_free(c->rows);
    base_free(c->pairs);
    base_free(c->values);
    return status;
}

base_status bench_build_ratios_make(const char *folder, bench_build_ratios *list, base_error *err)
{
    bool has_launches = false, has_builds = false;
    *list = (bench_build_ratios){0};
    base_status status =
        read_file(folder, "build_launches.csv", &list->launches, &has_launches, err);
    if (status == BASE_OK && has_launches) {
        status = read_file(folder, "builds.csv", &list->builds, &has_builds, err);
    }
    comparing c = {.list = list};
    return status == BASE_OK && has_launches ? compare_all(&c, err) : status;
}

void bench_build_ratios_release(bench_build_ratios *list)
{
    base_free(list->items);
    base_csv_release(&list->launches);
    base_csv_release(&list->builds);
    *list = (bench_build_ratios){0};
}

/* --- Output ----------------------------------------------------------------------------------- */

/**
 * True if a column of builds.csv is a fact, which means that it is not one of the standard columns.
 */
static bool is_fact(const char *column)
{
    for (size_t i = 0; i < bench_builds_columns.count; i++) {
        if (strcmp(bench_builds_columns.items[i].name, column) == 0) {
            return false;
        }
    }
    return true;
}

base_status bench_build_ratios_write(const bench_build_ratios *list, FILE *file, base_error *err)
{
    const base_csv *const builds = &list->builds;
    base_csv_writer w = {.file = file};
    bench_columns_put_names(bench_build_ratios_columns, &w);
    for (size_t c = 0; c < builds->columns; c++) {
        if (is_fact(builds->cells[c])) {
            base_csv_put_text(&w, builds->cells[c]);
        }
    }
    base_csv_end(&w);
    for (size_t i = 0; i < list->count; i++) {
        bench_columns_put(bench_build_ratios_columns, &list->items[i].row, &w);
        for (size_t c = 0; c < builds->columns; c++) {
            const size_t facts = list->items[i].facts;
            const char *const text =
                facts == SIZE_MAX ? NULL : base_csv_text(builds, facts, (int)c);
            if (is_fact(builds->cells[c])) {
                base_csv_put_text(&w, text ? text : "");
            }
        }
        base_csv_end(&w);
    }
    return base_csv_check(&w, "build_ratios.csv", err);
}

/** True if any cell of the variant is selected. */
static bool is_selected(const bench_record *record, const char *variant)
{
    for (size_t i = 0; i < record->cell_count; i++) {
        if (!record->cells[i].left_out && strcmp(record->cells[i].variant, variant) == 0) {
            return true;
        }
    }
    return false;
}

base_status bench_build_ratios_print(const bench_build_ratios *list, const bench_record *record,
                                     bench_format format, FILE *file, base_error *err)
{
    static const char *const header[] = {"body",      "role",    "build of", "against",
                                         "differ in", "  ratio", "interval", "launches"};
    bench_rows rows = {.columns = sizeof header / sizeof *header};
    bench_rows_put_names(&rows, header);
    for (size_t i = 0; i < list->count; i++) {
        const bench_build_ratio_row *const r = &list->items[i].row;
        if (list->items[i].backward || strcmp(r->measure, "build_ns") != 0 ||
            !is_selected(record, r->variant) || !is_selected(record, r->other)) {
            continue;
        }
        bench_rows_put(&rows, "%s", r->body);
        bench_rows_put(&rows, "%s", r->role);
        bench_rows_put(&rows, "%s", r->variant);
        bench_rows_put(&rows, "%s", r->other);
        bench_rows_put(&rows, "%s", r->parameter);
        bench_rows_put(&rows, "%7s", bench_ratio_text(r->ratio).text);
        if (isnan(r->lo)) {
            bench_rows_put(&rows, "-");
        } else {
            bench_rows_put(&rows, "%s..%s", bench_ratio_text(r->lo).text,
                           bench_ratio_text(r->hi).text);
        }
        bench_rows_put(&rows, "%llu", (unsigned long long)r->launches);
    }
    base_status status = BASE_OK;
    if (rows.count > rows.columns) {
        fputs(format == BENCH_FORMAT_MARKDOWN ? "\n### Builds\n\n" : "\nBuilds\n", file);
        status = bench_rows_print(&rows, format, file, err);
    }
    bench_rows_release(&rows);
    return status;
}
