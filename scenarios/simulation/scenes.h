/**
 * Scenes of a simulated hand: a pair, and the motion of a device that guides the moving body.
 *
 *   peg     a leaning pin is put into a bore, whose mouth it grazes, and pressed against its wall
 *   scrape  a leaning cone is pressed into a face and drawn along a line and around a corner
 *   nut     a nut is screwed on a bolt from beyond its end, off its axis and ahead of its angle
 *   press   a cube is pressed on a coral and turned under load
 *   stir    a rotor is turned in its housing and pressed against the walls all around
 *
 * The device is not stopped by anything: it moves into the walls by some mm. The method decides the
 * reaction of the body.
 */
#ifndef SCENARIOS_SCENES_H
#define SCENARIOS_SCENES_H

#include "scenarios/simulation/simulation.h"

typedef struct scn_scene {
    const char *name, *summary;
    const char *a, *b; /* mesh references (scn_mesh_open) */
    double duration_s;
    scn_simulation_options options; /* options that suit the scene */
    double stiffness_n_m2;          /* penalty force = -stiffness * gradient of the common volume */
    /** Sets the device's pose of B's origin at a time. */
    void (*device)(double t_s, vec3 *position, geo_quat *orientation);
} scn_scene;

/** All scenes in a fixed order; the last entry has the name NULL. */
extern const scn_scene scn_scenes[];
/** Finds a scene by name. Errors: BASE_ERR_ARGUMENT; similar names are listed. */
base_status scn_scene_find(const char *name, const scn_scene **scene,
                           base_error *err) BASE_MUST_CHECK;

/**
 * Makes the device's frames at 1 kHz, with provenance. duration_s: 0 means the scene's own
 * duration; a shorter one cuts the motion, and after the end of the motion the device does not
 * move. Errors: BASE_ERR_MEMORY.
 */
base_status scn_scene_device(const scn_scene *scene, double duration_s, scn_trajectory *device,
                             base_error *err) BASE_MUST_CHECK;

#endif
