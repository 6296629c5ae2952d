/**
 * A pair of bodies with right answers of all quantities, and files of such answers in which tests
 * plant mistakes. Neither body is at the origin of its file, so that frames of reference differ.
 */
#ifndef SUITE_SCORE_TESTS_SCORED_H
#define SUITE_SCORE_TESTS_SCORED_H

#include "base/file.h"
#include "base/memory.h"
#include "geometry/pose.h"
#include "groundtruth/groundtruth.h"
#include "suite/score/diagnose.h"
#include "suite/score/score.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 16 };

/** The pair, its poses and its right answers in the frame of A's file. */
typedef struct scored {
    scn_frame frames[FRAMES];
    scn_scenario scenario;
    scn_experiment experiment;
    bench_mode mode;
    bench_run_options options;
    bench_scenario loaded;
    alg_answer right[FRAMES], answers[FRAMES];
    char path[64];       /* of the file of answers */
    int digits;          /* of its numbers */
    uint32_t has;        /* bits of alg_answer.answered that are written */
    size_t rows[FRAMES]; /* by row: the number that it has as a frame */
    size_t row_count;
} scored;

/** A pose in which B's centre is at a distance from A's centre, in steps of the frame number. */
static inline scn_frame scored_frame(size_t f)
{
    const vec3 centre_a = {0.2, -0.1, 0.05}, centre_b = {0.04, 0.02, 0};
    const double angle = 0.7 * (double)f, tilt = 0.3 + 0.11 * (double)f;
    const geo_quat q = geo_quat_normalize((geo_quat){
        0.3 * sin(angle), 0.5 * cos(tilt), 0.4 + 0.1 * sin(tilt), 0.6 + 0.2 * cos(angle)});
    const double r = 0.035 + 0.009 * (double)f;
    const vec3 out = {r * cos(angle) * cos(0.4), r * sin(angle) * cos(0.4), r * sin(0.4)};
    const vec3 moved = mat3_mul_vec3(geo_quat_matrix(q), centre_b);
    return (scn_frame){.t_s = 1e-3 * (double)f,
                       .position = vec3_sub(vec3_add(centre_a, out), moved),
                       .orientation = q,
                       .target = NAN,
                       .achieved = NAN};
}

/** Answers of one frame, from its truth; points are moved into the frame of A's file. */
static inline alg_answer scored_answer(const bench_scenario *s, const geo_pose *pose,
                                       const gt_truth *truth)
{
    gt_distance near;
    gt_distance_query(s->pair.a.truth, s->pair.b.truth, pose, &near);
    const double distance = 0.5 * (truth->distance_m.lo + truth->distance_m.hi);
    const bool apart = distance > 0;
    return (alg_answer){
        .answered = ALG_HAS_DISTANCE | (apart ? (unsigned)ALG_HAS_WITNESS : 0u) | ALG_HAS_VOLUME |
                    ALG_HAS_DEPTH | ALG_HAS_FORCE | ALG_HAS_CONTACT,
        .distance_m = distance,
        .colliding = !apart,
        .volume_m3 = 0.5 * (truth->volume_m3.lo + truth->volume_m3.hi),
        .depth_m = truth->depth_m.hi,
        .direction = truth->depth_m.hi > 0 ? truth->depth_direction : (vec3){0, 0, 0},
        .force = truth->force_m2,
        .torque = truth->torque_m3,
        .witness_a = vec3_add(near.witness_a, s->pair.centre_a),
        .witness_b = vec3_add(near.witness_b, s->pair.centre_a),
    };
}

/** Computes the answers for poses in the frame of the pair. want: mask of GT_WANT_*. */
static inline void scored_answers_at(scored *s, const geo_pose poses[FRAMES], unsigned want)
{
    base_error err = {0};
    gt_truth truths[FRAMES];
    cr_assert_eq(gt_trajectory_truth(s->loaded.pair.a.truth, s->loaded.pair.b.truth, poses, FRAMES,
                                     want, NULL, truths, &err),
                 BASE_OK, "%s", err.text);
    for (size_t f = 0; f < FRAMES; f++) {
        s->answers[f] = scored_answer(&s->loaded, &poses[f], &truths[f]);
    }
}

/** Restores the right answers, one per frame, and writes all of them with all digits. */
static inline void scored_reset(scored *s)
{
    memcpy(s->answers, s->right, sizeof s->answers);
    s->digits = 17;
    s->has = UINT32_MAX;
    s->row_count = FRAMES;
    for (size_t f = 0; f < FRAMES; f++) {
        s->rows[f] = f;
    }
}

/** Must not be copied or moved, as its parts point at each other. */
static inline void scored_make(scored *s)
{
    base_error err = {0};
    *s = (scored){.path = "/tmp/proxbench-score-XXXXXX"};
    const int file = mkstemp(s->path);
    cr_assert(file >= 0);
    close(file);
    for (size_t f = 0; f < FRAMES; f++) {
        s->frames[f] = scored_frame(f);
    }
    s->scenario = (scn_scenario){.a = "box:x=0.2,y=-0.1,z=0.05",
                                 .b = "cone:triangles=200,scale=0.8,x=0.04,y=0.02",
                                 .motion = {.frames = s->frames, .frame_count = FRAMES},
                                 .quantities = BENCH_ALL_QUANTITIES};
    s->scenario.name = s->path + strlen("/tmp/");
    s->experiment = (scn_experiment){.scenarios = &s->scenario, .scenario_count = 1};
    cr_assert_eq(bench_mode_parse("smoke", &s->mode, &err), BASE_OK, "%s", err.text);
    s->options = (bench_run_options){.experiment = &s->experiment, .mode = &s->mode, .quiet = true};
    cr_assert_eq(bench_scenario_load_frames(&s->options, &s->scenario, &s->loaded, &err), BASE_OK,
                 "%s", err.text);
    scored_answers_at(s, s->loaded.poses,
                      GT_WANT_DISTANCE | GT_WANT_VOLUME | GT_WANT_DEPTH | GT_WANT_FORCE);
    memcpy(s->right, s->answers, sizeof s->right);
    scored_reset(s);
}

static inline void scored_release(scored *s)
{
    unlink(s->path);
    bench_scenario_release(&s->loaded);
}

static inline void scored_put(const scored *s, FILE *file, bool there, double number)
{
    fputc(',', file);
    if (there) {
        fprintf(file, "%.*g", s->digits, number);
    }
}

static inline void scored_put_vector(const scored *s, FILE *file, bool there, vec3 v)
{
    scored_put(s, file, there, v.x);
    scored_put(s, file, there, v.y);
    scored_put(s, file, there, v.z);
}

/** Writes the file. */
static inline void scored_write(const scored *s)
{
    static const struct {
        uint32_t has;
        const char *names;
    } groups[] = {
        {ALG_HAS_CONTACT, ",colliding"},
        {ALG_HAS_DISTANCE, ",distance_m"},
        {ALG_HAS_WITNESS, ",witness_ax_m,witness_ay_m,witness_az_m,witness_bx_m,witness_by_m,"
                          "witness_bz_m"},
        {ALG_HAS_VOLUME, ",volume_m3"},
        {ALG_HAS_DEPTH, ",depth_m,nx,ny,nz"},
        {ALG_HAS_FORCE, ",fx_m2,fy_m2,fz_m2,tx_m2_m,ty_m2_m,tz_m2_m"},
    };
    FILE *const file = fopen(s->path, "w");
    cr_assert_not_null(file);
    fputs("frame", file);
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        fputs(s->has & groups[g].has ? groups[g].names : "", file);
    }
    fputc('\n', file);
    for (size_t row = 0; row < s->row_count; row++) {
        const alg_answer *const a = &s->answers[row];
        fprintf(file, "%zu", s->rows[row]);
        for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
            const bool there = a->answered & groups[g].has;
            switch (s->has & groups[g].has) {
            case ALG_HAS_CONTACT:
                fprintf(file, ",%d", a->colliding);
                break;
            case ALG_HAS_DISTANCE:
                scored_put(s, file, there, a->distance_m);
                break;
            case ALG_HAS_WITNESS:
                scored_put_vector(s, file, there, a->witness_a);
                scored_put_vector(s, file, there, a->witness_b);
                break;
            case ALG_HAS_VOLUME:
                scored_put(s, file, there, a->volume_m3);
                break;
            case ALG_HAS_DEPTH:
                scored_put(s, file, there, a->depth_m);
                scored_put_vector(s, file, there, a->direction);
                break;
            case ALG_HAS_FORCE:
                scored_put_vector(s, file, there, a->force);
                scored_put_vector(s, file, there, a->torque);
                break;
            default:
                break;
            }
        }
        fputc('\n', file);
    }
    fclose(file);
}

/** Writes the file and judges it. */
static inline void scored_judge(const scored *s, const char *contract, bench_score *score)
{
    base_error err = {0};
    const bench_score_promise promise = {
        .name = "mine", .contract = contract, .rounding = BENCH_SCORE_ROUNDING};
    scored_write(s);
    cr_assert_eq(
        bench_score_make(&s->options, &s->scenario, s->path, "elsewhere", &promise, score, &err),
        BASE_OK, "%s", err.text);
}

#endif
