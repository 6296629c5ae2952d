/** Parts of the experiment reader. Private to scenarios/. */
#ifndef SCENARIOS_EXPERIMENT_H
#define SCENARIOS_EXPERIMENT_H

#include "scenarios/scenarios.h"
#include "scenarios/settings.h"

#include <stdbool.h>

/* --- Variants --------------------------------------------------------------------------------- */

enum { SCN_PARAMETERS_MAX = 16, SCN_VARIANTS_MAX = 10000, SCN_VARIANT_BYTES = 512 };

/** A parameter of a group of variants, with its list of values or its one value. */
typedef struct scn_parameter {
    const char *key;
    const config_setting_t *setting;
    size_t count;
    bool zipped; /* goes along with the others that are */
} scn_parameter;

/** What a group of variants sweeps. Starts with variant_count = 1 and nothing else. */
typedef struct scn_sweep {
    scn_parameter parameters[SCN_PARAMETERS_MAX]; /* sorted by key */
    size_t parameter_count;
    size_t variant_count; /* product of the counts, where those that are zipped count once */
} scn_sweep;

/** Words of letters, digits and "._+-" with one character of `more` between them. */
bool scn_is_word(const char *text, const char *more);

/** Adds a member of the group: a parameter, or the group `zip` of several that go together. */
base_status scn_sweep_add(const scn_settings *settings, const config_setting_t *member,
                          scn_sweep *sweep) BASE_MUST_CHECK;

/**
 * Writes the name of variant number `index`, "ist:radius=primary,voxels=64". The last key runs
 * fastest; zipped ones run in the place of the first of them.
 */
base_status scn_sweep_name(const scn_settings *settings, const config_setting_t *group,
                           const char *algorithm, const scn_sweep *sweep, size_t index,
                           char name[SCN_VARIANT_BYTES]) BASE_MUST_CHECK;

/** Expands the list `variants` into experiment->variants and what goes with each. */
base_status scn_read_variants(const scn_settings *settings, const config_setting_t *list,
                              scn_experiment *experiment) BASE_MUST_CHECK;

/* --- Scenarios -------------------------------------------------------------------------------- */

/** Reads the list `scenarios`; experiment->seed is the default of samplers. */
base_status scn_read_scenarios(const scn_settings *settings, const config_setting_t *list,
                               scn_experiment *experiment) BASE_MUST_CHECK;

/** Reads `trajectory` and the known answers of a scenario; the sampler's seed is set already. */
base_status scn_read_motion(const scn_settings *settings, const config_setting_t *group,
                            scn_motion *motion) BASE_MUST_CHECK;

/** A path that is relative to the experiment file, made relative to the working directory. */
base_status scn_resolve_path(const scn_settings *settings, char **path) BASE_MUST_CHECK;

#endif
