/** What a group of variants sweeps: its parameters, and the names that they make. */
#include "scenarios/experiment.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_SIZE = 64 };

/* Letters of names and of parameter values. Nothing that has a meaning in "name:key=value,...". */
static const char word_letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789._+-";

/** Letters of a parameter's name (algorithms.h). */
static const char key_letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";

/** What a group says beside parameters. */
static const char *const group_keys[] = {"algorithm", "triangle_limit", "optional", "zip", NULL};

bool scn_is_word(const char *text, const char *more)
{
    size_t letters = strspn(text, word_letters);
    while (letters > 0 && text[letters] && strchr(more, text[letters])) {
        text += letters + 1;
        letters = strspn(text, word_letters);
    }
    return letters > 0 && text[letters] == '\0';
}

/* --- Values ----------------------------------------------------------------------------------- */

/** The shortest digits that read back to the same double. */
static void format_real(double value, char *text, size_t size)
{
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            return;
        }
    }
}

static base_status fail_value(const scn_settings *settings, const config_setting_t *setting,
                              const char *key, const char *near)
{
    return scn_setting_fail(settings, setting,
                            "parameter '%s' is neither a number nor a text nor a list of them%s",
                            key, near);
}

/** One value as it stands in a variant's name. */
static base_status format_value(const scn_settings *settings, const config_setting_t *setting,
                                const char *key, char *text, size_t size)
{
    const char *word;
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64:
        snprintf(text, size, "%lld", config_setting_get_int64(setting));
        return BASE_OK;
    case CONFIG_TYPE_FLOAT:
        format_real(config_setting_get_float(setting), text, size);
        return isfinite(config_setting_get_float(setting))
                   ? BASE_OK
                   : scn_setting_fail(settings, setting, "'%s' is not finite", key);
    case CONFIG_TYPE_STRING:
        word = config_setting_get_string(setting);
        if (!scn_is_word(word, "") || strlen(word) >= size) {
            return scn_setting_fail(settings, setting, "'%s' cannot be the value of '%s'", word,
                                    key);
        }
        strcpy(text, word);
        return BASE_OK;
    default:
        return fail_value(settings, setting, key, "");
    }
}

/** Value `i` of a parameter. */
static const config_setting_t *value_of(const scn_parameter *p, size_t i)
{
    return config_setting_is_aggregate(p->setting)
               ? config_setting_get_elem(p->setting, (unsigned)i)
               : p->setting;
}

/* --- Parameters ------------------------------------------------------------------------------- */

/** A name that no parameter can have, or such a value, may be a slip of another key. */
static base_status check_key(const scn_settings *settings, const config_setting_t *member)
{
    const char *const key = config_setting_name(member);
    const int type = config_setting_type(member);
    char near[256];
    for (size_t i = 0; group_keys[i]; i++) {
        if (strcmp(group_keys[i], key) == 0) {
            return scn_setting_fail(settings, member, "'%s' is no parameter to zip", key);
        }
    }
    base_text_near(key, group_keys, near, sizeof near);
    if (key[strspn(key, key_letters)]) {
        return scn_setting_fail(settings, member, "unknown key '%s'%s", key, near);
    }
    return type == CONFIG_TYPE_BOOL || type == CONFIG_TYPE_GROUP
               ? fail_value(settings, member, key, near)
               : BASE_OK;
}

static int compare_parameters(const void *a, const void *b)
{
    return strcmp(((const scn_parameter *)a)->key, ((const scn_parameter *)b)->key);
}

/** Puts it among the parameters, without its part in the number of variants. */
static base_status append(const scn_settings *settings, const config_setting_t *member, bool zipped,
                          scn_sweep *sweep, size_t *count)
{
    const scn_parameter p = {
        .key = config_setting_name(member),
        .setting = member,
        .count = config_setting_is_aggregate(member) ? (size_t)config_setting_length(member) : 1,
        .zipped = zipped,
    };
    base_status status = check_key(settings, member);
    if (status == BASE_OK && config_setting_is_aggregate(member)) {
        status = scn_setting_list(settings, member);
    }
    for (size_t i = 0; i < sweep->parameter_count && status == BASE_OK; i++) {
        if (strcmp(sweep->parameters[i].key, p.key) == 0) {
            status = scn_setting_fail(settings, member, "parameter '%s' is there twice", p.key);
        }
    }
    if (status == BASE_OK && sweep->parameter_count == SCN_PARAMETERS_MAX) {
        status = scn_setting_fail(settings, member, "more than %d parameters", SCN_PARAMETERS_MAX);
    }
    for (size_t i = 0; i < p.count && status == BASE_OK; i++) {
        char text[VALUE_SIZE];
        status = format_value(settings, value_of(&p, i), p.key, text, sizeof text);
    }
    if (status == BASE_OK) {
        *count = p.count;
        sweep->parameters[sweep->parameter_count++] = p;
        qsort(sweep->parameters, sweep->parameter_count, sizeof p, compare_parameters);
    }
    return status;
}

/** Lists of one length, taken element by element. */
static base_status append_zip(const scn_settings *settings, const config_setting_t *zip,
                              scn_sweep *sweep, size_t *count)
{
    if (!config_setting_is_group(zip) || config_setting_length(zip) < 2) {
        return scn_setting_fail(settings, zip,
                                "'zip' is a group of two lists or more, of one length");
    }
    const config_setting_t *const first = config_setting_get_elem(zip, 0);
    const int length = config_setting_length(first);
    base_status status = BASE_OK;
    for (int i = 0; i < config_setting_length(zip) && status == BASE_OK; i++) {
        const config_setting_t *const list = config_setting_get_elem(zip, (unsigned)i);
        status = scn_setting_list(settings, list);
        if (status == BASE_OK && config_setting_length(list) != length) {
            return scn_setting_fail(settings, list,
                                    "'%s' has %d values, but '%s' has %d: lists in 'zip' are as "
                                    "long as each other",
                                    config_setting_name(list), config_setting_length(list),
                                    config_setting_name(first), length);
        }
        if (status == BASE_OK) {
            status = append(settings, list, true, sweep, count);
        }
    }
    return status;
}

base_status scn_sweep_add(const scn_settings *settings, const config_setting_t *member,
                          scn_sweep *sweep)
{
    size_t count = 1;
    const bool zip = strcmp(config_setting_name(member), "zip") == 0;
    const base_status status = zip ? append_zip(settings, member, sweep, &count)
                                   : append(settings, member, false, sweep, &count);
    if (status == BASE_OK && sweep->variant_count * count > SCN_VARIANTS_MAX) {
        return scn_setting_fail(settings, member, "more than %d variants", SCN_VARIANTS_MAX);
    }
    sweep->variant_count *= count;
    return status;
}

/* --- Names ------------------------------------------------------------------------------------ */

/** Splits the number of a variant into one index a parameter. */
static void split_index(const scn_sweep *sweep, size_t index, size_t indices[SCN_PARAMETERS_MAX])
{
    size_t rest = sweep->variant_count;
    const size_t *zip = NULL;
    for (size_t p = 0; p < sweep->parameter_count; p++) {
        const scn_parameter *const parameter = &sweep->parameters[p];
        if (parameter->zipped && zip) {
            indices[p] = *zip;
            continue;
        }
        rest /= parameter->count;
        indices[p] = index / rest % parameter->count;
        zip = parameter->zipped ? &indices[p] : zip;
    }
}

base_status scn_sweep_name(const scn_settings *settings, const config_setting_t *group,
                           const char *algorithm, const scn_sweep *sweep, size_t index,
                           char name[SCN_VARIANT_BYTES])
{
    size_t indices[SCN_PARAMETERS_MAX];
    split_index(sweep, index, indices);
    size_t length = (size_t)snprintf(name, SCN_VARIANT_BYTES, "%s", algorithm);
    for (size_t p = 0; p < sweep->parameter_count && length < SCN_VARIANT_BYTES; p++) {
        const scn_parameter *const parameter = &sweep->parameters[p];
        char value[VALUE_SIZE];
        const base_status status = format_value(settings, value_of(parameter, indices[p]),
                                                parameter->key, value, sizeof value);
        if (status != BASE_OK) {
            return status;
        }
        length += (size_t)snprintf(name + length, SCN_VARIANT_BYTES - length, "%c%s=%s",
                                   p == 0 ? ':' : ',', parameter->key, value);
    }
    return length < SCN_VARIANT_BYTES
               ? BASE_OK
               : scn_setting_fail(settings, group, "the name of a variant of '%s' is too long",
                                  algorithm);
}
