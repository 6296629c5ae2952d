#include "algorithms/bounds/bracket.h"
#include "algorithms/bounds/tests/reference.h"
#include "algorithms/tests/pair.h"
#include "base/simd.h"
#include "base/tests/support.h"

#include <stdlib.h>

/* --- Oracle: overlaps of convex bodies, face by face ------------------------------------------ */

enum { CONVEX_PLANES_MAX = 512, CONVEX_CORNERS_MAX = 600 };

/** The points with dot(normal, x) <= offset for all planes. */
typedef struct convex {
    vec3 normals[CONVEX_PLANES_MAX];
    double offsets[CONVEX_PLANES_MAX];
    size_t count;
} convex;

/** Adds a plane unless it is already present, up to rounding. */
static void convex_add(convex *c, vec3 normal, double offset)
{
    for (size_t i = 0; i < c->count; i++) {
        if (vec3_distance(c->normals[i], normal) < 1e-9 && fabs(c->offsets[i] - offset) < 1e-12) {
            return;
        }
    }
    cr_assert_lt(c->count, CONVEX_PLANES_MAX);
    c->normals[c->count] = normal;
    c->offsets[c->count++] = offset;
}

/** Adds the planes of a convex mesh's faces, moved by the pose. */
static void convex_add_mesh(convex *c, const geo_mesh *mesh, const geo_pose *pose)
{
    for (size_t f = 0; f < mesh->face_count; f++) {
        const geo_triangle t = geo_pose_apply_triangle(pose, geo_mesh_triangle(mesh, f));
        const vec3 normal =
            vec3_normalize(vec3_cross(vec3_sub(t.p[1], t.p[0]), vec3_sub(t.p[2], t.p[0])));
        convex_add(c, normal, vec3_dot(normal, t.p[0]));
    }
}

/** Cuts off the part above a plane. Returns the number of remaining corners. */
static size_t convex_cut(vec3 *p, size_t count, vec3 normal, double offset)
{
    vec3 kept[CONVEX_CORNERS_MAX];
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const vec3 a = p[i], b = p[(i + 1) % count];
        const double above_a = vec3_dot(normal, a) - offset, above_b = vec3_dot(normal, b) - offset;
        if (above_a <= 0) {
            kept[n++] = a;
        }
        if ((above_a < 0 && above_b > 0) || (above_a > 0 && above_b < 0)) {
            kept[n++] = vec3_madd(a, above_a / (above_a - above_b), vec3_sub(b, a));
        }
    }
    memcpy(p, kept, n * sizeof *p);
    return n;
}

/** Returns the sum of the pyramids over the faces. size: greatest distance of a point from the
 * origin. */
static double convex_volume(const convex *c, double size)
{
    double volume = 0;
    for (size_t i = 0; i < c->count; i++) {
        const vec3 n = c->normals[i];
        const vec3 u =
            vec3_normalize(vec3_cross(n, fabs(n.x) < 0.6 ? (vec3){1, 0, 0} : (vec3){0, 1, 0}));
        const vec3 v = vec3_cross(n, u), base = vec3_scale(c->offsets[i], n);
        vec3 p[CONVEX_CORNERS_MAX] = {
            vec3_madd(vec3_madd(base, 2 * size, u), 2 * size, v),
            vec3_madd(vec3_madd(base, -2 * size, u), 2 * size, v),
            vec3_madd(vec3_madd(base, -2 * size, u), -2 * size, v),
            vec3_madd(vec3_madd(base, 2 * size, u), -2 * size, v),
        };
        size_t count = 4;
        for (size_t k = 0; k < c->count && count > 0; k++) {
            if (k != i) {
                count = convex_cut(p, count, c->normals[k], c->offsets[k]);
            }
        }
        vec3 area = {0, 0, 0};
        for (size_t k = 1; k + 1 < count; k++) {
            area = vec3_add(area, vec3_cross(vec3_sub(p[k], p[0]), vec3_sub(p[k + 1], p[0])));
        }
        volume += c->offsets[i] * vec3_dot(n, area) / 6;
    }
    return volume;
}

/** Returns the common volume of A and B at a pose, both convex and within `size` of the origin. */
static double convex_overlap(const geo_mesh *a, const geo_mesh *b, const geo_pose *pose,
                             double size)
{
    convex c = {.count = 0};
    const geo_pose here = geo_pose_identity();
    convex_add_mesh(&c, a, &here);
    convex_add_mesh(&c, b, pose);
    return convex_volume(&c, size);
}

/* --- Bodies ----------------------------------------------------------------------------------- */

typedef struct fixture {
    base_arena arena;
    geo_mesh a, b;
    geo_surface surface;
    alg_bounds_slabs slabs;
    alg_bounds_cells cells;
    alg_bounds_bracket bracket;
    alg_bounds_cube cubes[ALG_BOUNDS_CUBES_MAX];
} fixture;

static fixture *set_up(geo_mesh a, geo_mesh b, uint32_t resolution)
{
    fixture *const f = base_alloc(1, sizeof *f);
    base_error err = {0};
    f->a = a;
    f->b = b;
    cr_assert(geo_surface_build(&f->a, &f->arena, &f->surface, &err) == BASE_OK &&
                  alg_bounds_slabs_build(&f->surface, resolution, &f->arena, &f->slabs, &err) ==
                      BASE_OK &&
                  alg_bounds_cells_build(&f->b, resolution, &f->arena, &f->cells, &err) == BASE_OK,
              "%s", err.text);
    f->bracket = (alg_bounds_bracket){
        .a = &f->slabs, .b = &f->cells, .cubes = f->cubes, .capacity = ALG_BOUNDS_CUBES_MAX};
    return f;
}

static void tear_down(fixture *f)
{
    geo_mesh_release(&f->a);
    geo_mesh_release(&f->b);
    base_arena_release(&f->arena);
    base_free(f);
}

static alg_bounds_volume run(fixture *f, const geo_pose *pose, uint64_t tests)
{
    alg_bounds_bracket *const k = &f->bracket;
    alg_bounds_bracket_begin(k, pose);
    while (k->tests < tests &&
           alg_bounds_bracket_step(k, tests - k->tests < 8 ? (uint32_t)(tests - k->tests) : 8)) {
    }
    return alg_bounds_bracket_bounds(k);
}

/** Runs with increasing budgets. Each bracket contains the truth and lies in the previous one. */
static alg_bounds_volume check(fixture *f, const geo_pose *pose, double truth, double slack,
                               const char *what)
{
    const uint64_t budgets[] = {1, 2, 7, 8, 9, 100, 500, 2500, UINT64_MAX};
    alg_bounds_volume last = {-INFINITY, 0, INFINITY};
    uint64_t tests = 0;
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        const alg_bounds_volume b = run(f, pose, budgets[i]);
        cr_assert(b.lower <= truth + slack && b.upper >= truth - slack,
                  "%s, budget %lu: %.17g to %.17g for %.17g", what, budgets[i], b.lower, b.upper,
                  truth);
        cr_assert(b.lower <= b.middle && b.middle <= b.upper, "%s", what);
        cr_assert(b.lower >= last.lower - slack && b.upper <= last.upper + slack,
                  "%s, budget %lu: %.17g to %.17g after %.17g to %.17g", what, budgets[i], b.lower,
                  b.upper, last.lower, last.upper);
        cr_assert(f->bracket.tests >= tests && f->bracket.tests <= budgets[i]);
        tests = f->bracket.tests;
        last = b;
    }
    return last;
}

/** Returns the tolerance of a comparison of volumes for bodies of this size, as the suite defines
 * it. */
static double slack_of(double truth, double size)
{
    return 1e-11 * truth + 64 * 0x1p-52 * size * 30 * size * size;
}

Test(bracket, turned_boxes)
{
    fixture *const f = set_up(shape_box((vec3){-1, -0.8, -0.6}, (vec3){1, 0.8, 0.6}),
                              shape_box((vec3){-0.5, -1, -0.7}, (vec3){0.5, 1, 0.7}), 32);
    size_t overlapping = 0;
    double width = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        base_random random = base_random_seed(seed);
        const geo_pose pose = shape_pose(&random, 1.2);
        const double truth = convex_overlap(&f->a, &f->b, &pose, 5);
        char what[32];
        snprintf(what, sizeof what, "seed %lu", seed);
        const alg_bounds_volume b = check(f, &pose, truth, slack_of(truth, 2), what);
        if (truth > 0.2) {
            overlapping++;
            width += (b.upper - b.lower) / truth;
            cr_assert_float_eq(b.middle, truth, 0.01 * truth, "%s: %g for %g", what, b.middle,
                               truth);
        }
    }
    cr_assert_gt(overlapping, 100, "%zu", overlapping);
    cr_assert_lt(width / (double)overlapping, 0.03, "%g", width / (double)overlapping);
    tear_down(f);
}

Test(bracket, curved_bodies_of_all_sizes)
{
    const double sizes[] = {1, 0.3, 3, 0.04, 25};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const double size = sizes[i];
        fixture *const f = set_up(shape_ball((vec3){0.1, 0, 0}, 1, 4),
                                  shape_ball((vec3){0, 0.2 * size, 0}, size, 3), 20);
        size_t partly = 0;
        for (uint64_t seed = 1; seed <= 25; seed += sweep_step(2)) {
            base_random random = base_random_seed(seed);
            geo_pose pose = shape_pose(&random, 0);
            const double apart = base_random_range(&random, fabs(1 - size), 1 + size);
            pose.translation = vec3_scale(apart, geo_random_direction(&random));
            const double truth = convex_overlap(&f->a, &f->b, &pose, 3 * (1 + size));
            char what[48];
            snprintf(what, sizeof what, "size %g, seed %lu", size, seed);
            check(f, &pose, truth, slack_of(truth, 1 + size), what);
            partly += truth > 0 && truth < 0.9 * fmin(f->slabs.volume, f->cells.volume);
        }
        cr_assert_gt(partly, 5 / sweep_step(2), "size %g: %zu", size, partly);
        tear_down(f);
    }
}

Test(bracket, cavities_do_not_count)
{
    /* Boxes along the axes: all volumes are sums of volumes of boxes. */
    const geo_box shell = {{-1, -1, -1}, {1, 1, 1}};
    const geo_box hole = {{-0.6, -0.5, -0.4}, {0.6, 0.5, 0.4}};
    fixture *const f = set_up(
        shape_join(shape_box(shell.lo, shell.hi), shape_reverse(shape_box(hole.lo, hole.hi))),
        shape_join(shape_box((vec3){0, 0, 0}, (vec3){0.5, 0.5, 0.5}),
                   shape_box((vec3){0.7, 0, 0}, (vec3){1.1, 0.5, 0.5})),
        32);
    for (uint64_t seed = 1; seed <= 150; seed++) {
        base_random random = base_random_seed(seed);
        geo_pose pose = geo_pose_identity();
        pose.translation = shape_point(&random, 1.2);
        const geo_box parts[2] = {{{0, 0, 0}, {0.5, 0.5, 0.5}}, {{0.7, 0, 0}, {1.1, 0.5, 0.5}}};
        double truth = 0;
        for (int i = 0; i < 2; i++) {
            for (int sign = 1; sign >= -1; sign -= 2) {
                const geo_box other = sign > 0 ? shell : hole;
                const vec3 lo = vec3_max(vec3_add(parts[i].lo, pose.translation), other.lo);
                const vec3 hi = vec3_min(vec3_add(parts[i].hi, pose.translation), other.hi);
                const vec3 size = vec3_max(vec3_sub(hi, lo), (vec3){0, 0, 0});
                truth += sign * size.x * size.y * size.z;
            }
        }
        char what[32];
        snprintf(what, sizeof what, "seed %lu", seed);
        check(f, &pose, truth, slack_of(truth, 1), what);
    }
    tear_down(f);
}

Test(bracket, what_is_decided_is_exact)
{
    fixture *f = set_up(shape_cube((vec3){0, 0, 0}, 2), shape_ball((vec3){0, 0, 0}, 0.5, 6), 16);
    const double volume = geo_mesh_measures(&f->b).volume_m3;
    /* B inside of A. */
    geo_pose pose = shape_shift(0.3, -0.5, 0.7);
    alg_bounds_volume b = check(f, &pose, volume, slack_of(volume, 2), "inside");
    cr_assert_leq(b.upper - b.lower, 1e-12 * volume);
    /* B apart from A, near and far. */
    const double far[] = {2.6, 4, 1e3, 1e9, 1e300};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        pose = shape_shift(far[i], 0.1, 0.2);
        b = check(f, &pose, 0, 0, "apart");
        cr_assert(b.lower == 0 && b.upper <= 1e-12 * volume, "%g: %g", far[i], b.upper);
    }
    tear_down(f);
    /* B in the cavity of a shell, and a shell around a ball. */
    f = set_up(
        shape_join(shape_cube((vec3){0, 0, 0}, 2), shape_reverse(shape_cube((vec3){0, 0, 0}, 1))),
        shape_ball((vec3){0, 0, 0}, 0.5, 6), 16);
    pose = shape_shift(0.1, 0.2, 0);
    b = check(f, &pose, 0, 0, "cavity");
    cr_assert_leq(b.upper, 1e-12);
    tear_down(f);
    f = set_up(shape_ball((vec3){0, 0, 0}, 0.5, 6), shape_cube((vec3){0, 0, 0}, 2), 16);
    b = check(f, &pose, volume, slack_of(volume, 2), "around");
    cr_assert_leq(b.upper - b.lower, 0.3 * volume, "%g to %g for %g", b.lower, b.upper, volume);
    tear_down(f);
}

Test(bracket, identical_and_coplanar_bodies)
{
    const double scales[] = {1, 1e-6, 1000};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i += sweep_step(2)) {
        const double s = scales[i], whole = 8 * s * s * s;
        fixture *f = set_up(shape_cube((vec3){0, 0, 0}, s), shape_cube((vec3){0, 0, 0}, s), 16);
        const double slack = slack_of(whole, s);
        geo_pose pose = geo_pose_identity();
        check(f, &pose, whole, slack, "identical");
        pose = shape_shift(s, 0, 0);
        check(f, &pose, 0.5 * whole, slack, "half on half");
        pose = shape_shift(2 * s, 0, 0);
        check(f, &pose, 0, slack, "face on face");
        pose = shape_shift(2 * s, 2 * s, 2 * s);
        check(f, &pose, 0, slack, "corner on corner");
        pose = geo_pose_make((geo_quat){0, 0, 1, 1}, (vec3){0, s, 0});
        check(f, &pose, 0.5 * whole, slack, "a quarter turn");
        tear_down(f);
        f = set_up(shape_ball((vec3){0, 0, 0}, s, 6), shape_ball((vec3){0, 0, 0}, s, 6), 16);
        pose = geo_pose_identity();
        const double volume = geo_mesh_measures(&f->a).volume_m3;
        check(f, &pose, volume, slack_of(volume, s), "identical balls");
        tear_down(f);
    }
}

Test(bracket, finer_cells_narrow_it)
{
    double last = INFINITY;
    const uint32_t finest = sweep_step(2) == 1 ? 64 : 32;
    for (uint32_t resolution = 8; resolution <= finest; resolution *= 2) {
        fixture *const f = set_up(shape_ball((vec3){0, 0, 0}, 1, 12),
                                  shape_ball((vec3){0, 0, 0}, 1, 12), resolution);
        double width = 0;
        for (uint64_t seed = 1; seed <= 20; seed++) {
            base_random random = base_random_seed(seed);
            geo_pose pose = shape_pose(&random, 0);
            pose.translation = vec3_scale(0.7, geo_random_direction(&random));
            const alg_bounds_volume b = run(f, &pose, UINT64_MAX);
            width += (b.upper - b.lower) / b.middle / 20;
        }
        cr_assert_lt(width, 0.4 * last, "%u: %g after %g", resolution, width, last);
        last = width;
        tear_down(f);
    }
    cr_assert_lt(last, 0.01 * (64.0 / finest) * (64.0 / finest), "%g", last);
}

Test(bracket, a_full_queue_keeps_the_bounds)
{
    fixture *const f =
        set_up(shape_ball((vec3){0, 0, 0}, 1, 4), shape_ball((vec3){0, 0, 0}, 1, 3), 24);
    double last = INFINITY;
    for (uint32_t capacity = 2; capacity <= 2048; capacity *= 4) {
        f->bracket.capacity = capacity;
        double width = 0;
        for (uint64_t seed = 1; seed <= 20; seed++) {
            base_random random = base_random_seed(seed);
            const geo_pose pose = shape_pose(&random, 0.7);
            const double truth = convex_overlap(&f->a, &f->b, &pose, 5);
            const alg_bounds_volume b = check(f, &pose, truth, slack_of(truth, 1), "queue");
            width += b.upper - b.lower;
            cr_assert_lt(f->bracket.used, capacity);
        }
        cr_assert_leq(width, last);
        last = width;
    }
    tear_down(f);
}

/* --- Cuts ------------------------------------------------------------------------------------- */

Test(bracket, cuts_are_those_of_an_oracle)
{
    for (uint64_t seed = 1; seed <= 500; seed++) {
        base_random random = base_random_seed(seed);
        const double edge = seed % 3 == 0 ? 0.25 : 2;
        const geo_pose pose =
            seed % 5 == 0 ? shape_shift(0.1, -0.2, 0.3) : shape_pose(&random, 0.5);
        alg_bounds_cuts cuts = {.edge = edge, .axes = mat3_transpose(pose.rotation)};
        vec3 normals[ALG_BOUNDS_CUTS];
        for (int i = 0; i < ALG_BOUNDS_CUTS; i++) {
            /* Also normals along an axis of the cube, and nearly so. */
            const vec3 axis = {i == 1 || i == 2, i == 3, i == 4};
            const double off = i == 2 ? 1e-9 : i == 4 ? 1e-4 : 0;
            const vec3 near = geo_pose_rotate(&pose, vec3_madd(axis, off, (vec3){0.3, 1, 0.2}));
            normals[i] = vec3_normalize(i >= 1 && i <= 4 ? near : geo_random_direction(&random));
            cuts.x[i] = pose.translation.x;
            cuts.y[i] = pose.translation.y;
            cuts.z[i] = pose.translation.z;
            cuts.nx[i] = normals[i].x;
            cuts.ny[i] = normals[i].y;
            cuts.nz[i] = normals[i].z;
            cuts.lower[i] =
                base_random_range(&random, -edge, edge) + vec3_dot(normals[i], pose.translation);
            cuts.upper[i] = cuts.lower[i] + (i == 5 ? 0 : base_random_range(&random, 0, 0.3));
            cuts.middle[i] = 0.5 * (cuts.lower[i] + cuts.upper[i]);
        }
        alg_bounds_cuts twin = cuts;
        alg_bounds_cut_sse2(&cuts, ALG_BOUNDS_CUTS);
        if (base_cpu_avx2()) {
            alg_bounds_cut_avx2(&twin, ALG_BOUNDS_CUTS);
            cr_assert_arr_eq(&cuts, &twin, sizeof cuts, "seed %lu", seed);
        }
        SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 0.5 * edge);
        for (int i = 0; i < ALG_BOUNDS_CUTS; i++) {
            const double offsets[3] = {cuts.lower[i], cuts.middle[i], cuts.upper[i]};
            double parts[3];
            for (int k = 0; k < 3; k++) {
                convex c = {.count = 0};
                convex_add_mesh(&c, &cube, &pose);
                convex_add(&c, normals[i], offsets[k]);
                parts[k] = convex_volume(&c, 10) / (edge * edge * edge);
            }
            const double apart = 1e-3;
            cr_assert(cuts.below_lower[i] <= parts[0] + 1e-12 &&
                          cuts.below_lower[i] >= parts[0] - apart,
                      "seed %lu, %d: %.17g for %.17g", seed, i, cuts.below_lower[i], parts[0]);
            cr_assert(cuts.below_upper[i] >= parts[2] - 1e-12 &&
                          cuts.below_upper[i] <= parts[2] + apart,
                      "seed %lu, %d: %.17g for %.17g", seed, i, cuts.below_upper[i], parts[2]);
            cr_assert_float_eq(cuts.below_middle[i], parts[1], apart, "seed %lu, %d", seed, i);
        }
    }
}

/* --- Contestants ------------------------------------------------------------------------------ */

Test(bracket, a_budget_of_work_is_kept)
{
    SCOPED_MESH a = shape_ball((vec3){0, 0, 0}, 1, 8), b = shape_ball((vec3){0.3, 0, 0}, 0.7, 8);
    enum { SEEDS = 20 };
    pair_pool pool = {.a = shape_body(&a, true), .b = shape_body(&b, true)};
    pair full = pair_pool_open(&pool, "bounds-budget:cells=24,voxels=8", ALG_WANT_VOLUME);
    geo_pose poses[SEEDS];
    alg_answer whole[SEEDS];
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        base_random random = base_random_seed(seed + 1);
        poses[seed] = shape_pose(&random, 1);
        whole[seed] = pair_ask(&full, &poses[seed]);
        cr_assert_eq(whole[seed].outcome, ALG_CONVERGED);
    }
    size_t reached = 0, converged = 0;
    for (uint64_t budget = 1; budget <= 100000; budget = 9 * budget + 2) {
        char name[48];
        snprintf(name, sizeof name, "bounds-budget:budget=%lu,cells=24,voxels=8", budget);
        SCOPED_PAIR p = pair_pool_open(&pool, name, ALG_WANT_VOLUME);
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            const alg_answer x = pair_ask(&p, &poses[seed]), y = whole[seed];
            cr_assert_eq(x.answered, ALG_HAS_VOLUME | ALG_HAS_VOLUME_BRACKET);
            const bool stopped = x.outcome == ALG_BUDGET_REACHED;
            cr_assert_eq(x.counters[0], stopped ? budget : y.counters[0], "seed %lu of %lu: %lu",
                         seed, budget, x.counters[0]);
            cr_assert(x.volume_lo_m3 <= y.volume_lo_m3 + 1e-11 &&
                      x.volume_hi_m3 >= y.volume_hi_m3 - 1e-11);
            cr_assert(stopped || (x.volume_m3 == y.volume_m3 && x.volume_lo_m3 == y.volume_lo_m3 &&
                                  x.volume_hi_m3 == y.volume_hi_m3));
            const alg_answer again = pair_ask(&p, &poses[seed]);
            cr_assert_arr_eq(&again, &x, sizeof x);
            cr_assert_eq(x.colliding, x.volume_lo_m3 > 0);
            reached += stopped;
            converged += !stopped;
        }
    }
    cr_assert(reached > 30 && converged > 20, "%zu and %zu", reached, converged);
    pair_close(&full);
    pair_pool_release(&pool);
}

/** Both quantities share one budget. */
Test(bracket, both_questions_share_a_budget)
{
    SCOPED_MESH a = shape_ball((vec3){0, 0, 0}, 1, 8), b = shape_ball((vec3){0, 0, 0}, 0.3, 8);
    const unsigned both = ALG_WANT_DISTANCE | ALG_WANT_VOLUME;
    const int fine = sweep_step(2) == 1 ? 24 : 12;
    for (uint64_t budget = 500; budget <= 50000; budget *= 10) {
        char name[56];
        snprintf(name, sizeof name, "bounds-budget:budget=%lu,cells=%d,voxels=%d", budget, fine,
                 fine);
        SCOPED_PAIR p = pair_open(name, &a, &b, both);
        for (int step = 0; step <= 20; step += (int)sweep_step(5)) {
            const geo_pose pose = shape_shift(0.1 * step, 0.02, 0.01);
            const double apart = vec3_norm(pose.translation);
            const alg_answer x = pair_ask(&p, &pose);
            cr_assert_leq(x.counters[0], budget, "%lu, step %d: %lu tests", budget, step,
                          x.counters[0]);
            cr_assert(x.distance_lo_m <= x.distance_hi_m, "%lu, step %d: %g to %g", budget, step,
                      x.distance_lo_m, x.distance_hi_m);
            cr_assert_leq(x.distance_lo_m, fmax(apart - 1.3 + 0.02, 0), "%lu, step %d", budget,
                          step);
        }
    }
}

/** A query that its deadline ends has a wider bracket. Any other one has the answer without a
 * deadline. */
Test(bracket, a_budget_of_time_ends_it)
{
    SCOPED_MESH a = shape_ball((vec3){0, 0, 0}, 1, 4);
    pair hasty =
        pair_open("bounds-budget:cells=24,deadline-us=0.001,voxels=8", &a, &a, ALG_WANT_VOLUME);
    pair patient =
        pair_open("bounds-budget:cells=24,deadline-us=1e6,voxels=8", &a, &a, ALG_WANT_VOLUME);
    SCOPED_PAIR work = pair_open("bounds-budget:cells=24,voxels=8", &a, &a, ALG_WANT_VOLUME);
    pair little = pair_open("bounds-budget:budget=1001,cells=24,deadline-us=1e6,voxels=8", &a, &a,
                            ALG_WANT_VOLUME);
    SCOPED_PAIR no_time = pair_open("bounds-budget:budget=1001,cells=24,deadline-us=0.001,voxels=8",
                                    &a, &a, ALG_WANT_VOLUME);
    const geo_pose pose = shape_shift(0.5, 0.4, 0.1);
    const alg_answer x = pair_ask(&hasty, &pose), y = pair_ask(&patient, &pose);
    const alg_answer z = pair_ask(&work, &pose);
    cr_assert_eq(x.outcome, ALG_BUDGET_REACHED);
    cr_assert_leq(x.counters[1], 4, "%lu cubes opened", x.counters[1]);
    const alg_answer l = pair_ask(&little, &pose), n = pair_ask(&no_time, &pose);
    cr_assert_eq(l.outcome, ALG_BUDGET_REACHED);
    cr_assert_leq(l.counters[0], 1001, "%lu tests", l.counters[0]);
    cr_assert_eq(n.outcome, ALG_BUDGET_REACHED);
    cr_assert_leq(n.counters[1], 4, "%lu cubes opened", n.counters[1]);
    cr_assert(x.volume_lo_m3 <= z.volume_lo_m3 && x.volume_hi_m3 >= z.volume_hi_m3);
    if (y.outcome == ALG_BUDGET_REACHED) { /* the machine was busy for a second */
        cr_assert(y.volume_lo_m3 <= z.volume_lo_m3 && y.volume_hi_m3 >= z.volume_hi_m3);
    } else {
        cr_assert_arr_eq(&y, &z, sizeof z);
    }
    pair_close(&hasty);
    pair_close(&patient);
    pair_close(&little);
}

/* --- The reference bodies --------------------------------------------------------------------- */

Test(bracket, spot_and_rocker_arm)
{
    check_reference("spot-rocker", "../shared/models/c3d-spot.off",
                    "../shared/models/c3d-rocker-arm.off", 4);
}
