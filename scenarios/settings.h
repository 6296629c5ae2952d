/**
 * Typed access to a libconfig file, with errors that name the file and the line. Private to
 * scenarios/.
 *
 * All functions below return GEO_ERR_INPUT "'file' line n: reason" for what they do not find, and
 * texts are copied into the arena.
 */
#ifndef SCENARIOS_SETTINGS_H
#define SCENARIOS_SETTINGS_H

#include "geometry/geometry.h"

#include <libconfig.h>

typedef struct scn_settings {
    const char *path; /* borrowed */
    config_t config;
    geo_arena *arena; /* borrowed */
    geo_error *err;   /* borrowed */
} scn_settings;

/** Range of a number. */
typedef struct scn_range {
    double lo, hi;
} scn_range;

/**
 * Parses the file. Refuses what libconfig takes in silence: whole numbers too large for 32 bits
 * without an L behind them (it would keep their lower bits), and @include, since an experiment is
 * one file.
 *
 * Errors   GEO_ERR_SYSTEM if it cannot be read. config needs scn_settings_close in any case.
 */
geo_status scn_settings_open(const char *path, scn_settings *settings) GEO_MUST_CHECK;
void scn_settings_close(scn_settings *settings);

/** The error of a setting; returns GEO_ERR_INPUT. */
geo_status scn_setting_fail(const scn_settings *settings, const config_setting_t *setting,
                            const char *format, ...) GEO_PRINTF(3, 4);

/** The setting is a group, and all its keys are among `keys` (NULL-terminated). */
geo_status scn_setting_group(const scn_settings *settings, const config_setting_t *setting,
                             const char *const *keys) GEO_MUST_CHECK;
/** The setting is a list or an array that is not empty. */
geo_status scn_setting_list(const scn_settings *settings,
                            const config_setting_t *setting) GEO_MUST_CHECK;
/** A member of a group that must be there. */
geo_status scn_setting_member(const scn_settings *settings, const config_setting_t *group,
                              const char *key, config_setting_t **member) GEO_MUST_CHECK;

/** The value of a scalar setting. A text is not empty and of one line. */
geo_status scn_setting_text(const scn_settings *settings, const config_setting_t *setting,
                            char **text) GEO_MUST_CHECK;
geo_status scn_setting_number(const scn_settings *settings, const config_setting_t *setting,
                              scn_range range, double *value) GEO_MUST_CHECK;
geo_status scn_setting_count(const scn_settings *settings, const config_setting_t *setting,
                             uint64_t least, uint64_t most, uint64_t *value) GEO_MUST_CHECK;

/** Copy of a text in the arena; NULL when out of memory. */
char *scn_settings_copy(const scn_settings *settings, const char *text);
/** What to return when the arena has no room. */
geo_status scn_settings_memory(const scn_settings *settings);

#endif
