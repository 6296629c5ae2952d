/** Small solids for the tests of the algorithms, and the glue to hand them over. */
#ifndef ALGORITHMS_TESTS_SHAPES_H
#define ALGORITHMS_TESTS_SHAPES_H

#include "algorithms/algorithms.h"
#include "base/memory.h"
#include "geometry/box.h"
#include "geometry/mesh.h"
#include "geometry/pose.h"
#include "geometry/random.h"

#include <criterion/criterion.h>

static inline geo_mesh shape_new(size_t vertices, size_t faces)
{
    geo_mesh mesh;
    base_error err = {0};
    cr_assert_eq(geo_mesh_create(vertices, faces, &mesh, &err), BASE_OK, "%s", err.text);
    return mesh;
}

/** A box with its corners where they are asked for. */
static inline geo_mesh shape_box(vec3 lo, vec3 hi)
{
    static const uint32_t quads[6][4] = {
        {0, 2, 3, 1},
        {4, 5, 7, 6},
        {0, 1, 5, 4},
        {2, 6, 7, 3},
        {0, 4, 6, 2},
        {1, 3, 7, 5}
    };
    geo_mesh mesh = shape_new(8, 12);
    for (uint32_t v = 0; v < 8; v++) {
        mesh.vertices[v] = (vec3){v & 1 ? hi.x : lo.x, v & 2 ? hi.y : lo.y, v & 4 ? hi.z : lo.z};
    }
    for (uint32_t q = 0; q < 6; q++) {
        const uint32_t *const c = quads[q];
        mesh.faces[2 * q] = (geo_face){
            {c[0], c[1], c[2]}
        };
        mesh.faces[2 * q + 1] = (geo_face){
            {c[0], c[2], c[3]}
        };
    }
    return mesh;
}

/** A cube of edge 2 half around a centre. */
static inline geo_mesh shape_cube(vec3 centre, double half)
{
    const vec3 h = {half, half, half};
    return shape_box(vec3_sub(centre, h), vec3_add(centre, h));
}

/**
 * An octahedron whose faces are cut into n^2 triangles, pushed out to the sphere: 8 n^2 faces
 * inscribed in the sphere, some of them with corners on the axes.
 */
static inline geo_mesh shape_ball(vec3 centre, double radius, uint32_t n)
{
    /* One patch an octant, then welded by coordinates. */
    const uint32_t corners = (n + 1) * (n + 2) / 2;
    geo_mesh mesh = shape_new(8 * (size_t)corners, 8 * (size_t)n * n);
    size_t vertices = 0, faces = 0;
    for (uint32_t octant = 0; octant < 8; octant++) {
        const double sx = octant & 1 ? -1 : 1, sy = octant & 2 ? -1 : 1, sz = octant & 4 ? -1 : 1;
        uint32_t *const index = base_alloc((size_t)(n + 1) * (n + 1), sizeof *index);
        for (uint32_t i = 0; i <= n; i++) {
            for (uint32_t j = 0; i + j <= n; j++) {
                const vec3 d = vec3_normalize((vec3){sx * i, sy * j, sz * (n - i - j)});
                const vec3 p = vec3_madd(centre, radius, d);
                size_t v = 0;
                while (v < vertices && !vec3_equal(mesh.vertices[v], p)) {
                    v++;
                }
                mesh.vertices[v] = p;
                vertices += v == vertices;
                index[i * (n + 1) + j] = (uint32_t)v;
            }
        }
        const bool turned = sx * sy * sz < 0;
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t j = 0; i + j < n; j++) {
                const uint32_t a = index[i * (n + 1) + j], b = index[(i + 1) * (n + 1) + j];
                const uint32_t c = index[i * (n + 1) + j + 1];
                mesh.faces[faces++] = (geo_face){
                    {a, turned ? c : b, turned ? b : c}
                };
                if (i + j + 1 < n) {
                    const uint32_t d = index[(i + 1) * (n + 1) + j + 1];
                    mesh.faces[faces++] = (geo_face){
                        {b, turned ? c : d, turned ? d : c}
                    };
                }
            }
        }
        base_free(index);
    }
    mesh.vertex_count = vertices;
    return mesh;
}

/** Two meshes as one; both are used up. */
static inline geo_mesh shape_join(geo_mesh a, geo_mesh b)
{
    geo_mesh mesh = shape_new(a.vertex_count + b.vertex_count, a.face_count + b.face_count);
    for (size_t v = 0; v < mesh.vertex_count; v++) {
        mesh.vertices[v] = v < a.vertex_count ? a.vertices[v] : b.vertices[v - a.vertex_count];
    }
    for (size_t f = 0; f < mesh.face_count; f++) {
        mesh.faces[f] = f < a.face_count ? a.faces[f] : b.faces[f - a.face_count];
        for (int k = 0; f >= a.face_count && k < 3; k++) {
            mesh.faces[f].v[k] += (uint32_t)a.vertex_count;
        }
    }
    geo_mesh_release(&a);
    geo_mesh_release(&b);
    return mesh;
}

/** Inside out: with a larger solid around it, a cavity. */
static inline geo_mesh shape_reverse(geo_mesh mesh)
{
    for (size_t f = 0; f < mesh.face_count; f++) {
        const uint32_t v = mesh.faces[f].v[1];
        mesh.faces[f].v[1] = mesh.faces[f].v[2];
        mesh.faces[f].v[2] = v;
    }
    return mesh;
}

/** Moved by a pose, then scaled. */
static inline geo_mesh shape_move(geo_mesh mesh, geo_pose pose, double scale)
{
    for (size_t v = 0; v < mesh.vertex_count; v++) {
        mesh.vertices[v] = vec3_scale(scale, geo_pose_apply(&pose, mesh.vertices[v]));
    }
    return mesh;
}

/** The body of a mesh, which is borrowed. */
static inline alg_mesh shape_body(const geo_mesh *mesh, bool solid)
{
    const geo_mesh_measure measure = geo_mesh_measures(mesh);
    return (alg_mesh){.size = sizeof(alg_mesh),
                      .vertices = mesh->vertices,
                      .vertex_count = mesh->vertex_count,
                      .faces = mesh->faces,
                      .face_count = mesh->face_count,
                      .solid = solid,
                      .volume_m3 = measure.volume_m3,
                      .centroid = measure.centroid,
                      .box = geo_mesh_box(mesh)};
}

static inline vec3 shape_point(base_random *random, double reach)
{
    const double x = base_random_range(random, -reach, reach);
    const double y = base_random_range(random, -reach, reach);
    return (vec3){x, y, base_random_range(random, -reach, reach)};
}

/** Any rotation, and a shift of up to `reach` along each axis. */
static inline geo_pose shape_pose(base_random *random, double reach)
{
    const geo_quat q = geo_random_rotation(random);
    return geo_pose_make(q, shape_point(random, reach));
}

static inline geo_pose shape_shift(double x, double y, double z)
{
    geo_pose pose = geo_pose_identity();
    pose.translation = (vec3){x, y, z};
    return pose;
}

#endif
