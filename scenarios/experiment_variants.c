/** Variants of an experiment: groups with lists become the product of them, zipped lists rows. */
#include "scenarios/experiment.h"

#include <stdbool.h>
#include <string.h>

typedef struct group {
    char *algorithm;
    size_t triangle_limit;
    bool optional;
    scn_sweep sweep;
} group;

static base_status read_algorithm(const scn_settings *settings, const config_setting_t *member,
                                  char **algorithm)
{
    const base_status status = scn_setting_text(settings, member, algorithm);
    if (status == BASE_OK && !scn_is_word(*algorithm, "")) {
        return scn_setting_fail(settings, member, "'%s' is no name of an algorithm", *algorithm);
    }
    return status;
}

static base_status read_optional(const scn_settings *settings, const config_setting_t *member,
                                 bool *optional)
{
    *optional = config_setting_get_bool(member);
    return config_setting_type(member) == CONFIG_TYPE_BOOL
               ? BASE_OK
               : scn_setting_fail(settings, member, "'optional' is neither true nor false");
}

static base_status read_group(const scn_settings *settings, const config_setting_t *setting,
                              group *g)
{
    config_setting_t *algorithm;
    base_status status = scn_setting_member(settings, setting, "algorithm", &algorithm);
    if (status == BASE_OK) {
        status = read_algorithm(settings, algorithm, &g->algorithm);
    }
    for (int i = 0; i < config_setting_length(setting) && status == BASE_OK; i++) {
        const config_setting_t *const member = config_setting_get_elem(setting, (unsigned)i);
        if (strcmp(config_setting_name(member), "triangle_limit") == 0) {
            uint64_t limit;
            status = scn_setting_count(settings, member, 0, UINT32_MAX, &limit);
            g->triangle_limit = status == BASE_OK ? (size_t)limit : 0;
        } else if (strcmp(config_setting_name(member), "optional") == 0) {
            status = read_optional(settings, member, &g->optional);
        } else if (member != algorithm) {
            status = scn_sweep_add(settings, member, &g->sweep);
        }
    }
    return status;
}

/** Are the two one name once it is a file's, with '_' for what stands between words? */
static bool is_same_file(const char *a, const char *b)
{
    while (*a && *b && (*a == *b || (strchr(":,_", *a) && strchr(":,_", *b)))) {
        a++;
        b++;
    }
    return *a == *b;
}

static base_status append_variant(const scn_settings *settings, const config_setting_t *setting,
                                  const char *text, const group *g, scn_experiment *experiment)
{
    for (size_t i = 0; i < experiment->variant_count; i++) {
        const char *const other = experiment->variants[i];
        if (is_same_file(other, text)) {
            return strcmp(other, text) == 0
                       ? scn_setting_fail(settings, setting, "variant '%s' is there twice", text)
                       : scn_setting_fail(settings, setting,
                                          "variants '%s' and '%s' would share a file of results",
                                          other, text);
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
    return BASE_OK;
}

/** An element of the list: makes room when counting, else appends. */
static base_status read_element(const scn_settings *settings, const config_setting_t *setting,
                                bool counting, size_t *count, scn_experiment *experiment)
{
    base_status status;
    if (!config_setting_is_group(setting)) {
        char *text;
        *count += 1;
        status = scn_setting_text(settings, setting, &text);
        if (status == BASE_OK && !scn_is_word(text, ":,=")) {
            status = scn_setting_fail(settings, setting, "'%s' is no name of a variant", text);
        }
        return status != BASE_OK || counting
                   ? status
                   : append_variant(settings, setting, text, &(group){0}, experiment);
    }
    group g = {.sweep.variant_count = 1};
    status = read_group(settings, setting, &g);
    *count += g.sweep.variant_count;
    for (size_t i = 0; i < g.sweep.variant_count && status == BASE_OK && !counting; i++) {
        char name[SCN_VARIANT_BYTES];
        status = scn_sweep_name(settings, setting, g.algorithm, &g.sweep, i, name);
        if (status == BASE_OK) {
            status = append_variant(settings, setting, name, &g, experiment);
        }
    }
    return status;
}

static base_status read_elements(const scn_settings *settings, const config_setting_t *list,
                                 bool counting, size_t *count, scn_experiment *experiment)
{
    base_status status = BASE_OK;
    *count = 0;
    for (int i = 0; i < config_setting_length(list) && status == BASE_OK; i++) {
        const config_setting_t *const element = config_setting_get_elem(list, (unsigned)i);
        status = read_element(settings, element, counting, count, experiment);
        if (status == BASE_OK && *count > SCN_VARIANTS_MAX) {
            status = scn_setting_fail(settings, element, "more than %d variants", SCN_VARIANTS_MAX);
        }
    }
    return status;
}

base_status scn_read_variants(const scn_settings *settings, const config_setting_t *list,
                              scn_experiment *experiment)
{
    size_t count = 0;
    base_status status = scn_setting_list(settings, list);
    if (status == BASE_OK) {
        status = read_elements(settings, list, true, &count, experiment);
    }
    if (status != BASE_OK) {
        return status;
    }
    experiment->variants = base_arena_alloc(&experiment->arena, count, sizeof(char *));
    experiment->triangle_limits = base_arena_alloc(&experiment->arena, count, sizeof(size_t));
    experiment->optional = base_arena_alloc(&experiment->arena, count, sizeof(bool));
    experiment->lines = base_arena_alloc(&experiment->arena, count, sizeof(unsigned));
    if (!experiment->variants || !experiment->triangle_limits || !experiment->optional ||
        !experiment->lines) {
        return scn_settings_memory(settings);
    }
    return read_elements(settings, list, false, &count, experiment);
}
