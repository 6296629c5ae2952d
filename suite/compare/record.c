#include "suite/compare/record.h"

#include "base/memory.h"
#include "suite/results/figures.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *bench_error_kind_name(bench_error_kind kind)
{
    static const char *const names[BENCH_ERROR_KINDS] = {"distance", "volume", "contact"};
    return names[kind];
}

bool bench_record_is_ok(const bench_record_cell *cell)
{
    return strcmp(cell->status, "ok") == 0 || strcmp(cell->status, "uninformative") == 0;
}

size_t bench_record_scenario_end(const bench_record *record, size_t first)
{
    size_t end = first;
    while (end < record->cell_count &&
           strcmp(record->cells[end].scenario, record->cells[first].scenario) == 0) {
        end++;
    }
    return end;
}

/* --- Fields ----------------------------------------------------------------------------------- */

typedef struct column {
    const char *name;
    int *index;
} column;

static base_status find_columns(const base_csv *table, const column *columns, size_t count,
                                base_error *err)
{
    base_status status = BASE_OK;
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        status = base_csv_column(table, columns[i].name, columns[i].index, err);
    }
    return status;
}

static const char *text_of(const base_csv *table, size_t row, int index)
{
    const char *const text = index >= 0 ? base_csv_text(table, row, index) : NULL;
    return text ? text : "";
}

static base_status number_of(const base_csv *table, size_t row, int index, double *value,
                             base_error *err)
{
    *value = NAN;
    return *text_of(table, row, index) ? base_csv_number(table, row, index, value, err) : BASE_OK;
}

static base_status bad_field(const base_csv *table, size_t row, int index, const char *expected,
                             base_error *err)
{
    return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: %s '%s' is not %s", table->path,
                     table->lines[row + 1], table->cells[index], text_of(table, row, index),
                     expected);
}

static base_status count_of(const base_csv *table, size_t row, int index, uint64_t *value,
                            base_error *err)
{
    const char *const text = text_of(table, row, index);
    char *end = NULL;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && errno == 0
               ? BASE_OK
               : bad_field(table, row, index, "a count", err);
}

/* --- cells.csv -------------------------------------------------------------------------------- */

enum { VERDICT_COUNT = 4 };

typedef struct cell_columns {
    int scenario, variant, quantity, status, hash, file, baseline, below_resolution;
    int time_p99, time_intrinsic_max;
    int error_mean[2], error_max[2];
    int verdicts[VERDICT_COUNT]; /* the right ones, then the wrong ones */
} cell_columns;

static base_status find_cell_columns(const base_csv *table, bool timed, cell_columns *c,
                                     base_error *err)
{
    const column columns[] = {
        {"scenario",                 &c->scenario          },
        {"variant",                  &c->variant           },
        {"quantity",                 &c->quantity          },
        {"status",                   &c->status            },
        {"answers_hash",             &c->hash              },
        {"file",                     &c->file              },
        {"time_p99_ns",              &c->time_p99          },
        {"time_intrinsic_max_ns",    &c->time_intrinsic_max},
        {"distance_error_size_mean", &c->error_mean[0]     },
        {"distance_error_size_max",  &c->error_max[0]      },
        {"volume_error_rel_mean",    &c->error_mean[1]     },
        {"volume_error_rel_max",     &c->error_max[1]      },
        {"tp_count",                 &c->verdicts[0]       },
        {"tn_count",                 &c->verdicts[1]       },
        {"fp_count",                 &c->verdicts[2]       },
        {"fn_count",                 &c->verdicts[3]       },
    };
    const column timed_columns[] = {
        {"baseline",         &c->baseline        },
        {"below_resolution", &c->below_resolution},
    };
    c->baseline = c->below_resolution = -1;
    const base_status status = find_columns(table, columns, sizeof columns / sizeof *columns, err);
    return status == BASE_OK && timed
               ? find_columns(table, timed_columns, sizeof timed_columns / sizeof *timed_columns,
                              err)
               : status;
}

/** Of the frames with a verdict, the share with a wrong one; NaN without any. */
static base_status wrong_share(const base_csv *table, size_t row, const cell_columns *c,
                               double *share, base_error *err)
{
    double counts[VERDICT_COUNT] = {0};
    for (int v = 0; v < VERDICT_COUNT; v++) {
        const base_status status = number_of(table, row, c->verdicts[v], &counts[v], err);
        if (status != BASE_OK) {
            return status;
        }
    }
    const double wrong = counts[2] + counts[3], all = counts[0] + counts[1] + wrong;
    *share = all > 0 ? wrong / all : (double)NAN;
    return BASE_OK;
}

static base_status read_cell(const base_csv *t, size_t row, const cell_columns *c,
                             bench_record_cell *cell, base_error *err)
{
    const char *const below = text_of(t, row, c->below_resolution);
    *cell = (bench_record_cell){
        .scenario = text_of(t, row, c->scenario),
        .variant = text_of(t, row, c->variant),
        .status = text_of(t, row, c->status),
        .hash = text_of(t, row, c->hash),
        .file = text_of(t, row, c->file),
        .baseline = text_of(t, row, c->baseline),
        .twin = bench_variant_is_twin(text_of(t, row, c->variant)),
        .below_resolution = strcmp(below, "1") == 0,
    };
    const struct {
        int index;
        double *value;
    } numbers[] = {
        {c->time_p99,           &cell->time_p99_ns          },
        {c->time_intrinsic_max, &cell->time_intrinsic_max_ns},
        {c->error_mean[0],      &cell->error_mean[0]        },
        {c->error_max[0],       &cell->error_max[0]         },
        {c->error_mean[1],      &cell->error_mean[1]        },
        {c->error_max[1],       &cell->error_max[1]         },
    };
    base_status status = BASE_OK;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && status == BASE_OK; i++) {
        status = number_of(t, row, numbers[i].index, numbers[i].value, err);
    }
    double contact = NAN;
    if (status == BASE_OK && strcmp(text_of(t, row, c->quantity), "contact") == 0) {
        status = wrong_share(t, row, c, &contact, err);
    }
    cell->error_mean[BENCH_ERROR_CONTACT] = cell->error_max[BENCH_ERROR_CONTACT] = contact;
    return status;
}

static base_status read_cells(bench_record *r, bool timed, base_error *err)
{
    cell_columns columns;
    base_status status = find_cell_columns(&r->cell_table, timed, &columns, err);
    if (status != BASE_OK) {
        return status;
    }
    r->cells = base_alloc(r->cell_table.rows, sizeof *r->cells);
    if (!r->cells) {
        return base_fail(err, BASE_ERR_MEMORY, "'%s': out of memory", r->cell_table.path);
    }
    for (size_t i = 0; i < r->cell_table.rows && status == BASE_OK; i++) {
        status = read_cell(&r->cell_table, i, &columns, &r->cells[i], err);
        r->cell_count++;
    }
    return status;
}

const bench_record_cell *bench_record_find(const bench_record *record, const char *scenario,
                                           const char *variant)
{
    for (size_t i = 0; i < record->cell_count; i++) {
        const bench_record_cell *const c = &record->cells[i];
        if (strcmp(c->variant, variant) == 0 && strcmp(c->scenario, scenario) == 0) {
            return c;
        }
    }
    return NULL;
}

/* --- launches.csv ----------------------------------------------------------------------------- */

typedef struct launch_columns {
    int scenario, variant, protocol, block, launch, query, p99;
} launch_columns;

static base_status find_launch_columns(const base_csv *table, launch_columns *c, base_error *err)
{
    const column columns[] = {
        {"scenario", &c->scenario},
        {"variant",  &c->variant },
        {"protocol", &c->protocol},
        {"block",    &c->block   },
        {"launch",   &c->launch  },
        {"query_ns", &c->query   },
        {"p99_ns",   &c->p99     },
    };
    return find_columns(table, columns, sizeof columns / sizeof *columns, err);
}

/** The launch of a row, added to the list. */
static base_status read_launch(bench_record *r, size_t row, const launch_columns *c,
                               base_error *err)
{
    const base_csv *const t = &r->launch_table;
    const char *const protocol = text_of(t, row, c->protocol);
    bench_record_launch own = {.evicted = strcmp(protocol, "evicted") == 0, .row = row};
    if (!own.evicted && strcmp(protocol, "warm") != 0) {
        return bad_field(t, row, c->protocol, "warm or evicted", err);
    }
    const char *const scenario = text_of(t, row, c->scenario);
    const char *const variant = text_of(t, row, c->variant);
    own.cell = bench_record_find(r, scenario, variant);
    if (!own.cell) {
        return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: '%s' has no row for '%s' on '%s'",
                         t->path, t->lines[row + 1], r->cell_table.path, variant, scenario);
    }
    base_status status = count_of(t, row, c->block, &own.block, err);
    status = status == BASE_OK ? count_of(t, row, c->launch, &own.launch, err) : status;
    status = status == BASE_OK ? number_of(t, row, c->query, &own.query_ns, err) : status;
    status = status == BASE_OK ? number_of(t, row, c->p99, &own.p99_ns, err) : status;
    r->launches[r->launch_count++] = own;
    return status;
}

static int by_place(const void *a, const void *b)
{
    const bench_record_launch *const x = a, *const y = b;
    if (x->cell != y->cell) {
        return x->cell < y->cell ? -1 : 1;
    }
    const uint64_t of_x[] = {x->evicted, x->block, x->launch};
    const uint64_t of_y[] = {y->evicted, y->block, y->launch};
    for (size_t i = 0; i < sizeof of_x / sizeof *of_x; i++) {
        if (of_x[i] != of_y[i]) {
            return of_x[i] < of_y[i] ? -1 : 1;
        }
    }
    return 0;
}

/** Sorts the launches and tells every cell which are its own. */
static base_status order_launches(bench_record *r, base_error *err)
{
    qsort(r->launches, r->launch_count, sizeof *r->launches, by_place);
    for (size_t i = 0; i < r->launch_count; i++) {
        const bench_record_launch *const p = &r->launches[i];
        if (i > 0 && by_place(p - 1, p) == 0) {
            const size_t second = p->row > p[-1].row ? p->row : p[-1].row;
            return base_fail(err, BASE_ERR_INPUT,
                             "'%s' line %zu: '%s' on '%s' has launch %llu of block %llu twice, %s",
                             r->launch_table.path, r->launch_table.lines[second + 1],
                             p->cell->variant, p->cell->scenario, (unsigned long long)p->launch,
                             (unsigned long long)p->block, p->evicted ? "evicted" : "warm");
        }
        bench_record_cell *const cell = &r->cells[p->cell - r->cells];
        if (cell->launch_count[p->evicted]++ == 0) {
            cell->first_launch[p->evicted] = i;
        }
    }
    return BASE_OK;
}

static base_status read_launches(bench_record *r, base_error *err)
{
    launch_columns columns;
    base_status status = find_launch_columns(&r->launch_table, &columns, err);
    if (status != BASE_OK) {
        return status;
    }
    r->launches = base_alloc(r->launch_table.rows, sizeof *r->launches);
    if (!r->launches) {
        return base_fail(err, BASE_ERR_MEMORY, "'%s': out of memory", r->launch_table.path);
    }
    for (size_t i = 0; i < r->launch_table.rows && status == BASE_OK; i++) {
        status = read_launch(r, i, &columns, err);
    }
    return status == BASE_OK ? order_launches(r, err) : status;
}

/* --- Both ------------------------------------------------------------------------------------- */

base_status bench_record_open(const char *run, bool with_launches, bench_record *record,
                              base_error *err)
{
    *record = (bench_record){0};
    char path[4096];
    snprintf(path, sizeof path, "%s/cells.csv", run);
    base_status status = base_csv_read(path, NULL, &record->cell_table, err);
    status = status == BASE_OK ? read_cells(record, with_launches, err) : status;
    if (status == BASE_OK && with_launches) {
        snprintf(path, sizeof path, "%s/launches.csv", run);
        status = base_csv_read(path, NULL, &record->launch_table, err);
        status = status == BASE_OK ? read_launches(record, err) : status;
    }
    if (status != BASE_OK) {
        bench_record_release(record);
    }
    return status;
}

void bench_record_release(bench_record *record)
{
    base_free(record->cells);
    base_free(record->launches);
    base_csv_release(&record->cell_table);
    base_csv_release(&record->launch_table);
    *record = (bench_record){0};
}
