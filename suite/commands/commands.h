/**
 * The commands. Each is a function that returns an exit status (message.h). argv[0] is the name of
 * the command.
 *
 * To add a command, write a file cmd_NAME.c with its option table and with the function
 * `int bench_cmd_name(int argc, char **argv)`. Declare the function below, and add a row to the
 * table of commands.c.
 */
#ifndef SUITE_COMMANDS_H
#define SUITE_COMMANDS_H

#include "geometry/mesh.h"

#include <stddef.h>

typedef struct bench_command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} bench_command;

/** All commands, in the order of --help; ends with name NULL. */
extern const bench_command bench_commands[];
/** Returns NULL if there is no command of this name. */
const bench_command *bench_command_find(const char *name);

/**
 * Writes proxbench(1) as roff to standard output: all commands with all their options, from the
 * same texts as --help. statuses: the exit statuses, as one paragraph.
 */
void bench_manual_print(const char *version, const char *statuses);

/** Returns the name of a section of `list`; NULL after the last section. */
const char *bench_list_section(size_t index);
/**
 * Returns the name of a format of recordings that `trajectory` reads; NULL after the last format.
 */
const char *bench_recording_format(size_t index);

/**
 * Rejects a path with the suffix of another mesh format than OFF, because the file would be read
 * in that format. command: for the message. path: may be NULL.
 *
 * Errors   BASE_ERR_ARGUMENT.
 */
base_status bench_mesh_check_suffix(const char *command, const char *path,
                                    base_error *err) BASE_MUST_CHECK;
/** Writes a mesh as OFF; path NULL: to stdout. Errors: BASE_ERR_SYSTEM, BASE_ERR_MEMORY. */
base_status bench_mesh_write(const geo_mesh *mesh, const char *path,
                             base_error *err) BASE_MUST_CHECK;

int bench_cmd_check(int argc, char **argv);
int bench_cmd_completion(int argc, char **argv);
int bench_cmd_claims(int argc, char **argv);
int bench_cmd_compare(int argc, char **argv);
int bench_cmd_export(int argc, char **argv);
int bench_cmd_figure(int argc, char **argv);
int bench_cmd_import(int argc, char **argv);
int bench_cmd_list(int argc, char **argv);
int bench_cmd_mesh(int argc, char **argv);
int bench_cmd_model(int argc, char **argv);
int bench_cmd_plot(int argc, char **argv);
int bench_cmd_query(int argc, char **argv);
int bench_cmd_record(int argc, char **argv);
int bench_cmd_replay(int argc, char **argv);
int bench_cmd_report(int argc, char **argv);
int bench_cmd_run(int argc, char **argv);
int bench_cmd_score(int argc, char **argv);
int bench_cmd_simulate(int argc, char **argv);
int bench_cmd_table(int argc, char **argv);
int bench_cmd_trajectory(int argc, char **argv);
int bench_cmd_truth(int argc, char **argv);

#endif
