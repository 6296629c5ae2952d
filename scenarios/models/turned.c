/** Turned bodies, with walls that are finer around than along: a round wall needs no rows. */
#include "base/elementary.h"
#include "geometry/vec.h"
#include "scenarios/models/generators.h"
#include "scenarios/models/loft.h"
#include "scenarios/models/scenes.h"

/* Spacing around a wall and along it, against the grid's. */
static const double around = 0.5, along = 4;

/* --- Pin and bore, about the z axis ----------------------------------------------------------- */

static void pin_design(scn_loft *loft, scn_grid grid)
{
    const double half_length = 0.5 * SCN_PIN_LENGTH;
    const scn_outline circle = scn_outline_circle(SCN_PIN_RADIUS, 0);
    const scn_rim rim = {&circle, around * grid.edge};
    scn_loft_begin(loft, rim, -half_length);
    scn_loft_outline(loft, rim, -half_length);
    scn_loft_wall(loft, rim, -half_length, half_length, along * grid.step);
    scn_loft_end(loft, rim, half_length);
}

static void bore_design(scn_loft *loft, scn_grid grid)
{
    const double z0 = -0.5 * SCN_BORE_LENGTH, z1 = 0.5 * SCN_BORE_LENGTH;
    const scn_outline outside = scn_outline_circle(SCN_BORE_OUTSIDE, 0);
    const scn_outline hole = scn_outline_circle(SCN_BORE_RADIUS, 0);
    const scn_rim outer = {&outside, 2 * grid.edge}, inner = {&hole, around * grid.edge};
    scn_loft_outline(loft, outer, z0);
    scn_loft_wall(loft, outer, z0, z1, along * grid.step);
    scn_loft_between(loft, outer, inner, z1);
    scn_loft_outline(loft, inner, z1);
    scn_loft_wall(loft, inner, z1, z0, along * grid.step);
    scn_loft_between(loft, inner, outer, z0);
    scn_loft_close(loft);
}

base_status scn_pin_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    return scn_loft_build(pin_design, 0.012, triangles, mesh, err);
}

base_status scn_bore_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    return scn_loft_build(bore_design, 0.012, triangles, mesh, err);
}

/* --- Cone, its apex in the origin ------------------------------------------------------------- */

static vec3 apex(const void *context, size_t i)
{
    (void)context;
    (void)i;
    return vec3_make(0, 0, 0);
}

static void cone_design(scn_loft *loft, scn_grid grid)
{
    const double slope =
        sqrt(SCN_CONE_RADIUS * SCN_CONE_RADIUS + SCN_CONE_HEIGHT * SCN_CONE_HEIGHT);
    const scn_outline rim = scn_outline_circle(SCN_CONE_RADIUS, 0);
    const size_t rows = scn_steps(slope, grid.step);
    scn_loft_ring(loft, 1, apex, NULL);
    for (size_t i = 1; i <= rows; i++) {
        const double share = (double)i / (double)rows;
        const scn_outline circle = scn_outline_circle(share * SCN_CONE_RADIUS, 0);
        scn_loft_outline(loft, (scn_rim){&circle, grid.edge}, share * SCN_CONE_HEIGHT);
    }
    scn_loft_end(loft, (scn_rim){&rim, grid.edge}, SCN_CONE_HEIGHT);
}

base_status scn_cone_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    return scn_loft_build(cone_design, 0.012, triangles, mesh, err);
}
