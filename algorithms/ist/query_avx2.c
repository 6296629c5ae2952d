#include "algorithms/ist/query_walk.h"

void alg_ist_walk_avx2(alg_ist_walk *walk)
{
    walk_all(walk);
}
