#include "scenarios/trajectories/sampling.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "geometry/pose.h"
#include "geometry/vec.h"

#include <math.h>
#include <stdio.h>

#define FRAME_S         0.001
#define STEP_LEAST      1e-6
#define STEP_GREATEST   1.0
#define STEP_DEFAULT    0.01
#define SLACK_RELATIVE  1e-9
#define VOLUME_RELATIVE 1e-6
/* In multiples of A's diagonal. At larger distances, the shapes of the bodies have no effect. */
#define DISTANCE_GREATEST 1000
/* The number of halvings of a half turn in the last draw. The axes are then parallel within 1e-4,
 * about the thickness of a sheet. */
#define HALVINGS_MAX 15.0
/* The minimum number of additional draws. */
#define MORE_LEAST 4

static base_status check_values(const scn_sampler *sampler, base_error *err)
{
    const double lo = sampler->lo, hi = sampler->hi;
    if (!isfinite(lo) || !isfinite(hi) || lo < 0 || hi < 0) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "sampler values from %g to %g: they must be finite and not negative", lo,
                         hi);
    }
    if (lo > hi) {
        return base_fail(err, BASE_ERR_ARGUMENT, "sampler values from %g to %g: lo is above hi", lo,
                         hi);
    }
    if (sampler->target == SCN_TARGET_VOLUME && hi > 1) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "sampler values from %g to %g: a volume is a part of the smaller body, "
                         "at most 1",
                         lo, hi);
    }
    if (sampler->target == SCN_TARGET_DISTANCE && hi > DISTANCE_GREATEST) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "sampler values from %g to %g: a distance is a multiple of A's diagonal, "
                         "at most %d",
                         lo, hi, DISTANCE_GREATEST);
    }
    return BASE_OK;
}

static base_status check_sampler(const scn_sampler *sampler, const scn_pair *pair,
                                 const scn_oracle *oracle, base_error *err)
{
    if (sampler->frames == 0) {
        return base_fail(err, BASE_ERR_ARGUMENT, "a sampler needs at least one frame");
    }
    if (sampler->step != 0 && !(sampler->step >= STEP_LEAST && sampler->step <= STEP_GREATEST)) {
        return base_fail(err, BASE_ERR_ARGUMENT, "sampler step %g: it must be from %g to %g",
                         sampler->step, STEP_LEAST, STEP_GREATEST);
    }
    if (sampler->hold > SCN_HOLD_MAX) {
        return base_fail(err, BASE_ERR_ARGUMENT, "sampler hold %zu: it must be from 1 to %d",
                         sampler->hold, SCN_HOLD_MAX);
    }
    if (sampler->ways > SCN_WAYS_MAX) {
        return base_fail(err, BASE_ERR_ARGUMENT, "sampler ways %zu: it must be from 1 to %d",
                         sampler->ways, SCN_WAYS_MAX);
    }
    if (sampler->target == SCN_TARGET_VOLUME &&
        (!oracle->volume || !(pair->volume_a_m3 > 0) || !(pair->volume_b_m3 > 0))) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "a sampler of volumes needs two solids; see `proxbench mesh check`");
    }
    return BASE_OK;
}

base_status scn_run_start(const scn_sampler *sampler, const scn_pair *pair,
                          const scn_oracle *oracle, scn_trajectory *trajectory, scn_run *run,
                          base_error *err)
{
    base_status status = check_values(sampler, err);
    if (status == BASE_OK) {
        status = check_sampler(sampler, pair, oracle, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    const vec3 edges = vec3_sub(pair->box_a.hi, pair->box_a.lo);
    const double size = fmax(edges.x, fmax(edges.y, edges.z));
    const double volume = fmin(pair->volume_a_m3, pair->volume_b_m3);
    const bool by_distance = sampler->target == SCN_TARGET_DISTANCE;
    const double step = sampler->step > 0 ? sampler->step : STEP_DEFAULT;
    if (!(size > 0)) {
        return base_fail(err, BASE_ERR_ARGUMENT, "a sampler needs a body A with an extent");
    }
    *run = (scn_run){
        .sampler = sampler,
        .solver = {.pair = pair,
                   .oracle = oracle,
                   .target = sampler->target,
                   .scale = by_distance ? geo_box_diagonal(pair->box_a) : volume,
                   .size_m = size,
                   .slack_m = SLACK_RELATIVE * size,
                   .volume_slack_m3 = VOLUME_RELATIVE * volume,
                   .flux_m2 = 0.5 * fmin(pair->area_a_m2, pair->area_b_m2),
                   .step_m = step * size},
        .random = base_random_seed(sampler->seed),
        .trajectory = trajectory,
    };
    return BASE_OK;
}

base_status scn_run_append(scn_run *run, geo_quat orientation, vec3 centre, double target,
                           double achieved, base_error *err)
{
    const scn_frame frame = {
        .t_s = FRAME_S * (double)run->trajectory->frame_count,
        .position = scn_translation(run->solver.pair, orientation, centre),
        .orientation = orientation,
        .target = target,
        .achieved = achieved,
    };
    run->misses = 0;
    return scn_trajectory_append(run->trajectory, &frame, err);
}

double scn_run_value(const scn_run *run, size_t i)
{
    const scn_sampler *const s = run->sampler;
    const double share = s->frames > 1 ? (double)i / (double)(s->frames - 1) : 0;
    return run->solver.scale * (s->lo + (s->hi - s->lo) * share);
}

scn_line scn_run_line(scn_run *run)
{
    const vec3 direction = geo_random_direction(&run->random);
    return (scn_line){direction, geo_random_rotation(&run->random)};
}

int scn_run_draws(const scn_run *run)
{
    const int more = run->misses < 8 ? SCN_DRAWS_MORE >> run->misses : 0;
    return SCN_DRAWS_MAX + (more > MORE_LEAST ? more : MORE_LEAST);
}

/** Returns a half turn about one of the axes, or the identity, because principal axes have no
 * sign. */
static geo_quat random_half_turn(base_random *random)
{
    const uint64_t k = base_random_below(random, 4);
    return (geo_quat){k == 0, k == 1, k == 2, k == 3};
}

geo_quat scn_turn_about(vec3 axis, double angle)
{
    const double s = base_sin(0.5 * angle);
    return (geo_quat){s * axis.x, s * axis.y, s * axis.z, base_cos(0.5 * angle)};
}

/** Returns an orientation with B's axes along A's, except for a rotation by `angle` about a random
 * axis. */
static geo_quat nearly_parallel(scn_run *run, double angle)
{
    const scn_pair *const pair = run->solver.pair;
    const geo_quat b = pair->axes_b, back = {-b.x, -b.y, -b.z, b.w};
    const geo_quat tilt = scn_turn_about(geo_random_direction(&run->random), angle);
    const geo_quat turned = geo_quat_mul(tilt, random_half_turn(&run->random));
    return geo_quat_normalize(geo_quat_mul(pair->axes_a, geo_quat_mul(turned, back)));
}

scn_line scn_run_draw(scn_run *run, int draw)
{
    if (draw < SCN_DRAWS_MAX || run->sampler->target != SCN_TARGET_VOLUME) {
        return scn_run_line(run);
    }
    const int more = scn_run_draws(run) - SCN_DRAWS_MAX;
    double angle = BASE_PI;
    for (int i = 0; i < (int)(HALVINGS_MAX * (draw - SCN_DRAWS_MAX + 1) / more); i++) {
        angle *= 0.5;
    }
    const vec3 direction = geo_random_direction(&run->random);
    return (scn_line){direction, nearly_parallel(run, angle)};
}

void scn_run_leave_out(scn_run *run, size_t i, double wanted)
{
    const scn_oracle *const oracle = run->solver.oracle;
    run->left_out++;
    run->misses++;
    if (oracle->left_out) {
        oracle->left_out(oracle->context, i, wanted);
    }
}

base_status scn_run_fail(const scn_run *run, double wanted, int draws, base_error *err)
{
    const bool by_distance = run->sampler->target == SCN_TARGET_DISTANCE;
    return base_fail(err, BASE_ERR_ARGUMENT,
                     "no pose of %s %g %s found in %d draws; the bodies may pass through each "
                     "other, or the value may be out of reach",
                     scn_target_name(run->sampler->target), wanted, by_distance ? "m" : "m3",
                     draws);
}

base_status scn_run_finish(const scn_run *run, int draws, base_error *err)
{
    return run->trajectory->frame_count > 0 ? BASE_OK
                                            : scn_run_fail(run, scn_run_value(run, 0), draws, err);
}

base_status scn_run_hold(scn_run *run, base_error *err)
{
    scn_trajectory *const trajectory = run->trajectory;
    const size_t hold = scn_sampler_hold(run->sampler), count = hold * trajectory->frame_count;
    const base_status status =
        base_reserve(trajectory->frames, trajectory->frame_capacity, count, err);
    if (status != BASE_OK) {
        return status;
    }
    trajectory->frame_count = count;
    /* Backwards, so that no frame is overwritten before it is repeated. */
    for (size_t i = count; i-- > 0;) {
        trajectory->frames[i] = trajectory->frames[i / hold];
        trajectory->frames[i].t_s = FRAME_S * (double)i;
    }
    return BASE_OK;
}

void scn_run_describe(scn_run *run, const char *what)
{
    const scn_sampler *const s = run->sampler;
    const double step = run->solver.step_m / run->solver.size_m;
    char *const text = run->trajectory->source;
    const size_t size = sizeof run->trajectory->source;
    const int length = snprintf(
        text, size, "%s target=%s lo=%.9g hi=%.9g frames=%zu seed=%llu step=%.9g", what,
        scn_target_name(s->target), s->lo, s->hi, s->frames, (unsigned long long)s->seed, step);
    size_t used = length > 0 && (size_t)length < size ? (size_t)length : size;
    if (scn_sampler_hold(s) > 1 && used < size) {
        used += (size_t)snprintf(text + used, size - used, " hold=%zu", s->hold);
    }
    if (scn_sampler_ways(s) > 1 && used < size) {
        used += (size_t)snprintf(text + used, size - used, " ways=%zu", s->ways);
    }
    if (run->not_monotone > 0 && used < size) {
        used += (size_t)snprintf(text + used, size - used, "; volume not monotone in %zu frames",
                                 run->not_monotone);
    }
    if (run->left_out > 0 && used < size) {
        snprintf(text + used, size - used, "; %zu frame%s left out", run->left_out,
                 run->left_out > 1 ? "s" : "");
    }
}

/* --- Following a path ------------------------------------------------------------------------- */

/* Slightly below the step, because poses are rounded. */
#define STEP_SAFETY (1 - 1e-9)
/* The path may take half of a frame's step. The rest is for s, most of it for the change of the
 * target. */
#define PATH_PART   0.5
#define TARGET_PART 0.4
/* The target does not reduce an advance below this part. */
#define TARGET_SHARE_LEAST 0.05
/* The maximum number of reductions of an advance. Each takes off at least a tenth. */
#define CUTS_MAX 40
/* The minimum distance of a path from the centre, as a part of L. */
#define CENTRE_PART 0.02
/* The number of shorter advances that are tried before s jumps in additional frames. Queries for
 * volumes are expensive. */
#define DISTANCE_TRIES 5
#define VOLUME_TRIES   3
#define TURNS_MAX      6

/** Returns the target value: lo, hi, lo in one smooth period for phase 0 to 1. */
static double profile(const scn_run *run, double phase)
{
    const scn_sampler *const s = run->sampler;
    const double part = 0.5 * (1 - base_cos(2 * BASE_PI * (phase - floor(phase))));
    return run->solver.scale * (s->lo + (s->hi - s->lo) * part);
}

static double next_phase(const scn_tracker *tracker, double share)
{
    const size_t frames = tracker->run->sampler->frames;
    return tracker->phase + (frames > 1 ? share / (double)(frames - 1) : 0);
}

double scn_turn_motion(const scn_pair *pair, geo_quat a, geo_quat b)
{
    /* The chord is 2 sin(angle / 4), and 2 sin(x / 2) <= 4 sin(x / 4). */
    return 2 * geo_quat_chord(a, b) * pair->ball_b.radius;
}

/** Returns an upper bound of the motion of a surface point if B moves straight from one spot to the
 * other. */
static double path_motion(const scn_run *run, const scn_spot *a, const scn_spot *b)
{
    const double slide =
        vec3_distance(vec3_scale(a->s, a->line.direction), vec3_scale(b->s, b->line.direction));
    return slide + scn_turn_motion(run->solver.pair, a->line.orientation, b->line.orientation);
}

/** Returns the estimated motion of s due to the change of the target; 0 if the slope is unknown. */
static double target_motion(const scn_tracker *tracker, double wanted)
{
    const double change = fabs(wanted - tracker->spot.wanted);
    if (tracker->run->sampler->target == SCN_TARGET_DISTANCE) {
        return change;
    }
    return tracker->slope_m2 > 0 ? change / tracker->slope_m2 : 0;
}

/** An advance that is tried. */
typedef struct attempt {
    double share;
    scn_spot to; /* end of the path */
    double left; /* part of the step that is left for s */
    scn_root root;
    bool fits;
} attempt;

/**
 * Reduces the share until path and target are slow enough. The target alone does not stop the path,
 * because the slope that predicts its motion may be wrong.
 */
static void choose_share(const scn_tracker *tracker, const scn_mover *mover, attempt *a)
{
    const scn_run *const run = tracker->run;
    const double step = run->solver.step_m * STEP_SAFETY;
    for (int i = 0; i < CUTS_MAX; i++) {
        mover->place(mover->context, tracker, a->share, &a->to);
        a->to.wanted = profile(run, next_phase(tracker, a->share));
        const double motion = path_motion(run, &tracker->spot, &a->to);
        const double path = motion / (PATH_PART * step);
        const double target = target_motion(tracker, a->to.wanted) / (TARGET_PART * step);
        const bool target_counts = target > 1 && a->share > TARGET_SHARE_LEAST;
        a->left = fmax(0, step - motion);
        if (path <= 1 && !target_counts) {
            return;
        }
        const double by_path = path > 1 ? fmin(0.99 / path, 0.9) * a->share : a->share;
        const double by_target = target_counts ? fmin(0.99 / target, 0.9) * a->share : a->share;
        a->share = fmin(by_path, fmax(by_target, TARGET_SHARE_LEAST));
    }
}

/** True if a path that could change its direction comes too near to the centre, where all
 * directions are the same and the path would end. */
static bool too_central(const scn_tracker *tracker, const scn_mover *mover, double s)
{
    return mover->turn && s < fmin(CENTRE_PART * tracker->run->solver.size_m, tracker->spot.s);
}

static base_status try_advance(const scn_tracker *tracker, const scn_mover *mover, attempt *a,
                               base_error *err)
{
    const scn_solver *const solver = &tracker->run->solver;
    const bool by_distance = solver->target == SCN_TARGET_DISTANCE;
    const int tries = by_distance ? DISTANCE_TRIES : VOLUME_TRIES;
    *a = (attempt){.share = 2, .root.found = true};
    for (int i = 0; i < tries && a->root.found && !a->fits; i++) {
        a->share *= 0.5;
        choose_share(tracker, mover, a);
        const base_status status =
            scn_near(solver, &a->to.line, a->to.wanted, a->to.s, tracker->slope_m2, &a->root, err);
        if (status != BASE_OK) {
            return status;
        }
        a->root.found = a->root.found && !too_central(tracker, mover, a->root.s);
        a->fits = a->root.found && fabs(a->root.s - a->to.s) <= a->left;
    }
    return BASE_OK;
}

/** Moves s towards the goal by one frame of a jump. */
static base_status creep(scn_tracker *tracker, double step, base_error *err)
{
    const double way = tracker->goal - tracker->spot.s;
    tracker->settled = fabs(way) <= step;
    tracker->spot.s = tracker->settled ? tracker->goal : tracker->spot.s + copysign(step, way);
    return scn_value_at(&tracker->run->solver, &tracker->spot.line, tracker->spot.s,
                        &tracker->value, err);
}

base_status scn_track_step(scn_tracker *tracker, const scn_mover *mover, base_error *err)
{
    if (!tracker->settled) {
        return creep(tracker, tracker->run->solver.step_m * STEP_SAFETY, err);
    }
    attempt a;
    base_status status = try_advance(tracker, mover, &a, err);
    for (int i = 0; i < TURNS_MAX && status == BASE_OK && !a.fits && mover->turn; i++) {
        mover->turn(mover->context, tracker);
        status = try_advance(tracker, mover, &a, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    mover->commit(mover->context, tracker, a.share);
    tracker->phase = next_phase(tracker, a.share);
    tracker->spot = a.to;
    tracker->slope_m2 = a.root.slope_m2 > 0 ? a.root.slope_m2 : tracker->slope_m2;
    tracker->goal = a.root.found ? a.root.s : a.to.s;
    if (!a.fits) {
        return creep(tracker, a.left, err);
    }
    tracker->spot.s = a.root.s;
    tracker->value = a.root.value;
    return BASE_OK;
}

base_status scn_track_append(scn_tracker *tracker, base_error *err)
{
    const scn_line *const line = &tracker->spot.line;
    return scn_run_append(tracker->run, line->orientation,
                          scn_centre(tracker->run->solver.pair, line, tracker->spot.s),
                          tracker->spot.wanted, tracker->value, err);
}

base_status scn_track_start(scn_run *run, const scn_line *line, scn_tracker *tracker, bool *found,
                            base_error *err)
{
    scn_root root;
    const double wanted = profile(run, 0);
    const base_status status = scn_first(&run->solver, line, wanted, &root, err);
    *found = status == BASE_OK && root.found;
    *tracker = (scn_tracker){
        .run = run,
        .spot = {*line, root.s, wanted},
        .value = root.value,
        .slope_m2 = root.slope_m2,
        .goal = root.s,
        .settled = true,
    };
    return status;
}
