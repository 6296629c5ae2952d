/**
 * Typed access to a libconfig file, with errors that name the file and the line. Private to
 * scenarios/.
 *
 * All functions below return BASE_ERR_INPUT "'file' line n: reason" for what they do not find, and
 * texts are copied into the arena.
 */
#ifndef SCENARIOS_SETTINGS_H
#define SCENARIOS_SETTINGS_H

#include "base/arena.h"
#include "base/error.h"

#include <libconfig.h>
#include <stdint.h>

typedef struct scn_settings {
    const char *path; /* borrowed */
    config_t config;
    base_arena *arena; /* borrowed */
    base_error *err;   /* borrowed */
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
 * Errors   BASE_ERR_SYSTEM if it cannot be read. config needs scn_settings_close in any case.
 */
base_status scn_settings_open(const char *path, scn_settings *settings) BASE_MUST_CHECK;
void scn_settings_close(scn_settings *settings);

/** The error of a setting; returns BASE_ERR_INPUT. */
base_status scn_setting_fail(const scn_settings *settings, const config_setting_t *setting,
                             const char *format, ...) BASE_PRINTF(3, 4);

/** The setting is a group, and all its keys are among `keys` (NULL-terminated). */
base_status scn_setting_group(const scn_settings *settings, const config_setting_t *setting,
                              const char *const *keys) BASE_MUST_CHECK;
/** The setting is a list or an array that is not empty. */
base_status scn_setting_list(const scn_settings *settings,
                             const config_setting_t *setting) BASE_MUST_CHECK;
/** A member of a group that must be there. */
base_status scn_setting_member(const scn_settings *settings, const config_setting_t *group,
                               const char *key, config_setting_t **member) BASE_MUST_CHECK;

/** The value of a scalar setting. A text is not empty and of one line. */
base_status scn_setting_text(const scn_settings *settings, const config_setting_t *setting,
                             char **text) BASE_MUST_CHECK;
base_status scn_setting_number(const scn_settings *settings, const config_setting_t *setting,
                               scn_range range, double *value) BASE_MUST_CHECK;
base_status scn_setting_count(const scn_settings *settings, const config_setting_t *setting,
                              uint64_t least, uint64_t most, uint64_t *value) BASE_MUST_CHECK;

/** Copy of a text in the arena; NULL when out of memory. */
char *scn_settings_copy(const scn_settings *settings, const char *text);
/** What to return when the arena has no room. */
base_status scn_settings_memory(const scn_settings *settings);

#endif
