#include "algorithms/ist/skin.h"

#include "algorithms/support.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/box.h"
#include "geometry/pose.h"
#include "geometry/triangle.h"

enum { SPHERES_A_CHUNK = 64 };

/* --- Building --------------------------------------------------------------------------------- */

static base_status find_parts(base_arena *arena, alg_ist_skin *skin, base_error *err)
{
    const geo_mesh *const mesh = &skin->mesh;
    uint32_t *const label = base_alloc(mesh->face_count, sizeof *label);
    if (!label) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the parts of a mesh");
    }
    base_status status = geo_mesh_components(mesh, label, &skin->part_count, err);
    if (status == BASE_OK) {
        skin->part_vertex = base_arena_alloc(arena, skin->part_count, sizeof *skin->part_vertex);
        if (!skin->part_vertex) {
            status = base_fail(err, BASE_ERR_MEMORY, "out of memory for the parts of a mesh");
        }
    }
    for (size_t f = 0; status == BASE_OK && f < mesh->face_count; f++) {
        skin->part_vertex[label[f]] = mesh->faces[f].v[0];
    }
    base_free(label);
    return status;
}

base_status alg_ist_skin_build(const alg_mesh *mesh, alg_ist_packing *packing, base_arena *arena,
                               alg_ist_skin *skin, base_error *err)
{
    *skin = (alg_ist_skin){0};
    skin->mesh = alg_mesh_view(mesh);
    base_status status = geo_surface_build(&skin->mesh, arena, &skin->surface, err);
    if (status == BASE_OK) {
        status = find_parts(arena, skin, err);
    }
    if (status == BASE_OK) {
        status = alg_ist_own_surface(packing, &skin->mesh, arena, &skin->owners, err);
    }
    for (size_t i = 0; status == BASE_OK && i < packing->count; i++) {
        const uint32_t owned = skin->owners.first[i + 1] - skin->owners.first[i];
        skin->owned_most = owned > skin->owned_most ? owned : skin->owned_most;
    }
    return status;
}

typedef struct nearest_job {
    const alg_ist_tree *tree;
    alg_ist_skin *skin;
} nearest_job;

static void find_nearest(void *context, size_t begin, size_t end)
{
    const nearest_job *const job = context;
    uint32_t hint = UINT32_MAX;
    for (size_t i = begin; i < end; i++) {
        hint = geo_surface_closest(&job->skin->surface, job->tree->spheres[i].centre, hint).face;
        job->skin->nearest[i] = hint;
    }
}

base_status alg_ist_skin_finish(const alg_ist_tree *tree, base_arena *arena, alg_ist_skin *skin,
                                base_error *err)
{
    skin->nearest = base_arena_alloc(arena, tree->sphere_count, sizeof *skin->nearest);
    if (!skin->nearest) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the faces near %u spheres",
                         tree->sphere_count);
    }
    nearest_job job = {tree, skin};
    base_parallel_for(tree->sphere_count, SPHERES_A_CHUNK, 0, find_nearest, &job);
    return BASE_OK;
}

/* --- Pairs of faces --------------------------------------------------------------------------- */

alg_ist_face_pair alg_ist_measure_faces(const alg_ist_skin *a, const alg_ist_skin *b,
                                        const geo_pose *pose, uint32_t face_a, uint32_t face_b)
{
    alg_ist_face_pair pair = {.a = face_a, .b = face_b};
    const geo_triangle ta = geo_mesh_triangle(&a->mesh, face_a);
    const geo_triangle tb = geo_pose_apply_triangle(pose, geo_mesh_triangle(&b->mesh, face_b));
    if (geo_box_overlap(geo_box_of_triangle(ta), geo_box_of_triangle(tb)) &&
        geo_triangle_intersect(ta, tb)) {
        pair.witness_a = pair.witness_b = alg_common_point(ta, tb);
    } else {
        pair.distance2 = geo_triangle_distance2(ta, tb, &pair.witness_a, &pair.witness_b);
    }
    return pair;
}

void alg_ist_approach(const alg_ist_skin *a, const alg_ist_skin *b, const geo_pose *pose,
                      uint32_t rounds, alg_ist_face_pair *pair)
{
    const geo_pose inverse = geo_pose_inverse(pose);
    for (uint32_t i = 0; i < rounds && pair->distance2 > 0; i++) {
        const geo_closest on_a = geo_surface_closest(&a->surface, pair->witness_b, pair->a);
        const geo_closest on_b =
            geo_surface_closest(&b->surface, geo_pose_apply(&inverse, on_a.point), pair->b);
        const alg_ist_face_pair next = alg_ist_measure_faces(a, b, pose, on_a.face, on_b.face);
        if (!(next.distance2 < pair->distance2)) {
            return;
        }
        *pair = next;
    }
}

/* --- Containment ------------------------------------------------------------------------------ */

static bool box_contains(geo_box box, vec3 p)
{
    return geo_box_overlap(box, (geo_box){p, p});
}

bool alg_ist_skins_nested(const alg_ist_skin *a, const alg_ist_skin *b, const geo_pose *pose,
                          vec3 *in_both)
{
    for (uint32_t i = 0; i < b->part_count; i++) {
        *in_both = geo_pose_apply(pose, b->mesh.vertices[b->part_vertex[i]]);
        if (box_contains(a->surface.bvh.box, *in_both) &&
            geo_surface_contains(&a->surface, *in_both)) {
            return true;
        }
    }
    for (uint32_t i = 0; i < a->part_count; i++) {
        *in_both = a->mesh.vertices[a->part_vertex[i]];
        if (geo_surface_contains_moved(&b->surface, pose, *in_both)) {
            return true;
        }
    }
    return false;
}
