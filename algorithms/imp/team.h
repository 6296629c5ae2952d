/**
 * A thread pool whose threads wait for the next piece of work. They are started once, since
 * starting a thread takes longer than a query.
 *
 * Idle threads sleep, so that a pool of any size may share one CPU.
 */
#ifndef ALGORITHMS_IMP_TEAM_H
#define ALGORITHMS_IMP_TEAM_H

#include "base/memory.h"

#include <stdint.h>

enum { ALG_IMP_TEAM_MAX = 64 };

/** Processes one item. `member`: number of the thread, less than the size of the pool. */
typedef void alg_imp_work(void *context, uint32_t member, uint32_t item);

typedef struct alg_imp_team alg_imp_team;

/**
 * Starts a pool of `size` threads, which includes the calling thread. If the system refuses
 * threads, fewer do the work.
 *
 * Shapes   1 <= size <= ALG_IMP_TEAM_MAX.
 * Returns  NULL if out of memory. Memory: arena; alg_imp_team_end must be called before the arena
 *          is released.
 */
alg_imp_team *alg_imp_team_start(uint32_t size, base_arena *arena);

/**
 * Processes items 0 to count - 1; idle threads take them in this order. Returns when all are done.
 */
void alg_imp_team_do(alg_imp_team *team, uint32_t count, alg_imp_work *work, void *context);

/** Ends the threads. NULL is allowed. */
void alg_imp_team_end(alg_imp_team *team);

#endif
