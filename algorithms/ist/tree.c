/**
 * The hierarchy, level by level from the root: every node splits its stretch of leaves in place.
 */
#include "algorithms/ist/tree.h"

#include "geometry/box.h"
#include "geometry/sphere.h"

#include <string.h>

enum { NODES_A_CHUNK = 4 };

/** A node still to be split: leaves [begin, begin + count) of the order. */
typedef struct task {
    uint32_t begin, count;
    uint32_t child_count[ALG_IST_BRANCHING_MAX]; /* leaves of each child, by split_node */
} task;

/** What is below one child of a node. */
typedef struct child {
    geo_ball ball; /* around all spheres of its leaves */
    double near;   /* radius around their primary spheres */
    uint32_t link; /* as in alg_ist_tree.children, nodes numbered by level */
} child;

/** Leaves in the order of the tree; a node's are consecutive. */
typedef struct leaves {
    geo_ball *balls;
    double *weights;
    uint32_t *spheres; /* number in the packing */
} leaves;

typedef struct builder {
    const alg_ist_packing *packing;
    const alg_ist_tree_options *options;
    uint32_t branching;
    leaves order, scratch; /* owned */
    uint8_t *cluster;      /* owned */
    child *children;       /* owned; branching a node, nodes by level */
    size_t child_capacity;
    task *tasks; /* owned; of each node */
    size_t node_count, task_capacity;
    size_t level_begin; /* first node of the level that is split */
    uint32_t depth;
} builder;

static geo_status create_leaves(size_t count, leaves *l, geo_error *err)
{
    l->balls = geo_alloc(count, sizeof *l->balls);
    l->weights = geo_alloc(count, sizeof *l->weights);
    l->spheres = geo_alloc(count, sizeof *l->spheres);
    const bool good = l->balls != NULL && l->weights != NULL && l->spheres != NULL;
    return good ? GEO_OK : geo_fail(err, GEO_ERR_MEMORY, "out of memory for %zu spheres", count);
}

static void release_leaves(leaves *l)
{
    geo_free(l->balls);
    geo_free(l->weights);
    geo_free(l->spheres);
}

static void set_leaf(leaves *to, size_t i, const leaves *from, size_t j)
{
    to->balls[i] = from->balls[j];
    to->weights[i] = from->weights[j];
    to->spheres[i] = from->spheres[j];
}

/** Clusters a node's leaves and brings each cluster together, keeping the order within. */
static void partition(builder *b, task *t)
{
    const alg_ist_points points = {b->order.balls + t->begin, b->order.weights + t->begin,
                                   t->count};
    uint8_t *const cluster = b->cluster + t->begin;
    /* Seeds that differ from node to node, whatever the order in which they are split. */
    const uint64_t seed = b->options->seed + (uint64_t)t->begin * 0x9e3779b97f4a7c15u + t->count;
    alg_ist_cluster(b->options, &points, b->depth >= ALG_IST_DEPTH_EVEN, seed, cluster);
    for (uint32_t j = 0; j < t->count; j++) {
        t->child_count[cluster[j]]++;
        set_leaf(&b->scratch, t->begin + j, &b->order, t->begin + j);
    }
    uint32_t at[ALG_IST_BRANCHING_MAX] = {t->begin};
    for (uint32_t i = 1; i < b->branching; i++) {
        at[i] = at[i - 1] + t->child_count[i - 1];
    }
    for (uint32_t j = 0; j < t->count; j++) {
        set_leaf(&b->order, at[cluster[j]]++, &b->scratch, t->begin + j);
    }
}

/** The ball around leaves [begin, begin + count), one or more. */
static child bound_leaves(const builder *b, uint32_t begin, uint32_t count)
{
    const geo_ball *const balls = b->order.balls + begin;
    child c = {count > 1 ? geo_ball_enclose(balls, count) : balls[0], 0, ALG_IST_LEAF | begin};
    for (uint32_t i = begin; i < begin + count; i++) {
        const uint32_t s = b->order.spheres[i];
        const double apart = vec3_distance(c.ball.centre, b->packing->centres[s]);
        c.near = fmax(c.near, apart + b->packing->radii[s]);
    }
    return c;
}

static void split_node(builder *b, size_t index)
{
    task *const t = &b->tasks[index];
    if (t->count > b->branching) {
        partition(b, t);
    } else {
        for (uint32_t i = 0; i < t->count; i++) {
            t->child_count[i] = 1;
        }
    }
    uint32_t begin = t->begin;
    for (uint32_t i = 0; i < b->branching && t->child_count[i] > 0; i++) {
        b->children[index * b->branching + i] = bound_leaves(b, begin, t->child_count[i]);
        begin += t->child_count[i];
    }
}

static void split_nodes(void *context, size_t begin, size_t end)
{
    builder *const b = context;
    for (size_t i = begin; i < end; i++) {
        split_node(b, b->level_begin + i);
    }
}

static geo_status add_node(builder *b, uint32_t begin, uint32_t count, geo_error *err)
{
    const size_t needed = b->node_count + 1;
    geo_status status = geo_grow((void **)&b->children, &b->child_capacity, needed * b->branching,
                                 sizeof *b->children, err);
    if (status == GEO_OK) {
        status = geo_grow((void **)&b->tasks, &b->task_capacity, needed, sizeof *b->tasks, err);
    }
    if (status == GEO_OK) {
        b->tasks[b->node_count++] = (task){.begin = begin, .count = count};
    }
    return status;
}

/** Makes the nodes of the level below, in order. */
static geo_status add_level(builder *b, size_t level_end, geo_error *err)
{
    geo_status status = GEO_OK;
    for (size_t n = b->level_begin; status == GEO_OK && n < level_end; n++) {
        uint32_t begin = b->tasks[n].begin;
        for (uint32_t i = 0; status == GEO_OK && i < b->branching; i++) {
            const uint32_t count = b->tasks[n].child_count[i];
            if (count > 1) {
                b->children[n * b->branching + i].link = (uint32_t)b->node_count;
                status = add_node(b, begin, count, err);
            }
            begin += count;
        }
    }
    return status;
}

static geo_status split_all(builder *b, geo_error *err)
{
    geo_status status = add_node(b, 0, (uint32_t)b->packing->count, err);
    while (status == GEO_OK && b->level_begin < b->node_count) {
        const size_t level_end = b->node_count;
        geo_parallel_for(level_end - b->level_begin, NODES_A_CHUNK, 0, split_nodes, b);
        status = add_level(b, level_end, err);
        b->level_begin = level_end;
        b->depth++;
    }
    return status;
}

/** Writes a child into its lane, its ball in float and rounded outwards. */
static void write_lane(alg_ist_tree *tree, uint32_t node, uint32_t lane, const child *c)
{
    float *const lanes = tree->lanes + (size_t)node * ALG_IST_LANE_KINDS * tree->width + lane;
    const uint32_t w = tree->width;
    const vec3 at = c->ball.centre;
    lanes[ALG_IST_X * w] = (float)at.x;
    lanes[ALG_IST_Y * w] = (float)at.y;
    lanes[ALG_IST_Z * w] = (float)at.z;
    const vec3 rounded = {lanes[ALG_IST_X * w], lanes[ALG_IST_Y * w], lanes[ALG_IST_Z * w]};
    /* vec3_distance is off by less than four roundings. */
    const double moved = vec3_distance(at, rounded) * (1 + 0x1p-50);
    lanes[ALG_IST_NEAR * w] = geo_float_above((c->near + moved) * (1 + 0x1p-50));
    lanes[ALG_IST_FAR * w] = geo_float_above((c->ball.radius + moved) * (1 + 0x1p-50));
}

/** Numbers the nodes depth first. */
static void lay_out(const builder *b, alg_ist_tree *tree)
{
    typedef struct {
        uint32_t node;    /* by level */
        uint32_t *number; /* where its new number goes */
    } waiting;
    waiting stack[ALG_IST_DEPTH_MAX * ALG_IST_BRANCHING_MAX];
    uint32_t root;
    size_t top = 0;
    stack[top++] = (waiting){0, &root};
    while (top > 0) {
        const waiting w = stack[--top];
        const uint32_t node = tree->node_count++;
        *w.number = node;
        for (uint32_t i = tree->width; i-- > 0;) {
            uint32_t *const link = &tree->children[(size_t)node * tree->width + i];
            if (i >= b->branching || b->tasks[w.node].child_count[i] == 0) {
                for (uint32_t kind = 0; kind < ALG_IST_LANE_KINDS; kind++) {
                    tree->lanes[((size_t)node * ALG_IST_LANE_KINDS + kind) * tree->width + i] = NAN;
                }
                *link = ALG_IST_NOBODY;
                continue;
            }
            const child *const c = &b->children[(size_t)w.node * b->branching + i];
            write_lane(tree, node, i, c);
            *link = c->link;
            if (!(*link & ALG_IST_LEAF)) {
                stack[top++] = (waiting){*link, link};
            }
        }
    }
}

static geo_status finish(const builder *b, geo_arena *arena, alg_ist_tree *tree, geo_error *err)
{
    const size_t count = b->packing->count;
    tree->branching = b->branching;
    tree->width = b->branching > 4 ? b->branching : 4;
    tree->lanes = geo_arena_alloc(arena, b->node_count * ALG_IST_LANE_KINDS,
                                  tree->width * sizeof *tree->lanes);
    tree->children = geo_arena_alloc(arena, b->node_count, tree->width * sizeof *tree->children);
    tree->spheres = geo_arena_alloc(arena, count, sizeof *tree->spheres);
    tree->places = geo_arena_alloc(arena, count, sizeof *tree->places);
    if (tree->lanes == NULL || tree->children == NULL || tree->spheres == NULL ||
        tree->places == NULL) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory for a tree of %zu spheres", count);
    }
    lay_out(b, tree);
    for (size_t i = 0; i < count; i++) {
        const uint32_t s = b->order.spheres[i];
        tree->places[i] = s;
        tree->spheres[i] = (alg_ist_sphere){b->packing->centres[s], b->packing->radii[s],
                                            b->packing->secondary[s], b->packing->outer[s]};
        const geo_ball ball = b->order.balls[i];
        const vec3 far = vec3_abs(ball.centre);
        tree->reach = fmax(tree->reach, fmax(far.x, fmax(far.y, far.z)) + ball.radius);
    }
    tree->sphere_count = (uint32_t)count;
    tree->depth = b->depth;
    return GEO_OK;
}

geo_status alg_ist_tree_build(const alg_ist_packing *packing, const alg_ist_tree_options *options,
                              geo_arena *arena, alg_ist_tree *tree, geo_error *err)
{
    geo_assert(packing->count > 0 && packing->count < ALG_IST_LEAF);
    const size_t count = packing->count;
    builder b = {.packing = packing, .options = options, .branching = options->branching};
    *tree = (alg_ist_tree){0};
    geo_status status = create_leaves(count, &b.order, err);
    if (status == GEO_OK) {
        status = create_leaves(count, &b.scratch, err);
    }
    b.cluster = geo_alloc(count, sizeof *b.cluster);
    if (status == GEO_OK && b.cluster == NULL) {
        status = geo_fail(err, GEO_ERR_MEMORY, "out of memory for %zu spheres", count);
    }
    for (size_t i = 0; status == GEO_OK && i < count; i++) {
        const double r = packing->radii[i];
        b.order.balls[i] = (geo_ball){packing->centres[i],
                                      fmax(r, fmax(packing->secondary[i], packing->outer[i]))};
        b.order.weights[i] = r * r * r;
        b.order.spheres[i] = (uint32_t)i;
    }
    if (status == GEO_OK) {
        status = split_all(&b, err);
    }
    if (status == GEO_OK) {
        status = finish(&b, arena, tree, err);
    }
    release_leaves(&b.order);
    release_leaves(&b.scratch);
    geo_free(b.cluster);
    geo_free(b.children);
    geo_free(b.tasks);
    return status;
}
