#include "suite/options.h"

#include "base/error.h"
#include "base/text.h"
#include "suite/message.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELP_COLUMN = 26, HELP_WIDTH = 80 };

/**
 * Prints words with one blank between them, starting at `column`; continuation lines are indented.
 */
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

/** Fills paragraphs; prints empty and indented lines unchanged. */
static void print_text(const char *text)
{
    while (*text) {
        const bool verbatim = *text == ' ' || *text == '\n';
        size_t length = strcspn(text, "\n");
        /* A paragraph ends before an empty line or an indented line. */
        while (!verbatim && text[length] && !strchr(" \n", text[length + 1])) {
            length += 1 + strcspn(text + length + 1, "\n");
        }
        if (verbatim) {
            printf("%.*s\n", (int)length, text);
        } else {
            print_paragraph(text, length, 0, 0);
        }
        text += length + (text[length] == '\n');
    }
}

void bench_option_default(const bench_option *option, char *text, size_t size)
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

/** Prints an option: "  --frames N              frames to make (default: 100)". */
static void print_option(const bench_option *option)
{
    char left[128], preset[256], right[768];
    const bool valued = option->value;
    const int width = snprintf(left, sizeof left, "  --%s%s%s", option->name, valued ? " " : "",
                               valued ? option->value : "");
    bench_option_default(option, preset, sizeof preset);
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

/** Reports an unknown option. argument: for example "--nmae=value". */
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
    base_text_near(word, names, near, sizeof near);
    return bench_usage_error("'%s' has no option '%s'%s", command, word, near);
}

/** Sets a count. Returns -1, or the exit status of a usage error. */
static int set_count(const bench_option *option, const char *text)
{
    char *end;
    errno = 0;
    const unsigned long long count = strtoull(text, &end, 10);
    /* strtoull also accepts blanks and a minus sign. */
    const bool good = isdigit((unsigned char)text[0]) && !*end && errno != ERANGE;
    if (option->most > 0 && !(good && count >= option->least && count <= option->most)) {
        return bench_usage_error("--%s: '%s' is not a whole number from %llu to %llu", option->name,
                                 text, (unsigned long long)option->least,
                                 (unsigned long long)option->most);
    }
    if (!good) {
        return bench_usage_error("--%s: '%s' is not a whole number%s", option->name, text,
                                 text[0] == '-' ? " of 0 or more" : "");
    }
    *(uint64_t *)option->target = count;
    return -1;
}

/** Sets an option. Returns -1, or the exit status of a usage error. */
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
        if (!base_text_number(text, option->target)) {
            return bench_usage_error("--%s: '%s' is not a number", option->name, text);
        }
        break;
    case BENCH_COUNT:
        return set_count(option, text);
    case BENCH_LIST: {
        bench_texts *const texts = option->target;
        if (texts->count == BENCH_TEXTS_MAX) {
            return bench_usage_error("--%s is given more than %d times", option->name,
                                     BENCH_TEXTS_MAX);
        }
        texts->items[texts->count++] = text;
        break;
    }
    }
    return -1;
}

/* --- The command line ------------------------------------------------------------------------- */

enum { FIRST_OPTION = 256 }; /* getopt_long's value of row 0; smaller values are characters */

/** Converts the table for getopt_long; --help comes last. */
static void make_long_options(const bench_option *options,
                              struct option long_options[BENCH_OPTIONS_MAX + 2])
{
    int count = 0;
    for (; count < BENCH_OPTIONS_MAX && options[count].name; count++) {
        const bool flag = options[count].type == BENCH_FLAG;
        long_options[count] =
            (struct option){options[count].name, flag ? no_argument : required_argument, NULL,
                            FIRST_OPTION + count};
    }
    long_options[count] = (struct option){"help", no_argument, NULL, 'h'};
    long_options[count + 1] = (struct option){0};
}

/** True if the name is written in full. getopt_long also accepts unique prefixes. */
static bool is_spelt(const char *argument, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(argument, "--", 2) == 0 && strncmp(argument + 2, name, length) == 0 &&
           strchr("=", argument[2 + length]);
}

/** Handles the result `found` of getopt_long at `argument`. Returns -1, or an exit status. */
static int take_option(int found, char **argv, const char *argument, const bench_option *options,
                       const bench_usage *usage)
{
    const bool failed = found == '?' || found == ':';
    const int which = failed ? optopt : found;
    if (which == 'h' && (is_spelt(argument, "help") || strcmp(argument, "-h") == 0)) {
        if (failed) {
            return bench_usage_error("--help takes no value");
        }
        print_help(options, usage);
        return BENCH_GOOD;
    }
    const bench_option *const option =
        which >= FIRST_OPTION ? &options[which - FIRST_OPTION] : NULL;
    if (!option || !is_spelt(argument, option->name)) {
        return unknown_option(options, argv[0], argument);
    }
    if (found == '?') {
        return bench_usage_error("--%s takes no value", option->name);
    }
    const bool apart = !failed && optarg && optarg == argv[optind - 1];
    if (failed || (apart && strncmp(optarg, "--", 2) == 0)) {
        return bench_usage_error("--%s needs a value: --%s %s", option->name, option->name,
                                 option->value);
    }
    return set_option(option, optarg);
}

/** Set while bench_describe asks a command for its table. */
static struct {
    bench_describer *describe;
    void *context;
} description;

void bench_describe(int (*command)(int argc, char **argv), const char *name,
                    bench_describer *describe, void *context)
{
    char word[64];
    char *argv[] = {word, NULL};
    snprintf(word, sizeof word, "%s", name);
    description.describe = describe;
    description.context = context;
    (void)command(1, argv);
    description.describe = NULL;
}

int bench_parse(int argc, char **argv, const bench_option *options, const bench_usage *usage,
                int *operands)
{
    *operands = 0;
    if (description.describe) {
        description.describe(description.context, options, usage);
        return BENCH_GOOD;
    }
    struct option long_options[BENCH_OPTIONS_MAX + 2];
    make_long_options(options, long_options);
    opterr = 0;
    /* 0 makes the next call restart getopt_long. That call is made here, because the loop sets
     * optind before its first call if the first word is a number. */
    optind = 0;
    (void)getopt_long(1, argv, "-:h", long_options, NULL);
    for (int at = 1;;) {
        double number; /* "-0.5" is a coordinate and not an option */
        if (at < argc && argv[at][0] == '-' && base_text_number(argv[at], &number)) {
            argv[++*operands] = argv[at];
            optind = ++at;
            continue;
        }
        /* getopt_long returns operands in place, as character 1, and a missing value as ':'. */
        const char *const argument = argv[at];
        const int found = getopt_long(argc, argv, "-:h", long_options, NULL);
        at = optind;
        if (found == -1) {
            break;
        }
        if (found == 1) {
            argv[++*operands] = optarg;
            continue;
        }
        const int status = take_option(found, argv, argument, options, usage);
        if (status >= 0) {
            return status;
        }
    }
    for (int i = optind; i < argc; i++) { /* operands after "--" */
        argv[++*operands] = argv[i];
    }
    return -1;
}

/* --- Lists of names --------------------------------------------------------------------------- */

/** Removes blanks around commas and at both ends: "ist, floor" becomes "ist,floor". */
static void trim_items(char *text)
{
    char *kept = text;
    for (const char *at = text; *at;) {
        const size_t blanks = strspn(at, " \t");
        const bool inside = kept > text && kept[-1] != ',' && at[blanks] && at[blanks] != ',';
        memmove(kept, at, inside ? blanks : 0);
        kept += inside ? blanks : 0;
        at += blanks;
        if (*at) {
            *kept++ = *at++;
        }
    }
    *kept = '\0';
}

base_status bench_names_split(const char *text, bench_names *list, base_error *err)
{
    *list = (bench_names){0};
    if ((size_t)snprintf(list->text, sizeof list->text, "%s", text) >= sizeof list->text) {
        return base_fail(err, BASE_ERR_ARGUMENT, "list '%.40s...' is too long", text);
    }
    trim_items(list->text);
    for (char *at = list->text; at;) {
        if (list->count == BENCH_NAMES_MAX) {
            return base_fail(err, BASE_ERR_ARGUMENT, "more than %d names in '%.40s...'",
                             BENCH_NAMES_MAX, text);
        }
        list->items[list->count++] = at;
        char *comma = strchr(at, ',');
        while (comma && strcspn(comma + 1, "=") < strcspn(comma + 1, ",:")) {
            comma = strchr(comma + 1, ',');
        }
        if (comma) {
            *comma = '\0';
        }
        at = comma ? comma + 1 : NULL;
    }
    return BASE_OK;
}
