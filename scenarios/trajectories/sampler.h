/** Samplers: trajectories made for a pair, at prescribed distances or volumes. */
#ifndef SCENARIOS_SAMPLER_H
#define SCENARIOS_SAMPLER_H

#include "scenarios/trajectories/solve.h"
#include "scenarios/trajectories/trajectory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum scn_sampler_kind {
    SCN_SPHERE, /* independent poses at prescribed values, one a frame: B comes straight in from
                   far, from directions all around (Fibonacci sphere, shuffled), in uniformly
                   random orientations, and stops at the first place that has the value */
    SCN_GLIDE,  /* around the body on great circles while turning, with the value re-solved every
                   frame: it swings from lo to hi and back once in the course of the frames */
    SCN_PRESS,  /* there and back on one line: distance from hi to lo, or volume from lo to hi (at
                   lo = 0 from apart, by as much as it will go in); the deepest frame has a target */
    SCN_TUMBLE, /* full turns about z and x at a fixed centre distance, in the middle of those at
                   which the value is lo in the course of the turn; hi is not used */
    SCN_GRID,   /* independent poses anywhere, cavities included, by an octree; distances only */
    SCN_BOXES,  /* two boxes, turned so that their axes agree, at random places of a coarse lattice:
                   faces, edges and corners meet all the time. lo and hi are not used; every frame
                   has its distance and volume known in closed form */
    SCN_RESPONSE,  /* two generated bodies on a prescribed path, with the force of every frame known
                     in closed form (response.h) */
    SCN_INSERTION, /* a peg put into a hole and drawn out, shaken on the way (insertion.h) */
    SCN_APPROACH, /* straight in at constant velocity, once or several times, each time from another
                      direction in another orientation: distance from hi to lo, or volume from lo to
                      hi (at lo = 0 from apart, by as much as it will go in) */
} scn_sampler_kind;

typedef struct scn_sampler {
    scn_sampler_kind kind;
    scn_target target;
    double lo, hi; /* the values asked for, 0 <= lo <= hi; sphere and grid spread them evenly */
    size_t frames; /* how many there will be, each counted once however long it is held */
    uint64_t seed;
    /**
     * Largest motion of a surface point of B between two frames of glide, press and scn_follow, as
     * part of A's longest box edge, 1e-6 to 1; 0: the default, 0.01 (1 mm at 0.1 m). A path that is
     * too fast is slowed down, so it may not come to its end within `frames`.
     */
    double step;
    /**
     * Of sphere, grid, glide and scn_follow: for how many frames B stays at each pose, 1 to
     * SCN_HOLD_MAX; 0: one. What starts from the frame before has its own answer to start from in
     * all of them but the first. Poses are the same for every hold.
     */
    size_t hold;
    /** For approach: number of ways in, 1 to SCN_WAYS_MAX, with frames / ways frames each; 0 means
     * 1. */
    size_t ways;
} scn_sampler;

enum { SCN_HOLD_MAX = 100, SCN_WAYS_MAX = 1000 };

/** How many frames a pose has. */
static inline size_t scn_sampler_hold(const scn_sampler *sampler)
{
    return sampler->hold > 1 ? sampler->hold : 1;
}

/** How many ways an approach has. */
static inline size_t scn_sampler_ways(const scn_sampler *sampler)
{
    return sampler->ways > 1 ? sampler->ways : 1;
}

/**
 * Fills a trajectory, at 1 kHz, each frame as soon as it is found; poses are held in the end. The
 * same sampler, pair and oracle give the same bits.
 *
 * Accuracy of sphere and grid, L the longest edge of A's box: distances within 1e-9 L, volumes
 * within 1e-6 of the smaller body. The way in never passes the first place that has a distance,
 * however the bodies are shaped, nor for a volume the first place that has half of it. Glide, press
 * and scn_follow meet distances as well, and volumes that are re-solved within 1e-3 of the target.
 * Where B would have to jump (over an edge, into a hole) a glide turns off. If it cannot, and in
 * scn_follow, frames are put in that lead there; their `achieved` is off their `target`, and they
 * may overlap.
 *
 * A pose that cannot be solved is drawn anew from the seed's sequence: sphere, glide, press and
 * approach try 20 random lines and for volumes up to 60 more, on which the principal axes of the
 * bodies are ever nearer to each other; grid 20 orientations, tumble and scn_follow 20 directions.
 * Sphere and grid leave a frame out when it has none (the trajectory then has fewer than asked for,
 * numbered without a gap, and the oracle is told).
 *
 * Errors   BASE_ERR_ARGUMENT if the sampler does not fit the pair (volume without solids, boxes
 *          that are none, a response or an insertion of other bodies, lo > hi, a distance above
 *          1000 diagonals, no frames, fewer frames than a press needs for its step, frames that are
 *          not the same number for each way of an approach), or if not one pose can be found; the
 *          oracle's own errors. *trajectory is zeroed then.
 * Cost     queries a frame: distances, sphere about 20, grid 100, glide 4; volumes, sphere about
 *          0.7 / sqrt(value) + 8, glide 3.
 */
base_status scn_sample(const scn_sampler *sampler, const scn_pair *pair, const scn_oracle *oracle,
                       scn_trajectory *trajectory, base_error *err) BASE_MUST_CHECK;

/** Parses and names kinds and targets: "sphere", "glide", ...; "distance", "volume". Errors:
 * BASE_ERR_ARGUMENT; near names are listed. */
base_status scn_sampler_kind_parse(const char *text, scn_sampler_kind *kind,
                                   base_error *err) BASE_MUST_CHECK;
const char *scn_sampler_kind_name(scn_sampler_kind kind);
/** Does the kind look at "target", "lo", "hi", "step", "hold" or "ways"? */
bool scn_sampler_takes(scn_sampler_kind kind, const char *key);

/**
 * Makes a recording into a trajectory for a pair. The recording is resampled to 1 kHz (slerp) and
 * slowed down until no surface point of B moves more than `sampler->step` a frame: frames are put
 * in, never dropped. B has the recorded orientations and turns about its ball centre, which goes
 * the recorded way, in metres, across the radius from A's ball centre, while the radial coordinate
 * is solved anew, so that distance or volume follows the sampler's profile (as in a glide). The
 * seed draws where it starts; sampler->kind is not used. Stops after sampler->frames frames or at
 * the end of the recording.
 *
 * Errors   as scn_sample; BASE_ERR_ARGUMENT for a recording without frames.
 */
base_status scn_follow(const scn_trajectory *recording, const scn_sampler *sampler,
                       const scn_pair *pair, const scn_oracle *oracle, scn_trajectory *trajectory,
                       base_error *err) BASE_MUST_CHECK;

#endif
