#include "geometry/bvh.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/simd.h"
#include "geometry/lanes.h"
#include "geometry/pose.h"

#include <float.h>
#include <string.h>

/* --- Build ------------------------------------------------------------------------------------ */

enum {
    BINS = 16,
    /* Nodes from this level on split their ranges in half without reordering. This ends after 31
     * more levels for 2^31 primitives. Splits by area have not been observed to reach this
     * level. */
    HALVING_LEVEL = GEO_BVH_DEPTH_MAX - 32,
};

typedef struct bounds {
    float lo[3], hi[3];
} bounds;

/**
 * A primitive during the build. lo + hi, twice the centre of its box, is used as its centroid.
 */
typedef struct item {
    bounds box;
    uint32_t index;
} item;

/** The items [begin, end). */
typedef struct range {
    size_t begin, end;
    bounds box;
} range;

typedef struct builder {
    item *items;
    uint32_t leaf_size;
    geo_bvh_node *nodes;
    size_t node_count, node_capacity;
    base_error *err;
} builder;

static bounds bounds_empty(void)
{
    return (bounds){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void bounds_add(bounds *to, const bounds *box)
{
    for (int k = 0; k < 3; k++) {
        to->lo[k] = box->lo[k] < to->lo[k] ? box->lo[k] : to->lo[k];
        to->hi[k] = box->hi[k] > to->hi[k] ? box->hi[k] : to->hi[k];
    }
}

/** Returns half the surface area; 0 for an empty box. */
static double bounds_area(const bounds *box)
{
    if (!(box->lo[0] <= box->hi[0])) {
        return 0;
    }
    const double x = (double)box->hi[0] - (double)box->lo[0];
    const double y = (double)box->hi[1] - (double)box->lo[1];
    const double z = (double)box->hi[2] - (double)box->lo[2];
    return x * y + y * z + z * x;
}

static float centroid2(const item *it, int axis)
{
    return it->box.lo[axis] + it->box.hi[axis];
}

static range make_range(const item *items, size_t begin, size_t end)
{
    range r = {begin, end, bounds_empty()};
    for (size_t i = begin; i < end; i++) {
        bounds_add(&r.box, &items[i].box);
    }
    return r;
}

/** The mapping of positions along an axis to bins. */
typedef struct binning {
    int axis;
    float origin, scale; /* scale 0: the centroids are too close for a split along this axis */
} binning;

static binning make_binning(const item *items, const range *r, int axis)
{
    float lo = INFINITY, hi = -INFINITY;
    for (size_t i = r->begin; i < r->end; i++) {
        const float c = centroid2(&items[i], axis);
        lo = c < lo ? c : lo;
        hi = c > hi ? c : hi;
    }
    const float scale = (float)BINS / (hi - lo);
    return (binning){axis, lo, hi > lo && scale <= FLT_MAX ? scale : 0};
}

static int bin_of(const binning *b, const item *it)
{
    const int bin = (int)((centroid2(it, b->axis) - b->origin) * b->scale);
    return bin < BINS ? bin : BINS - 1;
}

/**
 * Returns the smallest cost of a cut along one axis, infinity if there is no cut. The cost is the
 * sum of area times count over both sides. *cut: the first bin after the cut.
 */
static double best_cut(const item *items, const range *r, const binning *b, int *cut)
{
    bounds box[BINS];
    size_t count[BINS] = {0};
    for (int i = 0; i < BINS; i++) {
        box[i] = bounds_empty();
    }
    for (size_t i = r->begin; i < r->end; i++) {
        const int bin = bin_of(b, &items[i]);
        bounds_add(&box[bin], &items[i].box);
        count[bin]++;
    }
    double cost_above[BINS];
    bounds above = bounds_empty();
    size_t n = 0;
    for (int i = BINS - 1; i > 0; i--) {
        bounds_add(&above, &box[i]);
        n += count[i];
        cost_above[i] = bounds_area(&above) * (double)n;
    }
    double best = INFINITY;
    bounds below = bounds_empty();
    n = 0;
    for (int i = 1; i < BINS; i++) {
        bounds_add(&below, &box[i - 1]);
        n += count[i - 1];
        const double cost = bounds_area(&below) * (double)n + cost_above[i];
        if (n > 0 && n < r->end - r->begin && cost < best) {
            best = cost;
            *cut = i;
        }
    }
    return best;
}

/** Moves the items below the cut to the front; returns the index of the first of the others. */
static size_t partition(item *items, const range *r, const binning *b, int cut)
{
    size_t middle = r->begin;
    for (size_t i = r->begin; i < r->end; i++) {
        if (bin_of(b, &items[i]) < cut) {
            const item moved = items[i];
            items[i] = items[middle];
            items[middle++] = moved;
        }
    }
    return middle;
}

/** Cuts a range of two or more items into two nonempty ranges. */
static void split(const builder *b, const range *r, int level, range *left, range *right)
{
    binning best_binning = {0};
    int best = 0;
    double best_cost = INFINITY;
    for (int axis = 0; axis < 3 && level < HALVING_LEVEL; axis++) {
        const binning along = make_binning(b->items, r, axis);
        int cut = 0;
        const double cost =
            along.scale > 0 ? best_cut(b->items, r, &along, &cut) : (double)INFINITY;
        if (cost < best_cost) {
            best_cost = cost;
            best = cut;
            best_binning = along;
        }
    }
    const size_t middle =
        best > 0 ? partition(b->items, r, &best_binning, best) : r->begin + (r->end - r->begin) / 2;
    *left = make_range(b->items, r->begin, middle);
    *right = make_range(b->items, middle, r->end);
}

/**
 * Returns the index of the range of largest area among those with more than `least` items; -1 if
 * there is no such range.
 */
static int widest(const range *ranges, int count, size_t least)
{
    int found = -1;
    double largest = -1;
    for (int i = 0; i < count; i++) {
        const double area = bounds_area(&ranges[i].box);
        if (ranges[i].end - ranges[i].begin > least && area > largest) {
            largest = area;
            found = i;
        }
    }
    return found;
}

static int split_to_width(const builder *b, const range *whole, int level,
                          range ranges[GEO_BVH_WIDTH])
{
    int count = 1;
    ranges[0] = *whole;
    while (count < GEO_BVH_WIDTH) {
        int chosen = widest(ranges, count, b->leaf_size);
        if (chosen < 0 && count > 1) {
            chosen = widest(ranges, count, 1); /* there are free lanes, so smaller leaves cost
                                                * nothing */
        }
        if (chosen < 0) {
            break;
        }
        const range parent = ranges[chosen];
        split(b, &parent, level, &ranges[chosen], &ranges[count]);
        count++;
    }
    return count;
}

static base_status build_node(builder *b, const range *whole, int level)
{
    base_assert(level < GEO_BVH_DEPTH_MAX);
    const base_status grown = base_reserve(b->nodes, b->node_capacity, b->node_count + 1, b->err);
    if (grown != BASE_OK) {
        return grown;
    }
    const size_t self = b->node_count++;
    range ranges[GEO_BVH_WIDTH];
    const int count = split_to_width(b, whole, level, ranges);
    const bounds empty = bounds_empty();
    for (int lane = 0; lane < GEO_BVH_WIDTH; lane++) {
        const bounds *const box = lane < count ? &ranges[lane].box : &empty;
        for (int k = 0; k < 3; k++) {
            b->nodes[self].lo[k][lane] = box->lo[k];
            b->nodes[self].hi[k][lane] = box->hi[k];
        }
    }
    for (int lane = 0; lane < count; lane++) {
        const size_t items = ranges[lane].end - ranges[lane].begin;
        if (items <= b->leaf_size) {
            b->nodes[self].first[lane] = (uint32_t)ranges[lane].begin;
            b->nodes[self].count[lane] = (uint32_t)items;
            continue;
        }
        b->nodes[self].first[lane] = (uint32_t)b->node_count;
        const base_status status = build_node(b, &ranges[lane], level + 1);
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

/** Fills the items with boxes in float, rounded outwards; returns the exact box of all. */
static geo_box fill_items(const geo_box *boxes, size_t count, item *items)
{
    geo_box all = geo_box_empty();
    for (size_t i = 0; i < count; i++) {
        all = geo_box_join(all, boxes[i]);
        items[i].index = (uint32_t)i;
        for (int k = 0; k < 3; k++) {
            base_assert(fabs(vec3_get(boxes[i].lo, k)) <= GEO_BVH_COORDINATE_MAX);
            base_assert(fabs(vec3_get(boxes[i].hi, k)) <= GEO_BVH_COORDINATE_MAX);
            items[i].box.lo[k] = base_float_below(vec3_get(boxes[i].lo, k));
            items[i].box.hi[k] = base_float_above(vec3_get(boxes[i].hi, k));
        }
    }
    return all;
}

base_status geo_bvh_build(const geo_box *boxes, size_t count, uint32_t leaf_size, base_arena *arena,
                          geo_bvh *bvh, base_error *err)
{
    base_assert(count >= 1 && count <= INT32_MAX);
    base_assert(leaf_size >= 1 && leaf_size <= GEO_BVH_LEAF_MAX);
    *bvh = (geo_bvh){0};
    builder b = {.items = base_alloc(count, sizeof(item)), .leaf_size = leaf_size, .err = err};
    if (!b.items) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the hierarchy of %zu boxes",
                         count);
    }
    const geo_box all = fill_items(boxes, count, b.items);
    const range whole = make_range(b.items, 0, count);
    base_status status = build_node(&b, &whole, 0);
    if (status != BASE_OK) {
        goto done;
    }
    geo_bvh_node *const nodes = base_arena_alloc(arena, b.node_count, sizeof *nodes);
    uint32_t *const order = base_arena_alloc(arena, count, sizeof *order);
    if (!nodes || !order) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for a hierarchy of %zu nodes",
                           b.node_count);
        goto done;
    }
    memcpy(nodes, b.nodes, b.node_count * sizeof *nodes);
    for (size_t i = 0; i < count; i++) {
        order[i] = b.items[i].index;
    }
    *bvh = (geo_bvh){nodes, (uint32_t)b.node_count, order, (uint32_t)count, all};
done:
    base_free(b.nodes);
    base_free(b.items);
    return status;
}

/* --- Pairs ------------------------------------------------------------------------------------ */

/*
 * A point p_B of B's frame is p_A = R p_B + t in A's frame. The boxes of A are also enclosed in
 * boxes along the axes of B's frame, and those of B in boxes along the axes of A's frame. Two boxes
 * do not overlap if they are apart in either frame.
 */

/* Float arithmetic in a transform has at most 14 roundings of 2^-24 each, relative to the sum of
 * the absolute values of its terms, which is at most 3 reach + |t|. */
#define MARGIN 0x1p-20

enum {
    /* At most GEO_BVH_DEPTH_MAX steps descend in both trees and push 64 pairs each. At most twice
     * as many descend in one tree and push 8 pairs each. */
    STACK = GEO_BVH_DEPTH_MAX * GEO_BVH_WIDTH * (GEO_BVH_WIDTH + 2),
    ALL = -1,
};

/** Compares nodes a and b. A lane other than ALL restricts the node to that lane, a leaf. */
typedef struct task {
    uint32_t a, b;
    int8_t lane_a, lane_b;
} task;

typedef struct boxes8 {
    f32x8 lo[3], hi[3];
} boxes8;

/** The map x -> matrix x + offset in float. A box is mapped to a box that encloses its image. */
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

/** Maps boxes. Unused lanes become NaN, which overlaps nothing. */
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

/** Returns the mask of the boxes that overlap box `lane` of `other`. */
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

/**
 * Sets hits[j] to the lanes of node a that may overlap lane j of node b, for j in lanes_b; else to
 * 0.
 */
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

/**
 * Handles lane i of node a and lane j of node b, which may overlap: visits the pair if both are
 * leaves, else pushes it on the stack.
 */
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

static bool expand(traversal *t, const task *pair)
{
    const unsigned lanes_a = pair->lane_a == ALL ? ~0u : 1u << pair->lane_a;
    const unsigned lanes_b = pair->lane_b == ALL ? ~0u : 1u << pair->lane_b;
    unsigned hits[GEO_BVH_WIDTH];
    compare_nodes(t, &t->a->nodes[pair->a], &t->b->nodes[pair->b], lanes_b, hits);
    /* If a node is compared with itself, every unordered pair of lanes is followed once. */
    const bool itself = t->a == t->b && !t->pose && pair->a == pair->b && pair->lane_a == ALL &&
                        pair->lane_b == ALL;
    for (int j = 0; j < GEO_BVH_WIDTH; j++) {
        const unsigned others = itself ? (2u << j) - 1 : lanes_a;
        for (unsigned left = hits[j] & others; left != 0; left &= left - 1) {
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

/* --- Bounding cylinders of triangles ---------------------------------------------------------- */

/* Factor of a unit normal, so that the normal is not longer than 1 after it is rounded to float. */
#define SHORTEN (1 - 0x1p-22)
/* Factor of the measured sizes of a cylinder. It far exceeds their rounding errors in double. */
#define WIDEN (1 + 0x1p-40)

enum { CIRCLE_PASSES = 32 };

/**
 * Returns the area-weighted mean normal. If the weighted normals cancel, as those of a closed
 * surface do, it returns any direction; a cylinder is then of little use.
 */
static vec3 mean_normal(const geo_triangle *triangles, size_t count)
{
    vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        const geo_triangle *const t = &triangles[i];
        sum = vec3_add(sum, vec3_cross(vec3_sub(t->p[1], t->p[0]), vec3_sub(t->p[2], t->p[0])));
    }
    const vec3 unit = vec3_normalize(sum);
    return vec3_norm2(unit) > 0.5 ? unit : (vec3){0, 0, 1};
}

/** Returns a unit vector orthogonal to n and to the axis along which n is smallest. */
static vec3 across(vec3 n)
{
    const vec3 a = vec3_abs(n);
    const vec3 axis = a.x <= a.y && a.x <= a.z ? (vec3){1, 0, 0}
                      : a.y <= a.z             ? (vec3){0, 1, 0}
                                               : (vec3){0, 0, 1};
    return vec3_normalize(vec3_cross(n, axis));
}

static vec3 to_float(vec3 v)
{
    return (vec3){(double)(float)v.x, (double)(float)v.y, (double)(float)v.z};
}

/* --- The smallest circle ---------------------------------------------------------------------- */

typedef struct point2 {
    double x, y;
} point2;

typedef struct circle {
    point2 centre;
    double radius2;
    point2 on[3]; /* the points that define the circle */
    int count;
} circle;

static double away2(point2 p, point2 q)
{
    return (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y);
}

/**
 * Returns the circle through two or three points; the radius is infinite if three points are
 * collinear.
 */
static circle circle_through(const point2 *on, int count)
{
    circle c = {.count = count};
    for (int i = 0; i < count; i++) {
        c.on[i] = on[i];
    }
    const point2 u = {on[1].x - on[0].x, on[1].y - on[0].y};
    c.centre = (point2){on[0].x + 0.5 * u.x, on[0].y + 0.5 * u.y};
    c.radius2 = away2(c.centre, on[0]);
    if (count == 3) {
        const point2 v = {on[2].x - on[0].x, on[2].y - on[0].y};
        const double cross = 2 * (u.x * v.y - u.y * v.x);
        const double u2 = u.x * u.x + u.y * u.y, v2 = v.x * v.x + v.y * v.y;
        const point2 e = {(v.y * u2 - u.y * v2) / cross, (u.x * v2 - v.x * u2) / cross};
        c.centre = (point2){on[0].x + e.x, on[0].y + e.y};
        c.radius2 = cross != 0 ? e.x * e.x + e.y * e.y : (double)INFINITY;
    }
    return c;
}

/** Returns the smallest circle through p that contains the points which define c. */
static circle circle_with(const circle *c, point2 p)
{
    circle best = {.radius2 = (double)INFINITY};
    for (int i = 0; i < c->count; i++) {
        for (int j = i; j < c->count; j++) {
            const point2 on[3] = {p, c->on[i], c->on[j]};
            const circle next = circle_through(on, i == j ? 2 : 3);
            bool holds = next.radius2 < best.radius2;
            for (int k = 0; k < c->count; k++) {
                holds = holds && away2(next.centre, c->on[k]) <= next.radius2 * (1 + 1e-8);
            }
            best = holds ? next : best;
        }
    }
    return best;
}

/**
 * Returns the centre of the smallest circle around all corners, projected along axis[2], relative
 * to triangles[0].p[0]. As long as a corner is outside, the farthest one is added to the circle. If
 * rounding or the limit of passes ends this early, the centre is only nearly the best one. The
 * caller measures the radius.
 */
static point2 middle_across(const geo_triangle *triangles, size_t count, const vec3 axis[3])
{
    const vec3 origin = triangles[0].p[0];
    circle c = {.radius2 = 0, .count = 1};
    for (int pass = 0; pass < CIRCLE_PASSES; pass++) {
        point2 farthest = c.centre;
        double most2 = c.radius2 * (1 + 1e-6);
        for (size_t i = 0; i < 3 * count; i++) {
            const vec3 e = vec3_sub(triangles[i / 3].p[i % 3], origin);
            const point2 p = {vec3_dot(axis[0], e), vec3_dot(axis[1], e)};
            const double d2 = away2(c.centre, p);
            if (d2 > most2) {
                most2 = d2;
                farthest = p;
            }
        }
        const circle next = circle_with(&c, farthest);
        if (!(next.radius2 > c.radius2 && next.radius2 <= most2)) {
            break;
        }
        c = next;
    }
    return c.centre;
}

/**
 * Returns the centre of the cylinder. Across the normal axis[2] it is the centre of the smallest
 * circle; along the normal it is the middle of the extent.
 */
static vec3 middle(const geo_triangle *triangles, size_t count, const vec3 axis[3])
{
    const vec3 origin = triangles[0].p[0];
    double lo = 0, hi = 0;
    for (size_t i = 0; i < 3 * count; i++) {
        const double z = vec3_dot(axis[2], vec3_sub(triangles[i / 3].p[i % 3], origin));
        lo = z < lo ? z : lo;
        hi = z > hi ? z : hi;
    }
    const point2 across = middle_across(triangles, count, axis);
    const vec3 offset = vec3_madd(vec3_scale(across.x, axis[0]), across.y, axis[1]);
    return vec3_add(origin, vec3_madd(offset, 0.5 * (lo + hi), axis[2]));
}

/* --- Cylinders -------------------------------------------------------------------------------- */

void geo_cylinder_fit(const geo_triangle *triangles, size_t count, geo_cylinder_node *node,
                      int lane)
{
    vec3 axis[3];
    axis[2] = mean_normal(triangles, count);
    axis[0] = across(axis[2]);
    axis[1] = vec3_cross(axis[2], axis[0]);
    const vec3 centre = to_float(middle(triangles, count, axis));
    const vec3 normal = to_float(vec3_scale(SHORTEN, axis[2]));
    const vec3 unit = vec3_normalize(normal);
    double thickness = 0, radius2 = 0;
    for (size_t i = 0; i < 3 * count; i++) {
        const vec3 e = vec3_sub(triangles[i / 3].p[i % 3], centre);
        thickness = base_larger(fabs(vec3_dot(normal, e)), thickness);
        radius2 = base_larger(vec3_norm2(vec3_cross(unit, e)), radius2);
    }
    for (int k = 0; k < 3; k++) {
        node->centre[k][lane] = (float)vec3_get(centre, k);
        node->normal[k][lane] = (float)vec3_get(normal, k);
    }
    node->thickness[lane] = base_float_above(thickness * WIDEN);
    node->radius[lane] = base_float_above(sqrt(radius2) * WIDEN);
}

/** Triangles [begin, end), in leaf order. */
typedef struct leaf_range {
    uint32_t begin, end;
} leaf_range;

/** Fills the node and those below it; returns its triangles, which are contiguous. */
static leaf_range fill_node(const geo_bvh *bvh, const geo_triangle *triangles, uint32_t index,
                            geo_cylinder_node *cylinders)
{
    const geo_bvh_node *const node = &bvh->nodes[index];
    leaf_range all = {UINT32_MAX, 0};
    for (int lane = 0; lane < GEO_BVH_WIDTH && geo_bvh_lane_used(node, lane); lane++) {
        const uint32_t first = node->first[lane], count = node->count[lane];
        const leaf_range here = count > 0 ? (leaf_range){first, first + count}
                                          : fill_node(bvh, triangles, first, cylinders);
        geo_cylinder_fit(&triangles[here.begin], here.end - here.begin, &cylinders[index], lane);
        all.begin = here.begin < all.begin ? here.begin : all.begin;
        all.end = here.end > all.end ? here.end : all.end;
    }
    return all;
}

base_status geo_cylinders_build(const geo_bvh *bvh, const geo_triangle *triangles,
                                base_arena *arena, geo_cylinder_node **cylinders, base_error *err)
{
    *cylinders = base_arena_alloc(arena, bvh->node_count, sizeof **cylinders);
    if (!*cylinders) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the cylinders of %u nodes",
                         bvh->node_count);
    }
    fill_node(bvh, triangles, 0, *cylinders);
    return BASE_OK;
}

/* --- The ball nearest to a point -------------------------------------------------------------- */

/* Factor of a squared distance. It covers the 5 roundings in float of the bound of a box. */
static const double bound_slack = 1 + 0x1p-20;

typedef struct search {
    const geo_nearest *balls;
    vec3 point;
    geo_point8 rounded; /* point */
    double gap;         /* |p - c| - r of the nearest so far */
    uint32_t ball;
    uint32_t except; /* this ball is skipped; GEO_NEAREST_NONE: no ball is skipped */
    float limit;     /* boxes with a larger squared bound contain no ball that is nearer or equally
                  * near */
} search;

static void try_ball(search *s, uint32_t ball)
{
    if (ball == s->except) {
        return;
    }
    const double gap = vec3_distance(s->point, s->balls->centres[ball]) - s->balls->radii[ball];
    if (gap < s->gap || (gap == s->gap && ball < s->ball)) {
        s->gap = gap;
        s->ball = ball;
        const double reach2 = gap > 0 ? gap * gap * bound_slack : 0;
        s->limit = base_float_above(reach2 + (double)FLT_MIN);
    }
}

/** A child that remains to be searched. */
typedef struct subtree {
    float bound;
    uint32_t first, count; /* as in a node's lane */
} subtree;

/** Pushes the lanes within the limit on the stack, the nearest on top; returns the new height. */
static size_t push_lanes(const search *s, const geo_bvh_node *node, subtree *stack, size_t top)
{
    const f32x8 distance2 = geo_point8_distance2(&s->rounded, node->lo, node->hi);
    float bound[GEO_BVH_WIDTH];
    f32x8_store(bound, distance2);
    const size_t base = top;
    /* Unused lanes are infinitely far away. */
    for (unsigned left = m32x8_bits(f32x8_le(distance2, f32x8_set(s->limit))); left;
         left &= left - 1) {
        const int lane = __builtin_ctz(left);
        size_t at = top++;
        for (; at > base && stack[at - 1].bound < bound[lane]; at--) {
            stack[at] = stack[at - 1];
        }
        stack[at] = (subtree){bound[lane], node->first[lane], node->count[lane]};
    }
    return top;
}

static uint32_t find(const geo_nearest *nearest, vec3 p, uint32_t except, uint32_t hint,
                     double *gap)
{
    search s = {.balls = nearest,
                .point = p,
                .rounded = geo_point8_of(p),
                .gap = INFINITY,
                .ball = GEO_NEAREST_NONE,
                .except = except,
                .limit = FLT_MAX};
    if (hint != GEO_NEAREST_NONE) {
        try_ball(&s, hint);
    }
    subtree stack[GEO_BVH_DEPTH_MAX * GEO_BVH_WIDTH];
    size_t top = push_lanes(&s, &nearest->bvh.nodes[0], stack, 0);
    while (top > 0) {
        const subtree t = stack[--top];
        if (t.bound > s.limit) {
            continue;
        }
        if (t.count == 0) {
            top = push_lanes(&s, &nearest->bvh.nodes[t.first], stack, top);
        }
        for (uint32_t i = 0; i < t.count; i++) {
            try_ball(&s, nearest->bvh.order[t.first + i]);
        }
    }
    *gap = s.gap;
    return s.ball;
}

uint32_t geo_nearest_find(const geo_nearest *nearest, vec3 p, uint32_t hint, double *gap)
{
    return find(nearest, p, GEO_NEAREST_NONE, hint, gap);
}

uint32_t geo_nearest_other(const geo_nearest *nearest, uint32_t ball, uint32_t hint, double *gap)
{
    return find(nearest, nearest->centres[ball], ball, hint, gap);
}

base_status geo_nearest_build(const vec3 *centres, const double *radii, size_t count,
                              base_arena *arena, geo_nearest *nearest, base_error *err)
{
    base_assert(count > 0);
    *nearest = (geo_nearest){.centres = centres, .radii = radii};
    geo_box *const boxes = base_alloc(count, sizeof *boxes);
    if (!boxes) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu balls", count);
    }
    for (size_t i = 0; i < count; i++) {
        const vec3 r = {radii[i], radii[i], radii[i]};
        boxes[i] = (geo_box){vec3_sub(centres[i], r), vec3_add(centres[i], r)};
    }
    const base_status status =
        geo_bvh_build(boxes, count, GEO_BVH_LEAF_MAX, arena, &nearest->bvh, err);
    base_free(boxes);
    return status;
}
