#include "algorithms/imp/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct alg_imp_team {
    pthread_mutex_t lock;
    pthread_cond_t begin; /* there is work, or the pool ends */
    pthread_cond_t idle;  /* no thread is working */
    pthread_t threads[ALG_IMP_TEAM_MAX];
    uint32_t started;
    /* Protected by the lock. */
    uint32_t members; /* threads that have a number */
    uint32_t busy;    /* threads that are working */
    uint64_t round;   /* number of the round of work; a thread that slept through a round does
                         not take part in it */
    bool open, ended;
    /* Work of the round. */
    alg_imp_work *work;
    void *context;
    uint32_t count;
    _Atomic uint32_t next; /* first item that no thread has taken */
};

static void do_items(alg_imp_team *team, uint32_t member)
{
    for (;;) {
        const uint32_t item = atomic_fetch_add(&team->next, 1);
        if (item >= team->count) {
            return;
        }
        team->work(team->context, member, item);
    }
}

static void *live(void *argument)
{
    alg_imp_team *const team = argument;
    pthread_mutex_lock(&team->lock);
    const uint32_t member = ++team->members;
    uint64_t seen = 0;
    while (!team->ended) {
        if (!team->open || team->round == seen) {
            pthread_cond_wait(&team->begin, &team->lock);
            continue;
        }
        seen = team->round;
        team->busy++;
        pthread_mutex_unlock(&team->lock);
        do_items(team, member);
        pthread_mutex_lock(&team->lock);
        if (--team->busy == 0) {
            pthread_cond_signal(&team->idle);
        }
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

alg_imp_team *alg_imp_team_start(uint32_t size, base_arena *arena)
{
    alg_imp_team *const team = base_arena_alloc(arena, 1, sizeof *team);
    if (!team) {
        return NULL;
    }
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->begin, NULL);
    pthread_cond_init(&team->idle, NULL);
    while (team->started + 1 < size &&
           pthread_create(&team->threads[team->started], NULL, live, team) == 0) {
        team->started++;
    }
    return team;
}

void alg_imp_team_do(alg_imp_team *team, uint32_t count, alg_imp_work *work, void *context)
{
    pthread_mutex_lock(&team->lock);
    team->work = work;
    team->context = context;
    team->count = count;
    atomic_store(&team->next, 0);
    team->round++;
    team->open = true;
    pthread_cond_broadcast(&team->begin);
    pthread_mutex_unlock(&team->lock);
    do_items(team, 0);
    pthread_mutex_lock(&team->lock);
    /* Threads that wake up from now on find the round closed. */
    team->open = false;
    while (team->busy > 0) {
        pthread_cond_wait(&team->idle, &team->lock);
    }
    pthread_mutex_unlock(&team->lock);
}

void alg_imp_team_end(alg_imp_team *team)
{
    if (!team) {
        return;
    }
    pthread_mutex_lock(&team->lock);
    team->ended = true;
    pthread_cond_broadcast(&team->begin);
    pthread_mutex_unlock(&team->lock);
    for (uint32_t i = 0; i < team->started; i++) {
        pthread_join(team->threads[i], NULL);
    }
    pthread_cond_destroy(&team->begin);
    pthread_cond_destroy(&team->idle);
    pthread_mutex_destroy(&team->lock);
}
