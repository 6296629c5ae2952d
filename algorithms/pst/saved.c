#include "algorithms/pst/saved.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <float.h>

/* A new member must be saved as well, and raises ALG_PST_STATE_VERSION. */
_Static_assert(sizeof(alg_pst_brick) == 128 && sizeof(alg_pst_node) == 8 * 8 * sizeof(float),
               "bricks and nodes have no gaps, and are saved as they are");
_Static_assert(sizeof(alg_pst_field) == 4 * sizeof(double) + 6 * sizeof(uint32_t) +
                                            3 * sizeof(void *) + 6 * sizeof(float),
               "all of a field is saved, or follows from what is");
_Static_assert(sizeof(alg_pst_points) ==
                       2 * sizeof(uint32_t) + 5 * sizeof(void *) + 5 * sizeof(double) &&
                   sizeof(alg_pst_tree) == sizeof(alg_pst_points) + 6 * sizeof(void *) +
                                               12 * sizeof(double) + 4 * sizeof(uint32_t),
               "all of a tree is saved, or follows from what is");

/** Are they numbers between -most and most? */
static bool are_within(const float *values, size_t count, double most)
{
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        good &= fabs((double)values[i]) <= most;
    }
    return good;
}

/* --- Fields ----------------------------------------------------------------------------------- */

/** Precedes blocks and bricks. */
typedef struct field_header {
    vec3 corner;
    double edge;
    uint32_t block_count[3];
    uint32_t brick_count, solid, padding;
} field_header;

static size_t count_blocks(const uint32_t count[3])
{
    return (size_t)count[0] * count[1] * count[2];
}

static bool save_field(const alg_pst_field *field, const alg_writer *to)
{
    const uint32_t *const n = field->block_count;
    const field_header header = {
        .corner = field->corner,
        .edge = field->edge,
        .block_count = {n[0], n[1], n[2]},
        .brick_count = field->brick_count,
        .solid = field->solid
    };
    return alg_give(to, &header, 1, sizeof header) &&
           alg_give(to, field->blocks, count_blocks(n), sizeof *field->blocks) &&
           alg_give(to, field->bricks, field->brick_count, sizeof *field->bricks);
}

/** Are blocks and bricks as many as the bytes hold, and where a build would put them? */
static bool is_header_good(const field_header *h, const alg_pst_field_options *options,
                           const alg_shell *skin, size_t left)
{
    alg_pst_field placed = {0};
    if (!alg_pst_field_place(skin->surface.bvh.box, options, &placed)) {
        return false;
    }
    bool good =
        vec3_equal(h->corner, placed.corner) && h->edge == placed.edge && h->solid == skin->solid;
    for (int axis = 0; axis < 3; axis++) {
        good = good && h->block_count[axis] == placed.block_count[axis];
    }
    const size_t blocks = count_blocks(placed.block_count);
    return good && blocks <= left / sizeof(uint32_t) &&
           h->brick_count <= (left - blocks * sizeof(uint32_t)) / sizeof(alg_pst_brick);
}

/** Do blocks have bricks that are there, and bricks faces that are, and lengths that fit the blocks? */
static bool is_field_good(const alg_pst_field *field, size_t face_count)
{
    bool good = true;
    double diagonal2 = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double length = ALG_PST_BLOCK_CELLS * field->edge * field->block_count[axis];
        diagonal2 += length * length;
    }
    const double most = 2 * sqrt(diagonal2);
    for (size_t i = 0; i < count_blocks(field->block_count); i++) {
        const uint32_t first = field->blocks[i] >> 2, level = field->blocks[i] & 3;
        good &= level >= ALG_PST_LEVEL_LEAST && first <= field->brick_count &&
                field->brick_count - first >= 1u << 3 * (level - 1);
    }
    for (uint32_t i = 0; i < field->brick_count; i++) {
        const alg_pst_brick *const b = &field->bricks[i];
        const float errors[2] = {base_half_value(b->below), base_half_value(b->above)};
        good &= are_within(b->values, ALG_PST_BRICK_CORNERS, most) &&
                are_within(b->bend, 3, most) && are_within(errors, 2, most) && errors[0] >= 0 &&
                errors[1] >= 0 && b->face < face_count;
    }
    return good;
}

static base_status load_field(alg_reader *from, const alg_pst_field_options *options,
                              const alg_shell *skin, base_arena *arena, alg_pst_field *field,
                              base_error *err)
{
    field_header h;
    if (!alg_take(from, &h, 1, sizeof h) || !is_header_good(&h, options, skin, from->left)) {
        return base_fail(err, BASE_ERR_INPUT, "its blocks are not those of the body");
    }
    const size_t blocks = count_blocks(h.block_count);
    *field = (alg_pst_field){
        .corner = h.corner,
        .edge = h.edge,
        .block_count = {h.block_count[0], h.block_count[1], h.block_count[2]},
        .brick_count = h.brick_count,
        .solid = h.solid != 0,
        .blocks = base_arena_alloc(arena, blocks, sizeof *field->blocks),
        .bricks = base_arena_alloc(arena, h.brick_count, sizeof *field->bricks),
    };
    if (!field->blocks || !field->bricks) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a field of distances");
    }
    const bool whole = alg_take(from, field->blocks, blocks, sizeof *field->blocks) &&
                       alg_take(from, field->bricks, h.brick_count, sizeof *field->bricks);
    return whole && is_field_good(field, skin->mesh.face_count)
               ? alg_pst_field_pack(field, arena, err)
               : base_fail(err, BASE_ERR_INPUT, "its blocks have bricks that are not there");
}

/* --- Trees ------------------------------------------------------------------------------------ */

/** Precedes points and nodes. */
typedef struct tree_header {
    vec3 origin;
    geo_ball ball;
    double extent, reach, slack;
    double spacing_mean, spacing_least, spacing_deviation;
    double cluster_mean, cluster_deviation, cluster_radius;
    float rounding;
    uint32_t kind, count, node_count, level_count, weighed;
} tree_header;

static size_t padded(uint32_t count)
{
    return (size_t)count + ALG_PST_WIDTH - 1;
}

static bool save_tree(const alg_pst_tree *tree, const alg_writer *to)
{
    const alg_pst_points *const p = &tree->points;
    const tree_header header = {
        .origin = tree->origin,
        .ball = tree->ball,
        .extent = tree->extent,
        .reach = p->reach,
        .slack = p->slack,
        .spacing_mean = p->spacing_mean,
        .spacing_least = p->spacing_least,
        .spacing_deviation = p->spacing_deviation,
        .cluster_mean = tree->cluster_mean,
        .cluster_deviation = tree->cluster_deviation,
        .cluster_radius = tree->cluster_radius,
        .rounding = tree->rounding,
        .kind = (uint32_t)p->kind,
        .count = p->count,
        .node_count = tree->node_count,
        .level_count = tree->level_count,
        .weighed = p->shares != NULL,
    };
    return alg_give(to, &header, 1, sizeof header) &&
           alg_give(to, p->points, p->count, sizeof *p->points) &&
           alg_give(to, p->normals, p->count, sizeof *p->normals) &&
           alg_give(to, p->patch2, p->count, sizeof *p->patch2) &&
           alg_give(to, p->faces, p->count, sizeof *p->faces) &&
           (!p->shares || alg_give(to, p->shares, p->count, sizeof *p->shares)) &&
           alg_give(to, tree->x, padded(p->count), sizeof *tree->x) &&
           alg_give(to, tree->y, padded(p->count), sizeof *tree->y) &&
           alg_give(to, tree->z, padded(p->count), sizeof *tree->z) &&
           alg_give(to, tree->nodes, tree->node_count, sizeof *tree->nodes);
}

/** What is rounded may lie this far beyond a body's box. */
static double slack_of(geo_box box)
{
    return 1e-6 * geo_box_diagonal(box) + 64 * DBL_EPSILON * geo_box_reach(box);
}

/** No length of a tree is larger: a body's own, or voxels, of which two are its longest edge. */
static double most_of(geo_box box)
{
    return 4 * geo_box_diagonal(box) + slack_of(box);
}

static vec3 rounded_point(const alg_pst_tree *tree, size_t i)
{
    return (vec3){(double)tree->x[i], (double)tree->y[i], (double)tree->z[i]};
}

/** Do all lie on the body's box, up to rounding, with normals and faces that are there? */
static bool are_points_good(const alg_pst_tree *tree, const alg_shell *skin)
{
    const alg_pst_points *const p = &tree->points;
    const geo_box box = skin->surface.bvh.box;
    const double slack = slack_of(box), most = most_of(box);
    bool good = true;
    for (uint32_t i = 0; i < p->count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            const double x = vec3_get(p->points[i], axis);
            good &= x >= vec3_get(box.lo, axis) - slack && x <= vec3_get(box.hi, axis) + slack;
        }
        good &= fabs(vec3_norm2(p->normals[i]) - 1) < 1e-9 && p->patch2[i] >= 0 &&
                (double)p->patch2[i] <= most * most && p->faces[i] < skin->mesh.face_count;
        /* All shares together are not longer than the whole. */
        good &= !p->shares || vec3_norm(p->shares[i]) <= 1 + 1e-9;
    }
    return good;
}

/** Are x, y, z the points, as exact as is said, and none of them farther out than is said? */
static bool are_places_good(const alg_pst_tree *tree, double slack)
{
    const uint32_t count = tree->points.count;
    const geo_ball ball = {tree->ball.centre, tree->ball.radius + slack};
    bool good = true;
    for (uint32_t i = 0; i < count; i++) {
        const vec3 p = vec3_sub(tree->points.points[i], tree->origin);
        good &= vec3_distance(p, rounded_point(tree, i)) <= (double)tree->rounding &&
                vec3_norm(p) <= tree->extent &&
                vec3_distance(tree->points.points[i], ball.centre) <= ball.radius;
    }
    for (size_t i = count; i < padded(count); i++) {
        good &= vec3_equal(rounded_point(tree, i), rounded_point(tree, count - 1));
    }
    return good;
}

/** Does the sphere of a lane hold its points, exact and rounded, and is no patch larger than its own? */
static bool is_sphere_good(const alg_pst_tree *tree, const alg_pst_node *node, uint32_t lane,
                           double most)
{
    const vec3 centre = {(double)node->centre[0][lane], (double)node->centre[1][lane],
                         (double)node->centre[2][lane]};
    const double radius = (double)node->radius[lane];
    bool good = radius >= 0 && radius <= most && vec3_norm(centre) <= most &&
                (double)node->patch2[lane] <= most * most;
    for (uint32_t k = 0; k < node->count[lane] && good; k++) {
        const uint32_t i = node->first[lane] + k;
        const vec3 exact = vec3_sub(tree->points.points[i], tree->origin);
        good = vec3_distance2(centre, exact) <= radius * radius &&
               vec3_distance2(centre, rounded_point(tree, i)) <= radius * radius &&
               tree->points.patch2[i] <= node->patch2[lane];
    }
    return good;
}

/** Is the node below a lane one that nobody had, and are its points those of the lane? */
static bool is_child_good(const alg_pst_tree *tree, const alg_pst_node *node, uint32_t lane,
                          uint32_t *depth)
{
    const uint32_t parent = (uint32_t)(node - tree->nodes), child = node->child[lane];
    if (child == ALG_PST_LEAF) {
        return node->count[lane] <= ALG_PST_WIDTH;
    }
    if (child <= parent || child >= tree->node_count || depth[child] > 0) {
        return false;
    }
    depth[child] = depth[parent] + 1;
    const alg_pst_node *const below = &tree->nodes[child];
    uint64_t points = 0;
    for (uint32_t k = 0; k < ALG_PST_WIDTH; k++) {
        points += below->count[k];
    }
    return points == node->count[lane] && below->first[0] == node->first[lane];
}

/** Do lanes have points one behind the other, from first[0] on, with spheres around them; and are lanes without
 * points as a build leaves them? */
static bool is_node_good(const alg_pst_tree *tree, const alg_pst_node *node, double most,
                         uint32_t *depth)
{
    uint32_t next = node->first[0];
    bool good = node->count[0] > 0;
    for (uint32_t lane = 0; lane < ALG_PST_WIDTH && good; lane++) {
        const uint32_t count = node->count[lane];
        if (count == 0) {
            good = node->radius[lane] == -INFINITY && node->child[lane] == ALG_PST_LEAF &&
                   node->centre[0][lane] == 0 && node->centre[1][lane] == 0 &&
                   node->centre[2][lane] == 0 && node->patch2[lane] == 0;
        } else {
            good = node->first[lane] == next && next < tree->points.count &&
                   count <= tree->points.count - next && is_child_good(tree, node, lane, depth) &&
                   is_sphere_good(tree, node, lane, most);
            next += count;
        }
    }
    return good;
}

/** Are all nodes reached from the first, which has all points, and as deep as is said? depth: of each node, zeros. */
static bool are_nodes_good(const alg_pst_tree *tree, double most, uint32_t *depth)
{
    uint32_t deepest = 0;
    uint64_t points = 0;
    depth[0] = 1;
    for (uint32_t lane = 0; lane < ALG_PST_WIDTH; lane++) {
        points += tree->nodes[0].count[lane];
    }
    bool good = tree->nodes[0].first[0] == 0 && points == tree->points.count;
    for (uint32_t i = 0; i < tree->node_count && good; i++) {
        good = depth[i] > 0 && is_node_good(tree, &tree->nodes[i], most, depth);
        deepest = depth[i] > deepest ? depth[i] : deepest;
    }
    return good && deepest == tree->level_count;
}

static base_status check_tree(const alg_pst_tree *tree, const alg_shell *skin, base_error *err)
{
    const geo_box box = skin->surface.bvh.box;
    uint32_t *const depth = base_alloc(tree->node_count, sizeof *depth);
    if (!depth) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %u nodes", tree->node_count);
    }
    const bool good = are_points_good(tree, skin) && are_places_good(tree, slack_of(box)) &&
                      are_nodes_good(tree, most_of(box), depth);
    base_free(depth);
    return good ? BASE_OK
                : base_fail(err, BASE_ERR_INPUT, "its points or clusters are not the body's");
}

static bool allocate_tree(const tree_header *h, base_arena *arena, alg_pst_tree *tree)
{
    alg_pst_points *const p = &tree->points;
    p->points = base_arena_alloc(arena, h->count, sizeof *p->points);
    p->normals = base_arena_alloc(arena, h->count, sizeof *p->normals);
    p->patch2 = base_arena_alloc(arena, h->count, sizeof *p->patch2);
    p->faces = base_arena_alloc(arena, h->count, sizeof *p->faces);
    p->shares = h->weighed ? base_arena_alloc(arena, h->count, sizeof *p->shares) : NULL;
    tree->x = base_arena_alloc(arena, padded(h->count), sizeof *tree->x);
    tree->y = base_arena_alloc(arena, padded(h->count), sizeof *tree->y);
    tree->z = base_arena_alloc(arena, padded(h->count), sizeof *tree->z);
    tree->nodes = base_arena_alloc(arena, h->node_count, sizeof *tree->nodes);
    return p->points && p->normals && p->patch2 && p->faces && (p->shares || !h->weighed) &&
           tree->x && tree->y && tree->z && tree->nodes;
}

/** Are points and nodes as many as the bytes may hold, and lengths such as a body of this box has? */
static bool is_tree_header_good(const tree_header *h, const alg_pst_points_options *options,
                                geo_box box, size_t left)
{
    const double lengths[] = {h->ball.radius, h->extent, h->reach, h->slack, (double)h->rounding};
    bool good = h->kind == (uint32_t)options->kind && h->weighed == options->weigh &&
                h->count > 0 && h->node_count > 0 && h->count <= left / (sizeof(vec3) * 2) &&
                h->node_count <= left / sizeof(alg_pst_node);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        good = good && lengths[i] >= 0 && lengths[i] <= most_of(box);
    }
    return good;
}

static base_status load_tree(alg_reader *from, const alg_pst_points_options *options,
                             const alg_shell *skin, base_arena *arena, alg_pst_tree *tree,
                             base_error *err)
{
    tree_header h;
    if (!alg_take(from, &h, 1, sizeof h) ||
        !is_tree_header_good(&h, options, skin->surface.bvh.box, from->left)) {
        return base_fail(err, BASE_ERR_INPUT,
                         "its points are not the body's, or the bytes end within them");
    }
    *tree = (alg_pst_tree){
        .points = {.kind = options->kind,
                   .count = h.count,
                   .reach = h.reach,
                   .slack = h.slack,
                   .spacing_mean = h.spacing_mean,
                   .spacing_least = h.spacing_least,
                   .spacing_deviation = h.spacing_deviation},
        .origin = h.origin,
        .extent = h.extent,
        .rounding = h.rounding,
        .ball = h.ball,
        .node_count = h.node_count,
        .level_count = h.level_count,
        .cluster_mean = h.cluster_mean,
        .cluster_deviation = h.cluster_deviation,
        .cluster_radius = h.cluster_radius,
    };
    if (!allocate_tree(&h, arena, tree)) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %u points", h.count);
    }
    const alg_pst_points *const p = &tree->points;
    const bool whole = alg_take(from, p->points, h.count, sizeof *p->points) &&
                       alg_take(from, p->normals, h.count, sizeof *p->normals) &&
                       alg_take(from, p->patch2, h.count, sizeof *p->patch2) &&
                       alg_take(from, p->faces, h.count, sizeof *p->faces) &&
                       (!p->shares || alg_take(from, p->shares, h.count, sizeof *p->shares)) &&
                       alg_take(from, tree->x, padded(h.count), sizeof *tree->x) &&
                       alg_take(from, tree->y, padded(h.count), sizeof *tree->y) &&
                       alg_take(from, tree->z, padded(h.count), sizeof *tree->z) &&
                       alg_take(from, tree->nodes, h.node_count, sizeof *tree->nodes);
    if (!whole) {
        return base_fail(err, BASE_ERR_INPUT, "the bytes end within the tree");
    }
    const base_status status = check_tree(tree, skin, err);
    return status == BASE_OK ? alg_pst_tree_pack(tree, arena, err) : status;
}

static bool save_trees(const alg_pst_body *b, const alg_writer *to)
{
    return save_tree(&b->tree, to) && (b->forces == &b->tree || save_tree(b->forces, to));
}

static base_status load_trees(alg_reader *from, const alg_pst_options *options, alg_pst_body *b,
                              base_error *err)
{
    base_status status = load_tree(from, &options->points, b->skin, &b->arena, &b->tree, err);
    b->forces = &b->tree;
    if (status == BASE_OK && options->forces_apart) {
        alg_pst_tree *const forces = base_arena_alloc(&b->arena, 1, sizeof *forces);
        const alg_pst_points_options points = alg_pst_body_force_points(options);
        status = forces ? load_tree(from, &points, b->skin, &b->arena, forces, err)
                        : base_fail(err, BASE_ERR_MEMORY, "out of memory for a tree");
        b->forces = forces;
    }
    return status;
}

/* --- Bodies ----------------------------------------------------------------------------------- */

alg_status alg_pst_body_save(const void *body, const alg_writer *to, alg_message *message)
{
    const alg_pst_body *const b = body;
    const bool taken = b->is_field ? save_field(&b->field, to) : save_trees(b, to);
    return taken ? ALG_OK : alg_fail(message, ALG_FAILED, "its bytes are not wanted");
}

static base_status load(const alg_pst_options *options, const alg_mesh *mesh, alg_reader *from,
                        alg_pst_body *b, base_error *err)
{
    base_status status = alg_pst_body_skin(b, mesh, err);
    if (status == BASE_OK) {
        status = b->is_field ? load_field(from, &options->field, b->skin, &b->arena, &b->field, err)
                             : load_trees(from, options, b, err);
    }
    if (status == BASE_OK && b->is_field && options->map) {
        b->has_map = true;
        status = alg_pst_body_map(b, options, err);
    }
    return status == BASE_OK && from->left > 0
               ? base_fail(err, BASE_ERR_INPUT, "there are bytes behind it")
               : status;
}

alg_status alg_pst_body_load(const alg_pst_options *options, const alg_mesh *mesh,
                             const void *bytes, size_t size, void **body, alg_message *message)
{
    const alg_status status = alg_create(sizeof(alg_pst_body), body, message);
    if (status != ALG_OK) {
        return status;
    }
    alg_pst_body *const b = *body;
    alg_reader from = {bytes, size};
    base_error err = {0};
    b->is_field = options->is_field;
    b->centroid = mesh->centroid;
    return load(options, mesh, &from, b, &err) == BASE_OK
               ? ALG_OK
               : alg_abandon(body, alg_fail_geo(message, &err));
}
