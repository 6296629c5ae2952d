/**
 * Which part of the body's volume belongs to each sphere.
 */
#include "algorithms/ist/packing.h"

#include "geometry/elementary.h"
#include "geometry/simd.h"

#include <float.h>

enum { RUNS_A_CHUNK = 64 };

static const uint32_t nobody = UINT32_MAX;

typedef struct share_job {
    const alg_voxel_field *field;
    const alg_ist_packing *packing;
    const geo_bvh *bvh; /* over the spheres */
    uint32_t *owners;   /* of each voxel that was free */
} share_job;

/* Floats bound the distance to a box: 5 roundings of its square. */
static const double bound_slack = 1 + 0x1p-20;

/** A search for the sphere that is nearest to a point outside of all. */
typedef struct search {
    const share_job *job;
    vec3 point;
    f32x8 below[3], above[3]; /* point, rounded down and up */
    double gap;               /* |x - c| - r of the nearest so far */
    uint32_t sphere;
    float limit; /* boxes with a larger squared bound hold no better sphere, nor an equal one */
} search;

static void try_sphere(search *s, uint32_t sphere)
{
    const alg_ist_packing *const packing = s->job->packing;
    const double gap = vec3_distance(s->point, packing->centres[sphere]) - packing->radii[sphere];
    if (gap < s->gap || (gap == s->gap && sphere < s->sphere)) {
        s->gap = gap;
        s->sphere = sphere;
        const double reach2 = gap > 0 ? gap * gap * bound_slack : 0;
        s->limit = geo_float_above(reach2 + (double)FLT_MIN);
    }
}

typedef struct waiting {
    float bound;
    uint32_t first, count; /* as in a node's lane */
} waiting;

/** Puts the lanes within the limit on the stack, the nearest on top; returns the new height. */
static size_t push_lanes(const search *s, const geo_bvh_node *node, waiting *stack, size_t top)
{
    const f32x8 zero = f32x8_set(0);
    f32x8 sum = zero;
    for (int axis = 0; axis < 3; axis++) {
        const f32x8 under = f32x8_sub(f32x8_load(node->lo[axis]), s->above[axis]);
        const f32x8 over = f32x8_sub(s->below[axis], f32x8_load(node->hi[axis]));
        const f32x8 gap = f32x8_max(f32x8_max(under, over), zero);
        sum = f32x8_add(sum, f32x8_mul(gap, gap));
    }
    float bound[GEO_BVH_WIDTH];
    f32x8_store(bound, sum);
    const size_t base = top;
    /* Lanes that are not used are infinitely far. */
    for (unsigned left = m32x8_bits(f32x8_le(sum, f32x8_set(s->limit))); left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        size_t at = top++;
        for (; at > base && stack[at - 1].bound < bound[lane]; at--) {
            stack[at] = stack[at - 1];
        }
        stack[at] = (waiting){bound[lane], node->first[lane], node->count[lane]};
    }
    return top;
}

/** Any hint; it changes the time alone. */
static uint32_t find_sphere(const share_job *job, vec3 point, uint32_t hint)
{
    search s = {.job = job, .point = point, .gap = INFINITY, .sphere = nobody, .limit = FLT_MAX};
    for (int axis = 0; axis < 3; axis++) {
        s.below[axis] = f32x8_set(geo_float_below(vec3_get(point, axis)));
        s.above[axis] = f32x8_set(geo_float_above(vec3_get(point, axis)));
    }
    if (hint != nobody) {
        try_sphere(&s, hint);
    }
    waiting stack[GEO_BVH_DEPTH_MAX * GEO_BVH_WIDTH];
    size_t top = push_lanes(&s, &job->bvh->nodes[0], stack, 0);
    while (top > 0) {
        const waiting w = stack[--top];
        if (w.bound > s.limit) {
            continue;
        }
        if (w.count == 0) {
            top = push_lanes(&s, &job->bvh->nodes[w.first], stack, top);
        }
        for (uint32_t i = 0; i < w.count; i++) {
            try_sphere(&s, job->bvh->order[w.first + i]);
        }
    }
    return s.sphere;
}

static void share_runs(void *context, size_t begin, size_t end)
{
    const share_job *const job = context;
    const alg_voxel_grid *const grid = job->field->grid;
    for (size_t i = begin; i < end; i++) {
        const alg_voxel_run *const run = &grid->runs[i];
        uint32_t hint = nobody;
        for (uint32_t z = run->z0; z < run->z1; z++) {
            const uint32_t voxel = run->first + (z - run->z0);
            if (job->field->radius[voxel] >= 0) {
                hint = find_sphere(job, alg_voxel_centre(grid, run->x, run->y, z), hint);
                job->owners[voxel] = hint;
            }
        }
    }
}

geo_status alg_ist_share_rest(const alg_voxel_field *field, alg_ist_packing *packing,
                              geo_error *err)
{
    geo_assert(packing->count > 0);
    geo_arena arena = {0};
    geo_bvh bvh;
    const uint32_t voxel_count = field->grid->voxel_count;
    geo_box *const boxes = geo_alloc(packing->count, sizeof *boxes);
    uint32_t *const owners = geo_alloc(voxel_count, sizeof *owners);
    geo_status status = GEO_OK;
    if (boxes == NULL || owners == NULL) {
        status =
            geo_fail(err, GEO_ERR_MEMORY, "out of memory for the shares of %u voxels", voxel_count);
        goto done;
    }
    for (size_t i = 0; i < packing->count; i++) {
        const vec3 r = {packing->radii[i], packing->radii[i], packing->radii[i]};
        boxes[i] = (geo_box){vec3_sub(packing->centres[i], r), vec3_add(packing->centres[i], r)};
    }
    status = geo_bvh_build(boxes, packing->count, GEO_BVH_LEAF_MAX, &arena, &bvh, err);
    if (status != GEO_OK) {
        goto done;
    }
    share_job job = {field, packing, &bvh, owners};
    geo_parallel_for(field->grid->run_count, RUNS_A_CHUNK, 0, share_runs, &job);
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
    geo_free(boxes);
    geo_free(owners);
    geo_arena_release(&arena);
    return status;
}

void alg_ist_fill_gaps(const alg_voxel_grid *grid, double volume_m3, bool centroid,
                       alg_ist_packing *packing)
{
    uint64_t voxels = 0;
    for (size_t i = 0; i < packing->count; i++) {
        voxels += packing->shares[i].voxels;
    }
    const double cube_of_one = 3 * volume_m3 / (4 * GEO_PI * (double)voxels);
    for (size_t i = 0; i < packing->count; i++) {
        const alg_ist_share *const s = &packing->shares[i];
        packing->secondary[i] = geo_cbrt(cube_of_one * s->voxels);
        packing->middles[i] = packing->centres[i];
        if (centroid) {
            packing->middles[i] = (vec3){
                grid->origin.x + grid->edge * ((double)s->sum[0] / s->voxels + 0.5),
                grid->origin.y + grid->edge * ((double)s->sum[1] / s->voxels + 0.5),
                grid->origin.z + grid->edge * ((double)s->sum[2] / s->voxels + 0.5),
            };
        }
    }
}
