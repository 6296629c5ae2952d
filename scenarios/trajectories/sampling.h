/**
 * What the samplers share: poses on a line, the searches along it, and what a run of a sampler
 * carries. Private to trajectories/.
 *
 * Notation (all in A's frame): c_a, c_b the ball centres, u a unit vector, s metres along it. B
 * stands at (u, q, s) when its orientation is q and its ball centre R c_b + t is c_a + s u. L is
 * the longest edge of A's box. Distance is 1-Lipschitz in B's position, and volume changes by at
 * most half the smaller surface area a metre (the flux of u through the part of one surface that is
 * inside the other body): all steps below rest on these two bounds.
 */
#ifndef SCENARIOS_TRAJECTORIES_SAMPLING_H
#define SCENARIOS_TRAJECTORIES_SAMPLING_H

#include "base/random.h"
#include "geometry/pose.h"
#include "scenarios/scenarios.h"

enum { SCN_DRAWS_MAX = 20 }; /* poses tried for a frame */

/** All poses with one direction and one orientation; s tells them apart. */
typedef struct scn_line {
    vec3 direction; /* unit; from A's ball centre */
    geo_quat orientation;
} scn_line;

typedef struct scn_solver {
    const scn_pair *pair;     /* borrowed */
    const scn_oracle *oracle; /* borrowed */
    scn_target target;
    double scale;           /* unit of lo and hi: diagonal of A's box, or the smaller volume */
    double size_m;          /* L */
    double slack_m;         /* tau, the tolerance of a distance: 1e-9 L */
    double volume_slack_m3; /* the tolerance of a volume: 1e-6 of the smaller body */
    double flux_m2;         /* bound of |dV/ds|: half the smaller area */
    double step_m;          /* largest motion of a surface point a frame */
} scn_solver;

/** Result of a search along a line. */
typedef struct scn_root {
    bool found;
    bool monotone; /* the volume never fell on the way in */
    double s, value;
    double slope_m2; /* volume: -dV/ds near the root; 0: not known */
} scn_root;

/** One run of a sampler. */
typedef struct scn_run {
    const scn_sampler *sampler; /* borrowed */
    scn_solver solver;
    base_random random;
    scn_trajectory *trajectory; /* frames are appended as they are found */
    size_t not_monotone;        /* frames whose volume fell somewhere on the way in */
} scn_run;

/* --- solve.c ---------------------------------------------------------------------------------- */

/** Translation of B's frame that puts its ball centre at `centre`. */
vec3 scn_translation(const scn_pair *pair, geo_quat orientation, vec3 centre);
/** Ball centre of B at (line, s). */
vec3 scn_centre(const scn_pair *pair, const scn_line *line, double s);

/** Oracle's answers with B's ball centre at `centre`. */
base_status scn_distance_at(const scn_solver *solver, geo_quat orientation, vec3 centre,
                            double *distance_m, base_error *err) BASE_MUST_CHECK;
/** The target's quantity at (line, s). */
base_status scn_value_at(const scn_solver *solver, const scn_line *line, double s, double *value,
                         base_error *err) BASE_MUST_CHECK;

/** The first place on the way in from far where the distance is d; not found: B passes A. */
base_status scn_first_distance(const scn_solver *solver, const scn_line *line, double d,
                               scn_root *root, base_error *err) BASE_MUST_CHECK;
/** The first place where the target's quantity has the value `wanted` (m or m3). */
base_status scn_first(const scn_solver *solver, const scn_line *line, double wanted, scn_root *root,
                      base_error *err) BASE_MUST_CHECK;
/**
 * A place with that value near s, in few calls; slope_m2 as of the root before, or 0. Distances are
 * met within slack_m, with bodies that do not overlap; volumes within 1e-3 of the value.
 */
base_status scn_near(const scn_solver *solver, const scn_line *line, double wanted, double s,
                     double slope_m2, scn_root *root, base_error *err) BASE_MUST_CHECK;

/* --- motion.c --------------------------------------------------------------------------------- */

/** Shortest arc from a (share 0) to b (share 1), at constant speed. */
geo_quat scn_slerp(geo_quat a, geo_quat b, double share);
/** The same for directions: along the great circle. */
vec3 scn_slerp_direction(vec3 a, vec3 b, double share);
double scn_direction_angle(vec3 a, vec3 b);
/** Upper bound of the path of a surface point of B that turns from orientation a to b about the
 * ball centre: 2 r_b sin(angle / 2) rounded up a little. */
double scn_turn_motion(const scn_pair *pair, geo_quat a, geo_quat b);

/* --- sampler.c -------------------------------------------------------------------------------- */

/** Checks the sampler against the pair and sets up everything but the trajectory's frames. */
base_status scn_run_start(const scn_sampler *sampler, const scn_pair *pair,
                          const scn_oracle *oracle, scn_trajectory *trajectory, scn_run *run,
                          base_error *err) BASE_MUST_CHECK;
/** Appends the next frame, 1 ms after the last. */
base_status scn_run_append(scn_run *run, geo_quat orientation, vec3 centre, double target,
                           double achieved, base_error *err) BASE_MUST_CHECK;
/** Value number i of frames, spread evenly from lo to hi, in m or m3. */
double scn_run_value(const scn_run *run, size_t i);
/** A random direction and orientation. */
scn_line scn_run_line(scn_run *run);
/** Writes the trajectory's source: what made it, and from which values. */
void scn_run_describe(scn_run *run, const char *what);
/** The error when SCN_DRAWS_MAX draws gave no pose. */
base_status scn_run_fail(const scn_run *run, double wanted, base_error *err);

/* --- track.c ---------------------------------------------------------------------------------- */

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

/* --- sample_*.c: append sampler->frames frames ------------------------------------------------ */

base_status scn_sample_sphere(scn_run *run, base_error *err) BASE_MUST_CHECK;
base_status scn_sample_grid(scn_run *run, base_error *err) BASE_MUST_CHECK;
base_status scn_sample_glide(scn_run *run, base_error *err) BASE_MUST_CHECK;
base_status scn_sample_press(scn_run *run, base_error *err) BASE_MUST_CHECK;
base_status scn_sample_tumble(scn_run *run, base_error *err) BASE_MUST_CHECK;
base_status scn_sample_boxes(scn_run *run, base_error *err) BASE_MUST_CHECK;

#endif
