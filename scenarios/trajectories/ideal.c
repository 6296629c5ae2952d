/** Samplers for pairs of generated bodies, which are treated as the ideal bodies that their meshes
 * approximate: an insertion, and scenes with a known force. */
#include "base/elementary.h"
#include "geometry/vec.h"
#include "geometry/pose.h"
#include "scenarios/models/generators.h"
#include "scenarios/trajectories/sampling.h"

#include <math.h>

/* --- Ideal bodies ----------------------------------------------------------------------------- */

/* Largest difference between a mesh and its ideal body: relative for the volume, in diagonals for
 * the box. */
#define MESH_TOLERANCE 0.01

/** Properties that a mesh must have to be recognised as an ideal body. */
typedef struct body {
    vec3 lo, hi;
    double volume_m3;
} body;

static const body bore = {
    .lo = {-SCN_BORE_OUTSIDE, -SCN_BORE_OUTSIDE, -0.5 * SCN_BORE_LENGTH},
    .hi = {SCN_BORE_OUTSIDE, SCN_BORE_OUTSIDE, 0.5 * SCN_BORE_LENGTH},
    .volume_m3 = BASE_PI * SCN_BORE_LENGTH *
                 (SCN_BORE_OUTSIDE * SCN_BORE_OUTSIDE - SCN_BORE_RADIUS * SCN_BORE_RADIUS),
};
static const body pin = {
    .lo = {-SCN_PIN_RADIUS, -SCN_PIN_RADIUS, -0.5 * SCN_PIN_LENGTH},
    .hi = {SCN_PIN_RADIUS, SCN_PIN_RADIUS, 0.5 * SCN_PIN_LENGTH},
    .volume_m3 = BASE_PI * SCN_PIN_LENGTH * SCN_PIN_RADIUS * SCN_PIN_RADIUS,
};
static const body box = {
    .lo = {-SCN_BOX_X, -SCN_BOX_Y, -SCN_BOX_Z},
    .hi = {SCN_BOX_X, SCN_BOX_Y, SCN_BOX_Z},
    .volume_m3 = 8 * SCN_BOX_X * SCN_BOX_Y * SCN_BOX_Z,
};
static const body cone = {
    .lo = {-SCN_CONE_RADIUS, -SCN_CONE_RADIUS, 0},
    .hi = {SCN_CONE_RADIUS, SCN_CONE_RADIUS, SCN_CONE_HEIGHT},
    .volume_m3 = BASE_PI / 3 * SCN_CONE_HEIGHT * SCN_CONE_RADIUS * SCN_CONE_RADIUS,
};
static const body sphere = {
    .lo = {-SCN_SPHERE_RADIUS, -SCN_SPHERE_RADIUS, -SCN_SPHERE_RADIUS},
    .hi = {SCN_SPHERE_RADIUS, SCN_SPHERE_RADIUS, SCN_SPHERE_RADIUS},
    .volume_m3 = 4 * BASE_PI / 3 * SCN_SPHERE_RADIUS * SCN_SPHERE_RADIUS * SCN_SPHERE_RADIUS,
};
static const body cube = {
    .lo = {-SCN_CUBE_HALF, -SCN_CUBE_HALF, -SCN_CUBE_HALF},
    .hi = {SCN_CUBE_HALF, SCN_CUBE_HALF, SCN_CUBE_HALF},
    .volume_m3 = 8 * SCN_CUBE_HALF * SCN_CUBE_HALF * SCN_CUBE_HALF,
};
static const body channel = {
    .lo = {-SCN_CHANNEL_X, -SCN_CHANNEL_Y, -SCN_CHANNEL_Z},
    .hi = {SCN_CHANNEL_X, SCN_CHANNEL_Y, SCN_CHANNEL_Z},
    .volume_m3 = 8 * SCN_CHANNEL_X * SCN_CHANNEL_Y * SCN_CHANNEL_Z -
                 4 * SCN_CHANNEL_WIDTH * SCN_CHANNEL_Y * (SCN_CHANNEL_Z - SCN_CHANNEL_FLOOR),
};

static bool is_body(const body *wanted, geo_box around, double volume_m3)
{
    const double slack = MESH_TOLERANCE * vec3_distance(wanted->lo, wanted->hi);
    return vec3_distance(wanted->lo, around.lo) <= slack &&
           vec3_distance(wanted->hi, around.hi) <= slack &&
           fabs(volume_m3 - wanted->volume_m3) <= MESH_TOLERANCE * wanted->volume_m3;
}

/* --- Insertion -------------------------------------------------------------------------------- */

/*
 * A peg that is put into a hole and drawn out again, with clearance all around. It swings on the
 * way, so that it presses on the walls of the hole.
 *
 * The pairs are a bore and a pin, and a channel and a box, as in `proxbench list models`. The fixed
 * body has the dimensions of scenarios/models/generators.h. The other body may be stretched
 * ("pin:sx=1.045,sy=1.045"), which changes the clearance c between it and the walls.
 *
 * During the frames, the peg's end moves from 2 mm in front of the mouth to its greatest depth
 * (through the bore and 10 mm beyond, or four fifths of the way to the channel's floor), and back.
 * Meanwhile its axis is displaced from the hole's axis by up to 3/4 (c + p), in eight swings, each
 * in another direction. It also leans, so that its ends within the hole are displaced by up to 1/4
 * (c + p) more. p = 0.5 mm is the greatest depth of the peg in the wall, to first order in the
 * angle. In a channel, all displacements are across the channel.
 */

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
    const body *around; /* the body around the hole */
    bool round;
    double half_width; /* distance from the axis to the wall */
    double mouth;      /* z coordinate */
    double length;     /* length of the walls */
    double depth;      /* greatest depth of the peg's end */
} hole;

static const hole holes[] = {
    {&bore, true, SCN_BORE_RADIUS, 0.5 * SCN_BORE_LENGTH, SCN_BORE_LENGTH, 1.5 * SCN_BORE_LENGTH},
    {&channel, false, SCN_CHANNEL_WIDTH, SCN_CHANNEL_Z, SCN_CHANNEL_Z - SCN_CHANNEL_FLOOR,
     0.8 * (SCN_CHANNEL_Z - SCN_CHANNEL_FLOOR)},
};

/** A path of a peg in a hole. */
typedef struct insertion {
    const hole *hole;
    double half_height; /* half height of the peg */
    double clearance;
    double swing_turn, lean_turn; /* directions of the first swing and lean, in turns */
} insertion;

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
static void place_inserted(const insertion *p, double share, scn_frame *frame)
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
    const hole *h = NULL;
    for (size_t i = 0; i < sizeof holes / sizeof *holes && !h; i++) {
        const bool fits =
            is_body(holes[i].around, pair->box_a, pair->volume_a_m3) && is_peg(&holes[i], pair);
        h = fits ? &holes[i] : NULL;
    }
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
        scn_frame frame = {.t_s = SCN_FRAME_S * (double)i, .target = NAN, .achieved = NAN};
        place_inserted(&path, last > 0 ? (double)i / (double)last : 0, &frame);
        status = scn_trajectory_append(run->trajectory, &frame, err);
    }
    return status;
}

/* --- Scenes with a known force ---------------------------------------------------------------- */

/*
 * Scenes with a known force: pairs of generated bodies that intersect on a prescribed path. For
 * each frame, minus the gradient of their common volume is known in closed form.
 *
 *   bore and pin     the pin moves off the axis until it is 1 mm deep in the wall, and goes around
 *                    twice. The force has constant size and turns. There is a torque, because the
 *                    pin protrudes further from the plate on one side than on the other
 *   box and cone     the cone, tilted by 20 degrees, goes 15 mm deep into the box and once around
 *                    a circle, leaning ahead. Force and torque have constant size; only the torque
 *                    turns
 *   box and sphere   the sphere goes around a circle while it turns, in and out of the box four
 *                    times
 *   box and cube     the cube has one of its corners in a corner of the box, and the smallest of
 *                    the three overlaps changes from axis to axis: the force swings over the corner
 *   channel and cube a peg moves from side to side of its channel, deep in one wall, free, deep in
 *                    the other, while it is pushed down and drawn out. The force sets in with its
 *                    full size, whatever the depth
 *   sphere and box   the box slides with one of its faces, 2 mm deep, over the sphere and back,
 *                    along none of the sphere's axes: a force that does not change at all
 *
 * The force by depth, minus the gradient of the integral of the distance to A's surface over the
 * common volume, is also known, except for the pin (the derivations are below).
 *
 * Paths end where they began. The dimensions of the bodies are in scenarios/models/generators.h.
 * The force is that of ideal bodies with round walls, which the meshes approximate. For the default
 * meshes, the exact force is within 1 % of it wherever it is at least half as large as its maximum;
 * a test checks that.
 */

static double square(double x)
{
    return x * x;
}

/** Returns 0 at both ends of a path and 1 from share 0.1 to share 0.9, with smooth transitions. */
static double engaged(double share)
{
    const double edge = fmin(1, 10 * fmin(share, 1 - share));
    return 0.5 * (1 - base_cos(BASE_PI * edge));
}

/** Adds a force by area that acts at a point, and its torque about B's centroid. */
static void add_force(vec3 force, vec3 at, vec3 centroid, scn_known *known)
{
    known->force_m2 = vec3_add(known->force_m2, force);
    known->torque_m3 = vec3_add(known->torque_m3, vec3_cross(vec3_sub(at, centroid), force));
}

/** Adds a force by depth in the same way. */
static void add_depth_force(vec3 force, vec3 at, vec3 centroid, scn_known *known)
{
    known->depth_force_m3 = vec3_add(known->depth_force_m3, force);
    known->depth_torque_m4 =
        vec3_add(known->depth_torque_m4, vec3_cross(vec3_sub(at, centroid), force));
}

/* --- Bore and pin ----------------------------------------------------------------------------- */

/**
 * At offset e from the axis, the pin's part in the wall is its circle minus the intersection with
 * the hole's circle. When e grows, that area grows by the common chord of the circles. The force is
 * radial, through the pin's axis, at the middle of the wall's length.
 *
 * The force by depth is not known in closed form. It contains a term r cos t sqrt(e^2 + r^2 + 2 e r
 * cos t), the distance from the hole's axis to the pin's surface, integrated along an arc of the
 * pin: an elliptic integral.
 */
static void place_pin(double share, scn_frame *frame)
{
    static const double depth = 0.001, height = 0.015;
    const double r = SCN_PIN_RADIUS, R = SCN_BORE_RADIUS;
    const double e = (R - r + depth) * engaged(share), angle = 4 * BASE_PI * share;
    const vec3 out = vec3_make(base_cos(angle), base_sin(angle), 0);
    frame->position = vec3_madd(vec3_make(0, 0, height), e, out);
    if (e > R - r) {
        const double chord = sqrt((r + R - e) * (e + r - R) * (e - r + R) * (e + r + R)) / e;
        add_force(vec3_scale(-SCN_BORE_LENGTH * chord, out), vec3_scale(e, out), frame->position,
                  &frame->known);
    }
}

/* --- Box and cone ----------------------------------------------------------------------------- */

/**
 * The box's upper face cuts the cone in an ellipse. With the apex d below the face, the slope k =
 * radius / height and the axis u at the angle theta to the normal n, its area is pi k^2 d^2 /
 * q^(3/2), q = cos^2 theta - k^2 sin^2 theta. The force is n times that area. It acts at the centre
 * of the ellipse, apex - a n + (a + d) / cos theta u, a = k^2 d / q.
 *
 * For all points in both the cone and the box, the face is the nearest part of the box's surface.
 * So the energy by depth is the integral of the depth below the face, and its force is n times the
 * common volume, acting at the centroid of that volume. The volume is a cone on the ellipse: a
 * third of area times depth, with its centroid at three quarters of the way from the apex to the
 * ellipse's centre.
 */
static void place_cone(double share, scn_frame *frame)
{
    static const double above = 0.005, depth = 0.015, circle = 0.015, tilt = BASE_PI / 9;
    const double d = (above + depth) * engaged(share) - above, angle = 2 * BASE_PI * share;
    const double c = base_cos(tilt), s = base_sin(tilt);
    const vec3 out = vec3_make(base_cos(angle), base_sin(angle), 0), n = {0, 0, 1};
    const vec3 along = vec3_cross(n, out), u = vec3_madd(vec3_scale(c, n), s, along);
    frame->orientation = scn_turn_about(vec3_cross(n, along), tilt);
    frame->position = vec3_madd(vec3_make(0, 0, SCN_BOX_Z - d), circle, out);
    if (d > 0) {
        const double k2 = square(SCN_CONE_RADIUS / SCN_CONE_HEIGHT);
        const double q = c * c - k2 * s * s, a = k2 * d / q;
        const vec3 centre = vec3_madd(vec3_madd(frame->position, -a, n), (a + d) / c, u);
        const vec3 centroid = vec3_madd(frame->position, 0.75 * SCN_CONE_HEIGHT, u);
        const vec3 force = vec3_scale(BASE_PI * a * d / sqrt(q), n);
        const vec3 middle = vec3_madd(frame->position, 0.75, vec3_sub(centre, frame->position));
        add_force(force, centre, centroid, &frame->known);
        add_depth_force(vec3_scale(d / 3, force), middle, centroid, &frame->known);
    }
    frame->known.mask |= SCN_KNOWN_DEPTH_FORCE;
}

/* --- Box and sphere --------------------------------------------------------------------------- */

/**
 * The face cuts a disc out of the sphere; the sphere's centre is above the centre of the disc. For
 * all points of the cap below, the face is the nearest part of the box's surface, so the force by
 * depth is the cap's volume.
 */
static void place_sphere(double share, scn_frame *frame)
{
    static const double least = -0.002, greatest = 0.006, circle = 0.012;
    const double r = SCN_SPHERE_RADIUS, angle = 2 * BASE_PI * share;
    const double d = 0.5 * (least + greatest) - 0.5 * (greatest - least) * base_cos(4 * angle);
    frame->orientation = scn_turn_about(vec3_make(1, 0, 0), angle);
    frame->position =
        vec3_make(circle * base_cos(angle), circle * base_sin(angle), SCN_BOX_Z + r - d);
    if (d > 0) {
        const vec3 force = {0, 0, BASE_PI * d * (2 * r - d)};
        const vec3 depth_force = {0, 0, BASE_PI * d * d * (r - d / 3)};
        add_force(force, frame->position, frame->position, &frame->known);
        add_depth_force(depth_force, frame->position, frame->position, &frame->known);
    }
    frame->known.mask |= SCN_KNOWN_DEPTH_FORCE;
}

/* --- Sphere and box --------------------------------------------------------------------------- */

/**
 * The box's lower face has a constant distance from the sphere's centre, the origin, so it always
 * cuts the same disc out of it. The box moves there and back at one speed, so that a pattern in the
 * box or in the sphere is passed at one frequency.
 *
 * A point of the disc at s from its centre is r - sqrt(h^2 + s^2) deep in the sphere, where h is
 * the distance of the face. The integral of 2 pi s times that depth, from 0 to sqrt(r^2 - h^2), is
 * pi (r (r^2 - h^2) - 2 (r^3 - h^3) / 3).
 */
static void place_slide(double share, scn_frame *frame)
{
    static const double depth = 0.002, reach = 0.02, way = 0.35, tilt = 0.6, turn = 0.4;
    const double r = SCN_SPHERE_RADIUS, s = reach * (4 * fabs(share - 0.5) - 1);
    const vec3 axis = {base_cos(turn), base_sin(turn), 0};
    frame->orientation = scn_turn_about(axis, tilt);
    const geo_pose turned = geo_pose_make(frame->orientation, vec3_make(0, 0, 0));
    const vec3 normal = geo_pose_apply(&turned, vec3_make(0, 0, 1));
    const vec3 along = geo_pose_apply(&turned, vec3_make(base_cos(way), base_sin(way), 0));
    frame->position = vec3_madd(vec3_scale(r - depth + SCN_BOX_Z, normal), s, along);
    const double h = r - depth;
    const double by_depth = BASE_PI * (r * (r * r - h * h) - 2 * (r * r * r - h * h * h) / 3);
    add_force(vec3_scale(BASE_PI * depth * (2 * r - depth), normal), vec3_make(0, 0, 0),
              frame->position, &frame->known);
    add_depth_force(vec3_scale(by_depth, normal), vec3_make(0, 0, 0), frame->position,
                    &frame->known);
    frame->known.mask |= SCN_KNOWN_DEPTH_FORCE;
}

/* --- Boxes with aligned axes ------------------------------------------------------------------ */

/**
 * Adds the force of box a on the box b. Each side of b that lies in a pushes b inwards. The force
 * acts at the centre of the part of the side that is inside a.
 */
static void add_box_force(geo_box a, geo_box b, vec3 centroid, scn_known *known)
{
    const vec3 lo = vec3_max(a.lo, b.lo), hi = vec3_min(a.hi, b.hi), edges = vec3_sub(hi, lo);
    if (!(edges.x > 0 && edges.y > 0 && edges.z > 0)) {
        return;
    }
    const vec3 middle = vec3_scale(0.5, vec3_add(lo, hi));
    const vec3 sides[3] = {
        {edges.y * edges.z, 0, 0}, {0, edges.z * edges.x, 0}, {0, 0, edges.x * edges.y}};
    for (int axis = 0; axis < 3; axis++) {
        if (vec3_get(b.lo, axis) > vec3_get(a.lo, axis)) {
            add_force(sides[axis], middle, centroid, known);
        }
        if (vec3_get(b.hi, axis) < vec3_get(a.hi, axis)) {
            add_force(vec3_scale(-1, sides[axis]), middle, centroid, known);
        }
    }
}

/**
 * Adds the force by depth in the same way, for a body A whose surface inside B consists of these
 * planes. Along an open axis, one plane of A lies inside B, and w is the distance of a point from
 * it. An axis with both sides of B inside A is closed, and its two forces cancel. With e the edges
 * of the intersection of the boxes, the depth of a point is the least w of the open axes. The side
 * of B across an open axis k is at the distance e_k from A's plane, so its points have the depth p
 * = min(e_k, w_j, ...).
 *
 * Integrals of such a minimum are integrals over the layers t < p. For axis j, the part above t has
 * the length e_j - t, or e_j if it is closed, and the moment (e_j^2 - t^2) / 2, or e_j^2 / 2:
 *
 *   force along k    integral from 0 to m of the product of both lengths, m the least open e
 *   where it acts    the same with a moment and the other length, divided by the force
 */
static void add_box_depth_force(geo_box a, geo_box b, vec3 centroid, scn_known *known)
{
    const vec3 lo = vec3_max(a.lo, b.lo), hi = vec3_min(a.hi, b.hi);
    double e[3], open[3], sign[3], m = INFINITY;
    for (int k = 0; k < 3; k++) {
        e[k] = vec3_get(hi, k) - vec3_get(lo, k);
        sign[k] = vec3_get(b.hi, k) > vec3_get(a.hi, k) ? 1 : -1;
        open[k] = sign[k] > 0 || vec3_get(b.lo, k) < vec3_get(a.lo, k);
        m = open[k] > 0 ? fmin(m, e[k]) : m;
    }
    if (!(e[0] > 0 && e[1] > 0 && e[2] > 0)) {
        return;
    }
    for (int k = 0; k < 3; k++) {
        const int axes[2] = {(k + 1) % 3, (k + 2) % 3};
        double force[3] = {0}, at[3];
        if (open[k] == 0) {
            continue;
        }
        const int i = axes[0], j = axes[1];
        const double product = e[i] * e[j] * m - (e[i] * open[j] + e[j] * open[i]) * m * m / 2 +
                               open[i] * open[j] * m * m * m / 3;
        force[k] = sign[k] * product;
        at[k] = sign[k] > 0 ? vec3_get(lo, k) : vec3_get(hi, k);
        for (int side = 0; side < 2; side++) {
            const int with = axes[side], other = axes[1 - side];
            const double square_m = m * m / 2, cube_m = m * m * m / 3;
            const double moment =
                0.5 * (e[with] * e[with] * (e[other] * m - open[other] * square_m) -
                       open[with] * (e[other] * cube_m - open[other] * m * cube_m * 3 / 4));
            const double w = moment / product;
            at[with] = sign[with] > 0 ? vec3_get(hi, with) - w : vec3_get(lo, with) + w;
        }
        add_depth_force(vec3_make(force[0], force[1], force[2]), vec3_make(at[0], at[1], at[2]),
                        centroid, known);
    }
}

static const vec3 cube_half = {SCN_CUBE_HALF, SCN_CUBE_HALF, SCN_CUBE_HALF};

static geo_box cube_at(vec3 centre)
{
    return (geo_box){vec3_sub(centre, cube_half), vec3_add(centre, cube_half)};
}

/* --- Box and cube ----------------------------------------------------------------------------- */

static void place_corner(double share, scn_frame *frame)
{
    static const double mean = 0.006, swing = 0.0055;
    const vec3 half = {SCN_BOX_X, SCN_BOX_Y, SCN_BOX_Z};
    double overlap[3];
    for (int axis = 0; axis < 3; axis++) {
        overlap[axis] = mean + swing * base_cos(2 * BASE_PI * (2 * share - axis / 3.0));
    }
    const vec3 least = vec3_sub(half, vec3_make(overlap[0], overlap[1], overlap[2]));
    frame->position = vec3_add(least, cube_half);
    const geo_box fixed = {vec3_scale(-1, half), half}, moved = cube_at(frame->position);
    add_box_force(fixed, moved, frame->position, &frame->known);
    add_box_depth_force(fixed, moved, frame->position, &frame->known);
    frame->known.mask |= SCN_KNOWN_DEPTH_FORCE;
}

/* --- Channel and cube ------------------------------------------------------------------------- */

/** The walls of the channel are boxes, and the peg does not reach the floor. Its depth in a wall is
 * less than half of the wall's thickness. */
static void place_peg(double share, scn_frame *frame)
{
    static const double sway = 0.0045, deep = 0.03, stroke = 0.008;
    const double x = SCN_CHANNEL_X, y = SCN_CHANNEL_Y, z = SCN_CHANNEL_Z;
    const double width = SCN_CHANNEL_WIDTH;
    const double inserted = deep - stroke * base_cos(2 * BASE_PI * share);
    frame->position =
        vec3_make(sway * base_sin(4 * BASE_PI * share), 0, z - inserted + SCN_CUBE_HALF);
    const geo_box peg = cube_at(frame->position);
    const vec3 left = {-x, -y, -z}, right = {x, y, z};
    const geo_box walls[2] = {{left, vec3_make(-width, y, z)}, {vec3_make(width, -y, -z), right}};
    for (int i = 0; i < 2; i++) {
        add_box_force(walls[i], peg, frame->position, &frame->known);
        add_box_depth_force(walls[i], peg, frame->position, &frame->known);
    }
    frame->known.mask |= SCN_KNOWN_DEPTH_FORCE;
}

/* --- Scenes with a known force: table --------------------------------------------------------- */

typedef struct scene {
    const body *a, *b;
    void (*place)(double share, scn_frame *frame);
} scene;

static const scene scenes[] = {
    {&bore, &pin, place_pin},    {&box, &cone, place_cone},    {&box, &sphere, place_sphere},
    {&box, &cube, place_corner}, {&channel, &cube, place_peg}, {&sphere, &box, place_slide},
};

base_status scn_sample_response(scn_run *run, base_error *err)
{
    const scn_pair *const pair = run->solver.pair;
    const scene *found = NULL;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes && !found; i++) {
        const bool fits = is_body(scenes[i].a, pair->box_a, pair->volume_a_m3) &&
                          is_body(scenes[i].b, pair->box_b, pair->volume_b_m3);
        found = fits ? &scenes[i] : NULL;
    }
    if (!found) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "sampler 'response' needs two bodies whose force is known, and meshes "
                         "within 1 %% of their volumes: bore and pin, box and cone, box and "
                         "sphere, box and cube, channel and cube, or sphere and box");
    }
    const size_t last = run->sampler->frames - 1;
    base_status status = BASE_OK;
    for (size_t i = 0; i <= last && status == BASE_OK; i++) {
        scn_frame frame = {.t_s = SCN_FRAME_S * (double)i,
                           .orientation = geo_quat_identity(),
                           .target = NAN,
                           .achieved = NAN,
                           .known.mask = SCN_KNOWN_FORCE};
        found->place(last > 0 ? (double)i / (double)last : 0, &frame);
        status = scn_trajectory_append(run->trajectory, &frame, err);
    }
    return status;
}
