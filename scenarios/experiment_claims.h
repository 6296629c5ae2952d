/** The list `claims` of an experiment file. Private to scenarios/. */
#ifndef SCENARIOS_EXPERIMENT_CLAIMS_H
#define SCENARIOS_EXPERIMENT_CLAIMS_H

#include "base/error.h"
#include "scenarios/settings.h"

/** Reads the list into the claims of `experiment`, a scn_experiment whose head has been read. */
base_status scn_read_claims(const scn_settings *settings, const config_setting_t *list,
                            void *experiment) BASE_MUST_CHECK;

#endif
