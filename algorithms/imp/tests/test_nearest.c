/** Contacts of surfaces (depth=points): depths that are known, and the same answer from every tree and order. */
#include "algorithms/tests/pair.h"
#include "geometry/pose.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { PUSH = ALG_WANT_CONTACT | ALG_WANT_DEPTH | ALG_WANT_FORCE };

/** A ball of 0.5 above the face z = 1 of a cube: its depth is what it goes in, not the size of voxels. */
Test(nearest, a_ball_is_as_deep_as_it_goes_in)
{
    geo_mesh cube = shape_cube((vec3){0, 0, 0}, 1), ball = shape_ball((vec3){0, 0, 0}, 0.5, 24);
    pair p = pair_open("imp:depth=points,probe-voxels=32,voxels=48", &cube, &ball, PUSH);
    for (int i = -3; i <= 4; i++) {
        const double in = 0.012 * i;
        const geo_pose pose = shape_shift(0.013, -0.007, 1.5 - in);
        const alg_answer a = pair_ask(&p, &pose);
        cr_assert(a.colliding, "%g: voxels meet", in);
        if (in <= 0) {
            cr_assert(a.depth_m == 0 && a.contact_count == 0, "%g: %g deep", in, a.depth_m);
            cr_assert(vec3_norm(a.force) == 0 && vec3_norm(a.torque) == 0);
            continue;
        }
        /* Points of voxels of 1/32 on a ball of 0.5: the lowest of them is at most 0.001 above its lowest point. */
        cr_assert_float_eq(a.depth_m, in, 0.0012, "%g: %g deep", in, a.depth_m);
        cr_assert_float_eq(a.direction.z, 1, 1e-6, "%g: along %g", in, a.direction.z);
        cr_assert(a.force.z > 0 && fabs(a.force.x) + fabs(a.force.y) < 1e-6 * a.force.z);
    }
    pair_close(&p);
    geo_mesh_release(&cube);
    geo_mesh_release(&ball);
}

/** Where A is round, planes through farther points of it are far off: the nearest one tells. */
Test(nearest, of_a_round_body_the_nearest_point_tells)
{
    geo_mesh a = shape_ball((vec3){0, 0, 0}, 1, 32), b = shape_ball((vec3){0, 0, 0}, 0.5, 24);
    pair p = pair_open("imp:depth=points,probe-voxels=24,voxels=24", &a, &b, PUSH);
    const geo_pose pose = shape_shift(0, 0, 1.5 - 0.03);
    const alg_answer in = pair_ask(&p, &pose);
    /* Voxels of a twelfth of A's radius and a 24th: what a plane is off by there. */
    cr_assert_float_eq(in.depth_m, 0.03, 0.004, "%g deep", in.depth_m);
    pair_close(&p);
    geo_mesh_release(&a);
    geo_mesh_release(&b);
}

/** Behind the plane of the face that was touched before, but beside it: nothing of that is left. */
Test(nearest, contacts_of_the_pose_before_are_forgotten)
{
    geo_mesh cube = shape_cube((vec3){0, 0, 0}, 1), small = shape_cube((vec3){0, 0, 0}, 0.5);
    pair p = pair_open("imp:depth=points,probe-voxels=16,voxels=32", &cube, &small, PUSH);
    const geo_pose on_top = shape_shift(0, 0, 1.48), beside = shape_shift(1.52, 0, 0);
    const alg_answer before = pair_ask(&p, &on_top), after = pair_ask(&p, &beside);
    cr_assert(before.contact_count > 50 && before.depth_m > 0.01, "%u", before.contact_count);
    cr_assert(after.colliding && after.contact_count == 0, "%u are left", after.contact_count);
    pair_close(&p);
    geo_mesh_release(&cube);
    geo_mesh_release(&small);
}

/** Deep in a solid there are full voxels alone: a voxel of B is pushed against its own normal. */
Test(nearest, what_is_deep_inside_is_pushed_back_along_its_normal)
{
    geo_mesh cube = shape_cube((vec3){0, 0, 0}, 1), small = shape_cube((vec3){0, 0, 0}, 0.3);
    pair p =
        pair_open("imp:depth=points,fill=solid,probe-voxels=12,voxels=40", &cube, &small, PUSH);
    static alg_contact contacts[4096];
    alg_answer a = {.size = sizeof a, .contacts = contacts, .contact_capacity = 4096};
    const geo_pose pose = shape_shift(0, 0, 0);
    p.variant.algorithm->query(p.state, &pose, &a);
    cr_assert(a.contact_count > 100 && a.contact_count <= 4096 && a.depth_m > 0);
    for (uint32_t i = 0; i < a.contact_count; i++) {
        /* The outward normal of a cube about the origin has a positive part along the point. */
        cr_assert(vec3_dot(contacts[i].normal, contacts[i].point) < 0, "contact %u", i);
        cr_assert_float_eq(vec3_norm(contacts[i].normal), 1, 1e-6);
    }
    pair_close(&p);
    geo_mesh_release(&cube);
    geo_mesh_release(&small);
}

Test(nearest, all_trees_and_orders_answer_alike)
{
    static const char *const variants[] = {
        "imp:depth=points,probe-voxels=24,voxels=32",
        "imp:children=64,depth=points,probe-voxels=24,spheres=stored,voxels=32",
        "imp:children=512,depth=points,order=depth,probe-voxels=24,voxels=32",
        "imp:depth=points,one-child=off,order=threads,probe-voxels=24,spheres=cubes,voxels=32",
    };
    geo_mesh torus = shape_torus(24, 1, 0.4), ball = shape_ball((vec3){0, 0, 0}, 0.5, 12);
    const geo_pose pose = geo_pose_make((geo_quat){0.3, -0.1, 0.2, 0.9}, (vec3){1.1, 0.2, 0.8});
    alg_answer first = {0};
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        pair p = pair_open(variants[v], &torus, &ball, PUSH);
        const alg_answer a = pair_ask(&p, &pose);
        cr_assert_gt(a.contact_count, 20, "%s: %u", variants[v], a.contact_count);
        first = v == 0 ? a : first;
        cr_assert_eq(a.contact_count, first.contact_count, "%s", variants[v]);
        cr_assert_eq(a.depth_m, first.depth_m, "%s", variants[v]);
        cr_assert(vec3_equal(a.force, first.force) && vec3_equal(a.torque, first.torque) &&
                      vec3_equal(a.direction, first.direction),
                  "%s", variants[v]);
        pair_close(&p);
    }
    geo_mesh_release(&torus);
    geo_mesh_release(&ball);
}
