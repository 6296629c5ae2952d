#include "geometry/tree_pairs_walk.h"

bool geo_tree_pairs_avx2(const geo_tree_pairs_task *task)
{
    return walk_all(task);
}
