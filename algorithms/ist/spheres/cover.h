/**
 * A packing for distances only: inner spheres that may overlap and come near the whole surface.
 *
 * A distance between inner spheres is too large by the gaps between the spheres and the surface.
 * Small spheres need not be disjoint to reduce these gaps: a few large spheres that follow the
 * surface are as good as many small ones that fill the crevices between disjoint large ones.
 */
#ifndef ALGORITHMS_IST_SPHERES_COVER_H
#define ALGORITHMS_IST_SPHERES_COVER_H

#include "algorithms/ist/spheres/packing.h"
#include "base/error.h"
#include "base/memory.h"

/* --- Samples of a surface --------------------------------------------------------------------- */

/** Points of a surface, each with the direction into the solid. */
typedef struct alg_ist_samples {
    vec3 *points;  /* arena */
    vec3 *inwards; /* arena; unit vectors, or 0 if the surrounding faces have no common side */
    size_t count;
} alg_ist_samples;

/**
 * Samples corners, edges and faces, so that every point of the surface has a sample nearer than
 * `spacing`. The inward direction is minus the normal; at an edge or corner it is minus the mean
 * normal, weighted by angle.
 *
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT for 2^31 samples.
 * Memory   arena: 48 bytes per sample.
 */
base_status alg_ist_sample(const geo_mesh *mesh, double spacing, base_arena *arena,
                           alg_ist_samples *samples, base_error *err) BASE_MUST_CHECK;

/* --- Covering --------------------------------------------------------------------------------- */

typedef struct alg_ist_cover_options {
    double gap;          /* metres: every sample has a sphere at most this far away */
    double radius_least; /* metres; samples that only smaller spheres could cover stay uncovered */
    size_t count_most;   /* 0: no limit; spheres that cover the most samples come first */
} alg_ist_cover_options;

/**
 * Covers the surface of a solid: greedily chooses the sphere that comes near the most samples that
 * are not covered yet. Candidates are defined for a sample and a tolerance up to the gap: the
 * largest t for which the ball around the point at depth t that touches the surface is within the
 * tolerance of the sample. Spheres that later ones have made redundant are removed in the end.
 *
 * Fills centres and radii, largest first. A radius is the exact distance of its centre to the
 * surface minus the rounding of its computation: the ball lies inside the solid. Secondary radii
 * equal the primary ones, shares are 0. uncovered: number of samples without a sphere; NULL: not
 * wanted.
 *
 * Errors   BASE_ERR_MEMORY. The caller releases *packing with alg_ist_packing_release in any case.
 * Cost     runs on all CPUs, whose number does not change the result.
 */
base_status alg_ist_cover(const geo_surface *surface, const alg_ist_samples *samples,
                          const alg_ist_cover_options *options, alg_ist_packing *packing,
                          size_t *uncovered, base_error *err) BASE_MUST_CHECK;

#endif
