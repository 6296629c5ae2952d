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
 * are taken without a test, since a triangle is connected. If the box has at most
 * ALG_VOXEL_BOX_MOST voxels, all of them are tested, since the ranges of the other methods would
 * cost more than they save: a box of 8 voxels takes 0.28 us if all are tested and 0.37 us with
 * ranges, a box of 20 takes the same time, a box of 64 takes 1.8 us and 1.6 us. Larger boxes use
 * the second approach, which is then up to 10 % faster than the first.
 */
typedef enum alg_voxel_navigation {
    ALG_VOXEL_AUTO,
    ALG_VOXEL_BOX,    /* all voxels of the box are tested */
    ALG_VOXEL_FIRST,  /* VPS 3.1, first approach: for each x the range of y that the triangle meets,
                        for each (x, y) the range of z that its plane has at the four corners */
    ALG_VOXEL_SECOND, /* VPS 3.1, second approach: the same ranges; each range of z is tested from
                         both ends to the first voxel that meets the triangle; the voxels between
                         these two are taken without a test */
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
     * For ALG_VOXEL_OLD: distance by which each side of a voxel is moved outwards, or inwards if
     * negative, in edges of a voxel. Only 0 gives the exact voxels.
     */
    double tolerance;
} alg_voxel_surface_options;

/**
 * Sets the bits of the surface voxels of the mesh. The grid surrounds the box of the mesh; `bits`
 * has the size of the grid, and all of its bits are 0. *tests receives the number of tests of a
 * triangle against a voxel. For the old generator it receives the number of box queries.
 *
 * Any mesh is allowed: open, self-intersecting, with degenerate triangles. If the tolerance is 0,
 * the voxels are exact, and the same for every generator, navigation and number of threads.
 *
 * Shapes   ALG_VOXEL_OURS and ALG_VOXEL_PAPER leave out parts of the mesh that are outside of the
 *          grid.
 * Errors   BASE_ERR_MEMORY; some bits may have been set.
 * Memory   ALG_VOXEL_OURS: 32 bytes per row of a slice of voxels, for each chunk of triangles that
 *          is being processed.
 * Cost     ALG_VOXEL_OURS: 0.13 us for a triangle that meets one or a few voxels, 10 ns per row of
 *          voxels for a larger one. Single voxels are tested only where rounding could change the
 *          result, because a bound is too near to a plane of the grid.
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
 * Cost     150 ns, and 10 to 40 ns per test. With `auto`, a triangle in one voxel takes 25 ns.
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
