/** What the tests of simulations share: two cubes as a pair, and a folder. */
#ifndef SUITE_TESTS_SIMULATE_H
#define SUITE_TESTS_SIMULATE_H

#include "suite/inputs/pair.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

static char folder[64];

static inline void enter_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/proxbench-test-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

static inline void leave_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) {
        fprintf(stderr, "cannot remove %s\n", folder);
    }
}

/** FOLDER/NAME: an axis-aligned box. */
static inline void write_box(const char *name, vec3 lo, vec3 hi, char path[128])
{
    static const int faces[12][3] = {
        {0, 2, 1},
        {1, 2, 3},
        {4, 5, 6},
        {5, 7, 6},
        {0, 1, 4},
        {1, 5, 4},
        {2, 6, 3},
        {3, 6, 7},
        {0, 4, 2},
        {2, 4, 6},
        {1, 3, 5},
        {3, 7, 5}
    };
    snprintf(path, 128, "%s/%s", folder, name);
    FILE *const file = fopen(path, "w");
    cr_assert_not_null(file);
    fprintf(file, "OFF\n8 12 0\n");
    for (int i = 0; i < 8; i++) {
        fprintf(file, "%.17g %.17g %.17g\n", i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y,
                i & 4 ? hi.z : lo.z);
    }
    for (int i = 0; i < 12; i++) {
        fprintf(file, "3 %d %d %d\n", faces[i][0], faces[i][1], faces[i][2]);
    }
    fclose(file);
}

static inline void open_pair(const char *a, const char *b, bench_pair *pair)
{
    base_error err = {0};
    cr_assert_eq(bench_pair_open(a, b, pair, &err), BASE_OK, "%s", err.text);
}

/** A: the unit cube from (1, 1, 1) on; B: a box from the origin to `hi`. */
static inline void open_cubes(vec3 hi, bench_pair *pair)
{
    char a[128], b[128];
    write_box("a.off", (vec3){1, 1, 1}, (vec3){2, 2, 2}, a);
    write_box("b.off", (vec3){0, 0, 0}, hi, b);
    open_pair(a, b, pair);
}

#endif
