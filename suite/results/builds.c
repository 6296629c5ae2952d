/** builds.csv: what each variant makes of each body, once for all scenarios of a run. */
#include "base/csv.h"
#include "base/memory.h"
#include "suite/output.h"
#include "suite/run/run.h"

#include <math.h>
#include <string.h>

/** One body in one role, prepared by one contestant. */
typedef struct build_row {
    const char *variant, *body; /* arena */
    base_hash body_hash;
    alg_role role;
    size_t triangles;
    bench_status status; /* of the build alone */
    bench_built built;
    const char *const *facts; /* names; NULL: none */
} build_row;

struct bench_builds {
    char path[4096];
    const char **facts; /* fact_count: of all variants of the run, in the order of their tables */
    size_t fact_count, fact_capacity;
    build_row *rows;
    size_t count, capacity;
    base_arena arena;
};

static bool has_fact(const bench_builds *b, const char *name)
{
    bool known = false;
    for (size_t i = 0; i < b->fact_count; i++) {
        known |= strcmp(b->facts[i], name) == 0;
    }
    return known;
}

static base_status add_facts(bench_builds *b, const char *const *names, base_error *err)
{
    base_status status = BASE_OK;
    for (size_t i = 0; names && names[i] && i < ALG_FACTS_MAX && status == BASE_OK; i++) {
        if (has_fact(b, names[i])) {
            continue;
        }
        void *facts = b->facts;
        status = base_grow(&facts, &b->fact_capacity, b->fact_count + 1, sizeof *b->facts, err);
        b->facts = facts;
        if (status == BASE_OK) {
            b->facts[b->fact_count++] = names[i];
        }
    }
    return status;
}

base_status bench_builds_create(const char *directory, bench_builds **builds, base_error *err)
{
    bench_builds *const b = base_alloc(1, sizeof *b);
    *builds = b;
    if (!b) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    *b = (bench_builds){0};
    snprintf(b->path, sizeof b->path, "%s/builds.csv", directory);
    return BASE_OK;
}

void bench_builds_destroy(bench_builds *b)
{
    if (b) {
        base_free(b->facts);
        base_free(b->rows);
        base_arena_release(&b->arena);
        base_free(b);
    }
}

/** Place of the row of the same contestant, body and role; count when there is none. */
static size_t find_row(const bench_builds *b, const build_row *like)
{
    size_t i = 0;
    while (i < b->count &&
           !(strcmp(b->rows[i].variant, like->variant) == 0 && b->rows[i].role == like->role &&
             b->rows[i].body_hash.hi == like->body_hash.hi &&
             b->rows[i].body_hash.lo == like->body_hash.lo)) {
        i++;
    }
    return i;
}

/** The first build stays, but one that succeeded takes the place of one that did not. */
static base_status keep_row(bench_builds *b, const build_row *row, base_error *err)
{
    const size_t place = find_row(b, row);
    if (place < b->count &&
        (b->rows[place].status == BENCH_CELL_OK || row->status != BENCH_CELL_OK)) {
        return BASE_OK;
    }
    build_row kept = *row;
    kept.variant = base_arena_text(&b->arena, row->variant);
    kept.body = base_arena_text(&b->arena, row->body);
    void *rows = b->rows;
    const base_status status = base_grow(&rows, &b->capacity, b->count + 1, sizeof *b->rows, err);
    b->rows = rows;
    if (status != BASE_OK || !kept.variant || !kept.body) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    b->rows[place] = kept;
    b->count += place == b->count;
    return BASE_OK;
}

base_status bench_builds_add(bench_builds *b, const bench_cell *cell, const bench_pair *pair,
                             base_error *err)
{
    const bench_body *const bodies[] = {&pair->a, &pair->b};
    const char *const *const facts = cell->variant.algorithm->facts;
    base_status status = add_facts(b, facts, err);
    for (int i = 0; i < 2 && status == BASE_OK; i++) {
        const build_row row = {.variant = cell->name,
                               .body = bodies[i]->reference,
                               .body_hash = bodies[i]->hash,
                               .role = i == 0 ? ALG_FIXED : ALG_MOVING,
                               .triangles = bodies[i]->mesh.face_count,
                               .status = cell->launch_count > 0 ? BENCH_CELL_OK : cell->status,
                               .built = cell->build[i],
                               .facts = facts};
        status = keep_row(b, &row, err);
    }
    return status;
}

/** The row's value of a fact, NaN when it has none. */
static double fact_of(const build_row *row, const char *name)
{
    for (size_t i = 0; row->facts && row->facts[i] && i < ALG_FACTS_MAX; i++) {
        if (strcmp(row->facts[i], name) == 0) {
            return row->built.info.facts[i];
        }
    }
    return NAN;
}

static void put_header(const bench_builds *b, base_csv_writer *w)
{
    static const char *const columns[] = {
        "variant",         "body",     "role",  "status",
        "build_ns",        "load_ns",  "bytes", "primitives_count",
        "triangles_count", "body_hash"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        base_csv_put_text(w, columns[i]);
    }
    for (size_t i = 0; i < b->fact_count; i++) {
        base_csv_put_text(w, b->facts[i]);
    }
    base_csv_end(w);
}

static void put_count_if(base_csv_writer *w, bool there, uint64_t value)
{
    there ? base_csv_put_count(w, value) : base_csv_put_empty(w);
}

static void put_row(const bench_builds *b, const build_row *row, base_csv_writer *w)
{
    const bool built = row->status == BENCH_CELL_OK;
    base_csv_put_text(w, row->variant);
    base_csv_put_text(w, row->body);
    base_csv_put_text(w, row->role == ALG_FIXED ? "fixed" : "moving");
    base_csv_put_text(w, bench_status_name(row->status));
    put_count_if(w, built, row->built.build_ns);
    put_count_if(w, built && row->built.load_ns != UINT64_MAX, row->built.load_ns);
    put_count_if(w, built, row->built.info.bytes);
    put_count_if(w, built, row->built.info.primitives);
    base_csv_put_count(w, row->triangles);
    base_csv_put_text(w, base_hash_format(row->body_hash).hex);
    for (size_t i = 0; i < b->fact_count; i++) {
        base_csv_put_number(w, built ? fact_of(row, b->facts[i]) : (double)NAN);
    }
    base_csv_end(w);
}

base_status bench_builds_write(const bench_builds *b, base_error *err)
{
    bench_output output;
    base_status status = bench_output_open(b->path, &output, err);
    if (status != BASE_OK) {
        return status;
    }
    base_csv_writer w = {.file = output.file};
    put_header(b, &w);
    for (size_t i = 0; i < b->count; i++) {
        put_row(b, &b->rows[i], &w);
    }
    return bench_output_close(&output, base_csv_check(&w, b->path, err), err);
}
