/** Experiment files. */
#include "scenarios/experiment.h"

#include "base/text.h"

#include <string.h>

enum { LAUNCHES_MAX = 1000, ROUNDS_MAX = 100, NAME_LENGTH_MAX = 100 };

static const char *const keys[] = {"name",     "title",     "figures", "mode",
                                   "seed",     "launches",  "rounds",  "baseline",
                                   "variants", "scenarios", NULL};
static const char *const modes[] = {"smoke", "ci", "bench", "paper", NULL};

/** A text that is a part of file names: of what `kind` says. */
static base_status read_word(const scn_settings *settings, const config_setting_t *setting,
                             const char *kind, char **word)
{
    const base_status status = scn_setting_text(settings, setting, word);
    if (status == BASE_OK &&
        (*word)[strspn(*word, "abcdefghijklmnopqrstuvwxyz0123456789-")] != '\0') {
        return scn_setting_fail(settings, setting, "'%s' is no name of %s ([a-z0-9-])", *word,
                                kind);
    }
    if (status == BASE_OK && strlen(*word) > NAME_LENGTH_MAX) {
        return scn_setting_fail(settings, setting, "'%.40s...' is too long for the name of %s",
                                *word, kind);
    }
    return status;
}

static base_status read_name(const scn_settings *settings, const config_setting_t *root,
                             char **name)
{
    config_setting_t *setting;
    const base_status status = scn_setting_member(settings, root, "name", &setting);
    return status == BASE_OK ? read_word(settings, setting, "an experiment", name) : status;
}

static base_status read_mode(const scn_settings *settings, const config_setting_t *root,
                             char **mode)
{
    const config_setting_t *const setting = config_setting_get_member(root, "mode");
    if (!setting) {
        *mode = scn_settings_copy(settings, "bench");
        return *mode ? BASE_OK : scn_settings_memory(settings);
    }
    const base_status status = scn_setting_text(settings, setting, mode);
    if (status != BASE_OK) {
        return status;
    }
    for (int i = 0; modes[i]; i++) {
        if (strcmp(modes[i], *mode) == 0) {
            return BASE_OK;
        }
    }
    char near[256];
    base_text_near(*mode, modes, near, sizeof near);
    return scn_setting_fail(settings, setting, "unknown mode '%s' (smoke, ci, bench or paper)%s",
                            *mode, near);
}

static base_status read_figures(const scn_settings *settings, const config_setting_t *root,
                                scn_experiment *experiment)
{
    const config_setting_t *const list = config_setting_get_member(root, "figures");
    if (!list) {
        return BASE_OK;
    }
    base_status status = scn_setting_list(settings, list);
    if (status != BASE_OK) {
        return status;
    }
    const size_t count = (size_t)config_setting_length(list);
    experiment->figures = base_arena_alloc(settings->arena, count, sizeof(char *));
    if (!experiment->figures) {
        return scn_settings_memory(settings);
    }
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        status = read_word(settings, config_setting_get_elem(list, (unsigned)i), "a figure",
                           &experiment->figures[i]);
    }
    experiment->figure_count = count;
    return status;
}

/** Launches or rounds; 0 when the mode says how many. */
static base_status read_repeats(const scn_settings *settings, const config_setting_t *root,
                                const char *key, uint64_t most, size_t *repeats)
{
    const config_setting_t *const setting = config_setting_get_member(root, key);
    uint64_t count = 0;
    const base_status status =
        setting ? scn_setting_count(settings, setting, 1, most, &count) : BASE_OK;
    *repeats = (size_t)count;
    return status;
}

static base_status read_head(const scn_settings *settings, const config_setting_t *root,
                             scn_experiment *experiment)
{
    base_status status = read_name(settings, root, &experiment->name);
    const config_setting_t *const title = config_setting_get_member(root, "title");
    experiment->title = experiment->name;
    if (status == BASE_OK && title) {
        status = scn_setting_text(settings, title, &experiment->title);
    }
    if (status == BASE_OK) {
        status = read_figures(settings, root, experiment);
    }
    if (status == BASE_OK) {
        status = read_mode(settings, root, &experiment->mode);
    }
    const config_setting_t *const seed = config_setting_get_member(root, "seed");
    experiment->seed = 1;
    if (status == BASE_OK && seed) {
        status = scn_setting_count(settings, seed, 0, INT64_MAX, &experiment->seed);
    }
    if (status == BASE_OK) {
        status = read_repeats(settings, root, "launches", LAUNCHES_MAX, &experiment->launches);
    }
    if (status == BASE_OK) {
        status = read_repeats(settings, root, "rounds", ROUNDS_MAX, &experiment->rounds);
    }
    return status;
}

/** Is it the same algorithm, whatever stands behind the colons? */
static bool is_of_family(const char *a, const char *b)
{
    const size_t length = strcspn(a, ":");
    return length == strcspn(b, ":") && strncmp(a, b, length) == 0;
}

/** A variant's algorithm at least: which spellings mean the same variant, suite/ alone knows. */
static base_status read_baseline(const scn_settings *settings, const config_setting_t *root,
                                 scn_experiment *experiment)
{
    const config_setting_t *const setting = config_setting_get_member(root, "baseline");
    char *text;
    const base_status status = setting ? scn_setting_text(settings, setting, &text) : BASE_OK;
    if (!setting || status != BASE_OK) {
        return status;
    }
    experiment->baseline_line = config_setting_source_line(setting);
    experiment->baseline = text;
    const char **const names =
        base_arena_alloc(settings->arena, experiment->variant_count + 1, sizeof *names);
    if (!names) {
        return scn_settings_memory(settings);
    }
    for (size_t i = 0; i < experiment->variant_count; i++) {
        names[i] = experiment->variants[i];
        if (is_of_family(names[i], text)) {
            return BASE_OK;
        }
    }
    char near[512];
    base_text_near(text, names, near, sizeof near);
    return scn_setting_fail(settings, setting, "the baseline '%s' is none of the variants%s", text,
                            near);
}

static base_status read_experiment(const scn_settings *settings, scn_experiment *experiment)
{
    const config_setting_t *const root = config_root_setting(&settings->config);
    config_setting_t *variants, *scenarios;
    base_status status = scn_setting_group(settings, root, keys);
    if (status == BASE_OK) {
        status = read_head(settings, root, experiment);
    }
    if (status == BASE_OK) {
        status = scn_setting_member(settings, root, "variants", &variants);
    }
    if (status == BASE_OK) {
        status = scn_setting_member(settings, root, "scenarios", &scenarios);
    }
    if (status == BASE_OK) {
        status = scn_read_variants(settings, variants, experiment);
    }
    if (status == BASE_OK) {
        status = read_baseline(settings, root, experiment);
    }
    return status == BASE_OK ? scn_read_scenarios(settings, scenarios, experiment) : status;
}

base_status scn_experiment_read(const char *path, scn_experiment *experiment, base_error *err)
{
    *experiment = (scn_experiment){0};
    scn_settings settings = {.arena = &experiment->arena, .err = err};
    base_status status = scn_settings_open(path, &settings);
    if (status == BASE_OK) {
        experiment->path = scn_settings_copy(&settings, path);
        status = experiment->path ? read_experiment(&settings, experiment)
                                  : scn_settings_memory(&settings);
    }
    scn_settings_close(&settings);
    if (status != BASE_OK) {
        scn_experiment_release(experiment);
    }
    return status;
}

void scn_experiment_release(scn_experiment *experiment)
{
    base_arena_release(&experiment->arena);
    *experiment = (scn_experiment){0};
}
