/**
 * Details that an algorithm answers on request: the end times of its stages, and its lists, as far
 * as they fit into a buffer. A run requests them in one separate pass whose times are not used.
 */
#ifndef SUITE_DETAILS_H
#define SUITE_DETAILS_H

#include "geometry/vec.h"
#include "suite/inputs/buffers.h"

/** Capacity of the lists of a frame in the details pass. The counts of an answer may be larger. */
enum { BENCH_CONTACTS_MAX = 256, BENCH_PAIRS_MAX = 4096, BENCH_REGIONS_MAX = 32 };

/**
 * Maximum number of contacts of a frame that a run keeps and judges: a uniform sample of those in
 * the buffer.
 */
enum { BENCH_CONTACTS_KEPT = 32 };

/**
 * Bits of alg_answer.answered that concern details. They are not part of the answers that all
 * passes must repeat.
 */
#define BENCH_HAS_DETAILS                                                                          \
    ((uint32_t)(ALG_HAS_CONTACTS | ALG_HAS_PAIRS | ALG_HAS_REGIONS | ALG_HAS_STAGES))

/** True if an answer given without buffers says that details can be requested. */
bool bench_details_offered(const alg_algorithm *algorithm, const alg_answer *answer);

/** True if a region has a window: the column to which its depth refers. */
bool bench_has_window(const alg_region *region);

/** Returns the number of regions of an answer that a run keeps, at most BENCH_REGIONS_MAX. */
size_t bench_regions_kept(const alg_answer *answer);

/** Returns the number of contacts of an answer that a run keeps, at most BENCH_CONTACTS_KEPT. */
size_t bench_contacts_kept(const alg_answer *answer);

/**
 * Returns the duration of a stage of an answer in ns; UINT64_MAX if stages were not asked or not
 * answered.
 */
uint64_t bench_stage_ns(const alg_answer *answer, size_t stage);

/** True if the length of v is 1 within the accuracy of single precision. */
bool bench_is_unit(vec3 v);

enum { BENCH_FAULT_BYTES = 160 };

/**
 * Checks the details of an answer for faults that do not depend on the truth: a list that exceeds
 * its buffer, an entry that is counted but not written or invalid, stages that end in the wrong
 * order or after the query.
 *
 * buffers      the buffers lent to the answer
 * face_counts  of A and B
 * took_ns      duration of the query
 * Returns      true if there is a fault, with a description of one line in text.
 */
bool bench_details_fault(const alg_algorithm *algorithm, const bench_buffers *buffers,
                         const alg_answer *answer, const size_t face_counts[2], uint64_t took_ns,
                         char text[BENCH_FAULT_BYTES]);

#endif
