/*
 * Tests all pairs of triangles in long double, without a hierarchy. It shares with distance.c the
 * moved corners, the exact intersection test and the definition of a bracket.
 *
 * Triangles are in blocks of neighbours along a space-filling curve, each in a ball. All pairs of
 * blocks are visited twice: for an upper bound of the distance, then to test whether their balls
 * are too far apart for it. Double arithmetic only rejects, with a margin for its rounding.
 */
#include "groundtruth/distance/distance.h"

#include "base/memory.h"
#include "geometry/pose.h"
#include "geometry/triangle.h"
#include "groundtruth/body/body.h"

#include <float.h>

/** Returns a ball around a triangle: its centroid, and a radius rounded up. */
static geo_ball ball_of(geo_triangle t)
{
    const vec3 c = vec3_scale(1.0 / 3, vec3_add(vec3_add(t.p[0], t.p[1]), t.p[2]));
    double r2 = 0;
    for (int i = 0; i < 3; i++) {
        const double d2 = vec3_distance2(c, t.p[i]);
        r2 = d2 > r2 ? d2 : r2;
    }
    return (geo_ball){c, sqrt(r2) * (1 + 16 * DBL_EPSILON)};
}

typedef struct state {
    long double best2;
    double best;  /* upper bound of the distance */
    double slack; /* error of a centroid: rounding of absolute coordinates */
    bool intersect;
    vec3 on_a, on_b;
    uint64_t tests;
} state;

/** True if the pair may be nearer than the best. */
static bool near_enough(const state *s, geo_ball a, geo_ball b)
{
    const double limit = (s->best + a.radius + b.radius) * (1 + 16 * DBL_EPSILON) + s->slack;
    return !(vec3_distance2(a.centre, b.centre) > limit * limit);
}

/**
 * True if the triangles are farther apart than the best, by their boxes or, failing that, along the
 * line of the centroids.
 */
static bool apart(const state *s, const geo_triangle *a, const geo_triangle *b, vec3 line)
{
    const geo_box ba = geo_box_of_triangle(*a), bb = geo_box_of_triangle(*b);
    const vec3 zero = {0, 0, 0};
    const vec3 gap = vec3_max(zero, vec3_max(vec3_sub(ba.lo, bb.hi), vec3_sub(bb.lo, ba.hi)));
    const double limit = s->best * (1 + 16 * DBL_EPSILON) + s->slack;
    if (vec3_norm2(gap) > limit * limit) {
        return true;
    }
    double end_a = -INFINITY, end_b = INFINITY;
    for (int i = 0; i < 3; i++) {
        const double on_a = vec3_dot(line, a->p[i]), on_b = vec3_dot(line, b->p[i]);
        end_a = on_a > end_a ? on_a : end_a;
        end_b = on_b < end_b ? on_b : end_b;
    }
    return end_b - end_a > limit * vec3_norm(line);
}

static void test_pair(state *s, geo_triangle a, geo_triangle b)
{
    s->tests++;
    const bool intersect = geo_triangle_intersect(a, b);
    const long double d2 = intersect ? 0 : geo_triangle_distance2_extended(a, b);
    if (d2 < s->best2 || (intersect && !s->intersect)) {
        const double d = sqrt((double)d2) * (1 + 16 * DBL_EPSILON);
        s->best2 = d2;
        s->best = d < s->best ? d : s->best;
        s->intersect = intersect;
        geo_triangle_distance2(a, b, &s->on_a, &s->on_b);
    }
}

/** The moved triangles of a block, with their balls. */
typedef struct block {
    size_t count;
    geo_triangle triangles[GT_BLOCK];
    geo_ball balls[GT_BLOCK];
} block;

static void load(block *b, const gt_body *body, size_t number, const geo_pose *pose)
{
    const gt_blocks *const blocks = &body->blocks;
    const size_t first = number * GT_BLOCK, left = body->mesh->face_count - first;
    b->count = left < GT_BLOCK ? left : GT_BLOCK;
    for (size_t i = 0; i < b->count; i++) {
        const geo_triangle t = geo_mesh_triangle(body->mesh, blocks->order[first + i]);
        b->triangles[i] = pose ? geo_pose_apply_triangle(pose, t) : t;
        b->balls[i] = ball_of(b->triangles[i]);
    }
}

static void test_blocks(state *s, const block *a, const block *b)
{
    for (size_t j = 0; j < b->count; j++) {
        for (size_t i = 0; i < a->count && !s->intersect; i++) {
            if (near_enough(s, a->balls[i], b->balls[j]) &&
                !apart(s, &a->triangles[i], &b->triangles[j],
                       vec3_sub(b->balls[j].centre, a->balls[i].centre))) {
                test_pair(s, a->triangles[i], b->triangles[j]);
            }
        }
    }
}

static geo_ball moved(const geo_pose *pose, geo_ball ball)
{
    return (geo_ball){geo_pose_apply(pose, ball.centre), ball.radius};
}

/** Finds the pair of blocks whose first corners are nearest; their distance is an upper bound. */
static void start(state *s, const gt_body *a, const gt_body *b, const geo_pose *pose,
                  size_t nearest[2])
{
    double least2 = INFINITY;
    for (size_t j = 0; j < b->blocks.count; j++) {
        const vec3 on_b = geo_pose_apply(pose, b->blocks.corners[j]);
        for (size_t i = 0; i < a->blocks.count; i++) {
            const double d2 = vec3_distance2(on_b, a->blocks.corners[i]);
            if (d2 < least2) {
                least2 = d2;
                nearest[0] = i;
                nearest[1] = j;
            }
        }
    }
    s->best2 = (long double)INFINITY;
    s->slack = 128 * DBL_EPSILON * (gt_pair_reach(a, b, pose) + b->reach);
    s->best = sqrt(least2) * (1 + 16 * DBL_EPSILON) + s->slack;
}

void gt_distance_brute(const gt_body *a, const gt_body *b, const geo_pose *given,
                       gt_distance *result)
{
    const geo_pose settled = geo_pose_settled(given), *const pose = &settled;
    state s = {.tests = 0};
    block of_a, of_b;
    size_t nearest[2] = {0, 0};
    start(&s, a, b, pose, nearest);
    load(&of_a, a, nearest[0], NULL);
    load(&of_b, b, nearest[1], pose);
    test_blocks(&s, &of_a, &of_b);
    for (size_t j = 0; j < b->blocks.count && !s.intersect; j++) {
        const geo_ball ball = moved(pose, b->blocks.balls[j]);
        bool loaded = false;
        for (size_t i = 0; i < a->blocks.count && !s.intersect; i++) {
            if (!near_enough(&s, a->blocks.balls[i], ball)) {
                continue;
            }
            if (!loaded) {
                load(&of_b, b, j, pose);
                loaded = true;
            }
            load(&of_a, a, i, NULL);
            test_blocks(&s, &of_a, &of_b);
        }
    }
    gt_distance_finish(a, b, pose, s.intersect, (double)s.best2, result);
    result->witness_a = s.on_a;
    result->witness_b = s.on_b;
    result->triangle_tests = s.tests;
}
