/** The order in which variants make their passes. */
#ifndef SUITE_SCHEDULE_H
#define SUITE_SCHEDULE_H

#include <stddef.h>

/**
 * Row `round` of a Williams square: every variant appears once in a row, and over all rows each
 * follows each other equally often, so that what one leaves behind (caches, heat, drift) hits
 * everyone alike. The square has `count` rows for an even count, 2 * count for an odd one; rounds
 * beyond start anew.
 *
 * Shapes   order: count entries, filled with a permutation of [0, count).
 * Source   Williams1949.
 */
void bench_schedule_row(size_t count, size_t round, size_t *order);

#endif
