#include "suite/results/names.h"

#include "scenarios/experiment.h"

#include <stdio.h>
#include <string.h>

#define LOWER  "abcdefghijklmnopqrstuvwxyz"
#define UPPER  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

static bool is_word(const char *text, const char *letters)
{
    return *text && !text[strspn(text, letters)];
}

/** Moves *text behind a word of these letters; false when there is none. */
static bool skip_word(const char **text, const char *letters)
{
    const size_t length = strspn(*text, letters);
    *text += length;
    return length > 0;
}

/** Moves *text behind a character, if it is there. */
static bool skip(const char **text, char c)
{
    const bool there = **text == c;
    *text += there;
    return there;
}

/** alg_variant_parse knows only what is registered here; a plug-in of the run may not be. */
static bool is_contestant(const char *text)
{
    static const char word[] = LOWER DIGITS "-", value[] = LOWER UPPER DIGITS "._+-";
    if (strlen(text) >= BENCH_CONTESTANT_NAME_BYTES || !skip_word(&text, word)) {
        return false;
    }
    for (bool more = skip(&text, ':'); more; more = skip(&text, ',')) {
        if (!skip_word(&text, word) || !skip(&text, '=') || !skip_word(&text, value)) {
            return false;
        }
    }
    return !*text || (skip(&text, '@') && is_word(text, LOWER));
}

const char *bench_name_fault(bench_name_kind kind, const char *text)
{
    static const char plugin[] = "plugin ";
    switch (kind) {
    case BENCH_NAME_SCENARIO:
        return scn_is_scenario_name(text) ? NULL
                                          : "no name of a scenario ([a-z0-9.-] and '/' between)";
    case BENCH_NAME_CONTESTANT:
        return is_contestant(text) ? NULL : "no name of a variant (name:key=value,...@label)";
    case BENCH_NAME_EXPERIMENT:
        return is_word(text, LOWER DIGITS "-") ? NULL : "no name of an experiment ([a-z0-9-])";
    case BENCH_NAME_SECTION:
        if (strncmp(text, plugin, strlen(plugin)) == 0) {
            return bench_name_fault(BENCH_NAME_CONTESTANT, text + strlen(plugin));
        }
        return scn_is_scenario_name(text) ? NULL : "no name of a section ([a-z0-9.-])";
    case BENCH_NAME_KEY:
        break;
    }
    return is_word(text, LOWER UPPER DIGITS "_") ? NULL : "no key ([A-Za-z0-9_])";
}

void bench_variant_file(const char *variant, char *file, size_t size)
{
    snprintf(file, size, "%s", variant);
    for (char *c = file; *c; c++) {
        *c = *c == ':' || *c == ',' || *c == '@' ? '_' : *c;
    }
}

bool bench_variant_is_twin(const char *variant)
{
    const char *const label = strrchr(variant, '@');
    return label && strcmp(label, "@twin") == 0;
}
