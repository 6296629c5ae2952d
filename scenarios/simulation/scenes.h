/**
 * Scenes of a simulated hand: a pair, and what a device does with the moving body.
 *
 *   peg     a leaning pin is put into a bore, whose mouth it grazes, and pressed against its wall
 *   scrape  a leaning cone is drawn over a face, pressed into it, along a line and around a corner
 *   nut     a nut is screwed on a bolt from beyond its end, off its axis and ahead of its angle
 *   press   a cube is pressed on a coral and turned under load
 *   stir    a rotor is turned in its housing and pressed against the walls all around
 *
 * The device goes where nothing stops it: into the walls by some mm. What the body does about that
 * is the method's.
 */
#ifndef SCENARIOS_SCENES_H
#define SCENARIOS_SCENES_H

#include "scenarios/simulation/simulation.h"

typedef struct scn_scene {
    const char *name, *summary;
    const char *a, *b; /* mesh references (scn_mesh_open) */
    double duration_s;
    scn_simulation_options options; /* those that suit it */
    double stiffness_n_m2; /* of penalties: force by minus the gradient of the common volume */
    /** The device's pose of B's origin at a time. */
    void (*device)(double t_s, vec3 *position, geo_quat *orientation);
} scn_scene;

/** In a fixed order; ends with name NULL. */
extern const scn_scene scn_scenes[];
/** Errors: BASE_ERR_ARGUMENT; near names are listed. */
base_status scn_scene_find(const char *name, const scn_scene **scene,
                           base_error *err) BASE_MUST_CHECK;

/** The device's frames, 1 kHz, with provenance. duration_s: 0, the scene's own; less is cut
 * off, and behind its end the device stays there. Errors: BASE_ERR_MEMORY. */
base_status scn_scene_device(const scn_scene *scene, double duration_s, scn_trajectory *device,
                             base_error *err) BASE_MUST_CHECK;

#endif
