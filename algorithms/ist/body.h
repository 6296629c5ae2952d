/**
 * A body of the inner sphere trees, as every entry builds it: spheres, then the tree over them.
 */
#ifndef ALGORITHMS_IST_BODY_H
#define ALGORITHMS_IST_BODY_H

#include "algorithms/archive.h"
#include "algorithms/ist/spheres/owners.h"
#include "algorithms/ist/tree.h"
#include "algorithms/life.h"
#include "base/arena.h"

/** How spheres are placed. */
typedef enum alg_ist_kind {
    ALG_IST_GRID,    /* disjoint, greedily by voxels: packing.h */
    ALG_IST_COVER,   /* overlapping, for distances alone: cover.h */
    ALG_IST_REFINED, /* disjoint, found by voxels and then moved off them */
} alg_ist_kind;

/**
 * What `voxels` means for a cover: its gap, in edges of a voxel. Half an edge is where disjoint
 * spheres are on average, so that one parameter sweeps all packings.
 */
#define ALG_IST_COVER_GAP 0.5

/*
 * Rows that entries share: name, type, default, range, choices, help. An entry's enum has the names
 * below for them, with a prefix P of its own or none; its table is [BRANCHING] =
 * ALG_IST_ROW_BRANCHING, ..., and ALG_IST_OPTIONS reads all of them but START. What else an entry
 * has is its own.
 */
/* clang-format off */
#define ALG_IST_ROW_BRANCHING {"branching", ALG_CHOICE, 1, 0, 3, "2|4|8|16", "children of a node"}
#define ALG_IST_ROW_CLUSTERING \
    {"clustering", ALG_CHOICE, 0, 0, 3, "gas|gas-plain|biggest|neighbours", "how nodes are split"}
#define ALG_IST_ROW_CRITERION \
    {"criterion", ALG_CHOICE, 0, 0, 2, "alone|volume|outside", "which of several clusterings"}
#define ALG_IST_ROW_HIERARCHY \
    {"hierarchy", ALG_CHOICE, 0, 0, 1, "wrapped|layered", "a node's ball: around leaves, children"}
#define ALG_IST_ROW_MIN_RADIUS \
    {"min-radius", ALG_REAL, 0, 0, 100, NULL, "smallest radius, in voxel edges"}
#define ALG_IST_ROW_PACKING \
    {"packing", ALG_CHOICE, ALG_IST_GRID, 0, 2, "grid|cover|refined", "how spheres are placed"}
#define ALG_IST_ROW_SPHERES \
    {"spheres", ALG_INTEGER, 0, 0, 1e8, NULL, "most of a body; 0: no limit"}
#define ALG_IST_ROW_START {"start", ALG_CHOICE, 0, 0, 1, "cold|last", "where a distance begins"}
#define ALG_IST_ROW_STOP {"stop", ALG_CHOICE, 0, 0, 1, "adaptive|fixed", "when neural gas ends"}
#define ALG_IST_ROW_VOXELS \
    {"voxels", ALG_INTEGER, 128, 2, ALG_VOXEL_RESOLUTION_MAX, NULL, "on a body's longest box edge"}
/** The alg_ist_options that the shared rows of an entry's settings stand for; P: see above. */
#define ALG_IST_OPTIONS(settings, P) ((alg_ist_options){ \
    .packing = (alg_ist_kind)(settings)->values[P##PACKING], \
    .voxels = (uint32_t)(settings)->values[P##VOXELS], \
    .limits = {(settings)->values[P##MIN_RADIUS], (size_t)(settings)->values[P##SPHERES]}, \
    .tree = {.branching = 2u << (int)(settings)->values[P##BRANCHING], \
             .clustering = (alg_ist_clustering)(settings)->values[P##CLUSTERING], \
             .criterion = (alg_ist_criterion)(settings)->values[P##CRITERION], \
             .fixed = (settings)->values[P##STOP] == 1, \
             .layered = (settings)->values[P##HIERARCHY] == 1, \
             .seed = (settings)->seed}, \
})
/* clang-format on */

typedef struct alg_ist_options {
    alg_ist_kind packing;
    double error;    /* above 0: voxels are chosen for it, see alg_ist_pack_body */
    uint32_t voxels; /* on the longest edge of the body's box */
    alg_ist_limits limits;
    bool centroid; /* of alg_ist_secondary_radii */
    bool fine;     /* shares are those of finer voxels: alg_ist_share_fine */
    bool cones; /* each sphere gets the direction out of the solid near it: alg_ist_normal_cones */
    alg_ist_tree_options tree;
    bool skin; /* the body keeps its surface, and the tree encloses outer spheres */
} alg_ist_options;

/** The surface of a body and what of it each sphere owns: for entries that go down to triangles. */
typedef struct alg_ist_skin {
    alg_shell shell;
    alg_ist_gap gap;
    alg_ist_owners owners; /* by the leaves of the tree */
    uint32_t owned_most;   /* faces of any one sphere */
} alg_ist_skin;

/** The faces of which the sphere of leaf i owns a piece. */
typedef struct alg_ist_faces {
    const uint32_t *faces;
    uint32_t count;
} alg_ist_faces;

static inline alg_ist_faces alg_ist_owned(const alg_ist_skin *skin, uint32_t i)
{
    const uint32_t *const first = skin->owners.first + i;
    return (alg_ist_faces){skin->owners.faces + first[0], first[1] - first[0]};
}

/** A prepared body; it lives in its own arena. */
typedef struct alg_ist_body {
    base_arena arena;
    geo_mesh mesh; /* borrowed: of what it was made */
    alg_ist_solid solid;
    vec3 centroid;      /* of the solid */
    alg_ist_skin *skin; /* arena; NULL for those that do not ask for it */
} alg_ist_body;

/** What every entry tells of its bodies: alg_algorithm.facts. */
enum {
    ALG_IST_FACT_GAP, /* largest between spheres and surface; see owners.h */
    ALG_IST_FACT_GAP_MEAN,
    ALG_IST_FACT_VOXELS,    /* on the longest edge of the box */
    ALG_IST_FACT_DENSITY,   /* volume of disjoint spheres, in parts of the body's */
    ALG_IST_FACT_SECONDARY, /* volume of the secondary spheres; these two only of disjoint ones */
    ALG_IST_FACT_FIELD_NS,  /* times: see alg_ist_building */
    ALG_IST_FACT_PACKING_NS,
    ALG_IST_FACT_SHARES_NS,
    ALG_IST_FACT_TREE_NS,
    ALG_IST_FACT_LEVELS, /* of the tree, as alg_ist_quality says */
    ALG_IST_FACT_CHILDREN_MEAN,
    ALG_IST_FACT_LEAF_DEPTH_MEAN,
    ALG_IST_FACT_NODE_VOLUME, /* the first of ALG_IST_QUALITY_LEVELS */
    ALG_IST_FACT_COUNT = ALG_IST_FACT_NODE_VOLUME + ALG_IST_QUALITY_LEVELS
};
extern const char *const alg_ist_facts[];

/** How a packing came about. */
typedef struct alg_ist_building {
    uint32_t voxels;
    /* Times of all builds: surface with its distances or samples; spheres; what of voxels and
       surface belongs to each, and the gaps; hierarchy. */
    double field_ns, packing_ns, shares_ns, tree_ns;
} alg_ist_building;

/**
 * Packs a solid and fills what the tree needs to know of each sphere.
 *
 * With an error, voxels are chosen so that no point of the surface is farther from the spheres than
 * error / 2 times the diagonal of the body's box. The distance between two bodies of that size is
 * then never more than the error too large, in parts of the size (see owners.h). Resolutions are
 * tried upwards from a guess, each by the gap of the one before: two or three as a rule.
 *
 * Errors   ALG_UNSUPPORTED for a body that is too thin for its voxels, or an error that no
 * resolution reaches; ALG_OUT_OF_MEMORY. *packing is for alg_ist_packing_release either way.
 */
alg_status alg_ist_pack_body(const alg_ist_options *options, const alg_mesh *mesh,
                             alg_ist_packing *packing, alg_ist_building *building,
                             alg_message *message);

/**
 * Makes of a packing what queries see of a solid: its spheres and the tree over them.
 *
 * Shapes   packing: one sphere or more, secondary radii filled. places: packing->count, filled: of
 *          each leaf, its sphere in the packing.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 44 bytes a sphere, what the packing has of its columns, and the tree.
 * Cost     as alg_ist_tree_build.
 */
base_status alg_ist_solid_build(const alg_ist_packing *packing, const alg_ist_tree_options *options,
                                base_arena *arena, alg_ist_solid *solid, uint32_t *places,
                                base_error *err) BASE_MUST_CHECK;

/**
 * alg_algorithm.prepare of these entries: packs the solid and builds the tree.
 *
 * Errors   ALG_UNSUPPORTED for a body that is no solid, or too thin for its spheres;
 *          ALG_OUT_OF_MEMORY. *body is NULL then.
 * Memory   owned: an alg_ist_body, for alg_destroy.
 */
alg_status alg_ist_body_prepare(const alg_ist_options *options, const alg_mesh *mesh, void **body,
                                alg_build_info *info, alg_message *message);

/** alg_algorithm.save and alg_algorithm.load. */
alg_status alg_ist_body_save(const void *body, const alg_writer *to, alg_message *message);
alg_status alg_ist_body_load(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                             const void *bytes, size_t size, void **body, alg_build_info *info,
                             alg_message *message);

/**
 * Both steps of a load, for a body that has an alg_ist_body as a part: lists its members
 * (alg_serializer), and gives a loaded one its mesh and the surface of its skin.
 *
 * Errors   of attach: BASE_ERR_MEMORY.
 */
void alg_ist_body_serialize(alg_archive *archive, void *body);
base_status alg_ist_body_attach(alg_ist_body *body, const alg_mesh *mesh,
                                base_error *err) BASE_MUST_CHECK;

/** alg_algorithm.draw of an alg_ist_body: its inner spheres, not its secondary ones. */
void alg_ist_body_draw(const void *body, const alg_sink *sink);

#endif
