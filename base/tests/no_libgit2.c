/**
 * A substitute for libgit2, only for the test programs.
 *
 * Criterion starts a process for each test. Its library needs libgit2 only for the difference of
 * two long strings in criterion/new/assert.h, which no test here uses. libgit2 needs fifteen more
 * libraries, and loading them takes a third of the time of a short test.
 */
#include <stdio.h>
#include <stdlib.h>

int git_libgit2_init(void);
int git_libgit2_shutdown(void);
int git_diff_buffers(void);

int git_libgit2_init(void)
{
    return 1;
}

int git_libgit2_shutdown(void)
{
    return 0;
}

int git_diff_buffers(void)
{
    fputs("criterion/new/assert.h needs libgit2: see base/tests/no_libgit2.c\n", stderr);
    abort();
}
