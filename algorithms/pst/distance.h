/**
 * The distance: a traversal of one body's tree of points in the other body's field, then
 * measurements of the nearest points on the meshes.
 *
 * Walk       the field's value v at a cluster's centre bounds its distance from below: v - below -
 *            radius. Minus the cluster's patch (points.h), this bounds the surface that it
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
 *            lo: the least bound of everything left out, not measured, or left in the queue. So the
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
#ifndef ALGORITHMS_PST_DISTANCE_H
#define ALGORITHMS_PST_DISTANCE_H

#include "algorithms/pst/penetration.h"
#include "algorithms/pst/walk.h"

enum { ALG_PST_CANDIDATES_MOST = 64, ALG_PST_ROUNDS_MOST = 16 };

/** Two bodies bound for queries. The caller sets all members except `search`. */
typedef struct alg_pst_distance {
    const alg_pst_body *field, *points;
    bool moving;         /* true: the field is B's and the points are A's */
    uint32_t candidates; /* 1 to ALG_PST_CANDIDATES_MOST */
    uint32_t rounds;     /* 0 to ALG_PST_ROUNDS_MOST */
    bool coherent;
    uint64_t budget;    /* number of lookups; 0: unlimited */
    uint64_t budget_ns; /* time; 0: unlimited */
    struct alg_pst_search
        *search; /* arena; private: queue, candidates, and the nearest points of the previous
                    query */
} alg_pst_distance;

/** Allocates the work space of queries. Errors: BASE_ERR_MEMORY. Memory: arena. */
base_status alg_pst_distance_bind(alg_pst_distance *pair, base_arena *arena,
                                  base_error *err) BASE_MUST_CHECK;

/** Forgets the previous query. */
void alg_pst_distance_reset(alg_pst_distance *pair);

/** Answers one pose: distance, witnesses, bracket, and all counters except those of contacts. */
void alg_pst_distance_query(alg_pst_distance *pair, const geo_pose *pose, alg_answer *answer);

#endif
