#include "suite/run/run.h"

#include "base/file.h"
#include "base/text.h"
#include "suite/inputs/experiment.h"
#include "suite/message.h"
#include "suite/results/builds.h"
#include "suite/results/cells.h"
#include "suite/results/deadline.h"
#include "suite/results/forces.h"
#include "suite/results/ideal.h"
#include "suite/results/frames.h"
#include "suite/results/hidden_work.h"
#include "suite/results/launches.h"
#include "suite/results/record.h"
#include "suite/results/reference.h"
#include "suite/results/regions.h"
#include "suite/results/run_folder.h"
#include "suite/run/collect.h"
#include "suite/run/orphans.h"
#include "suite/run/passes.h"
#include "suite/run/stage.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

static const bench_mode modes[SCN_MODE_COUNT] = {
    [SCN_SMOKE] = {.launches = 1, .warm_rounds = 1, .certificate = 1},
    [SCN_CI] =
        {
            .launches = 1,
            .warm_up_rounds = 1,
            .warm_rounds = 2,
            .shuffled_rounds = 1,
            .certificate = 1,
        },
    [SCN_BENCH] =
        {
            .launches = 12,
            .warm_up_rounds = 1,
            .warm_rounds = 2,
            .evicted_rounds = 1,
            .shuffled_rounds = 1,
            .timed = true,
            .truth_methods = GT_BY_ALL,
            .certificate = 1,
        },
    [SCN_PAPER] =
        {
            .launches = 18,
            .warm_up_rounds = 1,
            .warm_rounds = 3,
            .evicted_rounds = 2,
            .shuffled_rounds = 1,
            .timed = true,
            .truth_methods = GT_BY_ALL,
            .certificate = 2,
        },
};

base_status bench_mode_parse(const char *name, bench_mode *mode, base_error *err)
{
    const scn_mode found = scn_mode_find(name);
    if (found == SCN_MODE_COUNT) {
        char near[256], choices[64];
        base_text_near(name, scn_mode_names, near, sizeof near);
        base_text_choices(scn_mode_names, choices, sizeof choices);
        return base_fail(err, BASE_ERR_ARGUMENT, "unknown mode '%s'; it is %s%s", name, choices,
                         near);
    }
    *mode = modes[found];
    mode->name = scn_mode_names[found];
    return BASE_OK;
}

/* --- The manifest: the run -------------------------------------------------------------------- */

static void describe_clock(const bench_clock_cost *cost, bench_manifest *m)
{
    bench_manifest_add(m, "clock", "name", "%s", bench_clock_name(bench_clock_id));
    const struct {
        const char *key;
        uint64_t ns;
    } facts[] = {
        {"cost_min_ns", cost->min_ns}, {"cost_median_ns", cost->median_ns},
        {"cost_p99_ns", cost->p99_ns}, {"cost_p9999_ns", cost->p9999_ns},
        {"step_ns", cost->step_ns},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        bench_manifest_add(m, "clock", facts[i].key, "%llu", (unsigned long long)facts[i].ns);
    }
}

static void describe_command(const bench_run_options *options, bench_manifest *m)
{
    const scn_experiment *const e = options->experiment;
    bench_manifest_add_command(m, options->directory, options->command);
    bench_manifest_add(m, "run", "experiment", "%s", e->name);
    if (e->title) {
        bench_manifest_add(m, "run", "title", "%s", e->title);
    }
    for (size_t i = 0; i < e->figure_count; i++) {
        bench_manifest_add(m, "run", "figure", "%s", e->figures[i]);
    }
    bench_manifest_add(m, "run", "mode", "%s", options->mode->name);
    if (e->timed_builds) {
        bench_manifest_add(m, "run", "builds", "timed");
    }
    bench_manifest_add(m, "run", "seed", "%llu", (unsigned long long)e->seed);
    bench_manifest_add(m, "run", "timeout_s", "%.17g", options->timeout_s);
}

/** When the run was begun: now, unless it is resumed and says so. */
static void describe_start(const bench_run_options *options, bench_manifest *m)
{
    bench_record before = {0};
    const char *begun = NULL;
    if (options->resume &&
        bench_record_open(options->directory, BENCH_RECORD_FACTS, &before, NULL) == BASE_OK) {
        begun = bench_record_fact(&before, "run", "start_utc");
    }
    if (begun) {
        bench_manifest_add(m, "run", "start_utc", "%s", begun);
        bench_manifest_add_time(m, "resumed_utc");
    } else {
        bench_manifest_add_time(m, "start_utc");
    }
    bench_record_release(&before);
}

/** Is any scenario of the experiment asked for the force? */
static bool asks_force(const scn_experiment *e)
{
    bool asks = false;
    for (size_t i = 0; i < e->scenario_count; i++) {
        asks = asks || (e->scenarios[i].quantities & ALG_WANT_FORCE);
    }
    return asks;
}

/** The shared libraries whose algorithms take part, and the laws that forces follow. */
static void describe_variants(const bench_run_options *options, bench_manifest *manifest)
{
    const scn_experiment *const e = options->experiment;
    const bool forces = asks_force(e);
    for (size_t v = 0; v < e->variant_count; v++) {
        alg_variant variant;
        if (bench_selected(options->algorithms, e->variants[v]) &&
            alg_variant_parse(e->variants[v], e->seed, &variant, NULL) == ALG_OK) {
            bench_manifest_add_plugin(manifest, &variant);
            if (forces && (alg_variant_answers(&variant) & ALG_WANT_FORCE)) {
                char section[sizeof variant.name + 16];
                snprintf(section, sizeof section, "variant %s", variant.name);
                bench_manifest_add(manifest, section, "force_law", "%s",
                                   alg_law_names[alg_variant_law(&variant)]);
            }
        }
    }
}

/**
 * Writes the manifest's beginning, all that is known before the first pass. A run that is resumed
 * keeps the time at which it was begun.
 * Errors: those of bench_manifest_create and bench_manifest_publish.
 */
static base_status describe_run(const bench_run_options *options, const bench_clock_cost *clock,
                                bench_manifest **manifest, base_error *err)
{
    const base_status status = bench_manifest_create(options->directory, manifest, err);
    if (status != BASE_OK) {
        return status;
    }
    bench_manifest *const m = *manifest;
    describe_command(options, m);
    bench_manifest_add_arguments(m, options->arguments, options->argument_count);
    describe_start(options, m);
    bench_manifest_add_machine(m);
    describe_clock(clock, m);
    describe_variants(options, m);
    /* That of a run that goes on stays until then. */
    return options->resume ? BASE_OK : bench_manifest_publish(m, err);
}

/* --- The manifest: a scenario ----------------------------------------------------------------- */

/** Which methods found the truth, and how many frames have which certificate. */
static void describe_truth(const bench_stage *s, bench_manifest *manifest)
{
    const char *const name = s->scenario->name;
    unsigned methods = 0, asked = 0;
    for (size_t f = 0; f < s->trajectory.frame_count; f++) {
        methods |= s->truths[f].methods;
        asked |= s->truths[f].asked;
    }
    bench_manifest_add(manifest, name, "truth_methods", "%s", gt_methods_format(methods).text);
    for (int q = 0; q < GT_QUANTITY_COUNT; q++) {
        size_t frames[3] = {0};
        for (size_t f = 0; f < s->trajectory.frame_count; f++) {
            frames[gt_certificate(&s->truths[f], (gt_quantity)q)]++;
        }
        for (int c = 0; c < 3 && (asked & 1u << q); c++) {
            char key[64];
            snprintf(key, sizeof key, "%s_certified_%d_frames", gt_quantities[q].name, c);
            for (char *dash = strchr(key, '-'); dash; dash = strchr(dash, '-')) {
                *dash = '_'; /* keys of the manifest have none */
            }
            bench_manifest_add(manifest, name, key, "%zu", frames[c]);
        }
    }
}

static void describe_inputs(const bench_stage *s, bench_manifest *manifest)
{
    const char *const name = s->scenario->name;
    bench_manifest_add(manifest, name, "a", "%s", s->scenario->a);
    bench_manifest_add(manifest, name, "a_hash", "%s", base_hash_format(s->pair.a.hash).hex);
    bench_manifest_add(manifest, name, "a_triangles", "%zu", s->pair.a.mesh.face_count);
    bench_manifest_add(manifest, name, "b", "%s", s->scenario->b);
    bench_manifest_add(manifest, name, "b_hash", "%s", base_hash_format(s->pair.b.hash).hex);
    bench_manifest_add(manifest, name, "b_triangles", "%zu", s->pair.b.mesh.face_count);
    bench_manifest_add(manifest, name, "trajectory", "%s", s->trajectory.source);
    bench_manifest_add(manifest, name, "frames", "%zu", s->trajectory.frame_count);
    base_hasher *const hasher = base_hasher_create();
    if (hasher) {
        base_hasher_add(hasher, s->poses, s->trajectory.frame_count * sizeof *s->poses);
        bench_manifest_add(manifest, name, "poses_hash", "%s",
                           base_hash_format(base_hasher_finish(hasher)).hex);
    }
}

static void describe_plan(const bench_stage *s, bench_manifest *manifest)
{
    const char *const name = s->scenario->name;
    size_t launches = s->plan.launches;
    for (size_t i = 0; i < s->count; i++) {
        launches = s->entries[i].launches > launches ? s->entries[i].launches : launches;
    }
    bench_manifest_add(manifest, name, "launches", "%zu", launches);
    bench_manifest_add(manifest, name, "rounds_per_launch",
                       "%zu warm-up, %zu warm, %zu evicted, %zu shuffled", s->plan.warm_up_rounds,
                       s->plan.warm_rounds, s->plan.evicted_rounds, s->plan.shuffled_rounds);
    bench_manifest_add(manifest, name, "quantities", "%s",
                       bench_quantities_name(s->scenario->quantities).text);
}

/** Inputs, truth and plan of a scenario. */
static void describe_stage(const bench_stage *s, bench_manifest *manifest)
{
    describe_inputs(s, manifest);
    describe_truth(s, manifest);
    describe_plan(s, manifest);
}

/** How the workers were set apart: the same for all. False when none was started. */
static bool describe_workers(const bench_stage *s, bench_manifest *manifest)
{
    for (size_t i = 0; i < s->count; i++) {
        const bench_worker *const worker = &s->entries[i].worker;
        const bench_isolation *const isolation = &worker->isolation;
        if (!*worker->counters) {
            continue; /* not started */
        }
        bench_manifest_add(manifest, "workers", "cpu", "%d", isolation->cpu);
        bench_manifest_add(manifest, "workers", "affinity", "%s", isolation->affinity);
        bench_manifest_add(manifest, "workers", "memory_lock", "%s", isolation->memory_lock);
        bench_manifest_add(manifest, "workers", "scheduler", "%s", isolation->scheduler);
        bench_manifest_add(manifest, "workers", "aslr", "%s", isolation->aslr);
        bench_manifest_add(manifest, "workers", "counters", "%s", worker->counters);
        return true;
    }
    return false;
}

/* --- The files -------------------------------------------------------------------------------- */

/** The files that grow by rows, cell after cell. */
enum { CELLS, PASSES, LAUNCHES, DEADLINE, FORCES, BUILD_LAUNCHES, FILE_COUNT };

static const bench_file *const row_files[FILE_COUNT] = {
    [CELLS] = &bench_files[BENCH_FILE_CELLS],
    [PASSES] = &bench_files[BENCH_FILE_PASSES],
    [LAUNCHES] = &bench_files[BENCH_FILE_LAUNCHES],
    [DEADLINE] = &bench_files[BENCH_FILE_DEADLINE],
    [FORCES] = &bench_files[BENCH_FILE_FORCES],
    [BUILD_LAUNCHES] = &bench_files[BENCH_FILE_BUILD_LAUNCHES],
};

/** A contestant whose queries ask for memory. */
typedef struct allocating {
    const char *name;
    double per_frame; /* the most of any scenario */
    struct allocating *next;
} allocating;

/** A line behind the table. */
typedef struct remark {
    const char *text;
    struct remark *next;
} remark;

/** What scenarios of a run have in common. */
typedef struct ledger {
    bench_manifest *manifest;
    FILE *files[FILE_COUNT];
    bench_builds *builds;
    bench_extras counters; /* of all contestants */
    bench_extras times;    /* facts of all contestants that are times */
    base_hash build;       /* of the programs that take part */
    bench_clock_cost clock;
    int exit_status;
    bench_table table; /* on stdout */
    bool begun, measured, described;
    base_arena arena;
    allocating *allocators; /* arena; contestants that were caught at it */
    remark *remarks,
        **next_remark; /* arena; on work that no time contains, in the order of cells */
} ledger;

static bool died(bench_status status)
{
    return status == BENCH_CELL_CRASH || status == BENCH_CELL_TIMEOUT || status == BENCH_CELL_OOM ||
           status == BENCH_CELL_FAILED;
}

/** The exit status becomes the gravest of the run so far. */
static void count_cell(ledger *l, const bench_cell *cell)
{
    l->measured |= cell->pass_count > 0 || cell->status != BENCH_CELL_UNSUPPORTED;
    if (cell->status == BENCH_CELL_WRONG) {
        l->exit_status = BENCH_WRONG;
    } else if (l->exit_status == BENCH_GOOD && died(cell->status)) {
        l->exit_status = BENCH_CELL_DIED;
    }
}

/** SCENARIO/VARIANT.ENDING in the run's folder. */
static base_status variant_path(const bench_stage *s, const bench_cell *cell, const char *ending,
                                char path[BENCH_RUN_PATH_BYTES], base_error *err)
{
    char file[BENCH_CONTESTANT_NAME_BYTES];
    bench_variant_file(cell->name, file, sizeof file);
    return bench_run_file(s->options->directory, path, err, "%s/%s.%s", cell->scenario, file,
                          ending);
}

static base_status write_frames(const bench_stage *s, const bench_cell *cell, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    const base_status status = variant_path(s, cell, "csv", path, err);
    return status == BASE_OK ? bench_frames_write(path, cell, &s->pair, s->poses, s->truths, err)
                             : status;
}

/** The file is there for who answers regions, if only to say that no frame has one. */
static base_status write_regions(const bench_stage *s, const bench_cell *cell, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    if (!bench_cell_has_regions(cell)) {
        return BASE_OK;
    }
    const base_status status = variant_path(s, cell, "regions.csv", path, err);
    return status == BASE_OK ? bench_regions_write(path, cell, s->pair.centre_a, err) : status;
}

static base_status write_spectrogram(const bench_stage *s, const bench_cell *cell, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    const bench_spectrogram *const spectrogram =
        &cell->forces[bench_ideal_own(&cell->variant)].spectrogram;
    if (spectrogram->count == 0) {
        return BASE_OK;
    }
    const base_status status = variant_path(s, cell, "spectrogram.csv", path, err);
    return status == BASE_OK ? bench_spectrogram_write(path, spectrogram, err) : status;
}

static base_status write_rows(const bench_stage *s, const bench_cell *cell,
                              const bench_cell_row *row, ledger *l, base_error *err)
{
    if (cell->warm_count > 0) {
        base_status status = write_frames(s, cell, err);
        if (status == BASE_OK) {
            status = write_regions(s, cell, err);
        }
        if (status == BASE_OK) {
            status = write_spectrogram(s, cell, err);
        }
        if (status != BASE_OK) {
            return status;
        }
    }
    bench_forces_put(l->files[FORCES], cell);
    base_csv_writer w = {.file = l->files[CELLS]};
    bench_cells_put(row, &l->counters, &w);
    bench_passes_put(l->files[PASSES], cell);
    const base_status status = bench_launches_put(l->files[LAUNCHES], cell, err);
    return status == BASE_OK ? bench_deadline_put(l->files[DEADLINE], cell, err) : status;
}

/** Remembers a contestant that has asked for memory in its queries; in the order of the cells. */
static base_status note_allocations(const bench_cell *cell, double allocations, ledger *l,
                                    base_error *err)
{
    const double frames =
        (double)cell->frame_count * (double)(cell->warm_count + cell->evicted_count);
    if (!(allocations > 0 && frames > 0)) {
        return BASE_OK;
    }
    allocating **at = &l->allocators;
    while (*at && strcmp((*at)->name, cell->name) != 0) {
        at = &(*at)->next;
    }
    if (!*at) {
        *at = base_arena_alloc(&l->arena, 1, sizeof **at);
        if (!*at || !((*at)->name = base_arena_text(&l->arena, cell->name))) {
            return base_fail(err, BASE_ERR_MEMORY, "out of memory");
        }
    }
    (*at)->per_frame = fmax((*at)->per_frame, allocations / frames);
    return BASE_OK;
}

/** Once for each, behind the table: how long the allocator takes is in its times. */
static void tell_allocations(const ledger *l)
{
    for (const allocating *a = l->allocators; a; a = a->next) {
        bench_note("'%s' allocates memory in its queries, up to %.3g times a frame: its times are "
                   "those of the allocator, too",
                   a->name, a->per_frame);
    }
}

/** Remarks on what may be innocent, and on threads that take part: of modes that compare times. */
static base_status note_hidden_work(const bench_stage *s, const bench_cell *cell, ledger *l,
                                    base_error *err)
{
    bench_hidden_work work;
    char text[sizeof work.text + 512];
    const base_status status = bench_hidden_work_of(cell, &work, err);
    if (status != BASE_OK || !s->options->mode->timed || work.verdict != BENCH_HIDDEN_NOTE) {
        return status;
    }
    snprintf(text, sizeof text, "'%s' on %s: %s", cell->name, cell->scenario, work.text);
    remark *const r = base_arena_alloc(&l->arena, 1, sizeof *r);
    if (!r || !(r->text = base_arena_text(&l->arena, text))) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    *l->next_remark = r;
    l->next_remark = &r->next;
    return BASE_OK;
}

static void tell_remarks(const ledger *l)
{
    for (const remark *r = l->remarks; r; r = r->next) {
        bench_note("%s", r->text);
    }
}

static base_status write_cell(const bench_stage *s, const bench_cell *cell, ledger *l,
                              base_error *err)
{
    bench_cell_row row;
    base_arena arena = {0};
    base_status status = bench_summarize(cell, &arena, &row, err);
    if (status == BASE_OK) {
        status = write_rows(s, cell, &row, l, err);
    }
    if (status == BASE_OK && !s->options->no_table) {
        bench_table_print(stdout, &l->table, cell->quantities, &row);
    }
    if (status == BASE_OK && strcmp(cell->variant.name, cell->name) == 0) { /* no copy */
        status = note_allocations(cell, row.allocations, l, err);
        if (status == BASE_OK) {
            status = note_hidden_work(s, cell, l, err);
        }
    }
    base_arena_release(&arena);
    count_cell(l, cell);
    return status;
}

/** Flushes and syncs a file of the run, of which nothing may be lost. */
static base_status settle(FILE *file, const char *name, base_error *err)
{
    base_csv_writer w = {.file = file};
    const base_status status = base_csv_check(&w, name, err);
    if (status == BASE_OK && fsync(fileno(file)) != 0) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", name, strerror(errno));
    }
    return status;
}

/** The cells last: what they name is there. */
static base_status settle_files(const ledger *l, base_error *err)
{
    for (int i = FILE_COUNT; i-- > 0;) {
        base_status status = i == CELLS ? bench_builds_write(l->builds, err) : BASE_OK;
        if (status == BASE_OK) {
            status = settle(l->files[i], row_files[i]->name, err);
        }
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

/** Writes what there is of every cell, one in memory at a time. */
static base_status write_cells(const bench_stage *s, ledger *l, base_error *err)
{
    for (size_t i = 0; i < s->count; i++) {
        bench_cell cell;
        base_status status = bench_stage_cell(s, i, &cell, err);
        if (status == BASE_OK) {
            status = write_cell(s, &cell, l, err);
        }
        if (status == BASE_OK && !s->entries[i].twin) {
            bench_build_launches_put(l->files[BUILD_LAUNCHES], &l->times, &cell, &s->pair);
            status = bench_builds_add(l->builds, &cell, &s->pair, err);
        }
        bench_cell_release(&cell);
        if (status != BASE_OK) {
            return status;
        }
    }
    fflush(stdout);
    return settle_files(l, err);
}

/** DIRECTORY/trajectories/SCENARIO.csv: the poses, so that a run's folder tells its whole story. */
static base_status write_trajectory(const bench_stage *s, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    base_status status =
        bench_run_file(s->options->directory, path, err, "trajectories/%s.csv", s->scenario->name);
    if (status != BASE_OK) {
        return status;
    }
    status = base_folder_make_parents(path, err);
    if (status != BASE_OK) {
        return status;
    }
    FILE *const file = fopen(path, "w");
    if (!file) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", path, strerror(errno));
    }
    status = scn_trajectory_write(&s->trajectory, file, path, err);
    fclose(file);
    return status;
}

static base_status run_scenario(const bench_run_options *options, const scn_scenario *scenario,
                                ledger *l, base_error *err)
{
    bench_stage s;
    base_status status = bench_stage_open(options, scenario, l->build, &l->clock, &s, err);
    if (status != BASE_OK && bench_interrupted()) {
        bench_stage_close(&s); /* nothing of it was measured; what ran before stays */
        return BASE_OK;
    }
    if (status != BASE_OK) {
        goto done;
    }
    l->begun = true;
    describe_stage(&s, l->manifest);
    status = write_trajectory(&s, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = bench_stage_measure(&s, err);
    if (status != BASE_OK) {
        goto done;
    }
    l->described = l->described || describe_workers(&s, l->manifest);
    status = write_cells(&s, l, err);
done:
    bench_stage_close(&s);
    return status;
}

static base_status run_scenarios(const bench_run_options *options, ledger *l, base_error *err)
{
    const scn_experiment *const e = options->experiment;
    for (size_t i = 0; i < e->scenario_count && !bench_interrupted(); i++) {
        if (bench_selected(options->scenarios, e->scenarios[i].name)) {
            base_status status = run_scenario(options, &e->scenarios[i], l, err);
            if (status == BASE_OK) {
                status = bench_run_check_claim(err);
            }
            if (status != BASE_OK) {
                return status;
            }
        }
    }
    return BASE_OK;
}

/** A run that failed before its first journal leaves nothing: the corrected command may use --out.
 */
static void remove_empty_run(const char *directory)
{
    char path[BENCH_RUN_PATH_BYTES];
    for (int f = 0; f < BENCH_FILE_COUNT; f++) {
        if ((bench_files[f].use & BENCH_FILE_OF_RUN) &&
            bench_run_file(directory, path, NULL, "%s", bench_files[f].name) == BASE_OK) {
            unlink(path);
        }
    }
    if (bench_run_file(directory, path, NULL, BENCH_RUN_LOCK) == BASE_OK) {
        unlink(path);
    }
    rmdir(directory);
}

/** Journals belong to the code that they were measured with. */
static base_status hash_programs(const bench_run_options *options, base_hash *hash, base_error *err)
{
    const char *const files[] = {"/proc/self/exe", options->against_program,
                                 options->against_plugin};
    base_hasher *const hasher = base_hasher_create();
    base_status status = hasher ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < sizeof files / sizeof *files && status == BASE_OK; i++) {
        base_hash file = {0};
        status = files[i] ? base_file_hash(files[i], &file, err) : BASE_OK;
        base_hasher_add(hasher, &file, sizeof file);
    }
    if (hasher) {
        *hash = base_hasher_finish(hasher);
    }
    return status;
}

/** The names of all that may take part, which make the widths of the table. */
static void begin_table(const bench_run_options *options, bench_table *table)
{
    const scn_experiment *const e = options->experiment;
    const bool copies = options->mode->timed || options->against_program || options->against_plugin;
    bench_table_begin(table);
    for (size_t i = 0; i < e->scenario_count; i++) {
        if (bench_selected(options->scenarios, e->scenarios[i].name)) {
            bench_table_scenario(table, e->scenarios[i].name);
        }
    }
    for (size_t v = 0; v < e->variant_count; v++) {
        if (bench_selected(options->algorithms, options->variants[v].name)) {
            bench_table_variant(table, options->variants[v].name, copies);
        }
    }
}

/** Counters, and facts that are times, of all variants that may take part: the columns of a file
 * are written before its rows. */
static base_status list_extras(const bench_run_options *options, ledger *l, base_error *err)
{
    base_status status = BASE_OK;
    for (size_t v = 0; v < options->experiment->variant_count && status == BASE_OK; v++) {
        const alg_variant *const variant = &options->variants[v];
        if (bench_selected(options->algorithms, variant->name)) {
            status =
                bench_extras_add(&l->counters, variant->algorithm->counters, ALG_COUNTERS_MAX, err);
            if (status == BASE_OK) {
                status = bench_build_times_add(&l->times, variant->algorithm->facts, err);
            }
        }
    }
    return status;
}
/**
 * Where a file of rows is while it is written. A run that goes on writes beside the files of what
 * was there, so that they stay when it cannot: with another build, say, or other meshes.
 */
static base_status row_path(const bench_run_options *options, const char *name,
                            char path[BENCH_RUN_PATH_BYTES], base_error *err)
{
    /* The place of the file that is replaced must be one of the run's own, too. */
    const base_status status = bench_run_file(options->directory, path, err, "%s", name);
    return status == BASE_OK && options->resume
               ? bench_run_file(options->directory, path, err, "%s.part", name)
               : status;
}

static base_status open_files(const bench_run_options *options, ledger *l, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    for (int i = 0; i < FILE_COUNT; i++) {
        const base_status status = row_path(options, row_files[i]->name, path, err);
        if (status != BASE_OK) {
            return status;
        }
        l->files[i] = fopen(path, "w");
        if (!l->files[i]) {
            return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", path, strerror(errno));
        }
        base_csv_writer w = {.file = l->files[i]};
        if (i == CELLS) {
            bench_cells_put_names(&l->counters, &w);
        } else if (i == BUILD_LAUNCHES) {
            bench_build_launches_put_names(&l->times, &w);
        } else {
            bench_columns_put_names(*row_files[i]->columns, &w);
            base_csv_end(&w);
        }
    }
    const base_status status = row_path(options, bench_files[BENCH_FILE_BUILDS].name, path, err);
    return status == BASE_OK ? bench_builds_create(path, &l->builds, err) : status;
}

/** Of a run that goes on: gives a file its name, or takes it away. */
static base_status settle_part(const bench_run_options *options, const char *name, bool keep,
                               base_error *err)
{
    char part[BENCH_RUN_PATH_BYTES], path[BENCH_RUN_PATH_BYTES];
    base_status status = row_path(options, name, part, err);
    if (status == BASE_OK) {
        status = bench_run_file(options->directory, path, err, "%s", name);
    }
    if (status != BASE_OK) {
        return status;
    }
    if (!keep) {
        unlink(part);
        return BASE_OK;
    }
    return rename(part, path) == 0 || errno == ENOENT /* nobody was built */
               ? BASE_OK
               : base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", path, strerror(errno));
}

/** status: how the run went. Returns it, or what went wrong at last. */
static base_status close_files(const bench_run_options *options, ledger *l, base_status status,
                               base_error *err)
{
    bench_builds_destroy(l->builds);
    bench_extras_release(&l->counters);
    bench_extras_release(&l->times);
    for (int i = 0; i < FILE_COUNT; i++) {
        if (l->files[i]) {
            fclose(l->files[i]);
        }
    }
    base_error ignored = {0};
    for (int i = 0; i <= FILE_COUNT && options->resume; i++) {
        const bool keep = status == BASE_OK;
        const char *const name =
            i < FILE_COUNT ? row_files[i]->name : bench_files[BENCH_FILE_BUILDS].name;
        const base_status settled = settle_part(options, name, keep, keep ? err : &ignored);
        status = keep ? settled : status;
    }
    return status;
}

/** What is between the manifest's beginning and its end. */
static base_status measure_all(const bench_run_options *options, ledger *l, int *exit_status,
                               base_error *err)
{
    begin_table(options, &l->table);
    base_status status = list_extras(options, l, err);
    if (status == BASE_OK) {
        status = open_files(options, l, err);
    }
    if (status == BASE_OK) {
        status = run_scenarios(options, l, err);
    }
    if (status == BASE_OK && !l->measured && !bench_interrupted()) {
        bench_warn("no cell was measured: the last column of the table says why");
        l->exit_status = BENCH_INPUT;
    }
    *exit_status = bench_interrupted() ? BENCH_INTERRUPTED : l->exit_status;
    if (status == BASE_OK) { /* a run that was ended by an error has none */
        bench_manifest_add(l->manifest, "run", "exit_status", "%d", *exit_status);
    }
    return close_files(options, l, status, err);
}

base_status bench_run(const bench_run_options *options, int *exit_status, base_error *err)
{
    ledger l = {.exit_status = BENCH_GOOD};
    l.next_remark = &l.remarks;
    bench_clock_choose(&l.clock);
    base_status status = hash_programs(options, &l.build, err);
    if (status != BASE_OK) {
        return status;
    }
    bench_orphans_adopt();
    status = describe_run(options, &l.clock, &l.manifest, err);
    if (status != BASE_OK) {
        return status;
    }
    status = measure_all(options, &l, exit_status, err);
    if (!options->no_table) {
        tell_allocations(&l);
        tell_remarks(&l);
    }
    base_arena_release(&l.arena);
    if (options->resume && status != BASE_OK) {
        bench_manifest_discard(l.manifest);
        return status;
    }
    if (options->resume) {
        status = bench_manifest_publish(l.manifest, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    base_error closing = {0};
    const base_status closed = bench_manifest_close(l.manifest, &closing);
    if (status == BASE_OK && closed != BASE_OK) {
        *err = closing;
        status = closed;
    }
    if (status != BASE_OK && !l.begun && !options->resume) {
        remove_empty_run(options->directory);
    }
    return status;
}
