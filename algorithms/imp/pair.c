#include "algorithms/imp/pair.h"

#include "base/elementary.h"

#include <math.h>

/*
 * Bounds the effect of rounding. u = 2^-24, in A's units; D_a, D_b: diagonals of both grids; r =
 * r_a + r_b.
 *
 * A's centres are exact. For B's centres, |x axes[0]| + |y axes[1]| + |z axes[2]| is at most D_b in
 * each component, since rows of a rotation have length 1. So the rounding of axes and of products,
 * and that of their two sums, is at most 4 u D_b. The rounding of the origin and the last sum add u
 * (|t| + |c|), where |c| <= D_a + r if the bodies can meet, and |t| <= |c| + D_b. The total is u (5
 * D_b + 2 (D_a + r)) per component, and less than u (9 D_b + 4 D_a + 4 r) per centre. The squared
 * distance has another five roundings, which amount to 3 u r in a distance; squaring the reach has
 * one. So the error is below u (9 D_b + 4 D_a + 8 r), and half of the slack covers it, with 7 u D_b
 * + 12 u D_a left for the offsets of balls.
 *
 * Hence, if a computed distance is within reach, the true distance is within r + 1.5 slack. Then
 * the balls of all nodes above overlap up to that amount, and with their own error of half a slack
 * their computed distance is within 2 slack. alg_imp_margin (search.c) adds more for nodes that are
 * large relative to the grid.
 */
#define SLACK_SHARE 0x1p-19

static const double ROOT3 = 1.7320508075688772;

/** Returns the diagonal of the grid, in half edges of its own voxels. */
static double diagonal_of(const alg_imp_body *body)
{
    const uint32_t *const size = body->tree.size;
    return 2 * vec3_norm((vec3){size[0], size[1], size[2]});
}

/** Returns the corner of voxel (0, 0, 0), in metres. */
static vec3 corner_of(const alg_imp_body *body)
{
    return alg_voxel_box(&body->grid, 0, 0, 0).lo;
}

alg_imp_pair alg_imp_pair_of(const alg_imp_body *a, const alg_imp_body *b)
{
    const double ratio = b->grid.edge / a->grid.edge, reach = ROOT3 * (1 + ratio);
    const double slack = SLACK_SHARE * (diagonal_of(a) + ratio * diagonal_of(b) + reach);
    return (alg_imp_pair){
        .a = a,
        .b = b,
        .ratio = (float)ratio,
        .slack = base_float_above(slack),
        .reach = base_float_above(reach + slack),
        .unit_m = 0.5 * a->grid.edge,
    };
}

bool alg_imp_pair_place(alg_imp_pair *pair, const geo_pose *pose)
{
    const alg_imp_body *const a = pair->a, *const b = pair->b;
    const double ratio = b->grid.edge / a->grid.edge;
    const vec3 moved = vec3_sub(geo_pose_apply(pose, corner_of(b)), corner_of(a));
    const vec3 origin = vec3_scale(1 / pair->unit_m, moved);
    const vec3 size = {b->tree.size[0], b->tree.size[1], b->tree.size[2]};
    const vec3 centre = vec3_madd(origin, ratio, geo_pose_rotate(pose, size));
    const vec3 centre_a = {a->tree.size[0], a->tree.size[1], a->tree.size[2]};
    /* Balls of voxels reach out of their grids by less than the reach. The negated comparison
     * treats a NaN pose as far. */
    const double within = 0.5 * (diagonal_of(a) + ratio * diagonal_of(b)) + 2 * (double)pair->reach;
    if (!(vec3_distance(centre, centre_a) <= within)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        const vec3 row = pose->rotation.row[i];
        pair->axes[0][i] = (float)(ratio * row.x);
        pair->axes[1][i] = (float)(ratio * row.y);
        pair->axes[2][i] = (float)(ratio * row.z);
        pair->origin[i] = (float)vec3_get(origin, i);
    }
    return true;
}
