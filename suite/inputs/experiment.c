#include "suite/inputs/experiment.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char suffix[] = ".cfg";

/** "name" of "FOLDER/name.cfg" in the arena; NULL when out of memory. */
static const char *copy_stem(const char *path, base_arena *arena)
{
    char *const name = base_arena_text(arena, strrchr(path, '/') + 1);
    if (name) {
        name[strlen(name) - strlen(suffix)] = '\0';
    }
    return name;
}

static base_status copy_names(const glob_t *files, base_arena *arena, const char ***names,
                              base_error *err)
{
    *names = base_arena_alloc(arena, files->gl_pathc + 1, sizeof(char *));
    if (!*names) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < files->gl_pathc; i++) {
        (*names)[i] = copy_stem(files->gl_pathv[i], arena);
        if (!(*names)[i]) {
            return base_fail(err, BASE_ERR_MEMORY, "out of memory");
        }
    }
    return BASE_OK;
}

base_status bench_experiment_names(base_arena *arena, const char ***names, base_error *err)
{
    *names = NULL;
    if (access(BENCH_EXPERIMENT_DIRECTORY, R_OK | X_OK) != 0) {
        return base_fail(err, BASE_ERR_SYSTEM,
                         "cannot open folder '" BENCH_EXPERIMENT_DIRECTORY "': %s",
                         strerror(errno));
    }
    glob_t files = {0};
    const int missing = glob(BENCH_EXPERIMENT_DIRECTORY "/*.cfg", 0, NULL, &files);
    const base_status status =
        missing == 0 || missing == GLOB_NOMATCH
            ? copy_names(&files, arena, names, err)
            : base_fail(err, BASE_ERR_SYSTEM, "cannot list the files in '%s'",
                        BENCH_EXPERIMENT_DIRECTORY);
    globfree(&files);
    return status;
}

/** The error for a name that is none, with the near ones. */
static base_status unknown_experiment(const char *name, base_error *err)
{
    base_arena arena = {0};
    const char **names;
    base_status status = bench_experiment_names(&arena, &names, err);
    if (status == BASE_OK) {
        char near[512];
        base_text_near(name, names, near, sizeof near);
        status = base_fail(err, BASE_ERR_ARGUMENT, "unknown experiment '%s'%s", name, near);
    }
    base_arena_release(&arena);
    return status;
}

base_status bench_experiment_open(const char *reference, scn_experiment *experiment,
                                  base_error *err)
{
    if (strpbrk(reference, "./")) {
        return scn_experiment_read(reference, experiment, err);
    }
    char path[1024];
    const int length =
        snprintf(path, sizeof path, BENCH_EXPERIMENT_DIRECTORY "/%s%s", reference, suffix);
    FILE *const file = length < (int)sizeof path ? fopen(path, "re") : NULL;
    if (!file) {
        *experiment = (scn_experiment){0};
        return unknown_experiment(reference, err);
    }
    fclose(file);
    return scn_experiment_read(path, experiment, err);
}

/** Length of the experiment's part of "EXPERIMENT/SCENARIO" or "PATH.cfg/SCENARIO". */
static size_t experiment_length(const char *reference)
{
    const char *const in_path = strstr(reference, ".cfg/");
    return in_path ? (size_t)(in_path - reference) + strlen(suffix) : strcspn(reference, "/");
}

static base_status find_scenario(const scn_experiment *experiment, const char *name,
                                 const scn_scenario **scenario, base_error *err)
{
    const char **const names = base_alloc(experiment->scenario_count + 1, sizeof *names);
    if (!names) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    base_status status = BASE_OK;
    *scenario = NULL;
    for (size_t i = 0; i < experiment->scenario_count; i++) {
        names[i] = experiment->scenarios[i].name;
        if (strcmp(names[i], name) == 0) {
            *scenario = &experiment->scenarios[i];
        }
    }
    if (!*scenario) {
        char near[512];
        base_text_near(name, names, near, sizeof near);
        status = base_fail(err, BASE_ERR_ARGUMENT, "experiment '%s' has no scenario '%s'%s",
                           experiment->name, name, near);
    }
    base_free(names);
    return status;
}

base_status bench_scenario_open(const char *reference, scn_experiment *experiment,
                                const scn_scenario **scenario, base_error *err)
{
    *experiment = (scn_experiment){0};
    const size_t length = experiment_length(reference);
    char name[1024];
    if (length >= sizeof name || reference[length] != '/') {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "'%s' is not a scenario: expected EXPERIMENT/SCENARIO", reference);
    }
    memcpy(name, reference, length);
    name[length] = '\0';
    base_status status = bench_experiment_open(name, experiment, err);
    if (status != BASE_OK) {
        return status;
    }
    status = find_scenario(experiment, reference + length + 1, scenario, err);
    if (status != BASE_OK) {
        scn_experiment_release(experiment);
    }
    return status;
}
