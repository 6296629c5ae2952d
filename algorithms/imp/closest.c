#include "algorithms/imp/closest.h"

#include <math.h>

/* Patches are stored as floats relative to the grid's corner. This bounds their rounding, as a
 * share of the radius of the ball around them. */
#define ROUNDING_SHARE 1e-3

typedef struct quest {
    const alg_imp_body *body;
    vec3 point;
    vec3 place; /* the point in the tree's units */
    double best2;
    uint32_t patch;
} quest;

static void compare(quest *q, uint32_t patch)
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
static double gap2_of(const quest *q, uint32_t level, const alg_imp_child *node)
{
    const alg_imp_tree *const tree = &q->body->tree;
    const alg_imp_sphere ball = alg_imp_sphere_of(tree, level, node->number);
    const double half = (double)(1u << level * alg_imp_bits(tree->children));
    const vec3 centre = {half * (2.0 * node->cell.x + 1) + (double)ball.offset[0],
                         half * (2.0 * node->cell.y + 1) + (double)ball.offset[1],
                         half * (2.0 * node->cell.z + 1) + (double)ball.offset[2]};
    const double radius = (1 + ROUNDING_SHARE) * (double)ball.radius;
    const double gap = fmax(0, vec3_distance(centre, q->place) - radius);
    const double gap_m = 0.5 * q->body->grid.edge * gap;
    return gap_m * gap_m;
}

/** Searches below a node that may hold a nearer patch, nearest children first. */
static void look_below(quest *q, uint32_t level, const alg_imp_child *node)
{
    const alg_imp_body *const b = q->body;
    if (level == 0) {
        for (uint32_t p = b->patch_starts[node->number]; p < b->patch_starts[node->number + 1];
             p++) {
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

uint32_t alg_imp_closest_patch(const alg_imp_body *body, vec3 point, uint32_t hint)
{
    const vec3 corner = alg_voxel_box(&body->grid, 0, 0, 0).lo;
    const alg_imp_child root = {0};
    quest q = {.body = body,
               .point = point,
               .place = vec3_scale(2 / body->grid.edge, vec3_sub(point, corner)),
               .best2 = INFINITY,
               .patch = ALG_IMP_FULL};
    compare(&q, hint);
    look_below(&q, body->tree.root_level, &root);
    return q.patch;
}

static alg_imp_side plane_of(const alg_imp_body *body, uint32_t patch, vec3 point)
{
    const float *const n = body->patches[patch].normal;
    const vec3 normal = {(double)n[0], (double)n[1], (double)n[2]};
    const vec3 way = vec3_sub(alg_imp_patch_point(body, patch), point);
    return (alg_imp_side){normal, vec3_dot(normal, way)};
}

alg_imp_side alg_imp_side_of(const alg_imp_body *body, uint32_t voxel, uint32_t patch, vec3 point)
{
    const vec3 place = alg_imp_patch_point(body, patch);
    alg_imp_side best = plane_of(body, patch, point);
    for (uint32_t i = body->patch_starts[voxel]; i < body->patch_starts[voxel + 1]; i++) {
        const alg_imp_side other = plane_of(body, i, point);
        const double behind_other = plane_of(body, i, place).depth;
        const double behind_own = plane_of(body, patch, alg_imp_patch_point(body, i)).depth;
        if (behind_other > 0 && behind_own > 0 && other.depth < best.depth) {
            best = other;
        }
    }
    return best;
}
