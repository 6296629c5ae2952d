/** Experiment files: the head, then scenarios, from what is asked to where the poses come from. */
#include "scenarios/experiment.h"

#include "base/text.h"
#include "geometry/pose.h"
#include "scenarios/experiment_claims.h"
#include "scenarios/experiment_variants.h"
#include "scenarios/models/models.h"
#include "scenarios/settings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WORD_LENGTH_MAX = 100, SCENARIO_LENGTH_MAX = 200, QUANTITIES_MAX = 16 };

#define FRAME_S 0.001

/** A path that is relative to the experiment file, made relative to the working directory. */
static base_status resolve_path(const scn_settings *settings, char **path)
{
    const char *const slash = strrchr(settings->path, '/');
    if ((*path)[0] == '/' || !slash) {
        return BASE_OK;
    }
    const size_t folder = (size_t)(slash - settings->path) + 1, length = strlen(*path);
    char *const joined = base_arena_alloc(settings->arena, folder + length + 1, 1);
    if (!joined) {
        return scn_settings_memory(settings);
    }
    memcpy(joined, settings->path, folder);
    memcpy(joined + folder, *path, length + 1);
    *path = joined;
    return BASE_OK;
}

/* --- Samplers --------------------------------------------------------------------------------- */

/** A value that the sampler would not look at is a misunderstanding. */
static base_status read_kind(const scn_settings *settings, const config_setting_t *setting,
                             void *place)
{
    scn_sampler_kind *const kind = place;
    char *text;
    base_error reason;
    const base_status status = scn_setting_text(settings, setting, &text);
    if (status != BASE_OK) {
        return status;
    }
    if (scn_sampler_kind_parse(text, kind, &reason) != BASE_OK) {
        return scn_setting_fail(settings, setting, "%s", reason.text);
    }
    static const char *const keys[] = {"target", "lo", "hi", "step", "hold", "ways"};
    const config_setting_t *const group = config_setting_parent(setting);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const config_setting_t *const idle = config_setting_get_member(group, keys[i]);
        if (idle && !scn_sampler_takes(*kind, keys[i])) {
            return scn_setting_fail(settings, idle, "sampler '%s' takes no '%s'",
                                    scn_sampler_kind_name(*kind), keys[i]);
        }
    }
    return BASE_OK;
}

static base_status read_target(const scn_settings *settings, const config_setting_t *setting,
                               void *place)
{
    scn_sampler *const sampler = place;
    char *text;
    base_error reason;
    const base_status status = scn_setting_text(settings, setting, &text);
    if (status != BASE_OK) {
        return status;
    }
    if (scn_target_parse(text, &sampler->target, &reason) != BASE_OK) {
        return scn_setting_fail(settings, setting, "%s", reason.text);
    }
    return sampler->kind == SCN_GRID && sampler->target != SCN_TARGET_DISTANCE
               ? scn_setting_fail(settings, setting, "sampler 'grid' takes distances only")
               : BASE_OK;
}

static double largest_value(const scn_sampler *sampler)
{
    return sampler->target == SCN_TARGET_VOLUME ? 1 : 1000;
}

static base_status read_lo(const scn_settings *settings, const config_setting_t *setting,
                           void *place)
{
    scn_sampler *const sampler = place;
    return scn_setting_number(settings, setting, 0, largest_value(sampler), &sampler->lo);
}

static base_status read_hi(const scn_settings *settings, const config_setting_t *setting,
                           void *place)
{
    scn_sampler *const sampler = place;
    return scn_setting_number(settings, setting, sampler->lo, largest_value(sampler), &sampler->hi);
}

static bool takes_hi(const void *sampler)
{
    return scn_sampler_takes(((const scn_sampler *)sampler)->kind, "hi");
}

static const scn_key sampler_keys[] = {
    {"kind", SCN_OTHER, scn_always, offsetof(scn_sampler, kind), 0, 0, read_kind},
    {"target", SCN_OTHER, NULL, 0, 0, 0, read_target},
    {"lo", SCN_OTHER, NULL, 0, 0, 0, read_lo},
    {"hi", SCN_OTHER, takes_hi, 0, 0, 0, read_hi},
    {"step", SCN_NUMBER, NULL, offsetof(scn_sampler, step), 1e-6, 1, NULL},
    {"hold", SCN_COUNT, NULL, offsetof(scn_sampler, hold), 1, SCN_HOLD_MAX, NULL},
    {"ways", SCN_COUNT, NULL, offsetof(scn_sampler, ways), 1, SCN_WAYS_MAX, NULL},
    {"frames", SCN_COUNT, scn_always, offsetof(scn_sampler, frames), 1, 1e8, NULL},
    {"seed", SCN_COUNT, NULL, offsetof(scn_sampler, seed), 0, 0x1p63, NULL},
    {NULL, SCN_OTHER, NULL, 0, 0, 0, NULL},
};

static base_status read_sampler(const scn_settings *settings, const config_setting_t *group,
                                scn_sampler *sampler)
{
    const base_status status = scn_setting_group(settings, group, sampler_keys, sampler);
    sampler->hi = takes_hi(sampler) ? sampler->hi : sampler->lo;
    return status;
}

/* --- Poses ------------------------------------------------------------------------------------ */

static base_status read_pose(const scn_settings *settings, const config_setting_t *list,
                             scn_frame *frame)
{
    double v[7] = {0, 0, 0, 0, 0, 0, 1};
    base_status status = scn_setting_list(settings, list);
    if (status != BASE_OK) {
        return status;
    }
    const int count = config_setting_length(list);
    if (count != 3 && count != 7) {
        return scn_setting_fail(
            settings, list, "a pose has 3 or 7 numbers (x, y, z, qx, qy, qz, qw), not %d", count);
    }
    for (int i = 0; i < count; i++) {
        status = scn_setting_number(settings, config_setting_get_elem(list, (unsigned)i), -1e15,
                                    1e15, &v[i]);
        if (status != BASE_OK) {
            return status;
        }
    }
    double length;
    return scn_pose_of_numbers(v, &frame->position, &frame->orientation, &length)
               ? BASE_OK
               : scn_setting_fail(settings, list, "quaternion of length %.6g, not 1", length);
}

static base_status read_poses(const scn_settings *settings, const config_setting_t *list,
                              scn_motion *motion)
{
    base_status status = scn_setting_list(settings, list);
    if (status != BASE_OK) {
        return status;
    }
    motion->frame_count = (size_t)config_setting_length(list);
    motion->frames = base_arena_alloc(settings->arena, motion->frame_count, sizeof(scn_frame));
    if (!motion->frames) {
        return scn_settings_memory(settings);
    }
    for (size_t i = 0; i < motion->frame_count && status == BASE_OK; i++) {
        scn_frame *const frame = &motion->frames[i];
        *frame = (scn_frame){.t_s = FRAME_S * (double)i, .target = NAN, .achieved = NAN};
        status = read_pose(settings, config_setting_get_elem(list, (unsigned)i), frame);
    }
    return status;
}

static base_status read_trajectory(const scn_settings *settings, const config_setting_t *setting,
                                   void *place)
{
    scn_motion *const motion = place;
    base_status status;
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_GROUP:
        return read_sampler(settings, setting, &motion->sampler);
    case CONFIG_TYPE_LIST:
    case CONFIG_TYPE_ARRAY:
        return read_poses(settings, setting, motion);
    case CONFIG_TYPE_STRING:
        status = scn_setting_text(settings, setting, &motion->path);
        return status == BASE_OK ? resolve_path(settings, &motion->path) : status;
    default:
        return scn_setting_fail(settings, setting,
                                "'trajectory' is neither a path nor a group { kind = ...; } nor a "
                                "list of poses");
    }
}

/* --- Known answers ---------------------------------------------------------------------------- */

/** One answer of the quantity `bit`: a number, or "a" or "b" for a volume. */
static base_status read_answer(const scn_settings *settings, const config_setting_t *setting,
                               unsigned bit, scn_known *known)
{
    const char *const text = config_setting_get_string(setting);
    if (text && bit == SCN_KNOWN_VOLUME && (strcmp(text, "a") == 0 || strcmp(text, "b") == 0)) {
        known->mask |= *text == 'a' ? SCN_KNOWN_WHOLE_A : SCN_KNOWN_WHOLE_B;
        return BASE_OK;
    }
    known->mask |= bit;
    return scn_setting_number(settings, setting, 0, 1e60,
                              bit == SCN_KNOWN_VOLUME ? &known->volume_m3 : &known->distance_m);
}

/** One answer for all frames, or a list with one for each pose. */
static base_status read_answers(const scn_settings *settings, const config_setting_t *setting,
                                unsigned bit, scn_motion *motion)
{
    if (!config_setting_is_aggregate(setting)) {
        return read_answer(settings, setting, bit, &motion->known);
    }
    base_status status = scn_setting_list(settings, setting);
    if (status != BASE_OK) {
        return status;
    }
    const char *const key = config_setting_name(setting);
    const size_t count = (size_t)config_setting_length(setting);
    if (!motion->frames) {
        return scn_setting_fail(
            settings, setting, "'%s' is a list, which needs a list of poses: say one for all", key);
    }
    if (count != motion->frame_count) {
        return scn_setting_fail(settings, setting, "'%s' has %zu answers for a list of %zu poses",
                                key, count, motion->frame_count);
    }
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        status = read_answer(settings, config_setting_get_elem(setting, (unsigned)i), bit,
                             &motion->frames[i].known);
    }
    return status;
}

static base_status read_known_distance(const scn_settings *settings,
                                       const config_setting_t *setting, void *motion)
{
    return read_answers(settings, setting, SCN_KNOWN_DISTANCE, motion);
}

static base_status read_known_volume(const scn_settings *settings, const config_setting_t *setting,
                                     void *motion)
{
    return read_answers(settings, setting, SCN_KNOWN_VOLUME, motion);
}

/* --- Names of scenarios ----------------------------------------------------------------------- */

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

/** The first part of a path that looks like a file; NULL when none does. */
static const char *find_file(const char *name)
{
    for (const char *part = name; *part;) {
        const size_t length = strcspn(part, "/");
        if (ends_like_file(part, length)) {
            return part;
        }
        part += length + (part[length] == '/');
    }
    return NULL;
}

/** A relative path that stays below where it starts. */
static bool is_path(const char *name)
{
    while (true) {
        const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-.");
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

bool scn_is_scenario_name(const char *name)
{
    return is_path(name) && strlen(name) <= SCENARIO_LENGTH_MAX && !find_file(name);
}

/** The path of a folder of results, which no file of results can be in the way of. */
static base_status read_scenario_name(const scn_settings *settings, const config_setting_t *setting,
                                      void *place)
{
    const base_status status = scn_setting_text(settings, setting, place);
    if (status != BASE_OK) {
        return status;
    }
    const char *const name = *(char **)place, *const file = find_file(name);
    if (!is_path(name)) {
        return scn_setting_fail(settings, setting,
                                "'%s' is no name of a scenario ([a-z0-9.-] and '/' between)", name);
    }
    if (strlen(name) > SCENARIO_LENGTH_MAX) {
        return scn_setting_fail(settings, setting,
                                "'%.40s...' is too long for the name of a scenario: %zu letters, "
                                "more than %d",
                                name, strlen(name), SCENARIO_LENGTH_MAX);
    }
    return file ? scn_setting_fail(settings, setting,
                                   "'%s' is no name of a scenario: '%.*s' looks like a file, and "
                                   "it is to be a folder",
                                   name, (int)strcspn(file, "/"), file)
                : BASE_OK;
}

/* --- Scenarios -------------------------------------------------------------------------------- */

/** A scenario as it stands in the file: one for each of what is asked. */
typedef struct asked_scenario {
    scn_scenario scenario;
    char *quantities[QUANTITIES_MAX];
    unsigned lines[QUANTITIES_MAX];
    size_t count;
} asked_scenario;

static base_status add_quantity(const scn_settings *settings, const config_setting_t *setting,
                                asked_scenario *s)
{
    char *text;
    const base_status status = scn_setting_text(settings, setting, &text);
    if (status != BASE_OK) {
        return status;
    }
    if (*text == '\0' || strspn(text, "abcdefghijklmnopqrstuvwxyz+") != strlen(text)) {
        return scn_setting_fail(settings, setting, "'%s' is no name of a quantity", text);
    }
    if (s->count == QUANTITIES_MAX) {
        return scn_setting_fail(settings, setting, "over %d quantities", QUANTITIES_MAX);
    }
    for (size_t i = 0; i < s->count; i++) {
        if (strcmp(s->quantities[i], text) == 0) {
            return scn_setting_fail(settings, setting, "quantity '%s' is there twice", text);
        }
    }
    s->lines[s->count] = config_setting_source_line(setting);
    s->quantities[s->count++] = text;
    return BASE_OK;
}

static base_status read_quantities(const scn_settings *settings, const config_setting_t *setting,
                                   void *place)
{
    if (!config_setting_is_aggregate(setting)) {
        return add_quantity(settings, setting, place);
    }
    base_status status = scn_setting_list(settings, setting);
    for (int i = 0; status == BASE_OK && i < config_setting_length(setting); i++) {
        status = add_quantity(settings, config_setting_get_elem(setting, (unsigned)i), place);
    }
    return status;
}

static base_status read_mesh(const scn_settings *settings, const config_setting_t *setting,
                             void *reference)
{
    char **const text = reference;
    base_status status = scn_setting_text(settings, setting, text);
    if (status == BASE_OK && scn_mesh_is_file(*text)) {
        status = resolve_path(settings, text);
    }
    if (status != BASE_OK) {
        return status;
    }
    base_error reason;
    return scn_mesh_check(*text, &reason) == BASE_OK
               ? BASE_OK
               : scn_setting_fail(settings, setting, "%s", reason.text);
}

#define IN_SCENARIO(member) offsetof(asked_scenario, scenario.member)
static const scn_key scenario_keys[] = {
    {"name", SCN_OTHER, scn_always, IN_SCENARIO(name), 0, 0, read_scenario_name},
    {"a", SCN_OTHER, scn_always, IN_SCENARIO(a), 0, 0, read_mesh},
    {"b", SCN_OTHER, scn_always, IN_SCENARIO(b), 0, 0, read_mesh},
    {"quantities", SCN_OTHER, scn_always, 0, 0, 0, read_quantities},
    {"trajectory", SCN_OTHER, scn_always, IN_SCENARIO(motion), 0, 0, read_trajectory},
    {"known_distance_m", SCN_OTHER, NULL, IN_SCENARIO(motion), 0, 0, read_known_distance},
    {"known_volume_m3", SCN_OTHER, NULL, IN_SCENARIO(motion), 0, 0, read_known_volume},
    {"tolerance", SCN_TEXT, NULL, IN_SCENARIO(tolerance), 0, 0, NULL},
    {"variants", SCN_TEXT, NULL, IN_SCENARIO(variants), 0, 0, NULL},
    {"optional", SCN_FLAG, NULL, IN_SCENARIO(optional), 0, 0, NULL},
    {NULL, SCN_OTHER, NULL, 0, 0, 0, NULL},
};

/** Appends one scenario for each quantity, with its name behind when there are several. */
static base_status append_scenarios(const scn_settings *settings, const config_setting_t *group,
                                    const asked_scenario *s, scn_experiment *experiment)
{
    const config_setting_t *const place = config_setting_get_member(group, "name");
    for (size_t q = 0; q < s->count; q++) {
        scn_scenario scenario = s->scenario;
        scenario.quantity = s->quantities[q];
        scenario.quantity_line = s->lines[q];
        if (s->count > 1) {
            char name[SCENARIO_LENGTH_MAX + 128];
            snprintf(name, sizeof name, "%s/%.100s", scenario.name, scenario.quantity);
            for (char *plus = strchr(name, '+'); plus; plus = strchr(plus, '+')) {
                *plus = '-'; /* which names of scenarios may hold */
            }
            scenario.name = base_arena_text(settings->arena, name);
            if (!scenario.name) {
                return scn_settings_memory(settings);
            }
        }
        for (size_t i = 0; i < experiment->scenario_count; i++) {
            if (strcmp(experiment->scenarios[i].name, scenario.name) == 0) {
                return scn_setting_fail(settings, place, "scenario '%s' is there twice",
                                        scenario.name);
            }
        }
        experiment->scenarios[experiment->scenario_count++] = scenario;
    }
    return BASE_OK;
}

static base_status read_scenarios(const scn_settings *settings, const config_setting_t *list,
                                  void *place)
{
    scn_experiment *const experiment = place;
    base_status status = scn_setting_list(settings, list);
    if (status != BASE_OK) {
        return status;
    }
    const size_t most = QUANTITIES_MAX * (size_t)config_setting_length(list);
    experiment->scenarios = base_arena_alloc(settings->arena, most, sizeof(scn_scenario));
    if (!experiment->scenarios) {
        return scn_settings_memory(settings);
    }
    for (int i = 0; i < config_setting_length(list) && status == BASE_OK; i++) {
        const config_setting_t *const group = config_setting_get_elem(list, (unsigned)i);
        asked_scenario s = {.scenario.motion.sampler.seed = experiment->seed};
        status = scn_setting_group(settings, group, scenario_keys, &s);
        if (status == BASE_OK) {
            status = append_scenarios(settings, group, &s, experiment);
        }
    }
    return status;
}

/* --- The head --------------------------------------------------------------------------------- */

const char *const scn_mode_names[SCN_MODE_COUNT + 1] = {
    [SCN_SMOKE] = "smoke", [SCN_CI] = "ci", [SCN_BENCH] = "bench", [SCN_PAPER] = "paper"};

scn_mode scn_mode_find(const char *name)
{
    int mode = 0;
    while (mode < SCN_MODE_COUNT && strcmp(scn_mode_names[mode], name) != 0) {
        mode++;
    }
    return (scn_mode)mode;
}

/** A text that is a part of file names: of what `kind` says. */
static base_status read_word(const scn_settings *settings, const config_setting_t *setting,
                             const char *kind, char **word)
{
    const base_status status = scn_setting_text(settings, setting, word);
    if (status != BASE_OK) {
        return status;
    }
    if ((*word)[strspn(*word, "abcdefghijklmnopqrstuvwxyz0123456789-")]) {
        return scn_setting_fail(settings, setting, "'%s' is no name of %s ([a-z0-9-])", *word,
                                kind);
    }
    return strlen(*word) <= WORD_LENGTH_MAX
               ? BASE_OK
               : scn_setting_fail(settings, setting, "'%.40s...' is too long for the name of %s",
                                  *word, kind);
}

static base_status read_name(const scn_settings *settings, const config_setting_t *setting,
                             void *name)
{
    return read_word(settings, setting, "an experiment", name);
}

static base_status read_figures(const scn_settings *settings, const config_setting_t *list,
                                void *place)
{
    scn_experiment *const experiment = place;
    base_status status = scn_setting_list(settings, list);
    if (status != BASE_OK) {
        return status;
    }
    const size_t count = (size_t)config_setting_length(list);
    experiment->figures = base_arena_alloc(settings->arena, count, sizeof *experiment->figures);
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

static base_status read_minutes(const scn_settings *settings, const config_setting_t *list,
                                void *place)
{
    double *const minutes = place;
    base_status status = scn_setting_list(settings, list);
    if (status == BASE_OK && config_setting_length(list) != SCN_MINUTES_COUNT) {
        return scn_setting_fail(settings, list, "minutes are two numbers: in full and in smoke");
    }
    for (unsigned i = 0; i < SCN_MINUTES_COUNT && status == BASE_OK; i++) {
        status =
            scn_setting_number(settings, config_setting_get_elem(list, i), 0.1, 1e5, &minutes[i]);
    }
    return status;
}

static base_status read_mode(const scn_settings *settings, const config_setting_t *setting,
                             void *place)
{
    char **const mode = place;
    const base_status status = scn_setting_text(settings, setting, mode);
    if (status != BASE_OK) {
        return status;
    }
    if (scn_mode_find(*mode) != SCN_MODE_COUNT) {
        return BASE_OK;
    }
    char near[256], choices[64];
    base_text_near(*mode, scn_mode_names, near, sizeof near);
    base_text_choices(scn_mode_names, choices, sizeof choices);
    return scn_setting_fail(settings, setting, "unknown mode '%s' (%s)%s", *mode, choices, near);
}

static base_status read_builds(const scn_settings *settings, const config_setting_t *setting,
                               void *timed)
{
    static const char *const words[] = {"kept", "timed", NULL};
    char *text, near[256];
    const base_status status = scn_setting_text(settings, setting, &text);
    if (status != BASE_OK) {
        return status;
    }
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], text) == 0) {
            *(bool *)timed = i == 1;
            return BASE_OK;
        }
    }
    base_text_near(text, words, near, sizeof near);
    return scn_setting_fail(settings, setting, "builds are \"kept\" or \"timed\", not '%s'%s", text,
                            near);
}

/** Is it the same algorithm, whatever stands behind the colons? */
static bool is_of_family(const char *a, const char *b)
{
    const size_t length = strcspn(a, ":");
    return length == strcspn(b, ":") && strncmp(a, b, length) == 0;
}

/** A variant's algorithm at least: which spellings mean the same variant, suite/ alone knows. */
static base_status read_baseline(const scn_settings *settings, const config_setting_t *setting,
                                 void *place)
{
    scn_experiment *const experiment = place;
    char *text;
    const base_status status = scn_setting_text(settings, setting, &text);
    if (status != BASE_OK) {
        return status;
    }
    experiment->baseline = text;
    experiment->baseline_line = config_setting_source_line(setting);
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

/** In the order in which they need each other. */
#define IN_EXPERIMENT(member) offsetof(scn_experiment, member)
static const scn_key experiment_keys[] = {
    {"name", SCN_OTHER, scn_always, IN_EXPERIMENT(name), 0, 0, read_name},
    {"title", SCN_TEXT, NULL, IN_EXPERIMENT(title), 0, 0, NULL},
    {"paper", SCN_TEXT, NULL, IN_EXPERIMENT(paper), 0, 0, NULL},
    {"item", SCN_TEXT, NULL, IN_EXPERIMENT(item), 0, 0, NULL},
    {"minutes", SCN_OTHER, NULL, IN_EXPERIMENT(minutes), 0, 0, read_minutes},
    {"figures", SCN_OTHER, NULL, 0, 0, 0, read_figures},
    {"mode", SCN_OTHER, NULL, IN_EXPERIMENT(mode), 0, 0, read_mode},
    {"seed", SCN_COUNT, NULL, IN_EXPERIMENT(seed), 0, 0x1p63, NULL},
    {"launches", SCN_COUNT, NULL, IN_EXPERIMENT(launches), 1, SCN_LAUNCHES_MAX, NULL},
    {"rounds", SCN_COUNT, NULL, IN_EXPERIMENT(rounds), 1, SCN_ROUNDS_MAX, NULL},
    {"builds", SCN_OTHER, NULL, IN_EXPERIMENT(timed_builds), 0, 0, read_builds},
    {"variants", SCN_OTHER, scn_always, 0, 0, 0, scn_read_variants},
    {"baseline", SCN_OTHER, NULL, 0, 0, 0, read_baseline},
    {"scenarios", SCN_OTHER, scn_always, 0, 0, 0, read_scenarios},
    {"claims", SCN_OTHER, NULL, 0, 0, 0, scn_read_claims},
    {NULL, SCN_OTHER, NULL, 0, 0, 0, NULL},
};

static base_status read_experiment(const scn_settings *settings, scn_experiment *experiment)
{
    experiment->seed = 1;
    experiment->path = base_arena_text(settings->arena, settings->path);
    experiment->mode = base_arena_text(settings->arena, scn_mode_names[SCN_BENCH]);
    if (!experiment->path || !experiment->mode) {
        return scn_settings_memory(settings);
    }
    const config_setting_t *const root = config_root_setting(&settings->config);
    const base_status status = scn_setting_group(settings, root, experiment_keys, experiment);
    experiment->title = experiment->title ? experiment->title : experiment->name;
    return status;
}

base_status scn_experiment_read(const char *path, scn_experiment *experiment, base_error *err)
{
    *experiment = (scn_experiment){0};
    scn_settings settings = {.arena = &experiment->arena, .err = err};
    base_status status = scn_settings_open(path, &settings);
    if (status == BASE_OK) {
        status = read_experiment(&settings, experiment);
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
