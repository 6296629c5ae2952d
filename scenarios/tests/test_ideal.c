/** Samplers of ideal bodies: paths of scenes with a known force, whose size is checked in
 * suite/tests/test_response.c, and pegs in holes, compared with walls in closed form. */
#include "base/tests/support.h"
#include "scenarios/models/generators.h"
#include "scenarios/models/models.h"
#include "scenarios/tests/support.h"
#include "scenarios/trajectories/sampling.h"

enum { FRAMES = 2000, SCENES = 6 };

static const char *const names[SCENES][2] = {{"bore", "pin"},     {"box", "cone"},
                                             {"box", "sphere"},   {"box", "cube"},
                                             {"channel", "cube"}, {"sphere", "box"}};
enum { PIN, CONE, SPHERE, CORNER, PEG, SLIDE };

static scn_pair pair_of(const char *a, const char *b)
{
    geo_mesh mesh_a, mesh_b;
    assert_ok(scn_mesh_open(a, &mesh_a, ERR));
    assert_ok(scn_mesh_open(b, &mesh_b, ERR));
    const scn_pair pair = scn_pair_make(&mesh_a, true, &mesh_b, true);
    geo_mesh_release(&mesh_a);
    geo_mesh_release(&mesh_b);
    return pair;
}

static base_status sample_pair(const scn_pair *pair, size_t frames, scn_trajectory *t,
                               base_error *err)
{
    const scn_oracle oracle = {0};
    const scn_sampler sampler = {.kind = SCN_RESPONSE, .frames = frames};
    return scn_sample(&sampler, pair, &oracle, t, err);
}

static scn_trajectory scene(size_t i, size_t frames)
{
    scn_trajectory t;
    const scn_pair pair = pair_of(names[i][0], names[i][1]);
    assert_ok(sample_pair(&pair, frames, &t, ERR));
    cr_assert_eq(t.frame_count, frames, "scene %zu", i);
    return t;
}

static double size_of(const scn_frame *frame)
{
    return vec3_norm(frame->known.force_m2);
}

/** Returns how often the force begins or ends. */
static size_t toggles(const scn_trajectory *t)
{
    size_t count = 0;
    for (size_t f = 1; f < t->frame_count; f++) {
        count += (size_of(&t->frames[f]) > 0) != (size_of(&t->frames[f - 1]) > 0);
    }
    return count;
}

Test(response, paths_are_closed_and_smooth)
{
    for (size_t i = 0; i < SCENES; i++) {
        SCOPED_TRAJECTORY t = scene(i, FRAMES);
        const scn_frame *const first = &t.frames[0], *const last = &t.frames[FRAMES - 1];
        cr_expect_lt(vec3_distance(first->position, last->position), 1e-15, "scene %zu", i);
        cr_expect_lt(geo_quat_chord(first->orientation, last->orientation), 1e-15, "scene %zu", i);
        double way = 0;
        for (size_t f = 1; f < FRAMES; f++) {
            const scn_frame *const from = &t.frames[f - 1], *const to = &t.frames[f];
            const double step = vec3_distance(from->position, to->position);
            way += step;
            cr_expect_eq(to->t_s, 0.001 * (double)f);
            cr_expect_lt(step, 2e-4, "scene %zu frame %zu: %g m", i, f, step);
            cr_expect_lt(geo_quat_chord(from->orientation, to->orientation), 2e-3, "scene %zu", i);
        }
        cr_expect_gt(way, 0.02, "scene %zu: %g m", i, way);
    }
    no_leak();
}

#define EXPECT_NEAR(value, expected, ...)                                                          \
    cr_expect(fabs((value) - (expected)) <= 1e-12 * fabs(expected), __VA_ARGS__)

/** The force follows from the chord of circles of 20 and 21 mm whose centres are 2 mm apart, and 20
 * mm of wall. */
Test(response, the_pin_turns_a_constant_force)
{
    scn_trajectory t = scene(PIN, FRAMES);
    const double size = 2e-5 * sqrt(39. * 1 * 3 * 43) / 2;
    for (size_t f = FRAMES / 10; f < FRAMES - FRAMES / 10; f++) {
        const scn_known *const known = &t.frames[f].known;
        const vec3 out = vec3_make(t.frames[f].position.x, t.frames[f].position.y, 0);
        EXPECT_NEAR(vec3_norm(known->force_m2), size, "frame %zu", f);
        EXPECT_NEAR(vec3_dot(known->force_m2, out), -2e-3 * size, "frame %zu: inwards", f);
        /* The pin's centroid is 15 mm above the middle of the wall, so the wall's force turns the
         * pin's end outwards. */
        const vec3 torque = vec3_cross(vec3_make(0, 0, -0.015), known->force_m2);
        cr_expect_lt(vec3_distance(known->torque_m3, torque), 1e-15 * size, "frame %zu", f);
    }
    cr_expect_eq(toggles(&t), 2);
    scn_trajectory_release(&t);
    no_leak();
}

/** The force is the area of an ellipse. The volume is a third of that area times the depth. */
Test(response, the_cone_turns_a_constant_torque)
{
    scn_trajectory t = scene(CONE, FRAMES);
    const double c = cos(BASE_PI / 9), s = sin(BASE_PI / 9);
    const double size = BASE_PI * 4 / 9 * 225e-6 / pow(c * c - 4. / 9 * s * s, 1.5);
    const double torque = vec3_norm(t.frames[FRAMES / 2].known.torque_m3);
    cr_expect(torque > 1e-3 * size && torque < 1e-1 * size, "%g", torque);
    for (size_t f = FRAMES / 10; f < FRAMES - FRAMES / 10; f++) {
        const scn_known *const known = &t.frames[f].known;
        EXPECT_NEAR(known->force_m2.z, size, "frame %zu: %.17g", f, known->force_m2.z);
        EXPECT_NEAR(vec3_norm(known->force_m2), size, "frame %zu: straight up", f);
        EXPECT_NEAR(vec3_norm(known->torque_m3), torque, "frame %zu", f);
        cr_expect_eq(known->torque_m3.z, 0, "frame %zu", f);
    }
    cr_expect_eq(toggles(&t), 2);
    scn_trajectory_release(&t);
    no_leak();
}

/** The force is the area of a disc, pi d (2 r - d), with a depth of 6 mm at most. */
Test(response, the_sphere_dips_in_four_times)
{
    scn_trajectory t = scene(SPHERE, FRAMES + 1);
    EXPECT_NEAR(t.frames[FRAMES / 8].known.force_m2.z, BASE_PI * 6e-3 * 94e-3, "%.17g",
                t.frames[FRAMES / 8].known.force_m2.z);
    for (size_t f = 0; f <= FRAMES; f++) {
        const scn_known *const known = &t.frames[f].known;
        cr_expect_eq(vec3_norm(known->torque_m3), 0, "frame %zu", f);
        cr_expect_eq(known->force_m2.z, size_of(&t.frames[f]), "frame %zu: straight up", f);
    }
    cr_expect_eq(toggles(&t), 8);
    scn_trajectory_release(&t);
    no_leak();
}

/** The overlaps are 6 + 5.5 cos mm, shifted by a third of a turn. The least overlap has the largest
 * force, the product of the other two. */
Test(response, the_corner_swings_from_axis_to_axis)
{
    scn_trajectory t = scene(CORNER, FRAMES);
    size_t changes = 0, last = 3;
    for (size_t f = 0; f < FRAMES; f++) {
        const vec3 force = t.frames[f].known.force_m2, p = t.frames[f].position;
        const vec3 o = {0.05 + 0.03125 - p.x, 0.04 + 0.03125 - p.y, 0.03 + 0.03125 - p.z};
        cr_expect(vec3_distance(force, vec3_make(o.y * o.z, o.z * o.x, o.x * o.y)) < 1e-16,
                  "frame %zu", f);
        cr_expect(o.x > 0 && o.y > 0 && o.z > 0 && o.x + o.y + o.z < 0.0180001, "frame %zu", f);
        const size_t axis =
            force.x > force.y ? (force.x > force.z ? 0 : 2) : (force.y > force.z ? 1 : 2);
        changes += last < 3 && axis != last;
        last = axis;
    }
    cr_expect_eq(changes, 6, "%zu", changes);
    scn_trajectory_release(&t);
    no_leak();
}

/** The peg's edges are 62.5 mm. Its depth in the wall is its offset minus 1.953125 mm of room, and
 * the pressed area is an edge times the inserted length. */
Test(response, the_peg_is_pushed_by_the_wall_it_is_in)
{
    scn_trajectory t = scene(PEG, FRAMES);
    size_t right = 0, left = 0;
    for (size_t f = 0; f < FRAMES; f++) {
        const vec3 force = t.frames[f].known.force_m2, p = t.frames[f].position;
        const double depth = fabs(p.x) - 0.001953125, inserted = 0.0625 - p.z;
        if (depth > 0) {
            const double along = 0.0625 * inserted;
            EXPECT_NEAR(force.x, p.x > 0 ? -along : along, "frame %zu: %.17g", f, force.x);
            cr_expect(fabs(force.z - 0.0625 * depth) < 1e-16, "frame %zu: %.17g", f, force.z);
            cr_expect(fabs(force.y) < 1e-18, "frame %zu", f);
        } else {
            cr_expect_eq(vec3_norm(force), 0, "frame %zu", f);
        }
        right += depth > 0 && p.x > 0;
        left += depth > 0 && p.x < 0;
    }
    cr_expect_eq(toggles(&t), 8);
    cr_expect(right > FRAMES / 4 && left > FRAMES / 4, "%zu and %zu", right, left);
    scn_trajectory_release(&t);
    no_leak();
}

/** The force is the area of the disc that the face cuts out, pi d (2 r - d), orthogonal to the
 * face. */
Test(response, the_slide_keeps_its_force)
{
    scn_trajectory t = scene(SLIDE, FRAMES + 1);
    const double size = BASE_PI * 2e-3 * 98e-3;
    double least = 1, most = 0;
    for (size_t f = 0; f <= FRAMES; f++) {
        const scn_frame *const frame = &t.frames[f];
        const geo_pose turn = geo_pose_make(frame->orientation, vec3_make(0, 0, 0));
        const vec3 normal = geo_pose_apply(&turn, vec3_make(0, 0, 1));
        EXPECT_NEAR(vec3_norm(frame->known.force_m2), size, "frame %zu", f);
        EXPECT_NEAR(vec3_dot(frame->known.force_m2, normal), size, "frame %zu", f);
        EXPECT_NEAR(vec3_dot(frame->position, normal), 0.05 - 2e-3 + 0.03, "frame %zu", f);
        const vec3 torque = vec3_cross(vec3_scale(-1, frame->position), frame->known.force_m2);
        cr_expect_lt(vec3_distance(frame->known.torque_m3, torque), 1e-18, "frame %zu", f);
        if (f > 0) {
            const double step = vec3_distance(frame->position, t.frames[f - 1].position);
            least = fmin(least, step);
            most = fmax(most, step);
        }
    }
    cr_expect(least > 3.9999e-5 && most < 4.0001e-5, "%g to %g m a frame", least, most);
    scn_trajectory_release(&t);
    no_leak();
}

/* --- Forces by depth -------------------------------------------------------------------------- */

/** Returns the least distance from a point to the planes of a box, negative outside, and the inward
 * normal there. */
static double inside_box(vec3 lo, vec3 hi, vec3 x, vec3 *inward)
{
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        const vec3 axis = {k == 0, k == 1, k == 2};
        const double from_lo = vec3_get(x, k) - vec3_get(lo, k);
        const double from_hi = vec3_get(hi, k) - vec3_get(x, k);
        *inward =
            fmin(from_lo, from_hi) < least ? vec3_scale(from_lo < from_hi ? 1 : -1, axis) : *inward;
        least = fmin(least, fmin(from_lo, from_hi));
    }
    return least;
}

static const vec3 box_half = {SCN_BOX_X, SCN_BOX_Y, SCN_BOX_Z};
static const vec3 cube_edge = {SCN_CUBE_HALF, SCN_CUBE_HALF, SCN_CUBE_HALF};

/** Returns the depth of a point in the fixed body, negative outside, and its gradient. */
static double depth_in_fixed(int which, vec3 x, vec3 *gradient)
{
    if (which != PEG) {
        return inside_box(vec3_scale(-1, box_half), box_half, x, gradient);
    }
    /* Above the floor the channel consists of two boxes. */
    const double side = x.x > 0 ? 1 : -1;
    const vec3 mirrored = {side * x.x, x.y, x.z};
    const double d =
        inside_box(vec3_make(SCN_CHANNEL_WIDTH, -SCN_CHANNEL_Y, -SCN_CHANNEL_Z),
                   vec3_make(SCN_CHANNEL_X, SCN_CHANNEL_Y, SCN_CHANNEL_Z), mirrored, gradient);
    gradient->x *= side;
    return d;
}

/** True if a point, in the frame of the moving body, is inside it. */
static bool in_moving(int which, vec3 x)
{
    vec3 unused = {0};
    switch (which) {
    case CONE:
        return x.z > 0 && hypot(x.x, x.y) < x.z * (SCN_CONE_RADIUS / SCN_CONE_HEIGHT);
    case SPHERE:
        return vec3_norm(x) < SCN_SPHERE_RADIUS;
    default:
        return inside_box(vec3_scale(-1, cube_edge), cube_edge, x, &unused) > 0;
    }
}

/** Returns a box around the intersection of the bodies. */
static geo_box common_box(int which, vec3 p)
{
    const double x = SCN_BOX_X, y = SCN_BOX_Y, z = SCN_BOX_Z, h = SCN_CUBE_HALF;
    switch (which) {
    case CONE:
        return (geo_box){{p.x - 0.021, p.y - 0.021, p.z}, {p.x + 0.021, p.y + 0.021, z}};
    case SPHERE:
        return (geo_box){{p.x - 0.024, p.y - 0.024, p.z - SCN_SPHERE_RADIUS},
                         {p.x + 0.024, p.y + 0.024, z}};
    case CORNER:
        return (geo_box){{p.x - h, p.y - h, p.z - h}, {x, y, z}};
    default: {
        const double wall = SCN_CHANNEL_WIDTH;
        return (geo_box){{p.x > 0 ? wall : p.x - h, -h, p.z - h},
                         {p.x > 0 ? p.x + h : -wall, h, SCN_CHANNEL_Z}};
    }
    }
}

enum { CELLS = 90 }; /* along each axis */

/** Computes minus the integral of the depth's gradient over the common volume, and its torque. This
 * is an integral over the volume, while the closed forms are integrals over the surface. */
static void integrate(int which, const scn_frame *frame, vec3 centroid, vec3 *force, vec3 *torque)
{
    const geo_box box = common_box(which, frame->position);
    const geo_pose pose = geo_pose_make(frame->orientation, frame->position);
    const geo_pose back = geo_pose_inverse(&pose);
    const vec3 edges = vec3_scale(1. / CELLS, vec3_sub(box.hi, box.lo));
    const double cell = edges.x * edges.y * edges.z;
    *force = *torque = vec3_make(0, 0, 0);
    for (int i = 0; i < CELLS * CELLS * CELLS; i++) {
        const vec3 x = {box.lo.x + (i % CELLS + 0.5) * edges.x,
                        box.lo.y + (i / CELLS % CELLS + 0.5) * edges.y,
                        box.lo.z + (i / CELLS / CELLS + 0.5) * edges.z};
        vec3 gradient = {0};
        if (depth_in_fixed(which, x, &gradient) > 0 && in_moving(which, geo_pose_apply(&back, x))) {
            const vec3 push = vec3_scale(-cell, gradient);
            *force = vec3_add(*force, push);
            *torque = vec3_add(*torque, vec3_cross(vec3_sub(x, centroid), push));
        }
    }
}

Test(response, forces_by_depth_are_integrals_over_the_volume)
{
    for (int which = CONE; which <= PEG; which++) {
        SCOPED_TRAJECTORY t = scene((size_t)which, 101);
        const double height = which == CONE ? 0.75 * SCN_CONE_HEIGHT : 0;
        double largest = 0, largest_torque = 0;
        for (size_t f = 0; f < 101; f++) {
            const scn_known *const known = &t.frames[f].known;
            cr_assert_eq(known->mask, SCN_KNOWN_FORCE | SCN_KNOWN_DEPTH_FORCE);
            cr_expect_eq(vec3_norm(known->depth_force_m3) > 0, vec3_norm(known->force_m2) > 0,
                         "scene %d frame %zu", which, f);
            largest = fmax(largest, vec3_norm(known->depth_force_m3));
            largest_torque = fmax(largest_torque, vec3_norm(known->depth_torque_m4));
        }
        for (size_t f = 3; f < 101; f += 12) {
            const scn_frame *const frame = &t.frames[f];
            const geo_pose pose = geo_pose_make(frame->orientation, frame->position);
            const vec3 centroid = geo_pose_apply(&pose, vec3_make(0, 0, height));
            vec3 force, torque;
            if (vec3_norm(frame->known.force_m2) == 0) {
                continue;
            }
            integrate(which, frame, centroid, &force, &torque);
            cr_expect_lt(vec3_distance(force, frame->known.depth_force_m3), 0.01 * largest,
                         "scene %d frame %zu: %g of %g", which, f,
                         vec3_distance(force, frame->known.depth_force_m3), largest);
            cr_expect_lt(vec3_distance(torque, frame->known.depth_torque_m4),
                         0.01 * fmax(largest_torque, 0.05 * largest),
                         "scene %d frame %zu: %g of %g", which, f,
                         vec3_distance(torque, frame->known.depth_torque_m4), largest_torque);
        }
    }
    no_leak();
}

/** By spheres around A's centre, the force is pi times the integral of rho^2 - h^2, from h to r. */
Test(response, the_slide_keeps_its_force_by_depth)
{
    scn_trajectory t = scene(SLIDE, 101);
    const double r = 0.05, h = 0.048;
    const double size = BASE_PI * ((r * r * r - h * h * h) / 3 - h * h * (r - h));
    for (size_t f = 0; f < 101; f++) {
        const scn_known *const known = &t.frames[f].known;
        const vec3 expected = vec3_scale(size / vec3_norm(known->force_m2), known->force_m2);
        const vec3 torque = vec3_cross(vec3_scale(-1, t.frames[f].position), expected);
        cr_expect_lt(vec3_distance(known->depth_force_m3, expected), 1e-10 * size, "frame %zu", f);
        cr_expect_lt(vec3_distance(known->depth_torque_m4, torque), 1e-10 * size, "frame %zu", f);
    }
    scn_trajectory_release(&t);
    t = scene(PIN, 101);
    for (size_t f = 0; f < 101; f++) {
        cr_expect_eq(t.frames[f].known.mask, SCN_KNOWN_FORCE, "an elliptic integral");
    }
    scn_trajectory_release(&t);
    no_leak();
}

static void expect_refused(const scn_pair *pair, const char *what)
{
    scn_trajectory t;
    base_error err = {0};
    cr_expect_eq(sample_pair(pair, 3, &t, &err), BASE_ERR_ARGUMENT, "%s", what);
    cr_expect_not_null(strstr(err.text, "bore and pin, box and cone"), "%s: %s", what, err.text);
    cr_expect_null(t.frames, "%s", what);
}

Test(response, other_bodies_are_refused)
{
    static const char *const others[][2] = {
        {"pin", "bore"},
        {"bore", "sphere"},
        {"box", "box"},
        {"box", "sphere:triangles=80"},
        {"box", "sphere:scale=1.02"},
        {"box", "cube:x=0.01"},
        {"bore", "cone"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const scn_pair pair = pair_of(others[i][0], others[i][1]);
        expect_refused(&pair, others[i][1]);
    }
    const scn_pair pair = pair_of("box", "cube");
    for (int part = 0; part < 6; part++) {
        scn_pair other = pair;
        double *const parts[6] = {&other.box_a.lo.x, &other.box_a.hi.y,  &other.box_b.lo.z,
                                  &other.box_b.hi.x, &other.volume_a_m3, &other.volume_b_m3};
        *parts[part] *= 1.1;
        expect_refused(&other, "a box that is not quite one");
    }
    scn_trajectory t = scene(PIN, 1);
    cr_expect_eq(size_of(&t.frames[0]), 0, "one frame is the first");
    scn_trajectory_release(&t);
    no_leak();
}

Test(response, same_bits)
{
    static const char *const hashes[SCENES] = {
        "40fe5b1f144b7538682fdfea5bc66155", "897c9b124c38069b5cfcb3c648ffc28d",
        "1bff67b75790cdec7a7d1bec1fe7074d", "1ea6fc2df9ca454bcf19485986183a5d",
        "3c4348edfdb4ffaaece1a03c5b8d28a4", "f0d94049093d405cbfee7e59547ec941"};
    for (size_t i = 0; i < SCENES; i++) {
        SCOPED_TRAJECTORY t = scene(i, FRAMES);
        const base_hash_text hash = trajectory_hash(&t);
        cr_expect_str_eq(hash.hex, hashes[i], "scene %zu: %s", i, hash.hex);
    }
    no_leak();
}

/* --- Insertion -------------------------------------------------------------------------------- */

enum { AROUND = 90 };

#define PRESS 5e-4

static base_status insert(const scn_pair *pair, size_t frames, uint64_t seed, scn_trajectory *t,
                          base_error *err)
{
    const scn_oracle oracle = {0};
    const scn_sampler sampler = {.kind = SCN_INSERTION, .frames = frames, .seed = seed};
    return scn_sample(&sampler, pair, &oracle, t, err);
}

static const struct {
    const char *a, *b;
    double clearance_m;
} pairs[] = {
    {"bore", "pin", 1e-3},
    {"bore", "pin:sx=1.045,sy=1.045", 1e-4},
    {"channel", "cube", 1.953125e-3},
    {"channel", "cube:sx=1.06", 7.8125e-5},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static scn_trajectory insertion(size_t i, uint64_t seed)
{
    scn_trajectory t;
    const scn_pair pair = pair_of(pairs[i].a, pairs[i].b);
    assert_ok(insert(&pair, FRAMES, seed, &t, ERR));
    cr_assert_eq(t.frame_count, FRAMES, "pair %zu", i);
    return t;
}

/* --- Depth of a point ------------------------------------------------------------------------- */

static double bore_depth(vec3 p)
{
    const double rho = sqrt(p.x * p.x + p.y * p.y);
    const double wall = fmin(rho - SCN_BORE_RADIUS, SCN_BORE_OUTSIDE - rho);
    return fmin(wall, 0.5 * SCN_BORE_LENGTH - fabs(p.z));
}

static double channel_depth(vec3 p)
{
    const double z = fmin(SCN_CHANNEL_Z - p.z, SCN_CHANNEL_Z + p.z);
    const double wall = fmax(fabs(p.x) - SCN_CHANNEL_WIDTH, SCN_CHANNEL_FLOOR - p.z);
    return fmin(fmin(wall, SCN_CHANNEL_X - fabs(p.x)), fmin(z, SCN_CHANNEL_Y - fabs(p.y)));
}

/** Returns the depth of the deepest point on the peg's side. Points are in rows of half a
 * millimetre from its end upwards. */
static double deepest(bool round, double half_width, const scn_frame *frame)
{
    const geo_pose pose = frame_pose(frame);
    const double half_height = round ? 0.5 * SCN_PIN_LENGTH : SCN_CUBE_HALF;
    double most = -INFINITY;
    for (int row = 0; row <= 90; row++) {
        for (int i = 0; i < AROUND; i++) {
            const double angle = 2 * BASE_PI * i / AROUND, z = 5e-4 * row - half_height;
            const vec3 side = round ? vec3_make(half_width * cos(angle), half_width * sin(angle), z)
                                    : vec3_make(i % 2 ? half_width : -half_width,
                                                (i / (double)AROUND - 0.5) * SCN_CUBE_HALF, z);
            const vec3 p = geo_pose_apply(&pose, side);
            most = fmax(most, round ? bore_depth(p) : channel_depth(p));
        }
    }
    return most;
}

/** The peg is never deeper than stated, except for the second order of the angle. It is deep in
 * many frames and free in many. */
Test(insertion, the_peg_presses_to_the_stated_depth)
{
    for (size_t i = 0; i < PAIRS; i += sweep_step(3)) {
        SCOPED_TRAJECTORY t = insertion(i, 1);
        const bool round = i < 2;
        const double half_width =
            (round ? SCN_BORE_RADIUS : SCN_CHANNEL_WIDTH) - pairs[i].clearance_m;
        size_t touching = 0, pressed = 0;
        double most = -INFINITY;
        for (size_t f = 0; f < FRAMES; f++) {
            const double depth = deepest(round, half_width, &t.frames[f]);
            touching += depth > 0;
            pressed += depth > 0.5 * PRESS;
            most = fmax(most, depth);
        }
        cr_expect(most > 0.7 * PRESS && most < 1.1 * PRESS, "pair %zu: %g m deep", i, most);
        cr_expect(touching > FRAMES / 10 && touching < FRAMES - FRAMES / 10, "pair %zu: %zu touch",
                  i, touching);
        cr_expect_gt(pressed, FRAMES / 100, "pair %zu: %zu", i, pressed);
    }
    no_leak();
}

/** The path begins and ends 2 mm in front of the mouth, upright, on the axis. */
Test(insertion, paths_are_closed_and_smooth)
{
    static const double deep[] = {0.03, 0.03, 0.04375, 0.04375};
    for (size_t i = 0; i < PAIRS; i++) {
        SCOPED_TRAJECTORY t = insertion(i, 7);
        const bool round = i < 2;
        const double half_height = round ? 0.5 * SCN_PIN_LENGTH : SCN_CUBE_HALF;
        const double mouth = round ? 0.5 * SCN_BORE_LENGTH : SCN_CHANNEL_Z;
        const double start = mouth + 2e-3 + half_height;
        const scn_frame *const ends[] = {&t.frames[0], &t.frames[FRAMES - 1]};
        double lowest = start;
        for (size_t k = 0; k < 2; k++) {
            cr_expect_lt(vec3_distance(ends[k]->position, vec3_make(0, 0, start)), 1e-15,
                         "pair %zu", i);
            cr_expect_lt(geo_quat_chord(ends[k]->orientation, geo_quat_identity()), 1e-15,
                         "pair %zu", i);
        }
        for (size_t f = 1; f < FRAMES; f++) {
            const scn_frame *const from = &t.frames[f - 1], *const to = &t.frames[f];
            const double step = vec3_distance(from->position, to->position);
            cr_expect_eq(to->t_s, 0.001 * (double)f);
            cr_expect_lt(step, 2e-4, "pair %zu frame %zu: %g m", i, f, step);
            cr_expect_lt(geo_quat_chord(from->orientation, to->orientation), 2e-3, "pair %zu", i);
            cr_expect_eq(to->known.mask, 0);
            lowest = fmin(lowest, to->position.z);
        }
        cr_expect(fabs(start - 2e-3 - lowest - deep[i]) < 5e-4, "pair %zu: %g", i, lowest);
    }
    no_leak();
}

/** In a channel only x and z change, and the peg turns only about y. */
Test(insertion, a_channel_is_pressed_across)
{
    scn_trajectory t = insertion(2, 3);
    for (size_t f = 0; f < FRAMES; f++) {
        const scn_frame *const frame = &t.frames[f];
        cr_expect(frame->position.y == 0 && frame->orientation.x == 0 && frame->orientation.z == 0,
                  "frame %zu", f);
    }
    scn_trajectory_release(&t);
    no_leak();
}

Test(insertion, the_seed_draws_where_it_presses)
{
    static const char *const hashes[PAIRS] = {
        "8c87a1c97382618722e94307d3f9c881", "c41977efc19d6aea7b035559645a1be2",
        "4e687d3a45e3efc4795c8377d16ad834", "eab3e225d785953beaa2a517e38775d7"};
    for (size_t i = 0; i < PAIRS; i++) {
        SCOPED_TRAJECTORY t = insertion(i, 1), same = insertion(i, 1), other = insertion(i, 2);
        const base_hash_text hash = trajectory_hash(&t), again = trajectory_hash(&same);
        cr_expect_str_eq(hash.hex, hashes[i], "pair %zu: %s", i, hash.hex);
        cr_expect_str_eq(hash.hex, again.hex);
        cr_expect_str_neq(hash.hex, trajectory_hash(&other).hex);
    }
    no_leak();
}

Test(insertion, other_bodies_are_refused)
{
    static const char *const others[][3] = {
        {"pin", "bore", "needs a hole and a peg"},
        {"bore", "cube:scale=0.5", "needs a hole and a peg"},
        {"bore", "pin:sx=1.045", "needs a hole and a peg"},
        {"bore", "pin:x=0.01", "needs a hole and a peg"},
        {"bore", "pin:sx=1.06,sy=1.06", "wider than the hole"},
        {"channel", "pin", "needs a hole and a peg"},
        {"channel", "sphere:scale=0.5", "needs a hole and a peg"},
        {"bore:scale=1.1", "pin", "needs a hole and a peg"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const scn_pair pair = pair_of(others[i][0], others[i][1]);
        scn_trajectory t;
        base_error err = {0};
        cr_expect_eq(insert(&pair, 3, 1, &t, &err), BASE_ERR_ARGUMENT, "row %zu", i);
        cr_expect_not_null(strstr(err.text, others[i][2]), "row %zu: %s", i, err.text);
        cr_expect_null(t.frames, "row %zu", i);
    }
    const scn_pair pair = pair_of("bore", "pin");
    scn_trajectory t;
    base_error err = {0};
    cr_assert_eq(insert(&pair, 1, 1, &t, &err), BASE_OK);
    cr_expect_eq(t.frame_count, 1, "one frame is the first");
    scn_trajectory_release(&t);
    no_leak();
}
