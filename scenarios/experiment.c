/** Experiment files. */
#include "scenarios/experiment.h"

#include "geometry/text.h"

#include <string.h>

static const char *const keys[] = {"name", "title",    "figure",    "mode",
                                   "seed", "variants", "scenarios", NULL};
static const char *const modes[] = {"smoke", "ci", "bench", "paper", NULL};

static geo_status read_name(const scn_settings *settings, const config_setting_t *root, char **name)
{
    config_setting_t *setting;
    geo_status status = scn_setting_member(settings, root, "name", &setting);
    if (status == GEO_OK) {
        status = scn_setting_text(settings, setting, name);
    }
    if (status == GEO_OK &&
        (*name)[strspn(*name, "abcdefghijklmnopqrstuvwxyz0123456789-")] != '\0') {
        return scn_setting_fail(settings, setting, "'%s' is no name of an experiment ([a-z0-9-])",
                                *name);
    }
    return status;
}

/** A text that may be missing. */
static geo_status read_text(const scn_settings *settings, const config_setting_t *root,
                            const char *key, char **text)
{
    const config_setting_t *const setting = config_setting_get_member(root, key);
    return setting ? scn_setting_text(settings, setting, text) : GEO_OK;
}

static geo_status read_mode(const scn_settings *settings, const config_setting_t *root, char **mode)
{
    const config_setting_t *const setting = config_setting_get_member(root, "mode");
    if (!setting) {
        *mode = scn_settings_copy(settings, "bench");
        return *mode ? GEO_OK : scn_settings_memory(settings);
    }
    const geo_status status = scn_setting_text(settings, setting, mode);
    if (status != GEO_OK) {
        return status;
    }
    for (int i = 0; modes[i]; i++) {
        if (strcmp(modes[i], *mode) == 0) {
            return GEO_OK;
        }
    }
    char near[256];
    geo_text_near(*mode, modes, near, sizeof near);
    return scn_setting_fail(settings, setting, "unknown mode '%s' (smoke, ci, bench or paper)%s",
                            *mode, near);
}

static geo_status read_head(const scn_settings *settings, const config_setting_t *root,
                            scn_experiment *experiment)
{
    geo_status status = read_name(settings, root, &experiment->name);
    experiment->title = experiment->name;
    if (status == GEO_OK) {
        status = read_text(settings, root, "title", &experiment->title);
    }
    if (status == GEO_OK) {
        status = read_text(settings, root, "figure", &experiment->figure);
    }
    if (status == GEO_OK) {
        status = read_mode(settings, root, &experiment->mode);
    }
    const config_setting_t *const seed = config_setting_get_member(root, "seed");
    experiment->seed = 1;
    if (status == GEO_OK && seed) {
        status = scn_setting_count(settings, seed, 0, INT64_MAX, &experiment->seed);
    }
    return status;
}

static geo_status read_experiment(const scn_settings *settings, scn_experiment *experiment)
{
    const config_setting_t *const root = config_root_setting(&settings->config);
    config_setting_t *variants, *scenarios;
    geo_status status = scn_setting_group(settings, root, keys);
    if (status == GEO_OK) {
        status = read_head(settings, root, experiment);
    }
    if (status == GEO_OK) {
        status = scn_setting_member(settings, root, "variants", &variants);
    }
    if (status == GEO_OK) {
        status = scn_setting_member(settings, root, "scenarios", &scenarios);
    }
    if (status == GEO_OK) {
        status = scn_read_variants(settings, variants, experiment);
    }
    return status == GEO_OK ? scn_read_scenarios(settings, scenarios, experiment) : status;
}

geo_status scn_experiment_read(const char *path, scn_experiment *experiment, geo_error *err)
{
    *experiment = (scn_experiment){0};
    scn_settings settings = {.arena = &experiment->arena, .err = err};
    geo_status status = scn_settings_open(path, &settings);
    if (status == GEO_OK) {
        status = read_experiment(&settings, experiment);
    }
    scn_settings_close(&settings);
    if (status != GEO_OK) {
        scn_experiment_release(experiment);
    }
    return status;
}

void scn_experiment_release(scn_experiment *experiment)
{
    geo_arena_release(&experiment->arena);
    *experiment = (scn_experiment){0};
}
