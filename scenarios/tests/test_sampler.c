/** Kinds of samplers, and properties that all of them have: the same bits, errors, names. */
#include "base/memory.h"
#include "geometry/vec.h"
#include "scenarios/tests/support.h"
#include "scenarios/trajectories/sampling.h"

enum { SPHERE_FRAMES = 300 };

static const scn_sampler sphere_distance = {.kind = SCN_SPHERE,
                                            .target = SCN_TARGET_DISTANCE,
                                            .hi = 0.2,
                                            .frames = SPHERE_FRAMES,
                                            .seed = 7};
static const scn_sampler sphere_volume = {.kind = SCN_SPHERE,
                                          .target = SCN_TARGET_VOLUME,
                                          .lo = 0.002,
                                          .hi = 0.3,
                                          .frames = 100,
                                          .seed = 7};

static double clamp_zero(double x)
{
    return x < 0 ? 0 : x;
}

/* --- Sphere ----------------------------------------------------------------------------------- */

/** Checks that every frame has the requested distance within tau, and that its file says so. */
static void assert_distances(const world *w, const scn_trajectory *t, const scn_sampler *s)
{
    const double slack = 1e-9 * world_size(w), scale = world_diagonal(w);
    for (size_t i = 0; i < t->frame_count; i++) {
        const scn_frame *const f = &t->frames[i];
        const double d = scale * (s->lo + (s->hi - s->lo) * (double)i / (double)(s->frames - 1));
        const geo_pose pose = frame_pose(f);
        const double distance = world_distance(w, &pose);
        cr_assert_float_eq(f->target, d, 1e-15, "frame %zu: %.17g, %.17g", i, f->target, d);
        cr_assert_eq(f->achieved, distance, "frame %zu: %.17g is not the pose's %.17g", i,
                     f->achieved, distance);
        cr_assert_leq(fabs(distance - d), slack, "frame %zu: %.17g, not %.17g", i, distance, d);
    }
}

/** Returns the value along a frame's line at s. */
static double line_value(const world *w, const scn_frame *f, double s, bool volume)
{
    const vec3 u = vec3_normalize(frame_offset(w, f));
    const vec3 at_origin = mat3_mul_vec3(geo_quat_matrix(f->orientation), w->bound_b.centre);
    const geo_pose pose =
        geo_pose_make(f->orientation, vec3_sub(vec3_madd(w->bound_a.centre, s, u), at_origin));
    return volume ? world_volume(w, &pose) : world_distance(w, &pose);
}

/** Counts the crossings of the value on the way from far to the frame, and beyond the frame. */
static void count_crossings(const world *w, const scn_frame *f, bool volume, size_t *before,
                            size_t *beyond)
{
    enum { STEPS = 1500 };
    const double s0 = vec3_norm(frame_offset(w, f));
    const double far = w->bound_a.radius + w->bound_b.radius + (volume ? 0 : f->target) + 0.001;
    const double noise = volume ? 2e-6 * world_least_volume(w) : 2e-9 * world_size(w);
    const double sign = volume ? 1 : -1;
    *before = *beyond = 0;
    bool reached = false;
    for (int i = 0; i <= STEPS; i++) {
        const double s = far + (s0 - far) * i / STEPS;
        const bool now = sign * (line_value(w, f, s, volume) - f->target) > noise;
        *before += now && !reached;
        reached = now;
    }
    reached = true;
    for (int i = 1; i <= STEPS; i++) {
        const double s = s0 - s0 * i / STEPS;
        const bool now = sign * (line_value(w, f, s, volume) - f->target) > -noise;
        *beyond += now != reached;
        reached = now;
    }
}

static void assert_first_roots(world w, const scn_sampler *s, bool volume, bool many)
{
    SCOPED_TRAJECTORY t = sample(&w, s);
    size_t others = 0;
    for (size_t i = 0; i < t.frame_count; i++) {
        size_t before, beyond;
        count_crossings(&w, &t.frames[i], volume, &before, &beyond);
        cr_assert_eq(before, 0, "seed %llu, frame %zu passed the first root",
                     (unsigned long long)s->seed, i);
        others += beyond > 0;
    }
    cr_assert(!many || others > t.frame_count / 10, "only %zu lines had other roots", others);
}

Test(sampler, sphere_meets_every_distance)
{
    world worlds[] = {world_two_balls(), world_dumbbells(), world_torus(), world_shell()};
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        SCOPED_TRAJECTORY t = sample(&worlds[i], &sphere_distance);
        assert_distances(&worlds[i], &t, &sphere_distance);
        cr_assert_leq(worlds[i].distances, 60 * t.frame_count, "world %zu: %zu queries", i,
                      worlds[i].distances);
        cr_assert_eq(worlds[i].volumes, 0);
    }
    no_leak();
}

Test(sampler, sphere_of_two_balls_is_the_closed_form)
{
    world w = world_two_balls();
    SCOPED_TRAJECTORY t = sample(&w, &sphere_distance);
    for (size_t i = 0; i < t.frame_count; i++) {
        const double apart = vec3_norm(frame_offset(&w, &t.frames[i]));
        cr_assert_float_eq(apart, 0.08 + t.frames[i].target, 1e-10, "frame %zu: %.17g", i, apart);
    }
}

Test(sampler, sphere_never_passes_the_first_place_with_the_distance)
{
    /* Many of these lines cross the distance again behind A, where a bisection might end. */
    assert_first_roots(world_torus(), &sphere_distance, false, true);
    assert_first_roots(world_dumbbells(), &sphere_distance, false, true);
    assert_first_roots(world_shell(), &sphere_distance, false, true);
}

Test(sampler, sphere_spreads_directions_and_orientations)
{
    world w = world_two_balls();
    SCOPED_TRAJECTORY t = sample(&w, &sphere_distance);
    vec3 mean_direction = {0, 0, 0}, mean_axis = {0, 0, 0};
    double nearest = INFINITY, with_value = 0;
    for (size_t i = 0; i < t.frame_count; i++) {
        const vec3 u = vec3_normalize(frame_offset(&w, &t.frames[i]));
        mean_direction = vec3_madd(mean_direction, 1.0 / SPHERE_FRAMES, u);
        mean_axis = vec3_madd(mean_axis, 1.0 / SPHERE_FRAMES,
                              geo_quat_matrix(t.frames[i].orientation).row[0]);
        with_value += u.z * ((double)i - 149.5) / 86.6 / SPHERE_FRAMES;
        for (size_t j = 0; j < i; j++) {
            const vec3 v = vec3_normalize(frame_offset(&w, &t.frames[j]));
            nearest = fmin(nearest, vec3_distance(u, v));
        }
    }
    cr_assert_lt(vec3_norm(mean_direction), 0.01);
    cr_assert_lt(vec3_norm(mean_axis), 0.2);
    /* 300 evenly distributed points are 0.2 apart; random ones come as near as 0.01. */
    cr_assert_gt(nearest, 0.12, "%g", nearest);
    cr_assert_lt(fabs(with_value), 0.15, "direction goes with the value: %g", with_value);
}

Test(sampler, sphere_meets_every_volume_first)
{
    world worlds[] = {world_two_balls(), world_dumbbells(), world_shell()};
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        world *const w = &worlds[i];
        scn_trajectory t = sample(w, &sphere_volume);
        const double least = world_least_volume(w);
        for (size_t k = 0; k < t.frame_count; k++) {
            const scn_frame *const f = &t.frames[k];
            const double v = least * (0.002 + 0.298 * (double)k / 99);
            const geo_pose pose = frame_pose(f);
            cr_assert_float_eq(f->target, v, 1e-18);
            cr_assert_eq(f->achieved, world_volume(w, &pose));
            cr_assert_leq(fabs(f->achieved - v), 1e-6 * least, "world %zu, frame %zu: %g, not %g",
                          i, k, f->achieved, v);
        }
        cr_assert_leq(w->volumes, 70 * t.frame_count, "world %zu: %zu queries", i, w->volumes);
        scn_trajectory_release(&t);
        assert_first_roots(worlds[i], &sphere_volume, true, false);
    }
    no_leak();
}

Test(sampler, a_volume_that_is_not_monotone_is_noted)
{
    /* A small ball in front of a large one. B passes through the small one first. */
    world w = {.shape = SHAPE_BALLS,
               .a = {2, {{{0, 0, 0}, 0.03}, {{0.09, 0, 0}, 0.006}}},
               .b = {1, {{{0, 0, 0}, 0.02}}},
               .bound_a = {{0.03, 0, 0}, 0.066},
               .bound_b = {{0, 0, 0}, 0.02}};
    const scn_sampler s = {.kind = SCN_SPHERE,
                           .target = SCN_TARGET_VOLUME,
                           .lo = 0.2,
                           .hi = 0.3,
                           .frames = 200,
                           .seed = 1};
    SCOPED_TRAJECTORY t = sample(&w, &s);
    cr_assert_not_null(strstr(t.source, "; volume not monotone in "), "%s", t.source);
    scn_trajectory_release(&t);
    w.a.count = 1;
    t = sample(&w, &s);
    cr_assert_null(strstr(t.source, "monotone"), "%s", t.source);
    cr_assert_str_eq(t.source, "sphere target=volume lo=0.2 hi=0.3 frames=200 seed=1 step=0.01");
}

Test(sampler, touching_at_zero)
{
    world w = world_dumbbells();
    scn_sampler s = sphere_distance;
    s.hi = 0;
    SCOPED_TRAJECTORY t = sample(&w, &s);
    for (size_t i = 0; i < t.frame_count; i++) {
        cr_assert_leq(t.frames[i].achieved, 1e-9 * world_size(&w));
    }
    scn_trajectory_release(&t);
    s.target = SCN_TARGET_VOLUME;
    t = sample(&w, &s);
    for (size_t i = 0; i < t.frame_count; i++) {
        const geo_pose pose = frame_pose(&t.frames[i]);
        cr_assert_leq(world_volume(&w, &pose), 1e-6 * world_least_volume(&w));
        cr_assert_leq(world_distance(&w, &pose), 1e-9 * world_size(&w));
    }
}

/* --- Lattice ---------------------------------------------------------------------------------- */

/** Returns the multiple of 15 degrees that an angle is, from 0 to 23. */
static size_t fifteens(double angle)
{
    const double steps = angle / (BASE_PI / 12), whole = nearbyint(steps);
    cr_assert_float_eq(steps, whole, 1e-6, "%.17g degrees", 180 / BASE_PI * angle);
    return (size_t)(whole < 0 ? whole + 24 : whole) % 24;
}

/** Returns the number of a direction: pole, 11 latitudes of 24 longitudes, pole. */
static size_t direction_number(vec3 u)
{
    const size_t polar = fifteens(base_acos(u.z));
    return polar == 0    ? 0
           : polar == 12 ? 265
                         : 1 + 24 * (polar - 1) + fifteens(base_atan2(u.y, u.x));
}

/** Returns the number of an orientation by its Euler angles. Those without a middle angle differ in
 * the sum or the difference of the others only; it is taken for the first. */
static size_t orientation_number(geo_quat q)
{
    const mat3 r = geo_quat_matrix(q);
    const vec3 x = r.row[0], y = r.row[1], z = r.row[2];
    const size_t middle = fifteens(base_acos(z.z));
    const bool straight = middle == 0 || middle == 12;
    const size_t first = fifteens(straight ? base_atan2(-x.y, y.y) : base_atan2(y.z, x.z));
    return 24 * (13 * first + middle) + (straight ? 0 : fifteens(base_atan2(z.y, -z.x)));
}

Test(sampler, lattice_has_all_directions_and_orientations)
{
    static size_t directions[266], orientations[7488];
    cr_assert_eq(SCN_LATTICE_POSES, 1991808);
    for (size_t i = 0; i < SCN_LATTICE_POSES; i += i < 7488 ? 1 : 7488) {
        const scn_line line = scn_lattice_line(i);
        const size_t direction = direction_number(line.direction);
        const size_t orientation = orientation_number(line.orientation);
        cr_assert_float_eq(vec3_norm(line.direction), 1, 1e-15);
        cr_assert(direction < 266 && orientation < 7488, "%zu: %zu, %zu", i, direction,
                  orientation);
        cr_assert(direction == i / 7488, "%zu: direction %zu", i, direction);
        directions[direction] += i >= 7488 || i == 0;
        orientations[orientation] += i < 7488;
    }
    for (size_t i = 0; i < 266; i++) {
        cr_assert_eq(directions[i], 1, "direction %zu: %zu times", i, directions[i]);
    }
    for (size_t i = 0; i < 7488; i++) {
        const bool straight = i / 24 % 13 == 0 || i / 24 % 13 == 12;
        const size_t times = !straight ? 1 : i % 24 == 0 ? 24 : 0;
        cr_assert_eq(orientations[i], times, "orientation %zu: %zu times", i, orientations[i]);
    }
}

/** Frames have their values, on lines of the lattice that are all different. */
Test(sampler, lattice_meets_every_distance)
{
    enum { FRAMES = 4000 };
    static bool used[266];
    world w = world_two_balls();
    scn_sampler s = sphere_distance;
    s.kind = SCN_LATTICE;
    s.frames = FRAMES;
    scn_trajectory t = sample(&w, &s);
    cr_assert_eq(t.frame_count, FRAMES);
    assert_distances(&w, &t, &s);
    size_t directions = 0, repeated = 0;
    double with_value = 0;
    for (size_t i = 0; i < FRAMES; i++) {
        const vec3 u = vec3_normalize(frame_offset(&w, &t.frames[i]));
        const size_t direction = direction_number(u);
        directions += !used[direction];
        used[direction] = true;
        orientation_number(t.frames[i].orientation);
        with_value += u.z * ((double)i - 0.5 * FRAMES) / FRAMES / FRAMES;
        for (size_t k = 0; k < i; k++) {
            repeated += vec3_equal(t.frames[i].position, t.frames[k].position);
        }
    }
    cr_assert_eq(directions, 266);
    cr_assert_eq(repeated, 0);
    cr_assert_lt(fabs(with_value), 0.02, "%g", with_value);
    cr_assert_str_eq(t.source, "lattice target=distance lo=0 hi=0.2 frames=4000 seed=7 step=0.01");
    scn_trajectory_release(&t);
    no_leak();
}

/** A line without a pose is not replaced by another one. */
Test(sampler, lattice_leaves_out_poses_off_the_target)
{
    world w = world_torus();
    const scn_sampler s = {.kind = SCN_LATTICE, .lo = 0.01, .hi = 0.02, .frames = 2000, .seed = 5};
    const scn_pair pair = world_pair(&w);
    const scn_oracle oracle = world_oracle(&w);
    scn_trajectory t;
    assert_ok(scn_sample(&s, &pair, &oracle, &t, ERR));
    const size_t left_out = 2000 - t.frame_count;
    char note[40];
    snprintf(note, sizeof note, "; %zu frames left out", left_out);
    cr_assert(left_out > 200 && left_out < 1800, "%zu", left_out);
    cr_assert_not_null(strstr(t.source, note), "%s", t.source);
    for (size_t i = 0; i < t.frame_count; i++) {
        direction_number(vec3_normalize(frame_offset(&w, &t.frames[i])));
    }
    scn_trajectory_release(&t);
    no_leak();
}

/* --- Grid ------------------------------------------------------------------------------------- */

Test(sampler, grid_reaches_cavities_and_sphere_does_not)
{
    world w = world_shell();
    const scn_sampler grid = {.kind = SCN_GRID, .hi = 0.1, .frames = 120, .seed = 3};
    scn_trajectory t = sample(&w, &grid);
    size_t inside = 0;
    assert_distances(&w, &t, &grid);
    for (size_t i = 0; i < t.frame_count; i++) {
        inside += vec3_norm(frame_offset(&w, &t.frames[i])) < w.inner;
    }
    cr_assert(inside > 5 && inside < 115, "%zu of 120 in the cavity", inside);
    cr_assert_leq(w.distances, 200 * t.frame_count, "%zu queries", w.distances);
    scn_trajectory_release(&t);
    t = sample(&w, &sphere_distance);
    for (size_t i = 0; i < t.frame_count; i++) {
        cr_assert_gt(vec3_norm(frame_offset(&w, &t.frames[i])), w.inner, "frame %zu", i);
    }
    scn_trajectory_release(&t);
    no_leak();
}

Test(sampler, grid_never_overlaps)
{
    world worlds[] = {world_two_balls(), world_dumbbells(), world_torus(), world_shell()};
    const scn_sampler grid = {.kind = SCN_GRID, .hi = 0, .frames = 40, .seed = 9};
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        SCOPED_TRAJECTORY t = sample(&worlds[i], &grid);
        assert_distances(&worlds[i], &t, &grid);
        for (size_t k = 0; k < t.frame_count; k++) {
            cr_assert_gt(t.frames[k].achieved, 0, "world %zu, frame %zu overlaps", i, k);
        }
    }
    no_leak();
}

Test(sampler, a_miss_is_drawn_anew)
{
    /* Along the axis of the torus, B passes through the hole, or the wall has the distance. */
    world w = world_torus();
    const scn_sampler s = {.kind = SCN_SPHERE, .lo = 0.01, .hi = 0.02, .frames = 2000, .seed = 5};
    SCOPED_TRAJECTORY t = sample(&w, &s);
    assert_distances(&w, &t, &s);
    double least = 1;
    for (size_t i = 0; i < t.frame_count; i++) {
        const vec3 u = vec3_normalize(frame_offset(&w, &t.frames[i]));
        least = fmin(least, clamp_zero(sqrt(u.x * u.x + u.y * u.y)));
    }
    /* Without new draws there would be frames within 0.03 of the axis. */
    cr_assert_gt(least, 0.03, "%g", least);
}

/* --- The pair --------------------------------------------------------------------------------- */

Test(sampler, pair_of_meshes)
{
    /* A regular tetrahedron with centre (1, 1, 1) and corners at distance 0.1 sqrt 3, and a vertex
     * without a face. */
    const vec3 corners[] = {
        {1.1, 1.1, 1.1}, {1.1, 0.9, 0.9}, {0.9, 1.1, 0.9}, {0.9, 0.9, 1.1}, {9, 9, 9}};
    const geo_face faces[] = {{{0, 1, 2}}, {{0, 3, 1}}, {{0, 2, 3}}, {{1, 3, 2}}};
    const geo_mesh m = {corners, 5, faces, 4};
    const scn_pair pair = scn_pair_make(&m, true, &m, false);
    const double r = 0.1 * sqrt(3);
    cr_assert_leq(vec3_distance(pair.ball_a.centre, vec3_make(1, 1, 1)), 1e-12);
    cr_assert_float_eq(pair.ball_a.radius, r, 1e-12);
    for (int i = 0; i < 4; i++) {
        cr_assert_leq(vec3_distance(corners[i], pair.ball_b.centre), pair.ball_b.radius);
    }
    cr_assert_float_eq(pair.box_a.hi.x, 1.1, 0);
    const double edge = 0.2 * sqrt(2);
    cr_assert_float_eq(pair.area_a_m2, sqrt(3) * edge * edge, 1e-12);
    cr_assert_float_eq(pair.volume_a_m3, edge * edge * edge / (6 * sqrt(2)), 1e-12);
    cr_assert_eq(pair.volume_b_m3, 0);
}

/** Checks the axes of a box that is turned in its file. The axis of the longest edge comes
 * first. */
Test(sampler, principal_axes_of_a_turned_box)
{
    static const geo_face faces[] = {
        {{0, 2, 1}}, {{1, 2, 3}}, {{4, 5, 6}}, {{5, 7, 6}}, {{0, 1, 4}}, {{1, 5, 4}},
        {{2, 6, 3}}, {{3, 6, 7}}, {{0, 4, 2}}, {{2, 4, 6}}, {{1, 3, 5}}, {{3, 7, 5}},
    };
    base_random random = base_random_seed(11);
    for (int trial = 0; trial < 20; trial++) {
        vec3 corners[8];
        const mat3 turn = geo_quat_matrix(geo_random_rotation(&random));
        for (int i = 0; i < 8; i++) {
            const vec3 p = {i & 1 ? 0.005 : 0, i & 2 ? 0.885 : 0, i & 4 ? 0.33 : 0};
            corners[i] = vec3_add(mat3_mul_vec3(turn, p), vec3_make(3, 4, 5));
        }
        const geo_mesh m = {corners, 8, faces, 12};
        const scn_pair pair = scn_pair_make(&m, true, &m, true);
        const mat3 axes = geo_quat_matrix(pair.axes_a);
        const vec3 edges[3] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
        for (int k = 0; k < 3; k++) {
            const vec3 unit = {k == 0, k == 1, k == 2};
            const vec3 axis = mat3_mul_vec3(axes, unit), edge = mat3_mul_vec3(turn, edges[k]);
            cr_assert_leq(vec3_norm(vec3_cross(axis, edge)), 1e-12, "trial %d, axis %d", trial, k);
        }
    }
}

Test(sampler, bounding_ball_is_the_smallest)
{
    /* The ball of a box is around its centre. Its radius is the distance of the farthest corner. */
    for (uint64_t seed = 1; seed <= 40; seed++) {
        base_random random = base_random_seed(seed);
        vec3 vertices[200];
        geo_face faces[200];
        /* The ball of random points on a sphere is nearly that sphere. */
        for (uint32_t i = 0; i < 200; i++) {
            vertices[i] = vec3_madd(vec3_make(0.3, -0.2, 0.1), 0.05, geo_random_direction(&random));
            faces[i] = (geo_face){{i, (i + 1) % 200, (i + 2) % 200}};
        }
        const geo_mesh m = {vertices, 200, faces, 200};
        const scn_pair pair = scn_pair_make(&m, false, &m, false);
        cr_assert_leq(pair.ball_a.radius, 0.05 * (1 + 1e-12), "seed %llu",
                      (unsigned long long)seed);
        cr_assert_geq(pair.ball_a.radius, 0.0499, "seed %llu", (unsigned long long)seed);
        for (int i = 0; i < 200; i++) {
            cr_assert_leq(vec3_distance(m.vertices[i], pair.ball_a.centre), pair.ball_a.radius,
                          "seed %llu", (unsigned long long)seed);
        }
    }
    no_leak();
}

/* --- Kinds ------------------------------------------------------------------------------------ */

static scn_sampler any_sampler(scn_sampler_kind kind)
{
    return (scn_sampler){.kind = kind, .lo = 0.01, .hi = 0.05, .frames = 120, .seed = 42};
}

Test(kinds, the_same_seed_gives_the_same_bits)
{
    for (int kind = SCN_SPHERE; kind <= SCN_GRID; kind++) {
        world w = world_dumbbells();
        scn_sampler s = any_sampler((scn_sampler_kind)kind);
        SCOPED_TRAJECTORY first = sample(&w, &s), again = sample(&w, &s);
        s.seed++;
        SCOPED_TRAJECTORY other = sample(&w, &s);
        const base_hash_text a = trajectory_hash(&first), b = trajectory_hash(&again),
                             c = trajectory_hash(&other);
        cr_assert_str_eq(a.hex, b.hex, "kind %d", kind);
        cr_assert_str_neq(a.hex, c.hex, "kind %d", kind);
    }
    no_leak();
}

/* By distance: every way begins and ends at its value, keeps its orientation, and is straight with
 * equal steps. */
Test(kinds, approaches_are_straight_and_even)
{
    world w = world_dumbbells();
    scn_sampler s = any_sampler(SCN_APPROACH);
    s.lo = 0;
    s.hi = 0.3;
    s.frames = 60;
    s.ways = 4;
    scn_trajectory t = sample(&w, &s);
    cr_assert_eq(t.frame_count, 60);
    for (size_t way = 0; way < 4; way++) {
        const scn_frame *const f = &t.frames[15 * way];
        const vec3 whole = vec3_sub(f[14].position, f[0].position);
        cr_assert(vec3_norm(whole) > 0, "way %zu", way);
        cr_assert_float_eq(f[14].achieved, 0, 1e-6, "way %zu ends %g m away", way, f[14].achieved);
        for (size_t i = 0; i < 15; i++) {
            const vec3 expected = vec3_madd(f[0].position, (double)i / 14, whole);
            cr_assert(vec3_distance(f[i].position, expected) < 1e-12, "way %zu, frame %zu", way, i);
            cr_assert_eq(memcmp(&f[i].orientation, &f[0].orientation, sizeof f->orientation), 0);
            cr_assert_eq(isnan(f[i].target), i < 14, "way %zu, frame %zu", way, i);
        }
        cr_assert(way == 0 ||
                  memcmp(&f->orientation, &t.frames[0].orientation, sizeof f->orientation) != 0);
    }
    cr_assert_not_null(strstr(t.source, "approach "), "%s", t.source);
    cr_assert_not_null(strstr(t.source, " ways=4"), "%s", t.source);
    scn_trajectory_release(&t);
    no_leak();
}

Test(kinds, poses_are_held)
{
    static const scn_sampler_kind kinds[] = {SCN_SPHERE, SCN_GRID, SCN_GLIDE};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        world w = world_dumbbells();
        scn_sampler s = any_sampler(kinds[k]);
        SCOPED_TRAJECTORY once = sample(&w, &s);
        const size_t asked = w.distances;
        w.distances = 0;
        s.hold = 3;
        SCOPED_TRAJECTORY held = sample(&w, &s);
        cr_assert_eq(w.distances, asked, "kind %d", kinds[k]);
        cr_assert_eq(held.frame_count, 3 * once.frame_count, "kind %d", kinds[k]);
        for (size_t i = 0; i < held.frame_count; i++) {
            const scn_frame *const f = &held.frames[i], *const pose = &once.frames[i / 3];
            cr_assert_float_eq(f->t_s, 0.001 * (double)i, 1e-15);
            cr_assert(vec3_equal(f->position, pose->position), "kind %d, frame %zu", kinds[k], i);
            cr_assert_eq(memcmp(&f->orientation, &pose->orientation, sizeof f->orientation), 0);
            cr_assert_eq(f->target, pose->target);
            cr_assert_eq(f->achieved, pose->achieved);
        }
        cr_assert_not_null(strstr(held.source, " hold=3"), "%s", held.source);
        cr_assert_null(strstr(once.source, "hold"), "%s", once.source);
    }
    no_leak();
}

/* The bits of generated files are a promise. They depend on samplers, random numbers, elementary
 * functions and number formats. */
Test(kinds, files_have_the_published_hashes)
{
    static const char *const hashes[] = {
        [SCN_SPHERE] = "fe81fada30b6e8682473308b86aa6e74",
        [SCN_GLIDE] = "8093cd7b6054f6a9063e27c7131310bb",
        [SCN_PRESS] = "eee813ffcf325f9e8242f3dd506a4091",
        [SCN_TUMBLE] = "b120454c21dd636a3859a7be41fec437",
        [SCN_GRID] = "2aebf5c184d1c14fc81a20c4e4589e8e",
        [SCN_LATTICE] = "cdfd643794b9ac5366b09969a076c672",
    };
    for (int kind = SCN_SPHERE; kind <= SCN_LATTICE; kind++) {
        if (!hashes[kind]) {
            continue;
        }
        /* Some lines of the lattice miss the dumbbell. */
        world w = kind == SCN_LATTICE ? world_two_balls() : world_dumbbells();
        const scn_sampler s = any_sampler((scn_sampler_kind)kind);
        SCOPED_TRAJECTORY t = sample(&w, &s);
        const base_hash_text hash = trajectory_hash(&t);
        cr_expect_str_eq(hash.hex, hashes[kind], "%s: %s",
                         scn_sampler_kind_name((scn_sampler_kind)kind), hash.hex);
    }
}

Test(kinds, an_error_of_the_oracle_ends_it)
{
    for (int kind = SCN_SPHERE; kind <= SCN_GRID; kind++) {
        world w = world_dumbbells();
        const scn_pair pair = world_pair(&w);
        const scn_oracle oracle = world_oracle(&w);
        const scn_sampler s = any_sampler((scn_sampler_kind)kind);
        scn_trajectory t = sample(&w, &s);
        const size_t calls = w.distances;
        scn_trajectory_release(&t);
        for (size_t at = 1; at <= calls; at += 1 + calls / 50) {
            base_error err = {0};
            w.distances = 0;
            w.fail_at = at;
            cr_assert_eq(scn_sample(&s, &pair, &oracle, &t, &err), BASE_ERR_SYSTEM,
                         "kind %d, call %zu of %zu", kind, at, calls);
            cr_assert_str_eq(err.text, "oracle stopped");
            cr_assert_eq(w.distances, at);
            cr_assert_null(t.frames);
        }
    }
    no_leak();
}

Test(kinds, an_error_of_the_volume_oracle_ends_it)
{
    for (int kind = SCN_SPHERE; kind <= SCN_TUMBLE; kind++) {
        world w = world_dumbbells();
        const scn_pair pair = world_pair(&w);
        const scn_oracle oracle = world_oracle(&w);
        scn_sampler s = any_sampler((scn_sampler_kind)kind);
        s.target = SCN_TARGET_VOLUME;
        scn_trajectory t = sample(&w, &s);
        const size_t calls = w.distances + w.volumes;
        scn_trajectory_release(&t);
        for (size_t at = 1; at <= calls; at += 1 + calls / 50) {
            base_error err = {0};
            w.distances = w.volumes = 0;
            w.fail_at = at;
            cr_assert_eq(scn_sample(&s, &pair, &oracle, &t, &err), BASE_ERR_SYSTEM, "kind %d",
                         kind);
            cr_assert_eq(w.distances + w.volumes, at);
        }
    }
    no_leak();
}

Test(kinds, out_of_memory_is_an_error)
{
    static const scn_sampler_kind kinds[] = {SCN_SPHERE, SCN_GLIDE, SCN_PRESS,
                                             SCN_TUMBLE, SCN_GRID,  SCN_LATTICE};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const scn_sampler_kind kind = kinds[k];
        world w = world_dumbbells();
        const scn_pair pair = world_pair(&w);
        const scn_oracle oracle = world_oracle(&w);
        const scn_sampler s = any_sampler(kind);
        scn_trajectory t;
        cr_assert_gt(
            COUNT_FAILURES(scn_sample(&s, &pair, &oracle, &t, ERR), scn_trajectory_release(&t)), 2);
    }
    no_leak();
}

static void assert_refused(const world *world_of, scn_sampler s, const char *message)
{
    world w = *world_of;
    const scn_pair pair = world_pair(&w);
    const scn_oracle oracle = world_oracle(&w);
    scn_trajectory t;
    base_error err = {0};
    cr_assert_eq(scn_sample(&s, &pair, &oracle, &t, &err), BASE_ERR_ARGUMENT, "%s", message);
    cr_assert_str_eq(err.text, message);
    cr_assert_null(t.frames);
}

Test(kinds, impossible_options_are_refused)
{
    const world two = world_two_balls(), torus = world_torus();
    const scn_sampler s = {.kind = SCN_SPHERE, .lo = 0, .hi = 0.1, .frames = 10};
    scn_sampler bad = s;
    bad.frames = 0;
    assert_refused(&two, bad, "a sampler needs at least one frame");
    bad = s;
    bad.lo = 0.2;
    assert_refused(&two, bad, "sampler values from 0.2 to 0.1: lo is above hi");
    bad = s;
    bad.lo = -0.1;
    assert_refused(&two, bad,
                   "sampler values from -0.1 to 0.1: they must be finite and not negative");
    bad = s;
    bad.hi = (double)NAN;
    assert_refused(&two, bad, "sampler values from 0 to nan: they must be finite and not negative");
    bad = s;
    bad.hi = 1001;
    assert_refused(&two, bad,
                   "sampler values from 0 to 1001: a distance is a multiple of A's diagonal, at "
                   "most 1000");
    bad = s;
    bad.step = -1;
    assert_refused(&two, bad, "sampler step -1: it must be from 1e-06 to 1");
    bad = s;
    bad.hold = 101;
    assert_refused(&two, bad, "sampler hold 101: it must be from 1 to 100");
    bad = s;
    bad.ways = 1001;
    assert_refused(&two, bad, "sampler ways 1001: it must be from 1 to 1000");
    bad = s;
    bad.kind = SCN_APPROACH;
    bad.ways = 7;
    bad.frames = 20;
    assert_refused(&two, bad, "20 frames are not the same number for each of 7 ways");
    bad = s;
    bad.target = SCN_TARGET_VOLUME;
    assert_refused(&torus, bad,
                   "a sampler of volumes needs two solids; see `proxbench mesh check`");
    bad.hi = 1.5;
    assert_refused(&two, bad,
                   "sampler values from 0 to 1.5: a volume is a part of the smaller body, at most "
                   "1");
    bad.hi = 0.1;
    bad.kind = SCN_GRID;
    assert_refused(&two, bad, "sampler 'grid' takes distances only");
}

Test(kinds, targets_that_are_not_found_are_errors)
{
    /* B's balls are too far apart to be in A at the same time. */
    world w = world_dumbbells();
    w.b.ball[0].centre.x += 0.2;
    w.bound_b = (geo_ball){vec3_scale(0.5, vec3_add(w.b.ball[0].centre, w.b.ball[1].centre)), 0.15};
    const scn_sampler s = {
        .kind = SCN_SPHERE, .target = SCN_TARGET_VOLUME, .lo = 0.9, .hi = 0.9, .frames = 10};
    const scn_pair pair = world_pair(&w);
    const scn_oracle oracle = world_oracle(&w);
    scn_trajectory t;
    base_error err = {0};
    cr_assert_eq(scn_sample(&s, &pair, &oracle, &t, &err), BASE_ERR_ARGUMENT);
    cr_assert_not_null(strstr(err.text, "no pose of volume 2.54469e-05 m3 found in 80 "
                                        "draws"),
                       "%s", err.text);
    no_leak();
}

/** The calls of the oracle's left_out. */
static struct {
    size_t count, frames[16];
    double wanted[16];
} told;

static void note_left_out(void *context, size_t frame, double wanted)
{
    (void)context;
    cr_assert_lt(told.count, 16);
    told.frames[told.count] = frame;
    told.wanted[told.count++] = wanted;
}

/** A ball that is thicker than the wall it passes through: the larger values have no pose. */
Test(kinds, frames_that_cannot_be_found_are_left_out)
{
    world w = world_shell();
    w.b.ball[0].radius = w.bound_b.radius = 0.015;
    const scn_sampler s = {
        .kind = SCN_SPHERE, .target = SCN_TARGET_VOLUME, .lo = 0.1, .hi = 1, .frames = 10};
    const scn_pair pair = world_pair(&w);
    scn_oracle oracle = world_oracle(&w);
    oracle.left_out = note_left_out;
    scn_trajectory t;
    assert_ok(scn_sample(&s, &pair, &oracle, &t, ERR));
    const double scale = world_least_volume(&w);
    double most = 0;
    for (int i = 0; i <= 1000; i++) {
        const vec3 place = {w.centre.x + w.inner + 0.02 * i / 1000, w.centre.y, w.centre.z};
        most = fmax(most, world_lens(&w, place, 0.015) / scale);
    }
    cr_assert(most > 0.75 && most < 0.98, "%g", most);
    cr_assert_eq(t.frame_count, (size_t)(10 * most), "%zu of %g", t.frame_count, most);
    for (size_t i = 0; i < t.frame_count; i++) {
        cr_assert_float_eq(t.frames[i].t_s, 0.001 * (double)i, 1e-15);
        cr_assert_float_eq(t.frames[i].target, scale * 0.1 * (double)(i + 1), 1e-9 * scale);
        cr_assert_leq(fabs(t.frames[i].achieved - t.frames[i].target), 1e-6 * scale);
    }
    cr_assert_eq(told.count, 10 - t.frame_count);
    for (size_t k = 0; k < told.count; k++) {
        cr_assert_eq(told.frames[k], t.frame_count + k);
        cr_assert_float_eq(told.wanted[k], scale * 0.1 * (double)(told.frames[k] + 1),
                           1e-9 * scale);
    }
    char note[40];
    snprintf(note, sizeof note, "; %zu frames left out", told.count);
    cr_assert_not_null(strstr(t.source, note), "%s", t.source);
    scn_trajectory_release(&t);
    no_leak();
}

/** Samples a ball in a wall that is thinner than the ball. */
static scn_trajectory sample_wall(size_t frames, double lo, double hi)
{
    world w = world_shell();
    w.b.ball[0].radius = w.bound_b.radius = 0.015;
    const scn_sampler s = {
        .kind = SCN_SPHERE, .target = SCN_TARGET_VOLUME, .lo = lo, .hi = hi, .frames = frames};
    const scn_pair pair = world_pair(&w);
    const scn_oracle oracle = world_oracle(&w);
    scn_trajectory t;
    assert_ok(scn_sample(&s, &pair, &oracle, &t, ERR));
    return t;
}

Test(kinds, one_frame_is_enough)
{
    scn_trajectory t = sample_wall(1, 0.1, 0.1);
    cr_assert_eq(t.frame_count, 1);
    cr_assert_null(strstr(t.source, "left out"), "%s", t.source);
    scn_trajectory_release(&t);
    t = sample_wall(2, 0.1, 1);
    cr_assert_eq(t.frame_count, 1);
    cr_assert_not_null(strstr(t.source, "; 1 frame left out"), "%s", t.source);
    scn_trajectory_release(&t);
    no_leak();
}

/** The effort per frame without a pose decreases from frame to frame, until a pose is found
 * again. */
Test(kinds, what_is_out_of_reach_costs_less_and_less)
{
    world w = world_shell();
    const scn_pair pair = world_pair(&w);
    const scn_oracle oracle = world_oracle(&w);
    const scn_sampler s = {.kind = SCN_SPHERE, .frames = 100};
    scn_trajectory t;
    scn_run run;
    t = (scn_trajectory){0};
    assert_ok(scn_run_start(&s, &pair, &oracle, &t, &run, ERR));
    const int draws[] = {80, 50, 35, 27, 24, 24, 24, 24, 24, 24};
    for (int found = 0; found < 2; found++) {
        for (size_t i = 0; i < sizeof draws / sizeof *draws; i++) {
            cr_expect_eq(scn_run_draws(&run), draws[i], "%d after %zu frames", scn_run_draws(&run),
                         i);
            scn_run_leave_out(&run, i, 0);
        }
        assert_ok(scn_run_append(&run, geo_quat_identity(), vec3_make(0, 0, 0), 0, 0, ERR));
    }
    scn_trajectory_release(&t);
    no_leak();
}

Test(kinds, kinds_and_targets_have_names)
{
    base_error err = {0};
    for (int kind = SCN_SPHERE; kind <= SCN_LATTICE; kind++) {
        scn_sampler_kind parsed;
        const char *const name = scn_sampler_kind_name((scn_sampler_kind)kind);
        assert_ok(scn_sampler_kind_parse(name, &parsed, ERR));
        cr_assert_eq((int)parsed, kind);
    }
    for (int target = SCN_TARGET_DISTANCE; target <= SCN_TARGET_VOLUME; target++) {
        scn_target parsed;
        const char *const name = scn_target_name((scn_target)target);
        assert_ok(scn_target_parse(name, &parsed, ERR));
        cr_assert_eq((int)parsed, target);
    }
    scn_sampler_kind kind;
    scn_target target;
    cr_assert_eq(scn_sampler_kind_parse("glyde", &kind, &err), BASE_ERR_ARGUMENT);
    cr_assert_str_eq(err.text, "unknown sampler 'glyde' (sphere, glide, press, tumble, grid, "
                               "boxes, response, insertion, approach or lattice); "
                               "did you mean 'glide'?");
    cr_assert_eq(scn_target_parse("depth", &target, &err), BASE_ERR_ARGUMENT);
    cr_assert_str_eq(err.text, "unknown target 'depth' (distance or volume)");
}

/* --- Boxes ------------------------------------------------------------------------------------ */

static scn_pair box_pair(vec3 lo_a, vec3 hi_a, vec3 lo_b, vec3 hi_b)
{
    const vec3 a = vec3_sub(hi_a, lo_a), b = vec3_sub(hi_b, lo_b);
    return (scn_pair){
        .box_a = {lo_a, hi_a},
        .box_b = {lo_b, hi_b},
        .volume_a_m3 = a.x * a.y * a.z,
        .volume_b_m3 = b.x * b.y * b.z,
    };
}

/** Returns the length of the intersection of [a, b] and [c, d]; if negative, minus their
 * distance. */
static double common(double a, double b, double c, double d)
{
    return fmin(b, d) - fmax(a, c);
}

Test(kinds, boxes_know_their_answers)
{
    const vec3 half = {0.5, 0.25, 1};
    const scn_pair pair =
        box_pair(vec3_make(-0.5, 0, 1), vec3_make(0.5, 2, 2), vec3_scale(-1, half), half);
    const scn_oracle oracle = {0};
    const scn_sampler sampler = {.kind = SCN_BOXES, .frames = 2000, .seed = 3};
    SCOPED_TRAJECTORY t, again;
    assert_ok(scn_sample(&sampler, &pair, &oracle, &t, ERR));
    cr_assert_eq(t.frame_count, 2000);
    size_t touching = 0, apart = 0, over = 0, coplanar = 0;
    for (size_t i = 0; i < t.frame_count; i++) {
        const scn_frame *const f = &t.frames[i];
        const geo_pose pose = geo_pose_make(f->orientation, f->position);
        /* B about its origin, with aligned axes: half edges in A's axes. */
        double volume = 1, distance2 = 0, least = INFINITY;
        for (int axis = 0; axis < 3; axis++) {
            const vec3 row = pose.rotation.row[axis];
            const double h = fabs(row.x) * half.x + fabs(row.y) * half.y + fabs(row.z) * half.z;
            cr_assert_eq(fabs(row.x) + fabs(row.y) + fabs(row.z), 1, "frame %zu", i);
            const double c = vec3_get(f->position, axis);
            const double lo = vec3_get(pair.box_a.lo, axis), hi = vec3_get(pair.box_a.hi, axis);
            const double both = common(lo, hi, c - h, c + h);
            volume *= fmax(0, both);
            distance2 += both < 0 ? both * both : 0;
            least = fmin(least, both);
            coplanar += c - h == lo || c - h == hi || c + h == lo || c + h == hi;
        }
        cr_assert_eq(f->known.mask, SCN_KNOWN_DISTANCE | SCN_KNOWN_VOLUME);
        cr_assert_eq(f->known.volume_m3, volume, "frame %zu: %.17g", i, volume);
        cr_assert_eq(f->known.distance_m, sqrt(distance2), "frame %zu", i);
        touching += least == 0;
        apart += least < 0;
        over += least > 0;
    }
    cr_assert(touching > 200 && apart > 200 && over > 200 && coplanar > 1000,
              "%zu touch, %zu apart, %zu over, %zu axes coplanar", touching, apart, over, coplanar);
    assert_ok(scn_sample(&sampler, &pair, &oracle, &again, ERR));
    for (size_t i = 0; i < t.frame_count; i++) {
        const scn_frame *const f = &t.frames[i], *const g = &again.frames[i];
        cr_assert(vec3_equal(f->position, g->position) &&
                      memcmp(&f->orientation, &g->orientation, sizeof f->orientation) == 0 &&
                      f->known.volume_m3 == g->known.volume_m3 &&
                      f->known.distance_m == g->known.distance_m,
                  "frame %zu differs the second time", i);
    }
}

Test(kinds, boxes_must_be_boxes)
{
    const vec3 one = {1, 1, 1};
    scn_pair pair = box_pair(vec3_scale(-1, one), one, vec3_scale(-1, one), one);
    const scn_oracle oracle = {0};
    const scn_sampler sampler = {.kind = SCN_BOXES, .frames = 2};
    scn_trajectory t;
    base_error err = {0};
    pair.volume_b_m3 *= 0.999;
    cr_assert_eq(scn_sample(&sampler, &pair, &oracle, &t, &err), BASE_ERR_ARGUMENT);
    cr_assert_str_eq(err.text, "sampler 'boxes' needs two solid boxes");
    cr_assert_null(t.frames);
}
