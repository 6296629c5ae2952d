/** Samplers: trajectories generated for a pair, at prescribed distances or volumes. */
#ifndef SCENARIOS_SAMPLER_H
#define SCENARIOS_SAMPLER_H

#include "geometry/mesh.h"
#include "scenarios/trajectories/trajectory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Exact answers about the pair, provided by the suite. Poses map B's frame into A's frame. They are
 * made by geo_pose_make from exactly the numbers that are stored in the trajectory. An error ends
 * the sampler.
 */
typedef struct scn_oracle {
    void *context;
    /** Distance of the solids; 0 if they overlap. */
    base_status (*distance)(void *context, const geo_pose *pose, double *distance_m,
                            base_error *err);
    /** NULL if the pair has no volume truth. */
    base_status (*volume)(void *context, const geo_pose *pose, double *volume_m3, base_error *err);
    /** Called for each frame that is left out because no pose with its value (m or m3) was found.
     * frame: its index among the requested frames. May be NULL. */
    void (*left_out)(void *context, size_t frame, double wanted);
} scn_oracle;

/** Properties of the two bodies that the samplers use, each in the body's own frame. */
typedef struct scn_pair {
    geo_box box_a, box_b;
    geo_ball ball_a, ball_b; /* smallest balls around the vertices of all faces */
    double area_a_m2, area_b_m2;
    double volume_a_m3, volume_b_m3; /* 0: not a solid */
    /** Rotations from the frame of a surface's principal axes, the longest extent first, to the
     * body's frame. */
    geo_quat axes_a, axes_b;
} scn_pair;

/** Returns balls, boxes, measures and axes of a mesh pair. solid_a, solid_b: the mesh has a
 * volume. */
scn_pair scn_pair_make(const geo_mesh *a, bool solid_a, const geo_mesh *b, bool solid_b);

typedef enum scn_target {
    SCN_TARGET_DISTANCE, /* lo, hi in multiples of the diagonal of A's box */
    SCN_TARGET_VOLUME,   /* lo, hi in multiples of the smaller body's volume */
} scn_target;

/** Parse and name targets: "distance", "volume". Errors: BASE_ERR_ARGUMENT; similar names are
 * listed. */
base_status scn_target_parse(const char *text, scn_target *target, base_error *err) BASE_MUST_CHECK;
const char *scn_target_name(scn_target target);

/* --- Samplers --------------------------------------------------------------------------------- */

typedef enum scn_sampler_kind {
    SCN_SPHERE,   /* independent poses at prescribed values, one per frame: B approaches on a
                     straight line from far away, from directions all around (Fibonacci sphere,
                     shuffled), in uniformly random orientations, and stops at the first position
                     that has the value */
    SCN_GLIDE,    /* around the body on great circles while turning. The value is solved again every
                     frame; it changes from lo to hi and back once over all frames */
    SCN_PRESS,    /* there and back on one line: distance from hi to lo, or volume from lo to hi.
                     With lo = 0 a volume starts with the bodies apart by as much as B will go in.
                     Only the deepest frame has a target */
    SCN_TUMBLE,   /* full turns about z and x at a fixed distance of the centres. This is the middle
                     between the smallest and the largest distance at which the bodies have the
                     value lo during the turn; hi is not used */
    SCN_GRID,     /* independent poses anywhere, including cavities, by an octree; distances only */
    SCN_BOXES,    /* two boxes with aligned axes at random positions of a coarse lattice: faces,
                     edges and corners often touch. lo and hi are not used; the distance and volume
                     of every frame are known in closed form */
    SCN_RESPONSE, /* two generated bodies on a prescribed path; the force of every frame is known in
                     closed form (ideal.c) */
    SCN_INSERTION, /* a peg is put into a hole and drawn out, with a swinging motion
                      (ideal.c) */
    SCN_APPROACH,  /* a straight approach at constant velocity, once or several times, each time
                      from another direction and in another orientation: distance from hi to lo, or
                      volume from lo to hi (as for press with lo = 0) */
    SCN_LATTICE,   /* as sphere, but direction and orientation are multiples of 15 degrees: the
                      frames are drawn from a lattice of SCN_LATTICE_POSES lines */
} scn_sampler_kind;

typedef struct scn_sampler {
    scn_sampler_kind kind;
    scn_target target;
    double lo, hi; /* range, 0 <= lo <= hi; sphere, lattice and grid distribute values evenly */
    /** Number of frames; a held pose counts once. 0, for press only: as many as the step needs, and at
     * least SCN_PRESS_FRAMES. */
    size_t frames;
    uint64_t seed;
    /**
     * Largest motion of a surface point of B between two frames of glide, press and scn_follow, as
     * a share of A's longest box edge, 1e-6 to 1; 0: the default, 0.01 (1 mm at 0.1 m). Glide and
     * scn_follow slow a path down if it is too fast, so it may not reach its end within `frames`. A
     * press that is too fast is an error.
     */
    double step;
    /**
     * For sphere, lattice, grid, glide and scn_follow: number of frames for which B stays at each
     * pose, 1 to SCN_HOLD_MAX; 0: one. In all frames of a pose but the first, a method that starts
     * from the previous frame starts from its own answer. The poses are the same for every hold.
     */
    size_t hold;
    /** For approach: number of ways in, 1 to SCN_WAYS_MAX, with frames / ways frames each; 0 means
     * 1. */
    size_t ways;
} scn_sampler;

enum { SCN_HOLD_MAX = 100, SCN_WAYS_MAX = 1000, SCN_PRESS_FRAMES = 100 };

/** Returns the number of frames of a pose. */
static inline size_t scn_sampler_hold(const scn_sampler *sampler)
{
    return sampler->hold > 1 ? sampler->hold : 1;
}

/** Returns the number of ways of an approach. */
static inline size_t scn_sampler_ways(const scn_sampler *sampler)
{
    return sampler->ways > 1 ? sampler->ways : 1;
}

/**
 * Fills a trajectory at 1 kHz, each frame as soon as it is found. Poses are repeated at the end
 * (hold). The same sampler, pair and oracle give the same bits.
 *
 * Accuracy of sphere, lattice and grid, with L the longest edge of A's box: distances within 1e-9 L,
 * volumes within 1e-6 of the smaller body. Whatever the shape of the bodies, a search for a distance never
 * passes the first position that has it, and a search for a volume never passes the first position
 * that has half of it. Glide, press and scn_follow reach distances with the same accuracy, and
 * volumes that are solved again within 1e-3 of the target. Where B would have to jump (over an
 * edge, into a hole), a glide changes its direction. If it cannot, and in scn_follow, additional
 * frames lead to the new position; their `achieved` differs from their `target`, and the bodies may
 * overlap in them.
 *
 * A pose that cannot be solved is drawn again from the seed's sequence. Sphere, glide, press and
 * approach try 20 random lines, and then up to 60 more: after several frames without a pose fewer,
 * at least 4. For distances these are random, too. For volumes, the principal axes of the bodies
 * become more and more parallel on them. Grid tries 20 orientations, tumble and scn_follow 20
 * directions. Lattice tries the line of the frame only. Sphere, lattice and grid leave out a frame
 * without a pose. The trajectory then has fewer frames than requested, numbered without a gap, and
 * the oracle's left_out is called.
 *
 * Errors   BASE_ERR_ARGUMENT if the sampler does not fit the pair (volume without solids, boxes
 *          that are no boxes, a response or an insertion of other bodies, lo > hi, a distance above
 *          1000 diagonals, no frames, fewer frames than a press needs for its step, a number of
 *          frames that is not a multiple of the ways of an approach), or if not a single pose can
 *          be found; the oracle's own errors; BASE_ERR_MEMORY. *trajectory is zeroed then.
 * Cost     queries per frame: for distances, sphere about 20, grid 100, glide 4; for volumes,
 *          sphere about 0.7 / sqrt(value) + 8, glide 3.
 */
base_status scn_sample(const scn_sampler *sampler, const scn_pair *pair, const scn_oracle *oracle,
                       scn_trajectory *trajectory, base_error *err) BASE_MUST_CHECK;

/** Parse and name kinds: "sphere", "glide", ... Errors: BASE_ERR_ARGUMENT; similar names are
 * listed. */
base_status scn_sampler_kind_parse(const char *text, scn_sampler_kind *kind,
                                   base_error *err) BASE_MUST_CHECK;
const char *scn_sampler_kind_name(scn_sampler_kind kind);
/** True if the kind uses the key "target", "lo", "hi", "step", "hold" or "ways". */
bool scn_sampler_takes(scn_sampler_kind kind, const char *key);

/**
 * Turns a recording into a trajectory for a pair. The recording is resampled to 1 kHz (slerp) and
 * slowed down until no surface point of B moves more than `sampler->step` per frame: frames are
 * inserted, never dropped. B has the recorded orientations and turns about its ball centre. Across
 * the radius from A's ball centre, the ball centre moves by the same vectors, in metres, as the
 * recorded position. The radial coordinate is solved again, so that the distance or volume follows
 * the sampler's profile (as in a glide). The seed determines the start; sampler->kind is not used.
 * Stops after sampler->frames frames or at the end of the recording.
 *
 * Errors   as scn_sample; BASE_ERR_ARGUMENT for a recording without frames.
 */
base_status scn_follow(const scn_trajectory *recording, const scn_sampler *sampler,
                       const scn_pair *pair, const scn_oracle *oracle, scn_trajectory *trajectory,
                       base_error *err) BASE_MUST_CHECK;

#endif
