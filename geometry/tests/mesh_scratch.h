/** Shared by the tests of meshes: files in a folder of their own, and cubes. */
#ifndef GEOMETRY_TESTS_MESH_SCRATCH_H
#define GEOMETRY_TESTS_MESH_SCRATCH_H

#include "base/tests/support.h"
#include "geometry/mesh.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

/** Checks for leaks, which Criterion does not detect by itself. */
static inline void no_leak(void)
{
#ifdef __SANITIZE_ADDRESS__
    cr_assert_eq(__lsan_do_recoverable_leak_check(), 0, "memory leaked");
#endif
}

/** Fixture: the test, which has its own process, runs in a new folder, so that paths are short. */
static inline void scratch_enter(void)
{
    char folder[] = "/tmp/proxbench-mesh-XXXXXX";
    cr_assert(mkdtemp(folder) && chdir(folder) == 0);
}

static inline void scratch_leave(void)
{
    char folder[64];
    if (getcwd(folder, sizeof folder) && strncmp(folder, "/tmp/proxbench-mesh-", 20) == 0) {
        static const char *const names[] = {"x.off", "x.obj", "x.stl", "x.ply", "x.txt"};
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            unlink(names[i]);
        }
        cr_assert(chdir("/") == 0 && rmdir(folder) == 0);
    }
}

static inline void write_file(const char *name, const void *bytes, size_t size)
{
    unlink(name); /* some file systems wait for the disk when a file is overwritten */
    FILE *const file = fopen(name, "wb");
    cr_assert_not_null(file, "%s", name);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
}

static inline base_status load_bytes(const char *name, const void *bytes, size_t size,
                                     geo_mesh *mesh, base_error *err)
{
    write_file(name, bytes, size);
    return geo_mesh_load(name, mesh, err);
}

static inline geo_mesh load_good(const char *name, const void *bytes, size_t size)
{
    geo_mesh mesh;
    assert_ok(load_bytes(name, bytes, size, &mesh, ERR));
    return mesh;
}

static inline bool same_bits(vec3 a, vec3 b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static inline void assert_same_mesh(const geo_mesh *a, const geo_mesh *b, const char *what)
{
    cr_assert_eq(a->vertex_count, b->vertex_count, "%s: %zu and %zu vertices", what,
                 a->vertex_count, b->vertex_count);
    cr_assert_eq(a->face_count, b->face_count, "%s: %zu and %zu faces", what, a->face_count,
                 b->face_count);
    for (size_t i = 0; i < a->vertex_count; i++) {
        const vec3 p = a->vertices[i], q = b->vertices[i];
        cr_assert(same_bits(p, q), "%s: vertex %zu: %a %a %a and %a %a %a", what, i, p.x, p.y, p.z,
                  q.x, q.y, q.z);
    }
    for (size_t i = 0; i < a->face_count; i++) {
        cr_assert_eq(memcmp(&a->faces[i], &b->faces[i], sizeof a->faces[i]), 0, "%s: face %zu",
                     what, i);
    }
}

/** Storage for a few hand-made faces; the mesh is a view of it. */
typedef struct soup {
    vec3 v[512];
    geo_face f[512];
    geo_mesh mesh;
} soup;

/* Bits 0, 1, 2 of i are the coordinates of corner i of a cube along x, y, z. */
static const geo_face cube_faces[12] = {
    {{0, 4, 6}}, {{0, 6, 2}}, {{1, 3, 7}}, {{1, 7, 5}}, {{0, 1, 5}}, {{0, 5, 4}},
    {{2, 6, 7}}, {{2, 7, 3}}, {{0, 2, 3}}, {{0, 3, 1}}, {{4, 5, 7}}, {{4, 7, 6}},
};

static inline uint32_t add_vertex(soup *s, double x, double y, double z)
{
    s->v[s->mesh.vertex_count] = (vec3){x, y, z};
    return (uint32_t)s->mesh.vertex_count++;
}

static inline void add_face(soup *s, uint32_t a, uint32_t b, uint32_t c)
{
    s->f[s->mesh.face_count++] = (geo_face){{a, b, c}};
}

/** Adds the cube [lo, lo + side]^3 with its own vertices. */
static inline void add_cube(soup *s, vec3 lo, double side)
{
    const uint32_t base = (uint32_t)s->mesh.vertex_count;
    s->mesh.vertices = s->v;
    s->mesh.faces = s->f;
    for (int i = 0; i < 8; i++) {
        add_vertex(s, lo.x + side * (i & 1), lo.y + side * (i >> 1 & 1), lo.z + side * (i >> 2));
    }
    for (int f = 0; f < 12; f++) {
        const uint32_t *const v = cube_faces[f].v;
        add_face(s, base + v[0], base + v[1], base + v[2]);
    }
}

/** Reverses the orientation of the faces from `first` on. */
static inline void turn_faces(soup *s, size_t first)
{
    for (size_t f = first; f < s->mesh.face_count; f++) {
        const uint32_t v = s->f[f].v[1];
        s->f[f].v[1] = s->f[f].v[2];
        s->f[f].v[2] = v;
    }
}

#endif
