#include "suite/simulate/gain.h"

#include "suite/message.h"

#include <math.h>
#include <string.h>

static bool is_exact(const alg_variant *variant)
{
    const alg_algorithm *const a = variant->algorithm;
    return a->contract(&variant->settings, ALG_FORCE) == ALG_EXACT;
}

static base_status add_up(bench_responder *r, bench_overlap *overlap, const scn_trajectory *device,
                          double *gain, base_error *err)
{
    const size_t count = device->frame_count;
    const size_t every = (count + BENCH_GAIN_POSES_MAX - 1) / BENCH_GAIN_POSES_MAX;
    double product = 0, square = 0;
    for (size_t f = 0; f < count; f += every) {
        const scn_frame *const frame = &device->frames[f];
        const geo_pose pose = bench_pair_pose(r->pair, frame->position, frame->orientation);
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
                            const scn_trajectory *device, double *gain, base_error *err)
{
    const alg_variant *const variant = &r->contestant.variant;
    const char *const unit = variant->algorithm->force_unit;
    *gain = is_exact(variant) ? 1 : (double)NAN;
    if (is_exact(variant) || strcmp(unit, "N") == 0) {
        return BASE_OK;
    }
    if (overlap) {
        const base_status status = add_up(r, overlap, device, gain, err);
        bench_responder_reset(r);
        if (status != BASE_OK) {
            return status;
        }
    }
    if (!isfinite(*gain)) {
        *gain = 1;
        bench_warn("'%s': a unit of its force (%s) is taken for one of the exact volume's (m2): %s",
                   variant->name, unit,
                   overlap ? "on the device's path the two are never above 0 together"
                           : "a body is no solid");
    }
    return BASE_OK;
}
