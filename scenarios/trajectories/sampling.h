/** What one run of a sampler carries, and what all samplers do in the same way. */
#ifndef SCENARIOS_SAMPLING_H
#define SCENARIOS_SAMPLING_H

#include "base/random.h"
#include "scenarios/trajectories/sampler.h"

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

/* --- Following a path ------------------------------------------------------------------------- */

/** A moment of a path. */
typedef struct scn_spot {
    scn_line line;
    double s;
    double wanted; /* m or m3 */
} scn_spot;

/**
 * A path that is followed with s solved anew each frame, never faster than the step allows. Where
 * s would have to jump, or there is no place with the value (B stands before a hole), the path
 * turns off if it can. If not, it waits while B goes there in frames of its own, with `achieved`
 * off `target`; or B goes on with s as the path has it.
 */
typedef struct scn_tracker {
    scn_run *run;
    scn_spot spot; /* where B is */
    double value;  /* there */
    double slope_m2;
    double goal;  /* where s has to go; settled: it is there */
    double phase; /* of the profile, 0 to 1 in one swing */
    bool settled;
} scn_tracker;

/** The path. share is a part of one frame's advance, in (0, 1]. */
typedef struct scn_mover {
    void *context;
    /** Where that leads, but for `wanted`; s is where the search begins. */
    void (*place)(const void *context, const scn_tracker *tracker, double share, scn_spot *spot);
    void (*commit)(void *context, const scn_tracker *tracker, double share);
    /** Another way to go from where B is; NULL: there is none. */
    void (*turn)(void *context, const scn_tracker *tracker);
} scn_mover;

/** Starts at a line that has a root for the profile's first value; not found is no error. */
base_status scn_track_start(scn_run *run, const scn_line *line, scn_tracker *tracker, bool *found,
                            base_error *err) BASE_MUST_CHECK;
/** Appends the frame where the tracker is. */
base_status scn_track_append(scn_tracker *tracker, base_error *err) BASE_MUST_CHECK;
/** Goes on by one frame. */
base_status scn_track_step(scn_tracker *tracker, const scn_mover *mover,
                           base_error *err) BASE_MUST_CHECK;

/** Upper bound of the path of a surface point of B that turns from orientation a to b about the
 * ball centre: 2 r_b sin(angle / 2) rounded up a little. */
double scn_turn_motion(const scn_pair *pair, geo_quat a, geo_quat b);

/* --- Samplers with a file of their own -------------------------------------------------------- */

/**
 * Appends the frames. The seed draws the directions of the first swing and of the first lean.
 * Nothing is asked of the oracle, and no target is set.
 *
 * Errors   BASE_ERR_ARGUMENT for other bodies, for meshes too coarse for their volumes to be known
 *          as theirs within 1 %, and where the peg has no clearance.
 */
base_status scn_sample_insertion(scn_run *run, base_error *err) BASE_MUST_CHECK;

/** Appends the frames of the scene that the run's pair belongs to, from the pair's boxes and
 * volumes. Errors: BASE_ERR_ARGUMENT for a pair of none, also when a mesh is too coarse. */
base_status scn_sample_response(scn_run *run, base_error *err) BASE_MUST_CHECK;

#endif
