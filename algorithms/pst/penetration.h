/**
 * Contact, depth and force: the points of one body are looked up in the field, or in the layers, of
 * the other body.
 *
 * A point pushes if its depth d is positive, as in the voxmap-pointshell algorithm (vps/vps.h):
 *
 * Field    d is minus the interpolated distance (PST 2, figure 1 (e)).
 * Layers   d is k edges in layer k, and half an edge in surface voxels (VPS 2).
 * Own      the push is along the point's own normal, which points into the body of the point (PST
 *          2).
 * Gradient the push is along the gradient of the field, out of the field's body. This is not in the
 *          paper.
 * Weights  without shares, the force of a point is d. With shares, it is d times the length of the
 *          point's share of the surface, and the own normal is the direction of the share. The
 *          force is in m: without shares it is a sum of depths, with shares a mean of depths over
 *          the whole surface. The torque is about B's centroid.
 *
 * Tree     a queue of clusters, which begins with the root. A cluster whose sphere cannot contain a
 *          pushing point is left out with all of its descendants. The children of any other cluster
 *          are queued, and the points of a leaf are looked up. If a query may end early (contact
 *          only, a budget or a deadline), the representative of each cluster is looked up before
 *          its children.
 * flat     all points are looked up, without a tree. Tree and flat find the same pushing points,
 *          and add them in the order of the tree, so answers have the same bits.
 * Budget   greatest number of lookups of spheres and points together. If it or the time is used up,
 *          the outcome is ALG_BUDGET_REACHED. The push of the representative of each cluster in the
 *          queue then counts once for each point of the cluster, because the other points were not
 *          looked up. Such a point may be deeper than the answer's depth. An answer has no member
 *          for the greatest depth that is possible; it is alg_pst_penetration.hidden.
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
    /** Result of a query: upper bound of the depths of the points that may push but were not
     * looked up. 0 if neither the budget nor the time was used up. If one of them was used up,
     * a query with `flat` knows nothing of such points, and sets INFINITY. */
    double hidden;
} alg_pst_penetration;

/** Allocates the work space of queries. Errors: BASE_ERR_MEMORY. Memory: arena. */
base_status alg_pst_penetration_bind(alg_pst_penetration *pair, base_arena *arena,
                                     base_error *err) BASE_MUST_CHECK;

/** Answers one pose: contact, depth, force and torque, the list of contacts, and the counters of
 * spheres, points and contacts. Depth and direction are those of the deepest point. */
void alg_pst_penetration_query(alg_pst_penetration *pair, const geo_pose *pose, alg_answer *answer);

/** Returns the depth by layers of a point at p in the map's frame; 0 outside of the voxels. layers:
 * greatest layer of depths. */
double alg_pst_layer_depth(const alg_voxel_map *map, uint32_t layers, vec3 p);

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
    /** Constants of the pair. A point that is outside of the surface by more than `reach` does not
     * push. A depth exceeds the exact depth by at most `excess`. */
    float reach, excess;
    /** State of one query. */
    geo_motion motion; /* from points relative to the tree's origin to positions relative to the
                          field's corner */
    float margin;      /* added to the radius of each sphere: rounding of motion, points, centres */
    float voxel_corner[3],
        per_voxel; /* lowest corner of the map's grid, relative to the field's corner; inverse
                             of a voxel's edge */
    bool representatives;     /* true if a cluster's representative is looked up before its
                             descendants */
    bool once;                /* true if the query ends with the first pushing point */
    uint64_t most;            /* limit of spheres + points */
    uint64_t spheres, points; /* numbers of lookups so far */
    uint32_t head, tail;      /* the queue is items[head] to items[tail - 1] */
    alg_pst_item *items;      /* arena; room for all clusters */
    /** A bit for each point that may push, in words [hit_begin, hit_end); all other words are 0. */
    uint32_t hit_begin, hit_end;
    uint64_t *hits;    /* arena */
    uint32_t *further; /* arena; for the representative of a cluster that was not opened, the number
                          of other points in the cluster; 0 for other points, and between queries */
} alg_pst_queue;

/** Open clusters, first in, first out, until the queue is empty or the next cluster would exceed
 * `most`. If `once` is set, they also stop at a hit. */
void alg_pst_open_clusters_sse2(alg_pst_queue *queue);
void alg_pst_open_clusters_avx2(alg_pst_queue *queue);

/** Look up points [first, first + count). */
void alg_pst_look_up_points_sse2(alg_pst_queue *queue, uint32_t first, uint32_t count);
void alg_pst_look_up_points_avx2(alg_pst_queue *queue, uint32_t first, uint32_t count);

enum { ALG_PST_REACTIONS = 16 }; /* a multiple of 4 */

/** Points that may push, with their positions, own normals, weights and depths. */
typedef struct alg_pst_reactions {
    uint32_t count;
    uint32_t point[ALG_PST_REACTIONS]; /* indices in the order of the tree */
    double at[3][ALG_PST_REACTIONS];   /* position in the field's frame, as by geo_pose_apply */
    double own[3][ALG_PST_REACTIONS];  /* unit; the normal, or the direction of the share */
    double weight[ALG_PST_REACTIONS];  /* 1, or the length of the share */
    float depth[ALG_PST_REACTIONS];    /* minus alg_pst_field_at; 0 beyond the blocks */
} alg_pst_reactions;

/** Fill all members except the points and their count. into: from the points' frame to the field's.
 * If `turn` is set, own normals are in the field's frame, else in the points' frame. */
void alg_pst_react_sse2(const alg_pst_queue *queue, const geo_pose *into, bool turn,
                        alg_pst_reactions *reactions);
void alg_pst_react_avx2(const alg_pst_queue *queue, const geo_pose *into, bool turn,
                        alg_pst_reactions *reactions);

#endif
