/*
 * The sum over all pairs of tetrahedra of the volume that they have in common. Only the cutting
 * planes of A's decide, and neighbours agree on theirs to the last bit, so that cells leave no
 * gaps; the planes of B's only reject. The sum runs in the order of the
 * traversal, which depends on the bodies and the pose alone.
 */
#include "groundtruth/body.h"

#include "geometry/pose.h"

#include <float.h>

typedef struct query {
    const gt_body *a, *b;
    const geo_pose *pose;
    gt_cell moved[GEO_BVH_LEAF_MAX]; /* cells of B's leaf in A's frame */
    uint32_t moved_first;
    double sum, lost; /* lost: what rounding took from the sum (Neumaier) */
    uint64_t tests;
} query;

static void add(query *q, double value)
{
    const double sum = q->sum + value;
    q->lost += fabs(q->sum) >= fabs(value) ? (q->sum - sum) + value : (value - sum) + q->sum;
    q->sum = sum;
}

static gt_cell move_cell(const geo_pose *pose, const gt_cell *cell)
{
    gt_cell moved = {.volume_m3 = cell->volume_m3, .size = cell->size};
    for (int k = 0; k < 4; k++) {
        moved.corners.p[k] = geo_pose_apply(pose, cell->corners.p[k]);
    }
    moved.planes = gt_tetrahedron_planes(&moved.corners);
    moved.box = gt_tetrahedron_box(&moved.corners);
    return moved;
}

/** Sides of the corners of one cell against the planes of another one. */
typedef struct view {
    gt_sides corners[4];
    unsigned any, all; /* planes that have any corner, all corners inside */
} view;

static view look(const gt_cell *at, const gt_cell *from)
{
    view v = {.any = 0, .all = 0xf};
    for (int i = 0; i < 4; i++) {
        const unsigned inside = gt_planes_side(&from->planes, at->corners.p[i], v.corners[i].side);
        v.any |= inside;
        v.all &= inside;
    }
    return v;
}

static void add_pair(query *q, const gt_cell *a, const gt_cell *b)
{
    const view of_b = look(b, a);
    if (of_b.any != 0xf) {
        return;
    }
    const view of_a = look(a, b);
    if (of_a.any != 0xf) {
        return;
    }
    q->tests++;
    /* The smaller one is cut: what remains of it is then found among values of its own size. */
    if (a->size < b->size) {
        add(q, gt_tetrahedron_part(of_a.corners, ~of_a.all & 0xf) * a->volume_m3);
    } else {
        add(q, gt_tetrahedron_part(of_b.corners, ~of_b.all & 0xf) * b->volume_m3);
    }
}

static bool visit(void *context, uint32_t a, uint32_t na, uint32_t b, uint32_t nb)
{
    query *const q = context;
    if (q->moved_first != b) {
        q->moved_first = b;
        for (uint32_t j = 0; j < nb; j++) {
            q->moved[j] = move_cell(q->pose, &q->b->cells[b + j]);
        }
    }
    for (uint32_t i = a; i < a + na; i++) {
        for (uint32_t j = 0; j < nb; j++) {
            if (geo_box_overlap(q->a->cells[i].box, q->moved[j].box)) {
                add_pair(q, &q->a->cells[i], &q->moved[j]);
            }
        }
    }
    return true;
}

void gt_volume_query(const gt_body *a, const gt_body *b, const geo_pose *pose, gt_volume *result)
{
    geo_assert(a->cells != NULL && b->cells != NULL);
    query q = {.a = a, .b = b, .pose = pose, .moved_first = UINT32_MAX};
    const geo_pose there = gt_origin_pose(a, b, pose);
    geo_bvh_pairs(&a->cell_bvh, &b->cell_bvh, &there, visit, &q);
    const double volume = q.sum + q.lost;
    const double area_a = a->report->measure.area_m2, area_b = b->report->measure.area_m2;
    const double slack =
        64 * DBL_EPSILON * gt_pair_reach(a, b, pose) * (area_a < area_b ? area_a : area_b);
    result->volume_m3 = gt_bracket_around(volume, 1e-11 * volume + slack);
    result->tetrahedron_tests = q.tests;
}
