#include "suite/results/builds.h"

#include "base/memory.h"
#include "suite/output.h"

#include <math.h>
#include <string.h>

/** One body in one role, prepared by one contestant. Empty of what was not built. */
typedef struct build_row {
    const char *variant, *body, *role, *status, *body_hash; /* status: of the build alone */
    uint64_t build_ns, load_ns, bytes, primitives, triangles;
    double facts[ALG_FACTS_MAX];
    const char *const *fact_names; /* NULL: none */
    bool built;
} build_row;

#define COLUMN(name, kind, member, empty, meaning)                                                 \
    BENCH_COLUMN(name, kind, build_row, member, 0, empty, meaning)
#define NOT_BUILT "it was not built"

static const bench_column columns[] = {
    COLUMN("variant", CONTESTANT, variant, "", BENCH_MEANS_VARIANT),
    COLUMN("body", TEXT, body, "", "body, as the experiment names it: a model or a mesh file"),
    COLUMN("role", WORD, role, "", "fixed (A) or moving (B)"),
    COLUMN("status", STATUS, status, "", "ok where it was built, else how the cell ended"),
    COLUMN("build_ns", COUNT_IF, build_ns, NOT_BUILT,
           "time to prepare it, median over launches; of a loaded body the time it once took"),
    COLUMN("load_ns", COUNT_IF, load_ns, NOT_BUILT " or not loaded",
           "time to load it from the cache, with reading and checking the file, median over "
           "launches that did"),
    COLUMN("bytes", COUNT_IF, bytes, NOT_BUILT, "memory that it holds, as the algorithm tells"),
    COLUMN("primitives_count", COUNT_IF, primitives, NOT_BUILT,
           "what it is made of: spheres, triangles, points, as the algorithm tells"),
    COLUMN("triangles_count", COUNT, triangles, "", "triangles of the mesh"),
    COLUMN("body_hash", WORD, body_hash, "", "hash of the mesh"),
};
const bench_columns bench_builds_columns = {columns, sizeof columns / sizeof *columns};

struct bench_builds {
    const char *path;   /* arena */
    bench_extras facts; /* of all variants of the run */
    build_row *rows;
    size_t count, capacity;
    base_arena arena;
};

base_status bench_builds_create(const char *path, bench_builds **builds, base_error *err)
{
    bench_builds *const b = base_alloc(1, sizeof *b);
    *builds = b;
    if (!b) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    *b = (bench_builds){0};
    b->path = base_arena_text(&b->arena, path);
    return b->path ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
}

void bench_builds_destroy(bench_builds *b)
{
    if (b) {
        bench_extras_release(&b->facts);
        base_free(b->rows);
        base_arena_release(&b->arena);
        base_free(b);
    }
}

/** Place of the row of the same contestant, body and role; count when there is none. */
static size_t find_row(const bench_builds *b, const build_row *like)
{
    size_t i = 0;
    while (i < b->count && !(strcmp(b->rows[i].variant, like->variant) == 0 &&
                             strcmp(b->rows[i].role, like->role) == 0 &&
                             strcmp(b->rows[i].body_hash, like->body_hash) == 0)) {
        i++;
    }
    return i;
}

/** The first build stays, but one that succeeded takes the place of one that did not. */
static base_status keep_row(bench_builds *b, const build_row *row, base_error *err)
{
    const size_t place = find_row(b, row);
    if (place < b->count && (b->rows[place].built || !row->built)) {
        return BASE_OK;
    }
    build_row kept = *row;
    kept.variant = base_arena_text(&b->arena, row->variant);
    kept.body = base_arena_text(&b->arena, row->body);
    kept.body_hash = base_arena_text(&b->arena, row->body_hash);
    const base_status status = base_reserve(b->rows, b->capacity, b->count + 1, err);
    if (status != BASE_OK || !kept.variant || !kept.body || !kept.body_hash) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    b->rows[place] = kept;
    b->count += place == b->count;
    return BASE_OK;
}

base_status bench_builds_add(bench_builds *b, const bench_cell *cell, const bench_pair *pair,
                             base_error *err)
{
    static const char *const roles[] = {[ALG_FIXED] = "fixed", [ALG_MOVING] = "moving"};
    const bench_body *const bodies[] = {&pair->a, &pair->b};
    const char *const *const facts = cell->variant.algorithm->facts;
    const bool built = cell->launch_count > 0 || cell->status == BENCH_CELL_OK;
    base_status status = bench_extras_add(&b->facts, facts, ALG_FACTS_MAX, err);
    for (int i = 0; i < 2 && status == BASE_OK; i++) {
        const bench_built *const own = &cell->build[i];
        const base_hash_text hash = base_hash_format(bodies[i]->hash);
        build_row row = {.variant = cell->name,
                         .body = bodies[i]->reference,
                         .role = roles[i],
                         .status = bench_status_name(built ? BENCH_CELL_OK : cell->status),
                         .body_hash = hash.hex,
                         .build_ns = built ? own->build_ns : UINT64_MAX,
                         .load_ns = built ? own->load_ns : UINT64_MAX,
                         .bytes = built ? own->info.bytes : UINT64_MAX,
                         .primitives = built ? own->info.primitives : UINT64_MAX,
                         .triangles = bodies[i]->mesh.face_count,
                         .fact_names = facts,
                         .built = built};
        memcpy(row.facts, own->info.facts, sizeof row.facts);
        status = keep_row(b, &row, err);
    }
    return status;
}

static void write_rows(const bench_builds *b, base_csv_writer *w)
{
    bench_columns_put_names(bench_builds_columns, w);
    for (size_t i = 0; i < b->facts.count; i++) {
        base_csv_put_text(w, b->facts.names[i]);
    }
    base_csv_end(w);
    for (size_t r = 0; r < b->count; r++) {
        const build_row *const row = &b->rows[r];
        bench_columns_put(bench_builds_columns, row, w);
        for (size_t i = 0; i < b->facts.count; i++) {
            base_csv_put_number(w,
                                bench_extras_value(row->built ? row->fact_names : NULL, row->facts,
                                                   ALG_FACTS_MAX, b->facts.names[i]));
        }
        base_csv_end(w);
    }
}

base_status bench_builds_write(const bench_builds *b, base_error *err)
{
    bench_output output;
    base_status status = bench_output_open(b->path, &output, err);
    if (status != BASE_OK) {
        return status;
    }
    base_csv_writer w = {.file = output.file};
    write_rows(b, &w);
    return bench_output_close(&output, base_csv_check(&w, b->path, err), err);
}
