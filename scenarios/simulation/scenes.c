#include "scenarios/simulation/scenes.h"

#include "base/elementary.h"
#include "base/text.h"
#include "geometry/pose.h"
#include "scenarios/models/generators.h"
#include "scenarios/trajectories/sampling.h"

#include <math.h>
#include <string.h>

#define TICK_S 0.001
#define DEGREE (BASE_PI / 180)

static const vec3 axis_x = {1, 0, 0}, axis_y = {0, 1, 0}, axis_z = {0, 0, 1};

/** Returns 0 before `begin` and 1 after `end`. In between it rises, with a slope of 0 at both. */
static double ease(double t_s, double begin, double end)
{
    const double share = fmin(1, fmax(0, (t_s - begin) / (end - begin)));
    return share * share * (3 - 2 * share);
}

/** Returns the lean followed by the turn about z. */
static geo_quat turn_and_lean(double turn, vec3 lean_axis, double lean)
{
    return geo_quat_mul(scn_turn_about(axis_z, turn), scn_turn_about(lean_axis, lean));
}

/* --- Peg -------------------------------------------------------------------------------------- */

/**
 * The pin moves over the hole and down. It leans, so its lower end is 1.05 mm beside its centre.
 * The play of the straight pin is 1 mm on each side, so the leaning pin grazes the mouth of the
 * hole. On the way down it moves aside by twice the play, along x and then along y.
 */
static void peg_device(double t_s, vec3 *position, geo_quat *orientation)
{
    static const double beside = 0.01, above = 0.045, error = 0, aside = 0.002;
    const double x = beside + (error - beside) * ease(t_s, 0, 0.5) + aside * ease(t_s, 0.7, 1.3);
    const double y = aside * ease(t_s, 1.1, 1.7);
    *position = vec3_make(x, y, above * (1 - ease(t_s, 0.3, 1.4)));
    *orientation = scn_turn_about(axis_y, 2 * DEGREE);
}

/* --- Scrape ----------------------------------------------------------------------------------- */

/** Returns a point of a path along x, then around an arc, then along y. */
static vec3 around_corner(double way)
{
    static const double along_x = 0.045, radius = 0.01;
    const double arc = 0.5 * BASE_PI * radius;
    const vec3 begin = {-0.03, -0.025, 0};
    if (way < along_x) {
        return vec3_madd(begin, way, axis_x);
    }
    const double angle = fmin(0.5 * BASE_PI, (way - along_x) / radius);
    const vec3 corner = {along_x + radius * base_sin(angle), radius * (1 - base_cos(angle)), 0};
    return vec3_madd(vec3_add(begin, corner), fmax(0, way - along_x - arc), axis_y);
}

/** The cone's apex moves down into the face, along the path, and up. */
static void scrape_device(double t_s, vec3 *position, geo_quat *orientation)
{
    static const double above = 0.003, depth = 0.003, length = 0.09;
    const double down = ease(t_s, 0, 0.3) - ease(t_s, 1.7, 2);
    *position = around_corner(length * ease(t_s, 0.2, 1.8));
    position->z = SCN_BOX_Z + above - (above + depth) * down;
    *orientation = scn_turn_about(vec3_normalize(vec3_make(1, -1, 0)), 15 * DEGREE);
}

/* --- Nut -------------------------------------------------------------------------------------- */

/**
 * At z = 0 and angle 0 the nut fits on the bolt. The thread is right-handed, so at height z the nut
 * fits at the angle 2 pi z / pitch, give or take the play. The device adds up to 30 degrees to this
 * angle, and its axis is half a millimetre aside. It starts above the bolt's tip and makes four and
 * a half turns.
 */
static void nut_device(double t_s, vec3 *position, geo_quat *orientation)
{
    static const double pitch = 0.004, above = 0.0365, below = 0.0185, error = 0.0005;
    const double z = above + (below - above) * ease(t_s, 0, 2.5);
    const double slip = 30 * DEGREE * ease(t_s, 0.5, 1.5);
    *position = vec3_make(error, 0.3 * error, z);
    *orientation = turn_and_lean(2 * BASE_PI * z / pitch + slip, axis_x, 0.5 * DEGREE);
}

/* --- Press ------------------------------------------------------------------------------------ */

static void press_device(double t_s, vec3 *position, geo_quat *orientation)
{
    static const double above = 0.116, depth = 0.012;
    *position = vec3_make(0, 0, above - depth * ease(t_s, 0, 0.6));
    *orientation = turn_and_lean(40 * DEGREE * ease(t_s, 0.5, 1.6), axis_x, 5 * DEGREE);
}

/* --- Stir ------------------------------------------------------------------------------------- */

/** The rotor's axis moves once around a circle. Meanwhile the rotor turns by two and a half teeth,
 * in the opposite direction. */
static void stir_device(double t_s, vec3 *position, geo_quat *orientation)
{
    static const double radius = 0.0015, up = 0.0005;
    const double out = radius * (ease(t_s, 0, 0.3) - ease(t_s, 1.7, 2));
    const double angle = 2 * BASE_PI * ease(t_s, 0.1, 1.9);
    /* The rotor's axis is that of its bore, which does not pass through its origin. */
    const vec3 axis = {0.02, 0, 0};
    *orientation = scn_turn_about(axis_z, -90 * DEGREE * ease(t_s, 0, 2));
    const geo_pose turned = geo_pose_make(*orientation, axis);
    *position = geo_pose_apply(&turned, vec3_scale(-1, axis));
    *position = vec3_add(*position, vec3_make(out * base_cos(angle), out * base_sin(angle), up));
}

/* --- The table of scenes ---------------------------------------------------------------------- */

/* The device presses with about 10 N. A penalty force of the scene's stiffness balances this load
 * at a depth of one or two tenths of a millimetre. */
const scn_scene scn_scenes[] = {
    {
        .name = "peg",
        .summary = "a leaning pin is put into a bore and pressed against its wall",
        .a = "bore:triangles=4000",
        .b = "pin:triangles=3000",
        .duration_s = 1.8,
        .options = {TICK_S, 4000, {5000}, {0.1, 0.0002, 1000}},
        .stiffness_n_m2 = 5e4,
        .device = peg_device,
    },
    {
        .name = "scrape",
        .summary = "a leaning cone is drawn over a face, around a corner",
        .a = "box",
        .b = "cone:triangles=1000",
        .duration_s = 2,
        .options = {TICK_S, 4000, {3000}, {0.1, 0.0002, 1000}},
        .stiffness_n_m2 = 2e7,
        .device = scrape_device,
    },
    {
        .name = "nut",
        .summary = "a nut is screwed onto the tip of a bolt, with its axis half a mm aside",
        .a = "bolt:triangles=6000",
        .b = "nut:triangles=4000",
        .duration_s = 2.5,
        .options = {TICK_S, 8000, {5000}, {0.1, 0.0001, 1000}},
        .stiffness_n_m2 = 2e5,
        .device = nut_device,
    },
    {
        .name = "press",
        .summary = "a cube is pressed on a coral and turned under load",
        .a = "coral:triangles=5000",
        .b = "cube:scale=0.8",
        .duration_s = 1.8,
        .options = {TICK_S, 4000, {3000}, {0.1, 0.0002, 1000}},
        .stiffness_n_m2 = 2e6,
        .device = press_device,
    },
    {
        .name = "stir",
        .summary = "a rotor is pressed against its housing all around while it turns",
        .a = "pump-housing:triangles=4000",
        .b = "pump-rotor:triangles=4000",
        .duration_s = 2,
        .options = {TICK_S, 8000, {5000}, {0.1, 0.0001, 1000}},
        .stiffness_n_m2 = 6e4,
        .device = stir_device,
    },
    {.name = NULL},
};

base_status scn_scene_find(const char *name, const scn_scene **scene, base_error *err)
{
    const char *names[sizeof scn_scenes / sizeof *scn_scenes];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        names[i] = scn_scenes[i].name;
        if (names[i] && strcmp(names[i], name) == 0) {
            *scene = &scn_scenes[i];
            return BASE_OK;
        }
    }
    char near[256];
    base_text_near(name, names, near, sizeof near);
    return base_fail(err, BASE_ERR_ARGUMENT, "unknown scene '%s'%s", name, near);
}

base_status scn_scene_device(const scn_scene *scene, double duration_s, scn_trajectory *device,
                             base_error *err)
{
    *device = (scn_trajectory){0};
    const double seconds = duration_s > 0 ? duration_s : scene->duration_s;
    const size_t last = (size_t)(seconds / TICK_S + 0.5);
    for (size_t i = 0; i <= last; i++) {
        scn_frame frame = {.t_s = TICK_S * (double)i, .target = NAN, .achieved = NAN};
        scene->device(frame.t_s, &frame.position, &frame.orientation);
        const base_status status = scn_trajectory_append(device, &frame, err);
        if (status != BASE_OK) {
            scn_trajectory_release(device);
            return status;
        }
    }
    snprintf(device->source, sizeof device->source, "device of the scene %s, %g s", scene->name,
             seconds);
    return BASE_OK;
}
