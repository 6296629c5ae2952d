#include "base/memory.h"
#include "base/tests/support.h"
#include "geometry/mesh.h"
#include "geometry/pose.h"
#include "geometry/surface.h"
#include "groundtruth/force/depth_force.h"
#include "groundtruth/trajectory.h"

#include "shapes.h"

#include <string.h>

/*
 * The force of the depth law: compared with closed forms, with theoretical properties (motions,
 * scale, exchange, gradients of the energy) and with sampling, and its two methods with each other.
 */

static gt_depth_force query(const shape *a, const shape *b, geo_pose pose, gt_depth_role role)
{
    gt_depth_force f;
    gt_flux_space *const flux = gt_flux_space_create();
    gt_depth_space *const space = gt_depth_space_create();
    cr_assert(flux && space);
    assert_ok(gt_depth_force_query(a->body, b->body, &pose, role, flux, space, &f, ERR));
    gt_flux_space_destroy(flux);
    gt_depth_space_destroy(space);
    cr_assert_eq(f.flaws, 0, "%llu flaws", (unsigned long long)f.flaws);
    return f;
}

static gt_depth_cells cells(const shape *a, const shape *b, geo_pose pose, gt_depth_role role)
{
    gt_depth_cells f;
    gt_cells_space *const space = gt_cells_space_create();
    cr_assert(space);
    assert_ok(gt_depth_cells_query(a->body, b->body, &pose, role, space, &f, ERR));
    gt_cells_space_destroy(space);
    return f;
}

static void check_vectors(const char *what, vec3 found, vec3 expected, double bound)
{
    const double off = vec3_distance(found, expected);
    cr_assert(off <= bound, "%s: %.17g %.17g %.17g off by %g, bound %g", what, found.x, found.y,
              found.z, off, bound);
}

/** Checks that the answer contains these values and that its bracket is as narrow as documented. */
static void check(const char *what, const gt_depth_force *f, double integral, vec3 force,
                  vec3 torque)
{
    cr_assert(within(f->integral_m3, integral), "%s: integral [%.17g, %.17g], not %.17g", what,
              f->integral_m3.lo, f->integral_m3.hi, integral);
    check_vectors(what, f->force_m3, force, f->force_bound_m3);
    check_vectors(what, f->torque_m4, torque, f->torque_bound_m4);
    cr_assert(f->complete && f->force_bound_m3 <= 0.51 * GT_DEPTH_FORCE_WIDTH * integral,
              "%s: bound %g of %g", what, f->force_bound_m3, integral);
}

/**
 * Checks that two answers agree within their bounds. Vectors of the second are rotated by `turn`.
 */
static void check_same(const char *what, const gt_depth_force *f, const gt_depth_force *g,
                       mat3 turn)
{
    check_vectors(what, f->force_m3, mat3_mul_vec3(turn, g->force_m3),
                  f->force_bound_m3 + g->force_bound_m3);
    check_vectors(what, f->torque_m4, mat3_mul_vec3(turn, g->torque_m4),
                  f->torque_bound_m4 + g->torque_bound_m4);
    cr_assert(f->integral_m3.lo <= g->integral_m3.hi && g->integral_m3.lo <= f->integral_m3.hi,
              "%s: integrals", what);
}

/* --- Closed forms ----------------------------------------------------------------------------- */

/** A small cube at depth h in the top of a large one: the distance is the depth. Bottom: h.
 * Walls: h^2 / 2 each, whose forces cancel. */
Test(depth_force, small_cube_on_a_large_one)
{
    SCOPED_SHAPE a = shape_box((vec3){-2, -2, -4}, (vec3){2, 2, 0});
    SCOPED_SHAPE b = shape_cube(1);
    shape_tetrahedralise(&a);
    shape_tetrahedralise(&b);
    static const double depths[] = {1e-6, 0.01, 0.125, 0.3, 0.5};
    for (int i = 0; i < 5; i++) {
        const double h = depths[i];
        const geo_pose pose = shift(0.25, -0.125, 0.5 - h);
        const gt_depth_force f = query(&a, &b, pose, GT_DEPTH_OF_A);
        check("small cube", &f, h + 2 * h * h, (vec3){0, 0, h}, (vec3){0, 0, 0});
        const gt_depth_cells c = cells(&a, &b, pose, GT_DEPTH_OF_A);
        cr_assert(within(c.energy_m4, h * h / 2), "energy [%.17g, %.17g], not %.17g",
                  c.energy_m4.lo, c.energy_m4.hi, h * h / 2);
        check_vectors("small cube, cells", c.force_m3, (vec3){0, 0, h}, c.force_bound_m3);
        check_vectors("small cube, cells", c.torque_m4, (vec3){0, 0, 0}, c.torque_bound_m4);
        cr_assert_leq(c.force_bound_m3, 5e-3 * h);
    }
}

/** Half of a cube's bottom is beyond the edge of A, whose side is the nearest face there. */
Test(depth_force, off_centre)
{
    SCOPED_SHAPE a = shape_box((vec3){-8, -4, -8}, (vec3){0, 4, 0});
    SCOPED_SHAPE b = shape_cube(1);
    const double h = 1.0 / 64;
    const gt_depth_force f = query(&a, &b, shift(0, 0, 0.5 - h), GT_DEPTH_OF_A);
    const double bottom = h / 2 - h * h / 2; /* min(h, -x) */
    const double wall = h * h / 2;           /* at x = -1/2 */
    const double sides = h * h / 2 - h * h * h / 3;
    const double torque = h * (0.25 - h * h) / 2 + h * h * h / 3 - h * h / 4 + h * h * h / 6;
    check("off centre", &f, bottom + wall + sides, (vec3){wall, 0, bottom}, (vec3){0, torque, 0});
}

/** Deep inside a box the force is the volume times the gradient of the distance to the nearest
 * face; in the medial plane it is 0, where the integral is far from 0. */
Test(depth_force, deep_inside)
{
    SCOPED_SHAPE a = shape_cube(1), b = shape_cube(0.125);
    shape_tetrahedralise(&a);
    shape_tetrahedralise(&b);
    const double volume = 0x1p-9, side = 0x1p-6;
    const vec3 none = {0, 0, 0};
    gt_depth_force f = query(&a, &b, shift(0.25, 0.03125, 0), GT_DEPTH_OF_A);
    check("one face", &f, 6 * side * 0.25, (vec3){volume, 0, 0}, none);
    const gt_depth_cells c = cells(&a, &b, shift(0.25, 0.03125, 0), GT_DEPTH_OF_A);
    check_vectors("one face, cells", c.force_m3, (vec3){volume, 0, 0}, c.force_bound_m3);
    cr_assert(within(c.energy_m4, 0.25 * volume));
    cr_assert_leq(c.force_bound_m3, 4.1e-3 * volume);
    /* depths: 1/2 - |x| - ..., the same for all three axes */
    f = query(&a, &b, shift(0, 0, 0), GT_DEPTH_OF_A);
    check_vectors("medial", f.force_m3, none, f.force_bound_m3);
    cr_assert_gt(f.integral_m3.lo, 6 * side * 0.43);
    /* the surface of A is not inside B */
    f = query(&a, &b, shift(0.25, 0, 0), GT_DEPTH_OF_B);
    cr_assert(f.integral_m3.hi == 0 && f.force_bound_m3 == 0);
}

/** Returns the integral of the distance from 0 over a rectangle of the plane z = h, by the
 * midpoint rule on a grid. */
static double over_rectangle(double x0, double x1, double y0, double y1, double h)
{
    enum { GRID = 400 };
    const double dx = (x1 - x0) / GRID, dy = (y1 - y0) / GRID;
    double sum = 0;
    for (int i = 0; i < GRID * GRID; i++) {
        const double x = x0 + (i / GRID + 0.5) * dx, y = y0 + (i % GRID + 0.5) * dy;
        sum += sqrt(x * x + y * y + h * h);
    }
    return sum * dx * dy;
}

/** The only near surface is a tiny cavity, so the distance is that from a point, and the lower
 * bounds of pieces are nearly exact. */
Test(depth_force, near_a_point)
{
    shape a = {0}, b = shape_box((vec3){-0.5, -0.25, 0.25}, (vec3){0.5, 0.25, 0.75});
    shape_add_box(&a, (vec3){-8, -8, -8}, (vec3){8, 8, 8}, false);
    shape_add_box(&a, (vec3){-1e-6, -1e-6, -1e-6}, (vec3){1e-6, 1e-6, 1e-6}, true);
    shape_finish(&a);
    const gt_depth_force f = query(&a, &b, geo_pose_identity(), GT_DEPTH_OF_A);
    const double below = over_rectangle(-0.5, 0.5, -0.25, 0.25, 0.25);
    const double above = over_rectangle(-0.5, 0.5, -0.25, 0.25, 0.75);
    const double along_x = over_rectangle(-0.25, 0.25, 0.25, 0.75, 0.5);
    const double along_y = over_rectangle(-0.5, 0.5, 0.25, 0.75, 0.25);
    const double integral = below + above + 2 * along_x + 2 * along_y;
    check("near a point", &f, integral, (vec3){0, 0, below - above}, (vec3){0, 0, 0});
    if (sweep_step(2) > 1) { /* the cells near the point take seconds: make check-all */
        shape_release(&a);
        shape_release(&b);
        return;
    }
    shape_tetrahedralise(&a);
    shape_tetrahedralise(&b);
    const gt_depth_cells c = cells(&a, &b, geo_pose_identity(), GT_DEPTH_OF_A);
    check_vectors("near a point, cells", c.force_m3, (vec3){0, 0, below - above}, c.force_bound_m3);
    double energy = 0;
    enum { SLICES = 40 };
    for (int i = 0; i < SLICES; i++) {
        const double z = 0.25 + 0.5 * (i + 0.5) / SLICES;
        energy += over_rectangle(-0.5, 0.5, -0.25, 0.25, z) * 0.5 / SLICES;
    }
    cr_assert(c.energy_m4.lo <= energy + 1e-6 && energy <= c.energy_m4.hi + 1e-6,
              "energy [%.9g, %.9g], not %.9g", c.energy_m4.lo, c.energy_m4.hi, energy);
    shape_release(&a);
    shape_release(&b);
}

/* --- Theoretical properties ------------------------------------------------------------------- */

/** A torus and a ball at a pose where they overlap. */
typedef struct pair {
    shape a, b;
} pair;

static pair make_pair(double scale, const geo_pose *move_b)
{
    pair p = {0};
    shape_add_torus(&p.a, 16, 10, 1, 0.375);
    shape_add_ball(&p.b, 12, 8, 0.5);
    shape_scale(&p.a, scale);
    shape_scale(&p.b, scale);
    if (move_b) {
        shape_move(&p.b, move_b);
    }
    shape_finish(&p.a);
    shape_finish(&p.b);
    return p;
}

static void release_pair(pair *p)
{
    shape_release(&p->a);
    shape_release(&p->b);
}

#define SCOPED_BODY_PAIR RELEASED_BY(release_pair) pair

static const geo_pose generic = {{{{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}}},
                                 {0.9, 0.4, 0.2}};

/** Forces scale with the third power of the size, torques with the fourth. */
Test(depth_force, scale)
{
    pair one = make_pair(1, NULL), eight = make_pair(8, NULL);
    for (int role = 0; role < 2; role++) {
        geo_pose pose = generic;
        const gt_depth_force f = query(&one.a, &one.b, pose, (gt_depth_role)role);
        pose.translation = vec3_scale(8, pose.translation);
        gt_depth_force g = query(&eight.a, &eight.b, pose, (gt_depth_role)role);
        cr_assert_gt(f.integral_m3.lo, 0);
        g.force_m3 = vec3_scale(1.0 / 512, g.force_m3);
        g.torque_m4 = vec3_scale(1.0 / 4096, g.torque_m4);
        check_vectors("scale", g.force_m3, f.force_m3, 1e-12);
        check_vectors("scale", g.torque_m4, f.torque_m4, 1e-12);
    }
    release_pair(&one);
    release_pair(&eight);
}

/** Depths in B over A's surface for the pair (A, B) equal depths in A over B's surface for the
 * pair (B, A); the reaction is minus the action, in the frame of the other body. */
Test(depth_force, exchange)
{
    SCOPED_BODY_PAIR p = make_pair(1, NULL);
    const geo_pose inverse = geo_pose_inverse(&generic);
    const gt_depth_force f = query(&p.a, &p.b, generic, GT_DEPTH_OF_B);
    gt_depth_force g = query(&p.b, &p.a, inverse, GT_DEPTH_OF_A);
    /* g acts on A about A's centroid, in B's frame */
    const vec3 of_a = p.a.report.measure.centroid;
    const vec3 arm = vec3_sub(of_a, geo_pose_apply(&generic, p.b.report.measure.centroid));
    g.force_m3 = vec3_scale(-1, geo_pose_rotate(&generic, g.force_m3));
    g.torque_m4 = vec3_add(vec3_scale(-1, geo_pose_rotate(&generic, g.torque_m4)),
                           vec3_cross(arm, g.force_m3));
    g.torque_bound_m4 += vec3_norm(arm) * g.force_bound_m3;
    check_same("exchange", &f, &g, geo_pose_identity().rotation);
}

/** If both bodies are rotated and shifted together, the force rotates with them. */
Test(depth_force, moving_both)
{
    SCOPED_BODY_PAIR p = make_pair(1, NULL);
    const geo_pose turn = geo_pose_make((geo_quat){0.1, -0.4, 0.3, 0.8}, (vec3){0.3, -0.2, 0.7});
    SCOPED_BODY_PAIR q = {0};
    shape_add_torus(&q.a, 16, 10, 1, 0.375);
    shape_add_ball(&q.b, 12, 8, 0.5);
    shape_move(&q.a, &turn);
    shape_finish(&q.a);
    shape_finish(&q.b);
    const geo_pose moved = geo_pose_compose(&turn, &generic);
    for (int role = 0; role < 2; role++) {
        const gt_depth_force f = query(&q.a, &q.b, moved, (gt_depth_role)role);
        const gt_depth_force g = query(&p.a, &p.b, generic, (gt_depth_role)role);
        check_same("moving both", &f, &g, turn.rotation);
    }
}

/** B is far from its own origin: the same bodies at the same places. */
Test(depth_force, far_from_the_origin)
{
    const geo_pose away = shift(0x1p20, -0x1p20, 0x1p19);
    pair p = make_pair(1, NULL), q = make_pair(1, &away);
    geo_pose pose = generic;
    pose.translation = vec3_sub(pose.translation, geo_pose_rotate(&pose, away.translation));
    for (int role = 0; role < 2; role++) {
        const gt_depth_force f = query(&q.a, &q.b, pose, (gt_depth_role)role);
        const gt_depth_force g = query(&p.a, &p.b, generic, (gt_depth_role)role);
        check_same("far", &f, &g, geo_pose_identity().rotation);
        cr_assert_leq(f.force_bound_m3, 1e-3 * f.integral_m3.hi);
    }
    release_pair(&p);
    release_pair(&q);
}

/** An overlap smaller than the rounding error of corners in B's frame: a cube of edge h. Its
 * pieces have no area there, but they have a force, which the bounds must cover. */
Test(depth_force, smaller_than_rounding)
{
    const double h = 0x1p-20, off = 0x1p40;
    SCOPED_SHAPE a = shape_box((vec3){-1, -1, -1}, (vec3){1 + h, 1 + h, 1 + h});
    SCOPED_SHAPE b =
        shape_box((vec3){off + 1, off + 1, off + 1}, (vec3){off + 2, off + 2, off + 2});
    const gt_depth_force f = query(&a, &b, shift(-off, -off, -off), GT_DEPTH_OF_B);
    const double force = h * h * h / 3; /* the mean of min(y, z) over a square is h / 3 */
    check_vectors("corner", f.force_m3, (vec3){force, force, force}, f.force_bound_m3);
    cr_assert(within(f.integral_m3, 3 * force), "[%g, %g]", f.integral_m3.lo, f.integral_m3.hi);
}

/** The force is minus the gradient of the energy: compares E at two places and the mean force
 * between them. */
Test(depth_force, gradient_of_the_energy)
{
    SCOPED_SHAPE a = shape_cube(1), b = shape_cube(0.5);
    shape_tetrahedralise(&a);
    shape_tetrahedralise(&b);
    const double step = 1.0 / 32;
    for (int axis = 0; axis < 3; axis++) {
        geo_pose at[3] = {generic, generic, generic};
        const vec3 way = {axis == 0, axis == 1, axis == 2};
        for (int i = 0; i < 3; i++) {
            at[i].translation = vec3_madd((vec3){0.5, 0.1, 0.2}, step * (i - 1), way);
        }
        for (int role = 0; role < 2; role++) {
            const gt_depth_cells before = cells(&a, &b, at[0], (gt_depth_role)role);
            const gt_depth_cells after = cells(&a, &b, at[2], (gt_depth_role)role);
            double mean = 0, bound = 0;
            for (int i = 0; i < 3; i++) { /* Simpson's rule */
                const gt_depth_force f = query(&a, &b, at[i], (gt_depth_role)role);
                mean += (i == 1 ? 4 : 1) * vec3_dot(f.force_m3, way) / 6;
                bound += (i == 1 ? 4 : 1) * f.force_bound_m3 / 6;
            }
            const double lo = (before.energy_m4.lo - after.energy_m4.hi) / (2 * step);
            const double hi = (before.energy_m4.hi - after.energy_m4.lo) / (2 * step);
            cr_assert(mean + bound + 1e-5 >= lo && mean - bound - 1e-5 <= hi,
                      "axis %d role %d: [%g, %g], force %g +- %g", axis, role, lo, hi, mean, bound);
            cr_assert_leq(hi - lo, 2e-3);
        }
    }
}

/* --- Comparison with sampling ----------------------------------------------------------------- */

/** Random polyhedra: a sum over the points of B's faces inside A, which are found by rays, with
 * distances to all faces. The sampling error is bounded by that of a grid. */
Test(depth_force, sampling)
{
    base_random random = base_random_seed(77);
    int overlapping = 0;
    for (int i = 0; i < 12; i++) {
        SCOPED_BODY_PAIR p = make_pair(1, NULL);
        const geo_pose pose = random_pose(&random, 1.1);
        const gt_depth_force f = query(&p.a, &p.b, pose, GT_DEPTH_OF_A);
        vec3 force = {0, 0, 0};
        double integral = 0, area = 0;
        enum { GRID = 12 };
        for (size_t face = 0; face < p.b.mesh.face_count; face++) {
            const geo_triangle t =
                geo_pose_apply_triangle(&pose, geo_mesh_triangle(&p.b.mesh, face));
            const vec3 u = vec3_sub(t.p[1], t.p[0]), v = vec3_sub(t.p[2], t.p[0]);
            const vec3 part = vec3_scale(0.5 / (GRID * GRID), vec3_cross(u, v));
            for (int k = 0; k < GRID * GRID; k++) { /* middles of equal triangles */
                const int row = k / GRID, column = k % GRID;
                const bool up = row + column < GRID;
                const double x = up ? row + 1.0 / 3 : GRID - row - 1.0 / 3;
                const double y = up ? column + 1.0 / 3 : GRID - column - 1.0 / 3;
                const vec3 at = vec3_madd(vec3_madd(t.p[0], x / GRID, u), y / GRID, v);
                if (geo_surface_contains(&p.a.body->shell.surface, at)) {
                    const double d = sqrt(
                        geo_surface_closest(&p.a.body->shell.surface, at, UINT32_MAX).distance2);
                    integral += d * vec3_norm(part);
                    force = vec3_madd(force, -d, part);
                    area += vec3_norm(part);
                }
            }
        }
        overlapping += area > 0.05;
        const double rough = 2e-3 * (area + 0.05);
        cr_assert(fabs(integral - 0.5 * (f.integral_m3.lo + f.integral_m3.hi)) <=
                      rough + f.force_bound_m3,
                  "pair %d: integral %g, not [%g, %g]", i, integral, f.integral_m3.lo,
                  f.integral_m3.hi);
        check_vectors("sampled", f.force_m3, force, rough + f.force_bound_m3);
    }
    cr_assert_geq(overlapping, 4);
}

/* --- The two methods, and invalid inputs ------------------------------------------------------ */

/**
 * The brackets of both methods contain the truth, so their vectors differ by at most their bounds.
 */
Test(depth_force, two_ways)
{
    base_random random = base_random_seed(5);
    SCOPED_SHAPE a = shape_cube(1),
                 b = shape_box((vec3){-0.5, -0.25, -0.01}, (vec3){0.5, 0.25, 0.01});
    shape_tetrahedralise(&a);
    shape_tetrahedralise(&b);
    int tried = 0, certified = 0;
    for (size_t i = 0; i < 6; i++) {
        const geo_pose pose = random_pose(&random, 0.5);
        if (i % sweep_step(3) != 0) {
            continue;
        }
        tried++;
        gt_truth truth;
        const gt_options options = {.threads = 1, .methods = GT_BY_DEPTH_FORCE};
        assert_ok(gt_trajectory_truth(a.body, b.body, &pose, 1,
                                      GT_WANT_DEPTH_FORCE | GT_WANT_DEPTH_FORCE_EXCHANGED, &options,
                                      &truth, ERR));
        const gt_depth_law *const laws[2] = {&truth.depth_force, &truth.depth_force_exchanged};
        for (int role = 0; role < 2; role++) {
            const gt_depth_cells c = cells(&a, &b, pose, (gt_depth_role)role);
            const gt_depth_law *const law = laws[role];
            cr_assert(law->certified > 0);
            check_vectors("two ways", law->force_m3, c.force_m3,
                          law->force_bound_m3 + c.force_bound_m3);
            check_vectors("two ways", law->torque_m4, c.torque_m4,
                          law->torque_bound_m4 + c.torque_bound_m4);
            cr_assert(memcmp(&law->energy_m4, &c.energy_m4, sizeof c.energy_m4) == 0);
            certified += law->certified == 2;
        }
    }
    cr_assert_geq(certified, tried);
}

/** A second bound confirms the first one if it is at most ten times as large. */
Test(depth_force, wide_bounds_confirm_nothing)
{
    for (int wide = 0; wide < 2; wide++) {
        gt_answer answers[GT_METHOD_COUNT] = {0};
        const unsigned both = GT_BY_DEPTH_SURFACE | GT_BY_DEPTH_CELLS;
        const double bound = wide ? 1.1e-2 : 0.9e-2;
        answers[GT_DEPTH_SURFACE] = (gt_answer){10, 1, {1.999, 2, 1, 0, 0, 0, 0, 0, 1e-3, 1e-3}};
        answers[GT_DEPTH_CELLS] = (gt_answer){10, 1, {3, 4, 1, 0, 0, 0, 0, 0, bound, bound}};
        gt_truth truth;
        gt_certify(GT_WANT_DEPTH_FORCE, both, answers, &truth);
        cr_assert_eq(truth.depth_force.certified, wide ? 1 : 2);
        cr_assert_eq(truth.doubt[GT_DEPTH_FORCE].kind, GT_DOUBT_NONE);
        answers[GT_DEPTH_CELLS].values[2] = 1.1;
        gt_certify(GT_WANT_DEPTH_FORCE, both, answers, &truth);
        cr_assert_eq(truth.depth_force.certified, 0);
        cr_assert_eq(truth.doubt[GT_DEPTH_FORCE].kind, GT_DOUBT_DISAGREE);
    }
}

/**
 * Faces that touch, and bodies that coincide: there is no depth, so there is no force, from any
 * side.
 */
Test(depth_force, kinks)
{
    SCOPED_SHAPE a = shape_cube(1), b = shape_cube(1);
    const gt_depth_force touching = query(&a, &b, shift(0, 0, 1), GT_DEPTH_OF_A);
    cr_assert_leq(vec3_norm(touching.force_m3) + touching.force_bound_m3, 1e-14);
    const gt_depth_force same = query(&a, &b, shift(0, 0, 0), GT_DEPTH_OF_A);
    cr_assert_leq(vec3_norm(same.force_m3) + same.force_bound_m3, 1e-11);
    /* coplanar sides, rotated so that doubles cannot tell which is inside: a slab of 1 x 1 x h */
    const geo_pose turn = geo_pose_make((geo_quat){0.1, -0.4, 0.3, 0.8}, (vec3){0, 0, 0});
    SCOPED_SHAPE c = {0};
    shape_add_box(&c, (vec3){-0.5, -0.5, -0.5}, (vec3){0.5, 0.5, 0.5}, false);
    shape_move(&c, &turn);
    shape_finish(&c);
    const double h = 0.0625;
    const geo_pose pressed = {turn.rotation, geo_pose_rotate(&turn, (vec3){0, 0, 1 - h})};
    const gt_depth_force f = query(&c, &b, pressed, GT_DEPTH_OF_A);
    /* min(h, the distances from four sides) over the unit square: a frustum */
    const double s = 1 - 2 * h, frustum = h * (1 + s + s * s) / 3;
    check_vectors("pressed", f.force_m3, geo_pose_rotate(&turn, (vec3){0, 0, frustum}),
                  f.force_bound_m3 + 1e-12);
    cr_assert(f.complete && f.force_bound_m3 <= 1e-3 * frustum, "bound %g", f.force_bound_m3);
}

/** The certificate of a frame and its closed form: axis-aligned boxes at scale 1, tiny ones, and
 * bodies 1000 sizes from their origins; thin plates; a body inside the other one. */
Test(depth_force, certificates)
{
    static const struct {
        const char *what;
        double scale, off;  /* distance of both bodies from their origins, in sizes */
        double low, high;   /* B's extent in z; B is half as wide as A's side */
        double force, area; /* per scale^3; area of B's walls in A times the mean depth */
    } cases[] = {
        {"aligned", 1, 0, -0.25, 0.75, 0.25, 0.125}, {"tiny", 1e-6, 0, -0.25, 0.75, 0.25, 0.125},
        {"far", 1, 1000, -0.25, 0.75, 0.25, 0.125},  {"both", 1e-6, 1000, -0.25, 0.75, 0.25, 0.125},
        {"thin", 1, 0, -1e-6, 1, 1e-6, 2e-12},       {"nested", 1, 0, -0.5, -0.25, 0.25, 0.375},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double size = cases[i].scale, off = cases[i].off * size;
        const vec3 move = {off, -off, off};
        SCOPED_SHAPE a = shape_box(vec3_add(move, vec3_scale(size, (vec3){-8, -8, -16})),
                                   vec3_add(move, vec3_scale(size, (vec3){8, 8, 0})));
        SCOPED_SHAPE b =
            shape_box(vec3_add(move, vec3_scale(size, (vec3){-0.5, -0.5, cases[i].low})),
                      vec3_add(move, vec3_scale(size, (vec3){0.5, 0.5, cases[i].high})));
        const geo_pose pose = geo_pose_identity();
        const gt_options options = {.threads = 1, .methods = GT_BY_DEPTH_SURFACE};
        gt_truth truth;
        assert_ok(gt_trajectory_truth(a.body, b.body, &pose, 1, GT_WANT_DEPTH_FORCE, &options,
                                      &truth, ERR));
        const gt_depth_law *const law = &truth.depth_force;
        cr_assert_eq(law->certified, 1, "%s: %s", cases[i].what,
                     gt_doubt_format(&truth, GT_DEPTH_FORCE).text);
        cr_assert_eq(truth.doubt[GT_DEPTH_FORCE].kind, GT_DOUBT_NONE);
        const double volume = size * size * size;
        const vec3 force = {0, 0, cases[i].force * volume};
        check_vectors(cases[i].what, law->force_m3, force, law->force_bound_m3);
        check_vectors(cases[i].what, law->torque_m4, (vec3){0, 0, 0}, law->torque_bound_m4);
        const double tops = cases[i].what[0] == 'n' ? 0.5 + 0.25 : -cases[i].low;
        cr_assert(within(law->integral_m3, (tops + cases[i].area) * volume), "%s: [%g, %g]",
                  cases[i].what, law->integral_m3.lo, law->integral_m3.hi);
        cr_assert_leq(law->force_bound_m3, 1e-3 * law->integral_m3.hi, "%s", cases[i].what);
    }
}

/** An open mesh has no inside. */
Test(depth_force, open_meshes)
{
    SCOPED_SHAPE a = shape_cube(1), b = {0};
    shape_add_box(&b, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, false);
    b.parts.face_count--;
    shape_finish(&b);
    gt_truth truth;
    base_error err = {0};
    const geo_pose pose = shift(0, 0, 1);
    cr_assert_eq(
        gt_trajectory_truth(a.body, b.body, &pose, 1, GT_WANT_DEPTH_FORCE, NULL, &truth, &err),
        BASE_ERR_INPUT);
    cr_assert_not_null(strstr(err.text, "body B is not a solid"), "%s", err.text);
}
