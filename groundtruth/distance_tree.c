#include "groundtruth/distance_tree.h"

enum { WIDTH = GT_TREE_WIDTH };

/** A triangle on its way to its place. */
typedef struct item {
    vec3 centroid;
    double key; /* along the direction of the split that is under way */
    uint32_t face;
} item;

typedef struct builder {
    const geo_mesh *mesh;
    vec3 origin;
    item *items;
    geo_triangle *relative; /* by place, less the origin */
    gt_distance_tree *tree;
    uint32_t level;   /* whose nodes are being split or bounded */
    size_t unit;      /* triangles of a full child */
    size_t node_size; /* triangles of a full node */
} builder;

/* --- Splitting -------------------------------------------------------------------------------- */

/** Where centroids spread most: the dominant eigenvector of their covariance. */
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
    /* Squares of the matrix: the longest row points along the eigenvector in the end. */
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
    return a->key < b->key || (a->key == b->key && a->face < b->face);
}

static void swap_items(item *a, item *b)
{
    const item t = *a;
    *a = *b;
    *b = t;
}

/** The median of three at places of the range goes to its end. */
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

/** Reorders so that the first `wanted` items are the least. */
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

/** Until no piece is larger than the unit; all but the last are that large. */
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
    for (size_t f = begin; f < end; f++) {
        const geo_triangle t = geo_mesh_triangle(b->mesh, f);
        const vec3 sum = vec3_add(vec3_add(t.p[0], t.p[1]), t.p[2]);
        b->items[f] = (item){.centroid = vec3_madd(vec3_scale(-1, b->origin), 1.0 / 3, sum),
                             .face = (uint32_t)f};
    }
}

static void fill_leaves(void *context, size_t begin, size_t end)
{
    const builder *const b = context;
    gt_distance_tree *const tree = b->tree;
    for (size_t l = begin; l < end; l++) {
        for (size_t lane = 0; lane < WIDTH; lane++) {
            const size_t place = least(l * WIDTH + lane, tree->count - 1);
            const uint32_t face = b->items[place].face;
            const geo_triangle t = geo_mesh_triangle(b->mesh, face);
            tree->faces[place] = face;
            tree->triangles[place] = t;
            for (int k = 0; k < 3; k++) {
                const vec3 p = vec3_sub(t.p[k], b->origin);
                b->relative[place].p[k] = p;
                tree->leaves[l].corner[k][0][lane] = (float)p.x;
                tree->leaves[l].corner[k][1][lane] = (float)p.y;
                tree->leaves[l].corner[k][2][lane] = (float)p.z;
            }
        }
    }
}

static void fill_nodes(void *context, size_t begin, size_t end)
{
    const builder *const b = context;
    const gt_distance_tree *const tree = b->tree;
    for (size_t i = begin; i < end; i++) {
        for (size_t lane = 0; lane < WIDTH; lane++) {
            const size_t first = i * b->node_size + lane * b->unit;
            if (first < tree->count) {
                geo_disk_fit(&b->relative[first], least(b->unit, tree->count - first),
                             &tree->nodes[b->level][i], (int)lane);
            }
        }
    }
}

static void for_level(builder *b, uint32_t level, geo_parallel_body *body)
{
    b->level = level;
    b->node_size = WIDTH;
    for (uint32_t k = 0; k < level; k++) {
        b->node_size *= WIDTH;
    }
    b->unit = b->node_size / WIDTH;
    geo_parallel_for(b->tree->level_size[level], 1 + 256 * WIDTH / b->node_size, 0, body, b);
}

static bool allocate(gt_distance_tree *tree, geo_arena *arena)
{
    const uint32_t leaves = (tree->count + WIDTH - 1) / WIDTH;
    tree->level_size[0] = leaves;
    tree->level_count = 1;
    bool ok = true;
    do {
        const uint32_t level = tree->level_count++;
        tree->level_size[level] = (tree->level_size[level - 1] + WIDTH - 1) / WIDTH;
        tree->nodes[level] =
            geo_arena_alloc(arena, tree->level_size[level], sizeof *tree->nodes[level]);
        ok = ok && tree->nodes[level] != NULL;
    } while (tree->level_size[tree->level_count - 1] > 1);
    tree->leaves = geo_arena_alloc(arena, leaves, sizeof *tree->leaves);
    tree->triangles = geo_arena_alloc(arena, tree->count, sizeof *tree->triangles);
    tree->faces = geo_arena_alloc(arena, tree->count, sizeof *tree->faces);
    return ok && tree->leaves != NULL && tree->triangles != NULL && tree->faces != NULL;
}

geo_status gt_distance_tree_build(const geo_mesh *mesh, vec3 origin, geo_arena *arena,
                                  gt_distance_tree *tree, geo_error *err)
{
    const size_t n = mesh->face_count;
    geo_assert(n >= 1 && n <= INT32_MAX);
    *tree = (gt_distance_tree){.count = (uint32_t)n};
    builder b = {.mesh = mesh, .origin = origin, .tree = tree};
    b.items = geo_alloc(n, sizeof *b.items);
    b.relative = geo_alloc(n, sizeof *b.relative);
    geo_status status = GEO_OK;
    if (b.items == NULL || b.relative == NULL || !allocate(tree, arena)) {
        status = geo_fail(err, GEO_ERR_MEMORY, "out of memory for the hierarchy of %zu faces", n);
        goto done;
    }
    geo_parallel_for(n, 4096, 0, fill_items, &b);
    for (uint32_t level = tree->level_count - 1; level > 0; level--) {
        for_level(&b, level, split_nodes);
    }
    geo_parallel_for(tree->level_size[0], 256, 0, fill_leaves, &b);
    for (uint32_t level = 1; level < tree->level_count; level++) {
        for_level(&b, level, fill_nodes);
    }
done:
    geo_free(b.items);
    geo_free(b.relative);
    return status;
}
