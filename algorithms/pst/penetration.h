/**
 * Contact, depth and force: looks up the points of one body in the field, or in the layers, of the
 * other one.
 *
 * A point pushes if its depth d is positive, as in the voxmap-pointshell algorithm (vps/vps.h):
 *
 * Field    d is minus the interpolated distance (PST 2, figure 1 (e)).
 * Layers   d is k edges in layer k, and half an edge in surface voxels (VPS 2).
 * Own      the push is along the point's own normal, into its body (PST 2).
 * Gradient the push is along the gradient of the field, out of the field's body; not in the paper.
 * Weights  the force is d, or d times the point's share of the surface if points have shares; then
 *          the own normal is the direction of the share. The torque is about B's centroid. The
 *          force is in m: without shares a sum of depths, with shares a mean of depths over the
 *          whole surface.
 *
 * Tree     a queue of clusters, from the root. A cluster whose sphere cannot contain a
 *          pushing point is left out with all of its descendants. Of another one the representative
 *          is looked up and its children are queued. flat: all points, without a tree. Both find
 *          the same pushing points, and add them in the order of the tree, so answers have the same
 *          bits.
 * Budget   greatest number of lookups of spheres and points together. When it is used up, the
 *          representatives of the clusters in the queue push as many times as these have points
 *          that were not looked up, and the outcome is ALG_BUDGET_REACHED. An answer has no member
 *          for the greatest depth that such a point may have; the pair has it, as `hidden`.
 * Source   PST 2.
 */
#ifndef ALGORITHMS_PST_PENETRATION_H
#define ALGORITHMS_PST_PENETRATION_H

#include "algorithms/pst/pst.h"
#include "geometry/pose.h"

/** Choice of depths, in the order of the parameter's words. */
typedef enum alg_pst_depth {
    ALG_PST_FIELD,
    ALG_PST_LAYERS,
} alg_pst_depth;

/** Choice of directions, in the order of the parameter's words. */
typedef enum alg_pst_normals {
    ALG_PST_OWN,
    ALG_PST_GRADIENT,
} alg_pst_normals;

/** Two bodies bound for queries. The caller sets all members except `queue` and `hidden`. */
typedef struct alg_pst_penetration {
    const alg_pst_body *field;
    const alg_pst_tree *points; /* of the other body */
    bool moving;                /* true: the field is B's and the points are A's */
    alg_pst_depth depth;
    alg_pst_normals normals;
    bool flat;
    uint32_t layers;             /* greatest layer of depths, for ALG_PST_LAYERS */
    uint64_t budget;             /* number of lookups; 0: unlimited */
    uint64_t budget_ns;          /* time; 0: unlimited */
    vec3 centroid_b;             /* in B's frame */
    unsigned wanted;             /* mask of ALG_WANT_* of contact, depth, force */
    struct alg_pst_queue *queue; /* arena; private: state of traversals, see below */
    /** For the last query, an upper bound of the depth of points that were not looked up; 0 if no
     * budget was reached. INFINITY without a tree, since nothing is known of such points. */
    double hidden;
} alg_pst_penetration;

/** Allocates the work space of queries. Errors: BASE_ERR_MEMORY. Memory: arena. */
base_status alg_pst_penetration_bind(alg_pst_penetration *pair, base_arena *arena,
                                     base_error *err) BASE_MUST_CHECK;

/** Answers one pose: contact, depth (of the deepest point, with its direction), force and torque,
 * the list of contacts, and all counters except those of distances. */
void alg_pst_penetration_query(alg_pst_penetration *pair, const geo_pose *pose, alg_answer *answer);

/* --- Shared by penetration.c and penetration_isa.c -------------------------------------------- */

/** A cluster that may contain a pushing point. */
typedef struct alg_pst_item {
    uint32_t first, count; /* range of its points */
    uint32_t child;        /* the node below it, or ALG_PST_LEAF */
    float bound;           /* lower bound of the signed distance of its points */
} alg_pst_item;

/** State of a query's traversal, and the memory of all queries. */
typedef struct alg_pst_queue {
    const alg_pst_tree *tree;
    const alg_pst_field *field;
    const alg_voxel_map *map; /* for ALG_PST_LAYERS; else NULL */
    /** For a pair: a point farther than `reach` outside of the field's surface does not push, and a
     * depth exceeds the exact one by at most `excess`. */
    float reach, excess;
    /** For a query. */
    geo_motion motion; /* from points relative to the tree's origin to positions relative to the
                          field's corner */
    float margin;      /* of spheres: rounding of motion, points and centres */
    float voxel_corner[3],
        per_voxel;        /* of the map: its grid's outermost corner, relative to the field's */
    bool representatives; /* true if a cluster's representative is looked up before its
                             descendants */
    bool once;            /* true if the query ends with the first pushing point */
    uint64_t most;        /* limit of lookups; the numbers so far follow */
    uint64_t spheres, points;
    uint32_t head, tail;
    alg_pst_item *items; /* arena; room for all clusters */
    /** A bit for each point that may push, in words [hit_begin, hit_end); all other words are 0. */
    uint32_t hit_begin, hit_end;
    uint64_t *hits;    /* arena */
    uint32_t *further; /* arena; number of further points that a point represents; 0 between
                          queries */
} alg_pst_queue;

/** Open clusters, first in, first out, until the queue is empty, the next one would exceed `most`,
 * or, if `once` is set, there is a hit. */
void alg_pst_open_clusters_sse2(alg_pst_queue *queue);
void alg_pst_open_clusters_avx2(alg_pst_queue *queue);

/** Look up points [first, first + count). */
void alg_pst_look_up_points_sse2(alg_pst_queue *queue, uint32_t first, uint32_t count);
void alg_pst_look_up_points_avx2(alg_pst_queue *queue, uint32_t first, uint32_t count);

enum { ALG_PST_REACTIONS = 16 }; /* a multiple of 4 */

/** Points, and their pushes along their own normals. */
typedef struct alg_pst_reactions {
    uint32_t count;
    uint32_t point[ALG_PST_REACTIONS]; /* indices in the order of the tree */
    double at[3][ALG_PST_REACTIONS];   /* position in the field's frame, as by geo_pose_apply */
    double own[3][ALG_PST_REACTIONS];  /* unit: the normal, or the direction of the share */
    double weight[ALG_PST_REACTIONS];  /* 1, or the length of the share */
    float depth[ALG_PST_REACTIONS];    /* minus alg_pst_field_at; 0 beyond the blocks */
} alg_pst_reactions;

/** Fill all members except the points and their count. into: from the points' frame to the field's.
 * Normals are rotated into that frame if `turn` is set. */
void alg_pst_react_sse2(const alg_pst_queue *queue, const geo_pose *into, bool turn,
                        alg_pst_reactions *reactions);
void alg_pst_react_avx2(const alg_pst_queue *queue, const geo_pose *into, bool turn,
                        alg_pst_reactions *reactions);

#endif
