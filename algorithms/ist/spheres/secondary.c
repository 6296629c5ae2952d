#include "algorithms/ist/spheres/secondary.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/bvh.h"

#include <string.h>

enum { RUNS_A_CHUNK = 64 };

/* --- Voxels of the packing -------------------------------------------------------------------- */

typedef struct share_job {
    const alg_voxel_field *field;
    const geo_nearest *spheres;
    bool all;         /* also share voxels that are taken */
    uint32_t *owners; /* by voxel: of the voxels that were free, or of all */
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
            if (job->all || job->field->radius[voxel] >= 0) {
                const vec3 centre = alg_voxel_centre(grid, run->x, run->y, z);
                hint = geo_nearest_find(job->spheres, centre, hint, &gap);
                job->owners[voxel] = hint;
            }
        }
    }
}

/** Finds the nearest sphere of each voxel. The caller frees owners. */
static base_status find_owners(share_job *job, base_error *err)
{
    const alg_voxel_runs *const grid = job->field->grid;
    job->owners = base_alloc(grid->voxel_count, sizeof *job->owners);
    if (!job->owners) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the shares of %u voxels",
                         grid->voxel_count);
    }
    base_parallel_for(grid->run_count, RUNS_A_CHUNK, 0, share_runs, job);
    return BASE_OK;
}

base_status alg_ist_share_rest(const alg_voxel_field *field, alg_ist_packing *packing,
                               base_error *err)
{
    base_assert(packing->count > 0);
    base_arena arena = {0};
    geo_nearest spheres;
    share_job job = {.field = field, .spheres = &spheres};
    base_status status =
        geo_nearest_build(packing->centres, packing->radii, packing->count, &arena, &spheres, err);
    if (status == BASE_OK) {
        status = find_owners(&job, err);
    }
    for (uint32_t i = 0; i < field->grid->run_count && status == BASE_OK; i++) {
        const alg_voxel_run *const run = &field->grid->runs[i];
        for (uint32_t z = run->z0; z < run->z1; z++) {
            const uint32_t voxel = run->first + (z - run->z0);
            if (field->radius[voxel] >= 0) {
                alg_ist_share_add(&packing->shares[job.owners[voxel]], run->x, run->y, z);
            }
        }
    }
    base_free(job.owners);
    base_arena_release(&arena);
    return status;
}

/* --- Finer voxels ----------------------------------------------------------------------------- */

/* Number of finer voxels whose owners are held at once. */
enum { VOXELS_AT_ONCE = 1 << 20 };

typedef struct fine_job {
    const share_job *coarse;
    const alg_voxel_runs *grid; /* of the finer voxels */
    uint32_t run, voxel;        /* first ones of this pass */
    uint32_t *owners;           /* of the voxels from there on */
} fine_job;

/** Returns the coarse cell of a point along an axis. */
static uint32_t cell_along(const alg_voxel_runs *coarse, double at, double origin, uint32_t size)
{
    const double cell = (at - origin) / coarse->edge;
    return cell > 0 ? (cell < size - 1 ? (uint32_t)cell : size - 1) : 0;
}

static void own_run(const fine_job *job, const alg_voxel_run *run, uint32_t *owner)
{
    const alg_voxel_runs *const coarse = job->coarse->field->grid;
    const vec3 first = alg_voxel_centre(job->grid, run->x, run->y, run->z0);
    const uint32_t x = cell_along(coarse, first.x, coarse->origin.x, coarse->size[0]);
    const uint32_t y = cell_along(coarse, first.y, coarse->origin.y, coarse->size[1]);
    const uint32_t *const column = &coarse->columns[(size_t)y * coarse->size[0] + x];
    const alg_voxel_run *at = &coarse->runs[column[0]], *const end = &coarse->runs[column[1]];
    uint32_t hint = GEO_NEAREST_NONE;
    for (uint32_t z = run->z0; z < run->z1; z++) {
        const vec3 centre = alg_voxel_centre(job->grid, run->x, run->y, z);
        const uint32_t cell = cell_along(coarse, centre.z, coarse->origin.z, coarse->size[2]);
        while (at < end && at->z1 <= cell) {
            at++;
        }
        double gap;
        hint = at < end && at->z0 <= cell
                   ? job->coarse->owners[at->first + (cell - at->z0)]
                   : geo_nearest_find(job->coarse->spheres, centre, hint, &gap);
        owner[z - run->z0] = hint;
    }
}

static void own_runs(void *context, size_t begin, size_t end)
{
    const fine_job *const job = context;
    for (size_t i = begin; i < end; i++) {
        const alg_voxel_run *const run = &job->grid->runs[job->run + i];
        own_run(job, run, job->owners + (run->first - job->voxel));
    }
}

/** Returns the end of the runs that begin less than VOXELS_AT_ONCE voxels behind the first one. */
static uint32_t runs_at_once(const alg_voxel_runs *grid, uint32_t first)
{
    uint32_t end = first;
    while (end < grid->run_count &&
           grid->runs[end].first - grid->runs[first].first < VOXELS_AT_ONCE) {
        end++;
    }
    return end;
}

static void add_owned(const fine_job *job, uint32_t end, alg_ist_share *shares)
{
    for (uint32_t i = job->run; i < end; i++) {
        const alg_voxel_run *const run = &job->grid->runs[i];
        const uint32_t *const owners = job->owners + (run->first - job->voxel);
        for (uint32_t z = run->z0; z < run->z1; z++) {
            alg_ist_share_add(&shares[owners[z - run->z0]], run->x, run->y, z);
        }
    }
}

base_status alg_ist_share_fine(const alg_voxel_field *field, const alg_voxel_runs *fine,
                               alg_ist_packing *packing, base_error *err)
{
    base_assert(packing->count > 0);
    base_arena arena = {0};
    geo_nearest spheres;
    share_job coarse = {.field = field, .spheres = &spheres, .all = true};
    fine_job job = {.coarse = &coarse, .grid = fine};
    base_status status =
        geo_nearest_build(packing->centres, packing->radii, packing->count, &arena, &spheres, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = find_owners(&coarse, err);
    if (status != BASE_OK) {
        goto done;
    }
    job.owners = base_alloc(VOXELS_AT_ONCE + ALG_VOXEL_RESOLUTION_MAX, sizeof *job.owners);
    if (!job.owners) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for the shares of voxels");
        goto done;
    }
    memset(packing->shares, 0, packing->count * sizeof *packing->shares);
    while (job.run < fine->run_count) {
        const uint32_t end = runs_at_once(fine, job.run);
        job.voxel = fine->runs[job.run].first;
        base_parallel_for(end - job.run, RUNS_A_CHUNK, 0, own_runs, &job);
        add_owned(&job, end, packing->shares);
        job.run = end;
    }
done:
    base_free(job.owners);
    base_free(coarse.owners);
    base_arena_release(&arena);
    return status;
}

/* --- Balls ------------------------------------------------------------------------------------ */

base_status alg_ist_secondary_radii(const alg_voxel_runs *grid, double volume_m3, bool centroid,
                                    alg_ist_packing *packing, base_error *err)
{
    if (centroid && !packing->middles) {
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
            packing->middles[i] = packing->centres[i];
        }
        if (centroid && s->voxels > 0) {
            packing->middles[i] = (vec3){
                grid->origin.x + grid->edge * ((double)s->sum[0] / s->voxels + 0.5),
                grid->origin.y + grid->edge * ((double)s->sum[1] / s->voxels + 0.5),
                grid->origin.z + grid->edge * ((double)s->sum[2] / s->voxels + 0.5),
            };
        }
    }
    return BASE_OK;
}
