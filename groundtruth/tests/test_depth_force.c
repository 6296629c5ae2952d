#include "base/memory.h"
#include "base/tests/sweep.h"
#include "geometry/mesh.h"
#include "geometry/pose.h"
#include "geometry/random.h"
#include "groundtruth/force/depth_force.h"

#include "shapes.h"

/*
 * The force of the depth law: against closed forms, against its theories (motions, scale, exchange,
 * gradients of the energy) and against sampling.
 */

static gt_depth_force query(const shape *a, const shape *b, geo_pose pose, gt_depth_role role)
{
    gt_depth_force f;
    base_error err = {0};
    gt_flux_space *const flux = gt_flux_space_create();
    gt_depth_space *const space = gt_depth_space_create();
    cr_assert(flux && space);
    cr_assert_eq(gt_depth_force_query(a->body, b->body, &pose, role, flux, space, &f, &err),
                 BASE_OK, "%s", err.text);
    gt_flux_space_destroy(flux);
    gt_depth_space_destroy(space);
    cr_assert_eq(f.flaws, 0, "%llu flaws", (unsigned long long)f.flaws);
    return f;
}

/** Does the answer hold these, and is its bracket as narrow as promised? */
static void check(const char *what, const gt_depth_force *f, double integral, vec3 force,
                  vec3 torque)
{
    const double off = vec3_distance(f->force_m3, force);
    const double turned = vec3_distance(f->torque_m4, torque);
    cr_assert(within(f->integral_m3, integral), "%s: integral [%.17g, %.17g], not %.17g", what,
              f->integral_m3.lo, f->integral_m3.hi, integral);
    cr_assert(off <= f->force_bound_m3, "%s: force %.17g %.17g %.17g off by %g, bound %g", what,
              f->force_m3.x, f->force_m3.y, f->force_m3.z, off, f->force_bound_m3);
    cr_assert(turned <= f->torque_bound_m4, "%s: torque %.17g %.17g %.17g off by %g, bound %g",
              what, f->torque_m4.x, f->torque_m4.y, f->torque_m4.z, turned, f->torque_bound_m4);
    cr_assert(f->complete && f->force_bound_m3 <= 0.6 * GT_DEPTH_FORCE_WIDTH * integral,
              "%s: bound %g of %g", what, f->force_bound_m3, integral);
}

/* --- Closed forms ----------------------------------------------------------------------------- */

/** A small cube with edge e, its lower face at depth h below the top of a large one: d is the depth. */
Test(depth_force, small_cube_on_a_large_one)
{
    shape a = shape_box((vec3){-2, -2, -4}, (vec3){2, 2, 0});
    shape b = shape_cube(1);
    for (int i = 0; i < 5; i++) {
        const double h = (const double[]){1e-6, 0.01, 0.125, 0.3, 0.5}[i];
        const geo_pose pose = shift(0.25, -0.125, 0.5 - h);
        const gt_depth_force f = query(&a, &b, pose, GT_DEPTH_OF_A);
        /* bottom: h; four walls: h^2 / 2 each, whose forces cancel */
        check("small cube", &f, h + 2 * h * h, (vec3){0, 0, h}, (vec3){0, 0, 0});
    }
    shape_release(&a);
    shape_release(&b);
}
