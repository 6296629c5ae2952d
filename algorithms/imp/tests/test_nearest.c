/**
 * Tests contacts of surfaces (depth=points): known depths, and the same answer from every tree and
 * order.
 */
#include "algorithms/imp/body.h"
#include "algorithms/tests/pair.h"
#include "base/random.h"
#include "geometry/pose.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PUSH = ALG_WANT_CONTACT | ALG_WANT_DEPTH | ALG_WANT_FORCE };

/**
 * Tests a ball of radius 0.5 above the face z = 1 of a cube: its depth is its penetration and does
 * not depend on the size of the voxels.
 */
Test(nearest, a_ball_is_as_deep_as_it_goes_in)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1), ball = shape_ball((vec3){0, 0, 0}, 0.5, 24);
    SCOPED_PAIR p = pair_open("imp:probe-voxels=32,voxels=48", &cube, &ball, PUSH);
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
        /* With voxels of 1/32, the lowest patch is at most 0.001 above the ball's lowest point. */
        cr_assert_float_eq(a.depth_m, in, 0.0012, "%g: %g deep", in, a.depth_m);
        cr_assert_float_eq(a.direction.z, 1, 1e-6, "%g: along %g", in, a.direction.z);
        cr_assert(a.force.z > 0 && fabs(a.force.x) + fabs(a.force.y) < 1e-6 * a.force.z);
    }
}

/**
 * Tests a curved body A, where the planes of farther points are wrong: the nearest point must be
 * used.
 */
Test(nearest, the_nearest_point_decides_for_a_round_body)
{
    SCOPED_MESH a = shape_ball((vec3){0, 0, 0}, 1, 32), b = shape_ball((vec3){0, 0, 0}, 0.5, 24);
    SCOPED_PAIR p = pair_open("imp:probe-voxels=24,voxels=24", &a, &b, PUSH);
    const geo_pose pose = shape_shift(0, 0, 1.5 - 0.03);
    const alg_answer in = pair_ask(&p, &pose);
    /* Tolerance: the error of a plane for voxels of 1/12 of A's radius and of 1/24. */
    cr_assert_float_eq(in.depth_m, 0.03, 0.004, "%g deep", in.depth_m);
}

/**
 * Tests a pose behind the plane of the face that was touched before, but beside the face: earlier
 * contacts must not remain.
 */
Test(nearest, contacts_of_the_pose_before_are_forgotten)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1), small = shape_cube((vec3){0, 0, 0}, 0.5);
    SCOPED_PAIR p = pair_open("imp:probe-voxels=16,voxels=32", &cube, &small, PUSH);
    const geo_pose on_top = shape_shift(0, 0, 1.48), beside = shape_shift(1.52, 0, 0);
    const alg_answer before = pair_ask(&p, &on_top), after = pair_ask(&p, &beside);
    cr_assert(before.contact_count > 50 && before.depth_m > 0.01, "%u", before.contact_count);
    cr_assert(after.colliding && after.contact_count == 0, "%u are left", after.contact_count);
}

/**
 * Tests that deep in a solid the depth is the distance to A's nearest face, and the direction leads
 * out through this face.
 */
Test(nearest, deep_bodies_are_pushed_through_the_nearest_face)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1), small = shape_cube((vec3){0, 0, 0}, 0.15);
    SCOPED_PAIR p = pair_open("imp:probe-voxels=12,voxels=40", &cube, &small, PUSH);
    static alg_contact contacts[4096];
    for (int axis = 0; axis < 3; axis++) {
        alg_answer a = {.size = sizeof a, .contacts = contacts, .contact_capacity = 4096};
        const double at = 0.5;
        const geo_pose pose =
            shape_shift(axis == 0 ? at : 0.01, axis == 1 ? -at : 0.02, axis == 2 ? at : 0.03);
        const vec3 out = {axis == 0, -(axis == 1), axis == 2};
        p.variant.algorithm->query(p.state, &pose, &a);
        cr_assert(a.contact_count > 400 && a.contact_count <= 4096, "%u", a.contact_count);
        for (uint32_t i = 0; i < a.contact_count; i++) {
            cr_assert_float_eq(vec3_dot(contacts[i].normal, out), 1, 1e-6, "contact %u", i);
            /* The point is half way out. */
            cr_assert_float_eq(contacts[i].depth_m, 2 * (1 - vec3_dot(contacts[i].point, out)),
                               1e-6, "contact %u", i);
        }
        cr_assert_float_eq(a.depth_m, 0.65, 1e-3, "%g deep", a.depth_m);
        cr_assert_float_eq(vec3_dot(a.direction, out), 1, 1e-6);
        /* The depth decreases by 1 along the way out, so the force is B's volume, without a
         * torque. */
        const double face = 0.3 / 12 * 0.3 / 12, force = 0.3 * 0.3 * 0.3 / face;
        cr_assert(vec3_distance(a.force, vec3_scale(force, out)) < 1e-4 * force, "%g of %g",
                  vec3_norm(a.force), force);
        cr_assert(vec3_norm(a.torque) < 1e-4 * force, "%g", vec3_norm(a.torque));
    }
}

/** Tests that a mesh that is not a solid has no inside: a body deep in it is not pushed. */
/** The tree of a body of 2 voxels along an edge has one group. */
Test(nearest, a_body_of_few_voxels_is_pushed_out)
{
    geo_mesh large = shape_cube((vec3){0, 0, 0}, 1), small = shape_cube((vec3){0, 0, 0}, 0.1);
    pair p = pair_open("imp:probe-voxels=2,voxels=32", &large, &small, PUSH);
    const geo_pose pose = shape_shift(0, 0, 0.5);
    const alg_answer a = pair_ask(&p, &pose);
    cr_assert(a.contact_count > 0 && a.force.z > 0, "%u contacts, %g", a.contact_count, a.force.z);
    pair_close(&p);
    geo_mesh_release(&large);
    geo_mesh_release(&small);
}

/** A body deep inside is in contact, for any quantities that are wanted. Beside the other body, and
 * around it, it is not pushed. */
Test(nearest, a_body_deep_inside_is_in_contact)
{
    geo_mesh large = shape_cube((vec3){0, 0, 0}, 1), small = shape_cube((vec3){0, 0, 0}, 0.1);
    static const unsigned wanted[] = {ALG_WANT_CONTACT, PUSH, PUSH | ALG_WANT_CONTACT};
    for (int i = 0; i < 3; i++) {
        pair p = pair_open("imp:probe-voxels=12,voxels=32", &large, &small, wanted[i]);
        for (int step = 0; step < 20; step++) {
            /* From the middle out; the faces touch at 1.1. */
            const geo_pose pose = shape_shift(0.02, 0.1 * step, 0.03);
            const alg_answer a = pair_ask(&p, &pose);
            cr_assert(a.colliding == (0.1 * step < 1.1) || step == 11, "%u, step %d", wanted[i],
                      step);
            cr_assert(a.contact_count == 0 || a.colliding, "%u, step %d", wanted[i], step);
        }
        pair_close(&p);
    }
    geo_mesh_release(&large);
    geo_mesh_release(&small);
}

Test(nearest, an_open_mesh_has_no_inside)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1), small = shape_cube((vec3){0, 0, 0}, 0.15);
    SCOPED_PAIR p = {.variant = pair_variant("imp:probe-voxels=12,voxels=40"),
                     .a = shape_body(&cube, false),
                     .b = shape_body(&small, true)};
    pair_prepare(&p, &p.variant.settings);
    pair_bind(&p, PUSH);
    const geo_pose inside = shape_shift(0.5, 0, 0), face = shape_shift(0, 0, 1.13);
    const alg_answer a = pair_ask(&p, &inside), b = pair_ask(&p, &face);
    cr_assert(!a.colliding && a.contact_count == 0 && vec3_norm(a.force) == 0);
    cr_assert(b.force.z > 0 && fabs(b.depth_m - 0.02) < 1e-6, "%g deep", b.depth_m);
}

/* --- Apart ------------------------------------------------------------------------------------ */

/** Returns the distance from a point to a box about the origin; 0 inside. */
static double beside_of(vec3 half, vec3 p)
{
    const vec3 out = vec3_sub(vec3_abs(p), half);
    return vec3_norm((vec3){fmax(out.x, 0), fmax(out.y, 0), fmax(out.z, 0)});
}

/**
 * Tests a small ball near faces, edges and corners of boxes, thick ones and plates thinner than a
 * voxel. There is no force if they are apart by more than a hundredth of A's voxel, and there is
 * one if they overlap at a face by more than a fifth of B's voxel. An edge of A may enter between
 * two points of B.
 */
Test(nearest, no_force_where_surfaces_are_apart)
{
    static const vec3 halves[] = {{0.5, 0.5, 0.5}, {0.5, 0.4, 0.01}, {0.5, 0.06, 0.06}};
    const double radius = 0.1, edge_a = 1.0 / 24, edge_b = 2 * radius / 16;
    SCOPED_MESH ball = shape_ball((vec3){0, 0, 0}, radius, 12);
    base_random random = base_random_seed(19);
    int apart = 0, together = 0;
    for (int k = 0; k < 3; k++) {
        const vec3 half = halves[k];
        SCOPED_MESH box = shape_box(vec3_scale(-1, half), half);
        SCOPED_PAIR p = pair_open("imp:probe-voxels=16,voxels=24", &box, &ball, PUSH);
        for (int i = 0; i < 700; i++) {
            const vec3 q = shape_point(&random, 1);
            const vec3 at = {q.x * (half.x + 0.13), q.y * (half.y + 0.13), q.z * (half.z + 0.13)};
            const geo_pose pose = geo_pose_make(geo_random_rotation(&random), at);
            const double gap = beside_of(half, at) - radius;
            const alg_answer a = pair_ask(&p, &pose);
            const double force = vec3_norm(a.force);
            cr_assert(gap <= 0.01 * edge_a || (force == 0 && a.contact_count == 0),
                      "box %d, %d: %g voxels apart: %g", k, i, gap / edge_a, force);
            const bool at_face =
                (fabs(at.x) > half.x) + (fabs(at.y) > half.y) + (fabs(at.z) > half.z) < 2;
            cr_assert(gap >= -0.2 * edge_b || !at_face || a.contact_count > 0,
                      "box %d, %d: %g voxels deep", k, i, -gap / edge_b);
            apart += gap > 0.01 * edge_a && gap < edge_a;
            together += at_face && gap < -0.2 * edge_b;
        }
    }
    cr_assert(apart > 150 && together > 150, "%d and %d", apart, together);
}

/**
 * Tests a wedge whose crest is narrower than a voxel. Beside a flank, near the crest, the nearest
 * point may be on the other flank, whose plane must not be used.
 */
Test(nearest, no_force_beside_a_narrow_crest)
{
    const double radius = 0.02;
    geo_mesh_builder wedge = shape_edit(shape_box((vec3){-0.5, -0.1, 0}, (vec3){0.5, 0.1, 0.6}));
    for (size_t v = 0; v < wedge.vertex_count; v++) {
        wedge.vertices[v].y *= wedge.vertices[v].z > 0.5 ? 0.1 : 1;
    }
    SCOPED_MESH a = geo_mesh_builder_finish(&wedge), b = shape_ball((vec3){0, 0, 0}, radius, 6);
    SCOPED_PAIR p = pair_open("imp:probe-voxels=6,voxels=16", &a, &b, PUSH);
    base_random random = base_random_seed(23);
    const vec3 flank = vec3_normalize((vec3){0, 0.6, 0.09});
    for (int i = 0; i < 1500; i++) {
        const double side = i % 2 ? 1 : -1, down = base_random_range(&random, 0, 0.2);
        const double gap = base_random_range(&random, 0.001, 0.05) + radius;
        const vec3 on = {base_random_range(&random, -0.4, 0.4), 0.01 + 0.15 * down, 0.6 - down};
        const vec3 at = vec3_madd(on, gap, flank);
        const geo_pose pose = shape_shift(at.x, side * at.y, at.z);
        const alg_answer x = pair_ask(&p, &pose);
        cr_assert(x.contact_count == 0, "%d: %g apart, %g below the crest: %g deep", i,
                  gap - radius, down, x.depth_m);
    }
}

/** Tests a concave edge: below it the nearest surface is the edge, not the plane of a face. */
Test(nearest, deep_under_a_concave_edge)
{
    /* The cells with x < 2 or z < 2 of 4 x 4 x 4: the edge is at x = z = 2. */
    uint64_t cells = 0;
    for (int i = 0; i < 64; i++) {
        cells |= (uint64_t)(i % 4 < 2 || i / 16 < 2) << i;
    }
    base_random random = base_random_seed(1);
    SCOPED_MESH l = shape_cells(&random, cells), tip = shape_ball((vec3){0, 0, 0}, 0.02, 3);
    SCOPED_PAIR p = pair_open("imp:probe-voxels=4,voxels=60", &l, &tip, PUSH);
    const geo_box box = geo_mesh_box(&l);
    const double unit = (box.hi.x - box.lo.x) / 4;
    for (int i = 1; i < 6; i++) {
        const double x = 0.05 * i * unit, z = (0.3 - 0.04 * i) * unit;
        const geo_pose pose =
            shape_shift(box.lo.x + 2 * unit - x, box.lo.y + 2 * unit, box.lo.z + 2 * unit - z);
        const alg_answer a = pair_ask(&p, &pose);
        cr_assert_float_eq(a.depth_m, hypot(x, z) + 0.02, 0.03, "%d: %g of %g", i, a.depth_m,
                           hypot(x, z));
    }
    /* This pose is beside the edge: behind one of its faces and in front of the plane of the other
     * one. */
    const geo_pose beside =
        shape_shift(box.lo.x + 1.97 * unit, box.lo.y + 2 * unit, box.lo.z + 2.03 * unit);
    const alg_answer a = pair_ask(&p, &beside);
    cr_assert_float_eq(a.depth_m, 0.05, 0.01, "%g", a.depth_m);
    cr_assert(a.direction.x > 0.99 && a.force.x >= 0);
}

/* --- Flat faces ------------------------------------------------------------------------------- */

static double axis_of(vec3 v, int axis, double sign)
{
    return sign * vec3_get(v, axis);
}

/**
 * Two unit cubes overlap by d x w x h at a corner of both. Returns the integral of the depth over
 * B's face; the depth is d, or less near A's sides.
 */
static double ideal_of(double d, double w, double h)
{
    return d * w * h - 0.5 * d * d * (w + h) + d * d * d / 3;
}

/** Presses a cube onto a cube along an axis, at random offsets relative to the grid. */
static void press(const pair *p, base_random *random, int axis, double sign, int voxels)
{
    static const double depths[] = {-0.2, -0.02, -0.004, -5e-4, -1e-4, 1e-4, 5e-4, 2e-3,
                                    4e-3, 1e-2,  2e-2,   0.03,  0.05,  0.1,  0.15, 0.2};
    const double u = base_random_range(random, 0.21, 0.4);
    const double v = base_random_range(random, 0.21, 0.4);
    /* Patches at the rim of the contact count completely or not at all. */
    const double rim = 0.5 / voxels * (1 / (1 - u) + 1 / (1 - v)), faces = (double)voxels * voxels;
    double before = 0;
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        const double d = depths[i], along = sign * (1 - d);
        const geo_pose pose = shape_shift(axis == 0 ? along : u,
                                          axis == 1   ? along
                                          : axis == 0 ? u
                                                      : v,
                                          axis == 2 ? along : v);
        const alg_answer a = pair_ask(p, &pose);
        const double f = axis_of(a.force, axis, sign);
        if (d < 0) {
            cr_assert(vec3_norm(a.force) == 0 && a.depth_m == 0 && a.contact_count == 0,
                      "axis %d, %g apart: %g", axis, -d, f);
            continue;
        }
        const double ideal = faces * ideal_of(d, 1 - u, 1 - v);
        cr_assert(f > before, "axis %d, %g deep: %g, before %g", axis, d, f, before);
        cr_assert_float_eq(f, ideal, rim * ideal, "axis %d, %g deep: %g of %g", axis, d, f, ideal);
        /* A is left along the axis first, and then sideways: within the angle of the force law
         * itself. */
        const vec3 rest = vec3_madd(a.force, -sign * f, (vec3){axis == 0, axis == 1, axis == 2});
        cr_assert(vec3_norm(rest) < (1 + rim) * faces * d * d, "axis %d, %g deep", axis, d);
        before = f;
    }
}

Test(nearest, a_cube_is_pressed_on_a_cube)
{
    static const char *const variants[] = {"imp:probe-voxels=20,voxels=32",
                                           "imp:probe=voxels,probe-voxels=20,voxels=32"};
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 0.5);
    base_random random = base_random_seed(5);
    for (size_t k = 0; k < sizeof variants / sizeof *variants; k++) {
        SCOPED_PAIR p = pair_open(variants[k], &cube, &cube, PUSH);
        for (int i = 0; i < 102; i++) {
            press(&p, &random, i % 3, i / 3 % 2 == 0 ? 1 : -1, 20);
        }
    }
}

/**
 * Tests a box that is pressed into a plate by each of its faces: the force is that of the face's
 * area.
 */
Test(nearest, equal_faces_push_equally)
{
    SCOPED_MESH plate = shape_box((vec3){-1, -1, -0.5}, (vec3){1, 1, 0});
    SCOPED_MESH box = shape_box((vec3){-0.5, -0.4, -0.3}, (vec3){0.5, 0.4, 0.3});
    static const vec3 half = {0.5, 0.4, 0.3};
    SCOPED_PAIR p = pair_open("imp:probe-voxels=24,voxels=48", &plate, &box, PUSH);
    const double depth = 0.02, face = 1.0 / 24 / 24;
    for (int k = 0; k < 6; k++) {
        /* `sign` is the sign of the axis that points down; q rotates it there by a quarter or half
         * turn. */
        const double s = sqrt(0.5), sign = k % 2 == 0 ? 1 : -1;
        const geo_quat q = k / 2 == 0   ? (geo_quat){0, sign * s, 0, s}
                           : k / 2 == 1 ? (geo_quat){-sign * s, 0, 0, s}
                           : k == 4     ? (geo_quat){1, 0, 0, 0}
                                        : geo_quat_identity();
        const double reach = vec3_get(half, k / 2);
        const geo_pose pose = geo_pose_make(q, (vec3){0.013, 0.029, reach - depth});
        const alg_answer a = pair_ask(&p, &pose);
        const double area = 4 * half.x * half.y * half.z / reach, ideal = depth * area / face;
        cr_assert_float_eq(a.force.z, ideal, 1e-3 * ideal, "face %d: %g of %g", k, a.force.z,
                           ideal);
        cr_assert(hypot(a.force.x, a.force.y) < 1e-4 * ideal, "face %d", k);
    }
}

/**
 * Tests both bodies rotated relative to their grids: the force rotates with them, up to the size of
 * voxels.
 */
Test(nearest, rotated_bodies_have_rotated_forces)
{
    SCOPED_MESH torus = shape_torus(32, 1, 0.4), ball = shape_ball((vec3){0, 0, 0}, 0.5, 16);
    const geo_pose pose = geo_pose_make((geo_quat){0.3, -0.1, 0.2, 0.9}, (vec3){1.1, 0.2, 0.8});
    base_random random = base_random_seed(3);
    vec3 first = {0, 0, 0}, torque = {0, 0, 0};
    for (int i = 0; i < 8; i++) {
        const geo_pose turn_a = i == 0 ? geo_pose_identity() : shape_pose(&random, 1);
        const geo_pose turn_b = i == 0 ? geo_pose_identity() : shape_pose(&random, 1);
        const geo_pose back = geo_pose_inverse(&turn_b), mid = geo_pose_compose(&pose, &back);
        const geo_pose turned = geo_pose_compose(&turn_a, &mid);
        SCOPED_MESH a = shape_move(shape_torus(32, 1, 0.4), turn_a, 1);
        SCOPED_MESH b = shape_move(shape_ball((vec3){0, 0, 0}, 0.5, 16), turn_b, 1);
        SCOPED_PAIR p = pair_open("imp:probe-voxels=32,voxels=64", &a, &b, PUSH);
        const alg_answer x = pair_ask(&p, &turned);
        /* Compare in the frame of the first pose, and per area, because the grids' edges depend on
         * the boxes of the rotated bodies. */
        const double edge = ((const alg_imp_body *)p.moving)->grid.edge;
        const geo_pose back_a = geo_pose_inverse(&turn_a);
        const vec3 force = vec3_scale(edge * edge, geo_pose_rotate(&back_a, x.force));
        const vec3 turn = vec3_scale(edge * edge, geo_pose_rotate(&back_a, x.torque));
        first = i == 0 ? force : first;
        torque = i == 0 ? turn : torque;
        const double size = vec3_norm(force) / vec3_norm(first);
        const double cosine = vec3_dot(force, first) / vec3_norm(force) / vec3_norm(first);
        cr_assert(fabs(size - 1) < 0.01 && cosine > 0.99996, "%d: %g, %g deg", i, size,
                  57.3 * acos(fmin(cosine, 1)));
        cr_assert(vec3_distance(turn, torque) < 0.02 * vec3_norm(first), "%d: %g", i,
                  vec3_distance(turn, torque) / vec3_norm(first));
    }
}

Test(nearest, all_trees_and_orders_give_the_same_answer)
{
    static const char *const variants[] = {
        "imp:probe-voxels=24,voxels=32",
        "imp:children=64,probe-voxels=24,spheres=stored,voxels=32",
        "imp:children=512,order=depth,probe-voxels=24,voxels=32",
        "imp:one-child=off,order=threads,probe-voxels=24,spheres=cubes,voxels=32",
    };
    SCOPED_MESH torus = shape_torus(24, 1, 0.4), ball = shape_ball((vec3){0, 0, 0}, 0.5, 12);
    const geo_pose pose = geo_pose_make((geo_quat){0.3, -0.1, 0.2, 0.9}, (vec3){1.1, 0.2, 0.8});
    alg_answer first = {0};
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        SCOPED_PAIR p = pair_open(variants[v], &torus, &ball, PUSH);
        const alg_answer a = pair_ask(&p, &pose);
        cr_assert_gt(a.contact_count, 20, "%s: %u", variants[v], a.contact_count);
        first = v == 0 ? a : first;
        cr_assert_eq(a.contact_count, first.contact_count, "%s", variants[v]);
        cr_assert_eq(a.depth_m, first.depth_m, "%s", variants[v]);
        cr_assert(vec3_equal(a.force, first.force) && vec3_equal(a.torque, first.torque) &&
                      vec3_equal(a.direction, first.direction),
                  "%s", variants[v]);
    }
}
