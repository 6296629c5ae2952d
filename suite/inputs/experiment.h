/** Experiments by name or path, and which of their variants and scenarios take part. */
#ifndef SUITE_EXPERIMENT_H
#define SUITE_EXPERIMENT_H

#include "algorithms/algorithms.h"
#include "algorithms/registry.h"
#include "base/arena.h"
#include "scenarios/experiment.h"
#include "suite/options.h"

/** Names of all that bench_share_names finds; in the arena. Errors: its own. */
base_status bench_experiment_names(base_arena *arena, const char ***names,
                                   base_error *err) BASE_MUST_CHECK;

/** Whether there is an experiment of this name. */
bool bench_experiment_exists(const char *name);

/**
 * An experiment by name, or by path (anything with a '/' or a '.').
 * Errors: BASE_ERR_ARGUMENT for an unknown name (near names are listed); scn_experiment_read's.
 */
base_status bench_experiment_open(const char *reference, scn_experiment *experiment,
                                  base_error *err) BASE_MUST_CHECK;

/**
 * "EXPERIMENT/SCENARIO", or "PATH.cfg/SCENARIO". *experiment holds *scenario: release it.
 * Errors: those of bench_experiment_open; BASE_ERR_ARGUMENT for an unknown scenario.
 */
base_status bench_scenario_open(const char *reference, scn_experiment *experiment,
                                const scn_scenario **scenario, base_error *err) BASE_MUST_CHECK;

/* --- What takes part -------------------------------------------------------------------------- */

/** Does one of the globs match? NULL matches all. */
bool bench_selected(const char *const *globs, const char *name);

/**
 * Makes the variants that a list of names and globs stands for those of the experiment. A glob
 * ranges over the registry without the algorithms that are bad on purpose. Names are parsed by
 * bench_experiment_choose.
 *
 * asked    asked_count masks of ALG_WANT_*, one per query. A glob then stands for those algorithms
 *          only that answer one of the queries with their defaults, and gives the slow ones a limit
 *          of triangles. A variant that is named must answer one of them too, unless its contract
 *          promises no answer at all (floor). 0: globs stand for every algorithm, without limits.
 * Errors   BASE_ERR_ARGUMENT for a glob that stands for no algorithm, and for a variant that cannot
 *          be or answers no query; BASE_ERR_MEMORY.
 */
base_status bench_variants_expand(const bench_names *list, const unsigned *asked,
                                  size_t asked_count, scn_experiment *experiment,
                                  base_error *err) BASE_MUST_CHECK;

/** Variants and scenarios that take part. Globs with count 0 choose all. */
typedef struct bench_choice {
    bench_names algorithms, scenarios; /* globs on variants and scenarios */
    alg_variant *variants;             /* those of the experiment, parsed; in its arena */
} bench_choice;

/**
 * Parses the experiment's variants, writes them and the baseline back in their canonical form, each
 * once, leaves out optional ones that are not there and optional scenarios without their mesh
 * files, and cuts two lists of globs (NULL: all).
 * *choice must not be copied.
 *
 * Errors   BASE_ERR_ARGUMENT for a variant that cannot be, and for a glob that matches nothing: a
 *          misspelt one would silently measure less; BASE_ERR_MEMORY.
 */
base_status bench_experiment_choose(scn_experiment *experiment, const char *algorithm,
                                    const char *scenario, bench_choice *choice,
                                    base_error *err) BASE_MUST_CHECK;

#endif
