#include "suite/simulate/simulate.h"

#include "base/memory.h"
#include "suite/message.h"
#include "suite/results/cells.h"
#include "suite/results/record.h"
#include "suite/simulate/passage.h"
#include "suite/simulate/rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Default coupling of a user's own pair. The rate of 100 1/s closes a gap in about 50 ms. The
 * default penalty is chosen by the smallest edge of the moving body's box: an overlap with the
 * cross section of a square of this edge pushes as hard as the coupling pulls if it is stretched by
 * twice this edge. */
#define OWN_RATE_1_S 100.0
#define OWN_EDGES    2.0

/** State of a command. */
typedef struct job {
    const bench_simulate_options *options;
    bench_manifest *manifest; /* NULL: no manifest is open */
    bench_record before;      /* manifest of the resumed folder; zeroed if there is none */
    bench_simulation_rows made;
    base_arena arena; /* texts of new rows */
    bench_progress progress;
    uint64_t steps_before, steps_total;
} job;

/** Data that all simulations of a scene share. */
typedef struct scene_parts {
    const bench_pair *pair; /* borrowed */
    scn_mass mass;
    bench_overlap *overlap; /* NULL: a body is not a solid */
    bench_passage *passage;
} scene_parts;

/* --- Manifest --------------------------------------------------------------------------------- */

/**
 * Opens the manifest. Writes the facts of the command. For a resumed folder, also copies the facts
 * of the scenes from the old manifest. Errors: those of bench_record_open, bench_manifest_create
 * and bench_manifest_publish.
 */
static base_status open_manifest(job *j, base_error *err)
{
    const bench_simulate_options *const o = j->options;
    base_status status = BASE_OK;
    if (o->resume) {
        status = bench_record_open(o->folder, BENCH_RECORD_FACTS, &j->before, err);
    }
    if (status == BASE_OK) {
        status = bench_manifest_create(o->folder, &j->manifest, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    bench_manifest *const m = j->manifest;
    const char *const begun = bench_record_fact(&j->before, "run", "start_utc");
    bench_manifest_add_command(m, o->folder, o->command);
    bench_manifest_add(m, "run", "experiment", "simulate");
    bench_manifest_add(m, "run", "mode", "simulate");
    bench_manifest_add(m, "run", "seed", "%" PRIu64, o->seed);
    bench_manifest_add(m, "run", "timeout_s", "%.17g", o->timeout_s);
    bench_manifest_add_arguments(m, o->arguments, o->argument_count);
    if (begun) {
        bench_manifest_add(m, "run", "start_utc", "%s", begun);
        bench_manifest_add_time(m, "resumed_utc");
    } else {
        bench_manifest_add_time(m, "start_utc");
    }
    bench_manifest_add_machine(m);
    for (size_t v = 0; v < o->variant_count; v++) {
        bench_manifest_add_plugin(m, &o->variants[v]);
    }
    for (size_t s = 0; s < o->scene_count; s++) {
        const char *const section = o->scenes[s].name;
        for (size_t f = 0; f < j->before.fact_count; f++) {
            const bench_fact *const fact = &j->before.facts[f];
            if (strcmp(fact->section, section) == 0) {
                bench_manifest_add(m, section, fact->key, "%s", fact->value);
            }
        }
    }
    status = bench_manifest_publish(m, err);
    if (status != BASE_OK) {
        j->manifest = NULL;
    }
    return status;
}

/**
 * Adds a fact of a scene that its steps depend on. If the resumed folder has it already, the value
 * must be the same. Errors: BASE_ERR_INPUT.
 */
static base_status describe(const job *j, const char *section, const char *key, base_error *err,
                            const char *format, ...) BASE_PRINTF(5, 6);
static base_status describe(const job *j, const char *section, const char *key, base_error *err,
                            const char *format, ...)
{
    char value[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    const char *const before = bench_record_fact(&j->before, section, key);
    if (!before) {
        bench_manifest_add(j->manifest, section, key, "%s", value);
        return BASE_OK;
    }
    return strcmp(before, value) == 0
               ? BASE_OK
               : base_fail(err, BASE_ERR_INPUT,
                           "'%s' was begun with another %s of '%s': %s, and now it is %s",
                           j->options->folder, key, section, before, value);
}

/** Returns the hash of all times, positions and orientations. */
static base_hash hash_frames(const scn_trajectory *trajectory)
{
    base_hasher *const hasher = base_hasher_create();
    for (size_t f = 0; hasher && f < trajectory->frame_count; f++) {
        const scn_frame *const frame = &trajectory->frames[f];
        base_hasher_add(hasher, &frame->t_s, sizeof frame->t_s);
        base_hasher_add(hasher, &frame->position, sizeof frame->position);
        base_hasher_add(hasher, &frame->orientation, sizeof frame->orientation);
    }
    return hasher ? base_hasher_finish(hasher) : (base_hash){0};
}

static base_status describe_body(const job *j, const char *section, const char *role,
                                 const bench_body *body, base_error *err)
{
    char key[32];
    base_status status = describe(j, section, role, err, "%s", body->reference);
    snprintf(key, sizeof key, "%s_hash", role);
    if (status == BASE_OK) {
        status = describe(j, section, key, err, "%s", base_hash_format(body->hash).hex);
    }
    snprintf(key, sizeof key, "%s_triangles", role);
    return status == BASE_OK ? describe(j, section, key, err, "%zu", body->mesh.face_count)
                             : status;
}

/**
 * Adds all facts that the steps of a scene depend on. Errors: BASE_ERR_INPUT if the folder has
 * another value.
 */
static base_status describe_scene(const job *j, const bench_simulated *s, const bench_pair *pair,
                                  const scn_mass *mass, base_error *err)
{
    const char *const name = s->name;
    const struct {
        const char *key;
        double value;
    } numbers[] = {
        {"density_kg_m3", s->options.density_kg_m3},
        {"mass_kg", mass->mass_kg},
        {"step_s", s->options.step_s},
        {"coupling_n_m", s->options.coupling.stiffness_n_m},
        {"stiffness_n_m2", s->stiffness_n_m2},
        {"resolve", s->options.impulses.resolve},
        {"slop_m", s->options.impulses.slop_m},
    };
    base_status status = describe_body(j, name, "a", &pair->a, err);
    if (status == BASE_OK) {
        status = describe_body(j, name, "b", &pair->b, err);
    }
    if (status == BASE_OK) {
        status = describe(j, name, "device", err, "%s", s->device->source);
    }
    if (status == BASE_OK) {
        status = describe(j, name, "device_hash", err, "%s",
                          base_hash_format(hash_frames(s->device)).hex);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && status == BASE_OK; i++) {
        status = describe(j, name, numbers[i].key, err, "%.17g", numbers[i].value);
    }
    if (status == BASE_OK) {
        status = describe(j, name, "impulses_most", err, "%zu", s->options.impulses.limit);
    }
    if (status == BASE_OK) {
        status = describe(j, name, "steps", err, "%" PRIu64, s->steps);
    }
    return status == BASE_OK
               ? describe(j, name, "judge_every", err, "%" PRIu64, j->options->judge_every)
               : status;
}

/* --- One simulation --------------------------------------------------------------------------- */

static double smallest_edge(const bench_body *body)
{
    const vec3 edges = vec3_sub(body->report.box.hi, body->report.box.lo);
    return fmin(edges.x, fmin(edges.y, edges.z));
}

/** Writes the parameters that determine a path. */
static void describe_source(const bench_simulated *s, const bench_simulation_row *row,
                            uint64_t every, char *text, size_t size)
{
    const int used =
        snprintf(text, size,
                 "simulate %s: %s by %s; coupling %.6g N/m, %.6g kg/m3, penalty %.6g N/m2, resolve "
                 "%.6g, slop %.6g m, impulses %zu; device %.8s",
                 s->name, row->variant, row->response, s->options.coupling.stiffness_n_m,
                 s->options.density_kg_m3, s->stiffness_n_m2, s->options.impulses.resolve,
                 s->options.impulses.slop_m, s->options.impulses.limit,
                 base_hash_format(hash_frames(s->device)).hex);
    if (every > 1 && used > 0 && (size_t)used < size) {
        snprintf(text + used, size - (size_t)used, "; one in %" PRIu64 " steps", every);
    }
}

/** Adds one in `every` steps to the path, starting at the first step. */
static base_status list_path(const bench_steps *steps, const scn_mass *mass, uint64_t every,
                             scn_trajectory *path, base_error *err)
{
    base_status status = BASE_OK;
    for (size_t i = 0; i < steps->count && status == BASE_OK; i += every) {
        const scn_step *const step = &steps->rows[i].step;
        scn_frame frame = {.t_s = step->t_s, .target = NAN, .achieved = NAN};
        scn_state_pose(&step->state, mass, &frame.position, &frame.orientation);
        status = scn_trajectory_append(path, &frame, err);
    }
    return status;
}

/** Sets the hash of the body's whole path. */
static base_status hash_path(job *j, const bench_steps *steps, const scn_mass *mass,
                             bench_simulation_row *row, base_error *err)
{
    scn_trajectory path = {0};
    base_status status = list_path(steps, mass, 1, &path, err);
    if (status == BASE_OK) {
        row->hash = base_arena_text(&j->arena, base_hash_format(hash_frames(&path)).hex);
        status = row->hash ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    scn_trajectory_release(&path);
    return status;
}

/** Writes the body's path as a trajectory file. */
static base_status write_path(job *j, const bench_simulated *s, const bench_steps *steps,
                              const scn_mass *mass, const bench_simulation_row *row,
                              base_error *err)
{
    char file[BENCH_RUN_PATH_BYTES];
    scn_trajectory path = {0};
    describe_source(s, row, j->options->every, path.source, sizeof path.source);
    base_status status = list_path(steps, mass, j->options->every, &path, err);
    if (status == BASE_OK) {
        status = bench_run_file(j->options->folder, file, err, "trajectories/%s_%s.csv", s->name,
                                row->file);
    }
    if (status == BASE_OK) {
        status = bench_trajectory_write(&path, file, err);
    }
    scn_trajectory_release(&path);
    return status;
}

static base_status name_row(job *j, const bench_simulated *s, const alg_variant *variant,
                            bench_response response, const bench_driven *driven,
                            bench_simulation_row *row, base_error *err)
{
    char file[BENCH_CONTESTANT_NAME_BYTES];
    const char *const unit = variant->algorithm->force_unit;
    bench_variant_file(variant->name, file, sizeof file);
    *row = (bench_simulation_row){
        .scene = s->name,
        .variant = variant->name,
        .response = bench_response_name(response),
        .status = driven->status,
        .detail = base_arena_text(&j->arena, driven->detail),
        .unit = response == BENCH_BY_FORCE && unit ? unit : "",
        .hash = "",
        .file = base_arena_text(&j->arena, file),
        .gain = driven->gain,
        .steps_planned = s->steps,
    };
    return row->detail && row->file ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
}

/** Follows the paths of points of both bodies through all steps. */
static base_status follow_points(const scene_parts *parts, const bench_steps *steps,
                                 bench_passed *passed, base_error *err)
{
    *passed = (bench_passed){0};
    if (steps->count < 2) {
        return BASE_OK;
    }
    geo_pose *const poses = base_alloc(steps->count, sizeof *poses);
    if (!poses) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < steps->count; i++) {
        vec3 position;
        geo_quat orientation;
        scn_state_pose(&steps->rows[i].step.state, &parts->mass, &position, &orientation);
        poses[i] = bench_pair_pose(parts->pair, position, orientation);
    }
    const base_status status = bench_passage_find(parts->passage, poses, steps->count, passed, err);
    base_free(poses);
    return status;
}

/** Adds the rows of a drive that has ended, and writes the body's path. */
static base_status sum_up(job *j, const bench_drive *d, const scene_parts *parts,
                          const bench_driven *driven, base_error *err)
{
    const bench_steps *const steps = &driven->steps;
    const scn_mass *const mass = &parts->mass;
    bench_simulation_row *const row = &j->made.rows[j->made.count];
    bench_simulation_time_row *const times = &j->made.times[j->made.count];
    bench_passed passed;
    base_status status = name_row(j, d->scene, d->variant, d->response, driven, row, err);
    if (status == BASE_OK) {
        status = follow_points(parts, steps, &passed, err);
    }
    if (status == BASE_OK) {
        status = bench_simulation_sum_up(steps->rows, steps->count, &passed, row, err);
    }
    if (status == BASE_OK && row->steps > 0) {
        status = hash_path(j, steps, mass, row, err);
    }
    if (status == BASE_OK && row->steps > 0) {
        status = write_path(j, d->scene, steps, mass, row, err);
    }
    *times = (bench_simulation_time_row){
        .scene = row->scene, .variant = row->variant, .file = row->file};
    if (status == BASE_OK) {
        status = bench_simulation_sum_up_times(steps->times, steps->time_count,
                                               d->scene->options.step_s, times, err);
    }
    j->made.count += status == BASE_OK;
    return status;
}

static void show_progress(void *context, uint64_t steps)
{
    job *const j = context;
    bench_progress_update(&j->progress, j->steps_before + steps, j->steps_total);
}

/** Warns of facts that the printed table does not show. */
static void warn(const bench_simulation_row *row)
{
    if (*row->detail) {
        bench_warn("'%s' on '%s': %s: %s", row->variant, row->scene, row->status, row->detail);
    }
    if (row->beyond > 0) {
        bench_warn("'%s' on '%s': %" PRIu64 " contacts are left out: there is room for %d a step",
                   row->variant, row->scene, row->beyond, BENCH_STEP_CONTACTS_MAX);
    }
}

static base_status simulate_variant(job *j, const bench_simulated *s, const scene_parts *parts,
                                    const alg_variant *variant, base_error *err)
{
    char work[200];
    bench_driven driven;
    bench_drive drive = {.scene = s,
                         .pair = parts->pair,
                         .overlap = parts->overlap,
                         .variant = variant,
                         .judge_every = j->options->judge_every,
                         .timeout_s = j->options->timeout_s,
                         .folder = j->options->folder,
                         .cache_directory = j->options->cache_directory,
                         .progress = show_progress,
                         .progress_context = j};
    if (alg_variant_reads_clock(variant)) {
        bench_warn("'%s' answers by the clock: no two simulations of it are the same",
                   variant->name);
    }
    snprintf(work, sizeof work, "%s %s", s->name, variant->name);
    bench_progress_work(&j->progress, work);
    base_status status = bench_response_choose(j->options->response, variant, &drive.response, err);
    if (status == BASE_OK) {
        status = bench_drive_run(&drive, &driven, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    status = sum_up(j, &drive, parts, &driven, err);
    bench_steps_close(&driven.steps);
    if (status == BASE_OK) {
        warn(&j->made.rows[j->made.count - 1]);
        status = bench_simulation_rows_write(&j->made, err);
    }
    return status;
}

/* --- One scene -------------------------------------------------------------------------------- */

const scn_simulation_options bench_own_hand = {
    .step_s = 1e-3,
    .density_kg_m3 = 1000,
    .coupling.stiffness_n_m = NAN,
    .impulses = {.resolve = 0.2, .slop_m = 0, .limit = 1000},
};

void bench_simulated_complete(bench_simulated *s, const bench_pair *pair, const scn_mass *mass)
{
    double *const coupling = &s->options.coupling.stiffness_n_m;
    if (isnan(*coupling)) {
        *coupling = mass->mass_kg * OWN_RATE_1_S * OWN_RATE_1_S;
    }
    if (isnan(s->stiffness_n_m2)) {
        s->stiffness_n_m2 = OWN_EDGES * *coupling / smallest_edge(&pair->b);
    }
}

static base_status simulate_pair(job *j, const bench_simulated *scene, const bench_pair *pair,
                                 base_error *err)
{
    const bench_simulate_options *const o = j->options;
    bench_simulated s = *scene;
    scene_parts parts = {.pair = pair};
    if (!pair->b.report.solid) {
        return base_fail(err, BASE_ERR_INPUT, "'%s' is not a solid: a moving body needs a mass",
                         s.b);
    }
    base_status status = scn_mass_of(&pair->b.mesh, s.options.density_kg_m3, &parts.mass, err);
    if (status != BASE_OK) {
        return status;
    }
    bench_simulated_complete(&s, pair, &parts.mass);
    status = describe_scene(j, &s, pair, &parts.mass, err);
    if (status == BASE_OK && pair->has_volume) {
        status = bench_overlap_create(pair, &parts.overlap, err);
    }
    if (status == BASE_OK) {
        status = bench_passage_create(pair, &parts.passage, err);
    }
    for (size_t v = 0; v < o->variant_count && status == BASE_OK && !bench_interrupted(); v++) {
        const alg_variant *const variant = &o->variants[v];
        if (!bench_simulation_rows_keep(&j->made, s.name, variant->name, &status, err) &&
            status == BASE_OK) {
            status = simulate_variant(j, &s, &parts, variant, err);
        }
        j->steps_before += s.steps;
    }
    bench_overlap_destroy(parts.overlap);
    bench_passage_destroy(parts.passage);
    return status;
}

static base_status simulate_scene(job *j, const bench_simulated *s, base_error *err)
{
    bench_pair pair;
    base_status status = bench_pair_open(s->a, s->b, &pair, err);
    if (status != BASE_OK) {
        return status;
    }
    status = simulate_pair(j, s, &pair, err);
    bench_pair_close(&pair);
    return status;
}

/* --- Results ---------------------------------------------------------------------------------- */

/** Puts a value in thousandths; "-" for NaN. */
static void put_milli(bench_rows *rows, double value)
{
    if (isnan(value)) {
        bench_rows_put(rows, "-");
    } else {
        bench_rows_put(rows, "%.3g", 1e3 * value);
    }
}

static void put_flag(bench_rows *rows, uint64_t flag)
{
    bench_rows_put(rows, "%s", flag == UINT64_MAX ? "-" : flag ? "yes" : "no");
}

static base_status print_table(const job *j, base_error *err)
{
    static const char *const header[] = {
        "scene",     "variant", "response", "status",   "depth mm", "after mm", "made mJ",
        "beyond mJ", "passive", "through",  "change N", "toggles",  "chatter",  "query p99 us"};
    bench_rows rows = {.columns = sizeof header / sizeof *header};
    for (size_t i = 0; i < rows.columns; i++) {
        bench_rows_put(&rows, "%s", header[i]);
    }
    for (size_t i = 0; i < j->made.count; i++) {
        const bench_simulation_row *const r = &j->made.rows[i];
        bench_rows_put(&rows, "%s", r->scene);
        bench_rows_put(&rows, "%s", r->variant);
        bench_rows_put(&rows, "%s", r->response);
        bench_rows_put(&rows, "%s", r->status);
        put_milli(&rows, r->point_depth_m);
        put_milli(&rows, r->point_depth_settled_m);
        put_milli(&rows, r->made_j);
        put_milli(&rows, r->made_beyond_j);
        put_flag(&rows, r->passive);
        put_flag(&rows, r->through);
        bench_rows_put(&rows, "%.3g", isnan(r->change_p99_n) ? 0 : r->change_p99_n);
        bench_rows_put_count(&rows, r->toggles);
        if (r->chatter == UINT64_MAX) {
            bench_rows_put(&rows, "-");
        } else {
            bench_rows_put_count(&rows, r->chatter);
        }
        bench_rows_put(&rows, "%.1f", 1e-3 * (double)j->made.times[i].query_p99_ns);
    }
    const base_status status = bench_rows_print(&rows, BENCH_FORMAT_TABLE, stdout, err);
    bench_rows_release(&rows);
    return status;
}

static int status_of(const job *j)
{
    static const bench_status deaths[] = {BENCH_CELL_FAILED, BENCH_CELL_OOM, BENCH_CELL_CRASH,
                                          BENCH_CELL_TIMEOUT};
    int worst = BENCH_GOOD;
    for (size_t i = 0; i < j->made.count; i++) {
        const char *const status = j->made.rows[i].status;
        if (strcmp(status, bench_status_name(BENCH_CELL_WRONG)) == 0) {
            return BENCH_WRONG;
        }
        for (size_t k = 0; k < sizeof deaths / sizeof *deaths; k++) {
            worst = strcmp(status, bench_status_name(deaths[k])) == 0 ? BENCH_CELL_DIED : worst;
        }
    }
    return worst;
}

static base_status simulate_all(job *j, base_error *err)
{
    const bench_simulate_options *const o = j->options;
    base_status status = bench_simulation_rows_open(o->folder, o->scene_count * o->variant_count,
                                                    o->resume, &j->made, err);
    if (status == BASE_OK) {
        status = open_manifest(j, err);
    }
    for (size_t s = 0; s < o->scene_count && status == BASE_OK && !bench_interrupted(); s++) {
        status = simulate_scene(j, &o->scenes[s], err);
    }
    bench_progress_end(&j->progress);
    if (status == BASE_OK) {
        status = bench_simulation_rows_write(&j->made, err);
    }
    return status == BASE_OK ? print_table(j, err) : status;
}

base_status bench_simulate(const bench_simulate_options *o, int *exit_status, base_error *err)
{
    job j = {.options = o, .progress = bench_progress_start("simulate", o->quiet)};
    for (size_t s = 0; s < o->scene_count; s++) {
        j.steps_total += o->scenes[s].steps * o->variant_count;
    }
    bench_orphans_adopt();
    base_status status = simulate_all(&j, err);
    if (status == BASE_OK) {
        status = bench_run_check_claim(err);
    }
    *exit_status = bench_interrupted() ? BENCH_INTERRUPTED : status_of(&j);
    const base_status closed =
        j.manifest ? bench_manifest_close(j.manifest, status == BASE_OK ? err : NULL) : BASE_OK;
    bench_record_release(&j.before);
    bench_simulation_rows_close(&j.made);
    base_arena_release(&j.arena);
    return status == BASE_OK ? closed : status;
}
