#include "algorithms/ist/spheres/secondary.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/nearest.h"

enum { RUNS_A_CHUNK = 64 };

typedef struct share_job {
    const alg_voxel_field *field;
    const geo_nearest *spheres;
    uint32_t *owners; /* of each voxel that was free */
} share_job;

static void share_runs(void *context, size_t begin, size_t end)
{
    const share_job *const job = context;
    const alg_voxel_runs *const grid = job->field->grid;
    for (size_t i = begin; i < end; i++) {
        const alg_voxel_run *const run = &grid->runs[i];
        uint32_t hint = GEO_NEAREST_NONE;
        double gap;
        for (uint32_t z = run->z0; z < run->z1; z++) {
            const uint32_t voxel = run->first + (z - run->z0);
            if (job->field->radius[voxel] >= 0) {
                const vec3 centre = alg_voxel_centre(grid, run->x, run->y, z);
                hint = geo_nearest_find(job->spheres, centre, hint, &gap);
                job->owners[voxel] = hint;
            }
        }
    }
}

base_status alg_ist_share_rest(const alg_voxel_field *field, alg_ist_packing *packing,
                               base_error *err)
{
    base_assert(packing->count > 0);
    base_arena arena = {0};
    geo_nearest spheres;
    uint32_t *const owners = base_alloc(field->grid->voxel_count, sizeof *owners);
    base_status status = BASE_OK;
    if (!owners) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for the shares of %u voxels",
                           field->grid->voxel_count);
        goto done;
    }
    status =
        geo_nearest_build(packing->centres, packing->radii, packing->count, &arena, &spheres, err);
    if (status != BASE_OK) {
        goto done;
    }
    share_job job = {field, &spheres, owners};
    base_parallel_for(field->grid->run_count, RUNS_A_CHUNK, 0, share_runs, &job);
    for (uint32_t i = 0; i < field->grid->run_count; i++) {
        const alg_voxel_run *const run = &field->grid->runs[i];
        for (uint32_t z = run->z0; z < run->z1; z++) {
            const uint32_t voxel = run->first + (z - run->z0);
            if (field->radius[voxel] >= 0) {
                alg_ist_share_add(&packing->shares[owners[voxel]], run->x, run->y, z);
            }
        }
    }
done:
    base_free(owners);
    base_arena_release(&arena);
    return status;
}

base_status alg_ist_secondary_radii(const alg_voxel_runs *grid, double volume_m3, bool centroid,
                                    alg_ist_packing *packing, base_error *err)
{
    if (centroid) {
        packing->middles = base_alloc(packing->count, sizeof *packing->middles);
        if (!packing->middles) {
            return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu spheres", packing->count);
        }
    }
    uint64_t voxels = 0;
    for (size_t i = 0; i < packing->count; i++) {
        voxels += packing->shares[i].voxels;
    }
    const double cube_of_one = 3 * volume_m3 / (4 * BASE_PI * (double)voxels);
    for (size_t i = 0; i < packing->count; i++) {
        const alg_ist_share *const s = &packing->shares[i];
        packing->secondary[i] = base_cbrt(cube_of_one * s->voxels);
        if (centroid) {
            packing->middles[i] = (vec3){
                grid->origin.x + grid->edge * ((double)s->sum[0] / s->voxels + 0.5),
                grid->origin.y + grid->edge * ((double)s->sum[1] / s->voxels + 0.5),
                grid->origin.z + grid->edge * ((double)s->sum[2] / s->voxels + 0.5),
            };
        }
    }
    return BASE_OK;
}
