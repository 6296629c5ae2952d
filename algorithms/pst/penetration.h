/**
 * Contact, depth and force: points of one body in the field, or among the layers, of the other.
 *
 * A point pushes where its depth d is above 0, as in the voxmap-pointshell algorithm (vps/query.h):
 *
 * Field    minus the interpolated distance, along its gradient (PST 2, figure 1 (e)).
 * Layers   k edges in layer k, half an edge in surface voxels, along the point's own normal (VPS 2).
 *
 * Walk     tree: from a queue of clusters, uppermost first; one whose sphere is clear of all that
 *          pushes is left out with all below, of another the representative is looked up and its
 *          clusters are queued. flat: all points, as without a tree. Both push the same points, and
 *          add them in the order of the tree: answers are the same to the last bit.
 * Budget   lookups, of spheres and points together; never more. Clusters that are left in the queue
 *          when it is used up push by their representatives, as many times as they have points not
 *          looked up; the outcome is ALG_BUDGET_REACHED. An answer has no place for how deep a point
 *          may be that was not looked up: the pair has it, as `hidden`.
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
    const alg_pst_body *field, *points;
    bool moving; /* is the field B's? Then the points are A's */
    alg_pst_depth depth;
    bool flat;
    uint32_t layers;             /* at which depths of ALG_PST_LAYERS are cut */
    uint64_t budget;             /* lookups; 0: as many as it takes */
    uint64_t budget_ns;          /* time; 0: as long as it takes */
    vec3 centroid_b;             /* B's frame */
    unsigned wanted;             /* mask ALG_WANT_* of contact, depth, force */
    struct alg_pst_queue *queue; /* arena; own */
    /** Of the last query: no point that was not looked up is deeper; 0 where no budget was reached.
     * Without a tree nothing is known of such points: INFINITY. */
    double hidden;
} alg_pst_penetration;

/**
 * Allocates what queries need. Errors: BASE_ERR_MEMORY. Memory: arena.
 */
base_status alg_pst_penetration_bind(alg_pst_penetration *pair, base_arena *arena,
                                     base_error *err) BASE_MUST_CHECK;

/** Answers one pose: contact, depth (the deepest point's, with its direction), force and torque, and the list
 * of contacts; counters but those of distances. */
void alg_pst_penetration_query(alg_pst_penetration *pair, const geo_pose *pose, alg_answer *answer);

#endif
