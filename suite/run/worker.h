/** The worker's side of supervisor.h: builds, binds, makes passes. */
#ifndef SUITE_WORKER_H
#define SUITE_WORKER_H

#include "suite/results/cells.h"

/**
 * `proxbench worker`: serves requests until the socket closes. Not for people: it fails with
 * BENCH_USAGE when descriptor 3 is no socket.
 */
int bench_worker_main(void);

/**
 * All queries of one pass, from the reset state: what valgrind counts. By its name: it is never
 * inlined, and old code that is counted beside new has it under this name as well.
 * Returns the time of the reset in nanoseconds.
 */
struct bench_server;
__attribute__((noinline)) uint64_t bench_worker_queries(const struct bench_server *server,
                                                        bench_protocol protocol);

#endif
