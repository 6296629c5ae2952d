/**
 * Tests eight balls or points at a time. The results of a batch are collected without branches,
 * since the CPU cannot predict them. So the tests of a batch overlap in the pipeline.
 */
#include "algorithms/vps/vps.h"
#include "base/simd.h"

/** Positions of eight points, in the voxmap's frame and in voxels. */
typedef struct positions {
    double at[3][ALG_VPS_WIDTH];
    int32_t voxel[3][ALG_VPS_WIDTH]; /* clamped to the grid */
} positions;

/** Reads the clearances of eight cells. */
static inline f32x8 read_clearance(const alg_voxel_clearance *clearance, i32x8 cell)
{
    const i32x8 pairs = i32x8_gather2(clearance->cells, cell);
    return f32x8_of(i32x8_right(i32x8_left(pairs, 16), 16));
}

/** Returns the mask of the balls that may reach a voxel that matters. */
static inline unsigned test_eight(const alg_vps_frame *f, const alg_vps_balls *balls)
{
    const f32x8 x = f32x8_load(balls->x), y = f32x8_load(balls->y), z = f32x8_load(balls->z);
    const f32x8 zero = f32x8_set(0);
    i32x8 cell = i32x8_set(0);
    f32x8 beyond = zero; /* largest distance beyond the grid along an axis, in voxels */
    for (int i = 2; i >= 0; i--) {
        const alg_vps_axis *const a = &f->axes[i];
        const f32x8 turned = f32x8_add(
            f32x8_add(f32x8_mul(f32x8_set(a->row_f[0]), x), f32x8_mul(f32x8_set(a->row_f[1]), y)),
            f32x8_mul(f32x8_set(a->row_f[2]), z));
        const f32x8 t = f32x8_add(turned, f32x8_set(a->t_f)), size = f32x8_set(a->size_f);
        beyond = f32x8_max(beyond, f32x8_max(f32x8_sub(zero, t), f32x8_sub(t, size)));
        /* If the centre is beyond the grid, its cell is that of the nearest point of the grid.
         * Every voxel is at least as far from the centre as from that point. */
        const f32x8 inside = f32x8_min(f32x8_max(t, zero), f32x8_sub(size, f32x8_set(1)));
        const i32x8 row = i32x8_mul(cell, i32x8_set((int32_t)f->clearance->count[i]));
        cell = i32x8_add(row, i32x8_right(i32x8_of(inside), ALG_VOXEL_CELL_BITS));
    }
    const f32x8 reach = f32x8_add(f32x8_mul(f32x8_load(balls->radius), f32x8_set(f->steps_f)),
                                  f32x8_set(f->margin));
    const f32x8 steps = f32x8_mul(beyond, f32x8_set(ALG_VOXEL_CLEARANCE_STEPS));
    return m32x8_bits(f32x8_le(f32x8_max(read_clearance(f->clearance, cell), steps), reach));
}

/** Computes the voxels of eight points, and returns the mask of those in the grid. The results have
 * the same bits as geo_pose_apply and alg_voxel_coordinate. */
static inline unsigned locate(const alg_vps_frame *f, const alg_vps_packet *points, positions *to)
{
    const f64x4 per_edge = f64x4_set(f->per_edge), padding = f64x4_set(f->padding),
                zero = f64x4_set(0);
    unsigned within = ~0u;
    for (int i = 0; i < 3; i++) {
        const alg_vps_axis *const a = &f->axes[i];
        const f64x4 row_x = f64x4_set(a->row[0]), row_y = f64x4_set(a->row[1]),
                    row_z = f64x4_set(a->row[2]), shift = f64x4_set(a->t),
                    corner = f64x4_set(a->corner), size = f64x4_set(a->size),
                    last = f64x4_set(a->last);
        unsigned bits = 0;
        for (int k = 0; k < ALG_VPS_WIDTH; k += 4) {
            const f64x4 turned = f64x4_add(f64x4_add(f64x4_mul(row_x, f64x4_load(points->x + k)),
                                                     f64x4_mul(row_y, f64x4_load(points->y + k))),
                                           f64x4_mul(row_z, f64x4_load(points->z + k)));
            const f64x4 at = f64x4_add(turned, shift);
            const f64x4 t = f64x4_add(f64x4_mul(f64x4_sub(at, corner), per_edge), padding);
            bits |= m64x4_bits(m64x4_and(f64x4_le(zero, t), f64x4_lt(t, size))) << k;
            f64x4_store(to->at[i] + k, at);
            f64x4_truncate(to->voxel[i] + k, f64x4_min(f64x4_max(t, zero), last));
        }
        within &= bits;
    }
    return within;
}

/** Returns the mask of the points whose cell holds a voxel that matters. */
static inline unsigned test_cells(const alg_vps_frame *f, const positions *p)
{
    i32x8 cell = i32x8_set(0);
    for (int i = 2; i >= 0; i--) {
        const i32x8 row = i32x8_mul(cell, i32x8_set((int32_t)f->clearance->count[i]));
        cell = i32x8_add(row, i32x8_right(i32x8_load(p->voxel[i]), ALG_VOXEL_CELL_BITS));
    }
    return m32x8_bits(f32x8_le(read_clearance(f->clearance, cell), f32x8_set(f->most)));
}

/** Lists those children of the nodes that have a bit set, and returns their number. */
static inline uint32_t list_children(const uint32_t *nodes, const uint8_t *bits, uint32_t count,
                                     uint32_t *children)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < ALG_VPS_WIDTH; k++) {
            children[n] = nodes[i] * ALG_VPS_WIDTH + k;
            n += bits[i] >> k & 1;
        }
    }
    return n;
}

uint32_t BASE_ISA(alg_vps_test_balls)(const alg_vps_frame *f, const alg_vps_balls *level,
                                      const uint32_t *nodes, uint32_t count, uint32_t *left)
{
    uint8_t bits[ALG_VPS_BATCH];
    for (uint32_t i = 0; i < count; i++) {
        bits[i] = (uint8_t)test_eight(f, &level[nodes[i]]);
    }
    return list_children(nodes, bits, count, left);
}

void BASE_ISA(alg_vps_look_up)(const alg_vps_frame *f, const alg_vps_points *points,
                               const uint32_t *packets, uint32_t count, alg_vps_hits *hits)
{
    positions placed[ALG_VPS_BATCH];
    uint8_t bits[ALG_VPS_BATCH];
    uint32_t slots[ALG_VPS_BATCH], left[ALG_VPS_BATCH_POINTS + 1];
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t exist = points->count - packets[i] * ALG_VPS_WIDTH;
        const unsigned within = locate(f, &points->packets[packets[i]], &placed[i]);
        bits[i] = (uint8_t)(exist < ALG_VPS_WIDTH ? within & ((1u << exist) - 1) : within);
        slots[i] = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        bits[i] &= (uint8_t)test_cells(f, &placed[i]);
    }
    hits->lookups = list_children(slots, bits, count, left);
    hits->count = 0;
    for (uint32_t i = 0; i < hits->lookups; i++) {
        const uint32_t slot = left[i] / ALG_VPS_WIDTH, k = left[i] % ALG_VPS_WIDTH;
        const positions *const p = &placed[slot];
        const uint32_t x = (uint32_t)p->voxel[0][k], y = (uint32_t)p->voxel[1][k],
                       z = (uint32_t)p->voxel[2][k];
        const int32_t layer = alg_voxel_layer(f->map, x, y, z);
        hits->hits[hits->count] = (alg_vps_hit){packets[slot] * ALG_VPS_WIDTH + k,
                                                layer,
                                                {x, y, z},
                                                {p->at[0][k], p->at[1][k], p->at[2][k]}};
        hits->count += layer >= f->least;
    }
}
