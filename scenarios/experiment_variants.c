#include "scenarios/experiment_variants.h"

#include "scenarios/experiment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VARIANTS_MAX = 10000, VARIANT_BYTES = 512, VALUE_BYTES = 64 };

/* Letters of names and of parameter values. Nothing that has a meaning in "name:key=value,...". */
static const char word_letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789._+-";

/** Letters of a parameter's name (algorithms.h). */
static const char key_letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";

/** A parameter of a group, with its list of values or its one value. */
typedef struct parameter {
    const char *key;
    const config_setting_t *setting;
    size_t count;
    bool zipped; /* its values go along with those of the others that are */
} parameter;

/** An element of the list: a group, or a text, which is its `algorithm` without any parameters. */
typedef struct group {
    const config_setting_t *setting;
    char *algorithm;
    uint64_t triangle_limit;
    bool optional;
    parameter *parameters; /* sorted by key */
    size_t parameter_count;
    size_t variant_count; /* product of the counts, where those that are zipped count once */
} group;

/** Words of letters, digits and "._+-" with one character of `more` between them. */
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

/** Value `i` of a parameter. */
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

static base_status read_zip(const scn_settings *settings, const config_setting_t *zip, void *place);

/** What a group says beside parameters. */
static const scn_key group_keys[] = {
    {"algorithm", SCN_OTHER, scn_always, offsetof(group, algorithm), 0, 0, read_algorithm},
    {"triangle_limit", SCN_COUNT, NULL, offsetof(group, triangle_limit), 0, UINT32_MAX, NULL},
    {"optional", SCN_FLAG, NULL, offsetof(group, optional), 0, 0, NULL},
    {"zip", SCN_OTHER, NULL, 0, 0, 0, read_zip},
    {NULL, SCN_OTHER, NULL, 0, 0, 0, NULL},
};

/** A name that no parameter can have, or such a value, may be a slip of another key. */
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

/** Puts it among the parameters, without its part in the number of variants. */
static base_status add_parameter(const scn_settings *settings, const config_setting_t *setting,
                                 bool zipped, group *g)
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
            return scn_setting_fail(settings, setting, "parameter '%s' is there twice", p.key);
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
                            size_t count, group *g)
{
    g->variant_count *= count;
    return g->variant_count <= VARIANTS_MAX
               ? BASE_OK
               : scn_setting_fail(settings, setting, "more than %d variants", VARIANTS_MAX);
}

/** Lists of one length, taken element by element. */
static base_status read_zip(const scn_settings *settings, const config_setting_t *zip, void *place)
{
    group *const g = place;
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

static base_status read_group(const scn_settings *settings, group *g)
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
 * key runs fastest; zipped ones run in the place of the first of them.
 */
static base_status name_variant(const scn_settings *settings, const group *g, size_t index,
                                char name[VARIANT_BYTES])
{
    size_t rest = g->variant_count, row = SIZE_MAX; /* row: of the lists in `zip`, once known */
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

/** Are the two one name once it is a file's, with '_' for what stands between words? */
static bool is_same_file(const char *a, const char *b)
{
    while (*a && *b && (*a == *b || (strchr(":,_", *a) && strchr(":,_", *b)))) {
        a++;
        b++;
    }
    return *a == *b;
}

static base_status append_variant(const scn_settings *settings, const group *g, const char *name,
                                  scn_experiment *experiment)
{
    const size_t at = experiment->variant_count;
    for (size_t i = 0; i < at; i++) {
        const char *const other = experiment->variants[i];
        if (is_same_file(other, name)) {
            return strcmp(other, name) == 0
                       ? scn_setting_fail(settings, g->setting, "variant '%s' is there twice", name)
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

static base_status read_element(const scn_settings *settings, group *g)
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

static base_status expand(const scn_settings *settings, const group *g, scn_experiment *experiment)
{
    for (size_t i = 0; i < g->variant_count; i++) {
        char name[VARIANT_BYTES];
        base_status status = name_variant(settings, g, i, name);
        if (status == BASE_OK) {
            status = append_variant(settings, g, name, experiment);
        }
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

base_status scn_read_variants(const scn_settings *settings, const config_setting_t *list,
                              void *place)
{
    scn_experiment *const experiment = place;
    base_status status = scn_setting_list(settings, list);
    if (status != BASE_OK) {
        return status;
    }
    const size_t group_count = (size_t)config_setting_length(list);
    group *const groups = base_arena_alloc(settings->arena, group_count, sizeof *groups);
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
    for (size_t i = 0; i < group_count && status == BASE_OK; i++) {
        status = expand(settings, &groups[i], experiment);
    }
    return status;
}
