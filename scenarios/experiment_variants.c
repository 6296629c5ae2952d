/** Variants of an experiment: groups with lists become the cartesian product of them. */
#include "scenarios/experiment.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETERS_MAX = 16, VALUE_SIZE = 64, TEXT_SIZE = 512, VARIANTS_MAX = 10000 };

/* Letters of names and of parameter values. Nothing that has a meaning in "name:key=value,...". */
static const char word_letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789._+-";

/** A key of a group, with its list of values or its one value. */
typedef struct parameter {
    const char *key;
    const config_setting_t *setting;
    size_t count;
} parameter;

typedef struct group {
    char *algorithm;
    size_t triangle_limit;
    bool optional;
    parameter parameters[PARAMETERS_MAX];
    size_t parameter_count;
    size_t variant_count; /* product of the counts */
} group;

/** Words with characters of `more` between them. */
static bool is_word(const char *text, const char *more)
{
    size_t letters = strspn(text, word_letters);
    while (letters > 0 && text[letters] && strchr(more, text[letters])) {
        text += letters + 1;
        letters = strspn(text, word_letters);
    }
    return letters > 0 && text[letters] == '\0';
}

static int compare_parameters(const void *a, const void *b)
{
    return strcmp(((const parameter *)a)->key, ((const parameter *)b)->key);
}

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

/** One value as it stands in a variant's name. */
static geo_status format_value(const scn_settings *settings, const config_setting_t *setting,
                               char *text, size_t size)
{
    const char *word;
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64:
        snprintf(text, size, "%lld", config_setting_get_int64(setting));
        return GEO_OK;
    case CONFIG_TYPE_FLOAT:
        format_real(config_setting_get_float(setting), text, size);
        return isfinite(config_setting_get_float(setting))
                   ? GEO_OK
                   : scn_setting_fail(settings, setting, "a parameter is not finite");
    case CONFIG_TYPE_STRING:
        word = config_setting_get_string(setting);
        if (!is_word(word, "") || strlen(word) >= size) {
            return scn_setting_fail(settings, setting, "'%s' cannot be a parameter's value", word);
        }
        strcpy(text, word);
        return GEO_OK;
    default:
        return scn_setting_fail(settings, setting,
                                "a parameter is a number or a text, or a list of them");
    }
}

/** Value `i` of a parameter. */
static const config_setting_t *value_of(const parameter *p, size_t i)
{
    return config_setting_is_aggregate(p->setting)
               ? config_setting_get_elem(p->setting, (unsigned)i)
               : p->setting;
}

static geo_status add_parameter(const scn_settings *settings, const config_setting_t *member,
                                group *g)
{
    parameter p = {config_setting_name(member), member, 1};
    if (config_setting_is_aggregate(member)) {
        const geo_status status = scn_setting_list(settings, member);
        if (status != GEO_OK) {
            return status;
        }
        p.count = (size_t)config_setting_length(member);
    }
    if (g->parameter_count == PARAMETERS_MAX) {
        return scn_setting_fail(settings, member, "more than %d parameters", PARAMETERS_MAX);
    }
    if (g->variant_count * p.count > VARIANTS_MAX) {
        return scn_setting_fail(settings, member, "more than %d variants", VARIANTS_MAX);
    }
    g->variant_count *= p.count;
    g->parameters[g->parameter_count++] = p;
    return GEO_OK;
}

static geo_status read_algorithm(const scn_settings *settings, const config_setting_t *member,
                                 char **algorithm)
{
    const geo_status status = scn_setting_text(settings, member, algorithm);
    if (status == GEO_OK && !is_word(*algorithm, "")) {
        return scn_setting_fail(settings, member, "'%s' is no name of an algorithm", *algorithm);
    }
    return status;
}

static geo_status read_optional(const scn_settings *settings, const config_setting_t *member,
                                bool *optional)
{
    *optional = config_setting_get_bool(member);
    return config_setting_type(member) == CONFIG_TYPE_BOOL
               ? GEO_OK
               : scn_setting_fail(settings, member, "'optional' is neither true nor false");
}

static geo_status read_group(const scn_settings *settings, const config_setting_t *setting,
                             group *g)
{
    config_setting_t *algorithm;
    geo_status status = scn_setting_member(settings, setting, "algorithm", &algorithm);
    if (status == GEO_OK) {
        status = read_algorithm(settings, algorithm, &g->algorithm);
    }
    for (int i = 0; i < config_setting_length(setting) && status == GEO_OK; i++) {
        const config_setting_t *const member = config_setting_get_elem(setting, (unsigned)i);
        if (strcmp(config_setting_name(member), "triangle_limit") == 0) {
            uint64_t limit;
            status = scn_setting_count(settings, member, 0, UINT32_MAX, &limit);
            g->triangle_limit = status == GEO_OK ? (size_t)limit : 0;
        } else if (strcmp(config_setting_name(member), "optional") == 0) {
            status = read_optional(settings, member, &g->optional);
        } else if (member != algorithm) {
            status = add_parameter(settings, member, g);
        }
    }
    qsort(g->parameters, g->parameter_count, sizeof *g->parameters, compare_parameters);
    return status;
}

static geo_status append_variant(const scn_settings *settings, const config_setting_t *setting,
                                 const char *text, const group *g, scn_experiment *experiment)
{
    for (size_t i = 0; i < experiment->variant_count; i++) {
        if (strcmp(experiment->variants[i], text) == 0) {
            return scn_setting_fail(settings, setting, "variant '%s' is there twice", text);
        }
    }
    char *const copy = scn_settings_copy(settings, text);
    if (!copy) {
        return scn_settings_memory(settings);
    }
    experiment->triangle_limits[experiment->variant_count] = g->triangle_limit;
    experiment->optional[experiment->variant_count] = g->optional;
    experiment->lines[experiment->variant_count] = config_setting_source_line(setting);
    experiment->variants[experiment->variant_count++] = copy;
    return GEO_OK;
}

/** Member number `index` of the product; the last key runs fastest. */
static geo_status append_member(const scn_settings *settings, const config_setting_t *setting,
                                const group *g, size_t index, scn_experiment *experiment)
{
    char text[TEXT_SIZE];
    size_t length = (size_t)snprintf(text, sizeof text, "%s", g->algorithm);
    size_t rest = g->variant_count;
    for (size_t p = 0; p < g->parameter_count; p++) {
        char value[VALUE_SIZE];
        const parameter *const chosen = &g->parameters[p];
        rest /= chosen->count;
        const config_setting_t *const picked = value_of(chosen, index / rest % chosen->count);
        const geo_status status = format_value(settings, picked, value, sizeof value);
        if (status != GEO_OK) {
            return status;
        }
        if (length < sizeof text) {
            length += (size_t)snprintf(text + length, sizeof text - length, "%c%s=%s",
                                       p == 0 ? ':' : ',', chosen->key, value);
        }
    }
    if (length >= sizeof text) {
        return scn_setting_fail(settings, setting, "the name of a variant of '%s' is too long",
                                g->algorithm);
    }
    return append_variant(settings, setting, text, g, experiment);
}

/** An element of the list: makes room when counting, else appends. */
static geo_status read_element(const scn_settings *settings, const config_setting_t *setting,
                               bool counting, size_t *count, scn_experiment *experiment)
{
    geo_status status;
    if (!config_setting_is_group(setting)) {
        char *text;
        *count += 1;
        status = scn_setting_text(settings, setting, &text);
        if (status == GEO_OK && !is_word(text, ":,=")) {
            status = scn_setting_fail(settings, setting, "'%s' is no name of a variant", text);
        }
        return status != GEO_OK || counting
                   ? status
                   : append_variant(settings, setting, text, &(group){0}, experiment);
    }
    group g = {.variant_count = 1};
    status = read_group(settings, setting, &g);
    *count += g.variant_count;
    for (size_t i = 0; i < g.variant_count && status == GEO_OK && !counting; i++) {
        status = append_member(settings, setting, &g, i, experiment);
    }
    return status;
}

static geo_status read_elements(const scn_settings *settings, const config_setting_t *list,
                                bool counting, size_t *count, scn_experiment *experiment)
{
    geo_status status = GEO_OK;
    *count = 0;
    for (int i = 0; i < config_setting_length(list) && status == GEO_OK; i++) {
        const config_setting_t *const element = config_setting_get_elem(list, (unsigned)i);
        status = read_element(settings, element, counting, count, experiment);
        if (status == GEO_OK && *count > VARIANTS_MAX) {
            status = scn_setting_fail(settings, element, "more than %d variants", VARIANTS_MAX);
        }
    }
    return status;
}

geo_status scn_read_variants(const scn_settings *settings, const config_setting_t *list,
                             scn_experiment *experiment)
{
    size_t count = 0;
    geo_status status = scn_setting_list(settings, list);
    if (status == GEO_OK) {
        status = read_elements(settings, list, true, &count, experiment);
    }
    if (status != GEO_OK) {
        return status;
    }
    experiment->variants = geo_arena_alloc(&experiment->arena, count, sizeof(char *));
    experiment->triangle_limits = geo_arena_alloc(&experiment->arena, count, sizeof(size_t));
    experiment->optional = geo_arena_alloc(&experiment->arena, count, sizeof(bool));
    experiment->lines = geo_arena_alloc(&experiment->arena, count, sizeof(unsigned));
    if (!experiment->variants || !experiment->triangle_limits || !experiment->optional ||
        !experiment->lines) {
        return scn_settings_memory(settings);
    }
    return read_elements(settings, list, false, &count, experiment);
}
