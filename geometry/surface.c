#include "geometry/surface.h"

#include "geometry/pose.h"
#include "geometry/simd.h"
#include "geometry/triangle.h"

enum { LEAF_SIZE = 4 };

/* --- Intersections -------------------------------------------------------------------------- */

typedef struct crossing {
    const geo_surface *a, *b;
    const geo_pose *pose;
    geo_face_pair_visitor *visit;
    void *context;
} crossing;

static bool visit_leaves(void *context, uint32_t a, uint32_t na, uint32_t b, uint32_t nb)
{
    const crossing *const c = context;
    geo_box boxes[GEO_BVH_LEAF_MAX];
    for (uint32_t i = 0; i < na; i++) {
        boxes[i] = geo_box_of_triangle(c->a->triangles[a + i]);
    }
    for (uint32_t j = 0; j < nb; j++) {
        const geo_triangle given = c->b->triangles[b + j];
        const geo_triangle moved =
            c->pose == NULL ? given : geo_pose_apply_triangle(c->pose, given);
        const geo_box box = geo_box_of_triangle(moved);
        for (uint32_t i = 0; i < na; i++) {
            if (geo_box_overlap(boxes[i], box) &&
                geo_triangle_intersect(c->a->triangles[a + i], moved) &&
                !c->visit(c->context, c->a->bvh.order[a + i], c->b->bvh.order[b + j])) {
                return false;
            }
        }
    }
    return true;
}

bool geo_surface_intersections(const geo_surface *a, const geo_surface *b, const geo_pose *pose,
                               geo_face_pair_visitor *visit, void *context)
{
    crossing c = {a, b, pose, visit, context};
    return geo_bvh_pairs(&a->bvh, &b->bvh, pose, visit_leaves, &c);
}

/* --- Build ---------------------------------------------------------------------------------- */

geo_status geo_surface_build(const geo_mesh *mesh, geo_arena *arena, geo_surface *surface,
                             geo_error *err)
{
    geo_assert(mesh->face_count >= 1);
    *surface = (geo_surface){.mesh = mesh};
    geo_box *const boxes = geo_alloc(mesh->face_count, sizeof *boxes);
    if (boxes == NULL) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory for a surface of %zu faces",
                        mesh->face_count);
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        boxes[f] = geo_box_of_triangle(geo_mesh_triangle(mesh, f));
    }
    geo_status status =
        geo_bvh_build(boxes, mesh->face_count, LEAF_SIZE, arena, &surface->bvh, err);
    if (status != GEO_OK) {
        goto done;
    }
    surface->triangles = geo_arena_alloc(arena, mesh->face_count, sizeof *surface->triangles);
    if (surface->triangles == NULL) {
        status = geo_fail(err, GEO_ERR_MEMORY, "out of memory for a surface of %zu faces",
                          mesh->face_count);
        goto done;
    }
    for (size_t i = 0; i < mesh->face_count; i++) {
        surface->triangles[i] = geo_mesh_triangle(mesh, surface->bvh.order[i]);
    }
    status = geo_disks_build(&surface->bvh, surface->triangles, arena, &surface->disks, err);
done:
    geo_free(boxes);
    return status;
}
