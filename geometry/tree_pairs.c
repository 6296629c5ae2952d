#include "geometry/tree_pairs.h"

#include "base/cpu.h"

/** How far from 0 a tree reaches. */
static double reach_of(const geo_tree *tree)
{
    return vec3_norm(tree->origin) + tree->span;
}

bool geo_tree_pairs(const geo_tree *a, const geo_tree *b, const geo_pose *pose,
                    geo_tree_pairs_visitor *visit, void *context)
{
    const geo_pose there = {pose->rotation, vec3_sub(geo_pose_apply(pose, b->origin), a->origin)};
    const geo_pose back = geo_pose_inverse(&there);
    /* Moved corners and `there` round a few times in double. */
    const double reach = reach_of(a) + reach_of(b) + vec3_norm(pose->translation);
    const geo_tree_pairs_task task = {
        .tree = {a, b},
        .to_other = {geo_motion_make(&back), geo_motion_make(&there)},
        .margin = geo_motion_margin(a->span, b->span, vec3_norm(there.translation),
                                    64 * DBL_EPSILON * reach),
        .visit = visit,
        .context = context,
    };
    return base_cpu_avx2() ? geo_tree_pairs_avx2(&task) : geo_tree_pairs_sse2(&task);
}
