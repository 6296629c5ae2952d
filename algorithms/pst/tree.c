/**
 * The points are ordered from the root down: the clusters of the uppermost level follow each other,
 * and within each of them its items, the item with the cluster's head first. Nodes are numbered
 * level by level, so that the children of a node are consecutive. Then each lane gets the sphere
 * around its points.
 */
#include "algorithms/pst/tree.h"

#include "algorithms/pst/clusters.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/sphere.h"
#include "geometry/vec.h"

#include <float.h>
#include <math.h>
#include <string.h>

/** Bound of the relative error of a computed radius. */
#define RADIUS_SLACK 0x1p-48

/** A cluster whose items become the lanes of a node. */
typedef struct branch {
    uint32_t level, cluster;
    uint32_t first; /* index of its first point */
} branch;

typedef struct builder {
    alg_pst_levels levels;
    uint32_t *point_counts[ALG_PST_DEPTH_MOST]; /* scratch; number of points below each cluster of a
                                                   level */
    uint32_t *order;                            /* scratch; points in the order of the tree */
    branch *queue;                              /* scratch; the cluster of each node */
    geo_ball *balls;                            /* scratch; points in the order of the tree */
    alg_pst_tree *tree;
    base_arena scratch;
    base_error *err;
} builder;

static base_status fail_memory(base_error *err)
{
    return base_fail(err, BASE_ERR_MEMORY, "out of memory for a tree of points");
}

/* --- Order ------------------------------------------------------------------------------------ */

static base_status count_points(builder *b)
{
    for (uint32_t l = 0; l < b->levels.count; l++) {
        const alg_pst_level *const level = &b->levels.level[l];
        uint32_t *const counts = base_arena_alloc(&b->scratch, level->count, sizeof *counts);
        if (!counts) {
            return fail_memory(b->err);
        }
        for (uint32_t c = 0; c < level->count; c++) {
            counts[c] = level->begin[c + 1] - level->begin[c];
            for (uint32_t i = level->begin[c]; l > 0 && i < level->begin[c + 1]; i++) {
                counts[c] += b->point_counts[l - 1][level->items[i]] - 1;
            }
        }
        b->point_counts[l] = counts;
    }
    return BASE_OK;
}

/** Fills the lane of a cluster whose points begin at `first`: a leaf, or a cluster that is
 * queued. */
static void add_lane(builder *b, alg_pst_node *node, uint32_t lane, branch at)
{
    const alg_pst_level *level = &b->levels.level[at.level];
    node->first[lane] = at.first;
    node->count[lane] = b->point_counts[at.level][at.cluster];
    while (at.level > 0 && level->begin[at.cluster + 1] - level->begin[at.cluster] == 1) {
        at.cluster = level->items[level->begin[at.cluster]];
        level = &b->levels.level[--at.level];
    }
    if (at.level > 0) {
        node->child[lane] = b->tree->node_count;
        b->queue[b->tree->node_count++] = at;
    } else {
        memcpy(b->order + at.first, level->items + level->begin[at.cluster],
               node->count[lane] * sizeof *b->order);
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

/** Makes all nodes except for spheres and patches, and the order of the points. */
static void place_nodes(builder *b)
{
    alg_pst_tree *const tree = b->tree;
    const alg_pst_levels *const levels = &b->levels;
    const uint32_t top = levels->count - 1;
    clear_node(&tree->nodes[0]);
    tree->node_count = 1;
    uint32_t first = 0;
    for (uint32_t c = 0; c < levels->level[top].count; c++) {
        add_lane(b, &tree->nodes[0], c, (branch){top, c, first});
        first += b->point_counts[top][c];
    }
    for (uint32_t n = 1; n < tree->node_count; n++) {
        const branch at = b->queue[n];
        const alg_pst_level *const level = &levels->level[at.level];
        clear_node(&tree->nodes[n]);
        first = at.first;
        for (uint32_t i = level->begin[at.cluster]; i < level->begin[at.cluster + 1]; i++) {
            const uint32_t item = level->items[i];
            add_lane(b, &tree->nodes[n], i - level->begin[at.cluster],
                     (branch){at.level - 1, item, first});
            first += b->point_counts[at.level - 1][item];
        }
    }
}

/** Computes the depth of the tree, in nodes. Children have greater numbers than their node. */
static base_status count_levels(builder *b)
{
    alg_pst_tree *const tree = b->tree;
    uint32_t *const depth = base_arena_alloc(&b->scratch, tree->node_count, sizeof *depth);
    if (!depth) {
        return fail_memory(b->err);
    }
    for (uint32_t n = 0; n < tree->node_count; n++) {
        tree->level_count = depth[n] + 1 > tree->level_count ? depth[n] + 1 : tree->level_count;
        for (uint32_t lane = 0; lane < ALG_PST_WIDTH; lane++) {
            if (tree->nodes[n].child[lane] != ALG_PST_LEAF) {
                depth[tree->nodes[n].child[lane]] = depth[n] + 1;
            }
        }
    }
    return BASE_OK;
}

/** Permutes items of the given size into the order; uses `other` as a buffer. */
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

static base_status place_points(builder *b)
{
    alg_pst_tree *const tree = b->tree;
    size_t clusters = 1;
    for (uint32_t l = 1; l < b->levels.count; l++) {
        clusters += b->levels.level[l].count;
    }
    base_status status = count_points(b);
    if (status != BASE_OK) {
        return status;
    }
    b->order = base_arena_alloc(&b->scratch, tree->points.count, sizeof *b->order);
    b->queue = base_arena_alloc(&b->scratch, clusters, sizeof *b->queue);
    alg_pst_node *const nodes = base_arena_alloc(&b->scratch, clusters, sizeof *nodes);
    if (!b->order || !b->queue || !nodes) {
        return fail_memory(b->err);
    }
    tree->nodes = nodes;
    place_nodes(b);
    return count_levels(b);
}

/* --- Spheres ---------------------------------------------------------------------------------- */

/** Rounds points to float, and bounds the rounding error. */
static void round_points(alg_pst_tree *tree)
{
    const uint32_t count = tree->points.count;
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
    for (uint32_t i = count; i < count + ALG_PST_WIDTH - 1; i++) {
        tree->x[i] = tree->x[count - 1];
        tree->y[i] = tree->y[count - 1];
        tree->z[i] = tree->z[count - 1];
    }
    const double reach = tree->extent + geo_box_reach((geo_box){tree->origin, tree->origin});
    tree->rounding = base_float_above(off * (1 + RADIUS_SLACK) + 0x1p-51 * reach);
    tree->extent *= 1 + RADIUS_SLACK;
}

/** Computes the sphere of a lane, which contains its points both exact and rounded to float. */
static void enclose_lane(const builder *b, alg_pst_node *node, uint32_t lane)
{
    const alg_pst_tree *const tree = b->tree;
    const uint32_t first = node->first[lane], count = node->count[lane];
    const vec3 middle = vec3_sub(geo_ball_enclose(b->balls + first, count).centre, tree->origin);
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
        radius2 =
            fmax(radius2, fmax(vec3_distance2(centre, exact), vec3_distance2(centre, rounded)));
        patch2 = fmaxf(patch2, tree->points.patch2[i]);
    }
    const double reach = geo_box_reach((geo_box){tree->origin, tree->points.points[first]});
    const double rounding = 0x1p-51 * reach; /* of the differences from the origin */
    node->radius[lane] = base_float_above(sqrt(radius2) * (1 + RADIUS_SLACK) + rounding);
    node->patch2[lane] = patch2;
}

static void enclose_lanes(void *context, size_t begin, size_t end)
{
    const builder *const b = context;
    for (size_t i = begin; i < end; i++) {
        alg_pst_node *const node = &b->tree->nodes[i / ALG_PST_WIDTH];
        const uint32_t lane = i % ALG_PST_WIDTH;
        if (node->count[lane] > 0) {
            enclose_lane(b, node, lane);
        }
    }
}

static base_status build_spheres(builder *b)
{
    alg_pst_tree *const tree = b->tree;
    const uint32_t count = tree->points.count;
    geo_box box = geo_box_empty();
    for (uint32_t i = 0; i < count; i++) {
        box = geo_box_add(box, tree->points.points[i]);
    }
    tree->origin = geo_box_centre(box);
    round_points(tree);
    b->balls = base_arena_alloc(&b->scratch, count, sizeof *b->balls);
    if (!b->balls) {
        return fail_memory(b->err);
    }
    for (uint32_t i = 0; i < count; i++) {
        b->balls[i].centre = tree->points.points[i];
    }
    /* Lanes of the last levels are many and small, those of the first levels few and large. */
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

/** Returns a power of two of which 65,000 steps are at least as long as `length`. */
static float step_of(double length)
{
    int exponent;
    (void)frexp(fmax(length, (double)FLT_MIN) / 65000, &exponent);
    return (float)ldexp(1, exponent < FLT_MIN_EXP ? FLT_MIN_EXP : exponent);
}

/** Returns the centre of a lane with the arithmetic of traversals. */
static vec3 packed_centre(const alg_pst_packed_node *packed, uint32_t lane)
{
    float centre[3];
    for (int axis = 0; axis < 3; axis++) {
        centre[axis] = packed->corner[axis] + packed->step * (float)packed->centre[axis][lane];
    }
    return (vec3){(double)centre[0], (double)centre[1], (double)centre[2]};
}

/** Sets the corner of a node's centres, and the step, such that 65,000 steps reach all centres and
 * every radius. */
static void place_grid(const alg_pst_node *node, alg_pst_packed_node *packed)
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
    packed->step = step_of((double)length);
}

static void pack_lane(const alg_pst_node *node, uint32_t lane, alg_pst_packed_node *packed)
{
    const double step = (double)packed->step;
    const vec3 exact = {(double)node->centre[0][lane], (double)node->centre[1][lane],
                        (double)node->centre[2][lane]};
    for (int axis = 0; axis < 3; axis++) {
        const double from = vec3_get(exact, axis) - (double)packed->corner[axis];
        packed->centre[axis][lane] = (uint16_t)round(from / step);
    }
    const double moved = vec3_distance(packed_centre(packed, lane), exact);
    packed->radius[lane] = (uint16_t)ceil(((double)node->radius[lane] + moved) / step);
    packed->patch2[lane] = base_half_above((double)node->patch2[lane]);
}

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

static uint32_t count_leaves(const alg_pst_tree *tree)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < tree->node_count; i++) {
        for (uint32_t lane = 0; lane < ALG_PST_WIDTH; lane++) {
            count += tree->nodes[i].count[lane] > 0 && tree->nodes[i].child[lane] == ALG_PST_LEAF;
        }
    }
    return count;
}

/** Makes the packed nodes and leaves of an otherwise complete tree. */
static base_status pack_tree(alg_pst_tree *tree, base_arena *arena, base_error *err)
{
    tree->leaf_count = count_leaves(tree);
    tree->packed = base_arena_alloc(arena, tree->node_count, sizeof *tree->packed);
    tree->leaves = base_arena_alloc(arena, tree->leaf_count, sizeof *tree->leaves);
    if (!tree->packed || !tree->leaves) {
        return fail_memory(err);
    }
    double off = 0;
    for (uint32_t i = 0, leaf = 0; i < tree->node_count; i++) {
        const alg_pst_node *const node = &tree->nodes[i];
        alg_pst_packed_node *const packed = &tree->packed[i];
        place_grid(node, packed);
        for (uint32_t lane = 0; lane < ALG_PST_WIDTH && node->count[lane] > 0; lane++) {
            pack_lane(node, lane, packed);
            packed->child[lane] = node->child[lane];
            if (node->child[lane] == ALG_PST_LEAF) {
                const float radius = packed->step * (float)packed->radius[lane];
                off =
                    fmax(off, pack_leaf(tree, node->first[lane], node->count[lane],
                                        packed_centre(packed, lane), radius, &tree->leaves[leaf]));
                packed->child[lane] = ALG_PST_PACKED_LEAF + leaf++;
            }
        }
    }
    const double reach = tree->extent + geo_box_reach((geo_box){tree->origin, tree->origin});
    tree->packed_rounding = base_float_above(off * (1 + RADIUS_SLACK) + 0x1p-51 * reach);
    return BASE_OK;
}

/* --- The complete tree ------------------------------------------------------------------------ */

static base_status create_tree(builder *b, base_arena *arena)
{
    alg_pst_tree *const tree = b->tree;
    const alg_pst_node *const nodes = tree->nodes;
    const size_t padded = (size_t)tree->points.count + ALG_PST_WIDTH - 1;
    tree->nodes = base_arena_alloc(arena, tree->node_count, sizeof *tree->nodes);
    tree->x = base_arena_alloc(arena, padded, sizeof *tree->x);
    tree->y = base_arena_alloc(arena, padded, sizeof *tree->y);
    tree->z = base_arena_alloc(arena, padded, sizeof *tree->z);
    if (!tree->nodes || !tree->x || !tree->y || !tree->z) {
        return fail_memory(b->err);
    }
    memcpy(tree->nodes, nodes, tree->node_count * sizeof *nodes);
    return BASE_OK;
}

base_status alg_pst_tree_build(const alg_pst_points *points, alg_pst_clusters clusters,
                               base_arena *arena, alg_pst_tree *tree, base_error *err)
{
    *tree = (alg_pst_tree){.points = *points};
    builder b = {.tree = tree, .err = err};
    base_status status =
        alg_pst_levels_build(points->points, points->count, clusters, &b.scratch, &b.levels, err);
    if (status == BASE_OK) {
        status = place_points(&b);
    }
    if (status == BASE_OK) {
        status = create_tree(&b, arena);
    }
    if (status == BASE_OK) {
        status = order_points(&b);
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
