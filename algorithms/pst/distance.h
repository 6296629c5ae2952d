/**
 * The distance: a traversal of one body's tree of points in the other body's field, then
 * measurements of the nearest points on the meshes. pst-exact uses the traversal alone.
 */
#ifndef ALGORITHMS_PST_DISTANCE_H
#define ALGORITHMS_PST_DISTANCE_H

#include "algorithms/pst/pst.h"
#include "geometry/pose.h"

/* --- Traversal -------------------------------------------------------------------------------- */

/*
 * A traversal finds the points that may be nearest to the other body.
 *
 * The surface of a cluster is not nearer than v - below - radius, reduced by its points' patches
 * (tree.h), where v is the field's value at the sphere's centre. Clusters and points that are not
 * below the limit are left out. The least bound of everything left out is kept. So the distance of
 * the surfaces is never below the smaller of that bound and the candidates' bounds, whatever the
 * limit was.
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

/** One traversal. The caller sets the members from `limit` to `deadline_ns`. */
typedef struct alg_pst_traversal {
    const alg_pst_tree *tree;
    const alg_pst_field *field;
    alg_pst_candidate *candidates; /* arena; array of `capacity` items */
    uint32_t capacity;             /* at least 1 */
    alg_pst_cluster *open;         /* arena; array of node_count * ALG_PST_WIDTH items */

    float limit;          /* INFINITY, or a limit that is known before */
    bool fixed;           /* true if the limit does not change */
    uint64_t budget;      /* number of lookups; 0: unlimited */
    uint64_t deadline_ns; /* in the time of alg_clock_ns; 0: no deadline */

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
    uint32_t open_count, opened;
    uint32_t worst;   /* first candidate with the greatest bound; UINT32_MAX if it is not known */
    float full_limit; /* the limit when `worst` was found; all candidates are within it */
} alg_pst_traversal;

/** Allocates the memory of traversals of a tree in a field. Errors: BASE_ERR_MEMORY. */
base_status alg_pst_traversal_bind(alg_pst_traversal *traversal, const alg_pst_tree *tree,
                                   const alg_pst_field *field, uint32_t capacity, base_arena *arena,
                                   base_error *err) BASE_MUST_CHECK;

/**
 * Runs a traversal. to_field: from the points' frame to the field's.
 *
 * Shapes   a tree of at least one point.
 * Cost     some tens of nodes, 0.1 us each.
 */
void alg_pst_traverse(alg_pst_traversal *traversal, const geo_pose *to_field);

/** Returns the field's sample at the position of the traversal's `nearest`. */
alg_pst_sample alg_pst_traversal_sample(const alg_pst_traversal *traversal);

/**
 * Returns a lower bound of the distance of the surface that a point represents, given a lower bound
 * of the point's own distance, by the formulas of tree.h. Rounded down.
 */
double alg_pst_surface_bound(const alg_pst_points *points, uint32_t point, double distance);

/* --- Distance --------------------------------------------------------------------------------- */

/*
 * Traversal  the field's value v at a cluster's centre bounds its distance from below: v - below -
 *            radius. Minus the cluster's patch (tree.h), this bounds the surface that it
 *            represents. Clusters that cannot be nearer than the nearest point so far are left out.
 * Measured   `candidates` of the remaining points that may be nearer than the best measurement,
 *            those with the least value first, each far from the previous ones. A measurement
 *            descends from the face stored in the field's brick over adjacent faces
 *            (geometry/surface.h) to the nearest point of the other surface. If the result is
 *            farther than the field's value, it is another local minimum, and a search of the whole
 *            surface finds the nearest point. Then descents alternate: to the point of one surface
 *            nearest to the last point of the other, `rounds` times or until the distance hardly
 *            decreases. With 0 rounds the answer comes from the field alone.
 * Bracket    hi: the distance of the nearest measured pair, or v + above if nothing was measured.
 *            lo: the least bound of everything left out, not measured, or not opened. So the
 *            bracket contains the distance of the surfaces at any moment.
 * Overlap    the distance is 0 if a point is inside by more than the field's error, or a part of
 *            one body is inside the other.
 * Coherent   the points measured in the previous query are looked up first, for the limit.
 * Budget     greatest number of lookups of spheres and points. If it is exhausted, the outcome is
 *            ALG_BUDGET_REACHED. The clock is read before each measurement except the first, and
 *            before exact arithmetic decides whether bodies nearer than rounding errors overlap. An
 *            undecided case remains in the bracket.
 * Source     PST 3 names distances as future work; the method is this suite's own.
 */

enum { ALG_PST_CANDIDATES_MOST = 64, ALG_PST_ROUNDS_MOST = 16 };

/** Two bodies bound for queries. The caller sets the first part. */
typedef struct alg_pst_distance {
    const alg_pst_body *field, *points;
    bool moving;         /* true: the field is B's and the points are A's */
    uint32_t candidates; /* 1 to ALG_PST_CANDIDATES_MOST */
    uint32_t rounds;     /* 0 to ALG_PST_ROUNDS_MOST */
    bool coherent;
    uint64_t budget;    /* number of lookups; 0: unlimited */
    uint64_t budget_ns; /* time; 0: unlimited */

    /* Private. */
    alg_pst_traversal traversal;
    uint32_t last[ALG_PST_CANDIDATES_MOST]; /* points measured in this query, or before it in the
                                               previous one */
    uint32_t last_count;
} alg_pst_distance;

/** Allocates the work space of queries. Errors: BASE_ERR_MEMORY. Memory: arena. */
base_status alg_pst_distance_bind(alg_pst_distance *pair, base_arena *arena,
                                  base_error *err) BASE_MUST_CHECK;

/** Answers one pose: distance, witnesses, bracket, and all counters except those of contacts. To
 * forget the previous query, set last_count to 0. */
void alg_pst_distance_query(alg_pst_distance *pair, const geo_pose *pose, alg_answer *answer);

/* --- Shared by distance.c and distance_isa.c -------------------------------------------------- */

/** Factor for a bound in float: half a dozen roundings of 2^-24, of terms that are all of its
 * size. */
#define ALG_PST_BOUND_SLACK (1 - 0x1p-20F)

/** Continue a traversal that was started until no cluster is open. The root's clusters are looked
 * up first. */
void alg_pst_traverse_sse2(alg_pst_traversal *traversal);
void alg_pst_traverse_avx2(alg_pst_traversal *traversal);

/** Makes room for a candidate with this bound: removes the candidates that the current limit
 * excludes, or else the one with the greatest bound. Returns false if there is no room because all
 * other candidates are nearer or equally near. */
bool alg_pst_make_room(alg_pst_traversal *traversal, float bound);

#endif
