#include "groundtruth/depth/escape.h"

#include "geometry/pose.h"
#include "groundtruth/depth/separation.h"

base_status gt_escape_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                            vec3 direction, double depth_m, gt_flux_space *space, gt_escape *result,
                            base_error *err)
{
    *result = (gt_escape){GT_NONE, GT_NONE, GT_NONE, GT_NONE, GT_NONE};
    gt_distance distance;
    gt_distance_query(a, b, pose, &distance);
    if (distance.distance_m.lo > 0) {
        return BASE_OK;
    }
    const vec3 move = vec3_scale(depth_m, vec3_normalize(direction));
    const geo_pose after = {pose->rotation, vec3_add(pose->translation, move)};
    gt_flux flux_before, flux_after;
    const base_status status = gt_flux_query(a, b, pose, space, &flux_before, err);
    if (status != BASE_OK) {
        return status;
    }
    const base_status status_after = gt_flux_query(a, b, &after, space, &flux_after, err);
    if (status_after != BASE_OK) {
        return status_after;
    }
    gt_separation separation;
    gt_separation_query(a, b, pose, direction, &separation);
    gt_distance_query(a, b, &after, &distance);
    *result = (gt_escape){separation.first_m, separation.clear_m, flux_before.volume_m3,
                          flux_after.volume_m3, distance.distance_m};
    return BASE_OK;
}
