/** Two intersecting bodies and their segments. */
#ifndef ALGORITHMS_LPD_TESTS_MEETING_H
#define ALGORITHMS_LPD_TESTS_MEETING_H

#include "algorithms/lpd/segments.h"
#include "algorithms/tests/shapes.h"
#include "base/elementary.h"

enum { MEETING_SEGMENTS = 1 << 14 };

typedef struct meeting {
    geo_mesh mesh_a, mesh_b;
    void *a, *b;
    alg_lpd_pair pair;
    base_arena arena;
    alg_lpd_segments segments;
} meeting;

/** Prepares the body of a mesh. Release it by alg_destroy. */
static inline void *prepare_body(const geo_mesh *mesh, bool solid)
{
    const alg_mesh body = shape_body(mesh, solid);
    alg_build_info info = {0};
    alg_message message = {""};
    void *prepared;
    cr_assert_eq(alg_lpd_body_prepare(&body, &prepared, &info, &message), ALG_OK, "%s",
                 message.text);
    cr_assert_eq(info.primitives, mesh->face_count);
    cr_assert(info.bytes >= 160 * mesh->face_count, "%zu bytes", (size_t)info.bytes);
    return prepared;
}

/** Takes ownership of both meshes. */
static inline meeting meeting_open(geo_mesh a, geo_mesh b)
{
    meeting m = {
        .mesh_a = a, .mesh_b = b, .a = prepare_body(&a, true), .b = prepare_body(&b, true)};
    m.pair = (alg_lpd_pair){m.a, m.b};
    assert_ok(alg_lpd_segments_create(MEETING_SEGMENTS, &m.arena, &m.segments, ERR));
    return m;
}

static inline void meeting_close(meeting *m)
{
    base_arena_release(&m->arena);
    alg_destroy(m->a);
    alg_destroy(m->b);
    geo_mesh_release(&m->mesh_a);
    geo_mesh_release(&m->mesh_b);
}

static inline geo_mesh one_triangle(vec3 p, vec3 q, vec3 r)
{
    geo_mesh_builder mesh = shape_new(3, 1);
    mesh.vertices[0] = p;
    mesh.vertices[1] = q;
    mesh.vertices[2] = r;
    mesh.faces[0] = (geo_face){{0, 1, 2}};
    return geo_mesh_builder_finish(&mesh);
}

/** Returns a pose with a rotation that aligns no axis of the bodies. */
static inline geo_pose meeting_pose(double x, double y, double z)
{
    return geo_pose_make((geo_quat){0.123, 0.457, -0.318, 0.81}, (vec3){x, y, z});
}

/** Removes the faces whose centre is above a height. Takes ownership of the mesh. */
static inline geo_mesh meeting_cut(geo_mesh mesh, double height)
{
    geo_mesh_builder cut = shape_edit(mesh);
    size_t kept = 0;
    for (size_t f = 0; f < cut.face_count; f++) {
        const uint32_t *const v = cut.faces[f].v;
        if (cut.vertices[v[0]].z + cut.vertices[v[1]].z + cut.vertices[v[2]].z < 3 * height) {
            cut.faces[kept++] = cut.faces[f];
        }
    }
    cut.face_count = kept;
    return geo_mesh_builder_finish(&cut);
}

#endif
