/**
 * Processes that contestants leave behind. A process that leaves the group of its worker is not
 * killed with the worker. It becomes a child of the supervisor, which ends it.
 */
#ifndef SUITE_ORPHANS_H
#define SUITE_ORPHANS_H

#include <sys/types.h>

/**
 * From now on this process is the parent of all orphans among its descendants, and no other process
 * of the same user can read or write its memory. A process of root still can. Errors are ignored:
 * both need Linux.
 */
void bench_orphans_adopt(void);

/** This child is a worker: bench_orphans_end leaves it alone until it has been reaped. */
void bench_orphans_spare(pid_t worker);

/**
 * After this worker was reaped: kills and reaps all children of this process that are no workers,
 * and then the children of these. Does nothing unless orphans are adopted. The caller has no other
 * children meanwhile.
 *
 * Cost  one look at all processes, about a millisecond
 */
void bench_orphans_end(pid_t worker);

#endif
