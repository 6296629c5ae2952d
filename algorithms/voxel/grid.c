#include "algorithms/voxel/grid.h"

base_status alg_voxel_grid_place(geo_box box, uint32_t resolution, uint32_t padding,
                                 alg_voxel_grid *grid, base_error *err)
{
    base_assert(resolution >= 1 && padding >= 1);
    const vec3 size = vec3_sub(box.hi, box.lo), middle = geo_box_centre(box);
    const double edge = fmax(size.x, fmax(size.y, size.z)) / resolution;
    *grid = (alg_voxel_grid){.edge = edge, .padding = padding};
    /* The middle, the corner and a plane have an error of up to 2^-52 of the box's coordinates
     * each. The sum must stay below a quarter of an edge, which is the distance of a face from the
     * planes. */
    if (!(edge > 16 * 0x1p-52 * geo_box_reach(box))) {
        return base_fail(err, BASE_ERR_INPUT,
                         "the body is too small, or too far from the origin, for %u voxels",
                         resolution);
    }
    double half[3];
    for (int axis = 0; axis < 3; axis++) {
        const double count = ceil(vec3_get(size, axis) / edge + 0.5);
        if (!(count + 2.0 * padding <= ALG_VOXEL_SIZE_MAX)) {
            return base_fail(err, BASE_ERR_INPUT, "more than %d voxels along an axis",
                             ALG_VOXEL_SIZE_MAX);
        }
        grid->size[axis] = (uint32_t)count + 2 * padding;
        half[axis] = 0.5 * count * edge;
    }
    grid->corner = vec3_sub(middle, (vec3){half[0], half[1], half[2]});
    return BASE_OK;
}
