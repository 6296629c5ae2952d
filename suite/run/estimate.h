/** How long the passes of a scenario will still take, from each contestant's own speed. */
#ifndef SUITE_ESTIMATE_H
#define SUITE_ESTIMATE_H

#include <stddef.h>

/** One contestant: what was spent so far, and what is left. Index 1 is of passes with evicted
 * caches. */
typedef struct bench_effort {
    double spent_s[2]; /* in whole passes */
    size_t made[2];    /* whole passes */
    double prepare_s;  /* in building and loading bodies */
    size_t prepared;   /* launches that did so */
    size_t left[2];    /* passes; the one in work among them */
    size_t launches_left;
    double begun_s;     /* in the pass that is in work; 0: none is */
    double begun_share; /* of its frames that are done, 0 to 1 */
} bench_effort;

/**
 * Seconds that are left; NaN while nothing is known of any pass. A contestant without a whole pass
 * is taken to be as fast as its pass in work so far, or, before its first frame, as the mean of the
 * others. Without a pass with evicted caches its passes with warm caches stand for them, and the
 * other way round.
 */
double bench_estimate_left(const bench_effort *efforts, size_t count);

#endif
