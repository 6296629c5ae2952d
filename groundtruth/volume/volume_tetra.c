/*
 * The volume is the sum over all pairs of tetrahedra of the volume of their intersection. Two
 * neighbours in a body have exactly the same plane between them, so there are no gaps between their
 * clipped parts. The order of the sum is that of the traversal. It depends only on the bodies and
 * the pose.
 */
#include "groundtruth/volume/volume_tetra.h"

#include "base/elementary.h"
#include "base/simd.h"
#include "geometry/pose.h"
#include "groundtruth/body/body.h"

#include <float.h>

/*
 * Bounds the errors of numbers in float. Numbers are rounded when they are stored, each with an
 * error of 2^-24 of the largest coordinate. Rounding in dot(R n, p) - (d + dot(R n, t)) adds an
 * error of at most 16 times 2^-24 (|p| + |d| + |t|).
 */
#define MARGIN 0x1p-19

void gt_volume_query(const gt_body *a, const gt_body *b, const geo_pose *pose, gt_volume *result)
{
    base_assert(a->cells.cells && b->cells.cells);
    const geo_pose origin = gt_origin_pose(a, b, pose);
    gt_cell_sum q;
    q.a = &a->cells;
    q.b = &b->cells;
    q.pose = pose;
    q.origin = &origin;
    q.origin_a = a->origin;
    q.margin = base_float_above(MARGIN * (a->span + b->span + vec3_norm(origin.translation)));
    q.moved_packet = UINT32_MAX;
    q.planes_made = 0;
    q.sum = q.lost = 0;
    q.boxes = q.tests = 0;
    geo_bvh_pairs(&a->cells.bvh, &b->cells.bvh, &origin,
                  base_cpu_avx2() ? gt_cell_sum_visit_avx2 : gt_cell_sum_visit_sse2, &q);
    const double volume = q.sum + q.lost;
    const double area_a = a->report->measure.area_m2, area_b = b->report->measure.area_m2;
    /* The part of a cell of B is a share of the cell's volume before the move. The rounding error
     * of that volume depends on B's own coordinates. */
    const double moved = gt_pair_reach(a, b, pose), reach = moved > b->reach ? moved : b->reach;
    const double slack = 64 * DBL_EPSILON * reach * (area_a < area_b ? area_a : area_b);
    result->volume_m3 = gt_bracket_around(volume, 1e-11 * volume + slack);
    result->value_m3 = volume > 0 ? volume : 0;
    result->box_pairs = q.boxes;
    result->tetrahedron_tests = q.tests;
}
