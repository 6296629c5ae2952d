/**
 * A packing for distances alone: inner spheres that may overlap and come near all of the surface.
 *
 * A distance between inner spheres is too large by the gaps between the spheres and the surface.
 * To make these small spheres need not be disjoint: a few large ones that follow the surface do as
 * well as many small ones that fill the crevices between disjoint large ones.
 */
#ifndef ALGORITHMS_IST_SPHERES_COVER_H
#define ALGORITHMS_IST_SPHERES_COVER_H

#include "algorithms/ist/spheres/packing.h"
#include "base/arena.h"
#include "base/error.h"

/* --- Samples of a surface --------------------------------------------------------------------- */

/** Points of a surface, each with the direction into the solid. */
typedef struct alg_ist_samples {
    vec3 *points;  /* arena */
    vec3 *inwards; /* arena; unit vectors, or 0 where the faces around have no common side */
    size_t count;
} alg_ist_samples;

/**
 * Corners, points of edges and points of faces, so that every point of the surface has a sample
 * nearer than `spacing`. Inwards is against the normal; at an edge or corner against the mean one,
 * weighted by the angle.
 *
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT for 2^31 samples.
 * Memory   arena: 48 bytes a sample.
 */
base_status alg_ist_sample(const geo_mesh *mesh, double spacing, base_arena *arena,
                           alg_ist_samples *samples, base_error *err) BASE_MUST_CHECK;

/* --- Covering --------------------------------------------------------------------------------- */

typedef struct alg_ist_cover_options {
    double gap;          /* metres: every sample has a sphere that is not farther away */
    double radius_least; /* metres; samples that only smaller spheres could cover stay uncovered */
    size_t count_most;   /* 0: no limit; those that cover most come first */
} alg_ist_cover_options;

/**
 * Covers the surface of a solid: greedily takes the sphere that comes near most samples that have
 * none yet. Candidates are, for a sample and a tolerance up to the gap, the largest t for which the
 * ball around the point at depth t that touches the surface is not farther from the sample. Spheres
 * that others have made needless are taken out in the end.
 *
 * Fills centres and radii, largest first. A radius is the exact distance of its centre to the
 * surface less the rounding of its computation: the ball lies inside the solid. Secondary radii are
 * the primary ones, shares are 0.
 * uncovered: how many samples have no sphere; NULL: not wanted.
 *
 * Errors   BASE_ERR_MEMORY; *packing is for alg_ist_packing_release either way.
 * Cost     on all CPUs, whose number does not change the result.
 */
base_status alg_ist_cover(const geo_surface *surface, const alg_ist_samples *samples,
                          const alg_ist_cover_options *options, alg_ist_packing *packing,
                          size_t *uncovered, base_error *err) BASE_MUST_CHECK;

#endif
