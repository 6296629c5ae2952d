/** Following a path with s solved anew each frame, within the step. */
#include "scenarios/trajectories/sampling.h"

#include "geometry/elementary.h"

#include <math.h>

/* A touch below the step, for the rounding of the poses. */
#define STEP_SAFETY (1 - 1e-9)
/* Of a frame's step the path may take half; the rest is for s. */
#define PATH_PART   0.5
#define TARGET_PART 0.4
#define CUTS_MAX    40
/* Shorter advances tried before a jump of s is made in frames of its own. Volumes are dear. */
#define DISTANCE_TRIES 5
#define VOLUME_TRIES   3

/** lo, hi, lo: one soft swing for phase 0 to 1. */
static double profile(const scn_run *run, double phase)
{
    const scn_sampler *const s = run->sampler;
    const double part = 0.5 * (1 - geo_cos(2 * GEO_PI * (phase - floor(phase))));
    return run->solver.scale * (s->lo + (s->hi - s->lo) * part);
}

static double next_phase(const scn_tracker *tracker, double share)
{
    const size_t frames = tracker->run->sampler->frames;
    return tracker->phase + (frames > 1 ? share / (double)(frames - 1) : 0);
}

/** How far a surface point may move when B goes from (line a, s) to (line b, s). */
static double path_motion(const scn_tracker *tracker, const scn_line *a, const scn_line *b)
{
    const double slide = fabs(tracker->s) * vec3_distance(a->direction, b->direction);
    return slide + scn_turn_motion(tracker->run->solver.pair, a->orientation, b->orientation);
}

/** How far s will move because the target does; 0 when nothing is known. */
static double target_motion(const scn_tracker *tracker, double wanted)
{
    const double change = fabs(wanted - tracker->spot.wanted);
    if (tracker->run->sampler->target == SCN_TARGET_DISTANCE) {
        return change;
    }
    return tracker->slope_m2 > 0 ? change / tracker->slope_m2 : 0;
}

/** Cuts the share until path and target are slow enough, and says where that leads. */
static double choose_share(const scn_tracker *tracker, const scn_mover *mover, double share,
                           scn_spot *to)
{
    const double step = tracker->run->solver.step_m * STEP_SAFETY;
    for (int i = 0; i < CUTS_MAX; i++) {
        mover->place(mover->context, tracker, share, &to->line);
        to->wanted = profile(tracker->run, next_phase(tracker, share));
        const double path =
            path_motion(tracker, &tracker->spot.line, &to->line) / (PATH_PART * step);
        const double target = target_motion(tracker, to->wanted) / (TARGET_PART * step);
        const double excess = fmax(path, target);
        if (excess <= 1) {
            return share;
        }
        share *= fmin(0.99 / excess, 0.9);
    }
    return share;
}

static geo_status solve_near(const scn_tracker *tracker, const scn_spot *to, scn_root *root,
                             geo_error *err)
{
    const scn_solver *const solver = &tracker->run->solver;
    const geo_status status =
        scn_near(solver, &to->line, to->wanted, tracker->s, tracker->slope_m2, root, err);
    if (status != GEO_OK || root->found) {
        return status;
    }
    /* No such place on this line: B stands before a hole, or the value is out of reach. */
    root->s = tracker->s;
    return scn_value_at(solver, &to->line, root->s, &root->value, err);
}

/** One frame of a jump: only s moves. */
static geo_status creep(scn_tracker *tracker, double step, geo_error *err)
{
    const double way = tracker->goal - tracker->s;
    tracker->settled = fabs(way) <= step;
    tracker->s = tracker->settled ? tracker->goal : tracker->s + copysign(step, way);
    return scn_value_at(&tracker->run->solver, &tracker->spot.line, tracker->s, &tracker->value,
                        err);
}

geo_status scn_track_step(scn_tracker *tracker, const scn_mover *mover, geo_error *err)
{
    const double step = tracker->run->solver.step_m * STEP_SAFETY;
    if (!tracker->settled) {
        return creep(tracker, step, err);
    }
    const int tries =
        tracker->run->sampler->target == SCN_TARGET_DISTANCE ? DISTANCE_TRIES : VOLUME_TRIES;
    scn_spot to;
    scn_root root;
    double share = 1, left = 0;
    bool fits = false;
    for (int i = 0; i < tries && !fits; i++) {
        share = choose_share(tracker, mover, i > 0 ? 0.5 * share : share, &to);
        const geo_status status = solve_near(tracker, &to, &root, err);
        if (status != GEO_OK) {
            return status;
        }
        left = step - path_motion(tracker, &tracker->spot.line, &to.line);
        fits = fabs(root.s - tracker->s) <= left;
    }
    mover->commit(mover->context, tracker, share);
    tracker->phase = next_phase(tracker, share);
    tracker->spot = to;
    tracker->slope_m2 = root.slope_m2 > 0 ? root.slope_m2 : tracker->slope_m2;
    tracker->goal = root.s;
    tracker->value = root.value;
    if (fits) {
        tracker->s = root.s;
        return GEO_OK;
    }
    return creep(tracker, fmax(0, left), err);
}

geo_status scn_track_append(scn_tracker *tracker, geo_error *err)
{
    const scn_line *const line = &tracker->spot.line;
    return scn_run_append(tracker->run, line->orientation,
                          scn_centre(tracker->run->solver.pair, line, tracker->s),
                          tracker->spot.wanted, tracker->value, err);
}

geo_status scn_track_start(scn_run *run, const scn_line *line, scn_tracker *tracker, bool *found,
                           geo_error *err)
{
    scn_root root;
    const double wanted = profile(run, 0);
    const geo_status status = scn_first(&run->solver, line, wanted, &root, err);
    *found = status == GEO_OK && root.found;
    *tracker = (scn_tracker){
        .run = run,
        .spot = {*line, wanted},
        .s = root.s,
        .value = root.value,
        .slope_m2 = root.slope_m2,
        .goal = root.s,
        .settled = true,
    };
    return status;
}
