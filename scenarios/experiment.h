/** Parts of the experiment reader. Private to scenarios/. */
#ifndef SCENARIOS_EXPERIMENT_H
#define SCENARIOS_EXPERIMENT_H

#include "scenarios/scenarios.h"
#include "scenarios/settings.h"

/** Expands the list `variants` into experiment->variants and ->triangle_limits. */
geo_status scn_read_variants(const scn_settings *settings, const config_setting_t *list,
                             scn_experiment *experiment) GEO_MUST_CHECK;

/** Reads the list `scenarios`; experiment->seed is the default of samplers. */
geo_status scn_read_scenarios(const scn_settings *settings, const config_setting_t *list,
                              scn_experiment *experiment) GEO_MUST_CHECK;

/** Reads `trajectory` and the known answers of a scenario; the sampler's seed is set already. */
geo_status scn_read_motion(const scn_settings *settings, const config_setting_t *group,
                           scn_motion *motion) GEO_MUST_CHECK;

/** A path that is relative to the experiment file, made relative to the working directory. */
geo_status scn_resolve_path(const scn_settings *settings, char **path) GEO_MUST_CHECK;

#endif
