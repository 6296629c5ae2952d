#include "scenarios/settings.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Beyond it not every whole number is a double. */
#define WHOLE_MAX 9007199254740992.0

/* --- What libconfig would take in silence ----------------------------------------------------- */

/** A place in the file's text. */
typedef struct scanner {
    const char *at;
    size_t line;
} scanner;

static void skip_until(scanner *s, const char *end)
{
    const size_t length = strlen(end);
    while (*s->at && strncmp(s->at, end, length) != 0) {
        s->line += *s->at == '\n';
        s->at++;
    }
}

static void skip_string(scanner *s)
{
    for (s->at++; *s->at && *s->at != '"'; s->at++) {
        s->at += s->at[0] == '\\' && s->at[1];
        s->line += *s->at == '\n';
    }
    s->at += *s->at == '"';
}

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '*';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/** Passes a number; false for a whole one that does not fit. */
static bool pass_number(scanner *s)
{
    const bool hexadecimal = s->at[0] == '0' && (s->at[1] == 'x' || s->at[1] == 'X');
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(s->at, &end, hexadecimal ? 16 : 10);
    const bool overflow = errno == ERANGE;
    s->at = end;
    if (!hexadecimal && (*end == '.' || *end == 'e' || *end == 'E')) {
        while (is_digit(*s->at) || (*s->at && strchr(".eE", *s->at)) ||
               ((*s->at == '+' || *s->at == '-') && strchr("eE", s->at[-1]))) {
            s->at++;
        }
        return true;
    }
    const bool wide = *end == 'L';
    return !overflow &&
           value <= (wide ? (unsigned long long)LLONG_MAX : (unsigned long long)INT_MAX);
}

/** Passes one token, or a character of one; NULL, or what is wrong with it. */
static const char *pass_token(scanner *s)
{
    if (*s->at == '#' || strncmp(s->at, "//", 2) == 0) {
        skip_until(s, "\n");
    } else if (strncmp(s->at, "/*", 2) == 0) {
        skip_until(s, "*/");
    } else if (*s->at == '"') {
        skip_string(s);
    } else if (is_digit(*s->at)) {
        if (!pass_number(s)) {
            return "whole number too large (up to 2147483647, with an L behind it up to 2^63 - 1)";
        }
    } else if (is_name_char(*s->at)) {
        while (is_name_char(*s->at)) {
            s->at++;
        }
    } else if (strncmp(s->at, "@include", 8) == 0) {
        return "@include is not allowed: an experiment is one file";
    } else {
        s->line += *s->at == '\n';
        s->at++;
    }
    return NULL;
}

static base_status check_text(const scn_settings *settings, const char *text)
{
    scanner s = {text, 1};
    while (*s.at) {
        /* A sign belongs to no token here, but to a name when it stands inside of one. */
        s.at += s.at[0] == '-' && is_digit(s.at[1]);
        const char *const wrong = pass_token(&s);
        if (wrong) {
            return base_fail(settings->err, BASE_ERR_INPUT, "'%s' line %zu: %s", settings->path,
                             s.line, wrong);
        }
    }
    return BASE_OK;
}

/* --- The file --------------------------------------------------------------------------------- */

/** The whole file, with a 0 behind it; also what was read before an error is the caller's. */
static base_status read_text(const scn_settings *settings, char **text)
{
    size_t size;
    const base_status status = base_file_read(settings->path, text, &size, settings->err);
    if (status == BASE_OK && strlen(*text) != size) {
        return base_fail(settings->err, BASE_ERR_INPUT, "'%s': NUL byte, not a text file",
                         settings->path);
    }
    return status;
}

base_status scn_settings_open(const char *path, scn_settings *settings)
{
    settings->path = path;
    config_init(&settings->config);
    char *text = NULL;
    base_status status = read_text(settings, &text);
    if (status != BASE_OK) {
        goto done;
    }
    status = check_text(settings, text);
    if (status != BASE_OK) {
        goto done;
    }
    if (!config_read_string(&settings->config, text)) {
        const char *const reason = config_error_text(&settings->config);
        const bool mixed = strstr(reason, "mismatched element");
        status = base_fail(settings->err, BASE_ERR_INPUT, "'%s' line %d: %s%s", path,
                           config_error_line(&settings->config), reason,
                           mixed ? " (write 1.0 for 1 among reals)" : "");
    }
done:
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

/** What a message calls it: an element goes by the name of the list that it is somewhere in. */
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

/** Into a uint64_t or a size_t, which are one on all machines that this is built for. */
static base_status read_count(const scn_settings *settings, const config_setting_t *setting,
                              const scn_key *key, void *place)
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
    *(uint64_t *)place = (uint64_t)whole;
    return BASE_OK;
}

/* --- Groups ----------------------------------------------------------------------------------- */

bool scn_always(const void *target)
{
    (void)target;
    return true;
}

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
    void *const place = (char *)target + key->offset;
    switch (key->type) {
    case SCN_TEXT:
        return scn_setting_text(settings, setting, place);
    case SCN_NUMBER:
        return scn_setting_number(settings, setting, key->least, key->most, place);
    case SCN_COUNT:
        return read_count(settings, setting, key, place);
    case SCN_FLAG:
        if (config_setting_type(setting) != CONFIG_TYPE_BOOL) {
            return scn_setting_fail(settings, setting, "'%s' is neither true nor false", key->name);
        }
        *(bool *)place = config_setting_get_bool(setting);
        return BASE_OK;
    case SCN_OTHER:
        break;
    }
    return key->read(settings, setting, place);
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
