/**
 * Which triangles a point of a mesh stands for: the mesh, divided as alg_pst_points_build divides
 * it for points of kind ALG_PST_MESH, with the points of a tree as corners.
 */
#ifndef ALGORITHMS_PST_PARTS_H
#define ALGORITHMS_PST_PARTS_H

#include "algorithms/pst/tree.h"

/** A triangle of the divided mesh. */
typedef struct alg_pst_part {
    uint32_t corner[3]; /* points, in the order of the tree */
    uint32_t face;      /* of the mesh, that it is a part of */
} alg_pst_part;

typedef struct alg_pst_parts {
    uint32_t count, most; /* parts; of one point, at most */
    alg_pst_part *parts;  /* arena; those of near points are near */
    uint32_t *first;      /* arena; of point i: members [first[i], first[i + 1]) */
    uint32_t *members;    /* arena; numbers of parts */
    uint8_t *cut;         /* arena; of a face: has it more than one part? */
    const vec3 *points;   /* of the tree, borrowed */
} alg_pst_parts;

/**
 * Shapes   tree: of the points of the mesh and that many voxels.
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
