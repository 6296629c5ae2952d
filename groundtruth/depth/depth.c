/*
 * The Minkowski difference of A and the moved B contains the origin when they overlap; the nearest
 * of its facets gives the shortest way out. Its facets are those of A, those of B turned around,
 * and one for each pair of edges whose arcs cross when the Gauss maps of A and of -B are laid over
 * each other. A hierarchy over the arcs finds the pairs.
 *
 * The width along a unit normal, how far B has to go to be out, is never less than the depth,
 * whatever the normal. So a pair too many does no harm, and the filters may be in double as long as
 * they keep too much. What a filter computes from the points of the pair alone is never more than
 * the width; only when that beats the best so far, all vertices are looked at.
 */
#include "groundtruth/depth/depth.h"

#include "geometry/pose.h"
#include "groundtruth/body/body.h"
#include "groundtruth/depth/depth_hull.h"
#include "groundtruth/depth/wide.h"
#include "groundtruth/distance/distance.h"

#include <float.h>

/* Signs of products of unit vectors nearer to 0 than this count as either. */
#define SIGN_MARGIN (64 * DBL_EPSILON)
/* Edges whose sine is less make no facet that is worse than a neighbour by more than rounding. */
#define PARALLEL (4 * DBL_EPSILON)

typedef struct search {
    const gt_hull *hull[2];
    const geo_pose *pose;
    const gt_goal *goal;
    double rounding; /* of a width, in m: ties within it stay with the first */
    double best;
    vec3 normal; /* of the best */
    gt_depth *counts;
} search;

/** An arc of -B in A's frame. */
typedef struct placed_arc {
    gt_arc arc;
    vec3 tail; /* of B's edge */
} placed_arc;

/* --- Values ----------------------------------------------------------------------------------- */

/** What counts for the goal when B has to go `width` along the normal. */
static double value_of(const gt_goal *goal, vec3 normal, double width)
{
    if (!goal->directed) {
        return width;
    }
    const double gain = vec3_dot(normal, goal->along);
    const double positive = width > 0 ? width : 0;
    return gain > SIGN_MARGIN ? (positive + goal->slack) / gain : (double)INFINITY;
}

/** May a facet whose own points say this width be the best? */
static bool beats(const search *s, vec3 normal, double width)
{
    return value_of(s->goal, normal, width + s->rounding) < s->best;
}

/** Along the normal in B's frame, turned around. */
static vec3 into_b(const search *s, vec3 normal)
{
    return vec3_scale(-1, mat3_tmul_vec3(s->pose->rotation, normal));
}

static vec3 moved_point(const search *s, uint32_t p)
{
    return geo_pose_apply(s->pose, s->hull[1]->points[p]);
}

/** The corner of B, as moved, that is farthest against the normal. */
static vec3 scan_moved(const search *s, vec3 normal)
{
    vec3 nearest = moved_point(s, 0);
    for (uint32_t q = 1; q < s->hull[1]->point_count; q++) {
        const vec3 point = moved_point(s, q);
        nearest = vec3_dot(normal, point) < vec3_dot(normal, nearest) ? point : nearest;
    }
    return nearest;
}

/** Takes the normal if its true width beats the best. */
static void try_normal(search *s, vec3 normal)
{
    const vec3 on_a = s->hull[0]->points[gt_hull_scan(s->hull[0], normal)];
    const double width = vec3_dot(normal, vec3_sub(on_a, scan_moved(s, normal)));
    const double value = value_of(s->goal, normal, width);
    s->counts->supports++;
    if (value < s->best) {
        s->best = value;
        s->normal = normal;
    }
}

/* --- Facets ----------------------------------------------------------------------------------- */

static void search_facets_of_a(search *s)
{
    const gt_hull *const hull = s->hull[0];
    uint32_t q = 0;
    for (uint32_t f = 0; f < hull->facet_count; f++) {
        const vec3 normal = hull->facets[f].normal;
        q = gt_hull_climb(s->hull[1], into_b(s, normal), q);
        const vec3 gap = vec3_sub(hull->points[hull->facets[f].corner], moved_point(s, q));
        if (beats(s, normal, vec3_dot(normal, gap))) {
            try_normal(s, normal);
        }
    }
    s->counts->facets += hull->facet_count;
}

static void search_facets_of_b(search *s)
{
    const gt_hull *const hull = s->hull[1];
    uint32_t p = 0;
    for (uint32_t f = 0; f < hull->facet_count; f++) {
        const vec3 normal = vec3_scale(-1, geo_pose_rotate(s->pose, hull->facets[f].normal));
        p = gt_hull_climb(s->hull[0], normal, p);
        const vec3 gap = vec3_sub(s->hull[0]->points[p], moved_point(s, hull->facets[f].corner));
        if (beats(s, normal, vec3_dot(normal, gap))) {
            try_normal(s, normal);
        }
    }
    s->counts->facets += hull->facet_count;
}

/* --- Pairs of edges --------------------------------------------------------------------------- */

static placed_arc place_arc(const search *s, const gt_arc *arc)
{
    const geo_pose *const pose = s->pose;
    placed_arc placed = {*arc, moved_point(s, arc->tail)};
    placed.arc.from = vec3_scale(-1, geo_pose_rotate(pose, arc->from));
    placed.arc.to = vec3_scale(-1, geo_pose_rotate(pose, arc->to));
    placed.arc.along = geo_pose_rotate(pose, arc->along);
    return placed;
}

/** The direction of a's edge cross that of b's, from the vertices: unit, to the last bits. */
static vec3 precise_normal(const search *s, const gt_arc *a, const gt_arc *b)
{
    const vec3 *const of_a = s->hull[0]->points, *const of_b = s->hull[1]->points;
    const gt_wide3 edge_a = gt_wide3_between(of_a[a->head], of_a[a->tail]);
    const gt_wide3 edge_b = gt_wide3_between(of_b[b->head], of_b[b->tail]);
    const gt_wide3 turned = gt_wide3_turn(s->pose->rotation, edge_b);
    return vec3_normalize(gt_wide3_round(gt_wide3_cross(edge_a, turned)));
}

/** Of directions in the plane of the arc. */
static bool near_arc(const gt_arc *arc, vec3 normal)
{
    return vec3_dot(normal, vec3_cross(arc->along, arc->from)) > -SIGN_MARGIN &&
           vec3_dot(normal, vec3_cross(arc->to, arc->along)) > -SIGN_MARGIN;
}

/**
 * The pair as a facet with the normal sign (a x b). `sine` is the length of the cross product of
 * the unit vectors, whose direction is off by some eps / sine.
 */
static void try_pair(search *s, const gt_arc *a, const placed_arc *b, vec3 cross, double sine,
                     double sign)
{
    const vec3 gap = vec3_sub(s->hull[0]->points[a->tail], b->tail);
    const vec3 rough = vec3_scale(sign / sine, cross);
    const double off = 32 * s->rounding / sine;
    if (!s->goal->directed && vec3_dot(rough, gap) - off >= s->best) {
        return;
    }
    const vec3 normal = vec3_scale(sign, precise_normal(s, a, &b->arc));
    if (near_arc(a, normal) && near_arc(&b->arc, normal) &&
        beats(s, normal, vec3_dot(normal, gap))) {
        try_normal(s, normal);
    }
}

/**
 * Arcs cross at the direction a x b when, counter-clockwise about its edge, each goes through the
 * plane of the other one there; at -(a x b) when both go the other way.
 */
static void test_arcs(search *s, const gt_arc *a, const placed_arc *b)
{
    const double m = SIGN_MARGIN;
    const double b_from = vec3_dot(b->arc.from, a->along), b_to = vec3_dot(b->arc.to, a->along);
    const double a_from = vec3_dot(a->from, b->arc.along), a_to = vec3_dot(a->to, b->arc.along);
    const bool plus = b_from < m && b_to > -m && a_from > -m && a_to < m;
    const bool minus = b_from > -m && b_to < m && a_from < m && a_to > -m;
    if (!plus && !minus) {
        return;
    }
    const vec3 cross = vec3_cross(a->along, b->arc.along);
    const double sine = vec3_norm(cross);
    if (sine < PARALLEL) {
        return;
    }
    if (plus) {
        try_pair(s, a, b, cross, sine, 1);
    }
    if (minus) {
        try_pair(s, a, b, cross, sine, -1);
    }
}

static bool visit_arcs(void *context, uint32_t a, uint32_t na, uint32_t b, uint32_t nb)
{
    search *const s = context;
    for (uint32_t j = b; j < b + nb; j++) {
        const placed_arc placed = place_arc(s, &s->hull[1]->arcs[j]);
        for (uint32_t i = a; i < a + na; i++) {
            test_arcs(s, &s->hull[0]->arcs[i], &placed);
        }
    }
    s->counts->edge_pairs += (uint64_t)na * nb;
    return true;
}

/* --- The whole -------------------------------------------------------------------------------- */

double gt_depth_move_slack(const gt_body *a, const gt_body *b, const geo_pose *pose)
{
    return 16 * DBL_EPSILON * (gt_pair_reach(a, b, pose) + b->reach);
}

double gt_depth_slack(const gt_body *a, const gt_body *b, const geo_pose *pose)
{
    const double error = 16 * (a->hull->error_m + b->hull->error_m);
    return 64 * DBL_EPSILON * gt_pair_reach(a, b, pose) + gt_depth_move_slack(a, b, pose) + error;
}

double gt_depth_search(const gt_body *a, const gt_body *b, const geo_pose *pose,
                       const gt_goal *goal, vec3 *normal, gt_depth *counts)
{
    const mat3 r = pose->rotation;
    const geo_pose turn = {
        {{vec3_scale(-1, r.row[0]), vec3_scale(-1, r.row[1]), vec3_scale(-1, r.row[2])}},
        {0, 0, 0}};
    search s = {
        .hull = {a->hull, b->hull},
        .pose = pose,
        .goal = goal,
        .rounding = 8 * DBL_EPSILON * gt_pair_reach(a, b, pose),
        .best = INFINITY,
        .counts = counts,
    };
    search_facets_of_a(&s);
    search_facets_of_b(&s);
    geo_bvh_pairs(&a->hull->bvh, &b->hull->bvh, &turn, visit_arcs, &s);
    *normal = s.normal;
    return s.best;
}

/** Where the surfaces meet when B has moved out, and where on B that was before. */
static void find_witnesses(const gt_body *a, const gt_body *b, const geo_pose *pose, double depth,
                           gt_depth *result)
{
    const vec3 move = vec3_scale(depth, result->direction);
    const geo_pose out = {pose->rotation, vec3_add(pose->translation, move)};
    gt_distance touching;
    gt_distance_query(a, b, &out, &touching);
    result->witness_a = touching.witness_a;
    result->witness_b = vec3_sub(touching.witness_b, move);
}

void gt_depth_query(const gt_body *a, const gt_body *b, const geo_pose *pose, gt_depth *result)
{
    base_assert(a->hull && b->hull);
    gt_distance distance;
    gt_distance_query(a, b, pose, &distance);
    *result = (gt_depth){.depth_m = {0, 0}};
    if (distance.distance_m.lo > 0) {
        result->witness_a = distance.witness_a;
        result->witness_b = distance.witness_b;
        result->direction = vec3_normalize(vec3_sub(distance.witness_b, distance.witness_a));
        return;
    }
    const gt_goal shortest = {.directed = false};
    const double width = gt_depth_search(a, b, pose, &shortest, &result->direction, result);
    const double depth = width > 0 ? width : 0;
    result->direction = vec3_add(result->direction, (vec3){0, 0, 0}); /* no -0 */
    result->depth_m = gt_bracket_around(depth, 1e-12 * depth + gt_depth_slack(a, b, pose));
    find_witnesses(a, b, pose, depth, result);
}
