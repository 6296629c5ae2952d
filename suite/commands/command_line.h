/**
 * The words of a command. The manifest of a run stores them, and --resume uses them again. Also
 * functions for all commands that start workers.
 */
#ifndef SUITE_COMMAND_LINE_H
#define SUITE_COMMAND_LINE_H

#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>
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
 * Prepares --resume: finds the run by folder or name and claims it, and replaces the words by those
 * of the command that began it. line->words[0] must be the command that resumes it. If files that
 * the words name exist only in the folder in which the run was begun, changes to that folder.
 *
 * folder   path of the run, valid in the current folder. words: copy for parsing, which moves them.
 *          Both are in the arena.
 * Errors   those of bench_run_find, bench_run_claim and bench_record_open; BASE_ERR_INPUT if
 *          another command began the run, or if its manifest contains no command; BASE_ERR_MEMORY.
 */
base_status bench_command_line_resume(const char *run, bench_command_line *line,
                                      const char **folder, char ***words,
                                      base_error *err) BASE_MUST_CHECK;

/**
 * Prints the folder of the results if status is BASE_OK. If the run is resumable and has a
 * manifest, prints the command that resumes it.
 */
void bench_command_line_print_results(const char *command, const char *folder, base_status status,
                                      bool resumable);

/** Default of --timeout of commands that start workers. */
#define BENCH_TIMEOUT_DEFAULT_S 600.0

/** Returns -1 for a valid timeout, otherwise the exit status of a usage error. */
int bench_timeout_check(double timeout_s);

#endif
