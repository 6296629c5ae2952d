/** Spheres and points of a walk into a field, eight at a time. */
#include "algorithms/pst/field_lanes.h"
#include "algorithms/pst/walk.h"

void BASE_ISA(alg_pst_look_up)(const alg_pst_field *field, const geo_motion *motion, const float *x,
                               const float *y, const float *z, alg_pst_looked_up *found)
{
    const f32x8 from[3] = {f32x8_load(x), f32x8_load(y), f32x8_load(z)};
    f32x8 at[3], value, below;
    for (int k = 0; k < 3; k++) {
        at[k] = f32x8_mul(f32x8_set(motion->column[0][k]), from[0]);
        at[k] = f32x8_add(at[k], f32x8_mul(f32x8_set(motion->column[1][k]), from[1]));
        at[k] = f32x8_add(at[k], f32x8_mul(f32x8_set(motion->column[2][k]), from[2]));
        at[k] = f32x8_add(at[k], f32x8_set(motion->t[k]));
        f32x8_store(found->at[k], at[k]);
    }
    alg_pst_field_lanes(field, at[0], at[1], at[2], &value, &below);
    f32x8_store(found->value, value);
    f32x8_store(found->below, below);
}
