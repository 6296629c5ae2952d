/*
 * Two triangles, one of them moving, are in contact for one interval of translations. The surfaces
 * are in contact for the union of all these; between two of its stretches the one body is inside of
 * the other, or it is out. The union is walked from 0 on: pairs in contact here say how far that
 * lasts, until no pair goes farther.
 */
#include "groundtruth/depth/depth.h"
#include "groundtruth/depth/sweep.h"

#include "geometry/pose.h"

#include <float.h>

/** Is the one body inside of the other one at a translation where no surfaces touch? */
static bool inside_at(const gt_sweep *s, double t)
{
    const geo_pose moved = {s->pose->rotation, vec3_madd(s->pose->translation, t, s->along)};
    gt_distance distance;
    gt_distance_query(s->body[0], s->body[1], &moved, &distance);
    return distance.surface_m.lo > 0 && distance.distance_m.hi == 0;
}

/** The end of the first stretch from 0 on over which the bodies touch, or one is inside. */
static double first_end(gt_sweep *s)
{
    double at = 0;
    for (;;) {
        for (double reached = gt_sweep_ask(s, GT_SWEEP_REACH, at, at); reached > at;) {
            at = reached;
            reached = gt_sweep_ask(s, GT_SWEEP_REACH, at, at);
        }
        const double next = gt_sweep_ask(s, GT_SWEEP_NEXT, at, (double)INFINITY);
        if (!(next < (double)INFINITY) || !inside_at(s, at + 0.5 * (next - at))) {
            return at;
        }
        at = next;
    }
}

/** By the facets of the Minkowski difference. The bodies are not apart. */
static gt_bracket first_of_hulls(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                 vec3 along)
{
    const double slack = gt_depth_slack(a, b, pose);
    const gt_goal shortest = {.directed = false};
    const gt_goal goal = {.directed = true, .along = along, .slack = slack};
    gt_depth unused = {
        .depth_m = {0, 0}
    };
    const double depth = gt_depth_search(a, b, pose, &shortest, &unused.direction, &unused);
    const double most = gt_depth_search(a, b, pose, &goal, &unused.direction, &unused);
    /* Each width is at least the depth, so slack takes no more from it than this share. */
    const double share = depth > slack ? (depth - slack) / (depth + slack) : 0;
    return (gt_bracket){most * share * (1 - 1e-12), most * (1 + 1e-12)};
}

void gt_separation_query(const gt_body *a, const gt_body *b, const geo_pose *pose, vec3 direction,
                         gt_separation *result)
{
    gt_sweep s;
    const double slack = 64 * DBL_EPSILON * gt_pair_reach(a, b, pose);
    gt_sweep_start(&s, a, b, pose, vec3_normalize(direction));
    gt_distance now;
    gt_distance_query(a, b, pose, &now);
    const bool apart = now.distance_m.lo > 0, hulls = a->hull && b->hull;
    *result = (gt_separation){
        {0, 0},
        {0, 0},
        0
    };
    s.widen = -slack;
    result->clear_m.lo = gt_sweep_ask(&s, GT_SWEEP_LAST, 0, 0) * (1 - 1e-12);
    result->first_m.lo = apart || hulls ? 0 : first_end(&s) * (1 - 1e-12);
    s.widen = slack;
    result->clear_m.hi = gt_sweep_ask(&s, GT_SWEEP_LAST, 0, 0) * (1 + 1e-12);
    result->first_m.hi = apart || hulls ? 0 : first_end(&s) * (1 + 1e-12);
    if (!apart && hulls) {
        result->first_m = first_of_hulls(a, b, pose, s.along);
    }
    result->pair_tests = s.tests;
}

void gt_escape_query(const gt_body *a, const gt_body *b, const geo_pose *pose, vec3 translation,
                     gt_escape *result)
{
    gt_separation separation;
    const geo_pose after = {pose->rotation, vec3_add(pose->translation, translation)};
    gt_separation_query(a, b, pose, translation, &separation);
    result->needed_m = separation.first_m;
    gt_distance_query(a, b, &after, &result->after);
}
