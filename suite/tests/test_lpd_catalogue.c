/** lpd on small bodies of the catalogue of degenerate contact; exact depths of rotated bodies. */
#include "base/tests/support.h"
#include "suite/tests/lpd_catalogue.h"

#include "base/elementary.h"
#include "groundtruth/depth/window.h"

Test(lpd_catalogue, answers_small_bodies)
{
    check_catalogue((extent){.frames = 2, .faces = 64});
}

/* --- Exact depths ----------------------------------------------------------------------------- */

/**
 * Checks that each region's depth is the depth needed in its window, which is known as a bracket.
 */
static void check_depths(const bench_pair *pair, const bench_solo *solo, const geo_pose *pose,
                         size_t frame, size_t *regions)
{
    alg_answer answer;
    char fault[BENCH_FAULT_BYTES];
    cr_assert(bench_solo_ask_details(solo, pose, &answer, fault), "frame %zu: %s", frame, fault);
    for (uint32_t i = 0; i < answer.region_count; i++) {
        const alg_region *const r = &bench_buffer_regions(&solo->buffers)[i];
        if (!bench_has_window(r)) {
            continue;
        }
        const gt_window window = {r->point,    r->side_u,   r->side_v,
                                  r->half_u_m, r->half_v_m, r->direction};
        gt_window_truth truth;
        assert_ok(
            gt_window_query(pair->a.truth, pair->b.truth, pose, &window, r->depth_m, &truth, ERR));
        const double slack = 1e-9 * (r->half_u_m + r->half_v_m);
        cr_assert(r->depth_m >= truth.needed_m.lo - slack &&
                      r->depth_m <= truth.needed_m.hi + slack,
                  "%s, frame %zu, region %u: %.17g m, not in [%.17g, %.17g]", solo->variant->name,
                  frame, i, r->depth_m, truth.needed_m.lo, truth.needed_m.hi);
        ++*regions;
    }
}

Test(lpd_catalogue, exact_depths_are_those_of_the_truth_in_their_windows)
{
    static const char *const bodies[][2] = {
        {"torus:triangles=500", "torus:triangles=300"},
        {"quadruped:triangles=5000", "coral:triangles=5000"},
        {"bolt:triangles=3500", "box"},
        {"box:scale=2", "quadruped-open:triangles=5000"},
    };
    static const char *const names[] = {"lpd-exact", "lpd-exact:closing=off,window=curve",
                                        "lpd-refine"};
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
        bench_pair pair;
        size_t regions = 0;
        assert_ok(bench_pair_open(bodies[k][0], bodies[k][1], &pair, ERR));
        for (size_t v = 0; v < sizeof names / sizeof *names; v++) {
            alg_variant variant;
            SCOPED_SOLO solo;
            open_solo(names[v], &pair, WANTED, &variant, &solo);
            for (size_t f = 0; f < 24; f += sweep_step(5)) {
                const double angle = 0.37 * (double)f, x = 0.012 + 0.0025 * (double)f;
                const geo_pose pose = bench_pair_pose(
                    &pair, vec3_make(x * base_cos(angle), x * base_sin(angle), 0.01),
                    (geo_quat){0, base_sin(angle), 0, base_cos(angle)});
                check_depths(&pair, &solo, &pose, f, &regions);
            }
        }
        bench_pair_close(&pair);
        cr_assert_gt(regions, 40 / sweep_step(5), "%s and %s: %zu regions", bodies[k][0],
                     bodies[k][1], regions);
    }
}

/* --- Gradients -------------------------------------------------------------------------------- */

/** Force and torque computed from the curves equal those of the clipped faces. */
Test(lpd_catalogue, areas_are_the_gradient_of_the_exact_volume)
{
    static const char *const bodies[][2] = {
        {"torus:triangles=500", "torus:triangles=300"},
        {"quadruped:triangles=5000", "coral:triangles=5000"},
        {"bolt:triangles=3500", "box"},
        {"nested", "cube:triangles=48"},
    };
    bench_truth_entries_register();
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
        SCOPED_BENCH_PAIR pair;
        assert_ok(bench_pair_open(bodies[k][0], bodies[k][1], &pair, ERR));
        alg_variant variants[2];
        bench_solo solos[2];
        open_solo("lpd-area", &pair, ALG_WANT_FORCE, &variants[0], &solos[0]);
        open_solo("exact-volume", &pair, ALG_WANT_FORCE, &variants[1], &solos[1]);
        const vec3 side = vec3_sub(pair.a.view.box.hi, pair.a.view.box.lo);
        const double size = vec3_norm(side);
        int pushed = 0;
        for (size_t f = 0; f < 40; f += sweep_step(3)) {
            const double angle = 0.37 * (double)f, x = 0.012 + 0.0015 * (double)f;
            const geo_pose pose = bench_pair_pose(
                &pair, vec3_make(x * base_cos(angle), 0.0007 + x * base_sin(angle), 0.0113),
                (geo_quat){0, base_sin(angle), 0, base_cos(angle)});
            alg_answer a[2];
            char fault[BENCH_FAULT_BYTES];
            for (int i = 0; i < 2; i++) {
                cr_assert(bench_solo_ask_details(&solos[i], &pose, &a[i], fault), "%s", fault);
            }
            cr_assert(vec3_distance(a[0].force, a[1].force) < 1e-12 * size * size,
                      "%s, frame %zu: (%g, %g, %g), not (%g, %g, %g)", bodies[k][0], f,
                      a[0].force.x, a[0].force.y, a[0].force.z, a[1].force.x, a[1].force.y,
                      a[1].force.z);
            cr_assert(vec3_distance(a[0].torque, a[1].torque) < 1e-12 * size * size * size,
                      "%s, frame %zu: torque", bodies[k][0], f);
            pushed += vec3_norm(a[0].force) > 1e-6 * size * size;
        }
        cr_assert_gt(pushed, 5, "%s: %d", bodies[k][0], pushed);
        bench_solo_close(&solos[0]);
        bench_solo_close(&solos[1]);
    }
}
