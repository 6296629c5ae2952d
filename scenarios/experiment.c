/** Experiment files: samplers, poses, known answers, scenarios, variants, claims and the head. */
#include "scenarios/experiment.h"

#include "base/text.h"
#include "geometry/pose.h"
#include "scenarios/models/models.h"
#include "scenarios/settings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_LENGTH_MAX = 100, SCENARIO_LENGTH_MAX = 200, QUANTITIES_MAX = 16 };

#define FRAME_S 0.001

/** Makes a path that is relative to the experiment file relative to the working directory. */
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

/** Returns true, for keys that are always required. */
static bool always(const void *target)
{
    (void)target;
    return true;
}

/* --- Samplers --------------------------------------------------------------------------------- */

/** Reads the kind of a sampler. Rejects keys that this kind ignores. */
static base_status read_kind(const scn_settings *settings, const config_setting_t *setting,
                             void *out)
{
    scn_sampler_kind *const kind = out;
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
                               void *out)
{
    scn_sampler *const sampler = out;
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

static base_status read_lo(const scn_settings *settings, const config_setting_t *setting, void *out)
{
    scn_sampler *const sampler = out;
    return scn_setting_number(settings, setting, 0, largest_value(sampler), &sampler->lo);
}

static base_status read_hi(const scn_settings *settings, const config_setting_t *setting, void *out)
{
    scn_sampler *const sampler = out;
    return scn_setting_number(settings, setting, sampler->lo, largest_value(sampler), &sampler->hi);
}

static bool takes_hi(const void *sampler)
{
    return scn_sampler_takes(((const scn_sampler *)sampler)->kind, "hi");
}

static const scn_key sampler_keys[] = {
    {"kind", SCN_OTHER, always, offsetof(scn_sampler, kind), 0, 0, read_kind},
    {"target", SCN_OTHER, NULL, 0, 0, 0, read_target},
    {"lo", SCN_OTHER, NULL, 0, 0, 0, read_lo},
    {"hi", SCN_OTHER, takes_hi, 0, 0, 0, read_hi},
    {"step", SCN_NUMBER, NULL, offsetof(scn_sampler, step), 1e-6, 1, NULL},
    {"hold", SCN_COUNT, NULL, offsetof(scn_sampler, hold), 1, SCN_HOLD_MAX, NULL},
    {"ways", SCN_COUNT, NULL, offsetof(scn_sampler, ways), 1, SCN_WAYS_MAX, NULL},
    {"frames", SCN_COUNT, always, offsetof(scn_sampler, frames), 1, 1e8, NULL},
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
                                   void *out)
{
    scn_motion *const motion = out;
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

/** Reads one answer of the quantity `bit`: a number, or "a" or "b" for a volume. */
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

/** Reads one answer for all frames, or a list with one per pose. */
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
            settings, setting,
            "'%s' is a list, which needs a list of poses: give one answer for all", key);
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

/** Returns the first part of a path that ends like a file of results, for example ".csv": a dot
 * followed by letters. NULL if no part does. */
static const char *find_file(const char *name)
{
    for (const char *part = name; *part;) {
        const size_t length = strcspn(part, "/");
        size_t letters = 0;
        while (letters < length && part[length - 1 - letters] >= 'a' &&
               part[length - 1 - letters] <= 'z') {
            letters++;
        }
        if (letters > 0 && letters < length && part[length - 1 - letters] == '.') {
            return part;
        }
        part += length + (part[length] == '/');
    }
    return NULL;
}

/** True for a relative path that does not leave its starting folder. */
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

/** Reads the path of a folder of results. No file of results can have the same path. */
static base_status read_scenario_name(const scn_settings *settings, const config_setting_t *setting,
                                      void *out)
{
    const base_status status = scn_setting_text(settings, setting, out);
    if (status != BASE_OK) {
        return status;
    }
    const char *const name = *(char **)out, *const file = find_file(name);
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

/** A scenario as it is in the file, with the list of its quantities. It becomes one scenario for
 * each. */
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
            return scn_setting_fail(settings, setting, "quantity '%s' occurs twice", text);
        }
    }
    s->lines[s->count] = config_setting_source_line(setting);
    s->quantities[s->count++] = text;
    return BASE_OK;
}

static base_status read_quantities(const scn_settings *settings, const config_setting_t *setting,
                                   void *out)
{
    if (!config_setting_is_aggregate(setting)) {
        return add_quantity(settings, setting, out);
    }
    base_status status = scn_setting_list(settings, setting);
    for (int i = 0; status == BASE_OK && i < config_setting_length(setting); i++) {
        status = add_quantity(settings, config_setting_get_elem(setting, (unsigned)i), out);
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
    {"name", SCN_OTHER, always, IN_SCENARIO(name), 0, 0, read_scenario_name},
    {"a", SCN_OTHER, always, IN_SCENARIO(a), 0, 0, read_mesh},
    {"b", SCN_OTHER, always, IN_SCENARIO(b), 0, 0, read_mesh},
    {"quantities", SCN_OTHER, always, 0, 0, 0, read_quantities},
    {"trajectory", SCN_OTHER, always, IN_SCENARIO(motion), 0, 0, read_trajectory},
    {"known_distance_m", SCN_OTHER, NULL, IN_SCENARIO(motion), 0, 0, read_known_distance},
    {"known_volume_m3", SCN_OTHER, NULL, IN_SCENARIO(motion), 0, 0, read_known_volume},
    {"tolerance", SCN_TEXT, NULL, IN_SCENARIO(tolerance), 0, 0, NULL},
    {"variants", SCN_TEXT, NULL, IN_SCENARIO(variants), 0, 0, NULL},
    {"optional", SCN_FLAG, NULL, IN_SCENARIO(optional), 0, 0, NULL},
    {NULL, SCN_OTHER, NULL, 0, 0, 0, NULL},
};

/** Appends one scenario for each quantity. If there are several, the quantity is appended to the
 * name. */
static base_status append_scenarios(const scn_settings *settings, const config_setting_t *group,
                                    const asked_scenario *s, scn_experiment *experiment)
{
    const config_setting_t *const named = config_setting_get_member(group, "name");
    for (size_t q = 0; q < s->count; q++) {
        scn_scenario scenario = s->scenario;
        scenario.quantity = s->quantities[q];
        scenario.quantity_line = s->lines[q];
        if (s->count > 1) {
            char name[SCENARIO_LENGTH_MAX + 128];
            snprintf(name, sizeof name, "%s/%.100s", scenario.name, scenario.quantity);
            for (char *plus = strchr(name, '+'); plus; plus = strchr(plus, '+')) {
                *plus = '-'; /* names of scenarios may contain '-' but not '+' */
            }
            scenario.name = base_arena_text(settings->arena, name);
            if (!scenario.name) {
                return scn_settings_memory(settings);
            }
        }
        for (size_t i = 0; i < experiment->scenario_count; i++) {
            if (strcmp(experiment->scenarios[i].name, scenario.name) == 0) {
                return scn_setting_fail(settings, named, "scenario '%s' occurs twice",
                                        scenario.name);
            }
        }
        experiment->scenarios[experiment->scenario_count++] = scenario;
    }
    return BASE_OK;
}

static base_status read_scenarios(const scn_settings *settings, const config_setting_t *list,
                                  void *out)
{
    scn_experiment *const experiment = out;
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

/* --- Variants --------------------------------------------------------------------------------- */

enum { VARIANTS_MAX = 10000, VARIANT_BYTES = 512, VALUE_BYTES = 64 };

/* Characters of names and of parameter values. They exclude those with a meaning in
 * "name:key=value,...". */
static const char word_letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789._+-";

/** Characters of a parameter's name (algorithms.h). */
static const char key_letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";

/** A parameter of a group, with its list of values or its one value. */
typedef struct parameter {
    const char *key;
    const config_setting_t *setting;
    size_t count;
    bool zipped; /* combined element by element with the other zipped parameters */
} parameter;

/** An element of the list: a group, or a text, which is a group with an `algorithm` and no
 * parameters. */
typedef struct variant_group {
    const config_setting_t *setting;
    char *algorithm;
    uint64_t triangle_limit;
    bool optional;
    parameter *parameters; /* sorted by key */
    size_t parameter_count;
    size_t variant_count; /* product of the counts; all zipped parameters count once */
} variant_group;

/** True for words of letters, digits and "._+-", separated by one character of `more`. */
static bool is_word(const char *text, const char *more)
{
    size_t letters = strspn(text, word_letters);
    while (letters > 0 && text[letters] && strchr(more, text[letters])) {
        text += letters + 1;
        letters = strspn(text, word_letters);
    }
    return letters > 0 && text[letters] == '\0';
}

/* --- Values ----------------------------------------------------------------------------------- */

/** Writes the shortest decimal that reads back to the same double. */
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

/** Writes one value in the form of a variant's name. */
static base_status format_value(const scn_settings *settings, const config_setting_t *setting,
                                const char *key, char text[VALUE_BYTES])
{
    const char *word;
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64:
        snprintf(text, VALUE_BYTES, "%lld", config_setting_get_int64(setting));
        return BASE_OK;
    case CONFIG_TYPE_FLOAT:
        format_real(config_setting_get_float(setting), text, VALUE_BYTES);
        return isfinite(config_setting_get_float(setting))
                   ? BASE_OK
                   : scn_setting_fail(settings, setting, "'%s' is not finite", key);
    case CONFIG_TYPE_STRING:
        word = config_setting_get_string(setting);
        if (!is_word(word, "") || strlen(word) >= VALUE_BYTES) {
            return scn_setting_fail(settings, setting, "'%s' cannot be the value of '%s'", word,
                                    key);
        }
        strcpy(text, word);
        return BASE_OK;
    default:
        return fail_value(settings, setting, key, "");
    }
}

static size_t count_values(const config_setting_t *setting)
{
    return config_setting_is_aggregate(setting) ? (size_t)config_setting_length(setting) : 1;
}

/** Returns value `i` of a parameter. */
static const config_setting_t *value_of(const parameter *p, size_t i)
{
    return config_setting_is_aggregate(p->setting)
               ? config_setting_get_elem(p->setting, (unsigned)i)
               : p->setting;
}

/* --- Groups ----------------------------------------------------------------------------------- */

static base_status read_algorithm(const scn_settings *settings, const config_setting_t *setting,
                                  void *algorithm)
{
    const base_status status = scn_setting_text(settings, setting, algorithm);
    if (status == BASE_OK && !is_word(*(char **)algorithm, "")) {
        return scn_setting_fail(settings, setting, "'%s' is no name of an algorithm",
                                *(char **)algorithm);
    }
    return status;
}

static base_status read_zip(const scn_settings *settings, const config_setting_t *zip, void *out);

/** Keys of a group that are not parameters. */
static const scn_key group_keys[] = {
    {"algorithm", SCN_OTHER, always, offsetof(variant_group, algorithm), 0, 0, read_algorithm},
    {"triangle_limit", SCN_COUNT, NULL, offsetof(variant_group, triangle_limit), 0, UINT32_MAX,
     NULL},
    {"optional", SCN_FLAG, NULL, offsetof(variant_group, optional), 0, 0, NULL},
    {"zip", SCN_OTHER, NULL, 0, 0, 0, read_zip},
    {NULL, SCN_OTHER, NULL, 0, 0, 0, NULL},
};

/** Rejects names and values that no parameter can have. They may be misspelled keys of the
 * group. */
static base_status check_parameter(const scn_settings *settings, const config_setting_t *setting)
{
    const char *const key = config_setting_name(setting);
    const int type = config_setting_type(setting);
    if (scn_key_find(group_keys, key)) {
        return scn_setting_fail(settings, setting, "'%s' is no parameter to zip", key);
    }
    char near[256];
    scn_key_near(group_keys, key, near, sizeof near);
    if (key[strspn(key, key_letters)]) {
        return scn_setting_fail(settings, setting, "unknown key '%s'%s", key, near);
    }
    if (type == CONFIG_TYPE_BOOL || type == CONFIG_TYPE_GROUP) {
        return fail_value(settings, setting, key, near);
    }
    return config_setting_is_aggregate(setting) ? scn_setting_list(settings, setting) : BASE_OK;
}

static int compare_parameters(const void *a, const void *b)
{
    return strcmp(((const parameter *)a)->key, ((const parameter *)b)->key);
}

/** Inserts a parameter in sorted order. Does not change the number of variants. */
static base_status add_parameter(const scn_settings *settings, const config_setting_t *setting,
                                 bool zipped, variant_group *g)
{
    base_status status = check_parameter(settings, setting);
    if (status != BASE_OK) {
        return status;
    }
    const parameter p = {
        .key = config_setting_name(setting),
        .setting = setting,
        .count = count_values(setting),
        .zipped = zipped,
    };
    for (size_t i = 0; i < g->parameter_count; i++) {
        if (strcmp(g->parameters[i].key, p.key) == 0) {
            return scn_setting_fail(settings, setting, "parameter '%s' occurs twice", p.key);
        }
    }
    for (size_t i = 0; i < p.count; i++) {
        char text[VALUE_BYTES];
        status = format_value(settings, value_of(&p, i), p.key, text);
        if (status != BASE_OK) {
            return status;
        }
    }
    g->parameters[g->parameter_count++] = p;
    qsort(g->parameters, g->parameter_count, sizeof p, compare_parameters);
    return BASE_OK;
}

static base_status multiply(const scn_settings *settings, const config_setting_t *setting,
                            size_t count, variant_group *g)
{
    g->variant_count *= count;
    return g->variant_count <= VARIANTS_MAX
               ? BASE_OK
               : scn_setting_fail(settings, setting, "more than %d variants", VARIANTS_MAX);
}

/** Reads lists of equal length that are combined element by element. */
static base_status read_zip(const scn_settings *settings, const config_setting_t *zip, void *out)
{
    variant_group *const g = out;
    if (!config_setting_is_group(zip) || config_setting_length(zip) < 2) {
        return scn_setting_fail(settings, zip,
                                "'zip' is a group of two lists or more, of one length");
    }
    const config_setting_t *const first = config_setting_get_elem(zip, 0);
    const int length = config_setting_length(first);
    for (int i = 0; i < config_setting_length(zip); i++) {
        const config_setting_t *const list = config_setting_get_elem(zip, (unsigned)i);
        base_status status = scn_setting_list(settings, list);
        if (status == BASE_OK && config_setting_length(list) != length) {
            return scn_setting_fail(settings, list,
                                    "'%s' has %d values, but '%s' has %d: lists in 'zip' are as "
                                    "long as each other",
                                    config_setting_name(list), config_setting_length(list),
                                    config_setting_name(first), length);
        }
        if (status == BASE_OK) {
            status = add_parameter(settings, list, true, g);
        }
        if (status != BASE_OK) {
            return status;
        }
    }
    return multiply(settings, zip, (size_t)length, g);
}

static base_status read_group(const scn_settings *settings, variant_group *g)
{
    const config_setting_t *const zip = config_setting_get_member(g->setting, "zip");
    const int most = config_setting_length(g->setting) + (zip ? config_setting_length(zip) : 0);
    g->parameters = base_arena_alloc(settings->arena, (size_t)most, sizeof *g->parameters);
    if (!g->parameters) {
        return scn_settings_memory(settings);
    }
    base_status status = scn_setting_members(settings, g->setting, group_keys, g);
    for (int i = 0; i < config_setting_length(g->setting) && status == BASE_OK; i++) {
        const config_setting_t *const member = config_setting_get_elem(g->setting, (unsigned)i);
        if (scn_key_find(group_keys, config_setting_name(member))) {
            continue;
        }
        status = add_parameter(settings, member, false, g);
        if (status == BASE_OK) {
            status = multiply(settings, member, count_values(member), g);
        }
    }
    return status;
}

/* --- Names ------------------------------------------------------------------------------------ */

/**
 * Writes the name of the group's variant number `index`, "ist:radius=primary,voxels=64". The last
 * key varies fastest; zipped parameters vary at the position of the first of them.
 */
static base_status name_variant(const scn_settings *settings, const variant_group *g, size_t index,
                                char name[VARIANT_BYTES])
{
    size_t rest = g->variant_count, row = SIZE_MAX; /* row: index into the zipped lists */
    size_t length = (size_t)snprintf(name, VARIANT_BYTES, "%s", g->algorithm);
    for (size_t i = 0; i < g->parameter_count && length < VARIANT_BYTES; i++) {
        const parameter *const p = &g->parameters[i];
        size_t at = row;
        if (!p->zipped || row == SIZE_MAX) {
            rest /= p->count;
            at = index / rest % p->count;
            row = p->zipped ? at : row;
        }
        char value[VALUE_BYTES];
        const base_status status = format_value(settings, value_of(p, at), p->key, value);
        if (status != BASE_OK) {
            return status;
        }
        length += (size_t)snprintf(name + length, VARIANT_BYTES - length, "%c%s=%s",
                                   i == 0 ? ':' : ',', p->key, value);
    }
    return length < VARIANT_BYTES
               ? BASE_OK
               : scn_setting_fail(settings, g->setting, "the name of a variant of '%s' is too long",
                                  g->algorithm);
}

/** True if both names give the same file name, in which '_' replaces the separators. */
static bool is_same_file(const char *a, const char *b)
{
    while (*a && *b && (*a == *b || (strchr(":,_", *a) && strchr(":,_", *b)))) {
        a++;
        b++;
    }
    return *a == *b;
}

static base_status append_variant(const scn_settings *settings, const variant_group *g,
                                  const char *name, scn_experiment *experiment)
{
    const size_t at = experiment->variant_count;
    for (size_t i = 0; i < at; i++) {
        const char *const other = experiment->variants[i];
        if (is_same_file(other, name)) {
            return strcmp(other, name) == 0
                       ? scn_setting_fail(settings, g->setting, "variant '%s' occurs twice", name)
                       : scn_setting_fail(settings, g->setting,
                                          "variants '%s' and '%s' would share a file of results",
                                          other, name);
        }
    }
    experiment->variants[at] = base_arena_text(settings->arena, name);
    if (!experiment->variants[at]) {
        return scn_settings_memory(settings);
    }
    experiment->triangle_limits[at] = (size_t)g->triangle_limit;
    experiment->optional[at] = g->optional;
    experiment->lines[at] = config_setting_source_line(g->setting);
    experiment->variant_count++;
    return BASE_OK;
}

/* --- The list --------------------------------------------------------------------------------- */

static base_status read_element(const scn_settings *settings, variant_group *g)
{
    if (config_setting_is_group(g->setting)) {
        return read_group(settings, g);
    }
    const base_status status = scn_setting_text(settings, g->setting, &g->algorithm);
    if (status == BASE_OK && !is_word(g->algorithm, ":,=")) {
        return scn_setting_fail(settings, g->setting, "'%s' is no name of a variant", g->algorithm);
    }
    return status;
}

/** Expands the list into the variants of a scn_experiment, with their limits, flags and lines. */
static base_status read_variants(const scn_settings *settings, const config_setting_t *list,
                                 void *out)
{
    scn_experiment *const experiment = out;
    base_status status = scn_setting_list(settings, list);
    if (status != BASE_OK) {
        return status;
    }
    const size_t group_count = (size_t)config_setting_length(list);
    variant_group *const groups = base_arena_alloc(settings->arena, group_count, sizeof *groups);
    if (!groups) {
        return scn_settings_memory(settings);
    }
    size_t count = 0;
    for (size_t i = 0; i < group_count; i++) {
        groups[i].setting = config_setting_get_elem(list, (unsigned)i);
        groups[i].variant_count = 1;
        status = read_element(settings, &groups[i]);
        if (status != BASE_OK) {
            return status;
        }
        count += groups[i].variant_count;
        if (count > VARIANTS_MAX) {
            return scn_setting_fail(settings, groups[i].setting, "more than %d variants",
                                    VARIANTS_MAX);
        }
    }
    base_arena *const arena = settings->arena;
    experiment->variants = base_arena_alloc(arena, count, sizeof *experiment->variants);
    experiment->triangle_limits = base_arena_alloc(arena, count, sizeof(size_t));
    experiment->optional = base_arena_alloc(arena, count, sizeof(bool));
    experiment->lines = base_arena_alloc(arena, count, sizeof(unsigned));
    if (!experiment->variants || !experiment->triangle_limits || !experiment->optional ||
        !experiment->lines) {
        return scn_settings_memory(settings);
    }
    for (size_t i = 0; i < group_count; i++) {
        for (size_t k = 0; k < groups[i].variant_count && status == BASE_OK; k++) {
            char name[VARIANT_BYTES];
            status = name_variant(settings, &groups[i], k, name);
            if (status == BASE_OK) {
                status = append_variant(settings, &groups[i], name, experiment);
            }
        }
    }
    return status;
}

/* --- Claims ----------------------------------------------------------------------------------- */

static base_status read_whose(const scn_settings *settings, const config_setting_t *setting,
                              void *of_paper)
{
    char *text;
    const base_status status = scn_setting_text(settings, setting, &text);
    if (status != BASE_OK) {
        return status;
    }
    *(bool *)of_paper = strcmp(text, "paper") == 0;
    return *(bool *)of_paper || strcmp(text, "ours") == 0
               ? BASE_OK
               : scn_setting_fail(settings, setting, "whose is \"paper\" or \"ours\", not '%s'",
                                  text);
}

/** Reads a limit: a number, or the text "paper", which stands for the value of `paper`. */
static base_status read_limit(const scn_settings *settings, const config_setting_t *setting,
                              double paper, double *limit)
{
    const char *const text = config_setting_get_string(setting);
    if (!text) {
        return scn_setting_number(settings, setting, -1e300, 1e300, limit);
    }
    *limit = paper;
    if (strcmp(text, "paper") != 0) {
        return scn_setting_fail(settings, setting, "a limit is a number or \"paper\", not '%s'",
                                text);
    }
    return isnan(paper) ? scn_setting_fail(settings, setting, "the claim has no key 'paper'")
                        : BASE_OK;
}

static base_status read_at_least(const scn_settings *settings, const config_setting_t *setting,
                                 void *claim)
{
    scn_claim *const c = claim;
    return read_limit(settings, setting, c->paper, &c->at_least);
}

static base_status read_at_most(const scn_settings *settings, const config_setting_t *setting,
                                void *claim)
{
    scn_claim *const c = claim;
    return read_limit(settings, setting, c->paper, &c->at_most);
}

/** A claim that cannot be measured yet has no measure. `not_yet` is read before the measure. */
static bool is_measured(const void *claim)
{
    return !((const scn_claim *)claim)->not_yet;
}

/** The limits follow `paper`, because they may refer to it. */
#define IN_CLAIM(member) offsetof(scn_claim, member)
static const scn_key claim_keys[] = {
    {"id", SCN_TEXT, always, IN_CLAIM(id), 0, 0, NULL},
    {"claim", SCN_TEXT, always, IN_CLAIM(claim), 0, 0, NULL},
    {"whose", SCN_OTHER, always, IN_CLAIM(of_paper), 0, 0, read_whose},
    {"paper", SCN_NUMBER, NULL, IN_CLAIM(paper), -1e300, 1e300, NULL},
    {"expected", SCN_FLAG, NULL, IN_CLAIM(expected), 0, 0, NULL},
    {"not_yet", SCN_TEXT, NULL, IN_CLAIM(not_yet), 0, 0, NULL},
    {"measure", SCN_TEXT, is_measured, IN_CLAIM(measure), 0, 0, NULL},
    {"of", SCN_TEXT, NULL, IN_CLAIM(of), 0, 0, NULL},
    {"where", SCN_TEXT, NULL, IN_CLAIM(where), 0, 0, NULL},
    {"experiments", SCN_TEXT, NULL, IN_CLAIM(experiments), 0, 0, NULL},
    {"scenarios", SCN_TEXT, NULL, IN_CLAIM(scenarios), 0, 0, NULL},
    {"bodies", SCN_TEXT, NULL, IN_CLAIM(bodies), 0, 0, NULL},
    {"variants", SCN_TEXT, NULL, IN_CLAIM(variants), 0, 0, NULL},
    {"against", SCN_TEXT, NULL, IN_CLAIM(against), 0, 0, NULL},
    {"together", SCN_TEXT, NULL, IN_CLAIM(together), 0, 0, NULL},
    {"at_least", SCN_OTHER, NULL, 0, 0, 0, read_at_least},
    {"at_most", SCN_OTHER, NULL, 0, 0, 0, read_at_most},
    {NULL, SCN_OTHER, NULL, 0, 0, 0, NULL},
};
_Static_assert(sizeof claim_keys / sizeof *claim_keys <= SCN_KEYS_MAX + 1, "rows of a table");

/** Checks the rules that involve several keys. */
static base_status check_claim(const scn_settings *settings, const config_setting_t *group,
                               const scn_experiment *experiment, const scn_claim *claim)
{
    const bool limited = !isnan(claim->at_least) || !isnan(claim->at_most);
    if (claim->not_yet && (claim->measure || limited || claim->expected)) {
        return scn_setting_fail(settings, group,
                                "claim '%s' has 'not_yet', so it has no measure, no limit and is "
                                "not expected to hold",
                                claim->id);
    }
    if (!claim->not_yet && !limited) {
        return scn_setting_fail(settings, group, "claim '%s' needs at_least or at_most", claim->id);
    }
    if (claim->at_least > claim->at_most) {
        return scn_setting_fail(settings, group, "claim '%s': at_least %g is above at_most %g",
                                claim->id, claim->at_least, claim->at_most);
    }
    if (claim->of_paper && !experiment->paper) {
        return scn_setting_fail(settings, group,
                                "claim '%s' is the paper's, and the experiment has no key 'paper'",
                                claim->id);
    }
    for (size_t i = 0; i < experiment->claim_count; i++) {
        if (strcmp(experiment->claims[i].id, claim->id) == 0) {
            return scn_setting_fail(settings, group, "claim '%s' occurs twice", claim->id);
        }
    }
    return BASE_OK;
}

/** Reads the list of claims. The head of the experiment must have been read. */
static base_status read_claims(const scn_settings *settings, const config_setting_t *list,
                               void *experiment)
{
    scn_experiment *const e = experiment;
    base_status status = scn_setting_list(settings, list);
    if (status != BASE_OK) {
        return status;
    }
    e->claims =
        base_arena_alloc(settings->arena, (size_t)config_setting_length(list), sizeof *e->claims);
    if (!e->claims) {
        return scn_settings_memory(settings);
    }
    for (int i = 0; i < config_setting_length(list) && status == BASE_OK; i++) {
        const config_setting_t *const group = config_setting_get_elem(list, (unsigned)i);
        scn_claim claim = {.paper = NAN, .at_least = NAN, .at_most = NAN};
        claim.line = config_setting_source_line(group);
        status = scn_setting_group(settings, group, claim_keys, &claim);
        if (status == BASE_OK) {
            status = check_claim(settings, group, e, &claim);
        }
        if (status == BASE_OK) {
            e->claims[e->claim_count++] = claim;
        }
    }
    return status;
}

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

/* --- Pictures --------------------------------------------------------------------------------- */

static base_status read_view(const scn_settings *settings, const config_setting_t *list, void *out)
{
    static const double most[2] = {360, 90};
    double *const view = out;
    base_status status = scn_setting_list(settings, list);
    if (status == BASE_OK && config_setting_length(list) != 2) {
        return scn_setting_fail(settings, list, "a view is two angles: azimuth and elevation");
    }
    for (unsigned i = 0; i < 2 && status == BASE_OK; i++) {
        status = scn_setting_number(settings, config_setting_get_elem(list, i), -most[i], most[i],
                                    &view[i]);
    }
    return status;
}

#define IN_PANEL(member) offsetof(scn_panel, member)
static const scn_key panel_keys[] = {
    {"scenario", SCN_TEXT, NULL, IN_PANEL(scenario), 0, 0, NULL},
    {"variant", SCN_TEXT, always, IN_PANEL(variant), 0, 0, NULL},
    {"frame", SCN_TEXT, NULL, IN_PANEL(frame), 0, 0, NULL},
    {"layers", SCN_TEXT, always, IN_PANEL(layers), 0, 0, NULL},
    {"view", SCN_OTHER, NULL, IN_PANEL(view), 0, 0, read_view},
    {"level", SCN_COUNT, NULL, IN_PANEL(level), 1, 60, NULL},
    {"branch", SCN_COUNT, NULL, IN_PANEL(branch), 1, 1e6, NULL},
    {"spheres", SCN_COUNT, NULL, IN_PANEL(spheres), 1, 1e9, NULL},
    {"zoom", SCN_NUMBER, NULL, IN_PANEL(zoom), 0.1, 1000, NULL},
    {"along", SCN_NUMBER, NULL, IN_PANEL(along), -1, 1, NULL},
    {NULL, SCN_OTHER, NULL, 0, 0, 0, NULL},
};

/** Reads the panels. The scenarios of the experiment are checked by check_picture. */
static base_status read_panels(const scn_settings *settings, const config_setting_t *list,
                               void *out)
{
    static char first[] = "0";
    scn_picture *const picture = out;
    base_status status = scn_setting_list(settings, list);
    if (status != BASE_OK) {
        return status;
    }
    const size_t count = (size_t)config_setting_length(list);
    picture->panels = base_arena_alloc(settings->arena, count, sizeof *picture->panels);
    if (!picture->panels) {
        return scn_settings_memory(settings);
    }
    for (; picture->panel_count < count && status == BASE_OK; picture->panel_count++) {
        scn_panel *const panel = &picture->panels[picture->panel_count];
        *panel = (scn_panel){.frame = first, .view = {35, 25}, .spheres = UINT64_MAX, .zoom = 1};
        status = scn_setting_group(settings,
                                   config_setting_get_elem(list, (unsigned)picture->panel_count),
                                   panel_keys, panel);
    }
    return status;
}

static base_status read_picture_name(const scn_settings *settings, const config_setting_t *setting,
                                     void *name)
{
    return read_word(settings, setting, "a picture", name);
}

#define IN_PICTURE(member) offsetof(scn_picture, member)
static const scn_key picture_keys[] = {
    {"name", SCN_OTHER, always, IN_PICTURE(name), 0, 0, read_picture_name},
    {"columns", SCN_COUNT, NULL, IN_PICTURE(columns), 1, 20, NULL},
    {"shape", SCN_NUMBER, NULL, IN_PICTURE(shape), 0.1, 10, NULL},
    {"panels", SCN_OTHER, always, 0, 0, 0, read_panels},
    {NULL, SCN_OTHER, NULL, 0, 0, 0, NULL},
};

/** Checks the name of a picture and the scenarios of its panels. */
static base_status check_picture(const scn_settings *settings, const config_setting_t *group,
                                 const scn_experiment *experiment, const scn_picture *picture)
{
    for (size_t i = 0; i < experiment->picture_count; i++) {
        if (strcmp(experiment->pictures[i].name, picture->name) == 0) {
            return scn_setting_fail(settings, group, "picture '%s' occurs twice", picture->name);
        }
    }
    for (size_t i = 0; i < picture->panel_count; i++) {
        const char *const name = picture->panels[i].scenario;
        bool found = !name && experiment->scenario_count == 1;
        for (size_t k = 0; name && k < experiment->scenario_count; k++) {
            found = found || strcmp(experiment->scenarios[k].name, name) == 0;
        }
        if (!found) {
            return scn_setting_fail(settings, group, "picture '%s': no scenario '%s'",
                                    picture->name, name ? name : "");
        }
    }
    return BASE_OK;
}

/** Reads the list of pictures. The scenarios must have been read. */
static base_status read_pictures(const scn_settings *settings, const config_setting_t *list,
                                 void *experiment)
{
    scn_experiment *const e = experiment;
    base_status status = scn_setting_list(settings, list);
    if (status != BASE_OK) {
        return status;
    }
    const size_t count = (size_t)config_setting_length(list);
    e->pictures = base_arena_alloc(settings->arena, count, sizeof *e->pictures);
    if (!e->pictures) {
        return scn_settings_memory(settings);
    }
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        const config_setting_t *const group = config_setting_get_elem(list, (unsigned)i);
        scn_picture picture = {.shape = 0.75};
        status = scn_setting_group(settings, group, picture_keys, &picture);
        if (status == BASE_OK) {
            status = check_picture(settings, group, e, &picture);
        }
        if (status == BASE_OK) {
            picture.columns = picture.columns ? picture.columns : picture.panel_count;
            e->pictures[e->picture_count++] = picture;
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

/** Reads a text that becomes a part of file names. kind: its name in messages. */
static base_status read_name(const scn_settings *settings, const config_setting_t *setting,
                             void *name)
{
    return read_word(settings, setting, "an experiment", name);
}

static base_status read_figures(const scn_settings *settings, const config_setting_t *list,
                                void *out)
{
    scn_experiment *const experiment = out;
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

/** Reads two numbers: of a run in full, and of a run in mode smoke. */
static base_status read_costs(const scn_settings *settings, const config_setting_t *list, void *out)
{
    double *const costs = out;
    base_status status = scn_setting_list(settings, list);
    if (status == BASE_OK && config_setting_length(list) != SCN_COST_COUNT) {
        return scn_setting_fail(settings, list, "%s are two numbers: in full and in smoke",
                                config_setting_name(list));
    }
    for (unsigned i = 0; i < SCN_COST_COUNT && status == BASE_OK; i++) {
        status =
            scn_setting_number(settings, config_setting_get_elem(list, i), 0.01, 1e5, &costs[i]);
    }
    return status;
}

static base_status read_quick(const scn_settings *settings, const config_setting_t *group,
                              void *quick)
{
    static const scn_key keys[] = {
        {"frames", SCN_COUNT, NULL, offsetof(scn_quick, frames), 1, 1e9, NULL},
        {"triangles", SCN_COUNT, NULL, offsetof(scn_quick, triangles), 1, 1e9, NULL},
        {"skip", SCN_TEXT, NULL, offsetof(scn_quick, skip), 0, 0, NULL},
        {NULL, SCN_OTHER, NULL, 0, 0, 0, NULL},
    };
    return scn_setting_group(settings, group, keys, quick);
}

static base_status read_mode(const scn_settings *settings, const config_setting_t *setting,
                             void *out)
{
    char **const mode = out;
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

/** Reads the baseline. Checks only its algorithm, because only suite/ can compare spellings of
 * variants. */
static base_status read_baseline(const scn_settings *settings, const config_setting_t *setting,
                                 void *out)
{
    scn_experiment *const experiment = out;
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
    const size_t length = strcspn(text, ":");
    for (size_t i = 0; i < experiment->variant_count; i++) {
        names[i] = experiment->variants[i];
        if (length == strcspn(names[i], ":") && strncmp(names[i], text, length) == 0) {
            return BASE_OK;
        }
    }
    char near[512];
    base_text_near(text, names, near, sizeof near);
    return scn_setting_fail(settings, setting, "the baseline '%s' is not one of the variants%s",
                            text, near);
}

/** The order is that in which the keys depend on each other. */
#define IN_EXPERIMENT(member) offsetof(scn_experiment, member)
static const scn_key experiment_keys[] = {
    {"name", SCN_OTHER, always, IN_EXPERIMENT(name), 0, 0, read_name},
    {"title", SCN_TEXT, NULL, IN_EXPERIMENT(title), 0, 0, NULL},
    {"paper", SCN_TEXT, NULL, IN_EXPERIMENT(paper), 0, 0, NULL},
    {"item", SCN_TEXT, NULL, IN_EXPERIMENT(item), 0, 0, NULL},
    {"minutes", SCN_OTHER, NULL, IN_EXPERIMENT(minutes), 0, 0, read_costs},
    {"gigabytes", SCN_OTHER, NULL, IN_EXPERIMENT(gigabytes), 0, 0, read_costs},
    {"figures", SCN_OTHER, NULL, 0, 0, 0, read_figures},
    {"mode", SCN_OTHER, NULL, IN_EXPERIMENT(mode), 0, 0, read_mode},
    {"quick", SCN_OTHER, NULL, IN_EXPERIMENT(quick), 0, 0, read_quick},
    {"seed", SCN_COUNT, NULL, IN_EXPERIMENT(seed), 0, 0x1p63, NULL},
    {"launches", SCN_COUNT, NULL, IN_EXPERIMENT(launches), 1, SCN_LAUNCHES_MAX, NULL},
    {"rounds", SCN_COUNT, NULL, IN_EXPERIMENT(rounds), 1, SCN_ROUNDS_MAX, NULL},
    {"builds", SCN_OTHER, NULL, IN_EXPERIMENT(timed_builds), 0, 0, read_builds},
    {"variants", SCN_OTHER, always, 0, 0, 0, read_variants},
    {"baseline", SCN_OTHER, NULL, 0, 0, 0, read_baseline},
    {"scenarios", SCN_OTHER, always, 0, 0, 0, read_scenarios},
    {"pictures", SCN_OTHER, NULL, 0, 0, 0, read_pictures},
    {"claims", SCN_OTHER, NULL, 0, 0, 0, read_claims},
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

/* --- Sizes in mode smoke ---------------------------------------------------------------------- */

/** Reduces the frames of a sampled trajectory to at most `most`. */
static void reduce_frames(scn_sampler *sampler, size_t most)
{
    if (sampler->frames <= most || sampler->kind == SCN_PRESS) {
        return;
    }
    const size_t ways = sampler->ways > 0 ? sampler->ways : 1; /* each has the same frames */
    sampler->frames = most > ways ? most - most % ways : ways;
}

base_status scn_experiment_reduce(scn_experiment *e, base_error *err)
{
    const scn_quick *const quick = &e->quick;
    e->reduced = quick->frames > 0 || quick->triangles > 0 || quick->skip;
    for (size_t i = 0; i < e->scenario_count; i++) {
        scn_scenario *const s = &e->scenarios[i];
        if (quick->frames > 0 && !s->motion.path && !s->motion.frames) {
            reduce_frames(&s->motion.sampler, quick->frames);
        }
        const char **const bodies[] = {&s->a, &s->b};
        for (int k = 0; k < 2 && quick->triangles > 0; k++) {
            const base_status status =
                scn_mesh_reduced(*bodies[k], quick->triangles, &e->arena, bodies[k], err);
            if (status != BASE_OK) {
                return status;
            }
        }
    }
    return BASE_OK;
}
