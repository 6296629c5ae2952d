/**
 * Clusters of neighbours. Each item has a list of its nearest items. A cluster starts with the free
 * item that is in the lists of the most assigned items, so that no item remains alone between
 * clusters. It then takes the free item that is nearest to its mean, among those in the lists of
 * its items, until it is full or its items list no free item. A cluster that remains small is
 * merged with an adjacent one, or both divide their items equally.
 */
#include "algorithms/pst/clusters.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "geometry/vec.h"

#include <string.h>

/* --- Levels ----------------------------------------------------------------------------------- */

static base_status create_level(uint32_t items, uint32_t count, base_arena *arena,
                                alg_pst_level *level, base_error *err)
{
    level->count = count;
    level->items = base_arena_alloc(arena, items, sizeof *level->items);
    level->begin = base_arena_alloc(arena, (size_t)count + 1, sizeof *level->begin);
    level->heads = base_arena_alloc(arena, count, sizeof *level->heads);
    const bool good = level->items && level->begin && level->heads;
    return good ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory for clusters");
}

/** Chooses the heads, and moves each head's item to the front of its cluster. below: NULL for
 * points. */
static void choose_heads(const vec3 *points, const alg_pst_level *below, alg_pst_level *level)
{
    for (uint32_t c = 0; c < level->count; c++) {
        uint32_t *const items = level->items + level->begin[c];
        const uint32_t count = level->begin[c + 1] - level->begin[c];
        vec3 at[ALG_PST_WIDTH], sum = {0, 0, 0};
        for (uint32_t i = 0; i < count; i++) {
            at[i] = points[below ? below->heads[items[i]] : items[i]];
            sum = vec3_add(sum, at[i]);
        }
        const vec3 mean = vec3_scale(1. / count, sum);
        uint32_t nearest = 0;
        for (uint32_t i = 1; i < count; i++) {
            const bool nearer = vec3_distance2(at[i], mean) < vec3_distance2(at[nearest], mean);
            nearest = nearer ? i : nearest;
        }
        const uint32_t item = items[nearest];
        items[nearest] = items[0];
        items[0] = item;
        level->heads[c] = below ? below->heads[item] : item;
    }
}

/* --- Splitting -------------------------------------------------------------------------------- */

/** A point with its position. */
typedef struct place {
    vec3 p;
    uint32_t point;
} place;

/** Order by a coordinate; equal coordinates by the number of the point. */
static bool is_before(const place *a, const place *b, int axis)
{
    const double x = vec3_get(a->p, axis), y = vec3_get(b->p, axis);
    return x < y || (x == y && a->point < b->point);
}

/** Partitions the points: in the order of is_before, each point before index `middle` comes before
 * each point from there on. */
static void split_places(place *places, uint32_t count, uint32_t middle, int axis,
                         base_random *random)
{
    uint32_t begin = 0, end = count;
    while (end - begin > 1) {
        const place pivot = places[begin + base_random_below(random, end - begin)];
        uint32_t i = begin, j = end - 1;
        for (;;) {
            while (is_before(&places[i], &pivot, axis)) {
                i++;
            }
            while (is_before(&pivot, &places[j], axis)) {
                j--;
            }
            if (i >= j) {
                break;
            }
            const place other = places[i];
            places[i++] = places[j];
            places[j--] = other;
        }
        /* All points differ: those before i are the pivot or come before it, those after j come
         * after it. */
        if (middle < i) {
            end = i;
        } else if (middle > j) {
            begin = j + 1;
        } else {
            break;
        }
    }
}

static int longest_axis(const place *places, uint32_t count)
{
    geo_box box = geo_box_empty();
    for (uint32_t i = 0; i < count; i++) {
        box = geo_box_add(box, places[i].p);
    }
    const vec3 size = vec3_sub(box.hi, box.lo);
    return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}

/* --- Nearest items ---------------------------------------------------------------------------- */

/** Length of the list of nearest items: two rings of a regular surface have 18. */
enum { KNOWN = 12, TREE_LEAF = 8 };

_Static_assert((int)KNOWN >= (int)ALG_PST_WIDTH, "levels go on to few items");

/** Items in the order of a k-d tree: a range of more than TREE_LEAF items is split at its middle
 * item. */
typedef struct neighbours {
    place *places;   /* owned */
    uint8_t *axes;   /* owned; splitting axis of each middle item */
    uint32_t *known; /* owned; the KNOWN nearest of each item, nearest first */
    uint32_t count;  /* greater than KNOWN */
} neighbours;

static void release_neighbours(neighbours *n)
{
    base_free(n->places);
    base_free(n->axes);
    base_free(n->known);
}

static void split_tree(neighbours *n, uint32_t begin, uint32_t end, base_random *random)
{
    if (end - begin <= TREE_LEAF) {
        return;
    }
    const uint32_t middle = begin + (end - begin) / 2;
    const int axis = longest_axis(n->places + begin, end - begin);
    n->axes[middle] = (uint8_t)axis;
    split_places(n->places + begin, end - begin, middle - begin, axis, random);
    split_tree(n, begin, middle, random);
    split_tree(n, middle, end, random);
}

typedef struct search {
    const neighbours *tree;
    place from;
    uint32_t found[KNOWN];
    double squares[KNOWN]; /* ascending; INFINITY for entries that are not yet found */
} search;

static void find_among(search *s, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end; i++) {
        const place *const at = &s->tree->places[i];
        const double square = vec3_distance2(at->p, s->from.p);
        if (at->point == s->from.point || !(square < s->squares[KNOWN - 1])) {
            continue;
        }
        int k = KNOWN - 1;
        for (; k > 0 && square < s->squares[k - 1]; k--) {
            s->squares[k] = s->squares[k - 1];
            s->found[k] = s->found[k - 1];
        }
        s->squares[k] = square;
        s->found[k] = at->point;
    }
}

static void find_known(search *s, uint32_t begin, uint32_t end)
{
    if (end - begin <= TREE_LEAF) {
        find_among(s, begin, end);
        return;
    }
    const uint32_t middle = begin + (end - begin) / 2;
    const int axis = s->tree->axes[middle];
    const double beyond = vec3_get(s->from.p, axis) - vec3_get(s->tree->places[middle].p, axis);
    const bool above = beyond >= 0;
    find_known(s, above ? middle : begin, above ? end : middle);
    if (beyond * beyond < s->squares[KNOWN - 1]) {
        find_known(s, above ? begin : middle, above ? middle : end);
    }
}

static void find_all_known(void *context, size_t begin, size_t end)
{
    neighbours *const n = context;
    for (size_t i = begin; i < end; i++) {
        search s = {.tree = n, .from = n->places[i]};
        for (int k = 0; k < KNOWN; k++) {
            s.squares[k] = INFINITY;
        }
        find_known(&s, 0, n->count);
        memcpy(n->known + (size_t)KNOWN * s.from.point, s.found, sizeof s.found);
    }
}

static base_status find_neighbours(const vec3 *at, uint32_t count, neighbours *n, base_error *err)
{
    n->count = count;
    n->places = base_alloc(count, sizeof *n->places);
    n->axes = base_alloc(count, sizeof *n->axes);
    n->known = base_alloc((size_t)count * KNOWN, sizeof *n->known);
    if (!n->places || !n->axes || !n->known) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for clusters");
    }
    for (uint32_t i = 0; i < count; i++) {
        n->places[i] = (place){at[i], i};
    }
    base_random random = base_random_seed(1);
    split_tree(n, 0, count, &random);
    base_parallel_for(count, 512, 0, find_all_known, n);
    return BASE_OK;
}

/* --- Clusters of neighbours ------------------------------------------------------------------- */

/** Clusters of fewer items are merged or enlarged. */
enum { SMALL = 3 };

#define NONE UINT32_MAX

typedef struct item_group {
    uint32_t items[ALG_PST_WIDTH];
    uint32_t count;
} item_group;

typedef struct growth {
    const vec3 *at; /* positions of the items */
    neighbours near;
    item_group *groups;  /* owned; some become empty */
    uint32_t *groups_of; /* owned; group of each item, NONE if it is free */
    uint32_t group_count;
    /** Doubly linked lists of free items, by the number of assigned items that have them in their
     * lists. */
    uint8_t *pressure;     /* owned; that number for each item, at most KNOWN */
    uint32_t *next, *last; /* owned; NONE at the ends */
    uint32_t first[KNOWN + 1];
} growth;

static void release_growth(growth *g)
{
    release_neighbours(&g->near);
    base_free(g->groups);
    base_free(g->groups_of);
    base_free(g->pressure);
    base_free(g->next);
    base_free(g->last);
}

static void enter_list(growth *g, uint32_t item)
{
    uint32_t *const first = &g->first[g->pressure[item]];
    g->last[item] = NONE;
    g->next[item] = *first;
    if (*first != NONE) {
        g->last[*first] = item;
    }
    *first = item;
}

static void leave_list(growth *g, uint32_t item)
{
    const uint32_t next = g->next[item], last = g->last[item];
    if (next != NONE) {
        g->last[next] = last;
    }
    *(last != NONE ? &g->next[last] : &g->first[g->pressure[item]]) = next;
}

/** Initially all items are free, and the lists are in ascending order. */
static base_status begin_growth(growth *g, uint32_t count, base_error *err)
{
    const base_status status = find_neighbours(g->at, count, &g->near, err);
    g->groups = base_alloc(count, sizeof *g->groups);
    g->groups_of = base_alloc(count, sizeof *g->groups_of);
    g->pressure = base_alloc(count, sizeof *g->pressure);
    g->next = base_alloc(count, sizeof *g->next);
    g->last = base_alloc(count, sizeof *g->last);
    if (!g->groups || !g->groups_of || !g->pressure || !g->next || !g->last) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for clusters");
    }
    memset(g->first, 0xff, sizeof g->first);
    memset(g->groups_of, 0xff, count * sizeof *g->groups_of);
    memset(g->pressure, 0, count * sizeof *g->pressure);
    for (uint32_t i = count; i > 0; i--) {
        enter_list(g, i - 1);
    }
    return status;
}

static const uint32_t *known_to(const growth *g, uint32_t item)
{
    return g->near.known + (size_t)KNOWN * item;
}

static void take(growth *g, uint32_t item)
{
    item_group *const group = &g->groups[g->group_count];
    leave_list(g, item);
    g->groups_of[item] = g->group_count;
    group->items[group->count++] = item;
    for (uint32_t k = 0; k < KNOWN; k++) {
        const uint32_t other = known_to(g, item)[k];
        if (g->groups_of[other] == NONE && g->pressure[other] < KNOWN) {
            leave_list(g, other);
            g->pressure[other]++;
            enter_list(g, other);
        }
    }
}

/** Returns the free item nearest to a position, among those in the lists of the group's items; NONE
 * if there is no such item. */
static uint32_t nearest_free(const growth *g, const item_group *group, vec3 to)
{
    uint32_t nearest = NONE;
    double least = INFINITY;
    for (uint32_t i = 0; i < group->count; i++) {
        for (uint32_t k = 0; k < KNOWN; k++) {
            const uint32_t item = known_to(g, group->items[i])[k];
            const double square = vec3_distance2(g->at[item], to);
            if (g->groups_of[item] == NONE && square < least) {
                nearest = item;
                least = square;
            }
        }
    }
    return nearest;
}

static void grow_groups(growth *g)
{
    for (int k = KNOWN; k >= 0;) {
        if (g->first[k] == NONE) {
            k--;
            continue;
        }
        item_group *const group = &g->groups[g->group_count];
        group->count = 0;
        vec3 sum = {0, 0, 0};
        uint32_t item = g->first[k];
        while (item != NONE && group->count < ALG_PST_WIDTH) {
            take(g, item);
            sum = vec3_add(sum, g->at[item]);
            item = nearest_free(g, group, vec3_scale(1. / group->count, sum));
        }
        g->group_count++;
        k = KNOWN;
    }
}

/** Returns the adjacent group of a small group: that of the nearest item in the lists of its
 * items. */
static uint32_t group_beside(const growth *g, uint32_t own)
{
    uint32_t beside = NONE;
    double least = INFINITY;
    const item_group *const group = &g->groups[own];
    for (uint32_t i = 0; i < group->count; i++) {
        for (uint32_t k = 0; k < KNOWN; k++) {
            const uint32_t item = known_to(g, group->items[i])[k];
            const double square = vec3_distance2(g->at[item], g->at[group->items[i]]);
            if (g->groups_of[item] != own && square < least) {
                beside = g->groups_of[item];
                least = square;
            }
        }
    }
    return beside;
}

static void fill_group(growth *g, uint32_t number, const place *places, uint32_t count)
{
    g->groups[number].count = count;
    for (uint32_t i = 0; i < count; i++) {
        g->groups[number].items[i] = places[i].point;
        g->groups_of[places[i].point] = number;
    }
}

/** Merges a small group with the adjacent one, or halves their items if they are too many for
 * one. */
static void share_groups(growth *g, uint32_t small, uint32_t beside, base_random *random)
{
    place places[ALG_PST_WIDTH + SMALL];
    uint32_t count = 0;
    const uint32_t numbers[2] = {small, beside};
    for (int k = 0; k < 2; k++) {
        const item_group *const group = &g->groups[numbers[k]];
        for (uint32_t i = 0; i < group->count; i++) {
            places[count++] = (place){g->at[group->items[i]], group->items[i]};
        }
    }
    const uint32_t middle = count > ALG_PST_WIDTH ? count / 2 : 0;
    if (middle > 0) {
        split_places(places, count, middle, longest_axis(places, count), random);
    }
    fill_group(g, small, places, middle);
    fill_group(g, beside, places + middle, count - middle);
}

/** Makes a level of the groups that are not empty. */
static base_status fill_level(const growth *g, uint32_t items, base_arena *arena,
                              alg_pst_level *level, base_error *err)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->group_count; i++) {
        count += g->groups[i].count > 0;
    }
    const base_status status = create_level(items, count, arena, level, err);
    uint32_t cluster = 0, first = 0;
    for (uint32_t i = 0; i < g->group_count && status == BASE_OK; i++) {
        const item_group *const group = &g->groups[i];
        if (group->count > 0) {
            level->begin[cluster++] = first;
            memcpy(level->items + first, group->items, group->count * sizeof *group->items);
            first += group->count;
        }
    }
    if (status == BASE_OK) {
        level->begin[count] = items;
    }
    return status;
}

/** Clusters more than KNOWN items at positions `at`. Clusters have at least SMALL items, so the
 * number of levels is limited. */
static base_status cluster_neighbours(const vec3 *at, uint32_t count, base_arena *arena,
                                      alg_pst_level *level, base_error *err)
{
    growth g = {.at = at};
    base_status status = begin_growth(&g, count, err);
    if (status == BASE_OK) {
        grow_groups(&g);
        base_random random = base_random_seed(1);
        for (uint32_t i = 0; i < g.group_count; i++) {
            if (g.groups[i].count > 0 && g.groups[i].count < SMALL) {
                share_groups(&g, i, group_beside(&g, i), &random);
            }
        }
        status = fill_level(&g, count, arena, level, err);
    }
    release_growth(&g);
    return status;
}

/* --- Balanced clusters ------------------------------------------------------------------------ */

typedef struct balance {
    place *places;                       /* owned */
    uint32_t counts[ALG_PST_DEPTH_MOST]; /* number of clusters of each level */
    uint32_t level_count, count;
    base_random random;
} balance;

/** Returns the first item of cluster i if `items` are distributed over `clusters`; sizes differ by
 * at most one. */
static uint32_t share(uint32_t i, uint32_t clusters, uint32_t items)
{
    return (uint32_t)((uint64_t)i * items / clusters);
}

/** Returns the first point below cluster i of a level. */
static uint32_t first_point(const balance *b, uint32_t level, uint32_t i)
{
    for (; level > 0; level--) {
        i = share(i, b->counts[level], b->counts[level - 1]);
    }
    return share(i, b->counts[0], b->count);
}

/** Splits the points of clusters [begin, end) of a level into those of each cluster, recursively.
 */
static void split_clusters(balance *b, uint32_t level, uint32_t begin, uint32_t end)
{
    if (end - begin == 1) {
        if (level > 0) {
            split_clusters(b, level - 1, share(begin, b->counts[level], b->counts[level - 1]),
                           share(end, b->counts[level], b->counts[level - 1]));
        }
        return;
    }
    const uint32_t middle = begin + (end - begin) / 2;
    const uint32_t first = first_point(b, level, begin), last = first_point(b, level, end);
    place *const places = b->places + first;
    split_places(places, last - first, first_point(b, level, middle) - first,
                 longest_axis(places, last - first), &b->random);
    split_clusters(b, level, begin, middle);
    split_clusters(b, level, middle, end);
}

/** Appends balanced levels to the existing ones. at: positions of the items below, points or
 * heads. */
static base_status build_balanced(const vec3 *points, const vec3 *at, uint32_t count,
                                  base_arena *arena, alg_pst_levels *levels, base_error *err)
{
    balance b = {.count = count, .random = base_random_seed(1)};
    b.places = base_alloc(count, sizeof *b.places);
    if (!b.places) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for clusters");
    }
    for (uint32_t i = 0; i < count; i++) {
        b.places[i] = (place){at[i], i};
    }
    uint32_t items = count;
    do {
        items = (items - 1) / ALG_PST_WIDTH + 1;
        b.counts[b.level_count++] = items;
    } while (items > ALG_PST_WIDTH);
    split_clusters(&b, b.level_count - 1, 0, items);
    base_status status = BASE_OK;
    for (uint32_t l = 0; l < b.level_count && status == BASE_OK; l++) {
        const uint32_t below = l > 0 ? b.counts[l - 1] : count;
        alg_pst_level *const level = &levels->level[levels->count++];
        status = create_level(below, b.counts[l], arena, level, err);
        for (uint32_t i = 0; i < below && status == BASE_OK; i++) {
            level->items[i] = l > 0 ? i : b.places[i].point;
        }
        for (uint32_t i = 0; i <= b.counts[l] && status == BASE_OK; i++) {
            level->begin[i] = share(i, b.counts[l], below);
        }
        if (status == BASE_OK) {
            choose_heads(points, levels->count > 1 ? level - 1 : NULL, level);
        }
    }
    base_free(b.places);
    return status;
}

/* --- All levels ------------------------------------------------------------------------------- */

/** Builds levels of clusters of neighbours until few items remain. at: positions of the items,
 * overwritten. */
static base_status build_neighbours(const vec3 *points, vec3 *at, uint32_t *count,
                                    base_arena *arena, alg_pst_levels *levels, base_error *err)
{
    base_status status = BASE_OK;
    while (*count > KNOWN && status == BASE_OK) {
        alg_pst_level *const level = &levels->level[levels->count++];
        status = cluster_neighbours(at, *count, arena, level, err);
        if (status == BASE_OK) {
            choose_heads(points, levels->count > 1 ? level - 1 : NULL, level);
            *count = level->count;
        }
        for (uint32_t i = 0; i < *count && status == BASE_OK; i++) {
            at[i] = points[level->heads[i]];
        }
    }
    return status;
}

base_status alg_pst_levels_build(const vec3 *points, uint32_t count, alg_pst_clusters clusters,
                                 base_arena *arena, alg_pst_levels *levels, base_error *err)
{
    *levels = (alg_pst_levels){0};
    vec3 *const at = base_alloc(count, sizeof *at);
    if (!at) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for clusters");
    }
    memcpy(at, points, count * sizeof *at);
    base_status status = BASE_OK;
    if (clusters == ALG_PST_NEIGHBOURS) {
        status = build_neighbours(points, at, &count, arena, levels, err);
    }
    /* Few items have too few neighbours. For them balanced clusters are as good. */
    if (status == BASE_OK && (levels->count == 0 || count > ALG_PST_WIDTH)) {
        status = build_balanced(points, at, count, arena, levels, err);
    }
    base_free(at);
    return status;
}
