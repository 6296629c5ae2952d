#include "base/error.h"
#include "base/memory.h"
#include "base/tests/support.h"
#include "geometry/pose.h"
#include "groundtruth/depth/separation.h"
#include "groundtruth/trajectory.h"

#include "cache_fixture.h"
#include "shapes.h"

#include <math.h>

static gt_escape query(const shape *a, const shape *b, geo_pose pose, vec3 n, double depth)
{
    gt_escape e;
    gt_flux_space *const space = gt_flux_space_create();
    assert_ok(gt_escape_query(a->body, b->body, &pose, n, depth, space, &e, ERR));
    gt_flux_space_destroy(space);
    return e;
}

static void check(gt_bracket bracket, double expected, const char *what, double depth)
{
    cr_assert(within(bracket, expected) && bracket.hi - bracket.lo < 1e-10,
              "%s of %g: [%.17g, %.17g], not %.17g", what, depth, bracket.lo, bracket.hi, expected);
}

/** Walls at x in [-3, -2] and [2, 3]. */
static shape two_walls(void)
{
    shape s = {0};
    shape_add_box(&s, (vec3){-3, -1, -1}, (vec3){-2, 1, 2}, false);
    shape_add_box(&s, (vec3){2, -1, -1}, (vec3){3, 1, 2}, false);
    shape_finish(&s);
    return s;
}

Test(escapes, out_of_one_wall_before_the_other)
{
    SCOPED_SHAPE a = two_walls(), b = shape_cube(0.9);
    const struct {
        double depth, left, gap_m; /* left: remaining share of the overlap, along x */
    } cases[] = {{-0.2, 0.9, 0}, {0, 0.7, 0}, {0.5, 0.2, 0}, {1, 0, 0.3}, {4, 0.2, 0}, {6, 0, 0.3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double depth = cases[i].depth;
        const gt_escape e = query(&a, &b, shift(-2.25, 0.1, 1.03), (vec3){3, 0, 0}, depth);
        check(e.needed_m, 0.7, "needed", depth);
        check(e.clear_m, 5.7, "clear", depth);
        check(e.before_m3, 0.7 * 0.9 * 0.9, "before", depth);
        check(e.after_m3, cases[i].left * 0.9 * 0.9, "after", depth);
        check(e.gap_m, cases[i].gap_m, "gap", depth);
    }
}

Test(escapes, nothing_of_bodies_that_are_apart)
{
    SCOPED_SHAPE a = two_walls(), b = shape_cube(0.9);
    const gt_escape e = query(&a, &b, shift(0, 0.1, 1.03), (vec3){1, 0, 0}, 0.5);
    cr_assert(!gt_known(e.needed_m) && !gt_known(e.clear_m) && !gt_known(e.before_m3) &&
              !gt_known(e.after_m3) && !gt_known(e.gap_m));
}

Test(escapes, of_a_contained_body)
{
    SCOPED_SHAPE a = shape_cube(4), b = shape_cube(0.5);
    const gt_escape e = query(&a, &b, shift(1, 0.01, 0.02), (vec3){1, 0, 0}, 0.5);
    check(e.needed_m, 1.25, "needed", 0.5);
    check(e.before_m3, 0.125, "before", 0.5);
    check(e.after_m3, 0.125, "after", 0.5);
    check(e.gap_m, 0, "gap", 0.5);
}

static bool meet(gt_bracket x, gt_bracket y, double scale)
{
    return scale * x.lo <= y.hi * (1 + 1e-12) && y.lo <= scale * x.hi * (1 + 1e-12);
}

static void same_escape(const gt_escape *x, const gt_escape *y, double scale, const char *what,
                        int trial)
{
    const double scale3 = scale * scale * scale;
    cr_assert(meet(x->needed_m, y->needed_m, scale), "%s, %d: needed", what, trial);
    cr_assert(meet(x->clear_m, y->clear_m, scale), "%s, %d: clear", what, trial);
    cr_assert(meet(x->before_m3, y->before_m3, scale3), "%s, %d: before", what, trial);
    cr_assert(meet(x->after_m3, y->after_m3, scale3), "%s, %d: after", what, trial);
    cr_assert(meet(x->gap_m, y->gap_m, scale), "%s, %d: gap", what, trial);
}

/** Exchanges the bodies, scales both, and compares the moved pose with a query at that pose. */
Test(escapes, theories)
{
    base_random random = base_random_seed(81);
    shape a = {0}, b = {0}, large_a = {0}, large_b = {0};
    shape_add_torus(&a, 24, 16, 1, 0.25);
    shape_add_torus(&b, 20, 12, 0.7, 0.3);
    shape_add_torus(&large_a, 24, 16, 8, 2);
    shape_add_torus(&large_b, 20, 12, 8 * 0.7, 8 * 0.3);
    shape *const all[] = {&a, &b, &large_a, &large_b};
    for (int i = 0; i < 4; i++) {
        shape_finish(all[i]);
    }
    int overlaps = 0, outs = 0;
    for (int trial = 0; trial < 40; trial++) {
        const geo_pose pose = random_pose(&random, base_random_range(&random, 0, 1.5));
        const vec3 n = geo_random_direction(&random);
        const double depth = base_random_range(&random, 0, 1.5);
        const gt_escape e = query(&a, &b, pose, n, depth);
        if (!gt_known(e.gap_m)) {
            continue;
        }
        const geo_pose back = geo_pose_inverse(&pose);
        const vec3 n_back = vec3_scale(-1, mat3_tmul_vec3(pose.rotation, n));
        const gt_escape swapped = query(&b, &a, back, n_back, depth);
        same_escape(&e, &swapped, 1, "exchanged", trial);
        const geo_pose far = {pose.rotation, vec3_scale(8, pose.translation)};
        const gt_escape large = query(&large_a, &large_b, far, n, 8 * depth);
        same_escape(&e, &large, 8, "larger", trial);
        const geo_pose moved = {pose.rotation, vec3_madd(pose.translation, depth, n)};
        const gt_escape there = query(&a, &b, moved, n, 0);
        if (gt_known(there.before_m3)) {
            cr_assert(meet(e.after_m3, there.before_m3, 1), "%d: there", trial);
            overlaps++;
        } else {
            cr_assert(e.after_m3.lo == 0 && e.gap_m.lo > 0, "%d: out", trial);
            outs++;
        }
        cr_assert(e.needed_m.lo <= e.clear_m.hi, "%d: needed more than clear", trial);
    }
    cr_assert(overlaps > 5 && outs > 5, "%d, %d", overlaps, outs);
    for (int i = 0; i < 4; i++) {
        shape_release(all[i]);
    }
}

Test(escapes, out_of_memory)
{
    SCOPED_SHAPE a = two_walls(), b = shape_cube(0.9);
    gt_escape e;
    base_error err = {0};
    const geo_pose pose = shift(-2.25, 0.1, 1.03);
    gt_flux_space *const space = gt_flux_space_create();
    base_memory_fail_after(0);
    const base_status status =
        gt_escape_query(a.body, b.body, &pose, (vec3){1, 0, 0}, 0.5, space, &e, &err);
    base_memory_fail_after(SIZE_MAX);
    cr_assert_eq(status, BASE_ERR_MEMORY);
    gt_flux_space_destroy(space);
}

/* --- Kept in the cache ------------------------------------------------------------------------ */

/**
 * Fills depths that are mostly too short or too long, some without a direction, some not reported.
 */
static void fill_ways(gt_reported_depth ways[FRAMES])
{
    base_random random = base_random_seed(8);
    for (int i = 0; i < FRAMES; i++) {
        ways[i] =
            (gt_reported_depth){geo_random_direction(&random), 1.5 * base_random_unit(&random)};
    }
    ways[3].depth_m = 0;
    ways[4].depth_m = -0.25;
}

static void ask_ways(fixture *f, size_t begin, size_t count, const gt_reported_depth *ways,
                     gt_escape *escapes)
{
    assert_ok(gt_escapes(f->a.body, f->b.body, f->poses + begin, ways + begin, count, &f->options,
                         escapes + begin, ERR));
}

static bool same_escapes(const gt_escape *x, const gt_escape *y, size_t count)
{
    return memcmp(x, y, count * sizeof *x) == 0; /* ten numbers, no gaps */
}

static bool is_none(const gt_escape *e)
{
    return !gt_known(e->needed_m) && !gt_known(e->clear_m) && !gt_known(e->before_m3) &&
           !gt_known(e->after_m3) && !gt_known(e->gap_m);
}

Test(escapes, are_those_of_the_query)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_reported_depth ways[FRAMES];
    gt_escape escapes[FRAMES];
    gt_flux_space *const space = gt_flux_space_create();
    fill_ways(ways);
    ask_ways(&f, 0, FRAMES, ways, escapes);
    int apart = 0, out = 0, in = 0;
    for (int i = 0; i < FRAMES; i++) {
        gt_escape e;
        cr_assert_eq(gt_escape_query(f.a.body, f.b.body, &f.poses[i], ways[i].direction,
                                     ways[i].depth_m, space, &e, NULL),
                     BASE_OK);
        cr_assert(same_escapes(&e, &escapes[i], 1), "frame %d", i);
        apart += is_none(&e);
        out += gt_known(e.gap_m) && e.gap_m.lo > 0;
        in += gt_known(e.after_m3) && e.after_m3.lo > 0;
    }
    cr_assert(apart > 5 && out > 2 && in > 5, "%d apart, %d out, %d in", apart, out, in);
    gt_flux_space_destroy(space);
}

Test(escapes, unreported_depths_are_not_computed)
{
    SCOPED_FIXTURE f;
    setup(&f);
    char path[1024];
    gt_escape escapes[FRAMES];
    gt_reported_depth ways[FRAMES];
    fill_ways(ways);
    ask_ways(&f, 9, 1, ways, escapes);
    find_file(&f, ".truth", path);
    const vec3 x = {1, 0, 0}, zero = {0, 0, 0}, bad = {NAN, 0, 1};
    const gt_reported_depth none[] = {{x, (double)NAN}, {x, (double)INFINITY}, {zero, 0}, {bad, 1}};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        ways[9] = none[i];
        escapes[9] = (gt_escape){{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}};
        ask_ways(&f, 9, 1, ways, escapes);
        cr_assert(is_none(&escapes[9]), "way %zu", i);
    }
    cr_assert_eq(size_of(path), (off_t)sizeof(gt_record), "nothing was kept of them");
}

Test(escapes, are_kept)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_reported_depth ways[FRAMES];
    gt_escape first[FRAMES], second[FRAMES], none[FRAMES];
    char path[1024];
    fill_ways(ways);
    ways[7].depth_m = (double)NAN;
    ask_ways(&f, 10, 5, ways, first);
    find_file(&f, ".truth", path);
    cr_assert_eq(size_of(path), (off_t)(5 * sizeof(gt_record)));
    ask_ways(&f, 0, FRAMES, ways, first);
    cr_assert_eq(size_of(path), (off_t)((FRAMES - 1) * sizeof(gt_record)));
    ask_ways(&f, 0, FRAMES, ways, second);
    cr_assert(same_escapes(first, second, FRAMES));
    cr_assert_eq(size_of(path), (off_t)((FRAMES - 1) * sizeof(gt_record)), "asked twice");
    f.options.cache_directory = NULL;
    ask_ways(&f, 0, FRAMES, ways, none);
    cr_assert(same_escapes(first, none, FRAMES), "with and without a cache");
}

/** Every number of the report is in the key, and so is the pose. */
Test(escapes, another_way_misses)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_reported_depth ways[FRAMES];
    gt_escape escapes[FRAMES];
    char path[1024];
    off_t records = 1;
    fill_ways(ways);
    ask_ways(&f, 0, 1, ways, escapes);
    find_file(&f, ".truth", path);
    double *const numbers[] = {&ways[0].direction.x, &ways[0].direction.y, &ways[0].direction.z,
                               &ways[0].depth_m, &f.poses[0].translation.z};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        *numbers[i] = nextafter(*numbers[i], 9);
        ask_ways(&f, 0, 1, ways, escapes);
        cr_assert_eq(size_of(path), ++records * (off_t)sizeof(gt_record), "number %zu", i);
    }
    /* They are in one file with the truths of the pair, and no record is used for the wrong
     * query. */
    gt_truth truth;
    ask(&f, 0, 1, GT_WANT_DISTANCE, &truth);
    cr_assert_eq(size_of(path), ++records * (off_t)sizeof(gt_record));
}

/**
 * A planted record shows that existing records are read, not computed; a damaged one is computed.
 */
Test(escapes, records_are_read_and_checked)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_reported_depth ways[FRAMES];
    gt_escape right[FRAMES], found[FRAMES];
    gt_truth_cache cache;
    char path[1024];
    fill_ways(ways);
    f.options.cache_directory = NULL;
    ask_ways(&f, 0, FRAMES, ways, right);
    f.options.cache_directory = f.cache;
    cr_assert_eq(gt_truth_cache_open(f.cache, f.a.body, f.b.body, &cache, NULL), BASE_OK);
    gt_record planted = {.answer = {10, 1, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}};
    cr_assert_eq(
        gt_escape_key(&cache, &f.poses[2], ways[2].direction, ways[2].depth_m, &planted.key, NULL),
        BASE_OK);
    cr_assert_eq(gt_truth_cache_append(&cache, &planted, 1, NULL), BASE_OK);
    gt_truth_cache_close(&cache);
    ask_ways(&f, 2, 1, ways, found);
    const double *const v = &found[2].needed_m.lo;
    for (int i = 0; i < 10; i++) {
        cr_assert_eq(v[i], i + 1, "value %d", i);
    }
    find_file(&f, ".truth", path);
    poke(path, (long)offsetof(gt_record, answer.values[4]), SEEK_SET, 1);
    ask_ways(&f, 2, 1, ways, found);
    cr_assert(same_escapes(&right[2], &found[2], 1));
    cr_assert_eq(truncate(path, (off_t)(2 * sizeof(gt_record) - 9)), 0);
    ask_ways(&f, 0, FRAMES, ways, found);
    cr_assert(same_escapes(right, found, FRAMES), "after half a record");
    cr_assert_eq(size_of(path), (off_t)((1 + FRAMES) * sizeof(gt_record)), "which was cut off");
}

Test(escapes, threads_change_nothing)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_reported_depth ways[FRAMES];
    gt_escape one[FRAMES], many[FRAMES];
    fill_ways(ways);
    f.options.cache_directory = NULL;
    f.options.threads = 1;
    ask_ways(&f, 0, FRAMES, ways, one);
    f.options.threads = 2;
    ask_ways(&f, 0, FRAMES, ways, many);
    cr_assert(same_escapes(one, many, FRAMES));
}

/** Convex bodies have narrower answers, even if their hulls were not requested before. */
Test(escapes, convexity_is_found_first)
{
    const gt_reported_depth way = {{0, 0, 1}, 0.5};
    const geo_pose pose = shift(0, 0, 1.5); /* four sides are flush */
    shape a = shape_cube(2), b = shape_cube(2);
    gt_flux_space *const space = gt_flux_space_create();
    gt_escape plain, found, hulls;
    cr_assert_eq(
        gt_escape_query(a.body, b.body, &pose, way.direction, way.depth_m, space, &plain, NULL),
        BASE_OK);
    cr_assert_eq(gt_escapes(a.body, b.body, &pose, &way, 1, NULL, &found, NULL), BASE_OK);
    cr_assert(a.body->hull && b.body->hull);
    cr_assert_eq(
        gt_escape_query(a.body, b.body, &pose, way.direction, way.depth_m, space, &hulls, NULL),
        BASE_OK);
    cr_assert(same_escapes(&found, &hulls, 1));
    cr_assert(!same_escapes(&found, &plain, 1), "this pose does not show it");
    cr_assert(within(found.needed_m, 0.5) && within(found.before_m3, 2));
    cr_assert(found.after_m3.lo == 0 && found.gap_m.lo == 0);
    gt_flux_space_destroy(space);
    shape_release(&a);
    shape_release(&b);
}

/** Otherwise old records would be used as new answers. */
Test(escapes, version_follows_the_bits)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_reported_depth ways[FRAMES];
    gt_escape escapes[FRAMES];
    fill_ways(ways);
    f.options.cache_directory = NULL;
    ask_ways(&f, 0, FRAMES, ways, escapes);
    base_hasher *const hasher = base_hasher_create();
    base_hasher_add(hasher, escapes, sizeof escapes);
    const base_hash_text found = base_hash_format(base_hasher_finish(hasher));
    cr_assert_str_eq(found.hex, "ab832e08c48eb34376d399cbc82856b5",
                     "other bits: raise the version in cache.c, then put %s here", found.hex);
}

static bool stop_second(void *context, size_t done, size_t ready, size_t total)
{
    int *const calls = context;
    (void)done;
    (void)ready;
    (void)total;
    return ++*calls < 2;
}

Test(escapes, an_interrupt_keeps_the_finished_frames)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_reported_depth ways[FRAMES];
    gt_escape escapes[FRAMES];
    int calls = 0;
    base_error err = {0};
    char path[1024];
    fill_ways(ways);
    f.options.progress = stop_second;
    f.options.progress_context = &calls;
    cr_assert_eq(gt_escapes(f.a.body, f.b.body, f.poses, ways, FRAMES, &f.options, escapes, &err),
                 BASE_ERR_SYSTEM);
    cr_assert_str_eq(err.text, "interrupted");
    find_file(&f, ".truth", path);
    const off_t kept = size_of(path) / (off_t)sizeof(gt_record);
    cr_assert(calls == 2 && kept > 0 && kept < FRAMES, "%d calls, %ld records", calls, (long)kept);
}

Test(escapes, errors)
{
    SCOPED_FIXTURE f;
    setup(&f);
    shape open = {0};
    shape_add_box(&open, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, false);
    open.parts.face_count--;
    shape_finish(&open);
    const gt_reported_depth way = {{0, 0, 1}, 0.5};
    gt_escape escape, right;
    base_error err = {0};
    cr_assert_eq(gt_escapes(f.a.body, f.b.body, f.poses, &way, 1, NULL, &right, &err), BASE_OK);
    cr_assert_eq(gt_escapes(f.a.body, open.body, f.poses, &way, 1, NULL, &escape, &err),
                 BASE_ERR_INPUT);
    cr_assert_not_null(strstr(err.text, "body B is not a solid: "), "%s", err.text);
    shape_release(&open);
    bool done = false;
    for (size_t n = 0; n < 200 && !done; n++) {
        err = (base_error){0};
        f.options.threads = 1;
        f.options.cache_directory = n % 2 == 0 ? f.cache : NULL;
        base_memory_fail_after(n / 2);
        const base_status status =
            gt_escapes(f.a.body, f.b.body, f.poses, &way, 1, &f.options, &escape, &err);
        base_memory_fail_after(SIZE_MAX);
        cr_assert(status == BASE_OK || status == BASE_ERR_MEMORY, "allocation %zu: %s", n,
                  err.text);
        cr_assert((status == BASE_OK) == (err.text[0] == '\0'), "allocation %zu", n);
        cr_assert(status != BASE_OK || same_escapes(&escape, &right, 1), "allocation %zu", n);
        done = status == BASE_OK && n % 2 == 0;
    }
    cr_assert(done);
}
