/**
 * A contestant that ran elsewhere: judges its answers by the code that judges the answers of a run
 * (run/cell.h), says which are wrong and why, and adds it to the folder of a run. The files:
 *
 *   answers.h   reads the answers
 *   score.h     judges them, lists the wrong ones
 *   diagnose.h  names the mistake that explains them
 *   merge.h     adds the variant to a run
 */
#ifndef SUITE_SCORE_H
#define SUITE_SCORE_H

#include "suite/results/cells.h"
#include "suite/run/run.h"
#include "suite/run/scenario.h"
#include "suite/score/answers.h"

/** Default of the rounding of answers, as a share of the truth, and its limit. */
#define BENCH_SCORE_ROUNDING      1e-9
#define BENCH_SCORE_ROUNDING_MOST 9e-7

/** The promise of the answers, as the command line gives it. */
typedef struct bench_score_promise {
    const char *name;     /* of the variant */
    const char *contract; /* "distance=exact,volume=upper-bound", or one word for all quantities;
                             NULL: exact */
    const char *law;      /* one of alg_law_names; NULL: by the unit of the forces, area for m2 and
                             depth for m3 */
    double rounding;      /* share of the truth by which exact answers and bounds may be off */
    bool surface;         /* answers of surfaces: a body inside the other one is apart from it */
} bench_score_promise;

/** Answers and their judgement. Must not be copied, because its parts point at each other. */
typedef struct bench_score {
    const bench_run_options *options; /* borrowed */
    const scn_scenario *asked;        /* borrowed: the scenario in its experiment */
    scn_scenario answered;            /* the same, with the quantities that the file answers */
    bench_scenario scenario;
    bench_score_answers answers;
    alg_algorithm algorithm; /* as which the answers take part: it has promises and no code */
    bench_cell cell;
    const char **faults; /* owned; by frame: fault that needs no truth (bench_answer_fault); or
                            NULL */
    size_t faulty;       /* number of frames with such a fault */
} bench_score;

/**
 * Checks a name of a variant from elsewhere: as in names of algorithms, and none of them.
 * Errors: BASE_ERR_ARGUMENT.
 */
base_status bench_score_check_name(const char *name, base_error *err) BASE_MUST_CHECK;

/**
 * Reads answers and judges every frame. options: of a run of this experiment, with mode,
 * cache_directory and quiet. machine: text for the column `elsewhere`.
 *
 * Errors   those of bench_score_answers_read, bench_scenario_load and bench_cell_judge;
 *          BASE_ERR_ARGUMENT for an unknown promise or law. Call bench_score_release also after an
 *          error.
 */
base_status bench_score_make(const bench_run_options *options, const scn_scenario *asked,
                             const char *path, const char *machine,
                             const bench_score_promise *promise, bench_score *score,
                             base_error *err) BASE_MUST_CHECK;
void bench_score_release(bench_score *score);

/** Returns the number of frames with a fault or a broken promise. */
size_t bench_score_wrong(const bench_score *score);

/**
 * Prints a row for each answered quantity, and the first `most` wrong answers: frame, what is
 * wrong, the expected interval, the answer, and how far it is off. Errors: BASE_ERR_MEMORY.
 */
base_status bench_score_print(const bench_score *score, size_t most, FILE *file,
                              base_error *err) BASE_MUST_CHECK;

#endif
