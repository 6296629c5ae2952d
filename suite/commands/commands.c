#include "suite/commands/commands.h"

#include "suite/options.h"

#include <stdio.h>
#include <string.h>

const bench_command bench_commands[] = {
    {"list", bench_cmd_list, "list algorithms, models, experiments, scenarios and columns"},
    {"run", bench_cmd_run, "measure variants and judge their answers"},
    {"check", bench_cmd_check, "compare a run with its baseline: the gate"},
    {"query", bench_cmd_query, "query one variant at one pose"},
    {"simulate", bench_cmd_simulate, "simulate a hand that moves a body against another one"},
    {"score", bench_cmd_score, "judge answers that another program made"},
    {"export", bench_cmd_export, "write scenarios and their truth as plain files"},
    {"import", bench_cmd_import, "read an exported set back and check it"},
    {"truth", bench_cmd_truth, "compute the exact answers for each frame of a trajectory"},
    {"trajectory", bench_cmd_trajectory, "sample a trajectory, or import a recorded one"},
    {"record", bench_cmd_record, "record a trajectory by hand, on a page in a browser"},
    {"model", bench_cmd_model, "write a generated model"},
    {"mesh", bench_cmd_mesh, "print the properties and the defects of a mesh"},
    {"compare", bench_cmd_compare, "compare times and errors of the variants of a run"},
    {"plot", bench_cmd_plot, "draw the figures of a run"},
    {"figure", bench_cmd_figure, "run, compare, draw and judge what a paper shows, by its id"},
    {"claims", bench_cmd_claims, "judge the claims of papers by runs"},
    {"table", bench_cmd_table, "print chosen columns of cells, frames and builds"},
    {"report", bench_cmd_report, "summarize a run on the screen and as a page"},
    {"replay", bench_cmd_replay, "query one frame of a run again"},
    {"completion", bench_cmd_completion, "write a script that completes commands in a shell"},
    {NULL, NULL, NULL},
};

const bench_command *bench_command_find(const char *name)
{
    const bench_command *command = bench_commands;
    while (command->name && strcmp(command->name, name) != 0) {
        command++;
    }
    return command->name ? command : NULL;
}

/* --- The manual page -------------------------------------------------------------------------- */

/** Environment variables of the program. */
static const struct {
    const char *name, *help;
} variables[] = {
    {"PROXBENCH_DATA",
     "folder that is searched for experiments, plot scripts and baselines, after --data."},
    {"PROXBENCH_HOST", "name of this machine for the manifest of a run (default: no name)."},
    {"PROXBENCH_PEERS", "folder of the plug-ins that use other libraries."},
    {"PROXBENCH_SIMD",
     "scalar, sse2 or avx2: the largest instruction set that is used. Answers are the same."},
    {"PROXBENCH_THREADS", "number of threads of builds and truth (default: one per CPU)."},
    {"PROXBENCH_THREE", "folder of three.js (default: /usr/share/javascript/three)."},
    {"TMPDIR", "folder of TetGen's files, which are removed again (default: /tmp)."},
    {"XDG_CACHE_HOME", "folder of the cache outside the source tree (default: ~/.cache)."},
};

/** Escapes the characters that roff interprets. A line must not begin with a dot or a quote. */
static void put_escaped(const char *text, size_t length)
{
    static const struct {
        char character;
        const char *escape;
    } escapes[] = {
        {'\\', "\\e"},  {'-', "\\-"},   {'\'', "\\(aq"},
        {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"},
    };
    if (length > 0 && *text == '.') {
        fputs("\\&", stdout);
    }
    for (size_t i = 0; i < length; i++) {
        const char *escape = NULL;
        for (size_t e = 0; e < sizeof escapes / sizeof *escapes; e++) {
            escape = text[i] == escapes[e].character ? escapes[e].escape : escape;
        }
        if (escape) {
            fputs(escape, stdout);
        } else {
            putchar(text[i]);
        }
    }
}

static void put_line(const char *text)
{
    put_escaped(text, strlen(text));
    putchar('\n');
}

/** Prints indented lines verbatim and fills other lines. An empty line separates paragraphs. */
static void put_text(const char *text)
{
    bool verbatim = false, parted = true;
    while (*text) {
        const size_t length = strcspn(text, "\n");
        const bool indented = *text == ' ';
        if (indented != verbatim) {
            puts(indented ? ".PP\n.nf" : ".fi\n.PP");
        } else if (parted && length > 0 && !indented) {
            puts(".PP");
        }
        verbatim = indented;
        parted = length == 0;
        if (length > 0) {
            put_escaped(text, length);
            putchar('\n');
        }
        text += length + (text[length] == '\n');
    }
    if (verbatim) {
        puts(".fi");
    }
}

static void put_command(void *context, const bench_option *options, const bench_usage *usage)
{
    const bench_command *const command = context;
    printf(".SS %s\n.nf\n", command->name);
    for (const char *form = usage->usage; *form;) {
        const size_t length = strcspn(form, "\n");
        fputs("proxbench ", stdout);
        put_escaped(form, length);
        putchar('\n');
        form += length + (form[length] == '\n');
    }
    puts(".fi");
    put_text(usage->summary);
    for (const bench_option *option = options; option->name; option++) {
        char preset[256];
        bench_option_default(option, preset, sizeof preset);
        fputs(".TP\n\\fB\\-\\-", stdout);
        put_escaped(option->name, strlen(option->name));
        fputs("\\fR", stdout);
        if (option->value) {
            fputs(" \\fI", stdout);
            put_escaped(option->value, strlen(option->value));
            fputs("\\fR", stdout);
        }
        putchar('\n');
        put_escaped(option->help, strlen(option->help));
        put_line(preset);
    }
    if (usage->notes) {
        put_text(usage->notes);
    }
}

static void put_overview(const char *version)
{
    printf(".TH PROXBENCH 1 \"\" \"proxbench %s\" \"User Commands\"\n", version);
    puts(".SH NAME\n"
         "proxbench \\- benchmark and validation of proximity and penetration algorithms\n"
         ".SH SYNOPSIS\n"
         "\\fBproxbench\\fR \\fICOMMAND\\fR [\\fIoptions\\fR]\n"
         ".br\n"
         "\\fBproxbench help\\fR [\\fICOMMAND\\fR | \\fB\\-\\-man\\fR]\n"
         ".br\n"
         "\\fBproxbench \\-\\-version\\fR | \\fB\\-V\\fR\n"
         ".SH DESCRIPTION\n"
         "Measures algorithms of haptic rendering side by side, compares each answer with the\n"
         "exact one, and draws figures of the results. The commands are:");
    for (const bench_command *command = bench_commands; command->name; command++) {
        printf(".TP\n\\fB%s\\fR\n", command->name);
        put_line(command->summary);
    }
    puts(".PP\nEach command prints its help with \\fB\\-\\-help\\fR or \\fB\\-h\\fR.");
}

void bench_manual_print(const char *version, const char *statuses)
{
    put_overview(version);
    puts(".SH COMMANDS");
    for (const bench_command *command = bench_commands; command->name; command++) {
        bench_command described = *command;
        bench_describe(command->run, command->name, put_command, &described);
    }
    puts(".SH EXIT STATUS");
    put_text(statuses);
    puts(".SH ENVIRONMENT");
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        puts(".TP");
        printf("\\fB%s\\fR\n", variables[i].name);
        put_line(variables[i].help);
    }
}
