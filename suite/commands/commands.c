#include "suite/commands/commands.h"

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
