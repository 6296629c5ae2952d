/*
 * If two triangles move past each other, they are in contact during one interval of translations.
 * The surfaces are in contact during the union of the intervals of all pairs. Between two stretches
 * of the union, the bodies are apart or one of them is inside the other. The union is traversed
 * from 0 on: the pairs in contact at a translation tell how far the contact lasts, until no pair
 * extends it.
 */
#include "groundtruth/depth/separation.h"

#include "base/elementary.h"
#include "base/simd.h"
#include "geometry/pose.h"
#include "groundtruth/body/body.h"
#include "groundtruth/depth/depth.h"

#include <float.h>

/* If a component of the direction is smaller than this, the body counts as not moving along that
 * axis. */
#define STANDSTILL 1e-6F

/* Rounding error of boxes in float, relative to the lengths involved; generous. */
#define ROUNDING 48

/* --- Two triangles ---------------------------------------------------------------------------- */

typedef struct cut {
    vec3 a[3], b[3], u;
    double widen;
    gt_interval left;
} cut;

static gt_interval project(const vec3 p[3], vec3 axis)
{
    const double x = vec3_dot(axis, p[0]), y = vec3_dot(axis, p[1]), z = vec3_dot(axis, p[2]);
    const double lo = x < y ? x : y, hi = x < y ? y : x;
    return (gt_interval){lo < z ? lo : z, hi > z ? hi : z};
}

/**
 * Restricts c->left to the translations at which the projections on the axis overlap. Returns false
 * if none remain.
 */
static bool cut_by(cut *c, vec3 axis)
{
    const double length = vec3_norm(axis);
    if (!(length > 0)) {
        return true;
    }
    const vec3 n = vec3_scale(1 / length, axis);
    const gt_interval a = project(c->a, n), b = project(c->b, n);
    const double speed = vec3_dot(n, c->u);
    const double down = a.from - c->widen - b.to, up = a.to + c->widen - b.from;
    if (speed == 0) {
        c->left.to = down <= 0 && up >= 0 ? c->left.to : -(double)INFINITY;
        return c->left.from <= c->left.to;
    }
    const double first = (speed > 0 ? down : up) / speed, last = (speed > 0 ? up : down) / speed;
    c->left.from = first > c->left.from ? first : c->left.from;
    c->left.to = last < c->left.to ? last : c->left.to;
    return c->left.from <= c->left.to;
}

static bool cut_by_all(cut *c)
{
    for (int k = 0; k < 3; k++) {
        if (!cut_by(c, (vec3){k == 0, k == 1, k == 2})) {
            return false;
        }
    }
    vec3 edges_a[3], edges_b[3];
    for (int k = 0; k < 3; k++) {
        edges_a[k] = vec3_sub(c->a[(k + 1) % 3], c->a[k]);
        edges_b[k] = vec3_sub(c->b[(k + 1) % 3], c->b[k]);
    }
    const vec3 normal_a = vec3_cross(edges_a[0], edges_a[1]);
    const vec3 normal_b = vec3_cross(edges_b[0], edges_b[1]);
    if (!cut_by(c, normal_a) || !cut_by(c, normal_b)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        /* These axes are in the planes of the triangles. They are needed if the triangles are
         * parallel. */
        if (!cut_by(c, vec3_cross(normal_a, edges_a[i])) ||
            !cut_by(c, vec3_cross(normal_b, edges_b[i]))) {
            return false;
        }
        for (int j = 0; j < 3; j++) {
            if (!cut_by(c, vec3_cross(edges_a[i], edges_b[j]))) {
                return false;
            }
        }
    }
    return true;
}

gt_interval gt_contact_interval(const geo_triangle *a, const geo_triangle *b, vec3 u, double widen)
{
    const gt_interval none = {1, 0};
    cut c = {.u = u, .widen = widen, .left = {-(double)INFINITY, (double)INFINITY}};
    for (int k = 0; k < 3; k++) {
        c.a[k] = vec3_sub(a->p[k], a->p[0]);
        c.b[k] = vec3_sub(b->p[k], a->p[0]);
    }
    return cut_by_all(&c) ? c.left : none;
}

/* --- Two surfaces -------------------------------------------------------------------------------
 *
 * Both hierarchies are traversed at once, depth first, and of the children the most promising pair
 * first. Pairs of boxes have intervals of contact, too. They are computed in float and widened, so
 * that the interval of two boxes contains the intervals of all pairs of triangles in them.
 */

enum {
    SWEEP_STACK = GEO_BVH_WIDTH * GEO_BVH_WIDTH + 2 * GEO_BVH_DEPTH_MAX * (GEO_BVH_WIDTH - 1),
};

typedef enum question {
    SWEEP_REACH, /* the farthest end of the contacts of pairs that are in contact at a
                  * translation */
    SWEEP_NEXT,  /* the start of the next contact that starts after a translation */
    SWEEP_LAST,  /* the end of the last contact */
} question;

/**
 * A child of A's hierarchy and one of B's (node * GEO_BVH_WIDTH + lane), and the translations at
 * which their boxes may meet.
 */
typedef struct sweep_pair {
    float from, to;
    uint32_t of[2];
} sweep_pair;

/** A transform from the frame of one hierarchy to that of the other. size: the absolute values of
 * r. */
typedef struct frame_change {
    float r[3][3], size[3][3], t[3];
} frame_change;

typedef struct sweep {
    const gt_body *body[2];
    const geo_pose *pose;
    vec3 along;   /* unit; A's frame */
    double widen; /* widening as in gt_contact_interval; set by the caller */
    frame_change to_other[2];
    float step[2][3];    /* `along` in the frames of A and of B */
    float margin, drift; /* rounding error of boxes; and the largest motion along an axis that
                          * counts as standing still */

    question asked;
    double at, best;
    uint64_t tests; /* number of tests of pairs of triangles, over all questions */

    sweep_pair stack[SWEEP_STACK];
    size_t depth;
} sweep;

/** Centre and half edges of a box. */
typedef struct half_box {
    float c[3], e[3];
} half_box;

static half_box get_box(const geo_bvh_node *node, uint32_t lane)
{
    half_box box;
    for (int k = 0; k < 3; k++) {
        box.c[k] = 0.5F * (node->lo[k][lane] + node->hi[k][lane]);
        box.e[k] = 0.5F * (node->hi[k][lane] - node->lo[k][lane]);
    }
    return box;
}

static half_box move_box(const frame_change *m, const half_box *box)
{
    half_box moved;
    for (int i = 0; i < 3; i++) {
        moved.c[i] = m->t[i];
        moved.e[i] = 0;
        for (int k = 0; k < 3; k++) {
            moved.c[i] += m->r[i][k] * box->c[k];
            moved.e[i] += m->size[i][k] * box->e[k];
        }
    }
    return moved;
}

static frame_change make_change(const geo_pose *pose)
{
    frame_change m;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            m.r[i][k] = (float)vec3_get(pose->rotation.row[i], k);
            m.size[i][k] = fabsf(m.r[i][k]);
        }
        m.t[i] = (float)vec3_get(pose->translation, i);
    }
    return m;
}

/* --- One question ----------------------------------------------------------------------------- */

/** True if this interval of contact of two triangles or two boxes may change the answer. */
static bool matters(const sweep *s, double from, double to)
{
    switch (s->asked) {
    case SWEEP_REACH:
        return from <= s->best && to > s->best;
    case SWEEP_NEXT:
        return from < s->best && to > s->at;
    default:
        return to > s->best;
    }
}

static void take(sweep *s, gt_interval contact)
{
    s->tests++;
    if (contact.from <= contact.to && matters(s, contact.from, contact.to)) {
        if (s->asked != SWEEP_NEXT) {
            s->best = contact.to;
        } else if (contact.from > s->at) {
            s->best = contact.from;
        }
    }
}

static void test_leaves(sweep *s, const geo_bvh_node *a, uint32_t lane_a, const geo_bvh_node *b,
                        uint32_t lane_b)
{
    for (uint32_t j = 0; j < b->count[lane_b]; j++) {
        const geo_triangle t =
            geo_pose_apply_triangle(s->pose, s->body[1]->triangles[b->first[lane_b] + j]);
        for (uint32_t i = 0; i < a->count[lane_a]; i++) {
            const geo_triangle *const u = &s->body[0]->triangles[a->first[lane_a] + i];
            take(s, gt_contact_interval(u, &t, s->along, s->widen));
        }
    }
}

typedef struct span8 {
    f32x8 from, to;
} span8;

/**
 * Restricts the span to the translations with |apart - t step| <= reach. apart: the centres of A's
 * boxes minus those of B's.
 */
static span8 cut_span(const sweep *s, span8 span, f32x8 apart, f32x8 reach, float step)
{
    if (fabsf(step) < STANDSTILL) {
        const f32x8 most = f32x8_add(reach, f32x8_set(s->drift));
        const m32x8 meet = f32x8_le(f32x8_abs(apart), most);
        span.to = f32x8_select(meet, span.to, f32x8_set(-INFINITY));
        return span;
    }
    const f32x8 centre = f32x8_div(apart, f32x8_set(step));
    const f32x8 half = f32x8_div(reach, f32x8_set(fabsf(step)));
    span.from = f32x8_max(span.from, f32x8_sub(centre, half));
    span.to = f32x8_min(span.to, f32x8_add(centre, half));
    return span;
}

/**
 * Returns the translations for which the children of a node on `side` may be in contact with a box
 * of the other body.
 */
static span8 contact_span(const sweep *s, const geo_bvh_node *node, int side, const half_box *fixed,
                          const half_box *moved)
{
    const frame_change *const m = &s->to_other[side];
    const f32x8 sign = f32x8_set(side == 0 ? 1.0F : -1.0F), half = f32x8_set(0.5F);
    span8 span = {f32x8_set(-INFINITY), f32x8_set(INFINITY)};
    f32x8 c[3], e[3];
    for (int k = 0; k < 3; k++) {
        const f32x8 lo = f32x8_load(node->lo[k]), hi = f32x8_load(node->hi[k]);
        c[k] = f32x8_mul(half, f32x8_add(lo, hi));
        e[k] = f32x8_mul(half, f32x8_sub(hi, lo));
        const f32x8 apart = f32x8_mul(sign, f32x8_sub(c[k], f32x8_set(moved->c[k])));
        const f32x8 reach = f32x8_add(e[k], f32x8_set(moved->e[k] + s->margin));
        span = cut_span(s, span, apart, reach, s->step[side][k]);
    }
    for (int i = 0; i < 3; i++) {
        f32x8 centre = f32x8_set(m->t[i]), reach = f32x8_set(fixed->e[i] + s->margin);
        for (int k = 0; k < 3; k++) {
            centre = f32x8_add(centre, f32x8_mul(f32x8_set(m->r[i][k]), c[k]));
            reach = f32x8_add(reach, f32x8_mul(f32x8_set(m->size[i][k]), e[k]));
        }
        const f32x8 apart = f32x8_mul(sign, f32x8_sub(centre, f32x8_set(fixed->c[i])));
        span = cut_span(s, span, apart, reach, s->step[1 - side][i]);
    }
    return span;
}

/** True if x is to be visited after y. */
static bool later(const sweep *s, const sweep_pair *x, const sweep_pair *y)
{
    return s->asked == SWEEP_NEXT ? x->from > y->from : x->to < y->to;
}

/**
 * Pairs a child of one body with all children of a node of the other body, which is body `side`.
 */
static void split(sweep *s, uint32_t fixed, int side, uint32_t number, size_t base)
{
    const int other = 1 - side;
    const geo_bvh_node *const node = &s->body[side]->bvh.nodes[number];
    const geo_bvh_node *const home = &s->body[other]->bvh.nodes[fixed / GEO_BVH_WIDTH];
    const half_box box = get_box(home, fixed % GEO_BVH_WIDTH);
    const half_box moved = move_box(&s->to_other[other], &box);
    const span8 span = contact_span(s, node, side, &box, &moved);
    float from[GEO_BVH_WIDTH], to[GEO_BVH_WIDTH];
    f32x8_store(from, span.from);
    f32x8_store(to, span.to);
    for (uint32_t lane = 0; lane < GEO_BVH_WIDTH; lane++) {
        if (!geo_bvh_lane_used(node, (int)lane) || !(from[lane] <= to[lane]) ||
            !matters(s, (double)from[lane], (double)to[lane])) {
            continue;
        }
        sweep_pair next = {.from = from[lane], .to = to[lane]};
        next.of[side] = number * GEO_BVH_WIDTH + lane;
        next.of[other] = fixed;
        size_t at = s->depth++;
        while (at > base && later(s, &s->stack[at - 1], &next)) {
            at--;
        }
        for (size_t k = s->depth - 1; k > at; k--) {
            s->stack[k] = s->stack[k - 1];
        }
        s->stack[at] = next;
    }
}

static float size_of(const geo_bvh_node *node, uint32_t lane)
{
    return (node->hi[0][lane] - node->lo[0][lane]) + (node->hi[1][lane] - node->lo[1][lane]) +
           (node->hi[2][lane] - node->lo[2][lane]);
}

static void visit(sweep *s, const sweep_pair *p)
{
    const geo_bvh_node *node[2];
    uint32_t lane[2];
    for (int side = 0; side < 2; side++) {
        node[side] = &s->body[side]->bvh.nodes[p->of[side] / GEO_BVH_WIDTH];
        lane[side] = p->of[side] % GEO_BVH_WIDTH;
    }
    const bool leaf_a = node[0]->count[lane[0]] > 0, leaf_b = node[1]->count[lane[1]] > 0;
    if (leaf_a && leaf_b) {
        test_leaves(s, node[0], lane[0], node[1], lane[1]);
    } else {
        const bool b_larger = !(size_of(node[0], lane[0]) > size_of(node[1], lane[1]));
        const int side = leaf_a || (!leaf_b && b_larger);
        split(s, p->of[1 - side], side, node[side]->first[lane[side]], s->depth);
    }
}

/**
 * Answers a question at the translation `at`, which SWEEP_LAST does not use. Returns `start` if no
 * pair gives a better answer.
 */
static double ask(sweep *s, question asked, double at, double start)
{
    s->asked = asked;
    s->at = at;
    s->best = start;
    s->depth = 0;
    const geo_bvh_node *const root = &s->body[0]->bvh.nodes[0];
    for (uint32_t lane = 0; lane < GEO_BVH_WIDTH; lane++) {
        if (geo_bvh_lane_used(root, (int)lane)) {
            split(s, lane, 1, 0, 0);
        }
    }
    while (s->depth > 0) {
        const sweep_pair p = s->stack[--s->depth];
        if (matters(s, (double)p.from, (double)p.to)) {
            visit(s, &p);
        }
    }
    return s->best;
}

static void start_sweep(sweep *s, const gt_body *a, const gt_body *b, const geo_pose *pose,
                        vec3 along)
{
    const geo_pose there = gt_origin_pose(a, b, pose);
    const geo_pose back = geo_pose_inverse(&there);
    const double reach = gt_pair_reach(a, b, pose) + b->reach;
    const double far = a->span + b->span + vec3_norm(there.translation);
    const vec3 in_b = mat3_tmul_vec3(pose->rotation, along);
    s->body[0] = a;
    s->body[1] = b;
    s->pose = pose;
    s->along = along;
    s->to_other[0] = make_change(&back);
    s->to_other[1] = make_change(&there);
    s->margin = base_float_above(ROUNDING * (double)FLT_EPSILON * far + 256 * DBL_EPSILON * reach);
    s->drift = base_float_above(2 * (double)STANDSTILL * far);
    for (int k = 0; k < 3; k++) {
        s->step[0][k] = (float)vec3_get(along, k);
        s->step[1][k] = (float)vec3_get(in_b, k);
    }
    s->tests = 0;
}

/* --- Two bodies ------------------------------------------------------------------------------- */

/** True if one body is inside the other after a translation by t. The surfaces must not touch
 * there. */
static bool inside_at(const sweep *s, double t)
{
    const geo_pose moved = {s->pose->rotation, vec3_madd(s->pose->translation, t, s->along)};
    gt_distance distance;
    gt_distance_query(s->body[0], s->body[1], &moved, &distance);
    return distance.surface_m.lo > 0 && distance.distance_m.hi == 0;
}

/**
 * Returns the end of the first stretch from 0 on over which the surfaces touch or one body is
 * inside the other.
 */
static double first_end(sweep *s)
{
    double at = 0;
    for (;;) {
        for (double reached = ask(s, SWEEP_REACH, at, at); reached > at;) {
            at = reached;
            reached = ask(s, SWEEP_REACH, at, at);
        }
        const double next = ask(s, SWEEP_NEXT, at, (double)INFINITY);
        if (!(next < (double)INFINITY) || !inside_at(s, at + 0.5 * (next - at))) {
            return at;
        }
        at = next;
    }
}

/** Computes first_m by the facets of the Minkowski difference. The bodies must not be apart. */
static gt_bracket first_of_hulls(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                 vec3 along)
{
    const double slack = gt_depth_slack(a, b, pose);
    const gt_goal shortest = {.directed = false};
    const gt_goal goal = {.directed = true, .along = along, .slack = slack};
    gt_depth unused = {.depth_m = {0, 0}};
    const double depth = gt_depth_search(a, b, pose, &shortest, &unused.direction, &unused);
    const double most = gt_depth_search(a, b, pose, &goal, &unused.direction, &unused);
    /* No width is less than the depth, so the slack makes the result smaller by at most this
     * factor. */
    const double share = depth > slack ? (depth - slack) / (depth + slack) : 0;
    return (gt_bracket){most * share * (1 - 1e-12), most * (1 + 1e-12)};
}

void gt_separation_query(const gt_body *a, const gt_body *b, const geo_pose *pose, vec3 direction,
                         gt_separation *result)
{
    sweep s;
    const double slack = 64 * DBL_EPSILON * gt_pair_reach(a, b, pose);
    start_sweep(&s, a, b, pose, vec3_normalize(direction));
    gt_distance now;
    gt_distance_query(a, b, pose, &now);
    const bool apart = now.distance_m.lo > 0, hulls = a->hull && b->hull;
    *result = (gt_separation){{0, 0}, {0, 0}, 0};
    s.widen = -slack;
    result->clear_m.lo = ask(&s, SWEEP_LAST, 0, 0) * (1 - 1e-12);
    result->first_m.lo = apart || hulls ? 0 : first_end(&s) * (1 - 1e-12);
    s.widen = slack;
    result->clear_m.hi = ask(&s, SWEEP_LAST, 0, 0) * (1 + 1e-12);
    result->first_m.hi = apart || hulls ? 0 : first_end(&s) * (1 + 1e-12);
    if (!apart && hulls) {
        result->first_m = first_of_hulls(a, b, pose, s.along);
    }
    result->pair_tests = s.tests;
}
