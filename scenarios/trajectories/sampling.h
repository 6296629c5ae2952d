/** What one run of a sampler carries, and what all samplers do in the same way. */
#ifndef SCENARIOS_SAMPLING_H
#define SCENARIOS_SAMPLING_H

#include "base/random.h"
#include "scenarios/trajectories/solve.h"

enum {
    SCN_DRAWS_MAX = 20,  /* random poses tried for a frame */
    SCN_DRAWS_MORE = 60, /* then these, ever nearer to where the bodies lie in one another */
};

/** One run of a sampler. */
typedef struct scn_run {
    const scn_sampler *sampler; /* borrowed */
    scn_solver solver;
    base_random random;
    scn_trajectory *trajectory; /* frames are appended as they are found */
    size_t not_monotone;        /* frames whose volume fell somewhere on the way in */
    size_t left_out;            /* frames for which no pose was found */
    int misses;                 /* those in a row up to now */
} scn_run;

/** Checks the sampler against the pair and sets up everything but the trajectory's frames. */
base_status scn_run_start(const scn_sampler *sampler, const scn_pair *pair,
                          const scn_oracle *oracle, scn_trajectory *trajectory, scn_run *run,
                          base_error *err) BASE_MUST_CHECK;
/** Appends the next frame, 1 ms after the last. */
base_status scn_run_append(scn_run *run, geo_quat orientation, vec3 centre, double target,
                           double achieved, base_error *err) BASE_MUST_CHECK;
/** Value number i of frames, spread evenly from lo to hi, in m or m3. */
double scn_run_value(const scn_run *run, size_t i);
/** The turn by an angle about a unit axis. */
geo_quat scn_turn_about(vec3 axis, double angle);
/** A random direction and orientation. */
scn_line scn_run_line(scn_run *run);
/** How many lines are tried for the next pose: fewer while the last frames had none. */
int scn_run_draws(const scn_run *run);
/**
 * Line number `draw` of them, from 0: random, and from SCN_DRAWS_MAX on, where volumes are sought,
 * with B's principal axes along A's but for a turn that shrinks to nothing: thin bodies have most
 * of their volume in one another only when they are nearly parallel.
 */
scn_line scn_run_draw(scn_run *run, int draw);
/** Leaves frame `i` out. */
void scn_run_leave_out(scn_run *run, size_t i, double wanted);
/** Repeats each frame as often as the sampler holds its pose. */
base_status scn_run_hold(scn_run *run, base_error *err) BASE_MUST_CHECK;
/** Writes the trajectory's source: what made it, and from which values. */
void scn_run_describe(scn_run *run, const char *what);
/** The error when `draws` draws gave no pose. */
base_status scn_run_fail(const scn_run *run, double wanted, int draws, base_error *err);
/** The end of frame by frame sampling: the same error when all frames were left out. */
base_status scn_run_finish(const scn_run *run, int draws, base_error *err) BASE_MUST_CHECK;

#endif
