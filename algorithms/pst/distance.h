/**
 * The distance: the tree of one body's points is walked once against the other body's field, then
 * the nearest points are measured on the meshes.
 *
 * Walk       a cluster can be nearer than v - below - radius at the least, where v is the field at
 *            its centre; less its patch (points.h) that bounds the surface below it. What cannot be
 *            nearer than the nearest so far is left out.
 * Measured   `candidates` of the points that are left and may be nearer than what is measured, that
 *            with the least value first, each far from those before: from the face that the field's
 *            brick knows, a descent over neighbouring faces (geometry/adjacency.h) to the nearest
 *            point of the other surface. Where it ends farther than the field says, it is in
 *            another valley, and a search of the whole surface says what is nearest. Then in turn a
 *            descent to the nearest point of either surface to the last one of the other, `rounds`
 *            times or until it comes hardly nearer. With no rounds the answer is the field's own.
 * Bracket    hi: the nearest pair that was measured, or v + above where none was. lo: the least
 *            bound of all that was left out, not measured, or left in the queue. So it holds the
 *            distance of the surfaces at any moment.
 * Overlap    0 where a point is inside by more than the field's error, or one body's part is inside
 *            the other.
 * Coherent   the points that were measured in the query before are looked up first, for the limit.
 * Budget     lookups, of spheres and points; never more. Out of budget the outcome is
 *            ALG_BUDGET_REACHED. Time is looked at before each measurement but the first, and
 *            before it is decided by exact arithmetic whether bodies overlap that are nearer than
 *            roundings: what is not decided is left in the bracket.
 * Source     PST 3 names distances as future work; the method is this suite's.
 */
#ifndef ALGORITHMS_PST_DISTANCE_H
#define ALGORITHMS_PST_DISTANCE_H

#include "algorithms/pst/penetration.h"
#include "algorithms/pst/walk.h"

enum { ALG_PST_CANDIDATES_MOST = 64, ALG_PST_ROUNDS_MOST = 16 };

/** Two bodies, bound for queries; the caller sets all but what is the pair's own. */
typedef struct alg_pst_distance {
    const alg_pst_body *field, *points;
    bool moving;         /* is the field B's? Then the points are A's */
    uint32_t candidates; /* 1 to ALG_PST_CANDIDATES_MOST */
    uint32_t rounds;     /* 0 to ALG_PST_ROUNDS_MOST */
    bool coherent;
    uint64_t budget;    /* lookups; 0: as many as it takes */
    uint64_t budget_ns; /* time; 0: as long as it takes */
    struct alg_pst_search
        *search; /* arena; own: its queue, candidates, and what was nearest before */
} alg_pst_distance;

/** Allocates what queries need. Errors: BASE_ERR_MEMORY. Memory: arena. */
base_status alg_pst_distance_bind(alg_pst_distance *pair, base_arena *arena,
                                  base_error *err) BASE_MUST_CHECK;

/** Forgets the query before. */
void alg_pst_distance_reset(alg_pst_distance *pair);

/** Answers one pose: distance, witnesses, bracket; counters but those of contacts. */
void alg_pst_distance_query(alg_pst_distance *pair, const geo_pose *pose, alg_answer *answer);

#endif
