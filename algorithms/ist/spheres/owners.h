/**
 * Assigns the surface of a body to its inner spheres piece by piece, and measures its distance from
 * them.
 *
 * The gap of a point x of the surface is the smallest |x - c| - r of all spheres. |x - c| - r is
 * convex in x, so over a triangle it is largest at a corner: every bound below is rigorous.
 *
 * Error of a distance. Let `gap` be an upper bound of all gaps of a body, and let x on A and y on B
 * be nearest points of two disjoint bodies. Some sphere of A is within gap_a of x, and some sphere
 * of B within gap_b of y, so these two are at most |x - y| + gap_a + gap_b apart:
 *   distance of spheres - distance of bodies is in [0, gap_a + gap_b].
 *
 * Outer spheres. A piece of the surface lies in the outer ball of the sphere that owns it, and the
 * pieces cover the surface: no two disjoint bodies are nearer than their nearest outer balls.
 */
#ifndef ALGORITHMS_IST_SPHERES_OWNERS_H
#define ALGORITHMS_IST_SPHERES_OWNERS_H

#include "algorithms/ist/spheres/packing.h"
#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh.h"

typedef struct alg_ist_gap {
    double most_m; /* no point of the surface is farther from all spheres; up to 2 % too large */
    double mean_m; /* mean over the surface, by area: an estimate with an error of about 1 % */
} alg_ist_gap;

/**
 * Measures how far the surface is from the spheres that fill it.
 *
 * Shapes   packing: one sphere or more; only its centres and radii are read.
 * Errors   BASE_ERR_MEMORY.
 * Cost     some 5 us per triangle, on all CPUs, whose number does not change the result.
 */
base_status alg_ist_measure_gap(const alg_ist_packing *packing, const geo_mesh *mesh,
                                alg_ist_gap *gap, base_error *err) BASE_MUST_CHECK;

/** The triangles of which each sphere owns a piece, by sphere. */
typedef struct alg_ist_owners {
    uint32_t *first; /* arena; spheres + 1 entries: sphere s has faces[first[s]] to faces[first[s
                        + 1] - 1] */
    uint32_t *faces; /* arena; ascending numbers for each sphere */
} alg_ist_owners;

/**
 * Cuts the surface into pieces until each is small for the sphere nearest to its centroid, and
 * assigns it to this sphere. Fills packing->outer: the radius of the ball around the centre that
 * contains all pieces of the sphere, rounded up; 0 for a sphere without pieces.
 *
 * A piece is small if the distances of its points from the sphere exceed that of the centroid by at
 * most the largest gap that was sampled, or after ALG_IST_CUTS_MAX cuts.
 *
 * Shapes   packing: one sphere or more.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 4 bytes per sphere and 4 bytes per entry of faces.
 * Cost     some 3 us per piece, on all CPUs, whose number does not change the result.
 */
base_status alg_ist_own_surface(alg_ist_packing *packing, const geo_mesh *mesh, base_arena *arena,
                                alg_ist_owners *owners, base_error *err) BASE_MUST_CHECK;

/**
 * Renumbers the spheres: sphere i of *ordered is sphere places[i] of owners.
 *
 * Shapes   places: count entries, each number below count once.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: as for owners.
 */
base_status alg_ist_order_owners(const alg_ist_owners *owners, const uint32_t *places, size_t count,
                                 base_arena *arena, alg_ist_owners *ordered,
                                 base_error *err) BASE_MUST_CHECK;

/**
 * Fills packing->outward: for each sphere the mean outward normal of the triangles of which it owns
 * a piece, if all of their normals are less than 90 degrees from it; otherwise 0, as for a sphere
 * without pieces, or with surface on opposite sides.
 *
 * Errors   BASE_ERR_MEMORY.
 * Source   IST IV-B.2 (normal cones, which it does not specify).
 */
base_status alg_ist_normal_cones(const geo_mesh *mesh, const alg_ist_owners *owners,
                                 alg_ist_packing *packing, base_error *err) BASE_MUST_CHECK;

/** Each cut halves a piece across its longest edge. */
enum { ALG_IST_CUTS_MAX = 40 };

#endif
