/**
 * Ratios of build times, launch by launch: RUN/build_ratios.csv.
 *
 * A ratio is taken between two variants of one launch, which built the same body in the same role
 * one after the other. They differ in one parameter, or are of two algorithms that agree in all
 * parameters that both have, so that a ratio says what that one choice costs. As with queries a
 * launch gives one value, and the interval is that of the sign test on launches (docs/timing.md);
 * but each at 95 % by itself, since no row is declared a winner among all.
 */
#ifndef SUITE_COMPARE_BUILDS_H
#define SUITE_COMPARE_BUILDS_H

#include "suite/output.h"
#include "suite/results/record.h"

typedef struct bench_build_ratio {
    bench_build_ratio_row row;
    size_t facts;  /* row of `builds` with the variant's facts; SIZE_MAX: none */
    bool backward; /* the other stands behind the variant: the same pair in the other direction */
} bench_build_ratio;

typedef struct bench_build_ratios {
    bench_build_ratio *items; /* by body, variant, other, measure */
    size_t count, capacity;
    base_csv launches, builds; /* hold all texts */
} bench_build_ratios;

/** Does the run's manifest say that its experiment has builds = "timed"? */
bool bench_builds_are_timed(const char *folder);

/**
 * Of all pairs of a run, in both directions; none where it has no build_launches.csv.
 *
 * Errors   BASE_ERR_INPUT for files that no run has written; BASE_ERR_SYSTEM, BASE_ERR_MEMORY.
 *          bench_build_ratios_release is due either way.
 */
base_status bench_build_ratios_make(const char *folder, bench_build_ratios *list,
                                    base_error *err) BASE_MUST_CHECK;
void bench_build_ratios_release(bench_build_ratios *list);

/** The file. Errors: BASE_ERR_MEMORY. */
base_status bench_build_ratios_write(const bench_build_ratios *list, FILE *file,
                                     base_error *err) BASE_MUST_CHECK;

/**
 * For people: whole builds, each pair once, of the variants that are selected in the record.
 * Errors: BASE_ERR_MEMORY.
 */
base_status bench_build_ratios_print(const bench_build_ratios *list, const bench_record *record,
                                     bench_format format, FILE *file,
                                     base_error *err) BASE_MUST_CHECK;

#endif
