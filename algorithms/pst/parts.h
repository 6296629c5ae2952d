/**
 * The triangles that a point of a mesh represents: the mesh, divided as alg_pst_points_build does
 * for points of kind ALG_PST_MESH, with the points of a tree as corners.
 */
#ifndef ALGORITHMS_PST_PARTS_H
#define ALGORITHMS_PST_PARTS_H

#include "algorithms/pst/tree.h"

/** A triangle of the divided mesh. */
typedef struct alg_pst_part {
    uint32_t corner[3]; /* indices of points, in the order of the tree */
    uint32_t face;      /* face of the mesh that contains the part */
} alg_pst_part;

typedef struct alg_pst_parts {
    uint32_t count, most; /* number of parts; greatest number of parts of one point */
    alg_pst_part *parts;  /* arena; sorted by corners, so parts of near points are near each
                             other */
    uint32_t *first;      /* arena; point i has members [first[i], first[i + 1]) */
    uint32_t *members;    /* arena; indices of parts */
    uint8_t *cut;         /* arena; for each face, 1 if it has several parts */
    const vec3 *points;   /* borrowed from the tree */
} alg_pst_parts;

/**
 * Builds the parts of a mesh.
 *
 * Shapes   tree: of the points of this mesh with this number of voxels.
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT for a tree of other points.
 * Memory   arena: 28 bytes a part, 4 a point and 1 a face; scratch outside of it.
 */
base_status alg_pst_parts_build(const geo_mesh *mesh, uint32_t voxels, const alg_pst_tree *tree,
                                base_arena *arena, alg_pst_parts *parts,
                                base_error *err) BASE_MUST_CHECK;

static inline geo_triangle alg_pst_part_triangle(const alg_pst_parts *parts, uint32_t part)
{
    const uint32_t *const c = parts->parts[part].corner;
    return (geo_triangle){{parts->points[c[0]], parts->points[c[1]], parts->points[c[2]]}};
}

#endif
