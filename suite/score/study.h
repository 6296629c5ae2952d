/**
 * The common ground of the hypotheses of a diagnosis: the parts of an answer, verdicts on them, and
 * counts of the frames in which a hypothesis holds.
 */
#ifndef SUITE_SCORE_STUDY_H
#define SUITE_SCORE_STUDY_H

#include "suite/results/judge.h"
#include "suite/score/diagnose.h"

/** A part of an answer that can be right or wrong by itself. */
typedef enum bench_part {
    BENCH_PART_DISTANCE,
    BENCH_PART_VOLUME,
    BENCH_PART_DEPTH, /* its length */
    BENCH_PART_DIRECTION,
    BENCH_PART_FORCE,
    BENCH_PART_TORQUE,
    BENCH_PART_CONTACT,
    BENCH_PART_WITNESS,
    BENCH_PART_COUNT
} bench_part;

typedef struct bench_part_row {
    const char *plural;
    alg_quantity quantity;
    uint32_t has;
    int dimension; /* power of the length in the unit, of forces by area */
} bench_part_row;

extern const bench_part_row bench_parts[BENCH_PART_COUNT];

typedef struct bench_study {
    const bench_score *score;
    const bench_scenario *scenario;
    const gt_truth *truths; /* that judge the answers at the poses of the scenario */
    size_t frames;
    alg_law law;
    double slack[ALG_QUANTITY_COUNT]; /* share of the truth by which an answer may be off */
    bool explained[BENCH_PART_COUNT]; /* a diagnosis explains the wrong answers of this part */
    bench_diagnoses *found;
} bench_study;

/** Numbers of frames with a wrong answer that a hypothesis needs; the second one if a number is
 * fitted to the frames. */
enum { BENCH_FRAMES_LEAST = 2, BENCH_FRAMES_LEAST_FITTED = 3 };

/** Returns the answer of a frame. */
const alg_answer *bench_study_answer(const bench_study *s, size_t f);
/** Returns a distance, volume or depth. */
double bench_part_number(const alg_answer *a, bench_part p);
gt_bracket bench_part_bracket(const gt_truth *truth, bench_part p);
/** True for distances, volumes and depths. */
bool bench_part_is_number(bench_part p);
/** The largest difference of two numbers that is no mistake, from the size of the bodies. */
double bench_study_negligible(const bench_study *s, bench_part p);
/** True if the number is in the bracket, or outside by no more than the slack. */
bool bench_study_is_in(const bench_study *s, bench_part p, gt_bracket truth, double number);

typedef enum bench_part_verdict {
    BENCH_PART_UNKNOWN,
    BENCH_PART_RIGHT,
    BENCH_PART_WRONG
} bench_part_verdict;

/** Judges one part of an answer of frame f by a truth. */
bench_part_verdict bench_study_judge(const bench_study *s, size_t f, bench_part p,
                                     const alg_answer *a, const gt_truth *truth);
/** Counts the frames in which a part is wrong. */
size_t bench_study_wrong_frames(const bench_study *s, bench_part p);

/** Counts of the frames to which a hypothesis applies. */
typedef struct bench_tally {
    size_t frames;      /* that it applies to */
    size_t right;       /* in which it holds */
    size_t wrong;       /* whose answer is wrong without it */
    size_t wrong_right; /* of these, those in which it holds */
} bench_tally;

/** Counts a frame. before, after: the verdicts without the hypothesis and with it. */
void bench_tally_count(bench_part_verdict before, bench_part_verdict after, bench_tally *t);
/** True if the hypothesis is accepted. least: the number of wrong frames that it needs. */
bool bench_tally_is_accepted(const bench_tally *t, size_t least);

/** Adds a diagnosis. t: NULL if the text needs no number of frames. */
void bench_study_explain(bench_study *s, bench_part p, const char *name, const bench_tally *t,
                         const char *format, ...) BASE_PRINTF(5, 6);
/** A mistake about frames or poses explains all parts of the answers. */
void bench_study_explain_all(bench_study *s);

/* --- Hypotheses of other_poses.c -------------------------------------------------------------- */

/**
 * Computes the truth of a part at poses that another program may have used instead.
 * Errors: BASE_ERR_MEMORY; those of gt_trajectory_truth.
 */
base_status bench_study_poses(bench_study *s, bench_part p, base_error *err) BASE_MUST_CHECK;
/** Moves along other directions of the depth. Errors: BASE_ERR_MEMORY; those of gt_escapes. */
base_status bench_study_directions(bench_study *s, base_error *err) BASE_MUST_CHECK;

#endif
