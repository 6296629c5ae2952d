#include "base/error.h"
#include "groundtruth/trajectory.h"

#include "cache_fixture.h"

#include <math.h>

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
    base_error err = {0};
    cr_assert_eq(gt_escapes(f->a.body, f->b.body, f->poses + begin, ways + begin, count,
                            &f->options, escapes + begin, &err),
                 BASE_OK, "%s", err.text);
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
    fixture f;
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
    teardown(&f);
}

Test(escapes, what_was_not_reported_is_not_asked)
{
    fixture f;
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
    teardown(&f);
}

Test(escapes, are_kept)
{
    fixture f;
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
    teardown(&f);
}

/** Every number of the report is in the key, and so is the pose. */
Test(escapes, another_way_misses)
{
    fixture f;
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
    teardown(&f);
}

/**
 * A planted record shows that existing records are read, not computed; a damaged one is computed.
 */
Test(escapes, records_are_read_and_checked)
{
    fixture f;
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
    teardown(&f);
}

Test(escapes, threads_change_nothing)
{
    fixture f;
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
    teardown(&f);
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
    fixture f;
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
    teardown(&f);
}

static bool stop_second(void *context, size_t done, size_t ready, size_t total)
{
    int *const calls = context;
    (void)done;
    (void)ready;
    (void)total;
    return ++*calls < 2;
}

Test(escapes, an_interrupt_keeps_what_was_found)
{
    fixture f;
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
    teardown(&f);
}

Test(escapes, errors)
{
    fixture f;
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
    teardown(&f);
}
