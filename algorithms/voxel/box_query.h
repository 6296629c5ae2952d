/**
 * A hierarchy over the triangles of a mesh that answers which of them meet a box. A general
 * collision library does this for one voxel after the other, without information about the grid.
 *
 * Source   VPS 2, "Data-structure generation at DLR", where the hierarchy is SOLID's.
 */
#ifndef ALGORITHMS_VOXEL_BOX_QUERY_H
#define ALGORITHMS_VOXEL_BOX_QUERY_H

#include "base/error.h"
#include "base/memory.h"
#include "geometry/bvh.h"
#include "geometry/mesh.h"

typedef struct alg_box_query {
    geo_bvh bvh;
    geo_triangle *triangles; /* arena; triangles[i] = corners of face bvh.order[i] */
    bool avx2;               /* true if the CPU has AVX2 */
} alg_box_query;

/**
 * Builds the hierarchy.
 *
 * Shapes   the mesh has at least one face.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: about 100 bytes per triangle; scratch outside of it.
 * Cost     1.3 us per triangle.
 */
base_status alg_box_query_build(const geo_mesh *mesh, base_arena *arena, alg_box_query *query,
                                base_error *err) BASE_MUST_CHECK;

/** Called for a face that meets the box. Returns false to stop. */
typedef bool alg_box_query_visitor(void *context, uint32_t face);

/**
 * Visits the faces that share a point with the closed box, exactly, in a fixed order; an empty box
 * meets no face. visit NULL: stops at the first face. The query is not modified, so any number of
 * threads may use it.
 *
 * Returns  true if a face was visited.
 * Cost     0.06 us, the mean of all voxels around 60k faces at a resolution of 192; 0.3 us at a
 *          resolution of 64, where most voxels are near the surface.
 */
bool alg_box_query_run(const alg_box_query *query, geo_box box, alg_box_query_visitor *visit,
                       void *context);

/* --- Shared by box_query.c and box_query_isa.c ------------------------------------------------ */

bool alg_box_query_descend_sse2(const alg_box_query *query, geo_box box,
                                alg_box_query_visitor *visit, void *context);
bool alg_box_query_descend_avx2(const alg_box_query *query, geo_box box,
                                alg_box_query_visitor *visit, void *context);

#endif
