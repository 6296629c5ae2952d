/**
 * What an algorithm answers on request: when its stages end, and its lists as far as a buffer has
 * room. A run asks for these details once, in a pass of their own whose times are nobody's.
 */
#ifndef SUITE_DETAILS_H
#define SUITE_DETAILS_H

#include "geometry/vec.h"
#include "suite/inputs/buffers.h"

/** Room for lists in a run's pass for details, per frame. Counts may exceed it. */
enum { BENCH_CONTACTS_MAX = 256, BENCH_PAIRS_MAX = 4096, BENCH_REGIONS_MAX = 32 };

/** Contacts of a frame that a run keeps and judges, evenly spread over those that it has room
 * for. */
enum { BENCH_CONTACTS_KEPT = 32 };

/** Bits of alg_answer.answered that speak of details: no part of what every pass repeats. */
#define BENCH_HAS_DETAILS                                                                          \
    ((uint32_t)(ALG_HAS_CONTACTS | ALG_HAS_PAIRS | ALG_HAS_REGIONS | ALG_HAS_STAGES))

/** Does an answer, given without buffers, say that there are details to be asked? */
bool bench_details_offered(const alg_algorithm *algorithm, const alg_answer *answer);

/** Has a region a window, a column in which its way out is meant? */
bool bench_has_window(const alg_region *region);

/** Entries of regions that a run keeps of an answer: BENCH_REGIONS_MAX at most. */
size_t bench_regions_kept(const alg_answer *answer);

/** Contacts that a run keeps of an answer: BENCH_CONTACTS_KEPT at most. */
size_t bench_contacts_kept(const alg_answer *answer);

/** What stage i of an answer took; UINT64_MAX where its stages were not asked or not answered. */
uint64_t bench_stage_ns(const alg_answer *answer, size_t stage);

/** Is its length 1, as far as one that was made in single precision can have it? */
bool bench_is_unit(vec3 v);

enum { BENCH_FAULT_BYTES = 160 };

/**
 * What is wrong by themselves with the details of an answer: a list that goes beyond its buffer, an
 * entry that is counted and not filled in or is none, stages that end in another order than they
 * have, or after the query.
 *
 * buffers      as the answer has been lent them
 * face_counts  of A and B
 * took_ns      of the query
 * Returns      false: nothing is wrong; true: text says what, on one line.
 */
bool bench_details_fault(const alg_algorithm *algorithm, const bench_buffers *buffers,
                         const alg_answer *answer, const size_t face_counts[2], uint64_t took_ns,
                         char text[BENCH_FAULT_BYTES]);

#endif
