/** Following a path with s solved anew each frame, within the step. */
#ifndef SCENARIOS_TRACK_H
#define SCENARIOS_TRACK_H

#include "scenarios/trajectories/sampling.h"

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

#endif
