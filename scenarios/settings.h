/**
 * Typed access to a libconfig file, with errors that contain the file name and the line. Private to
 * scenarios/.
 *
 * All functions below return BASE_ERR_INPUT "'file' line n: reason" for a missing or invalid
 * setting, and BASE_ERR_MEMORY. Texts are copied into the arena.
 */
#ifndef SCENARIOS_SETTINGS_H
#define SCENARIOS_SETTINGS_H

#include "base/error.h"
#include "base/memory.h"

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
 * Parses the file. Rejects whole numbers that are too large for 32 bits and have no suffix L,
 * because libconfig keeps only their lower bits. Rejects @include, since an experiment is one file.
 *
 * Errors   BASE_ERR_SYSTEM if the file cannot be read. config needs scn_settings_close in any case.
 */
base_status scn_settings_open(const char *path, scn_settings *settings) BASE_MUST_CHECK;
void scn_settings_close(scn_settings *settings);

/** Sets the error of a setting; returns BASE_ERR_INPUT. */
base_status scn_setting_fail(const scn_settings *settings, const config_setting_t *setting,
                             const char *format, ...) BASE_PRINTF(3, 4);
/** Sets the error of a full arena; returns BASE_ERR_MEMORY. */
base_status scn_settings_memory(const scn_settings *settings);

/* --- Values ----------------------------------------------------------------------------------- */

/** Checks that the setting is a list or an array that is not empty. */
base_status scn_setting_list(const scn_settings *settings,
                             const config_setting_t *setting) BASE_MUST_CHECK;
/** Reads the value of a scalar setting. A text must be one line and not empty. */
base_status scn_setting_text(const scn_settings *settings, const config_setting_t *setting,
                             char **text) BASE_MUST_CHECK;
base_status scn_setting_number(const scn_settings *settings, const config_setting_t *setting,
                               double least, double most, double *value) BASE_MUST_CHECK;

/* --- Groups ----------------------------------------------------------------------------------- */

typedef enum scn_type {
    SCN_TEXT,   /* char * */
    SCN_NUMBER, /* double, from `least` to `most` */
    SCN_COUNT,  /* uint64_t or size_t, from `least` to `most` */
    SCN_FLAG,   /* bool */
    SCN_OTHER,  /* read by the function `read` */
} scn_type;

/** A key of a group: the type of its value, and its offset in the target. */
typedef struct scn_key {
    const char *name; /* NULL ends a table */
    scn_type type;
    bool (*required)(const void *target); /* called with the partly read target; NULL: never */
    size_t offset;                        /* offset in the target */
    double least, most; /* range of numbers and counts; 2^63: no limit of a count */
    /** SCN_OTHER: reads the setting into `out`, the target and `offset` bytes. */
    base_status (*read)(const scn_settings *settings, const config_setting_t *setting, void *out);
} scn_key;

enum { SCN_KEYS_MAX = 20 }; /* rows of a table, at most */

/** Returns the row of a key; NULL if the table does not have it. */
const scn_key *scn_key_find(const scn_key *keys, const char *name);
/** Writes "; did you mean 'x'?" with the keys that are similar to a name, as base_text_near
 * does. */
void scn_key_near(const scn_key *keys, const char *name, char *near, size_t size);

/** Reads a group in the order of the table. Other keys are an error; similar names are listed. */
base_status scn_setting_group(const scn_settings *settings, const config_setting_t *setting,
                              const scn_key *keys, void *target) BASE_MUST_CHECK;
/** Reads the keys of the table that a group has, and ignores all other keys. */
base_status scn_setting_members(const scn_settings *settings, const config_setting_t *group,
                                const scn_key *keys, void *target) BASE_MUST_CHECK;

#endif
