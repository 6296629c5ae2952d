/** One scenario of a run: truth, contestants in their workers, interleaved passes, judgement. */
#include "suite/run/run.h"

#include "suite/run/schedule.h"

#include <fnmatch.h>
#include <string.h>
#include <sys/mman.h>

bool bench_selected(const char *const *globs, const char *name)
{
    bool found = !globs;
    for (size_t i = 0; globs && globs[i] && !found; i++) {
        found = fnmatch(globs[i], name, 0) == 0;
    }
    return found;
}

/* --- Before the passes
 * ---------------------------------------------------------------------------- */

static bool truth_progress(void *context, size_t done, size_t ready, size_t total)
{
    (void)ready;
    bench_progress_update(context, done, total);
    return !bench_interrupted();
}

/** Frames that nobody is judged by. want: one quantity, or 0. */
static void warn_uncertified(const bench_stage *s, unsigned want)
{
    const int least = s->options->mode->certificate;
    size_t below = 0;
    for (size_t f = 0; want && f < s->trajectory.frame_count; f++) {
        const gt_truth *const t = &s->truths[f];
        below += (want == GT_WANT_VOLUME ? t->volume_certified : t->distance_certified) < least;
    }
    if (below > 0) {
        bench_warn("%s: %s is not judged in %zu of %zu frames: their certificate is below %d",
                   s->scenario->name, bench_quantities_name(want), below, s->trajectory.frame_count,
                   least);
    }
}

static geo_status find_truth_of(bench_stage *s, unsigned want, geo_error *err)
{
    char label[256];
    snprintf(label, sizeof label, "%s: truth", s->scenario->name);
    bench_progress progress = bench_progress_start(label, s->options->quiet);
    const gt_options options = {.cache_directory = s->options->cache_directory,
                                .methods = s->options->mode->truth_methods,
                                .progress = truth_progress,
                                .progress_context = &progress};
    const geo_status status =
        gt_trajectory_truth(s->pair.a.truth, s->pair.b.truth, s->poses, s->trajectory.frame_count,
                            want, &options, s->truths, err);
    bench_progress_end(&progress);
    for (size_t f = 0; status == GEO_OK && f < s->trajectory.frame_count; f++) {
        (void)bench_known_check(&s->pair, s->scenario->name, &s->trajectory, f, &s->poses[f],
                                &s->truths[f]);
    }
    if (status == GEO_OK) {
        bench_pair_warn_refusals(&s->pair);
        warn_uncertified(s, GT_WANT_DISTANCE);
        warn_uncertified(s, want & GT_WANT_VOLUME);
    }
    return status;
}

static geo_status find_truth(bench_stage *s, geo_error *err)
{
    const size_t n = s->trajectory.frame_count;
    s->poses_bytes = n * sizeof *s->poses;
    s->poses = bench_shared_map(s->poses_bytes);
    s->truths = geo_alloc(n, sizeof *s->truths);
    if (!s->poses || !s->truths) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory for %zu frames", n);
    }
    for (size_t f = 0; f < n; f++) {
        const scn_frame *const frame = &s->trajectory.frames[f];
        s->poses[f] = bench_pair_pose(&s->pair, frame->position, frame->orientation);
    }
    mprotect(s->poses, s->poses_bytes, PROT_READ);
    /* Distance always: it also tells who collides. */
    unsigned want = GT_WANT_DISTANCE;
    if ((s->scenario->quantities & ALG_WANT_VOLUME) && s->pair.has_volume) {
        want |= GT_WANT_VOLUME;
    }
    return find_truth_of(s, want, err);
}

static geo_status alloc_cell(bench_cell *cell, const bench_mode *mode, geo_error *err)
{
    const size_t n = cell->frame_count;
    cell->answers = geo_alloc(n, sizeof *cell->answers);
    cell->judgements = geo_alloc(n, sizeof *cell->judgements);
    cell->warm_ns = geo_alloc(n * mode->warm_passes, sizeof *cell->warm_ns);
    cell->evicted_ns = geo_alloc(n * mode->evicted_passes, sizeof *cell->evicted_ns);
    if (!cell->answers || !cell->judgements || !cell->warm_ns || !cell->evicted_ns) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory for the samples of '%s'",
                        cell->variant.name);
    }
    return GEO_OK;
}

/** Mask of the quantities that a variant speaks of. */
static unsigned answered_by(const alg_variant *variant)
{
    unsigned answered = 0;
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        const alg_contract contract =
            variant->algorithm->contract(&variant->settings, (alg_quantity)q);
        answered |= contract != ALG_NOT_ANSWERED ? 1u << q : 0;
    }
    return answered;
}

/**
 * A variant stays out of a scenario that asks for more than it answers when the experiment has
 * another one for it; otherwise a row says what it cannot do. One that answers nothing is anywhere.
 */
static bool stays_out(const scn_experiment *e, const scn_scenario *scenario,
                      const alg_variant *variant)
{
    const unsigned answered = answered_by(variant);
    bool elsewhere = false;
    for (size_t i = 0; i < e->scenario_count; i++) {
        elsewhere |= !(e->scenarios[i].quantities & ~answered);
    }
    return answered && elsewhere && (scenario->quantities & ~answered);
}

/** A cell, its job and its worker for every variant that takes part. */
static geo_status start_contestants(bench_stage *s, geo_error *err)
{
    const scn_experiment *const e = s->options->experiment;
    s->cells = geo_alloc(e->variant_count, sizeof *s->cells);
    s->jobs = geo_alloc(e->variant_count, sizeof *s->jobs);
    s->workers = geo_alloc(e->variant_count, sizeof *s->workers);
    if (!s->cells || !s->jobs || !s->workers) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory for %zu variants", e->variant_count);
    }
    const size_t triangles = s->pair.a.mesh.face_count + s->pair.b.mesh.face_count;
    for (size_t v = 0; v < e->variant_count; v++) {
        alg_message message;
        alg_variant variant;
        if (alg_variant_parse(e->variants[v], e->seed, &variant, &message) != ALG_OK) {
            return geo_fail(err, GEO_ERR_ARGUMENT, "%s", message.text);
        }
        if (!bench_selected(s->options->algorithms, variant.name) ||
            (e->triangle_limits[v] && triangles > e->triangle_limits[v]) ||
            stays_out(e, s->scenario, &variant)) {
            continue;
        }
        const size_t i = s->count++;
        bench_cell *const cell = &s->cells[i];
        *cell = (bench_cell){.scenario = s->scenario->name,
                             .variant = variant,
                             .quantities = s->scenario->quantities,
                             .frame_count = s->trajectory.frame_count};
        s->jobs[i] = (bench_job){.variant = &cell->variant,
                                 .fixed = &s->pair.a.view,
                                 .moving = &s->pair.b.view,
                                 .poses = s->poses,
                                 .frame_count = cell->frame_count,
                                 .quantities = cell->quantities};
        s->workers[i].socket = -1;
        geo_status status = alloc_cell(cell, s->options->mode, err);
        if (status == GEO_OK) {
            status = bench_worker_start(&s->jobs[i], &s->workers[i], err);
        }
        if (status != GEO_OK) {
            return status;
        }
    }
    return GEO_OK;
}

/** One after the other: a build may use every CPU. */
static void build_contestants(bench_stage *s)
{
    char label[256];
    snprintf(label, sizeof label, "%s: build", s->scenario->name);
    bench_progress progress = bench_progress_start(label, s->options->quiet);
    for (size_t i = 0; i < s->count; i++) {
        bench_worker_prepare(&s->workers[i], s->options->timeout_s);
        s->cells[i].build_ns = s->workers[i].build_ns;
        memcpy(s->cells[i].build, s->workers[i].build, sizeof s->cells[i].build);
        bench_progress_update(&progress, i + 1, s->count);
    }
    bench_progress_end(&progress);
}

geo_status bench_stage_open(const bench_run_options *options, const scn_scenario *scenario,
                            bench_stage *stage, geo_error *err)
{
    *stage = (bench_stage){.options = options, .scenario = scenario};
    geo_status status = bench_pair_open(scenario->a, scenario->b, &stage->pair, err);
    if (status == GEO_OK) {
        status = bench_pair_trajectory(&stage->pair, &scenario->motion, options->cache_directory,
                                       options->quiet, &stage->trajectory, err);
    }
    if (status == GEO_OK) {
        status = find_truth(stage, err);
    }
    if (status == GEO_OK) {
        status = start_contestants(stage, err);
    }
    if (status == GEO_OK) {
        build_contestants(stage);
    }
    if (status == GEO_OK && stage->count == 0) {
        bench_warn("%s: no variant takes part: every one is beyond its limit of triangles, or does "
                   "not answer what is asked",
                   scenario->name);
    }
    return status;
}

/* --- The passes
 * -------------------------------------------------------------------------------------- */

/** Keeps a pass's answers, or holds them against those of the first pass. */
static geo_status collect_answers(bench_cell *cell, bench_worker *worker, bool first,
                                  geo_error *err)
{
    geo_hasher *const hasher = geo_hasher_create();
    if (!hasher) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory");
    }
    for (size_t f = 0; f < cell->frame_count; f++) {
        bench_answer_hash(hasher, &worker->answers[f]);
        const char *const fault =
            !bench_answer_finite(&worker->answers[f]) ? "NaN or infinity"
            : !bench_answer_complete(&cell->variant, cell->quantities, &worker->answers[f])
                ? "no answer"
                : NULL;
        if (fault && worker->status == BENCH_CELL_OK) {
            worker->status = BENCH_CELL_WRONG;
            snprintf(worker->detail, sizeof worker->detail, "%s in frame %zu", fault, f);
        }
    }
    const geo_hash hash = geo_hasher_finish(hasher);
    if (first) {
        memcpy(cell->answers, worker->answers, cell->frame_count * sizeof *cell->answers);
        cell->answers_hash = hash;
    } else if ((hash.hi != cell->answers_hash.hi || hash.lo != cell->answers_hash.lo) &&
               worker->status == BENCH_CELL_OK &&
               !(cell->variant.algorithm->flags & ALG_READS_CLOCK)) {
        worker->status = BENCH_CELL_WRONG;
        snprintf(worker->detail, sizeof worker->detail,
                 "answers differ from those of its first pass");
    }
    return GEO_OK;
}

static geo_status make_pass(bench_stage *s, size_t i, size_t round, geo_error *err)
{
    bench_cell *const cell = &s->cells[i];
    bench_worker *const worker = &s->workers[i];
    const bench_mode *const mode = s->options->mode;
    if (worker->status != BENCH_CELL_OK) {
        return GEO_OK;
    }
    const bool evicted = round >= mode->warm_up_passes + mode->warm_passes;
    if (!bench_worker_pass(worker, evicted ? BENCH_EVICTED : BENCH_WARM, s->options->timeout_s)) {
        return GEO_OK;
    }
    const geo_status status = collect_answers(cell, worker, round == 0, err);
    const size_t bytes = cell->frame_count * sizeof *worker->times_ns;
    if (evicted) {
        memcpy(cell->evicted_ns + cell->evicted_count++ * cell->frame_count, worker->times_ns,
               bytes);
    } else if (round >= mode->warm_up_passes) {
        memcpy(cell->warm_ns + cell->warm_count++ * cell->frame_count, worker->times_ns, bytes);
    }
    return status;
}

/** Status, judgement of every frame, and whether the contract held. */
static void judge_cell(bench_stage *s, size_t i)
{
    bench_cell *const cell = &s->cells[i];
    cell->status = s->workers[i].status;
    memcpy(cell->detail, s->workers[i].detail, sizeof cell->detail);
    const bench_mode *const mode = s->options->mode;
    if (cell->status == BENCH_CELL_OK &&
        (cell->warm_count < mode->warm_passes || cell->evicted_count < mode->evicted_passes)) {
        cell->status = BENCH_CELL_INTERRUPTED;
    }
    if (cell->warm_count == 0) {
        return;
    }
    const double va = s->pair.a.report.measure.volume_m3, vb = s->pair.b.report.measure.volume_m3;
    const bench_scale scale = {s->pair.diagonal_a, va < vb ? va : vb};
    size_t violations = 0, first = 0;
    for (size_t f = 0; f < cell->frame_count; f++) {
        const gt_truth truth =
            bench_truth_for(cell->variant.algorithm, mode->certificate, &s->truths[f]);
        cell->judgements[f] = bench_judge(&cell->variant, &scale, &truth, &cell->answers[f]);
        first = violations == 0 && cell->judgements[f].violation ? f : first;
        violations += cell->judgements[f].violation;
    }
    if (violations > 0 && cell->status == BENCH_CELL_OK) {
        cell->status = BENCH_CELL_WRONG;
        snprintf(cell->detail, sizeof cell->detail, "contract broken in %zu frames, first in %zu",
                 violations, first);
    }
}

geo_status bench_stage_measure(bench_stage *s, geo_error *err)
{
    const bench_mode *const mode = s->options->mode;
    const size_t rounds = mode->warm_up_passes + mode->warm_passes + mode->evicted_passes;
    size_t *const order = geo_alloc(s->count, sizeof *order);
    if (!order) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory");
    }
    char label[256];
    snprintf(label, sizeof label, "%s: passes", s->scenario->name);
    bench_progress progress = bench_progress_start(label, s->options->quiet);
    geo_status status = GEO_OK;
    for (size_t round = 0; round < rounds && status == GEO_OK; round++) {
        bench_schedule_row(s->count, round, order);
        for (size_t k = 0; k < s->count && status == GEO_OK; k++) {
            if (bench_interrupted()) {
                break;
            }
            status = make_pass(s, order[k], round, err);
            bench_progress_update(&progress, round * s->count + k + 1, rounds * s->count);
        }
    }
    bench_progress_end(&progress);
    geo_free(order);
    for (size_t i = 0; i < s->count && status == GEO_OK; i++) {
        judge_cell(s, i);
    }
    return status;
}

void bench_stage_close(bench_stage *s)
{
    for (size_t i = 0; i < s->count; i++) {
        bench_worker_stop(&s->workers[i]);
        geo_free(s->cells[i].answers);
        geo_free(s->cells[i].judgements);
        geo_free(s->cells[i].warm_ns);
        geo_free(s->cells[i].evicted_ns);
    }
    geo_free(s->workers);
    geo_free(s->jobs);
    geo_free(s->cells);
    geo_free(s->truths);
    if (s->poses) {
        munmap(s->poses, s->poses_bytes);
    }
    scn_trajectory_release(&s->trajectory);
    bench_pair_close(&s->pair);
}
