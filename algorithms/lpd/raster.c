#include "algorithms/lpd/raster.h"

alg_lpd_view alg_lpd_view_make(const alg_lpd_window *window, const geo_tree *tree,
                               const geo_pose *pose)
{
    alg_lpd_view view = {.window = window, .tree = tree, .pose = pose};
    const mat3 axes = {{window->axis[0], window->axis[1], window->axis[2]}};
    const mat3 turn = mat3_mul(axes, pose->rotation);
    const vec3 origin = alg_lpd_view_corner(&view, tree->origin);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            view.turn[i][k] = (float)vec3_get(turn.row[i], k);
        }
        view.shift[i] = (float)vec3_get(origin, i);
    }
    /* Corners are rounded a few times in double when they are transformed to the window. Floats
       below FLT_MIN lose digits. */
    const double reach = vec3_norm(tree->origin) + tree->span + vec3_norm(pose->translation) +
                         vec3_norm(window->centre);
    view.margin = geo_motion_margin(tree->span, window->half[0] + window->half[1],
                                    vec3_norm(origin), 64 * DBL_EPSILON * reach + (double)FLT_MIN);
    return view;
}
