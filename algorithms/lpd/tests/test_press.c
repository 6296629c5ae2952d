/** Bodies that are pressed on each other: the force is 0 apart, along the faces' normal, and grows with the depth. */
#include "algorithms/tests/pair.h"

/** Gaps between the faces; below 0 they are depths. */
static const double gaps[] = {0.2,    0.05,   0.004,  5e-4,   1e-4,  -1e-4, -5e-4, -0.001,
                              -0.002, -0.004, -0.008, -0.015, -0.03, -0.06, -0.1,  -0.2};
enum { GAPS = sizeof gaps / sizeof *gaps, OFFSETS = 100 };

static const char *const names[] = {"lpd", "lpd-exact", "lpd-refine", "lpd-exact:force=depth"};
enum { NAMES = sizeof names / sizeof *names };

/** The pose of B for a gap along an axis, with offsets along the two others. */
static geo_pose pressed(int axis, double sign, double distance, double u, double v)
{
    double t[3];
    t[axis] = sign * distance;
    t[(axis + 1) % 3] = u;
    t[(axis + 2) % 3] = v;
    return shape_shift(t[0], t[1], t[2]);
}

/** The faces are unit squares that overlap but for the offsets. */
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
    geo_mesh cube = shape_cube((vec3){0, 0, 0}, 0.5);
    for (size_t i = 0; i < NAMES; i++) {
        pair p = pair_open(names[i], &cube, &cube, ALG_WANT_FORCE);
        for (int k = 0; k < OFFSETS; k++) {
            /* From flush sides to half an edge beside each other. */
            const double u = 0.005 * k, v = k % 4 == 0 ? 0 : -0.0031 * k;
            for (int axis = 0; axis < 3; axis++) {
                press(&p, axis, k % 2 ? -1 : 1, u, v);
            }
        }
        pair_close(&p);
    }
    geo_mesh_release(&cube);
}
