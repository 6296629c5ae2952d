/**
 * Contact, depth and force: points of one body in the field, or among the layers, of the other.
 *
 * A point pushes where its depth d is above 0, as in the voxmap-pointshell algorithm (vps/query.h):
 *
 * Field    d is minus the interpolated distance (PST 2, figure 1 (e)).
 * Layers   d is k edges in layer k, and half an edge in surface voxels (VPS 2).
 * Own      it pushes along its own normal, into its body (PST 2).
 * Gradient it pushes along the gradient of the field, out of the field's body; not in the paper.
 * Weights  its force is d, or d times its share of the surface where points have shares; the own
 *          normal is the direction of the share then. Torque is about B's centroid. The force is
 *          in m: without shares a sum of depths, with shares a mean of depths over the whole
 *          surface.
 *
 * Walk     tree: from a queue of clusters, uppermost first; one whose sphere is clear of all that
 *          pushes is left out with all below, of another the representative is looked up and its
 *          clusters are queued. flat: all points, as without a tree. Both push the same points, and
 *          add them in the order of the tree: answers are the same to the last bit.
 * Budget   lookups, of spheres and points together; never more. Clusters that are left in the queue
 *          when it is used up push by their representatives, as many times as they have points not
 *          looked up; the outcome is ALG_BUDGET_REACHED. An answer has no place for how deep a
 *          point may be that was not looked up: the pair has it, as `hidden`.
 * Source   PST 2.
 */
#ifndef ALGORITHMS_PST_PENETRATION_H
#define ALGORITHMS_PST_PENETRATION_H

#include "algorithms/pst/body.h"
#include "geometry/pose.h"

/** In the order of the words of the parameter `depth`. */
typedef enum alg_pst_depth {
    ALG_PST_FIELD,
    ALG_PST_LAYERS,
} alg_pst_depth;

/** In the order of the words of the parameter `normals`. */
typedef enum alg_pst_normals {
    ALG_PST_OWN,
    ALG_PST_GRADIENT,
} alg_pst_normals;

/** Places in the counters of an answer, of all entries. */
enum {
    ALG_PST_COUNT_SPHERES,   /* looked up in the field */
    ALG_PST_COUNT_POINTS,    /* looked up in the field, or among layers */
    ALG_PST_COUNT_CLOSEST,   /* searches of the nearest point of a surface */
    ALG_PST_COUNT_CONTACTS,  /* points that push */
    ALG_PST_COUNT_TRIANGLES, /* pairs of triangles, of an exact search */
    ALG_PST_COUNT
};

/** Two bodies, bound for queries; the caller sets all but what is the pair's own. */
typedef struct alg_pst_penetration {
    const alg_pst_body *field;
    const alg_pst_tree *points; /* of the other body */
    bool moving;                /* is the field B's? Then the points are A's */
    alg_pst_depth depth;
    alg_pst_normals normals;
    bool flat;
    uint32_t layers;             /* at which depths of ALG_PST_LAYERS are cut */
    uint64_t budget;             /* lookups; 0: as many as it takes */
    uint64_t budget_ns;          /* time; 0: as long as it takes */
    vec3 centroid_b;             /* B's frame */
    unsigned wanted;             /* mask ALG_WANT_* of contact, depth, force */
    struct alg_pst_queue *queue; /* arena; own: of walks, see below */
    /** Of the last query: no point that was not looked up is deeper; 0 where no budget was reached.
     * Without a tree nothing is known of such points: INFINITY. */
    double hidden;
} alg_pst_penetration;

/**
 * Allocates what queries need. Errors: BASE_ERR_MEMORY. Memory: arena.
 */
base_status alg_pst_penetration_bind(alg_pst_penetration *pair, base_arena *arena,
                                     base_error *err) BASE_MUST_CHECK;

/** Answers one pose: contact, depth (the deepest point's, with its direction), force and torque,
 * and the list of contacts; counters but those of distances. */
void alg_pst_penetration_query(alg_pst_penetration *pair, const geo_pose *pose, alg_answer *answer);

/* --- Between penetration.c and penetration_isa.c ---------------------------------------------- */

/** A cluster that is not clear of all that pushes. */
typedef struct alg_pst_item {
    uint32_t first, count; /* its points */
    uint32_t child;        /* the node below it, or ALG_PST_LEAF */
    float bound;           /* none of them is nearer to the field's surface, or deeper inside */
} alg_pst_item;

/** A walk of one query, and the memory of all. */
typedef struct alg_pst_queue {
    const alg_pst_tree *tree;
    const alg_pst_field *field;
    const alg_voxel_map *map; /* of ALG_PST_LAYERS; NULL otherwise */
    /** For a pair: a point that is farther than `reach` outside of the field's surface does not
     * push, and no depth exceeds the exact one by more than `excess`. */
    float reach, excess;
    /** Of a query. */
    geo_motion motion; /* from points less the tree's origin into the field less its corner */
    float margin;      /* of spheres: motion, points and centres are rounded */
    float voxel_corner[3],
        per_voxel;        /* of the map: its grid's outermost corner, less the field's */
    bool representatives; /* is that of a cluster looked up before what is below? */
    bool once;            /* does the first point that pushes end it? */
    uint64_t most;        /* lookups; those so far: */
    uint64_t spheres, points;
    uint32_t head, tail;
    alg_pst_item *items; /* arena; room for all clusters */
    /** Points that may push, a bit each, in words [hit_begin, hit_end); others are 0. */
    uint32_t hit_begin, hit_end;
    uint64_t *hits;    /* arena */
    uint32_t *further; /* arena; how many more points one stands for; 0 between queries */
} alg_pst_queue;

/** Opens clusters, first in, first out, until none is left, the next would be above `most`, or,
 * once, there is a hit. */
void alg_pst_walk_tree_sse2(alg_pst_queue *queue);
void alg_pst_walk_tree_avx2(alg_pst_queue *queue);

/** Looks up points [first, first + count). */
void alg_pst_walk_points_sse2(alg_pst_queue *queue, uint32_t first, uint32_t count);
void alg_pst_walk_points_avx2(alg_pst_queue *queue, uint32_t first, uint32_t count);

enum { ALG_PST_REACTIONS = 16 }; /* a multiple of 4 */

/** Points, and their pushes along their own normals. */
typedef struct alg_pst_reactions {
    uint32_t count;
    uint32_t point[ALG_PST_REACTIONS]; /* in the order of the tree */
    double at[3][ALG_PST_REACTIONS];   /* in the field's frame: geo_pose_apply */
    double own[3][ALG_PST_REACTIONS];  /* unit: the normal, or the share's direction */
    double weight[ALG_PST_REACTIONS];  /* 1, or the length of the share */
    float depth[ALG_PST_REACTIONS];    /* minus alg_pst_field_at; 0 beyond the blocks */
} alg_pst_reactions;

/** Fills all but the points and their count. into: from the points' frame into the field's. Normals
 * are turned into that frame if `turn` is set. */
void alg_pst_react_sse2(const alg_pst_queue *queue, const geo_pose *into, bool turn,
                        alg_pst_reactions *reactions);
void alg_pst_react_avx2(const alg_pst_queue *queue, const geo_pose *into, bool turn,
                        alg_pst_reactions *reactions);

#endif
