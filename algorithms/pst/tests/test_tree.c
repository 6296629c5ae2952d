#include "algorithms/pst/tree.h"
#include "algorithms/tests/shapes.h"
#include "base/elementary.h"

#include <stdio.h>

static const char *const cluster_names[2] = {"neighbours", "balanced"};

/* --- Points ----------------------------------------------------------------------------------- */

typedef enum cloud {
    BLOCK,   /* anywhere in a cube */
    SPHERE,  /* on the surface of a sphere */
    UNEVEN,  /* most of them around one corner */
    LATTICE, /* many distances are equal */
    LINE,
    SAME, /* all at the same position */
    FAR,  /* a small block, at a distance of 1e6 times its size */
    CLOUDS
} cloud;

static const char *const cloud_names[CLOUDS] = {"block", "sphere", "uneven", "lattice",
                                                "line",  "same",   "far"};

static const uint32_t counts[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 100, 511, 513, 5000};
enum { COUNTS = sizeof counts / sizeof counts[0] };

static vec3 cloud_point(cloud kind, uint32_t i, base_random *random)
{
    const vec3 p = shape_point(random, 1);
    switch (kind) {
    case SPHERE:
        return vec3_normalize(p);
    case UNEVEN:
        return vec3_scale(vec3_norm2(p) * vec3_norm2(p), p);
    case LATTICE:
        return (vec3){i % 17, i / 17 % 17, i / (17 * 17)};
    case LINE:
        return vec3_scale(p.x, (vec3){1, 2, -0.5});
    case SAME:
        return (vec3){0.1, 0.2, 0.3};
    case FAR:
        return vec3_madd((vec3){1e3, -1e3, 2e3}, 1e-3, p);
    default:
        return p;
    }
}

/** Makes points whose normal, patch and face encode their number. */
static alg_pst_points make_points(cloud kind, uint32_t count, base_arena *arena)
{
    alg_pst_points points = {.kind = ALG_PST_MESH, .count = count, .spacing_mean = 1};
    points.points = base_arena_alloc(arena, count, sizeof(vec3));
    points.normals = base_arena_alloc(arena, count, sizeof(vec3));
    points.patch2 = base_arena_alloc(arena, count, sizeof(float));
    points.faces = base_arena_alloc(arena, count, sizeof(uint32_t));
    base_random random = base_random_seed(7 + (uint64_t)kind);
    for (uint32_t i = 0; i < count; i++) {
        points.points[i] = cloud_point(kind, i, &random);
        points.normals[i] = (vec3){i, 1, 2};
        points.patch2[i] = (float)(i * 37 % 101);
        points.faces[i] = i;
    }
    return points;
}

static vec3 *copy_places(const alg_pst_points *points)
{
    vec3 *const places = base_alloc(points->count, sizeof *places);
    memcpy(places, points->points, points->count * sizeof *places);
    return places;
}

static alg_pst_tree build_tree(const alg_pst_points *points, alg_pst_clusters clusters,
                               base_arena *arena)
{
    alg_pst_tree tree;
    assert_ok(alg_pst_tree_build(points, clusters, arena, &tree, ERR));
    return tree;
}

/** Returns true if the first point is nearest to the mean of all, up to rounding. */
static bool first_is_nearest(const vec3 *points, const uint32_t *numbers, uint32_t count)
{
    vec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        sum = vec3_add(sum, points[numbers[i]]);
    }
    const vec3 mean = vec3_scale(1. / count, sum);
    const double slack = 1e-13 * (vec3_norm(mean) + 1);
    for (uint32_t i = 1; i < count; i++) {
        if (vec3_distance(points[numbers[i]], mean) + slack <
            vec3_distance(points[numbers[0]], mean)) {
            return false;
        }
    }
    return true;
}

/* --- By hand ---------------------------------------------------------------------------------- */

/** Ten groups of eight points; a point in the middle of each represents it. */
Test(tree, groups_far_apart_are_clusters)
{
    for (int clusters = 0; clusters < 2; clusters++) {
        SCOPED_ARENA arena = {0};
        const alg_pst_points points = make_points(LINE, 80, &arena);
        for (uint32_t i = 0; i < 80; i++) {
            const double along = i / 10; /* 0 to 7: 3 and 4 are nearest to the mean */
            points.points[i] = (vec3){1000. * (i % 10), along, 0};
        }
        const alg_pst_tree tree = build_tree(&points, (alg_pst_clusters)clusters, &arena);
        const char *const name = cluster_names[clusters];
        cr_assert(tree.level_count == 2 && tree.leaf_count == 10, "%s: %u", name, tree.leaf_count);
        for (uint32_t i = 0; i < tree.node_count * ALG_PST_WIDTH; i++) {
            const alg_pst_node *const node = &tree.nodes[i / ALG_PST_WIDTH];
            const uint32_t lane = i % ALG_PST_WIDTH;
            const uint32_t *const numbers = &points.faces[node->first[lane]];
            const bool leaf = node->child[lane] == ALG_PST_LEAF && node->count[lane] > 0;
            for (uint32_t k = 1; leaf && k < 8; k++) {
                cr_assert_eq(numbers[k] % 10, numbers[0] % 10, "%s: leaf %u mixes groups", name, i);
            }
            cr_assert(!leaf || numbers[0] / 10 == 3 || numbers[0] / 10 == 4, "%s: %u", name,
                      numbers[0]);
        }
    }
}

Test(tree, one_point)
{
    for (int clusters = 0; clusters < 2; clusters++) {
        SCOPED_ARENA arena = {0};
        const alg_pst_points points = make_points(BLOCK, 1, &arena);
        const vec3 p = points.points[0];
        const alg_pst_tree tree = build_tree(&points, (alg_pst_clusters)clusters, &arena);
        cr_assert_eq(tree.node_count, 1);
        cr_assert_eq(tree.level_count, 1);
        cr_assert_eq(tree.nodes[0].count[0], 1);
        cr_assert_eq(tree.nodes[0].child[0], ALG_PST_LEAF);
        cr_assert(vec3_equal(tree.origin, p) && vec3_equal(tree.ball.centre, p));
        cr_assert_eq(tree.ball.radius, 0);
        cr_assert_eq(tree.cluster_mean, 1);
    }
}

Test(tree, eight_points_are_one_leaf_and_nine_are_two)
{
    for (int clusters = 0; clusters < 2; clusters++) {
        SCOPED_ARENA arena = {0};
        const alg_pst_points eight = make_points(LINE, 8, &arena);
        const alg_pst_points nine = make_points(LINE, 9, &arena);
        const alg_pst_tree one = build_tree(&eight, (alg_pst_clusters)clusters, &arena);
        const alg_pst_tree two = build_tree(&nine, (alg_pst_clusters)clusters, &arena);
        cr_assert(one.node_count == 1 && one.nodes[0].count[0] == 8 && one.nodes[0].count[1] == 0);
        cr_assert(two.node_count == 1 && two.nodes[0].count[1] > 0 && two.nodes[0].count[2] == 0);
        cr_assert_eq(two.nodes[0].count[0] + two.nodes[0].count[1], 9);
    }
}

/* --- Trees ------------------------------------------------------------------------------------ */

/** State of a check: the tree and the numbers of visited nodes and points. */
typedef struct visit {
    const alg_pst_tree *tree;
    uint32_t nodes, level_count, leaf_points, smallest_leaf, largest_leaf;
    char name[80];
} visit;

static vec3 origin_place(const alg_pst_tree *tree, uint32_t i)
{
    return (vec3){(double)tree->x[i], (double)tree->y[i], (double)tree->z[i]};
}

static void check_sphere(const visit *v, const alg_pst_node *node, uint32_t lane)
{
    const alg_pst_tree *const tree = v->tree;
    const vec3 centre = {(double)node->centre[0][lane], (double)node->centre[1][lane],
                         (double)node->centre[2][lane]};
    const double radius = (double)node->radius[lane];
    float patch2 = 0;
    double farthest = 0;
    for (uint32_t i = node->first[lane]; i < node->first[lane] + node->count[lane]; i++) {
        const vec3 p = vec3_sub(tree->points.points[i], tree->origin);
        cr_assert_leq(vec3_distance(p, centre), radius, "%s: point %u", v->name, i);
        cr_assert_leq(vec3_distance(origin_place(tree, i), centre), radius, "%s: float %u", v->name,
                      i);
        patch2 = fmaxf(patch2, tree->points.patch2[i]);
        farthest = fmax(farthest, vec3_distance(p, centre));
    }
    cr_assert_eq(node->patch2[lane], patch2, "%s: patch", v->name);
    const double slack = 3 * (double)tree->rounding + 1e-6 * farthest;
    cr_assert_leq(radius, farthest + slack, "%s: radius", v->name);
}

/** The first of a leaf's points, or of the representatives of a node's lanes, is nearest to their
 * mean. */
static void check_representative(const visit *v, const alg_pst_node *node, uint32_t lane)
{
    uint32_t numbers[ALG_PST_WIDTH], count = 0;
    if (node->child[lane] == ALG_PST_LEAF) {
        for (; count < node->count[lane]; count++) {
            numbers[count] = node->first[lane] + count;
        }
    } else {
        const alg_pst_node *const below = &v->tree->nodes[node->child[lane]];
        for (; count < ALG_PST_WIDTH && below->count[count] > 0; count++) {
            numbers[count] = below->first[count];
        }
    }
    cr_assert(first_is_nearest(v->tree->points.points, numbers, count), "%s: points from %u on",
              v->name, node->first[lane]);
}

static void visit_node(visit *v, uint32_t n, uint32_t first, uint32_t count, uint32_t level)
{
    const alg_pst_node *const node = &v->tree->nodes[n];
    uint32_t lane = 0, next = first;
    v->nodes++;
    v->level_count = level + 1 > v->level_count ? level + 1 : v->level_count;
    for (; lane < ALG_PST_WIDTH && node->count[lane] > 0; lane++) {
        cr_assert_eq(node->first[lane], next, "%s: node %u, lane %u", v->name, n, lane);
        next += node->count[lane];
        check_sphere(v, node, lane);
        check_representative(v, node, lane);
        if (node->child[lane] == ALG_PST_LEAF) {
            cr_assert_leq(node->count[lane], ALG_PST_WIDTH, "%s", v->name);
            v->leaf_points += node->count[lane];
            v->smallest_leaf =
                node->count[lane] < v->smallest_leaf ? node->count[lane] : v->smallest_leaf;
            v->largest_leaf =
                node->count[lane] > v->largest_leaf ? node->count[lane] : v->largest_leaf;
        } else {
            cr_assert(node->child[lane] > n && node->child[lane] < v->tree->node_count);
            visit_node(v, node->child[lane], node->first[lane], node->count[lane], level + 1);
        }
    }
    cr_assert_eq(next, first + count, "%s: node %u has other points than its lane", v->name, n);
    for (; lane < ALG_PST_WIDTH; lane++) {
        cr_assert_eq(node->count[lane], 0, "%s: lanes follow each other", v->name);
        cr_assert_eq(node->radius[lane], -INFINITY, "%s: an empty lane", v->name);
    }
}

/** All data of a point has moved to its new index, and each point occurs once. */
static void check_order(const visit *v, const vec3 *places)
{
    const alg_pst_points *const points = &v->tree->points;
    SCOPED_FREE bool *const seen = base_alloc(points->count, sizeof *seen);
    memset(seen, 0, points->count * sizeof *seen);
    for (uint32_t i = 0; i < points->count; i++) {
        const uint32_t old = points->faces[i];
        cr_assert(old < points->count && !seen[old], "%s: point %u", v->name, old);
        seen[old] = true;
        cr_assert(vec3_equal(points->points[i], places[old]), "%s: place of %u", v->name, old);
        cr_assert_eq(points->normals[i].x, old, "%s: normal of %u", v->name, old);
        cr_assert_eq(points->patch2[i], (float)(old * 37 % 101), "%s: patch of %u", v->name, old);
    }
}

static void check_floats(const visit *v)
{
    const alg_pst_tree *const tree = v->tree;
    const uint32_t count = tree->points.count;
    for (uint32_t i = 0; i < count; i++) {
        const vec3 p = tree->points.points[i];
        const vec3 q = vec3_sub(p, tree->origin);
        cr_assert_leq(vec3_distance(q, origin_place(tree, i)), (double)tree->rounding, "%s: %u",
                      v->name, i);
        cr_assert_leq(vec3_norm(q), tree->extent, "%s: %u", v->name, i);
        cr_assert_leq(vec3_distance(p, tree->ball.centre), tree->ball.radius, "%s: %u", v->name, i);
    }
    for (uint32_t i = count; i < count + ALG_PST_WIDTH - 1; i++) {
        cr_assert(vec3_equal(origin_place(tree, i), origin_place(tree, count - 1)), "%s", v->name);
    }
}

/** The points of a packed leaf have the right positions, and other lanes are unused. */
static void check_leaf(const visit *v, const alg_pst_packed_node *packed, uint32_t lane,
                       uint32_t first, uint32_t count)
{
    const alg_pst_tree *const tree = v->tree;
    const alg_pst_packed_leaf *const leaf =
        &tree->leaves[packed->child[lane] - ALG_PST_PACKED_LEAF];
    const float unit = packed->step * (float)packed->radius[lane] / ALG_PST_LEAF_STEPS;
    for (uint32_t i = 0; i < ALG_PST_WIDTH; i++) {
        cr_assert_eq(leaf->at[0][i] == INT16_MIN, i >= count, "%s: lane %u", v->name, i);
        if (i >= count) {
            continue;
        }
        float p[3];
        for (int axis = 0; axis < 3; axis++) {
            const float centre =
                packed->corner[axis] + packed->step * (float)packed->centre[axis][lane];
            p[axis] = centre + unit * (float)leaf->at[axis][i];
        }
        const vec3 at = {(double)p[0], (double)p[1], (double)p[2]};
        const vec3 exact = vec3_sub(tree->points.points[first + i], tree->origin);
        cr_assert_leq(vec3_distance(at, exact), (double)tree->packed_rounding, "%s: point %u",
                      v->name, first + i);
        const float patch2 = base_half_value(leaf->patch2[i]);
        cr_assert(patch2 >= tree->points.patch2[first + i] &&
                      patch2 <= tree->points.patch2[first + i] * (1 + 0x1p-7F),
                  "%s: patch of point %u", v->name, first + i);
    }
}

/** Packed spheres contain those of the nodes and are hardly larger; leaves are numbered in order.
 */
static void check_packed(const visit *v)
{
    const alg_pst_tree *const tree = v->tree;
    uint32_t leaf = 0;
    double greatest = 0; /* greatest radius of the leaves */
    for (uint32_t n = 0; n < tree->node_count; n++) {
        const alg_pst_node *const node = &tree->nodes[n];
        const alg_pst_packed_node *const packed = &tree->packed[n];
        for (uint32_t lane = 0; lane < ALG_PST_WIDTH; lane++) {
            if (node->count[lane] == 0) {
                cr_assert_eq(packed->child[lane], 0, "%s: lane %u of %u", v->name, lane, n);
                continue;
            }
            double way2 = 0;
            for (int axis = 0; axis < 3; axis++) {
                const float centre =
                    packed->corner[axis] + packed->step * (float)packed->centre[axis][lane];
                const double off = (double)centre - (double)node->centre[axis][lane];
                way2 += off * off;
            }
            const double radius = (double)packed->step * packed->radius[lane];
            const double least = (double)node->radius[lane] + sqrt(way2);
            cr_assert(radius >= least && radius <= least + (double)packed->step * (1 + 0x1p-20),
                      "%s: radius %g for %g, steps of %g", v->name, radius, least,
                      (double)packed->step);
            const float patch2 = base_half_value(packed->patch2[lane]);
            cr_assert_geq(patch2, node->patch2[lane], "%s: patch", v->name);
            if (node->child[lane] == ALG_PST_LEAF) {
                cr_assert_eq(packed->child[lane], ALG_PST_PACKED_LEAF + leaf++, "%s", v->name);
                greatest = fmax(greatest, radius);
                check_leaf(v, packed, lane, node->first[lane], node->count[lane]);
            } else {
                cr_assert_eq(packed->child[lane], node->child[lane], "%s", v->name);
            }
        }
    }
    cr_assert_eq(leaf, tree->leaf_count, "%s", v->name);
    const double own = 2 * (double)tree->rounding;
    cr_assert_leq((double)tree->packed_rounding, own + greatest * 0x1p-14, "%s", v->name);
}

static void check_tree(cloud kind, uint32_t count, alg_pst_clusters clusters)
{
    SCOPED_ARENA arena = {0};
    const alg_pst_points points = make_points(kind, count, &arena);
    SCOPED_FREE vec3 *const places = copy_places(&points);
    const alg_pst_tree tree = build_tree(&points, clusters, &arena);
    visit v = {.tree = &tree, .smallest_leaf = UINT32_MAX};
    (void)snprintf(v.name, sizeof v.name, "%s of %u, %s", cloud_names[kind], count,
                   cluster_names[clusters]);
    cr_assert_eq((uintptr_t)tree.nodes % 64, 0, "%s", v.name);
    visit_node(&v, 0, 0, count, 0);
    cr_assert_eq(v.nodes, tree.node_count, "%s", v.name);
    cr_assert_eq(v.level_count, tree.level_count, "%s", v.name);
    cr_assert_eq(v.leaf_points, count, "%s", v.name);
    if (clusters == ALG_PST_BALANCED) {
        cr_assert_leq(v.largest_leaf - v.smallest_leaf, 1, "%s: %u to %u points", v.name,
                      v.smallest_leaf, v.largest_leaf);
        uint32_t levels = 1;
        for (uint32_t rest = (count - 1) / 8 + 1; rest > 8; rest = (rest - 1) / 8 + 1) {
            levels++;
        }
        cr_assert_eq(tree.level_count, levels, "%s: %u levels", v.name, tree.level_count);
    } else {
        cr_assert(count <= 12 || v.smallest_leaf >= 3, "%s: a leaf of %u", v.name, v.smallest_leaf);
    }
    check_order(&v, places);
    check_floats(&v);
    check_packed(&v);
}

Test(tree, ranges_spheres_and_order)
{
    for (int kind = 0; kind < CLOUDS; kind++) {
        for (int i = 0; i < COUNTS; i++) {
            check_tree((cloud)kind, counts[i], ALG_PST_NEIGHBOURS);
            check_tree((cloud)kind, counts[i], ALG_PST_BALANCED);
        }
    }
}

Test(tree, describes_its_leaves)
{
    SCOPED_ARENA arena = {0};
    const alg_pst_points points = make_points(BLOCK, 900, &arena);
    const alg_pst_tree tree = build_tree(&points, ALG_PST_BALANCED, &arena);
    /* 113 clusters of 7 or 8 points, 109 of them full. */
    cr_assert_float_eq(tree.cluster_mean, 900. / 113, 1e-12);
    const double mean = 900. / 113, square = (109 * 64. + 4 * 49.) / 113;
    cr_assert_float_eq(tree.cluster_deviation, sqrt(square - mean * mean) / mean, 1e-9);
    double radii = 0;
    for (uint32_t n = 0; n < tree.node_count; n++) {
        for (uint32_t lane = 0; lane < ALG_PST_WIDTH; lane++) {
            const alg_pst_node *const node = &tree.nodes[n];
            const bool leaf = node->count[lane] > 0 && node->child[lane] == ALG_PST_LEAF;
            radii += leaf ? (double)node->radius[lane] : 0;
        }
    }
    cr_assert_float_eq(tree.cluster_radius, radii / 113, 1e-9); /* the spacing is 1 */
}
