/*
 * Two methods. The tree is that of geo_tree_intersections. The reference moves each block of B and
 * tests its box against the ball of each block of A. If these meet, it tests the boxes of all pairs
 * of moved triangles, which is exact, and then the triangles by the exact test.
 */
#include "groundtruth/contact/pairs.h"

#include "geometry/pose.h"
#include "geometry/tree.h"
#include "geometry/triangle.h"
#include "geometry/vec.h"
#include "groundtruth/body/body.h"

#include <float.h>

static bool count_pair(void *context, uint32_t face_a, uint32_t face_b, const geo_common *common)
{
    uint64_t *const count = context;
    (void)face_a, (void)face_b, (void)common;
    ++*count;
    return true;
}

uint64_t gt_pairs_query(const gt_body *a, const gt_body *b, const geo_pose *pose)
{
    const geo_pose settled = geo_pose_settled(pose);
    uint64_t count = 0;
    geo_tree_intersections(&a->tree, &b->tree, &settled, false, count_pair, &count, NULL);
    return count;
}

/* --- All pairs -------------------------------------------------------------------------------- */

/** The moved triangles of a block, their boxes, and the box around all. */
typedef struct block {
    size_t count;
    geo_triangle triangles[GT_BLOCK];
    geo_box boxes[GT_BLOCK];
    geo_box box;
} block;

static void load(block *b, const gt_body *body, size_t number, const geo_pose *pose)
{
    const size_t first = number * GT_BLOCK, left = body->mesh->face_count - first;
    b->count = left < GT_BLOCK ? left : GT_BLOCK;
    b->box = geo_box_empty();
    for (size_t i = 0; i < b->count; i++) {
        const geo_triangle t = geo_mesh_triangle(body->mesh, body->blocks.order[first + i]);
        b->triangles[i] = pose ? geo_pose_apply_triangle(pose, t) : t;
        b->boxes[i] = geo_box_of_triangle(b->triangles[i]);
        b->box = geo_box_join(b->box, b->boxes[i]);
    }
}

static uint64_t count_block(const block *a, const block *b)
{
    uint64_t count = 0;
    for (size_t j = 0; j < b->count; j++) {
        for (size_t i = 0; i < a->count; i++) {
            count += geo_box_overlap(a->boxes[i], b->boxes[j]) &&
                     geo_triangle_intersect(a->triangles[i], b->triangles[j]);
        }
    }
    return count;
}

/**
 * True if the ball and the box are certainly apart. Every difference and every product has a
 * relative error of one or two eps.
 */
static bool apart(geo_ball ball, geo_box box)
{
    const vec3 zero = {0, 0, 0};
    const vec3 gap =
        vec3_max(zero, vec3_max(vec3_sub(box.lo, ball.centre), vec3_sub(ball.centre, box.hi)));
    return vec3_norm2(gap) > ball.radius * ball.radius * (1 + 16 * DBL_EPSILON);
}

uint64_t gt_pairs_brute(const gt_body *a, const gt_body *b, const geo_pose *pose)
{
    const geo_pose settled = geo_pose_settled(pose);
    uint64_t count = 0;
    block of_a, of_b;
    for (size_t j = 0; j < b->blocks.count; j++) {
        load(&of_b, b, j, &settled);
        for (size_t i = 0; i < a->blocks.count; i++) {
            if (!apart(a->blocks.balls[i], of_b.box)) {
                load(&of_a, a, i, NULL);
                count += count_block(&of_a, &of_b);
            }
        }
    }
    return count;
}
