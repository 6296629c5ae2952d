#include "algorithms/pst/clusters.h"

#include "base/memory.h"
#include "base/random.h"
#include "geometry/box.h"

/* --- Levels ------------------------------------------------------------------------------------ */

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

/** Chooses the heads, and puts the items that have them first. below: NULL for points. */
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

/* --- Balanced ---------------------------------------------------------------------------------- */

/** A point to be split. */
typedef struct place {
    vec3 p;
    uint32_t point;
} place;

typedef struct balance {
    place *places;                       /* owned */
    uint32_t counts[ALG_PST_DEPTH_MOST]; /* clusters of each level */
    uint32_t level_count, count;
    base_random random;
} balance;

/** The first item of cluster i of a level of `clusters`, over `items` in all: within one as many. */
static uint32_t share(uint32_t i, uint32_t clusters, uint32_t items)
{
    return (uint32_t)((uint64_t)i * items / clusters);
}

/** The first point below cluster i of a level. */
static uint32_t first_point(const balance *b, uint32_t level, uint32_t i)
{
    for (; level > 0; level--) {
        i = share(i, b->counts[level], b->counts[level - 1]);
    }
    return share(i, b->counts[0], b->count);
}

/** By a coordinate; equal ones by their number. */
static bool is_before(const place *a, const place *b, int axis)
{
    const double x = vec3_get(a->p, axis), y = vec3_get(b->p, axis);
    return x < y || (x == y && a->point < b->point);
}

/** Puts the places in an order in which none before `middle` comes after one from there on. */
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
        /* All differ: what is before i comes before the pivot or is it, what is after j after it. */
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

/** Splits the points of clusters [begin, end) of a level into those of each, and on below. */
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

static base_status build_balanced(const vec3 *points, uint32_t count, base_arena *arena,
                                  alg_pst_levels *levels, base_error *err)
{
    balance b = {.count = count, .random = base_random_seed(1)};
    b.places = base_alloc(count, sizeof *b.places);
    if (!b.places) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for clusters");
    }
    for (uint32_t i = 0; i < count; i++) {
        b.places[i] = (place){points[i], i};
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
            choose_heads(points, l > 0 ? level - 1 : NULL, level);
        }
    }
    base_free(b.places);
    return status;
}

base_status alg_pst_levels_build(const vec3 *points, uint32_t count, alg_pst_clusters clusters,
                                 base_arena *arena, alg_pst_levels *levels, base_error *err)
{
    (void)clusters;
    *levels = (alg_pst_levels){0};
    return build_balanced(points, count, arena, levels, err);
}
