/**
 * Scenes whose force is known: pairs of generated bodies that meet on a prescribed path. For each
 * frame minus the gradient of their common volume is known in closed form.
 *
 *   bore and pin     the pin comes off the axis until it is 1 mm deep in the wall, and goes around
 *                    twice: a force of constant size that turns, and a torque, for the pin stands
 *                    out of the plate on one side more than on the other
 *   box and cone     the cone, tilted by 20 degrees, goes 15 mm deep into the box and once around,
 *                    leaning ahead of its way: constant in size, and only the torque turns
 *   box and sphere   the sphere goes around while it turns, in and out of the box four times
 *   box and cube     the cube has one of its corners in one of the box, and the least of the three
 *                    overlaps changes from axis to axis: the force swings over the corner
 *   channel and cube    a peg from side to side of its channel, deep in one wall, free, deep in the
 *                    other, while it is pushed down and drawn out: the force sets in with its full
 *                    size, whatever the depth
 *
 *   sphere and box   the box slides with one of its faces, 2 mm deep, over the sphere and back,
 *                    along none
 *                   of the sphere's axes: a force that does not change at all
 *
 * The force by depth, minus the gradient of the integral of the distance to A's surface over the
 * common volume, is known too, but for the pin (response.c has the derivations).
 *
 * Paths end where they began. The measures of the bodies are in scenarios/models/scenes.h; the
 * force is that of bodies with round walls, and their meshes come near to it: of the default ones,
 * the exact force is within 1 % of it where it is at least half as large as it gets, on which there
 * is a test.
 */
#ifndef SCENARIOS_RESPONSE_H
#define SCENARIOS_RESPONSE_H

#include "scenarios/trajectories/sampling.h"

/** Appends the frames of the scene that the run's pair belongs to, from the pair's boxes and
 * volumes. Errors: BASE_ERR_ARGUMENT for a pair of none, also when a mesh is too coarse. */
base_status scn_sample_response(scn_run *run, base_error *err) BASE_MUST_CHECK;

#endif
