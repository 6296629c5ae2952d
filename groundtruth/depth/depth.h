/** Penetration depth of convex bodies: the facets of their Minkowski difference. */
#ifndef GROUNDTRUTH_DEPTH_H
#define GROUNDTRUTH_DEPTH_H

#include "groundtruth/body/body.h"
#include "groundtruth/body/types.h"

/* --- A convex body: facets, and the arcs of its Gauss map ------------------------------------- */

/** Faces that lie in one plane. */
typedef struct gt_facet {
    vec3 normal;     /* unit, outwards */
    uint32_t corner; /* a point of it */
} gt_facet;

/**
 * An edge between two facets. On the unit sphere it is the arc of the directions in which the edge
 * is farthest out, from one facet's normal to the other's, counter-clockwise about the edge.
 */
typedef struct gt_arc {
    vec3 from, to;
    vec3 along;          /* of the edge: unit, tail to head */
    uint32_t tail, head; /* points */
} gt_arc;

struct gt_hull {
    vec3 *points; /* the vertices that faces use */
    uint32_t point_count;
    uint32_t *first; /* point_count + 1: neighbours of point p are [first[p], first[p + 1]) */
    uint32_t *neighbours;
    gt_facet *facets;
    uint32_t facet_count;
    gt_arc *arcs; /* in the order of bvh */
    uint32_t arc_count;
    geo_bvh bvh;    /* of the arcs on the unit sphere */
    double error_m; /* how far faces taken as one facet leave its plane: 0 for exact bodies */
};

/**
 * Decides whether the body is convex and prepares its facets and edges, once; later calls return at
 * once. Must be called before gt_depth_query, from one thread. Exact: a connected solid none of
 * whose edges is a notch, by the sign of geo_orient3d. Coplanar faces are one facet. A notch that
 * is no deeper than 32 eps of the largest coordinate counts as flat, for meshes whose flat faces
 * were rounded; how far that is from convex is added to the brackets.
 *
 * Errors   BASE_ERR_INPUT if the body is not a convex solid, with the reason and the first faces
 *          that show it, or has a facet narrower than 1e-14 of its length; BASE_ERR_MEMORY.
 */
base_status gt_body_make_hull(gt_body *body, base_error *err) BASE_MUST_CHECK;

/** The point farthest along `along`, uphill over the edges from `start`. */
uint32_t gt_hull_climb(const gt_hull *hull, vec3 along, uint32_t start);

/** The same, looking at all points; the first of equals. */
uint32_t gt_hull_scan(const gt_hull *hull, vec3 along);

/* --- The depth -------------------------------------------------------------------------------- */

typedef struct gt_depth {
    gt_bracket depth_m; /* length of the shortest translation that separates; {0, 0} when apart */
    /** Unit: the way B moves to get out; when apart, from A's nearest point to B's. */
    vec3 direction;
    /** Points of the two surfaces that meet when B has moved out: witness_a - witness_b is the
     * translation. When apart, the nearest points. A's frame. */
    vec3 witness_a, witness_b;
    uint64_t facets;     /* of the two bodies looked at */
    uint64_t edge_pairs; /* looked at */
    uint64_t supports;   /* directions for which all vertices were looked at */
} gt_depth;

/**
 * Exact penetration depth of two convex bodies (gt_body_make_hull): the least distance from the
 * origin to a facet of the Minkowski difference, over the facets of A, those of B, and the pairs of
 * edges whose arcs cross on the Gauss map. No pair is dropped unless it certainly makes no facet or
 * none that is nearer, and what is kept is measured against all vertices, so the answer errs
 * neither way: it is the computed depth +- (1e-12 d + gt_depth_slack).
 *
 * Memory   no allocation.
 * Cost     1.3 ms for two bodies of 1,000 faces, 20 ms for 10,000; up to ten times as much where
 *          arcs are long, as those of cones are.
 */
void gt_depth_query(const gt_body *a, const gt_body *b, const geo_pose *pose, gt_depth *result);

/* --- The search, for more than one goal ------------------------------------------------------- */

/**
 * What is to be least over all facets, with unit normals n and width w >= 0 (how far B has to go
 * along n): w itself, or (w + slack) / (n . along) where that is positive.
 */
typedef struct gt_goal {
    bool directed;
    vec3 along; /* unit */
    double slack;
} gt_goal;

/** The least value and the normal that has it. Both bodies have their hulls; adds to the counts. */
double gt_depth_search(const gt_body *a, const gt_body *b, const geo_pose *pose,
                       const gt_goal *goal, vec3 *normal, gt_depth *counts);

/**
 * The rounding error of a depth is no larger than 80 eps s + 16 eps r, plus the distance by which
 * faces that are taken as one facet leave its plane. s is the largest coordinate of either body in
 * A's frame, r that of B in its own frame, which is larger if B is far from its own origin.
 *
 * The depth is that of the convex hulls of A and of B with its corners as geo_pose_apply rounds
 * them; eps = 2^-52. The searches take their directions from B before that rounding, P, and measure
 * them on the rounded corners, P'.
 *
 * 1. A corner of P' is off by m = 5 eps r + eps s, or less: three roundings of |R| |p| along each
 * axis, and one of the sum. So widths along any unit vector, and with them the depths of P and P',
 * differ by m at most, however thin a facet is and however far its normal has turned.
 * 2. The width along any unit vector is no less than the depth. So what is measured is too small by
 * no more than its own rounding: a dot product of differences of corners, 10 eps s.
 * 3. It is too large by no more than the width of P' along a computed normal exceeds the depth of
 * P'. That is m for the facet of P that is nearest, m for its depth, and, where the computed normal
 * is off by an angle of 18 eps (6 eps of rounding, and R is a rotation to 12 eps), 18 eps times the
 * farthest point of the Minkowski difference, which is less than 3.5 s away: 63 eps s.
 *
 * The sum is 10 eps r + 75 eps s.
 */
double gt_depth_slack(const gt_body *a, const gt_body *b, const geo_pose *pose);

/**
 * The rounding error of a translation of B by a vector that is no longer than the bodies are large:
 * 12 eps r + 5 eps s. The corners before and after it are each off by m (gt_depth_slack). The sum
 * of the translations is no longer than 3 s + 2 r along each axis, and is off by half an eps of
 * that.
 */
double gt_depth_move_slack(const gt_body *a, const gt_body *b, const geo_pose *pose);

/* --- The second method ------------------------------------------------------------------------ */

/**
 * The depth of gt_depth_query, found without its Gauss map, hierarchy and merged facets: each face
 * of either mesh and each pair of an edge of A and one of B gives a direction, in sums of two
 * doubles, and the least width along a direction, over all corners as moved and in long double, is
 * the depth. The two methods share the moved corners, the distance query that tells bodies apart,
 * and gt_depth_slack. Both bodies have their hulls (gt_body_make_hull).
 *
 * *direction: unit, the way of B out; unchanged where the bodies are apart.
 * Returns  false if there is no memory.
 * Memory   a few hundred bytes a face, freed again.
 * Cost     0.1 to 0.2 us a pair of edges, the more the deeper: 0.03 s for two balls of 320 faces,
 *          0.6 s for two of 1,280, nearly around one centre.
 */
bool gt_depth_edges(const gt_body *a, const gt_body *b, const geo_pose *pose, gt_bracket *depth,
                    vec3 *direction);

#endif
