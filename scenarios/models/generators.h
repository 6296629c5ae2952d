/** The generators that models.c lists. Each places rings or bones and searches for the resolution
 * with the wanted number of triangles (scn_model in models.h). Lengths in metres. */
#ifndef SCENARIOS_MODELS_GENERATORS_H
#define SCENARIOS_MODELS_GENERATORS_H

#include "geometry/mesh.h"
#include "scenarios/models/loft.h"

#include <stddef.h>

typedef base_status scn_model_build(size_t triangles, geo_mesh_builder *mesh, base_error *err);

scn_model_build scn_box_build, scn_sphere_build;
scn_model_build scn_quadruped_build, scn_quadruped_open_build, scn_coral_build;
scn_model_build scn_cube_build, scn_slab_build, scn_shell_build, scn_nested_build;
scn_model_build scn_frame_build, scn_needle_build, scn_channel_build;
scn_model_build scn_brake_build, scn_car_build;
scn_model_build scn_enclosure_build, scn_bracket_build, scn_housing_build, scn_gear_build;
scn_model_build scn_perforated_plate_build, scn_heat_sink_build, scn_hinge_build;
scn_model_build scn_gripper_build, scn_comb_build, scn_cavity_build, scn_key_build;

scn_loft_design scn_torus_design, scn_cylinder_design;
scn_loft_design scn_bolt_design, scn_nut_design;
scn_loft_design scn_pump_housing_design, scn_pump_rotor_design, scn_pump_idler_design;
scn_loft_design scn_bore_design, scn_pin_design, scn_cone_design, scn_artificial_design;

/**
 * Splits every face of a closed mesh into frequency^2 flat ones. The vertices of `coarse` come
 * first, in the same order.
 *
 * Errors   BASE_ERR_MEMORY.
 */
base_status scn_subdivide(const geo_mesh *coarse, size_t frequency, geo_mesh_builder *fine,
                          base_error *err) BASE_MUST_CHECK;

/* --- Dimensions ------------------------------------------------------------------------------- */

/*
 * In metres, of the bodies in scenes with a known ideal force and with an insertion
 * (scenarios/trajectories/ideal.c). The generators and the code that computes the force share them.
 */

/* A round plate with a round hole about the origin, and a pin for the hole; along z. */
#define SCN_BORE_RADIUS  0.021
#define SCN_BORE_OUTSIDE 0.05
#define SCN_BORE_LENGTH  0.02
#define SCN_PIN_RADIUS   0.02
#define SCN_PIN_LENGTH   0.06

/* A cone with its apex in the origin and its base at +z. */
#define SCN_CONE_RADIUS 0.04
#define SCN_CONE_HEIGHT 0.06

#define SCN_SPHERE_RADIUS 0.05

/* Half edges of boxes about the origin. */
#define SCN_BOX_X     0.05
#define SCN_BOX_Y     0.04
#define SCN_BOX_Z     0.03
#define SCN_CUBE_HALF 0.03125

/* A channel along y, open at the top: half edges of its outside, half the width of the channel, and
 * the height of its floor. */
#define SCN_CHANNEL_X     0.046875
#define SCN_CHANNEL_Y     0.046875
#define SCN_CHANNEL_Z     0.03125
#define SCN_CHANNEL_WIDTH 0.033203125
#define SCN_CHANNEL_FLOOR (-0.0234375)

#endif
