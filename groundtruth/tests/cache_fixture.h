/** A pair of bodies, poses and a separate cache for a test. */
#ifndef GROUNDTRUTH_TESTS_CACHE_FIXTURE_H
#define GROUNDTRUTH_TESTS_CACHE_FIXTURE_H

#include "base/random.h"
#include "base/tests/support.h"
#include "groundtruth/body/cache.h"
#include "groundtruth/trajectory.h"

#include "scratch.h"
#include "shapes.h"

enum { FRAMES = 40 };

typedef struct fixture {
    scratch dir;
    char cache[512];
    shape a, b;
    geo_pose poses[FRAMES];
    gt_options options;
} fixture;

/** Completes the fixture from the parts of f->a and a ball. */
static inline void setup_rest(fixture *f)
{
    f->dir = scratch_make();
    scratch_file(&f->dir, "cache/deep", f->cache);
    shape_add_ball(&f->b, 12, 8, 0.7);
    shape_finish(&f->a);
    shape_finish(&f->b);
    base_random random = base_random_seed(50);
    for (int i = 0; i < FRAMES; i++) {
        f->poses[i] = random_pose(&random, 2.5 * base_random_unit(&random));
    }
    f->options = (gt_options){.cache_directory = f->cache, .methods = GT_BY_BVH | GT_BY_TETRA};
}

static inline void setup(fixture *f)
{
    *f = (fixture){0};
    shape_add_torus(&f->a, 14, 9, 1, 0.4);
    setup_rest(f);
}

/** Makes a pair of convex bodies. */
static inline void setup_convex(fixture *f)
{
    *f = (fixture){0};
    shape_add_box(&f->a, (vec3){-0.5, -0.75, -1}, (vec3){0.5, 0.75, 1}, false);
    setup_rest(f);
}

static inline void teardown(fixture *f)
{
    shape_release(&f->a);
    shape_release(&f->b);
    scratch_remove(&f->dir);
}

#define SCOPED_FIXTURE RELEASED_BY(teardown) fixture

enum {
    BOTH = GT_WANT_DISTANCE | GT_WANT_VOLUME,
    ALL = BOTH | GT_WANT_PAIRS | GT_WANT_DEPTH | GT_WANT_FORCE
};

static inline void ask(fixture *f, size_t begin, size_t count, unsigned want, gt_truth *truths)
{
    assert_ok(gt_trajectory_truth(f->a.body, f->b.body, f->poses + begin, count, want, &f->options,
                                  truths, ERR));
}

static inline bool same_bracket(gt_bracket x, gt_bracket y)
{
    return memcmp(&x, &y, sizeof x) == 0;
}

static inline bool same_vector(vec3 x, vec3 y)
{
    return memcmp(&x, &y, sizeof x) == 0;
}

static inline bool same_number(double x, double y)
{
    return memcmp(&x, &y, sizeof x) == 0;
}

/** Compares truths member by member, because the padding between members may differ. */
static inline bool same(const gt_truth *x, const gt_truth *y, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!same_bracket(x[i].distance_m, y[i].distance_m) ||
            !same_bracket(x[i].volume_m3, y[i].volume_m3) ||
            !same_bracket(x[i].surface_m, y[i].surface_m) ||
            !same_bracket(x[i].pairs_count, y[i].pairs_count) ||
            !same_bracket(x[i].depth_m, y[i].depth_m) ||
            !same_vector(x[i].depth_direction, y[i].depth_direction) ||
            !same_vector(x[i].force_m2, y[i].force_m2) ||
            !same_vector(x[i].torque_m3, y[i].torque_m3) ||
            !same_number(x[i].force_bound_m2, y[i].force_bound_m2) ||
            !same_number(x[i].torque_bound_m3, y[i].torque_bound_m3) ||
            x[i].distance_certified != y[i].distance_certified ||
            x[i].volume_certified != y[i].volume_certified ||
            x[i].pairs_certified != y[i].pairs_certified ||
            x[i].depth_certified != y[i].depth_certified ||
            x[i].force_certified != y[i].force_certified || x[i].asked != y[i].asked ||
            x[i].expected != y[i].expected || x[i].methods != y[i].methods ||
            memcmp(x[i].by, y[i].by, sizeof x[i].by) != 0 ||
            !same_number(x[i].distance_disagreement_m, y[i].distance_disagreement_m) ||
            !same_number(x[i].volume_disagreement_m3, y[i].volume_disagreement_m3) ||
            !same_number(x[i].volume_bound_m3, y[i].volume_bound_m3)) {
            return false;
        }
    }
    return true;
}

/** Finds the only file with this ending. */
static inline void find_file(const fixture *f, const char *ending, char path[1024])
{
    char command[1024];
    snprintf(command, sizeof command, "ls %s/*%s", f->cache, ending);
    FILE *const list = popen(command, "r");
    cr_assert_not_null(list);
    cr_assert_not_null(fgets(path, 1024, list), "no file *%s", ending);
    path[strcspn(path, "\n")] = '\0';
    pclose(list);
}

static inline off_t size_of(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? info.st_size : -1;
}

static inline void poke(const char *path, long offset, int origin, char change)
{
    FILE *const file = fopen(path, "r+");
    cr_assert_not_null(file);
    cr_assert_eq(fseek(file, offset, origin), 0);
    const int old = fgetc(file);
    cr_assert_eq(fseek(file, offset, origin), 0);
    fputc(old ^ change, file);
    fclose(file);
}

#endif
