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
 * without weights. With weights=area the normal of a point is the mean normal of its share of the
 * surface.
 *
 * A tree of balls around points, eight a node, is searched from its root. A ball is skipped if it
 * is farther from all voxels that matter than its radius, as the clearance of the cell of its
 * centre says. This test is in float, with a margin for rounding. Points are placed in double, and
 * their voxels are read only in cells that hold a voxel that matters. The answer has the same bits
 * without these tests.
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
#include "algorithms/voxel/clearance.h"
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

/** Children of a node. */
enum { ALG_VPS_FAN = 8 };
enum { ALG_VPS_LEVELS_MAX = 10 };

/** Points that follow each other; behind the last point copies of it. */
typedef struct alg_vps_octet {
    double x[ALG_VPS_FAN], y[ALG_VPS_FAN], z[ALG_VPS_FAN];
} alg_vps_octet;

/** Balls that are tested together: the children of a node. */
typedef struct alg_vps_balls {
    float x[ALG_VPS_FAN], y[ALG_VPS_FAN], z[ALG_VPS_FAN];
    float radius[ALG_VPS_FAN]; /* rounded up; -INFINITY: a child that does not exist */
} alg_vps_balls;

/** A shell as queries read it. */
typedef struct alg_vps_points {
    uint32_t count;
    uint32_t level_count;  /* the last level has one node; 0 without points */
    alg_vps_octet *octets; /* arena */
    vec3 *normals;         /* arena; into the body */
    double *weights;       /* arena; shares of the surface's area times the count; NULL: all 1 */
    /** Arena. Level 0 has balls around octets, level k balls around eight of level k - 1. */
    alg_vps_balls *levels[ALG_VPS_LEVELS_MAX];
    double reach;  /* no point of the surface is farther from all points, but for `slack` */
    double slack;  /* no point is farther from the surface: the error of projections */
    double extent; /* largest coordinate, in absolute value */
} alg_vps_points;

static inline uint32_t alg_vps_octet_count(uint32_t count)
{
    return count / ALG_VPS_FAN + (count % ALG_VPS_FAN > 0);
}

static inline vec3 alg_vps_point(const alg_vps_points *points, uint32_t i)
{
    const alg_vps_octet *const octet = &points->octets[i / ALG_VPS_FAN];
    const uint32_t lane = i % ALG_VPS_FAN;
    return (vec3){octet->x[lane], octet->y[lane], octet->z[lane]};
}

static inline void alg_vps_point_set(alg_vps_points *points, uint32_t i, vec3 p)
{
    alg_vps_octet *const octet = &points->octets[i / ALG_VPS_FAN];
    const uint32_t lane = i % ALG_VPS_FAN;
    octet->x[lane] = p.x;
    octet->y[lane] = p.y;
    octet->z[lane] = p.z;
}

/**
 * Makes room for points. The caller fills points, normals, weights and reach, and calls
 * alg_vps_points_measure.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 53 bytes a point, 61 with weights.
 */
base_status alg_vps_points_create(uint32_t count, bool weighed, base_arena *arena,
                                  alg_vps_points *points, base_error *err) BASE_MUST_CHECK;

/** Fills copies of the last point, levels, slack and extent from the other members. */
void alg_vps_points_measure(alg_vps_points *points);

/** Points of a shell, with weights and mean normals if it has shares. Errors: BASE_ERR_MEMORY. */
base_status alg_vps_points_build(const alg_pointshell *shell, base_arena *arena,
                                 alg_vps_points *points, base_error *err) BASE_MUST_CHECK;

/** Two bodies, bound for queries; all members are the caller's to set, and what they point to. */
typedef struct alg_vps_pair {
    const alg_voxel_map *map;
    const alg_voxel_clearance *clearance; /* of the map; for ALG_VPS_POSSIBLE from layer -K on */
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
    ALG_VPS_COUNT_POINTS,   /* all, or those up to the last lookup if contact alone ended early */
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
 * Cost     about 10 ns for eight balls, 20 ns a point in a surface or inner voxel.
 */
void alg_vps_query(const alg_vps_pair *pair, const geo_pose *pose, alg_answer *answer);

/* --- Between query.c and query_isa.c ---------------------------------------------------------- */

/** One axis of the voxmap's frame. */
typedef struct alg_vps_axis {
    double row[3], t;            /* of the pose from the points' frame */
    double corner, size, last;   /* of the grid; size and last voxel */
    float row_f[3], t_f, size_f; /* from the points' frame into voxels of the grid */
} alg_vps_axis;

/** The pose and the voxmap. */
typedef struct alg_vps_frame {
    const alg_voxel_map *map;
    const alg_voxel_clearance *clearance;
    alg_vps_axis axes[3];
    double per_edge, padding; /* of alg_voxel_coordinate */
    float steps_f;            /* ALG_VOXEL_CLEARANCE_STEPS / edge, rounded up */
    float margin;             /* added to radii, in steps */
    float most;               /* clearance of cells that may hold a voxel that matters */
    int32_t least;            /* layers from this on matter */
} alg_vps_frame;

/**
 * The frame of a query.
 *
 * into: from the points' frame into the voxmap's. least: layers from this on matter. rounding: a
 * point is at most so far from where it is computed to be, in metres.
 */
alg_vps_frame alg_vps_frame_of(const alg_vps_pair *pair, const geo_pose *into, int32_t least,
                               double rounding);

/** Nodes, or octets, that are tested one after the other before anything depends on the results. */
enum { ALG_VPS_BATCH = 32, ALG_VPS_BATCH_POINTS = ALG_VPS_BATCH * ALG_VPS_FAN };

/** A point in a voxel that matters. */
typedef struct alg_vps_hit {
    uint32_t point;
    int32_t layer;
    uint32_t voxel[3];
    vec3 at; /* the voxmap's frame */
} alg_vps_hit;

typedef struct alg_vps_hits {
    uint32_t count, lookups; /* points in voxels that matter; points whose voxels were read */
    alg_vps_hit hits[ALG_VPS_BATCH_POINTS];
} alg_vps_hits;

/**
 * Tests the balls of `count` <= ALG_VPS_BATCH nodes of a level. Writes those that may reach a voxel
 * that matters to `left`, which has room for ALG_VPS_BATCH_POINTS and one more, and returns how
 * many they are.
 */
uint32_t alg_vps_sieve_sse2(const alg_vps_frame *frame, const alg_vps_balls *level,
                            const uint32_t *nodes, uint32_t count, uint32_t *left);
uint32_t alg_vps_sieve_avx2(const alg_vps_frame *frame, const alg_vps_balls *level,
                            const uint32_t *nodes, uint32_t count, uint32_t *left);

/** Looks up the points of `count` <= ALG_VPS_BATCH octets. */
void alg_vps_look_up_sse2(const alg_vps_frame *frame, const alg_vps_points *points,
                          const uint32_t *octets, uint32_t count, alg_vps_hits *hits);
void alg_vps_look_up_avx2(const alg_vps_frame *frame, const alg_vps_points *points,
                          const uint32_t *octets, uint32_t count, alg_vps_hits *hits);

#endif
