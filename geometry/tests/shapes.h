/**
 * Meshes for tests of this module and of those above it. Each owns its arrays: geo_mesh_release.
 */
#ifndef GEOMETRY_TESTS_SHAPES_H
#define GEOMETRY_TESTS_SHAPES_H

#include "base/memory.h"
#include "base/tests/support.h"
#include "geometry/mesh.h"
#include "geometry/pose.h"
#include "geometry/vec.h"

#include <criterion/criterion.h>
#include <string.h>

/* --- Construction and modification ------------------------------------------------------------ */

/** Makes a mesh of zeros, to be filled. */
static inline geo_mesh_builder shape_new(size_t vertices, size_t faces)
{
    geo_mesh_builder mesh;
    assert_ok(geo_mesh_builder_init(vertices, faces, &mesh, ERR));
    return mesh;
}

/** Makes a copy to be modified; the mesh is unchanged. */
static inline geo_mesh_builder shape_copy(const geo_mesh *mesh)
{
    geo_mesh_builder copy = shape_new(mesh->vertex_count, mesh->face_count);
    memcpy(copy.vertices, mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices);
    memcpy(copy.faces, mesh->faces, mesh->face_count * sizeof *mesh->faces);
    return copy;
}

/** Makes a copy to be modified; the mesh is released. */
static inline geo_mesh_builder shape_edit(geo_mesh mesh)
{
    const geo_mesh_builder copy = shape_copy(&mesh);
    geo_mesh_release(&mesh);
    return copy;
}

/** Joins two meshes to one; both are released. */
static inline geo_mesh shape_join(geo_mesh a, geo_mesh b)
{
    geo_mesh_builder mesh = shape_new(a.vertex_count + b.vertex_count, a.face_count + b.face_count);
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
    return geo_mesh_builder_finish(&mesh);
}

/** Reverses the orientation: inside a larger solid the result is a cavity. The mesh is released. */
static inline geo_mesh shape_reverse(geo_mesh mesh)
{
    geo_mesh_builder turned = shape_edit(mesh);
    for (size_t f = 0; f < turned.face_count; f++) {
        const uint32_t v = turned.faces[f].v[1];
        turned.faces[f].v[1] = turned.faces[f].v[2];
        turned.faces[f].v[2] = v;
    }
    return geo_mesh_builder_finish(&turned);
}

/** Moves a mesh by a pose, then scales it. The mesh is released. */
static inline geo_mesh shape_move(geo_mesh mesh, geo_pose pose, double scale)
{
    geo_mesh_builder moved = shape_edit(mesh);
    for (size_t v = 0; v < moved.vertex_count; v++) {
        moved.vertices[v] = vec3_scale(scale, geo_pose_apply(&pose, moved.vertices[v]));
    }
    return geo_mesh_builder_finish(&moved);
}

/* --- Solids ----------------------------------------------------------------------------------- */

/** Makes a box with exactly these corners. */
static inline geo_mesh shape_box(vec3 lo, vec3 hi)
{
    static const uint32_t quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    geo_mesh_builder mesh = shape_new(8, 12);
    for (uint32_t v = 0; v < 8; v++) {
        mesh.vertices[v] = (vec3){v & 1 ? hi.x : lo.x, v & 2 ? hi.y : lo.y, v & 4 ? hi.z : lo.z};
    }
    for (uint32_t q = 0; q < 6; q++) {
        const uint32_t *const c = quads[q];
        mesh.faces[2 * q] = (geo_face){{c[0], c[1], c[2]}};
        mesh.faces[2 * q + 1] = (geo_face){{c[0], c[2], c[3]}};
    }
    return geo_mesh_builder_finish(&mesh);
}

/** Makes a cube of edge 2 half around a centre. */
static inline geo_mesh shape_cube(vec3 centre, double half)
{
    const vec3 h = {half, half, half};
    return shape_box(vec3_sub(centre, h), vec3_add(centre, h));
}

/**
 * Makes an octahedron whose faces are cut into n^2 triangles and projected to the sphere: 8 n^2
 * faces inscribed in the sphere, some of them with corners on the axes.
 */
static inline geo_mesh shape_ball(vec3 centre, double radius, uint32_t n)
{
    /* One patch per octant; the patches are then welded by coordinates. */
    const uint32_t corners = (n + 1) * (n + 2) / 2;
    geo_mesh_builder mesh = shape_new(8 * (size_t)corners, 8 * (size_t)n * n);
    size_t vertices = 0, faces = 0;
    for (uint32_t octant = 0; octant < 8; octant++) {
        const double sx = octant & 1 ? -1 : 1, sy = octant & 2 ? -1 : 1, sz = octant & 4 ? -1 : 1;
        SCOPED_FREE uint32_t *const index = base_alloc((size_t)(n + 1) * (n + 1), sizeof *index);
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
                mesh.faces[faces++] = (geo_face){{a, turned ? c : b, turned ? b : c}};
                if (i + j + 1 < n) {
                    const uint32_t d = index[(i + 1) * (n + 1) + j + 1];
                    mesh.faces[faces++] = (geo_face){{b, turned ? c : d, turned ? d : c}};
                }
            }
        }
    }
    mesh.vertex_count = vertices;
    return geo_mesh_builder_finish(&mesh);
}

/** Makes a closed torus of 2 n^2 faces around z. */
static inline geo_mesh shape_torus(uint32_t n, double ring, double tube)
{
    geo_mesh_builder mesh = shape_new((size_t)n * n, 2 * (size_t)n * n);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            const double a = 2 * 3.14159265 * i / n, b = 2 * 3.14159265 * j / n;
            const double r = ring + tube * cos(b);
            mesh.vertices[i * n + j] = (vec3){r * cos(a), r * sin(a), tube * sin(b)};
            const uint32_t ii = (i + 1) % n, jj = (j + 1) % n;
            const uint32_t v = i * n + j, right = ii * n + j, up = i * n + jj, both = ii * n + jj;
            mesh.faces[2 * (i * n + j)] = (geo_face){{v, right, both}};
            mesh.faces[2 * (i * n + j) + 1] = (geo_face){{v, both, up}};
        }
    }
    return geo_mesh_builder_finish(&mesh);
}

/* --- Random meshes and poses ------------------------------------------------------------------ */

static inline vec3 shape_point(base_random *random, double reach)
{
    const double x = base_random_range(random, -reach, reach);
    const double y = base_random_range(random, -reach, reach);
    return (vec3){x, y, base_random_range(random, -reach, reach)};
}

/** Draws any rotation, and a shift of up to `reach` along each axis. */
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

/** Makes separate triangles; with integer corners (integer), equal distances are common. */
static inline geo_mesh shape_soup(base_random *random, size_t faces, bool integer)
{
    geo_mesh_builder mesh = shape_new(3 * faces, faces);
    for (size_t f = 0; f < faces; f++) {
        const vec3 base = shape_point(random, integer ? 4 : 1);
        for (uint32_t k = 0; k < 3; k++) {
            const vec3 p = vec3_add(base, shape_point(random, integer ? 2 : 0.2));
            const size_t v = 3 * f + k;
            mesh.vertices[v] = integer ? (vec3){floor(p.x), floor(p.y), floor(p.z)} : p;
            mesh.faces[f].v[k] = (uint32_t)v;
        }
    }
    return geo_mesh_builder_finish(&mesh);
}

enum { CELLS = 4, NODES = CELLS + 1 };

/** Returns the bit of a cell of the cube of CELLS^3; 0 outside of it. */
static inline bool cell_full(uint64_t cells, int x, int y, int z)
{
    const bool within = x >= 0 && y >= 0 && z >= 0 && x < CELLS && y < CELLS && z < CELLS;
    return within && (cells >> (x + CELLS * (y + CELLS * z)) & 1) != 0;
}

static inline uint32_t node_at(const int p[3])
{
    return (uint32_t)(p[0] + NODES * (p[1] + NODES * p[2]));
}

/**
 * Adds the square between two cells along `axis`, oriented towards +axis if `up`; `cut` selects the
 * diagonal.
 */
static inline void add_square(geo_mesh_builder *mesh, const int at[3], int axis, bool up, bool cut)
{
    int corner[4][3];
    for (int i = 0; i < 4; i++) {
        memcpy(corner[i], at, sizeof corner[i]);
        corner[i][(axis + 1) % 3] += i == 1 || i == 2;
        corner[i][(axis + 2) % 3] += i >= 2;
    }
    uint32_t v[4];
    for (int i = 0; i < 4; i++) {
        v[i] = node_at(corner[up ? i : 3 - i]);
    }
    const int k = cut ? 1 : 0;
    mesh->faces[mesh->face_count++] = (geo_face){{v[k], v[k + 1], v[(k + 2) % 4]}};
    mesh->faces[mesh->face_count++] = (geo_face){{v[k], v[(k + 2) % 4], v[(k + 3) % 4]}};
}

/** Makes the boundary of a set of unit cubes: every ray through lattice points grazes edges. */
static inline geo_mesh shape_cells(base_random *random, uint64_t cells)
{
    geo_mesh_builder mesh = shape_new(NODES * NODES * NODES, 6 * CELLS * CELLS * NODES);
    for (int i = 0; i < NODES * NODES * NODES; i++) {
        mesh.vertices[i] = (vec3){i % NODES, i / NODES % NODES, i / (NODES * NODES)};
    }
    mesh.face_count = 0;
    for (int i = 0; i < NODES * NODES * NODES; i++) {
        const int at[3] = {i % NODES, i / NODES % NODES, i / (NODES * NODES)};
        for (int axis = 0; axis < 3; axis++) {
            int below[3];
            memcpy(below, at, sizeof below);
            below[axis]--;
            const bool above_full = cell_full(cells, at[0], at[1], at[2]);
            const bool below_full = cell_full(cells, below[0], below[1], below[2]);
            if (above_full != below_full) {
                add_square(&mesh, at, axis, below_full, base_random_below(random, 2) == 1);
            }
        }
    }
    return geo_mesh_builder_finish(&mesh);
}

#endif
