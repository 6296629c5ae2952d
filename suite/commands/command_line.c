#include "suite/commands/command_line.h"

#include "base/file.h"
#include "suite/message.h"
#include "suite/results/record.h"
#include "suite/results/run_folder.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void bench_command_line_join(int argc, char **argv, char *text, size_t size)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./:=,+@%";
    size_t used = (size_t)snprintf(text, size, "proxbench");
    for (int i = 0; i < argc && used < size; i++) {
        const bool quote = !*argv[i] || argv[i][strspn(argv[i], plain)];
        used += (size_t)snprintf(text + used, size - used, quote ? " '" : " ");
        for (const char *c = argv[i]; *c && used < size; c++) {
            used += (size_t)snprintf(text + used, size - used, *c == '\'' ? "'\\''" : "%c", *c);
        }
        if (quote && used < size) {
            used += (size_t)snprintf(text + used, size - used, "'");
        }
    }
}

base_status bench_command_line_keep(int argc, char **argv, bench_command_line *line,
                                    base_error *err)
{
    line->words = base_arena_alloc(&line->arena, (size_t)argc + 1, sizeof *line->words);
    if (!line->words) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    memcpy(line->words, argv, (size_t)argc * sizeof *line->words);
    line->count = argc;
    return BASE_OK;
}

/**
 * Reads the words of the command that began the run in `folder` from its manifest. line->words[0]
 * is the command that resumes it.
 */
static base_status recall_words(const char *folder, bench_command_line *line, base_error *err)
{
    bench_record record;
    base_status status = bench_record_open(folder, BENCH_RECORD_FACTS, &record, err);
    if (status != BASE_OK) {
        return status;
    }
    const char *const command = line->words[0];
    line->count = 0;
    line->words = base_arena_alloc(&line->arena, record.fact_count + 1, sizeof *line->words);
    bool kept = line->words;
    size_t at = 0;
    const char *word = bench_record_next_fact(&record, "arguments", NULL, &at);
    for (; word && kept; word = bench_record_next_fact(&record, "arguments", NULL, &at)) {
        line->words[line->count] = base_arena_text(&line->arena, word);
        kept = line->words[line->count++];
    }
    if (!kept) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory");
    } else if (line->count == 0) {
        status = base_fail(err, BASE_ERR_INPUT, "'%s' does not contain the command of the run",
                           record.fact_table.path);
    } else if (strcmp(line->words[0], command) != 0) {
        status = base_fail(err, BASE_ERR_INPUT, "'%s' was begun by 'proxbench %s', not by '%s'",
                           folder, line->words[0], command);
    }
    bench_record_release(&record);
    return status;
}

/**
 * True if a word of the command names a file below the folder: "FILE", "--a=FILE", "LABEL=FILE".
 */
static bool is_in(const char *folder, const char *word)
{
    char path[2 * BENCH_RUN_PATH_BYTES];
    const char *const equals = strchr(word, '=');
    const char *const name = equals ? equals + 1 : word;
    return *name && *name != '/' &&
           base_path_join(folder, name, "", path, sizeof path, NULL) == BASE_OK &&
           access(path, F_OK) == 0;
}

/**
 * Restores the meaning of relative names: changes to the folder in which the run was begun, and
 * makes *folder a path that is valid from there. This is done only if files that the command names
 * exist there but not here, because the stored location is meaningless if only the run's folder was
 * moved.
 */
static base_status return_to_start(const char **folder, bench_command_line *line, base_error *err)
{
    bench_record record;
    base_status status = bench_record_open(*folder, BENCH_RECORD_FACTS, &record, err);
    if (status != BASE_OK) {
        return status;
    }
    char joined[2 * BENCH_RUN_PATH_BYTES], beginning[PATH_MAX], run[PATH_MAX];
    const char *const begun_in = bench_record_fact(&record, "run", "begun_in");
    bool needed = false; /* the command names a file that exists there but not here */
    if (begun_in && realpath(*folder, run) &&
        base_path_join(run, begun_in, "", joined, sizeof joined, NULL) == BASE_OK &&
        realpath(joined, beginning)) {
        for (int i = 1; i < line->count; i++) {
            needed |= is_in(beginning, line->words[i]) && !is_in(".", line->words[i]);
        }
    }
    if (needed && chdir(beginning) == 0) {
        bench_note("the run was begun in '%s', and continues there", beginning);
        *folder = base_arena_text(&line->arena, run);
        status = *folder ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    bench_record_release(&record);
    return status;
}

base_status bench_command_line_resume(const char *run, bench_command_line *line,
                                      const char **folder, char ***words, base_error *err)
{
    char found[BENCH_RUN_FOLDER_BYTES];
    base_status status = bench_run_find(run, found, err);
    if (status == BASE_OK) {
        status = bench_run_claim(found, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    *folder = base_arena_text(&line->arena, found);
    status = *folder ? recall_words(*folder, line, err)
                     : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    if (status == BASE_OK) {
        status = return_to_start(folder, line, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    *words = base_arena_alloc(&line->arena, (size_t)line->count + 1, sizeof **words);
    if (!*words) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    memcpy(*words, line->words, (size_t)line->count * sizeof **words);
    return BASE_OK;
}

void bench_command_line_print_results(const char *command, const char *folder, base_status status,
                                      bool resumable)
{
    char manifest[BENCH_RUN_PATH_BYTES], text[2 * BENCH_RUN_FOLDER_BYTES];
    char name[16], resume[] = "--resume", copy[BENCH_RUN_FOLDER_BYTES];
    char *words[] = {name, resume, copy};
    snprintf(name, sizeof name, "%s", command);
    snprintf(copy, sizeof copy, "%s", folder);
    bench_command_line_join(3, words, text, sizeof text);
    if (status == BASE_OK) {
        bench_note("results are in '%s'", folder);
    }
    if (resumable && bench_run_file(folder, manifest, NULL, "manifest.csv") == BASE_OK &&
        access(manifest, F_OK) == 0) {
        bench_note("to continue: %s", text);
    }
}

int bench_timeout_check(double timeout_s)
{
    const double year_s = 366.0 * 24 * 3600;
    return timeout_s > 0 && timeout_s <= year_s
               ? -1
               : bench_usage_error("--timeout %g is not between 0 and %g seconds", timeout_s,
                                   year_s);
}
