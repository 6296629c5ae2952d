#include "suite/results/witness.h"

#include "geometry/pose.h"
#include "groundtruth/body/body.h"

#include <float.h>
#include <math.h>

/** Distance of a point from a surface, both in the frame of the body. */
static double off_surface(const gt_body *body, vec3 p)
{
    return sqrt(geo_surface_closest(&body->surface, p, UINT32_MAX).distance2);
}

bench_witness bench_witness_measure(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                    const alg_answer *answer)
{
    const uint32_t needed = ALG_HAS_DISTANCE | ALG_HAS_WITNESS;
    if ((answer->answered & needed) != needed || !(answer->distance_m > 0)) {
        return (bench_witness){NAN, NAN, NAN};
    }
    const vec3 on_a = answer->witness_a, on_b = answer->witness_b;
    /* The inverse pose is right up to rounding of the coordinates that it subtracts. */
    const geo_pose inverse = geo_pose_inverse(pose);
    const double reach = fmax(gt_pair_reach(a, b, pose), vec3_norm(on_b)) + b->reach;
    return (bench_witness){
        .length_m = fabs(vec3_distance(on_a, on_b) - answer->distance_m),
        .off_m = fmax(off_surface(a, on_a), off_surface(b, geo_pose_apply(&inverse, on_b))),
        .slack_m = 64 * DBL_EPSILON * reach,
    };
}
