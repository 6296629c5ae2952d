/**
 * Which part of the body's volume belongs to each sphere.
 */
#include "algorithms/ist/ist.h"

#include "geometry/elementary.h"

enum { RUNS_A_CHUNK = 64 };

static const uint32_t nobody = UINT32_MAX;

typedef struct share_job {
    const alg_voxel_field *field;
    const alg_ist_packing *packing;
    const geo_bvh *bvh; /* over the spheres */
    uint32_t *owners;   /* of each voxel that was free */
} share_job;

/** The sphere that is nearest to a point outside of all. */
typedef struct nearest_sphere {
    vec3 point;
    double gap; /* |x - c| - r */
    uint32_t sphere;
} nearest_sphere;

static void try_sphere(const alg_ist_packing *packing, uint32_t sphere, nearest_sphere *n)
{
    const double gap = vec3_distance(n->point, packing->centres[sphere]) - packing->radii[sphere];
    if (gap < n->gap || (gap == n->gap && sphere < n->sphere)) {
        n->gap = gap;
        n->sphere = sphere;
    }
}

static double box_distance(const geo_bvh_node *node, int lane, vec3 p)
{
    const double dx =
        fmax(fmax((double)node->lo[0][lane] - p.x, p.x - (double)node->hi[0][lane]), 0);
    const double dy =
        fmax(fmax((double)node->lo[1][lane] - p.y, p.y - (double)node->hi[1][lane]), 0);
    const double dz =
        fmax(fmax((double)node->lo[2][lane] - p.z, p.z - (double)node->hi[2][lane]), 0);
    return sqrt(dx * dx + dy * dy + dz * dz);
}

typedef struct waiting {
    double bound;
    uint32_t node;
} waiting;

/** Looks at a node: leaves at once, inner children onto the stack, the nearest on top. */
static size_t visit_node(const share_job *job, uint32_t index, nearest_sphere *n, waiting *stack,
                         size_t top)
{
    const geo_bvh_node *const node = &job->bvh->nodes[index];
    const size_t base = top;
    for (int lane = 0; lane < GEO_BVH_WIDTH; lane++) {
        if (!geo_bvh_lane_used(node, lane)) {
            continue;
        }
        const double bound = box_distance(node, lane, n->point);
        /* The bound holds but for rounding; a sphere at exactly n->gap may have a smaller number.
         */
        if (bound > n->gap * (1 + 1e-12)) {
            continue;
        }
        for (uint32_t i = 0; i < node->count[lane]; i++) {
            try_sphere(job->packing, job->bvh->order[node->first[lane] + i], n);
        }
        if (node->count[lane] == 0) {
            size_t at = top++;
            for (; at > base && stack[at - 1].bound < bound; at--) {
                stack[at] = stack[at - 1];
            }
            stack[at] = (waiting){bound, node->first[lane]};
        }
    }
    return top;
}

static uint32_t find_sphere(const share_job *job, vec3 point, uint32_t hint)
{
    nearest_sphere n = {point, INFINITY, nobody};
    if (hint != nobody) {
        try_sphere(job->packing, hint, &n);
    }
    waiting stack[GEO_BVH_DEPTH_MAX * GEO_BVH_WIDTH];
    size_t top = visit_node(job, 0, &n, stack, 0);
    while (top > 0) {
        const waiting w = stack[--top];
        if (w.bound <= n.gap * (1 + 1e-12)) {
            top = visit_node(job, w.node, &n, stack, top);
        }
    }
    return n.sphere;
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
    for (uint32_t v = 0; v < voxel_count; v++) {
        if (field->radius[v] >= 0) {
            packing->shares[owners[v]]++;
        }
    }
done:
    geo_free(boxes);
    geo_free(owners);
    geo_arena_release(&arena);
    return status;
}

void alg_ist_fill_gaps(alg_ist_packing *packing, double volume_m3)
{
    uint64_t voxels = 0;
    for (size_t i = 0; i < packing->count; i++) {
        voxels += packing->shares[i];
    }
    const double cube_of_one = 3 * volume_m3 / (4 * GEO_PI * (double)voxels);
    for (size_t i = 0; i < packing->count; i++) {
        packing->secondary[i] = geo_cbrt(cube_of_one * packing->shares[i]);
    }
}
