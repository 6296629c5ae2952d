#include "suite/run/allocations.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/** Skips the test with sanitizers, which replace the counting functions. */
static void skip_where_nothing_counts(void)
{
    if (!bench_allocations_counted()) {
        cr_assert_eq(bench_allocations_count(), 0);
        cr_skip_test("skipped: this build cannot count");
    }
}

/* Volatile, so that the compiler cannot remove allocations of unused blocks. */
static void *volatile block;

static void keep(void *allocated)
{
    block = allocated;
    cr_assert_not_null(allocated);
}

static void take_malloc(size_t size)
{
    keep(malloc(size));
}

static void take_calloc(size_t size)
{
    keep(calloc(3, size));
}

static void take_realloc(size_t size)
{
    keep(realloc(NULL, size));
}

static void take_reallocarray(size_t size)
{
    keep(reallocarray(NULL, 3, size));
}

static void take_aligned_alloc(size_t size)
{
    keep(aligned_alloc(64, size * 64));
    cr_assert_eq((uintptr_t)block % 64, 0);
}

static void take_posix_memalign(size_t size)
{
    void *allocated = NULL;
    cr_assert_eq(posix_memalign(&allocated, 4096, size), 0);
    cr_assert_eq((uintptr_t)allocated % 4096, 0);
    keep(allocated);
}

static void take_memalign(size_t size)
{
    keep(memalign(128, size));
    cr_assert_eq((uintptr_t)block % 128, 0);
}

static void take_valloc(size_t size)
{
    keep(valloc(size));
    cr_assert_eq((uintptr_t)block % (uintptr_t)sysconf(_SC_PAGESIZE), 0);
}

static void take_pvalloc(size_t size)
{
    keep(pvalloc(size));
    cr_assert_geq(malloc_usable_size(block), (size_t)sysconf(_SC_PAGESIZE));
}

/** Functions of the C library also allocate. */
static void take_strdup(size_t size)
{
    static char text[1024];
    memset(text, 'x', size);
    text[size] = '\0';
    keep(strdup(text));
}

static const struct {
    const char *name;
    void (*take)(size_t size);
} ways[] = {
    {"malloc", take_malloc},
    {"calloc", take_calloc},
    {"realloc", take_realloc},
    {"reallocarray", take_reallocarray},
    {"aligned_alloc", take_aligned_alloc},
    {"posix_memalign", take_posix_memalign},
    {"memalign", take_memalign},
    {"valloc", take_valloc},
    {"pvalloc", take_pvalloc},
    {"strdup", take_strdup},
};

Test(allocations, each_way_to_allocate_counts_once)
{
    skip_where_nothing_counts();
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        for (size_t size = 1; size <= 1000; size += 333) {
            const uint64_t before = bench_allocations_count();
            const uint64_t failed_before = bench_allocations_failed_count();
            ways[w].take(size);
            const uint64_t count = bench_allocations_count() - before;
            cr_assert_eq(count, 1, "%s of %zu: %lu", ways[w].name, size, count);
            memset(block, 0x55, size);
            free(block);
            cr_assert_eq(bench_allocations_count() - before, 1, "free after %s", ways[w].name);
            cr_assert_eq(bench_allocations_failed_count(), failed_before, "%s", ways[w].name);
        }
    }
}

Test(allocations, a_block_keeps_its_content_when_it_grows)
{
    skip_where_nothing_counts();
    unsigned char *grown = malloc(16);
    const uint64_t before = bench_allocations_count();
    memset(grown, 7, 16);
    for (size_t size = 32; size <= 1 << 20; size *= 2) {
        grown = realloc(grown, size);
        cr_assert_not_null(grown, "%zu", size);
        for (size_t i = 0; i < 16; i++) {
            cr_assert_eq(grown[i], 7, "byte %zu of %zu", i, size);
        }
    }
    cr_assert_eq(bench_allocations_count() - before, 16);
    free(grown);
}

Test(allocations, a_library_opened_later_is_counted)
{
    skip_where_nothing_counts();
    void *const library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        cr_skip_test("skipped: no C++ library here");
    }
    void *(*new_bytes)(size_t);
    void (*delete_bytes)(void *);
    *(void **)&new_bytes = dlsym(library, "_Znwm"); /* operator new(size_t) */
    *(void **)&delete_bytes = dlsym(library, "_ZdlPv");
    cr_assert(new_bytes && delete_bytes);
    delete_bytes(new_bytes(1));
    const uint64_t before = bench_allocations_count();
    for (int i = 0; i < 1000; i++) {
        delete_bytes(new_bytes(100));
    }
    cr_assert_eq(bench_allocations_count() - before, 1000);
}

static void *allocate_often(void *unused)
{
    for (int i = 0; i < 100000; i++) {
        void *volatile mine = malloc(8);
        free(mine);
    }
    return unused;
}

Test(allocations, all_threads_are_counted)
{
    skip_where_nothing_counts();
    pthread_t threads[4];
    allocate_often(NULL);
    const uint64_t before = bench_allocations_count();
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(pthread_create(&threads[i], NULL, allocate_often, NULL), 0);
    }
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(pthread_join(threads[i], NULL), 0);
    }
    const uint64_t count = bench_allocations_count() - before;
    cr_assert_geq(count, 400000);
    cr_assert_lt(count, 400100, "%lu: a thread's own set-up takes a few", count);
}

/** Runs in a child process. Returns the number of failed checks as exit status. */
static int failures_of_a_limited_process(void)
{
    const struct rlimit none = {1 << 20, 1 << 20};
    const size_t size = (size_t)1 << 28;
    if (setrlimit(RLIMIT_DATA, &none) != 0) {
        return 1;
    }
    /* The compiler assumes (-fno-math-errno) that malloc does not change errno. Volatile hides
     * malloc from it. */
    void *(*volatile allocate)(size_t) = malloc;
    const uint64_t count = bench_allocations_count(), failed = bench_allocations_failed_count();
    errno = 0;
    block = allocate(size);
    if (block || errno != ENOMEM) {
        return 2;
    }
    block = calloc(2, size);
    block = block ? block : realloc(NULL, size);
    block = block ? block : aligned_alloc(64, size);
    block = block ? block : memalign(64, size);
    void *aligned = &errno;
    errno = EDOM;
    if (block || posix_memalign(&aligned, 64, size) != ENOMEM || aligned != &errno ||
        errno != EDOM) {
        return 3;
    }
    if (bench_allocations_count() - count != 6 || bench_allocations_failed_count() - failed != 6) {
        return 4;
    }
    return 0;
}

Test(allocations, one_that_fails_is_counted_and_says_so)
{
    skip_where_nothing_counts();
    const pid_t child = fork();
    if (child == 0) {
        _exit(failures_of_a_limited_process());
    }
    int status = -1;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status 0x%x", (unsigned)status);
}

Test(allocations, arguments_that_cannot_be_met_are_refused)
{
    skip_where_nothing_counts();
    volatile size_t huge = SIZE_MAX / 2, three = 3, zero = 0;
    const uint64_t failed = bench_allocations_failed_count();
    void *aligned = &errno;
    errno = 0;
    cr_assert_null(reallocarray(NULL, huge, three));
    cr_assert_eq(errno, ENOMEM);
    errno = 0;
    cr_assert_null(pvalloc(huge * 2 + 1));
    cr_assert_eq(errno, ENOMEM);
    cr_assert_eq(posix_memalign(&aligned, three * 8, 1), EINVAL);
    cr_assert_eq(posix_memalign(&aligned, zero, 1), EINVAL);
    cr_assert_eq(posix_memalign(&aligned, three + 1, 1), EINVAL, "less than a pointer");
    cr_assert_eq(aligned, (void *)&errno);
    cr_assert_eq(bench_allocations_failed_count() - failed, 5);
    void *(*volatile allocate)(size_t) = malloc;
    errno = EDOM;
    block = allocate(10);
    cr_assert_eq(errno, EDOM, "a success leaves errno alone");
    cr_assert_null(realloc(block, zero), "glibc frees");
    cr_assert_eq(bench_allocations_failed_count() - failed, 5);
}
