/**
 * Triangles that are difficult for box tests, an independent exact oracle for their intersection
 * with boxes, and surface voxels by a slow method.
 */
#ifndef ALGORITHMS_VOXEL_TESTS_VOXELS_H
#define ALGORITHMS_VOXEL_TESTS_VOXELS_H

#include "algorithms/voxel/grid.h"
#include "base/tests/support.h"
#include "geometry/vec.h"
#include "geometry/mesh.h"
#include "geometry/pose.h"
#include "geometry/triangle.h"

#include <criterion/criterion.h>

/* --- Triangles and boxes ---------------------------------------------------------------------- */

/**
 * Returns true if a corner of the triangle is in the box, or the triangle meets one of the twelve
 * triangles of the box.
 */
static inline bool oracle_meets(geo_triangle t, geo_box box)
{
    static const int quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int i = 0; i < 3; i++) {
        if (geo_box_overlap((geo_box){t.p[i], t.p[i]}, box)) {
            return true;
        }
    }
    vec3 corner[8];
    for (int i = 0; i < 8; i++) {
        corner[i] = (vec3){i & 1 ? box.hi.x : box.lo.x, i & 2 ? box.hi.y : box.lo.y,
                           i & 4 ? box.hi.z : box.lo.z};
    }
    for (int q = 0; q < 6; q++) {
        for (int half = 0; half < 2; half++) {
            const geo_triangle face = {
                {corner[quads[q][0]], corner[quads[q][1 + half]], corner[quads[q][2 + half]]}};
            if (geo_triangle_intersect(t, face)) {
                return true;
            }
        }
    }
    return false;
}

enum {
    HARD_LATTICE, /* corners on a lattice; every second lattice point is on planes of the boxes */
    HARD_SMALL,   /* corners near each other, anywhere */
    HARD_SLIVER,  /* nearly a segment */
    HARD_SEGMENT, /* a segment, or a point */
    HARD_UPRIGHT, /* perpendicular to a coordinate plane, or in one */
    HARD_ALMOST,  /* corners off the lattice by about an ulp */
    HARD_LARGE,   /* corners far from each other */
    HARD_KINDS
};

static inline vec3 hard_lattice(base_random *random, uint64_t steps)
{
    const double x = 0.5 * (double)base_random_below(random, steps);
    const double y = 0.5 * (double)base_random_below(random, steps);
    return (vec3){x, y, 0.5 * (double)base_random_below(random, steps)};
}

static inline double hard_nudge(base_random *random, double x)
{
    const int steps = (int)base_random_below(random, 5) - 2;
    if (x == 0) {
        return 0x1p-52 * steps; /* not smaller, because products must remain normal numbers */
    }
    for (int i = 0; i < (steps < 0 ? -steps : steps); i++) {
        x = nextafter(x, steps < 0 ? -INFINITY : INFINITY);
    }
    return x;
}

/** Returns a triangle of a kind in the cube from 0 to extent, an integer >= 4. */
static inline geo_triangle hard_triangle(base_random *random, int kind, int extent)
{
    const uint64_t steps = 2 * (uint64_t)extent + 1;
    geo_triangle t;
    for (int i = 0; i < 3; i++) {
        t.p[i] = hard_lattice(random, steps);
    }
    const vec3 least = {0, 0, 0}, most = {extent, extent, extent};
    switch (kind) {
    case HARD_SMALL:
    case HARD_LARGE:
        for (int i = 0; i < 3; i++) {
            const double r = kind == HARD_SMALL ? 1 : extent;
            const vec3 step =
                vec3_scale(r * base_random_unit(random), geo_random_direction(random));
            t.p[i] = vec3_min(most, vec3_max(least, vec3_add(t.p[0], step)));
        }
        break;
    case HARD_SLIVER:
        t.p[2] = vec3_madd(t.p[0], base_random_unit(random), vec3_sub(t.p[1], t.p[0]));
        break;
    case HARD_SEGMENT:
        t.p[1] = base_random_below(random, 8) == 0 ? t.p[0] : t.p[1];
        t.p[2] = base_random_below(random, 2) == 0 ? t.p[0] : t.p[1];
        break;
    case HARD_UPRIGHT: {
        const uint64_t axis = base_random_below(random, 3);
        const bool flat = base_random_below(random, 2) == 0;
        for (int i = 0; i < 3; i++) {
            double p[3] = {t.p[i].x, t.p[i].y, t.p[i].z};
            p[axis] = flat ? vec3_get(t.p[0], (int)axis) : extent * base_random_unit(random);
            if (!flat) {
                /* In a plane at 45 degrees: the two other coordinates are equal. */
                p[(axis + 1) % 3] = p[(axis + 2) % 3];
            }
            t.p[i] = (vec3){p[0], p[1], p[2]};
        }
        break;
    }
    case HARD_ALMOST:
        for (int i = 0; i < 3; i++) {
            const double x = hard_nudge(random, t.p[i].x), y = hard_nudge(random, t.p[i].y);
            t.p[i] = (vec3){x, y, hard_nudge(random, t.p[i].z)};
            t.p[i] = vec3_min(most, vec3_max(least, t.p[i]));
        }
        break;
    default:
        break;
    }
    return t;
}

/* --- Surface voxels --------------------------------------------------------------------------- */

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
                        oracle_meets(t, alg_voxel_box(grid, x, y, z))) {
                        alg_voxel_bit_set(bits, x, y, z);
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
    *grid = grid_on_planes(geo_mesh_box(mesh), resolution, padding);
    assert_ok(alg_voxel_bits_create(grid->size, bits, ERR));
    mark_slowly(mesh, grid, bits);
}

#endif
