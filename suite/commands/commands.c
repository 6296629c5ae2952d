#include "suite/commands/commands.h"

#include "suite/options.h"

#include <stdio.h>
#include <string.h>

const bench_command bench_commands[] = {
    {"list", bench_cmd_list, "what there is: algorithms, scenarios, models, experiments"},
    {"run", bench_cmd_run, "measure and judge variants: the main job"},
    {"check", bench_cmd_check, "hold a run against its baseline: the gate"},
    {"query", bench_cmd_query, "ask one variant about one pose"},
    {"simulate", bench_cmd_simulate, "a simulated hand: variants keep a body out of another one"},
    {"truth", bench_cmd_truth, "exact distance and volume for each frame of a trajectory"},
    {"trajectory", bench_cmd_trajectory, "sample a trajectory, or import a recorded one"},
    {"model", bench_cmd_model, "write a generated model"},
    {"mesh", bench_cmd_mesh, "what a mesh is, what is wrong with it, and where"},
    {"compare", bench_cmd_compare, "which variants are faster, on the front, or fit a need"},
    {"plot", bench_cmd_plot, "draw the figures of a run"},
    {"claims", bench_cmd_claims, "which claims of papers hold in a run"},
    {"table", bench_cmd_table, "columns of a choice: numbers of cells, frames and builds"},
    {"report", bench_cmd_report, "a run at a glance, on the screen and as a page"},
    {"replay", bench_cmd_replay, "one frame of a run again, alone"},
    {"completion", bench_cmd_completion, "what lets a shell complete these commands"},
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
     "folder in which experiments, plot scripts and baselines are looked for, after --data."},
    {"PROXBENCH_HOST", "a name for this machine, for the manifest of a run; without it, none."},
    {"PROXBENCH_PEERS", "folder of the plug-ins around other libraries."},
    {"PROXBENCH_SIMD", "scalar, sse2 or avx2: at most these instructions. Answers are the same."},
    {"PROXBENCH_THREADS", "how many threads builds and truth use; without it, one a CPU."},
    {"TMPDIR", "folder of TetGen's files, which are removed; without it, /tmp."},
    {"XDG_CACHE_HOME", "folder of the cache outside the source tree; without it, ~/.cache."},
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
         "Measures algorithms of haptic rendering side by side, holds each of their answers\n"
         "against the exact one, and draws what comes out. The commands are:");
    for (const bench_command *command = bench_commands; command->name; command++) {
        printf(".TP\n\\fB%s\\fR\n", command->name);
        put_line(command->summary);
    }
    puts(".PP\nEach of them explains itself with \\fB\\-\\-help\\fR or \\fB\\-h\\fR.");
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
