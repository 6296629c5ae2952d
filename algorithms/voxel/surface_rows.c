#include "algorithms/voxel/surface_rows.h"

#include "base/parallel.h"
#include "base/simd.h"

enum { CHUNKS = 1024, CHUNK_MOST = 4096 }; /* number of chunks, and of triangles in a chunk */

base_status alg_voxel_surface_rows_mark(const geo_mesh *mesh, const alg_voxel_grid *grid,
                                        alg_voxel_bits *bits, uint64_t *tests, base_error *err)
{
    const uint32_t *const size = grid->size;
    alg_voxel_marking m = {
        .mesh = mesh,
        .grid = grid,
        .bits = bits,
        .box = {alg_voxel_box(grid, 0, 0, 0).lo, alg_voxel_box(grid, size[0], size[1], size[2]).lo},
        .per_metre = 1 / grid->edge,
    };
    const double longest = fmax(size[0], fmax(size[1], size[2]));
    m.tolerance = 0x1p-53 * (16 * longest + 4 * geo_box_reach(m.box) / grid->edge);
    size_t chunk = mesh->face_count / CHUNKS + 1;
    chunk = chunk < CHUNK_MOST ? chunk : CHUNK_MOST;
    base_parallel_for(mesh->face_count, chunk, 0,
                      base_cpu_avx2() ? alg_voxel_mark_chunk_avx2 : alg_voxel_mark_chunk_sse2, &m);
    *tests = atomic_load(&m.tests);
    return atomic_load(&m.failed)
               ? base_fail(err, BASE_ERR_MEMORY, "out of memory for surface voxels")
               : BASE_OK;
}
