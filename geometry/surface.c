#include "geometry/surface.h"

enum { LEAF_SIZE = 4 };

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
