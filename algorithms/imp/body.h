/**
 * A body of implicit sphere trees: its voxels, the tree over them, and the data of each surface
 * voxel.
 *
 * Both roles have the same form. The fixed body is the paper's world: its surface voxels. The
 * moving body is the paper's probe, a pointshell that is treated as a voxel array: the voxels that
 * hold its points (probe=points), or all of its surface voxels without omission (probe=voxels).
 *
 * Source   IMP 3.1, 3.3; VPS 3 and 4 for voxels, points and normals.
 */
#ifndef ALGORITHMS_IMP_BODY_H
#define ALGORITHMS_IMP_BODY_H

#include "algorithms/algorithms.h"
#include "algorithms/imp/tree.h"
#include "algorithms/voxel/map.h"
#include "base/memory.h"
#include "geometry/mesh.h"

enum { ALG_IMP_VOXELS_MAX = 2048 };

/** In the order of the parameter's choices. */
typedef enum alg_imp_fill {
    ALG_IMP_SURFACE, /* surface voxels only */
    ALG_IMP_SOLID,   /* surface voxels and voxels inside */
} alg_imp_fill;

typedef enum alg_imp_probe {
    ALG_IMP_POINTS,
    ALG_IMP_ALL_VOXELS,
} alg_imp_probe;

typedef struct alg_imp_options {
    alg_role role;
    uint32_t voxels; /* along the longest edge of the body's box */
    alg_imp_fill fill;
    alg_imp_probe probe; /* moving body only */
    alg_imp_tree_options tree;
} alg_imp_options;

/**
 * Bound on the distance from a surface voxel's centre to the voxel's point, in edges: 0.5 sqrt(3)
 * and the rounding.
 */
#define ALG_IMP_POINT_REACH 0.8661

/** Data of a surface voxel. */
typedef struct alg_imp_voxel {
    /**
     * A point of the surface, up to rounding: the pointshell point nearest to the voxel's centre,
     * among those in the voxel if there are any, else among all. It is relative to the grid's
     * corner, so that it keeps its digits in a body far from its origin; see alg_imp_point.
     */
    float point[3];
    float normal[3]; /* unit, out of the body, in its frame; 0 if the voxel has no normal */
} alg_imp_voxel;

/** A piece of the surface in a voxel, on one side of the body (patches.h). */
typedef struct alg_imp_patch {
    float point[3];  /* mean point of the piece, relative to the grid's corner */
    float normal[3]; /* mean normal, unit, out of the body, in its frame */
    float faces;     /* area, in units of a voxel's face */
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
    uint32_t *patch_starts; /* arena; voxel v has the patches [v] to [v + 1] - 1 */
    alg_voxel_map *coarse;  /* arena; blocks of a fixed solid (alg_imp_coarse_build), else NULL */
    uint8_t *descriptors;   /* arena; four voxels per byte, x fastest, rows of whole bytes */
    double fill_share;      /* the part of the stored surface voxels' volume that is inside: (V -
                               full) / surface, clamped to 0 to 1; 0.5 if the mesh is not a solid */
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

alg_imp_descriptor alg_imp_descriptor_at(const alg_imp_body *body, uint32_t x, uint32_t y,
                                         uint32_t z);

/** Returns the voxel that a point lies in; on a plane between two voxels, the upper one. */
alg_imp_cell alg_imp_cell_of(const alg_voxel_grid *grid, vec3 point);

/** Indices into the facts of alg_algorithm.facts. */
enum {
    ALG_IMP_FACT_VOXELS,         /* voxels of the grid */
    ALG_IMP_FACT_SURFACE_VOXELS, /* stored surface voxels */
    ALG_IMP_FACT_FULL_VOXELS,
    ALG_IMP_FACT_NODES, /* stored nodes of all levels */
    ALG_IMP_FACT_NODE_BYTES,
    ALG_IMP_FACT_SINGLE_NODES,     /* nodes with one child */
    ALG_IMP_FACT_SMALLER_PATTERNS, /* patterns of the table with a smaller ball; 78 for 8
                                      children */
    ALG_IMP_FACT_SMALLER_SQUARES,  /* patterns of a quadtree with a smaller ball, for comparison:
                                      8 of 15 */
    ALG_IMP_FACT_EDGE,             /* edge of a voxel, in m */
    ALG_IMP_FACT_SURFACE_NS,
    ALG_IMP_FACT_POINTS_NS,
    ALG_IMP_FACT_TREE_NS,
    ALG_IMP_FACT_COUNT
};
extern const char *const alg_imp_facts[];

/**
 * Implements alg_algorithm.prepare. Takes any mesh; a mesh that is not a solid has no inside.
 *
 * Errors   ALG_OUT_OF_MEMORY; ALG_FAILED for a body that no grid fits. *body is NULL in both cases.
 * Memory   *body is an alg_imp_body that the caller owns and releases with alg_destroy.
 */
alg_status alg_imp_body_prepare(const alg_imp_options *options, const alg_mesh *mesh, void **body,
                                alg_build_info *info, alg_message *message);

/** Implement alg_algorithm.save and alg_algorithm.load. */
alg_status alg_imp_body_save(const void *body, const alg_writer *to, alg_message *message);
alg_status alg_imp_body_load(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                             const void *bytes, size_t size, void **body, alg_build_info *info,
                             alg_message *message);

/** Implements alg_algorithm.draw: draws the balls of the surface voxels, in the body's frame. */
void alg_imp_body_draw(const void *body, const alg_sink *sink);

/* --- Empty space around a fixed solid --------------------------------------------------------- */

/**
 * Builds a map of blocks of 8 x 8 x 8 voxels, with the distance of each from the body. A block with
 * a surface voxel or a full voxel has layer 0; layers outside are negative. The map's edge is in
 * half edges of a voxel, from the corner of voxel (0, 0, 0).
 *
 * Shapes   surface, full: voxels of the body, of one size.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: one byte per block.
 * Cost     O(words of the grid).
 * Source   this suite.
 */
base_status alg_imp_coarse_build(const alg_voxel_bits *surface, const alg_voxel_bits *full,
                                 base_arena *arena, alg_voxel_map *map,
                                 base_error *err) BASE_MUST_CHECK;

/**
 * Returns true only if a ball meets no voxel of the body. Lengths are in half edges of a voxel.
 * Cost: O(1).
 */
bool alg_imp_coarse_misses(const alg_voxel_map *map, const float centre[3], float radius);

#endif
