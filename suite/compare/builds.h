/**
 * Ratios of build times, launch by launch: RUN/build_ratios.csv.
 *
 * A ratio compares two variants of one launch, which built the same body in the same role one after
 * the other. They differ in one parameter, or they are variants of two algorithms that agree in all
 * parameters that both have. So the ratio shows the cost of that one choice. As with queries, a
 * launch gives one value, and the interval is that of the sign test on launches (docs/timing.md).
 * Each interval holds at 95 % by itself, because no row is declared the winner among all.
 */
#ifndef SUITE_COMPARE_BUILDS_H
#define SUITE_COMPARE_BUILDS_H

#include "suite/output.h"
#include "suite/results/record.h"
#include "suite/results/reference.h"

typedef struct bench_build_ratio {
    bench_build_ratio_row row;
    size_t facts;  /* row of `builds` with the variant's facts; SIZE_MAX if there is no such row */
    bool backward; /* the other variant comes later: the same pair in the other direction */
} bench_build_ratio;

typedef struct bench_build_ratios {
    bench_build_ratio *items; /* by body, variant, other, measure */
    size_t count, capacity;
    base_csv launches, builds; /* hold all texts */
} bench_build_ratios;

/** True if the run's manifest says that its experiment has builds = "timed". */
bool bench_builds_are_timed(const char *folder);

/**
 * Makes the ratios of all pairs of a run, in both directions. The list is empty if the run has no
 * build_launches.csv.
 *
 * Errors   BASE_ERR_INPUT for files that no run has written; BASE_ERR_SYSTEM, BASE_ERR_MEMORY.
 *          The caller must call bench_build_ratios_release either way.
 */
base_status bench_build_ratios_make(const char *folder, bench_build_ratios *list,
                                    base_error *err) BASE_MUST_CHECK;
void bench_build_ratios_release(bench_build_ratios *list);

/** Writes build_ratios.csv. Errors: BASE_ERR_SYSTEM if the stream fails. */
base_status bench_build_ratios_write(const bench_build_ratios *list, FILE *file,
                                     base_error *err) BASE_MUST_CHECK;

/**
 * Prints a table for people: ratios of whole builds, each pair once, for the variants that are
 * selected in the record.
 * Errors: BASE_ERR_MEMORY.
 */
base_status bench_build_ratios_print(const bench_build_ratios *list, const bench_record *record,
                                     bench_format format, FILE *file,
                                     base_error *err) BASE_MUST_CHECK;

#endif
