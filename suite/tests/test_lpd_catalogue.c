/**
 * lpd on the catalogue of degenerate contact (scenarios/experiments/degenerate.cfg): whatever touches, is coplanar, identical,
 * flat, far or tiny, each way of chaining and of measuring answers contact as all pairs of triangles decide it, and
 * a depth, a force, regions and contacts without a fault, the same with buffers and without. On bodies that turn, exact
 * depths are those of the truth inside of the windows that are told.
 */
#include "base/elementary.h"
#include "groundtruth/depth/window.h"
#include "suite/inputs/experiment.h"
#include "suite/inputs/prepared.h"
#include "suite/replay/solo.h"
#include "suite/results/judge.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *const variants[] = {
    "lpd",
    "lpd:chain=adjacency,pixels=0",
    "lpd:chain=naive,coherence=last,ends=both,merge-factor=10,pixels=8",
    "lpd:cells=27,k=1,merge=models,merge-factor=0,pixels=32",
    "lpd-exact:chain=adjacency",
    "lpd-exact:coherence=last",
    "lpd-refine",
    "lpd-refine:objective=pattern,steps=20",
};

enum {
    VARIANTS = sizeof variants / sizeof *variants,
    WANTED = ALG_WANT_CONTACT | ALG_WANT_DEPTH | ALG_WANT_FORCE,
};

static void open_solo(const char *name, const bench_pair *pair, unsigned wanted,
                      alg_variant *variant, bench_solo *solo)
{
    alg_message message = {""};
    base_error err = {0};
    const bool lists = wanted == WANTED;
    const alg_request request = {.size = sizeof request,
                                 .wanted = wanted,
                                 .contacts_max = lists ? BENCH_CONTACTS_MAX : 0,
                                 .regions_max = lists ? BENCH_REGIONS_MAX : 0,
                                 .stages = lists};
    cr_assert_eq(alg_variant_parse(name, 1, variant, &message), ALG_OK, "%s", message.text);
    cr_assert_eq(bench_solo_open(variant, pair, &request, NULL, solo, &err), BASE_OK, "%s: %s",
                 name, err.text);
}

/** Returns whether there are regions. */
static bool check_frame(const char *where, size_t frame, const bench_solo *solo,
                        const bench_solo *pairs, const geo_pose *pose)
{
    alg_answer known, answer, plain;
    char fault[BENCH_FAULT_BYTES];
    const alg_variant *const v = solo->variant;
    bench_solo_ask(pairs, pose, &known);
    cr_assert(bench_solo_ask_details(solo, pose, &answer, fault), "%s, frame %zu: %s: %s", where,
              frame, v->name, fault);
    const char *const wrong = bench_answer_fault(v, WANTED, &answer);
    cr_assert_null(wrong, "%s, frame %zu: %s: %s", where, frame, v->name, wrong);
    cr_assert_eq(answer.colliding, known.colliding, "%s, frame %zu: %s", where, frame, v->name);
    cr_assert(answer.depth_m >= 0 && (answer.colliding || answer.depth_m == 0),
              "%s, frame %zu: %s: %g m", where, frame, v->name, answer.depth_m);
    if (v->algorithm->reset) {
        v->algorithm->reset(solo->state);
    }
    bench_solo_ask(solo, pose, &plain);
    v->algorithm->reset(solo->state);
    bench_solo_ask_details(solo, pose, &answer, fault);
    cr_assert(plain.depth_m == answer.depth_m && vec3_equal(plain.direction, answer.direction) &&
                  vec3_equal(plain.force, answer.force) && vec3_equal(plain.torque, answer.torque),
              "%s, frame %zu: %s: a buffer changes the answer", where, frame, v->name);
    cr_assert_eq(memcmp(plain.counters, answer.counters, sizeof plain.counters), 0,
                 "%s, frame %zu: %s", where, frame, v->name);
    return answer.region_count > 0;
}

/** Returns how many frames have regions, over all variants. */
static size_t check_scenario(const scn_scenario *scenario)
{
    base_error err = {0};
    bench_pair pair;
    scn_trajectory trajectory;
    alg_variant variant, exact;
    bench_solo solo, pairs;
    size_t count = 0;
    cr_assert_eq(bench_pair_open(scenario->a, scenario->b, &pair, &err), BASE_OK, "%s", err.text);
    cr_assert_eq(bench_pair_trajectory(&pair, &scenario->motion, NULL, true, &trajectory, &err),
                 BASE_OK, "%s", err.text);
    open_solo("exact-pairs", &pair, ALG_WANT_CONTACT, &exact, &pairs);
    for (size_t i = 0; i < VARIANTS; i++) {
        open_solo(variants[i], &pair, WANTED, &variant, &solo);
        for (size_t f = 0; f < trajectory.frame_count; f++) {
            const scn_frame *const frame = &trajectory.frames[f];
            const geo_pose pose = bench_pair_pose(&pair, frame->position, frame->orientation);
            count += check_frame(scenario->name, f, &solo, &pairs, &pose);
        }
        bench_solo_close(&solo);
    }
    bench_solo_close(&pairs);
    scn_trajectory_release(&trajectory);
    bench_pair_close(&pair);
    return count;
}

/** Scenarios that differ in what is asked alone, NAME/distance and NAME/volume, have the same bodies and frames. */
static bool is_first(const scn_experiment *e, size_t i)
{
    const char *const name = e->scenarios[i].name, *const slash = strrchr(name, '/');
    const size_t stem = slash ? (size_t)(slash - name) + 1 : strlen(name);
    return i == 0 || strncmp(name, e->scenarios[i - 1].name, stem) != 0;
}

Test(lpd_catalogue, answers_everything)
{
    scn_experiment e;
    base_error err = {0};
    size_t scenarios = 0, count = 0;
    cr_assert_eq(bench_experiment_open("scenarios/experiments/degenerate.cfg", &e, &err), BASE_OK,
                 "%s", err.text);
    for (size_t i = 0; i < e.scenario_count; i++) {
        if (is_first(&e, i)) {
            count += check_scenario(&e.scenarios[i]);
            scenarios++;
        }
    }
    cr_assert(scenarios > 20 && count > 200, "%zu scenarios, %zu frames", scenarios, count);
    scn_experiment_release(&e);
}

/* --- Exact depths ------------------------------------------------------------------------------ */

/** Each region's depth is what its window needs, which is a bracket. */
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
        base_error err = {0};
        cr_assert_eq(
            gt_window_query(pair->a.truth, pair->b.truth, pose, &window, r->depth_m, &truth, &err),
            BASE_OK, "%s", err.text);
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
        {"torus:triangles=500",      "torus:triangles=300"          },
        {"quadruped:triangles=5000", "coral:triangles=5000"         },
        {"bolt:triangles=3500",      "box"                          },
        {"box:scale=2",              "quadruped-open:triangles=5000"},
    };
    static const char *const names[] = {"lpd-exact", "lpd-exact:closing=off,window=curve",
                                        "lpd-refine"};
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
        base_error err = {0};
        bench_pair pair;
        size_t regions = 0;
        cr_assert_eq(bench_pair_open(bodies[k][0], bodies[k][1], &pair, &err), BASE_OK, "%s",
                     err.text);
        for (size_t v = 0; v < sizeof names / sizeof *names; v++) {
            alg_variant variant;
            bench_solo solo;
            open_solo(names[v], &pair, WANTED, &variant, &solo);
            for (size_t f = 0; f < 24; f++) {
                const double angle = 0.37 * (double)f, x = 0.012 + 0.0025 * (double)f;
                const geo_pose pose = bench_pair_pose(
                    &pair, vec3_make(x * base_cos(angle), x * base_sin(angle), 0.01),
                    (geo_quat){0, base_sin(angle), 0, base_cos(angle)});
                check_depths(&pair, &solo, &pose, f, &regions);
            }
            bench_solo_close(&solo);
        }
        bench_pair_close(&pair);
        cr_assert_gt(regions, 40, "%s and %s: %zu regions", bodies[k][0], bodies[k][1], regions);
    }
}
