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
#include <stdbool.h>
#include <stdint.h>

typedef struct scn_settings {
    const char *path; /* borrowed */
    config_t config;
    base_arena *arena; /* borrowed */
    base_error *err;   /* borrowed */
} scn_settings;

/**
 * Parses the file. Also refuses whole numbers too large for 32 bits without an L behind them, of
 * which libconfig keeps the lower bits, and @include, since an experiment is one file.
 *
 * Errors   BASE_ERR_SYSTEM if it cannot be read. config needs scn_settings_close in any case.
 */
base_status scn_settings_open(const char *path, scn_settings *settings) BASE_MUST_CHECK;
void scn_settings_close(scn_settings *settings);

/** The error of a setting; returns BASE_ERR_INPUT. */
base_status scn_setting_fail(const scn_settings *settings, const config_setting_t *setting,
                             const char *format, ...) BASE_PRINTF(3, 4);
/** What to return when the arena has no room. */
base_status scn_settings_memory(const scn_settings *settings);

/* --- Values ----------------------------------------------------------------------------------- */

/** The setting is a list or an array that is not empty. */
base_status scn_setting_list(const scn_settings *settings,
                             const config_setting_t *setting) BASE_MUST_CHECK;
/** The value of a scalar setting. A text is not empty and of one line. */
base_status scn_setting_text(const scn_settings *settings, const config_setting_t *setting,
                             char **text) BASE_MUST_CHECK;
base_status scn_setting_number(const scn_settings *settings, const config_setting_t *setting,
                               double least, double most, double *value) BASE_MUST_CHECK;

/* --- Groups ----------------------------------------------------------------------------------- */

typedef enum scn_type {
    SCN_TEXT,   /* char * */
    SCN_NUMBER, /* double, from `least` to `most` */
    SCN_COUNT,  /* uint64_t or size_t, likewise */
    SCN_FLAG,   /* bool */
    SCN_OTHER,  /* what `read` makes of it */
} scn_type;

/** A key of a group: what its value is, and where in the target it goes. */
typedef struct scn_key {
    const char *name; /* NULL ends a table */
    scn_type type;
    bool (*required)(const void *target); /* as far as it is read; NULL: never */
    size_t offset;                        /* in the target */
    double least, most;                   /* of numbers and counts; a count's 2^63: as it comes */
    /** SCN_OTHER: reads the setting into `place`, the target and `offset` bytes. */
    base_status (*read)(const scn_settings *settings, const config_setting_t *setting, void *place);
} scn_key;

enum { SCN_KEYS_MAX = 16 }; /* rows of a table */

/** For keys that are required whatever else there is. */
bool scn_always(const void *target);
/** NULL when the table has no such key. */
const scn_key *scn_key_find(const scn_key *keys, const char *name);
/** Writes "; did you mean 'x'?" with the keys that are near to a name, as base_text_near does. */
void scn_key_near(const scn_key *keys, const char *name, char *near, size_t size);

/** Reads a group of no other keys than these (near names are listed), in the table's order. */
base_status scn_setting_group(const scn_settings *settings, const config_setting_t *setting,
                              const scn_key *keys, void *target) BASE_MUST_CHECK;
/** Likewise those of the keys that a group has, whatever else there is in it. */
base_status scn_setting_members(const scn_settings *settings, const config_setting_t *group,
                                const scn_key *keys, void *target) BASE_MUST_CHECK;

#endif
