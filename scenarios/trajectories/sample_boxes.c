/**
 * Two boxes whose axes agree, at random places of a lattice of a quarter of A's edges: faces lie in
 * one plane all the time, edges and corners meet. Distance and volume are known from the corners.
 */
#include "scenarios/trajectories/sampling.h"

#include "geometry/box.h"

#include <math.h>

/** The rotations that exchange and reverse axes without rounding. */
static geo_quat random_orientation(base_random *random)
{
    const uint64_t k = base_random_below(random, 12);
    if (k < 4) {
        return (geo_quat){k == 0, k == 1, k == 2, k == 3};
    }
    return (geo_quat){k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k >= 8 ? 0.5 : -0.5, 0.5};
}

static geo_box moved_box(const geo_pose *pose, geo_box box)
{
    return geo_box_add(geo_box_add(geo_box_empty(), geo_pose_apply(pose, box.lo)),
                       geo_pose_apply(pose, box.hi));
}

/** Where B has to go along an axis so that its lower or upper side or its middle, [lo, hi] as it
 * is turned, comes to a plane of the lattice. */
static double random_offset(base_random *random, double a_lo, double a_hi, double lo, double hi)
{
    const double share = 0.25 * ((double)base_random_below(random, 9) - 2);
    const double plane = a_lo + share * (a_hi - a_lo);
    const uint64_t anchor = base_random_below(random, 3);
    return plane - (anchor == 0 ? lo : anchor == 1 ? hi : 0.5 * (lo + hi));
}

static scn_known boxes_known(geo_box a, geo_box b)
{
    double volume = 1, distance2 = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double lo = fmax(vec3_get(a.lo, axis), vec3_get(b.lo, axis));
        const double hi = fmin(vec3_get(a.hi, axis), vec3_get(b.hi, axis));
        volume *= fmax(0, hi - lo);
        distance2 += fmax(0, lo - hi) * fmax(0, lo - hi);
    }
    return (scn_known){SCN_KNOWN_DISTANCE | SCN_KNOWN_VOLUME, sqrt(distance2), volume};
}

/** Does the body fill its box? */
static bool is_box(geo_box box, double volume_m3)
{
    const vec3 edges = vec3_sub(box.hi, box.lo);
    const double whole = edges.x * edges.y * edges.z;
    return fabs(volume_m3 - whole) <= 1e-9 * whole;
}

base_status scn_sample_boxes(scn_run *run, base_error *err)
{
    const scn_pair *const pair = run->solver.pair;
    const geo_box a = pair->box_a;
    if (!is_box(a, pair->volume_a_m3) || !is_box(pair->box_b, pair->volume_b_m3)) {
        return base_fail(err, BASE_ERR_ARGUMENT, "sampler 'boxes' needs two solid boxes");
    }
    base_status status = BASE_OK;
    for (size_t i = 0; i < run->sampler->frames && status == BASE_OK; i++) {
        const geo_quat q = random_orientation(&run->random);
        geo_pose pose = geo_pose_make(q, vec3_make(0, 0, 0));
        const geo_box turned = moved_box(&pose, pair->box_b);
        double t[3];
        for (int axis = 0; axis < 3; axis++) {
            t[axis] = random_offset(&run->random, vec3_get(a.lo, axis), vec3_get(a.hi, axis),
                                    vec3_get(turned.lo, axis), vec3_get(turned.hi, axis));
        }
        pose.translation = vec3_make(t[0], t[1], t[2]);
        const scn_frame frame = {.t_s = 0.001 * (double)i,
                                 .position = pose.translation,
                                 .orientation = q,
                                 .target = NAN,
                                 .achieved = NAN,
                                 .known = boxes_known(a, moved_box(&pose, pair->box_b))};
        status = scn_trajectory_append(run->trajectory, &frame, err);
    }
    return status;
}
