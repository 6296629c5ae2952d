/**
 * Voxmap-pointshell: one body of a pair is a voxmap, and the other one is a pointshell. A query
 * looks up the points of the shell in the voxmap.
 *
 * A point pushes if its depth d is positive. A push is d times a unit vector. The force is the sum
 * of the pushes, in metres.
 *
 * Plane   in a surface voxel, d is the distance of the point p beyond a plane: d = (c - p) n, where
 *         c is the voxel's centre and n is the point's normal. The plane contains c and is
 *         perpendicular to n. n points into the point's own body, so d grows as the point moves
 *         deeper, along -n. In an inner voxel of layer k, k edges are added to the d of that voxel.
 *         So d has no jump where a point goes from layer to layer along an axis. The push is along
 *         n.
 * Layers  d is k edges in layer k, and half an edge in surface voxels. The push is along n.
 * Field   d is minus the signed distance to the surface, interpolated between the centres of
 *         voxels. The push is along the gradient of the distance, or along n where the gradient is
 *         0.
 *
 * Depths by plane or layers are limited by the number of layers. A point in the last layer or
 * deeper has a depth of as many edges as there are layers, wherever it is in its voxel. So a push
 * never decreases as a point moves deeper. The outcome is ALG_BUDGET_REACHED if such a point
 * pushes. Depths by field are not limited.
 *
 * The force of a point is its push times its weight. The torque is that of the same forces about
 * B's centroid. Depth and contacts ignore weights. With weights=area, n is the mean normal of the
 * point's share of the surface if the point has a share.
 *
 * A tree of balls contains the points; a node has eight children. A query searches the tree from
 * its root. A voxel matters if its layer can count for contact or push. A ball is skipped if it
 * reaches no voxel that matters: the clearance of the cell of its centre is a lower bound of the
 * distance from its centre to these voxels. This test is in float, with a margin for rounding. The
 * positions of points are computed in double. The voxel of a point is read only if its cell has a
 * voxel that matters. Without these tests, the answer would have the same bits.
 *
 * Contact is determined by the voxels of the points, independently of pushes:
 *
 * Surface   a point is in a surface voxel or an inner one, as in the paper. This is neither a lower
 *           nor an upper bound: surface voxels extend beyond the body, and points have gaps between
 *           them.
 * Sure      a point is in an inner voxel and inside of the solid, and stays there if it is moved by
 *           the rounding error. So a point of one surface is in the other solid: there are no false
 *           alarms.
 * Possible  a point is in a voxel of layer -K or more, or a part of the voxmap's body is inside of
 *           the other body. No contact is missed: If the surfaces meet, they meet within `reach` of
 *           a point p of the shell. A voxel of layer k is at least (|k| - 1) edges away from the
 *           surface, so the voxel of p has |k| <= K = floor(reach / edge) + 1. If the surfaces do
 *           not meet, and a part of the shell's body is inside of the other solid, points of this
 *           part are in surface or inner voxels, since the flood does not pass a closed surface. In
 *           the remaining case, a part of the voxmap's body is inside of the shell's body.
 *           geo_shells_nested detects this.
 *
 * Source   VPS 2; McNeely, Puterbaugh and Troy 1999, section 5, for surface voxels and their
 *          tangent planes. Depths in inner voxels, fields and bounds of contact are this suite's
 *          additions.
 */
#ifndef ALGORITHMS_VPS_VPS_H
#define ALGORITHMS_VPS_VPS_H

#include "algorithms/algorithms.h"
#include "algorithms/life.h"
#include "algorithms/voxel/distances.h"
#include "algorithms/voxel/map.h"
#include "algorithms/voxel/pointshell.h"
#include "base/error.h"
#include "base/memory.h"
#include "geometry/pose.h"
#include "geometry/sphere.h"

/** Definition of contact. The order is that of the words of the parameter `contact`. */
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

/** Number of children of a node. */
enum { ALG_VPS_WIDTH = 8 };
enum { ALG_VPS_LEVELS_MAX = 10 };

/** Eight consecutive points. The last packet is filled up with copies of the last point. */
typedef struct alg_vps_packet {
    double x[ALG_VPS_WIDTH], y[ALG_VPS_WIDTH], z[ALG_VPS_WIDTH];
} alg_vps_packet;

/** Balls of the children of a node, which are tested together. */
typedef struct alg_vps_balls {
    float x[ALG_VPS_WIDTH], y[ALG_VPS_WIDTH], z[ALG_VPS_WIDTH];
    float radius[ALG_VPS_WIDTH]; /* rounded up; -INFINITY for a child that does not exist */
} alg_vps_balls;

/** A shell in the form that queries use. */
typedef struct alg_vps_points {
    uint32_t count;
    uint32_t level_count;    /* the last level has one node; 0 if there are no points */
    alg_vps_packet *packets; /* arena */
    vec3 *normals;           /* arena; unit normals that point into the body */
    double *weights;         /* arena; length of the point's vector in alg_pointshell.shares times
                                count; NULL: all are 1 */
    /**
     * Arena. The balls of level 0 contain the points of one packet each. A ball of level k contains
     * the points of eight balls of level k - 1.
     */
    alg_vps_balls *levels[ALG_VPS_LEVELS_MAX];
    double reach;  /* greatest distance of a point of the surface from the nearest point of the
                      shell, up to `slack` */
    double slack;  /* greatest distance of a point of the shell from the surface: the error of
                      projections */
    double extent; /* largest absolute coordinate */
} alg_vps_points;

static inline uint32_t alg_vps_packet_count(uint32_t count)
{
    return count / ALG_VPS_WIDTH + (count % ALG_VPS_WIDTH > 0);
}

static inline vec3 alg_vps_point(const alg_vps_points *points, uint32_t i)
{
    const alg_vps_packet *const packet = &points->packets[i / ALG_VPS_WIDTH];
    const uint32_t lane = i % ALG_VPS_WIDTH;
    return (vec3){packet->x[lane], packet->y[lane], packet->z[lane]};
}

/**
 * Makes the points of a shell. If the shell has shares, the points get weights and mean normals.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: about 51 bytes per point, 59 with weights.
 */
base_status alg_vps_points_build(const alg_pointshell *shell, base_arena *arena,
                                 alg_vps_points *points, base_error *err) BASE_MUST_CHECK;

/** Two bodies bound for queries. The caller sets all members and owns what they point to. */
typedef struct alg_vps_pair {
    const alg_voxel_map *map;
    const alg_voxel_clearance *clearance; /* of the map; for ALG_VPS_POSSIBLE its least layer is
                                             -K */
    const alg_vps_points *points;
    const alg_voxel_distances *distances; /* for ALG_VPS_FIELD */
    bool moving;                          /* true: the voxmap is B's and the points are A's */
    alg_vps_contact contact;
    alg_vps_depth depth;
    uint32_t layers;        /* layer that limits depths; the map may have more layers */
    const geo_shell *a, *b; /* both for ALG_VPS_POSSIBLE; the voxmap's for ALG_VPS_SURE */
    vec3 centroid_b;        /* in B's frame */
    unsigned wanted; /* mask of ALG_WANT_*; without depth and force, the query stops at the first
                        contact */
} alg_vps_pair;

/** Indices of an answer's counters. */
enum {
    ALG_VPS_COUNT_CONTACTS, /* pushing points; 0 if only contact is wanted */
    ALG_VPS_COUNT_LOOKUPS,  /* points whose voxels were read */
    ALG_VPS_COUNT_POINTS,   /* all points, or those up to the last lookup if the query stopped
                               early */
};

/**
 * Returns K of contact=possible. A map with more than K layers and at least K voxels of padding
 * determines which points are within reach. If it has K layers or fewer, all voxels count as within
 * reach. If it has less padding, all points count as within reach.
 */
uint32_t alg_vps_reach_in_layers(double reach, double edge);

/**
 * Answers one pose. The depth is that of the deepest point, with its direction. If depth or force
 * is wanted, the answer also has the torque and the list of contacts. Sums are in the order of the
 * points.
 *
 * Cost     about 10 ns for eight balls, 20 ns for a point in a surface or inner voxel.
 */
void alg_vps_query(const alg_vps_pair *pair, const geo_pose *pose, alg_answer *answer);

/* --- Bodies ----------------------------------------------------------------------------------- */

/** A prepared body. It lives in its own arena. */
typedef struct alg_vps_body {
    base_arena arena;
    alg_voxel_map map; /* the voxmap; for a pointshell, the map from which its points were made,
                          which only `draw` uses */
    bool is_map;
    alg_voxel_clearance clearance; /* only of a voxmap */
    bool field;
    alg_voxel_distances distances; /* if field is true */
    alg_vps_points points;         /* only of a pointshell */
    geo_shell *skin;               /* arena; NULL without the option */
    vec3 centroid;
} alg_vps_body;

/** Indices of alg_algorithm.facts. Facts of points are NaN for a voxmap. */
enum {
    ALG_VPS_FACT_VOXELS,
    ALG_VPS_FACT_SURFACE_VOXELS,
    ALG_VPS_FACT_INNER_VOXELS,
    ALG_VPS_FACT_BOX_TESTS,
    ALG_VPS_FACT_FLOOD, /* rows that the flood visits */
    ALG_VPS_FACT_POINTS,
    ALG_VPS_FACT_RECOVERED,
    ALG_VPS_FACT_RECOVERED_COUNT,
    ALG_VPS_FACT_SPACING_MEAN,
    ALG_VPS_FACT_SPACING_MIN,
    ALG_VPS_FACT_SPACING_DEVIATION,
    ALG_VPS_FACT_PROJECTION_ERROR,
    ALG_VPS_FACT_BOUNDARY,   /* share of the projections that are on boundaries of triangles */
    ALG_VPS_FACT_NORMAL_P50, /* angles of normals: alg_pointshell_angles */
    ALG_VPS_FACT_NORMAL_P95,
    ALG_VPS_FACT_NORMAL_MAX,
    ALG_VPS_FACT_TURNED,
    ALG_VPS_FACT_LOAD_NS, /* reading the mesh once, for its box */
    ALG_VPS_FACT_INITIALISE_NS,
    ALG_VPS_FACT_SURFACE_NS,
    ALG_VPS_FACT_FILL_NS,
    ALG_VPS_FACT_COLLECT_NS,
    ALG_VPS_FACT_PROJECT_NS,
    ALG_VPS_FACT_POINTS_NS,
    ALG_VPS_FACT_RESOLUTION, /* voxels along the longest edge of the body's box */
    ALG_VPS_FACT_THIN,       /* alg_thin_share; only of a voxmap of a solid, as the next two */
    ALG_VPS_FACT_WALL,       /* alg_resolution.wall_m: if the resolution was chosen */
    /** Bound of the error of a depth by `plane` at a flat face, if the resolution was chosen: the
     * plane through the centre of a surface voxel is at most half a diagonal from the face. */
    ALG_VPS_FACT_DEPTH_ERROR,
    ALG_VPS_FACT_COUNT
};

/* --- Shared by query.c and query_isa.c -------------------------------------------------------- */

/** One axis of the voxmap's frame. */
typedef struct alg_vps_axis {
    double row[3], t;            /* row of the pose from the points' frame */
    double corner, size, last;   /* of the grid: corner, number of voxels, index of the last
                                    voxel */
    float row_f[3], t_f, size_f; /* the same in float, from the points' frame to voxel
                                    coordinates */
} alg_vps_axis;

/** The pose and the voxmap of a query. */
typedef struct alg_vps_frame {
    const alg_voxel_map *map;
    const alg_voxel_clearance *clearance;
    alg_vps_axis axes[3];
    double per_edge, padding; /* for alg_voxel_coordinate */
    float steps_f;            /* ALG_VOXEL_CLEARANCE_STEPS / edge, rounded up */
    float margin;             /* added to radii, in clearance steps */
    float most;               /* largest clearance of a cell that may contain a voxel that
                                 matters */
    int32_t least;            /* least layer that matters */
} alg_vps_frame;

/**
 * Makes the frame of a query.
 *
 * into: from the points' frame to the voxmap's. least: least layer that matters. rounding: bound of
 * the error of a point's position, in metres.
 */
alg_vps_frame alg_vps_frame_of(const alg_vps_pair *pair, const geo_pose *into, int32_t least,
                               double rounding);

/** Nodes or packets of a batch, which are tested before any of the results is used. */
enum { ALG_VPS_BATCH = 32, ALG_VPS_BATCH_POINTS = ALG_VPS_BATCH * ALG_VPS_WIDTH };

/** A point in a voxel that matters. */
typedef struct alg_vps_hit {
    uint32_t point;
    int32_t layer;
    uint32_t voxel[3];
    vec3 at; /* in the voxmap's frame */
} alg_vps_hit;

typedef struct alg_vps_hits {
    uint32_t count, lookups; /* points in voxels that matter; points whose voxels were read */
    alg_vps_hit hits[ALG_VPS_BATCH_POINTS];
} alg_vps_hits;

/**
 * Test the balls of `count` <= ALG_VPS_BATCH nodes of a level. Write the balls that may reach a
 * voxel that matters to `left`, which has room for ALG_VPS_BATCH_POINTS + 1 numbers. Return the
 * number of these balls.
 */
uint32_t alg_vps_test_balls_sse2(const alg_vps_frame *frame, const alg_vps_balls *level,
                                 const uint32_t *nodes, uint32_t count, uint32_t *left);
uint32_t alg_vps_test_balls_avx2(const alg_vps_frame *frame, const alg_vps_balls *level,
                                 const uint32_t *nodes, uint32_t count, uint32_t *left);

/** Look up the points of `count` <= ALG_VPS_BATCH packets. */
void alg_vps_look_up_sse2(const alg_vps_frame *frame, const alg_vps_points *points,
                          const uint32_t *packets, uint32_t count, alg_vps_hits *hits);
void alg_vps_look_up_avx2(const alg_vps_frame *frame, const alg_vps_points *points,
                          const uint32_t *packets, uint32_t count, alg_vps_hits *hits);

#endif
