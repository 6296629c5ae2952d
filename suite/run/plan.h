/** Who takes part in a scenario of a run, and how often. */
#ifndef SUITE_PLAN_H
#define SUITE_PLAN_H

#include "suite/run/run.h"
#include "suite/run/supervisor.h"

/** A contestant of a scenario. */
typedef struct bench_entrant {
    bench_contestant contestant;
    size_t launches; /* at least the plan's */
    size_t baseline; /* index of the entrant that it is compared with; its own for that one */
    bool twin;       /* the baseline once more */
} bench_entrant;

typedef struct bench_plan {
    bench_entrant *entrants; /* count; owned */
    size_t count;
    size_t launches, warm_up_rounds, warm_rounds, evicted_rounds;
    size_t shuffled_rounds; /* of contestants that keep no state; the others skip them */
    size_t rounds;          /* of a launch: the sum of the four above */
} bench_plan;

/**
 * Plans a scenario. Variants are chosen by options->algorithms, the scenario's own list and their
 * limits of triangles. Reads the bodies if a variant has such a limit. Warns if no variant is left.
 *
 * Errors   BASE_ERR_ARGUMENT for a name that no contestant may have; BASE_ERR_MEMORY; those of
 *          scn_mesh_open. bench_plan_release is due either way.
 */
base_status bench_plan_make(const bench_run_options *options, const scn_scenario *scenario,
                            bench_plan *plan, base_error *err) BASE_MUST_CHECK;
void bench_plan_release(bench_plan *plan);

/**
 * In modes with intervals (bench, paper): refuses a number of launches, from --launches or the
 * experiment, that is too small for intervals in some scenario. Reads the bodies of scenarios in
 * which a variant has a limit of triangles.
 *
 * Errors   BASE_ERR_ARGUMENT with the number that is enough; those of scn_mesh_open.
 */
base_status bench_plan_check_launches(const bench_run_options *options,
                                      base_error *err) BASE_MUST_CHECK;

/** Is old code timed against new? */
bool bench_is_against(const bench_run_options *options);

/** The protocol of a round of a launch. */
bench_protocol bench_plan_protocol(const bench_plan *plan, size_t round);

/** Does the entrant make a pass in this round? */
bool bench_plan_makes(const bench_plan *plan, const bench_entrant *entrant, size_t round);

/**
 * The order of the variants in a round: a row of a Williams square. Every variant appears once in a
 * row, and over all rows each follows each other equally often, so that what one leaves behind
 * (caches, heat, drift) hits everyone alike. The square has `count` rows for an even count,
 * 2 * count for an odd one; rounds beyond start anew.
 *
 * Shapes   order: count entries, filled with a permutation of [0, count).
 * Source   Williams1949.
 */
void bench_schedule_row(size_t count, size_t round, size_t *order);

#endif
