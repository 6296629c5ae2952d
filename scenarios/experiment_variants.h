/** The list `variants` of an experiment file. Private to scenarios/. */
#ifndef SCENARIOS_EXPERIMENT_VARIANTS_H
#define SCENARIOS_EXPERIMENT_VARIANTS_H

#include "base/error.h"
#include "scenarios/settings.h"

/** Expands the list into the variants, and what goes with each, of `experiment`, a scn_experiment.
 */
base_status scn_read_variants(const scn_settings *settings, const config_setting_t *list,
                              void *experiment) BASE_MUST_CHECK;

#endif
