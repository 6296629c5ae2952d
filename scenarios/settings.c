#include "scenarios/settings.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Larger whole numbers are not all representable as double. */
#define WHOLE_MAX 9007199254740992.0

/* --- The file --------------------------------------------------------------------------------- */

/** Returns the end of the comment, text or name that begins at `at`; `at` itself if none begins
 * there. */
static const char *skip_token(const char *at)
{
    static const char name_letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789_-*";
    if (*at == '#' || strncmp(at, "//", 2) == 0) {
        return at + strcspn(at, "\n");
    }
    if (strncmp(at, "/*", 2) == 0) {
        const char *const end = strstr(at, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at == '"') {
        for (at++; *at && *at != '"'; at++) {
            at += at[0] == '\\' && at[1];
        }
        return at + (*at == '"');
    }
    return at + (isalpha((unsigned char)*at) || *at == '*' ? strspn(at, name_letters) : 0);
}

/** Rejects whole numbers that do not fit. libconfig would keep their lower bits. */
static base_status check_numbers(const scn_settings *settings, const char *text)
{
    for (const char *at = text; *at;) {
        const char *const token = skip_token(at);
        if (token != at || !isdigit((unsigned char)*at)) {
            at = token != at ? token : at + 1;
            continue;
        }
        const int base = at[0] == '0' && (at[1] == 'x' || at[1] == 'X') ? 16 : 10;
        char *end;
        errno = 0;
        const unsigned long long value = strtoull(at, &end, base);
        const bool real = base == 10 && (*end == '.' || *end == 'e' || *end == 'E');
        if (!real && (errno != 0 || value > (*end == 'L' ? LLONG_MAX : INT_MAX))) {
            size_t line = 1;
            for (const char *c = text; c < at; c++) {
                line += *c == '\n';
            }
            return base_fail(settings->err, BASE_ERR_INPUT,
                             "'%s' line %zu: whole number too large (up to 2147483647, with an L "
                             "behind it up to 2^63 - 1)",
                             settings->path, line);
        }
        at = real ? end + strspn(end, "0123456789.eE+-") : end;
    }
    return BASE_OK;
}

base_status scn_settings_open(const char *path, scn_settings *settings)
{
    settings->path = path;
    config_init(&settings->config);
    /* Disables @include, since an experiment is one file. The folder of included files is set to a
     * device, below which no file can be opened. */
    config_set_include_dir(&settings->config, "/dev/null");
    char *text = NULL;
    size_t size;
    base_status status = base_file_read(path, &text, &size, settings->err);
    if (status == BASE_OK && strlen(text) != size) {
        status = base_fail(settings->err, BASE_ERR_INPUT, "'%s': NUL byte, not a text file", path);
    }
    if (status == BASE_OK) {
        status = check_numbers(settings, text);
    }
    if (status == BASE_OK && !config_read_string(&settings->config, text)) {
        const char *const reason = config_error_text(&settings->config);
        const char *const advice = strstr(reason, "mismatched element")
                                       ? " (write 1.0 for 1 among reals)"
                                   : strstr(reason, "include file") ? " (an experiment is one file)"
                                                                    : "";
        status = base_fail(settings->err, BASE_ERR_INPUT, "'%s' line %d: %s%s", path,
                           config_error_line(&settings->config), reason, advice);
    }
    base_free(text);
    return status;
}

void scn_settings_close(scn_settings *settings)
{
    config_destroy(&settings->config);
}

base_status scn_settings_memory(const scn_settings *settings)
{
    return base_fail(settings->err, BASE_ERR_MEMORY, "'%s': out of memory", settings->path);
}

/* --- Settings --------------------------------------------------------------------------------- */

base_status scn_setting_fail(const scn_settings *settings, const config_setting_t *setting,
                             const char *format, ...)
{
    char reason[700];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    if (config_setting_is_root(setting)) {
        return base_fail(settings->err, BASE_ERR_INPUT, "'%s': %s", settings->path, reason);
    }
    return base_fail(settings->err, BASE_ERR_INPUT, "'%s' line %u: %s", settings->path,
                     config_setting_source_line(setting), reason);
}

static const char *type_name(const config_setting_t *setting)
{
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_GROUP:
        return "a group";
    case CONFIG_TYPE_LIST:
    case CONFIG_TYPE_ARRAY:
        return "a list";
    case CONFIG_TYPE_STRING:
        return "a text";
    case CONFIG_TYPE_BOOL:
        return "true or false";
    case CONFIG_TYPE_FLOAT:
        return "a real number";
    default:
        return "a whole number";
    }
}

/** Returns the name of a setting for messages. An element has the name of the innermost named list
 * around it. */
static const char *label(const config_setting_t *setting)
{
    const char *name = config_setting_name(setting);
    while (!name && setting) {
        setting = config_setting_parent(setting);
        name = setting ? config_setting_name(setting) : NULL;
    }
    return name ? name : "element";
}

static const char *element_of(const config_setting_t *setting)
{
    return config_setting_name(setting) ? "" : "an element of ";
}

static base_status fail_type(const scn_settings *settings, const config_setting_t *setting,
                             const char *wanted)
{
    return scn_setting_fail(settings, setting, "%s'%s' is %s, not %s", element_of(setting),
                            label(setting), type_name(setting), wanted);
}

base_status scn_setting_list(const scn_settings *settings, const config_setting_t *setting)
{
    if (!config_setting_is_list(setting) && !config_setting_is_array(setting)) {
        return fail_type(settings, setting, "a list");
    }
    return config_setting_length(setting) > 0
               ? BASE_OK
               : scn_setting_fail(settings, setting, "%s'%s' is empty", element_of(setting),
                                  label(setting));
}

base_status scn_setting_text(const scn_settings *settings, const config_setting_t *setting,
                             char **text)
{
    const char *const value = config_setting_get_string(setting);
    if (!value) {
        return fail_type(settings, setting, "a text");
    }
    if (*value == '\0') {
        return scn_setting_fail(settings, setting, "%s'%s' is empty", element_of(setting),
                                label(setting));
    }
    for (const char *c = value; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7f) {
            return scn_setting_fail(settings, setting, "%s'%s' has a control character",
                                    element_of(setting), label(setting));
        }
    }
    *text = base_arena_text(settings->arena, value);
    return *text ? BASE_OK : scn_settings_memory(settings);
}

base_status scn_setting_number(const scn_settings *settings, const config_setting_t *setting,
                               double least, double most, double *value)
{
    if (!config_setting_is_number(setting)) {
        return fail_type(settings, setting, "a number");
    }
    *value = config_setting_type(setting) == CONFIG_TYPE_FLOAT
                 ? config_setting_get_float(setting)
                 : (double)config_setting_get_int64(setting);
    if (!(*value >= least && *value <= most) || !isfinite(*value)) {
        return scn_setting_fail(settings, setting, "%s'%s' is %g: it must be from %g to %g",
                                element_of(setting), label(setting), *value, least, most);
    }
    return BASE_OK;
}

/** Reads into a uint64_t or a size_t, which are the same type on all supported machines. */
static base_status read_count(const scn_settings *settings, const config_setting_t *setting,
                              const scn_key *key, void *out)
{
    _Static_assert(sizeof(size_t) == sizeof(uint64_t), "counts go into both");
    if (!config_setting_is_number(setting)) {
        return fail_type(settings, setting, "a whole number");
    }
    long long whole = config_setting_get_int64(setting);
    if (config_setting_type(setting) == CONFIG_TYPE_FLOAT) {
        const double real = config_setting_get_float(setting);
        if (!(fabs(real) <= WHOLE_MAX) || real != floor(real)) {
            return fail_type(settings, setting, "a whole number");
        }
        whole = (long long)real;
    }
    const long long least = (long long)key->least;
    const long long most = key->most < 0x1p63 ? (long long)key->most : INT64_MAX;
    if (whole < least || whole > most) {
        return scn_setting_fail(settings, setting, "'%s' is %lld: it must be from %lld to %lld",
                                key->name, whole, least, most);
    }
    *(uint64_t *)out = (uint64_t)whole;
    return BASE_OK;
}

/* --- Groups ----------------------------------------------------------------------------------- */

const scn_key *scn_key_find(const scn_key *keys, const char *name)
{
    while (keys->name && strcmp(keys->name, name) != 0) {
        keys++;
    }
    return keys->name ? keys : NULL;
}

void scn_key_near(const scn_key *keys, const char *name, char *near, size_t size)
{
    const char *names[SCN_KEYS_MAX + 1] = {NULL};
    for (size_t k = 0; k < SCN_KEYS_MAX && keys[k].name; k++) {
        names[k] = keys[k].name;
    }
    base_text_near(name, names, near, size);
}

static base_status read_value(const scn_settings *settings, const config_setting_t *setting,
                              const scn_key *key, void *target)
{
    void *const out = (char *)target + key->offset;
    switch (key->type) {
    case SCN_TEXT:
        return scn_setting_text(settings, setting, out);
    case SCN_NUMBER:
        return scn_setting_number(settings, setting, key->least, key->most, out);
    case SCN_COUNT:
        return read_count(settings, setting, key, out);
    case SCN_FLAG:
        if (config_setting_type(setting) != CONFIG_TYPE_BOOL) {
            return scn_setting_fail(settings, setting, "'%s' is neither true nor false", key->name);
        }
        *(bool *)out = config_setting_get_bool(setting);
        return BASE_OK;
    case SCN_OTHER:
        break;
    }
    return key->read(settings, setting, out);
}

base_status scn_setting_members(const scn_settings *settings, const config_setting_t *group,
                                const scn_key *keys, void *target)
{
    for (const scn_key *key = keys; key->name; key++) {
        const config_setting_t *const setting = config_setting_get_member(group, key->name);
        if (!setting && key->required && key->required(target)) {
            const char *const name = config_setting_name(group);
            return scn_setting_fail(settings, group, "missing key '%s'%s%s%s", key->name,
                                    name ? " in '" : "", name ? name : "", name ? "'" : "");
        }
        const base_status status = setting ? read_value(settings, setting, key, target) : BASE_OK;
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

base_status scn_setting_group(const scn_settings *settings, const config_setting_t *setting,
                              const scn_key *keys, void *target)
{
    if (!config_setting_is_group(setting)) {
        return fail_type(settings, setting, "a group");
    }
    for (int i = 0; i < config_setting_length(setting); i++) {
        const config_setting_t *const member = config_setting_get_elem(setting, (unsigned)i);
        const char *const name = config_setting_name(member);
        if (!scn_key_find(keys, name)) {
            char near[256];
            scn_key_near(keys, name, near, sizeof near);
            return scn_setting_fail(settings, member, "unknown key '%s'%s", name, near);
        }
    }
    return scn_setting_members(settings, setting, keys, target);
}
