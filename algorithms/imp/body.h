/**
 * A body of implicit sphere trees: its voxels, the tree over them, and the data of each surface
 * voxel.
 *
 * Bodies of both roles have the same structure. The fixed body is the paper's world; its tree holds
 * all of its surface voxels. The moving body is the paper's probe. In the paper, it is a pointshell
 * that is treated as a voxel array: its tree holds the surface voxels that contain points of the
 * pointshell (probe=points). With probe=voxels, it holds all surface voxels. With fill=solid, the
 * trees of both bodies also hold the voxels inside of the solid.
 *
 * Source   IMP 3.1, 3.3; VPS 3 and 4 for voxels, points and normals.
 */
#ifndef ALGORITHMS_IMP_BODY_H
#define ALGORITHMS_IMP_BODY_H

#include "algorithms/algorithms.h"
#include "algorithms/imp/tree.h"
#include "algorithms/voxel/map.h"
#include "algorithms/voxel/walls.h"
#include "base/memory.h"
#include "geometry/mesh.h"

enum { ALG_IMP_VOXELS_MAX = 2048 };

/** Values of the parameter "fill", in the order of its choices. */
typedef enum alg_imp_fill {
    ALG_IMP_SURFACE, /* surface voxels only */
    ALG_IMP_SOLID,   /* surface voxels and voxels inside */
} alg_imp_fill;

/** Values of the parameter "probe", in the order of its choices. */
typedef enum alg_imp_probe {
    ALG_IMP_POINTS,
    ALG_IMP_ALL_VOXELS,
} alg_imp_probe;

typedef struct alg_imp_options {
    alg_role role;
    alg_resolution resolution;
    alg_imp_fill fill;
    alg_imp_probe probe; /* moving body only */
    alg_imp_tree_options tree;
} alg_imp_options;

/**
 * Upper bound of the distance from a surface voxel's centre to the voxel's point, in edges of a
 * voxel: half a diagonal, 0.5 sqrt(3), and the rounding.
 */
#define ALG_IMP_POINT_REACH 0.8661

/** Data of a surface voxel. */
typedef struct alg_imp_voxel {
    /**
     * A point of the surface, up to rounding: of the pointshell's points in the voxel, the one
     * nearest to the voxel's centre. If the voxel has no points, it is the nearest of the points in
     * stored voxels. It is relative to `grid.corner`, so that a float is precise even if the body
     * is far from its origin. alg_imp_point adds the corner.
     */
    float point[3];
    float normal[3]; /* unit, out of the body, in its frame; 0 if the voxel has no normal */
} alg_imp_voxel;

/** A piece of the surface in a voxel, on one side of the body (patches.h). */
typedef struct alg_imp_patch {
    float point[3];  /* mean point of the piece, relative to `grid.corner` */
    float normal[3]; /* mean normal, unit, out of the body, in its frame */
    float faces;     /* length of the sum of area times normal, in faces of a voxel */
} alg_imp_patch;

/** The 2-bit descriptor of a voxel (IMP 2.1.1 and 3.1), as in McNeely et al. 1999. */
typedef enum alg_imp_descriptor {
    ALG_IMP_VOXEL_EMPTY,
    ALG_IMP_VOXEL_FULL,
    ALG_IMP_VOXEL_SURFACE,
    ALG_IMP_VOXEL_PROXIMITY, /* empty, and one of its 26 neighbours is a surface voxel */
} alg_imp_descriptor;

typedef struct alg_imp_body {
    base_arena arena;
    alg_voxel_grid grid;
    alg_imp_tree tree;
    alg_imp_voxel *voxels;  /* arena; [tree.voxel_count] */
    alg_imp_patch *patches; /* arena; grouped by voxel */
    uint32_t *patch_starts; /* arena; voxel v has the patches patch_starts[v] to patch_starts[v +
                               1] - 1 */
    alg_voxel_map *coarse;  /* arena; map of blocks (alg_imp_coarse_build); NULL unless the body
                               is a fixed solid */
    uint8_t *descriptors;   /* arena; four voxels per byte, x fastest; each row along x takes
                               whole bytes */
    double fill_share;      /* mean share of a surface voxel that is inside of the body: (volume
                               of the body in voxels - full voxels) / stored surface voxels,
                               clamped to 0 to 1; 0.5 if the mesh is not a solid */
    double volume_m3;       /* volume of the solid; INFINITY if the mesh is not a solid */
    vec3 centroid;
    alg_role role;
    bool solid; /* true if the mesh is a solid */
} alg_imp_body;

/** Returns the point of a surface voxel, in the body's frame. */
static inline vec3 alg_imp_point(const alg_imp_body *body, uint32_t voxel)
{
    const float *const p = body->voxels[voxel].point;
    return vec3_add(body->grid.corner, (vec3){(double)p[0], (double)p[1], (double)p[2]});
}

/** Returns the descriptor of voxel (x, y, z), which is in the grid. Cost: O(1). */
alg_imp_descriptor alg_imp_descriptor_at(const alg_imp_body *body, uint32_t x, uint32_t y,
                                         uint32_t z);

/**
 * Returns the voxel that holds a point. A point on a plane between two voxels belongs to the upper
 * one. For a point outside of the grid, the voxel nearest to it is returned.
 */
alg_imp_cell alg_imp_cell_of(const alg_voxel_grid *grid, vec3 point);

/** Indices into alg_build_info.facts; alg_imp_facts has the names. */
enum {
    ALG_IMP_FACT_VOXELS,         /* voxels of the grid */
    ALG_IMP_FACT_SURFACE_VOXELS, /* stored surface voxels */
    ALG_IMP_FACT_FULL_VOXELS,
    ALG_IMP_FACT_NODES, /* stored nodes of all levels */
    ALG_IMP_FACT_NODE_BYTES,
    ALG_IMP_FACT_SINGLE_NODES,     /* nodes with one child */
    ALG_IMP_FACT_SMALLER_PATTERNS, /* entries of the table whose ball is smaller than that of a
                                      node's cube: 78 for 8 children; spheres=patterns only */
    ALG_IMP_FACT_SMALLER_SQUARES,  /* the same count for a quadtree, for comparison: 8 of 15
                                      patterns */
    ALG_IMP_FACT_BALL_SHARE,       /* volume of a node's ball / volume of the ball around the node's
                                      cube, mean over all stored nodes */
    ALG_IMP_FACT_BALL_SHARE_MAX,   /* the same, mean over the nodes of a level, largest of all
                                      levels */
    ALG_IMP_FACT_EDGE,             /* edge of a voxel, in m */
    ALG_IMP_FACT_SURFACE_NS,
    ALG_IMP_FACT_POINTS_NS,
    ALG_IMP_FACT_TREE_NS,
    ALG_IMP_FACT_RESOLUTION, /* voxels along the longest edge of the body's box */
    ALG_IMP_FACT_THIN,       /* alg_thin_share; solids only */
    ALG_IMP_FACT_WALL,       /* alg_resolution.wall_m; this and the next: if the resolution was
                                chosen */
    ALG_IMP_FACT_ERROR,      /* expected mean error of a volume: error_a_voxel */
    ALG_IMP_FACT_COUNT
};
extern const char *const alg_imp_facts[];

/**
 * Implements alg_algorithm.prepare. Takes any mesh; a mesh that is not a solid has no inside.
 *
 * Errors   ALG_OUT_OF_MEMORY; ALG_FAILED if no grid can hold the body. *body is NULL in both cases.
 * Memory   *body is an alg_imp_body that the caller owns and releases with alg_destroy.
 */
alg_status alg_imp_body_prepare(const alg_imp_options *options, const alg_mesh *mesh, void **body,
                                alg_build_info *info, alg_message *message);

/** Implement alg_algorithm.save and alg_algorithm.load. */
alg_status alg_imp_body_save(const void *body, const alg_writer *to, alg_message *message);
alg_status alg_imp_body_load(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                             const void *bytes, size_t size, void **body, alg_build_info *info,
                             alg_message *message);

/**
 * Implements alg_algorithm.draw: draws the balls of the surface voxels and of the stored nodes, in
 * the body's frame.
 */
void alg_imp_body_draw(const void *body, const alg_sink *sink);

/* --- Empty space around a fixed solid --------------------------------------------------------- */

/**
 * Builds a map of blocks of 8 x 8 x 8 voxels, whose layers tell how far each block is from the
 * body. A block with a surface voxel or a full voxel has layer 0; the blocks outside have negative
 * layers. Lengths of the map are in half edges of a voxel. Its origin is the corner of voxel (0, 0,
 * 0).
 *
 * Shapes   surface, full: the voxels of the body; both grids have the same size.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: one byte per block.
 * Cost     O(words of the grid).
 * Source   this suite.
 */
base_status alg_imp_coarse_build(const alg_voxel_bits *surface, const alg_voxel_bits *full,
                                 base_arena *arena, alg_voxel_map *map,
                                 base_error *err) BASE_MUST_CHECK;

/**
 * Returns true only if a ball meets no voxel of the body; it may return false for such a ball.
 * Lengths are in half edges of a voxel, from the corner of voxel (0, 0, 0).
 * Cost: O(1).
 */
bool alg_imp_coarse_misses(const alg_voxel_map *map, const float centre[3], float radius);

#endif
