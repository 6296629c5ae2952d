#include "scenarios/trajectories/relative.h"

#include "geometry/pose.h"

#include <limits.h>
#include <math.h>

/** A frame's place: what it carries goes from its own coordinates into those of its world. */
typedef struct placing {
    vec3 position;
    geo_quat orientation;
} placing;

scn_mounting scn_mounting_none(void)
{
    return (scn_mounting){.orientation = geo_quat_identity()};
}

/** Of a body in the world, by its tracker's frame there. */
static placing mounted(const scn_frame *tracker, const scn_mounting *mount)
{
    const mat3 rotation = geo_quat_matrix(tracker->orientation);
    return (placing){vec3_add(tracker->position, mat3_mul_vec3(rotation, mount->position)),
                     geo_quat_mul(tracker->orientation, mount->orientation)};
}

/** inverse(a) b. Positions are subtracted first: far from the world's origin they are large. */
static scn_frame seen_from(const placing *a, const placing *b, double t_s)
{
    const geo_quat q = a->orientation, back = {-q.x, -q.y, -q.z, q.w};
    return (scn_frame){
        .t_s = t_s,
        .position = mat3_tmul_vec3(geo_quat_matrix(q), vec3_sub(b->position, a->position)),
        .orientation = geo_quat_normalize(geo_quat_mul(back, b->orientation)),
        .target = NAN,
        .achieved = NAN,
    };
}

/** What is added to a time of a to have it on b's clock. */
static double clock_offset(const scn_trajectory *a, const scn_trajectory *b)
{
    long long since;
    /* Exact in integers; clamped where no clock can be. */
    if (__builtin_sub_overflow(a->epoch_ns, b->epoch_ns, &since)) {
        since = a->epoch_ns < b->epoch_ns ? LLONG_MIN : LLONG_MAX;
    }
    return (double)since * 1e-9;
}

static base_status join(const scn_trajectory *a, const scn_trajectory *b,
                        const scn_mounting *mount_a, const scn_mounting *mount_b,
                        scn_trajectory *trajectory, base_error *err)
{
    static const scn_frame still = {.orientation = {0, 0, 0, 1}};
    const scn_trajectory *const clock = a ? a : b;
    const double offset = a ? clock_offset(a, b) : 0;
    const double first = b->frames[0].t_s, last = b->frames[b->frame_count - 1].t_s;
    size_t at = 0;
    for (size_t i = 0; i < clock->frame_count; i++) {
        const double t_s = clock->frames[i].t_s, t_b = t_s + offset;
        if (t_b < first || t_b > last) {
            continue;
        }
        const scn_frame tracker_b = scn_trajectory_at(b, t_b, &at);
        const placing body_a = mounted(a ? &a->frames[i] : &still, mount_a);
        const placing body_b = mounted(&tracker_b, mount_b);
        const scn_frame frame = seen_from(&body_a, &body_b, t_s);
        const base_status status = scn_trajectory_append(trajectory, &frame, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    if (trajectory->frame_count > 0) {
        return BASE_OK;
    }
    return base_fail(err, BASE_ERR_INPUT,
                     "the recordings have no time in common: %.9g to %.9g s of A, %.9g to %.9g s "
                     "of B",
                     clock->frames[0].t_s, clock->frames[clock->frame_count - 1].t_s,
                     first - offset, last - offset);
}

base_status scn_trajectory_relative(const scn_trajectory *a, const scn_trajectory *b,
                                    const scn_mounting *mount_a, const scn_mounting *mount_b,
                                    scn_trajectory *trajectory, base_error *err)
{
    *trajectory = (scn_trajectory){.epoch_ns = a ? a->epoch_ns : b->epoch_ns};
    const base_status status = join(a, b, mount_a, mount_b, trajectory, err);
    if (status != BASE_OK) {
        scn_trajectory_release(trajectory);
        return status;
    }
    if (a) {
        snprintf(trajectory->source, sizeof trajectory->source, "%.120s seen from %.120s",
                 b->source, a->source);
    } else {
        snprintf(trajectory->source, sizeof trajectory->source, "%.240s; mounted", b->source);
    }
    return BASE_OK;
}
