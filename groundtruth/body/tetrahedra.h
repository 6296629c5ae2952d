/** A body cut into tetrahedra, the proof that they fill it, and the cells that queries read. */
#ifndef GROUNDTRUTH_TETRAHEDRA_H
#define GROUNDTRUTH_TETRAHEDRA_H

#include "geometry/bvh.h"
#include "geometry/mesh.h"

/**
 * Four corners, positively oriented: dot(cross(p1 - p0, p2 - p0), p3 - p0) > 0. The tetrahedra of a
 * body list their corners in the order of vertex numbers, except that the last two are swapped if
 * the orientation would be wrong otherwise.
 */
typedef struct gt_tetrahedron {
    vec3 p[4];
} gt_tetrahedron;

/**
 * The planes of the faces. Plane i is opposite to corner i. Normals point inward and do not have
 * length 1.
 */
typedef struct gt_planes {
    double x[4], y[4], z[4];
} gt_planes;

double gt_tetrahedron_volume(const gt_tetrahedron *t);
gt_planes gt_tetrahedron_planes(const gt_tetrahedron *t);

typedef struct gt_corners {
    uint32_t v[4];
} gt_corners;

typedef struct gt_tetrahedra {
    vec3 *vertices; /* owned; the mesh's vertices with the same numbers, then points added inside */
    size_t vertex_count;
    gt_corners *corners; /* owned */
    size_t count;
} gt_tetrahedra;

void gt_tetrahedra_release(gt_tetrahedra *tetrahedra);

static inline gt_tetrahedron gt_tetrahedra_get(const gt_tetrahedra *tetrahedra, size_t i)
{
    const uint32_t *const v = tetrahedra->corners[i].v;
    const vec3 *const p = tetrahedra->vertices;
    return (gt_tetrahedron){{p[v[0]], p[v[1]], p[v[2]], p[v[3]]}};
}

/**
 * Orders the corners as gt_tetrahedron needs them, by exact signs.
 *
 * Errors   BASE_ERR_SYSTEM for a flat tetrahedron. TetGen made it, so it is not an error of the
 *          input.
 */
base_status gt_tetrahedra_orient(gt_tetrahedra *tetrahedra, base_error *err) BASE_MUST_CHECK;

/**
 * Proves that oriented tetrahedra fill the solid that the mesh bounds, exactly once, and nothing
 * else.
 *
 * The faces of all tetrahedra are counted as oriented triangles. They must cancel in pairs, except
 * for exactly the faces of the mesh. All tetrahedra are positive. So the number of tetrahedra
 * around a point is the winding number of the mesh there: 1 inside, 0 outside. This is a proof. The
 * sum of the volumes is compared with that of the mesh as well, to detect faults of this module.
 * Its tolerance is 1e-12 V for rounding (for real meshes the sums differ by 1e-15 V) plus 64 eps s
 * A. The second term is for thin bodies, whose volume changes by that much with the last digit of
 * the coordinates. s is half the diagonal of the box, A the area.
 *
 * Errors   BASE_ERR_SYSTEM with the difference; BASE_ERR_MEMORY.
 * Cost     O(count).
 */
base_status gt_tetrahedra_check(const gt_tetrahedra *tetrahedra, const geo_mesh *mesh,
                                base_error *err) BASE_MUST_CHECK;

/* --- Cells ------------------------------------------------------------------------------------ */

enum { GT_PACKET = 8 };

/** A tetrahedron in the form that the clipping reads. */
typedef struct gt_cell {
    gt_tetrahedron corners;
    gt_planes planes;
    double volume_m3;
    double size; /* sum of the edges of its box */
} gt_cell;

/**
 * Eight neighbouring cells, lane i for cell i, in float and relative to an origin. Numbers are
 * rounded to the nearest float, so code that rejects by them must allow for the rounding. Normals
 * have length 1 and point inward; the plane is dot(normal, p) = offset. If a face is so thin that
 * the direction of its normal is unknown, its normal and its offset are 0, which rejects nothing.
 * Unused lanes have lo = +inf and hi = -inf; their other numbers are 0.
 */
typedef struct gt_packet {
    float lo[3][GT_PACKET], hi[3][GT_PACKET];
    float corner[4][3][GT_PACKET];
    float normal[4][3][GT_PACKET], offset[4][GT_PACKET];
} gt_packet;

typedef struct gt_cells {
    gt_cell *cells;     /* arena; packet i has the cells from GT_PACKET * i on, zeroed where
                         * unused */
    gt_packet *packets; /* arena; in the order of bvh */
    geo_bvh bvh;        /* over the packets, one a leaf */
} gt_cells;

/**
 * Groups neighbouring tetrahedra into packets and fills cells and packets. All packets except one
 * are full. The boxes of the hierarchy are relative to `origin` and are widened by `margin`, for
 * the rounding of the shift and of a pose.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 350 bytes a tetrahedron.
 * Cost     O(n log n): about 1 us a tetrahedron.
 */
base_status gt_cells_build(const gt_tetrahedra *tetrahedra, vec3 origin, double margin,
                           base_arena *arena, gt_cells *cells, base_error *err) BASE_MUST_CHECK;

#endif
