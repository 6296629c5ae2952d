/**
 * A body of implicit sphere trees: its voxels, the tree over them, and what is known of each
 * surface voxel.
 *
 * Both roles have the same form. The fixed body is the paper's world: its surface voxels. The
 * moving one is the paper's probe, a pointshell that is treated as a voxel array: the voxels that
 * hold its points (probe=points), or all of its surface voxels (probe=voxels), which leaves out
 * nothing.
 *
 * Source   IMP 3.1, 3.3; VPS 3 and 4 for voxels, points and normals.
 */
#ifndef ALGORITHMS_IMP_BODY_H
#define ALGORITHMS_IMP_BODY_H

#include "algorithms/algorithms.h"
#include "algorithms/imp/tree.h"
#include "algorithms/voxel/map.h"
#include "base/arena.h"
#include "geometry/mesh.h"

enum { ALG_IMP_VOXELS_MAX = 2048 };

/** In the order of the words of the parameters. */
typedef enum alg_imp_fill {
    ALG_IMP_SURFACE, /* surface voxels alone */
    ALG_IMP_SOLID,   /* and those inside */
} alg_imp_fill;

typedef enum alg_imp_probe {
    ALG_IMP_POINTS,
    ALG_IMP_ALL_VOXELS,
} alg_imp_probe;

typedef struct alg_imp_options {
    alg_role role;
    uint32_t voxels; /* on the longest edge of the body's box */
    alg_imp_fill fill;
    alg_imp_probe probe; /* of the moving body */
    alg_imp_tree_options tree;
} alg_imp_options;

/**
 * A voxel's point is no farther from the voxel's centre, in edges, and no farther than rounding:
 * 0.5 sqrt(3).
 */
#define ALG_IMP_POINT_REACH 0.8661

/** What is known of a surface voxel. */
typedef struct alg_imp_voxel {
    /** A point of the surface, up to rounding: the point of the pointshell that is nearest to the
     * voxel's centre, of those in the voxel or else of all. It is relative to the grid's corner, so
     * that it keeps its digits in a body that is far from its origin: alg_imp_point. */
    float point[3];
    float normal[3]; /* unit, out of the body, in its frame; 0 where there is none */
} alg_imp_voxel;

/** A piece of the surface in a voxel, on one side of the body: patches.h. */
typedef struct alg_imp_patch {
    float point[3];  /* mean of the piece, from the grid's corner */
    float normal[3]; /* mean, unit, out of the body, in its frame */
    float faces;     /* area, in faces of a voxel */
} alg_imp_patch;

/** The 2-bit descriptor of a voxel: IMP 2.1.1 and 3.1, as in McNeely et al. 1999. */
typedef enum alg_imp_descriptor {
    ALG_IMP_VOXEL_EMPTY,
    ALG_IMP_VOXEL_FULL,
    ALG_IMP_VOXEL_SURFACE,
    ALG_IMP_VOXEL_PROXIMITY, /* empty, and beside a surface voxel (of its 26 neighbours) */
} alg_imp_descriptor;

typedef struct alg_imp_body {
    base_arena arena;
    alg_voxel_grid grid;
    alg_imp_tree tree;
    alg_imp_voxel *voxels;  /* arena; those of tree.voxel_count */
    alg_imp_patch *patches; /* arena; by voxel */
    uint32_t *patch_starts; /* arena; [v] to [v + 1]: patches of voxel v */
    alg_voxel_map *coarse;  /* arena; of a fixed solid: coarse.h; else NULL */
    uint8_t *descriptors;   /* arena; four voxels a byte, x fastest, in rows of whole bytes */
    double fill_share; /* of stored surface voxels' volume the part that is inside: (V - full) /
                          surface; 0.5 without a solid, kept in 0 to 1 */
    double volume_m3;  /* of the solid; INFINITY of what is none */
    vec3 centroid;
    alg_role role;
    bool solid; /* is the mesh one? */
} alg_imp_body;

/** The point of a surface voxel, in the body's frame. */
static inline vec3 alg_imp_point(const alg_imp_body *body, uint32_t voxel)
{
    const float *const p = body->voxels[voxel].point;
    return vec3_add(body->grid.corner, (vec3){(double)p[0], (double)p[1], (double)p[2]});
}

alg_imp_descriptor alg_imp_descriptor_at(const alg_imp_body *body, uint32_t x, uint32_t y,
                                         uint32_t z);

/** alg_algorithm.facts. */
enum {
    ALG_IMP_FACT_VOXELS,         /* of the grid */
    ALG_IMP_FACT_SURFACE_VOXELS, /* stored */
    ALG_IMP_FACT_FULL_VOXELS,
    ALG_IMP_FACT_NODES, /* stored, all levels */
    ALG_IMP_FACT_NODE_BYTES,
    ALG_IMP_FACT_SINGLE_NODES,     /* with one child */
    ALG_IMP_FACT_SMALLER_PATTERNS, /* of the table's patterns; 8 children: 78 */
    ALG_IMP_FACT_SMALLER_SQUARES,  /* of the 15 patterns of a quadtree, beside them: 8 */
    ALG_IMP_FACT_EDGE,             /* of a voxel, in m */
    ALG_IMP_FACT_SURFACE_NS,
    ALG_IMP_FACT_POINTS_NS,
    ALG_IMP_FACT_TREE_NS,
    ALG_IMP_FACT_COUNT
};
extern const char *const alg_imp_facts[];

/**
 * alg_algorithm.prepare. Any mesh; nothing is inside of one that is no solid.
 *
 * Errors   ALG_OUT_OF_MEMORY; ALG_FAILED for a body that no grid fits. *body is NULL then.
 * Memory   owned: an alg_imp_body, for alg_destroy.
 */
alg_status alg_imp_body_prepare(const alg_imp_options *options, const alg_mesh *mesh, void **body,
                                alg_build_info *info, alg_message *message);

/** alg_algorithm.save and alg_algorithm.load. */
alg_status alg_imp_body_save(const void *body, const alg_writer *to, alg_message *message);
alg_status alg_imp_body_load(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                             const void *bytes, size_t size, void **body, alg_build_info *info,
                             alg_message *message);

/** alg_algorithm.draw: the balls of the surface voxels, in the body's frame. */
void alg_imp_body_draw(const void *body, const alg_sink *sink);

#endif
