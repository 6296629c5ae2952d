#include "scenarios/trajectories/sampling.h"

#include "geometry/box.h"
#include "geometry/random.h"

#include <math.h>
#include <stdio.h>

#define FRAME_S         0.001
#define STEP_DEFAULT    0.01
#define SLACK_RELATIVE  1e-9
#define VOLUME_RELATIVE 1e-6

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
