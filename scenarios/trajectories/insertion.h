/**
 * A peg that is put into a hole and drawn out again: with clearance all around, shaken so that it
 * leans on the walls of the hole on the way.
 *
 * Pairs are a bore and a pin, and a channel and a box, as `proxbench list models` has them. The
 * fixed one has the measures of scenarios/models/scenes.h; the other one may be stretched
 * ("pin:sx=1.045,sy=1.045"), so that the clearance c between it and the walls is another one.
 *
 * In the course of the frames the peg's end goes from 2 mm ahead of the mouth as deep as it will go
 * in (through the bore and 10 mm beyond, four fifths of the way to the channel's floor), and back.
 * Meanwhile its axis is off the hole's by up to 3/4 (c + p), a swing that sets in eight times, each
 * time in another direction, and leans, so that its ends within the hole are off by up to 1/4 (c +
 * p) more: p = 0.5 mm is how deep it presses into the wall at the most, to the first order of the
 * angle. In a channel all of that is across it.
 */
#ifndef SCENARIOS_INSERTION_H
#define SCENARIOS_INSERTION_H

#include "scenarios/trajectories/sampling.h"

/**
 * Appends the frames. The seed draws the directions of the first swing and of the first lean.
 * Nothing is asked of the oracle, and no target is set.
 *
 * Errors   BASE_ERR_ARGUMENT for other bodies, for meshes too coarse for their volumes to be known
 *          as theirs within 1 %, and where the peg has no clearance.
 */
base_status scn_sample_insertion(scn_run *run, base_error *err) BASE_MUST_CHECK;

#endif
