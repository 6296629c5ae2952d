#include "groundtruth/distance/distance_walk.h"

void gt_search_sse2(const gt_search_task *task, gt_search_result *result)
{
    search(task, result);
}
