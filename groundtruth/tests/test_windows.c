#include "groundtruth/trajectory.h"

#include "base/error.h"

#include "cache_fixture.h"

#include <math.h>

/** Fills two windows for most frames; some extend beyond the bodies, some miss them. */
static void fill_windows(gt_reported_window windows[FRAMES])
{
    base_random random = base_random_seed(12);
    for (int i = 0; i < FRAMES; i++) {
        const geo_pose there = random_pose(&random, base_random_unit(&random));
        const mat3 axes = mat3_transpose(there.rotation);
        windows[i] = (gt_reported_window){
            .frame = (size_t)(i / 2),
            .window = {there.translation, axes.row[0], axes.row[1],
                       base_random_range(&random, 0.1, 1), base_random_range(&random, 0.1, 1),
                       axes.row[2]},
            .depth_m = base_random_range(&random, -0.1, 0.5),
        };
    }
}

static void ask_windows(fixture *f, size_t begin, size_t count, const gt_reported_window *windows,
                        gt_window_truth *truths)
{
    base_error err = {0};
    cr_assert_eq(gt_windows(f->a.body, f->b.body, f->poses, windows + begin, count, &f->options,
                            truths + begin, &err),
                 BASE_OK, "%s", err.text);
}

static bool same_truths(const gt_window_truth *x, const gt_window_truth *y, size_t count)
{
    return memcmp(x, y, count * sizeof *x) == 0; /* six numbers, no gaps */
}

static bool is_none(const gt_window_truth *t)
{
    return !gt_known(t->before_m3) && !gt_known(t->after_m3) && !gt_known(t->needed_m);
}

Test(windows, are_those_of_the_query)
{
    fixture f;
    setup(&f);
    gt_reported_window windows[FRAMES];
    gt_window_truth truths[FRAMES];
    fill_windows(windows);
    ask_windows(&f, 0, FRAMES, windows, truths);
    int in = 0, empty = 0;
    for (int i = 0; i < FRAMES; i++) {
        const gt_reported_window *const w = &windows[i];
        gt_window_truth t;
        cr_assert_eq(gt_window_query(f.a.body, f.b.body, &f.poses[w->frame], &w->window, w->depth_m,
                                     &t, NULL),
                     BASE_OK);
        cr_assert(same_truths(&t, &truths[i], 1), "window %d", i);
        in += t.before_m3.lo > 0;
        empty += t.before_m3.lo == 0;
    }
    cr_assert(in > 5 && empty > 5, "%d with an overlap, %d without", in, empty);
    teardown(&f);
}

Test(windows, what_is_none_is_not_asked)
{
    fixture f;
    setup(&f);
    char path[1024];
    gt_reported_window windows[FRAMES];
    gt_window_truth truths[FRAMES];
    fill_windows(windows);
    ask_windows(&f, 9, 1, windows, truths);
    find_file(&f, ".truth", path);
    const gt_reported_window right = windows[9];
    const vec3 v = right.window.side_v, long_v = vec3_scale(1.00001, v);
    const vec3 askew = vec3_madd(v, 0.00001, right.window.side_u);
    const vec3 leaning = vec3_madd(v, 0.00001, right.window.direction);
    gt_reported_window none[9] = {right, right, right, right, right, right, right, right, right};
    none[0].depth_m = (double)NAN;
    none[1].window.point.y = (double)INFINITY;
    none[2].window.half_u_m = 0;
    none[3].window.half_v_m = -1;
    none[4].window.half_v_m = (double)NAN;
    none[5].window.side_v = long_v;
    none[6].window.side_v = askew;
    none[7].window.side_v = leaning;
    none[8].window.direction = (vec3){0, 0, 0};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        windows[9] = none[i];
        truths[9] = (gt_window_truth){{0, 0}, {0, 0}, {0, 0}};
        ask_windows(&f, 9, 1, windows, truths);
        cr_assert(is_none(&truths[9]), "window %zu", i);
    }
    cr_assert_eq(size_of(path), (off_t)sizeof(gt_record), "nothing was kept of them");
    windows[9] = right;
    windows[9].window.side_v = vec3_scale(1 + 1e-9, v);
    ask_windows(&f, 9, 1, windows, truths);
    cr_assert(gt_known(truths[9].needed_m), "nearly right is mended");
    teardown(&f);
}

Test(windows, are_kept)
{
    fixture f;
    setup(&f);
    gt_reported_window windows[FRAMES];
    gt_window_truth first[FRAMES], second[FRAMES], none[FRAMES];
    char path[1024];
    fill_windows(windows);
    ask_windows(&f, 10, 5, windows, first);
    find_file(&f, ".truth", path);
    cr_assert_eq(size_of(path), (off_t)(5 * sizeof(gt_record)));
    ask_windows(&f, 0, FRAMES, windows, first);
    ask_windows(&f, 0, FRAMES, windows, second);
    cr_assert(same_truths(first, second, FRAMES));
    cr_assert_eq(size_of(path), (off_t)(FRAMES * sizeof(gt_record)), "asked twice");
    f.options.cache_directory = NULL;
    f.options.threads = 1;
    ask_windows(&f, 0, FRAMES, windows, none);
    cr_assert(same_truths(first, none, FRAMES), "with and without a cache, and by one thread");
    teardown(&f);
}

/** Every number of the window is in the key, and so is the pose. */
Test(windows, another_window_misses)
{
    fixture f;
    setup(&f);
    gt_reported_window windows[FRAMES];
    gt_window_truth truths[FRAMES];
    char path[1024];
    off_t records = 1;
    fill_windows(windows);
    ask_windows(&f, 0, 1, windows, truths);
    find_file(&f, ".truth", path);
    gt_window *const w = &windows[0].window;
    double *const numbers[] = {
        &w->point.x,     &w->point.y,     &w->point.z,         &w->side_u.x,
        &w->side_u.y,    &w->side_u.z,    &w->side_v.x,        &w->side_v.y,
        &w->side_v.z,    &w->half_u_m,    &w->half_v_m,        &w->direction.x,
        &w->direction.y, &w->direction.z, &windows[0].depth_m, &f.poses[0].translation.z};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        *numbers[i] = nextafter(*numbers[i], 9);
        ask_windows(&f, 0, 1, windows, truths);
        cr_assert_eq(size_of(path), ++records * (off_t)sizeof(gt_record), "number %zu", i);
    }
    /* They are in one file with the truths of the pair, and no record is used for the wrong
     * query. */
    gt_truth truth;
    ask(&f, 0, 1, GT_WANT_DISTANCE, &truth);
    cr_assert_eq(size_of(path), ++records * (off_t)sizeof(gt_record));
    teardown(&f);
}

/** Otherwise old records would be used as new answers. */
Test(windows, version_follows_the_bits)
{
    fixture f;
    setup(&f);
    gt_reported_window windows[FRAMES];
    gt_window_truth truths[FRAMES];
    fill_windows(windows);
    f.options.cache_directory = NULL;
    ask_windows(&f, 0, FRAMES, windows, truths);
    base_hasher *const hasher = base_hasher_create();
    base_hasher_add(hasher, truths, sizeof truths);
    const base_hash_text found = base_hash_format(base_hasher_finish(hasher));
    cr_assert_str_eq(found.hex, "2b75f87e2634967a527b7db43b11e582",
                     "other bits: raise the version in cache.c, then put %s here", found.hex);
    teardown(&f);
}

/**
 * One of the bodies is an open surface: translations are known, volumes are not. Without memory the
 * query fails.
 */
Test(windows, surfaces_and_errors)
{
    fixture f;
    setup(&f);
    shape open = {0};
    shape_add_box(&open, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, false);
    open.parts.face_count--;
    shape_finish(&open);
    gt_reported_window windows[FRAMES];
    gt_window_truth found, right;
    base_error err = {0};
    fill_windows(windows);
    cr_assert_eq(gt_windows(f.a.body, open.body, f.poses, windows, 1, NULL, &found, &err), BASE_OK);
    cr_assert(!gt_known(found.before_m3) && !gt_known(found.after_m3) && gt_known(found.needed_m));
    cr_assert_eq(gt_windows(f.a.body, f.b.body, f.poses, windows, 1, NULL, &right, &err), BASE_OK);
    bool done = false;
    for (size_t n = 0; n < 1000 && !done; n++) {
        err = (base_error){0};
        f.options.threads = 1;
        f.options.cache_directory = n % 2 == 0 ? f.cache : NULL;
        base_memory_fail_after(n / 2);
        const base_status status =
            gt_windows(f.a.body, f.b.body, f.poses, windows, 1, &f.options, &found, &err);
        base_memory_fail_after(SIZE_MAX);
        cr_assert(status == BASE_OK || status == BASE_ERR_MEMORY, "allocation %zu: %s", n,
                  err.text);
        cr_assert((status == BASE_OK) == (err.text[0] == '\0'), "allocation %zu", n);
        cr_assert(status != BASE_OK || same_truths(&found, &right, 1), "allocation %zu", n);
        done = status == BASE_OK && n % 2 == 0;
    }
    cr_assert(done);
    shape_release(&open);
    teardown(&f);
}
