/**
 * Spheres and points of a walk into a field, eight at a time, with what they say of the surface.
 */
#include "algorithms/pst/field_lanes.h"
#include "algorithms/pst/walk.h"
#include "base/simd.h"

static inline f32x8 turn(const geo_motion *m, int axis, f32x8 x, f32x8 y, f32x8 z)
{
    const f32x8 a = f32x8_mul(f32x8_set(m->column[0][axis]), x);
    const f32x8 b = f32x8_mul(f32x8_set(m->column[1][axis]), y);
    const f32x8 c = f32x8_mul(f32x8_set(m->column[2][axis]), z);
    return f32x8_add(f32x8_add(f32x8_add(a, b), c), f32x8_set(m->t[axis]));
}

void BASE_ISA(alg_pst_walk_look_up)(const alg_pst_walk *walk, const alg_pst_places_in *in,
                                    alg_pst_looked_up *found)
{
    const f32x8 x = f32x8_load(in->x), y = f32x8_load(in->y), z = f32x8_load(in->z);
    f32x8 at[3], value, below;
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = turn(&walk->motion, axis, x, y, z);
        f32x8_store(found->at[axis], at[axis]);
    }
    alg_pst_field_lanes(walk->field, at[0], at[1], at[2], &value, &below);
    const f32x8 zero = f32x8_set(0), slack = f32x8_set(ALG_PST_BOUND_SLACK);
    const f32x8 around = f32x8_add(f32x8_load(in->radius), f32x8_set(walk->margin));
    const f32x8 near = f32x8_max(f32x8_sub(f32x8_sub(value, below), around), zero);
    const f32x8 square = f32x8_mul(f32x8_mul(near, near), slack);
    const f32x8 left = f32x8_max(f32x8_sub(square, f32x8_load(in->patch2)), zero);
    f32x8_store(found->value, value);
    f32x8_store(found->bound, f32x8_mul(f32x8_sqrt(left), slack));
}
