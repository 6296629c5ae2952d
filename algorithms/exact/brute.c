/**
 * Exact distance by the definition: all pairs of triangles, no hierarchy, nothing skipped.
 *
 * The referee for small bodies. Solids that overlap have distance 0: two triangles intersect, or a
 * connected part of one surface lies inside the other solid, which one of its vertices tells.
 */
#include "algorithms/entries.h"
#include "algorithms/support.h"
#include "base/memory.h"
#include "geometry/pose.h"
#include "geometry/surface.h"
#include "geometry/triangle.h"

enum { COUNT_PAIRS };
static const char *const counter_names[] = {[COUNT_PAIRS] = "primitive_tests_count", NULL};

typedef struct body {
    base_arena arena;
    geo_mesh mesh;         /* borrowed */
    geo_surface surface;   /* for the inside test */
    geo_triangle *faces;   /* arena; corners of face i */
    uint32_t *part_vertex; /* arena; a vertex of each connected part */
    uint32_t part_count;
    bool solid;
} body;

typedef struct state {
    const body *a, *b;
    geo_triangle *moved; /* owned; B's faces in A's frame */
} state;

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_DISTANCE || quantity == ALG_CONTACT ? ALG_EXACT : ALG_NOT_ANSWERED;
}

static void dispose(void *prepared)
{
    if (prepared) {
        body *const b = prepared;
        base_arena_release(&b->arena);
        base_free(b);
    }
}

static base_status find_parts(body *b, base_error *err)
{
    uint32_t *const label = base_alloc(b->mesh.face_count, sizeof *label);
    if (!label) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the parts of a mesh");
    }
    base_status status = geo_mesh_components(&b->mesh, label, &b->part_count, err);
    if (status == BASE_OK) {
        b->part_vertex = base_arena_alloc(&b->arena, b->part_count, sizeof *b->part_vertex);
        if (!b->part_vertex) {
            status = base_fail(err, BASE_ERR_MEMORY, "out of memory for the parts of a mesh");
        }
    }
    for (size_t f = 0; status == BASE_OK && f < b->mesh.face_count; f++) {
        b->part_vertex[label[f]] = b->mesh.faces[f].v[0];
    }
    base_free(label);
    return status;
}

static base_status build(body *b, const alg_mesh *mesh, base_error *err)
{
    b->mesh = alg_mesh_view(mesh);
    base_status status = geo_surface_build(&b->mesh, &b->arena, &b->surface, err);
    if (status == BASE_OK) {
        status = find_parts(b, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    b->solid = mesh->solid;
    b->faces = base_arena_alloc(&b->arena, mesh->face_count, sizeof *b->faces);
    if (!b->faces) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu triangles", mesh->face_count);
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        b->faces[f] = geo_mesh_triangle(&b->mesh, f);
    }
    return BASE_OK;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    (void)settings;
    (void)role;
    *prepared = NULL;
    body *const b = base_alloc(1, sizeof *b);
    if (!b) {
        return alg_fail(message, ALG_OUT_OF_MEMORY, "out of memory");
    }
    base_error err = {0};
    if (build(b, mesh, &err) != BASE_OK) {
        dispose(b);
        return alg_fail_geo(message, &err);
    }
    info->bytes = b->arena.bytes;
    info->primitives = b->mesh.face_count;
    *prepared = b;
    return ALG_OK;
}

static void release(void *held)
{
    if (held) {
        state *const s = held;
        base_free(s->moved);
        base_free(s);
    }
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       unsigned wanted, void **held, alg_message *message)
{
    (void)settings;
    *held = NULL;
    if (wanted & ALG_WANT_VOLUME) {
        return alg_fail(message, ALG_UNSUPPORTED, "brute has no volume");
    }
    state *const s = base_alloc(1, sizeof *s);
    if (!s) {
        return alg_fail(message, ALG_OUT_OF_MEMORY, "out of memory");
    }
    *s = (state){.a = fixed, .b = moving};
    s->moved = base_alloc(s->b->mesh.face_count, sizeof *s->moved);
    if (!s->moved) {
        release(s);
        return alg_fail(message, ALG_OUT_OF_MEMORY, "out of memory for the moved triangles");
    }
    *held = s;
    return ALG_OK;
}

/**
 * A part of one body inside the other, for surfaces that do not cross: *in_a is a point of both
 * solids. A's vertices go to B's frame by the inverse motion; its rounding can only matter for
 * surfaces that are nearer than the rounding of the answer.
 */
static bool find_contained(const state *s, const geo_pose *pose, vec3 *in_a)
{
    for (uint32_t i = 0; s->a->solid && i < s->b->part_count; i++) {
        *in_a = geo_pose_apply(pose, s->b->mesh.vertices[s->b->part_vertex[i]]);
        if (geo_surface_contains(&s->a->surface, *in_a)) {
            return true;
        }
    }
    const geo_pose inverse = geo_pose_inverse(pose);
    for (uint32_t i = 0; s->b->solid && i < s->a->part_count; i++) {
        *in_a = s->a->mesh.vertices[s->a->part_vertex[i]];
        if (geo_surface_contains(&s->b->surface, geo_pose_apply(&inverse, *in_a))) {
            return true;
        }
    }
    return false;
}

/** All pairs, until one intersects. Fills the distance, the witnesses and the counter. */
static void compare_faces(const state *s, alg_answer *answer)
{
    double nearest2 = INFINITY;
    uint64_t pairs = 0;
    for (size_t i = 0; nearest2 > 0 && i < s->a->mesh.face_count; i++) {
        for (size_t j = 0; nearest2 > 0 && j < s->b->mesh.face_count; j++) {
            const geo_triangle ta = s->a->faces[i], tb = s->moved[j];
            vec3 on_a, on_b;
            double d2;
            pairs++;
            if (geo_triangle_intersect(ta, tb)) {
                d2 = 0;
                on_a = on_b = alg_common_point(ta, tb);
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
    for (size_t j = 0; j < s->b->mesh.face_count; j++) {
        s->moved[j] = geo_pose_apply_triangle(pose, s->b->faces[j]);
    }
    compare_faces(s, answer);
    vec3 common;
    if (answer->distance_m > 0 && find_contained(s, pose, &common)) {
        answer->distance_m = 0;
        answer->witness_a = answer->witness_b = common;
    }
    answer->colliding = answer->distance_m == 0;
    answer->answered = ALG_HAS_DISTANCE | ALG_HAS_WITNESS | ALG_HAS_CONTACT;
    answer->outcome = ALG_CONVERGED;
}

const alg alg_brute = {
    .abi_version = ALG_ABI_VERSION,
    .name = "brute",
    .summary = "exact distance by all pairs of triangles",
    .source = "",
    .counters = counter_names,
    .contract = contract,
    .prepare = prepare,
    .dispose = dispose,
    .bind = bind,
    .release = release,
    .query = query,
};
