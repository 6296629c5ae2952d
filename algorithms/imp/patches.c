#include "algorithms/imp/patches.h"

#include "base/memory.h"
#include "base/simd.h"

#include <float.h>
#include <math.h>

/* A triangle has 3 corners, and each of 6 planes adds at most one to a convex polygon. Rounding can
 * make a polygon slightly concave, so clipping stops before a polygon has more corners than fit. */
enum { CORNERS_MAX = 12 };

static const double HALF_SQRT2 = 0.70710678118654752;

typedef struct polygon {
    vec3 corners[CORNERS_MAX];
    uint32_t count;
} polygon;

/** A patch under construction. */
typedef struct growing {
    vec3 area;     /* sum of area times unit normal */
    vec3 moment;   /* sum of area times mean point, relative to `grid.corner` */
    double weight; /* sum of areas */
    uint32_t next; /* next patch of the same voxel, or ALG_IMP_FULL */
} growing;

typedef struct cutting {
    alg_imp_body *body;
    vec3 normal;    /* unit normal of the triangle that is cut */
    growing *items; /* owned */
    size_t capacity;
    uint32_t count;
    uint32_t *heads, *tails; /* owned; first and last patch of each voxel; heads are ALG_IMP_FULL
                                for a voxel without patches */
    base_status status;
    base_error *err;
} cutting;

/* --- Patches ---------------------------------------------------------------------------------- */

/**
 * Finds the voxel that a piece belongs to. This is voxel `at` if it is stored. Else it is the
 * stored voxel whose centre is nearest to the point, among the 5 x 5 x 5 around `at`. Returns false
 * if none of them is stored.
 */
static bool find_near(const alg_imp_body *b, alg_imp_cell at, vec3 point, uint32_t *voxel)
{
    const uint32_t *const n = b->grid.size;
    double best = INFINITY;
    if (alg_imp_tree_find(&b->tree, at, voxel) && *voxel != ALG_IMP_FULL) {
        return true;
    }
    for (int64_t i = 0; i < 125; i++) {
        const int64_t x = at.x + i % 5 - 2, y = at.y + i / 5 % 5 - 2, z = at.z + i / 25 - 2;
        const alg_imp_cell cell = {(uint32_t)x, (uint32_t)y, (uint32_t)z};
        uint32_t other;
        if (x < 0 || y < 0 || z < 0 || x >= n[0] || y >= n[1] || z >= n[2] ||
            !alg_imp_tree_find(&b->tree, cell, &other) || other == ALG_IMP_FULL) {
            continue;
        }
        const double d2 = vec3_distance2(alg_voxel_middle(&b->grid, x, y, z), point);
        if (d2 < best) {
            best = d2;
            *voxel = other;
        }
    }
    return isfinite(best);
}

/**
 * Returns the patch that a piece with this area vector joins: an existing patch with a similar
 * normal, or a new patch. Returns NULL if out of memory.
 */
static growing *patch_of(cutting *c, uint32_t voxel, vec3 area)
{
    for (uint32_t i = c->heads[voxel]; i != ALG_IMP_FULL; i = c->items[i].next) {
        const vec3 own = c->items[i].area;
        if (vec3_dot(own, area) > HALF_SQRT2 * vec3_norm(own) * vec3_norm(area)) {
            return &c->items[i];
        }
    }
    c->status = base_reserve(c->items, c->capacity, (size_t)c->count + 1, c->err);
    if (c->status != BASE_OK) {
        return NULL;
    }
    c->items[c->count] = (growing){.next = ALG_IMP_FULL};
    if (c->heads[voxel] == ALG_IMP_FULL) {
        c->heads[voxel] = c->count;
    } else {
        c->items[c->tails[voxel]].next = c->count;
    }
    c->tails[voxel] = c->count;
    return &c->items[c->count++];
}

static void add_piece(cutting *c, const polygon *piece, alg_imp_cell at)
{
    const alg_imp_body *const b = c->body;
    vec3 moment = {0, 0, 0};
    double weight = 0;
    for (uint32_t i = 1; i + 1 < piece->count; i++) {
        const vec3 *const p = piece->corners;
        const vec3 part =
            vec3_scale(0.5, vec3_cross(vec3_sub(p[i], p[0]), vec3_sub(p[i + 1], p[0])));
        const vec3 middle = vec3_scale(1.0 / 3, vec3_add(p[0], vec3_add(p[i], p[i + 1])));
        const double own = vec3_norm(part);
        moment = vec3_madd(moment, own, vec3_sub(middle, b->grid.corner));
        weight += own;
    }
    uint32_t voxel = 0;
    if (!(weight > 0) || !find_near(b, at, vec3_madd(b->grid.corner, 1 / weight, moment), &voxel)) {
        return;
    }
    /* Use the triangle's normal: if the piece is a sliver, rounding may invert the orientation of
     * its corners. */
    vec3 area = vec3_scale(weight, c->normal);
    const float *const n = b->voxels[voxel].normal;
    const vec3 outward = {(double)n[0], (double)n[1], (double)n[2]};
    if (!b->solid && vec3_dot(area, outward) < 0) {
        area = vec3_scale(-1, area);
    }
    growing *const patch = patch_of(c, voxel, area);
    if (patch) {
        patch->area = vec3_add(patch->area, area);
        patch->moment = vec3_add(patch->moment, moment);
        patch->weight += weight;
    }
}

/* --- Cutting ---------------------------------------------------------------------------------- */

/**
 * Returns the part of a polygon on one side of a plane across an axis: below it if sign is 1, above
 * it if sign is -1.
 */
static polygon part_of(const polygon *p, int axis, double plane, double sign)
{
    polygon part = {.count = 0};
    for (uint32_t i = 0; i < p->count && part.count + 2 <= CORNERS_MAX; i++) {
        const vec3 from = p->corners[i], to = p->corners[(i + 1) % p->count];
        const double a = sign * (vec3_get(from, axis) - plane);
        const double b = sign * (vec3_get(to, axis) - plane);
        if (a <= 0) {
            part.corners[part.count++] = from;
        }
        if ((a < 0 && b > 0) || (a > 0 && b < 0)) {
            part.corners[part.count++] = vec3_madd(from, a / (a - b), vec3_sub(to, from));
        }
    }
    return part;
}

static uint32_t axis_of(alg_imp_cell at, int axis)
{
    return axis == 0 ? at.x : axis == 1 ? at.y : at.z;
}

static void cut(cutting *c, const polygon *p, int axis, alg_imp_cell at)
{
    if (c->status != BASE_OK || p->count < 3) {
        return;
    }
    if (axis == 3) {
        add_piece(c, p, at);
        return;
    }
    vec3 lo = p->corners[0], hi = lo;
    for (uint32_t i = 1; i < p->count; i++) {
        lo = vec3_min(lo, p->corners[i]);
        hi = vec3_max(hi, p->corners[i]);
    }
    const uint32_t first = axis_of(alg_imp_cell_of(&c->body->grid, lo), axis);
    const uint32_t last = axis_of(alg_imp_cell_of(&c->body->grid, hi), axis);
    polygon rest = *p;
    for (uint32_t i = first; i <= last; i++) {
        const double plane = alg_voxel_plane(&c->body->grid, axis, (int64_t)i + 1);
        const polygon below = i < last ? part_of(&rest, axis, plane, 1) : rest;
        const alg_imp_cell cell = {axis == 0 ? i : at.x, axis == 1 ? i : at.y,
                                   axis == 2 ? i : at.z};
        cut(c, &below, axis + 1, cell);
        rest = part_of(&rest, axis, plane, -1);
    }
}

/* --- Results ---------------------------------------------------------------------------------- */

static base_status list_patches(const cutting *c)
{
    alg_imp_body *const b = c->body;
    const uint32_t voxels = b->tree.voxel_count;
    uint32_t next = 0;
    b->patches = base_arena_alloc(&b->arena, c->count, sizeof *b->patches);
    b->patch_starts = base_arena_alloc(&b->arena, (size_t)voxels + 1, sizeof *b->patch_starts);
    if (!b->patches || !b->patch_starts) {
        return base_fail(c->err, BASE_ERR_MEMORY, "out of memory for %u patches", c->count);
    }
    for (uint32_t v = 0; v < voxels; v++) {
        b->patch_starts[v] = next;
        for (uint32_t i = c->heads[v]; i != ALG_IMP_FULL; i = c->items[i].next) {
            const growing *const g = &c->items[i];
            const double edge = b->grid.edge;
            const vec3 point = vec3_scale(1 / g->weight, g->moment);
            const vec3 normal = vec3_normalize(g->area);
            alg_imp_patch *const patch = &b->patches[next++];
            *patch = (alg_imp_patch){.faces = (float)(vec3_norm(g->area) / (edge * edge))};
            for (int axis = 0; axis < 3; axis++) {
                patch->point[axis] = (float)vec3_get(point, axis);
                patch->normal[axis] = (float)vec3_get(normal, axis);
            }
        }
    }
    b->patch_starts[voxels] = next;
    return BASE_OK;
}

base_status alg_imp_patches_build(const geo_mesh *mesh, alg_imp_body *body, base_error *err)
{
    const uint32_t voxels = body->tree.voxel_count;
    cutting c = {.body = body, .status = BASE_OK, .err = err};
    c.heads = base_alloc(voxels, sizeof *c.heads);
    c.tails = base_alloc(voxels, sizeof *c.tails);
    if (c.heads && c.tails) {
        for (uint32_t v = 0; v < voxels; v++) {
            c.heads[v] = ALG_IMP_FULL;
        }
        for (size_t face = 0; face < mesh->face_count; face++) {
            const geo_triangle t = geo_mesh_triangle(mesh, face);
            const vec3 u = vec3_sub(t.p[1], t.p[0]), v = vec3_sub(t.p[2], t.p[0]);
            const polygon whole = {.corners = {t.p[0], t.p[1], t.p[2]}, .count = 3};
            c.normal = vec3_normalize(vec3_cross(u, v));
            if (vec3_norm2(c.normal) > 0) {
                cut(&c, &whole, 0, (alg_imp_cell){0, 0, 0});
            }
        }
    } else {
        c.status =
            base_fail(err, BASE_ERR_MEMORY, "out of memory for patches of %u voxels", voxels);
    }
    const base_status status = c.status == BASE_OK ? list_patches(&c) : c.status;
    base_free(c.items);
    base_free(c.heads);
    base_free(c.tails);
    return status;
}

/* --- The nearest patch ------------------------------------------------------------------------ */

/* The points of patches are rounded to floats. The rounding error is less than this share of the
 * radius of the ball around them. */
#define ROUNDING_SHARE 1e-3

/* Nodes of at most 2^2 voxels along an edge are small. */
enum { SMALL_NODE_BITS = 2 };

typedef struct nearest_search {
    const alg_imp_body *body;
    vec3 point;
    vec3 position; /* the point in the tree's units */
    double best2;
    uint32_t patch;
} nearest_search;

static void compare(nearest_search *q, uint32_t patch)
{
    const double d2 = vec3_distance2(alg_imp_patch_point(q->body, patch), q->point);
    if (d2 < q->best2 || (d2 == q->best2 && patch < q->patch)) {
        q->best2 = d2;
        q->patch = patch;
    }
}

/**
 * Returns a lower bound of the squared distance from the point to the content of the node's ball,
 * in m2.
 */
static double gap2_of(const nearest_search *q, uint32_t level, const alg_imp_child *node)
{
    const alg_imp_tree *const tree = &q->body->tree;
    const alg_imp_sphere ball = alg_imp_sphere_of(tree, level, node->number);
    const double half = (double)(1u << level * alg_imp_bits(tree->children));
    const vec3 centre = {half * (2.0 * node->cell.x + 1) + (double)ball.offset[0],
                         half * (2.0 * node->cell.y + 1) + (double)ball.offset[1],
                         half * (2.0 * node->cell.z + 1) + (double)ball.offset[2]};
    const double radius = (1 + ROUNDING_SHARE) * (double)ball.radius;
    const double gap = fmax(0, vec3_distance(centre, q->position) - radius);
    const double gap_m = 0.5 * q->body->grid.edge * gap;
    return gap_m * gap_m;
}

/** Returns true if a node of this level has few patches: opening it takes longer than comparing
 * them all. */
static bool is_small(const alg_imp_body *body, uint32_t level)
{
    return level * alg_imp_bits(body->tree.children) <= SMALL_NODE_BITS;
}

/** Returns the first patch below a node. The patches below a node are consecutive, as are its
 * voxels. number: up to one above that of the level's last node. */
static uint32_t patches_begin(const alg_imp_body *body, uint32_t level, uint32_t number)
{
    const alg_imp_tree *const tree = &body->tree;
    for (; level > 0 && number < tree->levels[level].count; level--) {
        number = tree->levels[level].first[number];
    }
    return body->patch_starts[level > 0 ? tree->voxel_count : number];
}

/**
 * Searches the patches below a node. Children are searched in the order of their gaps; children
 * that cannot hold a nearer patch are skipped.
 */
static void look_below(nearest_search *q, uint32_t level, const alg_imp_child *node)
{
    const alg_imp_body *const b = q->body;
    if (is_small(b, level)) {
        const uint32_t end = patches_begin(b, level, node->number + 1);
        for (uint32_t p = patches_begin(b, level, node->number); p < end; p++) {
            compare(q, p);
        }
        return;
    }
    alg_imp_child children[ALG_IMP_CHILDREN_MAX];
    double gaps[ALG_IMP_CHILDREN_MAX];
    const uint32_t count = alg_imp_tree_open(&b->tree, level, node, children);
    for (uint32_t i = 0; i < count; i++) {
        gaps[i] = gap2_of(q, level - 1, &children[i]);
    }
    for (;;) {
        uint32_t next = count;
        for (uint32_t i = 0; i < count; i++) {
            if (gaps[i] <= q->best2 && (next == count || gaps[i] < gaps[next])) {
                next = i;
            }
        }
        if (next == count) {
            return;
        }
        look_below(q, level - 1, &children[next]);
        gaps[next] = NAN;
    }
}

static nearest_search begin_search(const alg_imp_body *body, vec3 point)
{
    const vec3 corner = alg_voxel_box(&body->grid, 0, 0, 0).lo;
    return (nearest_search){.body = body,
                            .point = point,
                            .position = vec3_scale(2 / body->grid.edge, vec3_sub(point, corner)),
                            .best2 = INFINITY,
                            .patch = ALG_IMP_FULL};
}

uint32_t alg_imp_closest_patch(const alg_imp_body *body, vec3 point, uint32_t hint)
{
    const alg_imp_child root = {0};
    nearest_search q = begin_search(body, point);
    compare(&q, hint);
    look_below(&q, body->tree.root_level, &root);
    return q.patch;
}

/* --- The nearest patches of a group ----------------------------------------------------------- */

/** Bounds the error of a squared distance in float, if all coordinates are at most 2. */
#define SCALED_ERROR 0x1p-16f

/** Adds the patches below a node that are within `limit` of the search's point. Returns false if
 * there are too many. */
static bool list_below(const nearest_search *q, uint32_t level, const alg_imp_child *node,
                       double limit, alg_imp_near *near)
{
    const alg_imp_body *const b = q->body;
    if (is_small(b, level)) {
        for (uint32_t p = patches_begin(b, level, node->number),
                      end = patches_begin(b, level, node->number + 1);
             p < end; p++) {
            const vec3 from = vec3_sub(alg_imp_patch_point(b, p), q->point);
            if (vec3_norm2(from) > limit * limit) {
                continue;
            }
            if (near->count == ALG_IMP_NEAR_MAX) {
                return false;
            }
            near->at[0][near->count] = (float)(from.x / limit);
            near->at[1][near->count] = (float)(from.y / limit);
            near->at[2][near->count] = (float)(from.z / limit);
            near->patch[near->count++] = p;
        }
        return true;
    }
    alg_imp_child children[ALG_IMP_CHILDREN_MAX];
    const uint32_t count = alg_imp_tree_open(&b->tree, level, node, children);
    bool whole = true;
    for (uint32_t i = 0; i < count && whole; i++) {
        whole = gap2_of(q, level - 1, &children[i]) > limit * limit ||
                list_below(q, level - 1, &children[i], limit, near);
    }
    return whole;
}

/** Returns the listed patch that is nearest to q->point. `from`: the point in the list's units. */
static uint32_t nearest_listed(nearest_search *q, vec3 from, alg_imp_near *near)
{
    const f32x8 x = f32x8_set((float)from.x), y = f32x8_set((float)from.y);
    const f32x8 z = f32x8_set((float)from.z);
    f32x8 least = f32x8_set(INFINITY);
    for (uint32_t i = 0; i < near->count; i += 8) {
        const f32x8 dx = f32x8_sub(f32x8_load(&near->at[0][i]), x);
        const f32x8 dy = f32x8_sub(f32x8_load(&near->at[1][i]), y);
        const f32x8 dz = f32x8_sub(f32x8_load(&near->at[2][i]), z);
        const f32x8 sum = f32x8_add(f32x8_mul(dx, dx), f32x8_mul(dy, dy));
        const f32x8 distance2 = f32x8_add(sum, f32x8_mul(dz, dz));
        f32x8_store(&near->distance2[i], distance2);
        least = f32x8_min(least, distance2);
    }
    const f32x8 most = f32x8_set(f32x8_least(least) + 2 * SCALED_ERROR);
    for (uint32_t i = 0; i < near->count; i += 8) {
        unsigned left = m32x8_bits(f32x8_le(f32x8_load(&near->distance2[i]), most));
        for (; left != 0; left &= left - 1) {
            compare(q, near->patch[i + (uint32_t)__builtin_ctz(left)]);
        }
    }
    return q->patch;
}

uint32_t alg_imp_closest_patches(const alg_imp_body *body, const vec3 *points, uint32_t count,
                                 uint32_t hint, alg_imp_near *near, uint32_t *patches)
{
    vec3 lo = points[0], hi = points[0];
    for (uint32_t i = 1; i < count; i++) {
        lo = vec3_min(lo, points[i]);
        hi = vec3_max(hi, points[i]);
    }
    const vec3 middle = vec3_scale(0.5, vec3_add(lo, hi));
    double radius = 0;
    for (uint32_t i = 0; i < count; i++) {
        radius = fmax(radius, vec3_distance(points[i], middle));
    }
    const uint32_t nearest = alg_imp_closest_patch(body, middle, hint);
    const vec3 to_nearest = vec3_sub(alg_imp_patch_point(body, nearest), middle);
    const double limit = (1 + 1e-9) * (vec3_norm(to_nearest) + 2 * radius);
    const alg_imp_child root = {0};
    nearest_search q = begin_search(body, middle);
    near->count = 0;
    const bool listed =
        count > 1 && limit > DBL_MIN && list_below(&q, body->tree.root_level, &root, limit, near);
    for (uint32_t i = near->count; listed && i % 8 != 0; i++) {
        near->at[0][i] = near->at[1][i] = near->at[2][i] = INFINITY;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (listed) {
            q = begin_search(body, points[i]);
            patches[i] =
                nearest_listed(&q, vec3_scale(1 / limit, vec3_sub(points[i], middle)), near);
        } else {
            patches[i] = alg_imp_closest_patch(body, points[i], i > 0 ? patches[i - 1] : nearest);
        }
    }
    return nearest;
}

static alg_imp_side plane_of(const alg_imp_body *body, uint32_t patch, vec3 point)
{
    const float *const n = body->patches[patch].normal;
    const vec3 normal = {(double)n[0], (double)n[1], (double)n[2]};
    const vec3 to_patch = vec3_sub(alg_imp_patch_point(body, patch), point);
    return (alg_imp_side){normal, vec3_dot(normal, to_patch)};
}

alg_imp_side alg_imp_side_of(const alg_imp_body *body, uint32_t voxel, uint32_t patch, vec3 point)
{
    const vec3 own = alg_imp_patch_point(body, patch);
    alg_imp_side best = plane_of(body, patch, point);
    for (uint32_t i = body->patch_starts[voxel]; i < body->patch_starts[voxel + 1]; i++) {
        const alg_imp_side other = plane_of(body, i, point);
        const double behind_other = plane_of(body, i, own).depth;
        const double behind_own = plane_of(body, patch, alg_imp_patch_point(body, i)).depth;
        if (behind_other > 0 && behind_own > 0 && other.depth < best.depth) {
            best = other;
        }
    }
    return best;
}
