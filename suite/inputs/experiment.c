#include "suite/suite.h"

#include "geometry/text.h"

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
static const char *copy_stem(const char *file, geo_arena *arena)
{
    const size_t length = strlen(file) - strlen(suffix);
    char *const name = geo_arena_alloc(arena, length + 1, 1);
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

static geo_status read_names(DIR *folder, geo_arena *arena, const char ***names, geo_error *err)
{
    geo_status status = GEO_OK;
    void *found = NULL;
    size_t count = 0, capacity = 0;
    for (struct dirent *entry; status == GEO_OK && (entry = readdir(folder));) {
        if (is_experiment(entry->d_name)) {
            status = geo_grow(&found, &capacity, count + 1, sizeof(char *), err);
            if (status == GEO_OK) {
                const char *const name = copy_stem(entry->d_name, arena);
                ((const char **)found)[count++] = name;
                status = name ? GEO_OK : geo_fail(err, GEO_ERR_MEMORY, "out of memory");
            }
        }
    }
    *names = geo_arena_alloc(arena, count + 1, sizeof(char *));
    if (status == GEO_OK && !*names) {
        status = geo_fail(err, GEO_ERR_MEMORY, "out of memory");
    }
    if (status == GEO_OK && count > 0) {
        qsort(found, count, sizeof(char *), compare_names);
        memcpy(*names, found, count * sizeof(char *));
    }
    geo_free(found);
    return status;
}

geo_status bench_experiment_names(geo_arena *arena, const char ***names, geo_error *err)
{
    *names = NULL;
    DIR *const folder = opendir(BENCH_EXPERIMENT_DIRECTORY);
    if (!folder) {
        return geo_fail(err, GEO_ERR_SYSTEM,
                        "cannot open folder '" BENCH_EXPERIMENT_DIRECTORY "': %s", strerror(errno));
    }
    const geo_status status = read_names(folder, arena, names, err);
    closedir(folder);
    return status;
}

/** The error for a name that is none, with the near ones. */
static geo_status unknown_experiment(const char *name, geo_error *err)
{
    geo_arena arena = {0};
    const char **names;
    geo_status status = bench_experiment_names(&arena, &names, err);
    if (status == GEO_OK) {
        char near[512];
        geo_text_near(name, names, near, sizeof near);
        status = geo_fail(err, GEO_ERR_ARGUMENT, "unknown experiment '%s'%s", name, near);
    }
    geo_arena_release(&arena);
    return status;
}

geo_status bench_experiment_open(const char *reference, scn_experiment *experiment, geo_error *err)
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

static geo_status find_scenario(const scn_experiment *experiment, const char *name,
                                const scn_scenario **scenario, geo_error *err)
{
    const char **const names = geo_alloc(experiment->scenario_count + 1, sizeof *names);
    if (!names) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory");
    }
    geo_status status = GEO_OK;
    *scenario = NULL;
    for (size_t i = 0; i < experiment->scenario_count; i++) {
        names[i] = experiment->scenarios[i].name;
        if (strcmp(names[i], name) == 0) {
            *scenario = &experiment->scenarios[i];
        }
    }
    if (!*scenario) {
        char near[512];
        geo_text_near(name, names, near, sizeof near);
        status = geo_fail(err, GEO_ERR_ARGUMENT, "experiment '%s' has no scenario '%s'%s",
                          experiment->name, name, near);
    }
    geo_free(names);
    return status;
}

geo_status bench_scenario_open(const char *reference, scn_experiment *experiment,
                               const scn_scenario **scenario, geo_error *err)
{
    *experiment = (scn_experiment){0};
    const size_t length = experiment_length(reference);
    char name[1024];
    if (length >= sizeof name || reference[length] != '/') {
        return geo_fail(err, GEO_ERR_ARGUMENT,
                        "'%s' is not a scenario: expected EXPERIMENT/SCENARIO", reference);
    }
    memcpy(name, reference, length);
    name[length] = '\0';
    geo_status status = bench_experiment_open(name, experiment, err);
    if (status != GEO_OK) {
        return status;
    }
    status = find_scenario(experiment, reference + length + 1, scenario, err);
    if (status != GEO_OK) {
        scn_experiment_release(experiment);
    }
    return status;
}
