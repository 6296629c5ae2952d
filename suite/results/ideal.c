#include "suite/results/ideal.h"

#include "base/error.h"

#include <math.h>

gt_quantity bench_ideal_quantity(alg_law law)
{
    base_assert(law != ALG_LAW_NONE);
    return law == ALG_LAW_DEPTH             ? GT_DEPTH_FORCE
           : law == ALG_LAW_DEPTH_EXCHANGED ? GT_DEPTH_FORCE_EXCHANGED
                                            : GT_FORCE;
}

bench_ideal bench_ideal_of(const gt_truth *truth, alg_law law, int certificate)
{
    const int found = gt_certificate(truth, bench_ideal_quantity(law));
    const vec3 unknown = {NAN, NAN, NAN};
    if (found == 0 || found < certificate) {
        return (bench_ideal){unknown, unknown, NAN, NAN};
    }
    if (law == ALG_LAW_AREA) {
        return (bench_ideal){truth->force_m2, truth->torque_m3, truth->force_bound_m2,
                             truth->torque_bound_m3};
    }
    const gt_depth_law *const depth =
        law == ALG_LAW_DEPTH ? &truth->depth_force : &truth->depth_force_exchanged;
    return (bench_ideal){depth->force_m3, depth->torque_m4, depth->force_bound_m3,
                         depth->torque_bound_m4};
}

alg_law bench_ideal_own(const alg_variant *variant)
{
    const alg_law law = alg_variant_law(variant);
    return law != ALG_LAW_NONE ? law : ALG_LAW_AREA;
}

unsigned bench_ideals_of(const alg_variant *variant)
{
    const alg_law law = alg_variant_law(variant);
    return 1u << ALG_LAW_AREA | 1u << (law != ALG_LAW_NONE ? law : ALG_LAW_DEPTH);
}

/** True if all frames have one of these known answers (mask of SCN_KNOWN_*). */
static bool is_known(const scn_trajectory *trajectory, unsigned mask)
{
    for (size_t f = 0; f < trajectory->frame_count; f++) {
        if (!(trajectory->frames[f].known.mask & mask)) {
            return false;
        }
    }
    return true;
}

unsigned bench_ideals_truth(const alg_variant *variant, const scn_trajectory *trajectory)
{
    unsigned ideals = bench_ideals_of(variant), want = 0;
    const bool lawless = alg_variant_law(variant) == ALG_LAW_NONE;
    if (is_known(trajectory, SCN_KNOWN_DEPTH_FORCE) ||
        (lawless && is_known(trajectory, SCN_KNOWN_FORCE))) {
        ideals &= ~(1u << ALG_LAW_DEPTH);
    }
    for (int law = ALG_LAW_DEPTH; law < ALG_LAW_COUNT; law++) {
        want |= ideals & 1u << law ? 1u << bench_ideal_quantity((alg_law)law) : 0;
    }
    return alg_variant_answers(variant) & ALG_WANT_FORCE ? want : 0;
}
