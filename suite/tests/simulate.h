/**
 * Shared by the tests of simulations: a pair of two cubes, a folder, and shared memory by which a
 * test controls its algorithms. The algorithms run in workers, which are processes of the test
 * program (test_worker.c serves them).
 */
#ifndef SUITE_TESTS_SIMULATE_H
#define SUITE_TESTS_SIMULATE_H

#include "base/tests/support.h"
#include "suite/inputs/pair.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/**
 * Registers algorithms and maps their memory before the worker is served: constructors with lower
 * numbers run first.
 */
#define BEFORE_WORKERS_SERVE __attribute__((constructor(200)))

/** True if this process is a worker. */
static inline bool is_worker(int argc, char **argv)
{
    return argc == 2 && strcmp(argv[1], "worker") == 0;
}

/**
 * Maps `bytes` of memory that a test shares with its workers. The descriptor is inherited; each
 * test file uses a different one.
 */
static inline void *map_told(int descriptor, size_t bytes)
{
    void *const told = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return told == MAP_FAILED ? NULL : told;
}

/** Creates this memory for the test itself, zeroed. */
static inline void *make_told(int descriptor, size_t bytes)
{
    const int file = memfd_create("told", 0);
    cr_assert(file >= 0 && ftruncate(file, (off_t)bytes) == 0 &&
              dup2(file, descriptor) == descriptor);
    close(file);
    void *const told = map_told(descriptor, bytes);
    cr_assert_not_null(told);
    return told;
}

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

/** Writes an axis-aligned box to FOLDER/NAME. */
static inline void write_box(const char *name, vec3 lo, vec3 hi, char path[128])
{
    static const int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                     {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                     {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
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
    assert_ok(bench_pair_open(a, b, pair, ERR));
}

/**
 * Opens A, the unit cube with its lower corner at (1, 1, 1), and B, a box from the origin to `hi`.
 */
static inline void open_cubes(vec3 hi, bench_pair *pair)
{
    char a[128], b[128];
    write_box("a.off", (vec3){1, 1, 1}, (vec3){2, 2, 2}, a);
    write_box("b.off", (vec3){0, 0, 0}, hi, b);
    open_pair(a, b, pair);
}

#endif
