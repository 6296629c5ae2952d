/* The distance by the search of distance_isa.c, and as a reference by all pairs of triangles. */
#include "groundtruth/distance/distance.h"

#include "base/simd.h"
#include "base/memory.h"
#include "geometry/pose.h"
#include "geometry/triangle.h"
#include "groundtruth/body/body.h"

#include <float.h>

void gt_distance_finish(const gt_body *a, const gt_body *b, const geo_pose *pose, bool intersect,
                        double distance2, gt_distance *result)
{
    const gt_bracket none = {0, 0};
    const double distance = sqrt(distance2);
    const double slack = 1e-12 * distance + 64 * DBL_EPSILON * gt_pair_reach(a, b, pose);
    result->surface_m = intersect ? none : gt_bracket_around(distance, slack);
    result->distance_m = result->surface_m;
    vec3 in_both;
    if (!intersect && geo_shells_nested(&a->shell, &b->shell, pose, &in_both)) {
        result->distance_m = (gt_bracket){0, distance > slack ? 0 : distance + slack};
    }
}

static void run(gt_search_task *task, gt_search_result *found)
{
    gt_search *const search = base_cpu_avx2() ? gt_search_avx2 : gt_search_sse2;
    search(task, found);
    if (found->intersect && task->start_face[0] != GT_NOWHERE) {
        /* The choice among several intersecting pairs must not depend on the start. */
        const uint64_t tests = found->tests;
        task->start_face[0] = task->start_face[1] = GT_NOWHERE;
        search(task, found);
        found->tests += tests;
    }
}

void gt_distance_query_from(const gt_body *a, const gt_body *b, const geo_pose *given,
                            gt_distance_hint *hint, gt_distance *result)
{
    const geo_pose settled = geo_pose_settled(given), *const pose = &settled;
    const geo_pose there = gt_origin_pose(a, b, pose);
    const bool divided = a->parts.divided || b->parts.divided;
    gt_search_task task = {
        .tree = {&a->parts, &b->parts},
        .mesh = {a->mesh, b->mesh},
        .pose = pose,
        .to_other = {geo_pose_inverse(&there), there},
        .span = {a->span, b->span},
        /* Half of it is for moved corners, and half for parts of triangles. */
        .error = (divided ? 256 : 128) * DBL_EPSILON * (gt_pair_reach(a, b, pose) + b->reach),
        .start_face = {GT_NOWHERE, GT_NOWHERE},
    };
    if (hint->face_a < a->mesh->face_count && hint->face_b < b->mesh->face_count) {
        task.start_face[0] = hint->face_a;
        task.start_face[1] = hint->face_b;
    }
    gt_search_result found;
    run(&task, &found);
    *hint = (gt_distance_hint){found.face[0], found.face[1]};
    const geo_triangle on_a = geo_mesh_triangle(a->mesh, found.face[0]);
    const geo_triangle on_b =
        geo_pose_apply_triangle(pose, geo_mesh_triangle(b->mesh, found.face[1]));
    double distance2 = 0;
    if (found.intersect) {
        result->witness_a = result->witness_b = geo_triangle_common_point(on_a, on_b);
    } else {
        distance2 = geo_triangle_distance2(on_a, on_b, &result->witness_a, &result->witness_b);
    }
    gt_distance_finish(a, b, pose, found.intersect, distance2, result);
    result->triangle_tests = found.tests;
}

void gt_distance_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                       gt_distance *result)
{
    gt_distance_hint hint = GT_NO_HINT;
    gt_distance_query_from(a, b, pose, &hint, result);
}

/* --- All pairs -------------------------------------------------------------------------------- */

/*
 * Tests all pairs of triangles in long double, without a hierarchy. It shares with the search the
 * moved corners, the exact intersection test and the definition of a bracket.
 *
 * Triangles are in blocks of neighbours along a space-filling curve, and each block is in a ball.
 * All pairs of blocks are visited twice: first for an upper bound of the distance, then to test
 * whether their balls are farther apart than this bound. Double arithmetic is used only to reject
 * pairs, with a margin for its rounding.
 */

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

typedef struct best_pair {
    long double best2;
    double best;  /* upper bound of the distance */
    double slack; /* error of a centroid by the rounding of large coordinates */
    bool intersect;
    vec3 on_a, on_b;
    uint64_t tests;
} best_pair;

/** True if the pair may be nearer than the best. */
static bool near_enough(const best_pair *s, geo_ball a, geo_ball b)
{
    const double limit = (s->best + a.radius + b.radius) * (1 + 16 * DBL_EPSILON) + s->slack;
    return !(vec3_distance2(a.centre, b.centre) > limit * limit);
}

/**
 * True if the triangles are farther apart than the best pair. Tests their boxes first, then their
 * extents along the line of the centroids.
 */
static bool apart(const best_pair *s, const geo_triangle *a, const geo_triangle *b, vec3 line)
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

static void test_pair(best_pair *s, geo_triangle a, geo_triangle b)
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

static void test_blocks(best_pair *s, const block *a, const block *b)
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

/** Finds the pair of blocks whose first corners are nearest. The distance of these corners is an
 * upper bound. */
static void bound_by_corners(best_pair *s, const gt_body *a, const gt_body *b, const geo_pose *pose,
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
    best_pair s = {.tests = 0};
    block of_a, of_b;
    size_t nearest[2] = {0, 0};
    bound_by_corners(&s, a, b, pose, nearest);
    load(&of_a, a, nearest[0], NULL);
    load(&of_b, b, nearest[1], pose);
    test_blocks(&s, &of_a, &of_b);
    for (size_t j = 0; j < b->blocks.count && !s.intersect; j++) {
        const geo_ball own = b->blocks.balls[j];
        const geo_ball ball = {geo_pose_apply(pose, own.centre), own.radius};
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
