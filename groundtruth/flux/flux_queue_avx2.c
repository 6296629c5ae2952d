#include "groundtruth/flux/flux_queue_kernel.h"

bool gt_queue_add_avx2(void *queue, uint32_t first, unsigned hits, uint32_t b)
{
    return enqueue_all(queue, first, hits, b);
}

void gt_queue_end_avx2(gt_queue *queue)
{
    flush(queue);
}
