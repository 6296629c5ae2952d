/**
 * A plug-in whose slowness is known: the least distance of two vertices, an upper bound of the
 * distance of the bodies. Built with -DSLOW_PERCENT=p it does p % of its work twice.
 */

#include <math.h>
#include <proxbench/algorithms.h>
#include <stdlib.h>

#ifndef SLOW_PERCENT
#define SLOW_PERCENT 0
#endif

/** One percent of the vertices of A is exactly two vertices. */
enum { VERTICES_A = 200, VERTICES_B = 16, AGAIN = VERTICES_A * SLOW_PERCENT / 100 };

typedef struct cloud {
    geo_vec3 points[VERTICES_A];
    size_t count;
} cloud;

typedef struct pair {
    const cloud *a, *b;
} pair;

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_DISTANCE ? ALG_UPPER_BOUND : ALG_NOT_ANSWERED;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    const size_t most = role == ALG_FIXED ? VERTICES_A : VERTICES_B;
    cloud *const c = calloc(1, sizeof *c);
    (void)settings;
    (void)message;
    *prepared = c;
    if (!c) {
        return ALG_OUT_OF_MEMORY;
    }
    c->count = most;
    for (size_t i = 0; i < most; i++) {
        c->points[i] = mesh->vertices[i * mesh->vertex_count / most];
    }
    info->bytes = sizeof *c;
    info->primitives = most;
    return ALG_OK;
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, void **state, alg_message *message)
{
    pair *const p = malloc(sizeof *p);
    (void)settings;
    (void)request;
    (void)message;
    *state = p;
    if (!p) {
        return ALG_OUT_OF_MEMORY;
    }
    p->a = fixed;
    p->b = moving;
    return ALG_OK;
}

static geo_vec3 moved(const geo_pose *pose, geo_vec3 v)
{
    const geo_vec3 *const r = pose->rotation.row;
    geo_vec3 w;
    w.x = r[0].x * v.x + r[0].y * v.y + r[0].z * v.z + pose->translation.x;
    w.y = r[1].x * v.x + r[1].y * v.y + r[1].z * v.z + pose->translation.y;
    w.z = r[2].x * v.x + r[2].y * v.y + r[2].z * v.z + pose->translation.z;
    return w;
}

static double square(double x)
{
    return x * x;
}

/**
 * Least squared distance of the first `rows` vertices of A to those of B. Never inlined: a compiler
 * that knew how many rows there are would make other code of every percentage.
 */
__attribute__((noinline)) static double scan(const cloud *a, size_t rows, const geo_vec3 *b)
{
    double least = INFINITY;
    for (size_t i = 0; i < rows; i++) {
        const geo_vec3 p = a->points[i];
        for (size_t j = 0; j < VERTICES_B; j++) {
            const double d = square(p.x - b[j].x) + square(p.y - b[j].y) + square(p.z - b[j].z);
            least = d < least ? d : least;
        }
    }
    return least;
}

static void query(void *state, const geo_pose *pose, alg_answer *answer)
{
    const pair *const p = state;
    geo_vec3 b[VERTICES_B];
    for (size_t j = 0; j < VERTICES_B; j++) {
        b[j] = moved(pose, p->b->points[j]);
    }
    const double once = scan(p->a, VERTICES_A, b), again = scan(p->a, AGAIN, b);
    answer->outcome = ALG_CONVERGED;
    answer->answered = ALG_HAS_DISTANCE;
    answer->distance_m = sqrt(again < once ? again : once);
}

static const alg_algorithm vertices = {
    .abi_version = ALG_ABI_VERSION,
    .name = "vertices",
    .summary = "least distance of two vertices",
    .source = "",
    .contract = contract,
    .prepare = prepare,
    .dispose = free,
    .bind = bind,
    .release = free,
    .query = query,
};

static const alg_algorithm *const algorithms[] = {&vertices, NULL};

const alg_plugin *proxbench_plugin(void)
{
    static const alg_plugin plugin = {ALG_ABI_VERSION, sizeof(alg_algorithm), "1", NULL,
                                      algorithms};
    return &plugin;
}
