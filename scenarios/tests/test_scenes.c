/** The scenes of a simulated hand: their devices begin without contact and at rest, move smoothly,
 * and enter the other body. */
#include "base/memory.h"
#include "geometry/surface.h"
#include "scenarios/models/models.h"
#include "scenarios/simulation/scenes.h"
#include "scenarios/tests/simulation.h"

static scn_trajectory device_of(const scn_scene *scene, double seconds)
{
    scn_trajectory device;
    base_error err = {0};
    cr_assert_eq(scn_scene_device(scene, seconds, &device, &err), BASE_OK, "%s", err.text);
    return device;
}

/* --- Meshes ----------------------------------------------------------------------------------- */

typedef struct scene_bodies {
    geo_mesh a, b;
    geo_surface surface_a, surface_b;
    base_arena arena;
} scene_bodies;

static void open_bodies(const scn_scene *scene, scene_bodies *bodies)
{
    *bodies = (scene_bodies){0};
    base_error err = {0};
    cr_assert_eq(scn_mesh_open(scene->a, &bodies->a, &err), BASE_OK, "%s", err.text);
    cr_assert_eq(scn_mesh_open(scene->b, &bodies->b, &err), BASE_OK, "%s", err.text);
    cr_assert_eq(geo_surface_build(&bodies->a, &bodies->arena, &bodies->surface_a, &err), BASE_OK);
    cr_assert_eq(geo_surface_build(&bodies->b, &bodies->arena, &bodies->surface_b, &err), BASE_OK);
}

static void close_bodies(scene_bodies *bodies)
{
    base_arena_release(&bodies->arena);
    geo_mesh_release(&bodies->a);
    geo_mesh_release(&bodies->b);
}

/** Returns the depth of the deepest vertex of a mesh in a surface at a pose; 0 if no vertex is
 * inside. */
static double depth_in(const geo_mesh *mesh, const geo_pose *pose, const geo_surface *surface)
{
    double deepest = 0;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const vec3 p = geo_pose_apply(pose, mesh->vertices[i]);
        if (geo_surface_contains(surface, p)) {
            deepest = fmax(deepest, geo_surface_closest(surface, p, UINT32_MAX).distance2);
        }
    }
    return sqrt(deepest);
}

static double depth_at(const scene_bodies *bodies, const scn_frame *frame)
{
    const geo_pose pose = geo_pose_make(frame->orientation, frame->position);
    const geo_pose back = geo_pose_inverse(&pose);
    return fmax(depth_in(&bodies->b, &pose, &bodies->surface_a),
                depth_in(&bodies->a, &back, &bodies->surface_b));
}

Test(scenes, devices_begin_free_and_go_into_the_other_body)
{
    for (const scn_scene *scene = scn_scenes; scene->name; scene++) {
        scene_bodies bodies;
        open_bodies(scene, &bodies);
        cr_expect_leq(bodies.a.face_count + bodies.b.face_count, 11000, "%s", scene->name);
        scn_trajectory device = device_of(scene, 0);
        cr_expect_eq(depth_at(&bodies, &device.frames[0]), 0, "%s begins in contact", scene->name);
        double deepest = 0;
        for (size_t i = 0; i < device.frame_count; i += 50) {
            deepest = fmax(deepest, depth_at(&bodies, &device.frames[i]));
        }
        /* Bounds: half of a thread's flank, and the thickness of a coral's branch. */
        cr_expect(deepest > 0.0004 && deepest < 0.01, "%s: %g m deep", scene->name, deepest);
        scn_trajectory_release(&device);
        close_bodies(&bodies);
    }
}

Test(scenes, options_are_those_of_a_simulation)
{
    for (const scn_scene *scene = scn_scenes; scene->name; scene++) {
        scene_bodies bodies;
        open_bodies(scene, &bodies);
        scn_trajectory device = device_of(scene, 0);
        scn_simulation s;
        base_error err = {0};
        cr_assert_eq(scn_simulation_begin(&bodies.b, &device, &scene->options, NULL, &s, &err),
                     BASE_OK, "%s: %s", scene->name, err.text);
        cr_expect(s.mass.mass_kg > 0.05 && s.mass.mass_kg < 1, "%s: %g kg", scene->name,
                  s.mass.mass_kg);
        /* A step resolves the coupling. */
        const double wh =
            scene->options.step_s * sqrt(scene->options.coupling.stiffness_n_m / s.mass.mass_kg);
        cr_expect(wh < 0.3, "%s: %g", scene->name, wh);
        cr_expect_gt(scene->stiffness_n_m2, 0);
        cr_expect_eq(scn_simulation_steps(&s), device.frame_count - 1, "%s", scene->name);
        scn_trajectory_release(&device);
        close_bodies(&bodies);
    }
}

/* --- Devices ---------------------------------------------------------------------------------- */

/** Computes the velocity and the spin from a frame to the next. */
static void motion_at(const scn_trajectory *device, size_t i, vec3 *velocity, vec3 *spin)
{
    const scn_frame *const f = &device->frames[i], *const g = f + 1;
    *velocity = vec3_scale(1000, vec3_sub(g->position, f->position));
    *spin = vec3_scale(1000, scn_turn_between(f->orientation, g->orientation));
}

Test(scenes, devices_move_as_a_hand_can)
{
    for (const scn_scene *scene = scn_scenes; scene->name; scene++) {
        scn_trajectory device = device_of(scene, 0);
        const size_t last = device.frame_count - 2;
        vec3 velocity = {0, 0, 0}, spin = {0, 0, 0};
        for (size_t i = 0; i <= last; i++) {
            const scn_frame *const f = &device.frames[i];
            cr_assert_float_eq(f->t_s, 0.001 * (double)i, 1e-12);
            const geo_quat q = f->orientation;
            const double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
            cr_assert_float_eq(length, 1, 1e-15, "%s, frame %zu", scene->name, i);
            vec3 v, w;
            motion_at(&device, i, &v, &w);
            cr_assert_leq(vec3_norm(v), 0.15, "%s, frame %zu: %g m/s", scene->name, i,
                          vec3_norm(v));
            cr_assert_leq(vec3_norm(w), 20, "%s, frame %zu: %g rad/s", scene->name, i,
                          vec3_norm(w));
            /* No jerks: at most 4 m/s^2 and 100 rad/s^2, also at the begin and at the end. */
            cr_assert_leq(vec3_distance(v, velocity), 0.004, "%s, frame %zu: by %g m/s",
                          scene->name, i, vec3_distance(v, velocity));
            cr_assert_leq(vec3_distance(w, spin), 0.1, "%s, frame %zu: by %g rad/s", scene->name, i,
                          vec3_distance(w, spin));
            velocity = v;
            spin = w;
        }
        cr_expect_leq(vec3_norm(velocity), 0.004, "%s", scene->name);
        cr_expect_leq(vec3_norm(spin), 0.1, "%s", scene->name);
        scn_trajectory_release(&device);
    }
}

/** A nut of a right-handed thread moves down by a pitch per turn, in the direction of its turn. */
Test(scenes, the_nut_turns_as_its_thread_winds)
{
    const scn_scene *nut;
    cr_assert_eq(scn_scene_find("nut", &nut, NULL), BASE_OK);
    scn_trajectory device = device_of(nut, 0);
    double turned = 0;
    for (size_t i = 0; i + 1 < device.frame_count; i++) {
        vec3 velocity, spin;
        motion_at(&device, i, &velocity, &spin);
        turned += 0.001 * spin.z / (2 * BASE_PI);
    }
    const double way =
        device.frames[device.frame_count - 1].position.z - device.frames[0].position.z;
    cr_expect_lt(way, -0.012, "%g m", way);
    /* An error of half a flank's play is added. */
    cr_expect_float_eq(turned, way / 0.004, 0.1, "%g turns over %g m", turned, way);
    scn_trajectory_release(&device);
}

/** Recordings of these devices stay comparable only if the devices have the same bits on every
 * machine. */
Test(scenes, devices_are_the_same_to_the_bit)
{
    static const struct {
        const char *name, *hash;
    } scenes[] = {
        {"peg", "ff525a6225cddb302013b8508df3f732"},
        {"scrape", "18ee4a6551a05253ecbfc7cb62437fa4"},
        {"nut", "1c730d6390327a412dc4f87c4e4b0bd1"},
        {"press", "adfc6e8f4df483139af6bc672e9e7703"},
        {"stir", "0fbeaf8f11e43dc54b357901c05530c2"},
    };
    size_t count = 0;
    while (scn_scenes[count].name) {
        count++;
    }
    cr_expect_eq(count, sizeof scenes / sizeof *scenes);
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        const scn_scene *scene;
        base_error err = {0};
        cr_assert_eq(scn_scene_find(scenes[i].name, &scene, &err), BASE_OK, "%s", err.text);
        scn_trajectory device = device_of(scene, 0);
        cr_expect_str_eq(trajectory_hash(&device).hex, scenes[i].hash, "%s: %s", scene->name,
                         trajectory_hash(&device).hex);
        scn_trajectory_release(&device);
    }
}

Test(scenes, a_device_takes_as_long_as_is_asked)
{
    const scn_scene *peg;
    cr_assert_eq(scn_scene_find("peg", &peg, NULL), BASE_OK);
    scn_trajectory whole = device_of(peg, 0), begin = device_of(peg, 0.25),
                   more = device_of(peg, 2);
    cr_expect_eq(whole.frame_count, 1801);
    cr_expect_str_eq(whole.source, "device of the scene peg, 1.8 s");
    cr_expect_eq(begin.frame_count, 251);
    cr_expect_str_eq(begin.source, "device of the scene peg, 0.25 s");
    for (size_t i = 0; i < begin.frame_count; i++) {
        cr_assert(vec3_equal(begin.frames[i].position, whole.frames[i].position), "frame %zu", i);
    }
    /* The device stays at its end. */
    cr_expect_eq(more.frame_count, 2001);
    expect_vec3(more.frames[2000].position, whole.frames[1800].position, 0, "end");
    scn_trajectory_release(&whole);
    scn_trajectory_release(&begin);
    scn_trajectory_release(&more);
    no_leak();
}

/* --- Errors ----------------------------------------------------------------------------------- */

Test(scenes, an_unknown_scene_is_an_error_that_names_near_ones)
{
    const scn_scene *scene = NULL;
    base_error err = {0};
    cr_expect_eq(scn_scene_find("scrap", &scene, &err), BASE_ERR_ARGUMENT);
    cr_expect_str_eq(err.text, "unknown scene 'scrap'; did you mean 'scrape'?");
    cr_expect_eq(scn_scene_find("banana", &scene, &err), BASE_ERR_ARGUMENT);
    cr_expect_str_eq(err.text, "unknown scene 'banana'");
    cr_expect_null(scene);
}

Test(scenes, a_device_that_does_not_fit_into_memory_is_an_error)
{
    size_t failed = 0;
    for (size_t n = 0; n < 20; n++) {
        scn_trajectory device;
        base_memory_fail_after(n);
        const base_status status = scn_scene_device(&scn_scenes[0], 0, &device, NULL);
        base_memory_fail_after(SIZE_MAX);
        if (status == BASE_OK) {
            scn_trajectory_release(&device);
            break;
        }
        cr_expect_eq(status, BASE_ERR_MEMORY);
        cr_expect_null(device.frames);
        failed++;
    }
    cr_expect(failed > 3 && failed < 20, "%zu", failed);
    no_leak();
}
