/** Meshes for the tests of hierarchies. */
#ifndef GEOMETRY_TESTS_BODIES_H
#define GEOMETRY_TESTS_BODIES_H

#include "base/random.h"
#include "geometry/mesh.h"
#include "geometry/vec.h"

#include <criterion/criterion.h>
#include <string.h>

static inline geo_mesh new_mesh(size_t vertices, size_t faces)
{
    geo_mesh mesh;
    base_error err = {0};
    cr_assert_eq(geo_mesh_create(vertices, faces, &mesh, &err), BASE_OK, "%s", err.text);
    return mesh;
}

/** A closed torus of 2 n^2 faces around z. */
static inline geo_mesh make_torus(uint32_t n, double ring, double tube)
{
    geo_mesh mesh = new_mesh((size_t)n * n, 2 * (size_t)n * n);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            const double a = 2 * 3.14159265 * i / n, b = 2 * 3.14159265 * j / n;
            const double r = ring + tube * cos(b);
            mesh.vertices[i * n + j] = (vec3){r * cos(a), r * sin(a), tube * sin(b)};
            const uint32_t ii = (i + 1) % n, jj = (j + 1) % n;
            const uint32_t v = i * n + j, right = ii * n + j, up = i * n + jj, both = ii * n + jj;
            mesh.faces[2 * (i * n + j)] = (geo_face){
                {v, right, both}
            };
            mesh.faces[2 * (i * n + j) + 1] = (geo_face){
                {v, both, up}
            };
        }
    }
    return mesh;
}

static inline vec3 random_point(base_random *random, double size)
{
    const double x = base_random_range(random, -size, size);
    const double y = base_random_range(random, -size, size);
    return (vec3){x, y, base_random_range(random, -size, size)};
}

/** Loose triangles, of integer corners if asked, which makes equal distances common. */
static inline geo_mesh make_soup(base_random *random, size_t faces, bool integer)
{
    geo_mesh mesh = new_mesh(3 * faces, faces);
    for (size_t f = 0; f < faces; f++) {
        const vec3 base = random_point(random, integer ? 4 : 1);
        for (uint32_t k = 0; k < 3; k++) {
            const vec3 p = vec3_add(base, random_point(random, integer ? 2 : 0.2));
            const size_t v = 3 * f + k;
            mesh.vertices[v] = integer ? (vec3){floor(p.x), floor(p.y), floor(p.z)} : p;
            mesh.faces[f].v[k] = (uint32_t)v;
        }
    }
    return mesh;
}

enum { CELLS = 4, NODES = CELLS + 1 };

/** Bit of a cell of the cube of CELLS^3; 0 outside of it. */
static inline bool cell_full(uint64_t cells, int x, int y, int z)
{
    const bool within = x >= 0 && y >= 0 && z >= 0 && x < CELLS && y < CELLS && z < CELLS;
    return within && (cells >> (x + CELLS * (y + CELLS * z)) & 1) != 0;
}

static inline uint32_t node_at(const int p[3])
{
    return (uint32_t)(p[0] + NODES * (p[1] + NODES * p[2]));
}

/** The square between two cells along `axis`, looking along +axis if up, cut one way or other. */
static inline void add_square(geo_mesh *mesh, const int at[3], int axis, bool up, bool cut)
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
    mesh->faces[mesh->face_count++] = (geo_face){
        {v[k], v[k + 1], v[(k + 2) % 4]}
    };
    mesh->faces[mesh->face_count++] = (geo_face){
        {v[k], v[(k + 2) % 4], v[(k + 3) % 4]}
    };
}

/** The boundary of a set of unit cubes: every ray through lattice points grazes edges. */
static inline geo_mesh make_cells(base_random *random, uint64_t cells)
{
    geo_mesh mesh = new_mesh(NODES * NODES * NODES, 6 * CELLS * CELLS * NODES);
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
    return mesh;
}

#endif
