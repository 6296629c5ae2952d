/** Loops on several threads. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <stddef.h>

/** Work on items [begin, end) of a loop; must not depend on which thread it is. */
typedef void base_parallel_body(void *context, size_t begin, size_t end);

/**
 * Runs body over [0, count) in chunks of `chunk` items (0: one; the last may be shorter) on
 * `threads` threads, the caller's among them (0: one per CPU, or what the environment variable
 * PROXBENCH_THREADS says; at most 256). Chunks are the same for any number of threads and are
 * handed out in order; body writes only to places that belong to its items, so the result does not
 * depend on the thread count. When the system refuses threads, fewer do the work.
 */
void base_parallel_for(size_t count, size_t chunk, unsigned threads, base_parallel_body *body,
                       void *context);

#endif
