/**
 * Threads that wait for the next piece of work: started once, since a query is shorter than a
 * start.
 *
 * They sleep while there is none, so that a team of any size may share one CPU.
 */
#ifndef ALGORITHMS_IMP_TEAM_H
#define ALGORITHMS_IMP_TEAM_H

#include "base/arena.h"

#include <stdint.h>

enum { ALG_IMP_TEAM_MAX = 64 };

/** Does one item. `member`: which of the team does it, less than its size. */
typedef void alg_imp_work(void *context, uint32_t member, uint32_t item);

typedef struct alg_imp_team alg_imp_team;

/**
 * A team of as many members, the caller among them. When the system refuses threads, fewer do the
 * work.
 *
 * Shapes   1 <= size <= ALG_IMP_TEAM_MAX.
 * Returns  NULL without memory. Memory: arena; alg_imp_team_end has to be called before its
 *          release.
 */
alg_imp_team *alg_imp_team_start(uint32_t size, base_arena *arena);

/** Works on items 0 to count - 1; idle threads take them in this order. Returns when all are done.
 */
void alg_imp_team_do(alg_imp_team *team, uint32_t count, alg_imp_work *work, void *context);

/** Ends the threads. NULL is none. */
void alg_imp_team_end(alg_imp_team *team);

#endif
