#include "geometry/vec.h"
#include "scenarios/tests/support.h"

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
    scn_trajectory t = sample(&w, s);
    size_t others = 0;
    for (size_t i = 0; i < t.frame_count; i++) {
        size_t before, beyond;
        count_crossings(&w, &t.frames[i], volume, &before, &beyond);
        cr_assert_eq(before, 0, "seed %llu, frame %zu passed the first root",
                     (unsigned long long)s->seed, i);
        others += beyond > 0;
    }
    cr_assert(!many || others > t.frame_count / 10, "only %zu lines had other roots", others);
    scn_trajectory_release(&t);
}

Test(sampler, sphere_meets_every_distance)
{
    world worlds[] = {world_two_balls(), world_dumbbells(), world_torus(), world_shell()};
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        scn_trajectory t = sample(&worlds[i], &sphere_distance);
        assert_distances(&worlds[i], &t, &sphere_distance);
        cr_assert_leq(worlds[i].distances, 60 * t.frame_count, "world %zu: %zu queries", i,
                      worlds[i].distances);
        cr_assert_eq(worlds[i].volumes, 0);
        scn_trajectory_release(&t);
    }
    no_leak();
}

Test(sampler, sphere_of_two_balls_is_the_closed_form)
{
    world w = world_two_balls();
    scn_trajectory t = sample(&w, &sphere_distance);
    for (size_t i = 0; i < t.frame_count; i++) {
        const double apart = vec3_norm(frame_offset(&w, &t.frames[i]));
        cr_assert_float_eq(apart, 0.08 + t.frames[i].target, 1e-10, "frame %zu: %.17g", i, apart);
    }
    scn_trajectory_release(&t);
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
    scn_trajectory t = sample(&w, &sphere_distance);
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
    scn_trajectory_release(&t);
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

Test(sampler, volume_that_falls_on_the_way_is_told)
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
    scn_trajectory t = sample(&w, &s);
    cr_assert_not_null(strstr(t.source, "; volume not monotone in "), "%s", t.source);
    scn_trajectory_release(&t);
    w.a.count = 1;
    t = sample(&w, &s);
    cr_assert_null(strstr(t.source, "monotone"), "%s", t.source);
    cr_assert_str_eq(t.source, "sphere target=volume lo=0.2 hi=0.3 frames=200 seed=1 step=0.01");
    scn_trajectory_release(&t);
}

Test(sampler, touching_at_zero)
{
    world w = world_dumbbells();
    scn_sampler s = sphere_distance;
    s.hi = 0;
    scn_trajectory t = sample(&w, &s);
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
    scn_trajectory_release(&t);
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
        scn_trajectory t = sample(&worlds[i], &grid);
        assert_distances(&worlds[i], &t, &grid);
        for (size_t k = 0; k < t.frame_count; k++) {
            cr_assert_gt(t.frames[k].achieved, 0, "world %zu, frame %zu overlaps", i, k);
        }
        scn_trajectory_release(&t);
    }
    no_leak();
}

Test(sampler, a_miss_is_drawn_anew)
{
    /* Along the axis of the torus, B passes through the hole, or the wall has the distance. */
    world w = world_torus();
    const scn_sampler s = {.kind = SCN_SPHERE, .lo = 0.01, .hi = 0.02, .frames = 2000, .seed = 5};
    scn_trajectory t = sample(&w, &s);
    assert_distances(&w, &t, &s);
    double least = 1;
    for (size_t i = 0; i < t.frame_count; i++) {
        const vec3 u = vec3_normalize(frame_offset(&w, &t.frames[i]));
        least = fmin(least, clamp_zero(sqrt(u.x * u.x + u.y * u.y)));
    }
    /* Without new draws there would be frames within 0.03 of the axis. */
    cr_assert_gt(least, 0.03, "%g", least);
    scn_trajectory_release(&t);
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
