/**
 * The walk of a tree of points against a field: which points may be the nearest to the other body.
 *
 * A cluster's surface is no nearer than v - below - radius allows, less its points' patches; v is
 * the field at the sphere's centre. What cannot be below the limit is left out, and the least bound
 * of all that is left out is kept, so that the distance of the surfaces is never below the smaller
 * one of that and of the candidates' bounds, whatever the limit was.
 *
 * Limit    falls to the least distance that was looked up, of points, or of spheres plus their
 *          radius: no promise, as the field errs, but nothing is lost by it but what it errs by. A
 *          limit that is fixed stays: then the candidates are all points with a bound below it.
 * Order    down to the first points depth-first, the nearest cluster first; then several clusters
 *          at a time, so that what one reads is on its way while another is computed. Within a
 *          budget one at a time, the cluster with the least bound first.
 * Reads    what is packed (field.h, tree.h): a walk takes as long as its cache misses.
 * Units    metres; bounds and values are floats, bounds are rounded outwards.
 */
#ifndef ALGORITHMS_PST_WALK_H
#define ALGORITHMS_PST_WALK_H

#include "algorithms/pst/field.h"
#include "algorithms/pst/tree.h"
#include "geometry/pose.h"

/** A point that may be the nearest, with a lower bound of the distance of the surface that it
 * stands for. */
typedef struct alg_pst_candidate {
    uint32_t point; /* in the order of the tree */
    float bound, value;
} alg_pst_candidate;

/** A cluster that is still to be opened: one of a node's lanes. */
typedef struct alg_pst_cluster {
    float bound;
    uint32_t lane; /* ALG_PST_WIDTH * node + lane */
} alg_pst_cluster;

/** One walk. The caller sets the first part. */
typedef struct alg_pst_walk {
    const alg_pst_tree *tree;
    const alg_pst_field *field;
    alg_pst_candidate *candidates; /* room for `capacity` */
    uint32_t capacity;             /* 1 or more */
    alg_pst_cluster *open;         /* room for alg_pst_walk_room(tree) */
    float limit;                   /* INFINITY, or what is known before */
    bool fixed;                    /* the limit stays */
    uint64_t budget;               /* lookups; 0: as many as it takes */
    uint64_t deadline_ns;          /* of alg_clock_ns; 0: none */

    /* What it finds. */
    uint32_t count; /* of candidates, in no order; their bounds are not above the limit */
    float rest;     /* the least bound of all that is no candidate; INFINITY: nothing is left */
    bool ended;     /* false: budget or time was used up */
    bool inside; /* the walk has stopped, as `nearest` is inside of a solid by more than the errors
                  */
    uint32_t nearest; /* point with the least value; where only spheres were looked up, the
                       * representative of that with the least value + radius */
    float nearest_value, nearest_radius; /* in the field; 0 for a point */
    float nearest_at[3];                 /* where, in the field's frame less its corner */
    uint64_t spheres, points;            /* looked up */

    /* Own. */
    geo_motion motion; /* points less the tree's origin, into the field's frame less its corner */
    float margin; /* no surface is nearer than a bound by more than this: rounding, slack, reach */
    float extent; /* no coordinate of a point, moved, is larger */
    uint32_t open_count, opened;
    uint32_t worst; /* the first candidate with the greatest bound, or UINT32_MAX: not found yet */
    float full_limit; /* the limit when `worst` was found; no candidate is beyond it */
} alg_pst_walk;

/** A bound in float: half a dozen roundings of 2^-24, of terms that are all of its size. */
#define ALG_PST_BOUND_SLACK (1 - 0x1p-20F)

/** Goes on until nothing is left open, of a walk that has begun: the root's clusters are looked up
 * first. */
void alg_pst_walk_go_sse2(alg_pst_walk *walk);
void alg_pst_walk_go_avx2(alg_pst_walk *walk);

/** Looks whether the walk's `nearest` is inside by more than the errors. */
void alg_pst_walk_look_inside(alg_pst_walk *walk);

/** Makes room among the candidates for one with the bound, where it is not farther than all of
 * them: by leaving out those that the limit excludes by now, or that with the greatest bound.
 * False: there is none. */
bool alg_pst_walk_make_room(alg_pst_walk *walk, float bound);

/** Clusters that are open at a time, at most. */
size_t alg_pst_walk_room(const alg_pst_tree *tree);

/**
 * Walks. to_field carries the points' frame into the field's.
 *
 * Shapes   a tree of one point or more.
 * Cost     some tens of nodes, 0.1 us each.
 */
void alg_pst_walk_run(alg_pst_walk *walk, const geo_pose *to_field);

/** What the field says where the walk's `nearest` was looked up. */
alg_pst_sample alg_pst_walk_sample(const alg_pst_walk *walk);

/**
 * A lower bound of the distance of the surface that a point stands for, of one of its own distance:
 * the formulas of points.h. Rounded down.
 */
double alg_pst_surface_bound(const alg_pst_points *points, uint32_t point, double distance);

#endif
