#include "algorithms/pst/saved.h"

#include "base/memory.h"

#include <float.h>

/* A new member must be saved as well, and raises ALG_PST_STATE_VERSION. */
_Static_assert(sizeof(alg_pst_brick) == 128 && sizeof(alg_pst_node) == 8 * 8 * sizeof(float),
               "bricks and nodes have no gaps, and are saved as they are");
_Static_assert(sizeof(alg_pst_field) ==
                   4 * sizeof(double) + 6 * sizeof(uint32_t) + 2 * sizeof(void *),
               "all of a field is saved, or follows from what is");
_Static_assert(sizeof(alg_pst_points) ==
                       2 * sizeof(uint32_t) + 4 * sizeof(void *) + 5 * sizeof(double) &&
                   sizeof(alg_pst_tree) == sizeof(alg_pst_points) + 4 * sizeof(void *) +
                                               11 * sizeof(double) + 4 * sizeof(uint32_t),
               "all of a tree is saved, or follows from what is");

/** Of a brick that no lookup has been made for yet, or of a lane of nodes. */
static bool are_finite(const float *values, size_t count)
{
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        good &= isfinite(values[i]) != 0;
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

/** Do blocks have bricks that are there, and bricks numbers and faces that are? */
static bool is_field_good(const alg_pst_field *field, size_t face_count)
{
    bool good = true;
    for (size_t i = 0; i < count_blocks(field->block_count); i++) {
        const uint32_t first = field->blocks[i] >> 2, level = field->blocks[i] & 3;
        good &= level >= ALG_PST_LEVEL_LEAST && first <= field->brick_count &&
                field->brick_count - first >= 1u << 3 * (level - 1);
    }
    for (uint32_t i = 0; i < field->brick_count; i++) {
        const alg_pst_brick *const b = &field->bricks[i];
        const float errors[2] = {alg_pst_error(b->below), alg_pst_error(b->above)};
        good &= are_finite(b->values, ALG_PST_BRICK_CORNERS) && are_finite(b->bend, 3) &&
                are_finite(errors, 2) && errors[0] >= 0 && errors[1] >= 0 && b->face < face_count;
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
               ? BASE_OK
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
    uint32_t kind, count, node_count, level_count, padding;
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
    };
    return alg_give(to, &header, 1, sizeof header) &&
           alg_give(to, p->points, p->count, sizeof *p->points) &&
           alg_give(to, p->normals, p->count, sizeof *p->normals) &&
           alg_give(to, p->patch2, p->count, sizeof *p->patch2) &&
           alg_give(to, p->faces, p->count, sizeof *p->faces) &&
           alg_give(to, tree->x, padded(p->count), sizeof *tree->x) &&
           alg_give(to, tree->y, padded(p->count), sizeof *tree->y) &&
           alg_give(to, tree->z, padded(p->count), sizeof *tree->z) &&
           alg_give(to, tree->nodes, tree->node_count, sizeof *tree->nodes);
}

/** Do all lie on the body's box, up to rounding, with normals and faces that are there? */
static bool are_points_good(const alg_pst_tree *tree, const alg_shell *skin)
{
    const alg_pst_points *const p = &tree->points;
    const geo_box box = skin->surface.bvh.box;
    const double slack = 1e-6 * geo_box_diagonal(box) + 64 * DBL_EPSILON * geo_box_reach(box);
    bool good = true;
    for (uint32_t i = 0; i < p->count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            const double x = vec3_get(p->points[i], axis);
            good &= x >= vec3_get(box.lo, axis) - slack && x <= vec3_get(box.hi, axis) + slack;
        }
        good &= fabs(vec3_norm2(p->normals[i]) - 1) < 1e-9 && p->patch2[i] >= 0 &&
                isfinite(p->patch2[i]) && p->faces[i] < skin->mesh.face_count;
    }
    const size_t count = padded(p->count);
    return good && are_finite(tree->x, count) && are_finite(tree->y, count) &&
           are_finite(tree->z, count);
}

/** Has a lane of node `parent` points of its own range, and a node behind it that nobody had? */
static bool is_lane_good(const alg_pst_tree *tree, uint32_t parent, uint32_t lane, uint8_t *reached)
{
    const alg_pst_node *const node = &tree->nodes[parent];
    const uint32_t count = node->count[lane], child = node->child[lane];
    if (count == 0) {
        return node->radius[lane] == -INFINITY;
    }
    const float sphere[4] = {node->centre[0][lane], node->centre[1][lane], node->centre[2][lane],
                             node->radius[lane]};
    bool good = are_finite(sphere, 4) && sphere[3] >= 0 && node->patch2[lane] >= 0 &&
                isfinite(node->patch2[lane]) && node->first[lane] < tree->points.count &&
                count <= tree->points.count - node->first[lane];
    if (child == ALG_PST_LEAF) {
        return good && count <= ALG_PST_WIDTH;
    }
    good = good && child > parent && child < tree->node_count && !reached[child];
    if (good) {
        reached[child] = true;
    }
    return good;
}

/** Do the lanes of each node have its points, one after the other, and are all nodes reached? */
static bool are_nodes_good(const alg_pst_tree *tree, uint8_t *reached)
{
    bool good = true;
    reached[0] = true;
    for (uint32_t i = 0; i < tree->node_count && good; i++) {
        const alg_pst_node *const node = &tree->nodes[i];
        uint32_t next = node->first[0];
        good = reached[i] && node->count[0] > 0 && (i > 0 || next == 0);
        for (uint32_t lane = 0; lane < ALG_PST_WIDTH && good; lane++) {
            good = is_lane_good(tree, i, lane, reached) &&
                   (node->count[lane] == 0 || node->first[lane] == next);
            next += node->count[lane];
            const uint32_t child = node->child[lane];
            if (good && node->count[lane] > 0 && child != ALG_PST_LEAF) {
                const alg_pst_node *const below = &tree->nodes[child];
                uint64_t points = 0;
                for (uint32_t k = 0; k < ALG_PST_WIDTH; k++) {
                    points += below->count[k];
                }
                good = points == node->count[lane] && below->first[0] == node->first[lane];
            }
        }
        good = good && (i > 0 || next == tree->points.count);
    }
    return good;
}

static base_status check_tree(const alg_pst_tree *tree, const alg_shell *skin, base_error *err)
{
    uint8_t *const reached = base_alloc(tree->node_count, sizeof *reached);
    if (!reached) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %u nodes", tree->node_count);
    }
    const bool good = are_points_good(tree, skin) && are_nodes_good(tree, reached);
    base_free(reached);
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
    tree->x = base_arena_alloc(arena, padded(h->count), sizeof *tree->x);
    tree->y = base_arena_alloc(arena, padded(h->count), sizeof *tree->y);
    tree->z = base_arena_alloc(arena, padded(h->count), sizeof *tree->z);
    tree->nodes = base_arena_alloc(arena, h->node_count, sizeof *tree->nodes);
    return p->points && p->normals && p->patch2 && p->faces && tree->x && tree->y && tree->z &&
           tree->nodes;
}

static bool is_tree_header_good(const tree_header *h, const alg_pst_options *options, size_t left)
{
    const double facts[] = {h->origin.x,      h->origin.y,        h->origin.z,
                            h->ball.centre.x, h->ball.centre.y,   h->ball.centre.z,
                            h->ball.radius,   h->extent,          h->reach,
                            h->slack,         (double)h->rounding};
    bool good = h->kind == (uint32_t)options->points.kind && h->count > 0 && h->node_count > 0 &&
                h->count <= left / (sizeof(vec3) * 2) &&
                h->node_count <= left / sizeof(alg_pst_node) &&
                h->level_count <= ALG_PST_DEPTH_MOST;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        good = good && isfinite(facts[i]) && (i < 6 || facts[i] >= 0);
    }
    return good;
}

static base_status load_tree(alg_reader *from, const alg_pst_options *options,
                             const alg_shell *skin, base_arena *arena, alg_pst_tree *tree,
                             base_error *err)
{
    tree_header h;
    if (!alg_take(from, &h, 1, sizeof h) || !is_tree_header_good(&h, options, from->left)) {
        return base_fail(err, BASE_ERR_INPUT, "the bytes end within the points");
    }
    *tree = (alg_pst_tree){
        .points = {.kind = options->points.kind,
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
                       alg_take(from, tree->x, padded(h.count), sizeof *tree->x) &&
                       alg_take(from, tree->y, padded(h.count), sizeof *tree->y) &&
                       alg_take(from, tree->z, padded(h.count), sizeof *tree->z) &&
                       alg_take(from, tree->nodes, h.node_count, sizeof *tree->nodes);
    return whole ? check_tree(tree, skin, err)
                 : base_fail(err, BASE_ERR_INPUT, "the bytes end within the tree");
}

/* --- Bodies ----------------------------------------------------------------------------------- */

alg_status alg_pst_body_save(const void *body, const alg_writer *to, alg_message *message)
{
    const alg_pst_body *const b = body;
    const bool taken = b->is_field ? save_field(&b->field, to) : save_tree(&b->tree, to);
    return taken ? ALG_OK : alg_fail(message, ALG_FAILED, "its bytes are not wanted");
}

static base_status load(const alg_pst_options *options, const alg_mesh *mesh, alg_reader *from,
                        alg_pst_body *b, base_error *err)
{
    base_status status = alg_pst_body_skin(b, mesh, err);
    if (status == BASE_OK) {
        status = b->is_field ? load_field(from, &options->field, b->skin, &b->arena, &b->field, err)
                             : load_tree(from, options, b->skin, &b->arena, &b->tree, err);
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
