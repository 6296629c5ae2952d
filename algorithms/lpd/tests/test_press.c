/** Bodies pressed on each other: the force is 0 if they are apart, along the normal of the faces,
 * and increases with the depth. */
#include "algorithms/tests/pair.h"

/** Gaps between the faces; negative values are depths. */
static const double gaps[] = {0.2,    0.05,   0.004,  5e-4,   1e-4,  -1e-4, -5e-4, -0.001,
                              -0.002, -0.004, -0.008, -0.015, -0.03, -0.06, -0.1,  -0.2};
enum { GAPS = sizeof gaps / sizeof *gaps, OFFSETS = 100 };

static const char *const names[] = {"lpd", "lpd-exact", "lpd-refine", "lpd-exact:force=depth"};
enum { NAMES = sizeof names / sizeof *names };

/** Returns the pose of B for a gap along an axis, with offsets along the two others. */
static geo_pose pressed(int axis, double sign, double distance, double u, double v)
{
    double t[3];
    t[axis] = sign * distance;
    t[(axis + 1) % 3] = u;
    t[(axis + 2) % 3] = v;
    return shape_shift(t[0], t[1], t[2]);
}

/** The faces are unit squares that overlap except for the offsets. */
static void press(const pair *p, int axis, double sign, double u, double v)
{
    const char *const name = p->variant.algorithm->name;
    double last = 0;
    for (size_t g = 0; g < GAPS; g++) {
        const geo_pose pose = pressed(axis, sign, 1 + gaps[g], u, v);
        const alg_answer a = pair_ask(p, &pose);
        const double along = sign * vec3_get(a.force, axis);
        if (gaps[g] > 0) {
            cr_assert(!a.colliding && vec3_norm(a.force) == 0, "%s, axis %d: %g apart", name, axis,
                      gaps[g]);
            continue;
        }
        const double area = (1 - fabs(u)) * (1 - fabs(v));
        cr_assert(a.colliding && along > last, "%s, axis %d, (%g, %g): %g at %g, %g before", name,
                  axis, u, v, along, gaps[g], last);
        cr_assert(along > 0.9 * -gaps[g] * area && along < 1.2 * -gaps[g] * area,
                  "%s, axis %d, (%g, %g): %g at %g", name, axis, u, v, along, gaps[g]);
        last = along;
    }
}

Test(lpd_press, a_cube_on_a_cube)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 0.5);
    for (size_t i = 0; i < NAMES; i++) {
        SCOPED_PAIR p = pair_open(names[i], &cube, &cube, ALG_WANT_FORCE);
        for (int k = 0; k < OFFSETS; k++) {
            /* From flush sides to an offset of half an edge. */
            const double u = 0.005 * k, v = k % 4 == 0 ? 0 : -0.0031 * k;
            for (int axis = 0; axis < 3; axis++) {
                press(&p, axis, k % 2 ? -1 : 1, u, v);
            }
        }
    }
}

/** The area does not change with the depth. It acts at the middle of the common face. */
Test(lpd_press, areas_of_a_cube_on_a_cube)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 0.5);
    SCOPED_PAIR p = pair_open("lpd-area", &cube, &cube, ALG_WANT_FORCE | ALG_WANT_CONTACT);
    for (int k = 0; k < OFFSETS; k++) {
        const double u = 0.005 * k, v = k % 4 == 0 ? 0 : -0.0031 * k;
        for (int axis = 0; axis < 3; axis++) {
            for (size_t g = 0; g < GAPS; g++) {
                const double sign = k % 2 ? -1 : 1, depth = -gaps[g];
                const geo_pose pose = pressed(axis, sign, 1 - depth, u, v);
                const alg_answer a = pair_ask(&p, &pose);
                cr_assert(a.colliding == (depth > 0));
                /* Protruding sides are pushed as well; flush sides are not. */
                const double high = depth > 0 ? depth : 0, wide = 1 - fabs(u), deep = 1 - fabs(v);
                const geo_pose force = pressed(axis, sign, depth > 0 ? wide * deep : 0,
                                               u > 0 ? high * deep : 0, v < 0 ? -high * wide : 0);
                cr_assert(vec3_distance(a.force, force.translation) < 1e-13,
                          "axis %d, offset %d, %g: (%g, %g, %g)", axis, k, depth, a.force.x,
                          a.force.y, a.force.z);
                /* On each of the three sides the force acts at the middle of the common part. */
                const geo_pose middle = pressed(axis, sign, 0.5 - depth / 2, u / 2, v / 2);
                const vec3 lever = vec3_sub(middle.translation, pose.translation);
                vec3 torque = {0, 0, 0};
                for (int side = 0; side < 3; side++) {
                    vec3 push = {0, 0, 0}, arm = lever;
                    const double size = vec3_get(force.translation, side);
                    const double half = side == axis             ? high / 2
                                        : side == (axis + 1) % 3 ? wide / 2
                                                                 : deep / 2;
                    /* Towards the side of the common box from which B comes. */
                    double *const at = side == 0 ? &push.x : side == 1 ? &push.y : &push.z;
                    double *const arm_at = side == 0 ? &arm.x : side == 1 ? &arm.y : &arm.z;
                    *at = size;
                    *arm_at -= size > 0 ? half : size < 0 ? -half : 0;
                    torque = vec3_add(torque, vec3_cross(arm, push));
                }
                cr_assert(vec3_distance(a.torque, torque) < 1e-13,
                          "axis %d, offset %d, %g: (%g, %g, %g), not (%g, %g, %g)", axis, k, depth,
                          a.torque.x, a.torque.y, a.torque.z, torque.x, torque.y, torque.z);
            }
        }
    }
}

/** A cube inside of a cube, and touching plates: they are in contact, and the force is 0 where the
 * volume does not change. */
Test(lpd_press, areas_of_nested_and_of_touching_bodies)
{
    SCOPED_MESH large = shape_cube((vec3){0, 0, 0}, 0.5), small = shape_cube((vec3){0, 0, 0}, 0.1);
    SCOPED_MESH plate = shape_box((vec3){-1, -1, -0.001}, (vec3){1, 1, 0.001});
    SCOPED_MESH needle = shape_box((vec3){-0.001, -0.001, -2}, (vec3){0.001, 0.001, 2});
    pair p = pair_open("lpd-area", &large, &small, ALG_WANT_FORCE);
    pair q = pair_open("lpd-area", &plate, &plate, ALG_WANT_FORCE);
    SCOPED_PAIR n = pair_open("lpd-area", &plate, &needle, ALG_WANT_FORCE);
    const geo_pose inside = shape_shift(0.1, 0.2, 0.3), far = shape_shift(1e6, 0, 0);
    alg_answer a = pair_ask(&p, &inside);
    cr_assert(a.colliding && vec3_norm(a.force) == 0 && vec3_norm(a.torque) == 0);
    a = pair_ask(&p, &far);
    cr_assert(!a.colliding && vec3_norm(a.force) == 0);
    /* Half of a plate on another one: apart, touching (mean of both sides), pressed in. */
    static const double heights[] = {0.0021, 0.002, 0.0019}, areas[] = {0, 0.5, 1};
    for (int i = 0; i < 3; i++) {
        const geo_pose pose = shape_shift(1, 0, heights[i]);
        a = pair_ask(&q, &pose);
        cr_assert(a.colliding == (i > 0) && fabs(a.force.z - 2 * areas[i]) < 1e-12, "height %g: %g",
                  heights[i], a.force.z);
    }
    /* A needle through a plate: the forces on its sides cancel. */
    const geo_pose through = shape_shift(0.3, 0.2, 0.5);
    a = pair_ask(&n, &through);
    cr_assert(a.colliding && vec3_norm(a.force) < 1e-15, "%g", vec3_norm(a.force));
    pair_close(&p);
    pair_close(&q);
}
