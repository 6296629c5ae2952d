/**
 * The exact surface voxels of a mesh on a given grid: the voxels whose closed cube shares a point
 * with a closed triangle. They are the reference for the surface voxels that a contestant returns.
 *
 * Any mesh is valid: open, self-intersecting, or with degenerate triangles. Each triangle is passed
 * down through halves of the grid. Each box on the way is tested with exact predicates only. It is
 * kept if a corner of the triangle is in the box, or if the triangle meets one of the box's twelve
 * face triangles.
 */
#ifndef GROUNDTRUTH_VOXELS_H
#define GROUNDTRUTH_VOXELS_H

#include "base/error.h"
#include "geometry/mesh.h"

#include <stdbool.h>
#include <stdint.h>

/** Largest number of voxels of a grid along an axis. */
enum { GT_VOXELS_MAX = 1 << 16 };

/**
 * Plane i of an axis is at fl(corner + fl(edge * (i - padding))), where fl rounds to the nearest
 * double. Voxel i is the closed interval between planes i and i + 1.
 */
typedef struct gt_voxel_grid {
    vec3 corner;
    double edge;
    uint32_t padding;
    uint32_t count[3]; /* voxels along each axis */
} gt_voxel_grid;

/** One bit per voxel. A word has the bits of 64 neighbours along x. */
typedef struct gt_voxels {
    gt_voxel_grid grid;
    size_t row_words;
    uint64_t *words; /* owned */
    uint64_t count;  /* number of surface voxels */
} gt_voxels;

static inline bool gt_voxels_has(const gt_voxels *voxels, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t *const n = voxels->grid.count;
    const uint64_t *const row = voxels->words + ((size_t)z * n[1] + y) * voxels->row_words;
    return row[x / 64] >> x % 64 & 1;
}

/**
 * Finds the surface voxels. Parts of triangles outside of the grid are ignored, except where they
 * touch a voxel of the grid.
 *
 * Errors   BASE_ERR_INPUT for an invalid grid: no voxels along an axis or more than GT_VOXELS_MAX,
 *          or planes that are not finite or do not ascend (as for an edge that is not positive).
 *          BASE_ERR_MEMORY. *voxels is zeroed after an error.
 * Memory   one bit per voxel.
 * Cost     about 1 us per voxel near a triangle. All CPUs are used; the result is the same for any
 *          number of threads.
 */
base_status gt_voxels_create(const geo_mesh *mesh, const gt_voxel_grid *grid, gt_voxels *voxels,
                             base_error *err) BASE_MUST_CHECK;
/** Releases voxels that were created, or zeroed ones; zeroes *voxels. */
void gt_voxels_release(gt_voxels *voxels);

/** A list of voxels that is compared with the exact ones. It is added in runs along x. */
typedef struct gt_voxel_list {
    const gt_voxels *exact; /* borrowed */
    uint64_t *given;        /* owned; one bit for each voxel, set if the list contains it */
    uint64_t found;         /* number of surface voxels in the list */
    uint64_t excess;        /* number of its voxels that are not surface voxels, are outside of the
                             * grid, or are repeated */
} gt_voxel_list;

/** Makes an empty list. Errors: BASE_ERR_MEMORY. Memory: one bit per voxel. */
base_status gt_voxel_list_create(const gt_voxels *exact, gt_voxel_list *list,
                                 base_error *err) BASE_MUST_CHECK;
/** Adds the voxels (x0, y, z) to (x1 - 1, y, z). */
void gt_voxel_list_add(gt_voxel_list *list, uint32_t x0, uint32_t x1, uint32_t y, uint32_t z);
/** Returns the number of surface voxels missing from the list. */
static inline uint64_t gt_voxel_list_missing(const gt_voxel_list *list)
{
    return list->exact->count - list->found;
}
/** Releases a list that was created, or a zeroed one; zeroes *list. */
void gt_voxel_list_release(gt_voxel_list *list);

#endif
