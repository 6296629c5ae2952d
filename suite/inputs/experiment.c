#include "suite/inputs/experiment.h"

#include "base/memory.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char suffix[] = ".cfg";

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/** "name" of "name.cfg" in the arena; NULL when out of memory. */
static const char *copy_stem(const char *file, base_arena *arena)
{
    const size_t length = strlen(file) - strlen(suffix);
    char *const name = base_arena_alloc(arena, length + 1, 1);
    if (name) {
        memcpy(name, file, length);
    }
    return name;
}

static bool is_experiment(const char *file)
{
    const size_t length = strlen(file);
    return length > strlen(suffix) && file[0] != '.' &&
           strcmp(file + length - strlen(suffix), suffix) == 0;
}

static base_status read_names(DIR *folder, base_arena *arena, const char ***names, base_error *err)
{
    base_status status = BASE_OK;
    void *found = NULL;
    size_t count = 0, capacity = 0;
    for (struct dirent *entry; status == BASE_OK && (entry = readdir(folder));) {
        if (is_experiment(entry->d_name)) {
            status = base_grow(&found, &capacity, count + 1, sizeof(char *), err);
            if (status == BASE_OK) {
                const char *const name = copy_stem(entry->d_name, arena);
                ((const char **)found)[count++] = name;
                status = name ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
            }
        }
    }
    *names = base_arena_alloc(arena, count + 1, sizeof(char *));
    if (status == BASE_OK && !*names) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    if (status == BASE_OK && count > 0) {
        qsort(found, count, sizeof(char *), compare_names);
        memcpy(*names, found, count * sizeof(char *));
    }
    base_free(found);
    return status;
}

base_status bench_experiment_names(base_arena *arena, const char ***names, base_error *err)
{
    *names = NULL;
    DIR *const folder = opendir(BENCH_EXPERIMENT_DIRECTORY);
    if (!folder) {
        return base_fail(err, BASE_ERR_SYSTEM,
                         "cannot open folder '" BENCH_EXPERIMENT_DIRECTORY "': %s",
                         strerror(errno));
    }
    const base_status status = read_names(folder, arena, names, err);
    closedir(folder);
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
