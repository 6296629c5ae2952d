#include "geometry/pose.h"
#include "geometry/vec.h"
#include "scenarios/trajectories/sampling.h"

#include <math.h>
#include <stdio.h>

#define TICK_S 0.001

typedef struct follower {
    const scn_trajectory *recording;
    size_t at;     /* index of the frame at or before t_s */
    double t_s;    /* current time on the recording's clock */
    double tick_s; /* the next whole millisecond, or the end */
    size_t ticks;
} follower;

static scn_frame recorded(const follower *f, double t_s)
{
    size_t at = f->at;
    return scn_trajectory_at(f->recording, t_s, &at);
}

static double time_after(const follower *f, double share)
{
    return share < 1 ? f->t_s + share * (f->tick_s - f->t_s) : f->tick_s;
}

/**
 * Moves B's ball centre by the recorded motion. Across the radius the result is final; along the
 * radius it is the start of the search.
 */
static void follow_place(const void *context, const scn_tracker *tracker, double share,
                         scn_spot *spot)
{
    const follower *const f = context;
    const scn_frame from = recorded(f, f->t_s), to = recorded(f, time_after(f, share));
    const vec3 now = vec3_scale(tracker->spot.s, tracker->spot.line.direction);
    const vec3 moved = vec3_add(now, vec3_sub(to.position, from.position));
    const vec3 direction = vec3_normalize(moved);
    const bool centred = !(vec3_norm2(direction) > 0);
    spot->line.direction = centred ? tracker->spot.line.direction : direction;
    spot->line.orientation = to.orientation;
    spot->s = vec3_norm(moved);
}

static void follow_commit(void *context, const scn_tracker *tracker, double share)
{
    (void)tracker;
    follower *const f = context;
    const scn_trajectory *const r = f->recording;
    const double end = r->frames[r->frame_count - 1].t_s;
    f->t_s = time_after(f, share);
    while (f->at + 2 < r->frame_count && r->frames[f->at + 1].t_s <= f->t_s) {
        f->at++;
    }
    if (f->t_s >= f->tick_s) {
        f->ticks++;
        f->tick_s = fmin(end, r->frames[0].t_s + TICK_S * (double)f->ticks);
    }
}

static bool at_end(const follower *f)
{
    return f->t_s >= f->recording->frames[f->recording->frame_count - 1].t_s;
}

/** Starts with the recorded orientation, in a direction in which the target can be reached. */
static base_status start(scn_run *run, const scn_trajectory *recording, scn_tracker *tracker,
                         base_error *err)
{
    scn_line line = {.orientation = recording->frames[0].orientation};
    bool found = false;
    for (int draw = 0; draw < SCN_DRAWS_MAX && !found; draw++) {
        line.direction = geo_random_direction(&run->random);
        const base_status status = scn_track_start(run, &line, tracker, &found, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    return found ? BASE_OK
                 : scn_run_fail(run, run->solver.scale * run->sampler->lo, SCN_DRAWS_MAX, err);
}

static base_status check_recording(const scn_trajectory *recording, base_error *err)
{
    if (recording->frame_count == 0) {
        return base_fail(err, BASE_ERR_ARGUMENT, "a recording needs at least one frame");
    }
    for (size_t i = 1; i < recording->frame_count; i++) {
        if (!(recording->frames[i].t_s > recording->frames[i - 1].t_s)) {
            return base_fail(err, BASE_ERR_ARGUMENT,
                             "the recording's time does not increase at frame %zu", i);
        }
    }
    return BASE_OK;
}

static base_status follow(scn_run *run, const scn_trajectory *recording, base_error *err)
{
    scn_tracker tracker;
    base_status status = start(run, recording, &tracker, err);
    if (status != BASE_OK) {
        return status;
    }
    follower f = {.recording = recording, .t_s = recording->frames[0].t_s};
    f.tick_s = f.t_s;
    follow_commit(&f, &tracker, 1);
    const scn_mover mover = {&f, follow_place, follow_commit, NULL};
    status = scn_track_append(&tracker, err);
    while (status == BASE_OK && run->trajectory->frame_count < run->sampler->frames &&
           !(at_end(&f) && tracker.settled)) {
        status = scn_track_step(&tracker, &mover, err);
        if (status == BASE_OK) {
            status = scn_track_append(&tracker, err);
        }
    }
    return status;
}

base_status scn_follow(const scn_trajectory *recording, const scn_sampler *sampler,
                       const scn_pair *pair, const scn_oracle *oracle, scn_trajectory *trajectory,
                       base_error *err)
{
    *trajectory = (scn_trajectory){0};
    scn_run run;
    base_status status = check_recording(recording, err);
    if (status == BASE_OK) {
        status = scn_run_start(sampler, pair, oracle, trajectory, &run, err);
    }
    if (status == BASE_OK) {
        status = follow(&run, recording, err);
    }
    if (status == BASE_OK) {
        status = scn_run_hold(&run, err);
    }
    if (status != BASE_OK) {
        scn_trajectory_release(trajectory);
        return status;
    }
    char name[160];
    snprintf(name, sizeof name, "%.140s%sfollow", recording->source,
             recording->source[0] ? "; " : "");
    scn_run_describe(&run, name);
    return BASE_OK;
}
