/** Computes surface voxels in whole rows, on all CPUs. */
#ifndef ALGORITHMS_VOXEL_SURFACE_ROWS_H
#define ALGORITHMS_VOXEL_SURFACE_ROWS_H

#include "algorithms/voxel/bits.h"
#include "algorithms/voxel/grid.h"
#include "base/error.h"
#include "geometry/mesh.h"
#include "geometry/vec.h"

#include <stdatomic.h>
#include <stdbool.h>

/**
 * Sets the bits of the voxels whose closed cubes share a point with a triangle of the mesh,
 * exactly: those of alg_voxel_surface_mark with ALG_VOXEL_PAPER, for any number of threads.
 *
 * Shapes   bits: of the grid's size. The grid contains the mesh; parts of the mesh outside of it
 *          are skipped.
 * Returns  tests: the number of triangle-voxel tests, which are needed only for rows whose bounds
 *          are within rounding of planes of the grid.
 * Errors   BASE_ERR_MEMORY; some bits may have been set.
 * Memory   32 bytes per row of a slice of voxels, for each chunk of triangles that is being
 *          processed.
 * Cost     0.13 us per triangle of one to a few voxels; 10 ns per row of voxels of larger ones.
 * Source   the conditions are those of SchwarzSeidel2010; own implementation.
 */
base_status alg_voxel_surface_rows_mark(const geo_mesh *mesh, const alg_voxel_grid *grid,
                                        alg_voxel_bits *bits, uint64_t *tests,
                                        base_error *err) BASE_MUST_CHECK;

/* --- Shared by surface_rows.c and surface_rows_isa.c ------------------------------------------ */

typedef struct alg_voxel_marking {
    const geo_mesh *mesh;
    const alg_voxel_grid *grid;
    alg_voxel_bits *bits;
    geo_box box; /* box of the grid */
    double per_metre;
    double tolerance; /* tolerance of positions, in edges: surface_rows_isa.c */
    _Atomic uint64_t tests;
    _Atomic bool failed; /* out of memory in a chunk */
} alg_voxel_marking;

/** Implement base_parallel_body for the triangles of an alg_voxel_marking. */
void alg_voxel_mark_chunk_sse2(void *marking, size_t begin, size_t end);
void alg_voxel_mark_chunk_avx2(void *marking, size_t begin, size_t end);

#endif
