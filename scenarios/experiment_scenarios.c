/** Scenarios of an experiment. */
#include "scenarios/experiment.h"

#include "geometry/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { QUANTITIES_MAX = 4 };

static const char name_letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-.";

static const char *const scenario_keys[] = {"name", "a", "b", "quantities", "trajectory", NULL};
static const char *const sampler_keys[] = {"kind",   "target", "lo",   "hi",
                                           "frames", "seed",   "step", NULL};

/** In the order of their masks, from 1. */
static const char *const quantity_names[] = {"distance", "volume", "unified", "contact", NULL};

#define FRAMES_MAX ((uint64_t)100000000)

/* --- Names and paths -------------------------------------------------------------------------- */

/** A relative path that stays below where it starts. */
static bool is_scenario_name(const char *name)
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

/** A path that is relative to the experiment file, made relative to the working directory. */
static geo_status resolve_path(const scn_settings *settings, char **path)
{
    const char *const slash = strrchr(settings->path, '/');
    if ((*path)[0] == '/' || !slash) {
        return GEO_OK;
    }
    const size_t folder = (size_t)(slash - settings->path) + 1, length = strlen(*path);
    char *const joined = geo_arena_alloc(settings->arena, folder + length + 1, 1);
    if (!joined) {
        return scn_settings_memory(settings);
    }
    memcpy(joined, settings->path, folder);
    memcpy(joined + folder, *path, length + 1);
    *path = joined;
    return GEO_OK;
}

/** A model's name is checked here, where there is a line to point at. */
static geo_status check_model(const scn_settings *settings, const config_setting_t *setting,
                              const char *reference)
{
    enum { NAME_SIZE = 64, MODELS_MAX = 64 };
    char name[NAME_SIZE], near[256];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(reference, ":"), reference);
    if (scn_model_find(name)) {
        return GEO_OK;
    }
    const char *names[MODELS_MAX + 1] = {0};
    for (size_t i = 0; i < MODELS_MAX && scn_models[i].name; i++) {
        names[i] = scn_models[i].name;
    }
    geo_text_near(name, names, near, sizeof near);
    return scn_setting_fail(settings, setting, "unknown model '%s'%s", name, near);
}

static geo_status read_mesh(const scn_settings *settings, const config_setting_t *group,
                            const char *key, char **reference)
{
    config_setting_t *setting;
    geo_status status = scn_setting_member(settings, group, key, &setting);
    if (status == GEO_OK) {
        status = scn_setting_text(settings, setting, reference);
    }
    if (status != GEO_OK) {
        return status;
    }
    return scn_mesh_is_file(*reference) ? resolve_path(settings, reference)
                                        : check_model(settings, setting, *reference);
}

/* --- Samplers --------------------------------------------------------------------------------- */

/** The error of a parser of names, with the setting's line in front. */
static geo_status fail_parse(const scn_settings *settings, const config_setting_t *setting,
                             const geo_error *reason)
{
    return scn_setting_fail(settings, setting, "%s", reason->text);
}

static geo_status read_kind(const scn_settings *settings, const config_setting_t *group,
                            scn_sampler *sampler)
{
    config_setting_t *setting;
    char *text;
    geo_error reason;
    geo_status status = scn_setting_member(settings, group, "kind", &setting);
    if (status == GEO_OK) {
        status = scn_setting_text(settings, setting, &text);
    }
    if (status == GEO_OK && scn_sampler_kind_parse(text, &sampler->kind, &reason) != GEO_OK) {
        return fail_parse(settings, setting, &reason);
    }
    setting = config_setting_get_member(group, "target");
    if (status != GEO_OK || !setting) {
        return status;
    }
    status = scn_setting_text(settings, setting, &text);
    if (status == GEO_OK && scn_target_parse(text, &sampler->target, &reason) != GEO_OK) {
        return fail_parse(settings, setting, &reason);
    }
    if (status == GEO_OK && sampler->kind == SCN_GRID && sampler->target != SCN_TARGET_DISTANCE) {
        return scn_setting_fail(settings, setting, "sampler 'grid' takes distances only");
    }
    return status;
}

static geo_status read_number(const scn_settings *settings, const config_setting_t *group,
                              const char *key, scn_range range, double *value)
{
    const config_setting_t *const setting = config_setting_get_member(group, key);
    return setting ? scn_setting_number(settings, setting, range, value) : GEO_OK;
}

static geo_status read_values(const scn_settings *settings, const config_setting_t *group,
                              scn_sampler *sampler)
{
    const double most = sampler->target == SCN_TARGET_VOLUME ? 1 : 1000;
    geo_status status = read_number(settings, group, "lo", (scn_range){0, most}, &sampler->lo);
    config_setting_t *hi = NULL;
    sampler->hi = sampler->lo;
    if (status == GEO_OK && sampler->kind != SCN_TUMBLE) {
        status = scn_setting_member(settings, group, "hi", &hi);
    }
    if (status == GEO_OK) {
        status = read_number(settings, group, "hi", (scn_range){sampler->lo, most}, &sampler->hi);
    }
    return status;
}

static geo_status read_sampler(const scn_settings *settings, const config_setting_t *group,
                               scn_sampler *sampler)
{
    geo_status status = scn_setting_group(settings, group, sampler_keys);
    if (status == GEO_OK) {
        status = read_kind(settings, group, sampler);
    }
    if (status == GEO_OK) {
        status = read_values(settings, group, sampler);
    }
    if (status == GEO_OK) {
        status = read_number(settings, group, "step", (scn_range){1e-6, 1}, &sampler->step);
    }
    config_setting_t *setting;
    uint64_t frames;
    if (status == GEO_OK) {
        status = scn_setting_member(settings, group, "frames", &setting);
    }
    if (status == GEO_OK) {
        status = scn_setting_count(settings, setting, 1, FRAMES_MAX, &frames);
    }
    if (status != GEO_OK) {
        return status;
    }
    sampler->frames = (size_t)frames;
    setting = config_setting_get_member(group, "seed");
    return setting ? scn_setting_count(settings, setting, 0, INT64_MAX, &sampler->seed) : GEO_OK;
}

static geo_status read_motion(const scn_settings *settings, const config_setting_t *group,
                              scn_motion *motion)
{
    config_setting_t *setting;
    geo_status status = scn_setting_member(settings, group, "trajectory", &setting);
    if (status != GEO_OK || config_setting_is_group(setting)) {
        return status == GEO_OK ? read_sampler(settings, setting, &motion->sampler) : status;
    }
    if (config_setting_type(setting) != CONFIG_TYPE_STRING) {
        return scn_setting_fail(settings, setting,
                                "'trajectory' is neither a path nor a group { kind = ...; }");
    }
    status = scn_setting_text(settings, setting, &motion->path);
    return status == GEO_OK ? resolve_path(settings, &motion->path) : status;
}

/* --- Quantities ------------------------------------------------------------------------------- */

typedef struct quantities {
    unsigned masks[QUANTITIES_MAX];
    size_t count;
} quantities;

static geo_status add_quantity(const scn_settings *settings, const config_setting_t *setting,
                               quantities *q)
{
    char *text;
    const geo_status status = scn_setting_text(settings, setting, &text);
    if (status != GEO_OK) {
        return status;
    }
    unsigned mask = 1;
    while (quantity_names[mask - 1] && strcmp(quantity_names[mask - 1], text) != 0) {
        mask++;
    }
    if (!quantity_names[mask - 1]) {
        char near[256];
        geo_text_near(text, quantity_names, near, sizeof near);
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
    return GEO_OK;
}

static geo_status read_quantities(const scn_settings *settings, const config_setting_t *group,
                                  quantities *q)
{
    config_setting_t *setting;
    geo_status status = scn_setting_member(settings, group, "quantities", &setting);
    if (status != GEO_OK || !config_setting_is_aggregate(setting)) {
        return status == GEO_OK ? add_quantity(settings, setting, q) : status;
    }
    status = scn_setting_list(settings, setting);
    for (int i = 0; status == GEO_OK && i < config_setting_length(setting); i++) {
        status = add_quantity(settings, config_setting_get_elem(setting, (unsigned)i), q);
    }
    return status;
}

/* --- Scenarios -------------------------------------------------------------------------------- */

static geo_status append_scenario(const scn_settings *settings, const config_setting_t *group,
                                  const scn_scenario *scenario, scn_experiment *experiment)
{
    for (size_t i = 0; i < experiment->scenario_count; i++) {
        if (strcmp(experiment->scenarios[i].name, scenario->name) == 0) {
            return scn_setting_fail(settings, group, "scenario '%s' is there twice",
                                    scenario->name);
        }
    }
    experiment->scenarios[experiment->scenario_count++] = *scenario;
    return GEO_OK;
}

/** One scenario for each quantity, with its name behind when there are several. */
static geo_status append_scenarios(const scn_settings *settings, const config_setting_t *group,
                                   const scn_scenario *base, const quantities *q,
                                   scn_experiment *experiment)
{
    for (size_t i = 0; i < q->count; i++) {
        scn_scenario scenario = *base;
        scenario.quantities = q->masks[i];
        if (q->count > 1) {
            const char *const quantity = quantity_names[q->masks[i] - 1];
            const size_t size = strlen(base->name) + 1 + strlen(quantity) + 1;
            scenario.name = geo_arena_alloc(settings->arena, size, 1);
            if (!scenario.name) {
                return scn_settings_memory(settings);
            }
            snprintf(scenario.name, size, "%s/%s", base->name, quantity);
        }
        const geo_status status = append_scenario(settings, group, &scenario, experiment);
        if (status != GEO_OK) {
            return status;
        }
    }
    return GEO_OK;
}

static geo_status read_scenario(const scn_settings *settings, const config_setting_t *group,
                                scn_experiment *experiment)
{
    scn_scenario scenario = {.motion.sampler.seed = experiment->seed};
    config_setting_t *name;
    quantities q = {.count = 0};
    geo_status status = scn_setting_group(settings, group, scenario_keys);
    if (status == GEO_OK) {
        status = scn_setting_member(settings, group, "name", &name);
    }
    if (status == GEO_OK) {
        status = scn_setting_text(settings, name, &scenario.name);
    }
    if (status == GEO_OK && !is_scenario_name(scenario.name)) {
        return scn_setting_fail(settings, name,
                                "'%s' is no name of a scenario ([a-z0-9.-] and '/' between)",
                                scenario.name);
    }
    if (status == GEO_OK) {
        status = read_mesh(settings, group, "a", &scenario.a);
    }
    if (status == GEO_OK) {
        status = read_mesh(settings, group, "b", &scenario.b);
    }
    if (status == GEO_OK) {
        status = read_quantities(settings, group, &q);
    }
    if (status == GEO_OK) {
        status = read_motion(settings, group, &scenario.motion);
    }
    return status == GEO_OK ? append_scenarios(settings, name, &scenario, &q, experiment) : status;
}

geo_status scn_read_scenarios(const scn_settings *settings, const config_setting_t *list,
                              scn_experiment *experiment)
{
    geo_status status = scn_setting_list(settings, list);
    if (status != GEO_OK) {
        return status;
    }
    const size_t most = QUANTITIES_MAX * (size_t)config_setting_length(list);
    experiment->scenarios = geo_arena_alloc(&experiment->arena, most, sizeof(scn_scenario));
    if (!experiment->scenarios) {
        return scn_settings_memory(settings);
    }
    for (int i = 0; i < config_setting_length(list) && status == GEO_OK; i++) {
        status = read_scenario(settings, config_setting_get_elem(list, (unsigned)i), experiment);
    }
    return status;
}
