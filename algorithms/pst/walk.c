#include "algorithms/pst/walk.h"

#include "algorithms/life.h"
#include "base/cpu.h"
#include "geometry/box.h"

#include <string.h>

/* How often the clock is looked at: clusters opened, a power of two. */
enum { CLOCK_EVERY = 16 };

/* --- Bounds ----------------------------------------------------------------------------------- */

double alg_pst_surface_bound(const alg_pst_points *points, uint32_t point, double distance)
{
    const double y = fmax(distance - points->reach - points->slack, 0);
    const double square = y * y * (1 - 0x1p-48) - (double)points->patch2[point];
    return square > 0 ? sqrt(square) * (1 - 0x1p-50) : 0;
}

/* --- Begin ------------------------------------------------------------------------------------ */

/** The farthest corner of the blocks from the first one. */
static double field_extent(const alg_pst_field *field)
{
    const double side = field->edge * ALG_PST_BLOCK_CELLS;
    const vec3 far = {side * field->block_count[0], side * field->block_count[1],
                      side * field->block_count[2]};
    return vec3_norm(far);
}

static void begin(alg_pst_walk *w, const geo_pose *to_field)
{
    const alg_pst_tree *const tree = w->tree;
    const geo_pose moved = {to_field->rotation,
                            vec3_sub(geo_pose_apply(to_field, tree->origin), w->field->corner)};
    w->motion = geo_motion_make(&moved);
    const double apart = vec3_norm(moved.translation);
    const double sizes = tree->extent + apart + field_extent(w->field);
    const double doubles = 16 * DBL_EPSILON *
                           (sizes + vec3_norm(tree->origin) + vec3_norm(w->field->corner) +
                            vec3_norm(to_field->translation));
    const alg_pst_points *const points = &tree->points;
    w->margin = base_float_above((double)tree->rounding + points->slack + points->reach +
                                 16 * 0x1p-24 * sizes + doubles);
    w->count = 0;
    w->rest = INFINITY;
    w->ended = true;
    w->inside = false;
    w->nearest = 0;
    w->nearest_value = INFINITY;
    w->nearest_radius = 0;
    w->spheres = 0;
    w->points = 0;
    w->open_count = 0;
    w->avx2 = base_cpu_avx2();
}

static void leave(alg_pst_walk *w, float bound)
{
    w->rest = fminf(w->rest, bound);
}

/* --- Lookups ---------------------------------------------------------------------------------- */

static void look_up(const alg_pst_walk *w, const alg_pst_places_in *in, alg_pst_looked_up *found)
{
    (w->avx2 ? alg_pst_walk_look_up_avx2 : alg_pst_walk_look_up_sse2)(w, in, found);
}

alg_pst_sample alg_pst_walk_sample(const alg_pst_walk *walk)
{
    const float *const at = walk->nearest_at;
    const vec3 from_corner = {(double)at[0], (double)at[1], (double)at[2]};
    return alg_pst_field_at(walk->field, vec3_add(walk->field->corner, from_corner));
}

/** A point of the surface is about so near. */
static void note_nearest(alg_pst_walk *w, const alg_pst_looked_up *found, uint32_t lane,
                         float radius, uint32_t point)
{
    if (found->value[lane] + radius >= w->nearest_value + w->nearest_radius) {
        return;
    }
    w->nearest = point;
    w->nearest_value = found->value[lane];
    w->nearest_radius = radius;
    for (int k = 0; k < 3; k++) {
        w->nearest_at[k] = found->at[k][lane];
    }
    if (!w->fixed) {
        w->limit = fminf(w->limit, fmaxf(found->value[lane] + radius, 0));
    }
    if (found->value[lane] + radius < 0) {
        const alg_pst_sample s = alg_pst_walk_sample(w);
        w->inside = s.value + s.above + radius + w->margin < 0;
    }
}

/** How many of `wanted` lookups the budget has left. */
static uint32_t allowed(const alg_pst_walk *w, uint32_t wanted)
{
    const uint64_t used = w->spheres + w->points;
    return w->budget == 0 || w->budget - used >= wanted ? wanted : (uint32_t)(w->budget - used);
}

/* --- Points ----------------------------------------------------------------------------------- */

/** Makes room by leaving out candidates that the limit excludes by now. */
static void drop_candidates(alg_pst_walk *w)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        if (w->candidates[i].bound <= w->limit) {
            w->candidates[kept++] = w->candidates[i];
        } else {
            leave(w, w->candidates[i].bound);
        }
    }
    w->count = kept;
}

static void add_candidate(alg_pst_walk *w, uint32_t point, float bound, float value)
{
    if (bound > w->limit) {
        leave(w, bound);
        return;
    }
    if (w->count == w->capacity) {
        drop_candidates(w);
    }
    const alg_pst_candidate candidate = {point, bound, value};
    if (w->count < w->capacity) {
        w->candidates[w->count++] = candidate;
        return;
    }
    uint32_t worst = 0;
    for (uint32_t i = 1; i < w->count; i++) {
        worst = w->candidates[i].bound > w->candidates[worst].bound ? i : worst;
    }
    leave(w, fmaxf(bound, w->candidates[worst].bound));
    if (bound < w->candidates[worst].bound) {
        w->candidates[worst] = candidate;
    }
}

static void open_points(alg_pst_walk *w, const alg_pst_cluster *cluster)
{
    const alg_pst_tree *const tree = w->tree;
    const uint32_t first = cluster->first, count = allowed(w, cluster->count);
    if (count < cluster->count) {
        leave(w, cluster->bound);
        w->ended = false;
    }
    const float none[ALG_PST_WIDTH] = {0};
    float patch2[ALG_PST_WIDTH] = {0};
    memcpy(patch2, tree->points.patch2 + first, count * sizeof *patch2);
    const alg_pst_places_in in = {tree->x + first, tree->y + first, tree->z + first, none, patch2};
    alg_pst_looked_up found;
    look_up(w, &in, &found);
    w->points += count;
    for (uint32_t i = 0; i < count; i++) {
        note_nearest(w, &found, i, 0, first + i);
    }
    for (uint32_t i = 0; i < count; i++) {
        add_candidate(w, first + i, found.bound[i], found.value[i]);
    }
}

/* --- Clusters --------------------------------------------------------------------------------- */

/** Puts the clusters of a node that are below the limit on the stack, the nearest on top. */
static void open_node(alg_pst_walk *w, const alg_pst_cluster *cluster)
{
    const alg_pst_node *const node = &w->tree->nodes[cluster->child];
    uint32_t used = 0;
    while (used < ALG_PST_WIDTH && node->count[used] > 0) {
        used++;
    }
    const uint32_t count = allowed(w, used);
    if (count < used) {
        leave(w, cluster->bound);
        w->ended = false;
    }
    const alg_pst_places_in in = {node->centre[0], node->centre[1], node->centre[2], node->radius,
                                  node->patch2};
    alg_pst_looked_up found;
    look_up(w, &in, &found);
    w->spheres += count;
    for (uint32_t i = 0; i < count; i++) {
        note_nearest(w, &found, i, node->radius[i], node->first[i]);
    }
    const uint32_t bottom = w->open_count;
    for (uint32_t i = 0; i < count; i++) {
        const float bound = fmaxf(found.bound[i], cluster->bound);
        if (bound > w->limit) {
            leave(w, bound);
            continue;
        }
        uint32_t at = w->open_count++;
        for (; at > bottom && w->open[at - 1].bound < bound; at--) {
            w->open[at] = w->open[at - 1];
        }
        w->open[at] = (alg_pst_cluster){bound, node->first[i], node->count[i], node->child[i]};
    }
}

/** Takes the top of the stack away; `best_first`: the cluster with the least bound. */
static alg_pst_cluster take_next(alg_pst_walk *w, bool best_first)
{
    uint32_t at = w->open_count - 1;
    for (uint32_t i = 0; best_first && i < w->open_count; i++) {
        at = w->open[i].bound < w->open[at].bound ? i : at;
    }
    const alg_pst_cluster next = w->open[at];
    w->open_count--;
    memmove(w->open + at, w->open + at + 1, (w->open_count - at) * sizeof *w->open);
    return next;
}

/** The first clusters are looked up in any case, as without one there is no nearest. */
static bool may_go_on(const alg_pst_walk *w, uint32_t opened)
{
    if (opened == 0) {
        return true;
    }
    if (w->budget > 0 && w->spheres + w->points >= w->budget) {
        return false;
    }
    return w->deadline_ns == 0 || opened % CLOCK_EVERY != 0 || alg_clock_ns() < w->deadline_ns;
}

size_t alg_pst_walk_room(const alg_pst_tree *tree)
{
    return (size_t)tree->node_count * ALG_PST_WIDTH + 1;
}

void alg_pst_walk_run(alg_pst_walk *walk, const geo_pose *to_field)
{
    begin(walk, to_field);
    const bool limited = walk->budget > 0 || walk->deadline_ns > 0;
    walk->open[walk->open_count++] =
        (alg_pst_cluster){0, 0, walk->tree->points.count, 0}; /* all, below the root */
    for (uint32_t opened = 0; walk->open_count > 0 && walk->ended && !walk->inside; opened++) {
        const alg_pst_cluster next = take_next(walk, limited && walk->points > 0);
        if (next.bound > walk->limit) {
            leave(walk, next.bound);
        } else if (!may_go_on(walk, opened)) {
            leave(walk, next.bound);
            walk->ended = false;
        } else if (next.child == ALG_PST_LEAF) {
            open_points(walk, &next);
        } else {
            open_node(walk, &next);
        }
    }
    for (uint32_t i = 0; i < walk->open_count; i++) {
        leave(walk, walk->open[i].bound);
    }
    drop_candidates(walk);
}
