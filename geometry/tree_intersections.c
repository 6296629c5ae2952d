#include "geometry/tree_intersections.h"

#include "base/cpu.h"

bool geo_tree_intersections(const geo_tree *a, const geo_tree *b, const geo_pose *pose, bool common,
                            geo_face_pair_visitor *visit, void *context, uint64_t *tests)
{
    geo_crossing_queue queue;
    queue.tree[0] = a;
    queue.tree[1] = b;
    queue.pose = pose;
    queue.common = common;
    queue.visit = visit;
    queue.context = context;
    queue.tests = 0;
    queue.go = true;
    queue.count = 0;
    if (base_cpu_avx2()) {
        geo_tree_pairs(a, b, pose, geo_crossing_add_avx2, &queue);
        geo_crossing_end_avx2(&queue);
    } else {
        geo_tree_pairs(a, b, pose, geo_crossing_add_sse2, &queue);
        geo_crossing_end_sse2(&queue);
    }
    if (tests) {
        *tests = queue.tests;
    }
    return queue.go;
}
