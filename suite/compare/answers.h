/**
 * Compares the answers of two runs, which do not depend on the machine, and decides whether their
 * times may be shown side by side.
 */
#ifndef SUITE_ANSWERS_H
#define SUITE_ANSWERS_H

#include "suite/output.h"
#include "suite/results/record.h"

typedef enum bench_answer_match {
    BENCH_ANSWER_SAME,
    BENCH_ANSWER_DIFFERS,
    BENCH_ANSWER_STATUS, /* the cell ended with another status */
    BENCH_ANSWER_MISSING_1,
    BENCH_ANSWER_MISSING_2,
} bench_answer_match;

/** A contestant on a scenario in both runs; NULL where it is missing. */
typedef struct bench_answer_pair {
    const bench_cell_row *cells[2];
    bench_answer_match match;
} bench_answer_pair;

typedef struct bench_answers {
    bench_answer_pair *pairs; /* in the order of the first run, then those of the second run only */
    size_t count, unlike;     /* number of all pairs, and of those that are not BENCH_ANSWER_SAME */
    bool times;               /* the runs are from the same machine, so times can be shown */
    char differing[1024];     /* facts in which the machines differ */
} bench_answers;

/**
 * Matches two records, cell by cell. Twins and cells that are left out are ignored. The records
 * must have their manifests: a warning names scenarios whose inputs differ.
 *
 * Errors   BASE_ERR_MEMORY. Then *answers needs no release.
 */
base_status bench_answers_make(const bench_record records[2], bench_answers *answers,
                               base_error *err) BASE_MUST_CHECK;
void bench_answers_release(bench_answers *answers);

/** Prints the two runs side by side. Errors: BASE_ERR_MEMORY. */
base_status bench_answers_print(const bench_answers *answers, bench_format format, FILE *file,
                                base_error *err) BASE_MUST_CHECK;

#endif
