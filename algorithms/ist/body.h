/**
 * A body of the inner sphere trees: spheres, and the tree over them. All algorithms of this folder
 * build it.
 */
#ifndef ALGORITHMS_IST_BODY_H
#define ALGORITHMS_IST_BODY_H

#include "algorithms/archive.h"
#include "algorithms/ist/spheres.h"
#include "algorithms/ist/tree.h"
#include "algorithms/life.h"
#include "algorithms/voxel/walls.h"
#include "base/memory.h"

/** Methods of placing spheres. */
typedef enum alg_ist_kind {
    ALG_IST_GRID,    /* disjoint, greedily by voxels: packing.c */
    ALG_IST_COVER,   /* overlapping, for distances only: cover.c */
    ALG_IST_REFINED, /* disjoint, placed at voxels and then moved to larger positions: packing.c */
} alg_ist_kind;

/**
 * The gap of a cover, in edges of the voxels that the parameter `voxels` gives. Disjoint spheres
 * have a mean gap of half an edge, too. So one parameter sets the accuracy of all packings.
 */
#define ALG_IST_COVER_GAP 0.5

/**
 * Indices of the parameters that all algorithms of this folder share. They are the first rows of
 * each table; the own rows of an algorithm begin at ALG_IST_SHARED. alg_ist_options_of reads all of
 * them but ALG_IST_START.
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

/** Default of `voxels`, and the least resolution that voxels=auto chooses. */
enum { ALG_IST_VOXELS_USUAL = 128 };

/* The words are in the order of the enumerations to which their indices are converted. */
/* clang-format off */
#define ALG_IST_ROW_VOXELS \
    {"voxels", ALG_INTEGER, ALG_IST_VOXELS_USUAL, 2, ALG_VOXEL_RESOLUTION_MAX, ALG_WALLS_AUTO, \
     "on a body's longest box edge"}
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
    double error; /* if above 0, alg_ist_pack_body chooses the number of voxels to reach this
                        error */
    uint32_t
        voxels; /* along the longest edge of the body's box; 0: alg_walls_resolve chooses them */
    alg_ist_limits limits;
    bool centroid; /* argument of alg_ist_secondary_radii */
    bool fine;     /* compute shares with finer voxels: alg_ist_share_fine */
    bool cones;    /* compute the outward direction near each sphere: alg_ist_normal_cones */
    alg_ist_tree_options tree;
    bool skin; /* keep the body's surface, and include outer balls in the balls of the tree */
} alg_ist_options;

/**
 * Returns the options from the shared parameters of an algorithm's settings. All other members are
 * 0.
 */
alg_ist_options alg_ist_options_of(const alg_settings *settings);

/**
 * The surface of a body, and the part of it that each sphere owns, for algorithms that measure
 * triangles.
 */
typedef struct alg_ist_skin {
    geo_shell shell;
    alg_ist_gap gap;
    alg_ist_owners owners; /* by leaf of the tree */
    uint32_t owned_most;   /* largest number of faces of which one sphere owns a piece */
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

/** A prepared body. Its memory is in its own arena. */
typedef struct alg_ist_body {
    base_arena arena;
    geo_mesh mesh; /* borrowed; the mesh that the body was built from */
    alg_ist_solid solid;
    vec3 centroid;      /* of the solid */
    alg_ist_skin *skin; /* arena; NULL if options->skin is false */
} alg_ist_body;

/** Facts about bodies that all algorithms of this folder report: alg_algorithm.facts. */
enum {
    ALG_IST_FACT_GAP, /* largest gap between spheres and surface: alg_ist_gap */
    ALG_IST_FACT_GAP_MEAN,
    ALG_IST_FACT_VOXELS,    /* along the longest edge of the box */
    ALG_IST_FACT_DENSITY,   /* volume of disjoint spheres, as a share of the body's volume */
    ALG_IST_FACT_SECONDARY, /* volume of the secondary balls; this and the density exist for
                               disjoint spheres only */
    ALG_IST_FACT_SMALLER,   /* share of spheres whose secondary radius is the smaller one; this
                               fact and the next two, too */
    ALG_IST_FACT_GRID,      /* volume of the voxels inside, as a share of the body's volume */
    ALG_IST_FACT_OWNED,     /* voxels that belong to spheres / voxels inside */
    ALG_IST_FACT_OUTSIDE,   /* alg_ist_measure_outside */
    ALG_IST_FACT_OVERLAP,   /* alg_ist_measure_overlap; disjoint spheres only */
    ALG_IST_FACT_FIELD_NS,  /* times of stages: alg_ist_building */
    ALG_IST_FACT_PACKING_NS,
    ALG_IST_FACT_SHARES_NS,
    ALG_IST_FACT_TREE_NS,
    ALG_IST_FACT_LEVELS, /* levels of the tree: alg_ist_quality */
    ALG_IST_FACT_CHILDREN_MEAN,
    ALG_IST_FACT_LEAF_DEPTH_MEAN,
    ALG_IST_FACT_LEAF_DEPTH_VOLUME,
    ALG_IST_FACT_NODE_VOLUME, /* the first of ALG_IST_QUALITY_LEVELS */
    ALG_IST_FACT_THIN = ALG_IST_FACT_NODE_VOLUME + ALG_IST_QUALITY_LEVELS, /* alg_thin_share by
                                                                              centres; disjoint
                                                                              spheres only */
    ALG_IST_FACT_WALL,  /* alg_resolution.wall_m: if the resolution was chosen */
    ALG_IST_FACT_ERROR, /* expected mean error of a volume: ALG_IST_ERROR; disjoint spheres, if the
                           resolution was chosen */
    ALG_IST_FACT_COUNT
};
extern const char *const alg_ist_facts[];

/**
 * Expected mean error of a volume by disjoint spheres of the default settings, relative to the
 * volume, for walls of one voxel. It falls with the number of voxels in a wall. It bounds the mean
 * errors that docs/cad.md lists for voxels=auto.
 */
#define ALG_IST_ERROR 1.0

/** Data about the build of a packing. */
typedef struct alg_ist_building {
    uint32_t voxels;
    uint64_t inside, owned; /* voxels inside, and those of them that belong to spheres, of the grid
                               of the shares; 0 for covers */
    double grid_m3;         /* volume of the voxels inside */
    double thin_share;      /* alg_thin_share by centres; NaN for covers */
    double wall_m;          /* alg_resolution.wall_m */
    double edge_m;          /* of a voxel; 0 for covers */
    double outside_m;       /* alg_ist_measure_outside */
    /* Times of the stages, summed over all builds of the packing. field: the surface, and its
     * distances or samples; packing: the spheres; shares: their shares of voxels and of the
     * surface, and the gaps; tree: the hierarchy. */
    double field_ns, packing_ns, shares_ns, tree_ns;
} alg_ist_building;

/**
 * Packs a solid, and fills all arrays of the packing that the tree needs.
 *
 * If options->error is above 0, the number of voxels is chosen. Then no point of the surface is
 * farther from the spheres than error / 2 times the diagonal of the body's box. So the computed
 * distance of two bodies of that size exceeds the true distance by at most the error, relative to
 * the diagonal (spheres.h has the proof). The first resolution is an estimate. Each further one is
 * larger and follows from the gap of the one before. Usually two or three are needed.
 *
 * Errors   ALG_UNSUPPORTED for a body that is too thin for its voxels, or for an error that no
 *          resolution reaches; ALG_OUT_OF_MEMORY. *packing must be zeroed before the call. The
 *          caller releases it with alg_ist_packing_release in any case.
 */
alg_status alg_ist_pack_body(const alg_ist_options *options, const alg_mesh *mesh,
                             alg_ist_packing *packing, alg_ist_building *building,
                             alg_message *message);

/**
 * Builds a solid for queries from a packing: its spheres and the tree over them.
 *
 * Shapes   packing: one sphere or more; its secondary radii are filled. order: packing->count
 *          entries, filled: leaf i is the packing's sphere order[i].
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 44 bytes per sphere, the optional arrays that the packing has, and the tree.
 * Cost     as alg_ist_tree_build.
 */
base_status alg_ist_solid_build(const alg_ist_packing *packing, const alg_ist_tree_options *options,
                                base_arena *arena, alg_ist_solid *solid, uint32_t *order,
                                base_error *err) BASE_MUST_CHECK;

/**
 * Implements alg_algorithm.prepare for the algorithms of this folder: packs the solid and builds
 * the tree.
 *
 * Errors   ALG_UNSUPPORTED for the reasons of alg_ist_pack_body, for a body that is not a solid,
 *          and for a tree whose reach is not in the range from ALG_IST_REACH_LEAST to
 *          ALG_IST_REACH_MOST; ALG_OUT_OF_MEMORY. *body is NULL after an error.
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
 * The two steps of loading a body that contains an alg_ist_body. alg_ist_body_serialize lists the
 * members of the alg_ist_body (alg_serializer). alg_ist_body_attach then gives the loaded body its
 * mesh, and builds the surface of its skin.
 *
 * Errors   of attach: BASE_ERR_MEMORY.
 */
void alg_ist_body_serialize(alg_archive *archive, void *body);
base_status alg_ist_body_attach(alg_ist_body *body, const alg_mesh *mesh,
                                base_error *err) BASE_MUST_CHECK;

/**
 * Implements alg_algorithm.draw for an alg_ist_body: draws its inner spheres, not its secondary
 * ones, and the nodes of its tree with their near radii. The root has no ball and is left out.
 */
void alg_ist_body_draw(const void *body, const alg_sink *sink);

#endif
