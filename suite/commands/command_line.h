/**
 * The words of a command, as the manifest of what it makes keeps them: --resume types them again.
 * And what commands share that start workers.
 */
#ifndef SUITE_COMMAND_LINE_H
#define SUITE_COMMAND_LINE_H

#include "base/arena.h"
#include "base/error.h"

#include <stddef.h>

/** The words of a command line: those that were typed, or those of the run that is resumed. */
typedef struct bench_command_line {
    int count;
    char **words;
    char text[4096];  /* as one can type it again */
    base_arena arena; /* holds words that were read; release it */
} bench_command_line;

/** The words as one can type them again, behind the program's name: quoted for a shell where
 * needed. */
void bench_command_line_join(int argc, char **argv, char *text, size_t size);

/** Keeps the words in their order, before parsing moves them. Errors: BASE_ERR_MEMORY. */
base_status bench_command_line_keep(int argc, char **argv, bench_command_line *line,
                                    base_error *err) BASE_MUST_CHECK;

/**
 * The words of the command that began the run in `folder`, from its manifest. line->words[0] is the
 * command that is to go on with it.
 * Errors: those of bench_record_open; BASE_ERR_INPUT where another command has begun it, or none.
 */
base_status bench_command_line_recall(const char *folder, bench_command_line *line,
                                      base_error *err) BASE_MUST_CHECK;

/**
 * Relative names of the command mean what they meant in the folder in which the run was begun: that
 * becomes the current one, and *folder a path that holds from there. But only where files that the
 * command names are there and not here: a run's folder that was moved alone points to a place that
 * has nothing to do with it.
 */
base_status bench_command_line_return(const char **folder, bench_command_line *line,
                                      base_error *err) BASE_MUST_CHECK;

/** --timeout of commands that start workers, if it is not given. */
#define BENCH_TIMEOUT_DEFAULT_S 600.0

/** Returns -1 for a limit that a worker can have, otherwise the exit status of a usage error. */
int bench_timeout_check(double timeout_s);

#endif
