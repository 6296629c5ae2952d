/** Shared by all samplers: poses on a line, the state of a run, and paths that are followed. */
#ifndef SCENARIOS_SAMPLING_H
#define SCENARIOS_SAMPLING_H

#include "base/random.h"
#include "scenarios/trajectories/sampler.h"

/* --- Poses on a line -------------------------------------------------------------------------- */

/*
 * The positions on a line that have a distance or a volume.
 *
 * Notation (all in A's frame): c_a, c_b the ball centres, u a unit vector, s metres along it. B is
 * at (u, q, s) if its orientation is q and its ball centre R c_b + t is c_a + s u. L is the longest
 * edge of A's box. The distance is 1-Lipschitz in B's position. The volume changes by at most half
 * the smaller surface area per metre (the flux of u through the part of one surface that is inside
 * the other body). The searches below use these two bounds.
 */

/** All poses with one direction and one orientation. The parameter is s. */
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
    double step_m;          /* largest motion of a surface point per frame */
} scn_solver;

/** Result of a search along a line. */
typedef struct scn_root {
    bool found;
    bool monotone; /* the volume never decreased on the way in */
    double s, value;
    double slope_m2; /* volume: -dV/ds near the root; 0 if unknown */
} scn_root;

/** Returns the ball centre of B at (line, s). */
vec3 scn_centre(const scn_pair *pair, const scn_line *line, double s);

/** Returns the oracle's distance with B's ball centre at `centre`. */
base_status scn_distance_at(const scn_solver *solver, geo_quat orientation, vec3 centre,
                            double *distance_m, base_error *err) BASE_MUST_CHECK;
/** Returns the target's quantity at (line, s). */
base_status scn_value_at(const scn_solver *solver, const scn_line *line, double s, double *value,
                         base_error *err) BASE_MUST_CHECK;

/** Finds the first position on the way in at which the target's quantity has the value `wanted` (m
 * or m3). */
base_status scn_first(const scn_solver *solver, const scn_line *line, double wanted, scn_root *root,
                      base_error *err) BASE_MUST_CHECK;
/**
 * Finds a position with that value near s, in few calls. slope_m2: of the previous root, or 0.
 * Distances are reached within slack_m, with bodies that do not overlap; volumes within 1e-3 of the
 * value.
 */
base_status scn_near(const scn_solver *solver, const scn_line *line, double wanted, double s,
                     double slope_m2, scn_root *root, base_error *err) BASE_MUST_CHECK;

/* --- Runs of samplers ------------------------------------------------------------------------- */

/* Time between two frames. */
#define SCN_FRAME_S 0.001

enum {
    SCN_DRAWS_MAX = 20,  /* random poses tried for a frame */
    SCN_DRAWS_MORE = 60, /* more after these; for volumes, with more and more parallel axes */
};

/** One run of a sampler. */
typedef struct scn_run {
    const scn_sampler *sampler; /* borrowed */
    scn_solver solver;
    size_t frames; /* that of the sampler, or the number that a press has chosen */
    base_random random;
    scn_trajectory *trajectory; /* receives each frame as soon as it is found */
    size_t not_monotone;        /* frames whose volume decreased somewhere on the way in */
    size_t left_out;            /* frames for which no pose was found */
    int misses;                 /* the current number of consecutive frames without a pose */
} scn_run;

/** Checks the sampler against the pair and initialises everything but the trajectory's frames. */
base_status scn_run_start(const scn_sampler *sampler, const scn_pair *pair,
                          const scn_oracle *oracle, scn_trajectory *trajectory, scn_run *run,
                          base_error *err) BASE_MUST_CHECK;
/** Appends the next frame, 1 ms after the last. */
base_status scn_run_append(scn_run *run, geo_quat orientation, vec3 centre, double target,
                           double achieved, base_error *err) BASE_MUST_CHECK;
/** Returns the rotation by an angle about a unit axis. */
geo_quat scn_turn_about(vec3 axis, double angle);
/** Returns a random direction and orientation. */
scn_line scn_run_line(scn_run *run);
/** Returns the number of lines to try for the next pose. It is smaller if the last frames had no
 * pose. */
int scn_run_draws(const scn_run *run);
/**
 * Returns line number `draw`, from 0. Lines are random. From SCN_DRAWS_MAX on, for volumes, B's
 * principal axes are parallel to A's except for a rotation whose angle shrinks: thin bodies can
 * have most of their volume in common only if they are nearly parallel.
 */
scn_line scn_run_draw(scn_run *run, int draw);
/** Leaves frame `i` out. */
void scn_run_leave_out(scn_run *run, size_t i, double wanted);

/* --- Lattice ---------------------------------------------------------------------------------- */

/* Steps of 15 degrees: 24 longitudes at 11 latitudes and two poles, and Euler angles about z, y and
 * z. Orientations with an angle of 0 or 180 degrees about y occur 24 times. */
enum {
    SCN_LATTICE_DIRECTIONS = 24 * 11 + 2,
    SCN_LATTICE_ORIENTATIONS = 24 * 13 * 24,
    SCN_LATTICE_POSES = SCN_LATTICE_DIRECTIONS * SCN_LATTICE_ORIENTATIONS,
};

/** Returns a line of the lattice. index < SCN_LATTICE_POSES. */
scn_line scn_lattice_line(size_t index);

/* --- Following a path ------------------------------------------------------------------------- */

/** A state of a path. */
typedef struct scn_waypoint {
    scn_line line;
    double s;
    double wanted; /* target value, m or m3 */
} scn_waypoint;

/**
 * Follows a path on which s is solved again each frame, never faster than the step allows. If s
 * would have to jump, or if no position has the value (B is in front of a hole), the path changes
 * its direction if it can. If it cannot, it waits while B moves in additional frames, with
 * `achieved` different from `target`. B moves to the position that has the value or, if there is
 * none, to the s of the path.
 */
typedef struct scn_tracker {
    scn_run *run;
    scn_waypoint waypoint; /* current state of B */
    double value;          /* value there */
    double slope_m2;
    double goal;  /* the s to move to; settled: B is there */
    double phase; /* phase of the profile; 0 to 1 is one period */
    bool settled;
} scn_tracker;

/** The path. share is a part of one frame's advance, in (0, 1]. */
typedef struct scn_mover {
    void *context;
    /** Sets waypoint to the state after that advance, except for `wanted`; s is the start of the
     * search. */
    void (*place)(const void *context, const scn_tracker *tracker, double share,
                  scn_waypoint *waypoint);
    void (*commit)(void *context, const scn_tracker *tracker, double share);
    /** Chooses another direction of the path at B's position; NULL if there is none. */
    void (*turn)(void *context, const scn_tracker *tracker);
} scn_mover;

/** Starts on a line that has a root for the profile's first value. A missing root is not an
 * error. */
base_status scn_track_start(scn_run *run, const scn_line *line, scn_tracker *tracker, bool *found,
                            base_error *err) BASE_MUST_CHECK;
/** Appends a frame with the tracker's state. */
base_status scn_track_append(scn_tracker *tracker, base_error *err) BASE_MUST_CHECK;
/** Advances by one frame. */
base_status scn_track_step(scn_tracker *tracker, const scn_mover *mover,
                           base_error *err) BASE_MUST_CHECK;

/** Returns an upper bound of the motion of a surface point of B if B turns from orientation a to b
 * about the ball centre: 4 r_b sin(angle / 4). This is at least the chord 2 r_b sin(angle / 2). */
double scn_turn_motion(const scn_pair *pair, geo_quat a, geo_quat b);

/* --- Samplers of ideal bodies (ideal.c) ------------------------------------------------------- */

/**
 * Appends the frames. The seed determines the directions of the first swing and of the first lean.
 * The oracle is not called, and no target is set.
 *
 * Errors   BASE_ERR_ARGUMENT for other bodies, for meshes whose volumes differ by more than 1 %
 *          from those of the ideal bodies, and for a peg without clearance.
 */
base_status scn_sample_insertion(scn_run *run, base_error *err) BASE_MUST_CHECK;

/** Appends the frames of the scene of the run's pair, which is recognised by its boxes and volumes.
 * Errors: BASE_ERR_ARGUMENT for a pair of no scene, also if a mesh is too coarse. */
base_status scn_sample_response(scn_run *run, base_error *err) BASE_MUST_CHECK;

#endif
