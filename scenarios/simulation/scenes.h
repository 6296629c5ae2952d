/**
 * Scenes of a simulated hand. A scene is a pair of bodies, and the motion of a device that guides
 * the moving body.
 *
 *   peg     a leaning pin is put into a bore, whose mouth it grazes, and pressed against its wall
 *   scrape  a leaning cone is pressed into a face and drawn along a line and around a corner
 *   nut     a nut is screwed onto the tip of a bolt, with its axis aside, and at angles up to 30
 *           degrees from those that fit
 *   press   a cube is pressed on a coral and turned under load
 *   stir    a rotor is turned in its housing and pressed against the walls all around
 *
 * Nothing stops the device: its path leads into the walls by some mm. The body follows it, and the
 * forces or contacts that a method answers keep the body out of the walls.
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
    /** Sets the device's pose at a time. It is a pose of B's own frame in A's frame. */
    void (*device)(double t_s, vec3 *position, geo_quat *orientation);
} scn_scene;

/** All scenes in a fixed order; the last entry has the name NULL. */
extern const scn_scene scn_scenes[];
/** Finds a scene by name. Errors: BASE_ERR_ARGUMENT; similar names are listed. */
base_status scn_scene_find(const char *name, const scn_scene **scene,
                           base_error *err) BASE_MUST_CHECK;

/**
 * Makes the device's frames at 1 kHz, and sets device->source to a description. duration_s: 0 means
 * the scene's own duration. A shorter duration cuts off the rest of the motion. In a longer one the
 * device stands still after its motion. Errors: BASE_ERR_MEMORY.
 */
base_status scn_scene_device(const scn_scene *scene, double duration_s, scn_trajectory *device,
                             base_error *err) BASE_MUST_CHECK;

#endif
