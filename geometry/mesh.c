#include "geometry/mesh.h"

#include "base/containers.h"
#include "base/memory.h"
#include "geometry/vec.h"

#include <math.h>

bool geo_coordinate_valid(double x)
{
    const double size = fabs(x);
    return x == 0 || (size >= GEO_COORDINATE_LEAST && size <= GEO_COORDINATE_GREATEST);
}

const char *geo_coordinate_fault(double x)
{
    return isfinite(x) ? "is out of range (0, or 1e-60 to 1e15 in size)" : "is not finite";
}

base_status geo_mesh_builder_init(size_t vertex_count, size_t face_count, geo_mesh_builder *builder,
                                  base_error *err)
{
    *builder = (geo_mesh_builder){.vertices = base_alloc(vertex_count, sizeof *builder->vertices),
                                  .vertex_count = vertex_count,
                                  .vertex_capacity = vertex_count,
                                  .faces = base_alloc(face_count, sizeof *builder->faces),
                                  .face_count = face_count,
                                  .face_capacity = face_count};
    if (!builder->vertices || !builder->faces) {
        geo_mesh_builder_release(builder);
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a mesh of %zu faces", face_count);
    }
    return BASE_OK;
}

base_status geo_mesh_builder_reserve(geo_mesh_builder *builder, size_t vertices, size_t faces,
                                     base_error *err)
{
    const base_status status =
        base_reserve(builder->vertices, builder->vertex_capacity, vertices, err);
    if (status != BASE_OK) {
        return status;
    }
    return base_reserve(builder->faces, builder->face_capacity, faces, err);
}

base_status geo_mesh_builder_add_vertex(geo_mesh_builder *builder, vec3 p, base_error *err)
{
    const base_status status =
        base_reserve(builder->vertices, builder->vertex_capacity, builder->vertex_count + 1, err);
    if (status == BASE_OK) {
        builder->vertices[builder->vertex_count++] = p;
    }
    return status;
}

base_status geo_mesh_builder_add_face(geo_mesh_builder *builder, geo_face face, base_error *err)
{
    const base_status status =
        base_reserve(builder->faces, builder->face_capacity, builder->face_count + 1, err);
    if (status == BASE_OK) {
        builder->faces[builder->face_count++] = face;
    }
    return status;
}

geo_mesh geo_mesh_builder_view(const geo_mesh_builder *builder)
{
    return (geo_mesh){builder->vertices, builder->vertex_count, builder->faces,
                      builder->face_count};
}

geo_mesh geo_mesh_builder_finish(geo_mesh_builder *builder)
{
    const geo_mesh mesh = geo_mesh_builder_view(builder);
    *builder = (geo_mesh_builder){0};
    return mesh;
}

void geo_mesh_builder_release(geo_mesh_builder *builder)
{
    base_free(builder->vertices);
    base_free(builder->faces);
    *builder = (geo_mesh_builder){0};
}

/**
 * Returns the arrays of a mesh that owns them, without const. A builder allocated them, so they may
 * be written.
 */
static geo_mesh_builder owned(const geo_mesh *mesh)
{
    return (geo_mesh_builder){.vertices = (vec3 *)(uintptr_t)mesh->vertices,
                              .vertex_count = mesh->vertex_count,
                              .faces = (geo_face *)(uintptr_t)mesh->faces,
                              .face_count = mesh->face_count};
}

geo_mesh_builder geo_mesh_builder_resume(geo_mesh *mesh)
{
    geo_mesh_builder builder = owned(mesh);
    builder.vertex_capacity = builder.vertex_count;
    builder.face_capacity = builder.face_count;
    *mesh = (geo_mesh){0};
    return builder;
}

void geo_mesh_release(geo_mesh *mesh)
{
    geo_mesh_builder arrays = geo_mesh_builder_resume(mesh);
    geo_mesh_builder_release(&arrays);
}

void geo_mesh_translate(geo_mesh *mesh, vec3 offset)
{
    const geo_mesh_builder arrays = owned(mesh);
    for (size_t i = 0; i < arrays.vertex_count; i++) {
        arrays.vertices[i] = vec3_add(arrays.vertices[i], offset);
    }
}

geo_box geo_mesh_box(const geo_mesh *mesh)
{
    geo_box box = geo_box_empty();
    for (size_t f = 0; f < mesh->face_count; f++) {
        box = geo_box_join(box, geo_box_of_triangle(geo_mesh_triangle(mesh, f)));
    }
    return box;
}

/* Each face forms a tetrahedron with the centre of the box. The sums are 6 times the volumes and
 * 24 times the first moments of these tetrahedra, and twice the areas of the faces. */
geo_mesh_measure geo_mesh_measures(const geo_mesh *mesh)
{
    if (mesh->face_count == 0) {
        return (geo_mesh_measure){0};
    }
    const vec3 centre = geo_box_centre(geo_mesh_box(mesh));
    double volume6 = 0, area2 = 0;
    vec3 moment24 = {0, 0, 0};
    for (size_t f = 0; f < mesh->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        const vec3 a = vec3_sub(t.p[0], centre);
        const vec3 b = vec3_sub(t.p[1], centre), c = vec3_sub(t.p[2], centre);
        const vec3 u = vec3_sub(t.p[1], t.p[0]), v = vec3_sub(t.p[2], t.p[0]);
        const vec3 normal = vec3_cross(u, v);
        const double det = vec3_dot(a, normal);
        area2 += vec3_norm(normal);
        volume6 += det;
        moment24 = vec3_madd(moment24, det, vec3_add(vec3_add(a, b), c));
    }
    const vec3 shift = volume6 != 0 ? vec3_scale(1 / (4 * volume6), moment24) : vec3_make(0, 0, 0);
    return (geo_mesh_measure){volume6 / 6, area2 / 2, vec3_add(centre, shift)};
}

base_status geo_mesh_components(const geo_mesh *mesh, uint32_t *label, uint32_t *component_count,
                                base_error *err)
{
    uint32_t *const parent = base_alloc(mesh->vertex_count, sizeof *parent);
    uint32_t *const number = base_alloc(mesh->vertex_count, sizeof *number); /* per root, from 1 */
    if (!parent || !number) {
        base_free(parent);
        base_free(number);
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for components of %zu vertices",
                         mesh->vertex_count);
    }
    base_sets_init(parent, mesh->vertex_count);
    for (size_t f = 0; f < mesh->face_count; f++) {
        const uint32_t *const v = mesh->faces[f].v;
        base_sets_join(parent, v[0], v[1]);
        base_sets_join(parent, v[0], v[2]);
    }
    uint32_t count = 0;
    for (size_t f = 0; f < mesh->face_count; f++) {
        uint32_t *const n = &number[base_sets_find(parent, mesh->faces[f].v[0])];
        if (*n == 0) {
            *n = ++count;
        }
        label[f] = *n - 1;
    }
    *component_count = count;
    base_free(parent);
    base_free(number);
    return BASE_OK;
}

base_hash geo_mesh_hash(const geo_mesh *mesh)
{
    base_hasher *const hasher = base_hasher_create();
    if (!hasher) {
        return (base_hash){0, 0};
    }
    const uint64_t counts[2] = {mesh->vertex_count, mesh->face_count};
    base_hasher_add(hasher, counts, sizeof counts);
    base_hasher_add(hasher, mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices);
    base_hasher_add(hasher, mesh->faces, mesh->face_count * sizeof *mesh->faces);
    return base_hasher_finish(hasher);
}
