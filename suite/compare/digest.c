#include "suite/compare/digest.h"

#include "base/memory.h"
#include "suite/compare/elsewhere.h"
#include "suite/figures/figures.h"
#include "suite/inputs/experiment.h"
#include "suite/results/reference.h"
#include "suite/results/run_folder.h"
#include "suite/results/stats.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROLES_MAX = 4, COLUMNS = 8 };

/* If an interval must be widened by more than this share, something else used the machine. */
static const double quiet_share = 0.1;

/** A role and the point that has it; NULL if no point has it. */
typedef struct part {
    const char *role;
    const bench_point *point;
} part;

static bool promises_exact(const bench_point *p)
{
    alg_contract contract;
    return bench_cell_row_contract(p->cell, p->quantity, &contract) && contract == ALG_EXACT;
}

/**
 * Returns the point that the others are compared with: the baseline, unless it is not exact and
 * another point is.
 */
static const bench_point *find_reference(const bench_point *points, size_t count)
{
    const bench_point *exact = NULL, *baseline = NULL;
    for (size_t i = 0; i < count; i++) {
        const bool is_baseline = !*points[i].cell->baseline;
        baseline = is_baseline ? &points[i] : baseline;
        if (promises_exact(&points[i])) {
            exact = !exact || is_baseline ? &points[i] : exact;
        }
    }
    return exact ? exact : baseline;
}

/** Returns the fastest point for which `has` is true, or NULL. */
static const bench_point *find_first(const bench_point *points, size_t count,
                                     bool (*has)(const bench_point *))
{
    for (size_t i = 0; i < count; i++) {
        if (has(&points[i])) {
            return &points[i];
        }
    }
    return NULL;
}

static bool is_within(const bench_point *p)
{
    return p->within;
}

static bool is_any(const bench_point *p)
{
    (void)p;
    return true;
}

/** True for another library on the full bodies. Its plug-in need not be loaded here. */
static bool is_library(const bench_point *p)
{
    const char *const name = p->cell->variant;
    const bool simplified =
        strstr(name, ":" ALG_SIMPLIFY "=") || strstr(name, "," ALG_SIMPLIFY "=");
    return bench_look_is_library(name) && !simplified;
}

/** Returns the row of the point among the last `own` rows, or NULL. */
static bench_digest_row *find_row(bench_digest *digest, size_t own, const bench_point *point)
{
    for (size_t i = digest->count - own; i < digest->count; i++) {
        if (digest->rows[i].point == point) {
            return &digest->rows[i];
        }
    }
    return NULL;
}

/**
 * Sets the row's ratio and its interval. alpha: probability that the launches' interval misses the
 * ratio of the launches.
 */
static base_status compare(const bench_record *record, const bench_point *reference, double alpha,
                           bench_digest_row *row, base_error *err)
{
    bench_comparison c = {.variant = row->point->cell,
                          .baseline = reference->cell,
                          .metric = BENCH_METRIC_P99,
                          .alpha = alpha};
    row->ratio = row->lo = row->hi = NAN;
    if (row->point == reference) {
        return BASE_OK;
    }
    const base_status status = bench_comparison_measure(record, &c, err);
    row->ratio = row->point->time_ns / reference->time_ns;
    if (status == BASE_OK && !isnan(c.ratio.lo)) {
        row->lo = fmin(c.ratio.lo, row->ratio);
        row->hi = fmax(c.ratio.hi, row->ratio);
        row->disturbed =
            row->lo * (1 + quiet_share) < c.ratio.lo || row->hi > c.ratio.hi * (1 + quiet_share);
    }
    return status;
}

/**
 * True if the cell's scenario asks only for volumes, depths and forces, but no frame overlaps. Then
 * the right answer is 0 in every frame.
 */
static bool is_apart(const bench_cell_row *cell)
{
    const unsigned of_overlap = ALG_WANT_VOLUME | ALG_WANT_DEPTH | ALG_WANT_FORCE;
    unsigned asked = 0;
    return bench_quantities_parse(cell->quantity, &asked, NULL) == BASE_OK &&
           (asked & of_overlap) && !(asked & ~of_overlap) &&
           cell->verdicts[BENCH_TRUE_POSITIVE] + cell->verdicts[BENCH_FALSE_NEGATIVE] == 0 &&
           cell->verdicts[BENCH_TRUE_NEGATIVE] + cell->verdicts[BENCH_FALSE_POSITIVE] > 0;
}

/** Appends a row. The rows have room for it. */
static void add_row(const bench_point *point, const bench_look *look, const char *role,
                    bench_digest *digest)
{
    digest->rows[digest->count++] = (bench_digest_row){.point = point, .look = look, .role = role};
}

/** Makes the labels of the points of a group, as in figures, in the arena. */
static base_status make_looks(const bench_record *record, const bench_point *points, size_t count,
                              base_arena *arena, bench_looks *looks, base_error *err)
{
    const char **const names = base_arena_alloc(arena, count, sizeof *names);
    if (!names) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        names[i] = points[i].cell->variant;
    }
    return bench_figures_looks(record, points[0].cell->scenario, names, count, arena, looks, err);
}

/** Adds the rows of one scenario and quantity. all: also add the points without a role. */
static base_status add_group(const bench_record *record, const bench_point *points, size_t count,
                             bool all, bench_digest *digest, base_error *err)
{
    const bench_point *const reference = find_reference(points, count);
    if (!reference) {
        return BASE_OK;
    }
    const part parts[ROLES_MAX] = {
        {promises_exact(reference) ? "exact" : "baseline", reference},
        {"within", find_first(points, count, is_within)},
        {"fastest", find_first(points, count, is_any)},
        {"library", find_first(points, count, is_library)},
    };
    bench_looks looks;
    base_status status = make_looks(record, points, count, &digest->arena, &looks, err);
    if (status == BASE_OK) {
        status =
            base_reserve(digest->rows, digest->capacity, digest->count + ROLES_MAX + count, err);
    }
    size_t own = 0;
    for (size_t i = 0; i < ROLES_MAX && status == BASE_OK; i++) {
        bench_digest_row *const row = find_row(digest, own, parts[i].point);
        if (row) {
            /* "exact, within" and "fastest" become "exact, fastest", because an exact method is
             * within the tolerance. */
            char roles[128];
            const bool within = strcmp(row->role, "exact, within") == 0;
            snprintf(roles, sizeof roles, "%s, %s", within ? "exact" : row->role, parts[i].role);
            row->role = base_arena_text(&digest->arena, roles);
            status = row->role ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
        } else if (parts[i].point) {
            add_row(parts[i].point, &looks.items[parts[i].point - points], parts[i].role, digest);
            own++;
        }
    }
    for (size_t i = 0; i < count && all && status == BASE_OK; i++) {
        if (!find_row(digest, own, &points[i])) {
            add_row(&points[i], &looks.items[i], "", digest);
            own++;
        }
    }
    const double alpha = BENCH_JOINT_ALPHA / (double)(own > 1 ? own - 1 : 1);
    for (size_t i = digest->count - own; i < digest->count && status == BASE_OK; i++) {
        status = compare(record, reference, alpha, &digest->rows[i], err);
    }
    return status;
}

base_status bench_digest_make(const bench_record *record, const bench_front *front,
                              bench_digest *digest, base_error *err)
{
    *digest = (bench_digest){0};
    const char *const experiment = bench_record_fact(record, "run", "experiment");
    const bool all = experiment && strcmp(experiment, BENCH_OWN_PAIR_NAME) == 0;
    base_status status = BASE_OK;
    for (size_t i = 0, end; i < front->count && status == BASE_OK; i = end) {
        end = bench_front_group_end(front, i);
        const bench_point *const p = &front->points[i];
        if (p->state != BENCH_POINT_TRUTH_ZERO && bench_point_is_asked(p) && !is_apart(p->cell)) {
            status = add_group(record, p, end - i, all, digest, err);
        }
    }
    return status;
}

/**
 * True if row i is the first one with its shared settings. of_scenario: the first one of its
 * scenario among these.
 */
static bool is_first(const bench_digest *digest, size_t i, bool of_scenario)
{
    const bench_digest_row *const rows = digest->rows;
    for (size_t k = 0; k < i; k++) {
        const bool same_scenario =
            strcmp(rows[k].point->cell->scenario, rows[i].point->cell->scenario) == 0;
        if (strcmp(rows[k].look->shared, rows[i].look->shared) == 0 &&
            (same_scenario || !of_scenario)) {
            return false;
        }
    }
    return true;
}

const char *bench_digest_settings(bench_digest *digest)
{
    enum { MARKS = 8 }; /* bytes of the separators between names */
    size_t size = 1, used = 0;
    for (size_t i = 0; i < digest->count; i++) {
        const bench_digest_row *const row = &digest->rows[i];
        size += strlen(row->look->shared) + strlen(row->point->cell->scenario) + MARKS;
    }
    char *const text = base_arena_alloc(&digest->arena, size, 1);
    for (size_t i = 0; text && i < digest->count; i++) {
        const char *const shared = digest->rows[i].look->shared;
        if (!*shared || !is_first(digest, i, false)) {
            continue;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "; " : "", shared);
        const char *before = " (";
        for (size_t k = i; k < digest->count; k++) {
            if (strcmp(digest->rows[k].look->shared, shared) == 0 && is_first(digest, k, true)) {
                used += (size_t)snprintf(text + used, size - used, "%s%s", before,
                                         digest->rows[k].point->cell->scenario);
                before = ", ";
            }
        }
        used += (size_t)snprintf(text + used, size - used, ")");
    }
    return text;
}

/**
 * Returns the interval of a baseline against its twin that reaches furthest from 1, or NULL if no
 * interval is known.
 */
static const bench_ratio *find_noise(const bench_comparisons *list)
{
    const bench_ratio *noisiest = NULL;
    double most = 0;
    for (size_t i = 0; i < list->count; i++) {
        const bench_comparison *const c = &list->items[i];
        const double reach = fmax(1 / c->twin.lo, c->twin.hi);
        if (c->metric == BENCH_METRIC_QUERY && !c->evicted && !isnan(c->twin.lo) && reach > most) {
            most = reach;
            noisiest = &c->twin;
        }
    }
    return noisiest;
}

void bench_digest_noise_text(const bench_digest *digest, const bench_record *record,
                             const bench_comparisons *list, char line[BENCH_DIGEST_LINE_BYTES])
{
    const char *const load_text = bench_record_fact(record, "machine", "load_average");
    const char *const cpus_text = bench_record_fact(record, "machine", "cpus_online");
    const double load = load_text ? strtod(load_text, NULL) : 0;
    const double cpus = cpus_text ? strtod(cpus_text, NULL) : 0;
    const bench_ratio *const noise = find_noise(list);
    const bool busy = cpus > 0 && load > cpus + 1;
    const bool noisy = noise && fmax(1 / noise->lo, noise->hi) > 1 + quiet_share;
    char reasons[256] = "";
    size_t used = 0, disturbed = 0;
    for (size_t i = 0; i < digest->count; i++) {
        disturbed += digest->rows[i].disturbed;
    }
    if (busy) {
        used += (size_t)snprintf(reasons, sizeof reasons, "load %.1f on %.0f CPUs", load, cpus);
    }
    if (noisy) {
        used += (size_t)snprintf(reasons + used, sizeof reasons - used, "%sA/A %s..%s",
                                 used ? "; " : "", bench_ratio_text(noise->lo).text,
                                 bench_ratio_text(noise->hi).text);
    }
    if (disturbed > 0) {
        snprintf(reasons + used, sizeof reasons - used, "%s%zu row%s with !", used ? "; " : "",
                 disturbed, disturbed == 1 ? "" : "s");
    }
    line[0] = '\0';
    if (*reasons) {
        snprintf(line, BENCH_DIGEST_LINE_BYTES,
                 "The machine was busy (%s): times are not comparable.", reasons);
    }
}

void bench_digest_apart_text(const bench_record *record, char line[BENCH_DIGEST_LINE_BYTES])
{
    size_t used = 0;
    line[0] = '\0';
    for (size_t first = 0, end; first < record->cell_count; first = end) {
        bool apart = false;
        end = bench_record_scenario_end(record, first);
        for (size_t i = first; i < end; i++) {
            apart = apart || is_apart(&record->cells[i]);
        }
        if (apart && used < BENCH_DIGEST_LINE_BYTES) {
            used += (size_t)snprintf(line + used, BENCH_DIGEST_LINE_BYTES - used, "%s%s",
                                     used ? ", " : "No frame overlaps in ",
                                     record->cells[first].scenario);
        }
    }
    if (used > 0 && used < BENCH_DIGEST_LINE_BYTES) {
        snprintf(line + used, BENCH_DIGEST_LINE_BYTES - used,
                 ": volume, depth and force are 0, so they are left out.");
    }
}

void bench_digest_release(bench_digest *digest)
{
    base_free(digest->rows);
    base_arena_release(&digest->arena);
    *digest = (bench_digest){0};
}

/* --- Table for people ------------------------------------------------------------------------- */

/**
 * Appends a header and the rows to `rows`, for people: 8 columns. "!" after an interval marks a
 * disturbed row.
 */
static void put_digest(const bench_digest *digest, bench_rows *rows)
{
    static const char *const header[COLUMNS] = {"scenario", "role", "variant", "    p99",
                                                " ratio",   "95 %", "off by",  "within"};
    rows->columns = COLUMNS;
    bench_rows_put_names(rows, header);
    for (size_t i = 0, row_of_group = 0; i < digest->count; i++) {
        const bench_digest_row *const row = &digest->rows[i];
        const bench_point *const p = row->point;
        const double share = p->cell->within[p->quantity];
        const bench_point *const before = i > 0 ? digest->rows[i - 1].point : NULL;
        const bool same_group = before && before->quantity == p->quantity &&
                                strcmp(before->cell->scenario, p->cell->scenario) == 0;
        row_of_group = same_group ? row_of_group + 1 : 0;
        /* The first row of a group names scenario and quantity ("pump/sphere: distance"), the
         * second row the tolerance. If the scenario's name ends with the quantity, the row does not
         * repeat it. */
        const char *const scenario = p->cell->scenario, *const slash = strrchr(scenario, '/');
        const char *const quantity = alg_quantity_names[p->quantity];
        const bool named = slash && strcmp(slash + 1, quantity) == 0;
        char tolerance[BENCH_TOLERANCE_BYTES];
        bench_tolerance_describe(&p->tolerance, tolerance);
        if (row_of_group == 0) {
            bench_rows_put(rows, "%s%s%s", scenario, named ? "" : ": ", named ? "" : quantity);
        } else {
            bench_rows_put(rows, "%s", row_of_group == 1 ? tolerance : "");
        }
        bench_rows_put(rows, "%s", row->role);
        bench_rows_put(rows, "%s", row->look->label);
        bench_rows_put(rows, "%7s", bench_time_text(p->time_ns).text);
        bench_rows_put(rows, "%6s", isnan(row->ratio) ? "1" : bench_ratio_text(row->ratio).text);
        if (isnan(row->lo)) {
            bench_rows_put(rows, "%s", "");
        } else {
            bench_rows_put(rows, "%s..%s%s", bench_ratio_text(row->lo).text,
                           bench_ratio_text(row->hi).text, row->disturbed ? "!" : "");
        }
        bench_rows_put(rows, "%s",
                       bench_limit_text(p->tolerance.limits[0].error, p->error_mean).text);
        if (isnan(share)) {
            bench_rows_put(rows, "%s", "");
        } else {
            bench_rows_put(rows, "%.3g %%", 100 * share);
        }
    }
}

/* --- Simulations ------------------------------------------------------------------------------ */

enum { SIMULATION_COLUMNS = 6 };

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool has_simulations(const char *run, const char *name)
{
    char path[BENCH_RUN_PATH_BYTES];
    return *name != '.' && bench_run_file(run, path, NULL, "%s/simulations.csv", name) == BASE_OK &&
           access(path, F_OK) == 0;
}

base_status bench_digest_simulations(const char *run, base_arena *arena, const char ***folders,
                                     base_error *err)
{
    enum { FOLDERS_MAX = 256 };
    DIR *const directory = opendir(run);
    size_t count = 0;
    *folders = base_arena_alloc(arena, FOLDERS_MAX + 1, sizeof **folders);
    base_status status = *folders ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    for (struct dirent *e; status == BASE_OK && directory && (e = readdir(directory));) {
        if (count < FOLDERS_MAX && has_simulations(run, e->d_name)) {
            (*folders)[count] = base_arena_text(arena, e->d_name);
            status =
                (*folders)[count++] ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
        }
    }
    if (directory) {
        closedir(directory);
    }
    if (status == BASE_OK) {
        qsort(*folders, count, sizeof **folders, by_text);
    }
    return status;
}

base_status bench_digest_simulation_rows(const char *folder, bench_rows *rows, base_error *err)
{
    static const char *const header[SIMULATION_COLUMNS] = {
        "scene", "variant", "driven by", "deepest point", "creates energy", "ended"};
    char path[BENCH_RUN_PATH_BYTES];
    base_csv table;
    base_status status = bench_run_file(folder, path, err, "simulations.csv");
    if (status == BASE_OK) {
        status = base_csv_read(path, NULL, &table, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    rows->columns = SIMULATION_COLUMNS;
    bench_rows_put_names(rows, header);
    for (size_t i = 0; i < table.rows && status == BASE_OK; i++) {
        bench_simulation_row s;
        status = bench_columns_read(bench_simulation_columns, &table, i, &s, err);
        if (status != BASE_OK) {
            break;
        }
        bench_rows_put(rows, "%s", s.scene);
        bench_rows_put(rows, "%s", s.variant);
        bench_rows_put(rows, "%s", s.response);
        if (isnan(s.point_depth_m)) {
            bench_rows_put(rows, "%s", "");
        } else {
            bench_rows_put(rows, "%8.3f mm", 1e3 * s.point_depth_m);
        }
        bench_rows_put(rows, "%s", s.passive == UINT64_MAX ? "" : s.passive ? "no" : "yes");
        bench_rows_put(rows, "%s%s%s", s.status, *s.detail ? ": " : "", s.detail);
    }
    base_csv_release(&table);
    return status;
}

/* --- The screen ------------------------------------------------------------------------------- */

enum { SCREEN_WIDTH = 110 };

/** Prints "Settings: ..." in lines that end at a ';'. */
static void print_settings(const char *settings)
{
    size_t used = (size_t)printf("Settings:");
    while (*settings) {
        const size_t end = strcspn(settings, ";");
        const size_t length = end + (settings[end] == ';');
        const bool fits = used + 1 + length <= SCREEN_WIDTH;
        used = (fits ? used : 1) + (size_t)printf(fits ? " " : "\n  ");
        used += (size_t)printf("%.*s", (int)length, settings);
        settings += length + strspn(settings + length, " ");
    }
    puts("");
}

base_status bench_digest_print(const bench_record *record, const bench_comparisons *list,
                               bench_digest *digest, base_error *err)
{
    const char *const run = record->folder;
    char line[BENCH_DIGEST_LINE_BYTES];
    base_arena arena = {0};
    const char **folders;
    bench_rows rows = {.width = SCREEN_WIDTH};
    put_digest(digest, &rows);
    puts("p99: 99th percentile of frame times; ratio: to the exact method's, or the baseline's "
         "where none "
         "is exact;\n"
         "off by: mean; role 'within': the fastest with all frames in the tolerance (second row); "
         "n/j: not "
         "judged.");
    base_status status = bench_rows_finish(&rows, BENCH_FORMAT_TABLE, stdout, err);
    const char *const settings = bench_digest_settings(digest);
    if (settings && *settings) {
        print_settings(settings);
    }
    if (status == BASE_OK) {
        status = bench_elsewhere_print(record, BENCH_FORMAT_TABLE, stdout, err);
    }
    for (int i = 0; i < 2; i++) {
        i == 0 ? bench_digest_noise_text(digest, record, list, line)
               : bench_digest_apart_text(record, line);
        if (*line) {
            puts(line);
        }
    }
    if (status == BASE_OK) {
        status = bench_digest_simulations(run, &arena, &folders, err);
    }
    for (size_t i = 0; status == BASE_OK && folders[i]; i++) {
        char folder[BENCH_RUN_PATH_BYTES];
        bench_rows table = {.width = SCREEN_WIDTH};
        snprintf(folder, sizeof folder, "%s/%s", run, folders[i]);
        puts("");
        status = bench_digest_simulation_rows(folder, &table, err);
        if (status == BASE_OK) {
            status = bench_rows_print(&table, BENCH_FORMAT_TABLE, stdout, err);
        }
        bench_rows_release(&table);
    }
    base_arena_release(&arena);
    return status;
}
