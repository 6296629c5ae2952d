/**
 * A solid as queries see it: its inner spheres and the tree over them.
 */
#ifndef ALGORITHMS_IST_SOLID_H
#define ALGORITHMS_IST_SOLID_H

#include "algorithms/ist/spheres/packing.h"
#include "algorithms/ist/tree.h"
#include "base/arena.h"
#include "base/error.h"

/** An inner sphere and the balls that belong to it. */
typedef struct alg_ist_sphere {
    vec3 centre;
    double primary;   /* radius; the ball is inside the solid */
    double secondary; /* of the ball around `middle` that has the volume of the sphere's share */
    vec3 middle;
    vec3 outward; /* alg_ist_normal_cones: the way out near the sphere; or 0 */
    double outer; /* around the piece of surface that belongs to the sphere; 0: none does */
} alg_ist_sphere;

typedef struct alg_ist_solid {
    alg_ist_tree tree;       /* NEAR: around primary spheres; FAR: around all balls of a sphere */
    alg_ist_sphere *spheres; /* arena; of each leaf of the tree */
} alg_ist_solid;

/** Radius of the ball around a sphere's centre that holds all of its balls. */
static inline double alg_ist_sphere_reach(const alg_ist_sphere *s)
{
    return fmax(s->primary, fmax(s->secondary + vec3_distance(s->centre, s->middle), s->outer));
}

/**
 * Builds the tree over a packing's spheres.
 *
 * Shapes   packing: one sphere or more, secondary radii filled.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: about 190 bytes a sphere.
 * Cost     as alg_ist_tree_build.
 */
base_status alg_ist_solid_build(const alg_ist_packing *packing, const alg_ist_tree_options *options,
                                base_arena *arena, alg_ist_solid *solid,
                                base_error *err) BASE_MUST_CHECK;

#endif
