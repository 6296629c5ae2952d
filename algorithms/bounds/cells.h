/**
 * A solid as a disjoint union of cells with exact volumes.
 *
 * The cells are cubes of a grid and an octree over them. A cube inside of the solid counts as a
 * whole; a cube that the surface crosses has the volume of the solid in it. The volumes of a node's
 * children sum up to its own, and those of the root to the mesh's, up to rounding.
 *
 * Edges of cubes are powers of two, in metres, for every body, and so are those of slabs. So a cube
 * of one body has the edge of some level of the other body.
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
    ALG_BOUNDS_CELL_LEAF = 0x7ffffffe,  /* contains a part of the surface, and has no finer cubes */
    ALG_BOUNDS_CELL_WHOLE = 0x7fffffff, /* wholly inside of the solid */
};

/** Eight cubes. Cube i is in the upper half of x if bit 0 is set, of y for bit 1, of z for bit 2.
 */
typedef struct alg_bounds_cell {
    double volume[8];  /* volume of the solid in each */
    uint32_t child[8]; /* index of a cell, or ALG_BOUNDS_CELL_*; 0, the root, is never a child */
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
 * Memory   arena: 96 bytes for about four cubes at the surface; scratch outside of it.
 * Cost     O(n log n) in the cubes at the surface and the triangles.
 */
base_status alg_bounds_cells_build(const geo_mesh *mesh, uint32_t resolution, base_arena *arena,
                                   alg_bounds_cells *cells, base_error *err) BASE_MUST_CHECK;

#endif
