#include "algorithms/lpd/nested.h"

#include "geometry/pose.h"
#include "geometry/vec.h"

bool alg_lpd_nested(const alg_lpd_pair *pair, const geo_pose *pose)
{
    vec3 in_both;
    return pair->a->shell.solid && pair->b->shell.solid &&
           geo_shells_nested(&pair->a->shell, &pair->b->shell, pose, &in_both);
}

/** Returns the box of the smaller body in A's frame. Its third axis is the body's axis k. */
static alg_lpd_box smaller_box(const alg_lpd_pair *pair, const geo_pose *pose, int k)
{
    const vec3 side_a = vec3_sub(pair->a->box.hi, pair->a->box.lo);
    const vec3 side_b = vec3_sub(pair->b->box.hi, pair->b->box.lo);
    const bool of_b = vec3_norm2(side_b) < vec3_norm2(side_a);
    const geo_pose place = of_b ? *pose : geo_pose_identity();
    const vec3 side = of_b ? side_b : side_a;
    const vec3 centre = geo_box_centre(of_b ? pair->b->box : pair->a->box);
    alg_lpd_box box = {.centre = geo_pose_apply(&place, centre)};
    for (int i = 0; i < 3; i++) {
        const int axis = (k + 1 + i) % 3;
        const vec3 unit = {axis == 0, axis == 1, axis == 2};
        box.axis[i] = geo_pose_rotate(&place, unit);
        box.half[i] = 0.5 * vec3_get(side, axis);
    }
    return box;
}

alg_lpd_way alg_lpd_nested_way(const alg_lpd_pair *pair, const geo_pose *pose,
                               alg_lpd_column *column, alg_lpd_box *box, uint64_t *tests)
{
    alg_lpd_height best = {.depth_m = (double)INFINITY, .inside = true};
    for (int side = 0; side < 6; side++) {
        const alg_lpd_box up = smaller_box(pair, pose, side / 2);
        const alg_lpd_box look = side % 2 ? alg_lpd_box_turned(&up) : up;
        const alg_lpd_height height =
            alg_lpd_depth_through(pair, pose, &look, best.depth_m, column, tests);
        if (side == 0 || alg_lpd_height_less(&height, &best)) {
            best = height;
            *box = look;
        }
    }
    return (alg_lpd_way){box->axis[2], best.depth_m};
}
