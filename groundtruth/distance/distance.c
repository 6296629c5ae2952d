/*
 * Prepares the search of distance_isa.c, and converts the pair of triangles that it finds to the
 * result.
 * caller is told.
 */
#include "groundtruth/distance/distance.h"

#include "base/simd.h"
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
    gt_search_task task = {
        .tree = {&a->tree, &b->tree},
        .mesh = {a->mesh, b->mesh},
        .pose = pose,
        .to_other = {geo_pose_inverse(&there), there},
        .span = {a->span, b->span},
        .error = 128 * DBL_EPSILON * (gt_pair_reach(a, b, pose) + b->reach),
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
