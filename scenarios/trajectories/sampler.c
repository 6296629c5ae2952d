/** Samplers: what all have in common, their names, and the table of them. */
#include "base/text.h"
#include "geometry/box.h"
#include "geometry/random.h"
#include "scenarios/trajectories/sampling.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FRAME_S         0.001
#define STEP_DEFAULT    0.01
#define SLACK_RELATIVE  1e-9
#define VOLUME_RELATIVE 1e-6

typedef struct kind_row {
    const char *name;
    bool distance_only, one_value; /* one_value: hi is not used */
    base_status (*sample)(scn_run *run, base_error *err);
} kind_row;

static const kind_row kinds[] = {
    [SCN_SPHERE] = {"sphere", false, false, scn_sample_sphere},
    [SCN_GLIDE] = {"glide",  false, false, scn_sample_glide },
    [SCN_PRESS] = {"press",  false, false, scn_sample_press },
    [SCN_TUMBLE] = {"tumble", false, true,  scn_sample_tumble},
    [SCN_GRID] = {"grid",   true,  false, scn_sample_grid  },
    [SCN_BOXES] = {"boxes",  false, true,  scn_sample_boxes },
};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

static const char *const target_names[] = {
    [SCN_TARGET_DISTANCE] = "distance", [SCN_TARGET_VOLUME] = "volume", NULL};

/* --- A run ------------------------------------------------------------------------------------ */

static base_status check_values(const scn_sampler *sampler, base_error *err)
{
    const double lo = sampler->lo, hi = sampler->hi;
    if (!isfinite(lo) || !isfinite(hi) || lo < 0 || hi < 0) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "sampler values from %g to %g: they must be finite and not negative", lo,
                         hi);
    }
    if (lo > hi) {
        return base_fail(err, BASE_ERR_ARGUMENT, "sampler values from %g to %g: lo is above hi", lo,
                         hi);
    }
    if (sampler->target == SCN_TARGET_VOLUME && hi > 1) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "sampler values from %g to %g: a volume is a part of the smaller body, "
                         "at most 1",
                         lo, hi);
    }
    return BASE_OK;
}

static base_status check_sampler(const scn_sampler *sampler, const scn_pair *pair,
                                 const scn_oracle *oracle, base_error *err)
{
    if (sampler->frames == 0) {
        return base_fail(err, BASE_ERR_ARGUMENT, "a sampler needs at least one frame");
    }
    if (!isfinite(sampler->step) || sampler->step < 0) {
        return base_fail(err, BASE_ERR_ARGUMENT, "sampler step %g: it must be positive",
                         sampler->step);
    }
    if (sampler->target == SCN_TARGET_VOLUME &&
        (!oracle->volume || !(pair->volume_a_m3 > 0) || !(pair->volume_b_m3 > 0))) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "a sampler of volumes needs two solids; see `proxbench mesh check`");
    }
    return BASE_OK;
}

base_status scn_run_start(const scn_sampler *sampler, const scn_pair *pair,
                          const scn_oracle *oracle, scn_trajectory *trajectory, scn_run *run,
                          base_error *err)
{
    base_status status = check_values(sampler, err);
    if (status == BASE_OK) {
        status = check_sampler(sampler, pair, oracle, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    const vec3 edges = vec3_sub(pair->box_a.hi, pair->box_a.lo);
    const double size = fmax(edges.x, fmax(edges.y, edges.z));
    const double volume = fmin(pair->volume_a_m3, pair->volume_b_m3);
    const bool by_distance = sampler->target == SCN_TARGET_DISTANCE;
    const double step = sampler->step > 0 ? sampler->step : STEP_DEFAULT;
    if (!(size > 0)) {
        return base_fail(err, BASE_ERR_ARGUMENT, "a sampler needs a body A with an extent");
    }
    *run = (scn_run){
        .sampler = sampler,
        .solver = {.pair = pair,
                   .oracle = oracle,
                   .target = sampler->target,
                   .scale = by_distance ? geo_box_diagonal(pair->box_a) : volume,
                   .size_m = size,
                   .slack_m = SLACK_RELATIVE * size,
                   .volume_slack_m3 = VOLUME_RELATIVE * volume,
                   .flux_m2 = 0.5 * fmin(pair->area_a_m2, pair->area_b_m2),
                   .step_m = step * size},
        .random = base_random_seed(sampler->seed),
        .trajectory = trajectory,
    };
    return BASE_OK;
}

base_status scn_run_append(scn_run *run, geo_quat orientation, vec3 centre, double target,
                           double achieved, base_error *err)
{
    const scn_frame frame = {
        .t_s = FRAME_S * (double)run->trajectory->frame_count,
        .position = scn_translation(run->solver.pair, orientation, centre),
        .orientation = orientation,
        .target = target,
        .achieved = achieved,
    };
    return scn_trajectory_append(run->trajectory, &frame, err);
}

double scn_run_value(const scn_run *run, size_t i)
{
    const scn_sampler *const s = run->sampler;
    const double share = s->frames > 1 ? (double)i / (double)(s->frames - 1) : 0;
    return run->solver.scale * (s->lo + (s->hi - s->lo) * share);
}

scn_line scn_run_line(scn_run *run)
{
    const vec3 direction = geo_random_direction(&run->random);
    return (scn_line){direction, geo_random_rotation(&run->random)};
}

base_status scn_run_fail(const scn_run *run, double wanted, base_error *err)
{
    const bool by_distance = run->sampler->target == SCN_TARGET_DISTANCE;
    return base_fail(err, BASE_ERR_ARGUMENT,
                     "no pose of %s %g %s found for frame %zu in %d draws; the bodies may pass "
                     "through each other, or the value may be out of reach",
                     scn_target_name(run->sampler->target), wanted, by_distance ? "m" : "m3",
                     run->trajectory->frame_count, SCN_DRAWS_MAX);
}

void scn_run_describe(scn_run *run, const char *what)
{
    const scn_sampler *const s = run->sampler;
    const double step = run->solver.step_m / run->solver.size_m;
    char *const text = run->trajectory->source;
    const size_t size = sizeof run->trajectory->source;
    const int length = snprintf(
        text, size, "%s target=%s lo=%.9g hi=%.9g frames=%zu seed=%llu step=%.9g", what,
        scn_target_name(s->target), s->lo, s->hi, s->frames, (unsigned long long)s->seed, step);
    if (run->not_monotone > 0 && length > 0 && (size_t)length < size) {
        snprintf(text + length, size - (size_t)length, "; volume not monotone in %zu frames",
                 run->not_monotone);
    }
}

base_status scn_sample(const scn_sampler *sampler, const scn_pair *pair, const scn_oracle *oracle,
                       scn_trajectory *trajectory, base_error *err)
{
    const kind_row *const kind = &kinds[sampler->kind];
    *trajectory = (scn_trajectory){0};
    if (kind->distance_only && sampler->target != SCN_TARGET_DISTANCE) {
        return base_fail(err, BASE_ERR_ARGUMENT, "sampler '%s' takes distances only", kind->name);
    }
    scn_sampler own = *sampler;
    own.hi = kind->one_value ? own.lo : own.hi;
    scn_run run;
    base_status status = scn_run_start(&own, pair, oracle, trajectory, &run, err);
    if (status == BASE_OK) {
        status = kind->sample(&run, err);
    }
    if (status != BASE_OK) {
        scn_trajectory_release(trajectory);
        return status;
    }
    scn_run_describe(&run, kind->name);
    return BASE_OK;
}

/* --- Names ------------------------------------------------------------------------------------ */

static int find_name(const char *text, const char *const *names)
{
    for (int i = 0; names[i]; i++) {
        if (strcmp(text, names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

base_status scn_sampler_kind_parse(const char *text, scn_sampler_kind *kind, base_error *err)
{
    const char *names[KIND_COUNT + 1] = {0};
    for (int i = 0; i < KIND_COUNT; i++) {
        names[i] = kinds[i].name;
    }
    const int found = find_name(text, names);
    if (found < 0) {
        char near[256];
        base_text_near(text, names, near, sizeof near);
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "unknown sampler '%s' (sphere, glide, press, tumble, grid or boxes)%s",
                         text, near);
    }
    *kind = (scn_sampler_kind)found;
    return BASE_OK;
}

const char *scn_sampler_kind_name(scn_sampler_kind kind)
{
    return kinds[kind].name;
}

base_status scn_target_parse(const char *text, scn_target *target, base_error *err)
{
    const int found = find_name(text, target_names);
    if (found < 0) {
        char near[256];
        base_text_near(text, target_names, near, sizeof near);
        return base_fail(err, BASE_ERR_ARGUMENT, "unknown target '%s' (distance or volume)%s", text,
                         near);
    }
    *target = (scn_target)found;
    return BASE_OK;
}

const char *scn_target_name(scn_target target)
{
    return target_names[target];
}
