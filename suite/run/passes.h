/**
 * Which contestant makes which pass, and in what order.
 *
 *   group   contestants with one baseline: all of an ordinary run; old and new code of one variant
 *   block   those of a group that fit into memory together, its baseline and twin always among them
 *   launch  a fresh process for each of a block
 *   round   one pass of each, in the order of bench_schedule_row; the last round of a launch may be
 *           shuffled, and is of those alone that keep no state (bench_stage_makes)
 *
 * A resumed run is the same loop. What the journals have is not asked again. A round that one
 * contestant lacks is run again by its whole block, so that each has a pass of the baseline beside
 * its own.
 */
#ifndef SUITE_PASSES_H
#define SUITE_PASSES_H

#include "suite/run/stage.h"

/**
 * All passes that the journals lack, interleaved. A contestant's failure is its entry's status. An
 * interrupt ends it after the pass in progress.
 */
base_status bench_stage_measure(bench_stage *stage, base_error *err) BASE_MUST_CHECK;

/**
 * The order of the variants in a round: a row of a Williams square. Every variant appears once in a
 * row, and over all rows each follows each other equally often, so that what one leaves behind
 * (caches, heat, drift) hits everyone alike. The square has `count` rows for an even count,
 * 2 * count for an odd one; rounds beyond start anew.
 *
 * Shapes   order: count entries, filled with a permutation of [0, count).
 * Source   Williams1949.
 */
void bench_schedule_row(size_t count, size_t round, size_t *order);

#endif
