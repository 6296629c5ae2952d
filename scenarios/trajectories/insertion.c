/**
 * A peg that is put into a hole and drawn out again, with clearance all around. It swings on the
 * way, so that it presses on the walls of the hole.
 *
 * The pairs are a bore and a pin, and a channel and a box, as in `proxbench list models`. The fixed
 * body has the dimensions of scenarios/models/scenes.h. The other body may be stretched
 * ("pin:sx=1.045,sy=1.045"), which changes the clearance c between it and the walls.
 *
 * During the frames, the peg's end moves from 2 mm in front of the mouth to its greatest depth
 * (through the bore and 10 mm beyond, or four fifths of the way to the channel's floor), and back.
 * Meanwhile its axis is displaced from the hole's axis by up to 3/4 (c + p), in eight swings, each
 * in another direction. It also leans, so that its ends within the hole are displaced by up to 1/4
 * (c + p) more. p = 0.5 mm is the greatest depth of the peg in the wall, to first order in the
 * angle. In a channel, all displacements are across the channel.
 */
#include "base/elementary.h"
#include "geometry/pose.h"
#include "geometry/vec.h"
#include "scenarios/models/scenes.h"
#include "scenarios/trajectories/sampling.h"

#include <math.h>

/* Largest difference between a mesh and its ideal body: relative for the volume, in diagonals for
 * the box. */
#define MESH_TOLERANCE 0.01
/* The initial distance of the peg from the mouth, and its greatest depth in the wall, in m. */
#define AHEAD 0.002
#define PRESS 0.0005
/* The number of swings of the axis, and of turns of the lean, over all frames. */
#define SWINGS 8
#define LEANS  5
/* The part of the peg's displacement that is caused by the lean. */
#define LEAN_SHARE 0.25
/* The angle between two successive swings, in turns. In a bore no two swings have the same
 * direction. */
#define SWING_TURN 0.38196601125010515
/* The depth of the peg in the hole from which on it swings with full amplitude, in m. */
#define GUIDED 0.008

/** A hole; a peg enters it along -z, from the mouth. */
typedef struct hole {
    bool round;
    geo_box box; /* box of the body around the hole */
    double volume_m3;
    double half_width; /* distance from the axis to the wall */
    double mouth;      /* z coordinate */
    double length;     /* length of the walls */
    double depth;      /* greatest depth of the peg's end */
} hole;

static const hole holes[] = {
    {true,
     {{-SCN_BORE_OUTSIDE, -SCN_BORE_OUTSIDE, -0.5 * SCN_BORE_LENGTH},
      {SCN_BORE_OUTSIDE, SCN_BORE_OUTSIDE, 0.5 * SCN_BORE_LENGTH}},
     BASE_PI *SCN_BORE_LENGTH *(SCN_BORE_OUTSIDE *SCN_BORE_OUTSIDE -
                                SCN_BORE_RADIUS * SCN_BORE_RADIUS),
     SCN_BORE_RADIUS,
     0.5 * SCN_BORE_LENGTH,
     SCN_BORE_LENGTH,
     1.5 * SCN_BORE_LENGTH},
    {false,
     {{-SCN_CHANNEL_X, -SCN_CHANNEL_Y, -SCN_CHANNEL_Z},
      {SCN_CHANNEL_X, SCN_CHANNEL_Y, SCN_CHANNEL_Z}},
     8 * SCN_CHANNEL_X *SCN_CHANNEL_Y *SCN_CHANNEL_Z -
         4 * SCN_CHANNEL_WIDTH *SCN_CHANNEL_Y *(SCN_CHANNEL_Z - SCN_CHANNEL_FLOOR),
     SCN_CHANNEL_WIDTH,
     SCN_CHANNEL_Z,
     SCN_CHANNEL_Z - SCN_CHANNEL_FLOOR,
     0.8 * (SCN_CHANNEL_Z - SCN_CHANNEL_FLOOR)},
};

/** A path of a peg in a hole. */
typedef struct insertion {
    const hole *hole;
    double half_height; /* half height of the peg */
    double clearance;
    double swing_turn, lean_turn; /* directions of the first swing and lean, in turns */
} insertion;

static bool is_hole(const hole *h, const scn_pair *pair)
{
    const double slack = MESH_TOLERANCE * geo_box_diagonal(h->box);
    return vec3_distance(h->box.lo, pair->box_a.lo) <= slack &&
           vec3_distance(h->box.hi, pair->box_a.hi) <= slack &&
           fabs(pair->volume_a_m3 - h->volume_m3) <= MESH_TOLERANCE * h->volume_m3;
}

/** True if B is centred at the origin and is a cylinder along z (for a round hole) or a box. */
static bool is_peg(const hole *h, const scn_pair *pair)
{
    const vec3 half = pair->box_b.hi;
    const double slack = MESH_TOLERANCE * vec3_norm(half);
    const double area = h->round ? BASE_PI * half.x * half.y : 4 * half.x * half.y;
    const double volume_m3 = area * 2 * half.z;
    return vec3_norm(vec3_add(half, pair->box_b.lo)) <= slack &&
           (!h->round || fabs(half.x - half.y) <= slack) &&
           fabs(pair->volume_b_m3 - volume_m3) <= MESH_TOLERANCE * volume_m3;
}

static const hole *find_hole(const scn_pair *pair)
{
    for (size_t i = 0; i < sizeof holes / sizeof *holes; i++) {
        if (is_hole(&holes[i], pair) && is_peg(&holes[i], pair)) {
            return &holes[i];
        }
    }
    return NULL;
}

/** Returns a vector across the hole, at an angle in turns about its axis; in a channel, only its
 * component across the channel. */
static vec3 across(const hole *h, double turns)
{
    const double angle = 2 * BASE_PI * (turns - floor(turns));
    return vec3_make(base_cos(angle), h->round ? base_sin(angle) : 0, 0);
}

/** Returns 0 below 0, 1 above 1, and a smooth transition between. */
static double rising(double x)
{
    return 0.5 * (1 - base_cos(BASE_PI * fmin(1, fmax(0, x))));
}

/**
 * Sets the peg's pose at a share of the path. Displacements are measured at the middle and at the
 * ends of the part within the hole. The middle of that part does not move when the peg leans.
 */
static void place_peg(const insertion *p, double share, scn_frame *frame)
{
    const hole *const h = p->hole;
    const double inserted = (AHEAD + h->depth) * 0.5 * (1 - base_cos(2 * BASE_PI * share)) - AHEAD;
    const double guided = rising(inserted / GUIDED), off = (p->clearance + PRESS) * guided;
    const double within = fmin(fmax(inserted, GUIDED), h->length);
    const double swings = SWINGS * share, swing = floor(swings);
    const double swung = 0.5 * (1 - base_cos(2 * BASE_PI * (swings - swing)));
    const vec3 side = vec3_normalize(across(h, p->swing_turn + SWING_TURN * swing));
    const vec3 lean = across(h, p->lean_turn + LEANS * share);
    /* The peg's upper end moves to the side of the lean. */
    const double angle = base_atan2(LEAN_SHARE * off * vec3_norm(lean), 0.5 * within);
    const vec3 axis = vec3_cross(vec3_make(0, 0, 1), vec3_normalize(lean));
    const double middle = h->mouth - 0.5 * within, end = h->mouth - inserted;
    const vec3 pivot = vec3_madd(vec3_make(0, 0, middle), (1 - LEAN_SHARE) * off * swung, side);
    const vec3 up = {0, 0, end + p->half_height - middle};
    frame->orientation = scn_turn_about(axis, angle);
    const geo_pose turn = geo_pose_make(frame->orientation, vec3_make(0, 0, 0));
    frame->position = vec3_add(pivot, geo_pose_apply(&turn, up));
}

base_status scn_sample_insertion(scn_run *run, base_error *err)
{
    const scn_pair *const pair = run->solver.pair;
    const hole *const h = find_hole(pair);
    if (!h) {
        return base_fail(
            err, BASE_ERR_ARGUMENT,
            "sampler 'insertion' needs a hole and a peg, and meshes within 1 %% of their "
            "volumes: bore and pin, or channel and box, of which the second one may "
            "be stretched");
    }
    insertion path = {
        .hole = h, .half_height = pair->box_b.hi.z, .clearance = h->half_width - pair->box_b.hi.x};
    if (!(path.clearance > 0)) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "sampler 'insertion': the peg is %g m wider than the hole",
                         -2 * path.clearance);
    }
    path.swing_turn = base_random_range(&run->random, 0, 1);
    path.lean_turn = base_random_range(&run->random, 0, 1);
    const size_t last = run->sampler->frames - 1;
    base_status status = BASE_OK;
    for (size_t i = 0; i <= last && status == BASE_OK; i++) {
        scn_frame frame = {.t_s = 0.001 * (double)i, .target = NAN, .achieved = NAN};
        place_peg(&path, last > 0 ? (double)i / (double)last : 0, &frame);
        status = scn_trajectory_append(run->trajectory, &frame, err);
    }
    return status;
}
