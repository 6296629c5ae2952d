/** Loops on several threads. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <stddef.h>

/** Processes items [begin, end) of a loop. The result must not depend on the thread. */
typedef void base_parallel_body(void *context, size_t begin, size_t end);

/**
 * Runs body over [0, count) in chunks on several threads.
 *
 * chunk: items per chunk; 0 is one. The last chunk may be shorter. Chunks are the same for any
 * number of threads and are started in order.
 * threads: number of threads, including the calling one, at most 256; 0: the value of the
 * environment variable PROXBENCH_THREADS, or one per CPU without it. If the system refuses threads,
 * fewer threads do the work.
 *
 * body must write only to memory that belongs to its items, so that the result does not depend on
 * the number of threads.
 */
void base_parallel_for(size_t count, size_t chunk, unsigned threads, base_parallel_body *body,
                       void *context);

#endif
