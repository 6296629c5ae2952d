/**
 * The data of a body for the flux method: sums over intervals of its surface.
 *
 * The boundary of the overlap of two solids is the part of each surface inside the other body. Let
 * n be the outward normal and y = x - o for any fixed point o. By the divergence theorem:
 *
 *   volume          = 1/3 integral of y . n
 *   first moment    = 1/4 integral of y (y . n)      (of the volume, about o)
 *   dV/dtranslation = integral of n                  over B's part
 *   dV/drotation    = integral of y cross n          over B's part
 *
 * All of them are linear in the first three integrals of gt_moments.
 */
#ifndef GROUNDTRUTH_FLUX_BODY_H
#define GROUNDTRUTH_FLUX_BODY_H

#include "geometry/tree.h"
#include "geometry/vec.h"

typedef struct gt_moments {
    vec3 normal;    /* integral of n */
    mat3 tensor;    /* row j: integral of y_j n */
    vec3 quadratic; /* integral of y (y . n) */
    double area;
} gt_moments;

/** Returns m + a b^T. */
static inline mat3 gt_outer_add(mat3 m, vec3 a, vec3 b)
{
    return (mat3){
        {vec3_madd(m.row[0], a.x, b), vec3_madd(m.row[1], a.y, b), vec3_madd(m.row[2], a.z, b)}};
}

/** Sums over flat triangles, without the factors 1/2 and 1/6. gt_fan_moments applies these. */
typedef struct gt_fan {
    vec3 normal2;
    mat3 tensor6;
    vec3 quadratic6;
    double area;
} gt_fan;

/** Adds everything except the area of the triangle o, p, q, whose corners are relative to the
 * origin of the sums. Returns the vector that was added to normal2. */
static inline vec3 gt_fan_add(gt_fan *sum, vec3 o, vec3 p, vec3 q)
{
    const vec3 normal2 = vec3_cross(vec3_sub(p, o), vec3_sub(q, o));
    const vec3 centre3 = vec3_add(vec3_add(o, p), q);
    sum->normal2 = vec3_add(sum->normal2, normal2);
    sum->tensor6 = gt_outer_add(sum->tensor6, centre3, normal2);
    sum->quadratic6 = vec3_madd(sum->quadratic6, vec3_dot(o, normal2), centre3);
    return normal2;
}

gt_moments gt_fan_moments(const gt_fan *fan);

/* --- Whole stretches of surface ----------------------------------------------------------------
 *
 * A spanning tree of the triangles joins neighbours across edges. Triangles are numbered along the
 * tree, depth first. So the subtree of a triangle is an interval of numbers, and its integrals are
 * the difference of two prefix sums. The sums are integers. So the error of a difference depends
 * only on its own size, and the order of summation does not matter. In doubles, a short interval
 * would have the error of the whole surface. If an integer overflows, it wraps around and the
 * differences are still right.
 */

enum { GT_FIXED = 16 };

typedef struct gt_fixed {
    uint64_t value[GT_FIXED]; /* normal, quadratic, tensor, area; in units of quantum */
} gt_fixed;

enum { GT_NO_EDGE = 3 };

/** A triangle among its neighbours. Edge k runs from corner k to corner k + 1. */
typedef struct gt_link {
    uint32_t across[3];   /* 3 place + edge of the neighbour that shares edge k and traverses it in
                           * the opposite direction */
    uint32_t number, end; /* in the spanning tree: the subtree is [number, end) */
    uint8_t parent;       /* the edge to the parent; GT_NO_EDGE at a root */
    uint8_t children;     /* mask of edges to children */
} gt_link;

/** A connected component of the surface, with one spanning tree. */
typedef struct gt_shell {
    uint32_t begin, end; /* interval of numbers */
    vec3 point;          /* a vertex */
} gt_shell;

/** The flux data of a solid. The index of a triangle is its place in geo_tree. */
typedef struct gt_flux_body {
    uint8_t *forward; /* arena; for each triangle, a mask of its edges that run from the lower to
                       * the higher vertex index */
    vec3 origin;      /* origin o of the sums */
    gt_link *links;   /* arena */
    uint32_t *places; /* arena; the places of triangles in the order of their numbers */
    gt_fixed *prefix; /* arena; prefix[i]: sum over all triangles with a number below i */
    double quantum[GT_FIXED];
    double span_m;    /* upper bound of the greatest distance of a corner from origin */
    double terms_m2;  /* sum over all triangles of the product of two edges, with |x| + |y| + |z| as
                       * their lengths */
    double thinness;  /* the largest ratio of such a product to the triangle's area; large if there
                       * are needles */
    gt_shell *shells; /* arena; in the order of their numbers */
    uint32_t shell_count;
} gt_flux_body;

/**
 * Builds the data of a closed mesh: each edge has two faces, one in each direction.
 *
 * Shapes   tree: built over the mesh's faces.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 150 bytes a triangle.
 */
base_status gt_flux_body_build(const geo_mesh *mesh, const geo_tree *tree, vec3 origin,
                               base_arena *arena, gt_flux_body *flux,
                               base_error *err) BASE_MUST_CHECK;

/**
 * A sum of intervals [begin, end). An interval with begin > end counts negative. Prefix sums are
 * far apart in memory. So those of an interval are prefetched when it is added, and they are summed
 * only after several more intervals have been added.
 */
typedef struct gt_stretches {
    const gt_flux_body *flux;
    gt_fixed sum;
    uint32_t waiting[16][2];
    unsigned count;
    uint64_t added; /* number of intervals; each has an error of a quantum at most, besides the
                     * rounding of its triangles */
} gt_stretches;

/** Returns |x| + |y| + |z|, which is no less than the length. */
static inline double gt_length1(vec3 v)
{
    return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

static inline void gt_stretches_finish(gt_stretches *s)
{
    for (unsigned k = 0; k < s->count; k++) {
        const gt_fixed *const begin = &s->flux->prefix[s->waiting[k][0]];
        const gt_fixed *const end = &s->flux->prefix[s->waiting[k][1]];
        for (int i = 0; i < GT_FIXED; i++) {
            s->sum.value[i] += end->value[i] - begin->value[i];
        }
    }
    s->count = 0;
}

static inline void gt_stretches_add(gt_stretches *s, uint32_t begin, uint32_t end)
{
    const uint32_t ends[2] = {begin, end};
    for (int k = 0; k < 2; k++) {
        const uint64_t *const value = s->flux->prefix[ends[k]].value;
        __builtin_prefetch(value);
        __builtin_prefetch(value + GT_FIXED / 2);
        s->waiting[s->count][k] = ends[k];
    }
    s->added++;
    if (++s->count == sizeof s->waiting / sizeof s->waiting[0]) {
        gt_stretches_finish(s);
    }
}

#endif
