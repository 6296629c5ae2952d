#include "algorithms/imp/search.h"

#include "base/elementary.h"
#include "base/simd.h"

#include <math.h>

/* --- Steps ------------------------------------------------------------------------------------ */

static const double ROOT3 = 1.7320508075688772;

/** Returns half the edge of a node, in A's units. */
static double half_edge(const alg_imp_search *s, int side, uint32_t level)
{
    const alg_imp_tree *const tree = s->view.trees[side];
    const double ratio = side == 0 ? 1 : (double)s->view.pair->ratio;
    return ratio * (double)(1u << (alg_imp_bits(tree->children) * level));
}

float alg_imp_margin(const alg_imp_search *s, const uint32_t level[2])
{
    const double nodes = half_edge(s, 0, level[0]) + half_edge(s, 1, level[1]);
    return base_float_above(2 * (double)s->view.pair->slack + 0x1p-19 * 2 * ROOT3 * nodes);
}

/**
 * Plans the steps. All pairs of a step have nodes of the same two levels, so which node is opened
 * depends only on their sizes.
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
            .margin = alg_imp_margin(s, level),
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

/* --- Creation --------------------------------------------------------------------------------- */

/** Allocates the cache of A's fans. */
static bool allocate_fans(const alg_imp_tree *tree, base_arena *arena, alg_imp_opening *o)
{
    const size_t octets = alg_imp_octets(tree->children);
    alg_imp_eight *const eights = base_arena_alloc(arena, ALG_IMP_KEPT * octets, sizeof *eights);
    o->kept = base_arena_alloc(arena, ALG_IMP_KEPT, sizeof *o->kept);
    o->kept_keys = base_arena_alloc(arena, ALG_IMP_KEPT, sizeof *o->kept_keys);
    if (!eights || !o->kept || !o->kept_keys) {
        return false;
    }
    for (size_t i = 0; i < ALG_IMP_KEPT; i++) {
        o->kept[i].eights = eights + i * octets;
    }
    return true;
}

static bool allocate_walker(const alg_imp_search *s, base_arena *arena, alg_imp_walker *w)
{
    const uint32_t octets = alg_imp_octets(s->view.trees[1]->children);
    w->openings = base_arena_alloc(arena, s->step_count, sizeof *w->openings);
    for (uint32_t i = 0; w->openings && i < s->step_count; i++) {
        alg_imp_opening *const o = &w->openings[i];
        *o = (alg_imp_opening){.view = &s->view, .step = &s->steps[i], .counters = w->counters};
        o->fan_b.eights = base_arena_alloc(arena, octets, sizeof *o->fan_b.eights);
        o->nodes = base_arena_alloc(arena, 1, sizeof *o->nodes);
        o->near = base_arena_alloc(arena, 1, sizeof *o->near);
        o->met = base_arena_alloc(arena, ALG_IMP_NODES_ROOM, sizeof *o->met);
        if (!o->fan_b.eights || !o->nodes || !o->near || !o->met ||
            !allocate_fans(s->view.trees[0], arena, o)) {
            return false;
        }
    }
    return w->openings != NULL;
}

static bool allocate_hits(base_arena *arena, uint32_t room, alg_imp_hit **hits)
{
    *hits = base_arena_alloc(arena, room, sizeof **hits);
    return *hits != NULL;
}

static bool allocate_slots(alg_imp_search *s, base_arena *arena)
{
    bool there = (s->slots = base_arena_alloc(arena, ALG_IMP_SLOTS, sizeof *s->slots)) != NULL;
    for (uint32_t i = 0; there && i < ALG_IMP_SLOTS; i++) {
        there = allocate_hits(arena, ALG_IMP_SLOT_ROOM, &s->slots[i].items);
    }
    return there;
}

/** Allocates everything but the threads. */
static bool allocate(alg_imp_search *s, uint32_t walkers, base_arena *arena)
{
    bool there = allocate_hits(arena, ALG_IMP_BATCH_ROOM, &s->batch);
    there = there && (s->walkers = base_arena_alloc(arena, walkers, sizeof *s->walkers)) != NULL;
    for (uint32_t i = 0; there && i < walkers; i++) {
        there = allocate_walker(s, arena, &s->walkers[i]);
    }
    if (s->options.order != ALG_IMP_DEPTH) {
        there = there && allocate_hits(arena, ALG_IMP_LIST_ROOM, &s->lists[0]) &&
                allocate_hits(arena, ALG_IMP_LIST_ROOM, &s->lists[1]);
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
    s->next = avx2 ? alg_imp_opening_next_avx2 : alg_imp_opening_next_sse2;
    s->stretch = stretches[pair->a->tree.children];
    fill_tables(&s->view);
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
