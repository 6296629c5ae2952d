/**
 * Points into a voxmap: which voxels they are in, then what these hold.
 *
 * Voxels of a whole batch are found before the first of them is read, so that many reads of memory
 * are under way at a time.
 */
#include "algorithms/vps/query.h"
#include "base/simd.h"

/** Points of a batch that lie in the grid. */
typedef struct places {
    uint32_t count;
    uint32_t point[ALG_VPS_BATCH];
    uint32_t voxel[3][ALG_VPS_BATCH];
    int8_t layer[ALG_VPS_BATCH];
} places;

/** One axis: the pose's row, and what makes a coordinate of alg_voxel_coordinate. */
typedef struct axis {
    f64x4 x, y, z, t, corner, per_edge, padding, size;
} axis;

static inline axis make_axis(const alg_vps_batch *batch, int i)
{
    const alg_voxel_grid *const grid = &batch->map->grid;
    const vec3 row = batch->pose.rotation.row[i];
    return (axis){
        .x = f64x4_set(row.x),
        .y = f64x4_set(row.y),
        .z = f64x4_set(row.z),
        .t = f64x4_set(vec3_get(batch->pose.translation, i)),
        .corner = f64x4_set(vec3_get(grid->corner, i)),
        .per_edge = f64x4_set(1 / grid->edge),
        .padding = f64x4_set(grid->padding),
        .size = f64x4_set(grid->size[i]),
    };
}

/** As geo_pose_apply and alg_voxel_coordinate have it, to the last bit. */
static inline f64x4 coordinate(const axis *a, f64x4 x, f64x4 y, f64x4 z)
{
    const f64x4 turned =
        f64x4_add(f64x4_add(f64x4_mul(a->x, x), f64x4_mul(a->y, y)), f64x4_mul(a->z, z));
    const f64x4 moved = f64x4_add(turned, a->t);
    return f64x4_add(f64x4_mul(f64x4_sub(moved, a->corner), a->per_edge), a->padding);
}

static inline m64x4 is_within(f64x4 t, const axis *a)
{
    return m64x4_and(f64x4_le(f64x4_set(0), t), f64x4_lt(t, a->size));
}

/** Four points from `point` on, of which the first `left` are asked for. */
static inline void place_lanes(const alg_vps_points *points, const axis axes[3], uint32_t point,
                               uint32_t left, places *at)
{
    const f64x4 x = f64x4_load(points->x + point), y = f64x4_load(points->y + point),
                z = f64x4_load(points->z + point), zero = f64x4_set(0);
    const f64x4 tx = coordinate(&axes[0], x, y, z), ty = coordinate(&axes[1], x, y, z),
                tz = coordinate(&axes[2], x, y, z);
    const m64x4 within = m64x4_and(m64x4_and(is_within(tx, &axes[0]), is_within(ty, &axes[1])),
                                   is_within(tz, &axes[2]));
    unsigned bits = m64x4_bits(within);
    bits &= left < ALG_VPS_LANES ? (1u << left) - 1 : ~0u;
    if (bits == 0) {
        return;
    }
    int32_t voxel[3][ALG_VPS_LANES];
    f64x4_truncate(voxel[0], f64x4_select(within, tx, zero));
    f64x4_truncate(voxel[1], f64x4_select(within, ty, zero));
    f64x4_truncate(voxel[2], f64x4_select(within, tz, zero));
    uint32_t n = at->count;
    for (uint32_t lane = 0; lane < ALG_VPS_LANES; lane++) {
        at->point[n] = point + lane;
        for (int i = 0; i < 3; i++) {
            at->voxel[i][n] = (uint32_t)voxel[i][lane];
        }
        n += bits >> lane & 1;
    }
    at->count = n;
}

static inline void read_dense(const alg_voxel_map *map, places *at)
{
    const size_t row = map->grid.size[0], slice = row * map->grid.size[1];
    for (uint32_t i = 0; i < at->count; i++) {
        at->layer[i] =
            map->values[slice * at->voxel[2][i] + row * at->voxel[1][i] + at->voxel[0][i]];
    }
}

/** Entries of all blocks before the voxels of any. */
static inline void read_blocked(const alg_voxel_map *map, places *at)
{
    const uint32_t n = ALG_VOXEL_MAP_BLOCK;
    const size_t row = map->block_count[0], slice = row * map->block_count[1];
    uint32_t entry[ALG_VPS_BATCH];
    for (uint32_t i = 0; i < at->count; i++) {
        entry[i] = map->blocks[slice * (at->voxel[2][i] / n) + row * (at->voxel[1][i] / n) +
                               at->voxel[0][i] / n];
    }
    for (uint32_t i = 0; i < at->count; i++) {
        const size_t in =
            ((at->voxel[2][i] % n) * n + at->voxel[1][i] % n) * n + at->voxel[0][i] % n;
        at->layer[i] =
            entry[i] & ALG_VOXEL_MAP_OPEN
                ? map->values[(size_t)(entry[i] & ~ALG_VOXEL_MAP_OPEN) * (n * n * n) + in]
                : (int8_t)(uint8_t)entry[i];
    }
}

void BASE_ISA(alg_vps_look_up)(alg_vps_batch *batch, uint32_t begin, uint32_t count)
{
    const axis axes[3] = {make_axis(batch, 0), make_axis(batch, 1), make_axis(batch, 2)};
    places at;
    at.count = 0;
    for (uint32_t i = 0; i < count; i += ALG_VPS_LANES) {
        place_lanes(batch->points, axes, begin + i, count - i, &at);
    }
    if (batch->map->storage == ALG_VOXEL_DENSE) {
        read_dense(batch->map, &at);
    } else {
        read_blocked(batch->map, &at);
    }
    batch->hit_count = 0;
    for (uint32_t i = 0; i < at.count; i++) {
        if (at.layer[i] >= batch->least) {
            batch->hits[batch->hit_count++] = (alg_vps_hit){
                at.point[i], at.layer[i], {at.voxel[0][i], at.voxel[1][i], at.voxel[2][i]}
            };
        }
    }
}
