/** Refined directions: never worse than their start, and correct where the best one is known. */
#include "algorithms/lpd/exact.h"
#include "algorithms/lpd/tests/drawing.h"
#include "algorithms/lpd/tests/windows.h"
#include "base/tests/sweep.h"
#include "geometry/tree.h"

static const vec3 UP = {0, 0, 1};

/* --- One group of all segments ---------------------------------------------------------------- */

enum { ROOM = 4096 };

static bool draw(void *context, uint32_t face_a, uint32_t face_b, const geo_common *common)
{
    (void)face_a, (void)face_b;
    drawing *const d = context;
    drawing_link(d, common->from, common->to, false);
    return true;
}

/** Makes one curve of all segments that two bodies share. */
static drawing curve_of(const bodies *s, const geo_pose *pose)
{
    drawing d = drawing_begin(ROOM);
    geo_tree_intersections(&s->pair.a->tree, &s->pair.b->tree, pose, true, draw, &d, NULL);
    drawing_finish(&d, false);
    drawing_merge(&d, 0);
    return d;
}

static alg_lpd_box along(const drawing *d, vec3 n)
{
    return alg_lpd_box_along(&d->segments, &d->curves, &d->groups, d->groups.items,
                             vec3_normalize(n));
}

static alg_lpd_way refine(bodies *s, const geo_pose *pose, const drawing *d,
                          alg_lpd_objective objective, uint32_t steps, alg_lpd_box *box)
{
    return alg_lpd_depth_refined(&s->pair, pose, &d->segments, &d->curves, &d->groups,
                                 d->groups.items, objective, steps, box, s->column, NULL);
}

/* --- Known directions ------------------------------------------------------------------------- */

/** A box pressed into the plate z <= 0, or the plate into it: the plate's normal is the way out
 * from any start. */
Test(refine, a_box_pressed_askew_into_a_plate)
{
    base_random random = base_random_seed(1);
    geo_mesh plate = shape_box((vec3){-3, -3, -1}, (vec3){3, 3, 0});
    geo_mesh box = shape_box((vec3){-0.5, -0.4, -0.3}, (vec3){0.5, 0.4, 0.3});
    for (int trial = 0; trial < 100; trial += (int)sweep_step(5)) {
        geo_pose pose = shape_pose(&random, 0);
        double low = 0;
        for (size_t v = 0; v < box.vertex_count; v++) {
            low = fmin(low, geo_pose_apply(&pose, box.vertices[v]).z);
        }
        const double in = 0.05;
        pose.translation.z = -low - in;
        const vec3 begin = vec3_madd(UP, 0.8, geo_random_direction(&random));
        bodies s = open_bodies(&plate, &box);
        drawing d = curve_of(&s, &pose);
        alg_lpd_box window = along(&d, trial % 2 ? begin : vec3_scale(-1, begin));
        const alg_lpd_way way = refine(&s, &pose, &d, ALG_LPD_GRADIENT, 8, &window);
        cr_assert_float_eq(way.depth_m, in, 1e-6 * in, "%d: %.9g deep, not %.9g", trial,
                           way.depth_m, in);
        cr_assert(vec3_distance(way.direction, UP) < 1e-3, "%d: (%g, %g, %g)", trial,
                  way.direction.x, way.direction.y, way.direction.z);
        alg_lpd_box other = along(&d, begin);
        const alg_lpd_way ring = refine(&s, &pose, &d, ALG_LPD_PATTERN, 120, &other);
        cr_assert(ring.depth_m >= in * (1 - 1e-12) && ring.depth_m < in * 1.001,
                  "%d: %.9g deep by the pattern", trial, ring.depth_m);
        drawing_end(&d);
        close_bodies(&s);

        const geo_pose back = geo_pose_inverse(&pose);
        bodies turned = open_bodies(&box, &plate);
        drawing e = curve_of(&turned, &back);
        alg_lpd_box view = along(&e, geo_pose_rotate(&back, begin));
        const alg_lpd_way down = refine(&turned, &back, &e, ALG_LPD_GRADIENT, 8, &view);
        cr_assert_float_eq(down.depth_m, in, 1e-6 * in, "%d: the plate is %.9g deep", trial,
                           down.depth_m);
        drawing_end(&e);
        close_bodies(&turned);
    }
    geo_mesh_release(&plate);
    geo_mesh_release(&box);
}

/** Round bodies: the gradient is that of facets, but the depth is nearly that of the balls. */
Test(refine, a_lens_looked_at_askew)
{
    base_random random = base_random_seed(2);
    geo_mesh ball = shape_ball((vec3){0, 0, 0}, 1, 24);
    bodies s = open_bodies(&ball, &ball);
    for (int trial = 0; trial < 20; trial++) {
        const vec3 way = geo_random_direction(&random);
        geo_pose pose = shape_pose(&random, 0);
        pose.translation = vec3_scale(1.9, way);
        drawing d = curve_of(&s, &pose);
        const vec3 begin = vec3_madd(way, 0.5, geo_random_direction(&random));
        for (int objective = ALG_LPD_GRADIENT; objective <= ALG_LPD_PATTERN; objective++) {
            alg_lpd_box box = along(&d, begin);
            const alg_lpd_way first = alg_lpd_depth_exact(&s.pair, &pose, &box, s.column, NULL);
            const alg_lpd_way out = refine(&s, &pose, &d, objective, 40, &box);
            cr_assert(out.depth_m < 0.1 * 1.01 && out.depth_m <= first.depth_m,
                      "%d by %d: %g deep, %g at first", trial, objective, out.depth_m,
                      first.depth_m);
        }
        drawing_end(&d);
    }
    close_bodies(&s);
    geo_mesh_release(&ball);
}

/* --- Theories --------------------------------------------------------------------------------- */

/** More directions never increase the depth, and the result matches the returned box. */
Test(refine, never_longer_than_without)
{
    const int step = (int)sweep_step(3);
    base_random random = base_random_seed(3);
    int shorter[2] = {0, 0};
    double sum[2] = {0, 0}, all = 0;
    for (int trial = 0; trial < 200; trial += step) {
        scene sc = any_scene(&random, trial);
        bodies s = open_bodies(&sc.a, &sc.b);
        drawing d = curve_of(&s, &sc.pose);
        if (d.segments.count == 0) {
            drawing_end(&d);
            close_bodies(&s);
            end_scene(&sc);
            continue;
        }
        const alg_lpd_box begin = along(&d, geo_random_direction(&random));
        const alg_lpd_way exact = alg_lpd_depth_exact(&s.pair, &sc.pose, &begin, s.column, NULL);
        for (int objective = ALG_LPD_GRADIENT; objective <= ALG_LPD_PATTERN; objective++) {
            alg_lpd_height last = ask(&s, &sc.pose, &begin);
            const alg_lpd_box back = alg_lpd_box_turned(&begin);
            const alg_lpd_height down = ask(&s, &sc.pose, &back);
            last = alg_lpd_height_less(&down, &last) ? down : last;
            for (uint32_t steps = 0; steps < 20; steps += 1 + steps) {
                alg_lpd_box box = begin;
                const alg_lpd_way way = refine(&s, &sc.pose, &d, objective, steps, &box);
                cr_assert_float_eq(vec3_norm(way.direction), 1, 1e-12, "%d: not unit", trial);
                cr_assert(vec3_equal(way.direction, box.axis[2]), "%d: not the box's", trial);
                const alg_lpd_height h = ask(&s, &sc.pose, &box);
                cr_assert_eq(h.depth_m, way.depth_m, "%d: not the depth of the box", trial);
                cr_assert(!alg_lpd_height_less(&last, &h), "%d by %d: %g after %u, %g before",
                          trial, objective, h.depth_m, steps, last.depth_m);
                cr_assert(steps > 0 || (way.depth_m == exact.depth_m &&
                                        vec3_equal(way.direction, exact.direction)),
                          "%d: no step, but another way", trial);
                last = h;
            }
            shorter[objective] += last.depth_m < 0.9 * exact.depth_m;
            sum[objective] += exact.depth_m > 0 ? last.depth_m / exact.depth_m : 1;
        }
        all++;
        drawing_end(&d);
        close_bodies(&s);
        end_scene(&sc);
    }
    /* Turns that are too large are halved. */
    cr_assert(sum[0] < 0.82 * all && sum[1] < 0.82 * all, "of %g: %g and %g", all, sum[0], sum[1]);
    cr_assert(shorter[0] > 40 / step && shorter[1] > 40 / step, "%d and %d are shorter", shorter[0],
              shorter[1]);
}

/* --- Against the search without limits -------------------------------------------------------- */

static const double endless = INFINITY;

/** Tries one ring of the pattern from one side. *longer counts ways that lead out and are longer
 * than the best one, which does not. */
static alg_lpd_height plain_ring(bodies *s, const geo_pose *pose, const drawing *d,
                                 const alg_lpd_box *begin, int *longer)
{
    const double size = 0.36397023426620236, half_root_3 = 0.86602540378443865;
    const double across[6][2] = {{1, 0},  {0.5, half_root_3},   {-0.5, half_root_3},
                                 {-1, 0}, {-0.5, -half_root_3}, {0.5, -half_root_3}};
    alg_lpd_height best = alg_lpd_depth_along(&s->pair, pose, begin, endless, s->column, NULL);
    for (int k = 0; k < 6; k++) {
        const vec3 x = vec3_madd(begin->axis[2], size * across[k][0], begin->axis[0]);
        const alg_lpd_box box = along(d, vec3_madd(x, size * across[k][1], begin->axis[1]));
        const alg_lpd_height h =
            alg_lpd_depth_along(&s->pair, pose, &box, endless, s->column, NULL);
        if (alg_lpd_height_less(&h, &best)) {
            *longer += best.inside && h.depth_m > best.depth_m;
            best = h;
        }
    }
    return best;
}

/**
 * A way whose search stopped early because it is too long would not have been taken; a longer one
 * that leads out is taken. Faces of soups look anywhere, so that often neither of two directions
 * leads out.
 */
Test(refine, a_longer_way_that_leads_out_is_taken)
{
    base_random random = base_random_seed(8);
    int longer = 0, searches = 0;
    for (int trial = 0; trial < 2000; trial++) {
        geo_mesh soup_a = shape_soup(&random, 12, false), soup_b = shape_soup(&random, 12, false);
        bodies s = open_bodies(&soup_a, &soup_b);
        const geo_pose pose = shape_pose(&random, 0.6);
        drawing d = curve_of(&s, &pose);
        if (d.segments.count > 0) {
            alg_lpd_box view = along(&d, geo_random_direction(&random));
            const alg_lpd_box side[2] = {view, alg_lpd_box_turned(&view)};
            alg_lpd_height h[2];
            for (int k = 0; k < 2; k++) {
                h[k] = alg_lpd_depth_along(&s.pair, &pose, &side[k], endless, s.column, NULL);
            }
            const bool none_out = h[0].inside && h[1].inside;
            for (int k = 0; k < 2; k++) {
                if (!h[k].inside || none_out) {
                    h[k] = plain_ring(&s, &pose, &d, &side[k], &longer);
                }
            }
            const double best = h[alg_lpd_height_less(&h[1], &h[0])].depth_m;
            const alg_lpd_way way = refine(&s, &pose, &d, ALG_LPD_PATTERN, 6, &view);
            cr_assert_eq(way.depth_m, best, "trial %d: %.17g, not %.17g", trial, way.depth_m, best);
            searches++;
        }
        drawing_end(&d);
        close_bodies(&s);
        geo_mesh_release(&soup_a);
        geo_mesh_release(&soup_b);
    }
    cr_assert(searches > 100 && longer > 9, "%d searches, %d longer ways out", searches, longer);
}
