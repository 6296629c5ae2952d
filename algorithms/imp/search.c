#include "algorithms/imp/search.h"

#include "algorithms/imp/expansion.h"
#include "base/simd.h"
#include "base/elementary.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

static const double ROOT3 = 1.7320508075688772;

/* --- Positions of both trees in one frame ----------------------------------------------------- */

/*
 * Bounds the effect of rounding. u = 2^-24 is the relative rounding error. Lengths are in A's
 * units; D_a, D_b: diagonals of both grids; r = r_a + r_b.
 *
 * A's centres are exact. For B's centres, |x axes[0]| + |y axes[1]| + |z axes[2]| is at most D_b in
 * each component, since rows of a rotation have length 1. So the rounding of axes and of products,
 * and that of their two sums, is at most 4 u D_b. The rounding of the origin and the last sum add u
 * (|t| + |c|), where |c| <= D_a + r if the bodies can meet, and |t| <= |c| + D_b. The total is u (5
 * D_b + 2 (D_a + r)) per component, and less than u (9 D_b + 4 D_a + 4 r) per centre. The squared
 * distance has another five roundings, which amount to 3 u r in a distance; squaring the reach has
 * one. So the error is below u (9 D_b + 4 D_a + 8 r), and half of the slack covers it, with 7 u D_b
 * + 12 u D_a left for the offsets of balls.
 *
 * Hence, if a computed distance is within reach, the true distance is within r + 1.5 slack. Then
 * the gap of the balls of all nodes above these voxels is at most 1.5 slack. Their computed
 * distance has an error of half a slack, so it is within the sum of their radii plus 2 slack.
 * margin_of adds more for nodes that are large relative to the grid.
 */
#define SLACK_SHARE 0x1p-19

/** Returns the diagonal of the grid, in half edges of its own voxels. */
static double diagonal_of(const alg_imp_body *body)
{
    const uint32_t *const size = body->tree.size;
    return 2 * vec3_norm((vec3){size[0], size[1], size[2]});
}

/** Returns the corner of voxel (0, 0, 0), in metres. */
static vec3 corner_of(const alg_imp_body *body)
{
    return alg_voxel_box(&body->grid, 0, 0, 0).lo;
}

alg_imp_pair alg_imp_pair_of(const alg_imp_body *a, const alg_imp_body *b)
{
    const double ratio = b->grid.edge / a->grid.edge, reach = ROOT3 * (1 + ratio);
    const double slack = SLACK_SHARE * (diagonal_of(a) + ratio * diagonal_of(b) + reach);
    return (alg_imp_pair){
        .a = a,
        .b = b,
        .ratio = (float)ratio,
        .slack = base_float_above(slack),
        .reach = base_float_above(reach + slack),
        .unit_m = 0.5 * a->grid.edge,
    };
}

bool alg_imp_pair_place(alg_imp_pair *pair, const geo_pose *pose)
{
    const alg_imp_body *const a = pair->a, *const b = pair->b;
    const double ratio = b->grid.edge / a->grid.edge;
    const vec3 moved = vec3_sub(geo_pose_apply(pose, corner_of(b)), corner_of(a));
    const vec3 origin = vec3_scale(1 / pair->unit_m, moved);
    const vec3 size = {b->tree.size[0], b->tree.size[1], b->tree.size[2]};
    const vec3 centre = vec3_madd(origin, ratio, geo_pose_rotate(pose, size));
    const vec3 centre_a = {a->tree.size[0], a->tree.size[1], a->tree.size[2]};
    /* Balls of voxels reach out of their grids by less than the reach. The negated comparison
     * treats a NaN pose as far. */
    const double within = 0.5 * (diagonal_of(a) + ratio * diagonal_of(b)) + 2 * (double)pair->reach;
    if (!(vec3_distance(centre, centre_a) <= within)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        const vec3 row = pose->rotation.row[i];
        pair->axes[0][i] = (float)(ratio * row.x);
        pair->axes[1][i] = (float)(ratio * row.y);
        pair->axes[2][i] = (float)(ratio * row.z);
        pair->origin[i] = (float)vec3_get(origin, i);
    }
    return true;
}

/* --- Thread pool ------------------------------------------------------------------------------ */

/**
 * Processes one item. `member`: number of the thread, below the size of the pool; 0 is the calling
 * thread.
 */
typedef void pool_work(void *context, uint32_t member, uint32_t item);

/**
 * A pool of threads that wait for work. They are started once per search object, since starting a
 * thread takes longer than a query. Idle threads sleep, so a pool may have more threads than there
 * are CPUs.
 */
typedef struct thread_pool {
    pthread_mutex_t lock;
    pthread_cond_t begin; /* there is work, or the pool ends */
    pthread_cond_t idle;  /* no thread is working */
    pthread_t threads[ALG_IMP_THREADS_MAX];
    uint32_t started;
    /* Protected by the lock. */
    uint32_t members; /* threads that have taken a number */
    uint32_t busy;    /* threads that are working */
    uint64_t round;   /* number of the round of work; a thread that sleeps during a whole round
                         takes no part in it */
    bool open, ended;
    /* Work of the round. */
    pool_work *work;
    void *context;
    uint32_t count;
    _Atomic uint32_t next; /* first item that no thread has taken */
} thread_pool;

static void take_items(thread_pool *pool, uint32_t member)
{
    for (;;) {
        const uint32_t item = atomic_fetch_add(&pool->next, 1);
        if (item >= pool->count) {
            return;
        }
        pool->work(pool->context, member, item);
    }
}

static void *run_thread(void *argument)
{
    thread_pool *const pool = argument;
    pthread_mutex_lock(&pool->lock);
    const uint32_t member = ++pool->members;
    uint64_t seen = 0;
    while (!pool->ended) {
        if (!pool->open || pool->round == seen) {
            pthread_cond_wait(&pool->begin, &pool->lock);
            continue;
        }
        seen = pool->round;
        pool->busy++;
        pthread_mutex_unlock(&pool->lock);
        take_items(pool, member);
        pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0) {
            pthread_cond_signal(&pool->idle);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/**
 * Starts a pool of `size` threads, which includes the calling thread. If the system refuses to
 * start some of them, the others do all the work. Returns NULL if out of memory. pool_end must be
 * called before the arena is released.
 */
static thread_pool *pool_start(uint32_t size, base_arena *arena)
{
    thread_pool *const pool = base_arena_alloc(arena, 1, sizeof *pool);
    if (!pool) {
        return NULL;
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->begin, NULL);
    pthread_cond_init(&pool->idle, NULL);
    while (pool->started + 1 < size &&
           pthread_create(&pool->threads[pool->started], NULL, run_thread, pool) == 0) {
        pool->started++;
    }
    return pool;
}

/**
 * Processes items 0 to count - 1; idle threads take them in this order. Returns when all are done.
 */
static void pool_run(thread_pool *pool, uint32_t count, pool_work *work, void *context)
{
    pthread_mutex_lock(&pool->lock);
    pool->work = work;
    pool->context = context;
    pool->count = count;
    atomic_store(&pool->next, 0);
    pool->round++;
    pool->open = true;
    pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->lock);
    take_items(pool, 0);
    pthread_mutex_lock(&pool->lock);
    /* Threads that wake up from now on find the round closed. */
    pool->open = false;
    while (pool->busy > 0) {
        pthread_cond_wait(&pool->idle, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
}

static void pool_end(thread_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->ended = true;
    pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 0; i < pool->started; i++) {
        pthread_join(pool->threads[i], NULL);
    }
    pthread_cond_destroy(&pool->begin);
    pthread_cond_destroy(&pool->idle);
    pthread_mutex_destroy(&pool->lock);
}

enum {
    LIST_ROOM = 1 << 16, /* pairs of a level in a list; further pairs are descended depth first */
    BATCH_ROOM = 4096,   /* hits that are passed on at a time; more than one result of an
                            expansion has */
    STEPS_MAX = 2 * ALG_IMP_LEVELS_MAX,
    /* For threads. */
    SLOTS = 32,       /* stretches of a level that are distributed at a time */
    SLOT_ROOM = 8192, /* resulting pairs of a stretch; the calling thread computes longer results */
};

/** Data of one thread. */
typedef struct worker {
    alg_imp_expansion *expansions; /* arena; one per step */
    uint64_t counters[ALG_IMP_COUNTERS];
} worker;

/** A stretch of a level, and its resulting pairs. */
typedef struct slot {
    alg_imp_hit *items; /* arena */
    uint32_t count;
    bool done; /* the result is complete */
    uint64_t counters[ALG_IMP_COUNTERS];
} slot;

/** A search with all memory that its queries write to. */
struct alg_imp_search {
    alg_imp_search_options options;
    alg_imp_view view;
    alg_imp_step steps[STEPS_MAX];
    uint32_t step_count;
    uint32_t levels[2]; /* levels of the contacts */
    void (*begin)(alg_imp_expansion *o, const alg_imp_node_b *b);
    bool (*next)(alg_imp_expansion *o);
    worker *workers;       /* arena; one per thread of the pool */
    alg_imp_hit *lists[2]; /* arena; lists of breadth first */
    alg_imp_hit *batch;    /* arena */
    thread_pool *pool;     /* NULL without threads */
    slot *slots;           /* arena; for threads */
    uint32_t stretch;      /* number of pairs in a slot's stretch */
};

/* --- Steps ------------------------------------------------------------------------------------ */

/** Returns half the edge of a node, in A's units. */
static double half_edge(const alg_imp_search *s, int side, uint32_t level)
{
    const alg_imp_tree *const tree = s->view.trees[side];
    const double ratio = side == 0 ? 1 : (double)s->view.pair->ratio;
    return ratio * (double)(1u << (alg_imp_bits(tree->children) * level));
}

/**
 * Returns the margin that tests add to the radii of nodes of these levels, A's and B's. It is 2
 * slack for the rounding of positions in the grids, plus 2^-19 of the nodes' diagonals: a node may
 * reach out of its grid by as much as its size.
 */
static float margin_of(const alg_imp_search *s, const uint32_t level[2])
{
    const double nodes = half_edge(s, 0, level[0]) + half_edge(s, 1, level[1]);
    return base_float_above(2 * (double)s->view.pair->slack + 0x1p-19 * 2 * ROOT3 * nodes);
}

/**
 * Plans the steps. All pairs of a step have nodes of the same two levels, so the sizes of these
 * levels decide which nodes are opened.
 */
static void plan_steps(alg_imp_search *s)
{
    const uint32_t *const last = s->levels;
    uint32_t level[2] = {s->view.trees[0]->root_level, s->view.trees[1]->root_level};
    const double alike = (double)(1u << alg_imp_bits(s->view.trees[0]->children));
    while (level[0] > last[0] || level[1] > last[1]) {
        const double a = half_edge(s, 0, level[0]), b = half_edge(s, 1, level[1]);
        const bool may[2] = {level[0] > last[0], level[1] > last[1]};
        alg_imp_step *const step = &s->steps[s->step_count++];
        *step = (alg_imp_step){
            .level = {level[0], level[1]},
            .open = {may[0] && !(may[1] && b >= alike * a), may[1] && !(may[0] && a >= alike * b)},
            .margin = margin_of(s, level),
        };
        level[0] -= step->open[0];
        level[1] -= step->open[1];
        step->last = level[0] == last[0] && level[1] == last[1];
        step->exact = step->last && last[0] == 0 && last[1] == 0;
    }
}

static void fill_tables(alg_imp_view *view)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint8_t n = 0;
        for (uint16_t lane = 0; lane < ALG_IMP_LANES; lane++) {
            view->ranks[byte][lane] = n;
            view->orders[byte][n] = lane;
            n = (uint8_t)(n + (byte >> lane & 1));
        }
        view->counts[byte] = n;
    }
}

/* --- Outputs ---------------------------------------------------------------------------------- */

/**
 * A buffer that pairs are written to. With a sink, a full buffer is handed to the sink; without a
 * sink, writing fails once the buffer is full.
 */
typedef struct output {
    alg_imp_hit *items;
    uint32_t count, room;
    struct sink *sink;
} output;

/** Receives the hits of a query. */
typedef struct sink {
    alg_imp_taker *take;
    void *context;
    uint64_t given, limit;
    bool first; /* only the first hit is wanted */
    bool ended; /* accepts no more hits */
    bool cut;   /* a stop has cut the result */
} sink;

/** Passes hits of these levels to the taker. */
static void give(sink *to, const uint32_t levels[2], const alg_imp_hit *items, uint32_t count)
{
    const uint64_t left = to->limit - to->given;
    const alg_imp_hits hits = {items, count < left ? count : (uint32_t)left, levels[0], levels[1]};
    if (to->ended || count == 0) {
        return;
    }
    to->given += hits.count;
    to->cut |= levels[0] > 0 || levels[1] > 0 || (count > left && !to->first);
    to->ended = (hits.count > 0 && !to->take(to->context, &hits)) || count > left || to->first;
}

static void hand_on(const alg_imp_search *s, output *out)
{
    give(out->sink, s->levels, out->items, out->count);
    out->count = 0;
}

/* --- Pairs ------------------------------------------------------------------------------------ */

/** Opens pairs that have the same node of B. */
static alg_imp_expansion *open_pairs(const alg_imp_search *s, const worker *w, uint32_t step,
                                     const alg_imp_hit *pairs, uint32_t count)
{
    alg_imp_expansion *const o = &w->expansions[step];
    const alg_imp_node_b b = {
        .number = pairs->b,
        .cell = {pairs->cell_b[0], pairs->cell_b[1], pairs->cell_b[2]},
    };
    o->pairs = pairs;
    o->count = count;
    s->begin(o, &b);
    return o;
}

/**
 * Writes the pairs that an expansion has found. Returns false if there is no room, if the sink has
 * ended, or if only the first pair is wanted.
 */
static bool write_met(const alg_imp_search *s, const alg_imp_expansion *o, output *out)
{
    const alg_imp_nodes *const nodes = o->nodes;
    if (out->sink && out->room - out->count < o->met_count) {
        hand_on(s, out);
    }
    if (out->room - out->count < o->met_count || (out->sink && out->sink->ended)) {
        return false;
    }
    alg_imp_hit *const hits = out->items + out->count;
    for (uint32_t i = 0; i < o->met_count; i++) {
        const uint32_t index = o->met[i], xy = nodes->xy[index];
        hits[i] = (alg_imp_hit){
            .a = nodes->number[index],
            .b = o->met_b.number,
            .cell_a = {(uint16_t)xy, (uint16_t)(xy >> 16), (uint16_t)nodes->z[index]},
            .cell_b = {o->met_b.cell[0], o->met_b.cell[1], o->met_b.cell[2]},
        };
    }
    out->count += o->met_count;
    if (s->options.first) {
        hand_on(s, out);
    }
    return !s->options.first;
}

/**
 * Opens pairs of one step that have the same node of B, and writes the resulting pairs. Returns
 * false as write_met does: then the result is incomplete.
 */
static bool open_once(const alg_imp_search *s, const worker *w, uint32_t step,
                      const alg_imp_hit *pairs, uint32_t count, output *out)
{
    alg_imp_expansion *const o = open_pairs(s, w, step, pairs, count);
    while (s->next(o)) {
        if (!write_met(s, o, out)) {
            return false;
        }
    }
    return true;
}

/**
 * Descends the pairs depth first, down to the contacts, and writes these. Returns false as
 * write_met does.
 */
static bool descend(const alg_imp_search *s, const worker *w, uint32_t from,
                    const alg_imp_hit *pairs, uint32_t count, output *out)
{
    uint32_t step = from;
    open_pairs(s, w, step, pairs, count);
    for (;;) {
        alg_imp_expansion *const o = &w->expansions[step];
        if (!s->next(o)) {
            if (step == from) {
                return true;
            }
            step--;
        } else if (!o->step->last) {
            /* Open the pairs that this expansion has found. */
            alg_imp_expansion *const next = &w->expansions[++step];
            next->pairs = NULL;
            next->from = o->nodes;
            next->indices = o->met;
            next->count = o->met_count;
            s->begin(next, &o->met_b);
        } else if (!write_met(s, o, out)) {
            return false;
        }
    }
}

/* --- Levels ----------------------------------------------------------------------------------- */

/**
 * The pairs of one step, and where their results go: the list of the next step, or the contacts.
 */
typedef struct level {
    alg_imp_search *s;
    uint32_t step;
    const alg_imp_hit *pairs;
    uint32_t count;
    bool down; /* results go to `contacts`: the step is the last one, or the list is full */
    bool full; /* the list is full, and contacts_max limits the number of contacts */
    output list, contacts;
} level;

/** Returns the end of the run of pairs from `begin` on that have the same node of B. */
static uint32_t run_end(const level *l, uint32_t begin)
{
    const uint16_t *const cell = l->pairs[begin].cell_b;
    uint32_t end = begin + 1;
    while (end < l->count && memcmp(l->pairs[end].cell_b, cell, sizeof l->pairs->cell_b) == 0) {
        end++;
    }
    return end;
}

/**
 * Opens pairs that have the same node of B, on the calling thread. If the list is full, descends
 * them depth first. Returns false if the search has ended.
 */
static bool take_run(level *l, uint32_t begin, uint32_t end)
{
    worker *const w = &l->s->workers[0];
    const alg_imp_hit *const pairs = &l->pairs[begin];
    if (!l->down) {
        const uint32_t count = l->list.count;
        uint64_t before[ALG_IMP_COUNTERS];
        memcpy(before, w->counters, sizeof before);
        if (open_once(l->s, w, l->step, pairs, end - begin, &l->list)) {
            return true;
        }
        /* Remove the pairs that were written, because the result is incomplete. */
        l->list.count = count;
        memcpy(w->counters, before, sizeof before);
        l->full = l->s->options.contacts_max > 0;
        l->down = true;
    }
    return !l->full && descend(l->s, w, l->step, pairs, end - begin, &l->contacts);
}

/**
 * Stretches of a level that are distributed to threads. Stretch i has the pairs ends[i] to ends[i +
 * 1] - 1.
 */
typedef struct wave {
    const level *l;
    uint32_t count;
    uint32_t ends[SLOTS + 1];
} wave;

static wave make_wave(const level *l, uint32_t begin)
{
    wave v = {.l = l, .ends = {begin}};
    while (v.count < SLOTS && v.ends[v.count] < l->count) {
        uint32_t end = v.ends[v.count];
        while (end < l->count && end - v.ends[v.count] < l->s->stretch) {
            end = run_end(l, end);
        }
        v.ends[++v.count] = end;
    }
    return v;
}

/** Processes one stretch, on any thread of the pool. */
static void fill_slot(void *context, uint32_t member, uint32_t item)
{
    const wave *const v = context;
    const level *const l = v->l;
    worker *const w = &l->s->workers[member];
    slot *const to = &l->s->slots[item];
    uint64_t own[ALG_IMP_COUNTERS];
    output out = {.items = to->items, .room = SLOT_ROOM};
    memcpy(own, w->counters, sizeof own);
    memset(w->counters, 0, sizeof w->counters);
    to->done = true;
    for (uint32_t i = v->ends[item], end; i < v->ends[item + 1] && to->done; i = end) {
        end = run_end(l, i);
        to->done = (l->down ? descend : open_once)(l->s, w, l->step, &l->pairs[i], end - i, &out);
    }
    to->count = out.count;
    memcpy(to->counters, w->counters, sizeof own);
    memcpy(w->counters, own, sizeof own);
}

/**
 * Appends the result of a stretch. Returns false if the result is incomplete or the list has no
 * room for it.
 */
static bool take_slot(level *l, const slot *from)
{
    if (!from->done || (!l->down && from->count > l->list.room - l->list.count)) {
        return false;
    }
    for (int i = 0; i < ALG_IMP_COUNTERS; i++) {
        l->s->workers[0].counters[i] += from->counters[i];
    }
    if (l->down) {
        hand_on(l->s, &l->contacts);
        give(l->contacts.sink, l->s->levels, from->items, from->count);
    } else {
        memcpy(l->list.items + l->list.count, from->items, from->count * sizeof *from->items);
        l->list.count += from->count;
    }
    return true;
}

/**
 * Distributes the next stretches to the threads and appends their results in order. If the list
 * becomes full meanwhile, the remaining stretches are left for the next call. Advances *next;
 * returns false if the search has ended.
 */
static bool take_wave(level *l, uint32_t *next)
{
    wave v = make_wave(l, *next);
    const bool down = l->down;
    pool_run(l->s->pool, v.count, fill_slot, &v);
    for (uint32_t k = 0; k < v.count && l->down == down; k++) {
        if (take_slot(l, &l->s->slots[k])) {
            *next = v.ends[k + 1];
        }
        while (*next < v.ends[k + 1]) {
            const uint32_t begin = *next;
            *next = run_end(l, begin);
            if (!take_run(l, begin, *next)) {
                return false;
            }
        }
        if (l->contacts.sink->ended) {
            return false;
        }
    }
    return true;
}

static void take_level(level *l)
{
    uint32_t next = 0;
    while (next < l->count) {
        if (l->s->pool && l->count - next > l->s->stretch) {
            if (!take_wave(l, &next)) {
                return;
            }
        } else {
            const uint32_t begin = next;
            next = run_end(l, begin);
            if (!take_run(l, begin, next)) {
                return;
            }
        }
    }
}

/* --- Creation --------------------------------------------------------------------------------- */

/** Allocates the cache of children of A's nodes. */
static bool allocate_cache(const alg_imp_tree *tree, base_arena *arena, alg_imp_expansion *o)
{
    const size_t mask_bytes = alg_imp_mask_bytes(tree->children);
    alg_imp_packet *const packets =
        base_arena_alloc(arena, ALG_IMP_CACHE_SIZE * mask_bytes, sizeof *packets);
    o->cache = base_arena_alloc(arena, ALG_IMP_CACHE_SIZE, sizeof *o->cache);
    o->cache_keys = base_arena_alloc(arena, ALG_IMP_CACHE_SIZE, sizeof *o->cache_keys);
    if (!packets || !o->cache || !o->cache_keys) {
        return false;
    }
    for (size_t i = 0; i < ALG_IMP_CACHE_SIZE; i++) {
        o->cache[i].packets = packets + i * mask_bytes;
    }
    return true;
}

static bool allocate_worker(const alg_imp_search *s, base_arena *arena, worker *w)
{
    const uint32_t mask_bytes = alg_imp_mask_bytes(s->view.trees[1]->children);
    w->expansions = base_arena_alloc(arena, s->step_count, sizeof *w->expansions);
    for (uint32_t i = 0; w->expansions && i < s->step_count; i++) {
        alg_imp_expansion *const o = &w->expansions[i];
        *o = (alg_imp_expansion){.view = &s->view, .step = &s->steps[i], .counters = w->counters};
        o->children_b.packets = base_arena_alloc(arena, mask_bytes, sizeof *o->children_b.packets);
        o->nodes = base_arena_alloc(arena, 1, sizeof *o->nodes);
        o->near = base_arena_alloc(arena, 1, sizeof *o->near);
        o->met = base_arena_alloc(arena, ALG_IMP_NODES_ROOM, sizeof *o->met);
        if (!o->children_b.packets || !o->nodes || !o->near || !o->met ||
            !allocate_cache(s->view.trees[0], arena, o)) {
            return false;
        }
    }
    return w->expansions != NULL;
}

static bool allocate_hits(base_arena *arena, uint32_t room, alg_imp_hit **hits)
{
    *hits = base_arena_alloc(arena, room, sizeof **hits);
    return *hits != NULL;
}

/** Allocates everything but the threads. */
static bool allocate(alg_imp_search *s, uint32_t workers, base_arena *arena)
{
    bool there = allocate_hits(arena, BATCH_ROOM, &s->batch);
    there = there && (s->workers = base_arena_alloc(arena, workers, sizeof *s->workers)) != NULL;
    for (uint32_t i = 0; there && i < workers; i++) {
        there = allocate_worker(s, arena, &s->workers[i]);
    }
    if (s->options.order != ALG_IMP_DEPTH) {
        there = there && allocate_hits(arena, LIST_ROOM, &s->lists[0]) &&
                allocate_hits(arena, LIST_ROOM, &s->lists[1]);
    }
    if (s->options.order == ALG_IMP_THREADS) {
        there = there && (s->slots = base_arena_alloc(arena, SLOTS, sizeof *s->slots)) != NULL;
        for (uint32_t i = 0; there && i < SLOTS; i++) {
            there = allocate_hits(arena, SLOT_ROOM, &s->slots[i].items);
        }
    }
    return there;
}

base_status alg_imp_search_create(const alg_imp_pair *pair, const alg_imp_search_options *options,
                                  base_arena *arena, alg_imp_search **search, base_error *err)
{
    static const uint32_t stretches[] = {[ALG_IMP_8] = 128, [ALG_IMP_64] = 16, [ALG_IMP_512] = 1};
    const bool avx2 = base_cpu_avx2(), threads = options->order == ALG_IMP_THREADS;
    alg_imp_search *const s = base_arena_alloc(arena, 1, sizeof *s);
    *search = NULL;
    if (!s) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a search");
    }
    s->options = *options;
    s->view.pair = pair;
    s->view.one_child = options->one_child;
    for (int side = 0; side < 2; side++) {
        const alg_imp_tree *const tree = side == 0 ? &pair->a->tree : &pair->b->tree;
        s->view.trees[side] = tree;
        s->levels[side] = options->level < tree->root_level ? options->level : tree->root_level;
        for (uint32_t l = 0; l <= tree->root_level; l++) {
            s->view.cube_radius[side][l] = alg_imp_sphere_of(tree, l, ALG_IMP_FULL).radius;
        }
    }
    s->begin = avx2 ? alg_imp_expansion_begin_avx2 : alg_imp_expansion_begin_sse2;
    s->next = avx2 ? alg_imp_expansion_next_avx2 : alg_imp_expansion_next_sse2;
    s->stretch = stretches[pair->a->tree.children];
    fill_tables(&s->view);
    plan_steps(s);
    if (!allocate(s, threads ? options->threads : 1, arena) ||
        (threads && (s->pool = pool_start(options->threads, arena)) == NULL)) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the lists of a search");
    }
    *search = s;
    return BASE_OK;
}

void alg_imp_search_end(alg_imp_search *search)
{
    if (search && search->pool) {
        pool_end(search->pool);
        search->pool = NULL;
    }
}

/* --- Searches --------------------------------------------------------------------------------- */

static void breadth_first(alg_imp_search *s, const alg_imp_hit *root, sink *to)
{
    const uint32_t limit = s->options.contacts_max;
    output contacts = {.items = s->batch, .room = BATCH_ROOM, .sink = to};
    uint32_t count = 1;
    s->lists[0][0] = *root;
    for (uint32_t step = 0; step < s->step_count && count > 0 && !to->ended; step++) {
        const alg_imp_step *const at = &s->steps[step];
        level l = {
            .s = s,
            .step = step,
            .pairs = s->lists[step % 2],
            .count = count,
            .down = at->last,
            .list = {.items = s->lists[(step + 1) % 2], .room = LIST_ROOM},
            .contacts = contacts,
        };
        take_level(&l);
        hand_on(s, &l.contacts);
        count = l.list.count;
        if (l.full) {
            give(to, at->level, l.pairs, l.count);
            return;
        }
        if (limit > 0 && count > limit) {
            give(to, s->steps[step + 1].level, l.list.items, count);
            return;
        }
    }
}

/** True if the balls of both roots meet. */
static bool roots_meet(const alg_imp_search *s)
{
    float at[2][3], radius[2];
    for (int side = 0; side < 2; side++) {
        const alg_imp_tree *const tree = s->view.trees[side];
        const alg_imp_sphere sphere = alg_imp_sphere_of(tree, tree->root_level, 0);
        const float half = (float)(1u << (alg_imp_bits(tree->children) * tree->root_level));
        for (int i = 0; i < 3; i++) {
            at[side][i] = half + sphere.offset[i];
        }
        radius[side] = sphere.radius;
    }
    float b[3];
    alg_imp_centre_b(s->view.pair, at[1][0], at[1][1], at[1][2], b);
    const uint32_t levels[2] = {s->view.trees[0]->root_level, s->view.trees[1]->root_level};
    const float reach = radius[0] + (radius[1] * s->view.pair->ratio + margin_of(s, levels));
    return alg_imp_distance2(at[0], b) <= reach * reach;
}

bool alg_imp_search_run(alg_imp_search *search, alg_imp_taker *take, void *context,
                        uint64_t counters[ALG_IMP_COUNTERS])
{
    alg_imp_search *const s = search;
    const alg_imp_search_options *const options = &s->options;
    const bool deep = options->order == ALG_IMP_DEPTH || options->first;
    sink to = {
        .take = take,
        .context = context,
        .limit = options->first                      ? 1
                 : options->contacts_max > 0 && deep ? options->contacts_max
                                                     : UINT64_MAX,
        .first = options->first,
    };
    const alg_imp_hit root = {0};
    /* Numbers of queries may be reused after 65,535 queries. An old entry of the cache with the
     * same number is still valid, because A's nodes do not depend on the pose. */
    s->view.query = s->view.query < UINT16_MAX ? s->view.query + 1 : 1;
    memset(s->workers[0].counters, 0, sizeof s->workers[0].counters);
    s->workers[0].counters[ALG_IMP_COUNT_TESTS] = 1;
    if (roots_meet(s)) {
        if (s->step_count == 0) {
            give(&to, s->levels, &root, 1);
        } else if (deep) {
            output contacts = {.items = s->batch, .room = BATCH_ROOM, .sink = &to};
            (void)descend(s, &s->workers[0], 0, &root, 1, &contacts);
            hand_on(s, &contacts);
        } else {
            breadth_first(s, &root, &to);
        }
    }
    memcpy(counters, s->workers[0].counters, sizeof s->workers[0].counters);
    counters[ALG_IMP_COUNT_CONTACTS] = to.given;
    return !to.cut;
}
