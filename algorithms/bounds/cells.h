/**
 * A solid as a disjoint union of cells with exact volumes.
 *
 * The cells are the cubes of a grid, and an octree over them. The volume of a cube is that of the
 * solid in it: the whole cube if it is inside of the solid, and a part if the surface crosses it.
 * Up to rounding, the volume of a node is the sum over its children, and the volume of the root is
 * that of the mesh.
 *
 * Edges of cubes are powers of two, in metres, for every body. So are the edges of the cubes that
 * define the regions of slabs (slabs.h). So the cubes of one body have the edges of the other
 * body's levels.
 */
#ifndef ALGORITHMS_BOUNDS_CELLS_H
#define ALGORITHMS_BOUNDS_CELLS_H

#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh.h"
#include "geometry/vec.h"

/** State of a cube, used in place of a node's index. */
enum {
    ALG_BOUNDS_CELL_EMPTY = 0,
    ALG_BOUNDS_CELL_LEAF = 0x7ffffffe,  /* crossed by the surface, and one of the smallest cubes */
    ALG_BOUNDS_CELL_WHOLE = 0x7fffffff, /* wholly inside of the solid */
};

/** A node: eight cubes. Cube i is in the upper half along x if bit 0 of i is set, along y for bit
 * 1, along z for bit 2. */
typedef struct alg_bounds_cell {
    double volume[8];  /* volume of the solid in each cube */
    uint32_t child[8]; /* index of a node, or ALG_BOUNDS_CELL_*; the root, 0, is never a child */
} alg_bounds_cell;

typedef struct alg_bounds_cells {
    vec3 origin;   /* lower corner of the root */
    double edge;   /* of the root: ldexp(finest, levels) */
    double finest; /* edge of the smallest cubes */
    uint32_t levels;
    double volume;
    alg_bounds_cell *cells; /* arena; depth first, cells[0] is the root */
    uint32_t cell_count;
    uint32_t leaf_count;
} alg_bounds_cells;

/** Returns the largest power of two that cuts the box's longest edge into at least `resolution`
 * parts. */
double alg_bounds_cells_edge(geo_box box, uint32_t resolution);

/**
 * Builds the cells of a solid.
 *
 * Shapes   resolution: 2 to 1024 cubes on the box's longest edge; there may be almost twice as
 *          many.
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT if the box has no extent.
 * Memory   arena: 96 bytes a node, with about one node for four cubes at the surface; scratch
 *          outside of it.
 * Cost     O(n log n), where n is the number of cubes at the surface plus that of triangles.
 */
base_status alg_bounds_cells_build(const geo_mesh *mesh, uint32_t resolution, base_arena *arena,
                                   alg_bounds_cells *cells, base_error *err) BASE_MUST_CHECK;

#endif
