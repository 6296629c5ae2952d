/**
 * Exact distance and contact by definition: all pairs of triangles, without a hierarchy.
 *
 * This is the reference for small bodies. Solids that overlap have distance 0. Either two of their
 * triangles intersect, or a connected part of one surface lies inside the other solid. In the
 * second case, a vertex of that part is inside, so one vertex of each part is tested.
 */
#include "algorithms/life.h"
#include "algorithms/registry.h"
#include "geometry/pose.h"
#include "geometry/triangle.h"

enum { COUNT_PAIRS };
static const char *const counter_names[] = {[COUNT_PAIRS] = "primitive_tests_count", NULL};

typedef struct body {
    base_arena arena;
    geo_shell shell;
    geo_triangle *faces; /* arena; corners of face i at index i */
} body;

typedef struct state {
    base_arena arena;
    const body *a, *b;
    geo_triangle *moved; /* arena; B's faces in A's frame */
} state;

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_DISTANCE || quantity == ALG_CONTACT ? ALG_EXACT : ALG_NOT_ANSWERED;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    (void)settings, (void)role;
    const alg_status status = alg_create(sizeof(body), prepared, message);
    if (status != ALG_OK) {
        return status;
    }
    body *const b = *prepared;
    base_error err = {0};
    if (geo_shell_build(alg_mesh_view(mesh), mesh->solid, &b->arena, &b->shell, &err) != BASE_OK) {
        return alg_abandon(prepared, alg_fail_geo(message, &err));
    }
    b->faces = base_arena_alloc(&b->arena, mesh->face_count, sizeof *b->faces);
    if (!b->faces) {
        return alg_abandon(prepared, alg_fail(message, ALG_OUT_OF_MEMORY,
                                              "out of memory for %zu triangles", mesh->face_count));
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        b->faces[f] = geo_mesh_triangle(&b->shell.mesh, f);
    }
    info->bytes = b->arena.bytes;
    info->primitives = mesh->face_count;
    return ALG_OK;
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, void **held, alg_message *message)
{
    (void)settings, (void)request;
    *held = NULL;
    const alg_status status = alg_create(sizeof(state), held, message);
    if (status != ALG_OK) {
        return status;
    }
    state *const s = *held;
    s->a = fixed;
    s->b = moving;
    s->moved = base_arena_alloc(&s->arena, s->b->shell.mesh.face_count, sizeof *s->moved);
    if (!s->moved) {
        return alg_abandon(
            held, alg_fail(message, ALG_OUT_OF_MEMORY, "out of memory for the moved triangles"));
    }
    return ALG_OK;
}

/** Tests all pairs until one intersects. Fills the distance, the witnesses and the counter. */
static void compare_faces(const state *s, alg_answer *answer)
{
    double nearest2 = INFINITY;
    uint64_t pairs = 0;
    for (size_t i = 0; nearest2 > 0 && i < s->a->shell.mesh.face_count; i++) {
        for (size_t j = 0; nearest2 > 0 && j < s->b->shell.mesh.face_count; j++) {
            const geo_triangle ta = s->a->faces[i], tb = s->moved[j];
            vec3 on_a, on_b;
            double d2;
            pairs++;
            if (geo_triangle_intersect(ta, tb)) {
                d2 = 0;
                on_a = on_b = geo_triangle_common_point(ta, tb);
            } else {
                d2 = geo_triangle_distance2(ta, tb, &on_a, &on_b);
            }
            if (d2 < nearest2) {
                nearest2 = d2;
                answer->witness_a = on_a;
                answer->witness_b = on_b;
            }
        }
    }
    answer->distance_m = sqrt(nearest2);
    answer->counters[COUNT_PAIRS] = pairs;
}

static void query(void *held, const geo_pose *pose, alg_answer *answer)
{
    const state *const s = held;
    for (size_t j = 0; j < s->b->shell.mesh.face_count; j++) {
        s->moved[j] = geo_pose_apply_triangle(pose, s->b->faces[j]);
    }
    compare_faces(s, answer);
    vec3 common;
    if (answer->distance_m > 0 && geo_shells_nested(&s->a->shell, &s->b->shell, pose, &common)) {
        answer->distance_m = 0;
        answer->witness_a = answer->witness_b = common;
    }
    answer->colliding = answer->distance_m == 0;
    answer->answered = ALG_HAS_DISTANCE | ALG_HAS_WITNESS | ALG_HAS_CONTACT;
    answer->outcome = ALG_CONVERGED;
}

const alg_algorithm alg_brute = {
    .abi_version = ALG_ABI_VERSION,
    .name = "brute",
    .summary = "exact distance by all pairs of triangles",
    .source = "",
    .counters = counter_names,
    .contract = contract,
    .prepare = prepare,
    .dispose = alg_destroy,
    .bind = bind,
    .release = alg_destroy,
    .query = query,
};
