/*
 * All pairs of triangles in long double, no hierarchy: shares with distance.c the moved corners,
 * the exact intersection test and what a bracket is.
 */
#include "groundtruth/body.h"

#include "geometry/pose.h"
#include "geometry/triangle.h"

#include <float.h>

enum {
    BLOCK = 256, /* triangles of A whose balls are kept while all of B passes */
    SAMPLE = 8,  /* every eighth triangle of both gives the first upper bound */
};

/** A ball around a triangle: its centroid, and a radius rounded up. */
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
    double slack; /* of a centroid: rounding of absolute coordinates */
    bool intersect;
    vec3 on_a, on_b;
    uint64_t tests;
} state;

/** May the pair be nearer than the best? */
static bool near_enough(const state *s, geo_ball a, geo_ball b)
{
    const double limit = (s->best + a.radius + b.radius) * (1 + 16 * DBL_EPSILON) + s->slack;
    return !(vec3_distance2(a.centre, b.centre) > limit * limit);
}

/** The same by boxes and, for those, along the line of the centroids. */
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

/** The distance of two centroids is an upper bound: the least over a sample of all pairs. */
static void start(state *s, const gt_body *a, const gt_body *b, const geo_pose *pose)
{
    double least2 = INFINITY;
    for (size_t j = 0; j < b->mesh->face_count; j += SAMPLE) {
        const vec3 c = ball_of(geo_pose_apply_triangle(pose, geo_mesh_triangle(b->mesh, j))).centre;
        for (size_t i = 0; i < a->mesh->face_count; i += SAMPLE) {
            const double d2 = vec3_distance2(c, ball_of(geo_mesh_triangle(a->mesh, i)).centre);
            least2 = d2 < least2 ? d2 : least2;
        }
    }
    s->best2 = (long double)INFINITY;
    s->slack = 32 * DBL_EPSILON * gt_pair_reach(a, b, pose);
    s->best = sqrt(least2) * (1 + 16 * DBL_EPSILON) + s->slack;
}

/** All of b against a part of a. */
static void test_block(state *s, const gt_body *a, size_t begin, size_t count, const gt_body *b,
                       const geo_pose *pose)
{
    geo_ball balls[BLOCK];
    for (size_t i = 0; i < count; i++) {
        balls[i] = ball_of(geo_mesh_triangle(a->mesh, begin + i));
    }
    for (size_t j = 0; j < b->mesh->face_count && !s->intersect; j++) {
        const geo_triangle t = geo_pose_apply_triangle(pose, geo_mesh_triangle(b->mesh, j));
        const geo_ball ball = ball_of(t);
        for (size_t i = 0; i < count && !s->intersect; i++) {
            if (near_enough(s, balls[i], ball)) {
                const geo_triangle u = geo_mesh_triangle(a->mesh, begin + i);
                if (!apart(s, &u, &t, vec3_sub(ball.centre, balls[i].centre))) {
                    test_pair(s, u, t);
                }
            }
        }
    }
}

void gt_distance_brute(const gt_body *a, const gt_body *b, const geo_pose *pose,
                       gt_distance *result)
{
    const size_t n = a->mesh->face_count;
    state s = {.tests = 0};
    start(&s, a, b, pose);
    for (size_t begin = 0; begin < n && !s.intersect; begin += BLOCK) {
        const size_t left = n - begin;
        test_block(&s, a, begin, left < BLOCK ? left : BLOCK, b, pose);
    }
    gt_distance_finish(a, b, pose, s.intersect, (double)s.best2, result);
    result->witness_a = s.on_a;
    result->witness_b = s.on_b;
    result->triangle_tests = s.tests;
}
