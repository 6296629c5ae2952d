/** The contestants of a scenario, and the number of their launches and rounds. */
#ifndef SUITE_PLAN_H
#define SUITE_PLAN_H

#include "suite/run/run.h"
#include "suite/run/supervisor.h"

/** A contestant of a scenario. */
typedef struct bench_entrant {
    bench_contestant contestant;
    size_t launches; /* at least bench_plan.launches */
    size_t baseline; /* index of the entrant that it is compared with; its own index if it is the
                        baseline or if there is no baseline */
    bool twin;       /* a copy of the baseline */
} bench_entrant;

typedef struct bench_plan {
    bench_entrant *entrants; /* count entries; owned */
    size_t count;
    size_t launches, warm_up_rounds, warm_rounds, evicted_rounds;
    size_t shuffled_rounds; /* made only by contestants without state */
    size_t rounds;          /* per launch: sum of the four numbers above */
} bench_plan;

/**
 * Plans a scenario. Variants are selected by options->algorithms, by the scenario's own list and by
 * their triangle limits. A variant is left out if it does not answer all quantities of this
 * scenario, but all of another one. Reads the bodies if a variant has a triangle limit. Warns if no
 * variant is left.
 *
 * Errors   BASE_ERR_ARGUMENT for an invalid contestant name; BASE_ERR_MEMORY; those of
 *          scn_mesh_open. Call bench_plan_release also after an error.
 */
base_status bench_plan_make(const bench_run_options *options, const scn_scenario *scenario,
                            bench_plan *plan, base_error *err) BASE_MUST_CHECK;
void bench_plan_release(bench_plan *plan);

/**
 * In modes with intervals (bench, paper): checks that the number of launches, if --launches or the
 * experiment gives one, is large enough for intervals in every scenario. Reads the bodies of
 * scenarios in which a variant has a triangle limit.
 *
 * Errors   BASE_ERR_ARGUMENT with the number of launches that is needed; those of scn_mesh_open.
 */
base_status bench_plan_check_launches(const bench_run_options *options,
                                      base_error *err) BASE_MUST_CHECK;

/** True if the run compares old code with new code. */
bool bench_is_against(const bench_run_options *options);

/** Returns the protocol of a round of a launch. */
bench_protocol bench_plan_protocol(const bench_plan *plan, size_t round);

/**
 * True if the entrant makes a pass in this round. Only a shuffled round excludes entrants: those
 * that keep state or read the clock.
 */
bool bench_plan_makes(const bench_plan *plan, const bench_entrant *entrant, size_t round);

/**
 * Computes the order of the contestants in a round, which is a row of a Williams square. Each
 * variant appears once in a row. Over all rows, each variant directly follows each other variant
 * equally often, so that the after-effects of a pass (caches, heat, drift) affect all variants
 * alike. The square has `count` rows if count is even and 2 * count rows if it is odd; later rounds
 * start again with the first row.
 *
 * Shapes   order: count entries, filled with a permutation of [0, count).
 * Source   Williams1949.
 */
void bench_schedule_row(size_t count, size_t round, size_t *order);

#endif
