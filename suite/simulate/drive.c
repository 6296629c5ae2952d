#include "suite/simulate/drive.h"

#include "base/memory.h"
#include "suite/clock.h"
#include "suite/message.h"
#include "suite/results/cells.h"

#include <math.h>
#include <string.h>

/* The number of steps that are judged together, on all threads, and then written. */
enum { BATCH = 100 };

/* The largest number of poses at which the lists of a variant are checked if lists do not drive the
 * body. */
enum { CHECKED_POSES_MAX = 256 };

/* The largest number of steps of the device's path at which the force is asked for its gain. */
enum { GAIN_POSES_MAX = 256 };

/** A drive in progress. */
typedef struct job {
    const bench_drive *drive;
    bench_driven *driven;
    bench_responder responder;
    scn_simulation simulation;
    scn_response response;
    bool unscaled; /* the force needs a gain, and no gain can be found */
} job;

/** Steps that are computed but not yet written. */
typedef struct batch {
    size_t count;
    bench_step_row rows[BATCH];
    bench_step_time_row times[BATCH];
    uint64_t counters[BATCH][ALG_COUNTERS_MAX];
} batch;

/* --- Gain ------------------------------------------------------------------------------------- */

bool bench_gain_needed(const alg_variant *variant)
{
    return strcmp(variant->algorithm->force_unit, "N") != 0;
}

base_status bench_gain_find(bench_responder *r, bench_overlap *overlap,
                            const scn_trajectory *device, double step_s, double *gain,
                            base_error *err)
{
    const alg_variant *const variant = &r->contestant.variant;
    if (alg_variant_contract(variant, ALG_FORCE) == ALG_EXACT) {
        *gain = 1;
        return BASE_OK;
    }
    *gain = NAN;
    if (!overlap) {
        return BASE_OK;
    }
    const scn_simulation clock = {.options = {.step_s = step_s}, .device = device};
    const uint64_t steps = scn_simulation_steps(&clock), every = steps / GAIN_POSES_MAX + 1;
    double product = 0, square = 0;
    size_t at = 0;
    base_status status = BASE_OK;
    for (uint64_t i = 0; i <= steps && status == BASE_OK; i += every) {
        const double t_s = device->frames[0].t_s + step_s * (double)i;
        const scn_frame frame = scn_trajectory_at(device, t_s, &at);
        const geo_pose pose = bench_pair_pose(r->pair, frame.position, frame.orientation);
        vec3 ideal;
        status = bench_overlap_gradient(overlap, &pose, &ideal, err);
        if (status == BASE_OK) {
            status = bench_responder_ask(r, &pose, err);
        }
        const double g = vec3_norm(ideal), force = vec3_norm(r->answer.force);
        if (g > 0 && force > 0) {
            product += g * force;
            square += force * force;
        }
    }
    if (status == BASE_OK) {
        *gain = square > 0 ? product / square : (double)NAN;
    }
    r->anew = true;
    return status;
}

/* --- Result of a drive ------------------------------------------------------------------------ */

static void end_as(bench_driven *driven, bench_status status, const char *detail)
{
    driven->status = bench_status_name(status);
    snprintf(driven->detail, sizeof driven->detail, "%s", detail);
}

/* --- Begin ------------------------------------------------------------------------------------ */

/** Converts a fault of the variant into the status of the drive; other errors stay errors. */
static base_status blame(job *j, base_status status, const base_error *reason, base_error *err)
{
    if (status != BASE_OK && j->responder.fault != BENCH_CELL_OK) {
        end_as(j->driven, j->responder.fault, reason->text);
        return BASE_OK;
    }
    return status == BASE_OK ? BASE_OK : base_fail(err, status, "%s", reason->text);
}

/**
 * Sets the scale of the force. If the force needs a gain and none can be found, the gain is 1, and
 * the status of the drive says so.
 */
static base_status set_gain(job *j, base_error *err)
{
    const bench_drive *const d = j->drive;
    double gain = NAN;
    base_error reason = {0};
    if (d->response == BENCH_BY_IMPULSES || !bench_gain_needed(d->variant)) {
        return BASE_OK;
    }
    const base_status status = bench_gain_find(&j->responder, d->overlap, d->scene->device,
                                               d->scene->options.step_s, &gain, &reason);
    if (status == BASE_OK) {
        j->driven->gain = gain;
        j->unscaled = !isfinite(gain);
        j->responder.newtons = d->scene->stiffness_n_m2 * (j->unscaled ? 1 : gain);
    }
    return blame(j, status, &reason, err);
}

static geo_pose pose_of(const job *j, const scn_state *state)
{
    vec3 position;
    geo_quat orientation;
    scn_state_pose(state, &j->simulation.mass, &position, &orientation);
    return bench_pair_pose(j->drive->pair, position, orientation);
}

/**
 * Continues after the steps that exist. If the variant keeps state, it is asked at their poses
 * again, which restores its state.
 */
static base_status begin(job *j, base_error *err)
{
    const bench_drive *const d = j->drive;
    const bench_steps *const steps = &j->driven->steps;
    const scn_step *const from = steps->count > 0 ? &steps->rows[steps->count - 1].step : NULL;
    const base_status status = scn_simulation_begin(&d->pair->b.mesh, d->scene->device,
                                                    &d->scene->options, from, &j->simulation, err);
    if (status != BASE_OK) {
        return status;
    }
    const bool again = d->variant->algorithm->flags & ALG_KEEPS_STATE;
    base_status asked = BASE_OK;
    base_error reason = {0};
    for (size_t i = 0; i < steps->count; i++) {
        j->responder.has_normals |= steps->rows[i].step.contact_count > 0;
        if (again && i + 1 < steps->count && j->responder.fault == BENCH_CELL_OK) {
            const geo_pose pose = pose_of(j, &steps->rows[i].step.state);
            asked = bench_responder_ask(&j->responder, &pose, &reason);
        }
    }
    j->response = bench_responder_response(&j->responder);
    return blame(j, asked, &reason, err);
}

/* --- Steps ------------------------------------------------------------------------------------ */

static void keep_step(job *j, batch *b, uint64_t beyond)
{
    const scn_step *const last = &j->simulation.last;
    b->rows[b->count++] = (bench_step_row){.step = *last,
                                           .beyond = beyond,
                                           .volume_m3 = NAN,
                                           .point_depth_m = NAN,
                                           .coupling_n = vec3_norm(last->coupling_force_n),
                                           .contact_n = vec3_norm(last->contact_force_n)};
}

/**
 * Computes the next step and adds it to the batch. Returns false if the step failed; then the
 * status of the drive is set.
 */
static bool make_step(job *j, batch *b)
{
    base_error reason = {0};
    const uint64_t start = bench_clock_ns();
    const base_status status = scn_simulation_step(&j->simulation, &j->response, &reason);
    const uint64_t took = bench_clock_ns() - start;
    const bench_responder *const r = &j->responder;
    if (status != BASE_OK) {
        end_as(j->driven, r->fault == BENCH_CELL_OK ? BENCH_CELL_FAILED : r->fault, reason.text);
        return false;
    }
    b->times[b->count] = (bench_step_time_row){j->simulation.last.number, r->query_ns,
                                               took > r->away_ns ? took - r->away_ns : 0};
    memcpy(b->counters[b->count], r->answer.counters, sizeof b->counters[b->count]);
    keep_step(j, b, r->beyond);
    return true;
}

/** Computes steps until the batch is full. Returns false if no further step is to be computed. */
static bool make_steps(job *j, batch *b)
{
    const uint64_t planned = j->drive->scene->steps;
    b->count = 0;
    if (j->driven->steps.count == 0) {
        keep_step(j, b, 0);
    }
    while (b->count < BATCH && j->simulation.last.number < planned) {
        if (bench_interrupted()) {
            end_as(j->driven, BENCH_CELL_INTERRUPTED, "");
            return false;
        }
        if (!make_step(j, b)) {
            return false;
        }
    }
    return j->simulation.last.number < planned;
}

static base_status judge(const job *j, batch *b, base_error *err)
{
    bench_overlap_at at[BATCH];
    if (!j->drive->overlap) {
        return BASE_OK;
    }
    for (size_t i = 0; i < b->count; i++) {
        const scn_step *const step = &b->rows[i].step;
        at[i] = (bench_overlap_at){.pose = pose_of(j, &step->state),
                                   .depth = step->number % j->drive->judge_every == 0};
    }
    const base_status status = bench_overlap_find(j->drive->overlap, at, b->count, err);
    for (size_t i = 0; i < b->count && status == BASE_OK; i++) {
        b->rows[i].volume_m3 = at[i].volume_m3;
        b->rows[i].point_depth_m = at[i].point_depth_m;
    }
    return status;
}

/** Computes, judges and writes batches until no further step is to be computed. */
static base_status make_all(job *j, batch *b, base_error *err)
{
    const bench_drive *const d = j->drive;
    bench_steps *const steps = &j->driven->steps;
    bool more = true;
    while (more) {
        more = make_steps(j, b);
        base_status status = judge(j, b, err);
        for (size_t i = 0; i < b->count && status == BASE_OK; i++) {
            const bool made = b->rows[i].step.number > 0;
            status = bench_steps_add(steps, &b->rows[i], made ? b->counters[i] : NULL,
                                     made ? &b->times[i] : NULL, err);
        }
        if (status == BASE_OK) {
            status = bench_steps_sync(steps, err);
        }
        if (status != BASE_OK) {
            return status;
        }
        d->progress(d->progress_context, j->simulation.last.number);
    }
    return BASE_OK;
}

/**
 * Checks the lists of a variant whose force drives the body, at some of the poses, after the last
 * step. While its force drives the body, the variant has no buffers for lists.
 */
static base_status check_lists(job *j, base_error *err)
{
    const bench_steps *const steps = &j->driven->steps;
    const size_t every = (steps->count + CHECKED_POSES_MAX - 1) / CHECKED_POSES_MAX;
    base_status status = BASE_OK;
    base_error reason = {0};
    for (size_t i = 0; i < steps->count && status == BASE_OK; i += every) {
        if (bench_interrupted()) {
            end_as(j->driven, BENCH_CELL_INTERRUPTED, "");
            return BASE_OK;
        }
        const geo_pose pose = pose_of(j, &steps->rows[i].step.state);
        status = bench_responder_check_lists(&j->responder, &pose, &reason);
    }
    return blame(j, status, &reason, err);
}

static base_status drive_on(job *j, base_error *err)
{
    const bench_drive *const d = j->drive;
    base_status status = set_gain(j, err);
    if (status == BASE_OK && !*j->driven->status) {
        status = begin(j, err);
    }
    if (status != BASE_OK || *j->driven->status) {
        return status;
    }
    batch *const b = base_alloc(1, sizeof *b);
    if (!b) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    status = make_all(j, b, err);
    base_free(b);
    if (status == BASE_OK && !*j->driven->status && d->response == BENCH_BY_FORCE) {
        status = check_lists(j, err);
    }
    if (status == BASE_OK && !*j->driven->status && j->unscaled) {
        end_as(j->driven, BENCH_CELL_UNSCALED,
               d->overlap ? "on the device's path its force and that of the exact volume are never "
                            "above 0 together: one unit of it counts as 1 m2"
                          : "a body is not a solid: one unit of its force counts as 1 m2");
    }
    if (status == BASE_OK && !*j->driven->status) {
        end_as(j->driven, BENCH_CELL_OK, "");
    }
    return status;
}

base_status bench_drive_run(const bench_drive *d, bench_driven *driven, base_error *err)
{
    char file[BENCH_CONTESTANT_NAME_BYTES];
    job j = {.drive = d, .driven = driven, .responder = {.worker.socket = -1}};
    *driven = (bench_driven){.status = "", .gain = NAN};
    bench_variant_file(d->variant->name, file, sizeof file);
    base_error reason = {0};
    base_status status = bench_responder_open(d->variant, d->pair, d->response, d->cache_directory,
                                              d->timeout_s, &j.responder, &reason);
    status = blame(&j, status, &reason, err);
    if (status == BASE_OK && !*driven->status) {
        status = bench_steps_open(d->folder, d->scene->name, file, d->variant->algorithm->counters,
                                  &driven->steps, err);
        if (status == BASE_OK) {
            status = drive_on(&j, err);
        }
    }
    bench_responder_close(&j.responder);
    if (status != BASE_OK) {
        bench_steps_close(&driven->steps);
    }
    return status;
}
