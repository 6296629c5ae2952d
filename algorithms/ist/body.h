/** A body of the inner sphere trees, as all entries build it: spheres, then the tree over them. */
#ifndef ALGORITHMS_IST_BODY_H
#define ALGORITHMS_IST_BODY_H

#include "algorithms/archive.h"
#include "algorithms/ist/spheres.h"
#include "algorithms/ist/tree.h"
#include "algorithms/life.h"
#include "base/memory.h"

/** Methods of placing spheres. */
typedef enum alg_ist_kind {
    ALG_IST_GRID,    /* disjoint, greedily by voxels: packing.c */
    ALG_IST_COVER,   /* overlapping, for distances only: cover.c */
    ALG_IST_REFINED, /* disjoint, found by voxels and then moved off the voxels */
} alg_ist_kind;

/**
 * The gap of a cover for a value of `voxels`, in edges of a voxel. Disjoint spheres have a mean gap
 * of half an edge, so that one parameter sweeps all packings.
 */
#define ALG_IST_COVER_GAP 0.5

/**
 * Indices of the parameters that all entries share. They are the first rows of each table; an
 * entry's own rows begin at ALG_IST_SHARED. alg_ist_options_of reads all of them except the start.
 */
enum {
    ALG_IST_PACKING,
    ALG_IST_VOXELS,
    ALG_IST_SPHERES,
    ALG_IST_MIN_RADIUS,
    ALG_IST_BRANCHING,
    ALG_IST_CLUSTERING,
    ALG_IST_CRITERION,
    ALG_IST_STOP,
    ALG_IST_HIERARCHY,
    ALG_IST_START,
    ALG_IST_SHARED
};

/* Words are in the order of the enumerations as which their indices are read. */
/* clang-format off */
#define ALG_IST_ROW_VOXELS \
    {"voxels", ALG_INTEGER, 128, 2, ALG_VOXEL_RESOLUTION_MAX, NULL, "on a body's longest box edge"}
#define ALG_IST_ROWS \
    [ALG_IST_PACKING] = {"packing", ALG_CHOICE, ALG_IST_GRID, .help = "how spheres are placed", \
        .choices = (const alg_choice[]){ \
            {"grid", "disjoint, greedily by voxels"}, \
            {"cover", "overlapping; answers only distance and contact"}, \
            {"refined", "disjoint, found by voxels and then moved off them"}, \
            {0}}}, \
    [ALG_IST_VOXELS] = ALG_IST_ROW_VOXELS, \
    [ALG_IST_SPHERES] = {"spheres", ALG_INTEGER, 0, 0, 1e8, NULL, \
        "largest number per body; 0: no limit"}, \
    [ALG_IST_MIN_RADIUS] = {"min-radius", ALG_REAL, 0, 0, 100, NULL, \
        "smallest radius, in voxel edges"}, \
    [ALG_IST_BRANCHING] = {"branching", ALG_CHOICE, 1, .help = "children of a node", \
        .choices = \
            (const alg_choice[]){{"2", NULL}, {"4", NULL}, {"8", NULL}, {"16", NULL}, {0}}}, \
    [ALG_IST_CLUSTERING] = {"clustering", ALG_CHOICE, ALG_IST_GAS, .help = "how nodes are split", \
        .choices = (const alg_choice[]){ \
            {"gas", "batch neural gas with magnification control, as in the paper"}, \
            {"gas-plain", "batch neural gas without it: equal weights"}, \
            {"biggest", "seeds are the largest spheres"}, \
            {"neighbours", "seeds are the spheres with the most neighbours"}, \
            {0}}}, \
    [ALG_IST_CRITERION] = {"criterion", ALG_CHOICE, ALG_IST_ALONE, \
        .help = "choice among clusterings of a node", \
        .choices = (const alg_choice[]){ \
            {"alone", "no choice: the method of clustering"}, \
            {"volume", "the smallest sum of volumes of the children's balls"}, \
            {"outside", "the same, without the parts that the node's leaves fill"}, \
            {0}}}, \
    [ALG_IST_STOP] = {"stop", ALG_CHOICE, 0, .help = "when neural gas ends", \
        .choices = (const alg_choice[]){ \
            {"adaptive", "when the prototypes stop moving"}, \
            {"fixed", "after all its steps"}, \
            {0}}}, \
    [ALG_IST_HIERARCHY] = {"hierarchy", ALG_CHOICE, 0, .help = "the ball of a node", \
        .choices = (const alg_choice[]){ \
            {"wrapped", "around its leaves, as in the paper"}, \
            {"layered", "around its children's balls"}, \
            {0}}}, \
    [ALG_IST_START] = {"start", ALG_CHOICE, 0, .help = "start of a distance query", \
        .choices = (const alg_choice[]){ \
            {"cold", "independent of earlier queries"}, \
            {"last", "from the nearest spheres of the previous query"}, \
            {0}}}
/* clang-format on */

typedef struct alg_ist_options {
    alg_ist_kind packing;
    double error;    /* above 0: voxels are chosen to reach this error, see alg_ist_pack_body */
    uint32_t voxels; /* along the longest edge of the body's box */
    alg_ist_limits limits;
    bool centroid; /* argument of alg_ist_secondary_radii */
    bool fine;     /* shares are computed with finer voxels: alg_ist_share_fine */
    bool cones;    /* compute the outward direction near each sphere: alg_ist_normal_cones */
    alg_ist_tree_options tree;
    bool skin; /* keep the body's surface, and enclose outer spheres in the tree */
} alg_ist_options;

/** Returns the options for the shared rows of an entry's settings. */
alg_ist_options alg_ist_options_of(const alg_settings *settings);

/**
 * The surface of a body and the part of it that each sphere owns, for entries that descend to
 * triangles.
 */
typedef struct alg_ist_skin {
    geo_shell shell;
    alg_ist_gap gap;
    alg_ist_owners owners; /* by leaf of the tree */
    uint32_t owned_most;   /* largest number of faces of one sphere */
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

/** A prepared body; all of its memory is in its own arena. */
typedef struct alg_ist_body {
    base_arena arena;
    geo_mesh mesh; /* borrowed: the mesh it was built from */
    alg_ist_solid solid;
    vec3 centroid;      /* of the solid */
    alg_ist_skin *skin; /* arena; NULL if options->skin is false */
} alg_ist_body;

/** Facts of every entry about its bodies: alg_algorithm.facts. */
enum {
    ALG_IST_FACT_GAP, /* largest gap between spheres and surface: alg_ist_gap */
    ALG_IST_FACT_GAP_MEAN,
    ALG_IST_FACT_VOXELS,    /* along the longest edge of the box */
    ALG_IST_FACT_DENSITY,   /* volume of disjoint spheres, as a share of the body's volume */
    ALG_IST_FACT_SECONDARY, /* volume of the secondary spheres; these two facts exist for
                               disjoint spheres only */
    ALG_IST_FACT_FIELD_NS,  /* times: see alg_ist_building */
    ALG_IST_FACT_PACKING_NS,
    ALG_IST_FACT_SHARES_NS,
    ALG_IST_FACT_TREE_NS,
    ALG_IST_FACT_LEVELS, /* levels of the tree, see alg_ist_quality */
    ALG_IST_FACT_CHILDREN_MEAN,
    ALG_IST_FACT_LEAF_DEPTH_MEAN,
    ALG_IST_FACT_NODE_VOLUME, /* the first of ALG_IST_QUALITY_LEVELS */
    ALG_IST_FACT_COUNT = ALG_IST_FACT_NODE_VOLUME + ALG_IST_QUALITY_LEVELS
};
extern const char *const alg_ist_facts[];

/** The build data of a packing. */
typedef struct alg_ist_building {
    uint32_t voxels;
    /* Times of all builds: the surface and its distances or samples; the spheres; their shares of
     * voxels and surface, and the gaps; the hierarchy. */
    double field_ns, packing_ns, shares_ns, tree_ns;
} alg_ist_building;

/**
 * Packs a solid and fills the columns of each sphere that the tree needs.
 *
 * If an error is wanted, voxels are chosen so that no point of the surface is farther from the
 * spheres than error / 2 times the diagonal of the body's box. The distance between two bodies of
 * that size then exceeds the true distance by at most the error, relative to the size (see
 * spheres.h). Resolutions are tried in ascending order from an estimate, each computed from the gap
 * of the previous one; usually two or three are needed.
 *
 * Errors   ALG_UNSUPPORTED for a body that is too thin for its voxels, or an error that no
 *          resolution reaches; ALG_OUT_OF_MEMORY. The caller releases *packing with
 *          alg_ist_packing_release in any case.
 */
alg_status alg_ist_pack_body(const alg_ist_options *options, const alg_mesh *mesh,
                             alg_ist_packing *packing, alg_ist_building *building,
                             alg_message *message);

/**
 * Builds a solid for queries from a packing: its spheres and the tree over them.
 *
 * Shapes   packing: one sphere or more, secondary radii filled. order: packing->count entries,
 *          filled with the packing's sphere of each leaf.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 44 bytes per sphere, the columns that the packing has, and the tree.
 * Cost     as alg_ist_tree_build.
 */
base_status alg_ist_solid_build(const alg_ist_packing *packing, const alg_ist_tree_options *options,
                                base_arena *arena, alg_ist_solid *solid, uint32_t *order,
                                base_error *err) BASE_MUST_CHECK;

/**
 * Implements alg_algorithm.prepare for these entries: packs the solid and builds the tree.
 *
 * Errors   ALG_UNSUPPORTED for a body that is not a solid, or too thin for its spheres;
 *          ALG_OUT_OF_MEMORY. *body is NULL in both cases.
 * Memory   *body is an alg_ist_body that the caller owns and releases with alg_destroy.
 */
alg_status alg_ist_body_prepare(const alg_ist_options *options, const alg_mesh *mesh, void **body,
                                alg_build_info *info, alg_message *message);

/** Implement alg_algorithm.save and alg_algorithm.load. */
alg_status alg_ist_body_save(const void *body, const alg_writer *to, alg_message *message);
alg_status alg_ist_body_load(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                             const void *bytes, size_t size, void **body, alg_build_info *info,
                             alg_message *message);

/**
 * The two steps of a load, for a body that contains an alg_ist_body: serialize lists its members
 * (alg_serializer), and attach gives a loaded body its mesh and the surface of its skin.
 *
 * Errors   of attach: BASE_ERR_MEMORY.
 */
void alg_ist_body_serialize(alg_archive *archive, void *body);
base_status alg_ist_body_attach(alg_ist_body *body, const alg_mesh *mesh,
                                base_error *err) BASE_MUST_CHECK;

/**
 * Implements alg_algorithm.draw for an alg_ist_body: draws its inner spheres, not its secondary
 * ones.
 */
void alg_ist_body_draw(const void *body, const alg_sink *sink);

#endif
