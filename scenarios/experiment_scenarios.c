/** Scenarios of an experiment. */
#include "scenarios/experiment.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { QUANTITIES_MAX = 4, NAME_LENGTH_MAX = 200 };

static const char name_letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-.";

static const char *const scenario_keys[] = {
    "name", "a", "b", "quantities", "trajectory", "known_distance_m", "known_volume_m3", NULL};

/** In the order of their masks, from 1. */
static const char *const quantity_names[] = {"distance", "volume", "unified", "contact", NULL};

/* --- Names and paths -------------------------------------------------------------------------- */

/** ".csv", and whatever else ends like a file of results: with a dot and letters behind it. */
static bool ends_like_file(const char *part, size_t length)
{
    size_t letters = 0;
    while (letters < length && part[length - 1 - letters] >= 'a' &&
           part[length - 1 - letters] <= 'z') {
        letters++;
    }
    return letters > 0 && letters < length && part[length - 1 - letters] == '.';
}

bool scn_is_scenario_name(const char *name)
{
    while (true) {
        const size_t length = strspn(name, name_letters);
        if (length == 0 || strspn(name, ".") == length) {
            return false;
        }
        if (name[length] == '\0') {
            return true;
        }
        if (name[length] != '/') {
            return false;
        }
        name += length + 1;
    }
}

/** The path of a folder of results, which no file of results can be in the way of. */
static base_status check_name(const scn_settings *settings, const config_setting_t *setting,
                              const char *name)
{
    if (!scn_is_scenario_name(name)) {
        return scn_setting_fail(settings, setting,
                                "'%s' is no name of a scenario ([a-z0-9.-] and '/' between)", name);
    }
    if (strlen(name) > NAME_LENGTH_MAX) {
        return scn_setting_fail(settings, setting,
                                "'%.40s...' is too long for the name of a scenario: %zu letters, "
                                "more than %d",
                                name, strlen(name), NAME_LENGTH_MAX);
    }
    for (const char *part = name; *part;) {
        const size_t length = strcspn(part, "/");
        if (ends_like_file(part, length)) {
            return scn_setting_fail(settings, setting,
                                    "'%s' is no name of a scenario: '%.*s' looks like a file, and "
                                    "it is to be a folder",
                                    name, (int)length, part);
        }
        part += length + (part[length] == '/');
    }
    return BASE_OK;
}

static base_status read_mesh(const scn_settings *settings, const config_setting_t *group,
                             const char *key, char **reference)
{
    config_setting_t *setting;
    base_status status = scn_setting_member(settings, group, key, &setting);
    if (status == BASE_OK) {
        status = scn_setting_text(settings, setting, reference);
    }
    if (status != BASE_OK) {
        return status;
    }
    base_error reason;
    if (scn_mesh_check(*reference, &reason) != BASE_OK) {
        return scn_setting_fail(settings, setting, "%s", reason.text);
    }
    return scn_mesh_is_file(*reference) ? scn_resolve_path(settings, reference) : BASE_OK;
}

/* --- Quantities ------------------------------------------------------------------------------- */

typedef struct quantities {
    unsigned masks[QUANTITIES_MAX];
    size_t count;
} quantities;

static base_status add_quantity(const scn_settings *settings, const config_setting_t *setting,
                                quantities *q)
{
    char *text;
    const base_status status = scn_setting_text(settings, setting, &text);
    if (status != BASE_OK) {
        return status;
    }
    unsigned mask = 1;
    while (quantity_names[mask - 1] && strcmp(quantity_names[mask - 1], text) != 0) {
        mask++;
    }
    if (!quantity_names[mask - 1]) {
        char near[256];
        base_text_near(text, quantity_names, near, sizeof near);
        return scn_setting_fail(settings, setting,
                                "unknown quantity '%s' (distance, volume, unified or contact)%s",
                                text, near);
    }
    for (size_t i = 0; i < q->count; i++) {
        if (q->masks[i] == mask) {
            return scn_setting_fail(settings, setting, "quantity '%s' is there twice", text);
        }
    }
    q->masks[q->count++] = mask;
    return BASE_OK;
}

static base_status read_quantities(const scn_settings *settings, const config_setting_t *group,
                                   quantities *q)
{
    config_setting_t *setting;
    base_status status = scn_setting_member(settings, group, "quantities", &setting);
    if (status != BASE_OK || !config_setting_is_aggregate(setting)) {
        return status == BASE_OK ? add_quantity(settings, setting, q) : status;
    }
    status = scn_setting_list(settings, setting);
    for (int i = 0; status == BASE_OK && i < config_setting_length(setting); i++) {
        status = add_quantity(settings, config_setting_get_elem(setting, (unsigned)i), q);
    }
    return status;
}

/* --- Scenarios -------------------------------------------------------------------------------- */

static base_status append_scenario(const scn_settings *settings, const config_setting_t *group,
                                   const scn_scenario *scenario, scn_experiment *experiment)
{
    for (size_t i = 0; i < experiment->scenario_count; i++) {
        if (strcmp(experiment->scenarios[i].name, scenario->name) == 0) {
            return scn_setting_fail(settings, group, "scenario '%s' is there twice",
                                    scenario->name);
        }
    }
    experiment->scenarios[experiment->scenario_count++] = *scenario;
    return BASE_OK;
}

/** One scenario for each quantity, with its name behind when there are several. */
static base_status append_scenarios(const scn_settings *settings, const config_setting_t *group,
                                    const scn_scenario *base, const quantities *q,
                                    scn_experiment *experiment)
{
    for (size_t i = 0; i < q->count; i++) {
        scn_scenario scenario = *base;
        scenario.quantities = q->masks[i];
        if (q->count > 1) {
            const char *const quantity = quantity_names[q->masks[i] - 1];
            const size_t size = strlen(base->name) + 1 + strlen(quantity) + 1;
            scenario.name = base_arena_alloc(settings->arena, size, 1);
            if (!scenario.name) {
                return scn_settings_memory(settings);
            }
            snprintf(scenario.name, size, "%s/%s", base->name, quantity);
        }
        const base_status status = append_scenario(settings, group, &scenario, experiment);
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

static base_status read_scenario(const scn_settings *settings, const config_setting_t *group,
                                 scn_experiment *experiment)
{
    scn_scenario scenario = {.motion.sampler.seed = experiment->seed};
    config_setting_t *name;
    quantities q = {.count = 0};
    base_status status = scn_setting_group(settings, group, scenario_keys);
    if (status == BASE_OK) {
        status = scn_setting_member(settings, group, "name", &name);
    }
    if (status == BASE_OK) {
        status = scn_setting_text(settings, name, &scenario.name);
    }
    if (status == BASE_OK) {
        status = check_name(settings, name, scenario.name);
    }
    if (status == BASE_OK) {
        status = read_mesh(settings, group, "a", &scenario.a);
    }
    if (status == BASE_OK) {
        status = read_mesh(settings, group, "b", &scenario.b);
    }
    if (status == BASE_OK) {
        status = read_quantities(settings, group, &q);
    }
    if (status == BASE_OK) {
        status = scn_read_motion(settings, group, &scenario.motion);
    }
    return status == BASE_OK ? append_scenarios(settings, name, &scenario, &q, experiment) : status;
}

base_status scn_read_scenarios(const scn_settings *settings, const config_setting_t *list,
                               scn_experiment *experiment)
{
    base_status status = scn_setting_list(settings, list);
    if (status != BASE_OK) {
        return status;
    }
    const size_t most = QUANTITIES_MAX * (size_t)config_setting_length(list);
    experiment->scenarios = base_arena_alloc(&experiment->arena, most, sizeof(scn_scenario));
    if (!experiment->scenarios) {
        return scn_settings_memory(settings);
    }
    for (int i = 0; i < config_setting_length(list) && status == BASE_OK; i++) {
        status = read_scenario(settings, config_setting_get_elem(list, (unsigned)i), experiment);
    }
    return status;
}
