/** Loops on several threads. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <stddef.h>

/** Processes items [begin, end) of a loop; must not depend on the thread that runs it. */
typedef void base_parallel_body(void *context, size_t begin, size_t end);

/**
 * Runs body over [0, count) in chunks of `chunk` items (0: one; the last may be shorter) on
 * `threads` threads, including the caller's (0: one per CPU, or the value of the environment
 * variable PROXBENCH_THREADS; at most 256). Chunks are the same for any number of threads and are
 * assigned in order; body must write only to places that belong to its items, so the result does
 * not depend on the thread count. If the system refuses threads, fewer threads do the work.
 */
void base_parallel_for(size_t count, size_t chunk, unsigned threads, base_parallel_body *body,
                       void *context);

#endif
