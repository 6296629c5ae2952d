#include "algorithms/voxel/grid.h"

/** The fewest voxels behind the padding with which the last plane does not lie below `hi`. */
static bool count_voxels(const alg_voxel_grid *grid, int axis, double hi, uint32_t *count)
{
    const double guess = (hi - vec3_get(grid->corner, axis)) / grid->edge;
    if (!(guess < ALG_VOXEL_SIZE_MAX)) {
        return false;
    }
    /* The guess is off by rounding; planes decide. */
    *count = guess > 2 ? (uint32_t)guess - 1 : 1;
    while (*count < ALG_VOXEL_SIZE_MAX &&
           alg_voxel_plane(grid, axis, (int64_t)grid->padding + *count) < hi) {
        *count += 1;
    }
    return *count + 2 * (uint64_t)grid->padding <= ALG_VOXEL_SIZE_MAX;
}

base_status alg_voxel_grid_place(geo_box box, uint32_t resolution, uint32_t padding,
                                 alg_voxel_grid *grid, base_error *err)
{
    base_assert(resolution >= 1 && padding >= 1);
    const vec3 size = vec3_sub(box.hi, box.lo);
    *grid = (alg_voxel_grid){
        .corner = box.lo,
        .edge = fmax(size.x, fmax(size.y, size.z)) / resolution,
        .padding = padding,
    };
    /* An edge that rounding swallows beside the corner would make all planes one. */
    if (!(grid->edge > 4 * 0x1p-52 * geo_box_reach(box))) {
        return base_fail(err, BASE_ERR_INPUT,
                         "the body is too small, or too far from the origin, for %u voxels",
                         resolution);
    }
    for (int axis = 0; axis < 3; axis++) {
        uint32_t count;
        if (!count_voxels(grid, axis, vec3_get(box.hi, axis), &count)) {
            return base_fail(err, BASE_ERR_INPUT, "more than %d voxels along an axis",
                             ALG_VOXEL_SIZE_MAX);
        }
        grid->size[axis] = count + 2 * padding;
    }
    return BASE_OK;
}
