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
 * An edge between two facets. The edge is extreme in the directions of an arc on the unit sphere.
 * The arc leads from the normal of one facet to that of the other, counter-clockwise about the
 * edge.
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
    double error_m; /* greatest distance of the corners of a facet's faces from its plane; 0 if no
                     * notch was attributed to rounding */
};

/**
 * Decides whether the body is convex, and prepares its facets and edges. Must be called before
 * gt_depth_query, from one thread. Later calls return the same result at once.
 *
 * A body is convex if it is a connected solid without notched edges and without parts that meet
 * only in a vertex. Exact signs (geo_orient3d) find the notches. Coplanar faces form one facet. A
 * notch that is no deeper than 32 eps of the largest coordinate counts as flat, because flat faces
 * of a mesh may have been rounded. gt_depth_slack then contains the distance of these faces from
 * the plane of their facet.
 *
 * Errors   BASE_ERR_INPUT with the reason, if the body is not a convex solid (for a notch, with the
 *          numbers of its two faces) or has a facet narrower than 1e-14 of its length;
 *          BASE_ERR_MEMORY.
 */
base_status gt_body_make_hull(gt_body *body, base_error *err) BASE_MUST_CHECK;

/** Returns the point that is farthest along `along`. Starts at a point and climbs along the
 * edges. */
uint32_t gt_hull_climb(const gt_hull *hull, vec3 along, uint32_t start);

/** The same by a scan of all points; returns the first of equal ones. */
uint32_t gt_hull_scan(const gt_hull *hull, vec3 along);

/* --- The depth -------------------------------------------------------------------------------- */

typedef struct gt_depth {
    gt_bracket depth_m; /* length of the shortest translation that separates; {0, 0} when apart */
    /** Unit vector. Overlapping bodies: the direction in which B moves out. Bodies that are apart:
     * from A's nearest point to B's. */
    vec3 direction;
    /** The points of the two surfaces that coincide after B has moved out, at their places before
     * the move, in A's frame. witness_a - witness_b is the translation. If the bodies are apart:
     * their nearest points. */
    vec3 witness_a, witness_b;
    uint64_t facets;     /* number of facets of the two bodies */
    uint64_t edge_pairs; /* number of pairs of edges tested */
    uint64_t supports;   /* number of directions for which all vertices were scanned */
} gt_depth;

/**
 * Computes the exact penetration depth of two convex bodies (gt_body_make_hull). It is the least
 * distance from the origin to a facet of the Minkowski difference. Its facets are the facets of A,
 * those of B, and one for each pair of edges whose arcs cross on the Gauss map. A pair is left out
 * only if it certainly makes no facet or no nearer one. The width along the normal of each
 * remaining pair is measured with all vertices. So the depth is neither too small nor too large: it
 * is the computed depth d, +- (1e-12 d + gt_depth_slack).
 *
 * Memory   no allocation.
 * Cost     1.3 ms for two bodies of 1,000 faces, 20 ms for 10,000; up to ten times as much if arcs
 *          are long, as those of cones are.
 */
void gt_depth_query(const gt_body *a, const gt_body *b, const geo_pose *pose, gt_depth *result);

/* --- The search, for more than one goal ------------------------------------------------------- */

/**
 * The function that a search minimises over all facets. A facet has the unit normal n and the width
 * w >= 0, which is how far B has to move along n to be out. The value of the facet is w. If
 * directed, it is (w + slack) / (n . along), and facets whose n . along is not positive are left
 * out.
 */
typedef struct gt_goal {
    bool directed;
    vec3 along; /* unit */
    double slack;
} gt_goal;

/**
 * Returns the least value of the goal, and sets *normal to the normal of this facet. Both bodies
 * must have hulls. Adds the numbers of tests to counts.
 */
double gt_depth_search(const gt_body *a, const gt_body *b, const geo_pose *pose,
                       const gt_goal *goal, vec3 *normal, gt_depth *counts);

/**
 * Returns a bound of the rounding error of a depth: 80 eps s + 16 eps r, plus 16 times the sum of
 * error_m of both hulls. s is the largest coordinate of either body in A's frame. r is the largest
 * coordinate of B in its own frame; it is the larger one if B is far from its own origin.
 *
 * The exact reference is the depth of the convex hulls of A and of B, with the corners of B as
 * geo_pose_apply rounds them; eps = 2^-52. P is the Minkowski difference before this rounding, and
 * P' the one after it. The searches take their directions from P and measure the widths on P'.
 *
 * 1. The error of a corner of P' is at most m = 5 eps r + eps s: three roundings of |R| |p| along
 * each axis, and one of the sum. So the widths of P and P' along any unit vector differ by at most
 * m, and so do their depths. This holds even if a facet is thin and its normal has turned far.
 * 2. The width along any unit vector is no less than the depth. So the measured width is too small
 * by at most its own rounding error, which is that of a dot product of differences of corners: 10
 * eps s.
 * 3. The measured width is too large by at most the difference between the width of P' along a
 * computed normal and the depth of P'. For the nearest facet of P, this difference has three parts:
 * m for the width, m for the depth, and 63 eps s for the error of the computed normal. The normal
 * has an error of 18 eps (6 eps of rounding, and R is a rotation up to 12 eps), and the farthest
 * point of the Minkowski difference is less than 3.5 s away.
 *
 * The sum is 10 eps r + 75 eps s, which is less than the bound above.
 */
double gt_depth_slack(const gt_body *a, const gt_body *b, const geo_pose *pose);

/**
 * Returns 16 eps (r + s), a bound of the rounding error of a translation of B by a vector that is
 * no longer than the size of the bodies. r and s are those of gt_depth_slack. The error itself is
 * at most 12 eps r + 5 eps s: the corners before and after the translation each have an error of m.
 * The sum of the translations is no longer than 3 s + 2 r along each axis, and its rounding error
 * is half an eps of that.
 */
double gt_depth_move_slack(const gt_body *a, const gt_body *b, const geo_pose *pose);

/* --- The second method ------------------------------------------------------------------------ */

/**
 * Computes the depth of gt_depth_query by a method that needs no Gauss map, no hierarchy and no
 * merged facets. Each face of either mesh gives a direction, and so does each pair of an edge of A
 * and one of B. Directions are computed in sums of two doubles. The depth is the least width along
 * a direction, measured in long double on all moved corners. The two methods share the moved
 * corners, the distance query that tells whether the bodies are apart, and gt_depth_slack. Both
 * bodies must have hulls (gt_body_make_hull).
 *
 * *direction: unit; the direction in which B moves out. It is unchanged if the bodies are apart or
 * there is no memory.
 * Returns  false if there is no memory.
 * Memory   a few hundred bytes a face, freed again.
 * Cost     0.1 to 0.2 us a pair of edges, more for deeper poses: 0.03 s for two balls of 320 faces,
 *          0.6 s for two of 1,280, nearly concentric.
 */
bool gt_depth_edges(const gt_body *a, const gt_body *b, const geo_pose *pose, gt_bracket *depth,
                    vec3 *direction);

#endif
