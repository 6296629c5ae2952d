#include "algorithms/lpd/body.h"

#include "geometry/vec.h"

static double mean_edge(const geo_mesh *mesh)
{
    double sum = 0;
    for (size_t face = 0; face < mesh->face_count; face++) {
        const geo_triangle t = geo_mesh_triangle(mesh, face);
        for (int k = 0; k < 3; k++) {
            sum += vec3_distance(t.p[k], t.p[k == 2 ? 0 : k + 1]);
        }
    }
    return sum / (3 * (double)mesh->face_count);
}

alg_status alg_lpd_body_prepare(const alg_mesh *mesh, void **prepared, alg_build_info *info,
                                alg_message *message)
{
    const alg_status status = alg_create(sizeof(alg_lpd_body), prepared, message);
    if (status != ALG_OK) {
        return status;
    }
    alg_lpd_body *const b = *prepared;
    const geo_mesh view = alg_mesh_view(mesh);
    const vec3 middle = geo_box_centre(mesh->box);
    base_error err = {0};
    if (geo_tree_build(&view, middle, &b->arena, &b->tree, &err) != BASE_OK ||
        geo_adjacency_build(&view, &b->arena, &b->adjacency, &err) != BASE_OK ||
        (mesh->solid && geo_shell_build(view, true, &b->arena, &b->shell, &err) != BASE_OK)) {
        return alg_abandon(prepared, alg_fail_geo(message, &err));
    }
    b->box = mesh->box;
    b->centroid = mesh->solid ? mesh->centroid : middle;
    b->mean_edge_m = mean_edge(&view);
    info->bytes = b->arena.bytes;
    info->primitives = mesh->face_count;
    return ALG_OK;
}
