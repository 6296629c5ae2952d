/**
 * A tree is built in three steps.
 *
 * Clusters  An item is a point, or a cluster of the level below. Each item has a list of its
 *           nearest items. Items that are in a cluster are assigned, all others are free. A cluster
 *           starts with the free item that is in the lists of the most assigned items, so that no
 *           item remains alone between clusters. Then it grows. Of the free items in the lists of
 *           its items, it takes the one that is nearest to its mean, until it is full or there is
 *           no such item. A cluster that remains small is merged with an adjacent cluster, or both
 *           divide their items equally.
 * Order     Points are ordered from the root down. The clusters of the uppermost level follow each
 *           other. Within each cluster its items follow each other; the first one is the item with
 *           the cluster's head. Nodes are numbered level by level, so that the children of a node
 *           are consecutive.
 * Spheres   Each lane of a node gets a sphere around its points.
 */
#include "algorithms/pst/tree.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "geometry/vec.h"
#include "geometry/sphere.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { DEPTH_MOST = 32 };

/** Bound of the relative error of a computed radius. */
#define RADIUS_SLACK 0x1p-48

/** The clusters of a level. On level 0 items are points, on all other levels they are the clusters
 * of the level below. */
typedef struct level {
    uint32_t count; /* number of clusters */
    uint32_t
        *items; /* all items, sorted by cluster; in a cluster, the item with its head is first */
    uint32_t *begin; /* cluster i has items[begin[i]] to items[begin[i + 1] - 1], at most
                        ALG_PST_WIDTH */
    uint32_t *heads; /* representative point of each cluster: of the heads of its items, the one
                        nearest to their mean */
} level;

/** A cluster whose items become the lanes of a node. */
typedef struct branch {
    uint32_t level, cluster;
    uint32_t first; /* index of its first point */
    uint32_t depth; /* of the node below the root */
} branch;

typedef struct builder {
    level levels[DEPTH_MOST];
    uint32_t level_count;               /* the last level has at most ALG_PST_WIDTH clusters */
    uint32_t *point_counts[DEPTH_MOST]; /* number of points below each cluster of a level */
    uint32_t *order;                    /* points in the order of the tree */
    branch *queue;                      /* the cluster of each node */
    geo_ball *balls;                    /* points in the order of the tree, with radius 0 */
    alg_pst_tree *tree;
    base_arena scratch; /* owns all arrays above */
    base_error *err;
} builder;

static base_status fail_memory(base_error *err)
{
    return base_fail(err, BASE_ERR_MEMORY, "out of memory for a tree of points");
}

/* --- Splitting -------------------------------------------------------------------------------- */

/** Position of an item. A cluster has the position of its head. */
typedef struct site {
    vec3 at;
    uint32_t number; /* of the item */
} site;

/** Returns true if a is before b: by a coordinate, or if that is equal, by the number. */
static bool is_before(const site *a, const site *b, int axis)
{
    const double x = vec3_get(a->at, axis), y = vec3_get(b->at, axis);
    return x < y || (x == y && a->number < b->number);
}

/** Partitions the sites: afterwards, by is_before, each site at an index below `middle` is before
 * each other site. */
static void split_sites(site *sites, uint32_t count, uint32_t middle, int axis, base_random *random)
{
    uint32_t begin = 0, end = count;
    while (end - begin > 1) {
        const site pivot = sites[begin + base_random_below(random, end - begin)];
        uint32_t i = begin, j = end - 1;
        for (;;) {
            while (is_before(&sites[i], &pivot, axis)) {
                i++;
            }
            while (is_before(&pivot, &sites[j], axis)) {
                j--;
            }
            if (i >= j) {
                break;
            }
            const site other = sites[i];
            sites[i++] = sites[j];
            sites[j--] = other;
        }
        /* All sites differ. Sites at indices below i are not after the pivot, and sites at indices
         * above j are after it. */
        if (middle < i) {
            end = i;
        } else if (middle > j) {
            begin = j + 1;
        } else {
            break;
        }
    }
}

static int longest_axis(const site *sites, uint32_t count)
{
    geo_box box = geo_box_empty();
    for (uint32_t i = 0; i < count; i++) {
        box = geo_box_add(box, sites[i].at);
    }
    const vec3 size = vec3_sub(box.hi, box.lo);
    return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}

/* --- Nearest items ---------------------------------------------------------------------------- */

/** LISTED is the length of the list of nearest items. In a regular triangulation, the two rings of
 * neighbours have 18 items. A leaf of the k-d tree has at most LEAF_ITEMS items. */
enum { LISTED = 12, LEAF_ITEMS = 8 };

_Static_assert((int)LISTED >= (int)ALG_PST_WIDTH, "levels go on to few items");

#define NONE UINT32_MAX

typedef struct group {
    uint32_t items[ALG_PST_WIDTH];
    uint32_t count;
} group;

/** Clusters of neighbours of one level while they are built. All arrays are owned. */
typedef struct growth {
    const vec3 *at; /* borrowed; positions of the items */
    uint32_t count; /* greater than LISTED */
    /** Items in the order of a k-d tree: a range of more than LEAF_ITEMS items is split at its
     * middle item. */
    site *sorted;
    uint8_t *axes;    /* splitting axis of each middle item */
    uint32_t *listed; /* the LISTED nearest items of each item, nearest first */

    group *groups;      /* merging makes some of them empty */
    uint32_t *group_of; /* group of each item; NONE if the item is free */
    uint32_t group_count;
    /** Doubly linked lists of free items with the same pressure. The pressure of an item is the
     * number of assigned items whose lists contain it. */
    uint8_t *pressure;          /* of each item, at most LISTED */
    uint32_t *next, *last;      /* next and previous item in the list; NONE at the ends */
    uint32_t first[LISTED + 1]; /* first item with each pressure; NONE if there is none */
} growth;

static void split_tree(growth *g, uint32_t begin, uint32_t end, base_random *random)
{
    if (end - begin <= LEAF_ITEMS) {
        return;
    }
    const uint32_t middle = begin + (end - begin) / 2;
    const int axis = longest_axis(g->sorted + begin, end - begin);
    g->axes[middle] = (uint8_t)axis;
    split_sites(g->sorted + begin, end - begin, middle - begin, axis, random);
    split_tree(g, begin, middle, random);
    split_tree(g, middle, end, random);
}

typedef struct search {
    const growth *tree;
    site from;
    uint32_t found[LISTED];
    double squares[LISTED]; /* squared distances, ascending; INFINITY where nothing is found yet */
} search;

static void find_nearest(search *s, uint32_t begin, uint32_t end)
{
    const site *const sorted = s->tree->sorted;
    for (uint32_t i = begin; end - begin <= LEAF_ITEMS && i < end; i++) {
        const double square = vec3_distance2(sorted[i].at, s->from.at);
        if (sorted[i].number == s->from.number || !(square < s->squares[LISTED - 1])) {
            continue;
        }
        int k = LISTED - 1;
        for (; k > 0 && square < s->squares[k - 1]; k--) {
            s->squares[k] = s->squares[k - 1];
            s->found[k] = s->found[k - 1];
        }
        s->squares[k] = square;
        s->found[k] = sorted[i].number;
    }
    if (end - begin <= LEAF_ITEMS) {
        return;
    }
    const uint32_t middle = begin + (end - begin) / 2;
    const int axis = s->tree->axes[middle];
    const double beyond = vec3_get(s->from.at, axis) - vec3_get(sorted[middle].at, axis);
    const bool above = beyond >= 0;
    find_nearest(s, above ? middle : begin, above ? end : middle);
    if (beyond * beyond < s->squares[LISTED - 1]) {
        find_nearest(s, above ? begin : middle, above ? middle : end);
    }
}

static void list_nearest(void *context, size_t begin, size_t end)
{
    growth *const g = context;
    for (size_t i = begin; i < end; i++) {
        search s = {.tree = g, .from = g->sorted[i]};
        for (int k = 0; k < LISTED; k++) {
            s.squares[k] = INFINITY;
        }
        find_nearest(&s, 0, g->count);
        memcpy(g->listed + (size_t)LISTED * s.from.number, s.found, sizeof s.found);
    }
}

/* --- Clusters of neighbours ------------------------------------------------------------------- */

/** Clusters of fewer items are merged with an adjacent cluster, or get items of it. */
enum { SMALL = 3 };

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

/** Lists the nearest items of each item. All items become free, in a list of ascending numbers. */
static base_status begin_growth(growth *g, base_error *err)
{
    const uint32_t count = g->count;
    g->sorted = base_alloc(count, sizeof *g->sorted);
    g->axes = base_alloc(count, sizeof *g->axes);
    g->listed = base_alloc((size_t)count * LISTED, sizeof *g->listed);
    g->groups = base_alloc(count, sizeof *g->groups);
    g->group_of = base_alloc(count, sizeof *g->group_of);
    g->pressure = base_alloc(count, sizeof *g->pressure);
    g->next = base_alloc(count, sizeof *g->next);
    g->last = base_alloc(count, sizeof *g->last);
    if (!g->sorted || !g->axes || !g->listed || !g->groups || !g->group_of || !g->pressure ||
        !g->next || !g->last) {
        return fail_memory(err);
    }
    for (uint32_t i = 0; i < count; i++) {
        g->sorted[i] = (site){g->at[i], i};
    }
    base_random random = base_random_seed(1);
    split_tree(g, 0, count, &random);
    base_parallel_for(count, 512, 0, list_nearest, g);
    memset(g->first, 0xff, sizeof g->first);
    memset(g->group_of, 0xff, count * sizeof *g->group_of);
    for (uint32_t i = count; i > 0; i--) {
        enter_list(g, i - 1);
    }
    return BASE_OK;
}

/** Adds a free item to the last group. */
static void take(growth *g, uint32_t item)
{
    group *const own = &g->groups[g->group_count];
    leave_list(g, item);
    g->group_of[item] = g->group_count;
    own->items[own->count++] = item;
    for (uint32_t k = 0; k < LISTED; k++) {
        const uint32_t other = g->listed[(size_t)LISTED * item + k];
        if (g->group_of[other] == NONE && g->pressure[other] < LISTED) {
            leave_list(g, other);
            g->pressure[other]++;
            enter_list(g, other);
        }
    }
}

/** Returns the free item nearest to a position, among those in the lists of the group's items; NONE
 * if there is no such item. */
static uint32_t nearest_free(const growth *g, const group *own, vec3 to)
{
    uint32_t nearest = NONE;
    double least = INFINITY;
    for (uint32_t i = 0; i < own->count; i++) {
        for (uint32_t k = 0; k < LISTED; k++) {
            const uint32_t item = g->listed[(size_t)LISTED * own->items[i] + k];
            const double square = vec3_distance2(g->at[item], to);
            if (g->group_of[item] == NONE && square < least) {
                nearest = item;
                least = square;
            }
        }
    }
    return nearest;
}

static void grow_groups(growth *g)
{
    for (int k = LISTED; k >= 0;) {
        if (g->first[k] == NONE) {
            k--;
            continue;
        }
        group *const own = &g->groups[g->group_count];
        own->count = 0;
        vec3 sum = {0, 0, 0};
        uint32_t item = g->first[k];
        while (item != NONE && own->count < ALG_PST_WIDTH) {
            take(g, item);
            sum = vec3_add(sum, g->at[item]);
            item = nearest_free(g, own, vec3_scale(1. / own->count, sum));
        }
        g->group_count++;
        k = LISTED;
    }
}

/** Returns the group adjacent to a small group. It contains the item of another group that is the
 * nearest to an item of the small group. */
static uint32_t group_beside(const growth *g, uint32_t small)
{
    uint32_t beside = NONE;
    double least = INFINITY;
    const group *const own = &g->groups[small];
    for (uint32_t i = 0; i < own->count; i++) {
        for (uint32_t k = 0; k < LISTED; k++) {
            const uint32_t item = g->listed[(size_t)LISTED * own->items[i] + k];
            const double square = vec3_distance2(g->at[item], g->at[own->items[i]]);
            if (g->group_of[item] != small && square < least) {
                beside = g->group_of[item];
                least = square;
            }
        }
    }
    return beside;
}

static void fill_group(growth *g, uint32_t number, const site *sites, uint32_t count)
{
    g->groups[number].count = count;
    for (uint32_t i = 0; i < count; i++) {
        g->groups[number].items[i] = sites[i].number;
        g->group_of[sites[i].number] = number;
    }
}

/** Merges a small group into the adjacent group. If their items are too many for one group, each of
 * the two gets half of them. */
static void share_groups(growth *g, uint32_t small, uint32_t beside, base_random *random)
{
    site sites[ALG_PST_WIDTH + SMALL];
    uint32_t count = 0;
    const uint32_t numbers[2] = {small, beside};
    for (int k = 0; k < 2; k++) {
        const group *const own = &g->groups[numbers[k]];
        for (uint32_t i = 0; i < own->count; i++) {
            sites[count++] = (site){g->at[own->items[i]], own->items[i]};
        }
    }
    const uint32_t middle = count > ALG_PST_WIDTH ? count / 2 : 0;
    if (middle > 0) {
        split_sites(sites, count, middle, longest_axis(sites, count), random);
    }
    fill_group(g, small, sites, middle);
    fill_group(g, beside, sites + middle, count - middle);
}

/* --- Levels ----------------------------------------------------------------------------------- */

/** Adds a level for `count` clusters of `items` items, without filling it. Returns NULL if memory
 * is short. */
static level *add_level(builder *b, uint32_t items, uint32_t count)
{
    level *const l = &b->levels[b->level_count++];
    l->count = count;
    l->items = base_arena_alloc(&b->scratch, items, sizeof *l->items);
    l->begin = base_arena_alloc(&b->scratch, (size_t)count + 1, sizeof *l->begin);
    l->heads = base_arena_alloc(&b->scratch, count, sizeof *l->heads);
    return l->items && l->begin && l->heads ? l : NULL;
}

/** Chooses the heads of the last level, and moves the item with each head to the front of its
 * cluster. */
static void choose_heads(builder *b)
{
    const vec3 *const points = b->tree->points.points;
    level *const l = &b->levels[b->level_count - 1];
    const level *const below = b->level_count > 1 ? l - 1 : NULL;
    for (uint32_t c = 0; c < l->count; c++) {
        uint32_t *const items = l->items + l->begin[c];
        const uint32_t count = l->begin[c + 1] - l->begin[c];
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
        l->heads[c] = below ? below->heads[item] : item;
    }
}

/** Adds a level of the groups that are not empty. */
static base_status add_groups(builder *b, const growth *g)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->group_count; i++) {
        count += g->groups[i].count > 0;
    }
    level *const l = add_level(b, g->count, count);
    if (!l) {
        return fail_memory(b->err);
    }
    uint32_t cluster = 0, first = 0;
    for (uint32_t i = 0; i < g->group_count; i++) {
        const group *const own = &g->groups[i];
        if (own->count > 0) {
            l->begin[cluster++] = first;
            memcpy(l->items + first, own->items, own->count * sizeof *own->items);
            first += own->count;
        }
    }
    l->begin[count] = g->count;
    choose_heads(b);
    return BASE_OK;
}

/** Adds a level of clusters of neighbours. count: of items, more than LISTED; at: their positions.
 * Each cluster has at least SMALL items, so the number of levels is limited. */
static base_status add_neighbours(builder *b, const vec3 *at, uint32_t count)
{
    growth g = {.at = at, .count = count};
    base_status status = begin_growth(&g, b->err);
    if (status == BASE_OK) {
        grow_groups(&g);
        base_random random = base_random_seed(1);
        for (uint32_t i = 0; i < g.group_count; i++) {
            if (g.groups[i].count > 0 && g.groups[i].count < SMALL) {
                share_groups(&g, i, group_beside(&g, i), &random);
            }
        }
        status = add_groups(b, &g);
    }
    base_free(g.sorted);
    base_free(g.axes);
    base_free(g.listed);
    base_free(g.groups);
    base_free(g.group_of);
    base_free(g.pressure);
    base_free(g.next);
    base_free(g.last);
    return status;
}

typedef struct balance {
    site *sites;                 /* owned */
    uint32_t counts[DEPTH_MOST]; /* number of clusters of each level */
    uint32_t level_count, count;
    base_random random;
} balance;

/** Returns the first item of cluster i if `items` items are distributed over `clusters` clusters,
 * whose sizes differ by at most one. */
static uint32_t share(uint32_t i, uint32_t clusters, uint32_t items)
{
    return (uint32_t)((uint64_t)i * items / clusters);
}

/** Returns the first site below cluster i of level l. */
static uint32_t first_site(const balance *k, uint32_t l, uint32_t i)
{
    for (; l > 0; l--) {
        i = share(i, k->counts[l], k->counts[l - 1]);
    }
    return share(i, k->counts[0], k->count);
}

/** Splits the sites of clusters [begin, end) of level l into those of each cluster, and these into
 * those of the clusters below, recursively. */
static void split_clusters(balance *k, uint32_t l, uint32_t begin, uint32_t end)
{
    if (end - begin == 1) {
        if (l > 0) {
            split_clusters(k, l - 1, share(begin, k->counts[l], k->counts[l - 1]),
                           share(end, k->counts[l], k->counts[l - 1]));
        }
        return;
    }
    const uint32_t middle = begin + (end - begin) / 2;
    const uint32_t first = first_site(k, l, begin), last = first_site(k, l, end);
    site *const sites = k->sites + first;
    split_sites(sites, last - first, first_site(k, l, middle) - first,
                longest_axis(sites, last - first), &k->random);
    split_clusters(k, l, begin, middle);
    split_clusters(k, l, middle, end);
}

/** Adds balanced levels to the existing ones. at: positions of the items below. */
static base_status add_balanced(builder *b, const vec3 *at, uint32_t count)
{
    balance k = {.count = count, .random = base_random_seed(1)};
    k.sites = base_alloc(count, sizeof *k.sites);
    if (!k.sites) {
        return fail_memory(b->err);
    }
    for (uint32_t i = 0; i < count; i++) {
        k.sites[i] = (site){at[i], i};
    }
    uint32_t items = count;
    do {
        items = (items - 1) / ALG_PST_WIDTH + 1;
        k.counts[k.level_count++] = items;
    } while (items > ALG_PST_WIDTH);
    split_clusters(&k, k.level_count - 1, 0, items);
    base_status status = BASE_OK;
    for (uint32_t i = 0; i < k.level_count && status == BASE_OK; i++) {
        const uint32_t below = i > 0 ? k.counts[i - 1] : count;
        level *const l = add_level(b, below, k.counts[i]);
        if (!l) {
            status = fail_memory(b->err);
            break;
        }
        for (uint32_t n = 0; n < below; n++) {
            l->items[n] = i > 0 ? n : k.sites[n].number;
        }
        for (uint32_t n = 0; n <= l->count; n++) {
            l->begin[n] = share(n, l->count, below);
        }
        choose_heads(b);
    }
    base_free(k.sites);
    return status;
}

/** Builds all levels of clusters. The result is the same for any number of threads. */
static base_status build_levels(builder *b, alg_pst_clusters clusters)
{
    const alg_pst_points *const points = &b->tree->points;
    uint32_t count = points->count;
    vec3 *const at = base_alloc(count, sizeof *at);
    if (!at) {
        return fail_memory(b->err);
    }
    memcpy(at, points->points, count * sizeof *at);
    base_status status = BASE_OK;
    while (clusters == ALG_PST_NEIGHBOURS && count > LISTED && status == BASE_OK) {
        status = add_neighbours(b, at, count);
        if (status == BASE_OK) {
            const level *const l = &b->levels[b->level_count - 1];
            count = l->count;
            for (uint32_t i = 0; i < count; i++) {
                at[i] = points->points[l->heads[i]];
            }
        }
    }
    /* LISTED or fewer items have too few neighbours for lists. Balanced clusters are as good. */
    if (status == BASE_OK && (b->level_count == 0 || count > ALG_PST_WIDTH)) {
        status = add_balanced(b, at, count);
    }
    base_free(at);
    return status;
}

/* --- Order ------------------------------------------------------------------------------------ */

static base_status count_points(builder *b)
{
    for (uint32_t l = 0; l < b->level_count; l++) {
        const level *const own = &b->levels[l];
        uint32_t *const counts = base_arena_alloc(&b->scratch, own->count, sizeof *counts);
        if (!counts) {
            return fail_memory(b->err);
        }
        for (uint32_t c = 0; c < own->count; c++) {
            counts[c] = own->begin[c + 1] - own->begin[c];
            for (uint32_t i = own->begin[c]; l > 0 && i < own->begin[c + 1]; i++) {
                counts[c] += b->point_counts[l - 1][own->items[i]] - 1;
            }
        }
        b->point_counts[l] = counts;
    }
    return BASE_OK;
}

/** Fills the lane of a cluster whose points begin at at.first. A cluster with only one item is
 * replaced by the item. A cluster of points becomes a leaf. Any other cluster gets a node and is
 * queued. */
static void add_lane(builder *b, alg_pst_node *node, uint32_t lane, branch at)
{
    const level *own = &b->levels[at.level];
    node->first[lane] = at.first;
    node->count[lane] = b->point_counts[at.level][at.cluster];
    while (at.level > 0 && own->begin[at.cluster + 1] - own->begin[at.cluster] == 1) {
        at.cluster = own->items[own->begin[at.cluster]];
        own = &b->levels[--at.level];
    }
    if (at.level > 0) {
        node->child[lane] = b->tree->node_count;
        b->queue[b->tree->node_count++] = at;
    } else {
        memcpy(b->order + at.first, own->items + own->begin[at.cluster],
               node->count[lane] * sizeof *b->order);
        b->tree->leaf_count++;
    }
}

static void clear_node(alg_pst_node *node)
{
    *node = (alg_pst_node){0};
    for (uint32_t lane = 0; lane < ALG_PST_WIDTH; lane++) {
        node->radius[lane] = -INFINITY;
        node->child[lane] = ALG_PST_LEAF;
    }
}

/** Makes the order of the points, and all nodes except for their spheres and patches. */
static base_status place_nodes(builder *b, base_arena *arena)
{
    alg_pst_tree *const tree = b->tree;
    const uint32_t top = b->level_count - 1;
    size_t clusters = 1;
    for (uint32_t l = 1; l < b->level_count; l++) {
        clusters += b->levels[l].count;
    }
    b->order = base_arena_alloc(&b->scratch, tree->points.count, sizeof *b->order);
    b->queue = base_arena_alloc(&b->scratch, clusters, sizeof *b->queue);
    alg_pst_node *const nodes = base_arena_alloc(&b->scratch, clusters, sizeof *nodes);
    if (!b->order || !b->queue || !nodes || count_points(b) != BASE_OK) {
        return fail_memory(b->err);
    }
    clear_node(&nodes[0]);
    tree->node_count = 1;
    uint32_t first = 0;
    for (uint32_t c = 0; c < b->levels[top].count; c++) {
        add_lane(b, &nodes[0], c, (branch){top, c, first, 1});
        first += b->point_counts[top][c];
    }
    for (uint32_t n = 1; n < tree->node_count; n++) {
        const branch at = b->queue[n];
        const level *const own = &b->levels[at.level];
        clear_node(&nodes[n]);
        first = at.first;
        for (uint32_t i = own->begin[at.cluster]; i < own->begin[at.cluster + 1]; i++) {
            add_lane(b, &nodes[n], i - own->begin[at.cluster],
                     (branch){at.level - 1, own->items[i], first, at.depth + 1});
            first += b->point_counts[at.level - 1][own->items[i]];
        }
    }
    tree->level_count = b->queue[tree->node_count - 1].depth + 1;
    tree->nodes = base_arena_alloc(arena, tree->node_count, sizeof *tree->nodes);
    if (!tree->nodes) {
        return fail_memory(b->err);
    }
    memcpy(tree->nodes, nodes, tree->node_count * sizeof *nodes);
    return BASE_OK;
}

/** Permutes items of `size` bytes into the order. other: a buffer for all items. */
static void permute(void *items, void *other, size_t size, const uint32_t *order, uint32_t count)
{
    char *const from = items, *const to = other;
    for (size_t i = 0; i < count; i++) {
        memcpy(to + size * i, from + size * order[i], size);
    }
    memcpy(from, to, size * count);
}

static base_status order_points(builder *b)
{
    alg_pst_points *const points = &b->tree->points;
    void *const other = base_alloc(points->count, sizeof(vec3));
    if (!other) {
        return fail_memory(b->err);
    }
    permute(points->points, other, sizeof *points->points, b->order, points->count);
    permute(points->normals, other, sizeof *points->normals, b->order, points->count);
    permute(points->patch2, other, sizeof *points->patch2, b->order, points->count);
    permute(points->faces, other, sizeof *points->faces, b->order, points->count);
    if (points->shares) {
        permute(points->shares, other, sizeof *points->shares, b->order, points->count);
    }
    base_free(other);
    return BASE_OK;
}

/* --- Spheres ---------------------------------------------------------------------------------- */

/** Rounds points to float, and bounds the rounding error. */
static base_status round_points(builder *b, base_arena *arena)
{
    alg_pst_tree *const tree = b->tree;
    const uint32_t count = tree->points.count;
    const size_t padded = (size_t)count + ALG_PST_WIDTH - 1;
    geo_box box = geo_box_empty();
    for (uint32_t i = 0; i < count; i++) {
        box = geo_box_add(box, tree->points.points[i]);
    }
    tree->origin = geo_box_centre(box);
    tree->x = base_arena_alloc(arena, padded, sizeof *tree->x);
    tree->y = base_arena_alloc(arena, padded, sizeof *tree->y);
    tree->z = base_arena_alloc(arena, padded, sizeof *tree->z);
    if (!tree->x || !tree->y || !tree->z) {
        return fail_memory(b->err);
    }
    double off = 0;
    for (uint32_t i = 0; i < count; i++) {
        const vec3 p = vec3_sub(tree->points.points[i], tree->origin);
        tree->x[i] = (float)p.x;
        tree->y[i] = (float)p.y;
        tree->z[i] = (float)p.z;
        const vec3 rounded = {(double)tree->x[i], (double)tree->y[i], (double)tree->z[i]};
        off = fmax(off, vec3_distance(p, rounded));
        tree->extent = fmax(tree->extent, vec3_norm(p));
    }
    for (uint32_t i = count; i < padded; i++) {
        tree->x[i] = tree->x[count - 1];
        tree->y[i] = tree->y[count - 1];
        tree->z[i] = tree->z[count - 1];
    }
    const double reach = tree->extent + geo_box_reach((geo_box){tree->origin, tree->origin});
    tree->rounding = base_float_above(off * (1 + RADIUS_SLACK) + 0x1p-51 * reach);
    tree->extent *= 1 + RADIUS_SLACK;
    return BASE_OK;
}

/** Computes the spheres of lanes [begin, end), which contain the points both exact and rounded to
 * float. */
static void enclose_lanes(void *context, size_t begin, size_t end)
{
    const builder *const b = context;
    const alg_pst_tree *const tree = b->tree;
    for (size_t n = begin; n < end; n++) {
        alg_pst_node *const node = &tree->nodes[n / ALG_PST_WIDTH];
        const uint32_t lane = n % ALG_PST_WIDTH;
        const uint32_t first = node->first[lane], count = node->count[lane];
        if (count == 0) {
            continue;
        }
        const geo_ball ball = geo_ball_enclose(b->balls + first, count);
        const vec3 middle = vec3_sub(ball.centre, tree->origin);
        node->centre[0][lane] = (float)middle.x;
        node->centre[1][lane] = (float)middle.y;
        node->centre[2][lane] = (float)middle.z;
        const vec3 centre = {(double)node->centre[0][lane], (double)node->centre[1][lane],
                             (double)node->centre[2][lane]};
        double radius2 = 0;
        float patch2 = 0;
        for (uint32_t i = first; i < first + count; i++) {
            const vec3 exact = vec3_sub(tree->points.points[i], tree->origin);
            const vec3 rounded = {(double)tree->x[i], (double)tree->y[i], (double)tree->z[i]};
            const double farther =
                fmax(vec3_distance2(centre, exact), vec3_distance2(centre, rounded));
            radius2 = fmax(radius2, farther);
            patch2 = fmaxf(patch2, tree->points.patch2[i]);
        }
        const double reach = geo_box_reach((geo_box){tree->origin, tree->points.points[first]});
        const double rounding = 0x1p-51 * reach; /* of the differences from the origin */
        node->radius[lane] = base_float_above(sqrt(radius2) * (1 + RADIUS_SLACK) + rounding);
        node->patch2[lane] = patch2;
    }
}

static base_status build_spheres(builder *b)
{
    alg_pst_tree *const tree = b->tree;
    const uint32_t count = tree->points.count;
    b->balls = base_arena_alloc(&b->scratch, count, sizeof *b->balls);
    if (!b->balls) {
        return fail_memory(b->err);
    }
    for (uint32_t i = 0; i < count; i++) {
        b->balls[i].centre = tree->points.points[i];
    }
    /* One node per chunk: the last levels have many lanes with few points, the first levels few
     * lanes with many points. */
    const size_t lanes = (size_t)tree->node_count * ALG_PST_WIDTH;
    base_parallel_for(lanes, ALG_PST_WIDTH, 0, enclose_lanes, b);
    tree->ball = geo_ball_enclose(b->balls, count);
    return BASE_OK;
}

/** Computes the statistics of the leaves. */
static void describe_clusters(alg_pst_tree *tree)
{
    double leaves = 0, points = 0, squares = 0, radii = 0;
    for (uint32_t i = 0; i < tree->node_count * ALG_PST_WIDTH; i++) {
        const alg_pst_node *const node = &tree->nodes[i / ALG_PST_WIDTH];
        const uint32_t lane = i % ALG_PST_WIDTH, count = node->count[lane];
        if (count > 0 && node->child[lane] == ALG_PST_LEAF) {
            leaves++;
            points += count;
            squares += (double)count * count;
            radii += (double)node->radius[lane];
        }
    }
    const double mean = points / leaves, spacing = tree->points.spacing_mean;
    tree->cluster_mean = mean;
    tree->cluster_deviation = sqrt(fmax(squares / leaves - mean * mean, 0)) / mean;
    tree->cluster_radius = spacing > 0 ? radii / leaves / spacing : 0;
}

/* --- Packed tree ------------------------------------------------------------------------------ */

/** Packs a leaf. Returns the greatest distance of a packed point from its exact position. */
static double pack_leaf(const alg_pst_tree *tree, uint32_t first, uint32_t count, vec3 centre,
                        float radius, alg_pst_packed_leaf *leaf)
{
    const float unit = radius / ALG_PST_LEAF_STEPS;
    double off = 0;
    for (uint32_t i = 0; i < ALG_PST_WIDTH; i++) {
        leaf->at[0][i] = INT16_MIN;
    }
    for (uint32_t i = 0; i < count; i++) {
        const vec3 exact = vec3_sub(tree->points.points[first + i], tree->origin);
        float packed[3];
        for (int axis = 0; axis < 3; axis++) {
            const double from = vec3_get(exact, axis) - vec3_get(centre, axis);
            const double steps = unit > 0 ? round(from / (double)unit) : 0;
            leaf->at[axis][i] = (int16_t)fmax(-ALG_PST_LEAF_STEPS, fmin(steps, ALG_PST_LEAF_STEPS));
            packed[axis] = (float)vec3_get(centre, axis) + unit * (float)leaf->at[axis][i];
        }
        const vec3 moved = {(double)packed[0], (double)packed[1], (double)packed[2]};
        off = fmax(off, vec3_distance(moved, exact));
        leaf->patch2[i] = base_half_above((double)tree->points.patch2[first + i]);
    }
    return off;
}

/**
 * Packs a node except for the indices of its children. No centre is more than 65,000 steps from the
 * corner along an axis, and no radius is longer than 65,000 steps. centres: receives the packed
 * centres as a traversal computes them.
 */
static void pack_node(const alg_pst_node *node, alg_pst_packed_node *packed,
                      vec3 centres[ALG_PST_WIDTH])
{
    float length = 0;
    for (int axis = 0; axis < 3; axis++) {
        float least = INFINITY, most = -INFINITY;
        for (uint32_t lane = 0; lane < ALG_PST_WIDTH && node->count[lane] > 0; lane++) {
            least = fminf(least, node->centre[axis][lane]);
            most = fmaxf(most, node->centre[axis][lane]);
            length = fmaxf(length, node->radius[lane]);
        }
        packed->corner[axis] = least;
        length = fmaxf(length, most - least);
    }
    int exponent;
    (void)frexp(fmax((double)length, (double)FLT_MIN) / 65000, &exponent);
    packed->step = (float)ldexp(1, exponent < FLT_MIN_EXP ? FLT_MIN_EXP : exponent);
    const double step = (double)packed->step;
    for (uint32_t lane = 0; lane < ALG_PST_WIDTH && node->count[lane] > 0; lane++) {
        double exact[3];
        float at[3];
        for (int axis = 0; axis < 3; axis++) {
            exact[axis] = (double)node->centre[axis][lane];
            const double from = exact[axis] - (double)packed->corner[axis];
            packed->centre[axis][lane] = (uint16_t)round(from / step);
            at[axis] = packed->corner[axis] + packed->step * (float)packed->centre[axis][lane];
        }
        centres[lane] = (vec3){(double)at[0], (double)at[1], (double)at[2]};
        const double moved = vec3_distance(centres[lane], (vec3){exact[0], exact[1], exact[2]});
        packed->radius[lane] = (uint16_t)ceil(((double)node->radius[lane] + moved) / step);
        packed->patch2[lane] = base_half_above((double)node->patch2[lane]);
    }
}

/** Makes the packed nodes and leaves of an otherwise complete tree. */
static base_status pack_tree(alg_pst_tree *tree, base_arena *arena, base_error *err)
{
    tree->packed = base_arena_alloc(arena, tree->node_count, sizeof *tree->packed);
    tree->leaves = base_arena_alloc(arena, tree->leaf_count, sizeof *tree->leaves);
    if (!tree->packed || !tree->leaves) {
        return fail_memory(err);
    }
    double off = 0;
    for (uint32_t i = 0, leaf = 0; i < tree->node_count; i++) {
        const alg_pst_node *const node = &tree->nodes[i];
        alg_pst_packed_node *const packed = &tree->packed[i];
        vec3 centres[ALG_PST_WIDTH];
        pack_node(node, packed, centres);
        for (uint32_t lane = 0; lane < ALG_PST_WIDTH && node->count[lane] > 0; lane++) {
            packed->child[lane] = node->child[lane];
            if (node->child[lane] == ALG_PST_LEAF) {
                const float radius = packed->step * (float)packed->radius[lane];
                const double moved = pack_leaf(tree, node->first[lane], node->count[lane],
                                               centres[lane], radius, &tree->leaves[leaf]);
                off = fmax(off, moved);
                packed->child[lane] = ALG_PST_PACKED_LEAF + leaf++;
            }
        }
    }
    const double reach = tree->extent + geo_box_reach((geo_box){tree->origin, tree->origin});
    tree->packed_rounding = base_float_above(off * (1 + RADIUS_SLACK) + 0x1p-51 * reach);
    return BASE_OK;
}

/* --- The complete tree ------------------------------------------------------------------------ */

base_status alg_pst_tree_build(const alg_pst_points *points, alg_pst_clusters clusters,
                               base_arena *arena, alg_pst_tree *tree, base_error *err)
{
    *tree = (alg_pst_tree){.points = *points};
    builder b = {.tree = tree, .err = err};
    base_status status = build_levels(&b, clusters);
    if (status == BASE_OK) {
        status = place_nodes(&b, arena);
    }
    if (status == BASE_OK) {
        status = order_points(&b);
    }
    if (status == BASE_OK) {
        status = round_points(&b, arena);
    }
    if (status == BASE_OK) {
        status = build_spheres(&b);
    }
    if (status == BASE_OK) {
        describe_clusters(tree);
        status = pack_tree(tree, arena, err);
    }
    base_arena_release(&b.scratch);
    return status;
}
