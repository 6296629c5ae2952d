/** Common code of the tests of trajectories and experiments: scratch files, and bodies with closed
 * forms as oracles. */
#ifndef SCENARIOS_TESTS_SUPPORT_H
#define SCENARIOS_TESTS_SUPPORT_H

#include "base/elementary.h"
#include "base/tests/support.h"
#include "geometry/pose.h"
#include "scenarios/trajectories/sampler.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

/** Checks for leaks, because Criterion does not detect them. */
static inline void no_leak(void)
{
#ifdef __SANITIZE_ADDRESS__
    cr_assert_eq(__lsan_do_recoverable_leak_check(), 0, "memory leaked");
#endif
}

/** A temporary file with a text. The caller unlinks it. */
typedef struct scratch {
    char path[64];
} scratch;

static inline scratch scratch_write(const char *text)
{
    scratch s = {"/tmp/proxbench-scn-XXXXXX"};
    const int handle = mkstemp(s.path);
    cr_assert(handle >= 0);
    const size_t size = strlen(text);
    cr_assert_eq(write(handle, text, size), (ssize_t)size);
    close(handle);
    return s;
}

/** Returns err->text with the path of the scratch file replaced by F, for comparisons. */
static inline const char *error_text(base_error *err, const scratch *s)
{
    char *const at = strstr(err->text, s->path);
    if (at) {
        *at = 'F';
        memmove(at + 1, at + strlen(s->path), strlen(at + strlen(s->path)) + 1);
    }
    return err->text;
}

/* --- Bodies ----------------------------------------------------------------------------------- */

enum { BALLS_MAX = 4 };

/** A body of disjoint balls. */
typedef struct balls {
    int count;
    geo_ball ball[BALLS_MAX];
} balls;

typedef enum shape { SHAPE_BALLS, SHAPE_TORUS, SHAPE_SHELL } shape;

/**
 * A pair with closed forms. A consists of balls, or is a torus about z through its centre, or a
 * spherical shell; B consists of balls. The oracle counts its calls, and fails at call number
 * `fail_at`, counted from 1.
 */
typedef struct world {
    shape shape;
    balls a, b;
    vec3 centre;         /* centre of torus and shell */
    double outer, inner; /* torus: radius of the circle and of the tube; shell: its two radii */
    geo_ball bound_a, bound_b;
    size_t distances, volumes, fail_at;
} world;

static inline double ball_volume(double r)
{
    return 4.0 / 3.0 * BASE_PI * r * r * r;
}

/** Returns the volume of two caps: pi (R + r - d)^2 (d^2 + 2 d (r + R) - 3 (r - R)^2) / (12 d). */
static inline double lens_volume(double d, double p, double q)
{
    if (d >= p + q) {
        return 0;
    }
    const double small = p < q ? p : q;
    if (d <= fabs(p - q)) {
        return ball_volume(small);
    }
    const double h = p + q - d;
    return BASE_PI * h * h * (d * d + 2 * d * (p + q) - 3 * (p - q) * (p - q)) / (12 * d);
}

static inline double world_gap(const world *w, vec3 c, double r)
{
    double gap = INFINITY;
    if (w->shape == SHAPE_TORUS) {
        const vec3 p = vec3_sub(c, w->centre);
        const double rho = sqrt(p.x * p.x + p.y * p.y) - w->outer;
        return sqrt(rho * rho + p.z * p.z) - w->inner - r;
    }
    if (w->shape == SHAPE_SHELL) {
        const double d = vec3_distance(c, w->centre);
        return fmax(d - w->outer, w->inner - d) - r;
    }
    for (int i = 0; i < w->a.count; i++) {
        gap = fmin(gap, vec3_distance(c, w->a.ball[i].centre) - w->a.ball[i].radius - r);
    }
    return gap;
}

static inline double world_lens(const world *w, vec3 c, double r)
{
    if (w->shape == SHAPE_SHELL) {
        const double d = vec3_distance(c, w->centre);
        return lens_volume(d, w->outer, r) - lens_volume(d, w->inner, r);
    }
    double sum = 0;
    for (int i = 0; i < w->a.count; i++) {
        sum += lens_volume(vec3_distance(c, w->a.ball[i].centre), w->a.ball[i].radius, r);
    }
    return sum;
}

static inline double world_distance(const world *w, const geo_pose *pose)
{
    double gap = INFINITY;
    for (int i = 0; i < w->b.count; i++) {
        gap =
            fmin(gap, world_gap(w, geo_pose_apply(pose, w->b.ball[i].centre), w->b.ball[i].radius));
    }
    return fmax(0, gap);
}

static inline double world_volume(const world *w, const geo_pose *pose)
{
    double sum = 0;
    for (int i = 0; i < w->b.count; i++) {
        sum += world_lens(w, geo_pose_apply(pose, w->b.ball[i].centre), w->b.ball[i].radius);
    }
    return sum;
}

static inline base_status world_count(const world *w, base_error *err)
{
    return w->fail_at > 0 && w->distances + w->volumes >= w->fail_at
               ? base_fail(err, BASE_ERR_SYSTEM, "oracle stopped")
               : BASE_OK;
}

static inline base_status oracle_distance(void *context, const geo_pose *pose, double *distance,
                                          base_error *err)
{
    world *const w = context;
    w->distances++;
    *distance = world_distance(w, pose);
    return world_count(w, err);
}

static inline base_status oracle_volume(void *context, const geo_pose *pose, double *volume,
                                        base_error *err)
{
    world *const w = context;
    w->volumes++;
    *volume = world_volume(w, pose);
    return world_count(w, err);
}

static inline scn_oracle world_oracle(world *w)
{
    return (scn_oracle){.context = w,
                        .distance = oracle_distance,
                        .volume = w->shape == SHAPE_TORUS ? NULL : oracle_volume};
}

static inline void add_balls(const balls *b, geo_box *box, double *area, double *volume)
{
    for (int i = 0; i < b->count; i++) {
        const double r = b->ball[i].radius;
        const vec3 margin = {r, r, r};
        box->lo = vec3_min(box->lo, vec3_sub(b->ball[i].centre, margin));
        box->hi = vec3_max(box->hi, vec3_add(b->ball[i].centre, margin));
        *area += 4 * BASE_PI * r * r;
        *volume += ball_volume(r);
    }
}

static inline scn_pair world_pair(const world *w)
{
    const vec3 most = {INFINITY, INFINITY, INFINITY};
    const geo_box empty = {most, vec3_scale(-1, most)};
    scn_pair pair = {.box_a = empty,
                     .box_b = empty,
                     .ball_a = w->bound_a,
                     .ball_b = w->bound_b,
                     .axes_a = geo_quat_identity(),
                     .axes_b = geo_quat_identity()};
    add_balls(&w->b, &pair.box_b, &pair.area_b_m2, &pair.volume_b_m3);
    if (w->shape == SHAPE_BALLS) {
        add_balls(&w->a, &pair.box_a, &pair.area_a_m2, &pair.volume_a_m3);
        return pair;
    }
    const double reach = w->shape == SHAPE_TORUS ? w->outer + w->inner : w->outer;
    const double height = w->shape == SHAPE_TORUS ? w->inner : w->outer;
    const vec3 half = {reach, reach, height};
    pair.box_a = (geo_box){vec3_sub(w->centre, half), vec3_add(w->centre, half)};
    if (w->shape == SHAPE_SHELL) {
        pair.volume_a_m3 = ball_volume(w->outer) - ball_volume(w->inner);
        pair.area_a_m2 = 4 * BASE_PI * (w->outer * w->outer + w->inner * w->inner);
    } else {
        pair.volume_a_m3 = 2 * BASE_PI * BASE_PI * w->outer * w->inner * w->inner;
        pair.area_a_m2 = 4 * BASE_PI * BASE_PI * w->outer * w->inner;
    }
    return pair;
}

/* Bodies are not at the origin of their frames, so that a wrong frame is detected. */

static inline world world_two_balls(void)
{
    const geo_ball a = {{0.01, -0.02, 0.03}, 0.05}, b = {{-0.02, 0.05, 0.01}, 0.03};
    return (world){.shape = SHAPE_BALLS, .a = {1, {a}}, .b = {1, {b}}, .bound_a = a, .bound_b = b};
}

/** Returns two balls of equal size on a line along `axis`. */
static inline balls dumbbell(vec3 centre, vec3 axis, double half, double radius, geo_ball *bound)
{
    *bound = (geo_ball){centre, half + radius};
    return (balls){
        2, {{vec3_madd(centre, half, axis), radius}, {vec3_madd(centre, -half, axis), radius}}};
}

static inline world world_dumbbells(void)
{
    world w = {.shape = SHAPE_BALLS};
    w.a = dumbbell(vec3_make(0.01, 0, -0.01), vec3_make(0, 0, 1), 0.04, 0.02, &w.bound_a);
    w.b = dumbbell(vec3_make(0.02, -0.03, 0), vec3_make(1, 0, 0), 0.03, 0.015, &w.bound_b);
    return w;
}

/** A torus, and a dumbbell that fits through its hole. */
static inline world world_torus(void)
{
    world w = {.shape = SHAPE_TORUS, .centre = {0.005, 0.01, -0.02}, .outer = 0.05, .inner = 0.01};
    w.bound_a = (geo_ball){w.centre, w.outer + w.inner};
    w.b = dumbbell(vec3_make(-0.01, 0, 0.02), vec3_make(0, 1, 0), 0.015, 0.006, &w.bound_b);
    return w;
}

/** A shell, and a small ball that fits into its cavity and into its wall. */
static inline world world_shell(void)
{
    world w = {.shape = SHAPE_SHELL, .centre = {-0.01, 0, 0.01}, .outer = 0.06, .inner = 0.04};
    w.bound_a = (geo_ball){w.centre, w.outer};
    w.b = (balls){1, {{{0.01, 0.01, 0.01}, 0.008}}};
    w.bound_b = w.b.ball[0];
    return w;
}

/* --- Frames ----------------------------------------------------------------------------------- */

static inline geo_pose frame_pose(const scn_frame *f)
{
    return geo_pose_make(f->orientation, f->position);
}

/** Returns the longest edge of A's box, to which the tolerances are relative. */
static inline double world_size(const world *w)
{
    const scn_pair pair = world_pair(w);
    const vec3 e = vec3_sub(pair.box_a.hi, pair.box_a.lo);
    return fmax(e.x, fmax(e.y, e.z));
}

static inline double world_diagonal(const world *w)
{
    const scn_pair pair = world_pair(w);
    return vec3_distance(pair.box_a.lo, pair.box_a.hi);
}

static inline double world_least_volume(const world *w)
{
    const scn_pair pair = world_pair(w);
    return fmin(pair.volume_a_m3, pair.volume_b_m3);
}

/** Returns B's ball centre relative to A's. */
static inline vec3 frame_offset(const world *w, const scn_frame *f)
{
    const geo_pose pose = frame_pose(f);
    return vec3_sub(geo_pose_apply(&pose, w->bound_b.centre), w->bound_a.centre);
}

/** Returns the largest motion of points on B's surface between two frames of the trajectory. */
static inline double largest_motion(const world *w, const scn_trajectory *t)
{
    enum { POINTS = 60 };
    vec3 points[BALLS_MAX * POINTS];
    int count = 0;
    base_random random = base_random_seed(5);
    for (int i = 0; i < w->b.count; i++) {
        for (int k = 0; k < POINTS; k++) {
            points[count++] =
                vec3_madd(w->b.ball[i].centre, w->b.ball[i].radius, geo_random_direction(&random));
        }
    }
    double most = 0;
    for (size_t f = 1; f < t->frame_count; f++) {
        const geo_pose p = frame_pose(&t->frames[f - 1]), q = frame_pose(&t->frames[f]);
        for (int k = 0; k < count; k++) {
            most = fmax(
                most, vec3_distance(geo_pose_apply(&p, points[k]), geo_pose_apply(&q, points[k])));
        }
    }
    return most;
}

/** Returns the hash of the written file. */
static inline base_hash_text trajectory_hash(const scn_trajectory *t)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const file = open_memstream(&text, &size);
    assert_ok(scn_trajectory_write(t, file, "memory", ERR));
    fclose(file);
    base_hasher *const hasher = base_hasher_create();
    base_hasher_add(hasher, text, size);
    free(text);
    return base_hash_format(base_hasher_finish(hasher));
}

/** Runs a sampler that must succeed. */
static inline scn_trajectory sample(world *w, const scn_sampler *sampler)
{
    const scn_pair pair = world_pair(w);
    const scn_oracle oracle = world_oracle(w);
    scn_trajectory t;
    w->distances = w->volumes = 0;
    assert_ok(scn_sample(sampler, &pair, &oracle, &t, ERR));
    cr_assert_eq(t.frame_count, sampler->frames * scn_sampler_hold(sampler));
    return t;
}

/** Returns the number of frames whose `achieved` differs from their `target` by more than both
 * tolerances. */
static inline size_t off_target(const scn_trajectory *t, double tolerance_relative,
                                double tolerance)
{
    size_t count = 0;
    for (size_t i = 0; i < t->frame_count; i++) {
        const scn_frame *const f = &t->frames[i];
        count += fabs(f->achieved - f->target) > fmax(tolerance_relative * f->target, tolerance);
    }
    return count;
}

/** Checks that no surface point of B moves more than the step. */
static inline void assert_step(const world *w, const scn_trajectory *t, double step)
{
    const double motion = largest_motion(w, t), most = step * world_size(w);
    cr_assert_leq(motion, most * (1 + 1e-9), "%g, more than %g", motion, most);
}

/** Checks that `achieved` is the oracle's value at the pose as it is written. */
static inline void assert_achieved(const world *w, const scn_trajectory *t, bool volume)
{
    for (size_t i = 0; i < t->frame_count; i++) {
        const geo_pose pose = frame_pose(&t->frames[i]);
        const double value = volume ? world_volume(w, &pose) : world_distance(w, &pose);
        cr_assert_eq(t->frames[i].achieved, value, "frame %zu: %.17g, %.17g", i,
                     t->frames[i].achieved, value);
        cr_assert_float_eq(t->frames[i].t_s, 0.001 * (double)i, 1e-12);
    }
}

#endif
