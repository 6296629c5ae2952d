#include "algorithms/imp/contacts.h"

#include "algorithms/imp/opening.h"
#include "algorithms/imp/team.h"
#include "base/cpu.h"
#include "base/elementary.h"

#include <math.h>
#include <string.h>

enum {
    LIST_ROOM = 1 << 16, /* pairs of a level; what is beyond is descended depth first */
    BATCH_ROOM = 1024, /* hits that are handed on at a time; more than an opening needs room for */
    WAITING_ROOM = 1024, /* pairs of a level that wait depth first, at most */
    STEPS_MAX = 2 * ALG_IMP_LEVELS_MAX,
    /* Threads. */
    SLOTS = 32, /* stretches of a level that are shared out at a time */
    SLOT_ROOM =
        8192, /* pairs that come of a stretch; of one with more the caller makes them again */
};

/** Pairs on their way down, of a level of depth first. */
typedef struct waiting {
    alg_imp_opening opening;
    alg_imp_hit *pairs; /* arena */
    uint32_t next, count;
} waiting;

/** What a thread needs of its own. */
typedef struct walker {
    waiting *steps; /* arena; of each step */
    uint64_t counters[ALG_IMP_COUNTERS];
} walker;

/** Where pairs are written. Without a taker it is full some time; with one it is handed on. */
typedef struct output {
    alg_imp_hit *items;
    uint32_t count, room;
    struct sink *sink;
} output;

/** Takes the hits of a query. */
typedef struct sink {
    alg_imp_taker *take;
    void *context;
    uint64_t given, limit;
    bool first; /* is all that is wanted */
    bool ended; /* takes no more */
    bool cut;   /* by a stop */
} sink;

/** A stretch of a level, and what came of it. */
typedef struct slot {
    alg_imp_hit *items; /* arena */
    uint32_t count;
    bool done; /* all of it: there was room */
    uint64_t counters[ALG_IMP_COUNTERS];
} slot;

struct alg_imp_search {
    alg_imp_search_options options;
    alg_imp_view view;
    alg_imp_step steps[STEPS_MAX];
    uint32_t step_count;
    uint32_t levels[2]; /* of contacts */
    void (*begin)(alg_imp_opening *o, const alg_imp_hit *pair);
    uint32_t (*go)(alg_imp_opening *o, alg_imp_hit *hits, uint32_t room);
    walker *walkers;       /* arena; of each member of the team */
    alg_imp_hit *lists[2]; /* arena; of breadth first */
    alg_imp_hit *batch;    /* arena */
    alg_imp_team *team;    /* of threads, or NULL */
    slot *slots;           /* arena; of threads */
    uint32_t stretch;      /* pairs of a slot */
};

/* --- Steps ------------------------------------------------------------------------------------ */

static const double ROOT3 = 1.7320508075688772;

/** Half the edge of a node, in A's units. */
static double half_edge(const alg_imp_search *s, int side, uint32_t level)
{
    const alg_imp_tree *const tree = s->view.trees[side];
    const double ratio = side == 0 ? 1 : (double)s->view.pair->ratio;
    return ratio * (double)(1u << (alg_imp_bits(tree->children) * level));
}

/**
 * What tests of nodes add to radii: 2 slack for the rounding of voxels' places (pair.c), and, as nodes may reach out of
 * the grid by their own size, the same share of that.
 */
static float margin_of(const alg_imp_search *s, const uint32_t level[2])
{
    const double nodes = half_edge(s, 0, level[0]) + half_edge(s, 1, level[1]);
    return base_float_above(2 * (double)s->view.pair->slack + 0x1p-19 * 2 * ROOT3 * nodes);
}

/** Nodes of all pairs of a step are of the same two levels: which of them is opened depends on their sizes alone. */
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
            .level = {level[0],                              level[1]                             },
            .open = {may[0] && !(may[1] && b >= alike * a), may[1] && !(may[0] && a >= alike * b)},
            .margin = margin_of(s, level),
        };
        level[0] -= step->open[0];
        level[1] -= step->open[1];
        step->last = level[0] == last[0] && level[1] == last[1];
        step->exact = step->last && last[0] == 0 && last[1] == 0;
    }
}

/* --- Making ----------------------------------------------------------------------------------- */

/** Fans of a side of an opening, as many as there are places for. */
static bool allocate_fans(const alg_imp_search *s, int side, base_arena *arena, alg_imp_opening *o)
{
    static const uint32_t bits[] = {[ALG_IMP_8] = 2, [ALG_IMP_64] = 1, [ALG_IMP_512] = 1};
    const alg_imp_children children = s->view.trees[side]->children;
    const uint32_t octets = alg_imp_octets(children);
    o->kept_bits[side] = bits[children];
    const uint32_t count = 1u << 3 * o->kept_bits[side];
    o->kept[side] = base_arena_alloc(arena, count, sizeof *o->kept[side]);
    for (uint32_t i = 0; o->kept[side] && i < count; i++) {
        o->kept[side][i].eights = base_arena_alloc(arena, octets, sizeof *o->kept[side]->eights);
        if (!o->kept[side][i].eights) {
            return false;
        }
    }
    return o->kept[side] != NULL;
}

static bool allocate_walker(const alg_imp_search *s, base_arena *arena, walker *w)
{
    w->steps = base_arena_alloc(arena, s->step_count, sizeof *w->steps);
    for (uint32_t i = 0; w->steps && i < s->step_count; i++) {
        waiting *const at = &w->steps[i];
        at->opening =
            (alg_imp_opening){.view = &s->view, .step = &s->steps[i], .counters = w->counters};
        at->pairs = base_arena_alloc(arena, WAITING_ROOM, sizeof *at->pairs);
        if (!at->pairs || !allocate_fans(s, 0, arena, &at->opening) ||
            !allocate_fans(s, 1, arena, &at->opening)) {
            return false;
        }
    }
    return w->steps != NULL;
}

static bool allocate_hits(base_arena *arena, uint32_t room, alg_imp_hit **hits)
{
    *hits = base_arena_alloc(arena, room, sizeof **hits);
    return *hits != NULL;
}

static bool allocate_ranks(alg_imp_view *view, base_arena *arena)
{
    view->ranks = base_arena_alloc(arena, 256, sizeof *view->ranks);
    for (uint32_t byte = 0; view->ranks && byte < 256; byte++) {
        for (uint32_t lane = 1; lane < ALG_IMP_LANES; lane++) {
            view->ranks[byte][lane] =
                (uint16_t)(view->ranks[byte][lane - 1] + (byte >> (lane - 1) & 1));
        }
    }
    return view->ranks != NULL;
}

static bool allocate_slots(alg_imp_search *s, base_arena *arena)
{
    bool there = (s->slots = base_arena_alloc(arena, SLOTS, sizeof *s->slots)) != NULL;
    for (uint32_t i = 0; there && i < SLOTS; i++) {
        there = allocate_hits(arena, SLOT_ROOM, &s->slots[i].items);
    }
    return there;
}

/** All but the threads. */
static bool allocate(alg_imp_search *s, uint32_t walkers, base_arena *arena)
{
    bool there = allocate_ranks(&s->view, arena) && allocate_hits(arena, BATCH_ROOM, &s->batch);
    there = there && (s->walkers = base_arena_alloc(arena, walkers, sizeof *s->walkers)) != NULL;
    for (uint32_t i = 0; there && i < walkers; i++) {
        there = allocate_walker(s, arena, &s->walkers[i]);
    }
    if (s->options.order != ALG_IMP_DEPTH) {
        there = there && allocate_hits(arena, LIST_ROOM, &s->lists[0]) &&
                allocate_hits(arena, LIST_ROOM, &s->lists[1]);
    }
    return there && (s->options.order != ALG_IMP_THREADS || allocate_slots(s, arena));
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
    s->begin = avx2 ? alg_imp_opening_begin_avx2 : alg_imp_opening_begin_sse2;
    s->go = avx2 ? alg_imp_opening_go_avx2 : alg_imp_opening_go_sse2;
    s->stretch = stretches[pair->a->tree.children];
    plan_steps(s);
    if (!allocate(s, threads ? options->threads : 1, arena) ||
        (threads && (s->team = alg_imp_team_start(options->threads, arena)) == NULL)) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the lists of a search");
    }
    *search = s;
    return BASE_OK;
}

void alg_imp_search_end(alg_imp_search *search)
{
    if (search) {
        alg_imp_team_end(search->team);
        search->team = NULL;
    }
}

/* --- Outputs ---------------------------------------------------------------------------------- */

/** Hands hits of these levels on. */
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

/** False: there is no room, or nothing more is taken. */
static bool make_room(const alg_imp_search *s, output *out, uint32_t needed)
{
    if (out->sink && (out->room - out->count < needed || (s->options.first && out->count > 0))) {
        hand_on(s, out);
    }
    return out->room - out->count >= needed && !(out->sink && out->sink->ended);
}

/* --- Pairs ------------------------------------------------------------------------------------ */

/** Goes on with an opening to its end. False: there is no room. */
static bool finish(const alg_imp_search *s, alg_imp_opening *o, output *out)
{
    while (!o->done) {
        const uint32_t needed = alg_imp_opening_room(o);
        if (!make_room(s, out, needed)) {
            return false;
        }
        const uint32_t room = s->options.first ? needed : out->room - out->count;
        out->count += s->go(o, out->items + out->count, room);
    }
    return true;
}

static void start(const alg_imp_search *s, waiting *at, const alg_imp_hit *pair)
{
    at->next = at->count = 0;
    s->begin(&at->opening, pair);
}

/** Opens a pair of a step. False: there was no room for all that came of it. */
static bool open_pair(const alg_imp_search *s, walker *w, uint32_t step, const alg_imp_hit *pair,
                      output *out)
{
    start(s, &w->steps[step], pair);
    return finish(s, &w->steps[step].opening, out);
}

/** Depth first, from a pair of a step down to the contacts. False: there was no room for all of them. */
static bool descend(const alg_imp_search *s, walker *w, uint32_t from, const alg_imp_hit *pair,
                    output *out)
{
    uint32_t step = from;
    start(s, &w->steps[step], pair);
    for (;;) {
        waiting *const at = &w->steps[step];
        alg_imp_opening *const o = &at->opening;
        if (o->step->last && !finish(s, o, out)) {
            return false;
        }
        if (at->next < at->count) {
            start(s, &w->steps[++step], &at->pairs[at->next++]);
        } else if (!o->done) {
            at->next = 0;
            at->count = s->go(o, at->pairs, WAITING_ROOM);
        } else if (step > from) {
            step--;
        } else {
            return true;
        }
    }
}

/* --- Levels ----------------------------------------------------------------------------------- */

/** Pairs of a step on their way to those of the next one, or to the contacts. */
typedef struct level {
    alg_imp_search *s;
    uint32_t step;
    const alg_imp_hit *pairs;
    uint32_t count;
    bool down; /* to the contacts: the step is the last one, or the list is full */
    bool full; /* the list is full, and there is a limit */
    output list, contacts;
} level;

/** A pair, by the caller itself. False ends the search. */
static bool take_pair(level *l, uint32_t i)
{
    walker *const w = &l->s->walkers[0];
    if (!l->down) {
        const uint32_t count = l->list.count;
        uint64_t before[ALG_IMP_COUNTERS];
        memcpy(before, w->counters, sizeof before);
        if (open_pair(l->s, w, l->step, &l->pairs[i], &l->list)) {
            return true;
        }
        /* As if it had not been opened. */
        l->list.count = count;
        memcpy(w->counters, before, sizeof before);
        l->full = l->s->options.contacts_max > 0;
        l->down = true;
    }
    return !l->full && descend(l->s, w, l->step, &l->pairs[i], &l->contacts);
}

typedef struct wave {
    const level *l;
    uint32_t begin;
} wave;

static uint32_t stretch_end(const level *l, uint32_t begin)
{
    const uint32_t left = l->count - begin;
    return begin + (left < l->s->stretch ? left : l->s->stretch);
}

/** A stretch, by any member of the team. */
static void fill_slot(void *context, uint32_t member, uint32_t item)
{
    const wave *const v = context;
    const level *const l = v->l;
    walker *const w = &l->s->walkers[member];
    slot *const to = &l->s->slots[item];
    const uint32_t begin = v->begin + item * l->s->stretch, end = stretch_end(l, begin);
    uint64_t own[ALG_IMP_COUNTERS];
    output out = {.items = to->items, .room = SLOT_ROOM};
    memcpy(own, w->counters, sizeof own);
    memset(w->counters, 0, sizeof w->counters);
    to->done = true;
    for (uint32_t i = begin; i < end && to->done; i++) {
        to->done = l->down ? descend(l->s, w, l->step, &l->pairs[i], &out)
                           : open_pair(l->s, w, l->step, &l->pairs[i], &out);
    }
    to->count = out.count;
    memcpy(to->counters, w->counters, sizeof own);
    memcpy(w->counters, own, sizeof own);
}

/** Takes over what came of a stretch. False: it cannot be, as it is not all, or has no room. */
static bool take_slot(level *l, const slot *from)
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
 * Shares out the next stretches, and takes over what came of them, in their order. Where the list gets full on the way,
 * the rest is shared out again. Moves *next on; false ends the search.
 */
static bool take_wave(level *l, uint32_t *next)
{
    wave v = {l, *next};
    const bool down = l->down;
    const uint32_t slots = (l->count - *next - 1) / l->s->stretch + 1;
    const uint32_t count = slots < SLOTS ? slots : SLOTS;
    alg_imp_team_do(l->s->team, count, fill_slot, &v);
    for (uint32_t k = 0; k < count && l->down == down; k++) {
        const uint32_t end = stretch_end(l, *next);
        if (take_slot(l, &l->s->slots[k])) {
            *next = end;
        }
        for (; *next < end; ++*next) {
            if (!take_pair(l, *next)) {
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
        } else if (!take_pair(l, next++)) {
            return;
        }
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

static void depth_first(alg_imp_search *s, const alg_imp_hit *root, sink *to)
{
    output contacts = {.items = s->batch, .room = BATCH_ROOM, .sink = to};
    (void)descend(s, &s->walkers[0], 0, root, &contacts);
    hand_on(s, &contacts);
}

/** Do the balls of both roots meet? */
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

/** Fans of the last query are at another pose. */
static void forget_fans(const alg_imp_search *s)
{
    const uint32_t walkers = s->team ? s->options.threads : 1;
    for (uint32_t i = 0; i < walkers; i++) {
        for (uint32_t k = 0; k < s->step_count; k++) {
            const alg_imp_opening *const o = &s->walkers[i].steps[k].opening;
            for (int side = 0; side < 2; side++) {
                for (uint32_t n = 0; n < 1u << 3 * o->kept_bits[side]; n++) {
                    o->kept[side][n].key = ALG_IMP_NO_KEY;
                }
            }
        }
    }
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
    memset(s->walkers[0].counters, 0, sizeof s->walkers[0].counters);
    s->walkers[0].counters[ALG_IMP_COUNT_TESTS] = 1;
    forget_fans(s);
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
