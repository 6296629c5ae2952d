/**
 * Decides whether two triangles cross, where, and in which direction. One triangle is of a solid A.
 * The other is of a solid B, which counts as moved by a further (e, e^2, e^3) for an infinitely
 * small e > 0.
 *
 * This move resolves all degenerate cases. A corner is then never in the plane of a triangle of the
 * other body, and two edges whose lines meet or coincide pass each other on one side. If a
 * determinant is 0, its sign is that of its first derivative along x, y or z, in this order, that
 * is not 0. Parallel edges have no such derivative. But neither of two parallel edges ever crosses
 * a triangle that has the other one as an edge.
 */
#ifndef GROUNDTRUTH_FLUX_PAIR_H
#define GROUNDTRUTH_FLUX_PAIR_H

#include "geometry/tree.h"
#include "geometry/triangle.h"
#include "geometry/vec.h"

/** A triangle with its plane. */
typedef struct gt_flux_facet {
    geo_triangle t;
    vec3 normal;      /* (p1 - p0) x (p2 - p0) */
    vec3 terms;       /* the sums of the absolute values of the products in each component of
                       * normal */
    unsigned forward; /* mask: edge k runs from the lower to the higher vertex index */
} gt_flux_facet;

gt_flux_facet gt_flux_facet_make(const geo_triangle *t, unsigned forward);

/** A point where an edge passes through a triangle of the other body. */
typedef struct gt_crossing {
    vec3 point; /* both triangles at the edge get the same bits */
    int edge;   /* index of the edge in its triangle */
    bool of_b;  /* true for an edge of B */
} gt_crossing;

/**
 * The common segment of two triangles, in the direction (normal of a) x (normal of b). At its
 * start, an edge of a leaves B or an edge of b enters A. At its end, an edge of a enters B or an
 * edge of b leaves A. An edge enters a body if it passes from the front of the body's triangle to
 * behind it.
 */
typedef struct gt_segment {
    gt_crossing start, end;
    /**
     * Rounded distances make the ends of the segment inexact. `along` bounds the error of an end
     * along its edge. `height` bounds the distance from the crossed plane that this error causes.
     * Neither includes the rounding of the points themselves.
     *
     * A distance times the length of the normal has an error of at most e = GEO_DETERMINANT_ERROR
     * times its terms. This includes two roundings of the end's place on its edge. The computed
     * point is a mean of two corners, so its distance, which should be 0, is at most e, too. Let s
     * be the sum of the two distances. The place then has an error of e / (s - 2 e) <= 4 e / s of
     * the edge, but at most the whole edge.
     */
    double along, height;
} gt_segment;

/**
 * Places where triangles of A and of B are in one plane, as far as doubles can tell. When B moves
 * through this plane, the area vector of B's surface inside A jumps by the intersection of the
 * triangles.
 */
typedef struct gt_kinks {
    vec3 jump_m2;   /* sum over all jumps of the absolute values of their components; an upper
                     * bound */
    double area_m2; /* upper bound of the area of all common parts */
    geo_box box;    /* contains all common parts; empty if there are none */
} gt_kinks;

/** Adds the intersection of two triangles if they lie in one plane. */
void gt_flux_add_kink(const gt_flux_facet *a, const gt_flux_facet *b, gt_kinks *kinks);

/**
 * Decides whether the triangles cross, and where. Adds to *exact the number of signs that double
 * arithmetic could not decide.
 *
 * An end of the segment is computed from distances to a plane. These have the same bits in both
 * triangles at an edge, so the pieces of surface that the segments bound fit together to the last
 * bit.
 */
bool gt_flux_facets_cross(const gt_flux_facet *a, const gt_flux_facet *b, gt_segment *segment,
                          uint64_t *exact);

/* --- A queue of pairs ------------------------------------------------------------------------- */

/*
 * Pairs of triangles that may cross wait in a queue while their triangles are prefetched. Then a
 * kernel decides four pairs at a time. If double arithmetic cannot decide a pair,
 * gt_flux_facets_cross does.
 */
enum {
    GT_FLUX_BATCH = 4,
    GT_QUEUE_MAX = 4 * GT_FLUX_BATCH, /* long enough for triangles to arrive from memory */
};

/** Pairs of triangles: corner[side][k][axis][pair]; forward[side]: masks as in gt_flux_facet. */
typedef struct gt_pair_batch {
    double corner[2][3][3][GT_FLUX_BATCH];
    unsigned forward[2][GT_FLUX_BATCH];
} gt_pair_batch;

/** Called for two triangles that cross, with their indices and their corners in the frame of the
 * first body. Returns false to stop the search. */
typedef bool gt_crossing_visitor(void *context, const uint32_t indices[2],
                                 const geo_triangle corners[2], const gt_segment *segment);

typedef struct gt_queue {
    const geo_tree *tree[2];
    const uint8_t *forward[2]; /* for each place: as in gt_flux_facet */
    const geo_pose *pose;      /* moves the corners of the second body */
    gt_crossing_visitor *visit;
    void *context;
    uint64_t exact; /* number of signs that double arithmetic could not decide */
    gt_kinks kinks; /* sum over all pairs */
    bool go;        /* true at first; false after the visitor has stopped the search */

    unsigned count;
    uint32_t indices[GT_QUEUE_MAX][2];
    gt_pair_batch batch;
} gt_queue;

/** Visitors of geo_tree_pairs; context: the queue. */
bool gt_queue_add_sse2(void *queue, uint32_t first, unsigned hits, uint32_t b);
bool gt_queue_add_avx2(void *queue, uint32_t first, unsigned hits, uint32_t b);

/** Decides the pairs that are still in the queue. */
void gt_queue_end_sse2(gt_queue *queue);
void gt_queue_end_avx2(gt_queue *queue);

#endif
