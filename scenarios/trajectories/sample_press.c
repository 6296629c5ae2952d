/** Approach, press to the value, retract: there and back on one line, softly at both ends. */
#include "scenarios/trajectories/sampling.h"

#include "base/elementary.h"

#include <math.h>

typedef struct press {
    scn_line line;
    double start;  /* s of the first and last frame */
    scn_root deep; /* where it turns */
    double wanted; /* there */
} press;

/** Tries one line. */
static base_status find_stroke(scn_run *run, press *stroke, bool *found, base_error *err)
{
    const scn_sampler *const sampler = run->sampler;
    const bool by_distance = sampler->target == SCN_TARGET_DISTANCE;
    const double scale = run->solver.scale;
    const double nearest = by_distance ? sampler->lo : sampler->hi;
    const double farthest = by_distance ? sampler->hi : sampler->lo;
    scn_root root;
    stroke->wanted = scale * nearest;
    base_status status = scn_first(&run->solver, &stroke->line, scale * farthest, &root, err);
    *found = status == BASE_OK && root.found;
    if (!*found) {
        return status;
    }
    status = scn_first(&run->solver, &stroke->line, stroke->wanted, &stroke->deep, err);
    *found = status == BASE_OK && stroke->deep.found;
    /* From no volume the approach begins as far outside as it will go inside. */
    const double ahead = !by_distance && farthest <= 0 ? root.s - stroke->deep.s : 0;
    stroke->start = root.s + ahead;
    return status;
}

/** As many frames as a stroke needs, so that the fastest stays within the step. */
static size_t frames_needed(const scn_run *run, const press *stroke)
{
    const double way = stroke->start - stroke->deep.s;
    return 2 * (size_t)ceil(0.5 * BASE_PI * way / run->solver.step_m) + 1;
}

static base_status append_stroke(scn_run *run, const press *stroke, base_error *err)
{
    const size_t n = run->sampler->frames, turn = (n - 1) / 2;
    const double none = NAN;
    for (size_t i = 0; i < n; i++) {
        const size_t left = n - 1 - i, legs = i <= turn ? turn : n - 1 - turn;
        const double share = legs > 0 ? (double)(i <= turn ? i : left) / (double)legs : 1;
        const double part = 0.5 * (1 - base_cos(BASE_PI * share));
        const bool deepest = i == turn;
        const double s =
            deepest ? stroke->deep.s : stroke->start + (stroke->deep.s - stroke->start) * part;
        double achieved = deepest ? stroke->deep.value : none;
        /* A volume may cost half a second: only the one that was asked for is noted. */
        if (!deepest && run->sampler->target == SCN_TARGET_DISTANCE) {
            const base_status status = scn_value_at(&run->solver, &stroke->line, s, &achieved, err);
            if (status != BASE_OK) {
                return status;
            }
        }
        const base_status status = scn_run_append(run, stroke->line.orientation,
                                                  scn_centre(run->solver.pair, &stroke->line, s),
                                                  deepest ? stroke->wanted : none, achieved, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

base_status scn_sample_press(scn_run *run, base_error *err)
{
    press stroke = {0};
    bool found = false;
    for (int draw = 0; draw < SCN_DRAWS_MAX && !found; draw++) {
        stroke.line = scn_run_line(run);
        const base_status status = find_stroke(run, &stroke, &found, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    if (!found) {
        return scn_run_fail(run, stroke.wanted, err);
    }
    const size_t needed = frames_needed(run, &stroke);
    if (run->sampler->frames < needed) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "this press needs %zu frames for a step of %g m, not %zu", needed,
                         run->solver.step_m, run->sampler->frames);
    }
    run->not_monotone += !stroke.deep.monotone;
    return append_stroke(run, &stroke, err);
}
