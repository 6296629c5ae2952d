/** Divides the long edges of a mesh, so that small triangles cover the same surface. */
#ifndef ALGORITHMS_VOXEL_DIVISION_H
#define ALGORITHMS_VOXEL_DIVISION_H

#include "base/error.h"
#include "geometry/mesh.h"

/** A triangle of the division. */
typedef struct alg_part {
    uint32_t corner[3]; /* vertices of the division, in the orientation of the face */
    uint32_t face;      /* the face of the mesh that contains it */
} alg_part;

typedef struct alg_division {
    vec3 *vertices; /* owned; corners in the order of the faces, each position once; then middles of
                       edges, each edge once */
    size_t vertex_count;
    alg_part *parts; /* owned; a face that is not divided keeps the order of its corners */
    size_t part_count;
    /**
     * Number of rounds in which edges were halved. In each round a new vertex is rounded by at most
     * half a unit in the last place of each coordinate.
     */
    uint32_t round_count;
} alg_division;

/**
 * Halves edges until no edge is longer than a limit: the larger one of `longest` and 2^-40 times
 * the largest coordinate. Triangles on both sides of an edge get the same middle, so a closed mesh
 * remains closed.
 *
 * Shapes   any mesh; longest > 0, in metres.
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT for more than 2^31 vertices. After an error *division is
 *          zeroed.
 * Memory   owned; release it with alg_division_release: 24 bytes per vertex, 16 bytes per part.
 */
base_status alg_division_build(const geo_mesh *mesh, double longest, alg_division *division,
                               base_error *err) BASE_MUST_CHECK;
void alg_division_release(alg_division *division);

static inline geo_triangle alg_division_triangle(const alg_division *division, size_t part)
{
    const uint32_t *const c = division->parts[part].corner;
    return (geo_triangle){
        {division->vertices[c[0]], division->vertices[c[1]], division->vertices[c[2]]}};
}

#endif
