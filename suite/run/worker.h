/** The worker's side of supervisor.h: builds and binds bodies and makes passes. */
#ifndef SUITE_WORKER_H
#define SUITE_WORKER_H

#include "suite/results/cells.h"

/**
 * Implements `proxbench worker`: serves requests until the socket closes. It is not for users:
 * fails with BENCH_USAGE if descriptor 3 is not a socket.
 */
int bench_worker_main(void);

/**
 * Makes all queries of one pass from the reset state. valgrind counts inside of this function and
 * finds it by name, so it is never inlined, and its name must be the same in old and new code.
 * Returns the time of the reset in nanoseconds.
 */
struct bench_server;
__attribute__((noinline)) uint64_t bench_worker_queries(const struct bench_server *server,
                                                        bench_protocol protocol);

#endif
