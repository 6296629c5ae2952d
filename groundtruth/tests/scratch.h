/** A temporary directory for a test, and a PATH that begins with fake programs. */
#ifndef GROUNDTRUTH_TESTS_SCRATCH_H
#define GROUNDTRUTH_TESTS_SCRATCH_H

#include "base/file.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct scratch {
    char path[256];
} scratch;

/**
 * Makes the directory. It also becomes $TMPDIR, so that files that a module leaves behind are
 * detected.
 */
static inline scratch scratch_make(void)
{
    scratch s;
    snprintf(s.path, sizeof s.path, "/tmp/proxbench-test-XXXXXX");
    cr_assert_not_null(mkdtemp(s.path));
    cr_assert_eq(setenv("TMPDIR", s.path, 1), 0);
    return s;
}

static inline void scratch_file(const scratch *s, const char *name, char path[512])
{
    snprintf(path, 512, "%s/%s", s->path, name);
}

/** Returns the number of entries; name: receives the last one (may be NULL). */
static inline int scratch_count(const char *directory, char name[256])
{
    int count = 0;
    DIR *const d = opendir(directory);
    if (!d) {
        return 0;
    }
    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
        if (e->d_name[0] != '.') {
            count++;
            if (name) {
                snprintf(name, 256, "%s", e->d_name);
            }
        }
    }
    closedir(d);
    return count;
}

/** Writes an executable script; its directory is put at the front of the search path. */
static inline void scratch_program(const scratch *s, const char *name, const char *script)
{
    char bin[512], path[1024], list[8192];
    scratch_file(s, "bin", bin);
    mkdir(bin, 0700);
    snprintf(path, sizeof path, "%s/%s", bin, name);
    FILE *const file = fopen(path, "w");
    cr_assert_not_null(file);
    fprintf(file, "#!/bin/sh\n%s\n", script);
    fclose(file);
    cr_assert_eq(chmod(path, 0700), 0);
    snprintf(list, sizeof list, "%s:%s", bin, getenv("PATH"));
    cr_assert_eq(setenv("PATH", list, 1), 0);
}

static inline void scratch_remove(const scratch *s)
{
    char sub[512];
    const char *const known[] = {"bin", "cache/deep", "cache"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        scratch_file(s, known[i], sub);
        base_folder_remove(sub);
    }
    base_folder_remove(s->path);
}

#endif
