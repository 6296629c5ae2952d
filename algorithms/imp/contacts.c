#include "algorithms/imp/contacts.h"

#include "algorithms/imp/search.h"

#include <string.h>

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

/* --- Outputs ---------------------------------------------------------------------------------- */

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

/** Makes room for `needed` pairs. Returns false if there is no room, or if the sink has ended. */
static bool make_room(const alg_imp_search *s, output *out, uint32_t needed)
{
    if (out->sink && out->room - out->count < needed) {
        hand_on(s, out);
    }
    return out->room - out->count >= needed && !(out->sink && out->sink->ended);
}

/* --- Pairs ------------------------------------------------------------------------------------ */

/** Opens pairs that have the same node of B. */
static alg_imp_opening *open_pairs(const alg_imp_search *s, const alg_imp_walker *w, uint32_t step,
                                   const alg_imp_hit *pairs, uint32_t count)
{
    alg_imp_opening *const o = &w->openings[step];
    const alg_imp_node_b b = {
        .number = pairs->b,
        .cell = {pairs->cell_b[0], pairs->cell_b[1], pairs->cell_b[2]},
    };
    o->pairs = pairs;
    o->count = count;
    s->begin(o, &b);
    return o;
}

/** Opens the pairs that the previous step's opening has found. */
static void open_met(const alg_imp_search *s, const alg_imp_walker *w, uint32_t step)
{
    alg_imp_opening *const o = &w->openings[step];
    const alg_imp_opening *const from = &w->openings[step - 1];
    o->pairs = NULL;
    o->from = from->nodes;
    o->places = from->met;
    o->count = from->met_count;
    s->begin(o, &from->met_b);
}

/**
 * Writes the pairs that an opening has found. Returns false if there is no room, or if the sink has
 * ended.
 */
static bool write_met(const alg_imp_search *s, const alg_imp_opening *o, output *out)
{
    const alg_imp_nodes *const nodes = o->nodes;
    if (!make_room(s, out, o->met_count)) {
        return false;
    }
    alg_imp_hit *const hits = out->items + out->count;
    for (uint32_t i = 0; i < o->met_count; i++) {
        const uint32_t place = o->met[i], xy = nodes->xy[place];
        hits[i] = (alg_imp_hit){
            .a = nodes->number[place],
            .b = o->met_b.number,
            .cell_a = {(uint16_t)xy, (uint16_t)(xy >> 16), (uint16_t)nodes->z[place]},
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
 * Opens pairs of one step that have the same node of B. Returns false if there was no room for all
 * resulting pairs.
 */
static bool open_once(const alg_imp_search *s, const alg_imp_walker *w, uint32_t step,
                      const alg_imp_hit *pairs, uint32_t count, output *out)
{
    alg_imp_opening *const o = open_pairs(s, w, step, pairs, count);
    while (s->next(o)) {
        if (!write_met(s, o, out)) {
            return false;
        }
    }
    return true;
}

/** Descends the pairs depth first, down to the contacts. Returns false as open_once does. */
static bool descend(const alg_imp_search *s, const alg_imp_walker *w, uint32_t from,
                    const alg_imp_hit *pairs, uint32_t count, output *out)
{
    uint32_t step = from;
    open_pairs(s, w, step, pairs, count);
    for (;;) {
        alg_imp_opening *const o = &w->openings[step];
        if (!s->next(o)) {
            if (step == from) {
                return true;
            }
            step--;
        } else if (!o->step->last) {
            open_met(s, w, ++step);
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
    bool down; /* results go to the contacts: the step is the last one, or the list is full */
    bool full; /* the list is full, and the number of contacts is limited */
    output list, contacts;
} level;

/** Returns the end of the pairs from `begin` on that have the same node of B. */
static uint32_t run_end(const level *l, uint32_t begin)
{
    const uint16_t *const cell = l->pairs[begin].cell_b;
    uint32_t end = begin + 1;
    while (end < l->count && memcmp(l->pairs[end].cell_b, cell, sizeof l->pairs->cell_b) == 0) {
        end++;
    }
    return end;
}

/** Opens pairs with one node of B on the calling thread. Returns false if the search has ended. */
static bool take_run(level *l, uint32_t begin, uint32_t end)
{
    alg_imp_walker *const w = &l->s->walkers[0];
    const alg_imp_hit *const pairs = &l->pairs[begin];
    if (!l->down) {
        const uint32_t count = l->list.count;
        uint64_t before[ALG_IMP_COUNTERS];
        memcpy(before, w->counters, sizeof before);
        if (open_once(l->s, w, l->step, pairs, end - begin, &l->list)) {
            return true;
        }
        /* Undo the opening, because its result is incomplete. */
        l->list.count = count;
        memcpy(w->counters, before, sizeof before);
        l->full = l->s->options.contacts_max > 0;
        l->down = true;
    }
    return !l->full && descend(l->s, w, l->step, pairs, end - begin, &l->contacts);
}

/** Stretches of a level that are distributed to threads: stretch i is [ends[i], ends[i + 1]). */
typedef struct wave {
    const level *l;
    uint32_t count;
    uint32_t ends[ALG_IMP_SLOTS + 1];
} wave;

static wave make_wave(const level *l, uint32_t begin)
{
    wave v = {.l = l, .ends = {begin}};
    while (v.count < ALG_IMP_SLOTS && v.ends[v.count] < l->count) {
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
    alg_imp_walker *const w = &l->s->walkers[member];
    alg_imp_slot *const to = &l->s->slots[item];
    uint64_t own[ALG_IMP_COUNTERS];
    output out = {.items = to->items, .room = ALG_IMP_SLOT_ROOM};
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
static bool take_slot(level *l, const alg_imp_slot *from)
{
    if (!from->done || (!l->down && from->count > l->list.room - l->list.count)) {
        return false;
    }
    for (int i = 0; i < ALG_IMP_COUNTERS; i++) {
        l->s->walkers[0].counters[i] += from->counters[i];
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
 * becomes full meanwhile, the rest is distributed again. Advances *next; returns false if the
 * search has ended.
 */
static bool take_wave(level *l, uint32_t *next)
{
    wave v = make_wave(l, *next);
    const bool down = l->down;
    alg_imp_team_do(l->s->team, v.count, fill_slot, &v);
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
        if (l->s->team && l->count - next > l->s->stretch) {
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

/* --- Searches --------------------------------------------------------------------------------- */

static void breadth_first(alg_imp_search *s, const alg_imp_hit *root, sink *to)
{
    const uint32_t limit = s->options.contacts_max;
    output contacts = {.items = s->batch, .room = ALG_IMP_BATCH_ROOM, .sink = to};
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
            .list = {.items = s->lists[(step + 1) % 2], .room = ALG_IMP_LIST_ROOM},
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

static void depth_first(alg_imp_search *s, const alg_imp_hit *root, sink *to)
{
    output contacts = {.items = s->batch, .room = ALG_IMP_BATCH_ROOM, .sink = to};
    (void)descend(s, &s->walkers[0], 0, root, 1, &contacts);
    hand_on(s, &contacts);
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
    const float reach = radius[0] + (radius[1] * s->view.pair->ratio + alg_imp_margin(s, levels));
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
    /* A query number may be used again after all others, because the cached nodes do not depend on
     * the pose. */
    s->view.query = s->view.query < UINT16_MAX ? s->view.query + 1 : 1;
    memset(s->walkers[0].counters, 0, sizeof s->walkers[0].counters);
    s->walkers[0].counters[ALG_IMP_COUNT_TESTS] = 1;
    if (roots_meet(s)) {
        if (s->step_count == 0) {
            give(&to, s->levels, &root, 1);
        } else if (deep) {
            depth_first(s, &root, &to);
        } else {
            breadth_first(s, &root, &to);
        }
    }
    memcpy(counters, s->walkers[0].counters, sizeof s->walkers[0].counters);
    counters[ALG_IMP_COUNT_CONTACTS] = to.given;
    return !to.cut;
}
