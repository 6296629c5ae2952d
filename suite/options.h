/** The options of a command: one table that parses and prints --help. */
#ifndef SUITE_OPTIONS_H
#define SUITE_OPTIONS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum bench_option_type {
    BENCH_FLAG,   /* bool * */
    BENCH_TEXT,   /* const char ** */
    BENCH_NUMBER, /* double *, finite */
    BENCH_COUNT,  /* uint64_t * */
    BENCH_LIST,   /* bench_texts *: may be repeated */
} bench_option_type;

enum { BENCH_TEXTS_MAX = 32 };

/** Values of an option that may be given several times, in the given order. */
typedef struct bench_texts {
    const char *items[BENCH_TEXTS_MAX];
    size_t count;
} bench_texts;

/**
 * One row of a command's table, which parses and prints --help. Ends with name == NULL.
 *
 * The target keeps its value if the option is absent: this is the default, which help shows. NULL,
 * NaN and UINT64_MAX mean "no default". If an option is given twice, the last one counts, except in
 * a list.
 */
typedef struct bench_option {
    const char *name;  /* without "--" */
    const char *value; /* placeholder in help: "FILE"; NULL for a flag */
    bench_option_type type;
    void *target;
    const char *help;
    uint64_t least, most; /* limits of a count; most 0: no limits */
} bench_option;

enum { BENCH_OPTIONS_MAX = 32 }; /* maximal number of rows of a table */

/** A row whose type follows from its target, and the row that ends the table. */
#define BENCH_OPTION(name, value, target, help)                                                    \
    {                                                                                              \
        name, value, BENCH_TYPE(target), target, help, 0, 0                                        \
    }
/** A count within limits, which an error names. */
#define BENCH_OPTION_WITHIN(name, value, target, least, most, help)                                \
    {                                                                                              \
        name, value, BENCH_COUNT, target, help, least, most                                        \
    }
#define BENCH_OPTION_END                                                                           \
    {                                                                                              \
        NULL, NULL, BENCH_FLAG, NULL, NULL, 0, 0                                                   \
    }
#define BENCH_TYPE(target)                                                                         \
    _Generic((target),                                                                             \
        bool *: BENCH_FLAG,                                                                        \
        const char **: BENCH_TEXT,                                                                 \
        double *: BENCH_NUMBER,                                                                    \
        uint64_t *: BENCH_COUNT,                                                                   \
        bench_texts *: BENCH_LIST)

/** Help texts. Paragraphs are filled; empty and indented lines are unchanged. */
typedef struct bench_usage {
    const char *usage;   /* "run EXPERIMENT [options]", one form per line */
    const char *summary; /* one or more paragraphs */
    const char *notes;   /* after the options: examples, exit status; or NULL */
} bench_usage;

/**
 * Parses argv[1..]. "--name value" and "--name=value" are equivalent, but a value that begins with
 * "--" needs the second form. "--" ends options. Operands are moved to the front: argv[1] ...
 * argv[*operands]. Prints help on --help and -h.
 *
 * Returns  -1 to continue; otherwise the exit status with which the command must end. An unknown
 *          option is a usage error that lists similar names.
 */
int bench_parse(int argc, char **argv, const bench_option *options, const bench_usage *usage,
                int *operands);

/** Receives the option table and the texts of --help. */
typedef void bench_describer(void *context, const bench_option *options, const bench_usage *usage);

/**
 * Calls a command (argv[0]: its name, no other words) so that bench_parse passes its table to
 * `describe` and ends it at once, as --help does. Both tables are valid only during that call.
 */
void bench_describe(int (*command)(int argc, char **argv), const char *name,
                    bench_describer *describe, void *context);

/** Writes " (default: 100)", the default as help shows it; or "". */
void bench_option_default(const bench_option *option, char *text, size_t size);

enum { BENCH_NAMES_MAX = 64 };

/** A comma-separated list of names or globs. Must not be copied: items point into text. */
typedef struct bench_names {
    char text[2048];
    const char *items[BENCH_NAMES_MAX + 1]; /* NULL-terminated */
    size_t count;
} bench_names;

/**
 * Splits at commas, but not inside a variant: a piece "key=value" belongs to the variant before it,
 * so 'ist:radius=primary,voxels=64,brute' has two items. Blanks around commas are removed.
 * Errors: BASE_ERR_ARGUMENT, for a list that is too long or has too many names.
 */
base_status bench_names_split(const char *text, bench_names *list, base_error *err) BASE_MUST_CHECK;

#endif
