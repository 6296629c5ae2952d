/**
 * The traversal of a tree of points in a field: finds the points that may be nearest to the other
 * body.
 *
 * The surface of a cluster is not nearer than v - below - radius, reduced by its points' patches,
 * where v is the field's value at the sphere's centre. Clusters and points that are not below the
 * limit are left out. The least bound of everything left out is kept. So the distance of the
 * surfaces is never below the smaller of that bound and the candidates' bounds, whatever the limit
 * was.
 *
 * Limit    decreases to the least value that was looked up, of points, or of spheres plus their
 *          radius. It is not a bound, as the field has an error, but the loss is limited by that
 *          error. A fixed limit does not change: then the candidates are all points with a bound
 *          below it.
 * Order    depth-first down to the first points, the nearest cluster first. After that several
 *          clusters at a time, so that the data of one is fetched while another one is computed.
 *          With a budget one at a time, the cluster with the least bound first.
 * Reads    packed data (field.h, tree.h), since cache misses determine the time of a traversal.
 * Units    metres; bounds and values are floats, bounds are rounded outwards.
 */
#ifndef ALGORITHMS_PST_WALK_H
#define ALGORITHMS_PST_WALK_H

#include "algorithms/pst/field.h"
#include "algorithms/pst/tree.h"
#include "geometry/pose.h"

/** A point that may be the nearest, with a lower bound of the distance of the surface that it
 * represents. */
typedef struct alg_pst_candidate {
    uint32_t point; /* index in the order of the tree */
    float bound, value;
} alg_pst_candidate;

/** A cluster that is still to be opened: a lane of a node. */
typedef struct alg_pst_cluster {
    float bound;
    uint32_t lane; /* ALG_PST_WIDTH * node + lane */
} alg_pst_cluster;

/** One traversal. The caller sets the first part. */
typedef struct alg_pst_walk {
    const alg_pst_tree *tree;
    const alg_pst_field *field;
    alg_pst_candidate *candidates; /* array of `capacity` items */
    uint32_t capacity;             /* at least 1 */
    alg_pst_cluster *open;         /* array of alg_pst_walk_room(tree) items */
    float limit;                   /* INFINITY, or a limit that is known before */
    bool fixed;                    /* true if the limit does not change */
    uint64_t budget;               /* number of lookups; 0: unlimited */
    uint64_t deadline_ns;          /* in the time of alg_clock_ns; 0: no deadline */

    /* Results. */
    uint32_t count; /* number of candidates, in no particular order; their bounds do not exceed the
                       limit */
    float rest;     /* least bound of everything that is not a candidate; INFINITY if nothing is
                       left out */
    bool ended;     /* false if the budget or the time was used up */
    bool inside;    /* the traversal stopped because `nearest` is inside of a solid by more than the
                  * errors */
    uint32_t nearest; /* point with the least value; if only spheres were looked up, the
                       * representative of the sphere with the least value + radius */
    float nearest_value, nearest_radius; /* value in the field; radius, 0 for a point */
    float nearest_at[3];                 /* position of the lookup, in the field's frame relative to
                                            its corner */
    uint64_t spheres, points;            /* numbers of lookups */

    /* Private. */
    geo_motion motion; /* from points relative to the tree's origin to the field's frame relative to
                          its corner */
    float margin; /* a surface may be nearer than a bound by at most this: rounding, slack, reach */
    float extent; /* greatest absolute coordinate of a moved point */
    uint32_t open_count, opened;
    uint32_t worst;   /* first candidate with the greatest bound; UINT32_MAX if it is not known */
    float full_limit; /* the limit when `worst` was found; all candidates are within it */
} alg_pst_walk;

/** Factor for a bound in float: half a dozen roundings of 2^-24, of terms that are all of its
 * size. */
#define ALG_PST_BOUND_SLACK (1 - 0x1p-20F)

/** Continue a traversal that was started until no cluster is open. The root's clusters are looked
 * up first. */
void alg_pst_walk_go_sse2(alg_pst_walk *walk);
void alg_pst_walk_go_avx2(alg_pst_walk *walk);

/** Sets `inside` to true if the traversal's `nearest` is inside by more than the errors. */
void alg_pst_walk_look_inside(alg_pst_walk *walk);

/** Makes room for a candidate with this bound: removes the candidates that the current limit
 * excludes, or else the one with the greatest bound. Returns false if there is no room because all
 * other candidates are nearer or equally near. */
bool alg_pst_walk_make_room(alg_pst_walk *walk, float bound);

/** Returns the greatest number of clusters that are open at the same time. */
size_t alg_pst_walk_room(const alg_pst_tree *tree);

/**
 * Runs a traversal. to_field: from the points' frame to the field's.
 *
 * Shapes   a tree of at least one point.
 * Cost     some tens of nodes, 0.1 us each.
 */
void alg_pst_walk_run(alg_pst_walk *walk, const geo_pose *to_field);

/** Returns the field's sample at the position of the traversal's `nearest`. */
alg_pst_sample alg_pst_walk_sample(const alg_pst_walk *walk);

/**
 * Returns a lower bound of the distance of the surface that a point represents, given a lower bound
 * of the point's own distance, by the formulas of points.h. Rounded down.
 */
double alg_pst_surface_bound(const alg_pst_points *points, uint32_t point, double distance);

#endif
