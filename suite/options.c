#include "suite/suite.h"

#include "geometry/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELP_COLUMN = 26, HELP_WIDTH = 80 };

/** Length of the paragraph at text: up to an empty line, an indented line or the end. */
static size_t paragraph_length(const char *text)
{
    size_t length = strcspn(text, "\n");
    while (text[length] && !strchr(" \n", text[length + 1])) {
        length += 1 + strcspn(text + length + 1, "\n");
    }
    return length;
}

/** Words with one blank between them, from `column` on; broken lines are indented. */
static void print_paragraph(const char *text, size_t length, size_t column, size_t indent)
{
    const char *const end = text + length;
    for (bool first = true; text < end; first = false) {
        const size_t word = strcspn(text, " \n");
        if (!first && column + 1 + word > HELP_WIDTH) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)word, text);
        column += word;
        text += word;
        text += strspn(text, " \n");
    }
    putchar('\n');
}

/** Paragraphs are filled, empty and indented lines stay as they are. */
static void print_text(const char *text)
{
    while (*text) {
        const bool verbatim = *text == ' ' || *text == '\n';
        const size_t length = verbatim ? strcspn(text, "\n") : paragraph_length(text);
        if (verbatim) {
            printf("%.*s\n", (int)length, text);
        } else {
            print_paragraph(text, length, 0, 0);
        }
        text += length + (text[length] == '\n');
    }
}

/** " (default: 100)", or "" */
static void format_default(const bench_option *option, char *text, size_t size)
{
    text[0] = '\0';
    switch (option->type) {
    case BENCH_FLAG:
    case BENCH_LIST:
        break;
    case BENCH_TEXT:
        if (*(const char **)option->target) {
            snprintf(text, size, " (default: %s)", *(const char **)option->target);
        }
        break;
    case BENCH_NUMBER:
        if (!isnan(*(const double *)option->target)) {
            snprintf(text, size, " (default: %g)", *(const double *)option->target);
        }
        break;
    case BENCH_COUNT:
        if (*(const uint64_t *)option->target != UINT64_MAX) {
            snprintf(text, size, " (default: %llu)",
                     (unsigned long long)*(const uint64_t *)option->target);
        }
        break;
    }
}

/** "  --frames N              frames to make (default: 100)" */
static void print_option(const bench_option *option)
{
    char left[128], preset[256], right[768];
    const bool valued = option->value != NULL;
    const int width = snprintf(left, sizeof left, "  --%s%s%s", option->name, valued ? " " : "",
                               valued ? option->value : "");
    format_default(option, preset, sizeof preset);
    snprintf(right, sizeof right, "%s%s", option->help, preset);
    if (width >= HELP_COLUMN) {
        printf("%s\n%*s", left, HELP_COLUMN, "");
    } else {
        printf("%-*s", HELP_COLUMN, left);
    }
    print_paragraph(right, strlen(right), HELP_COLUMN, HELP_COLUMN);
}

static void print_help(const bench_option *options, const bench_usage *usage)
{
    const char *lead = "usage:";
    for (const char *form = usage->usage; *form;) {
        const int length = (int)strcspn(form, "\n");
        printf("%-6s proxbench %.*s\n", lead, length, form);
        form += length + (form[length] == '\n');
        lead = "";
    }
    putchar('\n');
    print_text(usage->summary);
    puts("\nOptions:");
    for (const bench_option *option = options; option->name; option++) {
        print_option(option);
    }
    printf("  --%-*sprint this and exit\n", HELP_COLUMN - 4, "help");
    if (usage->notes) {
        putchar('\n');
        print_text(usage->notes);
    }
}

static const bench_option *find_option(const bench_option *options, const char *name, size_t length)
{
    for (const bench_option *option = options; option->name; option++) {
        if (strlen(option->name) == length && strncmp(option->name, name, length) == 0) {
            return option;
        }
    }
    return NULL;
}

/** argument: "--nmae=value". */
static int unknown_option(const bench_option *options, const char *command, const char *argument)
{
    char dashed[BENCH_OPTIONS_MAX + 1][40] = {"--help"};
    const char *names[BENCH_OPTIONS_MAX + 2] = {dashed[0]};
    for (size_t i = 0; i < BENCH_OPTIONS_MAX && options[i].name; i++) {
        snprintf(dashed[i + 1], sizeof dashed[0], "--%s", options[i].name);
        names[i + 1] = dashed[i + 1];
    }
    char word[256], near[512];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(argument, "="), argument);
    geo_text_near(word, names, near, sizeof near);
    return bench_usage_error("'%s' has no option '%s'%s", command, word, near);
}

/** Digits only: strtoull alone takes blanks and a minus sign. */
static bool parse_count(const char *text, uint64_t *count)
{
    if (!isdigit((unsigned char)text[0])) {
        return false;
    }
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (*end || errno == ERANGE) {
        return false;
    }
    *count = value;
    return true;
}

static int add_text(const bench_option *option, const char *text)
{
    bench_texts *const texts = option->target;
    if (texts->count == BENCH_TEXTS_MAX) {
        return bench_usage_error("--%s is given more than %d times", option->name, BENCH_TEXTS_MAX);
    }
    texts->items[texts->count++] = text;
    return -1;
}

/** Returns -1, or the exit status of a usage error. */
static int set_option(const bench_option *option, const char *text)
{
    switch (option->type) {
    case BENCH_FLAG:
        *(bool *)option->target = true;
        break;
    case BENCH_TEXT:
        *(const char **)option->target = text;
        break;
    case BENCH_NUMBER:
        if (!geo_text_number(text, option->target)) {
            return bench_usage_error("--%s: '%s' is not a number", option->name, text);
        }
        break;
    case BENCH_COUNT:
        if (!parse_count(text, option->target)) {
            return bench_usage_error("--%s: '%s' is not a whole number", option->name, text);
        }
        break;
    case BENCH_LIST:
        return add_text(option, text);
    }
    return -1;
}

/**
 * One option at argv[*at], which moves to its last argument. Returns -1, or the exit status of a
 * usage error.
 */
static int parse_option(int argc, char **argv, int *at, const bench_option *options)
{
    const char *const argument = argv[*at];
    const size_t length = strcspn(argument + 2, "=");
    const bench_option *const option = find_option(options, argument + 2, length);
    if (!option) {
        return unknown_option(options, argv[0], argument);
    }
    const char *value = argument[2 + length] == '=' ? argument + 2 + length + 1 : NULL;
    if (option->type == BENCH_FLAG) {
        return value ? bench_usage_error("--%s takes no value", option->name)
                     : set_option(option, NULL);
    }
    if (!value) {
        if (*at + 1 >= argc || strncmp(argv[*at + 1], "--", 2) == 0) {
            return bench_usage_error("--%s needs a value: --%s %s", option->name, option->name,
                                     option->value);
        }
        value = argv[++*at];
    }
    return set_option(option, value);
}

/** "-x", but not "-" (standard input or output) and not "-0.5" (a coordinate). */
static bool is_short_option(const char *argument)
{
    double number;
    return argument[0] == '-' && argument[1] && !geo_text_number(argument, &number);
}

int bench_parse(int argc, char **argv, const bench_option *options, const bench_usage *usage,
                int *operands)
{
    *operands = 0;
    bool options_ended = false;
    for (int i = 1; i < argc; i++) {
        char *const argument = argv[i];
        if (options_ended || (strncmp(argument, "--", 2) != 0 && !is_short_option(argument))) {
            argv[++*operands] = argument;
        } else if (strcmp(argument, "--") == 0) {
            options_ended = true;
        } else if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            print_help(options, usage);
            return BENCH_GOOD;
        } else if (argument[1] != '-') {
            return unknown_option(options, argv[0], argument);
        } else {
            const int status = parse_option(argc, argv, &i, options);
            if (status >= 0) {
                return status;
            }
        }
    }
    return -1;
}

geo_status bench_format_parse(const char *text, bool *csv, geo_error *err)
{
    *csv = strcmp(text, "csv") == 0;
    if (!*csv && strcmp(text, "table") != 0) {
        return geo_fail(err, GEO_ERR_ARGUMENT, "unknown format '%s': table or csv", text);
    }
    return GEO_OK;
}

geo_status bench_quantities_parse(const char *text, unsigned *quantities, geo_error *err)
{
    static const struct {
        const char *name;
        unsigned quantities;
    } words[] = {
        {"distance",        ALG_WANT_DISTANCE                  },
        {"volume",          ALG_WANT_VOLUME                    },
        {"both",            ALG_WANT_DISTANCE | ALG_WANT_VOLUME},
        {"distance,volume", ALG_WANT_DISTANCE | ALG_WANT_VOLUME},
        {"volume,distance", ALG_WANT_DISTANCE | ALG_WANT_VOLUME},
        {"unified",         ALG_WANT_DISTANCE | ALG_WANT_VOLUME},
        {"contact",         ALG_WANT_CONTACT                   },
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(text, words[i].name) == 0) {
            *quantities = words[i].quantities;
            return GEO_OK;
        }
    }
    return geo_fail(err, GEO_ERR_ARGUMENT,
                    "unknown quantity '%s': distance, volume, contact or both", text);
}

const char *bench_quantities_name(unsigned quantities)
{
    return quantities == ALG_WANT_DISTANCE  ? "distance"
           : quantities == ALG_WANT_VOLUME  ? "volume"
           : quantities == ALG_WANT_CONTACT ? "contact"
                                            : "unified";
}

unsigned bench_quantities_truth(unsigned quantities)
{
    const unsigned by_distance = ALG_WANT_DISTANCE | ALG_WANT_CONTACT;
    return (quantities & by_distance ? (unsigned)GT_WANT_DISTANCE : 0) |
           (quantities & ALG_WANT_VOLUME ? (unsigned)GT_WANT_VOLUME : 0);
}
