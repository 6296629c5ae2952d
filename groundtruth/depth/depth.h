/** Penetration depth of convex bodies: the facets of their Minkowski difference. */
#ifndef GROUNDTRUTH_DEPTH_H
#define GROUNDTRUTH_DEPTH_H

#include "groundtruth/body/body.h"
#include "groundtruth/body/types.h"

/* --- A convex body: facets, and the arcs of its Gauss map ------------------------------------- */

/** Faces that lie in one plane. */
typedef struct gt_facet {
    vec3 normal;     /* unit, outward */
    uint32_t corner; /* index of a point of the facet */
} gt_facet;

/**
 * An edge between two facets. On the unit sphere it is the arc of the directions in which the edge
 * is extreme, from one facet's normal to the other's, counter-clockwise about the edge.
 */
typedef struct gt_arc {
    vec3 from, to;
    vec3 along;          /* direction of the edge: unit, from tail to head */
    uint32_t tail, head; /* indices of points */
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
    geo_bvh bvh;    /* over the arcs on the unit sphere */
    double error_m; /* greatest distance of the faces of a facet from its plane: 0 for exact
                     * bodies */
};

/**
 * Decides whether the body is convex and prepares its facets and edges. Does this once; later calls
 * return at once. Must be called before gt_depth_query, from one thread. The test is exact: a
 * convex body is a connected solid without notched edges, by the sign of geo_orient3d. Coplanar
 * faces form one facet. A notch no deeper than 32 eps of the largest coordinate counts as flat, for
 * meshes whose flat faces were rounded; the deviation from convexity is added to the brackets.
 *
 * Errors   BASE_ERR_INPUT if the body is not a convex solid, with the reason and the first faces
 *          that show it, or has a facet narrower than 1e-14 of its length; BASE_ERR_MEMORY.
 */
base_status gt_body_make_hull(gt_body *body, base_error *err) BASE_MUST_CHECK;

/** Returns the point that is farthest along `along`; climbs over the edges from `start`. */
uint32_t gt_hull_climb(const gt_hull *hull, vec3 along, uint32_t start);

/** The same by a scan of all points; returns the first of equal ones. */
uint32_t gt_hull_scan(const gt_hull *hull, vec3 along);

/* --- The depth -------------------------------------------------------------------------------- */

typedef struct gt_depth {
    gt_bracket depth_m; /* length of the shortest translation that separates; {0, 0} when apart */
    /** Unit: the direction in which B moves to get out; if apart, from A's nearest point to B's. */
    vec3 direction;
    /** Points of the two surfaces that coincide after B has moved out: witness_a - witness_b is
     * the translation. If apart, the nearest points. A's frame. */
    vec3 witness_a, witness_b;
    uint64_t facets;     /* number of facets of the two bodies tested */
    uint64_t edge_pairs; /* number tested */
    uint64_t supports;   /* number of directions for which all vertices were scanned */
} gt_depth;

/**
 * Exact penetration depth of two convex bodies (gt_body_make_hull): the least distance from the
 * origin to a facet of the Minkowski difference, over the facets of A, those of B, and the pairs of
 * edges whose arcs cross on the Gauss map. A pair is dropped only if it certainly makes no facet or
 * no nearer one, and each pair kept is measured against all vertices. The depth is therefore
 * neither too small nor too large: it is the computed depth +- (1e-12 d + gt_depth_slack).
 *
 * Memory   no allocation.
 * Cost     1.3 ms for two bodies of 1,000 faces, 20 ms for 10,000; up to ten times as much if arcs
 *          are long, as those of cones are.
 */
void gt_depth_query(const gt_body *a, const gt_body *b, const geo_pose *pose, gt_depth *result);

/* --- The search, for more than one goal ------------------------------------------------------- */

/**
 * The function to be minimised over all facets, with unit normals n and width w >= 0 (the distance
 * that B has to move along n): w itself, or, if directed, (w + slack) / (n . along) where n . along
 * is positive.
 */
typedef struct gt_goal {
    bool directed;
    vec3 along; /* unit */
    double slack;
} gt_goal;

/**
 * Returns the least value and sets *normal to the normal that has it. Both bodies must have hulls.
 * Adds to the counts.
 */
double gt_depth_search(const gt_body *a, const gt_body *b, const geo_pose *pose,
                       const gt_goal *goal, vec3 *normal, gt_depth *counts);

/**
 * Returns the bound of the rounding error of a depth: 80 eps s + 16 eps r, plus the greatest
 * distance of the faces of a facet from its plane. s is the largest coordinate of either body in
 * A's frame, r that of B in its own frame, which is larger if B is far from its own origin.
 *
 * The depth is that of the convex hulls of A and of B with the corners as geo_pose_apply rounds
 * them; eps = 2^-52. The searches take their directions from B before this rounding, P, and measure
 * them on the rounded corners, P'.
 *
 * 1. The error of a corner of P' is at most m = 5 eps r + eps s: three roundings of |R| |p| along
 * each axis, and one of the sum. So the widths along any unit vector, and with them the depths of P
 * and P', differ by at most m, however thin a facet is and however far its normal has turned.
 * 2. The width along any unit vector is no less than the depth. So the measured width is too small
 * by at most its own rounding: that of a dot product of differences of corners, 10 eps s.
 * 3. The measured width is too large by at most the excess of the width of P' along a computed
 * normal over the depth of P'. This excess is m for the facet of P that is nearest, m for its
 * depth, and 63 eps s for the error of the computed normal: an angle of 18 eps (6 eps of rounding,
 * and R is a rotation to 12 eps) times the farthest point of the Minkowski difference, which is
 * less than 3.5 s away.
 *
 * The sum is 10 eps r + 75 eps s.
 */
double gt_depth_slack(const gt_body *a, const gt_body *b, const geo_pose *pose);

/**
 * Returns the bound of the rounding error of a translation of B by a vector that is no longer than
 * the size of the bodies: 12 eps r + 5 eps s. The corners before and after it each have an error of
 * m (gt_depth_slack). The sum of the translations is no longer than 3 s + 2 r along each axis, and
 * its rounding error is half an eps of that.
 */
double gt_depth_move_slack(const gt_body *a, const gt_body *b, const geo_pose *pose);

/* --- The second method ------------------------------------------------------------------------ */

/**
 * Finds the depth of gt_depth_query without its Gauss map, hierarchy and merged facets. Each face
 * of either mesh and each pair of an edge of A and one of B gives a direction, in sums of two
 * doubles. The depth is the least width along a direction, over all moved corners and in long
 * double. The two methods share the moved corners, the distance query that tells whether the bodies
 * are apart, and gt_depth_slack. Both bodies must have hulls (gt_body_make_hull).
 *
 * *direction: unit, the direction in which B moves out; unchanged if the bodies are apart.
 * Returns  false if there is no memory.
 * Memory   a few hundred bytes a face, freed again.
 * Cost     0.1 to 0.2 us a pair of edges, more for deeper poses: 0.03 s for two balls of 320 faces,
 *          0.6 s for two of 1,280, nearly concentric.
 */
bool gt_depth_edges(const gt_body *a, const gt_body *b, const geo_pose *pose, gt_bracket *depth,
                    vec3 *direction);

#endif
