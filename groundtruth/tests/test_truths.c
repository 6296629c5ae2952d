#include "base/error.h"
#include "base/hash.h"
#include "base/tests/support.h"
#include "groundtruth/contact/pairs.h"
#include "groundtruth/depth/depth.h"
#include "groundtruth/trajectory.h"

#include "cache_fixture.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>

enum { SLOW = 4 }; /* number of frames for places, which take 0.1 s each */

/* --- By hand ---------------------------------------------------------------------------------- */

static gt_truth truth_of(shape *a, shape *b, const geo_pose *pose, unsigned want, unsigned methods)
{
    const gt_options options = {.methods = methods};
    gt_truth truth;
    assert_ok(gt_trajectory_truth(a->body, b->body, pose, 1, want, &options, &truth, ERR));
    return truth;
}

static void assert_vector(vec3 found, vec3 right, double within_, const char *what)
{
    cr_assert(vec3_distance(found, right) <= within_, "%s: %.17g %.17g %.17g", what, found.x,
              found.y, found.z);
}

/** Two cubes with a common box of 0.5 x 1.75 x 1.5, whose corner is inside A. */
Test(truths, cubes_that_overlap)
{
    SCOPED_SHAPE a = shape_cube(2), b = shape_cube(2);
    const geo_pose pose = shift(1.5, 0.25, 0.5);
    const gt_truth t = truth_of(&a, &b, &pose, ALL, GT_BY_ALL);
    cr_assert(t.asked == ALL && t.methods == t.expected);
    cr_assert(within(t.volume_m3, 0.5 * 1.75 * 1.5) && t.volume_certified == 2);
    cr_assert(t.distance_m.hi == 0 && t.surface_m.hi == 0 && t.distance_certified == 2);
    cr_assert(within(t.depth_m, 0.5) && t.depth_m.hi - t.depth_m.lo < 1e-11);
    assert_vector(t.depth_direction, (vec3){1, 0, 0}, 1e-15, "direction");
    /* The pressure on the faces of the common box pushes B outwards, in proportion to their
     * areas. */
    assert_vector(t.force_m2, (vec3){1.75 * 1.5, 0.5 * 1.5, 0.5 * 1.75}, t.force_bound_m2, "force");
    /* Arms from B's centroid to the middles of the faces of B: (-1, -1/8, -1/4) and so on. */
    const vec3 by_x = vec3_cross((vec3){-1, -0.125, -0.25}, (vec3){1.75 * 1.5, 0, 0});
    const vec3 by_y = vec3_cross((vec3){-0.75, -1, -0.25}, (vec3){0, 0.5 * 1.5, 0});
    const vec3 by_z = vec3_cross((vec3){-0.75, -0.125, -1}, (vec3){0, 0, 0.5 * 1.75});
    assert_vector(t.torque_m3, vec3_add(by_x, vec3_add(by_y, by_z)), t.torque_bound_m3, "torque");
    cr_assert(t.force_bound_m2 > 0 && t.force_bound_m2 < 1e-10);
    cr_assert(t.torque_bound_m3 > 0 && t.torque_bound_m3 < 1e-10);
    cr_assert(t.force_certified == 2);
    cr_assert(t.pairs_certified == 2 && t.pairs_count.lo == t.pairs_count.hi);
    cr_assert_eq(t.pairs_count.lo, (double)gt_pairs_query(a.body, b.body, &pose));
    cr_assert_gt(t.pairs_count.lo, 0);
}

/** Where faces of unit cubes coincide, the force of every side is within the bound of the truth. */
Test(truths, forces_of_all_sides_where_faces_coincide)
{
    SCOPED_SHAPE a = shape_cube(1), b = shape_cube(1);
    const struct {
        const char *name;
        vec3 at, limits[4];
        double bound; /* by hand: the common areas */
    } cases[] = {
        {"face to face", {1, 0, 0}, {{0, 0, 0}, {1, 0, 0}}, 1},
        {"half a face on half a face", {1, 0.5, 0}, {{0, 0, 0}, {0.5, 0, 0}}, 0.5},
        {"a vertex on a vertex", {1, -1, 1}, {{0, 0, 0}}, 0},
        {"an edge on an edge", {1, 1, 0.5}, {{0, 0, 0}}, 0},
        {"general position",
         {0.5, 0.5, 0.25},
         {{0.375, 0.375, 0.25}, {0.375, 0.375, 0.25}, {0.375, 0.375, 0.25}, {0.375, 0.375, 0.25}},
         0},
        {"flush on four faces",
         {0.5, 0, 0},
         {{1, 0.5, 0.5}, {1, 0.5, -0.5}, {1, -0.5, 0.5}, {1, -0.5, -0.5}},
         sqrt(2)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const geo_pose pose = shift(cases[i].at.x, cases[i].at.y, cases[i].at.z);
        const gt_truth t = truth_of(&a, &b, &pose, GT_WANT_FORCE, GT_BY_FLUX | GT_BY_TETRA);
        cr_assert_eq(t.force_certified, 2, "%s", cases[i].name);
        cr_assert(t.force_bound_m2 >= cases[i].bound &&
                      t.force_bound_m2 <= 1.02 * cases[i].bound + 1e-11,
                  "%s: %.9g", cases[i].name, t.force_bound_m2);
        for (int k = 0; k < 4; k++) {
            assert_vector(t.force_m2, cases[i].limits[k], t.force_bound_m2, cases[i].name);
        }
    }
}

Test(truths, cubes_apart_and_inside)
{
    SCOPED_SHAPE a = shape_cube(2), b = shape_cube(1);
    const geo_pose apart = shift(2.5, 0, 0), inside = shift(0.25, 0, 0);
    gt_truth t = truth_of(&a, &b, &apart, ALL, 0);
    cr_assert(within(t.distance_m, 1) && t.depth_m.hi == 0 && t.pairs_count.hi == 0);
    cr_assert(t.volume_m3.hi < 1e-12 && vec3_norm(t.force_m2) <= t.force_bound_m2);
    cr_assert(t.distance_certified == 1 && t.volume_certified == 1 && t.pairs_certified == 1 &&
              t.depth_certified == 1 && t.force_certified == 1);
    cr_assert_eq(t.methods, GT_BY_BVH | GT_BY_FLUX | GT_BY_TREE | GT_BY_HULL);
    t = truth_of(&a, &b, &inside, ALL, 0);
    cr_assert(within(t.depth_m, 1.25) && t.pairs_count.hi == 0 && t.pairs_certified == 1);
    assert_vector(t.depth_direction, (vec3){1, 0, 0}, 1e-15, "direction");
    cr_assert(within(t.volume_m3, 1) && vec3_norm(t.force_m2) <= t.force_bound_m2);
    cr_assert(t.distance_m.hi == 0 && within(t.surface_m, 0.25));
}

/* --- On a trajectory -------------------------------------------------------------------------- */

Test(truths, are_those_of_the_queries)
{
    SCOPED_FIXTURE f;
    setup_convex(&f);
    gt_truth truths[FRAMES];
    f.options.methods = 0;
    ask(&f, 0, FRAMES, ALL, truths);
    gt_flux_space *const space = gt_flux_space_create();
    int over = 0, apart = 0, inside = 0;
    for (int i = 0; i < FRAMES; i++) {
        const gt_truth *const t = &truths[i];
        gt_depth d;
        gt_flux flux;
        gt_depth_query(f.a.body, f.b.body, &f.poses[i], &d);
        cr_assert_eq(gt_flux_query(f.a.body, f.b.body, &f.poses[i], space, &flux, NULL), BASE_OK);
        const vec3 centroid = geo_pose_apply(&f.poses[i], f.b.report.measure.centroid);
        double bound;
        const vec3 torque = gt_flux_torque(&flux, centroid, &bound);
        cr_assert(same_bracket(d.depth_m, t->depth_m), "frame %d", i);
        cr_assert(same_vector(d.direction, t->depth_direction), "frame %d", i);
        cr_assert(same_vector(vec3_scale(-1, flux.gradient_m2), t->force_m2), "frame %d", i);
        cr_assert(same_vector(vec3_scale(-1, torque), t->torque_m3), "frame %d", i);
        cr_assert(t->force_bound_m2 == flux.gradient_bound_m2 && t->torque_bound_m3 == bound);
        cr_assert_eq(t->pairs_count.lo, (double)gt_pairs_query(f.a.body, f.b.body, &f.poses[i]));
        cr_assert(t->depth_certified == 1 && t->force_certified == 1 && t->pairs_certified == 1);
        over += t->pairs_count.lo > 0;
        apart += t->depth_m.hi == 0;
        inside += t->pairs_count.hi == 0 && t->depth_m.lo > 0;
    }
    cr_assert(over > 5 && apart > 5, "%d over, %d apart, %d inside", over, apart, inside);
    gt_flux_space_destroy(space);
}

Test(truths, come_back_from_the_cache)
{
    SCOPED_FIXTURE f;
    setup_convex(&f);
    gt_truth first[FRAMES], second[FRAMES], fresh[FRAMES];
    char path[1024];
    f.options.methods = 0;
    ask(&f, 0, FRAMES, ALL, first);
    find_file(&f, ".truth", path);
    const off_t size = size_of(path);
    cr_assert_eq(size, (off_t)(4 * FRAMES * sizeof(gt_record)), "bvh, flux, tree, hull");
    ask(&f, 0, FRAMES, ALL, second);
    cr_assert(same(first, second, FRAMES));
    cr_assert_eq(size_of(path), size, "asked twice, kept twice");
    f.options.cache_directory = NULL;
    ask(&f, 0, FRAMES, ALL, fresh);
    cr_assert(same(first, fresh, FRAMES), "with and without a cache");
}

/** Two narrow brackets confirm each other; a wide one does not confirm a narrow one. */
Test(truths, methods_of_the_depth)
{
    SCOPED_FIXTURE f;
    setup_convex(&f);
    gt_truth hull[SLOW], places[SLOW], wide[SLOW], both[SLOW], again[SLOW];
    char path[1024];
    f.options.methods = GT_BY_HULL;
    ask(&f, 0, SLOW, GT_WANT_DEPTH, hull);
    f.options.methods = GT_BY_PLACES;
    ask(&f, 0, SLOW, GT_WANT_DEPTH, places);
    f.options.methods = GT_BY_HULL | GT_BY_PLACES;
    ask(&f, 0, SLOW, GT_WANT_DEPTH, wide);
    f.options.methods = GT_BY_DEPTH;
    ask(&f, 0, SLOW, GT_WANT_DEPTH, both);
    ask(&f, 0, SLOW, GT_WANT_DEPTH, again);
    cr_assert(same(both, again, SLOW));
    find_file(&f, ".truth", path);
    cr_assert_eq(size_of(path), (off_t)(3 * SLOW * sizeof(gt_record)));
    int deep = 0;
    for (int i = 0; i < SLOW; i++) {
        cr_assert(hull[i].depth_certified == 1 && places[i].depth_certified == 1, "frame %d", i);
        const bool narrow = places[i].depth_m.hi == 0;
        cr_assert_eq(wide[i].depth_certified, narrow ? 2 : 1, "frame %d", i);
        cr_assert_eq(wide[i].methods, GT_BY_HULL | GT_BY_PLACES, "frame %d", i);
        cr_assert_eq(wide[i].doubt[GT_DEPTH].kind, GT_DOUBT_NONE);
        cr_assert(both[i].depth_certified == 2 && both[i].methods == (GT_BY_HULL | GT_BY_EDGES),
                  "frame %d", i);
        cr_assert(same_vector(both[i].depth_direction, hull[i].depth_direction), "frame %d", i);
        cr_assert(both[i].depth_m.lo >= hull[i].depth_m.lo &&
                      both[i].depth_m.hi <= hull[i].depth_m.hi,
                  "frame %d", i);
        deep += places[i].depth_m.lo > 0 && !same_bracket(places[i].depth_m, hull[i].depth_m);
    }
    cr_assert_gt(deep, 1);
}

/**
 * The method hull answers only for convex bodies, even if it is requested; by default it is used
 * for them.
 */
Test(truths, bodies_that_are_not_convex_have_a_depth)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_truth truths[SLOW], chosen[SLOW];
    f.options.methods = 0;
    ask(&f, 0, SLOW, GT_WANT_DEPTH, truths);
    f.options.methods = GT_BY_DEPTH;
    ask(&f, 0, SLOW, GT_WANT_DEPTH, chosen);
    cr_assert(same(truths, chosen, SLOW));
    int deep = 0;
    for (int i = 0; i < SLOW; i++) {
        const gt_truth *const t = &truths[i];
        cr_assert(t->depth_certified == 1 && t->methods == GT_BY_PLACES, "frame %d", i);
        cr_assert_eq(t->expected, GT_BY_PLACES);
        if (t->depth_m.hi > 0) {
            gt_distance after;
            geo_pose moved = f.poses[i];
            moved.translation = vec3_madd(moved.translation, t->depth_m.hi, t->depth_direction);
            gt_distance_query(f.a.body, f.b.body, &moved, &after);
            cr_assert(after.distance_m.hi > 0, "frame %d: it is not out", i);
            deep++;
        }
    }
    cr_assert_gt(deep, 1);
}

/** Flux runs once for both. */
Test(truths, volume_and_force_share_a_record)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_truth volume[FRAMES], force[FRAMES], both[FRAMES];
    char path[1024];
    f.options.methods = GT_BY_FLUX;
    ask(&f, 0, FRAMES, GT_WANT_VOLUME, volume);
    find_file(&f, ".truth", path);
    const off_t size = size_of(path);
    cr_assert_eq(size, (off_t)(FRAMES * sizeof(gt_record)));
    ask(&f, 0, FRAMES, GT_WANT_FORCE, force);
    ask(&f, 0, FRAMES, GT_WANT_FORCE | GT_WANT_VOLUME, both);
    cr_assert_eq(size_of(path), size, "the volume's records have the force");
    cr_assert(same(force, both, FRAMES), "a force is asked together with its volume");
    for (int i = 0; i < FRAMES; i++) {
        cr_assert(isnan(volume[i].force_m2.x) && volume[i].force_certified == 0);
        cr_assert(isfinite(force[i].force_m2.x) && force[i].force_certified == 1);
        cr_assert(same_bracket(volume[i].volume_m3, force[i].volume_m3));
        cr_assert_eq(force[i].asked, GT_WANT_FORCE | GT_WANT_VOLUME);
    }
}

Test(truths, threads_change_nothing)
{
    SCOPED_FIXTURE f;
    setup_convex(&f);
    f.options.cache_directory = NULL;
    f.options.methods = GT_BY_ALL & ~(unsigned)GT_BY_TETRA;
    gt_truth one[FRAMES], two[FRAMES];
    for (int i = 0; i < 2; i++) {
        const size_t count = i == 0 ? SLOW : FRAMES;
        f.options.threads = 1;
        ask(&f, 0, count, ALL, one);
        f.options.threads = 2;
        ask(&f, 0, count, ALL, two);
        cr_assert(same(one, two, count), "methods %x", f.options.methods);
        f.options.methods &= ~(unsigned)GT_BY_PLACES;
    }
}

/**
 * Pins versions beyond those of test_cache: otherwise old records would be used as new
 * answers.
 */
Test(truths, versions_follow_the_bits)
{
    static const struct {
        gt_method method;
        const char *hash;
    } pinned[] = {
        {GT_FLUX, "6ec1810f9189d1dbdc3d8c917cfd3a7f"},
        {GT_HULL, "3e64881ce7bc6ef121a3ffb4cd00f437"},
        {GT_EDGES, "98a46e898d9d2cd991b85d58d136c40b"},
        {GT_PLACES, "f21570fdf3c130cbc8e796abbbe04491"},
    };
    SCOPED_FIXTURE f;
    setup_convex(&f);
    f.options.cache_directory = NULL;
    for (size_t i = 0; i < sizeof pinned / sizeof *pinned; i++) {
        gt_truth truths[FRAMES];
        const int count = pinned[i].method == GT_PLACES ? SLOW : FRAMES;
        f.options.methods = 1u << pinned[i].method;
        ask(&f, 0, (size_t)count, GT_WANT_DEPTH | GT_WANT_FORCE, truths);
        base_hasher *const hasher = base_hasher_create();
        for (int k = 0; k < count; k++) {
            const gt_truth *const t = &truths[k];
            const double bounds[2] = {t->force_bound_m2, t->torque_bound_m3};
            const vec3 vectors[3] = {t->depth_direction, t->force_m2, t->torque_m3};
            base_hasher_add(hasher, &t->by[pinned[i].method], sizeof(gt_bracket));
            base_hasher_add(hasher, vectors, sizeof vectors);
            base_hasher_add(hasher, bounds, sizeof bounds);
        }
        const base_hash_text found = base_hash_format(base_hasher_finish(hasher));
        cr_expect_str_eq(found.hex, pinned[i].hash,
                         "%s has other bits: raise its version in cache.c, then put %s here",
                         gt_method_names[pinned[i].method], found.hex);
    }
}

/** By hull alone a body that is not convex has no depth; the error gives the reason. */
Test(truths, hulls_are_for_convex_bodies)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_truth truth;
    base_error err = {0};
    f.options.methods = GT_BY_HULL;
    cr_assert_eq(gt_trajectory_truth(f.a.body, f.b.body, f.poses, 1, GT_WANT_DEPTH, &f.options,
                                     &truth, &err),
                 BASE_ERR_INPUT);
    cr_assert_eq(strncmp(err.text, "body A: ", 8), 0, "%s", err.text);
}

/** A method that is wrong at one pose: the wrong answer is planted in the cache. */
Test(truths, a_wrong_number_of_pairs_is_caught)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_truth truths[FRAMES];
    f.options.methods = GT_BY_PAIRS;
    f.options.cache_directory = NULL;
    ask(&f, 0, FRAMES, GT_WANT_PAIRS, truths);
    f.options.cache_directory = f.cache;
    for (int m = GT_TREE; m <= GT_ALL_PAIRS; m++) {
        const double right = truths[m].pairs_count.lo;
        gt_truth_cache cache;
        gt_record wrong = {.answer = {2, 1, {right + 1, right + 1}}};
        cr_assert_eq(gt_truth_cache_open(f.cache, f.a.body, f.b.body, &cache, NULL), BASE_OK);
        cr_assert_eq(gt_record_key(&cache, &f.poses[m], (gt_method)m, &wrong.key, NULL), BASE_OK);
        cr_assert_eq(gt_truth_cache_append(&cache, &wrong, 1, NULL), BASE_OK);
        gt_truth_cache_close(&cache);
    }
    ask(&f, 0, FRAMES, GT_WANT_PAIRS, truths);
    for (int i = 0; i < FRAMES; i++) {
        cr_assert_eq(truths[i].pairs_certified, i == GT_TREE || i == GT_ALL_PAIRS ? 0 : 2,
                     "frame %d", i);
    }
}

static gt_body *fresh_body(const shape *s)
{
    gt_body *body;
    cr_assert_eq(gt_body_create(&s->held->mesh, &s->held->report, &body, NULL), BASE_OK);
    return body;
}

/** Answers by tetrahedra from before TetGen refused the body are kept. */
Test(truths, a_refusal_keeps_the_known_values)
{
    enum { KNOWN = 5 };
    SCOPED_FIXTURE f;
    setup(&f);
    gt_truth truths[FRAMES];
    char path[1024];
    f.options.methods = GT_BY_VOLUME;
    ask(&f, 0, KNOWN, GT_WANT_VOLUME, truths);
    for (int i = 0; i < 2; i++) {
        find_file(&f, ".tetra", path);
        cr_assert_eq(unlink(path), 0);
    }
    gt_body *const known[2] = {f.a.body, f.b.body};
    f.a.body = fresh_body(&f.a);
    f.b.body = fresh_body(&f.b);
    scratch_program(&f.dir, "tetgen", "kill -ABRT $$");
    ask(&f, 0, FRAMES, GT_WANT_VOLUME, truths);
    for (int i = 0; i < FRAMES; i++) {
        cr_assert_eq(truths[i].volume_certified, i < KNOWN ? 2 : 1, "frame %d", i);
    }
    gt_body_destroy(known[0]);
    gt_body_destroy(known[1]);
}

/** Contradictions of flux: a mesh that is taken for a solid but is not one. */
Test(truths, flaws_are_not_certified)
{
    SCOPED_FIXTURE f;
    setup(&f);
    SCOPED_SHAPE open = {0};
    shape_add_torus(&open, 14, 9, 1, 0.4);
    open.parts.face_count -= 20;
    shape_finish(&open);
    gt_body_destroy(open.body);
    open.held->report.solid = true;
    open.held->report.measure.volume_m3 = 1e9;
    open.body = fresh_body(&open);
    gt_flux_space *const space = gt_flux_space_create();
    int flawed = 0;
    for (int i = 0; i < FRAMES; i++) {
        gt_flux flux;
        const gt_truth t = truth_of(&open, &f.b, &f.poses[i], GT_WANT_FORCE, GT_BY_FLUX);
        cr_assert_eq(gt_flux_query(open.body, f.b.body, &f.poses[i], space, &flux, NULL), BASE_OK);
        cr_assert(flux.flaws == 0 || (t.volume_certified == 0 && t.force_certified == 0),
                  "frame %d: %lu flaws", i, (unsigned long)flux.flaws);
        flawed += flux.flaws > 0 && flux.volume_m3.lo < 0.5;
    }
    cr_assert_gt(flawed, 0);
    gt_flux_space_destroy(space);
}

/** The depth of a body with the hull of a smaller one: B is not out after the move. */
Test(truths, a_depth_that_does_not_separate_is_not_certified)
{
    SCOPED_SHAPE a = shape_cube(2), b = shape_cube(2), small = shape_cube(1);
    const geo_pose over = shift(0.5, 0.25, 0), apart = shift(2.5, 0.25, 0);
    cr_assert_eq(gt_body_make_hull(a.body, NULL), BASE_OK);
    cr_assert_eq(gt_body_make_hull(small.body, NULL), BASE_OK);
    cr_assert_eq(truth_of(&a, &b, &over, GT_WANT_DEPTH, GT_BY_HULL).depth_certified, 1);
    struct gt_hull *const own = a.body->hull;
    a.body->hull = small.body->hull;
    gt_truth t = truth_of(&a, &b, &over, GT_WANT_DEPTH, GT_BY_HULL);
    cr_assert(within(t.depth_m, 1) && t.depth_certified == 0);
    cr_assert_str_eq(gt_doubt_format(&t, GT_DEPTH).text,
                     "the check of hull has failed: B is not out where it says");
    t = truth_of(&a, &b, &over, GT_WANT_DEPTH, GT_BY_HULL | GT_BY_PLACES);
    cr_assert_eq(t.depth_certified, 0);
    cr_assert_eq(truth_of(&a, &b, &apart, GT_WANT_DEPTH, GT_BY_HULL).depth_certified, 1);
    a.body->hull = own;
}

/* --- Meshes that are not solids --------------------------------------------------------------- */

/** They have only a distance and pairs. */
Test(truths, open_meshes)
{
    SCOPED_FIXTURE f;
    setup(&f);
    SCOPED_SHAPE open = {0};
    shape_add_torus(&open, 14, 9, 1, 0.4);
    open.parts.face_count -= 20;
    shape_finish(&open);
    gt_truth truths[FRAMES];
    base_error err = {0};
    const gt_options options = {.methods = GT_BY_DISTANCE | GT_BY_PAIRS};
    assert_ok(gt_trajectory_truth(open.body, f.b.body, f.poses, FRAMES,
                                  GT_WANT_DISTANCE | GT_WANT_PAIRS, &options, truths, ERR));
    int over = 0;
    for (int i = 0; i < FRAMES; i++) {
        cr_assert(truths[i].pairs_certified == 2 && truths[i].distance_certified == 2, "%d", i);
        cr_assert_eq(truths[i].pairs_count.lo > 0, truths[i].surface_m.hi == 0, "frame %d", i);
        over += truths[i].pairs_count.lo > 0;
    }
    cr_assert(over > 3 && over < FRAMES, "%d over", over);
    const unsigned wants[] = {GT_WANT_VOLUME, GT_WANT_DEPTH, GT_WANT_FORCE};
    for (int i = 0; i < 3; i++) {
        err = (base_error){0};
        cr_assert_eq(
            gt_trajectory_truth(f.b.body, open.body, f.poses, 1, wants[i], NULL, truths, &err),
            BASE_ERR_INPUT, "want %u", wants[i]);
        cr_assert_not_null(strstr(err.text, "body B is not a solid: "), "%s", err.text);
    }
}

/* --- A killed process ------------------------------------------------------------------------- */

/** Starts a process that writes until it is killed: frames of f and other frames in turn. */
static pid_t start_writer(const fixture *f, int turn)
{
    const pid_t child = fork();
    cr_assert(child >= 0);
    for (int i = 0; child == 0; i++) {
        gt_truth truth;
        geo_pose pose = f->poses[i % FRAMES];
        pose.translation.x += i % 3 == 0 ? 0 : 1e-6 * turn + 1e-9 * i;
        if (gt_trajectory_truth(f->a.body, f->b.body, &pose, 1, ALL, &f->options, &truth, NULL) !=
            BASE_OK) {
            _exit(1);
        }
    }
    return child;
}

Test(truths, kills_lose_no_record)
{
    SCOPED_FIXTURE f;
    setup_convex(&f);
    gt_truth right[FRAMES], found[FRAMES];
    char path[1024];
    f.options.methods = 0;
    f.options.threads = 1;
    f.options.cache_directory = NULL;
    ask(&f, 0, FRAMES, ALL, right);
    f.options.cache_directory = f.cache;
    ask(&f, 0, 1, GT_WANT_DISTANCE, found);
    find_file(&f, ".truth", path);
    for (int turn = 0; turn < 5; turn++) {
        const off_t before = size_of(path);
        const pid_t child = start_writer(&f, turn);
        for (int wait = 0; wait < 300000 && size_of(path) < before + 3 * (off_t)sizeof(gt_record);
             wait++) {
            usleep(1000 + 100 * (useconds_t)turn);
        }
        cr_assert_eq(kill(child, SIGKILL), 0);
        int status;
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_assert(WIFSIGNALED(status), "turn %d: it ended by itself", turn);
        cr_assert_gt(size_of(path), before, "turn %d", turn);
        gt_truth_cache cache;
        cr_assert_eq(gt_truth_cache_open(f.cache, f.a.body, f.b.body, &cache, NULL), BASE_OK);
        cr_assert_eq(cache.record_count, (size_t)size_of(path) / sizeof(gt_record), "turn %d",
                     turn);
        gt_truth_cache_close(&cache);
    }
    ask(&f, 0, FRAMES, ALL, found);
    cr_assert(same(right, found, FRAMES));
}

/* --- Records of an earlier layout ------------------------------------------------------------- */

/** A record of 64 bytes, in files of another name; under the new name it would count as damaged. */
typedef struct old_record {
    base_hash key;
    gt_bracket value, surface;
    uint64_t sound, check;
} old_record;

static void write_old(const char *path, const fixture *f, const gt_truth_cache *cache)
{
    FILE *const file = fopen(path, "w");
    cr_assert_not_null(file);
    for (int i = 0; i < FRAMES; i++) {
        old_record old = {.value = {8, 9}, .surface = {8, 9}, .sound = 1};
        cr_assert_eq(gt_record_key(cache, &f->poses[i], GT_BVH, &old.key, NULL), BASE_OK);
        base_hasher *const hasher = base_hasher_create();
        base_hasher_add(hasher, &old, offsetof(old_record, check));
        old.check = base_hasher_finish(hasher).lo;
        cr_assert_eq(fwrite(&old, sizeof old, 1, file), 1);
    }
    fclose(file);
}

Test(truths, an_older_cache_is_not_read)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_truth right[FRAMES], found[FRAMES];
    f.options.methods = GT_BY_BVH;
    f.options.cache_directory = NULL;
    ask(&f, 0, FRAMES, GT_WANT_DISTANCE, right);
    f.options.cache_directory = f.cache;
    gt_truth_cache cache;
    cr_assert_eq(gt_truth_cache_open(f.cache, f.a.body, f.b.body, &cache, NULL), BASE_OK);
    base_hasher *const hasher = base_hasher_create();
    base_hasher_add_text(hasher, "pair 2");
    base_hasher_add(hasher, &f.a.body->hash, sizeof f.a.body->hash);
    base_hasher_add(hasher, &f.b.body->hash, sizeof f.b.body->hash);
    char old_path[1024];
    snprintf(old_path, sizeof old_path, "%s/%s.truth", f.cache,
             base_hash_format(base_hasher_finish(hasher)).hex);
    cr_assert_str_neq(old_path, cache.path, "the layout has changed, and so has the name");
    write_old(old_path, &f, &cache);
    write_old(cache.path, &f, &cache);
    const off_t old_size = size_of(old_path);
    ask(&f, 0, FRAMES, GT_WANT_DISTANCE, found);
    cr_assert(same(right, found, FRAMES));
    cr_assert_eq(size_of(old_path), old_size, "it is left alone");
    gt_truth_cache_close(&cache);
}
