#include "suite/results/launches.h"

#include "base/memory.h"
#include "scenarios/experiment.h"
#include "suite/output.h"
#include "suite/results/record.h"
#include "suite/results/run_folder.h"
#include "suite/results/stats.h"

#include <math.h>
#include <string.h>

/**
 * Returns the nearest-rank median duration of the batches of these passes. A batch contains all
 * frames.
 */
static uint64_t batch_median(const bench_cell *cell, const size_t *rows, size_t count)
{
    uint64_t totals[SCN_ROUNDS_MAX];
    for (size_t i = 0; i < count; i++) {
        totals[i] = cell->passes[rows[i]].pass.cost.query_ns;
    }
    bench_stats_sort(totals, count);
    return bench_stats_percentile(totals, count, 50);
}

/**
 * Returns the time in ns in which a launch built both bodies; NaN if it loaded one of them or the
 * launch is missing.
 */
static double build_ns_of(const bench_cell *cell, uint64_t block, uint64_t launch)
{
    for (size_t i = 0; i < cell->launch_count; i++) {
        const bench_launch_build *const l = &cell->builds[i];
        if (l->block == block && l->launch == launch) {
            return l->build[0].anew && l->build[1].anew
                       ? (double)(l->build[0].build_ns + l->build[1].build_ns)
                       : (double)NAN;
        }
    }
    return NAN;
}

/**
 * Fills rows with the next passes of a protocol that share block and launch. *at: index at which
 * the search starts.
 * Returns the number of rows.
 */
static size_t next_launch(const bench_cell *cell, bench_protocol protocol, size_t *at,
                          size_t rows[SCN_ROUNDS_MAX])
{
    size_t count = 0;
    for (; *at < cell->pass_count; ++*at) {
        const bench_pass *const pass = &cell->passes[*at].pass;
        if (pass->protocol != (uint32_t)protocol) {
            continue;
        }
        const bench_pass *const first = count > 0 ? &cell->passes[rows[0]].pass : pass;
        if (pass->block != first->block || pass->launch != first->launch) {
            break;
        }
        if (count < SCN_ROUNDS_MAX) {
            rows[count++] = *at;
        }
    }
    return count;
}

bool bench_cell_launch(const bench_cell *cell, bench_protocol protocol, size_t *at,
                       uint64_t *medians, bench_launch *launch)
{
    size_t rows[SCN_ROUNDS_MAX];
    const size_t n = cell->frame_count, first = n > 1 ? 1 : 0;
    const size_t count = next_launch(cell, protocol, at, rows);
    const bool evicted = protocol == BENCH_EVICTED;
    size_t before = 0; /* number of passes of the protocol before this launch, which is the index of
                          its first times */
    for (size_t i = 0; count > 0 && i < rows[0]; i++) {
        before += cell->passes[i].pass.protocol == (uint32_t)protocol;
    }
    if (count == 0 || before + count > (evicted ? cell->evicted_count : cell->warm_count)) {
        return false;
    }
    const bench_pass *const pass = &cell->passes[rows[0]].pass;
    const uint64_t *const times_ns = (evicted ? cell->evicted_ns : cell->warm_ns) + before * n;
    *launch = (bench_launch){
        .block = pass->block, .launch = pass->launch, .protocol = protocol, .rounds = count};
    for (size_t f = 0; f < n; f++) {
        medians[f] = bench_cell_frame_time(times_ns, count, n, f).median_ns;
        launch->query_ns += f >= first ? medians[f] : 0;
    }
    if (pass->batch) {
        launch->query_ns = batch_median(cell, rows, count);
    }
    bench_stats_sort(medians + first, n - first);
    launch->p50_ns = bench_stats_percentile(medians + first, n - first, 50);
    launch->p99_ns = bench_stats_percentile(medians + first, n - first, 99);
    launch->max_ns = medians[n - 1];
    for (size_t i = 0; i < count; i++) {
        const uint64_t bytes = cell->passes[rows[i]].pass.cost.rss_bytes;
        launch->rss_bytes = bytes > launch->rss_bytes ? bytes : launch->rss_bytes;
    }
    return true;
}

/* --- launches.csv ----------------------------------------------------------------------------- */

#define COLUMN(name, kind, unit, role, member, needed, empty, meaning)                             \
    BENCH_COLUMN(name, kind, unit, role, bench_launch_row, member, needed, empty, meaning)

static const bench_column columns[] = {
    COLUMN("scenario", SCENARIO, "", FACT, scenario, BENCH_RECORD_LAUNCHES, "",
           BENCH_MEANS_SCENARIO),
    COLUMN("variant", CONTESTANT, "", FACT, variant, BENCH_RECORD_LAUNCHES, "",
           BENCH_MEANS_VARIANT),
    COLUMN("baseline", BASELINE, "", FACT, baseline, 0, BENCH_EMPTY_BASELINE, BENCH_MEANS_BASELINE),
    COLUMN("block", COUNT, "", FACT, block, BENCH_RECORD_LAUNCHES, "",
           "number of the block; contestants of one block were interleaved"),
    COLUMN("launch", COUNT, "", FACT, launch, BENCH_RECORD_LAUNCHES, "",
           "number of the launch in its block, from 0: one process of each contestant"),
    COLUMN("protocol", PROTOCOL, "", FACT, protocol, BENCH_RECORD_LAUNCHES, "",
           "warm: caches contain the data of the previous frame; evicted: private caches were "
           "overwritten"),
    COLUMN("rounds", COUNT, "", FACT, rounds, 0, "", "passes of this protocol in the launch"),
    COLUMN("query_ns", NUMBER, "ns", COST, query_ns, BENCH_RECORD_LAUNCHES, "",
           "sum over frames except the first of each frame's median over the launch's rounds; "
           "where below_resolution: median duration of a pass timed as a whole"),
    COLUMN("p50_ns", NUMBER, "ns", COST, p50_ns, 0, "",
           "median over frames except the first of each frame's median over the launch's rounds"),
    COLUMN("p99_ns", NUMBER, "ns", COST, p99_ns, BENCH_RECORD_LAUNCHES, "",
           "the same, 99th percentile (nearest rank)"),
    COLUMN("max_ns", NUMBER, "ns", COST, max_ns, 0, "", "the same, largest"),
    COLUMN("file", FILE, "", FACT, file, 0, "", BENCH_MEANS_FILE),
    COLUMN("build_ns", NUMBER, "ns", COST, build_ns, 0,
           "one of the bodies was not built in this launch",
           "time to prepare both bodies in this launch"),
    COLUMN("rss_bytes", NUMBER, "bytes", COST, rss_bytes, 0, "",
           "largest resident memory after one of its passes"),
};
const bench_columns bench_launches_columns = {columns, sizeof columns / sizeof *columns};

base_status bench_launches_put(FILE *file, const bench_cell *cell, base_error *err)
{
    char name[BENCH_CONTESTANT_NAME_BYTES];
    base_csv_writer w = {.file = file};
    uint64_t *const medians = base_alloc(cell->frame_count, sizeof *medians);
    if (!medians) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the times of %zu frames",
                         cell->frame_count);
    }
    bench_variant_file(cell->name, name, sizeof name);
    for (bench_protocol p = BENCH_WARM; p <= BENCH_EVICTED; p++) {
        bench_launch l;
        for (size_t at = 0; bench_cell_launch(cell, p, &at, medians, &l);) {
            const bench_launch_row row = {.scenario = cell->scenario,
                                          .variant = cell->name,
                                          .baseline = cell->baseline,
                                          .protocol = bench_protocol_name(p),
                                          .file = name,
                                          .block = l.block,
                                          .launch = l.launch,
                                          .rounds = l.rounds,
                                          .query_ns = (double)l.query_ns,
                                          .p50_ns = (double)l.p50_ns,
                                          .p99_ns = (double)l.p99_ns,
                                          .max_ns = (double)l.max_ns,
                                          .build_ns = build_ns_of(cell, l.block, l.launch),
                                          .rss_bytes = (double)l.rss_bytes};
            bench_columns_put(bench_launches_columns, &row, &w);
            base_csv_end(&w);
        }
    }
    base_free(medians);
    return BASE_OK;
}

/* --- passes.csv ------------------------------------------------------------------------------- */

/** A row of passes.csv. */
typedef struct pass_row {
    const char *scenario, *variant, *baseline, *protocol, *answers_hash, *file;
    uint64_t block, launch, round, position;
    bench_pass_row pass;
} pass_row;

#define PASS_COLUMN(name, kind, unit, role, member, empty, meaning)                                \
    BENCH_COLUMN(name, kind, unit, role, pass_row, member, 0, empty, meaning)

static const bench_column pass_columns[] = {
    PASS_COLUMN("scenario", SCENARIO, "", FACT, scenario, "", BENCH_MEANS_SCENARIO),
    PASS_COLUMN("variant", CONTESTANT, "", FACT, variant, "", BENCH_MEANS_VARIANT),
    PASS_COLUMN("baseline", BASELINE, "", FACT, baseline, BENCH_EMPTY_BASELINE,
                BENCH_MEANS_BASELINE),
    PASS_COLUMN("block", COUNT, "", FACT, block, "",
                "number of the block; contestants of one block were interleaved"),
    PASS_COLUMN("launch", COUNT, "", FACT, launch, "",
                "number of the launch in its block, from 0: one process of each contestant"),
    PASS_COLUMN("round", COUNT, "", FACT, round, "", "number of the pass in its launch, from 0"),
    PASS_COLUMN("position", COUNT, "", FACT, position, "",
                "position of the pass in its round, from 0"),
    PASS_COLUMN("protocol", PROTOCOL, "", FACT, protocol, "",
                "warm-up (as warm, and used for no statistics), warm, evicted, shuffled (as warm, "
                "frames in another order, used for no statistics of times)"),
    PASS_COLUMN("contaminated", FLAG, "", COST, pass.contaminated, "",
                "1: the kernel took the CPU away more than once per 1,000 frames, or read a page "
                "from disk"),
    PASS_COLUMN("query_ns", COUNT_IF, "ns", COST, pass.pass.cost.query_ns, "",
                "sum of the times of the frames except the first; where below_resolution: duration "
                "of a second pass, timed as a whole"),
    PASS_COLUMN("p50_ns", COUNT_IF, "ns", COST, pass.p50_ns, "",
                "median over frames except the first"),
    PASS_COLUMN("p99_ns", COUNT_IF, "ns", COST, pass.p99_ns, "",
                "99th percentile over frames except the first (nearest rank)"),
    PASS_COLUMN("max_ns", COUNT_IF, "ns", COST, pass.max_ns, "", "longest frame except the first"),
    PASS_COLUMN("involuntary_switches_count", COUNT_IF, "", COST,
                pass.pass.cost.involuntary_switches, "",
                "times that the kernel took the CPU away during the pass"),
    PASS_COLUMN("major_faults_count", COUNT_IF, "", COST, pass.pass.cost.major_faults, "",
                "pages read from disk during the pass"),
    PASS_COLUMN("minor_faults_count", COUNT_IF, "", COST, pass.pass.cost.minor_faults, "",
                "page faults without reading from disk"),
    PASS_COLUMN("alloc_count", COUNT_IF, "", COST, pass.pass.cost.allocations,
                "calls were not counted", "calls of malloc and related functions during the pass"),
    PASS_COLUMN("output_bytes", COUNT_IF, "bytes", COST, pass.pass.cost.output_bytes, "",
                "bytes that the process has printed on stdout so far"),
    PASS_COLUMN("rss_bytes", COUNT_IF, "bytes", COST, pass.pass.cost.rss_bytes, "",
                "resident memory after the pass"),
    PASS_COLUMN("instructions_count", COUNT_IF, "", COST, pass.pass.cost.instructions,
                "the kernel does not count", "instructions in user space during the pass"),
    PASS_COLUMN("cycles_count", COUNT_IF, "", COST, pass.pass.cost.cycles,
                "the kernel does not count", "the same, processor cycles"),
    PASS_COLUMN("cache_misses_count", COUNT_IF, "", COST, pass.pass.cost.cache_misses,
                "the kernel does not count", "the same, misses of the last cache"),
    PASS_COLUMN("answers_hash", WORD, "", ANSWER, answers_hash, "",
                "hash of all answers and counters of the pass"),
    PASS_COLUMN("file", FILE, "", FACT, file, "", BENCH_MEANS_FILE),
    PASS_COLUMN(
        "reset_ns", COUNT_IF, "ns", COST, pass.pass.cost.reset_ns, "",
        "CPU time of the reset before the first frame, which is not part of any other time"),
    PASS_COLUMN("cpu_ns", COUNT_IF, "ns", COST, pass.pass.cost.cpu_ns, "",
                "CPU time of the querying thread, from the reset to the last frame, including the "
                "suite's work between queries"),
    PASS_COLUMN("other_cpu_ns", COUNT_IF, "ns", COST, pass.pass.cost.other_cpu_ns, "",
                "CPU time of all other threads of the process, and of its child processes that "
                "have ended, since the end of the pass before"),
    PASS_COLUMN("threads_count", COUNT_IF, "", COST, pass.pass.cost.threads, "",
                "threads of the process, at the beginning or the end of the pass: the larger "
                "number"),
};
const bench_columns bench_passes_columns = {pass_columns,
                                            sizeof pass_columns / sizeof *pass_columns};

void bench_passes_put(FILE *file, const bench_cell *cell)
{
    char name[BENCH_CONTESTANT_NAME_BYTES];
    base_csv_writer w = {.file = file};
    bench_variant_file(cell->name, name, sizeof name);
    for (size_t i = 0; i < cell->pass_count; i++) {
        const bench_pass *const pass = &cell->passes[i].pass;
        const base_hash_text hash = base_hash_format(pass->answers_hash);
        const pass_row row = {.scenario = cell->scenario,
                              .variant = cell->name,
                              .baseline = cell->baseline,
                              .protocol = bench_protocol_name((bench_protocol)pass->protocol),
                              .answers_hash = hash.hex,
                              .file = name,
                              .block = pass->block,
                              .launch = pass->launch,
                              .round = pass->round,
                              .position = pass->position,
                              .pass = cell->passes[i]};
        bench_columns_put(bench_passes_columns, &row, &w);
        base_csv_end(&w);
    }
}

/* --- Builds ----------------------------------------------------------------------------------- */

/**
 * A row of builds.csv: one body in one role, prepared by one contestant. Values are empty if it was
 * not built.
 */
typedef struct build_row {
    const char *variant, *file, *body, *role, *status, *body_hash; /* status: of the build only */
    uint64_t build_ns, load_ns, bytes, primitives, triangles, missing_voxels, excess_voxels;
    double facts[ALG_FACTS_MAX];
    const char *const *fact_names; /* NULL: no facts */
    bool built;
} build_row;

#define BUILD(name, kind, unit, role, member, empty, meaning)                                      \
    BENCH_COLUMN(name, kind, unit, role, build_row, member, 0, empty, meaning)
#define NOT_BUILT "it was not built"
#define NO_VOXELS NOT_BUILT ", or it reports no surface voxels"

static const bench_column build_columns[] = {
    BUILD("variant", CONTESTANT, "", FACT, variant, "", BENCH_MEANS_VARIANT),
    BUILD("body", TEXT, "", FACT, body, "",
          "body, as the experiment names it: a model or a mesh file"),
    BUILD("role", WORD, "", FACT, role, "", "fixed (A) or moving (B)"),
    BUILD("status", STATUS, "", FACT, status, "",
          "ok if it was built, otherwise the status of the cell"),
    BUILD("build_ns", COUNT_IF, "ns", COST, build_ns, NOT_BUILT,
          "time to prepare it, median over launches; for a loaded body the time of its original "
          "build"),
    BUILD("load_ns", COUNT_IF, "ns", COST, load_ns, NOT_BUILT " or not loaded",
          "time to load it from the cache, with reading and checking the file, median over "
          "launches that did"),
    BUILD("bytes", COUNT_IF, "bytes", COUNTER, bytes, NOT_BUILT,
          "memory that it holds, as reported by the algorithm"),
    BUILD("primitives_count", COUNT_IF, "", COUNTER, primitives, NOT_BUILT,
          "number of its elements: spheres, triangles, points, as reported by the algorithm"),
    BUILD("triangles_count", COUNT, "", FACT, triangles, "", "triangles of the mesh"),
    BUILD("body_hash", WORD, "", FACT, body_hash, "", "hash of the mesh"),
    BUILD("missing_voxels_count", COUNT_IF, "", ERROR, missing_voxels, NO_VOXELS,
          "voxels of its grid that share a point with the mesh (exact test) but are not among its "
          "surface voxels"),
    BUILD("excess_voxels_count", COUNT_IF, "", ERROR, excess_voxels, NO_VOXELS,
          "its surface voxels that share no point with the mesh, or are listed twice"),
    BUILD("file", FILE, "", FACT, file, "", BENCH_MEANS_FILE),
};
const bench_columns bench_builds_columns = {build_columns,
                                            sizeof build_columns / sizeof *build_columns};

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
    const size_t index = find_row(b, row);
    if (index < b->count && (b->rows[index].built || !row->built)) {
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
    b->rows[index] = kept;
    b->count += index == b->count;
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

base_status bench_builds_write(const bench_builds *b, base_error *err)
{
    bench_output output;
    base_status status = bench_output_open(b->path, &output, err);
    if (status != BASE_OK) {
        return status;
    }
    base_csv_writer w = {.file = output.file};
    bench_columns_put_names(bench_builds_columns, &w);
    for (size_t i = 0; i < b->facts.count; i++) {
        base_csv_put_text(&w, b->facts.names[i]);
    }
    base_csv_end(&w);
    for (size_t r = 0; r < b->count; r++) {
        const build_row *const row = &b->rows[r];
        const char *const *const names = row->built ? row->fact_names : NULL;
        bench_columns_put(bench_builds_columns, row, &w);
        for (size_t i = 0; i < b->facts.count; i++) {
            base_csv_put_number(
                &w, bench_extras_value(names, row->facts, ALG_FACTS_MAX, b->facts.names[i]));
        }
        base_csv_end(&w);
    }
    return bench_output_close(&output, base_csv_check(&w, b->path, err), err);
}

/* --- build_launches.csv ----------------------------------------------------------------------- */

#define OF_LAUNCH(name, kind, unit, role, member, meaning)                                         \
    BENCH_COLUMN(name, kind, unit, role, bench_build_launch_row, member, 0, "", meaning)

static const bench_column build_launch_columns[] = {
    OF_LAUNCH("variant", CONTESTANT, "", FACT, variant, BENCH_MEANS_VARIANT),
    OF_LAUNCH("body", TEXT, "", FACT, body,
              "body, as the experiment names it: a model or a mesh file"),
    OF_LAUNCH("role", WORD, "", FACT, role, "fixed (A) or moving (B)"),
    OF_LAUNCH("launch", COUNT, "", FACT, launch,
              "number of the launch in its block, from 0: one process of each contestant"),
    OF_LAUNCH("build_ns", COUNT, "ns", COST, build_ns, "time to prepare the body in this launch"),
    OF_LAUNCH("scenario", SCENARIO, "", FACT, scenario, BENCH_MEANS_SCENARIO),
    OF_LAUNCH("block", COUNT, "", FACT, block,
              "number of the block; contestants of one block were interleaved"),
    OF_LAUNCH("parameters", TEXT, "", FACT, parameters,
              "all parameters of the variant: key=value,..., including defaults"),
};
const bench_columns bench_build_launches_columns = {
    build_launch_columns, sizeof build_launch_columns / sizeof *build_launch_columns};

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
 * Formats all parameters and simplify: "contact=surface,voxels=128,simplify=1". A text that does
 * not fit is cut off.
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
        const char *const word = alg_parameter_word(p, value);
        snprintf(number, sizeof number, "%.17g", value);
        used += (size_t)snprintf(text + used, size - used, "%s%s=%s", i > 0 ? "," : "", p->name,
                                 word ? word : number);
    }
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s=%.17g", used > 0 ? "," : "", ALG_SIMPLIFY,
             variant->simplify > 0 ? variant->simplify : 1);
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

/* --- Work outside of the timed queries -------------------------------------------------------- */

/* --- Rule ------------------------------------------------------------------------------------- */

/**
 * Returns the ratio, or 0 if the time is too short for the ratio to be evidence. NaN if the launch
 * has no such ratio.
 */
static double evidence(double ratio, double time_ns, double least_ns)
{
    return time_ns < least_ns ? 0 : ratio;
}

/**
 * Like `evidence`, for ratios that are measured in each pass. Returns 0 if there is only one pass,
 * because it may have been disturbed.
 */
static double repeated(const bench_launch_work *l, double ratio, double time_ns, double least_ns)
{
    return l->timed_passes == 1 ? 0 : evidence(ratio, time_ns, least_ns);
}

static double first_ratio(const bench_launch_work *l)
{
    const double sums = l->first_ns / l->later_ns, medians = l->first_p50_ns / l->later_p50_ns;
    return isnan(sums) || isnan(medians) ? (double)NAN : fmin(sums, medians);
}

/**
 * Returns the verdict of a ratio. noted: a larger ratio gives a note. honest: the largest honest
 * ratio.
 */
static bench_hidden grade(double ratio, double noted, double honest)
{
    return ratio > BENCH_HIDDEN_FACTOR * honest ? BENCH_HIDDEN_WRONG
           : ratio > noted                      ? BENCH_HIDDEN_NOTE
                                                : BENCH_HIDDEN_NOTHING;
}

/**
 * Stores a finding if it is worse than the previous one. The text gives the measurement; that of a
 * wrong cell begins with the conclusion.
 */
static void find(bench_hidden_work *work, bench_hidden verdict, const char *conclusion,
                 const char *before, double ratio, const char *after)
{
    char number[32];
    if (verdict <= work->verdict) {
        return;
    }
    snprintf(number, sizeof number, ratio < 99.5 ? "%.3g" : "%.0f", ratio);
    work->verdict = verdict;
    snprintf(work->text, sizeof work->text, "%s%s%s %s times %s",
             verdict == BENCH_HIDDEN_WRONG ? conclusion : "",
             verdict == BENCH_HIDDEN_WRONG ? ": " : "", before, number, after);
}

bench_hidden_work bench_hidden_work_judge(const bench_launch_work *launches, size_t count,
                                          size_t frames, uint64_t threads)
{
    bench_hidden_work work = {
        .first_ratio = NAN, .reset_ns = NAN, .reset_ratio = NAN, .other_ratio = NAN};
    double first = NAN, reset = NAN, other = NAN; /* minimum over the launches; NaN values are
                                                     ignored */
    const double least_first_ns = frames < BENCH_FIRST_FRAMES ? (double)INFINITY : BENCH_FIRST_NS;
    work.threads = threads;
    for (size_t i = 0; i < count; i++) {
        const bench_launch_work *const l = &launches[i];
        const double ratio = first_ratio(l);
        work.first_ratio = fmin(work.first_ratio, ratio);
        work.reset_ns = fmin(work.reset_ns, l->reset_ns);
        work.reset_ratio = fmin(work.reset_ratio, l->reset_ratio);
        work.other_ratio = fmin(work.other_ratio, l->other_ratio);
        first = fmin(first, evidence(ratio, l->first_ns, least_first_ns));
        reset = fmin(reset, repeated(l, l->reset_ratio, l->reset_ns, BENCH_RESET_NS));
        other = fmin(other, repeated(l, l->other_ratio, l->other_ns, BENCH_OTHER_NS));
    }
    /* Work in other threads or in reset may also make later passes faster than the first. So the
     * first pass is checked last: a finding does not replace an earlier one of equal severity. */
    find(&work, grade(other, BENCH_OTHER_NOTED, BENCH_OTHER_RATIO),
         "work is done beside the queries", "each other thread or process uses", other,
         "the time of the queries");
    find(&work, grade(reset, BENCH_RESET_NOTED, BENCH_RESET_RATIO), "work is done in reset",
         "reset takes", reset, "as long as all queries of its pass");
    find(&work, grade(first, BENCH_FIRST_NOTED, BENCH_FIRST_RATIO),
         "answers are remembered or work is left out", "later passes are", first,
         "faster than the first");
    return work;
}

/* --- Passes of a cell ------------------------------------------------------------------------- */

/** Returns the smaller of the times of all frames and the CPU time of the querying thread. */
static double busy_ns(const bench_pass_row *row)
{
    return fmin((double)row->frames_ns, (double)row->pass.cost.cpu_ns);
}

/** Returns the time of all queries of a pass, including those of its batch. */
static double asked_ns(const bench_pass_row *row)
{
    return (double)row->frames_ns + (row->pass.batch ? (double)row->pass.cost.query_ns : 0);
}

static double p50_ns(const bench_pass_row *row)
{
    return (double)row->p50_ns;
}

static double reset_ns(const bench_pass_row *row)
{
    return (double)row->pass.cost.reset_ns;
}

static double reset_ratio(const bench_pass_row *row)
{
    return (double)row->pass.cost.reset_ns / (double)row->frames_ns;
}

/**
 * Returns the nearest-rank median over the passes whose protocol is in the mask; NaN if there is no
 * such pass. values: buffer for `count` numbers.
 */
static double median_of(const bench_pass_row *rows, size_t count, unsigned protocols,
                        double (*value_of)(const bench_pass_row *), double *values)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (protocols & 1u << rows[i].pass.protocol) {
            values[n++] = value_of(&rows[i]);
        }
    }
    bench_stats_sort_numbers(values, n);
    return n > 0 ? bench_stats_percentile_number(values, n, 50) : (double)NAN;
}

/** Measures the passes of one launch. The first row is its first pass. */
static bench_launch_work measure_launch(const bench_pass_row *rows, size_t count, uint64_t others,
                                        double *values)
{
    const unsigned warm = 1u << BENCH_WARM, timed = warm | 1u << BENCH_EVICTED;
    bench_launch_work l = {
        .first_ns = busy_ns(rows),
        .later_ns = median_of(rows + 1, count - 1, warm, busy_ns, values),
        .first_p50_ns = p50_ns(rows),
        .later_p50_ns = median_of(rows + 1, count - 1, warm, p50_ns, values),
        .reset_ns = median_of(rows, count, timed, reset_ns, values),
        .reset_ratio = median_of(rows, count, timed, reset_ratio, values),
        .other_ns = NAN,
        .other_ratio = NAN,
    };
    for (size_t i = 0; i < count; i++) {
        const double used_ns = (double)rows[i].pass.cost.other_cpu_ns;
        const double ratio = used_ns / asked_ns(&rows[i]) / (double)others;
        if (timed & 1u << rows[i].pass.protocol) {
            l.timed_passes++;
            if (!(ratio >= l.other_ratio)) {
                l.other_ns = used_ns;
                l.other_ratio = ratio;
            }
        }
    }
    return l;
}

static bool same_launch(const bench_pass_row *a, const bench_pass_row *b)
{
    return a->pass.block == b->pass.block && a->pass.launch == b->pass.launch;
}

base_status bench_hidden_work_of(const bench_cell *cell, bench_hidden_work *work, base_error *err)
{
    const size_t n = cell->pass_count;
    const bench_pass_row *const rows = cell->passes;
    uint64_t threads = 0;
    size_t launches = 0;
    bench_launch_work *const all = base_alloc(n, sizeof *all);
    double *const values = base_alloc(n, sizeof *values);
    if (!all || !values) {
        base_free(all);
        base_free(values);
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu passes", n);
    }
    for (size_t i = 0; i < n; i++) {
        threads = rows[i].pass.cost.threads > threads ? rows[i].pass.cost.threads : threads;
    }
    for (size_t i = 0, count; i < n; i += count) {
        for (count = 1; i + count < n && same_launch(&rows[i], &rows[i + count]); count++) {
        }
        all[launches++] = measure_launch(&rows[i], count, threads > 2 ? threads - 1 : 1, values);
    }
    *work = bench_hidden_work_judge(all, launches, cell->frame_count, n > 0 ? threads : UINT64_MAX);
    base_free(all);
    base_free(values);
    return BASE_OK;
}
