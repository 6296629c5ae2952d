#include "algorithms/imp/nearest.h"

#include <math.h>
#include <string.h>

/** The nearest voxel of A to one of B, by their points; or the deepest full one. */
typedef struct candidate {
    double distance2; /* of the points; INFINITY: full ones alone */
    double depth;     /* of full ones: of the balls, A's units */
    uint32_t a;       /* of surface voxels */
} candidate;

struct alg_imp_nearest {
    const alg_imp_pair *pair;
    geo_pose pose;
    candidate *of;    /* by voxel of B; what is not marked means nothing */
    uint64_t *marked; /* a bit for each */
    size_t word_count;
    vec3 point; /* of B's voxel `b`, A's frame */
    uint32_t b; /* ALG_IMP_FULL: none */
};

base_status alg_imp_nearest_create(const alg_imp_pair *pair, base_arena *arena,
                                   alg_imp_nearest **nearest, base_error *err)
{
    const size_t count = pair->b->tree.voxel_count, words = (count + 63) / 64;
    alg_imp_nearest *const n = base_arena_alloc(arena, 1, sizeof *n);
    candidate *const of = base_arena_alloc(arena, count, sizeof *of);
    uint64_t *const marked = base_arena_alloc(arena, words, sizeof *marked);
    *nearest = n;
    if (!n || !of || !marked) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for contacts of %zu voxels", count);
    }
    *n = (alg_imp_nearest){.pair = pair, .of = of, .marked = marked, .word_count = words};
    return BASE_OK;
}

void alg_imp_nearest_begin(alg_imp_nearest *nearest, const geo_pose *pose)
{
    nearest->pose = *pose;
    nearest->b = ALG_IMP_FULL;
    memset(nearest->marked, 0, nearest->word_count * sizeof *nearest->marked);
}

static vec3 vector_of(const float v[3])
{
    return (vec3){(double)v[0], (double)v[1], (double)v[2]};
}

static vec3 point_of_b(const alg_imp_nearest *n, uint32_t b)
{
    return geo_pose_apply(&n->pose, alg_imp_point(n->pair->b, b));
}

/** r_a + r_b - |c_a - c_b| */
static double depth_of_balls(const alg_imp_pair *pair, const alg_imp_hit *hit)
{
    const uint16_t *const a = hit->cell_a, *const b = hit->cell_b;
    const float ca[3] = {2.0F * a[0] + 1, 2.0F * a[1] + 1, 2.0F * a[2] + 1};
    float cb[3];
    alg_imp_centre_b(pair, 2.0F * b[0] + 1, 2.0F * b[1] + 1, 2.0F * b[2] + 1, cb);
    return fmax(0, (double)pair->reach - sqrt((double)alg_imp_distance2(ca, cb)));
}

static candidate *candidate_of(alg_imp_nearest *n, uint32_t b)
{
    candidate *const c = &n->of[b];
    const uint64_t bit = (uint64_t)1 << b % 64;
    if (!(n->marked[b / 64] & bit)) {
        n->marked[b / 64] |= bit;
        *c = (candidate){.distance2 = INFINITY, .a = ALG_IMP_FULL};
    }
    return c;
}

void alg_imp_nearest_add(alg_imp_nearest *nearest, const alg_imp_hits *hits)
{
    alg_imp_nearest *const n = nearest;
    for (uint32_t i = 0; i < hits->count; i++) {
        const alg_imp_hit *const hit = &hits->items[i];
        if (hit->b == ALG_IMP_FULL) {
            continue;
        }
        candidate *const c = candidate_of(n, hit->b);
        if (hit->a == ALG_IMP_FULL) {
            c->depth = fmax(c->depth, depth_of_balls(n->pair, hit));
            continue;
        }
        /* Hits of one voxel follow each other mostly. */
        if (hit->b != n->b) {
            n->b = hit->b;
            n->point = point_of_b(n, hit->b);
        }
        const double distance2 = vec3_distance2(alg_imp_point(n->pair->a, hit->a), n->point);
        /* Of equally near ones that with the smaller number, whatever the order of hits. */
        if (distance2 < c->distance2 || (distance2 == c->distance2 && hit->a < c->a)) {
            c->distance2 = distance2;
            c->a = hit->a;
        }
    }
}

/** Behind the plane through A's point. */
static alg_imp_touch touch_plane(const alg_imp_body *body, uint32_t a, vec3 point)
{
    const vec3 normal = vector_of(body->voxels[a].normal), on_a = alg_imp_point(body, a);
    const double depth = vec3_dot(normal, vec3_sub(on_a, point));
    return (alg_imp_touch){vec3_madd(point, 0.5 * depth, normal), normal, depth};
}

/** Among full voxels alone. */
static alg_imp_touch touch_full(const alg_imp_nearest *n, const candidate *c, uint32_t b,
                                vec3 point)
{
    const vec3 own = geo_pose_rotate(&n->pose, vector_of(n->pair->b->voxels[b].normal));
    return (alg_imp_touch){point, vec3_scale(-1, own), n->pair->unit_m * c->depth};
}

void alg_imp_nearest_visit(const alg_imp_nearest *nearest, alg_imp_touch_visitor *visit,
                           void *context)
{
    const alg_imp_nearest *const n = nearest;
    for (size_t word = 0; word < n->word_count; word++) {
        for (uint64_t left = n->marked[word]; left != 0; left &= left - 1) {
            const uint32_t b = (uint32_t)(64 * word) + (uint32_t)__builtin_ctzll(left);
            const candidate *const c = &n->of[b];
            const vec3 point = point_of_b(n, b);
            const alg_imp_touch touch = c->a == ALG_IMP_FULL ? touch_full(n, c, b, point)
                                                             : touch_plane(n->pair->a, c->a, point);
            if (touch.depth_m > 0 && vec3_norm2(touch.normal) > 0) {
                visit(context, &touch);
            }
        }
    }
}
