#include "base/elementary.h"
#include "base/simd.h"
#include "geometry/bvh.h"
#include "geometry/pose.h"

/*
 * Frames: A's and B's, with p_A = R p_B + t. Eight boxes of A are enclosed in B's frame and eight
 * boxes of B in A's; a pair is separated when the boxes are apart in either frame.
 */

/* Float arithmetic in a transform rounds at most 14 times, 2^-24 each, relative to the sum of the
 * absolute values of its terms, which is at most 3 reach + |t|. */
#define MARGIN 0x1p-20

enum {
    /* Two levels a step at worst, 64 pairs each. */
    STACK = GEO_BVH_DEPTH_MAX * GEO_BVH_WIDTH * (GEO_BVH_WIDTH + 2),
    ALL = -1,
};

/** Node a against node b; a lane instead of ALL is one leaf of that node. */
typedef struct task {
    uint32_t a, b;
    int8_t lane_a, lane_b;
} task;

typedef struct boxes8 {
    f32x8 lo[3], hi[3];
} boxes8;

/** x -> matrix x + offset in float, boxes to enclosing boxes. */
typedef struct mapping {
    f32x8 matrix[3][3], absolute[3][3], offset[3], margin;
} mapping;

typedef struct traversal {
    const geo_bvh *a, *b;
    const geo_pose *pose;
    mapping into_a, into_b;
    geo_bvh_pair_visitor *visit;
    void *context;
    size_t depth;
    task stack[STACK];
} traversal;

static mapping make_mapping(const geo_pose *pose, double reach)
{
    mapping m;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            m.matrix[i][j] = f32x8_set((float)vec3_get(pose->rotation.row[i], j));
            m.absolute[i][j] = f32x8_abs(m.matrix[i][j]);
        }
        m.offset[i] = f32x8_set((float)vec3_get(pose->translation, i));
    }
    const vec3 t = vec3_abs(pose->translation);
    m.margin = f32x8_set(base_float_above(MARGIN * (3 * reach + t.x + t.y + t.z)));
    return m;
}

static boxes8 load_boxes(const geo_bvh_node *node)
{
    boxes8 r;
    for (int k = 0; k < 3; k++) {
        r.lo[k] = f32x8_load(node->lo[k]);
        r.hi[k] = f32x8_load(node->hi[k]);
    }
    return r;
}

/** Unused lanes become NaN, which overlaps nothing. */
static boxes8 map_boxes(const mapping *m, const boxes8 *boxes)
{
    const f32x8 half = f32x8_set(0.5F);
    f32x8 centre[3], extent[3];
    for (int k = 0; k < 3; k++) {
        centre[k] = f32x8_mul(half, f32x8_add(boxes->lo[k], boxes->hi[k]));
        extent[k] = f32x8_mul(half, f32x8_sub(boxes->hi[k], boxes->lo[k]));
    }
    boxes8 r;
    for (int k = 0; k < 3; k++) {
        f32x8 c = m->offset[k], e = m->margin;
        for (int j = 0; j < 3; j++) {
            c = f32x8_add(c, f32x8_mul(m->matrix[k][j], centre[j]));
            e = f32x8_add(e, f32x8_mul(m->absolute[k][j], extent[j]));
        }
        r.lo[k] = f32x8_sub(c, e);
        r.hi[k] = f32x8_add(c, e);
    }
    return r;
}

static f32x8 broadcast(const float *lanes, int lane)
{
    return f32x8_set(lanes[lane]);
}

typedef struct lanes8 {
    float lo[3][GEO_BVH_WIDTH], hi[3][GEO_BVH_WIDTH];
} lanes8;

static void store_boxes(const boxes8 *boxes, lanes8 *to)
{
    for (int k = 0; k < 3; k++) {
        f32x8_store(to->lo[k], boxes->lo[k]);
        f32x8_store(to->hi[k], boxes->hi[k]);
    }
}

/** Which of eight boxes may overlap box `lane` of `other`. */
static m32x8 overlap(const boxes8 *boxes, const lanes8 *other, int lane)
{
    m32x8 mask = f32x8_le(boxes->lo[0], broadcast(other->hi[0], lane));
    mask = m32x8_and(mask, f32x8_le(broadcast(other->lo[0], lane), boxes->hi[0]));
    for (int k = 1; k < 3; k++) {
        mask = m32x8_and(mask, f32x8_le(boxes->lo[k], broadcast(other->hi[k], lane)));
        mask = m32x8_and(mask, f32x8_le(broadcast(other->lo[k], lane), boxes->hi[k]));
    }
    return mask;
}

/** hits[j]: the lanes of node a that may overlap lane j of node b, for j in lanes_b; else 0. */
static void compare_nodes(const traversal *t, const geo_bvh_node *a, const geo_bvh_node *b,
                          unsigned lanes_b, unsigned hits[GEO_BVH_WIDTH])
{
    const boxes8 a_in_a = load_boxes(a), b_in_b = load_boxes(b);
    boxes8 b_in_a = b_in_b, a_in_b = a_in_a;
    lanes8 b_lanes_a, b_lanes_b;
    if (t->pose) {
        b_in_a = map_boxes(&t->into_a, &b_in_b);
        a_in_b = map_boxes(&t->into_b, &a_in_a);
        store_boxes(&b_in_b, &b_lanes_b);
    }
    store_boxes(&b_in_a, &b_lanes_a);
    for (int j = 0; j < GEO_BVH_WIDTH; j++) {
        hits[j] = (lanes_b >> j & 1) != 0 ? m32x8_bits(overlap(&a_in_a, &b_lanes_a, j)) : 0;
        if (hits[j] != 0 && t->pose) {
            hits[j] &= m32x8_bits(overlap(&a_in_b, &b_lanes_b, j));
        }
    }
}

/** Lanes i of node a and j of node b may overlap: visit them or go down. */
static bool follow(traversal *t, uint32_t node_a, int i, uint32_t node_b, int j)
{
    const geo_bvh_node *const a = &t->a->nodes[node_a], *const b = &t->b->nodes[node_b];
    if (a->count[i] > 0 && b->count[j] > 0) {
        return t->visit(t->context, a->first[i], a->count[i], b->first[j], b->count[j]);
    }
    task next = {.a = a->first[i], .b = b->first[j], .lane_a = ALL, .lane_b = ALL};
    if (a->count[i] > 0) {
        next.a = node_a;
        next.lane_a = (int8_t)i;
    }
    if (b->count[j] > 0) {
        next.b = node_b;
        next.lane_b = (int8_t)j;
    }
    base_assert(t->depth < STACK);
    t->stack[t->depth++] = next;
    return true;
}

/** A node against itself: every unordered pair of lanes once. */
static bool expand_self(traversal *t, uint32_t node, const unsigned hits[GEO_BVH_WIDTH])
{
    for (int j = 0; j < GEO_BVH_WIDTH; j++) {
        for (unsigned left = hits[j] & ((2u << j) - 1); left != 0; left &= left - 1) {
            if (!follow(t, node, __builtin_ctz(left), node, j)) {
                return false;
            }
        }
    }
    return true;
}

static bool expand(traversal *t, const task *pair)
{
    const unsigned lanes_a = pair->lane_a == ALL ? ~0u : 1u << pair->lane_a;
    const unsigned lanes_b = pair->lane_b == ALL ? ~0u : 1u << pair->lane_b;
    unsigned hits[GEO_BVH_WIDTH];
    compare_nodes(t, &t->a->nodes[pair->a], &t->b->nodes[pair->b], lanes_b, hits);
    if (t->a == t->b && !t->pose && pair->a == pair->b && pair->lane_a == ALL &&
        pair->lane_b == ALL) {
        return expand_self(t, pair->a, hits);
    }
    for (int j = 0; j < GEO_BVH_WIDTH; j++) {
        for (unsigned left = hits[j] & lanes_a; left != 0; left &= left - 1) {
            if (!follow(t, pair->a, __builtin_ctz(left), pair->b, j)) {
                return false;
            }
        }
    }
    return true;
}

bool geo_bvh_pairs(const geo_bvh *a, const geo_bvh *b, const geo_pose *pose,
                   geo_bvh_pair_visitor *visit, void *context)
{
    traversal t;
    t.a = a;
    t.b = b;
    t.pose = pose;
    t.visit = visit;
    t.context = context;
    if (pose) {
        const geo_pose inverse = geo_pose_inverse(pose);
        const double reach_a = geo_box_reach(a->box), reach_b = geo_box_reach(b->box);
        t.into_a = make_mapping(pose, reach_b);
        t.into_b = make_mapping(&inverse, reach_a);
    }
    t.depth = 1;
    t.stack[0] = (task){.a = 0, .b = 0, .lane_a = ALL, .lane_b = ALL};
    while (t.depth > 0) {
        const task next = t.stack[--t.depth];
        if (!expand(&t, &next)) {
            return false;
        }
    }
    return true;
}
