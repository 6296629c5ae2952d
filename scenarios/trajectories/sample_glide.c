/** Along great circles from one random direction and orientation to the next. */
#include "scenarios/trajectories/sampling.h"

#include <math.h>

/* Part of the step that the path takes: within what a tracker allows, so that it need not cut. */
#define PATH_SPEED 0.45

typedef struct glide {
    scn_run *run;
    scn_line from, to;
    double share; /* of the way between them */
} glide;

static scn_line glide_at(const glide *g, double share)
{
    return (scn_line){scn_slerp_direction(g->from.direction, g->to.direction, share),
                      scn_slerp(g->from.orientation, g->to.orientation, share)};
}

/** The share after one more frame, or part of it. */
static double glide_next(const glide *g, const scn_tracker *tracker, double share)
{
    const double slide = tracker->spot.s * scn_direction_angle(g->from.direction, g->to.direction);
    /* The bound is a chord; the arc is at most pi / (2 sqrt 2) = 1.11 times as long. */
    const double turn =
        1.2 * scn_turn_motion(g->run->solver.pair, g->from.orientation, g->to.orientation);
    const double speed = PATH_SPEED * g->run->solver.step_m;
    const double next = g->share + share * speed / (slide + turn);
    return next < 1 ? next : 1;
}

static void glide_place(const void *context, const scn_tracker *tracker, double share,
                        scn_spot *spot)
{
    const glide *const g = context;
    spot->line = glide_at(g, glide_next(g, tracker, share));
    spot->s = tracker->spot.s;
}

static void glide_commit(void *context, const scn_tracker *tracker, double share)
{
    glide *const g = context;
    g->share = glide_next(g, tracker, share);
    if (g->share >= 1) {
        g->from = g->to;
        g->to = scn_run_line(g->run);
        g->share = 0;
    }
}

static void glide_turn(void *context, const scn_tracker *tracker)
{
    glide *const g = context;
    g->from = tracker->spot.line;
    g->to = scn_run_line(g->run);
    g->share = 0;
}

base_status scn_sample_glide(scn_run *run, base_error *err)
{
    scn_tracker tracker;
    glide g = {.run = run};
    bool found = false;
    base_status status = BASE_OK;
    for (int draw = 0; draw < SCN_DRAWS_MAX && !found; draw++) {
        g.from = scn_run_line(run);
        status = scn_track_start(run, &g.from, &tracker, &found, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    if (!found) {
        return scn_run_fail(run, run->solver.scale * run->sampler->lo, err);
    }
    g.to = scn_run_line(run);
    const scn_mover mover = {&g, glide_place, glide_commit, glide_turn};
    status = scn_track_append(&tracker, err);
    while (status == BASE_OK && run->trajectory->frame_count < run->sampler->frames) {
        status = scn_track_step(&tracker, &mover, err);
        if (status == BASE_OK) {
            status = scn_track_append(&tracker, err);
        }
    }
    return status;
}
