#include "groundtruth/depth/penetration.h"

#include "base/memory.h"
#include "groundtruth/body/body.h"
#include "groundtruth/depth/blocked.h"
#include "groundtruth/depth/depth.h"
#include "groundtruth/depth/way_out.h"

struct gt_penetration_space {
    gt_blocked_space blocked;
};

gt_penetration_space *gt_penetration_space_create(void)
{
    return base_alloc(1, sizeof(gt_penetration_space));
}

void gt_penetration_space_destroy(gt_penetration_space *space)
{
    base_free(space);
}

static void by_hulls(const gt_body *a, const gt_body *b, const geo_pose *pose,
                     gt_penetration *result)
{
    gt_depth depth;
    gt_depth_query(a, b, pose, &depth);
    result->depth_m = depth.depth_m;
    result->direction = depth.direction;
    result->proof = GT_DEPTH_HULLS;
}

void gt_penetration_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                          gt_penetration_space *space, gt_penetration *result)
{
    gt_way_out way = gt_way_out_make(a, b, pose);
    const gt_place here = gt_way_out_look(&way, (vec3){0, 0, 0});
    *result = (gt_penetration){.direction = here.normal, .proof = GT_DEPTH_APART};
    if (here.gap > 0) {
        return;
    }
    if (a->hull && b->hull) {
        by_hulls(a, b, pose, result);
        return;
    }
    gt_way_out_search(&way);
    gt_blocked blocked;
    gt_blocked_search(&way, &space->blocked, &blocked);
    gt_way_out_polish(&way);
    /* The corners of B are rounded anew where it has been found to be free. */
    const double free_m = way.length + gt_depth_move_slack(a, b, pose);
    result->depth_m = (gt_bracket){blocked.least_m, free_m};
    result->direction = vec3_normalize(way.nearest);
    result->proof = GT_DEPTH_BALLS;
    result->places = way.places;
    result->starts = way.starts;
    result->cells = blocked.cells;
}
