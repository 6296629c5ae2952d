#include "algorithms/registry.h"

#include "algorithms/life.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Entries ---------------------------------------------------------------------------------- */

/** The table of all entries. suite/ adds the entries of plug-ins and of the truth to it. */
static const alg_algorithm *entries[ALG_REGISTRY_MAX + 1] = {
    &alg_floor,
    &alg_brute,
    &alg_exact_pairs,
    &alg_ist,
    &alg_ist_gradient,
    &alg_ist_triangles,
    &alg_ist_exact,
    &alg_bounds_budget,
    &alg_vps,
    &alg_vps_volume,
    &alg_pst,
    &alg_pst_exact,
    &alg_imp,
    &alg_lpd,
    &alg_lpd_area,
    &alg_lpd_exact,
    &alg_lpd_refine,
    &alg_faulty,
    &alg_cheats,
    &alg_cheats_stateless,
    NULL,
};

const alg_algorithm *const *const alg_registry = entries;

const alg_algorithm *alg_find(const char *name)
{
    for (size_t i = 0; alg_registry[i]; i++) {
        if (strcmp(alg_registry[i]->name, name) == 0) {
            return alg_registry[i];
        }
    }
    return NULL;
}

/** True if the text is [a-z0-9-]+, with `joint` in place of '-'. */
static bool is_name(const char *text, char joint)
{
    if (!text) {
        return false;
    }
    const char *c = text;
    while ((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == joint) {
        c++;
    }
    return c != text && !*c;
}

/** True if the text has no control character, so that a terminal prints it as one line. True for
 * NULL. */
static bool is_line(const char *text)
{
    for (const char *c = text; c && *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            return false;
        }
    }
    return true;
}

/** Returns the first choice with an invalid word or help, or NULL. *count: the number of choices
 * before it, or of all choices if it is NULL. */
static const alg_choice *check_choices(const alg_choice *choices, size_t *count)
{
    for (*count = 0; choices[*count].word; (*count)++) {
        if (!is_name(choices[*count].word, '-') || !is_line(choices[*count].help)) {
            return &choices[*count];
        }
    }
    return NULL;
}

static alg_status check_parameter(const alg_algorithm *a, size_t i, alg_message *message)
{
    const alg_parameter *const p = &a->parameters[i];
    if (!is_name(p->name, '-') || !p->help || (p->type == ALG_CHOICE && !p->choices) ||
        (p->type == ALG_REAL && p->choices)) {
        return alg_fail(message, ALG_FAILED, "'%s': parameter %zu lacks name, help or choices",
                        a->name, i + 1);
    }
    if (strcmp(p->name, ALG_SIMPLIFY) == 0) {
        return alg_fail(message, ALG_FAILED,
                        "'%s' has a parameter '%s', which every algorithm has already", a->name,
                        p->name);
    }
    for (size_t k = 0; k < i; k++) {
        if (strcmp(a->parameters[k].name, p->name) == 0) {
            return alg_fail(message, ALG_FAILED, "'%s' has two parameters '%s'", a->name, p->name);
        }
    }
    double lowest = p->lowest, highest = p->highest;
    size_t count = 0;
    if (p->choices) {
        const alg_choice *const bad = check_choices(p->choices, &count);
        if (bad) {
            return alg_fail(message, ALG_FAILED,
                            "'%s': choice %zu of '%s' is no name, or its help has control "
                            "characters",
                            a->name, (size_t)(bad - p->choices) + 1, p->name);
        }
    }
    if (p->type == ALG_INTEGER && p->choices && !(count == 1 && lowest > 0)) {
        return alg_fail(
            message, ALG_FAILED,
            "'%s': the integer '%s' has %zu words and begins at %g; it may have one word "
            "if it begins above 0",
            a->name, p->name, count, lowest);
    }
    if (p->type == ALG_CHOICE) {
        lowest = 0;
        highest = (double)count - 1;
    }
    const bool is_word = p->type == ALG_INTEGER && p->choices && p->fallback == 0;
    if (!is_word && !(lowest <= p->fallback && p->fallback <= highest)) {
        return alg_fail(message, ALG_FAILED, "'%s': default of '%s' is %g, not from %g to %g",
                        a->name, p->name, p->fallback, lowest, highest);
    }
    return ALG_OK;
}

static alg_status check_functions(const alg_algorithm *a, alg_message *message)
{
    const char *const missing = !a->contract                                ? "contract"
                                : !a->prepare                               ? "prepare"
                                : !a->dispose                               ? "dispose"
                                : !a->bind                                  ? "bind"
                                : !a->release                               ? "release"
                                : !a->query                                 ? "query"
                                : (a->flags & ALG_KEEPS_STATE) && !a->reset ? "reset"
                                : a->save && !a->load                       ? "load"
                                : a->load && !a->save                       ? "save"
                                                                            : NULL;
    return missing ? alg_fail(message, ALG_FAILED, "'%s' has no function '%s'", a->name, missing)
                   : ALG_OK;
}

/** Checks a list of names. what: "counter" or "fact". NULL is an empty list. */
static alg_status check_names(const alg_algorithm *a, const char *what, const char *const *names,
                              size_t most, alg_message *message)
{
    for (size_t i = 0; names && names[i]; i++) {
        if (i == most || !is_name(names[i], '_')) {
            return alg_fail(message, ALG_FAILED, "'%s': %s %zu is no name, or over %zu", a->name,
                            what, i + 1, most);
        }
    }
    return ALG_OK;
}

/** Checks the law that the algorithm declares for these settings. name: name of the variant. */
static alg_status check_law(const alg_algorithm *a, const alg_settings *settings, const char *name,
                            alg_message *message)
{
    /* A plug-in may return any number. */
    const unsigned law = a->law ? (unsigned)a->law(settings) : ALG_LAW_NONE;
    if (law >= ALG_LAW_COUNT) {
        return alg_fail(message, ALG_FAILED,
                        "'%s' declares law %u for its force: the laws are 0 to %d (alg_law)", name,
                        law, ALG_LAW_COUNT - 1);
    }
    if (law != ALG_LAW_NONE && !a->force_unit) {
        return alg_fail(message, ALG_FAILED, "'%s' declares a law, and no unit of force", name);
    }
    return ALG_OK;
}

static alg_settings default_settings(const alg_algorithm *a, uint64_t seed)
{
    alg_settings settings = {.seed = seed};
    for (size_t i = 0; i < a->parameter_count; i++) {
        settings.values[i] = a->parameters[i].fallback;
    }
    return settings;
}

static alg_status check_entry(const alg_algorithm *algorithm, alg_message *message)
{
    const alg_algorithm *const a = algorithm;
    if (a->abi_version != ALG_ABI_VERSION) {
        return alg_fail(message, ALG_FAILED,
                        "it was built for version %u of the contract, this is version %d",
                        a->abi_version, ALG_ABI_VERSION);
    }
    if (!is_name(a->name, '-')) {
        return alg_fail(message, ALG_FAILED, "'%.60s' is no name: letters a to z, digits and '-'",
                        a->name ? a->name : "");
    }
    if (!a->summary || !a->source || a->parameter_count > ALG_PARAMETERS_MAX ||
        (a->parameter_count > 0 && !a->parameters)) {
        return alg_fail(message, ALG_FAILED,
                        "'%s' lacks summary or source, or has over %d parameters", a->name,
                        ALG_PARAMETERS_MAX);
    }
    if (strlen(a->name) > ALG_NAME_MAX) {
        return alg_fail(message, ALG_FAILED, "'%.60s...': a name has at most %d letters", a->name,
                        ALG_NAME_MAX);
    }
    if (!is_line(a->summary) || !is_line(a->source) || !is_line(a->force_unit)) {
        return alg_fail(message, ALG_FAILED,
                        "'%s': its summary, source or unit of force has control characters",
                        a->name);
    }
    if (a->tolerance_ulp > ALG_TOLERANCE_ULP_MAX) {
        return alg_fail(message, ALG_FAILED, "'%s' declares a tolerance of %u ulp: the limit is %d",
                        a->name, a->tolerance_ulp, ALG_TOLERANCE_ULP_MAX);
    }
    alg_status status = check_functions(a, message);
    if (status != ALG_OK) {
        return status;
    }
    for (size_t i = 0; i < a->parameter_count; i++) {
        status = check_parameter(a, i, message);
        if (status != ALG_OK) {
            return status;
        }
    }
    const alg_settings settings = default_settings(a, 1);
    status = check_law(a, &settings, a->name, message);
    if (status != ALG_OK) {
        return status;
    }
    status = check_names(a, "counter", a->counters, ALG_COUNTERS_MAX, message);
    if (status != ALG_OK) {
        return status;
    }
    status = check_names(a, "stage", a->stages, ALG_STAGES_MAX, message);
    if (status != ALG_OK) {
        return status;
    }
    return check_names(a, "fact", a->facts, ALG_FACTS_MAX, message);
}

alg_status alg_register(const alg_algorithm *algorithm, alg_message *message)
{
    const alg_status status = check_entry(algorithm, message);
    if (status != ALG_OK) {
        return status;
    }
    if (alg_find(algorithm->name)) {
        return alg_fail(message, ALG_FAILED, "there is an algorithm '%s' already", algorithm->name);
    }
    size_t count = 0;
    while (entries[count]) {
        count++;
    }
    if (count == ALG_REGISTRY_MAX) {
        return alg_fail(message, ALG_FAILED, "no room for '%s': %d algorithms are registered",
                        algorithm->name, ALG_REGISTRY_MAX);
    }
    entries[count] = algorithm;
    return ALG_OK;
}

/* --- Variants --------------------------------------------------------------------------------- */

enum { WORD_MAX = 64 };

/** A part of the parsed text. */
typedef struct slice {
    const char *begin;
    size_t length;
} slice;

/** Returns the text before the first `separator` (or all of it), and advances past the
 * separator. */
static slice cut(const char **text, char separator)
{
    const char *const end = strchr(*text, separator);
    const slice s = {*text, end ? (size_t)(end - *text) : strlen(*text)};
    *text += s.length + (end ? 1 : 0);
    return s;
}

/** Copies the slice into word. Returns false if it is empty or too long for a name or number. */
static bool copy_word(slice s, char word[WORD_MAX])
{
    if (s.length == 0 || s.length >= WORD_MAX) {
        return false;
    }
    memcpy(word, s.begin, s.length);
    word[s.length] = '\0';
    return true;
}

/** Returns the index of `word` among the choices, or -1. */
static int choice_index(const alg_choice *choices, const char *word)
{
    for (int i = 0; choices[i].word; i++) {
        if (strcmp(choices[i].word, word) == 0) {
            return i;
        }
    }
    return -1;
}

const char *alg_parameter_word(const alg_parameter *parameter, double value)
{
    return parameter->type == ALG_CHOICE || (parameter->choices && value == 0)
               ? parameter->choices[(size_t)value].word
               : NULL;
}

void alg_choice_words(const alg_choice *choices, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0, used = 0; choices[i].word && used < size; i++) {
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? "|" : "", choices[i].word);
    }
}

static alg_status fail_algorithm(const char *word, alg_message *message)
{
    const char *names[ALG_REGISTRY_MAX + 1] = {NULL};
    for (size_t i = 0; alg_registry[i]; i++) {
        names[i] = alg_registry[i]->name;
    }
    char near[256];
    base_text_near(word, names, near, sizeof near);
    return alg_fail(message, ALG_FAILED, "unknown algorithm '%s'%s", word, near);
}

static alg_status fail_parameter(const alg_algorithm *a, const char *word, alg_message *message)
{
    const char *names[ALG_PARAMETERS_MAX + 2] = {NULL};
    char all[256] = "";
    for (size_t i = 0, used = 0; i <= a->parameter_count; i++) {
        names[i] = i < a->parameter_count ? a->parameters[i].name : ALG_SIMPLIFY;
        const int n = snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", names[i]);
        used += n > 0 && (size_t)n < sizeof all - used ? (size_t)n : 0;
    }
    char near[256];
    base_text_near(word, names, near, sizeof near);
    return alg_fail(message, ALG_FAILED, "unknown parameter '%s' of '%s' (it has %s)%s", word,
                    a->name, all, near);
}

static alg_status parse_value(const alg_algorithm *a, const alg_parameter *p, const char *word,
                              double *value, alg_message *message)
{
    if (p->type == ALG_CHOICE) {
        const int index = choice_index(p->choices, word);
        if (index < 0) {
            char words[sizeof message->text];
            alg_choice_words(p->choices, words, sizeof words);
            return alg_fail(message, ALG_FAILED, "'%s' of '%s' is '%s', must be one of %s", p->name,
                            a->name, word, words);
        }
        *value = index;
        return ALG_OK;
    }
    if (p->choices && strcmp(p->choices[0].word, word) == 0) {
        *value = 0;
        return ALG_OK;
    }
    double number;
    const bool whole = p->type == ALG_INTEGER;
    if (!base_text_number(word, &number) || number < p->lowest || number > p->highest ||
        (whole && number != floor(number))) {
        return alg_fail(
            message, ALG_FAILED, "'%s' of '%s' is '%s', must be %s%s%s from %.15g to %.15g",
            p->name, a->name, word, p->choices ? p->choices[0].word : "", p->choices ? " or " : "",
            whole ? "a whole number" : "a number", p->lowest, p->highest);
    }
    *value = number + 0.0; /* turns -0 into 0, which would have another name */
    return ALG_OK;
}

/** Parses one "key=value". `set` records which parameters were given, the last one is simplify. */
static alg_status parse_setting(slice s, alg_variant *variant, bool *set, alg_message *message)
{
    const alg_algorithm *const a = variant->algorithm;
    const char *const equals = memchr(s.begin, '=', s.length);
    const size_t split = equals ? (size_t)(equals - s.begin) : s.length;
    char key[WORD_MAX], word[WORD_MAX];
    if (!equals || !copy_word((slice){s.begin, split}, key) ||
        !copy_word((slice){equals + 1, s.length - split - 1}, word)) {
        return alg_fail(message, ALG_FAILED, "'%.*s' is not key=value, as in '%s:%s=...'",
                        (int)(s.length < 100 ? s.length : 100), s.begin, a->name,
                        a->parameter_count > 0 ? a->parameters[0].name : ALG_SIMPLIFY);
    }
    for (size_t i = 0; i < a->parameter_count; i++) {
        if (strcmp(a->parameters[i].name, key) == 0) {
            if (set[i]) {
                return alg_fail(message, ALG_FAILED, "'%s' of '%s' is given twice", key, a->name);
            }
            set[i] = true;
            return parse_value(a, &a->parameters[i], word, &variant->settings.values[i], message);
        }
    }
    if (strcmp(key, ALG_SIMPLIFY) != 0) {
        return fail_parameter(a, key, message);
    }
    if (set[a->parameter_count]) {
        return alg_fail(message, ALG_FAILED, "'%s' of '%s' is given twice", key, a->name);
    }
    set[a->parameter_count] = true;
    double share;
    if (!base_text_number(word, &share) || !(share > 0 && share <= 1)) {
        return alg_fail(message, ALG_FAILED,
                        "'%s' of '%s' is '%s', must be a number above 0, at most 1", key, a->name,
                        word);
    }
    variant->simplify = share < 1 ? share : 0;
    return ALG_OK;
}

/** Writes the shortest decimal that reads back as the same double. Whole numbers below 1e15 are
 * written without an exponent. */
static void format_number(double value, char *text, size_t size)
{
    if (value == floor(value) && fabs(value) < 1e15) {
        snprintf(text, size, "%.0f", value);
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
}

void alg_parameters_order(const alg_algorithm *algorithm, size_t order[ALG_PARAMETERS_MAX])
{
    const alg_parameter *const parameters = algorithm->parameters;
    for (size_t i = 0; i < algorithm->parameter_count; i++) {
        size_t k = i;
        for (; k > 0 && strcmp(parameters[order[k - 1]].name, parameters[i].name) > 0; k--) {
            order[k] = order[k - 1];
        }
        order[k] = i;
    }
}

/** Appends "key=word" to the name, after a colon or a comma. Returns the length of the whole. */
static size_t append_setting(alg_variant *variant, size_t used, const char *key, const char *word)
{
    const size_t size = sizeof variant->name;
    return used >= size
               ? used
               : used + (size_t)snprintf(variant->name + used, size - used, "%c%s=%s",
                                         strchr(variant->name, ':') ? ',' : ':', key, word);
}

/** Writes family[-kind][:key=value,...], sorted by key, without parameters that have their
 * default. */
static alg_status write_name(alg_variant *variant, alg_message *message)
{
    const alg_algorithm *const a = variant->algorithm;
    const size_t size = sizeof variant->name;
    size_t used = (size_t)snprintf(variant->name, size, "%s", a->name);
    size_t order[ALG_PARAMETERS_MAX];
    alg_parameters_order(a, order);
    char number[32];
    bool simplified = !(variant->simplify > 0); /* true: its key is written, or there is none */
    for (size_t i = 0; i <= a->parameter_count; i++) {
        const alg_parameter *const p =
            i < a->parameter_count ? &a->parameters[order[i]] : NULL; /* NULL: after the last */
        if (!simplified && (!p || strcmp(p->name, ALG_SIMPLIFY) > 0)) {
            format_number(variant->simplify, number, sizeof number);
            used = append_setting(variant, used, ALG_SIMPLIFY, number);
            simplified = true;
        }
        const double value = p ? variant->settings.values[order[i]] : 0;
        if (!p || value == p->fallback) {
            continue;
        }
        const char *const word = alg_parameter_word(p, value);
        format_number(value, number, sizeof number);
        used = append_setting(variant, used, p->name, word ? word : number);
    }
    if (used >= size) {
        return alg_fail(message, ALG_FAILED, "the name of a variant of '%s' is longer than %zu",
                        a->name, size - 1);
    }
    return ALG_OK;
}

alg_status alg_variant_parse(const char *text, uint64_t seed, alg_variant *variant,
                             alg_message *message)
{
    *variant = (alg_variant){0};
    const slice head = cut(&text, ':');
    char name[WORD_MAX];
    if (!copy_word(head, name)) {
        return alg_fail(message, ALG_FAILED, "a variant is name or name:key=value,...");
    }
    const alg_algorithm *const a = alg_find(name);
    if (!a) {
        return fail_algorithm(name, message);
    }
    variant->algorithm = a;
    variant->settings = default_settings(a, seed);
    bool set[ALG_PARAMETERS_MAX + 1] = {false};
    /* "ist:" and "ist:voxels=64," are errors: a setting must follow each colon and each comma. */
    for (bool more = head.begin[head.length] == ':'; more;) {
        const slice s = cut(&text, ',');
        more = s.begin[s.length] == ',';
        const alg_status status = parse_setting(s, variant, set, message);
        if (status != ALG_OK) {
            return status;
        }
    }
    const alg_status status = write_name(variant, message);
    return status == ALG_OK ? check_law(a, &variant->settings, variant->name, message) : status;
}

/* --- Quantities and laws ---------------------------------------------------------------------- */

const char *const alg_quantity_names[ALG_QUANTITY_COUNT] = {
    [ALG_DISTANCE] = "distance", [ALG_VOLUME] = "volume", [ALG_CONTACT] = "contact",
    [ALG_DEPTH] = "depth",       [ALG_FORCE] = "force",
};

const char *const alg_law_names[ALG_LAW_COUNT] = {
    [ALG_LAW_NONE] = "none",
    [ALG_LAW_AREA] = "area",
    [ALG_LAW_DEPTH] = "depth",
    [ALG_LAW_DEPTH_EXCHANGED] = "depth-exchanged",
};

alg_law alg_variant_law(const alg_variant *variant)
{
    const alg_algorithm *const a = variant->algorithm;
    return a->law ? a->law(&variant->settings) : ALG_LAW_NONE;
}

bool alg_variant_reads_clock(const alg_variant *variant)
{
    const alg_algorithm *const a = variant->algorithm;
    return a->reads_clock && a->reads_clock(&variant->settings);
}

alg_contract alg_variant_contract(const alg_variant *variant, alg_quantity quantity)
{
    const alg_contract own = variant->algorithm->contract(&variant->settings, quantity);
    return variant->simplify > 0 && own != ALG_NOT_ANSWERED ? ALG_APPROXIMATE : own;
}

unsigned alg_variant_answers(const alg_variant *variant)
{
    unsigned answered = 0;
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        const alg_contract contract = alg_variant_contract(variant, (alg_quantity)q);
        answered |= contract != ALG_NOT_ANSWERED ? 1u << q : 0;
    }
    return answered;
}

alg_status alg_variant_may_answer(const alg_variant *variant, unsigned wanted, alg_message *message)
{
    const unsigned answered = alg_variant_answers(variant);
    for (int q = 0; answered && q < ALG_QUANTITY_COUNT; q++) {
        if (wanted & ~answered & 1u << q) {
            return alg_fail(message, ALG_UNSUPPORTED, "%s does not answer %s",
                            variant->algorithm->name, alg_quantity_names[q]);
        }
    }
    return ALG_OK;
}
