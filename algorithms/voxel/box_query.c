#include "algorithms/voxel/box_query.h"

#include "base/memory.h"
#include "base/simd.h"

enum { LEAF_SIZE = 4 };

base_status alg_box_query_build(const geo_mesh *mesh, base_arena *arena, alg_box_query *query,
                                base_error *err)
{
    base_assert(mesh->face_count >= 1);
    *query = (alg_box_query){.avx2 = base_cpu_avx2()};
    geo_box *const boxes = base_alloc(mesh->face_count, sizeof *boxes);
    query->triangles = base_arena_alloc(arena, mesh->face_count, sizeof *query->triangles);
    base_status status = BASE_OK;
    if (!boxes || !query->triangles) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for box queries of %zu faces",
                           mesh->face_count);
        goto done;
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        boxes[f] = geo_box_of_triangle(geo_mesh_triangle(mesh, f));
    }
    status = geo_bvh_build(boxes, mesh->face_count, LEAF_SIZE, arena, &query->bvh, err);
    for (size_t i = 0; i < mesh->face_count && status == BASE_OK; i++) {
        query->triangles[i] = geo_mesh_triangle(mesh, query->bvh.order[i]);
    }
done:
    base_free(boxes);
    return status;
}

bool alg_box_query_run(const alg_box_query *query, geo_box box, alg_box_query_visitor *visit,
                       void *context)
{
    return query->avx2 ? alg_box_query_descend_avx2(query, box, visit, context)
                       : alg_box_query_descend_sse2(query, box, visit, context);
}
