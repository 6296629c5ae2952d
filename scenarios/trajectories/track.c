#include "scenarios/trajectories/track.h"

#include "base/elementary.h"
#include "geometry/pose.h"
#include "geometry/vec.h"

#include <math.h>

/* A touch below the step, for the rounding of the poses. */
#define STEP_SAFETY (1 - 1e-9)
/* Of a frame's step the path may take half; the rest is for s, most of it for what the target asks.
 */
#define PATH_PART   0.5
#define TARGET_PART 0.4
/* The target cuts an advance down to this part. */
#define TARGET_SHARE_LEAST 0.05
/* Cuts of an advance: each takes off a tenth at least. */
#define CUTS_MAX 40
/* Part of L: no path leads nearer to the centre. */
#define CENTRE_PART 0.02
/* Shorter advances tried before a jump of s is made in frames of its own. Volumes are dear. */
#define DISTANCE_TRIES 5
#define VOLUME_TRIES   3
#define TURNS_MAX      6

/** lo, hi, lo: one soft swing for phase 0 to 1. */
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

/** How far a surface point may move when B goes straight from one spot to the other. */
static double path_motion(const scn_run *run, const scn_spot *a, const scn_spot *b)
{
    const double slide =
        vec3_distance(vec3_scale(a->s, a->line.direction), vec3_scale(b->s, b->line.direction));
    return slide + scn_turn_motion(run->solver.pair, a->line.orientation, b->line.orientation);
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

/** An advance that is tried. */
typedef struct attempt {
    double share;
    scn_spot to; /* where the path leads */
    double left; /* of the step, for s */
    scn_root root;
    bool fits;
} attempt;

/**
 * Cuts the share until path and target are slow enough. The target alone does not stop the path:
 * the slope that it is judged by may be no guide.
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

/** At the very centre all directions are one, and a path that could turn off would end. */
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

/** One frame of a jump: only s moves. */
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
