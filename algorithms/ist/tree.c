/**
 * Builds the hierarchy level by level from the root. The leaves below a node are an interval of the
 * order of leaves. A node is split by sorting its interval by cluster.
 */
#include "algorithms/ist/tree.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/sphere.h"
#include "geometry/vec.h"

#include <stdint.h>
#include <string.h>

/**
 * Nodes with at least this many leaves are split one after the other, each by all CPUs. Smaller
 * nodes are split in parallel, each by one CPU.
 */
enum { SHARED_LEAST = 16384 };

/** A node of the hierarchy: leaves [begin, begin + count) of the order. */
typedef struct task {
    uint32_t begin, count;
    uint32_t child_count[ALG_IST_BRANCHING_MAX]; /* number of leaves of each child; split_node sets
                                                    it */
} task;

/** A child of a node. */
typedef struct child {
    geo_ball ball; /* around its leaves with their far radii, or around its children's balls */
    double near;   /* radius of the ball with the same centre for near radii */
    uint32_t link; /* as in alg_ist_tree.children, but nodes are numbered by level */
} child;

/** Leaves in the order of the tree; those of a node are consecutive. */
typedef struct leaves {
    double *x, *y, *z;
    double *weights;
    double *near, *far; /* radii */
    uint32_t *numbers;  /* indices in the caller's order */
} leaves;

typedef struct builder {
    const alg_ist_ball *leaf_balls; /* in the caller's order */
    size_t leaf_count;
    alg_ist_tree_options options;
    alg_ist_gas gas;
    uint32_t branching;
    leaves order, scratch; /* owned */
    uint8_t *cluster;      /* owned; cluster of each leaf within its node */
    uint8_t *trial;        /* owned; the same for a clustering that is tried */
    geo_ball *balls;       /* owned; scratch memory for the balls of leaves */
    child *children;       /* owned; `branching` per node, nodes by level */
    size_t child_capacity;
    task *tasks; /* owned; one per node */
    size_t node_count, task_capacity;
    size_t level_begin[ALG_IST_DEPTH_MAX + 1]; /* first node of each level */
    uint32_t depth;                            /* the current level */
} builder;

static base_status create_leaves(size_t count, leaves *l, base_error *err)
{
    l->x = base_alloc(count, sizeof *l->x);
    l->y = base_alloc(count, sizeof *l->y);
    l->z = base_alloc(count, sizeof *l->z);
    l->weights = base_alloc(count, sizeof *l->weights);
    l->near = base_alloc(count, sizeof *l->near);
    l->far = base_alloc(count, sizeof *l->far);
    l->numbers = base_alloc(count, sizeof *l->numbers);
    const bool good = l->x && l->y && l->z && l->weights && l->near && l->far && l->numbers;
    return good ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu spheres", count);
}

static void release_leaves(leaves *l)
{
    base_free(l->x);
    base_free(l->y);
    base_free(l->z);
    base_free(l->weights);
    base_free(l->near);
    base_free(l->far);
    base_free(l->numbers);
}

static void set_leaf(leaves *to, size_t i, const leaves *from, size_t j)
{
    to->x[i] = from->x[j];
    to->y[i] = from->y[j];
    to->z[i] = from->z[j];
    to->weights[i] = from->weights[j];
    to->near[i] = from->near[j];
    to->far[i] = from->far[j];
    to->numbers[i] = from->numbers[j];
}

/**
 * Returns the sum of the volumes that the leaves [begin, begin + count), with their near radii,
 * have within a ball.
 */
static double filled_part(const builder *b, uint32_t begin, uint32_t count, geo_ball ball)
{
    const leaves *const l = &b->order;
    double filled = 0;
    for (uint32_t i = begin; i < begin + count; i++) {
        const geo_ball sphere = {{l->x[i], l->y[i], l->z[i]}, l->near[i]};
        filled += geo_ball_overlap_volume(ball, sphere);
    }
    return filled;
}

/**
 * Returns the cost of a clustering of a node, which the criterion minimises. It is a sum over the
 * balls around the clusters.
 */
static double cost_of(const builder *b, const task *t, const uint8_t *cluster)
{
    const leaves *const l = &b->order;
    geo_ball *const balls = b->balls + t->begin;
    double cost = 0;
    for (uint32_t i = 0; i < b->branching; i++) {
        size_t members = 0;
        for (uint32_t j = 0; j < t->count; j++) {
            if (cluster[j] == i) {
                const uint32_t at = t->begin + j;
                balls[members++] = (geo_ball){{l->x[at], l->y[at], l->z[at]}, l->far[at]};
            }
        }
        const geo_ball around = geo_ball_enclose(balls, members);
        const double volume = geo_ball_volume(around.radius);
        cost += volume;
        if (b->options.criterion == ALG_IST_OUTSIDE) {
            /* The sum of the volumes of overlapping leaves may exceed the volume of the ball. */
            cost -= fmin(volume, filled_part(b, t->begin, t->count, around));
        }
    }
    return cost;
}

/**
 * Clusterings that are tried if there is a criterion: all methods of alg_ist_clustering, and then
 * these.
 */
enum {
    TRY_SECOND_SEED = ALG_IST_CLUSTERINGS,
    TRY_THIRD_SEED,
    TRY_MEDIANS,
    TRIES,
};

/** Clusters a node's leaves. */
static void cluster_leaves(builder *b, const task *t, unsigned threads)
{
    const leaves *const l = &b->order;
    const alg_ist_points points = {l->x + t->begin, l->y + t->begin, l->z + t->begin,
                                   l->weights + t->begin, t->count};
    const alg_ist_tree_options *const options = &b->options;
    uint8_t *const cluster = b->cluster + t->begin, *const trial = b->trial + t->begin;
    /* The random seed differs from node to node, and does not depend on the order in which nodes
     * are split. */
    const uint64_t seed = options->seed + (uint64_t)t->begin * 0x9e3779b97f4a7c15u + t->count;
    if (b->depth >= ALG_IST_DEPTH_EVEN) {
        alg_ist_cluster_evenly(&points, b->branching, cluster);
        return;
    }
    alg_ist_cluster(&b->gas, options->clustering, &points, seed, threads, cluster);
    if (options->criterion == ALG_IST_ALONE) {
        return;
    }
    double least = cost_of(b, t, cluster);
    for (int attempt = 0; attempt < TRIES; attempt++) {
        if (attempt == (int)options->clustering) {
            continue;
        }
        if (attempt == TRY_MEDIANS) {
            alg_ist_cluster_evenly(&points, b->branching, trial);
        } else {
            const bool kind = attempt < ALG_IST_CLUSTERINGS;
            alg_ist_cluster(&b->gas, kind ? (alg_ist_clustering)attempt : ALG_IST_GAS, &points,
                            kind ? seed : seed + (uint64_t)attempt, threads, trial);
        }
        const double cost = cost_of(b, t, trial);
        if (cost < least) {
            least = cost;
            memcpy(cluster, trial, t->count);
        }
    }
}

/**
 * Clusters a node's leaves and makes each cluster contiguous. The order within a cluster does not
 * change.
 */
static void partition(builder *b, task *t, unsigned threads)
{
    const uint8_t *const cluster = b->cluster + t->begin;
    cluster_leaves(b, t, threads);
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

static void split_node(builder *b, task *t, unsigned threads)
{
    if (t->count > b->branching) {
        partition(b, t, threads);
        return;
    }
    for (uint32_t i = 0; i < t->count; i++) {
        t->child_count[i] = 1;
    }
}

static void split_small_nodes(void *context, size_t begin, size_t end)
{
    builder *const b = context;
    for (size_t i = begin; i < end; i++) {
        task *const t = &b->tasks[b->level_begin[b->depth] + i];
        if (t->count < SHARED_LEAST) {
            split_node(b, t, 1);
        }
    }
}

/**
 * Returns a child of a wrapped hierarchy: the ball around the leaves [begin, begin + count). count
 * is at least 1. The link is that of a leaf; if count is above 1, add_level replaces it.
 */
static child wrap_leaves(const builder *b, uint32_t begin, uint32_t count)
{
    const leaves *const l = &b->order;
    for (uint32_t i = begin; i < begin + count; i++) {
        b->balls[i] = (geo_ball){{l->x[i], l->y[i], l->z[i]}, l->far[i]};
    }
    const geo_ball *const balls = b->balls + begin;
    child c = {count > 1 ? geo_ball_enclose(balls, count) : balls[0], 0, ALG_IST_LEAF | begin};
    for (uint32_t i = begin; i < begin + count; i++) {
        const double apart = vec3_distance(c.ball.centre, b->balls[i].centre);
        c.near = fmax(c.near, apart + l->near[i]);
    }
    return c;
}

/** Returns a child of a layered hierarchy: the ball around the balls of a node's children. */
static child bound_node(const builder *b, uint32_t node)
{
    const child *const below = b->children + (size_t)node * b->branching;
    geo_ball balls[ALG_IST_BRANCHING_MAX] = {below[0].ball};
    uint32_t count = 1;
    while (count < b->branching && b->tasks[node].child_count[count] > 0) {
        balls[count] = below[count].ball;
        count++;
    }
    child c = {geo_ball_enclose(balls, count), 0, node};
    for (uint32_t i = 0; i < count; i++) {
        c.near = fmax(c.near, vec3_distance(c.ball.centre, balls[i].centre) + below[i].near);
    }
    /* Enlarges the ball so that it contains the children's balls in spite of rounding. */
    c.ball.radius *= 1 + 0x1p-50;
    c.near *= 1 + 0x1p-50;
    return c;
}

static void bound_layer(void *context, size_t begin, size_t end)
{
    const builder *const b = context;
    for (size_t i = begin; i < end; i++) {
        child *const c = &b->children[b->level_begin[b->depth] * b->branching + i];
        const size_t node = b->level_begin[b->depth] + i / b->branching;
        if (b->tasks[node].child_count[i % b->branching] > 1) {
            *c = bound_node(b, c->link);
        }
    }
}

/**
 * Computes the balls around the leaves of children [begin, end) of the level. In a layered
 * hierarchy it does this only for children that are leaves.
 */
static void bound_children(void *context, size_t begin, size_t end)
{
    const builder *const b = context;
    for (size_t i = begin; i < end; i++) {
        const size_t index = b->level_begin[b->depth] * b->branching + i;
        const task *const t = &b->tasks[index / b->branching];
        const uint32_t lane = (uint32_t)(index % b->branching);
        uint32_t first = t->begin;
        for (uint32_t j = 0; j < lane; j++) {
            first += t->child_count[j];
        }
        if (t->child_count[lane] == 1 || (t->child_count[lane] > 1 && !b->options.layered)) {
            b->children[index] = wrap_leaves(b, first, t->child_count[lane]);
        }
    }
}

static base_status add_node(builder *b, uint32_t begin, uint32_t count, base_error *err)
{
    const size_t needed = b->node_count + 1;
    base_status status = base_reserve(b->children, b->child_capacity, needed * b->branching, err);
    if (status != BASE_OK) {
        return status;
    }
    status = base_reserve(b->tasks, b->task_capacity, needed, err);
    if (status != BASE_OK) {
        return status;
    }
    b->tasks[b->node_count++] = (task){.begin = begin, .count = count};
    return BASE_OK;
}

/** Appends the nodes of the next level, in order. */
static base_status add_level(builder *b, size_t level_end, base_error *err)
{
    for (size_t n = b->level_begin[b->depth]; n < level_end; n++) {
        uint32_t begin = b->tasks[n].begin;
        for (uint32_t i = 0; i < b->branching; i++) {
            const uint32_t count = b->tasks[n].child_count[i];
            if (count > 1) {
                b->children[n * b->branching + i].link = (uint32_t)b->node_count;
                const base_status status = add_node(b, begin, count, err);
                if (status != BASE_OK) {
                    return status;
                }
            }
            begin += count;
        }
    }
    return BASE_OK;
}

/** Splits the nodes and bounds their children, level by level from the root. */
static base_status split_all(builder *b, base_error *err)
{
    base_status status = add_node(b, 0, (uint32_t)b->leaf_count, err);
    if (status != BASE_OK) {
        return status;
    }
    while (b->level_begin[b->depth] < b->node_count) {
        const size_t level_end = b->node_count, nodes = level_end - b->level_begin[b->depth];
        for (size_t n = b->level_begin[b->depth]; n < level_end; n++) {
            if (b->tasks[n].count >= SHARED_LEAST) {
                split_node(b, &b->tasks[n], 0);
            }
        }
        /* A few hundred chunks are enough to keep all CPUs busy until the end. */
        const size_t children = nodes * b->branching;
        base_parallel_for(nodes, nodes / 256 + 1, 0, split_small_nodes, b);
        base_parallel_for(children, children / 256 + 1, 0, bound_children, b);
        status = add_level(b, level_end, err);
        if (status != BASE_OK) {
            return status;
        }
        b->level_begin[++b->depth] = level_end;
    }
    /* The balls of a layered hierarchy, from the lowest level upwards. */
    const uint32_t depth = b->depth;
    while (b->options.layered && b->depth-- > 0) {
        const size_t nodes = b->level_begin[b->depth + 1] - b->level_begin[b->depth];
        const size_t children = nodes * b->branching;
        base_parallel_for(children, children / 256 + 1, 0, bound_layer, b);
    }
    b->depth = depth;
    return BASE_OK;
}

/** Writes a child into its lane. The ball is stored in float and rounded outwards. */
static void write_lane(alg_ist_tree *tree, uint32_t node, uint32_t lane, const child *c)
{
    float *const lanes = tree->lanes + (size_t)node * ALG_IST_LANE_KINDS * tree->width + lane;
    const uint32_t w = tree->width;
    const vec3 at = vec3_sub(c->ball.centre, tree->origin);
    lanes[ALG_IST_X * w] = (float)at.x;
    lanes[ALG_IST_Y * w] = (float)at.y;
    lanes[ALG_IST_Z * w] = (float)at.z;
    const vec3 rounded = {lanes[ALG_IST_X * w], lanes[ALG_IST_Y * w], lanes[ALG_IST_Z * w]};
    /* The error of vec3_distance is less than four roundings, and that of the difference above is
     * three. */
    const double lost = 4 * 0x1p-53 * (vec3_norm(c->ball.centre) + vec3_norm(tree->origin));
    const double moved = vec3_distance(at, rounded) * (1 + 0x1p-50) + lost;
    lanes[ALG_IST_NEAR * w] = base_float_above((c->near + moved) * (1 + 0x1p-50));
    lanes[ALG_IST_FAR * w] = base_float_above((c->ball.radius + moved) * (1 + 0x1p-50));
}

/** Fills lanes and children. The nodes are numbered depth first. */
static void lay_out(const builder *b, alg_ist_tree *tree)
{
    typedef struct {
        uint32_t node;    /* by level */
        uint32_t *number; /* receives its new number */
    } renumbered;
    renumbered stack[ALG_IST_DEPTH_MAX * ALG_IST_BRANCHING_MAX];
    uint32_t root;
    size_t top = 0;
    stack[top++] = (renumbered){0, &root};
    while (top > 0) {
        const renumbered w = stack[--top];
        const uint32_t node = tree->node_count++;
        *w.number = node;
        for (uint32_t i = tree->width; i-- > 0;) {
            uint32_t *const link = &tree->children[(size_t)node * tree->width + i];
            if (i >= b->branching || b->tasks[w.node].child_count[i] == 0) {
                for (uint32_t kind = 0; kind < ALG_IST_LANE_KINDS; kind++) {
                    tree->lanes[((size_t)node * ALG_IST_LANE_KINDS + kind) * tree->width + i] = NAN;
                }
                *link = ALG_IST_NONE;
                continue;
            }
            const child *const c = &b->children[(size_t)w.node * b->branching + i];
            write_lane(tree, node, i, c);
            *link = c->link;
            if (!(*link & ALG_IST_LEAF)) {
                stack[top++] = (renumbered){*link, link};
            }
        }
    }
}

static base_status finish(const builder *b, base_arena *arena, alg_ist_tree *tree, uint32_t *order,
                          base_error *err)
{
    const size_t count = b->leaf_count;
    tree->branching = b->branching;
    tree->width = b->branching > 4 ? b->branching : 4;
    tree->lanes = base_arena_alloc(arena, b->node_count * ALG_IST_LANE_KINDS,
                                   tree->width * sizeof *tree->lanes);
    tree->children = base_arena_alloc(arena, b->node_count, tree->width * sizeof *tree->children);
    if (!tree->lanes || !tree->children) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a tree of %zu spheres", count);
    }
    geo_box box = geo_box_empty();
    for (size_t i = 0; i < count; i++) {
        box = geo_box_add(box, b->leaf_balls[i].centre);
    }
    tree->origin = vec3_madd(box.lo, 0.5, vec3_sub(box.hi, box.lo));
    lay_out(b, tree);
    for (size_t i = 0; i < count; i++) {
        order[i] = b->order.numbers[i];
        const alg_ist_ball *const ball = &b->leaf_balls[order[i]];
        const vec3 far = vec3_abs(vec3_sub(ball->centre, tree->origin));
        tree->reach = fmax(tree->reach, fmax(far.x, fmax(far.y, far.z)) + ball->far);
    }
    tree->leaf_count = (uint32_t)count;
    tree->depth = b->depth;
    return BASE_OK;
}

static base_status create_builder(builder *b, base_error *err)
{
    const size_t count = b->leaf_count;
    base_status status = create_leaves(count, &b->order, err);
    if (status != BASE_OK) {
        return status;
    }
    status = create_leaves(count, &b->scratch, err);
    if (status != BASE_OK) {
        return status;
    }
    b->cluster = base_alloc(count, sizeof *b->cluster);
    b->trial = base_alloc(count, sizeof *b->trial);
    b->balls = base_alloc(count, sizeof *b->balls);
    if (!b->cluster || !b->trial || !b->balls) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu spheres", count);
    }
    for (size_t i = 0; i < count; i++) {
        const alg_ist_ball *const ball = &b->leaf_balls[i];
        b->order.x[i] = ball->centre.x;
        b->order.y[i] = ball->centre.y;
        b->order.z[i] = ball->centre.z;
        b->order.weights[i] = ball->near * ball->near * ball->near;
        b->order.near[i] = ball->near;
        b->order.far[i] = ball->far;
        b->order.numbers[i] = (uint32_t)i;
    }
    return BASE_OK;
}

base_status alg_ist_tree_build(const alg_ist_ball *balls, size_t count,
                               const alg_ist_tree_options *options, base_arena *arena,
                               alg_ist_tree *tree, uint32_t *order, base_error *err)
{
    base_assert(count > 0 && count < ALG_IST_LEAF);
    builder b = {.leaf_balls = balls,
                 .leaf_count = count,
                 .options = *options,
                 .gas = alg_ist_gas_make(options->branching, options->fixed),
                 .branching = options->branching};
    *tree = (alg_ist_tree){0};
    base_status status = create_builder(&b, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = split_all(&b, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = finish(&b, arena, tree, order, err);
done:
    release_leaves(&b.order);
    release_leaves(&b.scratch);
    base_free(b.cluster);
    base_free(b.trial);
    base_free(b.balls);
    base_free(b.children);
    base_free(b.tasks);
    return status;
}

/* --- Quality ---------------------------------------------------------------------------------- */

/** Sums over the leaves. */
typedef struct leaf_sums {
    uint64_t depth;
    double volume, volume_depth; /* near balls, and each one times the depth of its leaf */
} leaf_sums;

/**
 * Adds the nodes and leaves below a node. depth: number of nodes from the root to this node, 1 for
 * the root.
 */
static void add_quality(const alg_ist_tree *tree, uint32_t node, uint32_t depth,
                        alg_ist_quality *quality, leaf_sums *sums)
{
    const uint32_t *const children = alg_ist_children(tree, node);
    for (uint32_t i = 0; i < tree->width && children[i] != ALG_IST_NONE; i++) {
        if (children[i] & ALG_IST_LEAF) {
            const double volume =
                geo_ball_volume((double)alg_ist_lanes(tree, node, ALG_IST_NEAR)[i]);
            sums->depth += depth;
            sums->volume += volume;
            sums->volume_depth += volume * depth;
            continue;
        }
        if (depth <= ALG_IST_QUALITY_LEVELS) {
            quality->node_volume[depth - 1] +=
                geo_ball_volume((double)alg_ist_lanes(tree, node, ALG_IST_FAR)[i]);
        }
        add_quality(tree, children[i], depth + 1, quality, sums);
    }
}

alg_ist_quality alg_ist_tree_quality(const alg_ist_tree *tree, double volume_m3)
{
    alg_ist_quality q = {.levels = tree->depth};
    leaf_sums sums = {0};
    add_quality(tree, 0, 1, &q, &sums);
    q.leaf_depth_mean = (double)sums.depth / tree->leaf_count;
    q.leaf_depth_volume_mean = sums.volume_depth / sums.volume;
    q.children_mean = (double)(tree->leaf_count + tree->node_count - 1) / tree->node_count;
    for (int level = 0; level < ALG_IST_QUALITY_LEVELS; level++) {
        q.node_volume[level] /= volume_m3;
    }
    return q;
}
