/**
 * The query: points of one body's shell, looked up in the voxmap of the other one.
 *
 * A point pushes where its depth d is above 0. Each push goes along a unit vector, the sum of d
 * times that vector is the force, in metres.
 *
 * Plane   in a surface voxel d is how far the point lies beyond the plane through the voxel's
 *         centre c that is tangent to the shell: d = (c - p) n, where n is the point's normal,
 *         which points into its own body, so that d grows as the point goes deeper, along -n. In an
 *         inner voxel of layer k it is that of its own centre and k edges: the same line goes on,
 *         where a flat face of voxels is entered along an axis without a jump. The push is along n.
 * Layers  k edges in layer k, half an edge in surface voxels, along n.
 * Field   minus the distance to the surface, interpolated between the centres of voxels, along the
 *         gradient; along n where that is 0.
 *
 * Layers count as they are cut: a point in the last layer, or deeper, pushes by the layers' number
 * of edges, whatever its place in its voxel, so that a push never shrinks as a point goes deeper.
 * The outcome is ALG_BUDGET_REACHED if a point that pushes is in the last layer, unless depths are
 * a field.
 *
 * A point's force is d times its weight. The torque is of the same forces; depth and contacts are
 * without weights.
 *
 * Groups of points whose ball cannot reach a voxel that matters are not looked up. A voxel of layer
 * -k is k voxels away from the surface along some axis, and so the points of a ball of n voxels
 * around its centre are in voxels of layers of n - k at most. The answer has the same bits with and
 * without.
 *
 * Contact is told by where points are, whatever pushes:
 *
 * Surface   a point in a surface voxel or an inner one, as in the paper. Neither bound: a surface
 *           voxel reaches out of the body, and points have gaps between them.
 * Sure      a point in an inner voxel, inside of the solid. It is there with all its neighbourhood
 *           that rounding could mean, so that a point of one surface is in the other solid: never a
 *           false alarm.
 * Possible  a point in a voxel of a layer of -K or more, or a part of the voxmap's body inside of
 *           the other one. Nothing is missed: if surfaces meet, they meet within `reach` of a point
 *           p of the shell, and a voxel of layer k is at least (|k| - 1) edges away from the
 *           surface, so p is in one with |k| <= K = floor(reach / edge) + 1. If they do not, and a
 *           part of the shell's body is inside of the other solid, so are its points, where voxels
 *           are inner ones, as no flood passes a closed surface. What is left is a part of the
 *           voxmap's body inside of the shell's, which alg_shells_nested tells.
 *
 * Source   VPS 2; McNeely, Puterbaugh and Troy 1999, section 5, for surface voxels and their
 *          tangent planes. Inner voxels, fields and promises are this suite's.
 */
#ifndef ALGORITHMS_VPS_QUERY_H
#define ALGORITHMS_VPS_QUERY_H

#include "algorithms/algorithms.h"
#include "algorithms/life.h"
#include "algorithms/voxel/distances.h"
#include "algorithms/voxel/map.h"
#include "algorithms/voxel/pointshell.h"
#include "base/arena.h"
#include "base/error.h"
#include "geometry/pose.h"
#include "geometry/sphere.h"

/** In the order of the words of the parameters. */
typedef enum alg_vps_contact {
    ALG_VPS_SURFACE,
    ALG_VPS_SURE,
    ALG_VPS_POSSIBLE,
} alg_vps_contact;

typedef enum alg_vps_depth {
    ALG_VPS_PLANE,
    ALG_VPS_LAYERS,
    ALG_VPS_FIELD,
} alg_vps_depth;

enum { ALG_VPS_LANES = 4 };

/** Points of a group, which follow each other: a ball around them is looked up before they are. */
enum { ALG_VPS_GROUP = 32 };

/** A shell as queries read it. */
typedef struct alg_vps_points {
    uint32_t count;
    double *x, *y, *z; /* arena; ALG_VPS_LANES - 1 more, which are like the last one */
    vec3 *normals;     /* arena; into the body */
    double *weights;   /* arena; shares of the surface's area, 1 in the mean; NULL: all 1 */
    geo_ball *groups; /* arena; each holds ALG_VPS_GROUP points, the last one those that are left */
    geo_ball whole;   /* all points */
    double reach;     /* no point of the surface is farther from all points, but for `slack` */
    double slack;     /* no point is farther from the surface: the error of projections */
    double extent;    /* largest coordinate, in absolute value */
} alg_vps_points;

/**
 * Weights are the shell's areas, if it has any.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 49 bytes a point, 57 with weights.
 */
base_status alg_vps_points_build(const alg_pointshell *shell, base_arena *arena,
                                 alg_vps_points *points, base_error *err) BASE_MUST_CHECK;

/** Fills the balls, slack and extent from the other members. */
void alg_vps_points_measure(alg_vps_points *points);

static inline vec3 alg_vps_point(const alg_vps_points *points, uint32_t i)
{
    return (vec3){points->x[i], points->y[i], points->z[i]};
}

/** Two bodies, bound for queries; all members are the caller's to set, and what they point to. */
typedef struct alg_vps_pair {
    const alg_voxel_map *map;
    const alg_vps_points *points;
    const alg_voxel_distances *distances; /* of ALG_VPS_FIELD */
    bool moving;                          /* is the voxmap B's? Then the points are A's */
    alg_vps_contact contact;
    alg_vps_depth depth;
    uint32_t layers;        /* at which depths are cut; the map may have more */
    const alg_shell *a, *b; /* of ALG_VPS_POSSIBLE; of ALG_VPS_SURE that of the voxmap's body */
    vec3 centroid_b;        /* B's frame */
    unsigned wanted; /* mask ALG_WANT_*; contact alone ends with the first point that tells */
} alg_vps_pair;

/** Places in the counters of an answer. */
enum {
    ALG_VPS_COUNT_CONTACTS, /* points that push; 0 where contact alone is wanted */
    ALG_VPS_COUNT_LOOKUPS,  /* points whose voxels were looked up */
    ALG_VPS_COUNT_POINTS,   /* these and the points of groups passed over */
};

/**
 * K of contact=possible. A map with more than K layers and at least K voxels of padding tells which
 * points are within reach; with fewer layers all of its voxels are, with less padding all points.
 */
uint32_t alg_vps_reach_in_layers(double reach, double edge);

/**
 * Answers one pose: contact, depth (the deepest point's, with its direction), force and torque,
 * and with these the list of contacts. Sums are in the order of the points.
 *
 * Cost     some 5 ns a group, some ns a point of a group near the surface, 20 ns one that pushes.
 */
void alg_vps_query(const alg_vps_pair *pair, const geo_pose *pose, alg_answer *answer);

/* --- Between query.c and query_isa.c ---------------------------------------------------------- */

enum { ALG_VPS_BATCH = 256 };

/** A point in a voxel of a layer that matters. */
typedef struct alg_vps_hit {
    uint32_t point;
    int32_t layer;
    uint32_t voxel[3];
} alg_vps_hit;

typedef struct alg_vps_batch {
    const alg_voxel_map *map;
    const alg_vps_points *points;
    geo_pose pose; /* from the points' frame into the voxmap's */
    int32_t least; /* layers from this on matter */
    uint32_t hit_count;
    alg_vps_hit hits[ALG_VPS_BATCH];
} alg_vps_batch;

/** Fills the hits among points [begin, begin + count), in their order; count <= ALG_VPS_BATCH. */
void alg_vps_look_up_sse2(alg_vps_batch *batch, uint32_t begin, uint32_t count);
void alg_vps_look_up_avx2(alg_vps_batch *batch, uint32_t begin, uint32_t count);

#endif
