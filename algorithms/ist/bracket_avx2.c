#include "algorithms/ist/bracket_cut.h"

void alg_ist_cut_avx2(alg_ist_cuts *cuts, uint32_t count)
{
    alg_ist_cut_all(cuts, count);
}
