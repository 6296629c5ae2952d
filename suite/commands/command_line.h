/**
 * The words of a command. The manifest of a run stores them, and --resume uses them again. Also
 * functions for all commands that start workers.
 */
#ifndef SUITE_COMMAND_LINE_H
#define SUITE_COMMAND_LINE_H

#include "base/error.h"
#include "base/memory.h"

#include <stddef.h>

/** The words of a command line: as typed, or those of the run that is resumed. */
typedef struct bench_command_line {
    int count;
    char **words;
    char text[4096];  /* in a form that can be typed again */
    base_arena arena; /* holds words that were read; the caller must release it */
} bench_command_line;

/**
 * Writes the words in a form that can be typed again, after the program's name: quoted for a shell
 * if necessary.
 */
void bench_command_line_join(int argc, char **argv, char *text, size_t size);

/** Stores the words in their order, before parsing moves them. Errors: BASE_ERR_MEMORY. */
base_status bench_command_line_keep(int argc, char **argv, bench_command_line *line,
                                    base_error *err) BASE_MUST_CHECK;

/**
 * Reads the words of the command that began the run in `folder` from its manifest. line->words[0]
 * is the command that resumes it.
 * Errors: those of bench_record_open; BASE_ERR_INPUT if another command began it, or if the
 * manifest names no command.
 */
base_status bench_command_line_recall(const char *folder, bench_command_line *line,
                                      base_error *err) BASE_MUST_CHECK;

/**
 * Restores the meaning of relative names: changes to the folder in which the run was begun, and
 * makes *folder a path that is valid from there. This is done only if files that the command names
 * exist there but not here, because the stored location is meaningless if only the run's folder was
 * moved.
 */
base_status bench_command_line_return(const char **folder, bench_command_line *line,
                                      base_error *err) BASE_MUST_CHECK;

/** Default of --timeout of commands that start workers. */
#define BENCH_TIMEOUT_DEFAULT_S 600.0

/** Returns -1 for a valid timeout, otherwise the exit status of a usage error. */
int bench_timeout_check(double timeout_s);

#endif
