/*
 * Depth first through both hierarchies at once, nearest children first. A pair of nodes is bounded
 * by boxes along the axes of both frames and by disks. In a pair of leaves a pair of triangles has
 * to pass the direction between the nearest points so far, which separates nearly all that are
 * left, then its own boxes and the line of its centroids, before its distance is computed.
 */
#include "groundtruth/body.h"
#include "groundtruth/bounds.h"

#include "geometry/triangle.h"

enum {
    LEAF_MAX = GEO_BVH_LEAF_MAX,
    /* All pairs of the roots' children first; then a step replaces one entry by at most eight, and
     * goes one level down in one of the two. */
    STACK_MAX = GEO_BVH_WIDTH * GEO_BVH_WIDTH + 2 * GEO_BVH_DEPTH_MAX * (GEO_BVH_WIDTH - 1),
};

/** A child of a node: node * GEO_BVH_WIDTH + lane. */
typedef uint32_t child;

typedef struct pair {
    float bound2, order;
    child of[2]; /* of body a, of body b */
} pair;

typedef struct leaf {
    uint32_t first, count;
    geo_triangle triangles[LEAF_MAX]; /* in A's frame */
    geo_box boxes[LEAF_MAX];
    vec3 centroids[LEAF_MAX];
} leaf;

typedef struct search {
    const gt_body *body[2];
    const geo_pose *pose;
    gt_motion to_other[2]; /* to_other[i]: from the frame of body i into the other one */
    float margin;          /* of a gap: rounding of everything float, and of the pose */
    double slack;          /* of a projection in double */

    leaf leaf[2]; /* as last used */
    double best2, best;
    float best2_up; /* best2, rounded up */
    bool intersect;
    vec3 on[2];
    uint64_t tests;

    pair stack[STACK_MAX];
    size_t depth;
} search;

/* --- Triangles -------------------------------------------------------------------------------- */

static void load_leaf(search *s, int side, uint32_t first, uint32_t count)
{
    leaf *const l = &s->leaf[side];
    if (l->first == first && l->count == count) {
        return;
    }
    l->first = first;
    l->count = count;
    for (uint32_t i = 0; i < count; i++) {
        const geo_triangle given = s->body[side]->triangles[first + i];
        const geo_triangle t = side == 0 ? given : geo_pose_apply_triangle(s->pose, given);
        l->triangles[i] = t;
        l->boxes[i] = geo_box_of_triangle(t);
        l->centroids[i] = vec3_scale(1.0 / 3, vec3_add(vec3_add(t.p[0], t.p[1]), t.p[2]));
    }
}

static void set_best(search *s, double distance2, vec3 on_a, vec3 on_b)
{
    s->best2 = distance2;
    s->best = sqrt(distance2);
    s->best2_up = nextafterf((float)distance2, INFINITY);
    s->on[0] = on_a;
    s->on[1] = on_b;
}

/** Where an edge of s crosses the plane of t: the nearest to t of these points replaces *on_s. */
static double crossing(const geo_triangle *s, const geo_triangle *t, double best2, vec3 *on_s,
                       vec3 *on_t)
{
    const vec3 n = vec3_cross(vec3_sub(t->p[1], t->p[0]), vec3_sub(t->p[2], t->p[0]));
    double side[3];
    for (int i = 0; i < 3; i++) {
        side[i] = vec3_dot(n, vec3_sub(s->p[i], t->p[0]));
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        if ((side[i] > 0) != (side[j] > 0)) {
            const double at = side[i] / (side[i] - side[j]);
            const vec3 p = vec3_madd(s->p[i], at, vec3_sub(s->p[j], s->p[i]));
            const vec3 q = geo_triangle_closest(*t, p);
            const double d2 = vec3_distance2(p, q);
            if (d2 < best2) {
                best2 = d2;
                *on_s = p;
                *on_t = q;
            }
        }
    }
    return best2;
}

/** A common point of two triangles that intersect, up to rounding. */
static void set_intersection(search *s, const geo_triangle *a, const geo_triangle *b)
{
    vec3 on_a, on_b;
    double d2 = geo_triangle_distance2(*a, *b, &on_a, &on_b);
    d2 = crossing(a, b, d2, &on_a, &on_b);
    crossing(b, a, d2, &on_b, &on_a);
    s->intersect = true;
    set_best(s, 0, on_a, on_b);
}

static double largest3(double a, double b, double c)
{
    const double ab = a > b ? a : b;
    return ab > c ? ab : c;
}

/** How far a triangle reaches along u. */
static double reach_along(const geo_triangle *t, vec3 u)
{
    return largest3(vec3_dot(u, t->p[0]), vec3_dot(u, t->p[1]), vec3_dot(u, t->p[2]));
}

static double gap2(const geo_box *a, const geo_box *b)
{
    const vec3 zero = {0, 0, 0};
    return vec3_norm2(vec3_max(zero, vec3_max(vec3_sub(a->lo, b->hi), vec3_sub(b->lo, a->hi))));
}

/**
 * Is the pair certainly not nearer than the best? Never so for triangles that intersect, even when
 * a computed distance was rounded to 0 before.
 */
static bool apart(const search *s, uint32_t i, uint32_t j)
{
    const leaf *const a = &s->leaf[0], *const b = &s->leaf[1];
    const double boxes2 = gap2(&a->boxes[i], &b->boxes[j]);
    if (boxes2 > 0 && boxes2 >= s->best2) {
        return true;
    }
    const vec3 u = vec3_sub(b->centroids[j], a->centroids[i]);
    const double gap =
        -reach_along(&b->triangles[j], vec3_scale(-1, u)) - reach_along(&a->triangles[i], u);
    return gap > (s->best + s->slack) * vec3_norm(u);
}

/** Returns whether the pair is the best so far. */
static bool test_triangles(search *s, uint32_t i, uint32_t j)
{
    if (apart(s, i, j)) {
        return false;
    }
    const geo_triangle *const a = &s->leaf[0].triangles[i];
    const geo_triangle *const b = &s->leaf[1].triangles[j];
    s->tests++;
    if (geo_box_overlap(s->leaf[0].boxes[i], s->leaf[1].boxes[j]) &&
        geo_triangle_intersect(*a, *b)) {
        set_intersection(s, a, b);
        return true;
    }
    vec3 on_a, on_b;
    const double d2 = geo_triangle_distance2(*a, *b, &on_a, &on_b);
    if (!(d2 < s->best2)) {
        return false;
    }
    set_best(s, d2, on_a, on_b);
    return true;
}

static void test_leaves(search *s)
{
    const leaf *const a = &s->leaf[0], *const b = &s->leaf[1];
    double end_a[LEAF_MAX] = {0}, end_b[LEAF_MAX] = {0}; /* along the line of nearest points */
    bool stale = true;
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t j = 0; j < b->count && !s->intersect; j++) {
            if (stale) {
                const vec3 u = vec3_normalize(vec3_sub(s->on[1], s->on[0]));
                for (uint32_t k = 0; k < a->count; k++) {
                    end_a[k] = reach_along(&a->triangles[k], u);
                }
                for (uint32_t k = 0; k < b->count; k++) {
                    end_b[k] = -reach_along(&b->triangles[k], vec3_scale(-1, u));
                }
            }
            stale = !(end_b[j] - end_a[i] > s->best + s->slack) && test_triangles(s, i, j);
        }
    }
}

/* --- Traversal -------------------------------------------------------------------------------- */

static const geo_bvh_node *node_of(const search *s, int side, child which)
{
    return &s->body[side]->bvh.nodes[which / GEO_BVH_WIDTH];
}

/**
 * Pairs a child of one body, `fixed`, with all children of a node of the other body, on `side`.
 * Sorts them into the stack from `base` on, so that the nearest comes to the top.
 */
static void split(search *s, child fixed, int side, uint32_t number, size_t base)
{
    const int other = 1 - side;
    const uint32_t lane_fixed = fixed % GEO_BVH_WIDTH;
    const geo_bvh_node *const node = &s->body[side]->bvh.nodes[number];
    const gt_half_box box = gt_half_box_get(node_of(s, other, fixed), lane_fixed);
    const gt_half_box moved = gt_half_box_move(&s->to_other[other], &box);
    const gt_disk disk = gt_disk_get(&s->body[other]->disks[fixed / GEO_BVH_WIDTH], lane_fixed);
    const gt_motion *const m = &s->to_other[side];
    f32x8 order8;
    const f32x8 by_disk =
        gt_bound_disks(&s->body[side]->disks[number], m, &disk, s->margin, &order8);
    const f32x8 by_box = gt_bound_boxes(node, m, &box, &moved, s->margin);
    float bound2[GEO_BVH_WIDTH], order[GEO_BVH_WIDTH];
    f32x8_store(bound2, f32x8_max(by_box, by_disk));
    f32x8_store(order, order8);
    for (uint32_t lane = 0; lane < GEO_BVH_WIDTH; lane++) {
        if (!geo_bvh_lane_used(node, (int)lane) || !(bound2[lane] < s->best2_up)) {
            continue;
        }
        pair next = {.bound2 = bound2[lane], .order = order[lane]};
        next.of[side] = number * GEO_BVH_WIDTH + lane;
        next.of[other] = fixed;
        size_t at = s->depth++;
        while (at > base && s->stack[at - 1].order < next.order) {
            s->stack[at] = s->stack[at - 1];
            at--;
        }
        s->stack[at] = next;
    }
}

static float size_of(const geo_bvh_node *node, uint32_t lane)
{
    return (node->hi[0][lane] - node->lo[0][lane]) + (node->hi[1][lane] - node->lo[1][lane]) +
           (node->hi[2][lane] - node->lo[2][lane]);
}

static void visit(search *s, const pair *p)
{
    uint32_t first[2], count[2];
    float size[2];
    for (int side = 0; side < 2; side++) {
        const geo_bvh_node *const node = node_of(s, side, p->of[side]);
        const uint32_t lane = p->of[side] % GEO_BVH_WIDTH;
        first[side] = node->first[lane];
        count[side] = node->count[lane];
        size[side] = size_of(node, lane);
    }
    if (count[0] > 0 && count[1] > 0) {
        load_leaf(s, 0, first[0], count[0]);
        load_leaf(s, 1, first[1], count[1]);
        test_leaves(s);
    } else {
        const int side = count[0] > 0 || (count[1] == 0 && !(size[0] > size[1]));
        split(s, p->of[1 - side], side, first[side], s->depth);
    }
}

static void start(search *s, const gt_body *a, const gt_body *b, const geo_pose *pose)
{
    const geo_pose there = gt_origin_pose(a, b, pose);
    const geo_pose back = geo_pose_inverse(&there);
    const double reach = gt_pair_reach(a, b, pose) + b->reach;
    s->body[0] = a;
    s->body[1] = b;
    s->pose = pose;
    s->to_other[0] = gt_motion_make(&back);
    s->to_other[1] = gt_motion_make(&there);
    s->margin =
        gt_bounds_margin(a->span, b->span, vec3_norm(there.translation), 128 * DBL_EPSILON * reach);
    s->slack = 32 * DBL_EPSILON * reach;
    for (int side = 0; side < 2; side++) {
        s->leaf[side].first = UINT32_MAX;
        s->leaf[side].count = 0;
    }
    s->intersect = false;
    s->tests = 0;
    s->depth = 0;
    set_best(s, INFINITY, (vec3){0, 0, 0}, (vec3){0, 0, 0});
    for (uint32_t lane = 0; lane < GEO_BVH_WIDTH; lane++) {
        if (geo_bvh_lane_used(&a->bvh.nodes[0], (int)lane)) {
            split(s, lane, 1, 0, 0);
        }
    }
}

void gt_distance_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                       gt_distance *result)
{
    search s;
    start(&s, a, b, pose);
    while (s.depth > 0 && !s.intersect) {
        const pair p = s.stack[--s.depth];
        if (p.bound2 < s.best2_up) {
            visit(&s, &p);
        }
    }
    gt_distance_finish(a, b, pose, s.intersect, s.best2, result);
    result->witness_a = s.on[0];
    result->witness_b = s.on[1];
    result->triangle_tests = s.tests;
}
