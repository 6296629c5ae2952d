/**
 * Tests lpd on the catalogue of degenerate contact (scenarios/experiments/degenerate.cfg). The
 * bodies touch, are coplanar, identical, flat, far, tiny or inside of each other. The contact of
 * each variant must agree with the exact triangle pairs and the common volume. Its depth, force,
 * regions and contacts must have no fault, and must be the same with buffers and without.
 */
#ifndef SUITE_TESTS_LPD_CATALOGUE_H
#define SUITE_TESTS_LPD_CATALOGUE_H

#include "base/memory.h"
#include "base/tests/support.h"
#include "suite/inputs/experiment.h"
#include "suite/inputs/prepared.h"
#include "suite/inputs/truth_entries.h"
#include "suite/replay/solo.h"
#include "suite/results/judge.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const char *const lpd_variants[] = {
    "lpd",
    "lpd:chain=adjacency,pixels=0",
    "lpd:chain=naive,coherence=last,ends=both,merge-factor=10,pixels=8",
    "lpd:cells=27,k=1,merge=models,merge-factor=0,pixels=32",
    "lpd-exact:chain=adjacency",
    "lpd-exact:coherence=last",
    "lpd-refine",
    "lpd-exact:drop=0.1,ends-equal=off,force=depth,move=0.001",
    "lpd-exact:regions=all",
    "lpd-refine:objective=pattern,steps=20",
};

enum {
    LPD_VARIANTS = sizeof lpd_variants / sizeof *lpd_variants,
    WANTED = ALG_WANT_CONTACT | ALG_WANT_DEPTH | ALG_WANT_FORCE,
};

static inline void open_solo(const char *name, const bench_pair *pair, unsigned wanted,
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

/** Returns true if the answer has regions. */
static inline bool check_frame(const char *where, size_t frame, const bench_solo *solo,
                               bool colliding, const geo_pose *pose)
{
    alg_answer answer, plain;
    char fault[BENCH_FAULT_BYTES];
    const alg_variant *const v = solo->variant;
    cr_assert(bench_solo_ask_details(solo, pose, &answer, fault), "%s, frame %zu: %s: %s", where,
              frame, v->name, fault);
    const char *const wrong = bench_answer_fault(v, WANTED, &answer);
    cr_assert_null(wrong, "%s, frame %zu: %s: %s", where, frame, v->name, wrong);
    cr_assert_eq(answer.colliding, colliding, "%s, frame %zu: %s", where, frame, v->name);
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

/**
 * Returns for each frame whether there is a contact: a pair of triangles meets, or the bodies are
 * solids with a common volume (for example one inside the other). The exact distance is not used,
 * because it is rounded to 0 for bodies whose gap is smaller than a rounding error. Owned by the
 * caller.
 */
static inline bool *exactly_collide(const bench_pair *pair, const scn_trajectory *trajectory)
{
    alg_variant by_pairs, by_volume;
    bench_solo pairs, volume;
    bool *const colliding = base_alloc(trajectory->frame_count, sizeof *colliding);
    open_solo("exact-pairs", pair, ALG_WANT_CONTACT, &by_pairs, &pairs);
    if (pair->has_volume) {
        open_solo("exact-volume", pair, ALG_WANT_VOLUME, &by_volume, &volume);
    }
    for (size_t f = 0; f < trajectory->frame_count; f++) {
        const scn_frame *const frame = &trajectory->frames[f];
        const geo_pose pose = bench_pair_pose(pair, frame->position, frame->orientation);
        const double smaller = fmin(pair->a.view.volume_m3, pair->b.view.volume_m3);
        alg_answer answer;
        bench_solo_ask(&pairs, &pose, &answer);
        colliding[f] = answer.colliding;
        if (!colliding[f] && pair->has_volume) {
            bench_solo_ask(&volume, &pose, &answer);
            colliding[f] = answer.volume_m3 > 1e-9 * smaller;
        }
    }
    if (pair->has_volume) {
        bench_solo_close(&volume);
    }
    bench_solo_close(&pairs);
    return colliding;
}

/** The part of the catalogue to be checked. */
typedef struct extent {
    size_t frames; /* approximate number of frames per scenario, at equal steps */
    size_t faces;  /* maximum of both bodies together; larger scenarios are skipped */
} extent;

/** Returns the number of frames with regions, summed over all variants. */
static inline size_t check_scenario(const scn_scenario *scenario, extent most)
{
    bench_pair pair;
    scn_trajectory trajectory;
    size_t count = 0;
    assert_ok(bench_pair_open(scenario->a, scenario->b, &pair, ERR));
    if (pair.a.mesh.face_count + pair.b.mesh.face_count > most.faces) {
        bench_pair_close(&pair);
        return 0;
    }
    assert_ok(bench_pair_trajectory(&pair, &scenario->motion, NULL, true, &trajectory, ERR));
    bool *const colliding = exactly_collide(&pair, &trajectory);
    const size_t step = 1 + (trajectory.frame_count - 1) / most.frames;
    for (size_t i = 0; i < LPD_VARIANTS; i++) {
        alg_variant variant;
        SCOPED_SOLO solo;
        open_solo(lpd_variants[i], &pair, WANTED, &variant, &solo);
        for (size_t f = 0; f < trajectory.frame_count; f += step) {
            const scn_frame *const frame = &trajectory.frames[f];
            const geo_pose pose = bench_pair_pose(&pair, frame->position, frame->orientation);
            count += check_frame(scenario->name, f, &solo, colliding[f], &pose);
        }
    }
    base_free(colliding);
    scn_trajectory_release(&trajectory);
    bench_pair_close(&pair);
    return count;
}

/**
 * True for the first of several scenarios with the same bodies and frames. NAME/distance and
 * NAME/volume differ only in the quantity.
 */
static inline bool is_first(const scn_experiment *e, size_t i)
{
    const char *const name = e->scenarios[i].name, *const slash = strrchr(name, '/');
    const size_t stem = slash ? (size_t)(slash - name) + 1 : strlen(name);
    return i == 0 || strncmp(name, e->scenarios[i - 1].name, stem) != 0;
}

static inline void check_catalogue(extent most)
{
    SCOPED_EXPERIMENT e;
    size_t scenarios = 0, count = 0;
    bench_truth_entries_register();
    assert_ok(bench_experiment_open("scenarios/experiments/degenerate.cfg", &e, ERR));
    for (size_t i = 0; i < e.scenario_count; i++) {
        if (is_first(&e, i)) {
            count += check_scenario(&e.scenarios[i], most);
            scenarios++;
        }
    }
    cr_assert(scenarios > 20 && count > 200, "%zu scenarios, %zu frames", scenarios, count);
}

#endif
