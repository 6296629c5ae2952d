/*
 * Tests one packet against another. Eight cells of A at a time are tested in float against one cell
 * of B: by their boxes, by the planes of A's cells, and by the planes of B's cell. The remaining
 * pairs are clipped in double.
 */
#include "base/simd.h"
#include "geometry/pose.h"
#include "groundtruth/volume/clip_kernel.h"
#include "groundtruth/volume/volume_tetra.h"

/* --- A packet of B in A's frame --------------------------------------------------------------- */

static inline void move_corners(gt_cell_sum *q, const gt_cell *cells)
{
    for (int lane = 0; lane < GT_PACKET; lane++) {
        for (int i = 0; i < 4; i++) {
            const vec3 p = geo_pose_apply(q->pose, cells[lane].corners.p[i]);
            q->corners[lane].p[i] = p;
            q->moved.corner[i][0][lane] = (float)(p.x - q->origin_a.x);
            q->moved.corner[i][1][lane] = (float)(p.y - q->origin_a.y);
            q->moved.corner[i][2][lane] = (float)(p.z - q->origin_a.z);
        }
    }
}

/** Computes the boxes of the corners, widened by the margin. */
static inline void bound_corners(gt_packet *moved, f32x8 margin)
{
    for (int k = 0; k < 3; k++) {
        const f32x8 p0 = f32x8_load(moved->corner[0][k]), p1 = f32x8_load(moved->corner[1][k]);
        const f32x8 p2 = f32x8_load(moved->corner[2][k]), p3 = f32x8_load(moved->corner[3][k]);
        const f32x8 lo = f32x8_min(f32x8_min(p0, p1), f32x8_min(p2, p3));
        const f32x8 hi = f32x8_max(f32x8_max(p0, p1), f32x8_max(p2, p3));
        f32x8_store(moved->lo[k], f32x8_sub(lo, margin));
        f32x8_store(moved->hi[k], f32x8_add(hi, margin));
    }
}

static inline f32x8 dot8(const f32x8 a[3], const f32x8 b[3])
{
    const f32x8 xy = f32x8_add(f32x8_mul(a[0], b[0]), f32x8_mul(a[1], b[1]));
    return f32x8_add(xy, f32x8_mul(a[2], b[2]));
}

/** Transforms planes: dot(n, p) = d becomes dot(R n, p) = d + dot(R n, t). */
static inline void move_planes(gt_cell_sum *q, const gt_packet *packet)
{
    const mat3 *const r = &q->origin->rotation;
    const vec3 t = q->origin->translation;
    const f32x8 by[3] = {f32x8_set((float)t.x), f32x8_set((float)t.y), f32x8_set((float)t.z)};
    for (int i = 0; i < 4; i++) {
        const f32x8 n[3] = {f32x8_load(packet->normal[i][0]), f32x8_load(packet->normal[i][1]),
                            f32x8_load(packet->normal[i][2])};
        f32x8 turned[3];
        for (int k = 0; k < 3; k++) {
            const vec3 row = r->row[k];
            const f32x8 m[3] = {f32x8_set((float)row.x), f32x8_set((float)row.y),
                                f32x8_set((float)row.z)};
            turned[k] = dot8(m, n);
            f32x8_store(q->moved.normal[i][k], turned[k]);
        }
        f32x8_store(q->moved.offset[i], f32x8_add(f32x8_load(packet->offset[i]), dot8(turned, by)));
    }
}

static void move_packet(gt_cell_sum *q, uint32_t b)
{
    q->moved_packet = b;
    q->planes_made = 0;
    move_corners(q, &q->b->cells[GT_PACKET * (size_t)b]);
    bound_corners(&q->moved, f32x8_set(q->margin));
    move_planes(q, &q->b->packets[b]);
}

/* --- Rejecting -------------------------------------------------------------------------------- */

static inline m32x8 boxes_meet(const gt_packet *a, const gt_packet *b, int lane)
{
    m32x8 mask = f32x8_le(f32x8_load(a->lo[0]), f32x8_set(b->hi[0][lane]));
    mask = m32x8_and(mask, f32x8_le(f32x8_set(b->lo[0][lane]), f32x8_load(a->hi[0])));
    for (int k = 1; k < 3; k++) {
        mask = m32x8_and(mask, f32x8_le(f32x8_load(a->lo[k]), f32x8_set(b->hi[k][lane])));
        mask = m32x8_and(mask, f32x8_le(f32x8_set(b->lo[k][lane]), f32x8_load(a->hi[k])));
    }
    return mask;
}

/** True if any of four corners is on the inner side of a plane, or is nearer to it than the
 * margin. */
static inline m32x8 any_inside(const f32x8 n[3], f32x8 offset, f32x8 margin, f32x8 corner[4][3])
{
    const f32x8 first = f32x8_max(dot8(n, corner[0]), dot8(n, corner[1]));
    const f32x8 last = f32x8_max(dot8(n, corner[2]), dot8(n, corner[3]));
    return f32x8_le(offset, f32x8_add(f32x8_max(first, last), margin));
}

/** Returns the cells of A in the mask that have no plane which separates them from a cell of B. */
static inline m32x8 inside_a(const gt_packet *a, const gt_packet *b, int lane, f32x8 margin,
                             m32x8 mask)
{
    f32x8 corner[4][3];
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            corner[i][k] = f32x8_set(b->corner[i][k][lane]);
        }
    }
    for (int i = 0; i < 4; i++) {
        const f32x8 n[3] = {f32x8_load(a->normal[i][0]), f32x8_load(a->normal[i][1]),
                            f32x8_load(a->normal[i][2])};
        mask = m32x8_and(mask, any_inside(n, f32x8_load(a->offset[i]), margin, corner));
    }
    return mask;
}

/** Returns the cells of A in the mask that no plane of a cell of B separates from that cell. */
static inline m32x8 inside_b(const gt_packet *a, const gt_packet *b, int lane, f32x8 margin,
                             m32x8 mask)
{
    f32x8 corner[4][3];
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            corner[i][k] = f32x8_load(a->corner[i][k]);
        }
    }
    for (int i = 0; i < 4; i++) {
        const f32x8 n[3] = {f32x8_set(b->normal[i][0][lane]), f32x8_set(b->normal[i][1][lane]),
                            f32x8_set(b->normal[i][2][lane])};
        mask = m32x8_and(mask, any_inside(n, f32x8_set(b->offset[i][lane]), margin, corner));
    }
    return mask;
}

/* --- Summing up ------------------------------------------------------------------------------- */

static inline void add(gt_cell_sum *q, double value)
{
    const double sum = q->sum + value;
    q->lost += fabs(q->sum) >= fabs(value) ? (q->sum - sum) + value : (value - sum) + q->sum;
    q->sum = sum;
}

static inline void add_pair(gt_cell_sum *q, const gt_cell *a, const gt_cell *b, int lane)
{
    gt_sides sides[4];
    unsigned inside[4];
    /* The smaller cell is clipped. The volume is then computed from values of its own size. */
    const bool cut_a = a->size < b->size;
    if (cut_a) {
        if ((q->planes_made >> lane & 1) == 0) {
            q->planes[lane] = gt_tetrahedron_planes(&q->corners[lane]);
            q->planes_made |= 1u << lane;
        }
        clip_sides(&q->corners[lane], &q->planes[lane], &a->corners, sides, inside);
    } else {
        clip_sides(&a->corners, &a->planes, &q->corners[lane], sides, inside);
    }
    if ((inside[0] | inside[1] | inside[2] | inside[3]) == 0xf) {
        q->tests++;
        add(q, clip_all(sides, inside) * (cut_a ? a->volume_m3 : b->volume_m3));
    }
}

bool BASE_ISA(gt_cell_sum_visit)(void *context, uint32_t a, uint32_t na, uint32_t b, uint32_t nb)
{
    (void)na; /* a leaf is one packet */
    (void)nb;
    gt_cell_sum *const q = context;
    if (q->moved_packet != b) {
        move_packet(q, b);
    }
    const gt_packet *const packet = &q->a->packets[a];
    const gt_cell *const cells_a = &q->a->cells[GT_PACKET * (size_t)a];
    const gt_cell *const cells_b = &q->b->cells[GT_PACKET * (size_t)b];
    const f32x8 margin = f32x8_set(q->margin);
    for (int lane = 0; lane < GT_PACKET && cells_b[lane].volume_m3 > 0; lane++) {
        m32x8 mask = boxes_meet(packet, &q->moved, lane);
        if (m32x8_bits(mask) == 0) {
            continue;
        }
        q->boxes += (uint64_t)__builtin_popcount(m32x8_bits(mask));
        mask = inside_a(packet, &q->moved, lane, margin, mask);
        if (m32x8_bits(mask) == 0) {
            continue;
        }
        mask = inside_b(packet, &q->moved, lane, margin, mask);
        for (unsigned left = m32x8_bits(mask); left != 0; left &= left - 1) {
            add_pair(q, &cells_a[__builtin_ctz(left)], &cells_b[lane], lane);
        }
    }
    return true;
}
