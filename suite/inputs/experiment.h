/** Experiments by name or path. */
#ifndef SUITE_EXPERIMENT_H
#define SUITE_EXPERIMENT_H

#include "base/arena.h"
#include "scenarios/experiment.h"

#define BENCH_EXPERIMENT_DIRECTORY "scenarios/experiments"

/** Names (files without ".cfg"), sorted and NULL-terminated; arena. Errors: BASE_ERR_SYSTEM,
 * _MEMORY. */
base_status bench_experiment_names(base_arena *arena, const char ***names,
                                   base_error *err) BASE_MUST_CHECK;

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

#endif
