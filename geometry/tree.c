#include "geometry/tree.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/simd.h"

#include <float.h>

enum { WIDTH = GEO_TREE_WIDTH };

/** A triangle during the build. */
typedef struct item {
    vec3 centroid;
    double key; /* coordinate along the direction of the current split */
    uint32_t part;
} item;

/** A triangle of the mesh, or a part of one. */
typedef struct part {
    geo_triangle triangle;
    uint32_t face;
} part;

typedef struct builder {
    const geo_mesh *mesh;
    vec3 origin;
    part *parts;
    item *items;
    geo_triangle *relative; /* in tree order; relative to the origin */
    geo_tree *tree;
    uint32_t level;   /* level whose nodes are being split or bounded */
    size_t unit;      /* triangles per full child */
    size_t node_size; /* triangles per full node */
} builder;

/* --- Splitting -------------------------------------------------------------------------------- */

/**
 * Returns the direction of largest spread of the centroids: the dominant eigenvector of their
 * covariance.
 */
static vec3 direction_of_spread(const item *items, size_t count)
{
    vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        sum = vec3_add(sum, items[i].centroid);
    }
    const vec3 mean = vec3_scale(1 / (double)count, sum);
    mat3 m = {0};
    for (size_t i = 0; i < count; i++) {
        const vec3 d = vec3_sub(items[i].centroid, mean);
        m.row[0] = vec3_madd(m.row[0], d.x, d);
        m.row[1] = vec3_madd(m.row[1], d.y, d);
        m.row[2] = vec3_madd(m.row[2], d.z, d);
    }
    /* The matrix is squared repeatedly. Its longest row then converges to the direction of the
     * eigenvector. */
    vec3 longest = {1, 0, 0};
    for (int pass = 0; pass < 6; pass++) {
        const double trace = m.row[0].x + m.row[1].y + m.row[2].z;
        if (!(trace > 0)) {
            break;
        }
        for (int i = 0; i < 3; i++) {
            m.row[i] = vec3_scale(1 / trace, m.row[i]);
        }
        m = mat3_mul(m, m);
        longest = m.row[0];
        for (int i = 1; i < 3; i++) {
            longest = vec3_norm2(m.row[i]) > vec3_norm2(longest) ? m.row[i] : longest;
        }
    }
    return longest;
}

static bool item_less(const item *a, const item *b)
{
    return a->key < b->key || (a->key == b->key && a->part < b->part);
}

static void swap_items(item *a, item *b)
{
    const item t = *a;
    *a = *b;
    *b = t;
}

/** Moves the median of three items to the end of the range, as the pivot. */
static void place_pivot(item *items, size_t count)
{
    item *const first = &items[0], *const mid = &items[count / 2], *const last = &items[count - 1];
    if (item_less(mid, first)) {
        swap_items(mid, first);
    }
    if (item_less(last, first)) {
        swap_items(last, first);
    }
    if (item_less(mid, last)) {
        swap_items(mid, last);
    }
}

/** Reorders the items so that the first `wanted` ones are the smallest. */
static void select_least(item *items, size_t count, size_t wanted)
{
    size_t begin = 0, end = count;
    while (end - begin > 1) {
        place_pivot(&items[begin], end - begin);
        size_t at = begin;
        for (size_t i = begin; i + 1 < end; i++) {
            if (item_less(&items[i], &items[end - 1])) {
                swap_items(&items[i], &items[at++]);
            }
        }
        swap_items(&items[at], &items[end - 1]);
        if (at == wanted) {
            return;
        }
        if (at < wanted) {
            begin = at + 1;
        } else {
            end = at;
        }
    }
}

/** Splits until no part has more than `unit` items; all parts except the last have that size. */
static void split(item *items, size_t count, size_t unit)
{
    if (count <= unit) {
        return;
    }
    const vec3 direction = direction_of_spread(items, count);
    for (size_t i = 0; i < count; i++) {
        items[i].key = vec3_dot(direction, items[i].centroid);
    }
    const size_t units = (count + unit - 1) / unit, left = units / 2 * unit;
    select_least(items, count, left);
    split(items, left, unit);
    split(&items[left], count - left, unit);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void split_nodes(void *context, size_t begin, size_t end)
{
    const builder *const b = context;
    for (size_t i = begin; i < end; i++) {
        const size_t first = i * b->node_size;
        split(&b->items[first], least(b->node_size, b->tree->count - first), b->unit);
    }
}

/* --- Filling ---------------------------------------------------------------------------------- */

static void fill_items(void *context, size_t begin, size_t end)
{
    const builder *const b = context;
    for (size_t i = begin; i < end; i++) {
        const geo_triangle t = b->parts[i].triangle;
        const vec3 sum = vec3_add(vec3_add(t.p[0], t.p[1]), t.p[2]);
        b->items[i] = (item){.centroid = vec3_madd(vec3_scale(-1, b->origin), 1.0 / 3, sum),
                             .part = (uint32_t)i};
    }
}

/**
 * Fills the plane of a triangle. If the corners are too far from the plane, as rounded to float,
 * the triangle gets no plane (normal 0).
 */
static void fill_plane(const geo_triangle *relative, double span, geo_tree_leaf *leaf, size_t lane)
{
    const vec3 *const p = relative->p;
    const vec3 normal = vec3_normalize(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])));
    const vec3 n = {(double)(float)normal.x, (double)(float)normal.y, (double)(float)normal.z};
    const float offset = (float)vec3_dot(n, p[0]);
    bool flat = true;
    for (int k = 0; k < 3; k++) {
        flat = flat && fabs(vec3_dot(n, p[k]) - (double)offset) <= 4 * (double)FLT_EPSILON * span;
    }
    for (int k = 0; k < 3; k++) {
        leaf->normal[k][lane] = flat ? (float)vec3_get(n, k) : 0;
    }
    leaf->offset[lane] = flat ? offset : 0;
}

static void fill_leaves(void *context, size_t begin, size_t end)
{
    const builder *const b = context;
    geo_tree *const tree = b->tree;
    for (size_t l = begin; l < end; l++) {
        for (size_t lane = 0; lane < WIDTH; lane++) {
            const size_t index = least(l * WIDTH + lane, tree->count - 1);
            const part *const of = &b->parts[b->items[index].part];
            tree->faces[index] = of->face;
            tree->triangles[index] = geo_mesh_triangle(b->mesh, of->face);
            for (int k = 0; k < 3; k++) {
                const vec3 p = vec3_sub(of->triangle.p[k], b->origin);
                b->relative[index].p[k] = p;
                tree->leaves[l].corner[k][0][lane] = (float)p.x;
                tree->leaves[l].corner[k][1][lane] = (float)p.y;
                tree->leaves[l].corner[k][2][lane] = (float)p.z;
            }
            fill_plane(&b->relative[index], tree->span, &tree->leaves[l], lane);
        }
    }
}

/**
 * Fills the box and the slab around triangles [begin, end), relative to the origin. The slab has
 * the normal and the thickness of their cylinder.
 */
static void fill_slab(const builder *b, size_t begin, size_t end,
                      const geo_cylinder_node *cylinders, geo_slab_node *slabs, size_t lane)
{
    geo_box box = geo_box_empty();
    for (size_t i = begin; i < end; i++) {
        box = geo_box_join(box, geo_box_of_triangle(b->relative[i]));
    }
    double at = 0, reach = 0;
    for (int k = 0; k < 3; k++) {
        const double n = (double)cylinders->normal[k][lane], c = (double)cylinders->centre[k][lane];
        slabs->lo[k][lane] = begin < end ? base_float_below(vec3_get(box.lo, k)) : INFINITY;
        slabs->hi[k][lane] = begin < end ? base_float_above(vec3_get(box.hi, k)) : -INFINITY;
        slabs->normal[k][lane] = cylinders->normal[k][lane];
        at += n * c;
        reach += fabs(c);
    }
    slabs->at[lane] = (float)at;
    slabs->thickness[lane] =
        base_float_above((double)cylinders->thickness[lane] + (double)FLT_EPSILON * reach);
}

static void fill_nodes(void *context, size_t begin, size_t end)
{
    const builder *const b = context;
    const geo_tree *const tree = b->tree;
    for (size_t i = begin; i < end; i++) {
        geo_cylinder_node *const cylinders = &tree->nodes[b->level][i];
        for (size_t lane = 0; lane < WIDTH; lane++) {
            const size_t first = least(i * b->node_size + lane * b->unit, tree->count);
            const size_t last = least(first + b->unit, tree->count);
            if (first < last) {
                geo_cylinder_fit(&b->relative[first], last - first, cylinders, (int)lane);
            }
            fill_slab(b, first, last, cylinders, &tree->slabs[b->level][i], lane);
        }
    }
}

static void for_level(builder *b, uint32_t level, base_parallel_body *body)
{
    b->level = level;
    b->node_size = WIDTH;
    for (uint32_t k = 0; k < level; k++) {
        b->node_size *= WIDTH;
    }
    b->unit = b->node_size / WIDTH;
    base_parallel_for(b->tree->level_size[level], 1 + 256 * WIDTH / b->node_size, 0, body, b);
}

static bool allocate(geo_tree *tree, base_arena *arena)
{
    const uint32_t leaves = (tree->count + WIDTH - 1) / WIDTH;
    tree->level_size[0] = leaves;
    tree->level_count = 1;
    bool ok = true;
    do {
        const uint32_t level = tree->level_count++;
        tree->level_size[level] = (tree->level_size[level - 1] + WIDTH - 1) / WIDTH;
        tree->nodes[level] =
            base_arena_alloc(arena, tree->level_size[level], sizeof *tree->nodes[level]);
        tree->slabs[level] =
            base_arena_alloc(arena, tree->level_size[level], sizeof *tree->slabs[level]);
        ok = ok && tree->nodes[level] && tree->slabs[level];
    } while (tree->level_size[tree->level_count - 1] > 1);
    tree->leaves = base_arena_alloc(arena, leaves, sizeof *tree->leaves);
    tree->triangles = base_arena_alloc(arena, tree->count, sizeof *tree->triangles);
    tree->faces = base_arena_alloc(arena, tree->count, sizeof *tree->faces);
    return ok && tree->leaves && tree->triangles && tree->faces;
}

/* --- Parts ------------------------------------------------------------------------------------ */

enum {
    HALVINGS_MAX = 64,
    PARTS_PER_FACE = 8, /* limit of the mean number of parts */
};

/* A triangle is divided if its longest edge is more than this times the root of the mean area. In
 * a mesh of equal equilateral triangles the ratio is 1.5. */
#define LONG_EDGE 3.0

static double longest_edge2(const geo_triangle *t, int *from)
{
    double longest = -1;
    for (int k = 0; k < 3; k++) {
        const double length2 = vec3_distance2(t->p[k], t->p[k == 2 ? 0 : k + 1]);
        if (length2 > longest) {
            longest = length2;
            *from = k;
        }
    }
    return longest;
}

/**
 * Halves a triangle across its longest edge until no part has an edge above the limit, or for
 * HALVINGS_MAX times. Returns the number of parts, or some number above `most` if there are more.
 * Stores the parts if `parts` is not NULL.
 */
static size_t divide(const part *whole, double limit2, int halvings, size_t most, part *parts)
{
    const vec3 *const p = whole->triangle.p;
    int k = 0;
    if (!(longest_edge2(&whole->triangle, &k) > limit2) || halvings == HALVINGS_MAX) {
        if (parts) {
            *parts = *whole;
        }
        return 1;
    }
    const vec3 from = p[k], to = p[k == 2 ? 0 : k + 1], apex = p[k == 0 ? 2 : k - 1];
    const vec3 middle = vec3_scale(0.5, vec3_add(from, to));
    const part left = {{{from, middle, apex}}, whole->face};
    const part right = {{{middle, to, apex}}, whole->face};
    const size_t count = divide(&left, limit2, halvings + 1, most, parts);
    if (count > most) {
        return count;
    }
    return count + divide(&right, limit2, halvings + 1, most - count, parts ? &parts[count] : NULL);
}

static size_t divide_face(const geo_mesh *mesh, size_t f, double limit2, size_t most, part *parts)
{
    const part whole = {geo_mesh_triangle(mesh, f), (uint32_t)f};
    return divide(&whole, limit2, 0, most, parts);
}

/** Returns the number of parts of all faces, or some number above `most` if there are more. */
static size_t count_parts(const geo_mesh *mesh, double limit2, size_t most)
{
    size_t count = 0;
    for (size_t f = 0; f < mesh->face_count && count <= most; f++) {
        count += divide_face(mesh, f, limit2, most - count, NULL);
    }
    return count;
}

double geo_tree_longest_edge(const geo_mesh *mesh)
{
    const size_t n = mesh->face_count;
    const size_t most = PARTS_PER_FACE * n < INT32_MAX ? PARTS_PER_FACE * n : INT32_MAX;
    double area = 0, longest2 = 0;
    for (size_t f = 0; f < n; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        int k;
        area += 0.5 * vec3_norm(vec3_cross(vec3_sub(t.p[1], t.p[0]), vec3_sub(t.p[2], t.p[0])));
        longest2 = base_larger(longest_edge2(&t, &k), longest2);
    }
    /* An edge that is divided into `most` parts alone is a lower limit. So the loop is short. */
    double limit2 = base_larger(LONG_EDGE * LONG_EDGE * area / (double)n,
                                longest2 / ((double)most * (double)most));
    while (longest2 > limit2 && count_parts(mesh, limit2, most) > most) {
        limit2 *= 1.5;
    }
    return longest2 > limit2 ? sqrt(limit2) : (double)INFINITY;
}

/* --- The tree --------------------------------------------------------------------------------- */

base_status geo_tree_build(const geo_mesh *mesh, vec3 origin, double longest_edge_m,
                           base_arena *arena, geo_tree *tree, base_error *err)
{
    const size_t faces = mesh->face_count;
    base_assert(faces >= 1 && faces <= INT32_MAX);
    double span2 = 0;
    for (size_t i = 0; i < 3 * faces; i++) {
        const vec3 p = mesh->vertices[mesh->faces[i / 3].v[i % 3]];
        span2 = base_larger(vec3_distance2(p, origin), span2);
    }
    const double span = sqrt(span2) * (1 + 4 * DBL_EPSILON);
    const double limit2 = longest_edge_m * longest_edge_m;
    const size_t n = count_parts(mesh, limit2, INT32_MAX);
    base_assert(n <= INT32_MAX);
    *tree = (geo_tree){.origin = origin, .span = span, .count = (uint32_t)n, .divided = n > faces};
    builder b = {.mesh = mesh, .origin = origin, .tree = tree};
    b.parts = base_alloc(n, sizeof *b.parts);
    b.items = base_alloc(n, sizeof *b.items);
    b.relative = base_alloc(n, sizeof *b.relative);
    base_status status = BASE_OK;
    if (!b.parts || !b.items || !b.relative || !allocate(tree, arena)) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for the hierarchy of %zu faces", n);
        goto done;
    }
    for (size_t f = 0, count = 0; f < faces; f++) {
        count += divide_face(mesh, f, limit2, INT32_MAX, &b.parts[count]);
    }
    base_parallel_for(n, 4096, 0, fill_items, &b);
    for (uint32_t level = tree->level_count - 1; level > 0; level--) {
        for_level(&b, level, split_nodes);
    }
    base_parallel_for(tree->level_size[0], 256, 0, fill_leaves, &b);
    for (uint32_t level = 1; level < tree->level_count; level++) {
        for_level(&b, level, fill_nodes);
    }
done:
    base_free(b.parts);
    base_free(b.items);
    base_free(b.relative);
    return status;
}

/* --- Pairs ------------------------------------------------------------------------------------ */

/** Returns a bound of the distances of the corners from 0. */
static double reach_of(const geo_tree *tree)
{
    return vec3_norm(tree->origin) + tree->span;
}

bool geo_tree_pairs(const geo_tree *a, const geo_tree *b, const geo_pose *pose,
                    geo_tree_pairs_visitor *visit, void *context)
{
    base_assert(!a->divided && !b->divided);
    const geo_pose there = {pose->rotation, vec3_sub(geo_pose_apply(pose, b->origin), a->origin)};
    const geo_pose back = geo_pose_inverse(&there);
    /* The last argument of the margin covers the roundings in double of moved corners and of
     * `there`. */
    const double reach = reach_of(a) + reach_of(b) + vec3_norm(pose->translation);
    const geo_tree_pairs_task task = {
        .tree = {a, b},
        .to_other = {geo_motion_make(&back), geo_motion_make(&there)},
        .margin = geo_motion_margin(a->span, b->span, vec3_norm(there.translation),
                                    64 * DBL_EPSILON * reach),
        .visit = visit,
        .context = context,
    };
    return base_cpu_avx2() ? geo_tree_pairs_avx2(&task) : geo_tree_pairs_sse2(&task);
}

bool geo_tree_intersections(const geo_tree *a, const geo_tree *b, const geo_pose *pose, bool common,
                            geo_face_pair_visitor *visit, void *context, uint64_t *tests)
{
    geo_crossing_queue queue;
    queue.tree[0] = a;
    queue.tree[1] = b;
    queue.pose = pose;
    queue.common = common;
    queue.visit = visit;
    queue.context = context;
    queue.tests = 0;
    queue.go = true;
    queue.count = 0;
    if (base_cpu_avx2()) {
        geo_tree_pairs(a, b, pose, geo_crossing_add_avx2, &queue);
        geo_crossing_end_avx2(&queue);
    } else {
        geo_tree_pairs(a, b, pose, geo_crossing_add_sse2, &queue);
        geo_crossing_end_sse2(&queue);
    }
    if (tests) {
        *tests = queue.tests;
    }
    return queue.go;
}
