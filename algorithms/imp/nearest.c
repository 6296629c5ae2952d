#include "algorithms/imp/nearest.h"

#include "algorithms/imp/closest.h"
#include "algorithms/imp/coarse.h"

#include <math.h>
#include <string.h>

/** The patch of A nearest to a patch of B, by the distance of their points. */
typedef struct candidate {
    double distance2;
    vec3 point;        /* point of B's patch, in A's frame */
    uint32_t a, voxel; /* patch, and the voxel of the patch */
} candidate;

struct alg_imp_nearest {
    const alg_imp_pair *pair;
    geo_pose pose;
    candidate *of;    /* [patch of B]; valid only if marked */
    uint64_t *marked; /* one bit per patch of B */
    size_t word_count;
};

base_status alg_imp_nearest_create(const alg_imp_pair *pair, base_arena *arena,
                                   alg_imp_nearest **nearest, base_error *err)
{
    const size_t count = pair->b->patch_starts[pair->b->tree.voxel_count];
    const size_t words = (count + 63) / 64;
    alg_imp_nearest *const n = base_arena_alloc(arena, 1, sizeof *n);
    candidate *const of = base_arena_alloc(arena, count, sizeof *of);
    uint64_t *const marked = base_arena_alloc(arena, words, sizeof *marked);
    *nearest = n;
    if (!n || !of || !marked) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for contacts of %zu patches", count);
    }
    *n = (alg_imp_nearest){.pair = pair, .of = of, .marked = marked, .word_count = words};
    return BASE_OK;
}

void alg_imp_nearest_begin(alg_imp_nearest *nearest, const geo_pose *pose)
{
    nearest->pose = *pose;
    memset(nearest->marked, 0, nearest->word_count * sizeof *nearest->marked);
}

static vec3 vector_of(const float v[3])
{
    return (vec3){(double)v[0], (double)v[1], (double)v[2]};
}

static bool is_marked(const alg_imp_nearest *n, uint32_t patch)
{
    return n->marked[patch / 64] >> patch % 64 & 1;
}

/* --- Hits ------------------------------------------------------------------------------------- */

static candidate *candidate_of(alg_imp_nearest *n, uint32_t patch)
{
    candidate *const c = &n->of[patch];
    if (!is_marked(n, patch)) {
        n->marked[patch / 64] |= (uint64_t)1 << patch % 64;
        *c = (candidate){INFINITY, geo_pose_apply(&n->pose, alg_imp_patch_point(n->pair->b, patch)),
                         0, 0};
    }
    return c;
}

static void compare(const alg_imp_body *body, uint32_t voxel, candidate *c)
{
    for (uint32_t a = body->patch_starts[voxel]; a < body->patch_starts[voxel + 1]; a++) {
        const double distance2 = vec3_distance2(alg_imp_patch_point(body, a), c->point);
        /* The smallest number wins a tie, so that the order of hits does not matter. */
        if (distance2 < c->distance2 || (distance2 == c->distance2 && a < c->a)) {
            c->distance2 = distance2;
            c->a = a;
            c->voxel = voxel;
        }
    }
}

void alg_imp_nearest_add(alg_imp_nearest *nearest, const alg_imp_hits *hits)
{
    const alg_imp_body *const a = nearest->pair->a;
    const uint32_t *const starts = nearest->pair->b->patch_starts;
    for (uint32_t i = 0; i < hits->count; i++) {
        const alg_imp_hit *const hit = &hits->items[i];
        if (hit->a == ALG_IMP_FULL || hit->b == ALG_IMP_FULL) {
            continue;
        }
        const bool bare = a->patch_starts[hit->a] == a->patch_starts[hit->a + 1];
        for (uint32_t b = starts[hit->b]; !bare && b < starts[hit->b + 1]; b++) {
            compare(a, hit->a, candidate_of(nearest, b));
        }
    }
}

/* --- Contacts --------------------------------------------------------------------------------- */

/** Arguments of one traversal of the contacts. */
typedef struct visit {
    const alg_imp_nearest *nearest;
    alg_imp_touch_visitor *visit;
    void *context;
    uint32_t hint; /* A's patch that the previous search found, where the next one starts */
} visit;

static void touch(const visit *v, uint32_t patch, vec3 on_b, vec3 normal, double depth)
{
    const alg_imp_nearest *const n = v->nearest;
    const alg_imp_patch *const b = &n->pair->b->patches[patch];
    const vec3 own = geo_pose_rotate(&n->pose, vector_of(b->normal));
    const alg_imp_touch t = {
        .point = vec3_madd(on_b, 0.5 * depth, normal),
        .normal = normal,
        .depth_m = depth,
        .on_b = on_b,
        .force = vec3_scale(-depth * (double)b->faces, own),
    };
    if (depth > 0 && vec3_norm2(normal) > 0) {
        v->visit(v->context, &t);
    }
}

/** Visits the patches near A's surface. */
static void touch_planes(const visit *v)
{
    const alg_imp_nearest *const n = v->nearest;
    for (size_t word = 0; word < n->word_count; word++) {
        for (uint64_t left = n->marked[word]; left != 0; left &= left - 1) {
            const uint32_t b = (uint32_t)(64 * word) + (uint32_t)__builtin_ctzll(left);
            const candidate *const c = &n->of[b];
            const alg_imp_side s = alg_imp_side_of(n->pair->a, c->voxel, c->a, c->point);
            touch(v, b, c->point, s.normal, s.depth);
        }
    }
}

/**
 * Visits a patch deep inside of A. A's surface is represented by a plate at A's nearest patch, with
 * a radius of half a voxel's diagonal. Beyond the plate's rim, as at a concave edge, the rim is the
 * nearest surface.
 */
static void touch_plate(const visit *v, uint32_t patch, vec3 on_b, uint32_t nearest_a)
{
    const alg_imp_body *const a = v->nearest->pair->a;
    const vec3 normal = vector_of(a->patches[nearest_a].normal);
    const vec3 way = vec3_sub(alg_imp_patch_point(a, nearest_a), on_b);
    const double height = vec3_dot(way, normal);
    const vec3 across = vec3_madd(way, -height, normal);
    const double beside = fmax(0, 1 - ALG_IMP_POINT_REACH * a->grid.edge / vec3_norm(across));
    const vec3 out = vec3_add(vec3_scale(height, normal), vec3_scale(beside, across));
    const double depth = vec3_norm(out);
    touch(v, patch, on_b, vec3_normalize(out), depth);
}

/** Visits the patches of a voxel that is completely inside of A. */
static void touch_inside(visit *v, uint32_t voxel)
{
    const alg_imp_nearest *const n = v->nearest;
    const alg_imp_body *const b = n->pair->b;
    for (uint32_t p = b->patch_starts[voxel]; p < b->patch_starts[voxel + 1]; p++) {
        if (!is_marked(n, p)) {
            const vec3 point = geo_pose_apply(&n->pose, alg_imp_patch_point(b, p));
            v->hint = alg_imp_closest_patch(n->pair->a, point, v->hint);
            touch_plate(v, p, point, v->hint);
        }
    }
}

/** True if the position, in half edges of A's voxels, is in a full voxel of A. */
static bool is_full(const alg_imp_body *a, const float at[3])
{
    const uint32_t *const n = a->grid.size;
    for (int i = 0; i < 3; i++) {
        if (!(at[i] >= 0 && at[i] < (float)(2 * n[i]))) {
            return false;
        }
    }
    return alg_imp_descriptor_at(a, (uint32_t)at[0] / 2, (uint32_t)at[1] / 2,
                                 (uint32_t)at[2] / 2) == ALG_IMP_VOXEL_FULL;
}

/** Visits the voxels below a node of B that may be inside of A. */
static void descend(visit *v, uint32_t level, const alg_imp_child *node)
{
    const alg_imp_pair *const pair = v->nearest->pair;
    const alg_imp_tree *const tree = &pair->b->tree;
    const alg_imp_sphere ball = alg_imp_sphere_of(tree, level, node->number);
    const float half = (float)(1u << level * alg_imp_bits(tree->children));
    float centre[3];
    alg_imp_centre_b(pair, half * (float)(2 * node->cell.x + 1) + ball.offset[0],
                     half * (float)(2 * node->cell.y + 1) + ball.offset[1],
                     half * (float)(2 * node->cell.z + 1) + ball.offset[2], centre);
    if (level == 0) {
        if (is_full(pair->a, centre)) {
            touch_inside(v, node->number);
        }
        return;
    }
    if (alg_imp_coarse_misses(pair->a->coarse, centre,
                              ball.radius * pair->ratio + 2 * pair->slack)) {
        return;
    }
    alg_imp_child children[ALG_IMP_CHILDREN_MAX];
    const uint32_t count = alg_imp_tree_open(tree, level, node, children);
    for (uint32_t i = 0; i < count; i++) {
        descend(v, level - 1, &children[i]);
    }
}

void alg_imp_nearest_visit(const alg_imp_nearest *nearest, alg_imp_touch_visitor *visitor,
                           void *context)
{
    visit v = {nearest, visitor, context, 0};
    const alg_imp_child root = {0};
    touch_planes(&v);
    if (nearest->pair->a->coarse) {
        descend(&v, nearest->pair->b->tree.root_level, &root);
    }
}
