/**
 * Surface voxels: the voxels whose closed cube shares a point with a triangle of the mesh, exactly.
 *
 * Source   VPS 3 (navigation 3.1, test 3.2); the old generator: VPS 2, "Data-structure generation
 *          at DLR".
 */
#ifndef ALGORITHMS_VOXEL_SURFACE_H
#define ALGORITHMS_VOXEL_SURFACE_H

#include "algorithms/voxel/grid.h"
#include "base/error.h"
#include "geometry/vec.h"
#include "geometry/mesh.h"

#include <stdatomic.h>
#include <stdbool.h>

/** Largest number of voxels of a triangle's box for which `auto` tests all of them. */
enum { ALG_VOXEL_BOX_MOST = 20 };

/**
 * Methods of choosing the voxels of a triangle's box that are tested. All give the same voxels.
 *
 * `auto` decides for each triangle by its box in voxels. If the box is a row of voxels, all of them
 * are taken without a test, since a triangle is connected. Up to ALG_VOXEL_BOX_MOST voxels, all are
 * tested, since ranges would cost more than they save (boxes of 8 voxels: 0.28 us against 0.37 us,
 * of 20: the same, of 64: 1.8 us against 1.6 us). Larger boxes use the second approach, which is
 * then up to 10 % faster than the first.
 */
typedef enum alg_voxel_navigation {
    ALG_VOXEL_AUTO,
    ALG_VOXEL_BOX,   /* all of them */
    ALG_VOXEL_FIRST, /* VPS 3.1, first approach: by rows of x, then of y, z from the four corners */
    ALG_VOXEL_SECOND, /* VPS 3.1, second approach: from both ends of z; all voxels between are
                         taken without a test */
} alg_voxel_navigation;

typedef enum alg_voxel_generator {
    ALG_VOXEL_OURS,  /* whole rows at a time, on all CPUs */
    ALG_VOXEL_PAPER, /* triangle by triangle, on one thread, with one of the navigations */
    ALG_VOXEL_OLD,   /* voxel by voxel against a hierarchy over the mesh, on one thread */
} alg_voxel_generator;

typedef struct alg_voxel_surface_options {
    alg_voxel_generator generator;
    alg_voxel_navigation navigation; /* for ALG_VOXEL_PAPER */
    /**
     * ALG_VOXEL_OLD: each voxel is enlarged by this much (reduced if negative) on each side, in
     * edges. Only 0 gives the exact voxels.
     */
    double tolerance;
} alg_voxel_surface_options;

/**
 * Sets the bits of the surface voxels of the mesh. The grid surrounds the box of the mesh; `bits`
 * has the size of the grid, and all of its bits are 0. tests: the number of triangle-voxel tests
 * (or box queries, for the old generator).
 *
 * Any mesh is allowed: open, self-intersecting, with degenerate triangles. Except with a tolerance,
 * the voxels are exact, and the same for every generator, navigation and number of threads.
 *
 * Shapes   ALG_VOXEL_OURS and ALG_VOXEL_PAPER leave out parts of the mesh that are outside of the
 *          grid.
 * Errors   BASE_ERR_MEMORY; some bits may have been set.
 * Memory   ALG_VOXEL_OURS: 32 bytes per row of a slice of voxels, for each chunk of triangles that
 *          is being processed.
 * Cost     ALG_VOXEL_OURS: 0.13 us per triangle of one to a few voxels; 10 ns per row of voxels of
 *          larger ones. It tests voxels only in rows whose bounds are within rounding of planes of
 *          the grid.
 * Source   ALG_VOXEL_OURS: the conditions are those of SchwarzSeidel2010; own implementation.
 */
base_status alg_voxel_surface_mark(const geo_mesh *mesh, const alg_voxel_grid *grid,
                                   const alg_voxel_surface_options *options, alg_voxel_bits *bits,
                                   uint64_t *tests, base_error *err) BASE_MUST_CHECK;

/** Called for a triangle and a voxel that share a point. */
typedef void alg_voxel_visitor(void *context, uint32_t x, uint32_t y, uint32_t z);

/**
 * Visits the surface voxels of one triangle, each once, in a fixed order (x slowest, z fastest).
 * Returns the number of tests. Any number of threads may call it.
 *
 * Shapes   a part of the triangle beyond the grid has no voxels.
 * Cost     150 ns, and 10 to 40 ns per test; 25 ns for a triangle in one voxel with `auto`.
 */
uint64_t alg_voxel_surface_visit(geo_triangle t, const alg_voxel_grid *grid,
                                 alg_voxel_navigation navigation, alg_voxel_visitor *visit,
                                 void *context);

/* --- Shared by surface.c and surface_isa.c ---------------------------------------------------- */

/** Arguments and results of ALG_VOXEL_OURS. */
typedef struct alg_voxel_marking {
    const geo_mesh *mesh;
    const alg_voxel_grid *grid;
    alg_voxel_bits *bits;
    geo_box box; /* box of the grid */
    double per_metre;
    double tolerance; /* tolerance of positions, in edges: surface_isa.c */
    _Atomic uint64_t tests;
    _Atomic bool failed; /* out of memory in a chunk */
} alg_voxel_marking;

/** Implement base_parallel_body for the triangles of an alg_voxel_marking. */
void alg_voxel_mark_chunk_sse2(void *marking, size_t begin, size_t end);
void alg_voxel_mark_chunk_avx2(void *marking, size_t begin, size_t end);

#endif
