/*
 * All pairs of triangles in long double, no hierarchy: shares with distance.c the moved corners,
 * the exact intersection test and what a bracket is.
 */
#include "groundtruth/body.h"

#include "geometry/pose.h"
#include "geometry/triangle.h"

#include <float.h>

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
    double best; /* upper bound of its root */
    bool intersect;
    vec3 on_a, on_b;
    uint64_t tests;
} state;

/** May the pair be nearer than the best? The centres' distance is right to a few eps of itself. */
static bool near_enough(const state *s, geo_ball a, geo_ball b)
{
    const double limit = (s->best + a.radius + b.radius) * (1 + 16 * DBL_EPSILON);
    return !(vec3_distance2(a.centre, b.centre) > limit * limit);
}

static void test_pair(state *s, geo_triangle a, geo_triangle b)
{
    s->tests++;
    const bool intersect = geo_triangle_intersect(a, b);
    const long double d2 = intersect ? 0 : geo_triangle_distance2_extended(a, b);
    if (d2 < s->best2 || (intersect && !s->intersect)) {
        s->best2 = d2;
        s->best = sqrt((double)d2) * (1 + 16 * DBL_EPSILON);
        s->intersect = intersect;
        geo_triangle_distance2(a, b, &s->on_a, &s->on_b);
    }
}

void gt_distance_brute(const gt_body *a, const gt_body *b, const geo_pose *pose,
                       gt_distance *result)
{
    const size_t na = a->mesh->face_count, nb = b->mesh->face_count;
    state s = {.best2 = (long double)INFINITY, .best = INFINITY};
    for (size_t j = 0; j < nb && !s.intersect; j++) {
        const geo_triangle t = geo_pose_apply_triangle(pose, geo_mesh_triangle(b->mesh, j));
        const geo_ball ball = ball_of(t);
        for (size_t i = 0; i < na && !s.intersect; i++) {
            const geo_triangle u = geo_mesh_triangle(a->mesh, i);
            if (near_enough(&s, ball_of(u), ball)) {
                test_pair(&s, u, t);
            }
        }
    }
    gt_distance_finish(a, b, pose, s.intersect, (double)s.best2, result);
    result->witness_a = s.on_a;
    result->witness_b = s.on_b;
    result->triangle_tests = s.tests;
}
