/**
 * Names the mistake that explains wrong answers.
 *
 * Each known mistake is a hypothesis about all frames: "if the mistake is undone, the answers are
 * right", or "the answers are right for another pose of the same frame". A hypothesis is accepted
 * only if it holds in 49 of 50 frames to which it applies, and in at least two frames whose answer
 * is wrong without it (three if a number is fitted to the frames). So a diagnosis is never a guess
 * from one frame, and right answers have none.
 */
#ifndef SUITE_SCORE_DIAGNOSE_H
#define SUITE_SCORE_DIAGNOSE_H

#include "suite/score/score.h"

enum { BENCH_DIAGNOSES_MAX = 16, BENCH_DIAGNOSIS_BYTES = 320 };

typedef struct bench_diagnosis {
    const char *name; /* short, for scripts: "scaled", "inverse-pose", ... */
    char text[BENCH_DIAGNOSIS_BYTES];
} bench_diagnosis;

typedef struct bench_diagnoses {
    bench_diagnosis items[BENCH_DIAGNOSES_MAX];
    size_t count;
} bench_diagnoses;

/**
 * Tests all hypotheses. Those about poses compute distances or volumes at other poses; they are
 * tested only if no simpler hypothesis explains the answers.
 * Errors: BASE_ERR_MEMORY; those of gt_trajectory_truth and gt_escapes.
 */
base_status bench_diagnose(const bench_score *score, bench_diagnoses *diagnoses,
                           base_error *err) BASE_MUST_CHECK;

#endif
