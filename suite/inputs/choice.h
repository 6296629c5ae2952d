/** Which variants and scenarios of an experiment take part. */
#ifndef SUITE_CHOICE_H
#define SUITE_CHOICE_H

#include "algorithms/algorithms.h"
#include "scenarios/experiment.h"
#include "suite/options.h"

/** Does one of the globs match? NULL matches all. */
bool bench_selected(const char *const *globs, const char *name);

/**
 * Makes the variants that a list of names and globs stands for those of the experiment; globs range
 * over the registry, but for what is bad on purpose. Names are parsed by bench_experiment_choose.
 * Errors: BASE_ERR_ARGUMENT for a glob that means nothing; BASE_ERR_MEMORY.
 */
base_status bench_variants_expand(const bench_names *list, scn_experiment *experiment,
                                  base_error *err) BASE_MUST_CHECK;

/** Variants and scenarios that take part. Globs with count 0 choose all. */
typedef struct bench_choice {
    bench_names algorithms, scenarios; /* globs on variants and scenarios */
    alg_variant *variants;             /* those of the experiment, parsed; in its arena */
} bench_choice;

/**
 * Parses the experiment's variants, writes them and the baseline back in their canonical form, each
 * once, leaves out optional ones that are not there, and cuts two lists of globs (NULL: all).
 * *choice must not be copied.
 *
 * Errors   BASE_ERR_ARGUMENT for a variant that cannot be, and for a glob that matches nothing: a
 *          misspelt one would silently measure less; BASE_ERR_MEMORY.
 */
base_status bench_experiment_choose(scn_experiment *experiment, const char *algorithm,
                                    const char *scenario, bench_choice *choice,
                                    base_error *err) BASE_MUST_CHECK;

#endif
