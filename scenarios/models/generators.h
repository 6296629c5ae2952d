/** The generators that models.c lists. Each places rings or bones and searches for the resolution
 * with the wanted number of triangles (scn_model in models.h). Lengths in metres. */
#ifndef SCENARIOS_MODELS_GENERATORS_H
#define SCENARIOS_MODELS_GENERATORS_H

#include "geometry/mesh.h"

#include <stddef.h>

typedef base_status scn_model_build(size_t triangles, geo_mesh_builder *mesh, base_error *err);

scn_model_build scn_box_build, scn_sphere_build, scn_torus_build, scn_cylinder_build;
scn_model_build scn_bolt_build, scn_nut_build;
scn_model_build scn_pump_housing_build, scn_pump_rotor_build, scn_pump_idler_build;
scn_model_build scn_quadruped_build, scn_quadruped_open_build, scn_coral_build;
scn_model_build scn_cube_build, scn_slab_build, scn_shell_build, scn_nested_build;
scn_model_build scn_frame_build, scn_needle_build, scn_channel_build;
scn_model_build scn_bore_build, scn_pin_build, scn_cone_build;
scn_model_build scn_artificial_build, scn_brake_build, scn_car_build;

#endif
