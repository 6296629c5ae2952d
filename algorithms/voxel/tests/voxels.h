/** Surface voxels by a slow method: an oracle for tests. */
#ifndef ALGORITHMS_VOXEL_TESTS_VOXELS_H
#define ALGORITHMS_VOXEL_TESTS_VOXELS_H

#include "algorithms/voxel/bits.h"
#include "algorithms/voxel/grid.h"
#include "geometry/mesh.h"
#include "geometry/triangle.h"

#include <criterion/criterion.h>

static inline bool box_holds(geo_box box, vec3 p)
{
    return geo_box_overlap(box, (geo_box){p, p});
}

/**
 * Returns true if the closed box and the closed triangle share a point. Then a corner is in the
 * box, or the triangle meets one of the twelve triangles of the box's sides. Exact.
 */
static inline bool box_meets(geo_box box, geo_triangle t)
{
    if (!geo_box_overlap(box, geo_box_of_triangle(t))) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        if (box_holds(box, t.p[i])) {
            return true;
        }
    }
    vec3 corner[8];
    for (int i = 0; i < 8; i++) {
        corner[i] = (vec3){i & 1 ? box.hi.x : box.lo.x, i & 2 ? box.hi.y : box.lo.y,
                           i & 4 ? box.hi.z : box.lo.z};
    }
    for (int axis = 0; axis < 3; axis++) {
        const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
        for (int side = 0; side <= 1 << axis; side += 1 << axis) {
            const geo_triangle halves[2] = {
                {{corner[side], corner[side + u], corner[side + u + v]}},
                {{corner[side], corner[side + v], corner[side + u + v]}},
            };
            if (geo_triangle_intersect(halves[0], t) || geo_triangle_intersect(halves[1], t)) {
                return true;
            }
        }
    }
    return false;
}

/** Computes the voxels that may contain a coordinate from lo to hi, and some more. */
static inline void voxels_between(const alg_voxel_grid *grid, int axis, double lo, double hi,
                                  uint32_t range[2])
{
    const uint32_t size = grid->size[axis];
    range[0] = 0;
    range[1] = size;
    while (range[0] + 1 < size && alg_voxel_plane(grid, axis, (int64_t)range[0] + 1) < lo) {
        range[0]++;
    }
    while (range[1] > range[0] + 1 && alg_voxel_plane(grid, axis, (int64_t)range[1] - 1) > hi) {
        range[1]--;
    }
}

static inline void mark_slowly(const geo_mesh *mesh, const alg_voxel_grid *grid,
                               alg_voxel_bits *bits)
{
    for (size_t f = 0; f < mesh->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        const geo_box box = geo_box_of_triangle(t);
        uint32_t range[3][2];
        for (int axis = 0; axis < 3; axis++) {
            voxels_between(grid, axis, vec3_get(box.lo, axis), vec3_get(box.hi, axis), range[axis]);
        }
        for (uint32_t z = range[2][0]; z < range[2][1]; z++) {
            for (uint32_t y = range[1][0]; y < range[1][1]; y++) {
                for (uint32_t x = range[0][0]; x < range[0][1]; x++) {
                    if (!alg_voxel_bit(bits, x, y, z) &&
                        box_meets(alg_voxel_box(grid, x, y, z), t)) {
                        alg_voxel_bits_row(bits, y, z)[x / 64] |= UINT64_C(1) << x % 64;
                    }
                }
            }
        }
    }
}

/**
 * Returns a grid whose planes begin at the lower corner of a box, so that faces of the box may lie
 * in planes.
 */
static inline alg_voxel_grid grid_on_planes(geo_box box, uint32_t resolution, uint32_t padding)
{
    const vec3 size = vec3_sub(box.hi, box.lo);
    alg_voxel_grid grid = {
        .corner = box.lo,
        .edge = fmax(size.x, fmax(size.y, size.z)) / resolution,
        .padding = padding,
    };
    for (int axis = 0; axis < 3; axis++) {
        uint32_t count = 1;
        while (alg_voxel_plane(&grid, axis, (int64_t)padding + count) < vec3_get(box.hi, axis)) {
            count++;
        }
        grid.size[axis] = count + 2 * padding;
    }
    return grid;
}

/** Computes a grid with planes on a mesh, and its surface voxels. */
static inline void voxels_of(const geo_mesh *mesh, uint32_t resolution, uint32_t padding,
                             alg_voxel_grid *grid, alg_voxel_bits *bits)
{
    base_error err = {0};
    *grid = grid_on_planes(geo_mesh_box(mesh), resolution, padding);
    cr_assert_eq(alg_voxel_bits_create(grid->size, bits, &err), BASE_OK, "%s", err.text);
    mark_slowly(mesh, grid, bits);
}

#endif
