#include "suite/simulate/gain.h"

#include <math.h>
#include <string.h>

bool bench_gain_needed(const alg_variant *variant)
{
    return strcmp(variant->algorithm->force_unit, "N") != 0;
}

static bool is_exact(const alg_variant *variant)
{
    return variant->algorithm->contract(&variant->settings, ALG_FORCE) == ALG_EXACT;
}

static base_status add_up(bench_responder *r, bench_overlap *overlap, const scn_trajectory *device,
                          double step_s, double *gain, base_error *err)
{
    const scn_simulation clock = {.options = {.step_s = step_s}, .device = device};
    const uint64_t steps = scn_simulation_steps(&clock);
    const uint64_t every = steps / BENCH_GAIN_POSES_MAX + 1;
    double product = 0, square = 0;
    size_t at = 0;
    for (uint64_t i = 0; i <= steps; i += every) {
        const double t_s = device->frames[0].t_s + step_s * (double)i;
        const scn_frame frame = scn_trajectory_at(device, t_s, &at);
        const geo_pose pose = bench_pair_pose(r->pair, frame.position, frame.orientation);
        vec3 ideal;
        base_status status = bench_overlap_gradient(overlap, &pose, &ideal, err);
        if (status == BASE_OK) {
            status = bench_responder_ask(r, &pose, err);
        }
        if (status != BASE_OK) {
            return status;
        }
        const double g = vec3_norm(ideal), force = vec3_norm(r->answer.force);
        if (g > 0 && force > 0) {
            product += g * force;
            square += force * force;
        }
    }
    *gain = square > 0 ? product / square : (double)NAN;
    return BASE_OK;
}

base_status bench_gain_find(bench_responder *r, bench_overlap *overlap,
                            const scn_trajectory *device, double step_s, double *gain,
                            base_error *err)
{
    const bool exact = is_exact(&r->contestant.variant);
    *gain = exact ? 1 : (double)NAN;
    if (exact || !overlap) {
        return BASE_OK;
    }
    const base_status status = add_up(r, overlap, device, step_s, gain, err);
    bench_responder_reset(r);
    return status;
}
