/** Two runs: their answers, which do not depend on the machine, and whether their times may be seen
 * side by side. */
#ifndef SUITE_ANSWERS_H
#define SUITE_ANSWERS_H

#include "suite/results/record.h"

typedef enum bench_answer_match {
    BENCH_ANSWER_SAME,
    BENCH_ANSWER_DIFFERS,
    BENCH_ANSWER_STATUS, /* ends another way */
    BENCH_ANSWER_MISSING_1,
    BENCH_ANSWER_MISSING_2,
} bench_answer_match;

/** A contestant on a scenario in both runs; NULL where it is missing. */
typedef struct bench_answer_pair {
    const bench_cell_row *cells[2];
    bench_answer_match match;
} bench_answer_pair;

typedef struct bench_answers {
    bench_answer_pair *pairs; /* in the order of the first run, then those of the second only */
    size_t count, unlike;     /* all; those that are not the same */
    bool times;               /* by the same machine, so that times can be shown */
    char differing[1024];     /* facts in which the machines differ */
} bench_answers;

/**
 * Matches two records, cell by cell; twins and what is left out of both take no part. The
 * records have their manifests: scenarios with other inputs are warned of.
 *
 * Errors   BASE_ERR_MEMORY. *answers needs no release then.
 */
base_status bench_answers_make(const bench_record records[2], bench_answers *answers,
                               base_error *err) BASE_MUST_CHECK;
void bench_answers_release(bench_answers *answers);

#endif
