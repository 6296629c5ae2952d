/**
 * The truth's own methods as contestants: exact-distance, exact-volume, exact-depth-force,
 * exact-tetra.
 */
#ifndef SUITE_TRUTH_ENTRIES_H
#define SUITE_TRUTH_ENTRIES_H

#include "algorithms/algorithms.h"

/** Adds them to the registry. */
void bench_truth_entries_register(void);

/** Returns the method (bits of GT_BY_*) that an algorithm implements, or 0 for other algorithms. */
unsigned bench_truth_entry_method(const alg_algorithm *algorithm);

#endif
