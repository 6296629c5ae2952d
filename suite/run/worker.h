/** The worker's side of supervisor.h: builds, binds, makes passes. */
#ifndef SUITE_WORKER_H
#define SUITE_WORKER_H

/**
 * `proxbench worker`: serves requests until the socket closes. Not for people: it fails with
 * BENCH_USAGE when descriptor 3 is no socket.
 */
int bench_worker_main(void);

#endif
