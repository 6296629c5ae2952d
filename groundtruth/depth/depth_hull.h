/** A convex body as the depth reads it: facets, and the arcs of its Gauss map. */
#ifndef GROUNDTRUTH_DEPTH_HULL_H
#define GROUNDTRUTH_DEPTH_HULL_H

#include "groundtruth/body/body.h"

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

#endif
