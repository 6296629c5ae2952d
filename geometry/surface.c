#include "geometry/surface.h"

#include "base/memory.h"

enum { LEAF_SIZE = 4 };

base_status geo_surface_build(const geo_mesh *mesh, base_arena *arena, geo_surface *surface,
                              base_error *err)
{
    base_assert(mesh->face_count >= 1);
    *surface = (geo_surface){.mesh = mesh};
    geo_box *const boxes = base_alloc(mesh->face_count, sizeof *boxes);
    if (!boxes) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a surface of %zu faces",
                         mesh->face_count);
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        boxes[f] = geo_box_of_triangle(geo_mesh_triangle(mesh, f));
    }
    base_status status =
        geo_bvh_build(boxes, mesh->face_count, LEAF_SIZE, arena, &surface->bvh, err);
    if (status != BASE_OK) {
        goto done;
    }
    surface->triangles = base_arena_alloc(arena, mesh->face_count, sizeof *surface->triangles);
    if (!surface->triangles) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for a surface of %zu faces",
                           mesh->face_count);
        goto done;
    }
    for (size_t i = 0; i < mesh->face_count; i++) {
        surface->triangles[i] = geo_mesh_triangle(mesh, surface->bvh.order[i]);
    }
    status = geo_disks_build(&surface->bvh, surface->triangles, arena, &surface->disks, err);
done:
    base_free(boxes);
    return status;
}
