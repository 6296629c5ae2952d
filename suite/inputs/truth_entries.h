/** The truth's own methods as contestants. */
#ifndef SUITE_TRUTH_ENTRIES_H
#define SUITE_TRUTH_ENTRIES_H

#include "algorithms/algorithms.h"

/** Registers the truth's own methods as contestants: exact-distance, exact-volume, exact-tetra. */
void bench_truth_entries_register(void);

#endif
