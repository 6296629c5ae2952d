/**
 * Presses a cube on a cube by its face, along each axis, at 100 places of the face, from 20 % of
 * the edge apart to 20 % deep, for all families and laws; other settings at 10 places. The force is
 * 0 if the cubes are apart by more than the voxels reach. By depth, it increases with the depth. By
 * area, it stays the same.
 */
#include "algorithms/tests/pair.h"
#include "base/random.h"

#include <stdio.h>

/** How a force must behave in contact. */
typedef enum growth {
    GROWS,   /* it is larger than the one before, for depths beyond `until` */
    STAYS,   /* it is the area of the common face */
    LIMITED, /* it grows up to `until`, and changes by less than 4 % beyond */
    STEPS,   /* it is never smaller than the one before, up to `until`, and LIMITED beyond */
    NEAR,    /* beyond `until`, it is the area of the common face within a factor of 4 */
} growth;

typedef struct row {
    const char *name;
    growth growth;
    double reach; /* the greatest gap at which the cubes may push each other */
    double until; /* a depth */
    int places;
} row;

enum { ALL = 100, SOME = 10 };

/** The edges of 128 voxels along a cube, and of 32. */
#define FINE   (1.0 / 127)
#define COARSE (1.0 / 31)

static const row rows[] = {
    {"vps", LIMITED, FINE, 15 * FINE, ALL},
    {"vps:weights=area", LIMITED, FINE, 15 * FINE, ALL},
    {"vps:voxmap=moving", LIMITED, FINE, 15 * FINE, ALL},
    {"vps:shell=blue-noise", LIMITED, FINE, 15 * FINE, SOME},
    {"vps:shell=all", LIMITED, FINE, 15 * FINE, SOME},
    {"vps:layers=64,shell-voxels=50,voxels=100", GROWS, 1.0 / 99, 0, SOME},
    {"vps:depth=layers", STEPS, FINE, 15 * FINE, SOME},
    /* Deep points near the sides push towards the sides. */
    {"vps:depth=field", LIMITED, 0, 0.1, SOME},
    {"pst", GROWS, 0, 0, ALL},
    {"pst:weights=area", GROWS, 0, 0, SOME},
    {"pst:field=moving", GROWS, 0, 0, ALL},
    {"pst:normals=field", LIMITED, 0, 0.1, SOME},
    {"pst:shell=mesh", GROWS, 0, 0, SOME},
    {"pst:shell=two-phase", GROWS, 0, 0, SOME},
    {"pst:depth=layers", STEPS, FINE, 7 * FINE, SOME},
    {"ist", GROWS, FINE, 0, ALL},
    {"ist:voxels=32", GROWS, COARSE, 0, SOME},
    /* These spheres are inside of the bodies, so they may meet later. */
    {"ist:radius=primary", GROWS, 0, 0.25 * FINE, SOME},
    {"ist:directions=cones", GROWS, FINE, 0, SOME},
    {"ist-gradient", NEAR, FINE, 2 * FINE, ALL},
    {"imp", GROWS, 0, 0, ALL},
    {"imp:probe=voxels", GROWS, 0, 0, SOME},
    {"imp:fill=solid", GROWS, 0, 0, SOME},
    {"lpd", GROWS, 0, 0, ALL},
    {"lpd:force=depth", GROWS, 0, 0, SOME},
    {"lpd:pixels=0", GROWS, 0, 0, SOME},
    {"lpd:regions=all", GROWS, 0, 0, SOME},
    {"lpd-exact", GROWS, 0, 0, ALL},
    {"lpd-refine", GROWS, 0, 0, SOME},
    {"lpd-area", STAYS, 0, 0, ALL},
};

/** Gaps between the faces; negative values are depths. */
static const double gaps[] = {0.2,    0.05,   0.02,   0.0081, 0.002,  1e-4,  -1e-4, -5e-4, -0.002,
                              -0.004, -0.008, -0.015, -0.03,  -0.055, -0.08, -0.1,  -0.15, -0.2};
enum { GAPS = sizeof gaps / sizeof *gaps };

/** Checks the force at a depth; `before` is the one at the depth before. */
static void check_depth(const row *r, double depth, double along, double before, double area,
                        const char *where)
{
    const bool deep = depth > r->until;
    switch (r->growth) {
    case GROWS:
        cr_assert(deep ? along > before : along >= before, "%s: %g, %g before", where, along,
                  before);
        break;
    case STAYS:
        cr_assert_float_eq(along, area, 1e-12, "%s: %g, not %g", where, along, area);
        break;
    case LIMITED:
    case STEPS:
        cr_assert(deep ? along > 0.96 * before
                       : along >= before && (along > before || r->growth == STEPS),
                  "%s: %g, %g before", where, along, before);
        cr_assert_gt(along, 0, "%s", where);
        break;
    case NEAR:
        cr_assert(along > 0 && (!deep || (along > 0.25 * area && along < 4 * area)),
                  "%s: %g, area %g", where, along, area);
        break;
    }
}

/** Presses the cubes at a place of the face across the axis. The faces overlap except for u, v. */
static void press(const pair *p, const row *r, int axis, double sign, double u, double v)
{
    double before = 0;
    for (int g = 0; g < GAPS; g++) {
        double t[3];
        t[axis] = sign * (1 + gaps[g]);
        t[(axis + 1) % 3] = u;
        t[(axis + 2) % 3] = v;
        const geo_pose pose = shape_shift(t[0], t[1], t[2]);
        const vec3 force = pair_ask(p, &pose).force;
        char where[200];
        snprintf(where, sizeof where, "%s, axis %d, (%g, %g), gap %g", r->name, axis, u, v,
                 gaps[g]);
        if (gaps[g] > 0) {
            cr_assert(gaps[g] <= r->reach || vec3_norm(force) == 0, "%s: (%g, %g, %g)", where,
                      force.x, force.y, force.z);
            continue;
        }
        const double along = sign * vec3_get(force, axis);
        const double area = (1 - fabs(u)) * (1 - fabs(v));
        check_depth(r, -gaps[g], along, before, area, where);
        before = along;
    }
}

/** Presses by all rows of a family. */
static void press_family(const char *family)
{
    geo_mesh cube = shape_cube((vec3){0, 0, 0}, 0.5);
    size_t tested = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const row *const r = &rows[i];
        if (strncmp(r->name, family, strlen(family)) != 0) {
            continue;
        }
        pair p = pair_open(r->name, &cube, &cube, ALG_WANT_FORCE);
        base_random random = base_random_seed(5);
        for (int k = 0; k < r->places; k++) {
            const double u = base_random_range(&random, -0.4, 0.4);
            const double v = base_random_range(&random, -0.4, 0.4);
            for (int axis = 0; axis < 3; axis++) {
                press(&p, r, axis, k % 2 ? -1 : 1, u, v);
            }
        }
        pair_close(&p);
        tested++;
    }
    cr_assert_gt(tested, 0);
    geo_mesh_release(&cube);
}

Test(press, by_vps)
{
    press_family("vps");
}

Test(press, by_pst)
{
    press_family("pst");
}

Test(press, by_ist)
{
    press_family("ist");
}

Test(press, by_imp)
{
    press_family("imp");
}

Test(press, by_lpd)
{
    press_family("lpd");
}
