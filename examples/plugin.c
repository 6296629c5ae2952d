/**
 * An example algorithm in a shared library, in C: the gap between bounding spheres. The gap is a
 * lower bound of the distance of the bodies. The contract promises this, and the suite checks it.
 *
 *   cc -shared -fPIC -O2 $(pkg-config --cflags proxbench) plugin.c -o libspheres.so -lm
 *   proxbench run --plugin libspheres.so --a A.off --b B.off --trajectory T.csv \
 *       --quantity distance --algorithm 'spheres,brute'
 */
#include <proxbench/algorithms.h>

#include <math.h>
#include <stdlib.h>

static double distance_of(geo_vec3 a, geo_vec3 b)
{
    const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrt(x * x + y * y + z * z);
}

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    /* Balls contain the bodies, so disjoint balls mean disjoint bodies: no contact is missed. */
    return quantity == ALG_DISTANCE  ? ALG_LOWER_BOUND
           : quantity == ALG_CONTACT ? ALG_UPPER_BOUND
                                     : ALG_NOT_ANSWERED;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    (void)settings;
    (void)role;
    (void)message;
    geo_ball *const ball = malloc(sizeof *ball);
    *prepared = ball;
    if (!ball) {
        return ALG_OUT_OF_MEMORY;
    }
    ball->centre.x = 0.5 * (mesh->box.lo.x + mesh->box.hi.x);
    ball->centre.y = 0.5 * (mesh->box.lo.y + mesh->box.hi.y);
    ball->centre.z = 0.5 * (mesh->box.lo.z + mesh->box.hi.z);
    ball->radius = 0;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        ball->radius = fmax(ball->radius, distance_of(ball->centre, mesh->vertices[i]));
    }
    ball->radius *= 1 + 1e-12; /* rounded outwards, so that the bound holds at every frame */
    info->bytes = sizeof *ball;
    info->primitives = 1;
    return ALG_OK;
}

typedef struct pair {
    const geo_ball *a, *b;
} pair;

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, void **state, alg_message *message)
{
    (void)settings;
    (void)request;
    (void)message;
    pair *const p = malloc(sizeof *p);
    *state = p;
    if (!p) {
        return ALG_OUT_OF_MEMORY;
    }
    p->a = fixed;
    p->b = moving;
    return ALG_OK;
}

static double row_dot(geo_vec3 row, geo_vec3 p)
{
    return row.x * p.x + row.y * p.y + row.z * p.z;
}

static void query(void *state, const geo_pose *pose, alg_answer *answer)
{
    const pair *const p = state;
    const geo_vec3 c = p->b->centre;
    const geo_vec3 moved = {row_dot(pose->rotation.row[0], c) + pose->translation.x,
                            row_dot(pose->rotation.row[1], c) + pose->translation.y,
                            row_dot(pose->rotation.row[2], c) + pose->translation.z};
    const double gap = distance_of(p->a->centre, moved) - p->a->radius - p->b->radius;
    answer->distance_m = gap > 0 ? gap : 0;
    answer->colliding = gap <= 0;
    answer->answered = ALG_HAS_DISTANCE | ALG_HAS_CONTACT;
    answer->outcome = ALG_CONVERGED;
}

static const alg_algorithm spheres = {
    .abi_version = ALG_ABI_VERSION,
    .name = "spheres",
    .summary = "gap between bounding spheres",
    .source = "",
    .contract = contract,
    .prepare = prepare,
    .dispose = free,
    .bind = bind,
    .release = free,
    .query = query,
    .tolerance_ulp = 4,
};

const alg_plugin *proxbench_plugin(void)
{
    static const alg_algorithm *const algorithms[] = {&spheres, NULL};
    static const alg_plugin plugin = {ALG_ABI_VERSION, sizeof(alg_algorithm), "spheres 1", ALG_SIMD,
                                      algorithms};
    return &plugin;
}
