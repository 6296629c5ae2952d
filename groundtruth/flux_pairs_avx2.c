#include "groundtruth/flux_walk.h"

void gt_pairs_avx2(gt_pairs_task *task)
{
    walk_all(task);
}
