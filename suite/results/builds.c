#include "suite/results/builds.h"

#include "base/memory.h"
#include "suite/output.h"
#include "suite/results/run_folder.h"

#include <math.h>
#include <string.h>

/** One body in one role, prepared by one contestant. Values are empty if it was not built. */
typedef struct build_row {
    const char *variant, *file, *body, *role, *status, *body_hash; /* status: of the build only */
    uint64_t build_ns, load_ns, bytes, primitives, triangles, missing_voxels, excess_voxels;
    double facts[ALG_FACTS_MAX];
    const char *const *fact_names; /* NULL: no facts */
    bool built;
} build_row;

#define COLUMN(name, kind, unit, role, member, empty, meaning)                                     \
    BENCH_COLUMN(name, kind, unit, role, build_row, member, 0, empty, meaning)
#define NOT_BUILT "it was not built"
#define NO_VOXELS NOT_BUILT ", or hands out no surface voxels"

static const bench_column columns[] = {
    COLUMN("variant", CONTESTANT, "", FACT, variant, "", BENCH_MEANS_VARIANT),
    COLUMN("body", TEXT, "", FACT, body, "",
           "body, as the experiment names it: a model or a mesh file"),
    COLUMN("role", WORD, "", FACT, role, "", "fixed (A) or moving (B)"),
    COLUMN("status", STATUS, "", FACT, status, "",
           "ok where it was built, else how the cell ended"),
    COLUMN("build_ns", COUNT_IF, "ns", COST, build_ns, NOT_BUILT,
           "time to prepare it, median over launches; of a loaded body the time it once took"),
    COLUMN("load_ns", COUNT_IF, "ns", COST, load_ns, NOT_BUILT " or not loaded",
           "time to load it from the cache, with reading and checking the file, median over "
           "launches that did"),
    COLUMN("bytes", COUNT_IF, "bytes", COUNTER, bytes, NOT_BUILT,
           "memory that it holds, as the algorithm tells"),
    COLUMN("primitives_count", COUNT_IF, "", COUNTER, primitives, NOT_BUILT,
           "what it is made of: spheres, triangles, points, as the algorithm tells"),
    COLUMN("triangles_count", COUNT, "", FACT, triangles, "", "triangles of the mesh"),
    COLUMN("body_hash", WORD, "", FACT, body_hash, "", "hash of the mesh"),
    COLUMN(
        "missing_voxels_count", COUNT_IF, "", ERROR, missing_voxels, NO_VOXELS,
        "voxels of its grid that share a point with the mesh, exactly, and are none of its surface "
        "voxels"),
    COLUMN("excess_voxels_count", COUNT_IF, "", ERROR, excess_voxels, NO_VOXELS,
           "its surface voxels that share no point with the mesh, or are there twice"),
    COLUMN("file", FILE, "", FACT, file, "", BENCH_MEANS_FILE),
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

/**
 * Returns the index of the row with the same contestant, body and role, or count if there is no
 * such row.
 */
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

/** Adds a row. The first row is kept, but a successful build replaces a failed one. */
static base_status keep_row(bench_builds *b, const build_row *row, base_error *err)
{
    const size_t place = find_row(b, row);
    if (place < b->count && (b->rows[place].built || !row->built)) {
        return BASE_OK;
    }
    build_row kept = *row;
    kept.variant = base_arena_text(&b->arena, row->variant);
    char file[BENCH_CONTESTANT_NAME_BYTES];
    bench_variant_file(row->variant, file, sizeof file);
    kept.file = base_arena_text(&b->arena, file);
    kept.body = base_arena_text(&b->arena, row->body);
    kept.body_hash = base_arena_text(&b->arena, row->body_hash);
    const base_status status = base_reserve(b->rows, b->capacity, b->count + 1, err);
    if (status != BASE_OK || !kept.variant || !kept.file || !kept.body || !kept.body_hash) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    b->rows[place] = kept;
    b->count += place == b->count;
    return BASE_OK;
}

static const char *const roles[] = {[ALG_FIXED] = "fixed", [ALG_MOVING] = "moving"};

base_status bench_builds_add(bench_builds *b, const bench_cell *cell, const bench_pair *pair,
                             base_error *err)
{
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
                         .missing_voxels = built ? own->missing_voxels : UINT64_MAX,
                         .excess_voxels = built ? own->excess_voxels : UINT64_MAX,
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

/* --- build_launches.csv ----------------------------------------------------------------------- */

#define OF_LAUNCH(name, kind, unit, role, member, meaning)                                         \
    BENCH_COLUMN(name, kind, unit, role, bench_build_launch_row, member, 0, "", meaning)

static const bench_column launch_columns[] = {
    OF_LAUNCH("variant", CONTESTANT, "", FACT, variant, BENCH_MEANS_VARIANT),
    OF_LAUNCH("body", TEXT, "", FACT, body,
              "body, as the experiment names it: a model or a mesh file"),
    OF_LAUNCH("role", WORD, "", FACT, role, "fixed (A) or moving (B)"),
    OF_LAUNCH("launch", COUNT, "", FACT, launch,
              "number of the launch in its block, from 0: one process of each contestant"),
    OF_LAUNCH("build_ns", COUNT, "ns", COST, build_ns, "time to prepare the body in this launch"),
    OF_LAUNCH("scenario", SCENARIO, "", FACT, scenario, BENCH_MEANS_SCENARIO),
    OF_LAUNCH("block", COUNT, "", FACT, block, "contestants of one block were launched in turns"),
    OF_LAUNCH("parameters", TEXT, "", FACT, parameters,
              "all parameters of the variant: key=value,..., defaults among them"),
};
const bench_columns bench_build_launches_columns = {launch_columns,
                                                    sizeof launch_columns / sizeof *launch_columns};

bool bench_is_build_time(const char *name)
{
    static const char ending[] = "_ns";
    const size_t length = strlen(name), of_ending = sizeof ending - 1;
    return length > of_ending && strcmp(name + length - of_ending, ending) == 0;
}

base_status bench_build_times_add(bench_extras *times, const char *const *facts, base_error *err)
{
    base_status status = BASE_OK;
    for (size_t i = 0; facts && i < ALG_FACTS_MAX && facts[i] && status == BASE_OK; i++) {
        if (bench_is_build_time(facts[i])) {
            status = bench_extras_add(times, (const char *const[]){facts[i], NULL}, 1, err);
        }
    }
    return status;
}

void bench_build_launches_put_names(const bench_extras *times, base_csv_writer *writer)
{
    bench_columns_put_names(bench_build_launches_columns, writer);
    for (size_t i = 0; i < times->count; i++) {
        base_csv_put_text(writer, times->names[i]);
    }
    base_csv_end(writer);
}

/**
 * Formats "contact=surface,voxels=128". The text is cut off if it is longer than any variant's name
 * can be.
 */
static void write_parameters(const alg_variant *variant, char *text, size_t size)
{
    const alg_algorithm *const a = variant->algorithm;
    text[0] = '\0';
    size_t order[ALG_PARAMETERS_MAX];
    alg_parameters_order(a, order);
    for (size_t i = 0, used = 0; i < a->parameter_count && used < size; i++) {
        const alg_parameter *const p = &a->parameters[order[i]];
        const double value = variant->settings.values[order[i]];
        char number[32];
        const char *word = number;
        if (p->type == ALG_CHOICE) {
            word = p->choices[(size_t)value].word;
        } else {
            snprintf(number, sizeof number, "%.17g", value);
        }
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s=%s", i > 0 ? "," : "", p->name, word);
    }
}

void bench_build_launches_put(FILE *file, const bench_extras *times, const bench_cell *cell,
                              const bench_pair *pair)
{
    const bench_body *const bodies[] = {&pair->a, &pair->b};
    char parameters[ALG_PARAMETERS_MAX * 128];
    base_csv_writer w = {.file = file};
    write_parameters(&cell->variant, parameters, sizeof parameters);
    for (size_t l = 0; l < cell->launch_count; l++) {
        const bench_launch_build *const launch = &cell->builds[l];
        for (int i = 0; i < 2; i++) {
            const bench_built *const built = &launch->build[i];
            if (!built->anew) {
                continue;
            }
            const bench_build_launch_row row = {.variant = cell->name,
                                                .body = bodies[i]->reference,
                                                .role = roles[i],
                                                .scenario = cell->scenario,
                                                .parameters = parameters,
                                                .launch = launch->launch,
                                                .block = launch->block,
                                                .build_ns = built->build_ns};
            bench_columns_put(bench_build_launches_columns, &row, &w);
            for (size_t k = 0; k < times->count; k++) {
                base_csv_put_number(&w, bench_extras_value(cell->variant.algorithm->facts,
                                                           built->info.facts, ALG_FACTS_MAX,
                                                           times->names[k]));
            }
            base_csv_end(&w);
        }
    }
}
