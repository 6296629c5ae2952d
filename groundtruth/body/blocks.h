/** The triangles of a body in blocks of neighbours, for brute force. */
#ifndef GROUNDTRUTH_BLOCKS_H
#define GROUNDTRUTH_BLOCKS_H

#include "base/arena.h"
#include "base/error.h"
#include "geometry/mesh.h"

enum { GT_BLOCK = 32 }; /* triangles of a block, but of the last */

/** Triangles in the order of a curve through space, in blocks. */
typedef struct gt_blocks {
    uint32_t *order; /* arena; faces */
    geo_ball *balls; /* arena; around the triangles of each block */
    vec3 *corners;   /* arena; one of each block */
    size_t count;    /* of blocks */
} gt_blocks;

/** Errors: BASE_ERR_MEMORY. */
base_status gt_blocks_build(const geo_mesh *mesh, base_arena *arena, gt_blocks *blocks,
                            base_error *err) BASE_MUST_CHECK;

#endif
