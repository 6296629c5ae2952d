/** Estimates the remaining time of a scenario's passes from the speed of each contestant. */
#ifndef SUITE_ESTIMATE_H
#define SUITE_ESTIMATE_H

#include <stddef.h>

/**
 * Time spent and work left of one contestant. Index 0: passes with warm caches; index 1: passes
 * with evicted caches.
 */
typedef struct bench_effort {
    double spent_s[2]; /* in complete passes */
    size_t made[2];    /* number of complete passes */
    double prepare_s;  /* spent on building and loading bodies */
    size_t prepared;   /* number of launches with prepared bodies */
    size_t left[2];    /* number of passes left, including the pass in progress */
    size_t launches_left;
    double begun_s;     /* spent in the pass in progress; 0 if there is no such pass */
    double begun_share; /* share of its frames that are done, 0 to 1 */
} bench_effort;

/**
 * Returns the remaining time in seconds; NaN while no pass gives a time. The pass time of a
 * contestant without a complete pass is extrapolated from its pass in progress or, before its first
 * frame, is the mean of the other contestants. If a contestant has no pass with evicted caches, its
 * passes with warm caches are used instead, and vice versa.
 */
double bench_estimate_left(const bench_effort *efforts, size_t count);

#endif
