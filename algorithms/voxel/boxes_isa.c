/** The descent of alg_box_query_run, compiled once per instruction set. */
#include "algorithms/voxel/boxes.h"
#include "base/simd.h"

enum { STACK = GEO_BVH_DEPTH_MAX * GEO_BVH_WIDTH };

/** A box in floats; it is compared with all children of a node at once. */
typedef struct box8 {
    f32x8 lo[3], hi[3];
} box8;

/** Returns the bits of the children whose boxes overlap the box. */
static inline unsigned find_children(const geo_bvh_node *node, const box8 *box)
{
    m32x8 overlap[3];
    for (int axis = 0; axis < 3; axis++) {
        overlap[axis] = m32x8_and(f32x8_le(f32x8_load(node->lo[axis]), box->hi[axis]),
                                  f32x8_le(box->lo[axis], f32x8_load(node->hi[axis])));
    }
    return m32x8_bits(m32x8_and(m32x8_and(overlap[0], overlap[1]), overlap[2]));
}

bool BASE_ISA(alg_box_query_descend)(const alg_box_query *query, geo_box box,
                                     alg_box_query_visitor *visit, void *context)
{
    /* Rounding to the nearest floats preserves a <= b, and the boxes of nodes are rounded outwards.
     * So boxes that share a point in double do so in float. */
    const box8 around = {
        {f32x8_set((float)box.lo.x), f32x8_set((float)box.lo.y), f32x8_set((float)box.lo.z)},
        {f32x8_set((float)box.hi.x), f32x8_set((float)box.hi.y), f32x8_set((float)box.hi.z)},
    };
    uint32_t stack[STACK];
    int depth = 0;
    bool found = false;
    stack[depth++] = 0;
    while (depth > 0) {
        const geo_bvh_node *const node = &query->bvh.nodes[stack[--depth]];
        for (unsigned left = find_children(node, &around); left != 0; left &= left - 1) {
            const int lane = __builtin_ctz(left);
            const uint32_t first = node->first[lane], count = node->count[lane];
            if (count == 0) {
                stack[depth++] = first;
                continue;
            }
            for (uint32_t i = first; i < first + count; i++) {
                if (!alg_triangle_box_once(query->triangles[i], box)) {
                    continue;
                }
                found = true;
                if (!visit || !visit(context, query->bvh.order[i])) {
                    return true;
                }
            }
        }
    }
    return found;
}
