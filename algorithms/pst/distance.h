/**
 * The distance of two bodies. A traversal of one body's tree of points looks up distances in the
 * other body's field. Then the nearest points are measured on the meshes. pst-exact uses only the
 * traversal.
 */
#ifndef ALGORITHMS_PST_DISTANCE_H
#define ALGORITHMS_PST_DISTANCE_H

#include "algorithms/pst/pst.h"
#include "geometry/pose.h"

/* --- Traversal -------------------------------------------------------------------------------- */

/*
 * A traversal finds the points that may be nearest to the other body.
 *
 * Each cluster and each point gets a lower bound of the distance of the surface that it represents:
 * v - below - radius, reduced by the patches of its points (tree.h). v is the field's value at the
 * centre of the sphere. Clusters and points with a bound above the limit are left out. `rest` is
 * the least bound of everything that was left out. So the distance of the surfaces is never less
 * than the smallest of `rest` and the candidates' bounds, whatever the limit was.
 *
 * Limit    decreases to the least value of a point, or value + radius of a sphere, that was looked
 *          up. Since the field has errors, the distance may be greater than the limit by as much.
 *          A fixed limit does not change: then the candidates are all points with a bound up to the
 *          limit, if there is room for them.
 * Order    depth-first down to the first points, the nearest cluster first. After that, several
 *          clusters are opened at a time, so that the data of one cluster is fetched while another
 *          cluster is computed. With a budget or deadline, clusters are always opened one at a
 *          time, after the first points the cluster with the least bound first.
 * Reads    packed data (field.h, tree.h), because cache misses determine the time of a traversal.
 * Units    metres. Bounds and values are floats. Lower bounds are rounded down.
 */

/** A point that may be the nearest. */
typedef struct alg_pst_candidate {
    uint32_t point;     /* index in the order of the tree */
    float bound, value; /* lower bound for the surface that it represents; value in the field */
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

    float limit;          /* INFINITY, or a limit that is known before the traversal */
    bool fixed;           /* true if the limit does not change */
    uint64_t budget;      /* number of lookups; 0: unlimited */
    uint64_t deadline_ns; /* in the time of alg_clock_ns; 0: no deadline */

    /* Results. */
    uint32_t count; /* number of candidates, which have no particular order; no bound of a candidate
                       is above the limit */
    float rest;     /* least bound of everything that is not a candidate; INFINITY if nothing is
                       left out */
    bool ended;     /* false if the budget or the time was used up */
    bool inside;    /* true if the traversal stopped because the nearest lookup is inside of a solid
                       by more than all errors */
    uint32_t nearest; /* the point of the nearest lookup, which has the least value + radius of all
                         points (radius 0) and spheres; for a sphere its representative */
    float nearest_value, nearest_radius; /* value of that lookup in the field; its radius */
    float nearest_at[3];                 /* position of that lookup, in the field's frame relative
                                            to the field's corner */
    uint64_t spheres, points;            /* numbers of lookups */

    /* Private. */
    geo_motion motion; /* from points relative to the tree's origin to the field's frame relative to
                          its corner */
    float margin;      /* subtracted from each bound: rounding, slack and reach of the points */
    uint32_t open_count, opened;
    uint32_t worst;   /* first candidate with the greatest bound; UINT32_MAX if it is not known */
    float full_limit; /* the limit when `worst` was found; no candidate's bound was above it */
} alg_pst_traversal;

/** Allocates the memory of traversals of a tree in a field. Errors: BASE_ERR_MEMORY. */
base_status alg_pst_traversal_bind(alg_pst_traversal *traversal, const alg_pst_tree *tree,
                                   const alg_pst_field *field, uint32_t capacity, base_arena *arena,
                                   base_error *err) BASE_MUST_CHECK;

/**
 * Runs a traversal. to_field: from the points' frame to the field's.
 *
 * Shapes   the tree has at least one point.
 * Cost     opens some tens of nodes, 0.1 us each.
 */
void alg_pst_traverse(alg_pst_traversal *traversal, const geo_pose *to_field);

/** Returns the field's sample at the position of the nearest lookup (nearest_at). */
alg_pst_sample alg_pst_traversal_sample(const alg_pst_traversal *traversal);

/**
 * Returns a lower bound of the distance of the surface that a point represents, by the formulas of
 * tree.h. The result is rounded down. distance: a lower bound of the distance of the point itself.
 */
double alg_pst_surface_bound(const alg_pst_points *points, uint32_t point, double distance);

/* --- Distance --------------------------------------------------------------------------------- */

/*
 * Traversal  finds the points that may be nearest, as above.
 * Measured   at most `candidates` points. They may be nearer than the best measurement so far, and
 *            each is far from the points measured before. Of these, the point with the least value
 *            is next. A measurement starts at the face stored in the field's brick, and descends
 *            over adjacent faces (geometry/surface.h) to the nearest point of the other surface. If
 *            the result is farther than the field's value, it is another local minimum. Then a
 *            search of the whole surface finds the nearest point. After that, descents alternate:
 *            each goes to the point of one surface nearest to the last point of the other, `rounds`
 *            times or until the distance hardly decreases. With 0 rounds nothing is measured, and
 *            the answer comes from the field alone.
 * Bracket    hi: the distance of the nearest measured pair; if nothing was measured, v + above and
 *            the errors. lo: the least bound of all candidates and of everything left out. The
 *            search may end at any moment: the bracket always contains the distance of the
 *            surfaces.
 * Overlap    the distance is 0 if the nearest point is inside of the solid, if the nearest measured
 *            triangles intersect, or if a part of one body is inside the other.
 * Coherent   the points measured in the previous query are looked up first, to get a limit.
 * Budget     greatest number of lookups of spheres and points. If it is exhausted, the outcome is
 *            ALG_BUDGET_REACHED.
 * Deadline   the clock is read during the traversal, before each measurement except the first,
 *            before a search of the whole surface, and before exact arithmetic decides whether
 *            bodies overlap that are nearer than rounding errors. If this is not decided in time,
 *            the bracket begins at 0. The outcome is ALG_BUDGET_REACHED then, too.
 * Source     PST 3 names distances as future work; the method is this suite's own.
 */

enum { ALG_PST_CANDIDATES_MOST = 64, ALG_PST_ROUNDS_MOST = 16 };

/** Two bodies bound for queries. The caller sets the members before `traversal`. */
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
    uint32_t last[ALG_PST_CANDIDATES_MOST]; /* points measured so far in this query; between queries
                                               those of the last query */
    uint32_t last_count;
} alg_pst_distance;

/** Allocates the work space of queries. Errors: BASE_ERR_MEMORY. Memory: arena. */
base_status alg_pst_distance_bind(alg_pst_distance *pair, base_arena *arena,
                                  base_error *err) BASE_MUST_CHECK;

/** Answers one pose: distance, witnesses, bracket, and all counters except those of contacts. To
 * forget the previous query, set last_count to 0. */
void alg_pst_distance_query(alg_pst_distance *pair, const geo_pose *pose, alg_answer *answer);

/* --- Shared by distance.c and distance_isa.c -------------------------------------------------- */

/** Factor that lowers a bound computed in float by more than its rounding: about six roundings of
 * 2^-24 each, of terms that are at most as large as the bound. */
#define ALG_PST_BOUND_SLACK (1 - 0x1p-20F)

/** Run a traversal whose members are initialized, from the root's clusters on. It ends if no
 * cluster is open, if the budget or the time is used up, or if a lookup is inside. */
void alg_pst_traverse_sse2(alg_pst_traversal *traversal);
void alg_pst_traverse_avx2(alg_pst_traversal *traversal);

/** Makes room for a candidate with this bound. Removes the candidates with bounds above the current
 * limit; if there are none, the candidate with the greatest bound. Returns false, and removes none,
 * if no candidate has a greater bound than this one. */
bool alg_pst_make_room(alg_pst_traversal *traversal, float bound);

#endif
