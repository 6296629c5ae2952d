#include "algorithms/imp/points.h"

#include "base/memory.h"
#include "base/parallel.h"

enum { VOXELS_CHUNK = 1024 };

static uint32_t voxel_of(const alg_voxel_grid *grid, int axis, double x)
{
    const int64_t last = (int64_t)grid->size[axis] - 1;
    const double t = alg_voxel_coordinate(grid, axis, x);
    int64_t i = t < 0 ? 0 : t > (double)last ? last : (int64_t)t;
    while (i > 0 && x < alg_voxel_plane(grid, axis, i)) {
        i--;
    }
    while (i < last && x >= alg_voxel_plane(grid, axis, i + 1)) {
        i++;
    }
    return (uint32_t)i;
}

alg_imp_cell alg_imp_cell_of(const alg_voxel_grid *grid, vec3 point)
{
    return (alg_imp_cell){voxel_of(grid, 0, point.x), voxel_of(grid, 1, point.y),
                          voxel_of(grid, 2, point.z)};
}

/** The points sorted by surface voxel. */
typedef struct sorted {
    const alg_imp_placing *placing;
    alg_imp_voxel *voxels;
    uint32_t
        *starts; /* owned; voxel v has the entries points[starts[v]] to points[starts[v + 1] - 1] */
    uint32_t *points; /* owned; indices into the shell, ascending within a voxel */
} sorted;

/** The nearest point so far. */
typedef struct nearest {
    vec3 centre;
    double distance2;
    uint32_t point;
} nearest;

static bool find_voxel(const alg_imp_placing *p, uint32_t point, uint32_t *voxel)
{
    return alg_imp_tree_find(p->tree, alg_imp_cell_of(p->grid, p->shell->points[point]), voxel) &&
           *voxel != ALG_IMP_FULL;
}

static base_status sort_points(sorted *s, base_error *err)
{
    const alg_imp_placing *const p = s->placing;
    const uint32_t voxel_count = p->tree->voxel_count, point_count = p->shell->count;
    uint32_t *const owners = base_alloc(point_count, sizeof *owners);
    s->starts = base_alloc((size_t)voxel_count + 2, sizeof *s->starts);
    s->points = base_alloc(point_count, sizeof *s->points);
    if (!owners || !s->starts || !s->points) {
        base_free(owners);
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for points of voxels");
    }
    for (uint32_t i = 0; i < point_count; i++) {
        if (find_voxel(p, i, &owners[i])) {
            s->starts[owners[i] + 2]++;
        } else {
            owners[i] = ALG_IMP_FULL; /* outside of the surface voxels by rounding, or in a voxel
                                         that is not stored */
        }
    }
    for (uint32_t v = 0; v < voxel_count; v++) {
        s->starts[v + 2] += s->starts[v + 1];
    }
    /* Entry [v + 1] moves from the begin of voxel v to its end while its points are written. */
    for (uint32_t i = 0; i < point_count; i++) {
        if (owners[i] != ALG_IMP_FULL) {
            s->points[s->starts[owners[i] + 1]++] = i;
        }
    }
    base_free(owners);
    return BASE_OK;
}

static void look_at_voxel(const sorted *s, uint32_t voxel, nearest *best)
{
    for (uint32_t k = s->starts[voxel]; k < s->starts[voxel + 1]; k++) {
        const uint32_t point = s->points[k];
        const double d2 = vec3_distance2(best->centre, s->placing->shell->points[point]);
        if (d2 < best->distance2 || (d2 == best->distance2 && point < best->point)) {
            best->distance2 = d2;
            best->point = point;
        }
    }
}

/** Examines the points of the surface voxels at Chebyshev distance `reach`. */
static void look_around(const sorted *s, alg_imp_cell at, int64_t reach, nearest *best)
{
    const uint32_t *const size = s->placing->grid->size;
    for (int64_t z = at.z - reach; z <= at.z + reach; z++) {
        for (int64_t y = at.y - reach; y <= at.y + reach; y++) {
            const bool side =
                z == at.z - reach || z == at.z + reach || y == at.y - reach || y == at.y + reach;
            for (int64_t x = at.x - reach; x <= at.x + reach; x += side ? 1 : 2 * reach) {
                const bool inside =
                    x >= 0 && y >= 0 && z >= 0 && x < size[0] && y < size[1] && z < size[2];
                const alg_imp_cell cell = {(uint32_t)x, (uint32_t)y, (uint32_t)z};
                uint32_t voxel;
                if (inside && alg_imp_tree_find(s->placing->tree, cell, &voxel) &&
                    voxel != ALG_IMP_FULL) {
                    look_at_voxel(s, voxel, best);
                }
            }
        }
    }
}

/**
 * Returns the point of a voxel. If the voxel has no point, searches the shells of voxels around it
 * with increasing `reach`, until farther points cannot be nearer: a point of a voxel `reach` away
 * is at least reach - 1/2 edges from the centre.
 */
static uint32_t nearest_point(const sorted *s, uint32_t voxel)
{
    const alg_voxel_grid *const grid = s->placing->grid;
    const alg_imp_cell at = s->placing->cells[voxel];
    nearest best = {alg_voxel_middle(grid, at.x, at.y, at.z), INFINITY, 0};
    look_at_voxel(s, voxel, &best);
    const bool own = isfinite(best.distance2);
    const uint32_t *const n = grid->size;
    const int64_t most = n[0] > n[1] ? n[0] > n[2] ? n[0] : n[2] : n[1] > n[2] ? n[1] : n[2];
    for (int64_t reach = 1; !own && reach <= most; reach++) {
        const double least = grid->edge * ((double)reach - 0.5 - 1e-6);
        if (best.distance2 < least * least) {
            break;
        }
        look_around(s, at, reach, &best);
    }
    return best.point;
}

static void give_points(void *context, size_t begin, size_t end)
{
    const sorted *const s = context;
    const alg_pointshell *const shell = s->placing->shell;
    for (size_t v = begin; v < end; v++) {
        const uint32_t i = nearest_point(s, (uint32_t)v);
        const vec3 from_corner = vec3_sub(shell->points[i], s->placing->grid->corner);
        for (int axis = 0; axis < 3; axis++) {
            s->voxels[v].point[axis] = (float)vec3_get(from_corner, axis);
            s->voxels[v].normal[axis] = (float)(0 - vec3_get(shell->normals[i], axis));
        }
    }
}

base_status alg_imp_points_place(const alg_imp_placing *placing, alg_imp_voxel *voxels,
                                 base_error *err)
{
    sorted s = {.placing = placing, .voxels = voxels};
    const base_status status = sort_points(&s, err);
    if (status == BASE_OK) {
        base_parallel_for(placing->tree->voxel_count, VOXELS_CHUNK, placing->threads, give_points,
                          &s);
    }
    base_free(s.starts);
    base_free(s.points);
    return status;
}
