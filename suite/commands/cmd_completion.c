/**
 * `proxbench completion`: scripts that complete command lines, made of the tables that parse them.
 *
 * Both scripts have four functions with tables, in syntax that all shells support: the options of a
 * command, its options with a value, the kind of each value, and the kinds of its operands. The
 * functions that use the tables are files in packaging/.
 */
#include "base/error.h"
#include "groundtruth/certificate.h"
#include "scenarios/experiment.h"
#include "scenarios/simulation/scenes.h"
#include "suite/commands/commands.h"
#include "suite/message.h"
#include "suite/options.h"
#include "suite/output.h"
#include "suite/quantity.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* --- Kinds of values -------------------------------------------------------------------------- */

static const char *mode_word(size_t index)
{
    return scn_mode_names[index];
}

static const char *format_word(size_t index)
{
    return bench_format_names[index];
}

static const char *method_word(size_t index)
{
    return gt_method_names[index];
}

static const char *scene_word(size_t index)
{
    return index == 0 ? "all" : scn_scenes[index - 1].name;
}

/**
 * Completion of a placeholder of --help: "files", "folders", "meshes" (a file or a model's name), a
 * list of the program, or the words of a table. The first matching row is used.
 */
static const struct {
    const char *placeholder;
    const char *option;                /* only this option; "": only operands; NULL: all */
    const char *kind;                  /* NULL: words */
    const char *(*word)(size_t index); /* returns NULL after the last word */
} kinds[] = {
    {"LIST", "algorithm", "algorithms", NULL},
    {"LIST", "scenario", "scenario-names", NULL},
    {"LIST", "scene", NULL, scene_word},
    {"VARIANT", NULL, "algorithms", NULL},
    {"EXPERIMENT", NULL, "experiments", NULL},
    {"ID", "", "experiments", NULL},
    {"SCENARIO", NULL, "scenarios", NULL},
    {"NAME", "", "models", NULL},
    {"MESH", NULL, "meshes", NULL},
    {"RUN", NULL, "folders", NULL},
    {"DIR", NULL, "folders", NULL},
    {"FILE", NULL, "files", NULL},
    {"[LABEL=]FILE", NULL, "files", NULL},
    {"PROGRAM", NULL, "files", NULL},
    {"SECTION", "", NULL, bench_list_section},
    {"FORMAT", "", NULL, bench_recording_format},
    {"FORMAT", NULL, NULL, format_word},
    {"MODE", NULL, NULL, mode_word},
    {"Q", NULL, NULL, bench_quantity_word},
    {"M", "method", NULL, method_word},
};

/** True for a literal word, or several words separated by bars; false for a placeholder. */
static bool is_literal(const char *token, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (!islower((unsigned char)token[i]) && token[i] != '|' && token[i] != '-') {
            return false;
        }
    }
    return length > 0 && token[0] != '-';
}

enum { KIND_BYTES = 256 };

/** Writes the kind of a placeholder of `length` characters; false if it has no completion. */
static bool find_kind(const char *option, const char *token, size_t length, char kind[KIND_BYTES])
{
    if (is_literal(token, length)) {
        snprintf(kind, KIND_BYTES, "words %.*s", (int)length, token);
        for (char *c = strchr(kind, '|'); c; c = strchr(c, '|')) {
            *c = ' ';
        }
        return true;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strlen(kinds[i].placeholder) == length &&
            strncmp(kinds[i].placeholder, token, length) == 0 &&
            (!kinds[i].option || strcmp(kinds[i].option, option) == 0)) {
            if (kinds[i].word) {
                size_t used = (size_t)snprintf(kind, KIND_BYTES, "words");
                for (size_t k = 0; kinds[i].word(k); k++) {
                    base_assert(used + 1 + strlen(kinds[i].word(k)) < KIND_BYTES);
                    used +=
                        (size_t)snprintf(kind + used, KIND_BYTES - used, " %s", kinds[i].word(k));
                }
            } else {
                snprintf(kind, KIND_BYTES, "%s", kinds[i].kind);
            }
            return true;
        }
    }
    return false;
}

/* --- The tables ------------------------------------------------------------------------------- */

static void put_options(void *context, const bench_option *options, const bench_usage *usage)
{
    (void)usage;
    printf("    %s) echo '", (const char *)context);
    for (; options->name; options++) {
        printf("--%s ", options->name);
    }
    puts("--help' ;;");
}

static void put_valued(void *context, const bench_option *options, const bench_usage *usage)
{
    (void)usage;
    printf("    %s) echo '", (const char *)context);
    for (const char *gap = ""; options->name; options++) {
        if (options->value) {
            printf("%s--%s", gap, options->name);
            gap = " ";
        }
    }
    puts("' ;;");
}

static void put_values(void *context, const bench_option *options, const bench_usage *usage)
{
    (void)usage;
    for (; options->name; options++) {
        char kind[KIND_BYTES];
        if (options->value &&
            find_kind(options->name, options->value, strlen(options->value), kind)) {
            printf("    '%s --%s') echo '%s' ;;\n", (const char *)context, options->name, kind);
        }
    }
}

/**
 * Returns the token of a form ("mesh info FILE [options]") at a position after the command's name,
 * without the brackets of an optional one. Returns NULL at the first option and after the end.
 */
static const char *find_operand(const char *form, int position, size_t *length)
{
    const char *at = form;
    for (int i = 0; i < position; i++) {
        at += strcspn(at, " \n");
        if (*at != ' ' || strncmp(at, " -", 2) == 0 || strncmp(at, " [-", 3) == 0 ||
            strncmp(at, " [options", 9) == 0) {
            return NULL;
        }
        at++;
    }
    at += *at == '[';
    *length = strcspn(at, " ]\n");
    return at;
}

/* The largest number of operands, and of forms of a command. */
enum { POSITIONS_MAX = 4, FORMS_MAX = 8 };

static void put_operands(void *context, const bench_option *options, const bench_usage *usage)
{
    (void)options;
    for (int position = 1; position <= POSITIONS_MAX; position++) {
        char found[FORMS_MAX][KIND_BYTES];
        size_t count = 0; /* kinds over all forms of the command, each once */
        for (const char *form = usage->usage; *form && count < FORMS_MAX; form += *form == '\n') {
            size_t length = 0, same = 0;
            const char *const token = find_operand(form, position, &length);
            if (token && find_kind("", token, length, found[count])) {
                while (strcmp(found[same], found[count]) != 0) {
                    same++;
                }
                count += same == count;
            }
            form += strcspn(form, "\n");
        }
        for (size_t i = 0; i < count; i++) {
            if (i == 0) {
                printf("    '%s %d') echo '", (const char *)context, position);
            }
            printf("%s%s", found[i], i + 1 < count ? "\n" : "' ;;\n");
        }
    }
}

/** Prints "--name:help" for zsh. Names contain no colon. */
static void put_described(void *context, const bench_option *options, const bench_usage *usage)
{
    (void)usage;
    printf("    %s) cat <<'END' ;;\n", (const char *)context);
    for (; options->name; options++) {
        printf("--%s:%s\n", options->name, options->help);
    }
    puts("--help:print what the command does and exit\nEND");
}

static void put_table(const char *name, const char *word, bench_describer *put)
{
    printf("%s() {\n    case %s in\n", name, word);
    for (const bench_command *command = bench_commands; command->name; command++) {
        char text[64];
        snprintf(text, sizeof text, "%s", command->name);
        bench_describe(command->run, command->name, put, text);
    }
    puts("    esac\n}");
}

static void put_tables(void)
{
    fputs("_proxbench_commands='", stdout);
    for (const bench_command *command = bench_commands; command->name; command++) {
        printf("%s ", command->name);
    }
    puts("help'");
    put_table("_proxbench_options", "$1", put_options);
    put_table("_proxbench_valued", "$1", put_valued);
    put_table("_proxbench_value", "\"$1 $2\"", put_values);
    put_table("_proxbench_operand", "\"$1 $2\"", put_operands);
}

/* --- Functions of the shells ------------------------------------------------------------------ */

/* Texts of packaging/completion.*, which the Makefile turns into string literals. */
static const char list_function[] =
#include "suite/completion.sh.inc"
    ;

static const char bash_functions[] =
#include "suite/completion.bash.inc"
    ;

static const char zsh_functions[] =
#include "suite/completion.zsh.inc"
    ;

int bench_cmd_completion(int argc, char **argv)
{
    const bench_option options[] = {BENCH_OPTION_END};
    const bench_usage usage = {
        .usage = "completion bash|zsh",
        .summary =
            "Writes a script with which a shell completes commands, options, and the names of "
            "algorithms, experiments, scenarios and models.",
        .notes =
            "Examples:\n"
            "  source <(proxbench completion bash)\n"
            "  proxbench completion bash >~/.local/share/bash-completion/completions/proxbench\n"
            "  proxbench completion zsh >~/.zfunc/_proxbench   # a folder of $fpath",
    };
    int operands;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    const char *const shell = operands == 1 ? argv[1] : "";
    if (strcmp(shell, "bash") == 0) {
        puts("# bash completion for proxbench: written by 'proxbench completion bash'");
        put_tables();
        fputs(list_function, stdout);
        fputs(bash_functions, stdout);
        return BENCH_GOOD;
    }
    if (strcmp(shell, "zsh") == 0) {
        puts("#compdef proxbench\n"
             "# zsh completion for proxbench: written by 'proxbench completion zsh'");
        put_tables();
        put_table("_proxbench_described", "$1", put_described);
        puts("_proxbench_summaries() {\n    cat <<'END'");
        for (const bench_command *command = bench_commands; command->name; command++) {
            printf("%s:%s\n", command->name, command->summary);
        }
        puts("help:more about a command; --man: the manual page\nEND\n}");
        fputs(list_function, stdout);
        fputs(zsh_functions, stdout);
        return BENCH_GOOD;
    }
    return bench_usage_error("completion needs one shell: bash or zsh");
}
