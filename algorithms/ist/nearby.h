/**
 * What ist-triangles and ist-exact have in common: a bound pair of bodies with skins, whose queries
 * begin with a search of the nearest spheres and go on to triangles.
 */
#ifndef ALGORITHMS_IST_NEARBY_H
#define ALGORITHMS_IST_NEARBY_H

#include "algorithms/ist/body.h"
#include "algorithms/ist/query.h"
#include "base/error.h"

/** The work of a query, by place in alg_answer.counters; alg.counters of these entries. */
enum {
    ALG_IST_NEARBY_BALLS,
    ALG_IST_NEARBY_LEAVES,
    ALG_IST_NEARBY_NODES,
    ALG_IST_NEARBY_TRIANGLES,
    ALG_IST_NEARBY_COUNT
};
extern const char *const alg_ist_nearby_counters[];

/** A triangle of A and one of B, and how far they are apart. */
typedef struct alg_ist_face_pair {
    uint32_t a, b;
    double distance2;          /* 0 if they intersect */
    vec3 witness_a, witness_b; /* A's frame; one point if they intersect */
} alg_ist_face_pair;

enum { ALG_IST_SEEN = 512 };

typedef struct alg_ist_nearby {
    const alg_ist_body *a, *b;
    alg_ist_pair spheres; /* keeps the nearest spheres of the query before */
    unsigned wanted;

    /* Of one query. */
    const geo_pose *pose;
    double slack; /* an upper bound of the rounding of a distance */
    alg_ist_face_pair best;
    uint64_t seen[ALG_IST_SEEN]; /* pairs of faces that were measured, as far as there is room */
    uint64_t triangle_tests;
} alg_ist_nearby;

/**
 * Binds two bodies that were prepared with skins; they are borrowed. coherent: as in alg_ist_pair.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena.
 */
base_status alg_ist_nearby_bind(const alg_ist_body *a, const alg_ist_body *b, bool coherent,
                                unsigned wanted, base_arena *arena, alg_ist_nearby *n,
                                base_error *err) BASE_MUST_CHECK;

/** Forgets the query before. */
void alg_ist_nearby_reset(alg_ist_nearby *n);

/**
 * Begins a query: finds the nearest spheres, whose distance and witnesses it answers.
 *
 * Returns  false when they overlap: the distance is 0 then, and the answer complete.
 */
bool alg_ist_nearby_begin(alg_ist_nearby *n, const geo_pose *pose, alg_answer *answer);

/**
 * Measures a pair of faces and keeps it if it is the nearest so far; of equally near ones that with
 * the smallest numbers. It may be skipped when it was measured before in this query.
 */
void alg_ist_nearby_measure(alg_ist_nearby *n, uint32_t face_a, uint32_t face_b);

/**
 * Improves the best pair of faces, `rounds` times or until it comes no nearer: takes the face of A
 * nearest to the witness on B, then the face of B nearest to that point of A.
 */
void alg_ist_nearby_approach(alg_ist_nearby *n, uint32_t rounds);

/** Adds what a walk has counted, and the triangles, to the counters of the answer. */
void alg_ist_nearby_count(alg_ist_nearby *n, const alg_ist_walk *walk, alg_answer *answer);

/** Answers the best pair of faces. */
void alg_ist_nearby_answer(const alg_ist_nearby *n, alg_answer *answer);

#endif
