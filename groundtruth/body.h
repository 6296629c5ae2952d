/** What a body holds for the truth. */
#ifndef GROUNDTRUTH_BODY_H
#define GROUNDTRUTH_BODY_H

#include "groundtruth/volume/tetra/cells.h"
#include "geometry/tree.h"
#include "groundtruth/volume/flux/flux.h"
#include "groundtruth/groundtruth.h"

/** depth_hull.h */
typedef struct gt_hull gt_hull;

/** Triangles in the order of a curve through space, in blocks for brute force. */
typedef struct gt_blocks {
    uint32_t *order; /* arena; faces */
    geo_ball *balls; /* arena; around the triangles of each block */
    vec3 *corners;   /* arena; one of each block */
    size_t count;    /* of blocks */
} gt_blocks;

/** Errors: BASE_ERR_MEMORY. */
base_status gt_blocks_build(const geo_mesh *mesh, base_arena *arena, gt_blocks *blocks,
                            base_error *err) BASE_MUST_CHECK;

struct gt_body {
    const geo_mesh *mesh;          /* borrowed */
    const geo_mesh_report *report; /* borrowed */
    base_hash hash;                /* of the mesh */
    base_arena arena;

    vec3 centre, half; /* of the box: its middle and half its edges */
    double reach;      /* largest coordinate, absolute */

    /** The hierarchies are relative to this point: 0, or the centre of a body that is far from 0
     * for its size, whose boxes in float would have no digits left. */
    vec3 origin;
    double span;             /* greatest distance from origin, or more */
    geo_surface surface;     /* as it is, for containment */
    geo_bvh bvh;             /* of the triangles; near 0 that of surface, and so its triangles */
    geo_triangle *triangles; /* arena; in the order of bvh, as they are */
    geo_tree tree;           /* of the triangles, once more, relative to origin */
    vec3 *component_points;  /* arena; a vertex of each component */
    uint32_t component_count;

    gt_blocks blocks;
    gt_flux_body flux; /* of a solid; in the order of tree */
    gt_cells cells;    /* empty before gt_body_tetrahedralise */
    size_t tetrahedron_count;
    char *refusal; /* arena; TetGen's, or NULL */

    gt_hull *hull; /* arena; NULL before gt_body_make_hull */
};

/**
 * The pose between the frames of the hierarchies. Its rounding is below 8 eps (reach of a + reach
 * of b + |translation|).
 */
geo_pose gt_origin_pose(const gt_body *a, const gt_body *b, const geo_pose *pose);

/**
 * Does a component of one body lie inside the other one? Only bodies that are solids contain
 * anything. The surfaces must not intersect. Symmetric.
 */
bool gt_contained(const gt_body *a, const gt_body *b, const geo_pose *pose);

/**
 * Fills the brackets from what a search over all triangles found: whether any two intersect, else
 * their squared distance. Where the surfaces are nearer than the slack it cannot be told whether
 * one is inside the other, and the distance of the solids begins at 0.
 */
void gt_distance_finish(const gt_body *a, const gt_body *b, const geo_pose *pose, bool intersect,
                        double distance2, gt_distance *result);

/** The bracket value +- slack, not below 0. */
gt_bracket gt_bracket_around(double value, double slack);

#endif
