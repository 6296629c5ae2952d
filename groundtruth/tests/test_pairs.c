#include "base/random.h"
#include "base/tests/support.h"
#include "geometry/pose.h"
#include "geometry/triangle.h"
#include "groundtruth/body/body.h"
#include "groundtruth/contact/pairs.h"

#include "shapes.h"

/** Counts without boxes, blocks or trees. */
static uint64_t count_plainly(const gt_body *a, const gt_body *b, const geo_pose *pose)
{
    uint64_t count = 0;
    for (size_t j = 0; j < b->mesh->face_count; j++) {
        const geo_triangle t = geo_pose_apply_triangle(pose, geo_mesh_triangle(b->mesh, j));
        for (size_t i = 0; i < a->mesh->face_count; i++) {
            count += geo_triangle_intersect(geo_mesh_triangle(a->mesh, i), t);
        }
    }
    return count;
}

static uint64_t check(const shape *a, const shape *b, const geo_pose *pose, const char *what,
                      int pose_number)
{
    const uint64_t count = count_plainly(a->body, b->body, pose);
    cr_assert_eq(gt_pairs_query(a->body, b->body, pose), count, "%s, pose %d: tree", what,
                 pose_number);
    cr_assert_eq(gt_pairs_brute(a->body, b->body, pose), count, "%s, pose %d: all pairs", what,
                 pose_number);
    return count;
}

Test(pairs, by_hand)
{
    SCOPED_SHAPE one = shape_cube(2), other = shape_cube(2), small = shape_cube(1);
    const geo_pose far = shift(2.5, 0, 0), inside = shift(0.125, 0.25, 0);
    cr_assert_eq(check(&one, &other, &far, "apart", 0), 0);
    cr_assert_eq(check(&one, &small, &inside, "one inside the other", 0), 0);
    /* The cubes share only a corner: the triangles of the three sides there touch. */
    const geo_pose corner = shift(2, 2, 2), face = shift(2, 0, 0), nearly = shift(2 + 1e-15, 0, 0);
    cr_assert_gt(check(&one, &other, &corner, "a corner on a corner", 0), 0);
    cr_assert_gt(check(&one, &other, &face, "a face on a face", 0), 4);
    cr_assert_eq(check(&one, &other, &nearly, "a face by a face", 0), 0);
}

/**
 * Faces of two cubes are in the plane x = 0. A shift by 1e-300 moves only coordinates that are 0.
 * If pairs of triangles did not settle the pose, the cubes would be apart by pairs of triangles,
 * and would touch by the distance.
 */
Test(pairs, the_pose_is_the_one_of_distances)
{
    SCOPED_SHAPE a = shape_box((vec3){0, 0, 0}, (vec3){1, 1, 1});
    SCOPED_SHAPE b = shape_box((vec3){-1, 0, 0}, (vec3){0, 1, 1});
    const geo_pose touching = shift(0, 0, 0);
    const uint64_t pairs = gt_pairs_query(a.body, b.body, &touching);
    cr_assert_gt(pairs, 0);
    for (int sign = -1; sign <= 1; sign += 2) {
        const geo_pose pose = shift(sign * 1e-300, 0, 0);
        cr_assert_neq(count_plainly(a.body, b.body, &pose), pairs,
                      "the pose that is not settled has other pairs");
        gt_distance distance;
        gt_distance_brute(a.body, b.body, &pose, &distance);
        cr_assert_eq(distance.distance_m.hi, 0);
        cr_assert_eq(gt_pairs_query(a.body, b.body, &pose), pairs, "tree, %d", sign);
        cr_assert_eq(gt_pairs_brute(a.body, b.body, &pose), pairs, "all pairs, %d", sign);
    }
}

Test(pairs, all_kinds_of_meshes)
{
    shape torus = {0}, ball = {0}, open = {0}, soup = {0};
    base_random random = base_random_seed(17);
    shape_add_torus(&torus, 20, 12, 1, 0.4);
    shape_add_ball(&ball, 13, 9, 0.8);
    shape_add_torus(&open, 18, 10, 0.9, 0.3);
    open.parts.face_count -= 100;
    for (int i = 0; i < 150; i++) {
        const geo_face face = {{0, 1, 2}};
        vec3 corners[3];
        for (int k = 0; k < 3; k++) {
            corners[k] = vec3_scale(base_random_unit(&random), geo_random_direction(&random));
        }
        shape_add(&soup, corners, 3, &face, 1, false);
    }
    shape *const all[] = {&torus, &ball, &open, &soup};
    for (int i = 0; i < 4; i++) {
        shape_finish(all[i]);
    }
    cr_assert(!open.report.closed && !soup.report.closed);
    int apart = 0, over = 0;
    for (int i = 0; i < 16; i++) {
        for (int k = 0; k < 6; k++) {
            const geo_pose pose = random_pose(&random, 2.5 * base_random_unit(&random));
            const uint64_t count = check(all[i / 4], all[i % 4], &pose, "any two", 6 * i + k);
            apart += count == 0;
            over += count > 0;
        }
        const geo_pose same = geo_pose_identity();
        check(all[i / 4], all[i % 4], &same, "as they are", i);
    }
    cr_assert(apart > 5 && over > 40, "%d apart, %d over", apart, over);
    for (int i = 0; i < 4; i++) {
        shape_release(all[i]);
    }
}

/** Blocks and trees that are far from the place where their corners are computed. */
Test(pairs, far_from_the_origin)
{
    base_random random = base_random_seed(18);
    for (int i = 0; i < 12; i++) {
        const double far = i % 3 == 0 ? 1 : i % 3 == 1 ? 1e4 : 1e9;
        const vec3 place = vec3_scale(far, geo_random_direction(&random));
        const geo_pose there = geo_pose_make(geo_quat_identity(), place);
        SCOPED_SHAPE a = {0}, b = {0};
        shape_add_torus(&a, 16, 10, 1, 0.4);
        shape_add_ball(&b, 11, 7, 0.8);
        shape_move(&a, &there);
        shape_move(&b, &there);
        shape_finish(&a);
        shape_finish(&b);
        geo_pose pose = random_pose(&random, 0);
        const vec3 turned = geo_pose_apply(&pose, place);
        pose.translation = vec3_sub(vec3_add(place, geo_random_direction(&random)), turned);
        cr_assert_gt(check(&a, &b, &pose, "far away", i), 0);
    }
}
