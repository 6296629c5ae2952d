#include "algorithms/ist/gas_sums.h"

void alg_ist_gas_sum_sse2(const alg_ist_gas_batch *batch, size_t begin, size_t end)
{
    sum_chunk(batch, begin, end);
}
