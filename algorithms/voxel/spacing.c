/**
 * Nearest neighbours by a tree of boxes over the points as they stand: eight consecutive points a
 * leaf, eight consecutive nodes a node.
 */
#include "algorithms/voxel/spacing.h"

#include "base/memory.h"
#include "base/simd.h"
#include "geometry/box.h"

enum { WIDTH = 8, LEVELS_MAX = 22 };

/** Boxes of up to eight children; of a lane without a child lo > hi, and infinitely far. */
typedef struct point_node {
    double lo[3][WIDTH], hi[3][WIDTH];
} point_node;

/** Level 0 is the leaves, which have no nodes: eight points each. */
typedef struct point_tree {
    const vec3 *points;
    size_t count;
    int level_count; /* the highest level has one node */
    size_t level_size[LEVELS_MAX];
    point_node *nodes[LEVELS_MAX]; /* all in one block, which nodes[1] begins */
} point_tree;

static geo_box box_of_leaf(const point_tree *tree, size_t leaf)
{
    const size_t end = WIDTH * (leaf + 1) < tree->count ? WIDTH * (leaf + 1) : tree->count;
    geo_box box = geo_box_empty();
    for (size_t i = WIDTH * leaf; i < end; i++) {
        box = geo_box_add(box, tree->points[i]);
    }
    return box;
}

static geo_box box_of_node(const point_node *node)
{
    geo_box box = geo_box_empty();
    for (int i = 0; i < WIDTH; i++) {
        const geo_box child = {
            {node->lo[0][i], node->lo[1][i], node->lo[2][i]},
            {node->hi[0][i], node->hi[1][i], node->hi[2][i]}
        };
        box = geo_box_join(box, child);
    }
    return box;
}

static void set_lane(point_node *node, size_t lane, geo_box box)
{
    for (int axis = 0; axis < 3; axis++) {
        node->lo[axis][lane] = vec3_get(box.lo, axis);
        node->hi[axis][lane] = vec3_get(box.hi, axis);
    }
}

static base_status build_tree(const vec3 *points, size_t count, point_tree *tree, base_error *err)
{
    *tree = (point_tree){.points = points, .count = count, .level_count = 1};
    tree->level_size[0] = (count + WIDTH - 1) / WIDTH;
    size_t nodes = 0;
    do {
        const size_t below = tree->level_size[tree->level_count - 1];
        tree->level_size[tree->level_count] = (below + WIDTH - 1) / WIDTH;
        nodes += tree->level_size[tree->level_count++];
    } while (tree->level_size[tree->level_count - 1] > 1);
    point_node *node = base_alloc(nodes, sizeof *node);
    if (!node) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu points", count);
    }
    for (int level = 1; level < tree->level_count; level++) {
        tree->nodes[level] = node;
        node += tree->level_size[level];
        for (size_t i = 0; i < WIDTH * tree->level_size[level]; i++) {
            const geo_box box = i >= tree->level_size[level - 1] ? geo_box_empty()
                                : level == 1                     ? box_of_leaf(tree, i)
                                             : box_of_node(&tree->nodes[level - 1][i]);
            set_lane(&tree->nodes[level][i / WIDTH], i % WIDTH, box);
        }
    }
    return BASE_OK;
}

/** The points of a leaf but `self`. */
static double nearest_in_leaf(const point_tree *tree, size_t leaf, size_t self, double best)
{
    const size_t end = WIDTH * (leaf + 1) < tree->count ? WIDTH * (leaf + 1) : tree->count;
    for (size_t i = WIDTH * leaf; i < end; i++) {
        const double distance2 = vec3_distance2(tree->points[i], tree->points[self]);
        best = i != self && distance2 < best ? distance2 : best;
    }
    return best;
}

/** Squared distances to the children. Each operation is monotone, rounding included: none is more
 * than a child's point is found to be away. */
static void bound_children(const point_node *node, vec3 p, double bound[WIDTH])
{
    const f64x4 zero = f64x4_set(0);
    for (int lane = 0; lane < WIDTH; lane += 4) {
        f64x4 sum = zero;
        for (int axis = 0; axis < 3; axis++) {
            const f64x4 at = f64x4_set(vec3_get(p, axis));
            const f64x4 under = f64x4_sub(f64x4_load(&node->lo[axis][lane]), at);
            const f64x4 over = f64x4_sub(at, f64x4_load(&node->hi[axis][lane]));
            const f64x4 gap = f64x4_max(f64x4_max(under, over), zero);
            sum = f64x4_add(sum, f64x4_mul(gap, gap));
        }
        f64x4_store(&bound[lane], sum);
    }
}

/** The least of `best` and the squared distances from `self` to the points below a node. */
static double nearest_below(const point_tree *tree, int level, size_t index, size_t self,
                            double best)
{
    double bound[WIDTH];
    bound_children(&tree->nodes[level][index], tree->points[self], bound);
    for (size_t i = 0; i < WIDTH; i++) {
        if (bound[i] < best) {
            best = level == 1 ? nearest_in_leaf(tree, WIDTH * index + i, self, best)
                              : nearest_below(tree, level - 1, WIDTH * index + i, self, best);
        }
    }
    return best;
}

base_status alg_spacing_measure(const vec3 *points, size_t count, alg_spacing *spacing,
                                base_error *err)
{
    *spacing = (alg_spacing){0};
    if (count < 2) {
        return BASE_OK;
    }
    point_tree tree;
    const base_status status = build_tree(points, count, &tree, err);
    double *const distances = status == BASE_OK ? base_alloc(count, sizeof *distances) : NULL;
    if (!distances) {
        base_free(tree.nodes[1]);
        return status != BASE_OK
                   ? status
                   : base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu points", count);
    }
    double sum = 0, least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        const double near = nearest_in_leaf(&tree, i / WIDTH, i, INFINITY);
        distances[i] = sqrt(nearest_below(&tree, tree.level_count - 1, 0, i, near));
        sum += distances[i];
        least = distances[i] < least ? distances[i] : least;
    }
    const double mean = sum / (double)count;
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        squares += (distances[i] - mean) * (distances[i] - mean);
    }
    *spacing = (alg_spacing){mean, least, mean > 0 ? sqrt(squares / (double)count) / mean : 0};
    base_free(distances);
    base_free(tree.nodes[1]);
    return BASE_OK;
}
