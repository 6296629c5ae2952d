#include "algorithms/ist/solid.h"

#include "base/memory.h"

static alg_ist_sphere sphere_of(const alg_ist_packing *packing, size_t i)
{
    return (alg_ist_sphere){
        .centre = packing->centres[i],
        .primary = packing->radii[i],
        .secondary = packing->secondary[i],
        .middle = packing->middles[i],
        .outward = packing->outward[i],
        .outer = packing->outer[i],
    };
}

base_status alg_ist_solid_build(const alg_ist_packing *packing, const alg_ist_tree_options *options,
                                base_arena *arena, alg_ist_solid *solid, base_error *err)
{
    const size_t count = packing->count;
    *solid = (alg_ist_solid){0};
    alg_ist_ball *const balls = base_alloc(count, sizeof *balls);
    if (!balls) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu spheres", count);
    }
    for (size_t i = 0; i < count; i++) {
        const alg_ist_sphere s = sphere_of(packing, i);
        balls[i] = (alg_ist_ball){s.centre, s.primary, alg_ist_sphere_reach(&s)};
    }
    const base_status status = alg_ist_tree_build(balls, count, options, arena, &solid->tree, err);
    base_free(balls);
    if (status != BASE_OK) {
        return status;
    }
    solid->spheres = base_arena_alloc(arena, count, sizeof *solid->spheres);
    if (!solid->spheres) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu spheres", count);
    }
    for (size_t leaf = 0; leaf < count; leaf++) {
        solid->spheres[leaf] = sphere_of(packing, solid->tree.places[leaf]);
    }
    return BASE_OK;
}
