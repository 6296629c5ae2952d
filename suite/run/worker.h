/** The worker's side of supervisor.h: builds, binds, makes passes. */
#ifndef SUITE_WORKER_H
#define SUITE_WORKER_H

#include <stdbool.h>

/**
 * `proxbench worker`: serves requests until the socket closes. Not for people: it fails with
 * BENCH_USAGE when descriptor 3 is no socket.
 */
int bench_worker_main(void);

/**
 * All queries of one pass, from the reset state: what valgrind counts. By its name: it is never
 * inlined, and old code that is counted beside new has it under this name as well.
 */
struct bench_server;
__attribute__((noinline)) void bench_worker_queries(const struct bench_server *server,
                                                    bool evicted);

#endif
